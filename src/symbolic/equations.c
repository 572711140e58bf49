/* SPDX-License-Identifier: MIT
 *
 * equations.c - equations in closed form: texts run on expression graphs, then expanded or listed. */
#include "arne/equations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "graph/closed_form.h"
#include "graph/graph.h"
#include "graph/replace.h"
#include "dynamics/data.h"
#include "symbolic/names.h"

typedef struct {
    const char *name;
    const char *text;   /* of arne__symbolic_run */
    const char *letter; /* of its elements */
    const char *title;
} quantity;

static const quantity quantities[] = {
    {"mass", "mass", "A", "inertia matrix A(q), upper triangle"},
    {"gravity", "gravity", "Q", "gravity torques Q(q)"},
    {"coriolis", "coriolis_vector", "c", "Coriolis and centrifugal torques c(q,qd)"},
    {"id", "id", "tau", "inverse dynamics tau = A qdd + c + Q, without friction"},
    {"energy", "energy", "E", "kinetic energy E(q,qd) and potential energy U(q)"},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

const char *const *arne_equation_names(void)
{
    static const char *const names[] = {"mass", "gravity", "coriolis", "id", "energy", NULL};
    return names;
}

/* One quantity of this robot: the graph of its elements, as they will be named. */
typedef struct {
    const quantity *quantity;
    sym_graph *g;
    int n;
    sym *out;
    char (*label)[32];
    expansion e;
    closed_form *form; /* n, where the form is expanded */
    long terms;
} section;

typedef struct {
    const arne_data *d;
    arne_equation_options o;
    int joints, rows; /* that are written: joints, velocities */
    int *before, *sense;
    equation_names names;
    int nsection;
    section section[QUANTITIES];
} equations;

/* ---- from the robot to graphs ---- */

/* the joint before with a parallel axis: only twists of 0 or half a turn between them, slides may be there too */
static void find_axes(const arne_data *d, int *before, int *sense)
{
    const robot *r = arne__data_robot(d);
    const turn_table turns = robot_turns(r, NULL);
    const arne_model *m = arne_data_model(d);
    for (int i = 0; i < r->nq; i++) before[i] = -1, sense[i] = 1;
    for (int i = 0; i < r->n; i++) {
        const int own = r->link[i].iq;
        if (arne_joint_kind(m, i) != ARNE_REVOLUTE) continue;
        for (int k = i; before[own] < 0 && r->link[k].parent >= 0;) {
            const robot_link *l = &r->link[k];
            if (l->nv > 1 || l->branch || l->sa != 0 || fabs(l->ca) != 1) break;
            if (l->ca < 0) sense[own] = -sense[own];
            k = l->parent;
            if (arne_joint_kind(m, k) == ARNE_REVOLUTE) before[own] = r->link[k].iq;
            if (arne_joint_kind(m, k) != ARNE_REVOLUTE && turns.theta[r->link[k].iq] != 0) break;
        }
    }
}

static void add_element(section *s, const char *letter, int i, int j, bool latex, sym value)
{
    arne__print_label(s->label[s->n], sizeof *s->label, letter, i, j, latex);
    s->out[s->n++] = value;
}

/* the elements that are written, out of those that the text gives */
static void choose_elements(const equations *q, const sym *all, section *s)
{
    const int dof = arne_model_nv(arne_data_model(q->d)), n = q->rows;
    const char *letter = s->quantity->letter;
    if (!strcmp(s->quantity->name, "energy")) {
        add_element(s, "E", 0, 0, q->o.latex, all[0]);
        add_element(s, "U", 0, 0, q->o.latex, all[1]);
    } else if (!strcmp(s->quantity->name, "mass")) {
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j++) add_element(s, letter, i + 1, j + 1, q->o.latex, all[i * dof + j]);
    } else {
        for (int i = 0; i < n; i++) add_element(s, letter, i + 1, 0, q->o.latex, all[i]);
    }
}

static bool make_section(const equations *q, section *s)
{
    const size_t n = (size_t)q->rows, most = n * n + 2;
    const symbolic_options options = {.named = true, .general = q->o.general};
    symbolic run;
    if (!arne__symbolic_run(q->d, s->quantity->text, &options, &run)) return false;
    s->g = arne__sym_graph_new();
    s->out = calloc(most, sizeof *s->out);
    s->label = calloc(most, sizeof *s->label);
    sym *all = calloc((size_t)run.nout, sizeof *all);
    bool ok = s->g && s->out && s->label && all;
    ok = ok && arne__graph_replace(run.g, run.out, run.nout, arne__equation_constant, &q->names, s->g, all);
    if (ok) choose_elements(q, all, s);
    free(all);
    arne__symbolic_free(&run);
    return ok;
}

/* ---- text ---- */

static const char *comment(const equations *q) { return q->o.latex ? "% " : "# "; }

/* which numbers the joints of several freedoms have */
static void print_wide(text_buffer *t, const equations *q)
{
    const arne_model *m = arne_data_model(q->d);
    for (int i = 0; i < q->joints; i++) {
        const arne_joint_type kind = arne_joint_kind(m, i);
        const int x = arne_joint_q(m, i) + 1, v = arne_joint_v(m, i) + 1, place = kind == ARNE_FREE ? 3 : 0;
        if (kind != ARNE_SPHERICAL && kind != ARNE_FREE) continue;
        arne__text_add(t, "%sJoint ", comment(q));
        for (const char *c = arne_joint_name(m, i); *c; c++)
            arne__text_add(t, "%c", (unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
        arne__text_add(t, place ? ": place q%d q%d q%d," : ":", x, x + 1, x + 2);
        arne__text_add(t, " quaternion q%d q%d q%d q%d of unit length;\n%s ", x + place, x + place + 1, x + place + 2,
                       x + place + 3, comment(q));
        if (place) arne__text_add(t, " velocity qd%d qd%d qd%d,", v, v + 1, v + 2);
        arne__text_add(t, " angular velocity qd%d qd%d qd%d, in link axes.\n", v + place, v + place + 1, v + place + 2);
    }
}

static void print_head(text_buffer *t, const equations *q, bool listing)
{
    const arne_model *m = arne_data_model(q->d);
    arne__text_add(t, "%s", comment(q));
    for (const char *c = arne_model_name(m); *c; c++) arne__text_add(t, "%c", (unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
    if (q->joints < arne_model_joints(m)) arne__text_add(t, ", joints 1 to %d and the links they carry", q->joints);
    arne__text_add(t,
                   q->o.textbook
                       ? "\n%sLink j: length lj, mass mj, centre of mass lcj from its joint (lcxj lcyj lczj in its frame),\n"
                       : "\n%sLink j in its modified Denavit-Hartenberg frame: mass Mj, first moments MXj MYj MZj, inertia\n",
                   comment(q));
    arne__text_add(t,
                   q->o.textbook ? "%sinertia about it Ij (Ixxj ... Izzj), rotor Irj. What is zero is not written.\n"
                                 : "%sabout the origin XXj XYj XZj YYj YZj ZZj, rotor IAj. What is zero is not written.\n",
                   comment(q));
    if (arne_model_nq(m) != arne_model_nv(m)) print_wide(t, q);
    if (q->o.other) arne__text_add(t, "%sSymbols without a number in the file stay symbols.\n", comment(q));
    if (q->o.latex) arne__text_add(t, "%% needs \\usepackage{amsmath}\\allowdisplaybreaks\n");
    if (listing && q->o.form == ARNE_FORM_AUTO)
        arne__text_add(t, "%sStep by step: multiplied out these are more than %d terms.\n", comment(q), ARNE_SHORT_EQUATIONS);
}

/* is it in an equation? Listings have all that is live. */
static bool occurs(const section *s, sym_key key)
{
    int a = 0;
    while (a < s->e.ring.count && !sym_key_same(s->e.ring.atom[a].key, key)) a++;
    for (int k = 0; k < s->n && a < s->e.ring.count; k++)
        for (int j = 0; j < s->form[k].count; j++)
            if (s->form[k].term[j].power[a]) return true;
    return false;
}

/* values of the constants; arbitrary inertias have none */
static void print_constants(text_buffer *t, const equations *q, const section *s, bool expanded)
{
    enum { LINE = 100 };
    bool *live = calloc((size_t)arne__sym_graph_size(s->g) + 1, sizeof *live);
    const size_t start = t->length;
    text_buffer item = {0};
    if (!live) {
        t->failed = true;
        return;
    }
    arne__graph_live(s->g, s->out, s->n, live);
    for (int i = 0; i < arne__sym_graph_size(s->g); i++) {
        const sym_node *x = arne__sym_graph_node(s->g, i);
        if (!live[i] || x->op != SYM_PARAM || (expanded && !occurs(s, x->key))) continue;
        if (q->o.general && x->key.row < ROBOT_ROWS && arne__robot_role((robot_row)x->key.row) == ROBOT_INERTIA) continue;
        if (q->o.other && !arne__equation_same(&q->names, arne__data_doubles(q->o.other), x->key)) continue;
        graph_name name = {0};
        arne__equation_name(&q->names, x->key, false, &name);
        arne__print_name(&item, &name, 1, false);
        arne__text_add(&item, " = ");
        arne__text_number(&item, x->value);
        arne__text_item(t, start, LINE, comment(q), ", ", &item);
    }
    if (t->length > start) arne__text_add(t, "\n");
    arne__text_free(&item);
    free(live);
}

static void open_section(text_buffer *t, const equations *q, const section *s, bool expanded)
{
    arne__text_add(t, "\n%s%s\n", comment(q), s->quantity->title);
    print_constants(t, q, s, expanded);
}

static void open_lines(text_buffer *t, const equations *q)
{
    if (q->o.latex) arne__text_add(t, "\\begin{align*}\n");
}

/* no line break after the last equation */
static void close_lines(text_buffer *t, const equations *q)
{
    static const char last[] = " \\\\\n";
    if (!q->o.latex || t->failed) return;
    if (t->length >= strlen(last) && !strcmp(t->s + t->length - strlen(last), last)) t->length -= strlen(last);
    arne__text_add(t, "\n\\end{align*}\n");
}

/* ---- the two forms ---- */

static poly_state expand_section(const equations *q, section *s, int most)
{
    const graph_axes axes = {arne_model_nq(arne_data_model(q->d)), q->before, q->sense, arne__equation_atom};
    s->form = calloc((size_t)s->n + 1, sizeof *s->form);
    if (!s->form) return POLY_NO_MEMORY;
    if (!arne__expand(s->g, s->out, s->n, &axes, most, &s->e)) return s->e.ring.state;
    for (int i = 0; i < s->n; i++) {
        if (!arne__closed_form_of(&s->e, &s->e.out[i], &s->form[i])) return s->e.ring.state;
        s->terms += s->form[i].count;
    }
    return POLY_FINE;
}

/* all sections, at most so many terms in all */
static poly_state expand_all(equations *q, long most)
{
    long terms = 0;
    for (int i = 0; i < q->nsection; i++) {
        /* before it is shortened a sum may be longer than what is printed */
        const poly_state state =
            expand_section(q, &q->section[i], most < ARNE_LONGEST_EQUATIONS ? 8 * (int)most : ARNE_LONGEST_EQUATIONS);
        if (state) return state;
        terms += q->section[i].terms;
        if (terms > most) return POLY_TOO_LONG;
    }
    return POLY_FINE;
}

/* the largest degree in which each angle occurs, kept at its cosine */
static void mark_used(const poly_ring *r, const unsigned char *power, int *used)
{
    for (int k = 0; k < r->count; k++) {
        if (r->atom[k].partner < 0 || r->atom[k].sine) continue;
        const int degree = power[k] + power[r->atom[k].partner];
        if (degree > used[k]) used[k] = degree;
    }
}

static void print_expanded(text_buffer *t, const equations *q)
{
    const graph_style style = {q->o.latex, arne__equation_name, &q->names};
    print_head(t, q, false);
    for (int i = 0; i < q->nsection; i++) {
        const section *s = &q->section[i];
        int *used = calloc((size_t)s->e.ring.count + 2, sizeof *used);
        if (!used) {
            t->failed = true;
            return;
        }
        for (int k = 0; k < s->n; k++)
            for (int j = 0; j < s->form[k].count; j++) mark_used(&s->e.ring, s->form[k].term[j].power, used);
        open_section(t, q, s, true);
        if (!q->o.latex) arne__print_angles(t, &s->e, used, comment(q));
        free(used);
        open_lines(t, q);
        for (int k = 0; k < s->n; k++) arne__print_closed(t, s->label[k], &s->e, &s->form[k], &style);
        close_lines(t, q);
    }
}

/* with common factors taken out, as a person would compute it */
static bool list_section(text_buffer *t, const equations *q, const section *s, int next[2])
{
    sym_graph *g = arne__sym_graph_new();
    sym *out = calloc((size_t)s->n + 1, sizeof *out);
    const char **label = calloc((size_t)s->n + 1, sizeof *label);
    bool ok = g && out && label && arne__graph_factor(s->g, s->out, s->n, false, g, out);
    if (ok) {
        for (int i = 0; i < s->n; i++) label[i] = s->label[i];
        ok = arne__print_listing(t, g, out, s->n, label, &(graph_style){q->o.latex, arne__equation_name, &q->names}, next);
    }
    arne__sym_graph_free(g);
    free(out);
    free(label);
    return ok;
}

static bool print_listings(text_buffer *t, const equations *q)
{
    int next[2] = {0, 0};
    print_head(t, q, true);
    for (int i = 0; i < q->nsection; i++) {
        open_section(t, q, &q->section[i], false);
        open_lines(t, q);
        if (!list_section(t, q, &q->section[i], next)) return false;
        close_lines(t, q);
    }
    return true;
}

/* ---- the door ---- */

static void close_all(equations *q)
{
    for (int i = 0; i < q->nsection; i++) {
        section *s = &q->section[i];
        for (int k = 0; s->form && k < s->n; k++) arne__closed_form_free(&s->form[k]);
        arne__expand_free(&s->e);
        arne__sym_graph_free(s->g);
        free(s->form);
        free(s->out);
        free(s->label);
    }
    free(q->before);
}

static arne_status take_names(equations *q, const char *what, arne_error *error)
{
    for (const char *at = what;; at += strcspn(at, ",") + 1) {
        const size_t length = strcspn(at, ",");
        int k = 0;
        while (k < QUANTITIES && (strlen(quantities[k].name) != length || strncmp(quantities[k].name, at, length))) k++;
        if (k == QUANTITIES)
            return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "there are no equations called \"%.*s\"",
                             (int)(length < 60 ? length : 60), at);
        bool known = false;
        for (int i = 0; i < q->nsection; i++) known = known || q->section[i].quantity == &quantities[k];
        if (!known) q->section[q->nsection++].quantity = &quantities[k];
        if (!at[length]) return ARNE_OK;
    }
}

static arne_status write_all(equations *q, text_buffer *t, arne_error *error)
{
    poly_state state = POLY_TOO_LONG;
    if (q->o.form != ARNE_FORM_LISTING)
        state = expand_all(q, q->o.form == ARNE_FORM_EXPANDED ? ARNE_LONGEST_EQUATIONS : ARNE_SHORT_EQUATIONS);
    if (state == POLY_NO_MEMORY) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (state == POLY_TOO_LONG && q->o.form == ARNE_FORM_EXPANDED)
        return arne_fail(
            error, ARNE_UNSUPPORTED, NULL, 0,
            "multiplied out the equations of %s have more than %d terms: ask for the form listing, or for fewer links",
            arne_model_name(arne_data_model(q->d)), ARNE_LONGEST_EQUATIONS);
    bool ok = true;
    if (state)
        ok = print_listings(t, q);
    else
        print_expanded(t, q);
    return ok && !t->failed ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
}

arne_status arne_equations(const arne_data *d, const char *what, const arne_equation_options *options, char **out,
                           arne_error *error)
{
    equations q = {.d = d};
    if (out) *out = NULL;
    if (!d || !what || !out || options_take(&q.o, sizeof q.o, options))
        return arne_fail(error, ARNE_BAD_ARGUMENT, NULL, 0, "equations need data, a list of names and a place");
    const arne_model *m = arne_data_model(d);
    const arne_status alone = arne__no_followers(m, "equations", error);
    if (alone) return alone;
    const int joints = arne_model_joints(m), nq = arne_model_nq(m);
    q.joints = q.o.links ? q.o.links : joints;
    if (q.joints < 1 || q.joints > joints)
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "%s has %d joints: the first %d cannot be written", arne_model_name(m),
                         joints, q.joints);
    q.rows = q.joints < joints ? arne_joint_v(m, q.joints) : arne_model_nv(m);
    q.names = arne__equation_names_of(d, q.joints, &q.o);
    arne_status status = take_names(&q, what, error);
    if (status) return status;
    bool ok = (q.before = calloc(2 * (size_t)nq, sizeof *q.before)) != NULL;
    if (ok) {
        q.sense = q.before + nq;
        find_axes(d, q.before, q.sense);
    }
    for (int i = 0; i < q.nsection && ok; i++) ok = make_section(&q, &q.section[i]);
    text_buffer t = {0};
    status = ok ? write_all(&q, &t, error) : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    close_all(&q);
    if (status)
        arne__text_free(&t);
    else
        *out = t.s;
    return status;
}
