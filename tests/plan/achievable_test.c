/* SPDX-License-Identifier: MIT
 *
 * achievable_test.c - one interpolation cycle: stored answers of both readings, and what each policy promises on any robot. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/feasible.h"
#include "arne/positions.h"
#include "support/oracle.h"
#include "support/subject.h"

/* stored answers, printed with 17 digits */
static const double STORED = 1e-9;
/* torques recomputed by another algorithm, beside the largest that a joint carries */
static const double TOLERANCE = 1e-10;

enum { RANDOM_ROBOTS = FEWER(420) };

/* ---- stored answers ---- */

static arne_model *stored_robot(const cJSON *file, const cJSON *one)
{
    arne_description *d = oracle_dh_description(oracle_field(file, "robot"));
    const cJSON *a = oracle_field(file, "actuators");
    const int n = (int)d->njoint;
    double gear[ORACLE_JOINTS], rotor[ORACLE_JOINTS], fv[ORACLE_JOINTS], fs[ORACLE_JOINTS], q[ORACLE_JOINTS], v[ORACLE_JOINTS],
        u[ORACLE_JOINTS];
    oracle_numbers(a, "gear", n, gear);
    oracle_numbers(a, "rotor_motor_side", n, rotor);
    oracle_numbers(a, "viscous_motor_side", n, fv);
    oracle_numbers(a, "coulomb_motor_side", n, fs);
    oracle_numbers(a, "q_max", n, q);
    oracle_numbers(a, "v_max", n, v);
    oracle_numbers(one, "u_max", n, u);
    for (int i = 0; i < n; i++) {
        arne_joint_description *j = &d->joints[i];
        /* there friction is on joint speed, here on shaft speed */
        j->motor.inertia = rotor[i], j->motor.gear = gear[i], j->motor.viscous = fv[i] / gear[i], j->motor.coulomb = fs[i];
        j->motor.effort = u[i];
        j->limits.lower = -q[i], j->limits.upper = q[i], j->limits.velocity = v[i];
    }
    arne_model *m = NULL;
    arne_error error;
    if (arne_model_build(d, NULL, &m, &error) != ARNE_OK) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

static void check_case(const cJSON *file, const cJSON *one)
{
    static const struct {
        arne_policy policy;
        const char *field;
    } readings[] = {{ARNE_KEEP, "keep_accelerations"}, {ARNE_RESOLVE, "full_resolve"}};
    arne_model *m = stored_robot(file, one);
    const int n = arne_model_dof(m);
    arne_data *d = test_data(m);
    arne_wrench w = {.link = arne_joint_link(m, n - 1), .frame = ARNE_ALIGNED};
    double q[ORACLE_JOINTS], qd[ORACLE_JOINTS], q_next[ORACLE_JOINTS], qd_next[ORACLE_JOINTS], want[ORACLE_JOINTS];
    double qdd[ORACLE_JOINTS], motor[ORACLE_JOINTS];
    bool saturated[ORACLE_JOINTS];
    oracle_numbers(one, "force", 3, w.force);
    oracle_numbers(one, "moment", 3, w.moment);
    oracle_numbers(one, "point", 3, w.point);
    oracle_numbers(one, "q", n, q);
    oracle_numbers(one, "qd", n, qd);
    oracle_numbers(one, "q_next", n, q_next);
    oracle_numbers(one, "qd_next", n, qd_next);
    arne_set_wrenches(arne_data_settings(d), &w, 1);
    for (int k = 0; k < 2; k++) {
        const arne_cycle_options o = {
            .size = sizeof o, .dt = oracle_number(oracle_field(file, "actuators"), "dt"), .policy = readings[k].policy};
        const arne_achieved to = {.size = sizeof to, .qdd = qdd, .motor = motor, .saturated = saturated};
        const cJSON *answer = oracle_field(one, readings[k].field), *set = oracle_field(answer, "saturated"), *joint;
        assert_int_equal(arne_achievable(d, &o, q, qd, q_next, qd_next, &to), ARNE_OK);
        oracle_numbers(answer, "qdd", n, want);
        oracle_close("qdd", qdd, want, n, STORED);
        oracle_numbers(answer, "u_a", n, want);
        oracle_close("u_a", motor, want, n, STORED);
        int count = 0;
        for (int i = 0; i < n; i++) count += saturated[i];
        assert_int_equal(count, cJSON_GetArraySize(set));
        cJSON_ArrayForEach(joint, set) assert_true(saturated[joint->valueint]);
    }
    arne_data_free(d);
    arne_model_free(m);
}

static void stored_answers_of_both_readings_come_out(void **state)
{
    (void)state;
    const oracle_names files = oracle_list(ARNE_TEST_DATA "/seeds012", ".achievable.json");
    assert_int_equal(files.count, 3);
    for (int k = 0; k < files.count; k++) {
        char path[512];
        snprintf(path, sizeof path, ARNE_TEST_DATA "/seeds012/%s.achievable.json", files.name[k]);
        cJSON *file = oracle_load(path), *one;
        cJSON_ArrayForEach(one, oracle_field(file, "cases")) check_case(file, one);
        cJSON_Delete(file);
    }
}

/* ---- promises ---- */

/* Torque limits between a tenth and twice what the joints carry, so that some saturate; every other joint has an acceleration
 * limit. */
static subject limited_subject(int number, unsigned parts)
{
    arne_description *d = robot_number(number, parts);
    random_stream r = {(uint64_t)number + 99};
    for (size_t i = 0; i < d->njoint; i++) {
        const double hasty = (i + (size_t)number) % 2 ? random_between(&r, 0.1, 2) : INFINITY;
        d->joints[i].limits = (arne_limits){-INFINITY, INFINITY, INFINITY, hasty, random_between(&r, 2, 200)};
        d->joints[i].motor.effort = random_between(&r, 1, 100) / fabs(d->joints[i].motor.gear);
        d->joints[i].motor.speed = INFINITY;
    }
    return subject_of(d);
}

static double limit_behind_gear(const arne_model *m, int i)
{
    const arne_motor *motor = arne_joint_motor(m, i);
    return fmin(arne_joint_limits(m, i)->effort, fabs(motor->gear) * motor->effort);
}

static void check_promises(subject *s, bool coupled)
{
    const int n = s->n;
    for (int k = 0; k < 3; k++) {
        const motion x = subject_motion(s, k);
        const double dt = 0.01;
        double next[MOST_DOF], asked[MOST_DOF], qdd[MOST_DOF], qd[MOST_DOF], tau[MOST_DOF], motor[MOST_DOF], again[MOST_DOF];
        bool saturated[MOST_DOF];
        for (int i = 0; i < n; i++) next[i] = x.q[i] + dt * x.qd[i], asked[i] = x.qd[i] + dt * x.qdd[i];
        for (int policy = ARNE_KEEP; policy <= ARNE_RESOLVE; policy++) {
            const arne_cycle_options o = {.size = sizeof o, .dt = dt, .policy = (arne_policy)policy};
            const arne_achieved to = {sizeof to, qdd, qd, tau, motor, saturated};
            assert_int_equal(arne_achievable(s->data, &o, x.q, x.qd, next, asked, &to), ARNE_OK);
            assert_int_equal(arne_data_joint(s->data), -1); /* none is singular */
            motion y = x;
            memcpy(y.qdd, qdd, sizeof y.qdd);
            const double scale = fmax(carried(s, &y), largest(n, tau));
            arne_id(s->data, x.q, x.qd, qdd, again);
            expect_near(s, "torques of the achieved motion", n, again, tau, TOLERANCE, scale);
            arne_motor_torques(s->data, tau, again);
            for (int i = 0; i < n; i++) {
                const double gear = arne_joint_motor(s->m, i)->gear, limit = limit_behind_gear(s->m, i);
                const double most = arne_joint_limits(s->m, i)->acceleration, asking = (asked[i] - x.qd[i]) / dt;
                const double wanted = fmax(-most, fmin(most, asking));
                if (fabs(qd[i] - (x.qd[i] + dt * qdd[i])) > 1e-12 * (fabs(x.qd[i]) + fabs(qd[i]) + dt * fabs(qdd[i])))
                    fail_msg("%s: joint %d has another speed than its acceleration makes", s->name, i);
                if (fabs(again[i] * gear - motor[i] * gear) > TOLERANCE * scale) fail_msg("%s: motor torques", s->name);
                if (fabs(motor[i] * gear) > limit * (1 + 1e-12)) fail_msg("%s: joint %d is over its limit", s->name, i);
                if (saturated[i] && fabs(fabs(motor[i] * gear) - limit) > 1e-12 * limit)
                    fail_msg("%s: not at the limit", s->name);
                if (policy == ARNE_KEEP && !coupled && !saturated[i] &&
                    (qdd[i] != wanted || (wanted == asking && qd[i] != asked[i])))
                    fail_msg("%s: joint %d does not keep its acceleration", s->name, i);
            }
        }
    }
}

static void keep_and_resolve_keep_their_promises(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        const bool coupled = number % 3 == 2;
        subject s = limited_subject(number, coupled ? RANDOM_ALL : RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_LAWS);
        check_promises(&s, coupled || strstr(s.name, "coupled"));
        subject_close(&s);
    }
}

/* ---- by hand: a slide of 2 kg without gravity ---- */

typedef struct {
    arne_model *m;
    arne_data *d;
} slide;

static slide slide_open(arne_limits limits, arne_motor motor)
{
    slide s = {0};
    arne_description *d = arne_description_new("slide");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "car", 0);
    arne_joint_description *j = arne_description_joint(d, "x", 0, ARNE_PRISMATIC, "base", "car");
    assert_true(l && j);
    l->body.mass = 2;
    d->gravity[2] = 0;
    j->limits = limits;
    j->motor = motor;
    if (motor.ncurve) {
        j->motor.curve = malloc((size_t)motor.ncurve * sizeof *motor.curve);
        memcpy(j->motor.curve, motor.curve, (size_t)motor.ncurve * sizeof *motor.curve);
    }
    assert_int_equal(arne_model_build(d, NULL, &s.m, NULL), ARNE_OK);
    arne_description_free(d);
    s.d = test_data(s.m);
    return s;
}

static void slide_close(slide *s)
{
    arne_data_free(s->d);
    arne_model_free(s->m);
}

static double slide_qdd(slide *s, bool stay, double q, double qd, double q_next, double qd_next)
{
    double qdd;
    const arne_cycle_options o = {.size = sizeof o, .dt = 0.1, .policy = ARNE_KEEP, .stay = stay};
    assert_int_equal(
        arne_achievable(s->d, &o, &q, &qd, &q_next, &qd_next, &(arne_achieved){.size = sizeof(arne_achieved), .qdd = &qdd}),
        ARNE_OK);
    return qdd;
}

static const arne_limits NO_LIMITS = {-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};

static void velocity_acceleration_and_position_are_limited(void **state)
{
    (void)state;
    slide s = slide_open((arne_limits){-1, 1, 0.5, 4, INFINITY}, (arne_motor){.gear = 1, .effort = INFINITY, .speed = INFINITY});
    assert_true(slide_qdd(&s, false, 0, 0, 0, 0.3) == 0.3 / 0.1);
    assert_true(slide_qdd(&s, false, 0, 0.2, 0, 9) == (0.5 - 0.2) / 0.1); /* velocity */
    assert_true(slide_qdd(&s, false, 0, 0, 0, 0.5) == 4);                 /* acceleration */
    /* at 0.99 with room for 0.1 m/s over the next 0.1 s */
    assert_true(fabs(slide_qdd(&s, true, 0.95, 0.4, 0.99, 0.4) - (0.1 - 0.4) / 0.1) < 1e-12);
    assert_true(slide_qdd(&s, false, 0.95, 0.4, 0.99, 0.4) == 0);
    slide_close(&s);
}

static void a_curve_bounds_what_drives_and_not_what_brakes(void **state)
{
    (void)state;
    double curve[][2] = {{0, 3}, {10, 3}, {20, 1}};
    slide s = slide_open(NO_LIMITS, (arne_motor){.gear = -2, .effort = INFINITY, .speed = INFINITY, .ncurve = 3, .curve = curve});
    /* at 7.5 m/s the shaft turns at 15 rad/s: 2 Nm there, 4 N at the slide, 2 m/s^2; braking 6 N */
    assert_true(fabs(slide_qdd(&s, false, 0, 7.5, 0, 9) - 2) < 1e-12);
    assert_true(fabs(slide_qdd(&s, false, 0, 7.5, 0, 0) + 3) < 1e-12);
    assert_true(fabs(slide_qdd(&s, false, 0, -7.5, 0, -9) + 2) < 1e-12);
    assert_true(fabs(slide_qdd(&s, false, 0, 1, 0, 9) - 3) < 1e-12);
    /* the last speed of the curve is a limit: 10 m/s */
    assert_true(fabs(slide_qdd(&s, false, 0, 9.99, 0, 12) - 0.1) < 1e-9);
    double stop, q = 0, qd = 6, qdd = 0;
    arne_stopping(s.d, &q, &qd, &qdd, &stop);
    assert_true(fabs(stop - 6) < 1e-12); /* 36/(2*3) */
    slide_close(&s);
}

/* Two slides, q = J q_m with J = (1 0; 1 1): the second motor pulls the second slide past the first. */
static void coupled_motors_have_speeds_of_their_own(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("slides");
    assert_true(d && arne_description_link(d, "base", 0));
    static const char *const names[] = {"base", "a", "b"};
    for (int k = 0; k < 2; k++) {
        arne_link_description *l = arne_description_link(d, names[k + 1], 0);
        assert_non_null(l);
        l->body.mass = 2;
    }
    for (int k = 0; k < 2; k++) {
        arne_joint_description *j = arne_description_joint(d, k ? "y" : "x", 0, ARNE_PRISMATIC, names[k], names[k + 1]);
        assert_non_null(j);
        memcpy(j->axis, (const double[3]){1 - k, k, 0}, sizeof j->axis);
        j->limits = (arne_limits){-9, 9, 0.8, INFINITY, INFINITY};
        j->motor = (arne_motor){.gear = k ? -10 : 2, .effort = INFINITY, .speed = k ? 3 : 1}; /* 0.3, 0.5 m/s behind the gears */
    }
    d->ntransmission = 2;
    d->transmission = malloc(4 * sizeof *d->transmission);
    assert_non_null(d->transmission);
    memcpy(d->transmission, (const double[4]){1, 0, 1, 1}, 4 * sizeof *d->transmission);
    slide s = {0};
    assert_int_equal(arne_model_build(d, NULL, &s.m, NULL), ARNE_OK);
    arne_description_free(d);
    s.d = test_data(s.m);
    static const double zero[2], asked[][4] = {/* asked for, got: motors at (0.4, 0.2); at (0.4, 0.35 of 0.3); at (-0.7 of -0.5,
                                                  0.1); the joint's own limit comes first */
                                               {0.4, 0.6, 0.4, 0.6},
                                               {0.4, 0.75, 0.4, 0.7},
                                               {-0.7, -0.6, -0.5, -0.4},
                                               {0.7, 9, 0.5, 0.6}};
    for (int k = 0; k < 4; k++) {
        double qd[2];
        const arne_cycle_options o = {.size = sizeof o, .dt = 0.1, .policy = ARNE_KEEP};
        const arne_achieved to = {.size = sizeof to, .qd = qd};
        assert_int_equal(arne_achievable(s.d, &o, zero, zero, zero, asked[k], &to), ARNE_OK);
        if (fabs(qd[0] - asked[k][2]) > 1e-12 || fabs(qd[1] - asked[k][3]) > 1e-12)
            fail_msg("case %d: %g %g instead of %g %g", k, qd[0], qd[1], asked[k][2], asked[k][3]);
    }
    slide_close(&s);
}

/* It brakes with what its motor has while the others keep their accelerations: with that acceleration inverse dynamics asks it
 * for exactly this torque. */
static void a_stop_takes_the_whole_torque_of_one_motor(void **state)
{
    (void)state;
    int stops = 0;
    for (int number = 0; number < 3 * RANDOM_FAMILIES; number++) {
        subject s = limited_subject(shipped_robots() + number, RANDOM_MOTORS | RANDOM_FRICTION);
        const motion x = subject_motion(&s, 1);
        double distance[MOST_DOF], tau[MOST_DOF];
        assert_int_equal(arne_stopping(s.data, x.q, x.qd, x.qdd, distance), ARNE_OK);
        for (int i = 0; i < s.n; i++) {
            const double brake = -copysign(limit_behind_gear(s.m, i), x.qd[i]);
            motion y = x;
            /* without a way to stop: it goes on, or does not change, with all that brakes */
            y.qdd[i] = isinf(distance[i]) ? 0 : -copysign(x.qd[i] * x.qd[i] / (2 * distance[i]), x.qd[i]);
            arne_id(s.data, y.q, y.qd, y.qdd, tau);
            if (isinf(distance[i])) {
                assert_true((brake - tau[i]) * x.qd[i] >= 0);
                continue;
            }
            stops++;
            if (!(fabs(tau[i] - brake) < 1e-9 * (fabs(brake) + carried(&s, &y))))
                fail_msg("%s: joint %d stops with %g of %g", s.name, i, tau[i], brake);
        }
        subject_close(&s);
    }
    assert_true(stops > 20);
}

/* joints of several freedoms have no motor; each of the others is clipped by its own limits */
static void motors_among_free_joints_saturate_alone(void **state)
{
    (void)state;
    int clipped = 0, loose = 0;
    for (int number = 0; number < 40; number++) {
        subject s = limited_subject(shipped_robots() + number, RANDOM_WIDE | RANDOM_MOTORS);
        double qd[MOST_DOF], tau[MOST_DOF], before[MOST_DOF];
        bool over[MOST_DOF], any, some = false;
        random_vector(&s.r, s.n, 1, qd);
        random_vector(&s.r, s.n, 100, tau);
        memcpy(before, tau, sizeof tau);
        for (int i = 0; i < s.n; i++) over[i] = true;
        assert_int_equal(arne_saturate(s.m, qd, tau, over, &any), ARNE_OK);
        for (int i = 0; i < s.n; i++) {
            const bool driven = arne_velocity_position(s.m, i) >= 0;
            const double most = driven ? limit_behind_gear(s.m, arne_velocity_joint(s.m, i)) : INFINITY;
            assert_true(tau[i] == fmax(-most, fmin(most, before[i])) && over[i] == (fabs(before[i]) > most));
            some = some || over[i];
            clipped += over[i], loose += !driven;
        }
        assert_int_equal(any, some);
        memcpy(tau, before, sizeof tau);
        assert_int_equal(arne_saturate(s.m, qd, tau, NULL, NULL), ARNE_OK);
        subject_close(&s);
    }
    assert_true(clipped > 10 && loose > 10);
}

/* what the shaft may carry bounds its curve */
static void a_curve_ends_at_the_effort(void **state)
{
    (void)state;
    double curve[][2] = {{0, 3}, {10, 3}, {20, 1}};
    slide s = slide_open(NO_LIMITS, (arne_motor){.gear = 2, .effort = 2.5, .speed = 8, .ncurve = 3, .curve = curve});
    assert_true(fabs(slide_qdd(&s, false, 0, 1, 0, 3.9) - 2.5) < 1e-12); /* 2 * 2.5 N for 2 kg */
    assert_true(fabs(slide_qdd(&s, false, 0, 3.95, 0, 9) - 0.5) < 1e-9); /* 8 rad/s: 4 m/s */
    slide_close(&s);
    /* between the points: 2 Nm at 15 rad/s, 1 Nm at 20 rad/s, 3 Nm at 10 rad/s, 2.8 Nm at 11 rad/s; behind the last: its torque
     */
    s = slide_open(NO_LIMITS, (arne_motor){.gear = 1, .effort = INFINITY, .speed = INFINITY, .ncurve = 3, .curve = curve});
    static const double speeds[][2] = {{15, 2}, {20, 1}, {10, 3}, {11, 2.8}, {0, 3}, {19, 1.2}, {25, 1}};
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        double tau = 100;
        bool over = false, some = false;
        assert_int_equal(arne_saturate(s.m, &speeds[k][0], &tau, &over, &some), ARNE_OK);
        assert_true(fabs(tau - speeds[k][1]) < 1e-12 && over && some);
    }
    slide_close(&s);
}

static void a_motor_that_cannot_hold_its_load_has_no_way_to_stop(void **state)
{
    (void)state;
    slide s =
        slide_open((arne_limits){-1, 1, INFINITY, INFINITY, 5}, (arne_motor){.gear = 1, .effort = INFINITY, .speed = INFINITY});
    const double down[3] = {0, 0, -9.81};
    arne_set_gravity(arne_data_settings(s.d), down);
    double stop, q = 0, qd = -1, qdd = 0;
    arne_stopping(s.d, &q, &qd, &qdd, &stop);
    assert_true(isinf(stop));
    qd = 1; /* upwards gravity helps: 9.81 + 2.5 */
    arne_stopping(s.d, &q, &qd, &qdd, &stop);
    assert_true(fabs(stop - 1 / (2 * 12.31)) < 1e-12);
    slide_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_answers_of_both_readings_come_out),
        cmocka_unit_test(keep_and_resolve_keep_their_promises),
        cmocka_unit_test(velocity_acceleration_and_position_are_limited),
        cmocka_unit_test(a_curve_bounds_what_drives_and_not_what_brakes),
        cmocka_unit_test(coupled_motors_have_speeds_of_their_own),
        cmocka_unit_test(a_stop_takes_the_whole_torque_of_one_motor),
        cmocka_unit_test(a_curve_ends_at_the_effort),
        cmocka_unit_test(motors_among_free_joints_saturate_alone),
        cmocka_unit_test(a_motor_that_cannot_hold_its_load_has_no_way_to_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
