/*
 * Inside engine/functions: regular expressions by ICU, over UTF-8, with a limit on the time that
 * one search may take.
 */
#pragma once

#include "engine/functions/signature.h"

struct oriel_regex;

/* A matcher without a pattern; ORIEL_MEMORY when there is no room. Borrows `runtime`. */
enum oriel_status oriel_regex_open(const struct oriel_runtime *runtime, struct oriel_regex **out,
                                   struct oriel_error *error);
void oriel_regex_close(struct oriel_regex *regex);

/* Compiles a pattern unless it is the one of the last call. *valid says whether it is one. */
enum oriel_status oriel_regex_set_pattern(struct oriel_regex *regex, struct oriel_text pattern,
                                          bool *valid, struct oriel_error *error);

/* Gives the text to search, which must stay until the next call. */
enum oriel_status oriel_regex_set_text(struct oriel_regex *regex, struct oriel_text text,
                                       struct oriel_error *error);

/* Whether the whole text matches; the next match inside it, which the first call begins. An error
 * when that takes too long or is cancelled. */
enum oriel_status oriel_regex_matches(struct oriel_regex *regex, bool *out,
                                      struct oriel_error *error);
enum oriel_status oriel_regex_find_next(struct oriel_regex *regex, bool *out,
                                        struct oriel_error *error);

/* After a match: number of groups, and the bytes of group `group` (0: all of it); false if it took
 * no part. */
int32_t oriel_regex_group_count(const struct oriel_regex *regex);
bool oriel_regex_group(const struct oriel_regex *regex, int32_t group, size_t *start, size_t *end);
