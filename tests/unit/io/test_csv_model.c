/*
 * The parallel reader against the simple model: random texts from small alphabets, all options,
 * many ways of reading. Guards the quote states between chunks and the order of errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/io/csv_case.h"

enum { ROUNDS = 6000, TEXT_MAX = 700, LONG_ROUNDS = 60, LONG_TEXT_MAX = 60000 };

static uint64_t random_state;

static uint64_t next_random(void) {
    random_state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static size_t below(size_t bound) {
    return (size_t)(next_random() % bound);
}

static const char *const pieces[] = {
    ",",
    ",",
    ",",
    "\n",
    "\n",
    "\n",
    "\"",
    "\"",
    "\"\"",
    "\r\n",
    "\r",
    "a",
    "bc",
    "1",
    "23",
    "-4",
    " ",
    "5 ",
    "#",
    "\\",
    "\\\"",
    "NULL",
    "x,y",
    "\"q,r\"",
    "\"s\nt\"",
    "\xED\x95\x9C",
    "\xFF",
    ";",
    "2024-03-01 00:00:01",
    "2023-02-29 10:00:00.5",
    "true",
    "1.5",
    "",
    "\t",
    "aaaaaaaaaaaaaaaaaaaaaa",
    "1,a,2\n",
    "2,\"b\",3\n",
    "3,c,4\r\n",
    "99999999999999999999",
};

static size_t make_text(char *text, size_t longest, size_t calmness) {
    const size_t count = sizeof pieces / sizeof *pieces;
    const size_t wanted = below(longest);
    /* Some texts are mostly good, so that errors come late. */
    const size_t calm = below(4);
    size_t length = 0;
    while (length < wanted) {
        const char *piece = pieces[below(count)];
        if (calm && below(calmness))
            piece = pieces[35 + below(3)];
        const size_t bytes = strlen(piece);
        memcpy(text + length, piece, bytes);
        length += bytes;
    }
    return length;
}

static void choose_options(struct oriel_csv_options *options) {
    static const char *const literals[] = {NULL, NULL, "", "NULL", "1"};
    options->null_literal = literals[below(5)];
    options->null_literal_length = options->null_literal ? strlen(options->null_literal) : 0;
    options->ignore_parse_errors = below(3) == 0;
    options->allow_comments = below(6) == 0;
    options->quoted_empty_is_string = below(2);
    if (below(6) == 0)
        options->escape = '\\';
    if (below(8) == 0)
        options->quote = -1;
    if (below(8) == 0)
        options->delimiter = ';';
    if (below(40) == 0)
        options->delimiter = '"';
}

static void choose_columns(struct csv_case *test) {
    static const enum oriel_type_id ids[] = {
        ORIEL_TYPE_INT,       ORIEL_TYPE_VARCHAR,       ORIEL_TYPE_INT,    ORIEL_TYPE_BIGINT,
        ORIEL_TYPE_TIMESTAMP, ORIEL_TYPE_TIMESTAMP_LTZ, ORIEL_TYPE_DOUBLE, ORIEL_TYPE_DECIMAL,
        ORIEL_TYPE_BOOLEAN,   ORIEL_TYPE_SMALLINT,      ORIEL_TYPE_DATE,   ORIEL_TYPE_VARCHAR,
    };
    const bool usual = below(2);
    const size_t count = usual ? 3 : 1 + below(5);
    for (size_t i = 0; i < count; i++) {
        struct oriel_type type = oriel_type_make(ids[usual ? i : below(12)]);
        if (type.id == ORIEL_TYPE_VARCHAR)
            type = oriel_type_string();
        else if (type.id == ORIEL_TYPE_DECIMAL)
            type = oriel_type_decimal(5, 2);
        else if (type.id == ORIEL_TYPE_TIMESTAMP)
            type = oriel_type_timestamp(below(2) ? 3 : 9);
        else if (type.id == ORIEL_TYPE_TIMESTAMP_LTZ)
            type = oriel_type_timestamp_ltz(3);
        if (below(8) == 0)
            type.nullable = false;
        csv_case_add(test, "c", type, below(3) != 0);
    }
    if (below(6) == 0)
        test->rowtime = (int32_t)below(count);
}

static void show(const struct csv_case *test, const struct csv_setup *setup,
                 const struct csv_outcome *model, const struct csv_outcome *got) {
    const struct oriel_csv_options *o = &test->options;
    fprintf(stderr, "text (%zu):\n", test->length);
    fwrite(test->text, 1, test->length, stderr);
    fprintf(
        stderr,
        "\n---- fields %u wanted %u rowtime %d delimiter %c quote %d escape %d ignore %d comments "
        "%d null %s\n",
        test->field_count, test->column_count, test->rowtime, o->delimiter, o->quote, o->escape,
        o->ignore_parse_errors, o->allow_comments, o->null_literal ? o->null_literal : "-");
    fprintf(stderr, "---- chunk %zu batch %zu workers %u pipe %d isa %s\n", setup->chunk_bytes,
            setup->batch_rows, setup->worker_count, setup->pipe, setup->isa ? setup->isa : "best");
    fprintf(stderr, "model %d %u %s\n%.*s\n", model->status, model->error.line,
            model->error.message, (int)model->rows.length, model->rows.bytes);
    fprintf(stderr, "got %d %u %s\n%.*s\n", got->status, got->error.line, got->error.message,
            (int)got->rows.length, got->rows.bytes);
}

static bool agrees(const struct csv_outcome *model, const struct csv_outcome *got) {
    const bool complete = model->rows.length == got->rows.length ||
                          (model->status != ORIEL_DONE && model->rows.length < got->rows.length);
    return model->status == got->status && complete &&
           (model->rows.length == 0 ||
            memcmp(model->rows.bytes, got->rows.bytes, model->rows.length) == 0) &&
           model->error.line == got->error.line &&
           strncmp(got->error.message, model->error.message, strlen(model->error.message)) == 0;
}

static void compare_random_texts(int rounds, size_t longest, size_t calmness) {
    static const struct csv_setup setups[] = {
        {1 << 20, 4096, 1, false, NULL, 0, 0}, {16, 64, 1, false, NULL, 0, 0},
        {16, 4096, 3, false, NULL, 0, 0},      {64, 7, 2, false, "reference", 0, 0},
        {100, 1, 2, false, NULL, 0, 0},        {16, 64, 2, true, NULL, 0, 0},
        {64, 64, 1, true, "reference", 0, 0},  {33, 64, 4, false, NULL, 0, 0},
    };
    static char text[LONG_TEXT_MAX + 64];
    random_state = 20260302;
    for (int round = 0; round < rounds; round++) {
        struct csv_case test;
        csv_case_init(&test, text, make_text(text, longest, calmness));
        choose_options(&test.options);
        choose_columns(&test);
        struct csv_outcome model, first;
        csv_model_read(&test, &model);
        for (size_t i = 0; i < sizeof setups / sizeof *setups; i++) {
            if (i > 2 && i != 3 + (size_t)round % 5)
                continue;
            struct csv_outcome got;
            csv_case_read(&test, &setups[i], NULL, &got);
            if (!agrees(&model, &got) || (i > 0 && !csv_outcome_same(&first, &got))) {
                show(&test, &setups[i], i > 0 && agrees(&model, &got) ? &first : &model, &got);
                fail_msg("round %d", round);
            }
            if (i == 0)
                first = got;
            else
                csv_outcome_deinit(&got);
        }
        csv_outcome_deinit(&first);
        csv_outcome_deinit(&model);
    }
}

static void short_texts_agree_with_the_model(void **state) {
    (void)state;
    compare_random_texts(ROUNDS, TEXT_MAX, 12);
}

static void long_texts_agree_with_the_model(void **state) {
    (void)state;
    compare_random_texts(LONG_ROUNDS, LONG_TEXT_MAX, 4000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_texts_agree_with_the_model),
        cmocka_unit_test(long_texts_agree_with_the_model),
    };
    return cmocka_run_group_tests_name("io csv model", tests, NULL, NULL);
}
