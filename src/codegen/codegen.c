/* SPDX-License-Identifier: MIT
 *
 * codegen.c - code for one robot: which functions there are, by which text each is cheapest, and the door. */
#include "arne/codegen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arne/regressor.h"
#include "base/random.h"
#include "codegen/code.h"

static const function functions[] = {
    {"id", "qdd", "tau", "torques of a motion: inverse dynamics", 3, {"id", NULL, "id-lean"}, true},
    {"fd", "tau", "qdd", "accelerations from torques: forward dynamics", 3, {"fd", "aba", "fd-lean"}, true},
    {"mass", NULL, "M", "inertia matrix, n x n", 1, {"mass", NULL, "mass-lean"}, true},
    {"bias", NULL, "h", "torques at qdd = 0", 2, {"bias", NULL, "bias-lean"}, true},
    {"gravity", NULL, "g", "torques of gravity", 1, {"gravity", NULL, NULL}, true},
    {"coriolis_vector", NULL, "c", "Coriolis and centrifugal torques", 2, {"coriolis_vector", NULL, NULL}, true},
    {"momentum", NULL, "p", "M(q) qd", 2, {"momentum", NULL, NULL}, true},
    {"ctqd", NULL, "y", "C' qd = dT/dq", 2, {"ctqd", NULL, NULL}, true},
    {"coriolis", NULL, "C", "Coriolis matrix by Christoffel symbols, n x n", 2, {"coriolis", NULL, NULL}, true},
    {"star", "qdd", "tau", "NE* = M qdd + C qa + g, C by Christoffel symbols", 4, {"star", NULL, NULL}, true},
    {"regressor", "qdd", "Y", "regressor of the standard parameters, n x 11 n", 3, {"regressor", NULL, NULL}, false},
    {"did", "qdd", "D", "derivatives of id by q, qd, qdd: 3 x n x n", 3, {"did", NULL, NULL}, true},
    {"dfd", "tau", "D", "derivatives of fd by q, qd, tau: 3 x n x n", 3, {"dfd", NULL, NULL}, true},
    {"elastic",
     "qdd",
     "tau",
     "torques of the links alone (no rotors, no friction), first and second derivative: 3 x n",
     5,
     {"elastic", "elastic-taylor", NULL},
     true},
    {"energy", NULL, "E", "kinetic and potential energy, 2", 2, {"energy", NULL, NULL}, false},
    {"pose", NULL, "x", "of the link: position 3, rotation 3 x 3", 1, {"pose", NULL, NULL}, false},
    {"jacobian",
     NULL,
     "J",
     "of the link, 6 x n: velocity of its origin, angular velocity, world axes",
     1,
     {"jacobian", NULL, NULL},
     false},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

const char *arne_codegen_name(int i) { return i >= 0 && i < FUNCTIONS ? functions[i].name : NULL; }
const char *arne_codegen_about(int i) { return i >= 0 && i < FUNCTIONS ? functions[i].about : NULL; }

static bool is_name(const char *s)
{
    if (!s || !(isalpha((unsigned char)*s) || *s == '_') || strlen(s) > 60) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

/* the cheapest of the texts that can be used */
static bool make(item *it, const arne_data *d, const arne_data *file, const arne_codegen_options *o, const int *lean)
{
    const bool lean_texts = lean && it->fn->grouped;
    for (int k = 0; k < 2 + lean_texts; k++) {
        if (!it->fn->texts[k]) continue;
        symbolic s;
        graph_count c;
        bool usable = true;
        if (!arne__symbolic_run(d, it->fn->texts[k],
                                &(symbolic_options){.friction = true, .link = o->link, .lean = lean, .file = file}, &s))
            return false;
        const int n = arne_model_dof(arne_data_model(d));
        if ((o->live && !arne__live_parameters(&s, n, o, &usable)) || !arne__graph_cost(s.g, s.out, s.nout, &c)) {
            arne__symbolic_free(&s);
            return false;
        }
        if (usable && (!it->s.g || c.mul + c.add + c.div < it->cost.mul + it->cost.add + it->cost.div)) {
            arne__symbolic_free(&it->s);
            it->s = s;
            it->cost = c;
        } else {
            arne__symbolic_free(&s);
        }
    }
    return it->s.g != NULL;
}

static bool make_all(const code *c)
{
    const arne_codegen_options *o = c->o;
    bool ok = true;
    for (int i = 0; i < c->count && ok; i++) {
        const bool grouped = o->reduced && c->list[i].fn->grouped;
        ok = make(&c->list[i], grouped ? o->reduced : c->d, grouped ? c->d : NULL, o, grouped ? o->lean : NULL);
    }
    return ok;
}

/* With parameters as inputs: the robot has any numbers in their place while its graphs are made, and the text with the third
 * column of U is tried; the other lean ways need the parameters in another form. */
static bool make_live(const code *c)
{
    const arne_codegen_options *o = c->o;
    const int n = arne_model_dof(arne_data_model(c->d)), size = ARNE_LINK_PARAMETERS * n;
    double *own = calloc(2 * (size_t)size, sizeof *own), *any = own + size;
    int *lean = malloc((size_t)n * sizeof *lean);
    bool ok = own && lean;
    if (ok) {
        for (int i = 0; i < n; i++) lean[i] = 1;
        for (int k = 0; k < o->nparameter; k++) any[o->parameters[k]] = 0.7390851332151607 + 0.1 * k;
        arne_parameters(c->d, own);
        arne_set_parameters(c->d, any);
        for (int i = 0; i < c->count && ok; i++) ok = make(&c->list[i], c->d, NULL, o, lean);
        arne_set_parameters(c->d, own);
    }
    free(own);
    free(lean);
    return ok;
}

/* Forward dynamics needs an inertia matrix that can be inverted. */
static arne_status check_fd(arne_data *d, const char *what, arne_error *error)
{
    const arne_model *m = arne_data_model(d);
    const size_t n = (size_t)arne_model_dof(m);
    double *x = malloc(4 * n * sizeof *x);
    if (!x) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    random_source random = {.state = 3};
    for (size_t i = 0; i < 3 * n; i++) x[i] = arne__random_signed(&random);
    const int singular = arne_fd(d, x, x + n, x + 2 * n, x + 3 * n);
    free(x);
    if (singular < 0) return ARNE_OK;
    return arne_fail(error, ARNE_BAD_VALUE, NULL, 0,
                     "no code for %s: the inertia matrix is singular at joint '%s'; give the link mass and inertia", what,
                     arne_joint_name(m, singular));
}

static arne_status choose(const char *what, item *list, int *count, arne_error *error)
{
    *count = 0;
    for (const char *at = what;;) {
        const size_t length = strcspn(at, ",");
        int i = 0;
        while (i < FUNCTIONS && (strlen(functions[i].name) != length || strncmp(functions[i].name, at, length))) i++;
        if (i == FUNCTIONS)
            return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "no code can be written for \"%.*s\"",
                             (int)(length < 60 ? length : 60), at);
        for (int k = 0; k < *count; k++)
            if (list[k].fn == &functions[i])
                return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "%s is there twice", functions[i].name);
        list[(*count)++] = (item){.fn = &functions[i]};
        if (!at[length]) return ARNE_OK;
        at += length + 1;
    }
}

/* does the list of parameters serve these functions? */
static arne_status check_options(const code *c, arne_error *error)
{
    const arne_codegen_options *o = c->o;
    const int all = ARNE_LINK_PARAMETERS * arne_model_dof(arne_data_model(c->d));
    if (o->lanes && o->lanes != 2 && o->lanes != 4 && o->lanes != 8)
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "lanes are 2, 4 or 8, not %d", o->lanes);
    for (int i = 0; i < c->count; i++)
        if (o->live && o->nparameter < all && !strcmp(c->list[i].fn->name, "energy"))
            return arne_fail(error, ARNE_BAD_VALUE, NULL, 0,
                             "energy does not follow from base parameters: take the standard ones, or leave it out");
    return ARNE_OK;
}

/* one text in memory: 0 source, 1 header, 2 test */
static bool write_text(int which, const code *c, char **text)
{
    size_t size;
    FILE *f = open_memstream(text, &size);
    if (!f) return false;
    bool ok = true;
    if (which == 0) ok = arne__print_source(f, c);
    if (which == 1) arne__print_header(f, c);
    if (which == 2) ok = arne__print_test(f, c);
    ok = !ferror(f) && ok;
    return fclose(f) == 0 && ok;
}

arne_status arne_codegen(arne_data *d, const arne_codegen_options *o, char **source, char **header, char **test,
                         arne_error *error)
{
    item list[FUNCTIONS] = {0};
    code c = {d, o, list, 0};
    char *text[3] = {NULL};
    if (!is_name(o->name))
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "the name must be a C identifier: letters, digits, _, no digit first");
    arne_status status = choose(o->what, list, &c.count, error);
    if (!status) status = check_options(&c, error);
    for (int i = 0; i < c.count && !status; i++)
        if (!strcmp(list[i].fn->name, "fd") || !strcmp(list[i].fn->name, "dfd")) status = check_fd(d, list[i].fn->name, error);
    if (!status && !(o->live ? make_live : make_all)(&c)) status = arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    for (int which = 0; which < 3 && !status; which++)
        if (!write_text(which, &c, &text[which])) status = arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    for (int i = 0; i < c.count; i++) arne__symbolic_free(&list[i].s);
    if (status)
        for (int which = 0; which < 3; which++) free(text[which]);
    else
        *source = text[0], *header = text[1], *test = text[2];
    return status;
}
