/* SPDX-License-Identifier: MIT
 *
 * stack.c - rows compressed by orthogonal triangles in chunks: memory does not grow with the logs, and the sum of squares of any
 * model on any fold is there without the rows. */
#include "estimate/stack.h"

#include <math.h>
#include <string.h>

/* Reflections that turn column k of the rows into the diagonal of T: of the triangle each touches row k alone, and rows that are
 * still empty there are passed over. */
void arne__triangle_add(int width, double *T, int rows, double *B)
{
    double sums[16 * ARNE_BASE_MOST_JOINTS];
    for (int k = 0; k < width; k++) {
        double *top = T + k * width, square = 0;
        for (int r = 0; r < rows; r++) square += B[r * width + k] * B[r * width + k];
        if (square < 1e-200) { /* rounding of rounding: its square would not be a number any more */
            for (int r = 0; r < rows; r++) B[r * width + k] = 0;
            continue;
        }
        const double pivot = -copysign(sqrt(square + top[k] * top[k]), top[k]), head = top[k] - pivot, scale = 1 / (pivot * head);
        for (int c = k + 1; c < width; c++) sums[c] = head * top[c];
        for (int r = 0; r < rows; r++) {
            const double *row = B + r * width, v = row[k];
            for (int c = k + 1; c < width && v != 0; c++) sums[c] += v * row[c];
        }
        for (int c = k + 1; c < width; c++) {
            sums[c] *= scale;
            top[c] += head * sums[c];
        }
        for (int r = 0; r < rows; r++) {
            double *row = B + r * width;
            const double v = row[k];
            for (int c = k + 1; c < width && v != 0; c++) row[c] += v * sums[c];
            row[k] = 0;
        }
        top[k] = pivot;
    }
}

static int chunk(int width) { return width < 48 ? 2 * width : 96; } /* rows that wait */

bool arne__stack_new(stack *s, const columns *c, arena *a)
{
    const size_t joints = (size_t)c->njoint;
    int widest = 0;
    *s = (stack){.c = c};
    s->part = arne__arena_take(a, joints * FOLDS * 2, sizeof *s->part);
    s->merged = arne__arena_take(a, joints * (FOLDS + 1), sizeof *s->merged);
    s->have = arne__arena_take(a, joints * FOLDS * 2, sizeof *s->have);
    s->wait = arne__arena_take(a, joints * FOLDS * 2, sizeof *s->wait);
    if (!s->part || !s->merged || !s->have || !s->wait) return false;
    for (int j = 0; j < c->njoint; j++) {
        const int width = c->width[j] + 1;
        const size_t size = (size_t)width * (size_t)width;
        if (width > widest) widest = width;
        double *room = arne__arena_take(a, size * (3 * FOLDS + 1), sizeof *room);
        double *wait = arne__arena_take(a, 2 * FOLDS * (size_t)(chunk(width) * width), sizeof *wait);
        if (!room || !wait) return false;
        for (int k = 0; k < 2 * FOLDS; k++, room += size) s->part[j * 2 * FOLDS + k] = (triangle){width, room, 0};
        for (int k = 0; k <= FOLDS; k++, room += size) s->merged[j * (FOLDS + 1) + k] = (triangle){width, room, 0};
        for (int k = 0; k < 2 * FOLDS; k++) s->wait[j * 2 * FOLDS + k] = wait + k * chunk(width) * width;
    }
    s->work = arne__arena_take(a, (size_t)(widest * widest), sizeof *s->work);
    return s->work;
}

static void flush(stack *s, int at)
{
    triangle *t = &s->part[at];
    arne__triangle_add(t->width, t->T, s->have[at], s->wait[at]);
    t->rows += s->have[at];
    s->have[at] = 0;
}

void arne__stack_row(stack *s, int j, int fold, bool moving, const double *row, double weight)
{
    const int at = (j * FOLDS + fold) * 2 + moving, width = s->c->width[j] + 1;
    if (s->have[at] == chunk(width)) flush(s, at);
    double *to = s->wait[at] + s->have[at]++ * width;
    for (int c = 0; c < width; c++) to[c] = weight * row[c];
}

static void merge(stack *s, int j, int without)
{
    triangle *to = &s->merged[j * (FOLDS + 1) + without];
    const size_t size = (size_t)(to->width * to->width) * sizeof *to->T;
    to->rows = 0;
    memset(to->T, 0, size);
    for (int f = 0; f < FOLDS; f++)
        for (int moving = 0; moving < 2; moving++) {
            const triangle *t = stack_part(s, j, f, moving);
            if (f == without || !t->rows) continue;
            memcpy(s->work, t->T, size);
            arne__triangle_add(to->width, to->T, to->width, s->work);
            to->rows += t->rows;
        }
}

void arne__stack_finish(stack *s)
{
    for (int at = 0; at < s->c->njoint * 2 * FOLDS; at++) flush(s, at);
    for (int j = 0; j < s->c->njoint; j++)
        for (int f = 0; f <= FOLDS; f++) merge(s, j, f);
}

double arne__triangle_square(const columns *c, int j, const triangle *t, const double *x)
{
    const int width = t->width;
    double sum = 0;
    for (int r = 0; r < width && t->rows; r++) {
        const double *row = t->T + r * width;
        double left = -row[width - 1];
        for (int k = r; k < width - 1 && x; k++) left += row[k] * x[c->active[j][k]];
        sum += left * left;
    }
    return sum;
}
