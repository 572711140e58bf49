/* SPDX-License-Identifier: MIT
 *
 * urdf_test.c - the conventions of URDF, and one refusal for each kind of bad file: right status, right line, the culprit's name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "file/formats.h"
#include "support/tempfile.h"
#include "file/says.h"

/* roundings of sums of three numbers near 1 */
static const double TOLERANCE = 1e-15;

static arne_description *accepts(const char *text)
{
    temp_folder t = temp_open();
    arne_description *d = NULL;
    arne_error e = {.status = ARNE_OK};
    arne_status status = arne__xml_read(temp_write(&t, "robot.urdf", text), NULL, &d, &e);
    temp_close(&t);
    if (status) fail_msg("line %d: %s", e.line, e.message);
    return d;
}

static void refuses(const char *text, arne_status status, int line, const char *culprit)
{
    temp_folder t = temp_open();
    arne_description *d = NULL;
    arne_error e = {.status = ARNE_OK};
    const char *path = temp_write(&t, "robot.urdf", text);
    arne_status got = arne__xml_read(path, NULL, &d, &e);
    temp_close(&t);
    if (got != status || e.status != status) fail_msg("status %d, not %d: %s", (int)got, (int)status, e.message);
    if (e.line != line) fail_msg("line %d, not %d: %s", e.line, line, e.message);
    if (!says(e.message, culprit)) fail_msg("\"%s\" is not \"%s\"", e.message, culprit);
    assert_string_equal(e.file, path);
    assert_null(d);
}

#define LINKS "<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n" /* lines 1 to 3 */
#define JOINT(type, inside)                                                                                                      \
    LINKS "<joint name='elbow' type='" type "'>\n<parent link='a'/><child link='b'/>\n" inside "\n</joint></robot>"
#define LINK(inertial) "<robot name='r'>\n<link name='arm'><inertial>\n" inertial "\n</inertial></link></robot>"
#define INERTIA "<inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='3'/>"

/* ---- conventions ---- */

static void a_whole_joint_is_read(void **state)
{
    (void)state;
    arne_description *d = accepts(JOINT("prismatic", "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><axis xyz='0 0 -2'/>"
                                                     "<limit lower='-1' upper='2' effort='30' velocity='4'/>"
                                                     "<dynamics damping='0.5' friction='0.25'/>"));
    const arne_joint_description *j = &d->joints[0];
    assert_string_equal(d->name, "r");
    assert_int_equal(d->nlink, 2);
    assert_int_equal(d->links[1].line, 3);
    assert_string_equal(j->name, "elbow");
    assert_int_equal(j->line, 4);
    assert_int_equal(j->type, ARNE_PRISMATIC);
    assert_string_equal(j->parent, "a");
    assert_string_equal(j->child, "b");
    const double R[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++) assert_true(j->before.R[i] == R[i]);
    assert_true(j->before.p[0] == 1 && j->before.p[1] == 2 && j->before.p[2] == 3);
    assert_true(j->axis[0] == 0 && j->axis[1] == 0 && j->axis[2] == -2);
    assert_true(j->limits.lower == -1 && j->limits.upper == 2 && j->limits.effort == 30 && j->limits.velocity == 4);
    assert_true(j->limits.acceleration == INFINITY);
    assert_true(j->friction.viscous == 0.5 && j->friction.coulomb == 0.25);
    assert_int_equal(d->nwarning, 0);
    arne_description_free(d);
}

/* Rz(90): x axis of the body is y of the link, so Iyy of the link is Ixx of the body, and Ixy changes sign. */
static void inertia_is_turned_into_the_link(void **state)
{
    (void)state;
    arne_description *d = accepts(LINK("<origin xyz='0.1 0.2 0.3' rpy='0 0 1.5707963267948966'/><mass value='4'/>"
                                       "<inertia ixx='1' ixy='0.1' ixz='0.2' iyy='2' iyz='0.3' izz='3'/>"));
    const arne_body *b = &d->links[0].body;
    const double expected[6] = {2, -0.1, -0.3, 1, 0.2, 3};
    assert_true(b->mass == 4 && b->com[0] == 0.1 && b->com[1] == 0.2 && b->com[2] == 0.3);
    for (int i = 0; i < 6; i++) assert_true(fabs(b->inertia[i] - expected[i]) <= TOLERANCE);
    arne_description_free(d);
}

static void a_link_without_inertial_weighs_nothing(void **state)
{
    (void)state;
    arne_description *d = accepts("<robot name='r'><link name='a'><visual><origin xyz='bad'/></visual></link></robot>");
    assert_true(d->links[0].body.mass == 0);
    arne_description_free(d);
}

static void a_continuous_joint_has_no_position_limits(void **state)
{
    (void)state;
    arne_description *d = accepts(JOINT("continuous", "<limit lower='0' upper='0' effort='3' velocity='2'/>"));
    const arne_joint_description *j = &d->joints[0];
    assert_int_equal(j->type, ARNE_REVOLUTE);
    assert_true(j->continuous && j->limits.lower == -INFINITY && j->limits.upper == INFINITY && j->limits.effort == 3);
    assert_true(j->axis[0] == 1 && j->axis[1] == 0 && j->axis[2] == 0);
    assert_int_equal(d->nwarning, 0);
    arne_description_free(d);
}

static void warns(const char *text, const char *words)
{
    arne_description *d = accepts(text);
    assert_int_equal(d->nwarning, 1);
    if (!says(d->warnings[0], words)) fail_msg("\"%s\" does not say \"%s\"", d->warnings[0], words);
    arne_description_free(d);
}

static void odd_things_are_warnings(void **state)
{
    (void)state;
    warns("<robot name='r' xmlns:xacro='http://x'><link name='a'/><link name='b'/>\n<xacro:sensor/><joint name='j' "
          "type='continuous'>"
          "<parent link='a'/><child link='b'/></joint></robot>",
          "...robot.urdf:2: <xacro:sensor> is a macro that nobody expanded; passed over");
    warns(JOINT("revolute", "<axis xyz='0 0 1'/>"), "...robot.urdf:4: joint 'elbow': has no <limit>; taken as unlimited");
    warns(JOINT("revolute", "<limit effort='1' velocity='1'/>"),
          "...robot.urdf:6: joint 'elbow': <limit> has neither lower nor upper; taken as unlimited");
    warns(JOINT("revolute", "<limit lower='0' upper='0' effort='0' velocity='0'/>"),
          "...robot.urdf:6: joint 'elbow': its velocity or effort limit is 0: it may not move");
    warns(JOINT("continuous", "<limit effort='1' velocity='0'/>"),
          "...robot.urdf:6: joint 'elbow': its velocity or effort limit is 0: it may not move");
    warns(JOINT("continuous", "<limit effort='0' velocity='1'/>"),
          "...robot.urdf:6: joint 'elbow': its velocity or effort limit is 0: it may not move");
    warns(JOINT("continuous", "<mimic joint='nobody'/>"),
          "...robot.urdf:4: joint 'elbow' mimics 'nobody', but no joint has this name: it moves by itself");
    warns("<robot><link name='a'/></robot>", "...robot.urdf:1: <robot> has no name; taken from the file: 'robot'");
}

/* what Pinocchio takes as well: the limits that can be meant */
static void odd_limits_are_taken_with_a_warning(void **state)
{
    (void)state;
    static const struct {
        const char *attributes, *words;
        double lower, upper, velocity, effort;
    } cases[] = {
        {"lower='2' upper='-1' effort='3' velocity='4'", "lower limit 2 is above upper limit -1; taken as -1 to 2", -1, 2, 4, 3},
        {"lower='inf' upper='-inf' effort='3' velocity='4'", "taken as -inf to inf", -INFINITY, INFINITY, 4, 3},
        {"lower='0' upper='1' effort='3' velocity='-4'", "its velocity limit -4 is negative; taken as 4", 0, 1, 4, 3},
        {"lower='0' upper='1' effort='-3' velocity='4'", "its effort limit -3 is negative; taken as 3", 0, 1, 4, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, JOINT("revolute", "<limit %s/>"), cases[i].attributes);
        arne_description *d = accepts(text);
        const arne_limits *l = &d->joints[0].limits;
        assert_int_equal(d->nwarning, 1);
        assert_non_null(strstr(d->warnings[0], "robot.urdf:6: joint 'elbow': "));
        if (!strstr(d->warnings[0], cases[i].words)) fail_msg("\"%s\" does not say \"%s\"", d->warnings[0], cases[i].words);
        assert_true(l->lower == cases[i].lower && l->upper == cases[i].upper);
        assert_true(l->velocity == cases[i].velocity && l->effort == cases[i].effort);
        arne_description_free(d);
    }
}

static void what_is_not_dynamics_is_passed_over(void **state)
{
    (void)state;
    arne_description *d = accepts("<?xml version='1.0'?><!DOCTYPE robot>\n<robot name='r' xmlns:x='http://x'><!-- c -->\n"
                                  "<material name='m'/><link name='a'/><gazebo><link/><joint/></gazebo><x:y/><undeclared:z/>\n"
                                  "<transmission name='t'><joint name='q'/></transmission></robot>");
    assert_int_equal(d->nlink, 1);
    assert_int_equal(d->njoint, 0);
    arne_description_free(d);
}

static void a_fixed_joint_needs_no_axis(void **state)
{
    (void)state;
    arne_description *d = accepts(JOINT("fixed", "<axis xyz='0 0 0'/>"));
    assert_int_equal(d->joints[0].type, ARNE_FIXED);
    assert_int_equal(d->nwarning, 0);
    arne_description_free(d);
}

static void negative_mass_is_not_refused_here(void **state)
{
    (void)state;
    arne_description *d = accepts(LINK("<mass value='-1'/>" INERTIA));
    assert_true(d->links[0].body.mass == -1);
    arne_description_free(d);
}

/* axis, limits and friction mean nothing to it */
static void a_floating_joint_is_free(void **state)
{
    (void)state;
    arne_description *d = accepts(JOINT("floating", "<origin xyz='1 2 3'/><axis xyz='0 0 0'/><dynamics damping='1'/>\n"
                                                    "<mimic joint='x'/><limit lower='2'/>"));
    static const char *const unused[] = {"7: joint 'elbow' has several freedoms: its <limit> is not used",
                                         "6: joint 'elbow' has several freedoms: its <dynamics> is not used",
                                         "7: joint 'elbow' has several freedoms: its <mimic> is not used"};
    assert_int_equal(d->nwarning, 3);
    for (int k = 0; k < 3; k++)
        if (!strstr(d->warnings[k], unused[k])) fail_msg("%s", d->warnings[k]);
    assert_int_equal(d->joints[0].type, ARNE_FREE);
    assert_true(d->joints[0].before.p[1] == 2 && d->joints[0].friction.viscous == 0);
    arne_description_free(d);
}

/* rounded unit vectors and lengths of other units are directions too, up to a million */
static void axes_have_a_length_that_can_be_meant(void **state)
{
    (void)state;
    static const struct {
        const char *axis;
        bool good;
    } cases[] = {{"0 0 0.9e-6", false}, {"0 -1.1e-6 0", true}, {"0.9e6 0 0", true}, {"0 0 1.1e6", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512], sentence[128];
        snprintf(text, sizeof text, JOINT("continuous", "<axis xyz='%s'/>"), cases[i].axis);
        snprintf(sentence, sizeof sentence, "joint 'elbow': the axis has length %s; give a unit vector", i ? "1.1e+06" : "9e-07");
        if (cases[i].good)
            arne_description_free(accepts(text));
        else
            refuses(text, ARNE_BAD_VALUE, 6, sentence);
    }
}

static void numbers_may_have_signs_and_a_mimic_its_own(void **state)
{
    (void)state;
    arne_description *d = accepts(
        LINKS "<link name='c'/><joint name='k' type='continuous'><parent link='a'/><child link='c'/></joint>\n"
              "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><origin xyz='1e30 +2.5\t-3' rpy='0 0 0'/>"
              "<mimic joint='k' multiplier='-2' offset='+0.5'/></joint></robot>");
    const arne_joint_description *j = &d->joints[1];
    assert_true(j->before.p[0] == 1e30 && j->before.p[1] == 2.5 && j->before.p[2] == -3);
    assert_string_equal(j->master, "k");
    assert_true(j->ratio == -2 && j->offset == 0.5);
    arne_description_free(d);
    d = accepts(LINKS "<joint name='k' type='planar'><parent link='a'/><child link='b'/></joint></robot>");
    assert_int_equal(d->njoint, 3);
    assert_true(d->joints[2].axis[0] == 0 && d->joints[2].axis[1] == 0 && d->joints[2].axis[2] == 1); /* z, not x */
    arne_description_free(d);
}

/* names of up to 127 letters, of anything but control characters */
static void names_have_bounds(void **state)
{
    (void)state;
    char name[160], text[256];
    for (size_t length = 127; length <= 128; length++) {
        memset(name, 'n', length);
        name[length] = 0;
        snprintf(text, sizeof text, "<robot name='r'>\n<link name='%s'/></robot>", name);
        if (length < 128)
            arne_description_free(accepts(text));
        else
            refuses(text, ARNE_BAD_VALUE, 2, "a link: name of <link> is too long");
    }
    refuses("<robot name='r'>\n<link name='a&#9;b'/></robot>", ARNE_BAD_VALUE, 2, "a link: name has a control character");
}

/* ---- refusals ---- */

#define BAD(sentence, status, line, culprit, text)                                                                               \
    static void sentence(void **state)                                                                                           \
    {                                                                                                                            \
        (void)state;                                                                                                             \
        refuses(text, status, line, culprit);                                                                                    \
    }

BAD(plane_without_normal, ARNE_BAD_VALUE, 6, "joint 'elbow': the axis is zero; give its direction, e.g. xyz=\"0 0 1\"",
    JOINT("planar", "<axis xyz='0 0 0'/>"))
BAD(unknown_type, ARNE_BAD_VALUE, 4,
    "joint 'elbow': unknown type 'hinge'; revolute, continuous, prismatic, planar, floating or fixed is expected",
    JOINT("hinge", ""))
BAD(no_type, ARNE_BAD_VALUE, 4, "joint 'elbow': <joint> has no type", LINKS "<joint name='elbow'/></robot>")
BAD(no_joint_name, ARNE_BAD_VALUE, 4, "a joint: <joint> has no name", LINKS "<joint type='fixed'/></robot>")
BAD(no_link_name, ARNE_BAD_VALUE, 2, "a link: <link> has no name", "<robot name='r'>\n<link/></robot>")
BAD(empty_link_name, ARNE_BAD_VALUE, 2, "a link: <link> has no name", "<robot name='r'>\n<link name=''/></robot>")
BAD(no_parent, ARNE_BAD_VALUE, 4, "joint 'elbow': has no <parent link=\"...\"/>",
    LINKS "<joint name='elbow' type='fixed'><child link='b'/></joint></robot>")
BAD(no_child, ARNE_BAD_VALUE, 4, "joint 'elbow': has no <child link=\"...\"/>",
    LINKS "<joint name='elbow' type='fixed'><parent link='b'/></joint></robot>")
BAD(parent_without_link, ARNE_BAD_VALUE, 5, "joint 'elbow': <parent> has no link",
    LINKS "<joint name='elbow' type='fixed'>\n<parent/><child link='b'/></joint></robot>")
BAD(own_parent, ARNE_BAD_VALUE, 4, "joint 'elbow': connects link 'b' to itself",
    LINKS "<joint name='elbow' type='fixed'><parent link='b'/><child link='b'/></joint></robot>")
BAD(zero_axis, ARNE_BAD_VALUE, 6, "joint 'elbow': the axis is zero; give its direction, e.g. xyz=\"0 0 1\"",
    JOINT("revolute", "<axis xyz='0 0 0'/>"))
BAD(tiny_axis, ARNE_BAD_VALUE, 6, "joint 'elbow': the axis has length 1e-300; give a unit vector",
    JOINT("revolute", "<axis xyz='0 1e-300 0'/>"))
BAD(axis_of_two, ARNE_BAD_VALUE, 6, "joint 'elbow': xyz=\"0 1\" of <axis> needs 3 numbers",
    JOINT("revolute", "<axis xyz='0 1'/>"))
BAD(axis_of_four, ARNE_BAD_VALUE, 6, "joint 'elbow': xyz=\"0 1 0 0\" of <axis> needs 3 numbers",
    JOINT("revolute", "<axis xyz='0 1 0 0'/>"))
BAD(axis_nan, ARNE_BAD_VALUE, 6, "joint 'elbow': xyz=\"nan 0 0\" of <axis> is not a number",
    JOINT("revolute", "<axis xyz='nan 0 0'/>"))
BAD(origin_empty, ARNE_BAD_VALUE, 6, "joint 'elbow': xyz=\"\" of <origin> needs 3 numbers", JOINT("fixed", "<origin xyz=''/>"))
BAD(origin_inf, ARNE_BAD_VALUE, 6, "joint 'elbow': xyz=\"inf 0 0\" of <origin> is not a number",
    JOINT("fixed", "<origin xyz='inf 0 0'/>"))
BAD(origin_huge, ARNE_BAD_VALUE, 6, "joint 'elbow': rpy=\"1.1e30 0 0\" of <origin> is too large",
    JOINT("fixed", "<origin rpy='1.1e30 0 0'/>"))
BAD(origin_comma, ARNE_BAD_VALUE, 6, "joint 'elbow': xyz=\"1,5 0 0\" of <origin> is not a number",
    JOINT("fixed", "<origin xyz='1,5 0 0'/>"))
BAD(second_origin, ARNE_BAD_VALUE, 7, "joint 'elbow': a second <origin>; keep one", JOINT("fixed", "<origin/>\n<origin/>"))
BAD(limits_nowhere, ARNE_BAD_VALUE, 6, "joint 'elbow': between the limits inf and inf there is no position",
    JOINT("revolute", "<limit lower='inf' upper='inf'/>"))
BAD(limit_word, ARNE_BAD_VALUE, 6, "joint 'elbow': effort=\"big\" of <limit> is not a number",
    JOINT("revolute", "<limit lower='0' upper='1' effort='big'/>"))
BAD(limit_nan, ARNE_BAD_VALUE, 6, "joint 'elbow': lower=\"nan\" of <limit> is not a number",
    JOINT("revolute", "<limit lower='nan' upper='1'/>"))
BAD(damping_negative, ARNE_BAD_VALUE, 6, "joint 'elbow': damping of <dynamics> is negative",
    JOINT("continuous", "<dynamics damping='-1'/>"))
BAD(friction_negative, ARNE_BAD_VALUE, 6, "joint 'elbow': friction of <dynamics> is negative",
    JOINT("continuous", "<dynamics damping='1' friction='-2'/>"))
BAD(mass_garbage, ARNE_BAD_VALUE, 3, "link 'arm': value=\"1.2abc\" of <mass> is not a number",
    LINK("<mass value='1.2abc'/>" INERTIA))
BAD(mass_nan, ARNE_BAD_VALUE, 3, "link 'arm': value=\"nan\" of <mass> is not a number", LINK("<mass value='nan'/>" INERTIA))
BAD(mass_inf, ARNE_BAD_VALUE, 3, "link 'arm': value=\"inf\" of <mass> is not a number", LINK("<mass value='inf'/>" INERTIA))
BAD(mass_hexadecimal, ARNE_BAD_VALUE, 3, "link 'arm': value=\"0x10\" of <mass> is not a number",
    LINK("<mass value='0x10'/>" INERTIA))
BAD(mass_overflow, ARNE_BAD_VALUE, 3, "link 'arm': value=\"1e999\" of <mass> is too large", LINK("<mass value='1e999'/>" INERTIA))
BAD(mass_without_value, ARNE_BAD_VALUE, 3, "link 'arm': <mass> has no value", LINK("<mass/>" INERTIA))
BAD(inertial_without_mass, ARNE_BAD_VALUE, 2, "link 'arm': <inertial> has no <mass value=\"...\"/>", LINK(INERTIA))
BAD(inertial_without_inertia, ARNE_BAD_VALUE, 2, "link 'arm': <inertial> has no <inertia ixx=\"...\" .../>",
    LINK("<mass value='1'/>"))
BAD(inertia_without_izz, ARNE_BAD_VALUE, 4, "link 'arm': <inertia> has no izz",
    LINK("<mass value='1'/>\n<inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0'/>"))
BAD(inertia_nan, ARNE_BAD_VALUE, 4, "link 'arm': ixx=\"nan\" of <inertia> is not a number",
    LINK("<mass value='1'/>\n<inertia ixx='nan'/>"))
BAD(no_links, ARNE_BAD_VALUE, 1, "the robot has no <link>", "<robot name='r'/>")
BAD(not_a_robot, ARNE_BAD_SYNTAX, 1,
    "not a robot file: it begins with <html>, not with <robot> as URDF, <mujoco> as MJCF or <sdf> as SDF",
    "<html><model/></html>")
#define XACRO "<robot name='r' xmlns:xacro='http://x'>\n<xacro:macro name='m'/><link name='a'/><link name='b'/>\n"
BAD(xacro_with_a_number, ARNE_UNSUPPORTED, 2,
    "<xacro:macro> is a macro; turn the file into plain URDF first (xacro FILE > robot.urdf)",
    XACRO "<joint name='j' type='${kind}'/></robot>")
BAD(xacro_in_two_pieces, ARNE_UNSUPPORTED, 2,
    "<xacro:macro> is a macro; turn the file into plain URDF first (xacro FILE > robot.urdf)", XACRO "</robot>")
BAD(xacro, ARNE_UNSUPPORTED, 2, "<xacro:macro> is a macro; turn the file into plain URDF first (xacro FILE > robot.urdf)",
    "<robot name='r' xmlns:xacro='http://x'>\n<xacro:macro name='m'/></robot>")
BAD(not_xml, ARNE_BAD_SYNTAX, 1, "not well-formed XML: ...", "joints: 3")
BAD(tag_not_closed, ARNE_BAD_SYNTAX, 3, "not well-formed XML: ...", "<robot name='r'>\n<link name='a'>\n</robot>")
BAD(cut_off, ARNE_BAD_SYNTAX, 3, "not well-formed XML: ...", "<robot name='r'>\n<link name='a'/>\n<joint na")
BAD(empty_file, ARNE_BAD_SYNTAX, 0, "the file is empty", "")
BAD(blank_file, ARNE_BAD_SYNTAX, 2, "not well-formed XML: ...", "\n")
BAD(entity_bomb, ARNE_BAD_SYNTAX, 2, "entity 'a': entities are not accepted; write the text where it is used",
    "<!DOCTYPE robot [\n<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]>\n<robot name='&b;'><link name='&b;'/></robot>")
BAD(external_entity, ARNE_BAD_SYNTAX, 2, "entity 'x': entities are not accepted; write the text where it is used",
    "<!DOCTYPE robot [\n<!ENTITY x SYSTEM 'file:///etc/passwd'>]>\n<robot name='r'><link name='&x;'/></robot>")

static void deep_nesting(void **state)
{
    (void)state;
    static char text[3 * 100000 + 1];
    for (size_t i = 0; i < 100000; i++) memcpy(text + 3 * i, "<a>", 3);
    refuses(text, ARNE_BAD_SYNTAX, 1, "not well-formed XML: ...");
}

static void missing_file_and_directory(void **state)
{
    (void)state;
    arne_description *d;
    arne_error e;
    temp_folder t = temp_open();
    assert_int_equal(arne__xml_read("/nonexistent/robot.urdf", NULL, &d, &e), ARNE_NO_FILE);
    assert_string_equal(e.file, "/nonexistent/robot.urdf");
    assert_int_equal(arne__xml_read(t.path, NULL, &d, &e), ARNE_NO_FILE);
    assert_non_null(strstr(e.message, "directory"));
    temp_close(&t);
}

static void the_ending_chooses_the_reader(void **state)
{
    (void)state;
    arne_description *d;
    arne_error e;
    temp_folder t = temp_open();
    const char *text = " <robot name='r'><link name='a'/></robot>";
    assert_int_equal(arne_read(temp_write(&t, "a.URDF", text), NULL, &d, &e), ARNE_OK);
    arne_description_free(d);
    assert_int_equal(arne_read(temp_write(&t, "noending", text), NULL, &d, &e), ARNE_OK);
    arne_description_free(d);
    assert_int_equal(arne_read(temp_write(&t, "a.yaml", text), NULL, &d, &e), ARNE_BAD_VALUE);
    assert_int_equal(arne_read(temp_write(&t, "a.txt", "hello"), NULL, &d, &e), ARNE_UNSUPPORTED);
    assert_non_null(strstr(e.message, ".urdf, .sdf, .yaml or .par"));
    assert_null(d);
    temp_close(&t);
    static const struct {
        const char *name;
        arne_status status;
    } files[] = {{"a.sdf", ARNE_OK},         {"a.Xml", ARNE_OK},    {"a.yml", ARNE_BAD_VALUE},
                 {"a.par", ARNE_BAD_SYNTAX}, {"a.b.urdf", ARNE_OK}, {".yaml", ARNE_BAD_VALUE}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        temp_folder own = temp_open();
        assert_int_equal(arne_read(temp_write(&own, files[i].name, text), NULL, &d, &e), files[i].status);
        arne_description_free(d);
        temp_close(&own);
    }
    temp_folder own = temp_open(); /* a byte order mark and blanks tell nothing */
    assert_int_equal(arne_read(temp_write(&own, "b", "\xEF\xBB\xBF<robot name='r'><link name='a'/></robot>"), NULL, &d, &e),
                     ARNE_OK);
    arne_description_free(d);
    temp_close(&own);
}

#define T(name) cmocka_unit_test(name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_whole_joint_is_read),
        T(inertia_is_turned_into_the_link),
        T(a_link_without_inertial_weighs_nothing),
        T(a_continuous_joint_has_no_position_limits),
        T(odd_things_are_warnings),
        T(odd_limits_are_taken_with_a_warning),
        T(what_is_not_dynamics_is_passed_over),
        T(a_fixed_joint_needs_no_axis),
        T(negative_mass_is_not_refused_here),
        T(a_floating_joint_is_free),
        T(plane_without_normal),
        T(unknown_type),
        T(no_type),
        T(no_joint_name),
        T(no_link_name),
        T(empty_link_name),
        T(no_parent),
        T(no_child),
        T(parent_without_link),
        T(own_parent),
        T(zero_axis),
        T(tiny_axis),
        T(axis_of_two),
        T(axis_of_four),
        T(axis_nan),
        T(origin_empty),
        T(origin_inf),
        T(origin_huge),
        T(origin_comma),
        T(second_origin),
        T(limits_nowhere),
        T(limit_word),
        T(limit_nan),
        T(damping_negative),
        T(friction_negative),
        T(axes_have_a_length_that_can_be_meant),
        T(numbers_may_have_signs_and_a_mimic_its_own),
        T(names_have_bounds),
        T(mass_garbage),
        T(mass_nan),
        T(mass_inf),
        T(mass_hexadecimal),
        T(mass_overflow),
        T(mass_without_value),
        T(inertial_without_mass),
        T(inertial_without_inertia),
        T(inertia_without_izz),
        T(inertia_nan),
        T(no_links),
        T(not_a_robot),
        T(xacro),
        T(xacro_with_a_number),
        T(xacro_in_two_pieces),
        T(not_xml),
        T(tag_not_closed),
        T(cut_off),
        T(empty_file),
        T(blank_file),
        T(entity_bomb),
        T(external_entity),
        T(deep_nesting),
        T(missing_file_and_directory),
        T(the_ending_chooses_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
