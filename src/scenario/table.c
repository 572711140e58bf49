/* SPDX-License-Identifier: MIT
 *
 * table.c - a motion from a CSV file: a header with t and q1 ... qn or q.NAME, other columns not used. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "scenario/parts.h"

enum { MOST_COLUMNS = 4096, MOST_ROWS = 10000000 };

typedef struct {
    scenario_reader *x;
    const char *path;
    int line;
    int *target; /* of each column: -1 not used, 0 t, 1 ... dof */
    int columns, rows, room;
    double *t, *q;
} sheet;

static arne_status complain(const sheet *s, const char *what, const char *detail)
{
    return arne_fail(s->x->yaml.error, ARNE_BAD_VALUE, s->path, s->line, "%s%.100s", what, detail);
}

/* The next cell of a line, in place: without blanks and quotes around it; *line goes on behind its comma, NULL after the last. */
static char *cell(char **line)
{
    char *start = *line, *comma = strchr(start, ',');
    if (comma) *comma = '\0';
    *line = comma ? comma + 1 : NULL;
    start += strspn(start, " \t\"");
    size_t n = strlen(start);
    while (n > 0 && strchr(" \t\r\n\"", start[n - 1])) start[--n] = '\0';
    return start;
}

static int target_of(const sheet *s, const char *name)
{
    char numbered[32];
    if (!strcmp(name, "t")) return 0;
    for (int i = 0; i < s->x->n; i++) {
        snprintf(numbered, sizeof numbered, "q%d", i + 1);
        if (!strcmp(name, numbered)) return i + 1;
        if (!strncmp(name, "q.", 2) && !strcmp(name + 2, arne_joint_name(s->x->p->model, i))) return i + 1;
    }
    return -1;
}

static arne_status header(sheet *s, char *line)
{
    bool *seen = calloc((size_t)s->x->n + 1, sizeof *seen);
    s->target = calloc(MOST_COLUMNS, sizeof *s->target);
    arne_status status = seen && s->target ? ARNE_OK : arne__yaml_no_memory(&s->x->yaml);
    while (line && !status) {
        const char *name = cell(&line);
        const int to = target_of(s, name);
        if (s->columns == MOST_COLUMNS) status = complain(s, "too many columns", "");
        if (to >= 0 && seen[to]) status = complain(s, "a column is there twice: ", name);
        if (to >= 0) seen[to] = true;
        if (!status) s->target[s->columns++] = to;
    }
    for (int i = 0; i <= s->x->n && !status; i++) {
        char name[32];
        snprintf(name, sizeof name, i ? "q%d" : "t", i);
        if (!seen[i]) status = complain(s, "there is no column ", name);
    }
    free(seen);
    return status;
}

static arne_status grow(sheet *s)
{
    if (s->rows < s->room) return ARNE_OK;
    if (s->rows >= MOST_ROWS) return complain(s, "too many rows", "");
    const size_t room = s->room ? 2 * (size_t)s->room : 256;
    double *t = realloc(s->t, room * sizeof *t);
    if (t) s->t = t;
    double *q = t ? realloc(s->q, room * (size_t)s->x->n * sizeof *q) : NULL;
    if (!q) return arne__yaml_no_memory(&s->x->yaml);
    s->q = q;
    s->room = (int)room;
    return ARNE_OK;
}

static arne_status row(sheet *s, char *line)
{
    arne_status status = grow(s);
    int column = 0;
    for (; line && !status; column++) {
        char *text = cell(&line);
        if (column >= s->columns) return complain(s, "the row has more cells than the header", "");
        const int to = s->target[column];
        if (to < 0) continue;
        double value;
        if (arne__expr_eval(text, NULL, 0, &value, NULL, 0)) return complain(s, "not a number: ", text);
        *(to ? &s->q[(size_t)s->rows * (size_t)s->x->n + (size_t)to - 1] : &s->t[s->rows]) = value;
    }
    if (!status && column < s->columns) return complain(s, "the row has fewer cells than the header", "");
    s->rows++;
    return status;
}

arne_status arne__scenario_table(scenario_reader *x, const yaml_node_t *node, const char *path, int *count, double **t,
                                 double **q)
{
    sheet s = {.x = x, .path = path};
    char *line = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    if (!f) return arne__yaml_fail(&x->yaml, node, "'%.200s': %s", path, strerror(errno));
    arne_status status = ARNE_OK;
    while (!status && getline(&line, &room, f) >= 0) {
        s.line++;
        if (s.line > 1 && line[strspn(line, " \t\r\n")] == '\0') continue;
        status = s.line == 1 ? header(&s, line) : row(&s, line);
    }
    if (!status && ferror(f)) status = complain(&s, "cannot be read", "");
    if (!status && s.rows == 0) status = complain(&s, "there are no rows", "");
    fclose(f);
    free(line);
    free(s.target);
    if (status) {
        free(s.t);
        free(s.q);
        return status;
    }
    *count = s.rows;
    *t = s.t;
    *q = s.q;
    return ARNE_OK;
}
