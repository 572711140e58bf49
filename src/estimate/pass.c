/* SPDX-License-Identifier: MIT
 *
 * pass.c - parallel filtering [Gautier 1997]: one low pass of zero phase over the torque and every column of the regressor, the
 * signs of friction included, in constant memory.
 *
 * Positions (and speeds, torques) first go through a wider low pass and are thinned to INNER samples a period of the cut-off;
 * the regressor is computed there, filtered at the cut-off and thinned to OUTER. A log is worked on in windows that reach MARGIN
 * periods over their ends, beyond which the filter has forgotten. doc/identify.md (1) */
#include "estimate/pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "estimate/filter.h"

enum { LINK = ARNE_LINK_PARAMETERS, WINDOW = 2048 };
static const double WIDE = 4, INNER = 40, OUTER = 4, MARGIN = 12;
/* Ends of a log are less certain than its middle: s left out there, or this part of it. */
static const double ENDS = 0.25, ENDS_PART = 0.05;

double arne__pass_block(double cutoff) { return isfinite(cutoff) ? fmax(0.3, 3 / cutoff) : 0.3; }

/* All of one log at one cut-off. */
typedef struct {
    log_pass *p;
    const track *k;
    arne_data *d;
    int log;
    bool filtered, widened;
    low_pass wide, narrow;
    long inner, outer;   /* rows of the log in one of the inner samples, of these in one that is given */
    long margin, around; /* inner samples, rows, that a window reaches over its ends */
    int width;           /* of a window's row: all rows of joints, torques included */
    double rate;         /* of the inner samples */
    double *rows;        /* full rate, with pads */
    double *state;       /* of the filters */
    double *sheet;       /* inner samples x width, with pads */
    double *speeds;      /* inner samples x n: of the joints */
    double *Y, *sign, *motor, *motor_sign, *q, *qd, *qdd, *tau;
    double **row;
    double load[LINK];
    int load_body;
    long block; /* of the piece: its first */
} worker;

static long least(long a, long b) { return a < b ? a : b; }
static long most(long a, long b) { return a > b ? a : b; }

/* Mean of the sign between half a step before and half a step after, the speed being straight between samples. */
static double half_sign(double v, double next)
{
    const double end = (v + next) / 2, s = (v > 0) - (v < 0), e = (end > 0) - (end < 0);
    if (s == e || v == end) return s;
    const double part = fabs(v) / (fabs(v) + fabs(end));
    return part * s + (1 - part) * e;
}

/* centred differences of `from` into `to`, columns of one row; of rows first ... end-1 */
static void differentiate(const worker *w, double *rows, long count, int from, int to)
{
    const int width = track_width(w->k), n = w->k->n;
    for (long r = 0; r < count; r++) {
        const double *a = rows + most(r - 1, 0) * width, *b = rows + least(r + 1, count - 1) * width;
        const double step = w->filtered ? (double)(b - a) / width * w->k->period : b[0] - a[0];
        for (int i = 0; i < n; i++) rows[r * width + to + i] = step > 0 ? (b[from + i] - a[from + i]) / step : 0;
    }
}

/* rows first ... first+count of the log, smoothed, with speeds and accelerations; at w->rows + pad */
static arne_status take_rows(worker *w, long first, long count, arne_error *error)
{
    const track *k = w->k;
    const int n = k->n, width = track_width(k);
    double *rows = w->rows + (w->widened ? w->wide.pad : 0) * width;
    const arne_status status = arne__track_get(k, first, count, rows, error);
    if (status) return status;
    if (w->widened) arne__low_pass_both(&w->wide, count, width, w->rows, w->state);
    if (!k->has_qd) differentiate(w, rows, count, 1, 1 + n);
    if (!k->has_qdd) differentiate(w, rows, count, 1 + n, 1 + 2 * n);
    return ARNE_OK;
}

/* torques at row r (of count), each as late as its delay says, at the joints */
static void take_torques(worker *w, const double *rows, long r, long count)
{
    const columns *c = w->p->c;
    const int n = c->n, width = track_width(w->k);
    double *t = w->motor; /* free here */
    for (int i = 0; i < n; i++) {
        const double at = (double)r + w->p->delay[i] / w->k->period, whole = floor(at), part = at - whole;
        const long a = least(most((long)whole, 0), count - 1), b = least(most((long)whole + 1, 0), count - 1);
        const int of = 1 + 3 * n + i;
        t[i] = w->p->gain[i] * ((1 - part) * rows[a * width + of] + part * rows[b * width + of]);
    }
    if (!w->p->motor_torques) {
        memcpy(w->tau, t, (size_t)n * sizeof *t);
        return;
    }
    for (int i = 0; i < n; i++) t[i] *= arne_joint_motor(c->m, i)->gear;
    for (int i = 0; i < n; i++) { /* tau = J^-T tau_m  [003 eq. 9.33] */
        w->tau[i] = c->drive ? 0 : t[i];
        for (int m = 0; m < n && c->drive; m++) w->tau[i] += c->drive[m * n + i] * t[m];
    }
}

static void motor_signs(const worker *w, const double *before, const double *now, const double *after)
{
    const columns *c = w->p->c;
    const int n = c->n;
    for (int m = 0; m < n && c->drive; m++) {
        double v[3] = {0};
        for (int i = 0; i < n; i++) {
            v[0] += c->drive[m * n + i] * before[i];
            v[1] += c->drive[m * n + i] * now[i];
            v[2] += c->drive[m * n + i] * after[i];
        }
        w->motor[m] = v[1];
        w->motor_sign[m] = w->filtered ? (half_sign(v[1], v[0]) + half_sign(v[1], v[2])) / 2 : (v[1] > 0) - (v[1] < 0);
    }
}

/* one state into a row of the sheet; before, after: speeds of the neighbours */
static void fill(worker *w, const double *rows, long r, long count, const double *before, const double *after, double *to)
{
    const columns *c = w->p->c;
    const int n = c->n, width = track_width(w->k);
    const double *row = rows + r * width;
    take_torques(w, rows, r, count);
    for (int i = 0; i < n; i++) {
        const double v = row[1 + n + i];
        w->q[i] = c->moves[i] ? row[1 + i] : 0;
        w->qd[i] = c->moves[i] ? v : 0;
        w->qdd[i] = c->moves[i] ? row[1 + 2 * n + i] : 0;
        w->sign[i] = w->filtered ? (half_sign(v, before[i]) + half_sign(v, after[i])) / 2 : (v > 0) - (v < 0);
    }
    motor_signs(w, before, row + 1 + n, after);
    for (int j = 0; j < c->njoint; j++) {
        w->row[j] = to;
        to += c->width[j] + 1;
    }
    const column_state s = {w->q, w->qd, w->qdd, w->sign, w->motor, w->motor_sign};
    arne__columns_rows(c, w->d, &s, w->Y, w->row);
    for (int j = 0; j < c->njoint; j++) {
        const int i = c->joint[j];
        double known = 0;
        for (int p = 0; p < LINK && w->load_body >= 0; p++)
            known += w->Y[i * LINK * c->bodies + LINK * w->load_body + p] * w->load[p];
        w->row[j][c->width[j]] = w->tau[i] - known;
    }
}

/* gives the row of inner sample i of a window */
static void give(worker *w, const double *row, const double *speed, long i, double t)
{
    log_pass *p = w->p;
    const columns *c = p->c;
    for (int j = 0; j < c->njoint; row += c->width[j] + 1, j++) {
        if (!w->k->torques[c->joint[j]] && !p->motor_torques) continue;
        const bool moving = fabs(speed[c->joint[j]]) > p->moving;
        if (p->rows) p->rows[j]++;
        if (p->at_move) p->at_move[j] += moving;
        const sample_place at = {t, w->block + (long)floor((double)i / w->rate / p->block), w->log, j == c->njoint - 1};
        p->sink(p->context, &at, j, moving, row);
    }
}

/* inner samples i0 ... i1-1 of a piece */
static arne_status window(worker *w, const piece *on, long i0, long i1, long trim, arne_error *error)
{
    const int n = w->k->n, width = track_width(w->k);
    const long inner_count = (on->count - 1) / w->inner + 1;
    const long e0 = most(0, i0 - w->margin), e1 = least(inner_count, i1 + w->margin);
    const long f0 = most(0, e0 * w->inner - w->around), f1 = least(on->count, (e1 - 1) * w->inner + 1 + w->around);
    const arne_status status = take_rows(w, on->first + f0, f1 - f0, error);
    if (status) return status;
    const double *rows = w->rows + (w->widened ? w->wide.pad : 0) * width;
    double *sheet = w->sheet + (w->filtered ? w->narrow.pad : 0) * w->width;
    for (long e = e0; e < e1; e++) {
        const long r = e * w->inner - f0, a = most(r - w->inner, 0), b = least(r + w->inner, f1 - f0 - 1);
        fill(w, rows, r, f1 - f0, rows + a * width + 1 + n, rows + b * width + 1 + n, sheet + (e - e0) * w->width);
        memcpy(w->speeds + (e - e0) * n, w->qd, (size_t)n * sizeof *w->qd);
    }
    if (w->filtered) arne__low_pass_both(&w->narrow, e1 - e0, w->width, w->sheet, w->state);
    for (long i = (i0 + w->outer - 1) / w->outer * w->outer; i < i1; i += w->outer)
        if (i >= trim && i < inner_count - trim)
            give(w, sheet + (i - e0) * w->width, w->speeds + (i - e0) * n, i, rows[(i * w->inner - f0) * width]);
    return ARNE_OK;
}

static arne_status make_room(worker *w, arena *a, arne_error *error)
{
    const columns *c = w->p->c;
    const size_t n = (size_t)c->n, width = (size_t)track_width(w->k),
                 sheet = (size_t)(WINDOW + 2 * w->margin + 2 * w->narrow.pad);
    const size_t rows = (size_t)((WINDOW + 2 * w->margin) * w->inner + 2 * w->around + 2 * w->wide.pad + 1);
    w->rows = arne__arena_take(a, rows * width, sizeof(double));
    w->sheet = arne__arena_take(a, sheet * (size_t)w->width, sizeof(double));
    w->state = arne__arena_take(a, 4 * ((size_t)w->width + width), sizeof(double));
    w->speeds = arne__arena_take(a, sheet * n, sizeof(double));
    w->Y = arne__arena_take(a, n * LINK * (size_t)c->bodies + 7 * n, sizeof(double));
    w->row = arne__arena_take(a, n, sizeof *w->row);
    if (!w->rows || !w->sheet || !w->state || !w->speeds || !w->Y || !w->row) return NO_MEMORY(error);
    double **const parts[] = {&w->sign, &w->motor, &w->motor_sign, &w->q, &w->qd, &w->qdd, &w->tau};
    for (size_t k = 0; k < 7; k++) *parts[k] = w->Y + n * LINK * (size_t)c->bodies + k * n;
    return arne_data_new(c->m, &w->d, error);
}

/* a known load as parameters of the body that carries it: what it adds to them */
static arne_status take_load(worker *w, arne_error *error)
{
    const columns *c = w->p->c;
    double K[2][LINK * ARNE_BASE_MOST_JOINTS];
    w->load_body = -1;
    if (!w->k->loaded || w->p->no_load) return ARNE_OK;
    arne_settings *s;
    const arne_status status = arne_settings_new(c->m, &s, error);
    if (status) return status;
    arne_parameters(s, K[0]);
    arne_set_payload(s, w->k->load.link, &w->k->load.body);
    arne_parameters(s, K[1]);
    arne_settings_free(s);
    const int joint = arne_link_joint(c->m, w->k->load.link);
    for (int b = 0; b < c->bodies; b++)
        if (arne_body_joint(c->m, b) == joint) w->load_body = b;
    for (int p = 0; p < LINK && w->load_body >= 0; p++)
        w->load[p] = K[1][LINK * w->load_body + p] - K[0][LINK * w->load_body + p];
    return ARNE_OK;
}

static void settle_rates(worker *w)
{
    const double rate = 1 / w->k->period, cutoff = w->p->cutoff;
    w->filtered = isfinite(cutoff);
    w->inner = w->outer = 1;
    w->around = 2;
    if (w->filtered) {
        w->inner = most(1, (long)(rate / (INNER * cutoff)));
        w->rate = rate / (double)w->inner;
        w->outer = most(1, (long)(w->rate / (OUTER * cutoff)));
        w->narrow = arne__low_pass(cutoff, w->rate);
        w->margin = (long)ceil(MARGIN * w->rate / cutoff);
        w->widened = WIDE * cutoff < 0.45 * rate;
        if (w->widened) {
            w->wide = arne__low_pass(WIDE * cutoff, rate);
            w->around += (long)ceil(MARGIN * rate / (WIDE * cutoff));
        }
    }
    w->rate = rate / (double)w->inner;
    w->p->period = (double)w->outer / w->rate;
    for (int j = 0; j < w->p->c->njoint; j++) w->width += w->p->c->width[j] + 1;
}

static arne_status read_log(log_pass *p, int log, long *block, arne_error *error)
{
    worker w = {.p = p, .k = &p->tracks[log], .log = log};
    arena *a = arne__arena_new();
    settle_rates(&w);
    arne_status status = w.filtered && !(p->cutoff < 0.45 / w.k->period)
                             ? arne_fail(error, ARNE_BAD_VALUE, w.k->name, 0,
                                         "its rows come at %.4g Hz: a cut-off of %g Hz is too high for them, give less than %.3g",
                                         1 / w.k->period, p->cutoff, 0.45 / w.k->period)
                             : make_room(&w, a, error);
    if (!status) status = take_load(&w, error);
    for (int k = 0; k < w.k->npiece && !status; k++) {
        const piece *on = &w.k->pieces[k];
        const long count = (on->count - 1) / w.inner + 1;
        if (on->count < 3) continue;
        const long trim = w.filtered ? (long)fmin(ENDS * w.rate, ENDS_PART * (double)count) : 0;
        p->trimmed = (double)trim / w.rate;
        w.block = *block;
        for (long i = 0; i < count && !status; i += WINDOW) status = window(&w, on, i, least(count, i + WINDOW), trim, error);
        *block += (long)floor((double)(count - 1) / w.rate / p->block) + 1;
    }
    arne_data_free(w.d);
    arne__arena_free(a);
    return status;
}

arne_status arne__pass_run(log_pass *p, arne_error *error)
{
    arne_status status = ARNE_OK;
    long block = 0;
    for (int k = 0; k < p->ntrack && !status; k++)
        if (p->roles & 1u << p->tracks[k].role) status = read_log(p, k, &block, error);
    return status;
}
