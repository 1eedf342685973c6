/*
 * Looks at the parts of an AND or OR that compare a column with a constant. Bounds are in whole
 * milliseconds and inclusive, so a row group may be read in vain, but none is missed.
 */
#include "engine/api/scan_bounds.h"

#include <string.h>

#include "engine/functions/function.h"

static const int64_t ns_per_ms = 1000000;

/* Milliseconds of a constant, rounded down; false for NULL and what is out of range. */
static bool constant_ms(const struct oriel_expression *expression, int64_t *out) {
    const struct oriel_column *constant = &expression->constant;
    if (expression->kind != ORIEL_EXPRESSION_CONSTANT ||
        !oriel_type_is_timestamp(&constant->type) || oriel_column_is_null(constant, 0))
        return false;
    if (oriel_type_physical(&constant->type) == ORIEL_PHYSICAL_I64) {
        *out = *(const int64_t *)constant->values;
        return true;
    }
    const oriel_i128 ns = *(const oriel_i128 *)constant->values;
    const oriel_i128 ms = ns / ns_per_ms - (ns % ns_per_ms < 0);
    *out = (int64_t)ms;
    return ms == *out;
}

/* The operator seen from the other side. */
static char turned(char sign) {
    return sign == '<' ? '>' : sign == '>' ? '<' : sign;
}

static void narrow(const struct oriel_expression *condition, const struct oriel_csv_column *columns,
                   uint32_t column_count, struct oriel_arrow_bounds *bounds);

/* Rows satisfy one part of an OR: the bounds reach from the lowest to the highest of all parts. */
static void narrow_either(const struct oriel_expression *condition,
                          const struct oriel_csv_column *columns, uint32_t column_count,
                          struct oriel_arrow_bounds *bounds) {
    int64_t low_ms = INT64_MAX, high_ms = INT64_MIN;
    for (uint32_t i = 0; i < condition->argument_count; i++) {
        struct oriel_arrow_bounds part = {bounds->field, INT64_MIN, INT64_MAX};
        narrow(condition->arguments[i], columns, column_count, &part);
        low_ms = part.low_ms < low_ms ? part.low_ms : low_ms;
        high_ms = part.high_ms > high_ms ? part.high_ms : high_ms;
    }
    if (low_ms > bounds->low_ms)
        bounds->low_ms = low_ms;
    if (high_ms < bounds->high_ms)
        bounds->high_ms = high_ms;
}

/* Narrows the bounds of `field` by one condition that holds for all rows. */
static void narrow(const struct oriel_expression *condition, const struct oriel_csv_column *columns,
                   uint32_t column_count, struct oriel_arrow_bounds *bounds) {
    if (condition->kind == ORIEL_EXPRESSION_AND) {
        for (uint32_t i = 0; i < condition->argument_count; i++)
            narrow(condition->arguments[i], columns, column_count, bounds);
        return;
    }
    if (condition->kind == ORIEL_EXPRESSION_OR && condition->argument_count)
        narrow_either(condition, columns, column_count, bounds);
    if (condition->kind != ORIEL_EXPRESSION_CALL || condition->argument_count != 2)
        return;
    static const char *const operators[] = {"<", "<=", ">", ">=", "="};
    const char *name = condition->call->function->name;
    bool is_comparison = false;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        is_comparison |= strcmp(name, operators[i]) == 0;
    const bool is_turned = condition->arguments[1]->kind == ORIEL_EXPRESSION_COLUMN;
    const struct oriel_expression *column = condition->arguments[is_turned];
    const char sign = is_turned ? turned(name[0]) : name[0];
    int64_t ms;
    if (!is_comparison || column->kind != ORIEL_EXPRESSION_COLUMN ||
        column->type.id != condition->arguments[!is_turned]->type.id ||
        column->column >= column_count || columns[column->column].kind != ORIEL_CSV_FIELD ||
        (int32_t)columns[column->column].field != bounds->field ||
        !constant_ms(condition->arguments[!is_turned], &ms))
        return;
    if (sign != '<' && ms > bounds->low_ms)
        bounds->low_ms = ms;
    if (sign != '>' && ms < bounds->high_ms)
        bounds->high_ms = ms;
}

static struct oriel_arrow_bounds bounds_of(const struct oriel_plan *scan,
                                           const struct oriel_csv_column *columns, int32_t field) {
    struct oriel_arrow_bounds bounds = {field, INT64_MIN, INT64_MAX};
    narrow(scan->scan.condition, columns, scan->schema.field_count, &bounds);
    if (bounds.low_ms == INT64_MIN && bounds.high_ms == INT64_MAX)
        bounds.field = -1;
    return bounds;
}

struct oriel_arrow_bounds oriel_scan_bounds_find(const struct oriel_plan *scan,
                                                 const struct oriel_csv_column *columns,
                                                 int32_t rowtime) {
    struct oriel_arrow_bounds bounds = {.field = -1};
    if (!scan->scan.condition)
        return bounds;
    if (rowtime >= 0)
        bounds = bounds_of(scan, columns, rowtime);
    for (uint32_t i = 0; i < scan->schema.field_count && bounds.field < 0; i++) {
        if (columns[i].kind == ORIEL_CSV_FIELD &&
            oriel_type_is_timestamp(&scan->schema.fields[i].type))
            bounds = bounds_of(scan, columns, (int32_t)columns[i].field);
    }
    return bounds;
}
