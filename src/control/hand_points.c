/* SPDX-License-Identifier: MIT
 *
 * hand_points.c - joint positions along straight lines of a link, one solved from the one before. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "control/hand_work.h"
#include "model/model.h"

static const double TURN = 10;    /* rad a step of a metre */
static const double FARTHEST = 1; /* rad or m from point to point: more is a jump to another way of reaching the pose */

/* Steps from pose k to the next. */
static double steps(const arne_pose *poses, int k, int rows, double step)
{
    double off[6], far, turn;
    arne_hand_error(&poses[k], &poses[k + 1], off);
    far = sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
    turn = rows > 3 ? sqrt(off[3] * off[3] + off[4] * off[4] + off[5] * off[5]) : 0;
    return fmax(1, ceil(fmax(far, turn / TURN) / step - 1e-9));
}

/* Solves one point from the one before; where: for the sentence */
static arne_status solve(hand_work *h, arne_data *d, const arne_pose *pose, int rows, const double *before, double *q,
                         const char *where, arne_error *error)
{
    double off[6];
    char what[128];
    snprintf(what, sizeof what, "does not come to %s, from where it was before", where);
    memcpy(q, before, (size_t)h->n * sizeof *q);
    if (!(arne__ik_descend(h, d, pose, rows, q, off) <= IK_REACHED)) return arne__ik_failed(h, d, q, rows, off, what, error);
    for (int i = 0; i < h->n; i++)
        if (fabs(q[i] - before[i]) > FARTHEST)
            return BAD_VALUE(error, "joint %s would jump by %.3g on the way to %s: the path passes a singular position",
                             arne_joint_name(h->m, i), q[i] - before[i], where);
    return ARNE_OK;
}

arne_status arne_hand_points(arne_data *d, int link, int count, const arne_pose *poses, const arne_hand_options *options,
                             const double *q0, double step, double **q, int *rows, arne_error *error)
{
    arne_hand_options o;
    hand_work *h;
    if (q) *q = NULL;
    if (!d || !poses || !q0 || !q || !rows || options_take(&o, sizeof o, options))
        return BAD_ARGUMENT(error, "way-points of a link need data, poses, a start and a place");
    arne_status status = arne__hand_open(d, link, &h);
    if (status) return arne_fail(error, status, "", 0, "%s", arne_status_words(status));
    if ((status = arne__one_freedom_each(h->m, "paths of a link", error))) return status;
    if (count < 2) return BAD_VALUE(error, "a path has at least two poses");
    if (!(step > 0)) return BAD_VALUE(error, "the step along the lines is above 0");
    const int used = o.position_only ? 3 : 6;
    for (int k = 0; k < count; k++) {
        double sum = 0;
        for (int i = 0; i < 9; i++) sum += poses[k].R[i];
        for (int i = 0; i < 3; i++) sum += poses[k].p[i];
        if (!isfinite(sum)) return BAD_VALUE(error, "pose %d has a number that is not finite", k + 1);
    }
    double all = 1;
    for (int k = 0; k + 1 < count; k++) all += steps(poses, k, used, step);
    if (!(all < INT_MAX / 2)) return BAD_VALUE(error, "a path of %g points: the step is too small", all);
    double *to = malloc((size_t)all * (size_t)h->n * sizeof *to);
    if (!to) return NO_MEMORY(error);
    memcpy(to, q0, (size_t)h->n * sizeof *to);
    status = arne_hand_solve(d, link, &poses[0], options, to, error);
    if (status && error) { /* say which pose it is */
        char words[sizeof error->message];
        snprintf(words, sizeof words, "pose 1: %.200s", error->message);
        snprintf(error->message, sizeof error->message, "%s", words);
    }
    int row = 1;
    for (int k = 0; k + 1 < count && !status; k++) {
        const int parts = (int)steps(poses, k, used, step);
        for (int i = 1; i <= parts && !status; i++, row++) {
            const arne_pose pose = arne__hand_between(&poses[k], &poses[k + 1], (double)i / parts);
            char where[64];
            if (i == parts)
                snprintf(where, sizeof where, "pose %d", k + 2);
            else
                snprintf(where, sizeof where, "%.3g %% of the way from pose %d to %d", 100.0 * i / parts, k + 1, k + 2);
            double *now = to + (size_t)row * (size_t)h->n;
            status = solve(h, d, &pose, used, now - h->n, now, where, error);
        }
    }
    if (status) {
        free(to);
        return status;
    }
    *q = to;
    *rows = row;
    return ARNE_OK;
}
