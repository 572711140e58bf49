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

#include "support/tempfile.h"
#include "sweep/run.h"

/* the linker puts it in the place of pread (tests/CMakeLists.txt) */
ssize_t __real_pread(int file, void *to, size_t size, off_t at);
ssize_t __wrap_pread(int file, void *to, size_t size, off_t at);
static size_t most = SIZE_MAX; /* bytes at a time */
ssize_t __wrap_pread(int file, void *to, size_t size, off_t at) { return __real_pread(file, to, size < most ? size : most, at); }

/* three masses, by `how` */
static arne_variation *variation(temp_folder *t, const char *how)
{
    static const arne_robot_place place = {"planar2r", ARNE_ROBOTS "/planar2r.yaml"};
    static const arne_scenario_options options = {sizeof options, &place, 1, NULL, 0, NULL};
    arne_variation *v;
    arne_error error;
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
    if (arne_variation_read(temp_write(t, "run.yaml", text), 1, &options, &v, &error)) fail_msg("%s", error.message);
    return v;
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
        cmocka_unit_test(pieces_are_put_together),
        cmocka_unit_test(a_sweep_goes_on),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
