/* SPDX-License-Identifier: MIT
 *
 * sweep.c - gives out the runs of a sweep one by one, to threads and to other ranks, since some take longer than others; whoever
 * has ended one gets the next. The first rank keeps the file. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/options.h"
#include "sweep/run.h"

enum { MOST_THREADS = 1024 };

/* Runs that wait, and the file; the lock is for all below it. */
typedef struct {
    const arne_variation *v;
    const arne_sweep_options *o;
    row_shape shape;
    sweep_file *file;     /* NULL: another rank has it */
    unsigned char *state; /* of the runs when it began */
    pthread_mutex_t lock;
    int64_t next, done;
    int busy; /* threads at work */
    arne_status status;
    arne_error error;
} board;

static bool told_to_stop(const board *b) { return b->o->stop && *b->o->stop; }

/* The next run, -1: there is none. Locked. */
static int64_t take(board *b)
{
    if (b->status || told_to_stop(b)) return -1;
    while (b->next < b->file->runs && b->state[b->next] != ARNE_SWEEP_WAITS) b->next++;
    return b->next < b->file->runs ? b->next++ : -1;
}

/* Locked. */
static void keep(board *b, const sweep_row *row)
{
    const arne_status status = arne__sweep_write(b->file, row, &b->error);
    if (status) {
        b->status = status;
        return;
    }
    b->done++;
    if (b->o->progress) b->o->progress(b->o->context, (long)b->done, (long)b->file->runs);
}

static void *work(void *context)
{
    board *b = context;
    sweep_row *row = malloc(row_bytes(&b->shape));
    arne_error error = {0};
    arne_status status = row ? ARNE_OK : NO_MEMORY(&error);
    for (;;) {
        bool stopped;
        pthread_mutex_lock(&b->lock);
        if (status && !b->status) b->status = status, b->error = error;
        const int64_t k = take(b);
        if (k < 0) b->busy--;
        pthread_mutex_unlock(&b->lock);
        if (k < 0) break;
        status = arne__sweep_one(b->v, &b->shape, (long)k, b->o->stop, &stopped, row, &error);
        pthread_mutex_lock(&b->lock);
        if (!status && !stopped) keep(b, row);
        pthread_mutex_unlock(&b->lock);
    }
    free(row);
    return NULL;
}

/* ---- other ranks ---- */

/* Answers a rank that has sent a row, or that has just come (run -1): the next run. Those who get -1 go home. */
static void answer(board *b, const mpi_module *mpi, int from, const sweep_row *row, int *here)
{
    pthread_mutex_lock(&b->lock);
    if (row->run >= 0 && !b->status) keep(b, row);
    const int64_t k = take(b);
    pthread_mutex_unlock(&b->lock);
    mpi->send(from, &k, (int)sizeof k);
    if (k < 0) --*here;
}

/* The first rank listens while its threads work. */
static void listen(board *b, const mpi_module *mpi, sweep_row *row, int here)
{
    for (bool busy = true; here > 0 || busy;) {
        int from = -1;
        if (here > 0 && mpi->receive(&from, row, (int)row_bytes(&b->shape), false)) {
            answer(b, mpi, from, row, &here);
            continue;
        }
        pthread_mutex_lock(&b->lock);
        busy = b->busy > 0;
        pthread_mutex_unlock(&b->lock);
        const struct timespec pause = {0, 500000}; /* MPI would burn a core */
        nanosleep(&pause, NULL);
    }
}

/* Another rank: asks for runs until there are none. */
static arne_status serve(const board *b, const mpi_module *mpi, sweep_row *row, arne_error *error)
{
    arne_status status = ARNE_OK;
    for (row->run = -1;;) {
        int64_t k = -1;
        int from = 0;
        bool stopped;
        mpi->send(0, row, (int)row_bytes(&b->shape));
        mpi->receive(&from, &k, (int)sizeof k, true);
        if (k < 0) break;
        status = arne__sweep_one(b->v, &b->shape, (long)k, b->o->stop, &stopped, row, error);
        if (status || stopped) row->run = -1;
    }
    return status;
}

/* ---- all ---- */

/* b->status: what went wrong already; then the others are only sent home. row: where what they send goes. */
static arne_status run_here(board *b, const mpi_module *mpi, sweep_row *row, int ranks)
{
    pthread_t thread[MOST_THREADS];
    int started = 0;
    const int wanted = b->status ? 0 : b->o->threads > 0 ? b->o->threads : 1;
    for (int64_t k = 0; k < b->file->runs && b->state; k++) b->done += b->state[k] != ARNE_SWEEP_WAITS;
    pthread_mutex_init(&b->lock, NULL);
    b->busy = wanted;
    while (started < wanted && !pthread_create(&thread[started], NULL, work, b)) started++;
    pthread_mutex_lock(&b->lock);
    b->busy -= wanted - started;
    pthread_mutex_unlock(&b->lock);
    if (!started && wanted) b->status = arne_fail(&b->error, ARNE_NO_MEMORY, NULL, 0, "no thread can be started");
    if (ranks > 1) listen(b, mpi, row, ranks - 1);
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&b->lock);
    return b->status;
}

arne_status arne_sweep_run(const arne_variation *v, uint64_t seed, const char *path, const arne_sweep_options *options,
                           long *done, arne_error *error)
{
    arne_sweep_options o;
    if (!v || !path || !done || options_take(&o, sizeof o, options) || o.runs < 0 || o.threads < 0 || o.threads > MOST_THREADS)
        return BAD_ARGUMENT(error, "a sweep needs what varies, a path, options that tell their size, at most %d threads",
                            MOST_THREADS);
    const long grid = arne_variation_grid(v);
    const mpi_module *mpi;
    int rank, ranks;
    *done = 0;
    if (!o.runs && grid < 2) return BAD_VALUE(error, "how many runs? There is no grid that says it");
    if (!o.runs) o.runs = grid;
    arne_status status = arne__ranks_begin(&mpi, &rank, &ranks, error);
    if (status) return status;
    arne_scenario *first = NULL;
    sweep_row *row = NULL;
    bool deaf = false; /* others cannot be sent home */
    sweep_file file = {.handle = -1};
    board b = {.v = v, .o = &o, .file = rank ? NULL : &file};
    status = arne_variation_example(v, &first, error);
    if (!status) {
        b.shape = arne__row_shape(arne_variation_count(v), arne_model_nv(first->model));
        deaf = !(row = calloc(1, row_bytes(&b.shape)));
        if (deaf) status = NO_MEMORY(error);
    }
    const sweep_name name = {v, first, arne_variation_path(v), seed};
    if (!status && !rank) b.status = arne__sweep_open(&file, path, &name, o.runs, &b.state, &b.error);
    if (!status && !rank && (status = run_here(&b, mpi, row, ranks)) && error) *error = b.error;
    if (!status && rank) status = serve(&b, mpi, row, error);
    *done = (long)b.done;
    arne__sweep_close(&file);
    free(b.state);
    free(row);
    arne_scenario_free(first);
    /* a rank that fails ends without it, and mpirun ends the others; the first one has sent them home where it could */
    if (mpi && (!status || (!rank && !deaf))) mpi->end();
    return status;
}
