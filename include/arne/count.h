/* SPDX-License-Identifier: MIT
 *
 * count.h - what a computation costs on this robot: the text run on expression graphs, its operations counted. Library
 * arne_codegen.
 *
 * Signs are free, and so is everything made of constants of the robot alone; 0, 1 and -1 fold; equal expressions are computed
 * once. */
#ifndef ARNE_COUNT_H
#define ARNE_COUNT_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct {
    size_t size;      /* sizeof of this struct */
    bool general;     /* every inertial parameter arbitrary; else what is zero in the file stays zero */
    bool with_wrench; /* the wrench of the last link on the environment is an input at run time */
    bool given;       /* formulations: rotation matrices are given, as [004 section 8] counts */
    bool as_written;  /* count the text as it stands: no factoring, no balancing of sums */
    bool base;        /* base inertial parameters, and of the ways that generated code has the cheapest (doc/codegen.md) */
    int processors;   /* > 0: steps on that many processors */
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

/* NULL, or in one sentence why this is not counted for this robot: formulations for joints of one freedom, too many joints for
 * base parameters. */
const char *arne_count_fault(const arne_model *m, const char *what, const arne_count_options *options);

/* options may be NULL. ARNE_BAD_ARGUMENT: a null pointer, a size that is not set; ARNE_BAD_VALUE: no such name; ARNE_UNSUPPORTED:
 * arne_count_fault says why. */
arne_status arne_count(const arne_data *d, const char *what, const arne_count_options *options, arne_operations *out);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
