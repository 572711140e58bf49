/* SPDX-License-Identifier: MIT
 *
 * frames_test.c - the form of canonical frames: gamma is for the other children only, so in every body one child (the main one)
 * has gamma = 0 and, where its origin is told by b, d and r, b = 0; between parallel axes x points from one to the other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "describe/frames.h"
#include "support/random_robot.h"
#include "support/subject.h"

static void every_body_has_a_child_without_gamma(void **state)
{
    (void)state;
    int parents = 0, parallel = 0;
    for (int number = 0; number < shipped_robots() + 60; number++) {
        arne_description *d = robot_number(number, 0);
        if (d->mdh) { /* the frames of the file, whatever they are */
            arne_description_free(d);
            continue;
        }
        robot_tree *t;
        assert_int_equal(arne__tree_build(d, &t, NULL), ARNE_OK);
        canonical_frame *f = calloc((size_t)t->nbody, sizeof *f);
        assert_true(f && arne__frames_choose(d, t, f));
        for (int i = 0; i < t->nbody; i++) {
            int children = 0, plain = 0;
            for (int c = i + 1; c < t->nbody; c++) {
                if (t->body_parent[c] != i) continue;
                children++;
                if (f[c].sa == 0 && hypot(f[c].p[0], f[c].p[1]) > 1e-9 && !f[c].dh)
                    fail_msg("%s: x does not point from body %d to the parallel axis of body %d", d->name, i, c);
                parallel += f[c].sa == 0 && fabs(f[c].d) > 1e-3 && fabs(f[c].d) < 1;
                plain += fabs(f[c].sg) < 1e-9 && f[c].cg > 0 && (!f[c].dh || fabs(f[c].b) < 1e-9);
            }
            if (children && !plain) fail_msg("%s: body %d has %d children, none of them in plain form", d->name, i, children);
            /* a tip has nobody to look at: theta = 0, and r = 0, but on the base */
            if (!children && t->body_parent[i] >= 0 &&
                !(fabs(f[i].st) < 1e-9 && f[i].ct > 0 && (!f[i].dh || fabs(f[i].r) < 1e-9)))
                fail_msg("%s: body %d is a tip with theta or r", d->name, i);
            parents += children > 0;
        }
        free(f);
        arne__tree_free(t);
        arne_description_free(d);
    }
    assert_true(parents > 100 && parallel > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_body_has_a_child_without_gamma)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
