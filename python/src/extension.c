/*
 * The extension module oriel._oriel: the C API for the Python texts beside it, which hold all that
 * users see.
 */
#include "src/extension.h"

static struct PyModuleDef definition;

struct module_state {
    PyObject *failure;
};

PyObject *extension_fail(const struct oriel_error *error) {
    PyObject *module = PyState_FindModule(&definition);
    struct module_state *state = module ? PyModule_GetState(module) : NULL;
    PyObject *arguments =
        Py_BuildValue("(isIIsIs)", (int)error->status, error->message, error->line, error->column,
                      error->source, error->excerpt_column, error->excerpt);
    if (state && arguments)
        PyErr_SetObject(state->failure, arguments);
    Py_XDECREF(arguments);
    return NULL;
}

static PyMethodDef functions[] = {
    {"import_times", extension_import_times, METH_O, "(capsule): list of bytes, Arrow format"},
    {"tumble", extension_tumble, METH_VARARGS, "(times, size, offset, starts)"},
    {"hop", extension_hop, METH_VARARGS, "(times, size, slide, offset, starts)"},
    {"cumulate", extension_cumulate, METH_VARARGS,
     "(times, size, step, offset, rows, starts, ends)"},
    {"session", extension_session, METH_VARARGS, "(times, keys, gap, ids, starts, ends)"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "oriel._oriel",
    .m_size = sizeof(struct module_state),
    .m_methods = functions,
};

/* Adds an object that is taken over. */
static int add(PyObject *module, const char *name, PyObject *object) {
    const int failed = object ? PyModule_AddObjectRef(module, name, object) : -1;
    Py_XDECREF(object);
    return failed;
}

PyMODINIT_FUNC PyInit__oriel(void);

PyMODINIT_FUNC PyInit__oriel(void) {
    PyObject *module = PyModule_Create(&definition);
    struct module_state *state = module ? PyModule_GetState(module) : NULL;
    if (!state)
        return NULL;
    state->failure = PyErr_NewException("oriel._oriel.Failure", NULL, NULL);
    if (!state->failure || PyModule_AddObjectRef(module, "Failure", state->failure) ||
        add(module, "Batches", extension_batches_type(module)) ||
        add(module, "Engine", extension_engine_type(module)) ||
        add(module, "version", PyUnicode_FromString(oriel_version()))) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
