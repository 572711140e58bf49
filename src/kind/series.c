/* SPDX-License-Identifier: MIT
 *
 * series.c - the door to the Taylor kind: inverse dynamics and its time derivatives along a motion. */
#include "algo/texts.h"
#include "kind/kinds.h"

#define of CAT(KIND, _of)

/* a number from its derivatives x[0], x[n], ..., and back */
static num series(const double *x, int n, int rows)
{
    num a = of(0);
    double factorial = 1;
    for (int j = 0; j < rows; factorial *= ++j) CAT(KIND, _set)(&a, j, x[j * n] / factorial);
    return a;
}
static void derivatives(num a, double *x, int n, int rows)
{
    double factorial = 1;
    for (int j = 0; j < rows; factorial *= ++j) x[j * n] = CAT(KIND, _get)(a, j) * factorial;
}

size_t CAT(arne__series_bytes_, KIND)(robot_counts n)
{
    work k;
    return EXPORT(work)(n, NULL, &k) + ((size_t)n.nq + 3 * (size_t)n.nv) * sizeof(num);
}

/* d/dt of M(q) x along qd: the momentum of the velocity x, while the robot moves with qd */
void CAT(arne__series_mass_rate_, KIND)(const robot *r, void *memory, const double *q, const double *qd, const double *x,
                                        double *y)
{
    const int n = r->nv;
    work k;
    num *in = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k));
    for (int i = 0; i < n; i++) {
        in[i] = of(q[i]);
        CAT(KIND, _set)(&in[i], 1, qd[i]);
        in[n + i] = of(x[i]);
    }
    EXPORT(momentum)(r, &k, in, in + n, in + 2 * n);
    for (int i = 0; i < n; i++) y[i] = CAT(KIND, _get)(in[2 * n + i], 1);
}

/* friction torques and their derivatives, rows x n, from as many derivatives of the velocity, at most TAY4 */
void CAT(arne__series_friction_, KIND)(const robot *r, void *memory, const double *qd, int rows, double *tau)
{
    const int n = r->nv;
    work k;
    num *in = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k)), *out = in + n;
    for (int i = 0; i < n; i++) {
        in[i] = series(qd + i, n, rows);
        out[i] = of(0);
    }
    EXPORT(friction)(r, &k, in, out, 1);
    for (int i = 0; i < n; i++) derivatives(out[i], tau + i, n, rows);
}

/* q[j]: j-th derivative, j = 0 ... TAY4 + 1; tau[j]: j = 0 ... TAY4 - 1 */
void CAT(arne__series_id_, KIND)(const robot *r, void *memory, const double *q, double *tau)
{
    const int n = r->nv;
    work k;
    num *in = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k));
    num *out = in + 3 * n;
    for (int g = 0; g < 3; g++)
        for (int i = 0; i < n; i++) in[g * n + i] = series(q + g * n + i, n, TAY4);
    EXPORT(id)(r, &k, in, in + n, in + 2 * n, out);
    for (int i = 0; i < n; i++) derivatives(out[i], tau + i, n, TAY4);
}
