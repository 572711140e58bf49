/* SPDX-License-Identifier: MIT
 *
 * hand.c - motion of a link from motion of the joints, and joint motion that gives a wanted motion of the link.
 *
 *     [a; wd] = J qdd + Jdot qd         L and N(qd) of [004 eq. 10.1], without gravity [ERRATA part two 4: 10.1]
 *     qdd = L^+ ([a; wd] - N)           [004 eq. 10.2, ERRATA part two 4: 10.2], L^+ damped at singular positions (doc/hand.md)
 */
#include "control/hand_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "control/rotation.h"
#include "control/spread.h"

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
static bool find_ranks(arne_hand *h)
{
    enum { POSITIONS = 4 };
    arne_data *d = arne_data_new(h->m);
    if (!d) return false;
    for (int k = 0; k < POSITIONS; k++) {
        arne__spread_position(h->m, k, h->q);
        arne_link_jacobian(d, h->q, h->link, ARNE_ALIGNED, h->J);
        for (int pose = 0; pose < 2; pose++) {
            const int rank = rank_of(pose ? POSE_ROWS : POSITION_ROWS, h->n, h->J, h->A);
            if (rank > h->rank[pose]) h->rank[pose] = rank;
        }
    }
    arne_data_free(d);
    return true;
}

arne_hand *arne_hand_new(const arne_model *m, int link)
{
    arena *memory = arne__arena_new();
    arne_hand *h = memory ? arne__arena_take(memory, 1, sizeof *h) : NULL;
    const size_t n = (size_t)arne_model_dof(m);
    if (h) {
        *h = (arne_hand){.memory = memory, .m = m, .link = link, .n = (int)n};
        h->J = arne__arena_take(memory, POSE_ROWS * n, sizeof *h->J);
        h->A = arne__arena_take(memory, POSE_ROWS * n, sizeof *h->A);
        h->M = arne__arena_take(memory, n * n, sizeof *h->M);
        h->q = arne__arena_take(memory, n, sizeof *h->q);
        h->guess = arne__arena_take(memory, n, sizeof *h->guess);
        h->best = arne__arena_take(memory, n, sizeof *h->best);
        h->step = arne__arena_take(memory, n, sizeof *h->step);
        h->held = arne__arena_take(memory, n, sizeof *h->held);
    }
    if (h && h->J && h->A && h->M && h->q && h->guess && h->best && h->step && h->held && find_ranks(h)) return h;
    arne__arena_free(memory);
    return NULL;
}

void arne_hand_free(arne_hand *h)
{
    if (h) arne__arena_free(h->memory);
}

int arne_hand_link(const arne_hand *h) { return h->link; }

/* [v; w] += s [v_k; w_k], column k of J */
static void add_column(const double *J, int n, int k, double s, double v[6])
{
    for (int c = 0; c < POSE_ROWS; c++) v[c] += s * J[c * n + k];
}

/* v = J qd and a = Jdot x, J in world axes about the origin of the link, Jdot along qd. Axis k moves with what carries it, so
 * seen from a point at rest its column s_k changes by V_k x s_k, V_k the velocity of all joints up to k; joints are numbered
 * outward and columns of other branches are zero. The origin itself moves: w_x x v is added.    own derivation: doc/hand.md (3)
 */
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

void arne_hand_at(arne_hand *h, arne_data *d, const double *q, const double *qd, const double *qdd, arne_hand_target *out)
{
    arne_link_pose(d, q, h->link, &out->pose);
    arne_link_jacobian(d, q, h->link, ARNE_ALIGNED, h->J);
    velocity_and_rest(h->J, h->n, qd, qd, out->velocity, out->acceleration);
    for (int k = 0; qdd && k < h->n; k++) add_column(h->J, h->n, k, qdd[k], out->acceleration);
}

void arne_hand_error(const arne_pose *pose, const arne_pose *target, double error[6])
{
    double turn[9];
    for (int i = 0; i < 3; i++) {
        error[i] = target->p[i] - pose->p[i];
        /* R_target R' */
        for (int j = 0; j < 3; j++) turn[3 * i + j] = dense_dot(3, target->R + 3 * i, pose->R + 3 * j);
    }
    arne__rotation_log(turn, error + 3);
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
static double nearest_motion(arne_hand *h, arne_data *d, const double *q, const arne_hand_options *o, double b[6], double *x)
{
    const int n = h->n, rows = o->position_only ? POSITION_ROWS : POSE_ROWS, rank = h->rank[!o->position_only];
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

double arne_hand_joint_acceleration(arne_hand *h, arne_data *d, const double *q, const double *qd, const double a[6],
                                    const arne_hand_options *options, double *qdd)
{
    const arne_hand_options none = {0};
    double v[POSE_ROWS], b[POSE_ROWS];
    arne_link_jacobian(d, q, h->link, ARNE_ALIGNED, h->J);
    velocity_and_rest(h->J, h->n, qd, qd, v, b);
    for (int c = 0; c < POSE_ROWS; c++) b[c] = a[c] - b[c];
    return nearest_motion(h, d, q, options ? options : &none, b, qdd);
}

double arne_hand_joint_velocity(arne_hand *h, arne_data *d, const double *q, const double v[6], const arne_hand_options *options,
                                double *qd)
{
    const arne_hand_options none = {0};
    double b[POSE_ROWS];
    memcpy(b, v, sizeof b);
    arne_link_jacobian(d, q, h->link, ARNE_ALIGNED, h->J);
    return nearest_motion(h, d, q, options ? options : &none, b, qd);
}

double arne__hand_reference(arne_hand *h, arne_data *d, const double *q, const double *qd, const arne_hand_target *target,
                            const arne_hand_options *options, double *qdr, double *qddr)
{
    arne_hand_options along = *options;
    double v[POSE_ROWS], b[POSE_ROWS];
    along.null_motion = NULL;
    arne_hand_joint_velocity(h, d, q, target->velocity, &along, qdr);
    velocity_and_rest(h->J, h->n, qd, qdr, v, b);
    for (int c = 0; c < POSE_ROWS; c++) b[c] = target->acceleration[c] - b[c];
    return nearest_motion(h, d, q, options, b, qddr);
}
