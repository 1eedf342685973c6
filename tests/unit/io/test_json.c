/*
 * JSON lines: however a file is cut into chunks and batches, or read as a pipe, the same rows and
 * the same error come out, also of damaged texts.
 */
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/io/json_source.h"
#include "kernels/kernels.h"
#include "tests/unit/io/csv_case.h"

enum { TEXT_BYTES_MAX = 4096, DAMAGED_COUNT = 3000 };

static char path[PATH_MAX];

struct setup {
    size_t chunk_bytes;
    size_t batch_rows;
    bool pipe;
    bool ignore_parse_errors;
};

struct outcome {
    struct oriel_memory memory;
    struct oriel_text_buffer rows;
    enum oriel_status status;
    struct oriel_error error;
};

static enum oriel_status collect(void *context, const struct oriel_batch *batch,
                                 struct oriel_error *error) {
    struct outcome *outcome = context;
    (void)error;
    for (size_t row = 0; row < batch->row_count; row++) {
        for (uint32_t c = 0; c < batch->column_count; c++)
            csv_case_print(&outcome->rows, &batch->columns[c], row);
        assert_int_equal(oriel_text_buffer_append(&outcome->rows, "\n", 1), ORIEL_OK);
    }
    return ORIEL_OK;
}

static enum oriel_status read_all(struct oriel_source *source, struct outcome *outcome) {
    struct oriel_error *error = &outcome->error;
    struct oriel_morsel morsel;
    enum oriel_status status = source->operations->start(source, 1, error);
    while (status == ORIEL_OK) {
        status = source->operations->claim(source, &morsel, error);
        if (status == ORIEL_OK)
            status = source->operations->read(source, 0, &morsel, collect, outcome, error);
    }
    return status;
}

static void *feed(void *context) {
    const char *text = context;
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(text, 1, strlen(text), file);
        fclose(file);
    }
    return NULL;
}

static void read_case(const struct setup *setup, const char *text, struct outcome *outcome) {
    static const struct oriel_csv_column columns[] = {
        {ORIEL_CSV_FIELD, 0}, {ORIEL_CSV_FIELD, 1}, {ORIEL_CSV_FIELD, 2}, {ORIEL_CSV_FIELD, 3}};
    const struct oriel_field element = {NULL, oriel_type_make(ORIEL_TYPE_INT)};
    struct oriel_type list = oriel_type_make(ORIEL_TYPE_ARRAY);
    list.field_count = 1;
    list.fields = &element;
    const struct oriel_field fields[] = {{"id", oriel_type_make(ORIEL_TYPE_BIGINT)},
                                         {"name", oriel_type_string()},
                                         {"price", oriel_type_decimal(10, 2)},
                                         {"list", list}};
    const struct oriel_csv_request request = {
        .fields = {4, fields}, .column_count = 4, .columns = columns, .rowtime = -1};
    struct oriel_json_options options;
    *outcome = (struct outcome){0};
    oriel_text_buffer_init(&outcome->rows, &outcome->memory);
    const struct oriel_runtime runtime = {
        .memory = &outcome->memory,
        .kernels = oriel_isa_best(oriel_cpu_features())->kernels,
        .batch_rows = setup->batch_rows,
    };
    pthread_t writer;
    struct oriel_source *source = NULL;
    oriel_json_options_init(&options);
    options.chunk_bytes = setup->chunk_bytes;
    options.ignore_parse_errors = setup->ignore_parse_errors;
    unlink(path);
    if (setup->pipe) {
        assert_int_equal(mkfifo(path, 0600), 0);
        assert_int_equal(pthread_create(&writer, NULL, feed, (void *)(uintptr_t)text), 0);
    } else {
        feed((void *)(uintptr_t)text);
    }
    struct oriel_file_list files;
    assert_int_equal(oriel_file_list_init(&files, &outcome->memory, path, NULL), ORIEL_OK);
    outcome->status =
        oriel_json_source_open(&runtime, &files, &options, &request, &source, &outcome->error);
    if (outcome->status == ORIEL_OK) {
        outcome->status = read_all(source, outcome);
        source->operations->close(source);
    }
    if (setup->pipe)
        pthread_join(writer, NULL);
    assert_int_equal(oriel_text_buffer_append(&outcome->rows, "", 1), ORIEL_OK);
}

static void close_outcome(struct outcome *outcome) {
    oriel_text_buffer_deinit(&outcome->rows);
    assert_int_equal(atomic_load(&outcome->memory.used_bytes), 0);
}

static void check_same(const struct setup *setup, const char *text, const struct outcome *wanted) {
    struct outcome got;
    read_case(setup, text, &got);
    assert_int_equal(got.status, wanted->status);
    assert_string_equal(got.rows.bytes, wanted->rows.bytes);
    if (wanted->status != ORIEL_DONE) {
        assert_string_equal(got.error.message, wanted->error.message);
        assert_int_equal(got.error.line, wanted->error.line);
    }
    close_outcome(&got);
}

static const char sample[] =
    "\xEF\xBB\xBF{\"id\":1,\"name\":\"a\",\"price\":1.005,\"list\":[1,null,3]}\n"
    "\n"
    "{\"name\":\"longer than twelve\",\"other\":{\"x\":[1,{\"y\":\"}\"}]},\"id\":\"2\"}\r\n"
    "[{\"id\":3},{\"id\":4,\"name\":{\"k\": [1, 2.50]}},{}]\n"
    "{\"id\":5,\"na\\u006de\":\"q\\\"\\n\\u00e9\\ud83d\\ude00\",\"price\":\"7\"} and more\n"
    "{\"list\":[],\"id\":null}";

static const char sample_rows[] = "1|'1:a'|1.01|[1, NULL, 3]|\n"
                                  "2|'18:longer than twelve'|NULL|NULL|\n"
                                  "3|NULL|NULL|NULL|\n"
                                  "4|'14:{\"k\":[1,2.50]}'|NULL|NULL|\n"
                                  "NULL|NULL|NULL|NULL|\n"
                                  "5|'9:q\"\n\xC3\xA9\xF0\x9F\x98\x80'|7.00|NULL|\n"
                                  "NULL|NULL|NULL|[]|\n";

static void chunks_make_no_difference(void **state) {
    (void)state;
    struct outcome whole;
    read_case(&(struct setup){1 << 20, 64, false, false}, sample, &whole);
    assert_int_equal(whole.status, ORIEL_DONE);
    assert_string_equal(whole.rows.bytes, sample_rows);
    for (size_t chunk = 16; chunk < sizeof sample + 2; chunk++)
        check_same(&(struct setup){chunk, 1 + chunk % 4, chunk % 8 == 0, false}, sample, &whole);
    close_outcome(&whole);
}

static void damaged_texts_give_one_answer(void **state) {
    (void)state;
    static const char bytes[] = "{}[]\":,\\u019.eE+-ntfx \n\r\t\xC3\xFF";
    char text[TEXT_BYTES_MAX];
    uint64_t seed = 42;
    for (int round = 0; round < DAMAGED_COUNT; round++) {
        size_t length = sizeof sample - 1;
        memcpy(text, sample, sizeof sample);
        for (int k = 0; k < 1 + round % 3; k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const size_t place = (size_t)(seed >> 33) % length;
            if (seed >> 62 == 0)
                memmove(text + place, text + place + 1, length-- - place);
            else
                text[place] = bytes[(seed >> 20) % (sizeof bytes - 1)];
        }
        struct outcome whole;
        const bool ignore = round % 2;
        read_case(&(struct setup){1 << 20, 64, false, ignore}, text, &whole);
        check_same(&(struct setup){16 + (size_t)round % 64, 2, false, ignore}, text, &whole);
        close_outcome(&whole);
    }
}

static int make_path(void **state) {
    (void)state;
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/oriel-json-%ld.json", folder ? folder : "/tmp", (long)getpid());
    return 0;
}

static int remove_path(void **state) {
    (void)state;
    unlink(path);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_make_no_difference),
        cmocka_unit_test(damaged_texts_give_one_answer),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
