/* SPDX-License-Identifier: MIT
 *
 * path.h - a curve through points: cubic between them, exact at them. Its tangent is continuous (samples of a motion), or its
 * curvature too (way-points). */
#ifndef PLAN_PATH_H
#define PLAN_PATH_H

#include "arne/plan.h"
#include "base/arena.h"

typedef struct {
    int dof, count;
    double *s;           /* count: the parameter at the points, increasing */
    double *q, *tangent; /* count x dof */
    const int *number;   /* count, from 1: of way-points, as the user counts them */
} path;

/* The samples of a motion, s the commanded time; tangents are the velocities given, else those of parabolas through three
 * samples. False: no memory. */
bool arne__path_open(path *p, arena *a, const arne_motion *s, int dof);
/* The natural spline through way-points no two neighbours of which are the same, s the length of the chords. */
bool arne__path_spline(path *p, arena *a, const double *points, int count, int dof);

/* Another one of its own memory. */
bool arne__path_copy(path *p, arena *a, const path *of);
/* The path of a curve (curve.c). */
const path *arne__curve_path(const arne_curve *c);

int arne__path_piece(const path *p, double s); /* the piece k, from point k to k+1, that holds s */
/* The part of the way that piece k has come at s, 1 to the bit at its end. */
static inline double path_part(const path *p, int k, double s)
{
    return s >= p->s[k + 1] ? 1 : (s - p->s[k]) / (p->s[k + 1] - p->s[k]);
}
/* Between points k and k+1, at the part x of the way: position and its first two derivatives by s, each may be NULL. */
void arne__path_at(const path *p, int k, double x, double *q, double *q1, double *q2);
/* The third derivative, constant between two points. */
void arne__path_third(const path *p, int k, double *q3);

#endif
