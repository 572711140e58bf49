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
#include "arne/regressor.h"
#include "arne/trajectory.h"

#define ARNE_VERSION "0.1.0"

#endif
