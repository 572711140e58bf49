/* SPDX-License-Identifier: MIT
 *
 * apply_test.c - what was found goes into the description. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arne/estimate.h"
#include "arne/file.h"
#include "estimate/identifier.h"
#include "estimate/table.h"
#include "support/subject.h"

/* mass, first moments and inertia about the origin of the link: of two bodies they add up */
static void about_origin(const arne_body *b, double out[10])
{
    static const int at[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    const double *c = b->com, square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    out[0] = b->mass;
    for (int i = 0; i < 3; i++) out[1 + i] = b->mass * c[i];
    for (int e = 0; e < 6; e++)
        out[4 + e] = b->inertia[e] + b->mass * ((at[e][0] == at[e][1] ? square : 0) - c[at[e][0]] * c[at[e][1]]);
}

static void a_payload_becomes_part_of_its_link(void **state)
{
    (void)state;
    const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, none[3] = {0}, massless[10] = {1, 0, 0, 1, 0, 1, 0.5};
    const arne_body empty = arne__body_in_link(massless, unit, none); /* has no place either */
    for (int k = 0; k < 6; k++) assert_true(empty.com[k % 3] == 0 && empty.inertia[k] == 0);
    arne_description *d = table();
    arne_error error = {0};
    const arne_body own = {2, {0.1, -0.2, 0.3}, {0.5, 0.01, 0.02, 0.6, -0.03, 0.7}},
                    load = {3, {-0.2, 0.05, 0.4}, {0.1, -0.02, 0.03, 0.2, 0.01, 0.25}};
    arne_identified r = {.payload_link = "arm", .payload = {.body = load}};
    double sum[10], part[2][10];
    d->links[2].body = own;
    const arne_body car = d->links[1].body;
    assert_int_equal(arne_identified_apply(&r, d, &error), ARNE_OK);
    about_origin(&d->links[2].body, sum);
    about_origin(&own, part[0]);
    about_origin(&load, part[1]);
    for (int k = 0; k < 10; k++) assert_true(fabs(sum[k] - part[0][k] - part[1][k]) < 1e-14);
    assert_memory_equal(&d->links[1].body, &car, sizeof car);
    r.payload_link = "hand";
    assert_int_equal(arne_identified_apply(&r, d, &error), ARNE_BAD_VALUE);
    assert_string_equal(error.message, "the description has no link hand: it is another robot's");
    arne_description_free(d);
}

/* Behind the car: the arm, which turns, and a lamp, a plate, fixed one to the other. A wheel follows the arm, a hub the wheel. */
static arne_description *tree(void)
{
    static const char *const names[4][3] = {
        {"lamp", "bolt", "car"}, {"plate", "glue", "lamp"}, {"wheel", "roll", "car"}, {"hub", "spin", "car"}};
    arne_description *d = table();
    for (int k = 0; k < 4; k++) {
        arne_description_link(d, names[k][0], 0)->body = (arne_body){5, {1, 2, 3}, {1, 0, 0, 1, 0, 1}};
        arne_joint_description *j =
            arne_description_joint(d, names[k][1], 0, k < 2 ? ARNE_FIXED : ARNE_REVOLUTE, names[k][2], names[k][0]);
        assert_non_null(j);
        if (k >= 2) assert_int_equal(arne_description_follow(j, k == 2 ? "turn" : "roll", 2, 0), ARNE_OK);
        j->friction.viscous = 1, j->friction.coulomb = 2, j->friction.offset = 3;
        j->motor.inertia = 4, j->motor.viscous = 5, j->motor.coulomb = 6;
    }
    return d;
}

static void what_was_found_goes_into_links_and_joints(void **state)
{
    (void)state;
    arne_description *d = tree();
    arne_error error = {0};
    const arne_body found = {7, {0.1, 0.2, 0.3}, {1, 2, 3, 4, 5, 6}}, arm = d->links[2].body;
    arne_identified_body bodies[2] = {{.link = "car", .body = found, .felt = true}, {.link = "arm", .body = found}};
    arne_identified_joint joints[2] = {{.name = "turn",
                                        .rotor = 3,
                                        .motor_viscous = 5,
                                        .motor_coulomb = 7,
                                        .viscous = 11,
                                        .coulomb = 13,
                                        .static_ = 17,
                                        .stribeck_velocity = 0.3,
                                        .offset = 19,
                                        .coulomb_negative = 23},
                                       {.name = "x", .coulomb = 29, .stribeck_velocity = 0.7}};
    arne_identified r = {.nbody = 2, .bodies = bodies, .njoint = 2, .joints = joints};
    assert_int_equal(arne_identified_apply(&r, d, &error), ARNE_OK);
    /* of the car and all that is fixed to it, one body; the arm was not felt */
    assert_memory_equal(&d->links[1].body, &found, sizeof found);
    assert_memory_equal(&d->links[2].body, &arm, sizeof arm);
    for (int k = 3; k < 7; k++)
        assert_true(d->links[k].body.mass == (k < 5 ? 0 : 5) && d->links[k].body.com[1] == (k < 5 ? 0 : 2));
    const arne_joint_description *turn = &d->joints[1], *x = &d->joints[0];
    assert_true(turn->motor.inertia == 0.03 && turn->motor.viscous == 0.05 && turn->motor.coulomb == 0.7);
    assert_true(turn->friction.viscous == 11 && turn->friction.coulomb == 13 && turn->friction.static_ == 17);
    assert_true(turn->friction.stribeck_velocity == 0.3 && turn->friction.stribeck_exponent == 2);
    assert_true(turn->friction.offset == 19 && turn->friction.coulomb_negative == 23 && turn->motor.gear == -10);
    assert_true(x->friction.viscous == 0 && x->friction.coulomb == 29 && x->friction.static_ == 0);
    assert_true(x->friction.stribeck_velocity == 0.1 && x->friction.stribeck_exponent == 2 && x->motor.inertia == 0);
    /* what follows is in the numbers of its master, however far */
    for (int k = 2; k < 6; k++) {
        const arne_joint_description *j = &d->joints[k];
        const double here[6] = {j->friction.viscous, j->friction.coulomb, j->friction.offset,
                                j->motor.inertia,    j->motor.viscous,    j->motor.coulomb};
        for (int c = 0; c < 6; c++) assert_true(here[c] == (k < 4 ? c + 1 : 0));
    }
    joints[1].name = "y";
    assert_int_equal(arne_identified_apply(&r, d, &error), ARNE_BAD_VALUE);
    assert_string_equal(error.message, "the description has no joint y: it is another robot's");
    bodies[1].link = "leg";
    assert_int_equal(arne_identified_apply(&r, d, &error), ARNE_BAD_VALUE);
    assert_string_equal(error.message, "the description has no link leg: it is another robot's");
    arne_description_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_payload_becomes_part_of_its_link),
        cmocka_unit_test(what_was_found_goes_into_links_and_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
