/* SPDX-License-Identifier: MIT
 *
 * compare.h - many ways to the same dynamics, side by side: operations, agreement, time; and what was published about them.
 * Library arne_codegen. */
#ifndef ARNE_COMPARE_H
#define ARNE_COMPARE_H

#include "arne/count.h"
#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- the formulations ---- */

enum { ARNE_METHODS = 16, ARNE_METHODS_MOST_JOINTS = 500 };
/* joints up to which methods of higher order answer in seconds */
enum { ARNE_METHODS_SQUARE = 60, ARNE_METHODS_CUBIC = 30 };

typedef struct {
    const char *computes, *name; /* "fd", "crba" */
    int order;                   /* of the cost in the number of joints */
    bool left_out;               /* too many joints for it: nothing below is filled */
    const char *narrow;          /* the same where a joint has several freedoms: why, in one sentence; or NULL */
    bool counted;                /* cost is known */
    bool singular;               /* the inertia matrix is */
    arne_operations cost;
    double ns; /* a call, median */
    /* Largest difference from arne_id over random states, as a part of the largest torque: of the torques themselves; of M qdd
     * and id(qdd) - id(0); of the sums over C_ijk and the Coriolis vector; of id(fd(tau)) and tau. */
    double agreement;
} arne_method_result;

/* seconds: length of one of nine measurements of each. ARNE_UNSUPPORTED: more than ARNE_METHODS_MOST_JOINTS. */
arne_status arne_compare_methods(arne_data *d, const arne_count_options *o, double seconds,
                                 arne_method_result results[ARNE_METHODS], arne_error *error);

/* ---- the 16 variants of NE* ---- */

enum { ARNE_VARIANTS = 16, ARNE_VARIANTS_MOST_JOINTS = 60, ARNE_VARIANTS_STATES = 20 };

typedef struct {
    double skew, product; /* largest violations of Mdot = C + C' and C qd = c over random states, relative */
    bool valid;           /* both are rounding */
} arne_variant_result;

/* Gravity of d is off afterwards. ARNE_UNSUPPORTED: more than ARNE_VARIANTS_MOST_JOINTS. */
arne_status arne_compare_variants(arne_data *d, arne_variant_result results[ARNE_VARIANTS], arne_error *error);

/* ---- functions of the library ---- */

enum { ARNE_TIMED = 28 };

typedef struct {
    const char *name;
    bool elastic;         /* for robots with a spring and a rotor in every joint */
    double median, least; /* ns a state, of fifteen measurements; NAN: it does not apply */
} arne_function_time;

/* seconds: length of one measurement. lanes: of the functions that take many states at once. */
arne_status arne_time_functions(arne_data *d, double seconds, arne_function_time times[ARNE_TIMED], int *lanes,
                                arne_error *error);

/* ---- what was published [004 section 8] ---- */

/* (c3 n^3 + c2 n^2 + c1 n + c0) / 6: every coefficient of the tables is a whole number of sixths */
typedef struct {
    int c3, c2, c1, c0;
} arne_sixths;

long arne_sixths_at(const arne_sixths *p, int n);
const char *arne_sixths_text(const arne_sixths *p, char *buffer, size_t size); /* "40/3 n^3 + 181/2 n^2 + 79/6 n" */

/* Operations of a general revolute arm of n links: every rotation matrix is given, nine free numbers; every length and every
 * inertia is arbitrary, or K is diagonal. */
typedef struct {
    const char *title;
    const char *count; /* the name that arne_count knows it by */
    bool diagonal;     /* principal axes of every link parallel to its frame: K is diagonal */
    bool cubic;        /* n^3 results */
    const char *table; /* where it is printed, NULL: not printed for this case */
    arne_sixths printed_mul, printed_add;
    arne_sixths recount_mul, recount_add; /* [ERRATA part two 5.5] */
} arne_published_count;

const arne_published_count *arne_published_counts(void); /* ends with title == NULL */

/* Parallel steps of the modified Newton-Euler set. */
typedef struct {
    arne_sixths task_mul, task_add; /* Table 8.6: each task on one processor, its multiplications one after the other, its
                                       additions likewise */
    arne_sixths depth;              /* one scalar operation a step, as many processors as it takes [ERRATA part two 5.5] */
} arne_published_depth;
const arne_published_depth *arne_published_depths(void);

/* Ours for that arm: as the texts are written, and after all passes. processors 0: as many as it takes. */
arne_status arne_count_arm(int n, const char *what, bool diagonal, int processors, arne_operations *written,
                           arne_operations *passes, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
