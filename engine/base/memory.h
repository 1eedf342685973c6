/*
 * The only allocator of the library. One object an engine; it bounds and counts what is in use
 * and can be told to fail, which the fault tests use. Thread-safe.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ORIEL_ALIGNMENT = 64,      /* of every block */
    ORIEL_BUFFER_PADDING = 64, /* bytes past the asked size that may be read and written */
};

struct oriel_memory {
    size_t limit_bytes;            /* 0: unbounded */
    atomic_size_t used_bytes;      /* blocks in use */
    atomic_size_t peak_bytes;      /* the highest value of used_bytes */
    atomic_size_t call_count;      /* allocations asked for so far */
    size_t fail_at_call;           /* the call that fails, counted from 1; 0: none */
    atomic_size_t heap_bytes;      /* with a limit: of used_bytes, what malloc gave */
    atomic_size_t heap_kept_bytes; /* the highest heap_bytes since malloc last gave pages back */
    void *(*allocate)(size_t size_bytes, void *context); /* caller's allocator; NULL: malloc */
    void (*release)(void *block, size_t size_bytes, void *context);
    void *context;
    atomic_size_t piece_rows, piece_bytes; /* see oriel_memory_note_piece */
    atomic_uint borrowers;                 /* see oriel_memory_borrow */
    struct oriel_memory *parent; /* NULL, or the memory that blocks come from: see account_init */
};

/* Makes `account` count the blocks of one of several users of `parent`, which has the limit. Its
 * blocks may be given back through another account of the same parent: used_bytes is then off, the
 * parent's never. */
void oriel_memory_account_init(struct oriel_memory *account, struct oriel_memory *parent);

/* Returns a block of `size_bytes` (plus padding), aligned to ORIEL_ALIGNMENT, content undefined;
 * NULL when the limit is reached or the system has none. A size of 0 gives a valid block. */
void *oriel_memory_allocate(struct oriel_memory *memory, size_t size_bytes);

/* The same for count * size bytes, with the product checked, and zeroed. */
void *oriel_memory_allocate_zeroed(struct oriel_memory *memory, size_t count, size_t size_bytes);

/* Grows or shrinks a block, keeping min(old, new) bytes; NULL leaves the old block as it was. */
void *oriel_memory_resize(struct oriel_memory *memory, void *block, size_t old_size_bytes,
                          size_t size_bytes);

/* The same; bytes from old_size_bytes on are zero. With NULL as `block` all are. */
void *oriel_memory_resize_zeroed(struct oriel_memory *memory, void *block, size_t old_size_bytes,
                                 size_t size_bytes);

/* Gives a block back; `size_bytes` is the size it was asked with. NULL is allowed. */
void oriel_memory_release(struct oriel_memory *memory, void *block, size_t size_bytes);

/* Counts memory that another library allocates for the engine. Returns 0 when there may be no more;
 * with `anyway` it is counted all the same, for a library that cannot go without it. */
int oriel_memory_take(struct oriel_memory *memory, size_t size_bytes, int anyway);
void oriel_memory_give(struct oriel_memory *memory, size_t size_bytes);

/* Bytes that may still be allocated below the limit; SIZE_MAX without a limit. */
size_t oriel_memory_available(const struct oriel_memory *memory);

/* A reader says how many rows a piece of its input has, and how many bytes of it are in memory at
 * once; the highest values serve errors that name a sufficient limit. */
void oriel_memory_note_piece(struct oriel_memory *memory, size_t row_count, size_t size_bytes);
size_t oriel_memory_piece_rows(const struct oriel_memory *memory);
size_t oriel_memory_piece_bytes(const struct oriel_memory *memory);

/* Until it is repaid, everyone may go over the limit by ORIEL_BORROW_BYTES or as much again, what
 * is less: for work that needs a little memory to give much back. Any number of threads. */
enum { ORIEL_BORROW_BYTES = 16 << 20 };
void oriel_memory_borrow(struct oriel_memory *memory);
void oriel_memory_repay(struct oriel_memory *memory);
