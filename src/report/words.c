/* SPDX-License-Identifier: MIT
 *
 * words.c - a run in plain words: the verdict, the summary, the comparison of several runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"

static const char *turn_unit(const arne_report_run *r, int joint) { return arne__report_turns(r, joint) ? "rad" : "m"; }

/* 13 ms, 1.25 s */
static void span(text_buffer *o, double seconds)
{
    if (seconds < 1)
        add(o, "%.3g ms", 1e3 * seconds);
    else
        add(o, "%.3g s", seconds);
}

static void angle(text_buffer *o, const arne_report_run *r, int joint, double x)
{
    add(o, "%.3g %s", x, turn_unit(r, joint));
    if (arne__report_turns(r, joint)) add(o, " (%.2g°)", x * 57.29577951308232);
}

static void joint(text_buffer *o, const arne_report_run *r, int i)
{
    put(o, "joint <b>");
    html(o, r->joints[i]);
    put(o, "</b>");
}

/* The words of the event; of those that have none, its kind. */
static void event_words(text_buffer *o, const arne_about_event *e) { html(o, e->text ? e->text : e->kind); }

const char *arne__report_words(const arne_report_run *r, const arne_report_facts *f, text_buffer *o)
{
    if (r->about.status && strcmp(r->about.status, "finished")) {
        add(o, "The run %s at t = %.4g s", strcmp(r->about.status, "failed") ? "was stopped" : "failed", r->t[r->rows - 1]);
        if (r->about.message) {
            put(o, ": ");
            html(o, r->about.message);
        }
        put(o, ".");
        return "bad";
    }
    if (f->push && f->watched && !f->contact) {
        put(o, "The observer did not notice: ");
        event_words(o, f->push);
        put(o, ".");
        return "bad";
    }
    if (f->outside.joint >= 0) {
        put(o, "The ");
        joint(o, r, f->outside.joint);
        put(o, " leaves its position limits.");
        return "fair";
    }
    if (f->false_alarms) {
        add(o, "%d contact%s found where nothing had happened.", f->false_alarms, f->false_alarms == 1 ? " was" : "s were");
        return "bad";
    }
    if (f->contact && isnan(f->delay)) {
        add(o, "%d contact%s found, the first at t = %.4g s.", f->contacts, f->contacts == 1 ? " was" : "s were", f->contact->t);
        return "fair";
    }
    if (f->contact) {
        put(o, "The contact was found ");
        span(o, f->delay);
        put(o, f->stop ? " after it began, and the robot stopped." : " after it began.");
    }
    if (f->saturated >= 0) {
        if (f->contact) put(o, " ");
        put(o, "The ");
        joint(o, r, f->saturated);
        put(o, " is at its torque limit for ");
        span(o, f->saturated_s);
        put(o, ".");
        return "fair";
    }
    if (!f->contact) put(o, f->torque.joint >= 0 ? "No limit is reached." : "Nothing to complain about.");
    return "good";
}

const char *arne_report_verdict(const arne_report_run *r, const arne_report_facts *f)
{
    text_buffer words = {0};
    const char *verdict = arne__report_words(r, f, &words);
    arne__text_free(&words);
    return verdict;
}

/* ---- the summary ---- */

static void say_run(const arne_report_run *r, text_buffer *o)
{
    put(o, "<li>");
    const char *name = r->robot ? arne_model_name(r->robot) : r->about.model;
    if (name) {
        put(o, "Robot <b>");
        html(o, name);
        put(o, "</b>, ");
    }
    add(o, "%d joint%s; ", r->dof, r->dof == 1 ? "" : "s");
    add(o, "%.4g s, %zu rows", r->t[r->rows - 1] - r->t[0], r->rows);
    if (r->about.controller) {
        put(o, "; controller <b>");
        html(o, r->about.controller);
        put(o, "</b>");
        if (r->about.period > 0) add(o, " every %.3g ms", 1e3 * r->about.period);
    }
    if (r->about.integrator) {
        put(o, "; integrated by ");
        html(o, r->about.integrator);
    }
    if (r->about.wall > 0) {
        put(o, "; computed in ");
        span(o, r->about.wall);
    }
    put(o, ".</li>\n");
}

static void say_tracking(const arne_report_run *r, const arne_report_facts *f, text_buffer *o)
{
    const arne_report_peak *e = &f->error;
    if (e->joint < 0) return;
    add(o, "<li>%s follows its reference to within ", f->stop ? "Until it stops, it" : "It");
    angle(o, r, e->joint, e->value);
    put(o, "; the largest error is at ");
    joint(o, r, e->joint);
    add(o, ", t = %.4g s.</li>\n", e->t);
}

static void say_limits(const arne_report_run *r, const arne_report_facts *f, text_buffer *o)
{
    const int i = f->torque.joint, k = f->speed.joint;
    if (i >= 0) {
        put(o, "<li>Torque: ");
        joint(o, r, i);
        add(o, " comes nearest to its limit, %.3g %% of %.4g %s at t = %.4g s", 100 * f->torque.value, r->effort[i],
            arne__report_turns(r, i) ? "Nm" : "N", f->torque.t);
        if (f->saturated < 0) {
            put(o, "; no joint saturates.</li>\n");
        } else {
            put(o, "; ");
            joint(o, r, f->saturated);
            put(o, " saturates, for ");
            span(o, f->saturated_s);
            put(o, " in all.</li>\n");
        }
    }
    if (k >= 0) {
        put(o, "<li>Speed: ");
        joint(o, r, k);
        add(o, " comes nearest to its limit, %.3g %% of %.4g %s/s at t = %.4g s.</li>\n", 100 * f->speed.value, r->velocity[k],
            turn_unit(r, k), f->speed.t);
    }
    if (f->outside.joint >= 0) {
        put(o, "<li>Position: ");
        joint(o, r, f->outside.joint);
        put(o, " is beyond its limit by ");
        angle(o, r, f->outside.joint, f->outside.value);
        add(o, " at t = %.4g s.</li>\n", f->outside.t);
    }
}

static void say_event(const char *before, const arne_about_event *e, const char *after, text_buffer *o)
{
    add(o, "<li>%s <b>t = %.4g s</b>: ", before, e->t);
    event_words(o, e);
    put(o, after);
}

static void say_contact(const arne_report_facts *f, text_buffer *o)
{
    if (f->push) say_event("Done to the robot at", f->push, ".</li>\n", o);
    if (f->contact) {
        const bool known = !isnan(f->delay);
        say_event("Found at", f->contact, known ? " &ndash; <b>" : ".</li>\n", o);
        if (known) {
            span(o, f->delay);
            put(o, "</b> after it began.</li>\n");
        }
    }
    if (f->unexplained) say_event("False alarm at", f->unexplained, ".</li>\n", o);
    if (f->stop) {
        const bool known = f->stop->end > f->stop->t;
        say_event("Reaction at", f->stop, known ? "; at rest " : ".</li>\n", o);
        if (known) {
            span(o, f->stop->end - f->stop->t);
            put(o, " later.</li>\n");
        }
    }
    if (f->watched && !f->contacts && !f->push) put(o, "<li>The observer was silent, and nothing disturbed the robot.</li>\n");
}

void arne__report_summary(const arne_report_run *r, const arne_report_facts *f, text_buffer *o)
{
    put(o, "<ul class=\"summary\">\n");
    say_run(r, o);
    say_tracking(r, f, o);
    say_limits(r, f, o);
    say_contact(f, o);
    put(o, "</ul>\n");
}

/* ---- several runs ---- */

static void cell(text_buffer *o, bool known, const char *format, double x)
{
    char text[64] = "&ndash;";
    if (known) snprintf(text, sizeof text, format, x);
    add(o, "<td>%s</td>", text);
}

void arne__report_comparison(const arne_report_run *const *runs, const arne_report_facts *facts, int count, text_buffer *o)
{
    put(o, "<h2>The runs side by side</h2>\n<div class=\"wide\"><table "
           "class=\"compare\">\n<tr><th>run</th><th>controller</th><th>time, s</th>"
           "<th>largest error</th><th>torque of limit</th><th>saturated, s</th><th>found after, ms</th><th>false alarms</th>"
           "<th>verdict</th></tr>\n");
    for (int i = 0; i < count && !o->failed; i++) {
        const arne_report_run *r = runs[i];
        const arne_report_facts *f = &facts[i];
        const char *verdict = arne_report_verdict(r, f);
        add(o, "<tr><td><a href=\"#run%d\">", i + 1);
        html(o, r->about.title ? r->about.title : r->path);
        put(o, "</a></td><td>");
        html(o, r->about.controller ? r->about.controller : "");
        put(o, "</td>");
        cell(o, true, "%.4g", r->t[r->rows - 1] - r->t[0]);
        const bool error = f->error.joint >= 0;
        cell(o, error, error && !arne__report_turns(r, f->error.joint) ? "%.3g m" : "%.3g rad", f->error.value);
        cell(o, f->torque.joint >= 0, "%.3g %%", 100 * f->torque.value);
        cell(o, f->torque.joint >= 0, "%.3g", f->saturated_s);
        cell(o, !isnan(f->delay), "%.3g", 1e3 * f->delay);
        cell(o, f->watched, "%.0f", f->false_alarms);
        add(o, "<td class=\"%s\">%s</td></tr>\n", verdict, verdict);
    }
    put(o, "</table></div>\n");
}
