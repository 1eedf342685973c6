/*
 * Temporary files: streams side by side, rows of every kind, errors.
 */
#include <unistd.h>

#include "engine/exec/spill.h"
#include "tests/unit/exec/exec_case.h"

static void test_streams(void **state) {
    (void)state;
    enum { STREAMS = 5, ROUNDS = 4000 };
    const struct case_setting setting = {.thread_count = 1, .batch_rows = 64};
    struct case_engine engine;
    struct oriel_error error;
    struct oriel_spill *spill;
    struct oriel_spill_stream streams[STREAMS];
    struct case_random random = {3};
    static char block[100000];
    case_engine_open(&engine, &setting);
    assert_int_equal(oriel_spill_open(&engine.runtime, &spill, &error), ORIEL_OK);
    for (int s = 0; s < STREAMS; s++)
        oriel_spill_stream_init(&streams[s], spill);
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t s = (uint32_t)i % STREAMS;
        const uint32_t size = (uint32_t)case_below(&random, i % 500 ? 60 : sizeof block);
        memset(block, i & 0xFF, size);
        assert_int_equal(oriel_spill_append(&streams[s], &size, sizeof size, &error), ORIEL_OK);
        assert_int_equal(oriel_spill_append(&streams[s], block, size, &error), ORIEL_OK);
        if (i % 97 == 0)
            assert_int_equal(oriel_spill_flush(&streams[s], &error), ORIEL_OK);
    }
    for (uint32_t s = 0; s < STREAMS; s++) {
        struct oriel_spill_reader reader;
        assert_int_equal(oriel_spill_flush(&streams[s], &error), ORIEL_OK);
        oriel_spill_reader_init(&reader, &streams[s]);
        for (uint32_t i = s; i < ROUNDS; i += STREAMS) {
            uint32_t size;
            assert_int_equal(oriel_spill_read(&reader, &size, sizeof size, &error), ORIEL_OK);
            assert_int_equal(oriel_spill_read(&reader, block, size, &error), ORIEL_OK);
            for (uint32_t k = 0; k < size; k++)
                assert_int_equal((unsigned char)block[k], i & 0xFF);
        }
        assert_int_equal(reader.left_bytes, 0);
        oriel_spill_reader_deinit(&reader);
        oriel_spill_stream_deinit(&streams[s]);
    }
    oriel_spill_close(&spill);
    case_engine_close(&engine);
}

/* What was appended since a mark is gone after a rewind, and appending goes on there. */
static void test_rewind(void **state) {
    (void)state;
    enum { ROUNDS = 300 };
    const struct case_setting setting = {.thread_count = 1, .batch_rows = 64};
    struct case_engine engine;
    struct oriel_error error;
    struct oriel_spill *spill;
    struct oriel_spill_stream stream;
    struct oriel_spill_reader reader;
    static char block[20000];
    case_engine_open(&engine, &setting);
    assert_int_equal(oriel_spill_open(&engine.runtime, &spill, &error), ORIEL_OK);
    oriel_spill_stream_init(&stream, spill);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const struct oriel_spill_mark mark = oriel_spill_mark(&stream);
        memset(block, 0x55, sizeof block);
        assert_int_equal(oriel_spill_append(&stream, block, i * 61, &error), ORIEL_OK);
        if (i % 3 == 0)
            assert_int_equal(oriel_spill_flush(&stream, &error), ORIEL_OK);
        oriel_spill_rewind(&stream, mark);
        assert_int_equal(oriel_spill_append(&stream, &i, sizeof i, &error), ORIEL_OK);
        assert_int_equal(oriel_spill_flush(&stream, &error), ORIEL_OK);
    }
    assert_int_equal(stream.size_bytes, ROUNDS * sizeof(uint32_t));
    oriel_spill_reader_init(&reader, &stream);
    for (uint32_t i = 0, back; i < ROUNDS; i++) {
        assert_int_equal(oriel_spill_read(&reader, &back, sizeof back, &error), ORIEL_OK);
        assert_int_equal(back, i);
    }
    oriel_spill_reader_deinit(&reader);
    oriel_spill_stream_deinit(&stream);
    oriel_spill_close(&spill);
    case_engine_close(&engine);
}

static void test_rows(void **state) {
    (void)state;
    const struct case_setting setting = {.thread_count = 1, .batch_rows = 64};
    const struct case_shape shape = {1000, 50, 1000, 20, 10, false};
    struct case_random random = {4};
    struct case_rows rows = case_make_rows(&random, &shape);
    struct case_engine engine;
    struct oriel_error error;
    struct oriel_spill *spill;
    struct oriel_spill_stream stream;
    struct oriel_spill_reader reader;
    struct oriel_table table, back;
    uint32_t picked[300];
    case_engine_open(&engine, &setting);
    case_make_table(&engine.memory, &rows, &table);
    assert_int_equal(oriel_spill_open(&engine.runtime, &spill, &error), ORIEL_OK);
    oriel_spill_stream_init(&stream, spill);
    assert_int_equal(
        oriel_spill_append_rows(&stream, table.columns, CASE_COLUMNS, NULL, 64, 700, &error),
        ORIEL_OK);
    for (size_t i = 0; i < 300; i++)
        picked[i] = (uint32_t)case_below(&random, 1000);
    assert_int_equal(
        oriel_spill_append_rows(&stream, table.columns, CASE_COLUMNS, picked, 0, 300, &error),
        ORIEL_OK);
    assert_int_equal(oriel_spill_flush(&stream, &error), ORIEL_OK);
    oriel_table_init(&back, &engine.memory, case_schema);
    oriel_spill_reader_init(&reader, &stream);
    assert_int_equal(oriel_spill_read_rows(&reader, &back, &error), ORIEL_OK);
    assert_int_equal(back.row_count, 700);
    assert_int_equal(oriel_spill_read_rows(&reader, &back, &error), ORIEL_OK);
    assert_int_equal(oriel_spill_read_rows(&reader, &back, &error), ORIEL_DONE);
    for (size_t i = 0; i < 1000; i++)
        for (int c = 0; c < CASE_COLUMNS; c++)
            assert_int_equal(oriel_column_compare(&back.columns[c], i, &table.columns[c],
                                                  i < 700 ? i + 64 : picked[i - 700]),
                             0);
    oriel_spill_reader_deinit(&reader);
    oriel_spill_stream_deinit(&stream);
    oriel_spill_close(&spill);
    oriel_table_deinit(&table);
    oriel_table_deinit(&back);
    case_engine_close(&engine);
    case_free_rows(&rows);
}

static void test_folder(void **state) {
    (void)state;
    const struct case_setting setting = {.thread_count = 1, .batch_rows = 64};
    struct case_engine engine;
    struct oriel_error error;
    struct oriel_spill *spill = NULL;
    case_engine_open(&engine, &setting);
    engine.runtime.temp_dir = "/no such folder";
    assert_int_equal(oriel_spill_open(&engine.runtime, &spill, &error), ORIEL_IO);
    assert_non_null(strstr(error.message, "/no such folder"));
    case_engine_close(&engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_rewind),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
