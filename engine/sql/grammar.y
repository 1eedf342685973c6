/*
 * The language: Flink SQL 2.3, LALR(1). What a word means where it stands is settled before, in
 * token_stream.c; the actions only call builders (ast_build.h), which fail the parse themselves.
 */
%require "3.8"
%define api.pure full
%define api.prefix {oriel_grammar_}
%define api.token.prefix {SQL_}
%define api.location.type {struct sql_location}
%define parse.error custom
%define parse.lac full
%define parse.lac.es-capacity-initial {200}
%locations
%parse-param {struct sql_parser *parser}
%lex-param {struct sql_parser *parser}

%code requires {
#include "engine/sql/ast_build.h"
#include "engine/sql/parse_state.h"
}

%code {
#include "engine/sql/grammar.h"

/* The stack lies on the C stack and never grows: 40 bytes an entry. Deeper text is an error. */
#define YYINITDEPTH 6000
#define YYMAXDEPTH 6000
#define YYMALLOC(size_bytes) ((void)(size_bytes), (void *)NULL)
#define YYFREE(block) ((void)(block))

/* From the first part that is not empty to the last. */
#define YYLLOC_DEFAULT(current, rhs, count)                                                        \
    do {                                                                                           \
        (current) = YYRHSLOC(rhs, 0);                                                              \
        (current).begin = (current).end;                                                           \
        for (int part = 1; part <= (count); ++part) {                                              \
            if (YYRHSLOC(rhs, part).begin == YYRHSLOC(rhs, part).end)                              \
                continue;                                                                          \
            (current) = YYRHSLOC(rhs, part);                                                       \
            (current).end = YYRHSLOC(rhs, count).end;                                              \
            break;                                                                                 \
        }                                                                                          \
    } while (0)

/* Ends the parse when a builder gave NULL; the builder has said why. */
#define MADE(value)                                                                                \
    do {                                                                                           \
        if (!(value))                                                                              \
            YYABORT;                                                                               \
    } while (0)

static int oriel_grammar_lex(ORIEL_GRAMMAR_STYPE *value, struct sql_location *location,
                             struct sql_parser *parser);
static void oriel_grammar_error(const struct sql_location *location, struct sql_parser *parser,
                                const char *message);
}

%union {
    struct sql_text text;
    int number;
    struct sql_list *list;
    struct ast_identifier *identifier;
    struct ast_name *name;
    struct ast_expression *expression;
    struct ast_type *type;
    struct ast_order_item *order_item;
    struct ast_over *over;
    struct ast_frame_bound *bound;
    struct ast_option *option;
    struct ast_from *from;
    struct ast_select_item *select_item;
    struct ast_grouping *grouping;
    struct ast_named_window *named_window;
    struct ast_with *with;
    struct ast_query *query;
    struct sql_query_tail *tail;
    struct sql_strings *strings;
    struct sql_element *element;
    struct ast_column_definition *column;
    struct ast_statement *statement;
    struct ast_json *json;
}

%token START_STATEMENT "a statement" START_EXPRESSION "an expression"
%token LEXICAL_ERROR "a valid token" UNICODE_STRING "U&'...'"
%token END_OF_INPUT 0 "end of the statement"
%token <text> IDENTIFIER "name" STRING "string" NUMBER "number" BINARY_STRING "binary string"
%token <text> FUNCTION_WORD "function" TYPE_WORD "type" NILADIC "CURRENT_TIMESTAMP"
%token <text> UNIT "time unit" UNIT_NAME "unit of time"
%token RESERVED "reserved word"
%token NE "<>" LE "<=" GE ">=" ARROW "=>" CONCAT "||" HINT_BEGIN "/*+" HINT_END "*/"

%token NOT_INFIX "NOT followed by an operator" BETWEEN_AND "AND of BETWEEN" POSITION_IN "IN of POSITION"
%token GROUPING_SETS "GROUPING SETS" NULLS_FIRST "NULLS FIRST" NULLS_LAST "NULLS LAST"
%token IF_EXISTS "IF EXISTS" IF_NOT_EXISTS "IF NOT EXISTS"
%token IGNORE "IGNORE NULLS" RESPECT "RESPECT NULLS"
%token WITHOUT_ZONE "WITHOUT TIME ZONE" WITH_ZONE "WITH TIME ZONE"
%token WITH_LOCAL_ZONE "WITH LOCAL TIME ZONE"
%token NULL_ON_NULL "NULL ON NULL" ABSENT_ON_NULL "ABSENT ON NULL"
%token <text> JSON_KIND "OBJECT"
%token NULLS SETS LAST IF JSON ZONE LOCAL

%token ADD AFTER ALL ALTER AND ANY ARRAY AS ASYMMETRIC BEGIN_ "BEGIN" BETWEEN BINARY BOTH BY CASE CAST
%token <text> CEIL CEILING FLOOR LEFT RIGHT
%token CHAR CHARACTER COMMENT CONSTRAINT CREATE CROSS CUBE CURRENT DEFAULT DISTINCT
%token <text> DATE TIME TIMESTAMP
%token DISTRIBUTED DOUBLE DROP ELSE EMPTY END ESCAPE EXCEPT EXECUTE EXISTS EXPLAIN EXTRACT FALSE FETCH
%token FILTER FOR FROM FULL GROUP HAVING IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN JSON_ARRAY
%token JSON_ARRAYAGG JSON_EXISTS JSON_OBJECT JSON_OBJECTAGG JSON_QUERY JSON_VALUE LATERAL LEADING LIKE
%token LIMIT MATCH_RECOGNIZE MINUS MODIFY MULTISET NATURAL NEXT NOT NULL_ "NULL" OF OFFSET ON ONLY OR
%token ORDER OUTER OVER OVERLAPS OVERLAY PARTITION POSITION PRECISION PRIMARY QUALIFY RANGE RAW RECURSIVE RENAME RESET ROLLUP
%token ROW ROWS SELECT SET SIMILAR SOME SUBSTRING SYMMETRIC SYSTEM_TIME TABLE TABLESAMPLE THEN TO
%token TRAILING TRIM TRUE TRY_CAST UESCAPE UNION UNIQUE UNKNOWN UNNEST USING VALUE VALUES VARYING
%token WATERMARK WHEN WHERE WINDOW WITH WITHIN WITHOUT
%token DESCRIPTOR KEY MAP ORDINALITY OVERWRITE PARTITIONED REPLACE STATEMENT TEMPORARY TIMESTAMPADD
%token TIMESTAMPDIFF UNBOUNDED VIEW

/* Words that stay names where a name can stand. */
%token ABSENT
%token <text> ASC CONDITIONAL DESC ENFORCED ERROR EXCLUDING FIRST FOLLOWING INCLUDING METADATA
%token <text> OVERWRITING PLACING PRECEDING RETURNING UNCONDITIONAL VIRTUAL WRAPPER

%type <text> name_word unit_word unit function_word like_word like_feature
%type <number> opt_not opt_all opt_symmetric opt_descending nulls_order opt_call_nulls join_type
%type <number> opt_temporary opt_or_replace opt_if_not_exists sign json_null behaviour_place
%type <number> opt_distinct wrapper opt_not_enforced join_kind set_mode frame_unit opt_ordinality
%type <list> names_in_parentheses identifier_list opt_columns expression_list opt_expressions
%type <list> arguments table_arguments order_items opt_order_by opt_partition_by case_branches
%type <list> select_items group_items opt_group_by windows opt_windows with_items with_clause
%type <list> options opt_with_options partition_items hints hint_list hint_items hint_item
%type <list> table_elements inserts like_options opt_like_options view_columns opt_view_columns
%type <list> explain_words opt_within row_fields json_pairs opt_json_pairs rows values_clause
%type <list> opt_partitioned opt_hints grouping_parts
%type <identifier> identifier alias opt_alias
%type <name> name
%type <expression> expression primary postfix literal interval unit_count call call_tail_target argument
%type <expression> table_argument table_operand call_arguments opt_filter case_expression json_call
%type <expression> json_value_call special_call opt_else limit_count default_value
%type <type> type type_core interval_qualifier
%type <order_item> order_item opt_table_order
%type <over> opt_over window_specification window_body frame
%type <bound> frame_bound
%type <option> option partition_item
%type <from> from_clause table_list table_reference table_primary joined_table from_function
%type <from> table_hinted
%type <select_item> select_item
%type <grouping> group_item
%type <named_window> named_window
%type <with> with_item
%type <query> query query_in_parentheses query_plain query_body simple_query select
%type <query> select_head
%type <tail> query_tail limits limit offset fetch
%type <element> table_element table_constraint alter_element
%type <column> column column_physical column_metadata
%type <statement> statement insert insert_head create_table create_head create_view create_body
%type <statement> explain statement_set explained alter alter_change
%type <list> alter_elements alter_element_list option_keys
%type <number> opt_if_exists
%type <expression> opt_where opt_having opt_qualify
%type <strings> strings
%type <json> json_behaviours json_behaviour
%type <text> opt_comment comparison
%type <number> quantifier

/* Of a choice between ending and going on, going on: INTERVAL '1' DAY TO HOUR, IS JSON VALUE. */
%precedence SHORT
%precedence TO VALUE
%left UNION EXCEPT MINUS
%left INTERSECT
%left OR
%left AND
%precedence NOT
%left IS
%left '=' '<' '>' NE LE GE
%left BETWEEN IN LIKE SIMILAR NOT_INFIX OVERLAPS
%precedence ESCAPE
%left '+' '-'
%left '*' '/' '%' CONCAT
%precedence SIGN
%precedence ')'

%start start

%%

start:
    START_STATEMENT statement { parser->statement = $2; }
  | START_EXPRESSION expression { parser->expression = $2; }
  ;

statement:
    query { MADE($$ = oriel_ast_query_statement(parser, @$, $1)); }
  | insert
  | create_table
  | create_view
  | alter
  | explain
  | statement_set
  ;

/* ---- names ---- */

name_word:
    IDENTIFIER | UNIT_NAME | ASC | CONDITIONAL | DESC | ENFORCED | ERROR | EXCLUDING | FIRST
  | FOLLOWING | INCLUDING | METADATA | OVERWRITING | PLACING | PRECEDING | RETURNING | UNCONDITIONAL
  | VIRTUAL | WRAPPER
  ;

identifier:
    name_word { MADE($$ = oriel_ast_identifier(parser, @1, $1)); }
  ;

name:
    identifier { MADE($$ = oriel_ast_name(parser, $1)); }
  | name '.' identifier { MADE($$ = oriel_ast_name_add(parser, $1, $3)); }
  ;

identifier_list:
    identifier { MADE($$ = oriel_ast_list(parser, $1)); }
  | identifier_list ',' identifier { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

names_in_parentheses:
    '(' identifier_list ')' { $$ = $2; }
  ;

opt_columns:
    %empty { $$ = NULL; }
  | names_in_parentheses
  ;

/* ---- queries ---- */

query:
    query_plain %prec SIGN
  | query_in_parentheses %prec SIGN
  ;

query_in_parentheses:
    '(' query_plain ')' { $$ = $2; }
  | '(' query_in_parentheses ')' { $$ = $2; }
  ;

query_plain:
    simple_query
  | query_body query_tail { MADE($$ = oriel_ast_query_finish(parser, @$, $1, NULL, $2)); }
  | with_clause query_body { MADE($$ = oriel_ast_query_finish(parser, @$, $2, $1, NULL)); }
  | with_clause query_body query_tail { MADE($$ = oriel_ast_query_finish(parser, @$, $2, $1, $3)); }
  ;

query_body:
    simple_query
  | query_in_parentheses
  ;

simple_query:
    select
  | values_clause { MADE($$ = oriel_ast_values(parser, @$, $1)); }
  | TABLE name { MADE($$ = oriel_ast_table_query(parser, @$, $2)); }
  | query_body UNION opt_all query_body {
        MADE($$ = oriel_ast_set_operation(parser, @$, AST_QUERY_UNION, $3, $1, $4)); }
  | query_body INTERSECT opt_all query_body {
        MADE($$ = oriel_ast_set_operation(parser, @$, AST_QUERY_INTERSECT, $3, $1, $4)); }
  | query_body EXCEPT opt_all query_body {
        MADE($$ = oriel_ast_set_operation(parser, @$, AST_QUERY_EXCEPT, $3, $1, $4)); }
  | query_body MINUS opt_all query_body {
        MADE($$ = oriel_ast_set_operation(parser, @$, AST_QUERY_EXCEPT, $3, $1, $4)); }
  ;

opt_all:
    %empty { $$ = 0; }
  | ALL { $$ = 1; }
  | DISTINCT { $$ = 0; }
  ;

with_clause:
    WITH with_items { $$ = $2; }
  | WITH RECURSIVE with_items { $$ = $3; oriel_ast_with_recursive($3); }
  ;

with_items:
    with_item { MADE($$ = oriel_ast_list(parser, $1)); }
  | with_items ',' with_item { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

with_item:
    identifier opt_columns AS query_in_parentheses { MADE($$ = oriel_ast_with(parser, $1, $2, $4)); }
  ;

query_tail:
    ORDER BY order_items { MADE($$ = oriel_ast_tail(parser, $3, NULL, NULL)); }
  | ORDER BY order_items limits { $$ = $4; $$->order_by = $3; }
  | limits
  ;

limits:
    limit
  | offset
  | fetch
  | limit offset { $$ = $1; $$->offset = $2->offset; }
  | offset limit {
        MADE(oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(@2),
                            "'OFFSET start LIMIT count' is not allowed; write LIMIT count OFFSET "
                            "start")); }
  | offset fetch { $$ = $1; $$->limit = $2->limit; }
  ;

limit:
    LIMIT limit_count { MADE($$ = oriel_ast_tail(parser, NULL, $2, NULL)); }
  | LIMIT ALL { MADE($$ = oriel_ast_tail(parser, NULL, NULL, NULL)); }
  | LIMIT limit_count ',' limit_count {
        MADE(oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(@3),
                            "'LIMIT start, count' is not allowed; write LIMIT count OFFSET "
                            "start")); }
  ;

offset:
    OFFSET limit_count { MADE($$ = oriel_ast_tail(parser, NULL, NULL, $2)); }
  | OFFSET limit_count rows_word { MADE($$ = oriel_ast_tail(parser, NULL, NULL, $2)); }
  ;

fetch:
    FETCH first_word limit_count rows_word ONLY { MADE($$ = oriel_ast_tail(parser, NULL, $3, NULL)); }
  ;

first_word: FIRST | NEXT ;
rows_word: ROW | ROWS ;

limit_count:
    NUMBER { MADE($$ = oriel_ast_literal(parser, AST_NUMBER, @1, $1)); }
  ;

values_clause:
    VALUES rows { $$ = $2; }
  ;

rows:
    expression { MADE($$ = oriel_ast_row_list(parser, NULL, $1)); }
  | rows ',' expression { MADE($$ = oriel_ast_row_list(parser, $1, $3)); }
  ;

select:
    select_head { MADE($$ = oriel_ast_select_finish(parser, $1)); }
  | select_head from_clause opt_where opt_group_by opt_having opt_windows opt_qualify {
        $1->from = $2;
        $1->where = $3;
        $1->having = $5;
        $1->qualify = $7;
        MADE($$ = oriel_ast_select_clauses(parser, $1, @4, $4, $6)); }
  ;

select_head:
    SELECT opt_hints opt_distinct select_items { MADE($$ = oriel_ast_select(parser, @$, $3, $4)); }
  ;

opt_distinct:
    %empty { $$ = 0; }
  | DISTINCT { $$ = 1; }
  | ALL { $$ = 0; }
  ;

select_items:
    select_item { MADE($$ = oriel_ast_list(parser, $1)); }
  | select_items ',' select_item { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

select_item:
    expression opt_alias { MADE($$ = oriel_ast_select_item(parser, @$, $1, $2)); }
  | '*' {
        MADE($$ = oriel_ast_select_item(parser, @$, oriel_ast_star(parser, @$, NULL), NULL)); }
  | name '.' '*' {
        MADE($$ = oriel_ast_select_item(parser, @$, oriel_ast_star(parser, @$, $1), NULL)); }
  ;

alias:
    AS identifier { $$ = $2; }
  | identifier
  ;

opt_alias:
    %empty { $$ = NULL; }
  | alias
  ;

opt_where:
    %empty { $$ = NULL; }
  | WHERE expression { $$ = $2; }
  ;

opt_having:
    %empty { $$ = NULL; }
  | HAVING expression { $$ = $2; }
  ;

opt_qualify:
    %empty { $$ = NULL; }
  | QUALIFY expression { $$ = $2; }
  ;

opt_group_by:
    %empty { $$ = NULL; }
  | GROUP BY group_items { $$ = $3; }
  ;

group_items:
    group_item { MADE($$ = oriel_ast_list(parser, $1)); }
  | group_items ',' group_item { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

group_item:
    expression { MADE($$ = oriel_ast_grouping_of(parser, @$, $1)); }
  | '(' ')' { MADE($$ = oriel_ast_grouping_of(parser, @$, NULL)); }
  | GROUPING_SETS grouping_parts { MADE($$ = oriel_ast_grouping(parser, @$, AST_GROUPING_SETS, $2)); }
  | ROLLUP grouping_parts { MADE($$ = oriel_ast_grouping(parser, @$, AST_GROUPING_ROLLUP, $2)); }
  | CUBE grouping_parts { MADE($$ = oriel_ast_grouping(parser, @$, AST_GROUPING_CUBE, $2)); }
  ;

grouping_parts:
    '(' group_items ')' { $$ = $2; }
  ;

opt_windows:
    %empty { $$ = NULL; }
  | WINDOW windows { $$ = $2; }
  ;

windows:
    named_window { MADE($$ = oriel_ast_list(parser, $1)); }
  | windows ',' named_window { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

named_window:
    identifier AS window_specification { MADE($$ = oriel_ast_named_window(parser, $1, $3)); }
  ;

/* ---- FROM ---- */

from_clause:
    FROM table_list { $$ = $2; }
  ;

table_list:
    table_reference
  | table_list ',' table_reference {
        MADE($$ = oriel_ast_join(parser, @$, AST_JOIN_CROSS, $1, $3)); }
  ;

table_reference:
    table_primary
  | joined_table
  ;

joined_table:
    table_reference CROSS JOIN table_primary {
        MADE($$ = oriel_ast_join(parser, @$, AST_JOIN_CROSS, $1, $4)); }
  | table_reference join_kind table_primary {
        MADE($$ = oriel_ast_join(parser, @$, $2, $1, $3)); }
  | table_reference join_kind table_primary ON expression {
        MADE($$ = oriel_ast_join(parser, @$, $2, $1, $3));
        MADE(oriel_ast_join_on(parser, $$, $5)); }
  | table_reference join_kind table_primary USING names_in_parentheses {
        MADE($$ = oriel_ast_join(parser, @$, $2, $1, $3));
        oriel_ast_join_using($$, $5); }
  | table_reference NATURAL join_kind table_primary {
        MADE($$ = oriel_ast_join(parser, @$, $3, $1, $4));
        $$->natural = true; }
  ;

join_kind:
    join_type JOIN { $$ = $1; }
  ;

join_type:
    %empty { $$ = AST_JOIN_INNER; }
  | INNER { $$ = AST_JOIN_INNER; }
  | LEFT opt_outer { $$ = AST_JOIN_LEFT; }
  | RIGHT opt_outer { $$ = AST_JOIN_RIGHT; }
  | FULL opt_outer { $$ = AST_JOIN_FULL; }
  ;

opt_outer: %empty | OUTER ;

table_primary:
    table_hinted { $$ = $1; }
  | table_hinted alias opt_columns { oriel_ast_from_alias($1, $2, $3); $$ = $1; }
  | table_hinted unsupported_table { YYABORT; }
  | '(' joined_table ')' { $$ = $2; }
  ;

table_hinted:
    name opt_hints { MADE($$ = oriel_ast_from_table(parser, @$, $1, $2)); }
  | STRING { MADE($$ = oriel_ast_from_path(parser, @1, $1)); }
  | query_in_parentheses { MADE($$ = oriel_ast_from_query(parser, @1, $1)); }
  | from_function
  | TABLE '(' from_function ')' { $$ = $3; }
  | UNNEST '(' expression_list ')' opt_ordinality {
        MADE($$ = oriel_ast_from_unnest(parser, @$, $3, $5)); }
  | LATERAL { oriel_ast_unsupported(parser, @1, "LATERAL"); YYABORT; }
  ;

opt_ordinality:
    %empty { $$ = 0; }
  | WITH ORDINALITY { $$ = 1; }
  ;

unsupported_table:
    FOR SYSTEM_TIME { oriel_ast_unsupported(parser, @1, "a temporal join (FOR SYSTEM_TIME AS OF)"); }
  | TABLESAMPLE { oriel_ast_unsupported(parser, @1, "TABLESAMPLE"); }
  | MATCH_RECOGNIZE { oriel_ast_unsupported(parser, @1, "MATCH_RECOGNIZE"); }
  ;

from_function:
    name '(' table_arguments ')' { MADE($$ = oriel_ast_from_function(parser, @$, $1, $3)); }
  | name '(' ')' { MADE($$ = oriel_ast_from_function(parser, @$, $1, NULL)); }
  ;

table_arguments:
    table_argument { MADE($$ = oriel_ast_list(parser, $1)); }
  | table_arguments ',' table_argument { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

table_argument:
    table_operand
  | identifier ARROW table_operand { MADE($$ = oriel_ast_named(parser, @$, $1, $3)); }
  ;

table_operand:
    expression { MADE($$ = oriel_ast_table_operand(parser, $1)); }
  | DEFAULT { MADE($$ = oriel_ast_expression(parser, AST_DEFAULT, @1)); }
  | DESCRIPTOR '(' identifier_list ')' { MADE($$ = oriel_ast_descriptor(parser, @$, $3)); }
  | expression PARTITION BY expression opt_table_order {
        MADE($$ = oriel_ast_table_parts(parser, oriel_ast_table_operand(parser, $1), $4, $5)); }
  | expression ORDER BY order_item {
        MADE($$ = oriel_ast_table_parts(parser, oriel_ast_table_operand(parser, $1), NULL, $4)); }
  | TABLE table_named opt_table_order {
        MADE($$ = oriel_ast_table_parts(parser, $<expression>2, NULL, $3)); }
  | TABLE table_named PARTITION BY expression opt_table_order {
        MADE($$ = oriel_ast_table_parts(parser, $<expression>2, $5, $6)); }
  ;

/* One item or, in parentheses, a list of expressions. */
opt_table_order:
    %empty { $$ = NULL; }
  | ORDER BY order_item { $$ = $3; }
  ;

table_named:
    name opt_hints {
        MADE($<expression>$ = oriel_ast_table(parser, @$, oriel_ast_from_table(parser, @$, $1, $2))); }
  | STRING { MADE($<expression>$ = oriel_ast_table(parser, @$, oriel_ast_from_path(parser, @1, $1))); }
  | query_in_parentheses {
        MADE($<expression>$ = oriel_ast_table(parser, @$, oriel_ast_from_query(parser, @1, $1))); }
  ;

/* Hints other than OPTIONS are read and have no effect. */
opt_hints:
    %empty { $$ = NULL; }
  | hints
  ;

hints:
    HINT_BEGIN hint_list HINT_END { $$ = $2; }
  ;

hint_list:
    hint_item
  | hint_list hint_item { $$ = $2 ? $2 : $1; }
  | hint_list ',' hint_item { $$ = $3 ? $3 : $1; }
  ;

hint_item:
    identifier { $$ = NULL; }
  | identifier '(' ')' { $$ = NULL; }
  | identifier '(' hint_items ')' { $$ = oriel_ast_hint($1, $3); }
  ;

hint_items:
    option { MADE($$ = oriel_ast_list(parser, $1)); }
  | STRING { $$ = NULL; }
  | NUMBER { $$ = NULL; }
  | name { $$ = NULL; }
  | hint_items ',' option { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  | hint_items ',' STRING { $$ = $1; }
  | hint_items ',' NUMBER { $$ = $1; }
  | hint_items ',' name { $$ = $1; }
  ;

/* ---- ORDER BY and windows ---- */

opt_order_by:
    %empty { $$ = NULL; }
  | ORDER BY order_items { $$ = $3; }
  ;

order_items:
    order_item { MADE($$ = oriel_ast_list(parser, $1)); }
  | order_items ',' order_item { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

order_item:
    expression opt_descending nulls_order { MADE($$ = oriel_ast_order_item(parser, $1, $2, $3)); }
  ;

opt_descending:
    %empty { $$ = 0; }
  | ASC { $$ = 0; }
  | DESC { $$ = 1; }
  ;

nulls_order:
    %empty { $$ = AST_NULLS_DEFAULT; }
  | NULLS_FIRST { $$ = AST_NULLS_FIRST; }
  | NULLS_LAST { $$ = AST_NULLS_LAST; }
  ;

opt_over:
    %empty { $$ = NULL; }
  | OVER identifier { MADE($$ = oriel_ast_over(parser, @2, $2, NULL, NULL)); }
  | OVER window_specification { $$ = $2; }
  ;

window_specification:
    '(' window_body ')' { $$ = $2; }
  ;

window_body:
    opt_partition_by opt_order_by frame { MADE($$ = oriel_ast_window(parser, @$, NULL, $1, $2, $3)); }
  | identifier opt_partition_by opt_order_by frame {
        MADE($$ = oriel_ast_window(parser, @$, $1, $2, $3, $4)); }
  ;

opt_partition_by:
    %empty { $$ = NULL; }
  | PARTITION BY expression_list { $$ = $3; }
  ;

frame:
    %empty { $$ = NULL; }
  | frame_unit frame_bound { MADE($$ = oriel_ast_frame(parser, @$, $1, $2, NULL)); }
  | frame_unit BETWEEN frame_bound BETWEEN_AND frame_bound {
        MADE($$ = oriel_ast_frame(parser, @$, $1, $3, $5)); }
  ;

frame_unit:
    ROWS { $$ = AST_FRAME_ROWS; }
  | RANGE { $$ = AST_FRAME_RANGE; }
  ;

frame_bound:
    UNBOUNDED PRECEDING { MADE($$ = oriel_ast_bound(parser, AST_BOUND_UNBOUNDED_PRECEDING, NULL)); }
  | UNBOUNDED FOLLOWING { MADE($$ = oriel_ast_bound(parser, AST_BOUND_UNBOUNDED_FOLLOWING, NULL)); }
  | CURRENT ROW { MADE($$ = oriel_ast_bound(parser, AST_BOUND_CURRENT_ROW, NULL)); }
  | expression PRECEDING { MADE($$ = oriel_ast_bound(parser, AST_BOUND_PRECEDING, $1)); }
  | expression FOLLOWING { MADE($$ = oriel_ast_bound(parser, AST_BOUND_FOLLOWING, $1)); }
  ;

/* ---- expressions ---- */

expression_list:
    expression { MADE($$ = oriel_ast_list(parser, $1)); }
  | expression_list ',' expression { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

opt_expressions:
    %empty { MADE($$ = oriel_ast_list(parser, NULL)); }
  | expression_list
  ;

opt_not:
    %empty { $$ = 0; }
  | NOT { $$ = 1; }
  ;

opt_symmetric:
    %empty { $$ = 0; }
  | ASYMMETRIC { $$ = 0; }
  | SYMMETRIC { $$ = 1; }
  ;

expression:
    primary
  | '+' expression %prec SIGN { MADE($$ = oriel_ast_operator(parser, @$, "POS", $2, NULL, NULL)); }
  | '-' expression %prec SIGN { MADE($$ = oriel_ast_operator(parser, @$, "NEG", $2, NULL, NULL)); }
  | expression '*' expression { MADE($$ = oriel_ast_operator(parser, @$, "*", $1, $3, NULL)); }
  | expression '/' expression { MADE($$ = oriel_ast_operator(parser, @$, "/", $1, $3, NULL)); }
  | expression '%' expression { MADE($$ = oriel_ast_operator(parser, @$, "%", $1, $3, NULL)); }
  | expression CONCAT expression { MADE($$ = oriel_ast_operator(parser, @$, "||", $1, $3, NULL)); }
  | expression '+' expression { MADE($$ = oriel_ast_operator(parser, @$, "+", $1, $3, NULL)); }
  | expression '-' expression { MADE($$ = oriel_ast_operator(parser, @$, "-", $1, $3, NULL)); }
  | expression '=' expression { MADE($$ = oriel_ast_operator(parser, @$, "=", $1, $3, NULL)); }
  | expression NE expression { MADE($$ = oriel_ast_operator(parser, @$, "<>", $1, $3, NULL)); }
  | expression '<' expression { MADE($$ = oriel_ast_operator(parser, @$, "<", $1, $3, NULL)); }
  | expression LE expression { MADE($$ = oriel_ast_operator(parser, @$, "<=", $1, $3, NULL)); }
  | expression '>' expression { MADE($$ = oriel_ast_operator(parser, @$, ">", $1, $3, NULL)); }
  | expression GE expression { MADE($$ = oriel_ast_operator(parser, @$, ">=", $1, $3, NULL)); }
  | expression comparison quantifier query_in_parentheses %prec '=' {
        MADE($$ = oriel_ast_quantified_query(parser, @$, $1, $2.bytes, $3, $4)); }
  | expression comparison quantifier '(' expression_list ')' %prec '=' {
        MADE($$ = oriel_ast_quantified_list(parser, @$, $1, $2.bytes, $3, $5)); }
  | expression OVERLAPS expression {
        MADE($$ = oriel_ast_operator(parser, @$, "OVERLAPS", $1, $3, NULL)); }
  | expression BETWEEN opt_symmetric expression BETWEEN_AND expression %prec BETWEEN {
        MADE($$ = oriel_ast_between(parser, @$, false, $3, $1, $4, $6)); }
  | expression NOT_INFIX BETWEEN opt_symmetric expression BETWEEN_AND expression %prec BETWEEN {
        MADE($$ = oriel_ast_between(parser, @$, true, $4, $1, $5, $7)); }
  | expression IN '(' expression_list ')' { MADE($$ = oriel_ast_in(parser, @$, false, $1, $4)); }
  | expression NOT_INFIX IN '(' expression_list ')' {
        MADE($$ = oriel_ast_in(parser, @$, true, $1, $5)); }
  | expression IN query_in_parentheses %prec IN {
        MADE($$ = oriel_ast_in_query(parser, @$, false, $1, $3)); }
  | expression NOT_INFIX IN query_in_parentheses %prec IN {
        MADE($$ = oriel_ast_in_query(parser, @$, true, $1, $4)); }
  | expression LIKE expression %prec LIKE {
        MADE($$ = oriel_ast_operator(parser, @$, "LIKE", $1, $3, NULL)); }
  | expression LIKE expression ESCAPE expression %prec LIKE {
        MADE($$ = oriel_ast_operator(parser, @$, "LIKE", $1, $3, $5)); }
  | expression NOT_INFIX LIKE expression %prec LIKE {
        MADE($$ = oriel_ast_operator(parser, @$, "LIKE", $1, $4, NULL));
        $$->negated = true; }
  | expression NOT_INFIX LIKE expression ESCAPE expression %prec LIKE {
        MADE($$ = oriel_ast_operator(parser, @$, "LIKE", $1, $4, $6));
        $$->negated = true; }
  | expression SIMILAR TO expression %prec LIKE {
        MADE($$ = oriel_ast_operator(parser, @$, "SIMILAR TO", $1, $4, NULL)); }
  | expression SIMILAR TO expression ESCAPE expression %prec LIKE {
        MADE($$ = oriel_ast_operator(parser, @$, "SIMILAR TO", $1, $4, $6)); }
  | expression NOT_INFIX SIMILAR TO expression %prec LIKE {
        MADE($$ = oriel_ast_operator(parser, @$, "SIMILAR TO", $1, $5, NULL));
        $$->negated = true; }
  | expression NOT_INFIX SIMILAR TO expression ESCAPE expression %prec LIKE {
        MADE($$ = oriel_ast_operator(parser, @$, "SIMILAR TO", $1, $5, $7));
        $$->negated = true; }
  | expression IS opt_not NULL_ %prec IS {
        MADE($$ = oriel_ast_operator(parser, @$, $3 ? "IS NOT NULL" : "IS NULL", $1, NULL, NULL)); }
  | expression IS opt_not TRUE %prec IS {
        MADE($$ = oriel_ast_operator(parser, @$, $3 ? "IS NOT TRUE" : "IS TRUE", $1, NULL, NULL)); }
  | expression IS opt_not FALSE %prec IS {
        MADE($$ = oriel_ast_operator(parser, @$, $3 ? "IS NOT FALSE" : "IS FALSE", $1, NULL, NULL)); }
  | expression IS opt_not UNKNOWN %prec IS {
        MADE($$ = oriel_ast_operator(parser, @$, $3 ? "IS NOT UNKNOWN" : "IS UNKNOWN", $1, NULL,
                                     NULL)); }
  | expression IS opt_not DISTINCT FROM expression %prec IS {
        MADE($$ = oriel_ast_operator(parser, @$, $3 ? "IS NOT DISTINCT FROM" : "IS DISTINCT FROM",
                                     $1, $6, NULL)); }
  | expression IS opt_not JSON json_kind %prec IS {
        MADE($$ = oriel_ast_operator(parser, @$, $3 ? "IS NOT JSON" : "IS JSON", $1,
                                     $<expression>5, NULL)); }
  | NOT expression { MADE($$ = oriel_ast_operator(parser, @$, "NOT", $2, NULL, NULL)); }
  | expression AND expression { MADE($$ = oriel_ast_chain(parser, @$, "AND", $1, $3)); }
  | expression OR expression { MADE($$ = oriel_ast_chain(parser, @$, "OR", $1, $3)); }
  ;

comparison:
    '=' { $$.bytes = "="; }
  | NE { $$.bytes = "<>"; }
  | '<' { $$.bytes = "<"; }
  | LE { $$.bytes = "<="; }
  | '>' { $$.bytes = ">"; }
  | GE { $$.bytes = ">="; }
  ;

/* Whether it is ALL. */
quantifier:
    ANY { $$ = 0; }
  | SOME { $$ = 0; }
  | ALL { $$ = 1; }
  ;

json_kind:
    %empty %prec SHORT { $<expression>$ = NULL; }
  | VALUE { MADE($<expression>$ = oriel_ast_string(parser, @1, "VALUE")); }
  | ARRAY { MADE($<expression>$ = oriel_ast_string(parser, @1, "ARRAY")); }
  | JSON_KIND { MADE($<expression>$ = oriel_ast_unit_string(parser, @1, $1)); }
  ;

primary:
    postfix
  | name { MADE($$ = oriel_ast_column(parser, $1)); }
  | literal
  | query_in_parentheses %prec SIGN { MADE($$ = oriel_ast_query_expression(parser, AST_SUBQUERY, @$, $1)); }
  | EXISTS query_in_parentheses { MADE($$ = oriel_ast_query_expression(parser, AST_EXISTS, @$, $2)); }
  ;

postfix:
    call
  | '(' expression ')' { $$ = $2; }
  | '(' expression ')' UNIT %prec SHORT {
        MADE($$ = oriel_ast_time_difference(parser, @$, $2, @4, $4)); }
  | '(' expression ')' UNIT TO UNIT { MADE($$ = oriel_ast_time_difference(parser, @$, $2, @4, $4)); }
  | '(' expression ',' expression_list ')' { MADE($$ = oriel_ast_row(parser, @$, $2, $4)); }
  | ROW '(' opt_expressions ')' { MADE($$ = oriel_ast_function(parser, @$, "ROW", $3)); }
  | ARRAY '[' opt_expressions ']' { MADE($$ = oriel_ast_function(parser, @$, "ARRAY", $3)); }
  | MAP '[' opt_expressions ']' { MADE($$ = oriel_ast_function(parser, @$, "MAP", $3)); }
  | MULTISET '[' opt_expressions ']' { MADE($$ = oriel_ast_function(parser, @$, "MULTISET", $3)); }
  | case_expression
  | CAST '(' expression AS type ')' { MADE($$ = oriel_ast_cast(parser, @$, "CAST", $3, $5)); }
  | TRY_CAST '(' expression AS type ')' { MADE($$ = oriel_ast_cast(parser, @$, "TRY_CAST", $3, $5)); }
  | name '[' expression ']' { MADE($$ = oriel_ast_item(parser, @$, oriel_ast_column(parser, $1), $3)); }
  | postfix '[' expression ']' { MADE($$ = oriel_ast_item(parser, @$, $1, $3)); }
  | postfix '.' identifier { MADE($$ = oriel_ast_field(parser, @$, $1, $3)); }
  ;

literal:
    NUMBER { MADE($$ = oriel_ast_literal(parser, AST_NUMBER, @1, $1)); }
  | STRING { MADE($$ = oriel_ast_literal(parser, AST_STRING, @1, $1)); }
  | strings { MADE($$ = oriel_ast_literal(parser, AST_STRING, @1, $1->text)); }
  | BINARY_STRING { MADE($$ = oriel_ast_literal(parser, AST_BINARY, @1, $1)); }
  | NULL_ { MADE($$ = oriel_ast_expression(parser, AST_NULL, @1)); }
  | TRUE { MADE($$ = oriel_ast_boolean(parser, @1, 1)); }
  | FALSE { MADE($$ = oriel_ast_boolean(parser, @1, 0)); }
  | UNKNOWN { MADE($$ = oriel_ast_expression(parser, AST_NULL, @1)); $$->number = 1; }
  | DATE STRING { MADE($$ = oriel_ast_literal(parser, AST_DATE, @$, $2)); }
  | TIME STRING { MADE($$ = oriel_ast_literal(parser, AST_TIME, @$, $2)); }
  | TIMESTAMP STRING { MADE($$ = oriel_ast_literal(parser, AST_TIMESTAMP, @$, $2)); }
  | TIMESTAMP WITH_LOCAL_ZONE STRING {
        MADE($$ = oriel_ast_literal(parser, AST_TIMESTAMP, @$, $3));
        $$->number = 1; }
  | interval
  ;

/* Strings on lines of their own are one. */
strings:
    STRING STRING {
        MADE($$ = oriel_ast_strings(parser, NULL, @1, $1));
        MADE($$ = oriel_ast_strings(parser, $$, @2, $2)); }
  | strings STRING { MADE($$ = oriel_ast_strings(parser, $1, @2, $2)); }
  ;

interval:
    INTERVAL sign STRING interval_qualifier {
        MADE($$ = oriel_ast_interval(parser, @$, $2, $3, $4)); }
  | INTERVAL sign unit_count unit {
        MADE($$ = oriel_ast_interval_count(parser, @$, $2, $3, @4, $4)); }
  ;

unit_count:
    NUMBER { MADE($$ = oriel_ast_literal(parser, AST_NUMBER, @1, $1)); }
  | name { MADE($$ = oriel_ast_column(parser, $1)); }
  | '(' expression ')' { $$ = $2; }
  ;

sign:
    %empty { $$ = 0; }
  | '+' { $$ = 0; }
  | '-' { $$ = 1; }
  ;

unit: UNIT | UNIT_NAME ;

/* An interval's units as a type: parameters are the precisions, -1 where none is written. */
interval_qualifier:
    unit %prec SHORT { MADE($$ = oriel_ast_units(parser, @$, $1, NULL, NULL, NULL)); }
  | unit '(' NUMBER ')' %prec SHORT { MADE($$ = oriel_ast_units(parser, @$, $1, &$3, NULL, NULL)); }
  | unit '(' NUMBER ',' NUMBER ')' { MADE($$ = oriel_ast_units(parser, @$, $1, &$3, NULL, &$5)); }
  | unit TO unit { MADE($$ = oriel_ast_units(parser, @$, $1, NULL, &$3, NULL)); }
  | unit TO unit '(' NUMBER ')' { MADE($$ = oriel_ast_units(parser, @$, $1, NULL, &$3, &$5)); }
  | unit '(' NUMBER ')' TO unit { MADE($$ = oriel_ast_units(parser, @$, $1, &$3, &$6, NULL)); }
  | unit '(' NUMBER ')' TO unit '(' NUMBER ')' {
        MADE($$ = oriel_ast_units(parser, @$, $1, &$3, &$6, &$8)); }
  ;

case_expression:
    CASE case_branches opt_else END { MADE($$ = oriel_ast_case(parser, @$, NULL, $2, $3)); }
  | CASE expression case_branches opt_else END { MADE($$ = oriel_ast_case(parser, @$, $2, $3, $4)); }
  ;

case_branches:
    WHEN expression THEN expression { MADE($$ = oriel_ast_pair(parser, NULL, $2, $4)); }
  | case_branches WHEN expression THEN expression { MADE($$ = oriel_ast_pair(parser, $1, $3, $5)); }
  ;

opt_else:
    %empty { $$ = NULL; }
  | ELSE expression { $$ = $2; }
  ;

/* ---- calls ---- */

call:
    call_tail_target opt_within opt_filter opt_call_nulls opt_over {
        MADE($$ = oriel_ast_call_tail(parser, @$, $1, $2, $3, $4, $5)); }
  | special_call
  | NILADIC { MADE($$ = oriel_ast_niladic(parser, @1, $1)); }
  ;

call_tail_target:
    name '(' call_arguments ')' { MADE($$ = oriel_ast_call_named(parser, @$, $1, $3)); }
  | function_word '(' call_arguments ')' { MADE($$ = oriel_ast_call_word(parser, @$, $1, $3)); }
  | NILADIC '(' call_arguments ')' { MADE($$ = oriel_ast_call_word(parser, @$, $1, $3)); }
  | json_call
  ;

function_word: FUNCTION_WORD | UNIT | LEFT | RIGHT | DATE | TIME | TIMESTAMP ;

call_arguments:
    %empty { MADE($$ = oriel_ast_call(parser, @$, 0, NULL, NULL)); }
  | '*' { MADE($$ = oriel_ast_call(parser, @$, 0, NULL, NULL)); $$->star = true; }
  | arguments opt_order_by { MADE($$ = oriel_ast_call(parser, @$, 0, $1, $2)); }
  | ALL arguments opt_order_by { MADE($$ = oriel_ast_call(parser, @$, 0, $2, $3)); }
  | DISTINCT arguments opt_order_by { MADE($$ = oriel_ast_call(parser, @$, 1, $2, $3)); }
  ;

arguments:
    argument { MADE($$ = oriel_ast_list(parser, $1)); }
  | arguments ',' argument { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

argument:
    expression
  | default_value
  | identifier ARROW expression { MADE($$ = oriel_ast_named(parser, @$, $1, $3)); }
  | identifier ARROW default_value { MADE($$ = oriel_ast_named(parser, @$, $1, $3)); }
  | DESCRIPTOR '(' identifier_list ')' { MADE($$ = oriel_ast_descriptor(parser, @$, $3)); }
  ;

default_value:
    DEFAULT { MADE($$ = oriel_ast_expression(parser, AST_DEFAULT, @1)); }
  ;

opt_within:
    %empty { $$ = NULL; }
  | WITHIN GROUP '(' ORDER BY order_items ')' { $$ = $6; }
  ;

opt_filter:
    %empty { $$ = NULL; }
  | FILTER '(' WHERE expression ')' { $$ = $4; }
  ;

opt_call_nulls:
    %empty { $$ = AST_CALL_NULLS_DEFAULT; }
  | IGNORE { $$ = AST_CALL_IGNORE_NULLS; }
  | RESPECT { $$ = AST_CALL_RESPECT_NULLS; }
  ;

unit_word: name_word | UNIT ;

special_call:
    EXTRACT '(' unit_word FROM expression ')' {
        MADE($$ = oriel_ast_unit_call(parser, @$, "EXTRACT", @3, $3, $5, NULL)); }
  | TIMESTAMPADD '(' unit_word ',' expression ',' expression ')' {
        MADE($$ = oriel_ast_unit_call(parser, @$, "TIMESTAMPADD", @3, $3, $5, $7)); }
  | TIMESTAMPDIFF '(' unit_word ',' expression ',' expression ')' {
        MADE($$ = oriel_ast_unit_call(parser, @$, "TIMESTAMPDIFF", @3, $3, $5, $7)); }
  | rounding '(' expression ')' {
        MADE($$ = oriel_ast_operator(parser, @$, $<number>1 ? "CEIL" : "FLOOR", $3, NULL, NULL)); }
  | rounding '(' expression TO unit_word ')' {
        MADE($$ = oriel_ast_round_to(parser, @$, $<number>1 ? "CEIL" : "FLOOR", $3, @5, $5)); }
  | TRIM '(' expression ')' { MADE($$ = oriel_ast_trim(parser, @$, "BOTH", NULL, $3)); }
  | TRIM '(' expression FROM expression ')' { MADE($$ = oriel_ast_trim(parser, @$, "BOTH", $3, $5)); }
  | TRIM '(' trim_side FROM expression ')' {
        MADE($$ = oriel_ast_trim(parser, @$, $<text>3.bytes, NULL, $5)); }
  | TRIM '(' trim_side expression FROM expression ')' {
        MADE($$ = oriel_ast_trim(parser, @$, $<text>3.bytes, $4, $6)); }
  | SUBSTRING '(' expression FROM expression ')' {
        MADE($$ = oriel_ast_operator(parser, @$, "SUBSTRING", $3, $5, NULL)); }
  | SUBSTRING '(' expression FROM expression FOR expression ')' {
        MADE($$ = oriel_ast_operator(parser, @$, "SUBSTRING", $3, $5, $7)); }
  | SUBSTRING '(' expression_list ')' { MADE($$ = oriel_ast_function(parser, @$, "SUBSTRING", $3)); }
  | POSITION '(' expression POSITION_IN expression ')' {
        MADE($$ = oriel_ast_operator(parser, @$, "POSITION", $3, $5, NULL)); }
  | OVERLAY '(' expression PLACING expression FROM expression ')' {
        MADE($$ = oriel_ast_overlay(parser, @$, $3, $5, $7, NULL)); }
  | OVERLAY '(' expression PLACING expression FROM expression FOR expression ')' {
        MADE($$ = oriel_ast_overlay(parser, @$, $3, $5, $7, $9)); }
  | OVERLAY '(' expression_list ')' { MADE($$ = oriel_ast_function(parser, @$, "OVERLAY", $3)); }
  ;

rounding:
    FLOOR { $<number>$ = 0; }
  | CEIL { $<number>$ = 1; }
  | CEILING { $<number>$ = 1; }
  ;

trim_side:
    BOTH { $<text>$ = (struct sql_text){"BOTH", 4, false}; }
  | LEADING { $<text>$ = (struct sql_text){"LEADING", 7, false}; }
  | TRAILING { $<text>$ = (struct sql_text){"TRAILING", 8, false}; }
  ;

/* ---- JSON ---- */

json_call:
    json_value_call
  | JSON_OBJECT '(' opt_json_pairs json_null ')' {
        MADE($$ = oriel_ast_json_call(parser, @$, "JSON_OBJECT", $3, $4)); }
  | JSON_ARRAY '(' opt_expressions json_null ')' {
        MADE($$ = oriel_ast_json_call(parser, @$, "JSON_ARRAY", $3, $4)); }
  | JSON_OBJECTAGG '(' json_pairs json_null ')' {
        MADE($$ = oriel_ast_json_call(parser, @$, "JSON_OBJECTAGG", $3, $4)); }
  | JSON_ARRAYAGG '(' expression json_null opt_order_by ')' {
        MADE($$ = oriel_ast_json_arrayagg(parser, @$, $3, $4, $5)); }
  ;

json_value_call:
    JSON_EXISTS '(' expression ',' expression json_behaviours ')' {
        MADE($$ = oriel_ast_operator(parser, @$, "JSON_EXISTS", $3, $5, NULL));
        MADE(oriel_ast_json_clauses(parser, @6, $$, NULL, 0, $6)); }
  | JSON_VALUE '(' expression ',' expression json_behaviours ')' {
        MADE($$ = oriel_ast_operator(parser, @$, "JSON_VALUE", $3, $5, NULL));
        MADE(oriel_ast_json_clauses(parser, @6, $$, NULL, 0, $6)); }
  | JSON_VALUE '(' expression ',' expression RETURNING type_core json_behaviours ')' {
        MADE($$ = oriel_ast_operator(parser, @$, "JSON_VALUE", $3, $5, NULL));
        MADE(oriel_ast_json_clauses(parser, @8, $$, $7, 0, $8)); }
  | JSON_QUERY '(' expression ',' expression wrapper json_behaviours ')' {
        MADE($$ = oriel_ast_operator(parser, @$, "JSON_QUERY", $3, $5, NULL));
        MADE(oriel_ast_json_clauses(parser, @7, $$, NULL, $6, $7)); }
  | JSON_QUERY '(' expression ',' expression RETURNING type_core wrapper json_behaviours ')' {
        MADE($$ = oriel_ast_operator(parser, @$, "JSON_QUERY", $3, $5, NULL));
        MADE(oriel_ast_json_clauses(parser, @9, $$, $7, $8, $9)); }
  ;

opt_json_pairs:
    %empty { MADE($$ = oriel_ast_list(parser, NULL)); }
  | json_pairs
  ;

json_pairs:
    opt_key expression json_separator expression { MADE($$ = oriel_ast_pair(parser, NULL, $2, $4)); }
  | json_pairs ',' opt_key expression json_separator expression {
        MADE($$ = oriel_ast_pair(parser, $1, $4, $6)); }
  ;

opt_key: %empty | KEY ;
json_separator: VALUE | ':' ;

json_null:
    %empty { $$ = 0; }
  | NULL_ON_NULL { $$ = 1; }
  | ABSENT_ON_NULL { $$ = 2; }
  ;

wrapper:
    %empty { $$ = AST_JSON_WRAPPER_UNSET; }
  | WITHOUT opt_array WRAPPER { $$ = AST_JSON_WITHOUT_WRAPPER; }
  | WITH opt_array WRAPPER { $$ = AST_JSON_UNCONDITIONAL_WRAPPER; }
  | WITH UNCONDITIONAL opt_array WRAPPER { $$ = AST_JSON_UNCONDITIONAL_WRAPPER; }
  | WITH CONDITIONAL opt_array WRAPPER { $$ = AST_JSON_CONDITIONAL_WRAPPER; }
  ;

opt_array: %empty | ARRAY ;

json_behaviours:
    %empty { $$ = NULL; }
  | json_behaviours json_behaviour behaviour_place {
        MADE($$ = oriel_ast_json_behaviour(parser, @2, $1, $2, $3)); }
  ;

json_behaviour:
    NULL_ { MADE($$ = oriel_ast_json(parser, AST_JSON_NULL, NULL)); }
  | ERROR { MADE($$ = oriel_ast_json(parser, AST_JSON_ERROR, NULL)); }
  | TRUE { MADE($$ = oriel_ast_json(parser, AST_JSON_TRUE, NULL)); }
  | FALSE { MADE($$ = oriel_ast_json(parser, AST_JSON_FALSE, NULL)); }
  | UNKNOWN { MADE($$ = oriel_ast_json(parser, AST_JSON_UNKNOWN, NULL)); }
  | EMPTY { MADE($$ = oriel_ast_json(parser, AST_JSON_EMPTY_ARRAY, NULL)); }
  | EMPTY ARRAY { MADE($$ = oriel_ast_json(parser, AST_JSON_EMPTY_ARRAY, NULL)); }
  | EMPTY identifier { MADE($$ = oriel_ast_json_empty(parser, $2)); }
  | DEFAULT expression { MADE($$ = oriel_ast_json(parser, AST_JSON_DEFAULT, $2)); }
  ;

behaviour_place:
    ON EMPTY { $$ = 0; }
  | ON ERROR { $$ = 1; }
  ;

/* ---- types ---- */

type:
    type_core
  | type NOT NULL_ { $$ = $1; $$->not_null = true; }
  | type NULL_ { $$ = $1; }
  | type ARRAY { MADE($$ = oriel_ast_collection(parser, @$, "ARRAY", $1, NULL)); }
  | type MULTISET { MADE($$ = oriel_ast_collection(parser, @$, "MULTISET", $1, NULL)); }
  ;

type_core:
    TYPE_WORD { MADE($$ = oriel_ast_type(parser, @$, $1, NULL, NULL)); }
  | TYPE_WORD '(' NUMBER ')' { MADE($$ = oriel_ast_type(parser, @$, $1, &$3, NULL)); }
  | TYPE_WORD '(' NUMBER ',' NUMBER ')' { MADE($$ = oriel_ast_type(parser, @$, $1, &$3, &$5)); }
  | DOUBLE { MADE($$ = oriel_ast_type_named(parser, @$, "DOUBLE", NULL)); }
  | DOUBLE PRECISION { MADE($$ = oriel_ast_type_named(parser, @$, "DOUBLE", NULL)); }
  | character { MADE($$ = oriel_ast_type_named(parser, @$, "CHAR", NULL)); }
  | character '(' NUMBER ')' { MADE($$ = oriel_ast_type_named(parser, @$, "CHAR", &$3)); }
  | character VARYING { MADE($$ = oriel_ast_type_named(parser, @$, "VARCHAR", NULL)); }
  | character VARYING '(' NUMBER ')' { MADE($$ = oriel_ast_type_named(parser, @$, "VARCHAR", &$4)); }
  | BINARY { MADE($$ = oriel_ast_type_named(parser, @$, "BINARY", NULL)); }
  | BINARY '(' NUMBER ')' { MADE($$ = oriel_ast_type_named(parser, @$, "BINARY", &$3)); }
  | BINARY VARYING { MADE($$ = oriel_ast_type_named(parser, @$, "VARBINARY", NULL)); }
  | BINARY VARYING '(' NUMBER ')' { MADE($$ = oriel_ast_type_named(parser, @$, "VARBINARY", &$4)); }
  | DATE { MADE($$ = oriel_ast_type_named(parser, @$, "DATE", NULL)); }
  | TIME zone { MADE($$ = oriel_ast_type_time(parser, @$, "TIME", NULL, $<number>2)); }
  | TIME '(' NUMBER ')' zone { MADE($$ = oriel_ast_type_time(parser, @$, "TIME", &$3, $<number>5)); }
  | TIMESTAMP zone { MADE($$ = oriel_ast_type_time(parser, @$, "TIMESTAMP", NULL, $<number>2)); }
  | TIMESTAMP '(' NUMBER ')' zone {
        MADE($$ = oriel_ast_type_time(parser, @$, "TIMESTAMP", &$3, $<number>5)); }
  | INTERVAL interval_qualifier { $$ = $2; }
  | ARRAY '<' type '>' { MADE($$ = oriel_ast_collection(parser, @$, "ARRAY", $3, NULL)); }
  | MULTISET '<' type '>' { MADE($$ = oriel_ast_collection(parser, @$, "MULTISET", $3, NULL)); }
  | MAP '<' type ',' type '>' { MADE($$ = oriel_ast_collection(parser, @$, "MAP", $3, $5)); }
  | ROW '<' row_fields '>' { MADE($$ = oriel_ast_row_type(parser, @$, $3)); }
  | ROW '(' row_fields ')' { MADE($$ = oriel_ast_row_type(parser, @$, $3)); }
  | ROW NE { MADE($$ = oriel_ast_row_type(parser, @$, NULL)); }
  | RAW { MADE($$ = oriel_ast_type_named(parser, @$, "RAW", NULL)); }
  | RAW '(' STRING ',' STRING ')' { MADE($$ = oriel_ast_type_named(parser, @$, "RAW", NULL)); }
  | name { MADE($$ = oriel_ast_type_user(parser, $1)); }
  ;

character: CHAR | CHARACTER ;

zone:
    %empty { $<number>$ = 0; }
  | WITHOUT_ZONE { $<number>$ = 0; }
  | WITH_ZONE { $<number>$ = 1; }
  | WITH_LOCAL_ZONE { $<number>$ = 2; }
  ;

row_fields:
    identifier type opt_field_comment { MADE($$ = oriel_ast_pair(parser, NULL, $1, $2)); }
  | row_fields ',' identifier type opt_field_comment { MADE($$ = oriel_ast_pair(parser, $1, $3, $4)); }
  ;

opt_field_comment: %empty | STRING ;

/* ---- CREATE ---- */

create_head:
    CREATE opt_or_replace opt_temporary { MADE($$ = oriel_ast_create(parser, @$, $2, $3)); }
  ;

opt_or_replace:
    %empty { $$ = 0; }
  | OR REPLACE { $$ = 1; }
  ;

opt_temporary:
    %empty { $$ = 0; }
  | TEMPORARY { $$ = 1; }
  ;

opt_if_not_exists:
    %empty { $$ = 0; }
  | IF_NOT_EXISTS { $$ = 1; }
  ;

opt_comment:
    %empty { $$ = (struct sql_text){NULL, 0, false}; }
  | COMMENT STRING { $$ = $2; }
  ;

create_view:
    create_head VIEW opt_if_not_exists name opt_view_columns opt_comment AS query {
        MADE($$ = oriel_ast_create_view(parser, @$, $1, $3, $4, $5)); 
        $$->comment = $6.bytes;
        MADE(oriel_ast_view_query(parser, $$, @8, $8)); }
  ;

opt_view_columns:
    %empty { $$ = NULL; }
  | '(' view_columns ')' { $$ = $2; }
  ;

view_columns:
    identifier opt_comment { MADE($$ = oriel_ast_list(parser, $1)); }
  | view_columns ',' identifier opt_comment { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

create_table:
    create_body
  | create_body LIKE name opt_like_options { oriel_ast_table_like($1, $3, $4); $$ = $1; }
  | create_body AS query { $$ = $1; MADE(oriel_ast_table_as(parser, @$, $1, @3, $3)); }
  ;

create_body:
    create_head TABLE opt_if_not_exists name opt_elements opt_comment opt_distributed opt_partitioned
    opt_with_options {
        MADE($$ = oriel_ast_create_table(parser, @$, $1, $3, $4, $<list>5));
        $$->comment = $6.bytes;
        oriel_ast_table_clauses($$, $8, $9); }
  ;

opt_elements:
    %empty { $<list>$ = NULL; }
  | '(' ')' { $<list>$ = NULL; }
  | '(' table_elements ')' { $<list>$ = $2; }
  ;

table_elements:
    table_element { MADE($$ = oriel_ast_list(parser, $1)); }
  | table_elements ',' table_element { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

table_element:
    column { MADE($$ = oriel_ast_element_column(parser, @$, $1)); }
  | identifier { MADE($$ = oriel_ast_element_name(parser, $1)); }
  | table_constraint
  ;

table_constraint:
    WATERMARK FOR name AS expression { MADE($$ = oriel_ast_element_watermark(parser, @$, $3, @5, $5)); }
  | opt_constraint PRIMARY KEY names_in_parentheses opt_not_enforced {
        MADE($$ = oriel_ast_element_key(parser, @$, $4, $5)); }
  | opt_constraint UNIQUE { oriel_ast_unsupported(parser, @2, "a UNIQUE constraint"); YYABORT; }
  ;

opt_constraint: %empty | CONSTRAINT identifier ;

/* 0: nothing is said, 1: ENFORCED, 2: NOT ENFORCED */
opt_not_enforced:
    %empty { $$ = 0; }
  | ENFORCED { $$ = 1; }
  | NOT ENFORCED { $$ = 2; }
  ;

column:
    column_physical
  | column_physical COMMENT STRING { $$ = $1; $$->comment = $3.bytes; }
  | column_metadata opt_comment { $$ = $1; $$->comment = $2.bytes; }
  | identifier AS expression opt_comment {
        MADE($$ = oriel_ast_column_computed(parser, $1, $3)); $$->comment = $4.bytes; }
  ;

column_physical:
    identifier type { MADE($$ = oriel_ast_column_physical(parser, $1, $2)); }
  | identifier type opt_constraint PRIMARY KEY opt_not_enforced {
        MADE($$ = oriel_ast_column_physical(parser, $1, $2));
        MADE(oriel_ast_column_key(parser, @4, $$, $6)); }
  ;

column_metadata:
    identifier type METADATA { MADE($$ = oriel_ast_column_metadata(parser, $1, $2, NULL, false)); }
  | identifier type METADATA VIRTUAL { MADE($$ = oriel_ast_column_metadata(parser, $1, $2, NULL, true)); }
  | identifier type METADATA FROM STRING {
        MADE($$ = oriel_ast_column_metadata(parser, $1, $2, $5.bytes, false)); }
  | identifier type METADATA FROM STRING VIRTUAL {
        MADE($$ = oriel_ast_column_metadata(parser, $1, $2, $5.bytes, true)); }
  ;

opt_distributed:
    %empty
  | DISTRIBUTED { oriel_ast_unsupported(parser, @1, "DISTRIBUTED"); YYABORT; }
  ;

opt_partitioned:
    %empty { $$ = NULL; }
  | PARTITIONED BY names_in_parentheses { $$ = $3; }
  ;

opt_with_options:
    %empty { $$ = NULL; }
  | WITH '(' options ')' { $$ = $3; }
  | WITH '(' ')' { $$ = NULL; }
  ;

options:
    option { MADE($$ = oriel_ast_list(parser, $1)); }
  | options ',' option { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

option:
    STRING '=' STRING { MADE($$ = oriel_ast_option(parser, @1, $1, @3, $3)); }
  ;

opt_like_options:
    %empty { $$ = NULL; }
  | '(' like_options ')' { $$ = $2; }
  ;

like_options:
    like_word like_feature { MADE($$ = oriel_ast_like_option(parser, @$, NULL, $1, $2)); }
  | like_options like_word like_feature {
        MADE($$ = oriel_ast_like_option(parser, @2, $1, $2, $3)); }
  ;

like_word: INCLUDING | EXCLUDING | OVERWRITING ;

like_feature:
    name_word
  | ALL { $$ = (struct sql_text){"ALL", 3, false}; }
  | RESERVED { $$ = oriel_ast_source_text(parser, @1); }
  ;

/* ---- ALTER ---- */

alter:
    ALTER TABLE opt_if_exists name alter_change { $$ = $5; oriel_ast_alter_name($5, "TABLE", $3, $4); }
  | ALTER VIEW opt_if_exists name RENAME TO name {
        MADE($$ = oriel_ast_alter(parser, @$, AST_ALTER_RENAME));
        $$->new_name = $7;
        oriel_ast_alter_name($$, "VIEW", $3, $4); }
  | ALTER VIEW opt_if_exists name AS query {
        MADE($$ = oriel_ast_alter(parser, @$, AST_ALTER_QUERY));
        oriel_ast_alter_name($$, "VIEW", $3, $4);
        MADE(oriel_ast_view_query(parser, $$, @6, $6)); }
  ;

opt_if_exists:
    %empty { $$ = 0; }
  | IF_EXISTS { $$ = 1; }
  ;

alter_change:
    RENAME TO name { MADE($$ = oriel_ast_alter(parser, @$, AST_ALTER_RENAME)); $$->new_name = $3; }
  | RENAME name TO identifier {
        MADE($$ = oriel_ast_alter_names(parser, @$, AST_ALTER_RENAME_COLUMN,
                                        oriel_ast_list(parser, $4)));
        $$->old_column = $2; }
  | ADD alter_elements { MADE($$ = oriel_ast_alter_elements(parser, @$, AST_ALTER_ADD, $2)); }
  | MODIFY alter_elements { MADE($$ = oriel_ast_alter_elements(parser, @$, AST_ALTER_MODIFY, $2)); }
  | DROP identifier {
        MADE($$ = oriel_ast_alter_names(parser, @$, AST_ALTER_DROP, oriel_ast_list(parser, $2))); }
  | DROP names_in_parentheses { MADE($$ = oriel_ast_alter_names(parser, @$, AST_ALTER_DROP, $2)); }
  | DROP PRIMARY KEY { MADE($$ = oriel_ast_alter(parser, @$, AST_ALTER_DROP_KEY)); }
  | DROP CONSTRAINT identifier { MADE($$ = oriel_ast_alter(parser, @$, AST_ALTER_DROP_KEY)); }
  | DROP WATERMARK { MADE($$ = oriel_ast_alter(parser, @$, AST_ALTER_DROP_WATERMARK)); }
  | SET '(' options ')' { MADE($$ = oriel_ast_alter_options(parser, @$, AST_ALTER_SET, $3)); }
  | RESET '(' option_keys ')' {
        MADE($$ = oriel_ast_alter_options(parser, @$, AST_ALTER_RESET, $3)); }
  ;

alter_elements:
    alter_element { MADE($$ = oriel_ast_list(parser, $1)); }
  | '(' alter_element_list ')' { $$ = $2; }
  ;

alter_element_list:
    alter_element { MADE($$ = oriel_ast_list(parser, $1)); }
  | alter_element_list ',' alter_element { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

alter_element:
    table_constraint
  | column { MADE($$ = oriel_ast_element_column(parser, @$, $1)); }
  | column FIRST {
        MADE($$ = oriel_ast_element_column(parser, @$, $1));
        $1->is_first = true; }
  | column AFTER identifier {
        MADE($$ = oriel_ast_element_column(parser, @$, $1));
        $1->after = $3; }
  ;

option_keys:
    STRING { MADE($$ = oriel_ast_list(parser, oriel_ast_option(parser, @1, $1, @1, $1))); }
  | option_keys ',' STRING {
        MADE($$ = oriel_ast_list_add(parser, $1, oriel_ast_option(parser, @3, $3, @3, $3))); }
  ;

/* ---- INSERT, EXPLAIN, statement sets ---- */

insert:
    insert_head query { $$ = $1; MADE(oriel_ast_insert_query(parser, $1, @$, NULL, $2)); }
  | insert_head names_in_parentheses query {
        $$ = $1; MADE(oriel_ast_insert_query(parser, $1, @$, $2, $3)); }
  ;

insert_head:
    INSERT set_mode name opt_hints { MADE($$ = oriel_ast_insert(parser, @$, $2, $3, $4, NULL)); }
  | INSERT set_mode name opt_hints PARTITION '(' partition_items ')' {
        MADE($$ = oriel_ast_insert(parser, @$, $2, $3, $4, $7)); }
  ;

set_mode:
    INTO { $$ = 0; }
  | OVERWRITE { $$ = 1; }
  ;

partition_items:
    partition_item { MADE($$ = oriel_ast_list(parser, $1)); }
  | partition_items ',' partition_item { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

partition_item:
    identifier { MADE($$ = oriel_ast_partition(parser, $1, @1, NULL)); }
  | identifier '=' literal { MADE($$ = oriel_ast_partition(parser, $1, @3, $3)); }
  ;

explain:
    EXPLAIN explained { MADE($$ = oriel_ast_explain(parser, @$, NULL, false, $2)); }
  | EXPLAIN explain_words explained { MADE($$ = oriel_ast_explain(parser, @$, $2, false, $3)); }
  | EXPLAIN identifier FOR explained {
        MADE($$ = oriel_ast_explain(parser, @$, oriel_ast_list(parser, $2), true, $4)); }
  ;

explain_words:
    identifier { MADE($$ = oriel_ast_list(parser, $1)); }
  | explain_words ',' identifier { MADE($$ = oriel_ast_list_add(parser, $1, $3)); }
  ;

explained:
    query { MADE($$ = oriel_ast_query_statement(parser, @$, $1)); }
  | insert
  | create_table
  | STATEMENT SET BEGIN_ inserts END { MADE($$ = oriel_ast_statement_set(parser, @$, $4)); }
  ;

statement_set:
    EXECUTE STATEMENT SET BEGIN_ inserts END { MADE($$ = oriel_ast_statement_set(parser, @$, $5)); }
  | BEGIN_ STATEMENT SET ';' inserts END { MADE($$ = oriel_ast_statement_set(parser, @$, $5)); }
  | EXECUTE insert { $$ = $2; }
  | EXECUTE query { MADE($$ = oriel_ast_query_statement(parser, @2, $2)); }
  ;

inserts:
    insert ';' { MADE($$ = oriel_ast_list(parser, $1)); }
  | inserts insert ';' { MADE($$ = oriel_ast_list_add(parser, $1, $2)); }
  ;

%%

static int oriel_grammar_lex(ORIEL_GRAMMAR_STYPE *value, struct sql_location *location,
                             struct sql_parser *parser) {
    if (parser->start_token) {
        const int start = parser->start_token;
        parser->start_token = 0;
        return start;
    }
    const struct sql_token token = oriel_tokens_next(&parser->tokens);
    *location = token.location;
    value->text = token.text;
    if (parser->tokens.lexer.out_of_memory)
        oriel_sql_fail_memory(parser);
    else if (token.kind == SQL_LEXICAL_ERROR)
        oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(token.location), "%s", token.text.bytes);
    else if (parser->tokens.too_deep)
        oriel_sql_fail(parser, ORIEL_INVALID, sql_position(token.location),
                       "the statement is nested more than %d levels deep", ORIEL_SQL_DEPTH_MAX);
    else
        return token.kind;
    return SQL_ORIEL_GRAMMAR_error;
}

/* Only when the stack is full: chains of signs or NOT, types in types. */
static void oriel_grammar_error(const struct sql_location *location, struct sql_parser *parser,
                                const char *message) {
    (void)message;
    oriel_sql_fail(parser, ORIEL_INVALID, sql_position(*location),
                   "the statement is nested more than %d levels deep", ORIEL_SQL_DEPTH_MAX);
}

static int yyreport_syntax_error(const yypcontext_t *context, struct sql_parser *parser) {
    yysymbol_kind_t kinds[ORIEL_SQL_EXPECTED_MAX];
    struct sql_expected expected = {.count = 0};
    const int count = yypcontext_expected_tokens(context, kinds, ORIEL_SQL_EXPECTED_MAX);
    for (int i = 0; i < count; ++i)
        expected.names[expected.count++] = yysymbol_name(kinds[i]);
    oriel_sql_report_unexpected(parser, &parser->tokens.previous, &expected);
    return 0;
}
