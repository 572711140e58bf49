/* SPDX-License-Identifier: MIT
 *
 * path.c - cubic Hermite pieces through the samples of a motion. */
#include "plan/path.h"

#include <stdlib.h>
#include <string.h>

/* dq/dt of the parabola through three samples, at the middle one or at an end */
static double parabola(const path *p, int k, int i)
{
    const int last = p->count - 1, n = p->dof;
    const double *q = p->q + i;
    if (last == 1) return (q[n] - q[0]) / p->dt;
    if (k == 0) return (4 * (q[n] - q[0]) - (q[2 * n] - q[0])) / (2 * p->dt);
    q += (size_t)(k - 1) * (size_t)n;
    if (k < last) return (q[2 * n] - q[0]) / (2 * p->dt);
    return (4 * (q[n] - q[0]) - (q[n] - q[-n])) / (2 * p->dt);
}

bool path_open(path *p, const arne_motion *s, int dof)
{
    const size_t size = (size_t)s->count * (size_t)dof;
    *p = (path){.dof = dof, .count = s->count, .dt = s->dt};
    p->q = malloc((size + 1) * sizeof *p->q);
    p->tangent = malloc((size + 1) * sizeof *p->tangent);
    if (!p->q || !p->tangent) return false;
    memcpy(p->q, s->q, size * sizeof *p->q);
    if (s->qd) memcpy(p->tangent, s->qd, size * sizeof *p->tangent);
    for (int k = 0; k < s->count && !s->qd; k++)
        for (int i = 0; i < dof; i++) p->tangent[(size_t)k * (size_t)dof + (size_t)i] = parabola(p, k, i);
    return true;
}

void path_close(path *p)
{
    free(p->q);
    free(p->tangent);
    *p = (path){0};
}

void path_at(const path *p, int k, double x, double *q, double *q1, double *q2)
{
    const double h = p->dt, x2 = x * x, x3 = x2 * x;
    for (int i = 0; i < p->dof; i++) {
        const size_t at = (size_t)k * (size_t)p->dof + (size_t)i, next = at + (size_t)p->dof;
        const double a = p->q[at], step = p->q[next] - a, v = h * p->tangent[at], w = h * p->tangent[next];
        q[i] = x == 1 ? p->q[next] : a + step * (3 * x2 - 2 * x3) + v * (x3 - 2 * x2 + x) + w * (x3 - x2);
        q1[i] = (step * (6 * x - 6 * x2) + v * (3 * x2 - 4 * x + 1) + w * (3 * x2 - 2 * x)) / h;
        q2[i] = (step * (6 - 12 * x) + v * (6 * x - 4) + w * (6 * x - 2)) / (h * h);
    }
}
