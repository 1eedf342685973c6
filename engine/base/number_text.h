/*
 * Numbers as Java reads and writes them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORIEL_NUMBER_TEXT_BYTES = 32 };

/* Double.toString and Float.toString of Java 17: 1.0E7, 100.0, NaN, -Infinity. Return the
 * length. */
size_t oriel_double_print(double value, char out[ORIEL_NUMBER_TEXT_BYTES]);
size_t oriel_float_print(float value, char out[ORIEL_NUMBER_TEXT_BYTES]);

size_t oriel_integer_print(int64_t value, char out[ORIEL_NUMBER_TEXT_BYTES]);

/* Double.parseDouble: surrounding blanks, sign, 1. .5 1e3 1d 1f NaN Infinity, hexadecimal forms. */
bool oriel_double_parse(const char *text, size_t length, double *out);
bool oriel_float_parse(const char *text, size_t length, float *out);

enum oriel_integer_result { ORIEL_INTEGER_OK, ORIEL_INTEGER_BAD, ORIEL_INTEGER_RANGE };

/* [+-]digits within [low, high]; no blanks. */
enum oriel_integer_result oriel_integer_parse(const char *text, size_t length, int64_t low,
                                              int64_t high, int64_t *out);
