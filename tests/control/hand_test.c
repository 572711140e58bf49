/* SPDX-License-Identifier: MIT
 *
 * hand_test.c - motion of links against the judge that differentiates nothing it shares with the library (plain.h); joint motion
 * that gives an asked motion of a link; what happens at singular positions. */
#include "control/loop.h"

#include "control/rotation.h"

static const double NOWHERE = 1e-9;   /* directions in which a link moves less than this beside the others are left out */
static const double ROUNDING = 1e-11; /* beside speeds, accelerations and distances of the robot, far away (state 3) 1000 rad */

/* the judge's own velocity and acceleration of the link origin, world axes */
static void judge_motion(const subject *s, int link, double v[6], double a[6])
{
    const plain_link *p = &s->judge->link[link];
    for (int c = 0; c < 3; c++) {
        v[c] = (double)p->v[c], v[3 + c] = (double)p->w[c];
        a[c] = (double)p->a[c], a[3 + c] = (double)p->wd[c];
    }
}

static double farthest(const subject *s)
{
    double most = 1;
    for (int link = 0; link < s->nlink; link++)
        for (int c = 0; c < 3; c++) most = fmax(most, fabs((double)s->judge->link[link].p[c]));
    return most;
}

static void links_move_as_the_judge_says(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + 4 * RANDOM_FAMILIES; number++) {
        subject s = subject_number(number, 0);
        for (int k = 0; k < STATES; k++) {
            const motion x = subject_motion(&s, k);
            plain_move(s.judge, x.q, x.qd, x.qdd);
            const double far = farthest(&s), speed = 1 + 2 * s.n;
            for (int link = 0; link < s.nlink; link++) {
                arne_hand_target at;
                double v[6], a[6];
                arne_hand_at(s.data, link, x.q, x.qd, x.qdd, &at);
                judge_motion(&s, link, v, a);
                expect_near(&s, "velocity", 6, at.velocity, v, ROUNDING, far * speed);
                expect_near(&s, "acceleration", 6, at.acceleration, a, ROUNDING, far * speed * speed);
            }
        }
        subject_close(&s);
    }
}

/* Asked for an acceleration that the link can have, the joints give it; judged by the judge. */
static void joints_give_the_link_the_acceleration_asked_for(void **state)
{
    (void)state;
    int damped = 0, exact = 0;
    for (int number = 0; number < shipped_robots() + 4 * RANDOM_FAMILIES; number++) {
        subject s = subject_number(number, RANDOM_MOTORS);
        for (int k = 0; k < 8; k++) {
            const motion x = subject_motion(&s, 1), wish = subject_motion(&s, 1);
            const int link = arne_joint_link(s.m, random_below(&s.r, s.n));
            const arne_hand_options o = {
                .size = sizeof o, .position_only = k & 1, .inertia_weighted = k & 2, .null_motion = k & 4 ? wish.qdd : NULL};
            double asked[6], v[6], got[6], qdd[MOST_DOF];
            plain_move(s.judge, x.q, x.qd, x.qdd);
            judge_motion(&s, link, v, asked);
            const double ratio = joint_acceleration(s.data, link, x.q, x.qd, asked, &o, qdd);
            assert_true(ratio >= 0 && ratio <= 1);
            if (ratio >= ARNE_HAND_SINGULAR) {
                plain_move(s.judge, x.q, x.qd, qdd);
                judge_motion(&s, link, v, got);
                expect_near(&s, "asked acceleration", o.position_only ? 3 : 6, got, asked, NOWHERE + ROUNDING / ratio,
                            (1 + largest(6, asked)) * farthest(&s));
                exact++;
                double speeds[MOST_DOF], back[6];
                plain_move(s.judge, x.q, x.qd, x.qdd);
                judge_motion(&s, link, v, got);
                joint_velocity(s.data, link, x.q, v, &o, speeds);
                arne_link_velocity(s.data, x.q, speeds, link, ARNE_ALIGNED, back);
                expect_near(&s, "asked velocity", o.position_only ? 3 : 6, back, v, NOWHERE + ROUNDING / ratio,
                            (1 + largest(6, v)) * farthest(&s));
            } else {
                damped++;
            }
        }
        subject_close(&s);
    }
    print_message("%d accelerations exact, %d damped\n", exact, damped);
    assert_true(exact > damped);
}

/* Of all joint motions with this motion of the link the answer is the nearest to the wish: what is added to the wish is
 * orthogonal (in the unit matrix, or in M) to every motion that leaves the link where it is. */
static void freedom_is_used_for_the_wish(void **state)
{
    (void)state;
    subject s = shipped_subject("kuka-lwr");
    const int n = s.n, link = s.nlink - 1;
    for (int k = 0; k < 20; k++) {
        const motion x = subject_motion(&s, 1), y = subject_motion(&s, 1);
        const bool weighted = k & 1;
        const arne_hand_options o = {.size = sizeof o, .inertia_weighted = weighted, .null_motion = y.qd};
        double v[6], speeds[MOST_DOF], still[MOST_DOF], z[MOST_DOF], Mz[MOST_DOF], zero[6] = {0}, sum = 0, size = 0;
        random_vector(&s.r, 6, 1, v);
        joint_velocity(s.data, link, x.q, v, &o, speeds);
        /* a motion that leaves the link: the rest of a random one */
        const arne_hand_options any = {.size = sizeof any, .null_motion = y.qdd};
        joint_velocity(s.data, link, x.q, zero, &any, z);
        arne_link_velocity(s.data, x.q, z, link, ARNE_ALIGNED, still);
        expect_near(&s, "self-motion", 6, still, zero, 1e-10, largest(n, z));
        assert_true(largest(n, z) > 1e-6);
        if (weighted)
            arne_momentum(s.data, x.q, z, Mz);
        else
            memcpy(Mz, z, sizeof z);
        for (int i = 0; i < n; i++) sum += (speeds[i] - y.qd[i]) * Mz[i], size += fabs((speeds[i] - y.qd[i]) * Mz[i]);
        assert_true(fabs(sum) < 1e-9 * size);
    }
    subject_close(&s);
}

/* Stretched, the arm cannot move outward: the answer stays small, and is continuous on the way there. */
static void a_stretched_arm_is_damped(void **state)
{
    (void)state;
    enum { STEPS = 4000 };
    subject s = two_links();
    const int link = 3;
    const double qd[2] = {0}, a[6] = {cos(0.3), sin(0.3)};
    double qdd[2], before = 0, peak = 0;
    for (int k = 0; k <= STEPS; k++) {
        const double q[2] = {0.3, 0.01 * (STEPS - k) / STEPS};
        const double ratio = joint_acceleration(
            s.data, link, q, qd, a, &(arne_hand_options){.size = sizeof(arne_hand_options), .position_only = true}, qdd);
        const double now = largest(2, qdd);
        /* exact: 1 m/s^2 outward takes qdd2 = 1/sin(q2)/l */
        if (ratio >= ARNE_HAND_SINGULAR) assert_true(fabs(qdd[0] * sin(q[1]) - 1) < 0.02);
        if (k > 0 && ratio < ARNE_HAND_SINGULAR) assert_true(fabs(now - before) < 0.05 * peak);
        if (k == STEPS) assert_true(ratio < 1e-9 && now < 1);
        before = now;
        peak = fmax(peak, now);
    }
    subject_close(&s);
}

/* (J J' + extra)^-1 of two rows by hand: extra = (damping (1 - part^2))^2 times the larger eigenvalue, where the ratio of the
 * singular values is `part` of the one from which nothing is damped [doc/hand.md (5)]; the damping is 0.01 unless given. */
static void the_damping_comes_in_smoothly(void **state)
{
    (void)state;
    subject s = two_links();
    const int link = 3;
    static const double bends[] = {0, 0.0005, 0.0012, 0.002, 0.01}, dampings[] = {0, 0.01, 0.3};
    int between = 0;
    for (int k = 0; k < 5; k++)
        for (int j = 0; j < 3; j++) {
            const double q[2] = {0.3, bends[k]}, v[6] = {0.7, -0.4}, damping = j ? dampings[j] : 0.01;
            const double J[2][2] = {{-sin(0.3) - sin(0.3 + bends[k]), -sin(0.3 + bends[k])},
                                    {cos(0.3) + cos(0.3 + bends[k]), cos(0.3 + bends[k])}};
            double S[3], qd[2], want[2];
            for (int e = 0; e < 3; e++) S[e] = J[e > 1][0] * J[e > 0][0] + J[e > 1][1] * J[e > 0][1]; /* xx, xy, yy */
            const double middle = (S[0] + S[2]) / 2, most = middle + hypot((S[0] - S[2]) / 2, S[1]);
            const double determinant = J[0][0] * J[1][1] - J[0][1] * J[1][0], ratio = fabs(determinant) / most;
            const double part = ratio / ARNE_HAND_SINGULAR, extra = part < 1 ? pow(damping * (1 - part * part), 2) * most : 0;
            const arne_hand_options o = {.size = sizeof o, .position_only = true, .damping = dampings[j]};
            const double found = joint_velocity(s.data, link, q, v, &o, qd);
            assert_true(fabs(found - ratio) < 1e-9);
            between += part > 0.1 && part < 0.9;
            if (k == 0) { /* outward it does not go at all */
                const double across = (J[0][0] * v[0] + J[1][0] * v[1]) / 2;
                want[0] = 2 * across / (most + extra), want[1] = across / (most + extra);
            } else {
                const double a = S[0] + extra, b = S[1], c = S[2] + extra, det = a * c - b * b;
                const double y[2] = {(c * v[0] - b * v[1]) / det, (a * v[1] - b * v[0]) / det};
                for (int i = 0; i < 2; i++) want[i] = J[0][i] * y[0] + J[1][i] * y[1];
            }
            expect_near(&s, "damped motion", 2, qd, want, 1e-6, 1 + largest(2, want));
        }
    assert_true(between > 0);
    subject_close(&s);
}

/* a planar arm is not singular for never leaving its plane */
static void what_a_link_can_never_do_is_no_singularity(void **state)
{
    (void)state;
    subject s = two_links();
    const int link = 3;
    const double q[2] = {0.3, 1}, qd[2] = {1, -1}, a[6] = {1, 1, 1, 1, 1, 1};
    double qdd[2];
    assert_true(joint_acceleration(s.data, link, q, qd, a, NULL, qdd) > 0.05);
    /* the base has no motion at all */
    assert_true(joint_acceleration(s.data, 0, q, qd, a, NULL, qdd) == 0);
    assert_true(qdd[0] == 0 && qdd[1] == 0);
    subject_close(&s);
}

/* R = I + sin a S + (1 - cos a) S^2 along a unit axis, up to half a turn and near it; the error turns the pose into the target */
static void the_pose_error_turns_the_link_into_its_target(void **state)
{
    (void)state;
    random_stream r = {7};
    static const double angles[] = {0, 1e-300, 1e-12, 1e-4, 1, 3, 3.14159, 3.1415926535, 3.141592653589793};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++)
        for (int j = 0; j < 20; j++) {
            double u[3], R[9], v[3];
            random_vector(&r, 3, 1, u);
            if (j < 3) memset(u, 0, sizeof u), u[j] = 1;
            const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), a = angles[k];
            for (int i = 0; i < 3; i++) u[i] /= length;
            const double S[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
            for (int i = 0; i < 9; i++) {
                double square = 0;
                for (int c = 0; c < 3; c++) square += S[3 * (i / 3) + c] * S[3 * c + i % 3];
                R[i] = (i % 4 == 0) + sin(a) * S[i] + 2 * sin(a / 2) * sin(a / 2) * square;
            }
            arne_pose from = random_pose(&r, 1), to = random_pose(&r, 1);
            for (int i = 0; i < 9; i++) {
                to.R[i] = 0;
                for (int c = 0; c < 3; c++) to.R[i] += R[3 * (i / 3) + c] * from.R[3 * c + i % 3];
            }
            double e[6], back[9];
            arne_hand_error(&from, &to, e);
            for (int i = 0; i < 3; i++) {
                assert_true(fabs(e[i] - (to.p[i] - from.p[i])) < 1e-15);
                v[i] = a * u[i];
                /* half a turn one way or the other is the same */
                if (a < 3.14) assert_true(fabs(e[3 + i] - v[i]) < 1e-14);
            }
            arne__rotation_exp(e + 3, back);
            for (int i = 0; i < 9; i++) assert_true(fabs(back[i] - R[i]) < 1e-14);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_move_as_the_judge_says),
        cmocka_unit_test(joints_give_the_link_the_acceleration_asked_for),
        cmocka_unit_test(freedom_is_used_for_the_wish),
        cmocka_unit_test(a_stretched_arm_is_damped),
        cmocka_unit_test(the_damping_comes_in_smoothly),
        cmocka_unit_test(what_a_link_can_never_do_is_no_singularity),
        cmocka_unit_test(the_pose_error_turns_the_link_into_its_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
