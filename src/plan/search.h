/* SPDX-License-Identifier: MIT
 *
 * search.h - the parts of a search for a timing: passes over the grid (passes.c), and room taken away where the samples of the
 * result ask for too much (tighten.c). */
#ifndef PLAN_SEARCH_H
#define PLAN_SEARCH_H

#include "plan/timing.h"

/* what is over a limit by this part of it is at it */
static const double ROUNDING = 1e-10;
/* s' at which a standing joint already rubs */
static const double CREEP = 1e-6;

enum { POINT_VECTORS = 7 }; /* of dof: the coefficients at a grid point (passes.c) */

typedef struct {
    timing *t;
    const timing_wish *wish;
    arne_data *d;
    bool speed_matters; /* friction or a torque curve makes limits depend on s' other than through x */
    bool late;          /* the last passes went beyond the longest time */
    double *points;     /* coefficients at the grid points */
    double (*good)[2];  /* intervals + 1: the x from which the end can be reached */
    double *margin;     /* intervals: the part of the room between the load at rest and a limit that may be used */
    double *over;       /* intervals: what was asked for of that room */
    double *q, *qd, *qdd, *tau, *M, *speed, *friction, *low, *top, *next_q, *next_qd, *next_qdd; /* dof (M: dof x dof) */
} search;

/* A limit moved towards the load, which leaves every load that can be carried where it is; towards 0 if it cannot be carried. */
static inline double arne__search_less(double limit, double load, double margin)
{
    if (isinf(limit)) return limit;
    return (limit > 0 ? load < limit : load > limit) ? load + (limit - load) * margin : limit * margin;
}

/* At j->q, on a path with q1: a and c of the motors (passes.c); then b, for any q2. */
void arne__search_line(search *j, const double *q1, double *a, double *c);
void arne__search_bend(search *j, const double *q2, double *b);
/* Friction and torque ranges of the motors at path speed s': j->friction, low, top. */
void arne__search_rub(search *j, const double *q1, double speed);
/* The largest s' that this part of all velocities allows. */
double arne__search_fastest(search *j, const double *q1, double margin);

/* Coefficients at every grid point; false: a number is not finite. */
bool arne__search_fill(search *j);
/* Both passes with the margins of now; -1, or the grid point that cannot be passed. */
int arne__search_passes(search *j);
/* Can the robot stand still at a grid point? */
arne_status arne__search_rest(search *j, int point, arne_error *error);
/* Why a grid point cannot be passed. */
arne_status arne__search_stuck(search *j, int point, arne_error *error);

bool arne__search_open(search *j, arena *a); /* false: no memory */

/* smooth.c: are there limits on jerk or torque rates? Then another timing that keeps them too, from rest to rest, in the place of
 * one without them. */
bool arne__smooth_wanted(const arne_model *m, const timing_wish *wish);
arne_status arne__smooth_find(timing *t, arena *a, arne_data *d, const timing_wish *wish, arne_error *error);

/* `slower` times the time of the passes, and on to a whole number of cycles. */
void arne__search_stretch(timing *t, double slower);
/* The largest demand of the samples, beside 1; fills `over`. phases: where it is more than 1, that many samples an interval of
 * time are looked at, as they will fall elsewhere when room is taken away. */
double arne__search_measure(search *j, int phases);
/* Notes what the intervals `first` ... `last` were asked for. */
void arne__search_note(search *j, int first, int last, double over);
/* Takes room from the intervals that ask for too much, and from their neighbours. */
void arne__search_tighten(search *j, int attempt);

#endif
