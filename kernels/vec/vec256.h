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

/* Lanes of 16 bytes, the width of the byte shuffle: one text field each. */
enum { VEC_FIELD_LANES = 2 };

static inline vec_u8 vec_u8_load_fields(const char *const from[VEC_FIELD_LANES]) {
    const simde__m128i low = simde_mm_loadu_si128((const simde__m128i *)(const void *)from[0]);
    const simde__m128i high = simde_mm_loadu_si128((const simde__m128i *)(const void *)from[1]);
    return simde_mm256_inserti128_si256(simde_mm256_castsi128_si256(low), high, 1);
}

/* Byte j of each 16-byte lane = byte order[j] of that lane of a; 0 where order[j] >= 0x80. */
static inline vec_u8 vec_u8_shuffle(vec_u8 a, vec_u8 order) {
    return simde_mm256_shuffle_epi8(a, order);
}

static inline vec_u8 vec_u8_sub(vec_u8 a, vec_u8 b) {
    return simde_mm256_sub_epi8(a, b);
}

static inline vec_u8 vec_u8_and(vec_u8 a, vec_u8 b) {
    return simde_mm256_and_si256(a, b);
}

/* a where the bits of mask are clear. */
static inline vec_u8 vec_u8_clear(vec_u8 a, vec_u8 mask) {
    return simde_mm256_andnot_si256(mask, a);
}

/* int16 k = a[2k] * weights[2k] + a[2k + 1] * weights[2k + 1], a unsigned, weights signed bytes. */
static inline vec_u8 vec_u8_pair_sums(vec_u8 a, vec_u8 weights) {
    return simde_mm256_maddubs_epi16(a, weights);
}

/* int32 k, likewise from int16. */
static inline vec_u8 vec_i16_pair_sums(vec_u8 a, vec_u8 weights) {
    return simde_mm256_madd_epi16(a, weights);
}

/* In each 16-byte lane: the int32 of a, then those of b, as uint16. */
static inline vec_u8 vec_u16_pack(vec_u8 a, vec_u8 b) {
    return simde_mm256_packus_epi32(a, b);
}

/* In each 16-byte lane: the low (high) half of a, then that of b. */
static inline vec_i64 vec_i64_low_halves(vec_u8 a, vec_u8 b) {
    return simde_mm256_unpacklo_epi64(a, b);
}

static inline vec_i64 vec_i64_high_halves(vec_u8 a, vec_u8 b) {
    return simde_mm256_unpackhi_epi64(a, b);
}

/* Product of the low 32 bits of each lane. */
static inline vec_i64 vec_i64_mul_low32(vec_i64 a, vec_i64 b) {
    return simde_mm256_mul_epu32(a, b);
}

/* The high 32 bits of each lane. */
static inline vec_i64 vec_i64_high32(vec_i64 a) {
    return simde_mm256_srli_epi64(a, 32);
}

/* The lesser and the greater of each pair of int16. */
static inline vec_u8 vec_i16_min(vec_u8 a, vec_u8 b) {
    return simde_mm256_min_epi16(a, b);
}

static inline vec_u8 vec_i16_max(vec_u8 a, vec_u8 b) {
    return simde_mm256_max_epi16(a, b);
}

/* Each byte shifted right by four bits. */
static inline vec_u8 vec_u8_high_nibble(vec_u8 a) {
    return vec_u8_and(simde_mm256_srli_epi16(a, 4), vec_u8_set1(0x0F));
}
