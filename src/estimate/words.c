/* SPDX-License-Identifier: MIT
 *
 * words.c - what is doubtful about logs and results, a sentence each. */
#include <math.h>

#include "estimate/identifier.h"

/* rad, rad/s: no arm does this */
static const double FAR_TURNED = 20, FAST = 20;

static double fastest(const work_on *w, int v)
{
    double most = 0;
    for (int k = 0; k < w->i->ntrack; k++) most = fmax(most, w->i->tracks[k].speed[v]);
    return most;
}

void arne__result_words(const work_on *w, arne_identified *r)
{
    const columns *c = &w->c;
    for (int k = 0; k < w->i->ntrack; k++) {
        const track *t = &w->i->tracks[k];
        const double duration = (double)t->count * t->period;
        if (t->untrue)
            arne__result_warn(r, "%s: the speeds agree with even rows, not with the stamps: rows are taken as even, every %.4g s",
                              t->name, t->period);
        else if (t->offset > 0.1 && t->gaps == 0)
            arne__result_warn(r, "%s: the stamps tremble by up to %.2g of a step; rows are interpolated at %.4g Hz", t->name,
                              t->offset, 1 / t->period);
        if (t->gaps)
            arne__result_warn(r, "%s: rows are missing at %d place%s; the log is cut there", t->name, t->gaps,
                              t->gaps == 1 ? "" : "s");
        if (t->late != 0)
            arne__result_warn(
                r, "%s: its speeds are %.3g s behind its positions (a filter?): they are not used, positions are differentiated",
                t->name, t->late);
        if (t->repeats)
            arne__result_warn(r, "%s: %d rows repeat the time of the row before and are left out", t->name, t->repeats);
        if (t->role != ARNE_LOG_VALIDATE && duration < 5)
            arne__result_warn(
                r, "%s: %.2g s are too short to tell a robot; record 20 s or more of a motion that excites it (arne excite)",
                t->name, duration);
    }
    for (int j = 0; j < r->njoint; j++) {
        const arne_identified_joint *o = &r->joints[j];
        if (arne_joint_kind(c->m, o->velocity) == ARNE_REVOLUTE && o->most - o->least > FAR_TURNED &&
            fastest(w, o->velocity) > FAST)
            arne__result_warn(r, "joint %s goes over %.3g rad at up to %.3g rad/s: are these degrees? (--degrees)", o->name,
                              o->most - o->least, fastest(w, o->velocity));
        const int i = o->velocity;
        if (!c->moves[i] || o->moves == 0)
            arne__result_warn(r, "joint %s never moves: its friction and rotor cannot be known from these logs", o->name);
        else if (o->moves < 0.6)
            arne__result_warn(r, "joint %s rests %.0f %% of the log: there stiction is not in the model", o->name,
                              100 * (1 - o->moves));
        if (arne__triangle_square(c, j, stack_without(&w->raw, j, EVERYTHING), NULL) == 0)
            arne__result_warn(r, "the torque of joint %s is always zero: leave it out by --joints", o->name);
        if (r->payload_link) continue;
        const int fv = arne__column_of(c, OF_VISCOUS, i), fs = arne__column_of(c, OF_COULOMB, i);
        const double *x = w->plain[EVERYTHING];
        /* friction that drives: both terms, beyond doubt, or where the model then fails as a whole */
        const double doubt = o->error > 0.8 ? 0 : 3;
        const bool against =
            fv >= 0 && w->seen[fv] && w->seen[fs] && x[fv] < -doubt * w->deviation[fv] && x[fs] < -doubt * w->deviation[fs];
        if (against || o->error_before > 1.6)
            arne__result_warn(r, "the torque of joint %s seems to have the wrong sign (%s): turn it and try again", o->name,
                              against ? "its friction would drive it" : "the model one began with says the opposite");
    }
    for (int v = 0; v < c->n && w->nameless; v++)
        if (w->nameless[v])
            arne__result_warn(r, "the known load does not tell the gain of joint %s: its torque is not used",
                              arne_joint_name(c->m, v));
    if (r->payload_link && !r->payload.told)
        arne__result_warn(
            r, "the motion does not tell all of the load: the rest is a guess (deviations say which); move more joints");
    if (r->payload_link) return;
    int lost = 0;
    for (int k = 0; k < r->nparameter; k++) lost += !r->parameters[k].seen;
    if (lost) arne__result_warn(r, "%d of %d parameters are not told by these logs", lost, r->nparameter);
    if (r->condition > 1e3)
        arne__result_warn(
            r, "the condition number is %.0f: the motion excites some parameters hardly; arne excite makes a better one",
            r->condition);
    for (int b = 0; b < r->nbody; b++)
        if (r->bodies[b].mended && r->bodies[b].felt)
            arne__result_warn(r, "link %s has no mass or an inertia that cannot exist in the prior: completed to %.3g kg",
                              r->bodies[b].link, r->bodies[b].prior.mass);
    if (!w->ended) arne__result_warn(r, "the consistent fit did not come to its end: the model can exist, but is not the best");
}
