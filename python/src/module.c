/* SPDX-License-Identifier: MIT
 *
 * module.c - arne._arne: what arne/__init__.py builds on. */
#include <stdarg.h>

#include "door.h"

given_by_python py;

static bool raise(const char *file, int line, const char *message)
{
    char text[1024];
    if (file && *file && line > 0)
        snprintf(text, sizeof text, "%s:%d: %s", file, line, message);
    else
        snprintf(text, sizeof text, "%s%s%s", file ? file : "", file && *file ? ": " : "", message);
    PyObject *words = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    PyObject *e = words ? PyObject_CallFunction(py.error, "Ozi", words, file && *file ? file : NULL, line) : NULL;
    if (e) PyErr_SetObject(py.error, e);
    Py_XDECREF(words);
    Py_XDECREF(e);
    return false;
}

bool fail_with(const arne_error *error)
{
    if (error->status == ARNE_NO_MEMORY) return PyErr_NoMemory() != NULL;
    return raise(error->file, error->line, error->message);
}

void fail(const char *format, ...)
{
    char message[768];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    raise(NULL, 0, message);
}

/* _start(error, warning, empty, asarray, float64, float32, {row: _make of its named tuple}) */
static PyObject *start(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *tuples;
    if (!PyArg_ParseTuple(args, "OOOOOOO", &py.error, &py.warning, &py.empty, &py.asarray, &py.double_type, &py.float_type,
                          &tuples))
        return NULL;
    PyObject *kept[] = {py.error, py.warning, py.empty, py.asarray, py.double_type, py.float_type};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) Py_INCREF(kept[i]);
    for (int i = 0; i < ROWS; i++) {
        py.tuples[i] = PyDict_GetItemString(tuples, rows[i].name);
        Py_XINCREF(py.tuples[i]);
    }
    Py_RETURN_NONE;
}

static PyObject *table_row(const row *r)
{
    PyObject *inputs = PyList_New(0), *parts = PyList_New(0);
    for (int i = 0; inputs && i < r->ninput; i++) {
        PyObject *name = PyUnicode_FromString(r->input[i]);
        if (!name || PyList_Append(inputs, name)) Py_CLEAR(inputs);
        Py_XDECREF(name);
    }
    for (int k = 0; parts && k < r->nparts; k++) {
        PyObject *part = Py_BuildValue("(zss)", r->parts[k].name, axis_words(r->parts[k].rows), axis_words(r->parts[k].columns));
        if (!part || PyList_Append(parts, part)) Py_CLEAR(parts);
        Py_XDECREF(part);
    }
    PyObject *options = PyList_New(0);
    const struct {
        unsigned flag;
        const char *name;
    } all[] = {{ARNE_OF_LINK, "link"}, {ARNE_IN_FRAME, "frame"}, {ARNE_BY_FACTOR, row_factor_word(r)},
               {BY_METHOD, "method"},  {BY_ORDER, "order"},      {BY_ORDER, "friction_columns"},
               {BY_CYCLE, "dt"},       {BY_CYCLE, "policy"}};
    for (size_t i = 0; options && i < sizeof all / sizeof *all; i++) {
        if (!(r->options & all[i].flag)) continue;
        PyObject *name = PyUnicode_FromString(all[i].name);
        if (!name || PyList_Append(options, name)) Py_CLEAR(options);
        Py_XDECREF(name);
    }
    if (!inputs || !parts || !options) return NULL;
    return Py_BuildValue("{sssssNsNsNsO}", "name", r->name, "about", r->about, "inputs", inputs, "parts", parts, "options",
                         options, "hidden", r->hidden ? Py_True : Py_False);
}

/* table(): what can be computed, a dict a row */
static PyObject *table(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < ROWS; i++) {
        PyObject *one = table_row(&rows[i]);
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *robots(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    arne_robot_place *places = NULL;
    size_t count = 0;
    arne_error error = {0};
    if (arne_robots(&places, &count, &error)) {
        fail_with(&error);
        return NULL;
    }
    PyObject *list = PyDict_New();
    for (size_t i = 0; list && i < count; i++) {
        PyObject *path = PyUnicode_DecodeFSDefault(places[i].path);
        if (!path || PyDict_SetItemString(list, places[i].name, path)) Py_CLEAR(list);
        Py_XDECREF(path);
    }
    arne_robots_free(places, count);
    return list;
}

static PyMethodDef functions[] = {{"_start", start, METH_VARARGS, NULL},
                                  {"table", table, METH_NOARGS, "what can be computed, a dict a row"},
                                  {"robots", robots, METH_NOARGS, "the shipped robots, name: path"},
                                  {0}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "arne._arne", "the C side of arne", -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__arne(void);
PyMODINIT_FUNC PyInit__arne(void)
{
    rows_fill();
    PyObject *m = PyModule_Create(&definition), *class = m ? model_class() : NULL;
    if (!class || PyModule_AddObjectRef(m, "Model", class) || PyModule_AddStringConstant(m, "version", arne_version()))
        Py_CLEAR(m);
    Py_XDECREF(class);
    return m;
}
