/* SPDX-License-Identifier: MIT
 *
 * limits.c - torque and speed limits of the motors behind their gears. */
#include "plan/limits.h"

#include <math.h>
#include <string.h>

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

void arne__limits_to_motors(const arne_model *m, const double *x, double *motors)
{
    const int n = m->n;
    if (!m->drive) {
        memcpy(motors, x, (size_t)n * sizeof *x);
        return;
    }
    for (int k = 0; k < n; k++) {
        motors[k] = 0;
        for (int i = 0; i < n; i++) motors[k] += m->drive[k * n + i] * x[i];
    }
}

void arne__limits_torques_to_motors(const arne_model *m, const double *tau, double *motors)
{
    const int n = m->n;
    if (!m->transmission) {
        memcpy(motors, tau, (size_t)n * sizeof *tau);
        return;
    }
    for (int k = 0; k < n; k++) {
        motors[k] = 0;
        for (int i = 0; i < n; i++) motors[k] += m->transmission[i * n + k] * tau[i];
    }
}

/* t_m = J'tau, clipped, tau = J'^-1 t_m [003 eq. 9.33], one motor after the other: a change of one leaves the others alone */
bool arne_saturate(const arne_model *m, const double *qd, double *tau, bool *saturated)
{
    const int n = m->n;
    bool any = false;
    for (int k = 0; k < n; k++) {
        double v = m->drive ? 0 : qd[k], t = m->drive ? 0 : tau[k], low, high;
        for (int i = 0; m->drive && i < n; i++) {
            v += m->drive[k * n + i] * qd[i];
            t += m->transmission[i * n + k] * tau[i];
        }
        arne__limits_torque(m, k, v, &low, &high);
        const double clipped = fmin(fmax(t, low), high);
        const bool over = clipped != t;
        if (saturated) saturated[k] = over;
        any = any || over;
        if (!m->drive) tau[k] = clipped;
        for (int i = 0; m->drive && over && i < n; i++) tau[i] += m->drive[k * n + i] * (clipped - t);
    }
    return any;
}
