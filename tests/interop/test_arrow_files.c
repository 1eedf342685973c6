/*
 * The io layer over Parquet and Arrow files: every allocation made to fail, and row groups passed
 * over by their statistics.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/io/arrow_file.h"
#include "engine/io/arrow_output.h"
#include "engine/io/arrow_source.h"
#include "kernels/kernels.h"
#include "tests/api/arrow_case.h"

enum { ROWS = 3000, GROUP_ROWS = 1000, CALLS_MAX = 20000 };

static char folder[64];

static void path_in_folder(const char *name, char *out, size_t capacity) {
    snprintf(out, capacity, "%s/%s", folder, name);
}

static const char *file_name(enum oriel_arrow_format format) {
    return format == ORIEL_ARROW_PARQUET ? "x.parquet" : "x.arrow";
}

/* Children are released with their parents, but Arrow wants to see that they are not yet. */
static void release_column(struct ArrowSchema *column) {
    column->release = NULL;
}

static void release_child(struct ArrowArray *child) {
    child->release = NULL;
}

/* Times 0, 1, 2 ... seconds, and a text each. */
static void fill_case(struct arrow_case *it) {
    static int64_t times[ROWS];
    static int32_t offsets[ROWS + 1];
    static char texts[ROWS * 20];
    static const void *time_buffers[] = {NULL, times};
    static const void *text_buffers[] = {NULL, offsets, texts};
    for (int i = 0; i < ROWS; i++) {
        times[i] = i * 1000;
        offsets[i + 1] = offsets[i] + snprintf(texts + offsets[i], 20, "a text number %d", i % 100);
    }
    *it = (struct arrow_case){0};
    arrow_add_column(it, "ts", "tsm:", 0);
    arrow_add_column(it, "s", "u", ARROW_FLAG_NULLABLE);
    it->columns[0].release = it->columns[1].release = release_column;
    for (int i = 0; i < ROWS / GROUP_ROWS; i++) {
        const int64_t first = (int64_t)i * GROUP_ROWS;
        arrow_add_array(it, GROUP_ROWS, 0);
        arrow_set_column(it, 0, GROUP_ROWS, first, 0, time_buffers, 2)->release = release_child;
        arrow_set_column(it, 1, GROUP_ROWS, first, 0, text_buffers, 3)->release = release_child;
    }
}

static enum oriel_status write_file(struct oriel_memory *memory, enum oriel_arrow_format format,
                                    const char *path, struct oriel_error *error) {
    struct arrow_case it;
    fill_case(&it);
    struct ArrowArrayStream stream = arrow_open(&it);
    struct ArrowSchema schema;
    struct ArrowArray array;
    const struct oriel_output_target target = {.path = path, .fd = -1};
    const struct oriel_arrow_output_options options = {.format = format,
                                                       .compression = ORIEL_ARROW_ZSTD};
    struct oriel_output_file *file;
    struct oriel_arrow_output *output = NULL;
    enum oriel_status status = oriel_output_file_open(memory, &target, &file, error);
    if (status != ORIEL_OK)
        return status;
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    status = oriel_arrow_output_open(memory, &options, &schema, file, &output, error);
    assert_int_equal(it.schema_released, 1);
    while (status == ORIEL_OK && stream.get_next(&stream, &array) == 0 && array.release)
        status = oriel_arrow_output_add(output, &array, error);
    if (status == ORIEL_OK)
        status = oriel_arrow_output_finish(output, error);
    oriel_arrow_output_close(&output);
    if (status == ORIEL_OK)
        status = oriel_output_file_commit(file, error);
    oriel_output_file_close(&file);
    assert_int_equal(it.array_released, (int)it.next_array);
    if (status != ORIEL_OK && status != ORIEL_MEMORY)
        print_error("%s\n", error->message);
    return status;
}

struct seen {
    uint64_t row_count;
    int64_t sum_s; /* of the times */
    uint64_t text_bytes;
};

static enum oriel_status see(void *context, const struct oriel_batch *batch,
                             struct oriel_error *error) {
    struct seen *seen = context;
    (void)error;
    seen->row_count += batch->row_count;
    for (size_t i = 0; i < batch->row_count; i++) {
        seen->sum_s += ((const int64_t *)batch->columns[0].values)[i] / 1000;
        seen->text_bytes += oriel_column_strings(&batch->columns[1])[i].length;
    }
    return ORIEL_OK;
}

static enum oriel_status read_source(struct oriel_source *source, struct seen *seen,
                                     struct oriel_error *error) {
    ORIEL_TRY(source->operations->start(source, 1, error));
    for (;;) {
        struct oriel_morsel morsel;
        const enum oriel_status status = source->operations->claim(source, &morsel, error);
        if (status == ORIEL_DONE)
            return ORIEL_OK;
        ORIEL_TRY(status);
        ORIEL_TRY(source->operations->read(source, 0, &morsel, see, seen, error));
    }
}

static enum oriel_status read_file(struct oriel_memory *memory, enum oriel_arrow_format format,
                                   const char *path, const struct oriel_arrow_bounds *bounds,
                                   struct seen *seen, struct oriel_error *error) {
    const struct oriel_field fields[] = {{"ts", oriel_type_timestamp(3)},
                                         {"s", oriel_type_string()}};
    static const struct oriel_csv_column columns[] = {{ORIEL_CSV_FIELD, 0}, {ORIEL_CSV_FIELD, 1}};
    const struct oriel_csv_request request = {
        .fields = {2, fields}, .column_count = 2, .columns = columns, .rowtime = 0};
    _Atomic uint64_t dictionary_count = 0;
    const struct oriel_runtime runtime = {
        .memory = memory,
        .dictionary_count = &dictionary_count,
        .kernels = oriel_isa_best(oriel_cpu_features())->kernels,
        .thread_count = 1,
        .batch_rows = 256,
    };
    struct oriel_source *source;
    *seen = (struct seen){0};
    struct oriel_file_list files;
    ORIEL_TRY(oriel_file_list_init(&files, memory, path, error));
    ORIEL_TRY(oriel_arrow_source_open(&runtime, &files, format, &request, bounds, &source, error));
    const enum oriel_status status = read_source(source, seen, error);
    source->operations->close(source);
    return status;
}

static void check_seen(const struct seen *seen) {
    assert_int_equal(seen->row_count, ROWS);
    assert_int_equal(seen->sum_s, (int64_t)ROWS * (ROWS - 1) / 2);
    assert_int_equal(seen->text_bytes, ROWS / 100 * (10 * 15 + 90 * 16));
}

static void fails_at_every_allocation(void **state) {
    (void)state;
    for (int format = ORIEL_ARROW_PARQUET; format <= ORIEL_ARROW_IPC; format++) {
        char path[128];
        struct seen seen;
        path_in_folder(file_name((enum oriel_arrow_format)format), path, sizeof path);
        for (int step = 0; step < 2; step++) {
            size_t call = 0;
            enum oriel_status status;
            do {
                struct oriel_memory memory = {.fail_at_call = ++call};
                struct oriel_error error = {0};
                status = step == 0
                             ? write_file(&memory, (enum oriel_arrow_format)format, path, &error)
                             : read_file(&memory, (enum oriel_arrow_format)format, path, NULL,
                                         &seen, &error);
                assert_true(status == ORIEL_OK || status == ORIEL_MEMORY);
                assert_int_equal(memory.used_bytes, 0);
                assert_true(status == ORIEL_OK || step == 1 || access(path, F_OK) != 0);
            } while (status != ORIEL_OK && call < CALLS_MAX);
            assert_true(call > 10 && call < CALLS_MAX);
            assert_true(access(path, F_OK) == 0);
        }
        check_seen(&seen);
        unlink(path);
    }
}

static void obeys_the_limit(void **state) {
    (void)state;
    char path[128];
    struct seen seen;
    struct oriel_error error = {0};
    struct oriel_memory memory = {0};
    path_in_folder("x.parquet", path, sizeof path);
    assert_int_equal(write_file(&memory, ORIEL_ARROW_PARQUET, path, &error), ORIEL_OK);
    assert_int_equal(read_file(&memory, ORIEL_ARROW_PARQUET, path, NULL, &seen, &error), ORIEL_OK);
    struct oriel_memory small = {.limit_bytes = 60000};
    assert_int_equal(read_file(&small, ORIEL_ARROW_PARQUET, path, NULL, &seen, &error),
                     ORIEL_MEMORY);
    assert_int_equal(small.used_bytes, 0);
    assert_true(memory.peak_bytes > small.limit_bytes);
    unlink(path);
}

static void passes_over_row_groups(void **state) {
    (void)state;
    char path[128];
    struct seen seen;
    struct oriel_error error = {0};
    struct oriel_memory memory = {0};
    static const struct {
        struct oriel_arrow_bounds bounds;
        uint64_t row_count;
    } cases[] = {
        {{.field = -1}, ROWS},
        {{.field = 0, .low_ms = 0, .high_ms = INT64_MAX}, ROWS},
        {{.field = 0, .low_ms = INT64_MIN, .high_ms = -1}, 0},
        {{.field = 0, .low_ms = INT64_MIN, .high_ms = 0}, ROWS},
        {{.field = 0, .low_ms = (ROWS - 1) * 1000, .high_ms = INT64_MAX}, ROWS},
        {{.field = 0, .low_ms = (ROWS - 1) * 1000 + 1, .high_ms = INT64_MAX}, 0},
    };
    path_in_folder("x.parquet", path, sizeof path);
    assert_int_equal(write_file(&memory, ORIEL_ARROW_PARQUET, path, &error), ORIEL_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            read_file(&memory, ORIEL_ARROW_PARQUET, path, &cases[i].bounds, &seen, &error),
            ORIEL_OK);
        assert_int_equal(seen.row_count, cases[i].row_count);
    }
    unlink(path);
}

static void infers_at_every_allocation(void **state) {
    (void)state;
    char path[128];
    struct oriel_error error = {0};
    struct oriel_memory plain = {0};
    path_in_folder("x.arrow", path, sizeof path);
    assert_int_equal(write_file(&plain, ORIEL_ARROW_IPC, path, &error), ORIEL_OK);
    enum oriel_status status = ORIEL_MEMORY;
    for (size_t call = 1; status != ORIEL_OK; call++) {
        struct oriel_memory memory = {.fail_at_call = call};
        const struct oriel_runtime runtime = {.memory = &memory};
        struct oriel_arena arena;
        struct oriel_schema schema;
        oriel_arena_init(&arena, &memory);
        status = oriel_arrow_infer_schema(&runtime, path, ORIEL_ARROW_IPC, &arena, &schema, &error);
        assert_true(status == ORIEL_OK || status == ORIEL_MEMORY);
        if (status == ORIEL_OK) {
            assert_int_equal(schema.field_count, 2);
            assert_string_equal(schema.fields[1].name, "s");
            assert_int_equal(schema.fields[0].type.id, ORIEL_TYPE_TIMESTAMP);
            assert_false(schema.fields[0].type.nullable);
        }
        oriel_arena_deinit(&arena);
        assert_int_equal(memory.used_bytes, 0);
    }
    unlink(path);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_every_allocation),
        cmocka_unit_test(obeys_the_limit),
        cmocka_unit_test(passes_over_row_groups),
        cmocka_unit_test(infers_at_every_allocation),
    };
    snprintf(folder, sizeof folder, "/tmp/oriel-arrow-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) != 0 ? 1 : failed;
}
