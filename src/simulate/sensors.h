/* SPDX-License-Identifier: MIT
 *
 * sensors.h - what a controller is told about positions and velocities. */
#ifndef SIMULATE_SENSORS_H
#define SIMULATE_SENSORS_H

#include "arne/simulate.h"

typedef struct sensors sensors;

/* `count` axes, one measurement a period. NULL when memory is short. */
sensors *arne__sensors_new(const arne_sensors *options, int count, double period);
void arne__sensors_free(sensors *s);
/* Is anything other than the truth told? */
bool arne__sensors_ideal(const arne_sensors *options);
/* One tick: the truth (count positions, count velocities) in, what is told about it (and about some ticks ago) out. */
void arne__sensors_tick(sensors *s, const double *x, const double *v, double *told_x, double *told_v);

#endif
