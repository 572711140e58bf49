/* SPDX-License-Identifier: MIT
 *
 * coriolis.c - Coriolis terms: doors to the double texts. */
#include "arne/coriolis.h"

#include <string.h>

#include "dynamics/doors.h"

static bool is_factor(arne_factor_choice f) { return (unsigned)f <= ARNE_CHRISTOFFEL_FACTOR; }

arne_status arne_star(arne_data *d, arne_factor_choice f, const double *q, const double *qd, const double *qa, const double *qdd,
                      double *tau)
{
    return TEXT_DOOR(d, is_factor(f) && q && qd && qa && qdd && tau, star, TORQUES(d), tau, (int)f, all_q(d, q), all_v(d, 0, qd),
                     all_v(d, 1, qa), all_v(d, 2, qdd));
}

arne_status arne_coriolis(arne_data *d, arne_factor_choice f, const double *q, const double *qd, double *C)
{
    return TEXT_DOOR(d, is_factor(f) && q && qd && C, coriolis_matrix, SQUARE(d), C, (int)f, all_q(d, q), all_v(d, 0, qd));
}

/* NE* without acceleration, less what is left of it without velocity: gravity */
arne_status arne_coriolis_product(arne_data *d, arne_factor_choice f, const double *q, const double *qd, const double *x,
                                  double *y)
{
    if (!d || !is_factor(f) || !q || !qd || !x || !y) return ARNE_BAD_ARGUMENT;
    const work *k = &d->work;
    const int n = d->model->nv;
    memset(k->row, 0, (size_t)n * sizeof *k->row);
    arne_gravity(d, q, k->column);
    arne_star(d, f, q, qd, x, k->row, y);
    for (int i = 0; i < n; i++) y[i] -= k->column[i];
    return ARNE_OK;
}

arne_status arne_coriolis_transpose_product(arne_data *d, arne_factor_choice f, const double *q, const double *qd,
                                            const double *x, double *y)
{
    const arne_status status = is_factor(f) ? arne_mass_rate_product(d, q, qd, x, y) : ARNE_BAD_ARGUMENT;
    if (status) return status;
    double *Cx = d->work.matrix;
    arne_coriolis_product(d, f, q, qd, x, Cx);
    for (int i = 0; i < d->model->nv; i++) y[i] -= Cx[i];
    return ARNE_OK;
}
