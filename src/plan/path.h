/* SPDX-License-Identifier: MIT
 *
 * path.h - a curve through points: cubic between them, exact at them. Its tangent is continuous (samples of a motion), or its
 * curvature too (way-points). */
#ifndef PLAN_PATH_H
#define PLAN_PATH_H

#include "arne/feasible.h"

typedef struct {
    int dof, count;
    double *s;           /* count: the parameter at the points, increasing */
    double *q, *tangent; /* count x dof */
} path;

/* The samples of a motion, s the commanded time; tangents are the velocities given, else those of parabolas through three
 * samples. False: no memory; arne__path_close is due all the same. */
bool arne__path_open(path *p, const arne_motion *s, int dof);
/* The natural spline through way-points no two neighbours of which are the same, s the length of the chords. */
bool arne__path_spline(path *p, const double *points, int count, int dof);
void arne__path_close(path *p);

int arne__path_piece(const path *p, double s); /* the piece k, from point k to k+1, that holds s */
/* Between points k and k+1, at the part x of the way: position and its first two derivatives by s. */
void arne__path_at(const path *p, int k, double x, double *q, double *q1, double *q2);

#endif
