/* SPDX-License-Identifier: MIT
 *
 * derive.c - public derivatives: the widest jet kind the machine has, and the Taylor kind. */
#include "arne/coriolis.h"
#include "arne/derive.h"

#include <stdlib.h>
#include <string.h>

#include "kind/kinds.h"

struct arne_jets {
    gradient_run_fn *run;
    void *memory;
    double *scratch; /* n */
};

arne_jets *arne_jets_new(const arne_model *m)
{
    arne_jets *j = calloc(1, sizeof *j);
    if (!j) return NULL;
    const int lanes = arne__machine_lanes();
    j->run = lanes == 8 ? arne__gradient_run_jet8 : lanes == 4 ? arne__gradient_run_jet4 : arne__gradient_run_jet2;
    gradient_bytes_fn *bytes = lanes == 8   ? arne__gradient_bytes_jet8
                               : lanes == 4 ? arne__gradient_bytes_jet4
                                            : arne__gradient_bytes_jet2;
    const size_t a = bytes(m->n), b = arne__series_bytes_tay4(m->n);
    j->memory = aligned_alloc(64, ((a > b ? a : b) + 63) / 64 * 64);
    j->scratch = calloc((size_t)m->n, sizeof *j->scratch);
    if (j->memory && j->scratch) return j;
    arne_jets_free(j);
    return NULL;
}

void arne_jets_free(arne_jets *j)
{
    if (!j) return;
    free(j->memory);
    free(j->scratch);
    free(j);
}

void arne_id_derivatives(arne_jets *j, arne_data *d, const double *q, const double *qd, const double *qdd, double *dq,
                         double *dqd, double *dqdd)
{
    const double *const x[3] = {q, qd, qdd};
    double *const out[3] = {dq, dqd, NULL};
    j->run(arne__data_robot(d), j->memory, GRADIENT_ID, x, out);
    if (dqdd) arne_mass(d, q, dqdd); /* dtau/dqdd is the inertia matrix */
}

int arne_fd_derivatives(arne_jets *j, arne_data *d, const double *q, const double *qd, const double *tau, double *dq, double *dqd,
                        double *dtau)
{
    const double *const x[3] = {q, qd, tau};
    double *const out[3] = {dq, dqd, dtau};
    const int n = arne_model_dof(arne_data_model(d));
    const int singular = arne_fd(d, q, qd, tau, j->scratch);
    if (singular < 0) {
        j->run(arne__data_robot(d), j->memory, GRADIENT_FD, x, out);
    } else {
        for (int g = 0; g < 3; g++)
            if (out[g]) memset(out[g], 0, (size_t)n * (size_t)n * sizeof(double));
    }
    return singular;
}

void arne_id_taylor(arne_jets *j, arne_data *d, const double *q, double *tau)
{
    arne__series_id_tay4(arne__data_robot(d), j->memory, q, tau);
}

void arne_mass_rate_product(arne_jets *j, arne_data *d, const double *q, const double *qd, const double *x, double *y)
{
    arne__series_mass_rate_tay4(arne__data_robot(d), j->memory, q, qd, x, y);
}
