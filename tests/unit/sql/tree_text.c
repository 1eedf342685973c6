/*
 * Writes trees as text for the tests of the parser. Every field of the tree that the grammar sets
 * shows in the text, so a wrong one fails a test.
 */
#include "tests/unit/sql/tree_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void put(struct tree_text *out, const char *format,
                                                      ...) {
    va_list arguments;
    va_start(arguments, format);
    const size_t left = sizeof out->bytes - out->length;
    const int written = vsnprintf(out->bytes + out->length, left, format, arguments);
    va_end(arguments);
    if (written > 0)
        out->length += (size_t)written < left ? (size_t)written : left - 1;
}

static void put_name(struct tree_text *out, const struct ast_name *name) {
    for (uint32_t i = 0; i < name->part_count; ++i)
        put(out, name->parts[i].quoted ? "%s`%s`" : "%s%s", i ? "." : "", name->parts[i].text);
}

static void put_identifiers(struct tree_text *out, uint32_t count,
                            struct ast_identifier *const *items) {
    put(out, "(");
    for (uint32_t i = 0; i < count; ++i)
        put(out, "%s%s", i ? " " : "", items[i]->text);
    put(out, ")");
}

static void put_order(struct tree_text *out, uint32_t count, struct ast_order_item *const *items) {
    static const char *const NULLS[] = {"", " nulls-first", " nulls-last"};
    put(out, " order[");
    for (uint32_t i = 0; i < count; ++i) {
        put(out, "%s", i ? " " : "");
        tree_text_expression(out, items[i]->expression);
        put(out, "%s%s", items[i]->descending ? " desc" : "", NULLS[items[i]->nulls]);
    }
    put(out, "]");
}

static void put_expressions(struct tree_text *out, uint32_t count,
                            struct ast_expression *const *items) {
    for (uint32_t i = 0; i < count; ++i) {
        put(out, "%s", i ? " " : "");
        tree_text_expression(out, items[i]);
    }
}

static void put_bound(struct tree_text *out, const struct ast_frame_bound *bound) {
    static const char *const NAMES[] = {"unbounded-preceding", "preceding", "current", "following",
                                        "unbounded-following"};
    put(out, " %s", NAMES[bound->kind]);
    if (bound->offset) {
        put(out, ":");
        tree_text_expression(out, bound->offset);
    }
}

static void put_over(struct tree_text *out, const struct ast_over *over) {
    put(out, "{%s", over->reference ? over->reference : "");
    if (over->partition_by.count) {
        put(out, " partition[");
        put_expressions(out, over->partition_by.count, over->partition_by.items);
        put(out, "]");
    }
    if (over->order_by.count)
        put_order(out, over->order_by.count, over->order_by.items);
    if (over->frame != AST_FRAME_NONE) {
        put(out, over->frame == AST_FRAME_ROWS ? " rows" : " range");
        put_bound(out, &over->frame_start);
        put_bound(out, &over->frame_end);
    }
    put(out, "}");
}

static void put_call_tail(struct tree_text *out, const struct ast_expression *call) {
    static const char *const NULLS[] = {"", " ignore-nulls", " respect-nulls"};
    if (call->within_order.count)
        put_order(out, call->within_order.count, call->within_order.items);
    if (call->filter) {
        put(out, " filter[");
        tree_text_expression(out, call->filter);
        put(out, "]");
    }
    put(out, "%s%s%s", NULLS[call->call_nulls], call->null_on_null ? " null-on-null" : "",
        call->absent_on_null ? " absent-on-null" : "");
    if (call->over) {
        put(out, " over");
        put_over(out, call->over);
    }
    if (call->json) {
        put(out, " json[%d %d %d", (int)call->json->on_empty, (int)call->json->on_error,
            (int)call->json->wrapper);
        if (call->json->empty_value) {
            put(out, " empty:");
            tree_text_expression(out, call->json->empty_value);
        }
        if (call->json->error_value) {
            put(out, " error:");
            tree_text_expression(out, call->json->error_value);
        }
        put(out, "]");
    }
    if (call->kind == AST_CALL && call->type) {
        put(out, " returning:");
        tree_text_type(out, call->type);
    }
}

static void put_call(struct tree_text *out, const struct ast_expression *call) {
    put(out, "(%s%s%s%s%s", call->negated ? "not-" : "", call->text,
        call->symmetric ? " symmetric" : "", call->distinct ? " distinct" : "",
        call->star ? " *" : "");
    if (call->arguments.count) {
        put(out, " ");
        put_expressions(out, call->arguments.count, call->arguments.items);
    }
    put_call_tail(out, call);
    put(out, ")");
}

static void put_interval(struct tree_text *out, const struct ast_expression *interval) {
    put(out, "interval:%s%s:%d(%d)", interval->negative ? "-" : "", interval->text,
        (int)interval->unit, (int)interval->unit_precision);
    if (interval->unit_to != AST_UNIT_NONE)
        put(out, "-%d", (int)interval->unit_to);
    if (interval->fraction_precision >= 0)
        put(out, "(%d)", (int)interval->fraction_precision);
}

static void put_from(struct tree_text *out, const struct ast_from *from);

static void put_table(struct tree_text *out, const struct ast_expression *table) {
    put(out, "[table ");
    put_from(out, table->table);
    if (table->partition_by.count) {
        put(out, " partition[");
        put_expressions(out, table->partition_by.count, table->partition_by.items);
        put(out, "]");
    }
    if (table->order_by.count)
        put_order(out, table->order_by.count, table->order_by.items);
    put(out, "]");
}

static void put_case(struct tree_text *out, const struct ast_expression *expression) {
    put(out, "(case%s%s ", expression->has_operand ? "-of" : "",
        expression->has_else ? "-else" : "");
    put_expressions(out, expression->arguments.count, expression->arguments.items);
    put(out, ")");
}

static void put_with_query(struct tree_text *out, const struct ast_expression *expression) {
    if (expression->kind == AST_IN_QUERY) {
        put(out, expression->negated ? "(not-in " : "(in ");
        put_expressions(out, expression->arguments.count, expression->arguments.items);
        put(out, " ");
    } else {
        put(out, expression->kind == AST_EXISTS ? "(exists " : "(");
    }
    tree_text_query(out, expression->query);
    put(out, ")");
}

void tree_text_expression(struct tree_text *out, const struct ast_expression *expression) {
    switch (expression->kind) {
    case AST_NULL: put(out, "null"); break;
    case AST_BOOLEAN: put(out, expression->number ? "true" : "false"); break;
    case AST_NUMBER: put(out, "%s", expression->text); break;
    case AST_STRING: put(out, "'%.*s'", (int)expression->text_length, expression->text); break;
    case AST_BINARY: put(out, "x'%s'", expression->text); break;
    case AST_DATE: put(out, "date'%s'", expression->text); break;
    case AST_TIME: put(out, "time'%s'", expression->text); break;
    case AST_TIMESTAMP: put(out, "timestamp'%s'", expression->text); break;
    case AST_INTERVAL: put_interval(out, expression); break;
    case AST_COLUMN: put_name(out, &expression->name); break;
    case AST_STAR:
        put_name(out, &expression->name);
        put(out, expression->name.part_count ? ".*" : "*");
        break;
    case AST_CALL: put_call(out, expression); break;
    case AST_CASE: put_case(out, expression); break;
    case AST_CAST:
        put(out, "(%s ", expression->text);
        tree_text_expression(out, expression->arguments.items[0]);
        put(out, " ");
        tree_text_type(out, expression->type);
        put(out, ")");
        break;
    case AST_SUBQUERY:
    case AST_EXISTS:
    case AST_IN_QUERY: put_with_query(out, expression); break;
    case AST_NAMED:
        put(out, "%s=>", expression->text);
        tree_text_expression(out, expression->arguments.items[0]);
        break;
    case AST_DESCRIPTOR:
        put(out, "[descriptor ");
        put_expressions(out, expression->arguments.count, expression->arguments.items);
        put(out, "]");
        break;
    case AST_TABLE: put_table(out, expression); break;
    case AST_DEFAULT: put(out, "default"); break;
    }
}

void tree_text_type(struct tree_text *out, const struct ast_type *type) {
    put(out, "%s", type->name);
    for (uint32_t i = 0; i < type->parameter_count; ++i)
        put(out, "%s%d", i ? "," : ":", (int)type->parameters[i]);
    if (type->child_count) {
        put(out, "<");
        for (uint32_t i = 0; i < type->child_count; ++i) {
            put(out, "%s%s%s", i ? " " : "", type->child_names ? type->child_names[i] : "",
                type->child_names ? " " : "");
            tree_text_type(out, type->children[i]);
        }
        put(out, ">");
    }
    put(out, "%s", type->not_null ? "!" : "");
}

static void put_options(struct tree_text *out, const char *name, uint32_t count,
                        struct ast_option *const *items) {
    if (count == 0)
        return;
    put(out, " %s[", name);
    for (uint32_t i = 0; i < count; ++i)
        put(out, "%s%s=%s", i ? " " : "", items[i]->key, items[i]->value ? items[i]->value : "-");
    put(out, "]");
}

static void put_join(struct tree_text *out, const struct ast_from *join) {
    static const char *const KINDS[] = {"cross", "inner", "left", "right", "full"};
    put(out, "(%s%s ", join->natural ? "natural-" : "", KINDS[join->join]);
    put_from(out, join->left);
    put(out, " ");
    put_from(out, join->right);
    if (join->on) {
        put(out, " on ");
        tree_text_expression(out, join->on);
    }
    if (join->using_columns.count) {
        put(out, " using");
        put_identifiers(out, join->using_columns.count, join->using_columns.items);
    }
    put(out, ")");
}

static void put_from(struct tree_text *out, const struct ast_from *from) {
    switch (from->kind) {
    case AST_FROM_TABLE:
        put_name(out, &from->name);
        put_options(out, "hints", from->hints.count, from->hints.items);
        break;
    case AST_FROM_PATH: put(out, "path'%s'", from->path); break;
    case AST_FROM_QUERY:
        put(out, "(");
        tree_text_query(out, from->query);
        put(out, ")");
        break;
    case AST_FROM_FUNCTION:
    case AST_FROM_UNNEST:
        put(out, "(");
        if (from->kind == AST_FROM_UNNEST)
            put(out, from->with_ordinality ? "unnest-ordinality" : "unnest");
        put_name(out, &from->name);
        put(out, "%s", from->arguments.count ? " " : "");
        put_expressions(out, from->arguments.count, from->arguments.items);
        put(out, ")");
        break;
    case AST_FROM_JOIN: put_join(out, from); break;
    }
    if (from->alias)
        put(out, " as %s", from->alias->text);
    if (from->column_aliases.count)
        put_identifiers(out, from->column_aliases.count, from->column_aliases.items);
}

static void put_grouping(struct tree_text *out, const struct ast_grouping *group) {
    static const char *const KINDS[] = {"", "sets", "rollup", "cube"};
    put(out, "%s(", KINDS[group->kind]);
    put_expressions(out, group->items.count, group->items.items);
    for (uint32_t i = 0; i < group->children.count; ++i) {
        put(out, "%s", i ? " " : "");
        put_grouping(out, group->children.items[i]);
    }
    put(out, ")");
}

static void put_select(struct tree_text *out, const struct ast_query *query) {
    put(out, query->distinct ? "select-distinct " : "select ");
    for (uint32_t i = 0; i < query->items.count; ++i) {
        put(out, "%s", i ? ", " : "");
        tree_text_expression(out, query->items.items[i]->expression);
        if (query->items.items[i]->alias)
            put(out, " as %s", query->items.items[i]->alias->text);
    }
    if (query->from) {
        put(out, " from ");
        put_from(out, query->from);
    }
    if (query->where) {
        put(out, " where ");
        tree_text_expression(out, query->where);
    }
    if (query->has_group_by) {
        put(out, " group");
        for (uint32_t i = 0; i < query->group_by.count; ++i) {
            put(out, " ");
            put_grouping(out, query->group_by.items[i]);
        }
    }
    if (query->having) {
        put(out, " having ");
        tree_text_expression(out, query->having);
    }
    for (uint32_t i = 0; i < query->windows.count; ++i) {
        put(out, " window %s", query->windows.items[i]->name);
        put_over(out, query->windows.items[i]->over);
    }
    if (query->qualify) {
        put(out, " qualify ");
        tree_text_expression(out, query->qualify);
    }
}

void tree_text_query(struct tree_text *out, const struct ast_query *query) {
    static const char *const SETS[] = {"", "", "union", "intersect", "except"};
    for (uint32_t i = 0; i < query->with.count; ++i) {
        put(out, "with %s", query->with.items[i]->name->text);
        if (query->with.items[i]->columns.count)
            put_identifiers(out, query->with.items[i]->columns.count,
                            query->with.items[i]->columns.items);
        put(out, "(");
        tree_text_query(out, query->with.items[i]->query);
        put(out, ") ");
    }
    if (query->kind == AST_QUERY_SELECT) {
        put_select(out, query);
    } else if (query->kind == AST_QUERY_VALUES) {
        put(out, "values ");
        put_expressions(out, query->rows.count, query->rows.items);
    } else {
        put(out, "(%s%s ", SETS[query->kind], query->all ? "-all" : "");
        tree_text_query(out, query->left);
        put(out, " | ");
        tree_text_query(out, query->right);
        put(out, ")");
    }
    if (query->order_by.count)
        put_order(out, query->order_by.count, query->order_by.items);
    if (query->limit)
        put(out, " limit %s", query->limit->text);
    if (query->offset)
        put(out, " offset %s", query->offset->text);
}

static void put_column(struct tree_text *out, const struct ast_column_definition *column) {
    put(out, " %s:", column->name.text);
    if (column->kind == AST_COLUMN_COMPUTED)
        tree_text_expression(out, column->expression);
    else
        tree_text_type(out, column->type);
    if (column->kind == AST_COLUMN_METADATA)
        put(out, " metadata(%s)", column->metadata_key ? column->metadata_key : "");
    put(out, "%s%s", column->is_virtual ? " virtual" : "", column->primary_key ? " key" : "");
    if (column->comment)
        put(out, " '%s'", column->comment);
}

static void put_table_definition(struct tree_text *out, const struct ast_statement *table) {
    for (uint32_t i = 0; i < table->columns.count; ++i)
        put_column(out, table->columns.items[i]);
    if (table->watermark) {
        put(out, " watermark ");
        put_name(out, &table->watermark->column);
        put(out, " {%s} ", table->watermark->expression_text);
        tree_text_expression(out, table->watermark->expression);
    }
    if (table->has_primary_key) {
        put(out, " key");
        put_identifiers(out, table->primary_key.count, table->primary_key.items);
    }
    if (table->partitioned_by.count) {
        put(out, " partitioned");
        put_identifiers(out, table->partitioned_by.count, table->partitioned_by.items);
    }
    if (table->like) {
        put(out, " like ");
        put_name(out, table->like);
        put_identifiers(out, table->like_options.count, table->like_options.items);
    }
}

void tree_text_statement(struct tree_text *out, const struct ast_statement *statement) {
    static const char *const KINDS[] = {
        "query", "insert",   "create-table", "create-view", "alter", "drop",          "set",
        "reset", "describe", "show",         "explain",     "use",   "statement-set", "other"};
    put(out, "%s", KINDS[statement->kind]);
    if (statement->text)
        put(out, " <%s>", statement->text);
    if (statement->object)
        put(out, " %s", statement->object);
    put(out, "%s%s%s%s%s%s", statement->or_replace ? " or-replace" : "",
        statement->temporary ? " temporary" : "", statement->if_not_exists ? " if-not-exists" : "",
        statement->if_exists ? " if-exists" : "", statement->overwrite ? " overwrite" : "",
        statement->analyze ? " analyze" : "");
    if (statement->name.part_count) {
        put(out, " ");
        put_name(out, &statement->name);
    }
    if (statement->column_names.count)
        put_identifiers(out, statement->column_names.count, statement->column_names.items);
    put_table_definition(out, statement);
    put_options(out, "options", statement->options.count, statement->options.items);
    put_options(out, "partition", statement->partition.count, statement->partition.items);
    if (statement->comment)
        put(out, " '%s'", statement->comment);
    if (statement->key)
        put(out, " key=%s", statement->key);
    if (statement->value)
        put(out, " value=%s", statement->value);
    if (statement->query) {
        put(out, ": ");
        tree_text_query(out, statement->query);
    }
    if (statement->query_text)
        put(out, " {%s}", statement->query_text);
    if (statement->inner) {
        put(out, ": ");
        tree_text_statement(out, statement->inner);
    }
    for (uint32_t i = 0; i < statement->statements.count; ++i) {
        put(out, i ? "; " : ": ");
        tree_text_statement(out, statement->statements.items[i]);
    }
}
