/*
 * Engines, scripts and results through the public headers alone.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/api/program_case.h"

static void options_are_checked(void **state) {
    (void)state;
    struct oriel_engine *engine = (struct oriel_engine *)(uintptr_t)1;
    struct oriel_error error = {0};
    struct {
        struct oriel_engine_options known;
        uint64_t later;
    } longer = {ORIEL_ENGINE_OPTIONS_INIT, 0};
    longer.known.struct_size = sizeof longer;
    assert_int_equal(oriel_engine_open(&longer.known, &engine, &error), ORIEL_OK);
    oriel_engine_close(&engine);
    assert_null(engine);
    oriel_engine_close(&engine);
    longer.later = 1;
    assert_int_equal(oriel_engine_open(&longer.known, &engine, &error), ORIEL_ARGUMENT);
    assert_null(engine);
    struct oriel_engine_options options = ORIEL_ENGINE_OPTIONS_INIT;
    options.struct_size = 0;
    assert_int_equal(oriel_engine_open(&options, &engine, NULL), ORIEL_ARGUMENT);
    options.struct_size = offsetof(struct oriel_engine_options, batch_rows);
    options.batch_rows = 1000000; /* behind the end of this older struct */
    assert_int_equal(oriel_engine_open(&options, &engine, &error), ORIEL_OK);
    oriel_engine_close(&engine);
    options = (struct oriel_engine_options)ORIEL_ENGINE_OPTIONS_INIT;
    options.batch_rows = 65537;
    assert_int_equal(oriel_engine_open(&options, &engine, &error), ORIEL_ARGUMENT);
    assert_non_null(strstr(error.message, "batch_rows"));
    options.batch_rows = 0;
    options.isa = "pdp11";
    assert_int_equal(oriel_engine_open(&options, &engine, &error), ORIEL_ARGUMENT);
    assert_non_null(strstr(error.message, "pdp11"));
}

static void instruction_sets_are_listed(void **state) {
    (void)state;
    assert_string_equal(oriel_engine_isa_at(0), "reference");
    size_t count = 0;
    while (oriel_engine_isa_at(count))
        count++;
    for (size_t i = 0; i < count; i++) {
        struct oriel_engine_options options = ORIEL_ENGINE_OPTIONS_INIT;
        struct oriel_engine *engine;
        options.isa = oriel_engine_isa_at(i);
        assert_int_equal(oriel_engine_open(&options, &engine, NULL), ORIEL_OK);
        assert_string_equal(oriel_engine_isa(engine), options.isa);
        program_check(engine, "SELECT 6 * 7 AS x;", "x\n42\n");
        oriel_engine_close(&engine);
    }
}

static void batches_show_values(void **state) {
    (void)state;
    static const char sql[] =
        "SELECT id, shop, ts, CAST(amount AS DECIMAL(10, 2)) AS d FROM orders;";
    struct oriel_engine *engine = program_open();
    struct oriel_script *script;
    struct oriel_result *result;
    const struct oriel_result_batch *batch;
    struct oriel_result_column_info info;
    program_check(engine, program_orders, "");
    assert_int_equal(oriel_script_open(engine, sql, strlen(sql), NULL, &script, NULL), ORIEL_OK);
    assert_int_equal(oriel_script_next(script, &result, NULL), ORIEL_OK);
    assert_int_equal(oriel_result_kind(result), ORIEL_RESULT_ROWS);
    assert_int_equal(oriel_result_column_count(result), 4);
    assert_int_equal(oriel_result_column(result, 2, &info, NULL), ORIEL_OK);
    assert_string_equal(info.name, "ts");
    assert_non_null(strstr(info.type, "TIMESTAMP(3)"));
    assert_int_equal(info.layout, ORIEL_LAYOUT_I64);
    assert_int_equal(oriel_result_column(result, 3, &info, NULL), ORIEL_OK);
    assert_int_equal(info.layout, ORIEL_LAYOUT_I128);
    assert_int_equal(info.precision * 100 + info.scale, 1002);
    assert_int_equal(oriel_result_column(result, 4, &info, NULL), ORIEL_ARGUMENT);
    assert_int_equal(oriel_result_next(result, &batch, NULL), ORIEL_OK);
    assert_int_equal(batch->row_count, 4);
    assert_int_equal(((const int64_t *)batch->columns[0].values)[3], 4);
    const struct oriel_string_value *shops = batch->columns[1].values;
    assert_int_equal(shops[0].length, 5);
    assert_memory_equal(oriel_string_value_bytes(&shops[0]), "seoul", 5);
    assert_non_null(batch->columns[1].validity);
    assert_int_equal(batch->columns[1].validity[0] & 15, 7);
    assert_int_equal(((const int64_t *)batch->columns[2].values)[0], 1704099660000);
    int64_t low;
    memcpy(&low, batch->columns[3].values, sizeof low);
    assert_int_equal(low, 1000);
    assert_int_equal(oriel_result_next(result, &batch, NULL), ORIEL_DONE);
    assert_int_equal(oriel_result_row_count(result), 4);
    struct oriel_result *second;
    assert_int_equal(oriel_script_next(script, &second, NULL), ORIEL_ARGUMENT);
    oriel_result_close(&result);
    assert_int_equal(oriel_script_next(script, &second, NULL), ORIEL_DONE);
    oriel_script_close(&script);
    oriel_engine_close(&engine);
}

static void errors_have_places(void **state) {
    (void)state;
    struct oriel_engine *engine = program_open();
    struct collected out = {0};
    struct oriel_error error = {0};
    assert_int_equal(program_run(engine, "SELECT 1 AS x;\n\nSELECT\n  nope;", &out, &error),
                     ORIEL_INVALID);
    assert_string_equal(error.source, "test");
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 3);
    assert_string_equal(error.excerpt, "  nope;");
    assert_int_equal(error.excerpt_column, 3);
    assert_string_equal(out.bytes, "x\n1\n");
    program_check_error(engine, "SELECT 1 FROM", ORIEL_SYNTAX, "found");
    program_check_error(engine, "SHOW CREATE MODEL m", ORIEL_UNSUPPORTED, "CREATE MODEL");
    program_check_error(engine, "SELECT * FROM nothing", ORIEL_INVALID, "nothing");
    oriel_engine_close(&engine);
}

static void a_view_is_blamed_in_its_own_script(void **state) {
    (void)state;
    struct oriel_engine *engine = program_open();
    struct collected out = {0};
    struct oriel_error error = {0};
    struct oriel_script *script;
    struct oriel_result *result = NULL;
    program_check(engine, program_orders, "");
    static const char view[] = "\n\nCREATE VIEW v AS SELECT id,\n 1 / (id - id) AS q FROM orders;";
    assert_int_equal(oriel_script_open(engine, view, strlen(view), "view", &script, NULL),
                     ORIEL_OK);
    assert_int_equal(oriel_script_next(script, &result, NULL), ORIEL_OK);
    oriel_result_close(&result);
    oriel_script_close(&script);
    assert_int_equal(program_run(engine, "SELECT * FROM v", &out, &error), ORIEL_RUNTIME);
    assert_string_equal(error.source, "view");
    assert_int_equal(error.line, 4);
    assert_string_equal(error.excerpt, " 1 / (id - id) AS q FROM orders;");
    oriel_engine_close(&engine);
}

static void csv_files_are_registered(void **state) {
    (void)state;
    struct oriel_engine *engine = program_open();
    struct oriel_error error = {0};
    assert_int_equal(oriel_engine_register_csv(engine, "my `orders`", "orders.csv",
                                               "id BIGINT, shop STRING, amount INT, ts STRING",
                                               &error),
                     ORIEL_OK);
    program_check(engine, "SELECT SUM(amount) AS s FROM `my ``orders```", "s\n100\n");
    assert_int_equal(oriel_engine_register_csv(engine, "my `orders`", "x", "a INT", &error),
                     ORIEL_INVALID);
    assert_int_equal(oriel_engine_register_csv(engine, "t", "x", "a INT,\n b NOTHING", &error),
                     ORIEL_INVALID);
    assert_int_equal(error.line, 2);
    oriel_engine_close(&engine);
}

static void scripts_count_their_queries(void **state) {
    (void)state;
    struct oriel_engine *engine = program_open();
    struct oriel_script *script;
    size_t count;
    static const char sql[] =
        "SELECT 1; SHOW TABLES; VALUES (1); WITH a AS (SELECT 1 AS x) SELECT * "
        "FROM a; SELECT FROM; SELECT 2;";
    assert_int_equal(oriel_script_open(engine, sql, strlen(sql), NULL, &script, NULL), ORIEL_OK);
    assert_int_equal(oriel_script_query_count(script, &count, NULL), ORIEL_SYNTAX);
    assert_int_equal(count, 3);
    oriel_script_close(&script);
    assert_int_equal(oriel_script_text_is_complete("SELECT 1", 8), 0);
    assert_int_equal(oriel_script_text_is_complete("SELECT ';'", 10), 0);
    assert_int_equal(oriel_script_text_is_complete("SELECT 1;", 9), 1);
    assert_int_equal(oriel_script_open(engine, "\xff", 1, NULL, &script, NULL), ORIEL_DATA);
    assert_null(script);
    oriel_engine_close(&engine);
}

static void engines_share_nothing(void **state) {
    (void)state;
    struct oriel_engine *a = program_open(), *b = program_open();
    program_check(a, program_orders, "");
    program_check(a, "SET 'execution.runtime-mode' = 'batch'; SELECT COUNT(*) AS c FROM orders;",
                  "c\n4\n");
    program_check(b, "SHOW TABLES", "table name\n");
    program_check(b, "SET", "key,value\n");
    oriel_engine_close(&a);
    program_check(b, "SELECT 1 AS x", "x\n1\n");
    oriel_engine_close(&b);
}

/* Runs all tasks one after the other, or each on a thread. */
struct own_threads {
    bool at_once;
    atomic_uint task_count;
};

struct own_task {
    pthread_t thread;
    void (*task)(void *argument, uint32_t worker);
    void *argument;
    uint32_t worker;
};

static void *run_task(void *context) {
    const struct own_task *it = context;
    it->task(it->argument, it->worker);
    return NULL;
}

static void execute(void *context, void (*task)(void *argument, uint32_t worker), void *argument,
                    uint32_t worker_count) {
    struct own_threads *own = context;
    struct own_task tasks[8];
    assert_true(worker_count <= 8);
    for (uint32_t i = 0; i < worker_count; i++) {
        tasks[i] = (struct own_task){.task = task, .argument = argument, .worker = i};
        atomic_fetch_add(&own->task_count, 1);
        if (!own->at_once)
            run_task(&tasks[i]);
        else
            assert_int_equal(pthread_create(&tasks[i].thread, NULL, run_task, &tasks[i]), 0);
    }
    for (uint32_t i = 0; own->at_once && i < worker_count; i++)
        pthread_join(tasks[i].thread, NULL);
}

static void the_program_lends_its_threads(void **state) {
    (void)state;
    for (int at_once = 0; at_once < 2; at_once++) {
        struct own_threads own = {.at_once = at_once != 0};
        struct oriel_engine_options options = ORIEL_ENGINE_OPTIONS_INIT;
        struct oriel_engine *engine;
        options.thread_count = 7;
        options.execute = execute;
        options.executor_context = &own;
        assert_int_equal(oriel_engine_open(&options, &engine, NULL), ORIEL_OK);
        assert_int_equal(oriel_engine_thread_count(engine), 7);
        program_check(engine, program_orders, "");
        program_check(engine,
                      "SELECT a.shop, SUM(a.amount) AS s FROM orders AS a JOIN orders AS b"
                      " ON a.id = b.id GROUP BY a.shop ORDER BY s DESC LIMIT 2",
                      "shop,s\n,40\nseoul,40\n");
        program_check(engine, "SELECT id FROM orders ORDER BY id DESC LIMIT 1 OFFSET 1", "id\n3\n");
        struct oriel_script *script;
        struct oriel_result *result;
        const struct oriel_result_batch *batch;
        static const char sql[] = "SELECT * FROM orders WHERE amount > 15";
        assert_int_equal(oriel_script_open(engine, sql, sizeof sql - 1, NULL, &script, NULL), 0);
        assert_int_equal(oriel_script_next(script, &result, NULL), ORIEL_OK);
        assert_int_equal(oriel_result_next(result, &batch, NULL), ORIEL_OK);
        assert_int_equal(batch->row_count, 3);
        oriel_result_close(&result);
        oriel_script_close(&script);
        program_check_error(engine, "SELECT 1 / (id - 2) FROM orders", ORIEL_RUNTIME, "zero");
        oriel_engine_close(&engine);
        assert_true(own.task_count >= 4 * 7);
    }
}

static void files_are_registered_by_their_suffix(void **state) {
    (void)state;
    struct oriel_engine *engine = program_open();
    struct oriel_error error = {0};
    program_check(engine, program_orders, "");
    program_check(engine,
                  "CREATE TABLE j (id BIGINT, shop STRING) WITH ('connector' = 'filesystem',"
                  " 'path' = 'sink.json', 'format' = 'json'); INSERT INTO j SELECT id, shop FROM"
                  " orders",
                  "");
    assert_int_equal(
        oriel_engine_register_file(engine, "it's", "sink.json", "shop STRING, id INT", &error),
        ORIEL_OK);
    program_check(engine, "SELECT id, shop FROM `it's` WHERE id < 3",
                  "id,shop\n1,seoul\n2,busan\n");
    assert_int_equal(
        oriel_engine_register_file(engine, "c", "orders.csv",
                                   "id BIGINT,\nshop STRING, amount INT, ts TIMESTAMP(3)", &error),
        ORIEL_OK);
    program_check(engine, "SELECT SUM(amount) AS s FROM c", "s\n100\n");
    assert_int_equal(
        oriel_engine_register_file(engine, "d", "orders.csv", "id INT,\nx NOTYPE", &error),
        ORIEL_INVALID);
    assert_string_equal(error.source, "columns");
    assert_int_equal(error.line, 2);
    assert_int_equal(oriel_engine_register_file(engine, "d", "orders.xyz", "id INT", &error),
                     ORIEL_IO);
    assert_int_equal(oriel_engine_register_file(engine, "c", "orders.csv", "id INT", &error),
                     ORIEL_INVALID);
    assert_int_equal(oriel_engine_register_file(engine, NULL, "orders.csv", "id INT", &error),
                     ORIEL_ARGUMENT);
    oriel_engine_close(&engine);
}

static void *run_many(void *unused) {
    (void)unused;
    struct oriel_engine *engine = program_open();
    struct collected out = {0};
    enum oriel_status status = program_run(engine, program_orders, &out, NULL);
    for (int i = 0; i < 50 && status == ORIEL_OK; i++)
        status = program_run(engine, "SELECT shop, SUM(amount) AS s FROM orders GROUP BY shop",
                             &out, NULL);
    oriel_engine_close(&engine);
    return status == ORIEL_OK ? NULL : "failed";
}

static void engines_run_side_by_side(void **state) {
    (void)state;
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_many, NULL), 0);
    for (int i = 0; i < 3; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
}

static void *cancel_soon(void *engine) {
    const struct timespec delay = {.tv_nsec = 100000000};
    struct oriel_engine_progress progress;
    nanosleep(&delay, NULL);
    oriel_engine_progress(engine, &progress);
    oriel_engine_cancel(engine);
    return NULL;
}

static void statements_are_cancelled(void **state) {
    (void)state;
    struct oriel_engine *engine = program_open();
    struct collected out = {0};
    pthread_t thread;
    FILE *file = fopen("sink.csv", "w");
    for (int i = 0; i < 3000; i++)
        fprintf(file, "%d\n", i);
    fclose(file);
    assert_int_equal(oriel_engine_register_csv(engine, "big", "sink.csv", "x INT", NULL), ORIEL_OK);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, engine), 0);
    assert_int_equal(program_run(engine,
                                 "SELECT COUNT(*) FROM big AS a, big AS b, big AS c, big AS d"
                                 " WHERE a.x + b.x + c.x + d.x < 0",
                                 &out, NULL),
                     ORIEL_CANCELLED);
    pthread_join(thread, NULL);
    assert_int_equal(program_run(engine, "SELECT 1", &out, NULL), ORIEL_CANCELLED);
    oriel_engine_resume(engine);
    program_check(engine, "SELECT 1 AS x", "x\n1\n");
    oriel_engine_close(&engine);
}

static void files_take_the_place_of_connectors(void **state) {
    (void)state;
    static const char sql[] = "CREATE TABLE orders (id BIGINT, shop STRING, amount INT, ts "
                              "TIMESTAMP(3)) WITH ('connector' = 'kafka', 'format' = 'avro');"
                              "SELECT id, shop FROM orders WHERE amount > 15;";
    struct oriel_error error = {0};
    struct oriel_engine *engine = program_open();
    struct oriel_script *script;
    program_check_error(engine, sql, ORIEL_INVALID, "--source orders=FILE");
    program_check(engine, "DROP TABLE orders;", "");
    assert_int_equal(oriel_engine_set_source(engine, "orders", "orders.csv", &error), ORIEL_OK);
    assert_int_equal(oriel_engine_set_source(engine, "orders", "x.csv", &error), ORIEL_ARGUMENT);
    assert_int_equal(oriel_engine_set_sink(engine, "", "x.csv", &error), ORIEL_ARGUMENT);
    assert_int_equal(oriel_engine_set_sink(engine, "orders", NULL, &error), ORIEL_ARGUMENT);
    assert_int_equal(oriel_script_open(engine, sql, sizeof sql - 1, NULL, &script, &error),
                     ORIEL_OK);
    assert_int_equal(oriel_engine_check_files(engine, NULL, 0, &error), ORIEL_INVALID);
    assert_int_equal(oriel_engine_check_files(engine, &script, 1, &error), ORIEL_OK);
    oriel_script_close(&script);
    program_check(engine, sql, "id,shop\n2,busan\n3,seoul\n4,\n");
    assert_int_equal(oriel_engine_check_files(engine, NULL, 0, &error), ORIEL_OK);
    assert_int_equal(oriel_engine_set_sink(engine, "order", "x.csv", &error), ORIEL_OK);
    assert_int_equal(oriel_engine_check_files(engine, NULL, 0, &error), ORIEL_INVALID);
    assert_non_null(strstr(error.message, "did you mean 'orders'?"));
    oriel_engine_close(&engine);
}

static int note_reject(void *context, const struct oriel_rejected_row *row) {
    struct collected *out = context;
    const int count = snprintf(out->bytes + out->length, sizeof out->bytes - out->length,
                               "%s:%llu %s %.*s\n", row->file, (unsigned long long)row->line,
                               row->column, (int)row->raw_length, row->raw);
    out->length += (size_t)count;
    return row->line == 4 ? 28 : 0;
}

static void bad_rows_are_passed_over(void **state) {
    (void)state;
    struct oriel_engine_options options = ORIEL_ENGINE_OPTIONS_INIT;
    struct collected rejects = {0};
    struct oriel_engine *engine;
    struct oriel_engine_progress progress;
    options.max_rejects = 3;
    options.reject = note_reject;
    options.reject_context = &rejects;
    FILE *file = fopen("sink.csv", "w");
    fprintf(file, "1,a\nx,b\n3,c\n");
    fclose(file);
    assert_int_equal(oriel_engine_open(&options, &engine, NULL), ORIEL_OK);
    assert_int_equal(oriel_engine_register_csv(engine, "t", "sink.csv", "id INT, k STRING", NULL),
                     ORIEL_OK);
    program_check(engine, "SELECT id FROM t", "id\n1\n3\n");
    assert_string_equal(rejects.bytes, "sink.csv:2 id x,b\n");
    oriel_engine_progress(engine, &progress);
    assert_int_equal(progress.rows_rejected, 1);
    assert_int_equal(progress.row_count, 2);
    file = fopen("sink.csv", "w");
    fprintf(file, "1,a\nx,b\n3,c\ny,b\nz\n");
    fclose(file);
    rejects.length = 0;
    program_check_error(engine, "SELECT id FROM t", ORIEL_IO, "rejected rows cannot be written");
    assert_string_equal(rejects.bytes, "sink.csv:2 id x,b\nsink.csv:4 id y,b\n");
    oriel_engine_close(&engine);
    options.reject = NULL;
    options.max_rejects = 1;
    assert_int_equal(oriel_engine_open(&options, &engine, NULL), ORIEL_OK);
    assert_int_equal(oriel_engine_register_csv(engine, "t", "sink.csv", "id INT, k STRING", NULL),
                     ORIEL_OK);
    program_check_error(engine, "SELECT id FROM t", ORIEL_DATA, "(bad row 2; 1 are allowed)");
    oriel_engine_close(&engine);
}

int main(void) {
#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, program_enter_folder, program_leave_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(instruction_sets_are_listed),
        IN_FOLDER(batches_show_values),
        cmocka_unit_test(errors_have_places),
        IN_FOLDER(a_view_is_blamed_in_its_own_script),
        IN_FOLDER(csv_files_are_registered),
        cmocka_unit_test(scripts_count_their_queries),
        IN_FOLDER(files_take_the_place_of_connectors),
        IN_FOLDER(bad_rows_are_passed_over),
        IN_FOLDER(the_program_lends_its_threads),
        IN_FOLDER(files_are_registered_by_their_suffix),
        IN_FOLDER(engines_share_nothing),
        IN_FOLDER(engines_run_side_by_side),
        IN_FOLDER(statements_are_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
