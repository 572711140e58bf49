/* SPDX-License-Identifier: MIT
 *
 * published.c - printed, recounted and ours: multiplications, additions and parallel steps of a general n-link revolute arm.
 *
 * The arm of [004 section 8]: every rotation matrix is given, nine free numbers; every length and every inertia is arbitrary, or,
 * for Table 8.5, K is diagonal. */
#include "cli/published.h"

#include <stdio.h>
#include <stdlib.h>

#include "arne/count.h"

#define WHOLE(c3, c2, c1, c0)                                                                                                    \
    {                                                                                                                            \
        6 * (c3), 6 * (c2), 6 * (c1), 6 * (c0)                                                                                   \
    }

const published_row published_rows[] = {
    {"Lagrange",
     "lagrange",
     false,
     false,
     "Tables 8.1, 8.2",
     {81, 495, 30, 0},
     {80, 348, -128, 0},
     {80, 543, 79, 0},
     {64, 447, -13, 0}},
    {"recursive Lagrange", "recursive-lagrange", false, false, "Tables 8.1, 8.3", WHOLE(0, 0, 226, 0), WHOLE(0, 0, 144, 0),
     WHOLE(0, 0, 235, -69), WHOLE(0, 0, 189, -75)},
    {"Newton-Euler", "newton-euler", false, false, "Tables 8.1, 8.4", WHOLE(0, 0, 108, -12), WHOLE(0, 0, 100, -9),
     WHOLE(0, 0, 112, -38), WHOLE(0, 0, 98, -40)},
    {"modified Newton-Euler, K diagonal", "turney", true, false, "Tables 8.1, 8.5", WHOLE(0, 0, 90, -27), WHOLE(0, 0, 88, -24),
     WHOLE(0, 0, 94, -38), WHOLE(0, 0, 83, -40)},
    {"modified Newton-Euler, K full", "turney", false, false, NULL, {0}, {0}, WHOLE(0, 0, 115, -38), WHOLE(0, 0, 101, -40)},
    {"inertia matrix by strobing",
     "strobe-mass",
     false,
     false,
     "section 8",
     WHOLE(0, 36, 36, 0),
     WHOLE(0, 26, 26, 0),
     WHOLE(0, 37, -5, 0),
     {0, 183, -51, 0}},
    {"arrays C by strobing",
     "strobe-coriolis",
     false,
     true,
     "section 8",
     WHOLE(54, 27, 9, 0),
     WHOLE(54, 27, 9, 0),
     {201, 123, -78, 0},
     {171, 81, -84, 0}},
    {0},
};

/* Table 8.6: each task on one processor, its multiplications one after the other, its additions likewise */
static const sixths task_mul = WHOLE(0, 0, 27, 42), task_add = WHOLE(0, 0, 27, 41);
/* one scalar operation a step, as many processors as it takes [ERRATA part two 5.5] */
static const sixths recount_depth = WHOLE(0, 0, 8, 4);

enum { LONG_ARM = 8, SHOWN_ARM = 6 };
static const int processors[] = {1, 2, 4, 8};
enum { PROCESSORS = sizeof processors / sizeof *processors };

long sixths_at(const sixths *p, int n)
{
    const long k = n;
    return (((p->c3 * k + p->c2) * k + p->c1) * k + p->c0) / 6;
}

const char *sixths_text(const sixths *p, char *buffer, size_t size)
{
    const int c[4] = {p->c3, p->c2, p->c1, p->c0};
    static const char *const power[4] = {"n^3", "n^2", "n", ""};
    size_t used = 0;
    buffer[0] = 0;
    for (int k = 0; k < 4 && used < size; k++) {
        if (!c[k]) continue;
        const int top = abs(c[k]), common = top % 6 == 0 ? 6 : top % 3 == 0 ? 3 : top % 2 == 0 ? 2 : 1;
        const char *sign = c[k] < 0 ? (used ? " - " : "-") : used ? " + " : "";
        char below[8] = "";
        if (common < 6) snprintf(below, sizeof below, "/%d", 6 / common);
        used += (size_t)snprintf(buffer + used, size - used, "%s%d%s%s%s", sign, top / common, below, k < 3 ? " " : "", power[k]);
    }
    return buffer;
}

/* ---- the arm ---- */

/* Modified-DH frames are kept as they are given, so a diagonal tensor stays diagonal; the numbers are binary fractions, so that
 * its zeros come out exactly, and no mass times distance is 1, which would fold. */
static bool add_link(arne_description *d, int i, bool diagonal)
{
    char name[16], parent[16];
    snprintf(name, sizeof name, "link%d", i + 1);
    snprintf(parent, sizeof parent, "link%d", i);
    arne_link_description *l = arne_description_link(d, name, 0);
    if (!l) return false;
    const double xy = diagonal ? 0 : 0.03125, xz = diagonal ? 0 : -0.0625, yz = diagonal ? 0 : 0.015625;
    l->body = (arne_body){2 + i, {0.375, 0.625, 0.4375}, {0.5, xy, xz, 0.75, yz, 0.625}};
    arne_joint_description *j = arne_description_joint(d, name, 0, ARNE_REVOLUTE, i ? parent : "base", name);
    if (!j) return false;
    if (i) j->dh[2] = 0.5 + 0.0625 * i, j->dh[3] = 0.25, j->dh[5] = 0.375; /* skew axes, offset along and across them */
    j->before = arne_pose_mdh(j->dh);
    return true;
}

static arne_data *general_arm(int n, bool diagonal, arne_model **model)
{
    arne_description *d = arne_description_new("general");
    bool ok = d && arne_description_link(d, "base", 0);
    for (int i = 0; i < n && ok; i++) ok = add_link(d, i, diagonal);
    *model = NULL;
    if (ok) {
        arne_error error;
        d->mdh = true;
        ok = !arne_model_build(d, NULL, model, &error);
    }
    arne_description_free(d);
    return ok ? arne_data_new(*model) : NULL;
}

/* false: memory was short */
static bool count_arm(int n, const char *what, bool diagonal, const arne_count_options *o, arne_operations *c)
{
    arne_model *m;
    arne_data *d = general_arm(n, diagonal, &m);
    const bool ok = d && !arne_count(d, what, o, c);
    arne_data_free(d);
    arne_model_free(m);
    return ok;
}

typedef struct {
    arne_operations written, passes;
} ours;

static bool count_ours(int n, const char *what, bool diagonal, int k, ours *c)
{
    arne_count_options o = {.general = !diagonal, .given = true, .as_written = true, .processors = k};
    if (!count_arm(n, what, diagonal, &o, &c->written)) return false;
    o.as_written = false;
    return count_arm(n, what, diagonal, &o, &c->passes);
}

/* ---- the tables ---- */

typedef struct {
    long more; /* places where ours is more than the recount */
    long places;
} verdict;

static void judge(verdict *v, long is, long bound)
{
    v->places++;
    v->more += is > bound;
}

static void cell(table *t, long x)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", x);
    table_cell(t, text);
}

static void cells(table *t, const char *const *text, int count)
{
    for (int i = 0; i < count; i++) table_cell(t, text[i]);
}

static void head_of(const published_row *r, out *o)
{
    char mul[64], add[64];
    out_format(o, "%s (004 %s)\n", r->title, r->table ? r->table : "does not count this case");
    if (r->table)
        out_format(o, "  printed      %s multiplications, %s additions\n", sixths_text(&r->printed_mul, mul, sizeof mul),
                   sixths_text(&r->printed_add, add, sizeof add));
    out_format(o, "  independent  %s multiplications, %s additions\n", sixths_text(&r->recount_mul, mul, sizeof mul),
               sixths_text(&r->recount_add, add, sizeof add));
}

static void json_pair(out *o, const char *name, long mul, long add)
{
    json_open(o, name, '{');
    json_number(o, "mul", (double)mul);
    json_number(o, "add", (double)add);
    json_close(o, '}');
}

/* The beginning of a row. */
static void json_head(out *o, const char *name, const char *method, bool diagonal, int n)
{
    json_open(o, NULL, '{');
    json_string(o, "table", name);
    json_string(o, "method", method);
    json_truth(o, "diagonal", diagonal);
    json_number(o, "n", n);
}

static void json_counts(out *o, const published_row *r, int n, const ours *c)
{
    json_head(o, "operations", r->count, r->diagonal, n);
    if (r->table)
        json_pair(o, "printed", sixths_at(&r->printed_mul, n), sixths_at(&r->printed_add, n));
    else
        json_string(o, "printed", NULL);
    json_pair(o, "independent", sixths_at(&r->recount_mul, n), sixths_at(&r->recount_add, n));
    json_pair(o, "as_written", c->written.mul, c->written.add);
    json_pair(o, "after_passes", c->passes.mul, c->passes.add);
    out_text(o, "}\n");
}

static int counts(const published_row *r, const published_options *p, verdict *v, out *o)
{
    static const char *const heads[] = {"n",   "printed mul",      "add", "independent mul", "add", "as written mul",
                                        "add", "after passes mul", "add"};
    const int last = r->cubic && !p->all && p->last > LONG_ARM ? LONG_ARM : p->last;
    table t = {.columns = 9, .align = "rrrrrrrrr"};
    if (!p->json) head_of(r, o), cells(&t, heads, 9);
    for (int n = p->first; n <= last; n++) {
        ours c;
        if (!count_ours(n, r->count, r->diagonal, 0, &c)) {
            table_print(&t, "", o);
            return no_memory();
        }
        const long mul = sixths_at(&r->recount_mul, n), add = sixths_at(&r->recount_add, n);
        judge(v, c.written.mul, mul), judge(v, c.written.add, add), judge(v, c.passes.mul, mul), judge(v, c.passes.add, add);
        if (p->json) {
            json_counts(o, r, n, &c);
            continue;
        }
        cell(&t, n);
        if (r->table)
            cell(&t, sixths_at(&r->printed_mul, n)), cell(&t, sixths_at(&r->printed_add, n));
        else
            table_cell(&t, "-"), table_cell(&t, "-");
        cell(&t, mul), cell(&t, add), cell(&t, c.written.mul), cell(&t, c.written.add), cell(&t, c.passes.mul),
            cell(&t, c.passes.add);
    }
    table_print(&t, "  ", o);
    if (!p->json && last < p->last) out_format(o, "  more than %d links: only with --all\n", LONG_ARM);
    if (!p->json) out_text(o, "\n");
    return CLI_OK;
}

static int depths(const published_options *p, verdict *v, out *o)
{
    static const char *const heads[] = {
        "n", "printed mul", "add", "sum", "one each", "as written", "after passes", "K full: as written", "after passes"};
    table t = {.columns = 9, .align = "rrrrrrrrr"};
    if (!p->json) {
        out_text(o, "parallel steps of the modified Newton-Euler set (004 Table 8.6), as many processors as it takes\n"
                    "  printed      27 n + 42 multiplications and 27 n + 41 additions: every task runs alone on one processor\n"
                    "  one each     8 n + 4: one scalar operation a step, sums as trees; the longest chain\n");
        cells(&t, heads, 9);
    }
    for (int n = p->first; n <= p->last; n++) {
        ours c[2];
        if (!count_ours(n, "turney", true, 0, &c[0]) || !count_ours(n, "turney", false, 0, &c[1])) {
            table_print(&t, "", o);
            return no_memory();
        }
        const long mul = sixths_at(&task_mul, n), add = sixths_at(&task_add, n), one = sixths_at(&recount_depth, n);
        for (int k = 0; k < 2; k++) judge(v, c[k].written.depth, one), judge(v, c[k].passes.depth, one);
        const long row[] = {
            n, mul, add, mul + add, one, c[0].written.depth, c[0].passes.depth, c[1].written.depth, c[1].passes.depth};
        for (int k = 0; k < 9 && !p->json; k++) cell(&t, row[k]);
        for (int k = 0; k < 2 && p->json; k++) {
            json_head(o, "depth", "turney", k == 0, n);
            json_pair(o, "printed", mul, add);
            json_number(o, "independent", (double)one);
            json_number(o, "as_written", (double)c[k].written.depth);
            json_number(o, "after_passes", (double)c[k].passes.depth);
            out_text(o, "}\n");
        }
    }
    table_print(&t, "  ", o);
    if (!p->json) out_text(o, "\n");
    return CLI_OK;
}

static int steps(const published_options *p, out *o)
{
    table t = {.columns = 3, .align = "rrr"};
    if (!p->json) {
        static const char *const heads[] = {"processors", "as written", "after passes"};
        out_format(o,
                   "steps of the modified Newton-Euler set, K diagonal, n = %d, on few processors, one operation each a step\n",
                   SHOWN_ARM);
        cells(&t, heads, 3);
    }
    for (int k = 0; k < PROCESSORS; k++) {
        ours c;
        if (!count_ours(SHOWN_ARM, "turney", true, processors[k], &c)) {
            table_print(&t, "", o);
            return no_memory();
        }
        if (p->json) {
            json_head(o, "steps", "turney", true, SHOWN_ARM);
            json_number(o, "processors", processors[k]);
            json_number(o, "as_written", (double)c.written.steps);
            json_number(o, "after_passes", (double)c.passes.steps);
            out_text(o, "}\n");
            continue;
        }
        cell(&t, processors[k]), cell(&t, c.written.steps), cell(&t, c.passes.steps);
    }
    table_print(&t, "  ", o);
    return CLI_OK;
}

int published_print(const published_options *p)
{
    out o = {0};
    verdict v = {0};
    int status = CLI_OK;
    if (!p->json)
        out_text(&o, "General revolute arm: nine free entries in every rotation matrix, every length and inertia arbitrary.\n\n");
    for (const published_row *r = published_rows; r->title && !status; r++) status = counts(r, p, &v, &o);
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
