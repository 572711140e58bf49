/* SPDX-License-Identifier: MIT
 *
 * consistent.c - a robot that can exist: pseudo-inertias positive definite [Wensing 2018], friction and rotors not negative, near
 * a prior where the data are silent, in the divergence of [Lee 2020], whose barrier is the constraint:
 *
 *     |R x - b|^2 + gamma sum of (tr(P0^-1 P) - log det P) + g sum of (v/v0 - log v)          doc/identify.md (7)
 *
 * It is convex. Each step of Newton is a small least squares problem: with P = L L', the Hessian of the second term is that of
 * the rows vec(L^-1 E_k L^-T), its gradient theirs times vec(L'P0^-1 L - 1). */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "estimate/fit.h"

enum { STEPS = 200, ROWS = 10 };
/* Beside a column of the data: what holds a number. */
static const double HOLD = 1e4;

bool arne__consistent_room(consistent_room *r, const columns *c, const fit_prior *prior, arena *a)
{
    const size_t width = (size_t)c->count + 1;
    *r = (consistent_room){.c = c, .prior = prior, .width = c->count + 1};
    r->R = arne__arena_take(a, 3 * width * width, sizeof *r->R);
    r->step = arne__arena_take(a, 2 * width, sizeof *r->step);
    if (!r->R || !r->step) return false;
    r->T = r->R + width * width;
    r->B = r->T + width * width;
    r->try_x = r->step + width;
    return true;
}

void arne__consistent_data(consistent_room *r, const fit_room *from)
{
    memcpy(r->R, from->T, (size_t)(r->width * r->width) * sizeof *r->R);
}

/* rotors and friction count less: their prior is a guess of the size */
static double weight_of(double gamma) { return fmin(gamma, 1); }

/* L of a body at x; false: outside */
static bool factor(const double *x, int body, double L[16])
{
    arne__pseudo(x + BODY_COLUMNS * body, L);
    for (int k = 0; k < 4; k++)
        if (!(L[5 * k] > 0)) return false;
    if (!dense_cholesky(4, L)) return false;
    for (int i = 0; i < 4; i++)
        for (int k = i + 1; k < 4; k++) L[4 * i + k] = 0;
    return true;
}

/* what is left of row i of the data */
static double rest(const consistent_room *r, const double *x, int i)
{
    const double *row = r->R + i * r->width;
    double left = row[r->width - 1];
    for (int k = i; k < r->width - 1; k++) left -= row[k] * x[k];
    return left;
}

static double data_square(const consistent_room *r, const double *x)
{
    double sum = 0;
    for (int i = 0; i < r->width; i++) sum += rest(r, x, i) * rest(r, x, i);
    return sum;
}

/* INFINITY: outside */
static double objective(const consistent_room *r, double gamma, const double *x)
{
    const columns *c = r->c;
    double sum = 0;
    for (int b = 0; b < c->nfelt; b++) {
        double L[16], P[16];
        if (!factor(x, b, L)) return INFINITY;
        arne__pseudo(x + BODY_COLUMNS * b, P);
        sum += gamma * dense_dot(16, r->prior->inverse + 16 * b, P);
        for (int k = 0; k < 4; k++) sum -= 2 * gamma * log(L[5 * k]);
    }
    for (int p = BODY_COLUMNS * c->nfelt; p < c->count; p++) {
        if (r->prior->held[p] || !(r->prior->x[p] > 0)) continue;
        if (!(x[p] > 0)) return INFINITY;
        sum += weight_of(gamma) * (x[p] / r->prior->x[p] - log(x[p]));
    }
    return sum + data_square(r, x);
}

/* M := L^-1 M L^-T */
static void congruent(const double L[16], double M[16])
{
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 4; k++) {
            double v[4];
            for (int i = 0; i < 4; i++) v[i] = pass ? M[4 * k + i] : M[4 * i + k];
            dense_forward(4, L, v);
            for (int i = 0; i < 4; i++) *(pass ? &M[4 * k + i] : &M[4 * i + k]) = v[i];
        }
}

/* the ten entries of a symmetric matrix whose squares sum to its own */
static void flat(const double M[16], double out[ROWS])
{
    int to = 0;
    for (int i = 0; i < 4; i++)
        for (int k = i; k < 4; k++) out[to++] = (i == k ? 1 : sqrt(2)) * M[4 * i + k];
}

static void put_body(consistent_room *r, double gamma, const double *x, int b, double *rows)
{
    const double *P0 = r->prior->inverse + 16 * b;
    const int width = r->width;
    double L[16], M[16] = {0}, ten[ROWS];
    factor(x, b, L);
    for (int k = 0; k < BODY_COLUMNS; k++) {
        double e[10] = {0};
        e[k] = 1;
        arne__pseudo(e, M);
        congruent(L, M);
        flat(M, ten);
        for (int i = 0; i < ROWS; i++) rows[i * width + BODY_COLUMNS * b + k] = sqrt(gamma) * ten[i];
    }
    for (int i = 0; i < 4; i++) /* 1 - L'P0^-1 L */
        for (int k = 0; k < 4; k++) {
            double sum = i == k;
            for (int s = 0; s < 4; s++)
                for (int t = 0; t < 4; t++) sum -= L[4 * s + i] * P0[4 * s + t] * L[4 * t + k];
            M[4 * i + k] = sum;
        }
    flat(M, ten);
    for (int i = 0; i < ROWS; i++) rows[i * width + width - 1] = sqrt(gamma) * ten[i];
}

/* of column p of the data */
static double length(const consistent_room *r, int p)
{
    double square = 0;
    for (int i = 0; i <= p; i++) square += r->R[i * r->width + p] * r->R[i * r->width + p];
    return sqrt(square);
}

/* rows of one step, data, bodies, the rest, as a triangle */
static void build(consistent_room *r, double gamma, const double *x)
{
    const columns *c = r->c;
    const int width = r->width, last = c->count;
    double *rows = r->B;
    for (int i = 0; i < width; i++) {
        for (int k = 0; k < last; k++) r->T[i * width + k] = sqrt(2) * r->R[i * width + k];
        r->T[i * width + last] = sqrt(2) * rest(r, x, i);
    }
    memset(r->B, 0, (size_t)(width * width) * sizeof *r->B);
    for (int b = 0; b < c->nfelt; b++, rows += ROWS * width) put_body(r, gamma, x, b, rows);
    for (int p = BODY_COLUMNS * c->nfelt; p < last; p++, rows += width) {
        const double v0 = r->prior->x[p], all = length(r, p);
        if (r->prior->held[p]) {
            rows[p] = HOLD * fmax(all, 1);
            rows[last] = rows[p] * (v0 - x[p]);
        } else if (v0 > 0) {
            rows[p] = sqrt(weight_of(gamma)) / x[p];
            rows[last] = sqrt(weight_of(gamma)) * (1 - x[p] / v0);
        } else {
            rows[p] = fmax(all, 1) / HOLD / HOLD; /* hardly: what the data do not tell stays at zero */
            rows[last] = -rows[p] * x[p];
        }
    }
    arne__triangle_add(width, r->T, last, r->B);
}

static void solve(consistent_room *r)
{
    const int n = r->c->count, width = r->width;
    for (int k = n - 1; k >= 0; k--) {
        const double *row = r->T + k * width;
        double sum = row[n];
        for (int i = k + 1; i < n; i++) sum -= row[i] * r->step[i];
        r->step[k] = sum / row[k];
    }
}

bool arne__consistent_fit(consistent_room *r, double gamma, double *x, int *steps)
{
    const int n = r->c->count;
    double now = objective(r, gamma, x);
    for (int step = 0; step < STEPS && isfinite(now); step++) {
        build(r, gamma, x);
        solve(r);
        /* the decrement: |A step|^2 = -gradient step */
        double decrement = 0;
        for (int k = 0; k < n; k++) {
            const double b = r->T[k * r->width + n];
            decrement += b * b;
        }
        if (steps) ++*steps;
        if (decrement < 1e-8 * (1 + fabs(now))) return true;
        double t = 1, then = INFINITY;
        for (; t > 1e-10; t /= 2) {
            for (int k = 0; k < n; k++) r->try_x[k] = x[k] + t * r->step[k];
            then = objective(r, gamma, r->try_x);
            if (then <= now - 0.1 * t * decrement) break;
        }
        if (!(then < now)) return decrement < 1e-6 * (1 + fabs(now)); /* rounding */
        memcpy(x, r->try_x, (size_t)n * sizeof *x);
        now = then;
    }
    return false;
}

double arne__consistent_told(consistent_room *r, double gamma, const double *x, int body)
{
    const int n = r->c->count, at = BODY_COLUMNS * body + MASS;
    double both = 0;
    build(r, gamma, x);
    /* variance with data: |R^-T e|^2 */
    for (int k = 0; k < n; k++) {
        double sum = k == at;
        for (int i = 0; i < k; i++) sum -= r->T[i * r->width + k] * r->step[i];
        r->step[k] = sum / r->T[k * r->width + k];
        both += r->step[k] * r->step[k];
    }
    /* and without: the mass alone moves P by E = e4 e4', and others with it; of the divergence that is 1/m^2 at its best */
    const double m = x[at], alone = m * m / gamma;
    return fmax(0, 1 - both / alone);
}
