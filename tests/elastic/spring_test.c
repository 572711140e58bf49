/* SPDX-License-Identifier: MIT
 *
 * spring_test.c - the spring of one joint and the way back: deflections give the torques they were found from, whatever stood in
 * their place before; energy and rates are what differences of torques say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "elastic/flex.h"
#include "support/random_robot.h"

enum { SPRINGS = 2000 };

/* lines and curves, with damping and without, still or moved by somebody; some of the curves first grow softer, not so much that
 * they would fall: 9 k3^2 < 20 k1 k5 */
static joint_spring drawn(random_stream *r, int number)
{
    joint_spring s = {.k = {random_between(r, 50, 5000)}};
    if (number & 1) s.k[1] = random_between(r, 0, 1e5), s.k[2] = random_between(r, 0, 1e6);
    if ((number & 9) == 9) s.k[1] = -random_between(r, 0.2, 0.9) * sqrt(20 * s.k[0] * s.k[2]) / 3;
    if (number & 2) s.damping = random_between(r, 0, 0.01) * s.k[0];
    if (number & 4) s.dk = random_between(r, -100, 100), s.ddk = random_between(r, -100, 100);
    return s;
}

static void deflections_give_their_torques(void **state)
{
    (void)state;
    random_stream r = {.state = 5};
    for (int number = 0; number < SPRINGS; number++) {
        const joint_spring s = drawn(&r, number);
        const double tau[3] = {random_between(&r, -200, 200), random_between(&r, -200, 200), random_between(&r, -200, 200)};
        double x[3] = {0}, again[3] = {NAN, 7, NAN}, slope;
        arne__spring_solve(&s, tau, x);
        arne__spring_solve(&s, tau, again);
        assert_memory_equal(x, again, sizeof x);
        assert_true(fabs(arne__spring_torque(&s, x[0], &slope) + s.damping * x[1] - tau[0]) < 1e-12 * (1 + fabs(tau[0])));
        assert_true(s.k[1] < 0 ? slope > 0 : slope >= s.k[0]);
        /* tau' of x' and of the stiffness that moves, and of the damper; tau'' where x'' stays: doc/elastic.md (11), (12) */
        const double rate = arne__spring_rate(&s, x[0], x[1]) + s.damping * x[2];
        const double bend = 6 * s.k[1] * x[0] + 20 * s.k[2] * pow(x[0], 3);
        const double second = slope * x[2] + bend * x[1] * x[1] + 2 * s.dk * x[1] + s.ddk * x[0];
        if (s.k[1] < 0 && s.damping != 0) continue; /* where it is soft the damper is not a small part */
        assert_true(fabs(rate - tau[1]) < 1e-10 * (1 + fabs(tau[1])));
        assert_true(fabs(second - tau[2]) < 1e-10 * (1 + fabs(tau[2]) + fabs(bend) * x[1] * x[1]));
    }
}

/* 5 x - 9 x^3 + 9 x^5: a torque a little above that of the first guess, tau/k1, is found outside of it */
static void soft_springs_go_farther_than_their_first_stiffness_says(void **state)
{
    (void)state;
    const joint_spring s = {.k = {5, -9, 9}};
    double x[3];
    for (int k = -30; k <= 30; k++) {
        const double should = 0.05 * k, tau[3] = {should * (5 + should * should * (9 * should * should - 9)), 0, 0};
        arne__spring_solve(&s, tau, x);
        assert_true(fabs(x[0] - should) < 1e-14);
    }
    arne__spring_solve(&s, (const double[3]){-INFINITY, 0, 0}, x);
    assert_true(x[0] == -INFINITY);
}

static void torques_are_slopes_of_the_energy(void **state)
{
    (void)state;
    random_stream r = {.state = 6};
    const double h = 1e-5;
    for (int number = 0; number < SPRINGS; number++) {
        const joint_spring s = drawn(&r, number);
        const double x = random_between(&r, -0.1, 0.1);
        double slope;
        const double tau = arne__spring_torque(&s, x, &slope);
        const double by_energy = (arne__spring_energy(&s, x + h) - arne__spring_energy(&s, x - h)) / (2 * h);
        const double by_torque = (arne__spring_torque(&s, x + h, NULL) - arne__spring_torque(&s, x - h, NULL)) / (2 * h);
        assert_true(fabs(by_energy - tau) < 1e-5 * (1 + fabs(tau)) && fabs(by_torque - slope) < 1e-5 * slope);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deflections_give_their_torques),
        cmocka_unit_test(soft_springs_go_farther_than_their_first_stiffness_says),
        cmocka_unit_test(torques_are_slopes_of_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
