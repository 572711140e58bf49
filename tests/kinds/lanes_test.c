/* SPDX-License-Identifier: MIT
 *
 * lanes_test.c - a state in a lane gives the bits it gives alone: every width the machine has, and the public batch functions. */
#include "kinds/settings.h"

#include <stdlib.h>

#include "kind/kinds.h"

enum { RANDOM_ROBOTS = 2000, MOST_COUNT = 19 };

/* one answer of each call, state after state */
typedef struct {
    double id[MOST_COUNT * MOST_DOF], bias[MOST_COUNT * MOST_DOF], gravity[MOST_COUNT * MOST_DOF], fd[MOST_COUNT * MOST_DOF];
    double mass[MOST_COUNT * MOST_DOF * MOST_DOF];
} answers;

typedef struct {
    double q[MOST_COUNT * MOST_DOF], qd[MOST_COUNT * MOST_DOF], qdd[MOST_COUNT * MOST_DOF];
} states;

typedef struct {
    states x;
    answers one, many;
} desk;

static void draw_states(subject *s, int count, states *x)
{
    const size_t bytes = (size_t)s->n * sizeof(double);
    for (int k = 0; k < count; k++) {
        const motion at = subject_motion(s, k % STATES);
        memcpy(x->q + k * s->n, at.q, bytes);
        memcpy(x->qd + k * s->n, at.qd, bytes);
        memcpy(x->qdd + k * s->n, at.qdd, bytes);
    }
}

/* forward dynamics takes the accelerations as torques: any numbers will do */
static void one_by_one(subject *s, int count, const states *x, answers *out)
{
    for (int k = 0; k < count; k++) {
        const int at = k * s->n;
        arne_id(s->data, x->q + at, x->qd + at, x->qdd + at, out->id + at);
        arne_bias(s->data, x->q + at, x->qd + at, out->bias + at);
        arne_gravity(s->data, x->q + at, out->gravity + at);
        arne_mass(s->data, x->q + at, out->mass + at * s->n);
        assert_int_equal(arne_fd(s->data, x->q + at, x->qd + at, x->qdd + at, out->fd + at), -1);
    }
}

static void expect_answers(const subject *s, int count, const answers *is, const answers *should)
{
    expect_bits(s, "id", count * s->n, is->id, should->id);
    expect_bits(s, "bias", count * s->n, is->bias, should->bias);
    expect_bits(s, "gravity", count * s->n, is->gravity, should->gravity);
    expect_bits(s, "mass", count * s->n * s->n, is->mass, should->mass);
    expect_bits(s, "fd", count * s->n, is->fd, should->fd);
}

static void run_lanes(subject *s, int count, const states *x, answers *out, batch_bytes_fn *bytes, batch_run_fn *run)
{
    const robot *r = arne__data_robot(s->data);
    void *memory = aligned_alloc(64, (bytes(s->n) + 63) / 64 * 64);
    assert_non_null(memory);
    const size_t c = (size_t)count;
    run(r, memory, BATCH_ID, c, (const double *const[3]){x->q, x->qd, x->qdd}, out->id);
    run(r, memory, BATCH_BIAS, c, (const double *const[3]){x->q, x->qd, NULL}, out->bias);
    run(r, memory, BATCH_GRAVITY, c, (const double *const[3]){x->q, NULL, NULL}, out->gravity);
    run(r, memory, BATCH_MASS, c, (const double *const[3]){x->q, NULL, NULL}, out->mass);
    run(r, memory, BATCH_FD, c, (const double *const[3]){x->q, x->qd, x->qdd}, out->fd);
    free(memory);
}

static void run_public(subject *s, int count, const states *x, answers *out)
{
    arne_batch *b = arne_batch_new(s->m);
    assert_non_null(b);
    assert_int_equal(arne_batch_lanes(b), arne__machine_lanes());
    const size_t c = (size_t)count;
    arne_batch_id(b, s->data, c, x->q, x->qd, x->qdd, out->id);
    arne_batch_bias(b, s->data, c, x->q, x->qd, out->bias);
    arne_batch_gravity(b, s->data, c, x->q, out->gravity);
    arne_batch_mass(b, s->data, c, x->q, out->mass);
    arne_batch_fd(b, s->data, c, x->q, x->qd, x->qdd, out->fd);
    arne_batch_free(b);
}

static void check_states(subject *s, int count, desk *k)
{
    one_by_one(s, count, &k->x, &k->one);
    run_public(s, count, &k->x, &k->many);
    expect_answers(s, count, &k->many, &k->one);
    run_lanes(s, count, &k->x, &k->many, arne__batch_bytes_f64x2, arne__batch_run_f64x2);
    expect_answers(s, count, &k->many, &k->one);
    if (arne__machine_lanes() < 4) return;
    run_lanes(s, count, &k->x, &k->many, arne__batch_bytes_f64x4, arne__batch_run_f64x4);
    expect_answers(s, count, &k->many, &k->one);
    if (arne__machine_lanes() < 8) return;
    run_lanes(s, count, &k->x, &k->many, arne__batch_bytes_f64x8, arne__batch_run_f64x8);
    expect_answers(s, count, &k->many, &k->one);
}

static void check_robot(subject *s, int count, desk *k)
{
    arne_wrench w[SETTING_WRENCHES];
    for (int setting = 0; setting < SETTINGS; setting++) {
        set_up(s, setting, w);
        draw_states(s, count, &k->x);
        check_states(s, count, k);
    }
}

static int make_desk(void **state) { return (*state = calloc(1, sizeof(desk))) ? 0 : -1; }
static int clear_desk(void **state)
{
    free(*state);
    return 0;
}

static void lanes_equal_double_on_shipped_robots(void **state)
{
    const int counts[] = {1, 2, 3, 7, 8, 9, 19};
    for (int number = 0; number < shipped_robots(); number++) {
        subject s = subject_number(number, 0);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) check_robot(&s, counts[c], *state);
        subject_close(&s);
    }
}

static void lanes_equal_double_on_random_robots(void **state)
{
    for (int k = 0; k < RANDOM_ROBOTS; k++) {
        subject s = subject_number(shipped_robots() + k, parts_of(k));
        check_robot(&s, 1 + k % 11, *state);
        subject_close(&s);
    }
}

/* angles beyond the polynomial's range go through libm, lane by lane, and disturb no neighbour */
static void lanes_equal_double_at_huge_angles(void **state)
{
    desk *k = *state;
    for (int number = 0; number < 100; number++) {
        subject s = subject_number(number, parts_of(number));
        draw_states(&s, MOST_COUNT, &k->x);
        for (int i = 0; i < MOST_COUNT * s.n; i++) {
            const int joint = i % s.n;
            if (arne_joint_kind(s.m, joint) == ARNE_REVOLUTE && random_below(&s.r, 3) == 0) k->x.q[i] *= 1e6;
        }
        check_states(&s, MOST_COUNT, k);
        subject_close(&s);
    }
}

static void an_empty_batch_writes_nothing(void **state)
{
    (void)state;
    subject s = subject_number(0, 0);
    arne_batch *b = arne_batch_new(s.m);
    assert_non_null(b);
    const motion at = subject_motion(&s, 1);
    double tau[MOST_DOF] = {1.25};
    arne_batch_id(b, s.data, 0, at.q, at.qd, at.qdd, tau);
    assert_true(tau[0] == 1.25);
    arne_batch_free(b);
    subject_close(&s);
}

/* a heavy arm with a tip of this mass: articulated inertias twelve orders apart, or a joint that moves nothing */
static subject heavy_arm(double tip)
{
    arne_description *d = arne_description_new("heavy arm");
    if (!d || !arne_description_link(d, "base", 0)) abort();
    const char *const name[] = {"base", "j1", "j2"};
    for (int i = 1; i < 3; i++) {
        arne_link_description *l = arne_description_link(d, name[i], 0);
        arne_joint_description *j = arne_description_joint(d, name[i], 0, ARNE_REVOLUTE, name[i - 1], name[i]);
        if (!l || !j) abort();
        const double m = i == 1 ? 1000 : tip, size = i == 1 ? 1 : 1e-3;
        l->body = (arne_body){m, {size, 0, 0}, {0.1 * m * size * size, 0, 0, 0.1 * m * size * size, 0, 0.1 * m * size * size}};
        j->before.p[0] = i - 1;
    }
    return subject_of(d);
}

static void doubtful_states_are_judged_as_one_by_one(void **state)
{
    (void)state;
    const double tips[] = {1e-3, 0};
    for (int t = 0; t < 2; t++) {
        subject s = heavy_arm(tips[t]);
        double q[10], qd[10], tau[10], is[10], should[10];
        size_t singular = 0;
        random_vector(&s.r, 10, 1, q);
        random_vector(&s.r, 10, 1, qd);
        random_vector(&s.r, 10, 1, tau);
        for (int k = 0; k < 5; k++) singular += arne_fd(s.data, q + 2 * k, qd + 2 * k, tau + 2 * k, should + 2 * k) >= 0;
        arne_batch *b = arne_batch_new(s.m);
        assert_non_null(b);
        assert_int_equal(arne_batch_fd(b, s.data, 5, q, qd, tau, is), singular);
        assert_int_equal(singular, tips[t] > 0 ? 0 : 5);
        expect_bits(&s, "fd", 10, is, should);
        arne_batch_free(b);
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_equal_double_on_shipped_robots),     cmocka_unit_test(lanes_equal_double_on_random_robots),
        cmocka_unit_test(lanes_equal_double_at_huge_angles),        cmocka_unit_test(an_empty_batch_writes_nothing),
        cmocka_unit_test(doubtful_states_are_judged_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, make_desk, clear_desk);
}
