/* SPDX-License-Identifier: MIT
 *
 * run.c - texts on the symbolic kind: a robot whose constants are parameters, joint variables that are inputs.
 *
 * Constants 0, 1 and -1 fold; every other constant of the robot becomes a parameter, so work on constants alone is
 * free and two lengths that happen to be equal stay two [ERRATA part two 2.1]. */
#include <math.h>
#include <stdlib.h>

#include "algo/ejnea.h"
#include "algo/forms.h"
#include "algo/loads.h"
#include "algo/rows.h"
#include "algo/screws.h"
#include "arne/formulations.h"
#include "arne/quantity.h"
#include "symbolic/gauge.h"
#include "symbolic/symbolic.h"

/* an arbitrary parameter has no value of its own: any number that is not 0, 1 or -1 */
static const double ARBITRARY = 0.7390851332151607;

typedef struct {
    sym_graph *g;
    bool named, general;
    const void *doubles;
} constants;

/* a cosine or sine: 1 is a number, not a length or a mass that happens to be 1 */
static bool is_pure(int row)
{
    return row <= ROBOT_LINK_sg || row == ROBOT_BASE_R || row == ROBOT_FRAME_R || row == ROBOT_MOTORS_drive;
}

/* a parameter stands for the size of the constant, its sign stays apart */
static sym parameter(const constants *c, sym_key key, double value)
{
    const sym p = (c->named && !is_pure(key.row) ? arne__sym_named : arne__sym_param)(c->g, key, fabs(value));
    return value < 0 ? sym_neg(p) : p;
}

static sym constant(void *context, robot_row row, int link, int index, double value)
{
    const constants *c = context;
    if (c->general && arne__robot_role(row) == ROBOT_INERTIA && (value == 0 || fabs(value) == 1)) value = ARBITRARY;
    return parameter(c, (sym_key){(int)row, link, index}, value);
}

/* what follows from other parameters, and a symmetric matrix, have no parameters of their own */
static void follow(robot *r)
{
    for (int i = 0; i < r->n; i++) {
        robot_link *l = &r->link[i];
        l->JD[0] = sym_sub(l->J[5], l->J[3]);
        l->JD[1] = sym_sub(l->J[0], l->J[5]);
        l->JD[2] = sym_sub(l->J[3], l->J[0]);
    }
    sym *rotor = (sym *)robot_rotor(r);
    for (int i = 0; rotor && i < r->nv; i++)
        for (int j = 0; j < i; j++) rotor[i * r->nv + j] = rotor[j * r->nv + i];
}

/* the same link in the centre-of-mass form of the formulations */
static void central_link(const constants *c, int i, central_body *b)
{
    double MS[3], J[6];
    for (int k = 0; k < 3; k++) MS[k] = arne__robot_constant(c->doubles, ROBOT_LINK_MS, i, k);
    for (int k = 0; k < 6; k++) J[k] = arne__robot_constant(c->doubles, ROBOT_LINK_J, i, k);
    const central value = arne__central_of(arne__robot_constant(c->doubles, ROBOT_LINK_M, i, 0), MS, J);
    *b = (central_body){.has_rest = 0, .m = constant((void *)c, ROBOT_CENTRAL_m, i, 0, value.m), .rest = sym_of(0)};
    for (int k = 0; k < 3; k++) b->c[k] = constant((void *)c, ROBOT_CENTRAL_c, i, k, value.c[k]);
    for (int k = 0; k < 6; k++) {
        b->I[k] = constant((void *)c, ROBOT_CENTRAL_I, i, k, value.I[k]);
        b->K[k] = constant((void *)c, ROBOT_CENTRAL_K, i, k, value.K[k]);
        b->P[k] = constant((void *)c, ROBOT_CENTRAL_P, i, k, value.P[k]);
    }
}

typedef struct {
    sym_graph *g;
    constants c;
    robot *r;
    work k;
    forms_work forms;
    void *memory, *forms_memory;
    central_body *body;
    bool short_of_memory;
    sym *q, *qd, *x, *qa, *scratch; /* qddd and qdddd in the place of the last two */
} symbolic_robot;

static void symbolic_close(symbolic_robot *s)
{
    free(s->memory);
    free(s->forms_memory);
    free(s->body);
    free(s->r);
    free(s->q);
}

static void symbolic_inputs(sym_graph *g, int row, int link, int n, sym *x)
{
    for (int i = 0; i < n; i++) x[i] = arne__sym_input(g, (sym_key){row, link, i});
}

static bool symbolic_open(symbolic_robot *s, const arne_data *d, const symbolic_options *o, bool torque)
{
    const void *doubles = arne__data_doubles(d);
    const robot_counts count = arne__robot_counts(doubles);
    const int n = count.nv - count.nfollow, nq = count.nq - count.nfollow; /* inputs: of joints that move by themselves */
    *s = (symbolic_robot){.g = arne__sym_graph_new()};
    s->c = (constants){s->g, o->named, o->general, doubles};
    s->memory = aligned_alloc(64, EXPORT(work)(count, NULL, &s->k) + 64);
    s->forms_memory = aligned_alloc(64, EXPORT(forms_work)(count.n, NULL, &s->forms) + 64);
    s->body = calloc((size_t)count.n, sizeof *s->body);
    s->r = aligned_alloc(64, EXPORT(robot_of)(doubles, NULL, NULL, NULL));
    s->q = calloc((size_t)nq + 5 * (size_t)n, sizeof *s->q);
    if (!s->g || !s->memory || !s->forms_memory || !s->body || !s->r || !s->q) return false;
    EXPORT(work)(count, s->memory, &s->k);
    EXPORT(forms_work)(count.n, s->forms_memory, &s->forms);
    s->forms.body = s->body;
    s->qd = s->q + nq;
    s->x = s->qd + n;
    s->qa = s->x + n;
    s->scratch = s->qa + n;
    symbolic_inputs(s->g, KEY_Q, 0, nq, s->q);
    symbolic_inputs(s->g, KEY_QD, 0, n, s->qd);
    symbolic_inputs(s->g, torque ? KEY_TAU : KEY_QDD, 0, n, s->x);
    if (o->second_velocity) symbolic_inputs(s->g, KEY_QA, 0, n, s->qa);
    if (o->higher) {
        symbolic_inputs(s->g, KEY_QDDD, 0, n, s->qa);
        symbolic_inputs(s->g, KEY_QDDDD, 0, n, s->scratch);
    }
    EXPORT(robot_of)(doubles, s->r, constant, &s->c);
    for (int i = 0; i < s->r->n; i++) /* of symbols nobody knows whether they are right angles */
        if (s->r->link[i].ca.g || s->r->link[i].sa.g) s->r->link[i].twist = TWIST_ANY;
    follow(s->r);
    for (int i = 0; i < count.n; i++) {
        central_link(&s->c, i, &s->body[i]);
        s->k.force[i] = s->k.moment[i] = v3_zero();
    }
    s->r->friction = o->friction && count.rotors;
    s->r->nwrench = 0;
    if (o->with_wrench) {
        /* by the link on the environment: the opposite acts on the link */
        sym w[6];
        symbolic_inputs(s->g, KEY_WRENCH, 0, 6, w);
        s->k.force[count.n - 1] = v3_neg(v3(w[0], w[1], w[2]));
        s->k.moment[count.n - 1] = v3_neg(v3(w[3], w[4], w[5]));
        s->r->nwrench = -1;
    }
    return !arne__sym_graph_failed(s->g);
}

/* rotation matrices: of the joints, or nine free entries each */
static void symbolic_rotations(symbolic_robot *s, bool given)
{
    if (!given || s->r->nwide) EXPORT(rotations)(s->r, &s->k, &s->forms, s->q); /* places of free joints belong to it */
    if (!given) return;
    for (int i = 0; i < s->r->n; i++) {
        sym e[9];
        symbolic_inputs(s->g, KEY_ROTATION, i, 9, e);
        s->forms.R[i] = (mat3){e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7], e[8]};
    }
}

/* ---- what can be run: rows of texts.def, and a few more ---- */

typedef enum { RUN_TEXT, RUN_DERIVATIVE, RUN_FORM, RUN_LEAN, RUN_ELASTIC, RUN_STROBE } symbolic_sort;

typedef struct {
    const char *name;
    symbolic_sort sort;
    int row; /* of texts.def: itself, or what it is a derivative of, or another way to; STROBE: power of n */
    EXPORT(form) * form;
    int uses; /* LEAN */
} symbolic_entry;

static const symbolic_entry entries[] = {
#define TEXT(name, ...) {#name, RUN_TEXT, TEXT_##name, NULL, 0},
#include "algo/texts.def"
    {"did-jets", RUN_DERIVATIVE, TEXT_id, NULL, 0}, {"dfd-jets", RUN_DERIVATIVE, TEXT_fd, NULL, 0},
#define LEAN(name, of, uses) {#name, RUN_LEAN, TEXT_##of, NULL, uses},
#include "algo/texts.def"
    {"elastic", RUN_ELASTIC, TEXT_id, NULL, 0},     {"elastic-taylor", RUN_ELASTIC, TEXT_id, NULL, 0},
#define FORM(name, text, method) {#name, RUN_FORM, TEXT_id, EXPORT(text), 0},
#include "algo/texts.def"
    {"strobe-mass", RUN_STROBE, 2, NULL, 0},        {"strobe-coriolis", RUN_STROBE, 3, NULL, 0},
};
enum { ENTRIES = sizeof entries / sizeof *entries };

const char *arne__symbolic_name_of(int i) { return i >= 0 && i < ENTRIES ? entries[i].name : NULL; }
int arne__symbolic_uses(int i) { return i >= 0 && i < ENTRIES ? entries[i].uses : 0; }
int arne__symbolic_find(const char *name)
{
    for (int i = 0; i < ENTRIES; i++)
        if (!strcmp(entries[i].name, name)) return i;
    return -1;
}

void arne__symbolic_free(symbolic *s)
{
    arne__sym_graph_free(s->g);
    free(s->out);
    *s = (symbolic){0};
}

const char *arne__symbolic_fault(const char *name, const arne_model *m)
{
    const int i = arne__symbolic_find(name);
    const symbolic_sort sort = i < 0 ? RUN_TEXT : entries[i].sort;
    if (arne_model_followers(m) && (sort == RUN_FORM || sort == RUN_ELASTIC || sort == RUN_STROBE))
        return "it is not for joints that follow others; they can be made independent (--mimic independent)";
    if (i < 0 || arne_model_nq(m) == arne_model_nv(m)) return NULL;
    switch (entries[i].sort) {
    case RUN_FORM: return arne_formulation_narrow((arne_formulation)arne_formulation_find(name));
    case RUN_STROBE: return "strobing [004 section 8] has one axis a joint, and arrays of products of joint speeds";
    case RUN_ELASTIC:
        return strcmp(name, "elastic") ? NULL : "the recursion of [002] has one axis a joint; elastic-taylor is for all";
    default: return NULL;
    }
}

static bool takes_torque(const symbolic_entry *e) { return e->sort != RUN_STROBE && arne_quantity_at(e->row)->inputs & ARNE_TAU; }

/* numbers of its result */
static int size_of(const symbolic_entry *e, const arne_model *m)
{
    const int n = arne_model_nv(m);
    switch (e->sort) {
    case RUN_DERIVATIVE:
    case RUN_ELASTIC: return 3 * n * (e->sort == RUN_ELASTIC ? 1 : n);
    case RUN_STROBE: return e->row == 2 ? n * n : n * n * n;
    default: return arne_quantity_size(e->row, m);
    }
}

/* forward dynamics is the last two of the three uses */
static void run_lean(const symbolic_entry *e, symbolic_robot *s, const int *lean, sym *y)
{
    const bool torque = takes_torque(e);
    for (int use = 0; use < 3; use++) {
        if (!(e->uses & 1 << use)) continue;
        lean_robot g;
        if (gauge_open(&g, s->r, &s->k, lean, use)) {
            work k = s->k;
            k.force = g.force;
            switch (use) {
            case 0: EXPORT(id_lean)(g.r, &k, &g.w, s->q, s->qd, s->x, y); break;
            case 1: EXPORT(bias_lean)(g.r, &k, &g.w, s->q, s->qd, y); break;
            default: EXPORT(mass_lean)(g.r, &k, &g.w, s->q, torque ? s->k.matrix : y); break;
            }
        } else {
            s->short_of_memory = true;
        }
        gauge_close(&g);
    }
    if (torque && !s->short_of_memory) EXPORT(accelerations_lean)(s->r, s->k.matrix, s->x, y);
}

/* torque of the links and two derivatives, by the recursion or by Taylor series of inverse dynamics */
static void run_elastic(symbolic_robot *s, bool series, sym *y)
{
    ejnea_state *state = series ? NULL : calloc((size_t)s->r->n, sizeof *state);
    s->r->rotors = s->r->friction = 0;
    if (series)
        s->short_of_memory = !arne__symbolic_series(s->r, s->q, y);
    else if (state)
        EXPORT(ejnea)(s->r, &s->k, state, 2, s->q, NULL, NULL, y);
    else
        s->short_of_memory = true;
    free(state);
}

/* less the rotors that base parameters have put into the links: tau_e + IA qdd is the same before and after */
static void ungroup_rotors(const symbolic_robot *s, const arne_data *d, const arne_data *file, sym *y)
{
    const int n = s->r->nv;
    for (int i = 0; i < s->r->n; i++) {
        const double moved = arne__robot_constant(arne__data_doubles(file), ROBOT_LINK_Ia, i, 0) -
                             arne__robot_constant(arne__data_doubles(d), ROBOT_LINK_Ia, i, 0);
        const int v = s->r->link[i].iv;
        if (moved == 0) continue;
        const sym rotor = parameter(&s->c, (sym_key){KEY_GROUPED_ROTOR, i, 0}, moved);
        for (int k = 0; k < 3; k++) y[k * n + v] = sym_sub(y[k * n + v], sym_mul(rotor, s->qd[(k + 1) * n + v]));
    }
}

/* x = M^-1 x from the factors of ltdl.c, one division a joint for all columns */
static void solve(const robot *r, const sym *LD, sym *x)
{
    const int n = robot_nv(r), *up = robot_chain(r, 0);
    for (int i = n - 1; i >= 0; i--)
        for (int j = up[i]; j >= 0; j = up[j]) x[j] = sym_sub(x[j], sym_mul(LD[i * n + j], x[i]));
    for (int i = 0; i < n; i++) {
        x[i] = sym_mul(x[i], sym_divide(sym_of(1), LD[i * n + i]));
        for (int j = up[i]; j >= 0; j = up[j]) x[i] = sym_sub(x[i], sym_mul(LD[i * n + j], x[j]));
    }
}

/* A qdd = tau - H [003 eq. 9.95]; the factors of A stay in k.matrix */
static void run_fd(symbolic_robot *s, const text_input *in, sym *qdd)
{
    const int n = robot_nv(s->r);
    EXPORT(run)(TEXT_bias, s->r, &s->k, in, qdd);
    for (int i = 0; i < n; i++) qdd[i] = sym_sub(s->x[i], qdd[i]);
    EXPORT(run)(TEXT_mass, s->r, &s->k, in, s->k.matrix);
    EXPORT(factor)(s->r, s->k.matrix);
    solve(s->r, s->k.matrix, qdd);
}

/* Derivatives column after column, so that little is alive at a time: of id by jets; of fd those of id at its accelerations times
 * -M^-1, as algo/dfd.c. */
static void run_derivative(symbolic_robot *s, const text_input *in, bool torque, sym *y)
{
    const int n = robot_nv(s->r), square = n * n;
    sym *x = malloc((size_t)(robot_nq(s->r) + 3 * n) * sizeof *x), *third = x + (s->x - s->q), *column = third + n;
    s->short_of_memory = !x;
    if (!x) return;
    memcpy(x, s->q, (size_t)(third + n - x) * sizeof *x);
    if (torque)
        run_fd(s, in, third);
    else
        EXPORT(run)(TEXT_mass, s->r, &s->k, in, y + 2 * square); /* dtau/dqdd */
    for (int k = 0; k < (torque ? 3 : 2) * n && !s->short_of_memory; k++) {
        for (int i = 0; i < n; i++) column[i] = sym_of(i == k % n ? -1 : 0);
        if (k < 2 * n) s->short_of_memory = !arne__symbolic_column(s->r, x, k, column);
        if (torque) solve(s->r, s->k.matrix, column);
        for (int i = 0; i < n; i++) y[k / n * square + i * n + k % n] = torque ? sym_neg(column[i]) : column[i];
    }
    free(x);
}

static void run_entry(const symbolic_entry *e, symbolic_robot *s, const symbolic_options *o, sym *y)
{
    const text_input in = {s->q, s->qd, s->x, s->x, s->qa, o->link, ARNE_ALIGNED, ARNE_CHRISTOFFEL_FACTOR, 0};
    switch (e->sort) {
    case RUN_TEXT:
        if (e->row == TEXT_fd)
            run_fd(s, &in, y);
        else
            EXPORT(run)(e->row, s->r, &s->k, &in, y);
        return;
    case RUN_LEAN:
        if (s->r->nfollow)
            e->row == TEXT_fd ? run_fd(s, &in, y) : EXPORT(run)(e->row, s->r, &s->k, &in, y);
        else
            run_lean(e, s, o->lean, y);
        return;
    case RUN_ELASTIC: run_elastic(s, !strcmp(e->name, "elastic-taylor"), y); return;
    case RUN_DERIVATIVE: run_derivative(s, &in, takes_torque(e), y); return;
    case RUN_FORM:
        symbolic_rotations(s, o->given);
        e->form(s->r, &s->k, &s->forms, s->q, s->qd, s->x, y);
        if (!o->given) EXPORT(loads)(s->r, &s->k, s->q, s->qd, s->x, y);
        return;
    case RUN_STROBE:
        symbolic_rotations(s, o->given);
        if (e->row == 2)
            EXPORT(strobe_mass)(s->r, &s->k, &s->forms, s->q, y);
        else
            EXPORT(strobe_coriolis)(s->r, &s->k, &s->forms, s->q, y);
        return;
    }
}

struct symbolic_session {
    const symbolic_entry *entry;
    symbolic_options o;
    symbolic_robot s;
    int leaves; /* nodes before the first run */
    sym *out;
    int nout;
};

void arne__symbolic_close(symbolic_session *t)
{
    if (!t) return;
    symbolic_close(&t->s);
    arne__sym_graph_free(t->s.g);
    free(t->out);
    free(t);
}

symbolic_session *arne__symbolic_open(const arne_data *d, const char *what, const symbolic_options *o)
{
    const int which = arne__symbolic_find(what);
    symbolic_session *t = which < 0 ? NULL : calloc(1, sizeof *t);
    if (!t) return NULL;
    t->entry = &entries[which];
    t->o = *o;
    t->o.second_velocity = t->entry->sort == RUN_TEXT && arne_quantity_at(t->entry->row)->inputs & ARNE_QA;
    t->o.higher = t->entry->sort == RUN_ELASTIC;
    t->nout = size_of(t->entry, arne_data_model(d));
    t->out = calloc((size_t)t->nout, sizeof *t->out);
    if (symbolic_open(&t->s, d, &t->o, takes_torque(t->entry)) && t->out) {
        t->leaves = arne__sym_graph_size(t->s.g);
        return t;
    }
    arne__symbolic_close(t);
    return NULL;
}

bool arne__symbolic_again(symbolic_session *t, const int *lean, symbolic *out)
{
    const robot *r = t->s.r;
    arne__sym_graph_cut(t->s.g, t->leaves);
    memset(t->s.k.screws, 0, (size_t)screws_room(r->nv) * sizeof(sym)); /* zeros: of what is no freedom */
    memset(t->s.k.columns, 0, 3 * (size_t)(r->nv * sym_abreast) * sizeof(sym));
    memset(t->out, 0, (size_t)t->nout * sizeof *t->out);
    t->o.lean = lean;
    run_entry(t->entry, &t->s, &t->o, t->out);
    *out = (symbolic){t->s.g, t->out, t->nout};
    return !arne__sym_graph_failed(t->s.g) && !t->s.short_of_memory;
}

bool arne__symbolic_run(const arne_data *d, const char *what, const symbolic_options *o, symbolic *out)
{
    symbolic_session *t = arne__symbolic_open(d, what, o);
    bool ok = t && arne__symbolic_again(t, o->lean, out);
    if (ok && t->o.higher && o->file && arne__robot_counts(arne__data_doubles(o->file)).rotors)
        ungroup_rotors(&t->s, d, o->file, out->out);
    ok = ok && !arne__sym_graph_failed(out->g);
    if (ok)
        t->s.g = NULL, t->out = NULL; /* they are the caller's now */
    else
        *out = (symbolic){0};
    arne__symbolic_close(t);
    return ok;
}
