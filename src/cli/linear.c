/* SPDX-License-Identifier: MIT
 *
 * linear.c - what `eval` needs for regressors: work memory, base parameters, names of the columns. */
#include <stdlib.h>
#include <string.h>

#include "cli/quantity.h"

void linear_options(const arguments *a, evaluation *e)
{
    e->order = (arne_parameter_order)option_word(a, "order", ARNE_ORDER_SYMORO);
    e->friction_columns = option_given(a, "friction-columns");
}

/* The names in the order of the columns: the numbers of the parameters are put in order like any row of a regressor. */
static bool name_columns(evaluation *e)
{
    const int n = arne_model_bodies(e->robot->model), width = linear_width(e);
    double *number = calloc((size_t)width, sizeof *number);
    e->names = calloc((size_t)width, sizeof *e->names);
    if (number && e->names) {
        for (int c = 0; c < width; c++) number[c] = c;
        arne_reorder(e->order, n, 1, width, number);
        for (int c = 0; c < width; c++) arne_parameter_name(n, (int)number[c], e->names[c]);
    }
    free(number);
    return number && e->names;
}

int linear_width(const evaluation *e)
{
    return arne_model_bodies(e->robot->model) * (ARNE_LINK_PARAMETERS + (e->friction_columns ? 2 : 0));
}

static int find_base(evaluation *e)
{
    arne_error error = {0};
    const arne_base_options options = {.size = sizeof options, .no_rotors = e->robot->rigid};
    if (arne_base_find(e->robot->model, &options, &e->base, &error)) return say_error(&error);
    e->base_names = calloc((size_t)e->base->count + 1, sizeof *e->base_names);
    if (!e->base_names) return no_memory();
    for (int k = 0; k < e->base->count; k++)
        arne_parameter_name(e->base->joints, e->base->parameters[k].parameter, e->base_names[k]);
    return CLI_OK;
}

int linear_open(evaluation *e, bool base)
{
    const size_t rows = (size_t)arne_model_nv(e->robot->model), links = (size_t)arne_model_bodies(e->robot->model);
    e->columns = calloc(ARNE_LINK_PARAMETERS * rows * links, sizeof *e->columns);
    if (!e->columns || !name_columns(e)) return no_memory();
    return base ? find_base(e) : CLI_OK;
}

void linear_close(evaluation *e)
{
    arne_base_free(e->base);
    free(e->columns);
    free(e->names);
    free(e->base_names);
}
