/* SPDX-License-Identifier: MIT
 *
 * least.c - plain weighted least squares by orthogonal triangles [003 9.4.1 has the base parameters; Gautier 1997 the weights].
 */
#include "estimate/fit.h"

#include <math.h>
#include <string.h>

/* last: complex.h takes the name I */
#include <lapacke.h>

/* A column of which less than this is left beside those before it is not told by the data. */
static const double UNTOLD = 1e-5;

bool arne__fit_room(fit_room *r, const columns *c, arena *a)
{
    int rows = c->count + 1;
    for (int j = 0; j < c->njoint; j++) rows += c->width[j] + 1;
    r->rows = rows;
    r->A = arne__arena_take(a, (size_t)rows * (size_t)(c->count + 1), sizeof *r->A);
    r->tau = arne__arena_take(a, (size_t)c->count + 1, sizeof *r->tau);
    return r->A && r->tau;
}

/* The rows under one another; place: where a column of all goes, -1: nowhere. */
static int assemble(fit_room *r, const columns *c, const stack *s, int without, const double *sigma, const int *place, int width)
{
    int row = 0;
    memset(r->A, 0, (size_t)r->rows * (size_t)width * sizeof *r->A);
    for (int j = 0; j < c->njoint; j++) {
        const triangle *t = stack_without(s, j, without);
        const int own = t->width;
        if (!t->rows || !(sigma[j] > 0)) continue;
        for (int k = 0; k < own; k++) {
            const int to = k == own - 1 ? width - 1 : place ? place[c->active[j][k]] : c->active[j][k];
            for (int i = 0; i <= k && to >= 0; i++)
                r->A[(size_t)to * (size_t)r->rows + (size_t)(row + i)] = t->T[k * own + i] / sigma[j];
        }
        row += own;
    }
    return row > width ? row : width; /* rows of zeros make it a triangle */
}

static void clear_below(fit_room *r, int width)
{
    for (int k = 0; k < width; k++)
        for (int i = k + 1; i < width; i++) r->A[(size_t)k * (size_t)r->rows + (size_t)i] = 0;
}

bool arne__fit_all(fit_room *r, const columns *c, const stack *s, int without, const double *sigma)
{
    const int rows = assemble(r, c, s, without, sigma, NULL, c->count + 1);
    if (!arne__triangulate(rows, c->count + 1, r->A, r->rows, r->tau)) return false;
    clear_below(r, c->count + 1);
    return true;
}

static double length(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* Takes columns out whose diagonal is next to nothing; true: there were some. */
static bool take_out(const fit_room *r, const int *list, int count, bool *seen)
{
    bool some = false;
    for (int k = 0; k < count; k++) {
        const double *column_k = r->A + (size_t)k * (size_t)r->rows;
        const double all = length(column_k, k + 1);
        if (fabs(column_k[k]) > UNTOLD * all) continue;
        seen[list[k]] = false;
        some = true;
    }
    return some;
}

static double condition_of(const fit_room *r, int count, arena *a)
{
    const size_t n = (size_t)count;
    double *R = arne__arena_take(a, n * n + 2 * n, sizeof *R), *s = R ? R + n * n : NULL;
    if (!R || !count) return 1;
    for (int k = 0; k < count; k++) {
        const double *from = r->A + (size_t)k * (size_t)r->rows, all = length(from, k + 1);
        for (int i = 0; i <= k; i++) R[k * count + i] = from[i] / all;
    }
    if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', count, count, R, count, s, NULL, 1, NULL, 1, s + n)) return INFINITY;
    return s[0] / s[count - 1];
}

bool arne__fit_plain(fit_room *r, const columns *c, const stack *s, int without, const double *sigma, plain_fit *f, arena *a)
{
    int *list = arne__arena_take(a, 2 * (size_t)c->count, sizeof *list), *place = list ? list + c->count : NULL, count = 0;
    if (!list) return false;
    for (bool again = true; again;) {
        count = 0;
        for (int k = 0; k < c->count; k++) {
            place[k] = f->seen[k] ? count : -1;
            if (f->seen[k]) list[count++] = k;
        }
        const int rows = assemble(r, c, s, without, sigma, place, count + 1);
        if (!arne__triangulate(rows, count + 1, r->A, r->rows, r->tau)) return false;
        again = f->choose && take_out(r, list, count, f->seen);
    }
    memset(f->x, 0, (size_t)c->count * sizeof *f->x);
    for (int k = count - 1; k >= 0; k--) {
        double sum = r->A[(size_t)count * (size_t)r->rows + (size_t)k];
        for (int i = k + 1; i < count; i++) sum -= r->A[(size_t)i * (size_t)r->rows + (size_t)k] * f->x[list[i]];
        const double pivot = r->A[(size_t)k * (size_t)r->rows + (size_t)k];
        f->x[list[k]] = pivot != 0 ? sum / pivot : 0;
    }
    if (!f->inverse) return true;
    f->condition = condition_of(r, count, a);
    if (LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'U', 'N', count, r->A, r->rows)) return false;
    memset(f->inverse, 0, (size_t)(c->count * c->count) * sizeof *f->inverse);
    for (int k = 0; k < count; k++)
        for (int i = k; i < count; i++) f->inverse[list[k] * c->count + list[i]] = r->A[(size_t)i * (size_t)r->rows + (size_t)k];
    return true;
}

void arne__fit_sigma(const columns *c, const stack *s, const double *x, double *sigma)
{
    for (int j = 0; j < c->njoint; j++) {
        const triangle *t = stack_without(s, j, EVERYTHING);
        const int last = t->width - 1;
        const double rest = t->T[last * t->width + last], all = sqrt(arne__triangle_square(c, j, t, NULL));
        const double left = x ? sqrt(arne__triangle_square(c, j, t, x)) : fabs(rest);
        /* what rounding leaves is not noise */
        sigma[j] = t->rows ? fmax(left, 1e-12 * all) / sqrt((double)t->rows) : 0;
    }
}
