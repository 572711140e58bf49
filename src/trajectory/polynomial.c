/* SPDX-License-Identifier: MIT
 *
 * polynomial.c - polynomials between two states, and pieces of them [002 section V]; doc/trajectory.md. */
#include <string.h>

#include "base/order.h"
#include "trajectory/trajectory.h"

/* binomial coefficient, exact: at most 126 here */
static double choose(int n, int k)
{
    double c = 1;
    for (int i = 1; i <= k; i++) c = c * (n - k + i) / i;
    return c;
}

static double factorial(int n)
{
    double f = 1;
    for (int i = 2; i <= n; i++) f *= i;
    return f;
}

/* own derivation: doc/trajectory.md (2), (3). All sums are of integers and exact. */
void arne__hermite(int rows, hermite_basis c)
{
    memset(c, 0, sizeof(hermite_basis));
    for (int j = 0; j < rows; j++) {
        /* H_j(x) = x^j/j! (1 - x)^rows sum_i C(rows - 1 + i, i) x^i,  i < rows - j */
        for (int i = 0; i < rows - j; i++)
            for (int k = 0; k <= rows; k++) c[j][i + j + k] += choose(rows - 1 + i, i) * choose(rows, k) * (k % 2 ? -1 : 1);
        /* and at the other end (-1)^j H_j(1 - x) */
        for (int k = 0; k < 2 * rows; k++)
            for (int i = 0; i <= k; i++) c[rows + j][i] += c[j][k] * choose(k, i) * ((i + j) % 2 ? -1 : 1);
        for (int k = 0; k < 2 * rows; k++) {
            c[j][k] /= factorial(j);
            c[rows + j][k] /= factorial(j);
        }
    }
}

polynomial_pieces *arne__pieces_new(arne_trajectory *s, int pieces, int degree)
{
    polynomial_pieces *p = arne__arena_take(s->memory, 1, sizeof *p);
    if (!p) return NULL;
    p->pieces = pieces;
    p->degree = degree;
    p->knots = arne__arena_take(s->memory, (size_t)pieces + 1, sizeof *p->knots);
    p->c = arne__arena_take(s->memory, (size_t)pieces * (size_t)s->dof * (size_t)(degree + 1), sizeof *p->c);
    return p->knots && p->c ? p : NULL;
}

void arne__pieces_set(const arne_trajectory *s, polynomial_pieces *p, int piece, const double *from, const double *to)
{
    const int n = s->dof, size = p->degree + 1, rows = size / 2;
    hermite_basis basis;
    arne__hermite(rows, basis);
    for (int i = 0; i < n; i++) {
        double *c = p->c + ((size_t)piece * (size_t)n + (size_t)i) * (size_t)size;
        /* A constant goes into c_0 alone: what the derivatives are made of is the difference of the positions. */
        for (int k = 0; k < size; k++) c[k] = basis[rows][k] * (to[i] - from[i]);
        for (int b = 1; b < rows; b++)
            for (int k = 0; k < size; k++) c[k] += basis[b][k] * from[b * n + i] + basis[rows + b][k] * to[b * n + i];
        c[0] += from[i];
    }
}

double arne__polynomial_derivative(const double *c, int degree, int r, double x)
{
    double sum = 0;
    for (int k = degree; k >= r; k--) {
        double factor = 1;
        for (int i = 0; i < r; i++) factor *= k - i;
        sum = sum * x + factor * c[k];
    }
    return sum;
}

void arne__pieces_at(const arne_trajectory *s, double t, int order, double *out)
{
    const polynomial_pieces *p = s->form;
    const int piece = interval_of(p->knots, p->pieces, t);
    const double h = p->knots[piece + 1] - p->knots[piece], x = (t - p->knots[piece]) / h;
    double scale = 1, factor[DEGREE + 1]; /* k!/(k - r)!, the same for all joints */
    for (int k = 0; k <= p->degree; k++) factor[k] = 1;
    for (int r = 0; r <= order; r++, scale /= h) {
        for (int i = 0; i < s->dof; i++) {
            const double *c = p->c + ((size_t)piece * (size_t)s->dof + (size_t)i) * (size_t)(p->degree + 1);
            double sum = 0;
            for (int k = p->degree; k >= r; k--) sum = sum * x + factor[k] * c[k];
            out[(size_t)r * (size_t)s->dof + (size_t)i] = scale * sum;
        }
        for (int k = r; k <= p->degree; k++) factor[k] *= k - r;
    }
}

arne_status arne_trajectory_polynomial(int dof, int degree, double t0, double t1, const double *from, const double *to,
                                       arne_trajectory **out, arne_error *error)
{
    if (!from || !to || !out) return arne__trajectory_missing(out, error);
    *out = NULL;
    if (degree < 1 || degree > DEGREE || degree % 2 == 0)
        return BAD_VALUE(error, "a polynomial of degree %d: choose 1, 3, 5, 7 or 9", degree);
    const arne_status status = arne__trajectory_check_times(dof, t0, t1, error);
    if (status) return status;
    const int rows = (degree + 1) / 2;
    for (int side = 0; side < 2; side++) {
        const int bad = arne__trajectory_not_finite(side ? to : from, rows * dof);
        if (bad >= 0)
            return BAD_VALUE(error, "the %s of joint %d is not a number (derivative %d)", side ? "end" : "start", bad % dof + 1,
                             bad / dof);
    }
    arne_trajectory *s = arne__trajectory_new(dof, t0, t1);
    if (!s) return arne__trajectory_no_memory(s, error);
    polynomial_pieces *p = arne__pieces_new(s, 1, degree);
    double *ends = arne__arena_take(s->memory, 2 * (size_t)rows * (size_t)dof, sizeof *ends);
    if (!p || !ends) return arne__trajectory_no_memory(s, error);
    double scale = 1;
    for (int r = 0; r < rows; r++, scale *= t1 - t0)
        for (int i = r * dof; i < (r + 1) * dof; i++) {
            ends[i] = scale * from[i];
            ends[rows * dof + i] = scale * to[i];
        }
    p->knots[0] = t0;
    p->knots[1] = t1;
    arne__pieces_set(s, p, 0, ends, ends + rows * dof);
    s->form = p;
    s->at = arne__pieces_at;
    return arne__trajectory_finish(s, ARNE_TRAJECTORY_ORDER, out, error);
}

arne_status arne_trajectory_rest_to_rest(int dof, int degree, double t0, double t1, const double *q0, const double *q1,
                                         arne_trajectory **out, arne_error *error)
{
    /* a spline of one piece: at rest at both ends */
    if (!q0 || !q1 || !out) return arne__trajectory_missing(out, error);
    *out = NULL;
    if (degree == 1) return arne_trajectory_polynomial(dof, 1, t0, t1, q0, q1, out, error);
    arne_status status = arne__trajectory_check_times(dof, t0, t1, error);
    if (status) return status;
    arena *memory = arne__arena_new();
    double *q = arne__arena_take(memory, 2 * (size_t)dof, sizeof *q);
    if (q) {
        memcpy(q, q0, (size_t)dof * sizeof *q);
        memcpy(q + dof, q1, (size_t)dof * sizeof *q);
        status = arne_trajectory_spline(dof, degree, 2, (double[]){t0, t1}, q, out, error);
    } else
        status = NO_MEMORY(error);
    arne__arena_free(memory);
    return status;
}
