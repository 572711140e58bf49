/* SPDX-License-Identifier: MIT
 *
 * hand.c - motion of a link from motion of the joints, and joint motion that gives a wanted motion of the link.
 *
 *     [a; wd] = J qdd + Jdot qd         L and N(qd) of [004 eq. 10.1], without gravity [ERRATA part two 4: 10.1]
 *     qdd = L^+ ([a; wd] - N)           [004 eq. 10.2, ERRATA part two 4: 10.2], L^+ damped where singular (doc/hand.md) */
#include "control/hand_work.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/options.h"
#include "control/rotation.h"
#include "control/controller.h"
#include "dynamics/data.h"

enum { POSITION_ROWS = 3, POSE_ROWS = 6 };

static const double DAMPING = 0.01;

/* rank of the first `rows` rows of J: singular values that are no rounding beside the largest */
static int rank_of(int rows, int n, const double *J, double *A)
{
    double b[POSE_ROWS] = {0}, square[POSE_ROWS], most = 0;
    memcpy(A, J, (size_t)(rows * n) * sizeof *A);
    dense_orthogonalize(rows, n, A, b, square);
    for (int i = 0; i < rows; i++) most = fmax(most, square[i]);
    int rank = 0;
    for (int i = 0; i < rows; i++) rank += square[i] > 1e-18 * most;
    return rank;
}

/* What the link can do at most positions: three axes of a planar arm never leave their plane, wherever it stands. */
static void find_ranks(hand_work *h, arne_data *d)
{
    enum { POSITIONS = 4 };
    for (int k = 0; k < POSITIONS; k++) {
        arne__spread_position(h->m, k, h->q);
        arne_link_jacobian(d, h->q, h->link, ARNE_ALIGNED, h->J);
        for (int pose = 0; pose < 2; pose++) {
            const int rank = 1 + rank_of(pose ? POSE_ROWS : POSITION_ROWS, h->n, h->J, h->A);
            if (rank > h->rank[h->link][pose]) h->rank[h->link][pose] = (unsigned char)rank;
        }
    }
}

arne_status arne__hand_open(arne_data *d, int link, hand_work **out)
{
    if (!d || link < 0 || link >= d->model->nlink) return ARNE_BAD_ARGUMENT;
    hand_work *h = d->more ? d->more->hands : NULL;
    if (!h) return ARNE_NOT_PREPARED;
    h->link = link;
    if (!h->rank[link][0]) find_ranks(h, d);
    *out = h;
    return ARNE_OK;
}

/* [v; w] += s [v_k; w_k], column k of J */
static void add_column(const double *J, int n, int k, double s, double v[6])
{
    for (int c = 0; c < POSE_ROWS; c++) v[c] += s * J[c * n + k];
}

/* v = J qd and a = Jdot x, J in world axes about the origin of the link, Jdot along qd. Axis k moves with what carries it, so
 * seen from a point at rest its column s_k changes by V_k x s_k, V_k the velocity of all joints up to k; joints are numbered
 * outward and columns of other branches are zero. The origin itself moves: w_x x v is added. Own derivation, doc/hand.md (3) */
static void velocity_and_rest(const double *J, int n, const double *qd, const double *x, double v[6], double a[6])
{
    double w[3] = {0};
    memset(v, 0, POSE_ROWS * sizeof *v);
    memset(a, 0, POSE_ROWS * sizeof *a);
    for (int k = 0; k < n; k++) {
        double s[POSE_ROWS] = {0};
        add_column(J, n, k, x[k], s);
        for (int c = 0; c < 3; c++) {
            const int i = (c + 1) % 3, j = (c + 2) % 3;
            a[c] += v[3 + i] * s[j] - v[3 + j] * s[i] + v[i] * s[3 + j] - v[j] * s[3 + i];
            a[3 + c] += v[3 + i] * s[3 + j] - v[3 + j] * s[3 + i];
            w[c] += s[3 + c];
        }
        add_column(J, n, k, qd[k], v);
    }
    for (int c = 0; c < 3; c++) {
        const int i = (c + 1) % 3, j = (c + 2) % 3;
        a[c] += w[i] * v[j] - w[j] * v[i];
    }
}

arne_status arne_hand_at(arne_data *d, int link, const double *q, const double *qd, const double *qdd, arne_hand_target *out)
{
    hand_work *h;
    if (!q || !qd || !out) return ARNE_BAD_ARGUMENT;
    arne_status status = arne__hand_open(d, link, &h);
    if (!status && h->n != h->nq) status = ARNE_UNSUPPORTED; /* axes of several freedoms turn with their own link */
    if (status) return status;
    arne_link_pose(d, q, link, &out->pose);
    arne_link_jacobian(d, q, link, ARNE_ALIGNED, h->J);
    velocity_and_rest(h->J, h->n, qd, qd, out->velocity, out->acceleration);
    for (int k = 0; qdd && k < h->n; k++) add_column(h->J, h->n, k, qdd[k], out->acceleration);
    return ARNE_OK;
}

arne_status arne_hand_error(const arne_pose *pose, const arne_pose *target, double error[6])
{
    double turned[9];
    if (!pose || !target || !error) return ARNE_BAD_ARGUMENT;
    for (int i = 0; i < 3; i++) {
        error[i] = target->p[i] - pose->p[i];
        /* R_target R' */
        for (int j = 0; j < 3; j++) turned[3 * i + j] = dense_dot(3, target->R + 3 * i, pose->R + 3 * j);
    }
    arne__rotation_log(turned, error + 3);
    return ARNE_OK;
}

/* Largest and rank-th largest of the squares. */
static void extremes(int rows, const double *square, int rank, double *most, double *least)
{
    double sorted[POSE_ROWS];
    for (int i = 0; i < rows; i++) {
        int k = i;
        for (; k > 0 && sorted[k - 1] < square[i]; k--) sorted[k] = sorted[k - 1];
        sorted[k] = square[i];
    }
    *most = sorted[0];
    *least = rank > 0 ? sorted[rank - 1] : 0;
}

/* x nearest to x0 in |x|, or in kinetic energy, with J x = b as nearly as it goes. h->J is set. */
static double nearest_motion(hand_work *h, arne_data *d, const double *q, const arne_hand_options *o, double b[6], double *x)
{
    const int n = h->n, rows = o->position_only ? POSITION_ROWS : POSE_ROWS, rank = h->rank[h->link][!o->position_only] - 1;
    const bool weighted = o->inertia_weighted;
    double square[POSE_ROWS], unused[POSE_ROWS] = {0}, most, least;
    for (int i = 0; i < n; i++) x[i] = o->null_motion ? o->null_motion[i] : 0;
    for (int r = 0; r < rows; r++) b[r] -= dense_dot(n, h->J + r * n, x);

    memcpy(h->A, h->J, (size_t)(rows * n) * sizeof *h->A);
    dense_orthogonalize(rows, n, h->A, weighted ? unused : b, square);
    extremes(rows, square, rank, &most, &least);
    if (!(most > 0)) return 0;
    const double ratio = sqrt(least / most);

    /* M = G G': kinetic energy is |y|^2/2 with y = G'x, and J x = (J G'^-1) y */
    bool energy = weighted;
    if (energy) {
        arne_mass(d, q, h->M);
        energy = dense_cholesky(n, h->M);
        memcpy(h->A, h->J, (size_t)(rows * n) * sizeof *h->A);
        for (int r = 0; energy && r < rows; r++) dense_forward(n, h->M, h->A + r * n);
        dense_orthogonalize(rows, n, h->A, b, square);
        extremes(rows, square, rank, &most, &least);
    }

    /* y = sum of v s/(s^2 + damping^2) u'b over the singular values s; the damping comes in smoothly       doc/hand.md (5) */
    const double damping = o->damping > 0 ? o->damping : DAMPING, part = ratio / ARNE_HAND_SINGULAR;
    const double extra = part < 1 ? pow(damping * (1 - part * part), 2) * most : 0;
    memset(h->step, 0, (size_t)n * sizeof *h->step);
    for (int r = 0; r < rows; r++) {
        if (square[r] < least || !(square[r] + extra > 0)) continue;
        const double s = b[r] / (square[r] + extra);
        for (int i = 0; i < n; i++) h->step[i] += s * h->A[r * n + i];
    }
    if (energy) dense_backward(n, h->M, h->step);
    for (int i = 0; i < n; i++) x[i] += h->step[i];
    return ratio;
}

/* The memory of a call and its options; h->J set. */
static arne_status begin(arne_data *d, int link, const double *q, const arne_hand_options *given, hand_work **h,
                         arne_hand_options *o)
{
    arne_status status = arne__hand_open(d, link, h);
    if (!status && (*h)->n != (*h)->nq) status = ARNE_UNSUPPORTED;
    if (!status) status = options_take(o, sizeof *o, given);
    return status ? status : arne_link_jacobian(d, q, link, ARNE_ALIGNED, (*h)->J);
}

static arne_status finish(double found, double *ratio)
{
    if (ratio) *ratio = found;
    return ARNE_OK;
}

arne_status arne_hand_joint_acceleration(arne_data *d, int link, const double *q, const double *qd, const double a[6],
                                         const arne_hand_options *options, double *qdd, double *ratio)
{
    hand_work *h;
    arne_hand_options o;
    double v[POSE_ROWS], b[POSE_ROWS];
    if (!q || !qd || !a || !qdd) return ARNE_BAD_ARGUMENT;
    const arne_status status = begin(d, link, q, options, &h, &o);
    if (status) return status;
    velocity_and_rest(h->J, h->n, qd, qd, v, b);
    for (int c = 0; c < POSE_ROWS; c++) b[c] = a[c] - b[c];
    return finish(nearest_motion(h, d, q, &o, b, qdd), ratio);
}

arne_status arne_hand_joint_velocity(arne_data *d, int link, const double *q, const double v[6], const arne_hand_options *options,
                                     double *qd, double *ratio)
{
    hand_work *h;
    arne_hand_options o;
    double b[POSE_ROWS];
    if (!q || !v || !qd) return ARNE_BAD_ARGUMENT;
    const arne_status status = begin(d, link, q, options, &h, &o);
    if (status) return status;
    memcpy(b, v, sizeof b);
    return finish(nearest_motion(h, d, q, &o, b, qd), ratio);
}

arne_status arne__hand_reference(arne_data *d, int link, const double *q, const double *qd, const arne_hand_target *target,
                                 const arne_hand_options *options, double *qdr, double *qddr, double *ratio)
{
    hand_work *h;
    arne_hand_options along;
    double v[POSE_ROWS], b[POSE_ROWS];
    const arne_status status = begin(d, link, q, options, &h, &along);
    if (status) return status;
    along.null_motion = NULL;
    memcpy(b, target->velocity, sizeof b);
    nearest_motion(h, d, q, &along, b, qdr);
    velocity_and_rest(h->J, h->n, qd, qdr, v, b);
    for (int c = 0; c < POSE_ROWS; c++) b[c] = target->acceleration[c] - b[c];
    return finish(nearest_motion(h, d, q, options, b, qddr), ratio);
}
