/* SPDX-License-Identifier: MIT
 *
 * jetsym.c - a text as expressions with a derivative: columns of the Jacobians of inverse dynamics. */
#include "algo/texts.h"

#include <stdlib.h>

#include "symbolic/symbolic.h"

/* kin.c on the symbolic kind */
void arne__text_position_rate_sym(const void *r, const sym *q, const sym *qd, sym *rate);

/* The robot is that of the symbolic kind: its constants are expressions in both. */
bool arne__symbolic_column(const void *sym_robot, const sym *x, int column, sym *D)
{
    const robot *r = sym_robot;
    const int n = robot_nv(r), nq = robot_nq(r);
    work k;
    void *memory = aligned_alloc(64, EXPORT(work)(robot_count(r), NULL, &k) + 64);
    jetsym *in = malloc(((size_t)nq + 3 * (size_t)n) * sizeof *in), *qd = in + nq, *qdd = qd + n, *out = qdd + n;
    sym *unit = malloc((size_t)(nq + n) * sizeof *unit), *rate = unit + n;
    const bool ok = memory && in && unit;
    if (ok) {
        EXPORT(work)(robot_count(r), memory, &k);
        for (int i = 0; i < n; i++) unit[i] = sym_of(i == column);
        if (column < n) arne__text_position_rate_sym(sym_robot, x, unit, rate); /* along the tangent */
        for (int i = 0; i < nq; i++) in[i] = (jetsym){x[i], column < n ? rate[i] : sym_of(0)};
        for (int i = 0; i < 2 * n; i++) qd[i] = (jetsym){x[nq + i], sym_of(i == column - n)};
        (r->nfollow ? EXPORT(id_follow) : EXPORT(id))(r, &k, in, qd, qdd, out);
        for (int i = 0; i < n; i++) D[i] = out[i].d;
    }
    free(memory);
    free(in);
    free(unit);
    return ok;
}
