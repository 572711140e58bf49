/* SPDX-License-Identifier: MIT
 *
 * print_published.c - printed, recounted and ours: multiplications, additions and parallel steps of a general n-link revolute
 * arm. */
#include <stdio.h>

#include "cli/published.h"

enum { LONG_ARM = 8, SHOWN_ARM = 6 };
static const int processors[] = {1, 2, 4, 8};
enum { PROCESSORS = sizeof processors / sizeof *processors };

typedef struct {
    arne_operations written, passes;
} ours;

static bool count_ours(int n, const char *what, bool diagonal, int k, ours *c)
{
    return !arne_count_arm(n, what, diagonal, k, &c->written, &c->passes, NULL);
}

typedef struct {
    long more; /* places where ours is more than the recount */
    long places;
} verdict;

static void judge(verdict *v, long is, long bound)
{
    v->places++;
    v->more += is > bound;
}

static void put_numbers(table *t, const long *list, size_t count)
{
    for (size_t k = 0; k < count; k++) table_format(t, "%ld", list[k]);
}
#define cells(t, ...) put_numbers(t, (const long[]){__VA_ARGS__}, sizeof(long[]){__VA_ARGS__} / sizeof(long))

static void head_of(const arne_published_count *r, out *o)
{
    char mul[64], add[64];
    out_format(o, "%s (004 %s)\n", r->title, r->table ? r->table : "does not count this case");
    if (r->table)
        out_format(o, "  printed      %s multiplications, %s additions\n", arne_sixths_text(&r->printed_mul, mul, sizeof mul),
                   arne_sixths_text(&r->printed_add, add, sizeof add));
    out_format(o, "  independent  %s multiplications, %s additions\n", arne_sixths_text(&r->recount_mul, mul, sizeof mul),
               arne_sixths_text(&r->recount_add, add, sizeof add));
}

static void json_pair(out *o, const char *name, long mul, long add)
{
    json_object(o, name, NUMBER("mul", mul), NUMBER("add", add));
}

/* The beginning of a row. */
static void json_head(out *o, const char *name, const char *method, bool diagonal, int n)
{
    json_open(o, NULL, '{');
    json_members(o, TEXT("table", name), TEXT("method", method), TRUTH("diagonal", diagonal), NUMBER("n", n));
}

static void json_counts(out *o, const arne_published_count *r, int n, const ours *c)
{
    json_head(o, "operations", r->count, r->diagonal, n);
    if (r->table)
        json_pair(o, "printed", arne_sixths_at(&r->printed_mul, n), arne_sixths_at(&r->printed_add, n));
    else
        json_string(o, "printed", NULL);
    json_pair(o, "independent", arne_sixths_at(&r->recount_mul, n), arne_sixths_at(&r->recount_add, n));
    json_pair(o, "as_written", c->written.mul, c->written.add);
    json_pair(o, "after_passes", c->passes.mul, c->passes.add);
    out_text(o, "}\n");
}

static int counts(const arne_published_count *r, const published_options *p, verdict *v, out *o)
{
    const int last = r->cubic && !p->all && p->last > LONG_ARM ? LONG_ARM : p->last;
    table t = {.columns = 9, .align = "rrrrrrrrr"};
    bool ok = true;
    if (!p->json) {
        head_of(r, o);
        table_cells(&t, "n", "printed mul", "add", "independent mul", "add", "as written mul", "add", "after passes mul", "add");
    }
    for (int n = p->first; n <= last; n++) {
        ours c;
        if (!(ok = count_ours(n, r->count, r->diagonal, 0, &c))) break;
        const long mul = arne_sixths_at(&r->recount_mul, n), add = arne_sixths_at(&r->recount_add, n);
        judge(v, c.written.mul, mul), judge(v, c.written.add, add), judge(v, c.passes.mul, mul), judge(v, c.passes.add, add);
        if (p->json) {
            json_counts(o, r, n, &c);
            continue;
        }
        cells(&t, n);
        if (r->table)
            cells(&t, arne_sixths_at(&r->printed_mul, n), arne_sixths_at(&r->printed_add, n));
        else
            table_cells(&t, "-", "-");
        cells(&t, mul, add, c.written.mul, c.written.add, c.passes.mul, c.passes.add);
    }
    table_print(&t, "  ", o);
    if (!p->json && last < p->last) out_format(o, "  more than %d links: only with --all\n", LONG_ARM);
    if (!p->json) out_text(o, "\n");
    return ok ? CLI_OK : no_memory();
}

static int depths(const published_options *p, verdict *v, out *o)
{
    const arne_published_depth *known = arne_published_depths();
    bool ok = true;
    table t = {.columns = 9, .align = "rrrrrrrrr"};
    if (!p->json) {
        out_text(o, "parallel steps of the modified Newton-Euler set (004 Table 8.6), as many processors as it takes\n"
                    "  printed      27 n + 42 multiplications and 27 n + 41 additions: every task runs alone on one processor\n"
                    "  one each     8 n + 4: one scalar operation a step, sums as trees; the longest chain\n");
        table_cells(&t, "n", "printed mul", "add", "sum", "one each", "as written", "after passes", "K full: as written",
                    "after passes");
    }
    for (int n = p->first; n <= p->last; n++) {
        ours c[2];
        ok = count_ours(n, "turney", true, 0, &c[0]) && count_ours(n, "turney", false, 0, &c[1]);
        if (!ok) break;
        const long mul = arne_sixths_at(&known->task_mul, n), add = arne_sixths_at(&known->task_add, n),
                   one = arne_sixths_at(&known->depth, n);
        for (int k = 0; k < 2; k++) judge(v, c[k].written.depth, one), judge(v, c[k].passes.depth, one);
        if (!p->json)
            cells(&t, n, mul, add, mul + add, one, c[0].written.depth, c[0].passes.depth, c[1].written.depth, c[1].passes.depth);
        for (int k = 0; k < 2 && p->json; k++) {
            json_head(o, "depth", "turney", k == 0, n);
            json_pair(o, "printed", mul, add);
            json_members(o, NUMBER("independent", one), NUMBER("as_written", c[k].written.depth),
                         NUMBER("after_passes", c[k].passes.depth));
            out_text(o, "}\n");
        }
    }
    table_print(&t, "  ", o);
    if (!p->json) out_text(o, "\n");
    return ok ? CLI_OK : no_memory();
}

static int steps(const published_options *p, out *o)
{
    table t = {.columns = 3, .align = "rrr"};
    if (!p->json) {
        out_format(o,
                   "steps of the modified Newton-Euler set, K diagonal, n = %d, on few processors, one operation each a step\n",
                   SHOWN_ARM);
        table_cells(&t, "processors", "as written", "after passes");
    }
    bool ok = true;
    for (int k = 0; k < PROCESSORS; k++) {
        ours c;
        if (!(ok = count_ours(SHOWN_ARM, "turney", true, processors[k], &c))) break;
        if (p->json) {
            json_head(o, "steps", "turney", true, SHOWN_ARM);
            json_members(o, NUMBER("processors", processors[k]), NUMBER("as_written", c.written.steps),
                         NUMBER("after_passes", c.passes.steps));
            out_text(o, "}\n");
        } else {
            cells(&t, processors[k], c.written.steps, c.passes.steps);
        }
    }
    table_print(&t, "  ", o);
    return ok ? CLI_OK : no_memory();
}

int published_print(const published_options *p)
{
    out o = {0};
    verdict v = {0};
    int status = CLI_OK;
    if (!p->json)
        out_text(&o, "General revolute arm: nine free entries in every rotation matrix, every length and inertia arbitrary.\n\n");
    for (const arne_published_count *r = arne_published_counts(); r->title && !status; r++) status = counts(r, p, &v, &o);
    if (!status) status = depths(p, &v, &o);
    if (!status) status = steps(p, &o);
    if (!status && p->json)
        out_format(&o, "{\"table\":\"summary\",\"places\":%ld,\"above_independent\":%ld}\n", v.places, v.more);
    else if (!status && v.more)
        out_format(&o, "\nours is above the independent recount in %ld of %ld places\n", v.more, v.places);
    else if (!status)
        out_format(&o, "\nours is at or below the independent recount in all %ld places\n", v.places);
    if (!status) status = out_write(&o, true);
    out_free(&o);
    return status;
}
