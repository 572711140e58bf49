/* SPDX-License-Identifier: MIT
 *
 * mjcf_test.c - what an MJCF file says beside its inertia matrix (mjcf_judge_test.c), and one refusal for each kind of bad file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <sys/stat.h>

#include "arne/arne.h"
#include "arne/file.h"
#include "support/alike.h"
#include "support/tempfile.h"
#include "file/says.h"

/* roundings of a few operations on numbers near 1 */
static const double TOLERANCE = 1e-14;

static arne_description *accepts_as(const char *name, const char *text)
{
    temp_folder t = temp_open();
    arne_description *d = NULL;
    arne_error e = {.status = ARNE_OK};
    arne_status status = arne_read(temp_write(&t, name, text), NULL, &d, &e);
    temp_close(&t);
    if (status) fail_msg("line %d: %s", e.line, e.message);
    return d;
}
static arne_description *accepts(const char *text) { return accepts_as("robot.xml", text); }

/* `more` is a file beside it, called part.xml; NULL: none */
static void refuses_with(const char *text, const char *more, arne_status status, const char *file, int line, const char *culprit)
{
    temp_folder t = temp_open();
    arne_description *d = NULL;
    arne_error e = {.status = ARNE_OK};
    if (more) temp_write(&t, "part.xml", more);
    arne_status got = arne_read(temp_write(&t, "robot.xml", text), NULL, &d, &e);
    temp_close(&t);
    assert_null(d);
    if (got != status || e.status != status) fail_msg("status %d, not %d: %s", (int)got, (int)status, e.message);
    if (e.line != line) fail_msg("line %d, not %d: %s", e.line, line, e.message);
    if (!says(e.message, culprit)) fail_msg("\"%s\" is not \"%s\"", e.message, culprit);
    if (!strstr(e.file, file)) fail_msg("%s is not %s", e.file, file);
}
static void refuses(const char *text, int line, const char *culprit)
{
    refuses_with(text, NULL, ARNE_BAD_VALUE, "robot.xml", line, culprit);
}

static const arne_joint_description *joint(const arne_description *d, const char *name)
{
    for (size_t i = 0; i < d->njoint; i++)
        if (!strcmp(d->joints[i].name, name)) return &d->joints[i];
    fail_msg("there is no joint %s", name);
    return NULL;
}

static bool warned(const arne_description *d, const char *words)
{
    for (size_t i = 0; i < d->nwarning; i++)
        if (strstr(d->warnings[i], words)) return true;
    return false;
}

#define BODY "<inertial pos='0 0 .1' mass='1' diaginertia='.1 .1 .1'/>"
#define MODEL(head, inside, tail) "<mujoco model='m'>\n" head "<worldbody>\n" inside "\n</worldbody>\n" tail "</mujoco>"
#define ONE(head, joint, tail) MODEL(head, "<body name='b'>" joint BODY "</body>", tail)

/* ---- what is read ---- */

static void the_root_element_tells_the_format(void **state)
{
    (void)state;
    arne_description *d = accepts_as("robot.urdf", ONE("", "<joint name='j'/>", ""));
    assert_string_equal(d->name, "m");
    assert_int_equal(d->njoint, 1);
    arne_description_free(d);
    d = accepts_as("robot.xml", "<robot name='r'><link name='a'/></robot>");
    assert_string_equal(d->links[0].name, "a");
    arne_description_free(d);
    d = accepts_as("robot", ONE("", "<joint name='j'/>", ""));
    arne_description_free(d);
}

static void joints_say_limits_rotors_and_friction(void **state)
{
    (void)state;
    arne_description *d = accepts(ONE("",
                                      "<joint name='j' range='-90 180' armature='.2' damping='.3' frictionloss='.4' axis='0 2 "
                                      "0'/><joint name='k' type='slide'/>",
                                      ""));
    const arne_joint_description *j = joint(d, "j"), *k = joint(d, "k");
    const double pi = acos(-1);
    assert_true(fabs(j->limits.lower + pi / 2) <= TOLERANCE && fabs(j->limits.upper - pi) <= TOLERANCE);
    assert_true(j->motor.inertia == .2 && j->motor.gear == 1 && j->friction.viscous == .3 && j->friction.coulomb == .4);
    assert_true(j->axis[1] == 1 && j->limits.effort == INFINITY && !j->continuous);
    assert_int_equal(k->type, ARNE_PRISMATIC);
    assert_true(k->limits.lower == -INFINITY && k->limits.upper == INFINITY);
    assert_int_equal(d->nwarning, 0);
    arne_description_free(d);
    d = accepts(ONE("<compiler angle='radian'/>", "<joint name='j' range='-2 3' limited='false'/>", ""));
    assert_true(joint(d, "j")->limits.upper == INFINITY && joint(d, "j")->continuous);
    arne_description_free(d);
}

/* a joint without a name takes its body's, with _2, _3 for further ones; a name that is given goes first */
static void joints_without_names_take_their_bodys(void **state)
{
    (void)state;
    arne_description *d = accepts(MODEL("",
                                        "<body name='b'><joint axis='1 0 0'/><joint name='own' axis='0 1 0'/><joint/>" BODY
                                        "<body name='c'><joint/>" BODY "</body></body><body><joint name='c'/>" BODY "</body>",
                                        ""));
    static const char *const names[] = {"b", "own", "b_2", "c_2", "c"};
    assert_int_equal(d->njoint, 5);
    for (int i = 0; i < 5; i++) assert_string_equal(d->joints[i].name, names[i]);
    assert_string_equal(d->joints[4].child, "body3");
    arne_description_free(d);
    d = accepts(MODEL("", "<body name='b_2'>" BODY "<body name='b'><joint/><joint axis='1 0 0'/>" BODY "</body></body>", ""));
    /* a body that is held takes no name from those that move */
    assert_int_equal(joint(d, "b_2")->type, ARNE_REVOLUTE);
    arne_description_free(d);
}

static void actuators_limit_effort(void **state)
{
    (void)state;
    static const struct {
        const char *actuator;
        double effort;
    } cases[] = {
        {"<motor joint='j' ctrlrange='-2 1' gear='5'/>", 10},
        {"<motor joint='j' ctrlrange='-2 1' ctrllimited='false'/>", INFINITY},
        {"<motor joint='j' ctrlrange='-2 1' gear='-5' forcerange='-1 1.5'/>", 7.5},
        {"<position joint='j' ctrlrange='-2 1' kp='100' forcerange='-30 30'/>", 30},
        {"<position joint='j' ctrlrange='-2 1' kp='100'/>", INFINITY},
        {"<general joint='j' ctrlrange='-2 3' gainprm='4'/>", 12},
        {"<general joint='j' ctrlrange='-2 3' gainprm='4' biastype='affine' class='strong'/>", 87},
        {"<motor joint='j' forcerange='-3 3'/><motor joint='j' forcerange='-4 4'/>", 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 ONE("<default><default class='strong'><general forcerange='-87 87'/></default></default>", "<joint name='j'/>",
                     "<actuator>%s</actuator>"),
                 cases[i].actuator);
        arne_description *d = accepts(text);
        if (joint(d, "j")->limits.effort != cases[i].effort)
            fail_msg("%s: %g, not %g", cases[i].actuator, joint(d, "j")->limits.effort, cases[i].effort);
        arne_description_free(d);
    }
}

/* q1 - ref1 = c0 + c1 (q2 - ref2) */
static void equal_joints_follow(void **state)
{
    (void)state;
    arne_description *d =
        accepts(ONE("<compiler angle='radian'/>", "<joint name='a' ref='.5'/><joint name='b' axis='1 0 0' ref='2'/>",
                    "<equality><joint joint1='b' joint2='a' polycoef='.25 -3 0 0 0'/></equality>"));
    const arne_joint_description *b = joint(d, "b");
    assert_string_equal(b->master, "a");
    assert_true(b->ratio == -3 && b->offset == .25 + 2 + 3 * .5);
    assert_null(d->unmodelled);
    arne_description_free(d);
    d = accepts(ONE("", "<joint name='a'/><joint name='b' axis='1 0 0'/>",
                    "<equality><joint active='false' joint1='b' joint2='a'/></equality>"));
    assert_null(joint(d, "b")->master);
    arne_description_free(d);
}

static void what_acts_and_is_not_modelled_is_named_once(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {ONE("", "<joint name='a' stiffness='2'/><joint name='b' axis='1 0 0' stiffness='3'/>", ""),
         "...robot.xml:3: joint 'a': the spring of a joint (stiffness) is not modelled"},
        {ONE("", "<joint/>", "<equality><weld body1='b'/>\n<connect body1='b' anchor='0 0 0'/></equality>"),
         "...robot.xml:5: <weld>: a closed loop is not modelled"},
        {ONE("", "<joint name='a'/>", "<tendon><fixed stiffness='4'><joint joint='a' coef='1'/></fixed></tendon>"),
         "...robot.xml:5: <fixed>: a tendon with stiffness, damping, friction or inertia is not modelled"},
        {ONE("", "<joint name='a'/><joint name='b' axis='1 0 0'/>",
             "<equality><joint joint1='b' joint2='a' polycoef='0 1 2 0 0'/></equality>"),
         "...robot.xml:5: joint 'b': an equality other than one joint that follows another one on a line is not modelled"},
        {MODEL("", "<body name='b' gravcomp='1'><joint/>" BODY "</body>", ""),
         "...robot.xml:3: body 'b': gravity compensation (gravcomp) is not modelled"},
        {ONE("<option viscosity='1.2'/>", "<joint/>", ""),
         "...robot.xml:2: the model: the air or water around the robot (density, viscosity) is not modelled"},
        {ONE("", "<joint name='a' springdamper='1 2'/>", ""),
         "...robot.xml:3: joint 'a': the spring of a joint (stiffness) is not modelled"},
        {ONE("", "<joint name='a' type='ball' damping='2'/>", ""),
         "...robot.xml:3: joint 'a': armature, damping or frictionloss of a joint of several freedoms is not modelled"},
        {ONE("", "<joint name='a' type='ball' armature='2'/>", ""),
         "...robot.xml:3: joint 'a': armature, damping or frictionloss of a joint of several freedoms is not modelled"},
        {ONE("", "<joint name='a' type='ball' frictionloss='2'/>", ""),
         "...robot.xml:3: joint 'a': armature, damping or frictionloss of a joint of several freedoms is not modelled"},
        {ONE("", "<joint name='a'/><joint name='b' axis='1 0 0'/>",
             "<equality><joint joint1='b' joint2='a'/>\n<joint joint1='b' joint2='a'/></equality>"),
         "...robot.xml:6: joint 'b': an equality other than one joint that follows another one on a line is not modelled"},
        {ONE("", "<joint name='a'/>", "<equality><joint joint1='a'/></equality>"),
         "...robot.xml:5: joint 'a': an equality other than one joint that follows another one on a line is not modelled"},
        {ONE("", "<joint name='a'/>", "<equality><tendon tendon1='t'/></equality>"),
         "...robot.xml:5: <tendon>: an equality other than one joint that follows another one on a line is not modelled"},
        {ONE("<option density='1.2'/>", "<joint/>", ""),
         "...robot.xml:2: the model: the air or water around the robot (density, viscosity) is not modelled"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arne_description *d = accepts(cases[i].text);
        assert_int_equal(d->nwarning, 1);
        if (!says(d->warnings[0], cases[i].words)) fail_msg("\"%s\" does not say \"%s\"", d->warnings[0], cases[i].words);
        assert_string_equal(d->unmodelled, d->warnings[0]);
        arne_description_free(d);
    }
    /* decoration */
    arne_description *d =
        accepts(ONE("<visual><map/></visual><statistic/>", "<joint/><site/><camera/><light/><geom mesh='none' type='mesh'/>",
                    "<sensor/><contact/><tendon><spatial><site site='s'/></spatial></tendon>"));
    assert_int_equal(d->nwarning, 0);
    assert_null(d->unmodelled);
    arne_description_free(d);
}

/* accelerations without a spring of the file would be those of another robot; without friction they are asked for */
static void forward_dynamics_refuses_what_is_not_modelled(void **state)
{
    (void)state;
    arne_description *d = accepts(ONE("", "<joint name='a' stiffness='2'/>", ""));
    arne_model *m;
    arne_data *data;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    assert_string_equal(arne_model_unmodelled(m), d->unmodelled);
    assert_int_equal(arne_data_new(m, &data, NULL), ARNE_OK);
    assert_int_equal(arne_data_prepare(data, ARNE_BATCHES | ARNE_DERIVATIVES, NULL), ARNE_OK);
    const double q = 1, qd = 2, tau = 3;
    double x = 4, D[3];
    for (int rigid = 0; rigid < 2; rigid++) {
        const arne_status should = rigid ? ARNE_OK : ARNE_UNSUPPORTED;
        arne_set_rigid(arne_data_settings(data), rigid);
        assert_int_equal(arne_fd(data, &q, &qd, &tau, &x), should);
        assert_true((x == 0) == !rigid);
        assert_int_equal(arne_fd_crba(data, &q, &qd, &tau, &x), should);
        assert_int_equal(arne_batch_fd(data, 1, &q, &qd, &tau, &x), should);
        assert_int_equal(arne_fd_derivatives(data, &q, &qd, &tau, D, D + 1, D + 2), should);
        assert_int_equal(arne_bias(data, &q, &qd, &x), ARNE_OK);
    }
    arne_data_free(data);
    arne_model_free(m);
    arne_description_free(d);
}

static void keyframes_are_states(void **state)
{
    (void)state;
    arne_description *d = accepts(MODEL("", "<body name='b'><freejoint/>" BODY "<body name='c'><joint/>" BODY "</body></body>",
                                        "<keyframe><key name='home' qpos='1 2 3 0 0 0 2 .5' qvel='7 0 0 4 5 6 .1'/><key/>"
                                        "<key qpos='1 2 3 0 0 0 0 0'/></keyframe>"));
    assert_int_equal(d->nstate, 3);
    const arne_state_description *s = d->states;
    const double q[7] = {1, 2, 3, 0, 0, 1, 0}, v[6] = {-7, 0, 0, 4, 5, 6}; /* turned by half a turn about z */
    assert_string_equal(s->name, "home");
    for (int k = 0; k < 7; k++) assert_true(s->q[0][k] == q[k]);
    for (int k = 0; k < 6; k++) assert_true(fabs(s->qd[0][k] - v[k]) <= TOLERANCE);
    assert_true(s->q[1][0] == .5 && s->qd[1][0] == .1);
    assert_string_equal(s[1].name, "key1");
    assert_true(s[1].q[0][6] == 1 && s[1].q[0][0] == 0);
    for (int k = 3; k < 7; k++) assert_true(s[2].q[0][k] == (k == 6)); /* no turn at all, as MuJoCo has it */
    arne_model *m;
    double at[8], moves[7];
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    assert_int_equal(arne_named_state(m, d, "home", at, moves), ARNE_OK);
    assert_true(!memcmp(at, s->q[0], sizeof(double[7])) && at[7] == .5 && !memcmp(moves, s->qd[0], sizeof(double[6])) &&
                moves[6] == .1);
    assert_int_equal(arne_named_state(m, d, "key1", at, NULL), ARNE_OK);
    assert_true(at[0] == 0 && at[6] == 1 && at[7] == 0);
    assert_int_equal(arne_named_state(m, d, "nowhere", at, NULL), ARNE_BAD_VALUE);
    assert_int_equal(arne_named_state(NULL, d, "home", at, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_named_state(m, NULL, "home", at, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_named_state(m, d, NULL, at, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_named_state(m, d, "home", NULL, NULL), ARNE_BAD_ARGUMENT);
    arne_model_free(m);
    arne_description_free(d);
}

/* w x y z becomes x y z w, of length one; a velocity in world axes one in the body's, by the turn of its own key */
static void keyframes_of_bodies_that_turn(void **state)
{
    (void)state;
    arne_description *d = accepts(MODEL("<compiler angle='radian'/>",
                                        "<body name='b'><freejoint/>" BODY "<body name='c'><joint type='ball'/>" BODY
                                        "<body name='e'><joint type='slide'/>" BODY "</body></body></body>",
                                        "<keyframe><key qpos='1 2 3 1 1 1 1 0 3 0 4 .5' qvel='1 2 3 4 5 6 7 8 9 10'/>"
                                        "<key name='moving' qvel='1 2 3 4 5 6 7 8 9 10'/></keyframe>"));
    static const double should[2][3][7] = {{{1, 2, 3, .5, .5, .5, .5}, {.6, 0, .8, 0}, {.5}},
                                           {{0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 1}, {0}}};
    /* x to y to z to x: what points along y in the world points along x in the body */
    static const double rate[2][3][6] = {{{2, 3, 1, 4, 5, 6}, {7, 8, 9}, {10}}, {{1, 2, 3, 4, 5, 6}, {7, 8, 9}, {10}}};
    assert_int_equal(d->nstate, 2);
    assert_string_equal(d->states[0].name, "key0");
    assert_string_equal(d->states[1].name, "moving");
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < (i ? i == 1 ? 4 : 1 : 7); k++)
                assert_true(fabs(d->states[n].q[i][k] - should[n][i][k]) <= TOLERANCE);
            for (int k = 0; k < (i ? i == 1 ? 3 : 1 : 6); k++)
                assert_true(fabs(d->states[n].qd[i][k] - rate[n][i][k]) <= TOLERANCE);
        }
    arne_description_free(d);
}

/* links between the joints of a body, and what belongs to one joint only */
static void joints_of_one_body_have_links_between(void **state)
{
    (void)state;
    arne_description *d = accepts(MODEL(
        "",
        "<body name='b__1'>" BODY "</body><body name='b'><joint name='x' axis='1 0 0' actuatorfrcrange='-3 2'/>"
        "<joint name='s' type='slide' range='-90 180' axis='0 1 0' armature='.1'/><joint name='z' pos='0 .5 0' ref='90'/>" BODY
        "</body>",
        "<actuator><motor joint='s' forcerange='-2 2' gear='3'/><motor jointinparent='z' forcerange='-1 5'/>"
        "<motor joint='x' forcerange='-4 4'/><position site='a'/></actuator>"));
    static const char *const between[] = {"world", "b__2", "b__3", "b"};
    static const char *const joints[] = {"x", "s", "z"};
    for (int i = 0; i < 3; i++) {
        assert_string_equal(joint(d, joints[i])->parent, between[i]);
        assert_string_equal(joint(d, joints[i])->child, between[i + 1]);
    }
    const arne_joint_description *x = joint(d, "x"), *s = joint(d, "s"), *z = joint(d, "z");
    assert_true(x->limits.effort == 3 && s->limits.effort == 6 &&
                z->limits.effort == 5); /* the joint's own limit is the lower one */
    assert_true(s->limits.lower == -90 && s->limits.upper == 180 && !s->continuous && x->continuous); /* no angles */
    assert_true(s->motor.inertia == .1 && x->motor.inertia == 0);
    assert_true(s->axis[1] == 1 && z->axis[2] == 1 && z->before.p[1] == .5);
    /* at q = 0 turned back by ref about the anchor: -(y) by -90 degrees is -x */
    assert_true(fabs(z->after.p[0] + .5) <= TOLERANCE && fabs(z->after.p[1]) <= TOLERANCE &&
                fabs(z->after.R[1] - 1) <= TOLERANCE);
    arne_description_free(d);
}

static void gravity_can_be_switched_off(void **state)
{
    (void)state;
    arne_description *d = accepts(ONE("<option gravity='1 2 3'/>", "<joint/>", ""));
    assert_true(d->gravity[0] == 1 && d->gravity[1] == 2 && d->gravity[2] == 3);
    arne_description_free(d);
    d = accepts(ONE("<option gravity='1 2 3'><flag gravity='disable'/></option>", "<joint/>", ""));
    assert_true(d->gravity[0] == 0 && d->gravity[1] == 0 && d->gravity[2] == 0);
    arne_description_free(d);
}

/* without another word solids of the groups 0 to 5 count; an unlimited range is none */
static void solids_of_some_groups_count(void **state)
{
    (void)state;
    static const struct {
        const char *compiler, *geom;
        bool counts;
    } cases[] = {
        {"", "group='5'", true},
        {"", "group='6'", false},
        {"", "", true},
        {"", "group='-1'", false},
        {"inertiagrouprange='2 7'", "group='7'", true},
        {"inertiagrouprange='2 7'", "group='1'", false},
        {"discardvisual='true'", "contype='0' conaffinity='0'", false},
        {"discardvisual='true'", "contype='0'", true},
        {"discardvisual='true'", "conaffinity='0'", true},
        {"discardvisual='true'", "contype='1' conaffinity='0'", true},
        {"", "contype='0' conaffinity='0'", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 MODEL("<compiler %s/>", "<body name='b'><joint/><geom type='box' size='.1 .2 .3' mass='2' %s/></body>", ""),
                 cases[i].compiler, cases[i].geom);
        arne_description *d = accepts(text);
        if (d->links[1].body.mass != (cases[i].counts ? 2 : 0)) fail_msg("%s, %s", cases[i].compiler, cases[i].geom);
        arne_description_free(d);
    }
}

/* a mesh is named by its name or its file, lies in meshdir, and its faces may be told by another file */
static void meshes_are_found(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "<compiler exactmeshinertia='true' meshdir='%s'/><asset><mesh file='part.xml.obj'/></asset>",
        "<compiler exactmeshinertia='true' assetdir='/nowhere' meshdir='%s'/><asset><mesh file='part.xml.obj'/></asset>",
        "<compiler exactmeshinertia='true' assetdir='%s'/><asset><mesh file='part.xml.obj'/></asset>",
        "<compiler exactmeshinertia='true' strippath='true' meshdir='%s'/><asset><mesh file='far/away/part.xml.obj'/></asset>",
        "<compiler exactmeshinertia='true' meshdir='/nowhere'/><asset><mesh name='part.xml' file='%s/part.xml.obj'/></asset>",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        temp_folder t = temp_open(), other = temp_open();
        char head[512], text[1024];
        temp_write(&other, "part.xml.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 6\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
        snprintf(head, sizeof head, cases[i], other.path);
        snprintf(text, sizeof text,
                 "<mujoco>%s<worldbody><body name='b'><joint/><geom type='mesh' mesh='part.xml' density='2'/></body>"
                 "</worldbody></mujoco>",
                 head);
        arne_description *d = NULL;
        arne_error e = {.status = ARNE_OK};
        if (arne_read(temp_write(&t, "robot.xml", text), NULL, &d, &e)) fail_msg("%zu: %s", i, e.message);
        assert_true(fabs(d->links[1].body.mass - 2) <= 1e-6 && fabs(d->links[1].body.com[2] - 1.5) <= 1e-6);
        temp_close(&t);
        temp_close(&other);
        arne_description_free(d);
    }
}

static void frames_move_what_is_in_them(void **state)
{
    (void)state;
    arne_description *a =
        accepts(MODEL("",
                      "<frame pos='1 0 0' euler='0 0 90'><body name='b' pos='0 1 0'><joint name='j'/><geom size='.1'/>"
                      "<frame pos='0 0 1'><geom size='.2' pos='.1 0 0'/></frame></body></frame>",
                      ""));
    arne_description *b = accepts(MODEL("",
                                        "<body name='b' pos='0 0 0' euler='0 0 90'><joint name='j'/><geom size='.1'/>"
                                        "<geom size='.2' pos='.1 0 1'/></body>",
                                        ""));
    assert_alike(a, b, 1, 1e-13);
    arne_description_free(a);
    arne_description_free(b);
}

/* the same arm as URDF and as MJCF */
static void mjcf_and_urdf_are_alike(void **state)
{
    (void)state;
    arne_description *a =
        accepts(MODEL("<compiler angle='radian' eulerseq='XYZ'/>",
                      "<body name='upper' pos='.1 .2 .3' euler='.4 .5 .6'><joint name='s' axis='0 1 0' damping='.7'/>"
                      "<inertial pos='.1 0 .2' mass='3' fullinertia='.3 .4 .5 .01 .02 -.03'/>"
                      "<body name='lower' pos='0 0 .5'><joint name='e' type='slide' axis='1 1 0'/>"
                      "<inertial pos='0 .1 0' euler='.1 .2 .3' mass='2' diaginertia='.2 .3 .25'/></body></body>",
                      ""));
    arne_description *b = accepts(
        "<robot name='r'><link name='world'/><link name='upper'><inertial><origin xyz='.1 0 .2'/><mass value='3'/>"
        "<inertia ixx='.3' iyy='.4' izz='.5' ixy='.01' ixz='.02' iyz='-.03'/></inertial></link>"
        "<link name='lower'><inertial><origin xyz='0 .1 0' rpy='.1 .2 .3'/><mass value='2'/>"
        "<inertia ixx='.2' iyy='.3' izz='.25' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='s' type='continuous'><origin xyz='.1 .2 .3' rpy='.4 .5 .6'/><axis xyz='0 1 0'/><dynamics damping='.7'/>"
        "<parent link='world'/><child link='upper'/></joint>"
        "<joint name='e' type='prismatic'><origin xyz='0 0 .5'/><axis xyz='1 1 0'/><limit lower='0' upper='1' effort='1' "
        "velocity='1'/>"
        "<parent link='upper'/><child link='lower'/></joint></robot>");
    assert_alike(a, b, 2, 1e-13);
    arne_description_free(a);
    arne_description_free(b);
}

/* a shell has its mass in its faces: a cube of side 2 and mass 6, seen from its centre */
static void a_shell_is_hollow(void **state)
{
    (void)state;
    arne_description *d = accepts(
        MODEL("<asset><mesh name='c' inertia='shell' vertex='-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1' "
              "face='0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7'/></asset>",
              "<body name='b' pos='1 2 3'><joint/><geom type='mesh' mesh='c' mass='6' pos='.5 0 0'/></body>", ""));
    const arne_body *b = &d->links[1].body; /* two faces across each axis, four along it: 2 (1/3 + 1/3) + 4 (1 + 1/3) */
    assert_true(fabs(b->mass - 6) <= 1e-6 && fabs(b->com[0] - .5) <= 1e-6);
    assert_true(fabs(b->inertia[0] - 20. / 3) <= 1e-6 && fabs(b->inertia[5] - 20. / 3) <= 1e-6 && fabs(b->inertia[1]) <= 1e-6);
    arne_description_free(d);
}

static void included_files_stand_in_their_place(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    arne_description *d = NULL;
    arne_error e = {.status = ARNE_OK};
    temp_write(&t, "part.xml",
               "<mujocoinclude>\n<body name='c'>\n<joint stiffness='3'/>" BODY "</body><body name='d'>" BODY
               "</body></mujocoinclude>");
    const char *path =
        temp_write(&t, "robot.xml", MODEL("", "<body name='b'><joint/>" BODY "<include file='part.xml'/></body>", ""));
    if (arne_read(path, NULL, &d, &e)) fail_msg("%s:%d: %s", e.file, e.line, e.message);
    temp_close(&t);
    assert_string_equal(joint(d, "c")->parent, "b");
    assert_string_equal(joint(d, "d__held")->parent, "b");
    assert_non_null(strstr(d->unmodelled, "part.xml:3: "));
    arne_description_free(d);
}

/* ---- what is refused ---- */

static void bad_values_are_named(void **state)
{
    (void)state;
    refuses(ONE("", "<joint name='j' axis='0 0 0'/>", ""), 3, "joint 'j': its axis is zero");
    refuses(ONE("", "<joint name='j' axis='0 0'/>", ""), 3, "joint 'j': axis=\"0 0\" of <joint> needs 3 numbers");
    refuses(ONE("", "<joint name='j' type='screw'/>", ""), 3, "joint 'j': type=\"screw\" of <joint> is not known");
    refuses(ONE("", "<joint name='j' range='2 1'/>", ""), 3,
            "joint 'j': range=\"2 1\": the first number must be the smaller one");
    refuses(ONE("<compiler autolimits='false'/>", "<joint name='j' range='0 1'/>", ""), 3,
            "joint 'j': has a range, and autolimits is false: say limited=\"true\" or \"false\"");
    refuses(ONE("", "<joint name='j' damping='-1'/>", ""), 3, "joint 'j': its damping is negative");
    refuses(ONE("", "<joint class='none'/>", ""), 3, "there is no default class 'none' for this <joint>");
    refuses(MODEL("", "<body quat='0 0 0 0'>" BODY "</body>", ""), 3, "body 'body1': quat of <body> is zero");
    refuses(MODEL("", "<body name='b'>" BODY "<body name='c'><freejoint name='f'/>" BODY "</body></body>", ""), 3,
            "joint 'f': a free joint stands in a body of <worldbody>, alone");
    refuses(MODEL("", "<body name='b'>" BODY "</body><body name='b'>" BODY "</body>", ""), 3,
            "two bodies are called 'b': rename one");
    refuses(MODEL("", "<body name='b'><inertial mass='1'/></body>", ""), 3, "body 'b': <inertial> needs mass and pos");
    refuses(MODEL("", "<body name='b'><inertial mass='1' pos='0 0 0' diaginertia='1 -1 1'/></body>", ""), 3,
            "body 'b': its mass or a moment of inertia is negative");
    refuses(MODEL("", "<body name='b'><geom type='box' size='1'/></body>", ""), 3,
            "body 'b': a geom needs 3 positive numbers in its size");
    refuses(ONE("", "<joint/>", "<actuator><motor joint='k'/></actuator>"), 5, "there is no joint 'k' for this <motor>");
    refuses(ONE("", "<joint/>", "<keyframe><key name='home' qpos='1 2'/></keyframe>"), 5,
            "keyframe 'home': qpos=\"1 2\" of <key> needs 1 number");
    refuses(ONE("<compiler eulerseq='abc'/>", "", ""), 2, "eulerseq=\"abc\" needs three letters of x, y, z, X, Y, Z");
    refuses(MODEL("", "<joint/>", ""), 3, "<worldbody> has a <joint>; only bodies have one");
    refuses("<mujoco/>", 1, "the model has no <body>");
    refuses(ONE("<default><default/></default>", "", ""), 2, "a <default> within another one has no class");
    refuses_with("<sdff/>", NULL, ARNE_BAD_SYNTAX, "robot.xml", 1,
                 "not a robot file: it begins with <sdff>, not with <robot> as URDF, <mujoco> as MJCF or <sdf> as SDF");
    refuses_with(ONE("<compiler coordinate='global'/>", "", ""), NULL, ARNE_UNSUPPORTED, "robot.xml", 2,
                 "coordinate=\"global\" is not read; MuJoCo saves a model in local ones");
    refuses_with(MODEL("", "<replicate count='3'/>", ""), NULL, ARNE_UNSUPPORTED, "robot.xml", 3,
                 "<replicate> makes bodies and is not read; write them out (MuJoCo saves such a model: mj_saveLastXML)");
}

#define MESH(attributes, geom)                                                                                                   \
    MODEL("<asset><mesh name='m' " attributes "/></asset>", "<body name='b'><joint/>\n<geom mesh='m' " geom "/></body>", "")
#define FOUR "vertex='0 0 0 1 0 0 0 1 0 0 0 1' "

static void faults_of_solids_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *geom, *sentence;
    } cases[] = {
        {"size='0'", "body 'b': a geom needs 1 positive number in its size"},
        {"type='capsule' size='1'", "body 'b': a geom needs 2 positive numbers in its size"},
        {"type='cylinder' size='1 -1'", "body 'b': a geom needs 2 positive numbers in its size"},
        {"type='ellipsoid' size='1 2'", "body 'b': a geom needs 3 positive numbers in its size"},
        {"size='1 2 3 4'", "body 'b': size=\"1 2 3 4\" of <geom> needs 1 to 3 numbers"},
        {"size='1' mass='-2'", "body 'b': mass or density of a geom is negative"},
        {"size='1' density='-2'", "body 'b': mass or density of a geom is negative"},
        {"size='1' fromto='0 0 0 1 2 3'", "body 'b': fromto is for capsules, cylinders, boxes and ellipsoids"},
        {"type='mesh' fromto='0 0 0 1 2 3'", "body 'b': fromto is for capsules, cylinders, boxes and ellipsoids"},
        {"type='box' size='1' fromto='1 2 3 1 2 3'", "body 'b': the two points of fromto are one"},
        {"type='mesh'", "body 'b': a geom of type mesh names no mesh"},
        {"type='ball'", "body 'b': type=\"ball\" of <geom> is not known"},
        {"size='1' axisangle='0 0 0 1'", "body 'b': axisangle of <geom> is zero"},
        {"size='1' xyaxes='0 0 0 0 1 0'", "body 'b': xyaxes of <geom> is zero"},
        {"size='1' xyaxes='0 1 0 0 2 0'", "body 'b': xyaxes of <geom> is zero"},
        {"size='1' zaxis='0 0 0'", "body 'b': zaxis of <geom> is zero"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, MODEL("", "<body name='b'><joint/>\n<geom %s/></body>", ""), cases[i].geom);
        refuses(text, 4, cases[i].sentence);
    }
    refuses(MESH(FOUR "face='0 2 1 0 1 3 0 3 2 1 2 4'", "type='mesh'"), 2, "mesh 'm': face names vertex 4 of 4");
    refuses(MESH(FOUR "face='0 2 1 0 1 3 0 3 2 -1 2 3'", "type='mesh'"), 2, "mesh 'm': face names vertex -1 of 4");
    refuses(MESH(FOUR "face='0 2 1 0 1'", "type='mesh'"), 2, "mesh 'm': vertex and face come in threes");
    refuses(MESH("vertex='0 0 0 1 0 0 0 1 0 0 0 1 5' face='0 2 1'", "type='mesh'"), 2,
            "mesh 'm': vertex and face come in threes");
    refuses(MESH(FOUR "face='0 2 1' refquat='0 0 0 0'", "type='mesh'"), 2, "mesh 'm': its refquat is zero");
    refuses(MESH(FOUR "face='0 2 1'", "type='mesh'"), 4, "body 'b': mesh 'm' encloses no volume");
    refuses_with(MESH(FOUR, "type='mesh'"), NULL, ARNE_UNSUPPORTED, "robot.xml", 2,
                 "body 'b': mesh 'm' has no faces: convex hulls are not computed; give the body its <inertial>");
    refuses_with(MESH(FOUR "inertia='convex'", "type='mesh'"), NULL, ARNE_UNSUPPORTED, "robot.xml", 2,
                 "body 'b': mesh 'm' has the inertia of its convex hull, which is not computed; give the body its <inertial>");
    refuses_with(MODEL("<compiler fitaabb='true'/><asset><mesh name='m' " FOUR "face='0 2 1 0 1 3 0 3 2 1 2 3'/></asset>",
                       "<body name='b'><joint/>\n<geom type='box' mesh='m'/></body>", ""),
                 NULL, ARNE_UNSUPPORTED, "robot.xml", 4,
                 "body 'b': a geom fitted to a mesh by fitaabb is not read; give the body its <inertial>");
}

static void faults_of_the_rest_are_named(void **state)
{
    (void)state;
    static const char *const sizes[] = {"armature", "damping", "frictionloss", "stiffness"};
    static const char *const makers[] = {"composite", "flexcomp", "replicate", "attach"};
    for (int i = 0; i < 4; i++) {
        char text[512], sentence[160];
        snprintf(text, sizeof text, ONE("", "<joint name='j' %s='-.5'/>", ""), sizes[i]);
        snprintf(sentence, sizeof sentence, "joint 'j': its %s is negative", sizes[i]);
        refuses(text, 3, sentence);
        snprintf(text, sizeof text, MODEL("", "<%s/>", ""), makers[i]);
        snprintf(sentence, sizeof sentence,
                 "<%s> makes bodies and is not read; write them out (MuJoCo saves such a model: mj_saveLastXML)", makers[i]);
        refuses_with(text, NULL, ARNE_UNSUPPORTED, "robot.xml", 3, sentence);
    }
    refuses(MODEL("", "<freejoint/>", ""), 3, "<worldbody> has a <freejoint>; only bodies have one");
    refuses(MODEL("", "<inertial/>", ""), 3, "<worldbody> has a <inertial>; only bodies have one");
    refuses(MODEL("", "<body name='b'><inertial pos='0 0 0'/></body>", ""), 3, "body 'b': <inertial> needs mass and pos");
    refuses(MODEL("", "<body name='b'>" BODY "\n" BODY "</body>", ""), 4, "body 'b': a second <inertial>; keep one");
    refuses(MODEL("", "<body name='b'><inertial mass='-1' pos='0 0 0' diaginertia='1 1 1'/></body>", ""), 3,
            "body 'b': its mass or a moment of inertia is negative");
    refuses(ONE("<compiler eulerseq='xyzx'/>", "", ""), 2, "the model: eulerseq of <compiler> is too long");
    refuses(ONE("<compiler eulerseq='xy'/>", "", ""), 2, "eulerseq=\"xy\" needs three letters of x, y, z, X, Y, Z");
    refuses(ONE("<compiler angle='grad'/>", "", ""), 2, "the model: angle=\"grad\" of <compiler> is not known");
    refuses(ONE("<default>\n<default class='a'/>\n<default class='a'/></default>", "", ""), 4,
            "there are two default classes 'a'; rename one");
    refuses(MODEL("", "<body childclass='none'>" BODY "</body>", ""), 3, "there is no default class 'none' for this <body>");
    refuses(ONE("", "<joint name='j' actuatorfrcrange='3 -2'/>", ""), 3,
            "joint 'j': actuatorfrcrange=\"3 -2\": the first number must be the smaller one");
    refuses(ONE("", "<joint name='j'/>", "<actuator>\n<motor joint='j' ctrlrange='4 1'/></actuator>"), 6,
            "the actuator of joint 'j': ctrlrange=\"4 1\": the first number must be the smaller one");
    refuses(ONE("", "<joint name='j'/>", "<actuator><motor joint='j' forcerange='1'/></actuator>"), 5,
            "the actuator of joint 'j': forcerange=\"1\" of <motor> needs 2 numbers");
    refuses(ONE("", "<joint/>", "<equality><joint joint2='b'/></equality>"), 5, "an equality of joints needs joint1");
    refuses(ONE("", "<joint/>", "<equality><joint joint1='none'/></equality>"), 5, "there is no joint 'none' for this <joint>");
    refuses(ONE("", "<joint/>", "<keyframe><key/><key qvel='1 2'/></keyframe>"), 5,
            "keyframe 'key1': qvel=\"1 2\" of <key> needs 1 number");
    refuses(ONE("", "<joint/>", "<tendon><fixed damping='x'/></tendon>"), 5, "<fixed>: damping=\"x\" of <fixed> is not a number");
}

static void there_are_at_most_1000_classes(void **state)
{
    (void)state;
    for (int count = 1000; count <= 1001; count++) {
        static char text[64000];
        char *end = text + sprintf(text, "<mujoco><default>\n");
        for (int i = 1; i < count; i++) end += sprintf(end, "<default class='c%d'><joint damping='%d'/></default>\n", i, i);
        sprintf(end, "</default><worldbody><body name='b'><joint name='j' class='c999'/>" BODY "</body></worldbody></mujoco>");
        if (count > 1000) {
            refuses(text, 1001, "there are more than 1000 default classes");
            continue;
        }
        arne_description *d = accepts(text);
        assert_true(joint(d, "j")->friction.viscous == 999);
        arne_description_free(d);
    }
}

static void a_mesh_that_is_not_there_is_named_where_it_weighs(void **state)
{
    (void)state;
    refuses_with(MODEL("<asset><mesh name='m' file='gone.stl'/></asset>",
                       "<body name='b'><joint/>\n<geom type='mesh' mesh='m'/></body>", ""),
                 NULL, ARNE_NO_FILE, "robot.xml", 4,
                 "body 'b': its inertia comes from mesh 'm', file 'gone.stl': cannot open the file: No such file or directory; "
                 "give the file, or the body its <inertial>");
    refuses(MODEL("", "<body name='b'><geom type='mesh' mesh='m'/></body>", ""), 3, "body 'b': there is no mesh 'm' in <asset>");
    refuses_with(
        MODEL("<asset><mesh file='part.xml' name='m'/></asset>", "<body name='b'><geom type='mesh' mesh='m'/></body>", ""), "x",
        ARNE_UNSUPPORTED, "robot.xml", 3,
        "body 'b': its inertia comes from mesh 'm', file 'part.xml': meshes are read from .stl and .obj files; give the file, or "
        "the body its <inertial>");
    arne_description_free(accepts(MODEL("<asset><mesh name='m' file='gone.stl'/></asset>",
                                        "<body name='b'>" BODY "<geom type='mesh' mesh='m'/></body>"
                                        "<body name='c'><geom size='.1'/><geom type='mesh' mesh='m' mass='0'/></body>",
                                        "")));
}

/* what stands still weighs nothing for the motion; with a free base it would */
static void a_mesh_that_is_not_there_is_told_where_it_stands(void **state)
{
    (void)state;
    const char *const model = MODEL("<asset><mesh name='m' file='gone.stl'/></asset>",
                                    "<body name='b'><geom type='mesh' mesh='m'/><geom type='mesh' mesh='m'/>"
                                    "<body name='c'><joint/>" BODY "</body></body>",
                                    "");
    arne_description *d = accepts(model);
    assert_int_equal(d->nwarning, 1);
    assert_true(warned(d, "robot.xml:3: body 'b': a mesh of it is not there; it stands still"));
    assert_true(d->links[1].body.mass == 0 && !d->unmodelled);
    arne_description_free(d);
    temp_folder t = temp_open();
    arne_error e = {.status = ARNE_OK};
    const arne_read_options o = {.size = sizeof o, .base = ARNE_BASE_FREE};
    assert_int_equal(arne_read(temp_write(&t, "robot.xml", model), &o, &d, &e), ARNE_NO_FILE);
    temp_close(&t);
    assert_non_null(strstr(e.message, "mesh 'm'"));
}

static void includes_do_not_recur_or_leave_the_folder(void **state)
{
    (void)state;
    const char *const model = MODEL("", "<include file='part.xml'/>", "");
    refuses_with(model, "<mujoco>\n<include file='part.xml'/></mujoco>", ARNE_BAD_VALUE, "part.xml", 2,
                 "'part.xml' is included a second time");
    refuses_with(model, "<mujoco>\n<include file='robot.xml'/></mujoco>", ARNE_BAD_VALUE, "part.xml", 2,
                 "'robot.xml' is included a second time");
    refuses_with(model, NULL, ARNE_BAD_VALUE, "robot.xml", 3, "cannot include 'part.xml': No such file or directory");
    refuses_with(model, "<mujoco><body>", ARNE_BAD_SYNTAX, "part.xml", 1, "not well-formed XML: ...");
    refuses_with(model, "<mujoco>\n<body name='b'><joint axis='0 0 0'/></body></mujoco>", ARNE_BAD_VALUE, "part.xml", 2,
                 "joint 'b': its axis is zero");
    refuses(MODEL("", "<include file='/etc/passwd'/>", ""), 3,
            "'/etc/passwd' leaves the folder of the model; copy the file there");
    refuses(MODEL("", "<include file='../../../../../../../etc/passwd'/>", ""), 3,
            "'../../../../../../../etc/passwd' leaves the folder of the model; copy the file there");
    refuses(MODEL("", "<include/>", ""), 3, "the model: <include> has no file");
    refuses_with(model, "<!DOCTYPE m [\n<!ENTITY a 'aa'>\n<!ENTITY b '&a;&a;'>]><mujoco>&b;</mujoco>", ARNE_BAD_SYNTAX,
                 "part.xml", 2, "entity 'a': entities are not accepted; write the text where it is used");
    refuses_with("<!DOCTYPE m [\n<!ENTITY a 'aa'>\n<!ENTITY b '&a;&a;'>]><mujoco>&b;</mujoco>", NULL, ARNE_BAD_SYNTAX,
                 "robot.xml", 2, "entity 'a': entities are not accepted; write the text where it is used");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_root_element_tells_the_format),
        cmocka_unit_test(joints_say_limits_rotors_and_friction),
        cmocka_unit_test(joints_without_names_take_their_bodys),
        cmocka_unit_test(actuators_limit_effort),
        cmocka_unit_test(equal_joints_follow),
        cmocka_unit_test(what_acts_and_is_not_modelled_is_named_once),
        cmocka_unit_test(forward_dynamics_refuses_what_is_not_modelled),
        cmocka_unit_test(keyframes_are_states),
        cmocka_unit_test(keyframes_of_bodies_that_turn),
        cmocka_unit_test(joints_of_one_body_have_links_between),
        cmocka_unit_test(gravity_can_be_switched_off),
        cmocka_unit_test(solids_of_some_groups_count),
        cmocka_unit_test(meshes_are_found),
        cmocka_unit_test(faults_of_solids_are_named),
        cmocka_unit_test(faults_of_the_rest_are_named),
        cmocka_unit_test(there_are_at_most_1000_classes),
        cmocka_unit_test(frames_move_what_is_in_them),
        cmocka_unit_test(mjcf_and_urdf_are_alike),
        cmocka_unit_test(a_shell_is_hollow),
        cmocka_unit_test(included_files_stand_in_their_place),
        cmocka_unit_test(bad_values_are_named),
        cmocka_unit_test(a_mesh_that_is_not_there_is_named_where_it_weighs),
        cmocka_unit_test(a_mesh_that_is_not_there_is_told_where_it_stands),
        cmocka_unit_test(includes_do_not_recur_or_leave_the_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
