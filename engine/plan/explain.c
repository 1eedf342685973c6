/*
 * EXPLAIN: the plan as an indented tree, one node a line, with what decides how it runs. The unit
 * tests of the binder compare these texts.
 */
#include <inttypes.h>
#include <string.h>

#include "engine/columns/value_text.h"
#include "engine/functions/function.h"
#include "engine/plan/binder.h"
#include "engine/plan/explain_text.h"

void oriel_explain_window(struct explain *e, const struct oriel_window *window,
                          const struct oriel_schema *input) {
    static const char *const names[] = {"TUMBLE", "HOP", "CUMULATE", "SESSION"};
    oriel_explain_print(e, "%s(%s", names[window->kind],
                        oriel_explain_name(input, window->time_column));
    if (window->kind == ORIEL_WINDOW_SESSION)
        oriel_explain_print(e, ", gap %" PRId64 " ms", window->size_ms);
    else
        oriel_explain_print(e, ", size %" PRId64 " ms", window->size_ms);
    if (window->kind == ORIEL_WINDOW_HOP)
        oriel_explain_print(e, ", slide %" PRId64 " ms", window->slide_ms);
    if (window->kind == ORIEL_WINDOW_CUMULATE)
        oriel_explain_print(e, ", step %" PRId64 " ms", window->slide_ms);
    if (window->offset_ms)
        oriel_explain_print(e, ", offset %" PRId64 " ms", window->offset_ms);
    if (window->key_count) {
        oriel_explain_print(e, ", partition by ");
        oriel_explain_columns(e, input, window->keys, window->key_count);
    }
    oriel_explain_print(e, ")%s", window->drop_null_time ? " without NULL times" : "");
}

static void print_key(struct explain *e, const struct oriel_plan *plan, uint32_t index) {
    const struct oriel_key *const key = &plan->aggregate.keys[index];
    switch (key->kind) {
    case ORIEL_KEY_COLUMN:
        oriel_explain_print(e, "%s", oriel_explain_name(&plan->inputs[0]->schema, key->column));
        return;
    case ORIEL_KEY_WINDOW_START: oriel_explain_print(e, "window_start"); return;
    case ORIEL_KEY_WINDOW_END: oriel_explain_print(e, "window_end"); return;
    case ORIEL_KEY_WINDOW_TIME: oriel_explain_print(e, "window_time"); return;
    }
}

static void print_sets(struct explain *e, const struct oriel_plan *plan) {
    oriel_explain_print(e, ", sets [");
    for (uint32_t s = 0; s < plan->aggregate.set_count; s++) {
        bool is_first = true;
        oriel_explain_print(e, "%s(", s ? ", " : "");
        for (uint32_t k = 0; k < plan->aggregate.key_count; k++) {
            if (!(plan->aggregate.sets[s] >> k & 1))
                continue;
            oriel_explain_print(e, "%s", is_first ? "" : ", ");
            print_key(e, plan, k);
            is_first = false;
        }
        oriel_explain_print(e, ")");
    }
    oriel_explain_print(e, "]%s", plan->aggregate.grouping_id ? " with grouping id" : "");
}

static void print_aggregate(struct explain *e, const struct oriel_plan *plan) {
    const struct oriel_schema *const input = &plan->inputs[0]->schema;
    oriel_explain_print(e, "%s: keys [", plan->aggregate.window ? "WindowAggregate" : "Aggregate");
    for (uint32_t k = 0; k < plan->aggregate.key_count; k++) {
        oriel_explain_print(e, "%s", k ? ", " : "");
        print_key(e, plan, k);
    }
    oriel_explain_print(e, "], aggregates [");
    for (uint32_t i = 0; i < plan->aggregate.aggregate_count; i++) {
        const struct oriel_aggregate_call *const call = &plan->aggregate.aggregates[i];
        oriel_explain_print(e, "%s%s(%s", i ? ", " : "", call->function->name,
                            call->distinct ? "DISTINCT " : "");
        if (call->argument_count)
            oriel_explain_columns(e, input, call->arguments, call->argument_count);
        else
            oriel_explain_print(e, "*");
        oriel_explain_print(e, ")");
        if (call->filter >= 0)
            oriel_explain_print(e, " filter %s", oriel_explain_name(input, (uint32_t)call->filter));
    }
    oriel_explain_print(e, "]");
    if (plan->aggregate.set_count != 1)
        print_sets(e, plan);
    oriel_explain_print(e, ", order [");
    for (uint32_t i = 0; i < plan->aggregate.order_count; i++) {
        oriel_explain_print(e, "%s", i ? ", " : "");
        print_key(e, plan, plan->aggregate.order[i]);
    }
    oriel_explain_print(e, "]");
    if (plan->aggregate.window) {
        oriel_explain_print(e, ", window ");
        oriel_explain_window(e, plan->aggregate.window, input);
    }
}

static void print_rank(struct explain *e, const struct oriel_plan *plan) {
    static const char *const names[] = {"ROW_NUMBER", "RANK", "DENSE_RANK"};
    const struct oriel_schema *const input = &plan->inputs[0]->schema;
    oriel_explain_print(e, "Rank: %s", names[plan->rank.function]);
    if (plan->rank.high == INT64_MAX)
        oriel_explain_print(e, " from %" PRId64, plan->rank.low);
    else
        oriel_explain_print(e, " %" PRId64 "..%" PRId64, plan->rank.low, plan->rank.high);
    oriel_explain_print(e, ", partition by [");
    oriel_explain_columns(e, input, plan->rank.partition, plan->rank.partition_count);
    oriel_explain_print(e, "], by [");
    oriel_explain_items(e, input, plan->rank.items, plan->rank.item_count);
    oriel_explain_print(e, "]%s", plan->rank.last_of_equals ? ", last of equals" : "");
}

static void print_over(struct explain *e, const struct oriel_plan *plan) {
    const struct oriel_schema *const input = &plan->inputs[0]->schema;
    const struct oriel_over_call *const call = &plan->over.calls[0];
    static const char *const names[] = {
        [ORIEL_OVER_LAG] = "LAG",
        [ORIEL_OVER_NTILE] = "NTILE",
        [ORIEL_OVER_PERCENT_RANK] = "PERCENT_RANK",
        [ORIEL_OVER_CUME_DIST] = "CUME_DIST",
    };
    const bool is_aggregate = call->function == ORIEL_OVER_AGGREGATE;
    oriel_explain_print(e, "Over: %s(%s",
                        is_aggregate ? call->aggregate.function->name : names[call->function],
                        call->aggregate.distinct ? "DISTINCT " : "");
    oriel_explain_columns(e, input, call->aggregate.arguments, call->aggregate.argument_count);
    if (is_aggregate)
        oriel_explain_print(e, "), %s frame", call->range ? "RANGE" : "ROWS");
    else if (call->number)
        oriel_explain_print(e, "), %" PRId64, call->number);
    else
        oriel_explain_print(e, ")");
    oriel_explain_print(e, ", partition by [");
    oriel_explain_columns(e, input, plan->over.partition, plan->over.partition_count);
    oriel_explain_print(e, "], by [");
    oriel_explain_items(e, input, plan->over.items, plan->over.item_count);
    oriel_explain_print(e, "]");
}

static void print_join(struct explain *e, const struct oriel_plan *plan) {
    static const char *const names[] = {"Inner", "Left", "Right", "Full", "Semi", "Anti"};
    oriel_explain_print(e, "Join: %s, keys [", names[plan->join.kind]);
    for (uint32_t i = 0; i < plan->join.key_count; i++)
        oriel_explain_print(e, "%s%s %s %s", i ? ", " : "",
                            oriel_explain_name(&plan->inputs[0]->schema, plan->join.left_keys[i]),
                            plan->join.null_matches[i] ? "IS NOT DISTINCT FROM" : "=",
                            oriel_explain_name(&plan->inputs[1]->schema, plan->join.right_keys[i]));
    oriel_explain_print(e, "]%s%s", plan->join.order_count ? ", window by window" : "",
                        plan->join.null_aware ? ", null aware" : "");
    if (!plan->join.residual)
        return;
    /* The condition sees both sides, also in a semi join. */
    const struct oriel_schema left = plan->inputs[0]->schema, right = plan->inputs[1]->schema;
    struct oriel_field *const fields = oriel_arena_allocate_zeroed(
        e->arena, (size_t)left.field_count + right.field_count + 1, sizeof *fields);
    if (!fields) {
        e->failed = true;
        return;
    }
    memcpy(fields, left.fields, left.field_count * sizeof *fields);
    if (right.field_count)
        memcpy(fields + left.field_count, right.fields, right.field_count * sizeof *fields);
    const struct oriel_schema both = {left.field_count + right.field_count, fields};
    oriel_explain_print(e, ", and ");
    oriel_explain_expression(e, &both, plan->join.residual);
}

static void print_node(struct explain *e, const struct oriel_plan *plan) {
    const struct oriel_schema *const input =
        plan->input_count ? &plan->inputs[0]->schema : &plan->schema;
    switch (plan->kind) {
    case ORIEL_PLAN_SCAN:
        oriel_explain_print(e, "Scan: %s [", plan->scan.table->name);
        for (uint32_t i = 0; i < plan->schema.field_count; i++)
            oriel_explain_print(e, "%s%s", i ? ", " : "",
                                plan->scan.table->schema.fields[plan->scan.columns[i]].name);
        oriel_explain_print(e, "]");
        return;
    case ORIEL_PLAN_VALUES:
        oriel_explain_print(e, "Values: %u rows, %u columns", plan->values.row_count,
                            plan->schema.field_count);
        return;
    case ORIEL_PLAN_FILTER:
        oriel_explain_print(e, "Filter: ");
        oriel_explain_expression(e, input, plan->filter.condition);
        return;
    case ORIEL_PLAN_PROJECT:
        oriel_explain_print(e, "Project: [");
        for (uint32_t i = 0; i < plan->schema.field_count; i++) {
            oriel_explain_print(e, "%s", i ? ", " : "");
            oriel_explain_expression(e, input, plan->project.expressions[i]);
        }
        oriel_explain_print(e, "]");
        return;
    case ORIEL_PLAN_WINDOW:
        oriel_explain_print(e, "Window: ");
        oriel_explain_window(e, &plan->window.window, input);
        return;
    case ORIEL_PLAN_AGGREGATE: print_aggregate(e, plan); return;
    case ORIEL_PLAN_RANK: print_rank(e, plan); return;
    case ORIEL_PLAN_OVER: print_over(e, plan); return;
    case ORIEL_PLAN_UNNEST:
        oriel_explain_print(e, "Unnest: %s%s%s",
                            oriel_explain_name(&plan->inputs[0]->schema, plan->unnest.column),
                            plan->unnest.ordinality ? ", with ordinality" : "",
                            plan->unnest.outer ? ", outer" : "");
        return;
    case ORIEL_PLAN_SORT:
        oriel_explain_print(e, "Sort: [");
        oriel_explain_items(e, input, plan->sort.items, plan->sort.item_count);
        oriel_explain_print(e, "]");
        if (plan->sort.limit != INT64_MAX)
            oriel_explain_print(e, ", first %" PRId64, plan->sort.limit);
        return;
    case ORIEL_PLAN_LIMIT:
        oriel_explain_print(e, "Limit:");
        if (plan->limit.limit != INT64_MAX)
            oriel_explain_print(e, " %" PRId64 " rows", plan->limit.limit);
        if (plan->limit.offset)
            oriel_explain_print(e, " after %" PRId64, plan->limit.offset);
        return;
    case ORIEL_PLAN_JOIN: print_join(e, plan); return;
    case ORIEL_PLAN_UNION: oriel_explain_print(e, "Union: %u inputs", plan->input_count); return;
    }
}

static void indent(struct explain *e, unsigned level) {
    for (unsigned i = 0; i < level; i++)
        oriel_explain_print(e, "  ");
}

/* A line for each strategy: "- join hash: ...". */
static void print_choices(struct explain *e, const struct oriel_plan *plan, unsigned level) {
    for (unsigned t = 0; t < ORIEL_TOPIC_COUNT; t++) {
        const struct oriel_choice *const choice = &plan->choices[t];
        if (!choice->reason)
            continue;
        const char *const key = oriel_strategy_key((enum oriel_strategy_topic)t);
        const bool is_open = choice->strategy == ORIEL_STRATEGY_AUTO;
        indent(e, level);
        oriel_explain_print(e, "- %s%s%s: %s\n", strrchr(key, '.') + 1, is_open ? "" : " ",
                            is_open ? "" : oriel_strategy_name(choice->strategy), choice->reason);
    }
}

static void print_details(struct explain *e, const struct oriel_plan *plan, unsigned level) {
    const struct oriel_explain_details *const details = e->details;
    print_choices(e, plan, level);
    for (uint32_t line = 0; details->print && !e->failed; line++) {
        const size_t begin = e->text.length;
        bool printed = false;
        indent(e, level);
        if (!e->failed &&
            details->print(details->context, plan, line, &e->text, &printed) != ORIEL_OK)
            e->failed = true;
        if (!printed) {
            e->text.length = begin;
            return;
        }
        oriel_explain_print(e, "\n");
    }
}

static void print_tree(struct explain *e, const struct oriel_plan *plan, unsigned level) {
    indent(e, level);
    print_node(e, plan);
    oriel_explain_print(e, "\n");
    if (e->details)
        print_details(e, plan, level + 1);
    for (uint32_t i = 0; i < plan->input_count && !e->failed; i++)
        print_tree(e, plan->inputs[i], level + 1);
}

const char *oriel_plan_explain(const struct oriel_plan *plan, unsigned level,
                               const struct oriel_explain_details *details,
                               struct oriel_arena *arena) {
    struct explain e = {.arena = arena, .details = details};
    oriel_text_buffer_init(&e.text, arena->memory);
    print_tree(&e, plan, level);
    const char *const out = e.failed ? NULL : oriel_arena_copy(arena, e.text.bytes, e.text.length);
    oriel_text_buffer_deinit(&e.text);
    return out;
}
