/* SPDX-License-Identifier: MIT
 *
 * turns.h - the turns of all joints of a robot, for one vector evaluation of their sines and cosines.
 *
 * Position i is an angle that turns by scale q + theta + quarter pi/2: scale is 1, or 0 where the position is no angle, theta is
 * zero where the constant part is a multiple of a quarter turn, so that right angles stay exact. */
#ifndef NUM_TURNS_H
#define NUM_TURNS_H

#include <stddef.h>

enum { TURNS_PAD = 16 }; /* all arrays but q hold a multiple of this */

static inline size_t turns_padded(int n) { return ((size_t)n + TURNS_PAD - 1) / TURNS_PAD * TURNS_PAD; }

typedef struct turn_table turn_table;

/* sines and cosines of t->n turns; all implementations give the same bits (num/sincos.inc) */
typedef void turns_fn(const turn_table *t, const double *q, double *s, double *c);

struct turn_table {
    int n;
    const double *scale, *theta;
    const long long *quarter;
    turns_fn *f64; /* the widest that the machine has */
};

turns_fn arne__turns_f64x2, arne__turns_f64x4, arne__turns_f64x8;
#pragma GCC visibility push(default) /* used by more than one library */
turns_fn *arne__machine_turns(void); /* the widest that this machine has */
#pragma GCC visibility pop

#endif
