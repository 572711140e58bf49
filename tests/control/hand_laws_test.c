/* SPDX-License-Identifier: MIT
 *
 * hand_laws_test.c - controllers of a link: the acceleration it gets, the spring it stands on, what is done with freedom. */
#include "control/loop.h"

#include "arne/coriolis.h"
#include "control/rotation.h"

static const double ROUNDING = 1e-9;

static const char *const arms[] = {"kuka-lwr", "rx90", "ur5e", "panda", "stanford"};
static const double bent[7] = {0.3, -0.7, 0.5, -1.1, 1.2, 0.9, 0.2};
enum { ARMS = sizeof arms / sizeof *arms };

/* The link's acceleration in the plant is the one asked for: a_t + damping ed + stiffness e. */
static void the_link_accelerates_as_asked(void **state)
{
    (void)state;
    for (int k = 0; k < ARMS; k++) {
        subject s = shipped_subject(arms[k]);
        const int n = s.n, link = s.nlink - 1;
        arne_data *own = test_data(s.m);
        arne_control_options o = {
            .size = sizeof o, .kind = ARNE_CONTROL_HAND_ACCELERATION, .period = 0.001, .link = link, .friction = true};
        for (int r = 0; r < 6; r++) o.stiffness[r] = 30 + r, o.damping[r] = 7 + r;
        arne_controller *c = controller_of(own, &o);
        for (int j = 0; j < 10; j++) {
            motion x = subject_motion(&s, 1);
            for (int i = 0; i < n; i++) x.q[i] = bent[i] + 0.1 * x.q[i];
            arne_hand_target target, now;
            double e[6], asked[6], tau[MOST_DOF], qdd[MOST_DOF];
            arne_hand_at(s.data, link, x.q, x.qd, NULL, &now);
            target = now;
            for (int i = 0; i < 3; i++) target.pose.p[i] += 0.1 * (i + 1);
            random_vector(&s.r, 6, 1, target.velocity);
            random_vector(&s.r, 6, 3, target.acceleration);
            arne_hand_error(&now.pose, &target.pose, e);
            for (int r = 0; r < 6; r++)
                asked[r] = target.acceleration[r] + o.damping[r] * (target.velocity[r] - now.velocity[r]) + o.stiffness[r] * e[r];
            const arne_tick in = {.size = sizeof in, .q = x.q, .qd = x.qd, .hand = &target};
            assert_int_equal(flags_of(c, &in, tau), 0);
            assert_true(arne_fd(s.data, x.q, x.qd, tau, qdd) == ARNE_OK);
            arne_hand_at(s.data, link, x.q, x.qd, qdd, &now);
            expect_close(&s, "acceleration of the link", 6, now.acceleration, asked, ROUNDING);
        }
        arne_controller_free(c);
        arne_data_free(own);
        subject_close(&s);
    }
}

/* A wrench that the controller does not know moves the link by K^-1 w, once all is still. */
static void a_wrench_moves_the_link_by_its_compliance(void **state)
{
    (void)state;
    /* robots with rotors: their wrists are heavy enough for this damper at 1 kHz */
    static const char *const names[] = {"kuka-lwr", "rx90", "stanford", "puma560"};
    for (int k = 0; k < 4; k++) {
        subject s = shipped_subject(names[k]);
        const int link = s.nlink - 1;
        arne_data *own = test_data(s.m);
        arne_set_friction(arne_data_settings(s.data), false);
        arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_HAND_IMPEDANCE, .period = 0.001, .link = link};
        static const double K[6] = {800, 600, 900, 60, 50, 70}, D[6] = {150, 150, 150, 15, 15, 15};
        memcpy(o.stiffness, K, sizeof K);
        memcpy(o.damping, D, sizeof D);
        arne_hand_target target = {.velocity = {0}}, now;
        loop l = {.n = s.n, .real = s.data, .c = controller_of(own, &o), .reference = loop_rest, .hand = &target, .held = true};
        memcpy(l.x, bent, (size_t)s.n * sizeof *l.x);
        arne_link_pose(s.data, bent, link, &target.pose);
        const arne_wrench w = {.link = link, .frame = ARNE_ALIGNED, .force = {12, -9, 7}, .moment = {0.9, 0.5, -0.7}};
        arne_set_wrenches(arne_data_settings(s.data), &w, 1);
        loop_run(&l, 0, 0.001, 15000, 1);
        double e[6], should[6];
        arne_hand_at(s.data, link, l.x, l.x + s.n, NULL, &now);
        arne_hand_error(&target.pose, &now.pose, e);
        for (int r = 0; r < 6; r++) should[r] = (r < 3 ? w.force[r] : w.moment[r - 3]) / K[r];
        expect_close(&s, "deflection", 6, e, should, 1e-4);
        assert_int_equal(l.flags, 0);
        arne_controller_free(l.c);
        arne_data_free(own);
        subject_close(&s);
    }
}

/* ---- the energy of the impedance ---- */

static struct {
    arne_pose start;
    arne_hand_target target; /* at the time `move` was called for */
    int link;
    const double *stiffness, *damping;
} moving;

/* to and fro along one line and about one axis */
static void move(double t, int n, double *r)
{
    static const double line[3] = {0.05, -0.03, 0.04}, axis[3] = {0.1, 0.2, -0.15};
    const double w = 3, part[3] = {sin(w * t), w * cos(w * t), -w * w * sin(w * t)};
    double turn[3], R[9];
    memset(r, 0, 5 * (size_t)n * sizeof *r);
    for (int i = 0; i < 3; i++) {
        turn[i] = part[0] * axis[i];
        moving.target.pose.p[i] = moving.start.p[i] + part[0] * line[i];
        moving.target.velocity[i] = part[1] * line[i], moving.target.velocity[3 + i] = part[1] * axis[i];
        moving.target.acceleration[i] = part[2] * line[i], moving.target.acceleration[3 + i] = part[2] * axis[i];
    }
    arne__rotation_exp(turn, R);
    for (int i = 0; i < 9; i++) {
        moving.target.pose.R[i] = 0;
        for (int k = 0; k < 3; k++) moving.target.pose.R[i] += R[3 * (i / 3) + k] * moving.start.R[3 * k + i % 3];
    }
}

static void hand_errors(const loop *l, double t, const double *q, const double *qd, double e[6], double ed[6])
{
    double r[5 * MOST_DOF];
    arne_hand_target now;
    move(t, l->n, r);
    arne_hand_at(l->real, moving.link, q, qd, NULL, &now);
    arne_hand_error(&now.pose, &moving.target.pose, e);
    for (int i = 0; i < 6; i++) ed[i] = moving.target.velocity[i] - now.velocity[i];
}

/* -ed'D ed */
static double hand_power(const loop *l, double t, const double *q, const double *qd, const double *tau)
{
    (void)tau;
    double e[6], ed[6], rate = 0;
    hand_errors(l, t, q, qd, e, ed);
    for (int i = 0; i < 6; i++) rate -= moving.damping[i] * ed[i] * ed[i];
    return rate;
}

/* s'M s/2 + e'K e/2 with J s = ed: six joints, so s is all of it. A rotation vector grows at the rate of its angle, so its energy
 * is this one where the three stiffnesses of rotation are equal. */
static double hand_energy(subject *s, const loop *l, double t)
{
    double e[6], ed[6], joint[MOST_DOF], p[MOST_DOF], V = 0;
    hand_errors(l, t, l->x, l->x + l->n, e, ed);
    assert_true(joint_velocity(s->data, moving.link, l->x, ed, NULL, joint) > ARNE_HAND_SINGULAR);
    arne_momentum(s->data, l->x, joint, p);
    for (int i = 0; i < l->n; i++) V += joint[i] * p[i] / 2;
    for (int i = 0; i < 6; i++) V += moving.stiffness[i] * e[i] * e[i] / 2;
    return V;
}

static void the_energy_of_the_impedance_falls_by_its_damper(void **state)
{
    (void)state;
    static const double K[6] = {800, 600, 900, 60, 60, 60}, D[6] = {90, 80, 70, 3, 4, 5};
    static const char *const names[] = {"rx90", "stanford", "puma560"};
    for (int k = 0; k < 3; k++) {
        subject s = shipped_subject(names[k]);
        const int link = s.nlink - 1;
        arne_data *own = test_data(s.m);
        arne_set_friction(arne_data_settings(s.data), false);
        arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_HAND_IMPEDANCE, .period = 0.001, .link = link};
        memcpy(o.stiffness, K, sizeof K);
        memcpy(o.damping, D, sizeof D);
        loop l = {
            .n = s.n, .real = s.data, .c = controller_of(own, &o), .reference = move, .hand = &moving.target, .also = hand_power};
        moving.link = link;
        moving.stiffness = K, moving.damping = D;
        for (int i = 0; i < s.n; i++) l.x[i] = bent[i];
        arne_link_pose(s.data, l.x, link, &moving.start);
        for (int i = 0; i < s.n; i++) l.x[i] += 0.03, l.x[s.n + i] = 0.1;
        const double V0 = hand_energy(&s, &l, 0);
        for (int j = 0; j < 5; j++) {
            loop_run(&l, 0.05 * j, 0.0005, 100, 1);
            const double V = hand_energy(&s, &l, 0.05 * (j + 1)), fell = V0 + l.x[2 * s.n];
            expect_near(&s, "energy of the impedance", 1, &V, &fell, 1e-6, V0);
        }
        assert_true(l.x[2 * s.n] < -0.01 * V0);
        arne_controller_free(l.c);
        arne_data_free(own);
        subject_close(&s);
    }
}

static double off_target(subject *s, const double *q, int link, const arne_pose *target, int rows)
{
    arne_pose pose;
    double e[6], most = 0;
    arne_link_pose(s->data, q, link, &pose);
    arne_hand_error(&pose, target, e);
    for (int r = 0; r < rows; r++) most = worse(most, fabs(e[r]));
    return most;
}

/* With default gains a step of the target is followed; the seventh joint goes to its posture, where the hand leaves it free. */
static void default_gains_bring_the_hand_to_its_target(void **state)
{
    (void)state;
    static const arne_control_kind kinds[] = {ARNE_CONTROL_HAND_ACCELERATION, ARNE_CONTROL_HAND_IMPEDANCE};
    for (int k = 0; k < ARMS; k++)
        for (int j = 0; j < 4; j++) {
            subject s = shipped_subject(arms[k]);
            /* a wrist without rotors is too light for a stiff spring at 1 kHz: doc/control.md */
            if (j == 1 && arne_joint_motor(s.m, s.n - 1)->inertia == 0) {
                subject_close(&s);
                continue;
            }
            const int link = s.nlink - 1;
            arne_data *own = test_data(s.m);
            arne_set_friction(arne_data_settings(s.data), false);
            const arne_control_options o = {
                .size = sizeof o, .kind = kinds[j & 1], .period = 0.001, .link = link, .position_only = j & 2, .posture = bent};
            arne_hand_target target = {.velocity = {0}};
            loop l = {
                .n = s.n, .real = s.data, .c = controller_of(own, &o), .reference = loop_rest, .hand = &target, .held = true};
            arne_link_pose(s.data, bent, link, &target.pose);
            for (int i = 0; i < s.n; i++) l.x[i] = bent[i] + (i % 2 ? 0.08 : -0.08);
            loop_run(&l, 0, 0.001, 4000, 1);
            const double after = off_target(&s, l.x, link, &target.pose, j & 2 ? 3 : 6);
            if (!(after < 1e-3)) fail_msg("%s: %s is off by %g", s.name, arne_control_name(o.kind), after);
            /* the target is where the posture puts the hand, so both are met */
            for (int i = 0; i < s.n; i++)
                if (!(fabs(l.x[i] - bent[i]) < 1e-2))
                    fail_msg("%s: %s: joint %d is off its posture by %g", s.name, arne_control_name(o.kind), i, l.x[i] - bent[i]);
            arne_controller_free(l.c);
            arne_data_free(own);
            subject_close(&s);
        }
}

/* Without a posture of the caller it is where the robot stands at the first tick, until a reset. */
static void the_posture_is_that_of_the_first_tick(void **state)
{
    (void)state;
    subject s = shipped_subject("kuka-lwr");
    const int n = s.n, link = s.nlink - 1;
    arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_HAND_ACCELERATION, .period = 0.001, .link = link};
    arne_controller *c = controller_of(s.data, &o), *fresh = controller_of(s.data, &o);
    o.posture = bent;
    arne_controller *given = controller_of(s.data, &o);
    double q[7], qd[7] = {0}, first[7], second[7], tau[7];
    arne_hand_target target = {.velocity = {0}};
    for (int i = 0; i < n; i++) q[i] = bent[i] + 0.05 * (i - 2);
    arne_link_pose(s.data, bent, link, &target.pose);
    const arne_tick at = {.size = sizeof at, .q = bent, .qd = qd, .hand = &target}, away = {
                                                                                        .size = sizeof away,
                                                                                        .q = q,
                                                                                        .qd = qd,
                                                                                        .hand = &target,
                                                                                    };
    assert_int_equal(flags_of(c, &at, first), 0);
    assert_int_equal(flags_of(c, &away, second), 0);
    for (int k = 0; k < 2; k++) { /* the caller's stays */
        assert_int_equal(flags_of(given, &away, tau), 0);
        expect_near(&s, "posture of the first tick", n, tau, second, 1e-12, largest(n, second));
        arne_controller_reset(given);
    }
    assert_int_equal(flags_of(fresh, &away, first), 0);
    arne_controller_reset(c);
    assert_int_equal(flags_of(c, &away, tau), 0);
    assert_memory_equal(tau, first, sizeof tau);
    assert_memory_not_equal(tau, second, sizeof tau);
    arne_controller_free(c);
    arne_controller_free(fresh);
    arne_controller_free(given);
    subject_close(&s);
}

/* What the hand leaves free goes to its posture: J qdd is what the hand is asked for, and of all such accelerations the one
 * nearest to w^2 (posture - q) - 2 w qd is taken. */
static void freedom_goes_to_the_posture(void **state)
{
    (void)state;
    subject s = shipped_subject("kuka-lwr");
    const int n = s.n, link = s.nlink - 1;
    arne_control_options o = {.size = sizeof o,
                              .kind = ARNE_CONTROL_HAND_ACCELERATION,
                              .period = 0.005,
                              .link = link,
                              .posture = bent,
                              .friction = true};
    for (int r = 0; r < 6; r++) o.stiffness[r] = 30 + r, o.damping[r] = 7 + r;
    arne_controller *c = controller_of(s.data, &o);
    double tau[7], qdd[7], wish[7], want[7], a[6], e[6];
    motion x = subject_motion(&s, 1);
    arne_hand_target target = {.velocity = {0.1, 0.2}}, now;
    for (int i = 0; i < n; i++) {
        x.q[i] = bent[i] + 0.1 * x.q[i];
        wish[i] = 400 * (bent[i] - x.q[i]) - 40 * x.qd[i];
    }
    arne_link_pose(s.data, bent, link, &target.pose);
    arne_hand_at(s.data, link, x.q, x.qd, NULL, &now);
    arne_hand_error(&now.pose, &target.pose, e);
    for (int r = 0; r < 6; r++) a[r] = o.damping[r] * (target.velocity[r] - now.velocity[r]) + o.stiffness[r] * e[r];
    joint_acceleration(s.data, link, x.q, x.qd, a, &(arne_hand_options){.size = sizeof(arne_hand_options), .null_motion = wish},
                       want);
    assert_int_equal(flags_of(c, &(arne_tick){.size = sizeof(arne_tick), .q = x.q, .qd = x.qd, .hand = &target}, tau), 0);
    assert_int_equal(arne_fd(s.data, x.q, x.qd, tau, qdd), ARNE_OK);
    expect_close(&s, "accelerations", n, qdd, want, ROUNDING);
    arne_controller_free(c);
    subject_close(&s);
}

/* tau = NE*(q, qd, qr, qrd) + friction(qd) + J'(K e + D ed): of all qr with J qr = v_t the one of least energy, of all qrd with
 * J qrd = a_t - Jdot qr the one nearest, in energy, to what draws to the posture. Jdot by differences. */
static void the_impedance_is_its_formula(void **state)
{
    (void)state;
    for (int places = 0; places < 2; places++) {
        subject s = shipped_subject(places ? "puma560" : "kuka-lwr");
        const int n = s.n, link = s.nlink - 1, rows = places ? 3 : 6;
        arne_control_options o = {.size = sizeof o,
                                  .kind = ARNE_CONTROL_HAND_IMPEDANCE,
                                  .period = 0.005,
                                  .link = link,
                                  .posture = bent,
                                  .position_only = places,
                                  .friction = true};
        for (int r = 0; r < 6; r++) o.stiffness[r] = 30 + r, o.damping[r] = 7 + r;
        arne_controller *c = controller_of(s.data, &o);
        motion x = subject_motion(&s, 1);
        arne_hand_target target, now;
        double e[6], a[6], J[3][6 * MOST_DOF], wish[MOST_DOF], qr[MOST_DOF], qrd[MOST_DOF], there[MOST_DOF], tau[MOST_DOF],
            want[MOST_DOF], rub[MOST_DOF];
        const double h = 1e-6;
        for (int i = 0; i < n; i++) {
            x.q[i] = bent[i] + 0.1 * x.q[i];
            wish[i] = 400 * (bent[i] - x.q[i]) - 40 * x.qd[i];
        }
        arne_link_pose(s.data, bent, link, &target.pose);
        random_vector(&s.r, 6, 1, target.velocity);
        random_vector(&s.r, 6, 3, target.acceleration);
        for (int side = 0; side < 3; side++) {
            for (int i = 0; i < n; i++) there[i] = x.q[i] + (side - 1) * h * x.qd[i];
            arne_link_jacobian(s.data, there, link, ARNE_ALIGNED, J[side]);
        }
        arne_hand_options weighted = {.size = sizeof weighted, .inertia_weighted = true, .position_only = places};
        joint_velocity(s.data, link, x.q, target.velocity, &weighted, qr);
        for (int r = 0; r < 6; r++) {
            a[r] = target.acceleration[r];
            for (int i = 0; i < n; i++) a[r] -= (J[2][r * n + i] - J[0][r * n + i]) / (2 * h) * qr[i];
        }
        weighted.null_motion = wish;
        joint_velocity(s.data, link, x.q, a, &weighted, qrd);
        arne_star(s.data, ARNE_STAR0001, x.q, x.qd, qr, qrd, want);
        arne_friction_torque(s.data, x.qd, rub);
        arne_hand_at(s.data, link, x.q, x.qd, NULL, &now);
        arne_hand_error(&now.pose, &target.pose, e);
        for (int i = 0; i < n; i++) {
            want[i] += rub[i];
            for (int r = 0; r < rows; r++)
                want[i] += J[1][r * n + i] * (o.stiffness[r] * e[r] + o.damping[r] * (target.velocity[r] - now.velocity[r]));
        }
        assert_int_equal(flags_of(c, &(arne_tick){.size = sizeof(arne_tick), .q = x.q, .qd = x.qd, .hand = &target}, tau), 0);
        expect_close(&s, "impedance", n, tau, want, 1e-7);
        arne_controller_free(c);
        subject_close(&s);
    }
}

static void a_singular_position_is_flagged_and_stays_finite(void **state)
{
    (void)state;
    subject s = two_links();
    for (int k = 0; k < 2; k++) {
        const arne_control_options o = {.size = sizeof o,
                                        .kind = k ? ARNE_CONTROL_HAND_IMPEDANCE : ARNE_CONTROL_HAND_ACCELERATION,
                                        .period = 0.001,
                                        .link = 3,
                                        .position_only = true};
        arne_controller *c = controller_of(s.data, &o);
        arne_hand_target target = {.pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {2.1, 0, 0}}};
        const double straight[2] = {0, 0}, folded[2] = {0, 1}, qd[2] = {1, -1};
        double tau[2];
        assert_int_equal(flags_of(c, &(arne_tick){.size = sizeof(arne_tick), .q = straight, .qd = qd, .hand = &target}, tau),
                         ARNE_TICK_SINGULAR);
        assert_true(largest(2, tau) < 1e3);
        assert_int_equal(flags_of(c, &(arne_tick){.size = sizeof(arne_tick), .q = folded, .qd = qd, .hand = &target}, tau), 0);
        arne_controller_free(c);
    }
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_link_accelerates_as_asked),
        cmocka_unit_test(a_wrench_moves_the_link_by_its_compliance),
        cmocka_unit_test(the_energy_of_the_impedance_falls_by_its_damper),
        cmocka_unit_test(default_gains_bring_the_hand_to_its_target),
        cmocka_unit_test(the_posture_is_that_of_the_first_tick),
        cmocka_unit_test(freedom_goes_to_the_posture),
        cmocka_unit_test(the_impedance_is_its_formula),
        cmocka_unit_test(a_singular_position_is_flagged_and_stays_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
