/* SPDX-License-Identifier: MIT
 *
 * sdf.c - reads SDF: one model, by itself or in a world.
 *
 * A joint goes from its parent link to its own frame and on to its child. A link that is no joint's child is free to move, unless
 * the model is static. The position of a free joint is that of its link in the world: the pose of the model in the file is where
 * it begins, and no part of the robot. What is not dynamics (visual, collision, sensor, plugin, ...) is passed over. */
#include "file/sdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "describe/body.h"
#include "describe/pose.h"
#include "describe/rows.h"
#include "file/write.h"

enum { LONGEST_NAME = 256 };
static const char WORLD[] = "world";

/* ---- elements with one text or number ---- */

/* *value stays where the element is absent. */
static arne_status child_number(const xml_reader *r, const xmlNode *parent, const char *name, bool unbounded, double *value)
{
    const xmlNode *node;
    size_t count;
    arne_status status = arne__xml_only_child(r, parent, name, &node);
    return status || !node ? status : arne__xml_content_numbers(r, node, 1, 1, unbounded, &count, value);
}

static arne_status child_text(const xml_reader *r, const xmlNode *parent, const char *name, const xmlNode **node, char *buffer,
                              size_t size)
{
    buffer[0] = '\0';
    arne_status status = arne__xml_only_child(r, parent, name, node);
    return status || !*node ? status : arne__xml_content(r, *node, buffer, size);
}

static arne_status child_truth(const xml_reader *r, const xmlNode *parent, const char *name, bool *value)
{
    char text[16];
    const xmlNode *node;
    arne_status status = child_text(r, parent, name, &node, text, sizeof text);
    if (status || !node) return status;
    *value = !strcasecmp(text, "true") || !strcmp(text, "1");
    if (*value || !strcasecmp(text, "false") || !strcmp(text, "0")) return ARNE_OK;
    return XML_FAIL(r, node, "%s: <%s> is true or false, not '%s'", r->where, name, text);
}

/* ---- links ---- */

static arne_status read_body(const sdf_frames *s, const xmlNode *inertial, size_t link, arne_body *body)
{
    static const char *const entries[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const xml_reader *r = s->r;
    const xmlNode *inertia, *water;
    arne_pose at;
    size_t frame = link;
    char word[16];
    bool found;
    arne_status status = arne__xml_attribute(r, inertial, "auto", &found, word, sizeof word);
    if (status) return status;
    if (found && (!strcmp(word, "true") || !strcmp(word, "1")))
        return XML_FAIL(r, inertial, "%s: an inertia from shapes (auto=\"true\") is not computed; give mass and inertia",
                        r->where);
    if ((status = arne__xml_only_child(r, inertial, "fluid_added_mass", &water))) return status;
    if (water) return XML_FAIL(r, water, "%s: <fluid_added_mass> is not modelled", r->where);
    if ((status = arne__sdf_pose(s, inertial, link, &frame, &at))) return status;
    if (frame != link) return XML_FAIL(r, inertial, "%s: the pose of <inertial> is that in its link", r->where);
    if ((status = child_number(r, inertial, "mass", false, &body->mass))) return status;
    if ((status = arne__xml_only_child(r, inertial, "inertia", &inertia))) return status;
    for (int k = 0; k < 6 && inertia; k++)
        if ((status = child_number(r, inertia, entries[k], false, &body->inertia[k]))) return status;
    arne__body_transform(&at, body, body);
    return ARNE_OK;
}

static arne_status read_link(const sdf_frames *s, size_t i, bool *weightless)
{
    xml_reader *r = s->r;
    const sdf_frame *f = &s->list[i];
    const xmlNode *inertial;
    bool gravity = true;
    snprintf(r->where, sizeof r->where, "link '%.120s'", f->name);
    if (!strcmp(f->name, WORLD)) return XML_FAIL(r, f->node, "%s: this is the name of the world itself; take another", r->where);
    arne_link_description *link = arne_description_link(r->d, f->name, arne__xml_line(f->node));
    if (!link) return arne__xml_no_memory(r);
    link->body = (arne_body){1, {0}, {1, 0, 0, 1, 0, 1}}; /* what the format says of a link that says nothing */
    arne_status status = arne__xml_only_child(r, f->node, "inertial", &inertial);
    if (!status) status = child_truth(r, f->node, "gravity", &gravity);
    *weightless = !gravity;
    if (status || inertial) return status ? status : read_body(s, inertial, i, &link->body);
    arne_description_warn(r->d, link->line, "%s: has no <inertial>; in SDF it weighs 1 kg then, with moments of 1 kg m^2",
                          r->where);
    return ARNE_OK;
}

static arne_status read_links(const sdf_frames *s)
{
    size_t count = 0, without = 0, first = 0;
    arne_status status = ARNE_OK;
    for (size_t i = 0; i < s->count && !status; i++) {
        bool weightless = false;
        if (s->list[i].kind != SDF_LINK) continue;
        status = read_link(s, i, &weightless);
        count++;
        if (weightless && !without++) first = i;
    }
    if (status || !without) return status;
    if (without < count)
        return XML_FAIL(s->r, s->list[first].node, "link '%.120s' is without gravity, others are not: this is not modelled",
                        s->list[first].name);
    memset(s->r->d->gravity, 0, sizeof s->r->d->gravity);
    return ARNE_OK;
}

/* ---- joints ---- */

/* Frame b in frame a, by the numbers of the file where they say it. */
static arne_pose between(const sdf_frames *s, size_t a, size_t b)
{
    const sdf_frame *x = &s->list[a], *y = &s->list[b];
    if (a == b) return arne__pose_identity();
    if (y->relative == a) return y->pose;
    if (x->relative == b) return arne__pose_inverse(&x->pose);
    const bool near = x->relative == y->relative;
    const arne_pose back = arne__pose_inverse(near ? &x->pose : &x->at);
    return arne__pose_mul(&back, near ? &y->pose : &y->at);
}

static arne_status read_axis(const sdf_frames *s, size_t joint, const xmlNode *axis, double out[3])
{
    const xml_reader *r = s->r;
    const xmlNode *xyz;
    char name[LONGEST_NAME] = "";
    double v[3] = {0, 0, 1};
    bool found, of_model = s->version < 1.45;
    size_t count, frame = joint;
    arne_status status = arne__xml_only_child(r, axis, "xyz", &xyz);
    if (status || !xyz) return status ? status : XML_FAIL(r, axis, "%s: <%s> has no <xyz>", r->where, (const char *)axis->name);
    if ((status = arne__xml_content_numbers(r, xyz, 3, 3, false, &count, v))) return status;
    if ((status = child_truth(r, axis, "use_parent_model_frame", &of_model))) return status;
    if ((status = arne__xml_attribute(r, xyz, "expressed_in", &found, name, sizeof name))) return status;
    if (of_model && s->version < 1.65) frame = s->list[joint].model;
    if (found && *name && (status = arne__sdf_find(s, joint, name, xyz, &frame))) return status;
    const double length = hypot(hypot(v[0], v[1]), v[2]);
    if (!(length >= 1e-6 && length <= 1e6))
        return XML_FAIL(r, xyz, "%s: the axis has length %g; give a unit vector", r->where, length);
    const arne_pose turn = between(s, joint, frame);
    for (int k = 0; k < 3; k++) out[k] = turn.R[3 * k] * v[0] + turn.R[3 * k + 1] * v[1] + turn.R[3 * k + 2] * v[2];
    return ARNE_OK;
}

/* 1e16 is how the format writes infinity, a negative size too. */
static double unlimited(double x) { return fabs(x) >= 1e16 ? copysign(INFINITY, x) : x; }

static arne_status read_limits(const xml_reader *r, const xmlNode *axis, bool continuous, arne_limits *l)
{
    const xmlNode *limit;
    double lower = -INFINITY, upper = INFINITY, effort = -1, velocity = -1;
    arne_status status = arne__xml_only_child(r, axis, "limit", &limit);
    if (status || !limit) return status;
    if ((status = child_number(r, limit, "lower", true, &lower))) return status;
    if ((status = child_number(r, limit, "upper", true, &upper))) return status;
    if ((status = child_number(r, limit, "effort", true, &effort))) return status;
    if ((status = child_number(r, limit, "velocity", true, &velocity))) return status;
    if (lower > upper) return XML_FAIL(r, limit, "%s: lower limit %g is above upper limit %g", r->where, lower, upper);
    if (!continuous) l->lower = unlimited(lower), l->upper = unlimited(upper);
    l->effort = effort < 0 ? INFINITY : unlimited(effort);
    l->velocity = velocity < 0 ? INFINITY : unlimited(velocity);
    return ARNE_OK;
}

static arne_status read_dynamics(const xml_reader *r, const xmlNode *axis, arne_friction *f)
{
    const xmlNode *dynamics;
    double spring = 0;
    arne_status status = arne__xml_only_child(r, axis, "dynamics", &dynamics);
    if (status || !dynamics) return status;
    if ((status = child_number(r, dynamics, "damping", false, &f->viscous))) return status;
    if ((status = child_number(r, dynamics, "friction", false, &f->coulomb))) return status;
    if ((status = child_number(r, dynamics, "spring_stiffness", false, &spring))) return status;
    if (f->viscous < 0 || f->coulomb < 0) return XML_FAIL(r, dynamics, "%s: damping or friction is negative", r->where);
    return spring != 0 ? arne__xml_unmodelled(r, dynamics, "its spring (spring_stiffness)") : ARNE_OK;
}

static const joint_row *row_of(const xmlNode *joint)
{
    xmlChar *type = xmlGetNoNsProp(joint, (const xmlChar *)"type");
    const bool two = type && (!strcmp((char *)type, "universal") || !strcmp((char *)type, "revolute2"));
    xmlFree(type);
    return two ? &arne__universal : NULL;
}

/* q = multiplier (q_leader - reference) + offset */
static arne_status read_mimic(const sdf_frames *s, size_t joint, const xmlNode *axis, arne_joint_description *j)
{
    const xml_reader *r = s->r;
    const xmlNode *mimic;
    char name[LONGEST_NAME], which[16] = "axis";
    double multiplier = 1, offset = 0, reference = 0;
    bool found;
    size_t leader;
    arne_status status = arne__xml_only_child(r, axis, "mimic", &mimic);
    if (status || !mimic) return status;
    if ((status = arne__xml_name(r, mimic, "joint", name, sizeof name))) return status;
    if ((status = arne__xml_attribute(r, mimic, "axis", &found, which, sizeof which))) return status;
    if ((status = child_number(r, mimic, "multiplier", false, &multiplier))) return status;
    if ((status = child_number(r, mimic, "offset", false, &offset))) return status;
    if ((status = child_number(r, mimic, "reference", false, &reference))) return status;
    if ((status = arne__sdf_find(s, joint, name, mimic, &leader))) return status;
    char master[2 * LONGEST_NAME];
    const joint_row *row = row_of(s->list[leader].node);
    snprintf(master, sizeof master, "%.400s%s%s", s->list[leader].name, row ? "." : "",
             row ? row->freedom[!strcmp(which, "axis2")].name : "");
    return arne_description_follow(j, master, multiplier, offset - multiplier * reference) ? arne__xml_no_memory(r) : ARNE_OK;
}

/* A ball turns about the origin of its frame in the axes of its child. */
static arne_status read_ball(const sdf_frames *s, arne_joint_description *j)
{
    xml_reader *r = s->r;
    arne_pose turn = j->after, way = arne__pose_identity();
    for (int k = 0; k < 3; k++) {
        turn.p[k] = 0;
        way.p[k] = j->after.R[k] * j->after.p[0] + j->after.R[3 + k] * j->after.p[1] + j->after.R[6 + k] * j->after.p[2];
    }
    j->before = arne__pose_mul(&j->before, &turn);
    j->after = arne__pose_identity();
    if (way.p[0] == 0 && way.p[1] == 0 && way.p[2] == 0) return ARNE_OK;
    char *link = arne__spare_name(r->d, j->name, "__ball"), *after = arne__spare_name(r->d, j->name, "__after"),
         *child = j->child;
    arne_joint_description *fixed = NULL;
    if (link && after && arne_description_link(r->d, link, j->line) && (j->child = strdup(link))) {
        const int line = j->line;
        fixed = arne_description_joint(r->d, after, line, ARNE_FIXED, link, child);
        if (fixed) fixed->before = way;
        free(child);
    } else {
        j->child = child;
    }
    free(link);
    free(after);
    return fixed ? ARNE_OK : arne__xml_no_memory(r);
}

static arne_status joint_type(const xml_reader *r, const xmlNode *node, const char *text, arne_joint_type *type)
{
    static const struct {
        const char *word;
        arne_joint_type type;
    } types[] = {{"revolute", ARNE_REVOLUTE}, {"continuous", ARNE_REVOLUTE}, {"prismatic", ARNE_PRISMATIC},
                 {"fixed", ARNE_FIXED},       {"universal", ARNE_REVOLUTE},  {"revolute2", ARNE_REVOLUTE},
                 {"ball", ARNE_SPHERICAL}};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        *type = types[k].type;
        if (!strcmp(types[k].word, text)) return ARNE_OK;
    }
    if (!strcmp(text, "screw") || !strcmp(text, "gearbox"))
        return arne_fail(r->error, ARNE_UNSUPPORTED, r->file, arne__xml_line(node), "%s: %s joints are not modelled", r->where,
                         text);
    return XML_FAIL(r, node, "%s: unknown type '%s'; revolute, continuous, prismatic, universal, ball or fixed is expected",
                    r->where, text);
}

static arne_status lost(const sdf_frames *s)
{
    return XML_FAIL(s->r, s->list[0].node,
                    "the model stands in a frame of its world, which is not read: give its <pose> in the world");
}

/* parent link, or the world: *frame = count */
static arne_status read_parent(const sdf_frames *s, size_t i, size_t *frame)
{
    char name[LONGEST_NAME];
    const xmlNode *node;
    arne_status status = child_text(s->r, s->list[i].node, "parent", &node, name, sizeof name);
    if (status || !node) return status ? status : XML_FAIL(s->r, s->list[i].node, "%s: has no <parent>", s->r->where);
    *frame = s->count;
    if (!strcmp(name, WORLD)) return ARNE_OK;
    if ((status = arne__sdf_find(s, i, name, node, frame))) return status;
    return arne__sdf_link(s, *frame, frame);
}

/* What stands in <axis> or <axis2>, for a joint of one freedom. */
static arne_status read_freedom(const sdf_frames *s, size_t i, const xmlNode *axis, arne_joint_description *j)
{
    arne_status status = read_limits(s->r, axis, j->continuous, &j->limits);
    if (!status) status = read_dynamics(s->r, axis, &j->friction);
    return status ? status : read_mimic(s, i, axis, j);
}

static arne_status read_joint(const sdf_frames *s, size_t i)
{
    xml_reader *r = s->r;
    const sdf_frame *f = &s->list[i];
    const xmlNode *axis[2];
    char word[64];
    arne_joint_type type;
    size_t parent, child, first;
    double second[3] = {0, 0, 1};
    snprintf(r->where, sizeof r->where, "joint '%.120s'", f->name);
    arne_status status = arne__xml_name(r, f->node, "type", word, sizeof word);
    if (!status) status = joint_type(r, f->node, word, &type);
    if (!status) status = read_parent(s, i, &parent);
    if (!status) status = arne__sdf_link(s, f->attached, &child);
    if (!status) status = arne__xml_only_child(r, f->node, "axis", &axis[0]);
    if (!status) status = arne__xml_only_child(r, f->node, "axis2", &axis[1]);
    if (status) return status;
    const bool in_world = parent == s->count;
    if (in_world && s->lost) return lost(s);
    s->list[child].hangs = true;
    if (parent == child) return XML_FAIL(r, f->node, "%s: connects link '%.100s' to itself", r->where, s->list[child].name);
    arne_joint_description *j = arne_description_joint(r->d, f->name, arne__xml_line(f->node), type,
                                                       in_world ? WORLD : s->list[parent].name, s->list[child].name);
    if (!j) return arne__xml_no_memory(r);
    j->before = in_world ? arne__pose_mul(&s->placed, &f->at) : between(s, parent, i);
    j->after = between(s, i, child);
    j->continuous = !strcmp(word, "continuous");
    if (type == ARNE_FIXED) return ARNE_OK;
    if (type == ARNE_SPHERICAL) return read_ball(s, j);
    const joint_row *row = row_of(f->node);
    for (int k = 0; k <= (row != NULL); k++) {
        if (!axis[k]) return XML_FAIL(r, f->node, "%s: a %s joint needs <axis%s>", r->where, word, k ? "2" : "");
        if ((status = read_axis(s, i, axis[k], k ? second : j->axis))) return status;
    }
    if (!row) return read_freedom(s, i, axis[0], j);
    if ((status = arne__describe_row(r->d, row, second, &first, r->error))) return status;
    for (size_t k = 0; k < 2 && !status; k++) status = read_freedom(s, i, axis[k], &r->d->joints[first + k]);
    return status;
}

/* ---- models ---- */

/* Links that hang on nothing: free, or held where they are in a static model. */
static arne_status hang(const sdf_frames *s, bool still)
{
    arne_description *d = s->r->d;
    bool world = still;
    size_t roots = 0;
    for (size_t i = 0; i < d->njoint; i++) world = world || !strcmp(d->joints[i].parent, WORLD);
    for (size_t i = 0; i < s->count; i++) roots += s->list[i].kind == SDF_LINK && !s->list[i].hangs;
    if (still && s->lost) return lost(s);
    if (!world && roots < 2) return arne__describe_floating(d, s->r->error);
    if (!arne_description_link(d, WORLD, 0)) return arne__xml_no_memory(s->r);
    const size_t joints = d->njoint;
    for (size_t i = 0; i < s->count; i++) {
        const sdf_frame *f = &s->list[i];
        if (f->kind != SDF_LINK || f->hangs) continue;
        char name[LONGEST_NAME * 2];
        snprintf(name, sizeof name, "%.500s", f->name);
        for (size_t k = 0; k < joints; k++)
            if (!strcmp(d->joints[k].name, name) && strlen(name) + 1 < sizeof name) strcat(name, "_");
        arne_joint_description *j =
            arne_description_joint(d, name, arne__xml_line(f->node), still ? ARNE_FIXED : ARNE_FREE, WORLD, f->name);
        if (!j) return arne__xml_no_memory(s->r);
        if (still) j->before = arne__pose_mul(&s->placed, &f->at);
    }
    return ARNE_OK;
}

static arne_status read_model(xml_reader *r, const xmlNode *model, double version)
{
    sdf_frames s = {.r = r, .version = version};
    bool still = false;
    arne_status status = arne__sdf_collect(&s, model);
    if (!status) status = read_links(&s);
    for (size_t i = 0; i < s.count && !status; i++)
        if (s.list[i].kind == SDF_JOINT) status = read_joint(&s, i);
    snprintf(r->where, sizeof r->where, "the model");
    if (!status) status = child_truth(r, model, "static", &still);
    if (!status && r->d->nlink == 0) status = XML_FAIL(r, model, "the model has no <link>");
    if (!status && still)
        arne_description_warn(r->d, arne__xml_line(model), "a static model: its base is held, its joints are taken to move");
    if (!status) status = hang(&s, still);
    arne__sdf_free(&s);
    return status;
}

/* The first model that is not static, else the first; what else the file has is named. */
static arne_status choose(const xml_reader *r, const xmlNode *around, const xmlNode **model, const xmlNode **other)
{
    arne_status status = ARNE_OK;
    bool moves = false;
    *model = *other = NULL;
    for (const xmlNode *node = around->children; node && !status; node = node->next) {
        bool still = false;
        if (arne__xml_is(node, "include") || arne__xml_is(node, "joint")) *other = *other ? *other : node;
        if (!arne__xml_is(node, "model")) continue;
        status = child_truth(r, node, "static", &still);
        const xmlNode *left = node;
        if (!*model || (!moves && !still)) {
            left = *model;
            *model = node;
            moves = !still;
        }
        if (left && !*other) *other = left;
    }
    return status;
}

static arne_status read_gravity(xml_reader *r, const xmlNode *world)
{
    const xmlNode *node, *physics;
    size_t count;
    arne_status status = arne__xml_only_child(r, world, "gravity", &node);
    for (physics = world->children; physics && !node && !status; physics = physics->next) /* as the format had it before 1.6 */
        if (arne__xml_is(physics, "physics")) status = arne__xml_only_child(r, physics, "gravity", &node);
    r->d->gravity[2] = -9.8; /* of the format */
    return status || !node ? status : arne__xml_content_numbers(r, node, 3, 3, false, &count, r->d->gravity);
}

arne_status arne__sdf_robot(xml_reader *r, xmlNode *root)
{
    const xmlNode *world, *model, *other;
    char name[LONGEST_NAME];
    double version = 0;
    bool found;
    snprintf(r->where, sizeof r->where, "the file");
    arne_status status = arne__xml_numbers(r, root, "version", 1, false, &found, &version);
    if (!status) status = arne__xml_attribute(r, root, "version", &found, name, sizeof name);
    if (status || !found) return status ? status : XML_FAIL(r, root, "<sdf> has no version");
    if (strlen(name) > 3) version = 1.9; /* 1.10 comes after it */
    if ((status = arne__xml_only_child(r, root, "world", &world))) return status;
    if ((status = choose(r, world ? world : root, &model, &other))) return status;
    if (!model)
        return XML_FAIL(r, other ? other : root, "the file has no <model> of its own; models of other files are not read");
    if ((status = arne__xml_name(r, model, "name", name, sizeof name))) return status;
    r->d = arne_description_new(name);
    if (!r->d || !(r->d->file = strdup(r->file))) return arne__xml_no_memory(r);
    if (other)
        arne_description_warn(r->d, arne__xml_line(other), "only the model '%.100s' is read, not this <%s>, nor others", name,
                              (const char *)other->name);
    if (world) status = read_gravity(r, world);
    return status ? status : read_model(r, model, version);
}
