/* SPDX-License-Identifier: MIT
 *
 * A thousand arms, each with a load of its own, are let go under a law that knows no load: how far does the hand's joint sag? On
 * an NVIDIA GPU; where there is none the program says so and ends well.
 *
 *     cc 08_cuda.c $(pkg-config --cflags --libs arne_cuda arne_file) -lm */
#include <arne/cuda.h>
#include <arne/file.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000, MOST = 16 };

/* a copy on the device */
static void *put(arne_cuda *c, const double *x, size_t count)
{
    void *device = NULL;
    if (arne_cuda_alloc(c, count * sizeof *x, &device) || arne_cuda_put(c, device, x, count * sizeof *x)) {
        fprintf(stderr, "%s\n", arne_cuda_message(c));
        exit(1);
    }
    return device;
}

int main(int argc, char **argv)
{
    arne_model *m;
    arne_data *d;
    arne_cuda *c;
    arne_error e;
    if (argc != 2) return fprintf(stderr, "usage: %s ROBOT.yaml\n", argv[0]), 2;
    if (arne_load(argv[1], &m, &e) || arne_data_new(m, &d, &e)) return fprintf(stderr, "%s\n", e.message), 1;
    const int n = arne_model_nv(m);
    if (n < 2 || n > MOST || n != arne_model_nq(m))
        return fprintf(stderr, "this is for 2 to %d joints of one freedom\n", MOST), 1;
    const arne_cuda_options o = {.size = sizeof o, .what = "fd", .live = true};
    const arne_status status = arne_cuda_new(d, &o, &c, &e);
    if (status) {
        printf("no GPU: %s\n", e.message);
        arne_data_free(d);
        arne_model_free(m);
        return status != ARNE_UNSUPPORTED && status != ARNE_DEVICE;
    }

    /* parameters without load and with 1 kg on the hand; robot k carries 3 k / COUNT kg */
    const int np = arne_cuda_parameters(c);
    double *rows = malloc(2 * (size_t)np * sizeof *rows);
    static double weight[2 * COUNT], zero[MOST * COUNT], bent[MOST * COUNT], q[MOST * COUNT];
    const arne_body load = {.mass = 1, .com = {0, 0, 0.1}};
    arne_cuda_parameter_values(c, arne_data_settings(d), rows);
    arne_set_payload(arne_data_settings(d), arne_model_tip(m), &load);
    arne_cuda_parameter_values(c, arne_data_settings(d), rows + np);
    for (int k = 0; k < COUNT; k++) weight[COUNT + k] = 3.0 * k / COUNT, weight[k] = 1 - weight[COUNT + k];
    void *parameters;
    if (arne_cuda_alloc(c, (size_t)np * COUNT * sizeof(double), &parameters))
        return fprintf(stderr, "%s\n", arne_cuda_message(c)), 1;
    arne_cuda_mix(c, NULL, COUNT, 2, rows, put(c, weight, 2 * COUNT), parameters);

    /* two seconds, held where they start, bent: every joint alone would come back in a twentieth of a second */
    double kp[MOST], kd[MOST], at[MOST], M[MOST * MOST];
    for (int i = 0; i < n * COUNT; i++) bent[i] = 0.7;
    for (int i = 0; i < n; i++) at[i] = 0.7;
    arne_mass(d, at, M);
    for (int i = 0; i < n; i++) kp[i] = 400 * M[i * n + i], kd[i] = 40 * M[i * n + i];
    void *start = put(c, bent, (size_t)(n * COUNT)), *rest = put(c, zero, (size_t)(n * COUNT)),
         *end = put(c, q, (size_t)(n * COUNT));
    const arne_cuda_rollout_arrays x = {.size = sizeof x,
                                        .step = 1e-3,
                                        .steps = 2000,
                                        .q = start,
                                        .qd = rest,
                                        .reference = start,
                                        .kp = put(c, kp, (size_t)n),
                                        .kd = put(c, kd, (size_t)n),
                                        .parameters = parameters,
                                        .positions = end};
    if (arne_cuda_rollout(c, NULL, COUNT, &x) || arne_cuda_get(c, q, end, (size_t)(n * COUNT) * sizeof *q))
        return fprintf(stderr, "%s\n", arne_cuda_message(c)), 1;
    for (int k = 0; k < COUNT; k += 333) printf("%.2f kg: joint 2 at %.4f rad\n", weight[COUNT + k], q[COUNT + k]);
    arne_cuda_free(c); /* and all its memory with the program */
    arne_data_free(d);
    arne_model_free(m);
    free(rows);
    return 0;
}
