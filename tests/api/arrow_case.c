/* Streams over the arrays of a test; see arrow_case.h. */
#include "tests/api/arrow_case.h"

#include <errno.h>

static void release_schema(struct ArrowSchema *schema) {
    struct arrow_case *it = schema->private_data;
    it->schema_released++;
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    struct arrow_case *it = array->private_data;
    it->array_released++;
    array->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    struct arrow_case *it = stream->private_data;
    *out = it->schema;
    out->release = release_schema;
    out->private_data = it;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct arrow_case *it = stream->private_data;
    *out = (struct ArrowArray){0};
    if (it->failing_call && (int)it->next_array + 1 == it->failing_call)
        return EIO;
    if (it->next_array == it->array_count)
        return 0;
    *out = it->arrays[it->next_array++];
    out->release = release_array;
    out->private_data = it;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return "the test wants it so";
}

static void release_stream(struct ArrowArrayStream *stream) {
    struct arrow_case *it = stream->private_data;
    it->stream_released++;
    stream->release = NULL;
}

void arrow_add_column(struct arrow_case *it, const char *name, const char *format, int64_t flags) {
    struct ArrowSchema *column = &it->columns[it->column_count];
    *column = (struct ArrowSchema){.format = format, .name = name, .flags = flags};
    it->column_pointers[it->column_count++] = column;
    it->schema = (struct ArrowSchema){.format = "+s",
                                      .name = "",
                                      .n_children = (int64_t)it->column_count,
                                      .children = it->column_pointers};
}

void arrow_add_array(struct arrow_case *it, int64_t length, int64_t offset) {
    static const void *no_validity[1];
    const size_t index = it->array_count++;
    it->arrays[index] = (struct ArrowArray){.length = length,
                                            .offset = offset,
                                            .n_buffers = 1,
                                            .buffers = no_validity,
                                            .n_children = (int64_t)it->column_count,
                                            .children = it->child_pointers[index]};
}

struct ArrowArray *arrow_set_column(struct arrow_case *it, size_t column, int64_t length,
                                    int64_t offset, int64_t null_count, const void **buffers,
                                    int64_t buffer_count) {
    const size_t index = it->array_count - 1;
    struct ArrowArray *child = &it->children[index][column];
    *child = (struct ArrowArray){.length = length,
                                 .offset = offset,
                                 .null_count = null_count,
                                 .n_buffers = buffer_count,
                                 .buffers = buffers};
    it->child_pointers[index][column] = child;
    return child;
}

struct ArrowArrayStream arrow_open(struct arrow_case *it) {
    return (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, it};
}
