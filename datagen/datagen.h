/*
 * Deterministic data sets: the same options give the same bytes on every machine. Shares no code
 * with the engine.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

struct datagen_orders {
    uint64_t row_count;
    uint64_t key_count; /* shops */
    int numbers;        /* keys are numbers of ten digits and not the names of shops */
    uint64_t seed;
    uint64_t disorder_s; /* rows leave their place by up to this much event time */
    int shuffle;         /* any order at all */
    double skew;         /* exponent of Zipf's law over the shops; 0: all equally likely */
    double null_share;   /* of shop, and apart from it of amount, 0..1 */
    double null_times;   /* of ts */
};

/* Write CSV without a header; 0, or -1 with errno set. */
int datagen_orders(const struct datagen_orders *options, FILE *out);
int datagen_lab(FILE *out);

struct datagen_nexmark {
    uint64_t event_count; /* of all three kinds, 1 : 3 : 46 */
    uint64_t rate;        /* events a second of event time */
    uint64_t seed;
};

/* Writes person.csv, auction.csv and bid.csv into the folder, which is made if it is missing. 0, or
 * -1 with errno set; then none of the files is left. */
int datagen_nexmark(const struct datagen_nexmark *options, const char *folder);
