/* SPDX-License-Identifier: MIT
 *
 * tangent.c - how small changes pass through motions along screws. A screw (v, w) is the angular velocity w + e v with e e = 0:
 * what holds of rotations holds of motions, and the part with e is a derivative in the direction v. doc/optimise.md */
#include "dynamics/tangent.h"

#include <math.h>
#include <string.h>

#include "algo/joint.h"
#include "arne/positions.h"
#include "base/dense.h"
#include "dynamics/data.h"

enum { MOST = TANGENT_MOST };

/* sin(x)/x, (1 - cos x)/x^2, (x - sin x)/x^3 and their derivatives by x, over x: by series where digits would cancel */
typedef struct {
    double value[3], slope[3];
} factors;

static factors factors_of(double x)
{
    const double xx = x * x;
    factors f;
    if (x < 0.5) {
        /* value[k] = sum of (-xx)^i/(2i + k + 1)!, slope[k] = sum of -(2i) (-xx)^(i-1)/(2i + k + 1)! */
        for (int k = 0; k < 3; k++) {
            double term = k < 2 ? 1.0 / (k + 1) : 1.0 / 6;
            f.value[k] = term, f.slope[k] = 0;
            for (int i = 1; i < 9; i++) {
                const double next = term / ((2 * i + k) * (2 * i + k + 1));
                f.slope[k] -= 2 * i * next;
                term = -xx * next;
                f.value[k] += term;
            }
        }
        return f;
    }
    const double s = sin(x), h = sin(x / 2);
    f.value[0] = s / x;
    f.value[1] = 2 * h * h / xx;
    f.value[2] = (x - s) / (xx * x);
    f.slope[0] = (cos(x) - f.value[0]) / xx;
    f.slope[1] = (f.value[0] - 2 * f.value[1]) / xx;
    f.slope[2] = (f.value[1] - 3 * f.value[2]) / xx;
    return f;
}

/* u^ of a column: u x e_c */
static void unit_cross(const double u[3], int c, double out[3])
{
    const double e[3] = {c == 0, c == 1, c == 2};
    dense_cross(u, e, out);
}

/* 1 - f[a] w^ + f[a+1] w^ w^ of w, or of w + e v: [D E; 0 D] */
static void polynomial(int nv, const double *u, const factors *f, int a, double *out)
{
    const double *v = u, *w = u + nv - 3;
    const double p = f->value[a], s = f->value[a + 1], wv = nv == 6 ? dense_dot(3, w, v) : 0;
    for (int c = 0; c < 3; c++) {
        double wc[3], wwc[3], vc[3], vwc[3], wvc[3];
        unit_cross(w, c, wc);
        dense_cross(w, wc, wwc);
        for (int k = 0; k < 3; k++) {
            const double D = (k == c) - p * wc[k] + s * wwc[k];
            out[k * nv + c] = D;
            if (nv == 6) out[(k + 3) * nv + c + 3] = D, out[(k + 3) * nv + c] = 0;
        }
        if (nv != 6) continue;
        unit_cross(v, c, vc);
        dense_cross(v, wc, vwc);
        dense_cross(w, vc, wvc);
        for (int k = 0; k < 3; k++)
            out[k * nv + c + 3] = -p * vc[k] + s * (vwc[k] + wvc[k]) + wv * (-f->slope[a] * wc[k] + f->slope[a + 1] * wwc[k]);
    }
}

void arne__tangent_integrate(int nv, const double *u, double *by_q, double *by_u)
{
    const factors f = factors_of(sqrt(dense_dot(3, u + nv - 3, u + nv - 3)));
    polynomial(nv, u, &f, 0, by_q);
    polynomial(nv, u, &f, 1, by_u);
}

/* ad u x: (w x v' + v x w', w x w') */
static void bracket(int nv, const double *u, const double *x, double *out)
{
    double a[3], b[3], c[3];
    const int w = nv - 3;
    dense_cross(u + w, x + w, c);
    if (nv == 6) {
        dense_cross(u + 3, x, a);
        dense_cross(u, x + 3, b);
        for (int k = 0; k < 3; k++) out[k] = a[k] + b[k];
    }
    memcpy(out + w, c, sizeof c);
}

void arne__tangent_rate(int nv, const double *u, const double *v, double *rate, double *by_u, double *by_v)
{
    double uv[MOST], uuv[MOST];
    bracket(nv, u, v, uv);
    bracket(nv, u, uv, uuv);
    for (int k = 0; k < nv; k++) rate[k] = v[k] + uv[k] / 2 + uuv[k] / 12;
    for (int c = 0; c < nv && by_u; c++) {
        double e[MOST] = {0}, a[MOST], b[MOST], x[MOST], y[MOST];
        e[c] = 1;
        bracket(nv, u, e, a);
        bracket(nv, u, a, b);
        for (int k = 0; k < nv; k++) by_v[k * nv + c] = e[k] + a[k] / 2 + b[k] / 12;
        bracket(nv, e, v, a);
        bracket(nv, e, uv, x);
        bracket(nv, u, a, y);
        for (int k = 0; k < nv; k++) by_u[k * nv + c] = a[k] / 2 + (x[k] + y[k]) / 12;
    }
}

static void unit(int n, double *M)
{
    for (int k = 0; k < n * n; k++) M[k] = k % (n + 1) == 0;
}

arne_status arne_integrate_derivatives(const arne_model *m, const double *v, double *by_q, double *by_v)
{
    if (!m || !v) return ARNE_BAD_ARGUMENT;
    const int n = m->nv;
    double block[2][MOST * MOST], *const out[2] = {by_q, by_v};
    for (int g = 0; g < 2; g++)
        if (out[g]) unit(n, out[g]);
    for (int i = 0; i < m->robot->n; i++) {
        const robot_link *l = &m->robot->link[i];
        if (!is_wide(l)) continue;
        const int at = robot_own_v(m->robot, l);
        arne__tangent_integrate(l->nv, v + at, block[0], block[1]);
        for (int g = 0; g < 2; g++)
            for (int k = 0; k < l->nv * l->nv && out[g]; k++) out[g][(at + k / l->nv) * n + at + k % l->nv] = block[g][k];
    }
    return ARNE_OK;
}
