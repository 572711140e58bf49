/* SPDX-License-Identifier: MIT
 *
 * plain_test.c - the library against dynamics written the slow way (support/plain.h), on every shipped robot and on random ones.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/subject.h"

/* Sums of a few hundred products, each good to 1e-16, against the largest entry of the result. Angles of 1000 rad are themselves
 * known to 1e-13 only. */
static const double TOLERANCE = 1e-11;

enum { RANDOM_ROBOTS = FEWER(2100) };

typedef void law(subject *s, const motion *x);

static void on_all_robots(law *holds)
{
    for (int number = -shipped_wide_robots(); number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, number / RANDOM_FAMILIES % 2 ? RANDOM_WIDE : RANDOM_RIGID);
        arne_set_rigid(s.settings, true);
        for (int k = 0; k < STATES; k++) {
            const motion x = subject_motion(&s, k);
            plain_move(s.judge, x.q, x.qd, x.qdd);
            holds(&s, &x);
        }
        subject_close(&s);
    }
}

static void torques(subject *s, const motion *x)
{
    static const double no[MOST_DOF];
    double is[MOST_DOF], should[MOST_DOF], scale;
    arne_id(s->data, x->q, x->qd, x->qdd, is);
    plain_torque(s->judge, s->g, should);
    scale = largest(s->n, should);
    expect_close(s, "inverse dynamics", s->n, is, should, TOLERANCE);
    arne_gravity(s->data, x->q, is);
    plain_gravity(s->judge, s->g, should);
    expect_near(s, "gravity torques", s->n, is, should, TOLERANCE, fmax(scale, largest(s->n, should)));
    plain_move(s->judge, x->q, x->qd, no);
    arne_bias(s->data, x->q, x->qd, is);
    plain_torque(s->judge, s->g, should);
    expect_near(s, "bias", s->n, is, should, TOLERANCE, fmax(scale, largest(s->n, should)));
    arne_coriolis_vector(s->data, x->q, x->qd, is);
    plain_torque(s->judge, no, should);
    expect_near(s, "Coriolis torques", s->n, is, should, TOLERANCE, fmax(scale, largest(s->n, should)));
}

static void inertia(subject *s, const motion *x)
{
    double is[MOST_DOF * MOST_DOF], should[MOST_DOF * MOST_DOF], p[MOST_DOF] = {0}, q[MOST_DOF];
    arne_mass(s->data, x->q, is);
    plain_mass(s->judge, should);
    expect_close(s, "inertia matrix", s->n * s->n, is, should, TOLERANCE);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) p[i] += should[i * s->n + j] * x->qd[j];
    arne_momentum(s->data, x->q, x->qd, q);
    expect_near(s, "momentum", s->n, q, p, TOLERANCE, largest(s->n * s->n, should) * largest(s->n, x->qd));
}

static void energy(subject *s, const motion *x)
{
    double is[2], should[2];
    arne_energy(s->data, x->q, x->qd, &is[0], &is[1]);
    plain_energy(s->judge, s->g, &should[0], &should[1]);
    expect_near(s, "kinetic and potential energy", 2, is, should, TOLERANCE, 1 + fabs(should[0]) + fabs(should[1]));
}

static void links(subject *s, const motion *x)
{
    static const arne_frame frames[] = {ARNE_LOCAL, ARNE_WORLD, ARNE_ALIGNED};
    for (int l = 0; l < s->nlink; l++) {
        arne_pose is, should;
        arne_link_pose(s->data, x->q, l, &is);
        plain_pose(s->judge, l, &should);
        expect_near(s, "rotation of a link", 9, is.R, should.R, TOLERANCE, 1);
        expect_near(s, "origin of a link", 3, is.p, should.p, TOLERANCE, 1 + largest(3, should.p));
        for (int f = 0; f < 3; f++) {
            double v[6], u[6], J[6 * MOST_DOF], K[6 * MOST_DOF];
            const double reach = 1 + largest(3, should.p);
            arne_link_velocity(s->data, x->q, x->qd, l, frames[f], v);
            plain_velocity(s->judge, l, frames[f], u);
            expect_near(s, "velocity of a link", 6, v, u, TOLERANCE, reach * (1 + largest(6, u)));
            arne_link_jacobian(s->data, x->q, l, frames[f], J);
            plain_jacobian(s->judge, l, frames[f], K);
            expect_near(s, "Jacobian of a link", 6 * s->n, J, K, TOLERANCE, reach * (1 + largest(6 * s->n, K)));
        }
    }
}

static void reactions(subject *s, const motion *x)
{
    double is[6 * MOST_DOF], should[6 * MOST_DOF];
    arne_joint_wrenches(s->data, x->q, x->qd, x->qdd, is);
    const int n = arne_model_joints(s->m);
    for (int i = 0; i < n; i++) plain_reaction(s->judge, s->g, i, should + 6 * i);
    expect_close(s, "joint wrenches", 6 * n, is, should, TOLERANCE);
}

static void torques_are_newtons_and_eulers(void **state) { (void)state, on_all_robots(torques); }
static void inertia_is_the_sum_over_links(void **state) { (void)state, on_all_robots(inertia); }
static void energy_is_the_sum_over_links(void **state) { (void)state, on_all_robots(energy); }
static void links_are_where_the_transforms_put_them(void **state) { (void)state, on_all_robots(links); }
static void joints_carry_what_is_outboard(void **state) { (void)state, on_all_robots(reactions); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torques_are_newtons_and_eulers), cmocka_unit_test(inertia_is_the_sum_over_links),
        cmocka_unit_test(energy_is_the_sum_over_links),   cmocka_unit_test(links_are_where_the_transforms_put_them),
        cmocka_unit_test(joints_carry_what_is_outboard),
    };
    return cmocka_run_group_tests_name("laws/plain", tests, NULL, NULL);
}
