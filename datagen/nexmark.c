/*
 * Nexmark's auction house (Tucker, Tufte, Papadimos and Maier; proportions, skew and columns as
 * in the suites of Apache Beam and Flink). Events come in rounds of 50: one person, three auctions,
 * 46 bids; what an event holds depends on its number and the seed alone.
 */
#include "datagen/datagen.h"
#include "datagen/line.h"
#include "datagen/nexmark_value.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PERSONS = 1,
    AUCTIONS = 3,
    ROUND = 50,
    FIRST_ID = 1000, /* of persons and of auctions */
    FIRST_CATEGORY = 10,
    CATEGORIES = 5,
    HOT_EVERY = 100,       /* one in so many persons and auctions is hot */
    HOT_AUCTION_ODDS = 2,  /* all but one in so many bids are for the hot auction */
    HOT_BIDDER_ODDS = 4,   /* ... are by the hot bidder */
    HOT_SELLER_ODDS = 4,   /* ... auctions are by the hot seller */
    HOT_CHANNEL_ODDS = 2,  /* ... bids come over a hot channel */
    ACTIVE_PERSONS = 1000, /* the last so many take part */
    OPEN_AUCTIONS = 100,   /* the last so many, on average */
    LEAD = 10,             /* ids so far ahead of their event */
    PERSON_BYTES = 200,    /* of a record, on average */
    AUCTION_BYTES = 500,
    BID_BYTES = 100,
    LINE_BYTES = 1024,
    STREAM_EVENTS = 16,
    MS_PER_SECOND = 1000,
};

/* 2024-12-31 23:59:55: even the smallest sets go over midnight, and have two days. */
static const int64_t first_ms = INT64_C(1735689595000);

enum kind { PERSON, AUCTION, BID, KINDS };

static const char *const names[KINDS] = {"person.csv", "auction.csv", "bid.csv"};

struct house {
    const struct datagen_nexmark *options;
    struct nexmark_tables *tables;
    struct datagen_lines lines[KINDS];
    char *paths[KINDS];
    int made[KINDS]; /* the file is there and is ours */
};

struct event {
    uint64_t number;
    int64_t time_ms;
    uint64_t last_person; /* that has come, from 0; an event's own counts */
    uint64_t last_auction;
    struct nexmark_dice dice;
};

static int64_t time_of(const struct datagen_nexmark *options, uint64_t number) {
    return first_ms + (int64_t)(number * MS_PER_SECOND / options->rate);
}

/* A person of those who are active, or of those about to come. */
static uint64_t choose_person(struct event *event) {
    const uint64_t count = event->last_person + 1;
    const uint64_t active = count < ACTIVE_PERSONS ? count : ACTIVE_PERSONS;
    return count - active + nexmark_below(&event->dice, active + LEAD);
}

static uint64_t choose_auction(struct event *event) {
    const uint64_t last = event->last_auction;
    const uint64_t first = last > OPEN_AUCTIONS ? last - OPEN_AUCTIONS : 0;
    return first + nexmark_below(&event->dice, last - first + 1 + LEAD);
}

/* The hot one of the latest hundred, in all but one of `odds` draws. */
static int is_hot(struct event *event, uint64_t odds) {
    return nexmark_below(&event->dice, odds) > 0;
}

static uint64_t hot_of(uint64_t last) {
    return last / HOT_EVERY * HOT_EVERY;
}

#define CHOICE_COUNT(list) (sizeof(list) / sizeof *(list))

static char *put_choice(char *at, struct nexmark_dice *dice, const char *const *list,
                        size_t count) {
    const char *text = list[nexmark_below(dice, count)];
    return datagen_put_bytes(at, text, strlen(text));
}

/* id, name, emailAddress, creditCard, city, state, dateTime, extra */
static char *put_person(struct house *house, struct event *event, char *at) {
    static const char *const first_names[] = {"Peter", "Paul",  "Luke",  "John",   "Saul",  "Vicky",
                                              "Kate",  "Julie", "Sarah", "Deiter", "Walter"};
    static const char *const last_names[] = {"Shultz", "Abrams", "Spencer", "White", "Bartels",
                                             "Walton", "Smith",  "Jones",   "Noris"};
    static const char *const cities[] = {"Phoenix",  "Los Angeles", "San Francisco", "Boise",
                                         "Portland", "Bend",        "Redmond",       "Seattle",
                                         "Kent",     "Cheyenne"};
    static const char *const states[] = {"AZ", "CA", "ID", "OR", "WA", "WY"};
    struct nexmark_dice *dice = &event->dice;
    at = datagen_put_number(at, FIRST_ID + event->last_person);
    *at++ = ',';
    const char *name = at;
    at = put_choice(at, dice, first_names, CHOICE_COUNT(first_names));
    *at++ = ' ';
    at = put_choice(at, dice, last_names, CHOICE_COUNT(last_names));
    *at++ = ',';
    at = nexmark_put_words(at, dice, 7);
    *at++ = '@';
    at = nexmark_put_words(at, dice, 5);
    at = datagen_put_bytes(at, ".com,", 5);
    for (int group = 0; group < 4; group++) {
        at = datagen_put_digits(at, nexmark_below(dice, 10000), 4);
        *at++ = group < 3 ? ' ' : ',';
    }
    at = put_choice(at, dice, cities, CHOICE_COUNT(cities));
    *at++ = ',';
    at = put_choice(at, dice, states, CHOICE_COUNT(states));
    const size_t size = 8 + (size_t)(at - name) - 4;
    *at++ = ',';
    at = datagen_put_time(&house->lines[PERSON], at, event->time_ms);
    *at++ = ',';
    return nexmark_put_extra(at, dice, size, PERSON_BYTES);
}

/* id, itemName, description, initialBid, reserve, dateTime, expires, seller, category, extra */
static char *put_auction(struct house *house, struct event *event, char *at) {
    struct nexmark_dice *dice = &event->dice;
    const uint64_t seller =
        is_hot(event, HOT_SELLER_ODDS) ? hot_of(event->last_person) : choose_person(event);
    const uint64_t first_bid = nexmark_price(house->tables, dice);
    const uint64_t reserve = first_bid + nexmark_price(house->tables, dice);
    /* On average an auction lasts until OPEN_AUCTIONS more have come. */
    const uint64_t later = event->number + OPEN_AUCTIONS * ROUND / AUCTIONS;
    const uint64_t horizon_ms = (uint64_t)(time_of(house->options, later) - event->time_ms);
    const uint64_t length_ms = 1 + nexmark_below(dice, horizon_ms ? 2 * horizon_ms : 1);
    at = datagen_put_number(at, FIRST_ID + event->last_auction);
    *at++ = ',';
    const char *name = at;
    at = nexmark_put_words(at, dice, 20);
    *at++ = ',';
    at = nexmark_put_words(at, dice, 100);
    const size_t size = 48 + (size_t)(at - name) - 1;
    *at++ = ',';
    at = datagen_put_number(at, first_bid);
    *at++ = ',';
    at = datagen_put_number(at, reserve);
    *at++ = ',';
    at = datagen_put_time(&house->lines[AUCTION], at, event->time_ms);
    *at++ = ',';
    at = datagen_put_time(&house->lines[AUCTION], at, event->time_ms + (int64_t)length_ms);
    *at++ = ',';
    at = datagen_put_number(at, FIRST_ID + seller);
    *at++ = ',';
    at = datagen_put_number(at, FIRST_CATEGORY + nexmark_below(dice, CATEGORIES));
    *at++ = ',';
    return nexmark_put_extra(at, dice, size, AUCTION_BYTES);
}

/* auction, bidder, price, channel, url, dateTime, extra */
static char *put_bid(struct house *house, struct event *event, char *at) {
    struct nexmark_dice *dice = &event->dice;
    const uint64_t auction =
        is_hot(event, HOT_AUCTION_ODDS) ? hot_of(event->last_auction) : choose_auction(event);
    /* The hot bidder comes after the hot seller, so that they do not meet. */
    const uint64_t bidder =
        is_hot(event, HOT_BIDDER_ODDS) ? hot_of(event->last_person) + 1 : choose_person(event);
    const struct nexmark_channel *channel =
        is_hot(event, HOT_CHANNEL_ODDS)
            ? &house->tables->hot[nexmark_below(dice, NEXMARK_HOT_CHANNELS)]
            : &house->tables->channels[nexmark_below(dice, NEXMARK_CHANNELS)];
    at = datagen_put_number(at, FIRST_ID + auction);
    *at++ = ',';
    at = datagen_put_number(at, FIRST_ID + bidder);
    *at++ = ',';
    at = datagen_put_number(at, nexmark_price(house->tables, dice));
    *at++ = ',';
    memcpy(at, channel->text, sizeof channel->text);
    at += channel->length;
    at = datagen_put_time(&house->lines[BID], at, event->time_ms);
    *at++ = ',';
    return nexmark_put_extra(at, dice, 32, BID_BYTES);
}

static int put_event(struct house *house, uint64_t number) {
    const uint64_t round = number / ROUND, place = number % ROUND;
    const enum kind kind = place < PERSONS ? PERSON : place < PERSONS + AUCTIONS ? AUCTION : BID;
    struct event event = {
        .number = number,
        .time_ms = time_of(house->options, number),
        .last_person = round,
        .last_auction = round * AUCTIONS + (kind == AUCTION ? place - PERSONS : AUCTIONS - 1),
        .dice = {datagen_random(house->options->seed, STREAM_EVENTS, number)},
    };
    char *at = datagen_lines_reserve(&house->lines[kind], LINE_BYTES);
    if (!at)
        return -1;
    switch (kind) {
    case PERSON: at = put_person(house, &event, at); break;
    case AUCTION: at = put_auction(house, &event, at); break;
    default: at = put_bid(house, &event, at);
    }
    *at++ = '\n';
    datagen_lines_add(&house->lines[kind], at);
    return 0;
}

static int open_files(struct house *house, const char *folder) {
    house->tables = malloc(sizeof *house->tables);
    if (!house->tables || (mkdir(folder, 0777) != 0 && errno != EEXIST))
        return -1;
    nexmark_tables_fill(house->tables, house->options->seed);
    for (int kind = 0; kind < KINDS; kind++) {
        const size_t byte_count = strlen(folder) + strlen(names[kind]) + 2;
        house->paths[kind] = malloc(byte_count);
        if (!house->paths[kind])
            return -1;
        snprintf(house->paths[kind], byte_count, "%s/%s", folder, names[kind]);
        FILE *out = fopen(house->paths[kind], "wb");
        if (!out)
            return -1;
        house->made[kind] = 1;
        if (datagen_lines_init(&house->lines[kind], out) != 0)
            return -1;
    }
    return 0;
}

static int write_events(struct house *house) {
    for (uint64_t number = 0; number < house->options->event_count; number++)
        if (put_event(house, number) != 0)
            return -1;
    for (int kind = 0; kind < KINDS; kind++)
        if (datagen_lines_flush(&house->lines[kind]) != 0)
            return -1;
    return 0;
}

int datagen_nexmark(const struct datagen_nexmark *options, const char *folder) {
    struct house house = {.options = options};
    int failed = open_files(&house, folder) != 0 || write_events(&house) != 0;
    int cause = errno;
    for (int kind = 0; kind < KINDS; kind++) {
        if (house.lines[kind].out && fclose(house.lines[kind].out) != 0 && !failed) {
            cause = errno;
            failed = 1;
        }
        datagen_lines_deinit(&house.lines[kind]);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        if (failed && house.made[kind])
            unlink(house.paths[kind]);
        free(house.paths[kind]);
    }
    free(house.tables);
    errno = cause;
    return failed ? -1 : 0;
}
