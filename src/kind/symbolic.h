/* SPDX-License-Identifier: MIT
 *
 * symbolic.h - a text run on the symbolic kind: from a robot to the graph of what it computes. */
#ifndef KIND_SYMBOLIC_H
#define KIND_SYMBOLIC_H

#include "arne/dynamics.h"
#include "num/sym.h"

typedef struct {
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
/* False: no such text, or out of memory (then out->g is NULL). */
bool arne__symbolic_run(const arne_data *d, const char *what, const symbolic_options *options, symbolic *out);
void arne__symbolic_free(symbolic *s);

/* jetsym.c: derivatives of inverse (or, with torque, forward) dynamics by input group 0, 1 or 2 of x (3 n): D n x n. False: out
 * of memory. */
bool arne__symbolic_jacobian(const void *sym_robot, const sym *x, bool torque, int group, sym *D);

/* taysym.c: inverse dynamics and its first two time derivatives (3 n) from q ... qdddd (5 n), without external wrenches. False:
 * out of memory. */
bool arne__symbolic_series(const void *sym_robot, const sym *q, sym *tau);

/* dynamics.c: a data object's robot as plain numbers, in the order of model/robot.h */
const double (*arne__data_link_points(const arne_data *d, int i))[2]; /* of the friction law */
const double *arne__data_frame_constants(const arne_data *d, int k, int *body);
const double *arne__data_drive(const arne_data *d);
const double *arne__data_motor_friction(const arne_data *d, int coulomb);
const int *arne__data_link_integers(const arne_data *d, int i);
const double *arne__data_link_constants(const arne_data *d, int i);
const double *arne__data_base_constants(const arne_data *d, int k);
const turn_table *arne__data_turns(const arne_data *d);
bool arne__data_rotors(const arne_data *d);
const double *arne__data_gravity(const arne_data *d);
const double *arne__data_rotor_matrix(const arne_data *d); /* NULL: every motor drives its own joint */
const int *arne__data_chain(const arne_data *d);

#endif
