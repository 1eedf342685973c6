/*
 * The allocator: malloc behind a limit, a count and a failure hook. Blocks carry no header, so
 * callers give the size back with the block. Large blocks are mappings of their own, in huge pages
 * where the system has them: page faults cost more than the work that fills the memory, and a
 * mapping grows without a copy.
 */
#include "engine/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    MAPPED_BYTES_MIN = 4 << 20,
    HUGE_PAGE_BYTES = 2 << 20,
    PAGE_BYTES_MAX = 64 << 10, /* of the machine: mappings end on a multiple */
    KEPT_BYTES_MAX = 16 << 20, /* free memory that malloc may keep when there is a limit */
};

static int is_mapped(const struct oriel_memory *memory, size_t padded_bytes) {
    return !memory->allocate && padded_bytes >= MAPPED_BYTES_MIN;
}

static size_t mapped_size(size_t padded_bytes) {
    return (padded_bytes + PAGE_BYTES_MAX - 1) & ~(size_t)(PAGE_BYTES_MAX - 1);
}

/* A mapping that begins at a multiple of huge pages: others have small pages at both ends, which in
 * a block of 4 MB is half of it. */
static void *map_block(size_t padded_bytes) {
    const size_t size = mapped_size(padded_bytes);
    if (size > SIZE_MAX - HUGE_PAGE_BYTES)
        return NULL;
    char *all = mmap(NULL, size + HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    const size_t lead = -(uintptr_t)all & (HUGE_PAGE_BYTES - 1);
    if (lead)
        munmap(all, lead);
    if (lead < HUGE_PAGE_BYTES)
        munmap(all + lead + size, HUGE_PAGE_BYTES - lead);
    madvise(all + lead, size, MADV_HUGEPAGE); /* a wish; failing is fine */
    return all + lead;
}

/* Grows or shrinks a mapping, in place or to another multiple of huge pages, where they stay
 * whole. */
static void *move_block(void *block, size_t old_padded, size_t padded) {
    const size_t old_size = mapped_size(old_padded), size = mapped_size(padded);
    void *moved = mremap(block, old_size, size, 0);
    if (moved == MAP_FAILED) {
        void *place = map_block(padded);
        if (!place)
            return NULL;
        moved = mremap(block, old_size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place);
        if (moved == MAP_FAILED) {
            munmap(place, size);
            return NULL;
        }
    }
    madvise(moved, size, MADV_HUGEPAGE);
    return moved;
}

static int padded_size(size_t size_bytes, size_t *out) {
    if (size_bytes > SIZE_MAX - ORIEL_BUFFER_PADDING - ORIEL_ALIGNMENT)
        return 0;
    *out =
        (size_bytes + ORIEL_BUFFER_PADDING + ORIEL_ALIGNMENT - 1) & ~(size_t)(ORIEL_ALIGNMENT - 1);
    return 1;
}

static void raise_to(atomic_size_t *highest, size_t value) {
    size_t seen = atomic_load_explicit(highest, memory_order_relaxed);
    while (value > seen && !atomic_compare_exchange_weak_explicit(
                               highest, &seen, value, memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* What may be used beyond the limit. */
static size_t borrowed_bytes(struct oriel_memory *memory) {
    if (atomic_load_explicit(&memory->borrowers, memory_order_relaxed) == 0)
        return 0;
    return memory->limit_bytes < ORIEL_BORROW_BYTES ? memory->limit_bytes : ORIEL_BORROW_BYTES;
}

static struct oriel_memory *root_of(struct oriel_memory *memory) {
    while (memory->parent)
        memory = memory->parent;
    return memory;
}

void oriel_memory_borrow(struct oriel_memory *memory) {
    atomic_fetch_add_explicit(&root_of(memory)->borrowers, 1, memory_order_relaxed);
}

void oriel_memory_repay(struct oriel_memory *memory) {
    atomic_fetch_sub_explicit(&root_of(memory)->borrowers, 1, memory_order_relaxed);
}

void oriel_memory_note_piece(struct oriel_memory *memory, size_t row_count, size_t size_bytes) {
    raise_to(&root_of(memory)->piece_rows, row_count);
    raise_to(&root_of(memory)->piece_bytes, size_bytes);
}

size_t oriel_memory_piece_rows(const struct oriel_memory *memory) {
    return memory->parent ? oriel_memory_piece_rows(memory->parent)
                          : atomic_load_explicit(&memory->piece_rows, memory_order_relaxed);
}

size_t oriel_memory_piece_bytes(const struct oriel_memory *memory) {
    return memory->parent ? oriel_memory_piece_bytes(memory->parent)
                          : atomic_load_explicit(&memory->piece_bytes, memory_order_relaxed);
}

static int reserve(struct oriel_memory *memory, size_t size_bytes) {
    const size_t used =
        atomic_fetch_add_explicit(&memory->used_bytes, size_bytes, memory_order_relaxed) +
        size_bytes;
    if (memory->limit_bytes && used > memory->limit_bytes &&
        used - memory->limit_bytes > borrowed_bytes(memory)) {
        atomic_fetch_sub_explicit(&memory->used_bytes, size_bytes, memory_order_relaxed);
        return 0;
    }
    raise_to(&memory->peak_bytes, used);
    return 1;
}

/* Counts a call; false for the one that is made to fail. */
static int may_allocate(struct oriel_memory *memory) {
    const size_t call = atomic_fetch_add_explicit(&memory->call_count, 1, memory_order_relaxed) + 1;
    return call != memory->fail_at_call;
}

/* The block came from malloc. */
static void count_heap(struct oriel_memory *memory, size_t padded_bytes) {
    if (memory->limit_bytes)
        raise_to(
            &memory->heap_kept_bytes,
            atomic_fetch_add_explicit(&memory->heap_bytes, padded_bytes, memory_order_relaxed) +
                padded_bytes);
}

/* The block went back to malloc, which keeps its pages: what a spill frees would stay beside what
 * is mapped in its stead, and the process outgrow its limit. */
static void uncount_heap(struct oriel_memory *memory, size_t padded_bytes) {
    if (!memory->limit_bytes)
        return;
    const size_t left =
        atomic_fetch_sub_explicit(&memory->heap_bytes, padded_bytes, memory_order_relaxed) -
        padded_bytes;
    size_t kept = atomic_load_explicit(&memory->heap_kept_bytes, memory_order_relaxed);
    if (kept < left || kept - left <= KEPT_BYTES_MAX ||
        !atomic_compare_exchange_strong_explicit(&memory->heap_kept_bytes, &kept, left,
                                                 memory_order_relaxed, memory_order_relaxed))
        return;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void oriel_memory_account_init(struct oriel_memory *account, struct oriel_memory *parent) {
    *account = (struct oriel_memory){.limit_bytes = parent->limit_bytes, .parent = parent};
}

/* Counts what the parent gave; blocks that were given back elsewhere can have made it negative. */
static void account_add(struct oriel_memory *account, size_t padded_bytes) {
    const size_t used =
        atomic_fetch_add_explicit(&account->used_bytes, padded_bytes, memory_order_relaxed) +
        padded_bytes;
    if (used <= SIZE_MAX / 2)
        raise_to(&account->peak_bytes, used);
}

static void account_subtract(struct oriel_memory *account, size_t padded_bytes) {
    atomic_fetch_sub_explicit(&account->used_bytes, padded_bytes, memory_order_relaxed);
}

void *oriel_memory_allocate(struct oriel_memory *memory, size_t size_bytes) {
    size_t padded;
    if (memory->parent) {
        void *taken = oriel_memory_allocate(memory->parent, size_bytes);
        if (taken && padded_size(size_bytes, &padded))
            account_add(memory, padded);
        return taken;
    }
    if (!may_allocate(memory) || !padded_size(size_bytes, &padded) || !reserve(memory, padded))
        return NULL;
    const int from_heap = !memory->allocate && !is_mapped(memory, padded);
    void *block = memory->allocate ? memory->allocate(padded, memory->context)
                  : from_heap      ? aligned_alloc(ORIEL_ALIGNMENT, padded)
                                   : map_block(padded);
    if (!block)
        atomic_fetch_sub_explicit(&memory->used_bytes, padded, memory_order_relaxed);
    else if (from_heap)
        count_heap(memory, padded);
    return block;
}

void *oriel_memory_allocate_zeroed(struct oriel_memory *memory, size_t count, size_t size_bytes) {
    size_t total;
    if (__builtin_mul_overflow(count, size_bytes, &total))
        return NULL;
    void *block = oriel_memory_allocate(memory, total);
    size_t padded;
    if (block && padded_size(total, &padded) && !is_mapped(root_of(memory), padded))
        memset(block, 0, total); /* a fresh mapping is zero */
    return block;
}

static void *remap_block(struct oriel_memory *memory, void *block, size_t old_padded,
                         size_t padded) {
    const size_t growth = padded > old_padded ? padded - old_padded : 0;
    if (!may_allocate(memory) || !reserve(memory, growth))
        return NULL;
    void *moved = move_block(block, old_padded, padded);
    if (!moved) {
        atomic_fetch_sub_explicit(&memory->used_bytes, growth, memory_order_relaxed);
        return NULL;
    }
    if (padded < old_padded)
        atomic_fetch_sub_explicit(&memory->used_bytes, old_padded - padded, memory_order_relaxed);
    return moved;
}

void *oriel_memory_resize(struct oriel_memory *memory, void *block, size_t old_size_bytes,
                          size_t size_bytes) {
    size_t old_padded, padded;
    if (memory->parent) {
        void *moved = oriel_memory_resize(memory->parent, block, old_size_bytes, size_bytes);
        if (moved && block && padded_size(old_size_bytes, &old_padded))
            account_subtract(memory, old_padded);
        if (moved && padded_size(size_bytes, &padded))
            account_add(memory, padded);
        return moved;
    }
    if (block && padded_size(old_size_bytes, &old_padded) && padded_size(size_bytes, &padded) &&
        is_mapped(memory, old_padded) && is_mapped(memory, padded))
        return remap_block(memory, block, old_padded, padded);
    void *grown = oriel_memory_allocate(memory, size_bytes);
    if (!grown)
        return NULL;
    if (block) {
        memcpy(grown, block, old_size_bytes < size_bytes ? old_size_bytes : size_bytes);
        oriel_memory_release(memory, block, old_size_bytes);
    }
    return grown;
}

void *oriel_memory_resize_zeroed(struct oriel_memory *memory, void *block, size_t old_size_bytes,
                                 size_t size_bytes) {
    size_t old_padded, padded;
    if (!block)
        return oriel_memory_allocate_zeroed(memory, 1, size_bytes);
    char *grown = oriel_memory_resize(memory, block, old_size_bytes, size_bytes);
    if (!grown || size_bytes <= old_size_bytes)
        return grown;
    /* What a mapping grows by is zero; what the old one had behind its end need not be. */
    size_t end = size_bytes;
    if (padded_size(old_size_bytes, &old_padded) && padded_size(size_bytes, &padded) &&
        is_mapped(memory, old_padded) && is_mapped(memory, padded) && mapped_size(old_padded) < end)
        end = mapped_size(old_padded);
    memset(grown + old_size_bytes, 0, end - old_size_bytes);
    return grown;
}

void oriel_memory_release(struct oriel_memory *memory, void *block, size_t size_bytes) {
    size_t padded;
    if (!block || !padded_size(size_bytes, &padded))
        return;
    if (memory->parent) {
        oriel_memory_release(memory->parent, block, size_bytes);
        account_subtract(memory, padded);
        return;
    }
    if (memory->release)
        memory->release(block, padded, memory->context);
    else if (is_mapped(memory, padded))
        munmap(block, mapped_size(padded));
    else {
        free(block);
        uncount_heap(memory, padded);
    }
    atomic_fetch_sub_explicit(&memory->used_bytes, padded, memory_order_relaxed);
}

int oriel_memory_take(struct oriel_memory *memory, size_t size_bytes, int anyway) {
    if (memory->parent) {
        const int taken = oriel_memory_take(memory->parent, size_bytes, anyway);
        if (taken || anyway)
            account_add(memory, size_bytes);
        return taken;
    }
    if (may_allocate(memory) && reserve(memory, size_bytes))
        return 1;
    if (anyway)
        atomic_fetch_add_explicit(&memory->used_bytes, size_bytes, memory_order_relaxed);
    return 0;
}

void oriel_memory_give(struct oriel_memory *memory, size_t size_bytes) {
    if (memory->parent)
        oriel_memory_give(memory->parent, size_bytes);
    atomic_fetch_sub_explicit(&memory->used_bytes, size_bytes, memory_order_relaxed);
}

size_t oriel_memory_available(const struct oriel_memory *memory) {
    if (memory->parent)
        return oriel_memory_available(memory->parent);
    const size_t used = atomic_load_explicit(&memory->used_bytes, memory_order_relaxed);
    if (!memory->limit_bytes)
        return SIZE_MAX;
    return used < memory->limit_bytes ? memory->limit_bytes - used : 0;
}
