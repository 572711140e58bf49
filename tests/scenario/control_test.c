/* SPDX-License-Identifier: MIT
 *
 * control_test.c - `controller:` of scenario files: what two ways of writing it mean. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "arne/scenario.h"
#include "support/tempfile.h"

enum { N = 7 };

static arne_scenario *scenario(const char *text)
{
    static const arne_robot_place places[] = {{"kuka-lwr", ARNE_ROBOTS "/kuka-lwr.yaml"}};
    const arne_scenario_options o = {.size = sizeof o, .places = places, .nplace = 1};
    temp_folder folder = temp_open();
    arne_scenario *s;
    arne_error error = {0};
    if (arne_scenario_read(temp_write(&folder, "run.yaml", text), &o, &s, &error)) fail_msg("%d: %s", error.line, error.message);
    temp_close(&folder);
    return s;
}

/* the torque of a hand controller with these lines, its hand away from the target and moving */
static void torque(const char *lines, double tau[N])
{
    char text[500];
    snprintf(text, sizeof text,
             "robot: kuka-lwr\nduration: 1\nstart: {q: [0, 0.5, 0, 1.2, 0, 0.6, 0]}\n"
             "controller:\n  kind: hand-impedance\n  link: j7\n  period: 0.001\n%s",
             lines);
    arne_scenario *s = scenario(text);
    const double q[N] = {0.1, 0.4, 0.2, 1.1, -0.1, 0.5, 0.3}, qd[N] = {0.1, -0.2, 0.3, 0.2, -0.1, 0.4, 0.2};
    const arne_hand_target hand = {.pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {0.4, 0.1, 0.5}}};
    const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .hand = &hand};
    unsigned flags;
    assert_int_equal(arne_control_tick(s->loop.controller, &in, tau, &flags), ARNE_OK);
    arne_scenario_free(s);
}

static double apart(const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < N; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void two_numbers_are_forces_and_moments(void **state)
{
    (void)state;
    double two[N], six[N], other[N];
    torque("  stiffness: [400, 40]\n  damping: [80, 8]\n", two);
    torque("  stiffness: [400, 400, 400, 40, 40, 40]\n  damping: [80, 80, 80, 8, 8, 8]\n", six);
    assert_true(apart(two, six) == 0);
    torque("  stiffness: [400, 400, 401, 40, 40, 40]\n  damping: [80, 80, 80, 8, 8, 8]\n", other);
    assert_true(apart(two, other) > 1e-3);
    torque("  stiffness: [400, 40]\n  damping: [80, 80, 80, 8, 8, 9]\n", other);
    assert_true(apart(two, other) > 1e-3);
}

/* where `period` is not there: a millisecond, and without a controller as often as rows are wanted */
static void ticks_come_as_often_as_they_must(void **state)
{
    (void)state;
    static const struct {
        const char *controller;
        double period;
    } all[] = {{"controller: {kind: none}", 0.02},
               {"", 0.02},
               {"controller: {kind: pd-gravity}", 1e-3},
               {"controller: {kind: none, period: 0.005}", 0.005}};
    for (int k = 0; k < 4; k++) {
        char text[200];
        snprintf(text, sizeof text,
                 "robot: kuka-lwr\nduration: 1\nstart: {q: [0, 0.5, 0, 1.2, 0, 0.6, 0]}\noutput: {rate: 50}\n%s\n",
                 all[k].controller);
        arne_scenario *s = scenario(text);
        assert_true(fabs(s->loop.period - all[k].period) < 1e-12);
        assert_true(fabs(s->loop.interval - 0.02) < 1e-12);
        arne_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_numbers_are_forces_and_moments),
                                       cmocka_unit_test(ticks_come_as_often_as_they_must)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
