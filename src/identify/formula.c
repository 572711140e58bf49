/* SPDX-License-Identifier: MIT */
#include "identify/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { MOST_FACTORS = 8, MOST_TERMS = 48, NAME_SIZE = 160 };

/* A sum whose terms cancel to this part of their size is zero: equal and opposite lengths, angles that add up. */
static const double CANCELLED = 1e-12;

typedef struct {
    char name[NAME_SIZE];
    double value;
    int cosine; /* of a sine: its cosine, which takes the place of its square; else -1 */
    bool made;  /* a ratio, no dimension of the robot */
} atom;

typedef struct {
    int atom, power;
} factor;

typedef struct {
    double k;
    int count;
    factor f[MOST_FACTORS]; /* by atom */
} term;

struct formula {
    int count;
    term t[];
};

struct formula_book {
    arena *memory;
    atom *atoms;
    int count, room;
    bool failed;
};

formula_book *arne__formula_book_new(arena *memory)
{
    formula_book *b = arne__arena_take(memory, 1, sizeof *b);
    if (b) b->memory = memory;
    return b;
}

bool arne__formula_failed(const formula_book *b) { return b->failed; }

static double term_value(const formula_book *b, const term *t)
{
    double v = t->k;
    for (int i = 0; i < t->count; i++)
        for (int p = 0; p < t->f[i].power; p++) v *= b->atoms[t->f[i].atom].value;
    return v;
}

/* every formula ends with a term that holds its value */
double arne__formula_value(const formula *x) { return x ? x->t[x->count].k : 0; }

static const formula *keep(formula_book *b, const term *t, int count)
{
    double value = 0, size = 0;
    for (int i = 0; i < count; i++) {
        const double v = term_value(b, &t[i]);
        value += v;
        size += fabs(v);
    }
    if (count > 1 ? fabs(value) <= CANCELLED * size : value == 0) return NULL;
    const term number = {.k = value};
    if (count > MOST_TERMS) t = &number, count = 1;
    formula *x = arne__arena_take(b->memory, 1, sizeof *x + ((size_t)count + 1) * sizeof *t);
    if (!x) {
        b->failed = true;
        return NULL;
    }
    x->count = count;
    memcpy(x->t, t, (size_t)count * sizeof *t);
    x->t[count].k = value;
    return x;
}

const formula *arne__formula_number(formula_book *b, double value) { return keep(b, &(term){.k = value}, 1); }

static int atom_of(formula_book *b, const char *name, double value, int cosine, bool made)
{
    for (int i = 0; i < b->count; i++)
        if (!strcmp(b->atoms[i].name, name)) return i;
    if (b->count == b->room) {
        const int room = 2 * b->room + 16;
        atom *atoms = arne__arena_take(b->memory, (size_t)room, sizeof *atoms);
        if (!atoms) {
            b->failed = true;
            return -1;
        }
        if (b->count) memcpy(atoms, b->atoms, (size_t)b->count * sizeof *atoms);
        b->atoms = atoms;
        b->room = room;
    }
    atom *a = &b->atoms[b->count];
    *a = (atom){.value = value, .cosine = cosine, .made = made};
    snprintf(a->name, sizeof a->name, "%s", name);
    return b->count++;
}

static const formula *of_atom(formula_book *b, int a) { return a < 0 ? NULL : keep(b, &(term){1, 1, {{a, 1}}}, 1); }

const formula *arne__formula_named(formula_book *b, const char *name, double value)
{
    return value == 0 ? NULL : of_atom(b, atom_of(b, name, value, -1, false));
}

void arne__formula_turn(formula_book *b, const char *angle, double c, double s, const formula **cosine, const formula **sine)
{
    char name[NAME_SIZE];
    if (c == 0 || s == 0) {
        *cosine = arne__formula_number(b, c);
        *sine = arne__formula_number(b, s);
        return;
    }
    snprintf(name, sizeof name, "cos(%s)", angle);
    const int a = atom_of(b, name, c, -1, false);
    *cosine = of_atom(b, a);
    snprintf(name, sizeof name, "sin(%s)", angle);
    *sine = of_atom(b, atom_of(b, name, s, a, false));
}

static bool same_product(const term *x, const term *y)
{
    if (x->count != y->count) return false;
    for (int i = 0; i < x->count; i++)
        if (x->f[i].atom != y->f[i].atom || x->f[i].power != y->f[i].power) return false;
    return true;
}

/* A sum in the making; beyond its room only its value counts. */
typedef struct {
    int count;
    bool full;
    double value;
    term t[2 * MOST_TERMS];
} sum;

static void sum_term(formula_book *b, sum *s, const term *t)
{
    s->value += term_value(b, t);
    for (int i = 0; i < s->count; i++) {
        if (!same_product(&s->t[i], t)) continue;
        s->t[i].k += t->k;
        if (s->t[i].k == 0) s->t[i] = s->t[--s->count];
        return;
    }
    if (s->count < 2 * MOST_TERMS)
        s->t[s->count++] = *t;
    else
        s->full = true;
}

static const formula *sum_done(formula_book *b, const sum *s)
{
    return s->full ? arne__formula_number(b, s->value) : keep(b, s->t, s->count);
}

const formula *arne__formula_add(formula_book *b, const formula *x, const formula *y)
{
    if (!x || !y) return x ? x : y;
    sum s = {0};
    for (int i = 0; i < x->count; i++) sum_term(b, &s, &x->t[i]);
    for (int i = 0; i < y->count; i++) sum_term(b, &s, &y->t[i]);
    return sum_done(b, &s);
}

const formula *arne__formula_scale(formula_book *b, double k, const formula *x)
{
    return arne__formula_mul(b, arne__formula_number(b, k), x);
}

/* the product of two terms; false: too many factors */
static bool term_product(const term *x, const term *y, term *out)
{
    *out = (term){.k = x->k * y->k};
    for (int i = 0, j = 0; i < x->count || j < y->count;) {
        if (out->count == MOST_FACTORS) return false;
        if (j == y->count || (i < x->count && x->f[i].atom < y->f[j].atom)) {
            out->f[out->count++] = x->f[i++];
        } else if (i == x->count || y->f[j].atom < x->f[i].atom) {
            out->f[out->count++] = y->f[j++];
        } else {
            out->f[out->count++] = (factor){x->f[i].atom, x->f[i].power + y->f[j].power};
            i++, j++;
        }
    }
    return true;
}

/* adds t with squares of sines as 1 - c^2 */
static void sum_reduced(formula_book *b, sum *s, term t)
{
    for (int i = 0; i < t.count; i++) {
        const int cosine = b->atoms[t.f[i].atom].cosine;
        if (cosine < 0 || t.f[i].power < 2) continue;
        t.f[i].power -= 2;
        if (t.f[i].power == 0) {
            memmove(&t.f[i], &t.f[i + 1], (size_t)(t.count - i - 1) * sizeof *t.f);
            t.count--;
        }
        term with;
        const term square = {-1, 1, {{cosine, 2}}};
        sum_reduced(b, s, t);
        if (term_product(&t, &square, &with))
            sum_reduced(b, s, with);
        else
            s->value += term_value(b, &t) * term_value(b, &square), s->full = true;
        return;
    }
    sum_term(b, s, &t);
}

const formula *arne__formula_mul(formula_book *b, const formula *x, const formula *y)
{
    if (!x || !y) return NULL;
    sum s = {0};
    for (int i = 0; i < x->count; i++)
        for (int j = 0; j < y->count; j++) {
            term t;
            if (!term_product(&x->t[i], &y->t[j], &t))
                return arne__formula_number(b, arne__formula_value(x) * arne__formula_value(y));
            sum_reduced(b, &s, t);
        }
    return sum_done(b, &s);
}

const formula *arne__formula_ratio(formula_book *b, const formula *x, const formula *y)
{
    const double value = arne__formula_value(x) / arne__formula_value(y);
    if (!x) return NULL;
    if (y->count == 1 && y->t[0].count == 0) return arne__formula_scale(b, 1 / y->t[0].k, x);
    char above[NAME_SIZE / 2 - 4], below[NAME_SIZE / 2 - 4], name[NAME_SIZE];
    arne__formula_text(b, x, above, sizeof above);
    arne__formula_text(b, y, below, sizeof below);
    const bool sum_above = x->count > 1, plain_below = y->count == 1 && y->t[0].count == 1 && y->t[0].k == 1;
    snprintf(name, sizeof name, "%s%s%s/%s%s%s", sum_above ? "(" : "", above, sum_above ? ")" : "", plain_below ? "" : "(", below,
             plain_below ? "" : ")");
    return of_atom(b, atom_of(b, name, value, -1, true));
}

/* ---- text ---- */
/* k P - k P c^2 is k P s^2 */
static void square_sines(const formula_book *b, term *t, int *count)
{
    for (int a = 0; a < b->count; a++) {
        if (b->atoms[a].cosine < 0) continue;
        for (int i = 0; i < *count; i++)
            for (int j = 0; j < *count; j++) {
                term with;
                const term cosine = {-1, 1, {{b->atoms[a].cosine, 2}}}, sine = {1, 1, {{a, 2}}};
                if (!term_product(&t[i], &cosine, &with) || with.k != t[j].k || !same_product(&with, &t[j])) continue;
                if (!term_product(&t[i], &sine, &with)) continue;
                t[i] = with;
                t[j] = t[--*count];
                i = j = -1;
                break;
            }
    }
}

static bool append(char *text, size_t size, const char *more)
{
    if (strlen(text) + strlen(more) >= size) return false;
    strcat(text, more);
    return true;
}

static bool print_term(const formula_book *b, const term *t, bool first, char *text, size_t size)
{
    char piece[NAME_SIZE + 32], number[NUMBER_TEXT] = "";
    const double k = first ? t->k : fabs(t->k);
    if (!first && !append(text, size, t->k < 0 ? " - " : " + ")) return false;
    if (t->count == 0 || fabs(k) != 1) arne__number_text(k, number);
    if (!append(text, size, t->count && k == -1 ? "-" : number)) return false;
    for (int i = 0; i < t->count; i++) {
        const char *times = i || number[0] ? "*" : "", *name = b->atoms[t->f[i].atom].name;
        if (t->f[i].power == 1)
            snprintf(piece, sizeof piece, "%s%s", times, name);
        else
            snprintf(piece, sizeof piece, b->atoms[t->f[i].atom].made ? "%s(%s)^%d" : "%s%s^%d", times, name, t->f[i].power);
        if (!append(text, size, piece)) return false;
    }
    return true;
}

void arne__formula_text(const formula_book *b, const formula *x, char *text, size_t size)
{
    text[0] = 0;
    if (!x) {
        snprintf(text, size, "0");
        return;
    }
    term t[MOST_TERMS];
    int count = x->count;
    memcpy(t, x->t, (size_t)count * sizeof *t);
    square_sines(b, t, &count);
    for (int i = 0; i < count; i++)
        if (!print_term(b, &t[i], i == 0, text, size)) {
            char number[NUMBER_TEXT];
            snprintf(text, size, "%s", arne__number_text(arne__formula_value(x), number));
            return;
        }
}
