/* SPDX-License-Identifier: MIT
 *
 * fit.h - from triangles to parameters: plain weighted least squares, and a robot that can exist. */
#ifndef ESTIMATE_FIT_H
#define ESTIMATE_FIT_H

#include "estimate/stack.h"

/* ---- least.c ---- */

/* A triangle of all columns and the torque, or of some of them, and rows on their way into it. */
typedef struct {
    double *T, *B; /* row major */
} fit_room;
bool arne__fit_room(fit_room *r, const columns *c, arena *a);

/* Rows of all joints without one fold, each divided by its sigma, as a triangle of all columns at r->T, count + 1 wide. */
void arne__fit_all(fit_room *r, const columns *c, const stack *s, int without, const double *sigma);

/* Plain least squares of the columns with seen[k], in their order. choose: columns of which the data say next to nothing beside
 * those before are taken out of `seen`. x: all columns, 0 where not seen. inverse (count x count, row major, may be NULL): that
 * of the triangle of the seen ones, so that (R'R)^-1 = inverse inverse'. */
typedef struct {
    bool choose;
    bool *seen;
    double *x;
    double *inverse;
    double condition; /* of columns of length 1; where inverse is asked for */
} plain_fit;
bool arne__fit_plain(fit_room *r, const columns *c, const stack *s, int without, const double *sigma, plain_fit *f, arena *a);

/* sigma of every joint from the residuals of x (NULL: from its own best fit). */
void arne__fit_sigma(const columns *c, const stack *s, const double *x, double *sigma);

/* ---- prior.c ---- */

/* Pseudo-inertia P = [S h; h' m] of ten parameters, row major, and back. doc/identify.md (6) */
void arne__pseudo(const double x[10], double P[16]);
typedef struct {
    double *inverse; /* bodies x 16: P0^-1 */
    double *x;       /* count: the prior, mended; a scale for friction and rotors, 0: it may have any sign */
    bool *mended;    /* bodies */
    bool *held;      /* count: of friction, offsets and rotors the data tell nothing: they stay where x has them */
} fit_prior;
/* before: values of the model; scale: count, of which friction and rotors are used: what would give all of the torque; seen:
 * count, what least squares could tell. */
bool arne__prior_make(const columns *c, const double *before, bool none, const double *scale, const bool *seen, arena *a,
                      fit_prior *out);

/* ---- consistent.c ---- */

typedef struct {
    const columns *c;
    const fit_prior *prior;
    int width;     /* count + 1 */
    double *R;     /* row major, width x width: of all data, whitened */
    double *T, *B; /* of one step */
    double *step, *try_x;
} consistent_room;
bool arne__consistent_room(consistent_room *r, const columns *c, const fit_prior *prior, arena *a);
/* Takes the triangle of arne__fit_all. */
void arne__consistent_data(consistent_room *r, const fit_room *from);
/* Minimizes |R x - b|^2 + gamma (divergence from the prior) from x on, which must be inside. False: it did not come to an end. */
bool arne__consistent_fit(consistent_room *r, double gamma, double *x, int *steps);
/* How much of the mass of a body the data tell at x, 0 ... 1. */
double arne__consistent_told(consistent_room *r, double gamma, const double *x, int body);

#endif
