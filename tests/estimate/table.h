/* SPDX-License-Identifier: MIT
 *
 * table.h - a slide of 10 kg that carries an arm of 1 kg, which turns about a vertical axis: few numbers, all told by a log. */
#ifndef TESTS_ESTIMATE_TABLE_H
#define TESTS_ESTIMATE_TABLE_H

#include "arne/estimate.h"
#include "support/subject.h"

static inline arne_description *table(void)
{
    arne_description *d = arne_description_new("table");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_description_link(d, "car", 0)->body = (arne_body){10, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
    arne_description_link(d, "arm", 0)->body = (arne_body){1, {0.1, 0.05, 0}, {0.02, 0, 0, 0.02, 0, 0.02}};
    arne_joint_description *x = arne_description_joint(d, "x", 0, ARNE_PRISMATIC, "base", "car");
    memcpy(x->axis, (double[3]){1, 0, 0}, sizeof x->axis);
    x->motor.inertia = 0.5, x->motor.gear = 2;
    x->friction.viscous = 3, x->friction.coulomb = 2, x->friction.offset = 0.4;
    arne_joint_description *turn = arne_description_joint(d, "turn", 0, ARNE_REVOLUTE, "car", "arm");
    turn->motor.inertia = 0.001, turn->motor.gear = -10;
    turn->friction.viscous = 0.5, turn->friction.coulomb = 0.3, turn->friction.offset = -0.1;
    return d;
}

typedef struct {
    double t, q[2], qd[2], qdd[2], tau[2];
} sample;

static inline void wave(double t, sample *s)
{
    static const double size[2][2] = {{0.3, 0.1}, {0.5, 0.2}}, speed[2][2] = {{2, 5}, {3, 7}};
    *s = (sample){.t = t};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            const double a = size[i][k], w = speed[i][k], p = w * t + i + k;
            s->q[i] += a * sin(p), s->qd[i] += a * w * cos(p), s->qdd[i] -= a * w * w * sin(p);
        }
}

/* What is wrong with row k of a log; false: no row. `before`: of its torque. */
typedef bool trouble(int k, sample *s, bool before);

static inline void record_table(subject *s, arne_identifier *i, const arne_identify_log *log, int rows, trouble *wrong)
{
    arne_error error;
    sample x;
    if (arne_identifier_log(i, log, &error)) fail_msg("%s", error.message);
    for (int k = 0; k < rows; k++) {
        wave(0.01 * k, &x);
        if (wrong && !wrong(k, &x, true)) continue;
        arne_id(s->data, x.q, x.qd, x.qdd, x.tau);
        if (wrong) wrong(k, &x, false);
        if (arne_identifier_row(i, x.t, x.q, x.qd, x.qdd, x.tau, &error)) fail_msg("%s", error.message);
    }
}

static const arne_identify_log RUN = {.size = sizeof RUN, .name = "run", .has_qd = true, .has_qdd = true};

static inline arne_status learn_table(arne_description *d, arne_identify_options o, const arne_identify_log *log, int rows,
                                      trouble *wrong, arne_identified **r, arne_error *error)
{
    subject s = subject_of(d);
    arne_identifier *i;
    o.size = sizeof o;
    assert_int_equal(arne_identifier_new(s.m, &o, &i, error), ARNE_OK);
    record_table(&s, i, log, rows, wrong);
    const arne_status status = arne_identify(i, r, error);
    arne_identifier_free(i);
    subject_close(&s);
    return status;
}

static inline void expect_words(const char *name, const arne_identified *r, int count, const char *const *words)
{
    for (int k = 0; k < count && k < r->nwarning; k++)
        if (strcmp(r->warnings[k], words[k])) fail_msg("%s: \"%s\"\nis not \"%s\"", name, r->warnings[k], words[k]);
    if (r->nwarning != count)
        fail_msg("%s: %d warnings: %s", name, r->nwarning, r->nwarning > count ? r->warnings[count] : "some are missing");
}

/* troubles: the arm rests, at its place or between its moves */
static inline bool still(int k, sample *s, bool before)
{
    (void)k;
    if (before) s->q[1] = s->qd[1] = s->qdd[1] = 0;
    return true;
}
static inline bool resting(int k, sample *s, bool before)
{
    if (!before) return true;
    const double T = 0.4, x = fmin((k % 100) * 0.01 / T, 1), back = k / 100 % 2 ? -1 : 1;
    s->q[1] = (back < 0) + back * x * x * x * (10 + x * (-15 + 6 * x));
    s->qd[1] = back * 30 * x * x * (1 - x) * (1 - x) / T;
    s->qdd[1] = back * 60 * x * (1 - x) * (1 - 2 * x) / (T * T);
    return true;
}

static inline double normal(random_stream *r)
{
    return sqrt(-2 * log(random_between(r, 1e-300, 1))) * cos(random_between(r, 0, 6.283185307179586));
}

#endif
