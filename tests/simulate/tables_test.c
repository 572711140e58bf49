/* SPDX-License-Identifier: MIT
 *
 * The formulas of the explicit integrator are those of ARKODE, and vectors from the store are vectors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arkode/arkode_erkstep.h>
#include <cmocka.h>

#include "simulate/sundials.h"

static int nothing(realtype t, N_Vector y, N_Vector dy, void *user)
{
    (void)t, (void)y, (void)user;
    N_VConst(0, dy);
    return 0;
}

static void formulas_are_those_of_arkode(void **state)
{
    (void)state;
    static const ARKODE_ERKTableID ids[] = {ARKODE_DORMAND_PRINCE_7_4_5, ARKODE_FEHLBERG_13_7_8};
    SUNContext context;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    N_Vector y = arne__vectors_new(3, context);
    for (int k = 0; k < 2; k++) {
        const ARKodeButcherTable theirs = ARKodeButcherTable_LoadERK(ids[k]);
        ARKodeButcherTable ours;
        void *erk = ERKStepCreate(nothing, 0, y, context);
        assert_int_equal(arne__table_set(erk, k == 1), 0);
        realtype t;
        assert_true(ERKStepEvolve(erk, 1, y, &t, ARK_NORMAL) >= 0);
        assert_int_equal(ERKStepGetCurrentButcherTable(erk, &ours), 0);
        assert_int_equal(ours->stages, theirs->stages);
        assert_true(ours->q == theirs->q && ours->p == theirs->p);
        for (int i = 0; i < ours->stages; i++) {
            assert_true(ours->b[i] == theirs->b[i] && ours->c[i] == theirs->c[i] && ours->d[i] == theirs->d[i]);
            for (int j = 0; j < ours->stages; j++) assert_true(ours->A[i][j] == theirs->A[i][j]);
        }
        ARKodeButcherTable_Free(theirs);
        ERKStepFree(&erk);
    }
    arne__vectors_free(y);
    SUNContext_Free(&context);
}

/* Clones do not share their numbers; what is given back is used again, and nothing is left in use by an integrator. */
static void vectors_come_from_the_store(void **state)
{
    (void)state;
    SUNContext context;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    N_Vector y = arne__vectors_new(2, context), all[64];
    for (int round = 0; round < 3; round++) {
        int count = 0;
        for (; count < 64 && (all[count] = y->ops->nvclone(y)); count++) N_VConst(count, all[count]);
        assert_int_equal(count, 63);
        for (int i = 0; i < count; i++) assert_true(N_VMaxNorm(all[i]) == i);
        double other[2] = {-1, -1};
        N_VSetArrayPointer(other, all[5]); /* as CVODE does with empty clones */
        for (int i = 0; i < count; i++) N_VDestroy(all[i]);
    }
    arne__vectors_free(y);
    SUNContext_Free(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_those_of_arkode),
        cmocka_unit_test(vectors_come_from_the_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
