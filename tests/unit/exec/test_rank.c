/*
 * Top-N and deduplication against ranks counted one by one.
 */
#include "tests/unit/exec/exec_case.h"

struct model_row {
    const struct case_row *row;
    size_t position;
    int64_t rank;
};

static const struct oriel_plan *model_plan;

static int compare_partitions(const struct model_row *a, const struct model_row *b) {
    for (uint32_t k = 0; k < model_plan->rank.partition_count; k++) {
        const int order = case_compare(a->row, b->row, (int)model_plan->rank.partition[k]);
        if (order)
            return order;
    }
    return 0;
}

static int compare_items(const struct model_row *a, const struct model_row *b) {
    for (uint32_t i = 0; i < model_plan->rank.item_count; i++) {
        const struct oriel_sort_item *item = &model_plan->rank.items[i];
        const int column = (int)item->column;
        if (a->row->null[column] != b->row->null[column])
            return a->row->null[column] == item->nulls_first ? -1 : 1;
        const int order = case_compare(a->row, b->row, column);
        if (order)
            return item->descending ? -order : order;
    }
    return 0;
}

static int by_partition(const void *x, const void *y) {
    const struct model_row *a = x, *b = y;
    int order = compare_partitions(a, b);
    if (!order)
        order = compare_items(a, b);
    if (order)
        return order;
    order = (a->position > b->position) - (a->position < b->position);
    return model_plan->rank.last_of_equals ? -order : order;
}

static int by_order(const void *x, const void *y) {
    const struct model_row *a = x, *b = y;
    for (uint32_t k = 0; k < model_plan->rank.order_count; k++) {
        const int order = case_compare(a->row, b->row, (int)model_plan->rank.order[k]);
        if (order)
            return order;
    }
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

static void expect(struct case_text *text, const struct case_rows *rows) {
    struct model_row *model = calloc(rows->count + 1, sizeof *model);
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++)
        model[i] = (struct model_row){&rows->rows[i], i, 0};
    qsort(model, rows->count, sizeof *model, by_partition);
    int64_t number = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const bool starts = i == 0 || compare_partitions(&model[i], &model[i - 1]);
        number = starts ? 1 : number + 1;
        if (model_plan->rank.function == ORIEL_RANK_ROW_NUMBER || starts)
            model[i].rank = number;
        else if (!compare_items(&model[i], &model[i - 1]))
            model[i].rank = model[i - 1].rank;
        else
            model[i].rank =
                model_plan->rank.function == ORIEL_RANK_RANK ? number : model[i - 1].rank + 1;
    }
    for (size_t i = 0; i < rows->count; i++)
        if (model[i].rank >= model_plan->rank.low && model[i].rank <= model_plan->rank.high)
            model[kept++] = model[i];
    qsort(model, kept, sizeof *model, by_order);
    for (size_t i = 0; i < kept; i++) {
        case_print_row(text, model[i].row);
        case_print(text, "%lld|\n", (long long)model[i].rank);
    }
    free(model);
}

static const uint32_t text_key[] = {CASE_TEXT}, two_keys[] = {CASE_INT, CASE_FLAG};
static const struct oriel_sort_item by_real[] = {{CASE_DOUBLE, true, false},
                                                 {CASE_LONG, false, true}};
static const struct oriel_sort_item by_time[] = {{CASE_TIME, false, true}};
static const struct oriel_sort_item by_number[] = {{CASE_INT, true, false}};

struct rank_case {
    enum oriel_rank_function function;
    uint32_t partition_count;
    const uint32_t *partition;
    uint32_t item_count;
    const struct oriel_sort_item *items;
    bool last_of_equals;
    int64_t low, high;
};

static void check(const struct case_shape *shape, const struct rank_case *rank) {
    struct case_random random = {(uint64_t)rank->high + shape->row_count};
    struct case_rows rows = case_make_rows(&random, shape);
    const struct case_rows *inputs[] = {&rows, NULL};
    struct oriel_plan scan = case_scan(0), *scans[] = {&scan};
    struct oriel_field fields[CASE_COLUMNS + 1];
    memcpy(fields, case_schema.fields, sizeof(struct oriel_field) * CASE_COLUMNS);
    fields[CASE_COLUMNS] = (struct oriel_field){
        "rank", oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT), false)};
    struct oriel_plan plan = {.kind = ORIEL_PLAN_RANK,
                              .schema = {CASE_COLUMNS + 1, fields},
                              .input_count = 1,
                              .inputs = scans,
                              .rank = {.function = rank->function,
                                       .partition_count = rank->partition_count,
                                       .partition = rank->partition,
                                       .item_count = rank->item_count,
                                       .items = rank->items,
                                       .last_of_equals = rank->last_of_equals,
                                       .low = rank->low,
                                       .high = rank->high,
                                       .order_count = rank->partition_count,
                                       .order = rank->partition}};
    struct case_text expected = {0};
    model_plan = &plan;
    expect(&expected, &rows);
    case_check(&plan, inputs, &expected);
    plan.choices[ORIEL_TOPIC_TOPN].strategy = ORIEL_STRATEGY_SORT;
    case_check(&plan, inputs, &expected);
    free(expected.bytes);
    case_free_rows(&rows);
}

static const struct case_shape small = {5000, 30, 300, 15, 5, false};
static const struct case_shape rising = {5000, 30, 3000, 5, 5, true};
static const struct case_shape large = {40000, 4000, 100000, 5, 0, false};

static void test_row_number(void **state) {
    (void)state;
    static const struct rank_case cases[] = {
        {ORIEL_RANK_ROW_NUMBER, 1, text_key, 2, by_real, false, 1, 3},
        {ORIEL_RANK_ROW_NUMBER, 1, text_key, 1, by_time, false, 1, 1},
        {ORIEL_RANK_ROW_NUMBER, 2, two_keys, 1, by_time, true, 1, 1},
        {ORIEL_RANK_ROW_NUMBER, 0, NULL, 2, by_real, false, 5, 40},
        {ORIEL_RANK_ROW_NUMBER, 0, NULL, 0, NULL, false, 2, 3},
        {ORIEL_RANK_ROW_NUMBER, 2, two_keys, 1, by_number, false, 2, 7},
        {ORIEL_RANK_ROW_NUMBER, 1, text_key, 1, by_number, true, 1, 1000},
        {ORIEL_RANK_ROW_NUMBER, 1, text_key, 1, by_time, false, 1, INT64_MAX},
        {ORIEL_RANK_ROW_NUMBER, 1, text_key, 1, by_time, false, 4, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(&small, &cases[i]);
        check(&rising, &cases[i]);
    }
}

/* The latest row of each key while time rises: every row replaces the one before. */
static void test_keep_last(void **state) {
    (void)state;
    static const struct oriel_sort_item latest[] = {{CASE_TIME, true, false}};
    static const struct rank_case last = {
        ORIEL_RANK_ROW_NUMBER, 1, text_key, 1, latest, true, 1, 1};
    static const struct case_shape long_run = {60000, 30, 100000, 5, 0, true};
    check(&long_run, &last);
}

static void test_rank(void **state) {
    (void)state;
    static const struct rank_case cases[] = {
        {ORIEL_RANK_RANK, 1, text_key, 2, by_real, false, 1, 5},
        {ORIEL_RANK_DENSE_RANK, 1, text_key, 2, by_real, false, 2, 5},
        {ORIEL_RANK_RANK, 0, NULL, 1, by_number, false, 1, 200},
        {ORIEL_RANK_DENSE_RANK, 2, two_keys, 1, by_time, false, 1, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&small, &cases[i]);
}

static void test_spilled(void **state) {
    (void)state;
    static const struct rank_case all = {
        ORIEL_RANK_ROW_NUMBER, 1, text_key, 2, by_real, false, 1, INT64_MAX};
    static const struct rank_case few = {
        ORIEL_RANK_ROW_NUMBER, 2, two_keys, 2, by_real, false, 1, 4};
    check(&large, &all);
    check(&large, &few);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_number),
        cmocka_unit_test(test_keep_last),
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_spilled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
