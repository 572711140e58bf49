/* SPDX-License-Identifier: MIT
 *
 * sincos.h - type of a function that takes sines and cosines of a whole array of doubles.
 *
 * n is a multiple of 8 (the arrays are padded). All implementations give the same bits (num/sincos.inc). */
#ifndef NUM_SINCOS_H
#define NUM_SINCOS_H

typedef void sincos_fn(int n, const double *angle, double *s, double *c);

sincos_fn text_sincos_f64x2, text_sincos_f64x4, text_sincos_f64x8;

enum { SINCOS_PAD = 8 };

#endif
