/* SPDX-License-Identifier: MIT
 *
 * words.c - values of a scenario file that need the robot: names of links and joints, a number for every joint. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenario/parts.h"

arne_status arne__scenario_blame(scenario_reader *x, const yaml_node_t *node, const arne_error *e)
{
    if (e->status == ARNE_NO_MEMORY) return arne__yaml_no_memory(&x->yaml);
    return arne__yaml_fail(&x->yaml, node, "%s", e->message);
}

arne_status arne__scenario_count(yaml_reader *r, const yaml_node_t *value, void *into)
{
    double number;
    const arne_status status = arne__yaml_not_negative(r, value, &number);
    if (status) return status;
    if (number != rint(number) || number > 1e9) return arne__yaml_fail(r, value, "a whole number is expected, not %g", number);
    *(int *)into = (int)number;
    return ARNE_OK;
}

static arne_status unknown(scenario_reader *x, const yaml_node_t *node, const char *what, const nearest *near)
{
    if (near->best[0])
        return arne__yaml_fail(&x->yaml, node, "there is no %s '%.60s'; did you mean '%.60s'?", what, near->word, near->best);
    return arne__yaml_fail(&x->yaml, node, "there is no %s '%.60s'", what, near->word);
}

arne_status arne__scenario_choice(scenario_reader *x, const yaml_node_t *node, const char *const *words, int *out)
{
    const char *word;
    const arne_status status = arne__yaml_string(&x->yaml, node, &word);
    if (status) return status;
    nearest near = {.word = word};
    char known[300] = "";
    size_t used = 0;
    for (int i = 0; words[i]; i++) {
        if (!strcmp(words[i], word)) {
            *out = i;
            return ARNE_OK;
        }
        arne__nearest_offer(&near, words[i]);
        if (used < sizeof known) used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", words[i]);
    }
    if (near.best[0]) return arne__yaml_fail(&x->yaml, node, "'%.60s' is unknown; did you mean '%s'?", word, near.best);
    return arne__yaml_fail(&x->yaml, node, "'%.60s' is unknown; one of %s is expected", word, known);
}

arne_status arne__scenario_link(scenario_reader *x, const yaml_node_t *node, int *link)
{
    const char *name;
    const arne_status status = arne__yaml_string(&x->yaml, node, &name);
    if (status) return status;
    *link = arne_link_find(x->p->model, name);
    if (*link >= 0) return ARNE_OK;
    nearest near = {.word = name};
    for (int i = 0; i < arne_model_links(x->p->model); i++) arne__nearest_offer(&near, arne_link_name(x->p->model, i));
    return unknown(x, node, "link", &near);
}

arne_status arne__scenario_joint(scenario_reader *x, const yaml_node_t *node, int *joint)
{
    const char *name;
    const arne_status status = arne__yaml_string(&x->yaml, node, &name);
    if (status) return status;
    *joint = arne_joint_find(x->p->model, name);
    if (*joint >= 0 || !strcmp(name, "all")) return ARNE_OK;
    nearest near = {.word = name};
    for (int i = 0; i < arne_model_joints(x->p->model); i++) arne__nearest_offer(&near, arne_joint_name(x->p->model, i));
    return unknown(x, node, "moving joint", &near);
}

/* `count` numbers of what is called `what`: a list, or one for all */
static arne_status each(scenario_reader *x, const yaml_node_t *node, int count, const char *what, double *v)
{
    if (node->type == YAML_SCALAR_NODE) {
        double one = 0;
        const arne_status status = arne__yaml_number(&x->yaml, node, &one);
        for (int i = 0; i < count; i++) v[i] = one;
        return status;
    }
    size_t given;
    const arne_status status = arne__yaml_list(&x->yaml, node, &given);
    if (!status && given != (size_t)count)
        return arne__yaml_fail(&x->yaml, node, "needs a number for each of the %d %s of %.60s, has %zu", count, what,
                               arne_model_name(x->p->model), given);
    return status ? status : arne__yaml_vector(&x->yaml, node, given, v);
}

/* Numbers of the joints of one freedom at their velocities; `other` at those of joints of several. */
void arne__scenario_spread(const scenario_reader *x, double other, double *v)
{
    for (int i = x->n - 1, k = x->driven; i >= 0; i--) v[i] = arne_velocity_position(x->p->model, i) < 0 ? other : v[--k];
}

static arne_status vector(scenario_reader *x, const yaml_node_t *node, double other, double **out)
{
    double *v = *out = arne__arena_take(x->p->memory, (size_t)x->n, sizeof *v);
    if (!v) return arne__yaml_no_memory(&x->yaml);
    const arne_status status = each(x, node, x->driven, "joints", v);
    if (!status) arne__scenario_spread(x, other, v);
    return status;
}

arne_status arne__scenario_vector(scenario_reader *x, const yaml_node_t *node, double **out) { return vector(x, node, 0, out); }

arne_status arne__scenario_positive(scenario_reader *x, const yaml_node_t *node, double **out)
{
    arne_status status = vector(x, node, 1, out);
    for (int i = 0; i < x->n && !status; i++)
        if (!((*out)[i] > 0))
            status = arne__yaml_fail(&x->yaml, node, "must be above 0; that of joint %.60s is %g",
                                     arne_velocity_name(x->p->model, i), (*out)[i]);
    return status;
}

arne_status arne__scenario_each_positive(scenario_reader *x, const yaml_node_t *node, int count, const char *what, double **out)
{
    double *v = *out = arne__arena_take(x->p->memory, (size_t)count, sizeof *v);
    if (!v) return arne__yaml_no_memory(&x->yaml);
    arne_status status = each(x, node, count, what, v);
    for (int i = 0; i < count && !status; i++)
        if (!(v[i] > 0)) status = arne__yaml_fail(&x->yaml, node, "must be above 0; number %d is %g", i + 1, v[i]);
    return status;
}

arne_status arne__scenario_rows(scenario_reader *x, const yaml_node_t *node, int width, int *rows, double **out)
{
    size_t count;
    arne_status status = arne__yaml_list(&x->yaml, node, &count);
    if (!status && count == 0) status = arne__yaml_fail(&x->yaml, node, "the list is empty");
    if (status) return status;
    double *v = *out = arne__arena_take(x->p->memory, count * (size_t)width, sizeof *v);
    if (!v) return arne__yaml_no_memory(&x->yaml);
    for (size_t i = 0; i < count && !status; i++)
        status = arne__yaml_vector(&x->yaml, arne__yaml_item(&x->yaml, node, i), (size_t)width, v + i * (size_t)width);
    *rows = (int)count;
    return status;
}

arne_status arne__scenario_vectors(scenario_reader *x, const yaml_node_t *node, int *rows, double **out)
{
    double *given;
    const size_t n = (size_t)x->n, driven = (size_t)x->driven;
    const arne_status status = arne__scenario_rows(x, node, x->driven, rows, &given);
    if (status) return status;
    double *v = *out = arne__arena_take(x->p->memory, (size_t)*rows * n, sizeof *v);
    if (!v) return arne__yaml_no_memory(&x->yaml);
    for (size_t k = 0; k < (size_t)*rows; k++) {
        memcpy(v + k * n, given + k * driven, driven * sizeof *v);
        arne__scenario_spread(x, 0, v + k * n);
    }
    return ARNE_OK;
}

arne_status arne__scenario_numbers(scenario_reader *x, const yaml_node_t *node, int *count, double **out)
{
    size_t given;
    const arne_status status = arne__yaml_list(&x->yaml, node, &given);
    if (status) return status;
    *count = (int)given;
    *out = arne__arena_take(x->p->memory, given, sizeof **out);
    return *out ? arne__yaml_vector(&x->yaml, node, given, *out) : arne__yaml_no_memory(&x->yaml);
}

char *arne__scenario_path(scenario_reader *x, const char *name)
{
    const char *slash = strrchr(x->yaml.file, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - x->yaml.file) + 1 : 0;
    const size_t size = (size_t)folder + strlen(name) + 1;
    char *path = arne__arena_take(x->p->memory, size, 1);
    if (path) snprintf(path, size, "%.*s%s", folder, x->yaml.file, name);
    return path;
}
