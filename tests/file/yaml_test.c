/* SPDX-License-Identifier: MIT
 *
 * yaml_test.c - the conventions of our robot files, and one refusal for each kind of bad file: right status, right line, the
 * culprit's name. */
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
static const double PI = 3.14159265358979323846;

static const char *const OTHER_URDF = "<robot name='arm'>\n<link name='a'/><link name='b'/><link name='c'/>\n"
                                      "<joint name='shoulder' type='revolute'><parent link='a'/><child link='b'/>"
                                      "<limit lower='-1' upper='1' effort='5' velocity='6'/><dynamics damping='0.5'/></joint>\n"
                                      "<joint name='elbow' type='continuous'><parent link='b'/><child link='c'/></joint></robot>";

static arne_status read_text(const char *text, arne_description **d, arne_error *e)
{
    temp_folder t = temp_open();
    *e = (arne_error){.status = ARNE_OK};
    temp_write(&t, "other.urdf", OTHER_URDF);
    temp_write(&t, "bad.urdf", "<robot name='r'>\n<link/></robot>");
    arne_status status = arne__yaml_read(temp_write(&t, "robot.yaml", text), NULL, d, e);
    temp_close(&t);
    return status;
}

static arne_description *accepts(const char *text)
{
    arne_description *d;
    arne_error e;
    if (read_text(text, &d, &e)) fail_msg("line %d: %s", e.line, e.message);
    return d;
}

static void refuses(const char *text, arne_status status, int line, const char *culprit)
{
    arne_description *d;
    arne_error e;
    arne_status got = read_text(text, &d, &e);
    if (got != status || e.status != status) fail_msg("status %d, not %d: %s", (int)got, (int)status, e.message);
    if (e.line != line) fail_msg("line %d, not %d: %s", e.line, line, e.message);
    if (!says(e.message, culprit)) fail_msg("\"%s\" does not say \"%s\"", e.message, culprit);
    assert_null(d);
}

#define ONE                                                                                                                      \
    "convention: mdh\njoints:\n- name: j1\n  type: revolute\n" /* lines 1 to 4; its keys follow, two blanks before each          \
                                                                */
#define TWO ONE "- name: j2\n  type: prismatic\n"

/* ---- conventions ---- */

static void a_whole_robot_is_read(void **state)
{
    (void)state;
    arne_description *d =
        accepts("name: kuka\nsource: [paper, 'table: 1']\ngravity: [0, 0, 9.81*-1]\nconvention: dh\njoints:\n"
                "  - name: j1\n"
                "    type: revolute\n"
                "    a: 0.5\n    alpha: pi/2\n    d: 0.1\n    theta: -pi/2\n"
                "    limits: {lower: -2.9, upper: 2.9, velocity: 2.0, acceleration: 10, effort: 176}\n"
                "    link:\n      mass: 2.7\n      com: [0.1, 0.2, 0.3]\n"
                "      inertia: {xx: 1, xy: 3.0e-6, xz: 1e-6, yy: 2, yz: 0.5, zz: 3, about: com}\n"
                "    motor: {inertia: 3.2, gear: -100, viscous: 1, coulomb: 2, effort: 200, speed: 10}\n"
                "    friction: {viscous: 1, coulomb: 2, static: 3, stribeck_velocity: 0.2, stribeck_exponent: 1}\n"
                "    elastic: {stiffness: 1000, damping: 4}\n"
                "  - {name: tool, type: fixed, d: 1}\n");
    const arne_joint_description *j = &d->joints[0];
    assert_string_equal(d->name, "kuka");
    assert_string_equal(d->source, "paper; table: 1");
    assert_true(d->gravity[2] == -9.81 && !d->mdh);
    assert_int_equal(d->nlink, 3);
    assert_string_equal(d->links[0].name, "base");
    assert_string_equal(j->parent, "base");
    assert_string_equal(j->child, "j1");
    assert_int_equal(j->line, 6);
    assert_string_equal(d->joints[1].parent, "j1");
    assert_int_equal(d->joints[1].type, ARNE_FIXED);
    /* standard DH: Rz(-90) then Rx(90); a lies along the turned x, which is -y */
    const double R[9] = {0, 0, -1, -1, 0, 0, 0, 1, 0}, p[3] = {0, -0.5, 0.1};
    for (int i = 0; i < 9; i++) assert_true(j->after.R[i] == R[i]);
    for (int i = 0; i < 3; i++) assert_true(j->after.p[i] == p[i] && j->before.p[i] == 0);
    assert_true(j->axis[2] == 1 && j->before.R[0] == 1);
    assert_true(j->limits.lower == -2.9 && j->limits.upper == 2.9 && j->limits.velocity == 2 && j->limits.acceleration == 10);
    assert_true(j->limits.effort == 176 && j->motor.inertia == 3.2 && j->motor.gear == -100 && j->motor.viscous == 1);
    assert_true(j->motor.coulomb == 2 && j->motor.effort == 200 && j->motor.speed == 10);
    assert_true(j->friction.viscous == 1 && j->friction.coulomb == 2 && j->friction.static_ == 3);
    assert_true(j->friction.stribeck_velocity == 0.2 && j->friction.stribeck_exponent == 1);
    assert_true(j->elastic.stiffness == 1000 && j->elastic.damping == 4);
    const arne_body *b = &d->links[1].body;
    const double inertia[6] = {1, 3.0e-6, 1e-6, 2, 0.5, 3};
    assert_true(b->mass == 2.7 && b->com[2] == 0.3);
    for (int i = 0; i < 6; i++) assert_true(b->inertia[i] == inertia[i]);
    arne_description_free(d);
}

static void mdh_keeps_its_six_numbers(void **state)
{
    (void)state;
    arne_description *d = accepts(ONE "  a: 2\n  alpha: pi/2\n  d: 3\n  theta: pi/2\n  gamma: Pi/2\n  b: 1\n");
    const double dh[6] = {PI / 2, 1, PI / 2, 2, PI / 2, 3}, R[9] = {0, 0, 1, 0, -1, 0, 1, 0, 0}, p[3] = {3, 2, 1};
    const arne_joint_description *j = &d->joints[0];
    assert_true(d->mdh);
    assert_string_equal(d->name, "robot");
    for (int i = 0; i < 6; i++) assert_true(j->dh[i] == dh[i]);
    for (int i = 0; i < 9; i++) assert_true(j->before.R[i] == R[i]);
    for (int i = 0; i < 3; i++) assert_true(j->before.p[i] == p[i]);
    arne_description_free(d);
}

static void urdf_convention_has_origin_and_axis(void **state)
{
    (void)state;
    arne_description *d = accepts("convention: urdf\nbase: world\nbase_link: {mass: 5}\njoints:\n"
                                  "- {name: j1, type: prismatic, origin: {xyz: [1, 2, 3], rpy: [0, 0, pi/2]}, axis: [0, 0, -1]}\n"
                                  "- {name: j2, type: revolute, parent: base, link: {name: hand}}\n"
                                  "- {name: j3, type: revolute, parent: j2}\n- {name: j4, type: fixed, parent: world}\n");
    const arne_joint_description *j = d->joints;
    assert_string_equal(d->links[0].name, "world");
    assert_true(d->links[0].body.mass == 5 && !d->mdh);
    assert_true(j[0].before.R[1] == -1 && j[0].before.p[2] == 3 && j[0].axis[2] == -1 && j[1].axis[0] == 1);
    assert_string_equal(j[1].parent, "world");
    assert_string_equal(j[1].child, "hand");
    assert_string_equal(j[2].parent, "hand");
    assert_string_equal(j[3].parent, "world");
    arne_description_free(d);
}

/* A point mass of 2 kg at (1,2,3): J = 2 (c'c E - c c'), so nothing is left about its centre. */
static void inertia_about_the_frame_is_moved(void **state)
{
    (void)state;
    arne_description *d = accepts(ONE "  link: {mass: 2, com: [1, 2, 3], inertia: {about: frame, xx: 26.5, yy: 20, zz: 10, "
                                      "xy: -4, xz: -6, yz: -12}}\n");
    const double expected[6] = {0.5, 0, 0, 0, 0, 0};
    for (int i = 0; i < 6; i++) assert_true(fabs(d->links[1].body.inertia[i] - expected[i]) <= TOLERANCE);
    arne_description_free(d);
}

static void symbols_of_the_caller_win(void **state)
{
    (void)state;
    const arne_symbol symbols[] = {{"D3", 2}};
    const arne_read_options options = {sizeof options, symbols, 1, 0};
    arne_description *d;
    arne_error e;
    temp_folder t = temp_open();
    const char *path = temp_write(&t, "r.yaml", ONE "  a: D3\n  d: E\nsymbols: {D3: 0.45, E: 2*D3}\n");
    assert_int_equal(arne__yaml_read(path, NULL, &d, &e), ARNE_OK);
    assert_true(d->joints[0].dh[3] == 0.45 && d->joints[0].dh[5] == 0.9);
    arne_description_free(d);
    assert_int_equal(arne__yaml_read(path, &options, &d, &e), ARNE_OK);
    assert_true(d->joints[0].dh[3] == 2 && d->joints[0].dh[5] == 4);
    arne_description_free(d);
    temp_close(&t);
}

static void friction_points_and_transmission(void **state)
{
    (void)state;
    arne_description *d = accepts(TWO "  friction: {points: [[0, 1], [0.5, 0.2], [2, 3]]}\n- {name: f, type: fixed}\n"
                                      "transmission: [[1, 0], [1, 0.001]]\n");
    const arne_friction *f = &d->joints[1].friction;
    assert_int_equal(f->npoint, 3);
    assert_true(f->points[0][1] == 1 && f->points[2][0] == 2 && f->points[2][1] == 3);
    assert_int_equal(d->ntransmission, 2);
    assert_true(d->transmission[2] == 1 && d->transmission[3] == 0.001);
    arne_description_free(d);
}

static void anchors_may_share_a_motor(void **state)
{
    (void)state;
    arne_description *d = accepts(ONE "  motor: &m {inertia: 1, gear: 50}\n- {name: j2, type: revolute, motor: *m}\n");
    assert_true(d->joints[1].motor.gear == 50);
    arne_description_free(d);
}

static void urdf_robot_gets_motors(void **state)
{
    (void)state;
    arne_description *d = accepts("urdf: other.urdf\nname: new\ngravity: [0, 0, 0]\njoints:\n"
                                  "- {name: elbow, motor: {gear: 3}, limits: {lower: -2}, elastic: {stiffness: 5}}\n"
                                  "- {name: shoulder, limits: {acceleration: 9}, friction: {coulomb: 2}}\n");
    const arne_joint_description *shoulder = &d->joints[0], *elbow = &d->joints[1];
    assert_string_equal(d->name, "new");
    assert_true(d->gravity[2] == 0 && elbow->motor.gear == 3 && elbow->elastic.stiffness == 5);
    assert_true(elbow->limits.lower == -2 && elbow->limits.upper == INFINITY && !elbow->continuous);
    assert_true(shoulder->limits.lower == -1 && shoulder->limits.effort == 5 && shoulder->limits.acceleration == 9);
    assert_true(shoulder->friction.viscous == 0.5 && shoulder->friction.coulomb == 2);
    assert_string_equal(shoulder->parent, "a");
    arne_description_free(d);
}

static void a_fixed_joint_warns_of_its_motor(void **state)
{
    (void)state;
    arne_description *d = accepts(ONE "- name: grip\n  type: fixed\n  motor: {gear: 2}\n");
    assert_int_equal(d->nwarning, 1);
    assert_non_null(strstr(d->warnings[0], "robot.yaml:7: joint 'grip' is fixed: its motor"));
    arne_description_free(d);
}

/* ---- refusals ---- */

#define BAD_STATUS(sentence, status, line, culprit, text)                                                                        \
    static void sentence(void **state)                                                                                           \
    {                                                                                                                            \
        (void)state;                                                                                                             \
        refuses(text, status, line, culprit);                                                                                    \
    }
#define BAD(sentence, line, culprit, text) BAD_STATUS(sentence, ARNE_BAD_VALUE, line, culprit, text)

BAD(key_misspelt, 5, "joint 'j1': unknown key 'limit'; did you mean 'limits'?", ONE "  limit: {lower: 1}\n")
BAD(key_misspelt_inside, 6, "joint 'j1': link: unknown key 'mas'; did you mean 'mass'?", ONE "  link:\n    mas: 1\n")
BAD(key_unknown, 1,
    "unknown key 'wheels'; known keys: name, source, gravity, convention, joints, urdf, base, base_link, transmission, tool, "
    "floating, symbols",
    "wheels: 4\n")
BAD(key_twice, 6, "joint 'j1': key 'a' is given twice", ONE "  a: 1\n  a: 2\n")
BAD(key_twice_at_the_top, 5, "key 'convention' is given twice", ONE "convention: dh\n")
BAD(key_no_word, 5, "joint 'j1': a key must be a word", ONE "  [1, 2]: 3\n")
BAD(no_convention, 5, "joint 'j1': key 'a' needs `convention: dh` or `convention: mdh` at the top",
    "name: x\njoints:\n- name: j1\n  type: revolute\n  a: 1\n")
BAD(unknown_convention, 1, "unknown convention 'craig'; dh, mdh or urdf is expected", "convention: craig\njoints: []\n")
BAD(gamma_in_dh, 2, "joint 'j': key 'gamma' does not belong to convention dh",
    "convention: dh\njoints: [{name: j, type: revolute, gamma: 1}]\n")
BAD(axis_in_mdh, 5, "joint 'j1': key 'axis' does not belong to convention mdh", ONE "  axis: [0, 0, 1]\n")
BAD(alpha_in_urdf, 2, "joint 'j': key 'alpha' does not belong to convention urdf, which has origin and axis",
    "convention: urdf\njoints: [{name: j, type: revolute, alpha: 1}]\n")
BAD(zero_axis, 2, "joint 'j': the axis has length 0; give a unit vector",
    "convention: urdf\njoints: [{name: j, type: revolute, axis: [0, 0, 0]}]\n")
BAD(no_joints, 1, "the file has no joints: give `joints:`, or `urdf: FILE`", "name: x\n")
BAD(joints_no_list, 1, "joints: a list [..., ...] is expected", "joints: 3\n")
BAD(joint_no_mapping, 2, "joint 1: keys and values are expected, like name: j1", "joints:\n- j1\n")
BAD(joint_without_name, 3, "joint 2: has no name", "joints:\n- {name: a, type: fixed}\n- {type: fixed}\n")
BAD(joint_without_type, 2,
    "joint 'a': has no type; revolute, prismatic, fixed, free, spherical, planar, universal or cylindrical is expected",
    "joints:\n- {name: a}\n")
BAD(unknown_type, 2,
    "joint 'a': unknown type 'ball'; revolute, prismatic, fixed, free, spherical, planar, universal or cylindrical is expected",
    "joints:\n- {name: a, type: ball}\n")
BAD(unknown_parent, 7, "joint 'j2': its parent 'jl' is no joint of this file; did you mean 'j1'?", TWO "  parent: jl\n")
BAD(own_parent, 7, "joint 'j2': is its own parent", TWO "  parent: j2\n")
BAD(number_is_a_word, 5, "joint 'j1': a: 'long' is not a number: unknown symbol 'long'", ONE "  a: long\n")
BAD(number_with_garbage, 5, "joint 'j1': a: '1.2abc' is not a number: unexpected 'abc'", ONE "  a: 1.2abc\n")
BAD(number_nan, 5, "joint 'j1': a: '.nan' is not a number: a number is expected at '.nan'", ONE "  a: .nan\n")
BAD(number_infinite, 5, "joint 'j1': a: '.inf' is not a number: a number is expected at '.inf'", ONE "  a: .inf\n")
BAD(number_missing, 5, "joint 'j1': a: '' is not a number: it is empty", ONE "  a:\n")
BAD(number_is_a_list, 5, "joint 'j1': a: a number is expected", ONE "  a: [1]\n")
BAD(number_huge, 5, "joint 'j1': a: -1.1e30 is too large", ONE "  a: -1.1e30\n")
BAD(division_by_zero, 5, "joint 'j1': a: '1/0' is not a number: division by zero", ONE "  a: 1/0\n")
BAD(com_of_two, 5, "joint 'j1': com: needs 3 numbers, has 2", ONE "  link: {com: [1, 2]}\n")
BAD(about_unknown, 5, "joint 'j1': inertia: about: 'middle' is unknown; com or frame is expected",
    ONE "  link: {inertia: {about: middle}}\n")
BAD(gravity_a_number, 1, "gravity: a list [..., ...] is expected", "gravity: 9.81\njoints: []\n")
BAD(limits_crossed, 5, "joint 'j1': limits: lower limit 2 is above upper limit 1", ONE "  limits: {lower: 2, upper: 1}\n")
BAD(limit_negative, 5, "joint 'j1': velocity: must not be negative, but is -1", ONE "  limits: {velocity: -1}\n")
BAD(acceleration_zero, 5, "joint 'j1': acceleration: must be greater than 0, not 0", ONE "  limits: {acceleration: 0}\n")
BAD(gear_zero, 5, "joint 'j1': gear: must not be 0; without a gear it is 1", ONE "  motor: {gear: 0}\n")
BAD(rotor_negative, 5, "joint 'j1': inertia: must not be negative, but is -1", ONE "  motor: {inertia: -1}\n")
BAD(motor_speed_zero, 5, "joint 'j1': speed: must be greater than 0, not 0", ONE "  motor: {speed: 0}\n")
BAD(friction_negative, 5, "joint 'j1': coulomb: must not be negative, but is -1", ONE "  friction: {coulomb: -1}\n")
BAD(stribeck_zero, 5, "joint 'j1': stribeck_velocity: must be greater than 0, not 0", ONE "  friction: {stribeck_velocity: 0}\n")
BAD(stiffness_negative, 5, "joint 'j1': stiffness: must not be negative, but is -1", ONE "  elastic: {stiffness: -1}\n")
BAD(points_late, 5, "joint 'j1': points: the first velocity must be 0, not 1", ONE "  friction: {points: [[1, 1], [2, 1]]}\n")
BAD(points_back, 5, "joint 'j1': points: velocities must increase, but 2 follows 3",
    ONE "  friction: {points: [[0, 1], [3, 4], [2, 5]]}\n")
BAD(points_below, 5, "joint 'j1': points: a torque must not be negative, but is -1",
    ONE "  friction: {points: [[0, 1], [1, -1]]}\n")
BAD(points_short, 5, "joint 'j1': points: at least two points [velocity, torque] are needed",
    ONE "  friction: {points: [[0, 1]]}\n")
BAD(transmission_small, 7, "transmission: needs one row for each of the 2 joints of one freedom, has 1",
    TWO "transmission: [[1]]\n")
BAD(transmission_ragged, 9, "transmission: row 2 needs 2 numbers, has 1", TWO "transmission:\n- [1, 0]\n- [1]\n")
BAD(transmission_singular, 7, "transmission: the matrix is singular", TWO "transmission: [[1, 2], [2, 4]]\n")
BAD(symbol_unfit, 1, "symbols: 'a-b' cannot be a symbol; use letters, digits and _", "symbols: {a-b: 1}\njoints: []\n")
BAD(symbol_twice, 1, "symbols: symbol 'a' is given twice", "symbols: {a: 1, a: 2}\njoints: []\n")
BAD(name_with_line_break, 2, "joint 1: name: the text has a line break or control character in it",
    "joints:\n- {name: \"a\\nb\", type: fixed}\n")
BAD(name_with_zero, 2, "joint 1: name: a text is expected", "joints:\n- {name: \"a\\0b\", type: fixed}\n")
BAD(top_is_a_list, 1, "keys and values are expected, like {name: ...}", "- 1\n")
BAD(self_reference, 3, "joint 'a': a: a number is expected", "convention: dh\njoints:\n- &x {name: a, type: fixed, a: *x}\n")
BAD(list_of_itself, 1, "joint 1: keys and values are expected, like name: j1", "joints: &x [*x]\n")
BAD_STATUS(urdf_missing, ARNE_NO_FILE, 2, ".../nowhere.urdf': cannot open the file: No such file or directory",
           "name: x\nurdf: nowhere.urdf\n")
BAD(urdf_bad, 2, "a link: <link> has no name", "urdf: bad.urdf\n")
BAD(urdf_joint_unknown, 2, "joint 'elbo': the URDF file has no such joint; did you mean 'elbow'?",
    "urdf: other.urdf\njoints: [{name: elbo}]\n")
BAD(urdf_joint_twice, 4, "joint 'elbow': is given twice", "urdf: other.urdf\njoints:\n- name: elbow\n- name: elbow\n")
BAD(urdf_joint_moved, 2,
    "joint 'elbow': key 'parent' is the URDF file's to say; limits, motor, friction, elastic and mimic can be added",
    "urdf: other.urdf\njoints: [{name: elbow, parent: x}]\n")
BAD(urdf_and_convention, 2, "key 'convention' is the URDF file's to say; leave it out", "urdf: other.urdf\nconvention: dh\n")
BAD_STATUS(not_yaml, ARNE_BAD_SYNTAX, 3, "not well-formed YAML: ...", "name: x\njoints: [\n")
BAD_STATUS(tab_indent, ARNE_BAD_SYNTAX, 2, "not well-formed YAML: ...", "joints:\n\t- a\n")
BAD_STATUS(undefined_alias, ARNE_BAD_SYNTAX, 1, "not well-formed YAML: ...", "joints: *x\n")
BAD_STATUS(two_documents, ARNE_BAD_SYNTAX, 4, "a second document begins here; keep one in a file",
           "name: x\njoints: []\n---\nname: y\n")
BAD_STATUS(only_comments, ARNE_BAD_SYNTAX, 0, "the file is empty but for comments", "# nothing\n")
BAD_STATUS(empty_file, ARNE_BAD_SYNTAX, 0, "the file is empty", "")

#define URDF "convention: urdf\njoints:\n- name: j\n  type: "
BAD(axis2_of_a_revolute, 5, "joint 'j': key 'axis2' is for universal joints", URDF "revolute\n  axis2: [0, 0, 1]\n")
BAD(freedom_of_another, 5, "joint 'j': key 'slide' is a freedom of another type of joint", URDF "universal\n  slide: {}\n")
BAD(freedom_of_none, 5, "joint 'j': key 'second' is a freedom of another type of joint", URDF "revolute\n  second: {}\n")
BAD(drive_of_a_plane, 5, "joint 'j': key 'motor' belongs to one freedom: a planar joint has it under x, y, angle",
    URDF "planar\n  motor: {}\n")
BAD(drive_of_a_cylinder, 5, "joint 'j': key 'limits' belongs to one freedom: a cylindrical joint has it under angle, slide",
    URDF "cylindrical\n  limits: {}\n")
BAD(axis_of_a_ball, 5, "joint 'j': key 'axis' is for joints that turn about it or slide along it",
    URDF "spherical\n  axis: [0, 0, 1]\n")
BAD(spring_of_a_body, 5, "joint 'j': key 'elastic' is for joints of one freedom, this one has several",
    URDF "free\n  elastic: {}\n")
BAD(ball_by_dh, 2, "joint 'j': has several freedoms: in convention dh it has no a, alpha, d, theta",
    "convention: dh\njoints: [{name: j, type: spherical, alpha: 1}]\n")
BAD(universal_by_mdh, 2, "joint 'j': a universal joint needs two axes: `convention: urdf`, or write two revolute joints",
    "convention: mdh\njoints: [{name: j, type: universal}]\n")
BAD(second_axis_zero, 5, "joint 'j': the axis2 has length 0; give a unit vector", URDF "universal\n  axis2: [0, 0, 0]\n")
BAD(axis_too_short, 5, "joint 'j': the axis has length 9e-07; give a unit vector", URDF "revolute\n  axis: [0, 0, 0.9e-6]\n")
BAD(axis_too_long, 5, "joint 'j': the axis has length 1.1e+06; give a unit vector", URDF "revolute\n  axis: [1.1e6, 0, 0]\n")
BAD(a_follower_of_nobody, 5, "joint 'j': mimic: which joint does it follow? {joint: NAME, multiplier: 1, offset: 0}",
    URDF "revolute\n  mimic: {offset: 2}\n")
BAD(spring_of_four, 5, "joint 'j': stiffness: give k1 or [k1, k3, k5], not 4 numbers",
    URDF "revolute\n  elastic: {stiffness: [1, 2, 3, 4]}\n")
BAD(spring_of_none, 5, "joint 'j': stiffness: give k1 or [k1, k3, k5], not 0 numbers",
    URDF "revolute\n  elastic: {stiffness: []}\n")
BAD(curve_from_nothing, 5, "joint 'j': curve: the torque at speed 0 must be above 0",
    URDF "revolute\n  motor: {curve: [[0, 0], [1, 2]]}\n")
BAD(no_truth, 1, "floating: true or false is expected, not 'maybe'", "floating: maybe\njoints: []\n")
BAD(parent_of_another_world, 7, "joint 'j2': its parent 'zzzzzz' is no joint of this file; did you mean 'base'?",
    TWO "  parent: zzzzzz\n")
BAD(urdf_joint_of_another_world, 2, "joint 'zzzzzzzz': the URDF file has no such joint",
    "urdf: other.urdf\njoints: [{name: zzzzzzzz}]\n")
BAD_STATUS(unclosed_quote, ARNE_BAD_SYNTAX, 2, "not well-formed YAML: ...", "name: \"x\n")

static void rounded_axes_and_large_numbers_are_taken(void **state)
{
    (void)state;
    arne_description *d = accepts(URDF "revolute\n  axis: [0, -1.1e-6, 0]\n- {name: k, type: revolute, axis: [0, 0, 0.9e6],"
                                       " origin: {xyz: [1e30, -1e30, 0]}}\n");
    assert_true(d->joints[0].axis[1] == -1.1e-6 && d->joints[1].axis[2] == 0.9e6);
    assert_true(d->joints[1].before.p[0] == 1e30 && d->joints[1].before.p[1] == -1e30);
    arne_description_free(d);
}

static void a_base_floats_if_a_file_says_so(void **state)
{
    (void)state;
    static const char *const words[] = {"true", "yes", "on", "false", "no", "off"};
    for (int i = 0; i < 6; i++) {
        char text[200];
        snprintf(text, sizeof text, ONE "floating: %s\n", words[i]);
        arne_description *d = accepts(text);
        assert_int_equal(d->njoint, i < 3 ? 2 : 1);
        if (i < 3) assert_int_equal(d->joints[1].type, ARNE_FREE);
        arne_description_free(d);
    }
}

/* What each freedom of a row says is its own; the others are as they are made. */
static void freedoms_of_rows_have_drives(void **state)
{
    (void)state;
    arne_description *d =
        accepts(URDF "planar\n  axis: [0, 1, 0]\n  link: {mass: 7}\n  y: {motor: {gear: 3}, limits: {upper: 2}}\n"
                     "  angle: {friction: {coulomb: 4}, mimic: {joint: j.x, multiplier: -2, offset: 5}}\n");
    assert_int_equal(d->njoint, 3);
    const arne_joint_description *x = &d->joints[0], *y = &d->joints[1], *a = &d->joints[2];
    assert_true(x->motor.gear == 1 && x->limits.upper == INFINITY && x->friction.coulomb == 0 && !x->master);
    assert_true(y->motor.gear == 3 && y->limits.upper == 2 && y->friction.coulomb == 0 && !y->master);
    assert_true(a->motor.gear == 1 && a->limits.upper == INFINITY && a->friction.coulomb == 4);
    assert_string_equal(a->master, "j.x");
    assert_true(a->ratio == -2 && a->offset == 5 && a->axis[1] == 1);
    assert_true(d->links[1].body.mass == 7);
    assert_string_equal(d->links[1].name, "j");
    arne_description_free(d);
}

static void a_fixed_joint_warns_of_all_that_drives(void **state)
{
    (void)state;
    static const char *const keys[] = {"limits", "motor", "friction", "elastic", "mimic"};
    arne_description *d = accepts(ONE "- name: grip\n  type: fixed\n  mimic: {joint: j1}\n  elastic: {stiffness: 1}\n"
                                      "  friction: {coulomb: 1}\n  motor: {gear: 2}\n  limits: {upper: 1}\n");
    assert_int_equal(d->nwarning, 5);
    for (int i = 0; i < 5; i++) {
        char words[100];
        snprintf(words, sizeof words, "...robot.yaml:%d: joint 'grip' is fixed: its %s is not used", 11 - i, keys[i]);
        if (!says(d->warnings[i], words)) fail_msg("%s", d->warnings[i]);
    }
    assert_null(d->joints[1].master);
    arne_description_free(d);
}

/* on both sides of each bound: what is within fails later, for another reason */
static void files_have_bounds(void **state)
{
    (void)state;
    enum { SIZE = (4 << 20) + 2 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    for (size_t depth = 64; depth <= 65; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        text[2 * depth] = 0;
        refuses(text, depth > 64 ? ARNE_BAD_SYNTAX : ARNE_BAD_VALUE, 1,
                depth > 64 ? "the YAML is nested too deeply" : "keys and values are expected, like {name: ...}");
    }
    for (int count = 1000; count <= 1001; count++) {
        size_t used = (size_t)sprintf(text, "joints: 3\nsymbols:\n");
        for (int i = 0; i < count; i++) used += (size_t)sprintf(text + used, " s%d: %d\n", i, i);
        refuses(text, ARNE_BAD_VALUE, count > 1000 ? 3 : 1,
                count > 1000 ? "symbols: more than 1000 symbols" : "joints: a list [..., ...] is expected");
    }
    for (int count = 10000; count <= 10001; count++) {
        size_t used = (size_t)sprintf(text, "joints: [");
        for (int i = 0; i < count; i++) used += (size_t)sprintf(text + used, "%s", i ? ",a" : "a");
        sprintf(text + used, "]\n");
        refuses(text, ARNE_BAD_VALUE, 1,
                count > 10000 ? "joints: more than 10000 joints" : "joint 1: keys and values are expected, like name: j1");
    }
    memset(text, '#', SIZE - 1);
    text[SIZE - 1] = 0;
    refuses(text, ARNE_BAD_SYNTAX, 0, "the file is larger than 4 MB");
    free(text);
}

static void a_urdf_file_may_be_anywhere(void **state)
{
    (void)state;
    temp_folder t = temp_open(), other = temp_open();
    char text[400];
    arne_description *d;
    arne_error e;
    snprintf(text, sizeof text, "urdf: %s\nbase_link: {mass: 1}\n", temp_write(&other, "arm.urdf", OTHER_URDF));
    assert_int_equal(arne__yaml_read(temp_write(&t, "a.yaml", text), NULL, &d, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "key 'base_link' is the URDF file's to say; leave it out");
    assert_int_equal(e.line, 2);
    *strchr(text, '\n') = 0;
    if (arne__yaml_read(temp_write(&t, "b.yaml", text), NULL, &d, &e)) fail_msg("%s", e.message);
    assert_string_equal(d->name, "arm"); /* as the file has it */
    assert_int_equal(d->njoint, 2);
    arne_description_free(d);
    temp_close(&t);
    temp_close(&other);
}

/* Aliases of aliases: 2000 joints share 2000 points each. */
static void aliases_cannot_multiply(void **state)
{
    (void)state;
    static char text[200000];
    size_t used = (size_t)snprintf(text, sizeof text, "joints:\n- {name: a, type: fixed, friction: &f {points: [");
    for (int i = 0; i < 2000; i++) used += (size_t)snprintf(text + used, sizeof text - used, "[%d,1],", i);
    used += (size_t)snprintf(text + used, sizeof text - used, "]}}\n");
    for (int i = 0; i < 2000; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "- {name: j%d, type: fixed, friction: *f}\n", i);
    refuses(text, ARNE_BAD_VALUE, 2, "...: points: the file holds too many values");
}

/* libyaml would take minutes for a megabyte of either. */
static void deep_nesting_and_many_anchors(void **state)
{
    (void)state;
    static char text[1000001];
    memset(text, '[', sizeof text - 1);
    refuses(text, ARNE_BAD_SYNTAX, 1, "the YAML is nested too deeply");
    size_t used = (size_t)snprintf(text, sizeof text, "joints:\n");
    for (int i = 0; i < 50000; i++) used += (size_t)snprintf(text + used, sizeof text - used, "- &a%d x\n", i);
    refuses(text, ARNE_BAD_SYNTAX, 1002, "more than 1000 anchors");
}

#define T(name) cmocka_unit_test(name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_whole_robot_is_read),
        T(mdh_keeps_its_six_numbers),
        T(urdf_convention_has_origin_and_axis),
        T(inertia_about_the_frame_is_moved),
        T(symbols_of_the_caller_win),
        T(friction_points_and_transmission),
        T(anchors_may_share_a_motor),
        T(urdf_robot_gets_motors),
        T(a_fixed_joint_warns_of_its_motor),
        T(key_misspelt),
        T(key_misspelt_inside),
        T(key_unknown),
        T(key_twice),
        T(key_twice_at_the_top),
        T(key_no_word),
        T(no_convention),
        T(unknown_convention),
        T(gamma_in_dh),
        T(axis_in_mdh),
        T(alpha_in_urdf),
        T(zero_axis),
        T(no_joints),
        T(joints_no_list),
        T(joint_no_mapping),
        T(joint_without_name),
        T(joint_without_type),
        T(unknown_type),
        T(unknown_parent),
        T(own_parent),
        T(number_is_a_word),
        T(number_with_garbage),
        T(number_nan),
        T(number_infinite),
        T(number_missing),
        T(number_is_a_list),
        T(number_huge),
        T(division_by_zero),
        T(com_of_two),
        T(about_unknown),
        T(gravity_a_number),
        T(limits_crossed),
        T(limit_negative),
        T(acceleration_zero),
        T(gear_zero),
        T(rotor_negative),
        T(motor_speed_zero),
        T(friction_negative),
        T(stribeck_zero),
        T(stiffness_negative),
        T(points_late),
        T(points_back),
        T(points_below),
        T(points_short),
        T(transmission_small),
        T(transmission_ragged),
        T(transmission_singular),
        T(symbol_unfit),
        T(symbol_twice),
        T(name_with_line_break),
        T(name_with_zero),
        T(axis2_of_a_revolute),
        T(freedom_of_another),
        T(freedom_of_none),
        T(drive_of_a_plane),
        T(drive_of_a_cylinder),
        T(axis_of_a_ball),
        T(spring_of_a_body),
        T(ball_by_dh),
        T(universal_by_mdh),
        T(second_axis_zero),
        T(axis_too_short),
        T(axis_too_long),
        T(a_follower_of_nobody),
        T(spring_of_four),
        T(spring_of_none),
        T(curve_from_nothing),
        T(no_truth),
        T(parent_of_another_world),
        T(urdf_joint_of_another_world),
        T(unclosed_quote),
        T(rounded_axes_and_large_numbers_are_taken),
        T(a_base_floats_if_a_file_says_so),
        T(freedoms_of_rows_have_drives),
        T(a_fixed_joint_warns_of_all_that_drives),
        T(files_have_bounds),
        T(a_urdf_file_may_be_anywhere),
        T(top_is_a_list),
        T(self_reference),
        T(list_of_itself),
        T(urdf_missing),
        T(urdf_bad),
        T(urdf_joint_unknown),
        T(urdf_joint_twice),
        T(urdf_joint_moved),
        T(urdf_and_convention),
        T(not_yaml),
        T(tab_indent),
        T(undefined_alias),
        T(two_documents),
        T(only_comments),
        T(empty_file),
        T(aliases_cannot_multiply),
        T(deep_nesting_and_many_anchors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
