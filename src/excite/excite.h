/* SPDX-License-Identifier: MIT
 *
 * excite.h - the search for an excitation, from inside.
 *
 * A motion is a vector z of dof rows: mean, alpha_1 ... alpha_N, beta_1 ... beta_N, in parts of the joint's limits:
 *     q   = middle + half mean + v sum (alpha_k sin kwt - beta_k cos kwt)/(k w)
 *     qd  = v sum alpha_k cos kwt + beta_k sin kwt
 *     qdd = v sum k w (beta_k cos kwt - alpha_k sin kwt)
 * It begins at rest where sum alpha_k = 0 and sum k beta_k = 0: a linear space, in which all of the search stays. */
#ifndef EXCITE_EXCITE_H
#define EXCITE_EXCITE_H

#include "arne/excite.h"
#include "arne/identify.h"
#include "base/random.h"
#include "plan/limits.h"

typedef struct {
    double middle, half, velocity, acceleration; /* limits that are used */
    double within[3];                            /* what samples of q, qd, qdd must keep, so that all between them do */
} series_limits;

typedef struct {
    const arne_model *m;
    int n, harmonics, samples, row; /* row: numbers of z a joint, 1 + 2 harmonics */
    double w, period;
    series_limits *limits; /* n */
    double *sine, *cosine; /* samples x harmonics */
} series;

/* A motion at its samples: samples x n each. */
typedef struct {
    double *q, *qd, *qdd;
} series_motion;

/* ---- series.c ---- */

bool arne__series_open(arena *a, series *s);
void arne__series_at(const series *s, const double *z, double t, double *q, double *qd, double *qdd);
void arne__series_sample(const series *s, const double *z, const series_motion *out);
/* Adds the derivatives by z from those by the samples. */
void arne__series_back(const series *s, const series_motion *by, double *gradient);
void arne__series_project(const series *s, double *z); /* onto motions that begin at rest */
void arne__series_random(const series *s, random_source *random, double *z, double *work);
void arne__series_scale(const series *s, double scale, const double *from, double *z); /* all but the means */

/* ---- cost.c: the criterion ---- */

typedef struct cost cost;
typedef struct {
    double condition, volume;
} excite_value;

cost *arne__cost_new(arena *a, const series *s, const arne_excite_options *o, const double *noise, arne_data *d,
                     const arne_base *b);
int arne__cost_friction(const cost *c);                                         /* columns of friction */
bool arne__cost_starved(const cost *c);                                         /* some value was lost for want of memory */
bool arne__cost_value(cost *c, const series_motion *motion, excite_value *out); /* false: a parameter is not moved */
/* Logarithm of the criterion, smoothed (condition numbers: Schatten norms of this order; signs of velocities), with its
 * derivatives by the samples added to `by` (NULL: not wanted). */
double arne__cost_smooth(cost *c, const series_motion *motion, double order, const series_motion *by);

/* ---- bounds.c: limits ---- */

typedef struct {
    const series *s;
    arne_data *d;      /* with friction */
    arne_data *smooth; /* without */
    const double *box; /* NULL: none */
    int link;
    double scale;
    bool torques; /* some motor is limited */
    double *tau, *motor, *speed, *by_motor, *by_tau;
    double *D;              /* 3 x n x n */
    double *J;              /* 6 x n */
    double *room;           /* of a look between the samples */
    double *torque, *share; /* n: largest, of a motion */
    double hand[6];
} bounds;

bool arne__bounds_open(arena *a, bounds *b);
/* The mean over the samples of -sum log(1 - g^2), g: parts of limits; INFINITY: outside. by NULL: no derivatives. */
double arne__bounds_barrier(bounds *b, const series_motion *motion, double weight, const series_motion *by);
bool arne__bounds_rest(bounds *b, const double *q); /* standing there is possible */
/* Looks at the motion between its samples too; false: a torque or the hand leaves its limits. Fills torque, share, hand. */
bool arne__bounds_dense(bounds *b, const double *z);

/* ---- descend.c ---- */

/* A function with its gradient (NULL: not wanted); INFINITY: outside. */
typedef double descend_function(void *context, const double *x, double *gradient);
enum { DESCEND_MEMORY = 10, DESCEND_VECTORS = 2 * DESCEND_MEMORY + 5 };
/* Limited-memory BFGS from x, in place; work: DESCEND_VECTORS x n. Returns the value. */
double arne__descend(int n, descend_function *f, void *context, int steps, double *x, double *work);

#endif
