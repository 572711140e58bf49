/* SPDX-License-Identifier: MIT
 *
 * tay4.c - the texts with four time derivatives: those that elastic joints and Mdot x are made of. */
#define KIND tay4
#include "algo/work.c"
#include "algo/friction.c"
#include "algo/kin.c"
#include "algo/wrench.c"
#include "algo/rne.c"
#include "algo/sums.c"
#include "kind/series.inc"
