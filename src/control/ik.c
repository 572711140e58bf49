/* SPDX-License-Identifier: MIT
 *
 * ik.c - inverse kinematics: damped Gauss-Newton steps on the pose error within the joint limits, from the guess and, where that
 * does not arrive, from positions all over the range.                                                      doc/hand.md (6) */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/options.h"
#include "control/hand_work.h"
#include "control/controller.h"

enum { ROWS = 6, STEPS = 100, STARTS = 60 };
static const double LONGEST_STEP = 0.7; /* rad or m: as far as a linearization is worth anything */

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static double within(const arne_limits *l, double x) { return fmin(fmax(x, l->lower), l->upper); }

static double error_at(hand_work *h, arne_data *d, const arne_pose *target, int rows, const double *q, double error[ROWS])
{
    arne_pose pose;
    arne_link_pose(d, q, h->link, &pose);
    arne_hand_error(&pose, target, error);
    return dense_dot(rows, error, error);
}

/* Joints that stand at a limit and would go beyond are held; false: no more of them than before. */
static bool hold_more(hand_work *h, const double *q)
{
    bool more = false;
    for (int i = 0; i < h->n; i++) {
        const arne_limits *l = arne_joint_limits(h->m, i);
        if (h->held[i] || !((q[i] <= l->lower && h->step[i] < 0) || (q[i] >= l->upper && h->step[i] > 0))) continue;
        h->held[i] = more = true;
    }
    return more;
}

/* step = J'(J J' + damping)^-1 error over the joints that are not held, h->J set */
static void damped_step(hand_work *h, const double *q, int rows, const double error[ROWS], double damping)
{
    const int n = h->n;
    memset(h->held, 0, (size_t)n * sizeof *h->held);
    do {
        double b[ROWS], square[ROWS];
        memcpy(b, error, sizeof b);
        for (int r = 0; r < rows; r++)
            for (int i = 0; i < n; i++) h->A[r * n + i] = h->held[i] ? 0 : h->J[r * n + i];
        dense_orthogonalize(rows, n, h->A, b, square);
        memset(h->step, 0, (size_t)n * sizeof *h->step);
        for (int r = 0; r < rows; r++)
            for (int i = 0; i < n && square[r] > 0; i++) h->step[i] += h->A[r * n + i] * b[r] / (square[r] + damping);
    } while (hold_more(h, q));
    const double longest = largest(n, h->step);
    for (int i = 0; longest > LONGEST_STEP && i < n; i++) h->step[i] *= LONGEST_STEP / longest;
}

double arne__ik_descend(hand_work *h, arne_data *d, const arne_pose *target, int rows, double *q, double error[ROWS])
{
    /* damping = share |error|^2: it dies out faster than the error, so the last steps are Newton's */
    double share = 0.1, cost = error_at(h, d, target, rows, q, error), trial[ROWS];
    for (int k = 0; k < STEPS && share < 1e9 && largest(rows, error) > 1e-3 * IK_REACHED; k++) {
        arne_link_jacobian(d, q, h->link, ARNE_ALIGNED, h->J);
        damped_step(h, q, rows, error, share * cost);
        for (int i = 0; i < h->n; i++) h->q[i] = within(arne_joint_limits(h->m, i), q[i] + h->step[i]);
        const double next = error_at(h, d, target, rows, h->q, trial);
        if (next < cost) {
            share = fmax(share / 3, 1e-4);
            cost = next;
            memcpy(error, trial, sizeof trial);
            memcpy(q, h->q, (size_t)h->n * sizeof *q);
        } else {
            share *= 4;
        }
    }
    return largest(rows, error);
}

/* J_i'e: how the error pushes joint i, h->J set */
static double push(const hand_work *h, int i, int rows, const double off[ROWS])
{
    double sum = 0;
    for (int r = 0; r < rows; r++) sum += h->J[r * h->n + i] * off[r];
    return sum;
}

/* Does joint i, at a limit, keep the link from going on? It is pushed on more than `rest`, what still pushes the free ones. */
static bool in_the_way(const hand_work *h, int i, const double *q, double pushed, double rest)
{
    const arne_limits *l = arne_joint_limits(h->m, i);
    return (q[i] <= l->lower && pushed < -rest) || (q[i] >= l->upper && pushed > rest);
}

arne_status arne__ik_failed(hand_work *h, arne_data *d, const double *q, int rows, const double off[ROWS], const char *where,
                            arne_error *error)
{
    char joints[256] = "", turn[64] = "";
    size_t length = 0;
    arne_link_jacobian(d, q, h->link, ARNE_ALIGNED, h->J);
    double rest = 1e-4 * largest(rows, off);
    for (int i = 0; i < h->n; i++) {
        const arne_limits *l = arne_joint_limits(h->m, i);
        if (q[i] > l->lower && q[i] < l->upper) rest = fmax(rest, 3 * fabs(push(h, i, rows, off)));
    }
    for (int i = 0; i < h->n && length < sizeof joints - 96; i++)
        if (in_the_way(h, i, q, push(h, i, rows, off), rest))
            length += (size_t)snprintf(joints + length, sizeof joints - length, "%s%.40s at its limit %.6g", length ? ", " : "",
                                       arne_joint_name(h->m, i), q[i]);
    if (rows == ROWS) snprintf(turn, sizeof turn, " and %.3g rad", sqrt(dense_dot(3, off + 3, off + 3)));
    return BAD_VALUE(error, "link %.80s cannot reach %s: it comes as near as %.3g m%s (%s)", arne_link_name(h->m, h->link), where,
                     sqrt(dense_dot(3, off, off)), turn, length ? joints : "no joint limit is in the way: out of reach");
}

/* whole turns of joints without limits, back to where the guess was */
static void unwind(const hand_work *h, const double *guess, double *q)
{
    const double turn = 2 * acos(-1);
    for (int i = 0; i < h->n; i++) {
        const arne_limits *l = arne_joint_limits(h->m, i);
        if (arne_joint_kind(h->m, i) == ARNE_PRISMATIC) continue;
        const double near = q[i] - turn * round((q[i] - guess[i]) / turn);
        if (near >= l->lower && near <= l->upper) q[i] = near;
    }
}

arne_status arne_hand_solve(arne_data *d, int link, const arne_pose *target, const arne_hand_options *options, double *q,
                            arne_error *error)
{
    hand_work *h;
    arne_hand_options o;
    arne_status status = target && q ? arne__hand_open(d, link, &h) : ARNE_BAD_ARGUMENT;
    if (!status) status = options_take(&o, sizeof o, options);
    if (status) return arne_fail(error, status, "", 0, "%s", arne_status_words(status));
    const int n = h->n, rows = o.position_only ? 3 : ROWS;
    for (int i = 0; i < n; i++)
        if (!isfinite(q[i])) return BAD_VALUE(error, "the first guess of joint %s is not a number", arne_joint_name(h->m, i));
    if (!isfinite(largest(9, target->R) + largest(3, target->p)))
        return BAD_VALUE(error, "the target of link %s has a number that is not finite", arne_link_name(h->m, h->link));
    double off[ROWS], best_off[ROWS] = {0}, best = INFINITY;
    for (int start = 0; start < STARTS && best > IK_REACHED; start++) {
        double *x = h->guess;
        if (start == 0)
            memcpy(x, q, (size_t)n * sizeof *x);
        else
            arne__spread_position(h->m, start, x);
        for (int i = 0; i < n; i++) x[i] = within(arne_joint_limits(h->m, i), x[i]);
        const double far = arne__ik_descend(h, d, target, rows, x, off);
        if (!(far < best)) continue;
        best = far;
        memcpy(best_off, off, sizeof off);
        memcpy(h->best, x, (size_t)n * sizeof *x);
    }
    if (!(best <= IK_REACHED)) return arne__ik_failed(h, d, h->best, rows, best_off, "the target", error);
    unwind(h, q, h->best);
    memcpy(q, h->best, (size_t)n * sizeof *q);
    return ARNE_OK;
}
