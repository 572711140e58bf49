/* SPDX-License-Identifier: MIT
 *
 * forms.c - the formulations in double precision and the public functions that run them. */
#include "arne/coriolis.h"
#include "arne/formulations.h"

#include <string.h>

#include "algo/loads.h"
#include "algo/variants.h"
#include "base/nearest.h"
#include "dynamics/more.h"

typedef struct forms_memory {
    work work;
    forms_work forms;
    central_body *body;   /* n */
    variant_state *state; /* n + 1 */
    int *frame;           /* n: the named frame of each link */
    double *scratch;      /* 3 nv: for forward dynamics, which runs the rest */
    robot *robot;         /* one without gravity and wrenches, for columns of the inertia matrix */
} forms_memory;

static size_t layout(const arne_model *m, char *memory)
{
    const size_t n = (size_t)m->robot->n + 1, nv = (size_t)m->nv;
    size_t used = layout_aligned(sizeof(forms_memory));
    forms_memory f = {.body = layout_next(memory, &used, n, sizeof(central_body))};
    f.state = layout_next(memory, &used, n, sizeof(variant_state));
    f.frame = layout_next(memory, &used, n, sizeof(int));
    f.scratch = layout_next(memory, &used, 3 * nv, sizeof(double));
    f.robot = layout_next(memory, &used, 1, m->robot->at.bytes);
    used += layout_aligned(arne__text_work(robot_count(m->robot), memory ? memory + used : NULL, &f.work));
    used += layout_aligned(arne__text_forms_work(m->robot->n, memory ? memory + used : NULL, &f.forms));
    f.forms.body = f.body;
    if (memory) memcpy(memory, &f, sizeof f);
    return used;
}

size_t arne__forms_bytes(const arne_model *m) { return layout(m, NULL); }

void arne__forms_place(const arne_model *m, void *memory)
{
    layout(m, memory);
    const forms_memory *f = memory;
    for (int i = 0; i < m->robot->n; i++) f->frame[i] = m->robot->link[i].frame;
}

static const struct {
    const char *name, *about;
} formulation[] = {
#define FORMULATION_TEXT(id, name, about) {name, about},
    ARNE_FORMULATIONS(FORMULATION_TEXT)
#undef FORMULATION_TEXT
};

static bool is_formulation(arne_formulation method) { return (unsigned)method < ARNE_FORMULATION_COUNT; }
const char *arne_formulation_name(arne_formulation method) { return is_formulation(method) ? formulation[method].name : NULL; }
const char *arne_formulation_about(arne_formulation method) { return is_formulation(method) ? formulation[method].about : NULL; }

const char *arne_formulation_narrow(arne_formulation method)
{
    switch (method) {
    case ARNE_LAGRANGE:
    case ARNE_RECURSIVE_LAGRANGE:
        return "it differentiates poses by coordinates whose rates are the velocities [004 eq. 3.1, 3.2]; a quaternion has none";
    case ARNE_CHRISTOFFEL:
        return "it differentiates the inertia matrix by coordinates whose rates are the velocities [003 eq. 9.7]; a quaternion "
               "has "
               "none";
    case ARNE_GIBBS_APPELL: return "its sums have one axis a joint, which the link before it carries [004 eq. 3.14]";
    case ARNE_MRNEA:
    case ARNE_MRNEA_LITERAL: return "it has one axis a joint, which the link before it carries [001 eq. 5-36]";
    default: return NULL; /* Newton and Euler ask for the motion of a body, however it came about */
    }
}

int arne_formulation_find(const char *name) { return NAME_FIND(formulation, ARNE_FORMULATION_COUNT, name); }

/* the bodies of r as they are now, payloads included, and rotations at q; q NULL: not wanted */
static void prepare(const forms_memory *f, const robot *r, const double *q)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        const central b = arne__central_of(l->M, l->MS, l->J);
        f->body[i] = central_body_of(&b);
    }
    if (q) arne__text_rotations(r, &f->work, &f->forms, q);
}

static void torques_all(const forms_memory *f, const robot *r, arne_formulation method, const double *q, const double *qd,
                        const double *qdd, double *tau)
{
    static arne__text_form *const text[ARNE_FORMULATION_COUNT] = {
#define FORM(name, text, method) [method] = arne__text_##text,
#include "algo/texts.def"
    };
    if (!text[method]) {
        arne__text_id(r, &f->work, q, qd, qdd, tau);
        return;
    }
    prepare(f, r, q);
    text[method](r, &f->work, &f->forms, q, qd, qdd, tau);
    arne__text_loads(r, &f->work, q, qd, qdd, tau);
}

/* of all joints where some follow others: position, then velocities */
static const double *all(const forms_memory *f, const robot *r, int group, const double *x)
{
    double *to = f->work.all + (group ? r->nq + (group - 1) * r->nv : 0);
    if (r->nfollow && x) arne__text_follow(r, x, group == 0, to);
    return r->nfollow && x ? to : x;
}
static double *all_result(const forms_memory *f, const robot *r, double *y)
{
    return r->nfollow ? f->work.all + r->nq + 4 * r->nv : y;
}

static void torques(const forms_memory *f, const robot *r, arne_formulation method, const double *q, const double *qd,
                    const double *qdd, double *tau)
{
    double *y = all_result(f, r, tau);
    torques_all(f, r, method, all(f, r, 0, q), all(f, r, 1, qd), all(f, r, 2, qdd), y);
    if (r->nfollow) arne__text_lead(r, r->nv, 1, 1, 0, y, tau);
}

/* ARNE_OK where d is there, prepared, and the pointers are */
static arne_status check(const arne_data *d, bool pointers)
{
    return !d || !pointers ? ARNE_BAD_ARGUMENT : d->more && d->more->forms ? ARNE_OK : ARNE_NOT_PREPARED;
}

/* the same, of a formulation that may be for joints of one freedom only */
static arne_status check_joints(const arne_data *d, arne_formulation method)
{
    return d->model->robot->nwide && arne_formulation_narrow(method) ? ARNE_UNSUPPORTED : ARNE_OK;
}

arne_status arne_forms_id(arne_data *d, arne_formulation method, const double *q, const double *qd, const double *qdd,
                          double *tau)
{
    arne_status status = check(d, q && qd && qdd && tau && is_formulation(method));
    if (!status) status = check_joints(d, method);
    if (!status) torques(d->more->forms, d->settings->robot, method, q, qd, qdd, tau);
    return status;
}

arne_status arne_forms_mrnea(arne_data *d, const double *q, const double *qd, double *H, double *u)
{
    arne_status status = check(d, q && qd && H && u);
    if (!status) status = check_joints(d, ARNE_MRNEA);
    if (status) return status;
    const forms_memory *f = d->more->forms;
    const robot *r = d->settings->robot;
    double *H_all = all_result(f, r, H), *u_all = r->nfollow ? H_all + r->nv * r->nv : u;
    q = all(f, r, 0, q);
    qd = all(f, r, 1, qd);
    prepare(f, r, q);
    arne__text_mrnea(r, &f->work, &f->forms, q, qd, H_all, u_all);
    arne__text_rotor_matrix(r, H_all);
    arne__text_loads(r, &f->work, q, qd, NULL, u_all);
    if (r->nfollow) arne__text_lead(r, r->nv, r->nv, 1, 1, H_all, H);
    if (r->nfollow) arne__text_lead(r, r->nv, 1, 1, 0, u_all, u);
    return ARNE_OK;
}

/* columns of M: torques for unit accelerations at rest, without gravity and wrenches  [003 eq. 9.97] */
static void columns(const forms_memory *f, const robot *r, arne_formulation method, const double *q, double *M)
{
    const int n = robot_nv(r);
    const double none[3] = {0};
    double *unit = f->scratch, *zero = unit + n, *column = zero + n;
    memcpy(f->robot, r, r->at.bytes);
    arne__robot_gravity(f->robot, none);
    f->robot->nwrench = f->robot->friction = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) zero[i] = 0, unit[i] = i == j;
        torques(f, f->robot, method, q, zero, unit, column);
        for (int i = 0; i < n; i++) M[i * n + j] = column[i];
    }
}

arne_status arne_forms_fd(arne_data *d, arne_formulation method, const double *q, const double *qd, const double *tau,
                          double *qdd)
{
    arne_status status = check(d, q && qd && tau && qdd && is_formulation(method));
    if (!status) status = check_joints(d, method);
    if (status) return status;
    const forms_memory *f = d->more->forms;
    const int n = d->model->nv;
    double *M = f->work.matrix, *u = f->scratch, *zero = u + n;
    if (method == ARNE_MRNEA) {
        arne_forms_mrnea(d, q, qd, M, u);
    } else {
        columns(f, d->settings->robot, method, q, M);
        for (int i = 0; i < n; i++) zero[i] = 0;
        torques(f, d->settings->robot, method, q, qd, zero, u);
    }
    status = arne_factor(d, M);
    for (int i = 0; i < n; i++) qdd[i] = status ? 0 : tau[i] - u[i];
    if (status) return status;
    arne_solve(d, M, qdd);
    return arne__fd_finish(d, qdd);
}

arne_status arne_forms_strobe_mass(arne_data *d, const double *q, double *M)
{
    arne_status status = check(d, q && M);
    if (!status) status = check_joints(d, ARNE_MRNEA); /* strobing too has one axis a joint */
    if (status) return status;
    const forms_memory *f = d->more->forms;
    const robot *r = d->settings->robot;
    double *y = all_result(f, r, M);
    q = all(f, r, 0, q);
    prepare(f, r, q);
    arne__text_strobe_mass(r, &f->work, &f->forms, q, y);
    arne__text_rotor_matrix(r, y);
    if (r->nfollow) arne__text_lead(r, r->nv, r->nv, 1, 1, y, M);
    return ARNE_OK;
}

arne_status arne_forms_strobe_coriolis(arne_data *d, const double *q, double *C)
{
    arne_status status = check(d, q && C);
    if (!status) status = check_joints(d, ARNE_MRNEA);
    if (status) return status;
    const forms_memory *f = d->more->forms;
    if (d->settings->robot->nfollow) return ARNE_UNSUPPORTED;
    prepare(f, d->settings->robot, q);
    arne__text_strobe_coriolis(d->settings->robot, &f->work, &f->forms, q, C);
    return ARNE_OK;
}

arne_status arne_star_variant(arne_data *d, int variant, const double *q, const double *qd, const double *qa, const double *qdd,
                              double *tau)
{
    arne_status status = check(d, q && qd && qa && qdd && tau && variant >= 0 && variant < 16);
    if (!status) status = check_joints(d, ARNE_MRNEA); /* one axis a joint, [000 section IV] */
    if (status) return status;
    const forms_memory *f = d->more->forms;
    const variants_work memory = {f->frame, f->body, f->state};
    const robot *r = d->settings->robot;
    double *y = all_result(f, r, tau);
    prepare(f, r, NULL);
    arne__text_star_variant(r, &f->work, &memory, variant, all(f, r, 0, q), all(f, r, 1, qd), all(f, r, 2, qa), all(f, r, 3, qdd),
                            y);
    if (r->nfollow) arne__text_lead(r, r->nv, 1, 1, 0, y, tau);
    return ARNE_OK;
}
