/*
 * Functions of OVER that look at places of the sorted partition: LAG and LEAD take a value of
 * another row, NTILE, PERCENT_RANK and CUME_DIST count.
 */
#include <string.h>

#include "engine/exec/over_frame.h"
#include "engine/exec/row_key.h"

/* The last row of those equal to `row` in order, and one more. */
static size_t end_of_equals(const struct oriel_over_rows *rows, size_t row) {
    size_t end = row + 1;
    while (end < rows->row_count &&
           oriel_row_key_order(rows->columns, rows->order[row], rows->columns, rows->order[end],
                               rows->items, rows->item_count) == 0)
        end++;
    return end;
}

static void take(const struct oriel_column *from, uint32_t row, struct oriel_column *out,
                 uint32_t at) {
    const size_t size = oriel_physical_size(oriel_type_physical(&out->type));
    if (oriel_column_is_null(from, row))
        oriel_column_set_null(out, at);
    else
        memcpy((char *)out->values + at * size, (const char *)from->values + row * size, size);
}

static void lag(const struct oriel_over_call *call, const struct oriel_over_rows *rows,
                struct oriel_column *out) {
    const uint32_t *arguments = call->aggregate.arguments;
    for (size_t row = 0; row < rows->row_count; row++) {
        const uint32_t at = rows->order[row];
        const oriel_i128 source = (oriel_i128)row - call->number;
        if (source >= 0 && source < (oriel_i128)rows->row_count)
            take(&rows->columns[arguments[0]], rows->order[source], out, at);
        else if (call->aggregate.argument_count > 1)
            take(&rows->columns[arguments[1]], at, out, at);
        else
            oriel_column_set_null(out, at);
    }
}

/* The first parts are one row longer when the rows do not divide. */
static void ntile(int64_t parts, const struct oriel_over_rows *rows, int64_t *out) {
    const uint64_t count = rows->row_count, size = count / (uint64_t)parts;
    const uint64_t longer = count % (uint64_t)parts, turn = longer * (size + 1);
    for (uint64_t row = 0; row < count; row++)
        out[rows->order[row]] =
            (int64_t)(row < turn ? row / (size + 1) : longer + (row - turn) / size) + 1;
}

static void distribution(enum oriel_over_function function, const struct oriel_over_rows *rows,
                         double *out) {
    const double count = (double)rows->row_count;
    for (size_t begin = 0, end; begin < rows->row_count; begin = end) {
        end = end_of_equals(rows, begin);
        const double value = function == ORIEL_OVER_CUME_DIST ? (double)end / count
                             : rows->row_count == 1           ? 0
                                                              : (double)begin / (count - 1);
        for (size_t row = begin; row < end; row++)
            out[rows->order[row]] = value;
    }
}

void oriel_over_take(const struct oriel_over_call *call, const struct oriel_over_rows *rows,
                     struct oriel_column *out) {
    switch (call->function) {
    case ORIEL_OVER_LAG: lag(call, rows, out); return;
    case ORIEL_OVER_NTILE: ntile(call->number, rows, out->values); return;
    default: distribution(call->function, rows, out->values); return;
    }
}
