/* SPDX-License-Identifier: MIT
 *
 * stack.c - rows compressed by orthogonal triangles in chunks: memory does not grow with the logs, and the sum of squares of any
 * model on any fold is there without the rows. */
#include "estimate/stack.h"

#include <string.h>

/* last: complex.h takes the name I */
#include <lapacke.h>

bool arne__triangulate(int rows, int width, double *A, int ld, double *tau)
{
    return rows == 0 || !LAPACKE_dgeqrf(LAPACK_COL_MAJOR, rows, width, A, ld, tau);
}

static int chunk(int width) { return 2 * width; } /* rows that wait */

bool arne__stack_new(stack *s, const columns *c, arena *a)
{
    const size_t joints = (size_t)c->njoint;
    int widest = 0;
    *s = (stack){.c = c};
    s->part = arne__arena_take(a, joints * FOLDS * 2, sizeof *s->part);
    s->merged = arne__arena_take(a, joints * (FOLDS + 1), sizeof *s->merged);
    s->fold = arne__arena_take(a, 4 * joints, sizeof *s->fold);
    s->wait = arne__arena_take(a, 2 * joints, sizeof *s->wait);
    if (!s->part || !s->merged || !s->fold || !s->wait) return false;
    s->have = s->fold + 2 * joints;
    for (int j = 0; j < c->njoint; j++) {
        const int width = c->width[j] + 1;
        const size_t size = (size_t)width * (size_t)width;
        if (width > widest) widest = width;
        double *room = arne__arena_take(a, size * (3 * FOLDS + 1), sizeof *room);
        double *wait = arne__arena_take(a, 2 * (size_t)(chunk(width) * width), sizeof *wait);
        if (!room || !wait) return false;
        for (int k = 0; k < 2 * FOLDS; k++, room += size) s->part[j * 2 * FOLDS + k] = (triangle){width, room, 0};
        for (int k = 0; k <= FOLDS; k++, room += size) s->merged[j * (FOLDS + 1) + k] = (triangle){width, room, 0};
        for (int k = 0; k < 2; k++) s->wait[2 * j + k] = wait + k * chunk(width) * width;
    }
    s->work = arne__arena_take(a, (size_t)((2 * FOLDS + 2) * widest * widest), sizeof *s->work);
    s->tau = arne__arena_take(a, (size_t)widest, sizeof *s->tau);
    return s->work && s->tau;
}

/* the upper triangle of A back into t */
static void keep(const double *A, int ld, triangle *t)
{
    const int width = t->width;
    for (int c = 0; c < width; c++)
        for (int r = 0; r < width; r++) t->T[c * width + r] = r <= c ? A[c * ld + r] : 0;
}

/* rows that wait (row major) into their triangle */
static bool flush(stack *s, int j, bool moving)
{
    const int at = 2 * j + moving, have = s->have[at];
    if (!have) return true;
    triangle *t = &s->part[(j * FOLDS + s->fold[at]) * 2 + moving];
    const int width = t->width, above = t->rows ? width : 0, ld = width + chunk(width);
    for (int c = 0; c < width; c++) {
        double *to = s->work + c * ld;
        memcpy(to, t->T + c * width, (size_t)above * sizeof *to);
        for (int r = 0; r < have; r++) to[above + r] = s->wait[at][r * width + c];
        for (int r = above + have; r < width; r++) to[r] = 0;
    }
    const int rows = above + have < width ? width : above + have;
    if (!arne__triangulate(rows, width, s->work, ld, s->tau)) return false;
    keep(s->work, ld, t);
    t->rows += have;
    s->have[at] = 0;
    return true;
}

bool arne__stack_row(stack *s, int j, int fold, bool moving, const double *row, double weight)
{
    const int at = 2 * j + moving, width = s->c->width[j] + 1;
    if ((s->have[at] == chunk(width) || s->fold[at] != fold) && !flush(s, j, moving)) return false;
    s->fold[at] = fold;
    double *to = s->wait[at] + s->have[at]++ * width;
    for (int c = 0; c < width; c++) to[c] = weight * row[c];
    return true;
}

static bool merge(stack *s, int j, int without)
{
    triangle *to = &s->merged[j * (FOLDS + 1) + without];
    const int width = to->width, ld = 2 * FOLDS * width;
    int rows = 0;
    to->rows = 0;
    for (int f = 0; f < FOLDS; f++)
        for (int moving = 0; moving < 2; moving++) {
            const triangle *t = stack_part(s, j, f, moving);
            if (f == without || !t->rows) continue;
            for (int c = 0; c < width; c++) memcpy(s->work + c * ld + rows, t->T + c * width, (size_t)width * sizeof *s->work);
            rows += width;
            to->rows += t->rows;
        }
    if (!rows) return true;
    if (!arne__triangulate(rows, width, s->work, ld, s->tau)) return false;
    keep(s->work, ld, to);
    return true;
}

bool arne__stack_finish(stack *s)
{
    bool ok = true;
    for (int j = 0; j < s->c->njoint; j++) {
        for (int moving = 0; moving < 2; moving++) ok = ok && flush(s, j, moving);
        for (int f = 0; f <= FOLDS; f++) ok = ok && merge(s, j, f);
    }
    return ok;
}

double arne__triangle_square(const columns *c, int j, const triangle *t, const double *x)
{
    const int width = t->width;
    double sum = 0;
    for (int r = 0; r < width && t->rows; r++) {
        double left = -t->T[(width - 1) * width + r];
        for (int k = r; k < width - 1 && x; k++) left += t->T[k * width + r] * x[c->active[j][k]];
        sum += left * left;
    }
    return sum;
}
