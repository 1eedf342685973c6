/*
 * gzip, zlib and zstd streams in the place of a file's bytes, unpacked by zlib and libzstd. The
 * byte source feeds it; whoever claims the next piece of a file runs it, while other workers parse
 * the pieces before.
 */
#define ZSTD_STATIC_LINKING_ONLY /* for an allocator of our own */
#include "engine/io/unpack.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    INPUT_BYTES = 256 * 1024,
    BLOCK_HEAD_BYTES = 64, /* before each block of a library: how large it is */
    WINDOW_GZIP = 15 + 16, /* zlib's way to say: gzip and nothing else */
    WINDOW_ZLIB = 15,
};

static const char *const packing_names[] = {"plain", "gzip", "zstd", "zlib", "bzip2", "xz"};

struct oriel_unpacker {
    struct oriel_memory *memory;
    enum oriel_packing packing;
    const char *name;
    char *input;
    size_t length;   /* of what is in `input` */
    size_t at;       /* what of it is unpacked */
    uint64_t offset; /* of input[0] in the file */
    bool has_ended;  /* the file */
    bool in_member;  /* a member or frame has begun and not ended */
    bool has_inflate;
    z_stream inflate;
    ZSTD_DCtx *zstd;
};

/* ---- what it is ---- */

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* A byte of a signature; -1: any of '1' to '9'. */
static bool matches(int wanted, unsigned char byte) {
    return wanted < 0 ? byte >= '1' && byte <= '9' : byte == wanted;
}

bool oriel_packing_find(const char *name, const char *head, size_t length, bool at_end,
                        enum oriel_packing *out) {
    static const struct {
        enum oriel_packing packing;
        size_t length;
        int bytes[ORIEL_PACKING_HEAD_BYTES];
    } signatures[] = {
        {ORIEL_PACKING_GZIP, 3, {0x1f, 0x8b, 8}},
        {ORIEL_PACKING_ZSTD, 4, {0x28, 0xb5, 0x2f, 0xfd}},
        {ORIEL_PACKING_BZIP2, 10, {'B', 'Z', 'h', -1, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59}},
        {ORIEL_PACKING_XZ, 6, {0xfd, '7', 'z', 'X', 'Z', 0}},
    };
    *out = ORIEL_PACKING_NONE;
    bool may_be = false;
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        const size_t wanted = signatures[i].length;
        size_t same = 0;
        while (same < wanted && same < length &&
               matches(signatures[i].bytes[same], (unsigned char)head[same]))
            same++;
        if (same == wanted) {
            *out = signatures[i].packing;
            return true;
        }
        may_be |= same == length;
    }
    if (ends_with(name, ".deflate")) {
        may_be |= length < 2;
        /* RFC 1950: the method is 8, and both bytes are a multiple of 31. */
        if (length >= 2 && (head[0] & 0x0f) == 8 &&
            ((unsigned char)head[0] * 256 + (unsigned char)head[1]) % 31 == 0)
            *out = ORIEL_PACKING_ZLIB;
    }
    return at_end || !may_be;
}

enum oriel_status oriel_packing_check(enum oriel_packing packing, const char *name,
                                      struct oriel_error *error) {
    if (packing != ORIEL_PACKING_BZIP2 && packing != ORIEL_PACKING_XZ)
        return ORIEL_OK;
    return oriel_error_set(error, ORIEL_UNSUPPORTED,
                           "'%s' is compressed with %s, which Oriel does not unpack; it reads gzip "
                           "and zstd",
                           name, packing_names[packing]);
}

/* ---- memory of the libraries ---- */

static void *give_block(void *memory, size_t size_bytes) {
    if (size_bytes > SIZE_MAX - BLOCK_HEAD_BYTES)
        return NULL;
    char *block = oriel_memory_allocate(memory, size_bytes + BLOCK_HEAD_BYTES);
    if (!block)
        return NULL;
    memcpy(block, &size_bytes, sizeof size_bytes);
    return block + BLOCK_HEAD_BYTES;
}

static void take_block(void *memory, void *block) {
    if (!block)
        return;
    char *begin = (char *)block - BLOCK_HEAD_BYTES;
    size_t size_bytes;
    memcpy(&size_bytes, begin, sizeof size_bytes);
    oriel_memory_release(memory, begin, size_bytes + BLOCK_HEAD_BYTES);
}

static void *give_items(void *memory, unsigned count, unsigned size_bytes) {
    return give_block(memory, (size_t)count * size_bytes);
}

/* ---- opening ---- */

static enum oriel_status open_stream(struct oriel_unpacker *unpacker, struct oriel_error *error) {
    if (unpacker->packing == ORIEL_PACKING_ZSTD) {
        const ZSTD_customMem memory = {give_block, take_block, unpacker->memory};
        unpacker->zstd = ZSTD_createDCtx_advanced(memory);
        if (!unpacker->zstd)
            return oriel_error_memory(error);
        const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
        (void)ZSTD_DCtx_setParameter(unpacker->zstd, ZSTD_d_windowLogMax, bounds.upperBound);
        return ORIEL_OK;
    }
    unpacker->inflate =
        (z_stream){.zalloc = give_items, .zfree = take_block, .opaque = unpacker->memory};
    const int window = unpacker->packing == ORIEL_PACKING_GZIP ? WINDOW_GZIP : WINDOW_ZLIB;
    if (inflateInit2(&unpacker->inflate, window) != Z_OK)
        return oriel_error_memory(error);
    unpacker->has_inflate = true;
    return ORIEL_OK;
}

enum oriel_status oriel_unpacker_open(struct oriel_memory *memory, enum oriel_packing packing,
                                      const char *name, struct oriel_unpacker **out,
                                      struct oriel_error *error) {
    *out = NULL;
    struct oriel_unpacker *unpacker = oriel_memory_allocate_zeroed(memory, 1, sizeof *unpacker);
    if (!unpacker)
        return oriel_error_memory(error);
    unpacker->memory = memory;
    unpacker->packing = packing;
    unpacker->name = name;
    unpacker->input = oriel_memory_allocate(memory, INPUT_BYTES);
    const enum oriel_status status =
        unpacker->input ? open_stream(unpacker, error) : oriel_error_memory(error);
    if (status != ORIEL_OK)
        oriel_unpacker_close(unpacker);
    else
        *out = unpacker;
    return status;
}

void oriel_unpacker_close(struct oriel_unpacker *unpacker) {
    if (!unpacker)
        return;
    if (unpacker->has_inflate)
        inflateEnd(&unpacker->inflate);
    ZSTD_freeDCtx(unpacker->zstd);
    oriel_memory_release(unpacker->memory, unpacker->input, INPUT_BYTES);
    oriel_memory_release(unpacker->memory, unpacker, sizeof *unpacker);
}

/* ---- unpacking ---- */

char *oriel_unpacker_room(struct oriel_unpacker *unpacker, size_t *length) {
    if (unpacker->at < unpacker->length || unpacker->has_ended)
        return NULL;
    unpacker->offset += unpacker->length;
    unpacker->length = unpacker->at = 0;
    *length = INPUT_BYTES;
    return unpacker->input;
}

void oriel_unpacker_add(struct oriel_unpacker *unpacker, size_t length) {
    unpacker->length += length;
    unpacker->has_ended = length == 0;
}

static enum oriel_status damaged(const struct oriel_unpacker *unpacker, const char *reason,
                                 struct oriel_error *error) {
    return oriel_error_set(
        error, ORIEL_DATA, "'%s' is damaged: its %s data is wrong at byte %llu%s%s", unpacker->name,
        packing_names[unpacker->packing], (unsigned long long)(unpacker->offset + unpacker->at),
        reason ? ": " : "", reason ? reason : "");
}

static enum oriel_status run_inflate(struct oriel_unpacker *unpacker, char *buffer, size_t length,
                                     size_t *got, struct oriel_error *error) {
    z_stream *stream = &unpacker->inflate;
    const size_t left = unpacker->length - unpacker->at;
    stream->next_in = (Bytef *)unpacker->input + unpacker->at;
    stream->avail_in = (uInt)left;
    stream->next_out = (Bytef *)buffer;
    stream->avail_out = (uInt)length;
    const int result = inflate(stream, Z_NO_FLUSH);
    unpacker->at += left - stream->avail_in;
    *got = length - stream->avail_out;
    switch (result) {
    case Z_OK:
    case Z_BUF_ERROR: return ORIEL_OK; /* it needs more bytes, or more room */
    case Z_STREAM_END:
        unpacker->in_member = false;
        return inflateReset(stream) == Z_OK ? ORIEL_OK : damaged(unpacker, NULL, error);
    case Z_MEM_ERROR: return oriel_error_memory(error);
    case Z_NEED_DICT: return damaged(unpacker, "it needs a dictionary", error);
    default: return damaged(unpacker, stream->msg, error);
    }
}

static enum oriel_status run_zstd(struct oriel_unpacker *unpacker, char *buffer, size_t length,
                                  size_t *got, struct oriel_error *error) {
    ZSTD_inBuffer in = {unpacker->input, unpacker->length, unpacker->at};
    ZSTD_outBuffer out = {buffer, length, 0};
    const size_t result = ZSTD_decompressStream(unpacker->zstd, &out, &in);
    unpacker->at = in.pos;
    *got = out.pos;
    if (ZSTD_isError(result)) {
        if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
            return oriel_error_memory(error);
        return damaged(unpacker, ZSTD_getErrorName(result), error);
    }
    unpacker->in_member = result != 0;
    return ORIEL_OK;
}

/* Between members: zeros may fill up a gzip file; *more says whether another one begins. */
static enum oriel_status begin_member(struct oriel_unpacker *unpacker, bool *more,
                                      struct oriel_error *error) {
    const bool is_first = unpacker->offset + unpacker->at == 0;
    while (!is_first && unpacker->packing == ORIEL_PACKING_GZIP &&
           unpacker->at < unpacker->length && unpacker->input[unpacker->at] == 0)
        unpacker->at++;
    *more = unpacker->at < unpacker->length;
    if (*more && !is_first && unpacker->packing != ORIEL_PACKING_ZSTD &&
        (unpacker->packing == ORIEL_PACKING_ZLIB || unpacker->input[unpacker->at] != 0x1f))
        return damaged(unpacker, "something else follows it", error);
    unpacker->in_member = *more;
    return ORIEL_OK;
}

enum oriel_status oriel_unpacker_next(struct oriel_unpacker *unpacker, char *buffer, size_t length,
                                      size_t *got, struct oriel_error *error) {
    *got = 0;
    if (!unpacker->in_member) {
        bool more;
        ORIEL_TRY(begin_member(unpacker, &more, error));
        if (!more)
            return unpacker->has_ended ? ORIEL_DONE : ORIEL_OK;
    }
    const size_t before = unpacker->at;
    ORIEL_TRY(unpacker->zstd ? run_zstd(unpacker, buffer, length, got, error)
                             : run_inflate(unpacker, buffer, length, got, error));
    if (unpacker->has_ended && unpacker->in_member && *got == 0 && unpacker->at == before)
        return oriel_error_set(error, ORIEL_DATA,
                               "'%s' ends in the midst of its %s data, at byte %llu: it was cut",
                               unpacker->name, packing_names[unpacker->packing],
                               (unsigned long long)(unpacker->offset + unpacker->at));
    return ORIEL_OK;
}
