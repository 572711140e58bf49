/* SPDX-License-Identifier: MIT
 *
 * run.c - any row of texts.def, in the kind that is set. */
#include "algo/did.h"
#include "algo/rows.h"
#include "algo/texts.h"
#include "kind/kinds.h"

static void run_row(int row, const robot *r, const work *k, const text_input *in, num *y)
{
    const num *q = in->q, *qd = in->qd, *qdd = in->qdd, *tau = in->tau, *qa = in->qa;
    const int link = in->link, axes = in->axes, factor = in->factor, blank = in->blank;
    switch (row) {
#define TEXT(name, text, arguments, ...)                                                                                         \
    case TEXT_##name:                                                                                                            \
        EXPORT(text) arguments;                                                                                                  \
        break;
#include "algo/texts.def"
    default: break;
    }
}

/* Where joints follow others the text sees all of them, and what it gives is led back to those that move by themselves: here,
 * but for tensors, which would need room that nobody has. */
OUTLINE void run_followers(int row, const robot *r, const work *k, const text_input *in, num *y)
{
    const num *const given[5] = {in->q, in->qd, in->qdd, in->tau, in->qa}, *x[5];
    num *to = k->all;
    for (int g = 0; g < 5; to += g ? r->nv : r->nq, g++) {
        x[g] = given[g] ? to : NULL;
        if (x[g]) EXPORT(follow)(r, given[g], g == 0, to);
    }
    const text_input all = {x[0], x[1], x[2], x[3], x[4], in->link, in->axes, in->factor, 0};
    run_row(row, r, k, &all, row == TEXT_d2id ? y : to);
    if (row == TEXT_d2id) return;
    row_shape part;
    for (int i = 0; arne__row_part(row, i, r->n, r->nv, &part); i++, to += part.rows * part.columns) {
        EXPORT(lead)(r, part.rows, part.columns, part.by_row, part.by_column, to, y);
        y += (part.by_row ? robot_nv(r) : part.rows) * (part.by_column ? robot_nv(r) : part.columns);
    }
}

/* what leads results back by itself, because M is shared with those that follow */
OUTLINE void run_dfd_followers(const robot *r, const work *k, const text_input *in, num *y)
{
    num *q = k->all, *qd = q + r->nq;
    EXPORT(follow)(r, in->q, 1, q);
    EXPORT(follow)(r, in->qd, 0, qd);
    EXPORT(dfd)(r, k, q, qd, in->tau, y);
}

/* derivatives by parameters: M is there from the accelerations */
OUTLINE void run_columns_followers(int row, const robot *r, const work *k, const text_input *in, num *y)
{
    const int payload = row == TEXT_dfd_payload;
    text_input at = *in;
    EXPORT(fd_follow)(r, k, in->q, in->qd, in->tau, y);
    at.qdd = y;
    run_followers(payload ? TEXT_did_payload : TEXT_regressor, r, k, &at, y);
    EXPORT(dfd_columns)(r, k->matrix, payload ? REGRESSOR_BODY : REGRESSOR_LINK * r->n, y);
}

void EXPORT(run)(int row, const robot *r, const work *k, const text_input *in, num *y)
{
    if (!r->nfollow)
        run_row(row, r, k, in, y);
    else if (row == TEXT_fd || row == TEXT_crba || row == TEXT_aba)
        EXPORT(fd_follow)(r, k, in->q, in->qd, in->tau, y);
    else if (row == TEXT_dfd)
        run_dfd_followers(r, k, in, y);
    else if (row == TEXT_dfd_parameters || row == TEXT_dfd_payload)
        run_columns_followers(row, r, k, in, y);
    else
        run_followers(row, r, k, in, y);
}
