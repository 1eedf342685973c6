/*
 * The loop of the program: statement by statement, each result to where it belongs.
 */
#include "cli/run.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/option_values.h"
#include "cli/progress.h"
#include "cli/script_text.h"

/* For oriel_output: all bytes to standard output. */
static int write_output(void *context, const char *bytes, size_t length) {
    const struct run *run = context;
    if (run->output_is_terminal)
        progress_hide();
    while (length > 0) {
        const ssize_t written = write(STDOUT_FILENO, bytes, length);
        if (written >= 0) {
            bytes += written;
            length -= (size_t)written;
            if (length && interrupt_signal()) /* a signal cut the writing short */
                return EINTR;
        } else if (errno == EINTR && interrupt_signal()) {
            return EINTR;
        } else if (errno == EAGAIN) {
            struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int run_print(void *context, int to_standard_error, const char *bytes, size_t length) {
    struct run *run = context;
    if (to_standard_error) {
        progress_pause();
        fwrite(bytes, 1, length, stderr);
        progress_resume();
        return 0;
    }
    const int failed = run->is_output_closed ? 0 : write_output(run, bytes, length);
    if (failed != EPIPE)
        return failed;
    run->is_output_closed = 1;
    return 0;
}

/* Where the rows of a result go: the last query to -o, all else to standard output. */
static struct oriel_output choose_output(struct run *run, enum oriel_result_kind kind) {
    const struct options *options = run->options;
    struct oriel_output output = ORIEL_OUTPUT_INIT;
    output.format = (enum oriel_format)options->format;
    output.header = options->no_header ? ORIEL_HEADER_NO : ORIEL_HEADER_YES;
    output.sync = options->sync ? ORIEL_SYNC_YES : ORIEL_SYNC_NO;
    const int is_file = options->output && kind == ORIEL_RESULT_ROWS && --run->query_count == 0;
    if (is_file)
        output.path = options->output;
    if (is_file && strcmp(options->output, "/dev/stdout") != 0)
        return output;
    output.path = NULL; /* standard output, by whichever name, may be closed by its reader */
    const int has_gap =
        options->format == ORIEL_FORMAT_CSV || options->format == ORIEL_FORMAT_MARKDOWN;
    if (!is_file && option_format_is_binary(options->format))
        output.format = ORIEL_FORMAT_TABLEAU;
    output.lead = run->has_written && has_gap ? "\n" : NULL;
    output.controls = run->output_is_terminal ? ORIEL_CONTROLS_ESCAPED : ORIEL_CONTROLS_RAW;
    output.write = write_output;
    output.write_context = run;
    output.fd = STDOUT_FILENO;
    run->has_written = 1;
    return output;
}

static void report_timing(const struct run *run, const struct oriel_result *result,
                          double seconds) {
    const enum oriel_result_kind kind = oriel_result_kind(result);
    if (!run->options->timing || (kind != ORIEL_RESULT_ROWS && kind != ORIEL_RESULT_INSERT))
        return;
    struct oriel_engine_progress now;
    oriel_engine_progress(run->engine, &now);
    message_line(
        "timing: %llu rows read, %llu without time, %llu rows written, %.3f s, peak memory "
        "%.1f MB",
        (unsigned long long)now.row_count, (unsigned long long)now.rows_without_time,
        (unsigned long long)oriel_result_row_count(result), seconds,
        (double)now.peak_memory_bytes / 1e6);
}

/* What a streaming job would have done with late rows, once all rows were read. */
static void report_late(const struct oriel_result *result) {
    struct oriel_late_rows late;
    char first[ORIEL_ERROR_SOURCE_SIZE + 32];
    for (uint32_t i = 0; oriel_result_late(result, i, &late, NULL) == ORIEL_OK; i++) {
        first[0] = '\0';
        if (late.first_row && late.first_line)
            snprintf(first, sizeof first, "; first %s:%llu", late.first_file,
                     (unsigned long long)late.first_line);
        else if (late.first_row)
            snprintf(first, sizeof first, "; first row %llu", (unsigned long long)late.first_row);
        message_line(
            "late: %s, %s at %s:%u:%u: of %llu rows %llu would have been dropped, %llu left "
            "out of a part of their windows (%llu places in windows)%s",
            late.table, late.window, late.source, late.line, late.column,
            (unsigned long long)late.row_count, (unsigned long long)late.dropped_count,
            (unsigned long long)late.part_count, (unsigned long long)late.missing_count, first);
    }
}

/* Shows a result that has rows. A closed pipe is no error: what nobody reads is not computed. */
static enum oriel_status show_result(struct run *run, struct oriel_result *result,
                                     struct oriel_error *error) {
    struct oriel_output output = choose_output(run, oriel_result_kind(result));
    if (!output.path && run->is_output_closed)
        return ORIEL_OK;
    const enum oriel_status status = oriel_result_write(result, &output, error);
    if (status == ORIEL_IO && output.system_error == EPIPE && !output.path) {
        run->is_output_closed = 1;
        return ORIEL_OK;
    }
    return status;
}

static enum oriel_status finish_statement(struct run *run, struct oriel_result *result,
                                          double begin, struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    if (oriel_result_column_count(result))
        status = show_result(run, result, error);
    progress_end_statement();
    if (status != ORIEL_OK)
        return status;
    if (oriel_result_kind(result) == ORIEL_RESULT_INSERT) {
        const unsigned long long count = oriel_result_row_count(result);
        message_line("note: inserted %llu row%s", count, count == 1 ? "" : "s");
    }
    report_late(result);
    report_timing(run, result, progress_clock() - begin);
    return ORIEL_OK;
}

int run_script(struct run *run, struct oriel_script *script) {
    for (;;) {
        struct oriel_error error = {0};
        struct oriel_result *result = NULL;
        const double begin = progress_clock();
        progress_begin_statement();
        enum oriel_status status = oriel_script_next(script, &result, &error);
        if (status == ORIEL_OK)
            status = finish_statement(run, result, begin, &error);
        progress_end_statement();
        summary_add(&run->summary, run->engine, result);
        oriel_result_close(&result);
        if (status == ORIEL_DONE)
            return EXIT_OK;
        if (status == ORIEL_OK)
            continue;
        if (status == ORIEL_CANCELLED && interrupt_signal())
            return EXIT_SIGNAL + interrupt_signal();
        message_error(&error);
        return EXIT_ERROR;
    }
}

struct script_list {
    struct script_text *texts;
    struct oriel_script **scripts;
    size_t count;
};

static int open_script(struct run *run, const struct script_argument *argument,
                       struct script_list *list) {
    struct oriel_error error = {0};
    const size_t index = list->count++;
    const int status = script_text_read(argument, &list->texts[index]);
    if (status != EXIT_OK)
        return status;
    const struct script_text *text = &list->texts[index];
    if (oriel_script_open(run->engine, text->bytes, text->length, text->name, &list->scripts[index],
                          &error) == ORIEL_OK)
        return EXIT_OK;
    message_error(&error);
    return EXIT_ERROR;
}

/* Counts the queries, so that the last one is known; none at all makes -o a mistake. */
static int count_queries(struct run *run, const struct script_list *list) {
    if (!run->options->output)
        return EXIT_OK;
    enum oriel_status status = ORIEL_OK;
    for (size_t i = 0; i < list->count && status == ORIEL_OK; i++) {
        size_t count = 0;
        status = oriel_script_query_count(list->scripts[i], &count, NULL);
        run->query_count += count;
    }
    if (!run->query_count && status == ORIEL_OK)
        return options_usage("-o needs a SELECT, but the script has none");
    return EXIT_OK;
}

/* A file for a table that no script has is told before anything runs. */
static int check_files(const struct run *run, const struct script_list *list) {
    struct oriel_error error = {0};
    if (run->is_prompt ||
        oriel_engine_check_files(run->engine, list->scripts, list->count, &error) == ORIEL_OK)
        return EXIT_OK;
    message_error(&error);
    return EXIT_USAGE;
}

static int open_and_run(struct run *run, struct script_list *list) {
    const struct options *options = run->options;
    static const struct script_argument standard_input = {SCRIPT_FILE, "-"};
    int status = EXIT_OK;
    for (size_t i = 0; i < options->initial_count && status == EXIT_OK; i++)
        status = open_script(run, &options->initial[i], list);
    for (size_t i = 0; i < options->script_count && status == EXIT_OK; i++)
        status = open_script(run, &options->scripts[i], list);
    if (!options->script_count && !run->is_prompt && status == EXIT_OK)
        status = open_script(run, &standard_input, list);
    if (status == EXIT_OK)
        status = check_files(run, list);
    if (status == EXIT_OK)
        status = count_queries(run, list);
    for (size_t i = 0; i < list->count && status == EXIT_OK; i++)
        status = run_script(run, list->scripts[i]);
    return status;
}

int run_scripts(struct run *run) {
    const size_t room = run->options->initial_count + run->options->script_count + 1;
    struct script_list list = {calloc(room, sizeof *list.texts),
                               calloc(room, sizeof(struct oriel_script *)), 0};
    int status = EXIT_ERROR;
    if (list.texts && list.scripts)
        status = open_and_run(run, &list);
    else
        message_problem("out of memory");
    for (size_t i = list.count; i-- > 0;) {
        oriel_script_close(&list.scripts[i]);
        script_text_free(&list.texts[i]);
    }
    free(list.texts);
    free(list.scripts);
    return status;
}
