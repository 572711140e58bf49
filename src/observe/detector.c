/* SPDX-License-Identifier: MIT
 *
 * detector.c - contact or not, and which link: residuals against thresholds.
 *
 * A wrench on link k loads the joints between it and the base and no others, r = J'w: the last joint of the tree that speaks
 * carries the link that was hit, or one nearer to the base than it. */
#include <math.h>
#include <string.h>

#include "arne/observe.h"
#include "base/arena.h"
#include "base/fail.h"

struct arne_detector {
    arena *memory;
    const arne_model *m;
    int n, joints;
    int on, off;     /* ticks over the threshold that begin a contact, ticks of silence that end it */
    int over, quiet; /* such ticks so far */
    bool contact;
    int *parent;       /* of a joint */
    int *joint;        /* n: of a velocity */
    double *threshold; /* n */
    double *peak;      /* of a joint: largest |r| over its threshold since the contact began */
    bool *outboard;    /* of a joint: one farther out has spoken */
};

enum { ON = 1, OFF = 10 };
/* A contact ends when every residual is below this part of its threshold: it does not flicker at the threshold. */
static const double RELEASE = 0.7;

arne_status arne_detector_new(const arne_model *m, const double *threshold, arne_detector **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!m || !threshold || !out) return BAD_ARGUMENT(error, "a detector needs a model, thresholds and a place");
    const int n = arne_model_nv(m), joints = arne_model_joints(m);
    for (int i = 0; i < n; i++)
        if (!(threshold[i] > 0) || !isfinite(threshold[i]))
            return BAD_VALUE(error, "the threshold of joint %s is %g; it must be above 0", arne_velocity_name(m, i),
                             threshold[i]);
    arena *memory = arne__arena_new();
    arne_detector *x = arne__arena_take(memory, 1, sizeof *x);
    double *v = arne__arena_take(memory, (size_t)(n + joints), sizeof *v);
    int *parent = arne__arena_take(memory, (size_t)(n + joints), sizeof *parent);
    bool *outboard = arne__arena_take(memory, (size_t)joints, sizeof *outboard);
    if (!x || !v || !parent || !outboard) {
        arne__arena_free(memory);
        return NO_MEMORY(error);
    }
    *x = (arne_detector){.memory = memory,
                         .m = m,
                         .n = n,
                         .joints = joints,
                         .on = ON,
                         .off = OFF,
                         .parent = parent,
                         .joint = parent + joints,
                         .threshold = v,
                         .peak = v + n,
                         .outboard = outboard};
    for (int j = 0; j < joints; j++) x->parent[j] = arne_joint_parent(m, j);
    for (int i = 0; i < n; i++) {
        x->joint[i] = arne_velocity_joint(m, i);
        x->threshold[i] = threshold[i];
    }
    *out = x;
    return ARNE_OK;
}

void arne_detector_free(arne_detector *x)
{
    if (x) arne__arena_free(x->memory);
}

const arne_model *arne_detector_model(const arne_detector *x) { return x ? x->m : NULL; }

arne_status arne_detector_debounce(arne_detector *x, int on, int off)
{
    if (!x || on < 1 || off < 1) return ARNE_BAD_ARGUMENT;
    x->on = on;
    x->off = off;
    return ARNE_OK;
}

/* The last joint in the tree that has spoken; of several branches the one that spoke loudest. */
static int last_that_spoke(arne_detector *x)
{
    int last = -1;
    for (int i = 0; i < x->joints; i++) x->outboard[i] = false;
    for (int i = x->joints - 1; i >= 0; i--) {
        const bool spoke = x->peak[i] > 1;
        if (spoke && !x->outboard[i] && (last < 0 || x->peak[i] > x->peak[last])) last = i;
        if ((spoke || x->outboard[i]) && x->parent[i] >= 0) x->outboard[x->parent[i]] = true;
    }
    return last;
}

arne_status arne_detector_tick(arne_detector *x, const double *residual, arne_detection *out)
{
    if (!x || !residual || !out) return ARNE_BAD_ARGUMENT;
    double most = 0;
    int joint = -1;
    *out = (arne_detection){.joint = -1, .link_joint = -1};
    for (int i = 0; i < x->n; i++) {
        const double part = fabs(residual[i]) / x->threshold[i];
        if (joint < 0 || part > most) most = part, joint = i;
    }
    /* what is heard while a contact is not yet sure belongs to it */
    if (!x->contact && x->over == 0) memset(x->peak, 0, (size_t)x->joints * sizeof *x->peak);
    for (int i = 0; i < x->n; i++) {
        double *peak = &x->peak[x->joint[i]];
        *peak = fmax(*peak, fabs(residual[i]) / x->threshold[i]);
    }
    x->over = most > 1 ? x->over + (x->over < x->on) : 0;
    x->quiet = most < RELEASE ? x->quiet + (x->quiet < x->off) : 0;
    if (!x->contact && x->over >= x->on) {
        x->contact = out->began = true;
    } else if (x->contact && x->quiet >= x->off) {
        x->contact = false;
        out->ended = true;
    }
    out->contact = x->contact;
    if (!x->contact && !out->ended) return ARNE_OK;
    out->joint = joint;
    out->link_joint = last_that_spoke(x);
    return ARNE_OK;
}
