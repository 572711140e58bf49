/* SPDX-License-Identifier: MIT
 *
 * spline.c - splines of odd degree 2m - 1 through points, from prescribed states at both ends.
 *
 * Of all motions through the points the spline has the least integral of the squared m-th derivative. With the derivatives 1 ...
 * m - 1 at the knots as unknowns each piece is a two-point Hermite polynomial and adds its symmetric matrix to a banded positive
 * definite system, whose rows say that the derivatives m ... 2m - 2 go on without a jump: doc/trajectory.md (4)-(6). */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "trajectory/trajectory.h"

enum { BAND = 2 * (ROWS - 1) }; /* width of the lower half: two neighbouring knots */

typedef double piece_matrix[2 * ROWS][2 * ROWS];

/* S_ab = integral of H_a^(m) H_b^(m) over [0, 1], by parts: only the values at the ends remain   doc/trajectory.md (5) */
static void energy(int rows, const hermite_basis basis, piece_matrix S)
{
    for (int end = 0; end < 2; end++)
        for (int j = 0; j < rows; j++) {
            const int r = rows - 1 - j;
            const double sign = (r + end) % 2 ? 1 : -1;
            for (int b = 0; b < 2 * rows; b++)
                S[end * rows + j][b] = sign * arne__polynomial_derivative(basis[b], 2 * rows - 1, rows + r, end);
        }
}

/* One spline under way. Unknown j of knot k is the (j + 1)-th derivative times unit^(j + 1). */
typedef struct {
    int dof, rows, knots;
    double unit;
    const double *t, *q;
    double *A; /* (knots x (rows - 1)) x BAND: column c of row i is A[i][i - c], c <= i */
    double *x; /* (knots x (rows - 1)) x dof: right side, then solution */
} band;

static double *unknown(const band *s, int knot, int j)
{
    return s->x + ((size_t)knot * (size_t)(s->rows - 1) + (size_t)j) * (size_t)s->dof;
}

static void add_piece(const band *s, const piece_matrix S, int piece)
{
    const int m = s->rows, n = s->dof;
    const double ratio = (s->t[piece + 1] - s->t[piece]) / s->unit, weight = pow(ratio, 1 - 2 * m);
    for (int a = 0; a < 2 * (m - 1); a++) {
        const int ja = a % (m - 1) + 1, ea = a / (m - 1), row = (piece + ea) * (m - 1) + ja - 1;
        const double scale = weight * pow(ratio, ja);
        for (int b = 0; b <= a; b++) {
            const int jb = b % (m - 1) + 1, eb = b / (m - 1);
            s->A[(size_t)row * BAND + (size_t)(a - b)] += scale * pow(ratio, jb) * S[ea * m + ja][eb * m + jb];
        }
        /* the positions of the two knots act by their difference */
        double *x = unknown(s, piece + ea, ja - 1);
        const double *q = s->q + (size_t)piece * (size_t)n;
        for (int i = 0; i < n; i++) x[i] -= scale * S[ea * m + ja][m] * (q[n + i] - q[i]);
    }
}

/* The states at the first and last knot are known: their rows become x = given. `given`: 2 x (rows - 1) x dof. */
static void fix_ends(const band *s, const double *given)
{
    const int w = s->rows - 1, size = s->knots * w;
    for (int end = 0; end < 2; end++)
        for (int j = 0; j < w; j++) {
            const int row = end * (s->knots - 1) * w + j;
            const double *value = given + (size_t)(end * w + j) * (size_t)s->dof;
            for (int other = row - BAND + 1; other < row + BAND; other++) {
                if (other < 0 || other >= size) continue;
                double *a = &s->A[(size_t)(other > row ? other : row) * BAND + (size_t)abs(other - row)];
                for (int i = 0; i < s->dof && other != row; i++) unknown(s, 0, other)[i] -= *a * value[i];
                *a = other == row;
            }
        }
    memcpy(unknown(s, 0, 0), given, (size_t)w * (size_t)s->dof * sizeof *given);
    memcpy(unknown(s, s->knots - 1, 0), given + (size_t)w * (size_t)s->dof, (size_t)w * (size_t)s->dof * sizeof *given);
}

/* A = L L' within the band, then x */
static bool solve(const band *s)
{
    const int size = s->knots * (s->rows - 1), n = s->dof;
    for (int i = 0; i < size; i++) {
        double *row = s->A + (size_t)i * BAND;
        const int first = i < BAND ? 0 : i - BAND + 1;
        for (int j = first; j <= i; j++) {
            const double *other = s->A + (size_t)j * BAND;
            double sum = row[i - j];
            for (int k = first > j - BAND + 1 ? first : j - BAND + 1; k < j; k++) sum -= row[i - k] * other[j - k];
            if (j < i)
                row[i - j] = sum / other[0];
            else if (sum > 0)
                row[0] = sqrt(sum);
            else
                return false;
        }
        double *x = unknown(s, 0, i);
        for (int j = first; j < i; j++)
            for (int c = 0; c < n; c++) x[c] -= row[i - j] * unknown(s, 0, j)[c];
        for (int c = 0; c < n; c++) x[c] /= row[0];
    }
    for (int i = size - 1; i >= 0; i--) {
        double *x = unknown(s, 0, i);
        for (int j = i + 1; j < size && j < i + BAND; j++)
            for (int c = 0; c < n; c++) x[c] -= s->A[(size_t)j * BAND + (size_t)(j - i)] * unknown(s, 0, j)[c];
        for (int c = 0; c < n; c++) x[c] /= s->A[(size_t)i * BAND];
    }
    return true;
}

/* Derivatives at the first (or last) point of the polynomial through the `count` points nearest to it, times unit^r: Newton's
 * divided differences, multiplied out into powers of (t - end)/unit. */
static void end_derivatives(const band *s, int count, int last, double *to)
{
    const int n = s->dof;
    const ptrdiff_t stride = last ? -1 : 1, base = last ? s->knots - 1 : 0;
    double x[DEGREE + 1], f[DEGREE + 1], c[DEGREE + 1];
    for (int k = 0; k < count; k++) x[k] = (s->t[base + k * stride] - s->t[base]) / s->unit;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < count; k++) f[k] = s->q[(base + k * stride) * n + i] - s->q[base * n + i];
        for (int level = 1; level < count; level++)
            for (int k = count - 1; k >= level; k--) f[k] = (f[k] - f[k - 1]) / (x[k] - x[k - level]);
        memset(c, 0, sizeof c);
        for (int k = count - 1; k >= 0; k--) {
            for (int p = count - 1; p > 0; p--) c[p] = c[p - 1] - x[k] * c[p];
            c[0] = f[k] - x[k] * c[0];
        }
        double factorial = 1;
        for (int r = 1; r < s->rows; r++) {
            factorial *= r;
            to[(size_t)(r - 1) * (size_t)n + (size_t)i] = r < count ? factorial * c[r] : 0;
        }
    }
}

static arne_status check(int dof, int degree, int count, const double *t, const double *q, arne_error *error)
{
    if (degree < 3 || degree > DEGREE || degree % 2 == 0)
        return BAD_VALUE(error, "a spline of degree %d: choose 3, 5, 7 or 9", degree);
    if (dof < 1 || count < 2)
        return BAD_VALUE(error, "a spline of %d joints through %d points: at least 1 and 2 are needed", dof, count);
    for (int k = 0; k < count; k++) {
        if (!isfinite(t[k]) || (k > 0 && !(t[k] > t[k - 1])))
            return BAD_VALUE(error, "point %d: time %g s does not come after the one before", k + 1, t[k]);
        const int bad = arne__trajectory_not_finite(q + (size_t)k * (size_t)dof, dof);
        if (bad >= 0) return BAD_VALUE(error, "point %d: joint %d is not a number", k + 1, bad + 1);
    }
    return ARNE_OK;
}

static arne_status build(int dof, int degree, int count, const double *t, const double *q, bool rests, arne_trajectory **out,
                         arne_error *error)
{
    if (!t || !q || !out) return arne__trajectory_missing(out, error);
    *out = NULL;
    const arne_status status = check(dof, degree, count, t, q, error);
    if (status) return status;
    const int rows = (degree + 1) / 2, w = rows - 1;
    const size_t n = (size_t)dof, size = (size_t)count * (size_t)w;
    arne_trajectory *s = arne__trajectory_new(dof, t[0], t[count - 1]);
    arena *scratch = arne__arena_new();
    polynomial_pieces *p = s ? arne__pieces_new(s, count - 1, degree) : NULL;
    double *A = arne__arena_take(scratch, size * BAND, sizeof *A), *x = arne__arena_take(scratch, size * n, sizeof *x);
    double *given = arne__arena_take(scratch, 2 * (size_t)w * n, sizeof *given);
    double *states = arne__arena_take(scratch, 2 * (size_t)rows * n, sizeof *states);
    if (!p || !A || !x || !given || !states) {
        arne__arena_free(scratch);
        return arne__trajectory_no_memory(s, error);
    }
    const band y = {
        .dof = dof, .rows = rows, .knots = count, .unit = (t[count - 1] - t[0]) / (count - 1), .t = t, .q = q, .A = A, .x = x};
    hermite_basis basis;
    piece_matrix S;
    arne__hermite(rows, basis);
    energy(rows, basis, S);
    for (int k = 0; k + 1 < count; k++) add_piece(&y, S, k);
    for (int end = 0; end < 2 && !rests; end++)
        end_derivatives(&y, count < degree + 1 ? count : degree + 1, end, given + (size_t)(end * w) * n);
    fix_ends(&y, given);
    if (!solve(&y)) {
        arne__arena_free(scratch);
        arne_trajectory_free(s);
        return BAD_VALUE(error, "the times of the points are too unequal for a spline of degree %d", degree);
    }
    memcpy(p->knots, t, (size_t)count * sizeof *t);
    for (int k = 0; k + 1 < count; k++) {
        for (int end = 0; end < 2; end++) {
            double *state = states + (size_t)(end * rows) * n, scale = 1;
            memcpy(state, q + (size_t)(k + end) * n, n * sizeof *q);
            for (int j = 0; j < w; j++) {
                scale *= (t[k + 1] - t[k]) / y.unit;
                for (size_t i = 0; i < n; i++) state[(size_t)(j + 1) * n + i] = scale * unknown(&y, k + end, j)[i];
            }
        }
        arne__pieces_set(s, p, k, states, states + (size_t)rows * n);
    }
    arne__arena_free(scratch);
    s->form = p;
    s->at = arne__pieces_at;
    return arne__trajectory_finish(s, count > 2 ? degree - 1 : ARNE_TRAJECTORY_ORDER, out, error);
}

arne_status arne_trajectory_spline(int dof, int degree, int count, const double *t, const double *q, arne_trajectory **out,
                                   arne_error *error)
{
    return build(dof, degree, count, t, q, true, out, error);
}

arne_status arne_trajectory_samples(int dof, int degree, int count, const double *t, const double *q, arne_trajectory **out,
                                    arne_error *error)
{
    return build(dof, degree, count, t, q, false, out, error);
}
