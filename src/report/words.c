/* SPDX-License-Identifier: MIT
 *
 * words.c - a run in plain words: the verdict, the summary, the comparison of several runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"

static const char *turn_unit(const arne_report_run *r, int joint) { return arne__report_turns(r, joint) ? "rad" : "m"; }

/* What stands between other words: 13 ms, 1.25 s; 0.1 rad (6°); joint <b>elbow</b>. */
static void span(text_buffer *o, const char *before, double seconds, const char *after)
{
    add(o, "%s%.3g %s%s", before, seconds < 1 ? 1e3 * seconds : seconds, seconds < 1 ? "ms" : "s", after);
}

static void angle(text_buffer *o, const char *before, const arne_report_run *r, int joint, double x)
{
    add(o, "%s%.3g %s", before, x, turn_unit(r, joint));
    if (arne__report_turns(r, joint)) add(o, " (%.2g°)", x * 57.29577951308232);
}

static void joint(text_buffer *o, const char *before, const arne_report_run *r, int i, const char *after)
{
    add(o, "%sjoint <b>", before);
    html_in(o, "", r->joints[i], "</b>");
    put(o, after);
}

/* The words of the event; of those that have none, its kind. */
static const char *event_words(const arne_about_event *e) { return e->text ? e->text : e->kind; }

static const double OVER = 1.001; /* of a limit: more than rounding and sensors make of reaching it */

static bool is(const char *text, const char *word) { return text && !strcmp(text, word); }

/* What the robot cannot do, or did not do; NULL: nothing of this. */
static const char *say_impossible(const arne_report_run *r, const arne_report_facts *f, text_buffer *o)
{
    if (is(r->about.verdict, "infeasible")) {
        put(o, "Not feasible");
        html_in(o, r->about.why ? ": " : "", r->about.why ? r->about.why : "", ".");
    } else if (f->torque.value > OVER && !is(r->about.kind, "observe")) { /* what was measured has happened */
        joint(o, "Not feasible: the ", r, f->torque.joint, "");
        add(o, " needs %.3g %% of its torque limit at t = %.4g s.", 100 * f->torque.value, f->torque.t);
    } else if (f->outside.joint >= 0) {
        joint(o, "The ", r, f->outside.joint, " leaves its position limits.");
        if (is(r->about.controller, "none")) return "fair"; /* nobody drives it */
    } else if (f->speed.joint >= 0 && f->speed.value > OVER) {
        joint(o, "The ", r, f->speed.joint, "");
        add(o, " moves at %.3g %% of its speed limit at t = %.4g s.", 100 * f->speed.value, f->speed.t);
        if (is(r->about.controller, "none")) return "fair";
    } else if (f->still.joint >= 0) {
        joint(o, "The ", r, f->still.joint, "");
        angle(o, " did not move, though it should have: it is up to ", r, f->still.joint, f->still.value);
        put(o, " off.");
    } else {
        return NULL;
    }
    return "bad";
}

/* A motion that was made to obey its limits may reach them. */
static bool say_made(const arne_report_run *r, text_buffer *o)
{
    const bool fastest = is(r->about.purpose, "time-optimal") || is(r->about.kind, "plan");
    if (!fastest && !is(r->about.verdict, "feasible")) return false;
    html_in(o, fastest ? "As fast as its limits allow: " : "Feasible: ", r->about.why ? r->about.why : "no limit is exceeded",
            ".");
    return true;
}

const char *arne__report_words(const arne_report_run *r, const arne_report_facts *f, text_buffer *o)
{
    if (r->about.status && strcmp(r->about.status, "finished")) {
        add(o, "The run %s at t = %.4g s", strcmp(r->about.status, "failed") ? "was stopped" : "failed", r->t[r->rows - 1]);
        if (r->about.message) html_in(o, ": ", r->about.message, "");
        put(o, ".");
        return "bad";
    }
    if (f->push && f->watched && !f->contact) {
        html_in(o, "The observer did not notice: ", event_words(f->push), ".");
        return "bad";
    }
    const char *impossible = say_impossible(r, f, o);
    if (impossible) return impossible;
    if (f->false_alarms) {
        add(o, "%d contact%s found where nothing had happened.", f->false_alarms, f->false_alarms == 1 ? " was" : "s were");
        return "bad";
    }
    if (f->contact && isnan(f->delay)) {
        add(o, "%d contact%s found, the first at t = %.4g s.", f->contacts, f->contacts == 1 ? " was" : "s were", f->contact->t);
        return "fair";
    }
    if (f->contact)
        span(o, "The contact was found ", f->delay, f->stop ? " after it began, and the robot stopped." : " after it began.");
    const bool made = !f->contact && say_made(r, o);
    if (f->saturated >= 0) {
        joint(o, o->length ? " The " : "The ", r, f->saturated, "");
        span(o, f->torque.value > OVER ? " is at its torque limit or over it for " : " is at its torque limit for ",
             f->saturated_s, ".");
        return made ? "good" : "fair";
    }
    if (!f->contact && !made) put(o, f->torque.joint >= 0 ? "No limit is reached." : "Nothing to complain about.");
    return "good";
}

char *arne__text_plain(const text_buffer *html)
{
    static const char *const marks[][2] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};
    text_buffer o = {0};
    for (const char *c = arne__text_string(html); *c;) {
        size_t k = 0;
        while (k < 5 && strncmp(c, marks[k][0], strlen(marks[k][0])) != 0) k++;
        if (k < 5)
            put(&o, marks[k][1]), c += strlen(marks[k][0]);
        else if (*c == '<')
            c += strcspn(c, ">"), c += *c == '>';
        else
            arne__text_bytes(&o, c++, 1);
    }
    if (html->failed || o.failed) arne__text_free(&o);
    return o.s;
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
    if (name) html_in(o, "Robot <b>", name, "</b>, ");
    const bool several = r->robot && arne_model_nq(r->robot) != r->dof;
    add(o, "%d %s%s; %.4g s, %zu rows", r->dof, several ? "freedom" : "joint", r->dof == 1 ? "" : "s",
        r->t[r->rows - 1] - r->t[0], r->rows);
    if (r->about.controller) html_in(o, "; controller <b>", r->about.controller, "</b>");
    if (r->about.controller && r->about.period > 0) add(o, " every %.3g ms", 1e3 * r->about.period);
    if (r->about.integrator) html_in(o, "; integrated by ", r->about.integrator, "");
    if (r->about.wall > 0) span(o, "; computed in ", r->about.wall, "");
    put(o, ".</li>\n");
    for (int i = 0; i < r->about.npayload; i++) {
        const arne_about_payload *p = &r->about.payloads[i];
        add(o, "<li>Payload: <b>%.4g kg</b> on link ", p->mass);
        html_in(o, "", p->link, "");
        add(o, ", its centre of mass at %.4g, %.4g, %.4g m.</li>\n", p->com[0], p->com[1], p->com[2]);
    }
}

static void say_tracking(const arne_report_run *r, const arne_report_facts *f, text_buffer *o)
{
    const arne_report_peak *e = &f->error;
    if (e->joint < 0) return;
    put(o, f->stop ? "<li>Until it stops, it" : "<li>It");
    angle(o, " follows its reference to within ", r, e->joint, e->value);
    joint(o, "; the largest error is at ", r, e->joint, "");
    if (!isnan(e->t)) add(o, ", t = %.4g s", e->t);
    put(o, ".</li>\n");
}

/* Torque: joint elbow comes nearest to its limit, 80 % of 150 Nm at t = 1 s; or: needs 692 % of its limit, 150 Nm, at t = 1 s */
static void say_share(const arne_report_run *r, const char *what, const arne_report_peak *p, double limit, const char *unit,
                      text_buffer *o)
{
    add(o, "<li>%s: ", what);
    joint(o, "", r, p->joint, "");
    if (p->value > OVER)
        add(o, " needs %.3g %% of its limit, %.4g %s, at t = %.4g s", 100 * p->value, limit, unit, p->t);
    else
        add(o, " comes nearest to its limit, %.3g %% of %.4g %s at t = %.4g s", 100 * p->value, limit, unit, p->t);
}

static void say_limits(const arne_report_run *r, const arne_report_facts *f, text_buffer *o)
{
    const int i = f->torque.joint, k = f->speed.joint;
    if (i >= 0) {
        say_share(r, "Torque", &f->torque, r->effort[i], arne__report_turns(r, i) ? "Nm" : "N", o);
        if (f->saturated < 0) {
            put(o, "; no joint saturates.</li>\n");
        } else {
            joint(o, "; ", r, f->saturated, "");
            span(o, f->torque.value > OVER ? " is at its limit or over it for " : " saturates, for ", f->saturated_s,
                 " in all.</li>\n");
        }
    }
    if (k >= 0) {
        say_share(r, "Speed", &f->speed, r->velocity[k], arne__report_turns(r, k) ? "rad/s" : "m/s", o);
        put(o, ".</li>\n");
    }
    if (f->outside.joint >= 0) {
        joint(o, "<li>Position: ", r, f->outside.joint, "");
        angle(o, " is beyond its limit by ", r, f->outside.joint, f->outside.value);
        add(o, " at t = %.4g s.</li>\n", f->outside.t);
    }
}

static void say_event(const char *before, const arne_about_event *e, const char *after, text_buffer *o)
{
    add(o, "<li>%s <b>t = %.4g s</b>: ", before, e->t);
    html_in(o, "", event_words(e), after);
}

static void say_contact(const arne_report_facts *f, text_buffer *o)
{
    if (f->push) say_event("Done to the robot at", f->push, ".</li>\n", o);
    if (f->contact) {
        const bool known = !isnan(f->delay);
        say_event("Found at", f->contact, known ? " &ndash; " : ".</li>\n", o);
        if (known) span(o, "<b>", f->delay, "</b> after it began.</li>\n");
    }
    if (f->unexplained) say_event("False alarm at", f->unexplained, ".</li>\n", o);
    if (f->stop) {
        const bool known = f->stop->end > f->stop->t;
        say_event("Reaction at", f->stop, known ? "; at rest " : ".</li>\n", o);
        if (known) span(o, "", f->stop->end - f->stop->t, " later.</li>\n");
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

enum { COLUMNS = 7 };
static const char *const headings[COLUMNS] = {"controller",   "time, s",         "largest error", "torque of limit",
                                              "saturated, s", "found after, ms", "false alarms"};

/* What a cell of the table says; empty: nothing is known. */
static void cell(const arne_report_run *r, const arne_report_facts *f, int column, char to[100])
{
    const bool torque = f->torque.joint >= 0;
    to[0] = 0;
    if (column == 0 && r->about.controller) snprintf(to, 100, "%.90s", r->about.controller);
    if (column == 1) snprintf(to, 100, "%.4g", r->t[r->rows - 1] - r->t[0]);
    if (column == 2 && f->error.joint >= 0) snprintf(to, 100, "%.3g %s", f->error.value, turn_unit(r, f->error.joint));
    if (column == 3 && torque) snprintf(to, 100, "%.3g %%", 100 * f->torque.value);
    if (column == 4 && torque) snprintf(to, 100, "%.3g", f->saturated_s);
    if (column == 5 && !isnan(f->delay)) snprintf(to, 100, "%.3g", 1e3 * f->delay);
    if (column == 6 && f->watched) snprintf(to, 100, "%d", f->false_alarms);
}

/* Columns of which no run knows anything are left out. */
void arne__report_comparison(const arne_report_set *set, const arne_report_facts *facts, text_buffer *o)
{
    char text[100];
    bool used[COLUMNS] = {0};
    put(o, "<h2>The runs side by side</h2>\n<div class=\"wide\"><table class=\"compare\">\n<tr><th>run</th>");
    for (int k = 0; k < COLUMNS; k++) {
        for (int i = 0; i < set->count; i++) {
            cell(set->runs[i], &facts[i], k, text);
            used[k] |= *text != 0;
        }
        if (used[k]) add(o, "<th>%s</th>", headings[k]);
    }
    put(o, "<th>verdict</th></tr>\n");
    for (int i = 0; i < set->count && !o->failed; i++) {
        const char *verdict = arne_report_verdict(set->runs[i], &facts[i]);
        add(o, "<tr><td><a href=\"#run%d\">", i + 1);
        html_in(o, "", set->labels[i], "</a></td>");
        for (int k = 0; k < COLUMNS; k++) {
            cell(set->runs[i], &facts[i], k, text);
            if (used[k]) html_in(o, "<td>", *text ? text : "\xE2\x80\x93", "</td>");
        }
        add(o, "<td class=\"%s\">%s</td></tr>\n", verdict, verdict);
    }
    put(o, "</table></div>\n");
}
