/* One INSERT on its way from the statement to where its rows go. */
#pragma once

#include "engine/api/engine_internal.h"
#include "engine/api/table_options.h"
#include "engine/io/file_list.h"
#include "engine/io/output_file.h"

struct oriel_insert {
    const struct ast_statement *statement;
    const struct oriel_table_entry *table;
    struct oriel_table_options options;
    struct oriel_schema sink; /* the columns that are written */
    const struct ast_type *const *types;
    const char *const *required; /* for each its name if it is NOT NULL, else NULL */
    struct oriel_plan *plan;
    struct oriel_plan *run_plan;    /* with those of later INSERTs into the same file; NULL: it runs
                                       with an earlier one */
    uint32_t folder_column_count;   /* columns of the sink that stand in names of folders */
    const uint32_t *folder_columns; /* in the order of the folders */
    const char *folder;             /* or NULL */
    const char *path;               /* of the file that is written; NULL: print and blackhole */
};

/* The INSERTs of a statement, one or a STATEMENT SET. */
struct oriel_inserts {
    struct oriel_insert *items;
    uint32_t count;
    bool in_turn; /* one after the other, as where one replaces what another one writes */
};

/* Binds them into the result's arena, and finds what they read together. `table` is the one to
 * write into; NULL: as the statements name it. */
enum oriel_status oriel_inserts_prepare(struct oriel_result *result,
                                        const struct ast_statement *statement,
                                        const struct oriel_table_entry *table,
                                        struct oriel_inserts *out, struct oriel_error *error);

/* Inside prepare: decides which of them run together, and what they read once. */
enum oriel_status oriel_inserts_plan(struct oriel_result *result, struct oriel_inserts *inserts,
                                     struct oriel_error *error);

/* Runs them; the rows of all appear, or none (but print). result->row_count counts them. The
 * runtime has its pool. */
enum oriel_status oriel_inserts_run(struct oriel_result *result,
                                    const struct oriel_inserts *inserts, struct oriel_error *error);

/* A new file in `folder`. */
enum oriel_status oriel_insert_name_part(struct oriel_result *result,
                                         const struct oriel_insert *insert, const char *folder,
                                         const char **out, struct oriel_error *error);

/* Removes the files that OVERWRITE replaces. */
enum oriel_status oriel_insert_remove_files(const struct oriel_file_list *old,
                                            struct oriel_error *error);

/* Decides between file and folder, and names the file. */
enum oriel_status oriel_insert_choose_path(struct oriel_result *result, struct oriel_insert *insert,
                                           struct oriel_error *error);

/* Whether an INSERT of this engine wrote the file before; later ones then add to it. */
bool oriel_insert_was_written(const struct oriel_engine *engine, const char *path);
enum oriel_status oriel_insert_note_written(struct oriel_engine *engine, const char *path,
                                            struct oriel_error *error);

/* Copies what a file of text holds, so that the new rows stand behind it. */
enum oriel_status oriel_insert_copy_text(const struct oriel_result *result, const char *path,
                                         struct oriel_output_file *file, struct oriel_error *error);

/* Makes the folder of `insert` and those above it. */
enum oriel_status oriel_insert_make_folder(struct oriel_result *result,
                                           const struct oriel_insert *insert,
                                           struct oriel_error *error);
