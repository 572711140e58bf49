/* SPDX-License-Identifier: MIT */
#include "graph/polynomial.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- ring ---- */

void arne__poly_ring_free(poly_ring *r)
{
    free(r->atom);
    *r = (poly_ring){0};
}

int arne__poly_ring_add(poly_ring *r, sym_key key)
{
    if (r->count == r->room) {
        const int room = r->room ? 2 * r->room : 64;
        poly_atom *atom = realloc(r->atom, (size_t)room * sizeof *atom);
        if (!atom) r->state = POLY_NO_MEMORY;
        if (r->state) return 0;
        r->atom = atom;
        r->room = room;
    }
    r->atom[r->count] = (poly_atom){.key = key, .partner = -1};
    return r->count++;
}

int arne__poly_ring_pair(poly_ring *r, sym_key cosine, sym_key sine)
{
    const int c = arne__poly_ring_add(r, cosine), s = arne__poly_ring_add(r, sine);
    if (r->state) return 0;
    r->atom[c].partner = s;
    r->atom[s].partner = c;
    r->atom[s].sine = true;
    return c;
}

/* ---- terms ---- */

static size_t width(const poly *p) { return (size_t)p->ring->count; }

poly arne__poly_zero(poly_ring *r) { return (poly){.ring = r}; }

const unsigned char *arne__poly_power(const poly *p, int term) { return p->power + (size_t)term * width(p); }

void arne__poly_free(poly *p)
{
    free(p->coefficient);
    free(p->power);
    free(p->table);
    *p = (poly){.ring = p->ring};
}

static size_t hash(const unsigned char *power, size_t n)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < n; i++) h = (h ^ power[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 29);
}

static size_t slot(const poly *p, const unsigned char *power)
{
    size_t at = hash(power, width(p)) & (p->slots - 1);
    while (p->table[at] >= 0 && memcmp(arne__poly_power(p, p->table[at]), power, width(p))) at = (at + 1) & (p->slots - 1);
    return at;
}

static bool more_slots(poly *p)
{
    const size_t slots = p->slots ? 2 * p->slots : 16;
    int *table = realloc(p->table, slots * sizeof *table);
    if (!table) return false;
    for (size_t i = 0; i < slots; i++) table[i] = -1;
    p->table = table;
    p->slots = slots;
    for (int i = 0; i < p->count; i++) table[slot(p, arne__poly_power(p, i))] = i;
    return true;
}

static bool more_terms(poly *p)
{
    const size_t room = p->room ? 2 * (size_t)p->room : 8;
    double *coefficient = realloc(p->coefficient, room * sizeof *coefficient);
    if (coefficient) p->coefficient = coefficient;
    unsigned char *power = realloc(p->power, room * width(p) + 1);
    if (power) p->power = power;
    if (!coefficient || !power) return false;
    p->room = (int)room;
    return true;
}

/* the last term takes the place of the one that cancelled; the table is made anew as deletions leave holes */
static void drop(poly *p, int term)
{
    const int last = --p->count;
    if (term != last) {
        p->coefficient[term] = p->coefficient[last];
        memcpy(p->power + (size_t)term * width(p), arne__poly_power(p, last), width(p));
    }
}

static void rebuild(poly *p)
{
    for (size_t i = 0; i < p->slots; i++) p->table[i] = -1;
    for (int i = 0; i < p->count; i++) p->table[slot(p, arne__poly_power(p, i))] = i;
}

/* Cancelled terms stay with coefficient 0 while a sum is formed; this takes them out. */
static void tidy(poly *p)
{
    const int before = p->count;
    for (int i = p->count - 1; i >= 0; i--)
        if (p->coefficient[i] == 0) drop(p, i);
    if (p->count != before) rebuild(p);
    if (p->count > p->ring->most && !p->ring->state) p->ring->state = POLY_TOO_LONG;
}

static void collect(poly *p, double c, const unsigned char *power)
{
    if (p->ring->state || c == 0) return;
    /* twice the cap, as some of it may cancel */
    if (p->count / 2 > p->ring->most) {
        p->ring->state = POLY_TOO_LONG;
        return;
    }
    if ((2 * (size_t)p->count >= p->slots && !more_slots(p)) || (p->count == p->room && !more_terms(p))) {
        p->ring->state = POLY_NO_MEMORY;
        return;
    }
    const size_t at = slot(p, power);
    if (p->table[at] >= 0) {
        double *sum = &p->coefficient[p->table[at]];
        const double scale = fabs(*sum) + fabs(c);
        *sum += c;
        if (fabs(*sum) <= 1e-14 * scale) *sum = 0;
        return;
    }
    p->coefficient[p->count] = c;
    memcpy(p->power + (size_t)p->count * width(p), power, width(p));
    p->table[at] = p->count++;
}

/* S^2 = 1 - C^2, for every sine from atom `from` on; power is scratch and left as it was */
static void collect_reduced(poly *p, double c, unsigned char *power, int from)
{
    const poly_atom *atom = p->ring->atom;
    int s = from;
    while (s < p->ring->count && !(atom[s].sine && power[s] >= 2)) s++;
    if (s == p->ring->count) {
        collect(p, c, power);
        return;
    }
    const int cosine = atom[s].partner;
    if (power[cosine] > UCHAR_MAX - 2) {
        p->ring->state = POLY_TOO_LONG;
        return;
    }
    power[s] = (unsigned char)(power[s] - 2);
    collect_reduced(p, c, power, s);
    power[cosine] = (unsigned char)(power[cosine] + 2);
    collect_reduced(p, -c, power, s);
    power[cosine] = (unsigned char)(power[cosine] - 2);
    power[s] = (unsigned char)(power[s] + 2);
}

static unsigned char *scratch(poly_ring *r)
{
    unsigned char *power = r->state ? NULL : calloc((size_t)r->count + 1, 1);
    if (!power && !r->state) r->state = POLY_NO_MEMORY;
    return power;
}

/* ---- operations ---- */

static poly monomial(poly_ring *r, double c, int atom)
{
    poly p = arne__poly_zero(r);
    unsigned char *power = scratch(r);
    if (!power) return p;
    if (atom >= 0) power[atom] = 1;
    collect(&p, c, power);
    free(power);
    return p;
}

poly arne__poly_constant(poly_ring *r, double c) { return monomial(r, c, -1); }
poly arne__poly_of(poly_ring *r, int atom) { return monomial(r, 1, atom); }

void arne__poly_add_term(poly *p, double c, const unsigned char *power)
{
    const int before = p->count;
    collect(p, c, power);
    if (p->count == before) tidy(p);
}

void arne__poly_add(poly *p, double c, const poly *a)
{
    for (int i = 0; i < a->count; i++) collect(p, c * a->coefficient[i], arne__poly_power(a, i));
    tidy(p);
}

void arne__poly_mul(poly *p, double c, const poly *a, const poly *b)
{
    unsigned char *power = scratch(p->ring);
    for (int i = 0; power && i < a->count && !p->ring->state; i++)
        for (int j = 0; j < b->count && !p->ring->state; j++) {
            const unsigned char *x = arne__poly_power(a, i), *y = arne__poly_power(b, j);
            for (int k = 0; k < p->ring->count; k++) {
                if (x[k] + y[k] > UCHAR_MAX) p->ring->state = POLY_TOO_LONG;
                power[k] = (unsigned char)(x[k] + y[k]);
            }
            collect_reduced(p, c * a->coefficient[i] * b->coefficient[j], power, 0);
        }
    free(power);
    tidy(p);
}

static void replace(poly *p, const poly *by)
{
    poly product = arne__poly_zero(p->ring);
    arne__poly_mul(&product, 1, p, by);
    arne__poly_free(p);
    *p = product;
}

void arne__poly_substitute(poly *p, const poly *a, const poly *const *value)
{
    poly_ring *r = p->ring;
    unsigned char *power = scratch(r);
    for (int i = 0; power && i < a->count && !r->state; i++) {
        memcpy(power, arne__poly_power(a, i), width(a));
        for (int k = 0; k < r->count; k++)
            if (value[k]) power[k] = 0;
        poly term = arne__poly_zero(r);
        collect(&term, a->coefficient[i], power);
        for (int k = 0; k < r->count; k++)
            for (int n = 0; value[k] && n < arne__poly_power(a, i)[k]; n++) replace(&term, value[k]);
        for (int j = 0; j < term.count; j++) collect(p, term.coefficient[j], arne__poly_power(&term, j));
        arne__poly_free(&term);
    }
    free(power);
    tidy(p);
}

void arne__poly_by_sines(poly *p, const poly *a, int cosine)
{
    poly_ring *r = p->ring;
    const int sine = r->atom[cosine].partner;
    unsigned char *power = scratch(r);
    for (int i = 0; power && i < a->count; i++) {
        memcpy(power, arne__poly_power(a, i), width(a));
        const int n = power[cosine] / 2;
        power[cosine] = (unsigned char)(power[cosine] - 2 * n);
        double c = a->coefficient[i];
        /* (1 - S^2)^n by its binomial coefficients */
        for (int k = 0; k <= n; k++) {
            collect(p, c, power);
            power[sine] = (unsigned char)(power[sine] + 2);
            c *= -(double)(n - k) / (k + 1);
        }
    }
    free(power);
    tidy(p);
}

typedef struct {
    double coefficient;
    const unsigned char *power;
    size_t width;
} row;

static int by_power(const void *a, const void *b)
{
    const row *x = a, *y = b;
    return memcmp(y->power, x->power, x->width);
}

void arne__poly_sort(poly *p)
{
    const size_t n = (size_t)p->count;
    row *list = malloc((n + 1) * sizeof *list);
    unsigned char *power = malloc(n * width(p) + 1);
    if (!list || !power) p->ring->state = POLY_NO_MEMORY;
    if (!p->ring->state && n) {
        for (int i = 0; i < p->count; i++) list[i] = (row){p->coefficient[i], arne__poly_power(p, i), width(p)};
        qsort(list, n, sizeof *list, by_power);
        for (size_t i = 0; i < n; i++) {
            p->coefficient[i] = list[i].coefficient;
            memcpy(power + i * width(p), list[i].power, width(p));
        }
        memcpy(p->power, power, n * width(p));
        rebuild(p);
    }
    free(list);
    free(power);
}

bool arne__poly_equal(const poly *a, const poly *b, double tolerance)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; i++) {
        const int j = b->table[slot(b, arne__poly_power(a, i))];
        if (j < 0) return false;
        const double x = a->coefficient[i], y = b->coefficient[j];
        if (!(fabs(x - y) <= tolerance * fmax(fabs(x), fabs(y)))) return false;
    }
    return true;
}

double arne__poly_value(const poly *p, const double *atom)
{
    double sum = 0;
    for (int i = 0; i < p->count; i++) {
        double product = p->coefficient[i];
        for (int k = 0; k < p->ring->count; k++)
            for (int n = 0; n < arne__poly_power(p, i)[k]; n++) product *= atom[k];
        sum += product;
    }
    return sum;
}
