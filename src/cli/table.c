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
            table_format(t, "%.6g", list[k] + 0.0); /* a zero has no sign */
        else
            table_cell(t, "-");
    }
}

void table_unit(table *t, const arne_model *m, const char *turning, const char *sliding)
{
    bool turns = false, slides = false;
    for (int i = 0; i < arne_model_joints(m); i++) {
        const arne_joint_type kind = arne_joint_kind(m, i);
        turns = turns || kind != ARNE_PRISMATIC;
        slides = slides || kind == ARNE_PRISMATIC || kind == ARNE_FREE;
    }
    const bool both = turns && slides && *turning && *sliding && strcmp(turning, sliding);
    const char *one = turns && *turning ? turning : slides ? sliding : "";
    table_format(t, both ? "%s|%s" : "%s", one, sliding);
}

/* One line of cells: column 0 and those from `first` up to `end`. */
static void print_row(const table *t, const int *widths, int row, int first, int end, const char *indent, out *o)
{
    const size_t start = o->length;
    out_text(o, indent);
    for (int j = 0; j < end; j = j ? j + 1 : first) {
        const char *cell = t->cells[row * t->columns + j];
        const int pad = widths[j] - text_width(cell, strlen(cell));
        const bool right = t->align ? t->align[j] == 'r' : j > 0, last = (j ? j + 1 : first) >= end;
        out_format(o, "%*s%s%*s", right ? pad : 0, "", cell, last ? 0 : (right ? 0 : pad) + 2, "");
    }
    while (o->length > start && o->s[o->length - 1] == ' ') o->s[--o->length] = 0;
    out_text(o, "\n");
}

void table_print(table *t, const char *indent, out *o)
{
    const int columns = t->columns, rows = (int)t->count / columns;
    const size_t start = o->length;
    int *widths = calloc((size_t)columns, sizeof *widths);
    if (!widths || t->failed) o->failed = true;
    for (int k = 0; k < rows * columns && !o->failed; k++) {
        const int w = text_width(t->cells[k], strlen(t->cells[k]));
        if (w > widths[k % columns]) widths[k % columns] = w;
    }
    /* words at the end are folded; numbers that do not fit go below, beside their first column again */
    const bool words = columns > 1 && t->align && t->align[columns - 1] == 'l';
    for (int first = 1, end; !o->failed && (first == 1 || first < columns); first = end) {
        int wide = (int)strlen(indent) + widths[0];
        for (end = first; end < columns && (end == first || words || wide + 2 + widths[end] <= PAGE); end++)
            wide += 2 + widths[end];
        if (first > 1) out_text(o, "\n");
        for (int i = 0; i < rows; i++) print_row(t, widths, i, first, end, indent, o);
    }
    if (words) out_fold(o, start);
    for (size_t k = 0; k < t->count; k++) free(t->cells[k]);
    free(t->cells);
    free(widths);
    t->cells = NULL;
    t->count = t->room = 0;
    t->failed = false;
}
