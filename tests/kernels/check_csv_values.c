/* Checks of the column decoders: fields that are plain, nearly plain and wild, between separators,
 * with junk digits in the padding behind the last one. */
#include "tests/kernels/check.h"

#include <stdio.h>
#include <string.h>

enum { SLOT_TEXT, SLOT_POSITIONS, SLOT_OUT_A, SLOT_OUT_B, SLOT_SLOW_A, SLOT_SLOW_B };

enum { FIELD_BYTES_MAX = 40 };

/* Writes one random field of at most FIELD_BYTES_MAX bytes, returns its length. */
typedef size_t field_function(struct check *check, char *to);

/* A column of `count` fields between single separators, `stride` positions apart. */
struct column {
    const char *text;
    const uint32_t *positions;
    size_t stride;
};

static struct column random_column(struct check *check, size_t count, field_function *field) {
    static char fields[CHECK_ROWS_MAX * (FIELD_BYTES_MAX + 1) + 1];
    const size_t stride = 1 + check_below(check, 4);
    const size_t position_count = count == 0 ? 0 : (count - 1) * stride + 2;
    uint32_t *const positions = check_place(check, SLOT_POSITIONS, position_count * 4, 0);
    size_t length = 0;
    for (size_t i = 0; i < position_count; i++) {
        /* The first separator is the sentinel before the text; the last field ends at its end. */
        positions[i] = i == 0 ? UINT32_MAX : (uint32_t)length;
        if (i != 0)
            fields[length++] = ',';
        if (i + 1 < position_count && i % stride == 0 && length < CHECK_ROWS_MAX * 30)
            length += field(check, fields + length);
    }
    length -= length > 0;
    char *const text = check_place(check, SLOT_TEXT, length, ORIEL_KERNEL_PADDING);
    memcpy(text, fields, length);
    return (struct column){text, positions, stride};
}

static size_t integer_field(struct check *check, char *to) {
    static const char *const wild[] = {"",
                                       "-",
                                       "+5",
                                       "--5",
                                       " 7",
                                       "7 ",
                                       "12a4",
                                       "/",
                                       ":",
                                       "1:",
                                       "1\r",
                                       "\"5\"",
                                       "00000000",
                                       "-0",
                                       "007",
                                       "1.5",
                                       "2147483647",
                                       "2147483648",
                                       "-2147483648",
                                       "-2147483649",
                                       "1234567890123456789",
                                       "9223372036854775807",
                                       "999999999999999999",
                                       "-999999999999999999"};
    const uint64_t choice = check_below(check, 8);
    if (choice == 0)
        return (size_t)snprintf(to, FIELD_BYTES_MAX, "%s",
                                wild[check_below(check, sizeof wild / sizeof wild[0])]);
    const size_t sign = check_below(check, 3) == 0;
    const size_t length = sign + 1 + check_below(check, choice == 1 ? 20 : 18);
    for (size_t i = 0; i < length; i++)
        to[i] = (char)('0' + check_below(check, 10));
    if (sign)
        to[0] = '-';
    if (choice == 2)
        to[check_below(check, length)] = (char)check_random(check);
    return length;
}

static size_t timestamp_field(struct check *check, char *to) {
    static const char *const wild[] = {"",
                                       "2024-02-29 00:00:00",
                                       "2023-02-29 00:00:00",
                                       "1900-02-29 00:00:00",
                                       "2000-02-29 23:59:59.999999999",
                                       "0000-01-01 00:00:00",
                                       "0000-02-29 00:00:00.5",
                                       "9999-12-31 23:59:59.999",
                                       "2024-01-01T00:00:00",
                                       "2024-01-01 24:00:00",
                                       "2024-01-01 00:00",
                                       "2024-01-01 00:00:00.",
                                       "2024-01-01 00:00:00.1234567890",
                                       "2024-01-01 00:00:00,123",
                                       "2024-01-01 00:00:00Z",
                                       "2024-01-01 00:00:00.123Z",
                                       "Z",
                                       "2024-1-01 00:00:00",
                                       "2024-01-01 00:00:00.12 ",
                                       "2024-01-01 0::00:00"};
    const uint64_t choice = check_below(check, 8);
    if (choice == 0)
        return (size_t)snprintf(to, FIELD_BYTES_MAX, "%s",
                                wild[check_below(check, sizeof wild / sizeof wild[0])]);
    const unsigned spread = choice == 1 ? 2 : 0; /* also values just past their ranges */
    int length = snprintf(to, FIELD_BYTES_MAX, "%04u-%02u-%02u %02u:%02u:%02u",
                          choice < 4 ? (unsigned)check_below(check, 10000) : 2024,
                          (unsigned)check_below(check, 12 + spread) + (spread == 0),
                          (unsigned)check_below(check, 31 + spread) + (spread == 0),
                          (unsigned)check_below(check, 24 + spread),
                          (unsigned)check_below(check, 60 + spread),
                          (unsigned)check_below(check, 60 + spread));
    const size_t digits = check_below(check, 3) == 0 ? check_below(check, 11) : 3;
    if (check_below(check, 4) != 0)
        to[length++] = '.';
    for (size_t i = 0; i < digits && to[length - 1] != ' '; i++)
        to[length++] = (char)('0' + check_below(check, 10));
    if (check_below(check, 2) == 0)
        to[length++] = 'Z';
    if (choice == 2)
        to[check_below(check, (uint64_t)length)] = (char)check_random(check);
    return (size_t)length;
}

/* Fields of one month and one length, as files have them, that now and then go just out of range or
 * have one wrong byte; every 50 fields another month and length. */
static size_t timestamp_run_field(struct check *check, char *to) {
    static unsigned month;
    static unsigned fraction;
    static unsigned zoned;
    if (check_below(check, 50) == 0) {
        month = (unsigned)check_below(check, 10000 * 12);
        fraction = (unsigned)(check_below(check, 3) * check_below(check, 4));
        zoned = (unsigned)check_below(check, 2);
    }
    const unsigned spread = check_below(check, 8) == 0;
    int length = snprintf(to, FIELD_BYTES_MAX, "%04u-%02u-%02u %02u:%02u:%02u", month / 12,
                          month % 12 + 1, (unsigned)check_below(check, 28 + 4 * spread) + !spread,
                          (unsigned)check_below(check, 24 + spread),
                          (unsigned)check_below(check, 60 + spread),
                          (unsigned)check_below(check, 60 + spread));
    if (fraction > 0)
        length += snprintf(to + length, 12, ".%0*u", (int)fraction,
                           (unsigned)check_random(check) % (fraction < 3 ? 10 : 1000));
    if (zoned)
        to[length++] = 'Z';
    if (check_below(check, 32) == 0)
        to[check_below(check, (uint64_t)length)] = (char)check_random(check);
    return (size_t)length;
}

static size_t string_field(struct check *check, char *to) {
    const size_t length = check_below(check, check_below(check, 2) == 0 ? 14 : FIELD_BYTES_MAX);
    for (size_t i = 0; i < length; i++)
        to[i] = (char)check_random(check);
    if (length > 0 && check_below(check, 8) == 0)
        to[0] = '"';
    return length;
}

void check_csv_i32(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (int round = 0; round < 4; round++) {
            const struct column column = random_column(check, count, integer_field);
            int32_t *const want = check_place(check, SLOT_OUT_A, count * sizeof *want, 0);
            int32_t *const have = check_place(check, SLOT_OUT_B, count * sizeof *have, 0);
            uint64_t *const want_slow = check_place(check, SLOT_SLOW_A, check_words(count) * 8, 0);
            uint64_t *const have_slow = check_place(check, SLOT_SLOW_B, check_words(count) * 8, 0);
            check->reference->csv_i32(column.text, column.positions, column.stride, count, want,
                                      want_slow);
            check->tested->csv_i32(column.text, column.positions, column.stride, count, have,
                                   have_slow);
            check_same(check, "slow", count, want_slow, have_slow, 8, check_words(count));
            check_same(check, "out", count, want, have, sizeof *want, count);
        }
    }
}

void check_csv_i64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (int round = 0; round < 4; round++) {
            const struct column column = random_column(check, count, integer_field);
            int64_t *const want = check_place(check, SLOT_OUT_A, count * sizeof *want, 0);
            int64_t *const have = check_place(check, SLOT_OUT_B, count * sizeof *have, 0);
            uint64_t *const want_slow = check_place(check, SLOT_SLOW_A, check_words(count) * 8, 0);
            uint64_t *const have_slow = check_place(check, SLOT_SLOW_B, check_words(count) * 8, 0);
            check->reference->csv_i64(column.text, column.positions, column.stride, count, want,
                                      want_slow);
            check->tested->csv_i64(column.text, column.positions, column.stride, count, have,
                                   have_slow);
            check_same(check, "slow", count, want_slow, have_slow, 8, check_words(count));
            check_same(check, "out", count, want, have, sizeof *want, count);
        }
    }
}

static void compare_timestamps(struct check *check, struct column column, size_t count,
                               enum oriel_csv_zone zone) {
    int64_t *const want = check_place(check, SLOT_OUT_A, count * sizeof *want, 0);
    int64_t *const have = check_place(check, SLOT_OUT_B, count * sizeof *have, 0);
    uint64_t *const want_slow = check_place(check, SLOT_SLOW_A, check_words(count) * 8, 0);
    uint64_t *const have_slow = check_place(check, SLOT_SLOW_B, check_words(count) * 8, 0);
    check->reference->csv_timestamp_ms(column.text, column.positions, column.stride, count, zone,
                                       want, want_slow);
    check->tested->csv_timestamp_ms(column.text, column.positions, column.stride, count, zone, have,
                                    have_slow);
    check_same(check, "slow", count, want_slow, have_slow, 8, check_words(count));
    check_same(check, "out", count, want, have, sizeof *want, count);
}

/* The values themselves, not only their agreement: every day of the calendar's 10,000 years follows
 * the one before it. */
static void check_calendar(struct check *check) {
    char *const text = check_place(check, SLOT_TEXT, 19, ORIEL_KERNEL_PADDING);
    const uint32_t positions[2] = {UINT32_MAX, 19};
    int64_t expected = -INT64_C(719528) * 86400000;
    for (unsigned serial = 0; serial < 10000 * 12 * 31; serial++) {
        char field[64];
        int64_t out;
        uint64_t slow;
        snprintf(field, sizeof field, "%04u-%02u-%02u 00:00:00", serial / 372, serial / 31 % 12 + 1,
                 serial % 31 + 1);
        memcpy(text, field, 19);
        check->tested->csv_timestamp_ms(text, positions, 1, 1, ORIEL_CSV_ZONE_NONE, &out, &slow);
        if (slow == 0) {
            if (!check_same_number(check, field, serial, (uint64_t)expected, (uint64_t)out))
                return;
            expected += 86400000;
        }
    }
    check_same_number(check, "days of 10,000 years", 0, (uint64_t)expected,
                      UINT64_C(2932897) * 86400000);
}

void check_csv_timestamp_ms(struct check *check) {
    size_t count;
    check_calendar(check);
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (int round = 0; round < 8; round++) {
            const struct column column =
                random_column(check, count, round % 2 == 0 ? timestamp_field : timestamp_run_field);
            compare_timestamps(check, column, count, ORIEL_CSV_ZONE_NONE);
            compare_timestamps(check, column, count, ORIEL_CSV_ZONE_Z);
        }
    }
}

void check_csv_string(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (int round = 0; round < 4; round++) {
            const int quote = round == 0 ? -1 : '"';
            const struct column column = random_column(check, count, string_field);
            struct oriel_kernel_string *const want =
                check_place(check, SLOT_OUT_A, count * sizeof *want, 0);
            struct oriel_kernel_string *const have =
                check_place(check, SLOT_OUT_B, count * sizeof *have, 0);
            uint64_t *const want_slow = check_place(check, SLOT_SLOW_A, check_words(count) * 8, 0);
            uint64_t *const have_slow = check_place(check, SLOT_SLOW_B, check_words(count) * 8, 0);
            check->reference->csv_string(column.text, column.positions, column.stride, count, quote,
                                         want, want_slow);
            check->tested->csv_string(column.text, column.positions, column.stride, count, quote,
                                      have, have_slow);
            check_same(check, "slow", count, want_slow, have_slow, 8, check_words(count));
            check_same(check, "out", count, want, have, sizeof *want, count);
        }
    }
}
