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
    bool consistent, ended; /* ended: the fit came to its end, not only to a robot that can exist */
    long *rows, *moving;    /* njoint */
    double period, trimmed;
    double block; /* s, of the folds; 0: as the cut-off asks for */
    arne_identified_cutoff *curve;
    int ncurve;
    long blocks;
    arne_identified_payload payload;
    bool no_load;   /* known loads are not taken from the torques */
    bool *nameless; /* n: joints whose gain no load tells; their torques are not used. NULL: no gains are looked for */
} work_on;

/* learn.c */
arne_status arne__learn(work_on *w);
arne_status arne__learn_begin(work_on *w); /* room, the model one begins with, the cut-off */
arne_status arne__learn_pass(work_on *w, double cutoff, unsigned roles, row_sink *sink, void *context);
/* All rows of these logs, filtered at this cut-off; its memory is the arena's. */
arne_status arne__learn_stack(work_on *w, double cutoff, unsigned roles, arena *a, stack *s);
/* tune.c */
arne_status arne__find_delays(work_on *w);
arne_status arne__find_stribeck(work_on *w);
/* unknown: n, of the joints that are used */
arne_status arne__find_gains(work_on *w, bool *unknown, bool *some);
/* cutoff.c */
arne_status arne__find_cutoff(work_on *w);
/* payload.c: what a link carries, the rest being known */
arne_status arne__learn_payload(work_on *w);
/* result.c */
/* Ten parameters in the frame of a body as a body in link axes: x_body = R x_link + p; and where a link is in that frame. */
arne_body arne__body_in_link(const double x[10], const double R[9], const double p[3]);
bool arne__link_frame(const arne_model *m, int link, int body, double R[9], double p[3]);
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
