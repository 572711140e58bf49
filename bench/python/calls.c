/* SPDX-License-Identifier: MIT
 *
 * calls.c - what C pays for the calls that calls.py makes from Python: compiled and loaded by it. */
#include <time.h>

#include "arne/arne.h"
#include "arne/file.h"

static arne_data *data;

/* processor time: other programs may be running */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int calls_open(const char *path);
double calls_time(const char *what, int repeats, const double *q, const double *qd, const double *x, double *out);
double calls_batch(int count, const double *q, const double *qd, const double *qdd, double *tau);

int calls_open(const char *path)
{
    arne_model *m;
    return arne_load(path, &m, NULL) || arne_data_new(m, &data, NULL) ||
           arne_data_prepare(data, ARNE_BATCHES | ARNE_DERIVATIVES, NULL);
}

/* nanoseconds a call */
double calls_time(const char *what, int repeats, const double *q, const double *qd, const double *x, double *out)
{
    const int row = arne_quantity_find(what);
    const arne_state state = {.q = q, .qd = qd, .qdd = x, .tau = x};
    const double begin = now();
    for (int i = 0; i < repeats; i++) arne_compute(data, row, NULL, &state, out);
    return (now() - begin) / repeats;
}

double calls_batch(int count, const double *q, const double *qd, const double *qdd, double *tau)
{
    const double begin = now();
    arne_batch_id(data, (size_t)count, q, qd, qdd, tau);
    return (now() - begin) / count;
}
