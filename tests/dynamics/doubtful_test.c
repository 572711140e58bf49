/* SPDX-License-Identifier: MIT
 *
 * doubtful_test.c - when the recursive forward dynamics hands over to the factored matrix: one articulated inertia is a
 * thousand-millionth of another, wherever it stands. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arne/derive.h"
#include "arne/quantity.h"
#include "dynamics/data.h"
#include "support/subject.h"

enum { N = 5 };

static void one_is_enough_wherever_it_stands(void **state)
{
    (void)state;
    static const struct {
        double one;
        bool doubtful;
    } cases[] = {{1, false}, {2e-9, false}, {4e8, false}, {1e-10, true}, {2e9, true}, {0, true}, {-1, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int i = 0; i < N; i++)
            for (int n = i + 1; n <= N; n++) {
                double H[N + 1];
                for (int j = 0; j <= N; j++) H[j] = j < n ? 1 : cases[k].doubtful ? 1 : 1e-12; /* what is behind counts not */
                H[i] = cases[k].one;
                if (n == 1 && cases[k].one > 0) continue; /* alone it has nobody to be compared with */
                if (arne__fd_doubtful(H, NULL, n, ARNE_FAR_APART) != cases[k].doubtful)
                    fail_msg("%g as number %d of %d", cases[k].one, i + 1, n);
            }
}

/* what comes with them and is no number, wherever it stands */
static void what_is_not_finite_is_doubtful(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY}, H[N] = {1, 1};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            double x[2] = {0, -5};
            assert_false(arne__fd_doubtful(H, x, 2, ARNE_FAR_APART));
            x[i] = bad[k];
            assert_true(arne__fd_doubtful(H, x, 2, ARNE_FAR_APART));
        }
}

/* three links of which the last weighs next to nothing: floats know when to ask doubles */
static void floats_ask_doubles(void **state)
{
    (void)state;
    enum { JOINTS = 3, STATES = 5 };
    static const char *const links[] = {"base", "a", "b", "c"}, *const joints[] = {"j1", "j2", "j3"};
    static const double masses[] = {0, 10, 5, 1e-3}, arms[] = {0, 0.5, 0.5, 0.02};
    arne_description *d = arne_description_new("light tip");
    assert_non_null(d);
    for (int i = 0; i <= JOINTS; i++) {
        arne_link_description *l = arne_description_link(d, links[i], 0);
        assert_non_null(l);
        const double inertia = masses[i] * arms[i] * arms[i];
        l->body = (arne_body){masses[i], {arms[i], 0, 0}, {inertia, 0, 0, inertia, 0, inertia}};
    }
    for (int i = 0; i < JOINTS; i++) {
        arne_joint_description *j = arne_description_joint(d, joints[i], 0, ARNE_REVOLUTE, links[i], links[i + 1]);
        assert_non_null(j);
        j->before.p[0] = i > 0;
    }
    subject s = subject_of(d);
    float q[STATES * JOINTS], qd[STATES * JOINTS], tau[STATES * JOINTS], is[STATES * JOINTS];
    for (int k = 0; k < STATES * JOINTS; k++) {
        q[k] = sinf((float)k), qd[k] = cosf(3 * (float)k);
        tau[k] = k % JOINTS == JOINTS - 1 ? 0 : 10 * sinf(2 * (float)k);
    }
    const arne_state32 x = {.q = q, .qd = qd, .tau = tau};
    assert_int_equal(arne_batch32(s.data, arne_quantity_find("fd"), NULL, STATES, &x, is), ARNE_OK);
    for (int k = 0; k < STATES; k++) {
        double at[3][JOINTS], should[JOINTS];
        for (int i = 0; i < JOINTS; i++)
            at[0][i] = q[k * JOINTS + i], at[1][i] = qd[k * JOINTS + i], at[2][i] = tau[k * JOINTS + i];
        assert_int_equal(arne_fd(s.data, at[0], at[1], at[2], should), ARNE_OK);
        for (int i = 0; i < JOINTS; i++)
            if (!(fabs(is[k * JOINTS + i] - should[i]) <= 2e-7 * fabs(should[i])))
                fail_msg("state %d, joint %d: %g, not %g", k, i, is[k * JOINTS + i], should[i]);
    }
    subject_close(&s);
}

/* A chain whose tip weighs next to nothing, the second joint following the first: M dqdd/dx + dtau/dx = 0 of its derivatives, row
 * by row beside what adds up in it, and M dqdd/dtau = 1. */
static void derivatives_of_joints_that_follow_hold_in_doubt(void **state)
{
    (void)state;
    enum { JOINTS = 5, NV = JOINTS - 1, SQUARE = NV * NV };
    for (int light = 0; light < 2; light++) {
        arne_description *d = long_chain(JOINTS);
        arne_body *tip = &d->links[JOINTS].body;
        tip->mass *= light ? 1e-9 : 1;
        for (int k = 0; k < 6; k++) tip->inertia[k] *= light ? 1e-9 : 1;
        assert_int_equal(arne_description_follow(&d->joints[1], d->joints[0].name, -0.7, 0.2), ARNE_OK);
        arne_model *m;
        assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
        arne_data *data = test_data(m);
        assert_int_equal(arne_model_nv(m), NV);
        const double q[NV] = {0.3, -0.8, 1.1, 0.5}, qd[NV] = {1, -0.6, 0.4, 0.9}, tau[NV] = {0.2, -0.3, 0.1, light ? 0 : 0.05};
        double qdd[NV], M[SQUARE], D[3][SQUARE], E[3][SQUARE];
        assert_int_equal(arne_fd(data, q, qd, tau, qdd), ARNE_OK);
        assert_int_equal(arne_mass(data, q, M), ARNE_OK);
        assert_int_equal(arne_fd_derivatives(data, q, qd, tau, D[0], D[1], D[2]), ARNE_OK);
        assert_int_equal(arne_id_derivatives(data, q, qd, qdd, E[0], E[1], NULL), ARNE_OK);
        for (int i = 0; i < NV; i++)
            for (int j = 0; j < NV; j++) E[2][i * NV + j] = i == j ? -1 : 0;
        for (int g = 0; g < 3; g++)
            for (int i = 0; i < NV; i++)
                for (int c = 0; c < NV; c++) {
                    double sum = E[g][i * NV + c], size = fabs(sum);
                    for (int j = 0; j < NV; j++) {
                        sum += M[i * NV + j] * D[g][j * NV + c];
                        size = fmax(size, fabs(M[i * NV + j] * D[g][j * NV + c]));
                    }
                    if (!(fabs(sum) <= 1e-9 * size))
                        fail_msg("part %d, entry %d %d: %g of %g is left%s", g, i, c, sum, size, light ? " in doubt" : "");
                }
        arne_data_free(data);
        arne_model_free(m);
        arne_description_free(d);
    }
}

/* Three joints on one axis of which two follow the first, so that the only body never turns: 1 + 1 - 2 = 0. Nothing moves that
 * has an inertia, which is large where the joints turn by themselves. */
static void what_never_moves_cannot_be_accelerated(void **state)
{
    (void)state;
    static const char *const names[] = {"base", "a", "b", "c"};
    for (int still = 0; still < 2; still++) {
        arne_description *d = arne_description_new("still");
        assert_true(d && arne_description_link(d, names[0], 0));
        for (int k = 1; k < 4; k++) {
            arne_link_description *l = arne_description_link(d, names[k], 0);
            assert_non_null(l);
            if (k == 3) l->body = (arne_body){2, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
            arne_joint_description *j = arne_description_joint(d, names[k], 0, ARNE_REVOLUTE, names[k - 1], names[k]);
            assert_non_null(j);
            if (k > 1) assert_int_equal(arne_description_follow(j, "a", k == 2 ? 1 : still ? -2 : -1.75, 0), ARNE_OK);
        }
        arne_model *m;
        assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
        arne_data *data = test_data(m);
        const double q = 0.25, qd = 0.5, tau = 3;
        double qdd = 7;
        assert_int_equal(arne_fd(data, &q, &qd, &tau, &qdd), still ? ARNE_SINGULAR : ARNE_OK);
        assert_int_equal(arne_data_joint(data), still ? 0 : -1);
        assert_true(fabs(qdd - (still ? 0 : 48)) < 1e-12); /* 3 = (1/4)^2 qdd */
        arne_data_free(data);
        arne_model_free(m);
        arne_description_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_is_enough_wherever_it_stands),
        cmocka_unit_test(what_is_not_finite_is_doubtful),
        cmocka_unit_test(floats_ask_doubles),
        cmocka_unit_test(derivatives_of_joints_that_follow_hold_in_doubt),
        cmocka_unit_test(what_never_moves_cannot_be_accelerated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
