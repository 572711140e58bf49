/* SPDX-License-Identifier: MIT
 *
 * free.h - what tests of robots that move freely share: plants, quaternions, momentum. */
#ifndef SIMULATE_FREE_H
#define SIMULATE_FREE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arne/file.h"
#include "arne/positions.h"
#include "arne/quantity.h"
#include "arne/simulate.h"
#include "support/data.h"
#include "support/random_robot.h"

enum { MOST = 64 };
static const double ZERO[MOST];
#define OPTIONS(...) ((arne_plant_options){.size = sizeof(arne_plant_options), __VA_ARGS__})

static inline arne_model *build(arne_description *d)
{
    arne_model *m;
    arne_error error;
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

static inline arne_plant *plant_of(const arne_settings *s, arne_plant_options o)
{
    arne_plant *p;
    arne_error error;
    if (arne_plant_new(s, &o, &p, &error)) fail_msg("%s", error.message);
    return p;
}

static inline void advance(arne_plant *p, double t, const double *tau)
{
    arne_error error;
    if (arne_plant_advance(p, t, tau, &error)) fail_msg("%s", error.message);
}

/* How far quaternions are from unit length. */
static inline double off_unit(const arne_model *m, const double *q)
{
    double most = 0;
    for (int j = 0; j < arne_model_joints(m); j++) {
        const int at = arne_joint_turn(m, j);
        if (at < 0) continue;
        double sum = 0;
        for (int k = at; k < at + 4; k++) sum += q[k] * q[k];
        most = fmax(most, fabs(sqrt(sum) - 1));
    }
    return most;
}

/* Momentum of all bodies: linear, angular about the centre of mass, in the world. */
static inline void momentum_of(arne_data *d, const arne_plant *p, double h[6])
{
    double all[6 + 6 * MOST];
    const arne_state x = {.q = arne_plant_q(p), .qd = arne_plant_qd(p)};
    assert_int_equal(arne_compute(d, arne_quantity_find("centroidal"), NULL, &x, all), ARNE_OK);
    memcpy(h, all, 6 * sizeof *h);
}

static inline double momentum_change(const double a[6], const double b[6])
{
    double most = 0;
    for (int k = 0; k < 6; k++) most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

#endif
