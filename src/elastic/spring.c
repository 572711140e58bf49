/* SPDX-License-Identifier: MIT
 *
 * spring.c - the spring of one joint: tau_e = k1 x + k3 x^3 + k5 x^5 + d x', x = theta - q, and the way back. */
#include <math.h>

#include "elastic/flex.h"

double arne__spring_torque(const joint_spring *s, double x, double *slope)
{
    const double y = x * x;
    if (slope) *slope = s->k[0] + y * (3 * s->k[1] + y * 5 * s->k[2]);
    return x * (s->k[0] + y * (s->k[1] + y * s->k[2]));
}

double arne__spring_energy(const joint_spring *s, double x)
{
    const double y = x * x;
    return y * (s->k[0] / 2 + y * (s->k[1] / 4 + y * s->k[2] / 6));
}

double arne__spring_rate(const joint_spring *s, double x, double xd)
{
    double slope;
    arne__spring_torque(s, x, &slope);
    return slope * xd + s->dk * x;
}

/* phi(x) = tau. phi is odd and rises, so the answer lies between 0 and a bound found by doubling; Newton's steps that leave the
 * bracket, which shrinks with every step, are replaced by its middle. */
static double invert(const joint_spring *s, double tau)
{
    if (s->k[1] == 0 && s->k[2] == 0) return tau / s->k[0];
    if (!isfinite(tau)) return tau;
    const double target = fabs(tau);
    double low = 0, high = target / s->k[0], slope;
    for (int k = 0; k < 64 && arne__spring_torque(s, high, NULL) < target; k++) high *= 2;
    double x = high;
    for (int k = 0; k < 100; k++) {
        const double rest = arne__spring_torque(s, x, &slope) - target, next = x - rest / slope;
        if (fabs(next - x) <= 2e-16 * x) break;
        if (rest > 0)
            high = x;
        else
            low = x;
        x = next > low && next < high ? next : (low + high) / 2;
    }
    return copysign(x, tau);
}

void arne__spring_solve(const joint_spring *s, const double tau[3], double x[3])
{
    /* Damping puts x' into the equation of x and x'' into that of x': solved again until they agree. Where the spring is a line
     * two passes are exact; elsewhere the damping is a small part of the torque. */
    const bool line = s->k[1] == 0 && s->k[2] == 0 && s->dk == 0 && s->ddk == 0;
    const int passes = s->damping == 0 ? 1 : line ? 2 : 12;
    x[1] = x[2] = 0;
    for (int pass = 0; pass < passes; pass++) {
        double slope;
        x[0] = invert(s, tau[0] - s->damping * x[1]);
        arne__spring_torque(s, x[0], &slope);
        const double bend = x[0] * (6 * s->k[1] + 20 * s->k[2] * x[0] * x[0]);
        /* tau'  = phi_x x' + k1' x + d x''                                        doc/elastic.md (11)
         * tau'' = phi_x x'' + phi_xx x'^2 + 2 k1' x' + k1'' x                     doc/elastic.md (12) */
        x[1] = (tau[1] - s->damping * x[2] - s->dk * x[0]) / slope;
        x[2] = (tau[2] - bend * x[1] * x[1] - 2 * s->dk * x[1] - s->ddk * x[0]) / slope;
    }
    if (s->damping != 0) x[0] = invert(s, tau[0] - s->damping * x[1]);
}
