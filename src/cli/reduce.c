/* SPDX-License-Identifier: MIT
 *
 * reduce.c - a robot with its base parameters in place of the standard ones: the same torques from fewer numbers. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/count.h"
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

/* Second moments along the axis of a revolute joint belong to both links it joins: they are moved to the inner one, so that the
 * pseudo inertia of the outer link has no zz and its moment costs less [ERRATA part two 2.3, items 2 and 3]. Torques stay the
 * same. */
static void move_along_axis(const arne_model *m, const arne_base *base, int j, double *K)
{
    const int up = arne_joint_parent(m, j);
    if (up < 0 || arne_joint_kind(m, j) != ARNE_REVOLUTE) return;
    double *outer = K + ARNE_LINK_PARAMETERS * j, *inner = K + ARNE_LINK_PARAMETERS * up;
    const double k = (outer[0] + outer[3] - outer[5]) / 2; /* Kzz = (XX + YY - ZZ)/2 */
    const arne_base_frame *f = &base->frames[j];
    double ca = cos(f->alpha), sa = sin(f->alpha), cg = cos(f->gamma), sg = sin(f->gamma);
    if (fabs(ca) < 1e-15) ca = 0;
    if (fabs(sa) < 1e-15) sa = 0;
    const double z[3] = {sg * sa, -cg * sa, ca};
    outer[0] -= k;
    outer[3] -= k;
    outer[5] = outer[0] + outer[3];
    /* J = Tr(K) E - K with K = k z z' */
    inner[0] += k * (1 - z[0] * z[0]);
    inner[1] -= k * z[0] * z[1];
    inner[2] -= k * z[0] * z[2];
    inner[3] += k * (1 - z[1] * z[1]);
    inner[4] -= k * z[1] * z[2];
    inner[5] += k * (1 - z[2] * z[2]);
}

/* operations of inverse dynamics with these parameters, by the text that suits them; LONG_MAX: out of memory */
static long cost(arne_data *d, const double *K, const char *text)
{
    arne_operations c;
    arne_set_parameters(d, K);
    return arne_count(d, text, &(arne_count_options){.with_wrench = true}, &c) ? LONG_MAX : c.mul + c.add;
}

/* K becomes the cheaper of two sets that give the same torques: as grouped, or with second moments moved along the axes */
static void choose(const robot *r, arne_data *d, const arne_base *base, int n, double *K, double *moved)
{
    memcpy(moved, K, (size_t)(ARNE_LINK_PARAMETERS * n) * sizeof *K);
    for (int j = n - 1; j > 0; j--) move_along_axis(r->model, base, j, moved);
    if (cost(d, moved, "id-lean") < cost(d, K, "id")) memcpy(K, moved, (size_t)(ARNE_LINK_PARAMETERS * n) * sizeof *K);
    arne_set_parameters(d, K);
}

arne_data *robot_reduced(const robot *r, const arne_data *d, bool general, double *error)
{
    const int n = arne_model_dof(r->model), size = ARNE_LINK_PARAMETERS * n;
    arne_data *reduced = robot_data(r), *same = robot_data(r);
    arne_base *base = NULL;
    arne_error why;
    double *K = malloc((size_t)(2 * size + 5 * n) * sizeof *K), *moved = K + size, *x = moved + size;
    /* coupled rotors are no part of one link: they stay apart */
    const arne_base_options options = {.no_rotors = r->rigid || r->description->transmission};
    const bool ok = reduced && same && K && !arne_base_find(r->model, &options, &base, &why);
    if (ok) {
        arne_parameters(d, K);
        for (int i = 0; i < n && options.no_rotors; i++) K[ARNE_LINK_PARAMETERS * i + ARNE_LINK_PARAMETERS - 1] = 0;
        arne_base_grouped(base, K, K);
        choose(r, reduced, base, n, K, moved);
        *error = difference(same, reduced, n, x);
        if (general) { /* any numbers where a parameter stays: none is zero, no two are equal */
            for (int i = 0; i < size; i++) K[i] = 0;
            for (int i = 0; i < base->count; i++) K[base->parameters[i].parameter] = 0.7390851332151607 + 0.1 * i;
            choose(r, reduced, base, n, K, moved);
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
