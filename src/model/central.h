/* SPDX-License-Identifier: MIT
 *
 * central.h - the inertia of a link as seed 004 writes it: mass, centre of mass, tensors about the centre.
 *
 * Where a link has first moments but next to no mass (a load taken off, grouped parameters) there is no centre of mass. It is
 * then a mass m with the centre of mass one metre away, and a point mass `rest` at the link origin that makes up for it. */
#ifndef MODEL_CENTRAL_H
#define MODEL_CENTRAL_H

#pragma GCC visibility push(default) /* used by more than one library */

typedef struct {
    double m, rest; /* m + rest = M */
    double c[3];    /* m c = MS */
    double I[6];    /* inertia about c: xx xy xz yy yz zz */
    double K[6];    /* Tr(I)/2 E - I                             [004 eq. 2.34, ERRATA part two 4] */
    double P[6];    /* integral of d d' dm about the link origin [004 eq. 2.31] */
} central;

/* from the standard parameters of robot.h */
central arne__central_of(double M, const double MS[3], const double J[6]);

#pragma GCC visibility pop
#endif
