/* Timestamp columns of CSV. Neighbouring rows mostly share their day, so the first ten characters
 * are compared with those of the last day decoded; the clock is eight characters in one word, the
 * milliseconds four. Fields of other fraction lengths take the loop. */
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

/* Decodes yyyy-MM-dd into `day`; returns 0 and leaves it as it was for anything else. Days from the
 * civil date by Howard Hinnant's method: years begin in March, eras have 400 years, 146097 days. */
static int read_day(const char *text, struct day *day) {
    const char digits[8] = {text[0], text[1], text[2], text[3], text[5], text[6], text[8], text[9]};
    if (!digits_valid8(bits_load_u64(digits)) || text[4] != '-' || text[7] != '-')
        return 0;
    static const uint8_t lengths[16] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const unsigned year = two_digits(text) * 100 + two_digits(text + 2);
    const unsigned month = two_digits(text + 5);
    const unsigned day_of_month = two_digits(text + 8);
    if (month < 1 || month > 12)
        return 0;
    const unsigned is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (day_of_month < 1 || day_of_month > lengths[month] + (month == 2 ? is_leap : 0))
        return 0;

    const unsigned march_year = year + 399 + (month > 2); /* of the era that begins in -400 */
    const unsigned march_month = month > 2 ? month - 3 : month + 9;
    const unsigned era = march_year / 400;
    const unsigned year_of_era = march_year % 400;
    const unsigned day_of_year = (153 * march_month + 2) / 5 + day_of_month - 1;
    const unsigned day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    const int64_t days = (int64_t)era * 146097 + day_of_era - 719468 - 146097;
    day->head = bits_load_u64(text);
    day->tail = load_u16(text + 8);
    day->start_ms = days * DAY_MS;
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

static inline void read_column(const char *restrict text, const uint32_t *restrict positions,
                               size_t stride, size_t count, enum oriel_csv_zone zone,
                               int64_t *restrict out, uint64_t *restrict slow) {
    static const char epoch[] = "1970-01-01";
    struct day day = {bits_load_u64(epoch), load_u16(epoch + 8), 0};
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t slow_word = 0;
        for (size_t i = 0; i < used; i++, positions += stride) {
            const uint32_t start = positions[0] + 1;
            int64_t value = 0;
            const int plain =
                read_timestamp(text + start, positions[1] - start, zone, &day, &value);
            out[first + i] = plain ? value : 0;
            slow_word |= (uint64_t)!plain << i;
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
