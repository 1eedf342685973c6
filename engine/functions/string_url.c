/*
 * PARSE_URL: a part of a URL, as Java's URL takes it apart; NULL for what is none.
 */
#include <strings.h>

#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"

/* A part that is not there has no bytes (NULL). */
struct url {
    struct oriel_text protocol, authority, user, host, path, query, ref;
};

static struct oriel_text part(const char *from, const char *to) {
    return (struct oriel_text){from, (size_t)(to - from)};
}

static const char *find(const char *from, const char *to, char byte) {
    return from < to ? memchr(from, byte, (size_t)(to - from)) : NULL;
}

static bool read_protocol(struct oriel_text *protocol, const char **at, const char *end) {
    static const char *const known[] = {"http", "https", "ftp", "file"};
    const char *const colon = find(*at, end, ':');
    if (!colon)
        return false;
    *protocol = part(*at, colon);
    *at = colon + 1;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) == protocol->length &&
            strncasecmp(known[i], protocol->bytes, protocol->length) == 0)
            return true;
    }
    return false;
}

/* [user@]host[:port]; the port is a number or nothing. */
static bool read_authority(struct url *out) {
    const char *from = out->authority.bytes, *const end = from + out->authority.length;
    const char *const at = find(from, end, '@');
    if (at) {
        if (find(at + 1, end, '@'))
            return true; /* neither a user nor a host */
        out->user = part(from, at);
        from = at + 1;
    }
    const char *close = from;
    if (from < end && *from == '[') {
        close = find(from, end, ']');
        if (!close || (close + 1 < end && close[1] != ':'))
            return false;
        close++;
    }
    const char *const colon = find(close, end, ':');
    out->host = part(from, colon ? colon : end);
    for (const char *digit = colon ? colon + 1 : end; digit < end; digit++) {
        if (*digit < '0' || *digit > '9' || digit - colon > 9)
            return false;
    }
    return true;
}

static bool read_url(struct oriel_text text, struct url *out) {
    const char *at = text.bytes, *end = text.bytes + text.length;
    memset(out, 0, sizeof *out);
    while (at < end && (unsigned char)*at <= ' ')
        at++;
    while (at < end && (unsigned char)end[-1] <= ' ')
        end--;
    if (!read_protocol(&out->protocol, &at, end))
        return false;
    const char *const hash = find(at, end, '#');
    if (hash) {
        out->ref = part(hash + 1, end);
        end = hash;
    }
    const char *const question = find(at, end, '?');
    if (question) {
        out->query = part(question + 1, end);
        end = question;
    }
    if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
        const char *const slash = find(at + 2, end, '/');
        out->authority = part(at + 2, slash ? slash : end);
        at = slash ? slash : end;
        if (!read_authority(out))
            return false;
    }
    out->path = part(at, end);
    return true;
}

static bool is_word(struct oriel_text text, const char *word) {
    return text.length == strlen(word) && memcmp(text.bytes, word, text.length) == 0;
}

/* The value of `key` in a query; without bytes if it has none. */
static struct oriel_text value_of(struct oriel_text query, struct oriel_text key) {
    const char *at = query.bytes, *const end = query.bytes + query.length;
    while (query.bytes && at <= end) {
        const char *const ampersand = find(at, end, '&');
        const char *const stop = ampersand ? ampersand : end;
        const size_t length = (size_t)(stop - at);
        if (length > key.length && at[key.length] == '=' &&
            (!key.length || memcmp(at, key.bytes, key.length) == 0))
            return part(at + key.length + 1, stop);
        at = stop + 1;
    }
    return (struct oriel_text){NULL, 0};
}

static struct oriel_text choose(const struct url *url, struct oriel_text name) {
    if (is_word(name, "HOST"))
        return url->host;
    if (is_word(name, "PATH"))
        return url->path;
    if (is_word(name, "QUERY"))
        return url->query;
    if (is_word(name, "REF"))
        return url->ref;
    if (is_word(name, "PROTOCOL"))
        return url->protocol;
    if (is_word(name, "AUTHORITY"))
        return url->authority;
    if (is_word(name, "USERINFO"))
        return url->user;
    if (is_word(name, "FILE")) /* the path and the query stand side by side */
        return url->query.bytes ? part(url->path.bytes, url->query.bytes + url->query.length)
                                : url->path;
    return (struct oriel_text){NULL, 0};
}

static enum oriel_status parse_url_row(const struct oriel_call *call,
                                       struct oriel_evaluation *evaluation,
                                       const struct oriel_column *arguments, size_t row,
                                       struct oriel_column *out) {
    const struct oriel_text name = oriel_text_at(&arguments[1], row);
    struct oriel_text found = {NULL, 0};
    struct url url;
    if (read_url(oriel_text_at(&arguments[0], row), &url)) {
        if (call->argument_count == 2)
            found = choose(&url, name);
        else if (is_word(name, "QUERY"))
            found = value_of(url.query, oriel_text_at(&arguments[2], row));
    }
    if (found.bytes)
        return oriel_text_set(call, evaluation, out, row, found.bytes, found.length);
    oriel_column_set_null(out, row);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(parse_url)

static enum oriel_status bind_parse_url(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(
        oriel_bind_arguments(binding, "s", "'PARSE_URL(<STRING>, <STRING>[, <STRING>])'", error));
    oriel_bind_result(binding, oriel_type_string(), parse_url);
    binding->result.nullable = true;
    return ORIEL_OK;
}

static const struct oriel_function rows[] = {
    {"PARSE_URL", 2, 3, ORIEL_FUNCTION_STRICT, bind_parse_url, NULL},
};

const struct oriel_function_group oriel_functions_string_url = {rows, sizeof rows / sizeof rows[0]};
