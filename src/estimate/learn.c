/* SPDX-License-Identifier: MIT
 *
 * learn.c - the fits: weights from residuals, outliers less, deviations from blocks, five folds, plain and consistent. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "estimate/identifier.h"

/* A residual of more deviations counts as if it were so many only [Huber 1964]. */
static const double OUTLIER = 3;
/* Weights of the prior, and what makes it worth to go on to the next. */
static const double GAMMAS[] = {1000, 100, 10, 1, 0.1, 0.01}, CLEARLY = 1e-3;
enum { LAGS = 16 };

/* Two blocks a fold at least, however short the logs are. */
static double block_length(const work_on *w, double cutoff, unsigned roles)
{
    double all = 0;
    for (int k = 0; k < w->i->ntrack; k++)
        if (roles & 1u << w->i->tracks[k].role) all += (double)w->i->tracks[k].count * w->i->tracks[k].period;
    return fmin(w->block > 0 ? w->block : arne__pass_block(cutoff), all / (2 * FOLDS));
}

arne_status arne__learn_pass(work_on *w, double cutoff, unsigned roles, row_sink *sink, void *context)
{
    log_pass p = {.c = &w->c,
                  .tracks = w->i->tracks,
                  .ntrack = w->i->ntrack,
                  .roles = roles,
                  .cutoff = cutoff,
                  .block = block_length(w, cutoff, roles),
                  .moving = w->i->o.moving,
                  .delay = w->delay,
                  .gain = w->gain,
                  .motor_torques = w->i->o.motor_torques,
                  .no_load = w->no_load,
                  .sink = sink,
                  .context = context};
    const arne_status status = arne__pass_run(&p, w->error);
    w->period = p.period;
    w->trimmed = p.trimmed;
    return status;
}

/* ---- first reading ---- */

typedef struct {
    work_on *w;
    stack *s;
} gather;

static void gather_row(void *context, const sample_place *at, int j, bool moving, const double *row)
{
    gather *g = context;
    arne__stack_row(g->s, j, (int)(at->block % FOLDS), moving, row, 1);
}

arne_status arne__learn_stack(work_on *w, double cutoff, unsigned roles, arena *a, stack *s)
{
    gather g = {w, s};
    if (!arne__stack_new(s, &w->c, a)) return NO_MEMORY(w->error);
    const arne_status status = arne__learn_pass(w, cutoff, roles, gather_row, &g);
    if (!status) arne__stack_finish(s);
    return status;
}

/* Weights and the columns that the data tell, from one stack. */
static bool first_fit(work_on *w, const stack *s)
{
    const columns *c = &w->c;
    for (int k = 0; k < c->count; k++) w->seen[k] = c->columns[k].kept;
    arne__fit_sigma(c, s, NULL, w->sigma);
    plain_fit f = {.choose = true, .seen = w->seen, .x = w->plain[EVERYTHING]};
    for (int pass = 0; pass < 3; pass++) {
        if (pass == 2) f.inverse = w->inverse;
        if (!arne__fit_plain(&w->room, c, s, EVERYTHING, w->sigma, &f, w->memory)) return false;
        if (pass < 2) arne__fit_sigma(c, s, f.x, w->sigma);
    }
    w->condition = f.condition;
    return true;
}

/* ---- second reading: residuals are known ---- */

typedef struct {
    work_on *w;
    stack *s;
    long block;
    double *score, *half;               /* count: sum over a block of residual times column */
    double *variance;                   /* count: sum over blocks of the squared steps they ask for */
    double (*past)[LAGS], (*lag)[LAGS]; /* njoint: residuals before, and sums of their products */
    long *seen;                         /* njoint */
    double *rest;                       /* njoint: how much a row at rest counts, where stiction is not in the model */
} second;

/* A joint at rest shows any torque between what would move it one way and the other: by how much its residual is larger there. */
static void find_rest(const work_on *w, double *rest)
{
    const columns *c = &w->c;
    for (int j = 0; j < c->njoint; j++) {
        double square[2] = {0}, all = 0;
        long rows[2] = {0};
        for (int f = 0; f < FOLDS; f++)
            for (int moving = 0; moving < 2; moving++) {
                const triangle *t = stack_part(&w->raw, j, f, moving);
                square[moving] += arne__triangle_square(c, j, t, w->plain[EVERYTHING]);
                all += arne__triangle_square(c, j, t, NULL);
                rows[moving] += t->rows;
            }
        rest[j] = 1;
        if (rows[0] > 0 && rows[1] > 0 && square[0] > 1e-18 * all)
            rest[j] = fmin(1, sqrt(square[1] / (double)rows[1] / (square[0] / (double)rows[0])));
    }
}

static void end_block(second *g)
{
    const work_on *w = g->w;
    const int n = w->c.count;
    for (int k = 0; k < n; k++) { /* inverse' score */
        g->half[k] = 0;
        for (int i = 0; i <= k; i++) g->half[k] += w->inverse[i * n + k] * g->score[i];
    }
    for (int i = 0; i < n; i++) {
        double step = 0;
        for (int k = i; k < n; k++) step += w->inverse[i * n + k] * g->half[k];
        g->variance[i] += step * step;
    }
    memset(g->score, 0, (size_t)n * sizeof *g->score);
    g->w->blocks++;
}

static void second_row(void *context, const sample_place *at, int j, bool moving, const double *row)
{
    second *g = context;
    const columns *c = &g->w->c;
    const int width = c->width[j];
    const double *x = g->w->plain[EVERYTHING], sigma = g->w->sigma[j];
    if (g->block >= 0 && at->block != g->block) end_block(g);
    g->block = at->block;
    double left = row[width];
    for (int k = 0; k < width; k++) left -= row[k] * x[c->active[j][k]];
    const double part = moving ? 1 : g->rest[j];
    if (sigma > 0) left *= part / sigma;
    const double weight = fabs(left) > OUTLIER ? OUTLIER / fabs(left) : 1;
    for (int k = 0; k < width && sigma > 0; k++) g->score[c->active[j][k]] += weight * left * part * row[k] / sigma;
    double *past = g->past[j];
    const long seen = g->seen[j]++;
    for (int k = 0; k < LAGS && k < seen; k++) g->lag[j][k] += left * past[(seen - 1 - k) % LAGS];
    past[seen % LAGS] = left;
    arne__stack_row(g->s, j, (int)(at->block % FOLDS), moving, row, part * sqrt(weight));
}

/* How many rows tell as much as one that is independent: 1 + 2 sum of correlations, those that are beyond doubt. */
static double repeated(const second *g, int j)
{
    double sum = 1;
    for (int k = 0; k < LAGS; k++) {
        const double r = g->seen[j] ? g->lag[j][k] / (double)g->seen[j] : 0;
        if (r < 0.05) break;
        sum += 2 * r;
    }
    return sum;
}

static arne_status read_again(work_on *w)
{
    const columns *c = &w->c;
    const size_t n = (size_t)c->count, joints = (size_t)c->njoint;
    second g = {.w = w, .s = &w->fit, .block = -1};
    g.score = arne__arena_take(w->memory, 3 * n, sizeof *g.score);
    g.past = arne__arena_take(w->memory, 2 * joints, sizeof *g.past);
    g.seen = arne__arena_take(w->memory, joints, sizeof *g.seen);
    g.rest = arne__arena_take(w->memory, joints, sizeof *g.rest);
    if (!g.score || !g.past || !g.seen || !g.rest || !arne__stack_new(&w->fit, c, w->memory)) return NO_MEMORY(w->error);
    g.half = g.score + n;
    g.variance = g.half + n;
    g.lag = g.past + joints;
    find_rest(w, g.rest);
    const arne_status status = arne__learn_pass(w, w->cutoff, w->learn, second_row, &g);
    if (status) return status;
    end_block(&g);
    arne__stack_finish(&w->fit);
    /* honest weights: rows that repeat one another count less */
    plain_fit f = {.seen = w->seen, .x = w->plain[EVERYTHING], .inverse = w->inverse};
    arne__fit_sigma(c, &w->fit, w->plain[EVERYTHING], w->sigma);
    for (int j = 0; j < c->njoint; j++) w->sigma[j] *= sqrt(repeated(&g, j));
    if (!arne__fit_plain(&w->room, c, &w->fit, EVERYTHING, w->sigma, &f, w->memory)) return NO_MEMORY(w->error);
    const double few = w->blocks > 1 ? (double)w->blocks / (double)(w->blocks - 1) : 1;
    for (int k = 0; k < c->count; k++) {
        double square = 0;
        for (int i = k; i < c->count; i++) square += w->inverse[k * c->count + i] * w->inverse[k * c->count + i];
        w->deviation[k] = w->seen[k] ? sqrt(fmax(square, few * g.variance[k])) : INFINITY;
    }
    return ARNE_OK;
}

/* ---- folds ---- */

/* The value of a column that would give all of the torque, where it gives most. */
static void find_scales(const work_on *w, double *scale)
{
    const columns *c = &w->c;
    for (int j = 0; j < c->njoint; j++) {
        const triangle *t = stack_without(&w->raw, j, EVERYTHING);
        const double torque = sqrt(arne__triangle_square(c, j, t, NULL));
        for (int k = 0; k < t->width - 1; k++) {
            double square = 0;
            for (int i = 0; i <= k; i++) square += t->T[i * t->width + k] * t->T[i * t->width + k];
            const double length = sqrt(square);
            double *to = &scale[c->active[j][k]];
            if (length > 0 && (*to == 0 || torque / length < *to)) *to = torque / length;
        }
    }
}

static bool make_prior(work_on *w)
{
    const columns *c = &w->c;
    arne_data *d = NULL;
    double *x = arne__arena_take(w->memory, 2 * (size_t)c->count, sizeof *x);
    if (!x || arne_data_new(w->i->o.prior ? w->i->o.prior : w->i->m, &d, NULL)) return false;
    arne__columns_values(c, d, x);
    arne_data_free(d);
    find_scales(w, x + c->count);
    return arne__prior_make(c, x, w->i->o.no_prior, x + c->count, w->seen, w->memory, &w->prior) &&
           arne__consistent_room(&w->newton, c, &w->prior, w->memory);
}

/* The sum of squares of what was held out, in deviations. */
static double held_out(const work_on *w, double *const *x)
{
    double sum = 0;
    for (int j = 0; j < w->c.njoint; j++)
        for (int f = 0; f < FOLDS; f++)
            for (int moving = 0; moving < 2 && w->sigma[j] > 0; moving++)
                sum += arne__triangle_square(&w->c, j, stack_part(&w->fit, j, f, moving), x[f]) / (w->sigma[j] * w->sigma[j]);
    return sum;
}

/* Consistent fits of one weight of the prior, of everything from `from` on, and from there without each fold. */
static bool real_fits(work_on *w, double gamma, const double *from, double *const *to)
{
    bool ended = true;
    for (int f = FOLDS; f >= 0; f--) {
        arne__fit_all(&w->room, &w->c, &w->fit, f, w->sigma);
        arne__consistent_data(&w->newton, &w->room);
        memcpy(to[f], f == EVERYTHING ? from : to[EVERYTHING], (size_t)w->c.count * sizeof *to[f]);
        ended = arne__consistent_fit(&w->newton, gamma, to[f], NULL) && ended;
    }
    return ended;
}

/* The prior weighs less and less as long as what is held out says that this is better, clearly. */
static arne_status all_fits(work_on *w)
{
    const columns *c = &w->c;
    const size_t n = (size_t)c->count;
    double *next[FOLDS + 1], *room = arne__arena_take(w->memory, n * (FOLDS + 1), sizeof *room), best = INFINITY;
    if (!room || !make_prior(w)) return NO_MEMORY(w->error);
    for (int f = 0; f < FOLDS; f++) {
        plain_fit plain = {.seen = w->seen, .x = w->plain[f]};
        if (!arne__fit_plain(&w->room, c, &w->fit, f, w->sigma, &plain, w->memory)) return NO_MEMORY(w->error);
    }
    for (int f = 0; f <= FOLDS; f++) {
        next[f] = room + n * (size_t)f;
        memcpy(w->real[f], w->prior.x, n * sizeof *w->real[f]);
    }
    for (size_t g = 0; g < sizeof GAMMAS / sizeof *GAMMAS; g++) {
        const bool ended = real_fits(w, GAMMAS[g], w->real[EVERYTHING], next);
        const double score = held_out(w, next);
        if (score > (1 - CLEARLY) * best) break;
        best = score;
        w->ended = ended;
        w->consistent = true; /* every step stays inside */
        w->gamma = GAMMAS[g];
        for (int f = 0; f <= FOLDS; f++) memcpy(w->real[f], next[f], n * sizeof *next[f]);
    }
    return ARNE_OK;
}

static bool make_room(work_on *w)
{
    const size_t n = (size_t)w->c.count, joints = (size_t)w->c.njoint;
    double *x = arne__arena_take(w->memory, n * (2 * FOLDS + 2 + n + 2) + joints, sizeof *x);
    w->seen = arne__arena_take(w->memory, n, sizeof *w->seen);
    w->rows = arne__arena_take(w->memory, 2 * joints, sizeof *w->rows);
    if (!x || !w->seen || !w->rows || !arne__fit_room(&w->room, &w->c, w->memory)) return false;
    w->moving = w->rows + joints;
    for (int f = 0; f <= FOLDS; f++, x += 2 * n) w->plain[f] = x, w->real[f] = x + n;
    w->inverse = x;
    w->deviation = x + n * n;
    w->before = w->deviation + n;
    w->sigma = w->before + n;
    return true;
}

arne_status arne__learn_begin(work_on *w)
{
    arne_data *d = NULL;
    if (!make_room(w) || arne_data_new(w->i->m, &d, NULL)) return NO_MEMORY(w->error);
    arne__columns_values(&w->c, d, w->before);
    arne_data_free(d);
    arne_status status = w->cutoff > 0 ? ARNE_OK : arne__find_cutoff(w);
    if (!status && w->i->o.delays && isfinite(w->cutoff)) status = arne__find_delays(w);
    if (!status && w->c.stribeck) status = arne__find_stribeck(w);
    return status;
}

/* Are there more rows behind the low pass than unknowns? */
static arne_status enough(const work_on *w)
{
    const columns *c = &w->c;
    long rows = 0;
    int unknowns = 0;
    for (int j = 0; j < c->njoint; j++) rows += stack_without(&w->raw, j, EVERYTHING)->rows;
    for (int k = 0; k < c->count; k++) unknowns += c->columns[k].kept;
    if (rows >= 2 * unknowns) return ARNE_OK;
    for (int k = 0; k < w->i->ntrack; k++)
        if (w->learn & 1u << w->i->tracks[k].role)
            return arne_fail(w->error, ARNE_BAD_VALUE, w->i->tracks[k].name, 0,
                             "too few rows: %ld behind the low pass for %d unknowns; record a longer motion%s", rows, unknowns,
                             isfinite(w->cutoff) ? ", or raise the cut-off" : "");
    return ARNE_OK;
}

arne_status arne__learn(work_on *w)
{
    arne_status status = arne__learn_begin(w);
    if (!status) status = arne__learn_stack(w, w->cutoff, w->learn, w->memory, &w->raw);
    if (!status) status = enough(w);
    if (!status && !first_fit(w, &w->raw)) status = NO_MEMORY(w->error);
    if (!status) status = read_again(w);
    if (!status) status = all_fits(w);
    bool other = false;
    for (int k = 0; k < w->i->ntrack; k++) other = other || w->i->tracks[k].role == ARNE_LOG_VALIDATE;
    if (!status && other) status = arne__learn_stack(w, w->cutoff, 1u << ARNE_LOG_VALIDATE, w->memory, &w->valid);
    return status;
}
