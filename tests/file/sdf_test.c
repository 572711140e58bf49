/* SPDX-License-Identifier: MIT
 *
 * sdf_test.c - random robots written as SDF in every style of pose (in the model, in links, joints and frames, by angles, degrees
 * and quaternions; axes in any frame; old versions): they move as the robots they were made from. And files that are wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "describe/body.h"
#include "describe/pose.h"
#include "describe/tree.h"
#include "file/write.h"
#include "support/alike.h"
#include "support/random_robot.h"
#include "support/tempfile.h"
#include "file/says.h"

static const double PI = 3.14159265358979323846;

/* ---- a writer ---- */

enum { MOST = 300 };

/* What has a place so far, in the model. */
typedef struct {
    FILE *f;
    random_stream r;
    const char *version;
    bool old; /* before 1.7: every pose in the model, or of a joint in its child */
    int n;
    char names[MOST][32];
    arne_pose at[MOST];
} pen;

static int known(const pen *p, const char *name)
{
    int i = 0;
    while (strcmp(p->names[i], name)) i++;
    return i;
}

static void place(pen *p, const char *name, const arne_pose *at)
{
    assert_true(p->n < MOST);
    snprintf(p->names[p->n], sizeof p->names[0], "%s", name);
    p->at[p->n++] = *at;
}

static void put_numbers(pen *p, const arne_pose *x)
{
    double rpy[3], q[4];
    const double *R = x->R;
    arne__rotation_to_rpy(R, rpy);
    const int form = p->old ? 0 : random_below(&p->r, 3);
    if (form == 1) fputs(" degrees=\"true\"", p->f);
    if (form == 2) fputs(" rotation_format=\"quat_xyzw\"", p->f);
    fprintf(p->f, ">\n %.17g %.17g\t%.17g ", x->p[0], x->p[1], x->p[2]);
    if (form == 2) { /* turns about x, y, z one after the other; of any length */
        const double a[3] = {rpy[0] / 2, rpy[1] / 2, rpy[2] / 2}, size = random_between(&p->r, 0.5, 2);
        const double c[3] = {cos(a[0]), cos(a[1]), cos(a[2])}, s[3] = {sin(a[0]), sin(a[1]), sin(a[2])};
        q[0] = s[0] * c[1] * c[2] - c[0] * s[1] * s[2];
        q[1] = c[0] * s[1] * c[2] + s[0] * c[1] * s[2];
        q[2] = c[0] * c[1] * s[2] - s[0] * s[1] * c[2];
        q[3] = c[0] * c[1] * c[2] + s[0] * s[1] * s[2];
        for (int k = 0; k < 4; k++) fprintf(p->f, " %.17g", size * q[k]);
    } else {
        for (int k = 0; k < 3; k++) fprintf(p->f, " %.17g", rpy[k] * (form == 1 ? 180 / PI : 1));
    }
    fputs("\n</pose>\n", p->f);
}

/* <pose> of what stands at `at` in the model; `usual`: the frame that is meant where the file names none */
static void put_pose(pen *p, const arne_pose *at, const char *usual)
{
    const int other = random_below(&p->r, p->n);
    const bool named = !p->old && random_below(&p->r, 3) > 0;
    const char *in = named ? p->names[other] : usual;
    const arne_pose back = arne__pose_inverse(&p->at[known(p, in)]), x = arne__pose_mul(&back, at);
    fputs("<pose", p->f);
    if (named) fprintf(p->f, " relative_to=\"%s\"", in);
    put_numbers(p, &x);
}

static void put_link(pen *p, const arne_link_description *l)
{
    static const char *const entries[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const arne_pose turn = random_pose(&p->r, 0), back = arne__pose_inverse(&turn);
    arne_pose at = turn;
    arne_body b = {l->body.mass, {0}, {0}};
    memcpy(b.inertia, l->body.inertia, sizeof b.inertia);
    arne__body_transform(&back, &b, &b);
    memcpy(at.p, l->body.com, sizeof at.p);
    fprintf(p->f, "<inertial><pose");
    put_numbers(p, &at);
    fprintf(p->f, "<mass> %.17g </mass><inertia>", l->body.mass);
    for (int k = 0; k < 6; k++) fprintf(p->f, "<%s>%.17g</%s>", entries[k], b.inertia[k], entries[k]);
    fprintf(p->f, "</inertia></inertial><visual name=\"v\"><pose>1 2 3 4 5 6</pose></visual>\n");
}

static void put_axis(pen *p, const arne_joint_description *j, const arne_pose *joint)
{
    const bool in_model = p->old && random_below(&p->r, 2), named = !p->old && random_below(&p->r, 2);
    const bool ancient = !strcmp(p->version, "1.4");
    const int frame = named ? random_below(&p->r, p->n) : in_model || ancient ? 0 : -1;
    double v[3], u[3];
    for (int k = 0; k < 3; k++)
        v[k] = joint->R[3 * k] * j->axis[0] + joint->R[3 * k + 1] * j->axis[1] + joint->R[3 * k + 2] * j->axis[2];
    const double *R = frame >= 0 ? p->at[frame].R : joint->R;
    for (int k = 0; k < 3; k++) u[k] = R[k] * v[0] + R[3 + k] * v[1] + R[6 + k] * v[2];
    fprintf(p->f, "<axis><xyz");
    if (named) fprintf(p->f, " expressed_in=\"%s\"", p->names[frame]);
    fprintf(p->f, ">%.17g %.17g %.17g</xyz>\n", u[0], u[1], u[2]);
    if (in_model && !ancient)
        fputs(random_below(&p->r, 2) ? "<use_parent_model_frame>1</use_parent_model_frame>"
                                     : "<use_parent_model_frame>True</use_parent_model_frame>",
              p->f);
    fprintf(p->f, "<dynamics><damping>%.17g</damping><friction>%.17g</friction></dynamics></axis>\n", j->friction.viscous,
            j->friction.coulomb);
}

static void put_joint(pen *p, const arne_joint_description *j, const arne_pose *child)
{
    arne_pose back = arne__pose_inverse(&j->after), at = arne__pose_mul(child, &back);
    if (j->type == ARNE_SPHERICAL) { /* its frame may be turned as it likes */
        const arne_pose turn = random_pose(&p->r, 0);
        at = arne__pose_mul(&at, &turn);
        memcpy(at.p, child->p, sizeof at.p);
    }
    const char *type = j->type == ARNE_FIXED       ? "fixed"
                       : j->type == ARNE_PRISMATIC ? "prismatic"
                       : j->type == ARNE_SPHERICAL ? "ball"
                       : random_below(&p->r, 2)    ? "revolute"
                                                   : "continuous";
    fprintf(p->f, "<joint name=\"%s\" type=\"%s\"><parent>%s</parent><child>\n%s</child>", j->name, type, j->parent, j->child);
    put_pose(p, &at, j->child);
    if (j->type == ARNE_REVOLUTE || j->type == ARNE_PRISMATIC) put_axis(p, j, &at);
    fputs("</joint>\n", p->f);
    if (!p->old) place(p, j->name, &at); /* later ones may stand in it */
}

/* Links at the joints' zero, the root at `root` in the model, which stands at `model` in the world. */
static void put_robot(pen *p, const arne_description *d, const arne_pose *model, const arne_pose *root, bool weld)
{
    const arne_pose origin = arne__pose_identity();
    robot_tree *t;
    assert_int_equal(arne__tree_build(d, &t, NULL), ARNE_OK);
    fprintf(p->f, "<?xml version=\"1.0\"?>\n<sdf version=\"%s\">\n<model name=\"made\"", p->version);
    const bool placed = !p->old && random_below(&p->r, 2);
    if (placed) fputs(" placement_frame=\"mark\"", p->f);
    fputs(">\n", p->f);
    place(p, "__model__", &origin);
    const arne_pose mark = random_pose(&p->r, 1), at_mark = arne__pose_mul(model, &mark);
    fputs("<pose", p->f);
    put_numbers(p, placed ? &at_mark : model);
    fputs("<frame name=\"mark\"><pose", p->f);
    put_numbers(p, &mark);
    fputs("</frame>\n", p->f);
    if (!p->old) place(p, "mark", &mark);
    int at[MOST];
    for (size_t k = 0; k < d->nlink; k++) {
        const int link = t->link_order[k], joint = t->link_joint[link];
        arne_pose x = *root;
        if (joint >= 0) {
            const arne_joint_description *j = &d->joints[joint];
            x = arne__pose_mul(&p->at[at[t->joint_parent[joint]]], &j->before);
            x = arne__pose_mul(&x, &j->after);
        }
        fprintf(p->f, "<link name=\"%s\">\n", d->links[link].name);
        put_pose(p, &x, "__model__");
        put_link(p, &d->links[link]);
        fputs("</link>\n", p->f);
        at[link] = p->n;
        place(p, d->links[link].name, &x);
        if (!p->old && random_below(&p->r, 3) == 0) { /* a frame on it */
            char name[32];
            const arne_pose more = random_pose(&p->r, 1), there = arne__pose_mul(&x, &more);
            snprintf(name, sizeof name, "f%zu", k);
            fprintf(p->f, "<frame name=\"%s\" attached_to=\"%s\">", name, d->links[link].name);
            put_pose(p, &there, d->links[link].name);
            fputs("</frame>\n", p->f);
            place(p, name, &there);
        }
    }
    if (weld)
        fprintf(p->f, "<joint name=\"weld\" type=\"fixed\"><parent>world</parent><child>%s</child></joint>\n",
                d->links[t->link_order[0]].name);
    for (size_t i = 0; i < d->njoint; i++) put_joint(p, &d->joints[i], &p->at[at[t->joint_child[i]]]);
    fputs("</model></sdf>\n", p->f);
    arne__tree_free(t);
}

static arne_description *read_text(const char *text)
{
    temp_folder t = temp_open();
    arne_description *d = NULL;
    arne_error e;
    if (arne_read(temp_write(&t, "r.sdf", text), NULL, &d, &e)) fail_msg("%s:%d: %s\n%s", e.file, e.line, e.message, text);
    temp_close(&t);
    return d;
}

static void robots_of_all_styles_move_as_they_should(void **state)
{
    (void)state;
    static const char *const versions[] = {"1.4", "1.6", "1.7", "1.9", "1.10"};
    int balls = 0, made = 0;
    for (unsigned seed = 0; seed < 150; seed++) {
        arne_description *d = random_robot_with(seed, seed % 2 ? RANDOM_WIDE : RANDOM_FRICTION);
        bool free_one = false;
        for (size_t i = 0; i < d->njoint; i++) {
            free_one = free_one || d->joints[i].type == ARNE_FREE;
            balls += d->joints[i].type == ARNE_SPHERICAL;
        }
        if (free_one || d->nlink > 20) {
            arne_description_free(d);
            continue;
        }
        memcpy(d->gravity, (const double[3]){0, 0, -9.81}, sizeof d->gravity);
        pen *p = calloc(1, sizeof *p);
        char *text = NULL;
        size_t size;
        assert_non_null(p);
        p->r.state = seed + 1000;
        p->version = versions[seed % 5];
        p->old = seed % 5 < 2;
        p->f = open_memstream(&text, &size);
        const bool weld = random_below(&p->r, 2);
        const arne_pose model = random_pose(&p->r, 1), root = random_pose(&p->r, 1), placed = arne__pose_mul(&model, &root);
        put_robot(p, d, &model, &root, weld);
        fclose(p->f);
        arne_description *sdf = read_text(text);
        if (weld) { /* the base stands where the file puts it */
            robot_tree *t;
            assert_int_equal(arne__tree_build(d, &t, NULL), ARNE_OK);
            const int base = t->link_order[0];
            arne__tree_free(t);
            char name[32];
            snprintf(name, sizeof name, "%s", d->links[base].name);
            arne_description_link(d, "world", 0);
            arne_description_joint(d, "weld", 0, ARNE_FIXED, "world", name)->before = placed;
        } else {
            assert_int_equal(arne_description_base(d, ARNE_BASE_FREE, NULL), ARNE_OK);
            assert_string_equal(sdf->joints[sdf->njoint - 1].name, "base");
        }
        assert_alike(d, sdf, seed, 1e-10);
        made++;
        arne_description_free(sdf);
        arne_description_free(d);
        free(text);
        free(p);
    }
    assert_true(made > 80 && balls > 20);
}

/* ---- one thing at a time ---- */

#define LINK(name) "<link name='" name "'><inertial><mass>1</mass><pose>0 0 0 0 0 0</pose></inertial></link>\n"
#define MODEL(inside) "<sdf version='1.7'><model name='m'>\n" inside "</model></sdf>"
#define LONG "12345678901234567890123456789012345678901234567890123456"
#define JOINT(type, inside)                                                                                                      \
    MODEL(LINK("a") LINK("b") "<joint name='j' type='" type "'><parent>a</parent><child>b</child>\n" inside "</joint>")

static void links_that_hang_on_nothing_are_free(void **state)
{
    (void)state;
    arne_description *d =
        read_text(MODEL(LINK("a") LINK("b") LINK("c") "<joint name='c' type='fixed'><parent>a</parent><child>b</child></joint>"));
    assert_int_equal(d->njoint, 3);
    assert_string_equal(d->joints[1].name, "a"); /* as their links, or with _ where a joint has the name */
    assert_string_equal(d->joints[2].name, "c_");
    assert_int_equal(d->joints[1].type, ARNE_FREE);
    assert_int_equal(d->joints[2].type, ARNE_FREE);
    arne_description_free(d);
}

static void models_inside_models(void **state)
{
    (void)state;
    arne_description *d = read_text(MODEL(LINK(
        "a") "<model name='in' placement_frame='b'><pose relative_to='a'>1 0 0 0 0 0</pose>\n"
             "<link name='b'><pose>0 5 0 0 0 0</pose></link><link name='c'/>"
             "<joint name='j' type='prismatic'><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint></model>"
             "<joint name='k' type='fixed'><parent>a</parent><child>in::b</child></joint>"));
    assert_string_equal(d->links[2].name, "in::c");
    assert_string_equal(d->joints[0].name, "in::j");
    assert_string_equal(d->joints[1].child, "in::b");
    assert_true(d->joints[0].before.p[1] == -5); /* c stands in the origin of its model */
    arne_pose at = arne__pose_mul(&d->joints[1].before, &d->joints[1].after);
    assert_true(at.p[0] == 1 && fabs(at.p[1]) < 1e-15);
    arne_description_free(d);
}

static void limits_springs_and_followers(void **state)
{
    (void)state;
    arne_description *d = read_text(
        JOINT("revolute2", "<axis><xyz>0 0 1</xyz><limit><lower>-1e16</lower><upper>2</upper><effort>-1</effort>"
                           "<velocity>3</velocity></limit><dynamics><spring_stiffness>4</spring_stiffness></dynamics></axis>"
                           "<axis2><xyz>0 1 0</xyz><mimic joint='j' axis='axis'><multiplier>2</multiplier>"
                           "<offset>1</offset><reference>0.25</reference></mimic></axis2>"));
    assert_int_equal(d->njoint, 3); /* and the base */
    const arne_joint_description *a = &d->joints[0], *b = &d->joints[1];
    assert_string_equal(a->name, "j.first");
    assert_string_equal(b->name, "j.second");
    assert_true(a->limits.lower == -INFINITY && a->limits.upper == 2 && a->limits.effort == INFINITY && a->limits.velocity == 3);
    assert_string_equal(b->master, "j.first");
    assert_true(b->ratio == 2 && b->offset == 0.5);
    assert_true(b->axis[1] == 1 && a->axis[2] == 1);
    assert_int_equal(d->nwarning, 1);
    assert_non_null(strstr(d->warnings[0], "spring"));
    assert_string_equal(d->unmodelled, d->warnings[0]);
    arne_description_free(d);
}

static void a_follower_without_a_multiplier_follows_as_it_is(void **state)
{
    (void)state;
    arne_description *d = read_text(JOINT("revolute2", "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz>"
                                                       "<mimic joint='j' axis='axis'/></axis2>"));
    assert_true(d->joints[1].ratio == 1 && d->joints[1].offset == 0);
    arne_description_free(d);
}

static void only_continuous_joints_go_round(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        arne_description *d = round ? read_text(JOINT("continuous", "<axis><xyz>0 0 1</xyz></axis>"))
                                    : read_text(JOINT("revolute", "<axis><xyz>0 0 1</xyz></axis>"));
        assert_int_equal(d->joints[0].continuous, round);
        arne_description_free(d);
    }
}

static void a_ball_beside_its_link(void **state)
{
    (void)state;
    arne_description *d = read_text(JOINT("ball", "<pose>0 0 2 0.3 0 0</pose>"));
    assert_int_equal(d->joints[0].type, ARNE_SPHERICAL);
    assert_true(d->joints[0].before.p[2] == 2);
    assert_int_equal(d->joints[1].type, ARNE_FIXED);
    assert_string_equal(d->joints[1].child, "b");
    assert_true(fabs(d->joints[1].before.p[2] + 2) < 1e-15 && fabs(d->joints[1].before.p[1]) < 1e-15);
    arne_description_free(d);
}

static void worlds_and_what_else_is_in_them(void **state)
{
    (void)state;
    arne_description *d =
        read_text("<sdf version='1.6'><world name='w'><gravity>0 0 -1.6</gravity>\n<include><uri>model://sun</uri></include>\n"
                  "<model name='ground'><static>true</static>" LINK("g") "</model>\n<model name='arm'>" LINK(
                      "a") "</model><model name='late'/></world></sdf>");
    assert_string_equal(d->name, "arm");
    assert_true(d->gravity[2] == -1.6);
    assert_int_equal(d->nwarning, 1);
    assert_non_null(strstr(d->warnings[0], ":2: only the model 'arm' is read, not this <include>"));
    arne_description_free(d);
    d = read_text("<sdf version='1.6'><model name='m'><pose>0 0 3 0 0 0</pose><static>1</static>" LINK("a") "</model></sdf>");
    assert_int_equal(d->joints[0].type, ARNE_FIXED);
    assert_true(d->joints[0].before.p[2] == 3 && d->gravity[2] == -9.81);
    arne_description_free(d);
}

static void what_the_format_takes_for_granted(void **state)
{
    (void)state;
    arne_description *d =
        read_text("<sdf version='1.5'><world name='w'><model name='m'>\n<link name='a'/></model></world></sdf>");
    assert_true(d->links[0].body.mass == 1 && d->links[0].body.inertia[3] == 1 && d->gravity[2] == -9.8);
    assert_non_null(strstr(d->warnings[0], ":2: link 'a': has no <inertial>"));
    arne_description_free(d);
    d = read_text(
        "<sdf version='1.7'><world name='w'><model name='m'><pose relative_to='f'/>" LINK("a") "</model></world></sdf>");
    assert_int_equal(d->joints[0].type, ARNE_FREE); /* wherever it begins */
    arne_description_free(d);
    d = read_text(MODEL("<link name='a'><gravity>0</gravity></link>"));
    assert_true(d->gravity[2] == 0);
    arne_description_free(d);
}

/* 1e16 and more is how the format writes infinity; below zero there is no limit of effort and velocity */
static void limits_are_infinite_from_1e16_on(void **state)
{
    (void)state;
#define LIMITS(lower, upper, effort, velocity)                                                                                   \
    "<axis><xyz>0 0 1</xyz><limit><lower>" lower "</lower><upper>" upper "</upper><effort>" effort                               \
    "</effort><velocity>" velocity "</velocity></limit></axis>"
    static const struct {
        const char *text;
        double lower, upper, effort, velocity;
    } cases[] = {
        {JOINT("revolute", LIMITS("-0.9e16", "1.1e16", "0", "-1")), -0.9e16, INFINITY, 0, INFINITY},
        {JOINT("prismatic", LIMITS("-1.1e16", "0.9e16", "-0.5", "0")), -INFINITY, 0.9e16, INFINITY, 0},
        {JOINT("revolute", LIMITS("-1", "2", "1e16", "0.9e16")), -1, 2, INFINITY, 0.9e16},
        {JOINT("continuous", LIMITS("-1", "2", "3", "4")), -INFINITY, INFINITY, 3, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arne_description *d = read_text(cases[i].text);
        const arne_limits *l = &d->joints[0].limits;
        assert_true(l->lower == cases[i].lower && l->upper == cases[i].upper);
        assert_true(l->effort == cases[i].effort && l->velocity == cases[i].velocity);
        arne_description_free(d);
    }
}

static void a_follower_may_follow_the_second_axis(void **state)
{
    (void)state;
    arne_description *d =
        read_text(MODEL(LINK("a") LINK("b") LINK("c") "<joint name='u' type='universal'><parent>a</parent><child>b</child>"
                                                      "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1.1e-6 0</xyz></axis2></joint>"
                                                      "<joint name='j' type='revolute'><parent>b</parent><child>c</child>"
                                                      "<axis><xyz>0.9e6 0 0</xyz><mimic joint='u' axis='axis2'>"
                                                      "<multiplier>-3</multiplier><offset>1</offset><reference>2</reference>"
                                                      "</mimic></axis></joint>"));
    assert_string_equal(d->joints[2].name, "j");
    assert_string_equal(d->joints[2].master, "u.second");
    assert_true(d->joints[2].ratio == -3 && d->joints[2].offset == 7);
    arne_description_free(d);
}

/* of several: the first that moves, then the first; what else there is is named, the first of it */
static void one_model_of_several_is_chosen(void **state)
{
    (void)state;
#define OF(name, still) "<model name='" name "'><static>" still "</static>" LINK("l") "</model>\n"
    static const struct {
        const char *text, *name, *warning;
    } cases[] = {
        {"<sdf version='1.7'>\n" OF("one", "0") OF("two", "0") "</sdf>", "one",
         "...:4: only the model 'one' is read, not this <model>, nor others"},
        {"<sdf version='1.7'>\n" OF("one", "1") OF("two", "0") OF("three", "0") "</sdf>", "two",
         "...:2: only the model 'two' is read, not this <model>, nor others"},
        {"<sdf version='1.7'>\n" OF("one", "true") OF("two", "TRUE") "</sdf>", "one",
         "...:4: only the model 'one' is read, not this <model>, nor others"},
        {"<sdf version='1.7'><world name='w'>\n<joint/>\n" OF("one", "false") "</world></sdf>", "one",
         "...:2: only the model 'one' is read, not this <joint>, nor others"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arne_description *d = read_text(cases[i].text);
        assert_string_equal(d->name, cases[i].name);
        if (!says(d->warnings[0], cases[i].warning)) fail_msg("%s is not %s", d->warnings[0], cases[i].warning);
        assert_int_equal(d->nwarning, i == 2 ? 2 : 1);
        if (i == 2) assert_true(says(d->warnings[1], "...:2: a static model: its base is held, its joints are taken to move"));
        arne_description_free(d);
    }
    /* gravity as the format had it before 1.6 */
    arne_description *d = read_text(
        "<sdf version='1.5'><world name='w'><physics><gravity>1 2 -3</gravity></physics>" OF("m", "0") "</world></sdf>");
    assert_true(d->gravity[0] == 1 && d->gravity[1] == 2 && d->gravity[2] == -3);
    arne_description_free(d);
}

static void models_nest_no_deeper_than_32(void **state)
{
    (void)state;
    for (int depth = 32; depth <= 33; depth++) {
        char text[4096] = "<sdf version='1.7'>", *end = text + strlen(text);
        for (int i = 0; i <= depth; i++) end += sprintf(end, "<model name='m%d'>\n", i);
        end += sprintf(end, "%s", LINK("l"));
        for (int i = 0; i <= depth; i++) end += sprintf(end, "</model>");
        sprintf(end, "</sdf>");
        if (depth == 32) {
            arne_description_free(read_text(text));
            continue;
        }
        temp_folder t = temp_open();
        arne_description *d;
        arne_error e = {0};
        assert_int_equal(arne_read(temp_write(&t, "r.sdf", text), NULL, &d, &e), ARNE_BAD_VALUE);
        assert_int_equal(e.line, 34);
        assert_string_equal(e.message, "model 'm33': models are nested too deeply");
        temp_close(&t);
    }
}

static void faults_have_lines(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *words, *text;
    } faults[] = {
        {1, "the file has no <model> of its own; models of other files are not read", "<sdf version='1.7'></sdf>"},
        {1, "<sdf> has no version", "<sdf><model name='m'/></sdf>"},
        {1, "the model has no <link>", "<sdf version='1.7'><model name='m'/></sdf>"},
        {1, "the file: <model> has no name", "<sdf version='1.7'><model/></sdf>"},
        {4, "joint 'j': screw joints are not modelled", JOINT("screw", "")},
        {4, "joint 'j': unknown type 'hinge'; revolute, continuous, prismatic, universal, ball or fixed is expected",
         JOINT("hinge", "")},
        {4, "joint 'j': a revolute joint needs <axis>", JOINT("revolute", "")},
        {4, "joint 'j': a universal joint needs <axis2>", JOINT("universal", "<axis><xyz>0 0 1</xyz></axis>")},
        {5, "joint 'j': <axis> has no <xyz>", JOINT("revolute", "<axis/>")},
        {5, "joint 'j': the axis has length 0; give a unit vector", JOINT("revolute", "<axis><xyz>0 0 0</xyz></axis>")},
        {5, "joint 'j': the axis has length 1.1e+06; give a unit vector", JOINT("revolute", "<axis><xyz>0 1.1e6 0</xyz></axis>")},
        {5, "joint 'j': the axis has length 9e-07; give a unit vector", JOINT("revolute", "<axis><xyz>0.9e-6 0 0</xyz></axis>")},
        {5, "joint 'j': damping or friction is negative",
         JOINT("revolute", "<axis><xyz>0 0 1</xyz><dynamics><friction>-2</friction></dynamics></axis>")},
        {5, "joint 'j': a second <pose>; keep one", JOINT("fixed", "<pose/><pose/>")},
        {5, "joint 'j': <pose> needs 7 numbers", JOINT("fixed", "<pose rotation_format='quat_xyzw'>1 2 3 4 5 6</pose>")},
        {5, "joint 'j': <pose>1 2 3 4 5 6 7</pose> needs 0 to 6 numbers", JOINT("fixed", "<pose>1 2 3 4 5 6 7</pose>")},
        {4, "joint 'j': gearbox joints are not modelled", JOINT("gearbox", "")},
        {3, "joint 'j': the text of <parent> is too long",
         MODEL(LINK("a") "<joint name='j' type='fixed'><parent>" LONG LONG LONG LONG LONG "</parent><child>a</child></joint>")},
        {2, "link 'a': the pose of <inertial> is that in its link",
         MODEL("<link name='a'><inertial><pose relative_to='f'/></inertial></link><frame name='f'/>")},
        {5, "joint 'j': <xyz>0 x 0</xyz> is not a number", JOINT("revolute", "<axis><xyz>0 x 0</xyz></axis>")},
        {5, "joint 'j': <xyz>0 0</xyz> needs 3 numbers", JOINT("revolute", "<axis><xyz>0 0</xyz></axis>")},
        {5, "joint 'j': there is no link, joint, frame or model called 'nobody'",
         JOINT("revolute", "<axis><xyz expressed_in='nobody'>0 0 1</xyz></axis>")},
        {5, "joint 'j': there is no link, joint, frame or model called 'nobody'",
         JOINT("fixed", "<pose relative_to='nobody'>0 0 0 0 0 0</pose>")},
        {5, "joint 'j': <pose> needs 6 numbers", JOINT("fixed", "<pose>0 0 0</pose>")},
        {5, "joint 'j': rotation_format 'zyx' is unknown; euler_rpy or quat_xyzw is expected",
         JOINT("fixed", "<pose rotation_format='zyx'/>")},
        {5, "joint 'j': the quaternion of <pose> is zero",
         JOINT("fixed", "<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose>")},
        {5, "joint 'j': lower limit 2 is above upper limit 1",
         JOINT("revolute", "<axis><xyz>0 0 1</xyz><limit><lower>2</lower><upper>1</upper></limit></axis>")},
        {5, "joint 'j': damping or friction is negative",
         JOINT("revolute", "<axis><xyz>0 0 1</xyz><dynamics><damping>-2</damping></dynamics></axis>")},
        {3, "'b': its pose is told in a ring", /* the pose of a joint is in its child where nothing is said */
         MODEL(LINK("a") "<link name='b'><pose relative_to='j'/></link>\n<joint name='j' "
                         "type='fixed'><parent>a</parent><child>b</child></joint>")},
        {2, "joint 'j': there is no link, joint, frame or model called 'x'",
         MODEL("<joint name='j' type='fixed'><parent>x</parent><child>x</child></joint>")},
        {2, "joint 'j': has no <child>", MODEL("<joint name='j' type='fixed'><parent>x</parent></joint>")},
        {3, "joint 'j': has no <parent>", MODEL(LINK("a") "<joint name='j' type='fixed'><child>a</child></joint>")},
        {3, "joint 'j': connects link 'a' to itself",
         MODEL(LINK("a") "<joint name='j' type='fixed'><parent>a</parent><child>a</child></joint>")},
        {2, "'f': its pose is told in a ring",
         MODEL("<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>" LINK("a"))},
        {3, "'f': no link carries it; it is attached in a ring",
         MODEL(LINK("a") "<frame name='f' attached_to='g'><pose relative_to='a'/></frame>"
                         "<frame name='g' attached_to='f'><pose relative_to='a'/></frame>\n"
                         "<joint name='j' type='fixed'><parent>a</parent>\n<child>f</child></joint>")},
        {1, "'__model__': its placement_frame is told in a ring",
         "<sdf version='1.7'><model name='m' placement_frame='f'>\n<frame name='f' attached_to='g'/>"
         "<frame name='g' attached_to='f'/>" LINK("a") "</model></sdf>"},
        {2, "<include>: models of other files are not read; put them in place (gz sdf -p FILE does it)",
         MODEL("<include><uri>model://x</uri></include>")},
        {2, "link 'world': this is the name of the world itself; take another", MODEL("<link name='world'/>")},
        {1, "model 'm': there is no link, joint, frame or model called 'x'",
         "<sdf version='1.7'><model name='m' canonical_link='x'>" LINK("a") "</model></sdf>"},
        {2, "model 'n': there is no link, joint, frame or model called 'x'",
         MODEL("<model name='n' canonical_link='x'>" LINK("a") "</model>")},
        {1, "the model stands in a frame of its world, which is not read: give its <pose> in the world",
         "<sdf version='1.7'><world name='w'><model name='m'><pose relative_to='f'/><static>1</static>" LINK(
             "a") "</model></world></sdf>"},
        {2, "link 'a': an inertia from shapes (auto=\"true\") is not computed; give mass and inertia",
         MODEL("<link name='a'><inertial auto='true'/></link>")},
        {2, "link 'a': <fluid_added_mass> is not modelled",
         MODEL("<link name='a'><inertial><fluid_added_mass/></inertial></link>")},
        {2, "link 'a' is without gravity, others are not: this is not modelled",
         MODEL("<link name='a'><gravity>false</gravity></link>" LINK("b"))},
        {2, "link 'a': <gravity> is true or false, not 'maybe'", MODEL("<link name='a'><gravity>maybe</gravity></link>")},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        temp_folder t = temp_open();
        arne_description *d;
        arne_error e = {0};
        if (!arne_read(temp_write(&t, "r.sdf", faults[i].text), NULL, &d, &e)) fail_msg("%s is read", faults[i].text);
        if (e.line != faults[i].line || !says(e.message, faults[i].words))
            fail_msg("%d: %s, not %d: %s, of %s", e.line, e.message, faults[i].line, faults[i].words, faults[i].text);
        temp_close(&t);
    }
}

static void loops_are_found_where_the_tree_is_built(void **state)
{
    (void)state;
    arne_description *d =
        read_text(MODEL(LINK("a") LINK("b") LINK("c") "<joint name='j' type='fixed'><parent>a</parent><child>c</child></joint>\n"
                                                      "<joint name='k' type='ball'><parent>b</parent><child>c</child></joint>"));
    arne_model *m;
    arne_error e;
    assert_int_equal(arne_model_build(d, NULL, &m, &e), ARNE_BAD_TREE);
    assert_int_equal(e.line, 6);
    assert_non_null(strstr(e.message, "link 'c' has two parents"));
    arne_description_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_of_all_styles_move_as_they_should),
        cmocka_unit_test(links_that_hang_on_nothing_are_free),
        cmocka_unit_test(models_inside_models),
        cmocka_unit_test(limits_springs_and_followers),
        cmocka_unit_test(a_follower_without_a_multiplier_follows_as_it_is),
        cmocka_unit_test(only_continuous_joints_go_round),
        cmocka_unit_test(a_ball_beside_its_link),
        cmocka_unit_test(worlds_and_what_else_is_in_them),
        cmocka_unit_test(what_the_format_takes_for_granted),
        cmocka_unit_test(limits_are_infinite_from_1e16_on),
        cmocka_unit_test(a_follower_may_follow_the_second_axis),
        cmocka_unit_test(one_model_of_several_is_chosen),
        cmocka_unit_test(models_nest_no_deeper_than_32),
        cmocka_unit_test(faults_have_lines),
        cmocka_unit_test(loops_are_found_where_the_tree_is_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
