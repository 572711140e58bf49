/* SPDX-License-Identifier: MIT
 *
 * observer_test.c - the residual is the unknown torque through a first-order filter: exactly, whatever gain and period, up to the
 * error of integration. */
#include <stdio.h>

#include "observe/plant.h"

static const double START = 0.1, END = 0.6; /* s: of the fault, of the run */

/* ---- faults ---- */

/* Constant torques on two joints from START on, of a size that their inertias feel. RK4 looks at the ends of a tick: a torque
 * that begins there is held over the tick, as those of the motors are. */
static void step_torque(const plant *p, double t, const double *x, double *u)
{
    (void)t, (void)x;
    if (p->t < START - 1e-9) return;
    u[1] = p->fault[1];
    u[p->n - 1] = p->fault[p->n - 1];
}

static void set_faults(plant *p)
{
    double M[PLANT_DOF * PLANT_DOF];
    arne_mass(p->d, p->x, M);
    p->unknown = step_torque;
    p->fault[1] = 3 * M[p->n + 1];
    p->fault[p->n - 1] = -2 * M[p->n * p->n - 1];
}

static void without_friction(plant *p)
{
    arne_set_friction(arne_data_settings(p->d), false);
    arne_set_friction(arne_data_settings(p->view), false);
}

static double filtered_step(double size, double gain, double t) { return t < START ? 0 : size * (1 - exp(-gain * (t - START))); }

/* largest error of the residual against the exact filter, over a run */
static double error_of(const char *robot, double h, const double *gain, bool numeric)
{
    plant p = plant_open(robot, h);
    without_friction(&p);
    arne_observer *o = plant_observer(&p, gain, numeric);
    plant_start(&p);
    set_faults(&p);
    double most = 0;
    arne_observer_tick(o, p.x, p.x + p.n, p.tau);
    const int ticks = (int)lround(END / h);
    for (int k = 1; k <= ticks; k++) {
        plant_shake(&p);
        plant_tick(&p);
        const bool good = !arne_observer_tick(o, p.x, p.x + p.n, p.tau);
        const double *r = arne_observer_residual(o);
        for (int i = 0; i < p.n; i++) {
            const double K = gain ? gain[i] : ARNE_OBSERVER_GAIN;
            most = good ? fmax(most, fabs(r[i] - filtered_step(p.fault[i], K, p.t))) : INFINITY;
        }
    }
    arne_observer_free(o);
    plant_close(&p);
    return most;
}

/* moving start, torques that jump at every tick: nothing but the integration error is left, and that is of fourth order */
static void error_falls_with_the_fourth_power(void **state)
{
    (void)state;
    static const char *const robots[] = {"kuka-lwr", "stanford", "rx90", "torso2"};
    for (int k = 0; k < 4; k++) {
        const double coarse = error_of(robots[k], 0.01, NULL, false);
        const double middle = error_of(robots[k], 0.005, NULL, false);
        const double fine = error_of(robots[k], 0.0025, NULL, false);
        if (!(coarse / middle > 12 && middle / fine > 12 && coarse / fine < 400 && fine < 1e-5))
            fail_msg("%s: errors %.3g %.3g %.3g at 10, 5, 2.5 ms: ratios %.3g %.3g, not 16", robots[k], coarse, middle, fine,
                     coarse / middle, middle / fine);
    }
}

/* viscous friction and rotors of the model are in it */
static void friction_and_rotors_are_known(void **state)
{
    (void)state;
    plant p = plant_open("puma560", 0.001);
    bool friction = false;
    for (int i = 0; i < p.n; i++) friction |= arne_joint_friction(p.m, i)->coulomb != 0 || arne_joint_motor(p.m, i)->coulomb != 0;
    assert_true(friction);
    arne_observer *o = plant_observer(&p, NULL, false);
    plant_start(&p);
    for (int i = 0; i < p.n; i++) p.x[p.n + i] = 0.5; /* no joint stops: the sign of Coulomb friction stays */
    arne_observer_tick(o, p.x, p.x + p.n, p.tau);
    double f[PLANT_DOF], most = 0;
    for (int k = 0; k < 100; k++) {
        /* id with these accelerations: a smooth motion that the torques produce */
        double qdd[PLANT_DOF];
        for (int i = 0; i < p.n; i++) qdd[i] = 0.3 * sin(20 * p.t + i);
        arne_id(p.d, p.x, p.x + p.n, qdd, p.tau);
        plant_tick(&p);
        for (int i = 0; i < p.n; i++) assert_true(p.x[p.n + i] > 0.1);
        arne_observer_tick(o, p.x, p.x + p.n, p.tau);
        arne_friction_torque(p.d, p.x + p.n, f);
        for (int i = 0; i < p.n; i++) {
            most = fmax(most, fabs(f[i]));
            assert_true(fabs(arne_observer_residual(o)[i]) < 1e-6);
        }
    }
    assert_true(most > 0.5);
    /* an observer that knows nothing of friction sees it: -f */
    arne_set_friction(arne_observer_settings(o), false);
    for (int k = 0; k < 400; k++) {
        double qdd[PLANT_DOF] = {0};
        arne_id(p.d, p.x, p.x + p.n, qdd, p.tau);
        plant_tick(&p);
        arne_observer_tick(o, p.x, p.x + p.n, p.tau);
    }
    arne_friction_torque(p.d, p.x + p.n, f);
    for (int i = 0; i < p.n; i++) assert_true(fabs(arne_observer_residual(o)[i] + f[i]) < 1e-3 * (1 + fabs(f[i])));
    arne_observer_free(o);
    plant_close(&p);
}

/* gain times period = 50: one tick tells all, and nothing grows; Euler's rule explodes from 2 on */
static void any_gain_is_stable(void **state)
{
    (void)state;
    double gain[PLANT_DOF];
    for (int i = 0; i < PLANT_DOF; i++) gain[i] = 50 / 0.005;
    assert_true(error_of("kuka-lwr", 0.005, gain, false) < 1e-3);
    const double wild = error_of("kuka-lwr", 0.005, gain, true);
    assert_true(!(wild < 1e6));
}

static void every_joint_has_its_gain(void **state)
{
    (void)state;
    double gain[PLANT_DOF];
    for (int i = 0; i < PLANT_DOF; i++) gain[i] = 10 + 30 * i;
    assert_true(error_of("kuka-lwr", 0.002, gain, false) < 1e-5);
}

/* A torque that changes within a tick is seen as its mean there: off by K h^2 |du/dt|/12 at most, to leading order. */
static void swing(const plant *p, double t, const double *x, double *u)
{
    (void)x, (void)p;
    u[0] = 5 * sin(20 * t);
}

static double swing_error(double h)
{
    plant p = plant_open("kuka-lwr", h);
    without_friction(&p);
    arne_observer *o = plant_observer(&p, NULL, false);
    plant_start(&p);
    p.unknown = swing;
    double most = 0;
    arne_observer_tick(o, p.x, p.x + p.n, p.tau);
    for (int k = 1; k <= (int)lround(END / h); k++) {
        plant_shake(&p);
        plant_tick(&p);
        arne_observer_tick(o, p.x, p.x + p.n, p.tau);
        /* solution of rdot = K (5 sin(wt) - r), r(0) = 0 */
        const double K = ARNE_OBSERVER_GAIN, w = 20, c = 5 * K / (K * K + w * w);
        const double want = c * (K * sin(w * p.t) - w * cos(w * p.t) + w * exp(-K * p.t));
        most = fmax(most, fabs(arne_observer_residual(o)[0] - want));
    }
    arne_observer_free(o);
    plant_close(&p);
    return most;
}

static void a_changing_torque_is_seen_as_its_mean(void **state)
{
    (void)state;
    const double coarse = swing_error(0.002), fine = swing_error(0.001);
    assert_true(coarse < 1.1 * ARNE_OBSERVER_GAIN * 0.002 * 0.002 * 100 / 12);
    assert_true(coarse / fine > 3.5 && coarse / fine < 4.5);
}

/* ---- samples ---- */

static void what_is_not_a_number_is_held(void **state)
{
    (void)state;
    plant p = plant_open("kuka-lwr", 0.001);
    without_friction(&p);
    arne_observer *o = plant_observer(&p, NULL, false);
    plant_start(&p);
    set_faults(&p);
    double held[PLANT_DOF];
    for (int k = 0; k < 600; k++) {
        arne_observer_tick(o, p.x, p.x + p.n, p.tau);
        if (k == 300 || k == 310 || k == 311 || k == 320) {
            double bad[3][PLANT_DOF];
            memcpy(held, arne_observer_residual(o), sizeof(double) * (size_t)p.n);
            for (int which = 0; which < 3; which++) {
                memcpy(bad[0], p.x, sizeof(double) * (size_t)p.n);
                memcpy(bad[1], p.x + p.n, sizeof(double) * (size_t)p.n);
                memcpy(bad[2], p.tau, sizeof(double) * (size_t)p.n);
                bad[which][2] = k == 320 ? INFINITY : NAN;
                assert_int_equal(arne_observer_tick(o, bad[0], bad[1], bad[2]), ARNE_NOT_FINITE);
                assert_memory_equal(held, arne_observer_residual(o), sizeof(double) * (size_t)p.n);
            }
            /* numbers that are none after a multiplication */
            memcpy(bad[0], p.x, sizeof(double) * (size_t)p.n);
            for (int i = 0; i < p.n; i++) bad[1][i] = 1e200;
            assert_int_equal(arne_observer_tick(o, bad[0], bad[1], p.tau), ARNE_NOT_FINITE);
            assert_memory_equal(held, arne_observer_residual(o), sizeof(double) * (size_t)p.n);
            /* the next good one starts again and keeps the residual */
            assert_int_equal(arne_observer_tick(o, p.x, p.x + p.n, p.tau), ARNE_OK);
            assert_memory_equal(held, arne_observer_residual(o), sizeof(double) * (size_t)p.n);
        }
        plant_shake(&p);
        plant_tick(&p);
    }
    assert_true(fabs(arne_observer_residual(o)[1] / p.fault[1] - 1) < 1e-4);
    arne_observer_reset(o);
    for (int i = 0; i < p.n; i++) assert_true(arne_observer_residual(o)[i] == 0);
    arne_observer_free(o);
    plant_close(&p);
}

/* a joint that counts its angle from -pi to pi */
static void angles_may_wrap(void **state)
{
    (void)state;
    plant p = plant_open("kuka-lwr", 0.001);
    arne_data *other = test_data(p.m);
    without_friction(&p);
    arne_set_friction(arne_data_settings(other), false);
    arne_observer *o = plant_observer(&p, NULL, false), *wrapped;
    assert_int_equal(arne_observer_new(arne_data_settings(other),
                                       &(arne_observer_options){.size = sizeof(arne_observer_options), .period = p.h}, &wrapped,
                                       NULL),
                     ARNE_OK);
    plant_start(&p);
    for (int i = 0; i < p.n; i++) p.x[i] = 3.1, p.x[p.n + i] = 0.8;
    bool turned = false;
    for (int k = 0; k < 200; k++) {
        double q[PLANT_DOF];
        for (int i = 0; i < p.n; i++) {
            q[i] = remainder(p.x[i], 2 * acos(-1.0));
            turned |= q[i] != p.x[i];
        }
        arne_observer_tick(o, p.x, p.x + p.n, p.tau);
        arne_observer_tick(wrapped, q, p.x + p.n, p.tau);
        for (int i = 0; i < p.n; i++) assert_true(fabs(arne_observer_residual(o)[i] - arne_observer_residual(wrapped)[i]) < 1e-9);
        plant_shake(&p);
        plant_tick(&p);
    }
    assert_true(turned);
    arne_observer_free(o);
    arne_observer_free(wrapped);
    arne_data_free(other);
    plant_close(&p);
}

static void the_numeric_one_sees_the_same_less_well(void **state)
{
    (void)state;
    const double exact = error_of("kuka-lwr", 0.001, NULL, false), numeric = error_of("kuka-lwr", 0.001, NULL, true);
    assert_true(numeric < 0.5 && numeric > 100 * exact);
    /* its error is of first order */
    const double coarse = error_of("kuka-lwr", 0.002, NULL, true);
    if (!(coarse / numeric > 1.7 && coarse / numeric < 2.4)) fail_msg("numeric: errors %g, %g", coarse, numeric);
}

/* ---- a mass on a vertical slide ---- */

enum { SLIDE = 2 }; /* of scara: M qdd = tau + u - G, and no other joint feels it */

/* A torque and an unknown one that are constant over each tick: the filter's exact solution, or Euler's, tick by tick, also about
 * a sample that is none and where samples were lost. */
static void a_slide_is_filtered_tick_by_tick(void **state)
{
    (void)state;
    for (int numeric = 0; numeric < 2; numeric++) {
        plant p = plant_open("scara", 0.004);
        without_friction(&p);
        const double gain[] = {50, 60, 35, 70};
        arne_observer *o = plant_observer(&p, gain, numeric);
        double M[16], G[4], r = 0;
        for (int i = 0; i < p.n; i++) p.x[i] = 0.3 - 0.1 * i;
        arne_mass(p.d, p.x, M);
        arne_gravity(p.d, p.x, G);
        p.x[p.n + SLIDE] = -0.7; /* a moving start */
        assert_int_equal(arne_observer_tick(o, p.x, p.x + p.n, p.tau), ARNE_OK);
        for (int k = 1; k < 60; k++) {
            const double u = 7 * sin(3.0 * k) + 2, h = p.h;
            p.tau[SLIDE] = G[SLIDE] + 5 * cos(2.0 * k);
            const double a = (p.tau[SLIDE] + u - G[SLIDE]) / M[SLIDE * p.n + SLIDE];
            p.x[SLIDE] += p.x[p.n + SLIDE] * h + a * h * h / 2;
            p.x[p.n + SLIDE] += a * h;
            const double q = p.x[SLIDE];
            if (k == 20) p.x[SLIDE] = NAN;
            if (k == 40) arne_observer_pause(o);
            assert_int_equal(arne_observer_tick(o, p.x, p.x + p.n, p.tau), k == 20 ? ARNE_NOT_FINITE : ARNE_OK);
            p.x[SLIDE] = q;
            const double part = numeric ? gain[SLIDE] * h : 1 - exp(-gain[SLIDE] * h);
            if (k != 20 && k != 21 && k != 40) r += part * (u - r);
            for (int i = 0; i < p.n; i++)
                if (!(fabs(arne_observer_residual(o)[i] - (i == SLIDE ? r : 0)) < 1e-9))
                    fail_msg("tick %d, joint %d: %g, should be %g", k, i, arne_observer_residual(o)[i], i == SLIDE ? r : 0);
        }
        assert_true(fabs(r) > 0.5);
        arne_observer_reset(o);
        for (int i = 0; i < p.n; i++) assert_true(arne_observer_residual(o)[i] == 0);
        arne_observer_free(o);
        plant_close(&p);
    }
}

/* Spring torques that are polynomials of time: of degree k they are integrated exactly from the k-th tick after a start on, up to
 * degree three. */
static void spring_torques_are_integrated_by_polynomials(void **state)
{
    (void)state;
    static const double c[] = {10, 2e3, -3e5, 4e7};
    for (int degree = 0; degree < 4; degree++) {
        plant p = plant_open("scara", 0.004);
        without_friction(&p);
        arne_set_link_side(arne_data_settings(p.d));
        arne_observer *o;
        const arne_observer_options options = {.size = sizeof options, .period = p.h, .link_side = true};
        assert_int_equal(arne_observer_new(arne_data_settings(p.view), &options, &o, NULL), ARNE_OK);
        double M[16], G[4], last = 0;
        arne_mass(p.d, p.x, M);
        arne_gravity(p.d, p.x, G);
        const double mass = M[SLIDE * p.n + SLIDE], keep = exp(-ARNE_OBSERVER_GAIN * p.h), u = 3;
        for (int k = 0, since = 0; k < 14; k++, since++) {
            const double t = k * p.h;
            if (k == 7) arne_observer_pause(o), since = 0;
            p.x[SLIDE] = 0.1 + (u - G[SLIDE]) / mass * t * t / 2;
            p.x[p.n + SLIDE] = (u - G[SLIDE]) / mass * t;
            p.tau[SLIDE] = 0;
            for (int j = 0; j <= degree; j++) {
                p.tau[SLIDE] += c[j] * pow(t, j);
                p.x[p.n + SLIDE] += c[j] / mass * pow(t, j + 1) / (j + 1);
                p.x[SLIDE] += c[j] / mass * pow(t, j + 2) / ((j + 1) * (j + 2));
            }
            assert_int_equal(arne_observer_tick(o, p.x, p.x + p.n, p.tau), ARNE_OK);
            const double r = arne_observer_residual(o)[SLIDE];
            if (since == 0) assert_true(r == last);
            if (since > 0 && since >= degree && !(fabs(r - u - keep * (last - u)) < 1e-8))
                fail_msg("degree %d, tick %d: %.12g, should be %.12g", degree, k, r, u + keep * (last - u));
            last = r;
        }
        arne_observer_free(o);
        plant_close(&p);
    }
}

/* ---- elastic joints ---- */

typedef struct {
    arne_flex *flex;
    int n;
    double tau[PLANT_DOF];
} springs;

/* x = q, theta, qd, thetad */
static int springs_slope(void *context, double t, const double *x, double *dx)
{
    springs *s = context;
    const int n = s->n;
    (void)t;
    memcpy(dx, x + 2 * n, 2 * (size_t)n * sizeof *dx);
    return arne_flex_fd(s->flex, x, x + 2 * n, x + n, x + 3 * n, s->tau, dx + 2 * n, dx + 3 * n) != ARNE_OK;
}

/* Links swinging on their springs, pushed at the hand: with the spring torques as input the residual is the push, and so it is
 * not without them. */
static void the_link_side_sees_a_push_through_the_springs(void **state)
{
    (void)state;
    plant p = plant_open("kuka-lwr", 0.0005);
    const int n = p.n, hand = arne_joint_link(p.m, n - 1);
    springs s = {.n = n};
    arne_error e = {0};
    if (arne_flex_new(arne_data_settings(p.d), &s.flex, &e)) fail_msg("%s", e.message);
    const arne_wrench w = {.link = hand, .frame = ARNE_ALIGNED, .force = {10, -20, 5}};
    arne_set_rigid(arne_flex_settings(s.flex), true);
    arne_set_rigid(arne_data_settings(p.view), true);
    arne_set_rigid(arne_data_settings(p.d), true);
    arne_observer *o;
    assert_int_equal(
        arne_observer_new(arne_data_settings(p.view),
                          &(arne_observer_options){.size = sizeof(arne_observer_options), .period = p.h, .link_side = true}, &o,
                          NULL),
        ARNE_OK);
    double x[4 * PLANT_DOF] = {0}, scratch[16 * PLANT_DOF], tau_e[PLANT_DOF], J[6 * PLANT_DOF], want[PLANT_DOF] = {0};
    double before[PLANT_DOF] = {0}, worst = 0, size = 0;
    for (int i = 0; i < n; i++) x[i] = 0.6;
    arne_flex_rest(s.flex, x, x + n, s.tau);
    for (int i = 0; i < n; i++) x[2 * n + i] = 0.3; /* moving start */
    const double keep = exp(-ARNE_OBSERVER_GAIN * p.h);
    for (int k = 0; k < 400; k++) {
        arne_flex_spring(s.flex, x, x + 2 * n, x + n, x + 3 * n, tau_e);
        assert_int_equal(arne_observer_tick(o, x, x + 2 * n, tau_e), ARNE_OK);
        arne_link_jacobian(p.d, x, hand, ARNE_ALIGNED, J);
        for (int i = 0; i < n; i++) {
            double u = 0;
            for (int row = 0; row < 3 && k >= 100; row++) u += J[row * n + i] * w.force[row];
            /* u changes slowly: the mean of a tick is that of its ends; at the jump it is what begins there */
            const double mean = k == 100 ? 0 : (u + before[i]) / 2;
            want[i] = mean + keep * (want[i] - mean);
            before[i] = u;
            worst = fmax(worst, fabs(arne_observer_residual(o)[i] - want[i]));
            size = fmax(size, fabs(want[i]));
        }
        arne_set_wrenches(arne_flex_settings(s.flex), &w, k >= 100);
        assert_int_equal(arne__rk4_step(springs_slope, &s, 4 * n, 0, p.h, x, scratch), 0);
    }
    assert_true(size > 1);
    if (!(worst < 1e-3 * size)) fail_msg("residual off by %g of %g", worst, size);
    arne_observer_free(o);
    arne_flex_free(s.flex);
    plant_close(&p);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    arne_observer *o;
    arne_error e;
    const double zero[] = {50, 0}, negative[] = {-1, 50}, none[] = {50, NAN};
    const struct {
        double period;
        const double *gain;
        const char *sentence;
    } bad[] = {{0, NULL, "the period of the observer is 0 s; it must be above 0"},
               {-0.5, NULL, "the period of the observer is -0.5 s; it must be above 0"},
               {INFINITY, NULL, "the period of the observer is inf s; it must be above 0"},
               {0.001, zero, "the observer's gain of joint j2 is 0 1/s; it must be above 0"},
               {0.001, negative, "the observer's gain of joint j1 is -1 1/s; it must be above 0"},
               {0.001, none, "the observer's gain of joint j2 is nan 1/s; it must be above 0"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const arne_observer_options options = {.size = sizeof options, .period = bad[k].period, .gain = bad[k].gain};
        assert_int_equal(arne_observer_new(arne_data_settings(p.view), &options, &o, &e), ARNE_BAD_VALUE);
        assert_null(o);
        assert_string_equal(e.message, bad[k].sentence);
    }
    arne_observer_free(NULL);
    plant_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_falls_with_the_fourth_power),
        cmocka_unit_test(friction_and_rotors_are_known),
        cmocka_unit_test(any_gain_is_stable),
        cmocka_unit_test(every_joint_has_its_gain),
        cmocka_unit_test(a_changing_torque_is_seen_as_its_mean),
        cmocka_unit_test(what_is_not_a_number_is_held),
        cmocka_unit_test(angles_may_wrap),
        cmocka_unit_test(the_numeric_one_sees_the_same_less_well),
        cmocka_unit_test(the_link_side_sees_a_push_through_the_springs),
        cmocka_unit_test(a_slide_is_filtered_tick_by_tick),
        cmocka_unit_test(spring_torques_are_integrated_by_polynomials),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
