/* SPDX-License-Identifier: MIT
 *
 * eval_share.c - rows that several ranks share. Each one reads the blocks that are its own and computes them. Numbers of a table
 * go to their places in the file from whoever has them; text goes to the first rank, block after block. */
#include <stdlib.h>

#include "cli/eval_block.h"

static int owner(const block *b) { return (int)(b->number % b->job->ranks->count); }
bool eval_is_mine(const block *b) { return owner(b) == b->job->ranks->rank; }
bool eval_in_order(const block *b) { return !b->npiece; }

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

/* ---- text ---- */

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
    ranks_send(r, owner(b), &go, sizeof go);
    ranks_take(r, owner(b), &p, sizeof p);
    for (size_t at = 0; at < p.length; at += PIECE) {
        char text[PIECE];
        ranks_take(r, owner(b), text, piece(p.length - at));
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
    notice own = {.status = status, .block = b->number, .far = in->far_line}, other;
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
