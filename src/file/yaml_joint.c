/* SPDX-License-Identifier: MIT
 *
 * yaml_joint.c - one joint of a YAML robot file: a table for each of its parts. */
#include "file/yaml_joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "describe/body.h"
#include "describe/pose.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- limits, motor, friction, elasticity ---- */

/* Velocity and effort may be 0: exporters write such limits into URDF files, and converted files keep them. */
static arne_status read_limits(yaml_reader *r, const yaml_node_t *node, void *into)
{
    static const yaml_field table[] = {
        {"lower", arne__yaml_number, offsetof(arne_limits, lower)},
        {"upper", arne__yaml_number, offsetof(arne_limits, upper)},
        {"velocity", arne__yaml_not_negative, offsetof(arne_limits, velocity)},
        {"acceleration", arne__yaml_positive, offsetof(arne_limits, acceleration)},
        {"effort", arne__yaml_not_negative, offsetof(arne_limits, effort)},
        {"jerk", arne__yaml_positive, offsetof(arne_limits, jerk)},
        {"effort_rate", arne__yaml_positive, offsetof(arne_limits, effort_rate)},
    };
    const arne_limits *limits = into;
    arne_status status = arne__yaml_mapping(r, node, table, COUNT(table), into);
    if (!status && limits->lower > limits->upper)
        return arne__yaml_fail(r, node, "lower limit %g is above upper limit %g", limits->lower, limits->upper);
    return status;
}

static arne_status read_gear(yaml_reader *r, const yaml_node_t *value, void *into)
{
    arne_status status = arne__yaml_number(r, value, into);
    if (status || *(double *)into != 0) return status;
    return arne__yaml_fail(r, value, "must not be 0; without a gear it is 1");
}

/* One [velocity, torque] of a law that begins at rest. */
static arne_status read_point(yaml_reader *r, const yaml_node_t *node, bool first, double *point)
{
    arne_status status = arne__yaml_vector(r, node, 2, point);
    if (status) return status;
    if (first && point[0] != 0) return arne__yaml_fail(r, node, "the first velocity must be 0, not %g", point[0]);
    if (!first && point[0] <= point[-2])
        return arne__yaml_fail(r, node, "velocities must increase, but %g follows %g", point[0], point[-2]);
    if (point[1] < 0) return arne__yaml_fail(r, node, "a torque must not be negative, but is %g", point[1]);
    return ARNE_OK;
}

static arne_status read_law(yaml_reader *r, const yaml_node_t *value, double (**points)[2], int *npoint)
{
    size_t count;
    arne_status status = arne__yaml_list(r, value, &count);
    if (status) return status;
    if (count < 2) return arne__yaml_fail(r, value, "at least two points [velocity, torque] are needed");
    *points = calloc(count, sizeof **points);
    if (!*points) return arne__yaml_no_memory(r);
    for (size_t i = 0; i < count && !status; i++) {
        status = read_point(r, arne__yaml_item(r, value, i), i == 0, (*points)[i]);
        if (!status) *npoint = (int)i + 1;
    }
    return status;
}

static arne_status read_curve(yaml_reader *r, const yaml_node_t *value, void *into)
{
    arne_motor *motor = into;
    arne_status status = read_law(r, value, &motor->curve, &motor->ncurve);
    if (!status && !(motor->curve[0][1] > 0)) return arne__yaml_fail(r, value, "the torque at speed 0 must be above 0");
    return status;
}

static arne_status read_motor(yaml_reader *r, const yaml_node_t *node, void *into)
{
    static const yaml_field table[] = {
        {"inertia", arne__yaml_not_negative, offsetof(arne_motor, inertia)},
        {"gear", read_gear, offsetof(arne_motor, gear)},
        {"viscous", arne__yaml_not_negative, offsetof(arne_motor, viscous)},
        {"coulomb", arne__yaml_not_negative, offsetof(arne_motor, coulomb)},
        {"effort", arne__yaml_positive, offsetof(arne_motor, effort)},
        {"speed", arne__yaml_positive, offsetof(arne_motor, speed)},
        {"curve", read_curve, 0},
    };
    return arne__yaml_mapping(r, node, table, COUNT(table), into);
}

static arne_status read_points(yaml_reader *r, const yaml_node_t *value, void *into)
{
    arne_friction *friction = into;
    return read_law(r, value, &friction->points, &friction->npoint);
}

static arne_status read_friction(yaml_reader *r, const yaml_node_t *node, void *into)
{
    static const yaml_field table[] = {
        {"viscous", arne__yaml_not_negative, offsetof(arne_friction, viscous)},
        {"coulomb", arne__yaml_not_negative, offsetof(arne_friction, coulomb)},
        {"coulomb_negative", arne__yaml_not_negative, offsetof(arne_friction, coulomb_negative)},
        {"offset", arne__yaml_number, offsetof(arne_friction, offset)},
        {"static", arne__yaml_not_negative, offsetof(arne_friction, static_)},
        {"stribeck_velocity", arne__yaml_positive, offsetof(arne_friction, stribeck_velocity)},
        {"stribeck_exponent", arne__yaml_positive, offsetof(arne_friction, stribeck_exponent)},
        {"points", read_points, 0},
    };
    return arne__yaml_mapping(r, node, table, COUNT(table), into);
}

/* k1, or [k1, k3, k5] of a spring that hardens or softens but never pulls less for more deflection. */
static arne_status read_stiffness(yaml_reader *r, const yaml_node_t *value, void *into)
{
    arne_elastic *spring = into;
    size_t count;
    if (value->type != YAML_SEQUENCE_NODE) {
        spring->cubic = spring->quintic = 0;
        return arne__yaml_not_negative(r, value, &spring->stiffness);
    }
    arne_status status = arne__yaml_list(r, value, &count);
    if (status) return status;
    if (count < 1 || count > 3) return arne__yaml_fail(r, value, "give k1 or [k1, k3, k5], not %zu numbers", count);
    double k[3] = {0};
    status = arne__yaml_vector(r, value, count, k);
    if (status) return status;
    /* slope k1 + 3 k3 y + 5 k5 y^2 > 0 for all y = x^2 >= 0 */
    const bool rises = k[0] > 0 && k[2] >= 0 && (k[1] >= 0 || 9 * k[1] * k[1] < 20 * k[0] * k[2]);
    if (!rises && (k[0] != 0 || k[1] != 0 || k[2] != 0))
        return arne__yaml_fail(r, value,
                               "the torque k1 x + k3 x^3 + k5 x^5 must rise with the deflection: k1 > 0, k5 >= 0 and "
                               "k3 >= 0 or 9 k3^2 < 20 k1 k5");
    spring->stiffness = k[0], spring->cubic = k[1], spring->quintic = k[2];
    return ARNE_OK;
}

static arne_status read_elastic(yaml_reader *r, const yaml_node_t *node, void *into)
{
    static const yaml_field table[] = {
        {"stiffness", read_stiffness, 0},
        {"damping", arne__yaml_not_negative, offsetof(arne_elastic, damping)},
    };
    return arne__yaml_mapping(r, node, table, COUNT(table), into);
}

/* ---- bodies ---- */

typedef struct {
    double entry[6];
    const char *about;
} inertia_text;

static arne_status read_inertia(yaml_reader *r, const yaml_node_t *node, arne_body *body)
{
    static const yaml_field table[] = {
        {"xx", arne__yaml_number, offsetof(inertia_text, entry[0])}, {"xy", arne__yaml_number, offsetof(inertia_text, entry[1])},
        {"xz", arne__yaml_number, offsetof(inertia_text, entry[2])}, {"yy", arne__yaml_number, offsetof(inertia_text, entry[3])},
        {"yz", arne__yaml_number, offsetof(inertia_text, entry[4])}, {"zz", arne__yaml_number, offsetof(inertia_text, entry[5])},
        {"about", arne__yaml_string, offsetof(inertia_text, about)},
    };
    inertia_text text = {.about = "com"};
    arne_status status = arne__yaml_mapping(r, node, table, COUNT(table), &text);
    if (status) return status;
    const bool about_frame = strcmp(text.about, "frame") == 0;
    memcpy(body->inertia, text.entry, sizeof body->inertia);
    if (about_frame) arne__add_steiner(body->inertia, -body->mass, body->com);
    if (!about_frame && strcmp(text.about, "com") != 0)
        return arne__yaml_fail(r, arne__yaml_find(r, node, "about"), "about: '%.40s' is unknown; com or frame is expected",
                               text.about);
    return ARNE_OK;
}

arne_status arne__yaml_body(yaml_reader *r, const yaml_node_t *node, arne_body *body)
{
    static const yaml_field table[] = {
        {"mass", arne__yaml_number, offsetof(arne_body, mass)},
        {"com", arne__yaml_vector3, offsetof(arne_body, com)},
        {"inertia", NULL, 0}, /* below: it may need mass and com */
        {"name", NULL, 0},
    };
    const char *outer = r->key;
    arne_status status = arne__yaml_mapping(r, node, table, COUNT(table), body);
    const yaml_node_t *inertia = arne__yaml_find(r, node, "inertia");
    if (status || !inertia) return status;
    r->key = "inertia";
    status = read_inertia(r, inertia, body);
    r->key = outer;
    return status;
}

/* ---- the joint ---- */

typedef struct {
    const char *joint;
    double multiplier, offset;
} mimic_text;

static arne_status read_mimic(yaml_reader *r, const yaml_node_t *node, void *into)
{
    static const yaml_field table[] = {
        {"joint", arne__yaml_string, offsetof(mimic_text, joint)},
        {"multiplier", arne__yaml_number, offsetof(mimic_text, multiplier)},
        {"offset", arne__yaml_number, offsetof(mimic_text, offset)},
    };
    arne_joint_description *j = into;
    mimic_text text = {.multiplier = 1};
    arne_status status = arne__yaml_mapping(r, node, table, COUNT(table), &text);
    if (status) return status;
    if (!text.joint) return arne__yaml_fail(r, node, "which joint does it follow? {joint: NAME, multiplier: 1, offset: 0}");
    if (j->type == ARNE_FIXED) return ARNE_OK; /* a joint that does not move follows nobody */
    return arne_description_follow(j, text.joint, text.multiplier, text.offset) ? arne__yaml_no_memory(r) : ARNE_OK;
}

typedef struct {
    arne_joint_description joint; /* filled in place, then given back */
    double dh[6];                 /* gamma b alpha a theta d, in the order of arne_pose_mdh */
    double xyz[3], rpy[3], axis[3], axis2[3];
    arne_body body;
} joint_text;

static arne_status read_origin(yaml_reader *r, const yaml_node_t *node, void *into)
{
    static const yaml_field table[] = {
        {"xyz", arne__yaml_vector3, offsetof(joint_text, xyz)},
        {"rpy", arne__yaml_vector3, offsetof(joint_text, rpy)},
    };
    return arne__yaml_mapping(r, node, table, COUNT(table), into);
}

static arne_status read_link(yaml_reader *r, const yaml_node_t *node, void *into) { return arne__yaml_body(r, node, into); }

/* What a single freedom has; in `joint_table` as well. */
#define DRIVE_FIELDS(at)                                                                                                         \
    {"limits", read_limits, (at) + offsetof(arne_joint_description, limits)},                                                    \
        {"motor", read_motor, (at) + offsetof(arne_joint_description, motor)},                                                   \
        {"friction", read_friction, (at) + offsetof(arne_joint_description, friction)},                                          \
        {"elastic", read_elastic, (at) + offsetof(arne_joint_description, elastic)},                                             \
    {                                                                                                                            \
        "mimic", read_mimic, (at)                                                                                                \
    }

static const yaml_field freedom_table[] = {DRIVE_FIELDS(0)};
static const yaml_field joint_table[] = {
    {"name", NULL, 0},
    {"type", NULL, 0},
    {"parent", NULL, 0},
    {"a", arne__yaml_number, offsetof(joint_text, dh[3])},
    {"alpha", arne__yaml_number, offsetof(joint_text, dh[2])},
    {"d", arne__yaml_number, offsetof(joint_text, dh[5])},
    {"theta", arne__yaml_number, offsetof(joint_text, dh[4])},
    {"gamma", arne__yaml_number, offsetof(joint_text, dh[0])},
    {"b", arne__yaml_number, offsetof(joint_text, dh[1])},
    {"origin", read_origin, 0},
    {"axis", arne__yaml_vector3, offsetof(joint_text, axis)},
    {"axis2", arne__yaml_vector3, offsetof(joint_text, axis2)},
    DRIVE_FIELDS(offsetof(joint_text, joint)),
    {"link", read_link, offsetof(joint_text, body)},
    {"x", NULL, 0}, /* the freedoms of rows */
    {"y", NULL, 0},
    {"angle", NULL, 0},
    {"slide", NULL, 0},
    {"first", NULL, 0},
    {"second", NULL, 0},
};

arne_status arne__yaml_joint_type(yaml_reader *r, const yaml_node_t *node, yaml_joint_type *out)
{
    static const struct {
        const char *word;
        arne_joint_type type;
    } types[] = {{"revolute", ARNE_REVOLUTE},
                 {"prismatic", ARNE_PRISMATIC},
                 {"fixed", ARNE_FIXED},
                 {"free", ARNE_FREE},
                 {"spherical", ARNE_SPHERICAL}};
    static const char expected[] = "revolute, prismatic, fixed, free, spherical, planar, universal or cylindrical is expected";
    const yaml_node_t *value = arne__yaml_find(r, node, "type");
    const char *text = NULL;
    if (!value) return arne__yaml_fail(r, node, "has no type; %s", expected);
    r->key = "type";
    arne_status status = arne__yaml_string(r, value, &text);
    r->key = NULL;
    if (status) return status;
    *out = (yaml_joint_type){ARNE_REVOLUTE, arne__row_called(text)};
    if (out->row) return ARNE_OK;
    for (size_t i = 0; i < COUNT(types); i++)
        if (!strcmp(types[i].word, text)) {
            out->type = types[i].type;
            return ARNE_OK;
        }
    return arne__yaml_fail(r, value, "unknown type '%.40s'; %s", text, expected);
}

/* Fails at the first of the keys, up to NULL, that the joint has. */
static arne_status refuse(yaml_reader *r, const yaml_node_t *node, const char *const *keys, const char *why)
{
    for (; *keys; keys++) {
        const yaml_node_t *value = arne__yaml_find(r, node, *keys);
        if (value) return arne__yaml_fail(r, value, "key '%s' %s", *keys, why);
    }
    return ARNE_OK;
}

/* Which keys a way of giving frames does not have, and what to say then. */
static arne_status refuse_keys(yaml_reader *r, const yaml_node_t *node, yaml_frames frames)
{
    static const struct {
        const char *keys[13];
        const char *why;
    } refused[] = {
        [FRAMES_UNTOLD] = {{"a", "alpha", "d", "theta", "gamma", "b"}, "needs `convention: dh` or `convention: mdh` at the top"},
        [FRAMES_DH] = {{"gamma", "b", "origin", "axis", "axis2"}, "does not belong to convention dh"},
        [FRAMES_MDH] = {{"origin", "axis", "axis2"}, "does not belong to convention mdh"},
        [FRAMES_URDF] = {{"a", "alpha", "d", "theta", "gamma", "b"},
                         "does not belong to convention urdf, which has origin and axis"},
        [FRAMES_IN_URDF] = {{"type", "parent", "a", "alpha", "d", "theta", "gamma", "b", "origin", "axis", "axis2", "link"},
                            "is the URDF file's to say; limits, motor, friction, elastic and mimic can be added"},
    };
    return refuse(r, node, refused[frames].keys, refused[frames].why);
}

/* Keys that the type of a joint does not have: the freedoms of rows, and of wide joints what one freedom has. */
static arne_status refuse_freedoms(yaml_reader *r, const yaml_node_t *node, const joint_row *row, arne_joint_type type)
{
    static const char *const drive[] = {"limits", "motor", "friction", "elastic", "mimic", NULL}, *const second[] = {"axis2",
                                                                                                                     NULL};
    static const char *const freedoms[] = {"x", "y", "angle", "slide", "first", "second"}, *const axis[] = {"axis", NULL};
    arne_status status = row == &arne__universal ? ARNE_OK : refuse(r, node, second, "is for universal joints");
    for (size_t i = 0; i < COUNT(freedoms) && !status; i++) {
        const char *const one[] = {freedoms[i], NULL};
        bool known = false;
        for (int k = 0; row && k < row->count; k++) known = known || !strcmp(row->freedom[k].name, freedoms[i]);
        if (!known) status = refuse(r, node, one, "is a freedom of another type of joint");
    }
    char why[160];
    if (row && !status) {
        snprintf(why, sizeof why, "belongs to one freedom: a %s joint has it under %s, %s%s%s", row->name, row->freedom[0].name,
                 row->freedom[1].name, row->count > 2 ? ", " : "", row->count > 2 ? row->freedom[2].name : "");
        return refuse(r, node, drive, why);
    }
    if (status || (type != ARNE_FREE && type != ARNE_SPHERICAL)) return status;
    if ((status = refuse(r, node, axis, "is for joints that turn about it or slide along it"))) return status;
    return refuse(r, node, drive, "is for joints of one freedom, this one has several");
}

/* dimensions that are symbols keep their names */
static void name_dimensions(yaml_reader *r, const yaml_node_t *node, arne_joint_description *j)
{
    static const char *const keys[6] = {"gamma", "b", "alpha", "a", "theta", "d"};
    for (int k = 0; k < 6; k++) {
        const yaml_node_t *value = arne__yaml_find(r, node, keys[k]);
        if (value && value->type == YAML_SCALAR_NODE)
            arne__expr_one_name((const char *)value->data.scalar.value, j->dh_names[k], sizeof j->dh_names[k]);
    }
}

static arne_status check_axis(yaml_reader *r, const yaml_node_t *node, const char *key, const double axis[3])
{
    const double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (length >= 1e-6 && length <= 1e6) return ARNE_OK;
    return arne__yaml_fail(r, arne__yaml_find(r, node, key), "the %s has length %g; give a unit vector", key, length);
}

static arne_status set_frames(yaml_reader *r, const yaml_node_t *node, yaml_frames frames, const joint_text *text,
                              arne_joint_description *j)
{
    const double *dh = text->dh;
    switch (frames) {
    case FRAMES_DH: j->after = arne_pose_dh(dh[3], dh[2], dh[5], dh[4]); break;
    case FRAMES_MDH:
        memcpy(j->dh, dh, sizeof j->dh);
        j->before = arne_pose_mdh(dh);
        name_dimensions(r, node, j);
        break;
    case FRAMES_UNTOLD:
    case FRAMES_URDF:
        j->before = arne_pose_rpy(text->xyz, text->rpy);
        memcpy(j->axis, text->axis, sizeof j->axis);
        if (j->type != ARNE_FIXED) return check_axis(r, node, "axis", j->axis);
        break;
    case FRAMES_IN_URDF: break;
    }
    return ARNE_OK;
}

/* Everything but the freedoms of a row; *text is left for those. */
static arne_status read_joint(yaml_reader *r, const yaml_node_t *node, yaml_frames frames, const joint_row *row,
                              arne_joint_description *j, arne_body *body, joint_text *text)
{
    const bool plane = row == &arne__planar; /* its normal is z where nothing is said, as it is in every other tool */
    *text = (joint_text){.joint = *j, .axis = {!plane, 0, plane} /* as in URDF */, .axis2 = {0, 1, 0}, .body = *body};
    arne_status status = arne__yaml_mapping(r, node, joint_table, COUNT(joint_table), text);
    *j = text->joint; /* what it owns too, whether or not the rest was right */
    *body = text->body;
    if (isfinite(j->limits.lower) || isfinite(j->limits.upper)) j->continuous = false;
    if (!status) status = refuse_keys(r, node, frames);
    if (!status) status = refuse_freedoms(r, node, row, j->type);
    return status ? status : set_frames(r, node, frames, text, j);
}

arne_status arne__yaml_joint(yaml_reader *r, const yaml_node_t *node, yaml_frames frames, arne_joint_description *j,
                             arne_body *body)
{
    joint_text text;
    arne_status status = read_joint(r, node, frames, NULL, j, body, &text);
    const bool wide = j->type == ARNE_FREE || j->type == ARNE_SPHERICAL;
    if (!status && wide && frames == FRAMES_DH && (text.dh[2] != 0 || text.dh[3] != 0 || text.dh[4] != 0 || text.dh[5] != 0))
        return arne__yaml_fail(r, node, "has several freedoms: in convention dh it has no a, alpha, d, theta");
    return status;
}

arne_status arne__yaml_row(yaml_reader *r, const yaml_node_t *node, yaml_frames frames, const joint_row *row, arne_description *d,
                           arne_body *body)
{
    joint_text text;
    size_t first;
    if (row == &arne__universal && (frames == FRAMES_DH || frames == FRAMES_MDH))
        return arne__yaml_fail(r, node, "a universal joint needs two axes: `convention: urdf`, or write two revolute joints");
    arne_status status = read_joint(r, node, frames, row, &d->joints[d->njoint - 1], body, &text);
    if (!status && row == &arne__universal) status = check_axis(r, node, "axis2", text.axis2);
    if (!status) status = arne__describe_row(d, row, text.axis2, &first, r->error);
    for (int k = 0; k < row->count && !status; k++) {
        const yaml_node_t *value = arne__yaml_find(r, node, row->freedom[k].name);
        r->key = row->freedom[k].name;
        if (value) status = arne__yaml_mapping(r, value, freedom_table, COUNT(freedom_table), &d->joints[first + (size_t)k]);
        r->key = NULL;
    }
    return status;
}
