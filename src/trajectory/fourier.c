/* SPDX-License-Identifier: MIT
 *
 * fourier.c - sums of sines and cosines, faded in and out so that they start and end at rest; doc/trajectory.md (7). */
#include <math.h>
#include <string.h>

#include "trajectory/trajectory.h"

typedef struct {
    int harmonics;
    double w, ramp;
    double *mean, *sine, *cosine;
    hermite_basis basis;
} fourier_sum;

/* fade-in from 0 to 1 by the degree 9 polynomial that rests at both ends, and its derivatives */
static void fade(const fourier_sum *f, double t, int order, double *s)
{
    const double x = t / f->ramp;
    memset(s, 0, (size_t)(order + 1) * sizeof *s);
    s[0] = 1;
    if (!(f->ramp > 0) || x >= 1) return;
    double scale = 1;
    for (int r = 0; r <= order; r++, scale /= f->ramp) s[r] = scale * arne__polynomial_derivative(f->basis[ROWS], DEGREE, r, x);
}

static void fourier_at(const arne_trajectory *s, double t, int order, double *out)
{
    enum { ALL = ARNE_TRAJECTORY_ORDER + 1 };
    const fourier_sum *f = s->form;
    const int n = s->dof;
    double blend[ALL], stop[ALL];
    fade(f, t - s->start, order, blend);
    fade(f, s->end - t, order, stop);
    /* the two ramps do not overlap: one of them is the constant 1 */
    if (s->end - t < f->ramp)
        for (int r = 0; r <= order; r++) blend[r] = r % 2 ? -stop[r] : stop[r];
    memset(out, 0, (size_t)(order + 1) * (size_t)n * sizeof *out);
    for (int k = 1; k <= f->harmonics; k++) {
        const double u = k * f->w, x = u * (t - s->start), c = cos(x), si = sin(x);
        /* derivatives of sin and cos: a quarter turn each */
        const double turn_sine[4] = {si, c, -si, -c}, turn_cosine[4] = {c, -si, -c, si};
        double power[ALL] = {1};
        for (int r = 1; r <= order; r++) power[r] = power[r - 1] * u;
        for (int i = 0; i < n; i++) {
            const double a = f->sine[(k - 1) * n + i], b = f->cosine[(k - 1) * n + i];
            /* (blend y)^(r) = sum C(r, j) blend^(r - j) y^(j) */
            for (int r = 0; r <= order; r++) {
                double sum = 0, choose = 1;
                for (int j = 0; j <= r; j++) {
                    sum += choose * blend[r - j] * power[j] * (a * turn_sine[j % 4] + b * turn_cosine[j % 4]);
                    choose = choose * (r - j) / (j + 1);
                }
                out[r * n + i] += sum;
            }
        }
    }
    for (int i = 0; i < n; i++) out[i] += f->mean[i];
}

static arne_status check(int dof, int harmonics, double w, const double *mean, const double *sine, const double *cosine,
                         double t0, double t1, double ramp, arne_error *error)
{
    const arne_status status = arne__trajectory_check_times(dof, t0, t1, error);
    if (status) return status;
    if (harmonics < 1) return BAD_VALUE(error, "a Fourier sum needs at least one harmonic");
    if (!isfinite(w) || !(w > 0))
        return BAD_VALUE(error, "the base frequency of a Fourier sum is %g rad/s: it must be positive", w);
    if (!isfinite(ramp) || ramp < 0 || 2 * ramp > t1 - t0)
        return BAD_VALUE(error, "a ramp of %g s: two of them must fit into the %g s of the motion", ramp, t1 - t0);
    if (arne__trajectory_not_finite(mean, dof) >= 0 || arne__trajectory_not_finite(sine, harmonics * dof) >= 0 ||
        arne__trajectory_not_finite(cosine, harmonics * dof) >= 0)
        return BAD_VALUE(error, "a coefficient of the Fourier sum is not a number");
    return ARNE_OK;
}

arne_status arne_trajectory_fourier(int dof, int harmonics, double w, const double *mean, const double *sine,
                                    const double *cosine, double t0, double t1, double ramp, arne_trajectory **out,
                                    arne_error *error)
{
    if (!mean || !sine || !cosine || !out) return arne__trajectory_missing(out, error);
    *out = NULL;
    const arne_status status = check(dof, harmonics, w, mean, sine, cosine, t0, t1, ramp, error);
    if (status) return status;
    const size_t n = (size_t)dof, all = (size_t)harmonics * n;
    arne_trajectory *s = arne__trajectory_new(dof, t0, t1);
    fourier_sum *f = s ? arne__arena_take(s->memory, 1, sizeof *f) : NULL;
    if (!f) return arne__trajectory_no_memory(s, error);
    double *v = arne__arena_take(s->memory, n + 2 * all, sizeof *v);
    if (!v) return arne__trajectory_no_memory(s, error);
    *f = (fourier_sum){.harmonics = harmonics, .w = w, .ramp = ramp};
    f->mean = memcpy(v, mean, n * sizeof *mean);
    f->sine = memcpy(v + n, sine, all * sizeof *sine);
    f->cosine = memcpy(v + n + all, cosine, all * sizeof *cosine);
    arne__hermite(ROWS, f->basis);
    s->form = f;
    s->at = fourier_at;
    return arne__trajectory_finish(s, ramp > 0 ? ROWS - 1 : ARNE_TRAJECTORY_ORDER, out, error);
}
