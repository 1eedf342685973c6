/*
 * Functions that make arrays of arrays. Elements are compared as GROUP BY compares them: NULL
 * equals NULL.
 */
#include <stdlib.h>

#include "engine/functions/array_list.h"
#include "engine/functions/function_table.h"

static bool is_valid(const struct oriel_nested *nested, size_t index) {
    return oriel_bits_get(nested->valid, index);
}

static bool contains(const struct oriel_type *type, const struct oriel_nested *nested,
                     const struct oriel_nested *from, size_t index) {
    return oriel_slots_find(type, nested->slots, nested->valid, 0, 1, nested->count,
                            from->slots[index], is_valid(from, index)) != SIZE_MAX;
}

static const struct oriel_type *element_of(const struct oriel_call *call) {
    return &call->argument_types[0].fields[0].type;
}

/* Appends an element unless the list has it already. */
static void push_once(const struct oriel_type *type, struct oriel_array_list *list,
                      const struct oriel_nested *from, size_t index) {
    if (oriel_slots_find(type, list->slots, list->valid, 0, 1, list->count, from->slots[index],
                         is_valid(from, index)) == SIZE_MAX)
        oriel_array_list_push_from(list, from, index);
}

static enum oriel_status distinct_row(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row,
                                      struct oriel_column *out) {
    const struct oriel_nested *from = oriel_nested_at(&arguments[0], row);
    struct oriel_array_list list;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, from->count, &list));
    for (size_t i = 0; i < from->count; i++)
        push_once(element_of(call), &list, from, i);
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

/* UNION, EXCEPT, INTERSECT: no element twice. */
static enum oriel_status set_row(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row,
                                 struct oriel_column *out) {
    const struct oriel_nested *a = oriel_nested_at(&arguments[0], row);
    const struct oriel_nested *b = oriel_nested_at(&arguments[1], row);
    const struct oriel_type *type = element_of(call);
    const char operation = *(const char *)call->state;
    struct oriel_array_list list;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, (size_t)a->count + b->count, &list));
    for (size_t i = 0; i < a->count; i++) {
        if (operation == 'U' || contains(type, b, a, i) == (operation == 'I'))
            push_once(type, &list, a, i);
    }
    for (size_t i = 0; operation == 'U' && i < b->count; i++)
        push_once(type, &list, b, i);
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

static enum oriel_status concat_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    struct oriel_array_list list;
    size_t count = 0;
    for (uint32_t i = 0; i < call->argument_count; i++)
        count += oriel_nested_at(&arguments[i], row)->count;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, count, &list));
    for (uint32_t i = 0; i < call->argument_count; i++) {
        const struct oriel_nested *from = oriel_nested_at(&arguments[i], row);
        for (size_t k = 0; k < from->count; k++)
            oriel_array_list_push_from(&list, from, k);
    }
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

static enum oriel_status reverse_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct oriel_nested *from = oriel_nested_at(&arguments[0], row);
    struct oriel_array_list list;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, from->count, &list));
    for (size_t i = from->count; i-- > 0;)
        oriel_array_list_push_from(&list, from, i);
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

/* Places count from 1, negative ones from the end; 0 is the first. */
static enum oriel_status slice_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    const struct oriel_nested *from = oriel_nested_at(&arguments[0], row);
    const int64_t count = from->count;
    int64_t start = oriel_i32_at(&arguments[1], row), end = count;
    if (call->argument_count > 2)
        end = oriel_i32_at(&arguments[2], row);
    start += start < 0 ? count + 1 : 0;
    end += end < 0 ? count + 1 : 0;
    /* An end before the first element is nothing, unless it was written as 0. */
    if (call->argument_count > 2 && oriel_i32_at(&arguments[2], row) == 0)
        end = 1;
    start = start < 1 ? 1 : start;
    end = end > count ? count : end;
    struct oriel_array_list list;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, from->count, &list));
    for (int64_t i = start; i <= end; i++)
        oriel_array_list_push_from(&list, from, (size_t)i - 1);
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

/* Without the elements that equal the value, NULLs for NULL. */
static enum oriel_status take_out_row(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row,
                                      struct oriel_column *out) {
    if (oriel_column_is_null(&arguments[0], row)) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    const struct oriel_nested *from = oriel_nested_at(&arguments[0], row);
    const oriel_u128 slot = oriel_slot_of(&arguments[1], row);
    const bool valid = !oriel_column_is_null(&arguments[1], row);
    struct oriel_array_list list;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, from->count, &list));
    for (size_t i = 0; i < from->count; i++) {
        if (oriel_slots_find(element_of(call), from->slots, from->valid, i, 1, i + 1, slot,
                             valid) == SIZE_MAX)
            oriel_array_list_push_from(&list, from, i);
    }
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

/* APPEND and PREPEND; the state is 'A' or 'P'. */
static enum oriel_status extend_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    if (oriel_column_is_null(&arguments[0], row)) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    const struct oriel_nested *from = oriel_nested_at(&arguments[0], row);
    const bool front = *(const char *)call->state == 'P';
    const bool valid = !oriel_column_is_null(&arguments[1], row);
    struct oriel_array_list list;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, (size_t)from->count + 1, &list));
    if (front)
        oriel_array_list_push(&list, oriel_slot_of(&arguments[1], row), valid);
    for (size_t i = 0; i < from->count; i++)
        oriel_array_list_push_from(&list, from, i);
    if (!front)
        oriel_array_list_push(&list, oriel_slot_of(&arguments[1], row), valid);
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

struct sort_order {
    const struct oriel_type *type;
    bool descending;
};

static int compare_slots(const void *a, const void *b, void *state) {
    const struct sort_order *order = state;
    const int result = oriel_value_compare(order->type, a, b);
    return order->descending ? -result : result;
}

/* NULLs stand first in ascending, last in descending order unless a third argument says where. */
static enum oriel_status sort_row(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row,
                                  struct oriel_column *out) {
    const struct oriel_nested *from = oriel_nested_at(&arguments[0], row);
    const bool ascending = call->argument_count < 2 || ((const uint8_t *)arguments[1].values)[row];
    const bool nulls_first =
        call->argument_count < 3 ? ascending : ((const uint8_t *)arguments[2].values)[row];
    struct oriel_array_list list;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, from->count, &list));
    size_t nulls = 0;
    for (size_t i = 0; i < from->count; i++)
        nulls += !is_valid(from, i);
    for (size_t i = 0; nulls_first && i < nulls; i++)
        oriel_array_list_push(&list, 0, false);
    const size_t first = list.count;
    for (size_t i = 0; i < from->count; i++) {
        if (is_valid(from, i))
            oriel_array_list_push_from(&list, from, i);
    }
    struct sort_order order = {element_of(call), !ascending};
    qsort_r(list.slots + first, list.count - first, sizeof list.slots[0], compare_slots, &order);
    while (list.count < from->count)
        oriel_array_list_push(&list, 0, false);
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(distinct)
ORIEL_TEXT_EACH(set)
ORIEL_TEXT_EACH(concat)
ORIEL_TEXT_EACH(reverse)
ORIEL_TEXT_EACH(slice)
ORIEL_TEXT_EACH(take_out)
ORIEL_TEXT_EACH(extend)
ORIEL_TEXT_EACH(sort)

/* An array in front, the others after `pattern`. */
static enum oriel_status bind_array(struct oriel_binding *binding, const char *pattern,
                                    const char *forms, oriel_evaluate *evaluate,
                                    struct oriel_error *error) {
    if (binding->argument_types[0].id != ORIEL_TYPE_ARRAY)
        return oriel_bind_refuse(binding, forms, error);
    ORIEL_TRY(oriel_bind_arguments(binding, pattern, forms, error));
    return oriel_bind_result(binding, binding->argument_types[0], evaluate);
}

static enum oriel_status bind_distinct(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_array(binding, ".", "'ARRAY_DISTINCT(<ARRAY>)'", distinct, error);
}

static enum oriel_status bind_reverse(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_array(binding, ".", "'ARRAY_REVERSE(<ARRAY>)'", reverse, error);
}

static enum oriel_status bind_slice(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_array(binding, ".i", "'ARRAY_SLICE(<ARRAY>, <INT>[, <INT>])'", slice, error);
}

static enum oriel_status bind_sort(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_array(binding, ".b", "'ARRAY_SORT(<ARRAY>[, <BOOLEAN>[, <BOOLEAN>]])'", sort,
                      error);
}

/* Arrays whose elements meet in one type. */
static enum oriel_status bind_arrays(struct oriel_binding *binding, const char *state,
                                     oriel_evaluate *evaluate, struct oriel_error *error) {
    struct oriel_type type = binding->argument_types[0];
    for (uint32_t i = 0; i < binding->argument_count; i++) {
        if (binding->argument_types[i].id != ORIEL_TYPE_ARRAY ||
            (i && !oriel_type_unify_nested(binding->statement_arena, &type,
                                           &binding->argument_types[i], &type)))
            return oriel_bind_refuse(binding, "arrays whose elements have one type", error);
    }
    for (uint32_t i = 0; i < binding->argument_count; i++)
        binding->casts[i] = oriel_type_with_null(type, binding->argument_types[i].nullable);
    binding->state = state;
    return oriel_bind_result(binding, type, evaluate);
}

static enum oriel_status bind_concat(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_arrays(binding, NULL, concat, error);
}

static enum oriel_status bind_union(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_arrays(binding, "U", set, error);
}

static enum oriel_status bind_except(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_arrays(binding, "E", set, error);
}

static enum oriel_status bind_intersect(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_arrays(binding, "I", set, error);
}

static enum oriel_status bind_remove(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_element(binding, 1, "'ARRAY_REMOVE(<ARRAY>, <ELEMENT>)'", error));
    oriel_bind_result(binding, binding->argument_types[0], take_out);
    binding->result.nullable = binding->argument_types[0].nullable;
    return ORIEL_OK;
}

static enum oriel_status bind_extend(struct oriel_binding *binding, const char *state,
                                     struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_element(binding, 1, "'<ARRAY>, <ELEMENT>'", error));
    struct oriel_field *field = oriel_bind_fields(binding, 1, error);
    if (!field)
        return ORIEL_MEMORY;
    *field = binding->argument_types[0].fields[0];
    field->type.nullable |= binding->argument_types[1].nullable;
    binding->result = binding->argument_types[0];
    binding->result.fields = field;
    binding->state = state;
    binding->evaluate = extend;
    return ORIEL_OK;
}

static enum oriel_status bind_append(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_extend(binding, "A", error);
}

static enum oriel_status bind_prepend(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_extend(binding, "P", error);
}

static const struct oriel_function rows[] = {
    {"ARRAY_APPEND", 2, 2, 0, bind_append, NULL},
    {"ARRAY_CONCAT", 1, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_STRICT, bind_concat, NULL},
    {"ARRAY_DISTINCT", 1, 1, ORIEL_FUNCTION_STRICT, bind_distinct, NULL},
    {"ARRAY_EXCEPT", 2, 2, ORIEL_FUNCTION_STRICT, bind_except, NULL},
    {"ARRAY_INTERSECT", 2, 2, ORIEL_FUNCTION_STRICT, bind_intersect, NULL},
    {"ARRAY_PREPEND", 2, 2, 0, bind_prepend, NULL},
    {"ARRAY_REMOVE", 2, 2, 0, bind_remove, NULL},
    {"ARRAY_REVERSE", 1, 1, ORIEL_FUNCTION_STRICT, bind_reverse, NULL},
    {"ARRAY_SLICE", 2, 3, ORIEL_FUNCTION_STRICT, bind_slice, NULL},
    {"ARRAY_SORT", 1, 3, ORIEL_FUNCTION_STRICT, bind_sort, NULL},
    {"ARRAY_UNION", 2, 2, ORIEL_FUNCTION_STRICT, bind_union, NULL},
};

const struct oriel_function_group oriel_functions_array_edit = {rows, sizeof rows / sizeof rows[0]};
