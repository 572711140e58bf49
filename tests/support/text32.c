/* SPDX-License-Identifier: MIT */
#define KIND f32
#include "support/text32.h"

#include <stdlib.h>
#include <string.h>

#include "algo/texts.h"
#include "symbolic/symbolic.h"

struct text32 {
    robot *robot;
    void *memory;
    work work;
};

/* zeroed, aligned */
static void *take(size_t bytes)
{
    bytes = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    if (!memory) abort();
    return memset(memory, 0, bytes);
}

text32 *text32_new(const arne_data *d)
{
    text32 *t = take(sizeof *t);
    const void *doubles = arne__data_doubles(d);
    const robot_counts n = arne__robot_counts(doubles);
    t->robot = take(EXPORT(robot_copy)(doubles, NULL));
    t->memory = take(EXPORT(work)(n, NULL, &t->work));
    EXPORT(work)(n, t->memory, &t->work);
    text32_take(t, d);
    return t;
}

void text32_free(text32 *t)
{
    free(t->robot);
    free(t->memory);
    free(t);
}

void text32_take(text32 *t, const arne_data *d) { EXPORT(robot_copy)(arne__data_doubles(d), t->robot); }
const void *text32_robot(const text32 *t) { return t->robot; }

void text32_run(text32 *t, int row, const arne_quantity_options *o, const arne_state32 *x, float *y)
{
    const text_input in = {x->q, x->qd, x->qdd, x->tau, x->qa, o->link, (int)o->frame, (int)o->factor, 0};
    EXPORT(run)(row, t->robot, &t->work, &in, y);
}
