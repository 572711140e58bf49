/* SPDX-License-Identifier: MIT
 *
 * sincos_fast.h - sines and cosines compiled with -ffast-math; count is a multiple of 16. */
#ifndef NUM_SINCOS_FAST_H
#define NUM_SINCOS_FAST_H

typedef void fast_doubles_fn(int count, const double *x, double *s, double *c);
typedef void fast_floats_fn(int count, const float *x, float *s, float *c);
fast_doubles_fn fast_f64x2, fast_f64x8;
fast_floats_fn fast_f32x4, fast_f32x16;

#endif
