/* SPDX-License-Identifier: MIT
 *
 * fd.c - inertia matrix and forward dynamics: doors to composite and articulated bodies, and the judgement whether an inertia
 * matrix can be inverted, which the texts cannot give. */
#include <math.h>
#include <string.h>

#include "algo/joint.h"
#include "dynamics/doors.h"

TEXT_WIDE(factor);
TEXT_WIDE(solve);

/* A pivot is zero if it is rounding beside the numbers it came from. */
static const double SINGULAR = 1e-13;

arne_status arne_mass(arne_data *d, const double *q, double *M) { return TEXT_DOOR(d, q && M, mass, SQUARE(d), M, all_q(d, q)); }

arne_status arne_solve(arne_data *d, const double *LD, double *x)
{
    if (!d || !LD || !x) return ARNE_BAD_ARGUMENT;
    TEXT_OF(d, solve)(d->settings->robot, LD, x);
    return ARNE_OK;
}

/* M = L'DL in place; ARNE_SINGULAR, ARNE_NOT_FINITE: the pivot of the outermost joint so marked is nothing beside scale (nv), or
 * no number */
static arne_status factor(arne_data *d, double *M, const double *scale)
{
    const int n = d->model->nv;
    TEXT_OF(d, factor)(d->settings->robot, M);
    d->joint = -1;
    for (int i = n - 1; i >= 0; i--)
        if (!(M[i * n + i] > SINGULAR * scale[i])) {
            d->joint = arne_velocity_joint(d->model, i);
            return isfinite(M[i * n + i]) ? ARNE_SINGULAR : ARNE_NOT_FINITE;
        }
    return ARNE_OK;
}

arne_status arne_factor(arne_data *d, double *M)
{
    if (!d || !M) return ARNE_BAD_ARGUMENT;
    const int n = d->model->nv;
    for (int i = 0; i < n; i++) d->work.row[i] = fabs(M[i * n + i]);
    return factor(d, M, d->work.row);
}

/* the size of what moves with each joint: a point on the axis has its inertia in the other two directions */
static void scales(const robot *r, const work *k, const double *M, double *scale)
{
    for (int i = 0; i < r->n; i++) {
        const sym3 *J = &k->link[i].crba.J;
        const robot_link *l = &r->link[i];
        for (int c = 0; c < l->nv; c++) {
            const int v = l->iv + c;
            scale[v] = fmax(fabs(M[v * r->nv + v]), joint_way(l, c) < 3 ? 0 : J->xx + J->yy + J->zz);
        }
    }
}

static arne_status refuse(arne_data *d, arne_status status, double *qdd)
{
    memset(qdd, 0, (size_t)d->model->nv * sizeof *qdd);
    return status;
}

arne_status arne__fd_finish(arne_data *d, double *qdd)
{
    d->joint = -1;
    for (int i = 0; i < d->model->nv; i++)
        if (!isfinite(qdd[i])) {
            d->joint = arne_velocity_joint(d->model, i);
            return refuse(d, ARNE_NOT_FINITE, qdd);
        }
    return ARNE_OK;
}

static arne_status fd_crba(arne_data *d, const double *q, const double *qd, const double *tau, double *qdd)
{
    const robot *r = d->settings->robot;
    const work *k = &d->work;
    const int n = d->model->nv;
    double *M = k->matrix, *rest = k->column, *all = all_y(d, SQUARE(d), M);
    q = all_q(d, q);
    TEXT_OF(d, mass)(r, k, q, all);
    scales(r, k, all, k->row);
    lead(d, SQUARE(d), M);
    if (r->nfollow) {
        for (int i = 0; i < r->nv; i++) { /* what moves with a master: all that follows it too */
            const robot_follower *f = robot_v(r, i);
            if (f->master >= 0) k->row[f->master] += f->ratio * f->ratio * k->row[i];
        }
        for (int i = 0; i < r->nv; i++)
            if (robot_v(r, i)->master < 0) k->row[robot_v(r, i)->own] = k->row[i];
    }
    for (int i = 0; i < n; i++)
        if (!isfinite(k->row[i])) {
            d->joint = arne_velocity_joint(d->model, i);
            return refuse(d, ARNE_NOT_FINITE, qdd);
        }
    const arne_status status = factor(d, M, k->row);
    if (status) return refuse(d, status, qdd);
    TEXT_OF(d, bias)(r, k, q, all_v(d, 0, qd), all_y(d, TORQUES(d), rest));
    lead(d, TORQUES(d), rest);
    for (int i = 0; i < n; i++) rest[i] = tau[i] - rest[i];
    TEXT_OF(d, solve)(r, M, rest);
    memcpy(qdd, rest, (size_t)n * sizeof *qdd);
    return arne__fd_finish(d, qdd);
}

bool arne__fd_doubtful(const double *H, const double *x, int n, double far)
{
    double least_H = INFINITY, most_H = 0;
    bool finite = true;
    for (int i = 0; i < n; i++) {
        finite = finite && (!x || isfinite(x[i]));
        if (!(H[i] >= least_H)) least_H = H[i];
        if (H[i] > most_H) most_H = H[i];
    }
    return !finite || !(least_H > far * most_H);
}

arne_status arne__fd(arne_data *d, const double *q, const double *qd, const double *tau, double *qdd)
{
    const robot *r = d->settings->robot;
    if (d->model->unmodelled && r->friction) return refuse(d, ARNE_UNSUPPORTED, qdd);
    /* coupled rotors, or joints that move together, are no part of one link */
    if (robot_drive(r) || r->nfollow) return fd_crba(d, q, qd, tau, qdd);
    TEXT_OF(d, fd_aba)(r, &d->work, q, qd, tau, qdd);
    return arne__fd_doubtful(d->work.row, NULL, r->nv, ARNE_FAR_APART) ? fd_crba(d, q, qd, tau, qdd) : arne__fd_finish(d, qdd);
}

arne_status arne_fd(arne_data *d, const double *q, const double *qd, const double *tau, double *qdd)
{
    return d && q && qd && tau && qdd ? arne__fd(d, q, qd, tau, qdd) : ARNE_BAD_ARGUMENT;
}

arne_status arne_fd_crba(arne_data *d, const double *q, const double *qd, const double *tau, double *qdd)
{
    if (!d || !q || !qd || !tau || !qdd) return ARNE_BAD_ARGUMENT;
    return d->model->unmodelled && d->settings->robot->friction ? refuse(d, ARNE_UNSUPPORTED, qdd) : fd_crba(d, q, qd, tau, qdd);
}
