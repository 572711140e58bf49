/* SPDX-License-Identifier: MIT
 *
 * disturb.h - what befalls the robot of a run. */
#ifndef SIMULATE_DISTURB_H
#define SIMULATE_DISTURB_H

#include "simulate/events.h"

typedef struct {
    arne_plant *plant;
    int count;
    arne_disturbance *list;
    arne_wrench *acting; /* count */
    double *frozen;      /* dof */
    double next;         /* when something begins or ends; INFINITY: never again */
} disturbances;

/* false: memory is short */
bool arne__disturb_begin(disturbances *d, arne_plant *p, arne_disturbance *list, int count);
void arne__disturb_end(disturbances *d);
/* At time t >= d->next: begins and ends what is due; `tau` is what the drives give until now. */
void arne__disturb_at(disturbances *d, double t, const double *tau, events *log);
/* Torques that the drives really give, in place; false: just what they report. */
bool arne__disturb_torques(const disturbances *d, double *tau);

#endif
