/* SPDX-License-Identifier: MIT
 *
 * d2id_test.c - second derivatives of inverse dynamics against jets over the first, their symmetries, and the same times a
 * vector: on random robots of every family, with joints of several freedoms, friction of every law, rotors, transmissions,
 * payloads and wrenches in each frame. */
#include "kinds/settings.h"

#include <stdlib.h>

#include "algo/rows.h"
#include "dynamics/data.h"
#include "kind/kinds.h"

enum { ROBOTS = FEWER(240), MOST = 14, PARTS = 4 };

/* of the largest entry, and of what the joints carry */
static const double CLOSE = 1e-12;

typedef struct {
    double is[PARTS][MOST * MOST * MOST], should[PARTS][MOST * MOST * MOST], did[3 * MOST * MOST], D[3 * MOST * MOST * MOST];
} desk;

static int make_desk(void **state) { return (*state = calloc(1, sizeof(desk))) ? 0 : -1; }
static int clear_desk(void **state)
{
    free(*state);
    return 0;
}

static const char *const names[PARTS] = {"d2id/qq", "d2id/qqd", "d2id/qdqd", "d2id/qqdd"};

/* derivatives of what did gives, by which: 0 q, 1 qd; D[number of did][direction] */
static void jets(const subject *s, const motion *x, int which, double *D)
{
    const robot *r = arne__data_robot(s->data);
    const int size = 3 * s->n * s->n;
    const size_t room = (arne__gradient_bytes_jet2(robot_count(r), size) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, room);
    assert_non_null(memory);
    memset(memory, 0, room);
    arne__gradient_run_jet2(r, memory, TEXT_did, (const double *const[3]){x->q, x->qd, x->qdd}, which, size, D);
    free(memory);
}

/* [torque][first][second] from [torque][second][first], the part of did that it derives */
static void take(const desk *k, int n, int part, double *to)
{
    for (int i = 0; i < n; i++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++) to[(i * n + a) * n + b] = k->D[((part * n + i) * n + b) * n + a];
}

static void check(subject *s, const motion *x, desk *k)
{
    const int n = s->n, cube = n * n * n;
    jets(s, x, 0, k->D);
    take(k, n, 0, k->should[0]);
    take(k, n, 1, k->should[1]);
    take(k, n, 2, k->should[3]);
    jets(s, x, 1, k->D);
    take(k, n, 1, k->should[2]);
    double *all = &k->is[0][0];
    assert_int_equal(arne_id_second_derivatives(s->data, x->q, x->qd, x->qdd, all), ARNE_OK);
    const double size = carried(s, x);
    for (int g = 0; g < PARTS; g++)
        expect_near(s, names[g], cube, all + g * cube, k->should[g], CLOSE, fmax(size, largest(cube, k->should[g])));
    /* times x: the sum over the torques */
    double H[PARTS * MOST * MOST], sum[MOST * MOST];
    assert_int_equal(arne_id_second_derivatives_times(s->data, x->q, x->qd, x->qdd, x->qd, H), ARNE_OK);
    for (int g = 0; g < PARTS; g++) {
        memset(sum, 0, sizeof sum);
        for (int i = 0; i < cube; i++) sum[i % (n * n)] += x->qd[i / (n * n)] * k->should[g][i];
        const double scale = fmax(1, largest(n, x->qd)) * fmax(size, largest(cube, k->should[g]));
        expect_near(s, "d2id times x", n * n, H + g * n * n, sum, CLOSE * n, scale);
    }
}

static void second_derivatives_are_those_of_jets(void **state)
{
    for (int number = -shipped_wide_robots(); number < shipped_robots() + ROBOTS; number++) {
        subject s = subject_number(number, number % 2 ? RANDOM_ANY : parts_of(abs(number)));
        for (int setting = abs(number) % 2; setting < SETTINGS && s.n <= MOST; setting += 2) {
            set_up(&s, setting);
            for (int k = 0; k < 3; k++) {
                const motion x = subject_motion(&s, k);
                check(&s, &x, *state);
            }
        }
        subject_close(&s);
    }
}

/* Directions of one joint do not commute: [a][b] - [b][a] of q q is the derivative along S_a x S_b, in the axes of the link. Of
 * two joints they do, and the others are symmetric where both are of a kind. */
static void what_is_symmetric_and_what_is_not(void **state)
{
    desk *k = *state;
    int wide = 0;
    for (int number = 0; number < FEWER(120); number++) {
        subject s = subject_number(shipped_robots() + number, RANDOM_ANY | RANDOM_WIDE);
        const motion x = subject_motion(&s, 1);
        const robot *r = arne__data_robot(s.data);
        const int n = s.n;
        set_up(&s, number % SETTINGS);
        double *qq = &k->is[0][0], *qdqd = qq + 2 * n * n * n, joint[MOST][MOST] = {{0}};
        if (n > MOST || r->nfollow) {
            subject_close(&s);
            continue;
        }
        assert_int_equal(arne_id_second_derivatives(s.data, x.q, x.qd, x.qdd, qq), ARNE_OK);
        assert_int_equal(arne_id_derivatives(s.data, x.q, x.qd, x.qdd, k->did, NULL, NULL), ARNE_OK);
        const double scale = fmax(carried(&s, &x), fmax(largest(n * n, k->did), largest(n * n * n, qq)));
        for (int l = 0; l < r->n; l++)
            for (int c = 0; c < r->link[l].nv; c++) joint[r->link[l].iv + c][0] = l, joint[r->link[l].iv + c][1] = c;
        for (int i = 0; i < n; i++)
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++) {
                    const robot_link *l = &r->link[(int)joint[a][0]];
                    double along = 0;
                    if (joint[a][0] == joint[b][0] && l->nv > 1) {
                        const int u = (int)joint[a][1] + 6 - l->nv, v = (int)joint[b][1] + 6 - l->nv, to = l->iv - 6 + l->nv;
                        /* x e_u, x e_v of 0 ... 2 along, 3 ... 5 about: about x about is about, about x along is along */
                        const int p = u % 3, q = v % 3, third = 3 - p - q;
                        if (p != q && (u >= 3 || v >= 3))
                            along = ((q - p + 3) % 3 == 1 ? 1 : -1) * k->did[i * n + to + third + (u >= 3 && v >= 3 ? 3 : 0)];
                        wide++;
                    }
                    const double is = qq[(i * n + a) * n + b] - qq[(i * n + b) * n + a];
                    expect_near(&s, "d2id/qq - its transpose", 1, &is, &along, CLOSE, scale);
                    assert_true(fabs(qdqd[(i * n + a) * n + b] - qdqd[(i * n + b) * n + a]) <= CLOSE * largest(n * n * n, qdqd));
                }
        subject_close(&s);
    }
    assert_true(wide > 1000);
}

/* M grows with q: dM/dt = C + C' */
static void inertia_grows_as_the_coriolis_matrix_says(void **state)
{
    desk *k = *state;
    for (int number = 0; number < FEWER(60); number++) {
        subject s = subject_number(number, parts_of(number));
        const motion x = subject_motion(&s, 1);
        const int n = s.n, cube = n * n * n;
        double C[MOST * MOST], is[MOST * MOST] = {0}, should[MOST * MOST];
        if (n <= MOST) {
            assert_int_equal(arne_id_second_derivatives(s.data, x.q, x.qd, x.qdd, &k->is[0][0]), ARNE_OK);
            assert_int_equal(arne_coriolis(s.data, ARNE_CHRISTOFFEL_FACTOR, x.q, x.qd, C), ARNE_OK);
            const double *qqdd = &k->is[0][0] + 3 * cube;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    for (int a = 0; a < n; a++) is[i * n + j] += qqdd[(i * n + a) * n + j] * x.qd[a];
                    should[i * n + j] = C[i * n + j] + C[j * n + i];
                }
            expect_near(&s, "dM/dt = C + C'", n * n, is, should, CLOSE, fmax(largest(n * n, C), largest(cube, qqdd)));
        }
        subject_close(&s);
    }
}

/* a state that has no numbers: the status says which joint, nothing is left in the results; a batch says so of that state alone
 */
static void what_is_no_number_is_said(void **state)
{
    desk *k = *state;
    subject s = subject_number(shipped_robots() + FAMILY_SKEW, RANDOM_FRICTION);
    const int n = s.n;
    const char *const row[] = {"did", "d2id", "d2id_times"};
    double *out = &k->is[0][0], x[4][3 * MOST], *alone = &k->should[0][0];
    assert_true(n > 2 && n <= MOST);
    for (int i = 0; i < 3; i++) {
        const int number = arne_quantity_find(row[i]), size = arne_quantity_size(number, s.m);
        for (int bad = 0; bad < 3; bad++)
            for (int huge = 0; huge < 2; huge++) {
                for (int state_ = 0; state_ < 3; state_++) {
                    const motion m = subject_motion(&s, 1);
                    memcpy(x[0] + state_ * n, m.q, (size_t)n * sizeof(double));
                    memcpy(x[1] + state_ * n, m.qd, (size_t)n * sizeof(double));
                    memcpy(x[2] + state_ * n, m.qdd, (size_t)n * sizeof(double));
                    memcpy(x[3] + state_ * n, m.qd, (size_t)n * sizeof(double));
                }
                x[bad][n + 1] = huge && bad ? 1e300 : NAN;
                const arne_state all = {x[0], x[1], x[2], NULL, x[3]};
                const arne_state one = {x[0] + n, x[1] + n, x[2] + n, NULL, x[3] + n},
                                 last = {x[0] + 2 * n, x[1] + 2 * n, x[2] + 2 * n, NULL, x[3] + 2 * n};
                memset(out, 1, (size_t)(3 * size) * sizeof *out);
                const arne_status should = bad == 2 && huge ? ARNE_OK : ARNE_NOT_FINITE; /* linear in qdd */
                assert_int_equal(arne_compute(s.data, number, NULL, &one, out), should);
                assert_int_equal(arne_data_joint(s.data), should ? 1 : -1);
                if (should) assert_true(largest(size, out) == 0);
                assert_int_equal(arne_batch(s.data, number, NULL, 3, &all, out), should);
                assert_int_equal(arne_data_joint(s.data), should ? 1 : -1);
                if (should) assert_true(largest(size, out + size) == 0);
                assert_int_equal(arne_compute(s.data, number, NULL, &last, alone), ARNE_OK);
                expect_bits(&s, row[i], size, out + 2 * size, alone);
            }
    }
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_derivatives_are_those_of_jets),
        cmocka_unit_test(what_is_symmetric_and_what_is_not),
        cmocka_unit_test(inertia_grows_as_the_coriolis_matrix_says),
        cmocka_unit_test(what_is_no_number_is_said),
    };
    return cmocka_run_group_tests(tests, make_desk, clear_desk);
}
