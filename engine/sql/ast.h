/*
 * The tree that the parser makes of one statement. Everything lies in the arena given to the
 * parser and borrows nothing else; texts end with NUL. Names keep their case; `quoted` ones were in
 * backticks. Every node knows its position.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/status.h"

struct ast_query;
struct ast_expression;

/* The deepest tree: chains such as a + b + c grow one level a link, AND and OR chains do not. */
enum { ORIEL_SQL_TREE_MAX = 1000 };

/* A list of any node: `count` pointers. */
#define AST_LIST(type)                                                                             \
    struct {                                                                                       \
        uint32_t count;                                                                            \
        struct type **items;                                                                       \
    }

struct ast_identifier {
    struct oriel_position position;
    const char *text;
    bool quoted;
};

/* A dotted name: table, catalog.database.table, table.column. */
struct ast_name {
    struct oriel_position position;
    uint32_t part_count;
    struct ast_identifier *parts;
};

enum ast_interval_unit {
    AST_UNIT_NONE,
    AST_UNIT_YEAR,
    AST_UNIT_QUARTER,
    AST_UNIT_MONTH,
    AST_UNIT_WEEK,
    AST_UNIT_DAY,
    AST_UNIT_HOUR,
    AST_UNIT_MINUTE,
    AST_UNIT_SECOND,
};

/* A type as written, e.g. DECIMAL(10, 2) NOT NULL, ARRAY<INT>, ROW<a INT>, INT ARRAY. */
struct ast_type {
    struct oriel_position position;
    uint32_t depth;
    const char *name; /* upper case, words joined by one space: "TIMESTAMP WITH LOCAL TIME ZONE" */
    uint32_t parameter_count; /* numbers in parentheses */
    int64_t parameters[2];    /* INTERVAL: two, leading and fraction precision, -1: not written */
    enum ast_interval_unit unit, unit_to; /* INTERVAL */
    bool not_null;
    uint32_t child_count; /* ARRAY, MULTISET 1; MAP 2; ROW n */
    struct ast_type **children;
    const char **child_names; /* ROW */
};

struct ast_order_item {
    struct ast_expression *expression;
    bool descending;
    enum { AST_NULLS_DEFAULT, AST_NULLS_FIRST, AST_NULLS_LAST } nulls;
};

struct ast_frame_bound {
    enum {
        AST_BOUND_UNBOUNDED_PRECEDING,
        AST_BOUND_PRECEDING,
        AST_BOUND_CURRENT_ROW,
        AST_BOUND_FOLLOWING,
        AST_BOUND_UNBOUNDED_FOLLOWING,
    } kind;
    struct ast_expression *offset;
};

/* What stands after OVER or in a WINDOW clause. */
struct ast_over {
    struct oriel_position position;
    const char *reference; /* a named window; NULL: written out */
    bool extends;          /* (w ORDER BY ...): more than the name alone */
    AST_LIST(ast_expression) partition_by;
    AST_LIST(ast_order_item) order_by;
    enum { AST_FRAME_NONE, AST_FRAME_ROWS, AST_FRAME_RANGE } frame;
    struct ast_frame_bound frame_start, frame_end;
};

enum ast_expression_kind {
    AST_NULL,    /* number 1: UNKNOWN, a BOOLEAN */
    AST_BOOLEAN, /* number: 0 or 1 */
    AST_NUMBER,  /* text as written: 12, 1.5, 1e3 */
    AST_STRING,  /* text, text_length: content without quotes */
    AST_BINARY,  /* X'0aff': text is the hex digits */
    AST_DATE,    /* DATE '...', TIME '...', TIMESTAMP '...': text */
    AST_TIME,
    AST_TIMESTAMP, /* number 1: TIMESTAMP WITH LOCAL TIME ZONE '...' */
    AST_INTERVAL,  /* text, negative, units, precisions */
    AST_COLUMN,    /* name */
    AST_STAR,      /* * or t.* (name has the qualifier, or no parts) */
    AST_CALL,      /* text: function name in upper case, or an operator (below); arguments */
    AST_CASE,      /* arguments: [operand,] when, then, when, then ... [else] */
    AST_CAST,      /* arguments[0], type; text "CAST" or "TRY_CAST" */
    AST_SUBQUERY,  /* query: scalar */
    AST_EXISTS,    /* query */
    AST_IN_QUERY,  /* arguments (one, or several of a row), query, negated */
    AST_NAMED,     /* name => arguments[0]; text is the name as written, upper case unless quoted */
    AST_DESCRIPTOR, /* DESCRIPTOR(a, b): arguments are AST_COLUMN */
    AST_TABLE, /* TABLE t [PARTITION BY ...] or (SELECT ...) as an argument: table, partition_by */
    AST_DEFAULT, /* DEFAULT */
};

/* What JSON functions say after their arguments; RETURNING is the `type` of the call. */
struct ast_json {
    enum ast_json_behaviour {
        AST_JSON_UNSET,
        AST_JSON_NULL,
        AST_JSON_ERROR,
        AST_JSON_DEFAULT, /* a value: the expressions below */
        AST_JSON_TRUE,    /* these three: JSON_EXISTS ... ON ERROR */
        AST_JSON_FALSE,
        AST_JSON_UNKNOWN,
        AST_JSON_EMPTY_ARRAY, /* these two: JSON_QUERY */
        AST_JSON_EMPTY_OBJECT,
    } on_empty,
        on_error;
    struct ast_expression *empty_value, *error_value;
    enum {
        AST_JSON_WRAPPER_UNSET,
        AST_JSON_WITHOUT_WRAPPER,
        AST_JSON_CONDITIONAL_WRAPPER,
        AST_JSON_UNCONDITIONAL_WRAPPER,
    } wrapper;
};

/*
 * Operators are calls with these names: unary "NEG" "POS" "NOT" "IS NULL" "IS NOT NULL" "IS TRUE"
 * "IS NOT TRUE" "IS FALSE" "IS NOT FALSE" "IS UNKNOWN" "IS NOT UNKNOWN"; binary "+" "-" "*" "/" "%"
 * "||" "=" "<>" "<" "<=" ">" ">=" "AND" "OR" "IS DISTINCT FROM" "IS NOT DISTINCT FROM" "[]" (item
 * access); n-ary "BETWEEN" (value, low, high; `symmetric`), "IN" (value, items ...), "LIKE" and
 * "SIMILAR TO" (value, pattern [, escape]), "ROW", "ARRAY", "MAP". `negated` stands for NOT in NOT
 * BETWEEN, NOT IN, NOT LIKE. AND and OR chains are flat: any number of arguments.
 * Syntax of their own, as calls: EXTRACT (AST_STRING unit, value), FLOOR/CEIL (value [, AST_STRING
 * unit]), TRIM (AST_STRING BOTH|LEADING|TRAILING, characters, value), SUBSTRING (value, from [,
 * for]), POSITION (needle, value), OVERLAY (value, replacement, from [, for]), TIMESTAMPADD and
 * TIMESTAMPDIFF (AST_STRING unit, ...), CURRENT_TIMESTAMP and the like without parentheses.
 * JSON_OBJECT and JSON_OBJECTAGG take keys and values in turn. Also "." (value, AST_STRING field)
 * of a value that is no plain name, "OVERLAPS", "MULTISET", "IS JSON" and "IS NOT JSON" (value [,
 * AST_STRING VALUE|OBJECT|ARRAY|SCALAR]). A function written in backticks with an operator's name
 * keeps its backticks in `text`, so it is never taken for the operator.
 */
struct ast_expression {
    enum ast_expression_kind kind;
    struct oriel_position position;
    const char *text;
    uint32_t text_length;
    int number;
    uint32_t depth; /* levels of tree under and with this node, at most ORIEL_SQL_TREE_MAX */
    AST_LIST(ast_expression) arguments;
    struct ast_name name;
    struct ast_type *type;
    struct ast_query *query;

    bool negated;     /* NOT BETWEEN, NOT IN, NOT LIKE, NOT EXISTS is "NOT" of AST_EXISTS */
    bool symmetric;   /* BETWEEN SYMMETRIC */
    bool has_operand; /* CASE x WHEN */
    bool has_else;

    /* AST_CALL as an aggregate or OVER */
    bool distinct;
    bool star; /* COUNT(*) */
    enum { AST_CALL_NULLS_DEFAULT, AST_CALL_IGNORE_NULLS, AST_CALL_RESPECT_NULLS } call_nulls;
    struct ast_expression *filter;         /* FILTER (WHERE ...) */
    AST_LIST(ast_order_item) within_order; /* WITHIN GROUP (ORDER BY ...) */
    struct ast_over *over;
    bool null_on_null, absent_on_null; /* JSON_OBJECTAGG and friends */
    struct ast_json *json;             /* JSON_EXISTS, JSON_VALUE, JSON_QUERY; NULL: no clause */

    /* AST_INTERVAL: INTERVAL '-'? 'text' unit(precision) TO unit_to(fraction) */
    bool negative;
    enum ast_interval_unit unit, unit_to;
    int32_t unit_precision; /* -1: not written */
    int32_t fraction_precision;

    /* AST_TABLE */
    struct ast_from *table;
    AST_LIST(ast_expression) partition_by;
    AST_LIST(ast_order_item) order_by;
};

struct ast_option { /* 'key' = 'value' */
    struct oriel_position position;
    struct oriel_position value_position;
    const char *key;
    const char *value;
    uint32_t value_length;
};

enum ast_from_kind {
    AST_FROM_TABLE,    /* name, hints */
    AST_FROM_PATH,     /* FROM 'file.csv': path */
    AST_FROM_QUERY,    /* query; also VALUES */
    AST_FROM_FUNCTION, /* TUMBLE(...), TABLE(TUMBLE(...)): name, arguments */
    AST_FROM_JOIN,
    AST_FROM_UNNEST, /* arguments, with_ordinality */
};

enum ast_join_kind {
    AST_JOIN_CROSS,
    AST_JOIN_INNER,
    AST_JOIN_LEFT,
    AST_JOIN_RIGHT,
    AST_JOIN_FULL,
};

struct ast_from {
    enum ast_from_kind kind;
    struct oriel_position position;
    uint32_t depth; /* as of expressions */
    struct ast_name name;
    const char *path;
    struct ast_query *query;
    AST_LIST(ast_expression) arguments;
    AST_LIST(ast_option) hints; /* OPTIONS hint of a table */
    struct ast_identifier *alias;
    AST_LIST(ast_identifier) column_aliases;

    enum ast_join_kind join;
    bool natural;
    bool with_ordinality;
    struct ast_from *left, *right;
    struct ast_expression *on;
    AST_LIST(ast_identifier) using_columns;
};

struct ast_select_item {
    struct oriel_position position;
    struct ast_expression *expression;
    struct ast_identifier *alias; /* NULL: none */
};

enum ast_grouping_kind {
    AST_GROUPING_EXPRESSION, /* items: one; or several in parentheses; or none: () */
    AST_GROUPING_SETS,       /* children */
    AST_GROUPING_ROLLUP,     /* children, each a group of expressions */
    AST_GROUPING_CUBE,
};

struct ast_grouping {
    enum ast_grouping_kind kind;
    struct oriel_position position;
    AST_LIST(ast_expression) items;
    AST_LIST(ast_grouping) children;
};

struct ast_named_window {
    const char *name;
    struct ast_over *over;
};

enum ast_query_kind {
    AST_QUERY_SELECT,
    AST_QUERY_VALUES, /* rows: each a "ROW" call */
    AST_QUERY_UNION,  /* left, right, all */
    AST_QUERY_INTERSECT,
    AST_QUERY_EXCEPT,
};

struct ast_with {
    struct ast_identifier *name;
    bool recursive; /* of WITH RECURSIVE */
    AST_LIST(ast_identifier) columns;
    struct ast_query *query;
};

struct ast_query {
    enum ast_query_kind kind;
    struct oriel_position position;
    uint32_t depth; /* as of expressions */
    AST_LIST(ast_with) with;

    bool distinct;
    AST_LIST(ast_select_item) items;
    struct ast_from *from; /* NULL: SELECT 1 */
    struct ast_expression *where;
    struct oriel_position group_position;
    bool has_group_by;
    AST_LIST(ast_grouping) group_by;
    struct ast_expression *having;
    struct ast_expression *qualify;
    AST_LIST(ast_named_window) windows;

    AST_LIST(ast_expression) rows; /* VALUES */

    struct ast_query *left, *right;
    AST_LIST(ast_query) rest; /* UNION ALL: the branches after right, which make no depth */
    bool all;

    AST_LIST(ast_order_item) order_by;
    struct ast_expression *limit; /* LIMIT n or FETCH FIRST n ROWS ONLY; NULL: none or ALL */
    struct ast_expression *offset;
};

enum ast_column_kind { AST_COLUMN_PHYSICAL, AST_COLUMN_COMPUTED, AST_COLUMN_METADATA };

struct ast_column_definition {
    enum ast_column_kind kind;
    struct ast_identifier name;
    struct ast_type *type;             /* PHYSICAL, METADATA */
    struct ast_expression *expression; /* COMPUTED */
    const char *metadata_key;          /* METADATA FROM 'key'; NULL: the name */
    bool is_virtual;
    bool primary_key;
    bool is_first;                /* ALTER TABLE: where it goes, FIRST or AFTER this one; */
    struct ast_identifier *after; /* NULL: at the end, or where it is */
    const char *comment;
};

struct ast_watermark {
    struct oriel_position position;
    struct ast_name column;
    struct ast_expression *expression;
    const char *expression_text; /* as written in the script, blanks as they were */
};

enum ast_statement_kind {
    AST_STATEMENT_QUERY,         /* query */
    AST_STATEMENT_INSERT,        /* name, columns, partition, query, overwrite */
    AST_STATEMENT_CREATE_TABLE,  /* name, ...; like */
    AST_STATEMENT_CREATE_VIEW,   /* name, columns, query, query_text */
    AST_STATEMENT_ALTER,         /* object, name, if_exists, alter and what that says */
    AST_STATEMENT_DROP,          /* object, name, if_exists */
    AST_STATEMENT_SET,           /* key, value; both NULL: SET alone shows all */
    AST_STATEMENT_RESET,         /* key or NULL */
    AST_STATEMENT_DESCRIBE,      /* name */
    AST_STATEMENT_SHOW,          /* text: "TABLES", ...; name; key "LIKE" and value */
    AST_STATEMENT_EXPLAIN,       /* inner, analyze; text: details such as "PLAN FOR" */
    AST_STATEMENT_USE,           /* name */
    AST_STATEMENT_STATEMENT_SET, /* statements: INSERTs */
    AST_STATEMENT_OTHER, /* text: what it begins with, e.g. "CREATE FUNCTION", "ALTER TABLE" */
};

/* What ALTER TABLE and ALTER VIEW do. */
enum ast_alter {
    AST_ALTER_RENAME,        /* new_name */
    AST_ALTER_RENAME_COLUMN, /* old_column, column_names[0] */
    AST_ALTER_ADD,           /* columns, watermark, primary_key */
    AST_ALTER_MODIFY,        /* likewise */
    AST_ALTER_DROP,          /* column_names */
    AST_ALTER_DROP_KEY,      /* PRIMARY KEY or a CONSTRAINT */
    AST_ALTER_DROP_WATERMARK,
    AST_ALTER_SET,   /* options */
    AST_ALTER_RESET, /* options: the keys */
    AST_ALTER_QUERY, /* of a view: query, query_text */
};

struct ast_statement {
    enum ast_statement_kind kind;
    struct oriel_position position;
    const char *text;   /* see the kinds */
    const char *source; /* the statement as written, without the semicolon */

    struct ast_name name;
    AST_LIST(ast_identifier) column_names; /* INSERT, CREATE VIEW, CREATE TABLE (a, b) AS SELECT */
    struct ast_query *query;
    const char *query_text;

    bool if_not_exists, if_exists, temporary, or_replace, overwrite, analyze, cascade;
    const char *object; /* DROP: "TABLE", "VIEW", "FUNCTION", ... */

    AST_LIST(ast_column_definition) columns;
    struct ast_watermark *watermark;
    uint32_t watermark_count;
    AST_LIST(ast_identifier) primary_key;
    bool has_primary_key, primary_key_enforced;
    AST_LIST(ast_identifier) partitioned_by;
    AST_LIST(ast_option) options;          /* WITH; of an INSERT: the OPTIONS hint of its table */
    AST_LIST(ast_option) partition;        /* INSERT ... PARTITION (k = 'v') */
    struct ast_name *like;                 /* CREATE TABLE ... LIKE; NULL: none */
    AST_LIST(ast_identifier) like_options; /* "INCLUDING ALL" and such, as texts */
    const char *comment;

    enum ast_alter alter;
    struct ast_name *new_name, *old_column; /* ALTER */

    const char *key, *value;
    struct ast_statement *inner;
    AST_LIST(ast_statement) statements;
};
