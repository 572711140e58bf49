/* SPDX-License-Identifier: MIT
 *
 * rules.c - base parameters in closed form, from the last link to the first [003 9.4.2.4, 9.4.2.5], completed as
 * [ERRATA part two 3.3] says.
 *
 * A rule moves a parameter: its energy function is a constant combination of those of other parameters [003 eq. 9.49], which take
 * it in. Row p of the table says what parameter p has taken in so far. In a tree the rules look at the path from the base to the
 * link, and KR_(j-1) is that of the parent (doc/base.md). */
#include <stdio.h>
#include <string.h>

#include "identify/grouping.h"

typedef struct {
    const arne_model *m;
    const axis_path *path;
    formula_book *b;
    const formula **row; /* size x size */
    grouping *out;
} rules;

/* A link's frame seen from its parent: axes and origin. x and y depend on theta and are for prismatic joints only. */
typedef struct {
    const formula *x[3], *y[3], *z[3], *p[3];
} seen;

/* ---- vectors of formulas ---- */
static const formula *plus(const rules *s, const formula *a, const formula *b) { return arne__formula_add(s->b, a, b); }
static const formula *times(const rules *s, const formula *a, const formula *b) { return arne__formula_mul(s->b, a, b); }
static const formula *minus(const rules *s, const formula *a) { return arne__formula_scale(s->b, -1, a); }
static const formula *dot(const rules *s, const formula *const a[3], const formula *const b[3])
{
    return plus(s, plus(s, times(s, a[0], b[0]), times(s, a[1], b[1])), times(s, a[2], b[2]));
}

/* ---- moving parameters ---- */
static void move(rules *s, int from, int to, const formula *k)
{
    const int size = s->out->size;
    if (!k) return;
    for (int c = 0; c < size; c++)
        if (s->row[from * size + c]) {
            const formula **cell = &s->row[to * size + c];
            *cell = plus(s, *cell, times(s, k, s->row[from * size + c]));
        }
}

static void drop(rules *s, int parameter)
{
    memset(&s->row[parameter * s->out->size], 0, (size_t)s->out->size * sizeof *s->row);
    s->out->kept[parameter] = false;
}

static int number(int i, int c) { return LINK_PARAMETERS * i + c; }

static const formula *constant(const rules *s, double k) { return arne__formula_number(s->b, k); }

/* into the inertia tensor of link `to`, by the six coefficients T */
static void move_tensor(rules *s, int from, int to, const formula *const T[6])
{
    for (int c = XX; c <= ZZ; c++) move(s, from, number(to, c), T[c]);
}

static const int tensor_row[6] = {0, 0, 0, 1, 1, 2}, tensor_column[6] = {0, 1, 2, 1, 2, 2};

/* 2 (u.p) E - u p' - p u': inertia of a unit first moment u carried to the origin p away (columns 7-9 of [003 table 9.1]); with
 * u = p/2 and twice p that of a unit mass, (p.p) E - p p' (column 10) */
static void carried(const rules *s, const formula *const u[3], const formula *const p[3], double k, const formula *T[6])
{
    const formula *trace = arne__formula_scale(s->b, 2 * k, dot(s, u, p));
    for (int c = 0; c < 6; c++) {
        const int i = tensor_row[c], j = tensor_column[c];
        T[c] = arne__formula_scale(s->b, -k, plus(s, times(s, u[i], p[j]), times(s, p[i], u[j])));
        if (i == j) T[c] = plus(s, T[c], trace);
    }
}

/* a first moment along the unit vector u of a link, into its parent */
static void move_moment(rules *s, int from, int to, const formula *const u[3], const formula *const p[3])
{
    const formula *T[6];
    carried(s, u, p, 1, T);
    move_tensor(s, from, to, T);
    for (int c = 0; c < 3; c++) move(s, from, number(to, MX + c), u[c]);
}

/* k times a mass at p, into the parent */
static void move_mass(rules *s, int from, int to, const formula *const p[3], double k)
{
    const formula *T[6];
    carried(s, p, p, 0.5 * k, T);
    move_tensor(s, from, to, T);
    for (int c = 0; c < 3; c++) move(s, from, number(to, MX + c), arne__formula_scale(s->b, k, p[c]));
    move(s, from, number(to, MASS), constant(s, k));
}

/* ---- geometry as formulas ---- */
static void name_turn(const rules *s, const char *angle, int i, double c, double sine, const formula **cf, const formula **sf)
{
    char name[24];
    snprintf(name, sizeof name, "%s%d", angle, i + 1);
    arne__formula_turn(s->b, name, c, sine, cf, sf);
}

static const formula *name_length(const rules *s, const char *letters, int i, double value)
{
    char name[24];
    snprintf(name, sizeof name, "%s%d", letters, i + 1);
    return arne__formula_named(s->b, name, value);
}

/* Rz(gamma) v */
static void turn_z(const rules *s, const formula *c, const formula *sine, const formula *v[3])
{
    const formula *x = v[0], *y = v[1];
    v[0] = plus(s, times(s, c, x), minus(s, times(s, sine, y)));
    v[1] = plus(s, times(s, sine, x), times(s, c, y));
}

/* r of a prismatic joint moves: where it has no effect it is zero */
static seen look(const rules *s, int i)
{
    const robot_link *l = &s->m->robot->link[i];
    const arne_base_frame f = arne__axes_frame(s->m, i);
    const formula *cg, *sg, *ca, *sa, *ct = NULL, *st = NULL;
    seen v = {0};
    name_turn(s, "gamma", i, l->cg, l->sg, &cg, &sg);
    name_turn(s, "alpha", i, l->ca, l->sa, &ca, &sa);
    v.z[1] = minus(s, sa);
    v.z[2] = ca;
    turn_z(s, cg, sg, v.z);
    if (l->joint == PRISMATIC) {
        double c, sine;
        arne__axes_turn(s->m, i, &c, &sine);
        name_turn(s, "theta", i, c, sine, &ct, &st);
        /* columns of Rx(alpha) Rz(theta) */
        v.x[0] = ct, v.x[1] = times(s, ca, st), v.x[2] = times(s, sa, st);
        v.y[0] = minus(s, st), v.y[1] = times(s, ca, ct), v.y[2] = times(s, sa, ct);
        turn_z(s, cg, sg, v.x);
        turn_z(s, cg, sg, v.y);
    }
    if (!f.dh) {
        static const char *const letters[3] = {"px", "py", "pz"};
        for (int c = 0; c < 3; c++) v.p[c] = name_length(s, letters[c], i, f.p[c]);
        return v;
    }
    const formula *r = l->joint == PRISMATIC ? NULL : name_length(s, "r", i, f.r);
    v.p[0] = name_length(s, "d", i, f.d);
    v.p[1] = minus(s, times(s, r, sa));
    v.p[2] = plus(s, name_length(s, "b", i, f.b), times(s, r, ca));
    turn_z(s, cg, sg, v.p);
    return v;
}

/* the axis of r1 in frame j, or its opposite, j prismatic before r2: revolute axes between are parallel to it, so only slides
 * turn it */
static void first_axis(const rules *s, int j, const formula *a[3])
{
    const robot_link *l = &s->m->robot->link[j];
    if (l->joint == REVOLUTE) {
        a[0] = a[1] = NULL;
        a[2] = constant(s, 1);
        return;
    }
    const formula *up[3];
    const seen v = look(s, j);
    first_axis(s, l->parent, up);
    a[0] = dot(s, v.x, up);
    a[1] = dot(s, v.y, up);
    a[2] = dot(s, v.z, up);
}

/* the point where all axes up to j meet, on z_j [ERRATA part two 3.3 e]: where z_j and z_(j-1) cross, the foot of the normal */
static const formula *meeting_point(const rules *s, int j)
{
    const robot_link *l = &s->m->robot->link[j];
    const arne_base_frame f = arne__axes_frame(s->m, j);
    const formula *r = arne__formula_scale(s->b, -1, name_length(s, "r", j, f.r));
    if (l->sa != 0 || l->parent < 0) return r;
    return plus(s, arne__formula_scale(s->b, l->ca, meeting_point(s, l->parent)), r);
}

/* ---- the rules for one link ---- */
static void revolute(rules *s, int j)
{
    const axis_path *at = &s->path[j];
    const int up = s->m->robot->link[j].parent;
    /* rule 1a: YY, MZ, M                                                              [003 eq. 9.51, 9.52, 9.53] */
    move(s, number(j, YY), number(j, XX), constant(s, -1));
    if (up >= 0) {
        const seen v = look(s, j);
        const formula *T[6];
        for (int c = 0; c < 6; c++) { /* XX and YY alike: E - z z' */
            const int i = tensor_row[c], k = tensor_column[c];
            T[c] = minus(s, times(s, v.z[i], v.z[k]));
            if (i == k) T[c] = plus(s, T[c], constant(s, 1));
        }
        move_tensor(s, number(j, YY), up, T);
        move_moment(s, number(j, MZ), up, v.z, v.p);
        move_mass(s, number(j, MASS), up, v.p, 1);
    }
    drop(s, number(j, YY));
    drop(s, number(j, MZ));
    drop(s, number(j, MASS));
    if (at->r2 < 0) { /* rules 4 and 5 */
        static const int still[4] = {XX, XY, XZ, YZ};
        for (int c = 0; c < 4; c++) drop(s, number(j, still[c]));
        if (at->coaxial && at->parallel && at->gravity_along) {
            drop(s, number(j, MX));
            drop(s, number(j, MY));
        }
    } else if (at->concurrent && at->gravity_along && at->gravity_across) { /* no gravity: [ERRATA part two 3.3 e] */
        const formula *c = meeting_point(s, j);
        move(s, number(j, MX), number(j, XZ), c);
        move(s, number(j, MY), number(j, YZ), c);
        drop(s, number(j, MX));
        drop(s, number(j, MY));
    }
}

/* table 9.2: a.(MX MY MZ) is constant, the last one that takes part is grouped with those before it */
static void slide_across(rules *s, int j)
{
    const formula *a[3];
    first_axis(s, j, a);
    int last = 2;
    while (last > 0 && !a[last]) last--;
    for (int c = 0; c < last; c++)
        move(s, number(j, MX + last), number(j, MX + c), minus(s, a[c] ? arne__formula_ratio(s->b, a[c], a[last]) : NULL));
    drop(s, number(j, MX + last));
}

static void prismatic(rules *s, int j)
{
    const axis_path *at = &s->path[j];
    const int up = s->m->robot->link[j].parent;
    if (up >= 0) {
        /* rule 1b: the tensor turns into the parent's axes                             [003 eq. 9.55-9.57] */
        const seen v = look(s, j);
        const formula *const *e[3] = {v.x, v.y, v.z};
        for (int from = XX; from <= ZZ; from++) {
            const formula *const *u = e[tensor_row[from]], *const *w = e[tensor_column[from]], *T[6];
            for (int c = 0; c < 6; c++) {
                const int i = tensor_row[c], k = tensor_column[c];
                T[c] = times(s, u[i], w[k]);
                if (u != w) T[c] = plus(s, T[c], times(s, w[i], u[k]));
            }
            move_tensor(s, number(j, from), up, T);
        }
        /* rule 2: MX and MY, the slide parallel to r1                                  [003 eq. 9.59, 9.60] */
        if (at->r1 >= 0 && at->r2 < 0 && arne__axes_parallel(at, &s->path[at->r1])) {
            move_moment(s, number(j, MX), up, v.x, v.p);
            move_moment(s, number(j, MY), up, v.y, v.p);
        }
    }
    for (int c = XX; c <= ZZ; c++) drop(s, number(j, c));
    if (at->r1 < 0 || (at->r2 < 0 && arne__axes_parallel(at, &s->path[at->r1]))) /* rules 6 and 2 */
        for (int c = MX; c <= MZ; c++) drop(s, number(j, c));
    else if (at->r2 < 0)
        slide_across(s, j);
}

/* The centre of a spherical joint is a point of both links, which a mass there belongs to: M joins the parent; the other nine
 * move against it in every way. A free joint shares nothing with its parent: all ten stay. No motor drives either. Without
 * gravity the link of a spherical joint on the base feels no first moments. Own derivation, doc/base.md. */
static void several(rules *s, int j)
{
    const axis_path *at = &s->path[j];
    const robot_link *l = &s->m->robot->link[j];
    drop(s, number(j, IA));
    if (l->joint == FREE) return;
    if (l->parent >= 0) {
        const seen v = look(s, j);
        move_mass(s, number(j, MASS), l->parent, v.p, 1);
    }
    drop(s, number(j, MASS));
    if (l->parent >= 0 || !at->gravity_along || !at->gravity_across) return;
    for (int c = MX; c <= MZ; c++) drop(s, number(j, c));
}

/* the motor drives its own joint only */
static bool own_motor(const arne_model *m, int k)
{
    if (!m->drive) return true;
    const int own = m->robot->link[k].iv;
    for (int i = 0; i < m->nv; i++)
        if (m->drive[own * m->nv + i] != (i == own)) return false;
    return true;
}

/* [003 eq. 9.65, 9.67, 9.68], the last for any slide: qd_j^2 is what M_j has more than a mass held at the parent
 * [ERRATA part two 3.3 c] */
static void rotor(rules *s, int j)
{
    const axis_path *at = &s->path[j];
    const int up = s->m->robot->link[j].parent, Ia = number(j, IA);
    if (!own_motor(s->m, j)) return;
    if (j == at->r1 || (j == at->r2 && arne__axes_normal(at, &s->path[at->r1]))) {
        move(s, Ia, number(j, ZZ), constant(s, 1));
        drop(s, Ia);
    } else if (at->free_of_others && at->gravity_across) {
        move(s, Ia, number(j, MASS), constant(s, 1));
        if (up >= 0) {
            const seen v = look(s, j);
            move_mass(s, Ia, up, v.p, -1);
        }
        drop(s, Ia);
    }
}

bool arne__rules_group(const arne_model *m, const axis_path *path, bool rotors, formula_book *book, const formula **expression,
                       grouping *out)
{
    rules s = {m, path, book, expression, out};
    const int size = out->size;
    memset(expression, 0, (size_t)size * (size_t)size * sizeof *expression);
    for (int p = 0; p < size; p++) {
        out->kept[p] = true;
        expression[p * size + p] = constant(&s, 1);
        if (!rotors && p % LINK_PARAMETERS == IA) drop(&s, p);
    }
    for (int j = m->robot->n - 1; j >= 0; j--) {
        if (m->robot->link[j].nv > 1) {
            several(&s, j);
            continue;
        }
        if (rotors) rotor(&s, j);
        if (m->robot->link[j].joint == REVOLUTE)
            revolute(&s, j);
        else
            prismatic(&s, j);
    }
    for (int k = 0; k < size * size; k++) out->coefficient[k] = arne__formula_value(expression[k]);
    return !arne__formula_failed(book);
}
