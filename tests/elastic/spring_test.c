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

/* lines and curves, with damping and without, still or moved by somebody */
static joint_spring drawn(random_stream *r, int number)
{
    joint_spring s = {.k = {random_between(r, 50, 5000)}};
    if (number & 1) s.k[1] = random_between(r, 0, 1e5), s.k[2] = random_between(r, 0, 1e6);
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
        assert_true(slope >= s.k[0]);
        if (s.damping != 0) continue;
        /* tau' of x' and of the stiffness that moves */
        assert_true(fabs(arne__spring_rate(&s, x[0], x[1]) - tau[1]) < 1e-11 * (1 + fabs(tau[1])));
    }
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
        cmocka_unit_test(torques_are_slopes_of_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
