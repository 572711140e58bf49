/* SPDX-License-Identifier: MIT
 *
 * border_test.c - controllers and hands: nothing where something should be, links that are none, data that is not prepared,
 * options of other versions. */
#include "control/loop.h"
#include "support/grow.h"

enum { BAD = ARNE_BAD_ARGUMENT };

static arne_status new_controller(void *context, const void *given)
{
    const arne_data *d = context;
    arne_controller *c;
    const arne_status status = arne_controller_new(arne_data_settings_used(d), given, &c, NULL);
    assert_int_equal(status == ARNE_OK, c != NULL);
    arne_controller_free(c);
    return status;
}

static arne_status one_tick(void *context, const void *given)
{
    double tau[MOST_DOF];
    return arne_control_tick(context, given, tau, NULL);
}

static void controllers(void **state)
{
    (void)state;
    subject s = shipped_subject("ur5e");
    const arne_settings *known = arne_data_settings(s.data);
    const arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 0.001};
    arne_controller *c;
    arne_error e;
    assert_int_equal(arne_controller_new(NULL, &o, &c, &e), BAD);
    assert_null(c);
    assert_int_equal(arne_controller_new(known, NULL, &c, &e), BAD);
    assert_int_equal(arne_controller_new(known, &o, NULL, NULL), BAD);
    expect_grows(&o, sizeof o, offsetof(arne_control_options, kp), new_controller, s.data);
    arne_controller_free(NULL);
    arne_controller_reset(NULL);
    assert_null(arne_controller_settings(NULL));
    assert_int_equal(arne_controller_link(NULL), -1);
    assert_null(arne_controller_parameters(NULL, NULL));
    assert_null(arne_control_name(ARNE_CONTROL_COUNT));
    assert_null(arne_control_name((arne_control_kind)-1));
    assert_int_equal(arne_control_find(NULL), -1);
    subject_close(&s);
}

static void ticks(void **state)
{
    (void)state;
    subject s = shipped_subject("ur5e");
    const arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 0.001};
    arne_controller *c = controller_of(s.data, &o);
    double q[6] = {0.1, -1, 1, 0.3, 0.2, 0.1}, qd[6] = {0}, r[30] = {0}, tau[6], good[6];
    const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .reference = r};
    unsigned flags = 99;
    assert_int_equal(arne_control_tick(c, &in, good, &flags), ARNE_OK);
    assert_int_equal(flags, 0);
    assert_int_equal(arne_control_tick(NULL, &in, tau, &flags), BAD);
    assert_int_equal(arne_control_tick(c, &in, NULL, NULL), BAD);
    /* what is missing: the torque is held */
    const arne_tick missing[] = {{.size = sizeof in, .qd = qd, .reference = r},
                                 {.size = sizeof in, .q = q, .reference = r},
                                 {.size = sizeof in, .q = q, .qd = qd}};
    for (int k = 0; k < 4; k++) {
        memset(tau, 0, sizeof tau);
        assert_int_equal(arne_control_tick(c, k < 3 ? &missing[k] : NULL, tau, &flags), BAD);
        assert_int_equal(flags, ARNE_TICK_HELD);
        assert_memory_equal(tau, good, sizeof tau);
    }
    q[2] = NAN;
    assert_int_equal(arne_control_tick(c, &in, tau, &flags), ARNE_NOT_FINITE);
    assert_memory_equal(tau, good, sizeof tau);
    q[2] = 1;
    expect_grows(&in, sizeof in, offsetof(arne_tick, hand), one_tick, c);
    arne_controller_free(c);
    subject_close(&s);
}

/* the caller's settings are neither kept nor changed */
static void settings_are_copied(void **state)
{
    (void)state;
    subject s = shipped_subject("ur5e");
    arne_settings *known;
    assert_int_equal(arne_settings_new(s.m, &known, NULL), ARNE_OK);
    const arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 0.001};
    arne_controller *c;
    assert_int_equal(arne_controller_new(known, &o, &c, NULL), ARNE_OK);
    assert_true(arne_settings_friction(known)); /* not compensated, but not switched off here */
    arne_settings_free(known);
    const double q[6] = {0, -1, 1, 0, 0, 0}, qd[6] = {0}, up[3] = {0, 0, 9.81};
    double r[30] = {0}, tau[6], g[6], other[6];
    memcpy(r, q, sizeof q);
    const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .reference = r};
    assert_int_equal(arne_control_tick(c, &in, tau, NULL), ARNE_OK);
    arne_gravity(s.data, q, g);
    expect_close(&s, "gravity", 6, tau, g, 1e-14);
    assert_int_equal(arne_set_gravity(arne_controller_settings(c), up), ARNE_OK);
    assert_int_equal(arne_control_tick(c, &in, tau, NULL), ARNE_OK);
    for (int i = 0; i < 6; i++) other[i] = -g[i];
    expect_close(&s, "gravity upside down", 6, tau, other, 1e-3);
    arne_controller_free(c);
    subject_close(&s);
}

/* a controller of elastic joints stays one of the link side, whatever is copied into its settings */
static void the_link_side_stays(void **state)
{
    (void)state;
    subject s = shipped_subject("kuka-lwr");
    const arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_MOTOR_PD, .period = 0.001};
    arne_controller *c = controller_of(s.data, &o);
    arne_settings *own = arne_controller_settings(c);
    assert_false(arne_settings_rotors(own));
    assert_int_equal(arne_settings_copy(own, arne_data_settings(s.data)), ARNE_OK);
    assert_int_equal(arne_set_rotors(own, true), ARNE_OK);
    assert_false(arne_settings_rotors(own));
    arne_controller_free(c);
    subject_close(&s);
}

typedef struct {
    arne_data *d;
    const double *q;
    double *x;
} hand_call;

static arne_status hand_velocity(void *context, const void *given)
{
    const hand_call *h = context;
    const double v[6] = {0.1};
    return arne_hand_joint_velocity(h->d, 6, h->q, v, given, h->x, NULL);
}

static void hands(void **state)
{
    (void)state;
    subject s = shipped_subject("ur5e");
    arne_data *bare;
    assert_int_equal(arne_data_new(s.m, &bare, NULL), ARNE_OK);
    const double q[6] = {0.1, -1, 1, 0.3, 0.2, 0.1}, v[6] = {0}, t[2] = {0, 1};
    double x[6] = {0};
    arne_hand_target at;
    arne_pose poses[2] = {{.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    arne_trajectory *path;
    const int link = s.nlink - 1, wrong[] = {-1, s.nlink};
    assert_int_equal(arne_hand_at(bare, link, q, v, NULL, &at), ARNE_NOT_PREPARED);
    assert_int_equal(arne_hand_joint_velocity(bare, link, q, v, NULL, x, NULL), ARNE_NOT_PREPARED);
    assert_int_equal(arne_hand_joint_acceleration(bare, link, q, v, v, NULL, x, NULL), ARNE_NOT_PREPARED);
    assert_int_equal(arne_hand_solve(bare, link, poses, NULL, x, NULL), ARNE_NOT_PREPARED);
    assert_int_equal(arne_hand_path(bare, link, 2, t, poses, q, 10, &path, NULL), ARNE_NOT_PREPARED);
    assert_int_equal(arne_data_prepare(bare, ARNE_HANDS, NULL), ARNE_OK);
    assert_int_equal(arne_hand_at(bare, link, q, v, NULL, &at), ARNE_OK);
    for (int k = 0; k < 3; k++) {
        arne_data *d = k == 2 ? NULL : bare;
        const int l = k == 2 ? link : wrong[k];
        assert_int_equal(arne_hand_at(d, l, q, v, NULL, &at), BAD);
        assert_int_equal(arne_hand_joint_velocity(d, l, q, v, NULL, x, NULL), BAD);
        assert_int_equal(arne_hand_joint_acceleration(d, l, q, v, v, NULL, x, NULL), BAD);
        assert_int_equal(arne_hand_solve(d, l, poses, NULL, x, NULL), BAD);
        assert_int_equal(arne_hand_path(d, l, 2, t, poses, q, 10, &path, NULL), BAD);
        assert_null(path);
    }
    assert_int_equal(arne_hand_at(bare, link, NULL, v, NULL, &at), BAD);
    assert_int_equal(arne_hand_at(bare, link, q, NULL, NULL, &at), BAD);
    assert_int_equal(arne_hand_at(bare, link, q, v, NULL, NULL), BAD);
    assert_int_equal(arne_hand_error(NULL, poses, x), BAD);
    assert_int_equal(arne_hand_error(poses, NULL, x), BAD);
    assert_int_equal(arne_hand_error(poses, poses, NULL), BAD);
    assert_int_equal(arne_hand_joint_velocity(bare, link, NULL, v, NULL, x, NULL), BAD);
    assert_int_equal(arne_hand_joint_velocity(bare, link, q, NULL, NULL, x, NULL), BAD);
    assert_int_equal(arne_hand_joint_velocity(bare, link, q, v, NULL, NULL, NULL), BAD);
    assert_int_equal(arne_hand_joint_acceleration(bare, link, NULL, v, v, NULL, x, NULL), BAD);
    assert_int_equal(arne_hand_joint_acceleration(bare, link, q, NULL, v, NULL, x, NULL), BAD);
    assert_int_equal(arne_hand_joint_acceleration(bare, link, q, v, NULL, NULL, x, NULL), BAD);
    assert_int_equal(arne_hand_joint_acceleration(bare, link, q, v, v, NULL, NULL, NULL), BAD);
    assert_int_equal(arne_hand_solve(bare, link, NULL, NULL, x, NULL), BAD);
    assert_int_equal(arne_hand_solve(bare, link, poses, NULL, NULL, NULL), BAD);
    assert_int_equal(arne_hand_path(bare, link, 2, NULL, poses, q, 10, &path, NULL), BAD);
    assert_int_equal(arne_hand_path(bare, link, 2, t, NULL, q, 10, &path, NULL), BAD);
    assert_int_equal(arne_hand_path(bare, link, 2, t, poses, NULL, 10, &path, NULL), BAD);
    assert_int_equal(arne_hand_path(bare, link, 2, t, poses, q, 10, NULL, NULL), BAD);
    const arne_hand_options o = {.size = sizeof o, .inertia_weighted = true};
    hand_call call = {bare, q, x};
    expect_grows(&o, sizeof o, offsetof(arne_hand_options, damping), hand_velocity, &call);
    arne_data_free(bare);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(controllers),         cmocka_unit_test(ticks), cmocka_unit_test(settings_are_copied),
        cmocka_unit_test(the_link_side_stays), cmocka_unit_test(hands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
