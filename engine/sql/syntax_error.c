/*
 * Says what is wrong where the grammar stops. Bison knows which tokens could stand there (exactly,
 * thanks to LAC); a user wants to read "a name" or "an expression" instead of sixty of them, and
 * the likely cause: a misspelt word, a reserved word, a forgotten semicolon or quote.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/sql/grammar.h"
#include "engine/sql/keywords.h"
#include "engine/sql/parse_state.h"

enum { SHOWN_NAMES = 6, LONGEST_WORD = 40 };

/* Appends to a message of fixed size; what does not fit is cut. */
struct message {
    char text[ORIEL_ERROR_MESSAGE_SIZE];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void append(struct message *message,
                                                         const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const size_t left = sizeof message->text - message->length;
    const int written = vsnprintf(message->text + message->length, left, format, arguments);
    va_end(arguments);
    if (written > 0)
        message->length += (size_t)written < left ? (size_t)written : left - 1;
}

/* The longest prefix of `length` bytes, at most `limit`, that ends at a whole character. */
static int whole_characters(const char *bytes, uint32_t length, uint32_t limit) {
    if (length <= limit)
        return (int)length;
    while (limit > 0 && ((unsigned char)bytes[limit] & 0xc0) == 0x80)
        --limit;
    return (int)limit;
}

const char *oriel_sql_token_text(const struct sql_parser *parser, const struct sql_token *token,
                                 char buffer[ORIEL_SQL_TOKEN_TEXT_BYTES]) {
    const char *bytes = parser->source + token->location.begin;
    const uint32_t length = token->location.end - token->location.begin;
    if (token->kind == SQL_END_OF_INPUT)
        return parser->has_semicolon ? "';'" : "the end of the text";
    if (length == 1 && !token->text.bytes) {
        snprintf(buffer, ORIEL_SQL_TOKEN_TEXT_BYTES, "'%c'", bytes[0]);
        return buffer;
    }
    const int shown = whole_characters(bytes, length, 60);
    snprintf(buffer, ORIEL_SQL_TOKEN_TEXT_BYTES, "%.*s%s", shown, bytes,
             (uint32_t)shown < length ? "..." : "");
    return buffer;
}

static bool is_in(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const char *const NAME_WORDS[] = {
    "name",      "unit of time", "ASC",           "CONDITIONAL", "DESC",
    "ENFORCED",  "ERROR",        "EXCLUDING",     "FIRST",       "FOLLOWING",
    "INCLUDING", "METADATA",     "PLACING",       "PRECEDING",   "OVERWRITING",
    "RETURNING", "VIRTUAL",      "UNCONDITIONAL", "WRAPPER",
};

static const char *const EXPRESSION_STARTS[] = {
    "string",        "number",        "binary string", "function",   "CURRENT_TIMESTAMP",
    "time unit",     "'+'",           "'-'",           "'('",        "ARRAY",
    "CASE",          "CAST",          "CEIL",          "CEILING",    "FLOOR",
    "LEFT",          "RIGHT",         "DATE",          "TIME",       "TIMESTAMP",
    "EXISTS",        "EXTRACT",       "FALSE",         "INTERVAL",   "JSON_ARRAY",
    "JSON_EXISTS",   "JSON_ARRAYAGG", "JSON_OBJECT",   "JSON_QUERY", "JSON_OBJECTAGG",
    "JSON_VALUE",    "MULTISET",      "NOT",           "NULL",       "OVERLAY",
    "POSITION",      "ROW",           "SUBSTRING",     "TRIM",       "TRUE",
    "TRY_CAST",      "UNKNOWN",       "MAP",           "DESCRIPTOR", "TIMESTAMPADD",
    "TIMESTAMPDIFF", "U&'...'",       "DEFAULT",
};

static const char *const TYPE_STARTS[] = {
    "type",      "CHAR",     "CHARACTER", "BINARY",   "DOUBLE", "DATE", "TIME",
    "TIMESTAMP", "INTERVAL", "ARRAY",     "MULTISET", "MAP",    "ROW",  "RAW",
};

static const char *const OPERATORS[] = {
    "'+'",     "'-'",      "'*'",    "'/'",     "'%'", "||",  "'='",
    "<>",      "'<'",      "<=",     "'>'",     ">=",  "AND", "OR",
    "IS",      "LIKE",     "IN",     "SIMILAR", "'['", "'.'", "NOT followed by an operator",
    "BETWEEN", "OVERLAPS", "ESCAPE",
};

/* Takes the names in `group` out of the list. */
static void drop(struct sql_expected *expected, const char *const *group, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < expected->count; ++i)
        if (!is_in(expected->names[i], group, count))
            expected->names[kept++] = expected->names[i];
    expected->count = kept;
}

static bool has(const struct sql_expected *expected, const char *name) {
    return is_in(name, expected->names, expected->count);
}

static void add(struct sql_expected *expected, const char *name) {
    if (expected->count < ORIEL_SQL_EXPECTED_MAX)
        expected->names[expected->count++] = name;
}

/* Puts one word for each group of tokens. */
static void summarise(struct sql_expected *expected) {
    const bool expression = has(expected, "CASE") && has(expected, "number");
    const bool type = has(expected, "type") && has(expected, "DOUBLE");
    const bool operators = has(expected, "'/'") && has(expected, "||");
    const bool name = has(expected, "name");
    static const char *const UNIT_NAME[] = {"unit of time"};
    if (has(expected, "time unit"))
        drop(expected, UNIT_NAME, 1);
    if (operators)
        drop(expected, OPERATORS, COUNT_OF(OPERATORS));
    if (expression)
        drop(expected, EXPRESSION_STARTS, COUNT_OF(EXPRESSION_STARTS));
    if (type)
        drop(expected, TYPE_STARTS, COUNT_OF(TYPE_STARTS));
    if (name)
        drop(expected, NAME_WORDS, COUNT_OF(NAME_WORDS));
    if (expression)
        add(expected, "an expression");
    if (type)
        add(expected, "a type");
    if (name && !expression && !type)
        add(expected, "a name");
    if (operators)
        add(expected, "an operator");
}

/* What is likeliest stands first: closing signs, then what a clause needs, then what may follow. */
static int rank_of(const char *name) {
    static const char *const LAST[] = {"UNION",       "EXCEPT", "MINUS", "INTERSECT", "FETCH",
                                       "an operator", "'('",    "TO",    "/*+"};
    if (strcmp(name, "')'") == 0 || strcmp(name, "']'") == 0)
        return 0;
    if (strcmp(name, "','") == 0)
        return 1;
    if (name[0] >= 'a' && name[0] <= 'z' && !is_in(name, LAST, COUNT_OF(LAST)))
        return 2;
    return is_in(name, LAST, COUNT_OF(LAST)) ? 4 : 3;
}

static void sort_by_rank(struct sql_expected *expected) {
    for (size_t i = 1; i < expected->count; ++i) {
        const char *name = expected->names[i];
        size_t at = i;
        for (; at > 0 && rank_of(expected->names[at - 1]) > rank_of(name); --at)
            expected->names[at] = expected->names[at - 1];
        expected->names[at] = name;
    }
}

static const char *plain_name(const struct sql_parser *parser, const char *name) {
    if (strcmp(name, "end of the statement") == 0)
        return parser->has_semicolon ? "';'" : "the end of the statement";
    if (strcmp(name, "AND of BETWEEN") == 0)
        return "AND";
    if (strcmp(name, "IN of POSITION") == 0)
        return "IN";
    if (strcmp(name, "string") == 0)
        return "a string in single quotes";
    if (strcmp(name, "number") == 0)
        return "a number";
    if (strcmp(name, "time unit") == 0)
        return "a time unit";
    return name;
}

static void append_expected(struct message *message, const struct sql_parser *parser,
                            const struct sql_expected *expected) {
    const size_t shown = expected->count > SHOWN_NAMES ? SHOWN_NAMES : expected->count;
    const bool more = shown < expected->count;
    for (size_t i = 0; i < shown; ++i) {
        const char *before = i == 0 ? ", expected " : i + 1 == shown && !more ? " or " : ", ";
        append(message, "%s%s", before, plain_name(parser, expected->names[i]));
    }
    if (more)
        append(message, " ...");
}

/* Changes of one letter, or two neighbours swapped, that turn a into b; stops above 2. */
static unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    unsigned rows[3][LONGEST_WORD + 1];
    if (a_length > LONGEST_WORD || b_length > LONGEST_WORD)
        return 3;
    for (size_t j = 0; j <= b_length; ++j)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; ++i) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; ++j) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                rows[(i + 1) % 3][j - 2] + 1 < best)
                best = rows[(i + 1) % 3][j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

const char *oriel_sql_similar_word(const struct sql_token *token, const char *const *words,
                                   size_t count) {
    char upper[LONGEST_WORD + 1];
    const uint32_t length = token->text.length;
    const char *best = NULL;
    unsigned best_distance = 3;
    if (token->kind != SQL_IDENTIFIER || token->text.quoted || length < 3 || length > LONGEST_WORD)
        return NULL;
    for (uint32_t i = 0; i < length; ++i) {
        const char c = token->text.bytes[i];
        upper[i] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    for (size_t i = 0; i < count; ++i) {
        const size_t word_length = strlen(words[i]);
        if (word_length < 3 || words[i][0] < 'A' || words[i][0] > 'Z')
            continue;
        const unsigned distance = edit_distance(upper, length, words[i], word_length);
        if (distance < best_distance && distance <= (word_length >= 6 ? 2 : 1)) {
            best = words[i];
            best_distance = distance;
        }
    }
    return best;
}

/* True where a word stands as names do: before a comma, a sign, a type or the end. */
static bool is_used_as_name(struct sql_parser *parser) {
    static const int FOLLOWERS[] = {
        ',',      ')',           '.',      '=',           '<',        '>',       '+',
        '-',      '*',           '/',      SQL_NE,        SQL_LE,     SQL_GE,    SQL_ARROW,
        SQL_AS,   SQL_FROM,      SQL_IS,   SQL_TYPE_WORD, SQL_DOUBLE, SQL_CHAR,  SQL_DATE,
        SQL_TIME, SQL_TIMESTAMP, SQL_DESC, SQL_ASC,       SQL_ON,     SQL_WHERE, SQL_END_OF_INPUT};
    const int next = oriel_tokens_peek(&parser->tokens, 0)->kind;
    for (size_t i = 0; i < COUNT_OF(FOLLOWERS); ++i)
        if (next == FOLLOWERS[i])
            return true;
    return false;
}

/* True for a word that opens a statement and is the first of its line. */
static bool opens_statement(const struct sql_parser *parser, const struct sql_token *token) {
    static const char *const STARTS[] = {"SELECT",   "INSERT",  "CREATE", "DROP",
                                         "ALTER",    "WITH",    "SET",    "SHOW",
                                         "DESCRIBE", "EXPLAIN", "USE",    "VALUES"};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(STARTS); ++i)
        found |= oriel_token_is_word(token, STARTS[i]);
    if (!found)
        return false;
    for (uint32_t i = token->location.begin; i > 0; --i) {
        const char c = parser->source[i - 1];
        if (c == '\n')
            return true;
        if (c != ' ' && c != '\t')
            return false;
    }
    return false;
}

/* COUNT, YEAR and the like without their parentheses: meant as a name. */
static bool is_reserved_function(const struct sql_token *before,
                                 const struct sql_expected *expected) {
    return expected->count == 1 && strcmp(expected->names[0], "'('") == 0 && before->text.bytes &&
           !before->text.quoted && before->text.length <= LONGEST_WORD &&
           oriel_sql_is_reserved(before->text.bytes, before->text.length);
}

static void append_hint(struct message *message, struct sql_parser *parser,
                        const struct sql_token *found, const struct sql_expected *expected,
                        bool name_expected) {
    const struct sql_token *before = &parser->tokens.before_previous;
    const struct sql_keyword *keyword =
        found->text.bytes && !found->text.quoted
            ? oriel_sql_keyword_find(found->text.bytes, found->text.length)
            : NULL;
    const char *similar = oriel_sql_similar_word(found, expected->names, expected->count);
    const char *similar_before = oriel_sql_similar_word(before, expected->names, expected->count);
    const int length = whole_characters(found->text.bytes, found->text.length, 60);
    if (keyword && keyword->reserved && name_expected && is_used_as_name(parser))
        append(message, ": %s is a reserved word, as a name it stands in backticks: `%.*s`",
               keyword->word, length, found->text.bytes);
    else if (opens_statement(parser, found))
        append(message, ": is the ';' of the statement before it missing?");
    else if (is_reserved_function(before, expected))
        append(message, ": %.*s is a reserved word, as a name it stands in backticks: `%.*s`",
               (int)before->text.length, before->text.bytes, (int)before->text.length,
               before->text.bytes);
    else if (similar_before)
        append(message, ": did you mean %s instead of %.*s?", similar_before,
               (int)before->text.length, before->text.bytes);
    else if (similar)
        append(message, ": did you mean %s?", similar);
}

void oriel_sql_report_unexpected(struct sql_parser *parser, const struct sql_token *found,
                                 struct sql_expected *expected) {
    char buffer[ORIEL_SQL_TOKEN_TEXT_BYTES];
    struct message message = {.length = 0};
    const struct sql_expected all = *expected;
    append(&message, "found %s", oriel_sql_token_text(parser, found, buffer));
    summarise(expected);
    sort_by_rank(expected);
    append_expected(&message, parser, expected);
    append_hint(&message, parser, found, &all, has(&all, "name"));
    oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(found->location), "%s", message.text);
}
