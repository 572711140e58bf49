/* SPDX-License-Identifier: MIT
 *
 * check_test.c - bodies that cannot exist are named: a warning, or an error when the model is built strictly; numbers that are
 * none are always refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arne/dynamics.h"
#include "model/central.h"
#include "model/model.h"
#include "support/random_robot.h"

static const arne_body BOX = {2, {0.1, 0, 0}, {0.3, 0, 0, 0.4, 0, 0.5}};

static arne_description *pendulum(const arne_body *body)
{
    arne_description *d = arne_description_new("pendulum");
    assert_non_null(d);
    assert_non_null(arne_description_link(d, "base", 1));
    arne_link_description *l = arne_description_link(d, "bob", 7);
    assert_non_null(l);
    l->body = *body;
    assert_non_null(arne_description_joint(d, "pivot", 9, ARNE_REVOLUTE, "base", "bob"));
    return d;
}

static arne_status build(arne_description *d, bool strict, arne_error *e)
{
    arne_model *m;
    const arne_status status = arne_model_build(d, &(arne_model_options){sizeof(arne_model_options), strict, false}, &m, e);
    arne_model_free(m);
    return status;
}

/* a warning that names the link; with strict an error with its line; neither where the numbers are arbitrary */
static void expect_fault(const arne_body *body, const char *fault)
{
    char sentence[128], warning[160];
    arne_error e = {0};
    arne_description *d = pendulum(body);
    snprintf(sentence, sizeof sentence, "link 'bob' cannot exist: %s", fault);
    snprintf(warning, sizeof warning, "pendulum:7: %s", sentence);
    assert_string_equal(arne_body_fault(body), fault);
    assert_int_equal(build(d, false, &e), ARNE_OK);
    assert_int_equal(d->nwarning, 1);
    assert_string_equal(d->warnings[0], warning);
    assert_int_equal(build(d, true, &e), ARNE_BAD_VALUE);
    assert_int_equal(e.line, 7);
    assert_string_equal(e.message, sentence);
    assert_int_equal(arne_description_open(d, "M1"), ARNE_OK);
    assert_int_equal(build(d, true, &e), ARNE_OK);
    assert_int_equal(d->nwarning, 1);
    arne_description_free(d);
}

static void a_box_can_exist(void **state)
{
    (void)state;
    arne_error e;
    arne_description *d = pendulum(&BOX);
    assert_null(arne_body_fault(&BOX));
    assert_int_equal(build(d, true, &e), ARNE_OK);
    assert_int_equal(d->nwarning, 0);
    arne_description_free(d);
}

static void impossible_bodies_are_named(void **state)
{
    (void)state;
    arne_body b = BOX;
    b.mass = -2;
    expect_fault(&b, "its mass is negative");
    b = BOX, b.inertia[3] = -0.1;
    expect_fault(&b, "its inertia is not positive definite");
    b = BOX, b.inertia[1] = 0.6; /* products larger than the moments */
    expect_fault(&b, "its inertia is not positive definite");
    b = BOX, b.inertia[5] = 0.8; /* 0.8 > 0.3 + 0.4 */
    expect_fault(&b, "its principal inertias break the triangle inequality");
    b = BOX, b.mass = 0;
    expect_fault(&b, "it has inertia but no mass");
}

static void edges_are_allowed(void **state)
{
    (void)state;
    const arne_body point = {1, {0, 1, 0}, {0}}, rod = {1, {0, 0, 0}, {0, 0, 0, 0.1, 0, 0.1}},
                    disc = {1, {0, 0, 0}, {1, 0, 0, 1, 0, 2}};
    assert_null(arne_body_fault(&point));
    assert_null(arne_body_fault(&rod));
    assert_null(arne_body_fault(&disc));
    /* files print few digits: a billionth of the largest moment is forgiven */
    for (int k = 0; k < 2; k++) {
        const double by = k ? 1.1e-9 : 0.9e-9;
        const arne_body thick = {1, {0}, {1, 0, 0, 1, 0, 2 + 4 * by}}, thin = {1, {0}, {-by, 0, 0, 1, 0, 1}};
        assert_int_equal(arne_body_fault(&thick) == NULL, !k);
        assert_int_equal(arne_body_fault(&thin) == NULL, !k);
    }
}

/* Whether a body can exist is told by its principal moments, however its axes are turned. */
static void turned_bodies_are_judged_by_their_principal_moments(void **state)
{
    (void)state;
    static const struct {
        double moment[3];
        const char *fault;
    } cases[] = {
        {{0.3, 0.4, 0.5}, NULL},
        {{0.3, 0.4, 0.699}, NULL},
        {{0.3, 0.4, 0.701}, "its principal inertias break the triangle inequality"},
        {{0.3, 0.3, 0.601}, "its principal inertias break the triangle inequality"},
        {{1, 1, -0.001}, "its inertia is not positive definite"},
        {{1, -0.1, -0.1}, "its inertia is not positive definite"},
        {{-0.001, -0.001, -0.001}, "its inertia is not positive definite"},
    };
    random_stream r = {3};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int times = 0; times < 200; times++) {
            arne_body b = {.mass = 1};
            double R[9];
            random_rotation(&r, R);
            for (int i = 0, n = 0; i < 3; i++)
                for (int j = i; j < 3; j++, n++)
                    for (int a = 0; a < 3; a++) b.inertia[n] += R[3 * i + a] * cases[k].moment[a] * R[3 * j + a];
            const char *fault = arne_body_fault(&b);
            if (!fault != !cases[k].fault || (fault && strcmp(fault, cases[k].fault)))
                fail_msg("case %zu, %d: %s", k, times, fault ? fault : "can exist");
        }
}

/* J = I + m (c.c E - c c'), about the link's origin. Where a kilogram would be further than a kilometre away it is another
 * mass, one metre away, and a point in the origin makes up for it. */
static void parameters_about_the_centre_of_mass(void **state)
{
    (void)state;
    const double MS[3] = {2, -4, 6}, J[6] = {30, 5, -7, 26, 13, 17}; /* m = 2, c = (1, -2, 3) */
    const double I[6] = {30 - 26, 5 - 4, -7 + 6, 26 - 20, 13 - 12, 17 - 10}, half = (4 + 6 + 7) / 2.0, half_J = 73 / 2.0;
    const double K[6] = {half - 4, -1, 1, half - 6, -1, half - 7};
    const double P[6] = {half_J - 30, -5, 7, half_J - 26, -13, half_J - 17};
    const central b = arne__central_of(2, MS, J);
    assert_true(b.m == 2 && b.rest == 0 && b.c[0] == 1 && b.c[1] == -2 && b.c[2] == 3);
    for (int k = 0; k < 6; k++) assert_true(b.I[k] == I[k] && b.K[k] == K[k] && b.P[k] == P[k]);
    for (int k = 0; k < 2; k++) { /* 990 and 1100 m */
        const double far[3] = {(k ? 1100 : 990) * 2 / 3.0, -(k ? 1100 : 990) / 3.0, (k ? 1100 : 990) * 2 / 3.0};
        const central f = arne__central_of(-1, far, J);
        assert_true(fabs(f.m - (k ? 1100 : -1)) < 1e-12 && f.rest == -1 - f.m);
        for (int i = 0; i < 3; i++) assert_true(fabs(f.c[i] * f.m - far[i]) < 1e-12);
    }
    const central none = arne__central_of(0, (const double[3]){0}, J);
    assert_true(none.m == 0 && none.rest == 0 && none.c[0] == 0 && none.c[1] == 0 && none.c[2] == 0 && none.I[3] == 26);
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++)
        for (int where = 0; where < 10; where++) {
            arne_body b = BOX;
            *(where == 9 ? &b.mass : where > 5 ? &b.com[where - 6] : &b.inertia[where]) = bad[k];
            arne_description *d = pendulum(&b);
            arne_error e = {0};
            assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
            assert_int_equal(e.line, 7);
            assert_string_equal(e.message, "link 'bob': mass, centre of mass and inertia must be finite");
            arne_description_free(d);
        }
}

static void expect_refusal(arne_description *d, const char *sentence)
{
    arne_error e = {0};
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    assert_int_equal(e.line, 9);
    assert_string_equal(e.file, "swing.yaml");
    assert_string_equal(e.message, sentence);
}

static void any_number_of_a_joint_must_be_one(void **state)
{
    (void)state;
    arne_description *d = pendulum(&BOX);
    d->file = strdup("swing.yaml");
    arne_joint_description *j = &d->joints[0];
    double *const frame[] = {&j->before.R[0], &j->before.R[8], &j->before.p[0], &j->before.p[2],
                             &j->after.R[0],  &j->after.R[8],  &j->after.p[0],  &j->after.p[2]};
    double *const laws[] = {&j->motor.inertia,    &j->motor.gear,       &j->motor.viscous,
                            &j->motor.coulomb,    &j->friction.viscous, &j->friction.coulomb,
                            &j->friction.static_, &j->friction.offset,  &j->friction.coulomb_negative};
    for (size_t k = 0; k < 17; k++) {
        double *x = k < 8 ? frame[k] : laws[k - 8];
        const double was = *x;
        *x = INFINITY;
        expect_refusal(d, k < 8 ? "joint 'pivot': its frame has a number that is not finite"
                                : "joint 'pivot': motor and friction must be finite, the gear ratio not zero");
        *x = was;
    }
    j->motor.gear = 0;
    expect_refusal(d, "joint 'pivot': motor and friction must be finite, the gear ratio not zero");
    j->motor.gear = 1;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) j->axis[i] = i == k ? NAN : 1;
        expect_refusal(d, "joint 'pivot': its axis has no length");
        for (int i = 0; i < 3; i++) j->axis[i] = i == k ? 2 : 0; /* one is enough */
        assert_int_equal(build(d, false, NULL), ARNE_OK);
    }
    arne_description_free(d);
}

/* Nothing acts on a joint of several freedoms, and its frame is that of its link. */
static void wide_joints_are_bare(void **state)
{
    (void)state;
    for (arne_joint_type type = ARNE_SPHERICAL; type <= ARNE_FREE; type++) {
        arne_description *d = pendulum(&BOX);
        d->file = strdup("swing.yaml");
        arne_joint_description *j = &d->joints[0];
        j->type = type;
        double *const driven[] = {&j->motor.inertia,    &j->motor.viscous,    &j->motor.coulomb,
                                  &j->friction.viscous, &j->friction.coulomb, &j->friction.coulomb_negative,
                                  &j->friction.offset,  &j->friction.static_, &j->elastic.stiffness,
                                  &j->after.p[2]};
        assert_int_equal(build(d, false, NULL), ARNE_OK);
        for (size_t k = 0; k < 10; k++) {
            *driven[k] = 0.5;
            expect_refusal(d, k < 9 ? "joint 'pivot' has several freedoms: no motor, friction or spring can act on it"
                                    : "joint 'pivot' has several freedoms: its frame is that of its link, put all of it before "
                                      "the joint");
            *driven[k] = 0;
        }
        double point[1][2] = {{0, 1}};
        j->friction.points = point;
        j->friction.npoint = 1;
        expect_refusal(d, "joint 'pivot' has several freedoms: no motor, friction or spring can act on it");
        j->friction.points = NULL;
        arne_description_free(d);
    }
}

/* what is only for plain robots says which joint is another */
static void other_robots_are_refused_by_name(void **state)
{
    (void)state;
    arne_model *m;
    arne_error e = {0};
    arne_description *d = pendulum(&BOX);
    arne_link_description *l = arne_description_link(d, "hand", 0);
    assert_true(l && arne_description_joint(d, "wrist", 0, ARNE_SPHERICAL, "bob", "hand"));
    l->body = BOX;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    assert_int_equal(arne__one_freedom_each(m, "plans", &e), ARNE_UNSUPPORTED);
    assert_string_equal(e.message, "plans: for robots whose joints have one freedom each, 'wrist' has 3");
    assert_int_equal(arne__no_followers(m, "plans", &e), ARNE_OK);
    arne_model_free(m);
    d->joints[1].type = ARNE_PRISMATIC;
    assert_int_equal(arne_description_follow(&d->joints[1], "pivot", 3, 2), ARNE_OK);
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    assert_int_equal(arne__one_freedom_each(m, "plans", &e), ARNE_OK);
    assert_int_equal(arne__no_followers(m, "plans", &e), ARNE_UNSUPPORTED);
    assert_string_equal(e.message, "plans: not where joints follow others, as 'wrist' does; it can be made independent");
    arne_model_free(m);
    assert_int_equal(arne_model_build(NULL, NULL, &m, &e), ARNE_BAD_ARGUMENT);
    assert_null(m);
    assert_string_equal(e.message, "a model needs a description, a place, and options with their size");
    assert_int_equal(arne_model_build(d, NULL, NULL, &e), ARNE_BAD_ARGUMENT);
    arne_description_free(d);
}

static void joints_that_cannot_move_are_refused(void **state)
{
    (void)state;
    arne_error e = {0};
    arne_description *d = pendulum(&BOX);
    d->joints[0].axis[2] = 0;
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    assert_int_equal(e.line, 9);
    assert_non_null(strstr(e.message, "'pivot'"));
    d->joints[0].axis[2] = 1;
    d->joints[0].motor.gear = 0;
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    d->joints[0].motor.gear = 1;
    d->joints[0].before.p[0] = NAN;
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    d->joints[0].before.p[0] = 0;
    d->joints[0].type = ARNE_FIXED;
    assert_int_equal(build(d, false, &e), ARNE_BAD_TREE);
    assert_non_null(strstr(e.message, "no joint that moves"));
    arne_description_free(d);
}

static void what_does_not_move_is_a_body(void **state)
{
    (void)state;
    arne_model *m;
    arne_data *data;
    arne_pose pose;
    double energy[2] = {7, 7}, none = 3;
    arne_description *d = pendulum(&BOX);
    d->joints[0].type = ARNE_FIXED;
    d->joints[0].before.p[1] = 0.5;
    const arne_model_options o = {.size = sizeof o, .body = true};
    assert_int_equal(arne_model_build(d, &o, &m, NULL), ARNE_OK);
    assert_int_equal(arne_model_dof(m), 0);
    assert_int_equal(arne_model_tip(m), 1);
    assert_int_equal(arne_link_joint(m, 1), -1);
    assert_true(arne_model_mass(m) == 2);
    assert_int_equal(arne_data_new(m, &data, NULL), ARNE_OK);
    assert_int_equal(arne_id(data, &none, &none, &none, &none), ARNE_OK);
    assert_int_equal(arne_fd(data, &none, &none, &none, &none), ARNE_OK);
    assert_int_equal(arne_mass(data, &none, &none), ARNE_OK);
    assert_true(none == 3); /* there is no number to read or write */
    arne_energy(data, &none, &none, &energy[0], &energy[1]);
    assert_true(energy[0] == 0);
    arne_link_pose(data, &none, 1, &pose);
    assert_true(pose.p[0] == 0 && pose.p[1] == 0.5 && pose.p[2] == 0);
    arne_data_free(data);
    arne_model_free(m);
    arne_description_free(d);
}

/* A base floats; what somebody carries does not, free as it may be. */
static void only_a_base_floats(void **state)
{
    (void)state;
    for (int carried = 0; carried < 2; carried++) {
        arne_model *m;
        arne_description *d = pendulum(&BOX);
        if (carried) {
            arne_link_description *l = arne_description_link(d, "bird", 0);
            assert_true(l && arne_description_joint(d, "flight", 0, ARNE_FREE, d->links[1].name, "bird"));
            l->body = BOX;
        } else {
            d->joints[0].type = ARNE_FREE;
        }
        assert_int_equal(build(d, false, NULL), ARNE_OK);
        assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
        assert_int_equal(arne_model_nv(m), carried ? 7 : 6);
        assert_int_equal(arne_model_floats(m), !carried);
        arne_model_free(m);
        arne_description_free(d);
    }
}

/* a model keeps laws and curves of any length when its description is gone */
static void points_belong_to_the_model(void **state)
{
    (void)state;
    for (int count = 1; count <= 3; count++) {
        arne_error e = {0};
        arne_description *d = pendulum(&BOX);
        arne_friction *f = &d->joints[0].friction;
        arne_motor *motor = &d->joints[0].motor;
        f->npoint = motor->ncurve = count;
        f->points = calloc((size_t)count, sizeof *f->points);
        motor->curve = calloc((size_t)count, sizeof *motor->curve);
        assert_true(f->points && motor->curve);
        for (int k = 0; k < count; k++) {
            f->points[k][0] = motor->curve[k][0] = k;
            f->points[k][1] = 7 + k;
            motor->curve[k][1] = 5 - k;
        }
        arne_model *m;
        arne_data *data;
        assert_int_equal(arne_model_build(d, NULL, &m, &e), ARNE_OK);
        memset(f->points, 0, (size_t)count * sizeof *f->points); /* what only points there is lost */
        memset(motor->curve, 0, (size_t)count * sizeof *motor->curve);
        arne_description_free(d);
        for (int k = 0; k < count; k++) {
            const double(*points)[2] = arne_joint_friction(m, 0)->points, (*curve)[2] = arne_joint_motor(m, 0)->curve;
            assert_true(points[k][0] == k && points[k][1] == 7 + k && curve[k][0] == k && curve[k][1] == 5 - k);
        }
        assert_int_equal(arne_data_new(m, &data, &e), ARNE_OK);
        const double forth = 2, back = -2;
        double tau;
        arne_friction_torque(data, &forth, &tau);
        assert_true(tau == (count == 1 ? 7 : 9)); /* the last slope goes on; one point is constant friction */
        arne_friction_torque(data, &back, &tau);
        assert_true(tau == (count == 1 ? -7 : -9));
        arne_data_free(data);
        arne_model_free(m);
    }
}

/* everything that can be asked of a model, of joints that differ in all of it; a follower stands between the others in the file
 */
static void a_model_tells_what_its_description_said(void **state)
{
    (void)state;
    static const struct {
        const char *name, *parent, *link;
        arne_joint_type type;
    } joints[] = {{"ball", "root", "ring", ARNE_SPHERICAL}, {"copy", "ring", "finger", ARNE_PRISMATIC},
                  {"bolt", "ring", "plate", ARNE_FIXED},    {"lift", "plate", "tray", ARNE_PRISMATIC},
                  {"turn", "root", "disc", ARNE_REVOLUTE},  {"fly", "root", "bird", ARNE_FREE}};
    arne_description *d = arne_description_new("machine");
    assert_true(d && arne_description_link(d, "root", 0));
    for (int i = 0; i < 6; i++) {
        arne_joint_description *j =
            arne_description_joint(d, joints[i].name, 0, joints[i].type, joints[i].parent, joints[i].link);
        arne_link_description *l = arne_description_link(d, joints[i].link, 0);
        assert_true(j && l);
        l->body = BOX;
        l->body.mass = 1 + i;
        j->limits.upper = 10 + i;
        if (joints[i].type == ARNE_SPHERICAL || joints[i].type == ARNE_FREE) continue;
        j->motor.gear = 20 + i;
        j->friction.viscous = i == 1 ? 0 : 30 + i;
        j->elastic.damping = 40 + i;
    }
    assert_int_equal(arne_description_follow(&d->joints[1], "turn", -2, 0.5), ARNE_OK);
    memcpy(d->gravity, (const double[3]){1, 2, 3}, sizeof d->gravity);
    arne_model *m;
    arne_error e;
    if (arne_model_build(d, NULL, &m, &e)) fail_msg("%s", e.message);
    assert_string_equal(arne_model_name(m), "machine");
    assert_int_equal(arne_model_joints(m), 4);
    assert_int_equal(arne_model_followers(m), 1);
    assert_int_equal(arne_model_bodies(m), 5);
    assert_int_equal(arne_model_nq(m), 4 + 1 + 1 + 7);
    assert_int_equal(arne_model_nv(m), 3 + 1 + 1 + 6);
    assert_int_equal(arne_model_dof(m), 11);
    assert_true(arne_model_mass(m) == 1 + 2 + 3 + 4 + 5 + 6 && arne_model_floats(m));
    for (int k = 0; k < 3; k++) assert_true(arne_model_gravity(m)[k] == k + 1);
    /* in the order of the model: depth first, what follows last */
    static const int from[] = {0, 3, 4, 5, 1}, parent[] = {-1, 0, -1, -1, 0}, q[] = {0, 4, 5, 6, 5}, v[] = {0, 3, 4, 5, 4};
    static const char *const first_q[] = {"ball.qx", "lift", "turn", "fly.x"}, *const last_q[] = {"ball.qw", "lift", "turn",
                                                                                                  "fly.qw"};
    static const char *const first_v[] = {"ball.wx", "lift", "turn", "fly.vx"}, *const last_v[] = {"ball.wz", "lift", "turn",
                                                                                                   "fly.wz"};
    for (int i = 0; i < 5; i++) {
        const arne_joint_description *j = &d->joints[from[i]];
        assert_string_equal(arne_joint_name(m, i), j->name);
        assert_int_equal(arne_joint_kind(m, i), j->type);
        assert_int_equal(arne_joint_parent(m, i), parent[i]);
        assert_string_equal(arne_link_name(m, arne_joint_link(m, i)), j->child);
        assert_int_equal(arne_joint_q(m, i), q[i]);
        assert_int_equal(arne_joint_v(m, i), v[i]);
        assert_true(arne_joint_limits(m, i)->upper == 10 + from[i] && arne_joint_motor(m, i)->gear == j->motor.gear);
        assert_true(arne_joint_friction(m, i)->viscous == j->friction.viscous);
        assert_true(arne_joint_elastic(m, i)->damping == j->elastic.damping);
        assert_int_equal(arne_joint_master(m, i), i < 4 ? -1 : 2);
        assert_true(arne_joint_ratio(m, i) == (i < 4 ? 1 : -2) && arne_joint_offset(m, i) == (i < 4 ? 0 : 0.5));
        assert_int_equal(arne_joint_find(m, j->name), i < 4 ? i : -1);
        assert_int_equal(arne_follower_find(m, j->name), i < 4 ? -1 : 4);
        if (i == 4) continue;
        const int end_q = i < 3 ? q[i + 1] : 13, end_v = i < 3 ? v[i + 1] : 11;
        assert_string_equal(arne_position_name(m, q[i]), first_q[i]);
        assert_string_equal(arne_position_name(m, end_q - 1), last_q[i]);
        assert_string_equal(arne_velocity_name(m, v[i]), first_v[i]);
        assert_string_equal(arne_velocity_name(m, end_v - 1), last_v[i]);
        for (int k = v[i]; k < end_v; k++) assert_int_equal(arne_velocity_joint(m, k), i);
    }
    static const int body_joint[] = {0, 4, 1, 2, 3};
    for (int b = 0; b < 5; b++) assert_int_equal(arne_body_joint(m, b), body_joint[b]);
    static const char *const links[] = {"root", "ring", "finger", "plate", "tray", "disc", "bird"};
    static const int carried[] = {-1, 0, 4, 0, 1, 2, 3}, mass[] = {0, 1, 2, 3, 4, 5, 6};
    assert_int_equal(arne_model_links(m), 7);
    for (int k = 0; k < 7; k++) {
        assert_string_equal(arne_link_name(m, k), links[k]);
        assert_int_equal(arne_link_find(m, links[k]), k);
        assert_int_equal(arne_link_joint(m, k), carried[k]);
        assert_true(arne_link_body(m, k)->mass == mass[k]);
    }
    assert_int_equal(arne_link_find(m, "nobody"), -1);
    assert_int_equal(arne_joint_find(m, "bolt"), -1);
    assert_int_equal(arne_model_tip(m), 6);
    assert_null(arne_model_unmodelled(m));
    arne_model_free(m);
    arne_description_free(d);
}

static void constants_have_names_and_roles(void **state)
{
    (void)state;
    static const struct {
        robot_row row;
        int index;
        const char *name;
        robot_role role;
    } cases[] = {{ROBOT_LINK_ca, 0, "ca", ROBOT_GEOMETRY},     {ROBOT_LINK_p, 0, "px", ROBOT_GEOMETRY},
                 {ROBOT_LINK_p, 2, "pz", ROBOT_GEOMETRY},      {ROBOT_LINK_M, 0, "M", ROBOT_INERTIA},
                 {ROBOT_LINK_MS, 1, "MY", ROBOT_INERTIA},      {ROBOT_LINK_J, 4, "YZ", ROBOT_INERTIA},
                 {ROBOT_LINK_Ia, 0, "IA", ROBOT_ROTOR},        {ROBOT_LINK_fv, 0, "FV", ROBOT_FRICTION},
                 {ROBOT_LINK_fo, 0, "F0", ROBOT_FRICTION},     {ROBOT_BASE_R, 8, "B9_", ROBOT_GEOMETRY},
                 {ROBOT_BASE_a0, 2, "G3_", ROBOT_GRAVITY},     {ROBOT_FRAME_p, 0, "F10_", ROBOT_GEOMETRY},
                 {ROBOT_WHOLE_g, 1, "g2", ROBOT_GRAVITY},      {ROBOT_CENTRAL_K, 5, "Kzz", ROBOT_INERTIA},
                 {ROBOT_MOTORS_drive, 0, "N", ROBOT_GEOMETRY}, {ROBOT_MOTORS_motor_fc, 0, "FSM", ROBOT_FRICTION}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[16];
        arne__robot_name(cases[i].row, cases[i].index, name);
        assert_string_equal(name, cases[i].name);
        assert_int_equal(arne__robot_role(cases[i].row), cases[i].role);
    }
}

static void transmissions_must_fit(void **state)
{
    (void)state;
    arne_error e = {0};
    double J[4] = {1, 0, 0, 1}, none = 0;
    arne_description *d = pendulum(&BOX);
    d->transmission = J;
    d->ntransmission = 2;
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "the transmission matrix is 2 x 2 but 1 joints have a motor");
    d->transmission = &none;
    d->ntransmission = 1;
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "the transmission matrix is singular: some motor moves nothing");
    d->transmission = NULL;
    arne_description_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_can_exist),
        cmocka_unit_test(impossible_bodies_are_named),
        cmocka_unit_test(edges_are_allowed),
        cmocka_unit_test(turned_bodies_are_judged_by_their_principal_moments),
        cmocka_unit_test(parameters_about_the_centre_of_mass),
        cmocka_unit_test(any_number_of_a_joint_must_be_one),
        cmocka_unit_test(wide_joints_are_bare),
        cmocka_unit_test(other_robots_are_refused_by_name),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(joints_that_cannot_move_are_refused),
        cmocka_unit_test(what_does_not_move_is_a_body),
        cmocka_unit_test(only_a_base_floats),
        cmocka_unit_test(points_belong_to_the_model),
        cmocka_unit_test(a_model_tells_what_its_description_said),
        cmocka_unit_test(constants_have_names_and_roles),
        cmocka_unit_test(transmissions_must_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
