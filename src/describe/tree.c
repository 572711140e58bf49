/* SPDX-License-Identifier: MIT */
#include "describe/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "describe/pose.h"

#define BAD_TREE(line, ...) arne_fail(error, ARNE_BAD_TREE, d->file, line, __VA_ARGS__)

/* names sorted, to find a link by its name */
typedef struct {
    const char *name;
    int index;
} name_entry;

static int by_name(const void *a, const void *b)
{
    const name_entry *x = a, *y = b;
    const int c = strcmp(x->name, y->name);
    return c ? c : (x->index > y->index) - (x->index < y->index);
}

static int find(const name_entry *names, size_t n, const char *name)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (strcmp(names[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && !strcmp(names[low].name, name) ? names[low].index : -1;
}

/* Sorted entries; *twice is the index of the second of two equal names, or -1. */
static name_entry *sorted(const arne_description *d, bool joints, int *twice)
{
    const size_t n = joints ? d->njoint : d->nlink;
    name_entry *e = malloc((n + 1) * sizeof *e);
    *twice = -1;
    if (!e) return NULL;
    for (size_t i = 0; i < n; i++) e[i] = (name_entry){joints ? d->joints[i].name : d->links[i].name, (int)i};
    qsort(e, n, sizeof *e, by_name);
    for (size_t i = 1; i < n && *twice < 0; i++)
        if (!strcmp(e[i - 1].name, e[i].name)) *twice = e[i].index;
    return e;
}

void arne__tree_free(robot_tree *t)
{
    if (!t) return;
    free(t->link_order); /* the block of all numbers */
    free(t->link_at);
    free(t);
}

static robot_tree *tree_new(const arne_description *d)
{
    robot_tree *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    int **const of_links[] = {&t->link_order, &t->link_joint, &t->link_body};
    int **const of_joints[] = {&t->joint_parent, &t->joint_child, &t->joint_master, &t->body_joint, &t->body_parent, &t->moving};
    int *numbers = calloc(3 * d->nlink + 6 * d->njoint, sizeof *numbers);
    t->link_order = numbers;
    t->link_at = calloc(d->nlink, sizeof *t->link_at);
    if (!numbers || !t->link_at) {
        arne__tree_free(t);
        return NULL;
    }
    for (size_t k = 0; k < 3; k++) *of_links[k] = numbers + k * d->nlink;
    for (size_t k = 0; k < 6; k++) *of_joints[k] = numbers + 3 * d->nlink + k * d->njoint;
    return t;
}

/* A joint follows one of one freedom, and whom it follows in the end moves by itself. Joints that are fixed follow nobody. */
static arne_status follow(const arne_description *d, const name_entry *joints, int *master, arne_error *error)
{
    for (size_t i = 0; i < d->njoint; i++) {
        const arne_joint_description *j = &d->joints[i];
        master[i] = -1;
        if (!j->master || j->type == ARNE_FIXED) continue;
        master[i] = find(joints, d->njoint, j->master);
        if (master[i] < 0) return BAD_TREE(j->line, "joint '%s' follows '%s', but no joint has this name", j->name, j->master);
        if (master[i] == (int)i) return BAD_TREE(j->line, "joint '%s' follows itself", j->name);
        const arne_joint_type type = d->joints[master[i]].type;
        if (type == ARNE_FIXED)
            return BAD_TREE(j->line, "joint '%s' follows '%s', which does not move: make both fixed, or none", j->name,
                            j->master);
        if (arne__joint_is_wide(type) || arne__joint_is_wide(j->type))
            return BAD_TREE(j->line, "joint '%s' follows '%s': only joints of one freedom can follow each other", j->name,
                            j->master);
        if (!isfinite(j->ratio) || !isfinite(j->offset))
            return BAD_TREE(j->line, "joint '%s' follows '%s' with a number that is not finite", j->name, j->master);
    }
    /* who was seen on a walk is not walked again */
    int *seen = calloc(d->njoint + 1, sizeof *seen);
    if (!seen) return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    arne_status status = ARNE_OK;
    for (int i = 0; i < (int)d->njoint && !status; i++) {
        int k = i;
        for (; k >= 0 && !seen[k]; k = master[k]) seen[k] = i + 1;
        if (k >= 0 && seen[k] == i + 1)
            status = BAD_TREE(d->joints[k].line,
                              "joint '%s' follows '%s', which follows it in turn: one of a ring must move by itself",
                              d->joints[k].name, d->joints[k].master);
    }
    free(seen);
    return status;
}

/* parent and child links of every joint, joint of every link */
static arne_status connect(const arne_description *d, robot_tree *t, arne_error *error)
{
    int twice_link, twice_joint;
    name_entry *links = sorted(d, false, &twice_link), *joints = sorted(d, true, &twice_joint);
    arne_status status = ARNE_OK;
    if (!links || !joints) status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    if (!status && twice_link >= 0)
        status = BAD_TREE(d->links[twice_link].line, "two links are called '%s': rename one", d->links[twice_link].name);
    if (!status && twice_joint >= 0)
        status = BAD_TREE(d->joints[twice_joint].line, "two joints are called '%s': rename one", d->joints[twice_joint].name);
    if (!status && d->tip && (t->tip = find(links, d->nlink, d->tip)) < 0)
        status = BAD_TREE(0, "there is no link called '%s', which is said to be the tip", d->tip);
    for (size_t i = 0; i < d->nlink; i++) t->link_joint[i] = -1;
    for (size_t i = 0; i < d->njoint && !status; i++) {
        const arne_joint_description *j = &d->joints[i];
        const int parent = find(links, d->nlink, j->parent), child = find(links, d->nlink, j->child);
        if (parent < 0 || child < 0)
            status = BAD_TREE(j->line, "joint '%s': there is no link called '%s'", j->name, parent < 0 ? j->parent : j->child);
        else if (t->link_joint[child] >= 0)
            status = BAD_TREE(j->line, "link '%s' has two parents, by joint '%s' and by joint '%s': arne needs a tree", j->child,
                              d->joints[t->link_joint[child]].name, j->name);
        else {
            t->joint_parent[i] = parent;
            t->joint_child[i] = child;
            t->link_joint[child] = (int)i;
        }
    }
    if (!status) status = follow(d, joints, t->joint_master, error);
    free(links);
    free(joints);
    return status;
}

static arne_status find_root(const arne_description *d, const robot_tree *t, int *root, arne_error *error)
{
    *root = -1;
    for (size_t i = 0; i < d->nlink; i++) {
        if (t->link_joint[i] >= 0) continue;
        if (*root >= 0)
            return BAD_TREE(d->links[i].line, "two links have no parent, '%s' and '%s': join them by a joint (fixed, or free)",
                            d->links[*root].name, d->links[i].name);
        *root = (int)i;
    }
    if (*root < 0) return BAD_TREE(d->links[0].line, "no link is the base: every link has a parent, so the joints form a loop");
    return ARNE_OK;
}

/* depth first in file order; merges fixed joints */
static arne_status walk(const arne_description *d, robot_tree *t, int root, arne_error *error)
{
    int *first = malloc((3 * d->nlink + d->njoint + 1) * sizeof *first);
    if (!first) return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    int *stack = first + d->nlink, *beyond = stack + d->nlink,
        *next = beyond + d->nlink; /* beyond: fixed joints since one moves */
    for (size_t i = 0; i < d->nlink; i++) first[i] = -1;
    /* lists of the joints below a link: the stack turns file order round, so do the lists */
    for (size_t i = 0; i < d->njoint; i++) {
        next[i] = first[t->joint_parent[i]];
        first[t->joint_parent[i]] = (int)i;
    }
    size_t depth = 0, seen = 0;
    stack[depth++] = root;
    while (depth) {
        const int link = stack[--depth], joint = t->link_joint[link];
        t->link_order[seen++] = link;
        beyond[link] = 0;
        if (joint < 0) {
            t->link_body[link] = -1;
            t->link_at[link] = arne__pose_identity();
        } else {
            const arne_joint_description *j = &d->joints[joint];
            const int parent = t->joint_parent[joint];
            if (j->type == ARNE_FIXED) {
                const arne_pose across = arne__pose_mul(&j->before, &j->after);
                beyond[link] = beyond[parent] + 1;
                t->link_body[link] = t->link_body[parent];
                t->link_at[link] = arne__pose_mul(&t->link_at[parent], &across);
            } else {
                t->body_joint[t->nbody] = joint;
                t->body_parent[t->nbody] = t->link_body[parent];
                t->link_body[link] = t->nbody++;
                t->link_at[link] = arne__pose_identity();
            }
        }
        if (!d->tip && t->link_body[link] == t->nbody - 1 && (!beyond[link] || beyond[link] >= beyond[t->tip])) t->tip = link;
        for (int i = first[link]; i >= 0; i = next[i]) stack[depth++] = t->joint_child[i];
    }
    free(first);
    if (seen < d->nlink)
        for (size_t i = 0; i < d->njoint; i++) {
            bool reached = false;
            for (size_t k = 0; k < seen && !reached; k++) reached = t->link_order[k] == t->joint_child[i];
            if (!reached)
                return BAD_TREE(d->joints[i].line, "joint '%s' is part of a loop: link '%s' does not hang on the base '%s'",
                                d->joints[i].name, d->joints[i].child, d->links[root].name);
        }
    size_t k = 0;
    for (size_t i = 0; i < d->njoint; i++)
        if (d->joints[i].type != ARNE_FIXED) t->moving[k++] = t->link_body[t->joint_child[i]];
    return ARNE_OK;
}

arne_status arne__tree_build(const arne_description *d, robot_tree **out, arne_error *error)
{
    *out = NULL;
    if (d->nlink == 0) return BAD_TREE(0, "the robot has no link");
    robot_tree *t = tree_new(d);
    if (!t) return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    int root;
    arne_status status = connect(d, t, error);
    if (!status) status = find_root(d, t, &root, error);
    if (!status) status = walk(d, t, root, error);
    if (status)
        arne__tree_free(t);
    else
        *out = t;
    return status;
}
