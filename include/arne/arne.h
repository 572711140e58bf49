/* SPDX-License-Identifier: MIT
 *
 * arne.h - the whole of arne's core library. Robot files are read by arne/file.h, a library of its own. */
#ifndef ARNE_H
#define ARNE_H

#include "arne/batch.h"
#include "arne/control.h"
#include "arne/coriolis.h"
#include "arne/derive.h"
#include "arne/dynamics.h"
#include "arne/elastic.h"
#include "arne/feasible.h"
#include "arne/formulations.h"
#include "arne/hand.h"
#include "arne/observe.h"
#include "arne/plan.h"
#include "arne/positions.h"
#include "arne/quantity.h"
#include "arne/regressor.h"
#include "arne/rollout.h"
#include "arne/trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Of this header, and of the library that is linked: the same where both come from one installation. */
#define ARNE_VERSION "0.2.0"
const char *arne_version(void);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
