/* SPDX-License-Identifier: MIT
 *
 * write_yaml.c - a description as arne's own YAML.
 *
 * `convention: mdh` where the description has modified-DH numbers, else `convention: urdf` with an origin and an axis per joint.
 * A joint with a transform behind its motion (`after`) moves a link NAME__axis without mass that carries the real link by a fixed
 * joint. Only what differs from the reader's defaults is written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "describe/pose.h"
#include "describe/tree.h"
#include "file/write.h"

/* Letters, digits, _ and - after a letter, and no word that YAML takes for something else. */
static bool is_plain(const char *text)
{
    static const char *const reserved[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcasecmp(text, reserved[i]) == 0) return false;
    if (strspn(text, letters) == 0) return false;
    size_t length = 0;
    while (text[length] && (strchr(letters, text[length]) || strchr("0123456789-", text[length]))) length++;
    return text[length] == '\0';
}

static void put_text(FILE *f, const char *text)
{
    if (is_plain(text)) {
        fputs(text, f);
        return;
    }
    putc('"', f);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(f, "\\%c", *c);
        else if (*c < ' ' || *c == 0x7F)
            fprintf(f, "\\x%02X", *c);
        else if (*c == 0xC2 && c[1] < 0xA0) /* control characters of two bytes, U+0080 ... U+009F */
            fprintf(f, "\\x%02X", *++c);
        else if (c[0] == 0xEF && c[1] == 0xBB && c[2] == 0xBF) { /* U+FEFF, a byte order mark inside a text */
            fputs("\\uFEFF", f);
            c += 2;
        } else
            putc(*c, f);
    }
    putc('"', f);
}

static void put_item(FILE *f, const char *key, const char *text)
{
    fputs(key, f);
    put_text(f, text);
    putc('\n', f);
}

static void put_list(FILE *f, const char *head, size_t n, const double *x, const char *tail)
{
    fprintf(f, "%s[", head);
    arne__put_numbers(f, n, x, ", ");
    fprintf(f, "]%s", tail);
}

/* A map in braces that opens with its first entry: `    head: {key: 1, key: 2}`. */
typedef struct {
    FILE *f;
    const char *head;
    bool open;
} flow_map;

static void put_key(flow_map *m, const char *key)
{
    if (m->open)
        fputs(", ", m->f);
    else
        fprintf(m->f, "    %s: {", m->head);
    fprintf(m->f, "%s: ", key);
    m->open = true;
}

static void put_entry(flow_map *m, const char *key, double value)
{
    char text[NUMBER_TEXT];
    put_key(m, key);
    fputs(arne__value_text(value, text), m->f);
}

/* key: [[x, y], ...] */
static void put_points(flow_map *m, const char *key, int count, const double (*points)[2])
{
    for (int k = 0; k < count; k++) {
        if (k == 0) put_key(m, key);
        put_list(m->f, k ? ", " : "[", 2, points[k], k + 1 < count ? "" : "]");
    }
}

static void close_map(flow_map *m)
{
    if (m->open) fputs("}\n", m->f);
}

static void put_body(FILE *f, const char *indent, const arne_body *b)
{
    static const char *const entry[6] = {"xx", "xy", "xz", "yy", "yz", "zz"};
    char text[NUMBER_TEXT];
    fprintf(f, "%smass: %s\n%scom: ", indent, arne__value_text(b->mass, text), indent);
    put_list(f, "", 3, b->com, "\n");
    fprintf(f, "%sinertia: {", indent);
    for (int k = 0; k < 6; k++) fprintf(f, "%s: %s, ", entry[k], arne__value_text(b->inertia[k], text));
    fputs("about: com}\n", f);
}

static const arne_link_description *find_link(const arne_description *d, const char *name)
{
    for (size_t i = 0; i < d->nlink; i++)
        if (strcmp(d->links[i].name, name) == 0) return &d->links[i];
    return NULL;
}

/* The joint whose child the link is; NULL for the base. */
static const arne_joint_description *carrier(const arne_description *d, const char *link)
{
    for (size_t i = 0; i < d->njoint; i++)
        if (strcmp(d->joints[i].child, link) == 0) return &d->joints[i];
    return NULL;
}

static void put_pose(FILE *f, const arne_pose *p)
{
    if (arne__pose_is_identity(p)) return;
    double rpy[3];
    arne__rotation_to_rpy(p->R, rpy);
    put_list(f, "    origin: {xyz: ", 3, p->p, ", rpy: ");
    put_list(f, "", 3, rpy, "}\n");
}

static void put_dh(FILE *f, const double dh[6])
{
    char text[NUMBER_TEXT];
    if (dh[0] != 0) fprintf(f, "    gamma: %s\n", arne__angle_text(dh[0], text));
    if (dh[1] != 0) fprintf(f, "    b: %s\n", arne__value_text(dh[1], text));
    fprintf(f, "    a: %s\n", arne__value_text(dh[3], text));
    fprintf(f, "    alpha: %s\n", arne__angle_text(dh[2], text));
    fprintf(f, "    d: %s\n", arne__value_text(dh[5], text));
    fprintf(f, "    theta: %s\n", arne__angle_text(dh[4], text));
}

static void open_joint(FILE *f, const char *name, arne_joint_type type, const char *parent)
{
    static const char *const word[] = {[ARNE_FIXED] = "fixed",
                                       [ARNE_REVOLUTE] = "revolute",
                                       [ARNE_PRISMATIC] = "prismatic",
                                       [ARNE_SPHERICAL] = "spherical",
                                       [ARNE_FREE] = "free"};
    put_item(f, "  - name: ", name);
    fprintf(f, "    type: %s\n", word[type]);
    put_item(f, "    parent: ", parent);
}

static void put_link(FILE *f, const char *joint, const char *name, const arne_body *b)
{
    bool renamed = strcmp(joint, name) != 0, heavy = b && !arne__is_massless(b);
    if (!renamed && !heavy) return;
    fputs("    link:\n", f);
    if (renamed) put_item(f, "      name: ", name);
    if (heavy) put_body(f, "      ", b);
}

static void put_friction(FILE *f, const arne_friction *r)
{
    flow_map m = {f, "friction", false};
    if (r->viscous != 0) put_entry(&m, "viscous", r->viscous);
    if (r->coulomb != 0) put_entry(&m, "coulomb", r->coulomb);
    if (r->coulomb_negative != 0) put_entry(&m, "coulomb_negative", r->coulomb_negative);
    if (r->offset != 0) put_entry(&m, "offset", r->offset);
    if (r->static_ != 0) put_entry(&m, "static", r->static_);
    if (r->stribeck_velocity != 0.1) put_entry(&m, "stribeck_velocity", r->stribeck_velocity);
    if (r->stribeck_exponent != 2) put_entry(&m, "stribeck_exponent", r->stribeck_exponent);
    put_points(&m, "points", r->npoint, (const double(*)[2])r->points);
    close_map(&m);
}

/* Limits, motor, friction, spring and master of a joint that moves. */
static void put_drive(FILE *f, const arne_joint_description *j)
{
    flow_map limits = {f, "limits", false};
    if (isfinite(j->limits.lower)) put_entry(&limits, "lower", j->limits.lower);
    if (isfinite(j->limits.upper)) put_entry(&limits, "upper", j->limits.upper);
    if (isfinite(j->limits.velocity)) put_entry(&limits, "velocity", j->limits.velocity);
    if (isfinite(j->limits.acceleration)) put_entry(&limits, "acceleration", j->limits.acceleration);
    if (isfinite(j->limits.effort)) put_entry(&limits, "effort", j->limits.effort);
    if (arne__has_limit(j->limits.jerk)) put_entry(&limits, "jerk", j->limits.jerk);
    if (arne__has_limit(j->limits.effort_rate)) put_entry(&limits, "effort_rate", j->limits.effort_rate);
    close_map(&limits);

    flow_map motor = {f, "motor", false};
    if (j->motor.inertia != 0) put_entry(&motor, "inertia", j->motor.inertia);
    if (j->motor.gear != 1) put_entry(&motor, "gear", j->motor.gear);
    if (j->motor.viscous != 0) put_entry(&motor, "viscous", j->motor.viscous);
    if (j->motor.coulomb != 0) put_entry(&motor, "coulomb", j->motor.coulomb);
    if (isfinite(j->motor.effort)) put_entry(&motor, "effort", j->motor.effort);
    if (isfinite(j->motor.speed)) put_entry(&motor, "speed", j->motor.speed);
    put_points(&motor, "curve", j->motor.ncurve, (const double(*)[2])j->motor.curve);
    close_map(&motor);

    put_friction(f, &j->friction);

    flow_map elastic = {f, "elastic", false};
    const double spring[3] = {j->elastic.stiffness, j->elastic.cubic, j->elastic.quintic};
    if (spring[1] != 0 || spring[2] != 0) {
        put_key(&elastic, "stiffness");
        put_list(f, "", 3, spring, "");
    } else if (spring[0] != 0)
        put_entry(&elastic, "stiffness", spring[0]);
    if (j->elastic.damping != 0) put_entry(&elastic, "damping", j->elastic.damping);
    close_map(&elastic);

    flow_map mimic = {f, "mimic", false};
    if (!j->master) return;
    put_key(&mimic, "joint");
    put_text(f, j->master);
    put_entry(&mimic, "multiplier", j->ratio);
    put_entry(&mimic, "offset", j->offset);
    close_map(&mimic);
}

/* In `convention: urdf`: the origin, and the axis where it is not z. */
static void put_frame(FILE *f, const arne_description *d, const arne_joint_description *j)
{
    if (d->mdh) {
        put_dh(f, j->dh);
        return;
    }
    arne_pose whole = arne__pose_mul(&j->before, &j->after);
    put_pose(f, j->type == ARNE_FIXED ? &whole : &j->before);
    if (j->type == ARNE_FIXED || arne__joint_is_wide(j->type)) return;
    double axis[3];
    arne__unit_axis(j, axis);
    put_list(f, "    axis: ", 3, axis, "\n");
}

static bool is_joint(const arne_description *d, const char *name)
{
    for (size_t i = 0; i < d->njoint; i++)
        if (strcmp(d->joints[i].name, name) == 0) return true;
    return false;
}

/* The name by which a joint refers to what carries it: a joint, or the base by "base" or its name, whichever no joint has. */
static arne_status parent_name(const arne_description *d, const arne_joint_description *j, char **out, arne_error *error)
{
    const arne_joint_description *p = carrier(d, j->parent);
    const char *word = p ? p->name : is_joint(d, "base") ? j->parent : "base";
    if (!p && is_joint(d, word))
        return arne_fail(error, ARNE_CANNOT_WRITE, d->file, j->line,
                         "joint %s hangs on the base, but there are joints named base and %s: rename one", j->name, word);
    *out = p && arne__joint_needs_helper(p) ? arne__spare_name(d, p->name, "__after") : strdup(word);
    return *out ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
}

static arne_status put_joint(FILE *f, const arne_description *d, const arne_joint_description *j, arne_error *error)
{
    const arne_link_description *child = find_link(d, j->child);
    if (!child || !find_link(d, j->parent))
        return arne_fail(error, ARNE_BAD_TREE, d->file, j->line, "joint %s: there is no link %s", j->name,
                         child ? j->parent : j->child);
    char *parent, *link = NULL, *joint = NULL;
    arne_status status = parent_name(d, j, &parent, error);
    if (status != ARNE_OK) return status;
    open_joint(f, j->name, j->type, parent);
    put_frame(f, d, j);
    if (!arne__joint_needs_helper(j)) {
        if (j->type != ARNE_FIXED) put_drive(f, j);
        put_link(f, j->name, child->name, &child->body);
    } else {
        put_drive(f, j);
        link = arne__spare_name(d, j->child, "__axis");
        joint = arne__spare_name(d, j->name, "__after");
        if (link && joint) {
            put_link(f, j->name, link, NULL);
            open_joint(f, joint, ARNE_FIXED, j->name);
            put_pose(f, &j->after);
            put_link(f, joint, child->name, &child->body);
        } else {
            status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
        }
    }
    free(parent);
    free(link);
    free(joint);
    return status;
}

static void put_transmission(FILE *f, const arne_description *d)
{
    if (!d->ntransmission) return;
    fputs("transmission:\n", f);
    for (size_t i = 0; i < d->ntransmission; i++)
        put_list(f, "  - ", d->ntransmission, d->transmission + i * d->ntransmission, "\n");
}

/* The joint that a reader adds where it sees `floating: true`, or NULL: the only one on a root that is nothing but a name. */
static const arne_joint_description *floats(const arne_description *d)
{
    const arne_joint_description *base = NULL;
    for (size_t i = 0; i < d->njoint; i++) {
        const arne_joint_description *j = &d->joints[i];
        if (carrier(d, j->parent)) continue;
        if (base || j->type != ARNE_FREE || strcmp(j->name, "base") || strcmp(j->parent, "world")) return NULL;
        if (!arne__pose_is_identity(&j->before) || !arne__pose_is_identity(&j->after)) return NULL;
        base = j;
    }
    const arne_link_description *world = base ? find_link(d, "world") : NULL;
    return world && arne__is_massless(&world->body) ? base : NULL;
}

static void put_base(FILE *f, const arne_link_description *l)
{
    if (strcmp(l->name, "base") != 0) put_item(f, "base: ", l->name);
    if (arne__is_massless(&l->body)) return;
    fputs("base_link:\n", f);
    put_body(f, "  ", &l->body);
}

arne_status arne__yaml_write(arne_description *d, FILE *f, arne_error *error)
{
    const arne_joint_description *free_base = floats(d);
    put_item(f, "name: ", d->name);
    if (d->source) put_item(f, "source: ", d->source);
    put_list(f, "gravity: ", 3, d->gravity, "\n");
    fprintf(f, "convention: %s\n", d->mdh ? "mdh" : "urdf");
    if (free_base) fputs("floating: true\n", f);
    for (size_t i = 0; i < d->nlink; i++)
        if (carrier(d, d->links[i].name) == free_base) put_base(f, &d->links[i]);
    put_transmission(f, d);
    fputs(d->njoint > (free_base != NULL) ? "joints:\n" : "joints: []\n", f);
    arne_status status = ARNE_OK;
    for (size_t i = 0; i < d->njoint && status == ARNE_OK; i++)
        if (&d->joints[i] != free_base) status = put_joint(f, d, &d->joints[i], error);
    return status;
}
