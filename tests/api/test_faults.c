/*
 * Every allocation of whole scripts fails once: the call says so, nothing leaks, and the engine can
 * be closed. The allocator is the program's own, so all that the library asks for is seen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/program_case.h"

enum { CALLS_MAX = 20000, ALIGNMENT = 64 };

struct counted {
    atomic_size_t calls;
    atomic_size_t blocks; /* in use */
    size_t failing_call;
};

static void *allocate(size_t size_bytes, void *context) {
    struct counted *it = context;
    if (atomic_fetch_add(&it->calls, 1) + 1 == it->failing_call)
        return NULL;
    void *block = aligned_alloc(ALIGNMENT, (size_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (block)
        atomic_fetch_add(&it->blocks, 1);
    return block;
}

static void release(void *block, size_t size_bytes, void *context) {
    struct counted *it = context;
    (void)size_bytes;
    atomic_fetch_sub(&it->blocks, 1);
    free(block);
}

static int reject(void *context, const struct oriel_rejected_row *row) {
    (void)context;
    return row->line ? 0 : 5;
}

static int print(void *context, int to_standard_error, const char *bytes, size_t length) {
    (void)context;
    (void)to_standard_error;
    return length && bytes[0] == '+' ? 0 : 5;
}

/* Runs `sql` on an engine whose allocation number `failing_call` fails. */
static enum oriel_status run(const char *sql, size_t failing_call, struct collected *out) {
    struct counted counted = {.failing_call = failing_call};
    struct oriel_engine_options options = ORIEL_ENGINE_OPTIONS_INIT;
    struct oriel_engine *engine = NULL;
    struct oriel_error error = {0};
    options.thread_count = 1;
    options.allocate = allocate;
    options.release = release;
    options.allocator_context = &counted;
    options.print = print;
    options.max_rejects = UINT64_MAX;
    options.reject = reject;
    out->length = 0;
    out->bytes[0] = '\0';
    enum oriel_status status = oriel_engine_open(&options, &engine, &error);
    if (status == ORIEL_OK)
        status = program_run(engine, sql, out, &error);
    if (status != ORIEL_OK)
        assert_non_null(strstr(error.message, "memory"));
    oriel_engine_close(&engine);
    assert_int_equal(counted.blocks, 0);
    return status;
}

/* Fails each allocation in turn, until a run gets through because it makes fewer. What it gives
 * begins with `expected`. */
static void check_begin(const char *sql, const char *expected, bool is_whole) {
    struct collected *out = calloc(1, sizeof *out);
    assert_non_null(out);
    size_t failing_call = 1;
    enum oriel_status status;
    while ((status = run(sql, failing_call, out)) == ORIEL_MEMORY) {
        remove("sink.csv");
        remove("sink.json");
        failing_call++;
        assert_true(failing_call < CALLS_MAX);
    }
    assert_int_equal(status, ORIEL_OK);
    const size_t end = is_whole ? out->length : strlen(expected);
    assert_true(end <= out->length);
    out->bytes[end] = '\0';
    assert_string_equal(out->bytes, expected);
    free(out);
    remove("sink.csv");
    remove("sink.json");
    print_message("           %zu allocations\n", failing_call - 1);
}

static void check(const char *sql, const char *expected) {
    check_begin(sql, expected, true);
}

#define ORDERS                                                                                     \
    "CREATE TABLE orders (id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),"                    \
    " WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'orders.csv',"            \
    " 'format' = 'csv', 'csv.null-literal' = '');\n"

static void definitions_and_listings(void **state) {
    (void)state;
    check("SET 'table.local-time-zone' = 'Asia/Seoul';" ORDERS
          "CREATE VIEW v AS SELECT id, amount * 2 AS twice FROM orders;"
          "DESCRIBE orders; SHOW TABLES; DROP VIEW v; RESET;",
          "name,type,null,key,extras,watermark\nid,BIGINT,TRUE,,,\nshop,STRING,TRUE,,,\n"
          "amount,INT,TRUE,,,\nts,TIMESTAMP(3) *ROWTIME*,TRUE,,,`ts`\n"
          "table name\norders\nv\n");
}

static void a_filter_over_csv(void **state) {
    (void)state;
    check(ORDERS "SELECT shop, amount * 2 AS twice FROM orders WHERE amount > 15;",
          "shop,twice\nbusan,40\nseoul,60\n,80\n");
}

static void bad_rows(void **state) {
    (void)state;
    check("CREATE TABLE t (id BIGINT, shop BIGINT, amount INT, ts TIMESTAMP(3)) WITH ("
          "'connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');"
          "SELECT id, shop FROM t;",
          "id,shop\n");
}

static void a_window_aggregate(void **state) {
    (void)state;
    check(ORDERS "SELECT window_start, shop, SUM(amount) AS s FROM TUMBLE(TABLE orders, "
                 "DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, shop;",
          "window_start,shop,s\n2024-01-01 09:00:00.000,busan,20\n"
          "2024-01-01 09:00:00.000,seoul,10\n2024-01-01 09:10:00.000,,40\n"
          "2024-01-01 09:10:00.000,seoul,30\n");
}

static void a_session_and_a_rank(void **state) {
    (void)state;
    check(ORDERS "SELECT window_end, COUNT(*) AS c FROM SESSION(TABLE orders, DESCRIPTOR(ts), "
                 "INTERVAL '5' MINUTE) GROUP BY window_start, window_end;"
                 "SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY amount "
                 "DESC) AS r FROM orders) WHERE r = 1 ORDER BY id;",
          "window_end,c\n2024-01-01 09:09:00.000,2\n2024-01-01 09:20:00.000,2\nid\n2\n3\n4\n");
}

static void a_join_and_an_insert(void **state) {
    (void)state;
    check(ORDERS
          "CREATE TABLE sink (a BIGINT, b STRING) WITH ('connector' = 'filesystem', 'path' = "
          "'sink.csv', 'format' = 'csv');"
          "INSERT INTO sink SELECT a.id, b.shop FROM orders AS a JOIN orders AS b ON a.id = "
          "b.id; SELECT COUNT(*) AS c FROM sink;",
          "c\n4\n");
}

static void json_lines_and_printed_rows(void **state) {
    (void)state;
    check(ORDERS
          "CREATE TABLE sink (id BIGINT, shop STRING, r ROW<a INT, ts TIMESTAMP(3)>, l ARRAY<INT>) "
          "WITH ('connector' = 'filesystem', 'path' = 'sink.json', 'format' = 'json');"
          "CREATE TABLE printed (id BIGINT, shop STRING) WITH ('connector' = 'print');"
          "INSERT INTO sink SELECT id, shop || ' and a longer text', ROW(amount, ts), ARRAY[1, 2] "
          "FROM orders; INSERT INTO printed SELECT id, shop FROM sink; SELECT id, shop FROM sink;",
          "id,shop\n1,seoul and a longer text\n2,busan and a longer text\n"
          "3,seoul and a longer text\n4,\n");
}

static void a_statement_set(void **state) {
    (void)state;
    check(ORDERS
          "CREATE TABLE a (shop STRING, c BIGINT) WITH ('connector' = 'filesystem', 'path' = "
          "'sink.csv', 'format' = 'csv');"
          "CREATE TABLE b (id BIGINT) WITH ('connector' = 'filesystem', 'path' = 'sink.json', "
          "'format' = 'json');"
          "BEGIN STATEMENT SET; INSERT INTO a SELECT shop, COUNT(*) FROM (SELECT shop FROM orders "
          "UNION ALL SELECT shop FROM orders WHERE id > 2) GROUP BY shop; INSERT INTO b SELECT id "
          "FROM orders WHERE id > 1; INSERT INTO b SELECT 9; END; SELECT * FROM b;",
          "id\n2\n3\n4\n9\n");
}

static void plans_and_their_figures(void **state) {
    (void)state;
    check_begin(ORDERS
                "CREATE TABLE sink (c BIGINT) WITH ('connector' = 'blackhole');"
                "EXPLAIN ANALYZE INSERT INTO sink SELECT COUNT(*) FROM orders GROUP BY shop;",
                "result\n\"Insert: sink [c]\n  - write blackhole\n  = rows 3 in; CPU ", false);
}

int main(void) {
#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, program_enter_folder, program_leave_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(definitions_and_listings),
        IN_FOLDER(a_filter_over_csv),
        IN_FOLDER(bad_rows),
        IN_FOLDER(a_window_aggregate),
        IN_FOLDER(a_session_and_a_rank),
        IN_FOLDER(a_join_and_an_insert),
        IN_FOLDER(json_lines_and_printed_rows),
        IN_FOLDER(a_statement_set),
        IN_FOLDER(plans_and_their_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
