/* SPDX-License-Identifier: MIT
 *
 * The momentum observer on robots with free and spherical joints: nothing is heard where nothing happens, to fourth order in the
 * tick; a push shows in the rows of a free base as the whole wrench, in its axes; who was hit, and what is no fault of an
 * actuator. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/file.h"
#include "arne/observe.h"
#include "arne/positions.h"
#include "arne/simulate.h"
#include "support/data.h"
#include "support/random_robot.h"

enum { MOST = 48 };

static arne_model *random_model(unsigned seed)
{
    arne_description *d = random_robot_with(seed, RANDOM_WIDE);
    arne_model *m;
    arne_error error;
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

static arne_model *satellite(void)
{
    arne_model *m;
    arne_error error;
    if (arne_load(ARNE_ROBOTS "/satellite.yaml", &m, &error)) fail_msg("%s", error.message);
    return m;
}

static arne_plant *exact_plant(const arne_settings *s)
{
    const arne_plant_options o = {.size = sizeof o, .method = ARNE_ARKODE, .rtol = 1e-13, .atol = 1e-14};
    arne_plant *p;
    arne_error error;
    if (arne_plant_new(s, &o, &p, &error)) fail_msg("%s", error.message);
    return p;
}

static arne_observer *observer_of(const arne_settings *s, double period, const double *gain, bool numeric)
{
    const arne_observer_options o = {.size = sizeof o, .period = period, .gain = gain, .numeric = numeric};
    arne_observer *x;
    arne_error error;
    if (arne_observer_new(s, &o, &x, &error)) fail_msg("%s", error.message);
    return x;
}

static void advance(arne_plant *p, double t, const double *tau)
{
    arne_error error;
    if (arne_plant_advance(p, t, tau, &error)) fail_msg("%s", error.message);
}

static void random_state(const arne_model *m, unsigned seed, double speed, double *q, double *qd)
{
    random_stream r = {seed};
    random_vector(&r, arne_model_nq(m), 1, q);
    random_vector(&r, arne_model_nv(m), speed, qd);
    assert_int_equal(arne_normalize(m, NAN, q, NULL), ARNE_OK);
}

/* ---- silence ---- */

/* a body that flies, with a ball joint and another body on it */
static arne_model *flyer(void)
{
    arne_description *d = arne_description_new("flyer");
    arne_model *m;
    arne_error error;
    arne_description_link(d, "world", 0);
    arne_description_link(d, "hull", 0)->body =
        (arne_body){.mass = 2, .com = {0.1, -0.2, 0.1}, .inertia = {1, 0.1, 0.05, 2, -0.1, 1.5}};
    arne_description_link(d, "arm", 0)->body = (arne_body){.mass = 1, .com = {0, 0.2, 0.3}, .inertia = {0.5, 0, 0, 0.7, 0, 0.3}};
    arne_description_joint(d, "base", 0, ARNE_FREE, "world", "hull");
    arne_description_joint(d, "ball", 0, ARNE_SPHERICAL, "hull", "arm");
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

/* Largest residual over 0.2 s in which known torques jump at every tick and nothing else acts. */
static double noise_of(arne_model *m, unsigned seed, int ticks, double speed)
{
    arne_data *d = test_data(m);
    const int n = arne_model_nv(m);
    const double h = 0.2 / ticks;
    double q[MOST], qd[MOST], tau[MOST], gain[MOST], most = 0;
    random_state(m, seed + 50, speed, q, qd);
    for (int i = 0; i < n; i++) gain[i] = 50 / h; /* nothing is filtered away */
    arne_plant *p = exact_plant(arne_data_settings(d));
    arne_observer *x = observer_of(arne_data_settings(d), h, gain, false);
    arne_plant_place(p, 0, q, qd, NULL, NULL);
    arne_observer_tick(x, arne_plant_q(p), arne_plant_qd(p), qd);
    for (int k = 0; k < ticks; k++) {
        for (int i = 0; i < n; i++) tau[i] = 0.5 * sin(40.0 * k / ticks + i); /* of the wide ones too: known is known */
        advance(p, (k + 1) * h, tau);
        assert_int_equal(arne_observer_tick(x, arne_plant_q(p), arne_plant_qd(p), tau), ARNE_OK);
        for (int i = 0; i < n; i++) most = fmax(most, fabs(arne_observer_residual(x)[i]));
    }
    arne_observer_free(x);
    arne_plant_free(p);
    arne_data_free(d);
    arne_model_free(m);
    return most;
}

static double noise(unsigned seed, int ticks) { return noise_of(random_model(seed), seed, ticks, 1); }

/* The faster it turns the more the motion of the axes counts: that is of fourth order too. */
static void turning_bodies_are_heard_to_fourth_order(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 3; seed++) {
        const double coarse = noise_of(flyer(), seed, 50, 8), fine = noise_of(flyer(), seed, 100, 8);
        print_message("seed %u: residual %.1e, with half the tick %.1e: order %.2f\n", seed, coarse, fine, log2(coarse / fine));
        assert_true(log2(coarse / fine) > 3.8 && log2(coarse / fine) < 4.3);
    }
}

static void nothing_is_heard_to_fourth_order(void **state)
{
    (void)state;
    int sharp = 0;
    for (unsigned seed = 0; seed < 6; seed++) {
        const double coarse = noise(seed, 50), fine = noise(seed, 100);
        print_message("seed %u: residual %.1e, with half the tick %.1e: order %.2f\n", seed, coarse, fine, log2(coarse / fine));
        if (fine > 1e-9 && coarse < 1) { /* else it is rounding, or too fast a motion for such ticks */
            assert_true(log2(coarse / fine) > 3.5);
            sharp++;
        }
    }
    assert_true(sharp >= 3);
}

/* ---- a push ---- */

static void minus(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++) c[k] = a[k] - b[k];
}
static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}
static void into(const double R[9], const double a[3], double b[3])
{
    for (int k = 0; k < 3; k++) b[k] = R[k] * a[0] + R[3 + k] * a[1] + R[6 + k] * a[2];
}

/* The wrench that a force and a moment in the world, at the origin of a link, are at the base, in its axes. */
static void at_base(arne_data *d, const double *q, int link, int base, const double force[3], const double moment[3], double w[6])
{
    arne_pose where, there;
    double arm[3], turn[3];
    arne_link_pose(d, q, link, &where);
    arne_link_pose(d, q, base, &there);
    minus(where.p, there.p, arm);
    cross(arm, force, turn);
    for (int k = 0; k < 3; k++) turn[k] += moment[k];
    into(there.R, force, w);
    into(there.R, turn, w + 3);
}

static void a_push_shows_as_the_wrench_on_the_base(void **state)
{
    (void)state;
    static const double force[3] = {20, -10, 5}, moment[3] = {1, 2, -3}, h = 0.002;
    arne_model *m = satellite();
    arne_data *d = test_data(m), *view = test_data(m);
    const int n = arne_model_nv(m), link = arne_link_find(m, "wrist_pitch"), base = arne_link_find(m, "hull");
    double q[MOST], qd[MOST], tau[MOST] = {0}, gain[MOST], threshold[MOST];
    assert_int_equal(n, 13);
    random_state(m, 5, 0.3, q, qd);
    for (int i = 0; i < n; i++) gain[i] = 50 / h, threshold[i] = 0.5;
    arne_plant *p = exact_plant(arne_data_settings(d));
    arne_observer *x = observer_of(arne_data_settings(view), h, gain, false);
    double slow[MOST];
    for (int i = 0; i < n; i++) slow[i] = 0.5 / h;
    arne_observer *numeric = observer_of(arne_data_settings(view), h, slow, true);
    arne_detector *ear;
    assert_int_equal(arne_detector_new(m, threshold, &ear, NULL), ARNE_OK);
    arne_plant_place(p, 0, q, qd, NULL, NULL);
    const arne_wrench push = {.link = link,
                              .force = {force[0], force[1], force[2]},
                              .moment = {moment[0], moment[1], moment[2]},
                              .frame = ARNE_ALIGNED};
    arne_set_wrenches(arne_plant_settings(p), &push, 1);
    arne_plant_touch(p);
    arne_detection heard = {0};
    arne_observer_tick(x, q, qd, tau);
    arne_observer_tick(numeric, q, qd, tau);
    double worst = 0;
    for (int k = 0; k < 100; k++) {
        double u[3][6];
        for (int i = 6; i < n; i++) tau[i] = sin(k + i);
        at_base(view, arne_plant_q(p), link, base, force, moment, u[0]);
        advance(p, (k + 0.5) * h, tau);
        at_base(view, arne_plant_q(p), link, base, force, moment, u[1]);
        advance(p, (k + 1) * h, tau);
        at_base(view, arne_plant_q(p), link, base, force, moment, u[2]);
        arne_observer_tick(x, arne_plant_q(p), arne_plant_qd(p), tau);
        arne_observer_tick(numeric, arne_plant_q(p), arne_plant_qd(p), tau);
        for (int i = 0; i < 6; i++)
            worst = fmax(worst, fabs(arne_observer_residual(x)[i] - (u[0][i] + 4 * u[1][i] + u[2][i]) / 6));
        assert_int_equal(arne_detector_tick(ear, arne_observer_residual(x), &heard), ARNE_OK);
    }
    print_message("satellite: residual of the base off by %.1e of the wrench on it\n", worst);
    assert_true(worst < 1e-6);
    assert_true(heard.contact);
    assert_string_equal(arne_joint_name(m, heard.link_joint), "wrist_pitch");
    /* the old way is of first order: it sees the same push */
    double most = 0, off = 0;
    for (int i = 0; i < 6; i++) {
        most = fmax(most, fabs(arne_observer_residual(x)[i]));
        off = fmax(off, fabs(arne_observer_residual(numeric)[i] - arne_observer_residual(x)[i]));
    }
    print_message("the numeric observer is off by %.1e of %.1f\n", off, most);
    assert_true(off < 0.05 * most);

    /* thirteen rows say all of it: the wrench at the link comes back */
    arne_wrench_estimate w;
    const arne_touch touch = {.link = link};
    assert_int_equal(arne_residual_wrench(view, arne_plant_q(p), &touch, arne_observer_residual(x), &w), ARNE_OK);
    assert_int_equal(w.seen, 6);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(w.wrench[i] - force[i]) < 0.05);
        assert_true(fabs(w.wrench[3 + i] - moment[i]) < 0.1);
    }
    arne_detector_free(ear);
    arne_observer_free(x);
    arne_observer_free(numeric);
    arne_plant_free(p);
    arne_data_free(view);
    arne_data_free(d);
    arne_model_free(m);
}

/* ---- faults ---- */

/* A drive that gives nothing shows in its own row; a push on the hull is no fault of a drive. */
static void only_joints_have_actuators(void **state)
{
    (void)state;
    const double h = 0.002;
    for (int pushed = 0; pushed < 2; pushed++) {
        arne_model *m = satellite();
        arne_data *d = test_data(m);
        const int n = arne_model_nv(m), elbow = arne_joint_v(m, arne_joint_find(m, "elbow"));
        double q[MOST], qd[MOST] = {0}, tau[MOST] = {0}, real[MOST] = {0}, threshold[MOST], quiet = 0;
        arne_neutral(m, q);
        for (int i = 0; i < n; i++) threshold[i] = 0.05;
        arne_plant *p = exact_plant(arne_data_settings(d));
        arne_observer *x = observer_of(arne_data_settings(d), h, NULL, false);
        const arne_fault_options o = {.size = sizeof o, .period = h, .threshold = threshold};
        arne_fault_monitor *monitor;
        assert_int_equal(arne_fault_new(m, &o, &monitor, NULL), ARNE_OK);
        const arne_wrench push = {.link = arne_link_find(m, "hull"), .force = {3, 0, 0}, .frame = ARNE_LOCAL};
        if (pushed) arne_set_wrenches(arne_plant_settings(p), &push, 1);
        arne_plant_place(p, 0, q, qd, NULL, NULL);
        arne_fault f = {0};
        for (int k = 0; k < 600; k++) {
            for (int i = 6; i < n; i++) real[i] = tau[i] = 0.4 * sin(5 * k * h + i);
            if (!pushed) real[elbow] = 0;
            advance(p, (k + 1) * h, real);
            arne_observer_tick(x, arne_plant_q(p), arne_plant_qd(p), tau);
            arne_fault_tick(monitor, arne_plant_qd(p), tau, arne_observer_residual(x), &f);
            for (int i = 0; i < 6; i++) quiet = fmax(quiet, fabs(arne_observer_residual(x)[i]));
        }
        if (pushed) {
            assert_int_equal(f.kind, ARNE_FAULT_OUTSIDE);
            assert_int_equal(f.joint, -1);
        } else {
            assert_int_equal(f.kind, ARNE_FAULT_LOST_POWER);
            assert_int_equal(f.joint, elbow);
            assert_true(quiet < 1e-6);
        }
        arne_fault_free(monitor);
        arne_observer_free(x);
        arne_plant_free(p);
        arne_data_free(d);
        arne_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_heard_to_fourth_order),
        cmocka_unit_test(turning_bodies_are_heard_to_fourth_order),
        cmocka_unit_test(a_push_shows_as_the_wrench_on_the_base),
        cmocka_unit_test(only_joints_have_actuators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
