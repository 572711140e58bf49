/* SPDX-License-Identifier: MIT
 *
 * timing.h - the fastest way along a path under all limits, by reachability analysis, and its samples at a constant interval.
 *
 * Along the path q(s) with x = s'^2, u = s'' (primes: by time) everything is linear in u and, but for friction, in x. On a grid
 * of s a backward pass finds the x from which the end can be reached, a forward pass goes as fast as they allow: Pham and Pham
 * 2018 (doc/references.md), derivation in doc/plan.md. */
#ifndef PLAN_TIMING_H
#define PLAN_TIMING_H

#include "plan/limits.h"
#include "plan/path.h"

typedef struct {
    const arne_model *m;
    path path;
    int intervals;
    int *piece;       /* intervals: of the path */
    double *s;        /* intervals + 1; every point of the path is one of them */
    double *x, *time; /* intervals + 1 */
    double *u;        /* intervals + 1: s'' there, of a smooth timing; NULL: it is constant in every interval */
    double dt;        /* of the samples */
    double stretch;   /* of time, so that the duration is a multiple of dt */
} timing;

enum { TIMING_PLACE = 64 };

/* What is asked for. */
typedef struct {
    double fastest;           /* s' is nowhere more */
    double start, end;        /* s' there; negative: free */
    double velocity;          /* the part of all velocity limits that may be used */
    bool smooth;              /* limits of jerk and torque rate count: those of the robot, and these of every joint */
    double jerk, effort_rate; /* INFINITY: none */
    double longest;           /* no timing takes more time */
    int finest;               /* the grid is refined up to this many intervals, until its time settles */
    int finest_stuck;         /* and up to this many while none is found */
    void (*progress)(void *context, int intervals, double time); /* may be NULL */
    void *context;
    /* says in words where s is, for messages: "t = 0.3 s" */
    void (*place)(const timing *t, double s, char words[TIMING_PLACE]);
} timing_wish;

/* INFINITY: none */
static inline double arne__smooth_jerk(const arne_model *m, const timing_wish *w, int k)
{
    return fmin(given_limit(m->joint[k].limits.jerk), w->jerk);
}
static inline double arne__smooth_rate(const arne_model *m, const timing_wish *w, int k)
{
    return fmin(given_limit(m->joint[k].limits.effort_rate), w->effort_rate);
}

/* Lays the grid: about `intervals` of them over the path, which is open. At an end where the motion rests they shrink with the
 * distance from it, so that they take about the same time. False: no memory. */
bool arne__timing_grid(timing *t, arena *a, int intervals, bool start_rests, bool end_rests);
/* Lays another one, evenly over the time that was found with this one. False: no memory. */
bool arne__timing_regrid(timing *t, arena *a, int intervals);

/* Refines the grid (memory from a) and fills x, time and stretch: within all limits of the robot at the samples, as arne_judge
 * sees them. Fails with ARNE_UNSUPPORTED and a sentence where no timing will do. */
arne_status arne__timing_find(timing *t, arena *a, arne_data *d, const timing_wish *wish, arne_error *error);

double arne__timing_duration(const timing *t);
int arne__timing_interval(const timing *t, double time); /* of the passes, before it is stretched */
typedef struct {
    double s, speed, acceleration, jerk; /* along the path, before it is stretched */
} timing_state;
timing_state arne__timing_place(const timing *t, int interval, double time);
/* Jerks of the joints there; q1, q2: dof each, to work with. */
void arne__timing_jerk(const timing *t, int interval, double time, double *q1, double *q2, double *jerk);
/* State at a time in 0 ... duration; returns s. */
double arne__timing_at(const timing *t, double time, double *q, double *qd, double *qdd);

#endif
