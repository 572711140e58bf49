/* SPDX-License-Identifier: MIT
 *
 * free_base.c - what a free base costs: the functions of a robot held still at its base and of the same robot free, in turns, as
 * ratios. A base brings six freedoms, as many as the arm of another robot has joints.
 *
 *     free_base [ROBOT] (default: the humanoid of 30 joints) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/arne.h"
#include "arne/file.h"
#include "arne/positions.h"
#include "base/clock.h"

enum { ROUNDS = 41, STATES = 16 };
static const double SECONDS = 1e-3; /* of one measurement */

typedef struct {
    arne_model *model;
    arne_data *data;
    double *q, *qd, *x, *y; /* STATES each; room for a matrix */
    int nq, nv;
} contender;

typedef void function(const contender *c, int state);
static void id(const contender *c, int k) { arne_id(c->data, c->q + k * c->nq, c->qd + k * c->nv, c->x + k * c->nv, c->y); }
static void bias(const contender *c, int k) { arne_bias(c->data, c->q + k * c->nq, c->qd + k * c->nv, c->y); }
static void mass(const contender *c, int k) { arne_mass(c->data, c->q + k * c->nq, c->y); }
static void fd(const contender *c, int k) { arne_fd(c->data, c->q + k * c->nq, c->qd + k * c->nv, c->x + k * c->nv, c->y); }

static const struct {
    const char *name;
    function *run;
} functions[] = {{"id", id}, {"bias", bias}, {"mass", mass}, {"fd", fd}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

typedef struct {
    const contender *contender;
    function *run;
} timed;

static void run_timed(const void *of, long k)
{
    const timed *t = of;
    t->run(t->contender, (int)(k % STATES));
}

static int open(const char *path, arne_base_choice base, contender *c)
{
    const arne_read_options options = {.size = sizeof options, .base = base};
    arne_description *d = NULL;
    arne_error error = {0};
    if (arne_read(path, &options, &d, &error) || arne_model_build(d, NULL, &c->model, &error) ||
        arne_data_new(c->model, &c->data, &error)) {
        fprintf(stderr, "free_base: %s\n", error.message);
        arne_description_free(d);
        return 1;
    }
    arne_description_free(d);
    arne_set_rigid(arne_data_settings(c->data), true);
    c->nq = arne_model_nq(c->model);
    c->nv = arne_model_nv(c->model);
    const size_t nq = (size_t)c->nq, nv = (size_t)c->nv;
    c->q = calloc(STATES * (nq + 2 * nv) + nv * nv, sizeof *c->q);
    if (!c->q) return 1;
    c->qd = c->q + STATES * nq;
    c->x = c->qd + STATES * nv;
    c->y = c->x + STATES * nv;
    for (size_t i = 0; i < STATES * (nq + 2 * nv); i++) c->q[i] = sin(1 + 2.3 * (double)i);
    for (int k = 0; k < STATES; k++) arne_normalize(c->model, NAN, c->q + k * c->nq, NULL);
    return 0;
}

static void close(contender *c)
{
    free(c->q);
    arne_data_free(c->data);
    arne_model_free(c->model);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    contender c[2] = {{0}};
    arne_error error = {0};
    char *path = NULL;
    if (arne_robot_find(argc > 1 ? argv[1] : "humanoid", &path, &error)) {
        fprintf(stderr, "free_base: %s\n", error.message);
        return 1;
    }
    const int failed = open(path, ARNE_BASE_FIXED, &c[0]) || open(path, ARNE_BASE_FREE, &c[1]);
    if (!failed) {
        printf("%s, %d freedoms on a fixed base, %d on a free one: ns a call, medians of %d rounds in turns\n",
               arne_model_name(c[0].model), c[0].nv, c[1].nv, ROUNDS);
        printf("  %-6s %8s %8s  %s\n", "", "fixed", "free", "median of the ratios");
    }
    for (int f = 0; f < FUNCTIONS && !failed; f++) {
        double ns[2][ROUNDS], ratio[ROUNDS];
        for (int k = 0; k < ROUNDS; k++) {
            for (int b = 0; b < 2; b++) {
                double least;
                arne__clock_measure(run_timed, &(timed){&c[b], functions[f].run}, SECONDS, 1, &least);
                ns[b][k] = 1e9 * least;
            }
            ratio[k] = ns[1][k] / ns[0][k];
        }
        for (int b = 0; b < 2; b++) qsort(ns[b], ROUNDS, sizeof **ns, by_size);
        qsort(ratio, ROUNDS, sizeof *ratio, by_size);
        printf("  %-6s %8.1f %8.1f  %.2f\n", functions[f].name, ns[0][ROUNDS / 2], ns[1][ROUNDS / 2], ratio[ROUNDS / 2]);
    }
    close(&c[0]);
    close(&c[1]);
    free(path);
    return failed;
}
