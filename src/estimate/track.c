/* SPDX-License-Identifier: MIT
 *
 * track.c - rows of a log in a temporary file, their rate, their gaps, and an even grid of times where stamps tremble. */
#include "estimate/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/order.h"

/* A step longer than so many usual ones is a gap. A grid is even where stamps are off by less than this part of a step. */
static const double GAP = 8, EVEN = 0.02;
enum { SAMPLE = 4096, CHUNK = 256 };

static bool copy_flags(bool **to, const bool *from, int n)
{
    *to = malloc((size_t)n * sizeof **to + 1);
    for (int i = 0; i < n && *to; i++) (*to)[i] = !from || from[i];
    return *to;
}

arne_status arne__track_open(track *k, int n, const arne_identify_log *log, arne_error *error)
{
    *k = (track){.n = n, .role = log->role, .has_qd = log->has_qd, .has_qdd = log->has_qdd, .last = -INFINITY};
    k->name = strdup(log->name ? log->name : "log");
    if (log->load) k->loaded = true, k->load = *log->load;
    double *room = calloc((size_t)(3 * n + track_width(k)), sizeof *room);
    k->least = room;
    if (!room || !k->name || !copy_flags(&k->moves, log->moves, n) || !copy_flags(&k->torques, log->torques, n))
        return NO_MEMORY(error);
    k->most = room + n;
    k->speed = k->most + n;
    k->before = k->speed + n;
    if (!(k->raw = tmpfile())) return arne_fail(error, ARNE_NO_FILE, k->name, 0, "cannot make a temporary file for the rows");
    k->grid = k->raw;
    return ARNE_OK;
}

static arne_status put(const track *k, FILE *f, const double *row, arne_error *error)
{
    if (fwrite(row, sizeof *row, (size_t)track_width(k), f) == (size_t)track_width(k)) return ARNE_OK;
    return arne_fail(error, ARNE_NO_FILE, k->name, 0, "cannot write the temporary file of its rows: is the disk full?");
}

arne_status arne__track_row(track *k, const double *row, arne_error *error)
{
    const int n = k->n;
    for (int i = 0; i < track_width(k); i++)
        if (!isfinite(row[i]))
            return arne_fail(error, ARNE_BAD_VALUE, k->name, 0, "row %ld: a number is not finite", k->rows + 1);
    if (row[0] == k->last) {
        k->repeats++;
        return ARNE_OK;
    }
    if (row[0] < k->last)
        return arne_fail(error, ARNE_BAD_VALUE, k->name, 0,
                         "row %ld: time runs backwards, t = %g comes after t = %g; sort the rows or split the log there",
                         k->rows + 1, row[0], k->last);
    for (int i = 0; i < n; i++) {
        const double q = row[1 + i];
        k->least[i] = k->rows ? fmin(k->least[i], q) : q;
        k->most[i] = k->rows ? fmax(k->most[i], q) : q;
    }
    k->last = row[0];
    k->rows++;
    return put(k, k->raw, row, error);
}

arne_status arne__track_get(const track *k, long first, long count, double *rows, arne_error *error)
{
    const size_t size = (size_t)track_width(k) * sizeof *rows;
    if (!fseeko(k->grid, (off_t)first * (off_t)size, SEEK_SET) && fread(rows, size, (size_t)count, k->grid) == (size_t)count)
        return ARNE_OK;
    return arne_fail(error, ARNE_NO_FILE, k->name, 0, "cannot read the temporary file of its rows");
}

/* The median step, of SAMPLE of them spread over the log. */
static arne_status usual_step(const track *k, double *usual, arne_error *error)
{
    const int width = track_width(k);
    double *room = malloc(((size_t)(2 * width) + SAMPLE) * sizeof *room), *steps = room + 2 * width;
    arne_status status = room ? ARNE_OK : NO_MEMORY(error);
    const long stride = k->rows / SAMPLE + 1;
    int count = 0;
    for (long r = 0; !status && r + 1 < k->rows && count < SAMPLE; r += stride) {
        status = arne__track_get(k, r, 2, room, error);
        steps[count++] = room[width] - room[0];
    }
    if (!status) {
        arne__sort_numbers(steps, count);
        *usual = steps[count / 2];
    }
    free(room);
    return status;
}

static bool add_piece(track *k, long first)
{
    if ((k->npiece & (k->npiece - 1)) == 0) {
        piece *more = realloc(k->pieces, (size_t)(k->npiece ? 2 * k->npiece : 1) * sizeof *more);
        if (!more) return false;
        k->pieces = more;
    }
    k->pieces[k->npiece++] = (piece){first, 0};
    return true;
}

/* Rows of the raw file one after the other. */
typedef struct {
    const track *k;
    double *rows;
    int have, at;
} reader;

static arne_status begin(reader *r, const track *k, arne_error *error)
{
    *r = (reader){k, malloc(CHUNK * (size_t)track_width(k) * sizeof *r->rows), 0, 0};
    rewind(k->raw);
    return r->rows ? ARNE_OK : NO_MEMORY(error);
}

static const double *next(reader *r, arne_error *error)
{
    const size_t width = (size_t)track_width(r->k);
    if (r->at == r->have) {
        r->have = (int)fread(r->rows, width * sizeof *r->rows, CHUNK, r->k->raw);
        r->at = 0;
    }
    if (r->have) return r->rows + width * (size_t)r->at++;
    arne_fail(error, ARNE_NO_FILE, r->k->name, 0, "cannot read the temporary file of its rows");
    return NULL;
}

/* What one reading of all rows tells: pieces, the mean step inside them, and which times the speeds believe. */
typedef struct {
    double sum, by_stamp, by_row;
    long steps;
} survey;

static arne_status look(track *k, double usual, survey *s, arne_error *error)
{
    const int n = k->n, width = track_width(k);
    double *before = k->before;
    reader r;
    arne_status status = begin(&r, k, error);
    *s = (survey){0};
    for (long at = 0; at < k->rows && !status; at++) {
        const double *now = next(&r, error);
        if (!now) status = ARNE_NO_FILE;
        const double step = now && at ? now[0] - before[0] : 0;
        k->gaps += step > GAP * usual;
        if (!status && (!at || step > GAP * usual) && !add_piece(k, at)) status = NO_MEMORY(error);
        if (status) break;
        k->pieces[k->npiece - 1].count++;
        for (int i = 0; i < n && at && step <= GAP * usual; i++) {
            const double dq = now[1 + i] - before[1 + i], v = (now[1 + n + i] + before[1 + n + i]) / 2;
            k->speed[i] = fmax(k->speed[i], fabs(dq / step));
            s->by_stamp += (dq - v * step) * (dq - v * step);
            s->by_row += (dq - v * usual) * (dq - v * usual);
        }
        if (at && step <= GAP * usual) s->sum += step, s->steps++;
        memcpy(before, now, (size_t)width * sizeof *before);
    }
    free(r.rows);
    return status;
}

/* Speeds behind their positions: v(t) = qd(t - late), so that the slope of q less v is late times the acceleration, over windows
 * of SPAN rows before and after. */
static arne_status find_late(track *k, double *late, double *better, arne_error *error)
{
    const int n = k->n, width = track_width(k), span = k->period < 0.05 / 2 ? (int)(0.05 / k->period) : 2, ring = 2 * span + 1;
    double *past = malloc((size_t)(ring * width + n) * sizeof *past), *sum = past + ring * width, xy = 0, xx = 0, yy = 0;
    reader r;
    arne_status status = begin(&r, k, error);
    if (!status && !past) status = NO_MEMORY(error);
    for (int p = 0; p < k->npiece && !status; p++) {
        for (int i = 0; i < n; i++) sum[i] = 0;
        for (long at = 0; at < k->pieces[p].count && !status; at++) {
            const double *now = next(&r, error);
            double *slot = past + (at % ring) * width;
            const double *first = past + ((at + 1) % ring) * width;
            if (!now) status = ARNE_NO_FILE;
            for (int i = 0; i < n && !status; i++) sum[i] += now[1 + n + i] - (at >= ring ? slot[1 + n + i] : 0);
            if (!status) memcpy(slot, now, (size_t)width * sizeof *slot);
            for (int i = 0; i < n && !status && at + 1 >= ring; i++) {
                const double time = slot[0] - first[0], x = (slot[1 + n + i] - first[1 + n + i]) / time;
                const double mean = (sum[i] - (slot[1 + n + i] + first[1 + n + i]) / 2) / (ring - 1);
                const double y = (slot[1 + i] - first[1 + i]) / time - mean;
                xy += x * y, xx += x * x, yy += y * y;
            }
        }
    }
    free(past);
    free(r.rows);
    *late = xx > 0 ? xy / xx : 0;
    *better = yy > 0 ? xy * xy / (xx * yy) : 0;
    return status;
}

/* How far the stamps are from even ones. */
static arne_status unevenness(track *k, arne_error *error)
{
    reader r;
    arne_status status = begin(&r, k, error);
    for (int p = 0; p < k->npiece && !status; p++) {
        double start = 0;
        for (long at = 0; at < k->pieces[p].count && !status; at++) {
            const double *row = next(&r, error);
            if (!row) status = ARNE_NO_FILE;
            if (!status && !at) start = row[0];
            if (!status) k->offset = fmax(k->offset, fabs(row[0] - start - (double)at * k->period) / k->period);
        }
    }
    free(r.rows);
    return status;
}

/* Rows of one piece, interpolated at even times. */
static arne_status spread(const track *k, reader *r, const piece *from, FILE *to, long *count, arne_error *error)
{
    const int width = track_width(k);
    double *room = malloc(3 * (size_t)width * sizeof *room), *a = room, *b = a + width, *row = b + width, start = 0;
    arne_status status = room ? ARNE_OK : NO_MEMORY(error);
    *count = 0;
    for (long at = 0; at < from->count && !status; at++) {
        const double *now = next(r, error);
        if (!now) status = ARNE_NO_FILE;
        if (status) break;
        memcpy(a, at ? b : now, (size_t)width * sizeof *a);
        memcpy(b, now, (size_t)width * sizeof *b);
        if (!at) start = now[0];
        if (k->untrue) b[0] = start + (double)at * k->period;
        for (double t; !status && (t = start + (double)*count * k->period) <= b[0] + 1e-9 * k->period; ++*count) {
            const double part = b[0] > a[0] ? (t - a[0]) / (b[0] - a[0]) : 1;
            for (int i = 0; i < width; i++) row[i] = a[i] + part * (b[i] - a[i]);
            row[0] = t;
            status = put(k, to, row, error);
        }
    }
    free(room);
    return status;
}

static arne_status make_grid(track *k, arne_error *error)
{
    FILE *to = tmpfile();
    reader r;
    if (!to) return arne_fail(error, ARNE_NO_FILE, k->name, 0, "cannot make a temporary file for the rows");
    k->grid = to;
    arne_status status = begin(&r, k, error);
    k->count = 0;
    for (int p = 0; p < k->npiece && !status; p++) {
        long count;
        status = spread(k, &r, &k->pieces[p], to, &count, error);
        k->pieces[p] = (piece){k->count, count};
        k->count += count;
    }
    free(r.rows);
    fclose(k->raw);
    k->raw = NULL;
    return status;
}

arne_status arne__track_close(track *k, bool even, arne_error *error)
{
    double usual = 0;
    survey s;
    if (k->rows < 3) return arne_fail(error, ARNE_BAD_VALUE, k->name, 0, "the log has %ld rows: too few to learn from", k->rows);
    fflush(k->raw);
    arne_status status = usual_step(k, &usual, error);
    if (!status) status = look(k, usual, &s, error);
    if (status) return status;
    k->period = s.steps ? s.sum / (double)s.steps : usual;
    k->count = k->rows;
    /* rows may be even although their stamps are not: then speeds agree with rows, clearly */
    k->untrue = k->has_qd && s.by_row < 0.25 * s.by_stamp;
    double late = 0, better = 0;
    if (k->has_qd && even) status = find_late(k, &late, &better, error);
    if (better > 0.5 && fabs(late) > 2 * k->period && fabs(late) > 0.005) {
        k->late = late;
        k->has_qd = false;
        k->untrue = false;
    }
    if (!even || status) return status;
    status = unevenness(k, error);
    if (status || (k->offset <= EVEN && !k->untrue)) return status;
    return make_grid(k, error);
}

void arne__track_free(track *k)
{
    if (k->grid && k->grid != k->raw) fclose(k->grid);
    if (k->raw) fclose(k->raw);
    free(k->name);
    free(k->moves);
    free(k->torques);
    free(k->least);
    free(k->pieces);
    *k = (track){0};
}
