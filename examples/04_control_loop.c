/* SPDX-License-Identifier: MIT
 *
 * 04_control_loop.c - a complete 1 kHz control loop: the passivity controller moves a simulated robot from rest to rest.
 *
 *     04_control_loop robots/ur5e.yaml
 *
 * In a real loop the lines between "measure" and "act" stay as they are; what comes after is the robot's own doing. */
#include <arne/control.h>
#include <arne/file.h>
#include <arne/trajectory.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 4 }; /* derivatives of the reference that a tick may read */
static const double PERIOD = 0.001, DURATION = 2.0;

/* where the joints go: a third of the way from the middle of their range to its end */
static void choose_ends(const arne_model *m, double *from, double *to)
{
    for (int i = 0; i < arne_model_dof(m); i++) {
        const arne_limits *l = arne_joint_limits(m, i);
        const double low = isinf(l->lower) ? -1 : l->lower, high = isinf(l->upper) ? 1 : l->upper;
        from[i] = (low + high) / 2;
        to[i] = from[i] + (high - low) / 6;
    }
}

int main(int argc, char **argv)
{
    arne_model *m;
    arne_error e;
    if (argc != 2) {
        fprintf(stderr, "usage: 04_control_loop ROBOT\n");
        return 2;
    }
    if (arne_load(argv[1], &m, &e)) {
        fprintf(stderr, "%s:%d: %s\n", e.file, e.line, e.message);
        return 1;
    }
    const int n = arne_model_dof(m);
    arne_data *real; /* the robot that moves; the controller has its own copy of what is known about it */
    double *x = calloc((size_t)(6 * n + (ORDER + 1) * n), sizeof *x);
    if (arne_data_new(m, &real, &e) || !x) return 1;
    double *q = x, *qd = x + n, *qdd = x + 2 * n, *tau = x + 3 * n, *from = x + 4 * n, *to = x + 5 * n, *r = x + 6 * n;
    choose_ends(m, from, to);
    for (int i = 0; i < n; i++) q[i] = from[i];

    arne_trajectory *path;
    arne_controller *c;
    const arne_control_options o = {
        .size = sizeof o, .kind = ARNE_CONTROL_PASSIVITY, .period = PERIOD, .friction = true, .saturate = true};
    if (arne_trajectory_rest_to_rest(n, 7, 0, DURATION, from, to, &path, &e) ||
        arne_controller_new(arne_data_settings(real), &o, &c, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }

    double worst = 0;
    int clipped = 0;
    for (int k = 0; k * PERIOD < DURATION + 0.5; k++) {
        /* measure (q, qd), look up the reference, tick, act */
        arne_trajectory_at(path, k * PERIOD, ORDER, r);
        unsigned flags;
        const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .reference = r};
        arne_control_tick(c, &in, tau, &flags);
        clipped += (flags & ARNE_TICK_SATURATED) != 0;
        for (int i = 0; i < n; i++) worst = fmax(worst, fabs(r[i] - q[i]));

        /* the robot: half an explicit, half an implicit Euler step, good enough for a picture */
        if (arne_fd(real, q, qd, tau, qdd)) return 1;
        for (int i = 0; i < n; i++) {
            qd[i] += PERIOD * qdd[i];
            q[i] += PERIOD * qd[i];
        }
    }
    double left = 0;
    for (int i = 0; i < n; i++) left = fmax(left, fabs(to[i] - q[i]));
    printf("%s: %d joints, largest error %.2g on the way, %.2g at the end, %d ticks at a torque limit\n", arne_model_name(m), n,
           worst, left, clipped);

    arne_controller_free(c);
    arne_trajectory_free(path);
    free(x);
    arne_data_free(real);
    arne_model_free(m);
    return left < 0.01 ? 0 : 1;
}
