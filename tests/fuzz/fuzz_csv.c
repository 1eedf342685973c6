/*
 * Any bytes as CSV: the first eight choose options, columns and the way of reading, the rest is the
 * text. One chunk must give what tiny chunks, several workers, a pipe, the reference kernels and
 * the simple model give: the same rows or the same error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/io/csv_case.h"

enum { HEAD_BYTES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void choose_options(struct oriel_csv_options *options, const uint8_t *head) {
    static const char delimiters[] = {',', ',', ';', '\t'};
    static const char *const literals[] = {NULL, "", "NULL", "1"};
    options->delimiter = delimiters[head[0] & 3];
    options->ignore_parse_errors = head[0] & 4;
    options->allow_comments = (head[0] & 0x18) == 0x18;
    if ((head[0] & 0x60) == 0x60)
        options->escape = '\\';
    if ((head[1] & 0x0F) == 0x0F)
        options->quote = -1;
    if ((head[1] & 0x0F) == 0x0E)
        options->quote = ',';
    options->null_literal = literals[head[1] >> 4 & 3];
    options->null_literal_length = options->null_literal ? strlen(options->null_literal) : 0;
    options->quoted_empty_is_string = head[1] & 0x80;
}

static struct oriel_type choose_type(unsigned choice) {
    static const enum oriel_type_id ids[] = {
        ORIEL_TYPE_INT,       ORIEL_TYPE_VARCHAR,       ORIEL_TYPE_TIMESTAMP, ORIEL_TYPE_BIGINT,
        ORIEL_TYPE_TIMESTAMP, ORIEL_TYPE_TIMESTAMP_LTZ, ORIEL_TYPE_DOUBLE,    ORIEL_TYPE_DECIMAL,
        ORIEL_TYPE_BOOLEAN,   ORIEL_TYPE_SMALLINT,      ORIEL_TYPE_DATE,      ORIEL_TYPE_VARCHAR,
    };
    struct oriel_type type = oriel_type_make(ids[choice % 12]);
    if (type.id == ORIEL_TYPE_VARCHAR)
        type = oriel_type_string();
    else if (type.id == ORIEL_TYPE_DECIMAL)
        type = oriel_type_decimal(5, 2);
    else if (type.id == ORIEL_TYPE_TIMESTAMP)
        type = oriel_type_timestamp(choice % 12 == 2 ? 3 : 9);
    else if (type.id == ORIEL_TYPE_TIMESTAMP_LTZ)
        type = oriel_type_timestamp_ltz(3);
    return type;
}

static void choose_columns(struct csv_case *test, const uint8_t *head) {
    const unsigned count = 1 + head[2] % 4;
    for (unsigned i = 0; i < count; i++) {
        struct oriel_type type = choose_type(head[3 + i % 4] + i);
        type.nullable = !(head[2] & 0x40);
        csv_case_add(test, "c", type, head[2] >> 2 & 1 || i == 1);
    }
    if (head[2] & 0x80)
        test->rowtime = 0;
}

static void differ(const char *what, const struct csv_outcome *a, const struct csv_outcome *b) {
    fprintf(stderr, "%s\n-- %d line %u %s\n%.*s\n-- %d line %u %s\n%.*s\n", what, a->status,
            a->error.line, a->error.message, (int)a->rows.length, a->rows.bytes, b->status,
            b->error.line, b->error.message, (int)b->rows.length, b->rows.bytes);
    abort();
}

static void compare_with_model(const struct csv_case *test, const struct csv_outcome *whole) {
    struct csv_outcome model;
    csv_model_read(test, &model);
    struct csv_outcome cut = *whole;
    if (strncmp(whole->error.message, model.error.message, strlen(model.error.message)) == 0)
        memcpy(cut.error.message, model.error.message, sizeof cut.error.message);
    memcpy(cut.note, model.note, sizeof cut.note);
    if (!csv_outcome_same(&model, &cut))
        differ("the model and one chunk", &model, &cut);
    csv_outcome_deinit(&model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEAD_BYTES || size > 1 << 16)
        return 0;
    struct csv_case test;
    csv_case_init(&test, (const char *)data + HEAD_BYTES, size - HEAD_BYTES);
    choose_options(&test.options, data);
    choose_columns(&test, data);
    const struct csv_setup setups[] = {
        {1 << 20, 256, 1, false, NULL, 0, 0}, {16 + data[7], 64, 1, false, NULL, 0, 0},
        {64, 3, 1, false, "reference", 0, 0}, {16 + data[7], 64, 1 + data[7] % 2, true, NULL, 0, 0},
        {32, 64, 2, false, NULL, 0, 0},
    };
    struct csv_outcome whole;
    csv_case_read(&test, &setups[0], NULL, &whole);
    compare_with_model(&test, &whole);
    for (size_t i = 1; i < sizeof setups / sizeof *setups - (data[7] % 8 != 0); i++) {
        struct csv_outcome other;
        csv_case_read(&test, &setups[i], NULL, &other);
        if (!csv_outcome_same(&whole, &other))
            differ("one chunk and another way", &whole, &other);
        csv_outcome_deinit(&other);
    }
    csv_outcome_deinit(&whole);
    return 0;
}
