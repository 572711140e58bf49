/* SPDX-License-Identifier: MIT
 *
 * ik_test.c - inverse kinematics and paths of a link: targets are poses of random positions, so they can be reached; forward
 * kinematics is the judge. */
#include "control/hand_work.h"
#include "control/loop.h"

static const double REACHED = 1e-8; /* m, rad */

static double off_target(subject *s, const double *q, int link, const arne_pose *target, int rows)
{
    arne_pose pose;
    double e[6];
    arne_link_pose(s->data, q, link, &pose);
    arne_hand_error(&pose, target, e);
    return largest(rows, e);
}

static double range_low(const subject *s, int i)
{
    const double low = arne_joint_limits(s->m, i)->lower;
    return isinf(low) ? -3 : low;
}
static double range_high(const subject *s, int i)
{
    const double high = arne_joint_limits(s->m, i)->upper;
    return isinf(high) ? 3 : high;
}

/* Targets from random positions, the guess another random position: far away. */
static double success(const char *name, int targets, bool position_only)
{
    subject s = shipped_subject(name);
    const int link = s.nlink - 1;
    const arne_hand_options o = {.size = sizeof o, .position_only = position_only};
    int found = 0;
    for (int k = 0; k < targets; k++) {
        double q[MOST_DOF], goal[MOST_DOF];
        arne_pose target;
        arne_error e;
        for (int i = 0; i < s.n; i++) {
            goal[i] = random_between(&s.r, range_low(&s, i), range_high(&s, i));
            q[i] = random_between(&s.r, range_low(&s, i), range_high(&s, i));
        }
        arne_link_pose(s.data, goal, link, &target);
        const double first = q[0];
        if (arne_hand_solve(s.data, link, &target, &o, q, &e)) {
            assert_non_null(strstr(e.message, "the nearest found is"));
            assert_true(q[0] == first);
            continue;
        }
        found++;
        for (int i = 0; i < s.n; i++)
            assert_true(q[i] >= arne_joint_limits(s.m, i)->lower && q[i] <= arne_joint_limits(s.m, i)->upper);
        assert_true(off_target(&s, q, link, &target, position_only ? 3 : 6) < REACHED);
    }
    subject_close(&s);
    return (double)found / targets;
}

static void shipped_arms_reach_what_they_can_reach(void **state)
{
    (void)state;
    static const char *const names[] = {"kuka-lwr", "dlr-lwr3", "panda", "puma560", "rx90",
                                        "stanford", "ur5e",     "scara", "gantry"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const double pose = success(names[k], 100, false), position = success(names[k], 100, true);
        print_message("%s: %g %% of poses, %g %% of positions\n", names[k], 100 * pose, 100 * position);
        assert_true(pose == 1 && position == 1);
    }
}

/* Targets from positions at and near joint limits, from the middle of the ranges: the ways there are narrow. */
static void poses_at_limits_are_reached(void **state)
{
    (void)state;
    static const char *const names[] = {"coupled-wrist", "dlr-lwr3", "gantry",   "kuka-lwr", "panda",
                                        "puma560",       "rx90",     "stanford", "torso2",   "ur5e"};
    enum { TARGETS = 150 };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        subject s = shipped_subject(names[k]);
        for (int target = 0; target < TARGETS; target++) {
            double q[MOST_DOF], goal[MOST_DOF];
            arne_pose pose;
            arne_error e;
            for (int i = 0; i < s.n; i++) {
                const double low = range_low(&s, i), high = range_high(&s, i), where = random_between(&s.r, 0, 1);
                const double inside = random_between(&s.r, 0, where < 0.6 ? 0.01 : 1);
                const double part = where < 0.4 ? 0 : inside;
                goal[i] = random_between(&s.r, 0, 1) < 0.5 ? low + part * (high - low) : high - part * (high - low);
                q[i] = (low + high) / 2;
            }
            arne_link_pose(s.data, goal, s.nlink - 1, &pose);
            if (arne_hand_solve(s.data, s.nlink - 1, &pose, NULL, q, &e)) fail_msg("%s, %d: %s", names[k], target, e.message);
            for (int i = 0; i < s.n; i++)
                assert_true(q[i] >= arne_joint_limits(s.m, i)->lower && q[i] <= arne_joint_limits(s.m, i)->upper);
            assert_true(off_target(&s, q, s.nlink - 1, &pose, 6) < REACHED);
        }
        subject_close(&s);
    }
}

/* A target some way from where the link can be is out of reach by no more than that way; far away by nearly all of it. */
static void out_of_reach_claims_no_more_than_is_true(void **state)
{
    (void)state;
    const arne_hand_options o = {.size = sizeof o, .position_only = true};
    int claims = 0;
    for (int number = 0; number < shipped_robots(); number++) {
        subject s = subject_number(number, 0);
        arne_data_prepare(s.data, ARNE_HANDS, NULL);
        for (int k = 0; k < 30; k++) {
            double q[MOST_DOF], at_least, far = 0;
            arne_pose target;
            arne_error e;
            for (int i = 0; i < s.n; i++) q[i] = random_between(&s.r, range_low(&s, i), range_high(&s, i));
            arne_link_pose(s.data, q, s.nlink - 1, &target);
            for (int c = 0; c < 3; c++) {
                const double way = random_between(&s.r, -1, 1) * (k % 3 == 0 ? 100 : 2);
                target.p[c] += way;
                far = hypot(far, way);
            }
            if (!arne_hand_solve(s.data, s.nlink - 1, &target, &o, q, &e)) continue;
            const char *at = strstr(e.message, "at least ");
            if (!at || sscanf(at, "at least %lf m too far", &at_least) != 1) continue;
            claims++;
            if (!(at_least <= 1.005 * far)) fail_msg("%s: %s, but it is %g m away", s.name, e.message, far);
            if (far > 80) assert_true(at_least > far - 30);
        }
        subject_close(&s);
    }
    assert_true(claims > 100);
}

/* Where the way to a target ends before it, nothing pushes a joint that can give way. */
static void a_dead_end_is_one(void **state)
{
    (void)state;
    static const char *const names[] = {"gantry", "scara", "sdt"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        subject s = shipped_subject(names[k]);
        const int link = s.nlink - 1;
        hand_work *h;
        int last = 0; /* times that the last joint is at a limit */
        assert_int_equal(arne__hand_open(s.data, link, &h), ARNE_OK);
        for (int target = 0; target < 60; target++) {
            const int rows = target % 2 ? 3 : 6;
            double q[MOST_DOF], off[6], J[6 * MOST_DOF];
            arne_pose pose;
            for (int i = 0; i < s.n; i++) q[i] = random_between(&s.r, range_low(&s, i), range_high(&s, i));
            arne_link_pose(s.data, q, link, &pose);
            for (int c = 0; c < 3; c++) pose.p[c] += random_between(&s.r, -2, 2);
            for (int i = 0; i < s.n; i++) q[i] = random_between(&s.r, range_low(&s, i), range_high(&s, i));
            if (arne__ik_descend(h, s.data, &pose, rows, q, off) < REACHED) continue;
            arne_link_jacobian(s.data, q, link, ARNE_ALIGNED, J);
            for (int i = 0; i < s.n; i++) {
                const arne_limits *l = arne_joint_limits(s.m, i);
                double push = 0;
                for (int r = 0; r < rows; r++) push += J[r * s.n + i] * off[r];
                const bool held = (q[i] <= l->lower && push < 0) || (q[i] >= l->upper && push > 0);
                last += held && i == s.n - 1;
                assert_true(held || fabs(push) < 1e-3 * largest(rows, off));
            }
        }
        assert_true(last > 0);
        subject_close(&s);
    }
}

/* the nearest answer is kept when the guess is near it */
static void a_good_guess_is_kept(void **state)
{
    (void)state;
    subject s = shipped_subject("ur5e");
    const int link = s.nlink - 1;
    const double goal[6] = {0.4 + 4 * acos(-1), -1, 1.2, -0.7, 1.1, 0.3};
    double q[6];
    arne_pose target;
    arne_error e;
    /* a turn too far for its limits: taken back */
    arne_link_pose(s.data, goal, link, &target);
    for (int i = 0; i < 6; i++) q[i] = goal[i] + 0.05;
    q[0] = 0.45;
    assert_int_equal(arne_hand_solve(s.data, link, &target, NULL, q, &e), ARNE_OK);
    for (int i = 1; i < 6; i++) assert_true(fabs(q[i] - goal[i]) < 1e-6);
    assert_true(fabs(q[0] - 0.4) < 1e-6);
    subject_close(&s);
}

static void what_cannot_be_reached_says_how_near(void **state)
{
    (void)state;
    subject s = two_links();
    const int link = 3;
    double q[2] = {0.1, 0.1}, near = 0, too_far = 0;
    arne_pose target = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {3, 4, 0}};
    arne_error e;
    const arne_hand_options o = {.size = sizeof o, .position_only = true};
    assert_int_equal(arne_hand_solve(s.data, link, &target, &o, q, &e), ARNE_BAD_VALUE);
    const char *at = strstr(e.message, "at least ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "at least %lf m too far away; the nearest found is %lf m", &too_far, &near), 2);
    assert_true(fabs(near - 3) < 0.01 && fabs(too_far - 3) < 0.01); /* 5 m away, 2 m long */
    assert_true(q[0] == 0.1 && q[1] == 0.1);
    q[1] = NAN;
    assert_int_equal(arne_hand_solve(s.data, link, &target, &o, q, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "guess"));
    q[1] = 0;
    target.p[1] = INFINITY;
    assert_int_equal(arne_hand_solve(s.data, link, &target, &o, q, &e), ARNE_BAD_VALUE);
    subject_close(&s);
    s = two_links(); /* joints without limits end within half a turn of the guess */
    target = (arne_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {1, 0.5, 0}};
    for (int k = 0; k < 8; k++) {
        const double guess[2] = {-9 + 5 * k, 13 - 3 * k};
        memcpy(q, guess, sizeof q);
        if (arne_hand_solve(s.data, link, &target, &o, q, &e)) fail_msg("%s", e.message);
        for (int i = 0; i < 2; i++) assert_true(fabs(q[i] - guess[i]) < 3.1416);
    }
    subject_close(&s);
    s = two_links_at(2, 1); /* upright: 5 m above its shoulder */
    target = (arne_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {0, 0, 7}};
    assert_int_equal(arne_hand_solve(s.data, link, &target, &o, q, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "at least 3 m too far away; the nearest found is 3 m away"));
    subject_close(&s);
}

static void the_sentence_says_what_is_in_the_way(void **state)
{
    (void)state;
    subject s = two_links();
    double q[2] = {0.1, 0.1};
    arne_pose target = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {3, 4, 0}};
    arne_error e;
    const arne_hand_options o = {.size = sizeof o, .position_only = true};
    assert_int_equal(arne_hand_solve(s.data, 3, &target, &o, q, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message,
                        "link tip cannot reach the target, which is at least 3 m too far away; the nearest found is 3 m away");
    q[1] = NAN;
    assert_int_equal(arne_hand_solve(s.data, 3, &target, &o, q, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "the first guess of joint elbow is not a number");
    q[1] = 0.1;
    for (int k = 0; k < 12; k++) {
        arne_pose bad = target;
        *(k < 9 ? &bad.R[k] : &bad.p[k - 9]) = k % 2 ? NAN : -INFINITY;
        assert_int_equal(arne_hand_solve(s.data, 3, &bad, &o, q, &e), ARNE_BAD_VALUE);
        assert_string_equal(e.message, "the target of link tip has a number that is not finite");
    }
    subject_close(&s);

    /* a table of 2 m by 2 m: from (4, -6) beside its corner it is hypot(3, 5) m, turned by 0.5 rad that nothing can turn */
    arne_description *d = arne_description_new("table");
    static const char *const links[] = {"base", "a", "pen"}, *const joints[] = {"x", "y"};
    assert_non_null(d);
    for (int i = 0; i < 3; i++) {
        arne_link_description *l = arne_description_link(d, links[i], 0);
        assert_non_null(l);
        l->body = (arne_body){.mass = 1, .inertia = {1, 0, 0, 1, 0, 1}};
    }
    for (int i = 0; i < 2; i++) {
        arne_joint_description *j = arne_description_joint(d, joints[i], 0, ARNE_PRISMATIC, links[i], links[i + 1]);
        assert_non_null(j);
        for (int c = 0; c < 3; c++) j->axis[c] = c == i;
        j->limits.lower = -1, j->limits.upper = 1;
    }
    s = subject_of(d);
    const double corner[6] = {4, -6, 0, 0.5, 0, 0};
    target = arne_pose_rpy(corner, corner + 3);
    q[1] = 0.2;
    assert_int_equal(arne_hand_solve(s.data, 2, &target, NULL, q, &e), ARNE_BAD_VALUE);
    const char *tail = strstr(e.message, "; the nearest");
    assert_non_null(tail);
    assert_string_equal(tail,
                        "; the nearest found is 5.83 m and 0.5 rad away; there x is at its upper limit, y at its lower limit");
    target.p[0] = 0.4; /* x can be where it should */
    assert_int_equal(arne_hand_solve(s.data, 2, &target, &o, q, &e), ARNE_BAD_VALUE);
    assert_string_equal(strstr(e.message, "; the nearest"), "; the nearest found is 5 m away; there y is at its lower limit");
    assert_true(q[0] == 0.1 && q[1] == 0.2);
    subject_close(&s);
}

/* A joint limit in the way is named. */
static void a_limit_in_the_way_is_named(void **state)
{
    (void)state;
    subject s = shipped_subject("gantry");
    const int link = s.nlink - 1;
    double q[MOST_DOF], goal[MOST_DOF];
    arne_pose target;
    arne_error e;
    int slide = 0;
    while (arne_joint_kind(s.m, slide) != ARNE_PRISMATIC) slide++;
    for (int i = 0; i < s.n; i++) q[i] = goal[i] = (range_low(&s, i) + range_high(&s, i)) / 2;
    goal[slide] = range_high(&s, slide) + 0.5;
    arne_link_pose(s.data, goal, s.nlink - 1, &target);
    assert_int_equal(arne_hand_solve(s.data, link, &target, NULL, q, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, arne_joint_name(s.m, slide)));
    subject_close(&s);
}

/* ---- paths ---- */

static void expect_refused(subject *s, int link, int count, const double *t, const arne_pose *poses, const double *q0,
                           int samples, const char *words)
{
    arne_trajectory *path;
    arne_error e;
    assert_int_equal(arne_hand_path(s->data, link, count, t, poses, q0, samples, &path, &e), ARNE_BAD_VALUE);
    assert_null(path);
    if (!strstr(e.message, words)) fail_msg("\"%s\" does not say \"%s\"", e.message, words);
}

static void a_path_keeps_the_link_on_its_line(void **state)
{
    (void)state;
    static const char *const names[] = {"ur5e", "kuka-lwr", "stanford"};
    static const double start[3][7] = {
        {0.2, -1.2, 1.4, -0.6, 1.2, 0.1}, {0.1, 0.6, 0.2, -1.2, 0.1, 0.8, 0}, {0.2, 1.2, 0.5, 0.3, 0.9, 0.2}};
    for (size_t k = 0; k < 3; k++) {
        subject s = shipped_subject(names[k]);
        const int n = s.n, link = s.nlink - 1;
        arne_pose poses[3];
        const double t[3] = {1, 3, 4.5};
        arne_trajectory *path;
        arne_error e;
        arne_link_pose(s.data, start[k], link, &poses[0]);
        poses[1] = poses[2] = poses[0];
        poses[1].p[2] += 0.15, poses[1].p[0] -= 0.05;
        poses[2].p[1] += 0.1;
        if (arne_hand_path(s.data, link, 3, t, poses, start[k], 60, &path, &e)) fail_msg("%s: %s", names[k], e.message);
        assert_true(arne_trajectory_start(path) == 1 && arne_trajectory_end(path) == 4.5);
        double worst = 0, x[4 * MOST_DOF];
        for (int j = 0; j <= 350; j++) {
            const double now = 1 + 0.01 * j, part = now < 3 ? (now - 1) / 2 : (now - 3) / 1.5;
            /* degree 7 from rest to rest */
            const double s7 = pow(part, 4) * (35 + part * (-84 + part * (70 - 20 * part)));
            const arne_pose *a = now < 3 ? &poses[0] : &poses[1], *b = a + 1;
            arne_pose target = *a;
            for (int c = 0; c < 3; c++) target.p[c] += s7 * (b->p[c] - a->p[c]);
            arne_trajectory_at(path, now, 3, x);
            worst = fmax(worst, off_target(&s, x, link, &target, 6));
        }
        print_message("%s: off the line by %.2g\n", names[k], worst);
        assert_true(worst < 1e-4);
        arne_trajectory_at(path, 4.5, 3, x);
        assert_true(largest(n, x + n) < 1e-9 && largest(n, x + 2 * n) < 1e-7);
        arne_trajectory_free(path);

        expect_refused(&s, link, 1, t, poses, start[k], 60, "a path needs at least two poses");
        expect_refused(&s, link, 3, t, poses, start[k], 4, "a path through 3 poses needs at least 8 samples, not 4");
        expect_refused(&s, link, 3, t, poses, start[k], 7, "a path through 3 poses needs at least 8 samples, not 7");
        const arne_pose nine[9] = {poses[0]};
        expect_refused(&s, link, 9, t, nine, start[k], 8, "a path through 9 poses needs at least 9 samples, not 8");
        expect_refused(&s, link, 3, (const double[]){1, 1, 2}, poses, start[k], 60,
                       "pose 2 of the path: its time is not after that of the pose before");
        expect_refused(&s, link, 3, (const double[]){1, 2, 1.5}, poses, start[k], 60,
                       "pose 3 of the path: its time is not after that of the pose before");
        char says[200];
        double off[7];
        const arne_limits *limits = arne_joint_limits(s.m, 1);
        memcpy(off, start[k], sizeof off);
        off[n - 1] = NAN;
        snprintf(says, sizeof says, "joint %s does not start from a number", arne_joint_name(s.m, n - 1));
        expect_refused(&s, link, 3, t, poses, off, 60, says);
        off[n - 1] = start[k][n - 1], off[1] = limits->upper + 0.25;
        snprintf(says, sizeof says, "joint %s starts at %.6g, outside its limits %.6g to %.6g", arne_joint_name(s.m, 1), off[1],
                 limits->lower, limits->upper);
        expect_refused(&s, link, 3, t, poses, off, 60, says);
        off[1] = limits->lower - 0.25;
        snprintf(says, sizeof says, "joint %s starts at %.6g, outside its limits %.6g to %.6g", arne_joint_name(s.m, 1), off[1],
                 limits->lower, limits->upper);
        expect_refused(&s, link, 3, t, poses, off, 60, says);
        arne_pose beside[2] = {poses[0], poses[1]};
        beside[0].p[2] -= 0.125;
        snprintf(says, sizeof says, "link %s does not start at the first pose of the path: it is off by up to 0.125",
                 arne_link_name(s.m, link));
        expect_refused(&s, link, 2, t, beside, start[k], 60, says);
        beside[0].p[2] = poses[0].p[2] - 1.1e-6; /* a micrometre is nothing */
        expect_refused(&s, link, 2, t, beside, start[k], 60, "does not start");
        beside[0].p[2] = poses[0].p[2] - 0.9e-6;
        assert_int_equal(arne_hand_path(s.data, link, 2, t, beside, start[k], 8, &path, &e), ARNE_OK);
        arne_trajectory_free(path);
        expect_refused(&s, link, 2, t, poses + 1, start[k], 60, "does not start");
        poses[2].p[0] += 50;
        expect_refused(&s, link, 3, t, poses, start[k], 60, "at t = ");
        poses[2].p[0] = NAN;
        expect_refused(&s, link, 3, t, poses, start[k], 60, "pose 3 of the path: a number is not finite");
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_arms_reach_what_they_can_reach),
        cmocka_unit_test(poses_at_limits_are_reached),
        cmocka_unit_test(out_of_reach_claims_no_more_than_is_true),
        cmocka_unit_test(a_good_guess_is_kept),
        cmocka_unit_test(what_cannot_be_reached_says_how_near),
        cmocka_unit_test(the_sentence_says_what_is_in_the_way),
        cmocka_unit_test(a_limit_in_the_way_is_named),
        cmocka_unit_test(a_dead_end_is_one),
        cmocka_unit_test(a_path_keeps_the_link_on_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
