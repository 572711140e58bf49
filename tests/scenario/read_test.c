/* SPDX-License-Identifier: MIT
 *
 * Scenario files: what is read arrives, what is wrong is named with its line, and the shipped examples run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arne/regressor.h"
#include "arne/scenario.h"
#include "observe/observer.h"
#include "simulate/plant.h"
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

/* Every key of a file, with numbers that are told apart. */
static void all_values_arrive(void **state)
{
    (void)state;
    static const char form[] =
        "robot: scara\n"
        "options: {payload: {link: j4, body: {mass: 2, com: [0.1, 0.2, 0.3]}}, %sfriction: 0.8, gravity: [0.1, 0.2, -9]}\n"
        "start: {q: [0.1, 0.2, -0.1, 0.4], qd: [1, 2, 0.3, 4]}\n"
        "duration: 0.5\n"
        "controller: {kind: pd-gravity, period: 0.004, model: {payload: none, wrong: [1.2, 0.8, 1.1, 0.9]}}\n"
        "limits: {torque: false, stops: false, restitution: 0.25}\n"
        "sensors: {noise: 1e-4, velocity_noise: 2e-3, quantum: 3e-3, delay: 4, velocity: difference, cutoff: 300, seed: 9}\n"
        "disturbances:\n"
        "  - wrench: {link: j3, force: [1, 2, 3], moment: [4, 5, 6], point: [7, 8, 9], frame: world, scale: 2, from: 0.1, to: "
        "0.3}\n"
        "  - fault: {joint: j2, kind: stuck, from: 0.15}\n"
        "  - fault: {joint: all, kind: scale, value: 0.25, from: 0.2, to: 0.45}\n"
        "  - fault: {joint: j4, kind: frozen}\n"
        "  - fault: {joint: j1, kind: lost}\n"
        "  - friction: {joint: j3, scale: 3, from: 0.2, to: 0.4}\n"
        "  - friction: {scale: 1.5}\n"
        "  - wrench: {link: j1}\n"
        "observer: {gain: [10, 20, 30, 40], threshold: [1, 2, 3, 4], reaction: stop, brake: 0.3}\n"
        "integrator: {method: arkode, step: 0.002, rtol: 1e-5, atol: 1e-8}\n"
        "output: {rate: 125, energy: false, reference: false, link: j3}\n";
    enum { N = 4, P = ARNE_LINK_PARAMETERS };
    static const double mass[N] = {1.5, 2, 0.5, 3}, wrong[N] = {1.2, 0.8, 1.1, 0.9};
    static const double q[N] = {0.1, 0.2, -0.1, 0.4}, qd[N] = {1, 2, 0.3, 4}, down[3] = {0.1, 0.2, -9};
    double real[2][P * N], known[P * N], seen[P * N], own[P * N];
    for (int heavy = 0; heavy < 2; heavy++) {
        char text[2500];
        arne_error error;
        snprintf(text, sizeof text, form, heavy ? "mass: [1.5, 2, 0.5, 3], " : "");
        arne_scenario *s = read_text(text, &error);
        if (!s) fail_msg("%d: %s", error.line, error.message);
        const arne_loop *l = &s->loop;
        const arne_plant_options *o = &l->plant->o;
        for (int i = 0; i < N; i++) {
            assert_true(arne_plant_q(l->plant)[i] == q[i]);
            assert_true(arne_plant_qd(l->plant)[i] == qd[i]);
            assert_true(s->thresholds[i] == i + 1 && l->observer->gain[i] == 10 * (i + 1));
        }
        assert_true(o->method == ARNE_ARKODE && o->step == 0.002 && o->rtol == 1e-5 && o->atol == 1e-8);
        assert_true(o->friction && !o->stops && o->restitution == 0.25 && !o->elastic && o->rub == 0.8);
        assert_true(!l->saturate && l->duration == 0.5 && l->period == 0.004 && fabs(l->interval - 0.008) < 1e-15);
        assert_true(l->brake && l->brake_time == 0.3 && l->detector && !l->torque_sensors && !l->observer->link_side);
        assert_true(!s->energy && !s->reference && l->link == arne_link_find(s->model, "j3"));
        assert_string_equal(s->link, "j3");
        const arne_sensors *t = l->sensors;
        assert_true(t->position_noise == 1e-4 && t->velocity_noise == 2e-3 && t->quantum == 3e-3 && t->delay == 4);
        assert_true(t->difference && t->cutoff == 300 && t->seed == 9);
        const arne_disturbance *d = l->disturbances;
        assert_int_equal(l->ndisturbance, 8);
        for (int i = 0; i < 3; i++) {
            assert_true(d[0].wrench.force[i] == 2 * (i + 1) && d[0].wrench.moment[i] == 2 * (i + 4));
            assert_true(d[0].wrench.point[i] == i + 7 && d[7].wrench.force[i] == 0);
        }
        assert_true(d[0].kind == ARNE_PUSH && d[0].wrench.link == l->link && d[0].wrench.frame == ARNE_WORLD);
        assert_true(d[0].from == 0.1 && d[0].to == 0.3);
        assert_true(d[7].wrench.frame == ARNE_ALIGNED && d[7].from == 0 && isinf(d[7].to));
        assert_true(d[1].kind == ARNE_DEFECT && d[1].joint == 1 && d[1].defect == ARNE_DRIVE_STUCK && d[1].value == 1e4);
        assert_true(d[1].from == 0.15 && isinf(d[1].to));
        assert_true(d[2].joint == -1 && d[2].defect == ARNE_DRIVE_SCALE && d[2].value == 0.25 && d[2].to == 0.45);
        assert_true(d[3].joint == 3 && d[3].defect == ARNE_DRIVE_FROZEN && d[4].joint == 0 && d[4].defect == ARNE_DRIVE_LOST);
        assert_true(d[5].kind == ARNE_RUB && d[5].joint == 2 && d[5].value == 3 && d[5].from == 0.2 && d[5].to == 0.4);
        assert_true(d[6].kind == ARNE_RUB && d[6].joint == -1 && d[6].value == 1.5 && d[6].from == 0);
        assert_true(s->npayload == 1 && s->payloads[0].mass == 2 && s->payloads[0].com[2] == 0.3);
        assert_string_equal(s->payloads[0].link, "j4");
        arne_settings *file;
        assert_int_equal(arne_settings_new(s->model, &file, NULL), ARNE_OK);
        arne_parameters(file, own);
        arne_settings_free(file);
        arne_parameters(arne_plant_settings(l->plant), real[heavy]);
        arne_parameters(arne_controller_settings(l->controller), known);
        arne_parameters(arne_observer_settings(l->observer), seen);
        for (int i = 0; i < P * N; i++) { /* it knows of no payload, and nothing of the masses */
            assert_true(fabs(known[i] - wrong[i / P] * own[i]) < 1e-14 && known[i] == seen[i]);
        }
        for (int i = 0; i < 3; i++) {
            assert_true(arne_settings_gravity(arne_plant_settings(l->plant))[i] == down[i]);
            assert_true(arne_settings_gravity(arne_observer_settings(l->observer))[i] == down[i]);
        }
        arne_scenario_free(s);
    }
    for (int i = 0; i < P * N; i++) { /* links weigh more, rotors and payload do not */
        const double more = i % P == P - 1 ? 0 : (mass[i / P] - 1) * own[i];
        assert_true(fabs(real[1][i] - real[0][i] - more) < 1e-13);
    }
    assert_true(fabs(real[0][P * 3 + 9] + real[0][P * 3] - own[P * 3 + 9] - own[P * 3]) > 0.1); /* the payload is there */
}

static arne_scenario *good_text(const char *text)
{
    arne_error error;
    arne_scenario *s = read_text(text, &error);
    if (!s) fail_msg("%d: %s", error.line, error.message);
    return s;
}

/* doc/simulate.md says what is meant where a key is left out. */
static void what_is_left_out_is_as_documented(void **state)
{
    (void)state;
    arne_scenario *s = good_text("robot: scara\nstart: {q: 0}\nduration: 0.1\ncontroller: {kind: pd-gravity}\n");
    const arne_plant_options *o = &s->loop.plant->o;
    assert_true(o->method == ARNE_RK4 && o->step == 1e-3 && o->rtol == 1e-6 && o->atol == 1e-9);
    assert_true(o->friction && o->stops && o->restitution == 0 && !o->elastic && o->rub == 1);
    assert_true(s->loop.saturate && s->energy && s->reference && !s->link && s->loop.link == -1 && s->npayload == 0);
    assert_true(s->loop.period == 1e-3 && s->loop.interval == 0.01 && !s->loop.sensors && !s->loop.observer && !s->loop.brake);
    assert_true(!s->title && !s->thresholds && s->learn == 0);
    arne_scenario_free(s);
    static const double periods[] = {0.004, 0.0005};
    for (int k = 0; k < 2; k++) { /* one step a tick, none longer than a millisecond; rows at ticks, the nearest ones */
        char text[200];
        snprintf(text, sizeof text,
                 "robot: scara\nstart: {q: 0}\nduration: 1\ncontroller: {kind: pd-gravity, period: %g}\noutput: {rate: 143}\n",
                 periods[k]);
        s = good_text(text);
        assert_true(s->loop.plant->o.step == fmin(periods[k], 1e-3));
        assert_true(fabs(s->loop.interval - (k ? 0.007 : 0.008)) < 1e-12);
        arne_scenario_free(s);
    }
    s = good_text(
        "robot: scara\noptions: {rigid: true}\nstart: {q: 0}\nduration: 1\nlimits: {friction: true}\noutput: {rate: 1e6}\n");
    assert_true(!s->loop.plant->o.friction && s->loop.interval == 1e-6);
    arne_scenario_free(s);
    for (int motors = 0; motors < 2; motors++) {
        char text[300];
        snprintf(text, sizeof text,
                 "robot: kuka-lwr\noptions: {elastic: true}\nduration: 1\nstart: {q: 0}\ncontroller: {kind: motor-pd}\n"
                 "observer: {threshold: 3, reaction: stop%s}\n",
                 motors ? ", side: motors" : "");
        s = good_text(text);
        assert_true(s->loop.plant->o.method == ARNE_CVODE && s->loop.plant->o.step == 0 && s->loop.plant->o.elastic);
        assert_true(arne_observer_link_side(s->loop.observer) == !motors && s->loop.brake && s->loop.brake_time == 0.25);
        assert_true(s->loop.observer->gain[6] == 50 && s->thresholds[0] == 3 && s->thresholds[6] == 3);
        assert_string_equal(s->integrator, "cvode");
        arne_scenario_free(s);
    }
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
    const char *path =
        temp_write(&folder, "run.yaml", "robot: planar2r\nduration: 2\nintegrator: {step: 0.01}\nstart: {q: [0.1, 0.2]}\n");
    const char *good[] = {"duration=3", "integrator.step=0.004", "output.rate=250", "start.q.1=0.7", "start.q.2=-0.8"},
               *bad[] = {"duration",           "=3",          "robot.step=1", "integrator=1", "duration=",
                         "integrator..step=1", "start.q.3=1", "start.q.0=1",  "start.q.x=1"};
    static const char *const sentences[] = {"duration: a setting reads KEY=VALUE or KEY.KEY=VALUE",
                                            "=3: a setting reads KEY=VALUE or KEY.KEY=VALUE",
                                            "robot.step=1: there is no such place in the file",
                                            "integrator=1: there is a list or a mapping in the file, not one value",
                                            "duration=: a setting reads KEY=VALUE or KEY.KEY=VALUE",
                                            "integrator..step=1: there is no such place in the file",
                                            "start.q.3=1: there is no such place in the file",
                                            "start.q.0=1: there is no such place in the file",
                                            "start.q.x=1: there is no such place in the file"};
    arne_scenario_options o = options(good, 5);
    arne_scenario *s;
    arne_error error = {0};
    if (arne_scenario_read(path, &o, &s, &error)) fail_msg("%s", error.message);
    assert_true(s->loop.duration == 3 && s->loop.interval == 0.004 && s->loop.plant->o.step == 0.004);
    assert_true(arne_plant_q(s->loop.plant)[0] == 0.7 && arne_plant_q(s->loop.plant)[1] == -0.8);
    arne_scenario_free(s);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        o = options(&bad[i], 1);
        assert_int_equal(arne_scenario_read(path, &o, &s, &error), ARNE_BAD_VALUE);
        assert_string_equal(error.message, sentences[i]);
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

/* Whole sentences, with numbers that could not stand in one another's place. ARM, LWR: what the others add to. */
#define ARM "robot: planar2r\nduration: 1\nstart: {q: 0}\n"
#define LWR "robot: kuka-lwr\noptions: {elastic: true}\nduration: 1\nstart: {q: 0}\n"
static void faults_are_told_in_whole_sentences(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"duration: 1\n", "the file has no robot: give `robot: NAME`"},
        {"robot: planar2r\nstart: {q: 0}\n", "needs `duration:` (s)"},
        {"robot: planar2r\nduration: 1e6\ncontroller: {kind: none, period: 0.001}\n",
         "1e+09 ticks are more than anyone waits for; a longer period, a shorter duration?"},
        {"robot: planar3r\nduration: 1\n", "robot: there is no robot 'planar3r'; did you mean 'planar2r'?"},
        {"robot: xyzzyplugh\nduration: 1\n",
         "robot: there is no robot 'xyzzyplugh' (a shipped one by its name, a file by its path)"},
        {ARM "options: {rigid: true, elastic: true}\n", "options: rigid and elastic exclude each other"},
        {ARM "options: {stiffness: 5}\n", "options: joints are rigid here; say elastic: true beside it"},
        {ARM "options: {mass: [1, -2]}\n", "options: mass: must be above 0; number 2 is -2"},
        {ARM "options: {mass: [1, 2, 3]}\n", "options: mass: needs a number for each of the 2 joints of planar2r, has 3"},
        {ARM "options: {payload: {link: j2}}\n", "options: needs link: and body: {mass: ..., com: ...}"},
        {ARM "options: {base: fred}\n", "options: base: 'fred' is unknown; did you mean 'free'?"},
        {ARM "options: {mimic: xyzzyplugh}\n", "options: mimic: 'xyzzyplugh' is unknown; one of follow, independent is expected"},
        {"robot: planar2r\nduration: 1\nstart: {q: [0.5, -4]}\n",
         "the robot starts outside its limits: joint j2 at -4, limits -3.14159 ... 3.14159 (limits: {stops: false} takes them "
         "away)"},
        {"robot: planar2r\nduration: 1\nstart: {state: home}\n",
         "start: state: planar2r has no state 'home' (arne info lists them)"},
        {"robot: planar2r\nduration: 1\nstart: {q: [1, 2, 3]}\n",
         "start: q: needs a number for each of the 2 joints of planar2r, has 3"},
        {ARM "limits: {restitution: 1.5}\n", "limits: restitution must not be above 1"},
        {ARM "sensors: {cutoff: 300}\n", "sensors: cutoff: filters a velocity that is a difference; say velocity: difference"},
        {ARM "sensors: {seed: 1e16}\n", "sensors: seed: 1e+16 has too many digits"},
        {ARM "sensors: {seed: 2.5}\n", "sensors: seed: 2.5 is no whole number"},
        {ARM "sensors: {delay: 100001}\n", "sensors: delay: at most 100000 ticks"},
        {ARM "sensors: {delay: 1.5}\n", "sensors: delay: a whole number is expected, not 1.5"},
        {ARM "sensors: {velocity: difff}\n", "sensors: 'difff' is unknown; one of sensor, difference is expected"},
        {ARM "controller: {kp: 3}\n", "controller: needs `kind:`"},
        {ARM "controller: {kind: pd-gravity, kp: [3, -7]}\n", "controller: kp: must be above 0; that of joint j2 is -7"},
        {ARM "controller: {kind: motor-pd}\n", "controller: 'motor-pd' is for elastic joints; say options: {elastic: true}"},
        {ARM "controller: {kind: elastic}\n", "controller: 'elastic' is for elastic joints; say options: {elastic: true}"},
        {ARM "controller: {kind: hand-acceleration}\n", "controller: 'hand-acceleration' needs `link:`"},
        {ARM "controller: {kind: pd-gravity, torque_sensors: true}\n",
         "controller: torque_sensors: only the controller 'elastic' listens to them"},
        {"robot: planar2r\nduration: 1\ncontroller: {kind: pd-gravity}\n",
         "controller: there is no motion to follow and no start to stay at; give `motion:` or `start:`"},
        {ARM "controller: {kind: pd-gravity, model: {stiffness: 2}}\n",
         "controller: model: stiffness: only motor-pd and elastic know springs"},
        {ARM "controller: {kind: pd-gravity, model: {wrong: [1, 0]}}\n", "controller: must be above 0; number 2 is 0"},
        {LWR "controller: {kind: elastic, poles: [[-1, -2, -3, -4], [-1, -2, -3, -4]]}\n",
         "controller: poles: needs four poles for each of the 7 joints"},
        {ARM "observer: {threshold: 2, learn: 0.1}\n", "observer: thresholds are given or learned, not both"},
        {ARM "observer: {side: links}\n", "observer: only elastic joints have sides"},
        {ARM "observer: {reaction: stop}\n", "observer: to react it needs `threshold:` or `learn:`"},
        {ARM "observer: {gain: [1, -3]}\n", "observer: gain: must be above 0; number 2 is -3"},
        {ARM "observer: {threshold: [1, 2, 3]}\n",
         "observer: threshold: needs a number for each of the 2 joints of planar2r, has 3"},
        {ARM "disturbances:\n  - wrench: {force: [1, 2, 3]}\n", "disturbances: wrench: needs `link:`"},
        {ARM "disturbances:\n  - wrench: {link: j2, from: 2, to: 1.5}\n",
         "disturbances: wrench: ends (to: 1.5) before it begins (from: 2)"},
        {ARM "disturbances:\n  - {}\n",
         "disturbances: needs exactly one of wrench, payload, fault, friction; several are a list"},
        {ARM "disturbances:\n  - wrench: {link: j2}\n    friction: {scale: 2}\n",
         "disturbances: needs exactly one of wrench, payload, fault, friction; several are a list"},
        {ARM "disturbances:\n  - fault: {joint: j1}\n", "disturbances: fault: needs `joint:` and `kind:`"},
        {ARM "disturbances:\n  - fault: {kind: lost}\n", "disturbances: fault: needs `joint:` and `kind:`"},
        {ARM "disturbances:\n  - fault: {joint: j1, kind: offset}\n", "disturbances: fault: 'offset' needs `value:`"},
        {ARM "disturbances:\n  - fault: {joint: j1, kind: stuck, value: 0}\n",
         "disturbances: fault: what jams the joint must be above 0"},
        {ARM "disturbances:\n  - fault: {joint: j11, kind: lost}\n",
         "disturbances: fault: there is no moving joint 'j11'; did you mean 'j1'?"},
        {ARM "disturbances:\n  - fault: {joint: xyzzyplugh, kind: lost}\n",
         "disturbances: fault: there is no moving joint 'xyzzyplugh'"},
        {ARM "limits: {friction: false}\ndisturbances:\n  - friction: {scale: 2}\n",
         "disturbances: friction: friction is switched off in this scenario"},
        {ARM "options: {mass: 2}\ndisturbances:\n  - payload: {link: j2, body: {mass: 1}}\n",
         "disturbances: payload: a load that comes later and options: {mass: ...} exclude each other"},
        {ARM "output: {link: j22}\n", "output: there is no link 'j22'; did you mean 'j2'?"},
        {"robot: planar2r\nmotion: []\n", "1 to 64 motions are allowed"},
        {"robot: planar2r\nmotion: {}\n",
         "motion: needs exactly one of polynomial, points, fourier, csv, path; several motions are a list"},
        {"robot: planar2r\nmotion: {polynomial: {time: [2, 1.5], to: 1}}\n",
         "motion: polynomial: time must go on: from 2 to 1.5 it does not"},
        {"robot: planar2r\nmotion: {polynomial: {time: [2, 2], to: 1}}\n",
         "motion: polynomial: time must go on: from 2 to 2 it does not"},
        {"robot: planar2r\nmotion: {points: {times: [0, 1, 2], q: [[0, 0], [1, 1]]}}\n",
         "motion: points: needs a row for each of the 3 times, has 2"},
        {"robot: planar2r\nmotion: {points: {times: [0, 1], q: []}}\n", "motion: points: the list is empty"},
        {"robot: planar2r\nmotion: {fourier: {time: [0, 1], sine: [[1, 1]]}}\n",
         "motion: fourier: needs `frequency:` (of the first harmonic, Hz)"},
        {"robot: planar2r\nmotion: {fourier: {time: [0, 1], frequency: 1}}\n",
         "motion: fourier: needs `sine:` or `cosine:`, a row per harmonic"},
        {"robot: planar2r\nmotion: {fourier: {time: [0, 1], frequency: 1, sine: [[1, 1], [2, 2]], cosine: [[1, 1]]}}\n",
         "motion: fourier: has 1 rows, sine has 2"},
        {"robot: planar2r\nmotion: {path: {link: j2, times: [0, 1, 2], poses: [{move: [0, 0, 0]}]}}\n",
         "motion: path: 1 poses need 2 times, the first for where the link starts; there are 3"},
        {"robot: planar2r\nmotion: {path: {link: j2, times: [0, 1], poses: [{move: [0, 0, 0]}], samples: 9}}\n",
         "motion: path: samples: 10 to 5000 are allowed, not 9"},
        {"robot: planar2r\nmotion: {path: {link: j2, times: [0, 1], poses: [{move: [0, 0, 0]}], samples: 5001}}\n",
         "motion: path: samples: 10 to 5000 are allowed, not 5001"},
        {"robot: planar2r\nmotion: {path: {link: j2, times: [0, 1], poses: [{move: [0, 0, 0], rpy: [0, 0, 0]}]}}\n",
         "motion: path: give a pose by xyz and rpy (in the world) or by move and turn (from the start), not by both"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arne_error error;
        arne_scenario *s = read_text(cases[i].text, &error);
        if (s) fail_msg("accepted: %s", cases[i].text);
        if (strcmp(error.message, cases[i].sentence)) fail_msg("%s\n%s\n%s", cases[i].text, error.message, cases[i].sentence);
    }
    /* what is just allowed */
    static const char *const fine[] = {ARM "limits: {restitution: 1}\n",
                                       ARM "sensors: {delay: 100000, seed: 9e15}\n",
                                       ARM "sensors: {seed: 0}\n",
                                       "robot: planar2r\nduration: 1\nstart: {q: [pi, -pi]}\n",
                                       "robot: planar2r\nduration: 1e5\ncontroller: {kind: none, period: 0.001}\n",
                                       "robot: planar2r\nduration: 1\nlimits: {stops: false}\nstart: {q: [0.5, -4]}\n",
                                       ARM
                                       "motion: {path: {link: j2, times: [0, 1], poses: [{move: [0, 0, 0]}], samples: 10}}\n"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) arne_scenario_free(good_text(fine[i]));
}

/* sixteen payloads and a thousand disturbances are allowed, one more is not */
static void lists_have_their_limits(void **state)
{
    (void)state;
    static char text[60000];
    for (int more = 0; more < 4; more++) {
        const bool loads = more < 2;
        const int count = (loads ? 16 : 1000) + more % 2;
        arne_error error;
        size_t at = (size_t)snprintf(text, sizeof text, ARM "%s", loads ? "options:\n  payload:\n" : "disturbances:\n");
        for (int i = 0; i < count; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s",
                                   loads ? "    - {link: j2, body: {mass: 1}}\n" : "  - wrench: {link: j2, from: 0.5}\n");
        arne_scenario *s = read_text(text, &error);
        assert_true((s == NULL) == more % 2);
        if (s) assert_int_equal(loads ? s->npayload : s->loop.ndisturbance, count);
        if (!s) assert_string_equal(error.message, loads ? "options: more than 16 payloads" : "disturbances: more than 1000");
        arne_scenario_free(s);
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

typedef struct {
    int count;
    double r[2 * 4000];
} heard;

static int hear(void *context, const arne_row *row)
{
    heard *h = context;
    memcpy(h->r + 2 * h->count++, row->residual, 2 * sizeof *h->r);
    return 0;
}

/* They are those of the residuals of every tick of the run without its disturbances. */
static void learned_thresholds_are_those_of_the_quiet_run(void **state)
{
    (void)state;
    static const char text[] = "robot: planar2r\n"
                               "motion: {fourier: {time: [0, 3], frequency: 0.5, ramp: 0.5, sine: [[0.3, 0.4]]}}\n"
                               "controller: {kind: computed-torque, period: 0.002}\n"
                               "sensors: {noise: 1e-5, velocity_noise: 1e-3, seed: 3}\n"
                               "observer: {gain: 50, learn: 0.03, reaction: stop}\n"
                               "disturbances:\n"
                               "  - wrench: {link: j2, force: [0, 30, 0], from: 0.2, to: 2.2}\n";
    static heard h;
    arne_scenario *s = good_text(text), *quiet = good_text(text);
    arne_error e;
    arne_result r;
    double want[2];
    assert_true(s->learn == 0.03 && s->loop.brake);
    if (arne_scenario_learn(s, &e)) fail_msg("%s", e.message);
    quiet->loop.ndisturbance = 0;
    quiet->loop.interval = quiet->loop.period;
    quiet->loop.row = hear;
    quiet->loop.context = &h;
    if (arne_loop_run(&quiet->loop, &r, &e)) fail_msg("%s", e.message);
    assert_int_equal(h.count, 1501);
    if (arne_detector_learn(s->model, h.count, h.r, 0.002, 0.03, want, &e)) fail_msg("%s", e.message);
    assert_memory_equal(s->thresholds, want, sizeof want);
    assert_true(s->loop.detector && arne_plant_time(s->loop.plant) == 0 && s->loop.ndisturbance == 1);
    assert_true(fabs(s->loop.interval - 0.01) < 1e-12);
    arne_result_free(&r);
    arne_scenario_free(quiet);
    arne_scenario_free(s);
    /* a run that does not end says why there are none */
    volatile sig_atomic_t stop = 1;
    s = good_text(text);
    s->loop.stop = &stop;
    assert_int_equal(arne_scenario_learn(s, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "no thresholds could be learned: the run was stopped");
    assert_null(s->loop.detector);
    arne_scenario_free(s);
}

/* A free base stands where the file puts it: its turn is that of roll, pitch and yaw, its velocity in its own axes. */
static void a_free_base_stands_where_it_is_put(void **state)
{
    (void)state;
    static const char top[] = "robot: " ARNE_ROBOTS "/satellite.yaml\nduration: 1\n";
    char text[400];
    snprintf(
        text, sizeof text,
        "%sstart: {q: [1, 2, 3, 4, 5, 6, 7], qd: [8, 9, 10, 11, 12, 13, 14], base: {xyz: [0.1, 0.2, 0.3], rpy: [0.3, -0.4, 0.5], "
        "v: [15, 16, 17], w: [18, 19, 20]}}\nlimits: {stops: false}\n",
        top);
    arne_scenario *s = good_text(text);
    arne_data *d;
    arne_pose is;
    const arne_pose want = arne_pose_rpy((const double[3]){0.1, 0.2, 0.3}, (const double[3]){0.3, -0.4, 0.5});
    assert_int_equal(arne_data_new(s->model, &d, NULL), ARNE_OK);
    arne_link_pose(d, arne_plant_q(s->loop.plant), arne_link_find(s->model, "hull"), &is);
    for (int k = 0; k < 3; k++) assert_true(fabs(is.p[k] - want.p[k]) < 1e-15);
    for (int k = 0; k < 9; k++) assert_true(fabs(is.R[k] - want.R[k]) < 1e-15);
    for (int k = 0; k < 6; k++) assert_true(arne_plant_qd(s->loop.plant)[k] == 15 + k);
    for (int k = 0; k < 7; k++)
        assert_true(arne_plant_q(s->loop.plant)[7 + k] == k + 1 && arne_plant_qd(s->loop.plant)[6 + k] == k + 8);
    arne_data_free(d);
    arne_scenario_free(s);
    /* a quaternion may be off by a thousandth */
    for (int far = 0; far < 2; far++) {
        arne_error e;
        snprintf(text, sizeof text, "%sstart: {base: {quaternion: [0, 0, %s, 0]}}\n", top, far ? "1.0012" : "1.0009");
        s = read_text(text, &e);
        assert_true((s == NULL) == far);
        if (s) assert_true(fabs(arne_plant_q(s->loop.plant)[5] - 1) < 1e-15);
        if (far) assert_string_equal(e.message, "start: base: a quaternion x, y, z, w has unit length, this one 1.0012");
        arne_scenario_free(s);
    }
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
        cmocka_unit_test(all_values_arrive),
        cmocka_unit_test(what_is_left_out_is_as_documented),
        cmocka_unit_test(faults_are_told_in_whole_sentences),
        cmocka_unit_test(lists_have_their_limits),
        cmocka_unit_test(the_seed_is_one_unless_told),
        cmocka_unit_test(a_robot_starts_where_its_motion_does),
        cmocka_unit_test(settings_replace_values),
        cmocka_unit_test(faults_are_named_with_their_line),
        cmocka_unit_test(faults_of_tables_are_named_with_their_line),
        cmocka_unit_test(shipped_examples_run),
        cmocka_unit_test(thresholds_are_learned_from_a_quiet_run),
        cmocka_unit_test(learned_thresholds_are_those_of_the_quiet_run),
        cmocka_unit_test(a_free_base_stands_where_it_is_put),
        cmocka_unit_test(adaptation_learns_a_wrong_model),
        cmocka_unit_test(a_wrong_stiffness_is_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
