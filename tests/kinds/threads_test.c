/* SPDX-License-Identifier: MIT
 *
 * threads_test.c - four threads share one model, each with data of its own, and get the bits that one thread gets alone. */
#include "kinds/settings.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, CALLS = 20000, POOL = 64, WHATS = 8, ROOM = MOST_DOF * MOST_DOF };

/* states and the answers of one thread alone */
typedef struct {
    const arne_model *model;
    int n;
    motion state[POOL];
    arne_wrench wrench[SETTING_WRENCHES];
    double answer[POOL][WHATS][ROOM];
} pool;

typedef struct {
    arne_data *data;
    arne_batch *batch;
    arne_jets *jets;
} tools;

static int open_tools(const pool *p, tools *t)
{
    t->data = arne_data_new(p->model);
    t->batch = arne_batch_new(p->model);
    t->jets = arne_jets_new(p->model);
    if (!t->data || !t->batch || !t->jets) return 0;
    arne_set_wrenches(t->data, p->wrench, SETTING_WRENCHES);
    return 1;
}

static void close_tools(tools *t)
{
    arne_data_free(t->data);
    arne_batch_free(t->batch);
    arne_jets_free(t->jets);
}

/* call `what` in state x; the numbers written */
static int call(tools *t, int n, const motion *x, int what, double *out)
{
    switch (what) {
    case 0: arne_id(t->data, x->q, x->qd, x->qdd, out); return n;
    case 1: arne_fd(t->data, x->q, x->qd, x->qdd, out); return n;
    case 2: arne_mass(t->data, x->q, out); return n * n;
    case 3: arne_batch_id(t->batch, t->data, 1, x->q, x->qd, x->qdd, out); return n;
    case 4: arne_id_derivatives(t->jets, t->data, x->q, x->qd, x->qdd, out, NULL, NULL); return n * n;
    case 5: arne_energy(t->data, x->q, x->qd, out, out + 1); return 2;
    case 6: arne_link_jacobian(t->data, x->q, arne_model_links(arne_data_model(t->data)) - 1, ARNE_WORLD, out); return 6 * n;
    default: arne_fd_crba(t->data, x->q, x->qd, x->qdd, out); return n;
    }
}

typedef struct {
    const pool *pool;
    pthread_barrier_t *start;
    int first, wrong;
} task;

static void *run(void *given)
{
    task *k = given;
    const pool *p = k->pool;
    tools t;
    double *out = malloc(ROOM * sizeof *out);
    const int ready = out && open_tools(p, &t);
    pthread_barrier_wait(k->start);
    if (!ready) {
        free(out);
        k->wrong = CALLS;
        return NULL;
    }
    /* all threads in the same function, each in another state */
    for (int i = 0; i < CALLS; i++) {
        const int at = (k->first + i) % POOL, what = i / 500 % WHATS;
        const int count = call(&t, p->n, &p->state[at], what, out);
        k->wrong += memcmp(out, p->answer[at][what], (size_t)count * sizeof *out) != 0;
    }
    close_tools(&t);
    free(out);
    return NULL;
}

static void check_robot(subject *s)
{
    pool *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->model = s->m;
    p->n = s->n;
    set_up(s, 2, p->wrench);
    tools alone;
    assert_true(open_tools(p, &alone));
    for (int k = 0; k < POOL; k++) {
        p->state[k] = subject_motion(s, k % STATES);
        for (int what = 0; what < WHATS; what++) call(&alone, p->n, &p->state[k], what, p->answer[k][what]);
    }
    close_tools(&alone);
    pthread_t threads[THREADS];
    task tasks[THREADS];
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int k = 0; k < THREADS; k++) {
        tasks[k] = (task){p, &start, 7 * k, 0};
        assert_int_equal(pthread_create(&threads[k], NULL, run, &tasks[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_join(threads[k], NULL), 0);
    pthread_barrier_destroy(&start);
    for (int k = 0; k < THREADS; k++) assert_int_equal(tasks[k].wrong, 0);
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
