/* SPDX-License-Identifier: MIT
 *
 * coupled.c - motors that a transmission couples with the joints: each rubs at its own speed, a row of J^-1 times those of the
 * joints, and one that is held is an equation between the joints. Held ones can leave others no freedom. */
#include <string.h>

#include "base/matrix.h"
#include "simulate/plant.h"

/* Of a row, beside what others hold already: below, it is held by them. */
static const double HELD_BY_OTHERS = 1e-9;

/* J' by unit torques, then J^-1; nothing where every motor drives its own joint */
bool arne__coupled_new(arne_plant *p)
{
    const int n = p->n;
    const size_t size = (size_t)n * (size_t)n;
    double *J = arne__arena_take(p->memory, size + 2 * (size_t)n, sizeof *J), *unit = J ? J + size : NULL;
    bool coupled = false;
    if (!J) return false;
    double *motor = unit + n;
    for (int i = 0; i < n; i++) {
        unit[i] = 1;
        arne_motor_torques(p->d, unit, motor);
        unit[i] = 0;
        for (int k = 0; k < n; k++) {
            J[i * n + k] = motor[k] * arne_joint_motor(p->m, p->joint[k])->gear;
            coupled = coupled || fabs(J[i * n + k] - (i == k)) > 1e-12;
        }
    }
    if (!coupled) return true;
    double *room = arne__arena_take(p->memory, 4 * size, sizeof *room);
    if (!room || arne__matrix_invert(J, n, room)) return false; /* the model has checked that it is not singular */
    p->drive = room;
    p->span = room + size;
    p->lift = p->span + size;
    p->gram = p->lift + size;
    return true;
}

static const double *row_of(const arne_plant *p, int k) { return p->drive + (k - p->n) * p->n; }

void arne__coupled_friction(const arne_plant *p, const double *qd, double *force)
{
    /* v_m = J^-1 qd, torques back by J^-T  [003 eq. 9.31-9.33] */
    for (int k = p->n; k < p->rubs; k++) {
        if (p->held[k]) continue;
        const double t = law_torque(&p->laws[k], rub_along(p, k, qd), p->sign[k]);
        for (int i = 0; i < p->n; i++) force[i] -= row_of(p, k)[i] * t;
    }
}

/* What is left of the row of rub k, as a part of it, beside `count` orthonormal rows of `span`; put there as the next of them,
 * of length 1. Two passes of Gram and Schmidt. */
static double beside(arne_plant *p, int k, int count)
{
    const int n = p->n;
    double *x = p->span + count * n;
    for (int i = 0; i < n; i++) x[i] = k < n ? i == k : row_of(p, k)[i];
    const double all = sqrt(dense_dot(n, x, x));
    for (int pass = 0; pass < 2; pass++)
        for (int c = 0; c < count; c++) {
            const double part = dense_dot(n, p->span + c * n, x);
            for (int i = 0; i < n; i++) x[i] -= part * p->span[c * n + i];
        }
    const double left = sqrt(dense_dot(n, x, x));
    for (int i = 0; i < n && left > 0; i++) x[i] /= left;
    return left / all;
}

void arne__coupled_still(arne_plant *p)
{
    const int n = p->n;
    int count = 0;
    double *v = p->x + p->places;
    for (int k = 0; k < p->rubs; k++) {
        if (!p->held[k]) continue;
        if (count < n && beside(p, k, count) > HELD_BY_OTHERS)
            count++;
        else
            arne__modes_release(p, k, p->load[k] < 0 ? -1 : 1);
    }
    for (int c = 0; c < count; c++) {
        const double part = dense_dot(n, p->span + c * n, v);
        for (int i = 0; i < n; i++) v[i] -= part * p->span[c * n + i];
    }
    for (int k = 0; k < p->rubs; k++) {
        p->still[k] = p->held[k] || count == n || (count > 0 && beside(p, k, count) <= HELD_BY_OTHERS);
        if (p->still[k] && k < n) v[k] = 0;
    }
}

/* With M a + E't = r and E a = 0, E the rows of the held motors without the held joints: E M^-1 E' t = E M^-1 r. */
bool arne__coupled_hold(arne_plant *p)
{
    const int n = p->n;
    int count = 0;
    double *t = p->row;
    for (int k = n; k < p->rubs; k++) {
        if (!p->held[k]) continue;
        double *y = p->lift + count * n;
        for (int i = 0; i < n; i++) y[i] = p->held[i] ? 0 : row_of(p, k)[i];
        arne_solve(p->d, p->mass, y);
        t[count++] = rub_along(p, k, p->a); /* 0 at the held joints, as y */
    }
    for (int k = n, row = 0; k < p->rubs; k++) {
        if (!p->held[k]) continue;
        for (int c = 0; c < count; c++) p->gram[row * count + c] = rub_along(p, k, p->lift + c * n);
        row++;
    }
    if (!dense_cholesky(count, p->gram)) return false;
    dense_forward(count, p->gram, t);
    dense_backward(count, p->gram, t);
    for (int k = n, c = 0; k < p->rubs; k++) {
        p->react[k] = p->held[k] ? t[c] : 0;
        for (int i = 0; p->held[k] && i < n; i++) p->a[i] -= t[c] * p->lift[c * n + i];
        c += p->held[k];
    }
    memset(p->row, 0, (size_t)n * sizeof *p->row);
    for (int k = n; k < p->rubs; k++)
        for (int i = 0; p->held[k] && i < n; i++) p->row[i] += row_of(p, k)[i] * p->react[k];
    for (int i = 0; i < n; i++)
        if (p->still[i]) p->a[i] = 0;
    return true;
}
