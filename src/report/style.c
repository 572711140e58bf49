/* SPDX-License-Identifier: MIT
 *
 * style.c - one look of everything that is drawn: pictures name colours as on paper, and rules of CSS turn these into variables
 * that follow the screen. A program that knows no such rules shows the colours of paper. */
#include "report/chart.h"

typedef struct {
    const char *name, *light, *dark;
} colour;

static const colour colours[] = {
    {"c1", "#1f5fbf", "#6aa5ff"},    {"c2", "#c8501e", "#ff9360"},   {"c3", "#2a8a3e", "#5cc873"},
    {"c4", "#8a3fb0", "#c88cf0"},    {"c5", "#b8860b", "#e5b93c"},   {"c6", "#0f8a8a", "#40c8c8"},
    {"c7", "#b02a5b", "#f27aa5"},    {"c8", "#555555", "#b5b5b5"},   {"ink", "#222222", "#e0e0dc"},
    {"axis", "#888888", "#8c8e90"},  {"grid", "#e2e2e2", "#3c3e40"}, {"card", "#ffffff", "#242628"},
    {"found", "#c62828", "#ff6b6b"}, {"done", "#f2a900", "#c08a10"}, {"stop", "#444444", "#c8c8c8"},
};

enum { COUNT = sizeof colours / sizeof *colours };

const char *arne__colour(int k) { return colours[k].light; }
const char *arne__colour_name(int k) { return colours[k].name; }

void arne__style_colours(text_buffer *o)
{
    put(o, ":root{");
    for (int k = 0; k < COUNT; k++) add(o, "--%s:%s;", colours[k].name, colours[k].light);
    put(o, "}\n@media screen and (prefers-color-scheme:dark){:root{");
    for (int k = 0; k < COUNT; k++) add(o, "--%s:%s;", colours[k].name, colours[k].dark);
    put(o, "}}\n");
    for (int k = 0; k < COUNT; k++)
        add(o, "[stroke=\"%s\"]{stroke:var(--%s)}[fill=\"%s\"]{fill:var(--%s)}\n", colours[k].light, colours[k].name,
            colours[k].light, colours[k].name);
}

static const char PAGE[] =
    ":root{color-scheme:light dark;--text:#1c1c1c;--back:#fbfbfa;--edge:#dcdcd8;--quiet:#666;"
    "--good:#2a8a3e;--fair:#9a6d00;--bad:#c62828}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--text:#e8e8e4;--back:#1a1b1d;--edge:#3c3e40;--quiet:#a0a0a0;"
    "--good:#5cc873;--fair:#e5b93c;--bad:#ff6b6b}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "main{max-width:78rem;margin:0 auto;padding:1rem}a{color:inherit}\n"
    "h1{font-size:1.6rem;margin:.4rem 0}h2{font-size:1.25rem;margin:1.6rem 0 .4rem}summary{cursor:pointer}\n"
    ".verdict{padding:.6rem .9rem;border-left:.4rem solid #888;background:var(--card);font-size:1.1rem;margin:.6rem 0}\n"
    ".verdict.good{border-color:var(--good)}.verdict.fair{border-color:var(--fair)}.verdict.bad{border-color:var(--bad)}\n"
    "td.good{color:var(--good)}td.fair{color:var(--fair)}td.bad{color:var(--bad)}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:.8rem;margin:.8rem 0}\n"
    ".views{grid-template-columns:repeat(auto-fill,minmax(min(100%,30rem),1fr))}\n"
    ".chart{margin:0;padding:.6rem;background:var(--card);border:1px solid var(--edge);border-radius:.4rem;break-inside:avoid}\n"
    ".chart svg{display:block;width:100%;max-width:30rem;height:auto;margin:auto}\n"
    "figcaption{font-weight:600;font-size:.95rem;margin-bottom:.3rem}\n"
    ".legend{display:block;font-weight:400;font-size:.8rem;color:var(--quiet)}.legend "
    "span{display:inline-block;margin-right:.5em}\n"
    ".legend i{display:inline-block;width:.8em;height:.8em;margin-right:.3em;border-radius:.15em;vertical-align:-.05em;"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}\n"
    "td:not(:last-child),th{white-space:nowrap}.compare td:first-child{white-space:normal;min-width:8rem}\n"
    ".small{color:var(--quiet);font-size:.85rem}.wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.9rem}td,th{padding:.25rem .6rem;border-bottom:1px solid "
    "var(--edge);text-align:left;vertical-align:top}\n"
    "@media print{body{background:#fff;color:#000;font-size:11pt}main{max-width:none;padding:0}.wide{overflow:visible}"
    ".charts{grid-template-columns:1fr 1fr}table{font-size:.75rem}td:not(:last-child),th{white-space:normal}}\n";

void arne__style_page(text_buffer *o)
{
    arne__style_colours(o);
    put(o, PAGE);
}

void arne__style_axes(text_buffer *o, const char *unit)
{
    add(o,
        "set border 3 lc rgb '#888888'\nset tics nomirror out textcolor rgb '#222222'\nset format '%%g'\n"
        "set grid lc rgb '#e2e2e2' lt 1\nset samples 2\nset key textcolor rgb '#222222'\n"
        "set xlabel 't, s' offset 0,0.4 textcolor rgb '#222222'\n"
        "set label 1 '%s' at graph 0, graph 1 offset 0,0.9 center textcolor rgb '#222222' noenhanced\n"
        "set offsets graph 0, graph 0, graph 0.05, graph 0.05\n",
        unit);
}
