/*
 * Joins of every kind against two nested loops.
 */
#include "tests/unit/exec/exec_case.h"

struct pair {
    const struct case_row *left, *right; /* NULL: missing */
    size_t left_position, right_position;
};

static const struct oriel_plan *model_plan;

/* The order columns of a pair come from the side that is there. */
static int by_order(const void *x, const void *y) {
    const struct pair *a = x, *b = y;
    for (uint32_t k = 0; k < model_plan->join.order_count; k++) {
        const uint32_t key = model_plan->join.order[k];
        /* both sides have the same shape, so only the columns differ */
        struct case_row row_a, row_b;
        const int left = (int)model_plan->join.left_keys[key];
        const int right = (int)model_plan->join.right_keys[key];
        row_a = a->left ? *a->left : *a->right;
        row_b = b->left ? *b->left : *b->right;
        assert_int_equal(left, right);
        const int order = case_compare(&row_a, &row_b, left);
        if (order)
            return order;
    }
    if (!a->left != !b->left)
        return a->left ? -1 : 1;
    if (a->left && a->left_position != b->left_position)
        return a->left_position < b->left_position ? -1 : 1;
    if (!a->right != !b->right)
        return a->right ? 1 : -1;
    return (a->right_position > b->right_position) - (a->right_position < b->right_position);
}

static bool keys_match(const struct case_row *left, const struct case_row *right,
                       uint32_t key_count) {
    for (uint32_t k = 0; k < key_count; k++) {
        const int column = (int)model_plan->join.left_keys[k];
        if (left->null[column] || right->null[column]) {
            if (!model_plan->join.null_matches[k] || !left->null[column] || !right->null[column])
                return false;
        } else if (case_compare(left, right, column)) {
            return false;
        }
    }
    return true;
}

/* The residual of these tests: both flags are true. */
static bool residual_holds(const struct case_row *left, const struct case_row *right) {
    return !model_plan->join.residual ||
           (!left->null[CASE_FLAG] && left->flag && !right->null[CASE_FLAG] && right->flag);
}

static bool is_candidate(const struct case_row *left, const struct case_row *right) {
    const uint32_t key_count = model_plan->join.key_count;
    if (!residual_holds(left, right))
        return false;
    if (!model_plan->join.null_aware)
        return keys_match(left, right, key_count);
    const int value = (int)model_plan->join.left_keys[key_count - 1];
    return keys_match(left, right, key_count - 1) &&
           (left->null[value] || right->null[value] || !case_compare(left, right, value));
}

static void print_side(struct case_text *text, const struct case_row *row) {
    static const struct case_row none = {.null = {true, true, true, true, true, true}};
    case_print_row(text, row ? row : &none);
}

static void expect(struct case_text *text, const struct case_rows *left,
                   const struct case_rows *right) {
    const enum oriel_join_kind kind = model_plan->join.kind;
    const bool single = kind == ORIEL_JOIN_SEMI || kind == ORIEL_JOIN_ANTI;
    struct pair *pairs = calloc(left->count * (right->count + 1) + right->count + 1, sizeof *pairs);
    bool *right_matched = calloc(right->count + 1, sizeof *right_matched);
    size_t count = 0;
    for (size_t i = 0; i < left->count; i++) {
        bool matched = false;
        for (size_t k = 0; k < right->count; k++) {
            if (!is_candidate(&left->rows[i], &right->rows[k]))
                continue;
            matched = right_matched[k] = true;
            if (!single)
                pairs[count++] = (struct pair){&left->rows[i], &right->rows[k], i, k};
        }
        if ((kind == ORIEL_JOIN_SEMI && matched) ||
            (!matched &&
             (kind == ORIEL_JOIN_ANTI || kind == ORIEL_JOIN_LEFT || kind == ORIEL_JOIN_FULL)))
            pairs[count++] = (struct pair){&left->rows[i], NULL, i, 0};
    }
    for (size_t k = 0; k < right->count; k++)
        if (!right_matched[k] && (kind == ORIEL_JOIN_RIGHT || kind == ORIEL_JOIN_FULL))
            pairs[count++] = (struct pair){NULL, &right->rows[k], 0, k};
    qsort(pairs, count, sizeof *pairs, by_order);
    for (size_t i = 0; i < count; i++) {
        print_side(text, pairs[i].left);
        if (!single)
            print_side(text, pairs[i].right);
        case_print(text, "\n");
    }
    free(pairs);
    free(right_matched);
}

struct join_case {
    uint32_t key_count;
    uint32_t keys[3];
    bool null_matches[3];
    uint32_t order_count;
    uint32_t order[2];
    bool residual;
};

static struct oriel_expression *make_residual(void) {
    static struct oriel_expression left = {
        .kind = ORIEL_EXPRESSION_COLUMN, .column = CASE_FLAG, .type = {.id = ORIEL_TYPE_BOOLEAN}};
    static struct oriel_expression right = {.kind = ORIEL_EXPRESSION_COLUMN,
                                            .column = CASE_COLUMNS + CASE_FLAG,
                                            .type = {.id = ORIEL_TYPE_BOOLEAN}};
    static struct oriel_expression *arguments[] = {&left, &right};
    static struct oriel_expression both = {.kind = ORIEL_EXPRESSION_AND,
                                           .type = {.id = ORIEL_TYPE_BOOLEAN},
                                           .argument_count = 2,
                                           .arguments = arguments};
    left.type.nullable = right.type.nullable = both.type.nullable = true;
    return &both;
}

/* The key columns, those that the join orders by first. */
static uint32_t sort_items(const struct join_case *join, struct oriel_sort_item *items) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < join->order_count; k++)
        items[count++] = (struct oriel_sort_item){join->keys[join->order[k]], false, true};
    for (uint32_t k = 0; k < join->key_count; k++) {
        bool is_there = false;
        for (uint32_t i = 0; i < count; i++)
            is_there |= items[i].column == join->keys[k];
        if (!is_there)
            items[count++] = (struct oriel_sort_item){join->keys[k], false, true};
    }
    return count;
}

/* Stable. */
static void sort_rows(struct case_rows *rows, const struct oriel_sort_item *items,
                      uint32_t item_count) {
    for (size_t i = 1; i < rows->count; i++) {
        const struct case_row moved = rows->rows[i];
        size_t at = i;
        for (; at > 0; at--) {
            int order = 0;
            for (uint32_t k = 0; !order && k < item_count; k++)
                order = case_compare(&rows->rows[at - 1], &moved, (int)items[k].column);
            if (order <= 0)
                break;
            rows->rows[at] = rows->rows[at - 1];
        }
        rows->rows[at] = moved;
    }
}

enum way { AS_IT_COMES, SORTED_PARTITIONS, INPUTS_IN_ORDER };

static void check_way(const struct case_shape *left_shape, const struct case_shape *right_shape,
                      const struct join_case *join, enum oriel_join_kind kind, bool null_aware,
                      enum way way) {
    struct case_random random = {join->key_count + (uint64_t)kind * 17};
    struct case_rows left = case_make_rows(&random, left_shape);
    struct case_rows right = case_make_rows(&random, right_shape);
    const struct case_rows *inputs[] = {&left, &right, NULL};
    struct oriel_plan scans[] = {case_scan(0), case_scan(1)}, sorts[2];
    struct oriel_plan *list[] = {&scans[0], &scans[1]}, *sorted[] = {&sorts[0], &sorts[1]};
    struct oriel_sort_item items[3];
    const uint32_t item_count = sort_items(join, items);
    for (int i = 0; i < 2; i++)
        sorts[i] = (struct oriel_plan){
            .kind = ORIEL_PLAN_SORT,
            .schema = scans[i].schema,
            .input_count = 1,
            .inputs = &list[i],
            .sort = {.item_count = item_count, .items = items, .limit = INT64_MAX}};
    if (way == INPUTS_IN_ORDER) {
        sort_rows(&left, items, item_count);
        sort_rows(&right, items, item_count);
    }
    struct oriel_field fields[2 * CASE_COLUMNS];
    const bool single = kind == ORIEL_JOIN_SEMI || kind == ORIEL_JOIN_ANTI;
    memcpy(fields, case_schema.fields, sizeof(struct oriel_field) * CASE_COLUMNS);
    memcpy(fields + CASE_COLUMNS, case_schema.fields, sizeof(struct oriel_field) * CASE_COLUMNS);
    const struct oriel_plan plan = {.kind = ORIEL_PLAN_JOIN,
                                    .schema = {single ? CASE_COLUMNS : 2 * CASE_COLUMNS, fields},
                                    .input_count = 2,
                                    .inputs = way == INPUTS_IN_ORDER ? sorted : list,
                                    .choices[ORIEL_TOPIC_JOIN].strategy = way == AS_IT_COMES
                                                                              ? ORIEL_STRATEGY_HASH
                                                                              : ORIEL_STRATEGY_SORT,
                                    .join = {.kind = kind,
                                             .key_count = join->key_count,
                                             .left_keys = join->keys,
                                             .right_keys = join->keys,
                                             .null_matches = join->null_matches,
                                             .residual = join->residual ? make_residual() : NULL,
                                             .null_aware = null_aware,
                                             .order_count = join->order_count,
                                             .order = join->order}};
    struct case_text expected = {0};
    model_plan = &plan;
    expect(&expected, &left, &right);
    case_check(&plan, inputs, &expected);
    free(expected.bytes);
    case_free_rows(&left);
    case_free_rows(&right);
}

static void check(const struct case_shape *left_shape, const struct case_shape *right_shape,
                  const struct join_case *join, enum oriel_join_kind kind, bool null_aware) {
    for (enum way way = AS_IT_COMES; way <= INPUTS_IN_ORDER; way++)
        check_way(left_shape, right_shape, join, kind, null_aware, way);
}

static const struct case_shape few_keys = {400, 40, 50, 20, 0, false};
static const struct case_shape more = {700, 60, 50, 10, 0, false};
static const struct case_shape none = {0, 1, 1, 0, 0, false};

static const struct join_case cases[] = {
    {1, {CASE_TEXT}, {false}, 0, {0}, false},
    {1, {CASE_INT}, {true}, 1, {0}, false},
    {2, {CASE_TIME, CASE_LONG}, {false, false}, 2, {0, 1}, false},
    {2, {CASE_TIME, CASE_INT}, {false, true}, 1, {0}, true},
    {3, {CASE_DOUBLE, CASE_FLAG, CASE_TIME}, {true, true, false}, 1, {2}, false},
    {1, {CASE_LONG}, {false}, 0, {0}, true},
};

static void check_kind(enum oriel_join_kind kind) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&few_keys, &more, &cases[i], kind, false);
    check(&none, &more, &cases[0], kind, false);
    check(&more, &none, &cases[0], kind, false);
}

static void test_inner(void **state) {
    (void)state;
    check_kind(ORIEL_JOIN_INNER);
}

static void test_left(void **state) {
    (void)state;
    check_kind(ORIEL_JOIN_LEFT);
}

static void test_right(void **state) {
    (void)state;
    check_kind(ORIEL_JOIN_RIGHT);
}

static void test_full(void **state) {
    (void)state;
    check_kind(ORIEL_JOIN_FULL);
}

static void test_semi(void **state) {
    (void)state;
    check_kind(ORIEL_JOIN_SEMI);
}

static void test_anti(void **state) {
    (void)state;
    check_kind(ORIEL_JOIN_ANTI);
}

/* Fact 39: a NULL on either side of NOT IN leaves nothing of its window. */
static void test_not_in(void **state) {
    (void)state;
    static const struct case_shape no_nulls = {300, 40, 50, 0, 0, false};
    static const struct case_shape some = {60, 500, 50, 6, 0, false};
    static const struct join_case not_in[] = {
        {1, {CASE_INT}, {false}, 0, {0}, false},
        {2, {CASE_TIME, CASE_INT}, {false, false}, 1, {0}, false},
        {2, {CASE_TIME, CASE_TEXT}, {false, false}, 1, {0}, true},
        {2, {CASE_LONG, CASE_INT}, {true, false}, 1, {0}, false},
    };
    for (size_t i = 0; i < sizeof not_in / sizeof *not_in; i++) {
        check(&few_keys, &some, &not_in[i], ORIEL_JOIN_ANTI, true);
        check(&few_keys, &no_nulls, &not_in[i], ORIEL_JOIN_ANTI, true);
        check(&no_nulls, &few_keys, &not_in[i], ORIEL_JOIN_ANTI, true);
        check(&few_keys, &none, &not_in[i], ORIEL_JOIN_ANTI, true);
    }
}

static void test_spilled(void **state) {
    (void)state;
    static const struct case_shape large = {6000, 3000, 100000, 3, 0, false};
    static const struct join_case by_text = {1, {CASE_TEXT}, {false}, 1, {0}, false};
    static const struct join_case by_long = {2,    {CASE_INT, CASE_LONG}, {true, false}, 1, {0},
                                             false};
    check_way(&large, &large, &by_text, ORIEL_JOIN_FULL, false, AS_IT_COMES);
    check_way(&large, &large, &by_long, ORIEL_JOIN_INNER, false, AS_IT_COMES);
}

/* Keys that so many rows have that the rows of one do not fit into memory. */
static void test_crowded_keys(void **state) {
    (void)state;
    static const struct case_shape many = {30000, 3000, 100000, 3, 0, false};
    static const struct case_shape few = {12, 3000, 100000, 3, 0, false};
    static const struct join_case by_flag = {1, {CASE_FLAG}, {false}, 0, {0}, true};
    for (enum way way = AS_IT_COMES; way <= SORTED_PARTITIONS; way++) {
        check_way(&few, &many, &by_flag, ORIEL_JOIN_FULL, false, way);
        check_way(&many, &few, &by_flag, ORIEL_JOIN_LEFT, false, way);
        check_way(&many, &few, &by_flag, ORIEL_JOIN_SEMI, false, way);
        check_way(&few, &many, &by_flag, ORIEL_JOIN_ANTI, false, way);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inner),        cmocka_unit_test(test_left),
        cmocka_unit_test(test_right),        cmocka_unit_test(test_full),
        cmocka_unit_test(test_semi),         cmocka_unit_test(test_anti),
        cmocka_unit_test(test_not_in),       cmocka_unit_test(test_spilled),
        cmocka_unit_test(test_crowded_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
