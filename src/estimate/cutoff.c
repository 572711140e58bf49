/* SPDX-License-Identifier: MIT
 *
 * cutoff.c - the cut-off by cross-validation.
 *
 * The error at a cut-off of one's own says nothing: the lower it is, the less is left to be wrong about. So a model of every
 * candidate is judged in the bands of all candidates, on blocks that it has not seen: in each band by how much worse than the
 * best it is. doc/identify.md (8) */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "estimate/identifier.h"

static const double CANDIDATES[] = {1, 1.5, 2, 3, 4.5, 6.5, 10, 14, 20, 30, 45};
enum { MOST = sizeof CANDIDATES / sizeof *CANDIDATES };
/* s: blocks that are long for every candidate; the part of a rate that a cut-off may be */
static const double BLOCK = 1, OF_RATE = 0.2;
/* The lowest that is worse than the best by this part at most: noise is what a higher one lets in. */
static const double AS_GOOD = 0.05;

typedef struct {
    work_on *w;
    int count;
    stack stacks[MOST];
    double error[MOST][MOST]; /* of the model of one, in the band of another */
} contest;

/* Models of candidate k without each fold, in w->plain. */
static bool fit(contest *g, int k, arena *a)
{
    work_on *w = g->w;
    const columns *c = &w->c;
    plain_fit f = {.choose = true, .seen = w->seen};
    for (int p = 0; p < c->count; p++) w->seen[p] = c->columns[p].kept;
    arne__fit_sigma(c, &g->stacks[k], NULL, w->sigma);
    for (int fold = FOLDS; fold >= 0; fold--) {
        f.x = w->plain[fold];
        if (!arne__fit_plain(&w->room, c, &g->stacks[k], fold, w->sigma, &f, a)) return false;
    }
    return true;
}

/* The mean over the joints of what the models in w->plain leave of the torque in a band. */
static double judge(const contest *g, int band)
{
    const columns *c = &g->w->c;
    double sum = 0;
    int joints = 0;
    for (int j = 0; j < c->njoint; j++) {
        double left = 0, all = 0;
        for (int f = 0; f < FOLDS; f++)
            for (int moving = 0; moving < 2; moving++) {
                const triangle *t = stack_part(&g->stacks[band], j, f, moving);
                left += arne__triangle_square(c, j, t, g->w->plain[f]);
                all += arne__triangle_square(c, j, t, NULL);
            }
        if (all > 0) sum += sqrt(left / all), joints++;
    }
    return joints ? sum / joints : 0;
}

static void choose(contest *g)
{
    work_on *w = g->w;
    double worse[MOST] = {0}, best = INFINITY;
    for (int k = 0; k < g->count; k++) {
        double mean = 0;
        for (int band = 0; band < g->count; band++) {
            double least = INFINITY;
            for (int other = 0; other < g->count; other++) least = fmin(least, g->error[other][band]);
            worse[k] += log(fmax(g->error[k][band], 1e-15) / fmax(least, 1e-15)) / g->count;
            mean += log(fmax(g->error[k][band], 1e-15)) / g->count;
        }
        w->curve[w->ncurve++] = (arne_identified_cutoff){CANDIDATES[k], exp(mean)};
        best = fmin(best, worse[k]);
    }
    for (int k = g->count - 1; k >= 0; k--)
        if (worse[k] <= best + AS_GOOD) w->cutoff = CANDIDATES[k];
}

arne_status arne__find_cutoff(work_on *w)
{
    double rate = INFINITY;
    for (int k = 0; k < w->i->ntrack; k++) rate = fmin(rate, 1 / w->i->tracks[k].period);
    contest *g = arne__arena_take(w->memory, 1, sizeof *g);
    w->curve = arne__arena_take(w->memory, MOST, sizeof *w->curve);
    arena *a = arne__arena_new();
    arne_status status = g && w->curve && a ? ARNE_OK : NO_MEMORY(w->error);
    w->block = BLOCK;
    for (int k = 0; k < MOST && !status && CANDIDATES[k] <= OF_RATE * rate; k++) {
        g->w = w;
        status = arne__learn_stack(w, CANDIDATES[k], w->learn, a, &g->stacks[k]);
        if (!status) g->count++;
    }
    for (int k = 0; k < (g ? g->count : 0) && !status; k++) {
        if (!fit(g, k, a)) status = NO_MEMORY(w->error);
        for (int band = 0; band < g->count && !status; band++) g->error[k][band] = judge(g, band);
    }
    w->block = 0;
    w->cutoff = 0.1 * rate; /* of logs so slow that there is no candidate */
    if (!status && g->count) choose(g);
    if (a) arne__arena_free(a);
    return status;
}
