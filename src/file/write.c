/* SPDX-License-Identifier: MIT
 *
 * write.c - arne_write: a description becomes a file, whole or not at all. The text is made in memory. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "base/whole.h"
#include "describe/tree.h"
#include "file/write.h"

static bool all_finite(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool none_nan(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i])) return false;
    return true;
}

/* The number of a joint that is none, or NULL. */
static const char *bad_number(const arne_joint_description *j)
{
    const arne_motor *m = &j->motor;
    const arne_friction *f = &j->friction;
    const double motor[] = {m->inertia, m->gear, m->viscous, m->coulomb};
    const double friction[] = {f->viscous,           f->coulomb, f->static_,         f->stribeck_velocity,
                               f->stribeck_exponent, f->offset,  f->coulomb_negative};
    const double limits[] = {j->limits.lower,        j->limits.upper,  j->limits.velocity,
                             j->limits.acceleration, j->limits.effort, j->limits.jerk,
                             j->limits.effort_rate,  m->effort,        m->speed};
    if (!all_finite(9, j->before.R) || !all_finite(3, j->before.p)) return "origin";
    if (!all_finite(9, j->after.R) || !all_finite(3, j->after.p)) return "origin";
    if (j->type != ARNE_FIXED && !arne__joint_is_wide(j->type) &&
        (!all_finite(3, j->axis) || (j->axis[0] == 0 && j->axis[1] == 0 && j->axis[2] == 0)))
        return "axis";
    if (!all_finite(4, motor)) return "motor";
    for (int k = 0; k < m->ncurve; k++)
        if (!all_finite(2, m->curve[k])) return "motor";
    if (!all_finite(7, friction)) return "friction";
    for (int k = 0; k < f->npoint; k++)
        if (!all_finite(2, f->points[k])) return "friction";
    if (!isfinite(j->elastic.stiffness) || !isfinite(j->elastic.damping) || !isfinite(j->elastic.cubic) ||
        !isfinite(j->elastic.quintic))
        return "spring";
    if (!none_nan(7, limits)) return "limit";
    if (arne__follows(j) && (!isfinite(j->ratio) || !isfinite(j->offset))) return "ratio to the joint it follows";
    return NULL;
}

static arne_status check_numbers(const arne_description *d, arne_error *error)
{
    for (size_t i = 0; i < d->nlink; i++) {
        const arne_body *b = &d->links[i].body;
        if (!isfinite(b->mass) || !all_finite(3, b->com) || !all_finite(6, b->inertia))
            return arne_fail(error, ARNE_BAD_VALUE, d->file, d->links[i].line,
                             "link %s: mass, centre of mass or inertia is not a finite number", d->links[i].name);
    }
    for (size_t i = 0; i < d->njoint; i++) {
        const char *bad = bad_number(&d->joints[i]);
        if (bad)
            return arne_fail(error, ARNE_BAD_VALUE, d->file, d->joints[i].line, "joint %s: its %s is not a usable number",
                             d->joints[i].name, bad);
    }
    if (!all_finite(3, d->gravity) || !all_finite(d->ntransmission * d->ntransmission, d->transmission))
        return arne_fail(error, ARNE_BAD_VALUE, d->file, 0, "gravity or transmission is not a finite number");
    return ARNE_OK;
}

static arne_status check_names(const arne_description *d, arne_error *error)
{
    if (!arne__is_name(d->name) || (d->source && !arne__is_text(d->source)))
        return arne_fail(error, ARNE_CANNOT_WRITE, d->file, 0,
                         "the robot's name or source is not UTF-8 text without control characters");
    for (size_t i = 0; i < d->nlink + d->njoint; i++) {
        const bool link = i < d->nlink;
        const char *name = link ? d->links[i].name : d->joints[i - d->nlink].name;
        if (!arne__is_name(name))
            return arne_fail(error, ARNE_CANNOT_WRITE, d->file, link ? d->links[i].line : d->joints[i - d->nlink].line,
                             "the name of %s %s is not UTF-8 text without control characters", link ? "link" : "joint", name);
    }
    return ARNE_OK;
}

/* Joints that a format has no word for: without them it would be another robot. */
static arne_status check_joints(const arne_description *d, arne_format format, arne_error *error)
{
    for (size_t i = 0; i < d->njoint; i++) {
        const arne_joint_description *j = &d->joints[i];
        if (format == ARNE_URDF && j->type == ARNE_SPHERICAL)
            return arne_fail(error, ARNE_CANNOT_WRITE, d->file, j->line,
                             "joint %s is spherical: URDF has no such joint, YAML has", j->name);
        if (format == ARNE_PAR && arne__joint_is_wide(j->type))
            return arne_fail(error, ARNE_CANNOT_WRITE, d->file, j->line,
                             "joint %s has several freedoms: .par cannot say that, YAML can", j->name);
        if (format == ARNE_PAR && arne__follows(j))
            return arne_fail(error, ARNE_CANNOT_WRITE, d->file, j->line,
                             "joint %s follows %s: .par cannot say that, YAML and URDF can", j->name, j->master);
    }
    return ARNE_OK;
}

arne_status arne_write(arne_description *d, arne_format format, const char *path, arne_error *error)
{
    arne_status status = check_numbers(d, error);
    if (status == ARNE_OK) status = check_names(d, error);
    if (status == ARNE_OK) status = check_joints(d, format, error);
    if (status != ARNE_OK) return status;
    if (d->nstate) arne_description_warn(d, d->states[0].line, "states that have names are left out: only MJCF has them");
    text_buffer text = {0};
    FILE *out = arne__text_stream(&text);
    if (!out) return arne_fail(error, ARNE_NO_MEMORY, path, 0, "out of memory");
    switch (format) {
    case ARNE_URDF: status = arne__urdf_write(d, out, error); break;
    case ARNE_YAML: status = arne__yaml_write(d, out, error); break;
    case ARNE_PAR: status = arne__par_write(d, out, error); break;
    default: status = arne_fail(error, ARNE_UNSUPPORTED, path, 0, "no such file format"); break;
    }
    if (!arne__text_stream_close(out, &text) && status == ARNE_OK)
        status = arne_fail(error, ARNE_NO_MEMORY, path, 0, "out of memory");
    if (status == ARNE_OK && strcmp(path, "-") != 0)
        status = arne__whole_write(path, text.s, text.length, error);
    else if (status == ARNE_OK && (fwrite(text.s, 1, text.length, stdout) != text.length || fflush(stdout) != 0))
        status = arne_fail(error, ARNE_CANNOT_WRITE, "standard output", 0, "cannot write: %s", strerror(errno));
    arne__text_free(&text);
    return status;
}
