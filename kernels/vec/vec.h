#pragma once

/* The vector vocabulary of the kernels. A type or operation here means the same at every width; the
 * build chooses the width with -DORIEL_VEC_BITS. Only what a kernel uses is here. */

#include "kernels/isa_kernels.h"
#include "kernels/vec/bits.h"

#if ORIEL_VEC_BITS == 128
#include "kernels/vec/vec128.h"
#elif ORIEL_VEC_BITS == 256
#include "kernels/vec/vec256.h"
#elif ORIEL_VEC_BITS == 512
#include "kernels/vec/vec512.h"
#else
#error "ORIEL_VEC_BITS must be 128, 256 or 512"
#endif

/* Text is read in blocks of 64 bytes, one bit of a word for each byte, at every width. */
enum { VEC_BLOCK = 64, VEC_BLOCK_VECTORS = VEC_BLOCK / VEC_U8_LANES };

struct vec_block {
    vec_u8 part[VEC_BLOCK_VECTORS];
};

static inline struct vec_block vec_block_load(const char *text) {
    struct vec_block block;
    for (int k = 0; k < VEC_BLOCK_VECTORS; k++)
        block.part[k] = vec_u8_load(text + k * VEC_U8_LANES);
    return block;
}

/* Bit i: byte i equals the byte that `value` repeats. */
static inline uint64_t vec_block_eq(struct vec_block block, vec_u8 value) {
    uint64_t bits = 0;
    for (int k = 0; k < VEC_BLOCK_VECTORS; k++)
        bits |= vec_u8_eq_bits(block.part[k], value) << (k * VEC_U8_LANES % 64);
    return bits;
}

/* Bit i: byte i is 0x80 or above. */
static inline uint64_t vec_block_top(struct vec_block block) {
    uint64_t bits = 0;
    for (int k = 0; k < VEC_BLOCK_VECTORS; k++)
        bits |= vec_u8_top_bits(block.part[k]) << (k * VEC_U8_LANES % 64);
    return bits;
}

static inline int64_t vec_i64_reduce_min(vec_i64 a) {
    int64_t lanes[VEC_I64_LANES];
    vec_i64_store(lanes, a);
    int64_t least = lanes[0];
    for (int k = 1; k < VEC_I64_LANES; k++)
        least = lanes[k] < least ? lanes[k] : least;
    return least;
}

static inline int64_t vec_i64_reduce_max(vec_i64 a) {
    int64_t lanes[VEC_I64_LANES];
    vec_i64_store(lanes, a);
    int64_t greatest = lanes[0];
    for (int k = 1; k < VEC_I64_LANES; k++)
        greatest = lanes[k] > greatest ? lanes[k] : greatest;
    return greatest;
}

static inline int64_t vec_i64_reduce_add(vec_i64 a) {
    int64_t lanes[VEC_I64_LANES];
    vec_i64_store(lanes, a);
    uint64_t sum = 0;
    for (int k = 0; k < VEC_I64_LANES; k++)
        sum += (uint64_t)lanes[k];
    return (int64_t)sum;
}

/* The nearest integer, for magnitudes below 2^51. */
static inline vec_f64 vec_f64_round_small(vec_f64 a) {
    const vec_f64 magic = vec_f64_set1(0x1.8p52);
    return vec_f64_sub(vec_f64_add(a, magic), magic);
}

/* Sixteen bytes in every 16-byte lane. */
static inline vec_u8 vec_u8_repeat_field(const char *bytes) {
    const char *from[VEC_FIELD_LANES];
    for (int k = 0; k < VEC_FIELD_LANES; k++)
        from[k] = bytes;
    return vec_u8_load_fields(from);
}
