/*
 * oriel: runs Flink SQL scripts over files. Everything that is not about the command line is behind
 * include/oriel.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/prompt.h"
#include "cli/rejects.h"
#include "cli/run.h"

/* A standard descriptor that is closed would be that of the next file opened, say of -o, and notes
 * would end in it. What takes its place cannot be read or written either. */
static void occupy_standard_files(void) {
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", modes[fd]); /* the lowest descriptor that is free */
    }
}

static int finish_output(int status) {
    if (fflush(stdout) == 0)
        return status;
    message_problem("cannot write standard output");
    return EXIT_ERROR;
}

static int print_version(void) {
    printf("oriel %s\n", oriel_version());
    return finish_output(EXIT_OK);
}

static int print_isas(void) {
    for (size_t i = 0; oriel_engine_isa_at(i); i++)
        puts(oriel_engine_isa_at(i));
    return finish_output(EXIT_OK);
}

static const char *temporary_folder(const struct options *options) {
    const char *variable = getenv("TMPDIR");
    if (options->temp_dir)
        return options->temp_dir;
    return variable && option_is_folder(variable) ? variable : "/tmp";
}

static enum oriel_status set_files(const struct options *options, struct oriel_engine *engine,
                                   struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    for (size_t i = 0; i < options->file_count && status == ORIEL_OK; i++) {
        const struct file_argument *file = &options->files[i];
        status = file->is_sink ? oriel_engine_set_sink(engine, file->name, file->path, error)
                               : oriel_engine_set_source(engine, file->name, file->path, error);
    }
    return status;
}

static int run_all(const struct options *options) {
    const int is_prompt = options->script_count == 0 && isatty(STDIN_FILENO);
    if (is_prompt && options->output)
        return options_usage("-o needs a script");
    struct oriel_engine_options engine_options = ORIEL_ENGINE_OPTIONS_INIT;
    engine_options.thread_count = options->thread_count;
    engine_options.batch_rows = options->batch_rows;
    engine_options.memory_limit_bytes = options->memory_limit_bytes;
    engine_options.temp_dir = temporary_folder(options);
    engine_options.isa = options->isa;
    engine_options.sync = (uint32_t)options->sync;
    engine_options.note = message_note;
    struct run run = {
        .options = options, .output_is_terminal = isatty(STDOUT_FILENO), .is_prompt = is_prompt};
    engine_options.count_windows = (uint32_t)options->summary;
    engine_options.late_report = (uint32_t)options->late_report;
    engine_options.max_rejects = options->max_rejects;
    if (options->rejects || options->max_rejects)
        engine_options.reject = rejects_add;
    engine_options.verbose = (uint32_t)options->verbose;
    engine_options.print = run_print;
    engine_options.print_context = &run;
    struct oriel_error error = {0};
    struct oriel_engine *engine = NULL;
    enum oriel_status opened = oriel_engine_open(&engine_options, &engine, &error);
    if (opened == ORIEL_OK)
        opened = set_files(options, engine, &error);
    if (opened == ORIEL_OK)
        opened = oriel_engine_set_window_range(engine, options->from, options->to, &error);
    if (opened != ORIEL_OK) {
        message_error(&error);
        oriel_engine_close(&engine);
        return opened == ORIEL_ARGUMENT ? EXIT_USAGE : EXIT_ERROR;
    }
    if (options->rejects && rejects_open(options->rejects) != EXIT_OK) {
        oriel_engine_close(&engine);
        return EXIT_ERROR;
    }
    interrupt_install(engine);
    if (options->progress == PROGRESS_ON ||
        (options->progress == PROGRESS_AUTO && isatty(STDERR_FILENO)))
        progress_start(engine);
    if (options->verbose)
        message_line("oriel %s: instruction set %s, %u thread%s", oriel_version(),
                     oriel_engine_isa(engine), oriel_engine_thread_count(engine),
                     oriel_engine_thread_count(engine) == 1 ? "" : "s");
    run.engine = engine;
    summary_begin(&run.summary, options->summary);
    int status = run_scripts(&run);
    if (is_prompt && status == EXIT_OK)
        status = prompt_run(&run);
    progress_stop();
    status = rejects_close(!interrupt_signal(), status);
    summary_report(&run.summary, engine);
    interrupt_install(NULL);
    oriel_engine_close(&engine);
    return status;
}

int main(int argument_count, char **arguments) {
    struct options options;
    occupy_standard_files();
    int status = options_parse(argument_count, arguments, &options);
    if (status != EXIT_OK) {
        options_free(&options);
        return status;
    }
    if (options.help) {
        options_print_help();
        status = finish_output(EXIT_OK);
    } else if (options.version) {
        status = print_version();
    } else if (options.list_isas) {
        status = print_isas();
    } else {
        status = run_all(&options);
    }
    options_free(&options);
    return status;
}
