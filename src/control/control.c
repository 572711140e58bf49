/* SPDX-License-Identifier: MIT
 *
 * control.c - what all controllers share: building one, a tick with its checks before and its limits after, names. */
#include <math.h>
#include <string.h>

#include "arne/feasible.h"
#include "arne/positions.h"
#include "base/nearest.h"
#include "base/options.h"
#include "control/controller.h"

static const char *const names[ARNE_CONTROL_COUNT] = {
#define NAME(id, name) [id] = name,
    ARNE_CONTROL_KINDS(NAME)
#undef NAME
};

static const control_law *const laws[ARNE_CONTROL_COUNT] = {
    [ARNE_CONTROL_NONE] = &arne__law_none,
    [ARNE_CONTROL_PD_GRAVITY] = &arne__law_pd_gravity,
    [ARNE_CONTROL_COMPUTED_TORQUE] = &arne__law_computed_torque,
    [ARNE_CONTROL_PASSIVITY] = &arne__law_passivity,
    [ARNE_CONTROL_ADAPTIVE] = &arne__law_adaptive,
    [ARNE_CONTROL_HAND_ACCELERATION] = &arne__law_hand_acceleration,
    [ARNE_CONTROL_HAND_IMPEDANCE] = &arne__law_hand_impedance,
    [ARNE_CONTROL_MOTOR_PD] = &arne__law_motor_pd,
    [ARNE_CONTROL_ELASTIC] = &arne__law_elastic,
};

const char *arne_control_name(arne_control_kind kind) { return (int)kind >= 0 && kind < ARNE_CONTROL_COUNT ? names[kind] : NULL; }

int arne_control_find(const char *name) { return NAME_FIND(names, ARNE_CONTROL_COUNT, name); }

static arne_status none_tick(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags)
{
    (void)in, (void)flags;
    memset(tau, 0, (size_t)c->n * sizeof *tau);
    return ARNE_OK;
}

const control_law arne__law_none = {.tick = none_tick, .loose = true};

static bool take_memory(arne_controller *c)
{
    double **const all[] = {&c->last, &c->x, &c->y, &c->z, &c->w};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!(*all[k] = arne__arena_take(c->memory, (size_t)c->nq, sizeof(double)))) return false; /* some hold positions */
    c->at = arne__arena_take(c->memory, 2 * (size_t)c->n, sizeof *c->at);
    if (!c->at) return false;
    c->loose = c->at + c->n;
    for (int i = 0; i < c->n; i++) {
        c->at[i] = arne_velocity_position(c->m, i);
        if (c->at[i] < 0) c->loose[c->nloose++] = i;
    }
    if (!c->nloose) return true;
    const size_t n = (size_t)c->n, loose = (size_t)c->nloose;
    c->M = arne__arena_take(c->memory, n * n + loose * loose, sizeof *c->M);
    c->G = c->M ? c->M + n * n : NULL;
    return c->M;
}

/* Joints of several freedoms have no drive, and most laws want one everywhere. */
static arne_status check_drives(const arne_controller *c, arne_control_kind kind, arne_error *error)
{
    if (!c->nloose || c->law->loose) return ARNE_OK;
    return UNSUPPORTED(
        error, "the controller '%s' asks for a torque at every freedom, and joint %s has none; %s, %s, %s and none do not",
        names[kind], arne_joint_name(c->m, arne_velocity_joint(c->m, c->loose[0])), names[ARNE_CONTROL_PD_GRAVITY],
        names[ARNE_CONTROL_COMPUTED_TORQUE], names[ARNE_CONTROL_MOTOR_PD]);
}

static arne_status check(const arne_control_options *o, arne_error *error)
{
    if ((int)o->kind < 0 || o->kind >= ARNE_CONTROL_COUNT)
        return BAD_ARGUMENT(error, "there is no controller number %d", (int)o->kind);
    if (!(o->period > 0) || isinf(o->period))
        return BAD_VALUE(error, "the period of the controller is %g s; it must be positive", o->period);
    return ARNE_OK;
}

/* the robot as it knows it: a copy */
static arne_status know(arne_controller *c, const arne_settings *known, bool friction, arne_error *error)
{
    const arne_status status = arne_data_new(c->m, &c->d, error);
    if (status) return status;
    c->known = arne_data_settings(c->d);
    arne_settings_copy(c->known, known);
    return friction ? ARNE_OK : arne_set_friction(c->known, false);
}

arne_status arne_controller_new(const arne_settings *known, const arne_control_options *options, arne_controller **out,
                                arne_error *error)
{
    arne_control_options o;
    if (out) *out = NULL;
    if (!known || !options || !out || options_take(&o, sizeof o, options))
        return BAD_ARGUMENT(error, "a controller needs settings, options that tell their size, and a place");
    arne_status status = check(&o, error);
    if (status) return status;
    arena *memory = arne__arena_new();
    arne_controller *c = arne__arena_take(memory, 1, sizeof *c);
    if (!c) {
        arne__arena_free(memory);
        return NO_MEMORY(error);
    }
    const arne_model *m = arne_settings_model(known);
    *c = (arne_controller){.memory = memory,
                           .m = m,
                           .law = laws[o.kind],
                           .n = arne_model_nv(m),
                           .nq = arne_model_nq(m),
                           .link = -1,
                           .period = o.period,
                           .saturate = o.saturate};
    status = take_memory(c) ? check_drives(c, o.kind, error) : NO_MEMORY(error);
    if (!status) status = know(c, known, o.friction, error);
    if (!status && c->law->start) status = c->law->start(c, &o, error);
    if (status)
        arne_controller_free(c);
    else
        *out = c;
    return status;
}

void arne_controller_free(arne_controller *c)
{
    if (!c) return;
    if (c->law->stop) c->law->stop(c);
    arne_data_free(c->d);
    arne__arena_free(c->memory);
}

arne_settings *arne_controller_settings(arne_controller *c) { return c ? c->known : NULL; }
int arne_controller_link(const arne_controller *c) { return c ? c->link : -1; }

void arne_controller_reset(arne_controller *c)
{
    if (!c) return;
    memset(c->last, 0, (size_t)c->n * sizeof *c->last);
    if (c->law->reset) c->law->reset(c);
}

/* the sum is finite only if every number is, or overflows for numbers that no robot has */
static bool finite(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(x[i]);
    return isfinite(sum);
}

/* Is there all that the law reads, and is it finite? */
static arne_status read(const arne_controller *c, const arne_tick *in)
{
    const control_law *l = c->law;
    const arne_hand_target *h = in->hand;
    const int n = c->n;
    if (!in->q || !in->qd || (l->rows && !in->reference) || (l->motors && (!in->theta || !in->thetad)) || (l->hand && !h))
        return ARNE_BAD_ARGUMENT;
    const bool motors = !l->motors || (finite(n, in->theta) && finite(n, in->thetad) && (!in->tau_e || finite(n, in->tau_e)));
    const bool hand =
        !l->hand || (finite(9, h->pose.R) && finite(3, h->pose.p) && finite(6, h->velocity) && finite(6, h->acceleration));
    const bool joints = finite(c->nq, in->q) && finite(n, in->qd) && (!l->rows || finite(l->rows * n, in->reference));
    return joints && motors && hand ? ARNE_OK : ARNE_NOT_FINITE;
}

arne_status arne_control_tick(arne_controller *c, const arne_tick *given, double *tau, unsigned *flags)
{
    arne_tick in;
    unsigned said = 0;
    if (flags) *flags = 0;
    if (!c || !tau) return ARNE_BAD_ARGUMENT;
    arne_status status = given ? options_take(&in, sizeof in, given) : ARNE_BAD_ARGUMENT;
    if (!status) status = read(c, &in);
    if (!status) status = c->law->tick(c, &in, tau, &said);
    if (!status && !finite(c->n, tau)) status = ARNE_NOT_FINITE;
    if (status) {
        memcpy(tau, c->last, (size_t)c->n * sizeof *tau);
        if (flags) *flags = ARNE_TICK_HELD;
        return status;
    }
    bool clipped = false;
    /* motors behind springs turn at their own speed */
    if (c->saturate) arne_saturate(c->m, c->law->motors ? in.thetad : in.qd, tau, NULL, &clipped);
    if (clipped) said |= ARNE_TICK_SATURATED;
    if (c->law->learn && !clipped) c->law->learn(c);
    memcpy(c->last, tau, (size_t)c->n * sizeof *tau);
    if (flags) *flags = said;
    return ARNE_OK;
}
