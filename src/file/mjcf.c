/* SPDX-License-Identifier: MIT
 *
 * mjcf.c - reads MJCF, the files of MuJoCo: bodies and their joints. doc/mjcf.md lists what is read and what is not.
 *
 * A body stands at its pose in its parent; its joints follow each other, each turning or sliding the body about its own anchor in
 * body axes: pose Trans(pos) motion(q - ref) Trans(-pos). Between two joints of one body there is a link without mass. */
#include "file/mjcf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "describe/pose.h"
#include "file/formats.h"

enum { LONGEST_NAME = 128 };

/* ---- names ---- */

/* Notes the names that the file gives to joints. */
static arne_status note_names(mjcf *m, const xmlNode *parent)
{
    for (const xmlNode *node = parent->children; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE) continue;
        if (arne__xml_is(node, "body") || arne__xml_is(node, "worldbody") || arne__xml_is(node, "frame"))
            TRY(note_names(m, node));
        else if (arne__xml_is(node, "joint") || arne__xml_is(node, "freejoint")) {
            const xmlAttr *a = xmlHasProp((xmlNode *)node, (const xmlChar *)"name");
            const xmlChar *name = a && a->children ? a->children->content : NULL;
            if (name && !xmlHashLookup(m->joints, name) && xmlHashAddEntry(m->joints, name, m)) return arne__xml_no_memory(m->r);
        }
    }
    return ARNE_OK;
}

static bool joint_is_called(const mjcf *m, const char *name) { return xmlHashLookup(m->joints, (const xmlChar *)name); }
static bool link_is_called(const mjcf *m, const char *name) { return xmlHashLookup(m->links, (const xmlChar *)name); }

/* A name of our own for a joint: that of its body, with _2, _3 ... where that is taken. */
static void own_joint_name(const mjcf *m, const char *body, char name[LONGEST_NAME])
{
    snprintf(name, LONGEST_NAME, "%s", body);
    for (int k = 2; joint_is_called(m, name); k++) snprintf(name, LONGEST_NAME, "%.100s_%d", body, k);
}

static void own_link_name(const mjcf *m, const char *body, char name[LONGEST_NAME])
{
    for (int k = 1; k == 1 || link_is_called(m, name); k++) snprintf(name, LONGEST_NAME, "%.100s__%d", body, k);
}

/* A link at the end of the description; NULL: out of memory. */
static arne_link_description *add_link(mjcf *m, const char *name, const xmlNode *node)
{
    if (xmlHashAddEntry(m->links, (const xmlChar *)name, m)) return NULL;
    return arne_description_link(m->r->d, name, arne__xml_line(node));
}

/* ---- joints ---- */

enum { HINGE, SLIDE, BALL, FREE };

static arne_status joint_kind(const mjcf *m, const xmlNode *node, int *kind)
{
    static const char *const words[] = {"hinge", "slide", "ball", "free", NULL};
    *kind = arne__xml_is(node, "freejoint") ? FREE : HINGE;
    return *kind == FREE ? ARNE_OK : arne__mjcf_word(m, node, "type", words, kind);
}

static arne_status not_negative(const mjcf *m, const xmlNode *node, const char *name, double *value)
{
    bool found;
    *value = 0;
    TRY(arne__mjcf_numbers(m, node, name, 1, &found, value));
    return *value >= 0 ? ARNE_OK : XML_FAIL(m->r, arne__mjcf_holder(m, node, name), "%s: its %s is negative", m->r->where, name);
}

/* Limits, rotor inertia, friction, springs. */
static arne_status read_dynamics(mjcf *m, const xmlNode *node, int kind, arne_joint_description *j)
{
    const double unit = m->degree && kind == HINGE ? acos(-1) / 180 : 1;
    double range[2], armature, damping, friction, stiffness, spring = 0, both[2] = {0, 0};
    bool found;
    size_t n;
    TRY(not_negative(m, node, "armature", &armature)); /* the defaults of joints are not those of a <freejoint> */
    TRY(not_negative(m, node, "damping", &damping));
    TRY(not_negative(m, node, "frictionloss", &friction));
    TRY(not_negative(m, node, "stiffness", &stiffness));
    TRY(arne__mjcf_numbers(m, node, "springref", 1, &found, &spring));
    TRY(arne__mjcf_list(m, node, "springdamper", 2, 2, false, &n, both));
    TRY(arne__mjcf_range(m, node, "limited", "range", &found, range));
    if (stiffness > 0 || n) TRY(arne__mjcf_acts(m, node, MJCF_SPRING, "the spring of a joint (stiffness)"));
    if (kind > SLIDE) {
        if (armature > 0 || damping > 0 || friction > 0)
            TRY(arne__mjcf_acts(m, node, MJCF_WIDE, "armature, damping or frictionloss of a joint of several freedoms"));
        return ARNE_OK;
    }
    if (found) j->limits.lower = range[0] * unit;
    if (found) j->limits.upper = range[1] * unit;
    j->continuous = kind == HINGE && !found;
    j->motor.inertia = armature;
    j->friction.viscous = damping;
    j->friction.coulomb = friction;
    TRY(arne__mjcf_range(m, node, "actuatorfrclimited", "actuatorfrcrange", &found, range));
    if (found) j->limits.effort = fmax(fabs(range[0]), fabs(range[1]));
    return ARNE_OK;
}

static arne_pose shift(const double by[3], double sign)
{
    arne_pose pose = arne__pose_identity();
    for (int i = 0; i < 3; i++) pose.p[i] = sign * by[i];
    return pose;
}

/* The place of an anchor and an axis in body axes, the angle or length at which q stands for the pose of the file. */
static arne_status read_geometry(const mjcf *m, const xmlNode *node, int kind, double anchor[3], double axis[3], double *ref)
{
    arne_pose frames;
    bool found;
    double at[3] = {0, 0, 0}, along[3] = {0, 0, 1};
    *ref = 0;
    TRY(arne__mjcf_frames(m, node, &frames));
    TRY(arne__mjcf_numbers(m, node, "pos", 3, &found, at));
    TRY(arne__mjcf_numbers(m, node, "axis", 3, &found, along));
    TRY(arne__mjcf_numbers(m, node, "ref", 1, &found, ref));
    if (arne__mjcf_normalize(along, 3) < 1e-12)
        return XML_FAIL(m->r, arne__mjcf_holder(m, node, "axis"), "%s: its axis is zero", m->r->where);
    if (kind == HINGE && m->degree) *ref *= acos(-1) / 180;
    for (int i = 0; i < 3; i++) {
        const double *R = frames.R + 3 * i;
        anchor[i] = R[0] * at[0] + R[1] * at[1] + R[2] * at[2] + frames.p[i];
        axis[i] = R[0] * along[0] + R[1] * along[1] + R[2] * along[2];
    }
    return ARNE_OK;
}

/* A joint at the end of the description; NULL: out of memory. */
static arne_joint_description *add_joint(mjcf *m, const char *name, const xmlNode *node, arne_joint_type type, const char *parent,
                                         const char *child, double ref)
{
    double *more = realloc(m->ref, (m->r->d->njoint + 1) * sizeof *more);
    if (!more) return NULL;
    m->ref = more;
    m->ref[m->r->d->njoint] = ref;
    if (xmlHashUpdateEntry(m->joints, (const xmlChar *)name, (void *)(m->r->d->njoint + 1), NULL)) return NULL;
    return arne_description_joint(m->r->d, name, arne__xml_line(node), type, parent, child);
}

/* A fixed joint: of a body without joints, or behind the anchor of a ball. */
static arne_status hold(mjcf *m, const xmlNode *node, const char *body, const char *parent, const char *child,
                        const arne_pose *at)
{
    char held[LONGEST_NAME], name[LONGEST_NAME]; /* not one that a joint without a name may need */
    snprintf(held, sizeof held, "%.100s__held", body);
    own_joint_name(m, held, name);
    arne_joint_description *j = add_joint(m, name, node, ARNE_FIXED, parent, child, 0);
    if (!j) return arne__xml_no_memory(m->r);
    j->before = *at;
    return ARNE_OK;
}

static arne_status joint_name(mjcf *m, const xmlNode *node, const char *body, char name[LONGEST_NAME])
{
    bool found;
    snprintf(m->r->where, sizeof m->r->where, "a joint of body '%s'", body);
    TRY(arne__xml_attribute(m->r, node, "name", &found, name, LONGEST_NAME));
    if (found && *name)
        TRY(arne__xml_name(m->r, node, "name", name, LONGEST_NAME));
    else
        own_joint_name(m, body, name);
    snprintf(m->r->where, sizeof m->r->where, "joint '%s'", name);
    return ARNE_OK;
}

/* One joint of a body. `from` is the link before it, `at` the body's place there; afterwards both are those behind it. The body's
 * own link is behind its last joint; a ball stands in its link's origin, so that one off the body's origin needs a link too. */
static arne_status read_joint(mjcf *m, const xmlNode *node, const char *body, bool last, char from[LONGEST_NAME], arne_pose *at)
{
    static const arne_joint_type types[] = {ARNE_REVOLUTE, ARNE_PRISMATIC, ARNE_SPHERICAL, ARNE_FREE};
    int kind;
    char name[LONGEST_NAME], to[LONGEST_NAME];
    double anchor[3] = {0}, axis[3] = {0}, ref = 0;
    TRY(joint_name(m, node, body, name));
    TRY(joint_kind(m, node, &kind));
    TRY(read_geometry(m, node, kind, anchor, axis, &ref));
    if (kind == FREE && strcmp(from, "world"))
        return XML_FAIL(m->r, node, "%s: a free joint stands in a body of <worldbody>, alone", m->r->where);
    const bool away = kind == BALL && (anchor[0] != 0 || anchor[1] != 0 || anchor[2] != 0);
    snprintf(to, sizeof to, "%s", body);
    if (!last || away) {
        own_link_name(m, body, to);
        if (!add_link(m, to, node)) return arne__xml_no_memory(m->r);
    }
    arne_joint_description *j = add_joint(m, name, node, types[kind], from, to, ref);
    if (!j) return arne__xml_no_memory(m->r);
    const arne_pose there = shift(anchor, 1), back = shift(anchor, -1);
    if (kind != FREE) j->before = arne__pose_mul(at, &there); /* a free body's position is told in the world */
    if (kind == HINGE || kind == SLIDE) {
        arne_pose turned = shift(axis, kind == SLIDE ? -ref : 0);
        if (kind == HINGE) arne__mjcf_turn(axis, -ref, turned.R);
        memcpy(j->axis, axis, sizeof axis);
        j->after = arne__pose_mul(&turned, &back);
    }
    TRY(read_dynamics(m, node, kind, j));
    *at = away ? back : arne__pose_identity();
    memcpy(from, to, sizeof to);
    return away && last ? hold(m, node, body, from, body, at) : ARNE_OK;
}

static bool is_joint(const xmlNode *node) { return arne__xml_is(node, "joint") || arne__xml_is(node, "freejoint"); }

/* The joint after this one in a body (NULL: the first). */
static const xmlNode *next_joint(const xmlNode *body, const xmlNode *joint)
{
    do joint = arne__mjcf_next(body, joint);
    while (joint && !is_joint(joint));
    return joint;
}

/* All joints of a body, from its parent's link to its own, which is already there. */
static arne_status read_joints(mjcf *m, const xmlNode *body, const char *name, const char *parent, const arne_pose *pose)
{
    char from[LONGEST_NAME];
    arne_pose at = *pose;
    const xmlNode *joint = next_joint(body, NULL);
    if (!joint) return hold(m, body, name, parent, name, pose);
    snprintf(from, sizeof from, "%s", parent);
    for (const xmlNode *next; joint; joint = next) {
        next = next_joint(body, joint);
        TRY(read_joint(m, joint, name, !next, from, &at));
    }
    return ARNE_OK;
}

/* ---- bodies ---- */

static arne_status read_bodies(mjcf *m, const xmlNode *parent, const char *link);

static arne_status body_name(mjcf *m, const xmlNode *node, char name[LONGEST_NAME])
{
    bool found;
    snprintf(m->r->where, sizeof m->r->where, "a body");
    TRY(arne__xml_attribute(m->r, node, "name", &found, name, LONGEST_NAME));
    if (found && *name) return arne__xml_name(m->r, node, "name", name, LONGEST_NAME);
    snprintf(name, LONGEST_NAME, "body%zu", m->nbody);
    return ARNE_OK;
}

static arne_status read_body(mjcf *m, const xmlNode *node, const char *parent)
{
    char name[LONGEST_NAME];
    arne_pose pose;
    arne_body body;
    double lift = 0;
    bool found;
    m->nbody++;
    TRY(body_name(m, node, name));
    snprintf(m->r->where, sizeof m->r->where, "body '%s'", name);
    if (link_is_called(m, name)) return XML_FAIL(m->r, node, "two bodies are called '%s': rename one", name);
    TRY(arne__mjcf_pose(m, node, &pose));
    TRY(arne__mjcf_inertia(m, node, &body));
    snprintf(m->r->where, sizeof m->r->where, "body '%s'", name);
    TRY(arne__mjcf_numbers(m, node, "gravcomp", 1, &found, &lift));
    if (lift != 0) TRY(arne__mjcf_acts(m, node, MJCF_GRAVCOMP, "gravity compensation (gravcomp)"));
    arne_link_description *link = add_link(m, name, node);
    if (!link) return arne__xml_no_memory(m->r);
    link->body = body;
    TRY(read_joints(m, node, name, parent, &pose));
    return read_bodies(m, node, name);
}

static arne_status read_bodies(mjcf *m, const xmlNode *parent, const char *link)
{
    static const char *const makers[] = {"composite", "flexcomp", "replicate", "attach"};
    for (const xmlNode *node = arne__mjcf_next(parent, NULL); node; node = arne__mjcf_next(parent, node)) {
        for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
            if (arne__xml_is(node, makers[i]))
                return arne_fail(m->r->error, ARNE_UNSUPPORTED, arne__xml_file(m->r, node), arne__xml_line(node),
                                 "<%s> makes bodies and is not read; write them out (MuJoCo saves such a model: mj_saveLastXML)",
                                 makers[i]);
        if (arne__xml_is(node, "body")) TRY(read_body(m, node, link));
        if (!strcmp(link, "world") && (is_joint(node) || arne__xml_is(node, "inertial")))
            return XML_FAIL(m->r, node, "<worldbody> has a <%s>; only bodies have one", (const char *)node->name);
    }
    return ARNE_OK;
}

/* ---- the model ---- */

static arne_status read_compiler(mjcf *m)
{
    static const char *const angles[] = {"radian", "degree", NULL}, *const coordinates[] = {"local", "global", NULL};
    snprintf(m->r->where, sizeof m->r->where, "the model");
    for (const xmlNode *node = m->root->children; node; node = node->next) {
        if (!arne__xml_is(node, "compiler")) continue;
        int global = 0;
        bool found;
        TRY(arne__mjcf_word(m, node, "angle", angles, &m->degree));
        TRY(arne__mjcf_word(m, node, "coordinate", coordinates, &global));
        if (global)
            return arne_fail(m->r->error, ARNE_UNSUPPORTED, arne__xml_file(m->r, node), arne__xml_line(node),
                             "coordinate=\"global\" is not read; MuJoCo saves a model in local ones");
        const struct {
            const char *name;
            int *value;
        } switches[] = {
            {"autolimits", &m->autolimits},        {"balanceinertia", &m->balance}, {"exactmeshinertia", &m->exact_mesh},
            {"discardvisual", &m->discard_visual}, {"fitaabb", &m->fit_aabb},       {"strippath", &m->strip_path},
            {"inertiafromgeom", &m->from_geoms}};
        for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
            TRY(arne__mjcf_switch(m, node, switches[i].name, switches[i].value));
        TRY(arne__mjcf_numbers(m, node, "boundmass", 1, &found, &m->bound_mass));
        TRY(arne__mjcf_numbers(m, node, "boundinertia", 1, &found, &m->bound_inertia));
        TRY(arne__mjcf_numbers(m, node, "settotalmass", 1, &found, &m->total_mass));
        TRY(arne__mjcf_numbers(m, node, "inertiagrouprange", 2, &found, m->groups));
        TRY(arne__xml_attribute(m->r, node, "assetdir", &found, m->mesh_folder, sizeof m->mesh_folder));
        TRY(arne__xml_attribute(m->r, node, "meshdir", &found, m->mesh_folder, sizeof m->mesh_folder));
        TRY(arne__xml_attribute(m->r, node, "eulerseq", &found, m->euler, sizeof m->euler));
        if (strlen(m->euler) != 3 || strspn(m->euler, "xyzXYZ") != 3)
            return XML_FAIL(m->r, node, "eulerseq=\"%s\" needs three letters of x, y, z, X, Y, Z", m->euler);
    }
    return ARNE_OK;
}

static arne_status read_options(mjcf *m)
{
    static const char *const words[] = {"disable", "enable", NULL};
    snprintf(m->r->where, sizeof m->r->where, "the model");
    for (const xmlNode *node = m->root->children; node; node = node->next) {
        if (!arne__xml_is(node, "option")) continue;
        bool found;
        double density = 0, viscosity = 0;
        TRY(arne__mjcf_numbers(m, node, "gravity", 3, &found, m->r->d->gravity));
        TRY(arne__mjcf_numbers(m, node, "density", 1, &found, &density));
        TRY(arne__mjcf_numbers(m, node, "viscosity", 1, &found, &viscosity));
        if (density != 0 || viscosity != 0)
            TRY(arne__mjcf_acts(m, node, MJCF_FLUID, "the air or water around the robot (density, viscosity)"));
        for (const xmlNode *flag = node->children; flag; flag = flag->next) {
            int gravity = 1;
            if (!arne__xml_is(flag, "flag")) continue;
            TRY(arne__mjcf_word(m, flag, "gravity", words, &gravity));
            if (!gravity) memset(m->r->d->gravity, 0, sizeof m->r->d->gravity);
        }
    }
    return ARNE_OK;
}

static arne_status read_model(mjcf *m)
{
    char name[256], stem[256];
    bool found;
    snprintf(m->r->where, sizeof m->r->where, "the model");
    TRY(arne__xml_attribute(m->r, m->root, "model", &found, name, sizeof name));
    arne__file_stem(m->r->file, stem, sizeof stem);
    m->r->d = arne_description_new(found && *name ? name : stem);
    if (!m->r->d || !(m->r->d->file = strdup(m->r->file))) return arne__xml_no_memory(m->r);
    TRY(arne__mjcf_classes(m));
    TRY(read_compiler(m));
    TRY(read_options(m));
    if (!m->joints || !m->links || !add_link(m, "world", m->root)) return arne__xml_no_memory(m->r);
    TRY(note_names(m, m->root));
    for (const xmlNode *node = m->root->children; node; node = node->next)
        if (arne__xml_is(node, "worldbody")) TRY(read_bodies(m, node, "world"));
    if (m->r->d->nlink == 1) return XML_FAIL(m->r, m->root, "the model has no <body>");
    arne__mjcf_total_mass(m);
    TRY(arne__mjcf_actuators(m));
    TRY(arne__mjcf_equalities(m));
    TRY(arne__mjcf_tendons(m));
    return arne__mjcf_keyframes(m);
}

arne_status arne__mjcf_robot(xml_reader *r, xmlNode *root)
{
    mjcf m = {.r = r,
              .root = root,
              .degree = 1,
              .autolimits = 1,
              .from_geoms = MJCF_AUTO,
              .euler = "xyz",
              .total_mass = -1,
              .groups = {0, 5},
              .joints = xmlHashCreate(64),
              .links = xmlHashCreate(64)};
    mjcf_files files = {.count = 0};
    snprintf(r->where, sizeof r->where, "the model");
    arne_status status = arne__mjcf_include(r, root, &files);
    if (!status) status = read_model(&m);
    arne__mjcf_free_files(&files);
    free(m.classes);
    free(m.ref);
    free(m.solids);
    if (m.joints) xmlHashFree(m.joints, NULL);
    if (m.links) xmlHashFree(m.links, NULL);
    return status;
}
