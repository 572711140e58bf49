/* SPDX-License-Identifier: MIT
 *
 * vary.c - what a scenario draws anew for every run: its key `vary:`, and scenarios made of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/random.h"
#include "base/text.h"
#include "scenario/parts.h"

enum { MOST_DRAWN = 100 };

typedef enum { UNIFORM, NORMAL, LIST, GRID } law;
static const char *const LAWS[] = {"uniform", "normal", "list", "grid", NULL};

typedef struct {
    char *name, *place; /* as it is called; in the file */
    law law;
    int count;     /* numbers below: from, to; mean, deviation; values */
    double *value; /* of words: NULL */
    char **word;
} drawn;

struct arne_variation {
    arena *memory;
    char *path, *text;
    const arne_scenario_options *options;
    uint64_t seed;
    bool sensors; /* they may be noisy */
    int count;
    drawn list[MOST_DRAWN];
};

/* ---- the file ---- */

typedef struct {
    yaml_reader yaml;
    arne_variation *v;
} vary_reader;

/* The first disturbance of a kind, from 1; 0: there is none. */
static int disturbance(vary_reader *x, const char *kind)
{
    const yaml_node_t *list = arne__yaml_find(&x->yaml, arne__yaml_root(&x->yaml), "disturbances");
    if (!list || list->type != YAML_SEQUENCE_NODE) return 0;
    for (size_t i = 0; i < (size_t)(list->data.sequence.items.top - list->data.sequence.items.start); i++) {
        const yaml_node_t *item = arne__yaml_item(&x->yaml, list, i);
        if (item->type == YAML_MAPPING_NODE && arne__yaml_find(&x->yaml, item, kind)) return (int)i + 1;
    }
    return 0;
}

/* Short words for the usual places, e.g. push.from; others are places of the file. */
static arne_status place_of(vary_reader *x, const yaml_node_t *node, drawn *d)
{
    static const struct {
        const char *word, *alone, *inside;
    } known[] = {{"payload", "options.payload.body.mass", "options.payload.body."},
                 {"mass", "options.mass", NULL},
                 {"friction", "options.friction", NULL},
                 {"noise", "sensors.noise", NULL}};
    const size_t n = strcspn(d->name, ".");
    const char *rest = d->name[n] ? d->name + n + 1 : NULL;
    char place[300];
    snprintf(place, sizeof place, "%.250s", d->name);
    for (size_t i = 0; i < SCENARIO_COUNT(known); i++) {
        if (strlen(known[i].word) != n || strncmp(known[i].word, d->name, n)) continue;
        if (!rest) snprintf(place, sizeof place, "%s", known[i].alone);
        if (rest && known[i].inside) snprintf(place, sizeof place, "%s%.200s", known[i].inside, rest);
    }
    if (n == 4 && !strncmp(d->name, "push", n)) {
        const int at = disturbance(x, "wrench");
        if (!at) return arne__yaml_fail(&x->yaml, node, "there is no push: the disturbances of this file have no `wrench:`");
        snprintf(place, sizeof place, "disturbances.%d.wrench.%.200s", at, rest ? rest : "scale");
    }
    x->v->sensors |= !strncmp(place, "sensors", 7);
    d->place = arne__arena_text(x->v->memory, place);
    return d->place ? ARNE_OK : arne__yaml_no_memory(&x->yaml);
}

static arne_status read_values(vary_reader *x, const yaml_node_t *node, drawn *d)
{
    size_t count;
    arne_status status = arne__yaml_list(&x->yaml, node, &count);
    if (status) return status;
    const bool pair = d->law == UNIFORM || d->law == NORMAL;
    if (pair && count != 2)
        return arne__yaml_fail(&x->yaml, node, d->law == UNIFORM ? "needs [from, to]" : "needs [mean, deviation]");
    if (count < 1 || count > 100000) return arne__yaml_fail(&x->yaml, node, "needs between 1 and 100,000 values");
    d->count = (int)count;
    d->value = arne__arena_take(x->v->memory, count, sizeof *d->value);
    if (!d->value) return arne__yaml_no_memory(&x->yaml);
    status = arne__yaml_vector(&x->yaml, node, count, d->value);
    if (!status && d->law == UNIFORM && !(d->value[0] < d->value[1]))
        return arne__yaml_fail(&x->yaml, node, "from %g to %g is no range", d->value[0], d->value[1]);
    if (!status && d->law == NORMAL && !(d->value[1] >= 0))
        return arne__yaml_fail(&x->yaml, node, "a deviation must not be negative");
    if (!status || pair) return status;
    /* words, then */
    d->value = NULL;
    d->word = arne__arena_take(x->v->memory, count, sizeof *d->word);
    if (!d->word) return arne__yaml_no_memory(&x->yaml);
    for (size_t i = 0; i < count; i++) {
        const char *word;
        status = arne__yaml_string(&x->yaml, arne__yaml_item(&x->yaml, node, i), &word);
        if (status) return status;
        if (!(d->word[i] = arne__arena_text(x->v->memory, word))) return arne__yaml_no_memory(&x->yaml);
    }
    *x->yaml.error = (arne_error){0};
    return ARNE_OK;
}

static arne_status read_one(vary_reader *x, const yaml_node_t *key, const yaml_node_t *value, drawn *d)
{
    const char *name;
    strcpy(x->yaml.where, "vary");
    arne_status status = arne__yaml_string(&x->yaml, key, &name);
    if (status) return status;
    if (!(d->name = arne__arena_text(x->v->memory, name))) return arne__yaml_no_memory(&x->yaml);
    snprintf(x->yaml.where, sizeof x->yaml.where, "vary: %.60s", name);
    const yaml_field laws[] = {{LAWS[0], NULL, 0}, {LAWS[1], NULL, 0}, {LAWS[2], NULL, 0}, {LAWS[3], NULL, 0}};
    status = arne__yaml_mapping(&x->yaml, value, laws, SCENARIO_COUNT(laws), NULL);
    if (!status && value->data.mapping.pairs.top - value->data.mapping.pairs.start != 1)
        status = arne__yaml_fail(&x->yaml, value, "needs exactly one of uniform, normal, list, grid");
    if (!status) status = place_of(x, key, d);
    for (int i = 0; LAWS[i] && !status; i++) {
        const yaml_node_t *values = arne__yaml_find(&x->yaml, value, LAWS[i]);
        if (!values) continue;
        d->law = (law)i;
        status = read_values(x, values, d);
    }
    return status;
}

static arne_status read_vary(vary_reader *x)
{
    const yaml_node_t *root = arne__yaml_root(&x->yaml);
    const bool map = root && root->type == YAML_MAPPING_NODE;
    const yaml_node_t *node = map ? arne__yaml_find(&x->yaml, root, "vary") : NULL;
    if (!node || node->type != YAML_MAPPING_NODE || node->data.mapping.pairs.top == node->data.mapping.pairs.start)
        return arne__yaml_fail(&x->yaml, node ? node : root,
                               "what is to vary? e.g. `vary: {payload: {uniform: [0, 3]}}` (doc/sweep.md)");
    x->v->sensors = arne__yaml_find(&x->yaml, root, "sensors") != NULL;
    arne_status status = ARNE_OK;
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top && !status; p++) {
        const yaml_node_t *key = yaml_document_get_node(&x->yaml.document, p->key);
        if (x->v->count == MOST_DRAWN) return arne__yaml_fail(&x->yaml, key, "more than %d things vary", MOST_DRAWN);
        drawn *d = &x->v->list[x->v->count];
        status = read_one(x, key, yaml_document_get_node(&x->yaml.document, p->value), d);
        for (int i = 0; i < x->v->count && !status; i++)
            if (!strcmp(x->v->list[i].place, d->place)) status = arne__yaml_fail(&x->yaml, key, "varies twice");
        x->v->count++;
    }
    return status;
}

arne_status arne_variation_read(const char *path, uint64_t seed, const arne_scenario_options *options, arne_variation **out,
                                arne_error *error)
{
    arne_error unused;
    if (out) *out = NULL;
    if (!path || !out) return arne_fail(error, ARNE_BAD_ARGUMENT, path, 0, "runs that vary need a path and a place");
    vary_reader x = {.v = calloc(1, sizeof *x.v)};
    if (x.v) x.v->memory = arne__arena_new();
    if (!x.v || !x.v->memory) {
        free(x.v);
        return arne_fail(error, ARNE_NO_MEMORY, path, 0, "out of memory");
    }
    x.v->seed = seed;
    x.v->options = options;
    arne_status status = arne__yaml_open(&x.yaml, path, NULL, error ? error : &unused);
    if (!status) status = read_vary(&x);
    if (!status) {
        x.v->path = arne__arena_text(x.v->memory, path);
        x.v->text = arne__arena_text(x.v->memory, x.yaml.text);
        if (!x.v->path || !x.v->text) status = arne__yaml_no_memory(&x.yaml);
    }
    arne__yaml_close(&x.yaml);
    arne_scenario *first = NULL; /* what is wrong with the file is wrong with every run */
    if (!status) status = arne_variation_example(x.v, &first, error);
    arne_scenario_free(first);
    if (status)
        arne_variation_free(x.v);
    else
        *out = x.v;
    return status;
}

void arne_variation_free(arne_variation *v)
{
    if (!v) return;
    arne__arena_free(v->memory);
    free(v);
}

int arne_variation_count(const arne_variation *v) { return v ? v->count : 0; }
const char *arne_variation_name(const arne_variation *v, int i) { return v && i >= 0 && i < v->count ? v->list[i].name : NULL; }
const char *arne_variation_path(const arne_variation *v) { return v ? v->path : NULL; }
const char *arne_variation_text(const arne_variation *v) { return v ? v->text : NULL; }

char *arne_variation_settings(const arne_variation *v)
{
    text_buffer t = {0};
    arne_scenario_options o;
    arne__text_put(&t, "");
    if (v && !options_take(&o, sizeof o, v->options))
        for (size_t i = 0; i < o.nsetting; i++) arne__text_add(&t, "%s%s", i ? "\n" : "", o.settings[i]);
    if (!t.failed) return t.s;
    arne__text_free(&t);
    return NULL;
}

long arne_variation_grid(const arne_variation *v)
{
    long points = 1;
    for (int i = 0; v && i < v->count; i++)
        if (v->list[i].law == GRID && points < 1000000000) points *= v->list[i].count;
    return points;
}

/* ---- runs ---- */

/* The value of run k; `choice` is its place in a list or grid. */
static double value_of(const arne_variation *v, int i, long run, int *choice)
{
    const drawn *d = &v->list[i];
    random_source r = arne__random_at(v->seed, (uint64_t)run, (uint64_t)i);
    if (d->law == UNIFORM) return d->value[0] + (d->value[1] - d->value[0]) * arne__random_uniform(&r);
    if (d->law == NORMAL) return d->value[0] + d->value[1] * arne__random_normal(&r);
    if (d->law == LIST) *choice = (int)(arne__random_uniform(&r) * d->count);
    if (d->law == GRID) { /* the last grid turns fastest */
        for (int k = i + 1; k < v->count; k++)
            if (v->list[k].law == GRID) run /= v->list[k].count;
        *choice = (int)(run % d->count);
    }
    return d->word ? *choice : d->value[*choice];
}

arne_status arne_variation_draw(const arne_variation *v, long run, double *values)
{
    if (!v || !values || run < 0) return ARNE_BAD_ARGUMENT;
    for (int i = 0, choice = 0; i < v->count; i++) values[i] = value_of(v, i, run, &choice);
    return ARNE_OK;
}

static void put_setting(const arne_variation *v, int i, long run, text_buffer *t)
{
    const drawn *d = &v->list[i];
    int choice = 0;
    const double value = value_of(v, i, run, &choice);
    arne__text_add(t, "%s=", d->place);
    if (d->word)
        arne__text_put(t, d->word[choice]);
    else
        arne__text_number(t, value);
}

arne_status arne_variation_scenario(const arne_variation *v, long run, arne_scenario **out, arne_error *error)
{
    enum { SEED = MOST_DRAWN };
    text_buffer text[MOST_DRAWN + 1] = {0};
    arne_scenario_options o;
    if (!v || !out || run < 0 || options_take(&o, sizeof o, v->options)) return BAD_ARGUMENT(error, "there is no such run");
    const size_t given = o.nsetting, all = given + (size_t)v->count + 1;
    const char **settings = calloc(all, sizeof *settings);
    bool failed = !settings;
    for (size_t i = 0; i < given && !failed; i++) settings[i] = o.settings[i];
    o.nsetting = given;
    for (int i = 0; i < v->count && !failed; i++) {
        put_setting(v, i, run, &text[i]);
        settings[o.nsetting++] = arne__text_string(&text[i]);
        failed = text[i].failed;
    }
    if (v->sensors && !failed) { /* a whole number that a double holds */
        random_source r = arne__random_at(v->seed, (uint64_t)run, MOST_DRAWN);
        arne__text_add(&text[SEED], "sensors.seed=%.0f", floor(arne__random_uniform(&r) * 0x1p52));
        settings[o.nsetting++] = arne__text_string(&text[SEED]);
        failed = text[SEED].failed;
    }
    o.size = sizeof o;
    o.settings = settings;
    o.text = v->text;
    arne_status status = failed ? NO_MEMORY(error) : arne_scenario_read(v->path, &o, out, error);
    for (int i = 0; i <= MOST_DRAWN; i++) arne__text_free(&text[i]);
    free(settings);
    return status;
}

arne_status arne_variation_example(const arne_variation *v, arne_scenario **out, arne_error *error)
{
    enum { TRIES = 20 };
    arne_status status = arne_variation_scenario(v, 0, out, error);
    for (long k = 1; k < TRIES && status == ARNE_BAD_VALUE; k++)
        if (!arne_variation_scenario(v, k, out, NULL)) return ARNE_OK;
    return status;
}
