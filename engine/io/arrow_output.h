/*
 * Arrays into a Parquet or Arrow file. Used by one thread.
 */
#pragma once

#include "engine/io/arrow_module.h"
#include "engine/io/output_file.h"

struct oriel_arrow_output;

struct oriel_arrow_output_options {
    enum oriel_arrow_format format;
    enum oriel_arrow_compression compression;
};

/* The compression that is meant by a name such as "SNAPPY", in any case; false when there is no
 * such one for the format. NULL gives the default: Snappy for Parquet, none for Arrow. */
bool oriel_arrow_compression_read(const char *name, enum oriel_arrow_format format,
                                  enum oriel_arrow_compression *out);

/* `schema` is taken over, also on failure. The file is neither committed nor closed. */
enum oriel_status oriel_arrow_output_open(struct oriel_memory *memory,
                                          const struct oriel_arrow_output_options *options,
                                          struct ArrowSchema *schema,
                                          struct oriel_output_file *file,
                                          struct oriel_arrow_output **out,
                                          struct oriel_error *error);

/* Appends the rows of an array, which is taken over, also on failure. */
enum oriel_status oriel_arrow_output_add(struct oriel_arrow_output *output,
                                         struct ArrowArray *array, struct oriel_error *error);

/* Writes what is left and the footer. */
enum oriel_status oriel_arrow_output_finish(struct oriel_arrow_output *output,
                                            struct oriel_error *error);
void oriel_arrow_output_close(struct oriel_arrow_output **output);
