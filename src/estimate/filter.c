/* SPDX-License-Identifier: MIT
 *
 * filter.c - Butterworth low pass, forwards and backwards: amplitude 1/(1 + (f/fc)^8), no phase.
 *
 * Poles of order four by the bilinear transform, the cut-off prewarped: s = (1 - z^-1)/(1 + z^-1)/tan(pi fc/fs). Both ends are
 * continued by 2 x_0 - x_k, and a section begins as if the first row had stood for ever, as usual. Sections of second order keep
 * the digits that one of fourth order loses at low cut-offs. doc/identify.md (1) */
#include "estimate/filter.h"

#include <math.h>
#include <string.h>

low_pass arne__low_pass(double cutoff, double rate)
{
    const double pi = acos(-1), w = tan(pi * cutoff / rate);
    low_pass f = {.pad = (int)ceil(3 * rate / cutoff)};
    for (int k = 0; k < 2; k++) {
        /* s^2 + 2 cos(angle) s + 1 in units of the cut-off */
        const double damp = 2 * cos(pi * (2 * k + 1) / 8), norm = 1 + damp * w + w * w;
        f.b[k][0] = f.b[k][2] = w * w / norm;
        f.b[k][1] = 2 * f.b[k][0];
        f.a[k][0] = 2 * (w * w - 1) / norm;
        f.a[k][1] = (1 - damp * w + w * w) / norm;
        f.rest[k][1] = f.b[k][2] - f.a[k][1]; /* 1 goes in, 1 comes out */
        f.rest[k][0] = f.b[k][1] - f.a[k][0] + f.rest[k][1];
    }
    return f;
}

/* one direction; step: of the rows, width or -width */
static void once(const low_pass *f, long rows, int width, double *x, long step, double *state)
{
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < width; c++) {
            state[2 * k * width + c] = f->rest[k][0] * x[c];
            state[(2 * k + 1) * width + c] = f->rest[k][1] * x[c];
        }
    for (long r = 0; r < rows; r++, x += step)
        for (int k = 0; k < 2; k++) {
            const double b0 = f->b[k][0], b1 = f->b[k][1], b2 = f->b[k][2], a1 = f->a[k][0], a2 = f->a[k][1];
            double *restrict s = state + 2 * k * width, *restrict u = s + width, *restrict row = x;
            for (int c = 0; c < width; c++) { /* transposed direct form */
                const double in = row[c], out = b0 * in + s[c];
                s[c] = b1 * in - a1 * out + u[c];
                u[c] = b2 * in - a2 * out;
                row[c] = out;
            }
        }
}

void arne__low_pass_both(const low_pass *f, long rows, int width, double *x, double *state)
{
    const long pad = f->pad, all = rows + 2 * pad;
    double *first = x + pad * width, *last = first + (rows - 1) * width;
    for (long k = 1; k <= pad; k++) {
        const long from = k < rows ? k : rows - 1; /* a log shorter than the pad goes on with its other end */
        for (int c = 0; c < width; c++) {
            first[c - k * width] = 2 * first[c] - first[c + from * width];
            last[c + k * width] = 2 * last[c] - last[c - from * width];
        }
    }
    once(f, all, width, x, width, state);
    once(f, all, width, x + (all - 1) * width, -width, state);
}
