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
 * Runs the execution into a new file in each folder below `insert->folder`, which appear with the
 * commit, all of them; OVERWRITE then removes what else is in these folders, and in no others. *out
 * is to be closed also when it fails.
 */
struct oriel_folder_writer;
enum oriel_status oriel_insert_folders_write(struct oriel_result *result,
                                             const struct oriel_insert *insert,
                                             struct oriel_execution *execution,
                                             struct oriel_folder_writer **out,
                                             struct oriel_error *error);
enum oriel_status oriel_insert_folders_commit(struct oriel_folder_writer *writer,
                                              struct oriel_error *error);
/* Without a commit nothing stays. */
void oriel_insert_folders_close(struct oriel_folder_writer **writer);
