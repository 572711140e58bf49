/* SPDX-License-Identifier: MIT
 *
 * jetsym.c - texts as expressions with a derivative: Jacobians of inverse and forward dynamics. */
#include "algo/texts.h"

#include <stdlib.h>

#include "symbolic/symbolic.h"

/* kin.c on the symbolic kind */
void arne__text_position_rate_sym(const void *r, const sym *q, const sym *qd, sym *rate);

/* The robot is that of the symbolic kind: its constants are expressions in both. */
bool arne__symbolic_jacobian(const void *sym_robot, const sym *x, bool torque, int group, sym *D)
{
    const robot *r = sym_robot;
    const int n = robot_nv(r);
    work k;
    void *memory = aligned_alloc(64, EXPORT(work)(robot_count(r), NULL, &k) + 64);
    const int nq = robot_nq(r);
    jetsym *in = malloc(((size_t)nq + 3 * (size_t)n) * sizeof *in), *qd = in + nq, *third = qd + n, *out = third + n;
    sym *unit = malloc((size_t)(nq + n) * sizeof *unit), *rate = unit + n;
    const bool ok = memory && in && unit;
    if (ok) {
        EXPORT(work)(robot_count(r), memory, &k);
        for (int column = 0; column < n; column++) {
            for (int i = 0; i < n; i++) unit[i] = sym_of(i == column);
            if (group == 0) arne__text_position_rate_sym(sym_robot, x, unit, rate); /* along the tangent */
            for (int i = 0; i < nq; i++) in[i] = (jetsym){x[i], group == 0 ? rate[i] : sym_of(0)};
            for (int i = 0; i < 2 * n; i++) qd[i] = (jetsym){x[nq + i], sym_of(i == (group - 1) * n + column)};
            if (torque)
                (r->nfollow ? EXPORT(fd_follow) : EXPORT(fd_crba))(r, &k, in, qd, third, out);
            else
                (r->nfollow ? EXPORT(id_follow) : EXPORT(id))(r, &k, in, qd, third, out);
            for (int i = 0; i < n; i++) D[i * n + column] = out[i].d;
        }
    }
    free(memory);
    free(in);
    free(unit);
    return ok;
}
