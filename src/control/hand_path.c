/* SPDX-License-Identifier: MIT
 *
 * hand_path.c - a link along straight lines: poses between the given ones, solved one after the other, and a spline of the joints
 * through the answers.
 *
 *     p = p0 + s (p1 - p0),   R = exp(s v) R0,   v the rotation from R0 to R1,   s(x) = 35 x^4 - 84 x^5 + 70 x^6 - 20 x^7
 *
 * s is the polynomial of [002 section V, ERRATA 3.5]: at rest, with three derivatives zero, at both ends of every line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/hand_work.h"
#include "model/model.h"
#include "control/rotation.h"
#include "describe/pose.h"

enum { DEGREE = 7, FEWEST = DEGREE + 1 };
static const double FARTHEST = 1;       /* rad or m from sample to sample: more is a jump to another way of reaching the pose */
static const double STARTS_NEAR = 1e-6; /* m, rad: of the first pose */

static double blend(double x) { return x * x * x * x * (35 + x * (-84 + x * (70 - 20 * x))); }

arne_pose arne__hand_between(const arne_pose *a, const arne_pose *b, double s)
{
    double error[6];
    arne_pose step = arne__pose_identity(), at = {.p = {0}};
    arne_hand_error(a, b, error);
    for (int i = 3; i < 6; i++) error[i] *= s;
    arne__rotation_exp(error + 3, step.R);
    memcpy(at.R, a->R, sizeof at.R);
    at = arne__pose_mul(&step, &at);
    for (int i = 0; i < 3; i++) at.p[i] = a->p[i] + s * (b->p[i] - a->p[i]);
    return at;
}

/* Samples of line k, from its start to before its end, by its share of the whole time. */
static int share(const double *t, int count, int k, int samples)
{
    const int lines = count - 1, rest = samples - 1 - lines;
    return 1 + (int)floor(rest * (t[k + 1] - t[k]) / (t[lines] - t[0]) + 0.5);
}

static arne_status check(const hand_work *h, int count, const double *t, const arne_pose *poses, const double *q0, int samples,
                         arne_error *error)
{
    if (count < 2) return BAD_VALUE(error, "a path needs at least two poses");
    if (samples < FEWEST || samples < count)
        return BAD_VALUE(error, "a path through %d poses needs at least %d samples, not %d", count,
                         count > FEWEST ? count : FEWEST, samples);
    for (int k = 0; k < count; k++) {
        double sum = t[k];
        for (int i = 0; i < 9; i++) sum += poses[k].R[i];
        for (int i = 0; i < 3; i++) sum += poses[k].p[i];
        if (!isfinite(sum) || (k > 0 && t[k] <= t[k - 1]))
            return BAD_VALUE(error, "pose %d of the path: %s", k + 1,
                             isfinite(sum) ? "its time is not after that of the pose before" : "a number is not finite");
    }
    for (int i = 0; i < h->n; i++)
        if (!isfinite(q0[i])) return BAD_VALUE(error, "joint %s does not start from a number", arne_joint_name(h->m, i));
    return ARNE_OK;
}

/* Solves sample `row` from the one before. */
static arne_status solve(hand_work *h, arne_data *d, const arne_pose *pose, double t, const double *before, double *row,
                         arne_error *error)
{
    double off[6];
    char what[96];
    snprintf(what, sizeof what, "does not follow the path at t = %.6g s, from where it was before", t);
    memcpy(row, before, (size_t)h->n * sizeof *row);
    if (!(arne__ik_descend(h, d, pose, 6, row, off) <= IK_REACHED)) return arne__ik_failed(h, d, row, 6, off, what, error);
    for (int i = 0; i < h->n; i++)
        if (fabs(row[i] - before[i]) > FARTHEST)
            return BAD_VALUE(
                error, "joint %s would jump by %.3g at t = %.6g s: the path passes a singular position, or has too few samples",
                arne_joint_name(h->m, i), row[i] - before[i], t);
    return ARNE_OK;
}

static arne_status first_pose(hand_work *h, arne_data *d, const arne_pose *pose, const double *q0, arne_error *error)
{
    arne_pose at;
    double off[6], far = 0;
    for (int i = 0; i < h->n; i++) {
        const arne_limits *l = arne_joint_limits(h->m, i);
        if (q0[i] < l->lower || q0[i] > l->upper)
            return BAD_VALUE(error, "joint %s starts at %.6g, outside its limits %.6g to %.6g", arne_joint_name(h->m, i), q0[i],
                             l->lower, l->upper);
    }
    arne_link_pose(d, q0, h->link, &at);
    arne_hand_error(&at, pose, off);
    for (int i = 0; i < 6; i++) far = fmax(far, fabs(off[i]));
    if (far <= STARTS_NEAR) return ARNE_OK;
    return BAD_VALUE(error, "link %s does not start at the first pose of the path: it is off by up to %.3g",
                     arne_link_name(h->m, h->link), far);
}

arne_status arne_hand_path(arne_data *d, int link, int count, const double *t, const arne_pose *poses, const double *q0,
                           int samples, arne_trajectory **out, arne_error *error)
{
    hand_work *h;
    if (out) *out = NULL;
    arne_status status = t && poses && q0 && out ? arne__hand_open(d, link, &h) : ARNE_BAD_ARGUMENT;
    if (status) return arne_fail(error, status, "", 0, "%s", arne_status_words(status));
    status = arne__one_freedom_each(h->m, "paths of a link", error);
    if (!status) status = check(h, count, t, poses, q0, samples, error);
    if (!status) status = first_pose(h, d, &poses[0], q0, error);
    if (status) return status;
    int most = 1;
    for (int k = 0; k + 1 < count; k++) most += share(t, count, k, samples);
    double *time = malloc((size_t)most * sizeof *time), *q = malloc((size_t)most * (size_t)h->n * sizeof *q);
    if (!time || !q) status = NO_MEMORY(error);
    int row = 0;
    for (int k = 0; k + 1 < count && !status; k++) {
        const int steps = share(t, count, k, samples);
        for (int i = k > 0; i <= steps && !status; i++, row++) {
            const double x = (double)i / steps;
            const arne_pose pose = arne__hand_between(&poses[k], &poses[k + 1], blend(x));
            time[row] = i == steps ? t[k + 1] : t[k] + x * (t[k + 1] - t[k]);
            status = solve(h, d, &pose, time[row], row ? q + (row - 1) * h->n : q0, q + row * h->n, error);
        }
    }
    if (!status) status = arne_trajectory_spline(h->n, DEGREE, row, time, q, out, error);
    free(q);
    free(time);
    return status;
}
