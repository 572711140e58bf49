/* SPDX-License-Identifier: MIT
 *
 * table.c - aligned tables for people. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"

void table_cell(table *t, const char *text)
{
    if (t->failed) return;
    if (t->count == t->room) {
        size_t room = 2 * t->room + 32;
        char **cells = realloc(t->cells, room * sizeof *cells);
        if (cells) {
            t->cells = cells;
            t->room = room;
        }
    }
    char *copy = t->count < t->room ? strdup(text) : NULL;
    if (copy)
        t->cells[t->count++] = copy;
    else
        t->failed = true;
}

void table_format(table *t, const char *format, ...)
{
    char text[64];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    table_cell(t, text);
}

void table_texts(table *t, const char *const *list)
{
    while (*list) table_cell(t, *list++);
}

void table_values(table *t, const double *list, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (isfinite(list[k]))
            table_format(t, "%.6g", list[k]);
        else
            table_cell(t, "-");
    }
}

/* Characters, not bytes, so that accents do not bend the columns. */
static int width(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

void table_print(table *t, const char *indent, out *o)
{
    int columns = t->columns, rows = (int)t->count / columns;
    int *widths = calloc((size_t)columns, sizeof *widths);
    if (!widths || t->failed) o->failed = true;
    for (int k = 0; k < rows * columns && !o->failed; k++) {
        int w = width(t->cells[k]);
        if (w > widths[k % columns]) widths[k % columns] = w;
    }
    for (int i = 0; i < rows && !o->failed; i++) {
        out_text(o, indent);
        for (int j = 0; j < columns; j++) {
            const char *cell = t->cells[i * columns + j];
            int pad = widths[j] - width(cell);
            bool right = t->align ? t->align[j] == 'r' : j > 0;
            bool last = j == columns - 1;
            out_format(o, "%*s%s%*s", right ? pad : 0, "", cell, last ? 0 : (right ? 0 : pad) + 2, "");
        }
        out_text(o, "\n");
    }
    for (size_t k = 0; k < t->count; k++) free(t->cells[k]);
    free(t->cells);
    free(widths);
    t->cells = NULL;
    t->count = t->room = 0;
    t->failed = false;
}
