/* SPDX-License-Identifier: MIT
 *
 * mpi.c - the module arne_mpi: messages between ranks. One thread of a rank speaks. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fail.h"
#include "module/module.h"

/* Ranks of one machine need no network; that Open MPI looks for one takes longer than all else of its beginning. Whoever has told
 * it how to send keeps that. */
static void stay_here(void)
{
    const char *all = getenv("OMPI_COMM_WORLD_SIZE"), *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (all && here && !strcmp(all, here)) setenv("OMPI_MCA_pml", "ob1", 0);
}

static arne_status begin(int *rank, int *ranks, arne_error *error)
{
    int given;
    stay_here();
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) || given < MPI_THREAD_FUNNELED)
        return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0, "MPI does not start");
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
    return ARNE_OK;
}

static void end(void) { MPI_Finalize(); }

static void send_to(int to, const void *bytes, int count) { MPI_Send(bytes, count, MPI_BYTE, to, 0, MPI_COMM_WORLD); }

/* MPI would burn a core while it waits, which another rank may need. Who has waited long can wait a little longer. */
static bool receive(int *from, void *bytes, int count, bool wait)
{
    enum { AT_ONCE = 100, SHORTEST = 50000, LONGEST = 1000000 };
    MPI_Status who;
    int here = 0;
    long pause = SHORTEST;
    const int source = *from < 0 ? MPI_ANY_SOURCE : *from;
    for (int k = 0; MPI_Iprobe(source, 0, MPI_COMM_WORLD, &here, &who), wait && !here; k++) {
        if (k <= AT_ONCE) continue;
        nanosleep(&(struct timespec){0, pause}, NULL);
        if (pause < LONGEST) pause += pause / 8;
    }
    if (!here) return false;
    MPI_Recv(bytes, count, MPI_BYTE, source, 0, MPI_COMM_WORLD, &who);
    *from = who.MPI_SOURCE;
    return true;
}

__attribute__((visibility("default"))) const mpi_module *arne_mpi_module(void)
{
    static const mpi_module table = {begin, end, send_to, receive};
    return &table;
}
