/*
 * Blocks against guard pages; see guarded.h.
 */
#include "tests/api/guarded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { BLOCKS_MAX = 256 };

static struct {
    char *at;
    size_t size_bytes;
} blocks[BLOCKS_MAX];
static size_t block_count;

void *guarded(size_t size_bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t whole = (size_bytes + page - 1) / page * page;
    assert_true(block_count < BLOCKS_MAX);
    char *at = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(at != MAP_FAILED);
    assert_int_equal(mprotect(at + whole, page, PROT_NONE), 0);
    memset(at, 0xa5, whole);
    blocks[block_count].at = at;
    blocks[block_count++].size_bytes = whole + page;
    return at + whole - size_bytes;
}

void *guarded_copy(const void *bytes, size_t size_bytes) {
    char *at = guarded(size_bytes);
    if (size_bytes)
        memcpy(at, bytes, size_bytes);
    return at;
}

void guarded_freeze_all(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < block_count; i++) {
        const size_t whole = blocks[i].size_bytes - page;
        assert_true(!whole || mprotect(blocks[i].at, whole, PROT_READ) == 0);
    }
}

void guarded_free_all(void) {
    while (block_count) {
        block_count--;
        munmap(blocks[block_count].at, blocks[block_count].size_bytes);
    }
}
