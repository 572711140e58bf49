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
        if (arne_joint_elastic(r->model, i)->stiffness > 0 && motor->inertia > 0) continue;
        for (size_t k = 0; k < r->description->njoint; k++)
            if (!strcmp(r->description->joints[k].name, arne_joint_name(r->model, i))) return r->description->joints[k].line;
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

/* Room for one row more: the arrays double whenever count is a power of two. */
static bool grow(double **x, int count, size_t width)
{
    if (count & (count - 1)) return true;
    double *more = realloc(*x, ((size_t)(count ? 2 * count : 1) * width + 1) * sizeof *more);
    if (more) *x = more;
    return more != NULL;
}

static int take_row(elastic_motion *m, double dt)
{
    const size_t n = (size_t)m->n, width = 5 * n;
    if (m->count >= INT_MAX / 2 / (int)(width + 1)) return input_complain(&m->in, "the motion is too long");
    if (!grow(&m->t, m->count, 1) || !grow(&m->x, m->count, width)) return no_memory();
    m->t[m->count] = dt > 0 ? m->count * dt : input_time(&m->in);
    if (m->count > 0 && !(m->t[m->count] > m->t[m->count - 1]))
        return input_complain(&m->in, "t = %g does not come after t = %g", m->t[m->count], m->t[m->count - 1]);
    /* q ... qdddd lie one after the other */
    memcpy(m->x + (size_t)m->count * width, input_of(&m->in, INPUT_Q), width * sizeof *m->x);
    m->count++;
    return CLI_OK;
}

static int take_options(const arguments *a, elastic_motion *m, double *dt)
{
    static const char *const degrees[] = {"7", "9", NULL};
    const int degree = option_choice(a, "degree", degrees, 0);
    if (degree < 0) return CLI_MISUSED;
    m->degree = degree ? 9 : 7;
    const char *text = option_value(a, "dt");
    *dt = 0;
    if (text && (parse_numbers(text, strlen(text), dt, 1) != 1 || !(*dt > 0)))
        return misuse("--dt %s: it takes a number of seconds above 0", text);
    if (!option_given(a, "in")) return misuse("elastic needs a motion: --in FILE");
    return CLI_OK;
}

int elastic_motion_open(const arguments *a, const robot *r, elastic_motion *m)
{
    *m = (elastic_motion){.n = arne_model_dof(r->model), .every = 1};
    double dt;
    int status = take_options(a, m, &dt);
    if (!status) status = input_open(a, r, &m->in);
    if (status) return status;
    if (!input_has(&m->in, INPUT_Q)) return input_complain(&m->in, "a motion needs columns q1, q2, ...");
    if (dt == 0 && !input_has_time(&m->in))
        return input_complain(&m->in, "there is no column t; give the interval by --dt SECONDS");
    if (m->in.nwrench > m->in.noption_wrench)
        return input_complain(&m->in, "columns w.LINK.fx ... are not for motions; a constant wrench is given by --wrench");
    m->fitted = false;
    for (int g = INPUT_QD; g <= INPUT_QDDDD; g++)
        if (!input_has(&m->in, (input_group)g)) m->fitted = true;
    bool more = true;
    while (!status) {
        status = input_next(&m->in, &more);
        if (status || !more) break;
        status = take_row(m, dt);
    }
    if (status) return status;
    if (m->count < 1) return input_complain(&m->in, "there are no rows after the header");
    return m->fitted ? elastic_fit(m) : CLI_OK;
}

void elastic_motion_close(elastic_motion *m)
{
    input_close(&m->in);
    free(m->t);
    free(m->x);
}
