/* SPDX-License-Identifier: MIT
 *
 * lanes_test.c - a state in a lane gives the bits it gives alone: the doors of every lane kind the machine has, and the public
 * batches, for every row of texts.def and any number of states. */
#include "kinds/settings.h"

#include <stdlib.h>

#include "algo/rows.h"
#include "dynamics/data.h"
#include "kind/kinds.h"
#include "support/text32.h"

enum { RANDOM_ROBOTS = FEWER(600), MOST_COUNT = 37, N = MOST_DOF };

/* states one after the other: numbers that are floats, so that both precisions see the same */
typedef struct {
    double q[MOST_COUNT * N], qd[MOST_COUNT * N], qdd[MOST_COUNT * N], tau[MOST_COUNT * N], qa[MOST_COUNT * N];
    float q32[MOST_COUNT * N], qd32[MOST_COUNT * N], qdd32[MOST_COUNT * N], tau32[MOST_COUNT * N], qa32[MOST_COUNT * N];
    double is[MOST_COUNT * MOST_RESULTS], should[MOST_COUNT * MOST_RESULTS];
    float is32[MOST_COUNT * MOST_RESULTS], should32[MOST_COUNT * MOST_RESULTS];
    subject *s;
    text32 *floats;
    int count;
    void *memory; /* of doors */
    size_t room;
} desk;

static void draw_states(desk *k, subject *s, int count)
{
    const int n = s->n;
    for (int c = 0; c < count; c++) {
        const motion x = subject_motion(s, c % STATES);
        for (int i = 0, at = c * s->nq; i < s->nq; i++, at++) k->q[at] = k->q32[at] = (float)x.q[i];
        for (int i = 0, at = c * n; i < n; i++, at++) {
            k->qd[at] = k->qd32[at] = (float)x.qd[i];
            k->qdd[at] = k->qdd32[at] = (float)x.qdd[i];
            k->tau[at] = k->tau32[at] = (float)x.qdd[n - 1 - i];
            k->qa[at] = k->qa32[at] = (float)x.qd[n - 1 - i];
        }
    }
    k->s = s;
    k->count = count;
}

static arne_state state_at(const desk *k, int c)
{
    const int at = c * k->s->n;
    return (arne_state){k->q + c * k->s->nq, k->qd + at, k->qdd + at, k->tau + at, k->qa + at};
}
static arne_state32 state32_at(const desk *k, int c)
{
    const int at = c * k->s->n;
    return (arne_state32){k->q32 + c * k->s->nq, k->qd32 + at, k->qdd32 + at, k->tau32 + at, k->qa32 + at};
}

typedef struct {
    const char *name;
    batch_bytes_fn *bytes;
    batch_run_fn *run;
} door;

static const door doors[] = {
#define DOOR(kind) {#kind, arne__batch_bytes_##kind, arne__batch_run_##kind},
    KIND_LANES(DOOR)};
enum { DOORS = sizeof doors / sizeof *doors };

static bool in_floats(const door *d) { return d->name[1] == '3'; }
static bool has(const door *d) { return atoi(d->name + 4) / (in_floats(d) ? 2 : 1) <= arne__machine_lanes(); }

static void check_door(desk *k, const door *d, int row, const arne_quantity_options *o)
{
    const int size = arne_quantity_size(row, k->s->m);
    const bool floats = in_floats(d);
    const arne_state x = state_at(k, 0);
    const arne_state32 x32 = state32_at(k, 0);
    batch_job job = {.row = row, .link = o->link, .axes = (int)o->frame, .factor = (int)o->factor};
    job.count = (size_t)k->count;
    job.size = size;
    job.q = floats ? (const void *)x32.q : x.q;
    job.qd = floats ? (const void *)x32.qd : x.qd;
    job.qdd = floats ? (const void *)x32.qdd : x.qdd;
    job.tau = floats ? (const void *)x32.tau : x.tau;
    job.qa = floats ? (const void *)x32.qa : x.qa;
    job.y = floats ? (void *)k->is32 : k->is;
    const robot *r = arne__data_robot(k->s->data);
    assert_true(d->bytes(robot_count(r), size) <= k->room);
    d->run(floats ? text32_robot(k->floats) : r, k->memory, &job, NULL);
    if (floats)
        expect_bits32(k->s, arne_quantity_at(row)->name, k->count * size, k->is32, k->should32);
    else
        expect_bits(k->s, arne_quantity_at(row)->name, k->count * size, k->is, k->should);
}

/* In floats a state may have been computed in doubles and rounded: what is in doubt, coupled, derived or too large. */
static void check_rounded(const desk *k, int row)
{
    const int size = arne_quantity_size(row, k->s->m);
    for (int c = 0; c < k->count; c++) {
        const float *is = k->is32 + c * size;
        bool rounded = true;
        for (int i = 0; i < size; i++) rounded = rounded && is[i] == (float)k->should[c * size + i];
        if (!rounded) expect_bits32(k->s, arne_quantity_at(row)->name, size, is, k->should32 + c * size);
    }
}

static void check_row(void *desk_, int row, const arne_quantity_options *o)
{
    desk *k = desk_;
    const int size = arne_quantity_size(row, k->s->m);
    for (int c = 0; c < k->count; c++) {
        const arne_state x = state_at(k, c);
        const arne_state32 x32 = state32_at(k, c);
        assert_int_equal(arne_compute(k->s->data, row, o, &x, k->should + c * size), ARNE_OK);
        if (row < TEXT_ROWS) text32_run(k->floats, row, o, &x32, k->should32 + c * size);
    }
    const arne_state x = state_at(k, 0);
    const arne_state32 x32 = state32_at(k, 0);
    assert_int_equal(arne_batch(k->s->data, row, o, (size_t)k->count, &x, k->is), ARNE_OK);
    expect_bits(k->s, arne_quantity_at(row)->name, k->count * size, k->is, k->should);
    assert_int_equal(arne_batch32(k->s->data, row, o, (size_t)k->count, &x32, k->is32), ARNE_OK);
    check_rounded(k, row);
    for (int d = 0; d < DOORS && row < TEXT_ROWS; d++)
        if (has(&doors[d])) check_door(k, &doors[d], row, o);
}

static void open_doors(desk *k, subject *s)
{
    const robot_counts n = robot_count(arne__data_robot(s->data));
    const int tensors = n.nv <= 16 ? 4 * n.nv * n.nv * n.nv : 0;
    k->room = 0;
    for (int d = 0; d < DOORS; d++) {
        const size_t bytes = doors[d].bytes(n, n.nv * (11 * n.n + 4 * n.nv) + tensors + 12);
        if (bytes > k->room) k->room = bytes;
    }
    k->room = (k->room + 63) / 64 * 64;
    k->memory = aligned_alloc(64, k->room);
    assert_non_null(k->memory);
    memset(k->memory, 0, k->room);
    k->floats = text32_new(s->data);
}

static void close_doors(desk *k)
{
    free(k->memory);
    text32_free(k->floats);
}

/* all rows of all settings, with as many states */
static void check_robot(desk *k, subject *s, int count)
{
    open_doors(k, s);
    for (int setting = 0; setting < SETTINGS; setting++) {
        set_up(s, setting);
        text32_take(k->floats, s->data);
        draw_states(k, s, count);
        every_row(s, arne_quantities(), check_row, k);
    }
    close_doors(k);
}

static int make_desk(void **state) { return (*state = calloc(1, sizeof(desk))) ? 0 : -1; }
static int clear_desk(void **state)
{
    free(*state);
    return 0;
}

static void lanes_equal_one_on_shipped_robots(void **state)
{
    const int counts[] = {7, 1, 2, 3, MOST_COUNT, 8, 9, 16};
    for (int number = 0; number < shipped_robots(); number++) {
        subject s = subject_number(number, 0);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c += ARNE_FEWER) check_robot(*state, &s, counts[c]);
        subject_close(&s);
    }
}

static void lanes_equal_one_on_random_robots(void **state)
{
    for (int k = 0; k < RANDOM_ROBOTS; k++) {
        subject s = subject_number(shipped_robots() + k, parts_of(k));
        check_robot(*state, &s, 1 + k % 11);
        subject_close(&s);
    }
}

/* more states than forward dynamics judges at once */
static void many_states_are_judged_in_parts(void **state)
{
    (void)state;
    enum { MANY = 2 * DATA_DOUBTS + 5 };
    subject s = subject_number(shipped_robots() + FAMILY_SKEW, RANDOM_FRICTION);
    double *x = malloc(5 * MANY * N * sizeof *x);
    assert_non_null(x);
    double *q = x, *qd = q + MANY * N, *tau = qd + MANY * N, *is = tau + MANY * N, *should = is + MANY * N;
    random_vector(&s.r, 3 * MANY * N, 2, x);
    for (int k = 0; k < MANY; k++) arne_fd(s.data, q + k * s.n, qd + k * s.n, tau + k * s.n, should + k * s.n);
    assert_int_equal(arne_batch_fd(s.data, MANY, q, qd, tau, is), ARNE_OK);
    expect_bits(&s, "fd", MANY * s.n, is, should);
    free(x);
    subject_close(&s);
}

/* angles beyond the polynomial's range go through libm, lane by lane, and disturb no neighbour */
static void lanes_equal_one_at_huge_angles(void **state)
{
    desk *k = *state;
    for (int number = 0; number < 50; number++) {
        subject s = subject_number(number, parts_of(number));
        if (s.n < s.nq) {
            subject_close(&s);
            continue;
        }
        open_doors(k, &s);
        draw_states(k, &s, MOST_COUNT);
        for (int i = 0; i < MOST_COUNT * s.n; i++) {
            const int joint = i % s.n;
            if (arne_joint_kind(s.m, joint) == ARNE_REVOLUTE && random_below(&s.r, 3) == 0)
                k->q[i] = k->q32[i] = (float)(1e6 * k->q[i]);
        }
        every_row(&s, TEXT_ROWS, check_row, k);
        close_doors(k);
        subject_close(&s);
    }
}

/* batch.h is the table by name */
static void named_batches_are_rows_of_the_table(void **state)
{
    desk *k = *state;
    subject s = subject_number(3, 0);
    draw_states(k, &s, MOST_COUNT);
    const arne_state x = state_at(k, 0);
    const char *const name[] = {"id", "bias", "gravity", "mass", "fd"};
    assert_int_equal(arne_batch_lanes(), arne__machine_lanes());
    for (int i = 0; i < 5; i++) {
        const int row = arne_quantity_find(name[i]);
        assert_int_equal(arne_batch(s.data, row, NULL, MOST_COUNT, &x, k->should), ARNE_OK);
        switch (i) {
        case 0: arne_batch_id(s.data, MOST_COUNT, x.q, x.qd, x.qdd, k->is); break;
        case 1: arne_batch_bias(s.data, MOST_COUNT, x.q, x.qd, k->is); break;
        case 2: arne_batch_gravity(s.data, MOST_COUNT, x.q, k->is); break;
        case 3: arne_batch_mass(s.data, MOST_COUNT, x.q, k->is); break;
        default: arne_batch_fd(s.data, MOST_COUNT, x.q, x.qd, x.tau, k->is); break;
        }
        expect_bits(&s, name[i], MOST_COUNT * arne_quantity_size(row, s.m), k->is, k->should);
    }
    subject_close(&s);
}

static void an_empty_batch_writes_nothing(void **state)
{
    (void)state;
    subject s = subject_number(0, 0);
    const motion at = subject_motion(&s, 1);
    double tau[MOST_DOF] = {1.25};
    arne_batch_id(s.data, 0, at.q, at.qd, at.qdd, tau);
    assert_true(tau[0] == 1.25);
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

/* whose answers are zero where a joint moves nothing, in floats as in doubles */
static void doubtful_states_are_judged_as_one_by_one(void **state)
{
    (void)state;
    const double tips[] = {1e-3, 0};
    const arne_status answer[] = {ARNE_OK, ARNE_SINGULAR};
    const int fd = arne_quantity_find("fd");
    for (int t = 0; t < 2; t++) {
        subject s = heavy_arm(tips[t]);
        double q[10], qd[10], tau[10], is[10], should[10];
        float q32[10], qd32[10], tau32[10], is32[10];
        random_vector(&s.r, 10, 1, q);
        random_vector(&s.r, 10, 1, qd);
        random_vector(&s.r, 10, 1, tau);
        for (int i = 0; i < 10; i++) {
            q[i] = q32[i] = (float)q[i];
            qd[i] = qd32[i] = (float)qd[i];
            tau[i] = tau32[i] = (float)tau[i];
        }
        for (int k = 0; k < 5; k++)
            assert_int_equal(arne_fd(s.data, q + 2 * k, qd + 2 * k, tau + 2 * k, should + 2 * k), answer[t]);
        assert_int_equal(arne_batch_fd(s.data, 5, q, qd, tau, is), answer[t]);
        expect_bits(&s, "fd", 10, is, should);
        const arne_state32 x = {.q = q32, .qd = qd32, .tau = tau32};
        assert_int_equal(arne_batch32(s.data, fd, NULL, 5, &x, is32), answer[t]);
        for (int i = 0; i < 10; i++) assert_true(is32[i] == (float)should[i]);
        subject_close(&s);
    }
}

/* one bad state in the middle of good ones */
static void a_state_that_is_not_finite_disturbs_no_other(void **state)
{
    desk *k = *state;
    subject s = subject_number(5, 0);
    const int fd = arne_quantity_find("fd"), n = s.n, bad = 4;
    draw_states(k, &s, MOST_COUNT);
    for (int c = 0; c < MOST_COUNT; c++) {
        const arne_state x = state_at(k, c);
        assert_int_equal(arne_compute(s.data, fd, NULL, &x, k->should + c * n), ARNE_OK);
    }
    k->q[bad * n + 1] = k->q32[bad * n + 1] = NAN;
    memset(k->should + bad * n, 0, (size_t)n * sizeof *k->should);
    const arne_state x = state_at(k, 0);
    const arne_state32 x32 = state32_at(k, 0);
    assert_int_equal(arne_batch(s.data, fd, NULL, MOST_COUNT, &x, k->is), ARNE_NOT_FINITE);
    assert_in_range(arne_data_joint(s.data), 0, n - 1);
    expect_bits(&s, "fd", MOST_COUNT * n, k->is, k->should);
    assert_int_equal(arne_batch32(s.data, fd, NULL, MOST_COUNT, &x32, k->is32), ARNE_NOT_FINITE);
    assert_in_range(arne_data_joint(s.data), 0, n - 1);
    for (int i = 0; i < MOST_COUNT * n; i++)
        assert_true(i / n == bad ? k->is32[i] == 0 : fabs((double)k->is32[i] - k->should[i]) < 1e-2 * (1 + fabs(k->should[i])));
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_equal_one_on_shipped_robots),
        cmocka_unit_test(lanes_equal_one_on_random_robots),
        cmocka_unit_test(many_states_are_judged_in_parts),
        cmocka_unit_test(lanes_equal_one_at_huge_angles),
        cmocka_unit_test(named_batches_are_rows_of_the_table),
        cmocka_unit_test(an_empty_batch_writes_nothing),
        cmocka_unit_test(doubtful_states_are_judged_as_one_by_one),
        cmocka_unit_test(a_state_that_is_not_finite_disturbs_no_other),
    };
    return cmocka_run_group_tests(tests, make_desk, clear_desk);
}
