/* SPDX-License-Identifier: MIT
 *
 * ranks.c - processes that mpirun started, as one command. */
#include "cli/ranks.h"

#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* What a rank tells the first one when it is ready. */
typedef struct {
    int status;
    char text[1000];
} report;

void ranks_send(const ranks *r, int to, const void *bytes, size_t count) { r->mpi->send(to, bytes, (int)count); }

void ranks_take(const ranks *r, int from, void *bytes, size_t count) { r->mpi->receive(&from, bytes, (int)count, true); }

bool ranks_try(const ranks *r, int from, void *bytes, size_t count) { return r->mpi->receive(&from, bytes, (int)count, false); }

int ranks_begin(ranks *r)
{
    arne_error error = {0};
    *r = (ranks){.count = 1};
    const int status = checked(arne__ranks_begin(&r->mpi, &r->rank, &r->count, &error), &error);
    if (status || !r->rank) return status;
    ranks_hush(r);
    end_late(); /* as soon as one has ended mpirun kills those that are left: the first one has the files */
    return status;
}

void ranks_hush(ranks *r)
{
    fflush(stderr);
    if (r->count == 1 || r->said || !(r->said = tmpfile())) return;
    r->heard = dup(STDERR_FILENO);
    dup2(fileno(r->said), STDERR_FILENO);
}

void ranks_speak(ranks *r)
{
    fflush(stderr);
    if (!r->said) return;
    dup2(r->heard, STDERR_FILENO);
    close(r->heard);
    fclose(r->said);
    r->said = NULL;
}

void ranks_last_words(const ranks *r, char *to, size_t size)
{
    char line[1000];
    to[0] = '\0';
    fflush(stderr);
    if (r->said) rewind(r->said);
    while (r->said && fgets(line, sizeof line, r->said)) snprintf(to, size, "%s", strncmp(line, "arne: ", 6) ? line : line + 6);
    to[strcspn(to, "\n")] = '\0';
}

int ranks_agree(ranks *r, int status)
{
    report from = {.status = status};
    r->agreed = true;
    if (r->count == 1) return status;
    if (r->rank) {
        ranks_last_words(r, from.text, sizeof from.text);
        ranks_send(r, 0, &from, sizeof from);
        ranks_take(r, 0, &status, sizeof status);
        return status;
    }
    for (int i = 1; i < r->count; i++) {
        ranks_take(r, i, &from, sizeof from);
        if (from.status && !status) status = say_failure(from.status, NULL, 0, "rank %d: %s", i, from.text);
    }
    for (int i = 1; i < r->count; i++) ranks_send(r, i, &status, sizeof status);
    return status;
}

uint64_t ranks_common(ranks *r, ranks_make *mine, void *context, uint64_t of)
{
    uint64_t bits = of, other;
    if (r->rank) ranks_take(r, 0, &bits, sizeof bits);
    bits = mine(context, bits);
    if (r->rank) {
        ranks_send(r, 0, &bits, sizeof bits);
        ranks_take(r, 0, &bits, sizeof bits);
        return bits;
    }
    for (int i = 1; i < r->count; i++) ranks_send(r, i, &bits, sizeof bits);
    for (int i = 1; i < r->count; i++) {
        ranks_take(r, i, &other, sizeof other);
        bits &= other;
    }
    for (int i = 1; i < r->count; i++) ranks_send(r, i, &bits, sizeof bits);
    return bits;
}

int ranks_end(ranks *r, int status)
{
    if (!r->agreed) status = ranks_agree(r, status);
    if (r->mpi) r->mpi->end();
    if (r->said) fclose(r->said);
    return status;
}
