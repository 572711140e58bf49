/* SPDX-License-Identifier: MIT
 *
 * disturb.c - pushes, loads, defective drives and changed friction, from one time to another. */
#include "simulate/disturb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool arne__disturb_begin(disturbances *d, arne_plant *p, arne_disturbance *list, int count)
{
    *d = (disturbances){.plant = p, .count = count, .list = list, .next = -INFINITY};
    d->acting = calloc((size_t)count + 1, sizeof *d->acting);
    d->frozen = calloc((size_t)arne_model_dof(arne_plant_model(p)) + 1, sizeof *d->frozen);
    for (int k = 0; k < count; k++) list[k].on = false;
    return d->acting && d->frozen;
}

/* The robot as it was before: a run may follow. */
void arne__disturb_end(disturbances *d)
{
    if (d->plant) {
        arne_set_wrenches(arne_plant_data(d->plant), NULL, 0);
        for (int k = 0; d->count > 0 && k < d->count; k++) {
            const arne_disturbance *x = &d->list[k];
            if (!x->on) continue;
            if (x->kind == ARNE_LOAD) arne_set_payload(arne_plant_data(d->plant), x->link, NULL);
            if (x->kind == ARNE_RUB) arne_plant_scale_friction(d->plant, x->joint, 1);
            if (x->kind == ARNE_DEFECT && x->defect == ARNE_DRIVE_STUCK) arne_plant_brake(d->plant, x->joint, 0);
        }
    }
    free(d->acting);
    free(d->frozen);
    *d = (disturbances){0};
}

static const char *joint_words(const arne_model *m, int joint) { return joint < 0 ? "all joints" : arne_joint_name(m, joint); }

static void tell(const arne_disturbance *x, const arne_model *m, double t, events *log)
{
    const double end = isfinite(x->to) ? x->to : NAN, *f = x->wrench.force, *w = x->wrench.moment;
    const char *joint = x->kind == ARNE_DEFECT || x->kind == ARNE_RUB ? joint_words(m, x->joint) : "";
    switch (x->kind) {
    case ARNE_PUSH:
        arne__events_add(log, t, end, "wrench", "%.3g N and %.3g Nm act on link %.80s",
                         sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]),
                         arne_link_name(m, x->wrench.link));
        break;
    case ARNE_LOAD:
        arne__events_add(log, t, end, "payload", "link %.80s carries %.3g kg", arne_link_name(m, x->link), x->load.mass);
        break;
    case ARNE_RUB:
        arne__events_add(log, t, end, "friction", "friction of %.80s is %.3g times that of the file", joint, x->value);
        break;
    case ARNE_DEFECT:
        switch (x->defect) {
        case ARNE_DRIVE_LOST: arne__events_add(log, t, end, "fault", "the drive of %.80s gives no torque", joint); break;
        case ARNE_DRIVE_FROZEN: arne__events_add(log, t, end, "fault", "the drive of %.80s keeps its torque", joint); break;
        case ARNE_DRIVE_OFFSET:
            arne__events_add(log, t, end, "fault", "the drive of %.80s gives %.3g too much", joint, x->value);
            break;
        case ARNE_DRIVE_SCALE:
            arne__events_add(log, t, end, "fault", "the drive of %.80s gives %.3g times its torque", joint, x->value);
            break;
        case ARNE_DRIVE_STUCK: arne__events_add(log, t, end, "fault", "%.80s is jammed", joint); break;
        }
        break;
    }
}

static void switch_to(disturbances *d, arne_disturbance *x, bool on, const double *tau)
{
    arne_data *robot = arne_plant_data(d->plant);
    x->on = on;
    if (x->kind == ARNE_LOAD) arne_set_payload(robot, x->link, on ? &x->load : NULL);
    if (x->kind == ARNE_RUB) arne_plant_scale_friction(d->plant, x->joint, on ? x->value : 1);
    if (x->kind != ARNE_DEFECT) return;
    if (x->defect == ARNE_DRIVE_STUCK) arne_plant_brake(d->plant, x->joint, on ? x->value : 0);
    if (x->defect == ARNE_DRIVE_FROZEN && on)
        for (int i = 0; i < arne_model_dof(arne_plant_model(d->plant)); i++)
            if (x->joint < 0 || x->joint == i) d->frozen[i] = tau[i];
}

void arne__disturb_at(disturbances *d, double t, const double *tau, events *log)
{
    int acting = 0;
    d->next = INFINITY;
    for (int k = 0; k < d->count; k++) {
        arne_disturbance *x = &d->list[k];
        const bool on = t >= x->from && t < x->to;
        if (on && !x->on) tell(x, arne_plant_model(d->plant), t, log);
        if (on != x->on) switch_to(d, x, on, tau);
        if (on && x->kind == ARNE_PUSH) d->acting[acting++] = x->wrench;
        if (x->from > t) d->next = fmin(d->next, x->from);
        if (x->to > t) d->next = fmin(d->next, x->to);
    }
    arne_set_wrenches(arne_plant_data(d->plant), d->acting, acting);
    arne_plant_touch(d->plant);
}

bool arne__disturb_torques(const disturbances *d, double *tau)
{
    bool any = false;
    const int n = arne_model_dof(arne_plant_model(d->plant));
    for (int k = 0; k < d->count; k++) {
        const arne_disturbance *x = &d->list[k];
        if (!x->on || x->kind != ARNE_DEFECT) continue;
        any = true;
        for (int i = 0; i < n; i++) {
            if (x->joint >= 0 && x->joint != i) continue;
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
