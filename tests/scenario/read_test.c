/* SPDX-License-Identifier: MIT
 *
 * Scenario files: what is read arrives, what is wrong is named with its line, and the shipped examples run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arne/scenario.h"
#include "support/tempfile.h"

static const arne_robot_place places[] = {
    {"planar2r", ARNE_ROBOTS "/planar2r.yaml"},
    {"kuka-lwr", ARNE_ROBOTS "/kuka-lwr.yaml"},
    {"scara", ARNE_ROBOTS "/scara.yaml"},
    {"ur5e", ARNE_ROBOTS "/ur5e.yaml"},
};

static arne_scenario_options options(const char *const *settings, size_t count)
{
    return (arne_scenario_options){sizeof(arne_scenario_options), places, sizeof places / sizeof *places, settings, count};
}

static arne_scenario *read_text(const char *text, arne_error *error)
{
    temp_folder folder = temp_open();
    const arne_scenario_options o = options(NULL, 0);
    arne_scenario *s = NULL;
    *error = (arne_error){0};
    const arne_status status = arne_scenario_read(temp_write(&folder, "run.yaml", text), &o, &s, error);
    assert_true((status == ARNE_OK) == (s != NULL));
    temp_close(&folder);
    return s;
}

static void values_arrive(void **state)
{
    (void)state;
    arne_error error;
    arne_scenario *s = read_text("title: a test\n"
                                 "robot: planar2r\n"
                                 "start: {q: [0.1, -0.2], qd: [0.3, 0.4]}\n"
                                 "duration: 2*1.5\n"
                                 "controller: {kind: pd-gravity, period: 0.002, kp: 100, kd: [10, 5]}\n"
                                 "sensors: {noise: 1e-4, quantum: 1e-3, delay: 2, seed: 9}\n"
                                 "disturbances:\n"
                                 "  - wrench: {link: j2, force: [1, 2, 3], from: 1, to: 1.5, frame: local}\n"
                                 "  - fault: {joint: j1, kind: offset, value: -3, from: 2}\n"
                                 "observer: {gain: 40, threshold: [3, 2]}\n"
                                 "integrator: {method: arkode, rtol: 1e-8}\n"
                                 "output: {rate: 50, link: j2}\n",
                                 &error);
    if (!s) fail_msg("%d: %s", error.line, error.message);
    assert_string_equal(s->title, "a test");
    assert_string_equal(s->robot, "planar2r");
    assert_string_equal(s->controller, "pd-gravity");
    assert_string_equal(s->integrator, "arkode");
    assert_true(arne_plant_q(s->loop.plant)[1] == -0.2 && arne_plant_qd(s->loop.plant)[0] == 0.3);
    assert_true(s->loop.duration == 3 && s->loop.period == 0.002 && fabs(s->loop.interval - 0.02) < 1e-15);
    assert_true(s->loop.sensors->position_noise == 1e-4 && s->loop.sensors->delay == 2 && s->loop.sensors->seed == 9);
    assert_int_equal(s->loop.ndisturbance, 2);
    assert_true(s->loop.disturbances[0].wrench.force[2] == 3 && s->loop.disturbances[0].wrench.frame == ARNE_LOCAL);
    assert_true(s->loop.disturbances[1].joint == 0 && s->loop.disturbances[1].defect == ARNE_DRIVE_OFFSET);
    assert_true(s->loop.disturbances[1].value == -3 && isinf(s->loop.disturbances[1].to));
    assert_true(s->thresholds[1] == 2);
    assert_string_equal(s->link, "j2");
    arne_scenario_free(s);
}

/* Sensors without a seed make the noise of seed 1, as doc/simulate.md says; half a seed is none. */
static void the_seed_is_one_unless_told(void **state)
{
    (void)state;
    static const char *const seeds[] = {"", ", seed: 1", ", seed: 2"};
    double end[3];
    arne_error error;
    for (int k = 0; k < 3; k++) {
        char text[256];
        arne_result r;
        snprintf(text, sizeof text,
                 "robot: planar2r\nduration: 0.05\nstart: {q: 0}\ncontroller: {kind: pd-gravity}\nsensors: {noise: 1e-3%s}\n",
                 seeds[k]);
        arne_scenario *s = read_text(text, &error);
        if (!s || arne_loop_run(&s->loop, &r, &error)) fail_msg("%s", error.message);
        assert_int_equal(s->loop.sensors->seed, k == 2 ? 2 : 1);
        end[k] = arne_plant_q(s->loop.plant)[0];
        arne_result_free(&r);
        arne_scenario_free(s);
    }
    assert_true(end[0] == end[1] && end[0] != end[2]);
    assert_null(read_text("robot: planar2r\nduration: 1\nsensors: {noise: 1e-3, seed: 1.5}\n", &error));
    assert_non_null(strstr(error.message, "seed: 1.5 is no whole number"));
}

static void a_robot_starts_where_its_motion_does(void **state)
{
    (void)state;
    arne_error error;
    arne_scenario *s = read_text("robot: planar2r\n"
                                 "motion:\n"
                                 "  - polynomial: {degree: 5, time: [0, 1], from: [0.5, 0.25], to: [1, 0]}\n"
                                 "  - polynomial: {degree: 7, time: [1.5, 2], to: [0, 0.5]}\n"
                                 "controller: {kind: pd-gravity}\n",
                                 &error);
    if (!s) fail_msg("%d: %s", error.line, error.message);
    double q[2];
    assert_true(arne_plant_q(s->loop.plant)[0] == 0.5 && arne_plant_q(s->loop.plant)[1] == 0.25);
    arne_trajectory_at(s->loop.reference, 1.2, 0, q); /* between the two it stands */
    assert_true(fabs(q[0] - 1) < 1e-12 && fabs(q[1]) < 1e-12);
    assert_true(s->loop.duration == 2);
    arne_scenario_free(s);
}

static void settings_replace_values(void **state)
{
    (void)state;
    temp_folder folder = temp_open();
    const char *path = temp_write(&folder, "run.yaml", "robot: planar2r\nduration: 2\nintegrator: {step: 0.01}\n");
    const char *good[] = {"duration=3", "integrator.step=0.004", "output.rate=250"},
               *bad[] = {"duration", "=3", "robot.step=1", "integrator=1"};
    arne_scenario_options o = options(good, 3);
    arne_scenario *s;
    arne_error error = {0};
    if (arne_scenario_read(path, &o, &s, &error)) fail_msg("%s", error.message);
    assert_true(s->loop.duration == 3 && s->loop.interval == 0.004);
    arne_scenario_free(s);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        o = options(&bad[i], 1);
        assert_int_equal(arne_scenario_read(path, &o, &s, &error), ARNE_BAD_VALUE);
    }
    temp_close(&folder);
}

/* ---- what is wrong ---- */

static void faults_are_named_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words[3];
    } cases[] = {
        {"duration: 1\n", 1, {"robot"}},
        {"robot: planar2r\n", 1, {"duration"}},
        {"robot: planar3r\nduration: 1\n", 1, {"planar3r", "did you mean 'planar2r'"}},
        {"robot: planar2r\nduraton: 1\n", 2, {"unknown key 'duraton'", "did you mean 'duration'"}},
        {"robot: planar2r\nduration: -1\n", 2, {"duration", "greater than 0"}},
        {"robot: ./no-such.yaml\nduration: 1\n", 1, {"no-such.yaml", "No such file"}},
        {"robot: planar2r\nduration: 1\nstart: {q: [1, 2, 3]}\n", 3, {"start: q", "2 joints", "3"}},
        {"robot: planar2r\nduration: 1\nstart: {q: [4, 0]}\n", 3, {"outside its limits", "j1"}},
        {"robot: planar2r\nduration: 1\nstart: {q: [0, 0]}\ncontroller: {kind: passivty}\n",
         4,
         {"controller", "did you mean 'passivity'"}},
        {"robot: planar2r\nduration: 1\ncontroller: {kind: pd-gravity}\n", 3, {"motion"}},
        {"robot: planar2r\nduration: 1\nstart: {q: 0}\ncontroller: {kind: pd-gravity, kp: [1, -2]}\n", 4, {"kp", "j2"}},
        {"robot: planar2r\nduration: 1\nstart: {q: 0}\ncontroller: {kind: elastic}\n", 4, {"elastic: true"}},
        {"robot: kuka-lwr\noptions: {elastic: true}\nduration: 1\nstart: {q: 0}\ncontroller:\n  kind: elastic\n  model: "
         "{stiffness: "
         "[1, 2]}\n",
         7,
         {"stiffness", "7 joints"}},
        {"robot: kuka-lwr\noptions: {elastic: true}\nduration: 1\nstart: {q: 0}\ncontroller:\n  kind: motor-pd\n  model: "
         "{stiffness: "
         "-1}\n",
         7,
         {"stiffness", "above 0", "j1"}},
        {"robot: kuka-lwr\nduration: 1\nstart: {q: 0}\ncontroller:\n  kind: pd-gravity\n  model: {stiffness: 1}\n",
         6,
         {"motor-pd and elastic"}},
        {"robot: kuka-lwr\noptions: {elastic: true}\nduration: 1\nstart: {q: 0}\ncontroller: {kind: motor-pd, torque_sensors: "
         "true}\n",
         5,
         {"torque_sensors", "'elastic'"}},
        {"robot: kuka-lwr\noptions: {elastic: true}\nduration: 1\nstart: {q: 0}\ncontroller: {kind: elastic, poles: 20}\n",
         5,
         {"pole", "negative"}},
        {"robot: planar2r\nduration: 1\nstart: {q: 0}\ncontroller: {kind: hand-impedance}\n", 4, {"needs `link:`"}},
        {"robot: planar2r\nduration: 1\nstart: {q: 0}\ncontroller: {kind: hand-impedance, link: j3}\n",
         4,
         {"no link 'j3'", "did you mean"}},
        {"robot: planar2r\nduration: 1\noptions: {elastic: true}\n", 3, {"j1", "stiffness"}},
        {"robot: planar2r\nduration: 1\noptions: {payload: {link: j2, body: {mass: -1}}}\n", 3, {"mass"}},
        {"robot: planar2r\nduration: 1\nlimits: {stops: perhaps}\n", 3, {"true or false"}},
        {"robot: planar2r\nduration: 1\nintegrator: {method: euler}\n", 3, {"euler", "rk4, arkode, cvode"}},
        {"robot: planar2r\nduration: 1\nintegrator: {step: 0}\n", 3, {"greater than 0"}},
        {"robot: planar2r\nduration: 1\nsensors: {delay: 1.5}\n", 3, {"whole number"}},
        {"robot: planar2r\nduration: 1\ndisturbances:\n  - wrench: {link: j2, from: 2, to: 1}\n", 4, {"before it begins"}},
        {"robot: planar2r\nduration: 1\ndisturbances:\n  - wench: {link: j2}\n", 4, {"did you mean 'wrench'"}},
        {"robot: planar2r\nduration: 1\ndisturbances:\n  - fault: {joint: j9, kind: lost}\n", 4, {"no moving joint 'j9'"}},
        {"robot: planar2r\nduration: 1\ndisturbances:\n  - fault: {joint: j1, kind: scale}\n", 4, {"value"}},
        {"robot: planar2r\nduration: 1\nobserver: {reaction: stop}\n", 3, {"threshold"}},
        {"robot: planar2r\nduration: 1\nobserver: {gain: 0}\n", 3, {"gain", "above 0"}},
        {"robot: planar2r\nmotion:\n  points: {times: [0, 1], q: [[0, 0]]}\n", 3, {"row for each of the 2 times"}},
        {"robot: planar2r\nmotion:\n  points: {times: [1, 0], q: [[0, 0], [1, 1]]}\n", 3, {"motion: points"}},
        {"robot: planar2r\nmotion:\n  polynomial: {degree: 4, time: [0, 1], to: 1}\n", 3, {"4"}},
        {"robot: planar2r\nmotion:\n  polynomial: {degree: 1100000000, time: [0, 1], to: 1}\n", 3, {"whole number"}},
        {"robot: planar2r\nmotion:\n  polynomial: {time: [1, 1], to: 1}\n", 3, {"time must go on"}},
        {"robot: planar2r\nmotion:\n  fourier: {time: [0, 1], sine: [[1, 1]]}\n", 3, {"frequency"}},
        {"robot: planar2r\nmotion:\n  csv: {file: nothing.csv}\n", 3, {"nothing.csv", "No such file"}},
        {"robot: planar2r\nmotion:\n  path: {link: j2, times: [0, 1], poses: [{move: [9, 0, 0]}]}\n", 3, {"motion: path"}},
        {"robot: planar2r\nmotion:\n  - polynomial: {time: [0, 2], to: 1}\n  - polynomial: {time: [1, 3], to: 0}\n",
         3,
         {"motion"}},
        {"robot: planar2r\nmotion: {}\n", 2, {"exactly one"}},
        {"robot: [1, 2]\n", 1, {"robot", "text"}},
        {"- 1\n", 1, {"keys and values"}},
        {"robot: 'planar2r\n", 2, {"YAML"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arne_error error;
        arne_scenario *s = read_text(cases[i].text, &error);
        if (s) fail_msg("accepted: %s", cases[i].text);
        if (error.line != cases[i].line)
            fail_msg("line %d instead of %d: %s\n%s", error.line, cases[i].line, error.message, cases[i].text);
        for (int k = 0; k < 3 && cases[i].words[k]; k++)
            if (!strstr(error.message, cases[i].words[k]))
                fail_msg("no \"%s\" in: %s\n%s", cases[i].words[k], error.message, cases[i].text);
    }
}

static void faults_of_tables_are_named_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *table;
        int line;
        const char *word;
    } cases[] = {
        {"t,q1\n0,0\n", 1, "column q2 (or q.j2) is missing"}, {"t,q1,q1,q2\n", 1, "twice"},
        {"t,q1,q2\n0,0,0\n1,x,0\n", 3, "not a number"},       {"t,q1,q2\n0,0\n", 2, "has 2 of 3 fields"},
        {"t,q1,q2\n0,0,0,0\n", 2, "more than the 3 fields"},  {"t,q1,q2\n", 1, "no rows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        temp_folder folder = temp_open();
        const arne_scenario_options o = options(NULL, 0);
        arne_scenario *s;
        arne_error error = {0};
        temp_write(&folder, "motion.csv", cases[i].table);
        const char *path = temp_write(&folder, "run.yaml", "robot: planar2r\nmotion: {csv: {file: motion.csv}}\n");
        assert_int_not_equal(arne_scenario_read(path, &o, &s, &error), ARNE_OK);
        assert_non_null(strstr(error.file, "motion.csv"));
        assert_int_equal(error.line, cases[i].line);
        if (!strstr(error.message, cases[i].word)) fail_msg("%s", error.message);
        temp_close(&folder);
    }
}

/* ---- runs ---- */

static int count_rows(void *context, const arne_row *row)
{
    ++*(int *)context;
    return !isfinite(row->q[0]);
}

static void shipped_examples_run(void **state)
{
    (void)state;
    static const char *const names[] = {"pendulum", "push", "stiction", "payload", "elastic", "stiff", "impedance"};
    const char *settings[] = {"duration=0.2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        const arne_scenario_options o = options(settings, 1);
        arne_scenario *s;
        arne_error error = {0};
        arne_result r;
        int rows = 0;
        snprintf(path, sizeof path, "%s/../examples/scenarios/%s.yaml", ARNE_ROBOTS, names[i]);
        if (arne_scenario_read(path, &o, &s, &error)) fail_msg("%s:%d: %s", error.file, error.line, error.message);
        s->loop.row = count_rows;
        s->loop.context = &rows;
        if (arne_loop_run(&s->loop, &r, &error)) fail_msg("%s: %s", path, error.message);
        if (r.end != ARNE_RUN_FINISHED) fail_msg("%s: %s", path, r.message);
        assert_true(rows > 5);
        for (int k = 0; r.max_error && k < arne_model_dof(s->model); k++) assert_true(r.max_error[k] < 0.05);
        arne_result_free(&r);
        arne_scenario_free(s);
    }
}

/* Thresholds from the same run left alone: then the push is seen and nothing else. */
static void thresholds_are_learned_from_a_quiet_run(void **state)
{
    (void)state;
    arne_error error;
    arne_scenario *s = read_text("robot: planar2r\n"
                                 "motion: {fourier: {time: [0, 3], frequency: 0.5, ramp: 0.5, sine: [[0.3, 0.4]]}}\n"
                                 "controller: {kind: computed-torque}\n"
                                 "sensors: {noise: 1e-5, velocity_noise: 1e-3, seed: 3}\n"
                                 "observer: {gain: 50, learn: 0.01}\n"
                                 "disturbances:\n"
                                 "  - wrench: {link: j2, force: [0, 30, 0], from: 2, to: 2.2}\n",
                                 &error);
    if (!s) fail_msg("%d: %s", error.line, error.message);
    arne_result r;
    assert_null(s->thresholds);
    if (arne_scenario_learn(s, &error)) fail_msg("%s", error.message);
    assert_true(s->thresholds && s->thresholds[0] > 0 && s->thresholds[1] > 0);
    if (arne_loop_run(&s->loop, &r, &error)) fail_msg("%s", error.message);
    int contacts = 0;
    for (int i = 0; i < r.nevent; i++)
        if (!strcmp(r.events[i].kind, "contact")) {
            contacts++;
            assert_true(r.events[i].t > 2 && r.events[i].t < 2.1);
        }
    assert_int_equal(contacts, 1);
    arne_result_free(&r);
    arne_scenario_free(s);
}

/* Passivity keeps the error small with a model wrong by 20 %; adaptation makes it smaller still. */
static void adaptation_learns_a_wrong_model(void **state)
{
    (void)state;
    static const char form[] = "robot: planar2r\n"
                               "duration: 12\n"
                               "motion: {fourier: {time: [0, 12], frequency: 0.4, ramp: 1, sine: [[0.4, 0.5], [0.2, -0.3]]}}\n"
                               "controller: {kind: %s, model: {wrong: 1.2}}\n";
    double error_of[2];
    static const char *const kinds[] = {"passivity", "adaptive"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        arne_error error;
        arne_result r;
        snprintf(text, sizeof text, form, kinds[k]);
        arne_scenario *s = read_text(text, &error);
        if (!s) fail_msg("%d: %s", error.line, error.message);
        if (arne_loop_run(&s->loop, &r, &error)) fail_msg("%s", error.message);
        assert_int_equal(r.end, ARNE_RUN_FINISHED);
        double q[2];
        arne_trajectory_at(s->loop.reference, 12, 0, q);
        error_of[k] = fmax(fabs(q[0] - arne_plant_q(s->loop.plant)[0]), fabs(q[1] - arne_plant_q(s->loop.plant)[1]));
        assert_true(r.max_error[0] < 0.2);
        arne_result_free(&r);
        arne_scenario_free(s);
    }
    print_message("error after 12 s: %.2e passivity, %.2e adaptive\n", error_of[0], error_of[1]);
    assert_true(error_of[1] < error_of[0] / 3);
}

/* A controller that thinks the springs stiffer than they are loses the robot, unless it measures their torque. */
static void a_wrong_stiffness_is_believed(void **state)
{
    (void)state;
    static const char form[] =
        "robot: kuka-lwr\n"
        "options: {elastic: true}\n"
        "duration: 0.5\n"
        "motion: {polynomial: {degree: 9, time: [0, 0.5], from: [0, 0.5, 0, 1.2, 0, 0.6, 0], to: [0, 0.6, 0, 1.3, 0, 0.6, 0]}}\n"
        "controller: {kind: elastic, period: 0.00025, poles: -100, torque_sensors: %s, model: {stiffness: %s}}\n";
    static const char *const way[][2] = {{"false", "1"}, {"true", "1.2"}, {"false", "1.2"}};
    for (int k = 0; k < 3; k++) {
        char text[512];
        arne_error error;
        arne_result r;
        snprintf(text, sizeof text, form, way[k][0], way[k][1]);
        arne_scenario *s = read_text(text, &error);
        if (!s) fail_msg("%d: %s", error.line, error.message);
        if (arne_loop_run(&s->loop, &r, &error)) fail_msg("%s", error.message);
        double most = 0;
        for (int i = 0; i < 7; i++) most = fmax(most, r.max_error[i]);
        print_message("torque_sensors %s, stiffness times %s: off by %.2g\n", way[k][0], way[k][1], most);
        assert_true(k < 2 ? most < 0.01 : most > 0.1);
        arne_result_free(&r);
        arne_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_arrive),
        cmocka_unit_test(the_seed_is_one_unless_told),
        cmocka_unit_test(a_robot_starts_where_its_motion_does),
        cmocka_unit_test(settings_replace_values),
        cmocka_unit_test(faults_are_named_with_their_line),
        cmocka_unit_test(faults_of_tables_are_named_with_their_line),
        cmocka_unit_test(shipped_examples_run),
        cmocka_unit_test(thresholds_are_learned_from_a_quiet_run),
        cmocka_unit_test(adaptation_learns_a_wrong_model),
        cmocka_unit_test(a_wrong_stiffness_is_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
