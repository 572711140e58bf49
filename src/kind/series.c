/* SPDX-License-Identifier: MIT
 *
 * series.c - the door to the Taylor kind: inverse dynamics and its time derivatives along a motion. */
#include "algo/rows.h"
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
    return EXPORT(work)(n, NULL, &k) + (2 * (size_t)n.nq + 3 * (size_t)n.nv) * sizeof(num);
}

/* A position whose rate belongs to velocities that are series themselves: each round gives one more term of it. */
static void position_series(const robot *r, const double *q, const num *qd, num *out, num *rate)
{
    const int nq = robot_nq(r);
    for (int i = 0; i < nq; i++) out[i] = of(q[i]);
    for (int round = 1; round < TAY4; round++) {
        EXPORT(position_rate)(r, out, qd, rate);
        for (int i = 0; i < nq; i++) CAT(KIND, _set)(&out[i], round, CAT(KIND, _get)(rate[i], round - 1) / round);
    }
}

/* d/dt of M(q) x along qd: the momentum of the velocity x, while the robot moves with qd */
void CAT(arne__series_mass_rate_, KIND)(const robot *r, void *memory, const double *q, const double *qd, const double *x,
                                        double *y)
{
    const int n = robot_nv(r);
    work k;
    num *at = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k)), *v = at + robot_nq(r), *p = v + n;
    for (int i = 0; i < n; i++) v[i] = of(qd[i]);
    position_series(r, q, v, at, v + n);
    for (int i = 0; i < n; i++) v[i] = of(x[i]);
    EXPORT(run)(TEXT_momentum, r, &k, &(text_input){.q = at, .qd = v}, p);
    for (int i = 0; i < n; i++) y[i] = CAT(KIND, _get)(p[i], 1);
}

/* friction torques and their derivatives, rows x n, from as many derivatives of the velocity, at most TAY4 */
void CAT(arne__series_friction_, KIND)(const robot *r, void *memory, const double *qd, int rows, double *tau)
{
    const int n = robot_nv(r);
    work k;
    num *in = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k)), *out = in + n;
    for (int i = 0; i < n; i++) in[i] = series(qd + i, n, rows);
    EXPORT(run)(TEXT_friction, r, &k, &(text_input){.qd = in}, out);
    for (int i = 0; i < n; i++) derivatives(out[i], tau + i, n, rows);
}

/* q: a position, nq numbers, then velocities and their derivatives, nv each, up to order TAY4 + 1 of the position; tau[j]: j-th
 * derivative, j = 0 ... TAY4 - 1 */
void CAT(arne__series_id_, KIND)(const robot *r, void *memory, const double *q, double *tau)
{
    const int n = robot_nv(r), nq = robot_nq(r);
    work k;
    num *in = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k));
    num *qd = in + nq, *qdd = qd + n, *out = qdd + n;
    for (int i = 0; i < n; i++) {
        qd[i] = series(q + nq + i, n, TAY4);
        qdd[i] = series(q + nq + n + i, n, TAY4);
    }
    position_series(r, q, qd, in, out);
    EXPORT(run)(TEXT_id, r, &k, &(text_input){.q = in, .qd = qd, .qdd = qdd}, out);
    for (int i = 0; i < n; i++) derivatives(out[i], tau + i, n, TAY4);
}
