/* SPDX-License-Identifier: MIT
 *
 * achieve_test.c - what a lift makes of motions that ask for too much, with numbers by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "arne/feasible.h"
#include "support/subject.h"

enum { SAMPLES = 101 };
static const double DT = 0.01;

/* 2 kg in gravity: force = 2 (9.81 + qdd) */
static arne_description *lift(double mass, double effort)
{
    arne_description *d = arne_description_new("lift");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "car", 0);
    arne_joint_description *j = arne_description_joint(d, "z", 0, ARNE_PRISMATIC, "base", "car");
    assert_true(l && j);
    l->body.mass = mass;
    l->body.com[0] = 0.5;
    j->limits = (arne_limits){-100, 100, INFINITY, INFINITY, effort};
    return d;
}

/* up from rest with 3 m/s^2 for a second, velocities given */
static arne_motion rise(double *q, double *qd)
{
    for (int k = 0; k < SAMPLES; k++) {
        const double t = k * DT;
        q[k] = 1.5 * t * t;
        qd[k] = 3 * t;
    }
    return (arne_motion){SAMPLES, DT, q, qd};
}

typedef struct {
    int count;
    double t, path, q, force, moment, most, fastest;
} last_row;

static void take_row(void *context, const arne_motion_row *r)
{
    last_row *l = context;
    l->count++;
    l->t = r->t, l->path = r->path, l->q = r->q[0];
    l->force = r->reaction[2], l->moment = r->reaction[4];
    l->most = fmax(l->most, fabs(r->tau[0])), l->fastest = fmax(l->fastest, fabs(r->qd[0]));
}

static void saturated_motors_give_what_they_have(void **state)
{
    (void)state;
    double q[SAMPLES], qd[SAMPLES];
    const arne_motion s = rise(q, qd);
    subject x = subject_of(lift(2, 22));
    for (int policy = ARNE_KEEP; policy <= ARNE_RESOLVE; policy++) {
        last_row last = {0};
        arne_joint_record j;
        arne_achievement a;
        const arne_achieve_options o = {.size = sizeof o, (arne_policy)policy, 7, take_row, &last};
        assert_int_equal(arne_achieve(&s, x.data, &o, &j, &a, NULL), ARNE_OK);
        /* 1.19 m/s^2 instead of 3, in every cycle but the last, which holds its velocity; the reaction carries 0.5 m beside.
         * Loads of record: 2 (9.81 + 3) */
        assert_true(fabs(a.duration - 1) < 1e-12 && isnan(a.lost));
        assert_true(last.count == SAMPLES && fabs(last.t - 8) < 1e-9 && last.path == last.t);
        assert_true(fabs(last.most - 22) < 1e-9 && fabs(last.fastest - 1.19) < 1e-9 && fabs(j.saturated - 1) < 1e-9);
        assert_true(fabs(j.torque - 25.62) < 1e-9 && fabs(j.motor - 25.62) < 1e-9 && fabs(j.speed - 3) < 1e-9);
        assert_true(fabs(j.force - 25.62) < 1e-9 && fabs(j.moment - 12.81) < 1e-9 && fabs(j.bending - 12.81) < 1e-9);
        assert_true(fabs(last.force - 19.62) < 1e-9 && fabs(last.moment + 9.81) < 1e-9);
        assert_true(fabs(j.away - 1.81 * DT * DT * 100 * 99 / 2) < 1e-9 && fabs(last.q - q[100] + j.away) < 1e-9);
        assert_true(isnan(j.no_stop));
    }
    subject_close(&x);
}

/* The frame of the joint is where its bearing is, 0.2 m from that of the link. */
static void reactions_are_those_at_the_joint(void **state)
{
    (void)state;
    double q[SAMPLES], qd[SAMPLES];
    const arne_motion s = rise(q, qd);
    arne_description *d = lift(2, 100);
    d->joints[0].after = arne_pose_rpy((const double[3]){0.2, 0, 0}, (const double[3]){0, 0, 0});
    subject x = subject_of(d);
    last_row last = {0};
    arne_joint_record j;
    arne_achievement a;
    const arne_achieve_options o = {.size = sizeof o, ARNE_KEEP, 0, take_row, &last};
    assert_int_equal(arne_achieve(&s, x.data, &o, &j, &a, NULL), ARNE_OK);
    assert_true(fabs(j.force - 25.62) < 1e-9 && fabs(j.moment - 0.7 * 25.62) < 1e-9 && fabs(last.moment + 0.7 * 19.62) < 1e-9);
    subject_close(&x);
}

static void a_slowed_motion_keeps_its_path(void **state)
{
    (void)state;
    double q[SAMPLES], qd[SAMPLES];
    const arne_motion s = rise(q, qd);
    subject x = subject_of(lift(2, 22));
    last_row last = {0};
    arne_joint_record j;
    arne_achievement a;
    const arne_achieve_options o = {.size = sizeof o, ARNE_SCALE, 0, take_row, &last};
    assert_int_equal(arne_achieve(&s, x.data, &o, &j, &a, NULL), ARNE_OK);
    assert_true(fabs(a.duration - sqrt(3 / 1.19)) < 0.02);
    assert_true(fabs(last.t - a.duration) < 1e-9 && fabs(last.path - 1) < 1e-9 && last.q == q[100]);
    assert_true(j.torque < 22 * (1 + 1e-8) && j.away == 0 && j.saturated == 0);
    subject_close(&x);
}

static void a_joint_says_when_it_cannot_stop(void **state)
{
    (void)state;
    double q[SAMPLES], qd[SAMPLES];
    const arne_motion s = rise(q, qd);
    arne_description *d = lift(2, 30);
    d->joints[0].limits.upper = 1.55;
    subject x = subject_of(d);
    arne_joint_record j;
    arne_achievement a;
    assert_int_equal(
        arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options), .start = 1}, &j, &a, NULL),
        ARNE_OK);
    /* it brakes with (30 + 19.62)/2: v^2/2/24.81 > 1.55 - q from v = 2.9 on */
    assert_true(j.no_stop > 1.9 && j.no_stop < 2);
    subject_close(&x);
}

/* A car of 2 kg that falls: 19 N hold it off by 0.31 m/s^2 too little, from 0.9 m/s past its limit of 1 m/s after 0.33 s. */
static void what_passes_its_speed_limit_is_lost(void **state)
{
    (void)state;
    double q[SAMPLES], qd[SAMPLES];
    for (int k = 0; k < SAMPLES; k++) q[k] = -0.9 * k * DT, qd[k] = -0.9;
    const arne_motion s = {SAMPLES, DT, q, qd};
    arne_description *d = lift(2, 19);
    d->joints[0].limits.velocity = 1;
    subject x = subject_of(d);
    for (int policy = ARNE_KEEP; policy <= ARNE_RESOLVE; policy++) {
        last_row last = {0};
        arne_joint_record j;
        arne_achievement a;
        const arne_achieve_options o = {.size = sizeof o, (arne_policy)policy, 7, take_row, &last};
        assert_int_equal(arne_achieve(&s, x.data, &o, &j, &a, NULL), ARNE_OK);
        assert_true(fabs(a.lost - 7.33) < 1e-9 && a.lost_joint == 0 && fabs(a.duration - 0.33) < 1e-9 && last.count == 33);
        assert_true(last.fastest <= 1 && j.speed == 0.9 && fabs(j.torque - 19.62) < 1e-9);
    }
    subject_close(&x);
}

static void faults_have_a_sentence(void **state)
{
    (void)state;
    double q[SAMPLES], qd[SAMPLES];
    arne_motion s = rise(q, qd);
    arne_joint_record j;
    arne_achievement a;
    arne_error e;
    arne_description *empty = lift(0, 22);
    empty->joints[0].friction.viscous = 100; /* saturates it */
    subject x = subject_of(empty);
    assert_int_equal(arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options)}, &j, &a, &e),
                     ARNE_UNSUPPORTED);
    assert_non_null(strstr(e.message, "singular at joint z"));
    subject_close(&x);

    x = subject_of(lift(2, 19));
    assert_int_equal(
        arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options), .policy = ARNE_SCALE}, &j, &a, &e),
        ARNE_UNSUPPORTED);
    q[3] = 1e100, qd[3] = 1e100;
    assert_int_equal(arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options)}, &j, &a, &e),
                     ARNE_OK);
    q[3] = INFINITY;
    assert_int_equal(arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options)}, &j, &a, &e),
                     ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "overflows at t = 0.03 s"));
    s.dt = 0;
    assert_int_equal(arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options)}, &j, &a, &e),
                     ARNE_BAD_ARGUMENT);
    assert_non_null(strstr(e.message, "interval"));
    subject_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saturated_motors_give_what_they_have), cmocka_unit_test(reactions_are_those_at_the_joint),
        cmocka_unit_test(a_slowed_motion_keeps_its_path),       cmocka_unit_test(a_joint_says_when_it_cannot_stop),
        cmocka_unit_test(what_passes_its_speed_limit_is_lost),  cmocka_unit_test(faults_have_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
