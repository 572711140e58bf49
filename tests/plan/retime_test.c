/* SPDX-License-Identifier: MIT
 *
 * retime_test.c - verdicts with numbers by hand, and the policy scale: on the path, within all limits, to the end. */
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

/* positions on the path; demands beside their limits */
static const double ON_PATH = 1e-9, WITHIN = 1e-8;

enum { SAMPLES = 201, RANDOM_ROBOTS = FEWER(140) };
static const double DT = 0.01;

/* ---- a lift of 2 kg in gravity: force = 2 (9.81 + qdd) ---- */

static arne_description *lift(double effort)
{
    arne_description *d = arne_description_new("lift");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "car", 0);
    arne_joint_description *j = arne_description_joint(d, "z", 0, ARNE_PRISMATIC, "base", "car");
    assert_true(l && j);
    l->body.mass = 2;
    j->limits = (arne_limits){-100, 100, INFINITY, INFINITY, effort};
    return d;
}

/* up from rest with 3 m/s^2 for a second, velocities given */
static arne_motion rise(double *q, double *qd)
{
    for (int k = 0; k < 101; k++) {
        const double t = k * DT;
        q[k] = 1.5 * t * t;
        qd[k] = 3 * t;
    }
    return (arne_motion){101, DT, q, qd};
}

static void a_verdict_has_the_numbers_of_a_lift(void **state)
{
    (void)state;
    double q[101], qd[101];
    const arne_motion s = rise(q, qd);
    subject x = subject_of(lift(22));
    arne_data *light = test_data(x.m);
    arne_verdict v;
    /* 25.62 N of 22: in s times the time 19.62 + 6/s^2 */
    assert_int_equal(arne_judge(&s, x.data, NULL, &v, NULL), ARNE_OK);
    assert_int_equal(v.first.kind, ARNE_EFFORT);
    assert_int_equal(v.first.sample, 0);
    assert_true(fabs(v.first.demand - 25.62) < 1e-9 && v.first.limit == 22);
    assert_true(fabs(v.slower - sqrt(6 / 2.38)) < 1e-6);
    assert_true(isnan(v.lighter));
    subject_close(&x);
    arne_data_free(light);

    /* 30 N carry 2 kg and 0.34192 kg more up */
    x = subject_of(lift(30));
    light = test_data(x.m);
    arne_set_payload(arne_data_settings(x.data), 1, &(arne_body){.mass = 1});
    assert_int_equal(arne_judge(&s, x.data, light, &v, NULL), ARNE_OK);
    assert_int_equal(v.first.kind, ARNE_EFFORT);
    assert_true(fabs(v.lighter - (30 / 12.81 - 2)) < 1e-6);
    assert_int_equal(arne_judge(&s, light, NULL, &v, NULL), ARNE_OK);
    assert_int_equal(v.first.kind, ARNE_WITHIN);
    assert_true(v.slower == 1);
    arne_data_free(light);
    subject_close(&x);

    /* 19 N do not carry it at all */
    x = subject_of(lift(19));
    assert_int_equal(arne_judge(&s, x.data, NULL, &v, NULL), ARNE_OK);
    assert_true(isinf(v.slower));
    arne_plan *r;
    arne_error error;
    assert_int_equal(arne_retime(&s, x.data, &r, &error), ARNE_UNSUPPORTED);
    assert_non_null(strstr(error.message, "joint z"));
    assert_null(r);
    subject_close(&x);
}

/* ---- a table of two slides without gravity; 4 kg go along y behind a gear of -10, x stands ---- */

static subject table(arne_limits limits, double effort, double speed)
{
    static const char *const links[] = {"base", "x", "y"};
    arne_description *d = arne_description_new("table");
    assert_true(d && arne_description_link(d, links[0], 0));
    memset(d->gravity, 0, sizeof d->gravity);
    for (int i = 0; i < 2; i++) {
        arne_link_description *l = arne_description_link(d, links[i + 1], 0);
        arne_joint_description *j = arne_description_joint(d, links[i + 1], 0, ARNE_PRISMATIC, links[i], links[i + 1]);
        assert_true(l && j);
        l->body.mass = i ? 4 : 1;
        for (int c = 0; c < 3; c++) j->axis[c] = c == i;
        j->limits = i ? limits : (arne_limits){-9, 9, 9, 9, 1000};
        j->motor.gear = i ? -10 : 3;
        j->motor.effort = i ? effort : INFINITY, j->motor.speed = i ? speed : INFINITY;
    }
    return subject_of(d);
}

/* with 1 m/s^2 from rest, 0.1 s a sample, to either side: 4 N, 0.4 Nm at the shaft the other way round */
static void a_violation_says_who_when_and_how_much(void **state)
{
    (void)state;
    enum { ROWS = 6 };
    static const struct {
        arne_limits limits;
        double effort, speed;
        arne_limit_kind kind;
        int first, worst;
        double limit, demand[2], slower;
    } cases[] = {
        {{-0.05, 0.05, 9, 9, 1000}, 100, 1000, ARNE_POSITION, 4, 5, 0.05, {0.08, 0.125}, INFINITY},
        {{-9, 9, 0.25, 9, 1000}, 100, 1000, ARNE_VELOCITY, 3, 5, 0.25, {0.3, 0.5}, 2},
        {{-9, 9, 9, 0.8, 1000}, 100, 1000, ARNE_ACCELERATION, 0, 0, 0.8, {1, 1}, 1.118033988749895},
        {{-9, 9, 9, 9, 2.5}, 100, 1000, ARNE_EFFORT, 0, 0, 2.5, {4, 4}, 1.2649110640673518},
        {{-9, 9, 9, 9, 1000}, 0.25, 1000, ARNE_MOTOR_EFFORT, 0, 0, -0.25, {-0.4, -0.4}, 1.2649110640673518},
        {{-9, 9, 9, 9, 1000}, 100, 2.5, ARNE_MOTOR_SPEED, 3, 5, -2.5, {-3, -5}, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int side = -1; side <= 1; side += 2) {
            double q[ROWS][2] = {{0}}, qd[ROWS][2] = {{0}};
            for (int r = 0; r < ROWS; r++) q[r][1] = side * 0.5 * pow(0.1 * r, 2), qd[r][1] = side * 0.1 * r;
            const arne_motion s = {ROWS, 0.1, *q, *qd};
            subject x = table(cases[k].limits, cases[k].effort, cases[k].speed);
            arne_verdict v;
            assert_int_equal(arne_judge(&s, x.data, NULL, &v, NULL), ARNE_OK);
            for (int worst = 0; worst < 2; worst++) {
                const arne_violation *is = worst ? &v.worst : &v.first;
                assert_true(is->kind == cases[k].kind && is->joint == 1);
                assert_int_equal(is->sample, worst ? cases[k].worst : cases[k].first);
                if (!(fabs(is->limit - side * cases[k].limit) < 1e-12 &&
                      fabs(is->demand - side * cases[k].demand[worst]) < 1e-12))
                    fail_msg("case %zu: %g of %g", k, is->demand, is->limit);
            }
            assert_true(v.slower == cases[k].slower || fabs(v.slower - cases[k].slower) < 1e-6);
            arne_error e;
            qd[4][1] = INFINITY; /* the acceleration of the sample before */
            assert_int_equal(arne_judge(&s, x.data, NULL, &v, &e), ARNE_BAD_VALUE);
            assert_string_equal(e.message, "the torques of sample 4 are not finite: the numbers are too large");
            subject_close(&x);
        }
}

/* Positions alone: parabolas go through three samples each, so that a path of them is met everywhere; two samples make a line. */
static void a_parabola_is_followed_between_its_samples(void **state)
{
    (void)state;
    subject x = table((arne_limits){-9, 9, 9, 9, 1000}, 100, 1000);
    static const double c[2][3] = {{0.3, 0.2, 0.4}, {-0.5, 0.6, -0.3}};
    for (int count = 2; count <= 6; count++) {
        double q[6][2], at[2], qd[2], qdd[2];
        for (int k = 0; k < count; k++)
            for (int i = 0; i < 2; i++) q[k][i] = c[i][0] + 0.2 * k * (c[i][1] + (count > 2 ? 0.2 * k * c[i][2] : 0));
        const arne_motion s = {count, 0.2, *q, NULL};
        arne_plan *p;
        arne_error e;
        if (arne_retime(&s, x.data, &p, &e)) fail_msg("%s", e.message);
        assert_true(fabs(arne_plan_duration(p) - 0.2 * (count - 1)) < 1e-9);
        for (double t = 0; t <= 0.2 * (count - 1); t += 0.013) {
            double way;
            arne_plan_at(p, t, at, qd, qdd, &way);
            assert_true(fabs(way - t) < 1e-9);
            for (int i = 0; i < 2; i++) {
                const double bend = count > 2 ? c[i][2] : 0;
                assert_true(fabs(at[i] - (c[i][0] + t * (c[i][1] + t * bend))) < 1e-9);
                assert_true(fabs(qd[i] - (c[i][1] + 2 * t * bend)) < 1e-8 && fabs(qdd[i] - 2 * bend) < 1e-6);
            }
        }
        arne_plan_free(p);
    }
    subject_close(&x);
}

/* A lighter payload helps against torques alone; all of it is carried where nothing is in the way. */
static void what_a_lighter_payload_helps_against(void **state)
{
    (void)state;
    double q[101], qd[101];
    const arne_motion s = rise(q, qd); /* to 3 m/s; with its payload of 1 kg it asks for 38.43 N */
    static const struct {
        double effort, velocity, acceleration, lighter;
        arne_limit_kind first, worst;
        double coulomb;
    } cases[] = {
        {40, INFINITY, INFINITY, 1, ARNE_WITHIN, ARNE_WITHIN},
        {40, 2.5, INFINITY, -1, ARNE_VELOCITY, ARNE_VELOCITY},
        {40, INFINITY, 2, -1, ARNE_ACCELERATION, ARNE_ACCELERATION},
        {30, 1, INFINITY, -1, ARNE_EFFORT, ARNE_VELOCITY}, /* 3 of 1 m/s at the end */
        {19, INFINITY, 2.9, -1, ARNE_EFFORT, ARNE_EFFORT}, /* too heavy even without it */
        {30, INFINITY, INFINITY, 30 / 12.81 - 2, ARNE_EFFORT, ARNE_EFFORT},
        {30, INFINITY, INFINITY, (30 - 1.5) / 12.81 - 2, ARNE_EFFORT, ARNE_EFFORT, .coulomb = 1.5},
        {2 * 12.81 * (1 - 1e-10), INFINITY, INFINITY, 0, ARNE_EFFORT, ARNE_EFFORT}, /* rounding is no violation */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        arne_description *d = lift(cases[k].effort);
        d->joints[0].limits.velocity = cases[k].velocity;
        d->joints[0].limits.acceleration = cases[k].acceleration;
        d->joints[0].friction.coulomb = cases[k].coulomb;
        subject x = subject_of(d);
        arne_data *light = test_data(x.m);
        arne_set_payload(arne_data_settings(x.data), 1, &(arne_body){.mass = 1});
        arne_verdict v;
        assert_int_equal(arne_judge(&s, x.data, light, &v, NULL), ARNE_OK);
        assert_int_equal(v.first.kind, cases[k].first);
        assert_int_equal(v.worst.kind, cases[k].worst);
        if (!(fabs(v.lighter - cases[k].lighter) < 1e-6)) fail_msg("case %zu: %g instead of %g", k, v.lighter, cases[k].lighter);
        arne_data_free(light);
        subject_close(&x);
    }
}

static void a_lift_rises_with_what_it_has(void **state)
{
    (void)state;
    double q[101], qd[101];
    const arne_motion s = rise(q, qd);
    subject x = subject_of(lift(22));
    arne_plan *r;
    assert_int_equal(arne_retime(&s, x.data, &r, NULL), ARNE_OK);
    /* 1.5 m from rest with 1.19 m/s^2 */
    assert_true(fabs(arne_plan_duration(r) - sqrt(3 / 1.19)) < 0.02);
    arne_plan_free(r);
    subject_close(&x);
}

static void positions_beyond_limits_cannot_be_slowed_away(void **state)
{
    (void)state;
    double q[101], qd[101];
    const arne_motion s = rise(q, qd);
    arne_description *d = lift(100);
    d->joints[0].limits.upper = 1;
    subject x = subject_of(d);
    arne_verdict v;
    arne_plan *r;
    arne_error error;
    assert_int_equal(arne_judge(&s, x.data, NULL, &v, NULL), ARNE_OK);
    assert_int_equal(v.first.kind, ARNE_POSITION);
    assert_true(isinf(v.slower));
    assert_int_equal(arne_retime(&s, x.data, &r, &error), ARNE_UNSUPPORTED);
    assert_non_null(strstr(error.message, "leaves the limits of joint z"));
    subject_close(&x);
}

/* ---- any robot: cubic motions with their velocities, so that the path between samples is known ---- */

typedef struct {
    double c[MOST_DOF][4];
} cubic;

static void cubic_at(const cubic *p, int n, double t, double *q, double *qd)
{
    for (int i = 0; i < n; i++) {
        const double *c = p->c[i];
        q[i] = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
        if (qd) qd[i] = c[1] + t * (2 * c[2] + 3 * t * c[3]);
    }
}

/* Torque limits: what standing still and creeping takes anywhere on the path, and a part of what the motion takes beside it. */
static void limit_torques(subject *s, const arne_motion *m, random_stream *r, arne_description *d)
{
    double still[MOST_DOF] = {0}, moving[MOST_DOF] = {0}, qd[MOST_DOF], qdd[MOST_DOF], slow[MOST_DOF], zero[MOST_DOF] = {0},
           t[MOST_DOF];
    for (int k = 0; k < m->count; k++) {
        const double *q = m->q + k * s->n;
        arne_motion_at(m, s->n, k, qd, qdd);
        for (int i = 0; i < s->n; i++) slow[i] = 1e-3 * qd[i];
        arne_id(s->data, q, slow, zero, t);
        arne_motor_torques(s->data, t, t);
        for (int i = 0; i < s->n; i++) still[i] = fmax(still[i], fabs(t[i]));
        arne_id(s->data, q, qd, qdd, t);
        arne_motor_torques(s->data, t, t);
        for (int i = 0; i < s->n; i++) moving[i] = fmax(moving[i], fabs(t[i]));
    }
    for (int i = 0; i < s->n; i++) {
        const double part = random_between(r, 0.3, 1.2);
        for (size_t k = 0; k < d->njoint; k++)
            if (!strcmp(d->joints[k].name, arne_joint_name(s->m, i)))
                d->joints[k].motor.effort = 1.1 * still[i] + part * fmax(moving[i] - still[i], 0) + 1e-3;
    }
}

static void check_retimed(subject *s, const arne_motion *m, const cubic *path)
{
    const int n = s->n;
    const double whole = (m->count - 1) * DT;
    arne_plan *r;
    arne_error error;
    if (arne_retime(m, s->data, &r, &error)) fail_msg("%s: %s", s->name, error.message);
    const double T = arne_plan_duration(r);
    const long cycles = lround(T / DT);
    if (fabs(T - (double)cycles * DT) > 1e-9 * T || T < whole * (1 - 1e-9)) fail_msg("%s: it takes %.17g s", s->name, T);
    double before = 0, q[MOST_DOF], qd[MOST_DOF], qdd[MOST_DOF], on[MOST_DOF], tau[MOST_DOF], motor[MOST_DOF];
    for (long k = 0; k <= cycles; k++) {
        double at;
        assert_int_equal(arne_plan_at(r, (double)k * DT, q, qd, qdd, &at), ARNE_OK);
        if (at < before || at - before > DT * (1 + 1e-9)) fail_msg("%s: from %.17g to %.17g of the path", s->name, before, at);
        before = at;
        cubic_at(path, n, at, on, NULL);
        expect_near(s, "on the path", n, q, on, ON_PATH, 1);
        arne_id(s->data, q, qd, qdd, tau);
        arne_motor_torques(s->data, tau, motor);
        for (int i = 0; i < n; i++) {
            const double limit = arne_joint_motor(s->m, i)->effort;
            if (fabs(motor[i]) > limit * (1 + WITHIN))
                fail_msg("%s: joint %d at %g s: %.17g of %.17g", s->name, i, (double)k * DT, motor[i], limit);
            const double fastest = arne_joint_limits(s->m, i)->velocity;
            if (fabs(qd[i]) > fastest * (1 + WITHIN)) fail_msg("%s: joint %d is too fast", s->name, i);
        }
    }
    if (before != whole) fail_msg("%s: it ends at %.17g of %.17g", s->name, before, whole);
    assert_memory_equal(q, m->q + (m->count - 1) * n, (size_t)n * sizeof *q);
    arne_plan_free(r);
}

static void scaled_motions_stay_on_the_path_and_within_limits(void **state)
{
    (void)state;
    static double q[SAMPLES * MOST_DOF], qd[SAMPLES * MOST_DOF];
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        const unsigned parts = number % 4 == 3 ? RANDOM_ALL : number % 2 ? RANDOM_MOTORS | RANDOM_FRICTION : RANDOM_RIGID;
        arne_description *d = robot_number(number, parts);
        random_stream r = {(uint64_t)number + 7};
        cubic p = {0};
        for (size_t i = 0; i < d->njoint; i++) {
            d->joints[i].limits = (arne_limits){-INFINITY, INFINITY, random_between(&r, 0.5, 5), INFINITY, INFINITY};
            d->joints[i].motor.effort = INFINITY;
        }
        subject loose = subject_number(number, parts);
        const int n = loose.n;
        for (int i = 0; i < n; i++) random_vector(&r, 4, 1, p.c[i]);
        for (int k = 0; k < SAMPLES; k++) cubic_at(&p, n, k * DT, q + k * n, qd + k * n);
        const arne_motion m = {SAMPLES, DT, q, qd};
        limit_torques(&loose, &m, &r, d);
        subject_close(&loose);
        subject s = subject_of(d);
        check_retimed(&s, &m, &p);
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verdict_has_the_numbers_of_a_lift),
        cmocka_unit_test(a_violation_says_who_when_and_how_much),
        cmocka_unit_test(a_parabola_is_followed_between_its_samples),
        cmocka_unit_test(what_a_lighter_payload_helps_against),
        cmocka_unit_test(a_lift_rises_with_what_it_has),
        cmocka_unit_test(positions_beyond_limits_cannot_be_slowed_away),
        cmocka_unit_test(scaled_motions_stay_on_the_path_and_within_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
