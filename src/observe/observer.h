/* SPDX-License-Identifier: MIT
 *
 * observer.h - the inside of an arne_observer: what its two methods share. */
#ifndef OBSERVE_OBSERVER_H
#define OBSERVE_OBSERVER_H

#include "arne/observe.h"
#include "arne/positions.h"
#include "base/arena.h"
#include "base/dense.h"
#include "base/fail.h"

enum { OBSERVER_PAST = 3 }; /* spring torques of earlier ticks */

struct arne_observer {
    arena *memory;
    arne_data *d; /* with settings of its own */
    const arne_model *m;
    int n, nq;
    int several, *at, *width; /* joints of several freedoms, their first velocities, how many */
    double period;
    bool link_side, numeric;
    bool started; /* a good sample has come before */
    int past;     /* how many earlier spring torques are known */
    bool *turns;  /* n: a revolute joint */
    double *gain; /* n, as all below */
    double *keep; /* exp(-gain period) */
    double *r;
    double *q, *qd, *p, *beta;      /* of the tick before; q and q2: nq */
    double *p1, *beta1;             /* of this tick */
    double *q2, *qd2, *beta2;       /* half way between them */
    double *g, *f, *way, *end;      /* scratch */
    double *impulse;                /* integral of tau over the tick */
    double *spring[OBSERVER_PAST];  /* tau of the ticks before, newest first */
    double *M, *M1, *p0, *integral; /* numeric: inertia matrix before and now; momentum of the start; integral of (6) */
};

/* numeric.c: the residual of a tick whose numbers are good; `first`: there is no tick before. False: a result is not finite. */
bool arne__numeric_tick(arne_observer *o, const double *q, const double *qd, const double *tau, bool first);

#endif
