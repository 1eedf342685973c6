/*
 * The buffer of lines, and times as text: the text of a second is kept while it repeats.
 */
#include "datagen/line.h"

#include <stdlib.h>

enum { BUFFER_BYTES = 1 << 20, SECONDS_PER_DAY = 86400, MS_PER_SECOND = 1000 };

int datagen_lines_init(struct datagen_lines *lines, FILE *out) {
    *lines = (struct datagen_lines){.out = out, .second = -1};
    lines->buffer = malloc(BUFFER_BYTES);
    return lines->buffer ? 0 : -1;
}

void datagen_lines_deinit(struct datagen_lines *lines) {
    free(lines->buffer);
    lines->buffer = NULL;
}

int datagen_lines_flush(struct datagen_lines *lines) {
    if (fwrite(lines->buffer, 1, lines->length, lines->out) != lines->length)
        return -1;
    lines->length = 0;
    return 0;
}

char *datagen_lines_reserve(struct datagen_lines *lines, size_t byte_count) {
    if (lines->length + byte_count > BUFFER_BYTES && datagen_lines_flush(lines) != 0)
        return NULL;
    return lines->buffer + lines->length;
}

unsigned datagen_count_digits(uint64_t value) {
    unsigned digits = 1;
    while (value >= 10) {
        value /= 10;
        digits++;
    }
    return digits;
}

/* yyyy-MM-dd of a day after 1970, by the civil calendar's cycle of 146097 days. */
static char *put_day(char *at, int64_t days) {
    const int64_t z = days + 719468, era = z / 146097, of_era = z - era * 146097;
    const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t shifted = (5 * of_year + 2) / 153;
    const int64_t day = of_year - (153 * shifted + 2) / 5 + 1;
    const int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
    const int64_t year = year_of_era + era * 400 + (month <= 2);
    at = datagen_put_digits(at, (uint64_t)year, 4);
    *at++ = '-';
    at = datagen_put_digits(at, (uint64_t)month, 2);
    *at++ = '-';
    return datagen_put_digits(at, (uint64_t)day, 2);
}

static void keep_second(struct datagen_lines *lines, int64_t second) {
    lines->second = second;
    const int64_t day = second / SECONDS_PER_DAY;
    const uint64_t of_day = (uint64_t)(second - day * SECONDS_PER_DAY);
    char *at = put_day(lines->second_text, day);
    *at++ = ' ';
    at = datagen_put_digits(at, of_day / 3600, 2);
    *at++ = ':';
    at = datagen_put_digits(at, of_day / 60 % 60, 2);
    *at++ = ':';
    at = datagen_put_digits(at, of_day % 60, 2);
    *at = '.';
}

char *datagen_put_time(struct datagen_lines *lines, char *at, int64_t time_ms) {
    const int64_t second = time_ms / MS_PER_SECOND;
    if (second != lines->second)
        keep_second(lines, second);
    at = datagen_put_bytes(at, lines->second_text, sizeof lines->second_text);
    return datagen_put_digits(at, (uint64_t)(time_ms % MS_PER_SECOND), 3);
}
