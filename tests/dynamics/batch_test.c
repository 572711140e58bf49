/* SPDX-License-Identifier: MIT
 *
 * batch_test.c - a batch gives the same bits with its numbers in any order, split among threads, whichever runs first; every row
 * of the table, in doubles and floats. What cannot be is refused before anything is written. */
#include "kinds/settings.h"

#include <pthread.h>
#include <stdlib.h>

#include "arne/openmp.h"

enum { COUNT = 53, N = MOST_DOF, THREADS = 4, VECTORS = 5, ROBOTS = FEWER(12) };
static const double UNTOUCHED = 1234.5;

/* numbers of states in an order of choice, with room between them */
typedef struct {
    double *x;
    float *x32;
    size_t room;
    arne_stride by;
} numbers;

typedef struct {
    subject *s;
    arne_data *others[THREADS - 1];
    double plain[VECTORS][COUNT * N]; /* numbers that are floats */
    float plain32[VECTORS][COUNT * N];
    numbers in[VECTORS], out;
    double should[COUNT * MOST_RESULTS];
    float should32[COUNT * MOST_RESULTS];
} desk;

static numbers room_for(arne_stride by, int width)
{
    const size_t room = (COUNT - 1) * by.state + (size_t)(width - 1) * by.number + 1;
    numbers a = {malloc(room * sizeof(double)), malloc(room * sizeof(float)), room, by};
    if (!a.x || !a.x32) abort();
    for (size_t i = 0; i < room; i++) a.x[i] = UNTOUCHED, a.x32[i] = (float)UNTOUCHED;
    return a;
}
static void drop(numbers *a) { free(a->x), free(a->x32); }

/* 0: state after state, with a gap; 1: joint after joint; 2: the same among more states; 3: every other number */
enum { ORDERS = 4 };
static arne_stride order(int which, int width)
{
    const size_t w = (size_t)width;
    const arne_stride by[ORDERS] = {{w + 3, 1}, {1, COUNT}, {1, COUNT + 11}, {2 * w + 1, 2}};
    return by[which];
}

static void draw(desk *k, subject *s)
{
    const int n = s->n;
    k->s = s;
    for (int c = 0; c < COUNT; c++) {
        const motion x = subject_motion(s, c % STATES);
        for (int i = 0; i < s->nq; i++) k->plain[0][c * s->nq + i] = (float)x.q[i];
        for (int i = 0; i < n; i++) {
            k->plain[1][c * n + i] = (float)x.qd[i], k->plain[2][c * n + i] = (float)x.qdd[i];
            k->plain[3][c * n + i] = (float)x.qdd[n - 1 - i], k->plain[4][c * n + i] = (float)x.qd[n - 1 - i];
        }
    }
    for (int g = 0; g < VECTORS; g++)
        for (int i = 0; i < COUNT * N; i++) k->plain32[g][i] = (float)k->plain[g][i];
}

/* the same states in an order */
static void arrange(desk *k, int which)
{
    for (int g = 0; g < VECTORS; g++) {
        const int width = g ? k->s->n : k->s->nq;
        k->in[g] = room_for(order(which, width), width);
        for (int i = 0; i < COUNT * width; i++) {
            const size_t at = (size_t)(i / width) * k->in[g].by.state + (size_t)(i % width) * k->in[g].by.number;
            k->in[g].x[at] = k->plain[g][i], k->in[g].x32[at] = k->plain32[g][i];
        }
    }
}

/* ---- ways to run parts ---- */

static void backwards(int parts, void (*part)(void *context, int k), void *context)
{
    for (int k = parts - 1; k >= 0; k--) part(context, k);
}

typedef struct {
    void (*part)(void *context, int k);
    void *context;
    int k;
} errand;
static void *do_errand(void *given)
{
    const errand *e = given;
    e->part(e->context, e->k);
    return NULL;
}
static void in_threads(int parts, void (*part)(void *context, int k), void *context)
{
    pthread_t thread[THREADS];
    errand e[THREADS];
    for (int k = 0; k < parts; k++) {
        e[k] = (errand){part, context, k};
        if (pthread_create(&thread[k], NULL, do_errand, &e[k])) abort();
    }
    for (int k = 0; k < parts; k++) pthread_join(thread[k], NULL);
}

static void check(desk *k, int row, const arne_quantity_options *o, int threads, arne_parts_fn *run)
{
    const char *name = arne_quantity_at(row)->name;
    const int size = arne_quantity_size(row, k->s->m);
    numbers *y = &k->out;
    const arne_batch_options how = {sizeof how, k->in[0].by, k->in[1].by, y->by, threads, k->others, run};
    const arne_state x = {k->in[0].x, k->in[1].x, k->in[2].x, k->in[3].x, k->in[4].x};
    const arne_state32 x32 = {k->in[0].x32, k->in[1].x32, k->in[2].x32, k->in[3].x32, k->in[4].x32};
    assert_int_equal(arne_batch_with(k->s->data, row, o, &how, COUNT, &x, y->x), ARNE_OK);
    assert_int_equal(arne_batch32_with(k->s->data, row, o, &how, COUNT, &x32, y->x32), ARNE_OK);
    size_t seen = 0;
    for (size_t c = 0; c < COUNT; c++)
        for (size_t i = 0; i < (size_t)size; i++, seen++) {
            const size_t at = c * y->by.state + i * y->by.number;
            expect_bits(k->s, name, 1, y->x + at, k->should + seen);
            expect_bits32(k->s, name, 1, y->x32 + at, k->should32 + seen);
            y->x[at] = UNTOUCHED, y->x32[at] = (float)UNTOUCHED;
        }
    for (size_t i = 0; i < y->room; i++) assert_true(y->x[i] == UNTOUCHED && y->x32[i] == (float)UNTOUCHED);
}

static void check_row(void *desk_, int row, const arne_quantity_options *o)
{
    desk *k = desk_;
    if ((o->link && o->link < k->s->nlink - 1) || row % 3 != k->s->n % 3) return; /* a third of them suffices for each robot */
    const arne_state x = {k->plain[0], k->plain[1], k->plain[2], k->plain[3], k->plain[4]};
    const arne_state32 x32 = {k->plain32[0], k->plain32[1], k->plain32[2], k->plain32[3], k->plain32[4]};
    assert_int_equal(arne_batch(k->s->data, row, o, COUNT, &x, k->should), ARNE_OK);
    assert_int_equal(arne_batch32(k->s->data, row, o, COUNT, &x32, k->should32), ARNE_OK);
    arne_parts_fn *const run[] = {NULL, backwards, in_threads, arne_openmp};
    for (int which = 0; which < ORDERS; which++) {
        const int size = arne_quantity_size(row, k->s->m);
        arrange(k, which);
        k->out = room_for(order((which + row) % ORDERS, size), size);
        check(k, row, o, 1 + (which + row) % THREADS, run[(which + row / 3) % 4]);
        drop(&k->out);
        for (int g = 0; g < VECTORS; g++) drop(&k->in[g]);
    }
}

static void any_order_and_threads_give_the_same_bits(void **state)
{
    desk *k = *state;
    for (int number = 0; number < ROBOTS; number++) {
        subject s = subject_number(shipped_robots() + number, parts_of(number));
        set_up(&s, number % SETTINGS);
        for (int t = 0; t < THREADS - 1; t++) k->others[t] = test_data_on(s.settings);
        draw(k, &s);
        every_row(&s, arne_quantities(), check_row, k);
        for (int t = 0; t < THREADS - 1; t++) arne_data_free(k->others[t]);
        subject_close(&s);
    }
}

/* of all parts the last state that has no acceleration is told, and no other suffers */
static void failures_of_all_threads_are_told(void **state)
{
    desk *k = *state;
    subject s = subject_number(5, 0);
    const int fd = arne_quantity_find("fd"), n = s.n;
    for (int t = 0; t < THREADS - 1; t++) k->others[t] = test_data_on(s.settings);
    draw(k, &s);
    const arne_state x = {.q = k->plain[0], .qd = k->plain[1], .tau = k->plain[3]};
    assert_int_equal(arne_batch(s.data, fd, NULL, COUNT, &x, k->should), ARNE_OK);
    const int bad[] = {3, 20, 40};
    for (int b = 0; b < 3; b++) {
        k->plain[3][bad[b] * n + b % 2] = NAN;
        memset(k->should + bad[b] * n, 0, (size_t)n * sizeof(double));
        const arne_batch_options how = {.size = sizeof how, .threads = THREADS, .others = k->others, .run = in_threads};
        static double is[COUNT * N];
        assert_int_equal(arne_batch_with(s.data, fd, NULL, NULL, COUNT, &x, is), ARNE_NOT_FINITE);
        const int joint = arne_data_joint(s.data);
        assert_int_equal(arne_batch_with(s.data, fd, NULL, &how, COUNT, &x, is), ARNE_NOT_FINITE);
        assert_int_equal(arne_data_joint(s.data), joint);
        expect_bits(&s, "fd", COUNT * n, is, k->should);
    }
    for (int t = 0; t < THREADS - 1; t++) arne_data_free(k->others[t]);
    subject_close(&s);
}

/* More states than are looked at together: accelerations and their derivatives are those of one state after the other, in doubles
 * and floats, also beside some that have none; and nothing behind the last one is touched. */
static void many_states_are_those_of_one_by_one(void **state)
{
    (void)state;
    enum { MANY = 150, WIDEST = 3 * 16 };
    subject s = subject_number(shipped_robots() + FAMILY_SKEW, RANDOM_RIGID);
    const char *const names[] = {"fd", "dfd"};
    const int n = s.n, bad[] = {3, 64, 127, 149};
    static double x[3][MANY * 16], is[MANY * WIDEST * 16 + 1], one[WIDEST * 16];
    static float x32[3][MANY * 16], is32[MANY * WIDEST * 16 + 1], one32[WIDEST * 16];
    assert_true(n <= 16);
    for (int c = 0; c < MANY; c++) {
        const motion m = subject_motion(&s, 1);
        const double *const from[3] = {m.q, m.qd, m.qdd};
        for (int g = 0; g < 3; g++)
            for (int i = 0; i < n; i++) x[g][c * n + i] = x32[g][c * n + i] = (float)from[g][i];
    }
    for (int b = 0; b < 4; b++) x[2][bad[b] * n + b % n] = x32[2][bad[b] * n + b % n] = NAN;
    for (int what = 0; what < 2; what++) {
        const int row = arne_quantity_find(names[what]), size = arne_quantity_size(row, s.m);
        is[MANY * size] = UNTOUCHED, is32[MANY * size] = (float)UNTOUCHED;
        const arne_state all = {.q = x[0], .qd = x[1], .tau = x[2]};
        const arne_state32 all32 = {.q = x32[0], .qd = x32[1], .tau = x32[2]};
        assert_int_equal(arne_batch(s.data, row, NULL, MANY, &all, is), ARNE_NOT_FINITE);
        const int joint = arne_data_joint(s.data);
        assert_int_equal(arne_batch32(s.data, row, NULL, MANY, &all32, is32), ARNE_NOT_FINITE);
        assert_true(is[MANY * size] == UNTOUCHED && is32[MANY * size] == (float)UNTOUCHED);
        for (int c = 0; c < MANY; c++) {
            const arne_state at = {.q = x[0] + c * n, .qd = x[1] + c * n, .tau = x[2] + c * n};
            const arne_state32 at32 = {.q = x32[0] + c * n, .qd = x32[1] + c * n, .tau = x32[2] + c * n};
            const bool none = c == bad[0] || c == bad[1] || c == bad[2] || c == bad[3];
            assert_int_equal(arne_compute(s.data, row, NULL, &at, one), none ? ARNE_NOT_FINITE : ARNE_OK);
            assert_int_equal(arne_batch32(s.data, row, NULL, 1, &at32, one32), none ? ARNE_NOT_FINITE : ARNE_OK);
            if (none) assert_true(largest(size, one) == 0);
            if (c == MANY - 1) assert_int_equal(arne_data_joint(s.data), joint); /* of the last that has none */
            expect_bits(&s, names[what], size, is + c * size, one);
            expect_bits32(&s, names[what], size, is32 + c * size, one32);
        }
    }
    subject_close(&s);
}

/* Derivatives by positions and velocities: a number that is none, wherever it stands, is told as one state alone tells it; in
 * floats what is above 1e9 goes through doubles. The other states are what they were. */
static void derivatives_of_numbers_out_of_reach_are_those_of_one_state(void **state)
{
    desk *k = *state;
    subject s = subject_number(shipped_robots() + FAMILY_SKEW, RANDOM_RIGID);
    const char *const names[] = {"did", "d2id_times"};
    draw(k, &s);
    for (int what = 0; what < 2; what++) {
        const int row = arne_quantity_find(names[what]), size = arne_quantity_size(row, s.m), n = s.n;
        static double is[COUNT * MOST_RESULTS], one[MOST_RESULTS];
        static float is32[COUNT * MOST_RESULTS];
        const arne_state x = {k->plain[0], k->plain[1], k->plain[2], k->plain[3], k->plain[4]};
        const arne_state32 x32 = {k->plain32[0], k->plain32[1], k->plain32[2], k->plain32[3], k->plain32[4]};
        assert_int_equal(arne_batch(s.data, row, NULL, COUNT, &x, k->should), ARNE_OK);
        assert_int_equal(arne_batch32(s.data, row, NULL, COUNT, &x32, k->should32), ARNE_OK);
        for (int g = 0; g < VECTORS; g++)
            for (int i = 0; i < n && arne_quantity_at(row)->inputs & 1u << g; i++) {
                const int c = (11 * g + 5 * i + 40) % COUNT, at = c * n + i;
                const double kept = k->plain[g][at];
                const arne_state alone = {k->plain[0] + c * n, k->plain[1] + c * n, k->plain[2] + c * n, NULL,
                                          k->plain[4] + c * n};
                k->plain[g][at] = g % 2 ? NAN : INFINITY;
                const arne_status status = arne_compute(s.data, row, NULL, &alone, one);
                const int joint = arne_data_joint(s.data);
                assert_int_equal(arne_batch(s.data, row, NULL, COUNT, &x, is), status);
                assert_int_equal(arne_data_joint(s.data), joint);
                if (status) assert_int_equal(joint, i);
                for (int state_ = 0; state_ < COUNT; state_++)
                    expect_bits(&s, names[what], size, is + state_ * size, state_ == c ? one : k->should + state_ * size);
                k->plain[g][at] = k->plain32[g][at] = 1e12f;
                assert_int_equal(arne_compute(s.data, row, NULL, &alone, one), ARNE_OK);
                assert_int_equal(arne_batch32(s.data, row, NULL, COUNT, &x32, is32), ARNE_OK);
                for (int r = 0; r < COUNT * size; r++)
                    assert_true(is32[r] == (r / size == c ? (float)one[r % size] : k->should32[r]));
                k->plain[g][at] = kept, k->plain32[g][at] = (float)kept;
            }
    }
    subject_close(&s);
}

static void what_cannot_be_is_refused(void **state)
{
    desk *k = *state;
    subject s = subject_number(3, 0);
    const int gravity = arne_quantity_find("gravity"), n = s.n;
    draw(k, &s);
    arne_data *good = test_data_on(s.settings), *other = test_data(s.m), *bare;
    assert_int_equal(arne_data_share(s.settings, &bare, NULL), ARNE_OK);
    arne_data *const absent[] = {good, NULL}, *const twice[] = {good, good}, *const own[] = {good, s.data},
                     *const foreign[] = {good, other}, *const not_ready[] = {good, bare}, *const right[] = {good};
    const size_t w = (size_t)n;
    const struct {
        arne_batch_options how;
        arne_status answer;
    } cases[] = {
        {{0}, ARNE_BAD_ARGUMENT}, /* its size is not set */
        {{.size = sizeof(arne_batch_options), .q = {1, 0}}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .v = {0, 1}}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .out = {w - 1, 1}}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .out = {1, COUNT - 1}}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .threads = -1}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .threads = 1 << 20, .others = right}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .threads = 2}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .threads = 3, .others = absent}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .threads = 3, .others = twice}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .threads = 3, .others = own}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .threads = 3, .others = foreign}, ARNE_BAD_ARGUMENT},
        {{.size = sizeof(arne_batch_options), .threads = 3, .others = not_ready}, ARNE_NOT_PREPARED},
        {{.size = sizeof(arne_batch_options), .threads = 2, .others = right}, ARNE_OK},
        {{.size = sizeof(size_t)}, ARNE_OK}, /* an older caller, who knows of nothing */
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const arne_state x = {.q = k->plain[0]};
        const arne_state32 x32 = {.q = k->plain32[0]};
        k->should[0] = UNTOUCHED, k->should32[0] = (float)UNTOUCHED;
        const arne_status is = arne_batch_with(s.data, gravity, NULL, &cases[c].how, COUNT, &x, k->should);
        if (is != cases[c].answer) fail_msg("case %zu answers: %s", c, arne_status_words(is));
        assert_int_equal(arne_batch32_with(s.data, gravity, NULL, &cases[c].how, COUNT, &x32, k->should32), is);
        if (is) assert_true(k->should[0] == UNTOUCHED && k->should32[0] == (float)UNTOUCHED);
        if (!is) assert_int_equal(arne_data_joint(s.data), -1);
    }
    /* none at all, in any order */
    const arne_batch_options same = {.size = sizeof same, .out = {w, 1}}, turned = {.size = sizeof turned, .out = {1, 1}};
    k->should[0] = UNTOUCHED;
    assert_int_equal(arne_batch_with(s.data, gravity, NULL, &same, 0, &(arne_state){.q = k->plain[0]}, k->should), ARNE_OK);
    assert_int_equal(arne_batch_with(s.data, gravity, NULL, &turned, 0, &(arne_state){.q = k->plain[0]}, k->should), ARNE_OK);
    assert_true(k->should[0] == UNTOUCHED);
    assert_int_equal(arne_batch_with(s.data, gravity, NULL, NULL, COUNT, NULL, k->should), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_batch32_with(NULL, gravity, NULL, NULL, COUNT, &(arne_state32){.q = k->plain32[0]}, k->should32),
                     ARNE_BAD_ARGUMENT);
    arne_data_free(good), arne_data_free(other), arne_data_free(bare);
    subject_close(&s);
}

static int make_desk(void **state) { return (*state = calloc(1, sizeof(desk))) ? 0 : -1; }
static int clear_desk(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_and_threads_give_the_same_bits),
        cmocka_unit_test(failures_of_all_threads_are_told),
        cmocka_unit_test(many_states_are_those_of_one_by_one),
        cmocka_unit_test(derivatives_of_numbers_out_of_reach_are_those_of_one_state),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, make_desk, clear_desk);
}
