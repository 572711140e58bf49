/* SPDX-License-Identifier: MIT
 *
 * ranks.h - a command that several processes do together, started by mpirun. The first one speaks; what another one says goes to
 * the first, which says it where it has nothing to say itself. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include <stdint.h>
#include <stdio.h>

#include "module/module.h"

typedef struct {
    const mpi_module *mpi; /* NULL: one alone */
    int rank, count;
    bool agreed;
    FILE *said; /* messages of this one, which are not printed */
    int heard;  /* of the first one: where they are printed */
} ranks;

int ranks_begin(ranks *r); /* returns an exit status */
/* When all is ready or has failed: every rank gets a status that is not 0 where one of them failed. */
int ranks_agree(ranks *r, int status);
/* Bits that all have; the first one is done with its own before the others begin with theirs: `mine` makes them. */
typedef uint64_t ranks_make(void *context, uint64_t of);
uint64_t ranks_common(ranks *r, ranks_make *mine, void *context, uint64_t of);
int ranks_end(ranks *r, int status); /* agrees first where that was not done; waits for all */

/* Others never print; the first one is quiet for a while, so that it may know what the others have to say. */
void ranks_hush(ranks *r);
void ranks_speak(ranks *r);
/* The last line that this rank would have printed, without who says it; empty: none. */
void ranks_last_words(const ranks *r, char *to, size_t size);

void ranks_send(const ranks *r, int to, const void *bytes, size_t count);
void ranks_take(const ranks *r, int from, void *bytes, size_t count);
bool ranks_try(const ranks *r, int from, void *bytes, size_t count); /* false: nothing has come yet */

#endif
