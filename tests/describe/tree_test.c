/* SPDX-License-Identifier: MIT
 *
 * tree_test.c - the order of joints and bodies, and everything that is no tree: each fault with its line and the name of the
 * culprit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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

static void refuse(const char *const *links, const joint *joints, int line, const char *word)
{
    arne_description *d = robot(links, joints);
    robot_tree *t;
    arne_error e = {0};
    assert_int_equal(arne__tree_build(d, &t, &e), ARNE_BAD_TREE);
    assert_null(t);
    assert_int_equal(e.line, line);
    assert_non_null(strstr(e.message, word));
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

static void no_link_is_no_robot(void **state)
{
    (void)state;
    refuse((const char *const[]){NULL}, (const joint[]){{0}}, 0, "no link");
}

static void two_roots_are_refused(void **state)
{
    (void)state;
    refuse((const char *const[]){"a", "b", "island", NULL}, (const joint[]){{"j", "a", "b", ARNE_REVOLUTE}, {0}}, 12, "island");
}

static void a_ring_has_no_root(void **state)
{
    (void)state;
    refuse((const char *const[]){"a", "b", NULL},
           (const joint[]){{"j", "a", "b", ARNE_REVOLUTE}, {"k", "b", "a", ARNE_REVOLUTE}, {0}}, 10, "loop");
}

static void a_ring_beside_the_tree_is_found(void **state)
{
    (void)state;
    refuse((const char *const[]){"base", "arm", "a", "b", NULL},
           (const joint[]){
               {"ok", "base", "arm", ARNE_REVOLUTE}, {"j", "a", "b", ARNE_REVOLUTE}, {"k", "b", "a", ARNE_REVOLUTE}, {0}},
           21, "'j'");
}

static void a_link_with_two_parents_is_refused(void **state)
{
    (void)state;
    refuse((const char *const[]){"a", "b", "c", NULL},
           (const joint[]){
               {"j", "a", "b", ARNE_REVOLUTE}, {"k", "a", "c", ARNE_REVOLUTE}, {"closing", "b", "c", ARNE_REVOLUTE}, {0}},
           22, "'closing'");
}

static void unknown_links_are_named(void **state)
{
    (void)state;
    const char *const links[] = {"a", "b", NULL};
    refuse(links, (const joint[]){{"j", "nobody", "b", ARNE_REVOLUTE}, {0}}, 20, "'nobody'");
    refuse(links, (const joint[]){{"j", "a", "nothing", ARNE_REVOLUTE}, {0}}, 20, "'nothing'");
}

static void names_are_unique(void **state)
{
    (void)state;
    refuse((const char *const[]){"a", "b", "a", NULL}, (const joint[]){{"j", "a", "b", ARNE_REVOLUTE}, {0}}, 12, "'a'");
    refuse((const char *const[]){"a", "b", "c", NULL},
           (const joint[]){{"j", "a", "b", ARNE_REVOLUTE}, {"j", "b", "c", ARNE_FIXED}, {0}}, 21, "'j'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_numbered_depth_first_in_file_order),
        cmocka_unit_test(no_link_is_no_robot),
        cmocka_unit_test(two_roots_are_refused),
        cmocka_unit_test(a_ring_has_no_root),
        cmocka_unit_test(a_ring_beside_the_tree_is_found),
        cmocka_unit_test(a_link_with_two_parents_is_refused),
        cmocka_unit_test(unknown_links_are_named),
        cmocka_unit_test(names_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
