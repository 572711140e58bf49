/* SPDX-License-Identifier: MIT
 *
 * rows.c - the table of what can be computed, for Python: names and order of the arguments, shapes of the results. */

#include "door.h"

#include "algo/axes.h"

row rows[ROWS];

/* the arguments of a text as they stand in texts.def */
#define TEXT(name, text, arguments, ...) [TEXT_##name] = #arguments,
static const char *const written[TEXT_ROWS] = {
#include "algo/texts.def"
};

static const row more[] = {
#define ROW(row, inputs, flags, words, ...) {.name = #row, .about = words, .options = flags, .parts = {__VA_ARGS__}},
    MORE_ROWS(ROW)
#undef ROW
};

/* Takes the words of `text` that are inputs, in their order. */
static void take_inputs(row *r, const char *text, bool any)
{
    static const char *const known[] = {"q", "qd", "qdd", "tau", "qa"};
    for (const char *at = text; *at;) {
        const size_t n = strcspn(at, " ,()");
        int group = -1;
        for (int k = 0; k < 5 && n; k++)
            if (strlen(known[k]) == n && !memcmp(known[k], at, n)) group = k;
        if (((any && n) || group >= 0) && r->ninput < MOST_INPUTS) {
            char *name = r->input[r->ninput];
            memcpy(name, at, n);
            name[n] = 0;
            r->group[r->ninput] = group;
            r->position[r->ninput++] = !strcmp(name, "q") || !strcmp(name, "q2") || !strcmp(name, "qnext");
        }
        at += n + (at[n] != 0);
    }
}

void rows_fill(void)
{
    static const char *const more_inputs[] = {
#define ROW(name, inputs, ...) inputs,
        MORE_ROWS(ROW)
#undef ROW
    };
    for (int i = 0; i < TEXT_ROWS; i++) {
        const arne_quantity *q = arne_quantity_at(i);
        rows[i] = (row){.name = q->name, .about = q->about, .options = q->options, .hidden = q->hidden, .nparts = q->nparts};
        if (i == TEXT_id || i == TEXT_fd) rows[i].options |= BY_METHOD;
        if (i == TEXT_regressor || i == TEXT_dfd_parameters) rows[i].options |= BY_ORDER;
        for (int k = 0; k < q->nparts; k++) {
            rows[i].parts[k].name = q->parts[k].name;
            rows[i].parts[k].rows = (int)q->parts[k].rows;
            rows[i].parts[k].columns = (int)q->parts[k].columns;
        }
        take_inputs(&rows[i], written[i], false);
    }
    for (int i = TEXT_ROWS; i < ROWS; i++) {
        rows[i] = more[i - TEXT_ROWS];
        while (rows[i].nparts < MOST_PARTS && (rows[i].parts[rows[i].nparts].rows || rows[i].parts[rows[i].nparts].name))
            rows[i].nparts++;
        take_inputs(&rows[i], more_inputs[i - TEXT_ROWS], true);
    }
}

const char *row_factor_word(const row *r) { return strcmp(r->name, "star") ? "factor" : "star"; }

const char *axis_words(int axis)
{
    switch (axis) {
    case ARNE_AXIS_JOINTS: return "nv";
    case ARNE_AXIS_LINKS: return "bodies";
    case ARNE_AXIS_XYZ: return "3";
    case ARNE_AXIS_TWIST:
    case ARNE_AXIS_WRENCH: return "6";
    case ARNE_AXIS_PARAMETERS: return "11 bodies";
    case ARNE_AXIS_PAIRS: return "nv, nv";
    case ARNE_AXIS_LOAD: return "10";
    case AXIS_POSITIONS: return "nq";
    case AXIS_BASE: return "base parameters";
    default: return "";
    }
}
