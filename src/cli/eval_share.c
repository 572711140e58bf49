/* SPDX-License-Identifier: MIT
 *
 * eval_share.c - rows that several ranks share. Each one reads the blocks that are its own and computes them. Numbers of a table
 * go to their places in the file from whoever has them, and so does text, whose place is known when all before it is. What is no
 * file gets its text from the first rank, block after block. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/eval_block.h"

static int owner(const block *b, long number) { return (int)(number % b->job->ranks->count); }
bool eval_is_mine(const block *b) { return owner(b, b->number) == b->job->ranks->rank; }
bool eval_in_order(const block *b) { return !b->npiece && !b->placed; }

/* Rows of the blocks of a rank, each in the place after its number. */
static void own_rows(const block *b, int rank, long *rows, bool put)
{
    long *place = b->first + 1;
    for (long k = rank, n = 0; k < b->blocks; k += b->job->ranks->count, n++)
        *(put ? &place[k] : &rows[n]) = put ? rows[n] : place[k];
}

/* Each rank counts the rows of its own blocks and tells the others. */
int eval_cut(block *b)
{
    const ranks *r = b->job->ranks;
    arne_states *s = &b->job->in.states;
    arne_error error = {0};
    int status = CLI_OK;
    for (b->number = 0; b->number < b->blocks && !status; b->number++)
        if (eval_is_mine(b)) status = checked(arne_states_count(s, b->number, &b->first[b->number + 1], &error), &error);
    b->number = 0;
    if (!status) status = checked(arne_states_seek(s, -1, 0, &error), &error);
    long *rows = calloc((size_t)b->blocks + 1, sizeof *rows);
    if (!rows && !status) status = no_memory();
    status = ranks_agree(b->job->ranks, status);
    const size_t all = (size_t)b->blocks * sizeof *rows;
    if (!status && r->rank) {
        own_rows(b, r->rank, rows, false);
        ranks_send(r, 0, rows, all);
        ranks_take(r, 0, b->first, all + sizeof *rows);
    } else if (!status) {
        for (int i = 1; i < r->count; i++) {
            ranks_take(r, i, rows, all);
            own_rows(b, i, rows, true);
        }
        for (long k = 0; k < b->blocks; k++) b->first[k + 1] += b->first[k];
        for (int i = 1; i < r->count; i++) ranks_send(r, i, b->first, all + sizeof *rows);
    }
    free(rows);
    return status;
}

/* ---- text of a file ---- */

void eval_tell_name(const ranks *r, char *name, size_t size)
{
    if (r->rank) ranks_take(r, 0, name, size);
    for (int i = 1; i < r->count && !r->rank; i++) ranks_send(r, i, name, size);
}

typedef struct {
    block *block;
    const char *name;
} joining;

static uint64_t join(void *context, uint64_t of)
{
    const joining *x = context;
    whole_file *w = &x->block->file;
    return of && (w->file || !arne__whole_join(w, x->block->job->path, x->name, NULL));
}

void eval_join(block *b)
{
    ranks *r = b->job->ranks;
    char name[4096] = "";
    if (b->file.part) snprintf(name, sizeof name, "%s", b->file.part);
    eval_tell_name(r, name, sizeof name);
    b->placed = ranks_common(r, join, &(joining){b, name}, name[0] != 0);
    b->placing = r->rank;
}

/* Is the place of the next block known? That behind the text of a block comes from its rank. */
static bool hear_place(const block *b, bool wait, int64_t *place)
{
    const ranks *r = b->job->ranks;
    const int from = owner(b, b->placing - 1);
    *place = 0;
    if (!b->placing) return true;
    if (!wait) return ranks_try(r, from, place, sizeof *place);
    ranks_take(r, from, place, sizeof *place);
    return true;
}

/* The next block has its place: below 0 it has none since a block, -1 - place, has a fault. All hear of that but who has it. */
static int put_text(block *b, int64_t place, int fault)
{
    const ranks *r = b->job->ranks;
    const long next = b->placing + 1;
    out *text = &b->ahead[b->placing / r->count % MOST_AHEAD];
    const int64_t behind = place < 0 ? place : fault ? -next : place + (int64_t)text->length;
    if (next < b->blocks && (behind >= 0 || next + 1 + behind < r->count)) ranks_send(r, owner(b, next), &behind, sizeof behind);
    b->placing += r->count;
    b->over = behind < 0;
    b->sent_home = place < 0;
    if (b->over) return fault ? fault : CLI_FAILED;
    const bool fine = arne__whole_put(fileno(b->file.file), place, text->s, text->length);
    arne__text_clear(text);
    return fine ? CLI_OK : complain_at(b->job->path, 0, "cannot write: %s", strerror(errno ? errno : EIO));
}

int eval_place(block *b, int fault)
{
    const ranks *r = b->job->ranks;
    out *text = &b->ahead[b->number / r->count % MOST_AHEAD];
    const out empty = *text;
    *text = b->out;
    b->out = empty;
    int64_t place;
    int status = fault ? fault : text->failed ? no_memory() : CLI_OK;
    while (!status && b->placing <= b->number) {
        const bool full = (b->number - b->placing) / r->count == MOST_AHEAD - 1;
        if (!hear_place(b, full, &place)) break;
        status = put_text(b, place, CLI_OK);
    }
    return status;
}

int eval_place_rest(block *b, int status)
{
    int64_t place;
    arne_error error = {0};
    while (b->placing < b->blocks && !b->over) {
        hear_place(b, true, &place);
        const int now = put_text(b, place, b->placing < b->number ? CLI_OK : status);
        if (!status) status = now;
    }
    if (b->job->ranks->rank && !status) status = checked(arne__whole_close(&b->file, ARNE_OK, &error), &error);
    return status;
}

/* ---- text of a pipe ---- */

typedef struct {
    size_t length;
    long rows;
    int fault;
} parcel;

enum { PIECE = 1 << 16 };
static size_t piece(size_t left) { return left < PIECE ? left : PIECE; }

int eval_pass_on(block *b, int fault)
{
    const ranks *r = b->job->ranks;
    const parcel p = {b->out.failed ? 0 : b->out.length, b->before - b->first[b->number], b->out.failed ? no_memory() : fault};
    bool go;
    ranks_take(r, 0, &go, sizeof go);
    b->sent_home = !go;
    if (!go) return CLI_FAILED;
    ranks_send(r, 0, &p, sizeof p);
    for (size_t at = 0; at < p.length; at += PIECE) ranks_send(r, 0, b->out.s + at, piece(p.length - at));
    arne__text_clear(&b->out);
    return p.fault;
}

int eval_get(block *b)
{
    const ranks *r = b->job->ranks;
    const bool go = true;
    parcel p;
    const int from = owner(b, b->number);
    ranks_send(r, from, &go, sizeof go);
    ranks_take(r, from, &p, sizeof p);
    for (size_t at = 0; at < p.length; at += PIECE) {
        char text[PIECE];
        ranks_take(r, from, text, piece(p.length - at));
        arne__text_bytes(&b->out, text, piece(p.length - at));
    }
    b->rows = p.rows;
    eval_progress(b);
    const int status = eval_flush(b, false);
    return p.fault ? p.fault : status;
}

/* ---- the end ---- */

/* What a rank has to say. */
typedef struct {
    int status;
    long block; /* of the fault */
    int far;    /* the line of a row far outside the limits, 0: none */
    char text[600], far_text[600];
} notice;

int eval_part_ways(block *b, int status)
{
    const ranks *r = b->job->ranks;
    input *in = &b->job->in;
    const bool text = eval_in_order(b);
    bool go = false;
    notice own = {.status = status, .block = b->sent_home ? b->blocks + 1 : b->number, .far = in->far_line}, other;
    if (r->count == 1) return status;
    snprintf(own.far_text, sizeof own.far_text, "%s", in->far_text);
    if (status) ranks_last_words(r, own.text, sizeof own.text);
    if (r->rank) {
        if (text && !b->sent_home) ranks_take(r, 0, &go, sizeof go);
        ranks_send(r, 0, &own, sizeof own);
        return status;
    }
    notice first = own;
    ranks_speak(b->job->ranks);
    for (int i = 1; i < r->count && text; i++) ranks_send(r, i, &go, sizeof go);
    for (int i = 1; i < r->count; i++) {
        ranks_take(r, i, &other, sizeof other);
        if (other.far && (!own.far || other.far < own.far)) {
            own.far = other.far;
            snprintf(own.far_text, sizeof own.far_text, "%s", other.far_text);
        }
        if (other.status && (!first.status || other.block <= first.block)) first = other; /* who has the block tells why */
    }
    if (own.far) warn("%s", own.far_text);
    if (first.text[0]) say_failure(first.status, NULL, 0, "%s", first.text);
    return first.status;
}
