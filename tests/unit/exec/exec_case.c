/*
 * The shared part of exec's tests: data, runtimes, and results as text.
 */
#include "tests/unit/exec/exec_case.h"

#include <math.h>

#include "engine/base/zone.h"
#include "kernels/kernels.h"

static const struct oriel_field fields[CASE_COLUMNS] = {
    {"number", {.id = ORIEL_TYPE_INT, .nullable = true}},
    {"text", {.id = ORIEL_TYPE_VARCHAR, .nullable = true, .length = ORIEL_LENGTH_MAX}},
    {"time", {.id = ORIEL_TYPE_TIMESTAMP, .nullable = true, .precision = 3}},
    {"wide", {.id = ORIEL_TYPE_BIGINT, .nullable = true}},
    {"real", {.id = ORIEL_TYPE_DOUBLE, .nullable = true}},
    {"flag", {.id = ORIEL_TYPE_BOOLEAN, .nullable = true}},
};
const struct oriel_schema case_schema = {CASE_COLUMNS, fields};

const struct case_setting case_settings[] = {
    {.thread_count = 1, .batch_rows = 4096, .morsel_rows = 4096},
    {.thread_count = 1, .batch_rows = 64, .morsel_rows = 64},
    {.thread_count = 2, .batch_rows = 64, .morsel_rows = 256},
    {.thread_count = 3, .batch_rows = 100, .morsel_rows = 320},
    {.thread_count = 3, .batch_rows = 4096, .morsel_rows = 4096},
    {.thread_count = 2, .batch_rows = 7, .morsel_rows = 70},
    {.thread_count = 2, .batch_rows = 128, .morsel_rows = 256, .pull = true},
    {.thread_count = 1, .batch_rows = 64, .morsel_rows = 256, .limit_bytes = 1500000},
    {.thread_count = 3, .batch_rows = 64, .morsel_rows = 256, .limit_bytes = 3000000},
};
const size_t case_setting_count = sizeof case_settings / sizeof *case_settings;

uint64_t case_next(struct case_random *random) {
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t case_below(struct case_random *random, uint64_t bound) {
    return case_next(random) % bound;
}

static int by_time(const void *a, const void *b) {
    const struct case_row *x = a, *y = b;
    return (x->time_ms > y->time_ms) - (x->time_ms < y->time_ms);
}

static double make_real(struct case_random *random) {
    switch (case_below(random, 8)) {
    case 0: return NAN;
    case 1: return -0.0;
    case 2: return 0.0;
    case 3: return -INFINITY;
    default: return (double)(int64_t)case_below(random, 20) / 4 - 2;
    }
}

struct case_rows case_make_rows(struct case_random *random, const struct case_shape *shape) {
    struct case_rows out = {shape->row_count, calloc(shape->row_count + 1, sizeof *out.rows)};
    assert_non_null(out.rows);
    for (size_t i = 0; i < out.count; i++) {
        struct case_row *row = &out.rows[i];
        for (int c = 0; c < CASE_COLUMNS; c++)
            row->null[c] = case_below(random, 100) <
                           (c == CASE_TIME ? shape->null_time_percent : shape->null_percent);
        row->number = (int32_t)case_below(random, shape->key_count) - (int32_t)shape->key_count / 2;
        const unsigned key = (unsigned)case_below(random, shape->key_count);
        /* lengths around 8, 12 and 15 bytes, with long common beginnings */
        snprintf(row->text, sizeof row->text, "%.*s%u", (int)(key % 5) * 5,
                 "abcdefghijklmnopqrstuvwxyz", key);
        row->time_ms =
            (int64_t)case_below(random, (uint64_t)shape->time_span_ms) - shape->time_span_ms / 2;
        row->wide = (int64_t)case_below(random, 50) - 25;
        row->real = make_real(random);
        row->flag = case_below(random, 2);
    }
    if (shape->sorted)
        qsort(out.rows, out.count, sizeof *out.rows, by_time);
    return out;
}

void case_free_rows(struct case_rows *rows) {
    free(rows->rows);
    *rows = (struct case_rows){0};
}

void case_engine_open(struct case_engine *engine, const struct case_setting *setting) {
    memset(engine, 0, sizeof *engine);
    engine->memory.limit_bytes = setting->limit_bytes;
    engine->runtime = (struct oriel_runtime){
        .memory = &engine->memory,
        .kernels = oriel_isa_best(oriel_cpu_features())->kernels,
        .thread_count = setting->thread_count,
        .batch_rows = setting->batch_rows,
        .temp_dir = "/tmp",
        .cancelled = &engine->cancelled,
        .progress = &engine->progress,
    };
    struct oriel_error error;
    assert_int_equal(oriel_task_pool_open(&engine->memory, setting->thread_count, NULL,
                                          &engine->runtime.pool, &error),
                     ORIEL_OK);
}

void case_engine_close(struct case_engine *engine) {
    oriel_task_pool_close(&engine->runtime.pool);
    assert_int_equal(engine->memory.used_bytes, 0);
}

static void fill_cell(const struct case_row *row, int column, size_t at, void *values) {
    switch (column) {
    case CASE_INT: ((int32_t *)values)[at] = row->number; break;
    case CASE_TEXT:
        ((struct oriel_string *)values)[at] = oriel_string_make(row->text, strlen(row->text));
        break;
    case CASE_TIME: ((int64_t *)values)[at] = row->time_ms; break;
    case CASE_LONG: ((int64_t *)values)[at] = row->wide; break;
    case CASE_DOUBLE: ((double *)values)[at] = row->real; break;
    default: ((int8_t *)values)[at] = row->flag; break;
    }
}

void case_make_table(struct oriel_memory *memory, const struct case_rows *rows,
                     struct oriel_table *table) {
    struct oriel_column columns[CASE_COLUMNS];
    struct oriel_error error;
    oriel_table_init(table, memory, case_schema);
    for (int c = 0; c < CASE_COLUMNS; c++) {
        columns[c] = (struct oriel_column){
            .type = fields[c].type,
            .values = calloc(rows->count + 1, 16),
            .valid = calloc(rows->count / 64 + 1, sizeof(uint64_t)),
        };
        for (size_t i = 0; i < rows->count; i++) {
            fill_cell(&rows->rows[i], c, i, columns[c].values);
            if (!rows->rows[i].null[c])
                oriel_bits_set(columns[c].valid, i);
        }
    }
    const struct oriel_batch batch = {rows->count, CASE_COLUMNS, columns, 0, NULL};
    assert_int_equal(oriel_table_append(table, &batch, NULL, 0, rows->count, &error), ORIEL_OK);
    for (int c = 0; c < CASE_COLUMNS; c++) {
        free(columns[c].values);
        free(columns[c].valid);
    }
}

struct oriel_plan case_scan(uintptr_t number) {
    return (struct oriel_plan){
        .kind = ORIEL_PLAN_SCAN, .schema = case_schema, .scan.hint_count = (uint32_t)number};
}

void case_print(struct case_text *text, const char *format, ...) {
    for (;;) {
        va_list arguments;
        va_start(arguments, format);
        const size_t room = text->capacity - text->length;
        char nothing[1];
        const int length =
            vsnprintf(text->bytes ? text->bytes + text->length : nothing, room, format, arguments);
        va_end(arguments);
        if ((size_t)length < room) {
            text->length += (size_t)length;
            return;
        }
        text->capacity = text->capacity * 2 + (size_t)length + 1024;
        text->bytes = realloc(text->bytes, text->capacity);
        assert_non_null(text->bytes);
    }
}

static void print_real(struct case_text *text, double value) {
    if (isnan(value))
        case_print(text, "nan|");
    else
        case_print(text, "%g|", value);
}

void case_print_cell(struct case_text *text, const struct case_row *row, int column) {
    if (row->null[column])
        case_print(text, "NULL|");
    else if (column == CASE_INT)
        case_print(text, "%d|", row->number);
    else if (column == CASE_TEXT)
        case_print(text, "%s|", row->text);
    else if (column == CASE_TIME)
        case_print(text, "%lld|", (long long)row->time_ms);
    else if (column == CASE_LONG)
        case_print(text, "%lld|", (long long)row->wide);
    else if (column == CASE_DOUBLE)
        print_real(text, row->real);
    else
        case_print(text, "%d|", row->flag);
}

void case_print_row(struct case_text *text, const struct case_row *row) {
    for (int c = 0; c < CASE_COLUMNS; c++)
        case_print_cell(text, row, c);
}

static void print_value(struct case_text *text, const struct oriel_column *column, size_t row) {
    if (oriel_column_is_null(column, row)) {
        case_print(text, "NULL|");
        return;
    }
    switch (oriel_type_physical(&column->type)) {
    case ORIEL_PHYSICAL_I8: case_print(text, "%d|", ((const int8_t *)column->values)[row]); break;
    case ORIEL_PHYSICAL_I32: case_print(text, "%d|", ((const int32_t *)column->values)[row]); break;
    case ORIEL_PHYSICAL_I64:
        case_print(text, "%lld|", (long long)((const int64_t *)column->values)[row]);
        break;
    case ORIEL_PHYSICAL_I128:
        case_print(text, "%lldus|", (long long)(((const oriel_i128 *)column->values)[row] / 1000));
        break;
    case ORIEL_PHYSICAL_F64: print_real(text, ((const double *)column->values)[row]); break;
    default: {
        const struct oriel_string *value = oriel_column_strings(column) + row;
        case_print(text, "%.*s|", (int)value->length, oriel_string_bytes(value));
        break;
    }
    }
}

static void print_batch(struct case_text *text, const struct oriel_batch *batch) {
    for (size_t row = 0; row < batch->row_count; row++) {
        for (uint32_t c = 0; c < batch->column_count; c++)
            print_value(text, &batch->columns[c], row);
        case_print(text, "\n");
    }
}

static enum oriel_status begin_piece(void *context, unsigned worker, void **piece,
                                     struct oriel_error *error) {
    (void)worker;
    (void)context;
    (void)error;
    *piece = calloc(1, sizeof(struct case_text));
    return ORIEL_OK;
}

static enum oriel_status add_to_piece(void *context, void *piece, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    (void)context;
    (void)error;
    print_batch(piece, batch);
    return ORIEL_OK;
}

static void drop_piece(void *context, void *piece) {
    (void)context;
    free(((struct case_text *)piece)->bytes);
    free(piece);
}

static enum oriel_status deliver_piece(void *context, void *piece, struct oriel_error *error) {
    (void)error;
    const struct case_text *text = piece;
    if (text->length)
        case_print(context, "%s", text->bytes);
    drop_piece(context, piece);
    return ORIEL_OK;
}

/* The tables that scans read. */
struct tables {
    struct oriel_table tables[4];
    size_t morsel_rows;
};

static enum oriel_status open_scan(void *context, const struct oriel_plan *scan,
                                   const struct oriel_runtime *runtime, struct oriel_source **out,
                                   struct oriel_error *error) {
    struct tables *tables = context;
    return oriel_table_source_open(runtime, &tables->tables[scan->scan.hint_count], false,
                                   tables->morsel_rows, out, error);
}

static enum oriel_status read_all(struct oriel_execution *execution, bool pull,
                                  struct case_text *out, struct oriel_error *error) {
    const struct oriel_piece_maker maker = {.context = out,
                                            .begin = begin_piece,
                                            .add = add_to_piece,
                                            .deliver = deliver_piece,
                                            .drop = drop_piece};
    if (!pull)
        return oriel_execution_run(execution, &maker, error);
    const struct oriel_batch *batch;
    enum oriel_status status;
    while ((status = oriel_execution_next(execution, &batch, error)) == ORIEL_OK)
        print_batch(out, batch);
    return status == ORIEL_DONE ? ORIEL_OK : status;
}

bool case_outlived_failure;

enum oriel_status case_run(const struct oriel_plan *plan, const struct case_rows *const *inputs,
                           const struct case_setting *setting, struct case_text *out,
                           struct oriel_error *error) {
    struct case_engine engine;
    struct oriel_memory table_memory = {0};
    struct tables tables = {.morsel_rows = setting->morsel_rows};
    struct oriel_execution *execution = NULL;
    static struct oriel_memory zone_memory;
    static struct oriel_zone *zone; /* costs more than many a plan, so it is opened once */
    size_t input_count = 0;
    case_engine_open(&engine, setting);
    if (!zone)
        assert_int_equal(oriel_zone_open(&zone_memory, "America/New_York", &zone, error), ORIEL_OK);
    engine.runtime.zone = zone;
    for (; inputs[input_count]; input_count++)
        case_make_table(&table_memory, inputs[input_count], &tables.tables[input_count]);
    out->length = 0;
    case_print(out, "%s", "");
    if (setting->fail_after)
        engine.memory.fail_at_call = engine.memory.call_count + setting->fail_after;
    enum oriel_status status =
        oriel_execution_open(plan, &engine.runtime, open_scan, &tables, &execution, error);
    if (status == ORIEL_OK)
        status = read_all(execution, setting->pull, out, error);
    oriel_execution_close(&execution);
    case_outlived_failure = engine.memory.call_count < engine.memory.fail_at_call;
    for (size_t i = 0; i < input_count; i++)
        oriel_table_deinit(&tables.tables[i]);
    case_engine_close(&engine);
    assert_int_equal(table_memory.used_bytes, 0);
    return status;
}

static void explain_difference(const char *expected, const char *got) {
    size_t line = 1, begin = 0, i = 0;
    for (; expected[i] && expected[i] == got[i]; i++)
        if (expected[i] == '\n') {
            line++;
            begin = i + 1;
        }
    print_error("line %zu\nexpected: %.100s\n     got: %.100s\n", line, expected + begin,
                got + begin);
}

void case_check(const struct oriel_plan *plan, const struct case_rows *const *inputs,
                const struct case_text *expected) {
    struct case_text text = {0};
    for (size_t s = 0; s < case_setting_count; s++) {
        struct oriel_error error = {0};
        const enum oriel_status status = case_run(plan, inputs, &case_settings[s], &text, &error);
        const char *want = expected->bytes ? expected->bytes : "";
        if (status != ORIEL_OK || strcmp(want, text.bytes)) {
            print_error("setting %zu: status %d %s\n", s, status, error.message);
            explain_difference(want, text.bytes);
            fail();
        }
    }
    free(text.bytes);
}

int case_compare(const struct case_row *a, const struct case_row *b, int column) {
    if (a->null[column] || b->null[column])
        return b->null[column] - a->null[column];
    switch (column) {
    case CASE_INT: return (a->number > b->number) - (a->number < b->number);
    case CASE_TEXT: return strcmp(a->text, b->text);
    case CASE_TIME: return (a->time_ms > b->time_ms) - (a->time_ms < b->time_ms);
    case CASE_LONG: return (a->wide > b->wide) - (a->wide < b->wide);
    case CASE_DOUBLE:
        if (isnan(a->real) || isnan(b->real))
            return !!isnan(a->real) - !!isnan(b->real);
        return (a->real > b->real) - (a->real < b->real);
    default: return a->flag - b->flag;
    }
}
