/*
 * Tier 2 of the API: open an engine, give it tables, run SQL scripts.
 *
 * Threads: an engine, its scripts and its results are used by one thread at a time; only
 * oriel_engine_cancel, oriel_engine_progress and the note callback cross threads. Different engines
 * share nothing and may run at the same time.
 *
 * Errors: calls that can fail return a status and fill `error` (which may be NULL). Handles are
 * written to `out` only on success and are NULL otherwise. Closing NULL does nothing.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oriel/arrow_c.h"
#include "oriel/error.h"
#include "oriel/export.h"

ORIEL_BEGIN_DECLS

struct oriel_engine;
struct oriel_script;
struct oriel_result;

/* A bad row of a CSV or JSON file that was passed over; `raw` is not ended by NUL. */
struct oriel_rejected_row {
    const char *file;
    uint64_t line;      /* 1-based */
    const char *column; /* the column whose value is bad; "" when the whole row is */
    const char *reason; /* as the error would say it */
    const char *raw;    /* the row as it stands in the file */
    size_t raw_length;
};

/* Zero means the default of every field; begin with ORIEL_ENGINE_OPTIONS_INIT. */
struct oriel_engine_options {
    size_t struct_size;    /* sizeof(struct oriel_engine_options) */
    uint32_t thread_count; /* default: all cores that the process may use, which is also the most;
                              beats SET 'parallelism.default' */
    uint32_t batch_rows;   /* rows of a batch, 1 to 65536; default 4096 */
    uint64_t
        memory_limit_bytes; /* of all that the engine allocates; default: 70 % of the memory of
                               the machine or of the process's control group; UINT64_MAX: none */
    const char *temp_dir;   /* for what exceeds the memory limit; default "/tmp" */
    const char *isa;        /* a name of oriel_engine_isa_at; default: the best one */
    uint32_t sync;          /* not 0: INSERT waits until its files are on their device */
    /* A remark for the user (one line, no newline), e.g. on rows that were dropped. Any thread may
     * call it, two at a time too; `text` is borrowed for the call. */
    void (*note)(void *context, const char *text);
    void *note_context;
    /* Allocator; both or none. Blocks are aligned to 64 bytes; NULL means out of memory.
     * Called by several threads at once. */
    void *(*allocate)(size_t size_bytes, void *context);
    void (*release)(void *block, size_t size_bytes, void *context);
    void *allocator_context;
    /* Takes the lines of tables whose connector is 'print', for standard output or error; returns 0
     * or an errno. Called by the thread that runs the statement. NULL: INSERT into such a table is
     * an error. */
    int (*print)(void *context, int to_standard_error, const char *bytes, size_t length);
    void *print_context;
    uint32_t verbose; /* not 0: note also what is accepted but changes nothing, e.g. ADD JAR */
    /* Bad rows of CSV and JSON files (a value that cannot be read, a wrong number of fields, text
     * after a closing quote, broken JSON, invalid UTF-8, a NULL row time in streaming mode, a NULL
     * in a NOT NULL column) that a statement may pass over; the next one ends it with its error.
     * UINT64_MAX: any number. Default 0: the first is an error. */
    uint64_t max_rejects;
    /* Takes each bad row, the one too many also, in the order of the input, for any number of
     * threads; one call at a time, from any thread. Returns 0 or an errno. Texts are borrowed for
     * the call. */
    int (*reject)(void *context, const struct oriel_rejected_row *row);
    void *reject_context;
    /*
     * Threads of the program in the place of the engine's own; NULL: the engine starts some.
     * Calls task(argument, worker) for worker = 0 .. worker_count - 1 (at most thread_count, which
     * may then exceed the cores, up to 1024), each once, on any threads, and returns when all have
     * returned. Tasks may begin late or one after the other. May be called from several threads at
     * once. While a result is read batch by batch or as a stream, the engine has one thread more,
     * which does nothing but call this.
     */
    void (*execute)(void *executor_context, void (*task)(void *argument, uint32_t worker),
                    void *argument, uint32_t worker_count);
    void *executor_context;
    uint32_t late_report;   /* not 0: count rows that streaming would drop; see oriel_result_late */
    uint32_t count_windows; /* not 0: count the windows of results; see oriel_engine_progress */
};

#define ORIEL_ENGINE_OPTIONS_INIT                                                                  \
    {                                                                                              \
        sizeof(struct oriel_engine_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
            0, 0, 0                                                                                \
    }

/*
 * Opens an engine; `options` may be NULL, its texts are copied. Options of another version of this
 * struct are taken when the part that this version does not know is zero. ORIEL_ARGUMENT names the
 * option that is wrong; ORIEL_MEMORY. No thread is started before the first query.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_engine_open(
    const struct oriel_engine_options *options, struct oriel_engine **out,
    struct oriel_error *error);

/* Frees the engine and sets *engine to NULL. Its scripts and results must be closed before; while
 * an Arrow stream of a result is not released, the engine lives on for it. */
ORIEL_API void oriel_engine_close(struct oriel_engine **engine);

/* Name of instruction set number `index` that this machine can run, worst first; NULL past the end.
 */
ORIEL_API const char *oriel_engine_isa_at(size_t index);

/* The instruction set and the number of threads in use. */
ORIEL_API const char *oriel_engine_isa(const struct oriel_engine *engine);
ORIEL_API uint32_t oriel_engine_thread_count(const struct oriel_engine *engine);

enum oriel_stream_use {
    ORIEL_STREAM_ONCE, /* arrays are released as they are read: one scan, any size */
    ORIEL_STREAM_KEEP, /* arrays are kept until the engine closes: any number of scans */
};

/*
 * Adds the rows of `stream` as table `name` (case-sensitive). The stream is moved: the engine owns
 * it and releases it, also on failure. Its schema is read now, arrays when a query scans the table;
 * all buffers are checked (lengths, offsets, UTF-8) and never written. Its callbacks are called by
 * one thread at a time, but by any; arrays are released by any thread, several at a time. Columns:
 * every type without children, strings also dictionary-encoded. ORIEL_UNSUPPORTED names a column of
 * another type; ORIEL_INVALID a name that is taken; ORIEL_DATA a schema that breaks the
 * specification.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_engine_register_stream(
    struct oriel_engine *engine, const char *name, struct ArrowArrayStream *stream,
    enum oriel_stream_use use, struct oriel_error *error);

/*
 * Adds a CSV file (or a folder of them) without a header line as table `name`. `columns` is what
 * stands between the parentheses of CREATE TABLE, e.g. "shop STRING, ts TIMESTAMP(3)". The file is
 * opened when a query scans the table. ORIEL_SYNTAX, ORIEL_INVALID with a position in `columns`.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_engine_register_csv(struct oriel_engine *engine,
                                                                     const char *name,
                                                                     const char *path,
                                                                     const char *columns,
                                                                     struct oriel_error *error);

/*
 * Adds a file or folder as table `name`, in the format of its suffix (of a folder: that of its
 * first file): .csv, .json, .jsonl, .parquet, .arrow. `columns` as for oriel_engine_register_csv;
 * NULL takes names and types from the file. ORIEL_INVALID when such a file has none, or no suffix
 * that tells its format; ORIEL_IO when there is no such file.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_engine_register_file(struct oriel_engine *engine,
                                                                      const char *name,
                                                                      const char *path,
                                                                      const char *columns,
                                                                      struct oriel_error *error);

/*
 * Puts the file or folder `path` in the place of what the connector of table `name` reads, or
 * writes, when a script creates such a table: a job that was written for Kafka, JDBC or anything
 * else then runs over files as it is. The connector and its options are not looked at. The format
 * is that of the suffix of `path` (.csv, .json, .jsonl, .parquet, .arrow), else the table's.
 * Columns are found by name in files that have names, else by their place. A sink whose path has no
 * suffix is a folder. Texts are copied. ORIEL_ARGUMENT when the table has such a file already.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_engine_set_source(struct oriel_engine *engine,
                                                                   const char *name,
                                                                   const char *path,
                                                                   struct oriel_error *error);
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_engine_set_sink(struct oriel_engine *engine,
                                                                 const char *name, const char *path,
                                                                 struct oriel_error *error);

/*
 * From here on only windows count that end after `from` and not after `until`: so days that are run
 * apart give together what one run over all gives. Times are those of window_end, on the wall clock
 * of the session: 'yyyy-MM-dd', or 'yyyy-MM-dd HH:mm[:ss[.fraction]]', also with a T. NULL: no
 * bound. It holds for the last windows of a query; queries without windows are not restricted, and
 * a note says so. ORIEL_ARGUMENT for a text that is no time, or a range that is empty.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_engine_set_window_range(
    struct oriel_engine *engine, const char *from, const char *until, struct oriel_error *error);

/*
 * Opens a script of any number of statements, each ended by ';' (the last one may lack it). The
 * text is copied; `name` (may be NULL) stands in errors as their source. ORIEL_MEMORY, ORIEL_DATA
 * when the text is not UTF-8.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_script_open(struct oriel_engine *engine,
                                                             const char *text, size_t length,
                                                             const char *name,
                                                             struct oriel_script **out,
                                                             struct oriel_error *error);

/* The result before must be closed first. Sets *script to NULL. */
ORIEL_API void oriel_script_close(struct oriel_script **script);

/*
 * Runs the next statement. A query is only prepared: its rows are computed as they are read from
 * the result. Everything else is done on return. ORIEL_DONE when the script is at its end. After an
 * error the script stays at the statement that failed; what earlier statements did stays done. Any
 * status but ORIEL_INTERNAL can occur; errors in SQL have line, column, excerpt and the script's
 * name as source. The result must be closed before the next call.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_script_next(struct oriel_script *script,
                                                             struct oriel_result **out,
                                                             struct oriel_error *error);

/*
 * Queries in parts, for programs that spread one over processes: run it as PARTIAL over each part
 * of the input, which gives states of its lowest aggregation; MERGE any of them, any number of
 * times, in any grouping; FINISH runs the query as a whole with all states in the place of that
 * aggregation's input. The rows are then the same, in the same order, as of one run over all input.
 * The input of PARTIAL is what the tables of the query's script are in that engine; MERGE and
 * FINISH read none of them, but they must exist. Rows of states are Arrow as any other: keys,
 * times, and one binary column for each aggregate. They are for the same query text and version of
 * the library; a check sum finds damage, but nothing is safe against states that are forged.
 */
enum oriel_part { ORIEL_PART_PARTIAL, ORIEL_PART_MERGE, ORIEL_PART_FINISH };

/* Begin with ORIEL_PART_OPTIONS_INIT. */
struct oriel_part_options {
    size_t struct_size; /* sizeof(struct oriel_part_options) */
    enum oriel_part part;
    /* PARTIAL: place of the part in the input, from 0 to 65535; it decides what is first and last
     * (FIRST_VALUE, ARRAY_AGG ...). */
    uint32_t number;
    /* MERGE, FINISH: rows of states of this query. Moved, also on failure. */
    struct ArrowArrayStream *states;
};

#define ORIEL_PART_OPTIONS_INIT                                                                    \
    { sizeof(struct oriel_part_options), ORIEL_PART_PARTIAL, 0, 0 }

/*
 * As oriel_script_next, for a statement that must be a query. ORIEL_UNSUPPORTED when it has no
 * aggregation, or something other than filters, computed columns and windows below it;
 * ORIEL_INVALID for another statement; ORIEL_DATA when the states are not of this query. States are
 * kept in memory: PARTIAL and MERGE use no temporary files.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_script_next_part(
    struct oriel_script *script, const struct oriel_part_options *options,
    struct oriel_result **out, struct oriel_error *error);

/* Counts the queries (SELECT, WITH, VALUES) that are still to come, without running anything; stops
 * at a syntax error, whose status it returns with the count so far. */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_script_query_count(
    const struct oriel_script *script, size_t *count, struct oriel_error *error);

/* ORIEL_INVALID when a file was set for a table that neither exists nor is created in the rest of
 * one of the scripts; proposes a similar name. Runs nothing. */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_engine_check_files(
    const struct oriel_engine *engine, struct oriel_script *const *scripts, size_t script_count,
    struct oriel_error *error);

/* 1 when `text` holds at least one whole statement, 0 when a prompt should read on. */
ORIEL_API int oriel_script_text_is_complete(const char *text, size_t length);

/*
 * Asks the running statement, or the next one, to stop with ORIEL_CANCELLED. Safe in a signal
 * handler and from any thread. The request stands until oriel_engine_resume.
 */
ORIEL_API void oriel_engine_cancel(struct oriel_engine *engine);
ORIEL_API void oriel_engine_resume(struct oriel_engine *engine);

/* What the running statement, or the last one, has done so far. */
struct oriel_engine_progress {
    uint64_t row_count;         /* rows read */
    uint64_t byte_count;        /* bytes read */
    uint64_t byte_total;        /* bytes there are to read; 0: unknown */
    uint64_t rows_without_time; /* dropped for a NULL row time in batch mode */
    uint64_t rows_rejected;     /* bad rows that were passed over */
    uint64_t window_count;      /* windows of window aggregates; with the option count_windows */
    uint64_t peak_memory_bytes; /* of the engine since it was opened */
};

/* May be called from any thread while the engine is open. */
ORIEL_API void oriel_engine_progress(const struct oriel_engine *engine,
                                     struct oriel_engine_progress *out);

ORIEL_END_DECLS
