/* SPDX-License-Identifier: MIT
 *
 * yaml_robot.c - reads arne's own robot files.
 *
 * Joints have Denavit-Hartenberg numbers (convention dh or mdh), or origin and axis (convention urdf), or come from a URDF file
 * to which motors, friction, elasticity and limits are added. The names of all joints are read first: a parent may stand below
 * its child in the file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/matrix.h"
#include "file/formats.h"
#include "file/yaml_joint.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const size_t MOST_JOINTS = 10000;

typedef struct {
    const yaml_node_t *node;
    const char *name, *link, *parent; /* of the joint, of its link, of the joint that carries it or NULL */
} joint_names;

typedef struct {
    const char *name, *base, *convention, *urdf;
    const yaml_node_t *source, *gravity, *joint_list, *base_link, *transmission, *tool;
    yaml_frames frames;
    bool floating;
    size_t njoint;
    joint_names *joints;
} robot_text;

/* ---- names ---- */

/* The text of a key; *text stays where the key is absent. */
static arne_status find_string(yaml_reader *r, const yaml_node_t *node, const char *key, const char **text)
{
    const yaml_node_t *value = arne__yaml_find(r, node, key);
    if (!value) return ARNE_OK;
    r->key = key;
    arne_status status = arne__yaml_string(r, value, text);
    r->key = NULL;
    return status;
}

static arne_status read_names(yaml_reader *r, robot_text *robot, size_t i)
{
    joint_names *joint = &robot->joints[i];
    snprintf(r->where, sizeof r->where, "joint %zu", i + 1);
    if (joint->node->type != YAML_MAPPING_NODE)
        return arne__yaml_fail(r, joint->node, "keys and values are expected, like name: j1");
    arne_status status = find_string(r, joint->node, "name", &joint->name);
    if (status) return status;
    if (!joint->name) return arne__yaml_fail(r, joint->node, "has no name");
    snprintf(r->where, sizeof r->where, "joint '%.100s'", joint->name);
    joint->link = joint->name;
    const yaml_node_t *link = arne__yaml_find(r, joint->node, "link");
    if (link) status = find_string(r, link, "name", &joint->link);
    return status ? status : find_string(r, joint->node, "parent", &joint->parent);
}

static arne_status read_all_names(yaml_reader *r, robot_text *robot)
{
    if (!robot->joint_list) return ARNE_OK;
    r->key = "joints";
    arne_status status = arne__yaml_list(r, robot->joint_list, &robot->njoint);
    if (!status && robot->njoint > MOST_JOINTS)
        status = arne__yaml_fail(r, robot->joint_list, "more than %zu joints", MOST_JOINTS);
    r->key = NULL;
    if (status) return status;
    robot->joints = calloc(robot->njoint + 1, sizeof *robot->joints);
    if (!robot->joints) return arne__yaml_no_memory(r);
    for (size_t i = 0; i < robot->njoint && !status; i++) {
        robot->joints[i].node = arne__yaml_item(r, robot->joint_list, i);
        status = read_names(r, robot, i);
    }
    return status;
}

/* ---- a robot of our own ---- */

/* *link = the link that carries joint i: of the joint named by `parent`, else of the joint before, or the base. */
static arne_status parent_link(yaml_reader *r, const robot_text *robot, size_t i, const char **link)
{
    const char *parent = robot->joints[i].parent;
    *link = i == 0 ? robot->base : robot->joints[i - 1].link;
    if (!parent) return ARNE_OK;
    const yaml_node_t *value = arne__yaml_find(r, robot->joints[i].node, "parent");
    if (strcmp(parent, robot->joints[i].name) == 0) return arne__yaml_fail(r, value, "is its own parent");
    for (size_t k = 0; k < robot->njoint; k++) {
        *link = robot->joints[k].link;
        if (strcmp(robot->joints[k].name, parent) == 0) return ARNE_OK;
    }
    *link = robot->base;
    if (strcmp(parent, "base") == 0 || strcmp(parent, robot->base) == 0) return ARNE_OK;
    nearest near = {.word = parent};
    arne__nearest_offer(&near, robot->base);
    for (size_t k = 0; k < robot->njoint; k++)
        if (k != i) arne__nearest_offer(&near, robot->joints[k].name);
    return arne__yaml_fail(r, value, "its parent '%.60s' is no joint of this file; did you mean '%.60s'?", parent,
                           near.best[0] ? near.best : robot->base);
}

/* A joint is sometimes fixed for a while, and its motor left where it stands. */
static void warn_unused(yaml_reader *r, const joint_names *names, arne_description *d)
{
    static const char *const keys[] = {"limits", "motor", "friction", "elastic", "mimic"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        const yaml_node_t *value = arne__yaml_find(r, names->node, keys[i]);
        if (value)
            arne_description_warn(d, arne__yaml_line(value), "joint '%s' is fixed: its %s is not used", names->name, keys[i]);
    }
}

static arne_status add_joint(yaml_reader *r, const robot_text *robot, size_t i, arne_description *d)
{
    const joint_names *names = &robot->joints[i];
    const char *parent;
    yaml_joint_type type = {0};
    snprintf(r->where, sizeof r->where, "joint '%.100s'", names->name);
    arne_status status = arne__yaml_joint_type(r, names->node, &type);
    if (!status) status = parent_link(r, robot, i, &parent);
    if (status) return status;
    int line = arne__yaml_line(names->node);
    arne_link_description *link = arne_description_link(d, names->link, line);
    arne_joint_description *joint = link ? arne_description_joint(d, names->name, line, type.type, parent, names->link) : NULL;
    if (!joint) return arne__yaml_no_memory(r);
    if (type.row) {
        arne_body body = link->body; /* links between move the list */
        const size_t own = d->nlink - 1;
        status = arne__yaml_row(r, names->node, robot->frames, type.row, d, &body);
        d->links[own].body = body;
        return status;
    }
    status = arne__yaml_joint(r, names->node, robot->frames, joint, &link->body);
    if (!status && type.type == ARNE_FIXED) warn_unused(r, names, d);
    return status;
}

static arne_status find_frames(yaml_reader *r, const yaml_node_t *root, robot_text *robot)
{
    static const struct {
        const char *word;
        yaml_frames frames;
    } table[] = {{"dh", FRAMES_DH}, {"mdh", FRAMES_MDH}, {"urdf", FRAMES_URDF}};
    robot->frames = FRAMES_UNTOLD;
    for (size_t i = 0; robot->convention && i < COUNT(table); i++)
        if (strcmp(robot->convention, table[i].word) == 0) robot->frames = table[i].frames;
    if (!robot->convention || robot->frames != FRAMES_UNTOLD) return ARNE_OK;
    return arne__yaml_fail(r, arne__yaml_find(r, root, "convention"), "unknown convention '%.40s'; dh, mdh or urdf is expected",
                           robot->convention);
}

static arne_status own_robot(yaml_reader *r, const yaml_node_t *root, robot_text *robot, arne_description **out)
{
    char stem[256];
    arne_status status = find_frames(r, root, robot);
    if (status) return status;
    if (!robot->joint_list) return arne__yaml_fail(r, root, "the file has no joints: give `joints:`, or `urdf: FILE`");
    arne__file_stem(r->file, stem, sizeof stem);
    arne_description *d = *out = arne_description_new(robot->name ? robot->name : stem);
    if (!d || !(d->file = strdup(r->file))) return arne__yaml_no_memory(r);
    if (!robot->base) robot->base = "base";
    arne_link_description *base = arne_description_link(d, robot->base, robot->base_link ? arne__yaml_line(robot->base_link) : 0);
    if (!base) return arne__yaml_no_memory(r);
    if (robot->base_link) {
        snprintf(r->where, sizeof r->where, "base_link");
        if ((status = arne__yaml_body(r, robot->base_link, &base->body))) return status;
    }
    d->mdh = robot->frames == FRAMES_MDH && robot->njoint > 0; /* a row ends it */
    for (size_t i = 0; i < robot->njoint && !status; i++) status = add_joint(r, robot, i, d);
    return status;
}

/* ---- a robot from URDF ---- */

static arne_status amend_joint(yaml_reader *r, const joint_names *names, arne_description *d, bool *seen)
{
    snprintf(r->where, sizeof r->where, "joint '%.100s'", names->name);
    size_t i = 0;
    while (i < d->njoint && strcmp(d->joints[i].name, names->name) != 0) i++;
    if (i == d->njoint) {
        nearest near = {.word = names->name};
        for (size_t k = 0; k < d->njoint; k++) arne__nearest_offer(&near, d->joints[k].name);
        return near.best[0]
                   ? arne__yaml_fail(r, names->node, "the URDF file has no such joint; did you mean '%.100s'?", near.best)
                   : arne__yaml_fail(r, names->node, "the URDF file has no such joint");
    }
    if (seen[i]) return arne__yaml_fail(r, names->node, "is given twice");
    seen[i] = true;
    arne_body unused = {.mass = 0};
    return arne__yaml_joint(r, names->node, FRAMES_IN_URDF, &d->joints[i], &unused);
}

/* Reads the URDF file; a relative path starts at the folder of the YAML file. */
static arne_status load_urdf(yaml_reader *r, const yaml_node_t *root, const robot_text *robot, arne_description **out)
{
    const char *slash = strrchr(r->file, '/');
    int folder = slash && robot->urdf[0] != '/' ? (int)(slash - r->file) + 1 : 0;
    size_t size = (size_t)folder + strlen(robot->urdf) + 1;
    char *path = malloc(size);
    if (!path) return arne__yaml_no_memory(r);
    snprintf(path, size, "%.*s%s", folder, r->file, robot->urdf);
    arne_error error = {.status = ARNE_OK};
    arne_status status = arne__xml_read(path, NULL, out, &error);
    if (status == ARNE_NO_FILE)
        arne_fail(r->error, status, r->file, arne__yaml_line(arne__yaml_find(r, root, "urdf")), "urdf: '%.150s': %.200s", path,
                  error.message);
    else if (status && r->error)
        *r->error = error;
    free(path);
    return status;
}

static arne_status robot_from_urdf(yaml_reader *r, const yaml_node_t *root, const robot_text *robot, arne_description **out)
{
    static const char *const keys[] = {"convention", "base", "base_link"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        const yaml_node_t *value = arne__yaml_find(r, root, keys[i]);
        if (value) return arne__yaml_fail(r, value, "key '%s' is the URDF file's to say; leave it out", keys[i]);
    }
    arne_status status = load_urdf(r, root, robot, out);
    if (status) return status;
    arne_description *d = *out;
    if (robot->name) {
        char *name = strdup(robot->name);
        if (!name) return arne__yaml_no_memory(r);
        free(d->name);
        d->name = name;
    }
    bool *seen = calloc(d->njoint + 1, sizeof *seen);
    if (!seen) return arne__yaml_no_memory(r);
    for (size_t i = 0; i < robot->njoint && !status; i++) status = amend_joint(r, &robot->joints[i], d, seen);
    free(seen);
    return status;
}

/* ---- the whole robot ---- */

/* A text, or a list of texts that are joined. */
static arne_status read_source(yaml_reader *r, const yaml_node_t *node, char **source)
{
    bool many = node->type == YAML_SEQUENCE_NODE;
    size_t count = 1, size = 1;
    arne_status status = many ? arne__yaml_list(r, node, &count) : ARNE_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const char *text;
        if ((status = arne__yaml_string(r, many ? arne__yaml_item(r, node, i) : node, &text))) break;
        size_t more = strlen(text) + 2;
        char *longer = realloc(*source, size + more);
        if (!longer) return arne__yaml_no_memory(r);
        snprintf(longer + size - 1, more + 1, "%s%s", i ? "; " : "", text);
        size += strlen(longer + size - 1);
        *source = longer;
    }
    return status;
}

/* Rows and columns scaled to 1; false: one of them is zero. */
static bool scale(size_t n, double *a)
{
    for (size_t pass = 0; pass < 2; pass++) {
        size_t along = pass ? n : 1, across = pass ? 1 : n;
        for (size_t i = 0; i < n; i++) {
            double largest = 0;
            for (size_t j = 0; j < n; j++) largest = fmax(largest, fabs(a[i * across + j * along]));
            if (largest == 0) return false;
            for (size_t j = 0; j < n; j++) a[i * across + j * along] /= largest;
        }
    }
    return true;
}

static arne_status read_transmission(yaml_reader *r, const yaml_node_t *node, arne_description *d)
{
    size_t moving = 0, rows;
    for (size_t i = 0; i < d->njoint; i++) moving += d->joints[i].type == ARNE_REVOLUTE || d->joints[i].type == ARNE_PRISMATIC;
    arne_status status = arne__yaml_list(r, node, &rows);
    if (status) return status;
    if (rows != moving || moving == 0)
        return arne__yaml_fail(r, node, "needs one row for each of the %zu joints of one freedom, has %zu", moving, rows);
    /* Before any memory is taken: then the matrix is no larger than what a file may hold. */
    for (size_t i = 0; i < rows; i++) {
        size_t columns;
        const yaml_node_t *row = arne__yaml_item(r, node, i);
        if ((status = arne__yaml_list(r, row, &columns))) return status;
        if (columns != moving) return arne__yaml_fail(r, row, "row %zu needs %zu numbers, has %zu", i + 1, moving, columns);
    }
    double *copy = malloc(2 * moving * moving * sizeof *copy);
    d->transmission = malloc(moving * moving * sizeof *d->transmission);
    d->ntransmission = moving;
    if (!copy || !d->transmission) status = arne__yaml_no_memory(r);
    for (size_t i = 0; i < rows && !status; i++)
        status = arne__yaml_vector(r, arne__yaml_item(r, node, i), moving, d->transmission + i * moving);
    if (!status) {
        memcpy(copy, d->transmission, moving * moving * sizeof *copy);
        const arne_status regular =
            scale(moving, copy) ? arne__matrix_invert(copy, (int)moving, copy + moving * moving) : ARNE_BAD_VALUE;
        if (regular)
            status = regular == ARNE_NO_MEMORY ? arne__yaml_no_memory(r) : arne__yaml_fail(r, node, "the matrix is singular");
    }
    free(copy);
    return status;
}

static arne_status read_robot(yaml_reader *r, robot_text *robot, arne_description **out)
{
    static const yaml_field table[] = {
        {"name", arne__yaml_string, offsetof(robot_text, name)},
        {"source", arne__yaml_node, offsetof(robot_text, source)},
        {"gravity", arne__yaml_node, offsetof(robot_text, gravity)},
        {"convention", arne__yaml_string, offsetof(robot_text, convention)},
        {"joints", arne__yaml_node, offsetof(robot_text, joint_list)},
        {"urdf", arne__yaml_string, offsetof(robot_text, urdf)},
        {"base", arne__yaml_string, offsetof(robot_text, base)},
        {"base_link", arne__yaml_node, offsetof(robot_text, base_link)},
        {"transmission", arne__yaml_node, offsetof(robot_text, transmission)},
        {"tool", arne__yaml_node, offsetof(robot_text, tool)},
        {"floating", arne__yaml_truth, offsetof(robot_text, floating)},
        {"symbols", NULL, 0},
    };
    const yaml_node_t *root = arne__yaml_root(r);
    arne_status status = arne__yaml_mapping(r, root, table, COUNT(table), robot);
    if (!status) status = read_all_names(r, robot);
    r->where[0] = '\0';
    if (!status) status = robot->urdf ? robot_from_urdf(r, root, robot, out) : own_robot(r, root, robot, out);
    if (!status && robot->floating) status = arne__describe_floating(*out, r->error);
    if (status) return status;

    r->where[0] = '\0';
    r->key = "gravity";
    if (robot->gravity) status = arne__yaml_vector(r, robot->gravity, 3, (*out)->gravity);
    r->key = "source";
    if (robot->source && !status) status = read_source(r, robot->source, &(*out)->source);
    r->key = "transmission";
    if (robot->transmission && !status) status = read_transmission(r, robot->transmission, *out);
    r->key = "tool";
    double at[3];
    if (robot->tool && !status) status = arne__yaml_vector(r, robot->tool, 3, at);
    return robot->tool && !status ? arne_description_tool(*out, NULL, at, r->error) : status;
}

arne_status arne__yaml_read(const char *path, const arne_read_options *options, arne_description **out, arne_error *error)
{
    yaml_reader r;
    robot_text robot = {.name = NULL};
    *out = NULL;
    arne_status status = arne__yaml_open(&r, path, NULL, error);
    if (!status)
        status = arne__yaml_symbols(&r, options ? options->symbols : NULL, options ? options->nsymbol : 0,
                                    arne__yaml_find(&r, arne__yaml_root(&r), "symbols"));
    if (!status) status = read_robot(&r, &robot, out);
    free(robot.joints);
    arne__yaml_close(&r);
    if (status) {
        arne_description_free(*out);
        *out = NULL;
    }
    return status;
}
