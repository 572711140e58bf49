/* SPDX-License-Identifier: MIT
 *
 * check.c - can this body exist? Mass not negative; inertia about the centre of mass positive semidefinite and its principal
 * moments A <= B + C (the pseudo inertia Tr(I)/2 E - I has no negative eigenvalue). */
#include <math.h>
#include <stddef.h>

#include "arne/model.h"

/* Is the symmetric matrix xx xy xz yy yz zz free of eigenvalues below -tolerance? All principal minors of A + tolerance E. */
static bool positive(const double a[6], double tolerance)
{
    const double xx = a[0] + tolerance, yy = a[3] + tolerance, zz = a[5] + tolerance, xy = a[1], xz = a[2], yz = a[4];
    const double m2 = tolerance * (xx + yy + zz), m3 = m2 * (xx + yy + zz);
    const double det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    return xx >= 0 && yy >= 0 && zz >= 0 && xx * yy - xy * xy >= -m2 && xx * zz - xz * xz >= -m2 && yy * zz - yz * yz >= -m2 &&
           det >= -m3;
}

const char *arne_body_fault(const arne_body *b)
{
    const double *I = b->inertia;
    if (b->mass < 0) return "its mass is negative";
    double size = 0;
    for (int k = 0; k < 6; k++) size = fmax(size, fabs(I[k]));
    if (b->mass == 0) return size > 0 ? "it has inertia but no mass" : NULL;
    const double tolerance = 1e-9 * size; /* files print few digits */
    if (!positive(I, tolerance)) return "its inertia is not positive definite";
    const double half = (I[0] + I[3] + I[5]) / 2;
    const double pseudo[6] = {half - I[0], -I[1], -I[2], half - I[3], -I[4], half - I[5]};
    if (!positive(pseudo, tolerance)) return "its principal inertias break the triangle inequality";
    return NULL;
}
