/* SPDX-License-Identifier: MIT
 *
 * write_urdf.c - a description as URDF.
 *
 * URDF has no transform behind the motion of a joint. Where a joint has one (`after`), it moves a link NAME__axis without mass
 * that carries the real link by a fixed joint, so that every link keeps its frame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "describe/pose.h"
#include "file/write.h"

static void put_escaped(FILE *f, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", f); break;
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '"': fputs("&quot;", f); break;
        default: putc(*text, f);
        }
    }
}

static void put_name(FILE *f, const char *element, const char *key, const char *name)
{
    fprintf(f, "%s%s=\"", element, key);
    put_escaped(f, name);
    putc('"', f);
}

/* A comment may not contain "--", nor may XML contain most control characters. */
static void put_comment(FILE *f, const char *text)
{
    fputs("  <!-- ", f);
    for (; *text; text++) {
        putc((unsigned char)*text < ' ' && *text != '\n' ? ' ' : *text, f);
        if (text[0] == '-' && text[1] == '-') putc(' ', f);
    }
    fputs(" -->\n", f);
}

static void put_origin(FILE *f, const char *indent, const arne_pose *p)
{
    if (arne__pose_is_identity(p)) return;
    double rpy[3];
    arne__rotation_to_rpy(p->R, rpy);
    fprintf(f, "%s<origin xyz=\"", indent);
    arne__put_numbers(f, 3, p->p, " ");
    fputs("\" rpy=\"", f);
    arne__put_numbers(f, 3, rpy, " ");
    fputs("\"/>\n", f);
}

static void put_attribute(FILE *f, const char *key, double value)
{
    char text[NUMBER_TEXT];
    fprintf(f, " %s=\"%s\"", key, arne__value_text(value, text));
}

static void put_link(FILE *f, const arne_link_description *l)
{
    static const char *const entry[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const arne_body *b = &l->body;
    put_name(f, "  <link", " name", l->name);
    if (arne__is_massless(b)) {
        fputs("/>\n", f);
        return;
    }
    arne_pose at = arne__pose_identity();
    for (int i = 0; i < 3; i++) at.p[i] = b->com[i];
    fputs(">\n    <inertial>\n", f);
    put_origin(f, "      ", &at);
    fputs("      <mass", f);
    put_attribute(f, "value", b->mass);
    fputs("/>\n      <inertia", f);
    for (int k = 0; k < 6; k++) put_attribute(f, entry[k], b->inertia[k]);
    fputs("/>\n    </inertial>\n  </link>\n", f);
}

static const char *type_word(const arne_joint_description *j)
{
    if (j->type == ARNE_FIXED) return "fixed";
    if (j->type == ARNE_PRISMATIC) return "prismatic";
    if (j->type == ARNE_FREE) return "floating";
    return isinf(j->limits.lower) && isinf(j->limits.upper) ? "continuous" : "revolute";
}

static void open_joint(FILE *f, const char *name, const char *type, const char *parent, const char *child,
                       const arne_pose *origin)
{
    put_name(f, "  <joint", " name", name);
    fprintf(f, " type=\"%s\">\n", type);
    put_name(f, "    <parent", " link", parent);
    put_name(f, "/>\n    <child", " link", child);
    fputs("/>\n", f);
    put_origin(f, "    ", origin);
}

static void put_motion(FILE *f, const arne_joint_description *j)
{
    const arne_limits *l = &j->limits;
    bool bounded = strcmp(type_word(j), "continuous") != 0; /* else an absent limit would mean 0, so "inf" is written */
    double axis[3];
    if (j->type == ARNE_FREE) return;
    arne__unit_axis(j, axis);
    fputs("    <axis xyz=\"", f);
    arne__put_numbers(f, 3, axis, " ");
    fputs("\"/>\n", f);
    if (bounded || isfinite(l->velocity) || isfinite(l->effort)) {
        fputs("    <limit", f);
        if (bounded) put_attribute(f, "lower", l->lower);
        if (bounded) put_attribute(f, "upper", l->upper);
        if (isfinite(l->velocity)) put_attribute(f, "velocity", l->velocity);
        if (isfinite(l->effort)) put_attribute(f, "effort", l->effort);
        fputs("/>\n", f);
    }
    if (j->friction.viscous != 0 || j->friction.coulomb != 0) {
        fputs("    <dynamics", f);
        put_attribute(f, "damping", j->friction.viscous);
        put_attribute(f, "friction", j->friction.coulomb);
        fputs("/>\n", f);
    }
    if (arne__follows(j)) {
        put_name(f, "    <mimic", " joint", j->master);
        put_attribute(f, "multiplier", j->ratio);
        put_attribute(f, "offset", j->offset);
        fputs("/>\n", f);
    }
}

static arne_status put_joint(FILE *f, const arne_description *d, const arne_joint_description *j, arne_error *error)
{
    if (!arne__joint_needs_helper(j)) {
        const bool fixed = j->type == ARNE_FIXED;
        const arne_pose whole = arne__pose_mul(&j->before, &j->after);
        open_joint(f, j->name, type_word(j), j->parent, j->child, fixed ? &whole : &j->before);
        if (!fixed) put_motion(f, j);
        fputs("  </joint>\n", f);
        return ARNE_OK;
    }
    char *link = arne__spare_name(d, j->child, "__axis"), *joint = arne__spare_name(d, j->name, "__after");
    if (link && joint) {
        put_name(f, "  <link", " name", link);
        fputs("/>\n", f);
        open_joint(f, j->name, type_word(j), j->parent, link, &j->before);
        put_motion(f, j);
        fputs("  </joint>\n", f);
        open_joint(f, joint, "fixed", link, j->child, &j->after);
        fputs("  </joint>\n", f);
    }
    bool done = link && joint;
    free(link);
    free(joint);
    return done ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
}

static void warn(arne_description *d)
{
    static const joint_feature lost[] = {
        {"a motor", arne__has_motor},
        {"static friction", arne__has_stribeck},
        {"an offset of friction, or friction that differs backwards", arne__has_uneven_friction},
        {"friction given by points", arne__has_friction_points},
        {"a joint spring", arne__has_elastic},
        {"an acceleration limit", arne__has_acceleration_limit},
        {"a limit of jerk or torque rate", arne__has_rate_limit},
    };
    arne__warn_left_out(d, "URDF", sizeof lost / sizeof *lost, lost);
    if (d->transmission) arne_description_warn(d, 0, "URDF cannot say a transmission matrix: left out");
    if (d->gravity[0] != 0 || d->gravity[1] != 0 || d->gravity[2] != -9.81)
        arne_description_warn(d, 0, "URDF cannot say gravity (%g, %g, %g): readers of the file take (0, 0, -9.81)", d->gravity[0],
                              d->gravity[1], d->gravity[2]);
}

arne_status arne__urdf_write(arne_description *d, FILE *f, arne_error *error)
{
    arne_status status = ARNE_OK;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", f);
    put_name(f, "<robot", " name", d->name);
    fputs(">\n", f);
    if (d->source) put_comment(f, d->source);
    for (size_t i = 0; i < d->nlink; i++) put_link(f, &d->links[i]);
    for (size_t i = 0; i < d->njoint && status == ARNE_OK; i++) status = put_joint(f, d, &d->joints[i], error);
    fputs("</robot>\n", f);
    if (status == ARNE_OK) warn(d);
    return status;
}
