/* SPDX-License-Identifier: MIT
 *
 * alias.c - what other libraries call what arne can do; doc/coming_from.md has the same words in tables. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/quantity.h"

/* theirs, ours: names of --want, or a whole command where it is none of those */
static const char *const aliases[][2] = {
    /* of textbooks */
    {"M", "mass"},
    {"C", "coriolis"},
    {"c", "coriolis_vector"},
    {"g", "gravity"},
    {"h", "bias"},
    {"J", "jacobian"},
    {"p", "momentum"},
    {"Y", "regressor"},
    {"rnea", "id"},
    {"crba", "mass"},
    {"aba", "fd"},
    {"nle", "bias"},
    {"fk", "pose"},
    {"inverse_dynamics", "id"},
    {"forward_dynamics", "fd"},
    {"forward_kinematics", "pose"},
    {"ik", "arne reach ROBOT --pose x,y,z"},
    {"inverse_kinematics", "arne reach ROBOT --pose x,y,z"},
    /* Pinocchio */
    {"nonLinearEffects", "bias"},
    {"computeGeneralizedGravity", "gravity"},
    {"computeCoriolisMatrix", "coriolis"},
    {"computeJointJacobian", "jacobian"},
    {"computeFrameJacobian", "jacobian"},
    {"forwardKinematics", "pose"},
    {"framesForwardKinematics", "pose"},
    {"computeKineticEnergy", "energy"},
    {"computePotentialEnergy", "energy"},
    {"computeRNEADerivatives", "did"},
    {"ComputeRNEASecondOrderDerivatives", "d2id"},
    {"computeABADerivatives", "dfd"},
    {"computeJointTorqueRegressor", "regressor"},
    /* MuJoCo */
    {"mj_inverse", "id"},
    {"mj_rne", "bias"},
    {"mj_forward", "fd"},
    {"mj_crb", "mass"},
    {"mj_fullM", "mass"},
    {"qM", "mass"},
    {"qfrc_bias", "bias"},
    {"qfrc_inverse", "id"},
    {"mj_jac", "jacobian"},
    {"mj_jacBody", "jacobian"},
    {"mj_kinematics", "pose"},
    {"mj_step", "arne simulate SCENARIO.yaml"},
    /* Orocos KDL */
    {"JntToMass", "mass"},
    {"JntToCoriolis", "coriolis_vector"},
    {"JntToGravity", "gravity"},
    {"JntToJac", "jacobian"},
    {"JntToCart", "pose"},
    {"CartToJnt", "arne reach ROBOT --pose x,y,z (or, with wrenches, eval --want id)"},
    /* RBDL */
    {"InverseDynamics", "id"},
    {"ForwardDynamics", "fd"},
    {"CompositeRigidBodyAlgorithm", "mass"},
    {"NonlinearEffects", "bias"},
    {"CalcPointJacobian", "jacobian"},
    {"CalcBodyToBaseCoordinates", "pose"},
    {"InverseKinematics", "arne reach ROBOT --pose x,y,z"},
    /* Robotics Toolbox */
    {"rne", "id"},
    {"accel", "fd"},
    {"inertia", "mass"},
    {"gravload", "gravity"},
    {"fkine", "pose"},
    {"jacob0", "jacobian"},
    {"ikine", "arne reach ROBOT --pose x,y,z"},
    {"fdyn", "arne simulate SCENARIO.yaml"},
    /* SYMORO */
    {"idm", "id"},
    {"ddm", "fd"},
    {"inm", "mass"},
    {"dgm", "pose"},
    {"igm", "arne reach ROBOT --pose x,y,z"},
    {"dynpar", "arne base ROBOT"},
};

/* One letter means what it says; of longer words nobody remembers the capitals. */
static const char *ours(const char *name)
{
    for (size_t k = 0; k < sizeof aliases / sizeof *aliases; k++)
        if (!(name[1] ? strcasecmp(name, aliases[k][0]) : strcmp(name, aliases[k][0]))) return aliases[k][1];
    return NULL;
}

const char *alias_quantity(const char *name)
{
    const char *found = ours(name);
    quantity q;
    for (int i = 0; found && quantity_at(i, &q); i++)
        if (!strcmp(q.name, found)) return found;
    return NULL;
}

bool alias_command(const char *name, char *text, size_t size)
{
    const char *found = ours(name);
    quantity q;
    for (int i = 0; quantity_at(i, &q); i++) {
        if (strcmp(q.name, found ? found : name)) continue;
        snprintf(text, size, "arne eval ROBOT --want %s", q.name);
        return true;
    }
    if (found) snprintf(text, size, "%s", found);
    return found;
}
