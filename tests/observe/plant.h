/* SPDX-License-Identifier: MIT
 *
 * plant.h - a robot that moves while an observer looks at it: torques held over each tick, an unknown torque on top, Runge-Kutta
 * steps of one tick. */
#ifndef OBSERVE_PLANT_H
#define OBSERVE_PLANT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/file.h"
#include "arne/observe.h"
#include "support/data.h"
#include "simulate/rk4.h"

enum { PLANT_DOF = 16 };

typedef struct plant plant;
/* torque of the unknown at time t and state x = (q, qd) */
typedef void unknown_torque(const plant *p, double t, const double *x, double *u);

struct plant {
    arne_model *m;
    arne_data *d;    /* the robot as it is */
    arne_data *view; /* the robot as the observer knows it */
    int n;
    double t, h;
    double x[2 * PLANT_DOF]; /* q, qd */
    double tau[PLANT_DOF];   /* held over the tick */
    unknown_torque *unknown; /* NULL: none */
    double fault[PLANT_DOF]; /* how large the unknown is, for its function */
    int locked;              /* a joint that cannot move, -1: none */
};

static inline plant plant_open(const char *robot, double h)
{
    plant p = {.h = h, .locked = -1};
    arne_error e = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/%s.yaml", ARNE_ROBOTS, robot);
    if (arne_load(path, &p.m, &e)) fail_msg("%s: %s", path, e.message);
    p.d = test_data(p.m);
    p.view = test_data(p.m);
    assert_true(p.d && p.view);
    p.n = arne_model_dof(p.m);
    assert_in_range(p.n, 1, PLANT_DOF);
    return p;
}

static inline void plant_close(plant *p)
{
    arne_data_free(p->d);
    arne_data_free(p->view);
    arne_model_free(p->m);
}

/* A start in motion and torques that keep it moving, the same for every tick length. */
static inline void plant_start(plant *p)
{
    p->t = 0;
    for (int i = 0; i < p->n; i++) {
        p->x[i] = 0.4 * sin(1.7 * i + 0.3);
        p->x[p->n + i] = 0.5 * cos(2.3 * i);
    }
}

static inline int plant_slope(void *context, double t, const double *x, double *dx)
{
    plant *p = context;
    double u[PLANT_DOF] = {0}, tau[PLANT_DOF];
    if (p->unknown) p->unknown(p, t, x, u);
    for (int i = 0; i < p->n; i++) {
        tau[i] = p->tau[i] + u[i];
        dx[i] = x[p->n + i];
    }
    if (arne_fd(p->d, x, x + p->n, tau, dx + p->n) != ARNE_OK) return 1;
    if (p->locked >= 0) { /* the torque of the lock: what takes the acceleration of its joint away */
        const int k = p->locked;
        double moved[PLANT_DOF];
        tau[k] += 1;
        if (arne_fd(p->d, x, x + p->n, tau, moved) != ARNE_OK) return 1;
        const double part = -dx[p->n + k] / (moved[k] - dx[p->n + k]);
        for (int i = 0; i < p->n; i++) dx[p->n + i] += part * (moved[i] - dx[p->n + i]);
    }
    return 0;
}

static inline void plant_tick(plant *p)
{
    double scratch[8 * PLANT_DOF];
    assert_int_equal(arne__rk4_step(plant_slope, p, 2 * p->n, p->t, p->h, p->x, scratch), 0);
    p->t += p->h;
}

/* Torques that would swing the joints, from now on for one tick. */
static inline void plant_shake(plant *p)
{
    double qdd[PLANT_DOF];
    for (int i = 0; i < p->n; i++) qdd[i] = 4 * sin(3 * p->t + i) - 3 * p->x[p->n + i];
    arne_id(p->d, p->x, p->x + p->n, qdd, p->tau);
}

static inline arne_observer *plant_observer(plant *p, const double *gain, bool numeric)
{
    arne_observer *o;
    arne_error e = {0};
    const arne_observer_options options = {.size = sizeof options, .period = p->h, .gain = gain, .numeric = numeric};
    if (arne_observer_new(arne_data_settings_used(p->view), &options, &o, &e)) fail_msg("%s", e.message);
    return o;
}

#endif
