/* SPDX-License-Identifier: MIT
 *
 * plan_map.c - the largest accelerations of a link along a path, direction by direction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plan.h"
#include "base/whole.h"

#define MAP_NAME(id, name) name,
const char *const map_names[MAP_COUNT] = {MAP_DIRECTIONS(MAP_NAME)};
#undef MAP_NAME

typedef struct {
    planning *p;
    arne_polytope *polytope;
    arne_hand_direction hand;
    int places;
    double *memory, *q, *qd, *q1, *q2, *J;
    double up[3];
} map;

static int take_options(const arguments *a, map *m)
{
    static const char *const choices[] = {"zero", "free", "steady", NULL};
    const robot *r = m->p->robot;
    const char *link = option_value(a, "link"), *point = option_value(a, "point"), *places = option_value(a, "places");
    const int others = option_choice(a, "others", choices, 0);
    double number = 101;
    if (others < 0) return CLI_MISUSED;
    m->hand = (arne_hand_direction){.link = arne_model_links(r->model) - 1, .rows = others == 2 ? 6 : 3, .pure = others != 1};
    if (point && parse_numbers(point, strlen(point), m->hand.point, 3) != 3)
        return misuse("--point %s: it takes three numbers x,y,z", point);
    if (places &&
        (parse_numbers(places, strlen(places), &number, 1) != 1 || number != floor(number) || number < 2 || number > 1e6))
        return misuse("--places %s: it takes a whole number from 2 to 1000000", places);
    m->places = (int)number;
    return link ? robot_link(r, link, &m->hand.link) : CLI_OK;
}

static bool make_room(map *m)
{
    const size_t n = (size_t)arne_model_dof(m->p->robot->model);
    double *v = m->memory = calloc(10 * n, sizeof *v);
    if (!v) return false;
    m->q = v, m->qd = v + n, m->q1 = v + 2 * n, m->q2 = v + 3 * n, m->J = v + 4 * n;
    const double *g = arne_model_gravity(m->p->robot->model), size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    for (int k = 0; k < 3; k++) m->up[k] = size > 0 ? -g[k] / size : k == 2;
    m->polytope = arne_polytope_new(m->p->robot->model);
    return m->polytope != NULL;
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Where the point of the link goes along the path. */
static void tangent(map *m, const arne_pose *pose, double forward[3])
{
    arne_data *d = m->p->data;
    double v[6], arm[3], turn[3];
    arne_link_velocity(d, m->q, m->q1, m->hand.link, ARNE_ALIGNED, v);
    for (int k = 0; k < 3; k++)
        arm[k] =
            pose->R[3 * k] * m->hand.point[0] + pose->R[3 * k + 1] * m->hand.point[1] + pose->R[3 * k + 2] * m->hand.point[2];
    cross(v + 3, arm, turn);
    for (int k = 0; k < 3; k++) forward[k] = v[k] + turn[k];
}

/* One place: at rest, or at a time of the plan. */
static int map_row(map *m, int k, FILE *file)
{
    planning *p = m->p;
    const int n = arne_model_dof(p->robot->model);
    const double part = (double)k / (m->places - 1);
    double s = arne_curve_length(p->curve) * part, ways[MAP_COUNT][3];
    memset(m->qd, 0, (size_t)n * sizeof *m->qd);
    if (p->plan) s = arne_plan_at(p->plan, arne_plan_duration(p->plan) * part, m->q, m->qd, m->q2);
    arne_curve_at(p->curve, s, m->q, m->q1, m->q2);
    arne_pose pose;
    arne_link_pose(p->data, m->q, m->hand.link, &pose);
    tangent(m, &pose, ways[MAP_FORWARD]);
    cross(m->up, ways[MAP_FORWARD], ways[MAP_LEFT]);
    memcpy(ways[MAP_UP], m->up, sizeof m->up);
    for (int w = 0; w < MAP_COUNT; w += 2)
        for (int c = 0; c < 3; c++) ways[w + 1][c] = -ways[w][c];

    const double point = arne_curve_point(p->curve, s);
    fprintf(file, "%.9g", point);
    for (int c = 0; c < 3; c++)
        fprintf(file, ",%.9g",
                pose.p[c] + pose.R[3 * c] * m->hand.point[0] + pose.R[3 * c + 1] * m->hand.point[1] +
                    pose.R[3 * c + 2] * m->hand.point[2]);
    for (int w = 0; w < MAP_COUNT; w++) {
        const double *e = ways[w], size = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        const bool some = size > 1e-9;
        memcpy(m->hand.direction, e, 3 * sizeof *e);
        const double a = some ? arne_largest_acceleration(m->polytope, p->data, m->q, m->qd, &m->hand, NULL) : NAN;
        if (some && isnan(a))
            return complain_at(p->robot->path, 0,
                               "the inertia matrix is singular at point %.4g of the path: a joint moves no mass", point);
        if (isfinite(a))
            fprintf(file, ",%.9g", a);
        else
            putc(',', file);
        if (some && a < p->least[w]) p->least[w] = a, p->where[w] = point;
    }
    putc('\n', file);
    return CLI_OK;
}

int plan_map(const arguments *a, planning *p)
{
    map m = {.p = p};
    whole_file w = {0};
    int status = take_options(a, &m);
    for (int k = 0; k < MAP_COUNT; k++) p->least[k] = INFINITY;
    if (!status && !make_room(&m)) status = no_memory();
    arne_error error = {0};
    if (!status) status = checked(arne__whole_open(&w, option_value(a, "map"), &error), &error);
    if (!status) {
        fputs("point,x,y,z", w.file);
        for (int k = 0; k < MAP_COUNT; k++) fprintf(w.file, ",%s", map_names[k]);
        putc('\n', w.file);
        for (int k = 0; k < m.places && !status; k++) status = map_row(&m, k, w.file);
        if (arne__whole_close(&w, (arne_status)status, &error) && !status) status = say_error(&error);
    }
    p->mapped = !status;
    arne_polytope_free(m.polytope);
    free(m.memory);
    return status;
}
