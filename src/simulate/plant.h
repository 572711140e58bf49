/* SPDX-License-Identifier: MIT
 *
 * plant.h - a robot as a set of axes with modes.
 *
 * An axis is a velocity that obeys Newton: the freedoms of a robot, then, where joints are elastic, their motors. Its position is
 * a number, but on a joint of several freedoms: there the joint has a quaternion (doc/simulate.md). What rubs are the axes, then,
 * where a transmission couples the joints, their motors, at speeds that those of the joints give. A rub slides to either side
 * (the sign of dry friction is fixed), or is held (its speed is 0 and stays so), or is free of dry friction. Guards are positive
 * while the mode of a rub holds; a mode ends where a guard of it falls through 0. */
#ifndef SIMULATE_PLANT_H
#define SIMULATE_PLANT_H

#include <float.h>
#include <math.h>

#include "arne/positions.h"
#include "arne/simulate.h"
#include "base/arena.h"
#include "base/dense.h"
#include "base/fail.h"

/* Friction of one rub, as the file says it, and a brake beside it. */
typedef struct {
    const arne_friction *joint; /* NULL: none, as the motor */
    const arne_motor *motor;
    double scale; /* of both */
    double brake; /* dry, beside them */
} law;

/* Torque against sliding towards `sign` at velocity v; sign 0: nothing dry but what v says. */
static inline double law_torque(const law *l, double v, int sign)
{
    const int s = sign ? sign : (v > 0) - (v < 0);
    return l->scale * arne_sliding_friction(l->joint, l->motor, v, s) + s * l->brake;
}

/* What must be exceeded to leave rest that way: the sliding friction at velocity 0. */
static inline double law_breakaway(const law *l, int way) { return way * law_torque(l, 0, way); }
static inline bool law_dry(const law *l) { return law_breakaway(l, 1) > 0 || law_breakaway(l, -1) > 0; }

typedef struct solver solver;

struct arne_plant {
    const arne_model *m;
    arne_settings *settings; /* of the links: its own, or those of flex */
    arne_data *d;            /* on them */
    arne_flex *flex;         /* NULL: rigid joints */
    arne_plant_options o;
    int n, axes, rubs;
    int nq, places; /* positions of the robot, and with those of its motors */
    double t;
    double *x;                  /* state: places, then velocities of the axes; quaternions of unit length */
    int *at;                    /* axes: which of the places; -1: one of a joint of several freedoms */
    int *joint;                 /* n: of a freedom */
    double *q;                  /* nq, of a stage, made of unit length; NULL: every joint has one freedom */
    double *tau;                /* n, held */
    law *laws;                  /* rubs; so are the next ones */
    int *sign;                  /* of sliding; 0: held, or nothing dry */
    bool *held, *fired;         /* fired: its own guard has just ended the rest */
    bool *still;                /* held, or at rest because others are held */
    int *stop;                  /* -1, 1: at rest on its lower, upper stop */
    int *way;                   /* of one that leaves rest */
    int *roots;                 /* 2 rubs: guards that have fallen to 0 */
    double *react;              /* torque that a held one asks of friction and stop */
    double *load;               /* torque of one at rest that friction and stop can give, on the way to `react` */
    double *lower, *upper;      /* axes; infinite: no stop */
    bool any_held;              /* some joint, or coupled motor, is held */
    double *drive;              /* coupled motors: J^-1 (n x n); NULL: none */
    double *span, *lift, *gram; /* n x n, of coupled.c */
    double *force, *a;          /* axes: everything but inertia, gravity, Coriolis; accelerations */
    double *bias, *mass, *row;  /* n; n x n; n */
    double *guard;              /* 2 rubs */
    double *saved, *scratch;    /* a state; four of them: of rk4 */
    double *trial;              /* a state */
    arena *memory;
    solver *solver;
    bool fresh;   /* the integrator must begin anew */
    double slack; /* velocity that the integrator does not tell from 0: an axis that slides may go back by it */
    long steps;
    int singular; /* joint, -1: none */
    arne_plant_listener *listener;
    void *context;
};

/* plant.c: dx of the state x in the present modes; 0, or 1 with `singular` set, or 2: not finite */
int arne__plant_derivative(arne_plant *p, const double *x, double *dx);
/* 2 guards a rub */
int arne__plant_guards(arne_plant *p, const double *x, double *g);
/* y becomes the state of the plant; what is held is held to the last bit, whatever the linear algebra of a solver rounded */
void arne__plant_take(arne_plant *p, const double *y);
/* quaternions of the state x become of unit length */
static inline void plant_unit(const arne_plant *p, double *x)
{
    if (p->q) arne_normalize(p->m, NAN, x, NULL);
}

static inline size_t plant_size(const arne_plant *p) { return (size_t)(p->places + p->axes); } /* of a state */

/* coupled.c: motors that a transmission couples with the joints. False: memory is short. */
bool arne__coupled_new(arne_plant *p);
/* Takes the torques of the sliding motors from those of the joints */
void arne__coupled_friction(const arne_plant *p, const double *qd, double *force);
/* From the held joints and motors: what is still because of them; velocities that rounding has left there become 0. A held motor
 * that others hold already is let go to the bound of its friction. */
void arne__coupled_still(arne_plant *p);
/* Accelerations a of the joints (M factored, held joints left out) less what holds the motors, which is told in `react`, and as
 * torques of the joints in `row`. False: they hold one another, up to rounding. */
bool arne__coupled_hold(arne_plant *p);

/* modes.c: which axes at rest are held and where the others go. 0, or 1 singular, 2 not finite, 3: no answer */
int arne__modes_settle(arne_plant *p);
/* leaves rest that way, with all the friction it has against it */
void arne__modes_release(arne_plant *p, int k, int way);
/* the guards with fired[k] != 0 have ended their modes; changes modes and velocities */
int arne__modes_change(arne_plant *p, const int *fired);

/* solver.c: SUNDIALS. A step returns 0: at t; 1: before it, at guards given in fired; 2: failed, with words; 3: no memory. */
solver *arne__solver_new(arne_plant *p);
void arne__solver_free(solver *s);
int arne__solver_run(solver *s, double t, int *fired, const char **why);

/* Times that differ by rounding are one time: is a later than b? */
static inline bool time_later(double a, double b) { return a > b + 32 * DBL_EPSILON * (fabs(b) + 1e-6); }

/* joint of a rub */
static inline int rub_joint(const arne_plant *p, int k) { return p->joint[k < p->n ? k : k - p->n]; }

/* position of an axis; one of several freedoms has no stop, and no number */
static inline double axis_place(const arne_plant *p, const double *x, int k) { return p->at[k] < 0 ? 0 : x[p->at[k]]; }

/* v or a of the axes at a rub */
static inline double rub_along(const arne_plant *p, int k, const double *v)
{
    return k < p->axes ? v[k] : dense_dot(p->n, p->drive + (k - p->n) * p->n, v); /* J^-1 qd  [003 eq. 9.31] */
}

/* Rounding of its speed where motors are coupled: it is a sum, or what is left where another was made 0. Else 0 is 0. */
static inline double rub_rounding(const arne_plant *p, int k, const double *v)
{
    if (!p->drive) return 0;
    double most = 1e-6, sum = k < p->n;
    for (int i = 0; i < p->n; i++) {
        most = fmax(most, fabs(v[i]));
        if (k >= p->n) sum += fabs(p->drive[(k - p->n) * p->n + i]);
    }
    return 64 * DBL_EPSILON * most * sum;
}

static inline bool rub_rests(const arne_plant *p, int k, const double *v)
{
    return fabs(rub_along(p, k, v)) <= rub_rounding(p, k, v);
}

static inline void plant_tell(const arne_plant *p, int k, arne_plant_change what)
{
    if (p->listener) p->listener(p->context, p->t, rub_joint(p, k), what);
}

#endif
