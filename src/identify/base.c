/* SPDX-License-Identifier: MIT
 *
 * base.c - the public base parameters: rules for the closed forms, numbers as the arbiter, one result. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "identify/grouping.h"

enum { TEXT_SIZE = 400 };

/* Rules and numbers agree to this: what the orthogonalization of a badly scaled robot leaves. */
static const double AGREE = 1e-8;

/* All that one search needs; the result lives in `memory` too. */
typedef struct {
    arne_base base; /* first: freed through it */
    arena *memory;
} result;

typedef struct {
    grouping rules, numbers;
    formula_book *book;
    const formula **expression;
    axis_path *path;
    double *R;
} search;

static void *take(arena *a, size_t count, size_t size) { return arne__arena_take(a, count, size); }

static bool room(arena *a, const arne_model *m, search *s)
{
    const size_t n = (size_t)m->robot->n, size = LINK_PARAMETERS * n;
    grouping *g[2] = {&s->rules, &s->numbers};
    for (int k = 0; k < 2; k++) {
        *g[k] = (grouping){(int)size, take(a, size, sizeof(bool)), take(a, size * size, sizeof(double))};
        if (!g[k]->kept || !g[k]->coefficient) return false;
    }
    s->book = arne__formula_book_new(a);
    s->expression = take(a, size * size, sizeof *s->expression);
    s->path = take(a, n, sizeof *s->path);
    s->R = take(a, size * size, sizeof *s->R);
    return s->book && s->expression && s->path && s->R;
}

static bool agree(const grouping *a, const grouping *b)
{
    const int size = a->size;
    for (int c = 0; c < size; c++) {
        double most = 1;
        if (a->kept[c] != b->kept[c]) return false;
        for (int p = 0; p < size; p++) most = fmax(most, fabs(b->coefficient[p * size + c]));
        for (int p = 0; p < size; p++)
            if (fabs(a->coefficient[p * size + c] - b->coefficient[p * size + c]) > AGREE * most) return false;
    }
    return true;
}

/* one term; its text is the rule's formula, or the number itself */
static bool write_term(arena *a, const search *s, bool by_rules, int p, int c, arne_base_term *t)
{
    const int size = s->rules.size;
    char text[TEXT_SIZE];
    t->parameter = c;
    t->coefficient = (by_rules ? &s->rules : &s->numbers)->coefficient[p * size + c];
    if (by_rules)
        arne__formula_text(s->book, s->expression[p * size + c], text, sizeof text);
    else
        snprintf(text, sizeof text, "%.12g", t->coefficient);
    t->expression = arne__arena_text(a, text);
    return t->expression;
}

/* Is column c a term? With a structure, terms whose parameter is zero are left out. */
static bool is_term(const double *row, const double *structure, int c)
{
    return row[c] != 0 && !(structure && structure[c] == 0);
}

/* The terms of every parameter that stays; one without terms goes. `without`: what stays when there are no rotors. */
static bool write(arena *a, const search *s, bool by_rules, const bool *without, const double *structure, arne_base *b)
{
    const grouping *g = by_rules ? &s->rules : &s->numbers;
    const int size = g->size;
    b->by_rules = by_rules;
    b->parameters = take(a, (size_t)size, sizeof *b->parameters);
    b->no_effect = take(a, (size_t)size, sizeof *b->no_effect);
    b->grouped = take(a, (size_t)size, sizeof *b->grouped);
    if (!b->parameters || !b->no_effect || !b->grouped) return false;
    for (int p = 0; p < size; p++) {
        const double *row = &g->coefficient[p * size];
        int n = 0, of_links = 0;
        for (int c = 0; c < size; c++) {
            if (!is_term(row, structure, c)) continue;
            n++;
            of_links += c % LINK_PARAMETERS != IA;
        }
        b->count_without_rotors += without[p] && (of_links || !structure);
        if (!g->kept[p] || n == 0) continue;
        arne_base_parameter *to = &b->parameters[b->count++];
        *to = (arne_base_parameter){p, n, take(a, (size_t)n, sizeof *to->terms)};
        if (!to->terms) return false;
        for (int c = 0, k = 0; c < size; c++)
            if (is_term(row, structure, c) && !write_term(a, s, by_rules, p, c, &to->terms[k++])) return false;
    }
    return true;
}

static void write_rest(const search *s, bool by_rules, bool rotors, arne_base *b)
{
    const grouping *g = by_rules ? &s->rules : &s->numbers;
    const int size = g->size;
    for (int c = 0; c < size; c++) {
        if (g->kept[c] || (!rotors && c % LINK_PARAMETERS == IA)) continue;
        bool used = false;
        for (int p = 0; p < size && !used; p++) used = g->coefficient[p * size + c] != 0;
        if (used)
            b->grouped[b->ngrouped++] = c;
        else
            b->no_effect[b->nno_effect++] = c;
    }
}

static bool find(const arne_model *m, const arne_base_options *o, arena *a, search *s, arne_base *b)
{
    const double *g = o->gravity ? o->gravity : m->gravity;
    const bool rotors = !o->no_rotors;
    double largest;
    if (!room(a, m, s)) return false;
    arne__axes_find(m, g, s->path);
    const bool ruled = !m->robot->nfollow; /* the rules are of joints that move by themselves */
    if (ruled && !arne__rules_group(m, s->path, rotors, s->book, s->expression, &s->rules)) return false;
    if (!arne__numeric_sample(m, g, NULL, s->R, &largest) ||
        !arne__numeric_group(s->numbers.size, s->R, largest, rotors, &s->numbers))
        return false;
    /* a grouping without the rotors, for its number alone */
    grouping links = {s->numbers.size, take(a, (size_t)s->numbers.size, sizeof(bool)), NULL};
    if (!links.kept || !arne__numeric_group(links.size, s->R, largest, false, &links)) return false;
    const bool by_rules = ruled && agree(&s->rules, &s->numbers);
    if (!write(a, s, by_rules, links.kept, o->structure, b)) return false;
    write_rest(s, by_rules, rotors, b);
    b->joints = m->robot->n;
    b->frames = take(a, (size_t)m->robot->n, sizeof *b->frames);
    for (int i = 0; b->frames && i < m->robot->n; i++) b->frames[i] = arne__axes_frame(m, i);
    return b->frames;
}

arne_status arne_base_find(const arne_model *m, const arne_base_options *options, arne_base **out, arne_error *error)
{
    arne_base_options o;
    if (out) *out = NULL;
    if (!m || !out || options_take(&o, sizeof o, options))
        return BAD_ARGUMENT(error, "base parameters need a model, options that tell their size, and a place");
    if (arne_model_dof(m) == 0) return UNSUPPORTED(error, "no joint of %s moves: it has no base parameters", arne_model_name(m));
    if (arne_model_bodies(m) > ARNE_BASE_MOST_JOINTS)
        return UNSUPPORTED(error, "%s has %d joints; base parameters are found for up to %d", arne_model_name(m),
                           arne_model_bodies(m), ARNE_BASE_MOST_JOINTS);
    arena *a = arne__arena_new();
    result *r = arne__arena_take(a, 1, sizeof *r);
    search s = {0};
    if (!r || !find(m, &o, a, &s, &r->base)) {
        if (a) arne__arena_free(a);
        return NO_MEMORY(error);
    }
    r->memory = a;
    *out = &r->base;
    return ARNE_OK;
}

void arne_base_free(arne_base *b)
{
    if (b) arne__arena_free(((result *)b)->memory);
}

arne_status arne_base_columns(const arne_base *b, int rows, const double *Y, double *YB)
{
    if (!b || rows < 0 || !Y || !YB) return ARNE_BAD_ARGUMENT;
    const int width = LINK_PARAMETERS * b->joints;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < b->count; k++) YB[i * b->count + k] = Y[i * width + b->parameters[k].parameter];
    return ARNE_OK;
}

static double value(const arne_base_parameter *p, const double *K)
{
    double sum = 0;
    for (int t = 0; t < p->nterm; t++) sum += p->terms[t].coefficient * K[p->terms[t].parameter];
    return sum;
}

arne_status arne_base_values(const arne_base *b, const double *K, double *KB)
{
    if (!b || !K || !KB) return ARNE_BAD_ARGUMENT;
    for (int k = 0; k < b->count; k++) KB[k] = value(&b->parameters[k], K);
    return ARNE_OK;
}

arne_status arne_base_grouped(const arne_base *b, const double *K, double *G)
{
    if (!b || !K || !G) return ARNE_BAD_ARGUMENT;
    /* terms never stand before their parameter, so that G may be K */
    int k = 0;
    for (int c = 0; c < LINK_PARAMETERS * b->joints; c++) {
        const bool stays = k < b->count && b->parameters[k].parameter == c;
        G[c] = stays ? value(&b->parameters[k++], K) : 0;
    }
    return ARNE_OK;
}
