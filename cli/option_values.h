/* Values of options, from text. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A whole number within [low, high]. */
bool option_read_number(const char *text, uint64_t low, uint64_t high, uint64_t *out);

/* A size above 0: a number, also with a fraction, and B, KB, MB, GB, TB (powers of 1000) or KiB,
 * MiB, GiB, TiB (powers of 1024), in any case; without a unit it is bytes. */
bool option_read_size(const char *text, uint64_t *out);

/* An enum oriel_format, or FORMAT_UNSET. */
int option_read_format(const char *text);

/* Whether a file name ends as compressed files do. */
int option_path_is_packed(const char *path);

/* The format that the end of a file name stands for; tableau for all others. */
int option_format_of_path(const char *path);

/* Formats that are no text, and so do not belong on a terminal. */
bool option_format_is_binary(int format);

bool option_is_folder(const char *path);
