#pragma once

/* 256-bit vectors, for x86-64-v3. */

#include <simde/x86/avx2.h>

enum { VEC_U8_LANES = 32 };

typedef simde__m256i vec_u8;

static inline vec_u8 vec_u8_load(const void *from) {
    return simde_mm256_loadu_si256((const simde__m256i *)from);
}

static inline vec_u8 vec_u8_set1(char value) {
    return simde_mm256_set1_epi8(value);
}

static inline vec_u8 vec_u8_or(vec_u8 a, vec_u8 b) {
    return simde_mm256_or_si256(a, b);
}

static inline vec_u8 vec_u8_xor(vec_u8 a, vec_u8 b) {
    return simde_mm256_xor_si256(a, b);
}

static inline vec_u8 vec_u8_min(vec_u8 a, vec_u8 b) {
    return simde_mm256_min_epu8(a, b);
}

static inline uint64_t vec_u8_top_bits(vec_u8 a) {
    return (uint32_t)simde_mm256_movemask_epi8(a);
}

static inline uint64_t vec_u8_eq_bits(vec_u8 a, vec_u8 b) {
    return vec_u8_top_bits(simde_mm256_cmpeq_epi8(a, b));
}

typedef simde__m256i vec_i64;
typedef simde__m256d vec_f64;

enum { VEC_I64_LANES = 4 };

static inline vec_i64 vec_i64_load(const int64_t *from) {
    return simde_mm256_loadu_si256((const simde__m256i *)from);
}

static inline void vec_i64_store(int64_t *to, vec_i64 a) {
    simde_mm256_storeu_si256((simde__m256i *)to, a);
}

static inline vec_i64 vec_i64_set1(int64_t value) {
    return simde_mm256_set1_epi64x(value);
}

static inline vec_i64 vec_i64_add(vec_i64 a, vec_i64 b) {
    return simde_mm256_add_epi64(a, b);
}

static inline vec_i64 vec_i64_sub(vec_i64 a, vec_i64 b) {
    return simde_mm256_sub_epi64(a, b);
}

static inline vec_i64 vec_i64_xor(vec_i64 a, vec_i64 b) {
    return simde_mm256_xor_si256(a, b);
}

static inline vec_i64 vec_i64_min(vec_i64 a, vec_i64 b) {
    return simde_mm256_blendv_epi8(a, b, simde_mm256_cmpgt_epi64(a, b));
}

static inline vec_i64 vec_i64_max(vec_i64 a, vec_i64 b) {
    return simde_mm256_blendv_epi8(b, a, simde_mm256_cmpgt_epi64(a, b));
}

static inline vec_f64 vec_f64_load(const double *from) {
    return simde_mm256_loadu_pd(from);
}

static inline vec_f64 vec_f64_set1(double value) {
    return simde_mm256_set1_pd(value);
}

static inline vec_f64 vec_f64_add(vec_f64 a, vec_f64 b) {
    return simde_mm256_add_pd(a, b);
}

static inline vec_f64 vec_f64_sub(vec_f64 a, vec_f64 b) {
    return simde_mm256_sub_pd(a, b);
}

static inline vec_f64 vec_f64_mul(vec_f64 a, vec_f64 b) {
    return simde_mm256_mul_pd(a, b);
}

/* value where a < b, 0.0 elsewhere. */
static inline vec_f64 vec_f64_where_lt(vec_f64 a, vec_f64 b, vec_f64 value) {
    return simde_mm256_and_pd(simde_mm256_cmp_pd(a, b, SIMDE_CMP_LT_OQ), value);
}

/* Conversions for magnitudes below 2^51: with 1.5 * 2^52 added, a double's lowest mantissa bits are
 * the integer. */
static inline vec_f64 vec_f64_from_small_i64(vec_i64 a) {
    const vec_f64 magic = vec_f64_set1(0x1.8p52);
    const vec_i64 sum = vec_i64_add(a, simde_mm256_castpd_si256(magic));
    return vec_f64_sub(simde_mm256_castsi256_pd(sum), magic);
}

static inline vec_i64 vec_i64_from_small_f64(vec_f64 a) {
    const vec_f64 magic = vec_f64_set1(0x1.8p52);
    return vec_i64_sub(simde_mm256_castpd_si256(vec_f64_add(a, magic)),
                       simde_mm256_castpd_si256(magic));
}

/* Bit k: the comparison holds in lane k. */
static inline unsigned vec_i64_gt_bits(vec_i64 a, vec_i64 b) {
    return (unsigned)simde_mm256_movemask_pd(
        simde_mm256_castsi256_pd(simde_mm256_cmpgt_epi64(a, b)));
}

static inline unsigned vec_i64_eq_bits(vec_i64 a, vec_i64 b) {
    return (unsigned)simde_mm256_movemask_pd(
        simde_mm256_castsi256_pd(simde_mm256_cmpeq_epi64(a, b)));
}

static inline unsigned vec_f64_lt_bits(vec_f64 a, vec_f64 b) {
    return (unsigned)simde_mm256_movemask_pd(simde_mm256_cmp_pd(a, b, SIMDE_CMP_LT_OQ));
}

static inline unsigned vec_f64_le_bits(vec_f64 a, vec_f64 b) {
    return (unsigned)simde_mm256_movemask_pd(simde_mm256_cmp_pd(a, b, SIMDE_CMP_LE_OQ));
}

static inline unsigned vec_f64_eq_bits(vec_f64 a, vec_f64 b) {
    return (unsigned)simde_mm256_movemask_pd(simde_mm256_cmp_pd(a, b, SIMDE_CMP_EQ_OQ));
}

enum { VEC_U32_LANES = 8 };

/* Bit k: from_a[k] == from_b[k]. */
static inline unsigned vec_u32_eq_bits(const uint32_t *from_a, const uint32_t *from_b) {
    const vec_u8 equal = simde_mm256_cmpeq_epi32(vec_u8_load(from_a), vec_u8_load(from_b));
    return (unsigned)simde_mm256_movemask_ps(simde_mm256_castsi256_ps(equal));
}
