/* SPDX-License-Identifier: MIT
 *
 * trajectory.h - what every trajectory has, and polynomial pieces, the form most of them take. */
#ifndef TRAJECTORY_TRAJECTORY_H
#define TRAJECTORY_TRAJECTORY_H

#include <stdatomic.h>

#include "arne/trajectory.h"
#include "base/arena.h"
#include "base/fail.h"

struct arne_trajectory {
    arena *memory; /* of everything below, the trajectory itself too */
    int dof;
    int inner, smooth; /* continuous derivatives: between start and end, everywhere */
    double start, end;
    double *peak;    /* size of the derivatives, (order + 1) x dof */
    double *scratch; /* while building: 2 x (order + 1) x dof */
    /* position and derivatives at a time within [start, end] */
    void (*at)(const arne_trajectory *s, double t, int order, double *out);
    const void *form; /* what `at` needs */
    int count;
    arne_trajectory **parts; /* of a sequence: shared with their maker */
    atomic_int users;        /* the maker and every sequence with it */
};

/* A zeroed trajectory with its own memory; NULL when memory is short. */
arne_trajectory *arne__trajectory_new(int dof, double start, double end);
/* The last step of building: `inner` derivatives are continuous between start and end, how many are so at the ends is looked at.
 * s is freed where it fails. */
arne_status arne__trajectory_finish(arne_trajectory *s, int inner, arne_trajectory **out, arne_error *error);
/* Derivatives that go on from the end of one into the start of the other; NULL: standing still. */
int arne__trajectory_border(const arne_trajectory *before, const arne_trajectory *after);
arne_status arne__trajectory_missing(arne_trajectory **out, arne_error *error); /* a pointer is null */
arne_status arne__trajectory_no_memory(arne_trajectory *s, arne_error *error);  /* frees s */
/* First number that is not finite, or -1. */
int arne__trajectory_not_finite(const double *x, int count);
/* Has joints and starts before it ends? */
arne_status arne__trajectory_check_times(int dof, double t0, double t1, arne_error *error);

/* ---- polynomial pieces ---- */

enum { DEGREE = 9, ROWS = (DEGREE + 1) / 2 };

/* q_i(t) = sum_k c_ik x^k with x = (t - knot)/(next knot - knot) in [0, 1] */
typedef struct {
    int pieces, degree;
    double *knots; /* pieces + 1 */
    double *c;     /* pieces x dof x (degree + 1) */
} polynomial_pieces;

/* `at` of a trajectory whose form they are */
void arne__pieces_at(const arne_trajectory *s, double t, int order, double *out);
polynomial_pieces *arne__pieces_new(arne_trajectory *s, int pieces, int degree);
/* One piece from its states at both ends: rows x dof each, row r is h^r times the r-th derivative. */
void arne__pieces_set(const arne_trajectory *s, polynomial_pieces *p, int piece, const double *from, const double *to);

/* Coefficients of the two-point Hermite polynomials of degree 2 rows - 1 on [0, 1]: polynomial b < rows has b-th derivative 1 at
 * 0, polynomial rows + b has it at 1, all other derivatives below rows are 0 at both ends. */
typedef double hermite_basis[2 * ROWS][2 * ROWS];
void arne__hermite(int rows, hermite_basis c);

/* r-th derivative of sum c_k x^k */
double arne__polynomial_derivative(const double *c, int degree, int r, double x);

#endif
