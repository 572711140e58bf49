/* SPDX-License-Identifier: MIT
 *
 * eval_block.h - `eval` on many rows: computed block by block on lanes and threads, printed or written in their order. */
#ifndef CLI_EVAL_BLOCK_H
#define CLI_EVAL_BLOCK_H

#include "arne/codegen.h"
#include "arne/table.h"
#include "cli/quantity.h"
#include "cli/ranks.h"

enum { MOST_WANTED = 40 };
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

/* All rows of the input; returns an exit status. */
int eval_rows(const arguments *a, eval_job *j);

/* The robot's own code of those that have it, NULL: they are computed as ever, which is said once. */
void eval_fast(const arguments *a, const eval_job *j, const bool *at_once, arne_loaded **code);

#endif
