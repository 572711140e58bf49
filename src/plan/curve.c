/* SPDX-License-Identifier: MIT
 *
 * curve.c - curves through way-points. */
#include <math.h>
#include <string.h>

#include "arne/plan.h"
#include "base/fail.h"
#include "plan/path.h"

/* points nearer to each other than this part of the whole length are the same */
static const double SAME = 1e-9;

struct arne_curve {
    arena *memory;
    path path;
    int merged;
};

const path *arne__curve_path(const arne_curve *c) { return &c->path; }

static arne_status check_points(const double *points, int count, int dof, arne_error *error)
{
    if (count < 2) return BAD_VALUE(error, "a path has at least two points");
    if (dof < 1) return BAD_VALUE(error, "a path needs at least one joint that moves");
    for (int k = 0; k < count; k++)
        for (int i = 0; i < dof; i++)
            if (!isfinite(points[(size_t)k * (size_t)dof + (size_t)i]))
                return BAD_VALUE(error, "point %d has a number that is not finite", k + 1);
    return ARNE_OK;
}

static double distance(const double *a, const double *b, int dof)
{
    double chord = 0;
    for (int i = 0; i < dof; i++) chord = hypot(chord, b[i] - a[i]);
    return chord;
}

/* Copies the points without those that are where the one before is; returns how many are left. */
static int merge(const double *points, int count, int dof, double *to, int *number)
{
    const size_t n = (size_t)dof;
    double length = 0;
    for (size_t k = 1; k < (size_t)count; k++) length += distance(points + (k - 1) * n, points + k * n, dof);
    const double same = isfinite(length) ? SAME * length : 0;
    size_t left = 0;
    for (size_t k = 0; k < (size_t)count; k++) {
        if (left > 0 && !(distance(to + (left - 1) * n, points + k * n, dof) > same)) continue;
        memcpy(to + left * n, points + k * n, n * sizeof *to);
        number[left++] = (int)k + 1;
    }
    return (int)left;
}

static arne_status make(arne_curve *c, const double *points, int count, int dof, arne_error *error)
{
    double *own = arne__arena_take(c->memory, (size_t)count * (size_t)dof, sizeof *own);
    int *number = arne__arena_take(c->memory, (size_t)count, sizeof *number);
    if (!own || !number) return NO_MEMORY(error);
    const int left = merge(points, count, dof, own, number);
    if (left < 2) return BAD_VALUE(error, "all %d points are the same: a path goes somewhere", count);
    if (!arne__path_spline(&c->path, c->memory, own, left, dof)) return NO_MEMORY(error);
    c->path.number = number;
    c->merged = count - left;
    if (!isfinite(c->path.s[left - 1])) return BAD_VALUE(error, "the points are too far apart for numbers to tell");
    return ARNE_OK;
}

arne_status arne_curve_new(const double *points, int count, int dof, arne_curve **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!points || !out) return BAD_ARGUMENT(error, "a path needs points and a place");
    arne_status status = check_points(points, count, dof, error);
    if (status) return status;
    arena *memory = arne__arena_new();
    arne_curve *c = arne__arena_take(memory, 1, sizeof *c);
    if (c) c->memory = memory;
    status = c ? make(c, points, count, dof, error) : NO_MEMORY(error);
    if (status)
        arne__arena_free(memory);
    else
        *out = c;
    return status;
}

void arne_curve_free(arne_curve *c)
{
    if (c) arne__arena_free(c->memory);
}

double arne_curve_length(const arne_curve *c) { return c ? c->path.s[c->path.count - 1] : 0; }
int arne_curve_merged(const arne_curve *c) { return c ? c->merged : 0; }

double arne_curve_point(const arne_curve *c, double s)
{
    if (!c) return NAN;
    const path *p = &c->path;
    const int k = arne__path_piece(p, s);
    return p->number[k] + (s - p->s[k]) / (p->s[k + 1] - p->s[k]) * (p->number[k + 1] - p->number[k]);
}

arne_status arne_curve_at(const arne_curve *c, double s, double *q, double *q1, double *q2)
{
    if (!c) return ARNE_BAD_ARGUMENT;
    const path *p = &c->path;
    const int k = arne__path_piece(p, s);
    arne__path_at(p, k, (s - p->s[k]) / (p->s[k + 1] - p->s[k]), q, q1, q2);
    return ARNE_OK;
}
