/* SPDX-License-Identifier: MIT
 *
 * turns.c - sines and cosines of an array of doubles for the double texts, by the lanes of the kind that is set. */
#include <string.h>

#include "num/kind.h"

void CAT(arne__turns_, KIND)(const turn_table *t, const double *q, double *s, double *c)
{
    for (int i = 0; i < t->n; i += LANES) {
        num x, theta, scale, sn, cn;
        CAT(KIND, _int) quarter;
        for (int l = 0; l < LANES; l++) x[l] = q[i + l < t->n ? i + l : t->n - 1];
        memcpy(&scale, t->scale + i, sizeof scale);
        memcpy(&theta, t->theta + i, sizeof theta);
        memcpy(&quarter, t->quarter + i, sizeof quarter);
        CAT(KIND, _sincos)(scale * x + theta, quarter, &sn, &cn);
        memcpy(s + i, &sn, sizeof sn);
        memcpy(c + i, &cn, sizeof cn);
    }
}
