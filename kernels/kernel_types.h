#pragma once

/* The types in the signatures of kernel_list.h. Plain data; the layouts that engine structs share
 * are stated here because kernels include nothing of the engine. */

#include <stddef.h>
#include <stdint.h>

/* Bytes past the end of one of our own text buffers that a kernel may read. */
enum { ORIEL_KERNEL_PADDING = 64 };

/* Where in a CSV record a piece of text begins or ends. */
enum oriel_csv_state {
    ORIEL_CSV_FIELD_START, /* just after a separator, or at the start of the file */
    ORIEL_CSV_UNQUOTED,    /* inside a field that did not begin with a quote */
    ORIEL_CSV_QUOTED,      /* inside quotes */
    ORIEL_CSV_QUOTE_SEEN,  /* just after a quote inside quotes: the closing one, or half of two */
};

struct oriel_csv_index {
    uint32_t position_count;
    uint32_t record_count;
    uint32_t bad_offset; /* csv_index_quoted: first text after a closing quote, UINT32_MAX: none */
    enum oriel_csv_state state; /* csv_index_quoted: at the end of the text */
    uint8_t has_quote;          /* the quote character occurs */
    uint8_t has_non_ascii;      /* a byte >= 0x80 occurs */
    uint8_t has_cr;             /* '\r' occurs */
};

enum oriel_csv_zone { ORIEL_CSV_ZONE_NONE, ORIEL_CSV_ZONE_Z };

/* A string value of 16 bytes. length <= 12: the bytes in prefix and tail.inlined, zero-padded.
 * Longer: the first 4 in prefix and a pointer to all of them. */
enum { ORIEL_KERNEL_STRING_INLINE = 12 };
struct oriel_kernel_string {
    uint32_t length;
    char prefix[4];
    union {
        char inlined[8];
        const char *pointer;
    } tail;
};

enum oriel_hash_mode { ORIEL_HASH_SET, ORIEL_HASH_COMBINE };

enum oriel_compare {
    ORIEL_COMPARE_EQ,
    ORIEL_COMPARE_NE,
    ORIEL_COMPARE_LT,
    ORIEL_COMPARE_LE,
    ORIEL_COMPARE_GT,
    ORIEL_COMPARE_GE,
};
