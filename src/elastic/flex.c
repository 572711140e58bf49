/* SPDX-License-Identifier: MIT
 *
 * flex.c - a robot with elastic joints: what it needs from its file, its memory, what may change at run time. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "arne/positions.h"
#include "elastic/flex.h"
#include "kind/kinds.h"

static arne_status missing(const arne_model *m, int i, arne_error *error)
{
    const double K = m->joint[i].elastic.stiffness, B = m->joint[i].motor.inertia;
    if (!(K > 0))
        return BAD_VALUE(error,
                         "joint '%s' has %s: every joint needs a spring, in its robot file `elastic: {stiffness: 1000}` (%s), or "
                         "the [k1, k3, k5] of a polynomial one",
                         m->joint[i].name, K < 0 ? "a negative stiffness" : "no stiffness",
                         arne_joint_kind(m, i) == ARNE_PRISMATIC ? "N/m" : "Nm/rad");
    return BAD_VALUE(error,
                     "joint '%s' has %s: behind a spring every motor needs one, in the robot file `motor: {inertia: 1e-4, gear: "
                     "100}` (%s at the shaft)",
                     m->joint[i].name, B < 0 ? "a negative rotor inertia" : "no rotor inertia",
                     arne_joint_kind(m, i) == ARNE_PRISMATIC ? "kg" : "kg m^2");
}

static arne_status check(const arne_model *m, arne_error *error)
{
    const arne_status status = arne__no_followers(m, "elastic joints", error);
    if (status) return status;
    if (m->transmission)
        return UNSUPPORTED(
            error, "elastic joints behind a coupled transmission are not supported: every motor must drive its own joint");
    for (int i = 0; i < m->n; i++) {
        const model_joint *j = &m->joint[i];
        if (m->robot->link[i].nv != 1) continue;
        const bool finite = isfinite(j->elastic.stiffness) && isfinite(j->elastic.damping) && isfinite(j->motor.inertia);
        if (!finite || !(j->elastic.stiffness > 0) || !(m->robot->link[i].Ia > 0)) return missing(m, i, error);
        if (j->elastic.damping < 0) return BAD_VALUE(error, "joint '%s': the damping of its spring is negative", j->name);
        const double k1 = j->elastic.stiffness, k3 = j->elastic.cubic, k5 = j->elastic.quintic;
        if (!(k5 >= 0) || !(k3 >= 0 || 9 * k3 * k3 < 20 * k1 * k5))
            return BAD_VALUE(error, "joint '%s': the torque of its spring does not rise with the deflection everywhere", j->name);
    }
    return ARNE_OK;
}

static void *block(arena *a, size_t bytes)
{
    /* the texts want 64 byte steps */
    char *memory = arne__arena_take(a, bytes + 64, 1);
    return memory ? memory + (64 - (size_t)(uintptr_t)memory % 64) % 64 : NULL;
}

static bool take_memory(arne_flex *f)
{
    arena *a = f->memory;
    const size_t n = (size_t)f->n;
    void *data = block(a, arne_data_bytes(f->model));
    f->series = block(a, arne__series_bytes_tay4(robot_count(f->model->robot)));
    f->pushed = block(a, f->model->robot->at.bytes);
    f->state = block(a, n * sizeof *f->state);
    f->at = arne__arena_take(a, n, sizeof *f->at);
    f->spring = arne__arena_take(a, n, sizeof *f->spring);
    f->motor = arne__arena_take(a, n, sizeof *f->motor);
    f->rates = arne__arena_take(a, 2 * (size_t)arne_most_wrenches(f->model), sizeof *f->rates);
    double *numbers = arne__arena_take(a, n * n + 26 * n, sizeof *numbers);
    if (!data || !f->series || !f->pushed || !f->state || !f->at || !f->spring || !f->motor || !f->rates || !numbers)
        return false;
    arne_data_init(f->model, data, arne_data_bytes(f->model), &f->links);
    double **const part[] = {&f->rotors, &f->stiffness, &f->row, &f->ask, &f->x, &f->tau, &f->rub, &f->q, &f->mass};
    static const int rows[] = {1, 1, 1, 1, 3, 5, 5, 7, 0};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        *part[k] = numbers;
        numbers += (size_t)rows[k] * n;
    }
    return true;
}

arne_status arne_flex_new(const arne_settings *s, arne_flex **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!s || !out) return BAD_ARGUMENT(error, "elastic joints need settings and a place");
    const arne_model *m = arne_settings_model(s);
    const arne_status status = check(m, error);
    if (status) return status;
    arena *memory = arne__arena_new();
    arne_flex *f = arne__arena_take(memory, 1, sizeof *f);
    if (f) *f = (arne_flex){.memory = memory, .model = m, .n = m->nv};
    if (!f || !take_memory(f)) {
        arne__arena_free(memory);
        return NO_MEMORY(error);
    }
    arne_settings_copy(arne_data_settings(f->links), s);
    arne_set_link_side(arne_data_settings(f->links));
    for (int i = 0; i < f->n; i++) {
        const int j = arne_velocity_joint(m, i);
        const arne_motor *motor = &m->joint[j].motor;
        const double gear = motor->gear;
        f->at[i] = arne_velocity_position(m, i);
        f->loose += f->at[i] < 0;
        if (f->at[i] < 0) continue;
        f->rotors[i] = m->robot->link[j].Ia;
        f->stiffness[i] = m->joint[j].elastic.stiffness;
        f->motor[i] = (joint_motor){f->rotors[i], gear * gear * motor->viscous, fabs(gear) * motor->coulomb};
    }
    arne_flex_set_stiffness(f, NULL, NULL, NULL);
    *out = f;
    return ARNE_OK;
}

void arne_flex_free(arne_flex *f)
{
    if (f) arne__arena_free(f->memory);
}

arne_settings *arne_flex_settings(arne_flex *f) { return f ? arne_data_settings(f->links) : NULL; }
const double *arne_flex_rotors(const arne_flex *f) { return f ? f->rotors : NULL; }
const double *arne_flex_stiffness(const arne_flex *f) { return f ? f->stiffness : NULL; }
int arne_flex_joint(const arne_flex *f) { return f ? arne_data_joint(f->links) : -1; }

static bool all_positive(const double *x, int n)
{
    for (int i = 0; x && i < n; i++)
        if (!(x[i] > 0) || isinf(x[i])) return false;
    return true;
}

arne_status arne_flex_set_stiffness(arne_flex *f, const double *K, const double *dK, const double *ddK)
{
    if (!f || !all_positive(K, f->n)) return ARNE_BAD_ARGUMENT;
    for (int i = 0; i < f->n; i++) {
        const arne_elastic *e = &f->model->joint[arne_velocity_joint(f->model, i)].elastic;
        if (f->at[i] < 0) continue;
        f->spring[i] = (joint_spring){{e->stiffness, e->cubic, e->quintic}, e->damping, 0, 0};
        if (!K) continue;
        f->spring[i] = (joint_spring){{K[i], 0, 0}, e->damping, dK ? dK[i] : 0, ddK ? ddK[i] : 0};
    }
    return ARNE_OK;
}

arne_status arne_flex_scale_springs(arne_flex *f, const double *factor)
{
    if (!f || !all_positive(factor, f->n)) return ARNE_BAD_ARGUMENT;
    arne_flex_set_stiffness(f, NULL, NULL, NULL);
    for (int i = 0; i < f->n && factor; i++)
        for (int k = 0; k < 3; k++) f->spring[i].k[k] *= factor[i];
    return ARNE_OK;
}

arne_status arne_flex_set_wrench_rates(arne_flex *f, const arne_wrench *rate, const arne_wrench *acceleration, int count)
{
    const int most = f ? arne_most_wrenches(f->model) : 0;
    if (!f || count < 0 || count > most) return ARNE_BAD_ARGUMENT;
    const size_t size = (size_t)count * sizeof *rate;
    memset(f->rates, 0, 2 * (size_t)most * sizeof *f->rates); /* those of later wrenches: zero */
    f->rate = rate ? memcpy(f->rates, rate, size) : NULL;
    f->acceleration = acceleration ? memcpy(f->rates + most, acceleration, size) : NULL;
    return ARNE_OK;
}
