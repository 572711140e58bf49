/* SPDX-License-Identifier: MIT
 *
 * tree_test.c - the order of joints and bodies, and everything that is no tree: each fault with its line and the name of the
 * culprit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "describe/tree.h"

typedef struct {
    const char *name, *parent, *child;
    arne_joint_type type;
} joint;

static arne_description *robot(const char *const *links, const joint *joints)
{
    arne_description *d = arne_description_new("robot");
    assert_non_null(d);
    for (int i = 0; links[i]; i++) assert_non_null(arne_description_link(d, links[i], 10 + i));
    for (int i = 0; joints[i].name; i++)
        assert_non_null(arne_description_joint(d, joints[i].name, 20 + i, joints[i].type, joints[i].parent, joints[i].child));
    return d;
}

static void refuse(const char *const *links, const joint *joints, int line, const char *sentence)
{
    arne_description *d = robot(links, joints);
    d->file = strdup("arm.yaml");
    robot_tree *t;
    arne_error e = {0};
    assert_int_equal(arne__tree_build(d, &t, &e), ARNE_BAD_TREE);
    assert_null(t);
    assert_int_equal(e.line, line);
    assert_string_equal(e.file, "arm.yaml");
    assert_string_equal(e.message, sentence);
    arne_description_free(d);
}

static void joints_are_numbered_depth_first_in_file_order(void **state)
{
    (void)state;
    const char *const links[] = {"tip", "base", "left", "right", "hand", NULL};
    /* base -> right (fixed) -> hand; base -> left -> tip; the joints of the base in file order */
    const joint joints[] = {{"grip", "right", "hand", ARNE_PRISMATIC},
                            {"shoulder", "base", "left", ARNE_REVOLUTE},
                            {"bolt", "base", "right", ARNE_FIXED},
                            {"elbow", "left", "tip", ARNE_REVOLUTE},
                            {0}};
    arne_description *d = robot(links, joints);
    robot_tree *t;
    assert_int_equal(arne__tree_build(d, &t, NULL), ARNE_OK);
    const int order[] = {1, 2, 0, 3, 4}, body_joint[] = {1, 3, 0}, body_parent[] = {-1, 0, -1}, moving[] = {2, 0, 1};
    assert_int_equal(t->nbody, 3);
    assert_memory_equal(t->link_order, order, sizeof order);
    assert_memory_equal(t->body_joint, body_joint, sizeof body_joint);
    assert_memory_equal(t->body_parent, body_parent, sizeof body_parent);
    assert_memory_equal(t->moving, moving, sizeof moving);
    assert_int_equal(t->link_body[3], -1); /* bolted to the base */
    arne__tree_free(t);
    arne_description_free(d);
}

static void expect_tip(const arne_description *d, const char *name)
{
    robot_tree *t;
    assert_int_equal(arne__tree_build(d, &t, NULL), ARNE_OK);
    assert_string_equal(d->links[t->tip].name, name);
    arne__tree_free(t);
}

static void the_tip_is_the_deepest_link_beyond_the_last_moving_joint(void **state)
{
    (void)state;
    const char *const links[] = {"world", "arm", "flange", "tool0", "sensor", "mark", "lamp", NULL};
    const joint joints[] = {{"turn", "world", "arm", ARNE_REVOLUTE},
                            {"f", "arm", "flange", ARNE_FIXED},
                            {"t", "flange", "tool0", ARNE_FIXED},
                            {"s", "arm", "sensor", ARNE_FIXED},
                            {"m", "world", "mark", ARNE_FIXED},
                            {"l", "mark", "lamp", ARNE_FIXED},
                            {0}};
    arne_description *d = robot(links, joints);
    expect_tip(d, "tool0"); /* not sensor, less deep, nor lamp, which nothing moves */
    free(d->joints[3].parent);
    d->joints[3].parent = strdup("flange");
    expect_tip(d, "sensor"); /* as deep: the last of them */
    d->joints[0].type = ARNE_FIXED;
    expect_tip(d, "sensor"); /* nothing moves: the deepest of all */
    arne_description_free(d);
}

static void a_tool_becomes_the_tip(void **state)
{
    (void)state;
    const char *const links[] = {"world", "arm", "tool", NULL};
    const joint joints[] = {{"turn", "world", "arm", ARNE_REVOLUTE}, {"fix", "world", "tool", ARNE_FIXED}, {0}};
    const double at[3] = {0.1, -0.2, 0.3};
    arne_description *d = robot(links, joints);
    arne_error e;
    expect_tip(d, "arm");
    assert_int_equal(arne_description_tool(d, NULL, at, &e), ARNE_OK);
    expect_tip(d, "tool_"); /* tool is taken */
    assert_string_equal(d->joints[2].parent, "arm");
    for (int k = 0; k < 3; k++) assert_true(d->joints[2].before.p[k] == at[k]);
    const arne_pose by_dh = arne_pose_mdh(d->joints[2].dh); /* of files that have nothing else */
    for (int k = 0; k < 3; k++) assert_true(fabs(by_dh.p[k] - at[k]) < 1e-15);
    for (int k = 0; k < 9; k++) assert_true(fabs(by_dh.R[k] - (k % 4 == 0)) < 1e-15);
    assert_int_equal(arne_description_tool(d, "world", at, &e), ARNE_OK);
    expect_tip(d, "tool__"); /* whatever it is fixed to */
    assert_int_equal(arne_description_tool(d, "wrld", at, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "the robot has no link 'wrld' for a tool");
    for (int k = 0; k < 3; k++) {
        double nowhere[3] = {0};
        nowhere[k] = NAN;
        assert_int_equal(arne_description_tool(d, NULL, nowhere, &e), ARNE_BAD_VALUE);
        assert_string_equal(e.message, "the place of the tool must be finite");
    }
    assert_int_equal(arne_description_tool(NULL, NULL, at, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_description_tool(d, NULL, NULL, &e), ARNE_BAD_ARGUMENT);
    expect_tip(d, "tool__");
    free(d->tip);
    d->tip = strdup("nobody");
    robot_tree *t;
    assert_int_equal(arne__tree_build(d, &t, &e), ARNE_BAD_TREE);
    assert_string_equal(e.message, "there is no link called 'nobody', which is said to be the tip");
    arne_description_free(d);
}

/* a joint may have the name of the tool as well as a link */
static void a_tool_has_a_name_of_its_own(void **state)
{
    (void)state;
    const char *const links[] = {"world", "arm", "hand", NULL};
    const joint joints[] = {{"tool", "world", "arm", ARNE_REVOLUTE}, {"tool_", "arm", "hand", ARNE_FIXED}, {0}};
    const double at[3] = {1, 2, 3};
    arne_description *d = robot(links, joints);
    assert_int_equal(arne_description_tool(d, "arm", at, NULL), ARNE_OK);
    assert_string_equal(d->tip, "tool__");
    assert_string_equal(d->joints[2].name, "tool__");
    assert_string_equal(d->joints[2].parent, "arm");
    assert_string_equal(d->joints[2].child, "tool__");
    assert_string_equal(d->links[3].name, "tool__");
    assert_int_equal(d->joints[2].type, ARNE_FIXED);
    assert_true(d->joints[2].line == 0 && d->links[3].line == 0); /* no file has it */
    arne_description_free(d);
}

/* The base of a file floats or is held; what flies further out is left as it is. */
static void a_base_is_freed_and_held(void **state)
{
    (void)state;
    const char *const links[] = {"arm", "body", "bird", "world", "world_", NULL};
    const joint joints[] = {{"base", "body", "arm", ARNE_REVOLUTE},
                            {"flight", "arm", "bird", ARNE_FREE},
                            {"base_", "arm", "world", ARNE_FIXED},
                            {"mark", "arm", "world_", ARNE_FIXED},
                            {0}};
    arne_description *d = robot(links, joints);
    arne_error e;
    const arne_base_choice kept[] = {ARNE_BASE_FILE, ARNE_BASE_FIXED};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(arne_description_base(d, kept[k], &e), ARNE_OK);
        assert_true(d->njoint == 4 && d->nlink == 5 && d->joints[1].type == ARNE_FREE);
    }
    for (int times = 0; times < 2; times++) { /* twice is once */
        assert_int_equal(arne_description_base(d, ARNE_BASE_FREE, &e), ARNE_OK);
        assert_true(d->njoint == 5 && d->nlink == 6);
    }
    const arne_joint_description *j = &d->joints[4];
    assert_string_equal(j->name, "base__"); /* the other names are taken */
    assert_string_equal(j->parent, "world__");
    assert_string_equal(j->child, "body");
    assert_string_equal(d->links[5].name, "world__");
    assert_int_equal(j->type, ARNE_FREE);
    assert_true(j->line == 0 && d->links[5].line == 0);
    assert_int_equal(arne_description_base(d, ARNE_BASE_FIXED, &e), ARNE_OK);
    assert_true(d->njoint == 5 && d->joints[4].type == ARNE_FIXED && d->joints[1].type == ARNE_FREE);
    assert_int_equal(arne_description_base(NULL, ARNE_BASE_FREE, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_description_base(d, (arne_base_choice)(ARNE_BASE_FREE + 1), &e), ARNE_BAD_ARGUMENT);
    assert_string_equal(e.message, "a description and a choice of its base are needed");
    arne_description_free(d);
    d = arne_description_new("nothing"); /* what is wrong with it is said later */
    assert_int_equal(arne_description_base(d, ARNE_BASE_FREE, &e), ARNE_OK);
    assert_int_equal(d->njoint, 0);
    arne_description_free(d);
}

static void followers_are_made_independent(void **state)
{
    (void)state;
    const char *const links[] = {"base", "a", "b", "c", NULL};
    const joint joints[] = {
        {"i", "base", "a", ARNE_REVOLUTE}, {"j", "a", "b", ARNE_REVOLUTE}, {"k", "b", "c", ARNE_REVOLUTE}, {0}};
    arne_description *d = robot(links, joints);
    arne_error e;
    for (int k = 0; k < 3; k += 2) arne_description_follow(&d->joints[k], "j", 2, 1);
    assert_int_equal(arne_description_mimic(d, ARNE_MIMIC_FOLLOW, &e), ARNE_OK);
    assert_true(d->joints[0].master && d->joints[2].master);
    assert_int_equal(arne_description_mimic(d, ARNE_MIMIC_INDEPENDENT, &e), ARNE_OK);
    for (int k = 0; k < 3; k++) assert_null(d->joints[k].master);
    assert_int_equal(arne_description_mimic(NULL, ARNE_MIMIC_FOLLOW, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_description_mimic(d, (arne_mimic_choice)(ARNE_MIMIC_INDEPENDENT + 1), &e), ARNE_BAD_ARGUMENT);
    assert_string_equal(e.message, "a description and a choice of its joints that follow are needed");
    arne_description_free(d);
}

static void no_link_is_no_robot(void **state)
{
    (void)state;
    refuse((const char *const[]){NULL}, (const joint[]){{0}}, 0, "the robot has no link");
}

static void two_roots_are_refused(void **state)
{
    (void)state;
    refuse((const char *const[]){"a", "b", "island", NULL}, (const joint[]){{"j", "a", "b", ARNE_REVOLUTE}, {0}}, 12,
           "two links have no parent, 'a' and 'island': join them by a joint (fixed, or free)");
}

static void a_ring_has_no_root(void **state)
{
    (void)state;
    refuse((const char *const[]){"a", "b", NULL},
           (const joint[]){{"j", "a", "b", ARNE_REVOLUTE}, {"k", "b", "a", ARNE_REVOLUTE}, {0}}, 10,
           "no link is the base: every link has a parent, so the joints form a loop");
}

static void a_ring_beside_the_tree_is_found(void **state)
{
    (void)state;
    refuse((const char *const[]){"base", "arm", "a", "b", NULL},
           (const joint[]){
               {"ok", "base", "arm", ARNE_REVOLUTE}, {"j", "a", "b", ARNE_REVOLUTE}, {"k", "b", "a", ARNE_REVOLUTE}, {0}},
           21, "joint 'j' is part of a loop: link 'b' does not hang on the base 'base'");
}

static void a_link_with_two_parents_is_refused(void **state)
{
    (void)state;
    refuse((const char *const[]){"a", "b", "c", NULL},
           (const joint[]){
               {"j", "a", "b", ARNE_REVOLUTE}, {"k", "a", "c", ARNE_REVOLUTE}, {"closing", "b", "c", ARNE_REVOLUTE}, {0}},
           22, "link 'c' has two parents, by joint 'k' and by joint 'closing': arne needs a tree");
}

static void unknown_links_are_named(void **state)
{
    (void)state;
    const char *const links[] = {"a", "b", NULL};
    refuse(links, (const joint[]){{"j", "nobody", "b", ARNE_REVOLUTE}, {0}}, 20, "joint 'j': there is no link called 'nobody'");
    refuse(links, (const joint[]){{"j", "a", "nothing", ARNE_REVOLUTE}, {0}}, 20, "joint 'j': there is no link called 'nothing'");
}

static void names_are_unique(void **state)
{
    (void)state;
    refuse((const char *const[]){"a", "b", "a", NULL}, (const joint[]){{"j", "a", "b", ARNE_REVOLUTE}, {0}}, 12,
           "two links are called 'a': rename one");
    refuse((const char *const[]){"a", "b", "c", NULL},
           (const joint[]){{"j", "a", "b", ARNE_REVOLUTE}, {"j", "b", "c", ARNE_FIXED}, {0}}, 21,
           "two joints are called 'j': rename one");
}

/* two joints on the base and one behind; `master` of the second, NULL: of none */
static void follow(const char *first, const char *second, const char *third, int line, const char *sentence)
{
    const char *const links[] = {"base", "a", "b", "c", "d", NULL}, *const masters[] = {first, second, third};
    const joint joints[] = {{"i", "base", "a", ARNE_REVOLUTE},
                            {"j", "base", "b", ARNE_PRISMATIC},
                            {"k", "b", "c", ARNE_REVOLUTE},
                            {"ball", "c", "d", ARNE_SPHERICAL},
                            {0}};
    arne_description *d = robot(links, joints);
    robot_tree *t;
    arne_error e = {0};
    for (int i = 0; i < 3; i++)
        if (masters[i]) assert_int_equal(arne_description_follow(&d->joints[i], masters[i], 2, 1), ARNE_OK);
    assert_int_equal(arne__tree_build(d, &t, &e), line ? ARNE_BAD_TREE : ARNE_OK);
    assert_int_equal(e.line, line);
    if (line) assert_string_equal(e.message, sentence);
    arne__tree_free(t);
    if (!line && third) { /* a joint that does not move neither follows nor leads */
        d->joints[2].type = ARNE_FIXED;
        free(d->joints[2].master);
        d->joints[2].master = strdup("nobody");
        assert_int_equal(arne__tree_build(d, &t, &e), ARNE_OK);
        arne__tree_free(t);
    }
    arne_description_free(d);
}

static void joints_follow_others_that_move_by_themselves(void **state)
{
    (void)state;
    follow("j", NULL, "i", 0, NULL); /* whom one follows may follow another, and may stand further down */
    follow("k", "k", NULL, 0, NULL);
    follow("nobody", NULL, NULL, 20, "joint 'i' follows 'nobody', but no joint has this name");
    follow(NULL, NULL, "k", 22, "joint 'k' follows itself");
    follow("j", "i", NULL, 20, "joint 'i' follows 'j', which follows it in turn: one of a ring must move by itself");
    follow("j", "k", "i", 20, "joint 'i' follows 'j', which follows it in turn: one of a ring must move by itself");
    follow("j", "k", "j", 21,
           "joint 'j' follows 'k', which follows it in turn: one of a ring must move by itself"); /* the first is not in it */
    follow(NULL, "ball", NULL, 21, "joint 'j' follows 'ball': only joints of one freedom can follow each other");
}

static void followers_of_what_cannot_lead_are_refused(void **state)
{
    (void)state;
    const char *const links[] = {"base", "a", "b", NULL};
    const joint joints[] = {{"bolt", "base", "a", ARNE_FIXED}, {"ball", "a", "b", ARNE_FREE}, {0}};
    arne_description *d = robot(links, joints);
    robot_tree *t;
    arne_error e;
    arne_description_follow(&d->joints[1], "bolt", 1, 0);
    assert_int_equal(arne__tree_build(d, &t, &e), ARNE_BAD_TREE);
    assert_string_equal(e.message, "joint 'ball' follows 'bolt', which does not move: make both fixed, or none");
    assert_int_equal(e.line, 21);
    d->joints[0].type = ARNE_REVOLUTE;
    assert_int_equal(arne__tree_build(d, &t, &e), ARNE_BAD_TREE);
    assert_string_equal(e.message, "joint 'ball' follows 'bolt': only joints of one freedom can follow each other");
    d->joints[1].type = ARNE_REVOLUTE;
    for (int k = 0; k < 2; k++) {
        d->joints[1].ratio = k ? 1 : NAN;
        d->joints[1].offset = k ? INFINITY : 0;
        assert_int_equal(arne__tree_build(d, &t, &e), ARNE_BAD_TREE);
        assert_string_equal(e.message, "joint 'ball' follows 'bolt' with a number that is not finite");
    }
    arne_description_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_numbered_depth_first_in_file_order),
        cmocka_unit_test(the_tip_is_the_deepest_link_beyond_the_last_moving_joint),
        cmocka_unit_test(a_tool_becomes_the_tip),
        cmocka_unit_test(a_tool_has_a_name_of_its_own),
        cmocka_unit_test(a_base_is_freed_and_held),
        cmocka_unit_test(followers_are_made_independent),
        cmocka_unit_test(no_link_is_no_robot),
        cmocka_unit_test(two_roots_are_refused),
        cmocka_unit_test(a_ring_has_no_root),
        cmocka_unit_test(a_ring_beside_the_tree_is_found),
        cmocka_unit_test(a_link_with_two_parents_is_refused),
        cmocka_unit_test(unknown_links_are_named),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(joints_follow_others_that_move_by_themselves),
        cmocka_unit_test(followers_of_what_cannot_lead_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
