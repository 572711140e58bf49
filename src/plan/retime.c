/* SPDX-License-Identifier: MIT
 *
 * retime.c - the same path, as fast as the limits allow and nowhere faster than commanded.
 *
 * Along the path q(s) with s' = ds/dt, x = s'^2, u = s'':  qd = q_s s',  qdd = q_s u + q_ss x, and the motors give
 *     t = a u + b x + c + J' friction(q_s s'),   a = J'M q_s,  b = J'(M q_ss + coriolis(q, q_s)),  c: gravity and wrenches.
 * Between grid points u is constant and x linear: x_(i+1) = x_i + 2 h u. A pass from the end finds the largest x from which every
 * limit can be kept to the end, a pass from the start goes as fast as that allows. Limits hold at both ends of an interval; what
 * is sampled in between is checked afterwards, and where it is over its limit the passes are run again with less room there. Own
 * derivation: doc/feasible.md. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/limits.h"
#include "plan/path.h"

enum { FEWEST_INTERVALS = 2000, TRIES = 10, HALVINGS = 44, PROBES = 64 };
static const double SLOWEST = 1e4;    /* a motion that takes this many times its time is none */
static const double LEAST_X = 1e-16;  /* of s'^2 */
static const double CREEP = 1e-6;     /* s' at which a standing joint already rubs */
static const double ROUNDING = 1e-10; /* what is over a limit by this is at it */

/* a grid point: derivatives of the path and torques of the motors, dof each; b and q_ss seen from the left and from the right */
typedef struct {
    double *q1, *q2[2], *a, *b[2], *c;
} point;
enum { POINT_VECTORS = 7 };

struct arne_retimed {
    const arne_model *m;
    path path;
    int fine, intervals; /* intervals of the grid in one of the samples, and in all */
    double h;
    double *x, *time; /* intervals + 1 */
    double stretch;   /* of time, so that the duration is a multiple of dt */
};

typedef struct {
    arne_retimed *r;
    arne_data *d;
    double *memory, *points;
    double *high;   /* intervals + 1: largest x from which the end can be reached */
    double *margin; /* intervals: the part of the room between the load at rest and a limit that may be used */
    double *over;   /* intervals: what was asked for of that room */
    double *q, *qd, *qdd, *tau, *M, *speed, *friction, *low, *top; /* dof (M: dof x dof) */
} job;

static point point_at(const job *j, int i)
{
    const size_t n = (size_t)j->r->m->n;
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

/* Coefficients at grid point i; false: a number is not finite. */
static bool fill_point(job *j, int i)
{
    const arne_retimed *r = j->r;
    const int n = r->m->n, last = r->intervals;
    point p = point_at(j, i);
    for (int side = 0; side < 2; side++) { /* as the end of the interval before, as the start of the one behind */
        const int at = side == 0 ? (i > 0 ? i - 1 : 0) : (i < last ? i : last - 1);
        const int in = i - at / r->fine * r->fine;
        path_at(&r->path, at / r->fine, in == r->fine ? 1 : (double)in / r->fine, j->q, p.q1, p.q2[side]);
    }
    arne_mass(j->d, j->q, j->M);
    multiply(n, j->M, p.q1, j->tau);
    limits_torques_to_motors(r->m, j->tau, p.a);
    for (int side = 0; side < 2; side++) {
        arne_coriolis_vector(j->d, j->q, p.q1, j->qdd);
        multiply(n, j->M, p.q2[side], j->tau);
        for (int k = 0; k < n; k++) j->tau[k] += j->qdd[k];
        limits_torques_to_motors(r->m, j->tau, p.b[side]);
    }
    memset(j->qd, 0, (size_t)n * sizeof *j->qd);
    arne_bias(j->d, j->q, j->qd, j->tau);
    limits_torques_to_motors(r->m, j->tau, p.c);
    for (int k = 0; k < n; k++)
        if (!isfinite(p.a[k]) || !isfinite(p.b[0][k]) || !isfinite(p.b[1][k]) || !isfinite(p.c[k])) return false;
    return true;
}

/* friction and torque ranges of the motors at path speed s' */
static void rub(job *j, const point *p, double speed)
{
    const arne_model *m = j->r->m;
    for (int k = 0; k < m->n; k++) j->qd[k] = p->q1[k] * speed;
    arne_friction_torque(j->d, j->qd, j->tau);
    limits_torques_to_motors(m, j->tau, j->friction);
    limits_to_motors(m, j->qd, j->speed);
    for (int k = 0; k < m->n; k++) limits_torque(m, k, j->speed[k], &j->low[k], &j->top[k]);
}

/* a limit moved towards the load, which leaves every load that can be carried where it is */
static double less(double limit, double load, double margin) { return isinf(limit) ? limit : load + (limit - load) * margin; }

/* low <= A u + B <= top narrows the range of u */
static void narrow(double A, double B, double low, double top, double range[2])
{
    const double slack = ROUNDING * (top - low);
    if (isinf(low) && isinf(top)) return;
    if (A == 0) {
        if (B > top + slack || B < low - slack) range[0] = INFINITY;
        return;
    }
    const double p = (low - B) / A, q = (top - B) / A;
    range[0] = fmax(range[0], fmin(p, q));
    range[1] = fmin(range[1], fmax(p, q));
}

/* The accelerations u of interval i that keep all limits at both of its ends and reach no more than `next`; false: there are
 * none. */
static bool accelerations(job *j, int i, double x, double next, double range[2])
{
    const arne_model *m = j->r->m;
    const double h2 = 2 * j->r->h;
    range[0] = -x / h2;
    range[1] = (next - x) / h2;
    for (int end = 0; end < 2; end++) {
        /* at the far end x is x + 2 h u */
        const point p = point_at(j, i + end);
        const double *b = p.b[1 - end], *q2 = p.q2[1 - end], far = end ? h2 : 0;
        rub(j, &p, fmax(sqrt(x), CREEP));
        for (int k = 0; k < m->n; k++) {
            const double load = p.c[k] + j->friction[k], margin = load > j->low[k] && load < j->top[k] ? j->margin[i] : 1;
            narrow(p.a[k] + far * b[k], b[k] * x + load, less(j->low[k], load, margin), less(j->top[k], load, margin), range);
            const double most = given_limit(m->joint[k].limits.acceleration) * j->margin[i];
            narrow(p.q1[k] + far * q2[k], q2[k] * x, -most, most, range);
        }
    }
    return range[0] <= range[1] + ROUNDING * fabs(range[1]);
}

/* largest x that velocities allow at grid point i */
static double fastest(const job *j, int i)
{
    const arne_model *m = j->r->m;
    const point p = point_at(j, i);
    const double margin = fmin(j->margin[i < j->r->intervals ? i : i - 1], j->margin[i > 0 ? i - 1 : 0]);
    double s = 1;
    limits_to_motors(m, p.q1, j->speed);
    for (int k = 0; k < m->n; k++) {
        const double joint = margin * given_limit(m->joint[k].limits.velocity), motor = margin * limits_speed(m, k);
        if (fabs(p.q1[k]) * s > joint) s = joint / fabs(p.q1[k]);
        if (fabs(j->speed[k]) * s > motor) s = motor / fabs(j->speed[k]);
    }
    return s * s;
}

/* The largest x at point i from which interval i leads to no more than `next`; negative: none. */
static double reachable(job *j, int i, double most, double next)
{
    double range[2], low = 0, high = most;
    if (accelerations(j, i, most, next, range)) return most;
    if (!accelerations(j, i, 0, next, range)) {
        /* the load cannot be carried at rest; perhaps in flight */
        int k = PROBES;
        while (k > 0 && !accelerations(j, i, most * k / PROBES, next, range)) k--;
        if (k == 0) return -1;
        low = most * k / PROBES;
        high = most * (k + 1) / PROBES;
    }
    for (int k = 0; k < HALVINGS && high - low > 1e-12 * high; k++) {
        const double middle = (low + high) / 2;
        *(accelerations(j, i, middle, next, range) ? &low : &high) = middle;
    }
    return low;
}

/* `slower` times the time of the passes, and on to a whole number of cycles */
static void set_duration(arne_retimed *r, double slower)
{
    const double dt = r->path.dt, time = r->time[r->intervals], cycles = ceil(slower * time / dt - 1e-9);
    r->stretch = fmax(cycles, 1) * dt / time;
}

/* Both passes; -1, or the grid point that cannot be passed at any speed. */
static int passes(job *j)
{
    arne_retimed *r = j->r;
    const int last = r->intervals;
    j->high[last] = fastest(j, last);
    for (int i = last - 1; i >= 0; i--) {
        j->high[i] = reachable(j, i, fastest(j, i), j->high[i + 1]);
        if (!(j->high[i] > LEAST_X)) return i;
    }
    r->x[0] = j->high[0];
    r->time[0] = 0;
    for (int i = 0; i < last; i++) {
        double range[2];
        const bool some = accelerations(j, i, r->x[i], j->high[i + 1], range);
        const double x = some ? r->x[i] + 2 * r->h * range[1] : r->x[i];
        r->x[i + 1] = fmax(fmin(x, j->high[i + 1]), LEAST_X);
        r->time[i + 1] = r->time[i] + 2 * r->h / (sqrt(r->x[i]) + sqrt(r->x[i + 1]));
        if (r->time[i + 1] > SLOWEST * (double)last * r->h) return i;
    }
    set_duration(r, 1);
    return -1;
}

/* the interval that holds a time of the passes */
static int interval_of(const arne_retimed *r, double time)
{
    int low = 0, high = r->intervals;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(r->time[middle] <= time ? &low : &high) = middle;
    }
    return low;
}

/* The largest demand of the state in q, qd, qdd: of a velocity, of an acceleration, or of the room that its load leaves a motor.
 */
static double demand(job *j)
{
    const arne_model *m = j->r->m;
    double most = 0;
    arne_id(j->d, j->q, j->qd, j->qdd, j->tau);
    limits_torques_to_motors(m, j->tau, j->friction);
    limits_to_motors(m, j->qd, j->speed);
    memset(j->low, 0, (size_t)m->n * sizeof *j->low);
    arne_bias(j->d, j->q, j->low, j->tau);
    arne_friction_torque(j->d, j->qd, j->low);
    for (int i = 0; i < m->n; i++) j->tau[i] += j->low[i];
    limits_torques_to_motors(m, j->tau, j->top); /* the load */
    for (int i = 0; i < m->n; i++) {
        const arne_limits *l = &m->joint[i].limits;
        most = fmax(most, fabs(j->qd[i]) / given_limit(l->velocity));
        most = fmax(most, fabs(j->qdd[i]) / given_limit(l->acceleration));
        most = fmax(most, fabs(j->speed[i]) / limits_speed(m, i));
        double low, top;
        limits_torque(m, i, j->speed[i], &low, &top);
        const double t = j->friction[i], load = j->top[i];
        if (t > top * (1 + 1e-9)) most = fmax(most, top > load ? (t - load) / (top - load) : 2);
        if (t < low * (1 + 1e-9)) most = fmax(most, low < load ? (t - load) / (low - load) : 2);
    }
    return most;
}

/* The largest demand of each interval, at the samples of the new motion and in its middle; the largest of all at samples. */
static double measure(job *j)
{
    const arne_retimed *r = j->r;
    const double dt = r->path.dt;
    const long cycles = lround(arne_retimed_duration(r) / dt);
    double most = 0;
    for (int i = 0; i < r->intervals; i++) {
        arne_retimed_at(r, (r->time[i] + r->time[i + 1]) / 2 * r->stretch, j->q, j->qd, j->qdd);
        j->over[i] = demand(j);
    }
    for (long k = 0; k <= cycles; k++) {
        arne_retimed_at(r, (double)k * dt, j->q, j->qd, j->qdd);
        const int i = interval_of(r, (double)k * dt / r->stretch);
        const double over = demand(j);
        j->over[i] = fmax(j->over[i], over);
        most = fmax(most, over);
    }
    return most;
}

/* Takes room from the intervals that ask for too much, and from their neighbours; a little more from try to try, as samples
 * fall elsewhere then. */
static void tighten(job *j, int attempt)
{
    const int last = j->r->intervals;
    const double less_still = 1 - fmin(0.02, ldexp(1e-5, attempt));
    for (int i = 0; i < last; i++) {
        const double over = fmax(j->over[i], fmax(j->over[i > 0 ? i - 1 : i], j->over[i + 1 < last ? i + 1 : i]));
        if (over > 1 + ROUNDING) j->margin[i] *= less_still / fmin(over, 10);
    }
}

/* Who holds the path up at grid point i. */
static arne_status cannot(job *j, int i, arne_error *error)
{
    const arne_model *m = j->r->m;
    const point p = point_at(j, i);
    const double t = (double)i * j->r->h;
    double most = 0;
    int worst = 0;
    rub(j, &p, CREEP);
    for (int k = 0; k < m->n; k++) {
        const double load = p.c[k] + j->friction[k], ratio = load > 0 ? load / j->top[k] : load / j->low[k];
        if (ratio > most) most = ratio, worst = k;
    }
    const double load = p.c[worst] + j->friction[worst], limit = load > 0 ? j->top[worst] : j->low[worst];
    if (most >= 1)
        return arne_fail(
            error, ARNE_UNSUPPORTED, NULL, 0,
            "the robot cannot follow this path at any speed: at t = %g s joint %s needs %.6g to carry its load and to "
            "overcome friction, and has %.6g",
            t, m->joint[worst].name, fabs(load), fabs(limit));
    return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0,
                     "the robot cannot follow this path in less than %g times its time: at t = %g s joint %s has nothing left to "
                     "move with (%.6g of %.6g carry the load)",
                     SLOWEST, t, m->joint[worst].name, fabs(load), fabs(limit));
}

static arne_status check_positions(const job *j, arne_error *error)
{
    const arne_model *m = j->r->m;
    const path *p = &j->r->path;
    for (int k = 0; k < p->count; k++)
        for (int i = 0; i < m->n; i++) {
            const arne_limits *l = &m->joint[i].limits;
            const double q = p->q[(size_t)k * (size_t)m->n + (size_t)i];
            if (q > l->upper + 1e-9 || q < l->lower - 1e-9)
                return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0,
                                 "the path leaves the limits of joint %s at t = %g s (%.6g, limits %.6g ... %.6g): no slower "
                                 "motion stays inside",
                                 m->joint[i].name, k * p->dt, q, l->lower, l->upper);
        }
    return ARNE_OK;
}

static arne_status find(job *j, arne_error *error)
{
    arne_status status = check_positions(j, error);
    if (status) return status;
    for (int i = 0; i <= j->r->intervals; i++)
        if (!fill_point(j, i))
            return arne_fail(error, ARNE_BAD_VALUE, NULL, 0,
                             "the torques along the path are not finite: the numbers are too large");
    for (int i = 0; i < j->r->intervals; i++) j->margin[i] = 1;
    for (int k = 0; k < TRIES; k++) {
        const int stuck = passes(j);
        if (stuck >= 0) return cannot(j, stuck, error);
        if (measure(j) <= 1 + 1e-9) return ARNE_OK;
        tighten(j, k);
    }
    /* what is left over is little: the room that a motion asks for goes down with the square of its time */
    for (double slower = 1; slower < 2; slower *= 1.002) {
        set_duration(j->r, slower);
        if (measure(j) <= 1 + 1e-9) return ARNE_OK;
    }
    return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0,
                     "the samples are too far apart to slow the motion between them; give more of them");
}

static bool job_open(job *j)
{
    arne_retimed *r = j->r;
    const size_t n = (size_t)r->m->n, grid = (size_t)r->intervals + 1;
    r->x = malloc(grid * sizeof *r->x);
    r->time = malloc(grid * sizeof *r->time);
    j->high = malloc(grid * sizeof *j->high);
    j->margin = malloc(grid * sizeof *j->margin);
    j->over = malloc(grid * sizeof *j->over);
    j->points = malloc((grid * POINT_VECTORS * n + 1) * sizeof *j->points);
    double **const vectors[] = {&j->q, &j->qd, &j->qdd, &j->tau, &j->speed, &j->friction, &j->low, &j->top, &j->M};
    enum { COUNT = sizeof vectors / sizeof *vectors };
    double *v = j->memory = calloc(n * COUNT + n * n + 1, sizeof *v);
    for (int k = 0; k < COUNT && v; k++, v += n) *vectors[k] = v;
    return r->x && r->time && j->high && j->margin && j->over && j->points && v;
}

arne_status arne_retime(const arne_motion *s, arne_data *d, arne_retimed **out, arne_error *error)
{
    *out = NULL;
    if (s->count < 2) return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "a motion has at least two samples");
    arne_retimed *r = calloc(1, sizeof *r);
    if (!r) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    r->m = arne_data_model(d);
    r->fine = 1 + (FEWEST_INTERVALS - 1) / (s->count - 1);
    r->intervals = r->fine * (s->count - 1);
    r->h = s->dt / r->fine;
    job j = {.r = r, .d = d};
    const bool room = path_open(&r->path, s, r->m->n) && job_open(&j);
    arne_status status = room ? find(&j, error) : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    free(j.high);
    free(j.margin);
    free(j.over);
    free(j.points);
    free(j.memory);
    if (status)
        arne_retimed_free(r);
    else
        *out = r;
    return status;
}

void arne_retimed_free(arne_retimed *r)
{
    if (!r) return;
    path_close(&r->path);
    free(r->x);
    free(r->time);
    free(r);
}

double arne_retimed_duration(const arne_retimed *r) { return r->time[r->intervals] * r->stretch; }

double arne_retimed_at(const arne_retimed *r, double t, double *q, double *qd, double *qdd)
{
    const double whole = r->time[r->intervals];
    double own = fmax(t / r->stretch, 0);
    if (own > whole * (1 - 1e-12)) own = whole; /* the end is reached to the bit */
    const int low = interval_of(r, own);
    /* s = s_i + s' t + u t^2/2 */
    const double since = own - r->time[low], u = (r->x[low + 1] - r->x[low]) / (2 * r->h);
    const double start = sqrt(r->x[low]), end = sqrt(r->x[low + 1]);
    const double way = own >= r->time[low + 1] ? r->h : fmin(r->h, fmax(0, (start + u * since / 2) * since));
    const double speed = fmax(fmin(start, end), fmin(fmax(start, end), start + u * since));
    const int sample = low / r->fine, in = low - sample * r->fine;
    const double x = (in + way / r->h) / r->fine;
    path_at(&r->path, sample, x, q, qd, qdd);
    const double f = r->stretch;
    for (int i = 0; i < r->m->n; i++) {
        qdd[i] = (qd[i] * u + qdd[i] * speed * speed) / (f * f);
        qd[i] *= speed / f;
    }
    return ((double)sample + x) * r->path.dt;
}
