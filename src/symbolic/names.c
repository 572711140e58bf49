/* SPDX-License-Identifier: MIT */
#include "symbolic/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/regressor.h"
#include "model/central.h"

enum { ONE_G = 3 }; /* index of KEY_GRAVITY: all of gravity, by its size */

/* how many of three constants are not zero */
static int components(const void *doubles, robot_row row, int link)
{
    int count = 0;
    for (int k = 0; k < 3; k++) count += arne__robot_constant(doubles, row, link, k) != 0;
    return count;
}

equation_names arne__equation_names_of(const arne_data *d, int links, const arne_equation_options *o)
{
    const void *doubles = arne__data_doubles(d);
    const link_integers last = arne__robot_integers(doubles, links - 1);
    equation_names names = {doubles, links, last.iv + last.nv, o->dimensions, true, true, o->textbook, o->general, true, false};
    for (int i = 1; i < arne__robot_counts(doubles).n; i++) {
        const link_integers l = arne__robot_integers(doubles, i);
        if (l.parent < 0) names.one_stem = false;
        if (i < links && (l.parent < 0 || l.nv > 1 || l.branch || arne__robot_constant(doubles, ROBOT_LINK_sa, i, 0) != 0))
            names.planar = false;
    }
    const int base = arne__robot_integers(doubles, 0).base;
    if (arne__robot_integers(doubles, 0).nv > 1) names.planar = false;
    for (int k = 0; k < 9; k += 4)
        if (arne__robot_constant(doubles, ROBOT_BASE_R, base, k) != 1) names.along_base = false;
    names.one_g = o->textbook && names.one_stem && components(doubles, ROBOT_BASE_a0, base) == 1 &&
                  components(doubles, ROBOT_WHOLE_g, 0) == 1;
    for (int k = 0; k < 3 && o->other; k++) /* of a symbol nobody knows the sign */
        if (!arne__equation_same(&names, arne__data_doubles(o->other), (sym_key){ROBOT_WHOLE_g, 0, k})) names.one_g = false;
    return names;
}

/* ---- inertias about centres of mass ---- */

/* m, c and I of a link; numbers of twelve digits: c and I are computed, and what is rounding is zero */
static central central_link(const void *doubles, int link)
{
    double MS[3], J[6], size = 0;
    for (int k = 0; k < 3; k++) MS[k] = arne__robot_constant(doubles, ROBOT_LINK_MS, link, k);
    for (int k = 0; k < 6; k++) J[k] = arne__robot_constant(doubles, ROBOT_LINK_J, link, k);
    central c = arne__central_of(arne__robot_constant(doubles, ROBOT_LINK_M, link, 0), MS, J);
    for (int k = 0; k < 6; k++) size = fmax(size, fabs(J[k]));
    for (int k = 0; k < 9; k++) {
        double *x = k < 3 ? &c.c[k] : &c.I[k - 3];
        char digits[32];
        snprintf(digits, sizeof digits, "%.12g", *x);
        *x = k >= 3 && fabs(*x) < 1e-12 * size ? 0 : strtod(digits, NULL);
    }
    return c;
}

static double central_value(const void *doubles, sym_key key)
{
    const central c = central_link(doubles, key.link);
    return key.row == ROBOT_CENTRAL_m ? c.m : key.row == ROBOT_CENTRAL_c ? c.c[key.index] : c.I[key.index];
}

static sym central_symbol(const equation_names *n, sym_graph *into, robot_row row, int link, int index)
{
    static const double ARBITRARY = 0.7390851332151607; /* any number but zero */
    const sym_key key = {(int)row, link, index};
    const double value = central_value(n->doubles, key);
    return arne__sym_named(into, key, value == 0 && n->general ? ARBITRARY : value);
}

static bool has_centre(const equation_names *n, sym_key key)
{
    const bool inertial = key.row == ROBOT_LINK_M || key.row == ROBOT_LINK_MS || key.row == ROBOT_LINK_J;
    return n->textbook && inertial && central_link(n->doubles, key.link).rest == 0;
}

/* M, MX ... and XX ... by mass, centre of mass and inertia about it [003 eq. 9.3]: MS = m c, J = I + m (c.c E - c c') */
static sym by_centre(const equation_names *n, sym_graph *into, sym_key key)
{
    const sym m = central_symbol(n, into, ROBOT_CENTRAL_m, key.link, 0);
    if (key.row == ROBOT_LINK_M) return m;
    if (key.row == ROBOT_LINK_MS) return sym_mul(m, central_symbol(n, into, ROBOT_CENTRAL_c, key.link, key.index));
    sym c[3], square[6];
    for (int k = 0; k < 3; k++) c[k] = central_symbol(n, into, ROBOT_CENTRAL_c, key.link, k);
    for (int k = 0, e = 0; k < 3; k++)
        for (int j = k; j < 3; j++, e++) square[e] = k == j ? sym_of(0) : sym_neg(sym_mul(c[k], c[j]));
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3, diagonal[3] = {0, 3, 5};
        square[diagonal[k]] = sym_add(sym_mul(c[a], c[a]), sym_mul(c[b], c[b]));
    }
    return sym_add(central_symbol(n, into, ROBOT_CENTRAL_I, key.link, key.index), sym_mul(m, square[key.index]));
}

/* ---- roles ---- */

expand_atom arne__equation_atom(sym_key key)
{
    enum { FIRST = -(1 << 20), LAST = 1 << 20 }; /* accelerations, velocities, gravity */
    const int parameter = arne__key_parameter(key), link = ARNE_LINK_PARAMETERS * key.link;
    if (parameter >= 0) return (expand_atom){.role = ROLE_INERTIA, .rank = parameter};
    switch (key.row) {
    case ROBOT_CENTRAL_m: return (expand_atom){.role = ROLE_INERTIA, .rank = link};
    case ROBOT_CENTRAL_I: return (expand_atom){.role = ROLE_INERTIA, .rank = link + 1 + key.index};
    case ROBOT_WHOLE_g:
    case KEY_GRAVITY: return (expand_atom){.role = ROLE_KEY, .rank = LAST};
    case KEY_Q: return (expand_atom){.role = ROLE_LENGTH, .rank = key.index};
    case KEY_QD: return (expand_atom){.role = ROLE_KEY, .rank = key.index};
    case KEY_QDD: return (expand_atom){.role = ROLE_KEY, .rank = FIRST + key.index};
    case ROBOT_LINK_ca:
    case ROBOT_LINK_cg: return (expand_atom){ROLE_LENGTH, LAST, .cosine = true, .mate = {key.row + 1, key.link, 0}}; /* sa, sg */
    case ROBOT_LINK_sa:
    case ROBOT_LINK_sg: return (expand_atom){ROLE_LENGTH, LAST, .sine = true, .mate = {key.row - 1, key.link, 0}};
    default: return (expand_atom){.role = ROLE_LENGTH, .rank = LAST};
    }
}

/* ---- symbols of the robot file ---- */

/* letters up to the first digit, then the index */
static void split(const char *from, graph_name *name)
{
    size_t n = 0;
    while (from[n] && !(from[n] >= '0' && from[n] <= '9')) n++;
    snprintf(name->letters, sizeof name->letters, "%.*s", (int)n, from);
    snprintf(name->index, sizeof name->index, "%s", from + n);
}

/* would this symbol be taken for something else that equations speak of? */
static bool is_taken(const char *symbol)
{
    static const char *const taken[] = {
        "S",  "C",  "SS", "CC", "CS", "q",  "qd",  "qdd", "t",   "k", "A",  "Q",   "c",   "E",   "U",   "tau", "d",   "r",
        "b",  "px", "py", "pz", "ca", "sa", "cg",  "sg",  "G",   "g", "XX", "XY",  "XZ",  "YY",  "YZ",  "ZZ",  "MX",  "MY",
        "MZ", "M",  "IA", "m",  "l",  "lc", "lcx", "lcy", "lcz", "I", "Ir", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz", NULL};
    graph_name name;
    split(symbol, &name);
    for (int i = 0; taken[i]; i++)
        if (!strcmp(taken[i], name.letters)) return true;
    return false;
}

static const char *symbol_of(const arne_dimension *d) { return d->name + (d->name[0] == '-'); }

/* The constant with its sign. A single offset along y or z is the r of the modified Denavit-Hartenberg parameters:
 * p = (d, -r sin(alpha), r cos(alpha)). */
static double constant_value(const void *doubles, sym_key key)
{
    if (key.row >= ROBOT_ROWS) return 0;
    const double value = arne__robot_constant(doubles, (robot_row)key.row, key.link, key.index);
    if (arne__key_offset(doubles, key) != 'r') return value;
    const double turn = key.index == 1 ? -arne__robot_constant(doubles, ROBOT_LINK_sa, key.link, 0)
                                       : arne__robot_constant(doubles, ROBOT_LINK_ca, key.link, 0);
    return fabs(turn) == 1 ? value * turn : value;
}

/* p stands for |value|: a parameter with the sign of the value takes its place */
static sym with_sign(sym_graph *into, sym_key key, double value)
{
    const sym p = arne__sym_named(into, key, value);
    return value < 0 ? sym_neg(p) : p;
}

/* d3 or r4 by the symbol that the robot file has for it; one symbol is one parameter, wherever it stands */
static bool by_symbol(const equation_names *n, sym_graph *into, sym_key key, sym *p)
{
    const char offset = arne__key_offset(n->doubles, key);
    if (!n->dimensions || !offset) return false;
    const arne_dimension *own = &n->dimensions[2 * key.link + (offset == 'r')];
    if (!*symbol_of(own) || is_taken(symbol_of(own)) || constant_value(n->doubles, key) != own->value) return false;
    int first = 0;
    while (strcmp(symbol_of(&n->dimensions[first]), symbol_of(own))) first++;
    *p = with_sign(into, (sym_key){KEY_SYMBOL, 0, first}, own->name[0] == '-' ? -own->value : own->value);
    return true;
}

/* Graphs have the size of a constant and keep its sign apart; for people a name has its sign. A link that is left out has no
 * inertia. Texts use a0 = -g in the frame on the base, the potential energy g in base axes; both are written as gravity, by one
 * name where these axes agree. */
sym arne__equation_constant(const void *context, sym_graph *into, sym_key key, double value)
{
    const equation_names *n = context;
    sym symbol;
    const bool coupled = key.row == ROBOT_MOTORS_rotor; /* a matrix by velocities */
    if (coupled ? key.link >= n->rows || key.index >= n->rows : arne__key_parameter(key) >= 0 && key.link >= n->links)
        return sym_of(0);
    if (has_centre(n, key)) {
        const sym p = by_centre(n, into, key);
        return constant_value(n->doubles, key) < 0 ? sym_neg(p) : p;
    }
    if (n->one_g && (key.row == ROBOT_BASE_a0 || key.row == ROBOT_WHOLE_g))
        return arne__sym_named(into, (sym_key){KEY_GRAVITY, 0, ONE_G}, value);
    if (key.row == ROBOT_BASE_a0) {
        const double a0 = constant_value(n->doubles, key);
        const sym g = arne__sym_named(into, (sym_key){KEY_GRAVITY, key.link, key.index}, -a0);
        return a0 < 0 ? g : sym_neg(g);
    }
    if (key.row == ROBOT_WHOLE_g) {
        const sym_key gravity = {KEY_GRAVITY, 0, key.index};
        return with_sign(into, n->one_stem && n->along_base ? gravity : key, constant_value(n->doubles, key));
    }
    if (by_symbol(n, into, key, &symbol)) return symbol;
    return with_sign(into, key, constant_value(n->doubles, key) == -value ? -value : value);
}

/* ---- texts ---- */

static void name_input(sym_key key, bool latex, graph_name *name)
{
    static const char *const words[2][4] = {{"q", "qd", "qdd", "tau"}, {"q", "\\dot{q}", "\\ddot{q}", "\\tau"}};
    snprintf(name->letters, sizeof name->letters, "%s", words[latex][key.row - KEY_Q]);
    snprintf(name->index, sizeof name->index, "%d", key.index + 1);
}

static void name_twist(sym_key key, graph_name *name)
{
    const bool sine = key.row == ROBOT_LINK_sa || key.row == ROBOT_LINK_sg;
    snprintf(name->function, sizeof name->function, sine ? "\\sin" : "\\cos");
    snprintf(name->letters, sizeof name->letters, key.row <= ROBOT_LINK_sa ? "\\alpha" : "\\gamma");
    snprintf(name->index, sizeof name->index, "%d", key.link + 1);
}

bool arne__equation_same(const equation_names *n, const void *other, sym_key key)
{
    if (key.row == ROBOT_CENTRAL_m || key.row == ROBOT_CENTRAL_c || key.row == ROBOT_CENTRAL_I)
        return central_value(n->doubles, key) == central_value(other, key);
    robot_row row = (robot_row)key.row;
    int link = key.link, first = key.index, last = key.index;
    if (key.row == KEY_SYMBOL) { /* d, or r, which is along y or z */
        row = ROBOT_LINK_p;
        link = key.index / 2;
        first = key.index % 2, last = 2 * first;
    } else if (key.row == KEY_GRAVITY) {
        row = ROBOT_BASE_a0;
        if (key.index == ONE_G) first = 0, last = 2;
    }
    for (int k = first; k <= last && row < ROBOT_ROWS; k++)
        if (arne__robot_constant(n->doubles, row, link, k) != arne__robot_constant(other, row, link, k)) return false;
    return true;
}

/* the next in a chain: no other link hangs on the one before */
static bool is_only_child(const void *doubles, int link)
{
    for (int i = 0; i < arne__robot_counts(doubles).n; i++)
        if (i != link && arne__robot_integers(doubles, i).parent == link - 1) return false;
    return arne__robot_integers(doubles, link).parent == link - 1;
}

/* m1, lc1 or lcx1, I1 or Izz1, l1; in LaTeX what follows the first letter is an index. False: it has another name. */
static bool name_of_textbook(const equation_names *n, sym_key key, bool latex, graph_name *name)
{
    static const char *const tensor[] = {"xx", "xy", "xz", "yy", "yz", "zz"};
    const char *letter, *more = "";
    int number = key.link + 1;
    if (key.row == ROBOT_CENTRAL_m) {
        letter = "m";
    } else if (key.row == ROBOT_CENTRAL_c) {
        static const char *const along[] = {"cx", "cy", "cz"};
        const central c = central_link(n->doubles, key.link);
        letter = "l";
        const bool alone = !n->general && (c.c[0] != 0) + (c.c[1] != 0) + (!n->planar && c.c[2] != 0) == 1;
        more = alone && !(n->planar && key.index == 2) ? "c" : along[key.index];
    } else if (key.row == ROBOT_CENTRAL_I) {
        letter = "I";
        more = n->planar && key.index == 5 ? "" : tensor[key.index];
    } else if (key.row == ROBOT_LINK_Ia) {
        letter = "I";
        more = "r";
    } else if (arne__key_offset(n->doubles, key) == 'd' && is_only_child(n->doubles, key.link)) {
        letter = "l"; /* from the joint of link j to the next: its length */
        number = key.link;
    } else if (key.row == KEY_GRAVITY && key.index == ONE_G) {
        snprintf(name->letters, sizeof name->letters, "g");
        return true;
    } else {
        return false;
    }
    snprintf(name->letters, sizeof name->letters, "%s%s", letter, latex ? "" : more);
    snprintf(name->index, sizeof name->index, "%s%d", latex ? more : "", number);
    return true;
}

void arne__equation_name(const void *context, sym_key key, bool latex, graph_name *name)
{
    const equation_names *n = context;
    const char offset = arne__key_offset(n->doubles, key);
    char row[16] = {offset}, whole[64];
    *name = (graph_name){0};
    if (n->textbook && name_of_textbook(n, key, latex, name)) return;
    if (key.row >= KEY_Q) {
        name_input(key, latex, name);
    } else if (key.row == KEY_SYMBOL) {
        split(symbol_of(&n->dimensions[key.index]), name);
    } else if (latex && key.row <= ROBOT_LINK_sg) {
        name_twist(key, name);
    } else if (key.row == KEY_GRAVITY) {
        snprintf(whole, sizeof whole, n->one_stem ? "G%d" : "G%d_%d", key.index + 1, key.link + 1);
        split(whole, name);
    } else {
        if (!offset) arne__robot_name((robot_row)key.row, key.index, row);
        if (key.row == ROBOT_MOTORS_rotor)
            snprintf(whole, sizeof whole, "%s%d_%d", row, key.link + 1, key.index + 1);
        else if (key.row == ROBOT_WHOLE_g)
            snprintf(whole, sizeof whole, "%s", row);
        else
            snprintf(whole, sizeof whole, "%s%d", row, key.link + 1);
        split(whole, name);
    }
}
