/* SPDX-License-Identifier: MIT
 *
 * derive.c - derivatives: doors to the analytic texts, and to the Taylor kind. */
#include "arne/derive.h"

#include <string.h>

#include "algo/did.h"
#include "algo/rows.h"
#include "arne/coriolis.h"
#include "arne/regressor.h"
#include "dynamics/doors.h"
#include "dynamics/more.h"
#include "kind/kinds.h"

TEXT_WIDE(did_outward);
TEXT_WIDE(did_inward);
TEXT_WIDE(did_mass);
TEXT_WIDE(did_parts);
TEXT_WIDE(did_rows);
TEXT_WIDE(dfd_parts);
TEXT_WIDE(dfd_from);
TEXT_WIDE(factor);
TEXT_WIDE(run);

/* series, or matrices that nobody wants */
size_t arne__derivative_bytes(robot_counts n)
{
    const size_t a = 3 * (size_t)n.nv * (size_t)n.nv * sizeof(double), b = arne__series_bytes_tay4(n);
    return a > b ? a : b;
}

static const double REACH = 1e60; /* its fourth power is a number */

bool arne__in_reach(const double *x, int n)
{
    int in = 0;
    for (int i = 0; i < n; i++) in += fabs(x[i]) <= REACH;
    return in == n;
}

/* the joint of the first number that is out of reach */
static int blame(const arne_model *m, const arne_state *x)
{
    const double *const in[3] = {x->qd, x->qdd, x->qa};
    if (arne__in_reach(x->q, m->nq) && arne__in_reach(x->qd, m->nv) && arne__in_reach(x->qdd, m->nv) &&
        (!x->qa || arne__in_reach(x->qa, m->nv)))
        return -1;
    for (int i = 0, joint = 0; i < m->nq; i++) {
        while (joint + 1 < m->n && arne_joint_q(m, joint + 1) <= i) joint++;
        if (!arne__in_reach(x->q + i, 1)) return joint;
    }
    for (int g = 0; g < 3; g++)
        for (int i = 0; i < m->nv && in[g]; i++)
            if (!arne__in_reach(in[g] + i, 1)) return arne_velocity_joint(m, i);
    return -1;
}

arne_status arne__finish_derivatives(arne_data *d, const arne_state *x, int parts, double *const part[], size_t size)
{
    bool finite = true;
    d->joint = blame(d->model, x);
    if (d->joint < 0) return ARNE_OK;
    for (int g = 0; g < parts; g++)
        for (size_t i = 0; i < size && part[g]; i++) finite = finite && isfinite(part[g][i]);
    for (int g = 0; g < parts && !finite; g++)
        if (part[g]) memset(part[g], 0, size * sizeof(double));
    if (finite) d->joint = -1;
    return finite ? ARNE_OK : ARNE_NOT_FINITE;
}

static bool prepared(const arne_data *d) { return d->more && d->more->derivatives; }

/* where joints follow others: all three by the row, those that are wanted from there */
static void followers(arne_data *d, int row, const text_input *in, double *all, double *a, double *b, double *c)
{
    const size_t square = (size_t)d->model->nv * (size_t)d->model->nv;
    double *const part[3] = {a, b, c};
    SCREWS_TEXT_OF(d, run)(row, d->settings->robot, &d->work, in, all);
    for (int g = 0; g < 3; g++)
        if (part[g] && part[g] != all + (size_t)g * square) memcpy(part[g], all + (size_t)g * square, square * sizeof *all);
}

arne_status arne_id_derivatives(arne_data *d, const double *q, const double *qd, const double *qdd, double *dq, double *dqd,
                                double *dqdd)
{
    if (!d || !q || !qd || !qdd) return ARNE_BAD_ARGUMENT;
    if (!prepared(d)) return ARNE_NOT_PREPARED;
    const robot *r = d->settings->robot;
    double *none = d->more->derivatives;
    if (r->nfollow) {
        const text_input in = {.q = q, .qd = qd, .qdd = qdd};
        followers(d, TEXT_did, &in, none, dq, dqd, dqdd);
    } else if (dq && dqd && dqdd) {
        SCREWS_TEXT_OF(d, did_parts)(r, &d->work, q, qd, qdd, dq, dqd, dqdd);
    } else {
        SCREWS_TEXT_OF(d, did_outward)(r, &d->work, q, qd, qdd);
        SCREWS_TEXT_OF(d, did_inward)(r, &d->work);
        if (dqdd) SCREWS_TEXT_OF(d, did_mass)(r, &d->work, dqdd);
        if (dq || dqd) SCREWS_TEXT_OF(d, did_rows)(r, &d->work, qd, dq ? dq : none, dqd ? dqd : none);
    }
    const size_t square = (size_t)d->model->nv * (size_t)d->model->nv;
    return arne__finish_derivatives(d, &(arne_state){q, qd, qdd, NULL, NULL}, 3, (double *const[3]){dq, dqd, dqdd}, square);
}

arne_status arne_id_second_derivatives(arne_data *d, const double *q, const double *qd, const double *qdd, double *D)
{
    return arne_compute(d, TEXT_d2id, NULL, &(arne_state){.q = q, .qd = qd, .qdd = qdd}, D);
}
arne_status arne_id_second_derivatives_times(arne_data *d, const double *q, const double *qd, const double *qdd, const double *x,
                                             double *D)
{
    return arne_compute(d, TEXT_d2id_times, NULL, &(arne_state){.q = q, .qd = qd, .qdd = qdd, .qa = x}, D);
}

/* As fd.c judges and computes where inertias are in doubt: accelerations by articulated bodies or the inertia matrix, and that
 * matrix by composite bodies in the axes of each link. Where joints follow, all of them is led back. */
static arne_status with_care(arne_data *d, const double *q, const double *qd, const double *tau, double *const part[3])
{
    const robot *r = d->settings->robot;
    const work *k = &d->work;
    const size_t square = (size_t)d->model->nv * (size_t)d->model->nv;
    const arne_status status = arne__fd(d, q, qd, tau, k->columns);
    for (int g = 0; g < 3 && status; g++) memset(part[g], 0, square * sizeof(double));
    if (status) return status;
    q = all_q(d, q);
    qd = all_v(d, 0, qd);
    SCREWS_TEXT_OF(d, did_outward)(r, k, q, qd, all_v(d, 1, k->columns));
    SCREWS_TEXT_OF(d, did_inward)(r, k);
    const row_shape shape = SQUARE(d);
    double *dq = all_y(d, shape, part[0]), *dqd = r->nfollow ? dq + r->nv * r->nv : part[1];
    SCREWS_TEXT_OF(d, did_rows)(r, k, qd, dq, dqd);
    if (r->nfollow) arne__text_lead(r, r->nv, r->nv, 1, 1, dqd, part[1]);
    lead(d, shape, part[0]);
    SCREWS_TEXT_OF(d, mass)(r, k, q, all_y(d, shape, k->matrix));
    lead(d, shape, k->matrix);
    SCREWS_TEXT_OF(d, factor)(r, k->matrix);
    SCREWS_TEXT_OF(d, dfd_from)(r, k, k->matrix, part[0], part[1], part[2]);
    return ARNE_OK;
}

arne_status arne__dfd(arne_data *d, const double *q, const double *qd, const double *tau, double *dq, double *dqd, double *dtau)
{
    const work *k = &d->work;
    d->joint = -1;
    if (d->model->unmodelled) return with_care(d, q, qd, tau, (double *const[3]){dq, dqd, dtau}); /* it may refuse */
    SCREWS_TEXT_OF(d, dfd_parts)(d->settings->robot, k, all_q(d, q), all_v(d, 0, qd), tau, dq, dqd, dtau);
    const bool doubt = arne__fd_doubtful(k->row, k->row, d->model->nv, ARNE_FAR_APART);
    return doubt ? with_care(d, q, qd, tau, (double *const[3]){dq, dqd, dtau}) : ARNE_OK;
}

arne_status arne_fd_derivatives(arne_data *d, const double *q, const double *qd, const double *tau, double *dq, double *dqd,
                                double *dtau)
{
    if (!d || !q || !qd || !tau) return ARNE_BAD_ARGUMENT;
    if (!prepared(d)) return ARNE_NOT_PREPARED;
    double *none = d->more->derivatives; /* a place each: what is not wanted is needed on the way */
    const size_t square = (size_t)d->model->nv * (size_t)d->model->nv;
    return arne__dfd(d, q, qd, tau, dq ? dq : none, dqd ? dqd : none + square, dtau ? dtau : none + 2 * square);
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
