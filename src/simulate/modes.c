/* SPDX-License-Identifier: MIT
 *
 * modes.c - which axes stick, which slide, and what a stop does.
 *
 * At rest the torques that friction and stops can give are bounds, and the accelerations that follow are unique, as the inertia
 * matrix is positive definite: held axes stay within their bounds, the others leave in the direction they are pushed
 * (doc/simulate.md, eq. 3). The set is found by exchanging one axis at a time, the first that is wrong, which ends. */
#include <math.h>
#include <string.h>

#include "simulate/plant.h"

/* A bounce slower than this (rad/s or m/s) stays on the stop. */
static const double BOUNCE = 1e-3;

static bool resting(const arne_plant *p, int i)
{
    return p->x[p->axes + i] == 0 && (law_breakaway(&p->laws[i]) > 0 || p->stop[i]);
}

static void hold(arne_plant *p, int i)
{
    p->held[i] = true;
    p->sign[i] = 0;
}

static void release(arne_plant *p, int i, int way)
{
    p->held[i] = false;
    p->way[i] = way;
    p->sign[i] = law_breakaway(&p->laws[i]) > 0 ? way : 0;
}

static void count_held(arne_plant *p)
{
    p->any_held = false;
    for (int i = 0; i < p->n; i++) p->any_held = p->any_held || p->held[i];
}

/* Exchanges the first axis whose mode is wrong; false: there is none. */
static bool exchange(arne_plant *p)
{
    for (int i = 0; i < p->axes; i++) {
        if (!resting(p, i)) continue;
        if (p->held[i]) {
            const double most = law_breakaway(&p->laws[i]), pushed = p->react[i];
            const int way = pushed > most && p->stop[i] <= 0 ? 1 : pushed < -most && p->stop[i] >= 0 ? -1 : 0;
            if (way) {
                release(p, i, way);
                return true;
            }
        } else if (p->way[i] * p->a[i] < 0 && !p->fired[i]) {
            hold(p, i);
            return true;
        }
    }
    return false;
}

/* An impulse at joint i turns its velocity v into -e v: qd += M^-1 e_i p. Joints at rest on stops of their own stay. */
static int impact(arne_plant *p, int i, int side)
{
    const int n = p->n;
    double *v = p->x + p->axes;
    arne_mass(p->d, p->x, p->mass);
    for (int j = 0; j < n; j++)
        if (p->stop[j])
            for (int k = 0; k < n; k++) p->mass[j * n + k] = p->mass[k * n + j] = j == k;
    p->singular = arne_factor(p->d, p->mass) ? arne_data_joint(p->d) : -1;
    if (p->singular >= 0) return 1;
    memset(p->row, 0, (size_t)n * sizeof *p->row);
    p->row[i] = 1;
    arne_solve(p->d, p->mass, p->row);

    double after = -p->o.restitution * v[i];
    if (fabs(after) < BOUNCE) after = 0;
    const double impulse = (after - v[i]) / p->row[i];
    for (int j = 0; j < n; j++) {
        if (p->stop[j] || j == i) continue;
        v[j] += impulse * p->row[j];
        /* dry friction is no impulse: a joint that stuck is carried along */
        if (v[j] == 0) continue;
        p->held[j] = false;
        if (law_breakaway(&p->laws[j]) > 0) p->sign[j] = v[j] > 0 ? 1 : -1;
    }
    v[i] = after;
    p->stop[i] = after == 0 ? side : 0;
    if (after == 0)
        hold(p, i);
    else if (p->sign[i])
        p->sign[i] = -side;
    plant_tell(p, i, ARNE_JOINT_STOPPED);
    return 0;
}

int arne__modes_settle(arne_plant *p)
{
    bool any = false;
    for (int i = 0; i < p->n; i++) { /* put down on a stop, or thrown against it by an impact elsewhere */
        const double v = p->x[p->axes + i];
        const int side = p->x[i] >= p->upper[i] && v > 0 ? 1 : p->x[i] <= p->lower[i] && v < 0 ? -1 : 0;
        const int status = side ? impact(p, i, side) : 0;
        if (status) return status;
    }
    for (int i = 0; i < p->axes; i++) any = any || resting(p, i);
    count_held(p);
    if (!any) return 0;
    for (int tries = 0; tries < 64 + 16 * p->axes; tries++) {
        const int status = arne__plant_derivative(p, p->x, p->trial);
        if (status) return status;
        if (!exchange(p)) {
            for (int i = 0; i < p->axes; i++) {
                if (!p->held[i]) p->stop[i] = 0;
                p->fired[i] = false;
            }
            return 0;
        }
        count_held(p);
    }
    return 3;
}

int arne__modes_change(arne_plant *p, const int *fired)
{
    double *v = p->x + p->axes;
    for (int i = 0; i < p->axes; i++) {
        const bool first = fired[2 * i] != 0, second = fired[2 * i + 1] != 0;
        if (!first && !second) continue;
        if (p->held[i]) {
            release(p, i, first ? 1 : -1);
            p->fired[i] = true;
            plant_tell(p, i, ARNE_JOINT_SLIPS);
        } else if (second) {
            const int side = p->upper[i] - p->x[i] < p->x[i] - p->lower[i] ? 1 : -1;
            p->x[i] = side > 0 ? p->upper[i] : p->lower[i];
            const int status = side * v[i] > 0 ? impact(p, i, side) : 0;
            if (status) return status;
        } else {
            v[i] = 0;
            hold(p, i);
            plant_tell(p, i, ARNE_JOINT_STUCK);
        }
    }
    return arne__modes_settle(p);
}
