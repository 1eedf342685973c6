/*
 * Inside engine/functions: what aggregates over lists of values share. Their state is a struct
 * oriel_value_list, and their call->state a struct oriel_list_call.
 */
#pragma once

#include "engine/functions/aggregate_table.h"
#include "engine/functions/value_list.h"

struct oriel_list_call {
    struct oriel_list_layout layout;
    bool skip_nulls;             /* rows whose last column is NULL are left out */
    struct oriel_text separator; /* LISTAGG */
    bool raw_json;               /* JSON_ARRAYAGG, JSON_OBJECTAGG: the values are JSON */
    uint32_t percentage_count;   /* PERCENTILE */
    const double *percentages;
    bool array; /* PERCENTILE gives an ARRAY */
};

/* Makes the list call of a binding: its first `column_count` arguments, after their casts, are the
 * columns. */
enum oriel_status oriel_list_bind(struct oriel_aggregate_binding *binding, uint32_t column_count,
                                  struct oriel_list_call **out, struct oriel_error *error);

enum oriel_status oriel_list_update(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, char *states,
                                    size_t stride_bytes, const uint32_t *groups,
                                    const struct oriel_column *arguments, const uint64_t *rows,
                                    size_t row_count, uint64_t first_row);
enum oriel_status oriel_list_merge(const struct oriel_aggregate_call *call,
                                   struct oriel_aggregation *aggregation, void *into,
                                   const void *from);
size_t oriel_list_saved_bytes(const struct oriel_aggregate_call *call, const void *state);
void oriel_list_save(const struct oriel_aggregate_call *call, const void *state, char *out);
enum oriel_status oriel_list_load(const struct oriel_aggregate_call *call,
                                  struct oriel_aggregation *aggregation, void *state,
                                  const char *bytes, size_t size_bytes);

/* Writes the result of one state to row `row`; `columns` are its values, list->count of them, which
 * lie in `scratch` and are gone afterwards. */
typedef enum oriel_status oriel_list_result(const struct oriel_aggregate_call *call,
                                            struct oriel_aggregation *aggregation,
                                            const struct oriel_value_list *list,
                                            const struct oriel_column *columns,
                                            struct oriel_arena *scratch, struct oriel_column *out,
                                            size_t row);

/* Reads the list of each state and hands it to `result`. */
enum oriel_status oriel_list_finish(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, const char *states,
                                    size_t stride_bytes, size_t count, struct oriel_column *out,
                                    oriel_list_result *result);
