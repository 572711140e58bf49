/* SPDX-License-Identifier: MIT
 *
 * grouping.h - which parameters stay and what they take in: by rules (rules.c) and by numbers (numeric.c).
 *
 * Parameters are numbered 11 i + c in the order XX XY XZ YY YZ ZZ MX MY MZ M IA. */
#ifndef IDENTIFY_GROUPING_H
#define IDENTIFY_GROUPING_H

#include "arne/identify.h"
#include "identify/formula.h"
#include "model/model.h"

#pragma GCC visibility push(default) /* used by more than one library */

enum { XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, MASS, IA, LINK_PARAMETERS };

typedef struct {
    int size;            /* 11 n */
    bool *kept;          /* size */
    double *coefficient; /* size x size, row: a parameter that stays, column: what it takes in */
} grouping;

/* ---- axes.c: what the geometry says of the joints from the base to a link ---- */
typedef struct {
    double R[9], o[3];   /* frame in base axes at q = 0; its z is the joint axis */
    int r1, r2;          /* first revolute joint; the first after it that is not parallel to it; -1: none up to this link */
    bool parallel;       /* all axes up to this one are parallel */
    bool coaxial;        /* all revolute axes up to this one lie on one line */
    bool concurrent;     /* all joints are revolute, not all parallel, and their axes meet in one point of this axis */
    bool gravity_along;  /* gravity is parallel to the axis, or zero */
    bool gravity_across; /* gravity is normal to the axis, or zero */
    bool free_of_others; /* prismatic: revolute axes before are parallel, prismatic ones normal to it */
} axis_path;

/* one for every joint */
void arne__axes_find(const arne_model *m, const double g[3], axis_path *out);
bool arne__axes_parallel(const axis_path *a, const axis_path *b);
bool arne__axes_normal(const axis_path *a, const axis_path *b);
arne_base_frame arne__axes_frame(const arne_model *m, int i);
void arne__axes_turn(const arne_model *m, int i, double *c, double *s); /* cosine and sine of theta at q = 0 */

/* ---- rules.c: expression as coefficient, NULL where it is zero. False: out of memory. ---- */
bool arne__rules_group(const arne_model *m, const axis_path *path, bool rotors, formula_book *book, const formula **expression,
                       grouping *out);

/* ---- numeric.c ---- */
/* Of a robot whose joints have one freedom each: those that move, the others rest at zero; those whose torques are looked at. */
typedef struct {
    const bool *moves, *rows;
} sample_mask;
/* R (size x size, column major, upper triangle) with |R x| = |W x| for the stacked regressors W of random states; *largest: its
 * largest singular value. mask: NULL, all. False: out of memory. */
bool arne__numeric_sample(const arne_model *m, const double g[3], const sample_mask *mask, double *R, double *largest);
/* Orthogonalizes the columns of R in their order. out->coefficient may be NULL: only the columns that stay are marked. */
bool arne__numeric_group(int size, const double *R, double largest, bool rotors, grouping *out);

#pragma GCC visibility pop
#endif
