/* SPDX-License-Identifier: MIT
 *
 * derive.c - derivatives: the widest jet kind the machine has, and the Taylor kind. */
#include "arne/derive.h"

#include <string.h>

#include "algo/rows.h"
#include "arne/coriolis.h"
#include "dynamics/data.h"
#include "kind/kinds.h"

size_t arne__derivative_bytes(robot_counts n)
{
    const size_t a = WIDEST(arne__gradient_bytes_, jet8, jet4, jet2)(n), b = arne__series_bytes_tay4(n);
    return a > b ? a : b;
}

static bool prepared(const arne_data *d) { return d->more && d->more->derivatives; }

static void derive(arne_data *d, int row, const double *const x[3], int which, double *D)
{
    if (D) WIDEST(arne__gradient_run_, jet8, jet4, jet2)(d->settings->robot, d->more->derivatives, row, x, which, D);
}

arne_status arne_id_derivatives(arne_data *d, const double *q, const double *qd, const double *qdd, double *dq, double *dqd,
                                double *dqdd)
{
    if (!d || !q || !qd || !qdd) return ARNE_BAD_ARGUMENT;
    if (!prepared(d)) return ARNE_NOT_PREPARED;
    const double *const x[3] = {q, qd, qdd};
    derive(d, TEXT_id, x, 0, dq);
    derive(d, TEXT_id, x, 1, dqd);
    if (dqdd) arne_mass(d, q, dqdd); /* dtau/dqdd is the inertia matrix */
    return ARNE_OK;
}

arne_status arne_fd_derivatives(arne_data *d, const double *q, const double *qd, const double *tau, double *dq, double *dqd,
                                double *dtau)
{
    if (!d || !q || !qd || !tau) return ARNE_BAD_ARGUMENT;
    if (!prepared(d)) return ARNE_NOT_PREPARED;
    const double *const x[3] = {q, qd, tau};
    double *const out[3] = {dq, dqd, dtau};
    const size_t n = (size_t)d->model->nv;
    const arne_status status = arne_fd(d, q, qd, tau, d->work.matrix); /* may it be inverted? */
    for (int g = 0; g < 3; g++)
        if (!status)
            derive(d, TEXT_fd, x, g, out[g]);
        else if (out[g])
            memset(out[g], 0, n * n * sizeof(double));
    return status;
}

arne_status arne_id_taylor(arne_data *d, const double *q, double *tau)
{
    if (!d || !q || !tau) return ARNE_BAD_ARGUMENT;
    if (!prepared(d)) return ARNE_NOT_PREPARED;
    arne__series_id_tay4(d->settings->robot, d->more->derivatives, q, tau);
    return ARNE_OK;
}

arne_status arne_mass_rate_product(arne_data *d, const double *q, const double *qd, const double *x, double *y)
{
    if (!d || !q || !qd || !x || !y) return ARNE_BAD_ARGUMENT;
    if (!prepared(d)) return ARNE_NOT_PREPARED;
    arne__series_mass_rate_tay4(d->settings->robot, d->more->derivatives, q, qd, x, y);
    return ARNE_OK;
}
