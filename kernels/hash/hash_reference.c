/* Reference of the hashes, and the definition of their values, which spilled data and partitions
 * rely on only within one run. */
#include "kernels/hash/mix.h"
#include "kernels/isa_kernels.h"

#include <string.h>

static uint64_t hash_pair(uint64_t low, uint64_t high) {
    return mix_fold(mix_fold(low ^ MIX_KEY_A, MIX_KEY_B) ^ high, MIX_KEY_C);
}

static uint64_t hash_bytes(const char *bytes, uint32_t length) {
    uint64_t state = MIX_KEY_D ^ length;
    for (uint32_t at = 0; at < length; at += 16) {
        uint64_t words[2] = {0, 0};
        memcpy(words, bytes + at, length - at < 16 ? length - at : 16);
        state = mix_fold(words[0] ^ state, words[1] ^ MIX_KEY_A);
    }
    return mix_fold(state, MIX_KEY_B);
}

static uint64_t hash_one(const struct oriel_kernel_string *string) {
    if (string->length > ORIEL_KERNEL_STRING_INLINE)
        return hash_bytes(string->tail.pointer, string->length);
    uint64_t words[2];
    memcpy(words, string, sizeof words);
    return hash_pair(words[0], words[1]);
}

static void put(uint64_t *hash, size_t i, const uint64_t *valid, uint64_t value,
                enum oriel_hash_mode mode) {
    if (valid != NULL && (valid[i / 64] >> (i % 64) & 1) == 0)
        value = MIX_NULL;
    hash[i] = mode == ORIEL_HASH_COMBINE ? mix_combine(hash[i], value) : value;
}

void oriel_hash_i32_reference(const int32_t *restrict values, const uint64_t *restrict valid,
                              size_t count, enum oriel_hash_mode mode, uint64_t *restrict hash) {
    for (size_t i = 0; i < count; i++)
        put(hash, i, valid, mix_fold((uint64_t)(int64_t)values[i] ^ MIX_KEY_A, MIX_KEY_B), mode);
}

void oriel_hash_i64_reference(const int64_t *restrict values, const uint64_t *restrict valid,
                              size_t count, enum oriel_hash_mode mode, uint64_t *restrict hash) {
    for (size_t i = 0; i < count; i++)
        put(hash, i, valid, mix_fold((uint64_t)values[i] ^ MIX_KEY_A, MIX_KEY_B), mode);
}

void oriel_hash_i128_reference(const uint64_t *restrict values, const uint64_t *restrict valid,
                               size_t count, enum oriel_hash_mode mode, uint64_t *restrict hash) {
    for (size_t i = 0; i < count; i++)
        put(hash, i, valid, hash_pair(values[2 * i], values[2 * i + 1]), mode);
}

void oriel_hash_string_reference(const struct oriel_kernel_string *restrict values,
                                 const uint64_t *restrict valid, size_t count,
                                 enum oriel_hash_mode mode, uint64_t *restrict hash) {
    for (size_t i = 0; i < count; i++) {
        const int is_valid = valid == NULL || (valid[i / 64] >> (i % 64) & 1) != 0;
        put(hash, i, valid, is_valid ? hash_one(&values[i]) : 0, mode);
    }
}
