/* SPDX-License-Identifier: MIT
 *
 * f64_test.c - values of every text as it stands, in double; the public functions may run an instance for
 * wider machines. */
#define AT_ONCE 1
#define VALUE(a, lane) (a)
#define LANES_NEEDED 2
#include "kinds/values.inc"
