/* SPDX-License-Identifier: MIT
 *
 * path.c - cubic Hermite pieces through the samples of a motion, or through way-points as a spline. */
#include "plan/path.h"

#include <math.h>
#include <string.h>

#include "base/order.h"

static bool make_room(path *p, arena *a, const double *q, int count, int dof)
{
    const size_t size = (size_t)count * (size_t)dof;
    *p = (path){.dof = dof, .count = count};
    p->s = arne__arena_take(a, (size_t)count, sizeof *p->s);
    p->q = arne__arena_take(a, size, sizeof *p->q);
    p->tangent = arne__arena_take(a, size, sizeof *p->tangent);
    if (p->q) memcpy(p->q, q, size * sizeof *p->q);
    return p->s && p->q && p->tangent;
}

/* dq/dt of the parabola through three samples, at the middle one or at an end */
static double parabola(const path *p, double dt, int k, int i)
{
    const int last = p->count - 1, n = p->dof;
    const double *q = p->q + i;
    if (last == 1) return (q[n] - q[0]) / dt;
    if (k == 0) return (4 * (q[n] - q[0]) - (q[2 * n] - q[0])) / (2 * dt);
    q += (size_t)(k - 1) * (size_t)n;
    if (k < last) return (q[2 * n] - q[0]) / (2 * dt);
    return (4 * (q[n] - q[0]) - (q[n] - q[-n])) / (2 * dt);
}

bool arne__path_open(path *p, arena *a, const arne_motion *s, int dof)
{
    if (!make_room(p, a, s->q, s->count, dof)) return false;
    for (int k = 0; k < s->count; k++) p->s[k] = k * s->dt;
    if (s->qd) memcpy(p->tangent, s->qd, (size_t)s->count * (size_t)dof * sizeof *p->tangent);
    for (int k = 0; k < s->count && !s->qd; k++)
        for (int i = 0; i < dof; i++) p->tangent[(size_t)k * (size_t)dof + (size_t)i] = parabola(p, s->dt, k, i);
    return true;
}

/* Continuous second derivatives, zero at both ends: with h_k = s_(k+1) - s_k and the slopes d_k of the chords the tangents solve
 *     h_k v_(k-1) + 2 (h_(k-1) + h_k) v_k + h_(k-1) v_(k+1) = 3 (h_k d_(k-1) + h_(k-1) d_k),   2 v_0 + v_1 = 3 d_0,  ...
 * a diagonally dominant system of three diagonals; `c` (count) is what elimination leaves above the diagonal. */
static void spline_tangents(path *p, double *c)
{
    const int last = p->count - 1, n = p->dof;
    for (int k = 0; k <= last; k++) {
        const double before = k > 0 ? p->s[k] - p->s[k - 1] : 0, after = k < last ? p->s[k + 1] - p->s[k] : 0;
        const double below = k == 0 ? 0 : k == last ? 1 : after, above = k == last ? 0 : k == 0 ? 1 : before;
        const double pivot = (k == 0 || k == last ? 2 : 2 * (before + after)) - (k > 0 ? below * c[k - 1] : 0);
        c[k] = above / pivot;
        const double *q = p->q + (size_t)k * (size_t)n;
        double *v = p->tangent + (size_t)k * (size_t)n;
        for (int i = 0; i < n; i++) {
            const double left = k > 0 ? (q[i] - q[i - n]) / before : 0, right = k < last ? (q[i + n] - q[i]) / after : 0;
            const double known = k == 0 ? 3 * right : k == last ? 3 * left : 3 * (after * left + before * right);
            v[i] = (known - (k > 0 ? below * v[i - n] : 0)) / pivot;
        }
    }
    for (int k = last - 1; k >= 0; k--)
        for (int i = 0; i < n; i++) {
            double *v = p->tangent + (size_t)k * (size_t)n + (size_t)i;
            v[0] -= c[k] * v[n];
        }
}

bool arne__path_spline(path *p, arena *a, const double *points, int count, int dof)
{
    double *c = arne__arena_take(a, (size_t)count, sizeof *c);
    const bool room = make_room(p, a, points, count, dof) && c;
    for (int k = 1; k < count && room; k++) {
        double chord = 0;
        for (int i = 0; i < dof; i++) chord = hypot(chord, points[k * dof + i] - points[(k - 1) * dof + i]);
        p->s[k] = p->s[k - 1] + chord;
    }
    if (room) spline_tangents(p, c);
    return room;
}

bool arne__path_copy(path *p, arena *a, const path *of)
{
    if (!make_room(p, a, of->q, of->count, of->dof)) return false;
    int *number = arne__arena_take(a, (size_t)of->count, sizeof *number);
    if (!number) return false;
    memcpy(p->s, of->s, (size_t)of->count * sizeof *p->s);
    memcpy(p->tangent, of->tangent, (size_t)of->count * (size_t)of->dof * sizeof *p->tangent);
    memcpy(number, of->number, (size_t)of->count * sizeof *number);
    p->number = number;
    return true;
}

int arne__path_piece(const path *p, double s) { return interval_of(p->s, p->count - 1, s); }

void arne__path_at(const path *p, int k, double x, double *q, double *q1, double *q2)
{
    const double h = p->s[k + 1] - p->s[k], x2 = x * x, x3 = x2 * x;
    for (int i = 0; i < p->dof; i++) {
        const size_t at = (size_t)k * (size_t)p->dof + (size_t)i, next = at + (size_t)p->dof;
        const double a = p->q[at], step = p->q[next] - a, v = h * p->tangent[at], w = h * p->tangent[next];
        if (q) q[i] = x == 1 ? p->q[next] : a + step * (3 * x2 - 2 * x3) + v * (x3 - 2 * x2 + x) + w * (x3 - x2);
        if (q1) q1[i] = (step * (6 * x - 6 * x2) + v * (3 * x2 - 4 * x + 1) + w * (3 * x2 - 2 * x)) / h;
        if (q2) q2[i] = (step * (6 - 12 * x) + v * (6 * x - 4) + w * (6 * x - 2)) / (h * h);
    }
}

void arne__path_third(const path *p, int k, double *q3)
{
    const double h = p->s[k + 1] - p->s[k];
    for (int i = 0; i < p->dof; i++) {
        const size_t at = (size_t)k * (size_t)p->dof + (size_t)i, next = at + (size_t)p->dof;
        q3[i] = (6 * h * (p->tangent[at] + p->tangent[next]) - 12 * (p->q[next] - p->q[at])) / (h * h * h);
    }
}
