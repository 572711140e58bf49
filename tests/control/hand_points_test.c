/* SPDX-License-Identifier: MIT
 *
 * hand_points_test.c - joint positions along straight lines of a link: where the link then is, and what is said when it cannot.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/file.h"
#include "arne/hand.h"

enum { N = 6 };
static arne_model *m;
static arne_data *d;
static const double START[N] = {0, -1.2, 1.5, -1.8, -1.5, 0};

static int set_up(void **state)
{
    (void)state;
    return arne_load(ARNE_ROBOTS "/ur5e.yaml", &m, NULL) || arne_data_new(m, &d, NULL) || arne_data_prepare(d, ARNE_HANDS, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    arne_data_free(d);
    arne_model_free(m);
    return 0;
}

static void expect(const double *q, const arne_pose *should, bool places)
{
    arne_pose at;
    double off[6];
    assert_int_equal(arne_link_pose(d, q, arne_model_tip(m), &at), ARNE_OK);
    arne_hand_error(&at, should, off);
    for (int i = 0; i < (places ? 3 : 6); i++) assert_true(fabs(off[i]) < 1e-8);
}

/* 0.4 m along y, half a radian about z, in steps of 0.01 m: 40 of them; then straight up, 10 */
static void links_follow_lines(void **state)
{
    (void)state;
    static const double at[3][6] = {{0.4, 0.2, 0.3, 3, 0, 0}, {0.4, -0.2, 0.3, 3, 0, 0}, {0.4, -0.2, 0.4, 3, 0, 0}};
    arne_pose poses[3];
    for (int k = 0; k < 3; k++) poses[k] = arne_pose_rpy(at[k], at[k] + 3);
    for (int places = 0; places < 2; places++) {
        const arne_hand_options o = {.size = sizeof o, .position_only = places};
        double *q;
        int rows;
        arne_error e = {0};
        if (arne_hand_points(d, arne_model_tip(m), 3, poses, &o, START, 0.01, &q, &rows, &e)) fail_msg("%s", e.message);
        assert_int_equal(rows, 51);
        for (int k = 0; k < rows; k++) {
            arne_pose should = poses[0];
            should.p[1] = k <= 40 ? 0.2 - 0.01 * k : -0.2;
            should.p[2] = k <= 40 ? 0.3 : 0.3 + 0.01 * (k - 40);
            expect(q + k * N, &should, places);
        }
        free(q);
    }
    /* a turn on the spot counts too: 1 rad, a tenth of a radian a step */
    const double turned[6] = {0.4, 0.2, 0.3, 3, 0, 1};
    poses[1] = arne_pose_rpy(turned, turned + 3);
    double *q;
    int rows;
    assert_int_equal(arne_hand_points(d, arne_model_tip(m), 2, poses, NULL, START, 0.01, &q, &rows, NULL), ARNE_OK);
    assert_int_equal(rows, 11);
    expect(q + 10 * N, &poses[1], false);
    free(q);
    /* but not for a place alone */
    const arne_hand_options places = {.size = sizeof places, .position_only = true};
    assert_int_equal(arne_hand_points(d, arne_model_tip(m), 2, poses, &places, START, 0.01, &q, &rows, NULL), ARNE_OK);
    assert_int_equal(rows, 2);
    free(q);
}

static void expect_sentence(int count, const arne_pose *poses, double step, const char *from, const char *to)
{
    double *q;
    int rows;
    arne_error e;
    assert_int_equal(arne_hand_points(d, arne_model_tip(m), count, poses, NULL, START, step, &q, &rows, &e), ARNE_BAD_VALUE);
    assert_null(q);
    if (strncmp(e.message, from, strlen(from)) || !strstr(e.message, to))
        fail_msg("\"%s\" is not \"%s ... %s\"", e.message, from, to);
}

/* which pose, how far on the way, what is wrong */
static void sentences_say_where(void **state)
{
    (void)state;
    static const double at[4][6] = {
        {0.4, 0.2, 0.3, 3, 0, 0}, {0.4, 0.1, 0.3, 3, 0, 0}, {0.4, 0.1, 9.3, 3, 0, 0}, {0.4, -0.4, 0.3, 3, 0, 0}};
    arne_pose poses[4];
    for (int k = 0; k < 4; k++) poses[k] = arne_pose_rpy(at[k], at[k] + 3);
    /* 9 m up in steps of 0.6 m: the first of 15 is too high */
    expect_sentence(3, poses, 0.6, "link wrist_3 does not come to 6.67 % of the way from pose 2 to 3, from where it was before; ",
                    " m and ");
    expect_sentence(3, poses, 10, "link wrist_3 does not come to pose 3, from where it was before; the nearest found is ",
                    " rad away");
    expect_sentence(2, poses + 2, 0.1, "pose 1: link wrist_3 cannot reach the target, which is at least ", " too far away");
    expect_sentence(1, poses, 0.1, "a path has at least two poses", "");
    expect_sentence(2, poses, 0, "the step along the lines is above 0", "");
    expect_sentence(2, poses, NAN, "the step along the lines is above 0", "");
    expect_sentence(2, poses, 1e-11, "a path of 1e+10 points: the step is too small", "");
    arne_pose none = poses[1];
    none.R[8] = INFINITY;
    const arne_pose second[3] = {poses[0], none, poses[1]};
    expect_sentence(3, second, 0.1, "pose 2 has a number that is not finite", "");
    none = poses[1], none.p[2] = NAN;
    const arne_pose third[3] = {poses[0], poses[1], none};
    expect_sentence(3, third, 0.1, "pose 3 has a number that is not finite", "");
}

/* The hand turns half round in one step: some joint goes by more than a radian, and is named with how far. */
static void a_jump_is_told(void **state)
{
    (void)state;
    static const double at[2][6] = {{0.4, 0.2, 0.3, 3.141592653589793, 0, 0}, {0.4, 0.2, 0.3, 3.141592653589793, 0, 2}};
    arne_pose poses[2];
    for (int k = 0; k < 2; k++) poses[k] = arne_pose_rpy(at[k], at[k] + 3);
    double *q;
    int rows;
    arne_error e;
    assert_int_equal(arne_hand_points(d, arne_model_tip(m), 2, poses, NULL, START, 1, &q, &rows, &e), ARNE_BAD_VALUE);
    /* about the axis of the last joint, which points down: the other way round */
    assert_string_equal(e.message, "joint wrist_3 would jump by -2 on the way to pose 2: the path passes a singular position");
}

static void faults_have_a_sentence(void **state)
{
    (void)state;
    static const double at[3][6] = {{0.4, 0.2, 0.3, 3, 0, 0}, {2, 0.2, 0.3, 3, 0, 0}, {NAN, 0.2, 0.3, 3, 0, 0}};
    arne_pose poses[3];
    for (int k = 0; k < 3; k++) poses[k] = arne_pose_rpy(at[k], at[k] + 3);
    const int tip = arne_model_tip(m);
    double *q = (double *)poses;
    int rows;
    arne_error e;
    assert_int_equal(arne_hand_points(d, tip, 2, poses, NULL, START, 0.01, &q, &rows, &e), ARNE_BAD_VALUE);
    assert_null(q);
    assert_non_null(strstr(e.message, "of the way from pose 1 to 2"));
    const arne_pose far[2] = {poses[1], poses[0]}, none[2] = {poses[0], poses[2]};
    assert_int_equal(arne_hand_points(d, tip, 2, far, NULL, START, 0.01, &q, &rows, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "pose 1"));
    assert_int_equal(arne_hand_points(d, tip, 2, none, NULL, START, 0.01, &q, &rows, &e), ARNE_BAD_VALUE);
    assert_int_equal(arne_hand_points(d, tip, 1, poses, NULL, START, 0.01, &q, &rows, &e), ARNE_BAD_VALUE);
    assert_int_equal(arne_hand_points(d, tip, 2, poses, NULL, START, 0, &q, &rows, &e), ARNE_BAD_VALUE);
    for (int k = 0; k < 5; k++)
        assert_int_equal(arne_hand_points(k == 0 ? NULL : d, tip, 2, k == 1 ? NULL : poses, NULL, k == 2 ? NULL : START, 0.01,
                                          k == 3 ? NULL : &q, k == 4 ? NULL : &rows, &e),
                         ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_hand_points(d, 99, 2, poses, NULL, START, 0.01, &q, &rows, &e), ARNE_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(links_follow_lines), cmocka_unit_test(faults_have_a_sentence),
                                       cmocka_unit_test(sentences_say_where), cmocka_unit_test(a_jump_is_told)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
