/*
 * SESSION table functions against a model that sorts and cuts; with and without keys.
 */
#include "engine/exec/session_assign.h"
#include "tests/unit/exec/exec_case.h"

struct model_row {
    const struct case_row *row;
    size_t position;
    int64_t start, end;
};

static const uint32_t *model_keys;
static uint32_t model_key_count;

static int compare_keys(const struct model_row *a, const struct model_row *b) {
    for (uint32_t k = 0; k < model_key_count; k++) {
        const int order = case_compare(a->row, b->row, (int)model_keys[k]);
        if (order)
            return order;
    }
    return 0;
}

static int by_place(const struct model_row *a, const struct model_row *b) {
    return (a->position > b->position) - (a->position < b->position);
}

static int by_key_and_time(const void *x, const void *y) {
    const struct model_row *a = x, *b = y;
    const int order = compare_keys(a, b);
    if (order)
        return order;
    if (a->row->time_ms != b->row->time_ms)
        return a->row->time_ms < b->row->time_ms ? -1 : 1;
    return by_place(a, b);
}

static int by_window(const void *x, const void *y) {
    const struct model_row *a = x, *b = y;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    const int order = compare_keys(a, b);
    return order ? order : by_place(a, b);
}

static void expect(struct case_text *text, const struct case_rows *rows, int64_t gap) {
    struct model_row *model = calloc(rows->count + 1, sizeof *model);
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->rows[i].null[CASE_TIME])
            model[count++] = (struct model_row){.row = &rows->rows[i], .position = i};
    qsort(model, count, sizeof *model, by_key_and_time);
    for (size_t begin = 0; begin < count;) {
        size_t end = begin + 1;
        while (end < count && !compare_keys(&model[end], &model[begin]) &&
               model[end].row->time_ms - model[end - 1].row->time_ms <= gap)
            end++;
        for (size_t i = begin; i < end; i++) {
            model[i].start = model[begin].row->time_ms;
            model[i].end = model[end - 1].row->time_ms + gap;
        }
        begin = end;
    }
    qsort(model, count, sizeof *model, by_window);
    for (size_t i = 0; i < count; i++) {
        case_print_row(text, model[i].row);
        case_print(text, "%lld|%lld|%lld|\n", (long long)model[i].start, (long long)model[i].end,
                   (long long)model[i].end - 1);
    }
    free(model);
}

static void check(const struct case_shape *shape, const uint32_t *keys, uint32_t key_count,
                  int64_t gap) {
    struct case_random random = {(uint64_t)gap + key_count};
    struct case_rows rows = case_make_rows(&random, shape);
    const struct case_rows *inputs[] = {&rows, NULL};
    struct oriel_plan scan = case_scan(0), *scans[] = {&scan};
    struct oriel_field fields[CASE_COLUMNS + 3];
    memcpy(fields, case_schema.fields, sizeof(struct oriel_field) * CASE_COLUMNS);
    for (int i = 0; i < 3; i++)
        fields[CASE_COLUMNS + i].type = oriel_type_with_null(oriel_type_timestamp(3), false);
    const struct oriel_plan plan = {.kind = ORIEL_PLAN_WINDOW,
                                    .schema = {CASE_COLUMNS + 3, fields},
                                    .input_count = 1,
                                    .inputs = scans,
                                    .window.window = {.kind = ORIEL_WINDOW_SESSION,
                                                      .size_ms = gap,
                                                      .time_column = CASE_TIME,
                                                      .drop_null_time = true,
                                                      .key_count = key_count,
                                                      .keys = keys}};
    struct case_text expected = {0};
    model_keys = keys;
    model_key_count = key_count;
    expect(&expected, &rows, gap);
    case_check(&plan, inputs, &expected);
    free(expected.bytes);
    case_free_rows(&rows);
}

static void test_keys(void **state) {
    (void)state;
    static const uint32_t text[] = {CASE_TEXT}, two[] = {CASE_INT, CASE_DOUBLE};
    static const struct case_shape sorted = {6000, 12, 200000, 10, 0, true};
    static const struct case_shape shuffled = {6000, 12, 200000, 10, 5, false};
    static const struct case_shape empty = {0, 1, 1, 0, 0, false};
    check(&sorted, text, 1, 300);
    check(&shuffled, text, 1, 300);
    check(&shuffled, two, 2, 2000);
    check(&sorted, NULL, 0, 30);
    check(&shuffled, NULL, 0, 60);
    check(&empty, text, 1, 10);
}

static void test_spilled(void **state) {
    (void)state;
    static const uint32_t number[] = {CASE_INT};
    static const struct case_shape large = {40000, 500, 2000000, 2, 1, false};
    check(&large, number, 1, 3000);
}

/* Touching windows join: a distance of exactly the gap. */
static void test_assign(void **state) {
    (void)state;
    const struct case_setting setting = {.thread_count = 1, .batch_rows = 64};
    const int64_t times[] = {100, 0, 10, 21, 111, 32};
    const uint32_t keys[] = {0, 0, 0, 1, 0, 1};
    struct case_engine engine;
    struct oriel_sessions sessions;
    struct oriel_error error;
    case_engine_open(&engine, &setting);
    assert_int_equal(
        oriel_session_assign(&engine.runtime, keys, 2, times, 6, 10, &sessions, &error), ORIEL_OK);
    const uint32_t expected[] = {1, 0, 0, 3, 2, 4};
    assert_int_equal(sessions.session_count, 5);
    assert_memory_equal(sessions.session_of_row, expected, sizeof expected);
    assert_int_equal(sessions.first_ms[0], 0);
    assert_int_equal(sessions.end_ms[0], 20);
    oriel_sessions_deinit(&sessions);
    case_engine_close(&engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_spilled),
        cmocka_unit_test(test_assign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
