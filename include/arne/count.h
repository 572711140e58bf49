/* SPDX-License-Identifier: MIT
 *
 * count.h - what a computation costs on this robot: the text run on expression graphs, its operations counted.
 *
 * Signs are free, and so is everything made of constants of the robot alone; 0, 1 and -1 fold; equal expressions are computed
 * once. */
#ifndef ARNE_COUNT_H
#define ARNE_COUNT_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    bool general;     /* every inertial parameter arbitrary; else what is zero in the file stays zero */
    bool with_wrench; /* the wrench of the last link on the environment is an input at run time */
    bool given;       /* formulations: rotation matrices are given, as [004 section 8] counts */
    bool as_written;  /* count the text as it stands: no factoring, no balancing of sums */
    /* lean texts: how each link is treated, a sum for inverse dynamics of 1 third column of U, 2 pseudo inertia, 4 in the axes
     * before its joint turns, 8 a point mass takes MX or MY away, 16 one makes XX = YY, 32 its offset is the unit of length; the
     * same times 256 for the bias, times 65536 for the inertia matrix (forward dynamics takes both). NULL: 1 + 2 */
    const int *lean;
    int processors; /* > 0: steps on that many processors */
} arne_count_options;

typedef struct {
    long mul, add, div;
    long trig;  /* sine and cosine of one angle */
    long other; /* roots, absolute values, signs, limits, exponentials */
    long depth; /* longest chain of operations */
    long steps; /* on options->processors, one operation each a step; 0: not asked for */
} arne_operations;

/* The name of the i-th thing that can be counted, NULL after the last: id bias gravity ..., formulations, strobing. */
const char *arne_count_name(int i);

/* options may be NULL. ARNE_BAD_VALUE: no such name. */
arne_status arne_count(const arne_data *d, const char *what, const arne_count_options *options, arne_operations *out);

#ifdef __cplusplus
}
#endif
#endif
