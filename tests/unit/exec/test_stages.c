/*
 * Streaming nodes one on the other: filter, projection, window, and VALUES below them.
 */
#include "tests/unit/exec/exec_case.h"

static const struct case_shape shape = {5000, 20, 3000, 30, 0, false};

static struct oriel_expression column_expression(uint32_t column) {
    return (struct oriel_expression){
        .kind = ORIEL_EXPRESSION_COLUMN, .type = case_schema.fields[column].type, .column = column};
}

/* SELECT text, time ... WHERE flag, then TUMBLE over that. */
static void check(bool (*flag_of)(size_t row)) {
    struct case_random random = {6};
    struct case_rows rows = case_make_rows(&random, &shape);
    for (size_t i = 0; flag_of && i < rows.count; i++) {
        rows.rows[i].flag = flag_of(i);
        rows.rows[i].null[CASE_FLAG] = false;
    }
    const struct case_rows *inputs[] = {&rows, NULL};
    struct oriel_expression flag = column_expression(CASE_FLAG);
    struct oriel_expression text = column_expression(CASE_TEXT);
    struct oriel_expression time = column_expression(CASE_TIME);
    struct oriel_expression *expressions[] = {&text, &time};
    struct oriel_field fields[] = {
        case_schema.fields[CASE_TEXT],
        case_schema.fields[CASE_TIME],
        {"window_start", oriel_type_with_null(oriel_type_timestamp(3), false)},
        {"window_end", oriel_type_with_null(oriel_type_timestamp(3), false)},
        {"window_time", oriel_type_with_null(oriel_type_timestamp(3), false)}};
    struct oriel_plan scan = case_scan(0), *scans[] = {&scan};
    struct oriel_plan filter = {.kind = ORIEL_PLAN_FILTER,
                                .schema = case_schema,
                                .input_count = 1,
                                .inputs = scans,
                                .filter.condition = &flag};
    struct oriel_plan *filters[] = {&filter};
    struct oriel_plan project = {.kind = ORIEL_PLAN_PROJECT,
                                 .schema = {2, fields},
                                 .input_count = 1,
                                 .inputs = filters,
                                 .project.expressions = expressions};
    struct oriel_plan *projects[] = {&project};
    const struct oriel_plan window = {
        .kind = ORIEL_PLAN_WINDOW,
        .schema = {5, fields},
        .input_count = 1,
        .inputs = projects,
        .window.window = {.kind = ORIEL_WINDOW_TUMBLE, .size_ms = 50, .time_column = 1}};
    struct case_text expected = {0};
    case_print(&expected, "%s", "");
    for (size_t i = 0; i < rows.count; i++) {
        const struct case_row *row = &rows.rows[i];
        if (row->null[CASE_FLAG] || !row->flag)
            continue;
        const int64_t start = row->time_ms - (row->time_ms % 50 + 50) % 50;
        case_print_cell(&expected, row, CASE_TEXT);
        case_print_cell(&expected, row, CASE_TIME);
        case_print(&expected, "%lld|%lld|%lld|\n", (long long)start, (long long)start + 50,
                   (long long)start + 49);
    }
    case_check(&window, inputs, &expected);
    free(expected.bytes);
    case_free_rows(&rows);
}

static bool all(size_t row) {
    (void)row;
    return true;
}

static bool nothing(size_t row) {
    (void)row;
    return false;
}

static bool blocks(size_t row) {
    return row / 64 % 3 == 1;
}

static void test_chain(void **state) {
    (void)state;
    check(NULL);
    check(all);
    check(nothing);
    check(blocks);
}

static void test_values(void **state) {
    (void)state;
    static int64_t numbers[6][8] = {{1}, {2}, {3}, {4}, {5}, {6}};
    static uint64_t none = 0;
    struct oriel_expression cells[6], *list[6];
    const struct oriel_field fields[] = {{"a", oriel_type_make(ORIEL_TYPE_BIGINT)},
                                         {"b", oriel_type_make(ORIEL_TYPE_BIGINT)}};
    for (int i = 0; i < 6; i++) {
        cells[i] = (struct oriel_expression){
            .kind = ORIEL_EXPRESSION_CONSTANT,
            .type = fields[0].type,
            .constant = {fields[0].type, numbers[i], i == 3 ? &none : NULL}};
        list[i] = &cells[i];
    }
    const struct oriel_plan plan = {.kind = ORIEL_PLAN_VALUES,
                                    .schema = {2, fields},
                                    .values = {.row_count = 3, .cells = list}};
    const struct case_rows *inputs[] = {NULL};
    struct case_text expected = {0};
    case_print(&expected, "1|2|\n3|NULL|\n5|6|\n");
    case_check(&plan, inputs, &expected);
    free(expected.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
