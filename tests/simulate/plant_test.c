/* SPDX-License-Identifier: MIT
 *
 * A robot left to itself keeps its energy; a joint with dry friction sticks, breaks away, slides and stops as the closed form of
 * one mass says; joints at rest obey the law of friction all together; stops bounce. */
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
#include "arne/simulate.h"
#include "simulate/plant.h"
#include "support/data.h"
#include "support/random_robot.h"

static const arne_integrator methods[] = {ARNE_RK4, ARNE_ARKODE, ARNE_CVODE};

static arne_model *load(const char *name)
{
    char path[512];
    arne_model *m;
    arne_error error;
    snprintf(path, sizeof path, "%s/%s.yaml", ARNE_ROBOTS, name);
    if (arne_load(path, &m, &error)) fail_msg("%s", error.message);
    return m;
}

static arne_model *random_model(unsigned seed, unsigned parts)
{
    arne_description *d = random_robot_with(seed, parts);
    arne_model *m;
    arne_error error;
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

static arne_plant *plant_of(arne_data *d, arne_plant_options o)
{
    arne_plant *p;
    arne_error error;
    if (arne_plant_new(arne_data_settings(d), &o, &p, &error)) fail_msg("%s", error.message);
    return p;
}

static void advance(arne_plant *p, double t, const double *tau)
{
    arne_error error;
    if (arne_plant_advance(p, t, tau, &error)) fail_msg("%s", error.message);
}

static double energy(arne_plant *p)
{
    double kinetic, potential;
    arne_plant_energy(p, &kinetic, &potential);
    return kinetic + potential;
}

/* ---- energy ---- */

/* Largest change of the energy over 10 s, beside the largest kinetic energy on the way. */
static double drift(const char *robot, arne_plant_options o)
{
    static const double zero[16];
    arne_model *m = load(robot);
    arne_data *d = test_data(m);
    const int n = arne_model_dof(m);
    double q[16], qd[16], most = 0, change = 0;
    for (int i = 0; i < n; i++) {
        q[i] = 0.3 + 0.4 * i;
        qd[i] = i % 2 ? -0.5 : 0.7;
    }
    arne_plant *p = plant_of(d, o);
    arne_plant_place(p, 0, q, qd, NULL, NULL);
    const double start = energy(p);
    for (int k = 1; k <= 100; k++) {
        double kinetic, potential;
        advance(p, 0.1 * k, zero);
        arne_plant_energy(p, &kinetic, &potential);
        most = fmax(most, kinetic);
        change = fmax(change, fabs(kinetic + potential - start));
    }
    arne_plant_free(p);
    arne_data_free(d);
    arne_model_free(m);
    return change / most;
}

static void energy_stays_with_tight_tolerances(void **state)
{
    (void)state;
    const char *const robots[] = {"planar2r", "ur5e", "kuka-lwr"};
    for (size_t k = 0; k < sizeof robots / sizeof *robots; k++) {
        const double erk =
            drift(robots[k],
                  (arne_plant_options){.size = sizeof(arne_plant_options), .method = ARNE_ARKODE, .rtol = 1e-13, .atol = 1e-14});
        print_message("%s: energy drifts by %.1e (arkode)\n", robots[k], erk);
        assert_true(erk < 1e-9);
    }
    const double bdf = drift(
        "planar2r", (arne_plant_options){.size = sizeof(arne_plant_options), .method = ARNE_CVODE, .rtol = 1e-12, .atol = 1e-14});
    print_message("planar2r: energy drifts by %.1e (cvode)\n", bdf);
    assert_true(bdf < 1e-9);
}

/* ---- order ---- */

static void swing(double step, double t, double *x, double *change)
{
    static const double zero[2], q[2] = {-0.6, 0.4}, qd[2] = {0.5, -0.3};
    arne_model *m = load("planar2r");
    arne_data *d = test_data(m);
    arne_plant *p = plant_of(
        d, step > 0
               ? (arne_plant_options){.size = sizeof(arne_plant_options), .method = ARNE_RK4, .step = step}
               : (arne_plant_options){.size = sizeof(arne_plant_options), .method = ARNE_ARKODE, .rtol = 1e-13, .atol = 1e-14});
    arne_plant_place(p, 0, q, qd, NULL, NULL);
    const double start = energy(p);
    *change = 0;
    for (int k = 1; k <= 20; k++) { /* the energy error swings with the arm: its largest value counts, not its last */
        advance(p, t * k / 20, zero);
        *change = fmax(*change, fabs(energy(p) - start));
    }
    memcpy(x, arne_plant_q(p), 2 * sizeof *x);
    memcpy(x + 2, arne_plant_qd(p), 2 * sizeof *x);
    arne_plant_free(p);
    arne_data_free(d);
    arne_model_free(m);
}

static void runge_kutta_is_of_fourth_order(void **state)
{
    (void)state;
    double exact[4], unused, x[4], error[2], change[2];
    const double h[2] = {0.001, 0.0005}, t = 2;
    swing(0, t, exact, &unused);
    for (int k = 0; k < 2; k++) {
        swing(h[k], t, x, &change[k]);
        error[k] = 0;
        for (int i = 0; i < 4; i++) error[k] = fmax(error[k], fabs(x[i] - exact[i]));
    }
    const double state_slope = log2(error[0] / error[1]), energy_slope = log2(change[0] / change[1]);
    print_message("slope of the state error %.3f, of the energy error %.3f\n", state_slope, energy_slope);
    assert_true(fabs(state_slope - 4) < 0.2);
    assert_true(fabs(energy_slope - 4) < 0.2);
}

/* ---- one mass ---- */

enum { MASS = 2 };

/* A mass on a level slide, or an inertia of the same number on an axle. */
static arne_model *slide(arne_joint_type type, arne_friction friction, double lower, double upper)
{
    arne_description *d = arne_description_new("slide");
    arne_description_link(d, "base", 0);
    arne_link_description *l = arne_description_link(d, "mass", 0);
    l->body = (arne_body){.mass = MASS, .inertia = {MASS, 0, 0, MASS, 0, MASS}};
    arne_joint_description *j = arne_description_joint(d, "x", 0, type, "base", "mass");
    j->axis[0] = 1;
    j->axis[2] = 0;
    friction.stribeck_velocity = 0.1;
    friction.stribeck_exponent = 2;
    j->friction = friction;
    j->limits.lower = lower;
    j->limits.upper = upper;
    arne_model *m = NULL;
    arne_error error;
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

typedef struct {
    arne_model *m;
    arne_data *d;
    arne_plant *p;
} one;

static one one_joint(arne_joint_type type, arne_integrator method, arne_friction friction, double restitution)
{
    one s = {.m = slide(type, friction, -1, 1)};
    s.d = test_data(s.m);
    s.p = plant_of(s.d, (arne_plant_options){.size = sizeof(arne_plant_options),
                                             .method = method,
                                             .step = method == ARNE_RK4 ? 0.01 : 0,
                                             .rtol = 1e-10,
                                             .atol = 1e-12,
                                             .friction = true,
                                             .stops = true,
                                             .restitution = restitution});
    return s;
}

static one one_mass(arne_integrator method, arne_friction friction, double restitution)
{
    return one_joint(ARNE_PRISMATIC, method, friction, restitution);
}

static void one_free(one s)
{
    arne_plant_free(s.p);
    arne_data_free(s.d);
    arne_model_free(s.m);
}

static void below_breakaway_nothing_creeps(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        one s = one_mass(methods[k], (arne_friction){.coulomb = 3, .static_ = 5, .viscous = 1}, 0);
        const double at = 0.123456789, still = 0;
        arne_plant_place(s.p, 0, &at, &still, NULL, NULL);
        for (int i = 1; i <= 100; i++) {
            const double force = 4.999 * sin(i);
            advance(s.p, 0.1 * i, &force);
            assert_true(arne_plant_q(s.p)[0] == at && arne_plant_qd(s.p)[0] == 0);
        }
        const double more = 5.001;
        advance(s.p, 10.1, &more);
        assert_true(arne_plant_q(s.p)[0] > at && arne_plant_qd(s.p)[0] > 0);
        one_free(s);
    }
}

/* m vdot = -c: stops after m v/c at m v^2/2c, and stays */
static void sliding_stops_where_it_must(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        one s = one_mass(methods[k], (arne_friction){.coulomb = 3}, 0);
        const double at = -0.5, v = 1, none = 0, end = -0.5 + MASS * v * v / (2 * 3);
        arne_plant_place(s.p, 0, &at, &v, NULL, NULL);
        advance(s.p, 0.5, &none);
        assert_true(fabs(arne_plant_q(s.p)[0] - (-0.5 + 0.5 - 3.0 / MASS * 0.125)) < 1e-9);
        advance(s.p, 2, &none);
        assert_true(arne_plant_held(s.p, 0) && arne_plant_qd(s.p)[0] == 0);
        assert_true(fabs(arne_plant_q(s.p)[0] - end) < 1e-9);
        const double rest = arne_plant_q(s.p)[0];
        advance(s.p, 3, &none);
        assert_true(arne_plant_q(s.p)[0] == rest);
        one_free(s);
    }
}

/* Braked by F + c, through rest without sticking, then driven by F - less the other way; an offset acts all the time. */
static void reversal_passes_rest_with_the_other_friction(void **state)
{
    (void)state;
    const double c = 3, less = 2, offset = 1, F = -6, v = 1, at = 0, turn = MASS * v / (c + offset - F), far = v * turn / 2;
    const double back = (F - offset + less) / MASS, held = -less + 1.01 * offset, slips = -less + 0.99 * offset;
    const double t = 0.6, x = far + back * (t - turn) * (t - turn) / 2, speed = back * (t - turn);
    for (int k = 0; k < 3; k++) {
        one s = one_mass(methods[k], (arne_friction){.coulomb = c, .coulomb_negative = less, .offset = offset}, 0);
        arne_plant_place(s.p, 0, &at, &v, NULL, NULL);
        advance(s.p, t, &F);
        assert_true(fabs(arne_plant_q(s.p)[0] - x) < 1e-9 && fabs(arne_plant_qd(s.p)[0] - speed) < 1e-9);
        arne_plant_place(s.p, 0, &at, &at, NULL, NULL);
        advance(s.p, 1, &held);
        assert_true(arne_plant_qd(s.p)[0] == 0);
        advance(s.p, 2, &slips);
        assert_true(arne_plant_qd(s.p)[0] < 0);
        one_free(s);
    }
}

/* With viscous friction b: v = (F - c)/b (1 - exp(-b t/m)) after breakaway. */
static void breakaway_follows_the_exponential(void **state)
{
    (void)state;
    const double c = 3, b = 4, F = 5, at = -0.9, still = 0, t = 1.5;
    for (int k = 0; k < 3; k++) {
        one s = one_mass(methods[k], (arne_friction){.coulomb = c, .viscous = b}, 0);
        arne_plant_place(s.p, 0, &at, &still, NULL, NULL);
        advance(s.p, t, &F);
        assert_true(fabs(arne_plant_qd(s.p)[0] - (F - c) / b * (1 - exp(-b * t / MASS))) < 1e-8);
        one_free(s);
    }
}

/* ---- stops ---- */

/* A mass under constant force bounces as a ball does: the n-th top is e^2 times as high as the one before. side: of the stop */
static void bounce(arne_joint_type type, arne_integrator method, int side)
{
    const double F = side * 4.0, a = 4.0 / MASS, e = 0.5, at = 0, still = 0, height = 1; /* off the stop at +-1 */
    const double fall = sqrt(2 * height / a), up = e * fall; /* time of the first fall; of the first rise */
    one s = one_joint(type, method, (arne_friction){0}, e);
    arne_plant_place(s.p, 0, &at, &still, NULL, NULL);
    advance(s.p, fall + up, &F);
    assert_true(fabs(arne_plant_q(s.p)[0] - side * (1 - e * e * height)) < 1e-8 && fabs(arne_plant_qd(s.p)[0]) < 1e-8);
    advance(s.p, fall + 2 * up + e * up, &F);
    assert_true(fabs(arne_plant_q(s.p)[0] - side * (1 - e * e * e * e * height)) < 1e-8);
    advance(s.p, 6, &F); /* all bounces are over */
    assert_true(arne_plant_q(s.p)[0] == side && arne_plant_qd(s.p)[0] == 0 && arne_plant_held(s.p, 0));
    const double away = -side;
    advance(s.p, 7, &away);
    assert_true(fabs(arne_plant_q(s.p)[0] - side * (1 - 0.5 / MASS)) < 1e-9);
    one_free(s);
}

static void stops_bounce_as_restitution_says(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            bounce(ARNE_PRISMATIC, methods[k], side);
            bounce(ARNE_REVOLUTE, methods[k], side);
        }
}

/* Put down on its stop with a velocity against it: it comes back at once. */
static void a_start_against_the_stop_is_an_impact(void **state)
{
    (void)state;
    const double at = 1, v = 2, none = 0;
    for (int k = 0; k < 3; k++) {
        one s = one_mass(methods[k], (arne_friction){0}, 0.5);
        arne_plant_place(s.p, 0, &at, &v, NULL, NULL);
        advance(s.p, 0.5, &none);
        assert_true(fabs(arne_plant_qd(s.p)[0] + 1) < 1e-9 && fabs(arne_plant_q(s.p)[0] - 0.5) < 1e-9);
        one_free(s);
    }
}

/* ---- many joints ---- */

/* From rest at random torques: joints that stay need no more than friction gives, joints that leave are rubbed against their way.
 * Judged by inverse dynamics of what the robot did in a microsecond. */
static void friction_at_rest_is_fair_to_all_joints(void **state)
{
    (void)state;
    int held = 0, gone = 0;
    for (unsigned seed = 1; seed <= 200; seed++) {
        arne_model *m = random_model(seed, RANDOM_MOTORS | RANDOM_FRICTION);
        arne_data *d = test_data(m), *judge = test_data(m);
        const int n = arne_model_dof(m);
        const double dt = 1e-6;
        random_stream r = {seed};
        double q[16], zero[16] = {0}, tau[16], qdd[16], need[16], g[16];
        random_vector(&r, n, 1, q);
        arne_plant *p = plant_of(
            d, (arne_plant_options){.size = sizeof(arne_plant_options), .method = ARNE_RK4, .step = dt, .friction = true});
        arne_set_rigid(arne_data_settings(judge), false);
        arne_set_friction(arne_data_settings(judge), false);
        arne_gravity(judge, q, g);
        for (int i = 0; i < n; i++) {
            const arne_motor *motor = arne_joint_motor(m, i);
            const double most = arne_joint_friction(m, i)->coulomb + fabs(motor->gear) * motor->coulomb;
            tau[i] = g[i] + most * random_between(&r, -1.5, 1.5);
        }
        arne_plant_place(p, 0, q, zero, NULL, NULL);
        advance(p, dt, tau);
        for (int i = 0; i < n; i++) qdd[i] = arne_plant_qd(p)[i] / dt;
        arne_id(judge, q, zero, qdd, need);
        for (int i = 0; i < n; i++) {
            const arne_motor *motor = arne_joint_motor(m, i);
            const double most = arne_joint_friction(m, i)->coulomb + fabs(motor->gear) * motor->coulomb, f = tau[i] - need[i];
            const double near = 1e-4 * (1 + fabs(tau[i])); /* viscous and Coriolis torques of a microsecond of motion */
            if (qdd[i] == 0) {
                assert_true(fabs(f) <= most + near);
                held++;
            } else {
                assert_true(fabs(f - (qdd[i] > 0 ? most : -most)) < near);
                gone++;
            }
        }
        arne_plant_free(p);
        arne_data_free(d);
        arne_data_free(judge);
        arne_model_free(m);
    }
    print_message("%d joints held, %d left\n", held, gone);
    assert_true(held > 200 && gone > 100);
}

/* Every law of friction, motors with gears and coupled ones included: a robot that moves is accelerated as forward dynamics says,
 * as long as no joint is near rest. */
static void moving_robots_rub_as_forward_dynamics_says(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 100; seed++) {
        arne_model *m = random_model(seed, RANDOM_ALL);
        arne_data *d = test_data(m), *judge = test_data(m);
        const int n = arne_model_dof(m);
        const double dt = 1e-7;
        random_stream r = {seed};
        double q[16], qd[16], tau[16], qdd[16], slope[2][16], most = 1;
        random_vector(&r, n, 1, q);
        random_vector(&r, n, 10, tau);
        for (int i = 0; i < n; i++) qd[i] = (i % 2 ? -1 : 1) * random_between(&r, 0.5, 1.5);
        arne_plant *p = plant_of(
            d, (arne_plant_options){.size = sizeof(arne_plant_options), .method = ARNE_RK4, .step = dt, .friction = true});
        arne_fd(judge, q, qd, tau, qdd);
        for (int i = 0; i < n; i++) most = fmax(most, fabs(qdd[i]));
        for (int k = 0; k < 2; k++) {
            arne_plant_place(p, 0, q, qd, NULL, NULL);
            advance(p, (k + 1) * dt, tau);
            for (int i = 0; i < n; i++) slope[k][i] = (arne_plant_qd(p)[i] - qd[i]) / ((k + 1) * dt);
        }
        /* from steps of two lengths to none: what is left are terms of dt^2, and the digits that differences lose */
        for (int i = 0; i < n; i++) assert_true(fabs(2 * slope[0][i] - slope[1][i] - qdd[i]) < 1e-7 * most);
        arne_plant_free(p);
        arne_data_free(d);
        arne_data_free(judge);
        arne_model_free(m);
    }
}

/* An arm that falls with friction and stops, sticks and hits its limits: three integrators, one motion. */
static void integrators_agree_through_many_modes(void **state)
{
    (void)state;
    static const double q[2] = {1.2, -0.4}, zero[2];
    double x[3][2];
    for (int k = 0; k < 3; k++) {
        char path[512];
        arne_description *file;
        arne_model *m;
        arne_error error;
        snprintf(path, sizeof path, "%s/planar2r.yaml", ARNE_ROBOTS);
        if (arne_read(path, NULL, &file, &error)) fail_msg("%s", error.message);
        for (int i = 0; i < 2; i++) {
            file->joints[i].friction.coulomb = 4;
            file->joints[i].friction.static_ = 6;
            file->joints[i].friction.stribeck_velocity = 0.2;
        }
        file->joints[1].limits.lower = -0.5;
        file->joints[1].limits.upper = 0.8;
        if (arne_model_build(file, NULL, &m, &error)) fail_msg("%s", error.message);
        arne_description_free(file);
        arne_data *d = test_data(m);
        arne_plant *p = plant_of(d, (arne_plant_options){.size = sizeof(arne_plant_options),
                                                         .method = methods[k],
                                                         .step = methods[k] == ARNE_RK4 ? 5e-4 : 0,
                                                         .rtol = 1e-10,
                                                         .atol = 1e-12,
                                                         .friction = true,
                                                         .stops = true});
        arne_plant_place(p, 0, q, zero, NULL, NULL);
        advance(p, 6, zero);
        memcpy(x[k], arne_plant_q(p), sizeof x[k]);
        arne_plant_free(p);
        arne_data_free(d);
        arne_model_free(m);
    }
    print_message("after 6 s: %.9f %.9f, rk4 %.1e away, cvode %.1e\n", x[1][0], x[1][1], fabs(x[0][0] - x[1][0]),
                  fabs(x[2][0] - x[1][0]));
    for (int k = 0; k < 3; k += 2)
        for (int i = 0; i < 2; i++) assert_true(fabs(x[k][i] - x[1][i]) < 1e-5);
}

/* A bounce slower than 1e-3 m/s is none: the mass rests on its stop. */
static void slow_bounces_end(void **state)
{
    (void)state;
    const double at = 1, v[] = {1.9e-3, 2.1e-3, 2.4e-3}, none = 0;
    for (int k = 0; k < 9; k++) {
        one s = one_mass(methods[k / 3], (arne_friction){0}, 0.5);
        arne_plant_place(s.p, 0, &at, &v[k % 3], NULL, NULL);
        advance(s.p, 0.5, &none);
        if (k % 3)
            assert_true(fabs(arne_plant_qd(s.p)[0] + v[k % 3] / 2) < 1e-9 && !arne_plant_held(s.p, 0));
        else
            assert_true(arne_plant_qd(s.p)[0] == 0 && arne_plant_q(s.p)[0] == 1 && arne_plant_held(s.p, 0));
        one_free(s);
    }
}

/* What cannot be integrated names the fastest joint, with its speed, at the time of the last state that is known. */
static void a_step_into_nowhere_names_the_fastest_joint(void **state)
{
    (void)state;
    arne_model *m = load("planar2r");
    arne_data *d = test_data(m);
    const arne_plant_options o = {.size = sizeof o, .method = ARNE_RK4, .step = 1e-3};
    const double q[2] = {0.1, 0.7}, qd[2][2] = {{-3e200, 5}, {-5, 4e200}}, none[2] = {0};
    static const char *const sentences[] = {"at t = 2.5, where joint j1 moves at -3e+200: a number grew beyond all bounds",
                                            "at t = 2.5, where joint j2 moves at 4e+200: a number grew beyond all bounds"};
    for (int k = 0; k < 2; k++) {
        arne_plant *p;
        arne_error e = {0};
        assert_int_equal(arne_plant_new(arne_data_settings(d), &o, &p, &e), ARNE_OK);
        assert_int_equal(arne_plant_place(p, 2.5, q, qd[k], NULL, NULL), ARNE_OK);
        assert_int_equal(arne_plant_advance(p, 2.6, none, &e), ARNE_BAD_VALUE);
        assert_string_equal(e.message, sentences[k]);
        arne_plant_free(p);
    }
    arne_data_free(d);
    arne_model_free(m);
}

/* Steps of rk4 are as many as fit, all of one length; a step is counted once. */
static void steps_are_counted(void **state)
{
    (void)state;
    one s = one_mass(ARNE_RK4, (arne_friction){0}, 0.5);
    const double at = 0, v = 0.1, none = 0, step = s.p->o.step;
    arne_plant_place(s.p, 0, &at, &v, NULL, NULL);
    assert_int_equal(arne_plant_steps(s.p), 0);
    advance(s.p, 10 * step, &none);
    assert_int_equal(arne_plant_steps(s.p), 10);
    advance(s.p, 10.5 * step, &none);
    assert_int_equal(arne_plant_steps(s.p), 11);
    advance(s.p, 13 * step, &none);
    assert_int_equal(arne_plant_steps(s.p), 14);
    assert_true(arne_plant_time(s.p) == 13 * step && fabs(arne_plant_q(s.p)[0] - 1.3 * step) < 1e-12);
    one_free(s);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    arne_model *m = load("planar2r");
    arne_data *d = test_data(m);
    arne_plant_options bad[] = {{.method = ARNE_RK4},
                                {.method = ARNE_RK4, .step = -1},
                                {.method = ARNE_RK4, .step = NAN},
                                {.method = ARNE_INTEGRATOR_COUNT},
                                {.method = ARNE_CVODE, .rtol = -1},
                                {.method = ARNE_CVODE, .restitution = 2},
                                {.method = ARNE_CVODE, .rtol = 1},
                                {.method = ARNE_CVODE, .atol = 1},
                                {.method = ARNE_CVODE, .atol = -1},
                                {.method = ARNE_CVODE, .restitution = -0.5}};
    static const char *const sentences[] = {"rk4 needs a step above 0",
                                            "the step must not be negative",
                                            "the step must not be negative",
                                            "there is no such integrator",
                                            "tolerances must lie between 0 and 1",
                                            "restitution must lie between 0 and 1",
                                            "tolerances must lie between 0 and 1",
                                            "tolerances must lie between 0 and 1",
                                            "tolerances must lie between 0 and 1",
                                            "restitution must lie between 0 and 1"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        arne_plant *p;
        arne_error error = {0};
        bad[k].size = sizeof bad[k];
        assert_int_equal(arne_plant_new(arne_data_settings(d), &bad[k], &p, &error),
                         bad[k].method == ARNE_INTEGRATOR_COUNT ? ARNE_BAD_ARGUMENT : ARNE_BAD_VALUE);
        assert_null(p);
        assert_string_equal(error.message, sentences[k]);
    }
    arne_data_free(d);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_stays_with_tight_tolerances),
        cmocka_unit_test(runge_kutta_is_of_fourth_order),
        cmocka_unit_test(below_breakaway_nothing_creeps),
        cmocka_unit_test(sliding_stops_where_it_must),
        cmocka_unit_test(reversal_passes_rest_with_the_other_friction),
        cmocka_unit_test(breakaway_follows_the_exponential),
        cmocka_unit_test(stops_bounce_as_restitution_says),
        cmocka_unit_test(a_start_against_the_stop_is_an_impact),
        cmocka_unit_test(friction_at_rest_is_fair_to_all_joints),
        cmocka_unit_test(moving_robots_rub_as_forward_dynamics_says),
        cmocka_unit_test(integrators_agree_through_many_modes),
        cmocka_unit_test(slow_bounces_end),
        cmocka_unit_test(a_step_into_nowhere_names_the_fastest_joint),
        cmocka_unit_test(steps_are_counted),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
