/*
 * Statements too plain for the grammar: SET and RESET, whose keys may stand bare; USE, SHOW, DROP
 * and DESCRIBE, which are a few words and a name; and those of Flink that are only recognised, so
 * that the answer can name them instead of calling them a syntax error.
 */
#include <stdio.h>
#include <string.h>

#include "engine/sql/ast_build.h"
#include "engine/sql/grammar.h"
#include "engine/sql/keywords.h"

static const struct sql_token *peek(struct sql_parser *parser) {
    return oriel_tokens_peek(&parser->tokens, 0);
}

static struct sql_token take(struct sql_parser *parser) {
    return oriel_tokens_next_raw(&parser->tokens);
}

/* Fails at the next token: found ..., expected `what`. */
static void fail_expected(struct sql_parser *parser, const char *what) {
    char buffer[ORIEL_SQL_TOKEN_TEXT_BYTES];
    const struct sql_token *token = peek(parser);
    if (parser->tokens.lexer.out_of_memory)
        oriel_sql_fail_memory(parser);
    else if (token->kind == SQL_LEXICAL_ERROR)
        oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(token->location), "%s",
                       token->text.bytes);
    else
        oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(token->location), "found %s, expected %s",
                       oriel_sql_token_text(parser, token, buffer), what);
}

static bool accept(struct sql_parser *parser, const char *word) {
    if (!oriel_token_is_word(peek(parser), word))
        return false;
    (void)take(parser);
    return true;
}

static bool expect_end(struct sql_parser *parser) {
    if (peek(parser)->kind != SQL_END_OF_INPUT)
        fail_expected(parser, parser->has_semicolon ? "';'" : "the end of the statement");
    return parser->status == ORIEL_OK;
}

/* Reads to the end without looking; only what is no token at all fails. */
static bool skip_rest(struct sql_parser *parser) {
    while (peek(parser)->kind != SQL_END_OF_INPUT && parser->status == ORIEL_OK) {
        if (peek(parser)->kind == SQL_LEXICAL_ERROR)
            fail_expected(parser, "");
        else
            (void)take(parser);
    }
    return parser->status == ORIEL_OK;
}

static bool is_name_token(const struct sql_token *token) {
    return token->kind == SQL_IDENTIFIER || token->kind == SQL_UNIT_NAME ||
           (token->text.bytes && !token->text.quoted && token->kind != SQL_NUMBER &&
            token->kind != SQL_LEXICAL_ERROR &&
            !oriel_sql_is_reserved(token->text.bytes, token->text.length));
}

static bool parse_name(struct sql_parser *parser, struct ast_statement *statement,
                       const char *what) {
    struct ast_name *name = NULL;
    do {
        if (!is_name_token(peek(parser))) {
            fail_expected(parser, what);
            return false;
        }
        const struct sql_token token = take(parser);
        struct ast_identifier *part = oriel_ast_identifier(parser, token.location, token.text);
        if (part)
            name = name ? oriel_ast_name_add(parser, name, part) : oriel_ast_name(parser, part);
        if (!part || !name)
            return false;
        if (peek(parser)->kind != '.')
            break;
        (void)take(parser);
    } while (true);
    statement->name = *name;
    return true;
}

static struct ast_statement *begin(struct sql_parser *parser, enum ast_statement_kind kind) {
    parser->statement = oriel_ast_statement(parser, kind, peek(parser)->location);
    return parser->statement;
}

/* ---- SET, RESET ---- */

static struct sql_text trim(struct sql_text text) {
    while (text.length > 0 && strchr(" \t\r\n", text.bytes[0])) {
        text.bytes++;
        text.length--;
    }
    while (text.length > 0 && strchr(" \t\r\n", text.bytes[text.length - 1]))
        text.length--;
    return text;
}

/* What is left of the statement after the token that was taken last, which ended at `from`. */
static struct sql_text rest_of(const struct sql_parser *parser, uint32_t from) {
    const struct sql_text rest = {parser->source + from, (uint32_t)parser->source_length - from,
                                  false};
    return trim(rest);
}

static const char *copy_text(struct sql_parser *parser, struct sql_text text) {
    if (memchr(text.bytes, 0, text.length))
        return oriel_sql_fail(parser, ORIEL_SYNTAX, parser->statement->position,
                              "found a NUL character in a setting");
    return oriel_ast_copy(parser, text);
}

/* SET key = value with neither in quotes, or the value alone in quotes. */
static void parse_bare_set(struct sql_parser *parser, struct ast_statement *set, uint32_t from) {
    const struct sql_text rest = rest_of(parser, from);
    const char *equals = memchr(rest.bytes, '=', rest.length);
    struct sql_text key = rest, value = {NULL, 0, false};
    if (equals) {
        key.length = (uint32_t)(equals - rest.bytes);
        value = (struct sql_text){equals + 1, rest.length - key.length - 1, false};
        key = trim(key);
        value = trim(value);
    }
    if (!equals || key.length == 0 || strpbrk("'\"`", (char[]){key.bytes[0], 0})) {
        fail_expected(parser, "'key' = 'value'");
        return;
    }
    if (value.length >= 2 && value.bytes[0] == '\'' && value.bytes[value.length - 1] == '\'') {
        value.bytes++;
        value.length -= 2;
    }
    set->key = copy_text(parser, key);
    set->value = set->key ? copy_text(parser, value) : NULL;
}

static void parse_set(struct sql_parser *parser) {
    struct ast_statement *set = begin(parser, AST_STATEMENT_SET);
    if (!set)
        return;
    const struct sql_token word = take(parser);
    if (peek(parser)->kind == SQL_END_OF_INPUT)
        return;
    if (peek(parser)->kind != SQL_STRING) {
        parse_bare_set(parser, set, word.location.end);
        return;
    }
    const struct sql_token key = take(parser);
    if (peek(parser)->kind != '=') {
        fail_expected(parser, "'='");
        return;
    }
    (void)take(parser);
    if (peek(parser)->kind != SQL_STRING) {
        fail_expected(parser, "a string in single quotes");
        return;
    }
    const struct sql_token value = take(parser);
    set->key = copy_text(parser, key.text);
    set->value = set->key ? copy_text(parser, value.text) : NULL;
    expect_end(parser);
}

static void parse_reset(struct sql_parser *parser) {
    struct ast_statement *reset = begin(parser, AST_STATEMENT_RESET);
    if (!reset)
        return;
    const struct sql_token word = take(parser);
    if (peek(parser)->kind == SQL_END_OF_INPUT)
        return;
    if (peek(parser)->kind == SQL_STRING) {
        reset->key = copy_text(parser, take(parser).text);
        expect_end(parser);
    } else if (peek(parser)->kind == SQL_LEXICAL_ERROR) {
        fail_expected(parser, "'key'");
    } else {
        reset->key = copy_text(parser, rest_of(parser, word.location.end));
    }
}

/* ---- statements of a few words ---- */

static void parse_other(struct sql_parser *parser, const char *text) {
    struct ast_statement *other = begin(parser, AST_STATEMENT_OTHER);
    if (!other)
        return;
    other->text = text;
    skip_rest(parser);
}

static void parse_use(struct sql_parser *parser) {
    if (oriel_token_is_word(oriel_tokens_peek(&parser->tokens, 1), "MODULES")) {
        parse_other(parser, "USE MODULES");
        return;
    }
    struct ast_statement *use = begin(parser, AST_STATEMENT_USE);
    if (!use)
        return;
    (void)take(parser);
    if (oriel_token_is_word(peek(parser), "CATALOG") &&
        oriel_tokens_peek(&parser->tokens, 1)->kind != SQL_END_OF_INPUT) {
        (void)take(parser);
        use->text = "CATALOG";
    }
    if (parse_name(parser, use, "the name of a database or CATALOG"))
        expect_end(parser);
}

static void parse_describe(struct sql_parser *parser) {
    static const char *const OTHERS[] = {"CATALOG", "DATABASE",   "FUNCTION",
                                         "MODEL",   "CONNECTION", "JOB"};
    const struct sql_token *object = oriel_tokens_peek(&parser->tokens, 1);
    const int after = oriel_tokens_peek(&parser->tokens, 2)->kind;
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; ++i) {
        if (oriel_token_is_word(object, OTHERS[i]) && after != SQL_END_OF_INPUT && after != '.') {
            const char *text = oriel_arena_print(parser->arena, "DESCRIBE %s", OTHERS[i]);
            if (text)
                parse_other(parser, text);
            else
                oriel_sql_fail_memory(parser);
            return;
        }
    }
    struct ast_statement *describe = begin(parser, AST_STATEMENT_DESCRIBE);
    if (!describe)
        return;
    (void)take(parser);
    if (accept(parser, "EXTENDED"))
        describe->text = "EXTENDED";
    (void)accept(parser, "TABLE");
    if (parse_name(parser, describe, "the name of a table or view"))
        expect_end(parser);
}

static void parse_drop(struct sql_parser *parser) {
    static const char *const OBJECTS[] = {"TABLE",    "VIEW",  "FUNCTION",   "CATALOG",
                                          "DATABASE", "MODEL", "CONNECTION", "MATERIALIZED TABLE"};
    struct ast_statement *drop = begin(parser, AST_STATEMENT_DROP);
    if (!drop)
        return;
    (void)take(parser);
    drop->temporary = accept(parser, "TEMPORARY");
    (void)accept(parser, "SYSTEM");
    if (accept(parser, "MATERIALIZED") && oriel_token_is_word(peek(parser), "TABLE")) {
        (void)take(parser);
        drop->object = "MATERIALIZED TABLE";
    }
    for (size_t i = 0; !drop->object && i < sizeof OBJECTS / sizeof OBJECTS[0]; ++i)
        if (accept(parser, OBJECTS[i]))
            drop->object = OBJECTS[i];
    if (!drop->object) {
        fail_expected(parser, "TABLE, VIEW, FUNCTION, DATABASE or CATALOG");
        return;
    }
    if (oriel_token_is_word(peek(parser), "IF") &&
        oriel_token_is_word(oriel_tokens_peek(&parser->tokens, 1), "EXISTS")) {
        (void)take(parser);
        (void)take(parser);
        drop->if_exists = true;
    }
    if (!parse_name(parser, drop, "a name or IF EXISTS"))
        return;
    drop->cascade = accept(parser, "CASCADE");
    if (!drop->cascade)
        (void)accept(parser, "RESTRICT");
    expect_end(parser);
}

/* CREATE CATALOG or DATABASE: the name and, as value, the option 'default-database'. */
static void parse_create_space(struct sql_parser *parser, const char *text) {
    struct ast_statement *create = begin(parser, AST_STATEMENT_OTHER);
    if (!create)
        return;
    create->text = text;
    (void)take(parser);
    (void)take(parser);
    if (oriel_token_is_word(peek(parser), "IF")) {
        (void)take(parser);
        if (!accept(parser, "NOT") || !accept(parser, "EXISTS")) {
            fail_expected(parser, "NOT EXISTS");
            return;
        }
        create->if_not_exists = true;
    }
    if (!parse_name(parser, create, "a name or IF NOT EXISTS"))
        return;
    bool is_key = false;
    while (peek(parser)->kind != SQL_END_OF_INPUT && parser->status == ORIEL_OK) {
        if (peek(parser)->kind == SQL_LEXICAL_ERROR) {
            fail_expected(parser, "");
            return;
        }
        const struct sql_token token = take(parser);
        if (token.kind == SQL_STRING && is_key && !create->value)
            create->value = copy_text(parser, token.text);
        else if (token.kind == SQL_STRING)
            is_key = token.text.length == strlen("default-database") &&
                     memcmp(token.text.bytes, "default-database", token.text.length) == 0;
    }
}

/* ---- SHOW ---- */

struct show_form {
    const char *first, *second; /* second NULL: one word */
    enum { SHOW_LIST, SHOW_NAMED, SHOW_FROM } rest;
};

static const struct show_form SHOW_FORMS[] = {
    {"TABLES", NULL, SHOW_LIST},
    {"VIEWS", NULL, SHOW_LIST},
    {"CREATE", "TABLE", SHOW_NAMED},
    {"CREATE", "VIEW", SHOW_NAMED},
    {"CREATE", "CATALOG", SHOW_NAMED},
    {"CREATE", "MODEL", SHOW_NAMED},
    {"COLUMNS", NULL, SHOW_FROM},
    {"FUNCTIONS", NULL, SHOW_LIST},
    {"USER", "FUNCTIONS", SHOW_LIST},
    {"DATABASES", NULL, SHOW_LIST},
    {"CATALOGS", NULL, SHOW_LIST},
    {"CURRENT", "CATALOG", SHOW_LIST},
    {"CURRENT", "DATABASE", SHOW_LIST},
    {"MODULES", NULL, SHOW_LIST},
    {"FULL", "MODULES", SHOW_LIST},
    {"PARTITIONS", NULL, SHOW_NAMED},
    {"PROCEDURES", NULL, SHOW_LIST},
    {"MODELS", NULL, SHOW_LIST},
    {"JARS", NULL, SHOW_LIST},
    {"JOBS", NULL, SHOW_LIST},
    {"MATERIALIZED", "TABLES", SHOW_LIST},
    {"CONNECTIONS", NULL, SHOW_LIST},
};

static const struct show_form *find_show_form(struct sql_parser *parser) {
    for (size_t i = 0; i < sizeof SHOW_FORMS / sizeof SHOW_FORMS[0]; ++i) {
        const struct show_form *form = &SHOW_FORMS[i];
        if (oriel_token_is_word(peek(parser), form->first) &&
            (!form->second ||
             oriel_token_is_word(oriel_tokens_peek(&parser->tokens, 1), form->second)))
            return form;
    }
    return NULL;
}

/* [FROM | IN name] [[NOT] LIKE | ILIKE 'pattern'] */
static void parse_show_filter(struct sql_parser *parser, struct ast_statement *show) {
    if ((accept(parser, "FROM") || accept(parser, "IN")) && !parse_name(parser, show, "a name"))
        return;
    const bool negated = accept(parser, "NOT");
    if (accept(parser, "LIKE"))
        show->key = negated ? "NOT LIKE" : "LIKE";
    else if (accept(parser, "ILIKE"))
        show->key = negated ? "NOT ILIKE" : "ILIKE";
    else if (negated)
        fail_expected(parser, "LIKE");
    if (!show->key)
        return;
    if (peek(parser)->kind == SQL_STRING)
        show->value = copy_text(parser, take(parser).text);
    else
        fail_expected(parser, "a pattern in single quotes");
}

static void parse_show(struct sql_parser *parser) {
    struct ast_statement *show = begin(parser, AST_STATEMENT_SHOW);
    if (!show)
        return;
    (void)take(parser);
    const struct show_form *form = find_show_form(parser);
    if (!form) {
        fail_expected(parser, "TABLES, VIEWS, CREATE TABLE, CREATE VIEW, COLUMNS, FUNCTIONS, "
                              "DATABASES, CATALOGS, CURRENT DATABASE or CURRENT CATALOG");
        return;
    }
    (void)take(parser);
    show->text = form->first;
    if (form->second) {
        (void)take(parser);
        show->text = oriel_arena_print(parser->arena, "%s %s", form->first, form->second);
        if (!show->text)
            oriel_sql_fail_memory(parser);
    }
    if (form->rest == SHOW_NAMED) {
        if (!parse_name(parser, show, "a name"))
            return;
        if (strcmp(form->first, "PARTITIONS") == 0)
            skip_rest(parser);
    } else if (form->rest == SHOW_FROM && !oriel_token_is_word(peek(parser), "FROM") &&
               !oriel_token_is_word(peek(parser), "IN")) {
        fail_expected(parser, "FROM or IN");
    } else {
        parse_show_filter(parser, show);
    }
    if (parser->status == ORIEL_OK)
        expect_end(parser);
}

/* ---- statements that are only recognised ---- */

struct known_start {
    const char *first, *second; /* second NULL: any */
    const char *text;
};

static const struct known_start KNOWN_STARTS[] = {
    {"ALTER", "DATABASE", "ALTER DATABASE"},
    {"ALTER", "CATALOG", "ALTER CATALOG"},
    {"ALTER", "FUNCTION", "ALTER FUNCTION"},
    {"ALTER", "TEMPORARY", "ALTER FUNCTION"},
    {"ALTER", "MODEL", "ALTER MODEL"},
    {"ALTER", "MATERIALIZED", "ALTER MATERIALIZED TABLE"},
    {"ALTER", "CONNECTION", "ALTER CONNECTION"},
    {"CREATE", "FUNCTION", "CREATE FUNCTION"},
    {"CREATE", "SYSTEM", "CREATE FUNCTION"},
    {"CREATE", "CATALOG", "CREATE CATALOG"},
    {"CREATE", "DATABASE", "CREATE DATABASE"},
    {"CREATE", "MODEL", "CREATE MODEL"},
    {"CREATE", "MATERIALIZED", "CREATE MATERIALIZED TABLE"},
    {"CREATE", "CONNECTION", "CREATE CONNECTION"},
    {"ADD", "JAR", "ADD JAR"},
    {"REMOVE", "JAR", "REMOVE JAR"},
    {"LOAD", "MODULE", "LOAD MODULE"},
    {"UNLOAD", "MODULE", "UNLOAD MODULE"},
    {"ANALYZE", "TABLE", "ANALYZE TABLE"},
    {"TRUNCATE", "TABLE", "TRUNCATE TABLE"},
    {"DELETE", NULL, "DELETE"},
    {"UPDATE", NULL, "UPDATE"},
    {"MERGE", NULL, "MERGE"},
    {"CALL", NULL, "CALL"},
    {"STOP", "JOB", "STOP JOB"},
    {"COMPILE", "PLAN", "COMPILE PLAN"},
    {"COMPILE", "AND", "COMPILE AND EXECUTE PLAN"},
    {"EXECUTE", "PLAN", "EXECUTE PLAN"},
    {"QUIT", NULL, "QUIT"},
    {"EXIT", NULL, "EXIT"},
    {"HELP", NULL, "HELP"},
    {"CLEAR", NULL, "CLEAR"},
};

static const char *const GRAMMAR_STARTS[] = {"SELECT", "WITH",    "VALUES",  "TABLE",
                                             "INSERT", "EXPLAIN", "EXECUTE", "BEGIN",
                                             "ALTER"};

/* CREATE, [OR REPLACE], [TEMPORARY]: how many tokens stand before the object. */
static uint32_t words_before_object(struct sql_parser *parser) {
    uint32_t at = 1;
    if (oriel_token_is_word(oriel_tokens_peek(&parser->tokens, at), "OR") &&
        oriel_token_is_word(oriel_tokens_peek(&parser->tokens, at + 1), "REPLACE"))
        at += 2;
    if (oriel_token_is_word(oriel_tokens_peek(&parser->tokens, at), "TEMPORARY"))
        at++;
    return at;
}

static const char *find_known_start(struct sql_parser *parser, uint32_t second_at) {
    for (size_t i = 0; i < sizeof KNOWN_STARTS / sizeof KNOWN_STARTS[0]; ++i) {
        const struct known_start *start = &KNOWN_STARTS[i];
        if (oriel_token_is_word(peek(parser), start->first) &&
            (!start->second ||
             oriel_token_is_word(oriel_tokens_peek(&parser->tokens, second_at), start->second)))
            return start->text;
    }
    return NULL;
}

static void fail_unknown_start(struct sql_parser *parser) {
    static const char *const STARTS[] = {"SELECT",   "INSERT",  "CREATE", "DROP",
                                         "DESCRIBE", "SHOW",    "WITH",   "RESET",
                                         "VALUES",   "EXPLAIN", "ALTER",  "EXECUTE"};
    char expected[120];
    const char *similar =
        oriel_sql_similar_word(peek(parser), STARTS, sizeof STARTS / sizeof STARTS[0]);
    snprintf(expected, sizeof expected,
             "a statement such as SELECT, INSERT, CREATE TABLE or SET%s%s%s",
             similar ? ": did you mean " : "", similar ? similar : "", similar ? "?" : "");
    fail_expected(parser, expected);
}

/* True when the grammar takes the statement; fails or parses it otherwise. */
static bool belongs_to_grammar(struct sql_parser *parser) {
    const struct sql_token *first = peek(parser);
    if (oriel_token_is_word(first, "CREATE")) {
        const uint32_t at = words_before_object(parser);
        const struct sql_token *object = oriel_tokens_peek(&parser->tokens, at);
        const char *text = find_known_start(parser, at);
        const bool is_space =
            text && (strcmp(text, "CREATE CATALOG") == 0 || strcmp(text, "CREATE DATABASE") == 0);
        if (is_space && at == 1) {
            parse_create_space(parser, text);
            return false;
        }
        if (object->kind == SQL_TABLE || object->kind == SQL_VIEW)
            return true;
        if (text) {
            parse_other(parser, text);
            return false;
        }
        while (parser->tokens.ahead_count > 0 && peek(parser) != object)
            (void)take(parser);
        fail_expected(parser, "TABLE, VIEW, FUNCTION, DATABASE or CATALOG");
        return false;
    }
    const char *text = find_known_start(parser, 1);
    if (text) {
        parse_other(parser, text);
        return false;
    }
    for (size_t i = 0; i < sizeof GRAMMAR_STARTS / sizeof GRAMMAR_STARTS[0]; ++i)
        if (oriel_token_is_word(first, GRAMMAR_STARTS[i]))
            return true;
    if (first->kind == '(')
        return true;
    fail_unknown_start(parser);
    return false;
}

bool oriel_sql_parse_plain(struct sql_parser *parser) {
    const struct sql_token *first = peek(parser);
    if (oriel_token_is_word(first, "SET"))
        parse_set(parser);
    else if (oriel_token_is_word(first, "RESET"))
        parse_reset(parser);
    else if (oriel_token_is_word(first, "USE"))
        parse_use(parser);
    else if (oriel_token_is_word(first, "SHOW"))
        parse_show(parser);
    else if (oriel_token_is_word(first, "DROP"))
        parse_drop(parser);
    else if (oriel_token_is_word(first, "DESCRIBE") || oriel_token_is_word(first, "DESC"))
        parse_describe(parser);
    else if (belongs_to_grammar(parser))
        return false;
    if (parser->tokens.lexer.out_of_memory)
        oriel_sql_fail_memory(parser);
    return true;
}
