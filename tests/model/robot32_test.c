/* SPDX-License-Identifier: MIT
 *
 * robot32_test.c - the robot in floats: every constant of robot.def is the rounded double, every integer the same. */
#define KIND f32
#include "kinds/settings.h"

#include <stdlib.h>

#include "model/robot.h"
#include "support/text32.h"
#include "symbolic/symbolic.h"

enum { RANDOM_ROBOTS = 10 * RANDOM_FAMILIES };

#define AT_1(x, k) ((void)(k), (x))
#define AT_3(x, k) (x)[k]
#define AT_6(x, k) (x)[k]
#define AT_9(x, k) (x)[k]

static int constants;

static void rounded(const subject *s, const void *doubles, robot_row row, int link, int index, float is)
{
    const float should = (float)arne__robot_constant(doubles, row, link, index);
    if (is != should) fail_msg("%s: row %d[%d] of link %d is %a, not %a", s->name, row, index, link, (double)is, (double)should);
    constants++;
}
#define ROUNDED(row, link, count, x)                                                                                             \
    for (int k = 0; k < count; k++) rounded(s, doubles, row, link, k, AT_##count(x, k));

static void check_links(const subject *s, const void *doubles, const robot *r)
{
#define WHOLE(field, count, role, names) ROUNDED(ROBOT_WHOLE_##field, 0, count, r->field)
#include "model/robot.def"
    for (int i = 0; i < r->n; i++) {
        const link_integers integer = arne__robot_integers(doubles, i);
        const robot_link *l = &r->link[i];
#define INTEGER(field) assert_int_equal(l->field, integer.field);
#define LINK(field, count, role, names) ROUNDED(ROBOT_LINK_##field, i, count, l->field)
#include "model/robot.def"
    }
}

static void check_frames(const subject *s, const void *doubles, const robot *r)
{
    for (int i = 0; i < r->at.nbase; i++) {
#define BASE(field, count, role, names) ROUNDED(ROBOT_BASE_##field, i, count, robot_base(r, i)->field)
#include "model/robot.def"
    }
    for (int i = 0; i < r->at.nframe; i++) {
        assert_int_equal(robot_frame(r, i)->body, arne__robot_body(doubles, i));
#define FRAME(field, count, role, names) ROUNDED(ROBOT_FRAME_##field, i, count, robot_frame(r, i)->field)
#include "model/robot.def"
    }
}

static void check_motors(const subject *s, const void *doubles, const robot *r)
{
#define MOTORS(field, squares, role, name)                                                                                       \
    for (int i = 0; robot_##field(r) && i < (squares == 2 ? r->nv : 1); i++)                                                     \
        for (int k = 0; k < r->nv; k++)                                                                                          \
            rounded(s, doubles, ROBOT_MOTORS_##field, i, k, robot_##field(r)[(squares == 2 ? i * r->nv : 0) + k]);
#include "model/robot.def"
}

/* what is the same in every kind stands at the end of both blocks */
static void check_rest(const void *doubles, const robot *r)
{
    const robot_places *from = arne__robot_places(doubles);
    const robot_counts n = arne__robot_counts(doubles), is = robot_count(r);
    assert_memory_equal(&n, &is, sizeof n);
    assert_int_equal(r->at.bytes - r->at.turns_at, from->bytes - from->turns_at);
    assert_memory_equal((const char *)r + r->at.turns_at, (const char *)doubles + from->turns_at, r->at.bytes - r->at.turns_at);
}

static void every_constant_is_rounded(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, parts_of(number));
        const void *doubles = arne__data_doubles(s.data);
        text32 *t = text32_new(s.data);
        for (int setting = 0; setting < SETTINGS; setting++) {
            set_up(&s, setting);
            text32_take(t, s.data);
            check_links(&s, doubles, text32_robot(t));
            check_frames(&s, doubles, text32_robot(t));
            check_motors(&s, doubles, text32_robot(t));
            check_rest(doubles, text32_robot(t));
        }
        text32_free(t);
        subject_close(&s);
    }
    assert_true(constants > 100000);
}

/* numbers of links through the public parameters, by hand */
static void masses_are_where_they_belong(void **state)
{
    (void)state;
    subject s = subject_number(2, 0);
    text32 *t = text32_new(s.data);
    const robot *r = text32_robot(t);
    double K[11 * MOST_DOF];
    arne_parameters(s.settings, K);
    for (int i = 0; i < s.n; i++) {
        assert_true(r->link[i].M == (float)K[11 * i + 9]);
        for (int c = 0; c < 3; c++) assert_true(r->link[i].MS[c] == (float)K[11 * i + 6 + c]);
        for (int c = 0; c < 6; c++) assert_true(r->link[i].J[c] == (float)K[11 * i + c]);
    }
    for (int c = 0; c < 3; c++) assert_true(r->g[c] == (float)arne_settings_gravity(s.settings)[c]);
    text32_free(t);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_constant_is_rounded),
        cmocka_unit_test(masses_are_where_they_belong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
