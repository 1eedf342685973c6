/*
 * The task pool: every worker runs once, errors are those of the lowest.
 */
#include "tests/unit/exec/exec_case.h"

struct visits {
    _Atomic unsigned count[8];
    unsigned failing; /* workers from here on fail */
};

static enum oriel_status visit(void *context, unsigned worker, struct oriel_error *error) {
    struct visits *visits = context;
    visits->count[worker]++;
    if (worker >= visits->failing)
        return oriel_error_set(error, ORIEL_RUNTIME, "worker %u", worker);
    return ORIEL_OK;
}

static void test_all_run(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads++) {
        struct oriel_memory memory = {0};
        struct oriel_task_pool *pool;
        struct oriel_error error = {0};
        struct visits visits = {.failing = 100};
        assert_int_equal(oriel_task_pool_open(&memory, threads, NULL, &pool, &error), ORIEL_OK);
        assert_int_equal(oriel_task_pool_worker_count(pool), threads);
        for (int round = 0; round < 200; round++)
            assert_int_equal(oriel_task_pool_run(pool, visit, &visits, &error), ORIEL_OK);
        for (unsigned w = 0; w < threads; w++)
            assert_int_equal(visits.count[w], 200);
        visits.failing = threads / 2;
        assert_int_equal(oriel_task_pool_run(pool, visit, &visits, &error), ORIEL_RUNTIME);
        char expected[32];
        snprintf(expected, sizeof expected, "worker %u", threads / 2);
        assert_string_equal(error.message, expected);
        oriel_task_pool_close(&pool);
        assert_null(pool);
        assert_int_equal(memory.used_bytes, 0);
    }
}

static void test_no_memory(void **state) {
    (void)state;
    struct oriel_memory memory = {.fail_at_call = 1};
    struct oriel_task_pool *pool = NULL;
    struct oriel_error error = {0};
    assert_int_equal(oriel_task_pool_open(&memory, 2, NULL, &pool, &error), ORIEL_MEMORY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_run),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
