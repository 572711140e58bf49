/* SPDX-License-Identifier: MIT
 *
 * 01_torque.c - load a robot, ask for torques and accelerations.
 *
 *     01_torque robots/puma560.yaml */
#include <arne/arne.h>
#include <arne/file.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    arne_model *m; /* the robot: const from now on */
    arne_data *d;  /* memory to compute in, one a thread */
    arne_error e;
    if (argc != 2) {
        fprintf(stderr, "usage: 01_torque ROBOT\n");
        return 2;
    }
    if (arne_load(argv[1], &m, &e) || arne_data_new(m, &d, &e)) {
        fprintf(stderr, "%s:%d: %s\n", e.file, e.line, e.message);
        return 1;
    }
    const int n = arne_model_dof(m);
    double *x = calloc(5 * (size_t)n, sizeof *x);
    if (!x) return 1;
    double *q = x, *qd = x + n, *qdd = x + 2 * n, *tau = x + 3 * n, *back = x + 4 * n;
    for (int i = 0; i < n; i++) q[i] = 0.3 * i, qd[i] = 0.5, qdd[i] = -1;

    arne_id(d, q, qd, qdd, tau);
    const arne_status status = arne_fd(d, q, qd, tau, back); /* may fail: a joint that moves nothing */
    if (status) {
        fprintf(stderr, "%s: %s\n", arne_joint_name(m, arne_data_joint(d)), arne_status_words(status));
        return 1;
    }
    printf("%-12s %12s %12s\n", "joint", "torque", "acceleration");
    for (int i = 0; i < n; i++) printf("%-12s %12.5f %12.5f\n", arne_joint_name(m, i), tau[i], back[i]);

    free(x);
    arne_data_free(d);
    arne_model_free(m);
    return 0;
}
