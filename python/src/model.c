/* SPDX-License-Identifier: MIT
 *
 * model.c - the class of models: loading, settings without global state (a light new object on the same robot), what they tell.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "job.h"

int model_axis(const model *m, int axis)
{
    if (axis == AXIS_POSITIONS) return arne_model_nq(m->core->model);
    return axis == AXIS_BASE ? m->base->count : arne_axis_size((arne_axis)axis, m->core->model);
}

/* ---- life ---- */

static void core_drop(core *c)
{
    if (!c || --c->users) return;
    arne_model_free(c->model);
    arne_description_free(c->description);
    free(c);
}

static void code_drop(code *c)
{
    if (!c || --c->users) return;
    dlclose(c->handle);
    free(c);
}

static void dealloc(PyObject *self)
{
    model *m = (model *)self;
    PyTypeObject *type = Py_TYPE(self);
    while (m->idle) {
        worker *w = m->idle;
        m->idle = w->next;
        worker_free(w);
    }
    arne_settings_free(m->settings);
    arne_base_free(m->base);
    code_drop(m->code);
    core_drop(m->core);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < MOST_PARTS; k++) Py_XDECREF(m->shapes[i][k]);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* A new object of this class on the robot, with settings like those of `like` (NULL: those of the file). */
static model *make(PyTypeObject *type, core *c, const arne_settings *like)
{
    arne_error error = {0};
    model *m = (model *)PyType_GenericAlloc(type, 0);
    if (!m) return NULL;
    m->core = c;
    c->users++;
    if (arne_settings_new(c->model, &m->settings, &error)) {
        fail_with(&error);
        Py_CLEAR(m);
    } else if (like) {
        arne_settings_copy(m->settings, like);
    }
    return m;
}

static bool warn_of(const arne_description *d)
{
    for (size_t i = 0; i < d->nwarning; i++)
        if (PyErr_WarnEx(py.warning, d->warnings[i], 2)) return false;
    return true;
}

static int word(const char *name, const char *value, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (!strcmp(value, words[i])) return i;
    PyErr_Format(PyExc_ValueError, "%s: \"%s\" is not one of %s, %s%s%s", name, value, words[0], words[1], words[2] ? ", " : "",
                 words[2] ? words[2] : "");
    return -1;
}

/* Symbols of the file that are given numbers, from a dict; *list from malloc, its names are those of the dict. */
static bool take_symbols(PyObject *dict, arne_symbol **list, size_t *count)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    if (!(*list = calloc((size_t)PyDict_Size(dict) + 1, sizeof **list))) return PyErr_NoMemory() != NULL;
    while (PyDict_Next(dict, &at, &name, &value)) {
        arne_symbol *s = &(*list)[*count];
        *s = (arne_symbol){PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL, PyFloat_AsDouble(value)};
        if (!s->name && !PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "set: %R is not the name of a symbol", name);
        if (PyErr_Occurred()) return false;
        ++*count;
    }
    return true;
}

/* A point of a link, (link or None, x, y, z): arne_description_tool */
static bool add_tool(core *c, PyObject *tool)
{
    const char *link;
    double xyz[3];
    arne_error error = {0};
    if (tool == Py_None) return true;
    if (!PyArg_ParseTuple(tool, "zddd;tool: (link or None, x, y, z)", &link, &xyz[0], &xyz[1], &xyz[2])) return false;
    return !arne_description_tool(c->description, link, xyz, &error) || fail_with(&error);
}

/* Class._load(path or name, base, mimic, symbols, tool, strict): reads a robot file; the model and the file */
static PyObject *load(PyObject *type, PyObject *args)
{
    static const char *const bases[] = {"file", "fixed", "free", NULL}, *const mimics[] = {"follow", "independent", NULL};
    const char *name, *base, *mimic;
    PyObject *symbols, *tool;
    int strict;
    if (!PyArg_ParseTuple(args, "sssO!Op", &name, &base, &mimic, &PyDict_Type, &symbols, &tool, &strict)) return NULL;
    const int b = word("base", base, bases), w = b < 0 ? -1 : word("mimic", mimic, mimics);
    if (w < 0) return NULL;
    arne_error error = {0};
    char *path = NULL;
    arne_read_options options = {.size = sizeof options, .base = (arne_base_choice)b, .mimic = (arne_mimic_choice)w};
    const arne_model_options build = {.size = sizeof build, .strict = strict, .body = true};
    arne_symbol *list = NULL;
    core *c = calloc(1, sizeof *c);
    if (!c) return PyErr_NoMemory();
    c->users = 1;
    bool ok = take_symbols(symbols, &list, &options.nsymbol);
    options.symbols = list;
    ok = ok &&
         ((!arne_robot_find(name, &path, &error) && !arne_read(path, &options, &c->description, &error)) || fail_with(&error));
    ok = ok && add_tool(c, tool) && (!arne_model_build(c->description, &build, &c->model, &error) || fail_with(&error));
    ok = ok && warn_of(c->description);
    if (ok) c->tip = arne_model_tip(c->model);
    model *m = ok ? make((PyTypeObject *)type, c, NULL) : NULL;
    PyObject *answer = m ? Py_BuildValue("Ns", m, path) : NULL;
    core_drop(c);
    free(list);
    free(path);
    return answer;
}

/* ---- settings ---- */

/* `count` numbers of a sequence */
static bool numbers(const char *name, PyObject *object, Py_ssize_t count, double *out)
{
    array a = {0};
    if (!array_take(&a, name, object, count, "so many numbers")) return false;
    const bool one = a.one;
    if (one)
        array_get(&a, 0, count, out, 'd');
    else
        PyErr_Format(PyExc_ValueError, "%s: %zd numbers are expected", name, count);
    array_drop(&a);
    return one;
}

/* (link, mass, com, inertia about it: six) */
static arne_status set_payload(model *m, PyObject *value)
{
    PyObject *link, *body;
    double v[10];
    int at;
    if (!PyArg_ParseTuple(value, "OO", &link, &body) || !take_link(m, "link", link, &at) || !numbers("payload", body, 10, v))
        return ARNE_BAD_VALUE;
    const arne_body load = {v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7], v[8], v[9]}};
    const char *fault = arne_body_fault(&load);
    if (fault && PyErr_WarnFormat(py.warning, 3, "payload of link %s: %s", arne_link_name(m->core->model, at), fault))
        return ARNE_BAD_VALUE;
    return arne_set_payload(m->settings, at, &load);
}

/* a list of (link, frame, force and moment and point: nine) */
static arne_status set_wrenches(model *m, PyObject *value)
{
    static const char *const frames[] = {"local", "world", "aligned", NULL};
    const Py_ssize_t n = PySequence_Size(value);
    if (n < 0) return ARNE_BAD_VALUE;
    if (n > arne_most_wrenches(m->core->model)) {
        PyErr_Format(PyExc_ValueError, "wrenches: %zd are given, at most %d act", n, arne_most_wrenches(m->core->model));
        return ARNE_BAD_VALUE;
    }
    arne_wrench *list = calloc((size_t)n + 1, sizeof *list);
    arne_status status = list ? ARNE_OK : ARNE_NO_MEMORY;
    for (Py_ssize_t i = 0; i < n && !status; i++) {
        PyObject *item = PySequence_GetItem(value, i), *link, *about;
        const char *frame;
        double v[9];
        int k = -1;
        bool ok = item && PyArg_ParseTuple(item, "OsO", &link, &frame, &about) && take_link(m, "link", link, &list[i].link) &&
                  (k = word("frame", frame, frames)) >= 0 && numbers("wrench", about, 9, v);
        if (ok) list[i] = (arne_wrench){list[i].link, (arne_frame)k, {v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}};
        Py_XDECREF(item);
        if (!ok) status = ARNE_BAD_VALUE;
    }
    if (!status) status = arne_set_wrenches(m->settings, list, (int)n);
    free(list);
    return status;
}

static arne_status set_parameters(model *m, PyObject *value)
{
    const Py_ssize_t n = ARNE_LINK_PARAMETERS * (Py_ssize_t)arne_model_bodies(m->core->model);
    double *K = malloc(((size_t)n + 1) * sizeof *K);
    const arne_status status = !K                                   ? ARNE_NO_MEMORY
                               : numbers("parameters", value, n, K) ? arne_set_parameters(m->settings, K)
                                                                    : ARNE_BAD_VALUE;
    free(K);
    return status;
}

static arne_status set_gravity(model *m, PyObject *value)
{
    double g[3];
    return numbers("gravity", value, 3, g) ? arne_set_gravity(m->settings, g) : ARNE_BAD_VALUE;
}

/* m._with(name, value): another object of the same robot, one thing set */
static PyObject *with(PyObject *self, PyObject *args)
{
    const char *name;
    PyObject *value;
    if (!PyArg_ParseTuple(args, "sO", &name, &value)) return NULL;
    model *old = (model *)self, *m = make(Py_TYPE(self), old->core, old->settings);
    if (!m) return NULL;
    const int yes = PyBool_Check(value) ? PyObject_IsTrue(value) : 0;
    arne_status status = ARNE_BAD_ARGUMENT;
    if (!strcmp(name, "gravity")) status = set_gravity(m, value);
    if (!strcmp(name, "payload")) status = set_payload(m, value);
    if (!strcmp(name, "wrenches")) status = set_wrenches(m, value);
    if (!strcmp(name, "parameters")) status = set_parameters(m, value);
    if (!strcmp(name, "rigid")) status = arne_set_rigid(m->settings, yes);
    if (!strcmp(name, "friction")) status = arne_set_friction(m->settings, yes);
    if (!strcmp(name, "rotors")) status = arne_set_rotors(m->settings, yes);
    if (!status) return (PyObject *)m;
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%s: %R: %s", name, value, arne_status_words(status));
    Py_DECREF(m);
    return NULL;
}

/* m._code(path, prefix, lanes, link): the same object with compiled code, functions as `arne codegen` calls them */
static PyObject *with_code(PyObject *self, PyObject *args)
{
    const char *path, *prefix;
    int lanes;
    PyObject *link;
    model *old = (model *)self;
    if (!PyArg_ParseTuple(args, "ssiO", &path, &prefix, &lanes, &link)) return NULL;
    code *c = calloc(1, sizeof *c);
    if (!c) return PyErr_NoMemory();
    *c = (code){.users = 1, .lanes = lanes, .handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!c->handle || !take_link(old, "link", link, &c->link)) {
        if (!c->handle) fail("the compiled code does not load: %s", dlerror());
        if (c->handle) dlclose(c->handle);
        free(c);
        return NULL;
    }
    for (int i = 0; i < ROWS; i++) {
        char symbol[256];
        snprintf(symbol, sizeof symbol, "%s_%s", prefix, rows[i].name);
        *(void **)&c->one[i] = dlsym(c->handle, symbol);
        snprintf(symbol, sizeof symbol, "%s_%s_x%d", prefix, rows[i].name, lanes);
        *(void **)&c->many[i] = c->one[i] ? dlsym(c->handle, symbol) : NULL;
    }
    model *m = make(Py_TYPE(self), old->core, old->settings);
    if (m)
        m->code = c;
    else
        code_drop(c);
    return (PyObject *)m;
}

/* ---- what a model tells ---- */

static PyObject *names(const arne_model *m, int count, const char *(*name)(const arne_model *, int))
{
    PyObject *list = PyTuple_New(count);
    for (int i = 0; list && i < count; i++) PyTuple_SetItem(list, i, PyUnicode_FromString(name(m, i)));
    return list;
}

static PyObject *doubles(const double *x, int n)
{
    PyObject *list = PyTuple_New(n);
    for (int i = 0; list && i < n; i++) PyTuple_SetItem(list, i, PyFloat_FromDouble(x[i]));
    return list;
}

static PyObject *joint(const arne_model *m, int i)
{
    static const char *const kinds[] = {
        [ARNE_REVOLUTE] = "revolute", [ARNE_PRISMATIC] = "prismatic", [ARNE_SPHERICAL] = "spherical", [ARNE_FREE] = "free"};
    const arne_limits *l = arne_joint_limits(m, i);
    const int master = arne_joint_master(m, i);
    return Py_BuildValue(
        "{ss ss sz si si si ss sd sd sd sd sd sz sd sd}", "name", arne_joint_name(m, i), "type", kinds[arne_joint_kind(m, i)],
        "parent", arne_joint_parent(m, i) < 0 ? NULL : arne_joint_name(m, arne_joint_parent(m, i)), "parent_index",
        arne_joint_parent(m, i), "q", arne_joint_q(m, i), "v", arne_joint_v(m, i), "link",
        arne_link_name(m, arne_joint_link(m, i)), "lower", l->lower, "upper", l->upper, "velocity", l->velocity, "acceleration",
        l->acceleration, "effort", l->effort, "master", master < 0 ? NULL : arne_joint_name(m, master), "ratio",
        master < 0 ? 1 : arne_joint_ratio(m, i), "offset", master < 0 ? 0 : arne_joint_offset(m, i));
}

static PyObject *parameters(const model *m)
{
    const int n = ARNE_LINK_PARAMETERS * arne_model_bodies(m->core->model);
    double *K = malloc(((size_t)n + 1) * sizeof *K);
    const bool ok = K && !arne_parameters(m->settings, K);
    PyObject *list = ok ? doubles(K, n) : PyErr_NoMemory();
    free(K);
    return list;
}

static PyObject *parameter_names(const arne_model *m)
{
    const int n = arne_model_bodies(m);
    PyObject *list = PyTuple_New(ARNE_LINK_PARAMETERS * n);
    for (int i = 0; list && i < ARNE_LINK_PARAMETERS * n; i++) {
        char name[16];
        arne_parameter_name(n, i, name);
        PyTuple_SetItem(list, i, PyUnicode_FromString(name));
    }
    return list;
}

static PyObject *base_names(PyObject *self)
{
    job j;
    job_start(&j, (model *)self, ROW_base_regressor);
    if (!job_ready(&j)) return NULL;
    const arne_base *b = j.m->base;
    PyObject *list = PyTuple_New(b->count);
    for (int i = 0; list && i < b->count; i++) {
        char name[16];
        arne_parameter_name(b->joints, b->parameters[i].parameter, name);
        PyTuple_SetItem(list, i, PyUnicode_FromString(name));
    }
    return list;
}

static PyObject *joints(const arne_model *m)
{
    const int n = arne_model_joints(m) + arne_model_followers(m);
    PyObject *list = PyTuple_New(n);
    for (int i = 0; list && i < n; i++) {
        PyObject *one = joint(m, i);
        if (!one) Py_CLEAR(list);
        if (one) PyTuple_SetItem(list, i, one);
    }
    return list;
}

static PyObject *neutral(const arne_model *m)
{
    const int n = arne_model_nq(m);
    double *q = calloc((size_t)n + 1, sizeof *q);
    if (q) arne_neutral(m, q);
    PyObject *list = q ? doubles(q, n) : PyErr_NoMemory();
    free(q);
    return list;
}

/* (q, qd) of a state that the file has by a name */
static PyObject *named_state(const core *c, const char *name)
{
    const int nq = arne_model_nq(c->model), nv = arne_model_nv(c->model);
    double *q = calloc((size_t)(nq + nv) + 1, sizeof *q);
    if (!q) return PyErr_NoMemory();
    PyObject *both = NULL;
    if (arne_named_state(c->model, c->description, name, q, q + nq))
        fail("the robot file has no state \"%s\"", name);
    else
        both = Py_BuildValue("NN", doubles(q, nq), doubles(q + nq, nv));
    free(q);
    return both;
}

static PyObject *strings(char **list, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) PyTuple_SetItem(tuple, (Py_ssize_t)i, PyUnicode_FromString(list[i]));
    return tuple;
}

/* m._tell(what[, name]): everything but arrays, for the properties of arne.Model */
static PyObject *tell(PyObject *self, PyObject *args)
{
    const char *what, *name = "";
    if (!PyArg_ParseTuple(args, "s|s", &what, &name)) return NULL;
    const model *o = (model *)self;
    const arne_model *m = o->core->model;
    if (!strcmp(what, "name")) return PyUnicode_FromString(arne_model_name(m));
    if (!strcmp(what, "joints")) return joints(m);
    if (!strcmp(what, "links")) return names(m, arne_model_links(m), arne_link_name);
    if (!strcmp(what, "q_names")) return names(m, arne_model_nq(m), arne_position_name);
    if (!strcmp(what, "v_names")) return names(m, arne_model_nv(m), arne_velocity_name);
    if (!strcmp(what, "mass")) return PyFloat_FromDouble(arne_model_mass(m));
    if (!strcmp(what, "gravity")) return doubles(arne_settings_gravity(o->settings), 3);
    if (!strcmp(what, "friction")) return PyBool_FromLong(arne_settings_friction(o->settings));
    if (!strcmp(what, "rotors")) return PyBool_FromLong(arne_settings_rotors(o->settings));
    if (!strcmp(what, "parameters")) return parameters(o);
    if (!strcmp(what, "parameter_names")) return parameter_names(m);
    if (!strcmp(what, "base_names")) return base_names(self);
    if (!strcmp(what, "tip")) return PyUnicode_FromString(arne_link_name(m, o->core->tip));
    if (!strcmp(what, "neutral")) return neutral(m);
    if (!strcmp(what, "state")) return named_state(o->core, name);
    if (!strcmp(what, "warnings")) return strings(o->core->description->warnings, o->core->description->nwarning);
    if (!strcmp(what, "unmodelled")) return Py_BuildValue("z", arne_model_unmodelled(m));
    if (!strcmp(what, "lanes")) return PyLong_FromLong(arne_batch_lanes());
    if (!strcmp(what, "compiled")) return PyBool_FromLong(o->code != NULL);
    PyErr_Format(PyExc_ValueError, "nothing is called %s", what);
    return NULL;
}

static PyObject *get_nq(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(arne_model_nq(((model *)self)->core->model));
}
static PyObject *get_nv(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(arne_model_nv(((model *)self)->core->model));
}
static PyGetSetDef attributes[] = {{"nq", get_nq, NULL, "numbers of a position", NULL},
                                   {"nv", get_nv, NULL, "numbers of a velocity, an acceleration, a torque", NULL},
                                   {0}};

/* Models are made by load. */
static PyObject *no_new(PyTypeObject *type, PyObject *args, PyObject *names_of)
{
    (void)type, (void)args, (void)names_of;
    PyErr_SetString(PyExc_TypeError, "models are made by arne.load(\"robot.urdf\") or arne.Model.from_yaml(text)");
    return NULL;
}

/* one function a row, so that each method knows its own */
#define CALL(row, number)                                                                                                        \
    static PyObject *call_##row(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *words)                        \
    {                                                                                                                            \
        return call_row(self, number, args, nargs, words);                                                                       \
    }
#define TEXT(name, ...) CALL(name, TEXT_##name)
#include "algo/texts.def"
#define ROW(name, ...) CALL(name, ROW_##name)
MORE_ROWS(ROW)
#undef ROW

#define METHOD(name) {#name, (PyCFunction)(void (*)(void))call_##name, METH_FASTCALL | METH_KEYWORDS, NULL},
static PyMethodDef methods[] = {
#define TEXT(name, ...) METHOD(name)
#include "algo/texts.def"
#define ROW(name, ...) METHOD(name)
    MORE_ROWS(ROW)
#undef ROW
        {"_load", load, METH_VARARGS | METH_CLASS, NULL},
    {"_with", with, METH_VARARGS, NULL},
    {"_code", with_code, METH_VARARGS, NULL},
    {"_rollout", model_rollout, METH_VARARGS, NULL},
    {"_tell", tell, METH_VARARGS, NULL},
    {0},
};

/* The class with its docstrings, which live as long as it. */
PyObject *model_class(void)
{
    for (int i = 0; i < ROWS; i++)
        if (!methods[i].ml_doc && !(methods[i].ml_doc = row_doc(&rows[i]))) return PyErr_NoMemory();
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, dealloc}, {Py_tp_new, no_new}, {Py_tp_methods, methods}, {Py_tp_getset, attributes}, {0}};
    static PyType_Spec spec = {"arne._arne.Model", sizeof(model), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return PyType_FromSpec(&spec);
}
