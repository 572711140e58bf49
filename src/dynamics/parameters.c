/* SPDX-License-Identifier: MIT
 *
 * parameters.c - derivatives by inertial parameters, and by a load. */
#include <string.h>

#include "algo/rows.h"
#include "arne/derive.h"
#include "arne/quantity.h"
#include "arne/regressor.h"
#include "dynamics/data.h"

TEXT_WIDE(factor);
TEXT_WIDE(dfd_columns);

arne_status arne_fd_by_parameters(arne_data *d, const double *q, const double *qd, const double *tau, double *D)
{
    return arne_compute(d, TEXT_dfd_parameters, NULL, &(arne_state){.q = q, .qd = qd, .tau = tau}, D);
}

arne_status arne_fd_by_parameters_friction(arne_data *d, const double *q, const double *qd, const double *tau, double *D)
{
    if (!d || !q || !qd || !tau || !D) return ARNE_BAD_ARGUMENT;
    const int n = d->model->nv, width = (ARNE_LINK_PARAMETERS + 2) * d->model->robot->n;
    double *qdd = d->work.columns;
    arne_status status = arne__fd(d, q, qd, tau, qdd);
    if (!status) status = arne_mass(d, q, d->work.matrix);
    if (!status) status = arne_regressor_friction(d, q, qd, qdd, D);
    if (status) memset(D, 0, (size_t)n * (size_t)width * sizeof *D);
    if (status) return status;
    SCREWS_TEXT_OF(d, factor)(d->settings->robot, d->work.matrix);
    SCREWS_TEXT_OF(d, dfd_columns)(d->settings->robot, d->work.matrix, width, D);
    return ARNE_OK;
}

arne_status arne_id_by_payload(arne_data *d, const double *q, const double *qd, const double *qdd, int link, double *Y)
{
    const arne_quantity_options o = {.size = sizeof o, .link = link};
    return arne_compute(d, TEXT_did_payload, &o, &(arne_state){.q = q, .qd = qd, .qdd = qdd}, Y);
}

arne_status arne_fd_by_payload(arne_data *d, const double *q, const double *qd, const double *tau, int link, double *D)
{
    const arne_quantity_options o = {.size = sizeof o, .link = link};
    return arne_compute(d, TEXT_dfd_payload, &o, &(arne_state){.q = q, .qd = qd, .tau = tau}, D);
}
