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
    if (!strstr(e.message, culprit)) fail_msg("\"%s\" does not name %s", e.message, culprit);
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
         "robot.xml:3: joint 'a': the spring of a joint (stiffness) is not modelled"},
        {ONE("", "<joint/>", "<equality><weld body1='b'/>\n<connect body1='b' anchor='0 0 0'/></equality>"),
         "robot.xml:5: <weld>: a closed loop is not modelled"},
        {ONE("", "<joint name='a'/>", "<tendon><fixed stiffness='4'><joint joint='a' coef='1'/></fixed></tendon>"),
         "robot.xml:5: <fixed>: a tendon with stiffness"},
        {ONE("", "<joint name='a'/><joint name='b' axis='1 0 0'/>",
             "<equality><joint joint1='b' joint2='a' polycoef='0 1 2 0 0'/></equality>"),
         "robot.xml:5: joint 'b': an equality other than"},
        {MODEL("", "<body name='b' gravcomp='1'><joint/>" BODY "</body>", ""), "robot.xml:3: body 'b': gravity compensation"},
        {ONE("<option density='1.2'/>", "<joint/>", ""), "robot.xml:2: the model: the air or water"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arne_description *d = accepts(cases[i].text);
        assert_int_equal(d->nwarning, 1);
        if (!warned(d, cases[i].words)) fail_msg("\"%s\" does not say \"%s\"", d->warnings[0], cases[i].words);
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
    refuses(ONE("", "<joint name='j' axis='0 0'/>", ""), 3, "axis=\"0 0\"");
    refuses(ONE("", "<joint name='j' type='screw'/>", ""), 3, "screw");
    refuses(ONE("", "<joint name='j' range='2 1'/>", ""), 3, "joint 'j'");
    refuses(ONE("<compiler autolimits='false'/>", "<joint name='j' range='0 1'/>", ""), 3, "autolimits");
    refuses(ONE("", "<joint name='j' damping='-1'/>", ""), 3, "damping is negative");
    refuses(ONE("", "<joint class='none'/>", ""), 3, "class 'none'");
    refuses(MODEL("", "<body quat='0 0 0 0'>" BODY "</body>", ""), 3, "quat of <body> is zero");
    refuses(MODEL("", "<body name='b'>" BODY "<body name='c'><freejoint name='f'/>" BODY "</body></body>", ""), 3,
            "joint 'f': a free");
    refuses(MODEL("", "<body name='b'>" BODY "</body><body name='b'>" BODY "</body>", ""), 3, "two bodies are called 'b'");
    refuses(MODEL("", "<body name='b'><inertial mass='1'/></body>", ""), 3, "body 'b': <inertial> needs mass and pos");
    refuses(MODEL("", "<body name='b'><inertial mass='1' pos='0 0 0' diaginertia='1 -1 1'/></body>", ""), 3,
            "body 'b': its mass");
    refuses(MODEL("", "<body name='b'><geom type='box' size='1'/></body>", ""), 3, "body 'b': a geom needs 3 positive numbers");
    refuses(ONE("", "<joint/>", "<actuator><motor joint='k'/></actuator>"), 5, "no joint 'k'");
    refuses(ONE("", "<joint/>", "<keyframe><key name='home' qpos='1 2'/></keyframe>"), 5, "keyframe 'home'");
    refuses(ONE("<compiler eulerseq='abc'/>", "", ""), 2, "eulerseq");
    refuses(MODEL("", "<joint/>", ""), 3, "<worldbody> has a <joint>");
    refuses("<mujoco/>", 1, "no <body>");
    refuses(ONE("<default><default/></default>", "", ""), 2, "no class");
    refuses_with("<sdff/>", NULL, ARNE_BAD_SYNTAX, "robot.xml", 1, "<sdff>");
    refuses_with(ONE("<compiler coordinate='global'/>", "", ""), NULL, ARNE_UNSUPPORTED, "robot.xml", 2, "global");
    refuses_with(MODEL("", "<replicate count='3'/>", ""), NULL, ARNE_UNSUPPORTED, "robot.xml", 3, "<replicate>");
}

static void a_mesh_that_is_not_there_is_named_where_it_weighs(void **state)
{
    (void)state;
    refuses_with(MODEL("<asset><mesh name='m' file='gone.stl'/></asset>",
                       "<body name='b'><joint/>\n<geom type='mesh' mesh='m'/></body>", ""),
                 NULL, ARNE_NO_FILE, "robot.xml", 4, "body 'b': its inertia comes from mesh 'm', file 'gone.stl'");
    refuses(MODEL("", "<body name='b'><geom type='mesh' mesh='m'/></body>", ""), 3, "body 'b': there is no mesh 'm'");
    refuses_with(
        MODEL("<asset><mesh file='part.xml' name='m'/></asset>", "<body name='b'><geom type='mesh' mesh='m'/></body>", ""), "x",
        ARNE_UNSUPPORTED, "robot.xml", 3, ".stl and .obj");
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
    refuses_with(model, "<mujoco>\n<include file='part.xml'/></mujoco>", ARNE_BAD_VALUE, "part.xml", 2, "second time");
    refuses_with(model, "<mujoco>\n<include file='robot.xml'/></mujoco>", ARNE_BAD_VALUE, "part.xml", 2, "second time");
    refuses_with(model, NULL, ARNE_BAD_VALUE, "robot.xml", 3, "cannot include 'part.xml'");
    refuses_with(model, "<mujoco><body>", ARNE_BAD_SYNTAX, "part.xml", 1, "XML");
    refuses_with(model, "<mujoco>\n<body name='b'><joint axis='0 0 0'/></body></mujoco>", ARNE_BAD_VALUE, "part.xml", 2, "axis");
    refuses(MODEL("", "<include file='/etc/passwd'/>", ""), 3, "leaves the folder");
    refuses(MODEL("", "<include file='../../../../../../../etc/passwd'/>", ""), 3, "leaves the folder");
    refuses(MODEL("", "<include/>", ""), 3, "no file");
    refuses_with(model, "<!DOCTYPE m [\n<!ENTITY a 'aa'>\n<!ENTITY b '&a;&a;'>]><mujoco>&b;</mujoco>", ARNE_BAD_SYNTAX,
                 "part.xml", 2, "entity 'a'");
    refuses_with("<!DOCTYPE m [\n<!ENTITY a 'aa'>\n<!ENTITY b '&a;&a;'>]><mujoco>&b;</mujoco>", NULL, ARNE_BAD_SYNTAX,
                 "robot.xml", 2, "entity 'a'");
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
