/* SPDX-License-Identifier: MIT
 *
 * modes.c - which axes stick, which slide, and what a stop does.
 *
 * At rest the torques that friction and stops can give are bounds, and the accelerations that follow are unique, as the inertia
 * matrix is positive definite: what is held stays within its bounds, the others leave in the direction they are pushed
 * (doc/simulate.md, eq. 3). That is a least squares problem whose unknowns, the torques at rest, have bounds; it is solved as
 * such [Stark 1995]: the torques of the held ones go towards what would hold them, and the first at its bound is let go; one that
 * would then move against its own friction is held again. Each round the sum falls, so it ends. */
#include <math.h>
#include <string.h>

#include "simulate/plant.h"

/* A bounce slower than this (rad/s or m/s) stays on the stop. */
static const double BOUNCE = 1e-3;

static bool resting(const arne_plant *p, int k)
{
    return (p->still[k] || rub_rests(p, k, p->x + p->places)) && (law_dry(&p->laws[k]) || p->stop[k]);
}

static void hold(arne_plant *p, int k)
{
    p->held[k] = true;
    p->sign[k] = 0;
}

void arne__modes_release(arne_plant *p, int k, int way)
{
    p->held[k] = false;
    p->way[k] = way;
    p->sign[k] = law_dry(&p->laws[k]) ? way : 0;
    p->load[k] = way * law_breakaway(&p->laws[k], way);
}

/* What is still follows from what is held. */
static void count_held(arne_plant *p)
{
    if (p->drive) arne__coupled_still(p);
    p->any_held = false;
    for (int k = 0; k < p->rubs; k++) p->any_held = p->any_held || (p->held[k] && (k < p->n || p->drive));
}

/* Loads of the held ones go to what holds them, as far as all can; who ends that, and which way it leaves, else -1. */
static int bear(arne_plant *p, int *way, double *part)
{
    int first = -1;
    *part = 1;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < p->rubs; k++) {
            if (!p->held[k]) continue;
            const double high = p->stop[k] > 0 ? INFINITY : law_breakaway(&p->laws[k], 1);
            const double low = p->stop[k] < 0 ? -INFINITY : -law_breakaway(&p->laws[k], -1), all = p->react[k];
            const double load = p->load[k] = fmin(fmax(p->load[k], low), high);
            if (pass) {
                p->load[k] += *part * (all - load);
            } else if (all > high || all < low) {
                const int out = all > high ? 1 : -1;
                const double some = ((out > 0 ? high : low) - load) / (all - load);
                if (first >= 0 && some >= *part) continue;
                *part = some;
                *way = out;
                first = k;
            }
        }
    return first;
}

/* Exchanges one whose mode is wrong; false: there is none. *last: the one that was held before. */
static bool exchange(arne_plant *p, int *last)
{
    int way = 0;
    double part;
    const int first = bear(p, &way, &part);
    if (first >= 0) {
        arne__modes_release(p, first, way);
        if (first == *last && part == 0) p->fired[first] = true; /* only rounding says that it does not move */
        return true;
    }
    for (int k = 0; k < p->rubs; k++) {
        if (p->held[k] || p->still[k] || p->fired[k] || !resting(p, k)) continue;
        way = p->sign[k] ? p->sign[k] : p->way[k]; /* it may have come to rest with another, sliding until now */
        if (way * rub_along(p, k, p->a) >= 0) continue;
        p->load[k] = way * law_breakaway(&p->laws[k], way);
        hold(p, k);
        *last = k;
        return true;
    }
    return false;
}

/* An impulse at joint i turns its velocity v into -e v: qd += M^-1 e_i p. Joints at rest on stops of their own stay. */
static int impact(arne_plant *p, int i, int side)
{
    const int n = p->n;
    double *v = p->x + p->places;
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
        if (law_dry(&p->laws[j])) p->sign[j] = v[j] > 0 ? 1 : -1;
    }
    v[i] = after;
    for (int k = p->axes; k < p->rubs; k++) {
        if (rub_rests(p, k, v)) continue;
        p->held[k] = p->still[k] = false;
        if (law_dry(&p->laws[k])) p->sign[k] = rub_along(p, k, v) > 0 ? 1 : -1;
    }
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
        const double v = p->x[p->places + i], place = axis_place(p, p->x, i);
        const int side = place >= p->upper[i] && v > 0 ? 1 : place <= p->lower[i] && v < 0 ? -1 : 0;
        const int status = side ? impact(p, i, side) : 0;
        if (status) return status;
    }
    count_held(p);
    for (int k = 0; k < p->rubs; k++) any = any || resting(p, k);
    if (!any) return 0;
    for (int tries = 0, last = -1; tries < 64 + 16 * p->rubs; tries++) {
        const int status = arne__plant_derivative(p, p->x, p->trial);
        if (status) return status;
        if (!exchange(p, &last)) {
            for (int k = 0; k < p->rubs; k++) {
                if (!p->still[k]) p->stop[k] = 0;
                p->fired[k] = false;
            }
            return 0;
        }
        count_held(p);
    }
    return 3;
}

int arne__modes_change(arne_plant *p, const int *fired)
{
    double *v = p->x + p->places;
    for (int k = 0; k < p->rubs; k++) {
        const bool first = fired[2 * k] != 0, second = fired[2 * k + 1] != 0;
        if (!first && !second) continue;
        if (p->held[k]) {
            arne__modes_release(p, k, first ? 1 : -1);
            p->fired[k] = true;
            plant_tell(p, k, ARNE_JOINT_SLIPS);
        } else if (second) {
            double *place = &p->x[p->at[k]];
            const int side = p->upper[k] - *place < *place - p->lower[k] ? 1 : -1;
            *place = side > 0 ? p->upper[k] : p->lower[k];
            const int status = side * v[k] > 0 ? impact(p, k, side) : 0;
            if (status) return status;
        } else {
            if (k < p->axes) v[k] = 0;
            hold(p, k);
            plant_tell(p, k, ARNE_JOINT_STUCK);
        }
    }
    return arne__modes_settle(p);
}
