/* SPDX-License-Identifier: MIT
 *
 * sweep_test.c - a row of a sweep says what its run shows that runs by itself; a file that is read in small pieces is the same.
 */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "arne/report.h"
#include "support/tempfile.h"
#include "sweep/run.h"

/* the linker puts it in the place of pread (tests/CMakeLists.txt) */
ssize_t __real_pread(int file, void *to, size_t size, off_t at);
ssize_t __wrap_pread(int file, void *to, size_t size, off_t at);
static size_t most = SIZE_MAX; /* bytes at a time */
ssize_t __wrap_pread(int file, void *to, size_t size, off_t at) { return __real_pread(file, to, size < most ? size : most, at); }

static arne_variation *variation_of(temp_folder *t, const char *text)
{
    static const arne_robot_place place = {"planar2r", ARNE_ROBOTS "/planar2r.yaml"};
    static const arne_scenario_options options = {sizeof options, &place, 1, NULL, 0, NULL};
    arne_variation *v;
    arne_error error;
    if (arne_variation_read(temp_write(t, "run.yaml", text), 1, &options, &v, &error)) fail_msg("%s", error.message);
    return v;
}

/* three masses, by `how` */
static arne_variation *variation(temp_folder *t, const char *how)
{
    char text[1000];
    snprintf(text, sizeof text,
             "robot: planar2r\n"
             "start: {q: [0.3, -0.2]}\n"
             "duration: 0.1\n"
             "motion: {points: {degree: 5, times: [0, 0.1], q: [[0.3, -0.2], [0.4, 0.1]]}}\n"
             "controller: {kind: pd-gravity, period: 0.002}\n"
             "integrator: {method: rk4, step: 0.002}\n"
             "vary: {mass: {%s: [1, 1.5, -1]}}\n",
             how);
    return variation_of(t, text);
}

enum { JOINTS = 2, GOOD = 2, RUNS = 3 };
typedef struct {
    double torque[JOINTS], speed[JOINTS];
} largest;

static int see(void *context, const arne_row *r)
{
    largest *l = context;
    for (int i = 0; i < JOINTS; i++) {
        l->torque[i] = fmax(l->torque[i], fabs(r->tau[i]));
        l->speed[i] = fmax(l->speed[i], fabs(r->qd[i]));
    }
    return 0;
}

static void a_row_is_its_run(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    arne_variation *v = variation(&t, "grid");
    const row_shape shape = arne__row_shape(1, JOINTS);
    sweep_row *row = malloc(row_bytes(&shape));
    assert_non_null(row);
    for (long k = 0; k < GOOD; k++) {
        arne_scenario *s;
        arne_result r;
        largest l = {0};
        bool stopped = true;
        assert_int_equal(arne_variation_scenario(v, k, &s, NULL), ARNE_OK);
        s->loop.row = see;
        s->loop.context = &l;
        assert_int_equal(arne_loop_run(&s->loop, &r, NULL), ARNE_OK);
        assert_int_equal(arne__sweep_one(v, &shape, k, NULL, &stopped, row, NULL), ARNE_OK);
        assert_true(!stopped && row->run == k && row->state == ARNE_SWEEP_FINISHED);
        const double *at[] = {&r.t, r.max_error, l.torque, l.speed};
        for (int i = 0; i < 4; i++)
            assert_memory_equal(row->number + shape.at[AT_t + i], at[i], (i ? JOINTS : 1) * sizeof(double));
        assert_true(l.torque[0] != l.torque[1] && r.max_error[0] > 0);
        assert_true(row->number[shape.at[AT_contacts]] == 0 && row->number[shape.at[AT_false_alarms]] == 0); /* nobody watches */
        assert_true(row->number[shape.at[AT_verdict]] == 1); /* fair: half of the time a motor is at its limit */
        arne_result_free(&r);
        arne_scenario_free(s);
    }
    bool stopped = true; /* a mass that cannot be */
    assert_int_equal(arne__sweep_one(v, &shape, GOOD, NULL, &stopped, row, NULL), ARNE_OK);
    assert_true(!stopped && row->state == ARNE_SWEEP_FAILED);
    free(row);
    arne_variation_free(v);
    temp_close(&t);
}

/* ---- what was noticed ---- */

static const char PUSHES[] = "title: two pushes\n"
                             "robot: planar2r\n"
                             "start: {q: [-1.4, -0.2]}\n"
                             "duration: 0.6\n"
                             "motion: {polynomial: {time: [0, 0.6], to: [-1.3, 0]}}\n"
                             "controller: {kind: pd-gravity, period: 0.002}\n"
                             "sensors: {noise: 1e-6, velocity_noise: 1e-4}\n"
                             "observer: {gain: 50, threshold: [3, 2]}\n"
                             "disturbances:\n"
                             "  - wrench: {link: j2, force: [20, 0, 0], from: 0.2, to: 0.24}\n"
                             "  - wrench: {link: j2, force: [20, 0, 0], from: 0.4, to: 0.44}\n"
                             "integrator: {method: rk4, step: 0.002}\n"
                             "vary:\n"
                             "  observer.threshold.1: {grid: [3, 1e-4]}\n"
                             "  push: {list: [1]}\n";

/* the truth of the joints, beside what sensors tell */
typedef struct {
    largest real;
    arne_report_watch *watch;
} truth;

static int see_truth(void *context, const arne_row *r)
{
    truth *x = context;
    const arne_row real = {.tau = r->tau, .qd = r->real_qd};
    see(&x->real, &real);
    arne_report_watch_row(x->watch, r->t, r->real_q, r->real_qd, r->tau);
    return 0;
}

static void a_row_tells_what_was_noticed(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    arne_variation *v = variation_of(&t, PUSHES);
    const row_shape shape = arne__row_shape(2, JOINTS);
    sweep_row *row = malloc(row_bytes(&shape));
    double fast[2];
    assert_non_null(row);
    for (long k = 0; k < 2; k++) {
        arne_scenario *s;
        arne_result r;
        truth x = {0};
        arne_about about;
        arne_about_event *events;
        const char *verdict;
        char *words;
        bool stopped = true;
        const arne_record_end none = {0};
        assert_int_equal(arne_variation_scenario(v, k, &s, NULL), ARNE_OK);
        assert_int_equal(arne_report_watch_new(s->model, &x.watch, NULL), ARNE_OK);
        s->loop.row = see_truth;
        s->loop.context = &x;
        assert_int_equal(arne_loop_run(&s->loop, &r, NULL), ARNE_OK);
        assert_int_equal(arne_record_about(s, &r, &none, &about, &events, NULL), ARNE_OK);
        assert_int_equal(arne_report_watch_end(x.watch, &about, &verdict, &words, NULL), ARNE_OK);
        assert_int_equal(arne__sweep_one(v, &shape, k, NULL, &stopped, row, NULL), ARNE_OK);
        assert_true(!stopped && row->run == k && row->state == ARNE_SWEEP_FINISHED && !row->message[0]);
        const double *number = row->number;
        assert_memory_equal(number + shape.at[AT_torque], x.real.torque, sizeof x.real.torque);
        assert_memory_equal(number + shape.at[AT_speed], x.real.speed, sizeof x.real.speed);
        int contacts = 0;
        double first = NAN;
        for (int i = 0; i < r.nevent; i++)
            if (!strcmp(r.events[i].kind, "contact") && contacts++ == 0) first = r.events[i].t;
        assert_true(contacts == (k ? 1 : 2)); /* a threshold below the noise is one contact without end */
        assert_true(number[shape.at[AT_contacts]] == contacts);
        assert_true(number[shape.at[AT_false_alarms]] == (double)k);
        if (k == 0) assert_true(fabs(number[shape.at[AT_delay]] - (first - 0.2)) < 1e-12 && first > 0.2 && first < 0.23);
        assert_true(number[shape.at[AT_verdict]] == (!strcmp(verdict, "good") ? 2 : !strcmp(verdict, "fair") ? 1 : 0));
        assert_string_equal(verdict, k ? "bad" : "good");
        assert_true(number[shape.at[AT_draw]] == (k ? 1e-4 : 3) && number[shape.at[AT_draw] + 1] == 1);
        fast[k] = number[shape.at[AT_speed]];
        free(words);
        free(events);
        arne_report_watch_free(x.watch);
        arne_result_free(&r);
        arne_scenario_free(s);
    }
    assert_true(fast[0] > 0.1);
    /* told to stop: nothing to be kept */
    volatile sig_atomic_t stop = 1;
    bool stopped = false;
    assert_int_equal(arne__sweep_one(v, &shape, 0, &stop, &stopped, row, NULL), ARNE_OK);
    assert_true(stopped);
    free(row);
    arne_variation_free(v);
    temp_close(&t);
}

/* Thresholds that are to be learned are learned in every run: without them nothing would be noticed. */
static void a_row_learns_its_thresholds(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    arne_variation *v = variation_of(&t, "robot: planar2r\nstart: {q: [-1.4, -0.2]}\nduration: 0.6\n"
                                         "motion: {polynomial: {time: [0, 0.6], to: [-1.3, 0]}}\n"
                                         "controller: {kind: pd-gravity, period: 0.002}\n"
                                         "sensors: {noise: 1e-6, velocity_noise: 1e-4}\n"
                                         "observer: {gain: 50, learn: 0.1}\n"
                                         "disturbances:\n  - wrench: {link: j2, force: [20, 0, 0], from: 0.2, to: 0.24}\n"
                                         "integrator: {method: rk4, step: 0.002}\nvary: {push: {grid: [1, 0]}}\n");
    const row_shape shape = arne__row_shape(1, JOINTS);
    sweep_row *row = malloc(row_bytes(&shape));
    assert_non_null(row);
    for (long k = 0; k < 2; k++) { /* with the push and without it */
        bool stopped;
        assert_int_equal(arne__sweep_one(v, &shape, k, NULL, &stopped, row, NULL), ARNE_OK);
        assert_true(row->state == ARNE_SWEEP_FINISHED && row->number[shape.at[AT_contacts]] == (double)(1 - k));
        assert_true(row->number[shape.at[AT_false_alarms]] == 0);
    }
    free(row);
    arne_variation_free(v);
    temp_close(&t);
}

/* A run that fails on its way says when and why. */
static void a_run_that_fails_has_its_message(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    arne_variation *v = variation_of(&t, "robot: planar2r\nstart: {q: [0.3, -0.2], qd: [0.1, 0]}\nduration: 2\n"
                                         "controller: {kind: pd-gravity, period: 0.01, kp: 1e6, kd: 1e-3}\n"
                                         "limits: {torque: false, stops: false, friction: false}\n"
                                         "integrator: {method: rk4, step: 0.01}\n"
                                         "vary: {controller.kp: {grid: [1e6, 2e6]}}\n");
    const row_shape shape = arne__row_shape(1, JOINTS);
    sweep_row *row = malloc(row_bytes(&shape));
    assert_non_null(row);
    arne_scenario *s;
    arne_result r;
    bool stopped = true;
    assert_int_equal(arne_variation_scenario(v, 1, &s, NULL), ARNE_OK);
    assert_int_equal(arne_loop_run(&s->loop, &r, NULL), ARNE_OK);
    assert_int_equal(r.end, ARNE_RUN_FAILED);
    assert_int_equal(arne__sweep_one(v, &shape, 1, NULL, &stopped, row, NULL), ARNE_OK);
    assert_true(!stopped && row->run == 1 && row->state == ARNE_SWEEP_FAILED);
    assert_true(row->number[shape.at[AT_t]] == r.t && r.t < 2 && row->number[shape.at[AT_verdict]] == 0);
    assert_true(strlen(r.message) > 20 && !strncmp(row->message, r.message, 119));
    arne_result_free(&r);
    arne_scenario_free(s);
    free(row);
    arne_variation_free(v);
    temp_close(&t);
}

/* What stands in the file beside the tables; two points of a grid are enough for a sweep, one is not; how many runs it has. */
static void a_file_says_what_it_is(void **state)
{
    (void)state;
    const void *hdf5;
    if (arne__module("hdf5", &hdf5, NULL)) skip();
    temp_folder t = temp_open();
    arne_variation *v = variation_of(&t, PUSHES);
    const char *path = temp_write(&t, "sweep.h5", "");
    char place[300];
    snprintf(place, sizeof place, "%s", path);
    unlink(place);
    volatile sig_atomic_t stop = 1;
    arne_sweep_options o = {.size = sizeof o, .stop = &stop};
    arne_sweep *s;
    arne_error e;
    long done;
    assert_int_equal(arne_sweep_run(v, UINT64_MAX, place, &o, &done, NULL), ARNE_OK);
    assert_int_equal(arne_sweep_read(place, &s, NULL), ARNE_OK);
    assert_true(s->runs == 2 && s->ndrawn == 2 && s->njoint == 2 && s->seed == UINT64_MAX);
    assert_string_equal(s->title, "two pushes");
    assert_string_equal(s->scenario, PUSHES);
    assert_string_equal(s->drawn[0], "observer.threshold.1");
    assert_string_equal(s->drawn[1], "push");
    arne_sweep_free(s);
    o.runs = 3;
    assert_int_equal(arne_sweep_run(v, UINT64_MAX, place, &o, &done, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "has 2 runs, not 3; give --runs 2, or another --out");
    assert_string_equal(e.file, place);
    o.runs = 2;
    assert_int_equal(arne_sweep_run(v, 5, place, &o, &done, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "is of another sweep: it has another seed; give another --out, or remove it to begin anew");
    arne_variation_free(v);
    v = variation_of(&t, "robot: planar2r\nstart: {q: 0}\nduration: 1\nvary: {mass: {grid: [1]}}\n");
    o.runs = 0;
    assert_int_equal(arne_sweep_run(v, 1, place, &o, &done, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "how many runs? There is no grid that says it");
    o.runs = 2;
    assert_int_equal(arne_sweep_run(v, 1, "/nowhere/at/all.h5", &o, &done, &e), ARNE_CANNOT_WRITE);
    assert_string_equal(e.message, "No such file or directory");
    o.threads = 1025;
    assert_int_equal(arne_sweep_run(v, 1, place, &o, &done, &e), ARNE_BAD_ARGUMENT);
    assert_string_equal(e.message, "a sweep needs what varies, a path, options that tell their size, at most 1024 threads");
    arne_variation_free(v);
    temp_close(&t);
}

static void pieces_are_put_together(void **state)
{
    (void)state;
    const void *hdf5;
    if (arne__module("hdf5", &hdf5, NULL)) skip();
    temp_folder t = temp_open();
    arne_variation *v = variation(&t, "grid");
    const char *path = temp_write(&t, "sweep.h5", "");
    const arne_sweep_options o = {.size = sizeof o};
    arne_sweep *whole, *s;
    long done;
    arne_error e;
    unlink(path);
    arne_variation *no_grid = variation(&t, "list");
    done = 7;
    assert_int_equal(arne_sweep_run(no_grid, 1, path, &o, &done, &e), ARNE_BAD_VALUE);
    assert_true(!done && strstr(e.message, "how many runs"));
    arne_variation_free(no_grid);
    if (arne_sweep_run(v, 1, path, &o, &done, &e) || arne_sweep_read(path, &whole, &e)) fail_msg("%s", e.message);
    assert_true(done == RUNS && whole->runs == RUNS && whole->njoint == JOINTS);
    for (most = 1; most < 12; most += 3) {
        if (arne_sweep_read(path, &s, &e)) fail_msg("%s", e.message);
#define SAME(name, n, what) assert_memory_equal(s->name, whole->name, (n)*RUNS * sizeof *s->name);
        const size_t n = JOINTS, d = 1;
        ARNE_SWEEP_TABLES(SAME)
        SAME(state, 1, )
        SAME(message, 1, )
        arne_sweep_free(s);
    }
    most = SIZE_MAX;
    for (int k = 0; k < RUNS; k++) assert_int_equal(whole->state[k], k < GOOD ? ARNE_SWEEP_FINISHED : ARNE_SWEEP_FAILED);
    arne_sweep_free(whole);
    arne_variation_free(v);
    temp_close(&t);
}

static void count(void *context, long done, long all)
{
    long *last = context;
    assert_true(done == *last + 1 && all == RUNS);
    *last = done;
}

/* Stopped at once nothing was run; then all of it is, then nothing is left. */
static void a_sweep_goes_on(void **state)
{
    (void)state;
    const void *hdf5;
    if (arne__module("hdf5", &hdf5, NULL)) skip();
    temp_folder t = temp_open();
    arne_variation *v = variation(&t, "grid");
    const char *path = temp_write(&t, "sweep.h5", "");
    arne_sweep *s = NULL;
    volatile sig_atomic_t stop = 1;
    long done = 7, last = 0;
    arne_sweep_options o = {.size = sizeof o, .stop = &stop, .progress = count, .context = &last};
    unlink(path);
    assert_int_equal(arne_sweep_run(v, 11, path, &o, &done, NULL), ARNE_OK);
    assert_true(done == 0 && last == 0);
    assert_int_equal(arne_sweep_read(path, &s, NULL), ARNE_OK);
    assert_true(s->runs == RUNS && s->seed == 11 && s->njoint == JOINTS && s->ndrawn == 1);
    assert_string_equal(s->robot, "planar2r");
    assert_string_equal(s->drawn[0], "mass");
    assert_string_equal(s->joints[0], "j1");
    assert_string_equal(s->joints[1], "j2");
    assert_true(strstr(s->scenario, "duration: 0.1") && strstr(s->path, "run.yaml") && !s->title[0]);
    for (int k = 0; k < RUNS; k++) {
        assert_true(s->state[k] == ARNE_SWEEP_WAITS && !s->message[k][0] && isnan(s->draw[k]) && isnan(s->t[k]));
        for (int i = 0; i < JOINTS; i++) assert_true(isnan(s->error[k * JOINTS + i]) && isnan(s->speed[k * JOINTS + i]));
    }
    arne_sweep_free(s);
    stop = 0;
    o.threads = 2;
    assert_int_equal(arne_sweep_run(v, 11, path, &o, &done, NULL), ARNE_OK);
    assert_true(done == RUNS && last == RUNS);
    assert_int_equal(arne_sweep_run(v, 11, path, &o, &done, NULL), ARNE_OK);
    assert_true(done == RUNS && last == RUNS);
    assert_int_equal(arne_sweep_read(path, &s, NULL), ARNE_OK);
    static const double mass[] = {1, 1.5, -1};
    for (int k = 0; k < RUNS; k++) {
        assert_true(s->draw[k] == mass[k] && s->state[k] == (k < GOOD ? ARNE_SWEEP_FINISHED : ARNE_SWEEP_FAILED));
        assert_true(k < GOOD ? !s->message[k][0] : strstr(s->message[k], "mass") != NULL);
        assert_true(k < GOOD ? s->t[k] == 0.1 : isnan(s->t[k]));
    }
    arne_sweep_free(s);
    arne_variation_free(v);
    temp_close(&t);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    arne_variation *v = variation(&t, "list");
    arne_sweep *s = (arne_sweep *)(void *)v; /* whatever stood there */
    long done = 7;
    arne_error e;
    const arne_sweep_options good = {.size = sizeof good, .runs = 1}, sizeless = {.runs = 1},
                             bad[] = {{.size = sizeof good, .runs = -1},
                                      {.size = sizeof good, .runs = 1, .threads = -1},
                                      {.size = sizeof good, .runs = 1, .threads = 1025}};
    assert_int_equal(arne_sweep_run(NULL, 1, "s.h5", &good, &done, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_sweep_run(v, 1, NULL, &good, &done, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_sweep_run(v, 1, "s.h5", &good, NULL, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_sweep_run(v, 1, "s.h5", &sizeless, &done, &e), ARNE_BAD_ARGUMENT);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(arne_sweep_run(v, 1, "s.h5", &bad[k], &done, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_sweep_read("/nowhere/at/all.h5", NULL, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_sweep_read(NULL, &s, &e), ARNE_BAD_ARGUMENT);
    assert_null(s);
    assert_int_equal(arne_sweep_read("/nowhere/at/all.h5", &s, &e), ARNE_NO_FILE);
    assert_null(s);
    arne_sweep_free(NULL);
    arne_variation_free(v);
    temp_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_its_run),
        cmocka_unit_test(a_row_tells_what_was_noticed),
        cmocka_unit_test(a_row_learns_its_thresholds),
        cmocka_unit_test(a_run_that_fails_has_its_message),
        cmocka_unit_test(a_file_says_what_it_is),
        cmocka_unit_test(pieces_are_put_together),
        cmocka_unit_test(a_sweep_goes_on),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
