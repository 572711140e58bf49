/* SPDX-License-Identifier: MIT
 *
 * variants.h - work memory of the 16 variants of NE* (variants.c). */
#ifndef ALGO_VARIANTS_H
#define ALGO_VARIANTS_H

#include "algo/forms.h"

/* a link, everything in base axes */
typedef struct {
    vec3 z, o;         /* joint axis and a point on it */
    vec3 O;            /* origin of the link's frame in the robot file, which the paper puts there by standard DH */
    vec3 w, wa, al, a; /* angular velocities by qd and qa, angular acceleration, acceleration of O */
    vec3 f, m;         /* wrench on the link from its parent, about the base origin */
} variant_state;

typedef struct {
    const int *frame;         /* n: the named frame of robot.h that O is the origin of */
    const central_body *body; /* n */
    variant_state *link;      /* n */
} variants_work;

/* NE*_(variant) with the four binary digits of `variant`, i1 i2 i3 i4, as the paper writes them */
void EXPORT(star_variant)(const robot *r, const work *k, const variants_work *v, int variant, const num *q, const num *qd,
                          const num *qa, const num *qdd, num *tau);

#endif
