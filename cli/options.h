/* The command line of `oriel`. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oriel/oriel.h"

/* What the program ends with. */
enum { EXIT_OK = 0, EXIT_ERROR = 1, EXIT_USAGE = 2, EXIT_SIGNAL = 128 };

enum script_kind { SCRIPT_FILE, SCRIPT_TEXT };

struct script_argument {
    enum script_kind kind;
    const char *value; /* path, "-" for standard input; or the SQL */
};

/* --source and --sink: NAME=PATH, cut at the first '='. */
struct file_argument {
    int is_sink;
    char *name; /* allocated */
    const char *path;
};

enum { FORMAT_UNSET = -1 };
enum progress_wish { PROGRESS_AUTO, PROGRESS_ON, PROGRESS_OFF };

struct options {
    struct script_argument *scripts; /* to run, in order */
    size_t script_count;
    struct script_argument *initial; /* -i: before them */
    size_t initial_count;
    struct file_argument *files;
    size_t file_count;
    const char *output;  /* -o or NULL */
    const char *rejects; /* --rejects or NULL */
    uint64_t max_rejects;
    int late_report;
    const char *from, *to; /* of windows, or NULL */
    int has_max_rejects;
    int format; /* enum oriel_format or FORMAT_UNSET */
    int no_header;
    uint32_t thread_count;
    uint64_t memory_limit_bytes;
    const char *temp_dir;
    const char *isa;
    uint32_t batch_rows;
    enum progress_wish progress;
    int timing, summary, sync, verbose;
    int list_isas, help, version;
};

/* Reads the arguments; texts are borrowed from them. Returns EXIT_OK, or EXIT_USAGE after a message
 * on standard error. `options` needs options_free in any case. */
int options_parse(int argument_count, char **arguments, struct options *options);
void options_free(struct options *options);

/* Prints the help text, made from the same table that is parsed. */
void options_print_help(void);

/* A usage message on standard error; returns EXIT_USAGE. */
int options_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
