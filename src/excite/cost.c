/* SPDX-License-Identifier: MIT
 *
 * cost.c - what a motion tells about the parameters: the information matrix F = W'W / samples of the weighted regressor W, its
 * columns those of base parameters (b), then of friction (f). The condition number is that of W_b, by the eigenvalues of S =
 * F_bb. The volume is of what friction, which has to be found too, leaves of it, the inverse of the covariance of base
 * parameters: S = F_bb - F_bf X,  X = F_ff^-1 F_fb,   dS = [I -X'] dF [I; -X] With c a function of the eigenvalues l of S = V
 * diag(l) V' dc = tr(G dF),  G = [I; -X] V diag(dc/dl) V' [I -X'],   dc = sum 2/samples (G y)' dy   over the rows y of W. */
#include <math.h>
#include <string.h>

#include "arne/quantity.h"
#include "base/dense.h"
#include "excite/excite.h"

/* last: complex.h takes the name I */
#include <lapacke.h>

/* A condition number alone is also least where a motion tells less of everything: the volume weighs so much beside it. */
static const double ALONG = 0.3;

/* of joints: torques that are not of inertial parameters [003 eq. 9.27] */
typedef enum { VISCOUS, COULOMB, OFFSET, LAWS } law;

typedef struct {
    int joint;
    law law;
} friction_column;

struct cost {
    const series *s;
    arne_data *d;
    arne_excite_criterion criterion;
    const double *noise;
    int n, width, regressor;
    int p, inertial, friction;
    bool starved;   /* an eigenvalue was not found for want of memory */
    int *parameter; /* inertial: columns of the regressor */
    friction_column *laws;
    double *Y;      /* most states x n x width */
    double *W;      /* samples x n x p */
    double *F, *G;  /* p x p */
    double *V;      /* inertial x inertial: S, then its eigenvectors, one a row */
    double *X;      /* inertial x friction: X' */
    double *R;      /* friction x friction */
    double *lambda; /* inertial, rising: eigenvalues of S */
    double *by;     /* the same: derivatives by them */
    double *row;    /* p */
    double *states; /* 3 x (3 n + 1) x n */
};

static double slow(const cost *c, int i) { return 0.02 * c->s->limits[i].velocity; } /* below: signs are smoothed */

static double friction_of(const cost *c, const friction_column *f, double qd, bool sharp)
{
    switch (f->law) {
    case VISCOUS: return qd;
    case COULOMB: return sharp ? (qd > 0) - (qd < 0) : tanh(qd / slow(c, f->joint));
    default: return 1;
    }
}

/* the rows of W of `count` states, weighted: the deviation of every row is one */
static void fill(cost *c, int count, const double *q, const double *qd, const double *qdd, bool sharp, double *W)
{
    const int n = c->n, p = c->p;
    const arne_state x = {.q = q, .qd = qd, .qdd = qdd};
    arne_batch(c->d, c->regressor, NULL, (size_t)count, &x, c->Y);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < n; i++) {
            const double *from = c->Y + (size_t)(k * n + i) * (size_t)c->width;
            double *to = W + (size_t)(k * n + i) * (size_t)p;
            for (int j = 0; j < c->inertial; j++) to[j] = from[c->parameter[j]] / c->noise[i];
            for (int j = 0; j < c->friction; j++) {
                const friction_column *f = &c->laws[j];
                to[c->inertial + j] = f->joint == i ? friction_of(c, f, qd[k * n + i], sharp) / c->noise[i] : 0;
            }
        }
}

/* F, its upper triangle by rows (lower by columns) */
static void inform(const cost *c, int rows, const double *W)
{
    const int p = c->p;
    memset(c->F, 0, (size_t)(p * p) * sizeof *c->F);
    for (int k = 0; k < rows; k++) {
        const double *y = W + (size_t)k * (size_t)p;
        for (int i = 0; i < p; i++) {
            if (y[i] == 0) continue;
            double *to = c->F + i * p;
            for (int j = i; j < p; j++) to[j] += y[i] * y[j];
        }
    }
    for (int i = 0; i < p * p; i++) c->F[i] *= (double)c->n / rows;
}

/* Friction columns that the others explain at all states go: a vertical slide cannot tell its offset from its weight. */
static bool choose(cost *c, arena *a)
{
    const int n = c->n, states = c->s->samples, p = c->p;
    random_source random = {.state = 7};
    double *x = arne__arena_take(a, (size_t)(3 * states * n), sizeof *x), *R = arne__arena_take(a, (size_t)(p * p), sizeof *R);
    double *scale = arne__arena_take(a, (size_t)p, sizeof *scale);
    if (!x || !R || !scale) return false;
    for (int k = 0; k < states * n; k++) {
        const series_limits *l = &c->s->limits[k % n];
        x[k] = l->middle + l->half * arne__random_signed(&random);
        x[states * n + k] = l->velocity * arne__random_signed(&random);
        x[2 * states * n + k] = l->acceleration * arne__random_signed(&random);
    }
    fill(c, states, x, x + states * n, x + 2 * states * n, true, c->W);
    inform(c, states * n, c->W);
    for (int i = 0; i < p; i++) scale[i] = sqrt(c->F[i * p + i]);
    /* Cholesky of the columns in their order: R'R = F, a pivot is what is left of a column beside those before it */
    int kept = 0, *stays = arne__arena_take(a, (size_t)p, sizeof *stays), laws = 0;
    if (!stays) return false;
    for (int i = 0; i < p; i++) {
        double *r = R + i * p, left = 1;
        if (!(scale[i] > 0)) continue;
        for (int k = 0; k < kept; k++) {
            const int j = stays[k];
            double sum = c->F[j * p + i] / (scale[i] * scale[j]);
            for (int b = 0; b < k; b++) sum -= r[b] * R[j * p + b];
            r[k] = sum / R[j * p + k];
            left -= r[k] * r[k];
        }
        if (i >= c->inertial) {
            if (left < 1e-8) continue;
            c->laws[laws++] = c->laws[i - c->inertial];
        }
        r[kept] = sqrt(fmax(left, 1e-14));
        stays[kept++] = i;
    }
    c->friction = laws;
    c->p = c->inertial + laws;
    return true;
}

static bool room(cost *c, arena *a)
{
    const size_t n = (size_t)c->n, p = (size_t)c->p, samples = (size_t)c->s->samples, states = 3 * n + 1;
    c->Y = arne__arena_take(a, (samples > states ? samples : states) * n * (size_t)c->width, sizeof *c->Y);
    c->W = arne__arena_take(a, samples * n * p, sizeof *c->W);
    c->F = arne__arena_take(a, p * p, sizeof *c->F);
    c->G = arne__arena_take(a, p * p, sizeof *c->G);
    c->V = arne__arena_take(a, p * p, sizeof *c->V);
    c->X = arne__arena_take(a, p * p, sizeof *c->X);
    c->R = arne__arena_take(a, p * p, sizeof *c->R);
    c->lambda = arne__arena_take(a, p, sizeof *c->lambda);
    c->by = arne__arena_take(a, p, sizeof *c->by);
    c->row = arne__arena_take(a, p, sizeof *c->row);
    c->states = arne__arena_take(a, 3 * states * n, sizeof *c->states);
    return c->Y && c->W && c->F && c->G && c->V && c->X && c->R && c->lambda && c->by && c->row && c->states;
}

cost *arne__cost_new(arena *a, const series *s, const arne_excite_options *o, const double *noise, arne_data *d,
                     const arne_base *b)
{
    cost *c = arne__arena_take(a, 1, sizeof *c);
    if (!c) return NULL;
    *c = (cost){.s = s, .d = d, .criterion = o->criterion, .noise = noise, .n = s->n, .inertial = b->count};
    c->width = ARNE_LINK_PARAMETERS * b->joints;
    c->regressor = arne_quantity_find("regressor");
    c->friction = o->no_friction ? 0 : LAWS * s->n;
    c->p = c->inertial + c->friction;
    c->parameter = arne__arena_take(a, (size_t)c->inertial, sizeof *c->parameter);
    c->laws = arne__arena_take(a, (size_t)c->friction, sizeof *c->laws);
    if (!c->parameter || !c->laws || !room(c, a)) return NULL;
    for (int k = 0; k < c->inertial; k++) c->parameter[k] = b->parameters[k].parameter;
    for (int k = 0; k < c->friction; k++) c->laws[k] = (friction_column){k % s->n, (law)(k / s->n)};
    return choose(c, a) ? c : NULL;
}

int arne__cost_friction(const cost *c) { return c->friction; }
bool arne__cost_starved(const cost *c) { return c->starved; }

/* S and its triangle X of F, beside `nf` columns of friction */
static bool reduce(cost *c, int nf)
{
    const int p = c->p, nb = c->inertial;
    for (int i = 0; i < nf; i++)
        for (int j = 0; j <= i; j++) c->R[i * nf + j] = c->F[(nb + j) * p + nb + i];
    if (!dense_cholesky(nf, c->R)) return false;
    for (int i = 0; i < nb; i++) {
        double *x = c->X + i * nf;
        memcpy(x, c->F + i * p + nb, (size_t)nf * sizeof *x);
        dense_forward(nf, c->R, x);
        for (int j = 0; j <= i; j++) c->V[j * nb + i] = c->F[j * p + i] - dense_dot(nf, x, c->X + j * nf);
    }
    return true;
}

/* eigenvalues of S, with vectors where they are wanted */
static bool eigen(cost *c, bool vectors)
{
    const int nb = c->inertial, info = LAPACKE_dsyev(LAPACK_COL_MAJOR, vectors ? 'V' : 'N', 'L', nb, c->V, nb, c->lambda);
    c->starved = c->starved || info == LAPACK_WORK_MEMORY_ERROR;
    return !info && isfinite(c->lambda[0]) && c->lambda[0] > 1e-14 * c->lambda[nb - 1];
}

/* G from the derivatives by the eigenvalues */
static void weigh(cost *c, int nf, const double *by)
{
    const int p = c->p, nb = c->inertial;
    double *u = c->row; /* [I; -X] v */
    for (int i = 0; i < nb; i++) dense_backward(nf, c->R, c->X + i * nf);
    memset(c->G, 0, (size_t)(p * p) * sizeof *c->G);
    for (int e = 0; e < nb; e++) {
        memcpy(u, c->V + e * nb, (size_t)nb * sizeof *u);
        memset(u + nb, 0, (size_t)(p - nb) * sizeof *u);
        for (int i = 0; i < nb; i++)
            for (int j = 0; j < nf; j++) u[nb + j] -= c->X[i * nf + j] * u[i];
        for (int i = 0; i < p; i++)
            for (int j = 0; j < p; j++) c->G[i * p + j] += by[e] * u[i] * u[j];
    }
}

/* log det S */
static double determinant(cost *c)
{
    const int nb = c->inertial;
    double sum = 0;
    for (int i = 0; i < nb; i++)
        for (int j = 0; j < i; j++) c->V[i * nb + j] = c->V[j * nb + i];
    if (!dense_cholesky(nb, c->V)) return -INFINITY;
    for (int i = 0; i < nb; i++) sum += 2 * log(c->V[i * nb + i]);
    return sum;
}

bool arne__cost_value(cost *c, const series_motion *x, excite_value *out)
{
    const int nb = c->inertial;
    fill(c, c->s->samples, x->q, x->qd, x->qdd, true, c->W);
    inform(c, c->s->samples * c->n, c->W);
    *out = (excite_value){INFINITY, INFINITY};
    if (!reduce(c, 0) || !eigen(c, false)) return false;
    out->condition = sqrt(c->lambda[nb - 1] / c->lambda[0]);
    if (!reduce(c, c->friction)) return false;
    out->volume = exp(-determinant(c) / (2 * nb));
    return isfinite(out->volume);
}

/* the criterion and its derivatives by the eigenvalues */
static double judge(const cost *c, double order, double *by)
{
    const int p = c->inertial;
    const double *l = c->lambda, least = l[0], most = l[p - 1];
    double large = 0, small = 0, sum = 0;
    for (int i = 0; i < p; i++) {
        sum += log(l[i]);
        large += pow(l[i] / most, order);
        small += pow(least / l[i], order);
    }
    const bool volume = c->criterion == ARNE_EXCITE_VOLUME;
    const double ratio = volume ? 0 : 1, size = volume ? 1 : ALONG;
    for (int i = 0; i < p; i++)
        by[i] = (ratio * (pow(l[i] / most, order) / large - pow(least / l[i], order) / small) - size / p) / (2 * l[i]);
    return (ratio * (log(most / least) + (log(large) + log(small)) / order) - size * sum / p) / 2;
}

/* sum over the rows of state k of coefficient times row */
static double contract(const cost *c, const double *Y, const double *coefficient)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < c->inertial; j++) sum += coefficient[i * c->p + j] * Y[i * c->width + c->parameter[j]];
    return sum;
}

/* The derivatives at sample k, whose rows have these coefficients: torques are linear in qdd and quadratic in qd. */
static void differentiate(cost *c, const series_motion *x, int k, const double *coefficient, const series_motion *by)
{
    const int n = c->n, states = 3 * n + 1;
    double *state[3] = {c->states, c->states + states * n, c->states + 2 * states * n};
    const double *const at[3] = {x->q + k * n, x->qd + k * n, x->qdd + k * n};
    double *const to[3] = {by->q + k * n, by->qd + k * n, by->qdd + k * n};
    for (int e = 0; e < states; e++)
        for (int g = 0; g < 3; g++) {
            memcpy(state[g] + e * n, at[g], (size_t)n * sizeof(double));
            if (e && (e - 1) / n == g) {
                const series_limits *l = &c->s->limits[(e - 1) % n];
                state[g][e * n + (e - 1) % n] += g == 0 ? 1e-6 * l->half : g == 1 ? 1e-5 * l->velocity : l->acceleration;
            }
        }
    const arne_state batch = {.q = state[0], .qd = state[1], .qdd = state[2]};
    arne_batch(c->d, c->regressor, NULL, (size_t)states, &batch, c->Y);
    const size_t size = (size_t)(n * c->width);
    const double here = contract(c, c->Y, coefficient);
    for (int e = 1; e < states; e++) {
        const int g = (e - 1) / n, i = (e - 1) % n;
        to[g][i] += (contract(c, c->Y + (size_t)e * size, coefficient) - here) / (state[g][e * n + i] - at[g][i]);
    }
    for (int j = 0; j < c->friction; j++) {
        const friction_column *f = &c->laws[j];
        const double qd = at[1][f->joint], t = tanh(qd / slow(c, f->joint));
        to[1][f->joint] += coefficient[f->joint * c->p + c->inertial + j] * (f->law == VISCOUS   ? 1
                                                                             : f->law == COULOMB ? (1 - t * t) / slow(c, f->joint)
                                                                                                 : 0);
    }
}

double arne__cost_smooth(cost *c, const series_motion *x, double order, const series_motion *by)
{
    const int n = c->n, p = c->p;
    fill(c, c->s->samples, x->q, x->qd, x->qdd, false, c->W);
    inform(c, c->s->samples * n, c->W);
    const int nf = c->criterion == ARNE_EXCITE_VOLUME ? c->friction : 0;
    if (!reduce(c, nf) || !eigen(c, by != NULL)) return INFINITY;
    const double value = judge(c, order, c->by);
    if (!by) return value;
    weigh(c, nf, c->by);
    for (int k = 0; k < c->s->samples; k++) {
        double *rows = c->W + (size_t)(k * n) * (size_t)p;
        for (int i = 0; i < n; i++) {
            double *y = rows + i * p;
            memset(c->row, 0, (size_t)p * sizeof *y);
            for (int a = 0; a < p; a++)
                if (y[a] != 0)
                    for (int b = 0; b < p; b++) c->row[b] += y[a] * c->G[a * p + b];
            for (int b = 0; b < p; b++) y[b] = 2 * c->row[b] / (c->s->samples * c->noise[i]);
        }
        differentiate(c, x, k, rows, by);
    }
    return value;
}
