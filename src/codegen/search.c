/* SPDX-License-Identifier: MIT
 *
 * search.c - how each link is treated in the lean texts (algo/lean.h): one link at a time until nothing gets better, from several
 * starts, without and with a unit of length. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "algo/lean.h"
#include "codegen/reduce.h"

enum { SEARCHED = 12, WAYS = 5 }; /* joints of the longest robot that is searched; bits of a way, without the unit */

typedef struct {
    uint64_t ways;
    long raw, cost; /* operations of the text as it stands, and after all that can be saved; -1: not known */
} known;

typedef struct {
    symbolic_session *session;
    sym_graph *spread, *less;
    sym *x;
    int n, use;
    bool failed;
    const int *allowed;     /* n: bits worth trying */
    int *way, *kept, *lean; /* n: at hand, of the best so far, as the texts take them */
    long best, saved;       /* operations of the best; the most that were ever saved */
    known *list;            /* what was tried */
    int count, room;
} search;

/* A point mass moves to the next origin only across its axis; axes before a joint help where the next joint turns on, where none
 * follows, and on the second link, whose motion is simple there. */
static int worth_trying(const arne_model *m, const arne_base *base, int j)
{
    const int up = arne_joint_parent(m, j);
    const arne_joint_type kind = arne_joint_kind(m, j);
    const bool wide = kind == ARNE_SPHERICAL || kind == ARNE_FREE;
    bool leaf = true;
    int bits = LEAN_COLUMN | LEAN_PSEUDO | (up >= 0 && arne_joint_parent(m, up) < 0 ? LEAN_BEFORE : 0);
    for (int i = j + 1; i < base->joints; i++) {
        const arne_base_frame *f = &base->frames[i];
        if (arne_joint_parent(m, i) != j) continue;
        leaf = false;
        if (fabs(sin(f->alpha)) < 1e-12) bits |= LEAN_BEFORE;
        if (arne_joint_kind(m, i) == ARNE_REVOLUTE && (f->d != 0 || fabs(f->r * sin(f->alpha)) > 1e-12))
            bits |= LEAN_POINT | LEAN_ROUND;
    }
    if (leaf) bits |= LEAN_BEFORE;
    return wide ? bits & ~(LEAN_COLUMN | LEAN_BEFORE) : bits;
}

/* the ways of all links in one number; the unit of length is that of one link */
static uint64_t packed(const search *s)
{
    uint64_t all = 0, unit = 0;
    for (int j = 0; j < s->n && j < SEARCHED; j++) {
        all = all << WAYS | (uint64_t)(s->way[j] & ~LEAN_UNIT);
        if (s->way[j] & LEAN_UNIT) unit = (uint64_t)j + 1;
    }
    return all << (64 - SEARCHED * WAYS) | unit;
}

/* the place of the ways at hand among those that were tried; NULL: out of memory */
static known *place(search *s)
{
    const uint64_t ways = packed(s);
    for (int i = 0; i < s->count && s->n <= SEARCHED; i++)
        if (s->list[i].ways == ways) return &s->list[i];
    if (s->count == s->room) {
        const int room = s->room ? 2 * s->room : 256;
        known *list = realloc(s->list, (size_t)room * sizeof *list);
        if (!list) return NULL;
        s->list = list;
        s->room = room;
    }
    s->list[s->count] = (known){ways, -1, -1};
    return &s->list[s->count++];
}

/* Operations of the text; LONG_MAX: out of memory, or more than `bound` even if more were saved than ever before: saving takes
 * four times as long as the text itself. */
static long cost(search *s, long bound)
{
    enum { MORE = 4 };
    known *k = place(s);
    symbolic run;
    graph_count c;
    if (!k) return s->failed = true, LONG_MAX;
    if (k->cost >= 0) return k->cost;
    if (k->raw >= 0 && s->saved >= 0 && k->raw - s->saved - MORE > bound) return LONG_MAX;
    for (int j = 0; j < s->n; j++) s->lean[j] = s->way[j] << LEAN_BITS * s->use;
    s->failed = !arne__symbolic_again(s->session, s->lean, &run) || !arne__graph_cost(run.g, run.out, run.nout, &c) || s->failed;
    if (s->failed) return LONG_MAX;
    k->raw = c.mul + c.add + c.div;
    if (s->saved >= 0 && k->raw - s->saved - MORE > bound) return LONG_MAX;
    s->failed = !arne__graph_leaner(&run, s->spread, s->less, s->x, &c);
    if (s->failed) return LONG_MAX;
    k->cost = c.mul + c.add + c.div;
    if (k->raw - k->cost > s->saved) s->saved = k->raw - k->cost;
    return k->cost;
}

/* the cheapest way for every link, one link at a time until nothing gets better, into kept if it is the best so far */
static void descend(search *s, int unit)
{
    static const int masses[] = {0, LEAN_POINT, LEAN_ROUND};
    for (int j = 0; j < s->n; j++) s->way[j] = (s->way[j] & ~LEAN_UNIT) | (j == unit ? LEAN_UNIT : 0);
    long now = cost(s, LONG_MAX);
    for (bool better = s->n <= SEARCHED; better;) {
        better = false;
        for (int j = s->n - 1; j >= 0; j--)
            for (int k = 0; k < 3 * LEAN_POINT; k++) {
                const int old = s->way[j];
                const int way = (k & (LEAN_COLUMN | LEAN_PSEUDO | LEAN_BEFORE)) | masses[k / LEAN_POINT] | (old & LEAN_UNIT);
                if (way == old || way & ~(s->allowed[j] | LEAN_UNIT) ||
                    (LEAN_TORQUES << s->use == LEAN_MASS && way & LEAN_COLUMN))
                    continue;
                s->way[j] = way;
                const long c = cost(s, now);
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
        for (int j = 0; j < s->n; j++) s->way[j] = (s->kept[j] & ~LEAN_UNIT) | (j == unit ? LEAN_UNIT : 0);
        const long c = cost(s, least);
        if (c < least) least = c, best = unit;
    }
    return best;
}

/* ways for one use, into kept; long robots take a start as it is */
static void choose(search *s)
{
    static const int starts[] = {0, LEAN_COLUMN | LEAN_PSEUDO, LEAN_COLUMN | LEAN_PSEUDO | LEAN_POINT};
    enum { STARTS = sizeof starts / sizeof *starts };
    const bool mass = LEAN_TORQUES << s->use == LEAN_MASS;
    s->best = LONG_MAX;
    for (int unit = -1, k = 0; k < 2 * STARTS; k++) {
        if (k == STARTS && s->n > SEARCHED) break;
        if (k == STARTS) unit = best_unit(s);
        for (int j = 0; j < s->n; j++) s->way[j] = mass ? starts[k % STARTS] & ~LEAN_COLUMN : starts[k % STARTS];
        descend(s, unit);
    }
}

/* the text that has this use alone */
static bool choose_use(search *s, const arne_data *d, bool with_wrench, int *lean)
{
    int i = 0;
    while (arne__symbolic_uses(i) != LEAN_TORQUES << s->use) i++;
    symbolic run;
    const symbolic_options o = {.with_wrench = with_wrench};
    s->session = arne__symbolic_open(d, arne__symbolic_name_of(i), &o);
    s->count = 0;
    s->saved = -1;
    bool ok = s->session && arne__symbolic_again(s->session, NULL, &run);
    s->x = ok ? malloc(2 * (size_t)run.nout * sizeof *s->x) : NULL;
    if (s->x) choose(s);
    ok = s->x && !s->failed;
    for (int j = 0; j < s->n && ok; j++) lean[j] |= s->kept[j] << LEAN_BITS * s->use;
    free(s->x);
    arne__symbolic_close(s->session);
    return ok;
}

bool arne__lean_search(const reduced *r, int uses, bool with_wrench, int *lean)
{
    const arne_model *m = arne_data_model(r->d);
    const int n = arne_model_joints(m);
    int *ways = calloc(4 * (size_t)n, sizeof *ways);
    search s = {.spread = arne__sym_graph_new(), .less = arne__sym_graph_new(), .n = n};
    bool ok = ways && s.spread && s.less;
    if (ok) {
        s.way = ways;
        s.kept = ways + n;
        s.lean = ways + 2 * n;
        s.allowed = ways + 3 * n;
        for (int j = 0; j < n; j++) lean[j] = 0, ways[3 * n + j] = worth_trying(m, r->base, j);
    }
    for (s.use = 0; ok && LEAN_TORQUES << s.use <= LEAN_MASS; s.use++)
        if (uses & LEAN_TORQUES << s.use) ok = choose_use(&s, r->d, with_wrench, lean);
    arne__sym_graph_free(s.spread);
    arne__sym_graph_free(s.less);
    free(s.list);
    free(ways);
    return ok;
}
