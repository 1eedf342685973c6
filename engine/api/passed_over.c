/*
 * What a job says to a cluster and a run over files does not need: jars, modules, catalogs of other
 * systems, settings of checkpoints and state, hints for the planner. It is accepted, and told to
 * those who ask for it.
 */
#include "engine/api/passed_over.h"

#include <string.h>

bool oriel_statement_is_passed_over(const struct ast_statement *statement) {
    static const char *const texts[] = {
        "ADD JAR",     "REMOVE JAR",     "LOAD MODULE",   "UNLOAD MODULE",
        "USE MODULES", "ALTER DATABASE", "ALTER CATALOG", "ANALYZE TABLE",
    };
    for (size_t i = 0; statement->text && i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(statement->text, texts[i]) == 0)
            return true;
    }
    return false;
}

static bool is_word_byte(char byte) {
    return byte == '_' || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9');
}

/* Names the hints between two marks, but OPTIONS. */
static void note_hints(const struct oriel_result *result, const char *begin, const char *end) {
    for (const char *at = begin; at < end;) {
        const char *word = at;
        while (at < end && is_word_byte(*at))
            at++;
        const struct oriel_text name = {word, (size_t)(at - word)};
        if (name.length && !oriel_text_equal_ignoring_case(name, ORIEL_TEXT("OPTIONS")))
            oriel_runtime_note(&result->runtime, "the hint %.*s changes nothing here",
                               (int)name.length, name.bytes);
        while (at < end && *at != '(' && !is_word_byte(*at))
            at++;
        if (at == end || *at != '(')
            continue;
        while (at < end && *at != ')')
            at++;
        while (at < end && !is_word_byte(*at))
            at++;
    }
}

static void note_all_hints(const struct oriel_result *result, const char *source) {
    for (const char *at = source; (at = strstr(at, "/*+")) != NULL; at += 3) {
        const char *end = strstr(at, "*/");
        const char *begin = at + 3;
        while (*begin == ' ')
            begin++;
        if (end && end > begin)
            note_hints(result, begin, end);
    }
}

void oriel_note_passed_over(const struct oriel_result *result,
                            const struct ast_statement *statement) {
    if (!result->engine->verbose)
        return;
    if (statement->kind == AST_STATEMENT_SET && statement->key) {
        if (!oriel_session_setting_counts(statement->key))
            oriel_runtime_note(&result->runtime, "the setting '%s' changes nothing here",
                               statement->key);
    } else if (oriel_statement_is_passed_over(statement)) {
        oriel_runtime_note(&result->runtime, "%s changes nothing here", statement->text);
    } else if (statement->text && strcmp(statement->text, "CREATE CATALOG") == 0) {
        oriel_runtime_note(&result->runtime,
                           "the catalog '%s' is empty: tables that it has elsewhere are not there",
                           statement->name.parts[0].text);
    } else if (statement->source) {
        note_all_hints(result, statement->source);
    }
}
