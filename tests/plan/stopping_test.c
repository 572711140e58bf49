/* SPDX-License-Identifier: MIT
 *
 * stopping_test.c - a transmission that couples nothing changes no way to a stop, and two motors on one joint brake it by the sum
 * of what they can. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arne/plan.h"
#include "support/data.h"
#include "support/subject.h"

enum { N = 2 };

/* two slides at right angles without gravity, 2 kg and 1 kg, motors of 3 N and 5 N; J NULL: no transmission */
static void stopping(const double *J, const double *qd, double distance[N])
{
    static const char *const links[] = {"base", "a", "b"}, *const joints[] = {"x", "y"};
    arne_description *d = arne_description_new("table");
    assert_non_null(d);
    memset(d->gravity, 0, sizeof d->gravity);
    for (int i = 0; i < 3; i++) {
        arne_link_description *l = arne_description_link(d, links[i], 0);
        assert_non_null(l);
        if (i) l->body = (arne_body){.mass = 1, .inertia = {1, 0, 0, 1, 0, 1}};
    }
    for (int i = 0; i < N; i++) {
        arne_joint_description *j = arne_description_joint(d, joints[i], 0, ARNE_PRISMATIC, links[i], links[i + 1]);
        assert_non_null(j);
        for (int k = 0; k < 3; k++) j->axis[k] = k == i;
        j->motor.effort = i ? 5 : 3;
    }
    if (J) {
        d->ntransmission = N;
        d->transmission = malloc(N * N * sizeof *d->transmission);
        assert_non_null(d->transmission);
        memcpy(d->transmission, J, N * N * sizeof *J);
    }
    subject s = subject_of(d);
    const double zero[N] = {0};
    assert_int_equal(arne_stopping(s.data, zero, qd, zero, distance), ARNE_OK);
    subject_close(&s);
}

static void near(double is, double should)
{
    if (!(fabs(is - should) < 1e-12)) fail_msg("%g, not %g", is, should);
}

static void ways_to_a_stop(void **state)
{
    (void)state;
    static const double unit[] = {1, 0, 0, 1}, coupled[] = {1, 0, 1, 1};
    for (int sign = -1; sign <= 1; sign += 2) {
        const double qd[N] = {sign * 2.0, sign * 4.0};
        double distance[N];
        /* v^2 m / (2 F) */
        stopping(NULL, qd, distance);
        near(distance[0], 4 * 2.0 / (2 * 3));
        near(distance[1], 16 * 1.0 / (2 * 5));
        stopping(unit, qd, distance);
        near(distance[0], 4 * 2.0 / (2 * 3));
        near(distance[1], 16 * 1.0 / (2 * 5));
        /* tau = J^-T t, J^-T = [1 -1; 0 1]: both motors brake x, whichever way they must pull */
        stopping(coupled, qd, distance);
        near(distance[0], 4 * 2.0 / (2 * (3 + 5)));
        near(distance[1], 16 * 1.0 / (2 * 5));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ways_to_a_stop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
