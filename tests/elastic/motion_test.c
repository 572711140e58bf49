/* SPDX-License-Identifier: MIT
 *
 * motion_test.c - sampled motions of one elastic joint: derivatives from positions, torques by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/elastic.h"
#include "arne/trajectory.h"
#include "support/subject.h"

enum { SAMPLES = 401 };
static const double DT = 0.01, INERTIA = 2, STIFFNESS = 50, ROTOR = 0.5;

static void add_wheel(arne_description *d, const char *joint, const char *link)
{
    arne_link_description *l = arne_description_link(d, link, 0);
    arne_joint_description *j = arne_description_joint(d, joint, 0, ARNE_REVOLUTE, "base", link);
    assert_true(l && j);
    l->body = (arne_body){.mass = 1, .inertia = {INERTIA, 0, 0, INERTIA, 0, INERTIA}};
    j->elastic.stiffness = STIFFNESS;
    j->motor.inertia = ROTOR;
    j->motor.gear = 1;
}

static arne_description *no_wheel(void)
{
    arne_description *d = arne_description_new("wheel");
    assert_true(d && arne_description_link(d, "base", 0));
    memset(d->gravity, 0, sizeof d->gravity);
    return d;
}

/* A wheel without gravity: tau_e = J qdd, theta = q + tau_e/k, tau = B thetadd + tau_e. */
static subject wheel(void)
{
    arne_description *d = no_wheel();
    add_wheel(d, "turn", "rim");
    return subject_of(d);
}

static double t[SAMPLES], x[5 * SAMPLES];

static void sine(double amplitude)
{
    for (int k = 0; k < SAMPLES; k++) {
        t[k] = k * DT;
        for (int r = 0; r < 5; r++) x[5 * k + r] = r ? NAN : amplitude * sin(t[k]);
    }
}

static void positions_tell_their_derivatives(void **state)
{
    (void)state;
    subject s = wheel();
    arne_flex_fit fit;
    for (int degree = 7; degree <= 9; degree += 2) {
        sine(1);
        assert_int_equal(arne_flex_derive(s.m, degree, SAMPLES, t, x, &fit, NULL), ARNE_OK);
        assert_true(fit.degree == degree && fit.every >= 1 && fit.deviation < 1e-9 && !*fit.note);
        for (int k = 0; k < SAMPLES; k++) {
            const double should[5] = {sin(t[k]), cos(t[k]), -sin(t[k]), -cos(t[k]), sin(t[k])};
            for (int r = 0; r < 5; r++) assert_true(fabs(x[5 * k + r] - should[r]) < 0.01);
        }
    }
    subject_close(&s);
}

static void what_is_not_smooth_is_refused(void **state)
{
    (void)state;
    subject s = wheel();
    arne_flex_fit fit;
    arne_error e;
    sine(1);
    for (int k = SAMPLES / 2; k < SAMPLES; k++) x[5 * k] += 0.5 * pow(t[k] - t[SAMPLES / 2], 2);
    assert_int_equal(arne_flex_derive(s.m, 7, SAMPLES, t, x, &fit, &e), ARNE_UNSUPPORTED);
    assert_non_null(strstr(e.message, "acceleration of joint turn jumps near t = "));
    assert_true(fabs(strtod(strstr(e.message, "t = ") + 4, NULL) - 2) < 0.1);
    assert_true(isnan(x[1]));

    sine(1);
    for (int k = 0; k < SAMPLES; k++) x[5 * k] = round(100 * x[5 * k]) / 100;
    assert_int_equal(arne_flex_derive(s.m, 7, SAMPLES, t, x, &fit, &e), ARNE_UNSUPPORTED);
    assert_non_null(strstr(e.message, "cannot be told"));

    assert_int_equal(arne_flex_derive(s.m, 9, 19, t, x, &fit, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message,
                        "19 rows are too few to find derivatives with a spline of degree 9: at least 20, or give columns "
                        "qd1 ... qdddd1 ...");
    sine(1);
    assert_int_equal(arne_flex_derive(s.m, 9, 20, t, x, &fit, &e), ARNE_OK);
    t[7] = t[6];
    assert_int_equal(arne_flex_derive(s.m, 7, SAMPLES, t, x, &fit, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "no spline"));
    subject_close(&s);
}

/* of two wheels; the first turns steadily */
static void the_joint_that_jumps_is_told_and_by_how_much(void **state)
{
    (void)state;
    static double both[SAMPLES][5][2];
    arne_description *d = no_wheel();
    add_wheel(d, "turn", "rim");
    add_wheel(d, "other", "ring");
    subject s = subject_of(d);
    arne_flex_fit fit;
    arne_error e;
    for (int k = 0; k < SAMPLES; k++) {
        const double late = fmax(k - SAMPLES / 2, 0) * DT;
        t[k] = k * DT;
        both[k][0][0] = t[k];
        both[k][0][1] = 1.5 * late * late;
    }
    assert_int_equal(arne_flex_derive(s.m, 7, SAMPLES, t, both[0][0], &fit, &e), ARNE_UNSUPPORTED);
    assert_non_null(strstr(e.message, "acceleration of joint other jumps near t = "));
    assert_true(fabs(strtod(strstr(e.message, "by about ") + 9, NULL) - 3) < 0.3);
    subject_close(&s);
}

/* The positions of one joint, by a spline through every so many samples and the last one. */
static arne_trajectory *spline_of(const double *q, int count, int every)
{
    static double some_t[SAMPLES], some[SAMPLES];
    const int points = (count - 1) / every + 1;
    arne_trajectory *s;
    for (int k = 0; k < points; k++) {
        const int at = k < points - 1 ? k * every : count - 1;
        some_t[k] = t[at], some[k] = q[at];
    }
    assert_int_equal(arne_trajectory_samples(1, 7, points, some_t, some, &s, NULL), ARNE_OK);
    return s;
}

/* The time in the sentence is that where the spline through the samples taken and the one through every second of them differ
 * most in this derivative; the size is that of the first of them, from three of its samples before to three behind. Samples come
 * ever farther apart, so that each has a time of its own. */
static void the_time_of_a_jump_is_where_two_splines_differ_most(void **state)
{
    (void)state;
    static double q[SAMPLES];
    subject s = wheel();
    arne_flex_fit fit;
    arne_error e;
    for (int order = 2; order < 4; order++) {
        for (int k = 0; k < SAMPLES; k++) {
            t[k] = 0.01 * k + 5e-6 * k * k;
            x[5 * k] = q[k] = t[k] + 0.3 * t[k] * t[k] + pow(fmax(t[k] - 2.3, 0), order);
        }
        assert_int_equal(arne_flex_derive(s.m, 7, SAMPLES, t, x, &fit, &e), ARNE_UNSUPPORTED);
        arne_trajectory *fine = spline_of(q, SAMPLES, fit.every), *coarse = spline_of(q, SAMPLES, 2 * fit.every);
        double a[5], b[5], most = 0;
        int at = 0;
        for (int k = 0; k < SAMPLES; k++) {
            arne_trajectory_at(fine, t[k], 4, a);
            arne_trajectory_at(coarse, t[k], 4, b);
            if (fabs(a[order] - b[order]) > most) most = fabs(a[order] - b[order]), at = k;
        }
        arne_trajectory_at(fine, t[at - 3 * fit.every], 4, a);
        arne_trajectory_at(fine, t[at + 3 * fit.every], 4, b);
        char should[300];
        snprintf(
            should, sizeof should,
            "the %s of joint turn jumps near t = %.6g s, by about %.3g; torques of elastic joints need a motion that is smooth "
            "up to its fourth derivative: give such positions, or columns qd1 ... qdddd1 ...",
            order == 2 ? "acceleration" : "jerk", t[at], fabs(b[order] - a[order]));
        assert_string_equal(e.message, should);
        assert_true(fabs(t[at] - 2.3) < 0.1 && fabs(fabs(b[order] - a[order]) - (order == 2 ? 2 : 6)) < 0.3);
        arne_trajectory_free(fine);
        arne_trajectory_free(coarse);
    }
    subject_close(&s);
}

/* Two splines may differ by 5 % of the largest fourth derivative of the joint, or 1 % of the largest of all joints, as the coarse
 * one has it. Of a steady one, which splines meet, and a small step in it; of 30 rows no others are tried. */
static void a_small_step_is_no_jump(void **state)
{
    (void)state;
    enum { ROWS = 30 };
    static double both[ROWS][5][2], step[ROWS];
    arne_description *d = no_wheel();
    add_wheel(d, "turn", "rim");
    add_wheel(d, "other", "ring");
    subject s = subject_of(d);
    for (int k = 0; k < ROWS; k++) t[k] = 0.1 * k, step[k] = pow(fmax(t[k] - 1.43, 0), 4) / 24;
    arne_trajectory *fine = spline_of(step, ROWS, 1), *coarse = spline_of(step, ROWS, 2);
    double a[5], b[5], off = 0, most = 0;
    for (int k = 0; k < ROWS; k++) {
        arne_trajectory_at(fine, t[k], 4, a);
        arne_trajectory_at(coarse, t[k], 4, b);
        off = fmax(off, fabs(a[4] - b[4])), most = fmax(most, b[4]);
    }
    for (int other = 0; other < 2; other++)
        for (int over = 0; over < 2; over++) {
            /* of 1 with a step of x at the second joint: x off = 0.05 (1 + x most); beside 100 at the first: x off = 1 */
            const double x = (other ? 1 / off : 0.05 / (off - 0.05 * most)) * (over ? 1.02 : 0.98), first = other ? 100 : 0;
            arne_flex_fit fit;
            arne_error e;
            for (int k = 0; k < ROWS; k++) {
                both[k][0][0] = first * pow(t[k], 4) / 24;
                both[k][0][1] = pow(t[k], 4) / 24 + x * step[k];
            }
            if (arne_flex_derive(s.m, 7, ROWS, t, both[0][0], &fit, &e)) fail_msg("%s", e.message);
            assert_int_equal(fit.every, 1);
            if ((*fit.note != 0) != over) fail_msg("step of %g beside %g: \"%s\"", x, first, fit.note);
            if (over) assert_non_null(strstr(fit.note, "the fourth derivative of joint other jumps near t = "));
            if (over) assert_non_null(strstr(fit.note, "; its torques are those of a smoother motion"));
        }
    arne_trajectory_free(fine);
    arne_trajectory_free(coarse);
    subject_close(&s);
}

/* A few digits of two joints: the fit says how far it is from the positions that were given, at the joint where it is farthest.
 */
static void the_fit_says_how_far_it_is_from_the_samples(void **state)
{
    (void)state;
    enum { MANY = 3001 };
    static double both[MANY][5][2], time[MANY], given[MANY][2];
    arne_description *d = no_wheel();
    add_wheel(d, "turn", "rim");
    add_wheel(d, "other", "ring");
    subject s = subject_of(d);
    arne_flex_fit fit;
    arne_error e;
    for (int first = 0; first < 2; first++) {
        double most = 0;
        for (int k = 0; k < MANY; k++) {
            time[k] = 0.001 * k;
            for (int i = 0; i < 2; i++) {
                const double digits = i == first ? 1e8 : 1e9;
                given[k][i] = both[k][0][i] = round(0.4 * sin(2 * time[k] + i) * digits) / digits;
            }
        }
        if (arne_flex_derive(s.m, 7, MANY, time, both[0][0], &fit, &e)) fail_msg("%s", e.message);
        for (int k = 0; k < MANY; k++)
            for (int i = 0; i < 2; i++) most = fmax(most, fabs(both[k][0][i] - given[k][i]));
        assert_true(fit.every > 1 && fit.deviation == most && most > 3e-9);
    }
    subject_close(&s);
}

/* two wheels that do not feel each other, the second goes twice as far */
static void torques_are_those_by_hand(void **state)
{
    (void)state;
    static double both[SAMPLES][5][2], tau_e[SAMPLES][2], tau[SAMPLES][2], theta[SAMPLES][2], dtheta[SAMPLES][2],
        rigid[SAMPLES][2];
    const arne_flex_torques to = {.size = sizeof to, .tau_e = *tau_e, .tau = *tau, .theta = *theta, .dtheta = *dtheta};
    arne_description *d = no_wheel();
    add_wheel(d, "turn", "rim");
    add_wheel(d, "other", "ring");
    subject s = subject_of(d);
    arne_flex *f;
    arne_flex_record j[2];
    arne_error e;
    assert_int_equal(arne_flex_new(arne_data_settings(s.data), &f, NULL), ARNE_OK);
    for (int k = 0; k < SAMPLES; k++) {
        t[k] = k * DT;
        const double row[5] = {sin(t[k]), cos(t[k]), -sin(t[k]), -cos(t[k]), sin(t[k])};
        for (int r = 0; r < 5; r++) both[k][r][0] = row[r], both[k][r][1] = 2 * row[r];
    }
    assert_int_equal(arne_flex_motion(f, s.data, SAMPLES, t, both[0][0], &to, *rigid, j, NULL), ARNE_OK);
    /* theta = (1 - J/k) sin t, tau = -(J + B (1 - J/k)) sin t, rigid: -(J + B) sin t */
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < SAMPLES; k++) {
            const double q = (1 + i) * sin(t[k]), qd = (1 + i) * cos(t[k]);
            assert_true(fabs(tau_e[k][i] + INERTIA * q) < 1e-12);
            assert_true(fabs(theta[k][i] - (1 - INERTIA / STIFFNESS) * q) < 1e-12);
            assert_true(fabs(dtheta[k][i] - (1 - INERTIA / STIFFNESS) * qd) < 1e-12);
            assert_true(fabs(tau[k][i] + (INERTIA + ROTOR * (1 - INERTIA / STIFFNESS)) * q) < 1e-12);
            assert_true(fabs(rigid[k][i] + (INERTIA + ROTOR) * q) < 1e-12);
        }
        const double most = (1 + i) * sin(1.57);
        assert_true(fabs(j[i].deflection - INERTIA / STIFFNESS * most) < 1e-12 && fabs(j[i].tau_e - INERTIA * most) < 1e-12);
        assert_true(fabs(j[i].rigid - (INERTIA + ROTOR) * most) < 1e-12);
        assert_true(fabs(j[i].difference - ROTOR * INERTIA / STIFFNESS * most) < 1e-12);
        assert_true(fabs(j[i].tau - (INERTIA + ROTOR * (1 - INERTIA / STIFFNESS)) * most) < 1e-12);
    }

    assert_int_equal(arne_flex_motion(f, s.data, 0, t, both[0][0], &to, *rigid, j, NULL),
                     ARNE_OK); /* no row, nothing was reached */
    assert_true(j[0].tau == 0 && j[1].deflection == 0);

    both[100][4][1] = INFINITY;
    assert_int_equal(arne_flex_motion(f, s.data, SAMPLES, t, both[0][0], &to, *rigid, j, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "at t = 1 s is not finite"));
    arne_flex_free(f);
    subject_close(&s);
}

/* 50 x + 80 x^5 = 27.5 at x = 1/2, which 2 kg m^2 need for 13.75 rad/s^2 */
static void a_spring_of_the_fifth_power(void **state)
{
    (void)state;
    arne_description *d = no_wheel();
    add_wheel(d, "turn", "rim");
    d->joints[0].elastic.quintic = 80;
    subject s = subject_of(d);
    arne_flex *f;
    double theta;
    const double row[5] = {0.25, 0, 13.75, 0, 0};
    assert_int_equal(arne_flex_new(arne_data_settings(s.data), &f, NULL), ARNE_OK);
    assert_int_equal(arne_flex_id(f, row, &(arne_flex_torques){.size = sizeof(arne_flex_torques), .theta = &theta}), ARNE_OK);
    assert_true(fabs(theta - 0.75) < 1e-14);
    arne_flex_free(f);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_tell_their_derivatives),
        cmocka_unit_test(what_is_not_smooth_is_refused),
        cmocka_unit_test(the_joint_that_jumps_is_told_and_by_how_much),
        cmocka_unit_test(the_time_of_a_jump_is_where_two_splines_differ_most),
        cmocka_unit_test(a_small_step_is_no_jump),
        cmocka_unit_test(the_fit_says_how_far_it_is_from_the_samples),
        cmocka_unit_test(torques_are_those_by_hand),
        cmocka_unit_test(a_spring_of_the_fifth_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
