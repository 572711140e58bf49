/* SPDX-License-Identifier: MIT
 *
 * reduce.c - a robot with its base parameters in place of the standard ones: the same torques from fewer numbers. */
#include "codegen/reduce.h"

#include <math.h>
#include <stdlib.h>

#include "arne/positions.h"
#include "base/random.h"

/* the largest difference of the torques of two data objects at some states, beside the largest torque */
static double difference(arne_data *a, arne_data *b, double *q)
{
    const arne_model *m = arne_data_model(a);
    const int n = arne_model_nv(m), nq = arne_model_nq(m);
    double worst = 0, size = 1, *qd = q + nq, *qdd = qd + n, *y = qdd + n, *z = y + n;
    random_source random = {.state = 11};
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < nq + 2 * n; i++) q[i] = 3 * arne__random_signed(&random);
        arne_normalize(m, NAN, q, NULL);
        arne_id(a, q, qd, qdd, y);
        arne_id(b, q, qd, qdd, z);
        for (int i = 0; i < n; i++) {
            worst = fmax(worst, fabs(y[i] - z[i]));
            size = fmax(size, fabs(y[i]));
        }
    }
    return worst / size;
}

void arne__reduced_free(reduced *r)
{
    arne_base_free(r->base);
    arne_data_free(r->d);
    *r = (reduced){0};
}

arne_status arne__reduce(const arne_data *d, bool general, reduced *r, arne_error *error)
{
    const arne_model *m = arne_data_model(d);
    const arne_settings *s = arne_data_settings_used(d);
    const int n = arne_model_bodies(m), size = ARNE_LINK_PARAMETERS * n;
    /* coupled rotors are no part of one link: they stay apart */
    const arne_base_options options = {
        .size = sizeof options, .no_rotors = !arne_settings_rotors(s) || arne__robot_places(arne__data_doubles(d))->drive_at};
    arne_data *same = NULL;
    double *K = malloc((size_t)(size + arne_model_nq(m) + 4 * arne_model_nv(m)) * sizeof *K);
    arne_status status = arne_base_find(m, &options, &r->base, error);
    if (!status && !K) status = arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (!status) status = arne_data_new(m, &r->d, error);
    if (!status) status = arne_data_share(s, &same, error);
    if (!status) {
        arne_parameters(s, K);
        for (int i = 0; i < n && options.no_rotors; i++) K[ARNE_LINK_PARAMETERS * i + ARNE_LINK_PARAMETERS - 1] = 0;
        arne_base_grouped(r->base, K, K);
        for (int i = 0; i < size && general; i++) K[i] = 0;
        for (int i = 0; i < r->base->count && general; i++) K[r->base->parameters[i].parameter] = 0.7390851332151607 + 0.1 * i;
        arne_settings_copy(arne_data_settings(r->d), s);
        arne_set_parameters(arne_data_settings(r->d), K);
        r->distance = general ? 0 : difference(same, r->d, K + size);
    }
    arne_data_free(same);
    free(K);
    return status;
}
