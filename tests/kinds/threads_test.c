/* SPDX-License-Identifier: MIT
 *
 * threads_test.c - threads that share one model, with data of their own each, and threads that share the settings too, get the
 * bits that one thread gets alone: every row of the table, one state at a time and in batches. */
#include "kinds/settings.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 40, POOL = 32, WAYS = 3 };

/* states and the answers of one thread alone */
typedef struct {
    const subject *subject;
    arne_settings *settings;
    motion state[POOL];
    size_t room;    /* numbers of the largest result */
    double *answer; /* by state, row and way */
} pool;

static double *answer_at(const pool *p, int state, int row, int way)
{
    return p->answer + (((size_t)state * (size_t)arne_quantities() + (size_t)row) * WAYS + (size_t)way) * p->room;
}

/* a row in one way; false: it failed */
static bool call(arne_data *d, const pool *p, int state, int row, int way, double *out)
{
    const motion *m = &p->state[state];
    const arne_quantity_options o = {.size = sizeof o, .link = p->subject->nlink - 1, .frame = ARNE_WORLD};
    const arne_state x = {m->q, m->qd, m->qdd, m->qdd, m->qd};
    float f[3][MOST_DOF];
    for (int i = 0; i < p->subject->n; i++) f[0][i] = (float)m->q[i], f[1][i] = (float)m->qd[i], f[2][i] = (float)m->qdd[i];
    const arne_state32 x32 = {f[0], f[1], f[2], f[2], f[1]};
    switch (way) {
    case 0: return arne_compute(d, row, &o, &x, out) == ARNE_OK;
    case 1: return arne_batch(d, row, &o, 1, &x, out) == ARNE_OK;
    default: return arne_batch32(d, row, &o, 1, &x32, (float *)out) == ARNE_OK;
    }
}

typedef struct {
    const pool *pool;
    arne_data *data;
    double *out;
    pthread_barrier_t *start;
    int first, wrong;
} task;

/* all threads in the same row, each in another state */
static void *run(void *given)
{
    task *k = given;
    const pool *p = k->pool;
    pthread_barrier_wait(k->start);
    for (int i = 0; i < ROUNDS * POOL * WAYS; i++)
        for (int row = 0; row < arne_quantities(); row++) {
            const int state = (k->first + i) % POOL, way = i / POOL % WAYS;
            const size_t bytes = (size_t)arne_quantity_size(row, p->subject->m) * (way == 2 ? sizeof(float) : sizeof(double));
            k->wrong += !call(k->data, p, state, row, way, k->out);
            k->wrong += memcmp(k->out, answer_at(p, state, row, way), bytes) != 0;
        }
    return NULL;
}

static void race(const pool *p, bool shared)
{
    pthread_t threads[THREADS];
    task tasks[THREADS];
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int k = 0; k < THREADS; k++) {
        arne_data *d = shared ? test_data_on(p->settings) : test_data(p->subject->m);
        if (!shared) assert_int_equal(arne_settings_copy(arne_data_settings(d), p->settings), ARNE_OK);
        tasks[k] = (task){p, d, malloc(p->room * sizeof(double)), &start, 7 * k, 0};
        assert_non_null(tasks[k].out);
    }
    for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_create(&threads[k], NULL, run, &tasks[k]), 0);
    for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_join(threads[k], NULL), 0);
    pthread_barrier_destroy(&start);
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(tasks[k].wrong, 0);
        arne_data_free(tasks[k].data);
        free(tasks[k].out);
    }
}

static void check_robot(subject *s)
{
    pool *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->subject = s;
    for (int row = 0; row < arne_quantities(); row++) {
        const size_t size = (size_t)arne_quantity_size(row, s->m);
        if (size > p->room) p->room = size;
    }
    p->answer = calloc(POOL * (size_t)arne_quantities() * WAYS * p->room, sizeof *p->answer);
    assert_non_null(p->answer);
    assert_int_equal(arne_settings_new(s->m, &p->settings, NULL), ARNE_OK);
    set_settings(s, p->settings, 2);
    arne_data *alone = test_data_on(p->settings);
    for (int k = 0; k < POOL; k++) {
        p->state[k] = subject_motion(s, k % STATES);
        for (int row = 0; row < arne_quantities(); row++)
            for (int way = 0; way < WAYS; way++) assert_true(call(alone, p, k, row, way, answer_at(p, k, row, way)));
    }
    arne_data_free(alone);
    race(p, false);
    race(p, true);
    arne_settings_free(p->settings);
    free(p->answer);
    free(p);
}

static void a_shipped_robot_is_shared(void **state)
{
    (void)state;
    subject s = subject_number(0, 0); /* coupled motors: the longest way */
    check_robot(&s);
    subject_close(&s);
}

static void a_tree_with_friction_is_shared(void **state)
{
    (void)state;
    subject s = subject_number(shipped_robots() + FAMILY_BRANCHED, parts_of(1));
    check_robot(&s);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shipped_robot_is_shared),
        cmocka_unit_test(a_tree_with_friction_is_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
