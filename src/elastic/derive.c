/* SPDX-License-Identifier: MIT
 *
 * derive.c - four derivatives of a motion from its positions alone, or the reason why they cannot be had.
 *
 * A spline goes through the samples and another through every second one. Where they agree, so does the motion with either; where
 * a derivative jumps, or the positions are too coarse in time or in digits, they do not. Noise of size e gives e/h^r in the r-th
 * derivative, so then every second, fourth, ... sample is tried: doc/elastic.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/elastic.h"
#include "arne/trajectory.h"
#include "base/fail.h"

/* Two splines agree where they differ by less than this part of the largest value of that derivative of the joint, ... */
static const double OWN = 0.05;
/* ... or this part of the largest among all joints. */
static const double ALL = 0.01;
/* More samples in doubt than this part of all: noise, not a jump. */
static const double MANY = 0.1;

static const char *const derivative_name[] = {"position", "velocity", "acceleration", "jerk", "fourth derivative"};

/* The first derivative that is in doubt, where most, and in how many samples; derivative 5: none. */
typedef struct {
    int every, derivative, joint, sample, doubtful;
} doubt;

typedef struct {
    const arne_model *m;
    int n, degree, count;
    const double *t; /* count */
    double *x;       /* count x 5 x n */
} samples;

/* A spline through every so many samples, the last one too. */
static arne_status spline(const samples *m, int every, arne_trajectory **to, arne_error *error)
{
    const size_t n = (size_t)m->n;
    const int last = m->count - 1, points = last / every + 1;
    double *t = malloc((size_t)points * (n + 1) * sizeof *t), *q = t ? t + points : NULL;
    if (!t) return NO_MEMORY(error);
    for (int k = 0; k < points; k++) {
        /* the piece at the end takes what does not fill one */
        const int at = k == points - 1 ? last : k * every;
        t[k] = m->t[at];
        memcpy(q + (size_t)k * n, m->x + (size_t)at * 5 * n, n * sizeof *q);
    }
    arne_error why = {0};
    const arne_status status = arne_trajectory_samples(m->n, m->degree, points, t, q, to, &why);
    free(t);
    return status ? arne_fail(error, status, NULL, 0, "no spline goes through these positions: %.400s", why.message) : ARNE_OK;
}

/* Fills values (count x 5 x n) with the spline of this choice. */
static arne_status sample(const samples *m, int every, double *values, arne_error *error)
{
    arne_trajectory *s = NULL;
    const arne_status status = spline(m, every, &s, error);
    for (int k = 0; k < m->count && !status; k++) arne_trajectory_at(s, m->t[k], 4, values + (size_t)k * 5 * (size_t)m->n);
    arne_trajectory_free(s);
    return status;
}

static doubt compare(const samples *m, int every, const double *fine, const double *coarse)
{
    const size_t n = (size_t)m->n, row = 5 * n;
    doubt d = {.every = every, .derivative = 5};
    for (int r = 1; r <= 4 && d.derivative == 5; r++) {
        double most = 0, worst = 0;
        for (int k = 0; k < m->count; k++)
            for (size_t i = 0; i < n; i++) most = fmax(most, fabs(coarse[(size_t)k * row + (size_t)r * n + i]));
        for (size_t i = 0; i < n; i++) {
            double peak = 0;
            int doubtful = 0;
            for (int k = 0; k < m->count; k++) peak = fmax(peak, fabs(coarse[(size_t)k * row + (size_t)r * n + i]));
            const double allowed = fmax(OWN * peak, ALL * most);
            for (int k = 0; k < m->count; k++) {
                const size_t at = (size_t)k * row + (size_t)r * n + i;
                const double off = fabs(fine[at] - coarse[at]) / (allowed > 0 ? allowed : 1);
                if (off > 1) doubtful++;
                if (off <= 1 || off <= worst) continue;
                worst = off;
                d.derivative = r, d.joint = (int)i, d.sample = k;
            }
            if (doubtful > d.doubtful) d.doubtful = doubtful;
        }
    }
    return d;
}

/* What the user should know: one sentence. */
static void describe(const samples *m, const doubt *d, const double *values, char *text, size_t size)
{
    const size_t n = (size_t)m->n, at = (size_t)d->derivative * n + (size_t)d->joint;
    const char *joint = arne_joint_name(m->m, d->joint), *name = derivative_name[d->derivative];
    /* near an end the spline hangs on its first samples alone */
    const int end = (m->degree + 1) * d->every;
    if (d->doubtful > MANY * m->count || d->sample < end || d->sample >= m->count - end) {
        snprintf(text, size,
                 "the %s of joint %s cannot be told, least at t = %.6g s: the positions have too few digits, or too few rows",
                 name, joint, m->t[d->sample]);
        return;
    }
    const int reach = 3 * d->every, from = d->sample > reach ? d->sample - reach : 0;
    const int to = d->sample + reach < m->count ? d->sample + reach : m->count - 1;
    snprintf(text, size, "the %s of joint %s jumps near t = %.6g s, by about %.3g", name, joint, m->t[d->sample],
             fabs(values[(size_t)to * 5 * n + at] - values[(size_t)from * 5 * n + at]));
}

static arne_status judge(const samples *m, const doubt *best, const double *values, arne_flex_fit *out, arne_error *error)
{
    char text[256];
    out->every = best->every;
    if (best->derivative == 5) return ARNE_OK;
    describe(m, best, values, text, sizeof text);
    /* a jump of the fourth derivative is a jump of the motor torque: allowed [002 section II A], but a spline rounds it off */
    if (best->derivative == 4 && best->doubtful <= MANY * m->count) {
        snprintf(out->note, sizeof out->note, "%s; its torques are those of a smoother motion", text);
        return ARNE_OK;
    }
    return UNSUPPORTED(error,
                       "%s; torques of elastic joints need a motion that is smooth up to its fourth derivative: give such "
                       "positions, or columns qd1 ... qdddd1 ...",
                       text);
}

arne_status arne_flex_derive(const arne_model *model, int degree, int count, const double *t, double *x, arne_flex_fit *out,
                             arne_error *error)
{
    const samples m = {model, arne_model_dof(model), degree, count, t, x};
    const int least_points = 2 * (degree + 1);
    const size_t row = 5 * (size_t)m.n, size = (size_t)(count > 0 ? count : 0) * row;
    *out = (arne_flex_fit){.degree = degree, .every = 1};
    if (count < least_points)
        return BAD_VALUE(
            error,
            "%d rows are too few to find derivatives with a spline of degree %d: at least %d, or give columns qd1 ... qdddd1 ...",
            count, degree, least_points);
    double *fine = malloc(3 * size * sizeof *fine), *coarse = fine ? fine + size : NULL, *kept = fine ? coarse + size : NULL;
    if (!fine) return NO_MEMORY(error);
    doubt best = {0};
    arne_status status = sample(&m, 1, fine, error);
    for (int every = 1; !status && best.derivative < 5 && (every == 1 || count / every >= least_points); every *= 2) {
        status = sample(&m, 2 * every, coarse, error);
        if (status) break;
        const doubt d = compare(&m, every, fine, coarse);
        if (d.derivative > best.derivative || (d.derivative == best.derivative && d.doubtful < best.doubtful)) {
            best = d;
            memcpy(kept, fine, size * sizeof *kept);
        }
        memcpy(fine, coarse, size * sizeof *fine);
    }
    if (!status) status = judge(&m, &best, kept, out, error);
    for (size_t k = 0; k < (size_t)count && !status; k++)
        for (size_t i = 0; i < (size_t)m.n; i++) out->deviation = fmax(out->deviation, fabs(kept[k * row + i] - x[k * row + i]));
    if (!status) memcpy(x, kept, size * sizeof *kept);
    free(fine);
    return status;
}
