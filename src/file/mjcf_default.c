/* SPDX-License-Identifier: MIT
 *
 * mjcf_default.c - elements of MJCF with their defaults: an attribute that an element does not have is that of its class, of the
 * class around that one, and so on. The class is named by the element, or by the nearest body around it (childclass). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "describe/pose.h"
#include "file/mjcf.h"

/* ---- walks ---- */

const xmlNode *arne__mjcf_next(const xmlNode *body, const xmlNode *element)
{
    const xmlNode *next = element ? element->next : body->children, *inside = element ? element->parent : body;
    for (;;) {
        if (!next) { /* the end of a frame, or of the body */
            if (inside == body) return NULL;
            next = inside->next;
            inside = inside->parent;
        } else if (arne__xml_is(next, "frame")) {
            inside = next;
            next = next->children;
        } else if (next->type == XML_ELEMENT_NODE)
            return next;
        else
            next = next->next;
    }
}

const xmlNode *arne__mjcf_in(const xmlNode *root, const char *section, const xmlNode *element)
{
    const xmlNode *part = element ? element->parent : NULL, *next = element ? element->next : NULL;
    for (;;) {
        for (; next; next = next->next)
            if (next->type == XML_ELEMENT_NODE) return next;
        do part = part ? part->next : root->children;
        while (part && !arne__xml_is(part, section));
        if (!part) return NULL;
        next = part->children;
    }
}

/* ---- classes ---- */

static int class_called(const mjcf *m, const char *name)
{
    for (size_t i = 0; i < m->nclass; i++)
        if (!strcmp(m->classes[i].name, name)) return m->classes[i].id;
    return -1;
}

/* Notes a <default> and those in it. */
static arne_status add_class(mjcf *m, const xmlNode *node, int parent)
{
    enum { MOST = 1000 };
    if (m->nclass == MOST) return XML_FAIL(m->r, node, "there are more than %d default classes", MOST);
    mjcf_class *more = realloc(m->classes, (m->nclass + 1) * sizeof *more);
    if (!more) return arne__xml_no_memory(m->r);
    m->classes = more;
    mjcf_class *c = &m->classes[m->nclass];
    *c = (mjcf_class){.name = "main", .node = node, .id = (int)m->nclass, .parent = parent};
    bool found;
    snprintf(m->r->where, sizeof m->r->where, "<default>");
    TRY(arne__xml_attribute(m->r, node, "class", &found, c->name, sizeof c->name));
    if (parent >= 0 && (!found || !*c->name)) return XML_FAIL(m->r, node, "a <default> within another one has no class");
    if (parent >= 0 && class_called(m, c->name) >= 0)
        return XML_FAIL(m->r, node, "there are two default classes '%s'; rename one", c->name);
    if (parent < 0) c->id = 0;
    const int id = c->id;
    m->nclass++;
    for (const xmlNode *child = node->children; child; child = child->next)
        if (arne__xml_is(child, "default")) TRY(add_class(m, child, id));
    return ARNE_OK;
}

static arne_status check_class(const mjcf *m, const xmlNode *node, const char *attribute)
{
    char name[128];
    bool found;
    TRY(arne__xml_attribute(m->r, node, attribute, &found, name, sizeof name));
    if (found && class_called(m, name) < 0 && strcmp(name, "main"))
        return XML_FAIL(m->r, node, "there is no default class '%s' for this <%s>", name, (const char *)node->name);
    return ARNE_OK;
}

/* Every class that is named must be there. */
static arne_status check_classes(const mjcf *m, const xmlNode *parent)
{
    for (const xmlNode *node = parent->children; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE || arne__xml_is(node, "default")) continue;
        TRY(check_class(m, node, "class"));
        TRY(check_class(m, node, "childclass"));
        TRY(check_classes(m, node));
    }
    return ARNE_OK;
}

arne_status arne__mjcf_classes(mjcf *m)
{
    for (const xmlNode *node = m->root->children; node; node = node->next)
        if (arne__xml_is(node, "default")) TRY(add_class(m, node, -1));
    snprintf(m->r->where, sizeof m->r->where, "the model");
    return check_classes(m, m->root);
}

/* The class of an element, 0: the one at the top. */
static int class_of(const mjcf *m, const xmlNode *node)
{
    const char *attribute = "class";
    for (; node && node->type == XML_ELEMENT_NODE; node = node->parent) {
        const xmlAttr *a = xmlHasProp((xmlNode *)node, (const xmlChar *)attribute);
        const char *name = a && a->children ? (const char *)a->children->content : NULL;
        const int id = name ? class_called(m, name) : -1;
        if (id >= 0) return id;
        attribute = "childclass";
    }
    return 0;
}

/* Does this element of a class stand for elements like `node`? */
static bool is_default_of(const xmlNode *standard, const xmlNode *node)
{
    const xmlNode *in = node->parent;
    if (in && arne__xml_is(in, "equality")) return arne__xml_is(standard, "equality");
    if (in && arne__xml_is(in, "tendon")) return arne__xml_is(standard, "tendon");
    if (in && arne__xml_is(in, "actuator")) {
        static const char *const kinds[] = {"general",     "motor",    "position", "velocity", "damper",
                                            "intvelocity", "cylinder", "muscle",   "adhesion"};
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (arne__xml_is(standard, kinds[i])) return true;
        return false;
    }
    return arne__xml_is(standard, (const char *)node->name);
}

const xmlNode *arne__mjcf_holder(const mjcf *m, const xmlNode *node, const char *name)
{
    if (xmlHasProp((xmlNode *)node, (const xmlChar *)name)) return node;
    for (int id = class_of(m, node); id >= 0 && m->nclass; id = m->classes[id].parent)
        for (size_t i = m->nclass; i-- > 0;) {
            if (m->classes[i].id != id) continue;
            for (const xmlNode *child = m->classes[i].node->last; child; child = child->prev)
                if (child->type == XML_ELEMENT_NODE && is_default_of(child, node) &&
                    xmlHasProp((xmlNode *)child, (const xmlChar *)name))
                    return child;
        }
    return NULL;
}

/* ---- attributes ---- */

arne_status arne__mjcf_list(const mjcf *m, const xmlNode *node, const char *name, size_t least, size_t most, bool unbounded,
                            size_t *count, double *values)
{
    const xmlNode *holder = arne__mjcf_holder(m, node, name);
    *count = 0;
    return holder ? arne__xml_list(m->r, holder, name, least, most, unbounded, count, values) : ARNE_OK;
}

arne_status arne__mjcf_numbers(const mjcf *m, const xmlNode *node, const char *name, size_t count, bool *found, double *values)
{
    size_t n;
    const arne_status status = arne__mjcf_list(m, node, name, count, count, false, &n, values);
    *found = n > 0;
    return status;
}

arne_status arne__mjcf_text(const mjcf *m, const xmlNode *node, const char *name, bool *found, char *text, size_t size)
{
    const xmlNode *holder = arne__mjcf_holder(m, node, name);
    *found = false;
    return holder ? arne__xml_attribute(m->r, holder, name, found, text, size) : ARNE_OK;
}

arne_status arne__mjcf_word(const mjcf *m, const xmlNode *node, const char *name, const char *const words[], int *value)
{
    char text[64];
    bool found;
    TRY(arne__mjcf_text(m, node, name, &found, text, sizeof text));
    for (int i = 0; found && words[i]; i++)
        if (!strcmp(text, words[i])) {
            *value = i;
            return ARNE_OK;
        }
    if (!found) return ARNE_OK;
    return XML_FAIL(m->r, arne__mjcf_holder(m, node, name), "%s: %s=\"%s\" of <%s> is not known", m->r->where, name, text,
                    (const char *)node->name);
}

arne_status arne__mjcf_switch(const mjcf *m, const xmlNode *node, const char *name, int *value)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    return arne__mjcf_word(m, node, name, words, value);
}

arne_status arne__mjcf_range(const mjcf *m, const xmlNode *node, const char *limited, const char *range, bool *found,
                             double *values)
{
    int is_limited = MJCF_AUTO;
    size_t n;
    values[0] = values[1] = 0;
    TRY(arne__mjcf_switch(m, node, limited, &is_limited));
    TRY(arne__mjcf_list(m, node, range, 2, 2, true, &n, values));
    const bool given = values[0] != 0 || values[1] != 0;
    if (is_limited == MJCF_AUTO && given && !m->autolimits)
        return XML_FAIL(m->r, node, "%s: has a %s, and autolimits is false: say %s=\"true\" or \"false\"", m->r->where, range,
                        limited);
    *found = is_limited == MJCF_AUTO ? given : is_limited == MJCF_YES;
    if (*found && !(values[0] <= values[1]))
        return XML_FAIL(m->r, node, "%s: %s=\"%g %g\": the first number must be the smaller one", m->r->where, range, values[0],
                        values[1]);
    return ARNE_OK;
}

/* ---- poses ---- */

void arne__mjcf_turn(const double axis[3], double angle, double R[9])
{
    double c, s;
    arne__exact_cos_sin(angle, &c, &s);
    const double x = axis[0], y = axis[1], z = axis[2], v = 1 - c;
    const double t[9] = {c + v * x * x,     v * x * y - s * z, v * x * z + s * y, v * x * y + s * z, c + v * y * y,
                         v * y * z - s * x, v * x * z - s * y, v * y * z + s * x, c + v * z * z};
    memcpy(R, t, sizeof t);
}

/* To length one; 0: there is no direction in it. */
double arne__mjcf_normalize(double *v, int n)
{
    double length = 0;
    for (int i = 0; i < n; i++) length = hypot(length, v[i]);
    for (int i = 0; i < n && length > 0; i++) v[i] /= length;
    return length;
}

void arne__mjcf_from_quaternion(const double q[4], double R[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double t[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
                         2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                         2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
    memcpy(R, t, sizeof t);
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void arne__mjcf_turn_z(const double to[3], double R[9])
{
    double axis[3] = {-to[1], to[0], 0};
    const double s = arne__mjcf_normalize(axis, 3);
    if (s < 1e-10) memcpy(axis, (const double[3]){1, 0, 0}, sizeof axis);
    arne__mjcf_turn(axis, atan2(s, to[2]), R);
}

/* Angles about the axes of `sequence`: small letters turn with the frame, capital ones stay. */
static arne_status from_euler(const mjcf *m, const double angle[3], arne_pose *out)
{
    arne_pose sum = arne__pose_identity();
    for (int i = 0; i < 3; i++) {
        arne_pose one = arne__pose_identity();
        const int k = (m->euler[i] | 32) - 'x';
        const double axis[3] = {k == 0, k == 1, k == 2};
        arne__mjcf_turn(axis, angle[i], one.R);
        sum = m->euler[i] >= 'x' ? arne__pose_mul(&sum, &one) : arne__pose_mul(&one, &sum);
    }
    memcpy(out->R, sum.R, sizeof sum.R);
    return ARNE_OK;
}

#define ZERO(what)                                                                                                               \
    XML_FAIL(m->r, arne__mjcf_holder(m, node, what), "%s: %s of <%s> is zero", m->r->where, what, (const char *)node->name)

/* Of several ways to say it the last one of these counts, as in MuJoCo. */
static arne_status orientation(const mjcf *m, const xmlNode *node, arne_pose *pose)
{
    double q[4], xy[6], z[3], euler[3];
    const double unit = m->degree ? acos(-1) / 180 : 1;
    bool found;
    TRY(arne__mjcf_numbers(m, node, "quat", 4, &found, q));
    if (found && arne__mjcf_normalize(q, 4) < 1e-12) return ZERO("quat");
    if (found) arne__mjcf_from_quaternion(q, pose->R);
    TRY(arne__mjcf_numbers(m, node, "axisangle", 4, &found, q));
    if (found && arne__mjcf_normalize(q, 3) < 1e-12) return ZERO("axisangle");
    if (found) arne__mjcf_turn(q, q[3] * unit, pose->R);
    TRY(arne__mjcf_numbers(m, node, "xyaxes", 6, &found, xy));
    if (found) {
        if (arne__mjcf_normalize(xy, 3) < 1e-12) return ZERO("xyaxes");
        const double d = xy[0] * xy[3] + xy[1] * xy[4] + xy[2] * xy[5];
        for (int i = 0; i < 3; i++) xy[3 + i] -= d * xy[i];
        if (arne__mjcf_normalize(xy + 3, 3) < 1e-12) return ZERO("xyaxes");
        cross(xy, xy + 3, z);
        for (int i = 0; i < 3; i++) memcpy(pose->R + 3 * i, (const double[3]){xy[i], xy[3 + i], z[i]}, sizeof z);
    }
    TRY(arne__mjcf_numbers(m, node, "zaxis", 3, &found, z));
    if (found && arne__mjcf_normalize(z, 3) < 1e-12) return ZERO("zaxis");
    if (found) arne__mjcf_turn_z(z, pose->R);
    TRY(arne__mjcf_numbers(m, node, "euler", 3, &found, euler));
    for (int i = 0; i < 3; i++) euler[i] = found ? euler[i] * unit : 0;
    return found ? from_euler(m, euler, pose) : ARNE_OK;
}

static arne_status own_pose(const mjcf *m, const xmlNode *node, arne_pose *pose)
{
    bool found;
    *pose = arne__pose_identity();
    TRY(arne__mjcf_numbers(m, node, "pos", 3, &found, pose->p));
    return orientation(m, node, pose);
}

arne_status arne__mjcf_frames(const mjcf *m, const xmlNode *node, arne_pose *pose)
{
    *pose = arne__pose_identity();
    for (node = node->parent; node && arne__xml_is(node, "frame"); node = node->parent) {
        arne_pose frame;
        TRY(own_pose(m, node, &frame));
        *pose = arne__pose_mul(&frame, pose);
    }
    return ARNE_OK;
}

arne_status arne__mjcf_pose(const mjcf *m, const xmlNode *node, arne_pose *pose)
{
    arne_pose own, frames;
    TRY(own_pose(m, node, &own));
    TRY(arne__mjcf_frames(m, node, &frames));
    *pose = arne__pose_mul(&frames, &own);
    return ARNE_OK;
}
