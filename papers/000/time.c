/* SPDX-License-Identifier: MIT
 *
 * time.c - the Coriolis matrix of one robot by three ways, timed in turns [000 fig. 3]: closed form written out for the robot
 * (generated code), column by column with n sweeps of NE* as the paper does, and in one O(n^2) pass.
 * usage: time ROBOT.yaml; prints the medians in nanoseconds: closed sweeps pass. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arne/coriolis.h"
#include "arne/file.h"
#include "closed.h"

enum { ROUNDS = 31, CALLS = 2000, MOST = 16 };

typedef struct {
    arne_data *d;
    int n;
    double q[MOST], qd[MOST], C[MOST * MOST], sink;
} job;

static void by_closed_form(job *j) { closed_coriolis(j->q, j->qd, j->C); }

static void by_sweeps(job *j)
{
    static const double still[3];
    double e[MOST] = {0}, zero[MOST] = {0}, column[MOST];
    arne_set_gravity(arne_data_settings(j->d), still);
    for (int k = 0; k < j->n; k++) {
        e[k] = 1;
        arne_star(j->d, ARNE_STAR0001, j->q, j->qd, e, zero, column); /* column k of C [000 eq. 23] */
        e[k] = 0;
        for (int i = 0; i < j->n; i++) j->C[i * j->n + k] = column[i];
    }
}

static void by_pass(job *j) { arne_coriolis(j->d, ARNE_STAR0001, j->q, j->qd, j->C); }

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    arne_error error = {0};
    arne_description *description = NULL;
    arne_model *m = NULL;
    job j = {0};
    if (argc != 2 || arne_read(argv[1], NULL, &description, &error) || arne_model_build(description, NULL, &m, &error) ||
        arne_data_new(m, &j.d, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    j.n = arne_model_dof(m);
    for (int i = 0; i < j.n; i++) {
        j.q[i] = sin(1.0 + i);
        j.qd[i] = cos(2.0 + i);
    }
    void (*const way[3])(job *) = {by_closed_form, by_sweeps, by_pass};
    static double ns[3][ROUNDS];
    for (int r = 0; r < ROUNDS; r++)
        for (int w = 0; w < 3; w++) {
            const double start = now();
            for (int c = 0; c < CALLS; c++) {
                j.q[c % j.n] += 1e-9;
                way[w](&j);
                j.sink += j.C[1];
            }
            ns[w][r] = (now() - start) / CALLS;
        }
    for (int w = 0; w < 3; w++) {
        qsort(ns[w], ROUNDS, sizeof(double), order);
        printf("%.1f%s", ns[w][ROUNDS / 2], w < 2 ? " " : "\n");
    }
    arne_data_free(j.d);
    arne_model_free(m);
    arne_description_free(description);
    return isfinite(j.sink) ? 0 : 1;
}
