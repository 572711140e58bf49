/* SPDX-License-Identifier: MIT
 *
 * run.h - the parts of a sweep that runs. */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include "base/fail.h"
#include "sweep/file.h"

/* Run k; *stopped: it was told to, so *out is not to be kept. A scenario that cannot be is a run that failed. */
arne_status arne__sweep_one(const arne_variation *v, const row_shape *shape, long k, const volatile sig_atomic_t *stop,
                            bool *stopped, sweep_row *out, arne_error *error);

#endif
