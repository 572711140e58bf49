/* SPDX-License-Identifier: MIT
 *
 * ik.c - inverse kinematics: damped Gauss-Newton steps on the pose error within the joint limits, from the guess and, where that
 * does not arrive, from positions all over the range: first with limits that only pull back, then with hard ones. Joints of
 * several freedoms, a free base among them, stay where the guess has them.
 *                                                                                                      doc/hand.md (6), (7) */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arne/positions.h"
#include "base/dense.h"
#include "base/options.h"
#include "control/hand_work.h"
#include "control/controller.h"

enum { ROWS = 6, STEPS = 100, STARTS = 300, FEW_STARTS = 10 };
enum { PATIENCE = 4 };                  /* steps in a row that gain less than 1 %: a dead end */
static const double LONGEST_STEP = 0.7; /* rad or m: as far as a linearization is worth anything */
static const double PULL = 0.3;         /* of limits that are not hard yet: 1 rad or m outside counts as 0.3 of the pose error */

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static double distance(const double a[3], const double b[3])
{
    const double r[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dense_dot(3, r, r));
}

static const arne_limits *limits(const hand_work *h, int i) { return arne_joint_limits(h->m, h->joint[i]); }
static bool slides(const hand_work *h, int i) { return arne_joint_kind(h->m, h->joint[i]) == ARNE_PRISMATIC; }
static double place(const hand_work *h, const double *q, int i) { return h->at[i] < 0 ? 0 : q[h->at[i]]; }
static double within(const arne_limits *l, double x) { return fmin(fmax(x, l->lower), l->upper); }

/* Position number k all over the range; what stays is where q has it. */
static void spread(const hand_work *h, int k, const double *q, double *x)
{
    arne__spread_position(h->m, k, x);
    for (int j = 0; j < arne_model_joints(h->m); j++) {
        const int turn = arne_joint_turn(h->m, j), at = arne_joint_q(h->m, j);
        if (turn >= 0) memcpy(x + at, q + at, (size_t)(turn + 4 - at) * sizeof *x);
    }
}

/* q less the whole turns that bring it nearest to the middle of its range */
static double unwound(const hand_work *h, int i, double q)
{
    const arne_limits *l = limits(h, i);
    const double middle = (l->lower + l->upper) / 2, turn = 2 * acos(-1);
    return slides(h, i) || !isfinite(middle) ? q : q - turn * round((q - middle) / turn);
}

/* How far it is from q back into the range; whole turns do not count. */
static double way_back(const hand_work *h, int i, double q)
{
    const double x = unwound(h, i, q);
    return within(limits(h, i), x) - x;
}

/* Joints that stand at a limit and would go beyond are held; false: no more of them than before. */
static bool hold_more(hand_work *h, const double *q)
{
    bool more = false;
    for (int i = 0; i < h->n; i++) {
        const arne_limits *l = limits(h, i);
        const double x = place(h, q, i);
        if (h->held[i] || !((x <= l->lower && h->step[i] < 0) || (x >= l->upper && h->step[i] > 0))) continue;
        h->held[i] = more = true;
    }
    return more;
}

/* The step that makes |error - J step|^2 + damping |step|^2 + |pull (back - step)|^2 least, `back` the way of joints that are
 * outside: step = z + S A'(A A' + damping)^-1 (error - J z), A = J S, over the joints that are not held. h->J set. */
static void damped_step(hand_work *h, const double *q, int rows, const double error[ROWS], double damping, double pull)
{
    const int n = h->n;
    for (int i = 0; i < n; i++) h->held[i] = h->at[i] < 0;
    do {
        double b[ROWS], square[ROWS];
        memcpy(b, error, sizeof b);
        for (int i = 0; i < n; i++) {
            const double back = pull > 0 ? way_back(h, i, place(h, q, i)) : 0, pulled = pull * pull / (damping + pull * pull);
            h->step[i] = back != 0 ? back * pulled : 0;
            h->scale[i] = h->held[i] ? 0 : back != 0 ? sqrt(1 - pulled) : 1;
            for (int r = 0; r < rows; r++) {
                h->A[r * n + i] = h->J[r * n + i] * h->scale[i];
                b[r] -= h->J[r * n + i] * h->step[i];
            }
        }
        dense_orthogonalize(rows, n, h->A, b, square);
        for (int r = 0; r < rows; r++)
            for (int i = 0; i < n && square[r] > 0; i++)
                h->step[i] += h->scale[i] * h->A[r * n + i] * b[r] / (square[r] + damping);
    } while (!(pull > 0) && hold_more(h, q));
    const double longest = largest(n, h->step);
    for (int i = 0; longest > LONGEST_STEP && i < n; i++) h->step[i] *= LONGEST_STEP / longest;
}

/* |error|^2 + |pull back|^2 */
static double cost_at(hand_work *h, arne_data *d, const arne_pose *target, int rows, double pull, const double *q,
                      double error[ROWS])
{
    arne_pose pose;
    arne_link_pose(d, q, h->link, &pose);
    arne_hand_error(&pose, target, error);
    double sum = dense_dot(rows, error, error);
    for (int i = 0; pull > 0 && i < h->n; i++) sum += pow(pull * way_back(h, i, place(h, q, i)), 2);
    return sum;
}

/* Downhill from q, to a dead end at the latest; pull 0: limits are hard. The largest entry of the error that is left. */
static double descend(hand_work *h, arne_data *d, const arne_pose *target, int rows, double pull, int patience, double *q,
                      double error[ROWS])
{
    /* damping = share |error|^2: it dies out faster than the error, so the last steps are Newton's */
    double share = 0.1, cost = cost_at(h, d, target, rows, pull, q, error), trial[ROWS];
    int slow = 0;
    for (int k = 0; k < STEPS && share < 1e9 && slow < patience && largest(rows, error) > 1e-3 * IK_REACHED; k++) {
        arne_link_jacobian(d, q, h->link, ARNE_ALIGNED, h->J);
        damped_step(h, q, rows, error, share * cost, pull);
        memcpy(h->q, q, (size_t)h->nq * sizeof *q);
        for (int i = 0; i < h->n; i++) {
            if (h->at[i] < 0) continue;
            double *x = &h->q[h->at[i]];
            *x += h->step[i];
            if (!(pull > 0)) *x = within(limits(h, i), *x);
        }
        const double next = cost_at(h, d, target, rows, pull, h->q, trial);
        slow = next < 0.99 * cost ? 0 : slow + 1;
        if (next < cost) {
            share = fmax(share / 3, 1e-4);
            cost = next;
            memcpy(error, trial, sizeof trial);
            memcpy(q, h->q, (size_t)h->nq * sizeof *q);
        } else {
            share *= 4;
        }
    }
    return largest(rows, error);
}

double arne__ik_descend(hand_work *h, arne_data *d, const arne_pose *target, int rows, double *q, double error[ROWS])
{
    return descend(h, d, target, rows, 0, STEPS, q, error);
}

/* J_i'e: how the error pushes joint i, h->J set */
static double push(const hand_work *h, int i, int rows, const double off[ROWS])
{
    double sum = 0;
    for (int r = 0; r < rows; r++) sum += h->J[r * h->n + i] * off[r];
    return sum;
}

/* Is joint i at a limit and pushed on, more than `rest`, what still pushes the free ones? */
static bool pushes(const hand_work *h, int i, const double *q, double pushed, double rest)
{
    const arne_limits *l = limits(h, i);
    const double x = place(h, q, i);
    return (x <= l->lower && pushed < -rest) || (x >= l->upper && pushed > rest);
}

arne_status arne__ik_failed(hand_work *h, arne_data *d, const double *q, int rows, const double off[ROWS], const char *what,
                            arne_error *error)
{
    char joints[256] = "", turn[64] = "";
    size_t length = 0;
    arne_link_jacobian(d, q, h->link, ARNE_ALIGNED, h->J);
    double rest = 1e-4 * largest(rows, off);
    for (int i = 0; i < h->n; i++) {
        const arne_limits *l = limits(h, i);
        const double x = place(h, q, i);
        if (h->at[i] >= 0 && x > l->lower && x < l->upper) rest = fmax(rest, 3 * fabs(push(h, i, rows, off)));
    }
    for (int i = 0; i < h->n && length < sizeof joints - 96; i++)
        if (pushes(h, i, q, push(h, i, rows, off), rest))
            length += (size_t)snprintf(joints + length, sizeof joints - length, "%s %.40s%s at its %s limit",
                                       length ? "," : "; there", arne_velocity_name(h->m, i), length ? "" : " is",
                                       place(h, q, i) <= limits(h, i)->lower ? "lower" : "upper");
    if (rows == ROWS) snprintf(turn, sizeof turn, " and %.3g rad", sqrt(dense_dot(3, off + 3, off + 3)));
    return BAD_VALUE(error, "link %.80s %s; the nearest found is %.3g m%s away%s", arne_link_name(h->m, h->link), what,
                     sqrt(dense_dot(3, off, off)), turn, joints);
}

/* A ball that the origin of the link never leaves: its centre, on the axis of the first joint that turns, and its radius. Points
 * on axes that follow each other stay as far apart as they are at any q, slides move by as much as their ranges; the point taken
 * is the foot of the perpendicular from the link's origin.                                                     doc/hand.md (8) */
static double ball(hand_work *h, arne_data *d, const double *q, double centre[3])
{
    const int n = h->n;
    double radius = 0, last[3];
    bool any = false;
    arne_pose pose;
    arne_link_pose(d, q, h->link, &pose);
    arne_link_jacobian(d, q, h->link, ARNE_ALIGNED, h->J);
    for (int i = 0; i < n; i++) {
        double v[3], w[3], foot[3];
        if (h->at[i] < 0) continue;
        for (int c = 0; c < 3; c++) v[c] = h->J[c * n + i], w[c] = h->J[(3 + c) * n + i];
        if (slides(h, i) && dense_dot(3, v, v) > 0) {
            const arne_limits *l = limits(h, i);
            radius += fmax(fabs(l->lower - place(h, q, i)), fabs(l->upper - place(h, q, i)));
        }
        if (!(dense_dot(3, w, w) > 0)) continue;
        dense_cross(w, v, foot); /* v = w x r, so r = -w x v goes from the axis to the origin */
        for (int c = 0; c < 3; c++) foot[c] += pose.p[c];
        if (any) radius += distance(foot, last);
        if (!any) memcpy(centre, foot, sizeof foot);
        memcpy(last, foot, sizeof foot);
        any = true;
    }
    if (!any) memcpy(centre, pose.p, sizeof pose.p);
    return any ? radius + distance(pose.p, last) : radius;
}

/* How far the target is out of reach for certain; of several balls the one that says it best. */
static double beyond_reach(hand_work *h, arne_data *d, const double *q, const arne_pose *target)
{
    enum { BALLS = 20 };
    double most = 0;
    for (int k = 0; k < BALLS; k++) {
        double centre[3];
        spread(h, k, q, h->guess);
        const double radius = ball(h, d, h->guess, centre), beyond = distance(target->p, centre) - radius;
        if (beyond > IK_REACHED + 1e-9 * radius) most = fmax(most, beyond);
    }
    return most;
}

/* whole turns of joints without limits, back to where the guess was */
static void unwind(const hand_work *h, const double *guess, double *q)
{
    const double turn = 2 * acos(-1);
    for (int i = 0; i < h->n; i++) {
        const arne_limits *l = limits(h, i);
        const int at = h->at[i];
        if (at < 0 || slides(h, i)) continue;
        const double near = q[at] - turn * round((q[at] - guess[at]) / turn);
        if (near >= l->lower && near <= l->upper) q[at] = near;
    }
}

typedef struct {
    hand_work *h; /* best: the nearest so far */
    arne_data *d;
    const arne_pose *target;
    int rows;
    double far, off[ROWS]; /* of the nearest */
} search;

/* Descends from x within the limits and keeps what is nearer than all before. */
static void go_on(search *s, double *x, int patience)
{
    double off[ROWS];
    const double far = descend(s->h, s->d, s->target, s->rows, 0, patience, x, off);
    if (!(far < s->far)) return;
    s->far = far;
    memcpy(s->off, off, sizeof off);
    memcpy(s->h->best, x, (size_t)s->h->nq * sizeof *x);
}

/* Start 0 is the first guess, whose own answer comes first; others cross the limits and are brought back. */
static void start_from(search *s, int start, const double *q)
{
    hand_work *h = s->h;
    double *x = h->guess, off[ROWS];
    for (int crossing = start > 0; crossing < 2 && s->far > IK_REACHED; crossing++) {
        if (start == 0)
            memcpy(x, q, (size_t)h->nq * sizeof *x);
        else
            spread(h, start, q, x);
        for (int i = 0; i < h->n; i++)
            if (h->at[i] >= 0) x[h->at[i]] = within(limits(h, i), x[h->at[i]]);
        if (crossing) descend(h, s->d, s->target, s->rows, PULL, PATIENCE, x, off);
        for (int i = 0; crossing && i < h->n; i++)
            if (h->at[i] >= 0) x[h->at[i]] = within(limits(h, i), unwound(h, i, x[h->at[i]]));
        go_on(s, x, PATIENCE);
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
    const int nq = h->nq, rows = o.position_only ? 3 : ROWS;
    for (int i = 0; i < nq; i++)
        if (!isfinite(q[i])) return BAD_VALUE(error, "the first guess of joint %s is not a number", arne_position_name(h->m, i));
    int joint;
    if (arne_normalize(h->m, 1e-3, q, &joint))
        return BAD_VALUE(error, "the quaternion of joint %s is not of unit length", arne_joint_name(h->m, joint));
    if (!dense_finite(9, target->R) || !dense_finite(3, target->p))
        return BAD_VALUE(error, "the target of link %s has a number that is not finite", arne_link_name(h->m, h->link));
    const double beyond = beyond_reach(h, d, q, target);
    const int starts = beyond > 0 ? FEW_STARTS : STARTS;
    search s = {h, d, target, rows, .far = INFINITY};
    for (int start = 0; start < starts && s.far > IK_REACHED; start++) start_from(&s, start, q);
    if (s.far > IK_REACHED) go_on(&s, memcpy(h->guess, h->best, (size_t)nq * sizeof *q), STEPS);
    if (!(s.far <= IK_REACHED)) {
        char what[128];
        if (beyond > 0)
            snprintf(what, sizeof what, "cannot reach the target, which is at least %.3g m too far away", beyond);
        else
            snprintf(what, sizeof what, "was not brought to the target from %d starts", starts);
        return arne__ik_failed(h, d, h->best, rows, s.off, what, error);
    }
    unwind(h, q, h->best);
    memcpy(q, h->best, (size_t)nq * sizeof *q);
    return ARNE_OK;
}
