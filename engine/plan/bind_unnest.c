/*
 * UNNEST in FROM: the collection is computed from the tables before it and becomes a column, over
 * which a node makes a row of each element.
 */
#include <string.h>

#include "engine/plan/bind.h"

static enum oriel_status bind_collection(struct binder *b, const struct ast_from *from,
                                         const struct bind_rows *left,
                                         struct oriel_expression **out) {
    char type[96];
    struct bind_frame frame = {.scope = &left->scope, .clause = "UNNEST"};
    if (from->arguments.count != 1)
        return oriel_error_at(b->error, ORIEL_INVALID, from->position,
                              "UNNEST takes one collection, got %u; write one UNNEST for each",
                              from->arguments.count);
    ORIEL_TRY(oriel_bind_expression(b, &frame, from->arguments.items[0], out));
    if ((*out)->type.id == ORIEL_TYPE_ARRAY || (*out)->type.id == ORIEL_TYPE_MAP)
        return ORIEL_OK;
    return oriel_error_at(b->error, ORIEL_INVALID, from->position,
                          "Cannot apply 'UNNEST' to arguments of type 'UNNEST(<%s>)'. Supported "
                          "form(s): 'UNNEST(<MULTISET>)', 'UNNEST(<ARRAY>)', 'UNNEST(<MAP>)'",
                          oriel_type_print(&(*out)->type, false, type, sizeof type));
}

/* Writes the fields of an element, and gives their number. */
static uint32_t element_fields(const struct ast_from *from, const struct oriel_type *collection,
                               struct oriel_field *fields) {
    const struct oriel_type *const element = &collection->fields[0].type;
    if (collection->id == ORIEL_TYPE_MAP && !collection->multiset) {
        fields[0] = (struct oriel_field){"KEY", collection->fields[0].type};
        fields[1] = (struct oriel_field){"VALUE", collection->fields[1].type};
        return 2;
    }
    if (element->id != ORIEL_TYPE_ROW) {
        const bool is_named = from->alias && !from->column_aliases.count && !from->with_ordinality;
        fields[0] = (struct oriel_field){is_named ? from->alias->text : "EXPR$0", *element};
        return 1;
    }
    for (uint32_t i = 0; i < element->field_count; i++)
        fields[i] = element->fields[i];
    return element->field_count;
}

static uint32_t element_width(const struct oriel_type *collection) {
    const struct oriel_type *const element = &collection->fields[0].type;
    return element->id == ORIEL_TYPE_ROW ? element->field_count : 2;
}

/* The node over `input`, whose column `column` is the collection. */
static struct oriel_plan *make_node(struct binder *b, const struct ast_from *from,
                                    struct oriel_plan *input, uint32_t column, bool outer) {
    const struct oriel_type *const collection = &input->schema.fields[column].type;
    const uint32_t own = input->schema.field_count;
    struct oriel_plan *const plan = oriel_plan_make(b->arena, ORIEL_PLAN_UNNEST, from->position, 1);
    struct oriel_field *const fields =
        oriel_plan_copy_fields(b->arena, input->schema, element_width(collection) + 1);
    if (!plan || !fields)
        return NULL;
    uint32_t count = own + element_fields(from, collection, fields + own);
    if (from->with_ordinality)
        fields[count++] = (struct oriel_field){
            "ORDINALITY", oriel_type_with_null(oriel_type_make(ORIEL_TYPE_INT), false)};
    for (uint32_t i = own; i < count; i++)
        fields[i].type.nullable |= outer;
    plan->inputs[0] = input;
    plan->schema = (struct oriel_schema){count, fields};
    plan->unnest.column = column;
    plan->unnest.outer = outer;
    plan->unnest.ordinality = from->with_ordinality;
    return plan;
}

/* The elements as a table of their own, for the scope; its columns are those behind `own`. */
static enum oriel_status add_scope(struct binder *b, const struct ast_from *from,
                                   const struct bind_rows *left, const struct oriel_plan *plan,
                                   uint32_t own, struct bind_scope *out) {
    struct bind_scope elements;
    struct oriel_plan table = *plan;
    table.schema.field_count -= own;
    table.schema.fields += own;
    ORIEL_TRY(oriel_scope_init(b, &elements, &table, from->alias ? from->alias->text : NULL));
    ORIEL_TRY(oriel_scope_rename(b, &elements, from->position, from->column_aliases.count,
                                 from->column_aliases.items));
    return oriel_scope_join(b, &left->scope, &elements, out);
}

/* Leaves out the computed collection, so that columns and scope agree. */
static struct oriel_plan *drop_collection(struct binder *b, struct oriel_plan *plan,
                                          uint32_t left_count) {
    const uint32_t own = plan->inputs[0]->schema.field_count;
    const uint32_t count = plan->schema.field_count;
    if (own == left_count)
        return plan;
    uint32_t *const columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *columns);
    uint32_t kept = 0;
    for (uint32_t i = 0; columns && i < count; i++) {
        if (i < left_count || i >= own)
            columns[kept++] = i;
    }
    return columns ? oriel_plan_make_columns(b->arena, plan, kept, columns) : NULL;
}

enum oriel_status oriel_bind_unnest(struct binder *b, const struct ast_from *from,
                                    const struct bind_rows *left, bool outer,
                                    struct bind_rows *out) {
    const uint32_t left_count = left->plan->schema.field_count;
    struct oriel_expression *collection;
    ORIEL_TRY(bind_collection(b, from, left, &collection));
    struct oriel_plan *input = left->plan;
    uint32_t column = left_count;
    if (collection->kind == ORIEL_EXPRESSION_COLUMN)
        column = collection->column;
    else
        input = oriel_plan_make_extension(b->arena, input, 1, &collection);
    struct oriel_plan *plan = input ? make_node(b, from, input, column, outer) : NULL;
    if (!plan)
        return oriel_bind_memory(b);
    ORIEL_TRY(add_scope(b, from, left, plan, input->schema.field_count, &out->scope));
    out->plan = drop_collection(b, plan, left_count);
    return out->plan ? ORIEL_OK : oriel_bind_memory(b);
}
