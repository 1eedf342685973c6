/*
 * The objects behind the handles of include/oriel, and what the files of engine/api give each
 * other.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "engine/base/arena.h"
#include "engine/base/late_report.h"
#include "engine/base/runtime.h"
#include "engine/base/zone.h"
#include "engine/exec/exec.h"
#include "engine/exec/task_pool.h"
#include "engine/plan/binder.h"
#include "engine/plan/session.h"
#include "engine/sql/parser.h"
#include "kernels/kernels.h"
#include "oriel/engine.h"
#include "oriel/result.h"

/*
 * The text of a script. Lines of all scripts of an engine are numbered through, so a position tells
 * its script also when a view that an earlier script made is at fault.
 */
struct oriel_script_text {
    char *bytes; /* `length` and NUL */
    size_t length;
    char *name;
    size_t name_bytes;
    uint32_t line_base; /* lines line_base + 1 .. line_base + line_count are of this text */
    uint32_t line_count;
    bool is_kept; /* definitions in the catalog point into it */
    struct oriel_script_text *next;
};

struct oriel_stream_table;
struct oriel_replacement;

struct oriel_engine {
    struct oriel_memory memory;
    char *temp_dir;
    size_t temp_dir_bytes;
    const struct oriel_isa *isa;
    unsigned core_count;
    struct oriel_executor executor;
    unsigned thread_count; /* of the options; 0: not given */
    unsigned pool_threads; /* asked of the pool */
    size_t batch_rows;
    bool sync; /* of the files that INSERT writes */
    void (*note)(void *context, const char *text);
    void *note_context;
    bool verbose;
    bool late_report;
    bool counts_windows;
    uint64_t max_rejects;
    bool has_window_range; /* see oriel_engine_set_window_range */
    int64_t window_ends_after_ms, window_ends_until_ms;
    int (*reject)(void *context, const struct oriel_rejected_row *row);
    void *reject_context;
    int (*print)(void *context, int to_standard_error, const char *bytes, size_t length);
    void *print_context;
    struct oriel_written_file *written; /* by INSERT since the engine was opened */
    unsigned part_count;                /* files that INSERT put into folders */
    struct oriel_read_pipe *pipes;      /* that statements have read */
    struct oriel_session *session;
    struct oriel_task_pool *pool; /* from the first query on */
    struct oriel_zone *zone;      /* of the setting, opened when a statement first needs it */
    atomic_bool cancelled;
    struct oriel_progress progress;
    _Atomic uint64_t dictionary_count;
    struct oriel_stream_table *streams;
    struct oriel_replacement *replacements; /* files in the place of connectors */
    struct oriel_script_text *texts;
    uint32_t line_end;      /* last line number given to a script */
    bool has_result;        /* a result is open */
    atomic_uint user_count; /* the program, and streams of results: the last one closes */
    atomic_uint loan_count; /* the users, as one, and arrays: the last one frees this struct */
};

struct oriel_script {
    struct oriel_engine *engine;
    struct oriel_script_text *text;
    struct oriel_script_reader reader;
};

/* A file that an INSERT wrote: the next one adds to it. Lies in one block with its path. */
struct oriel_written_file {
    struct oriel_written_file *next;
    size_t block_bytes;
    char path[];
};

/* What was read in order and is gone: a pipe, a terminal. Lies in one block. */
struct oriel_read_pipe {
    uint64_t device;
    uint64_t inode;
    struct oriel_read_pipe *next;
};

/* A table that the running statement reads, each time that it is read. */
struct oriel_input_table {
    const char *name;
    struct oriel_table_progress progress;
    struct oriel_input_table *next;
};

/* A file that the running statement reads. */
struct oriel_input_file {
    uint64_t device;
    uint64_t inode;
    struct oriel_input_file *next;
};

enum oriel_result_use { ORIEL_RESULT_FRESH, ORIEL_RESULT_USED, ORIEL_RESULT_FAILED };

struct oriel_result {
    struct oriel_engine *engine;
    enum oriel_result_kind kind;
    enum oriel_result_use use;
    struct oriel_arena arena; /* tree, plan, names; everything of the statement */
    struct oriel_runtime runtime;
    struct oriel_schema schema;
    const struct oriel_part_options
        *part; /* while the statement is prepared; NULL: a whole query */
    struct oriel_plan *plan;
    struct oriel_execution *execution; /* ROWS */
    struct oriel_table listing;        /* LISTING, TEXT */
    bool has_listing;
    struct oriel_input_file *inputs;  /* in the arena */
    struct oriel_input_table *tables; /* in the arena */
    struct oriel_late_report late;
    struct oriel_rejects *rejects; /* NULL: the first bad row is an error */
    uint64_t row_count;
    bool has_inserted;       /* rows were written to tables */
    size_t max_column_width; /* table.display.max-column-width */
    struct oriel_batch listing_batch;
    struct oriel_result_batch view;
    struct oriel_result_values *view_columns; /* in the arena */
};

/* One more user of the engine, one less. */
void oriel_engine_keep(struct oriel_engine *engine);
void oriel_engine_leave(struct oriel_engine *engine);
/* The same for what needs nothing but its memory. Any thread may call them. */
void oriel_engine_lend(struct oriel_engine *engine);
void oriel_engine_return(struct oriel_engine *engine);

/* Fills the runtime of a statement from the engine and its settings. */
enum oriel_status oriel_engine_start(struct oriel_engine *engine, struct oriel_runtime *runtime,
                                     struct oriel_error *error);

/* Gives the runtime its threads; for statements that compute rows. */
enum oriel_status oriel_engine_start_pool(struct oriel_engine *engine,
                                          struct oriel_runtime *runtime, struct oriel_error *error);

/* Adds source and excerpt to an error that has a position in a script; returns `status`. */
enum oriel_status oriel_engine_place_error(const struct oriel_engine *engine,
                                           enum oriel_status status, struct oriel_error *error);

/* The script of a position, and the line in it. */
void oriel_engine_find_script(const struct oriel_engine *engine, struct oriel_position position,
                              const char **name, uint32_t *line);

void oriel_script_text_free(struct oriel_engine *engine, struct oriel_script_text *text);

/* Runs one parsed statement into `result`. */
enum oriel_status oriel_statement_run(struct oriel_result *result,
                                      const struct ast_statement *statement,
                                      struct oriel_error *error);

/* Prepares a query whose rows will be computed on demand. */
enum oriel_status oriel_statement_open_query(struct oriel_result *result,
                                             const struct ast_query *query,
                                             struct oriel_error *error);

/* DESCRIBE, SHOW, EXPLAIN, SET without a key: fill result->listing. */
enum oriel_status oriel_statement_describe(struct oriel_result *result,
                                           const struct ast_statement *statement,
                                           struct oriel_error *error);
enum oriel_status oriel_statement_show(struct oriel_result *result,
                                       const struct ast_statement *statement,
                                       struct oriel_error *error);
/* Whether the LIKE of a SHOW lets a name through. */
bool oriel_show_wants(const struct ast_statement *statement, const char *name);
enum oriel_status oriel_statement_explain(struct oriel_result *result,
                                          const struct ast_statement *statement,
                                          struct oriel_error *error);

/* METADATA [FROM 'key'] [VIRTUAL]; NULL when memory runs out. */
const char *oriel_column_print_metadata(struct oriel_arena *arena,
                                        const struct ast_column_definition *definition);

/* CREATE TABLE as SHOW CREATE TABLE prints it. */
enum oriel_status oriel_statement_show_create(struct oriel_result *result,
                                              const struct ast_statement *statement,
                                              struct oriel_error *error);

/* Begins a listing with nullable STRING columns of these names (static texts). */
enum oriel_status oriel_listing_begin(struct oriel_result *result, enum oriel_result_kind kind,
                                      const char *const *names, uint32_t name_count,
                                      struct oriel_error *error);
/* Appends a row; NULL cells are NULL. */
enum oriel_status oriel_listing_add(struct oriel_result *result, const char *const *cells,
                                    struct oriel_error *error);

/* Makes the bound plan of a query one of part result->part. */
enum oriel_status oriel_statement_make_part(struct oriel_result *result, struct oriel_error *error);

/* The next rows, never an empty batch; places errors. */
enum oriel_status oriel_result_pull(struct oriel_result *result, const struct oriel_batch **batch,
                                    struct oriel_error *error);

/* The next piece of a query that was not read before, its rows uncounted; places errors. */
enum oriel_status oriel_result_pull_piece(struct oriel_result *result,
                                          const struct oriel_piece_maker *maker, void **piece,
                                          struct oriel_error *error);

void oriel_written_files_free(struct oriel_engine *engine);
void oriel_read_pipes_free(struct oriel_engine *engine);

/* CREATE TABLE ... AS query. */
enum oriel_status oriel_statement_create_as(struct oriel_result *result,
                                            const struct ast_statement *statement,
                                            struct oriel_error *error);

/* INSERT and EXECUTE STATEMENT SET. */
enum oriel_status oriel_statement_insert(struct oriel_result *result,
                                         const struct ast_statement *statement,
                                         struct oriel_error *error);

/* The table that `name` stands for; ORIEL_INVALID with the name otherwise. */
enum oriel_status oriel_statement_find_table(const struct oriel_result *result,
                                             const struct ast_name *name,
                                             const struct oriel_table_entry **out,
                                             struct oriel_error *error);

/* oriel_open_scan for `context` = struct oriel_result: files and registered streams. */
enum oriel_status oriel_result_open_scan(void *context, const struct oriel_plan *scan,
                                         const struct oriel_runtime *runtime,
                                         struct oriel_source **out, struct oriel_error *error);
