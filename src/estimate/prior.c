/* SPDX-License-Identifier: MIT
 *
 * prior.c - what is believed before the data: bodies that can exist, and scales of friction. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "estimate/fit.h"

/* kg, m: a body of which nothing is known; a radius of gyration is not less than this, or than this part of the lever. */
static const double USUAL_MASS = 2, USUAL_RADIUS = 0.1, LEAST_RADIUS = 0.03, LEVER = 0.2;

void arne__pseudo(const double x[10], double P[16])
{
    const double half = (x[XX] + x[YY] + x[ZZ]) / 2;
    const double rows[16] = {half - x[XX], -x[XY], -x[XZ],       x[MX], -x[XY], half - x[YY], -x[YZ], x[MY],
                             -x[XZ],       -x[YZ], half - x[ZZ], x[MZ], x[MX],  x[MY],        x[MZ],  x[MASS]};
    memcpy(P, rows, sizeof rows);
}

/* a body of this mass and radius of gyration about its centre c */
static void ball(double mass, double radius, const double c[3], double x[10])
{
    const double s = mass * radius * radius;
    const double P[3][3] = {{mass * c[0] * c[0] + s, mass * c[0] * c[1], mass * c[0] * c[2]},
                            {mass * c[0] * c[1], mass * c[1] * c[1] + s, mass * c[1] * c[2]},
                            {mass * c[0] * c[2], mass * c[1] * c[2], mass * c[2] * c[2] + s}};
    x[XX] = P[1][1] + P[2][2], x[YY] = P[0][0] + P[2][2], x[ZZ] = P[0][0] + P[1][1];
    x[XY] = -P[0][1], x[XZ] = -P[0][2], x[YZ] = -P[1][2];
    for (int k = 0; k < 3; k++) x[MX + k] = mass * c[k];
    x[MASS] = mass;
}

/* P^-1 by Cholesky; false: it is not positive definite, or all but */
static bool invert(const double P[16], double out[16])
{
    double G[16];
    memcpy(G, P, sizeof G);
    for (int k = 0; k < 4; k++)
        if (!(P[5 * k] > 0)) return false;
    if (!dense_cholesky(4, G)) return false;
    for (int k = 0; k < 4; k++)
        if (G[5 * k] * G[5 * k] < 1e-7 * P[5 * k]) return false;
    for (int k = 0; k < 4; k++) {
        double e[4] = {0};
        e[k] = 1;
        dense_forward(4, G, e);
        dense_backward(4, G, e);
        for (int i = 0; i < 4; i++) out[4 * i + k] = e[i];
    }
    return true;
}

/* A body that can exist from one that cannot: its mass (or a usual one) and centre, and a radius that grows until it can. */
static void mend(double usual, double x[10], double inverse[16])
{
    double P[16], c[3] = {0}, add[10];
    if (!(x[MASS] > 0)) {
        ball(usual, USUAL_RADIUS, c, x);
    } else {
        for (int k = 0; k < 3; k++) c[k] = x[MX + k] / x[MASS];
    }
    const double lever = sqrt(dense_dot(3, c, c)), mass = x[MASS], zero[3] = {0};
    for (double radius = fmax(LEAST_RADIUS, LEVER * lever);; radius *= 1.5) {
        arne__pseudo(x, P);
        if (invert(P, inverse)) return;
        ball(mass, radius, zero, add);
        for (int k = XX; k <= ZZ; k++) x[k] += add[k];
    }
}

static bool positive(column_kind kind) { return kind != OF_BODY && kind != OF_OFFSET && kind != OF_UNEVEN; }

bool arne__prior_make(const columns *c, const double *before, bool none, const double *scale, const bool *seen, arena *a,
                      fit_prior *out)
{
    out->inverse = arne__arena_take(a, 16 * (size_t)c->nfelt, sizeof *out->inverse);
    out->x = arne__arena_take(a, (size_t)c->count, sizeof *out->x);
    out->mended = arne__arena_take(a, (size_t)c->nfelt, sizeof *out->mended);
    out->held = arne__arena_take(a, (size_t)c->count, sizeof *out->held);
    if (!out->inverse || !out->x || !out->mended || !out->held) return false;
    memcpy(out->x, before, (size_t)c->count * sizeof *before);
    double sum = 0;
    int heavy = 0;
    for (int b = 0; b < c->nfelt; b++)
        if (before[BODY_COLUMNS * b + MASS] > 0) sum += before[BODY_COLUMNS * b + MASS], heavy++;
    const double usual = none || !heavy ? USUAL_MASS : 0.2 * sum / heavy;
    for (int b = 0; b < c->nfelt; b++) {
        double *x = out->x + BODY_COLUMNS * b, P[16];
        if (none) x[MASS] = 0;
        arne__pseudo(x, P);
        out->mended[b] = none || !invert(P, out->inverse + 16 * b);
        if (out->mended[b]) mend(usual, x, out->inverse + 16 * b);
    }
    for (int p = BODY_COLUMNS * c->nfelt; p < c->count; p++) {
        out->held[p] = c->columns[p].kept && !seen[p];
        if (out->held[p]) continue;
        if (!positive(c->columns[p].kind)) {
            out->x[p] = 0;
            continue;
        }
        /* as a prior: all of the torque might be this; a value of the file is no better than its size */
        out->x[p] = fmax(none ? 0 : out->x[p], scale[p]);
        if (!(out->x[p] > 0)) out->x[p] = 1e-3;
    }
    return true;
}
