/* SPDX-License-Identifier: MIT
 *
 * loop.h - the parts of a run beside plant, controller and observer. */
#ifndef SIMULATE_LOOP_H
#define SIMULATE_LOOP_H

#include "arne/simulate.h"
#include "base/arena.h"
#include "base/fail.h"

/* ---- events.c: the list of what happened ---- */

typedef struct {
    arne_event *list;
    int count, room;
    bool failed; /* memory was short */
} events;

/* Its place in the list, or -1 where the list is full (1000 are enough for anyone to read). end NAN: no end yet. */
int arne__events_add(events *e, double t, double end, const char *kind, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;
/* Something that goes on from tick to tick. *place: -1 at first, then kept by the caller. A break shorter than `gap` is none. */
void arne__events_go_on(events *e, int *place, double t, bool on, double gap, const char *kind, const char *text);

/* ---- disturb.c: what befalls the robot ---- */

typedef struct {
    arne_plant *plant;
    int count;
    const arne_disturbance *list;
    bool *on;            /* count: acting */
    arne_wrench *acting; /* count */
    double *frozen;      /* dof */
    double next;         /* when something begins or ends; INFINITY: never again */
} disturbances;

/* false: memory is short */
bool arne__disturb_begin(disturbances *d, arena *a, arne_plant *p, const arne_disturbance *list, int count);
void arne__disturb_end(disturbances *d);
/* At time t >= d->next: begins and ends what is due; `tau` is what the drives give until now. */
arne_status arne__disturb_at(disturbances *d, double t, const double *tau, events *log, arne_error *error);
/* Torques that the drives really give, in place; false: just what they report. */
bool arne__disturb_torques(const disturbances *d, double *tau);

/* ---- sensors.c: what a controller is told about positions and velocities ---- */

typedef struct sensors sensors;

/* `count` axes, one measurement a period; their positions are those of the robot m, or (NULL) plain numbers. NULL when memory is
 * short. */
sensors *arne__sensors_new(arena *a, const arne_sensors *options, const arne_model *m, int count, double period);
/* Is anything other than the truth told? */
bool arne__sensors_ideal(const arne_sensors *options);
/* One tick: the truth (positions, count velocities) in, what is told about it (and about some ticks ago) out. */
void arne__sensors_tick(sensors *s, const double *x, const double *v, double *told_x, double *told_v);

#endif
