/* SPDX-License-Identifier: MIT
 *
 * polytope.c - the largest acceleration of a hand in a direction.
 *
 * With motor torques t (tau = J^-T t) the joints accelerate by M^-1 (J^-T t - h) and the hand by
 *     a = L M^-1 (J^-T t - h) + N                                          [004 eq. 10.3, ERRATA part two 5.6, 4: 10.3]
 * L its Jacobian, N = Ldot qd. t fills a box; its image is a polytope, and how far that reaches is a linear program: the largest
 * e.a with t in the box, joint accelerations within theirs, and (pure) no component of a across e. */
#include <math.h>
#include <string.h>

#include "arne/plan.h"
#include "base/dense.h"
#include "base/options.h"
#include "plan/limits.h"
#include "plan/limits_work.h"

enum { ROWS = 6 };

/* entries that are nothing beside the largest of their kind */
static const double NOTHING = 1e-11;

/* The Jacobian moved to the point, world axes; N = Jdot qd from its columns v_j, w_j alone. With W_j the angular velocity that
 * the joints before j give and V_j the velocity of the point that j and those behind it give, d(v_j)/dt = W_j x v_j + w_j x V_j,
 * d(w_j)/dt = W_j x w_j as joints are numbered from the base outwards; own derivation, doc/plan.md. */
static void hand_kinematics(polytope *p, arne_data *d, const double *q, const double *qd, const arne_hand_direction *h,
                            double N[ROWS])
{
    const int n = p->m->n;
    double *J = p->J, arm[3], before[3] = {0}, behind[3] = {0};
    arne_pose pose;
    arne_link_pose(d, q, h->link, &pose);
    arne_link_jacobian(d, q, h->link, ARNE_ALIGNED, J);
    for (int k = 0; k < 3; k++)
        arm[k] = pose.R[3 * k] * h->point[0] + pose.R[3 * k + 1] * h->point[1] + pose.R[3 * k + 2] * h->point[2];
    for (int j = 0; j < n; j++) {
        const double w[3] = {J[3 * n + j], J[4 * n + j], J[5 * n + j]};
        double more[3];
        dense_cross(w, arm, more);
        for (int k = 0; k < 3; k++) {
            J[k * n + j] += more[k];
            behind[k] += J[k * n + j] * qd[j];
        }
    }
    memset(N, 0, ROWS * sizeof *N);
    for (int j = 0; j < n; j++) {
        const double v[3] = {J[j], J[n + j], J[2 * n + j]}, w[3] = {J[3 * n + j], J[4 * n + j], J[5 * n + j]};
        double swing[3], sweep[3], tilt[3];
        dense_cross(before, v, swing);
        dense_cross(w, behind, sweep);
        dense_cross(before, w, tilt);
        for (int k = 0; k < 3; k++) {
            N[k] += qd[j] * (swing[k] + sweep[k]);
            N[3 + k] += qd[j] * tilt[k];
            before[k] += w[k] * qd[j];
            behind[k] -= v[k] * qd[j];
        }
    }
}

/* W, the box and what its middle gives. */
static arne_status joint_dynamics(polytope *p, arne_data *d, const double *q, const double *qd)
{
    const arne_model *m = p->m;
    const int n = m->n;
    arne_mass(d, q, p->M);
    const arne_status status = arne_factor(d, p->M);
    if (status) return status;
    arne_bias(d, q, qd, p->h);
    arne__limits_to_motors(m, qd, p->speed);
    for (int i = 0; i < n; i++) p->qdd[i] = -p->h[i];
    arne__limits_torques_to_motors(m, p->h, p->a);
    for (int k = 0; k < n; k++) {
        arne__limits_torque(m, k, p->speed[k], &p->low[k], &p->top[k]);
        const bool bounded = isfinite(p->low[k]) && isfinite(p->top[k]);
        p->middle[k] = bounded ? (p->low[k] + p->top[k]) / 2 : p->a[k];
        p->half[k] = bounded ? (p->top[k] - p->low[k]) / 2 : 1 + fabs(p->a[k]);
        for (int i = 0; i < n; i++) p->torque[i] = m->drive ? m->drive[k * n + i] : i == k;
        for (int i = 0; i < n; i++) p->qdd[i] += p->torque[i] * p->middle[k];
        arne_solve(d, p->M, p->torque);
        for (int i = 0; i < n; i++) p->W[i * n + k] = p->torque[i] * p->half[k];
    }
    return arne_solve(d, p->M, p->qdd);
}

/* e and an orthonormal basis across it: the rows of the reflection that takes the first axis to e. */
static bool axes(const arne_hand_direction *h, double E[ROWS][ROWS])
{
    const int r = h->rows;
    double length = 0, v[ROWS], vv = 0;
    for (int k = 0; k < r; k++) length = hypot(length, h->direction[k]);
    if (!(length > 0) || isinf(length)) return false;
    const double side = h->direction[0] > 0 ? -1 : 1; /* reflect onto the farther of e and -e */
    for (int k = 0; k < r; k++) {
        v[k] = side * h->direction[k] / length - (k == 0);
        vv += v[k] * v[k];
    }
    for (int i = 0; i < r; i++)
        for (int k = 0; k < r; k++) E[i][k] = (i == k) - 2 * v[i] * v[k] / vv;
    for (int k = 0; k < r; k++) E[0][k] = h->direction[k] / length;
    return true;
}

/* One equation of the program: coefficients of the torques, what they add up to. Rounding is made zero. */
static double *add_row(simplex *s, int n, double known, double scale)
{
    double *row = s->A + s->rows * s->columns;
    for (int k = 0; k < s->columns; k++)
        if (k >= n || fabs(row[k]) < NOTHING * scale) row[k] = 0;
    s->b[s->rows++] = fabs(known) < NOTHING * scale ? 0 : known;
    return row;
}

static void make_program(polytope *p, const arne_hand_direction *h, double E[ROWS][ROWS], const double middle[ROWS])
{
    const arne_model *m = p->m;
    const int n = m->n;
    simplex *s = &p->program;
    double scale = 0;
    s->rows = 0;
    s->columns = n;
    for (int i = 0; i < n; i++) s->columns += isfinite(given_limit(m->joint[i].limits.acceleration));
    for (int k = 0; k < s->columns; k++) {
        const bool free = k < n && !(isfinite(p->low[k]) && isfinite(p->top[k]));
        s->low[k] = free ? -INFINITY : -1;
        s->high[k] = free ? INFINITY : 1;
        s->c[k] = 0;
    }
    for (int k = 0; k < n; k++)
        for (int c = 0; c < h->rows; c++) s->c[k] += E[0][c] * p->hand[c * n + k];
    for (int i = 0; i < h->rows; i++) scale = fmax(scale, fabs(middle[i]));
    for (int k = 0; k < h->rows * n; k++) scale = fmax(scale, fabs(p->hand[k]));
    for (int k = 0; k < n; k++)
        if (fabs(s->c[k]) < NOTHING * scale) s->c[k] = 0;
    for (int i = 1; i < h->rows && h->pure; i++) {
        double known = 0, *row = s->A + s->rows * s->columns;
        for (int c = 0; c < h->rows; c++) known -= E[i][c] * middle[c];
        for (int k = 0; k < n; k++) {
            row[k] = 0;
            for (int c = 0; c < h->rows; c++) row[k] += E[i][c] * p->hand[c * n + k];
        }
        add_row(s, n, known, scale);
    }
    for (int i = 0, extra = n; i < n; i++) {
        const double most = given_limit(m->joint[i].limits.acceleration);
        if (!isfinite(most)) continue;
        memcpy(s->A + s->rows * s->columns, p->W + i * n, (size_t)n * sizeof *s->A);
        add_row(s, n, -p->qdd[i], 0)[extra++] = -most;
    }
}

static void answer(polytope *p, const arne_achieved *out)
{
    const arne_model *m = p->m;
    const int n = m->n;
    const double *y = p->program.x;
    for (int k = 0; k < n; k++) p->torque[k] = p->middle[k] + p->half[k] * y[k];
    for (int i = 0; i < n; i++) {
        if (out->qdd) {
            out->qdd[i] = p->qdd[i];
            for (int k = 0; k < n; k++) out->qdd[i] += p->W[i * n + k] * y[k];
        }
        if (out->tau) {
            out->tau[i] = m->drive ? 0 : p->torque[i];
            for (int k = 0; k < n && m->drive; k++) out->tau[i] += m->drive[k * n + i] * p->torque[k];
        }
        if (out->motor) out->motor[i] = p->torque[i] / m->joint[i].motor.gear;
        if (out->saturated) out->saturated[i] = fabs(y[i]) > 1 - 1e-9 && p->program.high[i] == 1;
    }
}

arne_status arne_largest_acceleration(arne_data *d, const double *q, const double *qd, const arne_hand_direction *direction,
                                      double *most, const arne_achieved *out)
{
    arne_hand_direction h;
    arne_achieved to;
    double E[ROWS][ROWS], N[ROWS], middle[ROWS];
    if (most) *most = NAN;
    if (!d || !q || !qd || !direction || !most || options_take(&h, sizeof h, direction) || options_take(&to, sizeof to, out) ||
        h.link < 0 || h.link >= d->model->nlink || (h.rows != 3 && h.rows != ROWS) || !axes(&h, E))
        return ARNE_BAD_ARGUMENT;
    if (!limits_of(d)) return ARNE_NOT_PREPARED;
    polytope *p = &limits_of(d)->polytope;
    const int n = p->m->n;
    const arne_status status = joint_dynamics(p, d, q, qd);
    if (status) return status;
    hand_kinematics(p, d, q, qd, &h, N);
    for (int c = 0; c < ROWS; c++) {
        middle[c] = N[c];
        for (int i = 0; i < n; i++) middle[c] += p->J[c * n + i] * p->qdd[i];
        for (int k = 0; k < n; k++) {
            p->hand[c * n + k] = 0;
            for (int i = 0; i < n; i++) p->hand[c * n + k] += p->J[c * n + i] * p->W[i * n + k];
        }
    }
    make_program(p, &h, E, middle);
    const simplex_answer found = arne__simplex_maximise(&p->program);
    *most = found == SIMPLEX_NONE ? -INFINITY : INFINITY;
    if (found != SIMPLEX_BEST) return ARNE_OK;
    answer(p, &to);
    *most = 0;
    for (int c = 0; c < h.rows; c++) *most += E[0][c] * middle[c];
    for (int k = 0; k < n; k++) *most += p->program.c[k] * p->program.x[k];
    return ARNE_OK;
}
