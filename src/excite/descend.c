/* SPDX-License-Identifier: MIT
 *
 * descend.c - the least value of a smooth function inside a region where it is finite: limited-memory BFGS [Nocedal 2006,
 * alg. 7.4] with steps halved until they are inside and go down. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "excite/excite.h"

typedef struct {
    double *s, *y; /* DESCEND_MEMORY x n: steps, and changes of the gradient */
    double rho[DESCEND_MEMORY];
    int count;
} history;

/* direction = -H gradient */
static void direct(int n, const history *h, const double *gradient, double *direction)
{
    double alpha[DESCEND_MEMORY];
    const int from = h->count > DESCEND_MEMORY ? h->count - DESCEND_MEMORY : 0;
    for (int i = 0; i < n; i++) direction[i] = -gradient[i];
    for (int k = h->count - 1; k >= from; k--) {
        const int at = k % DESCEND_MEMORY;
        alpha[at] = h->rho[at] * dense_dot(n, h->s + at * n, direction);
        for (int i = 0; i < n; i++) direction[i] -= alpha[at] * h->y[at * n + i];
    }
    if (h->count) {
        const int last = (h->count - 1) % DESCEND_MEMORY;
        const double *y = h->y + last * n, gamma = 1 / (h->rho[last] * dense_dot(n, y, y));
        for (int i = 0; i < n; i++) direction[i] *= gamma;
    }
    for (int k = from; k < h->count; k++) {
        const int at = k % DESCEND_MEMORY;
        const double beta = h->rho[at] * dense_dot(n, h->y + at * n, direction);
        for (int i = 0; i < n; i++) direction[i] += (alpha[at] - beta) * h->s[at * n + i];
    }
}

static void remember(int n, history *h, const double *x, const double *before, const double *gradient, const double *was)
{
    const int at = h->count % DESCEND_MEMORY;
    double *s = h->s + at * n, *y = h->y + at * n;
    for (int i = 0; i < n; i++) s[i] = x[i] - before[i], y[i] = gradient[i] - was[i];
    const double curvature = dense_dot(n, s, y);
    if (!(curvature > 1e-10 * sqrt(dense_dot(n, s, s) * dense_dot(n, y, y)))) return;
    h->rho[at] = 1 / curvature;
    h->count++;
}

double arne__descend(int n, descend_function *f, void *context, int steps, double *x, double *work)
{
    history h = {work, work + DESCEND_MEMORY * n, {0}, 0};
    double *gradient = work + 2 * DESCEND_MEMORY * n, *was = gradient + n, *direction = was + n, *next = direction + n;
    double value = f(context, x, gradient);
    for (int step = 0; step < steps && isfinite(value); step++) {
        direct(n, &h, gradient, direction);
        double slope = dense_dot(n, gradient, direction), length = sqrt(dense_dot(n, direction, direction));
        if (!(slope < 0)) {
            if (!h.count) break;
            h.count = 0;
            continue;
        }
        double t = fmin(1, 0.3 / length), reached = INFINITY;
        if (!h.count) t = fmin(t, 0.05 / length);
        memcpy(was, gradient, (size_t)n * sizeof *was);
        for (int halved = 0; halved < 24; halved++, t /= 2) {
            for (int i = 0; i < n; i++) next[i] = x[i] + t * direction[i];
            reached = f(context, next, NULL);
            if (reached <= value + 1e-4 * t * slope) break;
        }
        if (!(reached < value)) {
            if (!h.count) break;
            h.count = 0;
            continue;
        }
        const double gain = value - reached;
        memcpy(direction, x, (size_t)n * sizeof *x);
        memcpy(x, next, (size_t)n * sizeof *x);
        value = f(context, x, gradient);
        remember(n, &h, x, direction, gradient, was);
        if (gain < 1e-7 * (1 + fabs(value))) break;
    }
    return value;
}
