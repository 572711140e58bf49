/* SPDX-License-Identifier: MIT
 *
 * limits.c - torque and speed limits of the motors behind their gears, and the memory for achievable accelerations. */
#include "plan/limits.h"

#include <math.h>

#include "dynamics/more.h"
#include "plan/limits_work.h"

enum { HAND_ROWS = 6 };

/* greatest driving torque of the shaft at a speed */
static double shaft_torque(const arne_motor *motor, double speed)
{
    const double(*p)[2] = (const double(*)[2])motor->curve;
    const int n = motor->ncurve;
    if (n == 0) return motor->effort;
    int k = 0;
    while (k + 2 < n && p[k + 1][0] < speed) k++;
    double t = p[n - 1][1];
    if (speed < p[n - 1][0]) t = p[k][1] + (p[k + 1][1] - p[k][1]) * (speed - p[k][0]) / (p[k + 1][0] - p[k][0]);
    return fmin(t, motor->effort);
}

/* What drives is bounded by the curve; what brakes by the torque at rest, as the current alone limits it then. */
void arne__limits_torque(const arne_model *m, int k, double v, double *low, double *high)
{
    const arne_motor *motor = &m->joint[k].motor;
    const double gear = fabs(motor->gear), joint = given_limit(m->joint[k].limits.effort);
    const double drive = fmin(gear * shaft_torque(motor, gear * fabs(v)), joint);
    const double brake = fmin(gear * shaft_torque(motor, 0), joint);
    *high = v < 0 ? brake : drive;
    *low = v > 0 ? -brake : -drive;
}

double arne__limits_speed(const arne_model *m, int k)
{
    const arne_motor *motor = &m->joint[k].motor;
    double speed = motor->speed;
    if (motor->ncurve > 0) speed = fmin(speed, motor->curve[motor->ncurve - 1][0]);
    speed /= fabs(motor->gear);
    return m->transmission ? speed : fmin(speed, given_limit(m->joint[k].limits.velocity));
}

bool arne__limits_at_shaft(const arne_model *m, int k)
{
    const arne_motor *motor = &m->joint[k].motor;
    return fabs(motor->gear) * shaft_torque(motor, 0) <= given_limit(m->joint[k].limits.effort);
}

/* y = M x, or M'x; M NULL: a copy */
static void product(int n, const double *M, bool transposed, const double *x, double *y)
{
    for (int k = 0; k < n; k++) {
        y[k] = M ? 0 : x[k];
        for (int i = 0; i < n && M; i++) y[k] += M[transposed ? i * n + k : k * n + i] * x[i];
    }
}
void arne__limits_to_motors(const arne_model *m, const double *x, double *motors) { product(m->n, m->drive, false, x, motors); }
void arne__limits_torques_to_motors(const arne_model *m, const double *tau, double *motors)
{
    product(m->n, m->transmission, true, tau, motors);
}

/* t_m = J'tau, clipped, tau = J'^-1 t_m [003 eq. 9.33], one motor after the other: a change of one leaves the others alone */
arne_status arne_saturate(const arne_model *m, const double *qd, double *tau, bool *saturated, bool *some)
{
    if (!m || !qd || !tau) return ARNE_BAD_ARGUMENT;
    const int n = m->nv;
    bool any = false;
    for (int k = 0; k < n && saturated; k++) saturated[k] = false; /* joints of several freedoms have no motor */
    for (int j = 0; j < m->n; j++) {
        const int k = arne_joint_v(m, j);
        if (m->robot->link[m->body[j]].nv != 1) continue;
        double v = m->drive ? 0 : qd[k], t = m->drive ? 0 : tau[k], low, high;
        for (int i = 0; m->drive && i < n; i++) {
            v += m->drive[k * n + i] * qd[i];
            t += m->transmission[i * n + k] * tau[i];
        }
        arne__limits_torque(m, j, v, &low, &high);
        const double clipped = fmin(fmax(t, low), high);
        const bool over = clipped != t;
        if (saturated) saturated[k] = over;
        any = any || over;
        if (!m->drive) tau[k] = clipped;
        for (int i = 0; m->drive && over && i < n; i++) tau[i] += m->drive[k * n + i] * (clipped - t);
    }
    if (some) *some = any;
    return ARNE_OK;
}

arne_status arne__limits_all(const arne_model *m, arne_error *error)
{
    for (int i = 0; i < m->n; i++) {
        const arne_motor *motor = &m->joint[i].motor;
        if (isfinite(motor->effort) || motor->ncurve > 0 || isfinite(given_limit(m->joint[i].limits.effort))) continue;
        return UNSUPPORTED(error,
                           "joint %s has no torque limit; give it one: limits: {effort: ...} or motor: {effort: ...} in YAML, "
                           "<limit effort=\"...\"> in URDF",
                           m->joint[i].name);
    }
    return ARNE_OK;
}

size_t arne__limits_work(const arne_model *m, void *memory)
{
    struct limits_work *w = memory;
    const size_t n = (size_t)m->n, square = n * n;
    cycle c = {.m = m};
    polytope p = {.m = m};
    const struct {
        double **to;
        size_t count;
    } parts[] = {{&c.H, square}, {&c.A, square}, {&c.S, square},   {&c.u, n},   {&c.b, n},     {&c.want, n},  {&c.speed, n},
                 {&c.ask, n},    {&c.acc, n},    {&c.torque, n},   {&c.low, n}, {&c.high, n},  {&c.x, n},     {&p.M, square},
                 {&p.W, square}, {&p.J, 6 * n},  {&p.hand, 6 * n}, {&p.h, n},   {&p.qdd, n},   {&p.speed, n}, {&p.low, n},
                 {&p.top, n},    {&p.middle, n}, {&p.half, n},     {&p.a, n},   {&p.torque, n}};
    size_t used = layout_aligned(sizeof *w);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        *parts[k].to = layout_next(memory, &used, parts[k].count, sizeof(double));
    c.at_limit = layout_next(memory, &used, n, sizeof *c.at_limit);
    const size_t program = arne__simplex_place(NULL, HAND_ROWS - 1 + m->n, 2 * m->n, NULL);
    void *rest = layout_next(memory, &used, 1, program);
    if (rest) arne__simplex_place(&p.program, HAND_ROWS - 1 + m->n, 2 * m->n, rest);
    if (w) *w = (struct limits_work){c, p};
    return used;
}
