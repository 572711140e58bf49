/* SPDX-License-Identifier: MIT
 *
 * result.c - what was found, as users see it: parameters, joints, bodies, pictures, words. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/fail.h"
#include "estimate/identifier.h"

enum { LINK = ARNE_LINK_PARAMETERS, MOST_WARNINGS = 64 };

static owned_result *owner(arne_identified *r) { return (owned_result *)r; }
static void *take(arne_identified *r, size_t count, size_t size) { return arne__arena_take(owner(r)->memory, count, size); }

void arne__result_warn(arne_identified *r, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (r->nwarning == MOST_WARNINGS) return;
    char *copy = arne__arena_text(owner(r)->memory, text);
    if (copy) r->warnings[r->nwarning++] = copy;
}

/* ---- parameters ---- */

static void name_column(const columns *c, const column *l, char name[24])
{
    static const char *const letters[] = {
        [OF_VISCOUS] = "FV", [OF_COULOMB] = "FS",        [OF_OFFSET] = "FO",        [OF_UNEVEN] = "FD",
        [OF_STATIC] = "FT",  [OF_MOTOR_VISCOUS] = "FVM", [OF_MOTOR_COULOMB] = "FSM"};
    if (l->parameter >= 0)
        arne_parameter_name(c->bodies, l->parameter, name);
    else
        snprintf(name, 24, "%s%d", letters[l->kind], c->body_of[l->of] + 1);
}

/* A base parameter of a vector of all columns: itself and what it takes in. */
static double grouped(const columns *c, const column *l, const double *x, int k, bool *more)
{
    if (l->parameter < 0) return x[k];
    const double *row = &c->base.coefficient[l->parameter * c->base.size];
    double sum = 0;
    *more = false;
    for (int i = 0; i < c->count; i++) {
        const int p = c->columns[i].parameter;
        if (p < 0 || row[p] == 0) continue;
        sum += row[p] * x[i];
        *more = *more || p != l->parameter;
    }
    return sum;
}

static bool put_parameters(const work_on *w, arne_identified *r)
{
    const columns *c = &w->c;
    r->parameters = take(r, (size_t)c->count, sizeof *r->parameters);
    if (!r->parameters) return false;
    for (int k = 0; k < c->count; k++) {
        const column *l = &c->columns[k];
        if (!l->kept) continue;
        arne_identified_parameter *p = &r->parameters[r->nparameter++];
        *p = (arne_identified_parameter){.value = w->plain[EVERYTHING][k], .deviation = w->deviation[k], .seen = w->seen[k]};
        name_column(c, l, p->name);
        p->consistent = grouped(c, l, w->real[EVERYTHING], k, &p->grouped);
        p->before = grouped(c, l, w->before, k, &p->grouped);
        if (!p->seen) p->why = "the motion does not tell it apart from the others, or does not show it at all";
    }
    return true;
}

/* ---- joints ---- */

/* error^2 and torque^2 of joint j: held out by folds, or on other logs */
static void squares(const work_on *w, int j, bool validated, int moving, double *const *x, double out[2])
{
    out[0] = out[1] = 0;
    for (int f = 0; f < FOLDS; f++)
        for (int m = 0; m < 2; m++) {
            const triangle *t = stack_part(validated ? &w->valid : &w->raw, j, f, m);
            if (moving >= 0 && m != moving) continue;
            out[0] += arne__triangle_square(&w->c, j, t, x[validated ? EVERYTHING : f]);
            out[1] += arne__triangle_square(&w->c, j, t, NULL);
        }
}

static double error_of(const work_on *w, int j, bool validated, int moving, double *const *x)
{
    double s[2];
    squares(w, j, validated, moving, x, s);
    return s[1] > 0 ? sqrt(s[0] / s[1]) : NAN;
}

static double found(const work_on *w, column_kind kind, int of, double absent, double *deviation)
{
    const int k = arne__column_of(&w->c, kind, of);
    if (deviation) *deviation = k < 0 ? INFINITY : w->deviation[k];
    return k < 0 ? absent : w->real[EVERYTHING][k];
}

static bool put_joints(work_on *w, arne_identified *r)
{
    const columns *c = &w->c;
    double *before[FOLDS + 1];
    for (int f = 0; f <= FOLDS; f++) before[f] = w->before;
    r->joints = take(r, (size_t)c->njoint, sizeof *r->joints);
    if (!r->joints) return false;
    for (int j = 0; j < c->njoint; j++) {
        const int i = c->joint[j];
        arne_identified_joint *o = &r->joints[r->njoint++];
        *o = (arne_identified_joint){.name = arne__arena_text(owner(r)->memory, arne_joint_name(c->m, i)), .velocity = i};
        if (!o->name) return false;
        o->error = error_of(w, j, r->validated, -1, w->real);
        o->error_moving = error_of(w, j, r->validated, 1, w->real);
        o->error_resting = error_of(w, j, r->validated, 0, w->real);
        o->error_least_squares = error_of(w, j, r->validated, -1, w->plain);
        o->error_before = error_of(w, j, r->validated, -1, before);
        o->viscous = found(w, OF_VISCOUS, i, 0, &o->deviation[0]);
        o->coulomb = found(w, OF_COULOMB, i, 0, &o->deviation[1]);
        o->offset = found(w, OF_OFFSET, i, 0, &o->deviation[2]);
        const double uneven = found(w, OF_UNEVEN, i, 0, NULL);
        if (c->uneven && uneven != 0) {
            const double part = fmin(fabs(uneven), 0.999 * o->coulomb) * (uneven > 0 ? 1 : -1);
            o->offset = uneven - part; /* what is more than all friction pulls at rest too */
            o->coulomb_negative = o->coulomb - part;
            o->coulomb += part;
        }
        const double more = found(w, OF_STATIC, i, 0, NULL);
        if (more > 0) o->static_ = o->coulomb + more, o->stribeck_velocity = c->stribeck[i];
        o->rotor = found(w, OF_ROTOR, i, 0, &o->deviation[3]);
        const int rotor = c->rotors ? LINK * c->body_of[i] + IA : -1;
        if (rotor >= 0 && !c->base.kept[rotor]) o->deviation[3] = INFINITY; /* grouped with others */
        o->motor_viscous = found(w, OF_MOTOR_VISCOUS, i, 0, NULL);
        o->motor_coulomb = found(w, OF_MOTOR_COULOMB, i, 0, NULL);
        const triangle *all = stack_without(&w->raw, j, EVERYTHING);
        long moving = 0;
        for (int f = 0; f < FOLDS; f++) moving += stack_part(&w->raw, j, f, true)->rows;
        if (all->rows) {
            o->noise = sqrt(arne__triangle_square(c, j, all, w->real[EVERYTHING]) / (double)all->rows);
            o->moves = (double)moving / (double)all->rows;
        }
        o->delay = w->delay[i];
        o->gain = w->gain[i];
        o->least = INFINITY, o->most = -INFINITY;
        for (int k = 0; k < w->i->ntrack; k++) {
            o->least = fmin(o->least, w->i->tracks[k].least[i]);
            o->most = fmax(o->most, w->i->tracks[k].most[i]);
        }
    }
    return true;
}

/* ---- bodies ---- */

arne_body arne__body_in_link(const double x[10], const double R[9], const double p[3])
{
    arne_body b = {.mass = x[MASS]};
    if (!(b.mass > 0)) return b;
    double c[3], d[3], I[9], J[9] = {0};
    for (int k = 0; k < 3; k++) c[k] = x[MX + k] / b.mass, d[k] = c[k] - p[k];
    const double about[9] = {x[XX], x[XY], x[XZ], x[XY], x[YY], x[YZ], x[XZ], x[YZ], x[ZZ]}, cc = dense_dot(3, c, c);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) I[3 * i + k] = about[3 * i + k] - b.mass * ((i == k ? cc : 0) - c[i] * c[k]);
    for (int i = 0; i < 3; i++) {
        b.com[i] = R[i] * d[0] + R[3 + i] * d[1] + R[6 + i] * d[2];
        for (int k = 0; k < 3; k++)
            for (int s = 0; s < 3; s++)
                for (int t = 0; t < 3; t++) J[3 * i + k] += R[3 * s + i] * I[3 * s + t] * R[3 * t + k];
    }
    const double six[6] = {J[0], J[1], J[2], J[4], J[5], J[8]};
    memcpy(b.inertia, six, sizeof six);
    return b;
}

/* unit masses at four places say it */
bool arne__link_frame(const arne_model *m, int link, int body, double R[9], double p[3])
{
    double K[LINK * ARNE_BASE_MOST_JOINTS], first[3];
    arne_settings *s;
    if (arne_settings_new(m, &s, NULL)) return false;
    arne_parameters(s, K);
    memcpy(first, K + LINK * body + MX, sizeof first);
    for (int k = -1; k < 3; k++) {
        arne_body unit = {.mass = 1};
        if (k >= 0) unit.com[k] = 1;
        arne_set_payload(s, link, &unit);
        arne_parameters(s, K);
        for (int i = 0; i < 3; i++) {
            const double at = K[LINK * body + MX + i] - first[i];
            if (k < 0)
                p[i] = at;
            else
                R[3 * i + k] = at - p[i];
        }
    }
    arne_settings_free(s);
    return true;
}

static bool put_bodies(work_on *w, arne_identified *r)
{
    const columns *c = &w->c;
    arne_settings *own;
    r->bodies = take(r, (size_t)c->bodies, sizeof *r->bodies);
    r->K = take(r, (size_t)(LINK * c->bodies), sizeof *r->K);
    if (!r->bodies || !r->K || arne_settings_new(c->m, &own, NULL)) return false;
    arne_parameters(own, r->K);
    arne_settings_free(own);
    r->nbody = c->bodies;
    for (int k = 0; k < c->count; k++)
        if (c->columns[k].parameter >= 0) r->K[c->columns[k].parameter] = w->real[EVERYTHING][k];
    for (int b = 0, k = 0; b < c->bodies; b++) {
        const int link = arne_joint_link(c->m, arne_body_joint(c->m, b));
        double R[9], p[3];
        arne_identified_body *o = &r->bodies[b];
        o->link = arne__arena_text(owner(r)->memory, arne_link_name(c->m, link));
        if (!o->link || !arne__link_frame(c->m, link, b, R, p)) return false;
        o->felt = k < c->nfelt && c->felt[k] == b;
        o->body = o->prior = arne__body_in_link(r->K + LINK * b, R, p);
        if (!o->felt) continue;
        o->prior = arne__body_in_link(w->prior.x + BODY_COLUMNS * k, R, p);
        o->data = arne__consistent_told(&w->newton, w->gamma, w->real[EVERYTHING], k);
        o->mended = w->prior.mended[k++];
    }
    return true;
}

/* ---- pictures ---- */

typedef struct {
    work_on *w;
    arne_identified_series *s;
    bool validated;
    double t;
} drawing;

static void draw(void *context, const sample_place *at, int j, bool moving, const double *row)
{
    (void)moving;
    drawing *g = context;
    const columns *c = &g->w->c;
    arne_identified_series *s = g->s;
    if (at->t != g->t || s->count == 0) {
        if (s->count == ARNE_IDENTIFY_ROWS) return;
        s->t[s->count++] = g->t = at->t;
    }
    const int fold = g->validated ? EVERYTHING : (int)(at->block % FOLDS), to = (s->count - 1) * c->njoint + j;
    const double *x[3] = {g->w->real[fold], g->w->plain[fold], g->w->before};
    double sum[3] = {0};
    for (int k = 0; k < c->width[j]; k++)
        for (int i = 0; i < 3; i++) sum[i] += row[k] * x[i][c->active[j][k]];
    s->measured[to] = row[c->width[j]];
    s->predicted[to] = sum[0];
    s->least_squares[to] = sum[1];
    s->before[to] = sum[2];
}

static arne_status put_series(work_on *w, arne_identified *r)
{
    const size_t size = (size_t)ARNE_IDENTIFY_ROWS * (size_t)w->c.njoint;
    arne_identified_series *s = &r->series;
    double **const parts[] = {&s->measured, &s->predicted, &s->least_squares, &s->before};
    s->t = take(r, ARNE_IDENTIFY_ROWS, sizeof *s->t);
    for (int k = 0; k < 4 && s->t; k++)
        if (!(*parts[k] = take(r, size, sizeof(double)))) return NO_MEMORY(w->error);
    if (!s->t) return NO_MEMORY(w->error);
    drawing g = {w, s, r->validated, NAN};
    const arne_status status = arne__learn_pass(w, w->cutoff, r->validated ? 1u << ARNE_LOG_VALIDATE : w->learn, draw, &g);
    s->period = w->period;
    return status;
}

/* ---- all ---- */

static void put_logs(const work_on *w, arne_identified *r)
{
    for (int k = 0; k < w->i->ntrack; k++) {
        const track *t = &w->i->tracks[k];
        if (!(w->learn & 1u << t->role)) continue;
        r->rows += t->rows;
        r->duration += (double)t->count * t->period;
        r->gaps += t->gaps;
        r->rate = 1 / t->period;
    }
}

/* What every result has. */
static arne_status begin(work_on *w, arne_identified **out)
{
    arena *a = arne__arena_new();
    owned_result *o = arne__arena_take(a, 1, sizeof *o);
    if (!o) {
        if (a) arne__arena_free(a);
        return NO_MEMORY(w->error);
    }
    o->memory = a;
    arne_identified *r = *out = &o->result;
    r->validated = w->valid.part;
    r->warnings = take(r, MOST_WARNINGS, sizeof *r->warnings);
    r->cutoffs = take(r, (size_t)w->ncurve, sizeof *r->cutoffs);
    r->consistent = w->consistent;
    r->cutoff = w->cutoff;
    r->condition = w->condition;
    r->prior_weight = w->gamma;
    put_logs(w, r);
    if (!r->warnings || !r->cutoffs || !put_joints(w, r)) return NO_MEMORY(w->error);
    for (int k = 0; k < w->ncurve; k++) r->cutoffs[r->ncutoff++] = w->curve[k];
    return put_series(w, r);
}

arne_status arne__result_make(work_on *w, arne_identified **out)
{
    arne_identified *r = NULL;
    arne_status status = begin(w, &r);
    const bool load = w->i->o.payload > 0;
    if (!status && !load && (!put_parameters(w, r) || !put_bodies(w, r))) status = NO_MEMORY(w->error);
    if (!status && load) {
        r->payload = w->payload;
        r->payload_link = arne__arena_text(owner(r)->memory, arne_link_name(w->i->m, w->i->o.payload));
        if (!r->payload_link) status = NO_MEMORY(w->error);
    }
    if (!status) arne__result_words(w, r);
    if (status)
        arne_identified_free(r);
    else
        *out = r;
    return status;
}
