/* SPDX-License-Identifier: MIT
 *
 * quantity.c - what `eval` computes: the library's table, with choices of method, and a few of the libraries above it. */
#include <string.h>

#include "cli/quantity.h"

#define STATE(group) arne_states_of(&e->input->states, ARNE_COLUMN_##group)

static int dof(const evaluation *e) { return arne_model_nv(e->robot->model); }

static arne_status motor(const evaluation *e, double *result)
{
    const arne_status status = arne_id(e->data, STATE(Q), STATE(QD), STATE(QDD), e->torques);
    return status ? status : arne_motor_torques(e->data, e->torques, result);
}

static arne_status elastic(const evaluation *e, double *result)
{
    const size_t n = (size_t)dof(e);
    const arne_flex_torques to = {sizeof to,      result,         result + n,     result + 2 * n,
                                  result + 3 * n, result + 4 * n, result + 5 * n, result + 6 * n};
    arne_set_wrenches(arne_flex_settings(e->flex), e->input->wrenches, e->input->nwrench);
    return arne_flex_id(e->flex, STATE(Q), &to); /* q ... qdddd lie one after the other */
}

static arne_status achievable(const evaluation *e, double *result)
{
    const int n = dof(e);
    const arne_achieved to = {.size = sizeof to, .qdd = result, .motor = result + n, .saturated = e->saturated};
    const arne_status status = arne_achievable(e->data, &e->step, STATE(Q), STATE(QD), STATE(QNEXT), STATE(QDNEXT), &to);
    for (int i = 0; i < n; i++) result[2 * n + i] = e->saturated[i];
    return status;
}

static arne_status base_regressor(const evaluation *e, double *result)
{
    const arne_status status = arne_regressor(e->data, STATE(Q), STATE(QD), STATE(QDD), e->columns);
    return status ? status : arne_base_columns(e->base, dof(e), e->columns, result);
}

#define JOINTS(name)                                                                                                             \
    {                                                                                                                            \
        name, ARNE_AXIS_JOINTS, ARNE_AXIS_ONE                                                                                    \
    }
#define PARTS(...)                                                                                                               \
    {                                                                                                                            \
        __VA_ARGS__                                                                                                              \
    }
#define MOTION (ARNE_Q | ARNE_QD | ARNE_QDD)
static const quantity more[] = {
    {"motor", "torques at the motor shafts", 1, PARTS(JOINTS(NULL)), -1, motor, MOTION},
    {"elastic", "elastic joints, from q ... qdddd: torque of the springs, motor motion and motor torque behind the gears", 7,
     PARTS(JOINTS("tau_e"), JOINTS("dtau_e"), JOINTS("ddtau_e"), JOINTS("theta"), JOINTS("dtheta"), JOINTS("ddtheta"),
           JOINTS("tau")),
     -1, elastic, MOTION},
    {"achievable", "accelerations from qd to qdnext in --dt seconds that limits allow, motor torques, who saturates", 3,
     PARTS(JOINTS("qdd"), JOINTS("motor"), {"saturated", ARNE_AXIS_JOINTS, AXIS_MEMBERS}), -1, achievable, ARNE_Q | ARNE_QD},
    {"base_regressor", "id = base_regressor * base parameters (see: arne help base)", 1,
     PARTS({NULL, ARNE_AXIS_JOINTS, AXIS_BASE}), -1, base_regressor, MOTION},
};
enum { MORE = sizeof more / sizeof *more };

bool quantity_at(int i, quantity *q)
{
    int row = 0;
    while (row < arne_quantities() && (arne_quantity_at(row)->hidden || i-- > 0)) row++;
    const arne_quantity *own = arne_quantity_at(row);
    if (!own && i >= MORE) return false;
    if (!own) {
        *q = more[i];
        return true;
    }
    *q = (quantity){own->name, own->about, own->nparts, .row = row, .inputs = own->inputs};
    for (int k = 0; k < own->nparts; k++)
        q->parts[k] = (part){own->parts[k].name, (axis)own->parts[k].rows, (axis)own->parts[k].columns};
    return true;
}

int quantity_find(const char *name, quantity *found)
{
    nearest near = {.word = name};
    for (int i = 0; quantity_at(i, found); i++) {
        arne__nearest_offer(&near, found->name);
        if (!strcmp(found->name, name)) return CLI_OK;
    }
    char hint[192];
    if (alias_command(name, hint, sizeof hint)) return misuse("--want: \"%s\" is a command of its own here: %s", name, hint);
    return misuse("--want: there is no \"%s\"%s (see: arne help eval)", name, arne__nearest_hint(&near, hint, sizeof hint));
}

bool quantity_in_batch(const quantity *q, const evaluation *e)
{
    if (q->row < 0 || q->parts[0].columns == ARNE_AXIS_PARAMETERS) return false;
    if (!strcmp(q->name, "id")) return e->id_method == ARNE_NE;
    return strcmp(q->name, "fd") || e->fd_method == FD_ABA;
}

arne_quantity_options quantity_options(const quantity *q, const evaluation *e)
{
    const bool star = !strcmp(q->name, "star");
    return (arne_quantity_options){sizeof(arne_quantity_options), e->link, e->frame, star ? e->star : e->factor};
}

arne_status quantity_compute(const quantity *q, const evaluation *e, double *result)
{
    const arne_state x = {STATE(Q), STATE(QD), STATE(QDD), STATE(TAU), STATE(QA)};
    const arne_quantity_options o = quantity_options(q, e);
    if (q->compute) return q->compute(e, result);
    if (!strcmp(q->name, "id") && e->id_method != ARNE_NE)
        return arne_forms_id(e->data, (arne_formulation)e->id_method, x.q, x.qd, x.qdd, result);
    if (!strcmp(q->name, "fd") && e->fd_method >= 0)
        return arne_forms_fd(e->data, (arne_formulation)e->fd_method, x.q, x.qd, x.tau, result);
    if (!strcmp(q->name, "fd") && e->fd_method == FD_CRBA) return arne_fd_crba(e->data, x.q, x.qd, x.tau, result);
    const bool linear = q->parts[0].columns == ARNE_AXIS_PARAMETERS, forward = q->inputs & ARNE_TAU;
    arne_status status;
    if (linear && e->friction_columns)
        status = forward ? arne_fd_by_parameters_friction(e->data, x.q, x.qd, x.tau, result)
                         : arne_regressor_friction(e->data, x.q, x.qd, x.qdd, result);
    else
        status = arne_compute(e->data, q->row, &o, &x, result);
    if (!status && linear) arne_reorder(e->order, arne_model_bodies(e->robot->model), dof(e), linear_width(e), result);
    return status;
}

int axis_size(axis a, const evaluation *e)
{
    if (a == ARNE_AXIS_PARAMETERS) return linear_width(e);
    if (a == AXIS_BASE) return e->base->count;
    return a == AXIS_MEMBERS ? 1 : arne_axis_size((arne_axis)a, e->robot->model);
}

const char *axis_label(axis a, const evaluation *e, int i)
{
    static const char *const xyz[] = {"x", "y", "z"};
    static const char *const twist[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    static const char *const wrench[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    static const char *const load[] = {"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M"};
    switch (a) {
    case ARNE_AXIS_JOINTS: return arne_velocity_name(e->robot->model, i);
    case ARNE_AXIS_LINKS: return arne_joint_name(e->robot->model, arne_body_joint(e->robot->model, i));
    case ARNE_AXIS_XYZ: return xyz[i];
    case ARNE_AXIS_TWIST: return twist[i];
    case ARNE_AXIS_WRENCH: return wrench[i];
    case ARNE_AXIS_PARAMETERS: return e->names[i];
    case ARNE_AXIS_LOAD: return load[i];
    case AXIS_BASE: return e->base_names[i];
    default: return "";
    }
}

int quantity_size(const quantity *q, const evaluation *e)
{
    int size = 0;
    if (q->row >= 0 && !arne_quantity_size(q->row, e->robot->model)) return 0;
    for (int i = 0; i < q->nparts; i++) size += axis_size(q->parts[i].rows, e) * axis_size(q->parts[i].columns, e);
    return size;
}
