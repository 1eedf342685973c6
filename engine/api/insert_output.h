/* Where the rows of one INSERT arrive: opened before it runs, visible once all of the statement are
 * committed. */
#pragma once

#include "engine/api/discard.h"
#include "engine/api/insert_target.h"
#include "engine/api/insert_writer.h"

struct oriel_folder_writer;

struct oriel_insert_output {
    const struct oriel_insert *insert;
    struct oriel_execution *execution;
    struct oriel_file_list old;        /* that OVERWRITE removes */
    struct oriel_output_file *file;    /* NULL: blackhole, folders by columns */
    struct oriel_insert_writer writer; /* into `file` */
    bool has_writer;
    uint64_t old_count; /* rows that the file had before */
    struct oriel_discard discard;
    struct oriel_folder_writer *folders;
    struct oriel_piece_maker maker;
};

/* Whether rows may come while others are written: they go to a file that appears later. */
bool oriel_insert_takes_rows_as_they_come(const struct oriel_insert *insert);

/* Makes the folder, opens the file and writes what it had; then the maker is ready. */
enum oriel_status oriel_insert_output_open(struct oriel_result *result,
                                           struct oriel_insert_output *output,
                                           struct oriel_error *error);

/* Runs the execution, which may be fed. */
enum oriel_status oriel_insert_output_run(struct oriel_result *result,
                                          struct oriel_insert_output *output,
                                          struct oriel_error *error);

/* After all rows have come: writes what stands behind them, all but the name of the file. Counts
 * the rows for the result. */
enum oriel_status oriel_insert_output_finish(struct oriel_result *result,
                                             struct oriel_insert_output *output,
                                             struct oriel_error *error);

/* Lets the rows appear, and removes what OVERWRITE replaces. */
enum oriel_status oriel_insert_output_commit(struct oriel_result *result,
                                             struct oriel_insert_output *output,
                                             struct oriel_error *error);

/* Without a commit nothing has appeared. */
void oriel_insert_output_close(struct oriel_insert_output *output);
