/*
 * Window table functions against their definitions: every window that contains the time, found by
 * trying all starts.
 */
#include "tests/unit/exec/exec_case.h"

static struct oriel_field fields[CASE_COLUMNS + 3];

static struct oriel_plan window_plan(struct oriel_plan **inputs, enum oriel_window_kind kind,
                                     int64_t size, int64_t slide, int64_t offset) {
    memcpy(fields, case_schema.fields, sizeof(struct oriel_field) * CASE_COLUMNS);
    for (int i = 0; i < 3; i++)
        fields[CASE_COLUMNS + i].type = oriel_type_with_null(oriel_type_timestamp(3), false);
    return (struct oriel_plan){
        .kind = ORIEL_PLAN_WINDOW,
        .schema = {CASE_COLUMNS + 3, fields},
        .input_count = 1,
        .inputs = inputs,
        .window.window = {.kind = kind,
                          .size_ms = size,
                          .slide_ms = slide,
                          .offset_ms = offset,
                          .time_column = CASE_TIME,
                          .drop_null_time = true},
    };
}

static void expect_window(struct case_text *text, const struct case_row *row, int64_t start,
                          int64_t end) {
    case_print_row(text, row);
    case_print(text, "%lld|%lld|%lld|\n", (long long)start, (long long)end, (long long)end - 1);
}

static int64_t floor_mod(int64_t value, int64_t by) {
    return ((value % by) + by) % by;
}

static void expect_row(struct case_text *text, const struct case_row *row,
                       const struct oriel_window *window) {
    const int64_t time = row->time_ms, size = window->size_ms, slide = window->slide_ms;
    if (row->null[CASE_TIME])
        return;
    if (window->kind == ORIEL_WINDOW_HOP) {
        for (int64_t start = time; start > time - size; start--)
            if (floor_mod(start - window->offset_ms, slide) == 0)
                expect_window(text, row, start, start + size);
        return;
    }
    int64_t start = time;
    while (floor_mod(start - window->offset_ms, size))
        start--;
    if (window->kind == ORIEL_WINDOW_TUMBLE) {
        expect_window(text, row, start, start + size);
        return;
    }
    for (int64_t end = start + slide; end <= start + size; end += slide)
        if (end > time)
            expect_window(text, row, start, end);
}

static void check(const struct case_shape *shape, enum oriel_window_kind kind, int64_t size,
                  int64_t slide, int64_t offset) {
    struct case_random random = {(uint64_t)size * 31 + (uint64_t)slide};
    struct case_rows rows = case_make_rows(&random, shape);
    const struct case_rows *inputs[] = {&rows, NULL};
    struct oriel_plan scan = case_scan(0), *scans[] = {&scan};
    struct oriel_plan plan = window_plan(scans, kind, size, slide, offset);
    struct case_text expected = {0};
    for (size_t i = 0; i < rows.count; i++)
        expect_row(&expected, &rows.rows[i], &plan.window.window);
    case_check(&plan, inputs, &expected);
    free(expected.bytes);
    case_free_rows(&rows);
}

static const struct case_shape plain = {3000, 9, 2000, 10, 0, false};
static const struct case_shape holes = {3000, 9, 2000, 10, 20, true};

static void test_tumble(void **state) {
    (void)state;
    check(&plain, ORIEL_WINDOW_TUMBLE, 60, 0, 0);
    check(&holes, ORIEL_WINDOW_TUMBLE, 60, 0, -7);
    check(&holes, ORIEL_WINDOW_TUMBLE, 1, 0, 1000000);
}

static void test_hop(void **state) {
    (void)state;
    check(&plain, ORIEL_WINDOW_HOP, 60, 20, 0);
    check(&holes, ORIEL_WINDOW_HOP, 60, 25, 3);  /* size is no multiple */
    check(&holes, ORIEL_WINDOW_HOP, 20, 60, -5); /* rows between windows vanish */
    check(&plain, ORIEL_WINDOW_HOP, 100, 1, 0);
}

static void test_cumulate(void **state) {
    (void)state;
    check(&plain, ORIEL_WINDOW_CUMULATE, 60, 20, 0);
    check(&holes, ORIEL_WINDOW_CUMULATE, 200, 5, -13);
}

/* 86 million windows for one row come in batches, and can be stopped. */
static enum oriel_status begin(void *context, unsigned worker, void **piece,
                               struct oriel_error *error) {
    (void)worker;
    (void)error;
    *piece = context;
    return ORIEL_OK;
}

static enum oriel_status add(void *context, void *piece, const struct oriel_batch *batch,
                             struct oriel_error *error) {
    (void)piece;
    (void)error;
    *(_Atomic uint64_t *)context += batch->row_count;
    return ORIEL_OK;
}

static enum oriel_status deliver(void *context, void *piece, struct oriel_error *error) {
    (void)piece;
    if (*(_Atomic uint64_t *)context > 1000000)
        return oriel_error_set(error, ORIEL_IO, "enough");
    return ORIEL_OK;
}

static void drop(void *context, void *piece) {
    (void)context;
    (void)piece;
}

static enum oriel_status open_scan(void *context, const struct oriel_plan *scan,
                                   const struct oriel_runtime *runtime, struct oriel_source **out,
                                   struct oriel_error *error) {
    (void)scan;
    return oriel_table_source_open(runtime, context, false, 64, out, error);
}

static void test_explosion(void **state) {
    (void)state;
    const struct case_setting setting = {
        .thread_count = 2, .batch_rows = 4096, .limit_bytes = 8000000};
    struct case_random random = {1};
    struct case_rows rows = case_make_rows(&random, &plain);
    struct case_engine engine;
    struct oriel_table table;
    struct oriel_plan scan = case_scan(0), *scans[] = {&scan};
    struct oriel_plan plan = window_plan(scans, ORIEL_WINDOW_HOP, 86400000, 1, 0);
    struct oriel_execution *execution;
    struct oriel_error error;
    _Atomic uint64_t count = 0;
    const struct oriel_piece_maker maker = {
        .context = &count, .begin = begin, .add = add, .deliver = deliver, .drop = drop};
    case_engine_open(&engine, &setting);
    case_make_table(&engine.memory, &rows, &table);
    assert_int_equal(
        oriel_execution_open(&plan, &engine.runtime, open_scan, &table, &execution, &error),
        ORIEL_OK);
    assert_int_equal(oriel_execution_run(execution, &maker, &error), ORIEL_IO);
    assert_string_equal(error.message, "enough");
    assert_true(count < 10000000);
    oriel_execution_close(&execution);
    oriel_table_deinit(&table);
    case_engine_close(&engine);
    case_free_rows(&rows);
}

static void test_null_time(void **state) {
    (void)state;
    struct case_random random = {5};
    struct case_rows rows = case_make_rows(&random, &holes);
    const struct case_rows *inputs[] = {&rows, NULL};
    struct oriel_plan scan = case_scan(0), *scans[] = {&scan};
    struct oriel_plan plan = window_plan(scans, ORIEL_WINDOW_TUMBLE, 10, 0, 0);
    struct case_text text = {0};
    struct oriel_error error;
    plan.window.window.drop_null_time = false;
    for (size_t s = 0; s < case_setting_count; s++) {
        assert_int_equal(case_run(&plan, inputs, &case_settings[s], &text, &error), ORIEL_DATA);
        assert_string_equal(error.message, "RowTime field should not be null, please convert it "
                                           "to a non-null long value.");
    }
    free(text.bytes);
    case_free_rows(&rows);
}

/* Facts 17 and 18: windows of an instant are cut on the wall clock of New York. */
static void test_zone(void **state) {
    (void)state;
    const int64_t hour = 3600000;
    const int64_t spring = 1710054000000; /* 2024-03-10 07:00 UTC = 03:00 EDT, after the gap */
    struct case_row list[2] = {{.time_ms = spring - hour}, {.time_ms = spring}};
    struct case_rows rows = {2, list};
    const struct case_rows *inputs[] = {&rows, NULL};
    struct oriel_plan scan = case_scan(0), *scans[] = {&scan};
    struct oriel_plan plan = window_plan(scans, ORIEL_WINDOW_CUMULATE, 3 * hour, hour, 0);
    fields[CASE_COLUMNS + 2].type = oriel_type_with_null(oriel_type_timestamp_ltz(6), false);
    const int64_t midnight = 1710028800000; /* 2024-03-10 00:00 of any wall clock */
    struct case_text expected = {0};
    /* the same values read as plain TIMESTAMP(3) fall into other windows; only window_time is
     * turned into an instant here */
    for (int i = 0; i < 2; i++) {
        const int64_t time = list[i].time_ms;
        const int64_t start = time - floor_mod(time, 3 * hour);
        for (int64_t end = start + hour; end <= start + 3 * hour; end += hour) {
            if (end <= time)
                continue;
            /* EST is five hours behind, EDT four; 02:59:59.999 is in the gap and moves on */
            const int64_t wall = end - 1;
            const int64_t behind = wall < midnight + 3 * hour ? 5 * hour : 4 * hour;
            case_print_row(&expected, &list[i]);
            case_print(&expected, "%lld|%lld|%lldus|\n", (long long)start, (long long)end,
                       (long long)(wall + behind) * 1000);
        }
    }
    case_check(&plan, inputs, &expected);
    free(expected.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tumble),    cmocka_unit_test(test_hop),
        cmocka_unit_test(test_cumulate),  cmocka_unit_test(test_explosion),
        cmocka_unit_test(test_null_time), cmocka_unit_test(test_zone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
