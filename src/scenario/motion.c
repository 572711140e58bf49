/* SPDX-License-Identifier: MIT
 *
 * motion.c - the reference of a scenario: one motion, or several one after the other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arne/log.h"
#include "scenario/parts.h"

static const double PI = 3.14159265358979323846;
enum { MOST_MOTIONS = 64, LEAST_SAMPLES = 10, MOST_SAMPLES = 5000 };

/* What one motion is made of; the last known joint positions are its default beginning. */
typedef struct {
    scenario_reader *x;
    const double *from; /* nv */
    arne_trajectory **out;
} maker;

static arne_status need(maker *k, const yaml_node_t *node, const yaml_node_t *value, const char *key)
{
    return value ? ARNE_OK : arne__yaml_fail(&k->x->yaml, node, "needs `%s:`", key);
}

/* [t0, t1] */
static arne_status window(maker *k, const yaml_node_t *node, double *t)
{
    const arne_status status = arne__yaml_vector(&k->x->yaml, node, 2, t);
    if (status || t[1] > t[0]) return status;
    return arne__yaml_fail(&k->x->yaml, node, "time must go on: from %g to %g it does not", t[0], t[1]);
}

static arne_status made(maker *k, const yaml_node_t *node, arne_status status, const arne_error *e)
{
    return status ? arne__scenario_blame(k->x, node, e) : ARNE_OK;
}

static arne_status polynomial(maker *k, const yaml_node_t *node)
{
    typedef struct {
        int degree;
        const yaml_node_t *time, *from, *to;
    } text;
    static const yaml_field table[] = {COUNT(degree), NODE(time), NODE(from), NODE(to)};
    text t = {.degree = 7};
    double time[2], *to, *from = NULL;
    arne_status status = SCENARIO_MAP(k->x, node, table, &t);
    if (!status) status = need(k, node, t.time, "time");
    if (!status) status = need(k, node, t.to, "to");
    if (!status) status = window(k, t.time, time);
    if (!status) status = arne__scenario_vector(k->x, t.to, &to);
    if (!status && t.from) status = arne__scenario_vector(k->x, t.from, &from);
    if (status) return status;
    arne_error e = {0};
    status = arne_trajectory_rest_to_rest(k->x->n, t.degree, time[0], time[1], from ? from : k->from, to, k->out, &e);
    return made(k, node, status, &e);
}

static arne_status points(maker *k, const yaml_node_t *node)
{
    typedef struct {
        int degree;
        const yaml_node_t *times, *q;
    } text;
    static const yaml_field table[] = {COUNT(degree), NODE(times), NODE(q)};
    text t = {.degree = 5};
    int count, rows;
    double *times, *q;
    arne_status status = SCENARIO_MAP(k->x, node, table, &t);
    if (!status) status = need(k, node, t.times, "times");
    if (!status) status = need(k, node, t.q, "q");
    if (!status) status = arne__scenario_numbers(k->x, t.times, &count, &times);
    if (!status) status = arne__scenario_vectors(k->x, t.q, &rows, &q);
    if (!status && rows != count)
        status = arne__yaml_fail(&k->x->yaml, t.q, "needs a row for each of the %d times, has %d", count, rows);
    if (status) return status;
    arne_error e = {0};
    return made(k, node, arne_trajectory_spline(k->x->n, t.degree, count, times, q, k->out, &e), &e);
}

static arne_status fourier(maker *k, const yaml_node_t *node)
{
    typedef struct {
        double frequency, ramp;
        const yaml_node_t *time, *mean, *sine, *cosine;
    } text;
    static const yaml_field table[] = {POSITIVE(frequency), NOT_NEGATIVE(ramp), NODE(time), NODE(mean), NODE(sine), NODE(cosine)};
    const int n = k->x->n;
    text t = {0};
    double time[2], *mean = NULL, *sine = NULL, *cosine = NULL;
    int sines = 0, cosines = 0;
    arne_status status = SCENARIO_MAP(k->x, node, table, &t);
    if (!status) status = need(k, node, t.time, "time");
    if (!status && t.frequency == 0)
        status = arne__yaml_fail(&k->x->yaml, node, "needs `frequency:` (of the first harmonic, Hz)");
    if (!status && !t.sine && !t.cosine)
        status = arne__yaml_fail(&k->x->yaml, node, "needs `sine:` or `cosine:`, a row per harmonic");
    if (!status) status = window(k, t.time, time);
    if (!status && t.mean) status = arne__scenario_vector(k->x, t.mean, &mean);
    if (!status && t.sine) status = arne__scenario_vectors(k->x, t.sine, &sines, &sine);
    if (!status && t.cosine) status = arne__scenario_vectors(k->x, t.cosine, &cosines, &cosine);
    if (status) return status;
    if (sine && cosine && sines != cosines)
        return arne__yaml_fail(&k->x->yaml, t.cosine, "has %d rows, sine has %d", cosines, sines);
    const int harmonics = sine ? sines : cosines;
    double *zero = arne__arena_take(k->x->p->memory, (size_t)(harmonics * n), sizeof *zero);
    if (!zero) return arne__yaml_no_memory(&k->x->yaml);
    arne_error e = {0};
    status = arne_trajectory_fourier(n, harmonics, 2 * PI * t.frequency, mean ? mean : k->from, sine ? sine : zero,
                                     cosine ? cosine : zero, time[0], time[1], t.ramp, k->out, &e);
    return made(k, node, status, &e);
}

/* Rows of positions, in place, become rows of nv numbers: joints of several freedoms have no reference. */
static void joints_of(const maker *k, arne_log *log)
{
    const arne_model *m = k->x->p->model;
    const size_t from = (size_t)log->nq, n = (size_t)k->x->n;
    for (size_t row = 0; from != n && row < (size_t)log->count; row++)
        for (size_t i = 0; i < n; i++) {
            const int at = arne_velocity_position(m, (int)i);
            log->q[row * n + i] = at < 0 ? 0 : log->q[row * from + (size_t)at];
        }
}

static arne_status table_file(maker *k, const yaml_node_t *node)
{
    typedef struct {
        const char *file;
        int degree;
    } text;
    static const yaml_field table[] = {FIELD(file, yaml_string), COUNT(degree)};
    text t = {.degree = 5};
    arne_log log;
    arne_status status = SCENARIO_MAP(k->x, node, table, &t);
    if (!status && !t.file) status = arne__yaml_fail(&k->x->yaml, node, "needs `file:`");
    if (status) return status;
    const char *path = arne__scenario_path(k->x, t.file);
    if (!path) return arne__yaml_no_memory(&k->x->yaml);
    arne_error e = {0};
    status = arne_log_motion(path, k->x->p->model, 0, true, &log, &e);
    if (status == ARNE_NO_FILE)
        status = arne__yaml_fail(&k->x->yaml, node, "'%.200s': %.200s", path, e.message);
    else if (status)
        arne_fail(k->x->yaml.error, status, e.file, e.line, "%s", e.message);
    else {
        joints_of(k, &log);
        status = made(k, node, arne_trajectory_samples(k->x->n, t.degree, log.count, log.t, log.q, k->out, &e), &e);
    }
    arne_log_free(&log);
    return status;
}

/* ---- paths of a link ---- */

/* A pose in the world, or one told from where the link is at the beginning: moved in world axes, turned about its own. */
static arne_status read_pose(maker *k, const yaml_node_t *node, const arne_pose *start, arne_pose *out)
{
    typedef struct {
        const yaml_node_t *xyz, *rpy, *move, *turn;
    } text;
    static const yaml_field table[] = {NODE(xyz), NODE(rpy), NODE(move), NODE(turn)};
    yaml_reader *r = &k->x->yaml;
    text t = {0};
    double xyz[3] = {0}, rpy[3] = {0};
    arne_status status = SCENARIO_MAP(k->x, node, table, &t);
    if (!status && (t.xyz || t.rpy) && (t.move || t.turn))
        status = arne__yaml_fail(r, node,
                                 "give a pose by xyz and rpy (in the world) or by move and turn (from the start), not by both");
    if (!status && (t.xyz || t.move)) status = arne__yaml_vector(r, t.xyz ? t.xyz : t.move, 3, xyz);
    if (!status && (t.rpy || t.turn)) status = arne__yaml_vector(r, t.rpy ? t.rpy : t.turn, 3, rpy);
    if (status) return status;
    const arne_pose given = arne_pose_rpy(xyz, rpy);
    const bool world = t.xyz || t.rpy;
    *out = *start;
    for (int i = 0; i < 3; i++) {
        if (t.xyz) out->p[i] = xyz[i];
        if (t.move) out->p[i] += xyz[i];
        for (int j = 0; j < 3; j++) {
            if (world && t.rpy) out->R[3 * i + j] = given.R[3 * i + j];
            if (!t.turn) continue;
            out->R[3 * i + j] = 0;
            for (int c = 0; c < 3; c++) out->R[3 * i + j] += start->R[3 * i + c] * given.R[3 * c + j];
        }
    }
    return ARNE_OK;
}

static arne_status path(maker *k, const yaml_node_t *node)
{
    typedef struct {
        const yaml_node_t *link, *times, *poses;
        int samples;
    } text;
    static const yaml_field table[] = {NODE(link), NODE(times), NODE(poses), COUNT(samples)};
    scenario_reader *x = k->x;
    text t = {.samples = 100};
    int link, count;
    double *times;
    size_t given;
    arne_status status = SCENARIO_MAP(x, node, table, &t);
    if (!status) status = need(k, node, t.link, "link");
    if (!status) status = need(k, node, t.times, "times");
    if (!status) status = need(k, node, t.poses, "poses");
    if (!status) status = arne__scenario_link(x, t.link, &link);
    if (!status) status = arne__scenario_numbers(x, t.times, &count, &times);
    if (!status) status = arne__yaml_list(&x->yaml, t.poses, &given);
    if (!status && (count < 2 || given + 1 != (size_t)count))
        status = arne__yaml_fail(&x->yaml, t.poses, "%zu poses need %zu times, the first for where the link starts; there are %d",
                                 given, given + 1, count);
    if (!status && (t.samples < LEAST_SAMPLES || t.samples > MOST_SAMPLES))
        status = arne__yaml_fail(&x->yaml, node, "samples: %d to %d are allowed, not %d", LEAST_SAMPLES, MOST_SAMPLES, t.samples);
    if (!status && arne_model_nq(x->p->model) != x->n)
        status = arne__yaml_fail(
            &x->yaml, node, "paths of a link are for robots whose joints have one freedom each; give the motion of the joints");
    if (status) return status;
    arne_pose *poses = arne__arena_take(x->p->memory, (size_t)count, sizeof *poses);
    arne_data *d = NULL;
    arne_error e = {0};
    if (!poses) return arne__yaml_no_memory(&x->yaml);
    if (arne_data_new(x->p->model, &d, &e) || arne_data_prepare(d, ARNE_HANDS, &e)) status = arne__scenario_blame(x, node, &e);
    if (!status) arne_link_pose(d, k->from, link, &poses[0]);
    for (int i = 1; i < count && !status; i++)
        status = read_pose(k, arne__yaml_item(&x->yaml, t.poses, (size_t)i - 1), &poses[0], &poses[i]);
    if (!status) status = made(k, node, arne_hand_path(d, link, count, times, poses, k->from, t.samples, k->out, &e), &e);
    arne_data_free(d);
    return status;
}

/* ---- all of it ---- */

static arne_status one_motion(scenario_reader *x, const yaml_node_t *node, const double *from, arne_trajectory **out)
{
    static const struct {
        const char *key;
        arne_status (*make)(maker *, const yaml_node_t *);
    } kinds[] = {{"polynomial", polynomial}, {"points", points}, {"fourier", fourier}, {"csv", table_file}, {"path", path}};
    static const yaml_field table[] = {
        {"polynomial", NULL, 0}, {"points", NULL, 0}, {"fourier", NULL, 0}, {"csv", NULL, 0}, {"path", NULL, 0}};
    maker k = {x, from, out};
    x->yaml.key = NULL;
    strcpy(x->yaml.where, "motion");
    arne_status status = SCENARIO_MAP(x, node, table, NULL);
    if (!status && node->data.mapping.pairs.top - node->data.mapping.pairs.start != 1)
        status = arne__yaml_fail(&x->yaml, node,
                                 "needs exactly one of polynomial, points, fourier, csv, path; several motions are a list");
    for (size_t i = 0; i < SCENARIO_COUNT(kinds) && !status; i++) {
        const yaml_node_t *value = arne__yaml_find(&x->yaml, node, kinds[i].key);
        if (!value) continue;
        snprintf(x->yaml.where, sizeof x->yaml.where, "motion: %s", kinds[i].key);
        status = kinds[i].make(&k, value);
    }
    return status;
}

arne_status arne__scenario_motion(scenario_reader *x)
{
    const arne_model *m = x->p->model;
    if (!x->motion) return ARNE_OK;
    const bool many = x->motion->type == YAML_SEQUENCE_NODE;
    size_t count = 1;
    arne_status status = many ? arne__yaml_list(&x->yaml, x->motion, &count) : ARNE_OK;
    if (!status && (count == 0 || count > MOST_MOTIONS))
        status = arne__yaml_fail(&x->yaml, x->motion, "1 to %d motions are allowed", MOST_MOTIONS);
    if (status) return status;
    double *from = arne__arena_take(x->p->memory, (size_t)x->n, sizeof *from);
    arne_trajectory *parts[MOST_MOTIONS] = {0};
    if (!from) return arne__yaml_no_memory(&x->yaml);
    for (int i = 0; i < x->n; i++) from[i] = arne_velocity_position(m, i) < 0 ? 0 : x->p->q[arne_velocity_position(m, i)];
    for (size_t i = 0; i < count && !status; i++) {
        status = one_motion(x, many ? arne__yaml_item(&x->yaml, x->motion, i) : x->motion, from, &parts[i]);
        if (!status) arne_trajectory_at(parts[i], arne_trajectory_end(parts[i]), 0, from);
    }
    strcpy(x->yaml.where, "motion");
    arne_error e = {0};
    if (!status && arne_trajectory_sequence((int)count, parts, &x->p->motion, &e))
        status = arne__scenario_blame(x, x->motion, &e);
    for (size_t i = 0; i < count; i++) arne_trajectory_free(parts[i]);
    x->yaml.where[0] = '\0';
    if (status || x->placed) return status;
    /* without a start of its own the robot stands at the beginning of the motion */
    arne_trajectory_at(x->p->motion, 0, 0, from);
    for (int i = 0; i < x->n; i++)
        if (arne_velocity_position(m, i) >= 0) x->p->q[arne_velocity_position(m, i)] = from[i];
    return ARNE_OK;
}
