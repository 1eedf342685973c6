/*
 * Choices with the probabilities of Zipf's law: place k of n is drawn with weight 1 / (k + 1)^skew.
 */
#pragma once

#include <stdint.h>

struct datagen_zipf {
    uint64_t count;
    uint64_t *limits; /* place k is drawn for random numbers below limits[k] */
};

/* 0, or -1 without memory. Uses the four basic operations only, so the limits are the same
 * anywhere. */
int datagen_zipf_init(struct datagen_zipf *zipf, uint64_t count, double skew);
void datagen_zipf_deinit(struct datagen_zipf *zipf);
uint64_t datagen_zipf_draw(const struct datagen_zipf *zipf, uint64_t random);
