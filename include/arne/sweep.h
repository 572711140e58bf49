/* SPDX-License-Identifier: MIT
 *
 * sweep.h - many runs of one scenario, over threads and over machines, into one HDF5 file (doc/sweep.md). Library arne_sweep.
 *
 * Run k is the same run whoever computes it, so the file is the same for any number of threads and ranks. A row of the file is
 * written when its run has ended; a sweep that was killed goes on where it was. */
#ifndef ARNE_SWEEP_H
#define ARNE_SWEEP_H

#include "arne/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* What is known of a run afterwards. X(name, numbers a run: 1, n of joints, or d of what is drawn; what it is) */
#define ARNE_SWEEP_TABLES(X)                                                                                                     \
    X(draw, d, "what was drawn")                                                                                                 \
    X(t, 1, "s, where it ended")                                                                                                 \
    X(error, n, "largest distance from the reference, rad or m")                                                                 \
    X(torque, n, "largest torque, Nm or N")                                                                                      \
    X(speed, n, "largest speed, rad/s or m/s")                                                                                   \
    X(delay, 1, "s from the first disturbance that was noticed to its detection")                                                \
    X(contacts, 1, "contacts that were detected")                                                                                \
    X(false_alarms, 1, "those of them that nothing had caused")                                                                  \
    X(verdict, 1, "2: good, 1: fair, 0: bad")

typedef enum { ARNE_SWEEP_WAITS, ARNE_SWEEP_FINISHED, ARNE_SWEEP_FAILED } arne_sweep_state;

typedef struct {
    size_t size;                       /* sizeof of this struct */
    long runs;                         /* 0: as many as the grid has points */
    int threads;                       /* 0: one; of the first rank, others have one */
    const volatile sig_atomic_t *stop; /* not 0: end soon; NULL */
    void (*progress)(void *context, long done, long all);
    void *context;
} arne_sweep_options;

/* Runs what is not in the file yet; makes the file where it is not there. Started by mpirun, ranks share the runs, and the first
 * of them writes. *done: runs in the file at the end, on the first rank; 0 on the others. ARNE_UNSUPPORTED: HDF5 or MPI is not
 * here; ARNE_BAD_VALUE: the file is of another sweep. */
arne_status arne_sweep_run(const arne_variation *v, uint64_t seed, const char *path, const arne_sweep_options *options,
                           long *done, arne_error *error);

/* A file of runs. Names of what is drawn and of the joints; a table holds its numbers run after run. Those of runs that wait are
 * NAN. */
typedef struct {
    long runs;
    uint64_t seed;
    char *scenario, *title, *robot; /* the text of its file, what it calls itself and its robot */
    char *path;                     /* of the scenario, as it was called */
    int ndrawn, njoint;
    char **drawn, **joints;
    unsigned char *state; /* arne_sweep_state of each run */
    char (*message)[120]; /* why it failed */
#define ARNE_SWEEP_FIELD(name, width, what) double *name;
    ARNE_SWEEP_TABLES(ARNE_SWEEP_FIELD)
#undef ARNE_SWEEP_FIELD
} arne_sweep;

arne_status arne_sweep_read(const char *path, arne_sweep **out, arne_error *error);
void arne_sweep_free(arne_sweep *s);

/* ---- what came of it: library arne_report ---- */

/* Of `count` values, one every `stride`, those that are numbers: how many there are, and so many quantiles at `share` (0 ... 1,
 * NULL: none). The run whose value is largest, -1: none. */
arne_status arne_sweep_quantiles(const double *values, long count, int stride, int n, const double *share, double *quantile,
                                 long *numbers, long *largest);

/* One HTML page: distributions, what matters most, the worst runs; *page from malloc. title NULL: that of the scenario. */
arne_status arne_sweep_page(const arne_sweep *s, const char *path, const char *title, char **page, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
