/* SPDX-License-Identifier: MIT
 *
 * numeric.c - the arbiter: base parameters from the regressors of random states [ERRATA part two 3.2, 003 9.4.1].
 *
 * W: the regressors of 36 states (30 for one or two joints), one below the other: each link has about three times as many rows,
 * those of the joints that carry it, as it and these have parameters. Only its triangle R = Q'W is kept. A column is dependent if
 * less than DEPENDENT of it is left beside the columns before it, without effect if it is less than NOTHING of the largest
 * singular value. */
#include <math.h>
#include <string.h>

#include "arne/positions.h"
#include "base/dense.h"
#include "base/random.h"
#include "identify/grouping.h"

/* last: complex.h takes the name I */
#include <lapacke.h>

static const double DEPENDENT = 1e-8, NOTHING = 1e-9, ROUNDING = 1e-10;
static const double PI = 3.14159265358979323846;

typedef struct {
    arne_data *data;
    double *state; /* nq + 2 nv: q, qd, qdd */
    double *Y;     /* nv x size */
    double *A;     /* 2 size x size, column major: R above, new rows below */
    double *tau;   /* size */
} sampler;

static bool open_sampler(const arne_model *m, arena *a, sampler *s)
{
    const size_t n = (size_t)m->nv, nq = (size_t)m->nq, size = LINK_PARAMETERS * (size_t)m->robot->n;
    *s = (sampler){.state = arne__arena_take(a, nq + 2 * n, sizeof(double)), .Y = arne__arena_take(a, n * size, sizeof(double))};
    s->A = arne__arena_take(a, 2 * size * size, sizeof(double));
    s->tau = arne__arena_take(a, size, sizeof(double));
    return s->state && s->Y && s->A && s->tau && !arne_data_new(m, &s->data, NULL);
}

/* the first `rows` rows of A become a triangle again */
static bool triangle(sampler *s, int size, int rows)
{
    if (LAPACKE_dgeqrf(LAPACK_COL_MAJOR, rows, size, s->A, 2 * size, s->tau)) return false;
    for (int c = 0; c < size; c++)
        memset(s->A + (size_t)c * 2 * (size_t)size + c + 1, 0, (size_t)(2 * size - c - 1) * sizeof *s->A);
    return true;
}

static bool fill(const arne_model *m, const sample_mask *mask, sampler *s)
{
    const int n = m->nv, size = LINK_PARAMETERS * m->robot->n, rows = 3 * size / n,
              states = m->robot->nfollow && rows > 36 ? rows
                       : m->robot->n < 3              ? 30
                                                      : 36; /* a master has the rows of all that follow */
    double *q = s->state, *qd = q + m->nq;
    random_source random = {.state = 2001};
    int below = 0, used = 0;
    for (int i = 0; i < n; i++) used += !mask || mask->rows[i];
    const int all = used ? states * n / used : 0; /* as many rows, of fewer joints */
    for (int k = 0; k < all; k++) {
        for (int i = 0; i < m->nq; i++) q[i] = PI * arne__random_signed(&random);
        for (int i = 0; i < 2 * n; i++) qd[i] = 2 * arne__random_signed(&random);
        for (int i = 0; i < n && mask; i++)
            if (!mask->moves[i]) q[i] = qd[i] = qd[n + i] = 0;
        arne_normalize(m, NAN, q, NULL);
        arne_regressor(s->data, q, qd, qd + n, s->Y);
        for (int i = 0; i < n; i++) {
            if (mask && !mask->rows[i]) continue;
            for (int c = 0; c < size; c++) s->A[(size_t)c * 2 * (size_t)size + (size_t)(size + below)] = s->Y[i * size + c];
            below++;
        }
        if (below + n <= size && k < all - 1) continue;
        if (!triangle(s, size, size + below)) return false;
        below = 0;
    }
    return true;
}

bool arne__numeric_sample(const arne_model *m, const double g[3], const sample_mask *mask, double *R, double *largest)
{
    const int size = LINK_PARAMETERS * m->robot->n;
    sampler s;
    arena *a = arne__arena_new();
    double *rest = arne__arena_take(a, (size_t)size, sizeof *rest);
    bool ok = open_sampler(m, a, &s) && rest;
    if (ok) {
        arne_set_gravity(arne_data_settings(s.data), g);
        ok = fill(m, mask, &s);
    }
    for (int c = 0; ok && c < size; c++)
        memcpy(R + (size_t)c * (size_t)size, s.A + (size_t)c * 2 * (size_t)size, (size_t)size * sizeof *R);
    /* A is free again: the SVD destroys it */
    ok = ok && !LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', size, size, s.A, 2 * size, s.tau, NULL, 1, NULL, 1, rest);
    *largest = ok ? s.tau[0] : 0;
    arne_data_free(s.data);
    arne__arena_free(a);
    return ok;
}

/* What is left of v beside the orthonormal columns of Q, two passes; the parts taken away are added to `part`. */
static double orthogonalize(int size, int count, const double *Q, double *v, double *part)
{
    for (int k = 0; k < count; k++) part[k] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++) {
            const double *u = Q + (size_t)k * (size_t)size;
            const double s = dense_dot(size, u, v);
            for (int i = 0; i < size; i++) v[i] -= s * u[i];
            part[k] += s;
        }
    return sqrt(dense_dot(size, v, v));
}

typedef struct {
    double *Q, *T; /* orthonormal columns and the triangle of the columns that stay, both size x size, column major */
    double *v, *part;
    int *stays; /* size */
    int count;
} basis;

/* column c from the columns that stay: T x = Q'v, the least squares solution [003 eq. 9.38-9.40] */
static bool take_in(const basis *b, int c, grouping *out)
{
    const size_t size = (size_t)out->size;
    if (b->count && LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'N', 'N', b->count, 1, b->T, out->size, b->part, out->size))
        return false;
    double most = 0;
    for (int k = 0; k < b->count; k++) most = fmax(most, fabs(b->part[k]));
    for (int k = 0; k < b->count; k++)
        if (fabs(b->part[k]) > ROUNDING * most) out->coefficient[(size_t)b->stays[k] * size + (size_t)c] = b->part[k];
    return true;
}

static bool column(int c, const double *R, double largest, basis *b, grouping *out)
{
    const size_t size = (size_t)out->size;
    memcpy(b->v, R + (size_t)c * size, size * sizeof *b->v);
    const double norm = sqrt(dense_dot(out->size, b->v, b->v));
    if (!(norm > NOTHING * largest)) return true;
    const double rest = orthogonalize(out->size, b->count, b->Q, b->v, b->part);
    if (rest < DEPENDENT * norm) return !out->coefficient || take_in(b, c, out);
    double *u = b->Q + (size_t)b->count * size, *t = b->T + (size_t)b->count * size;
    for (size_t i = 0; i < size; i++) u[i] = b->v[i] / rest;
    memcpy(t, b->part, (size_t)b->count * sizeof *t);
    t[b->count] = rest;
    b->stays[b->count++] = c;
    out->kept[c] = true;
    if (out->coefficient) out->coefficient[(size_t)c * size + (size_t)c] = 1;
    return true;
}

bool arne__numeric_group(int size, const double *R, double largest, bool rotors, grouping *out)
{
    const size_t n = (size_t)size;
    arena *a = arne__arena_new();
    basis b = {.Q = arne__arena_take(a, n * n, sizeof(double)), .T = arne__arena_take(a, n * n, sizeof(double))};
    b.v = arne__arena_take(a, n, sizeof(double));
    b.part = arne__arena_take(a, n, sizeof(double));
    b.stays = arne__arena_take(a, n, sizeof(int));
    bool ok = b.Q && b.T && b.v && b.part && b.stays;
    memset(out->kept, 0, n * sizeof *out->kept);
    if (out->coefficient) memset(out->coefficient, 0, n * n * sizeof *out->coefficient);
    for (int c = 0; ok && c < size; c++)
        if (rotors || c % LINK_PARAMETERS != IA) ok = column(c, R, largest, &b, out);
    arne__arena_free(a);
    return ok;
}
