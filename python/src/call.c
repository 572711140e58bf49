/* SPDX-License-Identifier: MIT
 *
 * call.c - a method of a model: arguments in, arrays out. What is computed on the way is run.c's. */
#include <unistd.h>

#include "base/nearest.h"
#include "job.h"

/* ---- options ---- */

/* One of the words of a NULL-ended list, or -1 with an exception. */
static int choose(const char *name, PyObject *value, const char *const *words)
{
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; words[i]; i++) {
        if (PyUnicode_Check(value) && !PyUnicode_CompareWithASCIIString(value, words[i])) return i;
        if (used < sizeof list) used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    PyErr_Format(PyExc_ValueError, "%s: %R is not one of %s", name, value, list);
    return -1;
}

bool take_link(const model *m, const char *name, PyObject *value, int *link)
{
    const int count = arne_model_links(m->core->model);
    if (value == Py_None) return *link = m->core->tip, true;
    if (PyLong_Check(value)) {
        const long i = PyLong_AsLong(value);
        if (i >= 0 && i < count) return *link = (int)i, true;
        PyErr_Format(PyExc_ValueError, "%s: %R: the robot has links 0 to %d", name, value, count - 1);
        return false;
    }
    if (!PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s: a link is called by its name or number, got %R", name, (PyObject *)Py_TYPE(value));
        return false;
    }
    const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
    if (!text) return false;
    if ((*link = arne_link_find(m->core->model, text)) >= 0) return true;
    nearest near = {.word = text};
    char hint[192];
    for (int i = 0; i < count; i++) arne__nearest_offer(&near, arne_link_name(m->core->model, i));
    PyErr_Format(PyExc_ValueError, "%s: the robot has no link \"%s\"%s", name, text,
                 arne__nearest_hint(&near, hint, sizeof hint));
    return false;
}

static bool take_method(job *j, PyObject *value)
{
    static const char *const of_fd[] = {"aba", "crba", "wo1", "mrnea", NULL};
    if (value == Py_None) return true;
    if (j->number == TEXT_fd) {
        static const int methods[] = {-1, METHOD_CRBA, ARNE_NE, ARNE_MRNEA};
        const int k = choose("method", value, of_fd);
        if (k >= 0) j->method = methods[k];
        return k >= 0;
    }
    const char *names[ARNE_FORMULATION_COUNT + 1] = {NULL};
    for (int k = 0; k < ARNE_FORMULATION_COUNT; k++) names[k] = arne_formulation_name((arne_formulation)k);
    const int k = choose("method", value, names);
    if (k >= 0) j->method = k == ARNE_NE ? -1 : k;
    return k >= 0;
}

static bool take_factor(job *j, PyObject *value)
{
    static const char *const factors[] = {"star0001", "star1110", "christoffel", NULL};
    static const char *const stars[] = {"0001", "1110", "star0001", "star1110", NULL};
    const bool star = j->number == TEXT_star;
    const int k = choose(row_factor_word(j->row), value, star ? stars : factors);
    if (k >= 0) j->o.factor = (arne_factor_choice)(star ? k % 2 : k);
    return k >= 0;
}

static bool take_threads(job *j, PyObject *value)
{
    const long n = PyLong_AsLong(value);
    if (n == -1 && PyErr_Occurred()) return false;
    if (n < 0 || n > MOST_THREADS) {
        PyErr_Format(PyExc_ValueError, "threads: %ld is not 0 (one a processor) to %d", n, MOST_THREADS);
        return false;
    }
    j->threads = n ? (int)n : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (j->threads > MOST_THREADS) j->threads = MOST_THREADS;
    return true;
}

static bool is(PyObject *name, const char *word) { return !PyUnicode_CompareWithASCIIString(name, word); }

/* One keyword that is no input; false: an exception is set. */
static bool take_option(job *j, PyObject *name, PyObject *value)
{
    static const char *const frames[] = {"local", "world", "aligned", NULL}, *const policies[] = {"keep", "resolve", NULL};
    static const char *const orders[] = {"symoro", "khalil", "pinocchio", NULL};
    const unsigned options = j->row->options;
    int k = 0;
    if (is(name, "out")) return j->given = value == Py_None ? NULL : value, true;
    if (is(name, "threads")) return take_threads(j, value);
    if (options & ARNE_OF_LINK && is(name, "link")) return take_link(j->m, "link", value, &j->o.link);
    if (options & ARNE_IN_FRAME && is(name, "frame")) {
        if ((k = choose("frame", value, frames)) >= 0) j->o.frame = (arne_frame)k;
    } else if (options & ARNE_BY_FACTOR && is(name, row_factor_word(j->row))) {
        return take_factor(j, value);
    } else if (options & BY_METHOD && is(name, "method")) {
        return take_method(j, value);
    } else if (options & BY_ORDER && is(name, "order")) {
        if ((k = choose("order", value, orders)) >= 0) j->order = (arne_parameter_order)k;
    } else if (options & BY_ORDER && is(name, "friction_columns")) {
        if ((k = PyObject_IsTrue(value)) >= 0) j->friction_columns = k;
    } else if (options & BY_CYCLE && is(name, "policy")) {
        if ((k = choose("policy", value, policies)) >= 0) j->cycle.policy = (arne_policy)k;
    } else if (options & BY_CYCLE && is(name, "dt")) {
        j->cycle.dt = PyFloat_AsDouble(value);
        if (PyErr_Occurred()) return false;
    } else {
        PyErr_Format(PyExc_TypeError, "%s has no argument %R (see: help(arne.Model.%s))", j->row->name, name, j->row->name);
        return false;
    }
    return k >= 0;
}

/* ---- arguments ---- */

static bool sort_arguments(job *j, PyObject *const *args, Py_ssize_t nargs, PyObject *names, PyObject *x[MOST_INPUTS])
{
    const row *r = j->row;
    if (nargs > r->ninput) {
        PyErr_Format(PyExc_TypeError, "%s takes %d arrays, %zd are given (see: help(arne.Model.%s))", r->name, r->ninput, nargs,
                     r->name);
        return false;
    }
    for (int i = 0; i < r->ninput; i++) x[i] = i < nargs ? args[i] : NULL;
    for (Py_ssize_t k = 0; names && k < PyTuple_Size(names); k++) {
        PyObject *name = PyTuple_GetItem(names, k);
        int i = 0;
        while (i < r->ninput && !is(name, r->input[i])) i++;
        if (i < r->ninput && x[i]) {
            PyErr_Format(PyExc_TypeError, "%s: %s is given twice", r->name, r->input[i]);
            return false;
        }
        if (i < r->ninput)
            x[i] = args[nargs + k];
        else if (!take_option(j, name, args[nargs + k]))
            return false;
    }
    for (int i = 0; i < r->ninput; i++) {
        if (x[i]) continue;
        PyErr_Format(PyExc_TypeError, "%s needs %s (see: help(arne.Model.%s))", r->name, r->input[i], r->name);
        return false;
    }
    if (r->options & BY_CYCLE && !(j->cycle.dt > 0)) {
        PyErr_Format(PyExc_ValueError, "%s needs the time from qd to qdnext: dt=seconds, above 0", r->name);
        return false;
    }
    return true;
}

/* All inputs are of one state, or of as many; a single one goes with each of many. */
static bool take_inputs(job *j, PyObject *const x[MOST_INPUTS])
{
    const arne_model *m = j->m->core->model;
    const Py_ssize_t nq = arne_model_nq(m), nv = arne_model_nv(m);
    j->kind = 'f';
    for (int i = 0; i < j->row->ninput; i++) {
        const bool position = j->row->position[i];
        array *a = &j->in[i];
        j->width[i] = position ? nq : nv;
        if (!array_take(a, j->row->input[i], x[i], j->width[i], position ? "nq numbers a state" : "nv numbers a state"))
            return false;
        j->nin = i + 1;
        if (a->kind == 'd') j->kind = 'd';
        if (a->one) continue;
        if (!j->one && a->states != j->states) {
            PyErr_Format(PyExc_ValueError, "%s: it has %zd states, those before it %zd", a->name, a->states, j->states);
            return false;
        }
        j->one = false;
        j->states = a->states;
    }
    return true;
}

/* ---- results ---- */

static int part_shape(const job *j, int k, Py_ssize_t sizes[3])
{
    int rank = 0;
    const int axes[2] = {j->row->parts[k].rows, j->row->parts[k].columns};
    for (int i = 0; i < 2; i++) {
        if (axes[i] == ARNE_AXIS_ONE) continue;
        if (axes[i] == ARNE_AXIS_PAIRS) { /* a matrix each */
            sizes[rank++] = model_axis(j->m, ARNE_AXIS_JOINTS);
            sizes[rank++] = model_axis(j->m, ARNE_AXIS_JOINTS);
            continue;
        }
        sizes[rank++] = axes[i] == ARNE_AXIS_PARAMETERS && j->friction_columns ? 13 * arne_model_bodies(j->m->core->model)
                                                                               : model_axis(j->m, axes[i]);
    }
    return rank;
}

/* arguments of numpy.empty: a shape, and the type of floats */
static PyObject *empty_arguments(const job *j, int rank, const Py_ssize_t *sizes)
{
    const int before = j->one ? 0 : 1;
    PyObject *shape = PyTuple_New(rank + before);
    for (int i = -before; shape && i < rank; i++)
        PyTuple_SetItem(shape, i + before, PyLong_FromSsize_t(i < 0 ? j->states : sizes[i]));
    PyObject *arguments = !shape ? NULL : j->kind == 'd' ? PyTuple_Pack(1, shape) : PyTuple_Pack(2, shape, py.float_type);
    Py_XDECREF(shape);
    return arguments;
}

static PyObject *empty(job *j, int k, int rank, const Py_ssize_t *sizes)
{
    PyObject **kept = j->one && j->kind == 'd' && !j->friction_columns ? &j->m->shapes[j->number][k] : NULL;
    if (kept && *kept) return PyObject_Call(py.empty, *kept, NULL);
    PyObject *arguments = empty_arguments(j, rank, sizes);
    PyObject *made = arguments ? PyObject_Call(py.empty, arguments, NULL) : NULL;
    if (kept && made)
        *kept = arguments;
    else
        Py_XDECREF(arguments);
    return made;
}

/* Bytes of memory that a view may touch. */
static void extent(const Py_buffer *v, const char **low, const char **high)
{
    *low = v->buf;
    *high = *low + v->itemsize;
    for (int i = 0; i < v->ndim; i++) {
        if (!v->shape[i]) *high = *low;
        const Py_ssize_t span = v->shape[i] ? (v->shape[i] - 1) * v->strides[i] : 0;
        if (span < 0) *low += span;
        if (span > 0) *high += span;
    }
}

static bool apart(const job *j, const sink *s)
{
    const char *low, *high, *from, *to;
    extent(&s->view, &low, &high);
    for (int i = 0; i < j->nin; i++) {
        extent(&j->in[i].view, &from, &to);
        if (low >= to || from >= high) continue;
        PyErr_Format(PyExc_ValueError, "out: it shares memory with %s; give another array", j->in[i].name);
        return false;
    }
    return true;
}

/* The arrays that results go to, new ones or those of the user; a tuple where there are several parts. */
static bool open_results(job *j, PyObject *results[MOST_PARTS])
{
    const row *r = j->row;
    const bool several = r->nparts > 1;
    if (j->given && several && (!PyTuple_Check(j->given) || PyTuple_Size(j->given) != r->nparts)) {
        PyErr_Format(PyExc_TypeError, "out: a tuple of %d arrays is expected", r->nparts);
        return false;
    }
    j->size = 0;
    for (int k = 0; k < r->nparts; k++) {
        Py_ssize_t sizes[3] = {1, 1, 1};
        const int rank = part_shape(j, k, sizes);
        results[k] = !j->given ? empty(j, k, rank, sizes) : several ? PyTuple_GetItem(j->given, k) : j->given;
        if (!results[k]) return false;
        if (j->given) Py_INCREF(results[k]);
        if (!(j->given ? sink_take(&j->out[k], "out", results[k], j->kind, j->one, j->states, rank, sizes)
                       : sink_new(&j->out[k], results[k], j->kind == 'd' ? sizeof(double) : sizeof(float), j->one, rank, sizes)))
            return false;
        j->nout = k + 1;
        if (j->given && !apart(j, &j->out[k])) return false;
        j->part[k] = sizes[0] * sizes[1] * sizes[2];
        j->size += j->part[k];
    }
    return true;
}

/* numbers where a part is one number of one state */
static PyObject *as_number(const job *j, int k)
{
    return PyFloat_FromDouble(j->kind == 'd' ? *(const double *)(const void *)j->out[k].data
                                             : (double)*(const float *)(const void *)j->out[k].data);
}

/* The array, or a named tuple of the parts. Takes over the references. */
static PyObject *deliver(job *j, PyObject *results[MOST_PARTS])
{
    const row *r = j->row;
    if (r->nparts == 1) return results[0];
    PyObject *parts = PyTuple_New(r->nparts);
    for (int k = 0; k < r->nparts; k++) {
        PyObject *part = results[k];
        if (j->one && !j->out[k].rank && !j->given) {
            part = as_number(j, k);
            Py_DECREF(results[k]);
        }
        if (!parts || PyTuple_SetItem(parts, k, part)) Py_CLEAR(parts);
    }
    PyObject *named = parts && py.tuples[j->number] ? PyObject_CallFunctionObjArgs(py.tuples[j->number], parts, NULL) : NULL;
    Py_XDECREF(parts);
    return named;
}

static void close_job(job *j)
{
    for (int i = 0; i < j->nin; i++) array_drop(&j->in[i]);
    for (int k = 0; k < j->nout; k++) sink_drop(&j->out[k]);
}

PyObject *call_row(PyObject *self, int number, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    job j;
    PyObject *x[MOST_INPUTS], *results[MOST_PARTS] = {NULL};
    job_start(&j, (model *)self, number);
    bool ok = sort_arguments(&j, args, nargs, names, x) && take_inputs(&j, x) && job_ready(&j) && open_results(&j, results) &&
              job_run(&j);
    PyObject *answer = ok ? deliver(&j, results) : NULL;
    close_job(&j);
    for (int k = 0; k < MOST_PARTS && !ok; k++) Py_XDECREF(results[k]);
    return answer;
}
