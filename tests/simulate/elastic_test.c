/* SPDX-License-Identifier: MIT
 *
 * Robots with elastic joints left to themselves: energy stays, any stiffness can be integrated, a stiff robot moves as a rigid
 * one with its rotors at the joints, and friction holds motors and links one by one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "arne/file.h"
#include "arne/simulate.h"
#include "support/data.h"

typedef struct {
    double stiffness, rotor, link_coulomb, motor_coulomb;
} joints;

/* The planar arm with a motor behind a spring in each joint. */
static arne_model *arm(joints j)
{
    char path[512];
    arne_description *d;
    arne_model *m;
    arne_error error;
    snprintf(path, sizeof path, "%s/planar2r.yaml", ARNE_ROBOTS);
    if (arne_read(path, NULL, &d, &error)) fail_msg("%s", error.message);
    for (int i = 0; i < 2; i++) {
        d->joints[i].motor.inertia = j.rotor;
        d->joints[i].motor.gear = 1;
        d->joints[i].motor.coulomb = j.motor_coulomb;
        d->joints[i].friction.coulomb = j.link_coulomb;
        d->joints[i].elastic.stiffness = j.stiffness;
    }
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

typedef struct {
    arne_model *m;
    arne_plant *p;
} robot;

static robot robot_of(joints j, arne_plant_options o)
{
    robot r = {.m = arm(j)};
    arne_error error;
    arne_data *d = test_data(r.m);
    o.elastic = true;
    if (arne_plant_new(arne_data_settings(d), &o, &r.p, &error)) fail_msg("%s", error.message);
    arne_data_free(d);
    return r;
}

static void robot_free(robot r)
{
    arne_plant_free(r.p);
    arne_model_free(r.m);
}

static void advance(arne_plant *p, double t, const double *tau)
{
    arne_error error;
    if (arne_plant_advance(p, t, tau, &error)) fail_msg("%s", error.message);
}

static const double zero[2], start[2] = {0.4, 0.6}, moving[2] = {0.3, -0.5};

static void energy_stays_without_damping(void **state)
{
    (void)state;
    const double stiffness[] = {100, 1000, 10000};
    for (int k = 0; k < 3; k++) {
        robot r = robot_of(
            (joints){.stiffness = stiffness[k], .rotor = 0.3},
            (arne_plant_options){.size = sizeof(arne_plant_options), .method = ARNE_ARKODE, .rtol = 1e-10, .atol = 1e-12});
        double kinetic, potential, least = INFINITY, most = -INFINITY, swing = 0;
        arne_plant_place(r.p, 0, start, moving, NULL, zero); /* motors at rest: the springs ring */
        for (int i = 0; i <= 100; i++) {
            if (i) advance(r.p, 0.1 * i, zero);
            arne_plant_energy(r.p, &kinetic, &potential);
            least = fmin(least, kinetic + potential);
            most = fmax(most, kinetic + potential);
            swing = fmax(swing, kinetic);
        }
        print_message("K = %g: energy drifts by %.1e of the largest kinetic energy, %ld steps\n", stiffness[k],
                      (most - least) / swing, arne_plant_steps(r.p));
        assert_true((most - least) / swing < 1e-6);
        robot_free(r);
    }
}

/* Stiff springs: the links move as those of a rigid robot with the rotors at the joints, by backward differentiation, and the
 * steps needed do not grow with the stiffness: where the springs still ring they are followed, then they are damped away. */
static void stiff_springs_are_no_burden(void **state)
{
    (void)state;
    const double stiffness[] = {100, 1e6}, rotor = 1e-2;
    long steps[2];
    double x[2][2], rigid[2];
    for (int k = 0; k < 2; k++) {
        robot r =
            robot_of((joints){.stiffness = stiffness[k], .rotor = rotor},
                     (arne_plant_options){.size = sizeof(arne_plant_options), .method = ARNE_CVODE, .rtol = 1e-5, .atol = 1e-7});
        arne_plant_place(r.p, 0, start, zero, NULL, NULL);
        advance(r.p, 1, zero);
        memcpy(x[k], arne_plant_q(r.p), sizeof x[k]);
        for (int i = 2; i <= 10; i++) advance(r.p, i, zero);
        steps[k] = arne_plant_steps(r.p);
        robot_free(r);
    }
    arne_model *m = arm((joints){.stiffness = 1, .rotor = rotor});
    arne_data *d = test_data(m);
    arne_plant *p;
    arne_error error;
    const arne_plant_options o = {.size = sizeof o, .method = ARNE_ARKODE, .rtol = 1e-9, .atol = 1e-10};
    if (arne_plant_new(arne_data_settings(d), &o, &p, &error)) fail_msg("%s", error.message);
    arne_plant_place(p, 0, start, zero, NULL, NULL);
    advance(p, 1, zero);
    memcpy(rigid, arne_plant_q(p), sizeof rigid);
    arne_plant_free(p);
    arne_data_free(d);
    arne_model_free(m);
    print_message("steps for 10 s: %ld (K = 100), %ld (K = 1e6); from rigid after 1 s: %.1e, %.1e\n", steps[0], steps[1],
                  fabs(x[0][0] - rigid[0]), fabs(x[1][0] - rigid[0]));
    assert_true(steps[1] < 3 * steps[0]);
    for (int i = 0; i < 2; i++) assert_true(fabs(x[1][i] - rigid[i]) < 1e-3);
    assert_true(fabs(x[0][0] - rigid[0]) > 10 * fabs(x[1][0] - rigid[0]));
}

/* A moving robot is accelerated as elastic forward dynamics says, friction of links and motors included. */
static void plants_agree_with_elastic_forward_dynamics(void **state)
{
    (void)state;
    const joints j = {.stiffness = 1500, .rotor = 0.2, .link_coulomb = 2, .motor_coulomb = 3};
    const double dt = 1e-7, q[2] = {0.3, -0.7}, qd[2] = {0.9, -1.1}, theta[2] = {0.31, -0.72}, thetad[2] = {1.2, -0.8},
                 tau[2] = {20, -5};
    double qdd[2], thetadd[2];
    robot r =
        robot_of(j, (arne_plant_options){.size = sizeof(arne_plant_options), .method = ARNE_RK4, .step = dt, .friction = true});
    arne_flex *f;
    arne_error error;
    arne_data *d = test_data(r.m);
    if (arne_flex_new(arne_data_settings(d), &f, &error)) fail_msg("%s", error.message);
    arne_data_free(d);
    arne_flex_fd(f, q, qd, theta, thetad, tau, qdd, thetadd);
    arne_plant_place(r.p, 0, q, qd, theta, thetad);
    advance(r.p, dt, tau);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs((arne_plant_qd(r.p)[i] - qd[i]) / dt - qdd[i]) < 1e-3);
        assert_true(fabs((arne_plant_thetad(r.p)[i] - thetad[i]) / dt - thetadd[i]) < 1e-3);
        assert_true(fabs(qdd[i]) > 0.1 && fabs(thetadd[i]) > 0.1);
    }
    arne_flex_free(f);
    robot_free(r);
}

/* Motors held by their friction, links free: the arm swings on its springs and the motors do not move at all. With a torque
 * beyond friction and springs a motor leaves. */
static void friction_holds_motors_while_links_swing(void **state)
{
    (void)state;
    robot r =
        robot_of((joints){.stiffness = 2000, .rotor = 0.3, .motor_coulomb = 500},
                 (arne_plant_options){.size = sizeof(arne_plant_options), .method = ARNE_RK4, .step = 5e-4, .friction = true});
    double theta[2], low = INFINITY, high = -INFINITY;
    arne_plant_place(r.p, 0, start, moving, start, zero);
    memcpy(theta, arne_plant_theta(r.p), sizeof theta);
    for (int i = 1; i <= 200; i++) {
        advance(r.p, 0.01 * i, zero);
        assert_true(!memcmp(theta, arne_plant_theta(r.p), sizeof theta));
        low = fmin(low, arne_plant_q(r.p)[0]);
        high = fmax(high, arne_plant_q(r.p)[0]);
    }
    assert_true(high - low > 0.01);
    const double much[2] = {800, 0};
    advance(r.p, 2.005, much);
    assert_true(arne_plant_theta(r.p)[0] > theta[0] && arne_plant_theta(r.p)[1] == theta[1]);
    robot_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_stays_without_damping),
        cmocka_unit_test(stiff_springs_are_no_burden),
        cmocka_unit_test(plants_agree_with_elastic_forward_dynamics),
        cmocka_unit_test(friction_holds_motors_while_links_swing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
