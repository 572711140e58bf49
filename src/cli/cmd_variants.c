/* SPDX-License-Identifier: MIT
 *
 * cmd_variants.c - the 16 variants of NE* on one robot: which of them factor the Coriolis terms with Mdot = C + C'? */
#include <stdio.h>

#include "arne/compare.h"
#include "cli/out.h"

static const char *digits(int variant, char text[8])
{
    snprintf(text, 8, "%d%d%d%d", variant >> 3 & 1, variant >> 2 & 1, variant >> 1 & 1, variant & 1);
    return text;
}

static void print_text(const arne_model *m, const arne_variant_result *v, out *to)
{
    char text[8];
    int valid = 0;
    out_format(to, "%s: the 16 variants of NE*, %d random states; largest violations, relative\n", arne_model_name(m),
               ARNE_VARIANTS_STATES);
    table t = {.columns = 4, .align = "lrrl"};
    table_cells(&t, "variant", "Mdot - C - C'", "C qd - c", "");
    for (int variant = 0; variant < ARNE_VARIANTS; variant++) {
        table_cell(&t, digits(variant, text));
        table_format(&t, "%.1e", v[variant].skew);
        table_format(&t, "%.1e", v[variant].product);
        table_cell(&t, v[variant].valid ? "valid" : "");
        valid += v[variant].valid;
    }
    table_print(&t, "  ", to);
    out_format(to, "%d of 16 factor the Coriolis terms with Mdot = C + C'%s\n", valid,
               valid == 2               ? ", as for robots in general"
               : valid == ARNE_VARIANTS ? ": this robot is too simple to tell them apart"
                                        : "");
}

static void print_json(const arne_model *m, const arne_variant_result *v, out *to)
{
    char text[8];
    json_open(to, NULL, '{');
    json_members(to, TEXT("robot", arne_model_name(m)), NUMBER("dof", arne_model_dof(m)), NUMBER("states", ARNE_VARIANTS_STATES));
    json_open(to, "variants", '[');
    for (int variant = 0; variant < ARNE_VARIANTS; variant++)
        json_object(to, NULL, TEXT("variant", digits(variant, text)), NUMBER("skew", v[variant].skew),
                    NUMBER("product", v[variant].product), TRUTH("valid", v[variant].valid));
    json_close(to, ']');
    json_open(to, "valid", '[');
    for (int variant = 0; variant < ARNE_VARIANTS; variant++)
        if (v[variant].valid) json_string(to, NULL, digits(variant, text));
    out_text(to, "]}\n");
}

static int compare(const robot *r, arne_data *d, void *json)
{
    arne_variant_result results[ARNE_VARIANTS];
    arne_error error = {0};
    if (arne_compare_variants(d, results, &error))
        return error.status == ARNE_NO_MEMORY ? no_memory() : complain_at(r->path, 0, "%s", error.message);
    out to = {0};
    (*(const int *)json ? print_json : print_text)(r->model, results, &to);
    return out_finish(&to, false);
}

static int run(const arguments *a)
{
    int json = option_json(a);
    return with_any_robot(a, a->words[0], compare, &json);
}

static const option options[] = {
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_variants = {
    .name = "variants",
    .synopsis = "ROBOT [--format text|json]",
    .brief = "Which variants of the modified Newton-Euler method factor the Coriolis terms",
    .text = "NE*(q, qd, qa, qdd) = M qdd + C(q,qd) qa + g computes with two velocities; in four places (angular acceleration,\n"
            "acceleration of the frame, of the mass centre, moment) either may be the inner one: 16 variants, four digits.\n"
            "All give the Coriolis vector, C qd = c. A controller or observer also needs Mdot = C + C', which two of them have\n"
            "for every robot, 0001 and 1110, the others for special ones: planar arms, point masses, arms that only slide.\n",
    .options = options,
    ONE_ROBOT,
    .example = "  @ variants dlr-lwr3\n",
    .run = run,
};
