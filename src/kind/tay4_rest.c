/* SPDX-License-Identifier: MIT
 *
 * tay4_rest.c - the other texts with four time derivatives. They need not be fast. */
#define KIND tay4
#include "algo/regressor.c"
#include "algo/crba.c"
#include "algo/ltdl.c"
#include "algo/aba.c"
#include "algo/coriolis.c"
