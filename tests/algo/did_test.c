/* SPDX-License-Identifier: MIT
 *
 * did_test.c - the analytic derivatives of inverse and forward dynamics against jets, which differentiate the texts of id and fd
 * themselves: on random robots of every family, with joints of several freedoms, friction of every law, rotors, transmissions,
 * payloads and wrenches in each frame. */
#include "kinds/settings.h"

#include <stdio.h>
#include <stdlib.h>

#include "algo/rows.h"
#include "dynamics/data.h"
#include "kind/kinds.h"

enum { N = MOST_DOF, ROBOTS = 1500 };

/* of the largest entry, and of what the joints carry; of fd: times the condition of M */
static const double ID = 1e-12, FD = 1e-13;

static void jets(const subject *s, int row, const motion *x, double d[3][N * N])
{
    const robot *r = arne__data_robot(s->data);
    const size_t room = (arne__gradient_bytes_jet2(robot_count(r), s->n) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, room);
    assert_non_null(memory);
    memset(memory, 0, room);
    for (int which = 0; which < 3; which++)
        arne__gradient_run_jet2(r, memory, row, (const double *const[3]){x->q, x->qd, x->qdd}, which, s->n, d[which]);
    free(memory);
}

static void check(subject *s, const motion *x)
{
    static const char *const id[3] = {"did/dq", "did/dqd", "did/dqdd"}, *const fd[3] = {"dfd/dq", "dfd/dqd", "dfd/dtau"};
    double is[3][N * N], should[3][N * N], M[N * N];
    const int square = s->n * s->n;
    jets(s, TEXT_id, x, should);
    assert_int_equal(arne_id_derivatives(s->data, x->q, x->qd, x->qdd, is[0], is[1], M), ARNE_OK);
    const double size = carried(s, x);
    expect_near(s, id[0], square, is[0], should[0], ID, fmax(size, largest(square, should[0])));
    expect_near(s, id[1], square, is[1], should[1], ID, fmax(size, largest(square, should[1])));
    expect_close(s, id[2], square, M, should[2], ID);
    assert_int_equal(arne_mass(s->data, x->q, M), ARNE_OK);
    expect_close(s, "mass", square, M, should[2], ID);
    jets(s, TEXT_fd, x, should);
    assert_int_equal(arne_fd_derivatives(s->data, x->q, x->qd, x->qdd, is[0], is[1], is[2]), ARNE_OK);
    const double tolerance = FD * fmax(10, condition(s->n, M, is[2]));
    for (int g = 0; g < 3; g++)
        expect_near(s, fd[g], square, is[g], should[g], tolerance,
                    fmax(largest(square, should[g]), size * largest(square, is[2])));
}

static void derivatives_are_those_of_jets(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + ROBOTS; number++) {
        subject s = subject_number(number, number % 2 ? RANDOM_ANY : parts_of(number));
        const int setting = number % SETTINGS;
        set_up(&s, setting);
        for (int k = 0; k < 3; k++) {
            const motion x = subject_motion(&s, k);
            check(&s, &x);
        }
        subject_close(&s);
    }
}

/* which go other ways: M in base axes, its inverse by articulated bodies */
static void derivatives_of_long_chains_are_those_of_jets(void **state)
{
    (void)state;
    for (int n = 23; n <= MOST_DOF; n += 3) {
        subject s = subject_of(long_chain(n));
        for (int setting = 0; setting < SETTINGS; setting++) {
            set_up(&s, setting);
            const motion x = subject_motion(&s, 1);
            check(&s, &x);
        }
        subject_close(&s);
    }
}

/* a tip that weighs nothing, or a position that is no number: the status says which joint, nothing is left in the results */
static void what_cannot_be_inverted_is_said(void **state)
{
    (void)state;
    double D[3][N * N];
    for (int n = 3; n <= 30; n += 27) {
        arne_description *d = long_chain(n);
        d->links[n].body = (arne_body){0};
        subject s = subject_of(d);
        motion x = subject_motion(&s, 1);
        memset(D, 1, sizeof D);
        assert_int_equal(arne_fd_derivatives(s.data, x.q, x.qd, x.qdd, D[0], D[1], D[2]), ARNE_SINGULAR);
        assert_int_equal(arne_data_joint(s.data), n - 1);
        for (int g = 0; g < 3; g++) assert_true(largest(n * n, D[g]) == 0);
        subject_close(&s);
        s = subject_of(long_chain(n));
        x = subject_motion(&s, 1);
        x.q[2] = NAN;
        assert_int_equal(arne_fd_derivatives(s.data, x.q, x.qd, x.qdd, D[0], D[1], D[2]), ARNE_NOT_FINITE);
        assert_in_range(arne_data_joint(s.data), 0, n - 1);
        for (int g = 0; g < 3; g++) assert_true(largest(n * n, D[g]) == 0);
        x = subject_motion(&s, 1);
        x.qdd[1] = NAN; /* a torque */
        assert_int_equal(arne_fd_derivatives(s.data, x.q, x.qd, x.qdd, D[0], D[1], D[2]), ARNE_NOT_FINITE);
        subject_close(&s);
    }
}

/* n joints in chains of `length` that stand on the base */
static arne_description *chains(int n, int length)
{
    arne_description *d = arne_description_new("chains");
    char name[16], before[16] = "base";
    if (!d || !arne_description_link(d, "base", 0)) abort();
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "l%d", i);
        arne_link_description *l = arne_description_link(d, name, 0);
        arne_joint_description *j = arne_description_joint(d, name, 0, ARNE_REVOLUTE, i % length ? before : "base", name);
        if (!l || !j) abort();
        l->body = (arne_body){1, {0.1, 0.02 * i, 0.1}, {0.1, 0, 0, 0.1, 0, 0.1}};
        j->before.p[0] = 0.3;
        j->axis[0] = i % 2, j->axis[2] = 1 - i % 2;
        strcpy(before, name);
    }
    return d;
}

/* Chains that share the base alone know nothing of each other: zeros, without a sign. And no number beyond a matrix is touched.
 */
static void chains_on_one_base_are_apart(void **state)
{
    (void)state;
    enum { BEYOND = 16 };
    static double D[6][N * N + BEYOND];
    for (int n = 1; n <= 26; n++)
        for (int length = 2; length <= n + 1; length += 3) {
            subject s = subject_of(chains(n, length));
            const motion x = subject_motion(&s, 1);
            for (int g = 0; g < 6; g++)
                for (int i = 0; i < N * N + BEYOND; i++) D[g][i] = 1.25;
            assert_int_equal(arne_id_derivatives(s.data, x.q, x.qd, x.qdd, D[0], D[1], D[2]), ARNE_OK);
            assert_int_equal(arne_fd_derivatives(s.data, x.q, x.qd, x.qdd, D[3], D[4], D[5]), ARNE_OK);
            for (int g = 0; g < 6; g++) {
                for (int i = 0; i < n * n; i++)
                    if (i / n / length != i % n / length) assert_true(D[g][i] == 0 && !signbit(D[g][i]));
                for (int i = n * n; i < n * n + BEYOND; i++) assert_true(D[g][i] == 1.25);
            }
            check(&s, &x);
            subject_close(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_jets),
        cmocka_unit_test(derivatives_of_long_chains_are_those_of_jets),
        cmocka_unit_test(chains_on_one_base_are_apart),
        cmocka_unit_test(what_cannot_be_inverted_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
