/* SPDX-License-Identifier: MIT
 *
 * elastic_motion.c - a robot with springs, and the motion of its links from a CSV file. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/elastic.h"

/* line of the first joint that lacks a spring or a rotor, 0: none */
static int bad_line(const robot *r)
{
    for (int i = 0; i < arne_model_dof(r->model); i++) {
        const arne_motor *motor = arne_joint_motor(r->model, i);
        if (!(arne_joint_elastic(r->model, i)->stiffness > 0 && motor->inertia > 0)) return robot_joint_line(r, i);
    }
    return 0;
}

int elastic_open(const robot *r, arne_flex **flex)
{
    arne_error error = {0};
    if (arne_model_nq(r->model) != arne_model_nv(r->model))
        return complain_at(
            r->path, 0,
            "inverse dynamics of elastic joints is for joints of one freedom each; --base fixed holds a free base still");
    arne_data *d = robot_data(r);
    if (!d) return CLI_FAILED;
    const arne_status status = arne_flex_new(arne_data_settings(d), flex, &error);
    arne_data_free(d);
    if (status == ARNE_NO_MEMORY) return no_memory();
    return status ? complain_at(r->path, bad_line(r), "%s", error.message) : CLI_OK;
}

/* q ... qdddd of a row one after the other; zero where the file has none. */
static int take_rows(elastic_motion *m)
{
    const arne_log *l = &m->file.log;
    const double *const groups[] = {l->q, l->qd, l->qdd, l->qddd, l->qdddd};
    const size_t n = (size_t)m->n;
    m->count = l->count;
    m->t = l->t;
    if (m->count > INT_MAX / (5 * m->n + 1)) return complain_at(l->name, 0, "the motion is too long");
    m->x = calloc((size_t)m->count * 5 * n + 1, sizeof *m->x);
    if (!m->x) return no_memory();
    for (int g = 0; g < 5; g++) {
        m->fitted = m->fitted || !groups[g];
        for (size_t k = 0; k < (size_t)m->count && groups[g]; k++)
            memcpy(m->x + (5 * k + (size_t)g) * n, groups[g] + k * n, n * sizeof *m->x);
    }
    return CLI_OK;
}

static int derive(elastic_motion *m, const arne_model *model)
{
    arne_error error = {0};
    const arne_status status = arne_flex_derive(model, m->fit.degree, m->count, m->t, m->x, &m->fit, &error);
    if (status == ARNE_NO_MEMORY) return no_memory();
    const int line = status == ARNE_UNSUPPORTED ? 0 : arne_log_line(m->count - 1); /* where the rows end, if they are too few */
    return status ? complain_at(m->file.log.name, line, "%s", error.message) : CLI_OK;
}

int elastic_motion_open(const arguments *a, const robot *r, elastic_motion *m)
{
    const int degree = option_word(a, "degree", 0) ? 9 : 7;
    *m = (elastic_motion){.n = arne_model_dof(r->model), .fit = {.every = 1, .degree = degree}};
    int status = motion_open(a, r, "elastic", &m->file);
    if (!status) status = take_rows(m);
    return status || !m->fitted ? status : derive(m, r->model);
}

void elastic_motion_close(elastic_motion *m)
{
    motion_close(&m->file);
    free(m->x);
}
