/*
 * Orders: order_id, shop, amount, ts, on average ten a second from 2024-01-01. Disorder and
 * shuffling change the order of the rows, never their content.
 */
#include "datagen/datagen.h"
#include "datagen/random.h"
#include "datagen/zipf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    INTERVAL_MS = 200, /* times rise by 0 to 199 ms a row */
    AMOUNTS = 100000,
    LINE_BYTES = 128,
    BUFFER_BYTES = 1 << 20,
    MS_PER_DAY = 86400000,
    DIGITS_MIN = 4,
};

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
    FILE *out;
    char *buffer;
    size_t length;
    int64_t day;
    char day_text[11];
};

static char *put_digits(char *at, uint64_t value, unsigned digits) {
    for (unsigned i = digits; i-- > 0; value /= 10)
        at[i] = (char)('0' + value % 10);
    return at + digits;
}

static unsigned count_digits(uint64_t value) {
    unsigned digits = 1;
    while (value >= 10) {
        value /= 10;
        digits++;
    }
    return digits;
}

/* yyyy-MM-dd of a day after 1970, by the civil calendar's cycle of 146097 days. */
static void put_day(char text[11], int64_t days) {
    const int64_t z = days + 719468, era = z / 146097, of_era = z - era * 146097;
    const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t shifted = (5 * of_year + 2) / 153;
    const int64_t day = of_year - (153 * shifted + 2) / 5 + 1;
    const int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
    const int64_t year = year_of_era + era * 400 + (month <= 2);
    put_digits(text, (uint64_t)year, 4);
    text[4] = '-';
    put_digits(text + 5, (uint64_t)month, 2);
    text[7] = '-';
    put_digits(text + 8, (uint64_t)day, 2);
}

static char *put_time(struct writer *writer, char *at, int64_t time_ms) {
    const int64_t day = time_ms / MS_PER_DAY;
    if (day != writer->day) {
        writer->day = day;
        put_day(writer->day_text, day);
    }
    const uint64_t ms = (uint64_t)(time_ms - day * MS_PER_DAY);
    memcpy(at, writer->day_text, 10);
    at[10] = ' ';
    at = put_digits(at + 11, ms / 3600000, 2);
    *at++ = ':';
    at = put_digits(at, ms / 60000 % 60, 2);
    *at++ = ':';
    at = put_digits(at, ms / 1000 % 60, 2);
    *at++ = '.';
    return put_digits(at, ms % 1000, 3);
}

/* A decision with probability `share`, from a third of the bits of a random number. */
static int happens(uint64_t random, unsigned third, double share) {
    return (double)(random >> (21 * third) & 0x1FFFFF) < share * 0x200000;
}

static int flush(struct writer *writer) {
    const size_t written = fwrite(writer->buffer, 1, writer->length, writer->out);
    if (written != writer->length)
        return -1;
    writer->length = 0;
    return 0;
}

static int put_row(struct writer *writer, uint64_t index, int64_t time_ms) {
    const struct datagen_orders *options = writer->options;
    if (writer->length + LINE_BYTES > BUFFER_BYTES && flush(writer) != 0)
        return -1;
    const uint64_t nulls = datagen_random(options->seed, STREAM_NULLS, index);
    char *at = writer->buffer + writer->length;
    at = put_digits(at, index + 1, count_digits(index + 1));
    *at++ = ',';
    if (!happens(nulls, 0, options->null_share)) {
        const uint64_t random = datagen_random(options->seed, STREAM_SHOP, index);
        const uint64_t shop = writer->use_zipf ? datagen_zipf_draw(&writer->zipf, random)
                                               : datagen_below(random, options->key_count);
        memcpy(at, "shop_", 5);
        at = put_digits(at + 5, shop, writer->shop_digits);
    }
    *at++ = ',';
    if (!happens(nulls, 1, options->null_share)) {
        const uint64_t amount =
            datagen_below(datagen_random(options->seed, STREAM_AMOUNT, index), AMOUNTS);
        at = put_digits(at, amount, count_digits(amount));
    }
    *at++ = ',';
    if (!happens(nulls, 2, options->null_times))
        at = put_time(writer, at, time_ms);
    *at++ = '\n';
    writer->length = (size_t)(at - writer->buffer);
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
    struct writer writer = {.options = options, .out = out, .day = -1};
    writer.use_zipf = options->skew > 0;
    writer.shop_digits = count_digits(options->key_count - 1);
    if (writer.shop_digits < DIGITS_MIN)
        writer.shop_digits = DIGITS_MIN;
    writer.buffer = malloc(BUFFER_BYTES);
    int failed = !writer.buffer;
    if (!failed && writer.use_zipf)
        failed = datagen_zipf_init(&writer.zipf, options->key_count, options->skew);
    if (!failed)
        failed = options->shuffle      ? write_shuffled(&writer)
                 : options->disorder_s ? write_displaced(&writer)
                                       : write_in_order(&writer);
    if (!failed)
        failed = flush(&writer);
    datagen_zipf_deinit(&writer.zipf);
    free(writer.buffer);
    return failed ? -1 : 0;
}
