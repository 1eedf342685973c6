/*
 * CREATE TABLE ... LIKE: what the base table has is put into the tree of the new one, feature by
 * feature as the INCLUDING, EXCLUDING and OVERWRITING of the clause say.
 */
#include <string.h>

#include "engine/plan/table_entry.h"

enum like_strategy { LIKE_INCLUDING, LIKE_EXCLUDING, LIKE_OVERWRITING };

enum like_feature {
    LIKE_CONSTRAINTS,
    LIKE_GENERATED,
    LIKE_METADATA,
    LIKE_OPTIONS,
    LIKE_PARTITIONS,
    LIKE_WATERMARKS,
    LIKE_FEATURE_COUNT,
};

static const char *const feature_names[] = {"CONSTRAINTS", "GENERATED",  "METADATA",
                                            "OPTIONS",     "PARTITIONS", "WATERMARKS"};
static const char *const strategy_names[] = {"INCLUDING", "EXCLUDING", "OVERWRITING"};

/* "EXCLUDING OPTIONS" into its parts; *feature is LIKE_FEATURE_COUNT for ALL and for what only
 * tables without a file have. */
static void read_option(const char *text, enum like_strategy *strategy, enum like_feature *feature,
                        bool *is_all) {
    *strategy = LIKE_INCLUDING;
    for (int i = 0; i < 3; i++) {
        if (strncmp(text, strategy_names[i], strlen(strategy_names[i])) == 0)
            *strategy = (enum like_strategy)i;
    }
    const char *const blank = strchr(text, ' ');
    const char *const name = blank ? blank + 1 : text;
    *is_all = strcmp(name, "ALL") == 0;
    *feature = LIKE_CONSTRAINTS;
    while (*feature < LIKE_FEATURE_COUNT && strcmp(feature_names[*feature], name) != 0)
        (*feature)++;
}

static void read_strategies(const struct ast_statement *table, enum like_strategy *strategies) {
    enum like_strategy strategy;
    enum like_feature feature;
    bool is_all;
    for (int i = 0; i < LIKE_FEATURE_COUNT; i++)
        strategies[i] = i == LIKE_OPTIONS ? LIKE_OVERWRITING : LIKE_INCLUDING;
    for (uint32_t i = 0; i < table->like_options.count; i++) {
        read_option(table->like_options.items[i]->text, &strategy, &feature, &is_all);
        for (int k = 0; is_all && k < LIKE_FEATURE_COUNT; k++)
            strategies[k] = strategy;
    }
    for (uint32_t i = 0; i < table->like_options.count; i++) {
        read_option(table->like_options.items[i]->text, &strategy, &feature, &is_all);
        if (feature < LIKE_FEATURE_COUNT)
            strategies[feature] = strategy;
    }
}

static enum oriel_status exists_in_base(const struct ast_statement *table, const char *what,
                                        enum like_feature feature, struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_INVALID, table->position,
                          "The base table of LIKE already has %s; you might want to specify "
                          "EXCLUDING %s",
                          what, feature_names[feature]);
}

static bool takes_column(const struct ast_column_definition *column,
                         const enum like_strategy *strategies) {
    if (column->kind == AST_COLUMN_COMPUTED)
        return strategies[LIKE_GENERATED] != LIKE_EXCLUDING;
    if (column->kind == AST_COLUMN_METADATA)
        return strategies[LIKE_METADATA] != LIKE_EXCLUDING;
    return true;
}

/* Whether the new table's column replaces one of the base of the same name. */
static bool replaces(const struct ast_column_definition *column,
                     const struct ast_column_definition *base,
                     const enum like_strategy *strategies) {
    if (column->kind != base->kind)
        return false;
    return (column->kind == AST_COLUMN_COMPUTED &&
            strategies[LIKE_GENERATED] == LIKE_OVERWRITING) ||
           (column->kind == AST_COLUMN_METADATA && strategies[LIKE_METADATA] == LIKE_OVERWRITING);
}

static enum oriel_status add_column(struct ast_column_definition **merged, uint32_t *count,
                                    uint32_t base_count, struct ast_column_definition *column,
                                    const enum like_strategy *strategies,
                                    struct oriel_error *error) {
    for (uint32_t i = 0; i < base_count; i++) {
        if (strcmp(merged[i]->name.text, column->name.text) != 0)
            continue;
        if (!replaces(column, merged[i], strategies))
            return oriel_error_at(error, ORIEL_INVALID, column->name.position,
                                  "A column named '%s' already exists in the base table",
                                  column->name.text);
        merged[i] = column;
        return ORIEL_OK;
    }
    merged[(*count)++] = column;
    return ORIEL_OK;
}

/* The columns of the base, then those of the new table. */
static enum oriel_status merge_columns(struct oriel_arena *arena, const struct ast_statement *base,
                                       struct ast_statement *table,
                                       const enum like_strategy *strategies,
                                       struct oriel_error *error) {
    struct ast_column_definition **const merged = oriel_arena_allocate_zeroed(
        arena, (size_t)base->columns.count + table->columns.count + 1, sizeof *merged);
    if (!merged)
        return oriel_error_memory(error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < base->columns.count; i++) {
        struct ast_column_definition *const column = base->columns.items[i];
        if (!takes_column(column, strategies))
            continue;
        if (strategies[LIKE_CONSTRAINTS] == LIKE_EXCLUDING)
            column->primary_key = false;
        merged[count++] = column;
    }
    const uint32_t base_count = count;
    for (uint32_t i = 0; i < table->columns.count; i++)
        ORIEL_TRY(
            add_column(merged, &count, base_count, table->columns.items[i], strategies, error));
    table->columns.count = count;
    table->columns.items = merged;
    return ORIEL_OK;
}

static enum oriel_status merge_options(struct oriel_arena *arena, const struct ast_statement *base,
                                       struct ast_statement *table, enum like_strategy strategy,
                                       struct oriel_error *error) {
    if (strategy == LIKE_EXCLUDING)
        return ORIEL_OK;
    struct ast_option **const merged = oriel_arena_allocate_zeroed(
        arena, (size_t)base->options.count + table->options.count + 1, sizeof *merged);
    if (!merged)
        return oriel_error_memory(error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < base->options.count; i++)
        merged[count++] = base->options.items[i];
    for (uint32_t i = 0; i < table->options.count; i++) {
        struct ast_option *const option = table->options.items[i];
        uint32_t place = 0;
        while (place < base->options.count && strcmp(merged[place]->key, option->key) != 0)
            place++;
        if (place < base->options.count && strategy == LIKE_INCLUDING)
            return oriel_error_at(
                error, ORIEL_INVALID, option->position,
                "There already exists an option '%s' in the base table; you might "
                "want to specify EXCLUDING OPTIONS or OVERWRITING OPTIONS",
                option->key);
        if (place < base->options.count)
            merged[place] = option;
        else
            merged[count++] = option;
    }
    table->options.count = count;
    table->options.items = merged;
    return ORIEL_OK;
}

static enum oriel_status merge_watermark(const struct ast_statement *base,
                                         struct ast_statement *table, enum like_strategy strategy,
                                         struct oriel_error *error) {
    if (!base->watermark || strategy == LIKE_EXCLUDING)
        return ORIEL_OK;
    if (!table->watermark) {
        table->watermark = base->watermark;
        table->watermark_count = base->watermark_count;
        return ORIEL_OK;
    }
    if (strategy == LIKE_OVERWRITING)
        return ORIEL_OK;
    return exists_in_base(table, "a watermark", LIKE_WATERMARKS, error);
}

static bool has_key(const struct ast_statement *statement) {
    for (uint32_t i = 0; i < statement->columns.count; i++) {
        if (statement->columns.items[i]->primary_key)
            return true;
    }
    return statement->primary_key.count > 0;
}

enum oriel_status oriel_table_merge_like(struct oriel_arena *arena,
                                         const struct ast_statement *base,
                                         struct ast_statement *table, struct oriel_error *error) {
    enum like_strategy strategies[LIKE_FEATURE_COUNT];
    read_strategies(table, strategies);
    const bool takes_key = strategies[LIKE_CONSTRAINTS] != LIKE_EXCLUDING && has_key(base);
    if (takes_key && has_key(table))
        return exists_in_base(table, "a primary key", LIKE_CONSTRAINTS, error);
    if (takes_key) {
        table->primary_key.count = base->primary_key.count;
        table->primary_key.items = base->primary_key.items;
        table->has_primary_key = base->has_primary_key;
        table->primary_key_enforced = base->primary_key_enforced;
    }
    ORIEL_TRY(merge_columns(arena, base, table, strategies, error));
    ORIEL_TRY(merge_options(arena, base, table, strategies[LIKE_OPTIONS], error));
    ORIEL_TRY(merge_watermark(base, table, strategies[LIKE_WATERMARKS], error));
    if (base->partitioned_by.count && strategies[LIKE_PARTITIONS] != LIKE_EXCLUDING) {
        if (table->partitioned_by.count)
            return exists_in_base(table, "partitions", LIKE_PARTITIONS, error);
        table->partitioned_by.count = base->partitioned_by.count;
        table->partitioned_by.items = base->partitioned_by.items;
    }
    table->like = NULL;
    return ORIEL_OK;
}
