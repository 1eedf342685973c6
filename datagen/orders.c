/*
 * Orders: order_id, shop, amount, ts, on average ten a second from 2024-01-01. Disorder and
 * shuffling change the order of the rows, never their content.
 */
#include "datagen/datagen.h"
#include "datagen/line.h"
#include "datagen/random.h"
#include "datagen/zipf.h"

#include <stdlib.h>

enum {
    INTERVAL_MS = 200, /* times rise by 0 to 199 ms a row */
    AMOUNTS = 100000,
    LINE_BYTES = 128,
    DIGITS_MIN = 4,
};

/* Numbers of ten digits: key * key_step modulo key_numbers, to which it is prime, so that
 * neighbouring keys lie far apart and no two are the same. */
static const uint64_t key_numbers = UINT64_C(9000000000);
static const uint64_t key_step = UINT64_C(1736503429);

static const int64_t first_ms = INT64_C(1704067200000);

enum stream { STREAM_TIME, STREAM_SHOP, STREAM_AMOUNT, STREAM_NULLS, STREAM_PLACE };

struct row {
    uint64_t index;
    int64_t time_ms;
    int64_t place; /* rows are written by rising place, then index */
};

struct writer {
    const struct datagen_orders *options;
    struct datagen_zipf zipf;
    int use_zipf;
    unsigned shop_digits;
    struct datagen_lines lines;
};

/* A decision with probability `share`, from a third of the bits of a random number. */
static int happens(uint64_t random, unsigned third, double share) {
    return (double)(random >> (21 * third) & 0x1FFFFF) < share * 0x200000;
}

static char *put_key(const struct writer *writer, char *at, uint64_t key) {
    if (writer->options->numbers)
        return datagen_put_number(at, key_numbers / 9 + key * key_step % key_numbers);
    at = datagen_put_bytes(at, "shop_", 5);
    return datagen_put_digits(at, key, writer->shop_digits);
}

static int put_row(struct writer *writer, uint64_t index, int64_t time_ms) {
    const struct datagen_orders *options = writer->options;
    char *at = datagen_lines_reserve(&writer->lines, LINE_BYTES);
    if (!at)
        return -1;
    const uint64_t nulls = datagen_random(options->seed, STREAM_NULLS, index);
    at = datagen_put_number(at, index + 1);
    *at++ = ',';
    if (!happens(nulls, 0, options->null_share)) {
        const uint64_t random = datagen_random(options->seed, STREAM_SHOP, index);
        const uint64_t shop = writer->use_zipf ? datagen_zipf_draw(&writer->zipf, random)
                                               : datagen_below(random, options->key_count);
        at = put_key(writer, at, shop);
    }
    *at++ = ',';
    if (!happens(nulls, 1, options->null_share)) {
        const uint64_t amount =
            datagen_below(datagen_random(options->seed, STREAM_AMOUNT, index), AMOUNTS);
        at = datagen_put_number(at, amount);
    }
    *at++ = ',';
    if (!happens(nulls, 2, options->null_times))
        at = datagen_put_time(&writer->lines, at, time_ms);
    *at++ = '\n';
    datagen_lines_add(&writer->lines, at);
    return 0;
}

static int64_t next_time(const struct datagen_orders *options, uint64_t index, int64_t before_ms) {
    return before_ms +
           (int64_t)datagen_below(datagen_random(options->seed, STREAM_TIME, index), INTERVAL_MS);
}

static int write_in_order(struct writer *writer) {
    int64_t time_ms = first_ms;
    for (uint64_t i = 0; i < writer->options->row_count; i++) {
        time_ms = next_time(writer->options, i, time_ms);
        if (put_row(writer, i, time_ms) != 0)
            return -1;
    }
    return 0;
}

/* A binary heap of rows that wait for their place. */
struct waiting {
    struct row *rows;
    size_t count;
    size_t capacity;
};

static int before(const struct row *a, const struct row *b) {
    return a->place != b->place ? a->place < b->place : a->index < b->index;
}

static int waiting_push(struct waiting *waiting, struct row row) {
    if (waiting->count == waiting->capacity) {
        const size_t capacity = waiting->capacity ? waiting->capacity * 2 : 1024;
        struct row *grown = realloc(waiting->rows, capacity * sizeof *grown);
        if (!grown)
            return -1;
        waiting->rows = grown;
        waiting->capacity = capacity;
    }
    size_t at = waiting->count++;
    while (at && before(&row, &waiting->rows[(at - 1) / 2])) {
        waiting->rows[at] = waiting->rows[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    waiting->rows[at] = row;
    return 0;
}

static struct row waiting_pop(struct waiting *waiting) {
    const struct row first = waiting->rows[0];
    const struct row last = waiting->rows[--waiting->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < waiting->count; at = child) {
        if (child + 1 < waiting->count && before(&waiting->rows[child + 1], &waiting->rows[child]))
            child++;
        if (!before(&waiting->rows[child], &last))
            break;
        waiting->rows[at] = waiting->rows[child];
    }
    waiting->rows[at] = last;
    return first;
}

static int write_displaced(struct writer *writer) {
    const struct datagen_orders *options = writer->options;
    const int64_t reach_ms = (int64_t)options->disorder_s * 1000;
    struct waiting waiting = {0};
    int64_t time_ms = first_ms;
    int failed = 0;
    for (uint64_t i = 0; i < options->row_count && !failed; i++) {
        time_ms = next_time(options, i, time_ms);
        const int64_t shift = (int64_t)datagen_below(datagen_random(options->seed, STREAM_PLACE, i),
                                                     2 * (uint64_t)reach_ms + 1) -
                              reach_ms;
        failed = waiting_push(&waiting, (struct row){i, time_ms, time_ms + shift});
        while (!failed && waiting.count && waiting.rows[0].place < time_ms - reach_ms) {
            const struct row row = waiting_pop(&waiting);
            failed = put_row(writer, row.index, row.time_ms);
        }
    }
    while (!failed && waiting.count) {
        const struct row row = waiting_pop(&waiting);
        failed = put_row(writer, row.index, row.time_ms);
    }
    free(waiting.rows);
    return failed ? -1 : 0;
}

static int write_shuffled(struct writer *writer) {
    const struct datagen_orders *options = writer->options;
    struct row *rows = malloc((options->row_count + 1) * sizeof *rows);
    if (!rows)
        return -1;
    int64_t time_ms = first_ms;
    for (uint64_t i = 0; i < options->row_count; i++) {
        time_ms = next_time(options, i, time_ms);
        rows[i] = (struct row){i, time_ms, 0};
    }
    for (uint64_t i = options->row_count; i > 1; i--) { /* Fisher and Yates */
        const uint64_t other = datagen_below(datagen_random(options->seed, STREAM_PLACE, i), i);
        const struct row row = rows[i - 1];
        rows[i - 1] = rows[other];
        rows[other] = row;
    }
    int failed = 0;
    for (uint64_t i = 0; i < options->row_count && !failed; i++)
        failed = put_row(writer, rows[i].index, rows[i].time_ms);
    free(rows);
    return failed ? -1 : 0;
}

int datagen_orders(const struct datagen_orders *options, FILE *out) {
    struct writer writer = {.options = options};
    writer.use_zipf = options->skew > 0;
    writer.shop_digits = datagen_count_digits(options->key_count - 1);
    if (writer.shop_digits < DIGITS_MIN)
        writer.shop_digits = DIGITS_MIN;
    int failed = datagen_lines_init(&writer.lines, out);
    if (!failed && writer.use_zipf)
        failed = datagen_zipf_init(&writer.zipf, options->key_count, options->skew);
    if (!failed)
        failed = options->shuffle      ? write_shuffled(&writer)
                 : options->disorder_s ? write_displaced(&writer)
                                       : write_in_order(&writer);
    if (!failed)
        failed = datagen_lines_flush(&writer.lines);
    datagen_zipf_deinit(&writer.zipf);
    datagen_lines_deinit(&writer.lines);
    return failed ? -1 : 0;
}
