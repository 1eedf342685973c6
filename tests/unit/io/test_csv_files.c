/*
 * Files that are missing, change, or are no files; folders; long fields; exact line numbers; memory
 * that runs out.
 */
#include <fcntl.h>
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

#include "kernels/kernels.h"
#include "tests/unit/io/csv_case.h"

static char folder[PATH_MAX];

static const struct csv_setup small = {64, 64, 2, false, NULL, 0, 0};

static const char *at(const char *name) {
    static char paths[4][PATH_MAX + 64];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *path, const char *text, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void put(const char *name, const char *text) {
    write_file(at(name), text, strlen(text));
}

static void id_and_name(struct csv_case *test) {
    csv_case_init(test, "", 0);
    csv_case_add(test, "id", oriel_type_make(ORIEL_TYPE_INT), true);
    csv_case_add(test, "k", oriel_type_string(), true);
}

static void check(const struct csv_case *test, const char *path, const char *rows,
                  enum oriel_status status, const char *message) {
    struct csv_outcome got;
    csv_case_read(test, &small, path, &got);
    assert_int_equal(got.status, status);
    if (message && !strstr(got.error.message, message))
        assert_string_equal(got.error.message, message);
    if (oriel_text_buffer_append(&got.rows, "", 1) != ORIEL_OK)
        fail();
    if (status != ORIEL_DONE && strlen(got.rows.bytes) > strlen(rows))
        got.rows.bytes[strlen(rows)] = '\0'; /* rows of later files may have come or not */
    assert_string_equal(got.rows.bytes, rows);
    csv_outcome_deinit(&got);
}

static void folders_are_read_by_name(void **state) {
    (void)state;
    assert_int_equal(mkdir(at("f"), 0700), 0);
    assert_int_equal(mkdir(at("f/m"), 0700), 0);
    assert_int_equal(mkdir(at("f/_h"), 0700), 0);
    put("f/b.csv", "2,b");
    put("f/a.csv", "1,a\n");
    put("f/m/c.csv", "3,c\n");
    put("f/z.txt", "4,z\n");
    put("f/empty", "");
    put("f/.dot", "x");
    put("f/_under", "x");
    put("f/_h/h", "x");
    struct csv_case test;
    id_and_name(&test);
    check(&test, at("f"), "1|'1:a'|\n2|'1:b'|\n3|'1:c'|\n4|'1:z'|\n", ORIEL_DONE, NULL);
    test.columns[0].kind = ORIEL_CSV_FILE_NAME;
    check(&test, at("f"),
          "'5:a.csv'|'1:a'|\n'5:b.csv'|'1:b'|\n'5:c.csv'|'1:c'|\n'5:z.txt'|'1:z'|\n", ORIEL_DONE,
          NULL);
    test.columns[0].kind = ORIEL_CSV_FILE_SIZE;
    check(&test, at("f/b.csv"), "3|'1:b'|\n", ORIEL_DONE, NULL);
    id_and_name(&test);
    put("f/m/bad.csv", "x,1\n");
    put("f/y.csv", "y,1\n"); /* of two errors the first in the order of the names */
    check(&test, at("f"), "1|'1:a'|\n2|'1:b'|\n", ORIEL_DATA,
          "column 'id' INT: For input string: \"x\"");
}

static void paths_that_are_no_files(void **state) {
    (void)state;
    struct csv_case test;
    id_and_name(&test);
    check(&test, at("nothing"), "", ORIEL_IO, "does not exist");
    check(&test, "", "", ORIEL_INVALID, "empty");
    check(&test, "abfs://bucket/x", "", ORIEL_UNSUPPORTED,
          "a file system that Oriel does not have");
    assert_int_equal(symlink("loop", at("loop")), 0);
    check(&test, at("loop"), "", ORIEL_IO, "loop of symbolic links");
    assert_int_equal(mkdir(at("round"), 0700), 0);
    assert_int_equal(symlink(".", at("round/again")), 0);
    check(&test, at("round"), "", ORIEL_IO, "loop");
    put("x.csv.gz", "\x1f\x8b\x08");
    check(&test, at("x.csv.gz"), "", ORIEL_DATA, "ends in the midst of its gzip data, at byte 3");
    put("x.csv.bz2", "BZh91AY&SY");
    check(&test, at("x.csv.bz2"), "", ORIEL_UNSUPPORTED, "compressed with bzip2");
    put("u.csv", "1,a\n");
    char uri[PATH_MAX + 128];
    snprintf(uri, sizeof uri, "file://%s", at("u.csv"));
    check(&test, uri, "1|'1:a'|\n", ORIEL_DONE, NULL);
    put("_u.csv", "1,a\n");
    check(&test, at("_u.csv"), "", ORIEL_DONE, NULL);
    check(&test, at("_v.csv"), "", ORIEL_IO, "does not exist");
    check(&test, "/proc/self/mem", "", ORIEL_IO,
          "cannot read '/proc/self/mem': Input/output error");
    struct csv_case map;
    id_and_name(&map);
    map.fields[1].type = oriel_type_make(ORIEL_TYPE_MAP);
    const struct oriel_field children[] = {{NULL, oriel_type_string()},
                                           {NULL, oriel_type_string()}};
    map.fields[1].type.fields = children;
    map.fields[1].type.field_count = 2;
    check(&map, at("u.csv"), "", ORIEL_INVALID, "cannot hold column 'k' of type MAP");
}

static void *write_slowly(void *path) {
    const int pipe = open(path, O_WRONLY);
    const char *text = "1,a\n2,\"b\nb\"\n3,c\n";
    for (size_t i = 0; pipe >= 0 && i < strlen(text); i++) {
        if (write(pipe, text + i, 1) != 1)
            break;
        if (i % 5 == 0)
            usleep(1000);
    }
    close(pipe);
    return NULL;
}

static void a_fifo_is_read_to_its_end(void **state) {
    (void)state;
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s", at("fifo"));
    assert_int_equal(mkfifo(path, 0600), 0);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_slowly, path), 0);
    struct csv_case test;
    id_and_name(&test);
    check(&test, path, "1|'1:a'|\n2|'3:b\nb'|\n3|'1:c'|\n", ORIEL_DONE, NULL);
    pthread_join(writer, NULL);
}

/* Reads with one worker and does something to the file after the first batch. */
struct meddling {
    const char *path;
    void (*meddle)(const char *path);
    size_t rows;
};

static void cut(const char *path) {
    assert_int_equal(truncate(path, 200), 0);
}

static void append(const char *path) {
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    fputs("7,g\n", file);
    fclose(file);
}

static void replace(const char *path) {
    write_file(at("other"), "9,x\n", 4);
    assert_int_equal(rename(at("other"), path), 0);
}

static enum oriel_status meddle(void *context, const struct oriel_batch *batch,
                                struct oriel_error *error) {
    struct meddling *meddling = context;
    (void)error;
    if (meddling->rows == 0)
        meddling->meddle(meddling->path);
    meddling->rows += batch->row_count;
    return ORIEL_OK;
}

static enum oriel_status read_meddled(const char *name, void (*what)(const char *),
                                      size_t *row_count, struct oriel_error *error) {
    enum { ROWS = 5000 };
    char *text = malloc((ROWS + 1) * 16);
    size_t length = 0;
    for (int i = 0; i < ROWS; i++)
        length += (size_t)snprintf(text + length, 16, "%d,abc\n", i);
    write_file(at(name), text, length);
    free(text);
    struct csv_case test;
    id_and_name(&test);
    struct oriel_memory memory = {0};
    const struct oriel_runtime runtime = {
        .memory = &memory, .kernels = oriel_isa_by_name("reference")->kernels, .batch_rows = 64};
    struct oriel_csv_options options = test.options;
    options.chunk_bytes = 1024;
    const struct oriel_csv_request request = {
        .fields = {2, test.fields}, .column_count = 2, .columns = test.columns, .rowtime = -1};
    struct oriel_source *source;
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s", at(name));
    struct meddling meddling = {path, what, 0};
    struct oriel_file_list files;
    assert_int_equal(oriel_file_list_init(&files, &memory, path, error), ORIEL_OK);
    assert_int_equal(oriel_csv_source_open(&runtime, &files, &options, &request, &source, error),
                     ORIEL_OK);
    assert_int_equal(source->operations->start(source, 1, error), ORIEL_OK);
    enum oriel_status status = ORIEL_OK;
    while (status == ORIEL_OK) {
        struct oriel_morsel morsel;
        status = source->operations->claim(source, &morsel, error);
        if (status == ORIEL_OK)
            status = source->operations->read(source, 0, &morsel, meddle, &meddling, error);
    }
    source->operations->close(source);
    assert_int_equal(memory.used_bytes, 0);
    *row_count = meddling.rows;
    return status;
}

static void a_file_that_changes_is_an_error(void **state) {
    (void)state;
    struct oriel_error error;
    size_t rows;
    assert_int_equal(read_meddled("cut.csv", cut, &rows, &error), ORIEL_IO);
    assert_non_null(strstr(error.message, "changed while it was read"));
    assert_non_null(strstr(error.message, "cut.csv"));
    assert_int_equal(read_meddled("grown.csv", append, &rows, &error), ORIEL_IO);
    assert_non_null(strstr(error.message, "changed while it was read"));
    /* The file that was opened is still there, whole. */
    assert_int_equal(read_meddled("replaced.csv", replace, &rows, &error), ORIEL_DONE);
    assert_int_equal(rows, 5000);
}

static enum oriel_status cancel(void *context, const struct oriel_batch *batch,
                                struct oriel_error *error) {
    (void)batch;
    (void)error;
    atomic_store((atomic_bool *)context, true);
    return ORIEL_OK;
}

static void reading_stops_when_cancelled(void **state) {
    (void)state;
    struct csv_case test;
    id_and_name(&test);
    put("c.csv", "1,a\n2,b\n3,c\n4,d\n");
    atomic_bool cancelled = false;
    struct oriel_memory memory = {0};
    const struct oriel_runtime runtime = {.memory = &memory,
                                          .kernels = oriel_isa_by_name("reference")->kernels,
                                          .batch_rows = 1,
                                          .cancelled = &cancelled};
    const struct oriel_csv_request request = {
        .fields = {2, test.fields}, .column_count = 2, .columns = test.columns, .rowtime = -1};
    struct oriel_source *source;
    struct oriel_error error = {0};
    struct oriel_morsel morsel;
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s", at("c.csv"));
    struct oriel_file_list files;
    assert_int_equal(oriel_file_list_init(&files, &memory, path, &error), ORIEL_OK);
    assert_int_equal(
        oriel_csv_source_open(&runtime, &files, &test.options, &request, &source, &error), 0);
    assert_int_equal(source->operations->start(source, 1, &error), 0);
    assert_int_equal(source->operations->claim(source, &morsel, &error), 0);
    assert_int_equal(source->operations->read(source, 0, &morsel, cancel, &cancelled, &error),
                     ORIEL_CANCELLED);
    source->operations->close(source);
    assert_int_equal(memory.used_bytes, 0);
}

static void lines_are_exact(void **state) {
    (void)state;
    enum { RECORDS = 3000 };
    char *text = malloc((RECORDS + 1) * 40);
    size_t length = 0;
    for (int i = 0; i < RECORDS; i++)
        length += (size_t)snprintf(text + length, 40, "%d,\"a\nb\"\r\n", i);
    length += (size_t)snprintf(text + length, 40, "x,y\n1,2\nz,z\n");
    const struct csv_setup setups[] = {
        {64, 64, 2, false, NULL, 0, 0},
        {1 << 20, 64, 1, false, NULL, 0, 0},
        {64, 64, 2, true, NULL, 0, 0},
    };
    struct csv_case test;
    id_and_name(&test);
    test.text = text;
    test.length = length;
    for (size_t i = 0; i < 3; i++) {
        struct csv_outcome got;
        csv_case_read(&test, &setups[i], NULL, &got);
        assert_int_equal(got.status, ORIEL_DATA);
        assert_int_equal(got.error.line, 2 * RECORDS + 1);
        assert_true(got.row_count >= RECORDS);
        csv_outcome_deinit(&got);
    }
    free(text);
}

static void a_long_field_is_one_value(void **state) {
    (void)state;
    enum { LONG = 3000000 };
    char *text = malloc(LONG + 64);
    memcpy(text, "1,\"", 3);
    memset(text + 3, 'x', LONG);
    text[1000] = '\n';
    text[LONG - 5] = ',';
    memcpy(text + LONG + 3, "\"\n2,b\n", 6);
    struct csv_case test;
    id_and_name(&test);
    test.text = text;
    test.length = LONG + 9;
    struct csv_setup setup = {4096, 64, 2, false, NULL, 0, 0};
    for (int pipe = 0; pipe < 2; pipe++) {
        struct csv_outcome got;
        setup.pipe = pipe;
        setup.limit_bytes = 0;
        csv_case_read(&test, &setup, NULL, &got);
        assert_int_equal(got.status, ORIEL_DONE);
        assert_int_equal(got.row_count, 2);
        assert_int_equal(got.rows.length, LONG + strlen("1|'3000000:'|\n2|'1:b'|\n"));
        csv_outcome_deinit(&got);
        setup.limit_bytes = 1000000;
        csv_case_read(&test, &setup, NULL, &got);
        assert_int_equal(got.status, ORIEL_MEMORY);
        csv_outcome_deinit(&got);
    }
    free(text);
}

static void every_failed_allocation_is_an_error(void **state) {
    (void)state;
    static const char text[] = "1,\"a \"\"long\"\" text with quotes\"\n2,b,c\n3\n4,\"d\"x\n5,e\n"
                               "6,a;b\n7,2023-02-29\n";
    for (int kind = 0; kind < 4; kind++) {
        struct csv_setup setup = {kind % 2 ? 16 : 4096, 64, 1, kind > 1, NULL, 0, 0};
        struct csv_case test;
        id_and_name(&test);
        test.text = text;
        test.length = sizeof text - 1;
        test.options.ignore_parse_errors = true;
        enum oriel_status status = ORIEL_MEMORY;
        size_t call = 1;
        for (; status == ORIEL_MEMORY; call++) {
            struct csv_outcome got;
            setup.fail_at_call = call;
            csv_case_read(&test, &setup, NULL, &got);
            status = got.status;
            csv_outcome_deinit(&got);
            assert_true(call < 1000);
        }
        assert_int_equal(status, ORIEL_DONE);
        assert_true(call > 10);
    }
    put("m.csv", "1,a\n");
    enum oriel_status status = ORIEL_MEMORY;
    for (size_t call = 1; status == ORIEL_MEMORY; call++) {
        const struct csv_setup setup = {64, 64, 1, false, NULL, call, 0};
        struct csv_case test;
        struct csv_outcome got;
        id_and_name(&test);
        csv_case_read(&test, &setup, folder, &got);
        status = got.status;
        csv_outcome_deinit(&got);
        assert_true(call < 1000);
    }
}

static int make_folder(void **state) {
    (void)state;
    char name[] = "oriel-csv-XXXXXX";
    return mkdtemp(name) && realpath(name, folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[PATH_MAX + 32];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_are_read_by_name),
        cmocka_unit_test(paths_that_are_no_files),
        cmocka_unit_test(a_fifo_is_read_to_its_end),
        cmocka_unit_test(a_file_that_changes_is_an_error),
        cmocka_unit_test(lines_are_exact),
        cmocka_unit_test(reading_stops_when_cancelled),
        cmocka_unit_test(a_long_field_is_one_value),
        cmocka_unit_test(every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests_name("io csv files", tests, make_folder, remove_folder);
}
