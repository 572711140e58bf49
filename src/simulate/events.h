/* SPDX-License-Identifier: MIT
 *
 * events.h - the list of what happened in a run. */
#ifndef SIMULATE_EVENTS_H
#define SIMULATE_EVENTS_H

#include "arne/simulate.h"

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

#endif
