/* SPDX-License-Identifier: MIT
 *
 * cmd_equations.c - the equations of a robot in closed form. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/equations.h"
#include "cli/cli.h"
#include "cli/out.h"

static void print_names(FILE *to)
{
    fputs("LIST names, with commas between them:", to);
    for (const char *const *n = arne_equation_names(); *n; n++) fprintf(to, " %s", *n);
    fputs(".\n", to);
}

static int check_names(const char *list)
{
    for (const char *at = list;; at += strcspn(at, ",") + 1) {
        const size_t length = strcspn(at, ",");
        char hint[192], word[64];
        nearest near = {.word = word};
        bool known = false;
        snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), at);
        for (const char *const *n = arne_equation_names(); *n; n++) {
            known = known || (strlen(*n) == length && !strncmp(*n, at, length));
            arne__nearest_offer(&near, *n);
        }
        arne__nearest_hint(&near, hint, sizeof hint);
        if (!known) return misuse("--what: there are no equations called \"%s\"%s (arne help equations lists all)", word, hint);
        if (!at[length]) return CLI_OK;
    }
}

static int take_links(const arguments *a, int *links)
{
    const char *text = option_value(a, "links");
    double k;
    if (!text) return CLI_OK;
    if (parse_numbers(text, strlen(text), &k, 1) != 1 || !(k >= 1 && k <= 1e6) || k != (double)(int)k)
        return misuse("--links takes a whole number from 1 on, not \"%s\"", text);
    *links = (int)k;
    return CLI_OK;
}

static int print_equations(const robot *r, const arne_data *d, const char *list, const arne_equation_options *o)
{
    const int dof = arne_model_joints(r->model);
    if (o->links > dof)
        return complain_at(r->path, 0, "--links %d: the robot has %d moving joint%s", o->links, dof, dof == 1 ? "" : "s");
    arne_error error = {0};
    char *text;
    const arne_status status = arne_equations(d, list, o, &text, &error);
    if (status == ARNE_UNSUPPORTED)
        return complain_at(
            r->path, 0,
            "multiplied out these equations have more than %d terms: use --form listing, or --links N with fewer links",
            ARNE_LONGEST_EQUATIONS);
    if (status) return say_error(&error);
    out result = {0};
    out_text(&result, text);
    free(text);
    return out_finish(&result, true);
}

static int run(const arguments *a)
{
    static const char *const inertias[] = {"general", "file", NULL}, *const forms[] = {"auto", "expanded", "listing", NULL};
    const bool textbook = option_word(a, "names", 0) == 1;
    const int inertia = option_choice(a, "inertia", inertias, textbook), form = option_choice(a, "form", forms, 0);
    if (inertia < 0 || form < 0) return CLI_MISUSED;
    const char *list = option_value(a, "what");
    if (!list) list = "mass,gravity";
    arne_equation_options o = {
        .size = sizeof o,
        .general = inertia == 0,
        .latex = option_given(a, "latex"),
        .textbook = textbook,
        .form = form == 1   ? ARNE_FORM_EXPANDED
                : form == 2 ? ARNE_FORM_LISTING
                            : ARNE_FORM_AUTO,
    };
    int status = check_names(list);
    if (!status) status = take_links(a, &o.links);
    robot r, other = {0};
    if (!status) status = robot_open_symbolic(a, a->words[0], 1, &r);
    if (status) return status;
    if (r.description->nopen) status = robot_open_symbolic(a, a->words[0], 2, &other);
    arne_data *d = status ? NULL : robot_data(&r), *d2 = d && other.model ? robot_data(&other) : NULL;
    arne_dimension *dimensions = d && !d2 == !other.model ? robot_dimensions(&r) : NULL;
    o.dimensions = dimensions;
    o.other = d2;
    status = dimensions ? print_equations(&r, d, list, &o) : CLI_FAILED;
    free(dimensions);
    arne_data_free(d);
    arne_data_free(d2);
    robot_close(&r);
    robot_close(&other);
    return status;
}

static const option options[] = {
    {"what", "LIST", false, "what to write; default: mass,gravity"},
    {"links", "N", false, "only the first N joints with the links they carry"},
    {"inertia", "general|file", false,
     "general: every inertial parameter is written, the default of khalil; file: those that are zero in the file are left out, "
     "the default of textbook"},
    {"names", "khalil|textbook", false,
     "khalil (default): standard parameters MX1, ZZ1, d2; textbook: masses m1, centres of mass lc1, inertias I1 about them, l1"},
    {"form", "auto|expanded|listing", false,
     "expanded: every element one sum; listing: step by step; auto (default): expanded up to 300 terms"},
    {"latex", NULL, false, "LaTeX instead of plain text"},
    {0},
};

const command command_equations = {
    .name = "equations",
    .synopsis = "ROBOT [--what LIST] [--links N] [--names textbook] [--latex] [--form expanded|listing]",
    .brief = "Writes the equations of this robot in closed form",
    .details = print_names,
    .text = "Sines and cosines are S2 = sin q2, C23 = cos(q2 + q3) for parallel axes, S2m3 = sin(q2 - q3) for opposite ones,\n"
            "SS2 = S2^2, CC2 = C2^2, CS2 = C2 S2. Link j has mass Mj, first moments MXj MYj MZj, inertia XXj ... ZZj about\n"
            "the origin of its modified Denavit-Hartenberg frame and rotor inertia IAj (none with --rigid); d and r are\n"
            "lengths, by the symbols of the file where it has them, G1 G2 G3 gravity. Friction is left out. Symbols of a .par\n"
            "file need no numbers here.\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ equations rx90 --links 3\n  @ equations planar3r --names textbook --what mass,coriolis,gravity\n",
    .run = run,
};
