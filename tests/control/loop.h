/* SPDX-License-Identifier: MIT
 *
 * loop.h - a robot and its controller in a closed loop, integrated by Runge-Kutta: with a controller that answers at every
 * instant (laws of the differential equation), or one that ticks and holds its torque, as real ones do. */
#ifndef CONTROL_LOOP_H
#define CONTROL_LOOP_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/control.h"
#include "arne/file.h"
#include "simulate/rk4.h"
#include "support/data.h"
#include "support/subject.h"

enum { LOOP_STATE = 2 * MOST_DOF + 1 };

typedef struct loop loop;
struct loop {
    int n;
    arne_data *real; /* the robot as it is */
    arne_controller *c;
    void (*reference)(double t, int n, double *r); /* 5 x n */
    const arne_hand_target *hand;
    /* one more number to integrate beside the state, e.g. a power; NULL: none */
    double (*also)(const loop *l, double t, const double *q, const double *qd, const double *tau);
    bool held;            /* tau is held between ticks */
    double x[LOOP_STATE]; /* q, qd, the number */
    double tau[MOST_DOF];
    unsigned flags;
};

/* what a tick says; a torque is held when there is no answer, and only then */
static inline unsigned flags_of(arne_controller *c, const arne_tick *in, double *tau)
{
    unsigned flags;
    const arne_status status = arne_control_tick(c, in, tau, &flags);
    assert_int_equal(status != ARNE_OK, flags == ARNE_TICK_HELD);
    return flags;
}

/* r_i = 0.5 sin(w t + i), w about 2 rad/s, and four derivatives */
static inline void loop_sines(double t, int n, double *r)
{
    for (int i = 0; i < n; i++) {
        const double w = 2 + 0.15 * i, a = w * t + i;
        const double d[5] = {sin(a), w * cos(a), -w * w * sin(a), -w * w * w * cos(a), w * w * w * w * sin(a)};
        for (int k = 0; k < 5; k++) r[k * n + i] = 0.5 * d[k];
    }
}

static inline void loop_rest(double t, int n, double *r)
{
    (void)t;
    memset(r, 0, 5 * (size_t)n * sizeof *r);
    for (int i = 0; i < n; i++) r[i] = 0.3 + 0.1 * i;
}

static inline unsigned loop_tick(loop *l, double t, const double *q, const double *qd, double *tau)
{
    double r[5 * MOST_DOF];
    l->reference(t, l->n, r);
    const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .reference = r, .hand = l->hand};
    return flags_of(l->c, &in, tau);
}

static inline int loop_rates(void *context, double t, const double *x, double *dx)
{
    loop *l = context;
    const int n = l->n;
    double tau[MOST_DOF];
    if (l->held)
        memcpy(tau, l->tau, sizeof tau);
    else
        l->flags |= loop_tick(l, t, x, x + n, tau);
    memcpy(dx, x + n, (size_t)n * sizeof *dx);
    dx[2 * n] = l->also ? l->also(l, t, x, x + n, tau) : 0;
    return arne_fd(l->real, x, x + n, tau, dx + n) != ARNE_OK;
}

/* From t0 on, `steps` steps of h; every `ticks` steps the controller ticks when its torque is held. */
static inline void loop_run(loop *l, double t0, double h, int steps, int ticks)
{
    double scratch[4 * LOOP_STATE];
    for (int k = 0; k < steps; k++) {
        const double t = t0 + k * h;
        if (l->held && k % ticks == 0) l->flags |= loop_tick(l, t, l->x, l->x + l->n, l->tau);
        assert_int_equal(arne__rk4_step(loop_rates, l, 2 * l->n + 1, t, h, l->x, scratch), 0);
    }
}

/* the larger; what is not a number is the worst */
static inline double worse(double most, double x) { return x <= most ? most : x; }

/* largest |r - q| */
static inline double loop_error(const loop *l, double t)
{
    double r[5 * MOST_DOF], most = 0;
    l->reference(t, l->n, r);
    for (int i = 0; i < l->n; i++) most = worse(most, fabs(r[i] - l->x[i]));
    return most;
}

/* starts on the reference, `off` away from it in all positions and velocities */
static inline void loop_start(loop *l, double off)
{
    double r[5 * MOST_DOF];
    l->reference(0, l->n, r);
    for (int i = 0; i < 2 * l->n; i++) l->x[i] = r[i] + off;
    l->x[2 * l->n] = 0;
}

static inline arne_controller *controller_of(arne_data *d, const arne_control_options *o)
{
    arne_controller *c;
    arne_error e;
    if (arne_controller_new(arne_data_settings_used(d), o, &c, &e))
        fail_msg("%s: %s: %s", arne_model_name(arne_data_model(d)), arne_control_name(o->kind), e.message);
    return c;
}

/* of the link at q: how far from singular */
static inline double joint_acceleration(arne_data *d, int link, const double *q, const double *qd, const double a[6],
                                        const arne_hand_options *o, double *qdd)
{
    double ratio = NAN;
    assert_int_equal(arne_hand_joint_acceleration(d, link, q, qd, a, o, qdd, &ratio), ARNE_OK);
    return ratio;
}

static inline double joint_velocity(arne_data *d, int link, const double *q, const double v[6], const arne_hand_options *o,
                                    double *qd)
{
    double ratio = NAN;
    assert_int_equal(arne_hand_joint_velocity(d, link, q, v, o, qd, &ratio), ARNE_OK);
    return ratio;
}

/* a shipped robot by name */
static inline subject shipped_subject(const char *name)
{
    char path[512];
    arne_description *d;
    arne_error e;
    snprintf(path, sizeof path, "%s/%s.yaml", ARNE_ROBOTS, name);
    if (arne_read(path, NULL, &d, &e)) fail_msg("%s: %s", path, e.message);
    return subject_of(d);
}

/* Two links of 1 m, turning about an axis of the world; "tip" is the end of the second; the first begins at a height. */
static inline subject two_links_at(double height, int axis)
{
    static const double one[6] = {0.1, 0, 0, 0.1, 0, 0.1};
    static const char *const links[] = {"base", "upper", "lower", "tip"}, *const joints[] = {"shoulder", "elbow", "wrist"};
    arne_description *d = arne_description_new("two-links");
    assert_non_null(d);
    for (int i = 0; i < 4; i++) {
        arne_link_description *l = arne_description_link(d, links[i], 0);
        assert_non_null(l);
        if (i < 3) l->body = (arne_body){.mass = 1, .com = {0.5, 0, 0}};
        memcpy(l->body.inertia, one, sizeof one);
    }
    for (int i = 0; i < 3; i++) {
        arne_joint_description *j =
            arne_description_joint(d, joints[i], 0, i < 2 ? ARNE_REVOLUTE : ARNE_FIXED, links[i], links[i + 1]);
        assert_non_null(j);
        j->before.p[0] = i > 0;
        if (i == 0) j->before.p[2] = height;
        for (int k = 0; k < 3; k++) j->axis[k] = k == axis;
    }
    return subject_of(d);
}
/* in the x-y plane */
static inline subject two_links(void) { return two_links_at(0, 2); }

#endif
