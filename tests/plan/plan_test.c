/* SPDX-License-Identifier: MIT
 *
 * plan_test.c - the fastest way along a path: closed forms, phase planes and dynamic programming computed here, and any robot.
 *
 * With a number as argument: that many random paths on random robots instead of a few. */
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

/* times beside theory: the grid is good to 0.3 %, time is rounded up to 1 ms */
static const double TIME = 0.01;
static int random_paths = 8;
/* between samples, at this part of their interval from each other, limits hold up to this part */
static const double BETWEEN = 0.2718281828, OVER = 1e-3;

typedef struct {
    int count, active; /* samples, and those at which some limit is used to 99 % */
    double *q, *qd, *u;
    double duration;
} sampled;

static void sampled_close(sampled *s)
{
    free(s->q);
    free(s->qd);
    free(s->u);
}

/* Plans, samples and has the samples judged. False: no timing; the reason is in error. */
static bool plan(subject *s, const double *points, int count, const arne_plan_options *o, sampled *out, arne_error *error)
{
    arne_curve *c = NULL;
    arne_plan *p = NULL;
    *out = (sampled){0};
    if (arne_curve_new(points, count, s->n, &c, error)) fail_msg("%s: %s", s->name, error->message);
    const arne_status status = arne_plan_find(c, s->data, o, &p, error);
    if (status) {
        assert_int_equal(status, ARNE_UNSUPPORTED);
        arne_curve_free(c);
        return false;
    }
    const double dt = o && o->dt > 0 ? o->dt : 0.001;
    const size_t n = (size_t)s->n, rows = (size_t)arne_plan_samples(p);
    *out = (sampled){.count = (int)rows,
                     .q = calloc(rows * n, sizeof(double)),
                     .qd = calloc(rows * n, sizeof(double)),
                     .u = calloc(rows, sizeof(double)),
                     .duration = arne_plan_duration(p)};
    double *qdd = calloc(n, sizeof *qdd), *use = calloc(ARNE_LIMIT_COUNT * n, sizeof *use), before = 0;
    assert_true(out->q && out->qd && out->u && qdd && use);
    for (double t = 0; t < out->duration; t += BETWEEN * dt) {
        arne_plan_use(p, s->data, t, use);
        if (largest((int)(ARNE_LIMIT_COUNT * n), use) > 1 + OVER)
            fail_msg("%s: %.6g of a limit at %.9g s", s->name, largest((int)(ARNE_LIMIT_COUNT * n), use), t);
    }
    for (size_t k = 0; k < rows; k++) {
        double at;
        assert_int_equal(arne_plan_at(p, (double)k * dt, out->q + k * n, out->qd + k * n, qdd, &at), ARNE_OK);
        if (at < before) fail_msg("%s: goes back", s->name);
        before = at;
        arne_plan_use(p, s->data, (double)k * dt, use);
        out->active += largest((int)(ARNE_LIMIT_COUNT * n), use) >= 0.99;
        double along = 0, way = 0;
        for (size_t i = 0; i < n; i++) along += qdd[i] * (points[n + i] - points[i]), way += pow(points[n + i] - points[i], 2);
        out->u[k] = along / way; /* s'' on a straight line, in parts of its length */
    }
    expect_near(s, "start", s->n, out->q, points, 1e-12, 1);
    expect_near(s, "end", s->n, out->q + (rows - 1) * n, points + (size_t)(count - 1) * n, 1e-12, 1);
    const arne_motion m = {out->count, dt, out->q, out->qd};
    arne_verdict v;
    assert_int_equal(arne_judge(&m, s->data, NULL, &v, NULL), ARNE_OK);
    if (v.first.kind)
        fail_msg("%s: sample %d of %d: joint %d asks for %s %.15g of %.15g", s->name, v.first.sample, out->count, v.first.joint,
                 arne_limit_words(v.first.kind), v.first.demand, v.first.limit);
    free(qdd);
    free(use);
    arne_plan_free(p);
    arne_curve_free(c);
    return true;
}

static double duration_of(subject *s, const double *points, int count, const arne_plan_options *o, double *active)
{
    sampled m;
    arne_error error;
    if (!plan(s, points, count, o, &m, &error)) fail_msg("%s: %s", s->name, error.message);
    if (active) *active = (double)m.active / m.count;
    sampled_close(&m);
    return m.duration;
}

static void expect_time(double is, double should)
{
    if (!(fabs(is - should) <= TIME * should)) fail_msg("%.6g s instead of %.6g s", is, should);
}

/* ---- one joint ---- */

static subject one_joint(arne_joint_type type, const double axis[3], double mass, double arm, arne_limits limits,
                         arne_friction friction)
{
    arne_description *d = arne_description_new("one");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "car", 0);
    arne_joint_description *j = arne_description_joint(d, "z", 0, type, "base", "car");
    assert_true(l && j);
    l->body.mass = mass;
    l->body.com[0] = arm;
    memcpy(j->axis, axis, sizeof j->axis);
    j->limits = limits;
    j->friction.coulomb = friction.coulomb, j->friction.viscous = friction.viscous;
    return subject_of(d);
}

static const arne_friction NO_FRICTION = {0};
static const double X[3] = {1, 0, 0}, PI = 3.14159265358979323846;
static const double ONE_METRE[2] = {0, 1};

static void a_car_goes_full_throttle_then_full_brake(void **state)
{
    (void)state;
    subject s = one_joint(ARNE_PRISMATIC, X, 2, 0, (arne_limits){-9, 9, INFINITY, INFINITY, 4}, NO_FRICTION);
    double active;
    expect_time(duration_of(&s, ONE_METRE, 2, NULL, &active), 2 * sqrt(1 / 2.0));
    assert_true(active > 0.98);
    subject_close(&s);
    s = one_joint(ARNE_PRISMATIC, X, 2, 0, (arne_limits){-9, 9, INFINITY, 3, 1000}, NO_FRICTION);
    expect_time(duration_of(&s, ONE_METRE, 2, NULL, &active), 2 * sqrt(1 / 3.0));
    assert_true(active > 0.98);
    subject_close(&s);
}

static void a_speed_limit_makes_a_trapezoid(void **state)
{
    (void)state;
    subject s = one_joint(ARNE_PRISMATIC, X, 2, 0, (arne_limits){-9, 9, 0.5, INFINITY, 4}, NO_FRICTION);
    expect_time(duration_of(&s, ONE_METRE, 2, NULL, NULL), 1 / 0.5 + 0.5 / 2);
    const arne_plan_options half = {.size = sizeof half, .velocity_scale = 0.5};
    expect_time(duration_of(&s, ONE_METRE, 2, &half, NULL), 1 / 0.25 + 0.25 / 2);
    /* in at 0.5 m/s, out at 0.3 m/s: 1 m at 0.5 m/s but for the braking, 0.1 s at 0.4 m/s instead of 0.5 m/s */
    const arne_plan_options moving = {.size = sizeof moving, .start_speed = 0.5, .end_speed = 0.3};
    expect_time(duration_of(&s, ONE_METRE, 2, &moving, NULL), 0.1 + (1 - 0.04) / 0.5);
    subject_close(&s);
}

/* A table that moves 1 m along x and 0.5 m along y, 3 kg and 1 kg: of z = 10 s^3 - 15 s^4 + 6 s^5 z' is 15/8 at most, z''
 * 10/sqrt 3. */
static void a_smooth_time_law_is_as_slow_as_its_worst_joint(void **state)
{
    (void)state;
    static const double bend = 5.773502691896258, points[4] = {0, 0, 1, 0.5};
    const struct {
        double force[2], speed[2], time;
    } tables[] = {{{1000, 4}, {9, 9}, sqrt(bend * 1 * 0.5 / 4)},
                  {{4, 1000}, {9, 9}, sqrt(bend * 3 * 1 / 4)},
                  {{1000, 1000}, {0.5, 9}, 15 / 8.0 / 0.5},
                  {{1000, 1000}, {9, 0.1}, 15 / 8.0 * 0.5 / 0.1}};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        arne_description *d = arne_description_new("table");
        static const char *const links[] = {"base", "x", "y"};
        assert_true(d && arne_description_link(d, links[0], 0));
        for (int i = 0; i < 2; i++) {
            arne_link_description *l = arne_description_link(d, links[i + 1], 0);
            arne_joint_description *j = arne_description_joint(d, links[i + 1], 0, ARNE_PRISMATIC, links[i], links[i + 1]);
            assert_true(l && j);
            l->body.mass = 2 - i;
            memcpy(j->axis, (double[3]){i == 0, i == 1, 0}, sizeof j->axis);
            j->limits = (arne_limits){-9, 9, tables[k].speed[i], INFINITY, tables[k].force[i]};
        }
        subject s = subject_of(d);
        arne_curve *c;
        arne_plan *p;
        double duration;
        assert_int_equal(arne_curve_new(points, 2, 2, &c, NULL), ARNE_OK);
        assert_int_equal(arne_plan_find(c, s.data, NULL, &p, NULL), ARNE_OK);
        assert_int_equal(arne_plan_uniform(p, s.data, &duration, NULL), ARNE_OK);
        expect_time(duration, tables[k].time);
        arne_plan_free(p);
        arne_curve_free(c);
        subject_close(&s);
    }
}

/* ---- a table behind gears, 3 kg along x and 1 kg along y, 3 m/s^2 of gravity against y ---- */

/* x: the motor carries 30 N of 40, turns for 1.5 m/s of 2; y: the joint has 8 N of 50, 1 m/s of 20 */
static subject geared_table(double jerk, double rate)
{
    static const char *const links[] = {"base", "x", "y"};
    arne_description *d = arne_description_new("table");
    assert_true(d && arne_description_link(d, links[0], 0));
    memcpy(d->gravity, (const double[3]){0, -3, 0}, sizeof d->gravity);
    for (int i = 0; i < 2; i++) {
        arne_link_description *l = arne_description_link(d, links[i + 1], 0);
        arne_joint_description *j = arne_description_joint(d, links[i + 1], 0, ARNE_PRISMATIC, links[i], links[i + 1]);
        assert_true(l && j);
        l->body.mass = 2 - i;
        for (int c = 0; c < 3; c++) j->axis[c] = c == i;
        j->limits = i ? (arne_limits){-9, 9, 1, INFINITY, 8, INFINITY, rate} : (arne_limits){-9, 9, 2, 9, 40, jerk, INFINITY};
        j->motor.gear = i ? 5 : -10;
        j->motor.effort = i ? 10 : 3, j->motor.speed = i ? 100 : 15;
    }
    return subject_of(d);
}

/* Parts of limits by hand: speeds of half of what is allowed, accelerations, 30 N at the shaft of x and 8 N at y. What a plan is
 * told to have used is what its samples use. */
static void a_plan_tells_what_it_uses(void **state)
{
    (void)state;
    static const double points[6] = {0, 0, 1, 0.4, 1.5, -0.2};
    for (int smooth = 0; smooth < 2; smooth++) {
        subject s = geared_table(smooth ? 300 : INFINITY, smooth ? 400 : INFINITY);
        const arne_plan_options o = {.size = sizeof o, .velocity_scale = 0.5, .dt = 0.002, .jerk = smooth ? 200 : 0};
        arne_curve *c;
        arne_plan *p;
        arne_error e;
        assert_int_equal(arne_curve_new(points, 3, 2, &c, NULL), ARNE_OK);
        if (arne_plan_find(c, s.data, &o, &p, &e)) fail_msg("%s", e.message);
        assert_true(arne_plan_smooth(p) == smooth);
        double use[ARNE_LIMIT_COUNT][2], most[3][2] = {{0}}, share[ARNE_LIMIT_COUNT][2] = {{0}}, active = 0;
        const int samples = arne_plan_samples(p);
        for (int k = 0; k < samples; k++) {
            double q[2], qd[2], qdd[2], jerk[2][2], force[2][2];
            const double t = 0.002 * k, T = arne_plan_duration(p), from = fmax(0, t - 0.0005), to = fmin(t + 0.0005, T);
            arne_plan_at(p, t, q, qd, qdd, NULL);
            const double tau[2] = {3 * qdd[0], qdd[1] + 3};
            double want[ARNE_LIMIT_COUNT][2] = {{0}};
            for (int i = 0; i < 2; i++) want[ARNE_VELOCITY][i] = fabs(qd[i]) / (i ? 0.5 : 1);
            want[ARNE_MOTOR_SPEED][0] = fabs(qd[0]) / 0.75;
            want[ARNE_ACCELERATION][0] = fabs(qdd[0]) / 9;
            want[ARNE_MOTOR_EFFORT][0] = fabs(tau[0]) / 30, want[ARNE_EFFORT][1] = fabs(tau[1]) / 8;
            if (smooth) { /* jerk of x: 200 of the option, less than its own 300; of y the option's too */
                const double h = 1e-7, near[2] = {fmax(t - h, 0), fmin(t + h, T)}, ends[2] = {from, to};
                for (int side = 0; side < 2; side++) {
                    arne_plan_at(p, near[side], q, qd, jerk[side], NULL);
                    arne_plan_at(p, ends[side], q, qd, qdd, NULL);
                    force[side][0] = 3 * qdd[0], force[side][1] = qdd[1] + 3;
                }
                for (int i = 0; i < 2; i++) want[ARNE_JERK][i] = fabs(jerk[1][i] - jerk[0][i]) / (near[1] - near[0]) / 200;
                want[ARNE_EFFORT_RATE][1] = fabs(force[1][1] - force[0][1]) / (to - from) / 400;
            }
            assert_int_equal(arne_plan_use(p, s.data, t, *use), ARNE_OK);
            bool some = false;
            for (int kind = 0; kind < ARNE_LIMIT_COUNT; kind++)
                for (int i = 0; i < 2; i++) {
                    /* a jerk may jump from one interval of the grid to the next */
                    const double allowed = kind == ARNE_JERK ? 0.05 : 1e-6;
                    if (!(fabs(use[kind][i] - want[kind][i]) < allowed))
                        fail_msg("%s of joint %d at %g s: %g, not %g", arne_limit_words((arne_limit_kind)kind), i, t,
                                 use[kind][i], want[kind][i]);
                    share[kind][i] += use[kind][i] >= 0.99 ? 1.0 / samples : 0;
                    some = some || use[kind][i] >= 0.99;
                }
            active += some ? 1.0 / samples : 0;
            arne_plan_at(p, t, q, qd, qdd, NULL);
            for (int i = 0; i < 2; i++) {
                most[0][i] = fmax(most[0][i], fabs(tau[i]));
                most[1][i] = fmax(most[1][i], fabs(tau[i]) / (i ? 5 : 10));
                most[2][i] = fmax(most[2][i], fabs(qd[i]));
            }
        }
        arne_joint_record joints[2];
        double told[ARNE_LIMIT_COUNT][2];
        arne_plan_records r = {.joints = joints, .share = *told};
        assert_int_equal(arne_plan_follow(p, s.data, &r, NULL), ARNE_OK);
        assert_true(fabs(r.active - active) < 1e-9);
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(joints[i].torque - most[0][i]) < 1e-9 && fabs(joints[i].motor - most[1][i]) < 1e-9);
            assert_true(fabs(joints[i].speed - most[2][i]) < 1e-9 && isnan(joints[i].no_stop) && joints[i].away == 0);
            for (int kind = 0; kind < ARNE_LIMIT_COUNT; kind++) assert_true(fabs(told[kind][i] - share[kind][i]) < 1e-9);
        }
        arne_plan_free(p);
        arne_curve_free(c);
        subject_close(&s);
    }
}

/* A motor of 1.5 m/s at x, of which half may be used; 1 m with 15/8 of the mean speed. */
static void a_smooth_time_law_keeps_the_speed_that_is_allowed(void **state)
{
    (void)state;
    static const double points[4] = {0, 0, 1, 0.1};
    subject s = geared_table(INFINITY, INFINITY);
    const arne_plan_options half = {.size = sizeof half, .velocity_scale = 0.5};
    arne_curve *c;
    arne_plan *p;
    double duration;
    assert_int_equal(arne_curve_new(points, 2, 2, &c, NULL), ARNE_OK);
    assert_int_equal(arne_plan_find(c, s.data, &half, &p, NULL), ARNE_OK);
    assert_int_equal(arne_plan_uniform(p, s.data, &duration, NULL), ARNE_OK);
    assert_true(fabs(duration - 15 / 8.0 / 0.75) < 1e-4);
    arne_error e;
    assert_int_equal(arne_plan_uniform(p, s.data, NULL, &e), ARNE_BAD_ARGUMENT);
    assert_string_equal(e.message, "the time of a smooth law needs a plan, data of its robot, and a place");
    arne_plan_free(p);
    arne_curve_free(c);
    subject_close(&s);
}

/* ---- sentences ---- */

static void expect_refused(subject *s, const double *points, int count, arne_plan_options o, const char *says)
{
    sampled m;
    arne_error e;
    o.size = sizeof o;
    assert_false(plan(s, points, count, &o, &m, &e));
    assert_string_equal(e.message, says);
}

/* The number behind a word of a sentence. */
static double told(const char *sentence, const char *word)
{
    const char *at = strstr(sentence, word);
    if (!at) fail_msg("\"%s\" does not say \"%s\"", sentence, word);
    return strtod(at + strlen(word), NULL);
}

static void sentences_say_where_and_how_much(void **state)
{
    (void)state;
    static const double up[2] = {0, 7}, down[2] = {0, -7}, over[3] = {0, 6, 7}, far_up[2] = {0, 4};
    /* with speed at both ends a grid of seven has all its points a metre apart */
    const arne_plan_options metres = {.grid = 7, .start_speed = 0.1, .end_speed = 0.1};
    subject s = one_joint(ARNE_PRISMATIC, X, 2, 0, (arne_limits){-1.5, 5, 3, INFINITY, 4}, NO_FRICTION);
    expect_refused(
        &s, up, 2, metres,
        "the path leaves the limits of joint z at 85.7 % of the way from point 1 to 2 (6, limits -1.5 ... 5): no slower "
        "motion stays inside");
    expect_refused(
        &s, down, 2, metres,
        "the path leaves the limits of joint z at 28.6 % of the way from point 1 to 2 (-2, limits -1.5 ... 5): no slower "
        "motion stays inside");
    expect_refused(&s, over, 3, metres,
                   "the path leaves the limits of joint z at point 2 (6, limits -1.5 ... 5): no slower motion stays inside");
    expect_refused(&s, far_up, 2, (arne_plan_options){.end_speed = 100},
                   "the path cannot end at a speed of 100: velocities allow 3");
    expect_refused(&s, far_up, 2, (arne_plan_options){.end_speed = 100, .velocity_scale = 0.5},
                   "the path cannot end at a speed of 100: velocities allow 1.5");
    expect_refused(&s, ONE_METRE, 2, (arne_plan_options){.start_speed = 2.5},
                   "the path cannot start at a speed of 2.5: from 0 to 2 the end can be reached");
    expect_refused(&s, ONE_METRE, 2, (arne_plan_options){.jerk = 1, .start_speed = 0.5},
                   "with limits of jerk or torque rate a motion starts and ends at rest");
    expect_refused(&s, ONE_METRE, 2, (arne_plan_options){.effort_rate = 1, .end_speed = 0.5},
                   "with limits of jerk or torque rate a motion starts and ends at rest");
    /* 2 million samples of a microsecond: 32 m/(0.01 m/s^3) take 14.7 s */
    expect_refused(&s, ONE_METRE, 2, (arne_plan_options){.jerk = 0.01, .dt = 1e-6},
                   "the motion takes more than 2 s, the longest at this interval of samples");
    subject_close(&s);
    sampled m;
    arne_error e;
    /* 0.1 m/s all the way: 0.2 m in 2 s */
    s = one_joint(ARNE_PRISMATIC, X, 2, 0, (arne_limits){-9, 9, 0.1, INFINITY, 1000}, NO_FRICTION);
    assert_false(plan(&s, ONE_METRE, 2, &(arne_plan_options){.size = sizeof(arne_plan_options), .dt = 1e-6}, &m, &e));
    assert_non_null(
        strstr(e.message, "the robot needs more than 2 s, the longest motion at this interval of samples, to come to "));
    assert_true(fabs(told(e.message, "to come to ") - 20) < 1);
    subject_close(&s);
    /* a pendulum of 9.81 Nm at the horizon, 8 Nm */
    const double axis[3] = {0, -1, 0};
    static const double to_horizon[2] = {-1.5, 0}, through[2] = {-0.8, 0.8}, over_it[2] = {-1.5, 1.4};
    s = one_joint(ARNE_REVOLUTE, axis, 1, 1, (arne_limits){-3, 3, INFINITY, INFINITY, 8}, NO_FRICTION);
    expect_refused(&s, to_horizon, 2, (arne_plan_options){0},
                   "the robot cannot stand still at point 2: joint z needs 9.81 to carry its load and has 8");
    expect_refused(&s, through, 2, (arne_plan_options){0},
                   "the robot cannot follow this path and stop: from point 1 on no speed keeps the limits of joint z");
    subject_close(&s);
    /* and at 1 rad/s it does not swing through */
    s = one_joint(ARNE_REVOLUTE, axis, 1, 1, (arne_limits){-3, 3, 1, INFINITY, 8}, NO_FRICTION);
    assert_false(plan(&s, over_it, 2, NULL, &m, &e));
    const double angle = -1.5 + 2.9 * told(e.message, "the robot cannot follow this path at any speed: at ") / 100;
    assert_true(fabs(told(e.message, " of the way from point 1 to 2 joint z needs ") - 9.81 * cos(angle)) < 0.1);
    assert_true(told(e.message, " to carry its load and to overcome friction, and has ") == 8 && 9.81 * cos(angle) > 7.9);
    subject_close(&s);
}

/* friction: (4 - 1) N drive 2 kg, (4 + 1) N brake it; the speeds meet where 1.5 s = 2.5 (1 - s) */
static void friction_helps_to_brake(void **state)
{
    (void)state;
    subject s = one_joint(ARNE_PRISMATIC, X, 2, 0, (arne_limits){-9, 9, INFINITY, INFINITY, 4}, (arne_friction){.coulomb = 1});
    const double top = sqrt(2 * 1.5 * 2.5 / 4);
    expect_time(duration_of(&s, ONE_METRE, 2, NULL, NULL), top / 1.5 + top / 2.5);
    subject_close(&s);
}

/* viscous: 2 v' = 4 - 6 v from rest, 2 v' = -4 - 6 v at the end; integrated here in small steps, the switch found by bisection */
static double viscous_run(double switch_time, double *time)
{
    const double dt = 1e-4;
    double v = 0, way = 0, t = 0;
    while (t < switch_time) {
        v += dt * (4 - 6 * v) / 2;
        way += dt * v;
        t += dt;
    }
    while (v > 0) {
        v -= dt * (4 + 6 * v) / 2;
        way += dt * v;
        t += dt;
    }
    *time = t;
    return way;
}

static void viscous_friction_bounds_the_speed(void **state)
{
    (void)state;
    subject s = one_joint(ARNE_PRISMATIC, X, 2, 0, (arne_limits){-9, 9, INFINITY, INFINITY, 4}, (arne_friction){.viscous = 6});
    double low = 0, high = 10, time = 0;
    for (int k = 0; k < 40; k++) {
        const double middle = (low + high) / 2;
        *(viscous_run(middle, &time) < 1 ? &low : &high) = middle;
    }
    expect_time(duration_of(&s, ONE_METRE, 2, NULL, NULL), time);
    subject_close(&s);
}

/* ---- a pendulum, 1 kg at 1 m: q'' = t - 9.81 cos(angle above the horizon) ---- */

/* Phase plane: v^2/2 is the work of the full torque from the start, or to the end, whichever is less. */
static double swing(double from, double to, double torque)
{
    enum { STEPS = 200000 };
    double t = 0;
    for (int k = 0; k < STEPS; k++) {
        /* angle = (1 - cos z)/2 of the way: 1/v is infinite at both ends */
        const double z = PI * (k + 0.5) / STEPS, a = from + (to - from) * (1 - cos(z)) / 2;
        const double up = torque * (a - from) - 9.81 * (sin(a) - sin(from)), down = torque * (to - a) + 9.81 * (sin(to) - sin(a));
        t += (to - from) / 2 * sin(z) * PI / STEPS / sqrt(2 * fmin(up, down));
    }
    return t;
}

static void a_pendulum_follows_its_phase_plane(void **state)
{
    (void)state;
    /* about -y an angle q lifts the arm along x */
    const double axis[3] = {0, -1, 0}, weak = 8;
    const double lift[2] = {-1, 0.7}, over[2] = {-1.5, 1.4};
    subject s = one_joint(ARNE_REVOLUTE, axis, 1, 1, (arne_limits){-3, 3, INFINITY, INFINITY, 14}, NO_FRICTION);
    double active;
    expect_time(duration_of(&s, lift, 2, NULL, &active), swing(lift[0], lift[1], 14));
    assert_true(active > 0.97);
    subject_close(&s);
    /* it cannot stand at the horizon, but swings through */
    s = one_joint(ARNE_REVOLUTE, axis, 1, 1, (arne_limits){-3, 3, INFINITY, INFINITY, weak}, NO_FRICTION);
    expect_time(duration_of(&s, over, 2, NULL, NULL), swing(over[0], over[1], weak));
    /* not slowly, and not from there */
    sampled m;
    arne_error error;
    const double short_way[2] = {-0.8, 0.8}, slow[2] = {-1.5, 1.4};
    assert_false(plan(&s, short_way, 2, NULL, &m, &error) && m.count);
    assert_false(plan(&s, (const double[2]){0, 1.4}, 2, NULL, &m, &error));
    assert_non_null(strstr(error.message, "cannot stand still at point 1: joint z needs 9.81"));
    subject_close(&s);
    s = one_joint(ARNE_REVOLUTE, axis, 1, 1, (arne_limits){-3, 3, 1, INFINITY, weak}, NO_FRICTION);
    assert_false(plan(&s, slow, 2, NULL, &m, &error));
    assert_non_null(strstr(error.message, "joint z"));
    subject_close(&s);
}

/* ---- two links, by hand (robots/planar2r.yaml) ---- */

/* the arm and its torques along q = from + s (to - from): t = a u + b x + c */
static void line_at(const double from[2], const double to[2], double s, double a[2], double b[2], double c[2])
{
    const double d[2] = {to[0] - from[0], to[1] - from[1]}, q1 = from[0] + s * d[0], q2 = from[1] + s * d[1];
    const double c2 = cos(q2), s2 = sin(q2);
    a[0] = (5 + 3 * c2) * d[0] + (1 + 1.5 * c2) * d[1];
    a[1] = (1 + 1.5 * c2) * d[0] + d[1];
    b[0] = -1.5 * s2 * (2 * d[0] * d[1] + d[1] * d[1]);
    b[1] = 1.5 * s2 * d[0] * d[0];
    c[0] = 44.145 * cos(q1) + 14.715 * cos(q1 + q2);
    c[1] = 14.715 * cos(q1 + q2);
}

/* u that the limits allow at s, h behind the place where x is; false: none */
static bool allowed(const double from[2], const double to[2], const double limit[2], double s, double h, double x, double u[2])
{
    double a[2], b[2], c[2];
    line_at(from, to, s, a, b, c);
    u[0] = -INFINITY, u[1] = INFINITY;
    for (int k = 0; k < 2; k++) {
        const double A = a[k] + 2 * h * b[k], p = (-limit[k] - b[k] * x - c[k]) / A, r = (limit[k] - b[k] * x - c[k]) / A;
        u[0] = fmax(u[0], fmin(p, r));
        u[1] = fmin(u[1], fmax(p, r));
    }
    return u[0] <= u[1];
}

/* Least time from every (s, x) to rest at the end, by dynamic programming on a fine grid: over x linearly interpolated times,
 * over u the whole allowed range in steps. */
static double by_programming(const double from[2], const double to[2], const double limit[2], double fastest)
{
    enum { S = 100, X_STEPS = 2000, U = 40 };
    static double best[2][X_STEPS + 1];
    const double h = 1.0 / S;
    double *next = best[0], *now = best[1];
    for (int i = S - 1; i >= 0; i--) {
        for (int j = 0; j <= X_STEPS; j++) {
            /* x = fastest (j/X_STEPS)^2: fine where it is slow */
            const double z = (double)j / X_STEPS, x = fastest * z * z;
            double u[2];
            now[j] = INFINITY;
            if (!allowed(from, to, limit, (i + 0.5) * h, h / 2, x, u)) continue;
            if (i == S - 1) { /* the one u that ends at rest */
                if (x > 0 && -x / (2 * h) >= u[0] && -x / (2 * h) <= u[1]) now[j] = 2 * h / sqrt(x);
                continue;
            }
            for (int k = 0; k <= U; k++) {
                const double then = x + 2 * h * (u[0] + (u[1] - u[0]) * k / U);
                if (then < 0 || then >= fastest) continue;
                const double place = sqrt(then / fastest) * X_STEPS, part = place - floor(place);
                const int low = (int)place;
                const double rest = next[low] * (1 - part) + next[low + 1] * part, speeds = sqrt(x) + sqrt(then);
                if (speeds > 0) now[j] = fmin(now[j], rest + 2 * h / speeds);
            }
        }
        double *swap = next;
        next = now, now = swap;
    }
    return next[0];
}

/* How often u turns back by more than a tenth of its range. */
static int swings(const sampled *m)
{
    double low = INFINITY, high = -INFINITY, turn = m->u[0];
    int count = 0, way = 0;
    for (int k = 0; k < m->count; k++) low = fmin(low, m->u[k]), high = fmax(high, m->u[k]);
    for (int k = 0; k < m->count; k++) {
        const double move = m->u[k] - turn;
        if (way * move > 0 || fabs(move) < 0.1 * (high - low)) {
            if (way * move > 0) turn = m->u[k];
            continue;
        }
        way = move > 0 ? 1 : -1;
        turn = m->u[k];
        count++;
    }
    return count;
}

static subject shipped(const char *name, bool speed_limits)
{
    int k = 0;
    arne_description *d = robot_number(k, 0);
    while (strcmp(d->name, name)) {
        arne_description_free(d);
        d = robot_number(++k, 0);
    }
    for (size_t i = 0; i < d->njoint && !speed_limits; i++) d->joints[i].limits.velocity = INFINITY;
    return subject_of(d);
}

/* In the last line the inertia that joint 2 feels along the path changes its sign: no motor chatters there. */
static void two_links_agree_with_dynamic_programming(void **state)
{
    (void)state;
    static const double lines[][4] = {{-1.2, 0.4, 0.9, 1.5}, {1.5, -0.8, 0.2, 1.1}, {-2, 2, 1, -0.5}}, limit[2] = {200, 100};
    subject s = shipped("planar2r", false);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const double time = by_programming(lines[k], lines[k] + 2, limit, 60);
        sampled m;
        arne_error error;
        if (!plan(&s, lines[k], 2, NULL, &m, &error)) fail_msg("line %zu: %s", k, error.message);
        expect_time(m.duration, time);
        assert_true(m.active > 0.98 * m.count);
        if (swings(&m) > 6) fail_msg("line %zu: u turns back %d times", k, swings(&m));
        sampled_close(&m);
    }
    subject_close(&s);
}

/* At every moment of the fastest motion some limit is reached. */
static void an_industrial_arm_is_at_a_limit_all_the_time(void **state)
{
    (void)state;
    subject s = shipped("rx90", true);
    const double points[] = {0, -0.5, 0.5, 0, 0.3, 0, 1, 0.4, -0.4, 0.8, -0.6, 1, 0.2, 0.9, 0.9, -0.5, 0.7, 0.2};
    double active;
    const double straight = duration_of(&s, points, 2, NULL, &active);
    if (active < 0.97) fail_msg("straight: %g of the time", active);
    assert_true(duration_of(&s, points, 3, NULL, &active) > straight);
    if (active < 0.95) fail_msg("bent: %g of the time", active);
    subject_close(&s);
}

/* ---- any robot ---- */

/* Torque limits: a part (above or below 1) of what creeping along the path takes anywhere, and something to move with. */
static void limit_torques(const subject *loose, arne_description *d, random_stream *r, const double *points, int count,
                          double part)
{
    const int n = loose->n;
    arne_curve *c;
    double q[MOST_DOF], q1[MOST_DOF], q2[MOST_DOF], t[MOST_DOF], most[MOST_DOF] = {0}, heavy[MOST_DOF] = {0},
                                                                 zero[MOST_DOF] = {0};
    assert_int_equal(arne_curve_new(points, count, n, &c, NULL), ARNE_OK);
    for (int k = 0; k <= 400; k++) {
        arne_curve_at(c, arne_curve_length(c) * k / 400, q, q1, q2);
        for (int way = -1; way <= 1; way++) { /* standing too */
            double slow[MOST_DOF];
            for (int i = 0; i < n; i++) slow[i] = 1e-3 * way * q1[i];
            arne_id(loose->data, q, slow, zero, t);
            arne_motor_torques(loose->data, t, t);
            for (int i = 0; i < n; i++) most[i] = fmax(most[i], fabs(t[i]));
        }
        arne_id(loose->data, q, q1, q2, t);
        arne_motor_torques(loose->data, t, t);
        for (int i = 0; i < n; i++) heavy[i] = fmax(heavy[i], fabs(t[i]));
    }
    arne_curve_free(c);
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < d->njoint; k++)
            if (!strcmp(d->joints[k].name, arne_joint_name(loose->m, i)))
                d->joints[k].motor.effort = part * most[i] + random_between(r, 0.05, 1) * heavy[i] + 1e-3;
}

/* Odd paths have motors that can carry every load on the way with 10 % to spare: a timing exists. */
static void random_paths_are_feasible_or_refused_with_reason(void **state)
{
    (void)state;
    int refused = 0;
    for (int number = 0; number < random_paths; number++) {
        const unsigned parts = number % 4 == 3 ? RANDOM_ALL : number % 2 ? RANDOM_MOTORS | RANDOM_FRICTION : RANDOM_RIGID;
        const int robot = number % 10 ? shipped_robots() + number : number / 10 % shipped_robots();
        arne_description *d = robot_number(robot, parts);
        random_stream r = {(uint64_t)number + 77};
        for (size_t i = 0; i < d->njoint; i++) {
            const double most = random_below(&r, 3) ? INFINITY : random_between(&r, 2, 30);
            d->joints[i].limits = (arne_limits){-INFINITY, INFINITY, random_between(&r, 0.5, 5), most, INFINITY};
            d->joints[i].motor.effort = d->joints[i].motor.speed = INFINITY;
        }
        subject loose = subject_number(robot, parts);
        double points[8 * MOST_DOF];
        const int count = 2 + random_below(&r, 7);
        random_vector(&r, count * loose.n, 1.5, points);
        const bool carries = number % 2;
        limit_torques(&loose, d, &r, points, count, carries ? 1.1 : random_between(&r, 0.2, 1));
        subject_close(&loose);
        subject s = subject_of(d);
        snprintf(s.name, sizeof s.name, "path %d", number);
        sampled m;
        arne_error error = {0};
        const arne_plan_options o = {.size = sizeof o, .dt = number % 3 ? 0.004 : 0.001},
                                fine = {sizeof fine, .grid = 4000, .dt = o.dt};
        if (plan(&s, points, count, &o, &m, &error)) {
            const double least = duration_of(&s, points, count, &fine, NULL);
            if (!(m.duration <= 1.01 * least + o.dt)) fail_msg("%s: %g s, %g s on a fine grid", s.name, m.duration, least);
        } else {
            if (carries) fail_msg("%s (%s, %d joints): %s", s.name, s.d->name, s.n, error.message);
            if (!strstr(error.message, "joint")) fail_msg("%s: %s", s.name, error.message);
            refused++;
        }
        sampled_close(&m);
        subject_close(&s);
    }
    print_message("%d paths, %d refused\n", random_paths, refused);
}

int main(void)
{
    const char *plans = getenv("ARNE_PLANS");
    if (plans) random_paths = atoi(plans);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_car_goes_full_throttle_then_full_brake),
        cmocka_unit_test(a_speed_limit_makes_a_trapezoid),
        cmocka_unit_test(a_smooth_time_law_is_as_slow_as_its_worst_joint),
        cmocka_unit_test(a_plan_tells_what_it_uses),
        cmocka_unit_test(a_smooth_time_law_keeps_the_speed_that_is_allowed),
        cmocka_unit_test(sentences_say_where_and_how_much),
        cmocka_unit_test(friction_helps_to_brake),
        cmocka_unit_test(viscous_friction_bounds_the_speed),
        cmocka_unit_test(a_pendulum_follows_its_phase_plane),
        cmocka_unit_test(two_links_agree_with_dynamic_programming),
        cmocka_unit_test(an_industrial_arm_is_at_a_limit_all_the_time),
        cmocka_unit_test(random_paths_are_feasible_or_refused_with_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
