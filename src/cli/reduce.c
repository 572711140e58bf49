/* SPDX-License-Identifier: MIT
 *
 * reduce.c - a robot with its base parameters in place of the standard ones: the same torques from fewer numbers. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/count.h"
#include "arne/identify.h"
#include "base/random.h"
#include "cli/cli.h"

/* the largest difference of the torques of two data objects at some states, beside the largest torque */
static double difference(arne_data *a, arne_data *b, int n, double *x)
{
    double worst = 0, size = 1, *y = x + 3 * n, *z = y + n;
    random_source random = {.state = 11};
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 3 * n; i++) x[i] = 3 * arne__random_signed(&random);
        arne_id(a, x, x + n, x + 2 * n, y);
        arne_id(b, x, x + n, x + 2 * n, z);
        for (int i = 0; i < n; i++) {
            worst = fmax(worst, fabs(y[i] - z[i]));
            size = fmax(size, fabs(y[i]));
        }
    }
    return worst / size;
}

/* Ways to treat a link, the bits of arne_count_options.lean. */
enum { COLUMN = 1, PSEUDO = 2, BEFORE = 4, POINT = 8, ROUND = 16, UNIT = 32, WAY_BITS = 8, SEARCHED = 12 };
enum { TORQUES, BIAS, MASS, USES }; /* what they are chosen for */

typedef struct {
    const arne_data *d;
    int n, use;
    bool wrench;
    const int *allowed;     /* n: bits worth trying */
    int *way, *kept, *lean; /* n: at hand, of the best so far, as arne_count takes them */
    long best;
} search;

/* A point mass moves to the next origin only across its axis; axes before a joint help where the next joint turns on, where none
 * follows, and on the second link, whose motion is simple there. */
static int worth_trying(const arne_model *m, const arne_base *base, int j)
{
    const int up = arne_joint_parent(m, j);
    bool leaf = true;
    int bits = COLUMN | PSEUDO | (up >= 0 && arne_joint_parent(m, up) < 0 ? BEFORE : 0);
    for (int i = j + 1; i < base->dof; i++) {
        const arne_base_frame *f = &base->frames[i];
        if (arne_joint_parent(m, i) != j) continue;
        leaf = false;
        if (fabs(sin(f->alpha)) < 1e-12) bits |= BEFORE;
        if (arne_joint_kind(m, i) == ARNE_REVOLUTE && (f->d != 0 || fabs(f->r * sin(f->alpha)) > 1e-12)) bits |= POINT | ROUND;
    }
    return leaf ? bits | BEFORE : bits;
}

/* operations of the text; LONG_MAX: out of memory */
static long cost(const search *s)
{
    static const char *const text[USES] = {"id-lean", "bias-lean", "mass-lean"};
    arne_operations c;
    for (int j = 0; j < s->n; j++) s->lean[j] = s->way[j] << WAY_BITS * s->use;
    const arne_count_options o = {.with_wrench = s->wrench, .lean = s->lean};
    return arne_count(s->d, text[s->use], &o, &c) ? LONG_MAX : c.mul + c.add + c.div;
}

/* the cheapest way for every link, one link at a time until nothing gets better, into kept if it is the best so far */
static void descend(search *s, int unit)
{
    static const int masses[] = {0, POINT, ROUND};
    for (int j = 0; j < s->n; j++) s->way[j] = (s->way[j] & ~UNIT) | (j == unit ? UNIT : 0);
    long now = cost(s);
    for (bool better = s->n <= SEARCHED; better;) {
        better = false;
        for (int j = s->n - 1; j >= 0; j--)
            for (int k = 0; k < 3 * POINT; k++) {
                const int old = s->way[j], way = (k & (COLUMN | PSEUDO | BEFORE)) | masses[k / POINT] | (old & UNIT);
                if (way == old || way & ~(s->allowed[j] | UNIT) || (s->use == MASS && way & COLUMN)) continue;
                s->way[j] = way;
                const long c = cost(s);
                if (c < now)
                    now = c, better = true;
                else
                    s->way[j] = old;
            }
    }
    if (now >= s->best) return;
    s->best = now;
    memcpy(s->kept, s->way, (size_t)s->n * sizeof *s->way);
}

/* the offset that is best as the unit of length, the other ways as they are; -1: none */
static int best_unit(search *s)
{
    int best = -1;
    long least = LONG_MAX;
    for (int unit = 0; unit < s->n; unit++) {
        for (int j = 0; j < s->n; j++) s->way[j] = (s->kept[j] & ~UNIT) | (j == unit ? UNIT : 0);
        const long c = cost(s);
        if (c < least) least = c, best = unit;
    }
    return best;
}

/* ways for one use, into kept: from several starts, without and with a unit of length; long robots take a start as it is */
static void choose(search *s)
{
    static const int starts[] = {0, COLUMN | PSEUDO, COLUMN | PSEUDO | POINT};
    enum { STARTS = sizeof starts / sizeof *starts };
    s->best = LONG_MAX;
    for (int unit = -1, k = 0; k < 2 * STARTS; k++) {
        if (k == STARTS && s->n > SEARCHED) break;
        if (k == STARTS) unit = best_unit(s);
        for (int j = 0; j < s->n; j++) s->way[j] = s->use == MASS ? starts[k % STARTS] & ~COLUMN : starts[k % STARTS];
        descend(s, unit);
    }
}

/* the ways of all uses that are not skipped */
static void choose_all(search *s, int skip, int *lean)
{
    for (int j = 0; j < s->n; j++) lean[j] = 0;
    for (s->use = 0; s->use < USES; s->use++) {
        if (skip & REDUCE_NO_TORQUES << s->use) continue;
        choose(s);
        for (int j = 0; j < s->n; j++) lean[j] |= s->kept[j] << WAY_BITS * s->use;
    }
}

arne_data *robot_reduced(const robot *r, const arne_data *d, int how, int **lean, double *error)
{
    const int n = arne_model_dof(r->model), size = ARNE_LINK_PARAMETERS * n;
    arne_data *reduced = robot_data(r), *same = robot_data(r);
    arne_base *base = NULL;
    arne_error why;
    double *K = malloc((size_t)(size + 5 * n) * sizeof *K), *x = K + size;
    int *ways = calloc(4 * (size_t)n, sizeof *ways);
    *lean = malloc((size_t)n * sizeof **lean);
    /* coupled rotors are no part of one link: they stay apart */
    const arne_base_options options = {.no_rotors = r->rigid || r->description->transmission};
    const bool ok = reduced && same && K && ways && *lean && !arne_base_find(r->model, &options, &base, &why);
    if (ok) {
        search s = {.d = reduced, .n = n, .wrench = how & REDUCE_WRENCH};
        s.way = ways;
        s.kept = ways + n;
        s.lean = ways + 2 * n;
        s.allowed = ways + 3 * n;
        for (int j = 0; j < n; j++) ways[3 * n + j] = worth_trying(r->model, base, j);
        arne_parameters(d, K);
        for (int i = 0; i < n && options.no_rotors; i++) K[ARNE_LINK_PARAMETERS * i + ARNE_LINK_PARAMETERS - 1] = 0;
        arne_base_grouped(base, K, K);
        if (how & REDUCE_GENERAL) { /* any numbers where a parameter stays: none is zero, no two are equal */
            for (int i = 0; i < size; i++) K[i] = 0;
            for (int i = 0; i < base->count; i++) K[base->parameters[i].parameter] = 0.7390851332151607 + 0.1 * i;
        }
        arne_set_parameters(reduced, K);
        choose_all(&s, how, *lean);
        *error = how & REDUCE_GENERAL ? 0 : difference(same, reduced, n, x);
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
