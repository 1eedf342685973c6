/*
 * Tables: rows that an operator or a result keeps. Appends go column by column; the row count moves
 * last, so a failed append leaves garbage only behind it.
 */
#include <string.h>

#include "engine/columns/value.h"

enum { ROWS_FIRST = 64 };

/* What the buffers of a column were allocated for; lies behind the columns of a table. A growth
 * that fails half-way leaves columns of different size. */
struct room {
    size_t value_rows;
    size_t valid_rows;
};

/* The rows of one append. */
struct selection {
    const uint32_t *rows; /* NULL: a range */
    size_t first;
    size_t count;
};

static size_t selected_row(const struct selection *selection, size_t i) {
    return selection->rows ? selection->rows[selection->first + i] : selection->first + i;
}

static struct room *table_rooms(const struct oriel_table *table) {
    return (struct room *)(table->columns + table->schema.field_count);
}

static size_t columns_bytes(const struct oriel_table *table) {
    return table->schema.field_count * (sizeof(struct oriel_column) + sizeof(struct room));
}

static size_t value_size(const struct oriel_column *column) {
    return oriel_physical_size(oriel_type_physical(&column->type));
}

static size_t valid_bytes(size_t row_count) {
    return oriel_bits_word_count(row_count) * sizeof(uint64_t);
}

void oriel_table_init(struct oriel_table *table, struct oriel_memory *memory,
                      struct oriel_schema schema) {
    *table = (struct oriel_table){.memory = memory, .schema = schema};
    oriel_arena_init(&table->arena, memory);
}

void oriel_table_deinit(struct oriel_table *table) {
    if (table->columns) {
        const struct room *rooms = table_rooms(table);
        for (uint32_t i = 0; i < table->schema.field_count; i++) {
            struct oriel_column *column = &table->columns[i];
            oriel_memory_release(table->memory, column->values,
                                 rooms[i].value_rows * value_size(column));
            oriel_memory_release(table->memory, column->valid, valid_bytes(rooms[i].valid_rows));
        }
        oriel_memory_release(table->memory, table->columns, columns_bytes(table));
    }
    oriel_arena_deinit(&table->arena);
    *table = (struct oriel_table){
        .memory = table->memory, .schema = table->schema, .arena = table->arena};
}

void oriel_table_clear(struct oriel_table *table) {
    table->row_count = 0;
    oriel_arena_reset(&table->arena);
}

static enum oriel_status create_columns(struct oriel_table *table, struct oriel_error *error) {
    table->columns = oriel_memory_allocate_zeroed(table->memory, 1, columns_bytes(table));
    if (!table->columns)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < table->schema.field_count; i++)
        table->columns[i].type = table->schema.fields[i].type;
    return ORIEL_OK;
}

/* Room for the bits of `row_count` rows; new ones are set. */
static bool grow_valid(struct oriel_table *table, uint32_t index, size_t row_count) {
    struct oriel_column *column = &table->columns[index];
    struct room *room = &table_rooms(table)[index];
    const size_t old_bytes = valid_bytes(room->valid_rows), bytes = valid_bytes(row_count);
    uint64_t *grown = oriel_memory_resize(table->memory, column->valid, old_bytes, bytes);
    if (!grown)
        return false;
    memset((char *)grown + old_bytes, 0xFF, bytes - old_bytes);
    column->valid = grown;
    room->valid_rows = row_count;
    return true;
}

static bool grow_column(struct oriel_table *table, uint32_t index, size_t row_count) {
    struct oriel_column *column = &table->columns[index];
    struct room *room = &table_rooms(table)[index];
    size_t bytes;
    if (room->value_rows < row_count) {
        if (__builtin_mul_overflow(row_count, value_size(column), &bytes))
            return false;
        void *grown = oriel_memory_resize(table->memory, column->values,
                                          room->value_rows * value_size(column), bytes);
        if (!grown)
            return false;
        column->values = grown;
        room->value_rows = row_count;
    }
    return !column->valid || room->valid_rows >= row_count || grow_valid(table, index, row_count);
}

/* Doubles, or takes just what is needed when memory is too short for that. */
static enum oriel_status grow(struct oriel_table *table, size_t needed, struct oriel_error *error) {
    size_t wanted = table->capacity ? table->capacity : ROWS_FIRST;
    while (wanted < needed)
        wanted = wanted > SIZE_MAX / 2 ? needed : wanted * 2;
    for (uint32_t i = 0; i < table->schema.field_count; i++) {
        if (!grow_column(table, i, wanted) && !grow_column(table, i, needed))
            return oriel_error_memory(error);
    }
    table->capacity = wanted;
    const struct room *rooms = table_rooms(table);
    for (uint32_t i = 0; i < table->schema.field_count; i++) {
        if (rooms[i].value_rows < table->capacity)
            table->capacity = rooms[i].value_rows;
        if (table->columns[i].valid && rooms[i].valid_rows < table->capacity)
            table->capacity = rooms[i].valid_rows;
    }
    return ORIEL_OK;
}

static bool has_null(const struct oriel_column *from, const struct selection *selection) {
    if (!from->valid)
        return false;
    for (size_t i = 0; i < selection->count; i++) {
        if (!oriel_bits_get(from->valid, selected_row(selection, i)))
            return true;
    }
    return false;
}

/* Bits [position, position + count) of `words`, count at most 64. */
static uint64_t read_bits(const uint64_t *words, size_t position, size_t count) {
    const size_t word = position / 64, shift = position % 64;
    uint64_t bits = words[word] >> shift;
    if (shift && count > 64 - shift)
        bits |= words[word + 1] << (64 - shift);
    return bits;
}

static void append_valid(uint64_t *to, size_t row, const uint64_t *from,
                         const struct selection *selection) {
    for (size_t done = 0; done < selection->count;) {
        const size_t shift = (row + done) % 64;
        const size_t left = selection->count - done;
        const size_t count = left < 64 - shift ? left : 64 - shift;
        uint64_t bits = ~UINT64_C(0);
        if (from && !selection->rows) {
            bits = read_bits(from, selection->first + done, count);
        } else if (from) {
            bits = 0;
            for (size_t i = 0; i < count; i++)
                bits |= (uint64_t)oriel_bits_get(from, selected_row(selection, done + i)) << i;
        }
        const uint64_t mask = oriel_bits_low(count) << shift;
        uint64_t *word = &to[(row + done) / 64];
        *word = (*word & ~mask) | (bits << shift & mask);
        done += count;
    }
}

#define GATHER(type)                                                                               \
    do {                                                                                           \
        const type *source = from;                                                                 \
        type *target = to;                                                                         \
        for (size_t i = 0; i < count; i++)                                                         \
            target[i] = source[rows[i]];                                                           \
    } while (0)

static void gather(void *restrict to, const void *restrict from, size_t size_bytes,
                   const uint32_t *rows, size_t count) {
    switch (size_bytes) {
    case 1: GATHER(uint8_t); break;
    case 2: GATHER(uint16_t); break;
    case 4: GATHER(uint32_t); break;
    case 8: GATHER(uint64_t); break;
    default: GATHER(oriel_u128); break;
    }
}

static void append_fixed(char *to, const struct oriel_column *from,
                         const struct selection *selection) {
    const size_t size_bytes = value_size(from);
    if (selection->rows)
        gather(to, from->values, size_bytes, selection->rows + selection->first, selection->count);
    else
        memcpy(to, (const char *)from->values + selection->first * size_bytes,
               selection->count * size_bytes);
}

/* All long strings of an append go into one piece of the arena. */
static bool append_strings(struct oriel_arena *arena, struct oriel_string *to,
                           const struct oriel_column *from, const struct selection *selection) {
    const struct oriel_string *strings = from->values;
    size_t long_bytes = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const size_t row = selected_row(selection, i);
        if (oriel_bits_get(from->valid, row) && strings[row].length > ORIEL_STRING_INLINE_BYTES)
            long_bytes += strings[row].length;
    }
    char *bytes = NULL;
    if (long_bytes) {
        bytes = oriel_arena_allocate(arena, long_bytes);
        if (!bytes)
            return false;
    }
    for (size_t i = 0; i < selection->count; i++) {
        const size_t row = selected_row(selection, i);
        if (!oriel_bits_get(from->valid, row)) {
            memset(&to[i], 0, sizeof to[i]);
            continue;
        }
        to[i] = strings[row];
        if (to[i].length > ORIEL_STRING_INLINE_BYTES) {
            memcpy(bytes, to[i].bytes, to[i].length);
            to[i].bytes = bytes;
            bytes += to[i].length;
        }
    }
    return true;
}

static bool append_nested(struct oriel_arena *arena, const struct oriel_nested **to,
                          const struct oriel_column *from, const struct selection *selection) {
    const struct oriel_nested *const *values = from->values;
    for (size_t i = 0; i < selection->count; i++) {
        const size_t row = selected_row(selection, i);
        to[i] = NULL;
        if (oriel_bits_get(from->valid, row) &&
            !oriel_value_copy(arena, &from->type, &values[row], &to[i]))
            return false;
    }
    return true;
}

static bool append_column(struct oriel_table *table, uint32_t index,
                          const struct oriel_column *from, const struct selection *selection) {
    struct oriel_column *column = &table->columns[index];
    char *to = (char *)column->values + table->row_count * value_size(column);
    if (!column->valid && has_null(from, selection) &&
        !grow_valid(table, index, table_rooms(table)[index].value_rows))
        return false;
    if (column->valid)
        append_valid(column->valid, table->row_count, from->valid, selection);
    switch (oriel_type_physical(&column->type)) {
    case ORIEL_PHYSICAL_STRING:
        return append_strings(&table->arena, (struct oriel_string *)to, from, selection);
    case ORIEL_PHYSICAL_NESTED:
        return append_nested(&table->arena, (const struct oriel_nested **)to, from, selection);
    default: append_fixed(to, from, selection); return true;
    }
}

enum oriel_status oriel_table_append(struct oriel_table *table, const struct oriel_batch *batch,
                                     const uint32_t *rows, size_t first, size_t count,
                                     struct oriel_error *error) {
    const struct selection selection = {rows, first, count};
    size_t needed;
    if (!table->columns)
        ORIEL_TRY(create_columns(table, error));
    if (count == 0)
        return ORIEL_OK;
    if (__builtin_add_overflow(table->row_count, count, &needed))
        return oriel_error_memory(error);
    if (needed > table->capacity)
        ORIEL_TRY(grow(table, needed, error));
    for (uint32_t i = 0; i < table->schema.field_count; i++) {
        if (!append_column(table, i, &batch->columns[i], &selection))
            return oriel_error_memory(error);
    }
    table->row_count = needed;
    return ORIEL_OK;
}

#define SCATTER(type)                                                                              \
    do {                                                                                           \
        type *target = column->values;                                                             \
        const type *source = target + first;                                                       \
        for (size_t i = 0; i < count; i++)                                                         \
            target[places[i]] = source[i];                                                         \
    } while (0)

void oriel_table_replace(struct oriel_table *table, const uint32_t *places, size_t count) {
    const size_t first = table->row_count - count;
    for (uint32_t c = 0; count && c < table->schema.field_count; c++) {
        struct oriel_column *column = &table->columns[c];
        switch (value_size(column)) {
        case 1: SCATTER(uint8_t); break;
        case 2: SCATTER(uint16_t); break;
        case 4: SCATTER(uint32_t); break;
        case 8: SCATTER(uint64_t); break;
        default: SCATTER(oriel_u128); break;
        }
        for (size_t i = 0; column->valid && i < count; i++) {
            if (oriel_bits_get(column->valid, first + i))
                oriel_bits_set(column->valid, places[i]);
            else
                oriel_bits_clear(column->valid, places[i]);
        }
    }
    table->row_count = first;
}
