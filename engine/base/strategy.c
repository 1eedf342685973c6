/*
 * The table of strategies. One that is built gets its bit in the row of its topic; settings,
 * messages and EXPLAIN follow.
 */
#include "engine/base/strategy.h"

#define BIT(name) (1U << ORIEL_STRATEGY_##name)

static const struct topic {
    const char *key;
    unsigned offered;
} topics[ORIEL_TOPIC_COUNT] = {
    [ORIEL_TOPIC_WINDOW] = {"oriel.strategy.window", BIT(AUTO) | BIT(SLICES) | BIT(COPIES)},
    [ORIEL_TOPIC_AGGREGATE] = {"oriel.strategy.aggregate",
                               BIT(AUTO) | BIT(DENSE) | BIT(HASH) | BIT(RADIX)},
    [ORIEL_TOPIC_SESSION] = {"oriel.strategy.session",
                             BIT(AUTO) | BIT(HASH) | BIT(ORDERED) | BIT(SORT)},
    [ORIEL_TOPIC_TOPN] = {"oriel.strategy.topn", BIT(AUTO) | BIT(SORT) | BIT(HEAP)},
    [ORIEL_TOPIC_JOIN] = {"oriel.strategy.join", BIT(AUTO) | BIT(HASH) | BIT(SORT)},
};

static const char *const names[ORIEL_STRATEGY_COUNT] = {
    [ORIEL_STRATEGY_AUTO] = "auto",       [ORIEL_STRATEGY_SLICES] = "slices",
    [ORIEL_STRATEGY_COPIES] = "copies",   [ORIEL_STRATEGY_DENSE] = "dense",
    [ORIEL_STRATEGY_HASH] = "hash",       [ORIEL_STRATEGY_RADIX] = "radix",
    [ORIEL_STRATEGY_ORDERED] = "ordered", [ORIEL_STRATEGY_SORT] = "sort",
    [ORIEL_STRATEGY_HEAP] = "heap",
};

const char *oriel_strategy_name(enum oriel_strategy strategy) {
    return names[strategy];
}

const char *oriel_strategy_key(enum oriel_strategy_topic topic) {
    return topics[topic].key;
}

bool oriel_strategy_offered(enum oriel_strategy_topic topic, enum oriel_strategy strategy) {
    return topics[topic].offered >> strategy & 1;
}

bool oriel_strategy_parse(enum oriel_strategy_topic topic, struct oriel_text text,
                          enum oriel_strategy *out) {
    for (unsigned s = 0; s < ORIEL_STRATEGY_COUNT; s++) {
        if (oriel_strategy_offered(topic, (enum oriel_strategy)s) &&
            oriel_text_equal_ignoring_case(oriel_text_of(names[s]), text)) {
            *out = (enum oriel_strategy)s;
            return true;
        }
    }
    return false;
}
