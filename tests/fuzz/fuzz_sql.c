/*
 * Any bytes as a script: parsing ends, each statement moves the reader on, every error has a place
 * in the text, a printed expression parses again, and all memory comes back, also when one
 * allocation fails.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/sql/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FAILING_CALLS = 64, SMALL_BLOCK_BYTES = 256 };

static void demand(bool holds) {
    if (!holds)
        abort();
}

static uint32_t count_lines(const char *text, size_t length) {
    uint32_t lines = 1;
    for (size_t i = 0; i < length; ++i)
        lines += text[i] == '\n';
    return lines;
}

/* What DDL has no use for, and strings with NUL, which printed text cannot hold. */
static bool is_out_of_scope(const struct ast_expression *expression) {
    bool found = expression->query || expression->table || expression->over || expression->json ||
                 expression->filter || expression->within_order.count || expression->type ||
                 expression->null_on_null || expression->absent_on_null;
    found |= expression->kind == AST_STAR || expression->kind == AST_DEFAULT ||
             expression->kind == AST_NAMED || expression->kind == AST_DESCRIPTOR;
    found |= expression->text && strlen(expression->text) != expression->text_length;
    for (uint32_t i = 0; i < expression->arguments.count; ++i)
        found |= is_out_of_scope(expression->arguments.items[i]);
    return found;
}

/* Printing is for the plain expressions of DDL; those must survive it. */
static void print_and_parse(const struct ast_expression *expression, struct oriel_arena *arena) {
    struct ast_expression *again;
    const char *text = oriel_ast_print_expression(expression, arena);
    if (!text || is_out_of_scope(expression) || strstr(text, "JSON") || strchr(text, '`'))
        return;
    const enum oriel_status status =
        oriel_parse_expression(text, strlen(text), arena, &again, NULL);
    demand(status == ORIEL_OK || status == ORIEL_MEMORY || status == ORIEL_INVALID);
}

static void use_statement(const struct ast_statement *statement, struct oriel_arena *arena) {
    demand(statement->source != NULL && statement->position.line > 0);
    const struct ast_query *query = statement->query;
    for (uint32_t i = 0; query && i < query->items.count; ++i)
        print_and_parse(query->items.items[i]->expression, arena);
    for (uint32_t i = 0; i < statement->columns.count; ++i)
        if (statement->columns.items[i]->expression)
            print_and_parse(statement->columns.items[i]->expression, arena);
}

static void run_script(const char *text, size_t length, size_t fail_at_call) {
    struct oriel_memory memory = {.fail_at_call = fail_at_call};
    struct oriel_arena arena;
    struct oriel_script_reader reader;
    struct oriel_error error = {0};
    struct ast_statement *statement;
    enum oriel_status status;
    oriel_arena_init(&arena, &memory);
    if (fail_at_call)
        arena.block_bytes = SMALL_BLOCK_BYTES;
    oriel_script_reader_init(&reader, text, length);
    do {
        const size_t before = reader.offset;
        status = oriel_parse_statement(&reader, &arena, &statement, &error);
        if (status == ORIEL_OK) {
            demand(reader.offset > before && reader.offset <= length);
            use_statement(statement, &arena);
        }
        oriel_arena_reset(&arena);
    } while (status == ORIEL_OK);
    demand(status != ORIEL_INTERNAL);
    demand(status != ORIEL_MEMORY || memory.call_count >= fail_at_call);
    if (status == ORIEL_SYNTAX || status == ORIEL_INVALID || status == ORIEL_UNSUPPORTED)
        demand(error.line > 0 && error.line <= count_lines(text, length) && error.column > 0 &&
               error.message[0] != '\0');
    oriel_arena_deinit(&arena);
    demand(memory.used_bytes == 0);
}

static void run_expression(const char *text, size_t length) {
    struct oriel_memory memory = {0};
    struct oriel_arena arena;
    struct ast_expression *expression;
    oriel_arena_init(&arena, &memory);
    if (oriel_parse_expression(text, length, &arena, &expression, NULL) == ORIEL_OK)
        print_and_parse(expression, &arena);
    oriel_arena_deinit(&arena);
    demand(memory.used_bytes == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ data[i]) * 16777619U;
    run_script(text, size, 0);
    run_script(text, size, 1 + hash % FAILING_CALLS);
    run_expression(text, size);
    (void)oriel_script_is_complete(text, size);
    return 0;
}
