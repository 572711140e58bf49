/* SPDX-License-Identifier: MIT
 *
 * codegen.c - code for one robot: which functions there are, its parameters, by which text each function is cheapest, and the
 * door. */
#include "arne/codegen.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algo/lean.h"
#include "arne/positions.h"
#include "arne/quantity.h"
#include "base/options.h"
#include "base/random.h"
#include "base/stream.h"
#include "codegen/code.h"

enum { MOST_FUNCTIONS = 64 };

/* The functions: rows of texts.def that users may ask for, and the torques of elastic joints. False: there is no i-th. */
static bool function_at(int i, function *f)
{
    static const struct {
        const char *name, *ways[2]; /* another text for it; one with fewer operations from base parameters */
    } other[] = {
        {"fd", {"aba", "fd-lean"}},  {"elastic", {"elastic-taylor", NULL}}, {"coriolis", {"coriolis_screws", NULL}},
        {"did", {"did-jets", NULL}}, {"dfd", {"dfd-jets", NULL}},
#define LEAN(name, of, uses) {#of, {NULL, #name}},
#include "algo/texts.def"
    };
    int at = 0;
    while (at < arne_quantities() && (arne_quantity_at(at)->hidden || i-- > 0)) at++;
    const arne_quantity *q = arne_quantity_at(at);
    if (!q && i != 0) return false;
    if (q) {
        *f = (function){q->name, q->letter, q->about, q->inputs | ARNE_Q, {q->name}, q->grouped};
    } else {
        *f = (function){.name = "elastic",
                        .output = "tau",
                        .about = "torques of the links alone (no rotors, no friction), first and second derivative: 3 x n",
                        .inputs = ARNE_Q | ARNE_QD | ARNE_QDD | 3 << (KEY_QDDD - KEY_Q),
                        .texts = {"elastic"},
                        .grouped = true};
    }
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for (int way = 0; way < 2 && !strcmp(other[k].name, f->name); way++)
            if (other[k].ways[way]) f->texts[1 + way] = other[k].ways[way];
    return true;
}

bool arne__code_function(const char *name, function *f)
{
    int i = 0;
    while (function_at(i, f) && strcmp(f->name, name)) i++;
    return function_at(i, f);
}

const char *arne_codegen_name(int i)
{
    function f;
    return i >= 0 && function_at(i, &f) ? f.name : NULL;
}
const char *arne_codegen_about(int i)
{
    function f;
    return i >= 0 && function_at(i, &f) ? f.about : NULL;
}

static bool is_name(const char *s)
{
    if (!s || !(isalpha((unsigned char)*s) || *s == '_') || strlen(s) > 60) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

/* the shortest of the texts that can be used */
static bool make(item *it, const code *c, const arne_data *d, const arne_data *file, const int *lean)
{
    const bool lean_texts = lean && it->fn.grouped;
    for (int k = 0; k < 2 + lean_texts; k++) {
        if (!it->fn.texts[k] || arne__symbolic_fault(it->fn.texts[k], arne_data_model(d))) continue;
        symbolic s;
        graph_count cost;
        bool usable = true;
        if (!arne__symbolic_run(d, it->fn.texts[k],
                                &(symbolic_options){.friction = true, .link = c->o.link, .lean = lean, .file = file}, &s))
            return false;
        item with = *it;
        long length = -1;
        if ((c->o.live && !arne__live_parameters(&s, c, &usable)) || !arne__graph_cost(s.g, s.out, s.nout, &cost) ||
            (with.s = s, length = c->o.cuda ? arne__cuda_parts(c, &with) : arne__print_length(s.g, s.out, s.nout)) < 0) {
            arne__symbolic_free(&s);
            return false;
        }
        if (usable && (!it->s.g || length < it->length)) {
            arne__symbolic_free(&it->s);
            *it = with;
            it->cost = cost;
            it->length = length;
        } else {
            arne__symbolic_free(&s);
        }
    }
    return it->s.g != NULL;
}

/* With base parameters: the lean texts are searched for what the functions need, nothing else. */
static bool make_all(code *c)
{
    const arne_data *base = c->base.d;
    int uses = 0;
    for (int i = 0; i < c->count; i++)
        if (c->list[i].fn.texts[2]) uses |= arne__symbolic_uses(arne__symbolic_find(c->list[i].fn.texts[2]));
    int *lean = malloc((size_t)arne_model_bodies(arne_data_model(c->d)) * sizeof *lean);
    bool ok = lean && (!base || arne__lean_search(&c->base, uses, false, lean));
    for (int i = 0; i < c->count && ok; i++) {
        const bool grouped = base && c->list[i].fn.grouped;
        ok = make(&c->list[i], c, grouped ? base : c->d, grouped ? c->d : NULL, grouped ? lean : NULL);
    }
    free(lean);
    return ok;
}

/* With parameters as inputs: the robot has any numbers in their place while its graphs are made, and the text with the third
 * column of U is tried; the other lean ways need the parameters in another form. */
static bool make_live(code *c)
{
    const arne_model *m = arne_data_model(c->d);
    const int n = arne_model_bodies(m), size = ARNE_LINK_PARAMETERS * n;
    double *any = calloc((size_t)size, sizeof *any);
    int *lean = malloc((size_t)n * sizeof *lean);
    arne_data *d = NULL;
    bool ok =
        any && lean && !arne_data_new(m, &d, NULL) && !arne_settings_copy(arne_data_settings(d), arne_data_settings_used(c->d));
    if (ok) {
        for (int i = 0; i < n; i++) lean[i] = LEAN_COLUMN;
        for (int k = 0; k < c->nparameter; k++) any[c->parameters[k]] = 0.7390851332151607 + 0.1 * k;
        arne_set_parameters(arne_data_settings(d), any);
        for (int i = 0; i < c->count && ok; i++) ok = make(&c->list[i], c, d, NULL, lean);
    }
    arne_data_free(d);
    free(any);
    free(lean);
    return ok;
}

/* base parameters, unless they are asked not to be or cost digits (axes nearly parallel); their list */
static arne_status choose_parameters(code *c, arne_error *error)
{
    static const double REDUCED = 1e-12; /* what grouping may cost, beside the largest torque */
    const int all = ARNE_LINK_PARAMETERS * arne_model_bodies(arne_data_model(c->d));
    const arne_status status = c->o.standard ? ARNE_OK : arne__reduce(c->d, false, &c->base, error);
    if (status) return status;
    c->distance = c->base.distance;
    if (!(c->base.distance <= REDUCED)) arne__reduced_free(&c->base);
    const arne_base *b = c->base.base;
    if (!b && !c->o.live) return ARNE_OK;
    c->parameters = malloc((size_t)all * sizeof *c->parameters);
    c->values = malloc((size_t)all * sizeof *c->values);
    if (!c->parameters || !c->values) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    arne_parameters(arne_data_settings_used(c->d), c->values);
    if (b) arne_base_grouped(b, c->values, c->values);
    c->nparameter = b ? b->count : all;
    for (int k = 0; k < c->nparameter; k++) { /* in rising order, so values move to the front */
        c->parameters[k] = b ? b->parameters[k].parameter : k;
        c->values[k] = c->values[c->parameters[k]];
    }
    return ARNE_OK;
}

/* Forward dynamics needs an inertia matrix that can be inverted. */
static arne_status check_fd(const code *c, const char *what, arne_error *error)
{
    const arne_model *m = arne_data_model(c->d);
    const size_t n = (size_t)arne_model_nv(m), nq = (size_t)arne_model_nq(m);
    arne_data *d = NULL;
    double *x = malloc((nq + 3 * n) * sizeof *x), *qd = x + nq;
    arne_status status = arne_data_share(arne_data_settings_used(c->d), &d, error);
    if (!status && !x) status = arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (!status) {
        random_source random = {.state = 3};
        for (size_t i = 0; i < nq + 2 * n; i++) x[i] = arne__random_signed(&random);
        arne_normalize(m, NAN, x, NULL);
        if (arne_fd(d, x, qd, qd + n, qd + 2 * n))
            status = arne_fail(error, ARNE_BAD_VALUE, NULL, 0,
                               "no code for %s: the inertia matrix is singular at joint '%s'; give the link mass and inertia",
                               what, arne_joint_name(m, arne_data_joint(d)));
    }
    arne_data_free(d);
    free(x);
    return status;
}

static arne_status choose(const char *what, item *list, int *count, arne_error *error)
{
    *count = 0;
    for (const char *at = what;;) {
        const size_t length = strcspn(at, ",");
        function f;
        int i = 0;
        while (function_at(i, &f) && (strlen(f.name) != length || strncmp(f.name, at, length))) i++;
        if (!arne_codegen_name(i))
            return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "no code can be written for \"%.*s\"",
                             (int)(length < 60 ? length : 60), at);
        for (int k = 0; k < *count; k++)
            if (list[k].fn.name == f.name) return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "%s is there twice", f.name);
        list[(*count)++] = (item){.fn = f};
        if (!at[length]) return ARNE_OK;
        at += length + 1;
    }
}

/* Before anything is computed: what would take minutes and gigabytes. */
static arne_status check_size(const code *c, arne_error *error)
{
    const arne_model *m = arne_data_model(c->d);
    const double n = arne_model_dof(m);
    for (int i = 0; i < c->count; i++) {
        const char *name = c->list[i].fn.texts[0];
        const int row = arne_quantity_find(name);
        const double results = !strcmp(name, "fd")     ? n * n
                               : !strcmp(name, "dfd")  ? 10 * n * n
                               : !strcmp(name, "d2id") ? 4 * n * n * n
                               : row < 0               ? 3 * n
                                                       : arne_quantity_size(row, m);
        if (results > ARNE_CODE_MOST_RESULTS)
            return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0,
                             "no code for %s of %g joints: straight lines end at %d results; leave it out (id, bias, gravity and "
                             "others with one result a joint reach further)",
                             name, n, ARNE_CODE_MOST_RESULTS);
    }
    if (!c->o.standard && n > ARNE_BASE_MOST_JOINTS)
        return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0,
                         "base parameters are found for up to %d joints, not for %g: take the standard ones (--params standard)",
                         ARNE_BASE_MOST_JOINTS, n);
    return ARNE_OK;
}

static arne_status check_options(const code *c, arne_error *error)
{
    const int narrow = c->o.single ? 4 : 2, lanes = c->o.lanes;
    arne_status status = ARNE_OK;
    if (lanes && lanes != narrow && lanes != 2 * narrow && lanes != 4 * narrow)
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "lanes of %s are %d, %d or %d, not %d",
                         c->o.single ? "floats" : "doubles", narrow, 2 * narrow, 4 * narrow, lanes);
    if (c->o.link < 0 || c->o.link >= arne_model_links(arne_data_model(c->d)))
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "the robot has no link %d", c->o.link);
    if (c->o.casadi && (lanes || c->o.live || c->o.single))
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0,
                         "CasADi calls functions of doubles, one state at a time, without live parameters: leave out %s",
                         c->o.live     ? "live (--live)"
                         : c->o.single ? "single (--real float)"
                                       : "lanes (--lanes)");
    if (c->o.cuda && (lanes || c->o.casadi))
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "code for a GPU has one state a thread: leave out %s",
                         lanes ? "lanes (--lanes)" : "casadi (--abi casadi)");
    for (int i = 0; i < c->count && !status; i++) {
        const char *name = c->list[i].fn.texts[0];
        if (c->o.live && c->base.d && !strcmp(name, "energy"))
            status = arne_fail(error, ARNE_BAD_VALUE, NULL, 0,
                               "energy does not follow from base parameters: take the standard ones, or leave it out");
        else if (c->list[i].fn.inputs & ARNE_TAU)
            status = check_fd(c, name, error);
    }
    return status;
}

/* one text in memory: 0 source, 1 header, 2 test */
static bool write_text(int which, const code *c, char **text)
{
    text_buffer t = {0};
    FILE *f = arne__text_stream(&t);
    if (!f) return false;
    bool ok = true;
    if (which == 0) ok = arne__print_source(f, c);
    if (which == 1 && !c->o.cuda) arne__print_header(f, c);
    if (which == 1 && c->o.cuda) ok = arne__print_cuda(f, c);
    if (which == 2) ok = arne__print_test(f, c);
    ok = arne__text_stream_close(f, &t) && ok;
    *text = t.s;
    return ok;
}

void arne_code_free(arne_code *c)
{
    if (!c) return;
    free(c->source);
    free(c->header);
    free(c->test);
    arne_base_free(c->base);
    free(c);
}

arne_status arne_codegen(const arne_data *d, const arne_codegen_options *options, arne_code **out, arne_error *error)
{
    item list[MOST_FUNCTIONS] = {0};
    code c = {.d = d, .list = list};
    if (out) *out = NULL;
    if (!d || !options || !out || options_take(&c.o, sizeof c.o, options) || !c.o.what)
        return arne_fail(error, ARNE_BAD_ARGUMENT, NULL, 0, "code needs data, options and a place");
    if (!is_name(c.o.name))
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "the name must be a C identifier: letters, digits, _, no digit first");
    arne_code *text = calloc(1, sizeof *text);
    arne_status status = choose(c.o.what, list, &c.count, error);
    if (!status && c.o.casadi) arne__casadi_add(&c, MOST_FUNCTIONS);
    if (!status) status = check_size(&c, error);
    if (!status) status = choose_parameters(&c, error);
    if (!status) status = check_options(&c, error);
    if (!status && !(text && (c.o.live ? make_live : make_all)(&c) && (!c.o.casadi || arne__casadi_shape(&c)) &&
                     (c.o.cuda || write_text(0, &c, &text->source)) && write_text(1, &c, &text->header) &&
                     (c.o.casadi || write_text(2, &c, &text->test))))
        status = arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (!status) {
        text->standard = !c.base.d;
        text->distance = c.distance;
        text->nparameter = c.o.live ? c.nparameter : 0;
        if (c.o.live) text->base = c.base.base, c.base.base = NULL;
        *out = text;
    } else {
        arne_code_free(text);
    }
    for (int i = 0; i < c.count; i++) arne__symbolic_free(&list[i].s);
    arne__casadi_free(&c);
    arne__reduced_free(&c.base);
    free(c.parameters);
    free(c.values);
    return status;
}
