/*
 * Top-N and deduplication within windows against rows ranked one by one: windows that follow each
 * other, that overlap, and one that holds everything; few keys, many keys, none.
 */
#include "tests/unit/exec/exec_case.h"

enum { START = CASE_COLUMNS, END, WINDOW_FIELDS = CASE_COLUMNS + 3, KEY_MAX = 2 };

struct model_row {
    const struct case_row *row;
    int64_t start, end, rank;
    size_t position;
};

struct window_case {
    enum oriel_window_kind kind;
    int64_t size_ms, slide_ms;
    uint32_t key_count;
    uint32_t keys[KEY_MAX];
    uint32_t item_count;
    struct oriel_sort_item items[2];
    bool last_of_equals;
    int64_t low, high;
};

static const struct window_case *model;

static int compare_numbers(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

static int compare_partitions(const struct model_row *a, const struct model_row *b) {
    int order = compare_numbers(a->end, b->end);
    if (!order)
        order = compare_numbers(a->start, b->start);
    for (uint32_t k = 0; !order && k < model->key_count; k++)
        order = case_compare(a->row, b->row, (int)model->keys[k]);
    return order;
}

static int by_rank(const void *x, const void *y) {
    const struct model_row *a = x, *b = y;
    int order = compare_partitions(a, b);
    for (uint32_t i = 0; !order && i < model->item_count; i++) {
        const struct oriel_sort_item *item = &model->items[i];
        const int column = (int)item->column;
        if (a->row->null[column] != b->row->null[column])
            return a->row->null[column] == item->nulls_first ? -1 : 1;
        order = case_compare(a->row, b->row, column);
        order = item->descending ? -order : order;
    }
    if (order)
        return order;
    order = (a->position > b->position) - (a->position < b->position);
    return model->last_of_equals ? -order : order;
}

static int64_t floor_mod(int64_t value, int64_t by) {
    return ((value % by) + by) % by;
}

/* The rows in their windows, in the order that the window stage gives them. */
static size_t expand(const struct case_rows *rows, struct model_row *out) {
    const int64_t step = model->kind == ORIEL_WINDOW_HOP ? model->slide_ms : model->size_ms;
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const int64_t time = rows->rows[i].time_ms;
        if (rows->rows[i].null[CASE_TIME])
            continue;
        for (int64_t start = time - floor_mod(time, step); start > time - model->size_ms;
             start -= step, count++)
            out[count] =
                (struct model_row){&rows->rows[i], start, start + model->size_ms, 0, count};
    }
    return count;
}

static void expect(struct case_text *text, const struct case_rows *rows) {
    const size_t step =
        model->kind == ORIEL_WINDOW_HOP ? (size_t)(model->size_ms / model->slide_ms) + 1 : 1;
    struct model_row *all = calloc(rows->count * step + 1, sizeof *all);
    const size_t count = expand(rows, all);
    qsort(all, count, sizeof *all, by_rank);
    int64_t rank = 0;
    for (size_t i = 0; i < count; i++) {
        rank = i == 0 || compare_partitions(&all[i - 1], &all[i]) ? 1 : rank + 1;
        if (rank < model->low || rank > model->high)
            continue;
        case_print_row(text, all[i].row);
        case_print(text, "%lld|%lld|%lld|%lld|\n", (long long)all[i].start, (long long)all[i].end,
                   (long long)all[i].end - 1, (long long)rank);
    }
    free(all);
}

static void check(const struct case_shape *shape, const struct window_case *kase) {
    struct case_random random = {(uint64_t)kase->size_ms + shape->row_count};
    struct case_rows rows = case_make_rows(&random, shape);
    const struct case_rows *inputs[] = {&rows, NULL};
    struct oriel_field fields[WINDOW_FIELDS + 1] = {{0}};
    uint32_t partition[KEY_MAX + 2] = {END, START};
    struct oriel_plan scan = case_scan(0), *scans[] = {&scan};
    memcpy(fields, case_schema.fields, sizeof(struct oriel_field) * CASE_COLUMNS);
    for (int i = 0; i < 3; i++)
        fields[CASE_COLUMNS + i].type = oriel_type_with_null(oriel_type_timestamp(3), false);
    fields[WINDOW_FIELDS] = (struct oriel_field){
        "rank", oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT), false)};
    for (uint32_t k = 0; k < kase->key_count; k++)
        partition[k + 2] = kase->keys[k];
    struct oriel_plan window = {.kind = ORIEL_PLAN_WINDOW,
                                .schema = {WINDOW_FIELDS, fields},
                                .input_count = 1,
                                .inputs = scans,
                                .window.window = {.kind = kase->kind,
                                                  .size_ms = kase->size_ms,
                                                  .slide_ms = kase->slide_ms,
                                                  .time_column = CASE_TIME,
                                                  .drop_null_time = true}};
    struct oriel_plan *windows[] = {&window};
    struct oriel_plan plan = {.kind = ORIEL_PLAN_RANK,
                              .schema = {WINDOW_FIELDS + 1, fields},
                              .input_count = 1,
                              .inputs = windows,
                              .rank = {.function = ORIEL_RANK_ROW_NUMBER,
                                       .partition_count = kase->key_count + 2,
                                       .partition = partition,
                                       .item_count = kase->item_count,
                                       .items = kase->items,
                                       .last_of_equals = kase->last_of_equals,
                                       .low = kase->low,
                                       .high = kase->high,
                                       .order_count = kase->key_count + 2,
                                       .order = partition}};
    struct case_text expected = {0};
    model = kase;
    expect(&expected, &rows);
    case_check(&plan, inputs, &expected);
    plan.choices[ORIEL_TOPIC_TOPN].strategy = ORIEL_STRATEGY_SORT;
    case_check(&plan, inputs, &expected);
    free(expected.bytes);
    case_free_rows(&rows);
}

static const struct case_shape rising = {5000, 30, 3000, 5, 5, true};
static const struct case_shape shuffled = {5000, 300, 3000, 15, 5, false};
static const struct case_shape crowded = {80000, 4000, 50, 5, 0, false};

static void test_best_row(void **state) {
    (void)state;
    static const struct window_case cases[] = {
        {ORIEL_WINDOW_TUMBLE, 100, 0, 1, {CASE_TEXT}, 1, {{CASE_TIME, true, false}}, true, 1, 1},
        {ORIEL_WINDOW_TUMBLE, 7, 0, 1, {CASE_INT}, 1, {{CASE_LONG, false, true}}, false, 1, 1},
        {ORIEL_WINDOW_TUMBLE, 100, 0, 1, {CASE_DOUBLE}, 1, {{CASE_TEXT, true, false}}, false, 1, 1},
        {ORIEL_WINDOW_HOP,
         100,
         20,
         2,
         {CASE_FLAG, CASE_INT},
         2,
         {{CASE_DOUBLE, true, true}, {CASE_TEXT, false, false}},
         false,
         1,
         1},
        {ORIEL_WINDOW_TUMBLE, 100, 0, 0, {0}, 1, {{CASE_LONG, true, false}}, false, 1, 1},
        {ORIEL_WINDOW_TUMBLE, 100, 0, 1, {CASE_TEXT}, 1, {{CASE_TEXT, true, false}}, true, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(&rising, &cases[i]);
        check(&shuffled, &cases[i]);
    }
}

static void test_first_rows(void **state) {
    (void)state;
    static const struct window_case cases[] = {
        {ORIEL_WINDOW_TUMBLE, 100, 0, 0, {0}, 1, {{CASE_LONG, true, false}}, false, 1, 3},
        {ORIEL_WINDOW_TUMBLE, 500, 0, 1, {CASE_INT}, 1, {{CASE_TEXT, true, true}}, false, 2, 3},
        {ORIEL_WINDOW_HOP,
         90,
         30,
         1,
         {CASE_FLAG},
         2,
         {{CASE_INT, false, false}, {CASE_DOUBLE, false, true}},
         false,
         1,
         40},
        {ORIEL_WINDOW_TUMBLE, 300, 0, 0, {0}, 0, {{0}}, false, 4, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(&rising, &cases[i]);
        check(&shuffled, &cases[i]);
    }
}

/* So many keys in one window that several workers read it. */
static void test_large_window(void **state) {
    (void)state;
    static const struct window_case best = {
        ORIEL_WINDOW_TUMBLE,        1000,  0, 2, {CASE_INT, CASE_TEXT}, 1,
        {{CASE_LONG, true, false}}, false, 1, 1};
    static const struct window_case few = {
        ORIEL_WINDOW_TUMBLE,        1000,  0, 2, {CASE_INT, CASE_TEXT}, 1,
        {{CASE_LONG, true, false}}, false, 1, 2};
    check(&crowded, &best);
    check(&crowded, &few);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_row),
        cmocka_unit_test(test_first_rows),
        cmocka_unit_test(test_large_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
