/* SPDX-License-Identifier: MIT
 *
 * elastic_control.c - controllers of robots with elastic joints, from links and motors.
 *
 *     motor-pd: tau = tau_r + kp (theta_r - theta) + kd (rd - thetad),   theta_r, tau_r: hold the links still at r
 *     elastic:  v = rdddd + K3 (rddd - qddd) + K2 (rdd - qdd) + K1 (rd - qd) + K0 (r - q)          [002 eq. 13, ERRATA 3.1]
 *               tau such that qdddd = v, qdd and qddd from the state                              [002 eq. 45-52, ERRATA 3.3]
 *
 * s^4 + K3 s^3 + K2 s^2 + K1 s + K0 has the poles asked for. */
#include <math.h>
#include <string.h>

#include "arne/regressor.h"
#include "control/controller.h"
#include "kind/kinds.h"

enum { POLES = 4 };

typedef struct {
    arne_flex *flex;
    double *K;          /* 11 n: parameters on their way to the links */
    double *gain;       /* n x 4: K0 K1 K2 K3 */
    double *qdd, *qddd; /* n */
} elastic_control;

static arne_status start(arne_controller *c, arne_error *error)
{
    const size_t n = (size_t)c->n;
    elastic_control *k = arena_take(c->memory, 1, sizeof *k);
    if (k) {
        c->own = k;
        k->K = arena_take(c->memory, ARNE_LINK_PARAMETERS * n, sizeof *k->K);
        k->gain = arena_take(c->memory, POLES * n, sizeof *k->gain);
        k->qdd = arena_take(c->memory, n, sizeof *k->qdd);
        k->qddd = arena_take(c->memory, n, sizeof *k->qddd);
    }
    if (!k || !k->K || !k->gain || !k->qdd || !k->qddd) return control_no_memory(error);
    return arne_flex_new(c->m, &k->flex, error);
}

static arne_status start_motor_pd(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    const arne_status status = start(c, error);
    return status ? status : gains_of_joints(c, o, 2, error);
}

static arne_status start_elastic(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    static const double spacing[POLES] = {1, 1.2, 1.5, 2};
    const arne_status status = start(c, error);
    if (status) return status;
    const elastic_control *k = c->own;
    for (int i = 0; i < c->n; i++) {
        double *gain = k->gain + POLES * i;
        gain[0] = 1;
        for (int j = 0; j < POLES; j++) {
            const double pole = o->poles ? o->poles[POLES * i + j] : -gains_pace(c->period) * spacing[j];
            if (!(pole < 0) || isinf(pole))
                return arne_fail(error, ARNE_BAD_VALUE, "", 0, "pole %d of joint %s is %g; it must be negative", j + 1,
                                 arne_joint_name(c->m, i), pole);
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

/* The links as the controller's own data knows them by now: payloads, parameters, gravity, friction, wrenches. */
static void follow(const arne_controller *c)
{
    const elastic_control *k = c->own;
    const robot *r = data_robot(c->d);
    arne_data *links = arne_flex_links(k->flex);
    arne_parameters(c->d, k->K);
    arne_set_parameters(links, k->K);
    arne_set_gravity(links, r->g);
    arne_set_friction(links, r->friction);
    arne_set_wrenches(links, r->wrench, r->nwrench);
}

static int tick_motor_pd(arne_controller *c, const arne_tick *in, double *tau)
{
    const elastic_control *k = c->own;
    const double *r = in->reference, *rd = r + c->n;
    double *theta = c->x;
    follow(c);
    arne_flex_rest(k->flex, r, theta, tau);
    for (int i = 0; i < c->n; i++) tau[i] += c->kp[i] * (theta[i] - in->theta[i]) + c->kd[i] * (rd[i] - in->thetad[i]);
    return 0;
}

static int tick_elastic(arne_controller *c, const arne_tick *in, double *tau)
{
    const elastic_control *k = c->own;
    const int n = c->n;
    double *v = c->x;
    follow(c);
    if (arne_flex_state(k->flex, in->q, in->qd, in->theta, in->thetad, k->qdd, k->qddd) >= 0) return CONTROL_NO_ANSWER;
    const double *const is[POLES] = {in->q, in->qd, k->qdd, k->qddd};
    for (int i = 0; i < n; i++) {
        v[i] = in->reference[POLES * n + i];
        for (int j = 0; j < POLES; j++) v[i] += k->gain[POLES * i + j] * (in->reference[j * n + i] - is[j][i]);
    }
    return arne_flex_linearize(k->flex, in->q, in->qd, k->qdd, k->qddd, v, tau) >= 0 ? CONTROL_NO_ANSWER : 0;
}

const control_law law_motor_pd = {.rows = 2, .motors = true, .start = start_motor_pd, .tick = tick_motor_pd, .stop = stop};
const control_law law_elastic = {.rows = 5, .motors = true, .start = start_elastic, .tick = tick_elastic, .stop = stop};
