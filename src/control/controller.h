/* SPDX-License-Identifier: MIT
 *
 * controller.h - the inside of a controller: what all laws share, and what a law must provide. */
#ifndef CONTROL_CONTROLLER_H
#define CONTROL_CONTROLLER_H

#include "arne/control.h"
#include "base/arena.h"
#include "base/fail.h"

typedef struct {
    int rows;    /* of the reference that a tick reads: 0, 2 (velocity), 3 (acceleration) or 5 */
    bool motors; /* reads theta, thetad */
    bool hand;   /* reads the target of the hand */
    bool loose;  /* can do with joints of several freedoms, which have no drive */
    arne_status (*start)(arne_controller *c, const arne_control_options *o, arne_error *error); /* NULL: nothing to do */
    void (*reset)(arne_controller *c);                                                          /* NULL: nothing to forget */
    /* sets flags, which are 0; not ARNE_OK: no answer */
    arne_status (*tick)(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags);
    void (*learn)(arne_controller *c); /* after a tick that was not clipped, NULL: nothing */
    void (*stop)(arne_controller *c);  /* what is not in the arena, NULL: nothing */
} control_law;

extern const control_law arne__law_none, arne__law_pd_gravity, arne__law_computed_torque, arne__law_passivity, arne__law_adaptive,
    arne__law_hand_acceleration, arne__law_hand_impedance, arne__law_motor_pd, arne__law_elastic;

struct arne_controller {
    arena *memory;
    arne_data *d;         /* with settings of its own */
    arne_settings *known; /* those, or the ones of elastic links */
    const arne_model *m;
    const control_law *law;
    int n, nq, link; /* link: of the hand; -1: none */
    int *at;         /* n: the position whose rate a velocity is; -1: of a joint of several freedoms, without a drive */
    int nloose;      /* such velocities */
    int *loose;      /* nloose */
    double *M, *G;   /* n x n; nloose x nloose: of joint_control.c; NULL: there are none */
    double period;
    bool saturate;
    double *kp, *kd, *lambda; /* n */
    double *last;             /* n: torque of the last good tick */
    double *x, *y, *z, *w;    /* n: scratch of the laws */
    void *own;                /* the law's */
};

/* joint_control.c: the velocity qr = rd + lambda (r - q) that leads back to the reference, and its derivative qrd */
void arne__passivity_velocity(const arne_controller *c, const arne_tick *in, double *qr, double *qrd);

/* spread.c: position number k (0, 1, ...) within the joint limits, the same every time: where defaults are measured and searches
 * start. Half a turn or 1 m to either side of zero where there are no limits; joints of several freedoms stay where they are at
 * rest. */
void arne__spread_position(const arne_model *m, int k, double *q);

/* gains.c */
/* Frequency of the closed loop by default, rad/s: 20, or a tenth of 1/period where that is slower. */
double arne__gains_pace(double period);
/* Inertia that the rows of a link feel over the range of the robot: 1/mean of (J M^-1 J')_rr, 0 where the link cannot move. A
 * sentence on failure. */
arne_status arne__gains_hand_inertia(arne_controller *c, int link, double inertia[6], arne_error *error);
/* `count` numbers a joint from the caller, all positive, or c->n times `standard` (one a joint, times `factor`). */
arne_status arne__gains_take(arne_controller *c, const char *name, const double *given, const double *standard, double factor,
                             double **out, arne_error *error);
/* kp = w^2 m, kd = damping w m with the inertia m that each joint feels, where they are not given. */
arne_status arne__gains_of_joints(arne_controller *c, const arne_control_options *o, double damping, arne_error *error);

#endif
