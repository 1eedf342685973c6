/*
 * One table holds every option: its names, its value, its help and what it sets. Parsing and --help
 * both walk it.
 */
#include "cli/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/option_values.h"

enum { MEMORY_LIMIT_MIN_BYTES = 4000000 };

struct option_row {
    char letter;       /* 0: none */
    const char *name;  /* long name without dashes, NULL: none */
    const char *value; /* what --help calls the value, NULL: takes none */
    const char *help;
    /* Takes the value (NULL without one); returns EXIT_OK or EXIT_USAGE after a message. */
    int (*apply)(struct options *options, const char *value);
};

static int add_script(struct script_argument **list, size_t *count, enum script_kind kind,
                      const char *value) {
    struct script_argument *grown = realloc(*list, (*count + 1) * sizeof *grown);
    if (!grown)
        return options_usage("out of memory");
    grown[*count] = (struct script_argument){kind, value};
    *list = grown;
    ++*count;
    return EXIT_OK;
}

static int apply_file(struct options *options, const char *value) {
    return add_script(&options->scripts, &options->script_count, SCRIPT_FILE, value);
}

static int apply_execute(struct options *options, const char *value) {
    return add_script(&options->scripts, &options->script_count, SCRIPT_TEXT, value);
}

static int apply_initial(struct options *options, const char *value) {
    return add_script(&options->initial, &options->initial_count, SCRIPT_FILE, value);
}

static int add_file(struct options *options, const char *option, int is_sink, const char *value) {
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1])
        return options_usage("%s needs the name of a table and a file, NAME=PATH, but is '%s'",
                             option, value);
    struct file_argument *grown =
        realloc(options->files, (options->file_count + 1) * sizeof *grown);
    if (!grown)
        return options_usage("out of memory");
    options->files = grown;
    char *name = strndup(value, (size_t)(equals - value));
    if (!name)
        return options_usage("out of memory");
    grown[options->file_count++] = (struct file_argument){is_sink, name, equals + 1};
    return EXIT_OK;
}

static int apply_source(struct options *options, const char *value) {
    return add_file(options, "--source", 0, value);
}

static int apply_sink(struct options *options, const char *value) {
    return add_file(options, "--sink", 1, value);
}

/* NAME=- is standard input, which then cannot be the script too. */
static int resolve_standard_input(struct options *options) {
    int script_reads_it = options->script_count == 0;
    for (size_t i = 0; i < options->script_count + options->initial_count; i++) {
        const struct script_argument *script = i < options->script_count
                                                   ? &options->scripts[i]
                                                   : &options->initial[i - options->script_count];
        script_reads_it |= script->kind == SCRIPT_FILE && strcmp(script->value, "-") == 0;
    }
    for (size_t i = 0; i < options->file_count; i++) {
        struct file_argument *file = &options->files[i];
        if (strcmp(file->path, "-") != 0)
            continue;
        if (file->is_sink)
            return options_usage("--sink %s=- is no file; results of SELECT go to standard output",
                                 file->name);
        if (script_reads_it)
            return options_usage("standard input cannot be both the script and the rows of '%s'; "
                                 "give the script by -f FILE or -e SQL",
                                 file->name);
        file->path = "/dev/stdin";
    }
    return EXIT_OK;
}

static int apply_output(struct options *options, const char *value) {
    if (!value[0])
        return options_usage("-o needs a file name");
    if (option_path_is_packed(value))
        return options_usage("-o %s would be a compressed file, which is read but not written",
                             value);
    options->output = value;
    return EXIT_OK;
}

static int apply_format(struct options *options, const char *value) {
    options->format = option_read_format(value);
    if (options->format == FORMAT_UNSET)
        return options_usage("unknown format '%s': tableau, csv, json, markdown, parquet or "
                             "arrow",
                             value);
    return EXIT_OK;
}

static int apply_no_header(struct options *options, const char *value) {
    (void)value;
    options->no_header = 1;
    return EXIT_OK;
}

static int apply_threads(struct options *options, const char *value) {
    uint64_t number;
    if (!option_read_number(value, 1, UINT32_MAX, &number))
        return options_usage("--threads must be a number from 1 on, but is '%s'", value);
    options->thread_count = (uint32_t)number;
    return EXIT_OK;
}

static int apply_memory_limit(struct options *options, const char *value) {
    if (!option_read_size(value, &options->memory_limit_bytes))
        return options_usage("--memory-limit must be a size such as 500MB or 2GiB, but is '%s'",
                             value);
    if (options->memory_limit_bytes < MEMORY_LIMIT_MIN_BYTES)
        return options_usage("--memory-limit must be 4MB or more, but is '%s'", value);
    return EXIT_OK;
}

static int apply_temp_dir(struct options *options, const char *value) {
    if (!option_is_folder(value))
        return options_usage("--temp-dir is no folder: '%s'", value);
    options->temp_dir = value;
    return EXIT_OK;
}

static int apply_isa(struct options *options, const char *value) {
    options->isa = value;
    for (size_t i = 0; oriel_engine_isa_at(i); i++) {
        if (strcmp(oriel_engine_isa_at(i), value) == 0)
            return EXIT_OK;
    }
    return options_usage("this machine cannot run the instruction set '%s'; see --list-isas",
                         value);
}

static int apply_list_isas(struct options *options, const char *value) {
    (void)value;
    options->list_isas = 1;
    return EXIT_OK;
}

static int apply_batch_rows(struct options *options, const char *value) {
    uint64_t number;
    if (!option_read_number(value, 1, 65536, &number))
        return options_usage("--batch-rows must be 1 to 65536, but is '%s'", value);
    options->batch_rows = (uint32_t)number;
    return EXIT_OK;
}

static int apply_progress(struct options *options, const char *value) {
    (void)value;
    options->progress = PROGRESS_ON;
    return EXIT_OK;
}

static int apply_no_progress(struct options *options, const char *value) {
    (void)value;
    options->progress = PROGRESS_OFF;
    return EXIT_OK;
}

static int apply_rejects(struct options *options, const char *value) {
    if (!value[0])
        return options_usage("--rejects needs a file name");
    options->rejects = value;
    return EXIT_OK;
}

static int apply_max_rejects(struct options *options, const char *value) {
    if (!option_read_number(value, 0, UINT64_MAX, &options->max_rejects))
        return options_usage("--max-rejects must be a number of rows, but is '%s'", value);
    options->has_max_rejects = 1;
    return EXIT_OK;
}

static int apply_late_report(struct options *options, const char *value) {
    (void)value;
    options->late_report = 1;
    return EXIT_OK;
}

static int apply_from(struct options *options, const char *value) {
    options->from = value;
    return EXIT_OK;
}

static int apply_to(struct options *options, const char *value) {
    options->to = value;
    return EXIT_OK;
}

static int apply_summary(struct options *options, const char *value) {
    (void)value;
    options->summary = 1;
    return EXIT_OK;
}

static int apply_timing(struct options *options, const char *value) {
    (void)value;
    options->timing = 1;
    return EXIT_OK;
}

static int apply_sync(struct options *options, const char *value) {
    (void)value;
    options->sync = 1;
    return EXIT_OK;
}

static int apply_verbose(struct options *options, const char *value) {
    (void)value;
    options->verbose = 1;
    return EXIT_OK;
}

static int apply_help(struct options *options, const char *value) {
    (void)value;
    options->help = 1;
    return EXIT_OK;
}

static int apply_version(struct options *options, const char *value) {
    (void)value;
    options->version = 1;
    return EXIT_OK;
}

static const struct option_row rows[] = {
    {'f', "file", "FILE", "run the script FILE; - is standard input", apply_file},
    {'e', "execute", "SQL", "run SQL", apply_execute},
    {'i', "init", "FILE", "run the script FILE before all others", apply_initial},
    {'o', "output", "FILE", "write the rows of the last SELECT to FILE", apply_output},
    {0, "source", "NAME=PATH",
     "read table NAME from this file, folder or pattern in the\nplace of its connector, e.g. "
     "Kafka; - is standard input",
     apply_source},
    {0, "sink", "NAME=PATH", "write table NAME to this file or folder likewise", apply_sink},
    {0, "format", "FORMAT",
     "tableau, csv, json, markdown, parquet or arrow; default: by\nthe end of FILE of -o, else "
     "tableau",
     apply_format},
    {0, "no-header", NULL, "csv: leave out the line of column names", apply_no_header},
    {0, "threads", "N", "use N threads; default and most: all cores", apply_threads},
    {0, "memory-limit", "SIZE",
     "stay below SIZE, from 4MB on; default: 70 % of\nthe memory there is",
     apply_memory_limit},
    {0, "temp-dir", "FOLDER", "for what exceeds the memory limit; default: $TMPDIR or /tmp",
     apply_temp_dir},
    {0, "isa", "NAME", "use this instruction set; default: the best one", apply_isa},
    {0, "list-isas", NULL, "list the instruction sets that can run here", apply_list_isas},
    {0, "batch-rows", "N", "rows of a batch, 1 to 65536; default 4096", apply_batch_rows},
    {0, "progress", NULL, "show a progress bar; default: on a terminal", apply_progress},
    {0, "no-progress", NULL, "show none", apply_no_progress},
    {0, "rejects", "FILE",
     "go on after bad rows of CSV and JSON files and write them\nto FILE: file, line, column, "
     "reason and the row",
     apply_rejects},
    {0, "max-rejects", "N",
     "bad rows that each statement may go on after; default:\nwith --rejects any number, else 0",
     apply_max_rejects},
    {0, "from", "TIME",
     "only windows that end after TIME, e.g. 2024-01-31 or\n'2024-01-31 18:30:00'", apply_from},
    {0, "to", "TIME", "only windows that end at TIME or before", apply_to},
    {0, "late-report", NULL,
     "report how many rows a streaming job would have dropped as\nlate, for each table and window",
     apply_late_report},
    {0, "summary", NULL,
     "report at the end rows read of each table, rejected, without\ntime and written, windows, "
     "seconds and peak memory",
     apply_summary},
    {0, "timing", NULL, "report rows, seconds and memory of each query", apply_timing},
    {0, "sync", NULL, "wait until written files are on their device", apply_sync},
    {0, "verbose", NULL, "report what is used to run, and what of a script has no\neffect",
     apply_verbose},
    {'h', "help", NULL, "show this text", apply_help},
    {0, "version", NULL, "show the version", apply_version},
};

enum { ROW_COUNT = sizeof rows / sizeof *rows, HELP_COLUMN = 28 };

int options_usage(const char *format, ...) {
    char text[ORIEL_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_line("oriel: %s", text);
    message_line("Try 'oriel --help'.");
    return EXIT_USAGE;
}

/* Prints one row; lines of help after the first are indented. */
static void print_row(const struct option_row *row) {
    int width = row->letter ? printf("  -%c, ", row->letter) : printf("      ");
    width += printf("--%s", row->name);
    if (row->value)
        width += printf(" %s", row->value);
    if (width >= HELP_COLUMN)
        width = printf("\n") - 1;
    for (const char *help = row->help; help;) {
        const char *end = strchr(help, '\n');
        const int length = end ? (int)(end - help) : (int)strlen(help);
        printf("%*s%.*s\n", HELP_COLUMN - width, "", length, help);
        width = 0;
        help = end ? end + 1 : NULL;
    }
}

void options_print_help(void) {
    puts("Usage: oriel [OPTIONS] [FILE ...]\n"
         "\n"
         "Runs Flink SQL scripts over files. FILEs, -f and -e are run in order, in one session;\n"
         "without any, standard input is the script, and a terminal gives a prompt.\n"
         "\n"
         "Options:");
    for (size_t i = 0; i < ROW_COUNT; i++)
        print_row(&rows[i]);
    puts(
        "\n"
        "Results alone go to standard output. The exit status is 0, 1 after an error in SQL, data\n"
        "or files, 2 after a wrong option, 130 after Ctrl-C. When the reader of standard output\n"
        "goes away, e.g. `| head`, rows that nobody reads are not computed and the status is 0.");
}

static const struct option_row *find_name(const char *name, size_t length) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0)
            return &rows[i];
    }
    return NULL;
}

static const struct option_row *find_letter(char letter) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].letter == letter)
            return &rows[i];
    }
    return NULL;
}

/* Applies the option at arguments[*index], whose value may stand in the next argument. */
static int parse_option(char **arguments, int argument_count, int *index, struct options *options) {
    const char *argument = arguments[*index];
    const char *value = NULL;
    const struct option_row *row;
    if (argument[1] == '-') {
        const char *equals = strchr(argument, '=');
        const size_t length = equals ? (size_t)(equals - argument) - 2 : strlen(argument) - 2;
        row = find_name(argument + 2, length);
        value = equals ? equals + 1 : NULL;
    } else {
        row = find_letter(argument[1]);
        value = argument[2] ? argument + 2 : NULL;
    }
    if (!row)
        return options_usage("unknown option '%s'", argument);
    if (!row->value && value)
        return options_usage("the option '%s' takes no value", argument);
    if (row->value && !value) {
        if (*index + 1 >= argument_count)
            return options_usage("the option '%s' needs a value: %s", argument, row->value);
        value = arguments[++*index];
    }
    return row->apply(options, value);
}

int options_parse(int argument_count, char **arguments, struct options *options) {
    *options = (struct options){.format = FORMAT_UNSET};
    int only_files = 0;
    for (int i = 1; i < argument_count; i++) {
        const char *argument = arguments[i];
        int status;
        if (!only_files && strcmp(argument, "--") == 0) {
            only_files = 1;
            continue;
        }
        if (only_files || argument[0] != '-' || argument[1] == '\0')
            status = apply_file(options, argument);
        else
            status = parse_option(arguments, argument_count, &i, options);
        if (status != EXIT_OK)
            return status;
    }
    const int status = resolve_standard_input(options);
    if (status != EXIT_OK)
        return status;
    if (options->format == FORMAT_UNSET)
        options->format =
            options->output ? option_format_of_path(options->output) : ORIEL_FORMAT_TABLEAU;
    if (!options->has_max_rejects && options->rejects)
        options->max_rejects = UINT64_MAX;
    if (option_format_is_binary(options->format) && !options->output)
        return options_usage("the format %s needs a file: -o FILE",
                             options->format == ORIEL_FORMAT_PARQUET ? "parquet" : "arrow");
    return EXIT_OK;
}

void options_free(struct options *options) {
    free(options->scripts);
    free(options->initial);
    for (size_t i = 0; i < options->file_count; i++)
        free(options->files[i].name);
    free(options->files);
}
