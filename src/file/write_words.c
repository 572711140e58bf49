/* SPDX-License-Identifier: MIT
 *
 * write_words.c - numbers, angles, names and lost features for the writers of robot files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/write.h"

const char *arne__value_text(double x, char text[NUMBER_TEXT]) { return arne__number_text(x == 0 ? 0 : x, text); }

const char *arne__angle_text(double x, char text[NUMBER_TEXT])
{
    static const char *const quarter[] = {"Pi/2", "Pi", "3*Pi/2", "2*Pi"};
    const double pi = 3.14159265358979323846;
    for (int k = 1; k <= 4; k++) {
        if (fabs(x) != k * pi / 2) continue;
        snprintf(text, NUMBER_TEXT, "%s%s", x < 0 ? "-" : "", quarter[k - 1]);
        return text;
    }
    return arne__value_text(x, text);
}

void arne__put_numbers(FILE *out, size_t n, const double *x, const char *between)
{
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < n; i++) fprintf(out, "%s%s", i ? between : "", arne__value_text(x[i], text));
}

/* Row 2 is (-sin p, cos p sin r, cos p cos r), column 0 is (cos y cos p, sin y cos p, -sin p). Roll is taken from
 * row 1 of Rz(-y) R = (0, cos r, -sin r), which keeps its length at pitch +-pi/2 and makes up for a yaw that is noise there. */
void arne__rotation_to_rpy(const double R[9], double rpy[3])
{
    double flat = hypot(R[0], R[3]);
    double yaw = flat > 0 ? atan2(R[3], R[0]) : 0; /* of two zeros with signs it could be pi */
    double c = flat > 0 ? R[0] / flat : 1, s = flat > 0 ? R[3] / flat : 0;
    rpy[0] = atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]);
    rpy[1] = atan2(-R[6], flat);
    rpy[2] = yaw;
}

bool arne__pose_is_identity(const arne_pose *p)
{
    for (int i = 0; i < 9; i++)
        if (p->R[i] != (i % 4 == 0 ? 1 : 0)) return false;
    return p->p[0] == 0 && p->p[1] == 0 && p->p[2] == 0;
}

bool arne__joint_needs_helper(const arne_joint_description *j)
{
    return j->type != ARNE_FIXED && !arne__pose_is_identity(&j->after);
}

bool arne__follows(const arne_joint_description *j) { return j->master && j->type != ARNE_FIXED; }

bool arne__is_massless(const arne_body *b)
{
    bool none = b->mass == 0 && b->com[0] == 0 && b->com[1] == 0 && b->com[2] == 0;
    for (int k = 0; k < 6; k++) none = none && b->inertia[k] == 0;
    return none;
}

void arne__unit_axis(const arne_joint_description *j, double axis[3])
{
    double largest = fmax(fabs(j->axis[0]), fmax(fabs(j->axis[1]), fabs(j->axis[2]))); /* squares stay in range */
    double length = 0;
    for (int i = 0; i < 3; i++) {
        axis[i] = j->axis[i] / largest;
        length += axis[i] * axis[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++) axis[i] /= length;
}

bool arne__is_text(const char *text)
{
    for (size_t n; *text; text += n) {
        n = arne__utf8_length(text);
        if (n == 0 || !strncmp(text, "\xEF\xBF\xBE", 3) || !strncmp(text, "\xEF\xBF\xBF", 3)) return false;
    }
    return true;
}

bool arne__is_name(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) return false;
    return arne__is_text(text);
}

static bool taken(const arne_description *d, const char *name)
{
    for (size_t i = 0; i < d->nlink; i++)
        if (strcmp(d->links[i].name, name) == 0) return true;
    for (size_t i = 0; i < d->njoint; i++)
        if (strcmp(d->joints[i].name, name) == 0) return true;
    return false;
}

char *arne__spare_name(const arne_description *d, const char *name, const char *end)
{
    size_t longest = strlen(name) + strlen(end) + d->nlink + d->njoint + 1;
    char *out = malloc(longest + 1);
    if (!out) return NULL;
    int length = snprintf(out, longest, "%s%s", name, end);
    for (char *tail = out + length; taken(d, out); *tail = '\0') *tail++ = '_';
    return out;
}

void arne__warn_left_out(arne_description *d, const char *format, size_t n, const joint_feature *list)
{
    for (size_t k = 0; k < n; k++) {
        size_t count = 0;
        const char *first = NULL;
        for (size_t i = 0; i < d->njoint; i++) {
            if (d->joints[i].type == ARNE_FIXED || !list[k].found(&d->joints[i])) continue;
            if (!count++) first = d->joints[i].name;
        }
        if (count == 1) arne_description_warn(d, 0, "%s cannot say %s: left out (joint %s)", format, list[k].what, first);
        if (count > 1)
            arne_description_warn(d, 0, "%s cannot say %s: left out (joint %s and %zu more)", format, list[k].what, first,
                                  count - 1);
    }
}

bool arne__has_motor_limits(const arne_joint_description *j) { return isfinite(j->motor.effort) || isfinite(j->motor.speed); }

bool arne__has_motor(const arne_joint_description *j)
{
    return j->motor.inertia != 0 || j->motor.viscous != 0 || j->motor.coulomb != 0 || j->motor.gear != 1 ||
           arne__has_motor_limits(j);
}

bool arne__has_stribeck(const arne_joint_description *j) { return j->friction.static_ != 0; }

bool arne__has_uneven_friction(const arne_joint_description *j)
{
    return j->friction.offset != 0 || j->friction.coulomb_negative != 0;
}

bool arne__has_friction_points(const arne_joint_description *j) { return j->friction.npoint > 0; }

bool arne__has_elastic(const arne_joint_description *j) { return j->elastic.stiffness != 0; }

bool arne__has_limit(double x) { return isfinite(x) && x > 0; }
bool arne__has_rate_limit(const arne_joint_description *j)
{
    return arne__has_limit(j->limits.jerk) || arne__has_limit(j->limits.effort_rate);
}
bool arne__has_acceleration_limit(const arne_joint_description *j) { return isfinite(j->limits.acceleration); }

bool arne__has_limits(const arne_joint_description *j)
{
    const arne_limits *l = &j->limits;
    return isfinite(l->lower) || isfinite(l->upper) || isfinite(l->velocity) || isfinite(l->effort) ||
           isfinite(l->acceleration) || arne__has_rate_limit(j);
}
