/* Timestamp columns of CSV. Neighbouring rows mostly share their month, so its eight characters are
 * only compared with those of the last month decoded, and `dd HH:mm:ss.fff` behind them, 15
 * characters, is one field in a 16-byte lane of a vector. Groups of another form, or with another
 * month, are read one by one, with the day part cached while it repeats. */
#include "kernels/vec/digits.h"
#include "kernels/vec/vec.h"

enum { DAY_LENGTH = 10, CLOCK_LENGTH = 8, SECOND_LENGTH = 19, FIELD_LENGTH_MAX = 29 };

#define DAY_MS INT64_C(86400000)

/* The last day seen: its ten characters and the milliseconds at its start. */
struct day {
    uint64_t head;
    uint16_t tail;
    int64_t start_ms;
};

static inline uint16_t load_u16(const char *from) {
    uint16_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline unsigned two_digits(const char *text) {
    return (unsigned)(text[0] - '0') * 10 + (unsigned)(text[1] - '0');
}

static unsigned month_length(unsigned year, unsigned month) {
    static const uint8_t lengths[16] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const unsigned is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return lengths[month] + (month == 2 ? is_leap : 0);
}

/* Milliseconds from 1970-01-01 to a day. Howard Hinnant's method: years begin in March, eras of 400
 * years have 146097 days; the first era here begins in the year -400. */
static int64_t day_start_ms(unsigned year, unsigned month, unsigned day_of_month) {
    const unsigned march_year = year + 399 + (month > 2);
    const unsigned march_month = month > 2 ? month - 3 : month + 9;
    const unsigned era = march_year / 400;
    const unsigned year_of_era = march_year % 400;
    const unsigned day_of_year = (153 * march_month + 2) / 5 + day_of_month - 1;
    const unsigned day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return ((int64_t)era * 146097 + day_of_era - 719468 - 146097) * DAY_MS;
}

/* yyyy-MM- with a month that exists. */
static int read_month(const char *text, unsigned *year, unsigned *month) {
    const uint64_t chunk = bits_load_u64(text) ^ UINT64_C(0x2D30302D30303030);
    const uint64_t digits = (chunk + UINT64_C(0x0006060006060606)) | chunk;
    *year = two_digits(text) * 100 + two_digits(text + 2);
    *month = two_digits(text + 5);
    return (digits & UINT64_C(0xFFF0F0FFF0F0F0F0)) == 0 && *month >= 1 && *month <= 12;
}

/* Decodes yyyy-MM-dd into `day`; returns 0 and leaves it as it was for anything else. */
static int read_day(const char *text, struct day *day) {
    unsigned year;
    unsigned month;
    const unsigned tens = (unsigned char)text[8] - (unsigned)'0';
    const unsigned ones = (unsigned char)text[9] - (unsigned)'0';
    if (!read_month(text, &year, &month) || tens > 9 || ones > 9)
        return 0;
    const unsigned day_of_month = tens * 10 + ones;
    if (day_of_month < 1 || day_of_month > month_length(year, month))
        return 0;
    day->head = bits_load_u64(text);
    day->tail = load_u16(text + 8);
    day->start_ms = day_start_ms(year, month, day_of_month);
    return 1;
}

/* HH:mm:ss -> milliseconds; returns whether all is in range. The expected characters are flipped to
 * zero: bytes 2 and 5 must then be 0, the others 0 to 9. */
static inline int read_clock(const char *text, int64_t *clock_ms) {
    const uint64_t chunk = bits_load_u64(text) ^ UINT64_C(0x30303A30303A3030);
    const uint64_t digits = (chunk + UINT64_C(0x0606000606000606)) | chunk;
    const uint64_t tens = chunk & UINT64_C(0x000F00000F00000F);
    const uint64_t ones = chunk >> 8 & UINT64_C(0x000F00000F00000F);
    const uint64_t pairs =
        tens * 10 + ones; /* hour in byte 0, minute in byte 3, second in byte 6 */
    const unsigned hour = pairs & 0xFF;
    const unsigned minute = pairs >> 24 & 0xFF;
    const unsigned second = pairs >> 48 & 0xFF;
    *clock_ms = (int64_t)(hour * 3600 + minute * 60 + second) * 1000;
    return (digits & UINT64_C(0xF0F0FFF0F0FFF0F0)) == 0 && hour <= 23 && minute <= 59 &&
           second <= 59;
}

/* The 1 to 9 digits after the point, truncated to milliseconds. */
static int read_fraction(const char *digits, uint32_t digit_count, int64_t *millisecond) {
    int64_t value = 0;
    for (uint32_t i = 0; i < digit_count; i++) {
        const unsigned digit = (unsigned char)digits[i] - (unsigned)'0';
        if (digit > 9)
            return 0;
        if (i < 3)
            value = value * 10 + (int64_t)digit;
    }
    for (uint32_t i = digit_count; i < 3; i++)
        value *= 10;
    *millisecond = value;
    return 1;
}

/* `.fff` in one word. */
static inline int read_millisecond(const char *text, int64_t *millisecond) {
    const uint32_t chunk = bits_load_u32(text) ^ UINT32_C(0x3030302E);
    *millisecond =
        (int64_t)((chunk >> 8 & 0xF) * 100 + (chunk >> 16 & 0xF) * 10 + (chunk >> 24 & 0xF));
    return (((chunk + UINT32_C(0x06060600)) | chunk) & UINT32_C(0xF0F0F0FF)) == 0;
}

static inline int read_timestamp(const char *field, uint32_t length, enum oriel_csv_zone zone,
                                 struct day *day, int64_t *value) {
    if (zone == ORIEL_CSV_ZONE_Z) {
        if (length == 0 || field[length - 1] != 'Z')
            return 0;
        length--;
    }
    if (length < SECOND_LENGTH || length > FIELD_LENGTH_MAX)
        return 0;
    int64_t millisecond = 0;
    int valid = field[DAY_LENGTH] == ' ';
    if (length == SECOND_LENGTH + 4) {
        valid &= read_millisecond(field + SECOND_LENGTH, &millisecond);
    } else if (length > SECOND_LENGTH) {
        valid &= field[SECOND_LENGTH] == '.' && length > SECOND_LENGTH + 1 &&
                 read_fraction(field + SECOND_LENGTH + 1, length - SECOND_LENGTH - 1, &millisecond);
    }
    int64_t clock_ms;
    valid &= read_clock(field + DAY_LENGTH + 1, &clock_ms);
    if (bits_load_u64(field) != day->head || load_u16(field + 8) != day->tail) {
        if (!read_day(field, day))
            return 0;
    }
    *value = day->start_ms + clock_ms + millisecond;
    return valid;
}

/* Fields of one month and one of the usual forms, without a fraction or with milliseconds, are
 * decoded in groups of one int64 vector: even fields in one vector of 16-byte lanes, odd ones in
 * another. */
enum { GROUP = VEC_I64_LANES, MONTH_LENGTH = 8 };

/* What the fields of the groups decoded last had in common. */
struct shape {
    uint64_t month_text; /* yyyy-MM- */
    uint32_t length;     /* without the Z */
    int64_t before_ms;   /* milliseconds of the day before the month's first */
    vec_u8 upper_limits; /* of day, hour, minute, second as int16; the rest is free */
    vec_u8 ignored;      /* bytes of the lane that are no part of the field */
};

struct constants {
    vec_u8 expected;     /* '0' for a digit, else the character */
    vec_u8 tolerance;    /* how much more a character may be: 9 for a digit */
    vec_u8 order;        /* dd HH mm ss 0f ff, then zeros */
    vec_u8 tens;         /* weights 10, 1 of bytes */
    vec_u8 lower_limits; /* day 1 */
    vec_u8 units;        /* weights of int16: day 24 + hour, minute 60 + second, f 100 + ff */
    vec_i64 hour_ms;
    vec_i64 second_ms;
};

static inline struct constants make_constants(void) {
    static const char expected[16] = "00 00:00:00.000";
    static const char tolerance[16] = {9, 9, 0, 9, 9, 0, 9, 9, 0, 9, 9, 0, 9, 9, 9, 0};
    static const char order[16] = {0, 1, 3, 4, 6, 7, 9, 10, -1, 12, 13, 14, -1, -1, -1, -1};
    static const int16_t lower_limits[8] = {1};
    static const int16_t units[8] = {24, 1, 60, 1, 100, 1, 0, 0};
    return (struct constants){
        .expected = vec_u8_repeat_field(expected),
        .tolerance = vec_u8_repeat_field(tolerance),
        .order = vec_u8_repeat_field(order),
        .tens = vec_i64_set1(INT64_C(0x010A010A010A010A)),
        .lower_limits = vec_u8_repeat_field((const char *)lower_limits),
        .units = vec_u8_repeat_field((const char *)units),
        .hour_ms = vec_i64_set1(3600000),
        .second_ms = vec_i64_set1(1000),
    };
}

/* Expects the next groups to be like this field; any shape will do if it has none of the usual. */
static void follow_shape(const char *field, uint32_t length, struct shape *shape) {
    unsigned year;
    unsigned month;
    if (length != SECOND_LENGTH && length != SECOND_LENGTH + 4)
        return;
    if (!read_month(field, &year, &month))
        return;
    const int16_t limits[8] = {
        (int16_t)month_length(year, month), 23, 59, 59, INT16_MAX, INT16_MAX, INT16_MAX, 0};
    char ignored[16] = {0};
    memset(&ignored[length - MONTH_LENGTH], -1, 16 - (length - MONTH_LENGTH));
    *shape = (struct shape){
        .month_text = bits_load_u64(field),
        .length = length,
        .before_ms = day_start_ms(year, month, 1) - DAY_MS,
        .upper_limits = vec_u8_repeat_field((const char *)limits),
        .ignored = vec_u8_repeat_field(ignored),
    };
}

/* Per lane three int32: hours, seconds, milliseconds since the day before the month. */
static inline vec_u8 read_fields(const char *const field[VEC_FIELD_LANES],
                                 const struct shape *shape, const struct constants *c,
                                 uint64_t *invalid) {
    const vec_u8 text =
        vec_u8_clear(vec_u8_sub(vec_u8_load_fields(field), c->expected), shape->ignored);
    const vec_u8 numbers = vec_u8_pair_sums(vec_u8_shuffle(text, c->order), c->tens);
    const vec_u8 bounded = vec_i16_max(vec_i16_min(numbers, shape->upper_limits), c->lower_limits);
    *invalid =
        ~(vec_u8_eq_bits(vec_u8_min(text, c->tolerance), text) & vec_u8_eq_bits(bounded, numbers));
    return vec_i16_pair_sums(numbers, c->units);
}

/* Decodes GROUP fields; returns 0, with *out unspecified, if one has another length or form, is out
 * of range, or lies in another month. */
static inline int read_group(const char *text, const uint32_t *positions, size_t stride,
                             uint32_t suffix, const struct shape *shape, const struct constants *c,
                             vec_i64 *out) {
    const char *field[2][VEC_FIELD_LANES];
    uint64_t unfit = 0;
    for (size_t i = 0; i < GROUP; i++) {
        const uint32_t start = positions[i * stride] + 1;
        const char *const from = text + start;
        unfit |= (positions[i * stride + 1] - start) ^ (shape->length + suffix);
        unfit |= bits_load_u64(from) ^ shape->month_text;
        if (suffix != 0)
            unfit |= (unsigned char)from[shape->length] ^ (unsigned)'Z';
        field[i % 2][i / 2] = from + MONTH_LENGTH;
    }
    if (unfit != 0)
        return 0;
    uint64_t even_invalid;
    uint64_t odd_invalid;
    const vec_u8 even = read_fields(field[0], shape, c, &even_invalid);
    const vec_u8 odd = read_fields(field[1], shape, c, &odd_invalid);
    /* Low halves: hours and seconds; high halves: milliseconds and 0. */
    const vec_i64 clock = vec_i64_low_halves(even, odd);
    const vec_i64 millisecond = vec_i64_high_halves(even, odd);
    const vec_i64 hour_ms = vec_i64_mul_low32(clock, c->hour_ms);
    const vec_i64 second_ms = vec_i64_mul_low32(vec_i64_high32(clock), c->second_ms);
    *out = vec_i64_add(vec_i64_add(hour_ms, second_ms),
                       vec_i64_add(millisecond, vec_i64_set1(shape->before_ms)));
    return (even_invalid | odd_invalid) << (64 - VEC_U8_LANES) == 0;
}

/* Fields one by one; returns their slow bits. */
static inline uint64_t read_one_by_one(const char *text, const uint32_t *positions, size_t stride,
                                       size_t count, enum oriel_csv_zone zone, struct day *day,
                                       int64_t *out) {
    uint64_t slow = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t start = positions[i * stride] + 1;
        const uint32_t length = positions[i * stride + 1] - start;
        int64_t value = 0;
        const int plain = read_timestamp(text + start, length, zone, day, &value);
        out[i] = plain ? value : 0;
        slow |= (uint64_t)!plain << i;
    }
    return slow;
}

static inline void read_column(const char *restrict text, const uint32_t *restrict positions,
                               size_t stride, size_t count, enum oriel_csv_zone zone,
                               int64_t *restrict out, uint64_t *restrict slow) {
    static const char epoch[] = "1970-01-01";
    const uint32_t suffix = zone == ORIEL_CSV_ZONE_Z;
    const struct constants constants = make_constants();
    struct day day = {bits_load_u64(epoch), load_u16(epoch + MONTH_LENGTH), 0};
    struct shape shape;
    follow_shape(epoch, SECOND_LENGTH, &shape);
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t slow_word = 0;
        for (size_t i = 0; i < used; i += GROUP, positions += GROUP * stride) {
            int64_t *const to = out + first + i;
            const size_t group = used - i < GROUP ? used - i : GROUP;
            vec_i64 times;
            if (group == GROUP &&
                read_group(text, positions, stride, suffix, &shape, &constants, &times)) {
                vec_i64_store(to, times);
                continue;
            }
            slow_word |= read_one_by_one(text, positions, stride, group, zone, &day, to) << i;
            const uint32_t start = positions[0] + 1;
            follow_shape(text + start, positions[1] - start - suffix, &shape);
        }
        slow[first / 64] = slow_word;
    }
}

void ORIEL_FN(csv_timestamp_ms)(const char *restrict text, const uint32_t *restrict positions,
                                size_t stride, size_t count, enum oriel_csv_zone zone,
                                int64_t *restrict out, uint64_t *restrict slow) {
    if (zone == ORIEL_CSV_ZONE_Z)
        read_column(text, positions, stride, count, ORIEL_CSV_ZONE_Z, out, slow);
    else
        read_column(text, positions, stride, count, ORIEL_CSV_ZONE_NONE, out, slow);
}
