/* SPDX-License-Identifier: MIT
 *
 * steps.c - one step of a Runge-Kutta rule, and its derivative through the stages. In a step q moves by u, q exp(u), which grows
 * from 0 with the rate that tangent.h gives; (u, v) are plain numbers, so a rule keeps its order (Munthe-Kaas 1999).
 * doc/optimise.md */
#include <math.h>
#include <string.h>

#include "algo/rows.h"
#include "arne/positions.h"
#include "arne/quantity.h"
#include "arne/regressor.h"
#include "dynamics/data.h"
#include "dynamics/tangent.h"
#include "kind/multiply.h"
#include "rollout/rollout.h"

/* y += a x */
static void more(int n, double a, const double *restrict x, double *restrict y)
{
    for (int c = 0; c < n; c++) y[c] += a * x[c];
}

/* y = a x */
static void times(int n, double a, const double *restrict x, double *restrict y)
{
    for (int c = 0; c < n; c++) y[c] = a * x[c];
}

TEXT_WIDE(multiply);

void arne__rollout_multiply(const arne_rollout *r, int rows, int inner, int columns, const double *A, int a_apart,
                            const double *B, int b_apart, double *C, int c_apart)
{
    TEXT_OF(r->data, multiply)(rows, inner, columns, A, a_apart, B, b_apart, C, c_apart);
}

/* out = M of a wide joint times its rows, those of X times a */
static void rows_of(const rollout_wide *w, const double *M, double a, const double *X, int columns, double *out)
{
    for (int i = 0; i < w->nv; i++) {
        memset(out + i * columns, 0, (size_t)columns * sizeof *out);
        for (int j = 0; j < w->nv; j++) more(columns, a * M[i * w->nv + j], X + j * columns, out + i * columns);
    }
}

/* dq = derivative of q exp(u) where u grows by a dU: nv rows */
static void move(const arne_rollout *r, const double *u, double a, const double *dU, int columns, double *dq)
{
    for (int i = 0; i < r->nv; i++) {
        times(columns, a, dU + i * columns, dq + i * columns);
        dq[i * columns + i] += 1;
    }
    for (int k = 0; k < r->nwide; k++) {
        const rollout_wide *w = &r->wide[k];
        double by_q[TANGENT_MOST * TANGENT_MOST], by_u[TANGENT_MOST * TANGENT_MOST];
        arne__tangent_integrate(w->nv, u + w->at, by_q, by_u);
        rows_of(w, by_u, a, dU + w->at * columns, columns, dq + w->at * columns);
        for (int i = 0; i < w->nv; i++)
            for (int j = 0; j < w->nv; j++) dq[(w->at + i) * columns + w->at + j] += by_q[i * w->nv + j];
    }
}

static double *lane_of(double *x, int lane, int size) { return x + (size_t)lane * (size_t)size; }

/* where stage s stands: u, Q, V */
static void place(arne_rollout *r, int lane, int s)
{
    const int n = r->nv;
    const double a = r->step * r->rule->at[s], *slope = lane_of(r->slope, lane, 2 * n), *v = lane_of(r->v, lane, n);
    double *u = lane_of(r->u, lane, n), *V = lane_of(r->V, lane, n);
    for (int i = 0; i < n; i++) {
        u[i] = s ? a * slope[i] : 0;
        V[i] = s ? v[i] + a * slope[n + i] : v[i];
    }
    arne_integrate(r->model, lane_of(r->q, lane, r->nq), u, lane_of(r->Q, lane, r->nq));
}

/* accelerations of all lanes, and their derivatives */
static arne_status accelerate(arne_rollout *r, int lanes, bool derivatives)
{
    const arne_state x = {.q = r->Q, .qd = r->V, .tau = r->tau};
    const size_t count = (size_t)lanes;
    arne_status status =
        lanes > 1 ? arne_batch(r->data, TEXT_fd, NULL, count, &x, r->qdd) : arne_compute(r->data, TEXT_fd, NULL, &x, r->qdd);
    if (!status && derivatives)
        status =
            lanes > 1 ? arne_batch(r->data, TEXT_dfd, NULL, count, &x, r->D) : arne_compute(r->data, TEXT_dfd, NULL, &x, r->D);
    return status;
}

/* by parameters: dqdd = -M^-1 Y, the torques that are missing where they grow [003 eq. 9.36, 9.95] */
static void by_parameters(arne_rollout *r, int lane, int np, const double *inverse, double *dqdd, int columns)
{
    const int n = r->nv, joints = arne_model_bodies(r->model), inertial = ARNE_LINK_PARAMETERS * joints;
    arne_regressor_friction(r->data, lane_of(r->Q, lane, r->nq), lane_of(r->V, lane, n), lane_of(r->qdd, lane, n), r->Y);
    for (int i = 0; i < n * np; i++) r->Y[i] = -r->Y[i];
    arne__rollout_multiply(r, n, n, r->friction ? np : inertial, inverse, n, r->Y, np, dqdd + 3 * n, columns);
}

/* the same at the start of the step: unit matrices */
static void stand(int n, int columns, int first, double *x)
{
    memset(x, 0, (size_t)(n * columns) * sizeof *x);
    for (int i = 0; i < n; i++) x[i * columns + first + i] = 1;
}

/* Stage s of one lane: its slope, and what it adds to the sum. The slope of the stage before is in dslope, dV comes in the place
 * of its first half, accelerations in that of its second. */
static void derive(arne_rollout *r, int lane, int s, int np)
{
    const int n = r->nv, columns = rollout_columns(r, np), size = n * columns;
    const double a = r->step * r->rule->at[s], weight = r->rule->weight[s];
    const double *u = lane_of(r->u, lane, n), *V = lane_of(r->V, lane, n), *D = lane_of(r->D, lane, 3 * n * n);
    double *dslope = lane_of(r->dslope, lane, 2 * size), *dsum = lane_of(r->dsum, lane, 2 * size), *dQ = r->dx;
    double *dV = dslope, *dqdd = dslope + size, *rows = r->rows;
    double by_v[TANGENT_MOST * TANGENT_MOST], by_u[TANGENT_MOST * TANGENT_MOST], rate[TANGENT_MOST];
    if (s == 0) {
        stand(n, columns, n, dV);
    } else {
        move(r, u, a, dslope, columns, dQ);
        for (int k = 0; k < r->nwide; k++, rows += TANGENT_MOST * columns) { /* the rate of u by u, while it is there */
            const rollout_wide *w = &r->wide[k];
            arne__tangent_rate(w->nv, u + w->at, V + w->at, rate, by_u, by_v);
            rows_of(w, by_u, a, dslope + w->at * columns, columns, rows);
        }
        times(size, a, dqdd, dV);
        for (int i = 0; i < n; i++) dV[i * columns + n + i] += 1;
    }
    memset(dqdd, 0, (size_t)size * sizeof *dqdd);
    for (int i = 0; i < n; i++) {
        double *row = dqdd + i * columns;
        if (s == 0) { /* by (q, qd) themselves */
            memcpy(row, D + i * n, (size_t)n * sizeof *row);
            memcpy(row + n, D + n * n + i * n, (size_t)n * sizeof *row);
        }
        memcpy(row + 2 * n, D + 2 * n * n + i * n, (size_t)n * sizeof *row);
    }
    if (s > 0) {
        arne__rollout_multiply(r, n, n, columns, D, n, dQ, columns, dqdd, columns);
        arne__rollout_multiply(r, n, n, columns, D + n * n, n, dV, columns, dqdd, columns);
    }
    if (np) by_parameters(r, lane, np, D + 2 * n * n, dqdd, columns);
    rows = r->rows;
    for (int k = 0; k < r->nwide && s > 0; k++, rows += TANGENT_MOST * columns) { /* and by v */
        const rollout_wide *w = &r->wide[k];
        double *own = dV + w->at * columns;
        arne__tangent_rate(w->nv, u + w->at, V + w->at, rate, by_u, by_v);
        for (int i = 0; i < w->nv; i++)
            for (int j = 0; j < w->nv; j++) more(columns, by_v[i * w->nv + j], own + j * columns, rows + i * columns);
        memcpy(own, rows, (size_t)(w->nv * columns) * sizeof *own);
    }
    if (s == 0)
        times(2 * size, weight, dslope, dsum);
    else
        more(2 * size, weight, dslope, dsum);
}

static void add_slope(arne_rollout *r, int lane, int s)
{
    const int n = r->nv;
    const double *u = lane_of(r->u, lane, n), *V = lane_of(r->V, lane, n);
    double *slope = lane_of(r->slope, lane, 2 * n), *sum = lane_of(r->sum, lane, 2 * n);
    memcpy(slope, V, (size_t)n * sizeof *slope);
    for (int k = 0; k < r->nwide; k++)
        arne__tangent_rate(r->wide[k].nv, u + r->wide[k].at, V + r->wide[k].at, slope + r->wide[k].at, NULL, NULL);
    memcpy(slope + n, lane_of(r->qdd, lane, n), (size_t)n * sizeof *slope);
    for (int i = 0; i < 2 * n; i++) sum[i] = (s ? sum[i] : 0) + r->rule->weight[s] * slope[i];
}

/* the state after the step; its derivatives in dx */
static bool finish(arne_rollout *r, int lane, int np)
{
    const int n = r->nv, columns = rollout_columns(r, np), size = n * columns;
    const double h = r->step, *sum = lane_of(r->sum, lane, 2 * n), *dsum = lane_of(r->dsum, lane, 2 * size);
    double *q = lane_of(r->q, lane, r->nq), *v = lane_of(r->v, lane, n), *u = lane_of(r->u, lane, n), *dv = r->dx + size;
    r->joint = -1;
    for (int i = 0; i < n; i++) v[i] += h * sum[n + i];
    for (int i = 0; i < n; i++) u[i] = h * (r->rule->after ? v[i] : sum[i]);
    arne_integrate(r->model, q, u, q);
    for (int i = 0; i < n && r->joint < 0; i++)
        if (!isfinite(v[i]) || !isfinite(u[i])) r->joint = arne_velocity_joint(r->model, i);
    for (int i = 0; i < n && np >= 0; i++) {
        times(columns, h, dsum + size + i * columns, dv + i * columns);
        dv[i * columns + n + i] += 1;
    }
    if (np >= 0) move(r, u, h, r->rule->after ? dv : dsum, columns, r->dx);
    return r->joint < 0;
}

arne_status arne__rollout_step(arne_rollout *r, int lanes, int step, int np, rollout_each *each, void *context)
{
    for (int s = 0; s < r->rule->stages; s++) {
        for (int l = 0; l < lanes; l++) place(r, l, s);
        const arne_status status = accelerate(r, lanes, np >= 0);
        if (status) {
            r->joint = arne_data_joint(r->data);
            return status;
        }
        for (int l = 0; l < lanes; l++) {
            add_slope(r, l, s);
            if (np >= 0) derive(r, l, s, np);
        }
    }
    for (int l = 0; l < lanes; l++) {
        if (!finish(r, l, np)) return ARNE_NOT_FINITE;
        each(r, l, step, context);
    }
    return ARNE_OK;
}
