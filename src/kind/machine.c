/* SPDX-License-Identifier: MIT
 *
 * machine.c - how wide are this machine's vectors? */
#include "kind/kinds.h"

int arne__machine_lanes(void)
{
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return 8;
    if (__builtin_cpu_supports("avx2")) return 4;
#endif
    return 2;
}
