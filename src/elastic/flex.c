/* SPDX-License-Identifier: MIT
 *
 * flex.c - a robot with elastic joints: what it needs from its file, its memory, what may change at run time. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "elastic/flex.h"
#include "kind/kinds.h"

static arne_status missing(const arne_model *m, int i, arne_error *error)
{
    const double K = m->joint[i].elastic.stiffness, B = m->joint[i].motor.inertia;
    if (!(K > 0))
        return arne_fail(
            error, ARNE_BAD_VALUE, NULL, 0,
            "joint '%s' has %s: every joint needs a spring, in its robot file `elastic: {stiffness: 1000}` (%s), or the "
            "[k1, k3, k5] of a polynomial one",
            m->joint[i].name, K < 0 ? "a negative stiffness" : "no stiffness", m->link[i].joint == PRISMATIC ? "N/m" : "Nm/rad");
    return arne_fail(
        error, ARNE_BAD_VALUE, NULL, 0,
        "joint '%s' has %s: behind a spring every motor needs one, in the robot file `motor: {inertia: 1e-4, gear: 100}` "
        "(%s at the shaft)",
        m->joint[i].name, B < 0 ? "a negative rotor inertia" : "no rotor inertia",
        m->link[i].joint == PRISMATIC ? "kg" : "kg m^2");
}

static arne_status check(const arne_model *m, arne_error *error)
{
    if (m->transmission)
        return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0,
                         "elastic joints behind a coupled transmission are not supported: every motor must drive its own joint");
    for (int i = 0; i < m->n; i++) {
        const model_joint *j = &m->joint[i];
        const bool finite = isfinite(j->elastic.stiffness) && isfinite(j->elastic.damping) && isfinite(j->motor.inertia);
        if (!finite || !(j->elastic.stiffness > 0) || !(m->link[i].Ia > 0)) return missing(m, i, error);
        if (j->elastic.damping < 0)
            return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "joint '%s': the damping of its spring is negative", j->name);
        const double k1 = j->elastic.stiffness, k3 = j->elastic.cubic, k5 = j->elastic.quintic;
        if (!(k5 >= 0) || !(k3 >= 0 || 9 * k3 * k3 < 20 * k1 * k5))
            return arne_fail(error, ARNE_BAD_VALUE, NULL, 0,
                             "joint '%s': the torque of its spring does not rise with the deflection everywhere", j->name);
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
    f->series = block(a, arne__series_bytes_tay4(f->n));
    f->state = block(a, n * sizeof *f->state);
    f->spring = arne__arena_take(a, n, sizeof *f->spring);
    f->motor = arne__arena_take(a, n, sizeof *f->motor);
    double *numbers = arne__arena_take(a, n * n + 26 * n, sizeof *numbers);
    if (!data || !f->series || !f->state || !f->spring || !f->motor || !numbers) return false;
    f->links = arne_data_init(f->model, data);
    double **const part[] = {&f->rotors, &f->stiffness, &f->row, &f->ask, &f->x, &f->tau, &f->rub, &f->q, &f->mass};
    static const int rows[] = {1, 1, 1, 1, 3, 5, 5, 7, 0};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        *part[k] = numbers;
        numbers += (size_t)rows[k] * n;
    }
    return true;
}

arne_status arne_flex_new(const arne_model *m, arne_flex **out, arne_error *error)
{
    *out = NULL;
    const arne_status status = check(m, error);
    if (status) return status;
    arena *memory = arne__arena_new();
    arne_flex *f = memory ? arne__arena_take(memory, 1, sizeof *f) : NULL;
    if (f) *f = (arne_flex){.memory = memory, .model = m, .n = m->n};
    if (!f || !take_memory(f)) {
        arne__arena_free(memory);
        return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "%s", arne_status_words(ARNE_NO_MEMORY));
    }
    arne_set_link_side(f->links);
    for (int i = 0; i < f->n; i++) {
        const arne_motor *motor = &m->joint[i].motor;
        const double gear = motor->gear;
        f->rotors[i] = m->link[i].Ia;
        f->stiffness[i] = m->joint[i].elastic.stiffness;
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

arne_data *arne_flex_links(arne_flex *f) { return f->links; }
const double *arne_flex_rotors(const arne_flex *f) { return f->rotors; }
const double *arne_flex_stiffness(const arne_flex *f) { return f->stiffness; }

void arne_flex_set_stiffness(arne_flex *f, const double *K, const double *dK, const double *ddK)
{
    for (int i = 0; i < f->n; i++) {
        const arne_elastic *e = &f->model->joint[i].elastic;
        f->spring[i] = (joint_spring){{e->stiffness, e->cubic, e->quintic}, e->damping, 0, 0};
        if (!K) continue;
        f->spring[i] = (joint_spring){{K[i], 0, 0}, e->damping, dK ? dK[i] : 0, ddK ? ddK[i] : 0};
    }
}

void arne_flex_scale_springs(arne_flex *f, const double *factor)
{
    arne_flex_set_stiffness(f, NULL, NULL, NULL);
    for (int i = 0; i < f->n && factor; i++)
        for (int k = 0; k < 3; k++) f->spring[i].k[k] *= factor[i];
}

void arne_flex_set_wrench_rates(arne_flex *f, const arne_wrench *rate, const arne_wrench *acceleration)
{
    f->rate = rate;
    f->acceleration = acceleration;
}
