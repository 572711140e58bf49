/* SPDX-License-Identifier: MIT
 *
 * 02_batch.c - a thousand states at once on SIMD lanes, in doubles and in floats, and the derivatives of one of them.
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
    arne_data *d;
    arne_error e = {.message = "usage: 02_batch ROBOT"};
    if (argc != 2 || arne_load(argv[1], &m, &e) || arne_data_new(m, &d, &e) ||
        arne_data_prepare(d, ARNE_BATCHES | ARNE_DERIVATIVES, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    const size_t n = (size_t)arne_model_dof(m);
    double *q = malloc(COUNT * n * sizeof *q), *tau = malloc(COUNT * n * sizeof *tau), *zero = calloc(COUNT * n, sizeof *zero);
    float *q32 = malloc(COUNT * n * sizeof *q32), *g32 = malloc(COUNT * n * sizeof *g32);
    double *dq = malloc(n * n * sizeof *dq);
    if (!q || !tau || !zero || !q32 || !g32 || !dq) return 1;
    for (size_t i = 0; i < COUNT * n; i++) q[i] = q32[i] = (float)sin((double)i);

    arne_batch_id(d, COUNT, q, zero, zero, tau);
    double worst = 0;
    for (size_t i = 0; i < COUNT * n; i++) worst = fmax(worst, fabs(tau[i]));
    printf("%d states, %d at a time: the largest holding torque is %.4f\n", COUNT, arne_batch_lanes(), worst);

    /* anything that arne can compute, by its name; of floats there are twice as many lanes */
    const int gravity = arne_quantity_find("gravity");
    arne_batch32(d, gravity, NULL, COUNT, &(arne_state32){.q = q32}, g32);
    double apart = 0;
    for (size_t i = 0; i < COUNT * n; i++) apart = fmax(apart, fabs(tau[i] - (double)g32[i]));
    printf("in floats they differ by %.1e\n", apart);

    arne_id_derivatives(d, q, zero, zero, dq, NULL, NULL);
    printf("stiffness of gravity at the first state, joint 2: %.4f per radian\n", dq[n + 1]);

    free(q), free(tau), free(zero), free(q32), free(g32), free(dq);
    arne_data_free(d);
    arne_model_free(m);
    return 0;
}
