/* SPDX-License-Identifier: MIT */
#include "symbolic/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

equation_names arne__equation_names_of(const arne_data *d, int links, const arne_dimension *dimensions)
{
    const void *doubles = arne__data_doubles(d);
    equation_names names = {doubles, links, dimensions, true, true};
    for (int i = 1; i < arne__robot_counts(doubles).n; i++)
        if (arne__robot_integers(doubles, i).parent < 0) names.one_stem = false;
    const int base = arne__robot_integers(doubles, 0).base;
    for (int k = 0; k < 9; k += 4)
        if (arne__robot_constant(doubles, ROBOT_BASE_R, base, k) != 1) names.along_base = false;
    return names;
}

/* ---- roles ---- */

expand_atom arne__equation_atom(sym_key key)
{
    enum { FIRST = -(1 << 20), LAST = 1 << 20 }; /* accelerations, velocities, gravity */
    const int parameter = arne__key_parameter(key);
    if (parameter >= 0) return (expand_atom){.role = ROLE_INERTIA, .rank = parameter};
    switch (key.row) {
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
    static const char *const taken[] = {"S",  "C",   "SS", "CC", "CS", "q",  "qd", "qdd", "t",  "k",  "A",  "Q",  "c", "E",
                                        "U",  "tau", "d",  "r",  "b",  "px", "py", "pz",  "ca", "sa", "cg", "sg", "G", "g",
                                        "XX", "XY",  "XZ", "YY", "YZ", "ZZ", "MX", "MY",  "MZ", "M",  "IA", NULL};
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
    const sym p = arne__sym_param(into, key, value);
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
    if (arne__key_parameter(key) >= 0 && (key.link >= n->links || (key.row == ROBOT_MOTORS_rotor && key.index >= n->links)))
        return sym_of(0);
    if (key.row == ROBOT_BASE_a0) {
        const double a0 = constant_value(n->doubles, key);
        const sym g = arne__sym_param(into, (sym_key){KEY_GRAVITY, key.link, key.index}, -a0);
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

void arne__equation_name(const void *context, sym_key key, bool latex, graph_name *name)
{
    const equation_names *n = context;
    const char offset = arne__key_offset(n->doubles, key);
    char row[16] = {offset}, whole[64];
    *name = (graph_name){0};
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
