/* SPDX-License-Identifier: MIT
 *
 * cmd_report.c - one page about one or more runs: words, pictures, a verdict. It needs no network and no script. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "base/whole.h"

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

void out_html(out *o, const char *text)
{
    while (*text) {
        const size_t n = arne__utf8_length(text);
        char one[8] = {0};
        memcpy(one, text, n);
        if (*text == '<')
            out_text(o, "&lt;");
        else if (*text == '>')
            out_text(o, "&gt;");
        else if (*text == '&')
            out_text(o, "&amp;");
        else if (*text == '"')
            out_text(o, "&quot;");
        else if (*text == '\'')
            out_text(o, "&#39;");
        else
            out_text(o, n == 0 || ((unsigned char)*text < ' ' && !strchr("\t\n", *text)) || *text == 127 ? "\xEF\xBF\xBD" : one);
        text += n ? n : 1;
    }
}

static void write_events(const report_run *r, out *o)
{
    if (!r->nevent) return;
    out_text(o, "<h3>What happened</h3>\n<div class=\"wide\"><table>\n<tr><th>t, s</th><th>until</th><th>what</th></tr>\n");
    for (int i = 0; i < r->nevent && i < MOST_EVENTS; i++) {
        const report_event *e = &r->events[i];
        out_format(o, "<tr><td>%.6g</td><td>", e->t);
        if (!isnan(e->end)) out_format(o, "%.6g", e->end);
        out_text(o, "</td><td><b>");
        out_html(o, e->kind);
        out_text(o, "</b> ");
        if (e->text) out_html(o, e->text);
        out_text(o, "</td></tr>\n");
    }
    out_text(o, "</table></div>\n<p class=\"small\">In the charts: yellow, what was done to the robot; red, a contact was found; "
                "dotted, the "
                "robot began to stop.</p>\n");
    if (r->nevent > MOST_EVENTS)
        out_format(o, "<p class=\"small\">The first %d of %d events.</p>\n", (int)MOST_EVENTS, r->nevent);
}

static const char *title_of(const report_run *r)
{
    const char *slash = strrchr(r->path, '/');
    return r->title ? r->title : slash ? slash + 1 : r->path;
}

static int write_run(const report_run *r, const report_facts *f, int number, bool headline, out *o)
{
    out words = {0};
    const char *verdict = report_verdict(r, f, &words);
    out_format(o, "<section id=\"run%d\">\n", number);
    if (headline) {
        out_text(o, "<h2>");
        out_html(o, title_of(r));
        out_text(o, "</h2>\n");
    }
    out_format(o, "<p class=\"verdict %s\">%s</p>\n", verdict, arne__text_string(&words));
    o->failed |= words.failed;
    out_free(&words);
    report_summary(r, f, o);
    write_events(r, o);
    int status = report_side_view(r, o);
    if (!status) status = report_charts(r, o);
    out_text(o, "<p class=\"small\">Source: ");
    out_html(o, r->path);
    out_text(o, ".</p>\n</section>\n");
    return status;
}

static int write_page(const arguments *a, const report_run *runs, int count, out *o)
{
    report_facts *facts = calloc((size_t)count, sizeof *facts);
    if (!facts) return no_memory();
    const char *title = option_value(a, "title");
    if (!title) title = count == 1 ? title_of(&runs[0]) : "Comparison of runs";
    out_text(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    out_html(o, title);
    out_format(o, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", STYLE);
    out_html(o, title);
    out_text(o, "</h1>\n");
    for (int i = 0; i < count; i++) report_find(&runs[i], &facts[i]);
    if (count > 1) report_comparison(runs, facts, count, o);
    int status = CLI_OK;
    for (int i = 0; i < count && !status; i++) {
        status = write_run(&runs[i], &facts[i], i + 1, count > 1 || option_given(a, "title"), o);
        tell(a, "%s: drawn", runs[i].path);
    }
    out_text(o, "<p class=\"small\">Written by arne " ARNE_VERSION ". SI units, radians.</p>\n</main>\n</body>\n</html>\n");
    free(facts);
    if (!status && o->failed) status = no_memory();
    return status;
}

static int run(const arguments *a)
{
    const char *path = option_value(a, "out");
    if (!path) return misuse("report needs a place for its page: --out page.html");
    report_run *runs = calloc((size_t)a->nword, sizeof *runs);
    if (!runs) return no_memory();
    int status = CLI_OK, opened = 0;
    while (opened < a->nword && !status) {
        status = report_open(a, a->words[opened], &runs[opened]);
        opened++;
    }
    out page = {0};
    if (!status) status = write_page(a, runs, opened, &page);
    if (!status)
        status = out_file(&page, path);
    else
        out_free(&page);
    for (int i = 0; i < opened; i++) report_close(&runs[i]);
    free(runs);
    return status;
}

static const option options[] = {
    {"out", "FILE", false, "the page, HTML; it holds its pictures and needs no network"},
    {"robot", "ROBOT", false, "the robot of the runs, where they do not say it or it is elsewhere"},
    {"title", "TEXT", false, "headline of the page"},
    {0},
};

const command command_report = {
    .name = "report",
    .synopsis = "RUN... --out page.html [--robot ROBOT]",
    .brief = "Draws runs and judges them: one page with pictures and words",
    .text =
        "RUN is a CSV file of simulate, observe, feasible or elastic, with the JSON file of the same name beside it, or any\n"
        "CSV file with a column t and some of: q1 ..., qr1 ... (reference), qd1 ..., tau1 ..., motor1 ..., r1 ... (residuals),\n"
        "theta1 ... (motors of elastic joints), r1.fx ... r1.mz ... (loads), kinetic, potential, hand.x, hand.y, hand.z,\n"
        "contact. With the robot the page shows it along the motion, true to scale. Several runs are compared. Pictures need\n"
        "gnuplot.\n",
    .options = options,
    .more_options = file_options,
    .min_words = 1,
    .max_words = -1,
    .word = "RUN",
    .example = "  printf 't,q1,q2\\n0,0,0\\n1,0.5,-0.2\\n2,0.9,0.3\\n' > /tmp/swing.csv\n"
               "  @ report /tmp/swing.csv --robot planar2r --out /tmp/swing.html\n",
    .run = run,
};
