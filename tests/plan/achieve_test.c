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
    /* it brakes with (30 + 19.62)/2: v^2/2/24.81 > 1.55 - q where t^2 (1.5 + 9/49.62) > 1.55, from 0.96014 s on */
    assert_true(fabs(j.no_stop - 1.97) < 1e-9);
    /* it needs no slowing, so that scale says the same, and its rows are at the same times */
    last_row last = {0};
    const arne_achieve_options scale = {.size = sizeof scale, ARNE_SCALE, 7, take_row, &last};
    assert_int_equal(arne_achieve(&s, x.data, &scale, &j, &a, NULL), ARNE_OK);
    assert_true(fabs(j.no_stop - 7.97) < 1e-9 && fabs(a.duration - 1) < 1e-9);
    assert_true(last.count == SAMPLES && fabs(last.t - 8) < 1e-9 && fabs(last.path - 8) < 1e-9);
    subject_close(&x);
}

/* Downwards from 3 m/s with (30 - 19.62)/2 against it: 0.867 m, and 0.9 m of room at first, 0.87 m, then less. */
static void a_joint_that_goes_down_cannot_stop_either(void **state)
{
    (void)state;
    double q[SAMPLES], qd[SAMPLES];
    for (int k = 0; k < SAMPLES; k++) q[k] = -0.03 * k, qd[k] = -3;
    const arne_motion s = {SAMPLES, DT, q, qd};
    arne_description *d = lift(2, 30);
    d->joints[0].limits.lower = -0.9;
    subject x = subject_of(d);
    arne_joint_record j;
    arne_achievement a;
    const arne_achieve_options o = {.size = sizeof o};
    assert_int_equal(arne_achieve(&s, x.data, &o, &j, &a, NULL), ARNE_OK);
    assert_true(fabs(j.no_stop - 0.02) < 1e-9);
    subject_close(&x);
}

/* Where nothing limits a speed: 20 times the fastest that is commanded, 0.05 m/s. It falls with 9.81 - 5 m/s^2 and is at 0.9639
 * m/s after 0.19 s, at 1.012 m/s after 0.2 s. */
static void what_runs_away_is_lost(void **state)
{
    (void)state;
    double q[SAMPLES], qd[SAMPLES];
    for (int k = 0; k < SAMPLES; k++) q[k] = -0.05 * k * DT, qd[k] = -0.05;
    const arne_motion s = {SAMPLES, DT, q, qd};
    subject x = subject_of(lift(2, 10));
    last_row last = {0};
    arne_joint_record j;
    arne_achievement a;
    const arne_achieve_options o = {.size = sizeof o, ARNE_KEEP, 7, take_row, &last};
    assert_int_equal(arne_achieve(&s, x.data, &o, &j, &a, NULL), ARNE_OK);
    assert_true(fabs(a.lost - 7.2) < 1e-9 && a.lost_joint == 0 && fabs(a.duration - 0.2) < 1e-9 && last.count == 20);
    subject_close(&x);
}

/* ---- reactions of trees ---- */

typedef struct {
    const subject *s;
    int rows;
    double most[4][MOST_DOF]; /* torque, force, moment, bending */
} bearings;

/* In the frame of its joint the reaction's part along the axis is what drives the joint; its force is what the judge says. */
static void look_at_bearings(void *context, const arne_motion_row *r)
{
    bearings *b = context;
    const subject *s = b->s;
    plain_move(s->judge, r->q, r->qd, r->qdd);
    for (int i = 0; i < s->n; i++) {
        const double *f = r->reaction + 6 * i, *m = f + 3;
        const arne_joint_description *j = s->judge->link[s->judge->joint_link[i]].joint;
        const double *axis = j->axis, length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        const double *along = j->type == ARNE_PRISMATIC ? f : m;
        double w[6];
        plain_reaction(s->judge, s->g, i, w);
        const double force = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), got = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        const double drives = (axis[0] * along[0] + axis[1] * along[1] + axis[2] * along[2]) / length;
        const double moment = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        const double turns = (axis[0] * m[0] + axis[1] * m[1] + axis[2] * m[2]) / length;
        const double scale = 1 + force + fabs(r->tau[i]) + moment;
        if (!(fabs(got - force) < 1e-9 * scale)) fail_msg("%s: joint %d carries %g N, not %g N", s->name, i, got, force);
        if (!(fabs(drives - r->tau[i]) < 1e-9 * scale))
            fail_msg("%s: joint %d is driven by %g, not %g", s->name, i, drives, r->tau[i]);
        const double is[4] = {fabs(r->tau[i]), got, moment, sqrt(fmax(0, moment * moment - turns * turns))};
        for (int k = 0; k < 4; k++) b->most[k][i] = fmax(b->most[k][i], is[k]);
    }
    b->rows++;
}

static void reactions_drive_the_joints(void **state)
{
    (void)state;
    enum { FEW = 6 };
    for (int seed = 0; seed < 4 * RANDOM_FAMILIES; seed++) {
        arne_description *d = random_robot((unsigned)seed);
        for (size_t i = 0; i < d->njoint; i++) d->joints[i].limits = (arne_limits){-INFINITY, INFINITY, INFINITY, INFINITY, 1e9};
        subject s = subject_of(d);
        double q[FEW * MOST_DOF], qd[FEW * MOST_DOF];
        arne_joint_record joints[MOST_DOF];
        arne_achievement a;
        bearings b = {.s = &s};
        const motion x = subject_motion(&s, 1);
        for (int k = 0; k < FEW; k++)
            for (int i = 0; i < s.n; i++) {
                const double t = 0.1 * k;
                q[k * s.n + i] = x.q[i] + t * (x.qd[i] + t / 2 * x.qdd[i]);
                qd[k * s.n + i] = x.qd[i] + t * x.qdd[i];
            }
        const arne_motion m = {FEW, 0.1, q, qd};
        const arne_achieve_options o = {.size = sizeof o, .row = look_at_bearings, .context = &b};
        assert_int_equal(arne_achieve(&m, s.data, &o, joints, &a, NULL), ARNE_OK);
        assert_int_equal(b.rows, FEW);
        for (int i = 0; i < s.n; i++) {
            const double is[4] = {joints[i].torque, joints[i].force, joints[i].moment, joints[i].bending};
            for (int k = 0; k < 4; k++) assert_true(fabs(is[k] - b.most[k][i]) < 1e-7 * (1 + joints[i].moment + joints[i].force));
        }
        subject_close(&s);
    }
}

/* Velocities from positions: the way to the next sample over dt, the last one held. */
static void positions_alone_make_velocities(void **state)
{
    (void)state;
    static const double q[4][2] = {{0, 5}, {1, 3}, {4, -1}, {9, 0}}, speeds[4][2] = {{2, -4}, {6, -8}, {10, 2}, {10, 2}};
    const arne_motion s = {4, 0.5, *q, NULL}, one = {1, 0.5, *q, NULL}, given = {4, 0.5, *q, *speeds};
    double qd[2], qdd[2];
    for (int k = 0; k < 4; k++)
        for (int with = 0; with < 2; with++) {
            assert_int_equal(arne_motion_at(with ? &given : &s, 2, k, qd, qdd), ARNE_OK);
            for (int i = 0; i < 2; i++)
                assert_true(qd[i] == speeds[k][i] && qdd[i] == (k < 3 ? (speeds[k + 1][i] - speeds[k][i]) / 0.5 : 0));
        }
    assert_int_equal(arne_motion_at(&one, 2, 0, qd, qdd), ARNE_OK);
    assert_true(qd[0] == 0 && qd[1] == 0 && qdd[0] == 0 && qdd[1] == 0);
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
    assert_string_equal(e.message, "the inertia matrix is singular at joint z: it moves no mass and no inertia");
    assert_int_equal(arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options)}, NULL, &a, &e),
                     ARNE_BAD_ARGUMENT);
    assert_string_equal(e.message, "a place for the records of the joints, and options with their size, are needed");
    subject_close(&x);

    x = subject_of(lift(2, 19));
    assert_int_equal(
        arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options), .policy = ARNE_SCALE}, &j, &a, &e),
        ARNE_UNSUPPORTED);
    q[3] = 1e100, qd[3] = 1e100;
    assert_int_equal(arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options)}, &j, &a, &e),
                     ARNE_OK);
    q[3] = INFINITY;
    assert_int_equal(
        arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options), .start = 2}, &j, &a, &e),
        ARNE_BAD_VALUE);
    assert_string_equal(e.message, "the motion overflows at t = 2.03 s: its numbers are too large");
    s.dt = 0;
    assert_int_equal(arne_achieve(&s, x.data, &(arne_achieve_options){.size = sizeof(arne_achieve_options)}, &j, &a, &e),
                     ARNE_BAD_ARGUMENT);
    assert_string_equal(e.message, "a motion has samples at an interval above 0; it needs data and a place");
    subject_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saturated_motors_give_what_they_have),
        cmocka_unit_test(reactions_are_those_at_the_joint),
        cmocka_unit_test(a_slowed_motion_keeps_its_path),
        cmocka_unit_test(a_joint_says_when_it_cannot_stop),
        cmocka_unit_test(what_passes_its_speed_limit_is_lost),
        cmocka_unit_test(faults_have_a_sentence),
        cmocka_unit_test(a_joint_that_goes_down_cannot_stop_either),
        cmocka_unit_test(what_runs_away_is_lost),
        cmocka_unit_test(reactions_drive_the_joints),
        cmocka_unit_test(positions_alone_make_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
