/* SPDX-License-Identifier: MIT
 *
 * report_words.c - a run in plain words: the verdict, the summary, the comparison of several runs. */
#include <math.h>
#include <string.h>

#include "cli/report.h"

static const char *turn_unit(const report_run *r, int joint) { return report_turns(r, joint) ? "rad" : "m"; }

/* 13 ms, 1.25 s */
static void span(out *o, double seconds)
{
    if (seconds < 1)
        out_format(o, "%.3g ms", 1e3 * seconds);
    else
        out_format(o, "%.3g s", seconds);
}

static void angle(out *o, const report_run *r, int joint, double x)
{
    out_format(o, "%.3g %s", x, turn_unit(r, joint));
    if (report_turns(r, joint)) out_format(o, " (%.2g°)", x * 57.29577951308232);
}

static void joint(out *o, const report_run *r, int i)
{
    out_text(o, "joint <b>");
    out_html(o, r->joints[i]);
    out_text(o, "</b>");
}

/* The words of the event; of those that have none, its kind. */
static void event_words(out *o, const report_event *e) { out_html(o, e->text ? e->text : e->kind); }

const char *report_verdict(const report_run *r, const report_facts *f, out *o)
{
    if (r->status && strcmp(r->status, "finished")) {
        out_format(o, "The run %s at t = %.4g s", strcmp(r->status, "failed") ? "was stopped" : "failed", r->t[r->rows - 1]);
        if (r->message) {
            out_text(o, ": ");
            out_html(o, r->message);
        }
        out_text(o, ".");
        return "bad";
    }
    if (f->push && f->watched && !f->contact) {
        out_text(o, "The observer did not notice: ");
        event_words(o, f->push);
        out_text(o, ".");
        return "bad";
    }
    if (f->outside.joint >= 0) {
        out_text(o, "The ");
        joint(o, r, f->outside.joint);
        out_text(o, " leaves its position limits.");
        return "fair";
    }
    if (f->false_alarms) {
        out_format(o, "%d contact%s found where nothing had happened.", f->false_alarms,
                   f->false_alarms == 1 ? " was" : "s were");
        return "bad";
    }
    if (f->contact && isnan(f->delay)) {
        out_format(o, "%d contact%s found, the first at t = %.4g s.", f->contacts, f->contacts == 1 ? " was" : "s were",
                   f->contact->t);
        return "fair";
    }
    if (f->contact) {
        out_text(o, "The contact was found ");
        span(o, f->delay);
        out_text(o, f->stop ? " after it began, and the robot stopped." : " after it began.");
    }
    if (f->saturated >= 0) {
        if (f->contact) out_text(o, " ");
        out_text(o, "The ");
        joint(o, r, f->saturated);
        out_text(o, " is at its torque limit for ");
        span(o, f->saturated_s);
        out_text(o, ".");
        return "fair";
    }
    if (!f->contact) out_text(o, f->torque.joint >= 0 ? "No limit is reached." : "Nothing to complain about.");
    return "good";
}

/* ---- the summary ---- */

static void say_run(const report_run *r, out *o)
{
    out_text(o, "<li>");
    const char *name = r->has_robot ? arne_model_name(r->robot.model) : r->model;
    if (name) {
        out_text(o, "Robot <b>");
        out_html(o, name);
        out_text(o, "</b>, ");
    }
    out_format(o, "%d joint%s; ", r->dof, r->dof == 1 ? "" : "s");
    out_format(o, "%.4g s, %zu rows", r->t[r->rows - 1] - r->t[0], r->rows);
    if (r->controller) {
        out_text(o, "; controller <b>");
        out_html(o, r->controller);
        out_text(o, "</b>");
        if (r->period > 0) out_format(o, " every %.3g ms", 1e3 * r->period);
    }
    if (r->integrator) {
        out_text(o, "; integrated by ");
        out_html(o, r->integrator);
    }
    if (r->wall > 0) {
        out_text(o, "; computed in ");
        span(o, r->wall);
    }
    out_text(o, ".</li>\n");
}

static void say_tracking(const report_run *r, const report_facts *f, out *o)
{
    const report_peak *e = &f->error;
    if (e->joint < 0) return;
    out_format(o, "<li>%s follows its reference to within ", f->stop ? "Until it stops, it" : "It");
    angle(o, r, e->joint, e->value);
    out_text(o, "; the largest error is at ");
    joint(o, r, e->joint);
    out_format(o, ", t = %.4g s.</li>\n", e->t);
}

static void say_limits(const report_run *r, const report_facts *f, out *o)
{
    const int i = f->torque.joint, k = f->speed.joint;
    if (i >= 0) {
        out_text(o, "<li>Torque: ");
        joint(o, r, i);
        out_format(o, " comes nearest to its limit, %.3g %% of %.4g %s at t = %.4g s", 100 * f->torque.value, r->effort[i],
                   report_turns(r, i) ? "Nm" : "N", f->torque.t);
        if (f->saturated < 0) {
            out_text(o, "; no joint saturates.</li>\n");
        } else {
            out_text(o, "; ");
            joint(o, r, f->saturated);
            out_text(o, " saturates, for ");
            span(o, f->saturated_s);
            out_text(o, " in all.</li>\n");
        }
    }
    if (k >= 0) {
        out_text(o, "<li>Speed: ");
        joint(o, r, k);
        out_format(o, " comes nearest to its limit, %.3g %% of %.4g %s/s at t = %.4g s.</li>\n", 100 * f->speed.value,
                   r->velocity[k], turn_unit(r, k), f->speed.t);
    }
    if (f->outside.joint >= 0) {
        out_text(o, "<li>Position: ");
        joint(o, r, f->outside.joint);
        out_text(o, " is beyond its limit by ");
        angle(o, r, f->outside.joint, f->outside.value);
        out_format(o, " at t = %.4g s.</li>\n", f->outside.t);
    }
}

static void say_event(const char *before, const report_event *e, const char *after, out *o)
{
    out_format(o, "<li>%s <b>t = %.4g s</b>: ", before, e->t);
    event_words(o, e);
    out_text(o, after);
}

static void say_contact(const report_facts *f, out *o)
{
    if (f->push) say_event("Done to the robot at", f->push, ".</li>\n", o);
    if (f->contact) {
        const bool known = !isnan(f->delay);
        say_event("Found at", f->contact, known ? " &ndash; <b>" : ".</li>\n", o);
        if (known) {
            span(o, f->delay);
            out_text(o, "</b> after it began.</li>\n");
        }
    }
    if (f->unexplained) say_event("False alarm at", f->unexplained, ".</li>\n", o);
    if (f->stop) {
        const bool known = f->stop->end > f->stop->t;
        say_event("Reaction at", f->stop, known ? "; at rest " : ".</li>\n", o);
        if (known) {
            span(o, f->stop->end - f->stop->t);
            out_text(o, " later.</li>\n");
        }
    }
    if (f->watched && !f->contacts && !f->push)
        out_text(o, "<li>The observer was silent, and nothing disturbed the robot.</li>\n");
}

void report_summary(const report_run *r, const report_facts *f, out *o)
{
    out_text(o, "<ul class=\"summary\">\n");
    say_run(r, o);
    say_tracking(r, f, o);
    say_limits(r, f, o);
    say_contact(f, o);
    out_text(o, "</ul>\n");
}

/* ---- several runs ---- */

static void cell(out *o, bool known, const char *format, double x)
{
    char text[64] = "&ndash;";
    if (known) snprintf(text, sizeof text, format, x);
    out_format(o, "<td>%s</td>", text);
}

void report_comparison(const report_run *runs, const report_facts *facts, int count, out *o)
{
    out_text(o, "<h2>The runs side by side</h2>\n<div class=\"wide\"><table "
                "class=\"compare\">\n<tr><th>run</th><th>controller</th><th>time, s</th>"
                "<th>largest error</th><th>torque of limit</th><th>saturated, s</th><th>found after, ms</th><th>false alarms</th>"
                "<th>verdict</th></tr>\n");
    for (int i = 0; i < count && !o->failed; i++) {
        const report_run *r = &runs[i];
        const report_facts *f = &facts[i];
        out words = {0};
        const char *verdict = report_verdict(r, f, &words);
        out_format(o, "<tr><td><a href=\"#run%d\">", i + 1);
        out_html(o, r->title ? r->title : r->path);
        out_text(o, "</a></td><td>");
        out_html(o, r->controller ? r->controller : "");
        out_text(o, "</td>");
        cell(o, true, "%.4g", r->t[r->rows - 1] - r->t[0]);
        const bool error = f->error.joint >= 0;
        cell(o, error, error && !report_turns(r, f->error.joint) ? "%.3g m" : "%.3g rad", f->error.value);
        cell(o, f->torque.joint >= 0, "%.3g %%", 100 * f->torque.value);
        cell(o, f->torque.joint >= 0, "%.3g", f->saturated_s);
        cell(o, !isnan(f->delay), "%.3g", 1e3 * f->delay);
        cell(o, f->watched, "%.0f", f->false_alarms);
        out_format(o, "<td class=\"%s\">%s</td></tr>\n", verdict, verdict);
        out_free(&words);
    }
    out_text(o, "</table></div>\n");
}
