/* SPDX-License-Identifier: MIT
 *
 * smooth_test.c - fastest motions within limits of jerk and torque rate: closed forms of one joint, and any robot, its samples
 * differenced here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/plan.h"
#include "support/subject.h"

static const double DT = 0.001;
/* times beside theory; what differences of samples may be over a limit by */
static const double TIME = 0.01, WITHIN = 1e-6;
enum { RANDOM_PLANS = 3 };

/* 2 kg on a rail, no gravity */
static subject car(double velocity, double acceleration, double jerk, double rate)
{
    arne_description *d = arne_description_new("car");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "car", 0);
    arne_joint_description *j = arne_description_joint(d, "x", 0, ARNE_PRISMATIC, "base", "car");
    assert_true(l && j);
    l->body.mass = 2;
    d->gravity[2] = 0;
    j->limits = (arne_limits){-9, 9, velocity, acceleration, 1000, jerk, rate};
    return subject_of(d);
}

/* The plan, its samples differenced: jerks, rates of the motors' torques. NULL and a sentence: there is none. */
static arne_plan *smooth(subject *s, const double *points, int count, const arne_plan_options *o, arne_error *error)
{
    arne_curve *c;
    arne_plan *p;
    assert_int_equal(arne_curve_new(points, count, s->n, &c, NULL), ARNE_OK);
    const arne_status status = arne_plan_find(c, s->data, o, &p, error);
    arne_curve_free(c);
    if (status) return NULL;
    assert_true(arne_plan_smooth(p));
    const int n = s->n, rows = arne_plan_samples(p);
    double q[MOST_DOF], qd[2][MOST_DOF], qdd[2][MOST_DOF], tau[MOST_DOF], t[2][MOST_DOF],
        *use = calloc(ARNE_LIMIT_COUNT * MOST_DOF, sizeof *use);
    for (int k = 0; k < rows; k++) {
        double *v = qd[k % 2], *a = qdd[k % 2], *torque = t[k % 2], *before = t[(k + 1) % 2], rub[MOST_DOF];
        assert_int_equal(arne_plan_at(p, k * DT, q, v, a, NULL), ARNE_OK);
        if ((k == 0 || k == rows - 1) && (largest(n, a) > 1e-9 || largest(n, v) > 1e-9))
            fail_msg("%s: no rest at an end", s->name);
        arne_id(s->data, q, v, a, tau);
        arne_friction_torque(s->data, v, rub); /* no part of the rates: it jumps where a joint turns back */
        for (int i = 0; i < n; i++) tau[i] -= rub[i];
        arne_motor_torques(s->data, tau, torque);
        for (int i = 0; i < n && k > 0; i++) {
            const arne_limits *l = arne_joint_limits(s->m, i);
            const double jerk = fmin(l->jerk, o->jerk > 0 ? o->jerk : INFINITY),
                         rate = fmin(l->effort_rate, o->effort_rate > 0 ? o->effort_rate : INFINITY);
            const double gear = fabs(arne_joint_motor(s->m, i)->gear);
            if (fabs(a[i] - qdd[(k + 1) % 2][i]) / DT > jerk * (1 + WITHIN))
                fail_msg("%s: joint %d has a jerk of %g at %g s", s->name, i, (a[i] - qdd[(k + 1) % 2][i]) / DT, k * DT);
            if (gear * fabs(torque[i] - before[i]) / DT > rate * (1 + WITHIN))
                fail_msg("%s: motor %d changes by %g /s at %g s", s->name, i, gear * (torque[i] - before[i]) / DT, k * DT);
        }
        for (double at = k * DT; at < (k + 1) * DT && k + 1 < rows; at += 0.37 * DT) {
            arne_plan_use(p, s->data, at, use);
            if (largest(ARNE_EFFORT_RATE * n, use) > 1.001)
                fail_msg("%s: %g of a limit at %g s", s->name, largest(ARNE_EFFORT_RATE * n, use), at);
        }
    }
    free(use);
    return p;
}

static double duration(subject *s, const double *points, int count, double jerk, double rate)
{
    const arne_plan_options o = {.size = sizeof o, .dt = DT, .jerk = jerk, .effort_rate = rate};
    arne_error e = {0};
    arne_plan *p = smooth(s, points, count, &o, &e);
    if (!p) fail_msg("%s: %s", s->name, e.message);
    const double t = arne_plan_duration(p);
    arne_plan_free(p);
    return t;
}

/* A metre from rest to rest: J 1/4, 1/2, 1/4 of the time; with a limit A of acceleration A/J + sqrt((A/J)^2 + 4 d/A); with one
 * of velocity d/V + V/A + A/J. */
static void one_joint_has_closed_forms(void **state)
{
    (void)state;
    static const double way[2] = {0, 1};
    static const struct {
        double velocity, acceleration, jerk, rate, option_jerk, option_rate, time;
    } cases[] = {{INFINITY, INFINITY, 100, INFINITY, 0, 0, 0.68399},  {INFINITY, INFINITY, INFINITY, INFINITY, 100, 0, 0.68399},
                 {INFINITY, INFINITY, INFINITY, 200, 0, 0, 0.68399},  {INFINITY, INFINITY, INFINITY, 800, 0, 200, 0.68399},
                 {INFINITY, 3, 100, INFINITY, 0, 0, 1.18509},         {0.5, 3, 100, INFINITY, 1000, 0, 2.19667},
                 {INFINITY, INFINITY, 1e9, INFINITY, 0, 0, 0.0894427}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        subject s = car(cases[k].velocity, cases[k].acceleration, cases[k].jerk, cases[k].rate);
        const double t = duration(&s, way, 2, cases[k].option_jerk, cases[k].option_rate);
        if (!(fabs(t - cases[k].time) <= TIME * cases[k].time + 2 * DT))
            fail_msg("case %zu: %g s instead of %g s", k, t, cases[k].time);
        subject_close(&s);
    }
}

/* A motor of 6 N is as good as a limit of 3 m/s^2, one of 0.5 m/s as good as that of the joint; a jerk of 100 m/s^3 the first and
 * the last eighth of the way through is all of its limit, and a torque rate of 200 N/s the same. */
static void motors_limit_smooth_motions_too(void **state)
{
    (void)state;
    static const double way[2] = {0, 1};
    for (int k = 0; k < 3; k++) {
        arne_description *d = arne_description_new("car");
        assert_true(d && arne_description_link(d, "base", 0));
        arne_link_description *l = arne_description_link(d, "car", 0);
        arne_joint_description *j = arne_description_joint(d, "x", 0, ARNE_PRISMATIC, "base", "car");
        assert_true(l && j);
        l->body.mass = 2;
        d->gravity[2] = 0;
        j->limits = (arne_limits){-9, 9, INFINITY, INFINITY, k == 0 ? 6 : 1000, k == 2 ? INFINITY : 100, k == 2 ? 200 : INFINITY};
        if (k == 1) j->motor.gear = -4, j->motor.speed = 2, j->motor.effort = 1.5;
        subject s = subject_of(d);
        arne_curve *c;
        arne_plan *p;
        arne_error e;
        const arne_plan_options o = {.size = sizeof o, .dt = DT};
        assert_int_equal(arne_curve_new(way, 2, 1, &c, NULL), ARNE_OK);
        if (arne_plan_find(c, s.data, &o, &p, &e)) fail_msg("%s", e.message);
        const double T = arne_plan_duration(p), should = k == 0 ? 1.18509 : k == 1 ? 2.19667 : 0.68399;
        if (!(fabs(T - should) <= TIME * should + 2 * DT)) fail_msg("case %d: %g s instead of %g s", k, T, should);
        if (k == 2) {
            double use[ARNE_LIMIT_COUNT];
            for (int side = 0; side < 2; side++) {
                arne_plan_use(p, s.data, side ? T * 7 / 8 : T / 8, use);
                assert_true(use[ARNE_EFFORT_RATE] > 0.97 && use[ARNE_EFFORT_RATE] < 1.001 && use[ARNE_JERK] == 0);
            }
        }
        arne_plan_free(p);
        arne_curve_free(c);
        subject_close(&s);
    }
}

/* Torque limits that carry every load on the way and leave something to move with. */
static void random_robots_keep_them(void **state)
{
    (void)state;
    for (int number = 0; number < RANDOM_PLANS; number++) {
        const unsigned parts = number % 2 ? RANDOM_ALL : RANDOM_RIGID;
        arne_description *d = robot_number(shipped_robots() + number, parts);
        random_stream r = {(uint64_t)number + 5};
        for (size_t i = 0; i < d->njoint; i++) {
            d->joints[i].limits = (arne_limits){-INFINITY, INFINITY, 3, 20, 1e4, random_between(&r, 50, 500), INFINITY};
            d->joints[i].motor.effort = d->joints[i].motor.speed = INFINITY;
        }
        subject s = subject_of(d);
        double points[5 * MOST_DOF];
        const int count = 2 + number % 4;
        random_vector(&r, count * s.n, 1, points);
        const double slow = duration(&s, points, count, 0, number % 3 ? 2000 : 0), slower = duration(&s, points, count, 20, 0);
        if (!(slower > slow)) fail_msg("%s: %g s with less jerk, %g s with more", s.name, slower, slow);
        subject_close(&s);
    }
}

/* A fast motion uses some limit to 99 % most of the time; it changes from one to the other gently. */
static void two_links_use_what_they_have(void **state)
{
    (void)state;
    static const double points[] = {-1, 0.5, 0, 1, 1, 0.2};
    int k = 0;
    arne_description *d = robot_number(k, 0);
    while (strcmp(d->name, "planar2r")) {
        arne_description_free(d);
        d = robot_number(++k, 0);
    }
    subject s = subject_of(d);
    for (int rate = 0; rate < 2; rate++) {
        const arne_plan_options o = {.size = sizeof o, .dt = DT, .jerk = rate ? 0 : 500, .effort_rate = rate ? 3000 : 0};
        arne_error e;
        arne_plan *p = smooth(&s, points, 3, &o, &e);
        assert_non_null(p);
        double share[ARNE_LIMIT_COUNT * 2];
        arne_joint_record joints[2];
        arne_plan_records records = {.joints = joints, .share = share};
        assert_int_equal(arne_plan_follow(p, s.data, &records, NULL), ARNE_OK);
        if (!(records.active > 0.6)) fail_msg("case %d: at a limit %g of the time", rate, records.active);
        assert_true(share[(rate ? ARNE_EFFORT_RATE : ARNE_JERK) * 2] + share[(rate ? ARNE_EFFORT_RATE : ARNE_JERK) * 2 + 1] >
                    0.1);
        arne_plan_free(p);
    }
    subject_close(&s);
}

static void faults_have_a_sentence(void **state)
{
    (void)state;
    static const double way[2] = {0, 1};
    subject s = car(INFINITY, INFINITY, INFINITY, INFINITY);
    arne_plan_options o = {.size = sizeof o, .jerk = 10, .start_speed = 0.1};
    arne_error e;
    assert_null(smooth(&s, way, 2, &o, &e));
    assert_string_equal(e.message, "with limits of jerk or torque rate a motion starts and ends at rest");
    static const double wrong[] = {-1, NAN};
    for (int k = 0; k < 4; k++) {
        o = (arne_plan_options){.size = sizeof o, .jerk = k < 2 ? wrong[k] : 0, .effort_rate = k < 2 ? 0 : wrong[k - 2]};
        assert_null(smooth(&s, way, 2, &o, &e));
        assert_int_equal(e.status, ARNE_BAD_VALUE);
    }
    assert_false(arne_plan_smooth(NULL));
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_joint_has_closed_forms), cmocka_unit_test(motors_limit_smooth_motions_too),
        cmocka_unit_test(random_robots_keep_them),    cmocka_unit_test(two_links_use_what_they_have),
        cmocka_unit_test(faults_have_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
