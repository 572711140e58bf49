/* SPDX-License-Identifier: MIT
 *
 * gains.c - gains as they are given, or such that every joint (every row of a hand) is a critically damped oscillator of one
 * frequency about the inertia it feels (doc/control.md). */
#include <math.h>
#include <string.h>

#include "control/controller.h"
#include "base/dense.h"

enum { POSITIONS = 8 };

double arne__gains_pace(double period) { return fmin(20, 0.1 / period); }

/* (J M^-1 J')_rr of `rows` rows, J NULL: the unit matrix; false: M has no inverse here */
static bool mobility(arne_controller *c, const double *q, const double *J, int rows, double *M, double *out)
{
    arne_mass(c->d, q, M);
    if (arne_factor(c->d, M)) return false;
    for (int r = 0; r < rows; r++) {
        memset(c->x, 0, (size_t)c->n * sizeof *c->x);
        if (J)
            memcpy(c->x, J + r * c->n, (size_t)c->n * sizeof *c->x);
        else
            c->x[r] = 1;
        memcpy(c->y, c->x, (size_t)c->n * sizeof *c->y);
        arne_solve(c->d, M, c->y);
        out[r] = dense_dot(c->n, c->x, c->y);
    }
    return true;
}

/* Inertia that each row of a link feels, link < 0: each joint with the others free, over the range of the robot: 1/mean of the
 * mobility. */
static arne_status felt(arne_controller *c, int link, int rows, double *inertia, arne_error *error)
{
    const size_t n = (size_t)c->n;
    arena *scratch = arne__arena_new();
    double *M = arne__arena_take(scratch, n * n, sizeof *M);
    double *J = M ? arne__arena_take(scratch, 6 * n, sizeof *J) : NULL;
    double *q = J ? arne__arena_take(scratch, (size_t)c->nq, sizeof *q) : NULL;
    double *one = q ? arne__arena_take(scratch, (size_t)rows, sizeof *one) : NULL;
    int count = 0;
    for (int r = 0; r < rows; r++) inertia[r] = 0;
    for (int k = 0; one && k < POSITIONS; k++) {
        arne__spread_position(c->m, k, q);
        if (link >= 0) arne_link_jacobian(c->d, q, link, ARNE_ALIGNED, J);
        if (!mobility(c, q, link >= 0 ? J : NULL, rows, M, one)) continue;
        for (int r = 0; r < rows; r++) inertia[r] += one[r];
        count++;
    }
    const bool good = one;
    arne__arena_free(scratch);
    if (!good) return NO_MEMORY(error);
    if (count == 0)
        return BAD_VALUE(
            error,
            "the inertia matrix of %s is singular, so there are no default gains: give them, or give the last links a mass",
            arne_model_name(c->m));
    for (int r = 0; r < rows; r++) inertia[r] = inertia[r] > 1e-12 ? count / inertia[r] : 0;
    return ARNE_OK;
}

arne_status arne__gains_hand_inertia(arne_controller *c, int link, double inertia[6], arne_error *error)
{
    return felt(c, link, 6, inertia, error);
}

arne_status arne__gains_take(arne_controller *c, const char *name, const double *given, const double *standard, double factor,
                             double **out, arne_error *error)
{
    *out = arne__arena_take(c->memory, (size_t)c->n, sizeof **out);
    if (!*out) return NO_MEMORY(error);
    for (int i = 0; i < c->n; i++) {
        (*out)[i] = given ? given[i] : factor * (standard ? standard[i] : 1);
        if (c->at[i] >= 0 && (!((*out)[i] > 0) || isinf((*out)[i])))
            return BAD_VALUE(error, "%s of joint %s is %g; a gain must be positive and finite", name, arne_velocity_name(c->m, i),
                             (*out)[i]);
    }
    return ARNE_OK;
}

arne_status arne__gains_of_joints(arne_controller *c, const arne_control_options *o, double damping, arne_error *error)
{
    const double w = arne__gains_pace(c->period);
    arne_status status = ARNE_OK;
    if (!o->kp || !o->kd) status = felt(c, -1, c->n, c->z, error);
    if (!status) status = arne__gains_take(c, "kp", o->kp, c->z, w * w, &c->kp, error);
    if (!status) status = arne__gains_take(c, "kd", o->kd, c->z, damping * w, &c->kd, error);
    return status;
}
