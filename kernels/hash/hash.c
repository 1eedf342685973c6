/* Hashes of key columns. The loops have no branch on a row: a NULL is chosen after its value has
 * been hashed, except for strings, whose pointer means nothing when NULL. */
#include "kernels/hash/mix.h"
#include "kernels/vec/vec.h"

static inline uint64_t hash_word(uint64_t value) {
    return mix_fold(value ^ MIX_KEY_A, MIX_KEY_B);
}

static inline uint64_t hash_pair(uint64_t low, uint64_t high) {
    return mix_fold(mix_fold(low ^ MIX_KEY_A, MIX_KEY_B) ^ high, MIX_KEY_C);
}

/* Sixteen bytes a step; the last step is zero-filled. */
static inline uint64_t hash_bytes(const char *bytes, uint32_t length) {
    uint64_t state = MIX_KEY_D ^ length;
    uint32_t at = 0;
    for (; at + 16 <= length; at += 16)
        state =
            mix_fold(bits_load_u64(bytes + at) ^ state, bits_load_u64(bytes + at + 8) ^ MIX_KEY_A);
    if (at < length) {
        uint64_t words[2] = {0, 0};
        memcpy(words, bytes + at, length - at);
        state = mix_fold(words[0] ^ state, words[1] ^ MIX_KEY_A);
    }
    return mix_fold(state, MIX_KEY_B);
}

static inline uint64_t hash_one(const struct oriel_kernel_string *string) {
    if (string->length > ORIEL_KERNEL_STRING_INLINE)
        return hash_bytes(string->tail.pointer, string->length);
    return hash_pair(bits_load_u64(string), bits_load_u64(&string->tail));
}

static inline int is_valid(const uint64_t *valid, size_t i) {
    return valid == NULL || (valid[i / 64] >> (i % 64) & 1) != 0;
}

static inline void put(uint64_t *hash, uint64_t value, enum oriel_hash_mode mode) {
    *hash = mode == ORIEL_HASH_COMBINE ? mix_combine(*hash, value) : value;
}

/* One loop body for each column type, specialised by the compiler for mode and the absence of
 * NULLs. */
static inline void hash_i32_column(const int32_t *restrict values, const uint64_t *restrict valid,
                                   size_t count, enum oriel_hash_mode mode,
                                   uint64_t *restrict hash) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t value = hash_word((uint64_t)(int64_t)values[i]);
        put(&hash[i], is_valid(valid, i) ? value : MIX_NULL, mode);
    }
}

static inline void hash_i64_column(const int64_t *restrict values, const uint64_t *restrict valid,
                                   size_t count, enum oriel_hash_mode mode,
                                   uint64_t *restrict hash) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t value = hash_word((uint64_t)values[i]);
        put(&hash[i], is_valid(valid, i) ? value : MIX_NULL, mode);
    }
}

static inline void hash_i128_column(const uint64_t *restrict values, const uint64_t *restrict valid,
                                    size_t count, enum oriel_hash_mode mode,
                                    uint64_t *restrict hash) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t value = hash_pair(values[2 * i], values[2 * i + 1]);
        put(&hash[i], is_valid(valid, i) ? value : MIX_NULL, mode);
    }
}

static inline void hash_string_column(const struct oriel_kernel_string *restrict values,
                                      const uint64_t *restrict valid, size_t count,
                                      enum oriel_hash_mode mode, uint64_t *restrict hash) {
    for (size_t i = 0; i < count; i++)
        put(&hash[i], is_valid(valid, i) ? hash_one(&values[i]) : MIX_NULL, mode);
}

void ORIEL_FN(hash_i32)(const int32_t *restrict values, const uint64_t *restrict valid,
                        size_t count, enum oriel_hash_mode mode, uint64_t *restrict hash) {
    if (valid == NULL && mode == ORIEL_HASH_SET)
        hash_i32_column(values, NULL, count, ORIEL_HASH_SET, hash);
    else
        hash_i32_column(values, valid, count, mode, hash);
}

void ORIEL_FN(hash_i64)(const int64_t *restrict values, const uint64_t *restrict valid,
                        size_t count, enum oriel_hash_mode mode, uint64_t *restrict hash) {
    if (valid == NULL && mode == ORIEL_HASH_SET)
        hash_i64_column(values, NULL, count, ORIEL_HASH_SET, hash);
    else
        hash_i64_column(values, valid, count, mode, hash);
}

void ORIEL_FN(hash_i128)(const uint64_t *restrict values, const uint64_t *restrict valid,
                         size_t count, enum oriel_hash_mode mode, uint64_t *restrict hash) {
    if (valid == NULL && mode == ORIEL_HASH_SET)
        hash_i128_column(values, NULL, count, ORIEL_HASH_SET, hash);
    else
        hash_i128_column(values, valid, count, mode, hash);
}

void ORIEL_FN(hash_string)(const struct oriel_kernel_string *restrict values,
                           const uint64_t *restrict valid, size_t count, enum oriel_hash_mode mode,
                           uint64_t *restrict hash) {
    if (valid == NULL && mode == ORIEL_HASH_SET)
        hash_string_column(values, NULL, count, ORIEL_HASH_SET, hash);
    else
        hash_string_column(values, valid, count, mode, hash);
}
