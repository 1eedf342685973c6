/*
 * The key table against a plain list of the keys so far.
 */
#include <math.h>

#include "engine/exec/key_table.h"
#include "engine/exec/row_key.h"
#include "tests/unit/exec/exec_case.h"

/* The columns of the key, by number. */
struct key_case {
    uint32_t count;
    int columns[4];
};

static const struct key_case key_cases[] = {
    {1, {CASE_INT}},
    {1, {CASE_TEXT}},
    {1, {CASE_LONG}},
    {1, {CASE_TIME}},
    {1, {CASE_DOUBLE}},
    {1, {CASE_FLAG}},
    {2, {CASE_TEXT, CASE_INT}},
    {3, {CASE_DOUBLE, CASE_FLAG, CASE_LONG}},
    {4, {CASE_INT, CASE_TEXT, CASE_LONG, CASE_DOUBLE}},
};

static bool same_key(const struct key_case *key, const struct case_row *a,
                     const struct case_row *b) {
    for (uint32_t k = 0; k < key->count; k++)
        if (case_compare(a, b, key->columns[k]))
            return false;
    return true;
}

static void check(const struct key_case *key, const struct case_shape *shape) {
    struct case_random random = {shape->key_count + key->count * 7u};
    struct case_rows rows = case_make_rows(&random, shape);
    const struct case_setting setting = {.thread_count = 1, .batch_rows = 4096};
    struct case_engine engine;
    struct oriel_table table;
    struct oriel_field fields[4];
    struct oriel_column columns[4];
    struct oriel_key_table keys;
    struct oriel_key_block scratch;
    struct oriel_error error;
    case_engine_open(&engine, &setting);
    case_make_table(&engine.memory, &rows, &table);
    for (uint32_t k = 0; k < key->count; k++) {
        fields[k] = case_schema.fields[key->columns[k]];
        columns[k] = table.columns[key->columns[k]];
    }
    const struct oriel_schema schema = {key->count, fields};
    uint32_t *ids = calloc(rows.count, sizeof *ids), *found = calloc(rows.count, sizeof *found);
    uint32_t *firsts = calloc(rows.count, sizeof *firsts);
    uint32_t key_count = 0;
    assert_int_equal(oriel_key_table_init(&keys, &engine.runtime, schema, &error), ORIEL_OK);
    assert_int_equal(oriel_key_block_init(&scratch, &engine.memory, schema, &error), ORIEL_OK);
    oriel_key_table_find(&keys, &scratch, columns, NULL, rows.count, found);
    for (size_t i = 0; i < rows.count; i++)
        assert_int_equal(found[i], ORIEL_KEY_NONE);
    assert_int_equal(oriel_key_table_map(&keys, columns, rows.count, ids, &error), ORIEL_OK);
    for (size_t i = 0; i < rows.count; i++) {
        uint32_t id = 0;
        while (id < key_count && !same_key(key, &rows.rows[i], &rows.rows[firsts[id]]))
            id++;
        if (id == key_count)
            firsts[key_count++] = (uint32_t)i;
        assert_int_equal(ids[i], id);
    }
    assert_int_equal(keys.key_count, key_count);
    assert_int_equal(keys.keys.row_count, key_count);
    for (uint32_t id = 0; id < key_count; id++)
        assert_true(oriel_row_key_equal(keys.keys.columns, id, columns, firsts[id], key->count));
    oriel_key_table_find(&keys, &scratch, columns, NULL, rows.count, found);
    assert_memory_equal(ids, found, rows.count * sizeof *ids);
    oriel_key_table_clear(&keys);
    assert_int_equal(oriel_key_table_map(&keys, columns, rows.count, found, &error), ORIEL_OK);
    assert_memory_equal(ids, found, rows.count * sizeof *ids);
    oriel_key_table_deinit(&keys);
    oriel_key_block_deinit(&scratch);
    oriel_table_deinit(&table);
    case_engine_close(&engine);
    free(ids);
    free(found);
    free(firsts);
    case_free_rows(&rows);
}

static void test_against_list(void **state) {
    (void)state;
    static const struct case_shape shapes[] = {
        {1, 3, 10, 10, 0, false},
        {5000, 20, 30, 10, 5, false},
        {5000, 4000, 100000, 3, 1, false},
        {3000, 2, 10, 60, 60, false},
    };
    for (size_t k = 0; k < sizeof key_cases / sizeof *key_cases; k++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            check(&key_cases[k], &shapes[s]);
}

static void test_many(void **state) {
    (void)state;
    enum { COUNT = 300000 };
    const struct case_setting setting = {.thread_count = 1, .batch_rows = 4096};
    struct case_engine engine;
    struct oriel_key_table keys;
    struct oriel_error error;
    struct oriel_field field = {"key", oriel_type_make(ORIEL_TYPE_BIGINT)};
    int64_t *values = calloc(COUNT, sizeof *values);
    uint32_t *ids = calloc(COUNT, sizeof *ids);
    struct oriel_column column = {.type = field.type, .values = values};
    case_engine_open(&engine, &setting);
    for (int64_t i = 0; i < COUNT; i++)
        values[i] = i * 1000003 % (COUNT / 2) * (INT64_C(1) << 40);
    assert_int_equal(
        oriel_key_table_init(&keys, &engine.runtime, (struct oriel_schema){1, &field}, &error),
        ORIEL_OK);
    for (size_t first = 0; first < COUNT; first += 4096) {
        const size_t left = COUNT - first;
        column.values = values + first;
        assert_int_equal(
            oriel_key_table_map(&keys, &column, left < 4096 ? left : 4096, ids + first, &error),
            ORIEL_OK);
    }
    assert_int_equal(keys.key_count, COUNT / 2);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(((int64_t *)keys.keys.columns[0].values)[ids[i]], values[i]);
    oriel_key_table_deinit(&keys);
    case_engine_close(&engine);
    free(values);
    free(ids);
}

/* -0.0 and 0.0, and all NaNs, are one key each, kept as 0.0 and NaN. */
static void test_floating(void **state) {
    (void)state;
    const struct case_setting setting = {.thread_count = 1, .batch_rows = 64};
    struct case_engine engine;
    struct oriel_key_table keys;
    struct oriel_error error;
    struct oriel_field field = {"key", oriel_type_make(ORIEL_TYPE_FLOAT)};
    float values[] = {-0.0f, NAN, 0.0f, -NAN, 1.5f};
    uint32_t ids[5];
    const struct oriel_column column = {.type = field.type, .values = values};
    case_engine_open(&engine, &setting);
    assert_int_equal(
        oriel_key_table_init(&keys, &engine.runtime, (struct oriel_schema){1, &field}, &error),
        ORIEL_OK);
    assert_int_equal(oriel_key_table_map(&keys, &column, 5, ids, &error), ORIEL_OK);
    const uint32_t expected[] = {0, 1, 0, 1, 2};
    assert_memory_equal(ids, expected, sizeof ids);
    assert_false(signbit(((float *)keys.keys.columns[0].values)[0]));
    oriel_key_table_deinit(&keys);
    case_engine_close(&engine);
}

/* Whichever allocation fails, the table stays usable. */
static void test_memory(void **state) {
    (void)state;
    struct case_random random = {11};
    const struct case_shape shape = {4000, 3000, 100, 2, 0, false};
    struct case_rows rows = case_make_rows(&random, &shape);
    struct oriel_memory table_memory = {0};
    struct oriel_table table;
    uint32_t *ids = calloc(rows.count, sizeof *ids), *again = calloc(rows.count, sizeof *again);
    case_make_table(&table_memory, &rows, &table);
    const struct oriel_schema schema = {1, &case_schema.fields[CASE_TEXT]};
    const struct oriel_column *column = &table.columns[CASE_TEXT];
    size_t failed = 0;
    for (size_t call = 1; call < 60; call++) {
        const struct case_setting setting = {.thread_count = 1, .batch_rows = 64};
        struct case_engine engine;
        struct oriel_key_table keys;
        struct oriel_error error;
        case_engine_open(&engine, &setting);
        engine.memory.fail_at_call = engine.memory.call_count + call;
        if (oriel_key_table_init(&keys, &engine.runtime, schema, &error) == ORIEL_OK) {
            if (oriel_key_table_map(&keys, column, rows.count, ids, &error) != ORIEL_OK) {
                failed++;
                assert_int_equal(error.status, ORIEL_MEMORY);
                assert_int_equal(oriel_key_table_map(&keys, column, rows.count, ids, &error),
                                 ORIEL_OK);
            }
            assert_int_equal(oriel_key_table_map(&keys, column, rows.count, again, &error),
                             ORIEL_OK);
            assert_memory_equal(ids, again, rows.count * sizeof *ids);
            oriel_key_table_deinit(&keys);
        }
        case_engine_close(&engine);
    }
    assert_true(failed > 5);
    oriel_table_deinit(&table);
    free(ids);
    free(again);
    case_free_rows(&rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_list),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_floating),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
