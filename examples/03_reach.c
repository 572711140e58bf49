/* SPDX-License-Identifier: MIT
 *
 * 03_reach.c - from a pose of the hand to a motion of the joints: inverse kinematics, a smooth motion, its torques.
 *
 *     03_reach robots/ur5e.yaml */
#include <arne/arne.h>
#include <arne/file.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    arne_model *m;
    arne_error e;
    if (argc != 2 || arne_load(argv[1], &m, &e)) {
        fprintf(stderr, "%s\n", argc != 2 ? "usage: 03_reach ROBOT" : e.message);
        return 1;
    }
    const int n = arne_model_dof(m), link = arne_model_tip(m);
    arne_data *d;
    double *v = calloc(6 * (size_t)n, sizeof *v); /* start, goal, q qd qdd, tau */
    if (arne_data_new(m, &d, &e) || arne_data_prepare(d, ARNE_HANDS, &e) || !v) return 1;
    double *start = v, *goal = v + n, *state = v + 2 * n, *tau = v + 5 * n;

    /* where the hand is when every joint stands at half a radian, and 5 cm above */
    arne_pose pose;
    for (int i = 0; i < n; i++) goal[i] = start[i] = 0.5;
    arne_link_pose(d, start, link, &pose);
    pose.p[2] += 0.05;
    if (arne_hand_solve(d, link, &pose, NULL, goal, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    for (int i = 0; i < n; i++) printf("%s: %.4f to %.4f\n", arne_joint_name(m, i), start[i], goal[i]);

    /* there in half a second by a polynomial of degree 7, at rest at both ends */
    arne_trajectory *motion;
    if (arne_trajectory_rest_to_rest(n, 7, 0, 0.5, start, goal, &motion, &e)) return 1;
    double worst = 0;
    for (int k = 0; k <= 500; k++) { /* a 1 kHz loop: nothing in it allocates */
        arne_trajectory_at(motion, 1e-3 * k, 2, state);
        arne_id(d, state, state + n, state + 2 * n, tau);
        for (int i = 0; i < n; i++) worst = fmax(worst, fabs(tau[i]));
    }
    printf("the largest torque on the way is %.3f\n", worst);

    arne_trajectory_free(motion);
    arne_data_free(d);
    arne_model_free(m);
    free(v);
    return 0;
}
