/*
 * Prices, words and channels of Nexmark. Prices come from a table of the exponential function with
 * straight lines between its points; letters come eight at a time from one random number.
 */
#include "datagen/nexmark_value.h"

#include "datagen/line.h"

enum { WORD_MIN = 3, BLANK_ODDS = 13, LETTERS = 26, PATH_PARTS = 3, STREAM_CHANNELS = 15 };

/* 10^(6 / NEXMARK_PRICE_STEPS): as many square roots as the steps have bits, by Newton's method. */
static double price_step(void) {
    double root = 1e6;
    for (unsigned steps = NEXMARK_PRICE_STEPS; steps > 1; steps /= 2) {
        const double square = root;
        for (int i = 0; i < 40; i++)
            root = (root + square / root) / 2;
    }
    return root;
}

static void put_channel(struct nexmark_channel *channel, const char *name, int number,
                        struct nexmark_dice *dice) {
    char *at = datagen_put_bytes(channel->text, name, strlen(name));
    if (number >= 0)
        at = datagen_put_number(at, (uint64_t)number);
    static const char host[] = ",https://www.nexmark.com/", page[] = "item.htm?query=1",
                      parameter[] = "&channel_id=";
    at = datagen_put_bytes(at, host, sizeof host - 1);
    for (int part = 0; part < PATH_PARTS; part++) {
        for (uint64_t i = WORD_MIN + nexmark_below(dice, 2); i > 0; i--) {
            const uint64_t letter = nexmark_below(dice, LETTERS);
            *at++ = nexmark_below(dice, BLANK_ODDS) ? (char)('a' + letter) : '_';
        }
        *at++ = '/';
    }
    at = datagen_put_bytes(at, page, sizeof page - 1);
    if (number >= 0 && nexmark_below(dice, 10) > 0) {
        uint32_t reversed = 0;
        for (unsigned bit = 0; bit < 32; bit++)
            reversed |= ((uint32_t)number >> bit & 1) << (31 - bit);
        const int64_t id = reversed > INT32_MAX ? (INT64_C(1) << 32) - reversed : reversed;
        at = datagen_put_bytes(at, parameter, sizeof parameter - 1);
        at = datagen_put_number(at, (uint64_t)id);
    }
    *at++ = ',';
    channel->length = (uint8_t)(at - channel->text);
}

void nexmark_tables_fill(struct nexmark_tables *tables, uint64_t seed) {
    static const char *const hot[NEXMARK_HOT_CHANNELS] = {"Google", "Facebook", "Baidu", "Apple"};
    const double step = price_step();
    double price = 100;
    for (unsigned k = 0; k <= NEXMARK_PRICE_STEPS; k++) {
        tables->prices[k] = price;
        price *= step;
    }
    struct nexmark_dice dice = {datagen_random(seed, STREAM_CHANNELS, 0)};
    for (int i = 0; i < NEXMARK_HOT_CHANNELS; i++)
        put_channel(&tables->hot[i], hot[i], -1, &dice);
    for (int i = 0; i < NEXMARK_CHANNELS; i++)
        put_channel(&tables->channels[i], "channel-", i, &dice);
}

uint64_t nexmark_price(const struct nexmark_tables *tables, struct nexmark_dice *dice) {
    const uint64_t random = nexmark_roll(dice);
    const size_t at = random >> 52;
    const double part = (double)(random & 0xFFFFFFFFFFFFF) / 4503599627370496.0; /* 2^52 */
    const double low = tables->prices[at], high = tables->prices[at + 1];
    return (uint64_t)(low + part * (high - low) + 0.5);
}

char *nexmark_put_letters(char *at, struct nexmark_dice *dice, size_t length) {
    for (size_t i = 0; i < length; i += 8) {
        const uint64_t random = nexmark_roll(dice), lanes = UINT64_C(0x00FF00FF00FF00FF);
        const uint64_t even = (random & lanes) * LETTERS >> 8 & lanes;
        const uint64_t odd = (random >> 8 & lanes) * LETTERS >> 8 & lanes;
        const uint64_t letters = (even | odd << 8) + UINT64_C(0x6161616161616161);
        for (unsigned byte = 0; byte < 8; byte++)
            at[i + byte] = (char)(letters >> 8 * byte);
    }
    return at + length;
}

char *nexmark_put_words(char *at, struct nexmark_dice *dice, size_t limit) {
    const size_t length = WORD_MIN + nexmark_below(dice, limit - WORD_MIN);
    nexmark_put_letters(at, dice, length);
    for (size_t i = 0; i < length; i += 8) {
        const uint64_t random = nexmark_roll(dice);
        for (size_t k = 0; k < 8 && i + k < length; k++)
            if ((random >> 8 * k & 0xFF) * BLANK_ODDS < 256)
                at[i + k] = ' ';
    }
    size_t first = 0, end = length;
    while (first < end && at[first] == ' ')
        first++;
    while (end > first && at[end - 1] == ' ')
        end--;
    memmove(at, at + first, end - first);
    return at + (end - first);
}

char *nexmark_put_extra(char *at, struct nexmark_dice *dice, size_t size, size_t average) {
    if (size >= average)
        return at;
    const size_t filler = average - size, spread = (filler * 2 + 5) / 10;
    const size_t more = spread ? nexmark_below(dice, 2 * spread) : 0;
    return nexmark_put_letters(at, dice, filler - spread + more);
}
