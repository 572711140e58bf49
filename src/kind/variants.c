/* SPDX-License-Identifier: MIT
 *
 * variants.c - the 16 variants of NE* in double precision, and the public functions that run them. */
#include "arne/coriolis.h"

#include <stdlib.h>

#include "algo/variants.c"
#include "kind/f64_texts.h"
#include "kind/kinds.h"

struct arne_variants {
    int n;
    int *frame;
    central_body *body;
    variant_state *link;
};

arne_variants *arne_variants_new(const arne_model *m)
{
    const size_t room = (size_t)arne_model_dof(m) + 1;
    arne_variants *v = calloc(1, sizeof *v);
    if (!v) return NULL;
    v->n = arne_model_dof(m);
    v->frame = calloc(room, sizeof *v->frame);
    v->body = calloc(room, sizeof *v->body);
    v->link = calloc(room, sizeof *v->link);
    if (!v->frame || !v->body || !v->link) {
        arne_variants_free(v);
        return NULL;
    }
    for (int i = 0; i < v->n; i++) v->frame[i] = arne_joint_link(m, i);
    return v;
}

void arne_variants_free(arne_variants *v)
{
    if (!v) return;
    free(v->frame);
    free(v->body);
    free(v->link);
    free(v);
}

void arne_star_variant(arne_variants *v, arne_data *d, int variant, const double *q, const double *qd, const double *qa,
                       const double *qdd, double *tau)
{
    const robot *r = arne__data_robot(d);
    for (int i = 0; i < v->n; i++) {
        const central b = arne__central_of(r->link[i].M, r->link[i].MS, r->link[i].J);
        v->body[i] = central_body_of(&b);
    }
    const variants_work memory = {v->frame, v->body, v->link};
    arne__text_star_variant(r, arne__data_work(d), &memory, variant, q, qd, qa, qdd, tau);
}
