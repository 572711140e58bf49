/* SPDX-License-Identifier: MIT
 *
 * ejnea.h - what the elastic joint Newton-Euler text offers and remembers of a link between its passes. */
#ifndef ALGO_EJNEA_H
#define ALGO_EJNEA_H

#include "algo/state.h"

/* Letters of [002]: omega, gamma, iota, sigma are w, g, i, s; the origin has a, j, sn. All with respect to the base, in link
 * axes. */
typedef struct {
    vec3 w, g, i, s; /* angular velocity, acceleration, jerk, snap */
    vec3 a, j, sn;   /* acceleration (with -g), jerk, snap of the origin */
    mat3 U, V, W;    /* second to fourth derivative of a vector fixed in the link */
    vec3 c, ciw;     /* g x w, i x w */
    vec3 wp, Up;     /* first and second derivative of the link's place in its parent, parent axes */
    vec3 f[3], m[3]; /* wrench on the link from its parent, at the link origin, and its derivatives */
} ejnea_state;

/* ejnea.c: q 5 x n (q ... qdddd) to tau_e and its first two derivatives, 3 x n: links and external wrenches, no rotors and no
 * friction. order 1: 4 x n to tau_e and its first derivative, 2 x n, the reduced version 3* of [002 section IV]; version 2* is
 * rne.c. state: n links. rate, acceleration: of the external wrenches, as many, NULL: zero. */
void EXPORT(ejnea)(const robot *r, const work *k, ejnea_state *state, int order, const num *q, const arne_wrench *rate,
                   const arne_wrench *acceleration, num *tau);

#endif
