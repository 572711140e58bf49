/* SPDX-License-Identifier: MIT
 *
 * reduce.c - a robot with its base parameters in place of the standard ones: the same torques from fewer numbers. */
#include <math.h>
#include <stdlib.h>

#include "arne/identify.h"
#include "cli/cli.h"

/* the largest difference of the torques of two data objects at some states, beside the largest torque */
static double difference(arne_data *a, arne_data *b, int n, double *x)
{
    double worst = 0, size = 1, *y = x + 3 * n, *z = y + n;
    unsigned seed = 11;
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 3 * n; i++) {
            seed = seed * 1664525u + 1013904223u;
            x[i] = 3 * ((double)(seed >> 8) / 8388608.0 - 1);
        }
        arne_id(a, x, x + n, x + 2 * n, y);
        arne_id(b, x, x + n, x + 2 * n, z);
        for (int i = 0; i < n; i++) {
            worst = fmax(worst, fabs(y[i] - z[i]));
            size = fmax(size, fabs(y[i]));
        }
    }
    return worst / size;
}

arne_data *robot_reduced(const robot *r, const arne_data *d, bool general, double *error)
{
    const int n = arne_model_dof(r->model);
    arne_data *reduced = robot_data(r), *same = robot_data(r);
    arne_base *base = NULL;
    arne_error why;
    double *K = malloc((size_t)(2 * ARNE_LINK_PARAMETERS * n + 5 * n) * sizeof *K), *x = K + ARNE_LINK_PARAMETERS * n;
    /* coupled rotors are no part of one link: they stay apart */
    const arne_base_options options = {.no_rotors = r->rigid || r->description->transmission};
    const bool ok = reduced && same && K && !arne_base_find(r->model, &options, &base, &why);
    if (ok) {
        arne_parameters(d, K);
        for (int i = 0; i < n && options.no_rotors; i++) K[ARNE_LINK_PARAMETERS * i + ARNE_LINK_PARAMETERS - 1] = 0;
        arne_base_grouped(base, K, K);
        arne_set_parameters(reduced, K);
        *error = difference(same, reduced, n, x);
        if (general) { /* any numbers where a parameter stays: none is zero */
            for (int i = 0; i < ARNE_LINK_PARAMETERS * n; i++) K[i] = 0;
            for (int i = 0; i < base->count; i++) K[base->parameters[i].parameter] = 0.7390851332151607;
            arne_set_parameters(reduced, K);
        }
    } else {
        arne_data_free(reduced);
        reduced = NULL;
        no_memory();
    }
    arne_base_free(base);
    arne_data_free(same);
    free(K);
    return reduced;
}
