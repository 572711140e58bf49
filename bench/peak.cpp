/* SPDX-License-Identifier: MIT
 *
 * peak.cpp - the arithmetic peak of this machine: multiplications and additions, as many of one as of the other, on vectors of 64
 * bytes, or on as many smaller ones as make up 64. Each waits for itself alone, so that only the units for arithmetic are busy.
 * Few of them fit into the registers of every machine, more of them keep the longer pipes of some machines busy: both are tried,
 * the better one counts. Fused operations are not used: arne has none, its kinds must round alike. */
#include "peers.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_EACH_MACHINE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_MACHINE
#endif

namespace
{
typedef double doubles __attribute__((vector_size(64)));
typedef float floats __attribute__((vector_size(64)));
} // namespace

/* Six pairs, or three. One and zero come from outside: nobody may leave the work out. */
#define PEAK(name, vector, real, pairs)                                                                                          \
    FOR_EACH_MACHINE static real name(size_t rounds, real one, real zero)                                                        \
    {                                                                                                                            \
        vector product[pairs], sum[pairs], a = vector{} + one, b = vector{} + zero;                                              \
        for (int i = 0; i < (pairs); i++) product[i] = a, sum[i] = b;                                                            \
        for (size_t r = 0; r < rounds; r += 2 * (pairs) * sizeof(vector) / sizeof(real)) {                                       \
            _Pragma("GCC unroll 8") for (int i = 0; i < (pairs); i++) product[i] *= a, sum[i] += b;                              \
        }                                                                                                                        \
        for (int i = 0; i < (pairs); i++) a += product[i] + sum[i];                                                              \
        return a[0];                                                                                                             \
    }

PEAK(few_doubles, doubles, double, 3)
PEAK(many_doubles, doubles, double, 6)
PEAK(few_floats, floats, float, 3)
PEAK(many_floats, floats, float, 6)

template <class Real> static Contender peak(const char *quantity, Real (*run)(size_t, Real, Real))
{
    Contender c;
    c.variant = "peak";
    c.quantity = quantity;
    c.calls = "multiplications and additions";
    c.entries = 0;
    c.evaluate = [=](size_t rounds) {
        static volatile Real one = 1, zero = 0;
        static volatile Real sink [[maybe_unused]];
        sink = run(rounds, one, zero);
    };
    return c;
}

Contenders peak_contenders()
{
    return {peak("f64", few_doubles), peak("f64", many_doubles), peak("f32", few_floats), peak("f32", many_floats)};
}
