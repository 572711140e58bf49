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

/* A link of 1 kg at `com` on a link before it: axis u through p, both in axes of the link before. */
static void hang(arne_description *d, const char *parent, const char *name, const double p[3], const double u[3],
                 const double com[3])
{
    arne_link_description *l = arne_description_link(d, name, 0);
    assert_non_null(l);
    l->body = (arne_body){1, {com[0], com[1], com[2]}, {1, 0, 0, 1, 0, 1}};
    arne_joint_description *j = arne_description_joint(d, name, 0, ARNE_REVOLUTE, parent, name);
    assert_non_null(j);
    for (int k = 0; k < 3; k++) j->before.p[k] = p[k], j->axis[k] = u[k];
}

enum { BODIES = 4 };
static const double no[3], up[3] = {0, 0, 1};

static void frames(arne_description *d, canonical_frame f[BODIES])
{
    robot_tree *t;
    assert_int_equal(arne__tree_build(d, &t, NULL), ARNE_OK);
    assert_true(t->nbody <= BODIES && arne__frames_choose(d, t, f));
    arne__tree_free(t);
    arne_description_free(d);
}

static arne_description *on_base(void)
{
    arne_description *d = arne_description_new("frames");
    assert_true(d && arne_description_link(d, "base", 0));
    return d;
}

/* x looks at the child that carries most bodies, of equal ones at the first; gamma is for the others */
static void the_main_child_carries_most(void **state)
{
    (void)state;
    for (int longer = 0; longer < 3; longer++) {
        canonical_frame f[BODIES];
        arne_description *d = on_base();
        hang(d, "base", "hip", no, up, no);
        hang(d, "hip", "left", (const double[3]){0.5, 0, 0}, up, no);
        hang(d, "hip", "right", (const double[3]){0, 0.3, 0}, up, no);
        if (longer < 2) hang(d, longer ? "right" : "left", "foot", (const double[3]){0.2, 0.1, 0}, up, no);
        frames(d, f);
        const int left = 1, right = longer ? 2 : 3, main = longer == 1 ? right : left, other = left + right - main;
        assert_true(f[main].cg == 1 && f[main].sg == 0 && f[main].dh && f[main].b == 0);
        assert_true(fabs(f[main].d - (main == left ? 0.5 : 0.3)) < 1e-15);
        assert_true(fabs(f[other].cg) < 1e-15 && f[other].sg == (main == left ? 1 : -1));
        assert_true(fabs(f[other].d - (main == left ? 0.3 : 0.5)) < 1e-15);
    }
}

/* The first joint's origin is nearest to the centre of mass where nothing else tells; that of a joint with a child at the foot
 * of the common normal, also where axes are not at right angles. */
static void origins_stand_at_the_feet_of_normals(void **state)
{
    (void)state;
    canonical_frame f[BODIES];
    arne_description *d = on_base();
    hang(d, "base", "arm", (const double[3]){1, 2, 3}, up, (const double[3]){0.1, 0.2, 0.7});
    frames(d, f);
    assert_true(f[0].frame.p[0] == 0 && f[0].frame.p[1] == 0 && fabs(f[0].frame.p[2] - 0.7) < 1e-15);
    d = on_base(); /* the second axis passes at x = 0.4, through (0.4, 0, 0.5) in direction (0, 3, 4)/5 */
    hang(d, "base", "arm", (const double[3]){1, 2, 3}, up, (const double[3]){0.1, 0.2, 0.7});
    hang(d, "arm", "hand", (const double[3]){0.4, 0.6, 1.3}, (const double[3]){0, 0.6, 0.8}, (const double[3]){0, 0, 0.3});
    frames(d, f);
    const double x[3] = {f[0].frame.R[0], f[0].frame.R[3], f[0].frame.R[6]};
    /* the normal of axes that do not meet points along their cross product, here (-0.6, 0, 0) */
    assert_true(fabs(x[0] + 1) < 1e-15 && x[1] == 0 && x[2] == 0);
    assert_true(fabs(f[0].frame.p[0]) < 1e-15 && fabs(f[0].frame.p[1]) < 1e-15 && fabs(f[0].frame.p[2] - 0.5) < 1e-15);
    assert_true(fabs(f[1].d + 0.4) < 1e-15 && f[1].b == 0 && f[1].r == 0 && f[1].dh);
    assert_true(fabs(f[1].ca - 0.8) < 1e-15 && fabs(f[1].sa - 0.6) < 1e-15 && f[1].ct == 1 && f[1].st == 0);
}

/* Axes that meet at most 8 times as far away as they are apart do so; beyond, origins stay near the robot. */
static void far_normals_are_not_used(void **state)
{
    (void)state;
    static const double far[] = {7.9, 8.5};
    for (int k = 0; k < 2; k++) {
        canonical_frame f[BODIES];
        arne_description *d = on_base();
        hang(d, "base", "arm", no, up, no);
        hang(d, "arm", "hand", (const double[3]){1, 0, 0}, (const double[3]){-1, 0, far[k]}, no);
        frames(d, f);
        assert_true(fabs(f[0].frame.p[2] - (k ? 0 : far[0])) < 1e-12);
        assert_true(f[0].frame.p[0] == 0 && f[0].frame.p[1] == 0);
        assert_true(fabs(fabs(f[0].frame.R[3]) - 1) < 1e-15); /* the normal is along y */
    }
}

/* what is parallel, and what is rounding */
static void nearly_parallel_is_parallel_below_1e_13(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        canonical_frame f[BODIES];
        arne_description *d = on_base();
        hang(d, "base", "arm", (const double[3]){1, k ? 4.5e-15 : 3.5e-15, 0}, up, no);
        hang(d, "arm", "hand", (const double[3]){1, 0, 0}, (const double[3]){0, k ? 1.1e-13 : 0.9e-13, 1}, no);
        frames(d, f);
        assert_true(k ? f[1].sa != 0 : f[1].sa == 0);
        assert_true(k ? f[0].sg != 0 : f[0].sg == 0);
        assert_true(fabs(f[0].cg - 1) < 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_has_a_child_without_gamma),    cmocka_unit_test(the_main_child_carries_most),
        cmocka_unit_test(origins_stand_at_the_feet_of_normals),    cmocka_unit_test(far_normals_are_not_used),
        cmocka_unit_test(nearly_parallel_is_parallel_below_1e_13),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
