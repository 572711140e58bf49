/* SPDX-License-Identifier: MIT
 *
 * control.c - what all controllers share: building one, a tick with its checks before and its limits after, names. */
#include <math.h>
#include <string.h>

#include "arne/feasible.h"
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

const char *arne_control_name(arne_control_kind kind) { return names[kind]; }

int arne_control_find(const char *name)
{
    for (int i = 0; i < ARNE_CONTROL_COUNT; i++)
        if (!strcmp(names[i], name)) return i;
    return -1;
}

arne_status arne__control_no_memory(arne_error *error)
{
    return arne_fail(error, ARNE_NO_MEMORY, "", 0, "%s", arne_status_words(ARNE_NO_MEMORY));
}

static int none_tick(arne_controller *c, const arne_tick *in, double *tau)
{
    (void)in;
    memset(tau, 0, (size_t)c->n * sizeof *tau);
    return 0;
}

const control_law arne__law_none = {.tick = none_tick};

static bool take_memory(arne_controller *c)
{
    double **const all[] = {&c->last, &c->x, &c->y, &c->z, &c->w};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!(*all[k] = arne__arena_take(c->memory, (size_t)c->n, sizeof(double)))) return false;
    return true;
}

arne_status arne_controller_new(arne_data *d, const arne_control_options *options, arne_controller **out, arne_error *error)
{
    *out = NULL;
    if ((int)options->kind < 0 || options->kind >= ARNE_CONTROL_COUNT)
        return arne_fail(error, ARNE_BAD_VALUE, "", 0, "there is no controller number %d", (int)options->kind);
    if (!(options->period > 0) || isinf(options->period))
        return arne_fail(error, ARNE_BAD_VALUE, "", 0, "the period of the controller is %g s; it must be positive",
                         options->period);
    arena *memory = arne__arena_new();
    arne_controller *c = memory ? arne__arena_take(memory, 1, sizeof *c) : NULL;
    if (!c) {
        arne__arena_free(memory);
        return arne__control_no_memory(error);
    }
    *c = (arne_controller){.memory = memory,
                           .d = d,
                           .m = arne_data_model(d),
                           .law = laws[options->kind],
                           .n = arne_model_dof(arne_data_model(d)),
                           .period = options->period,
                           .saturate = options->saturate};
    arne_status status = take_memory(c) ? ARNE_OK : arne__control_no_memory(error);
    if (!options->friction) arne_set_friction(d, false);
    if (!status && c->law->start) status = c->law->start(c, options, error);
    if (status) {
        arne_controller_free(c);
        return status;
    }
    *out = c;
    return ARNE_OK;
}

void arne_controller_free(arne_controller *c)
{
    if (!c) return;
    if (c->law->stop) c->law->stop(c);
    arne__arena_free(c->memory);
}

void arne_controller_reset(arne_controller *c)
{
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

static bool readable(const arne_controller *c, const arne_tick *in)
{
    const control_law *l = c->law;
    if (!in->q || !in->qd || !finite(c->n, in->q) || !finite(c->n, in->qd)) return false;
    if (l->rows && (!in->reference || !finite(l->rows * c->n, in->reference))) return false;
    if (l->motors && (!in->theta || !in->thetad || !finite(c->n, in->theta) || !finite(c->n, in->thetad))) return false;
    if (l->motors && in->tau_e && !finite(c->n, in->tau_e)) return false;
    if (!l->hand) return true;
    return in->hand && finite(9, in->hand->pose.R) && finite(3, in->hand->pose.p) && finite(6, in->hand->velocity) &&
           finite(6, in->hand->acceleration);
}

int arne_control_tick(arne_controller *c, const arne_tick *in, double *tau)
{
    int flags = readable(c, in) ? c->law->tick(c, in, tau) : CONTROL_NO_ANSWER;
    if (flags == CONTROL_NO_ANSWER || !finite(c->n, tau)) {
        memcpy(tau, c->last, (size_t)c->n * sizeof *tau);
        return ARNE_TICK_HELD;
    }
    /* motors behind springs turn at their own speed */
    if (c->saturate && arne_saturate(c->m, c->law->motors ? in->thetad : in->qd, tau, NULL)) flags |= ARNE_TICK_SATURATED;
    if (c->law->learn && !(flags & ARNE_TICK_SATURATED)) c->law->learn(c);
    memcpy(c->last, tau, (size_t)c->n * sizeof *tau);
    return flags;
}
