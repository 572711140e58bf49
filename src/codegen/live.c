/* SPDX-License-Identifier: MIT
 *
 * live.c - inertial parameters as inputs: the same formulas whatever the robot carries.
 *
 * The robot of the graph has a number of its own for every parameter that is an input, none of them 0 or 1, and zero for all
 * others, so nothing folds but what is zero always. */
#include <stdlib.h>
#include <string.h>

#include "arne/regressor.h"
#include "codegen/code.h"
#include "graph/replace.h"

typedef struct {
    int dof;
    const arne_codegen_options *o;
    sym *input; /* made with the first parameter that is met: after those of the state */
    bool *made, *unknown;
} context;

/* constants that no inertial parameter is part of: geometry, gravity, friction, coupled motors */
static bool is_apart(const char *name)
{
    static const char *const letters[] = {"ca", "sa", "cg", "sg", "px", "py", "pz", "d",
                                          "r",  "g",  "FV", "FS", "dF", "vs", "ex", NULL};
    const size_t length = strcspn(name, "0123456789");
    for (int i = 0; letters[i]; i++)
        if (strlen(letters[i]) == length && !strncmp(name, letters[i], length)) return true;
    return strchr(name, '_') != NULL;
}

static sym replacement(const void *context_, sym_graph *into, const char *name, double value)
{
    const context *c = context_;
    char own[16];
    if (!*c->made) {
        for (int k = 0; k < c->o->nparameter; k++) {
            arne_parameter_name(c->dof, c->o->parameters[k], own);
            c->input[k] = arne__sym_input(into, own);
        }
        *c->made = true;
    }
    for (int k = 0; k < c->o->nparameter; k++) {
        arne_parameter_name(c->dof, c->o->parameters[k], own);
        if (!strcmp(own, name)) return c->input[k];
    }
    if (!is_apart(name)) *c->unknown = true;
    return arne__sym_param(into, name, value);
}

bool arne__live_parameters(symbolic *s, int dof, const arne_codegen_options *o, bool *usable)
{
    bool made = false, unknown = false;
    symbolic to = {arne__sym_graph_new(), calloc((size_t)s->nout, sizeof *to.out), s->nout};
    sym *input = calloc((size_t)o->nparameter + 1, sizeof *input);
    const context c = {dof, o, input, &made, &unknown};
    const bool ok = to.g && to.out && input && arne__graph_replace(s->g, s->out, s->nout, replacement, &c, to.g, to.out);
    free(input);
    if (ok)
        arne__symbolic_free(s), *s = to;
    else if (to.g)
        arne__symbolic_free(&to);
    else
        free(to.out);
    *usable = !unknown;
    return ok;
}
