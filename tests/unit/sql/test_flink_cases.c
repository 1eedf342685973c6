/*
 * Every script of the golden cases parses to its end, or is refused with a position where Flink's
 * own answer is a syntax error.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/sql/parser.h"

enum { PATH_BYTES = 4096 };

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    *length = 0;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        if (text)
            *length = fread(text, 1, (size_t)size, file);
    }
    fclose(file);
    if (text)
        text[*length] = '\0';
    return text;
}

static bool flink_refuses(const char *script) {
    char path[PATH_BYTES + 8];
    size_t length;
    snprintf(path, sizeof path, "%.*s.truth", (int)(strlen(script) - 4), script);
    char *truth = read_file(path, &length);
    const char *error = truth ? strstr(truth, "ERROR: ") : NULL;
    const bool refuses =
        error && (strstr(error, "sql.parser.impl.ParseException") ||
                  strstr(error, "SqlParserException") || strstr(error, "Bang equal") ||
                  strstr(error, "under the current SQL conformance level") ||
                  strstr(error, "String literal continued on same line"));
    free(truth);
    return refuses;
}

/* 1 when the script is answered wrongly, which is then printed. */
static int check_script(const char *path) {
    struct oriel_memory memory = {0};
    struct oriel_arena arena;
    struct oriel_script_reader reader;
    struct oriel_error error = {0};
    struct ast_statement *statement;
    enum oriel_status status;
    size_t length;
    char *text = read_file(path, &length);
    if (!text) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    oriel_arena_init(&arena, &memory);
    oriel_script_reader_init(&reader, text, length);
    do
        status = oriel_parse_statement(&reader, &arena, &statement, &error);
    while (status == ORIEL_OK);
    const bool wrong =
        flink_refuses(path) ? status != ORIEL_SYNTAX || error.line == 0 : status != ORIEL_DONE;
    if (wrong)
        fprintf(stderr, "%s:%u:%u: %s\n", path, error.line, error.column,
                status == ORIEL_DONE ? "parses, but Flink refuses it" : error.message);
    oriel_arena_deinit(&arena);
    free(text);
    return wrong;
}

static void check_folder(const char *folder, int depth, int *script_count, int *wrong_count) {
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    char path[PATH_BYTES];
    while (directory && (entry = readdir(directory))) {
        const size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".sql") == 0) {
            *wrong_count += check_script(path);
            ++*script_count;
        } else if (depth == 0 && !strchr(entry->d_name, '.')) {
            check_folder(path, depth + 1, script_count, wrong_count);
        }
    }
    if (directory)
        closedir(directory);
}

int main(int argument_count, char **arguments) {
    int script_count = 0, wrong_count = 0;
    if (argument_count == 2)
        check_folder(arguments[1], 0, &script_count, &wrong_count);
    printf("%d scripts, %d wrong\n", script_count, wrong_count);
    return script_count == 0 || wrong_count > 0;
}
