/* SPDX-License-Identifier: MIT
 *
 * What varies between the runs of a scenario: numbers follow their laws, run k has the same ones whoever asks, and they arrive in
 * the robot. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arne/dynamics.h"
#include "arne/scenario.h"
#include "simulate/plant.h"
#include "support/tempfile.h"

static const arne_robot_place places[] = {{"planar2r", ARNE_ROBOTS "/planar2r.yaml"}, {"ur5e", ARNE_ROBOTS "/ur5e.yaml"}};
static const arne_scenario_options options = {sizeof options, places, 2, NULL, 0, NULL};

static arne_variation *variation(const char *text, uint64_t seed, arne_error *error)
{
    temp_folder folder = temp_open();
    arne_variation *v = NULL;
    *error = (arne_error){0};
    const arne_status status = arne_variation_read(temp_write(&folder, "run.yaml", text), seed, &options, &v, error);
    assert_true((status == ARNE_OK) == (v != NULL));
    temp_close(&folder); /* the file is not needed any more */
    return v;
}

static arne_variation *good(const char *text, uint64_t seed)
{
    arne_error error;
    arne_variation *v = variation(text, seed, &error);
    if (!v) fail_msg("%d: %s", error.line, error.message);
    return v;
}

#define TOP "robot: planar2r\nstart: {q: [0.1, -0.2]}\nduration: 1\n"

static void laws_hold(void **state)
{
    (void)state;
    enum { RUNS = 20000 };
    arne_variation *v = good(TOP "sensors: {noise: 1e-4}\n"
                                 "vary:\n"
                                 "  start.q.1: {uniform: [-1, 3]}\n"
                                 "  start.q.2: {normal: [0.5, 0.1]}\n"
                                 "  noise: {list: [0, 1e-4, 1e-3]}\n"
                                 "  integrator.method: {list: [rk4, arkode]}\n",
                             7);
    double mean[4] = {0}, square[4] = {0}, product = 0, x[4], low = 9, high = -9;
    assert_int_equal(arne_variation_count(v), 4);
    assert_string_equal(arne_variation_name(v, 2), "noise");
    for (long k = 0; k < RUNS; k++) {
        assert_int_equal(arne_variation_draw(v, k, x), ARNE_OK);
        for (int i = 0; i < 4; i++) mean[i] += x[i] / RUNS, square[i] += x[i] * x[i] / RUNS;
        product += x[0] * x[1] / RUNS;
        low = fmin(low, x[0]), high = fmax(high, x[0]);
        assert_true(x[3] == 0 || x[3] == 1);
    }
    /* within five deviations of the mean of so many */
    assert_true(low > -1 && low < -0.99 && high < 3 && high > 2.99);
    assert_true(fabs(mean[0] - 1) < 5 * (4 / sqrt(12)) / sqrt(RUNS));
    assert_true(fabs(sqrt(square[0] - mean[0] * mean[0]) - 4 / sqrt(12)) < 0.03);
    assert_true(fabs(mean[1] - 0.5) < 5 * 0.1 / sqrt(RUNS));
    assert_true(fabs(sqrt(square[1] - mean[1] * mean[1]) - 0.1) < 0.003);
    assert_true(fabs(mean[2] - 1.1e-3 / 3) < 5 * 4.5e-4 / sqrt(RUNS));
    assert_true(fabs(mean[3] - 0.5) < 5 * 0.5 / sqrt(RUNS));
    assert_true(fabs(product - mean[0] * mean[1]) < 5 * 0.1 * (4 / sqrt(12)) / sqrt(RUNS)); /* and of each other independent */
    arne_variation_free(v);
}

static void grids_take_all_combinations(void **state)
{
    (void)state;
    arne_variation *v = good(TOP "vary:\n  start.q.1: {grid: [1, 2, 3]}\n  start.q.2: {grid: [0.1, 0.2]}\n", 1);
    assert_int_equal(arne_variation_grid(v), 6);
    bool seen[6] = {0};
    double x[2];
    for (long k = 0; k < 6; k++) {
        arne_variation_draw(v, k, x);
        seen[lround(x[0] - 1) * 2 + lround(10 * x[1] - 1)] = true;
    }
    for (int i = 0; i < 6; i++) assert_true(seen[i]);
    arne_variation_free(v);

    /* the last grid turns fastest, whatever stands between; after the last point comes the first */
    v = good(TOP "vary:\n  start.q.1: {grid: [1, 2, 3]}\n  duration: {uniform: [1, 2]}\n  start.q.2: {grid: [0.1, 0.2]}\n"
                 "  integrator.method: {grid: [rk4, arkode]}\n  limits.torque: {list: [true]}\n",
             1);
    assert_int_equal(arne_variation_grid(v), 12);
    for (long k = 0; k < 30; k++) {
        double y[5];
        assert_int_equal(arne_variation_draw(v, k, y), ARNE_OK);
        assert_true(y[0] == (k / 4 % 3) + 1 && y[2] == 0.1 * (double)(k / 2 % 2 + 1) && y[3] == k % 2 && y[4] == 0);
        assert_true(y[1] > 1 && y[1] < 2);
        if (k > 3) continue;
        arne_scenario *s;
        assert_int_equal(arne_variation_scenario(v, k, &s, NULL), ARNE_OK);
        assert_string_equal(s->integrator, k % 2 ? "arkode" : "rk4");
        assert_true(arne_plant_q(s->loop.plant)[0] == y[0] && arne_plant_q(s->loop.plant)[1] == y[2] && s->loop.duration == y[1]);
        arne_scenario_free(s);
    }
    assert_string_equal(arne_variation_name(v, 0), "start.q.1");
    assert_string_equal(arne_variation_name(v, 4), "limits.torque");
    assert_true(!arne_variation_name(v, 5) && !arne_variation_name(v, -1));
    arne_variation_free(v);
}

/* Values that the caller sets come before those that are drawn; short words stand for their places. */
static void settings_and_short_words_arrive(void **state)
{
    (void)state;
    static const char *const given[] = {"duration=2", "start.q.1=0.3"};
    const arne_scenario_options set = {sizeof set, places, 2, given, 2, NULL};
    temp_folder folder = temp_open();
    arne_variation *v;
    arne_scenario *s;
    arne_error e;
    static const char text[] =
        "robot: planar2r\nstart: {q: [0.1, -0.2]}\nduration: 1\n"
        "options: {payload: {link: j2, body: {mass: 2, com: [0.1, 0, 0]}}}\nsensors: {quantum: 1e-4}\n"
        "disturbances:\n  - friction: {scale: 2}\n  - wrench: {link: j2, force: [1, 2, 3]}\n  - wrench: {link: j1}\n"
        "vary:\n  payload.com.2: {grid: [0.7]}\n  payload: {grid: [3]}\n  friction: {grid: [1.5]}\n  noise: {grid: [2e-3]}\n"
        "  push.force.3: {grid: [9]}\n  push.to: {grid: [0.5]}\n";
    if (arne_variation_read(temp_write(&folder, "run.yaml", text), 3, &set, &v, &e)) fail_msg("%d: %s", e.line, e.message);
    char *settings = arne_variation_settings(v);
    assert_string_equal(settings, "duration=2\nstart.q.1=0.3");
    free(settings);
    assert_string_equal(arne_variation_text(v), text);
    assert_non_null(strstr(arne_variation_path(v), "/run.yaml"));
    if (arne_variation_scenario(v, 0, &s, &e)) fail_msg("%s", e.message);
    assert_true(s->loop.duration == 2 && arne_plant_q(s->loop.plant)[0] == 0.3 && arne_plant_q(s->loop.plant)[1] == -0.2);
    assert_true(s->payloads[0].mass == 3 && s->payloads[0].com[0] == 0.1 && s->payloads[0].com[1] == 0.7);
    assert_true(s->loop.plant->o.rub == 1.5 && s->loop.sensors->position_noise == 2e-3 && s->loop.sensors->quantum == 1e-4);
    assert_true(s->loop.disturbances[1].wrench.force[2] == 9 && s->loop.disturbances[1].wrench.force[1] == 2);
    assert_true(s->loop.disturbances[1].to == 0.5 && isinf(s->loop.disturbances[2].to));
    arne_scenario_free(s);
    arne_variation_free(v);
    /* without sensors of the file, noise that is drawn has a seed for each run too */
    v = good(TOP "vary: {noise: {grid: [2e-3]}}\n", 1);
    uint64_t seeds[3];
    for (int k = 0; k < 3; k++) {
        if (arne_variation_scenario(v, k, &s, &e)) fail_msg("%s", e.message);
        seeds[k] = s->loop.sensors->seed;
        arne_scenario_free(s);
    }
    assert_true(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] > 1000000 && seeds[0] < UINT64_C(1) << 52);
    settings = arne_variation_settings(v);
    assert_string_equal(settings, "");
    free(settings);
    arne_variation_free(v);
    temp_close(&folder);
}

static void seeds_tell_runs_apart(void **state)
{
    (void)state;
    const char *text = TOP "sensors: {noise: 1e-4}\nvary: {start.q.1: {uniform: [0, 1]}}\n";
    arne_variation *a = good(text, 1), *b = good(text, 2), *again = good(text, 1);
    double x, y, z;
    arne_scenario *s, *t;
    arne_variation_draw(a, 5, &x), arne_variation_draw(b, 5, &y), arne_variation_draw(again, 5, &z);
    assert_true(x == z && x != y);
    assert_int_equal(arne_variation_scenario(a, 5, &s, NULL), ARNE_OK);
    assert_int_equal(arne_variation_scenario(a, 6, &t, NULL), ARNE_OK);
    assert_true(arne_plant_q(s->loop.plant)[0] == x);
    assert_true(s->loop.sensors->seed != t->loop.sensors->seed); /* noise is not that of the run before */
    arne_scenario_free(s);
    arne_scenario_free(t);
    arne_variation_free(a);
    arne_variation_free(b);
    arne_variation_free(again);
}

/* Torques that hold the robot at q, as the plant has it. */
static void held(const arne_scenario *s, const double *q, double *tau)
{
    arne_data *d;
    assert_int_equal(arne_data_share(arne_plant_settings(s->loop.plant), &d, NULL), ARNE_OK);
    assert_int_equal(arne_gravity(d, q, tau), ARNE_OK);
    arne_data_free(d);
}

static void values_arrive(void **state)
{
    (void)state;
    static const double q[6] = {0.3, -1.1, 0.7, 0.2, 0.4, -0.6};
#define ARM                                                                                                                      \
    "robot: ur5e\nstart: {q: [0, -1, 0, 0, 0, 0]}\nduration: 1\n"                                                                \
    "options: {payload: {link: wrist_3, body: {mass: 2, com: [0, 0, 0.1]}}}\n"                                                   \
    "disturbances:\n  - fault: {joint: elbow, kind: lost, from: 0.5}\n"                                                          \
    "  - wrench: {link: wrist_3, force: [1, 2, 3], from: 0.1, to: 0.2}\n"
    arne_variation *plain = good(ARM "vary: {push.from: {grid: [0.15]}}\n", 1);
    arne_variation *varied = good(ARM "vary:\n  payload: {grid: [0]}\n  mass: {grid: [1.5]}\n  push: {grid: [3]}\n", 1);
    arne_variation *carrying = good(ARM "vary:\n  payload: {grid: [4]}\n", 1);
    arne_scenario *a, *b, *c;
    double x[6], y[6], z[6];
    assert_int_equal(arne_variation_scenario(plain, 0, &a, NULL), ARNE_OK);
    assert_int_equal(arne_variation_scenario(varied, 0, &b, NULL), ARNE_OK);
    assert_int_equal(arne_variation_scenario(carrying, 0, &c, NULL), ARNE_OK);
    held(a, q, x), held(b, q, y), held(c, q, z);
    /* links weigh half as much again and nothing is carried: y = 1.5 links, x = links + 2 kg, z = links + 4 kg */
    for (int i = 0; i < 6; i++) assert_true(fabs(y[i] - 1.5 * (2 * x[i] - z[i])) < 1e-12 * (1 + fabs(z[1])));
    assert_true(fabs(z[1] - x[1]) > 1);
    assert_true(a->loop.disturbances[1].from == 0.15 && b->loop.disturbances[1].from == 0.1);
    for (int i = 0; i < 3; i++)
        assert_true(b->loop.disturbances[1].wrench.force[i] == 3 * a->loop.disturbances[1].wrench.force[i]);
    arne_scenario_free(a);
    arne_scenario_free(b);
    arne_scenario_free(c);
    arne_variation_free(plain);
    arne_variation_free(varied);
    arne_variation_free(carrying);
}

/* A joint that slides out on viscous friction alone: qd = e^(-f t d / I). */
static void friction_is_scaled(void **state)
{
    (void)state;
    temp_folder folder = temp_open();
    char robot[600], text[1200];
    snprintf(robot, sizeof robot, "%s",
             temp_write(&folder, "disc.yaml",
                        "name: disc\nconvention: urdf\njoints:\n  - name: j\n    type: revolute\n    axis: [0, 0, 1]\n"
                        "    friction: {viscous: 0.5}\n    link: {mass: 1, inertia: {xx: 1, yy: 1, zz: 2}}\n"));
    snprintf(text, sizeof text,
             "robot: %s\nstart: {q: [0], qd: [1]}\nduration: 1\nintegrator: {method: arkode, rtol: 1e-9}\n"
             "vary: {friction: {grid: [1, 3]}}\n",
             robot);
    arne_variation *v = good(text, 1);
    for (long k = 0; k < 2; k++) {
        arne_scenario *s;
        arne_result r = {0};
        assert_int_equal(arne_variation_scenario(v, k, &s, NULL), ARNE_OK);
        assert_int_equal(arne_loop_run(&s->loop, &r, NULL), ARNE_OK);
        assert_true(fabs(arne_plant_qd(s->loop.plant)[0] - exp(-(k ? 3 : 1) * 0.5 / 2)) < 1e-7);
        arne_result_free(&r);
        arne_scenario_free(s);
    }
    arne_variation_free(v);
    temp_close(&folder);
}

static void refuses(const char *text, int line, const char *words)
{
    arne_error error;
    assert_null(variation(text, 1, &error));
    if (error.line != line || !strstr(error.message, words)) fail_msg("%d: %s", error.line, error.message);
}

static void bad_ones_are_refused(void **state)
{
    (void)state;
    refuses(TOP, 1, "what is to vary? e.g. `vary: {payload: {uniform: [0, 3]}}` (doc/sweep.md)");
    refuses(TOP "vary: {}\n", 4, "what is to vary?");
    refuses(TOP "vary: {start.q.1: {uniform: [2.5, 1]}}\n", 4, "vary: start.q.1: from 2.5 to 1 is no range");
    refuses(TOP "vary: {start.q.1: {uniform: [2, 2]}}\n", 4, "vary: start.q.1: from 2 to 2 is no range");
    refuses(TOP "vary: {start.q.1: {normal: [2]}}\n", 4, "vary: start.q.1: needs [mean, deviation]");
    refuses(TOP "vary: {start.q.1: {normal: [1, 2, 3]}}\n", 4, "vary: start.q.1: needs [mean, deviation]");
    refuses(TOP "vary: {start.q.1: {uniform: [1, 2, 3]}}\n", 4, "vary: start.q.1: needs [from, to]");
    refuses(TOP "vary: {start.q.1: {list: []}}\n", 4, "vary: start.q.1: needs between 1 and 100,000 values");
    refuses(TOP "vary: {start.q.1: {}}\n", 4, "vary: start.q.1: needs exactly one of uniform, normal, list, grid");
    refuses(TOP "disturbances:\n  - friction: {scale: 2}\nvary: {push.from: {uniform: [1, 2]}}\n", 6,
            "vary: push.from: there is no push: the disturbances of this file have no `wrench:`");
    for (int many = 100; many <= 101; many++) { /* nobody knows these keys, but so many may vary */
        char text[4000] = TOP "vary:\n";
        for (int i = 0; i < many; i++) {
            const size_t at = strlen(text);
            snprintf(text + at, sizeof text - at, "  key%d: {list: [1]}\n", i);
        }
        arne_error error;
        assert_null(variation(text, 1, &error));
        assert_true((strstr(error.message, "more than 100 things vary") != NULL) == (many > 100));
        if (many > 100) assert_int_equal(error.line, 105);
    }
    arne_variation *fixed = good(TOP "vary: {start.q.1: {normal: [0.5, 0]}}\n", 1); /* no deviation: the mean */
    double mean;
    assert_int_equal(arne_variation_draw(fixed, 3, &mean), ARNE_OK);
    assert_true(mean == 0.5 && arne_variation_draw(fixed, -1, &mean) == ARNE_BAD_ARGUMENT);
    arne_variation_free(fixed);
    refuses(TOP "vary: {start.q.1: {uniform: [2, 1]}}\n", 4, "no range");
    refuses(TOP "vary: {start.q.1: {uniform: [2]}}\n", 4, "[from, to]");
    refuses(TOP "vary: {start.q.1: {normal: [1, -1]}}\n", 4, "deviation");
    refuses(TOP "vary: {start.q.1: {unifrom: [1, 2]}}\n", 4, "uniform");
    refuses(TOP "vary: {start.q.1: {uniform: [1, 2], grid: [1]}}\n", 4, "exactly one");
    refuses(TOP "vary: {start.q.3: {uniform: [1, 2]}}\n", 0, "no such place");
    refuses(TOP "vary: {colour: {uniform: [1, 2]}}\n", 1, "colour");
    refuses(TOP "vary: {push: {uniform: [1, 2]}}\n", 4, "no push");
    refuses(TOP "vary:\n  mass: {list: [1]}\n  options.mass: {list: [1]}\n", 6, "twice");
    refuses(TOP "vary: {mass: {list: [-1]}}\n", 1, "mass");
    refuses(TOP "vary:\n  mass: {list: [1]}\n  [a]: {list: [1]}\n", 6, "vary: a text is expected"); /* not mass, the one before */
    assert_int_equal(arne_variation_read(NULL, 1, NULL, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_variation_draw(NULL, 0, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_variation_scenario(NULL, 0, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_null(arne_variation_name(NULL, 0));
    arne_variation_free(NULL);
}

/* One of the first twenty runs must be possible. */
static void one_of_twenty_must_be_possible(void **state)
{
    (void)state;
    for (int bad = 19; bad <= 20; bad++) {
        char text[500] = TOP "vary: {mass: {grid: [";
        for (int i = 0; i < bad; i++) strcat(text, "-1, ");
        strcat(text, "1.5]}}\n");
        arne_error error;
        arne_variation *v = variation(text, 1, &error);
        assert_true((v != NULL) == (bad == 19));
        if (!v) assert_non_null(strstr(error.message, "options: mass: must be above 0"));
        arne_variation_free(v);
    }
}

/* a robot by its path needs no options */
static void options_may_be_left_out(void **state)
{
    (void)state;
    temp_folder folder = temp_open();
    static const char text[] = "robot: " ARNE_ROBOTS "/planar2r.yaml\nstart: {q: [0.1, -0.2]}\nduration: 1\n"
                               "vary: {duration: {list: [0.75]}}\n";
    arne_error error = {0};
    arne_variation *v;
    arne_scenario *s;
    if (arne_variation_read(temp_write(&folder, "run.yaml", text), 1, NULL, &v, &error)) fail_msg("%s", error.message);
    if (arne_variation_scenario(v, 0, &s, &error)) fail_msg("%s", error.message);
    assert_true(s->loop.duration == 0.75);
    arne_scenario_free(s);
    arne_variation_free(v);
    temp_close(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws_hold),
                                       cmocka_unit_test(grids_take_all_combinations),
                                       cmocka_unit_test(seeds_tell_runs_apart),
                                       cmocka_unit_test(settings_and_short_words_arrive),
                                       cmocka_unit_test(values_arrive),
                                       cmocka_unit_test(friction_is_scaled),
                                       cmocka_unit_test(bad_ones_are_refused),
                                       cmocka_unit_test(one_of_twenty_must_be_possible),
                                       cmocka_unit_test(options_may_be_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
