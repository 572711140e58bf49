/* SPDX-License-Identifier: MIT
 *
 * friction_test.c - friction through points takes the place of the other laws, be it one point or two. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/subject.h"

static void points_take_the_place_of_numbers(void **state)
{
    (void)state;
    static const double points[2][2] = {{0, 5}, {2, 9}};
    for (int npoint = 0; npoint <= 2; npoint++) {
        arne_description *d = arne_description_new("rubbing");
        assert_true(d && arne_description_link(d, "base", 0));
        arne_link_description *l = arne_description_link(d, "arm", 0);
        assert_non_null(l);
        l->body = (arne_body){.mass = 1, .inertia = {1, 0, 0, 1, 0, 1}};
        arne_joint_description *j = arne_description_joint(d, "j1", 0, ARNE_REVOLUTE, "base", "arm");
        assert_non_null(j);
        j->friction.viscous = 0.5;
        j->friction.coulomb = 3;
        j->friction.npoint = npoint;
        if (npoint) {
            j->friction.points = malloc((size_t)npoint * sizeof *j->friction.points);
            assert_non_null(j->friction.points);
            memcpy(j->friction.points, points, (size_t)npoint * sizeof *points);
        }
        subject s = subject_of(d);
        /* |velocity| 1: 3 + 0.5, the one torque that is given, and half the way from 5 to 9 */
        static const double should[] = {3.5, 5, 7};
        for (int sign = -1; sign <= 1; sign += 2) {
            const double qd = sign;
            double tau;
            assert_int_equal(arne_friction_torque(s.data, &qd, &tau), ARNE_OK);
            if (fabs(tau - sign * should[npoint]) > 1e-12) fail_msg("%d points: %g", npoint, tau);
        }
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_take_the_place_of_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
