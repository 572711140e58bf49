/* SPDX-License-Identifier: MIT
 *
 * sincos.c - the sine and cosine that generated code carries with it: the arithmetic of num/sincos.inc, by the vectors of gcc and
 * clang as wide as the machine it is compiled for, or by libm elsewhere. */
#include "codegen/print.h"

/* '@' stands for the prefix */
static const char *const text[] = {
    "#if defined(__GNUC__)",
    "#if defined(__AVX512F__) && defined(__AVX512DQ__)",
    "enum { @_LANES = 8 };",
    "#elif defined(__AVX__)",
    "enum { @_LANES = 4 };",
    "#else",
    "enum { @_LANES = 2 };",
    "#endif",
    "typedef double @_lane __attribute__((vector_size(8 * @_LANES)));",
    "typedef long long @_lane_bits __attribute__((vector_size(8 * @_LANES)));",
    "",
    "/* sines and cosines of n angles, n a multiple of 8; error below 1 ulp up to 1e5, libm beyond */",
    "static inline void @_sincos(const double *angle, double *s, double *c, int n)",
    "{",
    "    for (int i = 0; i < n; i += @_LANES) {",
    "        @_lane x;",
    "        memcpy(&x, angle + i, sizeof x);",
    "        const @_lane t = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, k = t - 0x1.8p52;",
    "        const @_lane_bits quadrant = (@_lane_bits)t;",
    "        const @_lane r0 = x - k * 0x1.921fb544p+0, w0 = k * 0x1.0b4611a6p-34, r1 = r0 - w0;",
    "        const @_lane w1 = k * 0x1.3198a2e037073p-69 - ((r0 - r1) - w0), y = r1 - w1, tail = (r1 - y) - w1;",
    "        const @_lane z = y * y, z2 = z * z, z4 = z2 * z2;",
    "        const @_lane p =",
    "            ((z * 0x1.111111111111p-7 + -0x1.5555555555555p-3) + z2 * (z * 0x1.71de3a545f836p-19 + -0x1.a01a01a01992fp-13)) "
    "+",
    "            z4 * ((z * 0x1.61217d9252c03p-33 + -0x1.ae645410e937bp-26) + z2 * -0x1.ab16f5caa198ap-41);",
    "        const @_lane q =",
    "            ((z * -0x1.6c16c16c16963p-10 + 0x1.5555555555555p-5) + z2 * (z * -0x1.27e4fa16cc2d1p-22 + "
    "0x1.a01a019f4ddfdp-16)) +",
    "            z4 * (z * -0x1.907cd8ff5ede7p-37 + 0x1.1eeb67d026ec6p-29);",
    "        const @_lane half = z * 0.5, rest = 1.0 - half;",
    "        const @_lane_bits sy = (@_lane_bits)(y + (tail * rest + y * (z * p)));",
    "        const @_lane_bits cy = (@_lane_bits)(rest + (((1.0 - rest) - half) + (z2 * q - y * tail)));",
    "        const @_lane_bits odd = -(quadrant & 1);",
    "        const @_lane_bits sn = ((cy & odd) | (sy & ~odd)) ^ ((quadrant & 2) << 62);",
    "        const @_lane_bits cn = ((sy & odd) | (cy & ~odd)) ^ (((quadrant + 1) & 2) << 62);",
    "        memcpy(s + i, &sn, sizeof sn);",
    "        memcpy(c + i, &cn, sizeof cn);",
    "    }",
    "    for (int i = 0; i < n; i++)",
    "        if (__builtin_expect(!(fabs(angle[i]) <= 1e5), 0)) s[i] = sin(angle[i]), c[i] = cos(angle[i]);",
    "}",
    "#else",
    "static inline void @_sincos(const double *angle, double *s, double *c, int n)",
    "{",
    "    for (int i = 0; i < n; i++) s[i] = sin(angle[i]), c[i] = cos(angle[i]);",
    "}",
    "#endif",
};

void print_sincos(FILE *f, const char *prefix)
{
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        for (const char *at = text[i]; *at; at++) {
            if (*at == '@')
                fputs(prefix, f);
            else
                fputc(*at, f);
        }
        fputc('\n', f);
    }
}
