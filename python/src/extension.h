/* What the files of the extension module share. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <oriel/oriel.h>

/* Sets the exception _oriel.Failure, whose arguments are all that `error` says; returns NULL. */
PyObject *extension_fail(const struct oriel_error *error);

/* Arrow batches that are kept: any number of streams read them, and any thread gives them back. */
struct kept_batches;

/* Takes `stream`, one of oriel_result_export_arrow, over and reads it to its end; no Python is
 * called. */
enum oriel_status kept_batches_read(struct ArrowArrayStream *stream, struct kept_batches **out,
                                    struct oriel_error *error);
void kept_batches_release(struct kept_batches *batches);
int64_t kept_batches_row_count(const struct kept_batches *batches);

/* A capsule "arrow_array_stream" or "arrow_schema" over the batches. */
PyObject *kept_batches_stream(struct kept_batches *batches);
PyObject *kept_batches_schema(struct kept_batches *batches);

/* The arrays in a capsule of a stream of int64 or timestamps, or NULL values, as milliseconds:
 * (bytes, format of the type). */
PyObject *extension_import_times(PyObject *module, PyObject *capsule);

/* Kernels on buffers. */
PyObject *extension_tumble(PyObject *module, PyObject *arguments);
PyObject *extension_hop(PyObject *module, PyObject *arguments);
PyObject *extension_cumulate(PyObject *module, PyObject *arguments);
PyObject *extension_session(PyObject *module, PyObject *arguments);

/* The types _oriel.Engine and _oriel.Batches, new references. */
PyObject *extension_engine_type(PyObject *module);
PyObject *extension_batches_type(PyObject *module);

/* Wraps batches, which are taken over. */
PyObject *extension_batches_new(PyObject *type, struct kept_batches *batches);
