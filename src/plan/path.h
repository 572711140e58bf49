/* SPDX-License-Identifier: MIT
 *
 * path.h - a curve through the samples of a motion: cubic in the commanded time, exact at the samples, its tangent continuous. */
#ifndef PLAN_PATH_H
#define PLAN_PATH_H

#include "arne/feasible.h"

typedef struct {
    int dof, count;
    double dt;
    double *q, *tangent; /* count x dof, owned */
} path;

/* Copies the samples; tangents are the velocities given, else those of parabolas through three samples. False: no memory. */
bool path_open(path *p, const arne_motion *s, int dof);
void path_close(path *p);

/* Between samples k and k+1, at the part x of the way: position and its first two derivatives by the commanded time. */
void path_at(const path *p, int k, double x, double *q, double *q1, double *q2);

#endif
