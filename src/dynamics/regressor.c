/* SPDX-License-Identifier: MIT
 *
 * regressor.c - the public regressor in double precision, parameter vectors, names and orders of parameters. */
#include "arne/regressor.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "dynamics/doors.h"

enum { LINK_PARAMETERS = ARNE_LINK_PARAMETERS, FRICTION_PARAMETERS = 2 };

arne_status arne_regressor(arne_data *d, const double *q, const double *qd, const double *qdd, double *Y)
{
    return TEXT_DOOR(d, q && qd && qdd && Y, regressor, REGRESSOR(d), Y, all_q(d, q), all_v(d, 0, qd), all_v(d, 1, qdd));
}

arne_status arne_regressor_friction(arne_data *d, const double *q, const double *qd, const double *qdd, double *Y)
{
    const arne_status status = arne_regressor(d, q, qd, qdd, Y);
    if (status) return status;
    const int joints = d->model->robot->n, inner = LINK_PARAMETERS * joints, width = inner + FRICTION_PARAMETERS * joints;
    for (int v = d->model->nv - 1; v >= 0; v--) { /* rows move apart, the last one first */
        double *row = Y + v * width;
        memmove(row, Y + v * inner, (size_t)inner * sizeof *row);
        memset(row + inner, 0, (size_t)(width - inner) * sizeof *row);
    }
    for (int i = 0; i < joints; i++) {
        const robot_link *l = &d->model->robot->link[i];
        if (l->nv > 1 || robot_follows(d->model->robot, l)) continue; /* no friction, or its master feels it */
        const int iv = robot_own_v(d->model->robot, l);
        double *entry = Y + iv * width + inner + FRICTION_PARAMETERS * i;
        const double v = qd[iv];
        entry[0] = v;
        entry[1] = (double)((v > 0) - (v < 0));
    }
    return ARNE_OK;
}

arne_status arne_parameters(const arne_settings *s, double *K)
{
    if (!s || !K) return ARNE_BAD_ARGUMENT;
    const robot *r = s->robot;
    for (int i = 0; i < r->n; i++, K += LINK_PARAMETERS) {
        const robot_link *l = &r->link[i];
        const arne_motor *motor = &s->model->joint[s->model->joint_of[i]].motor;
        memcpy(K, l->J, sizeof l->J);
        memcpy(K + 6, l->MS, sizeof l->MS);
        K[9] = l->M;
        K[10] = robot_drive(r) ? motor->gear * motor->gear * motor->inertia : l->Ia;
    }
    return ARNE_OK;
}

arne_status arne_parameters_friction(const arne_settings *s, double *K)
{
    const arne_status status = arne_parameters(s, K);
    if (status) return status;
    const robot *r = s->robot;
    K += LINK_PARAMETERS * r->n;
    for (int i = 0; i < r->n; i++, K += FRICTION_PARAMETERS) {
        K[0] = r->link[i].fv;
        K[1] = r->link[i].fc;
    }
    return ARNE_OK;
}

static const char *const order_names[ARNE_ORDER_COUNT] = {"symoro", "khalil", "pinocchio"};

const char *arne_order_name(arne_parameter_order order) { return (unsigned)order < ARNE_ORDER_COUNT ? order_names[order] : NULL; }

int arne_order_find(const char *name) { return NAME_FIND(order_names, ARNE_ORDER_COUNT, name); }

void arne_reorder(arne_parameter_order order, int dof, int rows, int width, double *Y)
{
    static const int pinocchio[LINK_PARAMETERS] = {9, 6, 7, 8, 0, 1, 3, 2, 4, 5, 10};
    if (order != ARNE_ORDER_PINOCCHIO || !Y) return;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < dof; j++) {
            double *block = Y + i * width + LINK_PARAMETERS * j, old[LINK_PARAMETERS];
            memcpy(old, block, sizeof old);
            for (int c = 0; c < LINK_PARAMETERS; c++) block[c] = old[pinocchio[c]];
        }
}

void arne_parameter_name(int dof, int parameter, char name[16])
{
    static const char *const letters[LINK_PARAMETERS] = {"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M", "IA"};
    const int rest = parameter - LINK_PARAMETERS * dof;
    if (!name) return;
    if (rest < 0)
        snprintf(name, 16, "%s%d", letters[parameter % LINK_PARAMETERS], parameter / LINK_PARAMETERS + 1);
    else
        snprintf(name, 16, "%s%d", rest % FRICTION_PARAMETERS ? "FS" : "FV", rest / FRICTION_PARAMETERS + 1);
}
