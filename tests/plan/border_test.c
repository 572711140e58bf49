/* SPDX-License-Identifier: MIT
 *
 * border_test.c - limits and plans: nothing where something should be, links that are none, data that is not prepared or of
 * another robot, options of other versions, joints without a torque limit. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "arne/file.h"
#include "arne/plan.h"
#include "support/grow.h"

enum { BAD = ARNE_BAD_ARGUMENT, N = 6 };

static arne_model *m;
static arne_data *d;
static const double q[N] = {0.1, -1, 1, 0.3, 0.2, 0.1}, zero[N], one[N] = {1, 1, 1, 1, 1, 1};
static double x[N], y[N], z[N];

static int set_up(void **state)
{
    (void)state;
    return arne_load(ARNE_ROBOTS "/ur5e.yaml", &m, NULL) || arne_data_new(m, &d, NULL) || arne_data_prepare(d, ARNE_LIMITS, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    arne_data_free(d);
    arne_model_free(m);
    return 0;
}

static arne_status cycle_options(void *context, const void *given)
{
    const arne_achieved to = {.size = sizeof to, .qdd = x};
    (void)context;
    return arne_achievable(d, given, q, zero, q, zero, &to);
}

static arne_status achieved(void *context, const void *given) { return arne_achievable(d, context, q, zero, q, zero, given); }

static void cycles(void **state)
{
    (void)state;
    arne_cycle_options o = {.size = sizeof o, .dt = 0.01};
    const arne_achieved to = {.size = sizeof to, .qdd = x};
    arne_data *bare;
    expect_grows(&o, sizeof o, offsetof(arne_cycle_options, stay), cycle_options, NULL);
    expect_grows(&to, sizeof to, offsetof(arne_achieved, tau), achieved, &o);
    for (int k = 0; k < 7; k++)
        assert_int_equal(arne_achievable(k == 0 ? NULL : d, k == 1 ? NULL : &o, k == 2 ? NULL : q, k == 3 ? NULL : zero,
                                         k == 4 ? NULL : q, k == 5 ? NULL : zero, k == 6 ? NULL : &to),
                         BAD);
    for (int k = 0; k < 5; k++)
        assert_int_equal(
            arne_stopping(k == 0 ? NULL : d, k == 1 ? NULL : q, k == 2 ? NULL : zero, k == 3 ? NULL : zero, k == 4 ? NULL : x),
            BAD);
    static const double wrong[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 4; k++) {
        o.dt = wrong[k];
        assert_int_equal(arne_achievable(d, &o, q, zero, q, zero, &to), BAD);
    }
    o.dt = 0.01;
    o.policy = ARNE_SCALE; /* not of one cycle */
    assert_int_equal(arne_achievable(d, &o, q, zero, q, zero, &to), BAD);
    o.policy = ARNE_KEEP;
    assert_int_equal(arne_data_new(m, &bare, NULL), ARNE_OK);
    assert_int_equal(arne_achievable(bare, &o, q, zero, q, zero, &to), ARNE_NOT_PREPARED);
    assert_int_equal(arne_stopping(bare, q, zero, zero, x), ARNE_NOT_PREPARED);
    arne_data_free(bare);
    bool any = true;
    assert_int_equal(arne_saturate(NULL, zero, x, NULL, &any), BAD);
    assert_int_equal(arne_saturate(m, NULL, x, NULL, &any), BAD);
    assert_int_equal(arne_saturate(m, zero, NULL, NULL, &any), BAD);
    assert_null(arne_limit_words(ARNE_LIMIT_COUNT));
}

/* a joint that moves no mass is named */
static void a_singular_matrix_has_a_joint(void **state)
{
    (void)state;
    arne_description *about = arne_description_new("massless");
    assert_true(about && arne_description_link(about, "l0", 0) && arne_description_link(about, "l1", 0));
    arne_joint_description *j = arne_description_joint(about, "j1", 0, ARNE_REVOLUTE, "l0", "l1");
    assert_non_null(j);
    j->limits.effort = 1;
    arne_model *light;
    arne_data *own;
    assert_int_equal(arne_model_build(about, NULL, &light, NULL), ARNE_OK);
    arne_description_free(about);
    assert_int_equal(arne_data_new(light, &own, NULL), ARNE_OK);
    assert_int_equal(arne_data_prepare(own, ARNE_LIMITS, NULL), ARNE_OK);
    const arne_wrench push = {.link = 1, .frame = ARNE_LOCAL, .moment = {0, 0, -5}};
    arne_set_wrenches(arne_data_settings(own), &push, 1);
    const arne_cycle_options o = {.size = sizeof o, .dt = 0.01};
    const arne_achieved to = {.size = sizeof to, .qdd = x};
    const arne_hand_direction h = {.size = sizeof h, .link = 1, .rows = 3, .direction = {1}};
    double most;
    x[0] = 1;
    assert_int_equal(arne_achievable(own, &o, q, zero, q, one, &to), ARNE_SINGULAR);
    assert_int_equal(arne_data_joint(own), 0);
    assert_true(x[0] == 0);
    assert_int_equal(arne_largest_acceleration(own, q, zero, &h, &most, NULL), ARNE_SINGULAR);
    assert_true(isnan(most));
    /* it goes on as it did */
    const arne_achieved both = {.size = sizeof both, .qdd = x, .qd = y};
    x[0] = y[0] = 7;
    assert_int_equal(arne_achievable(own, &o, q, q, q, one, &both), ARNE_SINGULAR);
    assert_true(x[0] == 0 && y[0] == q[0]);
    arne_data_free(own);
    arne_model_free(light);
}

static arne_status direction(void *context, const void *given)
{
    (void)context;
    return arne_largest_acceleration(d, q, zero, given, x, NULL);
}

static void hands(void **state)
{
    (void)state;
    const arne_hand_direction good = {.size = sizeof good, .link = 6, .rows = 3, .direction = {1}};
    arne_hand_direction h = good;
    double most;
    expect_grows(&good, sizeof good, offsetof(arne_hand_direction, pure), direction, NULL);
    for (int k = 0; k < 5; k++)
        assert_int_equal(arne_largest_acceleration(k == 0 ? NULL : d, k == 1 ? NULL : q, k == 2 ? NULL : zero,
                                                   k == 3 ? NULL : &good, k == 4 ? NULL : &most, NULL),
                         BAD);
    for (int k = 0; k < 4; k++) {
        h = good;
        if (k == 0) h.link = -1;
        if (k == 1) h.link = arne_model_links(m);
        if (k == 2) h.rows = 4;
        if (k == 3) h.direction[0] = 0;
        assert_int_equal(arne_largest_acceleration(d, q, zero, &h, &most, NULL), BAD);
        assert_true(isnan(most));
    }
    arne_data *bare;
    assert_int_equal(arne_data_new(m, &bare, NULL), ARNE_OK);
    assert_int_equal(arne_largest_acceleration(bare, q, zero, &good, &most, NULL), ARNE_NOT_PREPARED);
    arne_data_free(bare);
}

static void motions(void **state)
{
    (void)state;
    double rows[3 * N] = {0};
    const arne_motion s = {.count = 3, .dt = 0.1, .q = rows}, none = {.dt = 0.1, .q = rows}, still = {.count = 3, .q = rows};
    arne_verdict v;
    arne_plan *p;
    arne_model *other;
    arne_data *others;
    assert_int_equal(arne_load(ARNE_ROBOTS "/ur5e.yaml", &other, NULL), ARNE_OK);
    assert_int_equal(arne_data_new(other, &others, NULL), ARNE_OK);
    assert_int_equal(arne_judge(&s, d, NULL, &v, NULL), ARNE_OK);
    assert_int_equal(arne_judge(NULL, d, NULL, &v, NULL), BAD);
    assert_int_equal(arne_judge(&s, NULL, NULL, &v, NULL), BAD);
    assert_int_equal(arne_judge(&s, d, NULL, NULL, NULL), BAD);
    assert_int_equal(arne_judge(&s, d, others, &v, NULL), BAD);
    assert_int_equal(arne_judge(&none, d, NULL, &v, NULL), BAD);
    assert_int_equal(arne_judge(&still, d, NULL, &v, NULL), BAD);
    assert_int_equal(arne_judge(&(arne_motion){.count = 3, .dt = 0.1}, d, NULL, &v, NULL), BAD);
    assert_int_equal(arne_retime(NULL, d, &p, NULL), BAD);
    assert_null(p);
    assert_int_equal(arne_retime(&s, NULL, &p, NULL), BAD);
    assert_int_equal(arne_retime(&s, d, NULL, NULL), BAD);
    arne_error e;
    assert_int_equal(arne_retime(&(arne_motion){.count = 1, .dt = 0.1, .q = rows}, d, &p, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "a motion has at least two samples");
    assert_int_equal(arne_judge(&s, d, others, &v, &e), BAD);
    assert_string_equal(e.message, "the robot without its payload is another one");
    assert_int_equal(arne_motion_at(NULL, N, 0, x, y), BAD);
    assert_int_equal(arne_motion_at(&s, N, -1, x, y), BAD);
    assert_int_equal(arne_motion_at(&s, N, 3, x, y), BAD);
    assert_int_equal(arne_motion_at(&s, N, 2, NULL, y), BAD);
    assert_int_equal(arne_motion_at(&s, N, 2, x, NULL), ARNE_OK);
    arne_data_free(others);
    arne_model_free(other);
}

static arne_status find_plan(void *context, const void *given)
{
    arne_plan *p;
    const arne_status status = arne_plan_find(context, d, given, &p, NULL);
    assert_int_equal(status == ARNE_OK, p != NULL);
    arne_plan_free(p);
    return status;
}

static void plans(void **state)
{
    (void)state;
    double points[2 * N] = {0}, duration, use[ARNE_LIMIT_COUNT * N];
    arne_curve *c, *narrow;
    arne_plan *p;
    memcpy(points + N, q, sizeof q);
    assert_int_equal(arne_curve_new(NULL, 2, N, &c, NULL), BAD);
    assert_null(c);
    assert_int_equal(arne_curve_new(points, 2, N, NULL, NULL), BAD);
    assert_int_equal(arne_curve_new(points, 2, N, &c, NULL), ARNE_OK);
    assert_int_equal(arne_curve_new(points + N, 2, 1, &narrow, NULL), ARNE_OK);
    assert_int_equal(arne_curve_at(NULL, 0, x, y, z), BAD);
    assert_int_equal(arne_curve_at(c, 0, x, NULL, NULL), ARNE_OK);
    assert_int_equal(arne_curve_at(c, 0, NULL, y, z), ARNE_OK);
    assert_true(arne_curve_length(NULL) == 0 && isnan(arne_curve_point(NULL, 0)));
    arne_curve_free(NULL);
    const arne_plan_options o = {.size = sizeof o, .grid = 50, .dt = 0.01};
    expect_grows(&o, sizeof o, offsetof(arne_plan_options, velocity_scale), find_plan, c);
    assert_int_equal(arne_plan_find(NULL, d, &o, &p, NULL), BAD);
    assert_null(p);
    assert_int_equal(arne_plan_find(c, NULL, &o, &p, NULL), BAD);
    assert_int_equal(arne_plan_find(c, d, &o, NULL, NULL), BAD);
    assert_int_equal(arne_plan_find(narrow, d, &o, &p, NULL), BAD);
    static const int grids[] = {-1, INT_MIN, 10000001, INT_MAX};
    for (int k = 0; k < 4; k++) {
        const arne_plan_options wrong = {.size = sizeof wrong, .grid = grids[k], .dt = 0.01};
        arne_error e;
        assert_int_equal(arne_plan_find(c, d, &wrong, &p, &e), ARNE_BAD_VALUE);
        char says[80];
        snprintf(says, sizeof says, "a grid has 1 to 10000000 intervals, not %d", grids[k]);
        assert_string_equal(e.message, says);
        assert_null(p);
    }
    static const struct {
        double dt, velocity_scale, start_speed, end_speed, jerk, effort_rate;
        const char *says;
    } bad[] = {{-1, 1, 0, 0, 0, 0, "the interval dt is a time above 0"},
               {INFINITY, 1, 0, 0, 0, 0, "the interval dt is a time above 0"},
               {0.01, -0.1, 0, 0, 0, 0, "the velocity scale is above 0 and at most 1"},
               {0.01, 1.01, 0, 0, 0, 0, "the velocity scale is above 0 and at most 1"},
               {0.01, 1, -0.1, 0, 0, 0, "the speeds at the ends are not negative"},
               {0.01, 1, 0, -0.1, 0, 0, "the speeds at the ends are not negative"},
               {0.01, 1, INFINITY, 0, 0, 0, "the speeds at the ends are not negative"},
               {0.01, 1, 0, INFINITY, 0, 0, "the speeds at the ends are not negative"},
               {0.01, 1, 0, 0, -1, 0, "limits of jerk and torque rate are above 0"},
               {0.01, 1, 0, 0, 0, -1, "limits of jerk and torque rate are above 0"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const arne_plan_options wrong = {.size = sizeof wrong,
                                         .dt = bad[k].dt,
                                         .velocity_scale = bad[k].velocity_scale,
                                         .start_speed = bad[k].start_speed,
                                         .end_speed = bad[k].end_speed,
                                         .jerk = bad[k].jerk,
                                         .effort_rate = bad[k].effort_rate};
        arne_error e;
        assert_int_equal(arne_plan_find(c, d, &wrong, &p, &e), ARNE_BAD_VALUE);
        assert_string_equal(e.message, bad[k].says);
        assert_null(p);
    }
    const arne_plan_options one = {.size = sizeof one, .grid = 1, .dt = 0.01};
    const arne_status coarse = arne_plan_find(c, d, &one, &p, NULL); /* allowed; that it finds nothing is another matter */
    assert_true(coarse == ARNE_OK || coarse == ARNE_UNSUPPORTED);
    arne_plan_free(p);
    assert_int_equal(arne_plan_find(c, d, &o, &p, NULL), ARNE_OK);
    for (int k = 0; k < 4; k++)
        assert_int_equal(arne_plan_at(k == 0 ? NULL : p, 0, k == 1 ? NULL : x, k == 2 ? NULL : y, k == 3 ? NULL : z, NULL), BAD);
    arne_model *other;
    arne_data *others;
    assert_int_equal(arne_load(ARNE_ROBOTS "/ur5e.yaml", &other, NULL), ARNE_OK);
    assert_int_equal(arne_data_new(other, &others, NULL), ARNE_OK);
    for (int k = 0; k < 4; k++) {
        arne_plan *plan = k == 0 ? NULL : p;
        arne_data *data = k == 1 ? NULL : k == 2 ? others : d;
        assert_int_equal(arne_plan_use(plan, data, 0, k == 3 ? NULL : use), BAD);
        assert_int_equal(arne_plan_uniform(plan, data, k == 3 ? NULL : &duration, NULL), BAD);
    }
    assert_true(arne_plan_duration(NULL) == 0 && arne_plan_samples(NULL) == 0);
    arne_plan_free(NULL);
    arne_plan_free(p);
    arne_curve_free(c);
    arne_curve_free(narrow);
    arne_data_free(others);
    arne_model_free(other);
}

/* without torque limits there is no fastest way */
static void a_joint_without_a_torque_limit_is_named(void **state)
{
    (void)state;
    arne_description *about;
    arne_error e;
    assert_int_equal(arne_read(ARNE_ROBOTS "/ur5e.yaml", NULL, &about, &e), ARNE_OK);
    for (size_t i = 0; i < about->njoint; i++)
        if (!strcmp(about->joints[i].name, "elbow")) {
            about->joints[i].limits.effort = 0; /* unknown */
            about->joints[i].motor.effort = INFINITY;
            about->joints[i].motor.ncurve = 0;
        }
    arne_model *loose;
    arne_data *own;
    assert_int_equal(arne_model_build(about, NULL, &loose, &e), ARNE_OK);
    arne_description_free(about);
    assert_int_equal(arne_data_new(loose, &own, &e), ARNE_OK);
    double points[2 * N] = {0};
    memcpy(points + N, q, sizeof q);
    arne_curve *c;
    arne_plan *p;
    assert_int_equal(arne_curve_new(points, 2, N, &c, &e), ARNE_OK);
    assert_int_equal(arne_plan_find(c, own, NULL, &p, &e), ARNE_UNSUPPORTED);
    assert_null(p);
    assert_string_equal(e.message,
                        "joint elbow has no torque limit; give it one: limits: {effort: ...} or motor: {effort: ...} in YAML, "
                        "<limit effort=\"...\"> in URDF");
    arne_curve_free(c);
    arne_data_free(own);
    arne_model_free(loose);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles), cmocka_unit_test(a_singular_matrix_has_a_joint),
        cmocka_unit_test(hands),  cmocka_unit_test(motions),
        cmocka_unit_test(plans),  cmocka_unit_test(a_joint_without_a_torque_limit_is_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
