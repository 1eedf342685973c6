/*
 * Values of the Nexmark model that do not depend on other events: prices, words, channels.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "datagen/random.h"

/* Random numbers of one event, one after the other. */
struct nexmark_dice {
    uint64_t state;
};

static inline uint64_t nexmark_roll(struct nexmark_dice *dice) {
    const uint64_t value = datagen_mix(dice->state);
    dice->state += UINT64_C(0x9E3779B97F4A7C15);
    return value;
}

static inline uint64_t nexmark_below(struct nexmark_dice *dice, uint64_t bound) {
    return datagen_below(nexmark_roll(dice), bound);
}

enum {
    NEXMARK_PRICE_STEPS = 4096,
    NEXMARK_CHANNELS = 10000,
    NEXMARK_HOT_CHANNELS = 4,
    NEXMARK_CHANNEL_BYTES = 96,
};

/* `channel,url,` as they stand in a bid. */
struct nexmark_channel {
    uint8_t length;
    char text[NEXMARK_CHANNEL_BYTES - 1];
};

struct nexmark_tables {
    double prices[NEXMARK_PRICE_STEPS + 1]; /* 100 x 10^(6 k / steps) */
    struct nexmark_channel hot[NEXMARK_HOT_CHANNELS];
    struct nexmark_channel channels[NEXMARK_CHANNELS];
};

/* Uses the four basic operations only, so the tables are the same anywhere. */
void nexmark_tables_fill(struct nexmark_tables *tables, uint64_t seed);

/* A price in cents from 100 to 100000000, whose logarithm is equally distributed. */
uint64_t nexmark_price(const struct nexmark_tables *tables, struct nexmark_dice *dice);

/* These write at `at` and return the end. */

/* `length` letters; may write up to 7 bytes more. */
char *nexmark_put_letters(char *at, struct nexmark_dice *dice, size_t length);
/* 3 to `limit` - 1 letters, of which one in 13 is a blank; none at the ends, so there may be fewer.
 */
char *nexmark_put_words(char *at, struct nexmark_dice *dice, size_t limit);
/* A filler that brings a record of `size` bytes to `average` bytes on average, 20 % of the filler
 * more or less. */
char *nexmark_put_extra(char *at, struct nexmark_dice *dice, size_t size, size_t average);
