/* SPDX-License-Identifier: MIT
 *
 * page.c - one page about one or more runs: words, pictures, a verdict. It needs no network and no script. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/arne.h"
#include "report/chart.h"

enum { MOST_EVENTS = 100 };

void arne__text_html(text_buffer *o, const char *before, const char *text, const char *after)
{
    put(o, before);
    while (*text) {
        const size_t n = arne__utf8_length(text);
        char one[8] = {0};
        memcpy(one, text, n);
        if (*text == '<')
            put(o, "&lt;");
        else if (*text == '>')
            put(o, "&gt;");
        else if (*text == '&')
            put(o, "&amp;");
        else if (*text == '"')
            put(o, "&quot;");
        else if (*text == '\'')
            put(o, "&#39;");
        else
            put(o, n == 0 || ((unsigned char)*text < ' ' && !strchr("\t\n", *text)) || *text == 127 ? "\xEF\xBF\xBD" : one);
        text += n ? n : 1;
    }
    put(o, after);
}

/* What the marks in the charts mean, of those that are there. */
static void write_looks(const arne_report_run *r, text_buffer *o)
{
    const event_look *said[8];
    int n = 0;
    for (int i = 0; i < r->nevent; i++) {
        const event_look *look = arne__event_look(r->events[i].kind);
        bool known = !look;
        for (int k = 0; k < n; k++) known |= said[k] == look;
        if (known || n == 8) continue;
        said[n++] = look;
        add(o, "%s<span><i style=\"background:var(--%s)\"></i>%s</span> ", n == 1 ? "<p class=\"legend\">In the charts: " : "",
            arne__colour_name(look->colour), look->words);
    }
    if (n) put(o, "</p>\n");
}

static void write_events(const arne_report_run *r, text_buffer *o)
{
    if (!r->nevent) return;
    put(o, "<h3>What happened</h3>\n<div class=\"wide\"><table>\n<tr><th>t, s</th><th>until</th><th>what</th></tr>\n");
    for (int i = 0; i < r->nevent && i < MOST_EVENTS; i++) {
        const arne_about_event *e = &r->events[i];
        add(o, "<tr><td>%.6g</td><td>", e->t);
        if (!isnan(e->end)) add(o, "%.6g", e->end);
        html_in(o, "</td><td><b>", e->kind, "</b> ");
        html_in(o, "", e->text ? e->text : "", "</td></tr>\n");
    }
    put(o, "</table></div>\n");
    write_looks(r, o);
    if (r->nevent > MOST_EVENTS) add(o, "<p class=\"small\">The first %d of %d events.</p>\n", (int)MOST_EVENTS, r->nevent);
}

static const char *file_of(const arne_report_run *r)
{
    const char *slash = strrchr(r->path, '/');
    return slash ? slash + 1 : r->path;
}

static const char *title_of(const arne_report_run *r) { return r->about.title ? r->about.title : file_of(r); }

/* ---- what tells runs apart ---- */

enum { TRAITS = 5 };

static void trait(const arne_report_run *r, int k, char to[160])
{
    const arne_about *a = &r->about;
    const char *const words[TRAITS] = {a->title, a->model ? a->model : a->robot, a->controller, a->integrator};
    snprintf(to, 160, "%.150s", words[k] ? words[k] : "");
    if (k == TRAITS - 1 && a->period > 0) snprintf(to, 160, "every %.3g ms", 1e3 * a->period);
}

static bool same_trait(const arne_report_run *a, const arne_report_run *b, int k)
{
    char x[160], y[160];
    trait(a, k, x);
    trait(b, k, y);
    return !strcmp(x, y);
}

/* What differs between the runs; where nothing does that is written beside them, the file. */
static void write_label(const arne_report_run *const *runs, int count, int i, text_buffer *o)
{
    char words[160];
    bool twin = false, differs[TRAITS] = {0};
    for (int j = 0; j < count; j++) {
        bool same = true;
        for (int k = 0; k < TRAITS; k++) {
            differs[k] |= !same_trait(runs[0], runs[j], k);
            same &= same_trait(runs[i], runs[j], k);
        }
        twin |= j != i && same;
    }
    for (int k = 0; k < TRAITS; k++) {
        trait(runs[i], k, words);
        if (differs[k] && *words) add(o, "%s%s", o->length ? ", " : "", words);
    }
    if (!twin && o->length) return;
    bool shared = false;
    for (int j = 0; j < count; j++) shared |= j != i && !strcmp(file_of(runs[i]), file_of(runs[j]));
    add(o, "%s%s", o->length ? ", " : "", shared ? runs[i]->path : file_of(runs[i]));
}

static arne_status label_runs(arne_report_set *set, arne_error *error)
{
    set->labels = calloc((size_t)set->count + 1, sizeof *set->labels);
    for (int i = 0; i < set->count && set->labels; i++) {
        text_buffer o = {0};
        write_label(set->runs, set->count, i, &o);
        if (o.failed || !o.s) return report_no_memory(error);
        set->labels[i] = o.s;
    }
    return set->labels ? ARNE_OK : report_no_memory(error);
}

/* ---- the page ---- */

static arne_status write_run(const arne_report_run *r, const arne_report_facts *f, int number, const char *headline,
                             text_buffer *o, arne_error *error)
{
    text_buffer words = {0};
    const char *verdict = arne__report_words(r, f, &words);
    add(o, "<section id=\"run%d\">\n", number);
    if (headline) html_in(o, "<h2>", headline, "</h2>\n");
    add(o, "<p class=\"verdict %s\">%s</p>\n", verdict, arne__text_string(&words));
    o->failed |= words.failed;
    arne__text_free(&words);
    arne__report_summary(r, f, o);
    write_events(r, o);
    arne_status status = arne__report_side_view(r, o, error);
    if (!status) status = arne__report_charts(r, o, error);
    html_in(o, "<p class=\"small\">Source: ", r->path, ".</p>\n</section>\n");
    return status;
}

void arne__page_begin(text_buffer *o, const char *title)
{
    put(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    html_in(o, "", title, "</title>\n<style>\n");
    arne__style_page(o);
    html_in(o, "</style>\n</head>\n<body>\n<main>\n<h1>", title, "</h1>\n");
}

void arne__page_end(text_buffer *o)
{
    put(o, "<p class=\"small\">Written by arne " ARNE_VERSION ". SI units, radians.</p>\n</main>\n</body>\n</html>\n");
}

static arne_status write_page(const arne_report_set *set, arne_report_facts *facts, const char *title, text_buffer *o,
                              arne_error *error)
{
    const int count = set->count;
    const bool given = title;
    if (!given) title = count == 1 ? title_of(set->runs[0]) : "Comparison of runs";
    arne__page_begin(o, title);
    for (int i = 0; i < count; i++) arne_report_find(set->runs[i], &facts[i]);
    arne_status status = ARNE_OK;
    if (count > 1) {
        arne__report_comparison(set, facts, o);
        status = arne__report_overlay(set, o, error);
    }
    for (int i = 0; i < count && !status; i++) {
        const char *headline = count > 1 ? set->labels[i] : given ? title_of(set->runs[0]) : NULL;
        status = write_run(set->runs[i], &facts[i], i + 1, headline, o, error);
    }
    arne__page_end(o);
    return !status && o->failed ? report_no_memory(error) : status;
}

arne_status arne_report_page(const arne_report_run *const *runs, int count, const char *title, char **page, arne_error *error)
{
    arne_report_facts *facts = calloc((size_t)count + 1, sizeof *facts);
    arne_report_set set = {count, runs, NULL};
    text_buffer text = {0};
    *page = NULL;
    arne_status status = facts ? label_runs(&set, error) : report_no_memory(error);
    if (!status) status = write_page(&set, facts, title, &text, error);
    for (int i = 0; i < count && set.labels; i++) free(set.labels[i]);
    free(set.labels);
    free(facts);
    if (status)
        arne__text_free(&text);
    else
        *page = text.s;
    return status;
}
