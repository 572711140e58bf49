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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_is_enough_wherever_it_stands),
        cmocka_unit_test(what_is_not_finite_is_doubtful),
        cmocka_unit_test(floats_ask_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
