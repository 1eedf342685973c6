/*
 * Every allocation of every operator is made to fail once: the result is an error, nothing leaks.
 */
#include "tests/unit/exec/exec_case.h"

static struct case_rows left_rows, right_rows;
static const struct case_rows *inputs[] = {&left_rows, &right_rows, NULL};
static struct oriel_plan scans[2], *scan_list[] = {&scans[0], &scans[1]};
static struct oriel_field fields[2 * CASE_COLUMNS + 3];

static void fail_each(const struct oriel_plan *plan, struct case_setting setting, size_t step) {
    struct case_text whole = {0}, text = {0};
    struct oriel_error error;
    assert_int_equal(case_run(plan, inputs, &setting, &whole, &error), ORIEL_OK);
    size_t failed = 0;
    for (setting.fail_after = 1;; setting.fail_after += step) {
        const enum oriel_status status = case_run(plan, inputs, &setting, &text, &error);
        if (status == ORIEL_OK)
            assert_string_equal(text.bytes, whole.bytes);
        else
            assert_int_equal(status, ORIEL_MEMORY);
        failed += status != ORIEL_OK;
        if (case_outlived_failure)
            break;
    }
    assert_true(failed > 3);
    free(whole.bytes);
    free(text.bytes);
}

/* Under every limit the result is right or an error; right below the first limit that suffices rows
 * are written out, and there allocations fail as well. */
static void limit_all(const struct oriel_plan *plan) {
    struct case_text whole = {0}, text = {0};
    struct oriel_error error;
    struct case_setting setting = {.thread_count = 2, .batch_rows = 64, .morsel_rows = 64};
    size_t enough = 0;
    assert_int_equal(case_run(plan, inputs, &setting, &whole, &error), ORIEL_OK);
    for (setting.limit_bytes = 30000; setting.limit_bytes < 6000000;
         setting.limit_bytes += setting.limit_bytes / 6) {
        const enum oriel_status status = case_run(plan, inputs, &setting, &text, &error);
        if (status == ORIEL_OK)
            assert_string_equal(text.bytes, whole.bytes);
        else
            assert_int_equal(status, ORIEL_MEMORY);
        enough = !enough && status == ORIEL_OK ? setting.limit_bytes : enough;
    }
    assert_true(enough);
    setting.thread_count = 1;
    setting.limit_bytes = enough;
    for (setting.fail_after = 1;; setting.fail_after += 3 + setting.fail_after / 40) {
        const enum oriel_status status = case_run(plan, inputs, &setting, &text, &error);
        if (status == ORIEL_OK)
            assert_string_equal(text.bytes, whole.bytes);
        else
            assert_int_equal(status, ORIEL_MEMORY);
        if (case_outlived_failure)
            break;
    }
    free(whole.bytes);
    free(text.bytes);
}

static void fail_all(const struct oriel_plan *plan) {
    limit_all(plan);
    fail_each(plan, (struct case_setting){.thread_count = 1, .batch_rows = 64, .morsel_rows = 128},
              1);
    fail_each(plan, (struct case_setting){.thread_count = 2, .batch_rows = 64, .morsel_rows = 64},
              3);
    fail_each(
        plan,
        (struct case_setting){.thread_count = 2, .batch_rows = 64, .morsel_rows = 64, .pull = true},
        5);
}

static int set_up(void **state) {
    (void)state;
    static const struct case_shape shape = {400, 20, 1000, 10, 5, false};
    struct case_random random = {2};
    left_rows = case_make_rows(&random, &shape);
    right_rows = case_make_rows(&random, &shape);
    scans[0] = case_scan(0);
    scans[1] = case_scan(1);
    memcpy(fields, case_schema.fields, sizeof(struct oriel_field) * CASE_COLUMNS);
    memcpy(fields + CASE_COLUMNS, case_schema.fields, sizeof(struct oriel_field) * CASE_COLUMNS);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    case_free_rows(&left_rows);
    case_free_rows(&right_rows);
    return 0;
}

static const struct oriel_sort_item items[] = {{CASE_TEXT, false, true}, {CASE_TIME, true, false}};
static const uint32_t keys[] = {CASE_TEXT};

static void test_window(void **state) {
    (void)state;
    struct oriel_field windowed[CASE_COLUMNS + 3];
    memcpy(windowed, case_schema.fields, sizeof(struct oriel_field) * CASE_COLUMNS);
    for (int i = 0; i < 3; i++)
        windowed[CASE_COLUMNS + i].type = oriel_type_with_null(oriel_type_timestamp(3), false);
    struct oriel_plan plan = {.kind = ORIEL_PLAN_WINDOW,
                              .schema = {CASE_COLUMNS + 3, windowed},
                              .input_count = 1,
                              .inputs = scan_list,
                              .window.window = {.kind = ORIEL_WINDOW_HOP,
                                                .size_ms = 40,
                                                .slide_ms = 20,
                                                .time_column = CASE_TIME,
                                                .drop_null_time = true}};
    fail_all(&plan);
    plan.window.window.kind = ORIEL_WINDOW_SESSION;
    plan.window.window.key_count = 1;
    plan.window.window.keys = keys;
    fail_all(&plan);
}

static void test_sort(void **state) {
    (void)state;
    struct oriel_plan plan = {.kind = ORIEL_PLAN_SORT,
                              .schema = case_schema,
                              .input_count = 1,
                              .inputs = scan_list,
                              .sort = {.item_count = 2, .items = items, .limit = INT64_MAX}};
    fail_all(&plan);
    plan.sort.limit = 10;
    fail_all(&plan);
}

static void test_rank(void **state) {
    (void)state;
    struct oriel_field ranked[CASE_COLUMNS + 1];
    memcpy(ranked, case_schema.fields, sizeof(struct oriel_field) * CASE_COLUMNS);
    ranked[CASE_COLUMNS].type = oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT), false);
    struct oriel_plan plan = {.kind = ORIEL_PLAN_RANK,
                              .schema = {CASE_COLUMNS + 1, ranked},
                              .input_count = 1,
                              .inputs = scan_list,
                              .rank = {.function = ORIEL_RANK_ROW_NUMBER,
                                       .partition_count = 1,
                                       .partition = keys,
                                       .item_count = 2,
                                       .items = items,
                                       .low = 1,
                                       .high = 2,
                                       .order_count = 1,
                                       .order = keys}};
    fail_all(&plan);
    plan.rank.function = ORIEL_RANK_RANK;
    fail_all(&plan);
}

static void test_join(void **state) {
    (void)state;
    static const bool null_matches[] = {false};
    static const uint32_t order[] = {0};
    struct oriel_plan plan = {.kind = ORIEL_PLAN_JOIN,
                              .schema = {2 * CASE_COLUMNS, fields},
                              .input_count = 2,
                              .inputs = scan_list,
                              .join = {.kind = ORIEL_JOIN_FULL,
                                       .key_count = 1,
                                       .left_keys = keys,
                                       .right_keys = keys,
                                       .null_matches = null_matches,
                                       .order_count = 1,
                                       .order = order}};
    fail_all(&plan);
    plan.join.kind = ORIEL_JOIN_ANTI;
    plan.join.null_aware = true;
    plan.schema.field_count = CASE_COLUMNS;
    fail_all(&plan);
}

static void test_limit_and_union(void **state) {
    (void)state;
    struct oriel_plan both = {
        .kind = ORIEL_PLAN_UNION, .schema = case_schema, .input_count = 2, .inputs = scan_list};
    struct oriel_plan *list[] = {&both};
    const struct oriel_plan plan = {.kind = ORIEL_PLAN_LIMIT,
                                    .schema = case_schema,
                                    .input_count = 1,
                                    .inputs = list,
                                    .limit = {150, 500}};
    fail_all(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_limit_and_union),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
