/* SPDX-License-Identifier: MIT
 *
 * fault_test.c - what happened to an actuator: simulated faults on moving robots, named by their residuals. */
#include <stdio.h>

#include "observe/plant.h"

static const double BEGIN = 0.3, REST = 2.0943951023931953, END = 3; /* REST: two swings */
static const double THRESHOLD = 0.05;                                /* Nm; the model is exact */

/* The robot without friction, its observer and a monitor of its faults. */
static plant watched(arne_observer **o, arne_fault_monitor **x)
{
    plant p = plant_open("kuka-lwr", 0.001);
    arne_set_friction(arne_data_settings(p.d), false);
    arne_set_friction(arne_data_settings(p.view), false);
    double threshold[PLANT_DOF];
    for (int i = 0; i < p.n; i++) threshold[i] = THRESHOLD;
    *o = plant_observer(&p, NULL, false);
    arne_error e = {0};
    if (arne_fault_new(p.m, &(arne_fault_options){.size = sizeof(arne_fault_options), .period = p.h, .threshold = threshold}, x,
                       &e))
        fail_msg("%s", e.message);
    return p;
}

/* A PD controller swings the joints and then rests; the actuator of `joint` is faulty from BEGIN on. Returns the last verdict;
 * one that was told stays. */
static arne_fault run(arne_fault_kind kind, int joint, double size)
{
    arne_observer *o;
    arne_fault_monitor *x;
    plant p = watched(&o, &x);
    for (int i = 0; i < p.n; i++) p.x[i] = 0.5;
    arne_fault f = {0}, told = {0};
    double command[PLANT_DOF] = {0}, kept = 0;
    while (p.t < END) {
        arne_observer_tick(o, p.x, p.x + p.n, command);
        arne_fault_tick(x, p.x + p.n, command, arne_observer_residual(o), &f);
        if (p.t < BEGIN) assert_int_equal(f.kind, ARNE_FAULT_NONE);
        if (told.told && f.kind != told.kind)
            fail_msg("%s is called %s, then %s", arne_fault_name(kind), arne_fault_name(told.kind), arne_fault_name(f.kind));
        if (f.told) told = f;
        arne_gravity(p.d, p.x, command);
        for (int i = 0; i < p.n; i++) {
            const double wish = 0.5 + (p.t < REST ? 0.3 * (1 - cos(6 * p.t)) / 2 : 0);
            command[i] += 150 * (wish - p.x[i]) - 20 * p.x[p.n + i];
            p.tau[i] = command[i];
        }
        if (p.t < BEGIN - 1e-9) kept = command[joint];
        if (p.t >= BEGIN - 1e-9) {
            if (kind == ARNE_FAULT_FROZEN) p.tau[joint] = kept;
            if (kind == ARNE_FAULT_LOST_POWER || kind == ARNE_FAULT_WEAK) p.tau[joint] *= 1 - size;
            if (kind == ARNE_FAULT_OFFSET) p.tau[joint] += size;
            if (kind == ARNE_FAULT_UNKNOWN) p.tau[joint] += size * sin(100 * p.t);
            if (kind == ARNE_FAULT_OUTSIDE) p.tau[joint] += size, p.tau[joint - 1] -= size;
            if (kind == ARNE_FAULT_STUCK) {
                p.x[p.n + joint] = 0;
                p.locked = joint;
            }
        }
        plant_tick(&p);
    }
    arne_fault_free(x);
    arne_observer_free(o);
    plant_close(&p);
    if (kind == ARNE_FAULT_FROZEN && fabs(f.offset - kept) > 0.1) fail_msg("frozen at %g, not at %g", kept, f.offset);
    return f;
}

static void expect(arne_fault_kind kind, int joint, double size, double loss, double offset)
{
    const arne_fault f = run(kind, joint, size);
    const bool single = kind != ARNE_FAULT_OUTSIDE && kind != ARNE_FAULT_NONE;
    if (f.kind != kind || f.joint != (single ? joint : -1))
        fail_msg("fault %s of joint %d is called %s of joint %d", arne_fault_name(kind), joint, arne_fault_name(f.kind), f.joint);
    if (!isnan(loss) && fabs(f.loss - loss) > 0.02) fail_msg("loss %g, should be %g", f.loss, loss);
    if (!isnan(offset) && fabs(f.offset - offset) > 0.1) fail_msg("offset %g, should be %g", f.offset, offset);
}

static void no_fault_is_none(void **state)
{
    (void)state;
    expect(ARNE_FAULT_NONE, 1, 0, NAN, NAN);
}

static void lost_power_is_named(void **state)
{
    (void)state;
    for (int joint = 0; joint < 4; joint++) expect(ARNE_FAULT_LOST_POWER, joint, 1, 1, NAN);
}

static void a_weak_actuator_is_named(void **state)
{
    (void)state;
    expect(ARNE_FAULT_WEAK, 1, 0.5, 0.5, NAN);
    expect(ARNE_FAULT_WEAK, 3, 0.4, 0.4, NAN);
}

static void an_offset_is_named(void **state)
{
    (void)state;
    for (int joint = 0; joint < 7; joint++) expect(ARNE_FAULT_OFFSET, joint, joint % 2 ? 3 : -2, 0, joint % 2 ? 3 : -2);
}

static void a_frozen_drive_is_named(void **state)
{
    (void)state;
    for (int joint = 0; joint < 6; joint++) expect(ARNE_FAULT_FROZEN, joint, 0, 1, NAN);
}

static void a_stuck_joint_is_named(void **state)
{
    (void)state;
    for (int joint = 0; joint < 6; joint++) expect(ARNE_FAULT_STUCK, joint, 0, NAN, NAN);
}

static void what_fits_no_rule_is_unknown(void **state)
{
    (void)state;
    expect(ARNE_FAULT_UNKNOWN, 2, 5, NAN, NAN);
}

static void several_joints_are_no_actuator(void **state)
{
    (void)state;
    expect(ARNE_FAULT_OUTSIDE, 2, 4, NAN, NAN);
}

/* a push of 50 ms on the hand: joints fall silent one after the other, and none of them is accused */
static void a_push_accuses_no_actuator(void **state)
{
    (void)state;
    arne_observer *o;
    arne_fault_monitor *x;
    plant p = watched(&o, &x);
    const arne_wrench w = {
        .link = arne_joint_link(p.m, 4), .frame = ARNE_ALIGNED, .force = {0, 20, 0}, .point = {0.05, 0.05, 0.05}};
    bool outside = false;
    plant_start(&p);
    for (int k = 0; k < 1500; k++) {
        arne_fault f;
        arne_observer_tick(o, p.x, p.x + p.n, p.tau);
        arne_fault_tick(x, p.x + p.n, p.tau, arne_observer_residual(o), &f);
        outside |= f.kind == ARNE_FAULT_OUTSIDE;
        assert_true(f.kind == ARNE_FAULT_NONE || f.kind == ARNE_FAULT_OUTSIDE);
        if (k > 1000) assert_int_equal(f.kind, ARNE_FAULT_NONE);
        plant_shake(&p);
        arne_set_wrenches(arne_data_settings(p.d), &w, k >= 500 && k < 550);
        plant_tick(&p);
        arne_set_wrenches(arne_data_settings(p.d), NULL, 0);
    }
    assert_true(outside);
    arne_fault_free(x);
    arne_observer_free(o);
    plant_close(&p);
}

/* residuals by hand: an actuator gives 0.7 of its torque, then none */
static void what_gets_worse_gets_another_name(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    arne_fault_monitor *x;
    const double threshold[] = {0.5, 0.5}, loss[] = {0.3, 1};
    const arne_fault_options o = {.size = sizeof o, .period = 0.001, .threshold = threshold};
    assert_int_equal(arne_fault_new(p.m, &o, &x, NULL), ARNE_OK);
    for (int k = 0; k < 6000; k++) {
        arne_fault f;
        const double qd[2] = {1, 1}, tau[2] = {20 + 5 * sin(0.003 * k), 0}, r[2] = {-loss[k / 3000] * tau[0], 0};
        assert_int_equal(arne_fault_tick(x, qd, tau, r, &f), ARNE_OK);
        if (k % 3000 < 2990) continue;
        assert_true(f.told && f.joint == 0 && fabs(f.loss - loss[k / 3000]) < 0.01);
        assert_int_equal(f.kind, k < 3000 ? ARNE_FAULT_WEAK : ARNE_FAULT_LOST_POWER);
    }
    arne_fault_free(x);
    plant_close(&p);
}

/* ---- residuals by hand ---- */

/* A monitor of a planar arm that is told residuals by hand; T: the command of the first joint through the filter. */
typedef struct {
    plant p;
    arne_fault_monitor *x;
    double gain, T;
    int k;
} desk;

enum { SETTLES = 200, WINDOW = 100 }; /* ticks: five time constants of 1/25 s, a window of 0.1 s */

static desk desk_open(double still)
{
    static const double gain[] = {25, 40}, threshold[] = {0.5, 0.8};
    desk d = {.p = plant_open("planar2r", 0.001), .gain = gain[0]};
    const arne_fault_options o = {
        .size = sizeof o, .period = 0.001, .gain = gain, .threshold = threshold, .window = 0.1, .still = still};
    assert_int_equal(arne_fault_new(d.p.m, &o, &d.x, NULL), ARNE_OK);
    return d;
}

static void desk_close(desk *d)
{
    arne_fault_free(d->x);
    plant_close(&d->p);
}

/* one tick: joint 1 moves with qd, is told tau and shows offset - loss T */
static arne_fault desk_tick(desk *d, double qd, double tau, double offset, double loss)
{
    arne_fault f;
    d->T = tau + exp(-d->gain * 0.001) * (d->T - tau);
    assert_int_equal(
        arne_fault_tick(d->x, (const double[]){qd, 1}, (const double[]){tau, 0}, (const double[]){offset - loss * d->T, 0}, &f),
        ARNE_OK);
    d->k++;
    return f;
}

/* a command that swings once a window about 20 Nm */
static double swinging(const desk *d, double size) { return 20 + size * sin(2 * acos(-1.0) * d->k / WINDOW); }

/* Five time constants and a window after the residual speaks there is a verdict; it is refined by the windows after it, as if all
 * were one; it ends when a quarter of a window was silent; then, and after a reset, it begins anew. */
static void a_verdict_has_its_time(void **state)
{
    (void)state;
    desk d = desk_open(0);
    for (int round = 0; round < 3; round++) {
        arne_fault f = {0};
        int first = 0;
        for (int k = 1; k <= SETTLES + 3 * WINDOW; k++) {
            const int window = (k - SETTLES + WINDOW) / WINDOW; /* 1: the first full one */
            f = desk_tick(&d, 1, swinging(&d, 30), window < 2 ? 3.1 : window == 2 ? 2.9 : 3.15, 0);
            if (!first && f.kind) first = k;
            if (first) assert_true(f.kind == ARNE_FAULT_OFFSET && f.joint == 0 && f.told && f.loss == 0);
            if (k == SETTLES + WINDOW + 10) assert_true(fabs(f.offset - 3.1) < 1e-9);
            if (k == SETTLES + 2 * WINDOW + 10) assert_true(fabs(f.offset - 3) < 0.01);
        }
        assert_in_range(first, SETTLES + WINDOW - 2, SETTLES + WINDOW + 2);
        assert_true(fabs(f.offset - 3.05) < 0.01);
        for (int k = 0; k < 60; k++) { /* below the threshold, but not well below */
            f = desk_tick(&d, 1, 20, 0.37, 0);
            assert_int_equal(f.kind, ARNE_FAULT_OFFSET);
        }
        if (round == 1) {
            arne_fault_reset(d.x);
            d.T = 0;
        }
        for (int k = 1; k < 60; k++) {
            f = desk_tick(&d, 1, 20, 0.33, 0);
            assert_int_equal(f.kind, round != 1 && k <= WINDOW / 4 ? ARNE_FAULT_OFFSET : ARNE_FAULT_NONE);
            assert_int_equal(f.joint, f.kind ? 0 : -1);
        }
    }
    desk_close(&d);
}

/* Another joint speaks in the middle of a window: what was seen so far is forgotten, a window more is needed. What was not told
 * is forgotten for good, what was told comes back as soon as the other is silent. */
static void others_that_speak_interrupt(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) {
        desk d = desk_open(0);
        arne_fault f = {0};
        const int from = SETTLES + WINDOW + 50; /* in the second window */
        const double size = told ? 30 : 0.1;
        for (int k = 1; k <= from; k++) f = desk_tick(&d, 1, swinging(&d, size), 3, 0);
        assert_true(f.kind == ARNE_FAULT_OFFSET && f.told == told);
        const double both[2] = {3, 5}, one[2] = {3, 0};
        const double qd[2] = {1, 1};
        for (int k = 0; k < 3; k++) {
            const double tau[2] = {swinging(&d, size), 0};
            assert_int_equal(arne_fault_tick(d.x, qd, tau, both, &f), ARNE_OK);
            assert_true(f.kind == ARNE_FAULT_OUTSIDE && f.joint == -1 && !f.told);
        }
        /* the other is silent for a quarter of a window, then it is not there any more */
        int first = 0;
        for (int k = 1; k < 200; k++, d.k++) {
            const double tau[2] = {swinging(&d, size), 0};
            assert_int_equal(arne_fault_tick(d.x, qd, tau, one, &f), ARNE_OK);
            if (!first && f.kind == ARNE_FAULT_OFFSET) first = k;
            if (k <= WINDOW / 4) assert_int_equal(f.kind, ARNE_FAULT_OUTSIDE);
        }
        assert_in_range(first, told ? 26 : 26 + WINDOW - 2, told ? 26 : 26 + WINDOW + 1);
        desk_close(&d);
    }
}

/* the verdict on the line r = offset - loss T, and on noise about it (its root mean square) */
static arne_fault verdict(double qd, double still, double size, double offset, double loss, double noise)
{
    desk d = desk_open(still);
    arne_fault f = {0};
    for (int k = 0; k < 1000; k++) {
        const double tau = swinging(&d, size);
        f = desk_tick(&d, qd, tau, offset + (d.k / 2 % 2 ? noise : -noise), loss);
    }
    desk_close(&d);
    return f;
}

static void expect_verdict(arne_fault f, arne_fault_kind kind, double offset, double loss, bool told)
{
    if (f.kind != kind || f.told != told || !(fabs(f.offset - offset) < 0.02) || !(fabs(f.loss - loss) < 0.002) || f.joint != 0)
        fail_msg("%s (told: %d), offset %g, loss %g, of joint %d; should be %s", arne_fault_name(f.kind), f.told, f.offset,
                 f.loss, f.joint, arne_fault_name(kind));
}

static void verdicts_follow_from_the_line(void **state)
{
    (void)state;
    /* every line has its kind */
    expect_verdict(verdict(1, 0, 100, 0, 1, 0), ARNE_FAULT_LOST_POWER, 0, 1, true);
    expect_verdict(verdict(1, 0, 100, 0, 0.3, 0), ARNE_FAULT_WEAK, 0, 0.3, true);
    expect_verdict(verdict(1, 0, 100, -4, 0, 0), ARNE_FAULT_OFFSET, -4, 0, true);
    expect_verdict(verdict(1, 0, 100, 27, 1, 0), ARNE_FAULT_FROZEN, 27, 1, true);
    expect_verdict(verdict(1, 0, 100, 6, 0.4, 0), ARNE_FAULT_UNKNOWN, 6 - 0.4 * 20, 0, false);
    expect_verdict(verdict(1, 0, 100, 0, -0.3, 0), ARNE_FAULT_UNKNOWN, 0.3 * 20, 0, false); /* more than it is told */
    /* it fits where it is off by no more than the threshold, 0.5 */
    expect_verdict(verdict(1, 0, 100, -4, 0, 0.45), ARNE_FAULT_OFFSET, -4, 0, true);
    expect_verdict(verdict(1, 0, 100, -4, 0, 0.55), ARNE_FAULT_UNKNOWN, -4, 0, false);
    expect_verdict(verdict(1, 0, 100, 27, 1, 0.45), ARNE_FAULT_FROZEN, 27, 1, true);
    expect_verdict(verdict(1, 0, 100, 27, 1, 0.55), ARNE_FAULT_UNKNOWN, 7, 0, false);
    /* of several that fit the one that says least; it is not told. T swings by less than the threshold */
    expect_verdict(verdict(1, 0, 0.1, 0, 0.7, 0), ARNE_FAULT_OFFSET, -14, 0, false);
    expect_verdict(verdict(1, 0, 0.1, 14, 1, 0), ARNE_FAULT_OFFSET, -6, 0, false);
    /* a joint that stands, below 0.01 or what is said, whose command changes; it says no more than whether r opposes it by half
     */
    expect_verdict(verdict(0.009, 0, 100, 2, 0.8, 0), ARNE_FAULT_STUCK, 2, 0.8, true);
    expect_verdict(verdict(-0.011, 0, 100, 2, 0.8, 0), ARNE_FAULT_UNKNOWN, 2 - 0.8 * 20, 0, false);
    expect_verdict(verdict(-0.19, 0.2, 100, 2, 0.51, 0), ARNE_FAULT_STUCK, 2, 0.51, true);
    expect_verdict(verdict(0.21, 0.2, 100, 2, 0.51, 0), ARNE_FAULT_UNKNOWN, 2 - 0.51 * 20, 0, false);
    expect_verdict(verdict(0, 0, 100, 2, 0.49, 0), ARNE_FAULT_UNKNOWN, 2 - 0.49 * 20, 0, false);
    expect_verdict(verdict(0, 0, 2.25, 2, 0.8, 0), ARNE_FAULT_STUCK, 2, 0.8, true); /* by more than 0.5, in the mean square */
    expect_verdict(verdict(0, 0, 0.5, 2, 0.8, 0), ARNE_FAULT_UNKNOWN, 2 - 0.8 * 20, 0, false); /* its command hardly changes */
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    arne_fault_monitor *x;
    arne_error e;
    const double good[] = {1, 1}, bad[] = {1, 0};
    arne_fault_options cases[] = {{.period = 0, .threshold = good},
                                  {.period = 0.001, .threshold = bad},
                                  {.period = 0.001, .threshold = good, .gain = bad},
                                  {.period = 0.001, .threshold = good, .window = -1},
                                  {.period = 0.001, .threshold = good, .still = -0.5},
                                  {.period = INFINITY, .threshold = good}};
    static const char *const sentences[] = {
        "the period is 0 s; it must be above 0",
        "the threshold of joint j2 is 0; it must be above 0",
        "the observer's gain of joint j2 is 0 1/s; it must be above 0",
        "the window of the fault monitor is -1 s, its standstill 0; they must not be negative",
        "the window of the fault monitor is 0 s, its standstill -0.5; they must not be negative",
        "the period is inf s; it must be above 0"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cases[k].size = sizeof cases[k];
        assert_int_equal(arne_fault_new(p.m, &cases[k], &x, &e), ARNE_BAD_VALUE);
        assert_string_equal(e.message, sentences[k]);
    }
    plant_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_fault_is_none),
        cmocka_unit_test(lost_power_is_named),
        cmocka_unit_test(a_weak_actuator_is_named),
        cmocka_unit_test(an_offset_is_named),
        cmocka_unit_test(a_frozen_drive_is_named),
        cmocka_unit_test(a_stuck_joint_is_named),
        cmocka_unit_test(what_fits_no_rule_is_unknown),
        cmocka_unit_test(several_joints_are_no_actuator),
        cmocka_unit_test(a_push_accuses_no_actuator),
        cmocka_unit_test(what_gets_worse_gets_another_name),
        cmocka_unit_test(a_verdict_has_its_time),
        cmocka_unit_test(others_that_speak_interrupt),
        cmocka_unit_test(verdicts_follow_from_the_line),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
