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

#include "arne/identify.h"
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

/* ---- the same controller, made by hand ---- */

/* a tick of both: the arm is away from its reference and moves, so every option shows in the torque */
static void same_torque(arne_scenario *s, const arne_control_options *o)
{
    const arne_model *m = s->model;
    const int n = arne_model_nv(m);
    arne_controller *by_hand;
    arne_settings *known;
    arne_error e;
    double q[N], qd[N], theta[N], thetad[N], reference[5 * N], one[N], other[N];
    for (int i = 0; i < n; i++) {
        q[i] = 0.3 + 0.1 * i, qd[i] = 0.2 - 0.07 * i;
        theta[i] = q[i] + 0.001 * i, thetad[i] = qd[i] + 0.01;
        for (int k = 0; k < 5; k++) reference[k * n + i] = q[i] * (k == 0) + 0.1 * cos(i + 2 * k);
    }
    assert_int_equal(arne_settings_new(m, &known, NULL), ARNE_OK);
    if (arne_controller_new(known, o, &by_hand, &e)) fail_msg("%s", e.message);
    arne_settings_free(known);
    const arne_hand_target hand = {.pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {0.4, 0.1, 0.5}}};
    const bool springs = o->kind == ARNE_CONTROL_MOTOR_PD || o->kind == ARNE_CONTROL_ELASTIC;
    const arne_tick in = {.size = sizeof in,
                          .q = q,
                          .qd = qd,
                          .theta = springs ? theta : NULL,
                          .thetad = springs ? thetad : NULL,
                          .reference = reference,
                          .hand = &hand};
    unsigned flags;
    for (int k = 0; k < 3; k++) { /* adaptive ones learn from tick to tick */
        assert_int_equal(arne_control_tick(s->loop.controller, &in, one, &flags), ARNE_OK);
        assert_int_equal(arne_control_tick(by_hand, &in, other, &flags), ARNE_OK);
        for (int i = 0; i < n; i++)
            if (!(fabs(one[i] - other[i]) <= 1e-12 * (1 + fabs(other[i]))))
                fail_msg("%s, joint %d: %.15g, by hand %.15g", s->controller, i, one[i], other[i]);
    }
    assert_int_equal(arne_controller_link(s->loop.controller), arne_controller_link(by_hand));
    arne_controller_free(by_hand);
    arne_scenario_free(s);
}

static void a_file_makes_the_controller_that_a_program_makes(void **state)
{
    (void)state;
    static const double kp[N] = {100, 110, 120, 130, 140, 150, 160}, kd[N] = {10, 11, 12, 13, 14, 15, 16},
                        lambda[N] = {3, 4, 5, 6, 7, 8, 9}, soft[N] = {1.1, 1.2, 0.9, 0.8, 1.3, 1, 0.7},
                        posture[N] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
    double poles[3][4 * N];
    for (int i = 0; i < 4 * N; i++) {
        poles[0][i] = -50;
        poles[1][i] = -40 - 10 * (i % 4);
        poles[2][i] = -40 - 10 * (i % 4) - i / 4;
    }
    const struct {
        const char *options, *text;
        arne_control_options o;
    } cases[] = {
        {"rigid: false",
         "kind: pd-gravity, kp: [100, 110, 120, 130, 140, 150, 160], kd: [10, 11, 12, 13, 14, 15, 16], friction: true",
         {.kind = ARNE_CONTROL_PD_GRAVITY, .kp = kp, .kd = kd, .friction = true}},
        {"rigid: false",
         "kind: passivity, kp: [100, 110, 120, 130, 140, 150, 160], lambda: [3, 4, 5, 6, 7, 8, 9]",
         {.kind = ARNE_CONTROL_PASSIVITY, .kp = kp, .lambda = lambda}},
        {"elastic: true", "kind: elastic, poles: -50", {.kind = ARNE_CONTROL_ELASTIC, .poles = poles[0]}},
        {"elastic: true", "kind: elastic, poles: [-40, -50, -60, -70]", {.kind = ARNE_CONTROL_ELASTIC, .poles = poles[1]}},
        {"elastic: true",
         "kind: elastic, poles: [[-40, -50, -60, -70], [-41, -51, -61, -71], [-42, -52, -62, -72], [-43, -53, -63, -73], "
         "[-44, -54, -64, -74], [-45, -55, -65, -75], [-46, -56, -66, -76]], model: {stiffness: [1.1, 1.2, 0.9, 0.8, 1.3, 1, "
         "0.7]}",
         {.kind = ARNE_CONTROL_ELASTIC, .poles = poles[2], .springs = soft}},
        {"rigid: false",
         "kind: hand-impedance, link: j7, stiffness: [400, 410, 420, 40, 41, 42], damping: [80, 8], posture: [0.1, 0.2, 0.3, "
         "0.4, "
         "0.5, 0.6, 0.7], position_only: true",
         {.kind = ARNE_CONTROL_HAND_IMPEDANCE,
          .stiffness = {400, 410, 420, 40, 41, 42},
          .damping = {80, 80, 80, 8, 8, 8},
          .posture = posture,
          .position_only = true}},
        {"rigid: false",
         "kind: hand-acceleration, link: j7, stiffness: [30, 20], damping: [9, 8], inertia_weighted: true, singular_damping: 0.6",
         {.kind = ARNE_CONTROL_HAND_ACCELERATION,
          .stiffness = {30, 30, 30, 20, 20, 20},
          .damping = {9, 9, 9, 8, 8, 8},
          .inertia_weighted = true,
          .singular_damping = 0.6}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[900];
        snprintf(text, sizeof text,
                 "robot: kuka-lwr\noptions: {%s}\nduration: 1\nstart: {q: [0, 0.5, 0, 1.2, 0, 0.6, 0]}\n"
                 "controller: {period: 0.002, %s}\n",
                 cases[k].options, cases[k].text);
        arne_scenario *s = scenario(text);
        arne_control_options o = cases[k].o;
        const bool hand = o.kind == ARNE_CONTROL_HAND_IMPEDANCE || o.kind == ARNE_CONTROL_HAND_ACCELERATION;
        o.size = sizeof o;
        o.period = 0.002;
        o.link = hand ? arne_link_find(s->model, "j7") : 0;
        if (hand) assert_true(s->loop.link == o.link && !strcmp(s->link, "j7")); /* its hand is recorded */
        same_torque(s, &o);
    }
    /* what is recorded may be another link */
    arne_scenario *s = scenario("robot: kuka-lwr\nduration: 1\nstart: {q: 0}\ncontroller: {kind: hand-impedance, link: j7}\n"
                                "output: {link: j5}\n");
    assert_string_equal(s->link, "j5");
    assert_true(s->loop.link == arne_link_find(s->model, "j5"));
    arne_scenario_free(s);
}

/* An adaptive controller learns the base parameters of the robot that it knows: fewer without rotors or without gravity. */
static void adaptive_controllers_learn_base_parameters(void **state)
{
    (void)state;
    static const char *const options[] = {"rigid: false", "rigid: true", "gravity: [0, 0, 0]"};
    int counts[3];
    for (int k = 0; k < 3; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "robot: kuka-lwr\noptions: {%s}\nduration: 1\nstart: {q: [0, 0.5, 0, 1.2, 0, 0.6, 0]}\ncontroller: {kind: "
                 "adaptive}\n",
                 options[k]);
        arne_scenario *s = scenario(text);
        const double none[3] = {0};
        const arne_base_options o = {
            .size = sizeof o, .no_rotors = k == 1, .gravity = k == 2 ? none : arne_model_gravity(s->model)};
        arne_base *base;
        assert_int_equal(arne_base_find(s->model, &o, &base, NULL), ARNE_OK);
        assert_non_null(arne_controller_parameters(s->loop.controller, &counts[k]));
        assert_int_equal(counts[k], base->count);
        arne_base_free(base);
        arne_scenario_free(s);
    }
    assert_true(counts[1] < counts[0] && counts[2] < counts[0]);
    /* small ones: 0.003 learns twice as fast as 0.0015 */
    double change[2] = {0};
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "robot: kuka-lwr\nduration: 1\nstart: {q: [0, 0.5, 0, 1.2, 0, 0.6, 0]}\ncontroller: {kind: adaptive, "
                 "adaptation: %s}\n",
                 k ? "0.003" : "0.0015");
        arne_scenario *s = scenario(text);
        const double q[N] = {0.1, 0.4, 0.2, 1.1, -0.1, 0.5, 0.3}, qd[N] = {0.1, -0.2, 0.3, 0.2, -0.1, 0.4, 0.2},
                     reference[5 * N] = {0};
        const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .reference = reference};
        double tau[N], first[200];
        unsigned flags;
        int count;
        const double *p = arne_controller_parameters(s->loop.controller, &count);
        assert_in_range(count, 1, 200);
        memcpy(first, p, (size_t)count * sizeof *p);
        for (int i = 0; i < 2; i++) assert_int_equal(arne_control_tick(s->loop.controller, &in, tau, &flags), ARNE_OK);
        for (int i = 0; i < count; i++) change[k] += fabs(p[i] - first[i]);
        arne_scenario_free(s);
    }
    if (!(fabs(change[1] / change[0] - 2) < 0.05)) fail_msg("%g, %g", change[0], change[1]);
}

/* what the options of the robot and its limits mean for the real one, and for the one that is known */
static void options_of_the_robot_arrive(void **state)
{
    (void)state;
    static const char form[] =
        "robot: kuka-lwr\noptions: {%s}\nduration: 1\nstart: {q: [0, 0.5, 0, 1.2, 0, 0.6, 0]}\ncontroller: {kind: %s}\n%s";
    char text[400];
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, form, k == 1 ? "rigid: true" : "rigid: false", "pd-gravity",
                 k == 2 ? "observer: {gain: 50}\nlimits: {friction: false}\n" : "observer: {gain: 50}\n");
        arne_scenario *s = scenario(text);
        arne_settings *known = arne_controller_settings(s->loop.controller);
        assert_int_equal(arne_settings_rotors(arne_plant_settings(s->loop.plant)), k != 1);
        assert_int_equal(arne_settings_rotors(known), k != 1);
        assert_int_equal(arne_settings_friction(arne_observer_settings(s->loop.observer)), k == 0);
        arne_scenario_free(s);
    }
    /* springs of another stiffness; the brake believes what the controller does */
    snprintf(text, sizeof text, form, "elastic: true, stiffness: [100, 200, 300, 400, 500, 600, 700]",
             "motor-pd, model: {stiffness: 3}", "observer: {threshold: 3, reaction: stop}\n");
    arne_scenario *s = scenario(text);
    double q[N], theta[N], zero[N] = {0}, tau[N], one[N], other[N], reference[5 * N] = {0};
    unsigned flags;
    for (int i = 0; i < N; i++) q[i] = 0.2 * i, theta[i] = q[i] + 0.01;
    arne_plant_place(s->loop.plant, 0, q, zero, theta, zero);
    assert_int_equal(arne_plant_spring(s->loop.plant, tau), ARNE_OK);
    for (int i = 0; i < N; i++) assert_true(fabs(tau[i] - (i + 1)) < 1e-9);
    const arne_tick in = {.size = sizeof in, .q = q, .qd = zero, .theta = theta, .thetad = zero, .reference = reference};
    assert_int_equal(arne_control_tick(s->loop.controller, &in, one, &flags), ARNE_OK);
    assert_int_equal(arne_control_tick(s->loop.brake, &in, other, &flags), ARNE_OK);
    assert_memory_equal(one, other, sizeof one);
    arne_scenario_free(s);
    s = scenario("robot: kuka-lwr\noptions: {elastic: true}\nduration: 1\nstart: {q: [0, 0.5, 0, 1.2, 0, 0.6, 0]}\n"
                 "controller: {kind: motor-pd}\n");
    assert_int_equal(arne_control_tick(s->loop.controller, &in, other, &flags), ARNE_OK);
    assert_true(apart(one, other) > 1e-3);
    arne_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_numbers_are_forces_and_moments), cmocka_unit_test(adaptive_controllers_learn_base_parameters),
        cmocka_unit_test(options_of_the_robot_arrive), cmocka_unit_test(a_file_makes_the_controller_that_a_program_makes),
        cmocka_unit_test(ticks_come_as_often_as_they_must)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
