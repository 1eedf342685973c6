/*
 * Messages: one line each, whole also when several threads write, and never able to steer a
 * terminal.
 */
#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/progress.h"

enum { SHOWN_SIZE = 4 * ORIEL_ERROR_MESSAGE_SIZE };

/* Copies `length` bytes with control characters as \xNN and tabs as blanks. */
static void show(const char *text, size_t length, char out[SHOWN_SIZE]) {
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    for (size_t i = 0; i < length && at + 5 < SHOWN_SIZE; i++) {
        const unsigned char byte = (unsigned char)text[i];
        const unsigned char next = i + 1 < length ? (unsigned char)text[i + 1] : 0;
        const int is_high = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        if (byte == '\t') {
            out[at++] = ' ';
        } else if (byte < 0x20 || byte == 0x7f || is_high) {
            const unsigned char code = is_high ? next : byte;
            out[at++] = '\\';
            out[at++] = 'x';
            out[at++] = digits[code >> 4];
            out[at++] = digits[code & 15];
            i += is_high ? 1 : 0;
        } else {
            out[at++] = (char)byte;
        }
    }
    out[at] = '\0';
}

/* Bytes of the first `count` characters. */
static size_t character_bytes(const char *text, size_t count) {
    size_t i = 0;
    while (text[i] && count > 0) {
        i++;
        while (((unsigned char)text[i] & 0xc0) == 0x80)
            i++;
        count--;
    }
    return i;
}

static void print_excerpt(const struct oriel_error *error) {
    char shown[SHOWN_SIZE];
    show(error->excerpt, strlen(error->excerpt), shown);
    fprintf(stderr, "  %s\n", shown);
    if (!error->excerpt_column)
        return;
    show(error->excerpt, character_bytes(error->excerpt, error->excerpt_column - 1), shown);
    fprintf(stderr, "  %*s^\n", (int)oriel_display_width(shown, strlen(shown)), "");
}

void message_error(const struct oriel_error *error) {
    char source[SHOWN_SIZE], message[SHOWN_SIZE];
    show(error->source, strlen(error->source), source);
    show(error->message, strlen(error->message), message);
    progress_pause();
    flockfile(stderr);
    fprintf(stderr, "%s", source[0] ? source : "oriel");
    if (error->line)
        fprintf(stderr, ":%u", error->line);
    if (error->line && error->column)
        fprintf(stderr, ":%u", error->column);
    fprintf(stderr, ": error: %s\n", message);
    if (error->excerpt[0])
        print_excerpt(error);
    funlockfile(stderr);
    progress_resume();
}

static void print_line(const char *lead, const char *text) {
    char shown[SHOWN_SIZE];
    show(text, strlen(text), shown);
    progress_pause();
    fprintf(stderr, "%s%s\n", lead, shown);
    progress_resume();
}

void message_note(void *context, const char *text) {
    (void)context;
    print_line("note: ", text);
}

void message_problem(const char *format, ...) {
    char text[ORIEL_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_line("oriel: error: ", text);
}

void message_line(const char *format, ...) {
    char text[ORIEL_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_line("", text);
}
