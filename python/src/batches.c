/*
 * Results in memory: the arrays of a stream, given out again as often as wanted. Each copy of an
 * array, at any depth, holds a reference to the whole, so consumers may move parts out of it.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/extension.h"

struct kept_batches {
    atomic_uint reference_count;
    struct ArrowSchema schema;
    struct ArrowArray *arrays;
    size_t array_count, array_capacity;
    int64_t row_count;
};

static struct kept_batches *keep(struct kept_batches *batches) {
    atomic_fetch_add(&batches->reference_count, 1);
    return batches;
}

void kept_batches_release(struct kept_batches *batches) {
    if (atomic_fetch_sub(&batches->reference_count, 1) != 1)
        return;
    for (size_t i = 0; i < batches->array_count; i++)
        batches->arrays[i].release(&batches->arrays[i]);
    free(batches->arrays);
    if (batches->schema.release)
        batches->schema.release(&batches->schema);
    free(batches);
}

int64_t kept_batches_row_count(const struct kept_batches *batches) {
    return batches->row_count;
}

static enum oriel_status fail(enum oriel_status status, const char *message,
                              struct oriel_error *error) {
    *error = (struct oriel_error){.status = status};
    strncpy(error->message, message, sizeof error->message - 1);
    return status;
}

static bool add_array(struct kept_batches *batches, const struct ArrowArray *array) {
    if (batches->array_count == batches->array_capacity) {
        const size_t capacity = batches->array_capacity ? 2 * batches->array_capacity : 8;
        struct ArrowArray *arrays = realloc(batches->arrays, capacity * sizeof *arrays);
        if (!arrays)
            return false;
        batches->arrays = arrays;
        batches->array_capacity = capacity;
    }
    batches->arrays[batches->array_count++] = *array;
    batches->row_count += array->length;
    return true;
}

static enum oriel_status read_arrays(struct ArrowArrayStream *stream, struct kept_batches *batches,
                                     struct oriel_error *error) {
    int code = stream->get_schema(stream, &batches->schema);
    while (!code) {
        struct ArrowArray array = {0};
        code = stream->get_next(stream, &array);
        if (code || !array.release)
            break;
        if (!add_array(batches, &array)) {
            array.release(&array);
            return fail(ORIEL_MEMORY, "out of memory", error);
        }
    }
    if (!code)
        return ORIEL_OK;
    oriel_stream_error(stream, error);
    return error->status;
}

enum oriel_status kept_batches_read(struct ArrowArrayStream *stream, struct kept_batches **out,
                                    struct oriel_error *error) {
    struct kept_batches *batches = calloc(1, sizeof *batches);
    enum oriel_status status = ORIEL_MEMORY;
    if (batches) {
        atomic_store(&batches->reference_count, 1);
        status = read_arrays(stream, batches, error);
    } else {
        fail(ORIEL_MEMORY, "out of memory", error);
    }
    stream->release(stream);
    if (status != ORIEL_OK && batches) {
        kept_batches_release(batches);
        batches = NULL;
    }
    *out = batches;
    return status;
}

/* Behind the private_data of a copy; `children` are owned. */
struct copy_base {
    struct kept_batches *batches;
    void **children;
    int64_t child_count;
};

static void release_array_copy(struct ArrowArray *array) {
    struct copy_base *base = array->private_data;
    for (int64_t i = 0; i < base->child_count; i++) {
        struct ArrowArray *child = base->children[i];
        if (child->release)
            child->release(child);
        free(child);
    }
    kept_batches_release(base->batches);
    free(base->children);
    free(base);
    array->release = NULL;
}

static void release_schema_copy(struct ArrowSchema *schema) {
    struct copy_base *base = schema->private_data;
    for (int64_t i = 0; i < base->child_count; i++) {
        struct ArrowSchema *child = base->children[i];
        if (child->release)
            child->release(child);
        free(child);
    }
    kept_batches_release(base->batches);
    free(base->children);
    free(base);
    schema->release = NULL;
}

static struct copy_base *make_base(struct kept_batches *batches, int64_t child_count) {
    struct copy_base *base = calloc(1, sizeof *base);
    if (!base)
        return NULL;
    base->children = calloc((size_t)child_count + 1, sizeof *base->children);
    if (!base->children) {
        free(base);
        return NULL;
    }
    base->batches = keep(batches);
    return base;
}

static bool copy_array(struct kept_batches *batches, const struct ArrowArray *from,
                       struct ArrowArray *out) {
    struct copy_base *base = make_base(batches, from->n_children);
    if (!base)
        return false;
    *out = *from;
    out->private_data = base;
    out->release = release_array_copy;
    out->children = (struct ArrowArray **)base->children;
    bool ok = true;
    for (int64_t i = 0; i < from->n_children && ok; i++) {
        struct ArrowArray *child = calloc(1, sizeof *child);
        ok = child != NULL;
        if (ok) {
            base->children[base->child_count++] = child;
            ok = copy_array(batches, from->children[i], child);
        }
    }
    if (!ok)
        out->release(out);
    return ok;
}

static bool copy_schema(struct kept_batches *batches, const struct ArrowSchema *from,
                        struct ArrowSchema *out) {
    struct copy_base *base = make_base(batches, from->n_children);
    if (!base)
        return false;
    *out = *from;
    out->private_data = base;
    out->release = release_schema_copy;
    out->children = (struct ArrowSchema **)base->children;
    bool ok = true;
    for (int64_t i = 0; i < from->n_children && ok; i++) {
        struct ArrowSchema *child = calloc(1, sizeof *child);
        ok = child != NULL;
        if (ok) {
            base->children[base->child_count++] = child;
            ok = copy_schema(batches, from->children[i], child);
        }
    }
    if (!ok)
        out->release(out);
    return ok;
}

struct reading {
    struct kept_batches *batches;
    size_t next;
};

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    struct reading *it = stream->private_data;
    return copy_schema(it->batches, &it->batches->schema, out) ? 0 : ENOMEM;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct reading *it = stream->private_data;
    memset(out, 0, sizeof *out);
    if (it->next == it->batches->array_count)
        return 0;
    return copy_array(it->batches, &it->batches->arrays[it->next++], out) ? 0 : ENOMEM;
}

static const char *stream_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return "out of memory";
}

static void stream_release(struct ArrowArrayStream *stream) {
    struct reading *it = stream->private_data;
    kept_batches_release(it->batches);
    free(it);
    stream->release = NULL;
}

static void drop_stream(PyObject *capsule) {
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream->release)
        stream->release(stream);
    free(stream);
}

PyObject *kept_batches_stream(struct kept_batches *batches) {
    struct ArrowArrayStream *stream = malloc(sizeof *stream);
    struct reading *reading = calloc(1, sizeof *reading);
    if (!stream || !reading) {
        free(stream);
        free(reading);
        return PyErr_NoMemory();
    }
    reading->batches = keep(batches);
    *stream = (struct ArrowArrayStream){stream_schema, stream_next, stream_error, stream_release,
                                        reading};
    PyObject *capsule = PyCapsule_New(stream, "arrow_array_stream", drop_stream);
    if (!capsule) {
        stream->release(stream);
        free(stream);
    }
    return capsule;
}

static void drop_schema(PyObject *capsule) {
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (schema->release)
        schema->release(schema);
    free(schema);
}

PyObject *kept_batches_schema(struct kept_batches *batches) {
    struct ArrowSchema *schema = malloc(sizeof *schema);
    if (!schema || !copy_schema(batches, &batches->schema, schema)) {
        free(schema);
        return PyErr_NoMemory();
    }
    PyObject *capsule = PyCapsule_New(schema, "arrow_schema", drop_schema);
    if (!capsule) {
        schema->release(schema);
        free(schema);
    }
    return capsule;
}

/* ---- the type _oriel.Batches ---- */

struct batches_object {
    PyObject_HEAD struct kept_batches *batches;
};

static struct kept_batches *batches_of(PyObject *self) {
    return ((struct batches_object *)self)->batches;
}

static void batches_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (batches_of(self))
        kept_batches_release(batches_of(self));
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *batches_stream(PyObject *self, PyObject *unused) {
    (void)unused;
    return kept_batches_stream(batches_of(self));
}

static PyObject *batches_schema(PyObject *self, PyObject *unused) {
    (void)unused;
    return kept_batches_schema(batches_of(self));
}

static PyObject *batches_row_count(PyObject *self, PyObject *unused) {
    (void)unused;
    return PyLong_FromLongLong(kept_batches_row_count(batches_of(self)));
}

PyObject *extension_batches_new(PyObject *type, struct kept_batches *batches) {
    struct batches_object *self = PyObject_New(struct batches_object, (PyTypeObject *)type);
    if (!self) {
        kept_batches_release(batches);
        return NULL;
    }
    self->batches = batches;
    return (PyObject *)self;
}

PyObject *extension_batches_type(PyObject *module) {
    static PyMethodDef methods[] = {
        {"stream", batches_stream, METH_NOARGS, "A capsule with an ArrowArrayStream."},
        {"schema", batches_schema, METH_NOARGS, "A capsule with an ArrowSchema."},
        {"row_count", batches_row_count, METH_NOARGS, "Rows of all batches."},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, batches_dealloc}, {Py_tp_methods, methods}, {0, NULL}};
    static PyType_Spec spec = {"oriel._oriel.Batches", sizeof(struct batches_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return PyType_FromModuleAndSpec(module, &spec, NULL);
}
