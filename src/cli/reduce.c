/* SPDX-License-Identifier: MIT
 *
 * reduce.c - a robot with its base parameters in place of the standard ones: the same torques from fewer numbers. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/count.h"
#include "arne/identify.h"
#include "cli/cli.h"

/* the largest difference of the torques of two data objects at some states, beside the largest torque */
static double difference(arne_data *a, arne_data *b, int n, double *x)
{
    double worst = 0, size = 1, *y = x + 3 * n, *z = y + n;
    unsigned seed = 11;
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 3 * n; i++) {
            seed = seed * 1664525u + 1013904223u;
            x[i] = 3 * ((double)(seed >> 8) / 8388608.0 - 1);
        }
        arne_id(a, x, x + n, x + 2 * n, y);
        arne_id(b, x, x + n, x + 2 * n, z);
        for (int i = 0; i < n; i++) {
            worst = fmax(worst, fabs(y[i] - z[i]));
            size = fmax(size, fabs(y[i]));
        }
    }
    return worst / size;
}

/* Second moments along the axis of a revolute joint belong to both links it joins: they are moved to the inner one, so that the
 * pseudo inertia of the outer link has no zz and its moment costs less [ERRATA part two 2.3, items 2 and 3]. Torques stay the
 * same. */
static void move_along_axis(const arne_model *m, const arne_base *base, int j, double *K)
{
    const int up = arne_joint_parent(m, j);
    if (up < 0 || arne_joint_kind(m, j) != ARNE_REVOLUTE) return;
    double *outer = K + ARNE_LINK_PARAMETERS * j, *inner = K + ARNE_LINK_PARAMETERS * up;
    const double k = (outer[0] + outer[3] - outer[5]) / 2; /* Kzz = (XX + YY - ZZ)/2 */
    const arne_base_frame *f = &base->frames[j];
    double ca = cos(f->alpha), sa = sin(f->alpha), cg = cos(f->gamma), sg = sin(f->gamma);
    if (fabs(ca) < 1e-15) ca = 0;
    if (fabs(sa) < 1e-15) sa = 0;
    const double z[3] = {sg * sa, -cg * sa, ca};
    outer[0] -= k;
    outer[3] -= k;
    outer[5] = outer[0] + outer[3];
    /* J = Tr(K) E - K with K = k z z' */
    inner[0] += k * (1 - z[0] * z[0]);
    inner[1] -= k * z[0] * z[1];
    inner[2] -= k * z[0] * z[2];
    inner[3] += k * (1 - z[1] * z[1]);
    inner[4] -= k * z[1] * z[2];
    inner[5] += k * (1 - z[2] * z[2]);
}

/* A joint origin belongs to both links, so a point mass may sit there on either. The one that takes away MX (or MY) of the inner
 * link goes to the outer one; the mass that this leaves at the inner link's own origin goes on to the link before [ERRATA part
 * two 2.3, item 3]. */
static void offset_of(const arne_base_frame *f, double p[3])
{
    const double x = f->d, y = -f->r * sin(f->alpha), c = cos(f->gamma), s = sin(f->gamma);
    p[0] = c * x - s * y;
    p[1] = s * x + c * y;
    p[2] = f->b + f->r * cos(f->alpha);
    for (int k = 0; k < 3; k++)
        if (fabs(p[k]) < 1e-15 * (fabs(f->d) + fabs(f->r) + fabs(f->b))) p[k] = 0;
}

static void add_point(double *K, double mass, const double p[3])
{
    const double pp = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    K[0] += mass * (pp - p[0] * p[0]);
    K[1] -= mass * p[0] * p[1];
    K[2] -= mass * p[0] * p[2];
    K[3] += mass * (pp - p[1] * p[1]);
    K[4] -= mass * p[1] * p[2];
    K[5] += mass * (pp - p[2] * p[2]);
    for (int k = 0; k < 3; k++) K[6 + k] += mass * p[k];
    K[9] += mass;
}

static void move_point(const arne_model *m, const arne_base *base, int j, double *K)
{
    int child = -1;
    for (int i = 0; i < base->dof; i++)
        if (arne_joint_parent(m, i) == j) child = i;
    if (child < 0 || arne_joint_kind(m, child) != ARNE_REVOLUTE || arne_joint_kind(m, j) != ARNE_REVOLUTE ||
        !base->frames[child].dh)
        return;
    double p[3], *inner = K + ARNE_LINK_PARAMETERS * j;
    offset_of(&base->frames[child], p);
    const int k = p[0] != 0 && inner[6] != 0 ? 0 : 1;
    if (p[k] == 0 || inner[6 + k] == 0) return;
    const double mass = inner[6 + k] / p[k];
    add_point(inner, -mass, p);
    inner[6 + k] = 0;
    K[ARNE_LINK_PARAMETERS * child + 9] += mass;
    const int up = arne_joint_parent(m, j);
    if (up < 0 || !base->frames[j].dh) return;
    offset_of(&base->frames[j], p);
    add_point(K + ARNE_LINK_PARAMETERS * up, inner[9], p);
    inner[9] = 0;
}

/* How a link is treated: the lean bits of arne_count_options, and a point mass moved to the next origin. */
enum { COLUMN = 1, PSEUDO = 2, POINT = 4, WAYS = 8, SEARCHED = 12 };

typedef struct {
    const robot *r;
    arne_data *d;
    const arne_base *base;
    int n;
    const double *K;        /* grouped */
    double *trial;          /* 11 n */
    int *way, *lean, *kept; /* n */
} search;

/* the parameters for the ways chosen, into d */
static void apply(search *s)
{
    memcpy(s->trial, s->K, (size_t)(ARNE_LINK_PARAMETERS * s->n) * sizeof *s->trial);
    for (int j = s->n - 1; j > 0; j--)
        if (s->way[j] & POINT) move_point(s->r->model, s->base, j, s->trial);
    for (int j = s->n - 1; j > 0; j--)
        if (s->way[j] & PSEUDO) move_along_axis(s->r->model, s->base, j, s->trial);
    for (int j = 0; j < s->n; j++) s->lean[j] = s->way[j] & (COLUMN | PSEUDO);
    arne_set_parameters(s->d, s->trial);
}

/* operations of inverse dynamics; LONG_MAX: out of memory */
static long cost(search *s)
{
    arne_operations c;
    apply(s);
    return arne_count(s->d, "id-lean", &(arne_count_options){.with_wrench = true, .lean = s->lean}, &c) ? LONG_MAX
                                                                                                        : c.mul + c.add;
}

/* the cheapest way for every link, one at a time until nothing gets better; long robots take one way for all */
static void choose(search *s)
{
    static const int starts[] = {0, COLUMN | PSEUDO};
    const size_t bytes = (size_t)s->n * sizeof *s->way;
    long best = LONG_MAX;
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < s->n; j++) s->way[j] = starts[k];
        long now = cost(s);
        for (bool better = s->n <= SEARCHED; better;) {
            better = false;
            for (int j = s->n - 1; j >= 0; j--)
                for (int way = 0; way < WAYS; way++) {
                    const int old = s->way[j];
                    s->way[j] = way;
                    const long c = cost(s);
                    if (c < now)
                        now = c, better = true;
                    else
                        s->way[j] = old;
                }
        }
        if (now < best) {
            best = now;
            memcpy(s->kept, s->way, bytes);
        }
    }
    memcpy(s->way, s->kept, bytes);
    apply(s);
}

arne_data *robot_reduced(const robot *r, const arne_data *d, bool general, int **lean, double *error)
{
    const int n = arne_model_dof(r->model), size = ARNE_LINK_PARAMETERS * n;
    arne_data *reduced = robot_data(r), *same = robot_data(r);
    arne_base *base = NULL;
    arne_error why;
    double *K = malloc((size_t)(2 * size + 5 * n) * sizeof *K), *x = K + 2 * size;
    int *ways = calloc(3 * (size_t)n, sizeof *ways);
    *lean = malloc((size_t)n * sizeof **lean);
    /* coupled rotors are no part of one link: they stay apart */
    const arne_base_options options = {.no_rotors = r->rigid || r->description->transmission};
    const bool ok = reduced && same && K && ways && *lean && !arne_base_find(r->model, &options, &base, &why);
    if (ok) {
        search s = {r, reduced, base, n, K, K + size, ways, *lean, ways + n};
        arne_parameters(d, K);
        for (int i = 0; i < n && options.no_rotors; i++) K[ARNE_LINK_PARAMETERS * i + ARNE_LINK_PARAMETERS - 1] = 0;
        arne_base_grouped(base, K, K);
        if (general) { /* any numbers where a parameter stays: none is zero, no two are equal */
            for (int i = 0; i < size; i++) K[i] = 0;
            for (int i = 0; i < base->count; i++) K[base->parameters[i].parameter] = 0.7390851332151607 + 0.1 * i;
        }
        choose(&s);
        *error = general ? 0 : difference(same, reduced, n, x);
    } else {
        arne_data_free(reduced);
        free(*lean);
        reduced = NULL;
        *lean = NULL;
        no_memory();
    }
    arne_base_free(base);
    arne_data_free(same);
    free(ways);
    free(K);
    return reduced;
}
