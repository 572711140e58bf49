/* SPDX-License-Identifier: MIT
 *
 * page.c - one page about one or more runs: words, pictures, a verdict. It needs no network and no script. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/arne.h"
#include "report/report.h"

enum { MOST_EVENTS = 100 };

static const char STYLE[] =
    ":root{color-scheme:light dark;--text:#1c1c1c;--back:#fbfbfa;--card:#fff;--edge:#dcdcd8;--quiet:#666}\n"
    "@media(prefers-color-scheme:dark){:root{--text:#e8e8e4;--back:#1a1b1d;--card:#242628;--edge:#3c3e40;--quiet:#a0a0a0}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "main{max-width:78rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.6rem;margin:.4rem 0}h2{font-size:1.25rem;margin:1.6rem 0 .4rem}\n"
    ".verdict{padding:.6rem .9rem;border-left:.4rem solid #888;background:var(--card);font-size:1.1rem;margin:.6rem 0}\n"
    ".verdict.good{border-color:#2a8a3e}.verdict.fair{border-color:#e0a000}.verdict.bad{border-color:#c62828}\n"
    "td.good{color:#2a8a3e}td.fair{color:#b07d00}td.bad{color:#c62828}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:.8rem}\n"
    ".chart{margin:0;padding:.6rem;background:var(--card);border:1px solid var(--edge);border-radius:.4rem;break-inside:avoid}\n"
    ".chart svg{display:block;width:100%;height:auto;border-radius:.2rem;background:#fff}\n"
    "figcaption{font-weight:600;font-size:.95rem;margin-bottom:.3rem}\n"
    ".legend{display:block;font-weight:400;font-size:.8rem;color:var(--quiet)}.legend "
    "span{white-space:nowrap;margin-right:.5em}\n"
    ".legend i{display:inline-block;width:.8em;height:.8em;margin-right:.3em;border-radius:.15em;vertical-align:-.05em;"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}\n"
    "td:not(:last-child),th{white-space:nowrap}.compare "
    "td:first-child{white-space:normal;min-width:8rem}a{color:inherit}.charts{margin:.8rem 0}\n"
    ".small{color:var(--quiet);font-size:.85rem}.wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.9rem}td,th{padding:.25rem .6rem;border-bottom:1px solid "
    "var(--edge);text-align:left;"
    "vertical-align:top}\n"
    "@media print{body{background:#fff;color:#000;font-size:11pt}main{max-width:none;padding:0}.charts{grid-template-columns:1fr "
    "1fr}}\n";

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
    put(o, "</table></div>\n<p class=\"small\">In the charts: yellow, what was done to the robot; red, a contact was found; "
           "dotted, the "
           "robot began to stop.</p>\n");
    if (r->nevent > MOST_EVENTS) add(o, "<p class=\"small\">The first %d of %d events.</p>\n", (int)MOST_EVENTS, r->nevent);
}

static const char *title_of(const arne_report_run *r)
{
    const char *slash = strrchr(r->path, '/');
    return r->about.title ? r->about.title : slash ? slash + 1 : r->path;
}

static arne_status write_run(const arne_report_run *r, const arne_report_facts *f, int number, bool headline, text_buffer *o,
                             arne_error *error)
{
    text_buffer words = {0};
    const char *verdict = arne__report_words(r, f, &words);
    add(o, "<section id=\"run%d\">\n", number);
    if (headline) html_in(o, "<h2>", title_of(r), "</h2>\n");
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

arne_status arne_report_page(const arne_report_run *const *runs, int count, const char *title, char **page, arne_error *error)
{
    arne_report_facts *facts = calloc((size_t)count + 1, sizeof *facts);
    text_buffer text = {0}, *o = &text;
    *page = NULL;
    if (!facts) return report_no_memory(error);
    const bool headlines = count > 1 || title;
    if (!title) title = count == 1 ? title_of(runs[0]) : "Comparison of runs";
    put(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    html_in(o, "", title, "</title>\n<style>\n");
    put(o, STYLE);
    html_in(o, "</style>\n</head>\n<body>\n<main>\n<h1>", title, "</h1>\n");
    for (int i = 0; i < count; i++) arne_report_find(runs[i], &facts[i]);
    if (count > 1) arne__report_comparison(runs, facts, count, o);
    arne_status status = ARNE_OK;
    for (int i = 0; i < count && !status; i++) status = write_run(runs[i], &facts[i], i + 1, headlines, o, error);
    put(o, "<p class=\"small\">Written by arne " ARNE_VERSION ". SI units, radians.</p>\n</main>\n</body>\n</html>\n");
    free(facts);
    if (!status && text.failed) status = report_no_memory(error);
    if (status)
        arne__text_free(o);
    else
        *page = text.s;
    return status;
}
