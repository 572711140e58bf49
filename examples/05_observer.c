/* SPDX-License-Identifier: MIT
 *
 * 05_observer.c - a control loop that notices when somebody pushes: swings a robot by its own torques, lets something push one of
 * its links for 50 ms, and says when it was noticed, which link it was and how hard. Give it a robot file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arne/arne.h"
#include "arne/file.h"
#include "arne/observe.h"

enum { MOST = 32 };

/* The real robot: one millisecond further. A push is a wrench in its settings. */
static void robot_moves(arne_data *d, int n, double h, double *q, double *qd, const double *tau)
{
    double qdd[MOST];
    arne_fd(d, q, qd, tau, qdd);
    for (int i = 0; i < n; i++) {
        q[i] += h * qd[i] + h * h / 2 * qdd[i];
        qd[i] += h * qdd[i];
    }
}

int main(int argc, char **argv)
{
    arne_model *m;
    arne_error e = {0};
    if (argc < 2 || arne_load(argv[1], &m, &e)) {
        fprintf(stderr, "%s\n", argc < 2 ? "give a robot file" : e.message);
        return 1;
    }
    const int n = arne_model_dof(m);
    const double h = 0.001;
    if (n < 2 || n > MOST) return 1;
    arne_data *real, *known;
    arne_observer *observer;
    arne_detector *detector;
    double threshold[MOST], q[MOST], qd[MOST] = {0}, tau[MOST] = {0}, qdd[MOST];
    for (int i = 0; i < n; i++) threshold[i] = 0.5, q[i] = 0.5;
    const arne_observer_options options = {.size = sizeof options, .period = h}; /* gain 50/s */
    if (arne_data_new(m, &real, &e) || arne_data_new(m, &known, &e)) return 1;
    arne_set_friction(arne_data_settings(real), false);
    arne_set_friction(arne_data_settings(known), false);
    if (arne_observer_new(arne_data_settings(known), &options, &observer, &e) || arne_detector_new(m, threshold, &detector, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }

    const int link = arne_joint_link(m, n - 1);
    const arne_wrench push = {.link = link, .frame = ARNE_ALIGNED, .force = {0, 20, -10}, .point = {0.05, 0.02, 0.1}};
    bool noticed = false;
    for (int k = 0; k < 1000; k++) {
        /* from here to "}": what a controller does at every tick; nothing allocates */
        arne_detection contact;
        if (arne_observer_tick(observer, q, qd, tau)) printf("t = %.3f s: a sensor gave no number\n", k * h);
        arne_detector_tick(detector, arne_observer_residual(observer), &contact);
        if (contact.began) printf("t = %.3f s: contact\n", k * h);
        if (contact.ended) printf("t = %.3f s: it is over\n", k * h);
        if (contact.contact && k == 549) {
            arne_wrench_estimate found;
            const int hit = arne_joint_link(m, contact.link_joint);
            arne_residual_wrench(known, q, &(arne_touch){.link = hit}, arne_observer_residual(observer), &found);
            const double *w = found.wrench;
            printf("t = %.3f s: on link %s, force %.1f %.1f %.1f N, moment %.2f %.2f %.2f Nm (%.0f %% unexplained)\n", k * h,
                   arne_link_name(m, hit), w[0], w[1], w[2], w[3], w[4], w[5], 100 * found.unexplained);
            noticed = hit == link;
        }
        for (int i = 0; i < n; i++) qdd[i] = cos(4 * k * h + i) - 2 * qd[i];
        arne_id(known, q, qd, qdd, tau);

        arne_set_wrenches(arne_data_settings(real), &push, k >= 500 && k < 550);
        robot_moves(real, n, h, q, qd, tau);
    }
    printf("pushed: link %s, t = 0.500 ... 0.550 s, force 0 20 -10 N\n", arne_link_name(m, link));
    arne_detector_free(detector);
    arne_observer_free(observer);
    arne_data_free(real);
    arne_data_free(known);
    arne_model_free(m);
    return noticed ? 0 : 1;
}
