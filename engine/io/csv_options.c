/*
 * The `csv.*` options of a table, checked as Flink checks them.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/io/csv_source.h"

void oriel_csv_options_init(struct oriel_csv_options *options) {
    *options = (struct oriel_csv_options){
        .delimiter = ',',
        .quote = '"',
        .escape = -1,
        .array_delimiter = ";",
        .array_delimiter_length = 1,
        .chunk_bytes = ORIEL_CSV_CHUNK_BYTES,
    };
}

static bool is_text(const char *value, const char *text) {
    return oriel_text_equal_ignoring_case(oriel_text_of(value), oriel_text_of(text));
}

static enum oriel_status parse_bool(const char *key, const char *value, bool *out,
                                    struct oriel_position position, struct oriel_error *error) {
    if (!is_text(value, "true") && !is_text(value, "false"))
        return oriel_error_at(error, ORIEL_INVALID, position,
                              "option '%s' must be true or false, but was: %s", key, value);
    *out = is_text(value, "true");
    return ORIEL_OK;
}

/* Bytes of the first character of `text`; 0 at its end. */
static size_t character_bytes(const char *text) {
    const unsigned char lead = (unsigned char)*text;
    if (lead == 0)
        return 0;
    size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return i;
    }
    return length;
}

/* Java's escapes for one character: \t \\ \u0001 \7; the value itself otherwise. -1: none of them.
 */
static int unescape_java(const char *value) {
    static const char letters[] = "tnrbf\"'\\";
    static const char meanings[] = "\t\n\r\b\f\"'\\";
    if (value[0] != '\\' || value[1] == '\0')
        return -1;
    if (value[1] == 'u') {
        const char *digits = value + 1 + strspn(value + 1, "u");
        if (strlen(digits) != 4 || strspn(digits, "0123456789abcdefABCDEF") != 4)
            return -1;
        return (int)strtol(digits, NULL, 16);
    }
    const size_t octal = strspn(value + 1, "01234567");
    if (octal > 0 && octal <= 3 && value[1 + octal] == '\0')
        return (int)strtol(value + 1, NULL, 8);
    const char *letter = strchr(letters, value[1]);
    return letter && value[2] == '\0' ? meanings[letter - letters] : -1;
}

static enum oriel_status parse_character(const char *key, const char *value, bool escapes, int *out,
                                         struct oriel_position position,
                                         struct oriel_error *error) {
    int character = escapes ? unescape_java(value) : -1;
    if (character < 0) {
        const size_t length = character_bytes(value);
        if (length == 0 || value[length] != '\0')
            return oriel_error_at(error, ORIEL_INVALID, position,
                                  "Option '%s' must be a string with single character, but was: %s",
                                  key, value);
        character = length == 1 ? (unsigned char)*value : 0x80;
    }
    if (character >= 0x80)
        return oriel_error_at(error, ORIEL_UNSUPPORTED, position,
                              "option '%s': this version takes only ASCII characters, not '%s'",
                              key, value);
    if (character == '\n' || character == '\r')
        return oriel_error_at(error, ORIEL_INVALID, position,
                              "option '%s' must not be a line break, which ends the record", key);
    *out = character;
    return ORIEL_OK;
}

static enum oriel_status set_array_delimiter(struct oriel_csv_options *options, const char *key,
                                             const char *value, struct oriel_position position,
                                             struct oriel_error *error) {
    const size_t length = character_bytes(value);
    if (length == 0 || value[length] != '\0')
        return oriel_error_at(error, ORIEL_INVALID, position,
                              "Option '%s' must be a string with single character, but was: %s",
                              key, value);
    options->array_delimiter = value;
    options->array_delimiter_length = length;
    return ORIEL_OK;
}

enum oriel_status oriel_csv_options_set(struct oriel_csv_options *options, const char *key,
                                        const char *value, struct oriel_position position,
                                        struct oriel_error *error) {
    int character = 0;
    if (strcmp(key, "csv.field-delimiter") == 0) {
        ORIEL_TRY(parse_character(key, value, true, &character, position, error));
        options->delimiter = (char)character;
    } else if (strcmp(key, "csv.quote-character") == 0) {
        ORIEL_TRY(parse_character(key, value, false, &options->quote, position, error));
        options->quote_given = true;
    } else if (strcmp(key, "csv.escape-character") == 0) {
        ORIEL_TRY(parse_character(key, value, false, &options->escape, position, error));
    } else if (strcmp(key, "csv.array-element-delimiter") == 0) {
        ORIEL_TRY(set_array_delimiter(options, key, value, position, error));
    } else if (strcmp(key, "csv.disable-quote-character") == 0) {
        ORIEL_TRY(parse_bool(key, value, &options->quote_disabled, position, error));
    } else if (strcmp(key, "csv.ignore-parse-errors") == 0) {
        ORIEL_TRY(parse_bool(key, value, &options->ignore_parse_errors, position, error));
    } else if (strcmp(key, "csv.allow-comments") == 0) {
        ORIEL_TRY(parse_bool(key, value, &options->allow_comments, position, error));
    } else if (strcmp(key, "csv.null-literal") == 0) {
        options->null_literal = value;
        options->null_literal_length = strlen(value);
    } else if (strcmp(key, "oriel.csv.header") == 0) {
        ORIEL_TRY(parse_bool(key, value, &options->header, position, error));
        options->header_given = true;
    } else if (strcmp(key, "oriel.csv.quoted-empty") == 0) {
        if (!is_text(value, "string") && !is_text(value, "null"))
            return oriel_error_at(error, ORIEL_INVALID, position,
                                  "option '%s' must be 'string' or 'null', but was: %s", key,
                                  value);
        options->quoted_empty_is_string = is_text(value, "string");
    }
    return ORIEL_OK;
}

enum oriel_status oriel_csv_options_finish(struct oriel_csv_options *options,
                                           struct oriel_error *error) {
    if (options->quote_disabled && options->quote_given)
        return oriel_error_set(error, ORIEL_INVALID,
                               "Format cannot define a quote character and disabled quote "
                               "character at the same time.");
    if (options->quote_disabled)
        options->quote = -1;
    return ORIEL_OK;
}

bool oriel_csv_metadata_kind(const char *key, enum oriel_csv_column_kind *kind) {
    static const struct {
        const char *key;
        enum oriel_csv_column_kind kind;
    } kinds[] = {
        {"file.path", ORIEL_CSV_FILE_PATH},
        {"file.name", ORIEL_CSV_FILE_NAME},
        {"file.size", ORIEL_CSV_FILE_SIZE},
        {"file.modification-time", ORIEL_CSV_FILE_MODIFIED},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(key, kinds[i].key) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    }
    return false;
}
