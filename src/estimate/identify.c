/* SPDX-License-Identifier: MIT
 *
 * identify.c - the public side: options, logs that come row by row, the steps one after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/positions.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/options.h"
#include "estimate/identifier.h"

/* Hz, to look for gains where the cut-off is not known yet */
static const double GAIN_CUTOFF = 4;

static arne_status check(const arne_model *m, const arne_identify_options *o, arne_error *error)
{
    for (int i = 0; i < arne_model_joints(m); i++)
        if (arne_joint_kind(m, i) != ARNE_REVOLUTE && arne_joint_kind(m, i) != ARNE_PRISMATIC)
            return UNSUPPORTED(error, "joint %s has several freedoms: identification is for joints of one freedom each%s",
                               arne_joint_name(m, i), arne_model_floats(m) ? "; --base fixed holds a free base still" : "");
    if (arne_model_nv(m) == 0)
        return UNSUPPORTED(error, "no joint of %s moves: there is nothing to identify", arne_model_name(m));
    if (arne_model_bodies(m) > ARNE_BASE_MOST_JOINTS)
        return UNSUPPORTED(error, "%s has %d joints; parameters are identified for up to %d", arne_model_name(m),
                           arne_model_bodies(m), ARNE_BASE_MOST_JOINTS);
    if (!(o->cutoff >= 0)) return BAD_VALUE(error, "the cut-off is %g Hz; it must be above 0", o->cutoff);
    if (!(o->moving >= 0) || !isfinite(o->moving))
        return BAD_VALUE(error, "the speed of rest is %g; it must be above 0", o->moving);
    if (!(fabs(o->delay) < 1)) return BAD_VALUE(error, "the delay is %g s; it must be below 1", o->delay);
    if (o->payload < 0 || o->payload >= arne_model_links(m)) return BAD_ARGUMENT(error, "there is no such link");
    if (o->prior && arne_model_bodies(o->prior) != arne_model_bodies(m))
        return BAD_VALUE(error, "the prior has %d bodies that move, the robot %d: it must be the same robot with other numbers",
                         arne_model_bodies(o->prior), arne_model_bodies(m));
    return ARNE_OK;
}

arne_status arne_identifier_new(const arne_model *m, const arne_identify_options *options, arne_identifier **out,
                                arne_error *error)
{
    arne_identify_options o;
    if (out) *out = NULL;
    if (!m || !out || options_take(&o, sizeof o, options))
        return BAD_ARGUMENT(error, "identification needs a model, options that tell their size, and a place");
    const arne_status status = check(m, &o, error);
    if (status) return status;
    const size_t n = (size_t)arne_model_nv(m);
    arne_identifier *i = calloc(1, sizeof *i);
    if (i)
        *i = (arne_identifier){
            .m = m, .o = o, .n = (int)n, .joints = calloc(n, sizeof(bool)), .row = calloc(1 + 4 * n, sizeof(double))};
    if (!i || !i->joints || !i->row) {
        arne_identifier_free(i);
        return NO_MEMORY(error);
    }
    for (size_t k = 0; k < n; k++) i->joints[k] = !o.joints || o.joints[k];
    if (!(i->o.moving > 0)) i->o.moving = 0.02;
    *out = i;
    return ARNE_OK;
}

void arne_identifier_free(arne_identifier *i)
{
    if (!i) return;
    for (int k = 0; k < i->ntrack; k++) arne__track_free(&i->tracks[k]);
    free(i->tracks);
    free(i->joints);
    free(i->row);
    free(i);
}

arne_status arne_identifier_log(arne_identifier *i, const arne_identify_log *log, arne_error *error)
{
    arne_identify_log l;
    if (!i || !log || options_take(&l, sizeof l, log) || (unsigned)l.role > ARNE_LOG_EMPTY)
        return BAD_ARGUMENT(error, "a log needs an identifier, and what it has");
    if (l.load && (l.load->link < 0 || l.load->link >= arne_model_links(i->m)))
        return BAD_ARGUMENT(error, "there is no such link");
    track *more = realloc(i->tracks, (size_t)(i->ntrack + 1) * sizeof *more);
    if (!more) return NO_MEMORY(error);
    i->tracks = more;
    return arne__track_open(&i->tracks[i->ntrack++], i->n, &l, error);
}

arne_status arne_identifier_row(arne_identifier *i, double t, const double *q, const double *qd, const double *qdd,
                                const double *tau, arne_error *error)
{
    if (!i || !i->ntrack || !q || !tau) return BAD_ARGUMENT(error, "a row needs a log, positions and torques");
    track *k = &i->tracks[i->ntrack - 1];
    if ((k->has_qd && !qd) || (k->has_qdd && !qdd))
        return BAD_ARGUMENT(error, "the log has speeds or accelerations, the row has none");
    const int n = i->n;
    i->row[0] = t;
    for (int v = 0; v < n; v++) {
        i->row[1 + v] = k->moves[v] ? q[v] : 0;
        i->row[1 + n + v] = k->has_qd && k->moves[v] ? qd[v] : 0;
        i->row[1 + 2 * n + v] = k->has_qdd && k->moves[v] ? qdd[v] : 0;
        i->row[1 + 3 * n + v] = k->torques[v] ? tau[v] : 0;
    }
    return arne__track_row(k, i->row, error);
}

/* ---- what the logs have ---- */

static bool is_learned(const arne_identifier *i, int k)
{
    return i->tracks[k].role == ARNE_LOG_LEARN || i->tracks[k].role == ARNE_LOG_EMPTY;
}

static arne_status close_logs(arne_identifier *i, arne_error *error)
{
    bool some = false;
    for (int k = 0; k < i->ntrack; k++) some = some || is_learned(i, k);
    if (!some) return BAD_VALUE(error, "there is no log to learn from");
    for (int k = 0; k < i->ntrack; k++) {
        track *t = &i->tracks[k];
        if (t->npiece) continue; /* closed already */
        const arne_status status = arne__track_close(t, isfinite(i->o.cutoff), error);
        if (status) return status;
        for (int v = 0; v < i->n; v++) {
            const arne_limits *l = arne_joint_limits(i->m, v);
            const double turn = 2 * acos(-1);
            if (arne_joint_kind(i->m, v) == ARNE_REVOLUTE && (t->most[v] > l->upper + turn || t->least[v] < l->lower - turn))
                return arne_fail(error, ARNE_BAD_VALUE, t->name, 0,
                                 "joint %s goes from %g to %g, its limits are %g and %g: are these degrees? (--degrees)",
                                 arne_joint_name(i->m, v), t->least[v], t->most[v], l->lower, l->upper);
        }
    }
    return ARNE_OK;
}

/* Which joints move, and whose torques are there. */
static arne_status find_joints(const arne_identifier *i, bool *moves, bool *used, arne_error *error)
{
    bool any_moves = false, any_used = false;
    for (int v = 0; v < i->n; v++) {
        moves[v] = used[v] = false;
        for (int k = 0; k < i->ntrack; k++) {
            const track *t = &i->tracks[k];
            if (!is_learned(i, k)) continue;
            moves[v] = moves[v] || (t->moves[v] && (t->most[v] > t->least[v] || t->most[v] != 0));
            any_moves = any_moves || (t->moves[v] && t->speed[v] > i->o.moving);
            used[v] = used[v] || (t->torques[v] && i->joints[v]);
        }
        any_used = any_used || used[v];
    }
    for (int v = 0; v < i->n && i->o.joints; v++)
        if (i->joints[v] && !used[v])
            return BAD_VALUE(error, "no log has torques of joint %s: column tau%d (or tau.%s) is missing",
                             arne_joint_name(i->m, v), v + 1, arne_joint_name(i->m, v));
    if (!any_used)
        return BAD_VALUE(error, "no log has torques: columns tau1 ... (or tau.%s) are missing", arne_joint_name(i->m, 0));
    if (!any_moves)
        return BAD_VALUE(
            error,
            "%s: no joint moves faster than %g rad/s: a robot at rest tells little; record a motion (arne excite makes one)",
            i->tracks[0].name, i->o.moving);
    return ARNE_OK;
}

/* Gains of drives where a log has a known load; joints whose gain it does not tell are left out. */
static arne_status take_gains(work_on *w, const bool *moves, bool *used)
{
    const int n = w->i->n;
    bool loaded = false, some, any = false;
    for (int k = 0; k < w->i->ntrack; k++) loaded = loaded || w->i->tracks[k].loaded;
    if (!loaded) return ARNE_OK;
    const double cutoff = w->cutoff;
    bool *unknown = w->nameless = arne__arena_take(w->memory, (size_t)n, sizeof *unknown);
    if (!unknown) return NO_MEMORY(w->error);
    if (w->cutoff == 0) w->cutoff = GAIN_CUTOFF;
    const arne_status status = arne__find_gains(w, unknown, &some);
    w->cutoff = cutoff;
    if (status || !some) return status;
    for (int v = 0; v < n; v++) {
        used[v] = used[v] && !unknown[v];
        any = any || used[v];
    }
    if (!any)
        return BAD_VALUE(w->error, "the known load tells the gain of no joint: take a heavier one, and move it against gravity");
    return arne__columns_find(w->i->m, &w->i->o, moves, used, w->memory, &w->c, w->error);
}

static arne_status begin(work_on *w, arne_identifier *i, arne_error *error)
{
    const size_t n = (size_t)i->n;
    *w = (work_on){.i = i, .memory = arne__arena_new(), .error = error, .cutoff = i->o.cutoff, .learn = 1u << ARNE_LOG_LEARN};
    bool *moves = arne__arena_take(w->memory, 2 * n, sizeof *moves);
    w->delay = arne__arena_take(w->memory, 2 * n, sizeof *w->delay);
    if (!moves || !w->delay) return NO_MEMORY(error);
    w->gain = w->delay + n;
    for (size_t v = 0; v < n; v++) w->gain[v] = 1, w->delay[v] = i->o.delay;
    arne_status status = close_logs(i, error);
    if (!status) status = find_joints(i, moves, moves + n, error);
    for (int k = 0; k < i->ntrack; k++)
        if (i->tracks[k].role == ARNE_LOG_EMPTY && !i->o.payload && !status)
            status = BAD_VALUE(error, "%s: a log without the payload needs the link that carries it (--payload LINK)",
                               i->tracks[k].name);
    if (!status) status = arne__columns_find(i->m, &i->o, moves, moves + n, w->memory, &w->c, error);
    return status ? status : take_gains(w, moves, moves + n);
}

arne_status arne_identify(arne_identifier *i, arne_identified **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!i || !out) return BAD_ARGUMENT(error, "identification needs logs and a place");
    const double started = arne__clock_now();
    work_on w;
    arne_status status = begin(&w, i, error);
    if (!status) status = i->o.payload > 0 ? arne__learn_payload(&w) : arne__learn(&w);
    if (!status) status = arne__result_make(&w, out);
    if (!status) (*out)->seconds = arne__clock_now() - started;
    arne__arena_free(w.memory);
    return status;
}

void arne_identified_free(arne_identified *r)
{
    if (r) arne__arena_free(((owned_result *)r)->memory);
}
