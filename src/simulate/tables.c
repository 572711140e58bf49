/* SPDX-License-Identifier: MIT
 *
 * tables.c - the formulas of the explicit integrator. ARKODE has them, but does not look whether there is memory for them when
 * it loads one by its number; one that is handed over is copied with care. They are those of ARKODE to the last bit, which
 * tests/simulate/tables_test.c checks. */
#include <arkode/arkode_erkstep.h>

#include "simulate/sundials.h"

enum { MOST = 13 };

typedef struct {
    int order, stages;
    double a[MOST][MOST], b[MOST], c[MOST], d[MOST]; /* d: of the formula one order lower */
} formula;

static const formula dormand_prince = {
    5,
    7,
    {{0},
     {1.0 / 5},
     {3.0 / 40, 9.0 / 40},
     {44.0 / 45, -56.0 / 15, 32.0 / 9},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
     {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
    {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
    {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40},
};

static const formula fehlberg = {
    8,
    13,
    {{0},
     {2.0 / 27},
     {1.0 / 36, 1.0 / 12},
     {1.0 / 24, 0, 1.0 / 8},
     {5.0 / 12, 0, -25.0 / 16, 25.0 / 16},
     {1.0 / 20, 0, 0, 1.0 / 4, 1.0 / 5},
     {-25.0 / 108, 0, 0, 125.0 / 108, -65.0 / 27, 125.0 / 54},
     {31.0 / 300, 0, 0, 0, 61.0 / 225, -2.0 / 9, 13.0 / 900},
     {2, 0, 0, -53.0 / 6, 704.0 / 45, -107.0 / 9, 67.0 / 90, 3},
     {-91.0 / 108, 0, 0, 23.0 / 108, -976.0 / 135, 311.0 / 54, -19.0 / 60, 17.0 / 6, -1.0 / 12},
     {2383.0 / 4100, 0, 0, -341.0 / 164, 4496.0 / 1025, -301.0 / 82, 2133.0 / 4100, 45.0 / 82, 45.0 / 164, 18.0 / 41},
     {3.0 / 205, 0, 0, 0, 0, -6.0 / 41, -3.0 / 205, -3.0 / 41, 3.0 / 41, 6.0 / 41},
     {-1777.0 / 4100, 0, 0, -341.0 / 164, 4496.0 / 1025, -289.0 / 82, 2193.0 / 4100, 51.0 / 82, 33.0 / 164, 12.0 / 41, 0, 1}},
    {0, 0, 0, 0, 0, 34.0 / 105, 9.0 / 35, 9.0 / 35, 9.0 / 280, 9.0 / 280, 0, 41.0 / 840, 41.0 / 840},
    {0, 2.0 / 27, 1.0 / 9, 1.0 / 6, 5.0 / 12, 1.0 / 2, 5.0 / 6, 1.0 / 6, 2.0 / 3, 1.0 / 3, 1, 0, 1},
    {41.0 / 840, 0, 0, 0, 0, 34.0 / 105, 9.0 / 35, 9.0 / 35, 9.0 / 280, 9.0 / 280, 41.0 / 840},
};

int arne__table_set(void *erk, bool eighth)
{
    formula f = eighth ? fehlberg : dormand_prince;
    double *rows[MOST];
    for (int i = 0; i < MOST; i++) rows[i] = f.a[i];
    struct ARKodeButcherTableMem table = {
        .q = f.order, .p = f.order - 1, .stages = f.stages, .A = rows, .c = f.c, .b = f.b, .d = f.d};
    return ERKStepSetTable(erk, &table);
}
