/* SPDX-License-Identifier: MIT
 *
 * payload.c - what a link carries: ten parameters added to those of its body, which are known from the file, or from a log
 * without the load.
 *
 *     tau - Y K - friction = Y_body phi          doc/identify.md (9) */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/fail.h"
#include "estimate/identifier.h"

enum { TEN = BODY_COLUMNS, WIDTH = TEN + 1 };
static const double OUTLIER = 3, TOLD = 1e-6;
/* Rows behind the low pass that tell as much as one that is independent: its rate over the width of its band. */
static const double REPEATED = 2.2;
/* A payload of which nothing is known, and how little that weighs. */
static const double USUAL_MASS = 1, USUAL_RADIUS = 0.1, WEIGHT = 0.01;

typedef struct {
    work_on *w;
    int body, first; /* first: of its columns */
    double *known;   /* count: the robot without the load */
    double *all;     /* count: with it */
    double phi[TEN];
    double T[WIDTH * WIDTH];
    double inverse[TEN * TEN], cov[TEN * TEN], score[TEN];
    double more; /* variance: 1, and that of the log without the load */
    long block, blocks;
} load_fit;

/* The rows of all joints on the ten columns, whitened, as one triangle. */
static bool gather(load_fit *g)
{
    const work_on *w = g->w;
    const columns *c = &w->c;
    memset(g->T, 0, sizeof g->T);
    for (int j = 0; j < c->njoint; j++) {
        const triangle *t = stack_without(&w->raw, j, EVERYTHING);
        const int own = t->width;
        double *B = arne__arena_take(w->memory, (size_t)(own * WIDTH), sizeof *B);
        if (!B) return false;
        for (int i = 0; i < own && w->sigma[j] > 0; i++) {
            double *row = B + i * WIDTH;
            row[TEN] = t->T[i * own + own - 1] / w->sigma[j];
            for (int k = i; k < own - 1; k++) {
                const int at = c->active[j][k];
                const double x = t->T[i * own + k] / w->sigma[j];
                row[TEN] -= x * g->known[at];
                if (at >= g->first && at < g->first + TEN) row[at - g->first] = x;
            }
        }
        arne__triangle_add(WIDTH, g->T, own, B);
    }
    return true;
}

/* phi near a small body at the origin of the link's frame, which hardly weighs; *told: the data alone tell it */
static bool solve(load_fit *g, const double at[3], bool *told)
{
    arena *a = g->w->memory;
    columns ten = {.nfelt = 1, .count = TEN, .bodies = 1};
    const double r = USUAL_MASS * USUAL_RADIUS * USUAL_RADIUS, m = USUAL_MASS;
    const double before[TEN] = {2 * r + m * (at[1] * at[1] + at[2] * at[2]),
                                -m * at[0] * at[1],
                                -m * at[0] * at[2],
                                2 * r + m * (at[0] * at[0] + at[2] * at[2]),
                                -m * at[1] * at[2],
                                2 * r + m * (at[0] * at[0] + at[1] * at[1]),
                                m * at[0],
                                m * at[1],
                                m * at[2],
                                m};
    fit_prior prior;
    consistent_room room;
    if (!arne__prior_make(&ten, before, false, NULL, NULL, a, &prior) || !arne__consistent_room(&room, &ten, &prior, a))
        return false;
    memcpy(room.R, g->T, sizeof g->T);
    memcpy(g->phi, prior.x, sizeof g->phi);
    *told = true;
    for (int k = 0; k < TEN; k++) {
        double square = 0;
        for (int i = 0; i <= k; i++) square += g->T[i * WIDTH + k] * g->T[i * WIDTH + k];
        *told = *told && fabs(g->T[k * WIDTH + k]) > TOLD * sqrt(square);
    }
    g->w->consistent = true;
    for (double gamma = 100; gamma >= WEIGHT; gamma /= 10)
        if (!arne__consistent_fit(&room, gamma, g->phi, NULL)) g->w->consistent = false;
    g->w->gamma = WEIGHT;
    memcpy(g->all, g->known, (size_t)g->w->c.count * sizeof *g->all);
    for (int k = 0; k < TEN; k++) g->all[g->first + k] += g->phi[k];
    /* the inverse of the triangle at the solution, prior included: (R'R)^-1 = inverse inverse' */
    for (int i = 0; i < TEN; i++)
        for (int k = 0; k < TEN; k++) {
            double sum = k == i;
            for (int s = i; s < k; s++) sum -= g->inverse[i * TEN + s] * room.T[s * WIDTH + k];
            g->inverse[i * TEN + k] = k < i ? 0 : sum / room.T[k * WIDTH + k];
        }
    for (int k = 0; k < TEN * TEN; k++) g->inverse[k] *= sqrt(2); /* the triangle is of twice the squares */
    return true;
}

static void end_block(load_fit *g)
{
    double half[TEN], step[TEN];
    for (int k = 0; k < TEN; k++) {
        half[k] = 0;
        for (int i = 0; i <= k; i++) half[k] += g->inverse[i * TEN + k] * g->score[i];
    }
    for (int i = 0; i < TEN; i++) {
        step[i] = 0;
        for (int k = i; k < TEN; k++) step[i] += g->inverse[i * TEN + k] * half[k];
    }
    for (int i = 0; i < TEN; i++)
        for (int k = 0; k < TEN; k++) g->cov[i * TEN + k] += step[i] * step[k];
    memset(g->score, 0, sizeof g->score);
    g->blocks++;
}

static void second_row(void *context, const sample_place *at, int j, bool moving, const double *row)
{
    (void)moving;
    load_fit *g = context;
    const columns *c = &g->w->c;
    const double sigma = g->w->sigma[j];
    double left = row[c->width[j]];
    if (g->block >= 0 && g->block != at->block) end_block(g);
    g->block = at->block;
    for (int k = 0; k < c->width[j]; k++) left -= row[k] * g->all[c->active[j][k]];
    left /= sigma;
    if (fabs(left) > OUTLIER) left = copysign(OUTLIER, left);
    for (int k = 0; k < c->width[j] && sigma > 0; k++) {
        const int to = c->active[j][k] - g->first;
        if (to >= 0 && to < TEN) g->score[to] += left * row[k] / sigma;
    }
}

/* mass, centre and inertia as one vector */
static void flat(const arne_body *b, double out[TEN])
{
    out[0] = b->mass;
    memcpy(out + 1, b->com, sizeof b->com);
    memcpy(out + 4, b->inertia, sizeof b->inertia);
}

/* body and deviations in link axes: the covariance through differences of the map */
static void tell(load_fit *g, const double R[9], const double p[3])
{
    arne_identified_payload *o = &g->w->payload;
    double D[TEN][TEN], now[TEN];
    o->body = arne__body_in_link(g->phi, R, p);
    flat(&o->body, now);
    for (int k = 0; k < TEN; k++) {
        const double step = 1e-6 * fmax(fabs(g->phi[k]), 1e-3);
        double x[TEN], then[TEN];
        memcpy(x, g->phi, sizeof x);
        x[k] += step;
        const arne_body moved = arne__body_in_link(x, R, p);
        flat(&moved, then);
        for (int i = 0; i < TEN; i++) D[i][k] = (then[i] - now[i]) / step;
    }
    for (int i = 0; i < TEN; i++) {
        double blocks = 0, plain = 0;
        for (int k = 0; k < TEN; k++) {
            double row = 0;
            for (int s = 0; s < TEN; s++) {
                blocks += D[i][k] * g->cov[k * TEN + s] * D[i][s];
                row += D[i][s] * g->inverse[s * TEN + k];
            }
            plain += row * row;
        }
        o->deviation[i] = sqrt(g->more * fmax(isfinite(g->w->cutoff) ? REPEATED * plain : plain, blocks));
    }
}

static arne_status fit(load_fit *g)
{
    work_on *w = g->w;
    const columns *c = &w->c;
    double R[9], p[3];
    bool told = false;
    arne_status status = arne__learn_stack(w, w->cutoff, w->learn, w->memory, &w->raw);
    if (status) return status;
    if (!arne__link_frame(c->m, w->i->o.payload, g->body, R, p)) return NO_MEMORY(w->error);
    arne__fit_sigma(c, &w->raw, NULL, w->sigma);
    for (int pass = 0; pass < 3; pass++) {
        if (!gather(g) || !solve(g, p, &told)) return NO_MEMORY(w->error);
        if (pass < 2) arne__fit_sigma(c, &w->raw, g->all, w->sigma);
    }
    status = arne__learn_pass(w, w->cutoff, w->learn, second_row, g);
    if (status) return status;
    end_block(g);
    tell(g, R, p);
    w->payload.told = told;
    for (int f = 0; f <= FOLDS; f++) { /* it is ten numbers: nothing is held out */
        memcpy(w->plain[f], g->all, (size_t)c->count * sizeof *g->all);
        memcpy(w->real[f], g->all, (size_t)c->count * sizeof *g->all);
    }
    return ARNE_OK;
}

arne_status arne__learn_payload(work_on *w)
{
    const columns *c = &w->c;
    load_fit g = {.w = w, .body = -1, .first = -1, .block = -1};
    const int joint = arne_link_joint(c->m, w->i->o.payload);
    bool empty = false;
    for (int k = 0; k < w->i->ntrack; k++) empty = empty || w->i->tracks[k].role == ARNE_LOG_EMPTY;
    for (int b = 0; b < c->nfelt; b++)
        if (arne_body_joint(c->m, c->felt[b]) == joint) g.body = c->felt[b], g.first = BODY_COLUMNS * b;
    if (g.body < 0)
        return BAD_VALUE(w->error, "no torque of the logs depends on what link %s carries",
                         arne_link_name(c->m, w->i->o.payload));
    /* the robot: from the log without the load, or from its file */
    if (empty) w->learn = 1u << ARNE_LOG_EMPTY;
    arne_status status = empty ? arne__learn(w) : arne__learn_begin(w);
    g.known = arne__arena_take(w->memory, 2 * (size_t)c->count, sizeof *g.known);
    if (!status && !g.known) status = NO_MEMORY(w->error);
    if (status) return status;
    g.all = g.known + c->count;
    memcpy(g.known, empty ? w->real[EVERYTHING] : w->before, (size_t)c->count * sizeof *g.known);
    double time[2] = {0};
    for (int k = 0; k < w->i->ntrack; k++) {
        const track *t = &w->i->tracks[k];
        if (t->role != ARNE_LOG_VALIDATE) time[t->role == ARNE_LOG_EMPTY] += (double)t->count * t->period;
    }
    g.more = empty ? 1 + time[0] / time[1] : 1;
    w->learn = 1u << ARNE_LOG_LEARN;
    return fit(&g);
}
