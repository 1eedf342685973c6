/*
 * Columns that stand in the names of folders, as Hive and Flink write them:
 * dt=2026-03-01/hour=09/part.csv. Characters that folders cannot have are written %2F; a NULL and
 * an empty string have a name of their own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/columns/type.h"
#include "engine/columns/value_text.h"
#include "engine/io/file_list.h"

#define ORIEL_FOLDER_DEFAULT_NAME "__DEFAULT_PARTITION__"

/*
 * Fills `folder_values` of each file for the columns that are `wanted`, an entry a column. The
 * folders must follow each other in the order of the columns. `default_name` stands for NULL.
 * ORIEL_DATA names the file that does not lie in such folders, and the text that is no value.
 */
enum oriel_status oriel_folder_read(struct oriel_file_list *files, struct oriel_schema columns,
                                    const bool *wanted, const char *default_name,
                                    struct oriel_error *error);

/* Appends the name of the folder for row `row` of `value`: dt=2026-03-01. */
enum oriel_status oriel_folder_print(struct oriel_text_buffer *out, const char *name,
                                     const struct oriel_column *value, size_t row,
                                     const char *default_name, struct oriel_error *error);
