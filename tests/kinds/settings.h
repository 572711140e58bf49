/* SPDX-License-Identifier: MIT
 *
 * settings.h - what may be set at run time, in four mixtures, and robots of all sorts to set it on: for the tests that compare
 * number kinds. */
#ifndef KINDS_SETTINGS_H
#define KINDS_SETTINGS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "arne/arne.h"
#include "support/subject.h"

/* every third robot with a coupled transmission, which takes another way through the forward dynamics, every third with joints of
 * several freedoms, some with both */
static inline unsigned parts_of(int number)
{
    const unsigned coupled = number % 3 == 0 ? RANDOM_ALL : RANDOM_ALL & ~(unsigned)RANDOM_TRANSMISSION;
    return coupled | (number / RANDOM_FAMILIES % 3 == 1 ? RANDOM_WIDE : 0);
}

/* 0: as the file says; 1: rigid; 2: a wrench in each frame, and a payload; 3: these on a rigid robot, gravity askew */
enum { SETTINGS = 4, SETTING_WRENCHES = 3 };

static inline void set_settings(const subject *s, arne_settings *to, int setting)
{
    const int first = s->nlink - 1, second = s->nlink / 2;
    const arne_body load = {1.5, {0.1, -0.05, 0.2}, {0.02, 0.001, 0, 0.03, -0.002, 0.025}};
    const double down[3] = {0, 0, -9.81}, askew[3] = {1.5, -4, 8};
    const arne_wrench w[SETTING_WRENCHES] = {
        {first, ARNE_LOCAL, {10, -4, 3}, {0.5, 2, -1}, {0.1, 0.2, -0.1}},
        {second, ARNE_WORLD, {-3, 6, 1}, {1, -0.5, 3}, {0, 0, 0}},
        {first, ARNE_ALIGNED, {2, 2, -7}, {-1, 0, 0.5}, {0, 0.3, 0}},
    };
    arne_set_rigid(to, setting == 1 || setting == 3);
    arne_set_wrenches(to, w, setting >= 2 ? SETTING_WRENCHES : 0);
    arne_set_payload(to, second, setting >= 2 ? &load : NULL);
    arne_set_gravity(to, setting == 3 ? askew : down);
}

static inline void set_up(subject *s, int setting) { set_settings(s, s->settings, setting); }

/* numbers of the largest result of a robot with MOST_DOF joints: the regressor; tensors are for robots of six at most */
enum { MOST_RESULTS = 11 * MOST_DOF * MOST_DOF };

/* Calls `visit` for every row of the table, or derivative, with every choice it has: all links (of loads the
 * last two), frames and factorizations. */
typedef void row_visit(void *context, int row, const arne_quantity_options *o);
static inline void every_row(const subject *s, int rows, row_visit *visit, void *context)
{
    for (int row = 0; row < rows; row++) {
        const arne_axis axis = arne_quantity_at(row)->parts[0].columns;
        if (axis == ARNE_AXIS_PAIRS && arne_model_nv(s->m) > 6) continue;
        const unsigned choice = arne_quantity_at(row)->options;
        const int first = axis == ARNE_AXIS_LOAD && s->nlink > 2 ? s->nlink - 2 : 0;
        const int links = choice & ARNE_OF_LINK ? s->nlink - first : 1, frames = choice & ARNE_IN_FRAME ? ARNE_ALIGNED + 1 : 1,
                  factors = choice & ARNE_BY_FACTOR ? ARNE_CHRISTOFFEL_FACTOR + 1 : 1;
        for (int k = 0; k < links * frames * factors; k++) {
            const arne_quantity_options o = {sizeof o, first + k % links, (arne_frame)(k / links % frames),
                                             (arne_factor_choice)(k / links / frames)};
            visit(context, row, &o);
        }
    }
}

/* Fails unless `is` holds the bits of `should`, all of them finite. */
static inline void expect_bits(const subject *s, const char *what, int count, const double *is, const double *should)
{
    for (int i = 0; i < count; i++)
        if (memcmp(&is[i], &should[i], sizeof is[i]) != 0 || !isfinite(is[i]))
            fail_msg("%s: %s[%d] is %a, in double %a", s->name, what, i, is[i], should[i]);
}
static inline void expect_bits32(const subject *s, const char *what, int count, const float *is, const float *should)
{
    for (int i = 0; i < count; i++)
        if (memcmp(&is[i], &should[i], sizeof is[i]) != 0 || !isfinite(is[i]))
            fail_msg("%s: %s[%d] is %a, alone in float %a", s->name, what, i, (double)is[i], (double)should[i]);
}

#endif
