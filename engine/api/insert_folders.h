/* INSERT INTO tables that are PARTITIONED BY columns: a file for each folder. */
#pragma once

#include "engine/api/insert_target.h"

/*
 * Finds the columns of `insert->sink` that stand in names of folders, and checks the PARTITION
 * clause of the statement. Nothing when the table has none.
 */
enum oriel_status oriel_insert_find_folders(struct oriel_result *result,
                                            struct oriel_insert *insert, struct oriel_error *error);

/* Sorts the plan of `insert` by those columns, so that one file after the other is written. */
enum oriel_status oriel_insert_sort_folders(struct oriel_result *result,
                                            struct oriel_insert *insert, struct oriel_error *error);

/*
 * Runs the opened execution of `result` into a new file in each folder below `insert->folder`. All
 * of them appear or none; OVERWRITE then removes what else is in these folders, and in no others.
 */
enum oriel_status oriel_insert_write_folders(struct oriel_result *result,
                                             const struct oriel_insert *insert,
                                             struct oriel_error *error);
