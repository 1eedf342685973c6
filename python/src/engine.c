/*
 * The type _oriel.Engine. A script runs on a thread of its own, so that the thread of Python can
 * look for signals meanwhile: Ctrl-C cancels it.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/extension.h"

enum { SIGNAL_CHECK_NS = 50000000 };

struct engine_object {
    PyObject_HEAD struct oriel_engine *engine;
    PyObject *batches_type;
    bool is_running;
};

static struct engine_object *engine_of(PyObject *self) {
    return (struct engine_object *)self;
}

/* The engine when it is open and idle, else an exception. */
static struct oriel_engine *idle_engine(PyObject *self) {
    struct engine_object *it = engine_of(self);
    if (!it->engine)
        PyErr_SetString(PyExc_ValueError, "the engine is closed");
    else if (it->is_running)
        PyErr_SetString(PyExc_ValueError, "the engine is running a script on another thread");
    else
        return it->engine;
    return NULL;
}

static PyObject *engine_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"batches_type", "threads", "memory_limit", "isa", "temp_dir",
                            "batch_rows",   NULL};
    struct oriel_engine_options options = ORIEL_ENGINE_OPTIONS_INIT;
    PyObject *batches_type;
    unsigned long long limit = 0;
    unsigned threads = 0, batch_rows = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|IKzzI", names, &batches_type, &threads,
                                     &limit, &options.isa, &options.temp_dir, &batch_rows))
        return NULL;
    options.thread_count = threads;
    options.memory_limit_bytes = limit;
    options.batch_rows = batch_rows;
    struct oriel_error error = {0};
    struct oriel_engine *engine;
    if (oriel_engine_open(&options, &engine, &error) != ORIEL_OK)
        return extension_fail(&error);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    struct engine_object *self = (struct engine_object *)allocate(type, 0);
    if (!self) {
        oriel_engine_close(&engine);
        return NULL;
    }
    self->engine = engine;
    Py_INCREF(batches_type);
    self->batches_type = batches_type;
    return (PyObject *)self;
}

static PyObject *engine_close(PyObject *self, PyObject *unused) {
    (void)unused;
    struct engine_object *it = engine_of(self);
    if (!it->engine)
        Py_RETURN_NONE;
    if (!idle_engine(self))
        return NULL;
    struct oriel_engine *engine = it->engine;
    it->engine = NULL;
    Py_BEGIN_ALLOW_THREADS;
    oriel_engine_close(&engine);
    Py_END_ALLOW_THREADS;
    Py_RETURN_NONE;
}

static void engine_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    struct engine_object *it = engine_of(self);
    if (it->engine) {
        Py_BEGIN_ALLOW_THREADS;
        oriel_engine_close(&it->engine);
        Py_END_ALLOW_THREADS;
    }
    Py_XDECREF(it->batches_type);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyObject *engine_register_stream(PyObject *self, PyObject *arguments) {
    const char *name;
    PyObject *capsule;
    int keep;
    if (!PyArg_ParseTuple(arguments, "sOp", &name, &capsule, &keep))
        return NULL;
    struct oriel_engine *engine = idle_engine(self);
    struct ArrowArrayStream *stream =
        engine ? PyCapsule_GetPointer(capsule, "arrow_array_stream") : NULL;
    if (!stream)
        return NULL;
    struct oriel_error error = {0};
    const enum oriel_status status = oriel_engine_register_stream(
        engine, name, stream, keep ? ORIEL_STREAM_KEEP : ORIEL_STREAM_ONCE, &error);
    if (PyErr_Occurred()) /* of a stream that is written in Python */
        return NULL;
    return status == ORIEL_OK ? Py_NewRef(Py_None) : extension_fail(&error);
}

/* A stream of the one array that a capsule holds. */
struct one_array {
    struct ArrowSchema schema;
    struct ArrowArray array;
};

static int one_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    struct one_array *it = stream->private_data;
    *out = it->schema;
    it->schema.release = NULL;
    return 0;
}

static int one_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct one_array *it = stream->private_data;
    *out = it->array;
    it->array.release = NULL;
    return 0;
}

static const char *one_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return NULL;
}

static void one_release(struct ArrowArrayStream *stream) {
    struct one_array *it = stream->private_data;
    if (it->schema.release)
        it->schema.release(&it->schema);
    if (it->array.release)
        it->array.release(&it->array);
    free(it);
    stream->release = NULL;
}

static void drop_stream(PyObject *capsule) {
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream->release)
        stream->release(stream);
    free(stream);
}

static PyObject *stream_of_array(PyObject *unused, PyObject *arguments) {
    PyObject *schema_capsule, *array_capsule;
    (void)unused;
    if (!PyArg_ParseTuple(arguments, "OO", &schema_capsule, &array_capsule))
        return NULL;
    struct ArrowSchema *schema = PyCapsule_GetPointer(schema_capsule, "arrow_schema");
    struct ArrowArray *array = schema ? PyCapsule_GetPointer(array_capsule, "arrow_array") : NULL;
    if (!array)
        return NULL;
    struct ArrowArrayStream *stream = malloc(sizeof *stream);
    struct one_array *one = malloc(sizeof *one);
    if (!stream || !one) {
        free(stream);
        free(one);
        return PyErr_NoMemory();
    }
    *one = (struct one_array){*schema, *array};
    schema->release = NULL;
    array->release = NULL;
    *stream = (struct ArrowArrayStream){one_schema, one_next, one_error, one_release, one};
    PyObject *capsule = PyCapsule_New(stream, "arrow_array_stream", drop_stream);
    if (!capsule) {
        stream->release(stream);
        free(stream);
    }
    return capsule;
}

static PyObject *engine_register_file(PyObject *self, PyObject *arguments) {
    const char *name, *path, *columns;
    if (!PyArg_ParseTuple(arguments, "ssz", &name, &path, &columns))
        return NULL;
    struct oriel_engine *engine = idle_engine(self);
    if (!engine)
        return NULL;
    struct oriel_error error = {0};
    return oriel_engine_register_file(engine, name, path, columns, &error) == ORIEL_OK
               ? Py_NewRef(Py_None)
               : extension_fail(&error);
}

/* What one statement gave; a list of them grows while a script runs. */
struct outcome {
    enum oriel_result_kind kind;
    uint64_t row_count;
    struct kept_batches *batches; /* or NULL */
    char *types;                  /* of the columns, one a line */
    struct outcome *next;
};

/* A script on its way; `lock` guards `is_done`. */
struct run {
    struct oriel_engine *engine;
    const char *text;
    size_t length;
    const char *name;
    int format; /* of `bytes`; -1: batches */
    char *bytes;
    size_t byte_count, byte_capacity;
    struct outcome *outcomes, **last;
    enum oriel_status status;
    struct oriel_error error;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_done;
};

static bool append(struct run *run, const char *bytes, size_t length) {
    if (run->byte_count + length > run->byte_capacity) {
        const size_t capacity = 2 * run->byte_capacity + length + 4096;
        char *grown = realloc(run->bytes, capacity);
        if (!grown)
            return false;
        run->bytes = grown;
        run->byte_capacity = capacity;
    }
    memcpy(run->bytes + run->byte_count, bytes, length);
    run->byte_count += length;
    return true;
}

static int take_bytes(void *context, const char *bytes, size_t length) {
    return append(context, bytes, length) ? 0 : 12; /* ENOMEM */
}

static char *describe_types(const struct oriel_result *result) {
    const uint32_t count = oriel_result_column_count(result);
    char *types = calloc(1, 1);
    size_t length = 0;
    for (uint32_t i = 0; i < count && types; i++) {
        struct oriel_result_column_info info;
        if (oriel_result_column(result, i, &info, NULL) != ORIEL_OK)
            break;
        const size_t more = strlen(info.type);
        char *grown = realloc(types, length + more + 2);
        if (!grown)
            break;
        types = grown;
        memcpy(types + length, info.type, more);
        length += more;
        memcpy(types + length++, "\n", 2);
    }
    return types;
}

static enum oriel_status take_result(struct run *run, struct oriel_result **result) {
    struct outcome *outcome = calloc(1, sizeof *outcome);
    if (!outcome) {
        run->error = (struct oriel_error){.status = ORIEL_MEMORY, .message = "out of memory"};
        return ORIEL_MEMORY;
    }
    *run->last = outcome;
    run->last = &outcome->next;
    outcome->kind = oriel_result_kind(*result);
    outcome->row_count = oriel_result_row_count(*result);
    if (!oriel_result_column_count(*result))
        return ORIEL_OK;
    outcome->types = describe_types(*result);
    if (run->format >= 0) {
        struct oriel_output output = ORIEL_OUTPUT_INIT;
        output.format = (enum oriel_format)run->format;
        output.write = take_bytes;
        output.write_context = run;
        return oriel_result_write(*result, &output, &run->error);
    }
    struct ArrowArrayStream stream;
    const enum oriel_status status = oriel_result_export_arrow(result, &stream, &run->error);
    return status == ORIEL_OK ? kept_batches_read(&stream, &outcome->batches, &run->error) : status;
}

static void *run_script(void *context) {
    struct run *run = context;
    struct oriel_script *script = NULL;
    struct oriel_result *result = NULL;
    run->status =
        oriel_script_open(run->engine, run->text, run->length, run->name, &script, &run->error);
    while (run->status == ORIEL_OK) {
        run->status = oriel_script_next(script, &result, &run->error);
        if (run->status == ORIEL_OK)
            run->status = take_result(run, &result);
        oriel_result_close(&result);
    }
    oriel_script_close(&script);
    pthread_mutex_lock(&run->lock);
    run->is_done = true;
    pthread_cond_signal(&run->changed);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* Waits a while; true when the script has ended. */
static bool wait_for_end(struct run *run) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += SIGNAL_CHECK_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&run->lock);
    if (!run->is_done)
        pthread_cond_timedwait(&run->changed, &run->lock, &until);
    const bool done = run->is_done;
    pthread_mutex_unlock(&run->lock);
    return done;
}

/* Runs the script; false with an exception when a signal handler raised one. */
static bool run_and_watch(struct run *run) {
    pthread_t thread;
    bool interrupted = false, done = false;
    if (pthread_create(&thread, NULL, run_script, run)) {
        PyErr_SetString(PyExc_OSError, "no thread can be started");
        return false;
    }
    while (!done) {
        Py_BEGIN_ALLOW_THREADS;
        done = wait_for_end(run);
        Py_END_ALLOW_THREADS;
        if (!done && !interrupted && PyErr_CheckSignals()) {
            interrupted = true;
            oriel_engine_cancel(run->engine);
        }
    }
    pthread_join(thread, NULL);
    if (interrupted)
        oriel_engine_resume(run->engine);
    return !interrupted;
}

/* (kind, row count, batches or None, types) of each statement. */
static PyObject *list_outcomes(struct run *run, PyObject *batches_type) {
    PyObject *list = PyList_New(0);
    for (struct outcome *it = run->outcomes; list && it; it = it->next) {
        PyObject *batches = Py_NewRef(Py_None);
        if (it->batches) {
            Py_DECREF(batches);
            batches = extension_batches_new(batches_type, it->batches);
            it->batches = NULL;
        }
        PyObject *entry =
            batches ? Py_BuildValue("(iKNs)", (int)it->kind, (unsigned long long)it->row_count,
                                    batches, it->types ? it->types : "")
                    : NULL;
        if (!entry || PyList_Append(list, entry))
            Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

static PyObject *run_text(PyObject *self, const char *text, Py_ssize_t length, const char *name,
                          int format) {
    struct oriel_engine *engine = idle_engine(self);
    if (!engine)
        return NULL;
    struct run run = {.engine = engine,
                      .text = text,
                      .length = (size_t)length,
                      .name = name,
                      .format = format,
                      .last = &run.outcomes};
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.changed, NULL);
    engine_of(self)->is_running = true;
    const bool ended = run_and_watch(&run);
    engine_of(self)->is_running = false;
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.lock);
    PyObject *result = NULL;
    if (ended && run.status != ORIEL_DONE)
        extension_fail(&run.error);
    else if (ended && format >= 0)
        result = PyUnicode_FromStringAndSize(run.bytes, (Py_ssize_t)run.byte_count);
    else if (ended)
        result = list_outcomes(&run, engine_of(self)->batches_type);
    while (run.outcomes) {
        struct outcome *outcome = run.outcomes;
        run.outcomes = outcome->next;
        if (outcome->batches)
            kept_batches_release(outcome->batches);
        free(outcome->types);
        free(outcome);
    }
    free(run.bytes);
    return result;
}

static PyObject *engine_run(PyObject *self, PyObject *arguments) {
    const char *text, *name;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(arguments, "s#s", &text, &length, &name))
        return NULL;
    return run_text(self, text, length, name, -1);
}

static PyObject *engine_text(PyObject *self, PyObject *arguments) {
    const char *text;
    Py_ssize_t length;
    int format;
    if (!PyArg_ParseTuple(arguments, "s#i", &text, &length, &format))
        return NULL;
    if (format < ORIEL_FORMAT_TABLEAU || format > ORIEL_FORMAT_MARKDOWN) {
        PyErr_SetString(PyExc_ValueError, "no such format");
        return NULL;
    }
    return run_text(self, text, length, "script", format);
}

static PyObject *engine_cancel(PyObject *self, PyObject *unused) {
    (void)unused;
    struct engine_object *it = engine_of(self);
    if (it->engine && it->is_running)
        oriel_engine_cancel(it->engine);
    Py_RETURN_NONE;
}

static PyObject *engine_resume(PyObject *self, PyObject *unused) {
    (void)unused;
    if (engine_of(self)->engine)
        oriel_engine_resume(engine_of(self)->engine);
    Py_RETURN_NONE;
}

static PyObject *engine_progress(PyObject *self, PyObject *unused) {
    (void)unused;
    struct oriel_engine_progress progress = {0};
    if (engine_of(self)->engine)
        oriel_engine_progress(engine_of(self)->engine, &progress);
    return Py_BuildValue(
        "(KKKK)", (unsigned long long)progress.row_count, (unsigned long long)progress.byte_count,
        (unsigned long long)progress.byte_total, (unsigned long long)progress.peak_memory_bytes);
}

PyObject *extension_engine_type(PyObject *module) {
    static PyMethodDef methods[] = {
        {"register_stream", engine_register_stream, METH_VARARGS, "(name, capsule, keep)"},
        {"register_file", engine_register_file, METH_VARARGS, "(name, path, columns or None)"},
        {"stream_of_array", stream_of_array, METH_VARARGS | METH_STATIC, "(schema, array)"},
        {"run", engine_run, METH_VARARGS, "(text, name): what each statement gave"},
        {"text", engine_text, METH_VARARGS, "(text, format): rows as text"},
        {"cancel", engine_cancel, METH_NOARGS, "Stops the script that another thread runs."},
        {"resume", engine_resume, METH_NOARGS, "Ends the request to stop."},
        {"progress", engine_progress, METH_NOARGS, "Rows, bytes, all bytes, peak memory."},
        {"close", engine_close, METH_NOARGS, "Frees the engine."},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {{Py_tp_new, engine_new},
                                  {Py_tp_dealloc, engine_dealloc},
                                  {Py_tp_methods, methods},
                                  {0, NULL}};
    static PyType_Spec spec = {"oriel._oriel.Engine", sizeof(struct engine_object), 0,
                               Py_TPFLAGS_DEFAULT, slots};
    return PyType_FromModuleAndSpec(module, &spec, NULL);
}
