/* SPDX-License-Identifier: MIT
 *
 * The loop around a plant: torques are held between ticks and saturate, sensors tell what they are told to tell, disturbances
 * begin and end at their times, an unstable run is said, a contact stops the robot. One mass on a slide gives closed forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arne/feasible.h"
#include "arne/simulate.h"
#include "simulate/loop.h"
#include "simulate/plant.h"
#include "support/data.h"
#include "support/random_robot.h"

enum { MASS = 2, MOST_ROWS = 5001 };

typedef struct {
    arne_model *m;
    arne_plant *plant;
    arne_controller *controller;
    arne_trajectory *zero; /* stands at 0 */
    arne_loop loop;
    int rows;
    double t[MOST_ROWS], q[MOST_ROWS], qd[MOST_ROWS], tau[MOST_ROWS], real[MOST_ROWS], real_tau[MOST_ROWS];
} slide;

static int keep(void *context, const arne_row *row)
{
    slide *s = context;
    const int k = s->rows++;
    assert_true(k < MOST_ROWS);
    s->t[k] = row->t;
    s->q[k] = row->q[0];
    s->qd[k] = row->qd[0];
    s->tau[k] = row->tau[0];
    s->real[k] = row->real_q ? row->real_q[0] : NAN;
    s->real_tau[k] = row->real_tau ? row->real_tau[0] : NAN;
    return 0;
}

/* A mass on a level slide with a drive of 10 N; kp > 0: held at 0 by a spring and damper of the controller. */
static slide *slide_new(double kp, double kd)
{
    slide *s = calloc(1, sizeof *s);
    arne_description *d = arne_description_new("slide");
    arne_description_link(d, "base", 0);
    arne_description_link(d, "mass", 0)->body = (arne_body){.mass = MASS, .inertia = {1, 0, 0, 1, 0, 1}};
    arne_joint_description *j = arne_description_joint(d, "x", 0, ARNE_PRISMATIC, "base", "mass");
    j->axis[0] = 1;
    j->axis[2] = 0;
    j->limits.effort = 10;
    arne_error error;
    if (arne_model_build(d, NULL, &s->m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    arne_settings *robot;
    if (arne_settings_new(s->m, &robot, &error)) fail_msg("%s", error.message);
    const arne_plant_options o = {.size = sizeof o, .method = ARNE_RK4, .step = 1e-3};
    if (arne_plant_new(robot, &o, &s->plant, &error)) fail_msg("%s", error.message);
    const arne_control_options c = {.size = sizeof c, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 1e-3, .kp = &kp, .kd = &kd};
    if (kp > 0 && arne_controller_new(robot, &c, &s->controller, &error)) fail_msg("%s", error.message);
    arne_settings_free(robot);
    if (arne_trajectory_rest_to_rest(1, 5, 0, 1, (double[]){0}, (double[]){0}, &s->zero, &error)) fail_msg("%s", error.message);
    s->loop = (arne_loop){.size = sizeof(arne_loop),
                          .plant = s->plant,
                          .reference = s->zero,
                          .controller = s->controller,
                          .period = 1e-3,
                          .duration = 1,
                          .interval = 1e-3,
                          .saturate = true,
                          .link = -1,
                          .row = keep,
                          .context = s};
    return s;
}

static arne_result run(slide *s, double q, double qd)
{
    arne_result r;
    arne_error error;
    s->rows = 0;
    arne_plant_place(s->plant, 0, &q, &qd, NULL, NULL);
    if (arne_loop_run(&s->loop, &r, &error)) fail_msg("%s", error.message);
    return r;
}

static void slide_free(slide *s)
{
    arne_controller_free(s->controller);
    arne_trajectory_free(s->zero);
    arne_plant_free(s->plant);
    arne_model_free(s->m);
    free(s);
}

static const arne_event *event_of(const arne_result *r, const char *kind)
{
    for (int i = 0; i < r->nevent; i++)
        if (!strcmp(r->events[i].kind, kind)) return &r->events[i];
    return NULL;
}

/* 4 N from 0.2003 to 0.5004 s: times between the ticks, on a free mass. */
static void pushes_begin_and_end_between_ticks(void **state)
{
    (void)state;
    slide *s = slide_new(0, 0);
    arne_disturbance push = {.kind = ARNE_PUSH, .from = 0.2003, .to = 0.5004, .wrench = {.link = 1, .frame = ARNE_ALIGNED}};
    push.wrench.force[0] = 4;
    s->loop.disturbances = &push;
    s->loop.ndisturbance = 1;
    arne_result r = run(s, 0, 0);
    const double last = 0.5004 - 0.2003, v = 4.0 / MASS * last, x = v * last / 2 + v * (1 - 0.5004);
    assert_int_equal(s->rows, 1001);
    assert_true(fabs(s->qd[1000] - v) < 1e-12 && fabs(s->q[1000] - x) < 1e-12);
    assert_non_null(event_of(&r, "wrench"));
    assert_true(event_of(&r, "wrench")->t == 0.2003 && event_of(&r, "wrench")->end == 0.5004);
    arne_result_free(&r);
    slide_free(s);
}

static double file_time(int milliseconds)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%03d", milliseconds / 1000, milliseconds % 1000);
    return strtod(text, NULL);
}

/* Every millisecond as read from a file and as counted in ticks is one time; what lies between ticks is none of them. */
static void times_of_a_file_are_ticks(void **state)
{
    (void)state;
    int differ = 0;
    for (int k = 0; k <= 2000; k++) {
        const double told = file_time(k), tick = k * 1e-3;
        differ += told != tick;
        assert_false(time_later(told, tick) || time_later(tick, told));
        assert_true(time_later(told + 1e-12, tick) && time_later(tick + 1e-12, told));
        for (int i = 0; i <= 2000; i++) assert_true(time_later(told, i * 1e-3) == (k > i));
    }
    assert_true(differ > 100);
    assert_true(time_later(INFINITY, 1) && !time_later(INFINITY, INFINITY) && !time_later(-INFINITY, 0));
}

/* An elastic pendulum by each integrator, pushed from every tick to the next, from every second one, and for no time at all. */
static void pushes_begin_and_end_at_ticks(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("pendulum");
    arne_model *m;
    arne_settings *robot;
    arne_error error;
    static arne_disturbance push[2000];
    arne_description_link(d, "base", 0);
    arne_description_link(d, "arm", 0)->body = (arne_body){.mass = 1, .com = {0.5, 0, 0}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}};
    arne_joint_description *j = arne_description_joint(d, "z", 0, ARNE_REVOLUTE, "base", "arm");
    j->motor.inertia = 0.1;
    j->motor.gear = 1;
    j->elastic.stiffness = 1000;
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    if (arne_settings_new(m, &robot, &error)) fail_msg("%s", error.message);
    for (int method = ARNE_RK4; method <= ARNE_CVODE; method++) {
        arne_plant *p;
        const arne_plant_options o = {
            .size = sizeof o, .method = (arne_integrator)method, .rtol = 1e-5, .atol = 1e-7, .step = 1e-3, .elastic = true};
        if (arne_plant_new(robot, &o, &p, &error)) fail_msg("%s", error.message);
        for (int apart = 1; apart <= 3; apart++) {
            arne_loop loop = {.size = sizeof loop, .plant = p, .period = 1e-3, .duration = 2.002, .interval = 1e-3, .link = -1};
            for (int k = 0; k + apart <= 2000; k += apart, loop.ndisturbance++) {
                arne_disturbance *x = &push[loop.ndisturbance];
                *x = (arne_disturbance){.from = file_time(k), .to = file_time(k + (apart + 1) / 2)};
                if (apart == 3) x->to = nextafter(x->from, 9); /* no time at all */
                x->wrench = (arne_wrench){.link = 1, .frame = ARNE_ALIGNED, .force = {0, 1, 0}};
            }
            loop.disturbances = push;
            const double zero = 0;
            arne_plant_place(p, 0, &zero, &zero, NULL, NULL);
            arne_result r;
            if (arne_loop_run(&loop, &r, &error)) fail_msg("%s", error.message);
            if (r.end != ARNE_RUN_FINISHED) fail_msg("%s", r.message);
            assert_int_equal(r.nevent, apart == 3 ? 0 : 1000);
            arne_result_free(&r);
        }
        arne_plant_free(p);
    }
    arne_settings_free(robot);
    arne_model_free(m);
}

/* A mass that weighs twice as much from 0.5 s on falls to half its acceleration; velocity is continuous. */
static void loads_change_the_inertia(void **state)
{
    (void)state;
    slide *s = slide_new(0, 0);
    arne_disturbance both[2] = {{.kind = ARNE_PUSH, .to = INFINITY, .wrench = {.link = 1, .frame = ARNE_ALIGNED}},
                                {.kind = ARNE_LOAD, .from = 0.5, .to = 0.75, .link = 1, .load = {.mass = MASS}}};
    both[0].wrench.force[0] = 4;
    s->loop.disturbances = both;
    s->loop.ndisturbance = 2;
    arne_result r = run(s, 0, 0);
    assert_true(fabs(s->qd[1000] - 4.0 / MASS * (0.5 + 0.25 / 2 + 0.25)) < 1e-12);
    arne_result_free(&r);
    slide_free(s);
}

/* The drive reports what it was told, what it gives is another thing. */
static void defects_change_what_the_drive_gives(void **state)
{
    (void)state;
    static const struct {
        arne_defect defect;
        double value;
    } cases[] = {{ARNE_DRIVE_LOST, 0}, {ARNE_DRIVE_OFFSET, 1.5}, {ARNE_DRIVE_SCALE, 0.25}, {ARNE_DRIVE_FROZEN, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slide *s = slide_new(50, 5);
        arne_disturbance d = {.kind = ARNE_DEFECT, .from = 0.1, .to = 0.2, .defect = cases[k].defect, .value = cases[k].value};
        s->loop.disturbances = &d;
        s->loop.ndisturbance = 1;
        s->loop.duration = 0.3;
        arne_result r = run(s, 0.1, 0);
        assert_non_null(strstr(r.events[0].text, "the drive of x "));
        for (int i = 1; i < s->rows; i++) {
            const double told = s->tau[i], gave = s->real_tau[i];
            const bool faulty = s->t[i] > 0.1001 && s->t[i] < 0.2001;
            const double expected = !faulty                                ? told
                                    : cases[k].defect == ARNE_DRIVE_LOST   ? 0
                                    : cases[k].defect == ARNE_DRIVE_OFFSET ? told + 1.5
                                    : cases[k].defect == ARNE_DRIVE_SCALE  ? 0.25 * told
                                                                           : s->tau[100];
            assert_true(fabs(gave - expected) < 1e-12);
            /* v changes by what was given, not by what was told */
            assert_true(fabs(s->qd[i] - s->qd[i - 1] - gave / MASS * (s->t[i] - s->t[i - 1])) < 1e-12);
        }
        arne_result_free(&r);
        slide_free(s);
    }
}

static void a_jammed_joint_stays_where_it_is(void **state)
{
    (void)state;
    slide *s = slide_new(50, 5);
    arne_disturbance d = {.kind = ARNE_DEFECT, .from = 0.05, .to = 0.6, .defect = ARNE_DRIVE_STUCK, .value = 1e5};
    s->loop.disturbances = &d;
    s->loop.ndisturbance = 1;
    arne_result r = run(s, 0.1, 0);
    for (int i = 60; i <= 600; i++) assert_true(s->qd[i] == 0 && s->q[i] == s->q[60]);
    assert_true(fabs(s->q[1000]) < fabs(s->q[600]));
    arne_result_free(&r);
    slide_free(s);
}

static void drives_saturate(void **state)
{
    (void)state;
    slide *s = slide_new(500, 20);
    arne_result r = run(s, 0.1, 0); /* asks for 50 N, has 10 */
    for (int i = 0; i < s->rows; i++) assert_true(fabs(s->tau[i]) <= 10);
    assert_true(s->tau[1] == -10);
    assert_non_null(event_of(&r, "saturation"));
    arne_result_free(&r);
    s->loop.saturate = false;
    r = run(s, 0.1, 0);
    assert_true(s->tau[1] == -50);
    assert_null(event_of(&r, "saturation"));
    arne_result_free(&r);
    slide_free(s);
}

/* Coupled motors: what is over its limit is cut to it, what is not keeps its torque. */
static void coupled_motors_saturate_one_by_one(void **state)
{
    (void)state;
    int cut = 0, kept = 0;
    for (unsigned seed = 1; seed <= 50; seed++) {
        arne_description *d = random_robot_with(seed, RANDOM_MOTORS | RANDOM_TRANSMISSION);
        arne_model *m;
        arne_error error;
        random_stream r = {seed};
        for (size_t i = 0; i < d->njoint; i++) d->joints[i].motor.effort = random_between(&r, 0.01, 1);
        if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
        arne_description_free(d);
        arne_data *data = test_data(m);
        const int n = arne_model_dof(m);
        double tau[16], qd[16] = {0}, before[16], after[16];
        bool saturated[16];
        random_vector(&r, n, 20, tau);
        arne_motor_torques(data, tau, before);
        bool any;
        assert_int_equal(arne_saturate(m, qd, tau, saturated, &any), ARNE_OK);
        arne_motor_torques(data, tau, after);
        for (int i = 0; i < n; i++) {
            const double limit = arne_joint_motor(m, i)->effort, expected = fmax(-limit, fmin(limit, before[i]));
            assert_true(fabs(after[i] - expected) < 1e-9);
            assert_true(saturated[i] == (fabs(before[i]) > limit));
            assert_true(any || !saturated[i]);
            *(saturated[i] ? &cut : &kept) += 1;
        }
        arne_data_free(data);
        arne_model_free(m);
    }
    assert_true(cut > 20 && kept > 20);
}

static void sensors_tell_what_they_should(void **state)
{
    (void)state;
    slide *s = slide_new(0, 0);
    s->loop.sensors = &(arne_sensors){.size = sizeof(arne_sensors), .quantum = 0.01, .delay = 7};
    arne_result r = run(s, 0, 0.5);
    for (int i = 0; i < s->rows; i++) {
        const double then = i < 7 ? 0 : 0.5 * s->t[i - 7], told = 0.01 * rint(then / 0.01);
        assert_true(fabs(s->real[i] - 0.5 * s->t[i]) < 1e-12);
        assert_true(fabs(s->q[i] - told) < 1e-9 || fabs(fabs(then - told) - 0.005) < 1e-9); /* or on the edge between two steps */
    }
    arne_result_free(&r);

    s->loop.sensors = &(arne_sensors){.size = sizeof(arne_sensors), .position_noise = 1e-3, .velocity_noise = 2e-3, .seed = 5};
    r = run(s, 0, 0.5);
    double sum = 0, square = 0, speed = 0;
    for (int i = 0; i < s->rows; i++) {
        const double e = s->q[i] - s->real[i], w = s->qd[i] - 0.5;
        sum += e;
        square += e * e;
        speed += w * w;
    }
    /* of 1001 normal numbers: the mean within four, the deviation within five of its own deviations */
    assert_true(fabs(sum / s->rows) < 4 * 1e-3 / sqrt(1001));
    assert_true(fabs(sqrt(square / s->rows) - 1e-3) < 5 * 1e-3 / sqrt(2 * 1001));
    assert_true(fabs(sqrt(speed / s->rows) - 2e-3) < 5 * 2e-3 / sqrt(2 * 1001));
    const double first = s->q[10];
    arne_result_free(&r);
    r = run(s, 0, 0.5);
    assert_true(s->q[10] == first); /* the same seed, the same run */
    arne_result_free(&r);

    s->loop.sensors = &(arne_sensors){.size = sizeof(arne_sensors), .difference = true};
    r = run(s, 0, 0.5);
    for (int i = 1; i < s->rows; i++) assert_true(fabs(s->qd[i] - 0.5) < 1e-9);
    arne_result_free(&r);
    slide_free(s);
}

/* Spring and mass with torques held for a period: without damping the hold adds energy until nothing is left to believe. */
static void an_unstable_run_is_said(void **state)
{
    (void)state;
    slide *s = slide_new(MASS * 1e6, 1e-9);
    s->loop.saturate = false;
    s->loop.duration = 4;
    arne_result r = run(s, 0.1, 0);
    assert_int_equal(r.end, ARNE_RUN_FAILED);
    assert_non_null(strstr(r.message, "joint x"));
    assert_non_null(strstr(r.message, "t = "));
    assert_true(r.t < 4);
    for (int i = 0; i < s->rows; i++) assert_true(isfinite(s->q[i]));
    arne_result_free(&r);
    slide_free(s);
}

static void a_run_can_be_stopped(void **state)
{
    (void)state;
    slide *s = slide_new(0, 0);
    volatile sig_atomic_t stop = 1;
    s->loop.stop = &stop;
    arne_result r = run(s, 0, 0.5);
    assert_int_equal(r.end, ARNE_RUN_STOPPED);
    assert_int_equal(s->rows, 1);
    arne_result_free(&r);
    slide_free(s);
}

/* A push of 5 N is seen, the mass brought to rest within the time given, and held there by the brake's gains: 1 N moves it by
 * 1/kp. */
static void a_contact_stops_the_robot(void **state)
{
    (void)state;
    slide *s = slide_new(200, 40);
    const double threshold = 2, gain = 100, kp = 5000, kd = 400;
    arne_error error;
    arne_data *d = test_data(s->m);
    const arne_observer_options o = {.size = sizeof o, .period = 1e-3, .gain = &gain};
    const double from[1] = {0}, to[1] = {1};
    arne_trajectory *motion;
    if (arne_observer_new(arne_data_settings(d), &o, &s->loop.observer, &error)) fail_msg("%s", error.message);
    if (arne_detector_new(s->m, &threshold, &s->loop.detector, &error)) fail_msg("%s", error.message);
    if (arne_trajectory_rest_to_rest(1, 5, 0, 2, from, to, &motion, &error)) fail_msg("%s", error.message);
    const arne_control_options c = {.size = sizeof c, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 1e-3, .kp = &kp, .kd = &kd};
    if (arne_controller_new(arne_data_settings(d), &c, &s->loop.brake, &error)) fail_msg("%s", error.message);
    arne_disturbance push[2] = {{.kind = ARNE_PUSH, .from = 1, .to = 1.05, .wrench = {.link = 1, .frame = ARNE_ALIGNED}}};
    push[1] = push[0];
    push[0].wrench.force[0] = -5;
    push[1].wrench.force[0] = -1, push[1].from = 2.5, push[1].to = 3.5;
    s->loop.disturbances = push;
    s->loop.ndisturbance = 2;
    s->loop.reference = motion;
    s->loop.brake_time = 0.2;
    s->loop.duration = 3;
    arne_result r = run(s, 0, 0);
    const arne_event *contact = event_of(&r, "contact"), *stop = event_of(&r, "stop");
    assert_non_null(contact);
    assert_non_null(stop);
    /* |r| = 5 (1 - exp(-100 t)) is over 2 after 5.1 ms */
    assert_true(contact->t > 1.004 && contact->t < 1.008);
    assert_true(fabs(s->qd[2000]) < 1e-2 && fabs(s->qd[3000]) < 1e-4);
    assert_true(s->q[3000] < 0.8);
    assert_true(fabs(s->q[3000] - s->q[2500] + 1 / kp) < 1e-6);
    arne_result_free(&r);
    arne_trajectory_free(motion);
    arne_controller_free(s->loop.brake);
    arne_observer_free(s->loop.observer);
    arne_detector_free(s->loop.detector);
    arne_data_free(d);
    slide_free(s);
}

/* ---- what is told ---- */

/* Every kind of disturbance as it is told, with numbers that could not stand in one another's place; an end that is none. */
static void disturbances_are_told_in_whole_sentences(void **state)
{
    (void)state;
    slide *s = slide_new(50, 5);
    arne_disturbance d[] = {
        {.kind = ARNE_PUSH, .from = 0.01, .to = 0.02, .wrench = {.link = 1, .force = {0, 3, -4}, .moment = {0.6, 0, 0.8}}},
        {.kind = ARNE_LOAD, .from = 0.02, .to = INFINITY, .link = 1, .load = {.mass = 2.5}},
        {.kind = ARNE_DEFECT, .from = 0.03, .to = 0.035, .joint = 0, .defect = ARNE_DRIVE_LOST, .value = 9},
        {.kind = ARNE_DEFECT, .from = 0.04, .to = 0.045, .joint = 0, .defect = ARNE_DRIVE_FROZEN, .value = 9},
        {.kind = ARNE_DEFECT, .from = 0.05, .to = 0.055, .joint = -1, .defect = ARNE_DRIVE_OFFSET, .value = 1.5},
        {.kind = ARNE_DEFECT, .from = 0.06, .to = 0.065, .joint = 0, .defect = ARNE_DRIVE_SCALE, .value = 0.25},
        {.kind = ARNE_DEFECT, .from = 0.07, .to = 0.075, .joint = 0, .defect = ARNE_DRIVE_STUCK, .value = 1e4},
        {.kind = ARNE_RUB, .from = 0.08, .to = 0.085, .joint = 0, .value = 3},
        {.kind = ARNE_RUB, .from = 0.09, .to = 0.095, .joint = -1, .value = 0.5}};
    static const struct {
        const char *kind, *text;
    } told[] = {{"wrench", "5 N and 1 Nm act on link mass"},
                {"payload", "link mass carries 2.5 kg"},
                {"fault", "the drive of x gives no torque"},
                {"fault", "the drive of x keeps its torque"},
                {"fault", "the drive of all joints gives 1.5 too much"},
                {"fault", "the drive of x gives 0.25 times its torque"},
                {"fault", "x is jammed"},
                {"friction", "friction of x is 3 times that of the file"},
                {"friction", "friction of all joints is 0.5 times that of the file"}};
    enum { COUNT = sizeof d / sizeof *d };
    s->loop.disturbances = d;
    s->loop.ndisturbance = COUNT;
    s->loop.duration = 0.1;
    arne_result r = run(s, 0, 0);
    assert_int_equal(r.nevent, COUNT);
    for (int k = 0; k < COUNT; k++) {
        assert_string_equal(r.events[k].kind, told[k].kind);
        assert_string_equal(r.events[k].text, told[k].text);
        assert_true(r.events[k].t == d[k].from);
        assert_true(isinf(d[k].to) ? isnan(r.events[k].end) : r.events[k].end == d[k].to);
    }
    arne_result_free(&r);
    slide_free(s);
}

/* A pause of up to 0.05 s is none; the list is full at a thousand. */
static void events_go_on(void **state)
{
    (void)state;
    events e = {0};
    int place = -1;
    static const double on[] = {1, 1.01, 1.06, 1.11, 1.17, 1.2}; /* pauses of 0.01, 0.05, 0.05, 0.06 and 0.03 s */
    for (int k = 0; k < 6; k++) {
        arne__events_go_on(&e, &place, on[k] - 0.005, false, 0.0501, "kind", "nothing");
        arne__events_go_on(&e, &place, on[k], true, 0.0501, "kind", "100 %s");
    }
    assert_int_equal(e.count, 2);
    assert_true(e.list[0].t == 1 && e.list[0].end == 1.11 && e.list[1].t == 1.17 && e.list[1].end == 1.2 && place == 1);
    assert_string_equal(e.list[1].text, "100 %s");
    for (int k = 2; k < 1000; k++) assert_int_equal(arne__events_add(&e, k, k + 0.5, "more", "%d of %s", k, "many"), k);
    assert_int_equal(arne__events_add(&e, 1, 2, "more", "too many"), -1);
    place = -1;
    arne__events_go_on(&e, &place, 9, true, 0.05, "more", "too many");
    assert_true(place == -1 && e.count == 1000 && !e.failed && e.list[999].t == 999 && e.list[999].end == 999.5);
    assert_string_equal(e.list[999].text, "999 of many");
    assert_string_equal(e.list[999].kind, "more");
    free(e.list);
}

/* a drive at its limit is one event as long as it does not pause for more than 0.05 s */
static void a_drive_at_its_limit_is_one_event(void **state)
{
    (void)state;
    slide *s = slide_new(500, 20);
    arne_result r = run(s, 0.1, 0);
    arne_event want[8] = {0};
    int count = 0;
    for (int k = 1; k < s->rows; k++) {
        const double t = s->t[k - 1]; /* the torque of a row was asked for at the tick before */
        if (fabs(s->tau[k]) < 10) continue;
        if (count == 0 || t > want[count - 1].end + 0.05) want[count++].t = t;
        want[count - 1].end = t;
    }
    assert_true(count >= 1 && want[0].t == 0 && want[0].end > 0.01 && want[0].end < 0.9);
    assert_int_equal(r.nevent, count);
    for (int k = 0; k < count; k++) {
        assert_true(r.events[k].t == want[k].t && r.events[k].end == want[k].end);
        assert_string_equal(r.events[k].kind, "saturation");
        assert_string_equal(r.events[k].text, "the drive of x is at its limit");
    }
    arne_result_free(&r);
    slide_free(s);
}

/* Rows of five ticks have the means of the torques of rows of one; the first has those that begin. */
static void rows_have_mean_torques(void **state)
{
    (void)state;
    slide *s = slide_new(50, 5);
    static slide fine;
    arne_disturbance d = {.kind = ARNE_DEFECT, .from = 0.0024, .to = 0.0081, .defect = ARNE_DRIVE_OFFSET, .value = 3};
    s->loop.disturbances = &d;
    s->loop.ndisturbance = 1;
    s->loop.duration = 0.0225; /* the last tick is half a one */
    arne_result r = run(s, 0.1, 0);
    assert_true(r.ticks == 23 && s->rows == 24 && s->t[23] == 0.0225 && s->t[22] == 0.022 && r.t == 0.0225);
    assert_int_equal(r.end, ARNE_RUN_FINISHED);
    memcpy(&fine, s, sizeof fine);
    arne_result_free(&r);
    s->loop.interval = 5e-3;
    r = run(s, 0.1, 0);
    assert_int_equal(s->rows, 6);
    assert_true(s->t[5] == 0.0225 && s->t[4] == 0.02);
    assert_true(s->tau[0] == fine.tau[0] && s->tau[0] == fine.tau[1] && s->tau[0] == -5 && s->real_tau[0] == -5);
    for (int k = 1; k < 6; k++) {
        double told = 0, gave = 0;
        const int from = 5 * k - 5, to = k < 5 ? 5 * k : 23;
        for (int i = from + 1; i <= to; i++) {
            told += fine.tau[i] * (fine.t[i] - fine.t[i - 1]) / (fine.t[to] - fine.t[from]);
            gave += fine.real_tau[i] * (fine.t[i] - fine.t[i - 1]) / (fine.t[to] - fine.t[from]);
        }
        assert_true(fabs(s->tau[k] - told) < 1e-12 && fabs(s->real_tau[k] - gave) < 1e-12);
    }
    /* 3 N too much for a part of a tick: 0.6 ms of the third, 0.1 ms of the ninth */
    assert_true(fabs(fine.real_tau[3] - fine.tau[3] - 3 * 0.6) < 1e-9 && fabs(fine.real_tau[9] - fine.tau[9] - 3 * 0.1) < 1e-9);
    arne_result_free(&r);
    slide_free(s);
}

/* Differences of positions through a filter of the first order; at first the robot moved as it does now. */
static void differences_are_filtered(void **state)
{
    (void)state;
    slide *s = slide_new(0, 0);
    const double cutoff = 300, keep_part = exp(-300 * 1e-3);
    arne_disturbance push = {.kind = ARNE_PUSH, .to = INFINITY, .wrench = {.link = 1, .frame = ARNE_ALIGNED, .force = {8, 0, 0}}};
    s->loop.disturbances = &push;
    s->loop.ndisturbance = 1;
    s->loop.duration = 0.05;
    for (int delay = 0; delay <= 3; delay += 3) {
        s->loop.sensors = &(arne_sensors){.size = sizeof(arne_sensors), .difference = true, .cutoff = cutoff, .delay = delay};
        arne_result r = run(s, 0.2, 0.5);
        double filtered = 0.5, then[64];
        for (int k = 0; k < s->rows; k++) {
            if (k > 0) filtered = keep_part * filtered + (1 - keep_part) * (s->real[k] - s->real[k - 1]) / 1e-3;
            then[k] = filtered;
            const int at = k < delay ? 0 : k - delay;
            assert_true(fabs(s->qd[k] - then[at]) < 1e-9 && fabs(s->q[k] - s->real[at]) < 1e-12);
        }
        assert_true(fabs(filtered - 0.5 - 4 * 0.05) > 1e-3); /* it lags */
        arne_result_free(&r);
    }
    slide_free(s);
}

/* 1e4 rad/s or m/s are too much */
static void a_run_that_is_too_fast_is_unstable(void **state)
{
    (void)state;
    slide *s = slide_new(0, 0);
    s->loop.duration = 0.01;
    arne_result r;
    for (int k = 0; k < 2; k++) { /* steps are those of each run */
        r = run(s, 0, -9990);
        assert_int_equal(r.end, ARNE_RUN_FINISHED);
        assert_true(r.steps == 10 && r.ticks == 10);
        arne_result_free(&r);
    }
    r = run(s, 0, -20500);
    assert_int_equal(r.end, ARNE_RUN_FAILED);
    assert_string_equal(r.message,
                        "the run is unstable: at t = 0.001 joint x moves at -2.05e+04; a smaller step, a shorter period or "
                        "lower gains may help");
    assert_true(r.t == 0 && r.ticks == 0);
    arne_result_free(&r);
    slide_free(s);
}

typedef struct {
    double t, q, qd, qr, qdr, hand;
    bool contact;
} braked;
static int see_brake(void *context, const arne_row *row)
{
    braked **at = context;
    *(*at)++ = (braked){row->t,       row->q[0],   row->qd[0], row->qr ? row->qr[0] : NAN, row->qdr ? row->qdr[0] : NAN,
                        row->hand[0], row->contact};
    return 0;
}

/* The way to rest is the polynomial of degree five from the measured state to half of v T farther on. */
static void braking_is_a_polynomial(void **state)
{
    (void)state;
    slide *s = slide_new(200, 40);
    const double threshold = 2, gain = 100, kp = 5000, kd = 400, T = 0.2, from[1] = {0}, to[1] = {1};
    arne_data *d = test_data(s->m);
    const arne_observer_options o = {.size = sizeof o, .period = 1e-3, .gain = &gain};
    const arne_control_options c = {.size = sizeof c, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 1e-3, .kp = &kp, .kd = &kd};
    arne_trajectory *motion;
    static braked rows[1500];
    braked *at = rows;
    assert_int_equal(arne_observer_new(arne_data_settings(d), &o, &s->loop.observer, NULL), ARNE_OK);
    assert_int_equal(arne_detector_new(s->m, &threshold, &s->loop.detector, NULL), ARNE_OK);
    assert_int_equal(arne_trajectory_rest_to_rest(1, 5, 0, 2, from, to, &motion, NULL), ARNE_OK);
    assert_int_equal(arne_controller_new(arne_data_settings(d), &c, &s->loop.brake, NULL), ARNE_OK);
    const arne_disturbance push = {
        .kind = ARNE_PUSH, .from = 1, .to = 1.05, .wrench = {.link = 1, .frame = ARNE_ALIGNED, .force = {-5, 0, 0}}};
    s->loop.disturbances = &push;
    s->loop.ndisturbance = 1;
    s->loop.reference = motion;
    s->loop.brake_time = T;
    s->loop.duration = 1.4;
    s->loop.link = 1;
    s->loop.row = see_brake;
    s->loop.context = &at;
    arne_result r = run(s, 0, 0);
    assert_int_equal(at - rows, 1401);
    const arne_event *contact = event_of(&r, "contact"), *stop = event_of(&r, "stop");
    assert_true(contact && stop && stop->t == contact->t && fabs(stop->end - stop->t - T) < 1e-12);
    assert_string_equal(contact->text, "something pushes the link of joint x");
    assert_string_equal(stop->text, "the robot brakes to rest and stays there");
    const int first = (int)lround(stop->t * 1e3);
    const double q = rows[first].q, v = rows[first].qd;
    int last = first;
    assert_true(v > 0.3);
    for (int k = 0; k <= 1400; k++) {
        const double x = fmin(1, (rows[k].t - stop->t) / T), left = 1 - x;
        if (rows[k].contact) last = k;
        assert_true(rows[k].contact ? k >= first : k < first || k > last);
        assert_true(fabs(rows[k].hand - rows[k].q) < 1e-12);
        if (k < first) continue;
        /* from q with v, without acceleration, to rest: v of (1 - x)^2 (1 + 2 x), whose integral is 1/2 */
        assert_true(fabs(rows[k].qdr - v * left * left * (1 + 2 * x)) < 1e-9);
        assert_true(fabs(rows[k].qr - q - v * T * (x - x * x * x + x * x * x * x / 2)) < 1e-9);
    }
    assert_true(contact->end == rows[last].t && last < 1400);
    arne_result_free(&r);
    arne_trajectory_free(motion);
    arne_controller_free(s->loop.brake);
    arne_observer_free(s->loop.observer);
    arne_detector_free(s->loop.detector);
    arne_data_free(d);
    slide_free(s);
}

static int most_residual(void *context, const arne_row *row)
{
    double *most = context;
    *most = fmax(*most, fabs(row->residual[0]));
    return 0;
}

/* The observer of the link side hears nothing but its error, while an elastic pendulum swings and its spring pulls with 20 Nm. */
static double quiet_springs(double period)
{
    arne_description *d = arne_description_new("pendulum");
    arne_model *m;
    arne_settings *robot;
    arne_plant *p;
    double most = 0;
    arne_description_link(d, "base", 0);
    arne_description_link(d, "arm", 0)->body = (arne_body){.mass = 1, .com = {0.5, 0, 0}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}};
    arne_joint_description *j = arne_description_joint(d, "z", 0, ARNE_REVOLUTE, "base", "arm");
    j->motor.inertia = 0.1;
    j->motor.gear = 1;
    j->elastic.stiffness = 1000;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    arne_description_free(d);
    assert_int_equal(arne_settings_new(m, &robot, NULL), ARNE_OK);
    const arne_plant_options o = {.size = sizeof o, .method = ARNE_ARKODE, .rtol = 1e-10, .atol = 1e-12, .elastic = true};
    assert_int_equal(arne_plant_new(robot, &o, &p, NULL), ARNE_OK);
    const arne_observer_options watch = {.size = sizeof watch, .period = period, .link_side = true};
    arne_loop loop = {.size = sizeof loop,
                      .plant = p,
                      .period = period,
                      .duration = 0.5,
                      .interval = period,
                      .link = -1,
                      .row = most_residual,
                      .context = &most};
    assert_int_equal(arne_observer_new(robot, &watch, &loop.observer, NULL), ARNE_OK);
    const double q = 0.3, theta = 0.32, zero = 0;
    arne_result r;
    arne_plant_place(p, 0, &q, &zero, &theta, &zero);
    assert_int_equal(arne_loop_run(&loop, &r, NULL), ARNE_OK);
    assert_int_equal(r.end, ARNE_RUN_FINISHED);
    arne_result_free(&r);
    arne_observer_free(loop.observer);
    arne_plant_free(p);
    arne_settings_free(robot);
    arne_model_free(m);
    return most;
}

static void springs_are_heard_at_their_ticks(void **state)
{
    (void)state;
    const double coarse = quiet_springs(2e-3), fine = quiet_springs(1e-3);
    print_message("residual of the link side: %.2e, with half the tick %.2e\n", coarse, fine);
    /* the first tick takes the integral by trapezoids, of third order; a mean of two ticks would be of first: 0.5 Nm */
    assert_true(fine < 2e-3 && coarse / fine > 6);
}

static void bad_loops_are_refused(void **state)
{
    (void)state;
    slide *s = slide_new(0, 0);
    const arne_loop good = s->loop;
    const arne_sensors early = {.size = sizeof early, .delay = -1}, late = {.size = sizeof late, .delay = 100001};
    static const char *const sentences[] = {"the period must be above 0",
                                            "the duration must be above 0",
                                            "rows cannot come more often than ticks",
                                            "the delay must lie between 0 and 100000 ticks",
                                            "the delay must lie between 0 and 100000 ticks",
                                            "a run of more than 1e9 ticks",
                                            "the period must be above 0",
                                            "the duration must be above 0",
                                            "rows cannot come more often than ticks"};
    for (int k = 0; k < 9; k++) {
        s->loop = good;
        if (k == 0) s->loop.period = 0;
        if (k == 1) s->loop.duration = NAN;
        if (k == 2) s->loop.interval = 0.99e-3;
        if (k == 3) s->loop.sensors = &early;
        if (k == 4) s->loop.sensors = &late;
        if (k == 5) s->loop.duration = 1.1e6;
        if (k == 6) s->loop.period = INFINITY;
        if (k == 7) s->loop.duration = 0;
        if (k == 8) s->loop.interval = 2e6;
        arne_result r;
        arne_error error = {0};
        assert_int_equal(arne_loop_run(&s->loop, &r, &error), ARNE_BAD_VALUE);
        assert_string_equal(error.message, sentences[k]);
    }
    s->loop = good;
    slide_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_begin_and_end_between_ticks),
        cmocka_unit_test(times_of_a_file_are_ticks),
        cmocka_unit_test(pushes_begin_and_end_at_ticks),
        cmocka_unit_test(loads_change_the_inertia),
        cmocka_unit_test(defects_change_what_the_drive_gives),
        cmocka_unit_test(a_jammed_joint_stays_where_it_is),
        cmocka_unit_test(drives_saturate),
        cmocka_unit_test(coupled_motors_saturate_one_by_one),
        cmocka_unit_test(sensors_tell_what_they_should),
        cmocka_unit_test(an_unstable_run_is_said),
        cmocka_unit_test(a_run_can_be_stopped),
        cmocka_unit_test(a_contact_stops_the_robot),
        cmocka_unit_test(disturbances_are_told_in_whole_sentences),
        cmocka_unit_test(events_go_on),
        cmocka_unit_test(a_drive_at_its_limit_is_one_event),
        cmocka_unit_test(rows_have_mean_torques),
        cmocka_unit_test(differences_are_filtered),
        cmocka_unit_test(a_run_that_is_too_fast_is_unstable),
        cmocka_unit_test(braking_is_a_polynomial),
        cmocka_unit_test(springs_are_heard_at_their_ticks),
        cmocka_unit_test(bad_loops_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
