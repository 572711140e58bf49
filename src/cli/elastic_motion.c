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
    const arne_status status = arne_flex_new(r->model, flex, &error);
    if (status == ARNE_NO_MEMORY) return no_memory();
    if (status) return complain_at(r->path, bad_line(r), "%s", error.message);
    arne_data *links = arne_flex_links(*flex);
    arne_set_rigid(links, r->rigid);
    for (int i = 0; i < r->npayload; i++) arne_set_payload(links, r->payloads[i].link, &r->payloads[i].body);
    return CLI_OK;
}

/* q ... qdddd of a row one after the other; zero where the file has none. */
static int take_rows(const arne_log *l, elastic_motion *m)
{
    const double *const groups[] = {l->q, l->qd, l->qdd, l->qddd, l->qdddd};
    const size_t n = (size_t)m->n;
    m->count = l->count;
    if (m->count > INT_MAX / (5 * m->n + 1)) return complain_at(m->name, 0, "the motion is too long");
    m->t = calloc((size_t)m->count + 1, sizeof *m->t);
    m->x = calloc((size_t)m->count * 5 * n + 1, sizeof *m->x);
    if (!m->t || !m->x) return no_memory();
    memcpy(m->t, l->t, (size_t)m->count * sizeof *m->t);
    for (int g = 0; g < 5; g++) {
        m->fitted = m->fitted || !groups[g];
        for (size_t k = 0; k < (size_t)m->count && groups[g]; k++)
            memcpy(m->x + (5 * k + (size_t)g) * n, groups[g] + k * n, n * sizeof *m->x);
    }
    return CLI_OK;
}

static int derive(elastic_motion *m)
{
    arne_error error = {0};
    const arne_status status = arne_flex_derive(m->model, m->fit.degree, m->count, m->t, m->x, &m->fit, &error);
    if (status == ARNE_NO_MEMORY) return no_memory();
    const int line = status == ARNE_UNSUPPORTED ? 0 : arne_log_line(m->count - 1); /* where the rows end, if they are too few */
    return status ? complain_at(m->name, line, "%s", error.message) : CLI_OK;
}

int elastic_motion_open(const arguments *a, const robot *r, elastic_motion *m)
{
    static const char *const degrees[] = {"7", "9", NULL};
    const char *path = option_value(a, "in");
    const int degree = option_choice(a, "degree", degrees, 0);
    *m = (elastic_motion){.model = r->model, .n = arne_model_dof(r->model), .fit = {.every = 1, .degree = degree ? 9 : 7}};
    if (degree < 0) return CLI_MISUSED;
    double dt;
    int status = take_interval(a, &dt);
    if (status) return status;
    if (!path) return misuse("elastic needs a motion: --in FILE");
    arne_log log;
    arne_error error = {0};
    status = checked(arne_log_motion(path, r->model, dt, false, &log, &error), &error);
    m->name = log.name;
    if (!status) status = take_rows(&log, m);
    arne_log_free(&log);
    if (!status) status = take_wrenches(a, r, &m->wrenches, &m->nwrench);
    return status || !m->fitted ? status : derive(m);
}

void elastic_motion_close(elastic_motion *m)
{
    free(m->wrenches);
    free(m->t);
    free(m->x);
}
