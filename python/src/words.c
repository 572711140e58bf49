/* SPDX-License-Identifier: MIT
 *
 * words.c - docstrings: the signature, what texts.def says, shapes and units, an example. */
#include <stdlib.h>

#include "base/text.h"
#include "door.h"

static const struct {
    const char *name, *formula, *unit, *example;
} words[] = {
#define WORDS(name, formula, unit, example) {#name, formula, unit, example},
#include "words.def"
};

static const struct {
    unsigned flag;
    const char *name, *absent, *about;
} options[] = {
    {ARNE_OF_LINK, "link", "None", "name or number of the link; None: m.tip"},
    {ARNE_IN_FRAME, "frame", "'aligned'", "axes: 'local', 'world', or 'aligned': world axes at the link's origin"},
    {BY_METHOD, "method", "None", "another way to compute it (arne help eval)"},
    {BY_ORDER, "order", "'symoro'", "of the parameters of a link: 'symoro', 'khalil' or 'pinocchio'"},
    {BY_ORDER, "friction_columns", "False", "also FV and FS of every joint, after the others"},
    {BY_CYCLE, "dt", NULL, "seconds from qd to qdnext"},
    {BY_CYCLE, "policy", "'keep'", "'keep': joints that do not saturate keep their accelerations; 'resolve': their torques"},
};

static const char *unit_of(const char *input)
{
    static const char *const units[][2] = {
        {"q", "rad, m, quaternions"}, {"q2", "as q"},       {"qnext", "as q"}, {"qd", "rad/s, m/s"},
        {"qdnext", "as qd"},          {"qa", "as qd"},      {"v", "as qd"},    {"qdd", "rad/s^2, m/s^2"},
        {"qddd", "rad/s^3"},          {"qdddd", "rad/s^4"}, {"tau", "Nm, N"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(units[i][0], input)) return units[i][1];
    return "";
}

static void signature(text_buffer *t, const row *r)
{
    arne__text_add(t, "%s($self, /", r->name);
    for (int i = 0; i < r->ninput; i++) arne__text_add(t, ", %s", r->input[i]);
    arne__text_put(t, ", *");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (r->options & options[i].flag)
            arne__text_add(t, ", %s%s%s", options[i].name, options[i].absent ? "=" : "",
                           options[i].absent ? options[i].absent : "");
    if (r->options & ARNE_BY_FACTOR)
        arne__text_add(t, ", %s=%s", row_factor_word(r), strcmp(row_factor_word(r), "star") ? "'christoffel'" : "'0001'");
    arne__text_put(t, ", out=None, threads=1)\n--\n\n");
}

static void shape(text_buffer *t, const char *before, const char *rows_, const char *columns)
{
    arne__text_add(t, "(%s%s%s%s%s)", before, rows_, *rows_ && *columns ? ", " : "", columns,
                   *rows_ && !*columns && !*before ? "," : "");
}

static void shapes(text_buffer *t, const row *r, const char *unit)
{
    for (int i = 0; i < r->ninput; i++) {
        const char *n = r->position[i] ? "nq" : "nv";
        arne__text_add(t, "%s: (%s,) or (N, %s), %s.\n", r->input[i], n, n, unit_of(r->input[i]));
    }
    for (int k = 0; k < r->nparts; k++) {
        const char *rows_ = axis_words(r->parts[k].rows), *columns = axis_words(r->parts[k].columns);
        arne__text_add(t, "%s%s%s: ", k ? "" : "Result", r->parts[k].name ? (k ? "  ." : " .") : "",
                       r->parts[k].name ? r->parts[k].name : "");
        if (!*rows_) arne__text_put(t, "a number");
        if (*rows_) shape(t, "", rows_, columns);
        arne__text_put(t, " or ");
        shape(t, *rows_ ? "N, " : "N,", rows_, columns);
        arne__text_put(t, k == r->nparts - 1 ? "" : "\n");
    }
    arne__text_add(t, "%s%s.\n", *unit ? "; " : "", unit);
}

char *row_doc(const row *r)
{
    text_buffer t = {0};
    size_t w = 0;
    while (w < sizeof words / sizeof *words && strcmp(words[w].name, r->name)) w++;
    const bool known = w < sizeof words / sizeof *words;
    signature(&t, r);
    arne__text_add(&t, "%s.\n", r->about);
    if (known) arne__text_add(&t, "\n    %s\n", words[w].formula);
    arne__text_put(&t, "\n");
    shapes(&t, r, known ? words[w].unit : "");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (r->options & options[i].flag) arne__text_add(&t, "%s: %s.\n", options[i].name, options[i].about);
    if (r->options & ARNE_BY_FACTOR)
        arne__text_add(&t, "%s: 'star0001', 'star1110'%s.\n", row_factor_word(r),
                       strcmp(row_factor_word(r), "star") ? " or 'christoffel'" : "");
    arne__text_put(&t, "out: where to put it, float64 (float32 where all arguments are). threads: 0: one a processor.\n");
    if (known) arne__text_add(&t, "\n%s", words[w].example);
    if (t.failed) free(t.s), t.s = NULL;
    return t.s;
}
