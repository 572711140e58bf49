/* SPDX-License-Identifier: MIT
 *
 * simplex.c - the bounded simplex method on a dense tableau. */
#include "plan/simplex.h"

#include <math.h>
#include <string.h>

/* beside rows and prices whose largest entry is 1 */
static const double NO_PRICE = 1e-10, NO_PIVOT = 1e-9, INFEASIBLE = 1e-8;
/* Bland's rule ends long before; rounding alone could go round in circles, and then the point reached is kept. */
enum { MOST_MOVES = 20000 };

size_t arne__simplex_place(simplex *p, int rows, int columns, void *memory)
{
    const size_t m = (size_t)rows, n = (size_t)columns, all = m + n, doubles = m * n + m * all + 2 * m + n + 4 * all;
    if (!memory) return doubles * sizeof(double) + (m + all) * sizeof(int) + all * sizeof(bool);
    double *v = memory;
    *p = (simplex){.basis = (int *)(v + doubles)};
    p->where = p->basis + m;
    p->in_basis = (bool *)(p->where + all);
    p->A = v, v += m * n;
    p->tableau = v, v += m * all;
    p->b = v, v += m;
    p->values = v, v += m;
    p->c = v, v += n;
    p->low = v, v += all;
    p->high = v, v += all;
    p->x = v, v += all;
    p->price = v;
    return 0;
}

static double at_bound(const simplex *p, int j) { return p->where[j] < 0 ? p->low[j] : p->where[j] > 0 ? p->high[j] : 0; }

/* Every variable at a bound, the method's own make up for what is missing; rows are divided by their largest entry. */
static void start(simplex *p)
{
    const int m = p->rows, n = p->columns, all = m + n;
    for (int j = 0; j < n; j++) {
        p->in_basis[j] = false;
        p->where[j] = isfinite(p->low[j]) ? -1 : isfinite(p->high[j]) ? 1 : 0;
    }
    memset(p->tableau, 0, (size_t)m * (size_t)all * sizeof *p->tableau);
    for (int i = 0; i < m; i++) {
        double most = 0, missing = p->b[i];
        for (int j = 0; j < n; j++) {
            most = fmax(most, fabs(p->A[i * n + j]));
            missing -= p->A[i * n + j] * at_bound(p, j);
        }
        const double scale = (missing < 0 ? -1 : 1) / (most > 0 ? most : 1);
        for (int j = 0; j < n; j++) p->tableau[i * all + j] = scale * p->A[i * n + j];
        p->tableau[i * all + n + i] = 1;
        p->values[i] = scale * missing;
        p->basis[i] = n + i;
        p->in_basis[n + i] = true;
        p->where[n + i] = 0;
        p->low[n + i] = 0;
        p->high[n + i] = INFINITY;
    }
}

/* Row i becomes the row of variable `in`. */
static void pivot(simplex *p, int i, int in)
{
    const int m = p->rows, all = m + p->columns;
    double *row = p->tableau + i * all;
    const double by = row[in];
    for (int j = 0; j < all; j++) row[j] /= by;
    row[in] = 1;
    for (int k = 0; k < m; k++) {
        double *other = p->tableau + k * all;
        const double f = other[in];
        if (k == i || f == 0) continue;
        for (int j = 0; j < all; j++) other[j] -= f * row[j];
        other[in] = 0;
    }
    const double f = p->price[in];
    for (int j = 0; j < all; j++) p->price[j] -= f * row[j];
    p->price[in] = 0;
}

/* The first variable that is worth moving, and which way; -1: none (Bland). */
static int entering(const simplex *p, double *way)
{
    for (int j = 0; j < p->rows + p->columns; j++) {
        if (p->in_basis[j] || fabs(p->price[j]) <= NO_PRICE || p->low[j] == p->high[j]) continue;
        *way = p->price[j] > 0 ? 1 : -1;
        if (p->where[j] == 0 || (p->where[j] < 0) == (*way > 0)) return j;
    }
    return -1;
}

/* Moves `in` until it or a basic variable meets a bound; ties to the first variable (Bland). False: none does. */
static bool move(simplex *p, int in, double way)
{
    const int m = p->rows, all = m + p->columns;
    double far = p->high[in] - p->low[in];
    int out = -1;
    bool to_high = false;
    for (int i = 0; i < m; i++) {
        const double change = -way * p->tableau[i * all + in];
        if (fabs(change) <= NO_PIVOT) continue;
        const int j = p->basis[i];
        const double bound = change > 0 ? p->high[j] : p->low[j], way_to = fmax(0, (bound - p->values[i]) / change);
        if (way_to < far || (way_to == far && out >= 0 && j < p->basis[out])) far = way_to, out = i, to_high = change > 0;
    }
    if (isinf(far)) return false;
    for (int i = 0; i < m; i++) p->values[i] -= far * way * p->tableau[i * all + in];
    if (out < 0) {
        p->where[in] = -p->where[in];
        return true;
    }
    const int gone = p->basis[out];
    p->in_basis[gone] = false;
    p->where[gone] = to_high ? 1 : -1;
    p->values[out] = at_bound(p, in) + way * far;
    p->basis[out] = in;
    p->in_basis[in] = true;
    p->where[in] = 0;
    pivot(p, out, in);
    return true;
}

/* From an objective in `price` to prices in the tableau of now, then moves until none is worth it. False: without end. */
static bool climb(simplex *p)
{
    const int m = p->rows, all = m + p->columns;
    for (int i = 0; i < m; i++) {
        const double f = p->price[p->basis[i]];
        for (int j = 0; j < all && f != 0; j++) p->price[j] -= f * p->tableau[i * all + j];
    }
    double way = 0;
    for (int k = 0; k < MOST_MOVES; k++) {
        const int in = entering(p, &way);
        if (in < 0) return true;
        if (!move(p, in, way)) return false;
    }
    return true;
}

simplex_answer arne__simplex_maximise(simplex *p)
{
    const int m = p->rows, n = p->columns;
    double most = 0, missing = 0;
    start(p);
    for (int j = 0; j < m + n; j++) p->price[j] = j < n ? 0 : -1;
    climb(p);
    for (int i = 0; i < m; i++)
        if (p->basis[i] >= n) missing = fmax(missing, p->values[i]);
    if (missing > INFEASIBLE) return SIMPLEX_NONE;
    for (int i = 0; i < m; i++) p->high[n + i] = 0;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(p->c[j]));
    for (int j = 0; j < m + n; j++) p->price[j] = j < n && most > 0 ? p->c[j] / most : 0;
    const bool bounded = climb(p);
    for (int j = 0; j < n; j++) p->x[j] = at_bound(p, j);
    for (int i = 0; i < m; i++)
        if (p->basis[i] < n) p->x[p->basis[i]] = p->values[i];
    return bounded ? SIMPLEX_BEST : SIMPLEX_UNBOUNDED;
}
