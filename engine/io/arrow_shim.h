/*
 * The one door to Arrow C++: Parquet files and Arrow IPC files (of the file and the stream form) in
 * and out, as batches of the Arrow C data interface. A module of its own, oriel_arrow.so,
 * implements it and is loaded at the first use of such a file; see arrow_module.h. Nothing behind
 * it throws, prints or ends the process.
 *
 * Threads: a file may be used by several threads at once, a reader or writer by one at a time.
 * Everything taken from a file (readers, arrays) must be given back before the file is closed.
 *
 * Statuses: ORIEL_OK, ORIEL_MEMORY, ORIEL_IO (the system said no), ORIEL_DATA (the file is damaged
 * or breaks its format), ORIEL_UNSUPPORTED; the message then says what Arrow said, on one line.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oriel/arrow_c.h"
#include "oriel/error.h"

enum { ORIEL_ARROW_SHIM_VERSION = 2, ORIEL_ARROW_MESSAGE_BYTES = 600 };

/* The symbol of the module that points to its struct oriel_arrow_shim. */
#define ORIEL_ARROW_SHIM_SYMBOL "oriel_arrow_module"

enum oriel_arrow_format { ORIEL_ARROW_PARQUET, ORIEL_ARROW_IPC };

/* Units of time in the order of their precision. */
enum oriel_arrow_unit {
    ORIEL_ARROW_MILLISECOND,
    ORIEL_ARROW_MICROSECOND,
    ORIEL_ARROW_NANOSECOND,
};

enum oriel_arrow_compression {
    ORIEL_ARROW_UNCOMPRESSED,
    ORIEL_ARROW_SNAPPY, /* Parquet only */
    ORIEL_ARROW_GZIP,   /* Parquet only */
    ORIEL_ARROW_ZSTD,
    ORIEL_ARROW_LZ4,
};

struct oriel_arrow_message {
    char text[ORIEL_ARROW_MESSAGE_BYTES];
};

/* Counts the memory that Arrow takes. `take` returns 0 when there may be no more, and counts it all
 * the same with `anyway`; any thread calls them. */
struct oriel_arrow_account {
    void *context;
    int (*take)(void *context, size_t size_bytes, int anyway);
    void (*give)(void *context, size_t size_bytes);
};

struct oriel_arrow_file;
struct oriel_arrow_reader;
struct oriel_arrow_writer;
struct oriel_arrow_object; /* an open file of an object store */

/* Least and greatest value of a part, in the unit of the column's type. */
struct oriel_arrow_range {
    int64_t low;
    int64_t high;
    int64_t null_count;
};

struct oriel_arrow_read_options {
    const int *fields; /* numbers of the schema's children, ascending, at least one */
    int field_count;
    int64_t batch_rows;               /* of an array; Parquet only */
    enum oriel_arrow_unit int96_unit; /* of the timestamps that INT96 gives */
};

struct oriel_arrow_write_options {
    enum oriel_arrow_format format;
    enum oriel_arrow_compression compression;
    int64_t group_rows; /* rows of a row group or record batch */
    /* Takes all bytes and returns 0; else the writer fails with ORIEL_IO. */
    int (*write)(void *context, const void *bytes, size_t length);
    void *write_context;
};

struct oriel_arrow_shim {
    uint32_t version;
    const char *arrow_version; /* e.g. "26.0.1" */

    /* Reads the footer or head of a file. Takes `descriptor` over, also on failure. `schema` is the
     * caller's to release. */
    enum oriel_status (*open)(int descriptor, enum oriel_arrow_format format,
                              const struct oriel_arrow_account *account,
                              struct oriel_arrow_file **out, struct ArrowSchema *schema,
                              struct oriel_arrow_message *message);
    void (*close)(struct oriel_arrow_file *file);

    /* Row groups or record batches; -1 when only reading to the end tells (the stream form). Such a
     * file has one reader at a time. */
    int64_t (*part_count)(const struct oriel_arrow_file *file);
    /* Rows of a part; -1 when only reading it tells (Arrow files). */
    int64_t (*part_rows)(const struct oriel_arrow_file *file, int64_t part);
    /* False when the file does not say, or not exactly. For integers and times of Parquet. */
    int (*part_range)(const struct oriel_arrow_file *file, int64_t part, int field,
                      struct oriel_arrow_range *out);

    enum oriel_status (*reader_open)(struct oriel_arrow_file *file,
                                     const struct oriel_arrow_read_options *options,
                                     struct oriel_arrow_reader **out,
                                     struct oriel_arrow_message *message);
    void (*reader_close)(struct oriel_arrow_reader *reader);
    /* Goes to the begin of a part; its schema, with dictionaries where the reader gives them, is
     * that of all arrays until the next call. */
    enum oriel_status (*reader_begin)(struct oriel_arrow_reader *reader, int64_t part,
                                      struct ArrowSchema *schema,
                                      struct oriel_arrow_message *message);
    /* The next array of the part, checked for what could make its consumer read past its buffers;
     * ORIEL_DONE behind the last. The caller releases it. */
    enum oriel_status (*reader_next)(struct oriel_arrow_reader *reader, struct ArrowArray *out,
                                     struct oriel_arrow_message *message);

    /* `schema` and the arrays are taken over, also on failure. */
    enum oriel_status (*writer_open)(const struct oriel_arrow_write_options *options,
                                     const struct oriel_arrow_account *account,
                                     struct ArrowSchema *schema, struct oriel_arrow_writer **out,
                                     struct oriel_arrow_message *message);
    enum oriel_status (*writer_add)(struct oriel_arrow_writer *writer, struct ArrowArray *array,
                                    struct oriel_arrow_message *message);
    /* Writes what is left, and the footer. */
    enum oriel_status (*writer_finish)(struct oriel_arrow_writer *writer,
                                       struct oriel_arrow_message *message);
    void (*writer_close)(struct oriel_arrow_writer *writer);

    /* Object stores. All functions may be called by any thread. Calls `add` with the URI of the
     * file `uri`, or of each file below it; 0: go on. */
    enum oriel_status (*store_list)(const char *uri,
                                    int (*add)(void *context, const char *uri, int64_t size_bytes,
                                               int64_t modified_ns),
                                    void *context, struct oriel_arrow_message *message);
    enum oriel_status (*object_open)(const char *uri, struct oriel_arrow_object **out,
                                     int64_t *size_bytes, int64_t *modified_ns,
                                     struct oriel_arrow_message *message);
    /* *got is smaller than `length` only at the end. */
    enum oriel_status (*object_read)(struct oriel_arrow_object *object, int64_t offset,
                                     void *buffer, size_t length, size_t *got,
                                     struct oriel_arrow_message *message);
    void (*object_close)(struct oriel_arrow_object *object);
    /* As `open`, over an object, which is taken over, also on failure. */
    enum oriel_status (*object_open_file)(struct oriel_arrow_object *object,
                                          enum oriel_arrow_format format,
                                          const struct oriel_arrow_account *account,
                                          struct oriel_arrow_file **out, struct ArrowSchema *schema,
                                          struct oriel_arrow_message *message);
};
