/*
 * oriel_engine_set_source, oriel_engine_set_sink: which files a job gets in the place of its
 * connectors, and whether the job has tables of these names at all.
 */
#include "engine/api/replacement.h"

#include <string.h>

#include "engine/plan/bind.h"

const char *oriel_replacement_path(const struct oriel_engine *engine,
                                   const struct oriel_table_entry *table,
                                   enum oriel_table_options_use use) {
    for (const struct oriel_replacement *it = engine->replacements; it; it = it->next) {
        if (it->use == use && strcmp(it->name, table->name) == 0)
            return it->path;
    }
    return NULL;
}

void oriel_replacements_free(struct oriel_engine *engine) {
    while (engine->replacements) {
        struct oriel_replacement *it = engine->replacements;
        engine->replacements = it->next;
        oriel_memory_release(&engine->memory, it, it->block_bytes);
    }
}

static const char *word_of(enum oriel_table_options_use use) {
    return use == ORIEL_TABLE_OPTIONS_SOURCE ? "source" : "sink";
}

/* The name without the catalog and database that there are. */
static const char *last_part(const char *name) {
    static const char *const places[] = {"default_catalog.default_database.", "default_database."};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const size_t length = strlen(places[i]);
        if (strncmp(name, places[i], length) == 0)
            return name + length;
    }
    return name;
}

static enum oriel_status add(struct oriel_engine *engine, enum oriel_table_options_use use,
                             const char *name, const char *path, struct oriel_error *error) {
    if (!engine || !name || !path)
        return oriel_error_set(error, ORIEL_ARGUMENT, "engine, name and path must be given");
    name = last_part(name);
    if (!name[0] || !path[0])
        return oriel_error_set(error, ORIEL_ARGUMENT, "a %s needs the name of a table and a file",
                               word_of(use));
    for (const struct oriel_replacement *it = engine->replacements; it; it = it->next) {
        if (it->use == use && strcmp(it->name, name) == 0)
            return oriel_error_set(error, ORIEL_ARGUMENT, "the table '%s' has two %ss: %s and %s",
                                   name, word_of(use), it->path, path);
    }
    const size_t name_bytes = strlen(name) + 1, path_bytes = strlen(path) + 1;
    const size_t block_bytes = sizeof(struct oriel_replacement) + name_bytes + path_bytes;
    struct oriel_replacement *it = oriel_memory_allocate(&engine->memory, block_bytes);
    if (!it)
        return oriel_error_memory(error);
    char *texts = (char *)(it + 1);
    memcpy(texts, name, name_bytes);
    memcpy(texts + name_bytes, path, path_bytes);
    *it = (struct oriel_replacement){use, texts, texts + name_bytes, block_bytes,
                                     engine->replacements};
    engine->replacements = it;
    return ORIEL_OK;
}

enum oriel_status oriel_engine_set_source(struct oriel_engine *engine, const char *name,
                                          const char *path, struct oriel_error *error) {
    return add(engine, ORIEL_TABLE_OPTIONS_SOURCE, name, path, error);
}

enum oriel_status oriel_engine_set_sink(struct oriel_engine *engine, const char *name,
                                        const char *path, struct oriel_error *error) {
    return add(engine, ORIEL_TABLE_OPTIONS_SINK, name, path, error);
}

/* What is known of one name while the scripts are looked through. */
struct search {
    struct oriel_suggestion suggestion;
    bool is_table;
    bool is_view;
};

static void offer(struct search *search, const char *name, bool is_view) {
    if (strcmp(search->suggestion.name, name) != 0) {
        if (!is_view)
            oriel_suggestion_offer(&search->suggestion, name);
        return;
    }
    search->is_view |= is_view;
    search->is_table |= !is_view;
}

/* Offers what the rest of a script creates; a syntax error ends it, and is told when it runs. */
static enum oriel_status search_script(struct search *search, const struct oriel_script *script,
                                       struct oriel_arena *arena, struct oriel_error *error) {
    struct oriel_script_reader reader = script->reader;
    for (;;) {
        struct ast_statement *statement;
        const enum oriel_status status = oriel_parse_statement(&reader, arena, &statement, NULL);
        if (status == ORIEL_MEMORY)
            return oriel_error_memory(error);
        if (status != ORIEL_OK)
            return ORIEL_OK;
        const bool is_view = statement->kind == AST_STATEMENT_CREATE_VIEW;
        if (is_view || statement->kind == AST_STATEMENT_CREATE_TABLE)
            offer(search, statement->name.parts[statement->name.part_count - 1].text, is_view);
    }
}

static enum oriel_status check(const struct oriel_engine *engine,
                               const struct oriel_replacement *replacement,
                               struct oriel_script *const *scripts, size_t script_count,
                               struct oriel_arena *arena, struct oriel_error *error) {
    struct search search = {.suggestion = {.name = replacement->name}};
    const struct oriel_table_entry *table;
    for (size_t i = 0; (table = oriel_session_table_at(engine->session, NULL, i)) != NULL; i++)
        offer(&search, table->name, table->kind == ORIEL_TABLE_VIEW);
    for (size_t i = 0; i < script_count && !search.is_table; i++)
        ORIEL_TRY(search_script(&search, scripts[i], arena, error));
    if (search.is_table)
        return ORIEL_OK;
    const char *word = word_of(replacement->use);
    if (search.is_view)
        return oriel_error_set(error, ORIEL_INVALID,
                               "the %s '%s' is a view, which has no connector to replace", word,
                               replacement->name);
    char hint[160];
    return oriel_error_set(error, ORIEL_INVALID,
                           "there is no table '%s' for the %s %s: no CREATE TABLE has this name%s",
                           replacement->name, word, replacement->path,
                           oriel_suggestion_text(&search.suggestion, hint, sizeof hint));
}

enum oriel_status oriel_engine_check_files(const struct oriel_engine *engine,
                                           struct oriel_script *const *scripts, size_t script_count,
                                           struct oriel_error *error) {
    if (!engine || (!scripts && script_count))
        return oriel_error_set(error, ORIEL_ARGUMENT, "engine and scripts must not be NULL");
    struct oriel_arena arena;
    /* The allocator alone is changed, which is no state that a caller sees. */
    oriel_arena_init(&arena, &((struct oriel_engine *)(uintptr_t)engine)->memory);
    enum oriel_status status = ORIEL_OK;
    for (const struct oriel_replacement *it = engine->replacements; it && status == ORIEL_OK;
         it = it->next)
        status = check(engine, it, scripts, script_count, &arena, error);
    oriel_arena_deinit(&arena);
    return status;
}
