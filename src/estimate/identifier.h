/* SPDX-License-Identifier: MIT
 *
 * identifier.h - what the steps of identification share. */
#ifndef ESTIMATE_IDENTIFIER_H
#define ESTIMATE_IDENTIFIER_H

#include "estimate/fit.h"
#include "estimate/pass.h"
#include "estimate/track.h"

struct arne_identifier {
    const arne_model *m;
    arne_identify_options o;
    bool *joints; /* n: the copy of those of the options */
    int n, ntrack;
    track *tracks;
    double *row;
};

/* One identification. */
typedef struct {
    arne_identifier *i;
    arena *memory;
    columns c;
    arne_error *error;
    unsigned learn; /* roles that are learned from */
    double cutoff;
    double *delay, *gain;  /* n */
    double *before;        /* count: of the model one began with */
    double *sigma;         /* njoint */
    bool *seen;            /* count */
    stack raw, fit, valid; /* as they are; outliers less; logs of validation */
    fit_room room;
    fit_prior prior;
    consistent_room newton;
    double *plain[FOLDS + 1], *real[FOLDS + 1]; /* count: without a fold, of everything */
    double *inverse, *deviation;                /* count x count; count */
    double condition, gamma;
    bool consistent;
    long *rows, *moving; /* njoint */
    double period, trimmed;
    double block; /* s, of the folds; 0: as the cut-off asks for */
    arne_identified_cutoff *curve;
    int ncurve;
    long blocks;
} work_on;

/* learn.c */
arne_status arne__learn(work_on *w);
arne_status arne__learn_pass(work_on *w, double cutoff, unsigned roles, row_sink *sink, void *context);
/* All rows of these logs, filtered at this cut-off; its memory is the arena's. */
arne_status arne__learn_stack(work_on *w, double cutoff, unsigned roles, arena *a, stack *s);
/* cutoff.c */
arne_status arne__find_cutoff(work_on *w);
/* result.c */
typedef struct {
    arne_identified result; /* first: freed through it */
    arena *memory;
} owned_result;
arne_status arne__result_make(work_on *w, arne_identified **out);
/* words.c */
void arne__result_words(const work_on *w, arne_identified *r);
void arne__result_warn(arne_identified *r, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
