/* SPDX-License-Identifier: MIT
 *
 * rollout.c - motions in discrete steps (arne/rollout.h): arrays that lie one after the other, made by arne/_model.py. */
#include "door.h"

#include "arne/rollout.h"

enum { ARRAYS = 10 }; /* q qd tau, then what is asked for */

/* Doubles of an array in C order, or NULL for None. false: an exception is set. */
static bool doubles_of(PyObject *object, bool writable, Py_buffer *view, double **out)
{
    *out = NULL;
    if (object == Py_None) return true;
    if (PyObject_GetBuffer(object, view, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE)) return false;
    *out = view->buf;
    return true;
}

static arne_status run(const model *m, const arne_rollout_options *o, size_t count, const arne_rollout_arrays *x, int *joint,
                       arne_error *error)
{
    arne_rollout *r = NULL;
    arne_status status = arne_rollout_new(m->settings, o, &r, error);
    if (!status && (status = arne_rollout_run(r, count, x))) *joint = arne_rollout_joint(r);
    arne_rollout_free(r);
    return status;
}

static bool explain(const model *m, arne_status status, int joint, const arne_error *error)
{
    const arne_model *robot = m->core->model;
    if (!status) return true;
    if (error->message[0]) return fail_with(error);
    fail("rollout: %s%s%s", arne_status_words(status), joint >= 0 ? " at joint " : "",
         joint >= 0 && joint < arne_model_joints(robot) ? arne_joint_name(robot, joint) : "");
    return false;
}

PyObject *model_rollout(PyObject *self, PyObject *args)
{
    static const char *const rules[] = {"rk4", "euler", "semi-implicit", NULL};
    const char *rule;
    Py_ssize_t count;
    int steps, every, k = 0, joint = -1;
    double step;
    PyObject *given;
    if (!PyArg_ParseTuple(args, "dsnipO!", &step, &rule, &count, &steps, &every, &PyTuple_Type, &given)) return NULL;
    while (rules[k] && strcmp(rules[k], rule)) k++;
    if (!rules[k] || PyTuple_Size(given) != ARRAYS) {
        PyErr_Format(PyExc_ValueError, "rule: \"%s\" is not one of rk4, euler, semi-implicit", rule);
        return NULL;
    }
    Py_buffer views[ARRAYS];
    double *at[ARRAYS] = {NULL};
    bool ok = true;
    int taken = 0;
    for (; taken < ARRAYS && ok; taken++) ok = doubles_of(PyTuple_GetItem(given, taken), taken > 2, &views[taken], &at[taken]);
    if (ok) {
        const model *m = (model *)self;
        arne_error error = {0};
        const arne_rollout_options o = {.size = sizeof o, .rule = (arne_rule)k, .step = step, .parameters = at[9] != NULL};
        const arne_rollout_arrays x = {.size = sizeof x,
                                       .steps = steps,
                                       .every = every,
                                       .q = at[0],
                                       .qd = at[1],
                                       .tau = at[2],
                                       .positions = at[3],
                                       .velocities = at[4],
                                       .A = at[5],
                                       .B = at[6],
                                       .by_start = at[7],
                                       .by_tau = at[8],
                                       .by_parameters = at[9]};
        PyThreadState *state = PyEval_SaveThread();
        const arne_status status = run(m, &o, (size_t)count, &x, &joint, &error);
        PyEval_RestoreThread(state);
        ok = explain(m, status, joint, &error);
    }
    for (int i = 0; i < taken; i++)
        if (at[i]) PyBuffer_Release(&views[i]);
    if (!ok) return NULL;
    Py_RETURN_NONE;
}
