/* SPDX-License-Identifier: MIT
 *
 * columns.h - the unknowns: bodies, rotors, friction; and the columns of the regressor that belong to them. */
#ifndef ESTIMATE_COLUMNS_H
#define ESTIMATE_COLUMNS_H

#include "arne/estimate.h"
#include "base/arena.h"
#include "identify/grouping.h"

/* Body columns come first, ten a body: XX XY XZ YY YZ ZZ MX MY MZ M. `of`: body, or joint, or motor. */
typedef enum {
    OF_BODY,
    OF_ROTOR,
    OF_VISCOUS,
    OF_COULOMB,
    OF_OFFSET,
    OF_UNEVEN,
    OF_STATIC,
    OF_MOTOR_VISCOUS,
    OF_MOTOR_COULOMB
} column_kind;

typedef struct {
    column_kind kind;
    int of;
    int parameter; /* of the regressor, 11 body + c; -1: none */
    bool kept;     /* a base parameter, or no inertial one */
} column;

enum { BODY_COLUMNS = 10 };

typedef struct {
    const arne_model *m;
    int n, bodies, count;
    int nfelt, *felt; /* bodies that some torque feels: theirs are the first columns, ten each */
    column *columns;
    bool *moves, *used; /* n: moves in some log; its torques are used */
    int njoint;
    int *joint;           /* njoint: which of n */
    int *width, **active; /* njoint: the columns that its torque depends on */
    int *body_of;         /* n: body that a joint moves */
    double *drive;        /* n x n: speeds of the motors from those of the joints; NULL: each its own */
    bool *coupled;        /* n: this motor is not on one joint alone */
    grouping base;        /* of the 11 bodies parameters, for the joints that move and the torques that are used */
    double *stribeck;     /* n: velocities, where static friction is asked for; NULL: it is not */
    bool rotors, uneven;
} columns;

/* moves, used: n each. The memory is the arena's. */
arne_status arne__columns_find(const arne_model *m, const arne_identify_options *o, const bool *moves, const bool *used, arena *a,
                               columns *out, arne_error *error);
/* The column of a kind of a joint (motor), -1: there is none. */
int arne__column_of(const columns *c, column_kind kind, int of);
/* Values of all unknowns as a model has them. d: data on it. */
void arne__columns_values(const columns *c, arne_data *d, double *x);

/* One state: Y (n x 11 bodies) is filled, then the rows of the joints that are used, each active columns wide, at row[k].
 * sign, motor_sign: n, directions of sliding. */
typedef struct {
    const double *q, *qd, *qdd, *sign, *motor_speed, *motor_sign;
} column_state;
void arne__columns_rows(const columns *c, arne_data *d, const column_state *s, double *Y, double **row);

#endif
