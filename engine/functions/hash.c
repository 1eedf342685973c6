/*
 * MD5 and the SHA family, in lower-case hexadecimal, computed by Nettle.
 */
#include <nettle/nettle-meta.h>

#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"

enum { DIGEST_BYTES_MAX = 64, CONTEXT_BYTES_MAX = 512 };

static enum oriel_status hash_text(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct nettle_hash *hash, struct oriel_text text,
                                   size_t row, struct oriel_column *out) {
    _Alignas(16) unsigned char context[CONTEXT_BYTES_MAX];
    unsigned char digest[DIGEST_BYTES_MAX];
    char hex[2 * DIGEST_BYTES_MAX];
    if (hash->context_size > sizeof context || hash->digest_size > sizeof digest)
        return oriel_error_at(evaluation->error, ORIEL_INVALID, call->position,
                              "%s: a digest of this size is unknown", call->function->name);
    hash->init(context);
    hash->update(context, text.length, (const uint8_t *)text.bytes);
    hash->digest(context, hash->digest_size, digest);
    for (size_t i = 0; i < hash->digest_size; i++) {
        hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    return oriel_text_set(call, evaluation, out, row, hex, 2 * hash->digest_size);
}

static enum oriel_status fixed_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    return hash_text(call, evaluation, call->state, oriel_text_at(&arguments[0], row), row, out);
}

static enum oriel_status sha2_row(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row,
                                  struct oriel_column *out) {
    const struct nettle_hash *hash;
    switch (oriel_i32_at(&arguments[1], row)) {
    case 224: hash = &nettle_sha224; break;
    case 256: hash = &nettle_sha256; break;
    case 384: hash = &nettle_sha384; break;
    case 512: hash = &nettle_sha512; break;
    default:
        return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                              "SHA2: the length must be 224, 256, 384 or 512, got %d",
                              oriel_i32_at(&arguments[1], row));
    }
    return hash_text(call, evaluation, hash, oriel_text_at(&arguments[0], row), row, out);
}

ORIEL_TEXT_EACH(fixed)

ORIEL_TEXT_EACH(sha2)

static enum oriel_status bind(struct oriel_binding *binding, const struct nettle_hash *hash,
                              struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "S", "'<HASH>(<STRING>)'", error));
    binding->state = hash;
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_CHAR);
    type.length = (int32_t)(2 * hash->digest_size);
    return oriel_bind_result(binding, type, fixed);
}

static enum oriel_status bind_md5(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, &nettle_md5, error);
}

static enum oriel_status bind_sha1(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, &nettle_sha1, error);
}

static enum oriel_status bind_sha224(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, &nettle_sha224, error);
}

static enum oriel_status bind_sha256(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, &nettle_sha256, error);
}

static enum oriel_status bind_sha384(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, &nettle_sha384, error);
}

static enum oriel_status bind_sha512(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, &nettle_sha512, error);
}

static enum oriel_status bind_sha2(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "Si", "'SHA2(<STRING>, <INT>)'", error));
    return oriel_bind_result(binding, oriel_text_type(2 * DIGEST_BYTES_MAX), sha2);
}

static const struct oriel_function rows[] = {
    {"MD5", 1, 1, ORIEL_FUNCTION_STRICT, bind_md5, NULL},
    {"SHA1", 1, 1, ORIEL_FUNCTION_STRICT, bind_sha1, NULL},
    {"SHA2", 2, 2, ORIEL_FUNCTION_STRICT, bind_sha2, NULL},
    {"SHA224", 1, 1, ORIEL_FUNCTION_STRICT, bind_sha224, NULL},
    {"SHA256", 1, 1, ORIEL_FUNCTION_STRICT, bind_sha256, NULL},
    {"SHA384", 1, 1, ORIEL_FUNCTION_STRICT, bind_sha384, NULL},
    {"SHA512", 1, 1, ORIEL_FUNCTION_STRICT, bind_sha512, NULL},
};

const struct oriel_function_group oriel_functions_hash = {rows, sizeof rows / sizeof rows[0]};
