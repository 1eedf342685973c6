/*
 * SET and RESET. Values that change what a statement does are checked when they are set; settings
 * of Flink that mean nothing here are kept and otherwise passed over.
 */
#include <stdio.h>
#include <string.h>

#include "engine/base/number_text.h"
#include "engine/base/zone.h"
#include "engine/plan/bind.h"
#include "engine/plan/session_internal.h"

enum value_rule { VALUE_MODE, VALUE_ZONE, VALUE_COUNT, VALUE_WIDTH, VALUE_STRATEGY };

enum { WIDTH_MAX = 1000000 }; /* of a column on a terminal, or rows would not fit into memory */

static const struct known_setting {
    const char *key;
    const char *preset;
    enum value_rule rule;
} known_settings[] = {
    {"execution.runtime-mode", "streaming", VALUE_MODE},
    {"oriel.strategy.aggregate", "auto", VALUE_STRATEGY},
    {"oriel.strategy.join", "auto", VALUE_STRATEGY},
    {"oriel.strategy.session", "auto", VALUE_STRATEGY},
    {"oriel.strategy.topn", "auto", VALUE_STRATEGY},
    {"oriel.strategy.window", "auto", VALUE_STRATEGY},
    {"parallelism.default", NULL, VALUE_COUNT},
    {"table.display.max-column-width", "30", VALUE_WIDTH},
    {"sql-client.display.max-column-width", NULL, VALUE_WIDTH},
    {"table.local-time-zone", "UTC", VALUE_ZONE},
};

static const struct known_setting *find_known(const char *key) {
    for (size_t i = 0; i < sizeof known_settings / sizeof known_settings[0]; i++) {
        if (strcmp(known_settings[i].key, key) == 0)
            return &known_settings[i];
    }
    return NULL;
}

static struct oriel_setting **find_place(struct oriel_session *session, const char *key) {
    struct oriel_setting **place = &session->settings;
    while (*place && strcmp((*place)->key, key) < 0)
        place = &(*place)->next;
    return place;
}

static void remove_at(struct oriel_session *session, struct oriel_setting **place) {
    struct oriel_setting *const setting = *place;
    *place = setting->next;
    oriel_memory_release(session->memory, setting, setting->block_bytes);
}

void oriel_setting_clear(struct oriel_session *session) {
    while (session->settings)
        remove_at(session, &session->settings);
}

static enum oriel_status check_mode(const struct ast_statement *statement,
                                    struct oriel_error *error) {
    const struct oriel_text value = oriel_text_of(statement->value);
    if (oriel_text_equal_ignoring_case(value, ORIEL_TEXT("streaming")) ||
        oriel_text_equal_ignoring_case(value, ORIEL_TEXT("batch")))
        return ORIEL_OK;
    return oriel_error_at(error, ORIEL_INVALID, statement->position,
                          "'%s' is no value of execution.runtime-mode; write 'streaming' or "
                          "'batch'",
                          statement->value);
}

static enum oriel_status check_zone(const struct oriel_session *session,
                                    const struct ast_statement *statement,
                                    struct oriel_error *error) {
    struct oriel_zone *zone = NULL;
    const enum oriel_status status =
        oriel_zone_open(session->memory, statement->value, &zone, error);
    oriel_zone_close(&zone);
    if (status == ORIEL_OK || !error || error->line)
        return status;
    error->line = statement->position.line;
    error->column = statement->position.column;
    return status;
}

static enum oriel_status check_strategy(const struct ast_statement *statement,
                                        struct oriel_error *error) {
    enum oriel_strategy_topic topic = ORIEL_TOPIC_WINDOW;
    enum oriel_strategy strategy;
    char offered[128] = "";
    while (strcmp(oriel_strategy_key(topic), statement->key) != 0)
        topic++;
    if (oriel_strategy_parse(topic, oriel_text_of(statement->value), &strategy))
        return ORIEL_OK;
    size_t length = 0;
    for (unsigned s = 0; s < ORIEL_STRATEGY_COUNT; s++) {
        if (oriel_strategy_offered(topic, (enum oriel_strategy)s) && length < sizeof offered)
            length +=
                (size_t)snprintf(offered + length, sizeof offered - length, "%s'%s'",
                                 length ? ", " : "", oriel_strategy_name((enum oriel_strategy)s));
    }
    return oriel_error_at(error, ORIEL_INVALID, statement->position,
                          "'%s' is no value of %s; there are %s", statement->value, statement->key,
                          offered);
}

static enum oriel_status check_value(const struct oriel_session *session,
                                     const struct known_setting *known,
                                     const struct ast_statement *statement,
                                     struct oriel_error *error) {
    int64_t number;
    switch (known->rule) {
    case VALUE_MODE: return check_mode(statement, error);
    case VALUE_ZONE: return check_zone(session, statement, error);
    case VALUE_STRATEGY: return check_strategy(statement, error);
    case VALUE_COUNT:
    case VALUE_WIDTH: break;
    }
    const int64_t most = known->rule == VALUE_WIDTH ? WIDTH_MAX : INT32_MAX;
    if (oriel_integer_parse(statement->value, strlen(statement->value), 1, most, &number) ==
        ORIEL_INTEGER_OK)
        return ORIEL_OK;
    if (known->rule == VALUE_WIDTH)
        return oriel_error_at(error, ORIEL_INVALID, statement->position,
                              "'%s' is no value of %s; a whole number from 1 on is wanted, at most "
                              "%d",
                              statement->value, known->key, WIDTH_MAX);
    return oriel_error_at(error, ORIEL_INVALID, statement->position,
                          "'%s' is no value of %s; a whole number from 1 on is wanted",
                          statement->value, known->key);
}

/* Settings of this program's own are all known, so a slip of the pen is told. */
static enum oriel_status unknown_own_setting(const struct ast_statement *statement,
                                             struct oriel_error *error) {
    char hint[160];
    struct oriel_suggestion suggestion = {.name = statement->key};
    for (size_t i = 0; i < sizeof known_settings / sizeof known_settings[0]; i++)
        oriel_suggestion_offer(&suggestion, known_settings[i].key);
    return oriel_error_at(error, ORIEL_INVALID, statement->position, "Unknown setting '%s'%s",
                          statement->key, oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

static enum oriel_status put(struct oriel_session *session, const char *key, const char *value,
                             struct oriel_error *error) {
    const size_t key_bytes = strlen(key) + 1, value_bytes = strlen(value) + 1;
    const size_t block_bytes = sizeof(struct oriel_setting) + key_bytes + value_bytes;
    struct oriel_setting *const setting = oriel_memory_allocate(session->memory, block_bytes);
    if (!setting)
        return oriel_error_memory(error);
    char *const texts = (char *)(setting + 1);
    memcpy(texts, key, key_bytes);
    memcpy(texts + key_bytes, value, value_bytes);
    *setting = (struct oriel_setting){NULL, texts, texts + key_bytes, block_bytes};
    struct oriel_setting **const place = find_place(session, key);
    if (*place && strcmp((*place)->key, key) == 0)
        remove_at(session, place);
    setting->next = *place;
    *place = setting;
    return ORIEL_OK;
}

enum oriel_status oriel_setting_set(struct oriel_session *session,
                                    const struct ast_statement *statement,
                                    struct oriel_error *error) {
    if (!statement->key)
        return ORIEL_OK;
    const struct known_setting *const known = find_known(statement->key);
    if (known)
        ORIEL_TRY(check_value(session, known, statement, error));
    else if (strncmp(statement->key, "oriel.", 6) == 0)
        return unknown_own_setting(statement, error);
    return put(session, statement->key, statement->value, error);
}

enum oriel_status oriel_setting_reset(struct oriel_session *session,
                                      const struct ast_statement *statement,
                                      struct oriel_error *error) {
    if (!statement->key) {
        oriel_setting_clear(session);
        return ORIEL_OK;
    }
    struct oriel_setting **const place = find_place(session, statement->key);
    if (*place && strcmp((*place)->key, statement->key) == 0)
        remove_at(session, place);
    else if (!find_known(statement->key) && strncmp(statement->key, "oriel.", 6) == 0)
        return unknown_own_setting(statement, error);
    return ORIEL_OK;
}

bool oriel_session_setting_counts(const char *key) {
    return find_known(key) != NULL;
}

const char *oriel_session_setting(const struct oriel_session *session, const char *key) {
    const struct oriel_setting *setting = session->settings;
    while (setting && strcmp(setting->key, key) < 0)
        setting = setting->next;
    if (setting && strcmp(setting->key, key) == 0)
        return setting->value;
    const struct known_setting *const known = find_known(key);
    return known ? known->preset : NULL;
}

bool oriel_session_setting_at(const struct oriel_session *session, size_t index, const char **key,
                              const char **value) {
    const struct oriel_setting *setting = session->settings;
    while (setting && index--)
        setting = setting->next;
    if (!setting)
        return false;
    *key = setting->key;
    *value = setting->value;
    return true;
}
