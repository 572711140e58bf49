/* SPDX-License-Identifier: MIT
 *
 * disturb.c - pushes, loads, defective drives and changed friction, from one time to another. */
#include "simulate/loop.h"
#include "simulate/plant.h"

bool arne__disturb_begin(disturbances *d, arena *a, arne_plant *p, const arne_disturbance *list, int count)
{
    *d = (disturbances){.plant = p, .count = count, .list = list, .next = -INFINITY};
    d->acting = arne__arena_take(a, (size_t)count, sizeof *d->acting);
    d->frozen = arne__arena_take(a, (size_t)arne_model_dof(arne_plant_model(p)), sizeof *d->frozen);
    d->on = arne__arena_take(a, (size_t)count, sizeof *d->on);
    return d->acting && d->frozen && d->on;
}

/* Is the torque of freedom i that of the drive of this joint (-1: of all drives)? */
static bool drives(const disturbances *d, int joint, int i)
{
    return d->plant->at[i] >= 0 && (joint < 0 || d->plant->joint[i] == joint);
}

static void switch_to(disturbances *d, int k, bool on, const double *tau)
{
    const arne_disturbance *x = &d->list[k];
    d->on[k] = on;
    if (x->kind == ARNE_LOAD) arne_set_payload(arne_plant_settings(d->plant), x->link, on ? &x->load : NULL);
    if (x->kind == ARNE_RUB) arne_plant_scale_friction(d->plant, x->joint, on ? x->value : 1);
    if (x->kind != ARNE_DEFECT) return;
    if (x->defect == ARNE_DRIVE_STUCK) arne_plant_brake(d->plant, x->joint, on ? x->value : 0);
    if (x->defect == ARNE_DRIVE_FROZEN && on)
        for (int i = 0; i < d->plant->n; i++)
            if (drives(d, x->joint, i)) d->frozen[i] = tau[i];
}

/* The robot as it was before: a run may follow. */
void arne__disturb_end(disturbances *d)
{
    if (!d->plant) return;
    arne_set_wrenches(arne_plant_settings(d->plant), NULL, 0);
    for (int k = 0; d->on && k < d->count; k++)
        if (d->on[k]) switch_to(d, k, false, NULL);
}

static double norm(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

static void tell(const arne_disturbance *x, const arne_model *m, double t, events *log)
{
    static const char *const defects[] = {[ARNE_DRIVE_LOST] = "the drive of %.80s gives no torque",
                                          [ARNE_DRIVE_FROZEN] = "the drive of %.80s keeps its torque",
                                          [ARNE_DRIVE_OFFSET] = "the drive of %.80s gives %.3g too much",
                                          [ARNE_DRIVE_SCALE] = "the drive of %.80s gives %.3g times its torque",
                                          [ARNE_DRIVE_STUCK] = "%.80s is jammed"};
    const double end = isfinite(x->to) ? x->to : NAN;
    const bool drive = x->kind == ARNE_DEFECT || x->kind == ARNE_RUB;
    const char *joint = !drive ? "" : x->joint < 0 ? "all joints" : arne_joint_name(m, x->joint);
    if (x->kind == ARNE_PUSH)
        arne__events_add(log, t, end, "wrench", "%.3g N and %.3g Nm act on link %.80s", norm(x->wrench.force),
                         norm(x->wrench.moment), arne_link_name(m, x->wrench.link));
    else if (x->kind == ARNE_LOAD)
        arne__events_add(log, t, end, "payload", "link %.80s carries %.3g kg", arne_link_name(m, x->link), x->load.mass);
    else if (x->kind == ARNE_RUB)
        arne__events_add(log, t, end, "friction", "friction of %.80s is %.3g times that of the file", joint, x->value);
    else
        arne__events_add(log, t, end, "fault", defects[x->defect], joint, x->value);
}

arne_status arne__disturb_at(disturbances *d, double t, const double *tau, events *log, arne_error *error)
{
    const arne_model *m = arne_plant_model(d->plant);
    int acting = 0;
    d->next = INFINITY;
    for (int k = 0; k < d->count; k++) {
        const arne_disturbance *x = &d->list[k];
        const bool on = !time_later(x->from, t) && time_later(x->to, t);
        if (on && !d->on[k]) tell(x, m, t, log);
        if (on != d->on[k]) switch_to(d, k, on, tau);
        if (on && x->kind == ARNE_PUSH) d->acting[acting++] = x->wrench;
        if (time_later(x->from, t)) d->next = fmin(d->next, x->from);
        if (time_later(x->to, t)) d->next = fmin(d->next, x->to);
    }
    arne_plant_touch(d->plant);
    if (!arne_set_wrenches(arne_plant_settings(d->plant), d->acting, acting)) return ARNE_OK;
    return BAD_VALUE(error, "at t = %g %d wrenches act at once; at most %d can", t, acting, arne_most_wrenches(m));
}

bool arne__disturb_torques(const disturbances *d, double *tau)
{
    bool any = false;
    for (int k = 0; k < d->count; k++) {
        const arne_disturbance *x = &d->list[k];
        if (!d->on[k] || x->kind != ARNE_DEFECT) continue;
        any = true;
        for (int i = 0; i < d->plant->n; i++) {
            if (!drives(d, x->joint, i)) continue;
            switch (x->defect) {
            case ARNE_DRIVE_LOST: tau[i] = 0; break;
            case ARNE_DRIVE_FROZEN: tau[i] = d->frozen[i]; break;
            case ARNE_DRIVE_OFFSET: tau[i] += x->value; break;
            case ARNE_DRIVE_SCALE: tau[i] *= x->value; break;
            case ARNE_DRIVE_STUCK: break;
            }
        }
    }
    return any;
}
