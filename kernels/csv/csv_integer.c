/* Integer columns of CSV. A vector holds one field in each 16-byte lane, moved to the end of the
 * lane, so that fields of 1 to 16 characters cost the same and length is no branch; digits are
 * checked with one comparison and multiplied together in pairs. Groups with a longer or an odd
 * field are read one by one, eight digits in a word. Bytes past a field, such as padding, are
 * loaded but never matter. */
#include "kernels/vec/digits.h"
#include "kernels/vec/vec.h"

enum { DIGITS_MAX = 18 };

/* Returns whether the field has the plain form; *value is unspecified if not. */
static inline int read_integer(const char *field, uint32_t length, int64_t *value) {
    const unsigned sign = field[0] == '-';
    const char *const digits = field + sign;
    const uint32_t digit_count = length - sign;
    if (digit_count - 1 >= DIGITS_MAX)
        return 0;

    uint64_t number;
    int valid;
    if (digit_count <= 8) {
        const uint64_t chunk = digits_align8(bits_load_u64(digits), digit_count);
        valid = digits_valid8(chunk);
        number = digits_value8(chunk);
    } else {
        const unsigned first_count = (digit_count - 1) % 8 + 1;
        uint64_t chunk = digits_align8(bits_load_u64(digits), first_count);
        valid = digits_valid8(chunk);
        number = digits_value8(chunk);
        for (uint32_t at = first_count; at < digit_count; at += 8) {
            chunk = bits_load_u64(digits + at);
            valid &= digits_valid8(chunk);
            number = number * 100000000 + digits_value8(chunk);
        }
    }
    const int64_t signed_number = (int64_t)(number & INT64_MAX);
    *value = sign != 0 ? -signed_number : signed_number;
    return valid;
}

/* Fields are decoded in groups of one int64 vector: the even ones in one vector of 16-byte lanes,
 * the odd ones in another, which the packing brings back in order. */
enum { GROUP = VEC_I64_LANES, FIELD_MAX = 16 };

/* The row for length n, at n, moves the first n bytes of a lane to its end and clears the others.
 * The rows from 17 on exist only to be readable. */
static const char align_window[48] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                      -1, -1, -1, -1, -1, 0,  1,  2,  3,  4,  5,
                                      6,  7,  8,  9,  10, 11, 12, 13, 14, 15};

struct constants {
    vec_u8 zero_digit;
    vec_u8 nine;
    vec_u8 minus;
    vec_u8 one;
    vec_u8 first_one;     /* 1 in byte 0 of each lane */
    vec_u8 all_but_last;  /* 1 in bytes 0 to 14 */
    vec_u8 tens;          /* weights 10, 1 of bytes, */
    vec_u8 hundreds;      /* 100, 1 of int16, */
    vec_u8 ten_thousands; /* 10000, 1 of int16 */
    vec_i64 hundred_millions;
};

static inline struct constants make_constants(void) {
    static const char first_one[16] = {1};
    static const char all_but_last[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
    return (struct constants){
        .zero_digit = vec_u8_set1('0'),
        .nine = vec_u8_set1(9),
        .minus = vec_u8_set1('-'),
        .one = vec_u8_set1(1),
        .first_one = vec_u8_repeat_field(first_one),
        .all_but_last = vec_u8_repeat_field(all_but_last),
        .tens = vec_i64_set1(INT64_C(0x010A010A010A010A)),
        .hundreds = vec_i64_set1(INT64_C(0x0001006400010064)),
        .ten_thousands = vec_i64_set1(INT64_C(0x0001271000012710)),
        .hundred_millions = vec_i64_set1(100000000),
    };
}

/* The numbers of one field in each lane, as four-digit int32. *sign: 1 in byte 0 of lanes with a
 * minus; *invalid: set if a character is neither a digit nor that minus, or no digit follows it. */
static inline vec_u8 read_fields(const char *const field[VEC_FIELD_LANES],
                                 const char *const align[VEC_FIELD_LANES],
                                 const struct constants *c, vec_u8 *sign, uint64_t *invalid) {
    const vec_u8 text = vec_u8_load_fields(field);
    const vec_u8 order = vec_u8_load_fields(align);
    const vec_u8 not_minus = vec_u8_min(vec_u8_xor(text, c->minus), c->one);
    *sign = vec_u8_clear(c->first_one, not_minus);
    const vec_u8 sign_place = vec_u8_and(vec_u8_shuffle(*sign, order), c->all_but_last);
    const vec_u8 aligned = vec_u8_shuffle(vec_u8_sub(text, c->zero_digit), order);
    const vec_u8 digits = vec_u8_clear(aligned, vec_u8_sub(vec_u8_set1(0), sign_place));
    *invalid = ~vec_u8_eq_bits(vec_u8_min(digits, c->nine), digits);
    return vec_i16_pair_sums(vec_u8_pair_sums(digits, c->tens), c->hundreds);
}

/* Decodes GROUP fields whose separators are `stride` positions apart. Returns 0, with *out
 * unspecified, if one has not the form -?d+ or more than 16 characters. */
static inline int read_group(const char *text, const uint32_t *positions, size_t stride,
                             const struct constants *c, vec_i64 *out) {
    const char *field[2][VEC_FIELD_LANES];
    const char *align[2][VEC_FIELD_LANES];
    uint32_t unfit = 0;
    for (size_t i = 0; i < GROUP; i++) {
        const uint32_t start = positions[i * stride] + 1;
        const uint32_t length = positions[i * stride + 1] - start;
        unfit |= length - 1 >= FIELD_MAX;
        field[i % 2][i / 2] = text + start;
        align[i % 2][i / 2] = align_window + (length & 31);
    }
    if (unfit != 0)
        return 0;
    vec_u8 even_sign;
    vec_u8 odd_sign;
    uint64_t even_invalid;
    uint64_t odd_invalid;
    const vec_u8 even = read_fields(field[0], align[0], c, &even_sign, &even_invalid);
    const vec_u8 odd = read_fields(field[1], align[1], c, &odd_sign, &odd_invalid);
    const vec_u8 halves = vec_i16_pair_sums(vec_u16_pack(even, odd), c->ten_thousands);
    const vec_i64 number =
        vec_i64_add(vec_i64_mul_low32(halves, c->hundred_millions), vec_i64_high32(halves));
    const vec_i64 sign = vec_i64_low_halves(even_sign, odd_sign);
    /* -n = (n ^ -1) + 1 */
    *out = vec_i64_add(vec_i64_xor(number, vec_i64_sub(vec_i64_set1(0), sign)), sign);
    return (even_invalid | odd_invalid) << (64 - VEC_U8_LANES) == 0;
}

/* The fields of a group one by one, from row i on; returns their slow bits, at bit i. */
static inline uint64_t read_one_by_one(const char *text, const uint32_t *positions, size_t stride,
                                       size_t count, int64_t *out) {
    uint64_t slow = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t start = positions[i * stride] + 1;
        int64_t value = 0;
        const int plain = read_integer(text + start, positions[i * stride + 1] - start, &value);
        out[i] = plain ? value : 0;
        slow |= (uint64_t)!plain << i;
    }
    return slow;
}

/* At most 64 fields. */
static inline uint64_t read_word(const char *text, const uint32_t *positions, size_t stride,
                                 size_t count, const struct constants *c, int64_t *out) {
    uint64_t slow = 0;
    size_t i = 0;
    for (; i + GROUP <= count; i += GROUP) {
        vec_i64 numbers;
        if (read_group(text, positions + i * stride, stride, c, &numbers))
            vec_i64_store(out + i, numbers);
        else
            slow |= read_one_by_one(text, positions + i * stride, stride, GROUP, out + i) << i;
    }
    if (i < count)
        slow |= read_one_by_one(text, positions + i * stride, stride, count - i, out + i) << i;
    return slow;
}

void ORIEL_FN(csv_i64)(const char *restrict text, const uint32_t *restrict positions, size_t stride,
                       size_t count, int64_t *restrict out, uint64_t *restrict slow) {
    const struct constants constants = make_constants();
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        slow[first / 64] =
            read_word(text, positions + first * stride, stride, used, &constants, out + first);
    }
}

void ORIEL_FN(csv_i32)(const char *restrict text, const uint32_t *restrict positions, size_t stride,
                       size_t count, int32_t *restrict out, uint64_t *restrict slow) {
    const struct constants constants = make_constants();
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        int64_t wide[64];
        uint64_t slow_word =
            read_word(text, positions + first * stride, stride, used, &constants, wide);
        uint64_t any_high = 0;
        for (size_t i = 0; i < used; i++) {
            out[first + i] = (int32_t)wide[i];
            any_high |= (uint64_t)(wide[i] - INT32_MIN) >> 32;
        }
        if (any_high != 0) {
            for (size_t i = 0; i < used; i++) {
                const int fits = wide[i] >= INT32_MIN && wide[i] <= INT32_MAX;
                out[first + i] = fits ? out[first + i] : 0;
                slow_word |= (uint64_t)!fits << i;
            }
        }
        slow[first / 64] = slow_word;
    }
}
