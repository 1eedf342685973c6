/*
 * Reads lines until they hold a whole statement, then runs them as a script of their own. The
 * prompt goes to standard error: standard output holds results alone.
 */
#include "cli/prompt.h"

#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/interrupt.h"
#include "cli/message.h"

enum { HISTORY_LINES = 1000, PATH_BYTES = 4096 };

/* What is typed so far. */
struct typed {
    char *bytes;
    size_t length;
};

static int is_continued; /* for the prompt, which libedit asks without a context */

static char *show_prompt(EditLine *unused) {
    (void)unused;
    static char first[] = "oriel> ", more[] = "     > ";
    return is_continued ? more : first;
}

/* $XDG_STATE_HOME/oriel/history or ~/.local/state/oriel/history; the folders are made. */
static int find_history(char path[PATH_BYTES]) {
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length;
    if (state && state[0] == '/')
        length = snprintf(path, PATH_BYTES, "%s/oriel/history", state);
    else if (home && home[0] == '/')
        length = snprintf(path, PATH_BYTES, "%s/.local/state/oriel/history", home);
    else
        return 0;
    if (length >= PATH_BYTES)
        return 0;
    for (char *at = path + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return 0;
        *at = '/';
    }
    return 1;
}

static int append_line(struct typed *typed, const char *line, size_t length) {
    char *grown = realloc(typed->bytes, typed->length + length + 1);
    if (!grown)
        return 0;
    memcpy(grown + typed->length, line, length);
    typed->bytes = grown;
    typed->length += length;
    typed->bytes[typed->length] = '\0';
    return 1;
}

static int is_word(const char *line, const char *word) {
    line += strspn(line, " \t");
    const size_t length = strlen(word);
    if (strncasecmp(line, word, length) != 0)
        return 0;
    line += length;
    return line[strspn(line, " \t\r\n;")] == '\0';
}

static int run_typed(struct run *run, const struct typed *typed) {
    struct oriel_error error = {0};
    struct oriel_script *script;
    oriel_engine_resume(run->engine);
    interrupt_clear();
    run->has_written = 0;
    if (oriel_script_open(run->engine, typed->bytes, typed->length, "input", &script, &error) !=
        ORIEL_OK) {
        message_error(&error);
        return EXIT_ERROR;
    }
    const int status = run_script(run, script);
    oriel_script_close(&script);
    if (status > EXIT_SIGNAL)
        message_line("cancelled");
    return status;
}

/* One line, or NULL at the end; an interrupted line comes as an empty text. */
static const char *read_line(EditLine *edit, int *length) {
    errno = 0;
    /* Before the prompt is seen: left to itself libedit shows it first, and a Ctrl-D that is typed
     * in between the terminal takes for itself. */
    el_set(edit, EL_PREP_TERM, 1);
    const char *line = el_gets(edit, length);
    if (line && *length > 0)
        return line;
    if (interrupt_signal() == 0)
        return NULL;
    *length = 0;
    return "";
}

static void read_and_run(struct run *run, EditLine *edit, History *history_list) {
    struct typed typed = {0};
    for (;;) {
        int length = 0;
        HistEvent event;
        is_continued = typed.length > 0;
        const char *line = read_line(edit, &length);
        if (!line)
            break;
        if (length == 0) {
            fputs("\n", stderr);
            interrupt_clear();
            typed.length = 0;
            continue;
        }
        if (!typed.length && (is_word(line, "quit") || is_word(line, "exit")))
            break;
        if (!typed.length && line[strspn(line, " \t\r\n")] == '\0')
            continue;
        if (!append_line(&typed, line, (size_t)length))
            break;
        if (!oriel_script_text_is_complete(typed.bytes, typed.length))
            continue;
        history(history_list, &event, H_ENTER, typed.bytes);
        run_typed(run, &typed);
        typed.length = 0;
    }
    free(typed.bytes);
}

/* libedit drops bytes that are no characters of the locale. Scripts are UTF-8, whatever the
 * terminal's language is set to. */
static void choose_characters(void) {
    if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setlocale(LC_CTYPE, "C.UTF-8");
}

int prompt_run(struct run *run) {
    char path[PATH_BYTES];
    choose_characters();
    HistEvent event;
    History *history_list = history_init();
    EditLine *edit = history_list ? el_init("oriel", stdin, stderr, stderr) : NULL;
    if (!edit) {
        message_problem("the terminal cannot be used for a prompt");
        if (history_list)
            history_end(history_list);
        return EXIT_ERROR;
    }
    const int keeps_history = find_history(path);
    history(history_list, &event, H_SETSIZE, HISTORY_LINES);
    history(history_list, &event, H_SETUNIQUE, 1);
    if (keeps_history)
        history(history_list, &event, H_LOAD, path);
    el_set(edit, EL_PROMPT, show_prompt);
    el_set(edit, EL_EDITOR, "emacs");
    el_set(edit, EL_HIST, history, history_list);
    el_source(edit, NULL);
    read_and_run(run, edit, history_list);
    fputs("\n", stderr);
    if (keeps_history)
        history(history_list, &event, H_SAVE, path);
    el_end(edit);
    history_end(history_list);
    return EXIT_OK;
}
