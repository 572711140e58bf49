/* SPDX-License-Identifier: MIT
 *
 * write_test.c - tests of src/file/write*.c: what is written reads back the same, and what is lost is said. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "describe/body.h"
#include "describe/pose.h"
#include "describe/tree.h"
#include "file/write.h"

/* Numbers are written exactly; only angles are computed, with a few roundings. */
static const double TOLERANCE = 1e-14;
/* .par frames: sums of products of numbers up to ten. */
static const double FRAME_TOLERANCE = 1e-12;
static const double PI = 3.14159265358979323846;

static char folder[64], path[128];

/* ---- robots ---- */

static uint64_t seed;

/* Uniform in (-1, 1). */
static double any(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)seed / 9223372036854775808.0;
}

static int below(int n) { return (int)fmin(n - 1, floor((any() + 1) / 2 * n)); }

static double positive(void) { return 0.01 + fabs(any()); }

/* Multiples of a quarter turn come as often as others. */
static double angle(void) { return below(2) ? PI / 2 * (below(5) - 2) : PI * any(); }

static arne_pose any_pose(void)
{
    double xyz[3] = {any(), any(), any()}, rpy[3] = {angle(), angle(), angle()};
    if (below(3) == 0) return arne__pose_identity();
    return arne_pose_rpy(xyz, rpy);
}

static void any_body(arne_body *b)
{
    b->mass = positive();
    for (int k = 0; k < 3; k++) b->com[k] = any();
    for (int k = 0; k < 6; k++) b->inertia[k] = k == 0 || k == 3 || k == 5 ? 1 + positive() : 0.1 * any();
}

/* All that YAML can say and URDF cannot. */
static void enrich(arne_description *d)
{
    size_t moving = 0;
    for (size_t i = 0; i < d->njoint; i++) {
        arne_joint_description *j = &d->joints[i];
        if (j->type == ARNE_FIXED) continue;
        moving++;
        if (below(2)) j->limits.acceleration = positive();
        if (below(2)) j->limits.jerk = positive(), j->limits.effort_rate = positive();
        if (below(2)) j->motor = (arne_motor){positive(), 100 * any(), positive(), positive(), positive(), positive(), 0, NULL};
        if (below(2)) j->friction.static_ = positive(), j->friction.stribeck_velocity = positive();
        if (below(2)) j->elastic = (arne_elastic){1000 * positive(), positive(), below(2) * positive(), below(2) * positive()};
        if (below(2)) continue;
        j->friction.npoint = 3;
        j->friction.points = calloc(3, sizeof *j->friction.points);
        assert_non_null(j->friction.points);
        for (int k = 0; k < 3; k++) j->friction.points[k][0] = k * 0.1, j->friction.points[k][1] = positive();
    }
    for (int k = 0; k < 3; k++) d->gravity[k] = 10 * any();
    d->source = strdup("a \"table\": [1, 2] # no comment -- \\ 'and' more");
    if (moving == 0) return;
    d->ntransmission = moving;
    d->transmission = calloc(moving * moving, sizeof *d->transmission);
    assert_non_null(d->transmission);
    for (size_t k = 0; k < moving * moving; k++) d->transmission[k] = (k % (moving + 1) == 0) + 0.1 * any();
}

static const char *const odd[] = {"a<b>&c", "it's \"it\"", "null",           "12",    "a: b", "# x",
                                  "{y}",    "- z",         "K\xC3\xB6per 1", "\\n\\", " pad", "-"};

/* A random tree. `mdh`: by modified DH; `behind`: with transforms behind the motion. */
static arne_description *any_robot(uint64_t number, bool mdh, bool behind)
{
    static const arne_joint_type types[] = {ARNE_REVOLUTE, ARNE_PRISMATIC, ARNE_FIXED, ARNE_REVOLUTE};
    seed = number * 7919 + 1;
    for (int k = 0; k < 9; k++) any();
    arne_description *d = arne_description_new(odd[number % 12]);
    assert_non_null(d);
    d->mdh = mdh;
    int n = 1 + below(8);
    any_body(&arne_description_link(d, below(2) ? "base" : "the base: &", 0)->body);
    for (int i = 0; i < n; i++) {
        char name[32], link[64];
        snprintf(name, sizeof name, "%s%d", odd[below(12)], i);
        snprintf(link, sizeof link, "%s%d", below(2) ? name : odd[below(12)], i + (below(2) ? 100 : 0));
        if (below(2)) snprintf(link, sizeof link, "%s", name);
        for (size_t k = 0; k < d->nlink; k++)
            if (strcmp(d->links[k].name, link) == 0) snprintf(link, sizeof link, "other %d", i);
        const char *parent = d->links[below((int)d->nlink)].name;
        arne_joint_description *j = arne_description_joint(d, name, 0, types[below(4)], parent, link);
        assert_non_null(j);
        if (i == 0 || i == n - 1) j->type = number % 2 ? ARNE_PRISMATIC : ARNE_REVOLUTE;
        if (mdh) {
            memcpy(j->dh, (double[6]){angle(), any(), angle(), any(), angle(), any()}, sizeof j->dh);
            j->before = arne_pose_mdh(j->dh);
        } else {
            double a[3] = {any(), any(), any()}, length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
            for (int k = 0; k < 3 && below(3); k++) j->axis[k] = a[k] / length;
            arne__unit_axis(j, j->axis);
            j->before = any_pose();
            if (behind && j->type != ARNE_FIXED && below(2)) j->after = any_pose();
        }
        if (below(2) && j->type != ARNE_FIXED)
            j->limits = (arne_limits){-positive(), positive(), positive(), INFINITY, positive(), INFINITY, INFINITY};
        if (below(4) == 0 && j->type != ARNE_FIXED) j->limits.lower = -INFINITY;
        if (below(2) && j->type != ARNE_FIXED) j->friction.viscous = positive(), j->friction.coulomb = positive();
        arne_link_description *l = arne_description_link(d, link, 0);
        assert_non_null(l);
        if (below(4)) any_body(&l->body);
    }
    return d;
}

/* ---- comparison ---- */

static void near(const char *what, double a, double b)
{
    if (a == b) return;
    if (!(fabs(a - b) <= TOLERANCE * fmax(1, fabs(b)))) fail_msg("%s: %.17g is not %.17g", what, a, b);
}

static void near_all(const char *what, size_t n, const double *a, const double *b)
{
    for (size_t i = 0; i < n; i++) near(what, a[i], b[i]);
}

static const arne_link_description *link_named(const arne_description *d, const char *name)
{
    for (size_t i = 0; i < d->nlink; i++)
        if (strcmp(d->links[i].name, name) == 0) return &d->links[i];
    fail_msg("there is no link %s", name);
    return NULL;
}

static void same_joint(const arne_joint_description *a, const arne_joint_description *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->parent, b->parent);
    assert_string_equal(a->child, b->child);
    assert_int_equal(a->type, b->type);
    near_all("before.R", 9, a->before.R, b->before.R);
    near_all("before.p", 3, a->before.p, b->before.p);
    near_all("after.R", 9, a->after.R, b->after.R);
    near_all("after.p", 3, a->after.p, b->after.p);
    if (a->type == ARNE_FIXED) return;
    near_all("axis", 3, a->axis, b->axis);
    near_all("limits", 7, (const double *)&a->limits, (const double *)&b->limits);
    near_all("motor", 6, (const double *)&a->motor, (const double *)&b->motor);
    near_all("friction", 5, (const double *)&a->friction, (const double *)&b->friction);
    near_all("elastic", 4, (const double *)&a->elastic, (const double *)&b->elastic);
    assert_int_equal(a->friction.npoint, b->friction.npoint);
    for (int k = 0; k < a->friction.npoint; k++) near_all("points", 2, a->friction.points[k], b->friction.points[k]);
}

static void same_robot(const arne_description *a, const arne_description *b)
{
    assert_string_equal(a->name, b->name);
    near_all("gravity", 3, a->gravity, b->gravity);
    assert_int_equal(a->mdh, b->mdh);
    assert_int_equal(a->nlink, b->nlink);
    assert_int_equal(a->njoint, b->njoint);
    for (size_t i = 0; i < a->nlink; i++) {
        const arne_body *p = &a->links[i].body, *q = &link_named(b, a->links[i].name)->body;
        near("mass", p->mass, q->mass);
        near_all("com", 3, p->com, q->com);
        near_all("inertia", 6, p->inertia, q->inertia);
    }
    for (size_t i = 0; i < a->njoint; i++) {
        same_joint(&a->joints[i], &b->joints[i]);
        if (a->mdh) near_all("dh", 6, a->joints[i].dh, b->joints[i].dh);
    }
    assert_int_equal(a->ntransmission, b->ntransmission);
    near_all("transmission", a->ntransmission * a->ntransmission, a->transmission, b->transmission);
}

static arne_description *there_and_back(arne_description *d, arne_format format)
{
    static const char *const ending[] = {[ARNE_URDF] = "urdf", [ARNE_YAML] = "yaml", [ARNE_PAR] = "par"};
    arne_description *back = NULL;
    arne_error error;
    snprintf(path, sizeof path, "%s/robot.%s", folder, ending[format]);
    if (arne_write(d, format, path, &error) != ARNE_OK) fail_msg("%s", error.message);
    if (arne_read(path, NULL, &back, &error) != ARNE_OK) fail_msg("%s:%d: %s", error.file, error.line, error.message);
    return back;
}

/* Pose of every link in the root and the inertia of all, for joint positions in model order. */
typedef struct {
    arne_pose link[64];
    origin_inertia total;
} posture;

static posture posture_of(const arne_description *d, const double *q)
{
    posture out = {.total = {0}};
    robot_tree *t;
    arne_error error;
    if (arne__tree_build(d, &t, &error) != ARNE_OK) fail_msg("%s", error.message);
    for (size_t k = 0; k < d->nlink; k++) {
        int link = t->link_order[k], joint = t->link_joint[link];
        arne_pose at = arne__pose_identity();
        if (joint >= 0) {
            const arne_joint_description *j = &d->joints[joint];
            arne_pose move = arne__pose_identity();
            double by = j->type == ARNE_FIXED ? 0 : q[t->link_body[link]], u[3];
            arne__unit_axis(j, u);
            if (j->type == ARNE_PRISMATIC)
                for (int i = 0; i < 3; i++) move.p[i] = by * u[i];
            if (j->type == ARNE_REVOLUTE) { /* R = c 1 + s [u] + (1-c) u u' */
                double c = cos(by), s = sin(by);
                const double turn[9] = {c, -s * u[2], s * u[1], s * u[2], c, -s * u[0], -s * u[1], s * u[0], c};
                for (int i = 0; i < 9; i++) move.R[i] = turn[i] + (1 - c) * u[i / 3] * u[i % 3];
            }
            at = arne__pose_mul(&out.link[t->joint_parent[joint]], &j->before);
            at = arne__pose_mul(&at, &move);
            at = arne__pose_mul(&at, &j->after);
        }
        out.link[link] = at;
        arne_body b;
        arne__body_transform(&at, &d->links[link].body, &b);
        origin_inertia o = arne__body_about_origin(&b);
        if (joint < 0 || t->link_body[link] < 0) continue; /* .par does not tell what the base weighs */
        out.total.m += o.m;
        for (int i = 0; i < 3; i++) out.total.h[i] += o.h[i];
        for (int i = 0; i < 6; i++) out.total.I[i] += o.I[i];
    }
    arne__tree_free(t);
    return out;
}

/* ---- tests ---- */

static void urdf_reads_back(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        arne_description *d = any_robot(i, false, false), *back = there_and_back(d, ARNE_URDF);
        same_robot(d, back);
        arne_description_free(d);
        arne_description_free(back);
    }
}

static void yaml_reads_back(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        arne_description *d = any_robot(i, i % 2, false);
        enrich(d);
        arne_description *back = there_and_back(d, ARNE_YAML);
        same_robot(d, back);
        assert_string_equal(d->source, back->source);
        assert_int_equal(d->nwarning, 0);
        arne_description_free(d);
        arne_description_free(back);
    }
}

/* ---- whole files ---- */

static void expect_file(arne_description *d, arne_format format, const char *should)
{
    static char text[8192];
    arne_error error;
    snprintf(path, sizeof path, "%s/lost.urdf", folder);
    if (arne_write(d, format, path, &error) != ARNE_OK) fail_msg("%s", error.message);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    assert_string_equal(text, should);
}

/* ARNE_OK: it is written */
static void expect_refused(arne_description *d, arne_format format, arne_status status, int line, const char *sentence)
{
    arne_error error = {0};
    snprintf(path, sizeof path, "%s/lost.urdf", folder);
    assert_int_equal(arne_write(d, format, path, &error), status);
    assert_string_equal(error.message, sentence);
    assert_int_equal(error.line, line);
}

/* a turret that slides and turns, and a hand that follows it */
static arne_description *turret(bool mdh)
{
    arne_description *d = arne_description_new("a<b> \"c\" & 'd'");
    assert_non_null(d);
    d->source = strdup("one--two");
    d->mdh = mdh;
    memcpy(d->gravity, (const double[3]){1, 2, -3.5}, sizeof d->gravity);
    arne_description_link(d, mdh ? "base" : "root", 0);
    arne_description_link(d, "arm", 0)->body = (arne_body){2, {0.1, 0.2, 0.3}, {4, 0.4, 0.5, 5, 0.6, 6}};
    arne_description_link(d, "plate", 0);
    arne_description_link(d, "hand", 0)->body = (arne_body){1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
    arne_joint_description *j = arne_description_joint(d, "slide", 0, ARNE_PRISMATIC, d->links[0].name, "arm");
    j->before.p[0] = 1, j->before.p[1] = 2, j->before.p[2] = 3;
    memcpy(j->axis, (const double[3]){0, -2, 0}, sizeof j->axis);
    j->limits = (arne_limits){-1, 2, 3, INFINITY, 4, INFINITY, INFINITY};
    j->friction.viscous = 5, j->friction.coulomb = 6;
    j = arne_description_joint(d, "bolt", 0, ARNE_FIXED, "arm", "plate");
    j->before.p[0] = 1, j->after.p[2] = 2;
    j = arne_description_joint(d, "turn", 0, ARNE_REVOLUTE, "plate", "hand");
    assert_int_equal(arne_description_follow(j, "slide", -2, 0.5), ARNE_OK);
    j->limits.effort = 7;
    return d;
}

static void a_whole_urdf_file(void **state)
{
    (void)state;
    arne_description *d = turret(false);
    expect_file(d, ARNE_URDF,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<robot name=\"a&lt;b&gt; &quot;c&quot; &amp; 'd'\">\n"
                "  <!-- one- -two -->\n"
                "  <link name=\"root\"/>\n"
                "  <link name=\"arm\">\n"
                "    <inertial>\n"
                "      <origin xyz=\"0.1 0.2 0.3\" rpy=\"0 0 0\"/>\n"
                "      <mass value=\"2\"/>\n"
                "      <inertia ixx=\"4\" ixy=\"0.4\" ixz=\"0.5\" iyy=\"5\" iyz=\"0.6\" izz=\"6\"/>\n"
                "    </inertial>\n"
                "  </link>\n"
                "  <link name=\"plate\"/>\n"
                "  <link name=\"hand\">\n"
                "    <inertial>\n"
                "      <mass value=\"1\"/>\n"
                "      <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>\n"
                "    </inertial>\n"
                "  </link>\n"
                "  <joint name=\"slide\" type=\"prismatic\">\n"
                "    <parent link=\"root\"/>\n"
                "    <child link=\"arm\"/>\n"
                "    <origin xyz=\"1 2 3\" rpy=\"0 0 0\"/>\n"
                "    <axis xyz=\"0 -1 0\"/>\n"
                "    <limit lower=\"-1\" upper=\"2\" velocity=\"3\" effort=\"4\"/>\n"
                "    <dynamics damping=\"5\" friction=\"6\"/>\n"
                "  </joint>\n"
                "  <joint name=\"bolt\" type=\"fixed\">\n"
                "    <parent link=\"arm\"/>\n"
                "    <child link=\"plate\"/>\n"
                "    <origin xyz=\"1 0 2\" rpy=\"0 0 0\"/>\n"
                "  </joint>\n"
                "  <joint name=\"turn\" type=\"continuous\">\n"
                "    <parent link=\"plate\"/>\n"
                "    <child link=\"hand\"/>\n"
                "    <axis xyz=\"0 0 1\"/>\n"
                "    <limit effort=\"7\"/>\n"
                "    <mimic joint=\"slide\" multiplier=\"-2\" offset=\"0.5\"/>\n"
                "  </joint>\n"
                "</robot>\n");
    assert_int_equal(d->nwarning, 1);
    assert_non_null(strstr(d->warnings[0], "URDF cannot say gravity (1, 2, -3.5): readers of the file take (0, 0, -9.81)"));
    arne_description_free(d);
}

static void a_whole_yaml_file(void **state)
{
    (void)state;
    arne_description *d = turret(false);
    d->links[0].body = (arne_body){3, {1, 2, 3}, {1, 2, 3, 4, 5, 6}};
    arne_joint_description *j = &d->joints[0];
    j->limits = (arne_limits){-1, 2, 3, 4, 5, 6, 7};
    j->friction = (arne_friction){.viscous = 1,
                                  .coulomb = 2,
                                  .coulomb_negative = 3,
                                  .offset = -4,
                                  .static_ = 5,
                                  .stribeck_velocity = 6,
                                  .stribeck_exponent = 7,
                                  .npoint = 2,
                                  .points = calloc(2, sizeof *j->friction.points)};
    j->motor = (arne_motor){1, 2, 3, 4, 5, 6, 3, calloc(3, sizeof *j->motor.curve)};
    assert_true(j->friction.points && j->motor.curve);
    for (int k = 0; k < 2; k++) j->friction.points[k][0] = 2 * k, j->friction.points[k][1] = 7 + k;
    for (int k = 0; k < 3; k++) j->motor.curve[k][0] = 3 * k, j->motor.curve[k][1] = 9 - k;
    j->elastic = (arne_elastic){.stiffness = 8, .damping = 9, .cubic = 10, .quintic = 11};
    d->ntransmission = 2;
    d->transmission = calloc(4, sizeof *d->transmission);
    assert_non_null(d->transmission);
    for (int k = 0; k < 4; k++) d->transmission[k] = 1.5 - k;
    expect_file(d, ARNE_YAML,
                "name: \"a<b> \\\"c\\\" & 'd'\"\n"
                "source: one--two\n"
                "gravity: [1, 2, -3.5]\n"
                "convention: urdf\n"
                "base: root\n"
                "base_link:\n"
                "  mass: 3\n"
                "  com: [1, 2, 3]\n"
                "  inertia: {xx: 1, xy: 2, xz: 3, yy: 4, yz: 5, zz: 6, about: com}\n"
                "transmission:\n"
                "  - [1.5, 0.5]\n"
                "  - [-0.5, -1.5]\n"
                "joints:\n"
                "  - name: slide\n"
                "    type: prismatic\n"
                "    parent: base\n"
                "    origin: {xyz: [1, 2, 3], rpy: [0, 0, 0]}\n"
                "    axis: [0, -1, 0]\n"
                "    limits: {lower: -1, upper: 2, velocity: 3, acceleration: 4, effort: 5, jerk: 6, effort_rate: 7}\n"
                "    motor: {inertia: 1, gear: 2, viscous: 3, coulomb: 4, effort: 5, speed: 6, curve: [[0, 9], [3, 8], [6, 7]]}\n"
                "    friction: {viscous: 1, coulomb: 2, coulomb_negative: 3, offset: -4, static: 5, stribeck_velocity: 6, "
                "stribeck_exponent: 7, points: [[0, 7], [2, 8]]}\n"
                "    elastic: {stiffness: [8, 10, 11], damping: 9}\n"
                "    link:\n"
                "      name: arm\n"
                "      mass: 2\n"
                "      com: [0.1, 0.2, 0.3]\n"
                "      inertia: {xx: 4, xy: 0.4, xz: 0.5, yy: 5, yz: 0.6, zz: 6, about: com}\n"
                "  - name: bolt\n"
                "    type: fixed\n"
                "    parent: slide\n"
                "    origin: {xyz: [1, 0, 2], rpy: [0, 0, 0]}\n"
                "    link:\n"
                "      name: plate\n"
                "  - name: turn\n"
                "    type: revolute\n"
                "    parent: bolt\n"
                "    axis: [0, 0, 1]\n"
                "    limits: {effort: 7}\n"
                "    mimic: {joint: slide, multiplier: -2, offset: 0.5}\n"
                "    link:\n"
                "      name: hand\n"
                "      mass: 1\n"
                "      com: [0, 0, 0]\n"
                "      inertia: {xx: 1, xy: 0, xz: 0, yy: 1, yz: 0, zz: 1, about: com}\n");
    assert_int_equal(d->nwarning, 0);
    arne_description_free(d);
}

/* M c and J - m (c.c 1 - c c') about the origin of the frame, by hand; turns in parts of pi */
static void a_whole_par_file(void **state)
{
    (void)state;
    arne_description *d = turret(true);
    free(d->joints[2].master);
    d->joints[2].master = NULL;
    const double dh[3][6] = {{PI / 2, 1, -PI, 2, 0.25, -3}, {0, 0, 0, 1, 3 * PI / 2, 2}, {0, 0, PI / 2, 0, -2 * PI, 0}};
    for (int i = 0; i < 3; i++) {
        memcpy(d->joints[i].dh, dh[i], sizeof dh[i]);
        d->joints[i].before = arne_pose_mdh(dh[i]);
        d->joints[i].after = arne__pose_identity();
    }
    d->links[1].body.inertia[1] = 0.75;
    d->links[1].body.inertia[4] = 0.5;
    d->links[1].body.com[2] = -0.5;
    d->links[1].body.com[1] = 0.25;
    d->links[1].body.com[0] = 1;
    d->joints[0].motor = (arne_motor){0.5, -4, 0.25, 2, INFINITY, INFINITY, 0, NULL};
    expect_file(d, ARNE_PAR,
                "(* Robotname = 'a<b> \"c\" & _d_' *)\n"
                "NL = 3\nNJ = 3\nNF = 3\nType = 0\nis_mobile = 0\n"
                "\n(* Joints *)\n(* 1: slide *)\n(* 2: bolt *)\n(* 3: turn *)\n"
                "\n(* Geometric parameters *)\n"
                "ant = {0,1,2}\nsigma = {1,2,0}\nmu = {1,0,1}\n"
                "gamma = {Pi/2,0,0}\nb = {1,0,0}\nalpha = {-Pi,0,Pi/2}\nd = {2,1,0}\ntheta = {0.25,3*Pi/2,t3-2*Pi}\n"
                "r = {r1-3,2,0}\n"
                "\n(* Dynamic parameters and external forces *)\n"
                "XX = {4.625,0,1}\nXY = {0.25,0,0}\nXZ = {1.5,0,0}\nYY = {7.5,0,1}\nYZ = {0.75,0,0}\nZZ = {8.125,0,1}\n"
                "MX = {2,0,0}\nMY = {0.5,0,0}\nMZ = {-1,0,0}\nM = {2,0,1}\n"
                "IA = {8,0,0}\nFV = {9,0,0}\nFS = {14,0,0}\n"
                "FX = {0,0,0}\nFY = {0,0,0}\nFZ = {0,0,0}\nCX = {0,0,0}\nCY = {0,0,0}\nCZ = {0,0,0}\n"
                "\n(* Joint parameters *)\n"
                "QP = {QP1,0,QP3}\nQDP = {QDP1,0,QDP3}\nGAM = {GAM1,0,GAM3}\n"
                "\n(* Speed and acceleration of the base *)\n"
                "W0 = {0,0,0}\nWP0 = {0,0,0}\nV0 = {0,0,0}\nVP0 = {0,0,0}\n"
                "\n(* Acceleration of gravity *)\nG = {1,2,-3.5}\n"
                "\n(* Transformation of 0 frame position fT0 *)\nZ = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}\n"
                "\n(* End of definition *)\n");
    assert_int_equal(d->nwarning, 1);
    assert_non_null(strstr(d->warnings[0],
                           ".par cannot say a limit of position, velocity, acceleration or effort: left out (joint "
                           "slide and 1 more)"));
    d->links[0].body.mass = 1;
    expect_refused(d, ARNE_PAR, ARNE_OK, 0, "");
    assert_int_equal(d->nwarning, 3);
    assert_non_null(strstr(d->warnings[2], ".par cannot say the mass of the base: left out (link base)"));
    arne_description_free(d);
}

/* every number of a joint, by the word for what it belongs to */
static void numbers_that_no_file_can_hold_are_refused(void **state)
{
    (void)state;
    arne_description *d = turret(false);
    d->file = strdup("made.yaml");
    d->links[1].line = 3;
    arne_joint_description *j = &d->joints[2];
    j->line = 9;
    j->friction.npoint = j->motor.ncurve = 2;
    j->friction.points = calloc(2, sizeof *j->friction.points);
    j->motor.curve = calloc(2, sizeof *j->motor.curve);
    assert_true(j->friction.points && j->motor.curve);
    const struct {
        const char *what;
        double *number;
        bool may_be_infinite;
    } cases[] = {
        {"origin", &j->before.R[0], false},
        {"origin", &j->before.R[8], false},
        {"origin", &j->before.p[0], false},
        {"origin", &j->before.p[2], false},
        {"origin", &j->after.R[0], false},
        {"origin", &j->after.R[8], false},
        {"origin", &j->after.p[0], false},
        {"origin", &j->after.p[2], false},
        {"axis", &j->axis[0], false},
        {"axis", &j->axis[2], false},
        {"motor", &j->motor.inertia, false},
        {"motor", &j->motor.gear, false},
        {"motor", &j->motor.viscous, false},
        {"motor", &j->motor.coulomb, false},
        {"motor", &j->motor.curve[0][0], false},
        {"motor", &j->motor.curve[1][1], false},
        {"friction", &j->friction.viscous, false},
        {"friction", &j->friction.coulomb, false},
        {"friction", &j->friction.static_, false},
        {"friction", &j->friction.stribeck_velocity, false},
        {"friction", &j->friction.stribeck_exponent, false},
        {"friction", &j->friction.offset, false},
        {"friction", &j->friction.coulomb_negative, false},
        {"friction", &j->friction.points[0][0], false},
        {"friction", &j->friction.points[1][1], false},
        {"spring", &j->elastic.stiffness, false},
        {"spring", &j->elastic.damping, false},
        {"spring", &j->elastic.cubic, false},
        {"spring", &j->elastic.quintic, false},
        {"limit", &j->limits.lower, true},
        {"limit", &j->limits.upper, true},
        {"limit", &j->limits.velocity, true},
        {"limit", &j->limits.acceleration, true},
        {"limit", &j->limits.effort, true},
        {"limit", &j->limits.jerk, true},
        {"limit", &j->limits.effort_rate, true},
        {"ratio to the joint it follows", &j->ratio, false},
        {"ratio to the joint it follows", &j->offset, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sentence[128];
        const double was = *cases[i].number;
        snprintf(sentence, sizeof sentence, "joint turn: its %s is not a usable number", cases[i].what);
        *cases[i].number = cases[i].may_be_infinite ? NAN : INFINITY;
        expect_refused(d, ARNE_YAML, ARNE_BAD_VALUE, 9, sentence);
        *cases[i].number = was;
    }
    j->axis[2] = 0;
    expect_refused(d, ARNE_YAML, ARNE_BAD_VALUE, 9, "joint turn: its axis is not a usable number");
    j->axis[2] = 1;
    arne_body *b = &d->links[1].body;
    double *const body[] = {&b->mass, &b->com[0], &b->com[2], &b->inertia[0], &b->inertia[5]};
    for (int k = 0; k < 5; k++) {
        const double was = *body[k];
        *body[k] = NAN;
        expect_refused(d, ARNE_URDF, ARNE_BAD_VALUE, 3, "link arm: mass, centre of mass or inertia is not a finite number");
        *body[k] = was;
    }
    d->gravity[2] = NAN;
    expect_refused(d, ARNE_YAML, ARNE_BAD_VALUE, 0, "gravity or transmission is not a finite number");
    d->gravity[2] = 1;
    d->ntransmission = 2;
    d->transmission = calloc(4, sizeof *d->transmission);
    assert_non_null(d->transmission);
    d->transmission[3] = NAN;
    expect_refused(d, ARNE_YAML, ARNE_BAD_VALUE, 0, "gravity or transmission is not a finite number");
    d->transmission[3] = 1;
    expect_refused(d, ARNE_PAR, ARNE_CANNOT_WRITE, 9, "joint turn follows slide: .par cannot say that, YAML and URDF can");
    expect_refused(d, (arne_format)(ARNE_PAR + 7), ARNE_UNSUPPORTED, 0, "no such file format");
    j->name[0] = '\n';
    expect_refused(d, ARNE_YAML, ARNE_CANNOT_WRITE, 9, "the name of joint  urn is not UTF-8 text without control characters");
    d->links[1].name[0] = '\n';
    expect_refused(d, ARNE_YAML, ARNE_CANNOT_WRITE, 3, "the name of link  rm is not UTF-8 text without control characters");
    d->source[0] = '\xFF';
    expect_refused(d, ARNE_YAML, ARNE_CANNOT_WRITE, 0, "the robot's name or source is not UTF-8 text without control characters");
    arne_description_free(d);
}

/* joints of several freedoms where a format has none, and a base whose name is a joint's */
static void joints_that_a_format_does_not_have(void **state)
{
    (void)state;
    arne_description *d = turret(false);
    d->joints[2].type = ARNE_SPHERICAL;
    d->joints[2].line = 4;
    expect_refused(d, ARNE_URDF, ARNE_CANNOT_WRITE, 4, "joint turn is spherical: URDF has no such joint, YAML has");
    expect_refused(d, ARNE_PAR, ARNE_CANNOT_WRITE, 4, "joint turn has several freedoms: .par cannot say that, YAML can");
    d->joints[2].type = ARNE_REVOLUTE;
    d->joints[0].line = 2;
    free(d->joints[1].name);
    free(d->joints[2].name);
    d->joints[1].name = strdup("base");
    d->joints[2].name = strdup("root");
    expect_refused(d, ARNE_YAML, ARNE_CANNOT_WRITE, 2,
                   "joint slide hangs on the base, but there are joints named base and root: rename one");
    free(d->joints[1].child);
    d->joints[1].child = strdup("nowhere");
    expect_refused(d, ARNE_YAML, ARNE_CANNOT_WRITE, 2,
                   "joint slide hangs on the base, but there are joints named base and root: rename one");
    free(d->joints[2].name);
    d->joints[2].name = strdup("turn");
    expect_refused(d, ARNE_YAML, ARNE_BAD_TREE, 0, "joint base: there is no link nowhere");
    d->joints[0].type = d->joints[2].type = ARNE_FIXED;
    free(d->joints[1].child);
    d->joints[1].child = strdup("plate");
    expect_refused(d, ARNE_PAR, ARNE_CANNOT_WRITE, 0, "robot a<b> \"c\" & 'd' has no joint that moves: .par cannot say that");
    arne_description_free(d);
}

static bool written(arne_description *d, const char *words)
{
    char line[256];
    bool found = false;
    arne_description_free(there_and_back(d, ARNE_YAML));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) found = found || strstr(line, words);
    fclose(f);
    return found;
}

/* Other readers of YAML take these words, in any letters, for truths and for nothing [YAML 1.1: bool, null]. */
static void words_of_yaml_are_quoted_as_names(void **state)
{
    (void)state;
    static const char *const words[] = {"true", "True", "false", "FALSE", "yes", "Yes", "no", "NO",   "on",
                                        "On",   "off",  "OFF",   "null",  "y",   "Y",   "n",  "Null", "N"};
    static const char *const plain[] = {"nothing", "only", "x", "truely", "z_1-b"};
    for (size_t i = 0; i < sizeof words / sizeof *words + sizeof plain / sizeof *plain; i++) {
        const bool reserved = i < sizeof words / sizeof *words;
        char line[64];
        arne_description *d = any_robot(2, true, false);
        free(d->name);
        d->name = strdup(reserved ? words[i] : plain[i - sizeof words / sizeof *words]);
        snprintf(line, sizeof line, reserved ? "name: \"%s\"\n" : "name: %s\n", d->name);
        if (!written(d, line)) fail_msg("%s is not written as %s", d->name, line);
        arne_description_free(d);
    }
}

/* Transforms behind the joints become links of their own; every link of the first robot keeps its place. */
static void frames_behind_joints_are_kept(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        arne_description *d = any_robot(i, false, true), *back = there_and_back(d, i % 2 ? ARNE_URDF : ARNE_YAML);
        double q[16];
        for (int k = 0; k < 16; k++) q[k] = any();
        posture p = posture_of(d, q), b = posture_of(back, q);
        for (size_t k = 0; k < d->nlink; k++) {
            const arne_link_description *l = link_named(back, d->links[k].name);
            near_all("R", 9, p.link[k].R, b.link[l - back->links].R);
            near_all("p", 3, p.link[k].p, b.link[l - back->links].p);
            near("mass", d->links[k].body.mass, l->body.mass);
        }
        arne_description_free(d);
        arne_description_free(back);
    }
}

static void par_keeps_its_own_frames(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        arne_description *d = any_robot(i, true, false), *first = there_and_back(d, ARNE_PAR),
                         *back = there_and_back(first, ARNE_PAR);
        free(first->name);
        first->name = strdup(back->name);
        same_robot(first, back);
        assert_int_equal(d->njoint, first->njoint);
        arne_description_free(d);
        arne_description_free(first);
        arne_description_free(back);
    }
}

static void par_keeps_the_masses_where_they_are(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        arne_description *d = any_robot(i, i % 3 == 0, true), *back = there_and_back(d, ARNE_PAR);
        for (int round = 0; round < 3; round++) {
            double q[16];
            for (int k = 0; k < 16; k++) q[k] = round ? any() : 0;
            posture p = posture_of(d, q), b = posture_of(back, q);
            assert_true(fabs(p.total.m - b.total.m) <= FRAME_TOLERANCE);
            for (int k = 0; k < 3; k++) assert_true(fabs(p.total.h[k] - b.total.h[k]) <= FRAME_TOLERANCE * 10);
            for (int k = 0; k < 6; k++) assert_true(fabs(p.total.I[k] - b.total.I[k]) <= FRAME_TOLERANCE * 100);
        }
        arne_description_free(d);
        arne_description_free(back);
    }
}

/* A calibrated robot: the second axis is parallel to the first but for a millionth of a degree. */
static void par_splits_frames_of_nearly_parallel_axes(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("calibrated");
    double xyz[3] = {0.5, 0.25, 0.125}, rpy[3] = {1e-8, -2e-8, 0.3};
    arne_description_link(d, "base", 0);
    any_body(&arne_description_link(d, "one", 0)->body);
    any_body(&arne_description_link(d, "two", 0)->body);
    arne_description_joint(d, "first", 0, ARNE_REVOLUTE, "base", "one");
    arne_description_joint(d, "second", 0, ARNE_REVOLUTE, "one", "two")->before = arne_pose_rpy(xyz, rpy);
    arne_description *back = there_and_back(d, ARNE_PAR);
    assert_int_equal(back->njoint, 3);
    double q[2] = {0.3, -0.7};
    posture p = posture_of(d, q), b = posture_of(back, q);
    for (int k = 0; k < 3; k++) assert_true(fabs(p.total.h[k] - b.total.h[k]) <= FRAME_TOLERANCE);
    for (int k = 0; k < 6; k++) assert_true(fabs(p.total.I[k] - b.total.I[k]) <= FRAME_TOLERANCE);
    arne_description_free(d);
    arne_description_free(back);
}

static void motors_are_felt_at_the_joint_in_par(void **state)
{
    (void)state;
    arne_description *d = any_robot(2, true, false);
    d->joints[0].motor = (arne_motor){2, -10, 3, 4, INFINITY, INFINITY, 0, NULL};
    d->joints[0].friction = (arne_friction){.viscous = 5, .coulomb = 6, .stribeck_velocity = 0.1, .stribeck_exponent = 2};
    arne_description *back = there_and_back(d, ARNE_PAR);
    near("IA", back->joints[0].motor.inertia, 200);
    near("FV", back->joints[0].friction.viscous, 305);
    near("FS", back->joints[0].friction.coulomb, 46);
    arne_description_free(d);
    arne_description_free(back);
}

static void rotations_become_angles_at_every_pitch(void **state)
{
    (void)state;
    static const double zero[3], off[] = {0, 1e-16, 3e-16, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3, 0.1};
    double worst = 0;
    seed = 5;
    for (int i = 0; i < 20000; i++) {
        double rpy[3] = {angle(), PI / 2 * (below(2) * 2 - 1) + (any() < 0 ? 1 : -1) * off[below(9)], angle()}, found[3];
        if (below(3) == 0) rpy[1] = PI * any();
        arne_pose p = arne_pose_rpy(zero, rpy);
        arne__rotation_to_rpy(p.R, found);
        arne_pose back = arne_pose_rpy(zero, found);
        for (int k = 0; k < 9; k++) worst = fmax(worst, fabs(back.R[k] - p.R[k]));
    }
    if (!(worst <= 1e-15)) fail_msg("%g", worst);
}

static void numbers_are_short_and_exact(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    assert_string_equal(arne__value_text(0.1, text), "0.1");
    assert_string_equal(arne__value_text(-0.0, text), "0");
    assert_string_equal(arne__value_text(0.1 + 0.2, text), "0.30000000000000004");
    assert_string_equal(arne__angle_text(-PI / 2, text), "-Pi/2");
    assert_string_equal(arne__angle_text(3 * PI / 2, text), "3*Pi/2");
    seed = 1;
    for (int i = 0; i < 1000; i++) {
        double x = any() * pow(10, 30 * any());
        assert_true(strtod(arne__value_text(x, text), NULL) == x);
    }
}

static bool warned(const arne_description *d, const char *words)
{
    int count = 0;
    for (size_t i = 0; i < d->nwarning; i++) count += strstr(d->warnings[i], words) != NULL;
    return count == 1;
}

static void what_is_lost_is_said_once(void **state)
{
    (void)state;
    arne_error error;
    arne_description *d = any_robot(3, false, false);
    for (size_t i = 0; i < d->njoint; i++) {
        arne_joint_description *j = &d->joints[i];
        j->motor.inertia = j->friction.static_ = j->elastic.stiffness = j->limits.acceleration = 1;
    }
    d->gravity[0] = 1;
    d->ntransmission = 1;
    d->transmission = calloc(1, sizeof *d->transmission);
    snprintf(path, sizeof path, "%s/lost.urdf", folder);
    assert_int_equal(arne_write(d, ARNE_URDF, path, &error), ARNE_OK);
    assert_int_equal(d->nwarning, 6);
    char first[160];
    size_t moving = 0;
    for (size_t i = d->njoint; i-- > 0;)
        if (d->joints[i].type != ARNE_FIXED && ++moving) snprintf(first, sizeof first, "%s", d->joints[i].name);
    char sentence[256];
    snprintf(sentence, sizeof sentence, ": URDF cannot say a motor: left out (joint %s and %zu more)", first, moving - 1);
    assert_true(moving > 1 && warned(d, sentence));
    assert_true(warned(d, "a motor") && warned(d, "static friction") && warned(d, "spring") && warned(d, "acceleration"));
    assert_true(warned(d, "gravity") && warned(d, "transmission"));
    assert_int_equal(arne_write(d, ARNE_PAR, path, &error), ARNE_OK);
    assert_true(warned(d, "limit of position") && warned(d, "mass of the base"));
    arne_description_free(d);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/arne_write_test_%ld", (long)getpid());
    return mkdir(folder, 0777);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"robot.urdf", "robot.yaml", "robot.par", "lost.urdf"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short_and_exact),
        cmocka_unit_test(rotations_become_angles_at_every_pitch),
        cmocka_unit_test(urdf_reads_back),
        cmocka_unit_test(yaml_reads_back),
        cmocka_unit_test(a_whole_urdf_file),
        cmocka_unit_test(a_whole_yaml_file),
        cmocka_unit_test(a_whole_par_file),
        cmocka_unit_test(numbers_that_no_file_can_hold_are_refused),
        cmocka_unit_test(joints_that_a_format_does_not_have),
        cmocka_unit_test(words_of_yaml_are_quoted_as_names),
        cmocka_unit_test(frames_behind_joints_are_kept),
        cmocka_unit_test(par_keeps_its_own_frames),
        cmocka_unit_test(par_keeps_the_masses_where_they_are),
        cmocka_unit_test(par_splits_frames_of_nearly_parallel_axes),
        cmocka_unit_test(motors_are_felt_at_the_joint_in_par),
        cmocka_unit_test(what_is_lost_is_said_once),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
