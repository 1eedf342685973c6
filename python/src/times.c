/*
 * Kernels on what Python has: objects with the buffer protocol, and columns of times in Arrow.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/extension.h"

/* Gets the buffers of `count` objects, None for those that may be left out. */
static bool get_buffers(PyObject *const *objects, size_t count, size_t output_begin,
                        Py_buffer *buffers) {
    for (size_t i = 0; i < count; i++) {
        buffers[i] = (Py_buffer){0};
        if (objects[i] == Py_None)
            continue;
        const int flags = i >= output_begin ? PyBUF_WRITABLE : PyBUF_SIMPLE;
        if (PyObject_GetBuffer(objects[i], &buffers[i], flags)) {
            while (i-- > 0)
                PyBuffer_Release(&buffers[i]);
            return false;
        }
    }
    return true;
}

static void release_buffers(Py_buffer *buffers, size_t count) {
    for (size_t i = 0; i < count; i++)
        PyBuffer_Release(&buffers[i]);
}

static PyObject *finish(enum oriel_status status, const struct oriel_error *error, size_t count) {
    return status == ORIEL_OK ? PyLong_FromSize_t(count) : extension_fail(error);
}

/* Whether outputs have room for what their kernel writes; sets an exception when not. */
static bool check_room(const Py_buffer *buffer, size_t count, size_t size_bytes) {
    if (!buffer->obj || (size_t)buffer->len / size_bytes >= count)
        return true;
    PyErr_SetString(PyExc_ValueError, "an output is too small");
    return false;
}

PyObject *extension_tumble(PyObject *module, PyObject *arguments) {
    PyObject *objects[2];
    long long size, offset;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OLLO", &objects[0], &size, &offset, &objects[1]))
        return NULL;
    Py_buffer buffers[2];
    if (!get_buffers(objects, 2, 1, buffers))
        return NULL;
    const size_t count = (size_t)buffers[0].len / 8;
    struct oriel_error error = {0};
    enum oriel_status status = ORIEL_ARGUMENT;
    const bool ok = check_room(&buffers[1], count, 8);
    if (ok) {
        Py_BEGIN_ALLOW_THREADS;
        status =
            oriel_kernel_tumble(NULL, buffers[0].buf, count, size, offset, buffers[1].buf, &error);
        Py_END_ALLOW_THREADS;
    }
    release_buffers(buffers, 2);
    return ok ? finish(status, &error, count) : NULL;
}

PyObject *extension_hop(PyObject *module, PyObject *arguments) {
    PyObject *objects[2];
    long long size, slide, offset;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OLLLO", &objects[0], &size, &slide, &offset, &objects[1]))
        return NULL;
    Py_buffer buffers[2];
    if (!get_buffers(objects, 2, 1, buffers))
        return NULL;
    const size_t count = (size_t)buffers[0].len / 8;
    const size_t windows = slide > 0 && size > 0 ? (size_t)(size / slide) : 0;
    struct oriel_error error = {0};
    enum oriel_status status = ORIEL_ARGUMENT;
    const bool ok = check_room(&buffers[1], count * windows, 8);
    if (ok) {
        Py_BEGIN_ALLOW_THREADS;
        status = oriel_kernel_hop(NULL, buffers[0].buf, count, size, slide, offset, buffers[1].buf,
                                  &error);
        Py_END_ALLOW_THREADS;
    }
    release_buffers(buffers, 2);
    return ok ? finish(status, &error, count * windows) : NULL;
}

PyObject *extension_cumulate(PyObject *module, PyObject *arguments) {
    PyObject *objects[4];
    long long size, step, offset;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OLLLOOO", &objects[0], &size, &step, &offset, &objects[1],
                          &objects[2], &objects[3]))
        return NULL;
    Py_buffer buffers[4];
    if (!get_buffers(objects, 4, 1, buffers))
        return NULL;
    const size_t count = (size_t)buffers[0].len / 8;
    const size_t windows = step > 0 && size > 0 ? (size_t)(size / step) : 0;
    struct oriel_error error = {0};
    enum oriel_status status = ORIEL_ARGUMENT;
    size_t written = 0;
    const bool ok = check_room(&buffers[1], count * windows, 4) &&
                    check_room(&buffers[2], count * windows, 8) &&
                    check_room(&buffers[3], count * windows, 8);
    if (ok) {
        Py_BEGIN_ALLOW_THREADS;
        status =
            oriel_kernel_cumulate(NULL, buffers[0].buf, count, size, step, offset, buffers[1].buf,
                                  buffers[2].buf, buffers[3].buf, &written, &error);
        Py_END_ALLOW_THREADS;
    }
    release_buffers(buffers, 4);
    return ok ? finish(status, &error, written) : NULL;
}

PyObject *extension_session(PyObject *module, PyObject *arguments) {
    PyObject *objects[5];
    long long gap;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOLOOO", &objects[0], &objects[1], &gap, &objects[2],
                          &objects[3], &objects[4]))
        return NULL;
    Py_buffer buffers[5];
    if (!get_buffers(objects, 5, 2, buffers))
        return NULL;
    const size_t count = (size_t)buffers[0].len / 8;
    struct oriel_error error = {0};
    enum oriel_status status = ORIEL_ARGUMENT;
    size_t sessions = 0;
    bool ok = check_room(&buffers[1], count, 4) && check_room(&buffers[2], count, 4) &&
              check_room(&buffers[3], count, 8) && check_room(&buffers[4], count, 8);
    void *scratch = ok ? malloc(oriel_kernel_scratch_bytes(count)) : NULL;
    if (ok && !scratch) {
        PyErr_NoMemory();
        ok = false;
    }
    if (ok) {
        Py_BEGIN_ALLOW_THREADS;
        status = oriel_kernel_session_ids(NULL, buffers[0].buf, buffers[1].buf, count, gap, scratch,
                                          buffers[2].buf, buffers[3].buf, buffers[4].buf, &sessions,
                                          &error);
        Py_END_ALLOW_THREADS;
    }
    free(scratch);
    release_buffers(buffers, 5);
    return ok ? finish(status, &error, sessions) : NULL;
}

/* Milliseconds of a time in the unit of a format such as "tsu:". */
static int64_t to_ms(int64_t value, char unit) {
    const int64_t divisor = unit == 'u' ? 1000 : unit == 'n' ? 1000000 : 1;
    if (unit == 's')
        return (int64_t)((uint64_t)value * 1000);
    return value / divisor - (value % divisor < 0);
}

static bool add_times(PyObject *list, const struct ArrowArray *array, char unit) {
    const bool has_nulls = array->null_count != 0 && array->n_buffers > 0 && array->buffers[0];
    const unsigned char *valid = has_nulls ? array->buffers[0] : NULL;
    for (int64_t i = 0; valid && i < array->length; i++) {
        const int64_t at = array->offset + i;
        if (!(valid[at / 8] >> (at % 8) & 1)) {
            PyErr_SetString(PyExc_ValueError, "a time is NULL");
            return false;
        }
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)array->length * 8);
    if (!bytes)
        return false;
    char *out = PyBytes_AsString(bytes);
    const char *from = array->length ? (const char *)array->buffers[1] + array->offset * 8 : out;
    for (int64_t i = 0; i < array->length; i++) {
        int64_t value;
        memcpy(&value, from + i * 8, 8);
        value = to_ms(value, unit);
        memcpy(out + i * 8, &value, 8);
    }
    const int failed = PyList_Append(list, bytes);
    Py_DECREF(bytes);
    return !failed;
}

static bool add_arrays(PyObject *list, struct ArrowArrayStream *stream, char unit) {
    for (;;) {
        struct ArrowArray array = {0};
        if (stream->get_next(stream, &array)) {
            const char *text = stream->get_last_error(stream);
            PyErr_SetString(PyExc_ValueError, text ? text : "the stream failed");
            return false;
        }
        if (!array.release)
            return true;
        const bool ok = add_times(list, &array, unit);
        array.release(&array);
        if (!ok)
            return false;
    }
}

PyObject *extension_import_times(PyObject *module, PyObject *capsule) {
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    struct ArrowSchema schema = {0};
    (void)module;
    if (!stream)
        return NULL;
    if (!stream->release || stream->get_schema(stream, &schema)) {
        PyErr_SetString(PyExc_ValueError, "the stream has no schema");
        return NULL;
    }
    const char *format = schema.format ? schema.format : "";
    const bool is_time = strncmp(format, "ts", 2) == 0;
    PyObject *result = NULL;
    if (is_time || strcmp(format, "l") == 0) {
        PyObject *list = PyList_New(0);
        if (list && add_arrays(list, stream, is_time ? format[2] : 'm'))
            result = Py_BuildValue("(Os)", list, format);
        Py_XDECREF(list);
    } else {
        PyErr_Format(PyExc_TypeError, "times must be int64 or timestamps, not Arrow's '%s'",
                     format);
    }
    if (schema.release)
        schema.release(&schema);
    return result;
}
