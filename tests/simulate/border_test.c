/* SPDX-License-Identifier: MIT
 *
 * border_test.c - plants and runs: nothing where something should be, joints that are none, parts of another robot, options of
 * other versions. */
#include <math.h>
#include <stdio.h>

#include "arne/file.h"
#include "arne/scenario.h"
#include "support/grow.h"

enum { BAD = ARNE_BAD_ARGUMENT };

static arne_model *load(const char *name)
{
    char path[512];
    arne_model *m;
    arne_error e;
    snprintf(path, sizeof path, "%s/%s.yaml", ARNE_ROBOTS, name);
    if (arne_load(path, &m, &e)) fail_msg("%s", e.message);
    return m;
}

static arne_settings *settings_of(const arne_model *m)
{
    arne_settings *s;
    assert_int_equal(arne_settings_new(m, &s, NULL), ARNE_OK);
    return s;
}

static arne_plant *plant_of(const arne_model *m, bool elastic)
{
    const arne_plant_options o = {.size = sizeof o, .method = ARNE_RK4, .step = 1e-3, .friction = true, .elastic = elastic};
    arne_settings *s = settings_of(m);
    arne_plant *p;
    assert_int_equal(arne_plant_new(s, &o, &p, NULL), ARNE_OK);
    arne_settings_free(s); /* nothing of it is kept */
    return p;
}

static arne_status new_plant(void *context, const void *given)
{
    arne_plant *p;
    const arne_status status = arne_plant_new(context, given, &p, NULL);
    assert_int_equal(status == ARNE_OK, p != NULL);
    arne_plant_free(p);
    return status;
}

static void plants(void **state)
{
    (void)state;
    arne_model *m = load("planar2r");
    arne_settings *s = settings_of(m);
    const arne_plant_options o = {.size = sizeof o, .method = ARNE_RK4, .step = 1e-3};
    arne_plant *p;
    assert_int_equal(arne_plant_new(NULL, &o, &p, NULL), BAD);
    assert_null(p);
    assert_int_equal(arne_plant_new(s, NULL, &p, NULL), BAD);
    assert_int_equal(arne_plant_new(s, &o, NULL, NULL), BAD);
    expect_grows(&o, sizeof o, offsetof(arne_plant_options, rtol), new_plant, s);
    assert_int_equal(arne_plant_new(s, &o, &p, NULL), ARNE_OK);
    assert_true(arne_settings_friction(s)); /* switched off for the plant alone */
    arne_settings_free(s);
    const double x[2] = {0.1, 0.2};
    double a, b, tau[2];
    assert_int_equal(arne_plant_place(p, 0, x, x, NULL, NULL), ARNE_OK);
    assert_int_equal(arne_plant_place(NULL, 0, x, x, NULL, NULL), BAD);
    assert_int_equal(arne_plant_place(p, 0, NULL, x, NULL, NULL), BAD);
    assert_int_equal(arne_plant_place(p, 0, x, NULL, NULL, NULL), BAD);
    assert_int_equal(arne_plant_advance(NULL, 1e-3, x, NULL), BAD);
    assert_int_equal(arne_plant_advance(p, 1e-3, NULL, NULL), BAD);
    assert_int_equal(arne_plant_advance(p, NAN, x, NULL), BAD);
    assert_int_equal(arne_plant_advance(p, 1e-3, x, NULL), ARNE_OK);
    assert_int_equal(arne_plant_energy(NULL, &a, &b), BAD);
    assert_int_equal(arne_plant_energy(p, NULL, &b), BAD);
    assert_int_equal(arne_plant_energy(p, &a, NULL), BAD);
    assert_int_equal(arne_plant_spring(p, tau), BAD); /* rigid joints */
    assert_int_equal(arne_plant_spring(NULL, tau), BAD);
    for (int joint = -2; joint < 3; joint++) {
        const arne_status status = joint == -2 || joint == 2 ? BAD : ARNE_OK;
        assert_int_equal(arne_plant_scale_friction(p, joint, 1), status);
        assert_int_equal(arne_plant_brake(p, joint, 0), status);
        assert_int_equal(arne_plant_scale_friction(NULL, joint, 1), BAD);
        assert_int_equal(arne_plant_brake(NULL, joint, 0), BAD);
    }
    assert_int_equal(arne_plant_scale_friction(p, 0, -1), BAD);
    assert_int_equal(arne_plant_brake(p, 0, NAN), BAD);
    assert_false(arne_plant_held(p, -1) || arne_plant_held(p, 2) || arne_plant_held(NULL, 0));
    assert_true(!arne_plant_model(NULL) && !arne_plant_settings(NULL) && !arne_plant_flex(NULL) && !arne_plant_flex(p));
    assert_true(!arne_plant_q(NULL) && !arne_plant_qd(NULL) && !arne_plant_theta(NULL) && !arne_plant_thetad(NULL));
    assert_true(arne_plant_time(NULL) == 0 && arne_plant_steps(NULL) == 0);
    arne_plant_touch(NULL);
    arne_plant_listen(NULL, NULL, NULL);
    arne_plant_free(NULL);
    arne_plant_free(p);
    assert_null(arne_integrator_name(ARNE_INTEGRATOR_COUNT));
    assert_int_equal(arne_integrator_find(NULL), -1);
    arne_model_free(m);
}

/* a plant with elastic joints has springs to change; without a stiffness there is none */
static void springs(void **state)
{
    (void)state;
    arne_model *m = load("kuka-lwr"), *stiff = load("ur5e");
    arne_plant *p = plant_of(m, true);
    double tau[7];
    assert_non_null(arne_plant_flex(p));
    assert_false(arne_settings_rotors(arne_plant_settings(p)));
    assert_int_equal(arne_plant_spring(p, tau), ARNE_OK);
    assert_int_equal(arne_plant_spring(p, NULL), BAD);
    arne_plant_free(p);
    arne_settings *s = settings_of(stiff);
    arne_error e;
    const arne_plant_options o = {.size = sizeof o, .method = ARNE_RK4, .step = 1e-3, .elastic = true};
    assert_int_equal(arne_plant_new(s, &o, &p, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "stiffness"));
    arne_settings_free(s);
    arne_model_free(m);
    arne_model_free(stiff);
}

static arne_status run_loop(void *context, const void *given)
{
    const double zero[2] = {0};
    arne_result r;
    arne_plant_place(context, 0, zero, zero, NULL, NULL);
    const arne_status status = arne_loop_run(given, &r, NULL);
    arne_result_free(&r);
    return status;
}

typedef struct {
    arne_loop loop;
} with_sensors;

static arne_status run_sensors(void *context, const void *given)
{
    arne_loop l = ((with_sensors *)context)->loop;
    l.sensors = given;
    return run_loop(l.plant, &l);
}

static void runs(void **state)
{
    (void)state;
    arne_model *m = load("planar2r"), *other = load("planar2r");
    arne_plant *p = plant_of(m, false);
    const arne_loop good = {
        .size = sizeof good, .plant = p, .period = 1e-3, .duration = 5e-3, .interval = 1e-3, .link = -1, .ndisturbance = 0};
    const double zero[6] = {0}, one[6] = {1, 1, 1, 1, 1, 1};
    arne_result r;
    assert_int_equal(run_loop(p, &good), ARNE_OK);
    assert_int_equal(arne_loop_run(NULL, &r, NULL), BAD);
    assert_int_equal(arne_loop_run(&good, NULL, NULL), BAD);
    expect_grows(&good, sizeof good, offsetof(arne_loop, link) + sizeof(int), run_loop, p);
    const arne_sensors sensors = {.size = sizeof sensors, .quantum = 1e-3};
    with_sensors told = {good};
    expect_grows(&sensors, sizeof sensors, offsetof(arne_sensors, delay), run_sensors, &told);

    /* parts of another robot, though it be the same one loaded twice */
    arne_settings *s = settings_of(other);
    const arne_control_options c = {.size = sizeof c, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 1e-3};
    const arne_observer_options o = {.size = sizeof o, .period = 1e-3};
    arne_loop bad[12];
    for (int k = 0; k < 12; k++) bad[k] = good;
    bad[0].plant = NULL;
    assert_int_equal(arne_controller_new(s, &c, &bad[1].controller, NULL), ARNE_OK);
    bad[2].brake = bad[1].controller, bad[2].brake_time = 1;
    assert_int_equal(arne_observer_new(s, &o, &bad[3].observer, NULL), ARNE_OK);
    assert_int_equal(arne_detector_new(other, one, &bad[4].detector, NULL), ARNE_OK);
    arne_trajectory *motion;
    assert_int_equal(arne_trajectory_rest_to_rest(6, 5, 0, 1, zero, one, &motion, NULL), ARNE_OK);
    bad[5].reference = motion;
    bad[6].link = arne_model_links(m);
    bad[7].ndisturbance = 1;
    bad[8].ndisturbance = -1;
    const arne_disturbance push = {.kind = ARNE_PUSH, .to = 1, .wrench = {.link = 99}}, load_ = {.kind = ARNE_LOAD, .link = -1};
    const arne_disturbance rub = {.kind = ARNE_RUB, .joint = 2};
    bad[9].ndisturbance = bad[10].ndisturbance = bad[11].ndisturbance = 1;
    bad[9].disturbances = &push, bad[10].disturbances = &load_, bad[11].disturbances = &rub;
    static const char *const sentences[] = {"a run needs a plant",
                                            "the controller is of another robot",
                                            "the brake is of another robot",
                                            "the observer is of another robot",
                                            "the detector is of another robot",
                                            "the reference is of another robot",
                                            "there is no such link to record",
                                            "the disturbances are missing",
                                            "the disturbances are missing",
                                            "a disturbance of no such link or joint",
                                            "a disturbance of no such link or joint",
                                            "a disturbance of no such link or joint"};
    for (int k = 0; k < 12; k++) {
        arne_error e;
        assert_int_equal(arne_loop_run(&bad[k], &r, &e), BAD);
        assert_string_equal(e.message, sentences[k]);
    }
    arne_controller_free(bad[1].controller);
    arne_observer_free(bad[3].observer);
    arne_detector_free(bad[4].detector);
    arne_trajectory_free(motion);
    arne_settings_free(s);
    arne_result_free(NULL);
    arne_plant_free(p);
    arne_model_free(m);
    arne_model_free(other);
}

/* more wrenches at once than a robot can take end the run with a sentence */
static void too_many_wrenches(void **state)
{
    (void)state;
    arne_model *m = load("planar2r");
    arne_plant *p = plant_of(m, false);
    const int most = arne_most_wrenches(m);
    arne_disturbance *list = calloc((size_t)most + 1, sizeof *list);
    assert_non_null(list);
    for (int k = 0; k <= most; k++)
        list[k] = (arne_disturbance){.kind = ARNE_PUSH,
                                     .from = k < most ? 0 : 0.002,
                                     .to = INFINITY,
                                     .wrench = {.link = 1}}; /* the last is one too many */
    const arne_loop l = {.size = sizeof l,
                         .plant = p,
                         .period = 1e-3,
                         .duration = 5e-3,
                         .interval = 1e-3,
                         .link = -1,
                         .ndisturbance = most + 1,
                         .disturbances = list};
    arne_result r;
    assert_int_equal(arne_loop_run(&l, &r, NULL), ARNE_OK);
    assert_int_equal(r.end, ARNE_RUN_FAILED);
    char sentence[100];
    snprintf(sentence, sizeof sentence, "at t = 0.002 %d wrenches act at once; at most %d can", most + 1, most);
    assert_string_equal(r.message, sentence);
    assert_true(r.t == 0.002 && r.ticks == 2);
    arne_result_free(&r);
    free(list);
    arne_plant_free(p);
    arne_model_free(m);
}

static arne_status read_scenario(void *context, const void *given)
{
    arne_scenario *s;
    const arne_status status = arne_scenario_read(context, given, &s, NULL);
    assert_int_equal(status == ARNE_OK, s != NULL);
    arne_scenario_free(s);
    return status;
}

static void scenarios(void **state)
{
    (void)state;
    static const arne_robot_place places[] = {{"planar2r", ARNE_ROBOTS "/planar2r.yaml"}};
    char path[] = ARNE_ROBOTS "/../examples/scenarios/pendulum.yaml";
    const arne_scenario_options o = {.size = sizeof o, .places = places, .nplace = 1}, none = {.size = sizeof o, .nplace = 1};
    arne_scenario *s;
    assert_int_equal(arne_scenario_read(NULL, &o, &s, NULL), BAD);
    assert_null(s);
    assert_int_equal(arne_scenario_read(path, &o, NULL, NULL), BAD);
    assert_int_equal(arne_scenario_read(path, &none, &s, NULL), BAD);
    expect_grows(&o, sizeof o, offsetof(arne_scenario_options, settings), read_scenario, path);
    assert_int_equal(arne_scenario_rewind(NULL), BAD);
    assert_int_equal(arne_scenario_learn(NULL, NULL), BAD);
    arne_scenario_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plants),    cmocka_unit_test(springs), cmocka_unit_test(runs), cmocka_unit_test(too_many_wrenches),
        cmocka_unit_test(scenarios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
