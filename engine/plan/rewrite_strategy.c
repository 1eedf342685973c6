/*
 * The last rewrite: writes at each node which strategies it runs with, and why in a few words.
 * Operators follow the choice, EXPLAIN prints it. What depends on the rows stays AUTO here, with a
 * reason that says on what; EXPLAIN ANALYZE then reports what the operator did.
 */
#include "engine/plan/join_range.h"
#include "engine/plan/plan_order.h"
#include "engine/plan/rewrite.h"

/* Rows that a window's bounded heaps may keep; beyond, they come to hold most rows of windows of
 * ordinary size, and sorting is cheaper (./dev bench strategies --what topn). */
enum { HEAP_RANK_MAX = 1 << 13 };

static enum oriel_status note(struct binder *b, struct oriel_plan *plan,
                              enum oriel_strategy_topic topic, enum oriel_strategy strategy,
                              const char *reason) {
    plan->choices[topic] = (struct oriel_choice){strategy, reason};
    return reason ? ORIEL_OK : oriel_bind_memory(b);
}

static const char *duration(struct binder *b, int64_t ms) {
    static const struct {
        int64_t ms;
        const char *name;
    } units[] = {{86400000, "d"}, {3600000, "h"}, {60000, "min"}, {1000, "s"}, {1, "ms"}};
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && ms % units[u].ms)
        u++;
    return oriel_arena_print(b->arena, "%lld %s", (long long)(ms / units[u].ms), units[u].name);
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Why slices: what the windows of an aggregation share. */
static const char *slices_reason(struct binder *b, const struct oriel_window *window) {
    const char *size = duration(b, window->size_ms), *step = duration(b, window->slide_ms);
    switch (window->kind) {
    case ORIEL_WINDOW_TUMBLE:
        return size ? oriel_arena_print(b->arena, "each window is one slice of %s", size) : NULL;
    case ORIEL_WINDOW_HOP: {
        const char *slice = duration(b, common_divisor(window->size_ms, window->slide_ms));
        return size && step && slice ? oriel_arena_print(b->arena, "HOP %s / %s share slices of %s",
                                                         step, size, slice)
                                     : NULL;
    }
    case ORIEL_WINDOW_CUMULATE:
        return size && step ? oriel_arena_print(b->arena, "CUMULATE %s / %s add up slices of %s",
                                                step, size, step)
                            : NULL;
    case ORIEL_WINDOW_SESSION: break;
    }
    return "rows are added to the open session of their key";
}

static enum oriel_status choose_windows(struct binder *b, struct oriel_plan *plan) {
    const struct oriel_window *const window = plan->aggregate.window;
    const bool overlap = window->kind == ORIEL_WINDOW_HOP || window->kind == ORIEL_WINDOW_CUMULATE;
    if (overlap && b->runtime->forced[ORIEL_TOPIC_WINDOW] == ORIEL_STRATEGY_COPIES)
        return note(b, plan, ORIEL_TOPIC_WINDOW, ORIEL_STRATEGY_COPIES, "by the setting");
    return note(b, plan, ORIEL_TOPIC_WINDOW, ORIEL_STRATEGY_SLICES, slices_reason(b, window));
}

static enum oriel_status choose_sessions(struct binder *b, struct oriel_plan *plan) {
    const enum oriel_strategy forced = b->runtime->forced[ORIEL_TOPIC_SESSION];
    if (forced != ORIEL_STRATEGY_AUTO)
        return note(b, plan, ORIEL_TOPIC_SESSION, forced, "by the setting");
    return note(b, plan, ORIEL_TOPIC_SESSION, ORIEL_STRATEGY_ORDERED,
                "one pass while time ascends; only parts of sessions are merged by key");
}

/* Whether the windows of the aggregation are put together from one slice each, with a key. */
static bool may_radix(const struct oriel_plan *plan) {
    const struct oriel_window *const window = plan->aggregate.window;
    return window && plan->aggregate.set_count <= 1 &&
           (window->kind == ORIEL_WINDOW_TUMBLE ||
            plan->choices[ORIEL_TOPIC_WINDOW].strategy == ORIEL_STRATEGY_COPIES);
}

static enum oriel_status choose_aggregate(struct binder *b, struct oriel_plan *plan) {
    const struct oriel_window *const window = plan->aggregate.window;
    const enum oriel_strategy forced = b->runtime->forced[ORIEL_TOPIC_AGGREGATE];
    if (window)
        ORIEL_TRY(choose_windows(b, plan));
    if (window && window->kind == ORIEL_WINDOW_SESSION)
        return choose_sessions(b, plan);
    bool has_column = false;
    for (uint32_t k = 0; k < plan->aggregate.key_count; k++)
        has_column |= plan->aggregate.keys[k].kind == ORIEL_KEY_COLUMN;
    if (!has_column)
        return note(b, plan, ORIEL_TOPIC_AGGREGATE, ORIEL_STRATEGY_DENSE,
                    window ? "one group a slice" : "one group");
    if (forced != ORIEL_STRATEGY_AUTO && (forced != ORIEL_STRATEGY_RADIX || may_radix(plan)))
        return note(b, plan, ORIEL_TOPIC_AGGREGATE, forced, "by the setting");
    if (!window)
        return note(b, plan, ORIEL_TOPIC_AGGREGATE, ORIEL_STRATEGY_DENSE,
                    "a place for each key, since there is but one slice");
    return note(b, plan, ORIEL_TOPIC_AGGREGATE, ORIEL_STRATEGY_AUTO,
                may_radix(plan) ? "dense while keys are few in each slice, else radix"
                                : "dense while keys are few in each slice, else hash");
}

static enum oriel_status choose_join(struct binder *b, struct oriel_plan *plan) {
    struct oriel_join_order order;
    struct oriel_join_ranges ranges;
    const enum oriel_strategy forced = b->runtime->forced[ORIEL_TOPIC_JOIN];
    ORIEL_TRY(oriel_plan_find_join_order(plan, b->arena, &order, b->error));
    ORIEL_TRY(oriel_plan_find_join_ranges(plan, b->arena, &ranges, b->error));
    if (forced == ORIEL_STRATEGY_HASH)
        return note(b, plan, ORIEL_TOPIC_JOIN, ORIEL_STRATEGY_HASH, "by the setting");
    if (order.key_count)
        return note(b, plan, ORIEL_TOPIC_JOIN, ORIEL_STRATEGY_SORT,
                    "both sides come in the order of the keys, so they are merged");
    if (plan->join.null_aware)
        return note(b, plan, ORIEL_TOPIC_JOIN, ORIEL_STRATEGY_HASH,
                    "NOT IN looks at the groups of the other keys");
    if (ranges.count)
        return note(b, plan, ORIEL_TOPIC_JOIN, ORIEL_STRATEGY_HASH,
                    plan->join.key_count
                        ? "both sides are partitioned by the keys, whose rows are searched by range"
                        : "no keys, so rows are searched by range alone");
    if (forced == ORIEL_STRATEGY_SORT && plan->join.key_count)
        return note(b, plan, ORIEL_TOPIC_JOIN, ORIEL_STRATEGY_SORT,
                    "by the setting; both sides are partitioned and sorted by the keys");
    return note(b, plan, ORIEL_TOPIC_JOIN, ORIEL_STRATEGY_HASH,
                plan->join.key_count ? "both sides are partitioned by the keys"
                                     : "no keys, so each row meets each");
}

static enum oriel_status choose_rank(struct binder *b, struct oriel_plan *plan) {
    if (b->runtime->forced[ORIEL_TOPIC_TOPN] == ORIEL_STRATEGY_SORT)
        return note(b, plan, ORIEL_TOPIC_TOPN, ORIEL_STRATEGY_SORT, "by the setting");
    if (plan->rank.function != ORIEL_RANK_ROW_NUMBER)
        return note(b, plan, ORIEL_TOPIC_TOPN, ORIEL_STRATEGY_SORT,
                    "equal rows share a rank, so all are kept");
    if (plan->rank.high > HEAP_RANK_MAX)
        return note(b, plan, ORIEL_TOPIC_TOPN, ORIEL_STRATEGY_SORT,
                    plan->rank.high == INT64_MAX ? "no upper bound" : "many rows a partition");
    return note(b, plan, ORIEL_TOPIC_TOPN, ORIEL_STRATEGY_HEAP,
                oriel_arena_print(b->arena,
                                  "rows beyond the first %lld of a partition are dropped "
                                  "as they come",
                                  (long long)plan->rank.high));
}

static enum oriel_status choose(struct binder *b, struct oriel_plan *plan) {
    switch (plan->kind) {
    case ORIEL_PLAN_WINDOW:
        if (plan->window.window.kind == ORIEL_WINDOW_SESSION)
            return note(b, plan, ORIEL_TOPIC_SESSION, ORIEL_STRATEGY_SORT,
                        "rows are wanted, so each key is sorted by time");
        return note(b, plan, ORIEL_TOPIC_WINDOW, ORIEL_STRATEGY_COPIES,
                    "rows with their windows are wanted");
    case ORIEL_PLAN_AGGREGATE: return choose_aggregate(b, plan);
    case ORIEL_PLAN_RANK: return choose_rank(b, plan);
    case ORIEL_PLAN_JOIN: return choose_join(b, plan);
    default: return ORIEL_OK;
    }
}

enum oriel_status oriel_rewrite_strategies(struct binder *b, struct oriel_plan *plan) {
    for (uint32_t i = 0; i < plan->input_count; i++)
        ORIEL_TRY(oriel_rewrite_strategies(b, plan->inputs[i]));
    return choose(b, plan);
}
