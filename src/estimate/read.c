/* SPDX-License-Identifier: MIT
 *
 * read.c - a log from a file. */
#include <stdlib.h>
#include <string.h>

#include "arne/log.h"
#include "base/fail.h"
#include "estimate/identifier.h"

#define BAD_HEADER(s, ...) arne_fail(error, ARNE_BAD_SYNTAX, (s)->file.name, (s)->file.line, __VA_ARGS__)

/* Joints whose positions and torques the file has; speeds count where every one of these joints has one. */
static arne_status sort(const arne_states *s, const arne_identifier *i, bool *moves, bool *torques, arne_identify_log *log,
                        arne_error *error)
{
    const char *first = arne_joint_name(i->m, 0);
    if (!arne_states_time(s)) return BAD_HEADER(s, "column t is missing; a log has t, q and tau, perhaps qd and qdd");
    if (!arne_states_has(s, ARNE_COLUMN_Q))
        return BAD_HEADER(s, "there are no positions: columns q1 ... or q.%s ... are missing", first);
    if (!arne_states_has(s, ARNE_COLUMN_TAU))
        return BAD_HEADER(s, "there are no torques: columns tau1 ... or tau.%s ... are missing", first);
    log->has_qd = arne_states_has(s, ARNE_COLUMN_QD);
    log->has_qdd = arne_states_has(s, ARNE_COLUMN_QDD);
    for (int v = 0; v < i->n; v++) {
        moves[v] = arne_states_given(s, ARNE_COLUMN_Q, v);
        torques[v] = arne_states_given(s, ARNE_COLUMN_TAU, v);
        if (torques[v] && !moves[v] && i->joints[v])
            return BAD_HEADER(s, "joint %s has a torque and no position: column q%d (or q.%s) is missing",
                              arne_joint_name(i->m, v), v + 1, arne_joint_name(i->m, v));
        if (moves[v] && !arne_states_given(s, ARNE_COLUMN_QD, v)) log->has_qd = false;
        if (moves[v] && !arne_states_given(s, ARNE_COLUMN_QDD, v)) log->has_qdd = false;
    }
    return ARNE_OK;
}

static arne_status take_rows(arne_states *s, arne_identifier *i, arne_error *error)
{
    for (;;) {
        bool more;
        arne_status status = arne_states_next(s, &more, error);
        if (status || !more) return status;
        status = arne_identifier_row(i, *arne_states_time(s), arne_states_of(s, ARNE_COLUMN_Q), arne_states_of(s, ARNE_COLUMN_QD),
                                     arne_states_of(s, ARNE_COLUMN_QDD), arne_states_of(s, ARNE_COLUMN_TAU), error);
        if (status && error) error->line = s->file.line;
        if (status) return status;
    }
}

arne_status arne_identifier_read(arne_identifier *i, arne_log_role role, const char *path, const arne_known_load *load,
                                 bool degrees, arne_error *error)
{
    arne_states s;
    if (!i || !path) return BAD_ARGUMENT(error, "a log needs an identifier and a path");
    bool *moves = calloc(2 * (size_t)i->n, sizeof *moves), *torques = moves + i->n;
    if (!moves) return NO_MEMORY(error);
    arne_status status = arne_states_open_part(&s, path, i->m, error);
    arne_identify_log log = {.size = sizeof log, .name = path, .role = role, .moves = moves, .torques = torques, .load = load};
    s.degrees = degrees;
    if (!status) status = sort(&s, i, moves, torques, &log, error);
    if (!status) status = arne_identifier_log(i, &log, error);
    if (!status) status = take_rows(&s, i, error);
    arne_states_close(&s);
    free(moves);
    return status;
}
