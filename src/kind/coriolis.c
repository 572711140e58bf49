/* SPDX-License-Identifier: MIT
 *
 * coriolis.c - public Coriolis terms: doors to the double texts. */
#include "arne/coriolis.h"

#include <string.h>

#include "kind/f64_texts.h"
#include "kind/kinds.h"

static int choice(arne_factor_choice f)
{
    return f == ARNE_STAR0001 ? FACTOR_0001 : f == ARNE_STAR1110 ? FACTOR_1110 : FACTOR_CHRISTOFFEL;
}

void arne_star(arne_data *d, arne_factor_choice f, const double *q, const double *qd, const double *qa, const double *qdd,
               double *tau)
{
    arne__data_text(d)->star(arne__data_robot(d), arne__data_work(d), choice(f), q, qd, qa, qdd, tau);
}

void arne_coriolis(arne_data *d, arne_factor_choice f, const double *q, const double *qd, double *C)
{
    arne__data_text(d)->coriolis_matrix(arne__data_robot(d), arne__data_work(d), choice(f), q, qd, C);
}

void arne_coriolis_product(arne_data *d, arne_factor_choice f, const double *q, const double *qd, const double *x, double *y)
{
    /* NE* without acceleration, less what is left of it without velocity: gravity */
    const work *k = arne__data_work(d);
    const int n = arne__data_robot(d)->n;
    memset(k->row, 0, (size_t)n * sizeof *k->row);
    arne__data_text(d)->gravity(arne__data_robot(d), k, q, k->column);
    arne__data_text(d)->star(arne__data_robot(d), k, choice(f), q, qd, x, k->row, y);
    for (int i = 0; i < n; i++) y[i] -= k->column[i];
}

void arne_momentum_terms(arne_data *d, const double *q, const double *qd, double *p, double *ctqd, double *g)
{
    arne__data_text(d)->momentum_terms(arne__data_robot(d), arne__data_work(d), q, qd, p, ctqd, g);
}

void arne_ctqd(arne_data *d, const double *q, const double *qd, double *y)
{
    const work *k = arne__data_work(d);
    arne__data_text(d)->momentum_terms(arne__data_robot(d), k, q, qd, k->row, y, k->column);
}

void arne_coriolis_transpose_product(arne_jets *j, arne_data *d, arne_factor_choice f, const double *q, const double *qd,
                                     const double *x, double *y)
{
    const int n = arne__data_robot(d)->n;
    double *Cx = arne__data_work(d)->matrix;
    arne_coriolis_product(d, f, q, qd, x, Cx);
    arne_mass_rate_product(j, d, q, qd, x, y);
    for (int i = 0; i < n; i++) y[i] -= Cx[i];
}
