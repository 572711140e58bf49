/* SPDX-License-Identifier: MIT
 *
 * sums.c - gravity torques, momentum, energy: doors to what adds up over the links. */
#include "arne/coriolis.h"
#include "dynamics/doors.h"

TEXT_WIDE(momentum_terms);

arne_status arne_gravity(arne_data *d, const double *q, double *g)
{
    return TEXT_DOOR(d, q && g, gravity, TORQUES(d), g, all_q(d, q));
}

arne_status arne_momentum(arne_data *d, const double *q, const double *qd, double *p)
{
    return TEXT_DOOR(d, q && qd && p, momentum, TORQUES(d), p, all_q(d, q), all_v(d, 0, qd));
}

arne_status arne_momentum_terms(arne_data *d, const double *q, const double *qd, double *p, double *ctqd, double *g)
{
    if (!d || !q || !qd || !p || !ctqd || !g) return ARNE_BAD_ARGUMENT;
    const robot *r = d->settings->robot;
    double *const y[3] = {p, ctqd, g}, *at[3];
    for (int i = 0; i < 3; i++) at[i] = r->nfollow ? d->work.all + r->nq + (i + 1) * r->nv : y[i];
    TEXT_OF(d, momentum_terms)(r, &d->work, all_q(d, q), all_v(d, 0, qd), at[0], at[1], at[2]);
    for (int i = 0; i < 3 && r->nfollow; i++) arne__text_lead(r, r->nv, 1, 1, 0, at[i], y[i]);
    return ARNE_OK;
}

arne_status arne_ctqd(arne_data *d, const double *q, const double *qd, double *y)
{
    return TEXT_DOOR(d, q && qd && y, ctqd, TORQUES(d), y, all_q(d, q), all_v(d, 0, qd));
}

arne_status arne_energy(arne_data *d, const double *q, const double *qd, double *kinetic, double *potential)
{
    double E[2];
    if (!d || !q || !qd || !kinetic || !potential) return ARNE_BAD_ARGUMENT;
    TEXT_OF(d, energy)(d->settings->robot, &d->work, all_q(d, q), all_v(d, 0, qd), E);
    *kinetic = E[0];
    *potential = E[1];
    return ARNE_OK;
}
