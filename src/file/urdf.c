/* SPDX-License-Identifier: MIT
 *
 * urdf.c - reads URDF.
 *
 * The inertia of a link is about its centre of mass, in the axes of <inertial><origin>; a link without <inertial> weighs nothing.
 * <dynamics> damping and friction are viscous and Coulomb friction at the joint. What is not dynamics (visual, collision,
 * transmission, gazebo, ...) is passed over. Numbers are read strictly: what is not wholly a number is an error with its line. */
#include "file/xml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "describe/body.h"
#include "describe/pose.h"
#include "describe/rows.h"
#include "describe/tree.h"
#include "file/formats.h"

/* One number that must be there. */
static arne_status required(const xml_reader *r, const xmlNode *node, const char *name, double *value)
{
    bool found;
    arne_status status = arne__xml_numbers(r, node, name, 1, false, &found, value);
    if (status || found) return status;
    return XML_FAIL(r, node, "%s: <%s> has no %s", r->where, (const char *)node->name, name);
}

/* One number >= 0 that may be absent; *value stays then. */
static arne_status optional(const xml_reader *r, const xmlNode *node, const char *name, double *value)
{
    bool found;
    arne_status status = arne__xml_numbers(r, node, name, 1, false, &found, value);
    if (status || !found || *value >= 0) return status;
    return XML_FAIL(r, node, "%s: %s of <%s> is negative", r->where, name, (const char *)node->name);
}

/* <origin xyz rpy> of parent; identity where absent. */
static arne_status origin(const xml_reader *r, const xmlNode *parent, arne_pose *pose)
{
    const xmlNode *node;
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    bool found;
    *pose = arne__pose_identity();
    arne_status status = arne__xml_only_child(r, parent, "origin", &node);
    if (status || !node) return status;
    if ((status = arne__xml_numbers(r, node, "xyz", 3, false, &found, xyz))) return status;
    if ((status = arne__xml_numbers(r, node, "rpy", 3, false, &found, rpy))) return status;
    *pose = arne_pose_rpy(xyz, rpy);
    return ARNE_OK;
}

/* ---- links ---- */

static arne_status read_inertial(const xml_reader *r, const xmlNode *inertial, arne_body *body)
{
    static const char *const entries[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const xmlNode *mass, *inertia;
    arne_pose at;
    arne_status status;
    if ((status = origin(r, inertial, &at))) return status;
    if ((status = arne__xml_only_child(r, inertial, "mass", &mass))) return status;
    if ((status = arne__xml_only_child(r, inertial, "inertia", &inertia))) return status;
    if (!mass) return XML_FAIL(r, inertial, "%s: <inertial> has no <mass value=\"...\"/>", r->where);
    if (!inertia) return XML_FAIL(r, inertial, "%s: <inertial> has no <inertia ixx=\"...\" .../>", r->where);
    if ((status = required(r, mass, "value", &body->mass))) return status;
    for (int i = 0; i < 6; i++)
        if ((status = required(r, inertia, entries[i], &body->inertia[i]))) return status;
    arne__body_transform(&at, body, body); /* from the inertial origin to the link */
    return ARNE_OK;
}

static arne_status read_link(xml_reader *r, const xmlNode *node)
{
    char name[128];
    const xmlNode *inertial;
    snprintf(r->where, sizeof r->where, "a link");
    arne_status status = arne__xml_name(r, node, "name", name, sizeof name);
    if (status) return status;
    snprintf(r->where, sizeof r->where, "link '%s'", name);
    if ((status = arne__xml_only_child(r, node, "inertial", &inertial))) return status;
    arne_link_description *link = arne_description_link(r->d, name, arne__xml_line(node));
    if (!link) return arne__xml_no_memory(r);
    return inertial ? read_inertial(r, inertial, &link->body) : ARNE_OK;
}

/* ---- joints ---- */

/* beside the types of a description: a row of these */
enum { PLANAR = -1 };

static arne_status joint_type(const xml_reader *r, const xmlNode *node, int *type, bool *continuous)
{
    char text[64];
    arne_status status = arne__xml_name(r, node, "type", text, sizeof text);
    if (status) return status;
    *continuous = strcmp(text, "continuous") == 0;
    if (*continuous || strcmp(text, "revolute") == 0)
        *type = ARNE_REVOLUTE;
    else if (strcmp(text, "prismatic") == 0)
        *type = ARNE_PRISMATIC;
    else if (strcmp(text, "fixed") == 0)
        *type = ARNE_FIXED;
    else if (strcmp(text, "floating") == 0)
        *type = ARNE_FREE;
    else if (strcmp(text, "planar") == 0)
        *type = PLANAR;
    else
        return XML_FAIL(r, node, "%s: unknown type '%s'; revolute, continuous, prismatic, planar, floating or fixed is expected",
                        r->where, text);
    return ARNE_OK;
}

static arne_status connected_link(const xml_reader *r, const xmlNode *joint, const char *end, char *buffer, size_t size)
{
    const xmlNode *node;
    arne_status status = arne__xml_only_child(r, joint, end, &node);
    if (status) return status;
    if (!node) return XML_FAIL(r, joint, "%s: has no <%s link=\"...\"/>", r->where, end);
    return arne__xml_name(r, node, "link", buffer, size);
}

static arne_status read_axis(const xml_reader *r, const xmlNode *node, arne_joint_description *j)
{
    const xmlNode *axis;
    bool found;
    j->axis[0] = 1;
    j->axis[1] = j->axis[2] = 0;
    arne_status status = arne__xml_only_child(r, node, "axis", &axis);
    if (status || !axis) return status;
    if ((status = arne__xml_numbers(r, axis, "xyz", 3, false, &found, j->axis))) return status;
    double length = hypot(hypot(j->axis[0], j->axis[1]), j->axis[2]);
    if (length == 0) return XML_FAIL(r, axis, "%s: the axis is zero; give its direction, e.g. xyz=\"0 0 1\"", r->where);
    if (length < 1e-6 || length > 1e6)
        return XML_FAIL(r, axis, "%s: the axis has length %g; give a unit vector", r->where, length);
    return ARNE_OK;
}

/* In URDF an absent lower or upper is 0. Where both are absent the joint could not move at all: taken as "no limits". */
static arne_status read_position_limits(const xml_reader *r, const xmlNode *limit, arne_limits *out)
{
    bool has_lower, has_upper;
    double lower = 0, upper = 0;
    arne_status status = arne__xml_numbers(r, limit, "lower", 1, true, &has_lower, &lower);
    if (!status) status = arne__xml_numbers(r, limit, "upper", 1, true, &has_upper, &upper);
    if (status) return status;
    if (!has_lower && !has_upper) {
        arne_description_warn(r->d, arne__xml_line(limit), "%s: <limit> has neither lower nor upper; taken as unlimited",
                              r->where);
        return ARNE_OK;
    }
    if (lower > upper)
        arne_description_warn(r->d, arne__xml_line(limit), "%s: lower limit %g is above upper limit %g; taken as %g to %g",
                              r->where, lower, upper, upper, lower);
    out->lower = fmin(lower, upper);
    out->upper = fmax(lower, upper);
    if (out->lower == INFINITY || out->upper == -INFINITY)
        return XML_FAIL(r, limit, "%s: between the limits %g and %g there is no position", r->where, lower, upper);
    return ARNE_OK;
}

/* A limit of a size: a negative one can only mean its size. */
static arne_status read_size(const xml_reader *r, const xmlNode *limit, const char *name, double *size)
{
    bool found;
    arne_status status = arne__xml_numbers(r, limit, name, 1, true, &found, size);
    if (status || !(*size < 0)) return status;
    *size = -*size;
    arne_description_warn(r->d, arne__xml_line(limit), "%s: its %s limit %g is negative; taken as %g", r->where, name, -*size,
                          *size);
    return ARNE_OK;
}

static arne_status read_limits(const xml_reader *r, const xmlNode *node, arne_joint_description *j)
{
    const xmlNode *limit;
    arne_status status = arne__xml_only_child(r, node, "limit", &limit);
    if (status) return status;
    if (!limit) {
        if (!j->continuous) arne_description_warn(r->d, j->line, "%s: has no <limit>; taken as unlimited", r->where);
        return ARNE_OK;
    }
    if (!j->continuous && (status = read_position_limits(r, limit, &j->limits))) return status;
    if ((status = read_size(r, limit, "velocity", &j->limits.velocity))) return status;
    if ((status = read_size(r, limit, "effort", &j->limits.effort))) return status;
    if (j->limits.velocity == 0 || j->limits.effort == 0)
        arne_description_warn(r->d, arne__xml_line(limit), "%s: its velocity or effort limit is 0: it may not move", r->where);
    return ARNE_OK;
}

static arne_status read_friction(const xml_reader *r, const xmlNode *node, arne_friction *friction)
{
    const xmlNode *dynamics;
    arne_status status = arne__xml_only_child(r, node, "dynamics", &dynamics);
    if (status || !dynamics) return status;
    if ((status = optional(r, dynamics, "damping", &friction->viscous))) return status;
    return optional(r, dynamics, "friction", &friction->coulomb);
}

static arne_status read_mimic(const xml_reader *r, const xmlNode *node, arne_joint_description *j)
{
    const xmlNode *mimic;
    bool found;
    char master[128];
    double multiplier = 1, offset = 0;
    arne_status status = arne__xml_only_child(r, node, "mimic", &mimic);
    if (status || !mimic) return status;
    if ((status = arne__xml_name(r, mimic, "joint", master, sizeof master))) return status;
    if ((status = arne__xml_numbers(r, mimic, "multiplier", 1, false, &found, &multiplier))) return status;
    if ((status = arne__xml_numbers(r, mimic, "offset", 1, false, &found, &offset))) return status;
    return arne_description_follow(j, master, multiplier, offset) ? arne__xml_no_memory(r) : ARNE_OK;
}

/* A plane by its normal. Where no axis is given it is z, as other readers have it, not the x of joints that turn. */
static arne_status planar(const xml_reader *r, const xmlNode *node, arne_joint_description *j)
{
    const xmlNode *axis;
    size_t first;
    arne_status status = read_axis(r, node, j);
    if (!status) status = arne__xml_only_child(r, node, "axis", &axis);
    if (status) return status;
    if (!axis) memcpy(j->axis, (const double[3]){0, 0, 1}, sizeof j->axis);
    return arne__describe_row(r->d, &arne__planar, NULL, &first, r->error);
}

static arne_status read_joint(xml_reader *r, const xmlNode *node)
{
    char name[128], parent[128], child[128];
    int type = ARNE_FIXED;
    bool continuous = false;
    snprintf(r->where, sizeof r->where, "a joint");
    arne_status status = arne__xml_name(r, node, "name", name, sizeof name);
    if (status) return status;
    snprintf(r->where, sizeof r->where, "joint '%s'", name);
    if ((status = joint_type(r, node, &type, &continuous))) return status;
    if ((status = connected_link(r, node, "parent", parent, sizeof parent))) return status;
    if ((status = connected_link(r, node, "child", child, sizeof child))) return status;
    if (strcmp(parent, child) == 0) return XML_FAIL(r, node, "%s: connects link '%s' to itself", r->where, child);

    arne_joint_description *j = arne_description_joint(r->d, name, arne__xml_line(node),
                                                       type == PLANAR ? ARNE_REVOLUTE : (arne_joint_type)type, parent, child);
    if (!j) return arne__xml_no_memory(r);
    j->continuous = continuous;
    if ((status = origin(r, node, &j->before))) return status;
    if (type == ARNE_FIXED) return ARNE_OK;
    if (type == ARNE_FREE || type == PLANAR) {
        static const char *const unused[] = {"limit", "dynamics", "mimic"};
        for (size_t k = 0; k < sizeof unused / sizeof *unused && !status; k++) {
            const xmlNode *element;
            if (!(status = arne__xml_only_child(r, node, unused[k], &element)) && element)
                arne_description_warn(r->d, arne__xml_line(element), "%s has several freedoms: its <%s> is not used", r->where,
                                      unused[k]);
        }
        return status || type == ARNE_FREE ? status : planar(r, node, j);
    }
    if ((status = read_axis(r, node, j))) return status;
    if ((status = read_limits(r, node, j))) return status;
    if ((status = read_friction(r, node, &j->friction))) return status;
    return read_mimic(r, node, j);
}

/* Hands are shared between robots, and names of joints are not always mended then. */
static void check_masters(arne_description *d)
{
    for (size_t i = 0; i < d->njoint; i++) {
        arne_joint_description *j = &d->joints[i];
        size_t k = 0;
        while (j->master && k < d->njoint && strcmp(d->joints[k].name, j->master)) k++;
        if (!j->master || k < d->njoint) continue;
        arne_description_warn(d, j->line, "joint '%s' mimics '%s', but no joint has this name: it moves by itself", j->name,
                              j->master);
        free(j->master);
        j->master = NULL;
    }
}

/* A call of a macro that was forgotten in a robot that is whole without it is passed over, as other readers do; else the file is
 * the source of a URDF and none itself. `status` is what came of the rest. */
static arne_status check_macro(xml_reader *r, const xmlNode *macro, arne_status status)
{
    robot_tree *t = NULL;
    if (!status) status = arne__tree_build(r->d, &t, r->error);
    const bool whole = t && t->nbody > 0;
    arne__tree_free(t);
    if (whole)
        arne_description_warn(r->d, arne__xml_line(macro), "<xacro:%s> is a macro that nobody expanded; passed over",
                              (const char *)macro->name);
    return whole || status == ARNE_NO_MEMORY
               ? status
               : arne_fail(r->error, ARNE_UNSUPPORTED, r->file, arne__xml_line(macro),
                           "<xacro:%s> is a macro; turn the file into plain URDF first (xacro FILE > robot.urdf)",
                           (const char *)macro->name);
}

/* ---- the robot ---- */

arne_status arne__urdf_robot(xml_reader *r, xmlNode *root)
{
    char name[256], stem[256];
    const xmlNode *macro = NULL;
    bool found;
    snprintf(r->where, sizeof r->where, "the robot");
    arne_status status = arne__xml_attribute(r, root, "name", &found, name, sizeof name);
    if (status) return status;
    arne__file_stem(r->file, stem, sizeof stem);
    r->d = arne_description_new(found && *name ? name : stem);
    if (!r->d || !(r->d->file = strdup(r->file))) return arne__xml_no_memory(r);
    if (!found || !*name)
        arne_description_warn(r->d, arne__xml_line(root), "<robot> has no name; taken from the file: '%s'", stem);

    for (const xmlNode *node = root->children; node && !status; node = node->next) {
        if (node->type == XML_ELEMENT_NODE && node->ns && node->ns->prefix &&
            strcmp((const char *)node->ns->prefix, "xacro") == 0)
            macro = macro ? macro : node;
        else if (arne__xml_is(node, "link"))
            status = read_link(r, node);
        else if (arne__xml_is(node, "joint"))
            status = read_joint(r, node);
    }
    if (macro) status = check_macro(r, macro, status);
    if (!status && r->d->nlink == 0) return XML_FAIL(r, root, "the robot has no <link>");
    if (!status) check_masters(r->d);
    return status;
}
