/* SPDX-License-Identifier: MIT
 *
 * passes.c - the two passes of reachability analysis over the grid of a path. With x = s'^2, u = s'':
 *     qd = q_s s',   qdd = q_s u + q_ss x,   motors  t = a u + b x + c + J'friction(q_s s')
 *     a = J'M q_s,   b = J'(M q_ss + coriolis(q, q_s)),   c: gravity and wrenches.
 * Between grid points u is constant and x linear, x_(i+1) = x_i + 2 h u; limits hold at both ends of an interval. For a given x
 * they leave a range of u; the x for which it is not empty are an interval (its ends are found by Newton's method from outside:
 * without friction the width of the range is concave and made of straight pieces, so that a few steps reach the end exactly).
 * Derivation: doc/plan.md. */
#include <math.h>
#include <string.h>

#include "plan/search.h"

enum { NEWTONS = 40, REFINEMENTS = 60, PROBES = 64 };
static const double LEAST_X = 1e-16;              /* of s'^2 where the path is not at rest */
static const double NEAREST = 1e-14, NEAR = 1e-4; /* parts of a range of x that rounding may hide */

/* a grid point: derivatives of the path and torques of the motors, dof each; b and q_ss seen from the left and from the right */
typedef struct {
    double *q1, *q2[2], *a, *b[2], *c;
} point;

static point point_at(const search *j, int i)
{
    const size_t n = (size_t)j->t->m->n;
    double *v = j->points + (size_t)i * POINT_VECTORS * n;
    return (point){v, {v + n, v + 2 * n}, v + 3 * n, {v + 4 * n, v + 5 * n}, v + 6 * n};
}

static void multiply(int n, const double *M, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k < n; k++) y[i] += M[i * n + k] * x[k];
    }
}

void arne__search_line(search *j, const double *q1, double *a, double *c)
{
    const int n = j->t->m->n;
    arne_mass(j->d, j->q, j->M);
    multiply(n, j->M, q1, j->tau);
    arne__limits_torques_to_motors(j->t->m, j->tau, a);
    memset(j->qd, 0, (size_t)n * sizeof *j->qd);
    arne_bias(j->d, j->q, j->qd, j->tau);
    arne_friction_torque(j->d, j->qd, j->qdd); /* offsets are part of friction */
    for (int k = 0; k < n; k++) j->tau[k] -= j->qdd[k];
    arne__limits_torques_to_motors(j->t->m, j->tau, c);
    arne_coriolis_vector(j->d, j->q, q1, j->qdd);
}

void arne__search_bend(search *j, const double *q2, double *b)
{
    multiply(j->t->m->n, j->M, q2, j->tau);
    for (int k = 0; k < j->t->m->n; k++) j->tau[k] += j->qdd[k];
    arne__limits_torques_to_motors(j->t->m, j->tau, b);
}

static bool fill_point(search *j, int i)
{
    const timing *t = j->t;
    const int last = t->intervals;
    point p = point_at(j, i);
    for (int side = 0; side < 2; side++) { /* as the end of the interval before, as the start of the one behind */
        const int k = t->piece[side == 0 ? (i > 0 ? i - 1 : 0) : (i < last ? i : last - 1)];
        arne__path_at(&t->path, k, path_part(&t->path, k, t->s[i]), j->q, p.q1, p.q2[side]);
    }
    arne__search_line(j, p.q1, p.a, p.c);
    for (int side = 0; side < 2; side++) arne__search_bend(j, p.q2[side], p.b[side]);
    for (int k = 0; k < t->m->n; k++)
        if (!isfinite(p.a[k]) || !isfinite(p.b[0][k]) || !isfinite(p.b[1][k]) || !isfinite(p.c[k])) return false;
    return true;
}

void arne__search_rub(search *j, const double *q1, double speed)
{
    const arne_model *m = j->t->m;
    for (int k = 0; k < m->n; k++) j->qd[k] = q1[k] * speed;
    arne_friction_torque(j->d, j->qd, j->tau);
    arne__limits_torques_to_motors(m, j->tau, j->friction);
    arne__limits_to_motors(m, j->qd, j->speed);
    for (int k = 0; k < m->n; k++) arne__limits_torque(m, k, j->speed[k], &j->low[k], &j->top[k]);
}

/* Is there anything that asks for friction again at another speed? */
static bool speed_matters(search *j)
{
    const arne_model *m = j->t->m;
    for (int i = 0; i < m->n; i++) {
        if (m->joint[i].motor.ncurve > 0) return true;
        j->qd[i] = 1;
    }
    arne_friction_torque(j->d, j->qd, j->tau);
    for (int i = 0; i < m->n; i++)
        if (j->tau[i] != 0) return true;
    return false;
}

bool arne__search_fill(search *j)
{
    j->speed_matters = speed_matters(j);
    for (int i = 0; i <= j->t->intervals; i++)
        if (!fill_point(j, i)) return false;
    return true;
}

/* A range of u and the joints that bound it; -1: the x of the next point does. */
typedef struct {
    double u[2];
    int who[2];
} range;

/* low <= A u + B <= top narrows the range. Where A is 0 it says nothing about u, but all or nothing: as if A were tiny. */
static void narrow(double A, double B, double low, double top, int who, range *r)
{
    static const double TINY = 1e-30;
    if (isinf(low) && isinf(top)) return;
    if (A == 0) {
        const double slack = ROUNDING * (top - low);
        low -= slack, top += slack;
        A = TINY;
    }
    const double p = (low - B) / A, q = (top - B) / A, least = fmin(p, q), most = fmax(p, q);
    if (least > r->u[0]) r->u[0] = least, r->who[0] = who;
    if (most < r->u[1]) r->u[1] = most, r->who[1] = who;
}

/* The u of interval i that keep all limits at both of its ends and lead into `next`. */
static range accelerations(search *j, int i, double x, const double next[2])
{
    const arne_model *m = j->t->m;
    const double h2 = 2 * (j->t->s[i + 1] - j->t->s[i]), margin = j->margin[i];
    range r = {{(next[0] - x) / h2, (next[1] - x) / h2}, {-1, -1}};
    for (int end = 0; end < 2; end++) {
        /* at the far end x is x + 2 h u */
        const point p = point_at(j, i + end);
        const double *b = p.b[1 - end], *q2 = p.q2[1 - end], far = end ? h2 : 0;
        if (j->speed_matters) arne__search_rub(j, p.q1, fmax(sqrt(x), CREEP));
        for (int k = 0; k < m->n; k++) {
            const double load = p.c[k] + j->friction[k], low = arne__search_less(j->low[k], load, margin),
                         top = arne__search_less(j->top[k], load, margin);
            narrow(p.a[k] + far * b[k], b[k] * x + load, low, top, k, &r);
            const double most = given_limit(m->joint[k].limits.acceleration) * margin;
            narrow(p.q1[k] + far * q2[k], q2[k] * x, -most, most, k, &r);
        }
    }
    return r;
}

/* The width of that range; what is negative by rounding is 0. */
static double width(search *j, int i, double x, const double next[2])
{
    const range r = accelerations(j, i, x, next);
    const double w = r.u[1] - r.u[0];
    return w < 0 && w > -ROUNDING * fmax(fabs(r.u[0]), fabs(r.u[1])) ? 0 : w;
}

double arne__search_fastest(search *j, const double *q1, double margin)
{
    const arne_model *m = j->t->m;
    double s = j->wish->fastest;
    margin *= j->wish->velocity;
    arne__limits_to_motors(m, q1, j->speed);
    for (int k = 0; k < m->n; k++) {
        const double joint = margin * given_limit(m->joint[k].limits.velocity), motor = margin * arne__limits_speed(m, k);
        if (fabs(q1[k]) * s > joint) s = joint / fabs(q1[k]);
        if (fabs(j->speed[k]) * s > motor) s = motor / fabs(j->speed[k]);
    }
    return s;
}

/* largest s' that velocities allow at grid point i */
static double fastest(search *j, int i)
{
    const double margin = fmin(j->margin[i < j->t->intervals ? i : i - 1], j->margin[i > 0 ? i - 1 : 0]);
    return arne__search_fastest(j, point_at(j, i).q1, margin);
}

/* Between `bad`, where the width is negative, and `good`: where it becomes 0. Regula falsi, the weight of an end that stays
 * halved (Illinois), with bisection in between and where the width says nothing because the next x is given. */
static double refine(search *j, int i, double bad, double good, const double next[2])
{
    double wb = width(j, i, bad, next), wg = width(j, i, good, next);
    for (int k = 0; k < REFINEMENTS && fabs(good - bad) > 1e-10 * fmax(good, bad); k++) {
        const double middle = (good + bad) / 2, chord = good - wg * (good - bad) / (wg - wb);
        const double x = wg > 0 && k % 4 < 3 && fabs(chord - bad) < fabs(good - bad) ? chord : middle;
        const double w = width(j, i, x, next);
        if (w >= 0)
            good = x, wg = w, wb /= 2;
        else
            bad = x, wb = w, wg /= 2;
    }
    return good;
}

/* The x of interval i with a range that is not empty which is nearest to `from`, on the way to `to`; NAN: there is none. */
static double edge(search *j, int i, double from, double to, const double next[2])
{
    double x = from, before = from;
    bool short_step = false;
    for (int k = 0; k < NEWTONS; k++) {
        const double w = width(j, i, x, next);
        if (w >= 0) return k == 0 || (w == 0 && !short_step) ? x : refine(j, i, before, x, next);
        const double step = to > from ? 1e-5 * fmax(x, 1e-6 * to) : -1e-5 * x;
        const double newton = x - w * step / (width(j, i, x + step, next) - w);
        before = x;
        /* down by a factor at a time: far from the edge the slope has not the digits for more */
        x = to > from ? fmin(newton, to) : fmax(newton, fmax(to, 1e-3 * x));
        short_step = x != newton;
        if (!(to > from ? x > before : x < before)) break;
    }
    /* Rounding stalls Newton's method just outside the edge: look a little further. */
    for (double part = NEAREST; part < NEAR; part *= 4) {
        x = before + part * (to - before);
        if (width(j, i, x, next) >= 0) return refine(j, i, before, x, next);
    }
    /* With friction the width need not be concave: look around. */
    before = from;
    for (int k = 1; k <= PROBES && j->speed_matters; k++) {
        x = from + (to - from) * k / PROBES;
        if (width(j, i, x, next) >= 0) return refine(j, i, before, x, next);
        before = x;
    }
    return NAN;
}

/* the backward pass: -1, or the point without an x from which the end can be reached */
static int backward(search *j)
{
    const int last = j->t->intervals;
    const double most = fastest(j, last), end = j->wish->end;
    if (end > most) return last;
    j->good[last][0] = end < 0 ? 0 : end * end;
    j->good[last][1] = end < 0 ? most * most : end * end;
    for (int i = last - 1; i >= 0; i--) {
        const double s = fastest(j, i), *next = j->good[i + 1];
        double *good = j->good[i];
        good[1] = edge(j, i, s * s, 0, next);
        if (!(good[1] > LEAST_X)) return i;
        good[0] = width(j, i, 0, next) >= 0 ? 0 : edge(j, i, 0, good[1], next);
        if (!(good[0] <= good[1])) good[0] = good[1];
    }
    return -1;
}

int arne__search_passes(search *j)
{
    timing *t = j->t;
    const point first = point_at(j, 0);
    arne__search_rub(j, first.q1, 0); /* for good where speed does not matter */
    const int last = t->intervals, stuck = backward(j);
    if (stuck >= 0) return stuck;
    const double start = j->wish->start;
    t->x[0] = start < 0 ? j->good[0][1] : start * start;
    t->time[0] = 0;
    if (t->x[0] < j->good[0][0] * (1 - ROUNDING) || t->x[0] > j->good[0][1] * (1 + ROUNDING)) return 0;
    for (int i = 0; i < last; i++) {
        const range r = accelerations(j, i, t->x[i], j->good[i + 1]);
        const double h = t->s[i + 1] - t->s[i], x = t->x[i] + 2 * h * r.u[1];
        t->x[i + 1] = fmax(fmin(fmax(x, j->good[i + 1][0]), j->good[i + 1][1]), i + 1 < last ? LEAST_X : 0);
        t->time[i + 1] = t->time[i] + 2 * h / (sqrt(t->x[i]) + sqrt(t->x[i + 1]));
        j->late = !(t->time[i + 1] <= j->wish->longest);
        if (j->late) return i;
    }
    arne__search_stretch(t, 1);
    return -1;
}

/* The motor that standing still at a point asks most of, its load and its limit; returns the part that is used. */
static double standing(search *j, int i, bool moving, int *worst, double *load, double *limit)
{
    const point p = point_at(j, i);
    double most = -1;
    arne__search_rub(j, p.q1, moving ? CREEP : 0);
    for (int k = 0; k < j->t->m->n; k++) {
        const double l = p.c[k] + j->friction[k], top = l > 0 ? j->top[k] : -j->low[k], part = l == 0 ? 0 : fabs(l) / top;
        if (part > most) most = part, *worst = k, *load = fabs(l), *limit = top;
    }
    return most;
}

arne_status arne__search_rest(search *j, int i, arne_error *error)
{
    char place[TIMING_PLACE];
    int joint = 0;
    double load = 0, limit = 0;
    if (standing(j, i, false, &joint, &load, &limit) <= 1 + ROUNDING) return ARNE_OK;
    j->wish->place(j->t, j->t->s[i], place);
    return UNSUPPORTED(error, "the robot cannot stand still at %s: joint %s needs %.6g to carry its load and has %.6g", place,
                       j->t->m->joint[joint].name, load, limit);
}

arne_status arne__search_stuck(search *j, int i, arne_error *error)
{
    const arne_model *m = j->t->m;
    const timing_wish *wish = j->wish;
    const int last = j->t->intervals;
    char place[TIMING_PLACE];
    int joint = 0;
    double load = 0, limit = 0;
    wish->place(j->t, j->t->s[i], place);
    if (i == last)
        return UNSUPPORTED(error, "the path cannot end at a speed of %g: velocities allow %g", wish->end, fastest(j, last));
    if (i == 0 && j->good[0][1] > LEAST_X && wish->start > 0)
        return UNSUPPORTED(error, "the path cannot start at a speed of %g: from %g to %g the end can be reached", wish->start,
                           sqrt(j->good[0][0]), sqrt(j->good[0][1]));
    double part = 0;
    for (int k = i; k <= i + 1 && part < 1; k++) part = standing(j, k, true, &joint, &load, &limit);
    if (part >= 1)
        return UNSUPPORTED(error,
                           "the robot cannot follow this path at any speed: at %s joint %s needs %.6g to carry its load and to "
                           "overcome friction, and has %.6g",
                           place, m->joint[joint].name, load, limit);
    if (part > 1 - 1e-6)
        return UNSUPPORTED(error,
                           "the robot cannot follow this path in less than %g s: at %s joint %s has nothing left to move with "
                           "(%.6g of %.6g carry the load)",
                           wish->longest, place, m->joint[joint].name, load, limit);
    if (j->late)
        return UNSUPPORTED(error, "the robot needs more than %g s, the longest motion at this interval of samples, to come to %s",
                           wish->longest, place);
    const range r = accelerations(j, i, 0, j->good[i + 1]);
    const int a = r.who[0] >= 0 ? r.who[0] : r.who[1], b = r.who[1] >= 0 ? r.who[1] : a;
    if (a < 0) return UNSUPPORTED(error, "the robot cannot follow this path: no speed keeps all limits at %s", place);
    return UNSUPPORTED(error,
                       "the robot cannot follow this path and stop: from %s on no speed keeps the limits of joint%s %s%s%s",
                       place, a == b ? "" : "s", m->joint[a].name, a == b ? "" : " and ", a == b ? "" : m->joint[b].name);
}
