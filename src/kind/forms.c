/* SPDX-License-Identifier: MIT
 *
 * forms.c - the formulations in double precision and the public functions that run them. */
#include "arne/formulations.h"

#include <stdlib.h>
#include <string.h>

#include "kind/forms.inc"
#include "kind/kinds.h"

struct arne_forms {
    work work;
    forms_work forms;
    central_body *body;
    double *scratch; /* 3 n: for forward dynamics, which runs the rest */
};

enum { FORMS_BLOCK = 64 };

static size_t block(size_t bytes) { return (bytes + FORMS_BLOCK - 1) / FORMS_BLOCK * FORMS_BLOCK; }

arne_forms *arne_forms_new(const arne_model *m)
{
    work k;
    forms_work f;
    const size_t head = block(sizeof(arne_forms)), scratch = block(3 * (size_t)m->n * sizeof(double));
    const size_t body = block((size_t)m->n * sizeof(central_body));
    const size_t first = arne__text_work(m->n, NULL, &k), second = arne__text_forms_work(m->n, NULL, &f);
    char *memory = aligned_alloc(FORMS_BLOCK, head + scratch + body + first + second);
    if (!memory) return NULL;
    arne_forms *forms = memset(memory, 0, head + scratch + body + first + second);
    forms->scratch = (double *)(memory + head);
    memory += head + scratch;
    forms->body = (central_body *)memory;
    arne__text_work(m->n, memory + body, &forms->work);
    arne__text_forms_work(m->n, memory + body + first, &forms->forms);
    forms->forms.body = forms->body;
    return forms;
}

void arne_forms_free(arne_forms *f) { free(f); }

static const struct {
    const char *name, *about;
} formulation[] = {
#define FORMULATION_TEXT(id, name, about) {name, about},
    ARNE_FORMULATIONS(FORMULATION_TEXT)
#undef FORMULATION_TEXT
};

const char *arne_formulation_name(arne_formulation method) { return formulation[method].name; }
const char *arne_formulation_about(arne_formulation method) { return formulation[method].about; }

int arne_formulation_find(const char *name)
{
    for (int k = 0; k < ARNE_FORMULATION_COUNT; k++)
        if (!strcmp(formulation[k].name, name)) return k;
    return -1;
}

/* the robot of d as it is now, payloads included */
static const robot *prepare(arne_forms *f, const arne_data *d, const double *q)
{
    const robot *r = arne__data_robot(d);
    for (int i = 0; i < r->n; i++) {
        const link *l = &r->link[i];
        const central b = arne__central_of(l->M, l->MS, l->J);
        f->body[i] = central_body_of(&b);
    }
    arne__text_rotations(r, &f->work, &f->forms, q);
    return r;
}

void arne_forms_id(arne_forms *f, arne_data *d, arne_formulation method, const double *q, const double *qd, const double *qdd,
                   double *tau)
{
    static EXPORT(form) *const text[ARNE_FORMULATION_COUNT] = {
        [ARNE_TURNEY] = arne__text_form_turney,
        [ARNE_LAGRANGE] = arne__text_form_lagrange,
        [ARNE_RECURSIVE_LAGRANGE] = arne__text_form_recursive_lagrange,
        [ARNE_NEWTON_EULER] = arne__text_form_newton_euler,
        [ARNE_GIBBS_APPELL] = arne__text_form_gibbs_appell,
        [ARNE_CHRISTOFFEL] = arne__text_form_christoffel,
        [ARNE_MRNEA] = arne__text_form_mrnea,
        [ARNE_MRNEA_LITERAL] = arne__text_form_mrnea_literal,
    };
    if (!text[method]) {
        arne_id(d, q, qd, qdd, tau);
        return;
    }
    const robot *r = prepare(f, d, q);
    text[method](r, &f->work, &f->forms, q, qd, qdd, tau);
    arne__text_loads(r, &f->work, q, qd, qdd, tau);
}

void arne_forms_mrnea(arne_forms *f, arne_data *d, const double *q, const double *qd, double *H, double *u)
{
    const robot *r = prepare(f, d, q);
    arne__text_mrnea(r, &f->work, &f->forms, q, qd, H, u);
    arne__text_rotor_matrix(r, H);
    arne__text_loads(r, &f->work, q, qd, NULL, u);
}

/* columns of M: torques for unit accelerations at rest, without gravity and wrenches  [003 eq. 9.97] */
static void columns(arne_forms *f, arne_data *d, arne_formulation method, const double *q, double *M)
{
    const robot *r = arne__data_robot(d);
    const int n = r->n, wrenches = r->nwrench;
    const arne_wrench *wrench = r->wrench;
    const double none[3] = {0}, g[3] = {r->g[0], r->g[1], r->g[2]};
    double *unit = f->scratch, *zero = unit + n, *column = zero + n;
    arne_set_gravity(d, none);
    arne_set_wrenches(d, NULL, 0);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) zero[i] = 0, unit[i] = i == j;
        arne_forms_id(f, d, method, q, zero, unit, column);
        for (int i = 0; i < n; i++) M[i * n + j] = column[i];
    }
    arne_set_gravity(d, g);
    arne_set_wrenches(d, wrench, wrenches);
}

int arne_forms_fd(arne_forms *f, arne_data *d, arne_formulation method, const double *q, const double *qd, const double *tau,
                  double *qdd)
{
    const int n = arne__data_robot(d)->n;
    double *M = f->work.matrix, *u = f->scratch, *zero = u + n;
    if (method == ARNE_MRNEA) {
        arne_forms_mrnea(f, d, q, qd, M, u);
    } else {
        columns(f, d, method, q, M);
        for (int i = 0; i < n; i++) zero[i] = 0;
        arne_forms_id(f, d, method, q, qd, zero, u);
    }
    const int singular = arne_factor(d, M);
    for (int i = 0; i < n; i++) qdd[i] = singular < 0 ? tau[i] - u[i] : 0;
    if (singular < 0) arne_solve(d, M, qdd);
    return singular;
}

void arne_forms_strobe_mass(arne_forms *f, arne_data *d, const double *q, double *M)
{
    const robot *r = prepare(f, d, q);
    arne__text_strobe_mass(r, &f->work, &f->forms, q, M);
    arne__text_rotor_matrix(r, M);
}

void arne_forms_strobe_coriolis(arne_forms *f, arne_data *d, const double *q, double *C)
{
    const robot *r = prepare(f, d, q);
    arne__text_strobe_coriolis(r, &f->work, &f->forms, q, C);
}
