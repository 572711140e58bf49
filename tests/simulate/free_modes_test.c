/* SPDX-License-Identifier: MIT
 *
 * Stops, dry friction and springs beside a free base: whatever they do, the momentum of the whole stays. */
#include "simulate/free.h"

/* a box with a pendulum that sticks and has a stop */
static arne_model *box_with_arm(double coulomb, double upper)
{
    arne_description *d = arne_description_new("box");
    arne_description_link(d, "world", 0);
    arne_description_link(d, "box", 0)->body =
        (arne_body){.mass = 4, .com = {0.05, 0, 0.02}, .inertia = {0.1, 0, 0, 0.15, 0, 0.12}};
    arne_description_link(d, "arm", 0)->body = (arne_body){.mass = 1, .com = {0.3, 0, 0}, .inertia = {0.01, 0, 0, 0.02, 0, 0.02}};
    arne_description_joint(d, "base", 0, ARNE_FREE, "world", "box");
    arne_joint_description *j = arne_description_joint(d, "hinge", 0, ARNE_REVOLUTE, "box", "arm");
    j->before.p[0] = 0.2;
    j->friction.coulomb = coulomb;
    j->limits.upper = upper;
    j->motor.inertia = 0.001;
    j->elastic.stiffness = 50;
    return build(d);
}

static void stops_and_friction_keep_the_momentum(void **state)
{
    (void)state;
    static const arne_integrator methods[] = {ARNE_RK4, ARNE_ARKODE, ARNE_CVODE};
    for (int k = 0; k < 3; k++) {
        arne_model *m = box_with_arm(0.05, 0.4);
        arne_data *d = test_data(m);
        arne_set_gravity(arne_data_settings(d), (double[]){0, 0, 0});
        arne_settings *bare = arne_data_settings(d);
        arne_plant *p = plant_of(bare, OPTIONS(.method = methods[k], .step = k ? 0 : 0.001, .rtol = 1e-11, .atol = 1e-12,
                                               .friction = true, .stops = true, .restitution = 0.5));
        arne_data *rigid = test_data(m); /* a rotor turns with its joint only, so it is no part of the momentum of bodies */
        arne_set_rigid(arne_data_settings(rigid), true);
        arne_set_rigid(arne_plant_settings(p), true);
        const double q[8] = {0, 0, 0, 0, 0, 0, 1, 0}, qd[7] = {0.1, 0, 0, 0.2, -0.3, 0.1, 1.5};
        double first[6], now[6], T, U, before = INFINITY;
        arne_plant_place(p, 0, q, qd, NULL, NULL);
        momentum_of(rigid, p, first);
        bool hit = false;
        for (int i = 1; i <= 40; i++) {
            const double fast = arne_plant_qd(p)[6];
            advance(p, 0.1 * i, ZERO);
            hit = hit || fast * arne_plant_qd(p)[6] < 0;
            momentum_of(rigid, p, now);
            assert_true(momentum_change(first, now) < 1e-8);
            assert_true(arne_plant_q(p)[7] <= 0.4 + 1e-9);
            arne_plant_energy(p, &T, &U);
            assert_true(T <= before + 1e-9);
            before = T;
        }
        assert_true(hit);
        assert_true(arne_plant_held(p, 1)); /* the hinge has come to rest and turns with the box */
        const double rest = arne_plant_q(p)[7];
        advance(p, 5, ZERO);
        assert_true(arne_plant_q(p)[7] == rest); /* to the last bit */
        assert_false(arne_plant_held(p, 0));
        assert_int_equal(arne_plant_brake(p, 0, 1), ARNE_BAD_ARGUMENT);
        arne_plant_free(p);
        arne_data_free(rigid);
        arne_data_free(d);
        arne_model_free(m);
    }
}

/* Springs push one link as much as they pull the other: momentum of the links and all energy stay. */
static void springs_beside_a_free_base_keep_energy_and_momentum(void **state)
{
    (void)state;
    static const arne_integrator methods[] = {ARNE_ARKODE, ARNE_CVODE};
    for (int k = 0; k < 2; k++) {
        arne_model *m = box_with_arm(0, INFINITY);
        arne_data *d = test_data(m);
        arne_set_gravity(arne_data_settings(d), (double[]){0, 0, 0});
        arne_plant *p = plant_of(arne_data_settings(d),
                                 OPTIONS(.method = methods[k], .rtol = k ? 1e-9 : 1e-12, .atol = 1e-13, .elastic = true));
        arne_data *links = test_data(m);
        arne_set_link_side(arne_data_settings(links));
        const double q[8] = {0, 0, 0, 0, 0, 0, 1, 0.1}, qd[7] = {0.1, 0, 0, 0.2, -0.3, 0.1, 0.5},
                     theta[7] = {0, 0, 0, 0, 0, 0, 0.4};
        double first[6], now[6], T, U, start, most = 0, bent = 0;
        assert_int_equal(arne_plant_place(p, 0, q, qd, theta, NULL), ARNE_OK);
        assert_true(arne_plant_thetad(p)[0] == 0 && arne_plant_thetad(p)[6] == 0.5); /* a base has no motor */
        arne_plant_energy(p, &T, &U);
        start = T + U;
        momentum_of(links, p, first);
        for (int i = 1; i <= 20; i++) {
            advance(p, 0.1 * i, ZERO);
            momentum_of(links, p, now);
            arne_plant_energy(p, &T, &U);
            most = fmax(most, fabs(T + U - start));
            bent = fmax(bent, fabs(arne_plant_theta(p)[6] - arne_plant_q(p)[7]));
            assert_true(momentum_change(first, now) < (k ? 1e-6 : 1e-10));
            assert_true(off_unit(m, arne_plant_q(p)) < 1e-15);
        }
        print_message("elastic arm on a free box: energy %.1e of %.1f (%s)\n", most, start, arne_integrator_name(methods[k]));
        assert_true(most < (k ? 1e-2 : 1e-9) * start); /* backward formulas damp a spring */
        assert_true(bent > 0.1);
        arne_plant_free(p);
        arne_data_free(links);
        arne_data_free(d);
        arne_model_free(m);
    }
}

/* In the air nothing loads the springs: a robot that falls with its posture held bends none. */
static void springs_carry_nothing_in_free_fall(void **state)
{
    (void)state;
    arne_model *m = box_with_arm(0, INFINITY);
    arne_data *d = test_data(m);
    arne_plant *p =
        plant_of(arne_data_settings(d), OPTIONS(.method = ARNE_ARKODE, .rtol = 1e-11, .atol = 1e-13, .elastic = true));
    const double q[8] = {0, 0, 0, 0.6, 0, 0, 0.8, 0.7};
    assert_int_equal(arne_plant_place(p, 0, q, ZERO, NULL, NULL), ARNE_OK);
    assert_true(fabs(arne_plant_theta(p)[6] - 0.7) < 1e-12);
    advance(p, 0.5, ZERO);
    assert_true(fabs(arne_plant_theta(p)[6] - 0.7) < 1e-9 && fabs(arne_plant_q(p)[7] - 0.7) < 1e-9);
    assert_true(fabs(arne_plant_q(p)[2] + 9.81 / 8) < 1e-9);
    arne_plant_free(p);
    arne_data_free(d);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_and_friction_keep_the_momentum),
        cmocka_unit_test(springs_beside_a_free_base_keep_energy_and_momentum),
        cmocka_unit_test(springs_carry_nothing_in_free_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
