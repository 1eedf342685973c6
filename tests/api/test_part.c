/*
 * Queries in parts: rows are split at random into 1 to 50 parts, states of the parts are merged in
 * a random grouping, and the finished rows are the bytes of one run over everything.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/api/program_case.h"

enum { ROWS = 2000, PARTS_MAX = 50, ARRAYS_MAX = 8 };

static const char table_columns[] =
    "shop STRING, n INT, d DOUBLE, m DECIMAL(10, 2), ts TIMESTAMP(3), WATERMARK FOR ts AS ts";

static const char *const queries[] = {
    "SELECT window_start, window_end, shop, COUNT(*) AS c, SUM(n) AS s, AVG(d) AS a, MIN(m) AS lo,"
    " MAX(shop) AS hi, STDDEV_POP(d) AS sd, VAR_SAMP(n) AS v FROM TUMBLE(TABLE t, DESCRIPTOR(ts),"
    " INTERVAL '10' MINUTE) GROUP BY window_start, window_end, shop",
    "SELECT window_start, shop, COUNT(DISTINCT n) AS c, FIRST_VALUE(n) AS f, LAST_VALUE(d) AS l,"
    " SUM(d) FILTER (WHERE n > 5) AS s FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE,"
    " INTERVAL '20' MINUTE) GROUP BY window_start, window_end, shop HAVING COUNT(*) > 1",
    "SELECT window_end, SUM(m) AS s, LISTAGG(CAST(n AS STRING)) AS l FROM CUMULATE(TABLE t, "
    "DESCRIPTOR(ts),"
    " INTERVAL '10' MINUTE, INTERVAL '30' MINUTE) GROUP BY window_start, window_end",
    "SELECT window_start, window_end, shop, COUNT(*) AS c, SUM(d) AS s FROM SESSION(TABLE t"
    " PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, "
    "shop",
    "SELECT shop, n, COUNT(*) AS c, SUM(d) AS s FROM t GROUP BY GROUPING SETS ((shop, n), (shop), "
    "()) ORDER BY c DESC, shop, n LIMIT 40",
    "SELECT COUNT(*) AS c, SUM(d) AS s, AVG(m) AS a, MAX(ts) AS t FROM t WHERE n < 9",
    "SELECT window_start, shop, s FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start,"
    " window_end ORDER BY s DESC) AS r FROM (SELECT window_start, window_end, shop, SUM(n) AS s "
    "FROM"
    " TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end,"
    " shop)) WHERE r <= 2",
    "SELECT DISTINCT shop, n FROM t",
};

static uint64_t random_state;

static uint64_t next_random(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return random_state >> 33;
}

static int collect(void *context, const char *bytes, size_t length) {
    struct collected *out = context;
    if (out->length + length >= sizeof out->bytes)
        return ENOSPC;
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
    out->bytes[out->length] = '\0';
    return 0;
}

static void write_row(FILE *file, size_t i) {
    uint64_t hash = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 31;
    const unsigned second = (unsigned)(i * 3 + hash % 90);
    fprintf(file, "shop number %u of a long list,%d,%.17g,%u.%02u,2024-01-01 %02u:%02u:%02u\n",
            (unsigned)(hash >> 8) % 5, (int)(hash >> 16 & 15) - 3,
            (double)(int)(hash >> 20 & 0xffff) / 7e3 * (double)(1 + hash % 1000000),
            (unsigned)(hash >> 24) % 1000, (unsigned)(hash >> 40) % 100, 8 + second / 3600,
            second / 60 % 60, second % 60);
}

/* Files 0 .. part_count - 1 with rows in order, cut at random places; some are empty. */
static void write_parts(size_t part_count) {
    char name[32];
    size_t row = 0;
    for (size_t p = 0; p < part_count; p++) {
        snprintf(name, sizeof name, "part-%zu.csv", p);
        FILE *file = fopen(name, "w");
        assert_non_null(file);
        const size_t left = ROWS - row;
        size_t count = left ? next_random() % (2 * left / (part_count - p) + 1) : 0;
        if (p + 1 == part_count || count > left)
            count = left;
        for (size_t i = 0; i < count; i++)
            write_row(file, row++);
        fclose(file);
    }
}

/* States in memory, which outlive the engine that made them, as a stream gives them. */
struct states {
    struct ArrowSchema schema;
    struct ArrowArray arrays[ARRAYS_MAX];
    size_t array_count;
};

/* A stream over the states of several, which are used up. */
struct reading {
    struct states *from[PARTS_MAX];
    size_t count, next;
};

static int read_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    struct reading *it = stream->private_data;
    *out = it->from[0]->schema;
    it->from[0]->schema.release = NULL;
    return 0;
}

static int read_array(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct reading *it = stream->private_data;
    while (it->next < it->count && !it->from[it->next]->array_count)
        it->next++;
    *out = (struct ArrowArray){0};
    if (it->next < it->count)
        *out = it->from[it->next]->arrays[--it->from[it->next]->array_count];
    return 0;
}

static void release_reading(struct ArrowArrayStream *stream) {
    struct reading *it = stream->private_data;
    for (size_t i = 0; i < it->count; i++) {
        struct states *from = it->from[i];
        while (from->array_count) {
            from->array_count--;
            from->arrays[from->array_count].release(&from->arrays[from->array_count]);
        }
        if (from->schema.release)
            from->schema.release(&from->schema);
    }
    stream->release = NULL;
}

/* Runs a part of the query; its rows go to `states` or, as CSV, to `out`. */
static enum oriel_status run_part(const char *sql, enum oriel_part part, size_t number,
                                  struct reading *from, struct states *states,
                                  struct collected *out, struct oriel_error *error) {
    struct oriel_part_options options = ORIEL_PART_OPTIONS_INIT;
    struct ArrowArrayStream given = {read_schema, read_array, NULL, release_reading, from};
    struct ArrowArrayStream stream;
    struct oriel_engine *engine = program_open();
    struct oriel_script *script;
    struct oriel_result *result = NULL;
    char path[32];
    snprintf(path, sizeof path, "part-%zu.csv", number);
    options.part = part;
    options.number = (uint32_t)number;
    options.states = from ? &given : NULL;
    assert_int_equal(oriel_engine_register_csv(engine, "t", path, table_columns, error), 0);
    assert_int_equal(oriel_script_open(engine, sql, strlen(sql), NULL, &script, error), ORIEL_OK);
    enum oriel_status status = oriel_script_next_part(script, &options, &result, error);
    if (from && status != ORIEL_OK)
        assert_null(given.release);
    if (status == ORIEL_OK && out) {
        struct oriel_output output = ORIEL_OUTPUT_INIT;
        output.write = collect;
        output.write_context = out;
        output.format = ORIEL_FORMAT_CSV;
        status = oriel_result_write(result, &output, error);
    } else if (status == ORIEL_OK) {
        assert_int_equal(oriel_result_export_arrow(&result, &stream, error), ORIEL_OK);
        assert_int_equal(stream.get_schema(&stream, &states->schema), 0);
        do {
            assert_true(states->array_count < ARRAYS_MAX);
            assert_int_equal(stream.get_next(&stream, &states->arrays[states->array_count]), 0);
        } while (states->arrays[states->array_count].release && ++states->array_count);
        stream.release(&stream);
    }
    oriel_result_close(&result);
    oriel_script_close(&script);
    oriel_engine_close(&engine);
    return status;
}

static void check_part(const char *sql, enum oriel_part part, size_t number, struct reading *from,
                       struct states *states, struct collected *out) {
    struct oriel_error error = {0};
    if (run_part(sql, part, number, from, states, out, &error) != ORIEL_OK)
        fail_msg("%s: %s", sql, error.message);
}

/* Moves some of `pool`, picked at random, to a reading. */
static void take_some(struct states **pool, size_t *pool_count, size_t count,
                      struct reading *reading) {
    *reading = (struct reading){0};
    while (count--) {
        const size_t at = next_random() % *pool_count;
        reading->from[reading->count++] = pool[at];
        pool[at] = pool[--*pool_count];
    }
}

static void run_parts(const char *sql, size_t part_count, struct collected *out) {
    static struct states all[2 * PARTS_MAX];
    struct states *pool[PARTS_MAX];
    struct reading reading;
    size_t made = 0, pool_count = 0;
    memset(all, 0, sizeof all);
    write_parts(part_count);
    for (size_t p = 0; p < part_count; p++) {
        check_part(sql, ORIEL_PART_PARTIAL, p, NULL, &all[made], NULL);
        pool[pool_count++] = &all[made++];
    }
    while (pool_count > 1 && next_random() % 5) {
        const size_t count = 2 + next_random() % (pool_count - 1);
        take_some(pool, &pool_count, count, &reading);
        check_part(sql, ORIEL_PART_MERGE, 0, &reading, &all[made], NULL);
        pool[pool_count++] = &all[made++];
    }
    take_some(pool, &pool_count, pool_count, &reading);
    check_part(sql, ORIEL_PART_FINISH, 0, &reading, NULL, out);
}

static void clean(void) {
    char name[32];
    for (size_t p = 0; p < PARTS_MAX; p++) {
        snprintf(name, sizeof name, "part-%zu.csv", p);
        unlink(name);
    }
}

static void parts_give_the_whole(void **state) {
    (void)state;
    static const size_t part_counts[] = {1, 2, 7, PARTS_MAX};
    struct collected *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
    assert_true(want && got);
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        struct oriel_engine *engine = program_open();
        want->length = 0;
        write_parts(1);
        assert_int_equal(oriel_engine_register_csv(engine, "t", "part-0.csv", table_columns, NULL),
                         0);
        assert_int_equal(program_run(engine, queries[q], want, NULL), ORIEL_OK);
        assert_true(want->length > 60);
        oriel_engine_close(&engine);
        for (size_t i = 0; i < sizeof part_counts / sizeof *part_counts; i++) {
            got->length = 0;
            random_state = q * 100 + i;
            run_parts(queries[q], part_counts[i], got);
            if (strcmp(got->bytes, want->bytes) != 0)
                print_error("%zu parts: %s\n", part_counts[i], queries[q]);
            assert_string_equal(got->bytes, want->bytes);
        }
    }
    clean();
    free(want);
    free(got);
}

static void check_refused(const char *sql, enum oriel_status status, const char *words) {
    struct oriel_error error = {0};
    struct states states = {0};
    assert_int_equal(run_part(sql, ORIEL_PART_PARTIAL, 0, NULL, &states, NULL, &error), status);
    if (!strstr(error.message, words))
        fail_msg("%s", error.message);
}

static void others_are_refused_by_name(void **state) {
    (void)state;
    write_parts(1);
    check_refused("SELECT * FROM t", ORIEL_UNSUPPORTED, "no aggregation");
    check_refused("SELECT a.shop, COUNT(*) FROM t AS a JOIN t AS b ON a.n = b.n GROUP BY a.shop",
                  ORIEL_UNSUPPORTED, "a join");
    check_refused("SELECT SUM(n) FROM (SELECT n FROM t ORDER BY n LIMIT 3)", ORIEL_UNSUPPORTED,
                  "below its aggregation");
    check_refused("SELECT COUNT(*) FROM t UNION ALL SELECT 1", ORIEL_UNSUPPORTED, "UNION");
    check_refused("SHOW TABLES", ORIEL_INVALID, "only a query");
    check_refused("SELECT nope FROM t", ORIEL_INVALID, "nope");
    clean();
}

static void wrong_states_are_refused(void **state) {
    (void)state;
    static const char sum[] = "SELECT shop, SUM(n) AS s FROM t GROUP BY shop";
    struct oriel_error error = {0};
    struct states states = {0};
    struct reading reading = {.from = {&states}, .count = 1};
    struct collected *out = calloc(1, sizeof *out);
    assert_non_null(out);
    write_parts(1);
    check_part("SELECT shop, MIN(n) AS s FROM t GROUP BY shop", ORIEL_PART_PARTIAL, 0, NULL,
               &states, NULL);
    assert_int_equal(run_part(sum, ORIEL_PART_FINISH, 0, &reading, NULL, out, &error), ORIEL_DATA);
    assert_non_null(strstr(error.message, "not of this query"));
    check_part(sum, ORIEL_PART_PARTIAL, 0, NULL, &states, NULL);
    const struct ArrowArray *saved = states.arrays[0].children[3];
    ((char *)(uintptr_t)saved->buffers[2])[1] ^= 1;
    reading = (struct reading){.from = {&states}, .count = 1};
    assert_int_equal(run_part(sum, ORIEL_PART_FINISH, 0, &reading, NULL, out, &error), ORIEL_DATA);
    assert_non_null(strstr(error.message, "a state of SUM is damaged"));
    clean();
    free(out);
}

int main(void) {
#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, program_enter_folder, program_leave_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(parts_give_the_whole),
        IN_FOLDER(others_are_refused_by_name),
        IN_FOLDER(wrong_states_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
