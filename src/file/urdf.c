/* SPDX-License-Identifier: MIT
 *
 * urdf.c - reads URDF.
 *
 * The inertia of a link is about its centre of mass, in the axes of <inertial><origin>; a link without <inertial> weighs nothing.
 * <dynamics> damping and friction are viscous and Coulomb friction at the joint. What is not dynamics (visual, collision,
 * transmission, gazebo, ...) is passed over. Numbers are read strictly: what is not wholly a number is an error with its line. */
#include "file/formats.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/expr.h"
#include "describe/body.h"
#include "describe/pose.h"
#include "describe/rows.h"

/* Beyond this no length, mass or inertia is meant, and their products could overflow. */
static const double LARGEST = 1e30;

typedef struct {
    const char *file;
    arne_description *d;
    arne_error *error;
    char where[160]; /* "link 'forearm'": begins every message about it */
} reader;

/* ---- messages ---- */

static int line_of(const xmlNode *node)
{
    long line = xmlGetLineNo((xmlNode *)node);
    return line > 0 && line < INT_MAX ? (int)line : 0;
}

#define FAIL(r, node, ...) arne_fail((r)->error, ARNE_BAD_VALUE, (r)->file, line_of(node), __VA_ARGS__)

static arne_status no_memory(const reader *r) { return arne_fail(r->error, ARNE_NO_MEMORY, r->file, 0, "out of memory"); }

/* ---- elements and attributes ---- */

static bool is_element(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* *child = the child element of this name, or NULL; two of them are an error. */
static arne_status only_child(const reader *r, const xmlNode *parent, const char *name, const xmlNode **child)
{
    *child = NULL;
    for (const xmlNode *node = parent->children; node; node = node->next) {
        if (!is_element(node, name)) continue;
        if (*child) return FAIL(r, node, "%s: a second <%s>; keep one", r->where, name);
        *child = node;
    }
    return ARNE_OK;
}

/* A non-empty attribute in buffer; absent when *found is false. */
static arne_status attribute(const reader *r, const xmlNode *node, const char *name, bool *found, char *buffer, size_t size)
{
    xmlChar *text = xmlGetNoNsProp((xmlNode *)node, (const xmlChar *)name);
    *found = text != NULL;
    if (!text) return xmlHasProp((xmlNode *)node, (const xmlChar *)name) ? no_memory(r) : ARNE_OK;
    size_t length = strlen((const char *)text);
    if (length < size) memcpy(buffer, text, length + 1);
    xmlFree(text);
    if (length >= size) return FAIL(r, node, "%s: %s of <%s> is too long", r->where, name, (const char *)node->name);
    return ARNE_OK;
}

/* Reads exactly `count` numbers; infinity is a number only where `unbounded`. */
static arne_status numbers(const reader *r, const xmlNode *node, const char *name, size_t count, bool unbounded, bool *found,
                           double *values)
{
    char text[512] = "";
    arne_status status = attribute(r, node, name, found, text, sizeof text);
    if (status || !*found) return status;
    const char *element = (const char *)node->name, *at = text;
    for (size_t i = 0;; i++) {
        at += strspn(at, " \t\r\n");
        if (!*at && i == count) return ARNE_OK;
        if (!*at || i == count)
            return FAIL(r, node, "%s: %s=\"%.80s\" of <%s> needs %zu number%s", r->where, name, text, element, count,
                        count > 1 ? "s" : "");
        double sign = *at == '-' ? -1 : 1, value = 0;
        const char *digits = at + (*at == '-' || *at == '+');
        const char *end = arne__expr_number(digits, &value);
        if (unbounded && strncmp(digits, "inf", 3) == 0) {
            value = INFINITY;
            end = digits + 3;
        }
        if (end == digits || (*end && !strchr(" \t\r\n", *end)))
            return FAIL(r, node, "%s: %s=\"%.80s\" of <%s> is not a number", r->where, name, text, element);
        if (!unbounded && !(value <= LARGEST))
            return FAIL(r, node, "%s: %s=\"%.80s\" of <%s> is too large", r->where, name, text, element);
        values[i] = sign * value;
        at = end;
    }
}

/* One number that must be there. */
static arne_status required(const reader *r, const xmlNode *node, const char *name, double *value)
{
    bool found;
    arne_status status = numbers(r, node, name, 1, false, &found, value);
    if (status || found) return status;
    return FAIL(r, node, "%s: <%s> has no %s", r->where, (const char *)node->name, name);
}

/* One number >= 0 that may be absent; *value stays then. */
static arne_status optional(const reader *r, const xmlNode *node, const char *name, double *value)
{
    bool found;
    arne_status status = numbers(r, node, name, 1, false, &found, value);
    if (status || !found || *value >= 0) return status;
    return FAIL(r, node, "%s: %s of <%s> is negative", r->where, name, (const char *)node->name);
}

/* A name that must be there: of the element itself, or `attribute_name` of a child like <parent link="...">. */
static arne_status a_name(const reader *r, const xmlNode *node, const char *name, char *buffer, size_t size)
{
    bool found;
    arne_status status = attribute(r, node, name, &found, buffer, size);
    if (status) return status;
    if (!found || !*buffer) return FAIL(r, node, "%s: <%s> has no %s", r->where, (const char *)node->name, name);
    for (const char *c = buffer; *c; c++)
        if ((unsigned char)*c < ' ') return FAIL(r, node, "%s: %s has a control character", r->where, name);
    return ARNE_OK;
}

/* <origin xyz rpy> of parent; identity where absent. */
static arne_status origin(const reader *r, const xmlNode *parent, arne_pose *pose)
{
    const xmlNode *node;
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    bool found;
    *pose = arne__pose_identity();
    arne_status status = only_child(r, parent, "origin", &node);
    if (status || !node) return status;
    if ((status = numbers(r, node, "xyz", 3, false, &found, xyz))) return status;
    if ((status = numbers(r, node, "rpy", 3, false, &found, rpy))) return status;
    *pose = arne_pose_rpy(xyz, rpy);
    return ARNE_OK;
}

/* ---- links ---- */

static arne_status read_inertial(const reader *r, const xmlNode *inertial, arne_body *body)
{
    static const char *const entries[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const xmlNode *mass, *inertia;
    arne_pose at;
    arne_status status;
    if ((status = origin(r, inertial, &at))) return status;
    if ((status = only_child(r, inertial, "mass", &mass))) return status;
    if ((status = only_child(r, inertial, "inertia", &inertia))) return status;
    if (!mass) return FAIL(r, inertial, "%s: <inertial> has no <mass value=\"...\"/>", r->where);
    if (!inertia) return FAIL(r, inertial, "%s: <inertial> has no <inertia ixx=\"...\" .../>", r->where);
    if ((status = required(r, mass, "value", &body->mass))) return status;
    for (int i = 0; i < 6; i++)
        if ((status = required(r, inertia, entries[i], &body->inertia[i]))) return status;
    arne__body_transform(&at, body, body); /* from the inertial origin to the link */
    return ARNE_OK;
}

static arne_status read_link(reader *r, const xmlNode *node)
{
    char name[128];
    const xmlNode *inertial;
    snprintf(r->where, sizeof r->where, "a link");
    arne_status status = a_name(r, node, "name", name, sizeof name);
    if (status) return status;
    snprintf(r->where, sizeof r->where, "link '%s'", name);
    if ((status = only_child(r, node, "inertial", &inertial))) return status;
    arne_link_description *link = arne_description_link(r->d, name, line_of(node));
    if (!link) return no_memory(r);
    return inertial ? read_inertial(r, inertial, &link->body) : ARNE_OK;
}

/* ---- joints ---- */

/* beside the types of a description: a row of these */
enum { PLANAR = -1 };

static arne_status joint_type(const reader *r, const xmlNode *node, int *type, bool *continuous)
{
    char text[64];
    arne_status status = a_name(r, node, "type", text, sizeof text);
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
        return FAIL(r, node, "%s: unknown type '%s'; revolute, continuous, prismatic, planar, floating or fixed is expected",
                    r->where, text);
    return ARNE_OK;
}

static arne_status connected_link(const reader *r, const xmlNode *joint, const char *end, char *buffer, size_t size)
{
    const xmlNode *node;
    arne_status status = only_child(r, joint, end, &node);
    if (status) return status;
    if (!node) return FAIL(r, joint, "%s: has no <%s link=\"...\"/>", r->where, end);
    return a_name(r, node, "link", buffer, size);
}

static arne_status read_axis(const reader *r, const xmlNode *node, arne_joint_description *j)
{
    const xmlNode *axis;
    bool found;
    j->axis[0] = 1;
    j->axis[1] = j->axis[2] = 0;
    arne_status status = only_child(r, node, "axis", &axis);
    if (status || !axis) return status;
    if ((status = numbers(r, axis, "xyz", 3, false, &found, j->axis))) return status;
    double length = hypot(hypot(j->axis[0], j->axis[1]), j->axis[2]);
    if (length == 0) return FAIL(r, axis, "%s: the axis is zero; give its direction, e.g. xyz=\"0 0 1\"", r->where);
    if (length < 1e-6 || length > 1e6) return FAIL(r, axis, "%s: the axis has length %g; give a unit vector", r->where, length);
    return ARNE_OK;
}

/* In URDF an absent lower or upper is 0. Where both are absent the joint could not move at all: taken as "no limits". */
static arne_status read_position_limits(const reader *r, const xmlNode *limit, arne_limits *out)
{
    bool has_lower, has_upper;
    double lower = 0, upper = 0;
    arne_status status = numbers(r, limit, "lower", 1, true, &has_lower, &lower);
    if (!status) status = numbers(r, limit, "upper", 1, true, &has_upper, &upper);
    if (status) return status;
    if (!has_lower && !has_upper) {
        arne_description_warn(r->d, line_of(limit), "%s: <limit> has neither lower nor upper; taken as unlimited", r->where);
        return ARNE_OK;
    }
    if (lower > upper)
        arne_description_warn(r->d, line_of(limit), "%s: lower limit %g is above upper limit %g; taken as %g to %g", r->where,
                              lower, upper, upper, lower);
    out->lower = fmin(lower, upper);
    out->upper = fmax(lower, upper);
    if (out->lower == INFINITY || out->upper == -INFINITY)
        return FAIL(r, limit, "%s: between the limits %g and %g there is no position", r->where, lower, upper);
    return ARNE_OK;
}

/* A limit of a size: a negative one can only mean its size. */
static arne_status read_size(const reader *r, const xmlNode *limit, const char *name, double *size)
{
    bool found;
    arne_status status = numbers(r, limit, name, 1, true, &found, size);
    if (status || !(*size < 0)) return status;
    *size = -*size;
    arne_description_warn(r->d, line_of(limit), "%s: its %s limit %g is negative; taken as %g", r->where, name, -*size, *size);
    return ARNE_OK;
}

static arne_status read_limits(const reader *r, const xmlNode *node, arne_joint_description *j)
{
    const xmlNode *limit;
    arne_status status = only_child(r, node, "limit", &limit);
    if (status) return status;
    if (!limit) {
        if (!j->continuous) arne_description_warn(r->d, j->line, "%s: has no <limit>; taken as unlimited", r->where);
        return ARNE_OK;
    }
    if (!j->continuous && (status = read_position_limits(r, limit, &j->limits))) return status;
    if ((status = read_size(r, limit, "velocity", &j->limits.velocity))) return status;
    if ((status = read_size(r, limit, "effort", &j->limits.effort))) return status;
    if (j->limits.velocity == 0 || j->limits.effort == 0)
        arne_description_warn(r->d, line_of(limit), "%s: its velocity or effort limit is 0: it may not move", r->where);
    return ARNE_OK;
}

static arne_status read_friction(const reader *r, const xmlNode *node, arne_friction *friction)
{
    const xmlNode *dynamics;
    arne_status status = only_child(r, node, "dynamics", &dynamics);
    if (status || !dynamics) return status;
    if ((status = optional(r, dynamics, "damping", &friction->viscous))) return status;
    return optional(r, dynamics, "friction", &friction->coulomb);
}

static arne_status read_mimic(const reader *r, const xmlNode *node, arne_joint_description *j)
{
    const xmlNode *mimic;
    bool found;
    char master[128];
    double multiplier = 1, offset = 0;
    arne_status status = only_child(r, node, "mimic", &mimic);
    if (status || !mimic) return status;
    if ((status = a_name(r, mimic, "joint", master, sizeof master))) return status;
    if ((status = numbers(r, mimic, "multiplier", 1, false, &found, &multiplier))) return status;
    if ((status = numbers(r, mimic, "offset", 1, false, &found, &offset))) return status;
    arne_description_warn(r->d, line_of(mimic), "%s: mimics another joint; taken as an independent joint", r->where);
    return arne_description_follow(j, master, multiplier, offset) ? no_memory(r) : ARNE_OK;
}

/* A plane by its normal. Where no axis is given it is z, as other readers have it, not the x of joints that turn. */
static arne_status planar(const reader *r, const xmlNode *node, arne_joint_description *j)
{
    const xmlNode *axis;
    size_t first;
    arne_status status = read_axis(r, node, j);
    if (!status) status = only_child(r, node, "axis", &axis);
    if (status) return status;
    if (!axis) memcpy(j->axis, (const double[3]){0, 0, 1}, sizeof j->axis);
    return arne__describe_row(r->d, &arne__planar, NULL, &first, r->error);
}

static arne_status read_joint(reader *r, const xmlNode *node)
{
    char name[128], parent[128], child[128];
    int type = ARNE_FIXED;
    bool continuous = false;
    snprintf(r->where, sizeof r->where, "a joint");
    arne_status status = a_name(r, node, "name", name, sizeof name);
    if (status) return status;
    snprintf(r->where, sizeof r->where, "joint '%s'", name);
    if ((status = joint_type(r, node, &type, &continuous))) return status;
    if ((status = connected_link(r, node, "parent", parent, sizeof parent))) return status;
    if ((status = connected_link(r, node, "child", child, sizeof child))) return status;
    if (strcmp(parent, child) == 0) return FAIL(r, node, "%s: connects link '%s' to itself", r->where, child);

    arne_joint_description *j =
        arne_description_joint(r->d, name, line_of(node), type == PLANAR ? ARNE_REVOLUTE : (arne_joint_type)type, parent, child);
    if (!j) return no_memory(r);
    j->continuous = continuous;
    if ((status = origin(r, node, &j->before))) return status;
    if (type == ARNE_FIXED) return ARNE_OK;
    if (type == ARNE_FREE || type == PLANAR) {
        static const char *const unused[] = {"limit", "dynamics", "mimic"};
        for (size_t k = 0; k < sizeof unused / sizeof *unused && !status; k++) {
            const xmlNode *element;
            if (!(status = only_child(r, node, unused[k], &element)) && element)
                arne_description_warn(r->d, line_of(element), "%s has several freedoms: its <%s> is not used", r->where,
                                      unused[k]);
        }
        return status || type == ARNE_FREE ? status : planar(r, node, j);
    }
    if ((status = read_axis(r, node, j))) return status;
    if ((status = read_limits(r, node, j))) return status;
    if ((status = read_friction(r, node, &j->friction))) return status;
    return read_mimic(r, node, j);
}

/* ---- the robot ---- */

static arne_status read_robot(reader *r, const xmlNode *root)
{
    if (!root || !is_element(root, "robot"))
        return arne_fail(r->error, ARNE_BAD_SYNTAX, r->file, root ? line_of(root) : 0,
                         "not a URDF file: it begins with <%s>, not <robot>", root ? (const char *)root->name : "");
    char name[256], stem[256];
    bool found;
    snprintf(r->where, sizeof r->where, "the robot");
    arne_status status = attribute(r, root, "name", &found, name, sizeof name);
    if (status) return status;
    arne__file_stem(r->file, stem, sizeof stem);
    r->d = arne_description_new(found && *name ? name : stem);
    if (!r->d || !(r->d->file = strdup(r->file))) return no_memory(r);
    if (!found || !*name) arne_description_warn(r->d, line_of(root), "<robot> has no name; taken from the file: '%s'", stem);

    for (const xmlNode *node = root->children; node && !status; node = node->next) {
        if (node->type == XML_ELEMENT_NODE && node->ns && node->ns->prefix &&
            strcmp((const char *)node->ns->prefix, "xacro") == 0)
            return arne_fail(r->error, ARNE_UNSUPPORTED, r->file, line_of(node),
                             "<xacro:%s> is a macro; turn the file into plain URDF first (xacro FILE > robot.urdf)",
                             (const char *)node->name);
        if (is_element(node, "link"))
            status = read_link(r, node);
        else if (is_element(node, "joint"))
            status = read_joint(r, node);
    }
    if (!status && r->d->nlink == 0) return FAIL(r, root, "the robot has no <link>");
    return status;
}

/* ---- XML ---- */

/* The parser's first complaint. Memory that was short may have left out any part of the text: that counts more than all else. */
typedef struct {
    const char *file;
    arne_error *error;
    arne_status status;
} complaint;

#if LIBXML_VERSION >= 21200
static void on_xml_error(void *context, const xmlError *e)
#else
static void on_xml_error(void *context, xmlError *e)
#endif
{
    complaint *c = context;
    if (e->code == XML_ERR_NO_MEMORY) c->status = ARNE_NO_MEMORY;
    if (e->level != XML_ERR_FATAL || c->status) return;
    const char *words = e->message ? e->message : "not well-formed XML";
    c->status =
        arne_fail(c->error, ARNE_BAD_SYNTAX, c->file, e->line, "not well-formed XML: %.*s", (int)strcspn(words, "\n"), words);
}

/* No robot needs entities; a few lines of them can describe more text than any memory holds. */
static void on_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                      xmlChar *content)
{
    xmlParserCtxt *parser = context;
    complaint *c = parser->_private;
    (void)type, (void)public_id, (void)system_id, (void)content;
    if (!c->status)
        c->status = arne_fail(c->error, ARNE_BAD_SYNTAX, c->file, xmlSAX2GetLineNumber(context),
                              "entity '%.80s': entities are not accepted; write the text where it is used", (const char *)name);
    xmlStopParser(parser);
}

/* The parsed text, or NULL: then c->status says why. */
static xmlDoc *parse(const char *text, size_t size, complaint *c)
{
    const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES;
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (!parser) c->status = ARNE_NO_MEMORY;
    if (!parser) return NULL;
    parser->_private = c;
    parser->sax->entityDecl = on_entity;
    xmlDoc *doc = xmlCtxtReadMemory(parser, text, (int)size, NULL, NULL, options);
    if (parser->errNo == XML_ERR_NO_MEMORY) c->status = ARNE_NO_MEMORY;
    if (!c->status && !doc) c->status = arne_fail(c->error, ARNE_BAD_SYNTAX, c->file, 0, "not well-formed XML");
    xmlFreeParserCtxt(parser);
    return doc;
}

arne_status arne__urdf_read(const char *path, const arne_read_options *options, arne_description **out, arne_error *error)
{
    (void)options; /* URDF has no symbols */
    *out = NULL;
    char *text;
    size_t size;
    arne_status status = arne__file_text(path, &text, &size, error);
    if (status) return status;

    complaint c = {.file = path, .error = error};
    reader r = {.file = path, .error = error};
    /* of this thread, for what libxml2 complains about without a parser at hand; as it was, afterwards */
    const xmlStructuredErrorFunc before = xmlStructuredError;
    void *const context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&c, on_xml_error);
    xmlDoc *doc = parse(text, size, &c);
    status = c.status ? c.status : read_robot(&r, xmlDocGetRootElement(doc));
    if (c.status == ARNE_NO_MEMORY) status = no_memory(&r);
    xmlFreeDoc(doc);
    xmlSetStructuredErrorFunc(context, before);
    free(text);
    if (status)
        arne_description_free(r.d);
    else
        *out = r.d;
    return status;
}
