/* SPDX-License-Identifier: MIT
 *
 * again_test.c - a run leaves the robot as it found it: disturbances that last beyond the end, and those that never came, are
 * gone, and the same scenario again gives the same numbers, bit for bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arne/scenario.h"
#include "support/tempfile.h"

static void end_of(arne_scenario *s, double x[4])
{
    arne_result result = {0};
    arne_error error = {0};
    if (arne_loop_run(&s->loop, &result, &error)) fail_msg("%s", error.message);
    for (int i = 0; i < 2; i++) x[i] = arne_plant_q(s->loop.plant)[i], x[2 + i] = arne_plant_qd(s->loop.plant)[i];
    arne_result_free(&result);
}

static void a_second_run_is_like_the_first(void **state)
{
    (void)state;
    static const arne_robot_place places[] = {{"planar2r", ARNE_ROBOTS "/planar2r.yaml"}};
    static const char *const disturbances[] = {
        "wrench: {link: j2, force: [5, 3, 0], from: 0.2, to: 9}",
        "payload: {link: j2, body: {mass: 1, com: [0.3, 0, 0]}, from: 0.2, to: 9}",
        "fault: {joint: j1, kind: stuck, value: 5, from: 0.2}",
        "fault: {joint: j1, kind: offset, value: 5, from: 0.2}",
        "fault: {joint: j1, kind: frozen, from: 0.2}",
        "fault: {joint: j2, kind: stuck, value: 5, from: 7}",
    };
    const arne_scenario_options o = {.size = sizeof o, .places = places, .nplace = 1};
    for (size_t k = 0; k < sizeof disturbances / sizeof *disturbances; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "robot: planar2r\nduration: 0.4\nstart: {q: [0.3, 0.5]}\n"
                 "controller: {kind: pd-gravity, kp: 50, kd: 10, period: 0.01}\n"
                 "motion: {polynomial: {degree: 5, time: [0, 1], to: [1, 0]}}\ndisturbances:\n  - %s\n",
                 disturbances[k]);
        temp_folder folder = temp_open();
        arne_scenario *s;
        arne_error error = {0};
        if (arne_scenario_read(temp_write(&folder, "run.yaml", text), &o, &s, &error)) fail_msg("%s", error.message);
        temp_close(&folder);
        double first[4], second[4], calm[4];
        end_of(s, first);
        assert_int_equal(arne_scenario_rewind(s), ARNE_OK);
        end_of(s, second);
        assert_memory_equal(first, second, sizeof first);

        /* without it the robot ends elsewhere, or, where it comes too late, at the same place */
        s->loop.ndisturbance = 0;
        assert_int_equal(arne_scenario_rewind(s), ARNE_OK);
        end_of(s, calm);
        const bool late = strstr(disturbances[k], "from: 7");
        assert_true((memcmp(first, calm, sizeof first) == 0) == late);
        arne_scenario_free(s);
    }
}

/* Controllers that learn or remember begin anew with every run; a hand follows its reference with its velocity and acceleration.
 */
static void controllers_begin_anew(void **state)
{
    (void)state;
    static const arne_robot_place places[] = {{"planar2r", ARNE_ROBOTS "/planar2r.yaml"}, {"ur5e", ARNE_ROBOTS "/ur5e.yaml"}};
    static const char *const texts[] = {
        "robot: planar2r\nduration: 0.5\nmotion: {polynomial: {time: [0, 0.5], to: [0.5, -0.5]}}\n"
        "controller: {kind: adaptive, model: {wrong: 1.3}}\n",
        "robot: ur5e\nlimits: {friction: false, torque: false}\n"
        "motion: {polynomial: {time: [0, 0.5], from: [0.3, -1.1, 1.3, -0.4, 1.2, 0.2], to: [0.6, -1.3, 1.5, -0.2, 1.4, 0.1]}}\n"
        "controller: {kind: hand-acceleration, link: wrist_3}\n"};
    const arne_scenario_options o = {.size = sizeof o, .places = places, .nplace = 2};
    for (int k = 0; k < 2; k++) {
        temp_folder folder = temp_open();
        arne_scenario *s;
        arne_error error = {0};
        if (arne_scenario_read(temp_write(&folder, "run.yaml", texts[k]), &o, &s, &error)) fail_msg("%s", error.message);
        temp_close(&folder);
        arne_result r;
        double first[4], second[4];
        end_of(s, first);
        assert_int_equal(arne_scenario_rewind(s), ARNE_OK);
        end_of(s, second);
        assert_memory_equal(first, second, sizeof first);
        assert_int_equal(arne_scenario_rewind(s), ARNE_OK);
        assert_int_equal(arne_loop_run(&s->loop, &r, NULL), ARNE_OK);
        if (k) print_message("hand: joint 1 off by %.2g\n", r.max_error[0]);
        for (int i = 0; i < arne_model_dof(s->model) && k; i++) assert_true(r.max_error[i] < 2e-3);
        arne_result_free(&r);
        arne_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_second_run_is_like_the_first),
                                       cmocka_unit_test(controllers_begin_anew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
