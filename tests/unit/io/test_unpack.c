/*
 * Compressed files: whatever packs a text, in however many members, and however it is read, the
 * text comes out; what is cut or damaged gives an error and never harm.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

#include "engine/io/byte_source.h"

enum { TEXT_BYTES = 300000, PACKED_MAX = 1 << 20, DAMAGED_COUNT = 1500, SMALL_BYTES = 700 };

static char folder[PATH_MAX], path[PATH_MAX + 16];
static char text[TEXT_BYTES];

struct packed {
    unsigned char bytes[PACKED_MAX];
    size_t length;
};

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/oriel-unpack-XXXXXX");
    uint32_t random = 7;
    for (size_t i = 0; i < sizeof text; i++) {
        random = random * 1664525u + 1013904223u;
        text[i] = i % 40 == 39 ? '\n' : (char)('a' + (random >> 29));
    }
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void put(const char *name, const void *bytes, size_t length) {
    unlink(path);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* window: 15 + 16 gzip, 15 zlib. */
static void add_deflated(struct packed *packed, const char *from, size_t length, int window) {
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)from;
    stream.avail_in = (uInt)length;
    stream.next_out = packed->bytes + packed->length;
    stream.avail_out = (uInt)(sizeof packed->bytes - packed->length);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed->length += stream.total_out;
    deflateEnd(&stream);
}

static void add_zstd(struct packed *packed, const char *from, size_t length) {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    assert_non_null(context);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    const size_t got = ZSTD_compress2(context, packed->bytes + packed->length,
                                      sizeof packed->bytes - packed->length, from, length);
    assert_false(ZSTD_isError(got));
    packed->length += got;
    ZSTD_freeCCtx(context);
}

/* Reads the file by pieces of `piece` bytes; *got is the length of what came before the end. */
static enum oriel_status read_file(struct oriel_memory *memory, size_t piece, char *to, size_t *got,
                                   struct oriel_error *error) {
    const struct oriel_runtime runtime = {.memory = memory};
    struct oriel_byte_source source;
    *got = 0;
    ORIEL_TRY(oriel_byte_source_open_unpacked(&source, memory, path, error));
    uint64_t position = 0;
    enum oriel_status status = ORIEL_OK;
    size_t count = 1;
    while (status == ORIEL_OK && count > 0 && *got <= TEXT_BYTES) {
        if (source.seekable) {
            status = oriel_byte_source_read_at(&source, *got, to + *got, piece, &count, error);
        } else {
            status = oriel_byte_source_read_next(&source, &runtime, &position, to + *got, piece,
                                                 &count, error);
        }
        *got += count;
    }
    oriel_byte_source_close(&source);
    return status;
}

static char back[2 * TEXT_BYTES];

static void check(const char *name, const struct packed *packed, size_t length) {
    static const size_t pieces[] = {1000, 65536, TEXT_BYTES};
    put(name, packed->bytes, packed->length);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct oriel_memory memory = {0};
        struct oriel_error error = {0};
        size_t got;
        assert_int_equal(read_file(&memory, pieces[i], back, &got, &error), ORIEL_OK);
        assert_int_equal(got, length);
        assert_memory_equal(back, text, length);
        assert_int_equal(atomic_load(&memory.used_bytes), 0);
    }
}

static void check_refused(const char *name, const struct packed *packed, enum oriel_status wanted,
                          const char *message) {
    struct oriel_memory memory = {0};
    struct oriel_error error = {0};
    size_t got;
    put(name, packed->bytes, packed->length);
    assert_int_equal(read_file(&memory, 65536, back, &got, &error), wanted);
    if (!strstr(error.message, message) || !strstr(error.message, name))
        fail_msg("'%s' has not '%s' and '%s'", error.message, message, name);
    assert_int_equal(atomic_load(&memory.used_bytes), 0);
}

static struct packed packed; /* too large for the stack */

static void whole_files(void **state) {
    (void)state;
    packed.length = 0;
    add_deflated(&packed, text, TEXT_BYTES, 15 + 16);
    check("a.gz", &packed, TEXT_BYTES);
    check("a.csv", &packed, TEXT_BYTES); /* the name means nothing */
    packed.length = 0;
    add_zstd(&packed, text, TEXT_BYTES);
    check("a.zst", &packed, TEXT_BYTES);
    packed.length = 0;
    add_deflated(&packed, text, TEXT_BYTES, 15);
    check("a.deflate", &packed, TEXT_BYTES);
    memcpy(packed.bytes, text, packed.length = 1000);
    check("plain.gz", &packed, 1000);
    check("plain.deflate", &packed, 1000);
}

static void several_members(void **state) {
    (void)state;
    packed.length = 0;
    for (size_t at = 0; at < 50000; at += 500)
        add_deflated(&packed, text + at, 500, 15 + 16);
    add_deflated(&packed, text, 0, 15 + 16);
    check("many.gz", &packed, 50000);
    memset(packed.bytes + packed.length, 0, 5000);
    packed.length += 5000;
    check("filled.gz", &packed, 50000);
    packed.bytes[packed.length++] = 'x';
    check_refused("more.gz", &packed, ORIEL_DATA, "something else follows it");
    packed.length = 0;
    for (size_t at = 0; at < 50000; at += 500)
        add_zstd(&packed, text + at, 500);
    memcpy(packed.bytes + packed.length, "\x50\x2a\x4d\x18\4\0\0\0skip", 12); /* is left out */
    packed.length += 12;
    add_zstd(&packed, text + 50000, 10);
    check("many.zst", &packed, 50010);
}

static void other_packings(void **state) {
    (void)state;
    memcpy(packed.bytes, "BZh91AY&SY....", packed.length = 14);
    check_refused("a.bz2", &packed, ORIEL_UNSUPPORTED, "compressed with bzip2");
    memcpy(packed.bytes,
           "\xfd"
           "7zXZ\0....",
           packed.length = 10);
    check_refused("a.xz", &packed, ORIEL_UNSUPPORTED, "compressed with xz");
}

static void cut_files(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        packed.length = 0;
        if (kind)
            add_zstd(&packed, text, SMALL_BYTES);
        else
            add_deflated(&packed, text, SMALL_BYTES, 15 + 16);
        const size_t whole = packed.length;
        char message[64];
        for (packed.length = 4; packed.length < whole; packed.length++) {
            snprintf(message, sizeof message, "at byte %zu: it was cut", packed.length);
            check_refused("cut", &packed, ORIEL_DATA, message);
        }
    }
}

/* Damaged bytes: an error, or where no checksum sees it a text; never a crash or a leak. */
static void damaged_files(void **state) {
    (void)state;
    uint32_t random = 11;
    unsigned refused = 0;
    for (unsigned i = 0; i < DAMAGED_COUNT; i++) {
        packed.length = 0;
        if (i % 2)
            add_zstd(&packed, text, SMALL_BYTES);
        else
            add_deflated(&packed, text, SMALL_BYTES, 15 + 16);
        for (unsigned k = 0; k < 1 + i % 3; k++) {
            random = random * 1664525u + 1013904223u;
            packed.bytes[4 + random % (packed.length - 4)] ^= (unsigned char)(1u << (random >> 29));
        }
        struct oriel_memory memory = {0};
        struct oriel_error error = {0};
        size_t got;
        put("damaged", packed.bytes, packed.length);
        const enum oriel_status status = read_file(&memory, 4096, back, &got, &error);
        assert_true(status == ORIEL_OK || status == ORIEL_DATA || status == ORIEL_MEMORY);
        if (status == ORIEL_OK)
            assert_true(got == SMALL_BYTES && memcmp(back, text, got) == 0);
        else
            refused++;
        assert_int_equal(atomic_load(&memory.used_bytes), 0);
    }
    assert_true(refused > DAMAGED_COUNT * 8 / 10); /* names and times in the head are not checked */
}

static void failing_allocations(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        packed.length = 0;
        if (kind)
            add_zstd(&packed, text, TEXT_BYTES);
        else
            add_deflated(&packed, text, TEXT_BYTES, 15 + 16);
        put("failing", packed.bytes, packed.length);
        enum oriel_status status = ORIEL_MEMORY;
        for (size_t call = 1; status != ORIEL_OK; call++) {
            struct oriel_memory memory = {.fail_at_call = call};
            struct oriel_error error = {0};
            size_t got;
            assert_true(call < 100);
            status = read_file(&memory, 65536, back, &got, &error);
            assert_true(status == ORIEL_OK || status == ORIEL_MEMORY);
            assert_int_equal(atomic_load(&memory.used_bytes), 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_files),    cmocka_unit_test(several_members),
        cmocka_unit_test(other_packings), cmocka_unit_test(cut_files),
        cmocka_unit_test(damaged_files),  cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
