/* SPDX-License-Identifier: MIT
 *
 * random_test.c - every compiler builds the same random robots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "support/random_robot.h"

/* numbers that depend on every draw before them, rounded: sines may differ in the last bit */
static double trace(const arne_description *d)
{
    double sum = 0;
    for (size_t i = 0; i < d->njoint; i++) {
        const arne_joint_description *j = &d->joints[i];
        sum += j->axis[0] + 2 * j->axis[1] + 3 * j->axis[2] + j->motor.gear / 100 + j->friction.coulomb;
        for (int k = 0; k < 9; k++) sum += (j->before.R[k] + 2 * j->after.R[k]) * (k + 1);
        for (int k = 0; k < 3; k++) sum += (j->before.p[k] + 2 * j->after.p[k]) * (k + 1);
    }
    for (size_t i = 0; i < d->nlink; i++) sum += d->links[i].body.mass + d->links[i].body.com[0];
    for (size_t i = 0; i < d->ntransmission * d->ntransmission; i++) sum += d->transmission[i];
    return sum;
}

static void the_same_everywhere(void **state)
{
    (void)state;
    double sum = 0;
    for (unsigned seed = 0; seed < 4 * RANDOM_FAMILIES; seed++) {
        arne_description *d = random_robot_with(seed, RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_LAWS | RANDOM_TRANSMISSION);
        sum += trace(d) * (1 + seed % 7);
        arne_description_free(d);
    }
    arne_description *d = long_chain(50);
    sum += trace(d);
    arne_description_free(d);
    if (fabs(sum - 87259.815240966) > 1e-6) fail_msg("the robots give %.9f", sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
