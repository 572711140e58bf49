/* SPDX-License-Identifier: MIT
 *
 * loop.c - plant, sensors, observer, controller, drives and what befalls them, tick by tick.
 *
 * A tick: measure, observe what the torques of the last period did, record, decide the next torques, which act for a period. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/feasible.h"
#include "arne/quantity.h"
#include "base/options.h"
#include "simulate/loop.h"
#include "simulate/plant.h"

/* rad/s or m/s: no robot moves like that, a run that does is unstable. */
static const double FASTEST = 1e4;
/* s: saturation or contact that pauses for less is one event. */
static const double GAP = 0.05;
enum { ORDER = 4 }; /* derivatives of the reference that elastic joints ask for */

typedef struct {
    const arne_loop *l;
    arne_sensors told;
    arne_data *hand; /* of the reference of a hand; NULL: none */
    const arne_model *m;
    arne_result *out;
    int n, nq;
    bool elastic, ideal, defect;
    events log;
    sensors *joints, *motors;
    disturbances disturb;
    arne_controller *controller;
    const arne_trajectory *reference;
    arne_trajectory *braking;
    arne_detection contact;
    double *q; /* nq: measured */
    /* vectors of nv */
    double *qd, *theta, *thetad; /* measured */
    double *target;              /* (ORDER + 1) x nv; of joints of several freedoms: zero */
    double *momentum;            /* centroidal: 6, and its matrix; NULL: no base is free */
    double *tau, *real_tau;
    double *spring;         /* torque of the springs now */
    double *sum, *real_sum; /* of torques since the last row, times the time they acted */
    double since;           /* last row */
    bool *saturated;
    int *saturation, *stops, singular, held, touch; /* places in the log */
    arena *memory;
} run;

/* ---- life ---- */

/* of a freedom; 0: it has none of its own */
static double position(const run *r, const double *q, int i) { return axis_place(r->l->plant, q, i); }

static bool begin(run *r)
{
    const arne_loop *l = r->l;
    const size_t n = (size_t)r->n, joints = (size_t)arne_model_joints(r->m);
    double **const vectors[] = {&r->qd, &r->theta, &r->thetad, &r->tau, &r->sum, &r->real_tau, &r->spring, &r->real_sum};
    enum { COUNT = sizeof vectors / sizeof *vectors };
    arena *a = r->memory = arne__arena_new();
    double *v = arne__arena_take(a, n * (COUNT + ORDER + 1), sizeof *v);
    const bool floats = arne_model_floats(r->m);
    r->q = arne__arena_take(a, (size_t)r->nq, sizeof *r->q);
    r->momentum = floats ? arne__arena_take(a, 6 + 6 * n, sizeof *v) : NULL;
    r->out->max_error = l->reference ? calloc(n + 1, sizeof *r->out->max_error) : NULL;
    r->saturated = arne__arena_take(a, n, sizeof *r->saturated);
    r->saturation = arne__arena_take(a, n + joints, sizeof *r->saturation);
    r->joints = arne__sensors_new(a, &r->told, r->m, r->n, l->period);
    arne_sensors other = r->told;
    other.seed = r->told.seed + 0x5851F42D4C957F2Du;
    r->motors = arne__sensors_new(a, &other, NULL, r->n, l->period);
    if (!arne__disturb_begin(&r->disturb, a, l->plant, l->disturbances, l->ndisturbance)) return false;
    if ((arne_controller_link(l->controller) >= 0 || arne_controller_link(l->brake) >= 0) &&
        (arne_data_new(r->m, &r->hand, NULL) || arne_data_prepare(r->hand, ARNE_HANDS, NULL)))
        return false;
    if (!v || !r->q || (floats && !r->momentum) || (l->reference && !r->out->max_error) || !r->saturated || !r->saturation ||
        !r->joints || !r->motors)
        return false;
    for (int k = 0; k < COUNT; k++, v += n) *vectors[k] = v;
    r->target = v;
    r->stops = r->saturation + n;
    for (size_t i = 0; i < n + joints; i++) r->saturation[i] = -1;
    for (int i = 0; i < r->n; i++) r->target[i] = position(r, arne_plant_q(l->plant), i);
    return true;
}

static void end(run *r)
{
    arne__disturb_end(&r->disturb);
    arne_trajectory_free(r->braking);
    arne_data_free(r->hand);
    arne__arena_free(r->memory);
}

static void joint_changed(void *context, double t, int joint, arne_plant_change what)
{
    run *r = context;
    char text[128];
    if (what != ARNE_JOINT_STOPPED) return;
    snprintf(text, sizeof text, "joint %.80s hits its stop", arne_joint_name(r->m, joint));
    arne__events_go_on(&r->log, &r->stops[joint], t, true, GAP, "joint-stop", text);
}

/* ---- parts of a tick ---- */

static void measure(run *r)
{
    const arne_plant *p = r->l->plant;
    arne__sensors_tick(r->joints, arne_plant_q(p), arne_plant_qd(p), r->q, r->qd);
    if (r->elastic) arne__sensors_tick(r->motors, arne_plant_theta(p), arne_plant_thetad(p), r->theta, r->thetad);
}

/* From measured position and velocity to rest, with the third derivative continuous. */
static arne_status brake(run *r, double t, arne_error *error)
{
    const arne_loop *l = r->l;
    const int n = r->n;
    const double T = l->brake_time;
    double *rows = calloc(6 * (size_t)n, sizeof *rows);
    if (!rows) return NO_MEMORY(error);
    for (int i = 0; i < n; i++) {
        if (r->l->plant->at[i] < 0) continue;
        rows[i] = position(r, r->q, i);
        rows[n + i] = r->qd[i];
        rows[3 * n + i] = rows[i] + r->qd[i] * T / 2;
    }
    const arne_status status = arne_trajectory_polynomial(n, 5, t, t + T, rows, rows + 3 * n, &r->braking, error);
    free(rows);
    if (status) return status;
    r->reference = r->braking;
    r->controller = l->brake;
    arne__events_add(&r->log, t, t + T, "stop", "the robot brakes to rest and stays there");
    return ARNE_OK;
}

static arne_status observe(run *r, double t, arne_error *error)
{
    const arne_loop *l = r->l;
    if (!l->observer) return ARNE_OK;
    arne_observer_tick(l->observer, r->q, r->qd, arne_observer_link_side(l->observer) ? r->spring : r->tau);
    if (!l->detector) return ARNE_OK;
    arne_detector_tick(l->detector, arne_observer_residual(l->observer), &r->contact);
    if (r->contact.began) r->touch = arne__events_add(&r->log, t, NAN, "contact", "%s", "");
    if (r->contact.contact && r->touch >= 0) { /* the longer it lasts the better it is known who was hit */
        arne_event *e = &r->log.list[r->touch];
        const int last = r->contact.link_joint, joint = last >= 0 ? last : arne_velocity_joint(r->m, r->contact.joint);
        snprintf(e->text, sizeof e->text, "something pushes the link of joint %.80s", arne_joint_name(r->m, joint));
        e->end = t;
    }
    return r->contact.began && l->brake && !r->braking ? brake(r, t, error) : ARNE_OK;
}

static void follow(run *r, double t)
{
    const double *real = arne_plant_q(r->l->plant);
    if (r->reference) arne_trajectory_at(r->reference, t, ORDER, r->target);
    if (!r->l->reference || r->braking) return;
    for (int i = 0; i < r->n; i++) r->out->max_error[i] = fmax(r->out->max_error[i], fabs(r->target[i] - position(r, real, i)));
}

static void decide(run *r, double t)
{
    const arne_loop *l = r->l;
    arne_hand_target hand;
    arne_tick in = {.size = sizeof in, .q = r->q, .qd = r->qd, .reference = r->target};
    if (r->elastic) {
        in.theta = r->theta;
        in.thetad = r->thetad;
        if (l->torque_sensors) in.tau_e = r->spring;
    }
    const int link = arne_controller_link(r->controller);
    if (link >= 0) {
        arne_hand_at(r->hand, link, r->target, r->target + r->n, r->target + 2 * r->n, &hand);
        in.hand = &hand;
    }
    memset(r->tau, 0, (size_t)r->n * sizeof *r->tau);
    unsigned flags = 0;
    bool some = false;
    if (r->controller) arne_control_tick(r->controller, &in, r->tau, &flags);
    arne__events_go_on(&r->log, &r->singular, t, flags & ARNE_TICK_SINGULAR, GAP, "singular",
                       "the hand is near a singular position: its motion is damped");
    arne__events_go_on(&r->log, &r->held, t, flags & ARNE_TICK_HELD, GAP, "held", "the controller got a number that is none");
    if (l->saturate) arne_saturate(r->m, r->elastic ? r->thetad : r->qd, r->tau, r->saturated, &some);
    for (int i = 0; some && i < r->n; i++) {
        char text[128];
        if (!r->saturated[i]) continue;
        snprintf(text, sizeof text, "the drive of %.80s is at its limit", arne_velocity_name(r->m, i));
        arne__events_go_on(&r->log, &r->saturation[i], t, true, GAP, "saturation", text);
    }
}

static bool record(run *r, double t)
{
    const arne_loop *l = r->l;
    const int n = r->n;
    arne_row row = {.t = t, .q = r->q, .qd = r->qd, .tau = r->sum, .contact = r->contact.contact};
    if (r->elastic) row.theta = r->theta, row.thetad = r->thetad;
    if (r->reference) row.qr = r->target, row.qdr = r->target + n;
    if (!r->ideal) row.real_q = arne_plant_q(l->plant), row.real_qd = arne_plant_qd(l->plant);
    if (r->defect) row.real_tau = r->real_sum;
    if (l->observer) row.residual = arne_observer_residual(l->observer);
    for (int i = 0; i < n && t > r->since; i++) {
        r->sum[i] /= t - r->since;
        r->real_sum[i] /= t - r->since;
    }
    arne_plant_energy(l->plant, &row.kinetic, &row.potential);
    arne_pose pose;
    if (l->link >= 0) {
        arne_link_pose(l->plant->d, arne_plant_q(l->plant), l->link, &pose);
        row.hand = pose.p;
    }
    if (r->momentum) {
        const arne_state x = {.q = arne_plant_q(l->plant), .qd = arne_plant_qd(l->plant)};
        arne_compute(l->plant->d, arne_quantity_find("centroidal"), NULL, &x, r->momentum);
        row.momentum = r->momentum;
    }
    const bool on = !l->row || !l->row(l->context, &row);
    memset(r->sum, 0, (size_t)n * sizeof *r->sum);
    memset(r->real_sum, 0, (size_t)n * sizeof *r->real_sum);
    r->since = t;
    return on;
}

/* The torques that act from now on, with what disturbs them. */
static arne_status disturb(run *r, double now, arne_error *error)
{
    arne_status status = ARNE_OK;
    if (!time_later(r->disturb.next, now)) status = arne__disturb_at(&r->disturb, now, r->real_tau, &r->log, error);
    memcpy(r->real_tau, r->tau, (size_t)r->n * sizeof *r->tau);
    if (r->defect) arne__disturb_torques(&r->disturb, r->real_tau);
    return status;
}

/* From tick to tick, and from one beginning or end of a disturbance to the next. */
static arne_status move(run *r, double t, arne_error *error)
{
    arne_plant *p = r->l->plant;
    arne_status status = ARNE_OK;
    while (!status && time_later(t, arne_plant_time(p))) {
        const double now = arne_plant_time(p);
        if ((status = disturb(r, now, error))) return status;
        const double to = time_later(t, r->disturb.next) ? r->disturb.next : t;
        status = arne_plant_advance(p, to, r->real_tau, error);
        for (int i = 0; i < r->n; i++) {
            r->sum[i] += r->tau[i] * (to - now);
            r->real_sum[i] += r->real_tau[i] * (to - now);
        }
    }
    if (!status && r->elastic) arne_plant_spring(p, r->spring);
    return status;
}

static bool stable(run *r)
{
    const double *v = arne_plant_qd(r->l->plant);
    for (int i = 0; i < r->n; i++)
        if (!(fabs(v[i]) < FASTEST)) {
            snprintf(r->out->message, sizeof r->out->message,
                     "the run is unstable: at t = %g joint %.80s moves at %.3g; a smaller step, a shorter period or lower gains "
                     "may help",
                     arne_plant_time(r->l->plant), arne_velocity_name(r->m, i), v[i]);
            return false;
        }
    return true;
}

/* ---- the run ---- */

static arne_status tick_by_tick(run *r, arne_error *error)
{
    const arne_loop *l = r->l;
    const double periods = l->duration / l->period;
    const long ticks = lround(ceil(periods - fmax(1e-9, 8 * DBL_EPSILON * periods))), every = lround(l->interval / l->period);
    for (long k = 0;; k++) {
        const double t = k < ticks ? (double)k * l->period : l->duration;
        const double next = k + 1 < ticks ? (double)(k + 1) * l->period : l->duration;
        r->out->t = t;
        r->out->ticks = k;
        measure(r);
        arne_status status = observe(r, t, error);
        if (status) return status;
        follow(r, t);
        arne_error why = {0};
        if (k < ticks) decide(r, t);
        if (k == 0 && !disturb(r, t, &why)) { /* no row before it: the first row has the torques that begin with it */
            memcpy(r->sum, r->tau, (size_t)r->n * sizeof *r->sum);
            memcpy(r->real_sum, r->real_tau, (size_t)r->n * sizeof *r->sum);
        }
        if ((k % every == 0 || k == ticks) && !record(r, t)) {
            r->out->end = ARNE_RUN_STOPPED;
            return ARNE_OK;
        }
        if (k == ticks) return ARNE_OK;
        if (l->stop && *l->stop) {
            r->out->end = ARNE_RUN_STOPPED;
            return ARNE_OK;
        }
        if (why.status || move(r, next, &why)) snprintf(r->out->message, sizeof r->out->message, "%.240s", why.message);
        if (why.status == ARNE_NO_MEMORY) return NO_MEMORY(error);
        if (why.status || !stable(r)) {
            r->out->end = ARNE_RUN_FAILED;
            return ARNE_OK;
        }
    }
}

static bool fits(const arne_disturbance *x, const arne_model *m)
{
    const int link = x->kind == ARNE_PUSH ? x->wrench.link : x->kind == ARNE_LOAD ? x->link : 0;
    const int joint = x->kind == ARNE_DEFECT || x->kind == ARNE_RUB ? x->joint : 0;
    return link >= 0 && link < arne_model_links(m) && joint >= -1 && joint < arne_model_joints(m);
}

/* Is it about the drive or the friction of a joint that has none? */
static bool of_several(const arne_disturbance *x, const arne_model *m)
{
    return (x->kind == ARNE_DEFECT || x->kind == ARNE_RUB) && x->joint >= 0 && arne_joint_turn(m, x->joint) >= 0;
}

/* Are all parts there, and of one robot? */
static arne_status check_parts(const arne_loop *l, arne_error *error)
{
    const arne_model *m = arne_plant_model(l->plant);
    const char *what =
        !m ? "a run needs a plant"
        : l->controller && arne_settings_model(arne_controller_settings(l->controller)) != m
            ? "the controller is of another robot"
        : l->brake && arne_settings_model(arne_controller_settings(l->brake)) != m     ? "the brake is of another robot"
        : l->observer && arne_settings_model(arne_observer_settings(l->observer)) != m ? "the observer is of another robot"
        : l->detector && arne_detector_model(l->detector) != m                         ? "the detector is of another robot"
        : l->reference && arne_trajectory_dof(l->reference) != arne_model_dof(m)       ? "the reference is of another robot"
        : l->link >= arne_model_links(m)                                               ? "there is no such link to record"
        : l->ndisturbance < 0 || (l->ndisturbance && !l->disturbances)                 ? "the disturbances are missing"
                                                                                       : NULL;
    for (int k = 0; !what && k < l->ndisturbance; k++)
        what = !fits(&l->disturbances[k], m)        ? "a disturbance of no such link or joint"
               : of_several(&l->disturbances[k], m) ? "a joint of several freedoms has no drive and no friction: push its link"
                                                    : NULL;
    return what ? BAD_ARGUMENT(error, "%s", what) : ARNE_OK;
}

static arne_status check(const arne_loop *l, const arne_sensors *told, arne_error *error)
{
    const char *what = !(l->period > 0) || !isfinite(l->period)       ? "the period must be above 0"
                       : !(l->duration > 0) || !isfinite(l->duration) ? "the duration must be above 0"
                       : !(l->interval >= 0.999 * l->period) || !(l->interval <= 1e9 * l->period)
                           ? "rows cannot come more often than ticks"
                       : l->duration / l->period > 1e9           ? "a run of more than 1e9 ticks"
                       : told->delay < 0 || told->delay > 100000 ? "the delay must lie between 0 and 100000 ticks"
                       : l->brake && !(l->brake_time > 0)        ? "the time to brake must be above 0"
                                                                 : NULL;
    return what ? BAD_VALUE(error, "%s", what) : ARNE_OK;
}

arne_status arne_loop_run(const arne_loop *given, arne_result *out, arne_error *error)
{
    arne_loop l;
    run r = {.l = &l, .out = out, .singular = -1, .held = -1, .touch = -1};
    if (out) *out = (arne_result){.end = ARNE_RUN_FINISHED};
    if (!given || !out || options_take(&l, sizeof l, given) || options_take(&r.told, sizeof r.told, l.sensors))
        return BAD_ARGUMENT(error, "a run needs parts that tell their size, and a place");
    arne_status status = check_parts(&l, error);
    if (!status) status = check(&l, &r.told, error);
    if (status) return status;
    const arne_loop *loop = &l;
    r.m = arne_plant_model(l.plant);
    r.elastic = arne_plant_theta(l.plant) != NULL;
    r.ideal = arne__sensors_ideal(&r.told);
    r.controller = l.controller;
    r.reference = l.reference;
    r.n = arne_model_nv(r.m);
    r.nq = arne_model_nq(r.m);
    for (int k = 0; k < loop->ndisturbance; k++) r.defect = r.defect || loop->disturbances[k].kind == ARNE_DEFECT;
    const long steps = arne_plant_steps(loop->plant);
    status = begin(&r) ? ARNE_OK : NO_MEMORY(error);
    if (!status) {
        if (loop->controller) arne_controller_reset(loop->controller);
        if (loop->observer) arne_observer_reset(loop->observer);
        if (r.elastic) arne_plant_spring(loop->plant, r.spring);
        arne_plant_listen(loop->plant, joint_changed, &r);
        status = tick_by_tick(&r, error);
        arne_plant_listen(loop->plant, NULL, NULL);
    }
    end(&r);
    out->events = r.log.list;
    out->nevent = r.log.count;
    out->steps = arne_plant_steps(loop->plant) - steps;
    if (!status && r.log.failed) status = NO_MEMORY(error);
    if (status) arne_result_free(out);
    return status;
}

void arne_result_free(arne_result *r)
{
    if (!r) return;
    free(r->events);
    free(r->max_error);
    *r = (arne_result){0};
}
