/* SPDX-License-Identifier: MIT
 *
 * eval_block.h - `eval` on many rows: computed block by block on lanes and threads, printed or written in their order. Processes
 * that mpirun started share the blocks. */
#ifndef CLI_EVAL_BLOCK_H
#define CLI_EVAL_BLOCK_H

#include "arne/codegen.h"
#include "arne/table.h"
#include "base/whole.h"
#include "cli/quantity.h"
#include "cli/ranks.h"

enum { MOST_WANTED = 40, MOST_PIECES = MOST_WANTED * MOST_PARTS, STATE_GROUPS = 5, MOST_AHEAD = 4 };
typedef enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV } format;

/* What is computed, and where it goes. */
typedef struct {
    evaluation e;
    input in;
    quantity wanted[MOST_WANTED];
    int count;
    format format;
    const char *path; /* --out, NULL: standard output */
    int threads;
    bool fast;
    ranks *ranks;
} eval_job;

/* Rows at once, and all that belongs to them. */
typedef struct {
    eval_job *job;
    long room, rows; /* of the block; rows: so far */
    long before;     /* rows of the file before it */
    double *t, *x[STATE_GROUPS];
    const double *from[STATE_GROUPS]; /* where the input has them, NULL: nobody needs them in the block */
    int width[STATE_GROUPS];
    int *line;
    double *result[MOST_WANTED]; /* row after row */
    int size[MOST_WANTED];
    bool at_once[MOST_WANTED]; /* by arne_batch, or by code of the robot's own */
    arne_loaded *code[MOST_WANTED];
    arne_data **others; /* of the threads but the first */

    /* blocks that several processes share: block k is of rank k modulo their number, its rows are first[k] ... first[k + 1] */
    long number, blocks; /* -1: rows come from a pipe, or one process takes them as they come */
    long *first;
    bool sent_home;        /* nobody needs more of its text */
    bool placed;           /* text of a file that all ranks write, each its own blocks */
    bool over;             /* no more places are told */
    long placing;          /* own block that gets its place next */
    out ahead[MOST_AHEAD]; /* text of own blocks from that one on */

    /* output */
    out out;
    whole_file file;           /* --out of CSV and JSON */
    arne_table_writer *writer; /* --out of .npy, .h5 */
    bool sized;                /* the rows of the writer are known: each has its place */
    int npiece;
    arne_table_part piece[MOST_PIECES];
    char names[MOST_PIECES][64];
    double *apart; /* the numbers of the pieces, piece after piece: those of a quantity lie side by side in a row */
    long done;
    double begin, told;
} block;

/* All rows of the input; returns an exit status. */
int eval_rows(const arguments *a, eval_job *j);

/* eval_fast.c: the robot's own code of those that have it, NULL: they are computed as ever, which is said once. */
void eval_fast(const arguments *a, const eval_job *j, const bool *at_once, arne_loaded **code);

/* eval_out.c. All return an exit status. */
int eval_open_out(block *b);
int eval_print(block *b, bool keep); /* the rows of the block as text; keep: in b->out */
int eval_flush(block *b, bool now);  /* b->out to where it goes */
int eval_put(block *b);              /* the rows of the block into the table */
void eval_progress(block *b);
int eval_close_out(block *b, int status);

/* eval_share.c */
bool eval_is_mine(const block *b);
bool eval_in_order(const block *b); /* text that the first rank puts together */
int eval_cut(block *b);             /* the rows of all blocks; returns an exit status, on all ranks the same */
/* The file of text that the first rank has open: all write into it if all can, else the first one does it for all. */
void eval_join(block *b);
/* Own text of the block, and of those before it that have none yet, to its place where that is known; the rest at the end. */
int eval_place(block *b, int fault);
int eval_place_rest(block *b, int status);
void eval_tell_name(const ranks *r, char *name, size_t size); /* from the first rank to all */
/* The text of the block from its rank to the first one, which writes it. fault: why there are no more rows after it. */
int eval_pass_on(block *b, int fault);
int eval_get(block *b);
/* The end, on all ranks: the first one says the fault of the first row that has one, and what it would have been warned of. */
int eval_part_ways(block *b, int status);

#endif
