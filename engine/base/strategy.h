/*
 * Ways to do the same work: which there are for a topic, and their names. Every one gives the same
 * bytes. SET 'oriel.strategy.TOPIC' forces one, 'auto' leaves the choice to the plan
 * (engine/plan/rewrite_strategy.c) or, where it depends on the rows, to the operator.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/text.h"

enum oriel_strategy {
    ORIEL_STRATEGY_AUTO,
    ORIEL_STRATEGY_SLICES,  /* window: rows are added to slices, windows put together from them */
    ORIEL_STRATEGY_COPIES,  /* window: each row is copied into each of its windows */
    ORIEL_STRATEGY_DENSE,   /* aggregate: arrays by key */
    ORIEL_STRATEGY_HASH,    /* aggregate, session, join */
    ORIEL_STRATEGY_RADIX,   /* aggregate: packed as they fill the cache, sorted by key when read */
    ORIEL_STRATEGY_ORDERED, /* session: rows as they come, in order of time */
    ORIEL_STRATEGY_SORT,    /* session, topn, join */
    ORIEL_STRATEGY_HEAP,    /* topn: a bounded heap for each partition */
    ORIEL_STRATEGY_COUNT,
};

enum oriel_strategy_topic {
    ORIEL_TOPIC_WINDOW,
    ORIEL_TOPIC_AGGREGATE,
    ORIEL_TOPIC_SESSION,
    ORIEL_TOPIC_TOPN,
    ORIEL_TOPIC_JOIN,
    ORIEL_TOPIC_COUNT,
};

/* "slices"; "auto". */
const char *oriel_strategy_name(enum oriel_strategy strategy);

/* "oriel.strategy.window". */
const char *oriel_strategy_key(enum oriel_strategy_topic topic);

/* Whether the topic has the strategy; AUTO is one of each. */
bool oriel_strategy_offered(enum oriel_strategy_topic topic, enum oriel_strategy strategy);

/* Reads a name, in any case, of a strategy that the topic has. */
bool oriel_strategy_parse(enum oriel_strategy_topic topic, struct oriel_text text,
                          enum oriel_strategy *out);
