/* SPDX-License-Identifier: MIT
 *
 * plant.c - equations of motion of a robot whose axes may be held. */
#include "simulate/plant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/options.h"

#define NAME(id, name) name,
static const char *const integrators[] = {ARNE_INTEGRATORS(NAME)};
#undef NAME

const char *arne_integrator_name(arne_integrator i) { return (int)i >= 0 && i < ARNE_INTEGRATOR_COUNT ? integrators[i] : NULL; }

int arne_integrator_find(const char *name) { return NAME_FIND(integrators, ARNE_INTEGRATOR_COUNT, name); }

/* A quaternion further off than this from unit length is a fault of who gave it. */
static const double FAR_OFF = 1e-3;
/* The length of the integrator's own means nothing, but off by more than this its tolerances mean something else. */
static const double WORN = 1e-2;

/* ---- equations ---- */

/* torques of drives, springs and friction on every axis */
static void forces(arne_plant *p, const double *x, double *force)
{
    const int n = p->n;
    const double *v = x + p->places;
    if (p->flex) {
        /* tau_e on the links, tau - tau_e on the motors  [002 eq. 4a, 4b]; what has no motor takes its torque itself */
        arne_flex_spring(p->flex, x, v, x + p->nq, v + n, force);
        for (int i = 0; i < n; i++) {
            if (p->at[i] < 0) force[i] = p->tau[i];
            force[n + i] = p->tau[i] - force[i];
        }
    } else {
        memcpy(force, p->tau, (size_t)n * sizeof *force);
    }
    for (int i = 0; i < p->axes; i++)
        if (!p->held[i]) force[i] -= law_torque(&p->laws[i], v[i], p->sign[i]);
    for (int i = 0; i < n; i++)
        if (p->laws[i].joint) force[i] -= p->laws[i].joint->offset; /* whatever friction does */
    if (p->drive) arne__coupled_friction(p, v, force);
}

/* M a = force - bias with a = 0 at what is held; what is left of the rows then says what holds it */
static int held_accelerations(arne_plant *p, const double *q, const double *qd)
{
    const int n = p->n;
    arne_bias(p->d, q, qd, p->bias);
    arne_mass(p->d, q, p->mass);
    for (int i = 0; i < n; i++) p->a[i] = p->held[i] ? 0 : p->force[i] - p->bias[i];
    for (int i = 0; i < n; i++)
        if (p->held[i])
            for (int j = 0; j < n; j++) p->mass[i * n + j] = p->mass[j * n + i] = i == j;
    const int singular = arne_factor(p->d, p->mass) ? arne_data_joint(p->d) : -1;
    if (singular >= 0) return singular;
    arne_solve(p->d, p->mass, p->a);
    if (p->drive) {
        if (!arne__coupled_hold(p)) return 0;
        for (int i = 0; i < n; i++) p->force[i] -= p->row[i];
    }
    /* what is left of the torque at a held joint: force - (M a + bias) */
    arne_id(p->d, q, qd, p->a, p->row);
    for (int i = 0; i < n; i++) p->react[i] = p->held[i] ? p->force[i] - p->row[i] : 0;
    return -1;
}

/* Rates of the positions. That of a quaternion is as long as it is: the lengths of quaternions then mean nothing, and steps of
 * any method scale with them (doc/simulate.md, eq. 5). */
static void position_rates(const arne_plant *p, const double *x, double *dx)
{
    const double *v = x + p->places;
    if (p->q) {
        arne_position_rate(p->m, p->q, v, dx);
        for (int j = 0; j < arne_model_joints(p->m); j++) {
            const int at = arne_joint_turn(p->m, j);
            if (at < 0) continue;
            const double length = sqrt(dense_dot(4, x + at, x + at));
            for (int k = at; k < at + 4; k++) dx[k] *= length;
        }
    }
    for (int i = 0; i < p->axes; i++)
        if (p->at[i] >= 0) dx[p->at[i]] = p->still[i] ? 0 : v[i];
}

/* positions with quaternions of unit length */
static const double *positions(const arne_plant *p, const double *x)
{
    if (!p->q) return x;
    memcpy(p->q, x, (size_t)p->nq * sizeof *x);
    plant_unit(p, p->q);
    return p->q;
}

int arne__plant_derivative(arne_plant *p, const double *x, double *dx)
{
    const int n = p->n;
    const double *v = x + p->places, *q = positions(p, x);
    forces(p, x, p->force);
    p->singular = -1;
    if (p->any_held) {
        p->singular = held_accelerations(p, q, v);
    } else {
        const arne_status status = arne_fd(p->d, q, v, p->force, p->a);
        if (status == ARNE_NOT_FINITE) return 2;
        if (status) p->singular = arne_data_joint(p->d);
    }
    if (p->singular >= 0) return 1;
    if (p->flex) {
        const double *rotor = arne_flex_rotors(p->flex);
        for (int i = n; i < p->axes; i++) {
            p->react[i] = p->force[i];
            p->a[i] = p->held[i] || p->at[i - n] < 0 ? 0 : p->force[i] / rotor[i - n];
        }
    }
    double sum = 0;
    position_rates(p, x, dx);
    for (int i = 0; i < p->axes; i++) {
        dx[p->places + i] = p->a[i];
        sum += fabs(p->a[i]);
    }
    return isfinite(sum) ? 0 : 2;
}

void arne__plant_take(arne_plant *p, const double *y)
{
    for (int j = 0; p->q && j < arne_model_joints(p->m); j++) {
        const int turn = arne_joint_turn(p->m, j), at = arne_joint_q(p->m, j);
        if (turn < 0) continue;
        memcpy(p->x + at, y + at, (size_t)(turn + 4 - at) * sizeof *y);
        if (fabs(sqrt(dense_dot(4, y + turn, y + turn)) - 1) > WORN) p->fresh = true;
    }
    for (int i = 0; i < p->axes; i++) {
        if (p->still[i]) continue;
        if (p->at[i] >= 0) p->x[p->at[i]] = y[p->at[i]];
        p->x[p->places + i] = y[p->places + i];
    }
    plant_unit(p, p->x);
}

int arne__plant_guards(arne_plant *p, const double *x, double *g)
{
    const double *v = x + p->places;
    bool ask = false;
    for (int k = 0; k < p->rubs; k++) ask = ask || p->held[k];
    if (ask) {
        const int status = arne__plant_derivative(p, x, p->trial);
        if (status) return status;
    }
    for (int k = 0; k < p->rubs; k++) {
        g[2 * k] = g[2 * k + 1] = 1;
        if (p->held[k]) {
            /* a stop takes any torque towards it */
            if (p->stop[k] <= 0) g[2 * k] = law_breakaway(&p->laws[k], 1) - p->react[k];
            if (p->stop[k] >= 0) g[2 * k + 1] = law_breakaway(&p->laws[k], -1) + p->react[k];
        } else if (!p->still[k]) {
            if (p->sign[k]) g[2 * k] = p->sign[k] * rub_along(p, k, v) + fmax(p->slack, rub_rounding(p, k, v));
            if (k >= p->axes) continue;
            const double at = axis_place(p, x, k), above = p->upper[k] - at, below = at - p->lower[k];
            const double room = above < below ? above : below;
            if (room < INFINITY) g[2 * k + 1] = room;
        }
    }
    return 0;
}

/* ---- life ---- */

/* which position and which joint belongs to an axis */
static bool number_axes(arne_plant *p)
{
    p->at = arne__arena_take(p->memory, (size_t)(p->axes + p->n), sizeof *p->at);
    if (p->nq != p->n) p->q = arne__arena_take(p->memory, (size_t)p->nq, sizeof *p->q);
    if (!p->at || (p->nq != p->n && !p->q)) return false;
    p->joint = p->at + p->axes;
    for (int i = 0; i < p->n; i++) {
        p->joint[i] = arne_velocity_joint(p->m, i);
        p->at[i] = arne_velocity_position(p->m, i);
        if (p->flex) p->at[p->n + i] = p->nq + i;
    }
    return true;
}

static bool make_room(arne_plant *p)
{
    arena *a = p->memory = arne__arena_new();
    if (!number_axes(p) || !arne__coupled_new(p)) return false;
    p->rubs = p->drive ? 2 * p->n : p->axes;
    const size_t n = (size_t)p->n, axes = (size_t)p->axes, rubs = (size_t)p->rubs, state = plant_size(p);
    double **const vectors[] = {&p->x, &p->saved, &p->trial, &p->guard, &p->scratch, &p->lower, &p->upper, &p->force,
                                &p->a, &p->react, &p->load,  &p->tau,   &p->bias,    &p->row,   &p->mass};
    const size_t sizes[] = {state, state, state, 2 * rubs, 4 * state, axes, axes, axes, axes, rubs, rubs, n, n, n, n * n};
    size_t sum = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) sum += sizes[k];
    double *v = arne__arena_take(a, sum, sizeof *v);
    p->sign = arne__arena_take(a, 5 * rubs, sizeof *p->sign);
    p->held = arne__arena_take(a, 3 * rubs, sizeof *p->held);
    p->laws = arne__arena_take(a, rubs, sizeof *p->laws);
    if (!v || !p->sign || !p->held || !p->laws) return false;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; v += sizes[k++]) *vectors[k] = v;
    p->fired = p->held + rubs;
    p->still = p->drive ? p->fired + rubs : p->held;
    p->stop = p->sign + rubs;
    p->way = p->stop + rubs;
    p->roots = p->way + rubs;
    return true;
}

static arne_status check_options(const arne_plant_options *o, arne_error *error)
{
    if (!arne_integrator_name(o->method)) return BAD_ARGUMENT(error, "there is no such integrator");
    if (!(o->step >= 0) || !isfinite(o->step)) return BAD_VALUE(error, "the step must not be negative");
    if (o->method == ARNE_RK4 && o->step == 0) return BAD_VALUE(error, "rk4 needs a step above 0");
    if (!(o->rtol >= 0 && o->rtol < 1) || !(o->atol >= 0 && o->atol < 1))
        return BAD_VALUE(error, "tolerances must lie between 0 and 1");
    if (!(o->restitution >= 0 && o->restitution <= 1)) return BAD_VALUE(error, "restitution must lie between 0 and 1");
    return ARNE_OK;
}

/* the robot as it is: a copy of the settings, and data on it */
static arne_status copy_robot(arne_plant *p, const arne_settings *s, arne_error *error)
{
    arne_status status = p->o.elastic ? arne_flex_new(s, &p->flex, error) : arne_settings_new(p->m, &p->settings, error);
    if (status) return status;
    if (p->flex)
        p->settings = arne_flex_settings(p->flex);
    else
        arne_settings_copy(p->settings, s);
    arne_set_friction(p->settings, false);
    return arne_data_share(p->settings, &p->d, error);
}

arne_status arne_plant_new(const arne_settings *s, const arne_plant_options *options, arne_plant **out, arne_error *error)
{
    arne_plant_options o;
    if (out) *out = NULL;
    if (!s || !options || !out || options_take(&o, sizeof o, options))
        return BAD_ARGUMENT(error, "a plant needs settings, options that tell their size, and a place");
    arne_status status = check_options(&o, error);
    if (status) return status;
    arne_plant *p = calloc(1, sizeof *p);
    if (!p) return NO_MEMORY(error);
    p->m = arne_settings_model(s);
    p->n = arne_model_nv(p->m);
    p->nq = arne_model_nq(p->m);
    p->axes = o.elastic ? 2 * p->n : p->n;
    p->places = p->nq + p->axes - p->n;
    p->o = o;
    status = copy_robot(p, s, error);
    if (!status && !make_room(p)) status = NO_MEMORY(error);
    if (status) {
        arne_plant_free(p);
        return status;
    }
    if (!(p->o.rtol > 0)) p->o.rtol = 1e-6;
    if (!(p->o.atol > 0)) p->o.atol = 1e-9;
    if (!(p->o.rub > 0)) p->o.rub = 1;
    p->slack = p->o.method == ARNE_RK4 ? 0 : p->o.atol;
    for (int k = 0; k < p->rubs; k++) {
        const int j = rub_joint(p, k);
        const bool link = k < p->n, apart = p->flex || p->drive; /* motors rub by themselves */
        p->laws[k] = (law){.scale = p->o.rub};
        if (p->o.friction && link) p->laws[k].joint = arne_joint_friction(p->m, j);
        if (p->o.friction && link != apart) p->laws[k].motor = arne_joint_motor(p->m, j);
        if (k >= p->axes) continue;
        p->lower[k] = link && p->o.stops ? arne_joint_limits(p->m, j)->lower : -INFINITY;
        p->upper[k] = link && p->o.stops ? arne_joint_limits(p->m, j)->upper : INFINITY;
    }
    arne_neutral(p->m, p->trial);
    arne_plant_place(p, 0, p->trial, p->row, NULL, NULL);
    p->singular = arne_fd(p->d, p->x, p->x + p->places, p->force, p->a) ? arne_data_joint(p->d) : -1;
    if (p->singular >= 0)
        status = BAD_VALUE(error, "the inertia matrix is singular at joint %s: %s", arne_joint_name(p->m, p->singular),
                           arne_joint_turn(p->m, p->singular) < 0 ? "it moves no mass and no inertia"
                                                                  : "its link has no mass of its own; a payload can give it one");
    else if (p->o.method != ARNE_RK4 && !(p->solver = arne__solver_new(p)))
        status = NO_MEMORY(error);
    if (status)
        arne_plant_free(p);
    else
        *out = p;
    return status;
}

void arne_plant_free(arne_plant *p)
{
    if (!p) return;
    arne__solver_free(p->solver);
    arne_data_free(p->d);
    if (!p->flex) arne_settings_free(p->settings);
    arne_flex_free(p->flex);
    arne__arena_free(p->memory);
    free(p);
}

void arne_plant_listen(arne_plant *p, arne_plant_listener *listener, void *context)
{
    if (!p) return;
    p->listener = listener;
    p->context = context;
}

arne_status arne_plant_place(arne_plant *p, double t, const double *q, const double *qd, const double *theta,
                             const double *thetad)
{
    if (!p || !q || !qd) return ARNE_BAD_ARGUMENT;
    const size_t n = (size_t)p->n, size = n * sizeof *p->x;
    double *x = p->x, *v = p->x + p->places, *motors = p->x + p->nq;
    if (p->q) { /* the state stays as it was where this will not do */
        memcpy(p->q, q, (size_t)p->nq * sizeof *q);
        if (arne_normalize(p->m, FAR_OFF, p->q, NULL)) return ARNE_BAD_VALUE;
        q = p->q;
    }
    memmove(x, q, (size_t)p->nq * sizeof *q);
    memmove(v, qd, size);
    if (p->flex) {
        if (theta)
            memmove(motors, theta, size);
        else if (arne_flex_rest(p->flex, x, motors, p->force))
            return ARNE_SINGULAR;
        memmove(v + n, thetad ? thetad : v, size);
        for (size_t i = 0; i < n; i++) /* no motor there */
            if (p->at[i] < 0) motors[i] = v[n + i] = 0;
    }
    p->t = t;
    for (int k = 0; k < p->rubs; k++) {
        const double speed = rub_along(p, k, v);
        const bool dry = law_dry(&p->laws[k]), rests = rub_rests(p, k, v);
        const double place = k < p->axes ? axis_place(p, x, k) : 0;
        p->stop[k] = !rests || k >= p->axes ? 0 : place >= p->upper[k] ? 1 : place <= p->lower[k] ? -1 : 0;
        p->held[k] = rests && (dry || p->stop[k]);
        p->sign[k] = dry && !rests ? (speed > 0) - (speed < 0) : 0;
        p->load[k] = 0;
    }
    p->fresh = true;
    return ARNE_OK;
}

void arne_plant_touch(arne_plant *p)
{
    if (p) p->fresh = true;
}

/* Modes anew, where the laws are others now. */
static arne_status replace(arne_plant *p)
{
    const double *v = p->x + p->places;
    return arne_plant_place(p, p->t, p->x, v, p->flex ? p->x + p->nq : NULL, p->flex ? v + p->n : NULL);
}

/* one that rubs, or -1: all of these */
static bool is_joint(const arne_plant *p, int joint)
{
    return p && joint >= -1 && joint < arne_model_joints(p->m) && (joint < 0 || arne_joint_turn(p->m, joint) < 0);
}

arne_status arne_plant_scale_friction(arne_plant *p, int joint, double factor)
{
    if (!is_joint(p, joint) || !(factor >= 0) || isinf(factor)) return ARNE_BAD_ARGUMENT;
    for (int k = 0; k < p->rubs; k++)
        if (joint < 0 || rub_joint(p, k) == joint) p->laws[k].scale = p->o.rub * factor;
    return replace(p);
}

arne_status arne_plant_brake(arne_plant *p, int joint, double torque)
{
    if (!is_joint(p, joint) || !(torque >= 0) || isinf(torque)) return ARNE_BAD_ARGUMENT;
    for (int i = p->axes - p->n; i < p->axes; i++)
        if (p->at[i % p->n] >= 0 && (joint < 0 || rub_joint(p, i) == joint)) p->laws[i].brake = torque;
    return replace(p);
}

double arne_plant_time(const arne_plant *p) { return p ? p->t : 0; }
const double *arne_plant_q(const arne_plant *p) { return p ? p->x : NULL; }
const double *arne_plant_qd(const arne_plant *p) { return p ? p->x + p->places : NULL; }
const double *arne_plant_theta(const arne_plant *p) { return p && p->flex ? p->x + p->nq : NULL; }
const double *arne_plant_thetad(const arne_plant *p) { return p && p->flex ? p->x + p->places + p->n : NULL; }
bool arne_plant_held(const arne_plant *p, int joint)
{
    return is_joint(p, joint) && joint >= 0 && p->still[arne_joint_v(p->m, joint)];
}
long arne_plant_steps(const arne_plant *p) { return p ? p->steps : 0; }
const arne_model *arne_plant_model(const arne_plant *p) { return p ? p->m : NULL; }
arne_settings *arne_plant_settings(arne_plant *p) { return p ? p->settings : NULL; }
arne_flex *arne_plant_flex(arne_plant *p) { return p ? p->flex : NULL; }

arne_status arne_plant_energy(arne_plant *p, double *kinetic, double *potential)
{
    if (!p || !kinetic || !potential) return ARNE_BAD_ARGUMENT;
    const double *x = p->x, *v = p->x + p->places;
    return p->flex ? arne_flex_energy(p->flex, x, v, x + p->nq, v + p->n, kinetic, potential)
                   : arne_energy(p->d, x, v, kinetic, potential);
}

arne_status arne_plant_spring(arne_plant *p, double *tau_e)
{
    if (!p || !p->flex) return ARNE_BAD_ARGUMENT;
    const double *v = p->x + p->places;
    return arne_flex_spring(p->flex, p->x, v, p->x + p->nq, v + p->n, tau_e);
}
