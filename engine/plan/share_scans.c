/*
 * SCANs that can share are listed, those of one table are put into groups, and each group of two or
 * more gets a SCAN of the columns of all. The conditions of all are kept as one, so that a source
 * may still leave out what nobody wants.
 */
#include "engine/plan/share_scans.h"

#include <string.h>

#include "engine/plan/expression_tree.h"

enum place {
    PLACE_ALONE,   /* rows are wanted in their order, or not all */
    PLACE_RESULT,  /* they go to a result that takes them as they come */
    PLACE_BREAKER, /* they go to a breaker */
};

struct candidate {
    struct oriel_plan *scan;
    struct candidate *next;
};

struct search {
    struct oriel_arena *arena;
    bool same_columns;
    struct candidate *first, **last;
    struct oriel_error *error;
};

static enum oriel_status find(struct search *search, struct oriel_plan *plan, enum place place) {
    switch (plan->kind) {
    case ORIEL_PLAN_SCAN: {
        plan->scan.shared = NULL;
        if (place == PLACE_ALONE || plan->scan.watches) /* late rows are counted for each */
            return ORIEL_OK;
        struct candidate *own = oriel_arena_allocate_zeroed(search->arena, 1, sizeof *own);
        if (!own)
            return oriel_error_memory(search->error);
        own->scan = plan;
        *search->last = own;
        search->last = &own->next;
        return ORIEL_OK;
    }
    case ORIEL_PLAN_VALUES: return ORIEL_OK;
    case ORIEL_PLAN_FILTER:
    case ORIEL_PLAN_UNNEST:
    case ORIEL_PLAN_PROJECT: break;
    case ORIEL_PLAN_WINDOW:
        if (plan->window.window.kind == ORIEL_WINDOW_SESSION)
            place = PLACE_BREAKER;
        break;
    case ORIEL_PLAN_UNION:
        if (place != PLACE_BREAKER)
            place = PLACE_ALONE;
        break;
    case ORIEL_PLAN_LIMIT:
    case ORIEL_PLAN_JOIN: place = PLACE_ALONE; break;
    case ORIEL_PLAN_AGGREGATE:
        if (plan->aggregate.states) /* made before: its input is not read */
            return ORIEL_OK;
        place = PLACE_BREAKER;
        break;
    case ORIEL_PLAN_RANK:
    case ORIEL_PLAN_OVER:
    case ORIEL_PLAN_SORT: place = PLACE_BREAKER; break;
    }
    for (uint32_t i = 0; i < plan->input_count; i++)
        ORIEL_TRY(find(search, plan->inputs[i], place));
    return ORIEL_OK;
}

static bool same_hints(const struct oriel_plan *a, const struct oriel_plan *b) {
    if (a->scan.hint_count != b->scan.hint_count)
        return false;
    for (uint32_t i = 0; i < a->scan.hint_count; i++) {
        if (strcmp(a->scan.hints[i]->key, b->scan.hints[i]->key) != 0 ||
            strcmp(a->scan.hints[i]->value, b->scan.hints[i]->value) != 0)
            return false;
    }
    return true;
}

static bool same_columns(const struct oriel_plan *a, const struct oriel_plan *b) {
    const size_t count = a->schema.field_count;
    return count == b->schema.field_count &&
           (count == 0 ||
            memcmp(a->scan.columns, b->scan.columns, count * sizeof *a->scan.columns) == 0);
}

/* Tables of FROM 'path' are made for each use. */
static bool same_table(const struct oriel_table_entry *a, const struct oriel_table_entry *b) {
    if (a == b)
        return true;
    if (a->kind != ORIEL_TABLE_FILE || b->kind != ORIEL_TABLE_FILE || a->database || b->database ||
        a->definitions || b->definitions || a->option_count != b->option_count ||
        a->schema.field_count != b->schema.field_count)
        return false;
    for (uint32_t i = 0; i < a->option_count; i++) {
        if (strcmp(a->options[i].key, b->options[i].key) != 0 ||
            strcmp(a->options[i].value, b->options[i].value) != 0)
            return false;
    }
    return true;
}

static bool can_share(const struct search *search, const struct oriel_plan *a,
                      const struct oriel_plan *b) {
    return same_table(a->scan.table, b->scan.table) && same_hints(a, b) &&
           (!search->same_columns || same_columns(a, b));
}

/* The field of `scan` that is that column of the table; it is added when there is none. */
static uint32_t field_of(struct oriel_plan *scan, struct oriel_field *fields, uint32_t *columns,
                         uint32_t column, const struct oriel_field *field) {
    uint32_t i = 0;
    while (i < scan->schema.field_count && columns[i] != column)
        i++;
    if (i == scan->schema.field_count) {
        columns[i] = column;
        fields[i] = *field;
        scan->schema.field_count++;
    }
    return i;
}

/* The conditions of all readers, or NULL when one reads every row. */
static enum oriel_status join_conditions(struct search *search, const struct candidate *first,
                                         const struct oriel_shared_scan *shared) {
    struct oriel_expression *either = oriel_arena_allocate_zeroed(search->arena, 1, sizeof *either);
    struct oriel_expression **arguments =
        oriel_arena_allocate_zeroed(search->arena, shared->reader_count, sizeof *arguments);
    if (!either || !arguments)
        return oriel_error_memory(search->error);
    uint32_t count = 0;
    for (const struct candidate *it = first; it; it = it->next) {
        if (it->scan->scan.shared != shared)
            continue;
        if (!it->scan->scan.condition)
            return ORIEL_OK;
        arguments[count] = oriel_expression_remap(
            search->arena, (struct oriel_expression *)(uintptr_t)it->scan->scan.condition,
            it->scan->scan.shared_columns);
        if (!arguments[count++])
            return oriel_error_memory(search->error);
    }
    *either = *arguments[0];
    either->kind = ORIEL_EXPRESSION_OR;
    either->argument_count = count;
    either->arguments = arguments;
    shared->scan->scan.condition = either;
    return ORIEL_OK;
}

/* Makes the SCAN that `first` and the later ones which can share with it read. */
static enum oriel_status share(struct search *search, struct candidate *first, uint32_t count) {
    struct oriel_arena *arena = search->arena;
    const uint32_t room = first->scan->scan.table->schema.field_count;
    struct oriel_shared_scan *shared = oriel_arena_allocate_zeroed(arena, 1, sizeof *shared);
    struct oriel_plan *scan = oriel_arena_allocate_zeroed(arena, 1, sizeof *scan);
    struct oriel_field *fields = oriel_arena_allocate_zeroed(arena, room, sizeof *fields);
    uint32_t *columns = oriel_arena_allocate_zeroed(arena, room, sizeof *columns);
    if (!shared || !scan || !fields || !columns)
        return oriel_error_memory(search->error);
    *scan = *first->scan;
    scan->schema = (struct oriel_schema){0, fields};
    scan->scan.columns = columns;
    scan->scan.condition = NULL;
    *shared = (struct oriel_shared_scan){scan, count, first->scan};
    for (struct candidate *it = first; it; it = it->next) {
        struct oriel_plan *reader = it->scan;
        if (reader->scan.shared || !can_share(search, first->scan, reader))
            continue;
        uint32_t *map = oriel_arena_allocate_zeroed(arena, reader->schema.field_count, sizeof *map);
        if (!map)
            return oriel_error_memory(search->error);
        for (uint32_t i = 0; i < reader->schema.field_count; i++)
            map[i] =
                field_of(scan, fields, columns, reader->scan.columns[i], &reader->schema.fields[i]);
        reader->scan.shared = shared;
        reader->scan.shared_columns = map;
    }
    return join_conditions(search, first, shared);
}

enum oriel_status oriel_plans_share_scans(struct oriel_plan *const *plans, uint32_t plan_count,
                                          const bool *streams, bool same_columns_only,
                                          struct oriel_arena *arena, struct oriel_error *error) {
    struct search search = {.arena = arena, .same_columns = same_columns_only, .error = error};
    search.last = &search.first;
    for (uint32_t i = 0; i < plan_count; i++)
        ORIEL_TRY(find(&search, plans[i], streams && streams[i] ? PLACE_RESULT : PLACE_ALONE));
    for (struct candidate *it = search.first; it; it = it->next) {
        uint32_t count = it->scan->scan.shared ? 0 : 1;
        for (struct candidate *other = it->next; other && count; other = other->next)
            count += !other->scan->scan.shared && can_share(&search, it->scan, other->scan);
        if (count > 1)
            ORIEL_TRY(share(&search, it, count));
    }
    return ORIEL_OK;
}
