/* SPDX-License-Identifier: MIT
 *
 * map.c - the largest accelerations of a hand along a path, direction by direction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/plan.h"
#include "base/dense.h"
#include "base/fail.h"

const char *arne_way_name(arne_way way)
{
#define WAY_NAME(id, name) name,
    static const char *const names[] = {ARNE_WAYS(WAY_NAME)};
#undef WAY_NAME
    return names[way];
}

typedef struct {
    const arne_curve *curve;
    const arne_plan *plan;
    arne_data *d;
    arne_hand_direction hand;
    int n;
    double *q, *qd, *q1, *q2;
    double up[3];
} map;

/* The point in world axes, and where it goes along the path. */
static void tangent(map *m, double at[3], double forward[3])
{
    double v[6], arm[3], turn[3];
    const double *p = m->hand.point;
    arne_pose pose;
    arne_link_pose(m->d, m->q, m->hand.link, &pose);
    arne_link_velocity(m->d, m->q, m->q1, m->hand.link, ARNE_ALIGNED, v);
    for (int k = 0; k < 3; k++) {
        arm[k] = pose.R[3 * k] * p[0] + pose.R[3 * k + 1] * p[1] + pose.R[3 * k + 2] * p[2];
        at[k] = pose.p[k] + arm[k];
    }
    dense_cross(v + 3, arm, turn);
    for (int k = 0; k < 3; k++) forward[k] = v[k] + turn[k];
}

/* One place: at rest, or at a time of the plan. */
static arne_status map_row(map *m, double part, arne_map_row *row, arne_error *error)
{
    double s = arne_curve_length(m->curve) * part, ways[ARNE_WAY_COUNT][3];
    memset(m->qd, 0, (size_t)m->n * sizeof *m->qd);
    if (m->plan) arne_plan_at(m->plan, arne_plan_duration(m->plan) * part, m->q, m->qd, m->q2, &s);
    arne_curve_at(m->curve, s, m->q, m->q1, m->q2);
    row->point = arne_curve_point(m->curve, s);
    tangent(m, row->at, ways[ARNE_FORWARD]);
    dense_cross(m->up, ways[ARNE_FORWARD], ways[ARNE_LEFT]);
    memcpy(ways[ARNE_UP], m->up, sizeof m->up);
    for (int w = 0; w < ARNE_WAY_COUNT; w += 2)
        for (int c = 0; c < 3; c++) ways[w + 1][c] = -ways[w][c];
    for (int w = 0; w < ARNE_WAY_COUNT; w++) {
        const double *e = ways[w];
        row->largest[w] = NAN;
        if (!(sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) > 1e-9)) continue;
        memcpy(m->hand.direction, e, 3 * sizeof *e);
        if (arne_largest_acceleration(m->d, m->q, m->qd, &m->hand, &row->largest[w], NULL))
            return UNSUPPORTED(error, "the inertia matrix is singular at point %.4g of the path: a joint moves no mass",
                               row->point);
    }
    return ARNE_OK;
}

arne_status arne_plan_map(const arne_curve *c, const arne_plan *p, arne_data *d, const arne_hand_direction *hand, int places,
                          arne_map_row *rows, arne_error *error)
{
    if (!c || !d || !hand || !rows) return BAD_ARGUMENT(error, "a map needs a curve, data, a hand and a place for its rows");
    const arne_model *robot = arne_data_model(d);
    map m = {.curve = c, .plan = p, .d = d, .hand = *hand, .n = arne_model_dof(robot)};
    if (places < 2) return BAD_VALUE(error, "a map has at least two places, not %d", places);
    if (hand->link < 0 || hand->link >= arne_model_links(robot)) return BAD_VALUE(error, "there is no link %d", hand->link);
    memset(m.hand.direction, 0, sizeof m.hand.direction);
    const double *g = arne_model_gravity(robot), size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    for (int k = 0; k < 3; k++) m.up[k] = size > 0 ? -g[k] / size : k == 2;
    m.q = calloc(4 * (size_t)m.n + 1, sizeof *m.q);
    arne_status status = arne_data_prepare(d, ARNE_LIMITS, error);
    if (!status && !m.q) status = NO_MEMORY(error);
    if (m.q) m.qd = m.q + m.n, m.q1 = m.qd + m.n, m.q2 = m.q1 + m.n;
    for (int k = 0; k < places && !status; k++) status = map_row(&m, (double)k / (places - 1), &rows[k], error);
    free(m.q);
    return status;
}

int arne_map_least(const arne_map_row *rows, int places, arne_way way)
{
    int least = -1;
    for (int k = 0; k < places; k++)
        if (rows[k].largest[way] < (least < 0 ? INFINITY : rows[least].largest[way])) least = k;
    return least;
}
