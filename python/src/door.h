/* SPDX-License-Identifier: MIT
 *
 * door.h - the inside of the Python extension arne._arne: what its files share.
 *
 * Stable ABI of Python 3.11, arrays by the buffer protocol: one binary for all later Pythons and any numpy. */
#ifndef PYTHON_DOOR_H
#define PYTHON_DOOR_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "algo/rows.h"
#include "arne/arne.h"
#include "arne/file.h"
#include "arne/identify.h"

/* ---- rows.c: what can be computed, the rows of texts.def and some of other libraries ---- */

/* beside the axes of the library */
enum { AXIS_POSITIONS = 100, AXIS_BASE };
enum { MOST_INPUTS = 5, MOST_PARTS = 7 };
/* options of a row, beside ARNE_OF_LINK, ARNE_IN_FRAME, ARNE_BY_FACTOR */
enum { BY_METHOD = 1 << 8, BY_ORDER = 1 << 9, BY_CYCLE = 1 << 10 };

/* Rows after those of texts.def: ROW(name, function, inputs with spaces between, options, about, parts...) */
#define MORE_ROWS(ROW)                                                                                                           \
    ROW(motor, "q qd qdd", 0, "torques at the motor shafts", {NULL, JOINTS, ONE})                                                \
    ROW(elastic, "q qd qdd qddd qdddd", 0,                                                                                       \
        "elastic joints, from q ... qdddd: torque of the springs, motor motion and motor torque behind the gears",               \
        {"tau_e", JOINTS, ONE}, {"dtau_e", JOINTS, ONE}, {"ddtau_e", JOINTS, ONE}, {"theta", JOINTS, ONE},                       \
        {"dtheta", JOINTS, ONE}, {"ddtheta", JOINTS, ONE}, {"tau", JOINTS, ONE})                                                 \
    ROW(achievable, "q qd qnext qdnext", BY_CYCLE,                                                                               \
        "accelerations from qd to qdnext in dt seconds that limits allow, motor torques, who saturates", {"qdd", JOINTS, ONE},   \
        {"motor", JOINTS, ONE}, {"saturated", JOINTS, ONE})                                                                      \
    ROW(base_regressor, "q qd qdd", 0, "id = base_regressor * base parameters", {NULL, JOINTS, AXIS_BASE})                       \
    ROW(integrate, "q v", 0, "where a robot comes from q that moves for a unit of time with velocity v",                         \
        {NULL, AXIS_POSITIONS, ONE})                                                                                             \
    ROW(rate, "q qd", 0, "the time derivative of a position that moves with velocity qd", {NULL, AXIS_POSITIONS, ONE})           \
    ROW(difference, "q q2", 0, "the velocity that leads from q to q2 in a unit of time: what integrate undoes",                  \
        {NULL, JOINTS, ONE})                                                                                                     \
    ROW(normalize, "q", 0, "positions with quaternions of unit length, however long they are", {NULL, AXIS_POSITIONS, ONE})

enum {
    ROWS_BEFORE = TEXT_ROWS - 1, /* they go on from there */
#define ROW(name, ...) ROW_##name,
    MORE_ROWS(ROW)
#undef ROW
        ROWS
};

typedef struct {
    const char *name, *about;
    char input[MOST_INPUTS][8]; /* in the order of the arguments */
    bool position[MOST_INPUTS]; /* nq numbers, else nv */
    int group[MOST_INPUTS];     /* q qd qdd tau qa of the library's state; -1: none of them */
    int ninput;
    unsigned options;
    bool hidden;
    int nparts;
    struct {
        const char *name;
        int rows, columns;
    } parts[MOST_PARTS];
} row;

extern row rows[ROWS];
void rows_fill(void);                      /* once */
char *row_doc(const row *r);               /* words.c: its docstring with the signature; NULL: no memory */
const char *row_factor_word(const row *r); /* what the option of ARNE_BY_FACTOR is called */
const char *axis_words(int axis);          /* "nv", "6", ... */

/* ---- model.c ---- */

/* what models of one file share, whatever their settings */
typedef struct {
    int users;
    arne_description *description;
    arne_model *model;
    int tip;
} core;

/* code of one robot, compiled and loaded */
typedef void code_fn(void);
typedef struct {
    int users;
    void *handle;
    int lanes, link;
    code_fn *one[ROWS], *many[ROWS]; /* NULL: the library does it */
} code;

/* A thread's memory. Models keep those that nobody uses. */
typedef struct worker {
    struct worker *next;
    arne_data *data;
    arne_flex *flex;
    unsigned prepared;
    double *room; /* gathered inputs, then results */
    size_t count; /* of numbers there */
} worker;

typedef struct {
    PyObject_HEAD core *core;
    arne_settings *settings;
    code *code;
    arne_base *base;                    /* found when asked for */
    worker *idle;                       /* guarded by the GIL */
    PyObject *shapes[ROWS][MOST_PARTS]; /* arguments of numpy.empty for one state, made when needed */
} model;

int model_axis(const model *m, int axis);
PyObject *model_class(void);
PyObject *model_rollout(PyObject *self, PyObject *args); /* rollout.c */

/* ---- arrays.c ---- */

typedef struct {
    const char *name;
    Py_buffer view;
    bool held, one; /* one: a state without the axis of many */
    char kind;      /* 'd' or 'f' */
    char *data;
    Py_ssize_t states, step, stride; /* bytes from state to state, from number to number; columns of a matrix follow */
} array;

/* Takes an object as `width` numbers a state; converts what is no array of reals. false: an exception is set. */
bool array_take(array *a, const char *name, PyObject *object, Py_ssize_t width, const char *of);
void array_drop(array *a);
bool array_dense(const array *a, Py_ssize_t width); /* numbers follow each other, and are aligned */
/* A result: rank axes of these sizes after the axis of states. */
typedef struct {
    Py_buffer view;
    bool held;
    char *data;
    Py_ssize_t step; /* bytes from state to state */
    int rank;
    Py_ssize_t sizes[3], strides[3];
    bool dense;
} sink;
bool sink_take(sink *s, const char *name, PyObject *object, char kind, bool one, Py_ssize_t states, int rank,
               const Py_ssize_t *sizes);
bool sink_new(sink *s, PyObject *fresh, Py_ssize_t item, bool one, int rank, const Py_ssize_t *sizes); /* an array just made */
void sink_drop(sink *s);
void sink_put(const sink *s, char kind, Py_ssize_t state, const void *numbers, char from); /* one state */
void array_get(const array *a, Py_ssize_t state, Py_ssize_t width, void *numbers, char to);

/* ---- call.c ---- */

PyObject *call_row(PyObject *self, int number, PyObject *const *args, Py_ssize_t nargs, PyObject *names);
void worker_free(worker *w);

/* ---- module.c ---- */

/* given by arne/__init__.py */
typedef struct {
    PyObject *error, *warning; /* classes */
    PyObject *empty, *asarray, *double_type, *float_type;
    PyObject *tuples[ROWS]; /* `_make` of a named tuple, of rows with several parts */
} given_by_python;
extern given_by_python py;

/* set arne.Error */
bool fail_with(const arne_error *error); /* returns false */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
