/* Running SQL through the public API; see program_case.h. */
#include "tests/api/program_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const char program_orders[] =
    "CREATE TABLE orders (id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),"
    " WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'orders.csv',"
    " 'format' = 'csv', 'csv.null-literal' = '');\n";

static char folder[64];

int program_enter_folder(void **state) {
    (void)state;
    memcpy(folder, "/tmp/oriel-api-XXXXXX", sizeof "/tmp/oriel-api-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    FILE *file = fopen("orders.csv", "w");
    if (!file)
        return -1;
    fputs("1,seoul,10,2024-01-01 09:01:00\n2,busan,20,2024-01-01 09:04:00\n"
          "3,seoul,30,2024-01-01 09:12:00\n4,,40,2024-01-01 09:15:00\n",
          file);
    return fclose(file);
}

int program_leave_folder(void **state) {
    (void)state;
    unlink("orders.csv");
    unlink("sink.csv");
    unlink("sink.json");
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

static int collect(void *context, const char *bytes, size_t length) {
    struct collected *out = context;
    if (out->length + length >= sizeof out->bytes)
        return 28; /* ENOSPC */
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
    out->bytes[out->length] = '\0';
    return 0;
}

static enum oriel_status show(struct oriel_result *result, struct collected *out,
                              struct oriel_error *error) {
    if (!oriel_result_column_count(result))
        return ORIEL_OK;
    struct oriel_output output = ORIEL_OUTPUT_INIT;
    output.format = ORIEL_FORMAT_CSV;
    output.write = collect;
    output.write_context = out;
    return oriel_result_write(result, &output, error);
}

enum oriel_status program_run(struct oriel_engine *engine, const char *sql, struct collected *out,
                              struct oriel_error *error) {
    struct oriel_script *script = NULL;
    struct oriel_result *result = NULL;
    enum oriel_status status = oriel_script_open(engine, sql, strlen(sql), "test", &script, error);
    while (status == ORIEL_OK) {
        status = oriel_script_next(script, &result, error);
        if (status == ORIEL_OK)
            status = show(result, out, error);
        oriel_result_close(&result);
    }
    oriel_script_close(&script);
    return status == ORIEL_DONE ? ORIEL_OK : status;
}

void program_check(struct oriel_engine *engine, const char *sql, const char *expected) {
    struct collected *out = calloc(1, sizeof *out);
    struct oriel_error error = {0};
    assert_non_null(out);
    const enum oriel_status status = program_run(engine, sql, out, &error);
    if (status != ORIEL_OK)
        print_error("%s\n", error.message);
    assert_int_equal(status, ORIEL_OK);
    assert_string_equal(out->bytes, expected);
    free(out);
}

void program_check_error(struct oriel_engine *engine, const char *sql, enum oriel_status status,
                         const char *words) {
    struct collected *out = calloc(1, sizeof *out);
    struct oriel_error error = {0};
    assert_non_null(out);
    assert_int_equal(program_run(engine, sql, out, &error), status);
    assert_int_equal(error.status, status);
    if (!strstr(error.message, words))
        print_error("%s\n", error.message);
    assert_non_null(strstr(error.message, words));
    free(out);
}

void program_run_over(const char *isa, uint32_t batch_rows, struct ArrowArrayStream *stream,
                      const char *const *queries, size_t query_count, struct collected *out) {
    struct oriel_engine_options options = ORIEL_ENGINE_OPTIONS_INIT;
    struct oriel_engine *engine;
    struct oriel_error error = {0};
    out->length = 0;
    options.isa = isa;
    options.thread_count = 2;
    options.batch_rows = batch_rows;
    assert_int_equal(oriel_engine_open(&options, &engine, &error), ORIEL_OK);
    assert_int_equal(oriel_engine_register_stream(engine, "t", stream, ORIEL_STREAM_KEEP, &error),
                     ORIEL_OK);
    for (size_t i = 0; i < query_count; i++) {
        const enum oriel_status status = program_run(engine, queries[i], out, &error);
        if (status != ORIEL_OK)
            print_error("%s: %s\n", queries[i], error.message);
        assert_int_equal(status, ORIEL_OK);
    }
    oriel_engine_close(&engine);
}

struct oriel_engine *program_open(void) {
    struct oriel_engine_options options = ORIEL_ENGINE_OPTIONS_INIT;
    struct oriel_engine *engine;
    options.thread_count = 2;
    assert_int_equal(oriel_engine_open(&options, &engine, NULL), ORIEL_OK);
    return engine;
}
