/* SPDX-License-Identifier: MIT
 *
 * sums.c - gravity torques, momentum, energy: doors to what adds up over the links. */
#include "arne/coriolis.h"
#include "dynamics/data.h"

TEXT_WIDE(momentum_terms);

arne_status arne_gravity(arne_data *d, const double *q, double *g) { return TEXT_DOOR(d, q && g, gravity, q, g); }

arne_status arne_momentum(arne_data *d, const double *q, const double *qd, double *p)
{
    return TEXT_DOOR(d, q && qd && p, momentum, q, qd, p);
}

arne_status arne_momentum_terms(arne_data *d, const double *q, const double *qd, double *p, double *ctqd, double *g)
{
    return TEXT_DOOR(d, q && qd && p && ctqd && g, momentum_terms, q, qd, p, ctqd, g);
}

arne_status arne_ctqd(arne_data *d, const double *q, const double *qd, double *y)
{
    return TEXT_DOOR(d, q && qd && y, ctqd, q, qd, y);
}

arne_status arne_energy(arne_data *d, const double *q, const double *qd, double *kinetic, double *potential)
{
    double E[2];
    if (!d || !q || !qd || !kinetic || !potential) return ARNE_BAD_ARGUMENT;
    TEXT_OF(d, energy)(d->settings->robot, &d->work, q, qd, E);
    *kinetic = E[0];
    *potential = E[1];
    return ARNE_OK;
}
