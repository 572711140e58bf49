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
    const size_t width = (size_t)c->count + 1;
    size_t widest = 0;
    for (int j = 0; j < c->njoint; j++)
        if ((size_t)c->width[j] + 1 > widest) widest = (size_t)c->width[j] + 1;
    r->T = arne__arena_take(a, width * width, sizeof *r->T);
    r->B = arne__arena_take(a, width * widest, sizeof *r->B);
    return r->T && r->B;
}

/* place: where a column of all goes, -1: nowhere; NULL: where it is */
static void assemble(fit_room *r, const columns *c, const stack *s, int without, const double *sigma, const int *place, int width)
{
    memset(r->T, 0, (size_t)(width * width) * sizeof *r->T);
    for (int j = 0; j < c->njoint; j++) {
        const triangle *t = stack_without(s, j, without);
        const int own = t->width;
        if (!t->rows || !(sigma[j] > 0)) continue;
        memset(r->B, 0, (size_t)(own * width) * sizeof *r->B);
        for (int k = 0; k < own; k++) {
            const int to = k == own - 1 ? width - 1 : place ? place[c->active[j][k]] : c->active[j][k];
            for (int i = 0; i <= k && to >= 0; i++) r->B[i * width + to] = t->T[i * own + k] / sigma[j];
        }
        arne__triangle_add(width, r->T, own, r->B);
    }
}

void arne__fit_all(fit_room *r, const columns *c, const stack *s, int without, const double *sigma)
{
    assemble(r, c, s, without, sigma, NULL, c->count + 1);
}

static double length(const double *T, int width, int k)
{
    double sum = 0;
    for (int i = 0; i <= k; i++) sum += T[i * width + k] * T[i * width + k];
    return sqrt(sum);
}

/* Takes columns out whose diagonal is next to nothing; true: there were some. */
static bool take_out(const double *T, int width, const int *list, bool *seen)
{
    bool some = false;
    for (int k = 0; k < width - 1; k++) {
        if (fabs(T[k * width + k]) > UNTOLD * length(T, width, k)) continue;
        seen[list[k]] = false;
        some = true;
    }
    return some;
}

static bool condition_of(const double *T, int width, arena *a, double *condition)
{
    const int count = width - 1;
    const size_t n = (size_t)count;
    double *R = arne__arena_take(a, n * n + 2 * n, sizeof *R), *s = R ? R + n * n : NULL;
    *condition = 1;
    if (!R || !count) return R;
    for (int k = 0; k < count; k++)
        for (int i = 0; i <= k; i++) R[i * count + k] = T[i * width + k] / length(T, width, k);
    const int info = LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', count, count, R, count, s, NULL, 1, NULL, 1, s + n);
    *condition = info ? INFINITY : s[0] / s[count - 1];
    return info >= 0; /* below: it had no memory */
}

/* row i of the inverse of the triangle of the columns of `list`, into its place among all */
static void invert(const double *T, int width, const int *list, int i, double *row)
{
    for (int k = i; k < width - 1; k++) {
        double sum = k == i;
        for (int s = i; s < k; s++) sum -= row[list[s]] * T[s * width + k];
        row[list[k]] = sum / T[k * width + k];
    }
}

bool arne__fit_plain(fit_room *r, const columns *c, const stack *s, int without, const double *sigma, plain_fit *f, arena *a)
{
    int *list = arne__arena_take(a, 2 * (size_t)c->count, sizeof *list), *place = list ? list + c->count : NULL, width = 1;
    if (!list) return false;
    for (bool again = true; again;) {
        width = 1;
        for (int k = 0; k < c->count; k++) {
            place[k] = f->seen[k] ? width - 1 : -1;
            if (f->seen[k]) list[width++ - 1] = k;
        }
        assemble(r, c, s, without, sigma, place, width);
        again = f->choose && take_out(r->T, width, list, f->seen);
    }
    const int count = width - 1;
    memset(f->x, 0, (size_t)c->count * sizeof *f->x);
    for (int k = count - 1; k >= 0; k--) {
        const double *row = r->T + k * width;
        double sum = row[count];
        for (int i = k + 1; i < count; i++) sum -= row[i] * f->x[list[i]];
        f->x[list[k]] = row[k] != 0 ? sum / row[k] : 0;
    }
    if (!f->inverse) return true;
    if (!condition_of(r->T, width, a, &f->condition)) return false;
    memset(f->inverse, 0, (size_t)(c->count * c->count) * sizeof *f->inverse);
    for (int i = 0; i < count; i++) invert(r->T, width, list, i, f->inverse + list[i] * c->count);
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
