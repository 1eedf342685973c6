/*
 * ORDER BY, LIMIT and OFFSET against a stable sort of all rows.
 */
#include "tests/unit/exec/exec_case.h"

struct model_row {
    const struct case_row *row;
    size_t position;
};

static const struct oriel_sort_item *model_items;
static uint32_t model_item_count;

static int by_items(const void *x, const void *y) {
    const struct model_row *a = x, *b = y;
    for (uint32_t i = 0; i < model_item_count; i++) {
        const struct oriel_sort_item *item = &model_items[i];
        const int column = (int)item->column;
        if (a->row->null[column] != b->row->null[column])
            return a->row->null[column] == item->nulls_first ? -1 : 1;
        const int order = case_compare(a->row, b->row, column);
        if (order)
            return item->descending ? -order : order;
    }
    return (a->position > b->position) - (a->position < b->position);
}

static void check(const struct case_shape *shape, const struct oriel_sort_item *items,
                  uint32_t item_count, int64_t limit) {
    struct case_random random = {shape->row_count + item_count};
    struct case_rows rows = case_make_rows(&random, shape);
    const struct case_rows *inputs[] = {&rows, NULL};
    struct oriel_plan scan = case_scan(0), *scans[] = {&scan};
    const struct oriel_plan plan = {
        .kind = ORIEL_PLAN_SORT,
        .schema = case_schema,
        .input_count = 1,
        .inputs = scans,
        .sort = {.item_count = item_count, .items = items, .limit = limit}};
    struct model_row *model = calloc(rows.count + 1, sizeof *model);
    for (size_t i = 0; i < rows.count; i++)
        model[i] = (struct model_row){&rows.rows[i], i};
    model_items = items;
    model_item_count = item_count;
    qsort(model, rows.count, sizeof *model, by_items);
    struct case_text expected = {0};
    for (size_t i = 0; i < rows.count && (int64_t)i < limit; i++) {
        case_print_row(&expected, model[i].row);
        case_print(&expected, "\n");
    }
    case_check(&plan, inputs, &expected);
    free(expected.bytes);
    free(model);
    case_free_rows(&rows);
}

static const struct case_shape small = {3000, 40, 500, 15, 5, false};
static const struct case_shape large = {90000, 3000, 100000, 5, 0, false};

static const struct oriel_sort_item item_lists[][3] = {
    {{CASE_INT, false, true}, {CASE_TEXT, true, false}, {CASE_LONG, false, false}},
    {{CASE_TEXT, false, false}, {CASE_TIME, false, true}, {CASE_INT, true, true}},
    {{CASE_DOUBLE, true, false}, {CASE_FLAG, false, true}, {CASE_TEXT, false, true}},
    {{CASE_TIME, true, true}, {CASE_DOUBLE, false, false}, {CASE_LONG, true, true}},
    {{CASE_LONG, false, true}, {CASE_TEXT, true, true}, {CASE_DOUBLE, true, true}},
};

static void test_orders(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof item_lists / sizeof *item_lists; i++)
        for (uint32_t count = 1; count <= 3; count++)
            check(&small, item_lists[i], count, INT64_MAX);
}

static void test_limits(void **state) {
    (void)state;
    check(&small, item_lists[0], 2, 0);
    check(&small, item_lists[1], 2, 1);
    check(&small, item_lists[2], 3, 10);
    check(&large, item_lists[3], 2, 100);
    check(&large, item_lists[4], 2, 5000);
    check(&small, item_lists[0], 1, 100000);
}

static void test_spilled(void **state) {
    (void)state;
    check(&large, item_lists[1], 2, INT64_MAX);
    check(&large, item_lists[3], 3, INT64_MAX);
}

static void check_limit(struct oriel_plan *input, const struct case_rows *const *inputs,
                        const struct case_rows *rows, int64_t offset, int64_t limit) {
    struct oriel_plan *list[] = {input};
    const struct oriel_plan plan = {.kind = ORIEL_PLAN_LIMIT,
                                    .schema = case_schema,
                                    .input_count = 1,
                                    .inputs = list,
                                    .limit = {offset, limit}};
    struct case_text expected = {0};
    for (size_t i = (size_t)offset; i < rows->count && (int64_t)i - offset < limit; i++) {
        case_print_row(&expected, &rows->rows[i]);
        case_print(&expected, "\n");
    }
    case_check(&plan, inputs, &expected);
    free(expected.bytes);
}

static void test_limit_node(void **state) {
    (void)state;
    struct case_random random = {8};
    struct case_rows rows = case_make_rows(&random, &small);
    const struct case_rows *inputs[] = {&rows, NULL};
    struct oriel_plan scan = case_scan(0);
    check_limit(&scan, inputs, &rows, 0, 10);
    check_limit(&scan, inputs, &rows, 0, 0);
    check_limit(&scan, inputs, &rows, 1234, 777);
    check_limit(&scan, inputs, &rows, 2990, 100);
    check_limit(&scan, inputs, &rows, 5000, 100);
    check_limit(&scan, inputs, &rows, 3, INT64_MAX);
    case_free_rows(&rows);
}

/* A LIMIT over a LIMIT over a UNION ALL, each passing on what it should. */
static void test_union(void **state) {
    (void)state;
    struct case_random random = {9};
    struct case_rows one = case_make_rows(&random, &small);
    struct case_rows two = case_make_rows(&random, &small);
    struct case_rows none = {0, NULL};
    const struct case_rows *inputs[] = {&one, &none, &two, NULL};
    struct oriel_plan scans[] = {case_scan(0), case_scan(1), case_scan(2)};
    struct oriel_plan *list[] = {&scans[0], &scans[1], &scans[2]};
    struct oriel_plan all = {
        .kind = ORIEL_PLAN_UNION, .schema = case_schema, .input_count = 3, .inputs = list};
    struct oriel_plan *under[] = {&all};
    struct oriel_plan inner = {.kind = ORIEL_PLAN_LIMIT,
                               .schema = case_schema,
                               .input_count = 1,
                               .inputs = under,
                               .limit = {500, 4000}};
    struct case_rows joined = {one.count + two.count,
                               calloc(one.count + two.count, sizeof *joined.rows)};
    memcpy(joined.rows, one.rows, one.count * sizeof *one.rows);
    memcpy(joined.rows + one.count, two.rows, two.count * sizeof *two.rows);
    check_limit(&all, inputs, &joined, 0, INT64_MAX);
    check_limit(&all, inputs, &joined, 2900, 200);
    struct case_rows middle = {4000, joined.rows + 500};
    check_limit(&inner, inputs, &middle, 100, 3000);
    check_limit(&inner, inputs, &middle, 3999, 3000);
    /* positions rise through the union, so that a sort by nothing keeps the order */
    const struct oriel_plan sort = {.kind = ORIEL_PLAN_SORT,
                                    .schema = case_schema,
                                    .input_count = 1,
                                    .inputs = under,
                                    .sort = {.limit = INT64_MAX}};
    struct case_text expected = {0};
    for (size_t i = 0; i < joined.count; i++) {
        case_print_row(&expected, &joined.rows[i]);
        case_print(&expected, "\n");
    }
    case_check(&sort, inputs, &expected);
    free(expected.bytes);
    free(joined.rows);
    case_free_rows(&one);
    case_free_rows(&two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),  cmocka_unit_test(test_limits),
        cmocka_unit_test(test_spilled), cmocka_unit_test(test_limit_node),
        cmocka_unit_test(test_union),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
