/* SPDX-License-Identifier: MIT
 *
 * table_rows.c - the rows of .npy and .h5 files one by one, as those of a CSV file, block after block in constant memory. A row
 * counts as a line: messages name the first one 1. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "log/states.h"

enum { BLOCK = 1024 };

struct csv_tables {
    int count;
    struct {
        arne_table *table;
        int width;
        double *block;
    } part[TABLE_GROUPS];
    long rows, at, end; /* at: the next one; end: of those that are read */
    long from, until;   /* rows of the block in memory */
    long room;          /* of the blocks that several readers share */
};

static arne_status add_names(arne_csv *c, const table_group *g, arne_error *error)
{
    for (int i = 0; i < g->width; i++) {
        char name[64];
        snprintf(name, sizeof name, g->width == 1 && !strcmp(g->name, "t") ? "%s" : "%s%d", g->name, i + 1);
        if (!(c->names[c->columns] = strdup(name))) return NO_MEMORY(error);
        c->columns++;
    }
    return ARNE_OK;
}

static arne_status add_part(arne_csv *c, arne_table *table, const char *name, int width, arne_error *error)
{
    struct csv_tables *t = c->tables;
    t->part[t->count].table = table;
    t->part[t->count].width = width;
    t->part[t->count].block = malloc((size_t)BLOCK * (size_t)width * sizeof(double));
    if (!t->part[t->count++].block) return NO_MEMORY(error);
    if (arne_table_columns(table) != width)
        return arne_fail(error, ARNE_BAD_VALUE, c->name, 0, "dataset /%s has %d columns, the robot needs %d", name,
                         arne_table_columns(table), width);
    if (t->count > 1 && arne_table_rows(table) != t->rows)
        return arne_fail(error, ARNE_BAD_VALUE, c->name, 0, "dataset /%s has %ld rows, those before it %ld", name,
                         arne_table_rows(table), t->rows);
    t->rows = t->end = arne_table_rows(table);
    return ARNE_OK;
}

arne_status arne__csv_tables(arne_csv *c, const char *path, arne_table *array, const table_group *groups, int count,
                             arne_error *error)
{
    int all = 0;
    for (int i = 0; i < count; i++) all += groups[i].width;
    *c = (arne_csv){.name = path, .tables = calloc(1, sizeof *c->tables)};
    c->names = calloc((size_t)all + 1, sizeof *c->names);
    c->skip = calloc((size_t)all + 1, sizeof *c->skip);
    arne_status status = c->tables && c->names && c->skip ? ARNE_OK : NO_MEMORY(error);
    if (status) arne_table_close(array);
    if (!status && array) status = add_part(c, array, "", all, error);
    for (int i = 0; i < count && !status; i++) {
        arne_table *table = NULL;
        if (!array) status = arne_table_open(path, groups[i].name, &table, error);
        if (table) status = add_part(c, table, groups[i].name, groups[i].width, error);
        if (!status) status = add_names(c, &groups[i], error);
    }
    return status;
}

static arne_status fill(struct csv_tables *t, arne_error *error)
{
    arne_status status = ARNE_OK;
    t->from = t->at;
    t->until = t->at + BLOCK < t->end ? t->at + BLOCK : t->end;
    for (int i = 0; i < t->count && !status; i++)
        status = arne_table_read(t->part[i].table, t->from, t->until - t->from, t->part[i].block, error);
    return status;
}

arne_status arne__csv_tables_next(arne_csv *c, double *row, bool *more, arne_error *error)
{
    struct csv_tables *t = c->tables;
    *more = t->at < t->end;
    if (!*more) return ARNE_OK;
    const arne_status status = t->at == t->until ? fill(t, error) : ARNE_OK;
    if (status) return status;
    for (int i = 0, n = 0; i < t->count; n += t->part[i++].width)
        memcpy(row + n, t->part[i].block + (t->at - t->from) * t->part[i].width, (size_t)t->part[i].width * sizeof *row);
    t->at++;
    c->line++;
    for (int i = 0; i < c->columns && !c->holes; i++)
        if (!isfinite(row[i]) && !c->skip[i])
            return arne_fail(error, ARNE_BAD_VALUE, c->name, c->line, "column %s is not a finite number", c->names[i]);
    return ARNE_OK;
}

long arne__csv_tables_blocks(struct csv_tables *t, long room)
{
    t->room = room;
    return (t->rows + room - 1) / room;
}

long arne__csv_tables_rows(const struct csv_tables *t, long block)
{
    const long left = t->rows - block * t->room;
    return left < t->room ? left : t->room;
}

arne_status arne__csv_tables_seek(arne_csv *c, long block)
{
    struct csv_tables *t = c->tables;
    t->at = t->from = t->until = block < 0 ? 0 : block * t->room;
    t->end = block < 0 ? t->rows : t->at + arne__csv_tables_rows(t, block);
    c->line = (int)t->at;
    return ARNE_OK;
}

void arne__csv_tables_close(struct csv_tables *t)
{
    for (int i = 0; t && i < t->count; i++) {
        arne_table_close(t->part[i].table);
        free(t->part[i].block);
    }
    free(t);
}
