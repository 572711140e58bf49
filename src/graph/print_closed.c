/* SPDX-License-Identifier: MIT
 *
 * print_closed.c - a closed form as plain text or LaTeX.
 *
 * A line is filled piece by piece; a piece is a sign and a product and never broken. In LaTeX brackets keep their size, as they
 * may open on one line and close on another. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/closed_form.h"

enum { LINE = 100 };

/* ---- names ---- */

/* as a subscript 2m3 is 2-3, 9_10 is 9,10 */
void arne__print_name(text_buffer *t, const graph_name *name, int power, bool latex)
{
    const bool early = *name->function; /* \cos^2 \alpha */
    if (!latex) {
        arne__text_add(t, "%s%s", name->letters, name->index);
        if (power > 1) arne__text_add(t, "^%d", power);
        return;
    }
    arne__text_add(t, "%s", name->function);
    if (power > 1 && early) arne__text_add(t, "^{%d}", power);
    arne__text_add(t, "%s", name->letters);
    if (*name->index) arne__text_add(t, "_{");
    for (const char *c = name->index; *c; c++) arne__text_add(t, "%c", *c == 'm' ? '-' : *c == '_' ? ',' : *c);
    if (*name->index) arne__text_add(t, "}");
    if (power > 1 && !early) arne__text_add(t, "^{%d}", power);
}

void arne__print_label(char *label, size_t size, const char *letter, int i, int j, bool latex)
{
    const char *between = i < 10 && j < 10 ? "" : latex ? "," : "_", *slash = latex && !strcmp(letter, "tau") ? "\\" : "";
    if (!i)
        snprintf(label, size, "%s%s", slash, letter);
    else if (!j)
        snprintf(label, size, latex ? "%s%s_{%d}" : "%s%s%d", slash, letter, i);
    else
        snprintf(label, size, latex ? "%s%s_{%d%s%d}" : "%s%s%d%s%d", slash, letter, i, between, j);
}

/* q2 + q3 - 0.5 */
static int print_angle(text_buffer *t, const expansion *e, const expand_angle *a, bool latex)
{
    double offset = 0;
    int parts = 0;
    for (int j = 0; j < e->axes.joints; j++) {
        if (!a->turns[j]) continue;
        const bool negative = a->turns[j] * e->scale[j] < 0;
        offset += a->turns[j] * e->offset[j];
        arne__text_add(t, parts ? (negative ? " - " : " + ") : negative ? "-" : "");
        arne__text_add(t, latex ? "q_{%d}" : "q%d", j + 1);
        parts += negative && !parts ? 2 : 1;
    }
    if (offset == 0) return parts;
    arne__text_add(t, offset < 0 ? " - " : " + ");
    arne__text_number(t, fabs(offset));
    return parts + 1;
}

static const expand_angle *angle_of(const expansion *e, int cosine)
{
    for (int i = 0; i < e->angles; i++)
        if (e->angle[i].cosine == cosine) return &e->angle[i];
    return NULL;
}

/* 2, 23, 2m3 (a difference), 9_10 */
static void print_joints(text_buffer *t, const expansion *e, const expand_angle *a)
{
    bool wide = false, first = true;
    for (int j = 9; j < e->axes.joints; j++) wide = wide || a->turns[j];
    for (int j = 0; j < e->axes.joints; j++) {
        if (!a->turns[j]) continue;
        arne__text_add(t, "%s%d", a->turns[j] < 0 ? "m" : wide && !first ? "_" : "", j + 1);
        first = false;
    }
}

void arne__print_angles(text_buffer *t, const expansion *e, const int *used, const char *comment)
{
    const size_t start = t->length;
    bool square = false;
    text_buffer item = {0};
    for (int k = 0; k < e->ring.count; k++) {
        const expand_angle *a = angle_of(e, k);
        if (!a || !used[k]) continue;
        arne__text_add(&item, "S");
        print_joints(&item, e, a);
        arne__text_add(&item, ", C");
        print_joints(&item, e, a);
        arne__text_add(&item, t->length == start ? ": sine and cosine of " : ": of ");
        print_angle(&item, e, a, false);
        arne__text_item(t, start, LINE, comment, "; ", &item);
        square = square || used[k] > 1;
    }
    arne__text_add(&item, "SSj = Sj^2, CCj = Cj^2, CSj = Cj Sj");
    if (square) arne__text_item(t, start, LINE, comment, "; ", &item);
    if (t->length > start) arne__text_add(t, "\n");
    arne__text_free(&item);
}

/* ---- products ---- */

static void space(text_buffer *t)
{
    if (t->length) arne__text_add(t, " ");
}

static void latex_turn(text_buffer *t, const expansion *e, const expand_angle *a, const char *function, int power)
{
    text_buffer angle = {0};
    const int parts = print_angle(&angle, e, a, true);
    space(t);
    arne__text_add(t, "%s", function);
    if (power > 1) arne__text_add(t, "^{%d}", power);
    arne__text_add(t, parts > 1 ? "(%s)" : " %s", arne__text_string(&angle));
    if (angle.failed) t->failed = true;
    arne__text_free(&angle);
}

static void print_power(text_buffer *t, const expansion *e, int atom, int power, const graph_style *style)
{
    graph_name name = {0};
    if (!power) return;
    space(t);
    style->name(style->context, e->ring.atom[atom].key, style->latex, &name);
    arne__print_name(t, &name, power, style->latex);
}

/* C2^c S2^s in plain text */
static void print_turn(text_buffer *t, const expansion *e, const expand_angle *a, const char *letters, int power)
{
    if (!power) return;
    space(t);
    arne__text_add(t, "%s", letters);
    print_joints(t, e, a);
    if (power > 1) arne__text_add(t, "^%d", power);
}

static void print_turns(text_buffer *t, const expansion *e, int cosine, int c, int s, const graph_style *style)
{
    const expand_angle *a = angle_of(e, cosine);
    if (!a) {
        print_power(t, e, cosine, c, style);
        print_power(t, e, cosine + 1, s, style);
    } else if (style->latex) {
        if (c) latex_turn(t, e, a, "\\cos", c);
        if (s) latex_turn(t, e, a, "\\sin", s);
    } else if ((c == 1 && s == 1) || (c == 2 && !s) || (s == 2 && !c)) {
        print_turn(t, e, a, c && s ? "CS" : c ? "CC" : "SS", 1);
    } else {
        print_turn(t, e, a, "C", c);
        print_turn(t, e, a, "S", s);
    }
}

/* the atoms of one role in a term */
static void print_role(text_buffer *t, const expansion *e, const unsigned char *power, int role, const graph_style *style)
{
    for (int k = 0; k < e->ring.count; k++) {
        const poly_atom *a = &e->ring.atom[k];
        if (a->role != role) continue;
        if (a->partner >= 0) {
            if (!a->sine) print_turns(t, e, k, power[k], power[a->partner], style);
        } else {
            print_power(t, e, k, power[k], style);
        }
    }
}

static void print_coefficient(text_buffer *t, double c, bool latex)
{
    if (latex && c == 0.5)
        arne__text_add(t, "\\tfrac{1}{2}");
    else
        arne__text_number(t, c);
}

/* ---- lines ---- */

typedef struct {
    text_buffer *t;
    const expansion *e;
    const graph_style *style;
    size_t column, indent;
    bool empty; /* no term yet: a plus is not written */
    text_buffer piece;
} writer;

static void new_line(writer *w)
{
    arne__text_add(w->t, w->style->latex ? " \\\\\n  &\\quad " : "\n%*s", (int)w->indent, "");
    w->column = w->indent;
}

/* a sign, then what opens the piece, the piece, what closes it */
static void put(writer *w, bool negative, const char *open, const char *close)
{
    const size_t length = w->piece.length + strlen(open) + strlen(close) + 3;
    if (!w->empty && w->column + length > LINE && w->column > w->indent) new_line(w);
    const bool start = w->column == w->indent;
    const char *sign = w->empty ? (negative ? "-" : "") : negative ? (start ? "- " : " - ") : start ? "+ " : " + ";
    arne__text_add(w->t, "%s%s%s%s", sign, open, arne__text_string(&w->piece), close);
    w->column += length;
    w->empty = false;
    if (w->piece.failed) w->t->failed = true;
    arne__text_clear(&w->piece);
}

/* the largest number that all coefficients are whole multiples of, if one of them is it; else 1 */
static double common(const closed_term *term, int n)
{
    double least = fabs(term[0].c);
    for (int i = 1; i < n; i++) least = fmin(least, fabs(term[i].c));
    for (int i = 0; i < n; i++) {
        const double ratio = fabs(term[i].c) / least;
        if (ratio != floor(ratio)) return 1;
    }
    return least;
}

/* one term over `factor`, of the given roles, first to last as they are read */
static void product(writer *w, const closed_term *x, double factor, const int *roles, int n)
{
    /* LaTeX has its sines last: what follows one would look like a part of its angle */
    for (int i = 0; i < n; i++)
        if (!w->style->latex || roles[i] != ROLE_TURN) print_role(&w->piece, w->e, x->power, roles[i], w->style);
    if (w->style->latex) print_role(&w->piece, w->e, x->power, ROLE_TURN, w->style);
    const double c = fabs(x->c / factor);
    if (c == 1 && w->piece.length) return;
    text_buffer symbols = w->piece;
    w->piece = (text_buffer){0};
    print_coefficient(&w->piece, c, w->style->latex);
    if (symbols.length) arne__text_add(&w->piece, " %s", arne__text_string(&symbols));
    if (symbols.failed) w->piece.failed = true;
    arne__text_free(&symbols);
}

static const int all_roles[] = {ROLE_KEY, ROLE_TURN, ROLE_LENGTH, ROLE_INERTIA};

static bool one_role(const writer *w, const closed_term *term, int n, int role)
{
    for (int i = 1; i < n; i++)
        if (!arne__closed_same(&w->e->ring, term[0].power, term[i].power, role)) return false;
    return true;
}

/* number key ( */
static void open_bracket(writer *w, text_buffer *t, double number, const char *key)
{
    if (number != 1) print_coefficient(t, number, w->style->latex), arne__text_add(t, " ");
    arne__text_add(t, "%s%s(", key, *key ? " " : "");
}

/* the terms of one inertial parameter, two or more, over `factor`: key (sum) length inertia end */
static void print_bracket(writer *w, const closed_term *term, int n, double factor, const char *key, const char *end)
{
    const bool negative = term[0].c / factor < 0, one_length = one_role(w, term, n, ROLE_LENGTH);
    const double inner = common(term, n);
    text_buffer head = {0}, tail = {0}, symbols = {0};
    open_bracket(w, &head, fabs(inner / factor), key);
    if (one_length) print_role(&symbols, w->e, term->power, ROLE_LENGTH, w->style);
    print_role(&symbols, w->e, term->power, ROLE_INERTIA, w->style);
    arne__text_add(&tail, ") %s%s", arne__text_string(&symbols), end);
    for (int i = 0; i < n; i++) {
        product(w, &term[i], inner, all_roles + 1, one_length ? 1 : 2);
        /* the sign of the first term stands before the bracket */
        const bool minus = i ? (term[i].c / factor < 0) != negative : negative;
        put(w, minus, i ? "" : arne__text_string(&head), i + 1 < n ? "" : arne__text_string(&tail));
    }
    if (head.failed || tail.failed || symbols.failed) w->t->failed = true;
    arne__text_free(&head), arne__text_free(&tail), arne__text_free(&symbols);
}

static bool has_role(const writer *w, const closed_term *term, int role)
{
    for (int k = 0; k < w->e->ring.count; k++)
        if (w->e->ring.atom[k].role == role && term->power[k]) return true;
    return false;
}

/* the terms of one inertial parameter; `end` closes what the caller opened */
static void print_block(writer *w, const closed_term *term, int n, double factor, const char *end)
{
    if (n > 1 && has_role(w, term, ROLE_INERTIA)) {
        print_bracket(w, term, n, factor, "", end);
        return;
    }
    for (int i = 0; i < n; i++) {
        product(w, &term[i], factor, all_roles + 1, 3);
        put(w, term[i].c / factor < 0, "", i + 1 < n ? "" : end);
    }
}

/* the terms of one key: key (block + block ...) */
static void print_group(writer *w, const closed_term *term, int n)
{
    double factor = 1;
    text_buffer key = {0};
    print_role(&key, w->e, term->power, ROLE_KEY, w->style);
    const bool bracket = key.length && n > 1, lone = bracket && one_role(w, term, n, ROLE_INERTIA);
    if (n == 1) {
        product(w, term, 1, all_roles, 4);
        put(w, term->c < 0, "", "");
    } else if (lone && has_role(w, term, ROLE_INERTIA)) {
        print_bracket(w, term, n, 1, arne__text_string(&key), "");
    } else {
        if (bracket) {
            factor = common(term, n) * (term->c < 0 ? -1 : 1);
            open_bracket(w, &w->piece, fabs(factor), arne__text_string(&key));
            put(w, factor < 0, "", "");
            w->empty = true;
        }
        for (int i = 0, end; i < n; i = end) {
            end = i + 1;
            while (end < n && arne__closed_same(&w->e->ring, term[i].power, term[end].power, ROLE_INERTIA)) end++;
            print_block(w, term + i, end - i, factor, bracket && end == n ? ")" : "");
        }
    }
    if (key.failed) w->t->failed = true;
    arne__text_free(&key);
}

void arne__print_closed(text_buffer *t, const char *label, const expansion *e, const closed_form *c, const graph_style *style)
{
    const poly_ring *r = &e->ring;
    writer w = {.t = t, .e = e, .style = style, .empty = true};
    arne__text_add(t, style->latex ? "  %s &= " : "%s = ", label);
    w.indent = w.column = strlen(label) + 3;
    if (!c->count) arne__text_add(t, "0");
    for (int i = 0; i < c->count;) {
        int end = i + 1;
        while (end < c->count && arne__closed_same(r, c->term[i].power, c->term[end].power, ROLE_KEY)) end++;
        if (i) new_line(&w);
        print_group(&w, c->term + i, end - i);
        i = end;
    }
    arne__text_add(t, style->latex ? " \\\\\n" : "\n");
    arne__text_free(&w.piece);
}
