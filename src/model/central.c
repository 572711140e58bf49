/* SPDX-License-Identifier: MIT
 *
 * central.c - standard parameters to centre of mass form. */
#include "model/central.h"

#include <math.h>

static const double FAR = 1e3; /* metres: no centre of mass is further from its link */

/* Tr(J)/2 E - J */
static void pseudo(const double J[6], double K[6])
{
    const double half = (J[0] + J[3] + J[5]) / 2;
    for (int k = 0; k < 6; k++) K[k] = (k == 0 || k == 3 || k == 5 ? half : 0) - J[k];
}

central arne__central_of(double M, const double MS[3], const double J[6])
{
    central b = {.m = M};
    const double moment = sqrt(MS[0] * MS[0] + MS[1] * MS[1] + MS[2] * MS[2]);
    if (moment > FAR * fabs(M)) b.m = moment;
    b.rest = M - b.m;
    if (b.m != 0)
        for (int k = 0; k < 3; k++) b.c[k] = MS[k] / b.m;
    /* I = J - m (c.c E - c c') */
    const double x = b.c[0], y = b.c[1], z = b.c[2];
    const double shift[6] = {y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y};
    for (int k = 0; k < 6; k++) b.I[k] = J[k] - b.m * shift[k];
    pseudo(b.I, b.K);
    pseudo(J, b.P);
    return b;
}
