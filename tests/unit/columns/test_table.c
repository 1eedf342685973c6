/*
 * Tables: appends of ranges and chosen rows against a plain model, and failing allocations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/columns/value.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { ROW_COUNT = 300, COLUMN_COUNT = 8 };

static const enum oriel_type_id ids[COLUMN_COUNT] = {
    ORIEL_TYPE_TINYINT, ORIEL_TYPE_SMALLINT, ORIEL_TYPE_INT,     ORIEL_TYPE_DOUBLE,
    ORIEL_TYPE_DECIMAL, ORIEL_TYPE_VARCHAR,  ORIEL_TYPE_VARCHAR, ORIEL_TYPE_ARRAY};

/* A batch with known content: null_rows says of which column which rows are null. */
struct input {
    struct oriel_memory memory;
    struct oriel_arena arena;
    struct oriel_field element[1];
    struct oriel_field fields[COLUMN_COUNT];
    struct oriel_schema schema;
    struct oriel_column_buffers buffers;
    struct oriel_batch batch;
};

static uint64_t next_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static const struct oriel_nested *make_array(struct input *input, uint64_t random) {
    const uint32_t count = (uint32_t)(random % 4);
    struct oriel_nested *out = oriel_arena_allocate(&input->arena, sizeof *out);
    oriel_u128 *slots = oriel_arena_allocate_zeroed(&input->arena, count, sizeof *slots);
    uint64_t *valid = oriel_arena_allocate(&input->arena, sizeof *valid);
    *valid = random >> 8;
    for (uint32_t i = 0; i < count; i++) {
        char *bytes = oriel_arena_print(&input->arena, "element %u of %u", i, (unsigned)random);
        const struct oriel_string text = oriel_string_make(bytes, strlen(bytes));
        memcpy(&slots[i], &text, sizeof text);
    }
    *out = (struct oriel_nested){count, valid, slots};
    return out;
}

static void fill_row(struct input *input, size_t row, uint64_t random) {
    struct oriel_column *columns = input->buffers.columns;
    ((int8_t *)columns[0].values)[row] = (int8_t)random;
    ((int16_t *)columns[1].values)[row] = (int16_t)random;
    ((int32_t *)columns[2].values)[row] = (int32_t)random;
    ((double *)columns[3].values)[row] = (double)random / 7;
    ((oriel_i128 *)columns[4].values)[row] = (oriel_i128)random << 60;
    char *shorter = oriel_arena_print(&input->arena, "%u", (unsigned)random % 1000);
    char *longer = oriel_arena_print(&input->arena, "a long text with %u", (unsigned)random);
    ((struct oriel_string *)columns[5].values)[row] = oriel_string_make(shorter, strlen(shorter));
    ((struct oriel_string *)columns[6].values)[row] = oriel_string_make(longer, strlen(longer));
    ((const struct oriel_nested **)columns[7].values)[row] = make_array(input, random);
}

/* Null rows hold strings and arrays that point nowhere. */
static void make_input(struct input *input, bool with_nulls) {
    uint64_t state = 42;
    memset(input, 0, sizeof *input);
    oriel_arena_init(&input->arena, &input->memory);
    input->element[0] = (struct oriel_field){NULL, oriel_type_string()};
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        input->fields[i] = (struct oriel_field){"f", oriel_type_make(ids[i])};
    input->fields[7].type.field_count = 1;
    input->fields[7].type.fields = input->element;
    input->schema = (struct oriel_schema){COLUMN_COUNT, input->fields};
    assert_int_equal(
        oriel_column_buffers_init(&input->buffers, &input->memory, &input->schema, ROW_COUNT, NULL),
        ORIEL_OK);
    for (size_t row = 0; row < ROW_COUNT; row++)
        fill_row(input, row, next_random(&state));
    for (size_t row = 0; with_nulls && row < ROW_COUNT; row++) {
        for (size_t i = 0; i < COLUMN_COUNT; i++) {
            struct oriel_column *column = &input->buffers.columns[i];
            if (next_random(&state) % 5 || (i == 2 && row < ROW_COUNT / 2))
                continue;
            oriel_column_set_null(column, row);
            if (i == 6)
                ((struct oriel_string *)column->values)[row].length = 1000;
        }
    }
    if (!with_nulls)
        for (size_t i = 1; i < COLUMN_COUNT; i += 2) { /* some without words, some with full ones */
            oriel_memory_release(&input->memory, input->buffers.columns[i].valid,
                                 oriel_bits_word_count(ROW_COUNT) * sizeof(uint64_t));
            input->buffers.columns[i].valid = NULL;
        }
    input->batch = (struct oriel_batch){
        .row_count = ROW_COUNT, .column_count = COLUMN_COUNT, .columns = input->buffers.columns};
}

static void free_input(struct input *input) {
    oriel_arena_deinit(&input->arena);
    oriel_column_buffers_deinit(&input->buffers);
    assert_int_equal(input->memory.used_bytes, 0);
}

/* A row of the table is row `origin` of the input. */
static void check_row(const struct oriel_table *table, size_t row, const struct input *input,
                      size_t origin) {
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (oriel_column_compare(&table->columns[i], row, &input->buffers.columns[i], origin) != 0)
            fail_msg("column %zu, row %zu differs from row %zu", i, row, origin);
    }
}

static void appends_ranges(void **state) {
    (void)state;
    for (int with_nulls = 0; with_nulls < 2; with_nulls++) {
        struct input input;
        struct oriel_memory memory = {0};
        struct oriel_table table;
        static const size_t ranges[][2] = {{0, 0},   {0, 1},   {5, 63},  {63, 64}, {64, 65},
                                           {1, 127}, {0, 300}, {299, 1}, {300, 0}, {17, 200}};
        make_input(&input, with_nulls);
        oriel_table_init(&table, &memory, input.schema);
        for (int round = 0; round < 2; round++) {
            size_t row = 0;
            for (size_t i = 0; i < COUNT(ranges); i++)
                assert_int_equal(oriel_table_append(&table, &input.batch, NULL, ranges[i][0],
                                                    ranges[i][1], NULL),
                                 ORIEL_OK);
            for (size_t i = 0; i < COUNT(ranges); i++) {
                for (size_t k = 0; k < ranges[i][1]; k++)
                    check_row(&table, row++, &input, ranges[i][0] + k);
            }
            assert_int_equal(table.row_count, row);
            for (size_t i = 0; i < COLUMN_COUNT; i++)
                assert_int_equal(table.columns[i].valid != NULL, with_nulls);
            oriel_table_clear(&table);
            assert_int_equal(table.row_count, 0);
        }
        oriel_table_deinit(&table);
        assert_int_equal(memory.used_bytes, 0);
        free_input(&input);
    }
}

static void appends_chosen_rows(void **state) {
    (void)state;
    for (int with_nulls = 0; with_nulls < 2; with_nulls++) {
        struct input input;
        struct oriel_memory memory = {0};
        struct oriel_table table;
        uint32_t rows[500];
        uint64_t random = 7;
        make_input(&input, with_nulls);
        oriel_table_init(&table, &memory, input.schema);
        for (size_t i = 0; i < COUNT(rows); i++)
            rows[i] = (uint32_t)(next_random(&random) % ROW_COUNT);
        static const size_t cuts[] = {0, 1, 2, 70, 133, 500};
        for (size_t i = 0; i + 1 < COUNT(cuts); i++)
            assert_int_equal(oriel_table_append(&table, &input.batch, rows, cuts[i],
                                                cuts[i + 1] - cuts[i], NULL),
                             ORIEL_OK);
        assert_int_equal(table.row_count, COUNT(rows));
        for (size_t i = 0; i < COUNT(rows); i++)
            check_row(&table, i, &input, rows[i]);
        oriel_table_deinit(&table);
        assert_int_equal(memory.used_bytes, 0);
        free_input(&input);
    }
}

static void replaces_rows(void **state) {
    (void)state;
    for (int with_nulls = 0; with_nulls < 2; with_nulls++) {
        struct input input;
        struct oriel_memory memory = {0};
        struct oriel_table table;
        uint32_t origins[100], rows[30], places[30];
        uint64_t random = 11;
        make_input(&input, with_nulls);
        oriel_table_init(&table, &memory, input.schema);
        for (uint32_t i = 0; i < COUNT(origins); i++)
            origins[i] = i;
        assert_int_equal(oriel_table_append(&table, &input.batch, NULL, 0, COUNT(origins), NULL),
                         ORIEL_OK);
        for (uint32_t step = 0; step < 3; step++) {
            for (uint32_t i = 0; i < COUNT(rows); i++) {
                rows[i] = (uint32_t)(next_random(&random) % ROW_COUNT);
                places[i] = (i * 3 + step) % COUNT(origins);
                origins[places[i]] = rows[i];
            }
            assert_int_equal(oriel_table_append(&table, &input.batch, rows, 0, COUNT(rows), NULL),
                             ORIEL_OK);
            oriel_table_replace(&table, places, COUNT(rows));
            assert_int_equal(table.row_count, COUNT(origins));
        }
        for (size_t i = 0; i < COUNT(origins); i++)
            check_row(&table, i, &input, origins[i]);
        oriel_table_deinit(&table);
        assert_int_equal(memory.used_bytes, 0);
        free_input(&input);
    }
}

/* The table must not see later changes of the batch. */
static void owns_its_values(void **state) {
    (void)state;
    struct input input, same;
    struct oriel_memory memory = {0};
    struct oriel_table table;
    make_input(&input, true);
    make_input(&same, true);
    oriel_table_init(&table, &memory, input.schema);
    assert_int_equal(oriel_table_append(&table, &input.batch, NULL, 0, ROW_COUNT, NULL), ORIEL_OK);
    oriel_column_buffers_deinit(&input.buffers);
    oriel_arena_deinit(&input.arena);
    for (size_t row = 0; row < ROW_COUNT; row++)
        check_row(&table, row, &same, row);
    oriel_table_deinit(&table);
    free_input(&same);
}

static void stays_whole_without_memory(void **state) {
    (void)state;
    struct input input;
    make_input(&input, true);
    size_t failures = 0;
    for (size_t call = 1;; call++) {
        struct oriel_memory memory = {.fail_at_call = call};
        struct oriel_table table;
        struct oriel_error error = {0};
        oriel_table_init(&table, &memory, input.schema);
        size_t expected = 0, step = 0;
        for (; step < 6; step++) {
            const size_t before = failures;
            while (oriel_table_append(&table, &input.batch, NULL, step * 50, 50, &error)) {
                assert_int_equal(error.status, ORIEL_MEMORY);
                assert_int_equal(table.row_count, expected);
                assert_true(++failures < before + 2);
                for (size_t row = 0; row < expected; row++)
                    check_row(&table, row, &input, row);
            }
            expected += 50;
        }
        assert_int_equal(table.row_count, ROW_COUNT);
        for (size_t row = 0; row < ROW_COUNT; row++)
            check_row(&table, row, &input, row);
        oriel_table_deinit(&table);
        assert_int_equal(memory.used_bytes, 0);
        if (call > memory.call_count)
            break;
    }
    assert_true(failures >= 8);
    free_input(&input);
}

/* Under a limit each append succeeds whole or not at all. */
static void stays_whole_below_limits(void **state) {
    (void)state;
    struct input input;
    make_input(&input, true);
    size_t failures = 0, most_rows = 0;
    for (size_t limit_bytes = 64; most_rows < ROW_COUNT; limit_bytes += 500) {
        struct oriel_memory memory = {.limit_bytes = limit_bytes};
        struct oriel_table table;
        oriel_table_init(&table, &memory, input.schema);
        while (table.row_count < ROW_COUNT) {
            const size_t before = table.row_count;
            if (oriel_table_append(&table, &input.batch, NULL, before, 25, NULL) != ORIEL_OK) {
                failures++;
                assert_int_equal(table.row_count, before);
                break;
            }
        }
        for (size_t row = 0; row < table.row_count; row++)
            check_row(&table, row, &input, row);
        most_rows = table.row_count > most_rows ? table.row_count : most_rows;
        oriel_table_deinit(&table);
        assert_int_equal(memory.used_bytes, 0);
    }
    assert_true(failures > 20);
    free_input(&input);
}

static void refuses_too_many_rows(void **state) {
    (void)state;
    struct input input;
    struct oriel_memory memory = {.limit_bytes = 1 << 20};
    struct oriel_table table;
    make_input(&input, false);
    oriel_table_init(&table, &memory, input.schema);
    assert_int_equal(oriel_table_append(&table, &input.batch, NULL, 0, 10, NULL), ORIEL_OK);
    assert_int_equal(oriel_table_append(&table, &input.batch, NULL, 0, SIZE_MAX, NULL),
                     ORIEL_MEMORY);
    assert_int_equal(oriel_table_append(&table, &input.batch, NULL, 0, SIZE_MAX / 16, NULL),
                     ORIEL_MEMORY);
    assert_int_equal(table.row_count, 10);
    oriel_table_deinit(&table);
    oriel_table_deinit(&table);
    assert_int_equal(memory.used_bytes, 0);
    free_input(&input);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends_ranges),
        cmocka_unit_test(appends_chosen_rows),
        cmocka_unit_test(replaces_rows),
        cmocka_unit_test(owns_its_values),
        cmocka_unit_test(stays_whole_without_memory),
        cmocka_unit_test(stays_whole_below_limits),
        cmocka_unit_test(refuses_too_many_rows),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
