/*
 * The allocator and arenas: limits, counts, the failing call, alignment, reuse.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/arena.h"

static void counts_and_limits(void **state) {
    (void)state;
    struct oriel_memory memory = {.limit_bytes = 4096};
    char *block = oriel_memory_allocate(&memory, 1000);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % ORIEL_ALIGNMENT, 0);
    memset(block, 1, 1000 + ORIEL_BUFFER_PADDING);
    assert_true(memory.used_bytes >= 1000 && memory.used_bytes <= 4096);
    assert_int_equal(oriel_memory_available(&memory), 4096 - memory.used_bytes);
    assert_null(oriel_memory_allocate(&memory, 4000));
    const size_t used_bytes = memory.used_bytes;
    char *grown = oriel_memory_resize(&memory, block, 1000, 2000);
    assert_non_null(grown);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(grown[i], 1);
    assert_null(oriel_memory_resize(&memory, grown, 2000, 8000));
    assert_true(memory.peak_bytes > used_bytes && memory.peak_bytes <= 4096);
    oriel_memory_release(&memory, grown, 2000);
    oriel_memory_release(&memory, NULL, 5);
    assert_int_equal(memory.used_bytes, 0);
    void *empty = oriel_memory_allocate(&memory, 0);
    assert_non_null(empty);
    oriel_memory_release(&memory, empty, 0);
    assert_int_equal(memory.used_bytes, 0);
}

/* A borrower may go over the limit by as much again, until it repays. */
static void borrows(void **state) {
    (void)state;
    struct oriel_memory memory = {.limit_bytes = 4096}, account;
    oriel_memory_account_init(&account, &memory);
    assert_null(oriel_memory_allocate(&memory, 6000));
    oriel_memory_borrow(&account);
    void *block = oriel_memory_allocate(&memory, 6000);
    assert_non_null(block);
    assert_null(oriel_memory_allocate(&memory, 4000));
    assert_int_equal(oriel_memory_available(&memory), 0);
    oriel_memory_repay(&account);
    assert_null(oriel_memory_allocate(&memory, 100));
    oriel_memory_release(&memory, block, 6000);
    assert_int_equal(memory.used_bytes, 0);
}

/* With a limit, what malloc keeps of freed blocks is bounded. */
static void gives_pages_back(void **state) {
    (void)state;
    enum { BLOCKS = 2000, BLOCK_BYTES = 32 << 10, KEPT_BYTES = 17 << 20 };
    struct oriel_memory memory = {.limit_bytes = (size_t)1 << 30};
    static void *blocks[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = oriel_memory_allocate(&memory, BLOCK_BYTES);
        assert_non_null(blocks[i]);
        memset(blocks[i], 1, BLOCK_BYTES);
    }
    assert_int_equal(memory.heap_bytes, memory.used_bytes);
    void *mapped = oriel_memory_allocate(&memory, 8 << 20);
    assert_true(memory.used_bytes >= memory.heap_bytes + (8 << 20));
    for (size_t i = 0; i < BLOCKS; i++) {
        oriel_memory_release(&memory, blocks[i], BLOCK_BYTES);
        assert_true(memory.heap_kept_bytes <= memory.heap_bytes + KEPT_BYTES);
    }
    oriel_memory_release(&memory, mapped, 8 << 20);
    assert_int_equal(memory.heap_bytes, 0);
    assert_int_equal(memory.used_bytes, 0);
}

static void fails_when_told(void **state) {
    (void)state;
    struct oriel_memory memory = {.fail_at_call = 2};
    void *first = oriel_memory_allocate(&memory, 1);
    assert_non_null(first);
    assert_null(oriel_memory_allocate(&memory, 1));
    void *third = oriel_memory_allocate_zeroed(&memory, 10, 10);
    assert_non_null(third);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(((char *)third)[i], 0);
    assert_null(oriel_memory_allocate_zeroed(&memory, SIZE_MAX / 2, 3));
    assert_null(oriel_memory_allocate(&memory, SIZE_MAX));
    oriel_memory_release(&memory, first, 1);
    oriel_memory_release(&memory, third, 100);
    assert_int_equal(memory.used_bytes, 0);
}

static void fills_arenas(void **state) {
    (void)state;
    struct oriel_memory memory = {0};
    struct oriel_arena arena;
    oriel_arena_init(&arena, &memory);
    for (int round = 0; round < 3; round++) {
        for (size_t size = 0; size < 3000; size += 7) {
            char *block = oriel_arena_allocate(&arena, size);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % 16, 0);
            memset(block, 0xAB, size);
        }
        assert_string_equal(oriel_arena_copy(&arena, "text and more", 4), "text");
        assert_string_equal(oriel_arena_print(&arena, "%d-%s", 7, "x"), "7-x");
        char *large = oriel_arena_allocate_zeroed(&arena, 3, 1 << 20);
        assert_non_null(large);
        assert_int_equal(large[(3 << 20) - 1], 0);
        const size_t before = memory.used_bytes;
        oriel_arena_reset(&arena);
        assert_true(memory.used_bytes < before);
    }
    oriel_arena_deinit(&arena);
    assert_int_equal(memory.used_bytes, 0);
    assert_int_equal(arena.total_bytes, 0);
}

static void arenas_report_memory(void **state) {
    (void)state;
    struct oriel_memory memory = {.fail_at_call = 1};
    struct oriel_arena arena;
    oriel_arena_init(&arena, &memory);
    assert_null(oriel_arena_allocate(&arena, 10));
    assert_non_null(oriel_arena_allocate(&arena, 10));
    assert_null(oriel_arena_allocate(&arena, SIZE_MAX));
    assert_null(oriel_arena_allocate(&arena, SIZE_MAX - 64));
    assert_null(oriel_arena_allocate_zeroed(&arena, SIZE_MAX / 2, 4));
    assert_null(oriel_arena_copy(&arena, "", SIZE_MAX));
    oriel_arena_deinit(&arena);
    assert_int_equal(memory.used_bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_limits), cmocka_unit_test(borrows),
        cmocka_unit_test(gives_pages_back),  cmocka_unit_test(fails_when_told),
        cmocka_unit_test(fills_arenas),      cmocka_unit_test(arenas_report_memory),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
