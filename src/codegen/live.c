/* SPDX-License-Identifier: MIT
 *
 * live.c - inertial parameters as inputs: the same formulas whatever the robot carries.
 *
 * The robot of the graph has a number of its own for every parameter that is an input, none of them 0 or 1, and zero for all
 * others, so nothing folds but what is zero always. */
#include <stdlib.h>

#include "codegen/code.h"
#include "graph/replace.h"

typedef struct {
    const code *code;
    bool *unknown;
} context;

/* constants that no inertial parameter is part of: geometry, gravity, friction, coupled motors */
static bool is_apart(sym_key key)
{
    if (key.row >= ROBOT_ROWS) return false;
    const robot_role role = arne__robot_role((robot_row)key.row);
    return (role != ROBOT_INERTIA && role != ROBOT_ROTOR) || key.row == ROBOT_MOTORS_rotor;
}

/* all parameters are made with the first constant that is met: after the inputs of the state */
static sym replacement(const void *context_, sym_graph *into, sym_key key, double value)
{
    const context *c = context_;
    const int number = key.row == ROBOT_MOTORS_rotor ? -1 : arne__key_parameter(key);
    int found = -1;
    for (int k = 0; k < c->code->nparameter; k++) {
        arne__sym_input(into, (sym_key){KEY_LIVE, 0, k});
        if (c->code->parameters[k] == number) found = k;
    }
    if (found >= 0) return arne__sym_input(into, (sym_key){KEY_LIVE, 0, found});
    if (!is_apart(key)) *c->unknown = true;
    return arne__sym_param(into, key, value);
}

bool arne__live_parameters(symbolic *s, const code *from, bool *usable)
{
    bool unknown = false;
    symbolic to = {arne__sym_graph_new(), calloc((size_t)s->nout, sizeof *to.out), s->nout};
    const context c = {from, &unknown};
    const bool ok = to.g && to.out && arne__graph_replace(s->g, s->out, s->nout, replacement, &c, to.g, to.out);
    if (ok)
        arne__symbolic_free(s), *s = to;
    else
        arne__symbolic_free(&to);
    *usable = !unknown;
    return ok;
}
