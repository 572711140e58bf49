/* SPDX-License-Identifier: MIT
 *
 * events.c - the list of what happened in a run. */
#include "simulate/loop.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_EVENTS = 1000 };

int arne__events_add(events *e, double t, double end, const char *kind, const char *format, ...)
{
    if (e->count >= MOST_EVENTS) return -1;
    if (e->count == e->room) {
        const int room = e->room ? 2 * e->room : 16;
        arne_event *more = realloc(e->list, (size_t)room * sizeof *more);
        if (!more) {
            e->failed = true;
            return -1;
        }
        e->list = more;
        e->room = room;
    }
    arne_event *one = &e->list[e->count];
    *one = (arne_event){.t = t, .end = end};
    snprintf(one->kind, sizeof one->kind, "%s", kind);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(one->text, sizeof one->text, format, arguments);
    va_end(arguments);
    return e->count++;
}

void arne__events_go_on(events *e, int *place, double t, bool on, double gap, const char *kind, const char *text)
{
    if (!on) return;
    if (*place < 0 || t > e->list[*place].end + gap) *place = arne__events_add(e, t, t, kind, "%s", text);
    if (*place >= 0) e->list[*place].end = t;
}
