/* SPDX-License-Identifier: MIT
 *
 * hand_control.c - controllers of a link in space. e, ed: errors of its pose and velocity; a_t: the target's acceleration.
 *
 *     acceleration: tau = NE(q, qd, L^+ (a_t + damping ed + stiffness e - N))                 [004 eq. 10.2, ERRATA part two 4]
 *     impedance:    tau = NE*(q, qd, qr, qrd) + J'(stiffness e + damping ed),   qr = L^+ v_t      [000 eq. 25], doc/control.md
 * (7)
 *
 * The impedance leaves the robot its own inertia. With L^+ weighted by it and s = qr - qd, J s = ed: the energy s'M s/2 + e'K e/2
 * falls by ed'D ed, at singular positions too as long as the target stands still. What freedom the link leaves draws the joints
 * to a posture. */
#include <math.h>
#include <string.h>

#include "arne/coriolis.h"
#include "control/controller.h"
#include "control/hand_work.h"

typedef struct {
    arne_hand_options options; /* null_motion: ours */
    double stiffness[6], damping[6];
    double *posture, *null_motion, *qdd; /* n */
    double *J;                           /* 6 x n */
    bool given, set;                     /* posture: by the caller; known */
    double pace;                         /* of the motion to the posture, rad/s */
} hand_control;

static bool all_zero(const double x[6])
{
    for (int r = 0; r < 6; r++)
        if (x[r] != 0) return false;
    return true;
}

/* as given, or standard times factor when all are zero */
static arne_status take_rows(const arne_controller *c, int link, const char *name, const double given[6],
                             const double standard[6], double factor, double out[6], arne_error *error)
{
    for (int r = 0; r < 6; r++) {
        out[r] = all_zero(given) ? factor * standard[r] : given[r];
        if (!(out[r] >= 0) || isinf(out[r]))
            return BAD_VALUE(error, "%s of link %s is %g; it must be positive", name, arne_link_name(c->m, link), out[r]);
    }
    return ARNE_OK;
}

static arne_status start(arne_controller *c, const arne_control_options *o, const double standard[6], double damping,
                         arne_error *error)
{
    const size_t n = (size_t)c->n;
    hand_control *k = arne__arena_take(c->memory, 1, sizeof *k);
    if (!(c->own = k)) return NO_MEMORY(error);
    k->pace = arne__gains_pace(c->period);
    arne_status status = take_rows(c, o->link, "stiffness", o->stiffness, standard, k->pace * k->pace, k->stiffness, error);
    if (!status) status = take_rows(c, o->link, "damping", o->damping, standard, damping * k->pace, k->damping, error);
    if (status) return status;
    if (!(o->singular_damping >= 0) || isinf(o->singular_damping))
        return BAD_VALUE(error, "the damping at singular positions is %g; it must be positive", o->singular_damping);
    if (!(k->posture = arne__arena_take(c->memory, 9 * n, sizeof *k->posture))) return NO_MEMORY(error);
    k->null_motion = k->posture + n;
    k->qdd = k->null_motion + n;
    k->J = k->qdd + n;
    c->link = o->link;
    k->options = (arne_hand_options){.size = sizeof k->options,
                                     .position_only = o->position_only,
                                     .inertia_weighted = o->inertia_weighted,
                                     .damping = o->singular_damping,
                                     .null_motion = k->null_motion};
    k->given = k->set = o->posture;
    for (int i = 0; k->given && i < c->n; i++) {
        k->posture[i] = o->posture[i];
        if (!isfinite(k->posture[i]))
            return BAD_VALUE(error, "the posture of joint %s is not a number", arne_joint_name(c->m, i));
    }
    return arne_data_prepare(c->d, ARNE_HANDS, error);
}

static arne_status check_link(const arne_controller *c, int link, arne_error *error)
{
    if (link < 0 || link >= arne_model_links(c->m)) return BAD_ARGUMENT(error, "the robot has no link number %d", link);
    if (arne_link_joint(c->m, link) < 0)
        return BAD_VALUE(error, "link %s is part of the base; no joint moves it", arne_link_name(c->m, link));
    return ARNE_OK;
}

static arne_status start_acceleration(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    static const double unit[6] = {1, 1, 1, 1, 1, 1};
    const arne_status status = check_link(c, o->link, error);
    return status ? status : start(c, o, unit, 2, error);
}

static arne_status start_impedance(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    double inertia[6] = {0};
    arne_status status = check_link(c, o->link, error);
    if (!status && (all_zero(o->stiffness) || all_zero(o->damping)))
        status = arne__gains_hand_inertia(c, o->link, inertia, error);
    if (status) return status;
    /* twice critical: a link is light in the direction of its lightest joint and heavy in others */
    status = start(c, o, inertia, 4, error);
    if (!status) ((hand_control *)c->own)->options.inertia_weighted = true;
    return status;
}

static void reset(arne_controller *c)
{
    hand_control *k = c->own;
    k->set = k->given;
}

/* Accelerations wished for where the hand leaves freedom; e and ed of the hand. */
static void errors(arne_controller *c, const arne_tick *in, double e[6], double ed[6])
{
    hand_control *k = c->own;
    arne_hand_target now;
    if (!k->set) memcpy(k->posture, in->q, (size_t)c->n * sizeof *k->posture);
    k->set = true;
    for (int i = 0; i < c->n; i++) k->null_motion[i] = k->pace * (k->pace * (k->posture[i] - in->q[i]) - 2 * in->qd[i]);
    arne_hand_at(c->d, c->link, in->q, in->qd, NULL, &now);
    arne_hand_error(&now.pose, &in->hand->pose, e);
    for (int r = 0; r < 6; r++) ed[r] = in->hand->velocity[r] - now.velocity[r];
}

static unsigned flag(double ratio) { return ratio < ARNE_HAND_SINGULAR ? ARNE_TICK_SINGULAR : 0; }

static arne_status tick_acceleration(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags)
{
    const hand_control *k = c->own;
    double e[6], ed[6], a[6], ratio;
    errors(c, in, e, ed);
    for (int r = 0; r < 6; r++) a[r] = in->hand->acceleration[r] + k->damping[r] * ed[r] + k->stiffness[r] * e[r];
    arne_hand_joint_acceleration(c->d, c->link, in->q, in->qd, a, &k->options, k->qdd, &ratio);
    *flags = flag(ratio);
    return arne_id(c->d, in->q, in->qd, k->qdd, tau);
}

static arne_status tick_impedance(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags)
{
    const hand_control *k = c->own;
    const int rows = k->options.position_only ? 3 : 6;
    double e[6], ed[6], ratio, *qr = c->x;
    errors(c, in, e, ed);
    arne__hand_reference(c->d, c->link, in->q, in->qd, in->hand, &k->options, qr, k->qdd, &ratio);
    arne_star(c->d, ARNE_STAR0001, in->q, in->qd, qr, k->qdd, tau);
    arne_friction_torque(c->d, in->qd, c->y);
    for (int i = 0; i < c->n; i++) tau[i] += c->y[i];
    arne_link_jacobian(c->d, in->q, c->link, ARNE_ALIGNED, k->J);
    for (int r = 0; r < rows; r++) {
        const double force = k->stiffness[r] * e[r] + k->damping[r] * ed[r];
        for (int i = 0; i < c->n; i++) tau[i] += k->J[r * c->n + i] * force;
    }
    *flags = flag(ratio);
    return ARNE_OK;
}

const control_law arne__law_hand_acceleration = {
    .hand = true, .start = start_acceleration, .reset = reset, .tick = tick_acceleration};
const control_law arne__law_hand_impedance = {.hand = true, .start = start_impedance, .reset = reset, .tick = tick_impedance};
