/* SPDX-License-Identifier: MIT
 *
 * border_test.c - trajectories: nothing where something should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arne/trajectory.h"

enum { BAD = ARNE_BAD_ARGUMENT };

static void nothing_is_refused(void **state)
{
    (void)state;
    const double t[3] = {0, 1, 2}, x[9] = {0};
    double out[3];
    arne_trajectory *s;
    arne_error e;
    for (int k = 0; k < 4; k++) {
        const double *a = k == 0 ? NULL : x, *b = k == 1 ? NULL : x, *c = k == 2 ? NULL : x, *time = k == 0 ? NULL : t;
        arne_trajectory **to = k == 3 ? NULL : &s;
        const arne_status two = k == 2 ? ARNE_OK : BAD;
        assert_int_equal(arne_trajectory_fourier(1, 1, 1, a, b, c, 0, 1, 0, to, &e), BAD);
        s = NULL;
        assert_int_equal(arne_trajectory_polynomial(1, 3, 0, 1, a, b, to, &e), two);
        arne_trajectory_free(s), s = NULL;
        assert_int_equal(arne_trajectory_rest_to_rest(1, 3, 0, 1, a, b, to, &e), two);
        arne_trajectory_free(s), s = NULL;
        assert_int_equal(arne_trajectory_spline(1, 3, 3, time, b, to, &e), two);
        arne_trajectory_free(s), s = NULL;
        assert_int_equal(arne_trajectory_samples(1, 3, 3, time, b, to, &e), two);
        arne_trajectory_free(s);
    }
    assert_int_equal(arne_trajectory_spline(1, 3, 3, t, x, &s, NULL), ARNE_OK);
    arne_trajectory *parts[2] = {s, NULL}, *whole = s;
    assert_int_equal(arne_trajectory_sequence(2, parts, &whole, &e), BAD);
    assert_null(whole);
    assert_int_equal(arne_trajectory_sequence(1, NULL, &whole, &e), BAD);
    assert_int_equal(arne_trajectory_sequence(1, parts, NULL, &e), BAD);
    assert_int_equal(arne_trajectory_at(NULL, 0, 0, out), BAD);
    assert_int_equal(arne_trajectory_at(s, 0, -1, out), BAD);
    assert_int_equal(arne_trajectory_at(s, 0, 0, NULL), BAD);
    assert_int_equal(arne_trajectory_at(s, 0, 2, out), ARNE_OK);
    arne_trajectory_free(s);
    arne_trajectory_free(NULL);
    assert_true(arne_trajectory_dof(NULL) == 0 && arne_trajectory_start(NULL) == 0 && arne_trajectory_end(NULL) == 0 &&
                arne_trajectory_smoothness(NULL) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
