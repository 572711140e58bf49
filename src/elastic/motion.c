/* SPDX-License-Identifier: MIT
 *
 * motion.c - what elastic joints make of a sampled motion, beside rigid ones. */
#include <math.h>

#include "arne/elastic.h"
#include "base/fail.h"

arne_status arne_flex_motion(arne_flex *f, arne_data *rigid, int count, const double *t, const double *x,
                             const arne_flex_torques *out, double *tau_rigid, arne_flex_record *joints, arne_error *error)
{
    if (!f || !rigid || count < 0 || !t || !x || !out || !tau_rigid || !joints || !out->tau_e || !out->tau || !out->theta ||
        !out->dtheta)
        return BAD_ARGUMENT(error, "a motion, the robot twice and places for the answers are needed");
    const size_t n = (size_t)arne_model_dof(arne_data_model(rigid));
    for (size_t i = 0; i < n; i++) joints[i] = (arne_flex_record){0};
    for (size_t k = 0; k < (size_t)count; k++, x += 5 * n) {
        const size_t at = k * n;
        const double *theta = out->theta + at, *tau_e = out->tau_e + at, *tau = out->tau + at, *stiff = tau_rigid + at;
        const arne_flex_torques to = {.size = sizeof to,
                                      .tau_e = out->tau_e + at,
                                      .tau = out->tau + at,
                                      .theta = out->theta + at,
                                      .dtheta = out->dtheta + at};
        if (arne_flex_id(f, x, &to) == ARNE_UNSUPPORTED)
            return UNSUPPORTED(error, "motions of elastic joints: for robots whose joints have one freedom each");
        arne_id(rigid, x, x + n, x + 2 * n, tau_rigid + at);
        for (size_t i = 0; i < n; i++) {
            arne_flex_record *j = &joints[i];
            if (!isfinite(tau[i]) || !isfinite(theta[i]) || !isfinite(stiff[i]))
                return BAD_VALUE(error, "the torque at t = %g s is not finite: the numbers of the motion are too large", t[k]);
            j->deflection = fmax(j->deflection, fabs(theta[i] - x[i]));
            j->tau_e = fmax(j->tau_e, fabs(tau_e[i]));
            j->tau = fmax(j->tau, fabs(tau[i]));
            j->rigid = fmax(j->rigid, fabs(stiff[i]));
            j->difference = fmax(j->difference, fabs(tau[i] - stiff[i]));
        }
    }
    return ARNE_OK;
}
