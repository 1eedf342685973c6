/*
 * How many columns of a terminal a text takes.
 *
 * The tableau counts as Flink's does: a text is as wide as it has UTF-16 units, plus one for every
 * East Asian wide or full-width code point. So a combining mark counts 1 and an emoji 3, although a
 * terminal shows them in 0 and 2 columns.
 */
#pragma once

#include <stddef.h>

/* Width of a UTF-8 text as the tableau counts it. */
size_t oriel_tableau_width(const char *bytes, size_t length);

/* Bytes of the longest beginning that is at most `width` wide; its width goes to `used`. */
size_t oriel_tableau_prefix(const char *bytes, size_t length, size_t width, size_t *used);

/* Width of a UTF-8 text as a terminal shows it: marks 0, wide characters and emoji 2. */
size_t oriel_terminal_width(const char *bytes, size_t length);
