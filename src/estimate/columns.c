/* SPDX-License-Identifier: MIT
 *
 * columns.c - which unknowns there are, and their columns at one state.
 *
 *     tau = Y K + J^-T IA J^-1 qdd + fv qd + fc sign(qd) + offset [+ motors behind coupled transmissions]   doc/identify.md (2,
 * 3) */
#include "estimate/columns.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/matrix.h"
#include "base/random.h"

enum { LINK = ARNE_LINK_PARAMETERS, STATES = 6 };

/* J' by unit torques, then J^-1  [003 eq. 9.31] */
static bool find_drive(columns *c, arne_data *d, arena *a)
{
    const int n = c->n;
    double *J = arne__arena_take(a, 2 * (size_t)(n * n) + 2 * (size_t)n, sizeof *J);
    c->coupled = arne__arena_take(a, (size_t)n, sizeof *c->coupled);
    if (!J || !c->coupled) return false;
    double *inverse = J + n * n, *unit = inverse + n * n, *motor = unit + n;
    bool any = false;
    for (int i = 0; i < n; i++) {
        unit[i] = 1;
        arne_motor_torques(d, unit, motor);
        unit[i] = 0;
        for (int k = 0; k < n; k++) J[i * n + k] = motor[k] * arne_joint_motor(c->m, k)->gear;
    }
    if (arne__matrix_invert(J, n, inverse)) return false;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            if (i != k && fabs(inverse[k * n + i]) > 1e-12) c->coupled[k] = true;
            any = any || fabs(inverse[k * n + i] - (i == k)) > 1e-12;
        }
    if (any) c->drive = inverse;
    return true;
}

static void add(columns *c, column_kind kind, int of, int parameter)
{
    c->columns[c->count++] = (column){kind, of, parameter, parameter < 0 || c->base.kept[parameter]};
}

/* A motor turns where one of its joints does. */
static bool motor_turns(const columns *c, int k)
{
    for (int i = 0; i < c->n; i++)
        if (c->moves[i] && (c->drive ? c->drive[k * c->n + i] != 0 : i == k)) return true;
    return false;
}

/* Does any torque that is used feel motor k? */
static bool motor_felt(const columns *c, int k)
{
    for (int i = 0; i < c->n; i++)
        if (c->used[i] && (c->drive ? c->drive[k * c->n + i] != 0 : i == k)) return true;
    return false;
}

static void list(columns *c)
{
    for (int b = 0; b < c->nfelt; b++)
        for (int p = 0; p < BODY_COLUMNS; p++) add(c, OF_BODY, c->felt[b], LINK * c->felt[b] + p);
    for (int i = 0; i < c->n && c->rotors; i++)
        if (motor_turns(c, i) && motor_felt(c, i)) add(c, OF_ROTOR, i, LINK * c->body_of[i] + IA);
    for (int i = 0; i < c->n; i++) {
        if (!c->used[i]) continue;
        if (c->moves[i]) {
            add(c, OF_VISCOUS, i, -1);
            add(c, OF_COULOMB, i, -1);
            if (c->stribeck) add(c, OF_STATIC, i, -1);
        }
        /* a constant torque and one that differs by direction only are told apart at rest alone */
        add(c, c->uneven && c->moves[i] ? OF_UNEVEN : OF_OFFSET, i, -1);
    }
    for (int k = 0; k < c->n && c->drive; k++)
        if (c->coupled[k] && motor_turns(c, k) && motor_felt(c, k)) {
            add(c, OF_MOTOR_VISCOUS, k, -1);
            add(c, OF_MOTOR_COULOMB, k, -1);
        }
}

/* the entry of a column that is no inertial one in the row of joint i */
static double entry(const columns *c, const column *l, const column_state *s, int i)
{
    const int n = c->n, k = l->of;
    switch (l->kind) {
    case OF_VISCOUS: return i == k ? s->qd[i] : 0;   /* [003 eq. 9.27] */
    case OF_COULOMB: return i == k ? s->sign[i] : 0; /* [003 eq. 9.27] */
    case OF_OFFSET: return i == k;
    case OF_UNEVEN: return i == k && s->qd[i] != 0; /* doc/identify.md (3) */
    case OF_STATIC: {                               /* [003 eq. 9.26], B = 2 */
        const double v = s->qd[i] / c->stribeck[i];
        return i == k ? s->sign[i] * exp(-v * v) : 0;
    }
    case OF_MOTOR_VISCOUS: return c->drive[k * n + i] * s->motor_speed[k]; /* [003 eq. 9.31-9.33] */
    case OF_MOTOR_COULOMB: return c->drive[k * n + i] * s->motor_sign[k];
    default: return 0;
    }
}

void arne__columns_rows(const columns *c, arne_data *d, const column_state *s, double *Y, double **row)
{
    arne_regressor(d, s->q, s->qd, s->qdd, Y);
    for (int j = 0; j < c->njoint; j++) {
        const int i = c->joint[j];
        for (int a = 0; a < c->width[j]; a++) {
            const column *l = &c->columns[c->active[j][a]];
            row[j][a] = l->parameter >= 0 ? Y[i * LINK * c->bodies + l->parameter] : entry(c, l, s, i);
        }
    }
}

/* The columns that are not zero in some random states. */
static bool find_active(columns *c, arne_data *d, arena *a)
{
    const int n = c->n, count = c->count;
    double *room = arne__arena_take(a, (size_t)(6 * n + n * LINK * c->bodies + c->njoint * count), sizeof *room);
    double **row = arne__arena_take(a, (size_t)c->njoint, sizeof *row);
    bool *some = arne__arena_take(a, (size_t)(c->njoint * count), sizeof *some);
    int *all = arne__arena_take(a, (size_t)count, sizeof *all);
    c->width = arne__arena_take(a, (size_t)c->njoint, sizeof *c->width);
    c->active = arne__arena_take(a, (size_t)c->njoint, sizeof *c->active);
    if (!room || !row || !some || !all || !c->width || !c->active) return false;
    double *q = room, *qd = q + n, *qdd = qd + n, *sign = qdd + n, *speed = sign + n, *motor = speed + n, *Y = motor + n;
    random_source random = {.state = 18};
    for (int k = 0; k < count; k++) all[k] = k;
    for (int j = 0; j < c->njoint; j++) {
        c->width[j] = count;
        c->active[j] = all;
        row[j] = Y + n * LINK * c->bodies + j * count;
    }
    for (int k = 0; k < STATES; k++) {
        for (int i = 0; i < n; i++) {
            q[i] = c->moves[i] ? 3 * arne__random_signed(&random) : 0;
            qd[i] = c->moves[i] ? 2 * arne__random_signed(&random) : 0;
            qdd[i] = c->moves[i] ? 2 * arne__random_signed(&random) : 0;
            sign[i] = speed[i] = motor[i] = 1;
        }
        arne__columns_rows(c, d, &(column_state){q, qd, qdd, sign, speed, motor}, Y, row);
        for (int j = 0; j < c->njoint; j++)
            for (int p = 0; p < count; p++) some[j * count + p] = some[j * count + p] || fabs(row[j][p]) > 1e-13;
    }
    for (int j = 0; j < c->njoint; j++) {
        int *own = arne__arena_take(a, (size_t)count, sizeof *own);
        if (!own) return false;
        c->width[j] = 0;
        c->active[j] = own;
        for (int p = 0; p < count; p++)
            if (some[j * count + p]) own[c->width[j]++] = p;
    }
    return true;
}

/* Bodies behind a joint whose torque is used: those that it carries. */
static bool find_felt(columns *c, arena *a)
{
    c->felt = arne__arena_take(a, (size_t)c->bodies, sizeof *c->felt);
    for (int b = 0; b < c->bodies && c->felt; b++) {
        bool felt = c->drive != NULL;
        for (int j = arne_body_joint(c->m, b); j >= 0 && !felt; j = arne_joint_parent(c->m, j))
            felt = c->used[arne_joint_master(c->m, j) >= 0 ? arne_joint_master(c->m, j) : j];
        if (felt) c->felt[c->nfelt++] = b;
    }
    return c->felt;
}

static bool find_base(columns *c, bool rotors, arena *a)
{
    const size_t size = (size_t)(LINK * c->bodies);
    double *R = arne__arena_take(a, size * size, sizeof *R), largest;
    c->base = (grouping){(int)size, arne__arena_take(a, size, sizeof(bool)), arne__arena_take(a, size * size, sizeof(double))};
    return R && c->base.kept && c->base.coefficient &&
           arne__numeric_sample(c->m, arne_model_gravity(c->m), &(sample_mask){c->moves, c->used}, R, &largest) &&
           arne__numeric_group(c->base.size, R, largest, rotors, &c->base);
}

arne_status arne__columns_find(const arne_model *m, const arne_identify_options *o, const bool *moves, const bool *used, arena *a,
                               columns *out, arne_error *error)
{
    const int n = arne_model_nv(m), bodies = arne_model_bodies(m);
    columns *c = out;
    *c = (columns){.m = m, .n = n, .bodies = bodies, .rotors = !o->no_rotors, .uneven = o->uneven};
    arne_data *d = NULL;
    c->columns = arne__arena_take(a, (size_t)(BODY_COLUMNS * bodies + 7 * n), sizeof *c->columns);
    c->moves = arne__arena_take(a, 2 * (size_t)n, sizeof *c->moves);
    c->joint = arne__arena_take(a, 2 * (size_t)n, sizeof *c->joint);
    if (!c->columns || !c->moves || !c->joint || arne_data_new(m, &d, NULL)) return NO_MEMORY(error);
    c->used = c->moves + n;
    c->body_of = c->joint + n;
    memcpy(c->moves, moves, (size_t)n * sizeof *moves);
    memcpy(c->used, used, (size_t)n * sizeof *used);
    for (int b = 0; b < bodies; b++)
        if (arne_body_joint(m, b) < n) c->body_of[arne_body_joint(m, b)] = b;
    for (int i = 0; i < n; i++)
        if (used[i]) c->joint[c->njoint++] = i;
    if (o->stribeck) c->stribeck = arne__arena_take(a, (size_t)n, sizeof *c->stribeck);
    for (int i = 0; i < n && c->stribeck; i++) c->stribeck[i] = 0.1;
    bool ok = find_drive(c, d, a) && find_base(c, c->rotors, a) && find_felt(c, a);
    if (ok) list(c);
    ok = ok && find_active(c, d, a);
    arne_data_free(d);
    return ok ? ARNE_OK : NO_MEMORY(error);
}

int arne__column_of(const columns *c, column_kind kind, int of)
{
    for (int p = BODY_COLUMNS * c->nfelt; p < c->count; p++)
        if (c->columns[p].kind == kind && c->columns[p].of == of) return p;
    return -1;
}

void arne__columns_values(const columns *c, arne_data *d, double *x)
{
    const arne_model *m = arne_settings_model(arne_data_settings(d));
    double K[LINK * ARNE_BASE_MOST_JOINTS];
    arne_parameters(arne_data_settings(d), K);
    for (int p = 0; p < c->count; p++) {
        const column *l = &c->columns[p];
        const arne_friction *f = l->kind == OF_BODY ? NULL : arne_joint_friction(m, l->of);
        const arne_motor *motor = l->kind == OF_BODY ? NULL : arne_joint_motor(m, l->of);
        const double ratio = c->drive && motor ? c->drive[l->of * c->n + l->of] : 1, g = motor ? ratio * motor->gear : 1;
        const bool own = !motor || !c->coupled[l->of]; /* coupled motors rub by themselves */
        const double back = f && f->coulomb_negative > 0 ? f->coulomb_negative : f ? f->coulomb : 0;
        switch (l->kind) {
        case OF_BODY:
        case OF_ROTOR: x[p] = K[l->parameter]; break;
        case OF_VISCOUS: x[p] = f->viscous + (own ? g * g * motor->viscous : 0); break;
        case OF_COULOMB: x[p] = (f->coulomb + back) / 2 + (own ? fabs(g) * motor->coulomb : 0); break;
        case OF_OFFSET: x[p] = f->offset; break;
        case OF_UNEVEN: x[p] = (f->coulomb - back) / 2 + f->offset; break;
        case OF_STATIC: x[p] = f->static_ > 0 ? f->static_ - f->coulomb : 0; break;
        case OF_MOTOR_VISCOUS: x[p] = motor->gear * motor->gear * motor->viscous; break;
        case OF_MOTOR_COULOMB: x[p] = fabs(motor->gear) * motor->coulomb; break;
        }
    }
}
