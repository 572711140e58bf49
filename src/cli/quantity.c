/* SPDX-License-Identifier: MIT
 *
 * quantity.c - the list of what `eval` computes, each a call of the library. */
#include <string.h>

#include "cli/quantity.h"

#define STATE(group) arne_states_of(&e->input->states, ARNE_COLUMN_##group)

static int dof(const evaluation *e) { return arne_model_dof(e->robot->model); }

static int id(const evaluation *e, double *result)
{
    if (e->forms)
        arne_forms_id(e->forms, e->data, (arne_formulation)e->id_method, STATE(Q), STATE(QD), STATE(QDD), result);
    else
        arne_id(e->data, STATE(Q), STATE(QD), STATE(QDD), result);
    return -1;
}

static int fd(const evaluation *e, double *result)
{
    if (e->fd_method >= 0)
        return arne_forms_fd(e->forms, e->data, (arne_formulation)e->fd_method, STATE(Q), STATE(QD), STATE(TAU), result);
    return (e->fd_method == FD_CRBA ? arne_fd_crba : arne_fd)(e->data, STATE(Q), STATE(QD), STATE(TAU), result);
}

static int mass(const evaluation *e, double *result)
{
    arne_mass(e->data, STATE(Q), result);
    return -1;
}

static int bias(const evaluation *e, double *result)
{
    arne_bias(e->data, STATE(Q), STATE(QD), result);
    return -1;
}

static int gravity(const evaluation *e, double *result)
{
    arne_gravity(e->data, STATE(Q), result);
    return -1;
}

static int coriolis_vector(const evaluation *e, double *result)
{
    arne_coriolis_vector(e->data, STATE(Q), STATE(QD), result);
    return -1;
}

static int coriolis(const evaluation *e, double *result)
{
    arne_coriolis(e->data, e->factor, STATE(Q), STATE(QD), result);
    return -1;
}

static int ctqd(const evaluation *e, double *result)
{
    arne_ctqd(e->data, STATE(Q), STATE(QD), result);
    return -1;
}

static int star(const evaluation *e, double *result)
{
    arne_star(e->data, e->star, STATE(Q), STATE(QD), STATE(QA), STATE(QDD), result);
    return -1;
}

static int friction(const evaluation *e, double *result)
{
    arne_friction_torque(e->data, STATE(QD), result);
    return -1;
}

static int momentum(const evaluation *e, double *result)
{
    arne_momentum(e->data, STATE(Q), STATE(QD), result);
    return -1;
}

static int energy(const evaluation *e, double *result)
{
    arne_energy(e->data, STATE(Q), STATE(QD), &result[0], &result[1]);
    return -1;
}

static int pose(const evaluation *e, double *result)
{
    arne_pose at;
    arne_link_pose(e->data, STATE(Q), e->link, &at);
    memcpy(result, at.p, sizeof at.p);
    memcpy(result + 3, at.R, sizeof at.R);
    return -1;
}

static int velocity(const evaluation *e, double *result)
{
    arne_link_velocity(e->data, STATE(Q), STATE(QD), e->link, e->frame, result);
    return -1;
}

static int jacobian(const evaluation *e, double *result)
{
    arne_link_jacobian(e->data, STATE(Q), e->link, e->frame, result);
    return -1;
}

static int joint_wrenches(const evaluation *e, double *result)
{
    arne_joint_wrenches(e->data, STATE(Q), STATE(QD), STATE(QDD), result);
    return -1;
}

static int motor(const evaluation *e, double *result)
{
    arne_id(e->data, STATE(Q), STATE(QD), STATE(QDD), e->torques);
    arne_motor_torques(e->data, e->torques, result);
    return -1;
}

static int elastic(const evaluation *e, double *result)
{
    const size_t n = (size_t)dof(e);
    const arne_flex_torques to = {result,         result + n,     result + 2 * n, result + 3 * n,
                                  result + 4 * n, result + 5 * n, result + 6 * n};
    arne_set_wrenches(arne_flex_links(e->flex), e->input->wrenches, e->input->nwrench);
    arne_flex_id(e->flex, STATE(Q), &to); /* q ... qdddd lie one after the other */
    return -1;
}

static int achievable(const evaluation *e, double *result)
{
    const int n = dof(e);
    const arne_achieved to = {.qdd = result, .motor = result + n, .saturated = e->saturated};
    const int singular = arne_achievable(e->cycle, e->data, &e->step, STATE(Q), STATE(QD), STATE(QNEXT), STATE(QDNEXT), &to);
    for (int i = 0; i < n; i++) result[2 * n + i] = e->saturated[i];
    return singular;
}

static int regressor(const evaluation *e, double *result)
{
    (e->friction_columns ? arne_regressor_friction : arne_regressor)(e->regressor, e->data, STATE(Q), STATE(QD), STATE(QDD),
                                                                     result);
    arne_reorder(e->order, dof(e), dof(e), linear_width(e), result);
    return -1;
}

static int base_regressor(const evaluation *e, double *result)
{
    arne_regressor(e->regressor, e->data, STATE(Q), STATE(QD), STATE(QDD), e->columns);
    arne_base_columns(e->base, dof(e), e->columns, result);
    return -1;
}

static int did(const evaluation *e, double *result)
{
    int n2 = dof(e) * dof(e);
    arne_id_derivatives(e->jets, e->data, STATE(Q), STATE(QD), STATE(QDD), result, result + n2, result + 2 * n2);
    return -1;
}

static int dfd(const evaluation *e, double *result)
{
    int n2 = dof(e) * dof(e);
    return arne_fd_derivatives(e->jets, e->data, STATE(Q), STATE(QD), STATE(TAU), result, result + n2, result + 2 * n2);
}

#define VECTOR                                                                                                                   \
    {                                                                                                                            \
        {                                                                                                                        \
            NULL, AXIS_JOINTS, AXIS_ONE                                                                                          \
        }                                                                                                                        \
    }
#define SQUARE AXIS_JOINTS, AXIS_JOINTS

const quantity *quantity_list(void)
{
    static const quantity list[] = {
        {"id", "joint torques of a motion q, qd, qdd: inverse dynamics", VECTOR, false, id},
        {"fd", "accelerations from torques tau: forward dynamics", VECTOR, false, fd},
        {"mass", "inertia matrix M(q)", {{NULL, SQUARE}}, false, mass},
        {"bias", "torques at qdd = 0", VECTOR, false, bias},
        {"gravity", "torques of gravity", VECTOR, false, gravity},
        {"coriolis_vector", "Coriolis and centrifugal torques", VECTOR, false, coriolis_vector},
        {"coriolis", "Coriolis matrix C(q,qd) with C qd = coriolis_vector and dM/dt = C + C'", {{NULL, SQUARE}}, false, coriolis},
        {"ctqd", "C' qd = dT/dq", VECTOR, false, ctqd},
        {"star", "NE*(q, qd, qa, qdd) = M qdd + C(q,qd) qa + g", VECTOR, false, star},
        {"friction", "torques of friction", VECTOR, false, friction},
        {"momentum", "M(q) qd", VECTOR, false, momentum},
        {"energy",
         "kinetic and potential energy, J",
         {{"kinetic", AXIS_ONE, AXIS_ONE}, {"potential", AXIS_ONE, AXIS_ONE}},
         false,
         energy},
        {"pose",
         "of a link in the world: position and rotation",
         {{"position", AXIS_XYZ, AXIS_ONE}, {"rotation", AXIS_XYZ, AXIS_XYZ}},
         false,
         pose},
        {"velocity", "of a link: vx vy vz wx wy wz of its origin", {{NULL, AXIS_TWIST, AXIS_ONE}}, false, velocity},
        {"jacobian", "of a link: six rows, as velocity", {{NULL, AXIS_TWIST, AXIS_JOINTS}}, false, jacobian},
        {"joint_wrenches",
         "force and moment that each joint passes on to its link, link axes",
         {{NULL, AXIS_JOINTS, AXIS_WRENCH}},
         false,
         joint_wrenches},
        {"motor", "torques at the motor shafts", VECTOR, false, motor},
        {"elastic",
         "elastic joints, from q ... qdddd: torque of the springs, motor motion and motor torque behind the gears",
         {{"tau_e", AXIS_JOINTS, AXIS_ONE},
          {"dtau_e", AXIS_JOINTS, AXIS_ONE},
          {"ddtau_e", AXIS_JOINTS, AXIS_ONE},
          {"theta", AXIS_JOINTS, AXIS_ONE},
          {"dtheta", AXIS_JOINTS, AXIS_ONE},
          {"ddtheta", AXIS_JOINTS, AXIS_ONE},
          {"tau", AXIS_JOINTS, AXIS_ONE}},
         false,
         elastic},
        {"achievable",
         "accelerations from qd to qdnext in --dt seconds that limits allow, motor torques, who saturates",
         {{"qdd", AXIS_JOINTS, AXIS_ONE}, {"motor", AXIS_JOINTS, AXIS_ONE}, {"saturated", AXIS_JOINTS, AXIS_MEMBERS}},
         false,
         achievable},
        {"regressor",
         "id = regressor * inertial parameters: XX XY XZ YY YZ ZZ MX MY MZ M IA of every link",
         {{NULL, AXIS_JOINTS, AXIS_PARAMETERS}},
         false,
         regressor},
        {"base_regressor",
         "id = base_regressor * base parameters (see: arne help base)",
         {{NULL, AXIS_JOINTS, AXIS_BASE}},
         false,
         base_regressor},
        {"did", "derivatives of id by q, qd, qdd", {{"dq", SQUARE}, {"dqd", SQUARE}, {"dqdd", SQUARE}}, true, did},
        {"dfd", "derivatives of fd by q, qd, tau", {{"dq", SQUARE}, {"dqd", SQUARE}, {"dtau", SQUARE}}, true, dfd},
        {0},
    };
    return list;
}

int quantity_find(const char *name, const quantity **found)
{
    nearest near = {.word = name};
    for (const quantity *q = quantity_list(); q->name; q++) {
        arne__nearest_offer(&near, q->name);
        *found = q;
        if (!strcmp(q->name, name)) return CLI_OK;
    }
    char hint[192];
    arne__nearest_hint(&near, hint, sizeof hint);
    return misuse("--want: there is no \"%s\"%s (see: arne help eval)", name, hint);
}

int quantity_parts(const quantity *q)
{
    int n = 1;
    while (n < MOST_PARTS && q->parts[n].name) n++;
    return n;
}

int axis_size(axis a, const evaluation *e)
{
    switch (a) {
    case AXIS_JOINTS: return dof(e);
    case AXIS_XYZ: return 3;
    case AXIS_TWIST:
    case AXIS_WRENCH: return 6;
    case AXIS_PARAMETERS: return linear_width(e);
    case AXIS_BASE: return e->base->count;
    default: return 1;
    }
}

const char *axis_label(axis a, const evaluation *e, int i)
{
    static const char *const xyz[] = {"x", "y", "z"};
    static const char *const twist[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    static const char *const wrench[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    switch (a) {
    case AXIS_JOINTS: return arne_joint_name(e->robot->model, i);
    case AXIS_XYZ: return xyz[i];
    case AXIS_TWIST: return twist[i];
    case AXIS_WRENCH: return wrench[i];
    case AXIS_PARAMETERS: return e->names[i];
    case AXIS_BASE: return e->base_names[i];
    default: return "";
    }
}

int quantity_size(const quantity *q, const evaluation *e)
{
    int size = 0;
    for (int i = 0; i < quantity_parts(q); i++) size += axis_size(q->parts[i].rows, e) * axis_size(q->parts[i].columns, e);
    return size;
}
