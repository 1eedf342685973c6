/*
 * Column buffers: shape, nulls, padding and failing allocations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/columns/batch.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const enum oriel_type_id ids[] = {
    ORIEL_TYPE_BOOLEAN, ORIEL_TYPE_SMALLINT, ORIEL_TYPE_INT,     ORIEL_TYPE_BIGINT,
    ORIEL_TYPE_DOUBLE,  ORIEL_TYPE_DECIMAL,  ORIEL_TYPE_VARCHAR, ORIEL_TYPE_ARRAY};

static struct oriel_schema make_schema(struct oriel_field fields[COUNT(ids)]) {
    for (size_t i = 0; i < COUNT(ids); i++)
        fields[i] = (struct oriel_field){"f", oriel_type_make(ids[i])};
    return (struct oriel_schema){.field_count = COUNT(ids), .fields = fields};
}

static void holds_what_it_promises(void **state) {
    (void)state;
    struct oriel_field fields[COUNT(ids)];
    const struct oriel_schema schema = make_schema(fields);
    static const size_t capacities[] = {0, 1, 63, 64, 65, 4096};
    for (size_t c = 0; c < COUNT(capacities); c++) {
        struct oriel_memory memory = {0};
        struct oriel_column_buffers buffers;
        assert_int_equal(oriel_column_buffers_init(&buffers, &memory, &schema, capacities[c], NULL),
                         ORIEL_OK);
        assert_int_equal(buffers.column_count, COUNT(ids));
        for (size_t i = 0; i < COUNT(ids); i++) {
            struct oriel_column *column = &buffers.columns[i];
            const size_t size_bytes = oriel_physical_size(oriel_type_physical(&column->type));
            assert_int_equal(column->type.id, ids[i]);
            assert_int_equal((uintptr_t)column->values % ORIEL_ALIGNMENT, 0);
            assert_int_equal((uintptr_t)column->valid % ORIEL_ALIGNMENT, 0);
            memset(column->values, 0xAB, capacities[c] * size_bytes + ORIEL_BUFFER_PADDING);
            for (size_t row = 0; row < capacities[c]; row++)
                assert_false(oriel_column_is_null(column, row));
        }
        oriel_column_buffers_deinit(&buffers);
        oriel_column_buffers_deinit(&buffers);
        assert_int_equal(memory.used_bytes, 0);
    }
}

static void sets_nulls(void **state) {
    (void)state;
    struct oriel_field fields[COUNT(ids)];
    const struct oriel_schema schema = make_schema(fields);
    struct oriel_memory memory = {0};
    struct oriel_column_buffers buffers;
    assert_int_equal(oriel_column_buffers_init(&buffers, &memory, &schema, 100, NULL), ORIEL_OK);
    for (size_t i = 0; i < COUNT(ids); i++) {
        struct oriel_column *column = &buffers.columns[i];
        const size_t size_bytes = oriel_physical_size(oriel_type_physical(&column->type));
        char *values = column->values;
        memset(values, 0xAB, 100 * size_bytes);
        oriel_column_set_null(column, 70);
        for (size_t row = 0; row < 100; row++)
            assert_int_equal(oriel_column_is_null(column, row), row == 70);
        for (size_t byte = 0; byte < 100 * size_bytes; byte++)
            assert_int_equal((unsigned char)values[byte], byte / size_bytes == 70 ? 0 : 0xAB);
    }
    oriel_column_buffers_deinit(&buffers);
}

static void reports_memory(void **state) {
    (void)state;
    struct oriel_field fields[COUNT(ids)];
    const struct oriel_schema schema = make_schema(fields);
    enum oriel_status status = ORIEL_MEMORY;
    for (size_t call = 1; status == ORIEL_MEMORY; call++) {
        struct oriel_memory memory = {.fail_at_call = call};
        struct oriel_column_buffers buffers;
        struct oriel_error error = {0};
        status = oriel_column_buffers_init(&buffers, &memory, &schema, 100, &error);
        assert_true(call <= 2 * COUNT(ids) + 2);
        if (status == ORIEL_OK) {
            assert_int_equal(call, 2 * COUNT(ids) + 2);
            oriel_column_buffers_deinit(&buffers);
        }
        assert_int_equal(memory.used_bytes, 0);
    }
    struct oriel_memory memory = {.limit_bytes = 1 << 20};
    struct oriel_column_buffers buffers;
    assert_int_equal(oriel_column_buffers_init(&buffers, &memory, &schema, SIZE_MAX / 4, NULL),
                     ORIEL_MEMORY);
    assert_int_equal(memory.used_bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_what_it_promises),
        cmocka_unit_test(sets_nulls),
        cmocka_unit_test(reports_memory),
    };
    return cmocka_run_group_tests_name("buffers", tests, NULL, NULL);
}
