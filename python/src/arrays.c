/* SPDX-License-Identifier: MIT
 *
 * arrays.c - arrays in and out by the buffer protocol: any strides, doubles or floats; whatever else numpy makes doubles of. */
#include <stdint.h>

#include "door.h"

/* 'd', 'f', or 0: anything else */
static char real_kind(const Py_buffer *v)
{
    const char *f = v->format ? v->format : "B";
    const uint16_t one = 1;
    if (*f == '@' || *f == '=' || (*f == '<' && *(const char *)&one)) f++;
    return (*f == 'd' || *f == 'f') && !f[1] ? *f : 0;
}

/* the shape of a buffer as Python prints it */
static void shape_words(const Py_buffer *v, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "(");
    for (int i = 0; i < v->ndim && n < size; i++) n += (size_t)snprintf(text + n, size - n, "%s%zd", i ? ", " : "", v->shape[i]);
    if (n < size) snprintf(text + n, size - n, v->ndim == 1 ? ",)" : ")");
}

/* numpy's words about an object that is no array of numbers, in ours */
static bool no_numbers(const char *name, PyObject *object)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyErr_Format(PyExc_TypeError, "%s: numbers are expected, got %R: %S", name, (PyObject *)Py_TYPE(object),
                 value ? value : Py_None);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return false;
}

/* The object as doubles, from whatever numpy takes; strings and complex numbers are none. */
static PyObject *as_doubles(PyObject *object)
{
    PyObject *any = PyObject_CallFunctionObjArgs(py.asarray, object, NULL);
    PyObject *doubles = any ? PyObject_CallMethod(any, "astype", "Oss", py.double_type, "K", "same_kind") : NULL;
    Py_XDECREF(any);
    return doubles;
}

static bool convert(array *a, PyObject *object)
{
    PyErr_Clear();
    PyObject *doubles = as_doubles(object);
    if (!doubles) return no_numbers(a->name, object);
    const int bad = PyObject_GetBuffer(doubles, &a->view, PyBUF_STRIDES | PyBUF_FORMAT);
    Py_DECREF(doubles); /* the view holds it */
    a->kind = 'd';
    a->held = !bad;
    return !bad;
}

bool array_take(array *a, const char *name, PyObject *object, Py_ssize_t width, const char *of)
{
    a->name = name;
    a->held = !PyObject_GetBuffer(object, &a->view, PyBUF_STRIDES | PyBUF_FORMAT);
    if (!a->held || !(a->kind = real_kind(&a->view))) {
        array_drop(a);
        if (!convert(a, object)) return false;
    }
    const Py_buffer *v = &a->view;
    if ((v->ndim != 1 && v->ndim != 2) || v->shape[v->ndim - 1] != width) {
        char shape[128];
        shape_words(v, shape, sizeof shape);
        PyErr_Format(PyExc_ValueError, "%s: its shape is %s, wanted (%zd,) or (N, %zd): %s", name, shape, width, width, of);
        array_drop(a);
        return false;
    }
    a->one = v->ndim == 1;
    a->data = v->buf;
    a->states = a->one ? 1 : v->shape[0];
    a->step = a->one ? 0 : v->strides[0];
    a->stride = v->strides[v->ndim - 1];
    return true;
}

void array_drop(array *a)
{
    if (a->held) PyBuffer_Release(&a->view);
    a->held = false;
}

static bool aligned(const void *p, Py_ssize_t itemsize) { return (uintptr_t)p % (uintptr_t)itemsize == 0; }

bool array_dense(const array *a, Py_ssize_t width)
{
    const Py_ssize_t item = a->view.itemsize;
    return a->stride == item && (a->states <= 1 || a->step == width * item) && aligned(a->data, item);
}

void array_get(const array *a, Py_ssize_t state, Py_ssize_t width, void *numbers, char to)
{
    const char *from = a->data + state * a->step;
    if (a->kind == to && a->stride == a->view.itemsize) {
        memcpy(numbers, from, (size_t)(width * a->stride));
        return;
    }
    for (Py_ssize_t k = 0; k < width; k++, from += a->stride) {
        if (to == 'f') {
            memcpy((float *)numbers + k, from, sizeof(float)); /* floats are asked for where all are floats */
        } else if (a->kind == 'f') {
            float x;
            memcpy(&x, from, sizeof x);
            ((double *)numbers)[k] = (double)x;
        } else {
            memcpy((double *)numbers + k, from, sizeof(double));
        }
    }
}

bool sink_take(sink *s, const char *name, PyObject *object, char kind, bool one, Py_ssize_t states, int rank,
               const Py_ssize_t *sizes)
{
    s->held = !PyObject_GetBuffer(object, &s->view, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE);
    if (!s->held) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: an array that can be written to is expected, got %R", name,
                     (PyObject *)Py_TYPE(object));
        return false;
    }
    const Py_buffer *v = &s->view;
    const int before = one ? 0 : 1;
    bool fits = v->ndim == rank + before && (one || v->shape[0] == states);
    for (int i = 0; i < rank && fits; i++) fits = v->shape[before + i] == sizes[i];
    if (real_kind(v) != kind || !fits) {
        char got[128], wanted[128];
        Py_ssize_t shape[4] = {states};
        for (int i = 0; i < rank; i++) shape[before + i] = sizes[i];
        const Py_buffer want = {.ndim = rank + before, .shape = shape};
        shape_words(v, got, sizeof got);
        shape_words(&want, wanted, sizeof wanted);
        if (fits)
            PyErr_Format(PyExc_TypeError, "%s: its numbers are of format '%s', wanted %s", name, v->format ? v->format : "B",
                         kind == 'd' ? "float64" : "float32");
        else
            PyErr_Format(PyExc_ValueError, "%s: its shape is %s, wanted %s", name, got, wanted);
        sink_drop(s);
        return false;
    }
    s->data = v->buf;
    s->step = one ? 0 : v->strides[0];
    s->rank = rank;
    s->dense = aligned(s->data, v->itemsize);
    Py_ssize_t size = v->itemsize;
    for (int i = rank; i-- > 0; size *= sizes[i]) {
        s->sizes[i] = sizes[i];
        s->strides[i] = v->strides[before + i];
        s->dense = s->dense && s->strides[i] == size;
    }
    s->dense = s->dense && (one || states <= 1 || s->step == size);
    return true;
}

bool sink_new(sink *s, PyObject *fresh, Py_ssize_t item, bool one, int rank, const Py_ssize_t *sizes)
{
    s->held = !PyObject_GetBuffer(fresh, &s->view, PyBUF_WRITABLE);
    s->data = s->view.buf;
    s->rank = rank;
    s->dense = true;
    for (int i = rank; i-- > 0; item *= sizes[i]) {
        s->sizes[i] = sizes[i];
        s->strides[i] = item;
    }
    s->step = one ? 0 : item;
    return s->held;
}

void sink_drop(sink *s)
{
    if (s->held) PyBuffer_Release(&s->view);
    s->held = false;
}

static void put(char *to, char kind, const void *from, char is)
{
    if (is == kind) {
        memcpy(to, from, kind == 'd' ? sizeof(double) : sizeof(float));
    } else {
        const float x = (float)*(const double *)from;
        memcpy(to, &x, sizeof x);
    }
}

void sink_put(const sink *s, char kind, Py_ssize_t state, const void *numbers, char from)
{
    const size_t item = from == 'd' ? sizeof(double) : sizeof(float);
    const Py_ssize_t n[3] = {s->rank > 0 ? s->sizes[0] : 1, s->rank > 1 ? s->sizes[1] : 1, s->rank > 2 ? s->sizes[2] : 1};
    const char *at = numbers;
    char *to = s->data + state * s->step;
    if (s->dense && kind == from) {
        memcpy(to, at, (size_t)(n[0] * n[1] * n[2]) * item);
        return;
    }
    for (Py_ssize_t i = 0; i < n[0]; i++)
        for (Py_ssize_t j = 0; j < n[1]; j++)
            for (Py_ssize_t k = 0; k < n[2]; k++, at += item)
                put(to + (s->rank > 0 ? i * s->strides[0] : 0) + (s->rank > 1 ? j * s->strides[1] : 0) +
                        (s->rank > 2 ? k * s->strides[2] : 0),
                    kind, at, from);
}
