/* SPDX-License-Identifier: MIT
 *
 * series.c - Fourier series that begin at rest, within limits of position, velocity and acceleration.
 *
 * Each of q - middle, qd, qdd is a trigonometric polynomial of degree N. From its samples at M > 2 N even distances in a period
 * it is known everywhere to 1/cos(pi N/M) of the largest of them [Ehlich 1964]. */
#include "excite/excite.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

bool arne__series_open(arena *a, series *s)
{
    const int N = s->harmonics;
    s->row = 1 + 2 * N;
    s->w = 2 * PI / s->period;
    s->limits = arne__arena_take(a, (size_t)s->n, sizeof *s->limits);
    s->sine = arne__arena_take(a, (size_t)(s->samples * N), sizeof *s->sine);
    s->cosine = arne__arena_take(a, (size_t)(s->samples * N), sizeof *s->cosine);
    if (!s->limits || !s->sine || !s->cosine) return false;
    for (int k = 0; k < s->samples; k++)
        for (int h = 0; h < N; h++) {
            const double angle = 2 * PI * (double)(k * (h + 1) % s->samples) / s->samples;
            s->sine[k * N + h] = sin(angle);
            s->cosine[k * N + h] = cos(angle);
        }
    return true;
}

/* one joint at one time */
static void joint_at(const series *s, int i, const double *z, const double *sine, const double *cosine, double *q, double *qd,
                     double *qdd)
{
    const int N = s->harmonics;
    const double *alpha = z + i * s->row + 1, *beta = alpha + N;
    const series_limits *l = &s->limits[i];
    double x = 0, v = 0, a = 0;
    for (int h = 0; h < N; h++) {
        const double kw = (h + 1) * s->w, up = alpha[h] * sine[h] - beta[h] * cosine[h];
        x += up / kw;
        v += alpha[h] * cosine[h] + beta[h] * sine[h];
        a -= up * kw;
    }
    *q = l->middle + l->half * z[i * s->row] + l->velocity * x;
    *qd = l->velocity * v;
    *qdd = l->velocity * a;
}

void arne__series_at(const series *s, const double *z, double t, double *q, double *qd, double *qdd)
{
    enum { MOST = 64 };
    double sine[MOST], cosine[MOST];
    for (int h = 0; h < s->harmonics && h < MOST; h++) {
        sine[h] = sin((h + 1) * s->w * t);
        cosine[h] = cos((h + 1) * s->w * t);
    }
    for (int i = 0; i < s->n; i++) joint_at(s, i, z, sine, cosine, q + i, qd + i, qdd + i);
}

void arne__series_sample(const series *s, const double *z, const series_motion *out)
{
    for (int k = 0; k < s->samples; k++)
        for (int i = 0; i < s->n; i++) {
            const int at = k * s->n + i, table = k * s->harmonics;
            joint_at(s, i, z, s->sine + table, s->cosine + table, out->q + at, out->qd + at, out->qdd + at);
        }
}

void arne__series_back(const series *s, const series_motion *by, double *gradient)
{
    const int N = s->harmonics;
    for (int i = 0; i < s->n; i++) {
        double *mean = gradient + i * s->row, *alpha = mean + 1, *beta = alpha + N;
        const series_limits *l = &s->limits[i];
        for (int k = 0; k < s->samples; k++) {
            const double q = by->q[k * s->n + i], qd = by->qd[k * s->n + i], qdd = by->qdd[k * s->n + i];
            const double *sine = s->sine + k * N, *cosine = s->cosine + k * N;
            *mean += l->half * q;
            for (int h = 0; h < N; h++) {
                const double kw = (h + 1) * s->w, up = q / kw - qdd * kw;
                alpha[h] += l->velocity * (up * sine[h] + qd * cosine[h]);
                beta[h] += l->velocity * (qd * sine[h] - up * cosine[h]);
            }
        }
    }
}

void arne__series_project(const series *s, double *z)
{
    const int N = s->harmonics;
    for (int i = 0; i < s->n; i++) {
        double *alpha = z + i * s->row + 1, *beta = alpha + N, sum = 0, weighted = 0, squares = 0;
        for (int h = 0; h < N; h++) {
            sum += alpha[h];
            weighted += (h + 1) * beta[h];
            squares += (h + 1) * (h + 1);
        }
        for (int h = 0; h < N; h++) {
            alpha[h] -= sum / N;
            beta[h] -= (h + 1) * weighted / squares;
        }
    }
}

void arne__series_scale(const series *s, double scale, const double *from, double *z)
{
    for (int i = 0; i < s->n * s->row; i++) z[i] = from[i] * (i % s->row ? scale : 1);
}

/* Every joint alone as far as its limits go: means and shapes at random. work: 3 x samples x n. */
void arne__series_random(const series *s, random_source *random, double *z, double *work)
{
    const size_t size = (size_t)(s->samples * s->n);
    const series_motion x = {work, work + size, work + 2 * size};
    for (int i = 0; i < s->n; i++) {
        z[i * s->row] = 0;
        for (int h = 1; h < s->row; h++) z[i * s->row + h] = arne__random_normal(random);
    }
    arne__series_project(s, z);
    arne__series_sample(s, z, &x);
    for (int i = 0; i < s->n; i++) {
        const series_limits *l = &s->limits[i];
        double low = INFINITY, high = -INFINITY, fast = 0, most = 0;
        for (int k = 0; k < s->samples; k++) {
            const double q = x.q[k * s->n + i] - l->middle;
            low = fmin(low, q), high = fmax(high, q);
            fast = fmax(fast, fabs(x.qd[k * s->n + i]));
            most = fmax(most, fabs(x.qdd[k * s->n + i]));
        }
        /* the least room that the mean must leave is a quarter of the range */
        const double room = 2 * l->within[0], share = 0.25 + 0.75 * arne__random_uniform(random);
        double scale = fmin(l->within[1] / fast, l->within[2] / most);
        scale = 0.98 * fmin(scale, share * room / (high - low));
        for (int h = 1; h < s->row; h++) z[i * s->row + h] *= scale;
        low *= scale, high *= scale;
        const double slack = room - (high - low), middle = -l->within[0] - low + slack * arne__random_uniform(random);
        z[i * s->row] = middle / l->half;
    }
}
