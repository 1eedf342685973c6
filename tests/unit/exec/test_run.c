/*
 * Errors, cancellation and early ends: which error wins, and that nothing leaks or hangs.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "tests/unit/exec/exec_case.h"

/* A source of morsels with one BIGINT row each, the morsel's number; some fail. */
struct numbers {
    struct oriel_source source;
    struct oriel_memory *memory;
    uint64_t morsel_count;
    uint64_t first_bad; /* from here on every third morsel fails */
    _Atomic uint64_t next;
};

static const struct oriel_field number_field = {"number", {.id = ORIEL_TYPE_BIGINT}};

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    (void)source;
    (void)worker_count;
    (void)error;
    return ORIEL_OK;
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct numbers *self = (struct numbers *)source;
    (void)error;
    *morsel = (struct oriel_morsel){.number = self->next++};
    return morsel->number < self->morsel_count ? ORIEL_OK : ORIEL_DONE;
}

static enum oriel_status read_number(struct oriel_source *source, unsigned worker,
                                     const struct oriel_morsel *morsel, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct numbers *self = (struct numbers *)source;
    (void)worker;
    int64_t value[8] = {(int64_t)morsel->number};
    const struct oriel_column column = {.type = number_field.type, .values = value};
    const struct oriel_batch batch = {1, 1, &column, morsel->number, NULL};
    if (morsel->number % 7 == 0) {
        /* the low morsels are the slow ones */
        const struct timespec pause = {0, 200000};
        nanosleep(&pause, NULL);
    }
    ORIEL_TRY(push(context, &batch, error));
    if (morsel->number >= self->first_bad && (morsel->number - self->first_bad) % 3 == 0)
        return oriel_error_set(error, ORIEL_DATA, "morsel %d", (int)morsel->number);
    return ORIEL_OK;
}

static void close_numbers(struct oriel_source *source) {
    struct numbers *self = (struct numbers *)source;
    oriel_memory_release(self->memory, self, sizeof *self);
}

static const struct oriel_source_operations number_operations = {start, claim, read_number,
                                                                 close_numbers};

static enum oriel_status open_numbers(void *context, const struct oriel_plan *scan,
                                      const struct oriel_runtime *runtime,
                                      struct oriel_source **out, struct oriel_error *error) {
    struct numbers *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    (void)scan;
    if (!self)
        return oriel_error_memory(error);
    const uint64_t *bounds = context;
    self->source = (struct oriel_source){&number_operations, {1, &number_field}};
    self->memory = runtime->memory;
    self->morsel_count = bounds[0];
    self->first_bad = bounds[1];
    *out = &self->source;
    return ORIEL_OK;
}

/* Checks that pieces come in order. */
struct collected {
    struct case_engine *engine;
    int64_t count;
    int64_t fail_at, cancel_at;
    bool anywhere; /* any worker may deliver */
    atomic_bool is_delivering;
    pthread_t caller;
};

/* Rising numbers. */
struct number_piece {
    int64_t first, count;
};

static enum oriel_status begin(void *context, unsigned worker, void **piece,
                               struct oriel_error *error) {
    (void)worker;
    struct collected *collected = context;
    (void)error;
    *piece =
        oriel_memory_allocate_zeroed(&collected->engine->memory, 1, sizeof(struct number_piece));
    return *piece ? ORIEL_OK : oriel_error_memory(error);
}

static enum oriel_status add(void *context, void *piece, const struct oriel_batch *batch,
                             struct oriel_error *error) {
    (void)context;
    (void)error;
    struct number_piece *numbers = piece;
    const int64_t *values = batch->columns[0].values;
    if (numbers->count == 0)
        numbers->first = values[0];
    for (size_t i = 0; i < batch->row_count; i++)
        assert_int_equal(values[i], numbers->first + numbers->count++);
    return ORIEL_OK;
}

static void drop(void *context, void *piece) {
    struct collected *collected = context;
    oriel_memory_release(&collected->engine->memory, piece, sizeof(struct number_piece));
}

static enum oriel_status deliver(void *context, void *piece, struct oriel_error *error) {
    struct collected *collected = context;
    assert_true(collected->anywhere || pthread_equal(pthread_self(), collected->caller));
    assert_false(atomic_exchange(&collected->is_delivering, true)); /* one at a time */
    const struct number_piece numbers = *(struct number_piece *)piece;
    assert_int_equal(numbers.first, collected->count);
    drop(context, piece);
    const bool fails = collected->count == collected->fail_at;
    if (collected->count == collected->cancel_at)
        collected->engine->cancelled = true;
    if (!fails)
        collected->count += numbers.count;
    atomic_store(&collected->is_delivering, false);
    return fails ? oriel_error_set(error, ORIEL_IO, "no room") : ORIEL_OK;
}

static bool is_full(const void *piece) {
    return ((const struct number_piece *)piece)->count >= 3;
}

static enum oriel_status run(const struct oriel_plan *plan, unsigned threads, uint64_t bounds[2],
                             struct collected *collected, struct oriel_error *error) {
    const struct case_setting setting = {.thread_count = threads, .batch_rows = 64};
    struct case_engine engine;
    struct oriel_execution *execution;
    collected->engine = &engine;
    collected->count = 0;
    collected->caller = pthread_self();
    const struct oriel_piece_maker maker = {.context = collected,
                                            .delivers_anywhere = collected->anywhere,
                                            .is_full = collected->anywhere ? is_full : NULL,
                                            .begin = begin,
                                            .add = add,
                                            .deliver = deliver,
                                            .drop = drop};
    case_engine_open(&engine, &setting);
    assert_int_equal(
        oriel_execution_open(plan, &engine.runtime, open_numbers, bounds, &execution, error),
        ORIEL_OK);
    const enum oriel_status status = oriel_execution_run(execution, &maker, error);
    oriel_execution_close(&execution);
    case_engine_close(&engine);
    return status;
}

static struct oriel_plan number_scan(void) {
    return (struct oriel_plan){.kind = ORIEL_PLAN_SCAN, .schema = {1, &number_field}};
}

static void test_first_error_wins(void **state) {
    (void)state;
    const struct oriel_plan scan = number_scan();
    for (unsigned threads = 1; threads <= 4; threads++)
        for (int round = 0; round < 20; round++) {
            uint64_t bounds[] = {500, 91};
            struct collected collected = {.fail_at = -1, .cancel_at = -1, .anywhere = round % 2};
            struct oriel_error error = {0};
            assert_int_equal(run(&scan, threads, bounds, &collected, &error), ORIEL_DATA);
            assert_string_equal(error.message, "morsel 91");
            assert_int_equal(collected.count, 91);
        }
}

static void test_delivery_fails(void **state) {
    (void)state;
    const struct oriel_plan scan = number_scan();
    for (unsigned threads = 1; threads <= 8; threads++) {
        uint64_t bounds[] = {500, 400};
        struct collected collected = {.fail_at = 33, .cancel_at = -1, .anywhere = threads > 4};
        struct oriel_error error = {0};
        assert_int_equal(run(&scan, threads, bounds, &collected, &error), ORIEL_IO);
        assert_string_equal(error.message, "no room");
        assert_int_equal(collected.count, 33);
    }
}

static void test_cancelled(void **state) {
    (void)state;
    const struct oriel_plan scan = number_scan();
    for (unsigned threads = 1; threads <= 8; threads++) {
        uint64_t bounds[] = {100000, 100000};
        struct collected collected = {.fail_at = -1, .cancel_at = 20, .anywhere = threads > 4};
        struct oriel_error error = {0};
        assert_int_equal(run(&scan, threads, bounds, &collected, &error), ORIEL_CANCELLED);
        assert_true(collected.count < 1000);
    }
}

/* LIMIT reads on only as far as needed, and a later error is none. */
static void test_limit_stops(void **state) {
    (void)state;
    struct oriel_plan scan = number_scan(), *list[] = {&scan};
    const struct oriel_plan plan = {.kind = ORIEL_PLAN_LIMIT,
                                    .schema = scan.schema,
                                    .input_count = 1,
                                    .inputs = list,
                                    .limit = {0, 50}};
    for (unsigned threads = 1; threads <= 4; threads++)
        for (int round = 0; round < 20; round++) {
            uint64_t bounds[] = {UINT64_MAX, UINT64_MAX};
            struct collected collected = {.fail_at = -1, .cancel_at = -1, .anywhere = round % 2};
            struct oriel_error error = {0};
            assert_int_equal(run(&plan, threads, bounds, &collected, &error), ORIEL_OK);
            assert_int_equal(collected.count, 50);
            bounds[1] = 50; /* read ahead by others, but not wanted */
            assert_int_equal(run(&plan, threads, bounds, &collected, &error), ORIEL_OK);
            assert_int_equal(collected.count, 50);
            bounds[1] = 17;
            assert_int_equal(run(&plan, threads, bounds, &collected, &error), ORIEL_DATA);
            assert_string_equal(error.message, "morsel 17");
        }
}

static void test_error_in_sink(void **state) {
    (void)state;
    struct oriel_plan scan = number_scan(), *list[] = {&scan};
    const struct oriel_plan plan = {.kind = ORIEL_PLAN_SORT,
                                    .schema = scan.schema,
                                    .input_count = 1,
                                    .inputs = list,
                                    .sort = {.limit = INT64_MAX}};
    for (unsigned threads = 1; threads <= 4; threads++)
        for (int round = 0; round < 20; round++) {
            uint64_t bounds[] = {500, 60};
            struct collected collected = {.fail_at = -1, .cancel_at = -1, .anywhere = round % 2};
            struct oriel_error error = {0};
            assert_int_equal(run(&plan, threads, bounds, &collected, &error), ORIEL_DATA);
            assert_string_equal(error.message, "morsel 60");
            bounds[1] = UINT64_MAX;
            assert_int_equal(run(&plan, threads, bounds, &collected, &error), ORIEL_OK);
            assert_int_equal(collected.count, 500);
        }
}

/* A result that is closed in the midst stops; another one runs beside it. */
static void test_pull(void **state) {
    (void)state;
    const struct oriel_plan scan = number_scan();
    const struct case_setting setting = {.thread_count = 3, .batch_rows = 64};
    uint64_t bounds[] = {UINT64_MAX, UINT64_MAX}, bad[] = {1000, 200};
    struct case_engine engine;
    struct oriel_execution *one, *two;
    struct oriel_error error = {0};
    const struct oriel_batch *batch;
    case_engine_open(&engine, &setting);
    assert_int_equal(
        oriel_execution_open(&scan, &engine.runtime, open_numbers, bounds, &one, &error), ORIEL_OK);
    assert_int_equal(oriel_execution_open(&scan, &engine.runtime, open_numbers, bad, &two, &error),
                     ORIEL_OK);
    for (int64_t i = 0; i < 200; i++) {
        assert_int_equal(oriel_execution_next(one, &batch, &error), ORIEL_OK);
        assert_int_equal(*(const int64_t *)batch->columns[0].values, i);
        assert_int_equal(oriel_execution_next(two, &batch, &error), ORIEL_OK);
        assert_int_equal(*(const int64_t *)batch->columns[0].values, i);
    }
    assert_int_equal(oriel_execution_next(two, &batch, &error), ORIEL_DATA);
    assert_string_equal(error.message, "morsel 200");
    assert_int_equal(oriel_execution_next(two, &batch, &error), ORIEL_DATA);
    oriel_execution_close(&one);
    oriel_execution_close(&two);
    case_engine_close(&engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_error_wins), cmocka_unit_test(test_delivery_fails),
        cmocka_unit_test(test_cancelled),        cmocka_unit_test(test_limit_stops),
        cmocka_unit_test(test_error_in_sink),    cmocka_unit_test(test_pull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
