/* SPDX-License-Identifier: MIT
 *
 * symbolic.h - a text run on the symbolic kind: from a robot to the graph of what it computes. */
#ifndef SYMBOLIC_SYMBOLIC_H
#define SYMBOLIC_SYMBOLIC_H

#include "arne/dynamics.h"
#include "model/robot.h"
#include "num/sym.h"

/* Rows of keys. Parameters: constants of robot.def by robot_row; then rotors that base parameters have grouped, gravity with the
 * sign that equations give it (link: base frame), and symbols of the robot file. Inputs: index of the vector; rotations have a
 * link. */
enum {
    KEY_GROUPED_ROTOR = ROBOT_ROWS,
    KEY_GRAVITY,
    KEY_SYMBOL,
    KEY_Q,
    KEY_QD,
    KEY_QDD,
    KEY_TAU,
    KEY_QA,
    KEY_QDDD,
    KEY_QDDDD,
    KEY_WRENCH,
    KEY_ROTATION,
    KEY_LIVE /* an inertial parameter that is an argument */
};

typedef struct {
    bool named;            /* constants of 1 and -1 that have a unit stay parameters, as people write them */
    bool general;          /* every inertial parameter is arbitrary; else those that are zero in the file stay zero */
    bool with_wrench;      /* the wrench of the last link on the environment is an input [003 eq. 9.91, 9.93] */
    bool friction;         /* of joints and motors, unless the data is rigid */
    const int *lean;       /* of the lean texts: one number a link (algo/forms.h), NULL: all */
    bool second_velocity;  /* a fourth group of inputs, qa; set by arne__symbolic_run */
    bool higher;           /* a fourth and fifth, qddd and qdddd; set by arne__symbolic_run */
    const arne_data *file; /* elastic: d has rotor inertias of this one grouped into its links; NULL: it has not */
    int link;              /* of pose and Jacobian */
    bool given;            /* the nine entries of every rotation matrix are inputs (formulations only) */
} symbolic_options;

/* Inputs in this order: q, qd, qdd or tau (only those the text takes), wrench; then the rotations if given. */
typedef struct {
    sym_graph *g;
    sym *out;
    int nout;
} symbolic;

/* The name of the i-th thing that can be run, NULL after the last: texts, formulations, strobing. */
const char *arne__symbolic_name_of(int i);
/* its place in the list, -1: no such name; the i-th: uses of a lean text (algo/lean.h), 0: it is none */
int arne__symbolic_find(const char *name);
int arne__symbolic_uses(int i);
/* NULL, or in one sentence why the text of this name is not for this robot */
const char *arne__symbolic_fault(const char *name, const arne_model *m);
/* False: no such text, or out of memory (then out->g is NULL). */
bool arne__symbolic_run(const arne_data *d, const char *what, const symbolic_options *options, symbolic *out);
void arne__symbolic_free(symbolic *s);

/* One text again and again, links treated otherwise each time: the robot is opened once. */
typedef struct symbolic_session symbolic_session;
symbolic_session *arne__symbolic_open(const arne_data *d, const char *what, const symbolic_options *options);
/* The result belongs to the session and is gone with the next run. False: out of memory. */
bool arne__symbolic_again(symbolic_session *s, const int *lean, symbolic *out);
void arne__symbolic_close(symbolic_session *s);

/* jetsym.c: the derivative of inverse dynamics by number k of (q, qd), by q along the tangent, at x (nq + 2 nv): nv numbers.
 * False: out of memory. */
bool arne__symbolic_column(const void *sym_robot, const sym *x, int k, sym *D);

/* taysym.c: inverse dynamics and its first two time derivatives (3 nv) from q ... qdddd (nq + 4 nv), without external wrenches.
 * False: out of memory. */
bool arne__symbolic_series(const void *sym_robot, const sym *q, sym *tau);

/* dynamics/data.c: the robot in doubles of a data object, for model/robot.h */
const void *arne__data_doubles(const arne_data *d);

/* keys.c: the number 11 i + c (regressor.h) of an inertial parameter, -1: it is none */
int arne__key_parameter(sym_key key);
/* the offset along x is called d, a single one along y or z is called r, as in the tables of [003]; 0: neither */
char arne__key_offset(const void *doubles, sym_key key);

#endif
