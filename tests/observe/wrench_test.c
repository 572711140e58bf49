/* SPDX-License-Identifier: MIT
 *
 * wrench_test.c - the estimate of a wrench from residuals that no wrench makes: what it leaves, J'w against r, is at right angles
 * to all that a wrench could do, and `unexplained` is its share of the residual's norm. Who is named as hit, and when. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arne/observe.h"
#include "support/subject.h"

static void what_is_left_is_unexplained(void **state)
{
    (void)state;
    int partly = 0;
    for (int robot = 0; robot < shipped_robots() + 5; robot++) {
        subject s = subject_number(robot, 0);
        const int n = s.n;
        const motion x = subject_motion(&s, 1);
        double J[6 * MOST_DOF], r[MOST_DOF], left[MOST_DOF];
        for (int i = 0; i < n; i++) r[i] = cos(3 * i) + 0.2;
        for (int link = 0; link < s.nlink; link++) {
            const arne_touch at = {.link = link};
            arne_wrench_estimate w;
            assert_int_equal(arne_residual_wrench(s.data, x.q, &at, r, &w), ARNE_OK);
            assert_int_equal(arne_link_jacobian(s.data, x.q, link, ARNE_ALIGNED, J), ARNE_OK);
            double all = 0, rest = 0;
            for (int i = 0; i < n; i++) {
                left[i] = r[i];
                for (int k = 0; k < 6; k++) left[i] -= J[k * n + i] * w.wrench[k];
                all += r[i] * r[i];
                rest += left[i] * left[i];
            }
            assert_true(fabs(w.unexplained - sqrt(rest / all)) < 1e-9);
            const double scale = largest(6 * n, J);
            for (int k = 0; k < 6; k++) {
                double dot = 0;
                for (int i = 0; i < n; i++) dot += J[k * n + i] * left[i];
                if (!(fabs(dot) <= 1e-9 * scale)) fail_msg("%s, link %d: row %d of J feels %g", s.name, link, k, dot);
            }
            partly += w.unexplained > 0.1 && w.unexplained < 0.9;
        }
        subject_close(&s);
    }
    assert_true(partly > 10);
}

/* as long as there is no contact no joint and no link is named; afterwards the one farthest over its threshold */
static void nobody_is_named_without_contact(void **state)
{
    (void)state;
    subject s = subject_number(0, 0);
    double threshold[MOST_DOF], r[MOST_DOF] = {0};
    for (int i = 0; i < s.n; i++) threshold[i] = 1;
    arne_detector *x;
    assert_int_equal(arne_detector_new(s.m, threshold, &x, NULL), ARNE_OK);
    arne_detection d;
    for (int k = 0; k < 3; k++) {
        r[0] = 0.4 * k;
        assert_int_equal(arne_detector_tick(x, r, &d), ARNE_OK);
        assert_true(!d.contact && d.joint == -1 && d.link_joint == -1);
    }
    r[0] = 1.1, r[1] = 1.2;
    assert_int_equal(arne_detector_tick(x, r, &d), ARNE_OK);
    assert_true(d.contact && d.began && d.joint == 1 && d.link_joint == 1);
    arne_detector_free(x);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_is_unexplained),
        cmocka_unit_test(nobody_is_named_without_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
