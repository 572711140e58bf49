/* SPDX-License-Identifier: MIT
 *
 * regressor.c - the public regressor in double precision, parameter vectors, names and orders of parameters. */
#include "arne/regressor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algo/texts.h"
#include "kind/kinds.h"

enum { LINK_PARAMETERS = ARNE_LINK_PARAMETERS, FRICTION_PARAMETERS = 2, ALIGN = 64 };

struct arne_regressor_work {
    work work;
    double *Y; /* n x 11 n */
};

static size_t aligned(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

arne_regressor_work *arne_regressor_new(const arne_model *m)
{
    const size_t n = (size_t)m->n, head = aligned(sizeof(arne_regressor_work)), square = aligned(LINK_PARAMETERS * n * n * 8);
    work count;
    char *memory = aligned_alloc(ALIGN, head + square + aligned(arne__text_work(m->n, NULL, &count)));
    if (!memory) return NULL;
    arne_regressor_work *w = (arne_regressor_work *)(void *)memory;
    w->Y = (double *)(void *)(memory + head);
    arne__text_work(m->n, memory + head + square, &w->work);
    return w;
}

void arne_regressor_free(arne_regressor_work *w) { free(w); }

void arne_regressor(arne_regressor_work *w, const arne_data *d, const double *q, const double *qd, const double *qdd, double *Y)
{
    arne__text_regressor(arne__data_robot(d), &w->work, q, qd, qdd, Y);
}

void arne_regressor_friction(arne_regressor_work *w, const arne_data *d, const double *q, const double *qd, const double *qdd,
                             double *Y)
{
    const int n = arne__data_robot(d)->n, inner = LINK_PARAMETERS * n, width = inner + FRICTION_PARAMETERS * n;
    arne__text_regressor(arne__data_robot(d), &w->work, q, qd, qdd, w->Y);
    for (int i = 0; i < n; i++) {
        double *row = Y + i * width;
        memcpy(row, w->Y + i * inner, (size_t)inner * sizeof *row);
        memset(row + inner, 0, (size_t)(width - inner) * sizeof *row);
        row[inner + FRICTION_PARAMETERS * i] = qd[i];
        row[inner + FRICTION_PARAMETERS * i + 1] = sign(qd[i]);
    }
}

void arne_parameters(const arne_data *d, double *K)
{
    const robot *r = arne__data_robot(d);
    const arne_model *m = arne_data_model(d);
    for (int i = 0; i < r->n; i++, K += LINK_PARAMETERS) {
        const link *l = &r->link[i];
        const arne_motor *motor = &m->joint[i].motor;
        memcpy(K, l->J, sizeof l->J);
        memcpy(K + 6, l->MS, sizeof l->MS);
        K[9] = l->M;
        K[10] = r->drive ? motor->gear * motor->gear * motor->inertia : l->Ia;
    }
}

void arne_parameters_friction(const arne_data *d, double *K)
{
    const robot *r = arne__data_robot(d);
    arne_parameters(d, K);
    K += LINK_PARAMETERS * r->n;
    for (int i = 0; i < r->n; i++, K += FRICTION_PARAMETERS) {
        K[0] = r->link[i].fv;
        K[1] = r->link[i].fc;
    }
}

static const char *const order_names[ARNE_ORDER_COUNT] = {"symoro", "khalil", "pinocchio"};

const char *arne_order_name(arne_parameter_order order) { return order_names[order]; }

int arne_order_find(const char *name)
{
    for (int i = 0; i < ARNE_ORDER_COUNT; i++)
        if (!strcmp(order_names[i], name)) return i;
    return -1;
}

void arne_reorder(arne_parameter_order order, int dof, int rows, int width, double *Y)
{
    static const int pinocchio[LINK_PARAMETERS] = {9, 6, 7, 8, 0, 1, 3, 2, 4, 5, 10};
    if (order != ARNE_ORDER_PINOCCHIO) return;
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
    if (rest < 0)
        snprintf(name, 16, "%s%d", letters[parameter % LINK_PARAMETERS], parameter / LINK_PARAMETERS + 1);
    else
        snprintf(name, 16, "%s%d", rest % FRICTION_PARAMETERS ? "FS" : "FV", rest / FRICTION_PARAMETERS + 1);
}
