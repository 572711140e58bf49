/* SPDX-License-Identifier: MIT
 *
 * elastic_control.c - controllers of robots with elastic joints, from links and motors.
 *
 *     motor-pd: tau = tau_r + kp (theta_r - theta) + kd (rd - thetad),   theta_r, tau_r: hold the links still at r
 *     elastic:  v = rdddd + K3 (rddd - qddd) + K2 (rdd - qdd) + K1 (rd - qd) + K0 (r - q)          [002 eq. 13, ERRATA 3.1]
 *               tau such that qdddd = v, qdd and qddd from the state                              [002 eq. 45-52, ERRATA 3.3]
 *               (with a measured tau_e the stiffness, which may be wrong, counts for qddd and tau alone)
 *
 * s^4 + K3 s^3 + K2 s^2 + K1 s + K0 has the poles asked for. */
#include <math.h>
#include <string.h>

#include "control/controller.h"
#include "dynamics/data.h"

enum { POLES = 4, POSITIONS = 8 };

typedef struct {
    arne_flex *flex;
    double *gain;       /* n x 4: K0 K1 K2 K3 */
    double *qdd, *qddd; /* n */
} elastic_control;

/* The springs as the controller believes them to be. */
static arne_status believe(arne_controller *c, const double *factor, arne_error *error)
{
    const elastic_control *k = c->own;
    for (int i = 0; i < c->n && factor; i++)
        if (c->at[i] >= 0 && (!(factor[i] > 0) || isinf(factor[i])))
            return BAD_VALUE(error, "the factor of the stiffness of joint %s is %g; it must be positive and finite",
                             arne_velocity_name(c->m, i), factor[i]);
    return arne_flex_scale_springs(k->flex, factor);
}

static arne_status start(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    const size_t n = (size_t)c->n;
    elastic_control *k = arne__arena_take(c->memory, 1, sizeof *k);
    double *v = arne__arena_take(c->memory, (POLES + 2) * n, sizeof *v);
    if (!k || !v) return NO_MEMORY(error);
    *k = (elastic_control){.gain = v, .qdd = v + POLES * n, .qddd = v + (POLES + 1) * n};
    c->own = k;
    const arne_status status = arne_flex_new(c->known, &k->flex, error);
    if (status) return status;
    c->known = arne_flex_settings(k->flex);
    return believe(c, o->springs, error);
}

static arne_status start_motor_pd(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    const arne_status status = start(c, o, error);
    return status ? status : arne__gains_of_joints(c, o, 2, error);
}

/* Omega^2 = K (1/B + (M^-1)_ii) of the fastest joint on its spring, the mean over its range; as it was: M has no inverse. c->x,
 * y, z are free here. */
static arne_status swing(arne_controller *c, double *omega2, arne_error *error)
{
    const elastic_control *k = c->own;
    const size_t n = (size_t)c->n;
    const double *K = arne_flex_stiffness(k->flex), *B = arne_flex_rotors(k->flex);
    arena *scratch = arne__arena_new();
    double *M = arne__arena_take(scratch, n * n, sizeof *M);
    arne_data *links = NULL;
    arne_status status = M ? arne_data_share(c->known, &links, error) : NO_MEMORY(error);
    int count = 0;
    memset(c->z, 0, n * sizeof *c->z);
    for (int p = 0; !status && p < POSITIONS; p++) {
        arne__spread_position(c->m, p, c->y);
        arne_mass(links, c->y, M);
        if (arne_factor(links, M)) continue;
        for (size_t i = 0; i < n; i++) {
            memset(c->x, 0, n * sizeof *c->x);
            c->x[i] = 1;
            arne_solve(links, M, c->x);
            c->z[i] += c->x[i];
        }
        count++;
    }
    arne_data_free(links);
    arne__arena_free(scratch);
    for (size_t i = 0; i < n && count; i++) *omega2 = fmax(*omega2, K[i] * (1 / B[i] + c->z[i] / count));
    return status;
}

static arne_status start_elastic(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    static const double spacing[POLES] = {1, 1.2, 1.5, 2};
    double omega2 = 0;
    arne_status status = start(c, o, error);
    if (status) return status;
    const elastic_control *k = c->own;
    if (!o->poles) status = swing(c, &omega2, error);
    if (status) return status;
    /* slow poles need fast ticks, twice as far from the bound as must be           doc/elastic.md (19)
     * fast ones too                                                                doc/elastic.md (20) */
    const double pace = fmax(arne__gains_pace(c->period), fmin(omega2 * c->period / 16, 0.2 / c->period));
    for (int i = 0; i < c->n; i++) {
        double *gain = k->gain + POLES * i;
        gain[0] = 1;
        for (int j = 0; j < POLES; j++) {
            const double pole = o->poles ? o->poles[POLES * i + j] : -pace * spacing[j];
            if (!(pole < 0) || isinf(pole))
                return BAD_VALUE(error, "pole %d of joint %s is %g; it must be negative", j + 1, arne_joint_name(c->m, i), pole);
            /* (s - pole) times a polynomial of degree j whose leading 1 is at gain[j] */
            if (j + 1 < POLES) gain[j + 1] = 1;
            for (int p = j; p >= 0; p--) gain[p] = (p > 0 ? gain[p - 1] : 0) - pole * gain[p];
        }
    }
    return ARNE_OK;
}

static void stop(arne_controller *c)
{
    const elastic_control *k = c->own;
    if (k) arne_flex_free(k->flex);
}

static arne_status tick_motor_pd(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags)
{
    (void)flags;
    const elastic_control *k = c->own;
    const double *r = in->reference, *rd = r + c->n;
    double *theta = c->x, *q = c->y; /* where the driven joints shall be, and the others are */
    memcpy(q, in->q, (size_t)c->nq * sizeof *q);
    for (int i = 0; i < c->n; i++)
        if (c->at[i] >= 0) q[c->at[i]] = r[i];
    const arne_status status = arne_flex_rest(k->flex, q, theta, tau);
    for (int i = 0; i < c->n && !status; i++)
        if (c->at[i] >= 0) tau[i] += c->kp[i] * (theta[i] - in->theta[i]) + c->kd[i] * (rd[i] - in->thetad[i]);
    return status;
}

static arne_status tick_elastic(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags)
{
    (void)flags;
    const elastic_control *k = c->own;
    const int n = c->n;
    double *v = c->x;
    const arne_status status =
        in->tau_e ? arne_flex_state_measured(k->flex, in->q, in->qd, in->theta, in->thetad, in->tau_e, k->qdd, k->qddd)
                  : arne_flex_state(k->flex, in->q, in->qd, in->theta, in->thetad, k->qdd, k->qddd);
    if (status) return status;
    const double *const is[POLES] = {in->q, in->qd, k->qdd, k->qddd};
    for (int i = 0; i < n; i++) {
        v[i] = in->reference[POLES * n + i];
        for (int j = 0; j < POLES; j++) v[i] += k->gain[POLES * i + j] * (in->reference[j * n + i] - is[j][i]);
    }
    return arne_flex_linearize(k->flex, in->q, in->qd, k->qdd, k->qddd, v, tau);
}

const control_law arne__law_motor_pd = {
    .rows = 2, .motors = true, .loose = true, .start = start_motor_pd, .tick = tick_motor_pd, .stop = stop};
const control_law arne__law_elastic = {.rows = 5, .motors = true, .start = start_elastic, .tick = tick_elastic, .stop = stop};
