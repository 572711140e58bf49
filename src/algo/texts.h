/* SPDX-License-Identifier: MIT
 *
 * texts.h - what the texts offer, in every number kind. Arrays have n entries, matrices n x n row major. */
#ifndef ALGO_TEXTS_H
#define ALGO_TEXTS_H

#include <stddef.h>

#include "algo/state.h"

/* work.c: places the work arrays of n joints in memory (aligned to 64 bytes) and returns the bytes they take; NULL: counts only
 */
size_t EXPORT(work)(int n, void *memory, work *k);

/* friction.c: tau += sign * friction(qd) */
void EXPORT(friction)(const robot *r, const work *k, const num *qd, num *tau, int sign_of_it);

/* wrench.c: external wrenches of the robot into work->force and work->moment, link axes; needs joint_turns */
void EXPORT(wrenches)(const robot *r, const work *k, const num *q);

/* rne.c */
void EXPORT(id)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *tau);
void EXPORT(bias)(const robot *r, const work *k, const num *q, const num *qd, num *tau);
void EXPORT(coriolis)(const robot *r, const work *k, const num *q, const num *qd, num *tau);

/* regressor.c: tau = Y K, n x 11n, columns XX XY XZ YY YZ ZZ MX MY MZ M IA of every link */
void EXPORT(regressor)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *Y);

/* coriolis.c: NE*(q, qd, qa, qdd); C with Mdot = C + C' */
enum { FACTOR_0001, FACTOR_1110, FACTOR_CHRISTOFFEL };
void EXPORT(star)(const robot *r, const work *k, int factor, const num *q, const num *qd, const num *qa, const num *qdd,
                  num *tau);
void EXPORT(coriolis_matrix)(const robot *r, const work *k, int factor, const num *q, const num *qd, num *C);

/* sums.c */
void EXPORT(gravity)(const robot *r, const work *k, const num *q, num *tau);
void EXPORT(momentum)(const robot *r, const work *k, const num *q, const num *qd, num *p);
/* p = M qd, C'qd = dT/dq and gravity torques in one forward and one backward pass */
void EXPORT(momentum_terms)(const robot *r, const work *k, const num *q, const num *qd, num *p, num *ctqd, num *g);
void EXPORT(energy)(const robot *r, const work *k, const num *q, const num *qd, num *kinetic, num *potential);

/* crba.c, ltdl.c, aba.c */
void EXPORT(mass)(const robot *r, const work *k, const num *q, num *M);
void EXPORT(rotor_matrix)(const robot *r, num *M); /* M += rotor inertias */
void EXPORT(factor)(const robot *r, num *M);
void EXPORT(solve)(const robot *r, const num *LD, num *x);
void EXPORT(fd_crba)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd);
void EXPORT(fd_aba)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd);

/* kin.c: frame `f` of the robot; R row major; v and the rows of J: linear then angular, in link axes at the link origin */
void EXPORT(pose)(const robot *r, const work *k, const num *q, int f, num R[9], num p[3]);
void EXPORT(velocity)(const robot *r, const work *k, const num *q, const num *qd, int f, num v[6]);
void EXPORT(jacobian)(const robot *r, const work *k, const num *q, int f, num *J);

#endif
