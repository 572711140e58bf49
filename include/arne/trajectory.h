/* SPDX-License-Identifier: MIT
 *
 * trajectory.h - motions as smooth functions of time, with as many derivatives as an elastic joint asks for.
 *
 * A trajectory is built once and const from then on, shared between threads. Outside its time it stands still: the position of
 * its nearer end, all derivatives zero. Vectors have dof entries; points are rows of dof. ARNE_BAD_ARGUMENT: a null pointer;
 * ARNE_BAD_VALUE: numbers that make no motion, with a sentence. */
#ifndef ARNE_TRAJECTORY_H
#define ARNE_TRAJECTORY_H

#include "arne/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct arne_trajectory arne_trajectory;

enum { ARNE_TRAJECTORY_ORDER = 6 }; /* highest derivative arne_trajectory_at gives */

void arne_trajectory_free(arne_trajectory *s);
int arne_trajectory_dof(const arne_trajectory *s);
double arne_trajectory_start(const arne_trajectory *s); /* s */
double arne_trajectory_end(const arne_trajectory *s);
/* Position and its derivatives up to `order` at time t: out is (order + 1) x dof; those above ARNE_TRAJECTORY_ORDER are zero. */
arne_status arne_trajectory_at(const arne_trajectory *s, double t, int order, double *out);
/* Derivatives that are continuous everywhere, the ends included (where the trajectory begins and stops standing still). */
int arne_trajectory_smoothness(const arne_trajectory *s);

/* One polynomial of degree 1, 3, 5, 7 or 9 between two states of (degree + 1)/2 rows each: position, velocity, ...
 * [002 section V] uses degree 7. */
arne_status arne_trajectory_polynomial(int dof, int degree, double t0, double t1, const double *from, const double *to,
                                       arne_trajectory **out, arne_error *error);
/* From rest to rest, through nothing: positions only. */
arne_status arne_trajectory_rest_to_rest(int dof, int degree, double t0, double t1, const double *q0, const double *q1,
                                         arne_trajectory **out, arne_error *error);
/* A spline of odd degree 3, 5, 7 or 9 through points at increasing times, degree - 1 derivatives continuous inside, the first
 * (degree - 1)/2 zero at both ends, so that it starts and ends at rest. */
arne_status arne_trajectory_spline(int dof, int degree, int count, const double *t, const double *q, arne_trajectory **out,
                                   arne_error *error);
/* The same through samples of a motion that need not rest at its ends: derivatives there are those of the polynomial through the
 * nearest degree + 1 samples. */
arne_status arne_trajectory_samples(int dof, int degree, int count, const double *t, const double *q, arne_trajectory **out,
                                    arne_error *error);
/* q_i(t) = mean_i + sum_k sine_ki sin(k w t) + cosine_ki cos(k w t), k = 1 ... harmonics, from t0 to t1, t counted from t0;
 * sine and cosine: harmonics x dof. `ramp` seconds (0: none) of a smooth start and stop by a degree 9 blend of the amplitude. */
arne_status arne_trajectory_fourier(int dof, int harmonics, double w, const double *mean, const double *sine,
                                    const double *cosine, double t0, double t1, double ramp, arne_trajectory **out,
                                    arne_error *error);
/* One after the other: each starts at its own time, from the end of the one before. The parts stay the caller's and may be freed
 * before the sequence. Fails when a part starts before the one before it ends, or elsewhere than it ended (by more than 1e-9). */
arne_status arne_trajectory_sequence(int count, arne_trajectory *const *parts, arne_trajectory **out, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
