/* SPDX-License-Identifier: MIT
 *
 * read.c - scenario files: the top of the file, settings that replace values in it, and what is made of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "scenario/parts.h"

/* ---- settings ---- */

/* Puts a text in the place of a scalar; memory of documents is that of malloc. */
static bool put(yaml_node_t *node, const char *text)
{
    char *copy = strdup(text);
    if (!copy) return false;
    free(node->data.scalar.value);
    node->data.scalar.value = (yaml_char_t *)copy;
    node->data.scalar.length = strlen(copy);
    return true;
}

static arne_status no_place(scenario_reader *x, const char *setting)
{
    return arne_fail(x->yaml.error, ARNE_BAD_VALUE, NULL, 0, "%.100s: there is no such place in the file", setting);
}

/* The node behind a word: of a key, added where it is not there; of a list that item, counted from 1. 0: none. */
static int step(scenario_reader *x, int at, const char *word, bool last)
{
    yaml_document_t *document = &x->yaml.document;
    const yaml_node_t *node = yaml_document_get_node(document, at);
    if (node->type == YAML_SEQUENCE_NODE) {
        char *end;
        const long item = strtol(word, &end, 10), count = node->data.sequence.items.top - node->data.sequence.items.start;
        return *end || item < 1 || item > count ? 0 : node->data.sequence.items.start[item - 1];
    }
    if (node->type != YAML_MAPPING_NODE) return 0;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = yaml_document_get_node(document, pair->key);
        if (name->type == YAML_SCALAR_NODE && !strcmp((const char *)name->data.scalar.value, word)) return pair->value;
    }
    const int name = yaml_document_add_scalar(document, NULL, (const yaml_char_t *)word, -1, YAML_ANY_SCALAR_STYLE);
    const int value = last ? yaml_document_add_scalar(document, NULL, (const yaml_char_t *)"", -1, YAML_ANY_SCALAR_STYLE)
                           : yaml_document_add_mapping(document, NULL, YAML_ANY_MAPPING_STYLE);
    return name && value && yaml_document_append_mapping_pair(document, at, name, value) ? value : 0;
}

/* "a.b=c": the value of key b in the mapping of key a. What is not there is added. */
static arne_status set(scenario_reader *x, const char *setting)
{
    const char *equals = strchr(setting, '='), *key = setting;
    if (!equals || equals == setting || !equals[1])
        return arne_fail(x->yaml.error, ARNE_BAD_VALUE, NULL, 0, "%.100s: a setting reads KEY=VALUE or KEY.KEY=VALUE", setting);
    int at = 1; /* nodes are counted from 1, which is the root */
    for (bool last = false; !last;) {
        const size_t n = strcspn(key, ".=");
        char word[64];
        last = key + n >= equals;
        if (n == 0 || n >= sizeof word) return no_place(x, setting);
        memcpy(word, key, n);
        word[n] = '\0';
        at = step(x, at, word, last);
        if (!at) return no_place(x, setting);
        key += n + 1;
    }
    yaml_node_t *node = yaml_document_get_node(&x->yaml.document, at);
    if (node->type != YAML_SCALAR_NODE)
        return arne_fail(x->yaml.error, ARNE_BAD_VALUE, NULL, 0,
                         "%.100s: there is a list or a mapping in the file, not one value", setting);
    return put(node, equals + 1) ? ARNE_OK : arne__yaml_no_memory(&x->yaml);
}

/* ---- the top of the file ---- */

static arne_status read_top(scenario_reader *x)
{
    typedef scenario_reader text;
    /* clang-format off */
    static const yaml_field table[] = {
        FIELD(title, yaml_string), FIELD(robot, yaml_string), {"options", arne__yaml_node, offsetof(text, robot_options)},
        NODE(start), POSITIVE(duration), NODE(motion), NODE(controller), NODE(limits), NODE(sensors), NODE(disturbances),
        NODE(observer), NODE(integrator), NODE(output), NODE(vary)};
    /* clang-format on */
    return SCENARIO_MAP(x, arne__yaml_root(&x->yaml), table, x);
}

/* Rows come every so many ticks. */
static arne_status fit_interval(scenario_reader *x)
{
    arne_loop *l = &x->s->loop;
    if (x->duration > 0)
        l->duration = x->duration;
    else if (x->p->motion)
        l->duration = arne_trajectory_end(x->p->motion);
    if (!(l->duration > 0)) return arne__yaml_fail(&x->yaml, arne__yaml_root(&x->yaml), "needs `duration:` (s)");
    if (l->duration / l->period > 1e8)
        return arne__yaml_fail(&x->yaml, arne__yaml_root(&x->yaml),
                               "%g ticks are more than anyone waits for; a longer period, a shorter duration?",
                               l->duration / l->period);
    const double every = fmax(1, rint(l->interval / l->period));
    l->interval = every * l->period;
    return ARNE_OK;
}

static arne_status read_parts(scenario_reader *x)
{
    /* clang-format off */
    static arne_status (*const parts[])(scenario_reader *) = {
        read_top, arne__scenario_robot, arne__scenario_limits, arne__scenario_output, arne__scenario_start, arne__scenario_motion,
        arne__scenario_control, fit_interval, arne__scenario_sensors, arne__scenario_plant, arne__scenario_observer,
        arne__scenario_disturbances};
    /* clang-format on */
    arne_status status = ARNE_OK;
    for (size_t i = 0; i < SCENARIO_COUNT(parts) && !status; i++) status = parts[i](x);
    return status;
}

arne_status arne_scenario_read(const char *path, const arne_scenario_options *options, arne_scenario **out, arne_error *error)
{
    arne_scenario_options own;
    if (out) *out = NULL;
    if (!path || !out || options_take(&own, sizeof own, options) || (own.nplace && !own.places) ||
        (own.nsetting && !own.settings))
        return arne_fail(error, ARNE_BAD_ARGUMENT, path, 0, "a scenario needs a path, options that tell their size, and a place");
    scenario_reader x = {.options = &own, .s = calloc(1, sizeof *x.s)};
    x.p = calloc(1, sizeof *x.p);
    if (x.s) x.s->parts = x.p;
    if (!x.s || !x.p || !(x.p->memory = arne__arena_new())) {
        if (x.s)
            arne_scenario_free(x.s);
        else
            free(x.p);
        return arne_fail(error, ARNE_NO_MEMORY, path, 0, "out of memory");
    }
    arne_error unused;
    arne_status status = arne__yaml_open(&x.yaml, path, own.text, error ? error : &unused);
    x.s->loop.size = sizeof x.s->loop;
    for (size_t i = 0; i < own.nsetting && !status; i++) status = set(&x, own.settings[i]);
    if (!status) status = read_parts(&x);
    if (!status) {
        x.s->title = x.title ? arne__arena_text(x.p->memory, x.title) : NULL;
        x.s->loop.reference = x.p->motion;
        if (x.title && !x.s->title) status = arne__yaml_no_memory(&x.yaml);
    }
    arne__yaml_close(&x.yaml);
    if (status) {
        arne_scenario_free(x.s);
        return status;
    }
    arne_scenario_rewind(x.s);
    *out = x.s;
    return ARNE_OK;
}

void arne_scenario_free(arne_scenario *s)
{
    if (!s) return;
    struct scenario_parts *p = s->parts;
    if (p) {
        arne_controller_free(p->controller);
        arne_controller_free(p->brake);
        arne_observer_free(p->observer);
        arne_detector_free(p->detector);
        arne_plant_free(p->plant);
        arne_trajectory_free(p->motion);
        arne_model_free(p->model);
        arne_description_free(p->description);
        arne__arena_free(p->memory);
        free(p);
    }
    free(s);
}

arne_status arne_scenario_rewind(arne_scenario *s)
{
    return s ? arne_plant_place(s->parts->plant, 0, s->parts->q, s->parts->qd, NULL, NULL) : ARNE_BAD_ARGUMENT;
}

/* ---- learning ---- */

typedef struct {
    double *rows;
    size_t count, room;
    int n;
} residuals;

static int keep(void *context, const arne_row *row)
{
    residuals *k = context;
    if (k->count == k->room) return 1;
    memcpy(k->rows + k->count++ * (size_t)k->n, row->residual, (size_t)k->n * sizeof *k->rows);
    return 0;
}

arne_status arne_scenario_learn(arne_scenario *s, arne_error *error)
{
    if (!s) return BAD_ARGUMENT(error, "there is no scenario");
    struct scenario_parts *p = s->parts;
    if (!(s->learn > 0) || p->detector) return ARNE_OK;
    residuals k = {.n = arne_model_dof(p->model), .room = (size_t)(s->loop.duration / s->loop.period) + 2};
    k.rows = calloc(k.room * (size_t)k.n, sizeof *k.rows);
    p->thresholds = arne__arena_take(p->memory, (size_t)k.n, sizeof *p->thresholds);
    arne_status status = k.rows && p->thresholds ? ARNE_OK : NO_MEMORY(error);
    arne_loop quiet = s->loop;
    quiet.ndisturbance = 0;
    quiet.detector = NULL;
    quiet.interval = quiet.period;
    quiet.row = keep;
    quiet.context = &k;
    arne_result result = {0};
    arne_scenario_rewind(s);
    if (!status) status = arne_loop_run(&quiet, &result, error);
    if (!status && result.end != ARNE_RUN_FINISHED)
        status =
            BAD_VALUE(error, "no thresholds could be learned: %s", result.message[0] ? result.message : "the run was stopped");
    if (!status) status = arne_detector_learn(p->model, (int)k.count, k.rows, s->loop.period, s->learn, p->thresholds, error);
    if (!status) status = arne_detector_new(p->model, p->thresholds, &p->detector, error);
    if (!status) {
        s->loop.detector = p->detector;
        s->thresholds = p->thresholds;
    }
    arne_result_free(&result);
    free(k.rows);
    arne_scenario_rewind(s);
    return status;
}
