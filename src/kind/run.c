/* SPDX-License-Identifier: MIT
 *
 * run.c - any row of texts.def, in the kind that is set. */
#include "algo/rows.h"
#include "algo/texts.h"

void EXPORT(run)(int row, const robot *r, const work *k, const text_input *in, num *y)
{
    const num *q = in->q, *qd = in->qd, *qdd = in->qdd, *tau = in->tau, *qa = in->qa;
    const int link = in->link, axes = in->axes, factor = in->factor;
    switch (row) {
#define TEXT(name, text, arguments, ...)                                                                                         \
    case TEXT_##name:                                                                                                            \
        EXPORT(text) arguments;                                                                                                  \
        break;
#include "algo/texts.def"
    default: break;
    }
}
