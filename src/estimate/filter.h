/* SPDX-License-Identifier: MIT
 *
 * filter.h - a low pass of zero phase on many columns at once. */
#ifndef ESTIMATE_FILTER_H
#define ESTIMATE_FILTER_H

/* Butterworth of fourth order, two sections of second order. */
typedef struct {
    double b[2][3], a[2][2]; /* y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y'' */
    double rest[2][2];       /* state of a section while 1 goes through it */
    int pad;                 /* rows that are added at either end */
} low_pass;

/* cutoff in Hz below rate/2; the pad is three of its periods. */
low_pass arne__low_pass(double cutoff, double rate);
/* Forwards and backwards over x, (pad + rows + pad) x width, of which the middle is given; the ends are filled here by turning
 * the signal about its first and last row. state: 4 width numbers. */
void arne__low_pass_both(const low_pass *f, long rows, int width, double *x, double *state);

#endif
