/* SPDX-License-Identifier: MIT
 *
 * job.h - one call of a method: its arrays and options. */
#ifndef PYTHON_JOB_H
#define PYTHON_JOB_H

#include "door.h"

enum { METHOD_CRBA = 100, MOST_THREADS = 256 };

typedef struct {
    model *m;
    const row *row;
    int number;
    arne_quantity_options o;
    int method; /* of id or fd: an arne_formulation, METHOD_CRBA; -1: the usual one */
    arne_parameter_order order;
    bool friction_columns;
    arne_cycle_options cycle;
    int threads;
    PyObject *given; /* out=, borrowed; NULL: new arrays */
    bool one;        /* a state without the axis of many */
    Py_ssize_t states;
    char kind; /* of the results, 'd' or 'f' */
    int nin, nout;
    Py_ssize_t width[MOST_INPUTS], part[MOST_PARTS], size; /* numbers of a state: of inputs, parts, all parts */
    array in[MOST_INPUTS];
    sink out[MOST_PARTS];
} job;

void job_start(job *j, model *m, int number);
bool job_ready(job *j); /* before the sizes of results are asked for: finds base parameters, once */
bool job_run(job *j);   /* false: an exception is set */

/* call.c: a link by name or number */
bool take_link(const model *m, const char *name, PyObject *value, int *link);

#endif
