/* SPDX-License-Identifier: MIT
 *
 * identified.c - one page about a model that was learned from recorded motions: how good it is, what it is made of, what is
 * doubtful. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/identified.h"

/* errors of all joints below: good, fair */
static const double GOOD = 0.1, FAIR = 0.3;

static double mean_of(const arne_identified *r, size_t member)
{
    double sum = 0;
    for (int j = 0; j < r->njoint; j++) sum += *(const double *)(const void *)((const char *)&r->joints[j] + member);
    return r->njoint ? sum / r->njoint : (double)NAN;
}

static void write_verdict(const arne_identified *r, text_buffer *o)
{
    int worst = 0;
    for (int j = 1; j < r->njoint; j++)
        if (r->joints[j].error > r->joints[worst].error) worst = j;
    const double mean = mean_of(r, offsetof(arne_identified_joint, error)),
                 before = mean_of(r, offsetof(arne_identified_joint, error_before)),
                 most = r->njoint ? r->joints[worst].error : 0;
    add(o, "<p class=\"verdict %s\">The model leaves %.3g %% of the torques unexplained",
        !r->consistent || !(most <= FAIR) ? "bad"
        : most <= GOOD                    ? "good"
                                          : "fair",
        100 * mean);
    if (isfinite(before)) add(o, "; the one it began with left %.3g %%", 100 * before);
    if (r->njoint) {
        html_in(o, ". Worst is joint <b>", r->joints[worst].name, "</b>");
        add(o, " with %.3g %%.", 100 * most);
    }
    put(o, r->consistent ? " Every link of it can exist." : " Some link of it cannot exist.");
    put(o, "</p>\n");
}

static void write_facts(const arne_identified *r, text_buffer *o)
{
    int seen = 0;
    for (int k = 0; k < r->nparameter; k++) seen += r->parameters[k].seen;
    add(o, "<ul>\n<li>%ld rows of %.4g s at %.4g Hz", r->rows, r->duration, r->rate);
    if (r->gaps) add(o, ", with %d gap%s", r->gaps, r->gaps == 1 ? "" : "s");
    add(o, "; computed in %.2g s.</li>\n", r->seconds);
    put(o, r->validated ? "<li>Errors are those on other logs than it learned from.</li>\n"
                        : "<li>Errors are those on blocks of the logs that were held out, each in its turn.</li>\n");
    if (r->nparameter)
        add(o, "<li>%d of %d parameters show in the torques; condition number of the regressor %.3g%s.</li>\n", seen,
            r->nparameter, r->condition, r->condition > 200 ? ", which is much: some parameters are hard to tell apart" : "");
    if (isfinite(r->cutoff))
        add(o, "<li>Torques and regressor went through a low pass of %.3g Hz%s.</li>\n", r->cutoff,
            r->ncutoff > 1 ? ", chosen by the error on data that were held out" : "");
    else
        put(o, "<li>Nothing was filtered.</li>\n");
    put(o, "</ul>\n");
}

static void write_warnings(const arne_identified *r, text_buffer *o)
{
    if (!r->nwarning) return;
    put(o, "<h2>To look at</h2>\n<ul>\n");
    for (int k = 0; k < r->nwarning; k++) html_in(o, "<li>", r->warnings[k], "</li>\n");
    put(o, "</ul>\n");
}

/* ---- tables ---- */

static void percent(text_buffer *o, double x, bool judged)
{
    if (!isfinite(x))
        put(o, "<td></td>");
    else
        add(o, "<td%s>%.3g</td>",
            !judged     ? ""
            : x <= GOOD ? " class=\"good\""
            : x <= FAIR ? " class=\"fair\""
                        : " class=\"bad\"",
            100 * x);
}

static void with_deviation(text_buffer *o, double x, double deviation)
{
    if (!isfinite(x) || deviation == INFINITY)
        put(o, "<td>not told</td>");
    else if (deviation > 0)
        add(o, "<td>%.4g ± %.2g</td>", x, deviation);
    else
        add(o, "<td>%.4g</td>", x);
}

static void write_errors(const arne_identified *r, const arne_model *m, text_buffer *o)
{
    put(o,
        "<h2>Errors</h2>\n<p class=\"small\">Norm of what is left over norm of the torque, %, on data that were not used. Plain: "
        "least squares alone, whose links need not exist.</p>\n<div class=\"wide\"><table>\n<tr><th>joint</th><th>error</th>"
        "<th>moving</th><th>resting</th><th>plain</th><th>model before</th><th>left, rms</th><th>moves, % of the time</th>"
        "<th>from</th><th>to</th></tr>\n");
    for (int k = 0; k < r->njoint; k++) {
        const arne_identified_joint *j = &r->joints[k];
        html_in(o, "<tr><td>", j->name, "</td>");
        percent(o, j->error, true);
        percent(o, j->error_moving, false);
        percent(o, j->error_resting, false);
        percent(o, j->error_least_squares, false);
        percent(o, j->error_before, false);
        add(o, "<td>%.3g %s</td><td>%.0f</td><td>%.3g</td><td>%.3g %s</td></tr>\n", j->noise, arne__identified_unit(m, j),
            100 * j->moves, j->least, j->most, arne_velocity_turns(m, j->velocity) ? "rad" : "m");
    }
    put(o, "</table></div>\n");
}

static void write_joints(const arne_identified *r, text_buffer *o)
{
    bool delayed = false, gains = false;
    for (int k = 0; k < r->njoint; k++) {
        delayed |= r->joints[k].delay != 0;
        gains |= r->joints[k].gain != 1;
    }
    put(o, "<h2>Joints</h2>\n<p class=\"small\">With standard deviations of least squares; values are of the model that can "
           "exist.</p>\n"
           "<div class=\"wide\"><table>\n<tr><th>joint</th><th>viscous</th><th>Coulomb</th><th>offset</th><th>rotor, kg m²</th>");
    put(o, delayed ? "<th>delay, ms</th>" : "");
    put(o, gains ? "<th>gain of the drive</th></tr>\n" : "</tr>\n");
    for (int k = 0; k < r->njoint; k++) {
        const arne_identified_joint *j = &r->joints[k];
        const double values[] = {j->viscous, j->coulomb, j->offset, j->rotor};
        html_in(o, "<tr><td>", j->name, "</td>");
        for (int c = 0; c < 4; c++) with_deviation(o, values[c], j->deviation[c]);
        if (delayed) add(o, "<td>%.2f</td>", 1e3 * j->delay);
        if (gains && isfinite(j->gain)) add(o, "<td>%.4g</td>", j->gain);
        if (gains && !isfinite(j->gain)) put(o, "<td>cannot be known</td>");
        put(o, "</tr>\n");
    }
    put(o, "</table></div>\n");
}

static void write_bodies(const arne_identified *r, text_buffer *o)
{
    put(o, "<h2>Links</h2>\n<p class=\"small\">Mass and centre of mass in the axes of the link, with all that is fixed to it. "
           "From data: how "
           "much of the mass the logs tell; the rest is that of the model one began with.</p>\n<div class=\"wide\"><table>\n"
           "<tr><th>link</th><th>mass, kg</th><th>before</th><th>centre of mass, m</th><th>from data, %</th><th></th></tr>\n");
    for (int k = 0; k < r->nbody; k++) {
        const arne_identified_body *b = &r->bodies[k];
        if (!b->felt) continue;
        html_in(o, "<tr><td>", b->link, "</td>");
        add(o, "<td>%.4g</td><td>%.4g</td><td>%.4f %.4f %.4f</td><td>%.0f</td><td>%s</td></tr>\n", b->body.mass, b->prior.mass,
            b->body.com[0], b->body.com[1], b->body.com[2], 100 * b->data, b->mended ? "could not exist before" : "");
    }
    put(o, "</table></div>\n");
}

static void write_payload(const arne_identified *r, text_buffer *o)
{
    static const char *const names[] = {"mass, kg",   "x, m",       "y, m",       "z, m",       "Ixx, kg m²",
                                        "Ixy, kg m²", "Ixz, kg m²", "Iyy, kg m²", "Iyz, kg m²", "Izz, kg m²"};
    const arne_identified_payload *p = &r->payload;
    const double *I = p->body.inertia,
                 values[] = {p->body.mass, p->body.com[0], p->body.com[1], p->body.com[2], I[0], I[1], I[2], I[3], I[4], I[5]};
    if (p->body.mass == 0 && p->deviation[0] == 0) return;
    put(o, "<h2>Payload</h2>\n<p class=\"small\">In the axes of its link; inertia about its centre of mass; with standard "
           "deviations.</p>\n<table>\n");
    for (int k = 0; k < 10; k++) {
        html_in(o, "<tr><th>", names[k], "</th>");
        with_deviation(o, values[k], p->deviation[k]);
        put(o, "</tr>\n");
    }
    put(o, "</table>\n");
}

static void write_parameters(const arne_identified *r, text_buffer *o)
{
    put(o, "<details><summary>All parameters as numbers</summary>\n<div class=\"wide\"><table>\n<tr><th>parameter</th><th>least "
           "squares</th><th>deviation</th><th>%</th><th>of the model that can exist</th><th>before</th><th></th></tr>\n");
    for (int k = 0; k < r->nparameter; k++) {
        const arne_identified_parameter *p = &r->parameters[k];
        char name[32];
        html_in(o, "<tr><td>", arne__identified_name(p, name), "</td>");
        if (p->seen)
            add(o, "<td>%.5g</td><td>%.2g</td><td>%.3g</td>", p->value, p->deviation, 100 * p->deviation / fabs(p->value));
        else
            put(o, "<td></td><td></td><td></td>");
        add(o, "<td>%.5g</td><td>%.5g</td>", p->consistent, p->before);
        html_in(o, "<td>", p->seen ? "" : p->why ? p->why : "the logs do not tell it", "</td></tr>\n");
    }
    put(o, "</table></div></details>\n");
}

/* ---- the page ---- */

static arne_status write_page(const arne_identified *r, const arne_model *m, const char *title, text_buffer *o, arne_error *error)
{
    char own[200];
    snprintf(own, sizeof own, "%.150s, identified", arne_model_name(m));
    arne__page_begin(o, title ? title : own);
    write_verdict(r, o);
    write_facts(r, o);
    write_warnings(r, o);
    write_payload(r, o);
    write_errors(r, m, o);
    put(o, r->series.count > 1 ? "<h2>Torques that were not used</h2>\n<div class=\"charts\">\n" : "<div class=\"charts\">\n");
    arne_status status = arne__identified_torques(r, m, o, error);
    if (!status) status = arne__identified_spectrum(r, o, error);
    if (!status) status = arne__identified_cutoffs(r, o, error);
    put(o, "</div>\n");
    if (!status && r->nparameter) { /* not where a payload alone was looked for */
        put(o, "<h2>Parameters</h2>\n<div class=\"charts\">\n");
        status = arne__identified_bars(r, o, error);
        put(o, "</div>\n");
        write_parameters(r, o);
        write_joints(r, o);
        write_bodies(r, o);
    }
    arne__page_end(o);
    return !status && o->failed ? report_no_memory(error) : status;
}

arne_status arne_identified_page(const arne_identified *found, const arne_model *m, const char *title, char **page,
                                 arne_error *error)
{
    text_buffer text = {0};
    if (page) *page = NULL;
    if (!found || !m || !page)
        return arne_fail(error, ARNE_BAD_ARGUMENT, NULL, 0, "a page needs what was identified, its robot and a place");
    const arne_status status = write_page(found, m, title, &text, error);
    if (status)
        arne__text_free(&text);
    else
        *page = text.s;
    return status;
}
