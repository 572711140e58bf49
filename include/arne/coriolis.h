/* SPDX-License-Identifier: MIT
 *
 * coriolis.h - the Coriolis terms factored: C(q,qd) with C qd = c and Mdot = C + C', and what follows from it.
 *
 * Three factorizations are valid for every robot: the two of the modified Newton-Euler method [000] and the one by Christoffel
 * symbols [003 eq. 9.7], which is their mean. C'qd = dT/dq is the same for all. */
#ifndef ARNE_CORIOLIS_H
#define ARNE_CORIOLIS_H

#include "arne/derive.h"
#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef enum { ARNE_STAR0001, ARNE_STAR1110, ARNE_CHRISTOFFEL_FACTOR } arne_factor_choice;

/* NE*(q, qd, qa, qdd) = M qdd + C(q,qd) qa + g in one sweep, O(n). With rotor inertia, without friction and wrenches. */
arne_status arne_star(arne_data *d, arne_factor_choice f, const double *q, const double *qd, const double *qa, const double *qdd,
                      double *tau);

/* C(q,qd) (dof x dof), O(n^2) */
arne_status arne_coriolis(arne_data *d, arne_factor_choice f, const double *q, const double *qd, double *C);

/* C(q,qd) x for any x, O(n) */
arne_status arne_coriolis_product(arne_data *d, arne_factor_choice f, const double *q, const double *qd, const double *x,
                                  double *y);

/* p = M qd, C'qd and g(q) together, in one forward and one backward pass: what a momentum observer needs [000 eq. 6] */
arne_status arne_momentum_terms(arne_data *d, const double *q, const double *qd, double *p, double *ctqd, double *g);

/* C'qd = dT/dq alone */
arne_status arne_ctqd(arne_data *d, const double *q, const double *qd, double *y);

/* Mdot x along qd, and C'x = Mdot x - C x, for any x, O(n); for data prepared with ARNE_DERIVATIVES */
arne_status arne_mass_rate_product(arne_data *d, const double *q, const double *qd, const double *x, double *y);
arne_status arne_coriolis_transpose_product(arne_data *d, arne_factor_choice f, const double *q, const double *qd,
                                            const double *x, double *y);

/* For study: the 16 variants of NE* that the paper compares [000 section IV], to the letter. `variant` 0 ... 15 are the binary
 * digits i1 i2 i3 i4; only 0001 (1) and 1110 (14) factor c with Mdot = C + C' for every robot. For data
 * prepared with ARNE_FORMS. */
arne_status arne_star_variant(arne_data *d, int variant, const double *q, const double *qd, const double *qa, const double *qdd,
                              double *tau);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
