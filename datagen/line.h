/*
 * Lines of CSV put together in a buffer: digits and times without the C library's formats.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct datagen_lines {
    FILE *out;
    char *buffer;
    size_t length;
    int64_t second;       /* since 1970, whose text is kept */
    char second_text[20]; /* yyyy-MM-dd HH:mm:ss. */
};

/* 0, or -1 without memory. */
int datagen_lines_init(struct datagen_lines *lines, FILE *out);
/* Frees the buffer; does not close the file. */
void datagen_lines_deinit(struct datagen_lines *lines);

/* Room for a line of at most `byte_count` bytes (up to 64 KiB), or NULL with errno set. The line is
 * added by datagen_lines_add. */
char *datagen_lines_reserve(struct datagen_lines *lines, size_t byte_count);
static inline void datagen_lines_add(struct datagen_lines *lines, const char *end) {
    lines->length = (size_t)(end - lines->buffer);
}
/* Write what is left; 0, or -1 with errno set. */
int datagen_lines_flush(struct datagen_lines *lines);

unsigned datagen_count_digits(uint64_t value);

/* These write at `at` and return the end. */

static inline char *datagen_put_digits(char *at, uint64_t value, unsigned digits) {
    for (unsigned i = digits; i-- > 0; value /= 10)
        at[i] = (char)('0' + value % 10);
    return at + digits;
}

static inline char *datagen_put_number(char *at, uint64_t value) {
    return datagen_put_digits(at, value, datagen_count_digits(value));
}

static inline char *datagen_put_bytes(char *at, const char *bytes, size_t count) {
    memcpy(at, bytes, count);
    return at + count;
}

/* yyyy-MM-dd HH:mm:ss.SSS of a time since 1970. */
char *datagen_put_time(struct datagen_lines *lines, char *at, int64_t time_ms);
