/* SPDX-License-Identifier: MIT
 *
 * 02_batch.c - a thousand states at once on SIMD lanes, and the derivatives of one of them.
 *
 *     02_batch robots/ur5e.yaml */
#include <arne/arne.h>
#include <arne/file.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000 };

int main(int argc, char **argv)
{
    arne_model *m;
    arne_error e;
    if (argc != 2 || arne_load(argv[1], &m, &e)) {
        fprintf(stderr, "%s\n", argc != 2 ? "usage: 02_batch ROBOT" : e.message);
        return 1;
    }
    const size_t n = (size_t)arne_model_dof(m);
    arne_data *d = arne_data_new(m);
    arne_batch *b = arne_batch_new(m);
    arne_jets *j = arne_jets_new(m);
    double *q = malloc(COUNT * n * sizeof *q), *tau = malloc(COUNT * n * sizeof *tau), *zero = calloc(COUNT * n, sizeof *zero);
    double *dq = malloc(n * n * sizeof *dq);
    if (!d || !b || !j || !q || !tau || !zero || !dq) return 1;
    for (size_t i = 0; i < COUNT * n; i++) q[i] = sin((double)i);

    arne_batch_id(b, d, COUNT, q, zero, zero, tau);
    double worst = 0;
    for (size_t i = 0; i < COUNT * n; i++) worst = fmax(worst, fabs(tau[i]));
    printf("%d states, %d at a time: the largest holding torque is %.4f\n", COUNT, arne_batch_lanes(b), worst);

    arne_id_derivatives(j, d, q, zero, zero, dq, NULL, NULL);
    printf("stiffness of gravity at the first state, joint 2: %.4f per radian\n", dq[n + 1]);

    free(q), free(tau), free(zero), free(dq);
    arne_jets_free(j);
    arne_batch_free(b);
    arne_data_free(d);
    arne_model_free(m);
    return 0;
}
