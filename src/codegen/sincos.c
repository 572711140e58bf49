/* SPDX-License-Identifier: MIT
 *
 * sincos.c - the sine and cosine that generated code carries with it: the arithmetic of num/sincos.inc by the vectors of gcc and
 * clang, so that all angles of a robot are one or two evaluations; libm elsewhere. */
#include <string.h>

#include "codegen/print.h"

/* Four lanes at most: single values leave a wider vector slowly (doc/codegen.md). '@' stands for the prefix. */
static const char *const narrow[] = {
    "#if defined(__GNUC__) && defined(__AVX__)",
    "enum { @_lane_WIDTH = 4 };",
    "#define @_FOUR(a, b, c, d) {a, b, c, d}",
    "#elif defined(__GNUC__)",
    "enum { @_lane_WIDTH = 2 };",
    "#define @_FOUR(a, b, c, d) {a, b}, {c, d}",
    "#else",
    "enum { @_lane_WIDTH = 1 };",
    "#define @_FOUR(a, b, c, d) a, b, c, d",
    "#endif",
    "",
};

static const char *const narrow32[] = {
    "#if defined(__GNUC__)",
    "enum { @_lane_WIDTH = 4 };",
    "#define @_FOUR(a, b, c, d) {a, b, c, d}",
    "#else",
    "enum { @_lane_WIDTH = 1 };",
    "#define @_FOUR(a, b, c, d) a, b, c, d",
    "#endif",
    "",
};

static const char *const begin[] = {"#if defined(__GNUC__)"};

/* '$' stands for the name of the type */
static const char *const types[] = {
    "typedef double $ __attribute__((vector_size(8 * $_WIDTH)));",
    "typedef long long $_bits __attribute__((vector_size(8 * $_WIDTH)));",
    "",
};

static const char *const types32[] = {
    "typedef float $ __attribute__((vector_size(4 * $_WIDTH)));",
    "typedef int $_bits __attribute__((vector_size(4 * $_WIDTH)));",
    "",
};

/* num/inl.h */
static const char *const kept[] = {
    "/* Numbers as they are, though -ffast-math would reorder what is done with them; by way of integers where the compiler",
    " * has no word for that, with a bit that is zero. */",
    "#if defined(__has_builtin) && !defined(@_KEPT)",
    "#if __has_builtin(__builtin_assoc_barrier)",
    "#define @_KEPT(type, x, bit) __builtin_assoc_barrier(x)",
    "#elif __has_builtin(__arithmetic_fence) && defined(__x86_64__)",
    "#define @_KEPT(type, x, bit) __arithmetic_fence(x)",
    "#endif",
    "#endif",
    "#ifndef @_KEPT",
    "#define @_KEPT(type, x, bit) ((type)((type##_bits)(x) & ~(1LL << (bit))))",
    "#endif",
    "",
};

static const char *const sincos_text[] = {
    "/* Sines and cosines of the angles in m vectors, 1 or 2, in turns, so that neither waits for itself. Beyond 2^16 quarter",
    " * turns, and where x is no number, more bits of t change than the last 17: away. */",
    "static inline __attribute__((always_inline)) void\n$_near(const $ *x, double *s, double *c, int m, $_bits *away)",
    "{",
    "    const $ big = 0x1.800000001p52 - ($){0};",
    "    const $_bits top = (($_bits){0} + 1) << 63;",
    "    $ t[2], y[2], w[2], z[2], z2[2], p[2], q[2], half[2], rest[2];",
    "    for (int j = 0; j < m; j++) t[j] = x[j] * 0x1.45f306dc9c883p-1 + big;",
    "    for (int j = 0; j < m; j++) {",
    "        const $ k = @_KEPT($, t[j], 61) - big;",
    "        const $ r = @_KEPT($, x[j] - k * 0x1.921fb544p+0, 62), v = k * 0x1.0b4611a6p-34;",
    "        y[j] = r - v;",
    "        w[j] = k * 0x1.3198a2e037073p-69 - ((r - y[j]) - v);",
    "    }",
    "    for (int j = 0; j < m; j++) z[j] = y[j] * y[j];",
    "    for (int j = 0; j < m; j++) z2[j] = z[j] * z[j];",
    "    for (int j = 0; j < m; j++) p[j] = z[j] * 0x1.5d92342a70389p-33 + -0x1.ae5e6389a874fp-26;",
    "    for (int j = 0; j < m; j++) q[j] = z[j] * -0x1.9004a1563fa85p-37 + 0x1.1eea94fb72966p-29;",
    "    for (int j = 0; j < m; j++) p[j] = (z[j] * 0x1.71de35745e67fp-19 + -0x1.a01a019c0ddafp-13) + z2[j] * p[j];",
    "    for (int j = 0; j < m; j++) q[j] = (z[j] * -0x1.27e4f906850d9p-22 + 0x1.a01a019e137fcp-16) + z2[j] * q[j];",
    "    for (int j = 0; j < m; j++) p[j] = (z[j] * 0x1.111111110f85dp-7 + -0x1.5555555555549p-3) + z2[j] * p[j];",
    "    for (int j = 0; j < m; j++) q[j] = (z[j] * -0x1.6c16c16c15fbap-10 + 0x1.5555555555552p-5) + z2[j] * q[j];",
    "    for (int j = 0; j < m; j++) half[j] = z[j] * 0.5, rest[j] = 1.0 - half[j];",
    "    for (int j = 0; j < m; j++) p[j] = y[j] + (y[j] * (z[j] * p[j]) - w[j] * rest[j]);",
    "    for (int j = 0; j < m; j++) q[j] = rest[j] + (((1.0 - rest[j]) - half[j]) + (z2[j] * q[j] + y[j] * w[j]));",
    "    for (int j = 0; j < m; j++) {",
    "        const $_bits sy = ($_bits)p[j], cy = ($_bits)q[j];",
    "        const $_bits first = ($_bits)t[j] << 63, second = ($_bits)t[j] << 62;",
    "        const $_bits exchange = (sy ^ cy) & (first >> 63);",
    "        const $_bits sn = sy ^ exchange ^ (second & top), cn = cy ^ exchange ^ ((second ^ first) & top);",
    "        memcpy(s + j * $_WIDTH, &sn, sizeof sn);",
    "        memcpy(c + j * $_WIDTH, &cn, sizeof cn);",
    "        *away |= ($_bits)t[j] ^ ($_bits)big;",
    "    }",
    "}",
    "",
    "/* Sines and cosines of the angles in n vectors; error below 1 ulp up to 2^16 quarter turns, libm beyond. */",
    "static inline void $_sincos(const $ *angle, double *s, double *c, int n)",
    "{",
    "    const $ big = 0x1.800000001p52 - ($){0};",
    "    $_bits away = {0};",
    "1    for (int i = 0; i < n; i++) $_near(angle + i, s + i * $_WIDTH, c + i * $_WIDTH, 1, &away);",
    "2    for (int i = 0; i + 1 < n; i += 2) $_near(angle + i, s + i * $_WIDTH, c + i * $_WIDTH, 2, &away);",
    "2    if (n % 2) $_near(angle + n - 1, s + (n - 1) * $_WIDTH, c + (n - 1) * $_WIDTH, 1, &away);",
    "    long long far = 0;",
    "    away >>= 17;",
    "    for (int l = 0; l < $_WIDTH; l++) far |= away[l];",
    "    for (int i = 0; i < n && __builtin_expect(far != 0, 0); i++) {",
    "        const $_bits beyond = (($_bits)(angle[i] * 0x1.45f306dc9c883p-1 + big) ^ ($_bits)big) >> 17;",
    "        for (int l = 0; l < $_WIDTH; l++)",
    "            if (beyond[l]) {",
    "                s[i * $_WIDTH + l] = sin(angle[i][l]);",
    "                c[i * $_WIDTH + l] = cos(angle[i][l]);",
    "            }",
    "    }",
    "}",
    "",
};

/* num/sincos32.inc */
static const char *const sincos_text32[] = {
    "/* Sines and cosines of the angles in m vectors, 1 or 2, in turns, so that neither waits for itself; where they are near.",
    " * k = t - 0x1.8p23 and its first differences go by way of integers (none is zero): -ffast-math would fold them. */",
    "static inline __attribute__((always_inline)) void\n$_near(const $ *x, float *s, float *c, int m, $_bits *near)",
    "{",
    "    $ t[2], y[2], w[2], z[2], z2[2], p[2], q[2], half[2], rest[2];",
    "    for (int j = 0; j < m; j++) t[j] = x[j] * 0x1.45f306p-1f + 0x1.8p23f;",
    "    for (int j = 0; j < m; j++) {",
    "        const $_bits none = ($_bits)t[j] & (1 << 29);",
    "        const $ k = ($)(($_bits)t[j] + 1) - 0x1.800002p23f;",
    "        const $ first = ($)(($_bits)(x[j] - k * 0x1.92p+0f) ^ none);",
    "        const $ r = ($)(($_bits)(first - k * 0x1.fap-12f) ^ none);",
    "        const $ third = k * 0x1.54p-20f, fourth = k * 0x1.10b462p-30f, v = third + fourth;",
    "        y[j] = r - v;",
    "        w[j] = (fourth - (v - third)) - ((r - y[j]) - v);",
    "    }",
    "    for (int j = 0; j < m; j++) z[j] = y[j] * y[j];",
    "    for (int j = 0; j < m; j++) z2[j] = z[j] * z[j];",
    "    for (int j = 0; j < m; j++) p[j] = (z[j] * -0x1.991a54p-13f + 0x1.1106c8p-7f) * z[j] + -0x1.555544p-3f;",
    "    for (int j = 0; j < m; j++) q[j] = (z[j] * -0x1.6c0e84p-10f + 0x1.55554ep-5f) + z2[j] * 0x1.9a7edp-16f;",
    "    for (int j = 0; j < m; j++) half[j] = z[j] * 0.5f, rest[j] = 1.0f - half[j];",
    "    for (int j = 0; j < m; j++) p[j] = y[j] + (y[j] * (z[j] * p[j]) - w[j] * rest[j]);",
    "    for (int j = 0; j < m; j++) q[j] = rest[j] + (((1.0f - rest[j]) - half[j]) + (z2[j] * q[j] + y[j] * w[j]));",
    "    for (int j = 0; j < m; j++) {",
    "        const $_bits sy = ($_bits)p[j], cy = ($_bits)q[j], quadrant = ($_bits)t[j];",
    "        const $_bits exchange = (sy ^ cy) & -(quadrant & 1);",
    "        const $_bits sn = sy ^ exchange ^ ((quadrant & 2) << 30), cn = cy ^ exchange ^ (((quadrant + 1) & 2) << 30);",
    "        memcpy(s + j * $_WIDTH, &sn, sizeof sn);",
    "        memcpy(c + j * $_WIDTH, &cn, sizeof cn);",
    "        *near &= ($_bits)(x[j] <= 1e5f) & ($_bits)(x[j] >= -1e5f);",
    "    }",
    "}",
    "",
    "/* Sines and cosines of the angles in n vectors; error below 6e-8 up to 1e5, libm beyond. */",
    "static inline void $_sincos(const $ *angle, float *s, float *c, int n)",
    "{",
    "    $_bits near = ($_bits){0} - 1;",
    "1    for (int i = 0; i < n; i++) $_near(angle + i, s + i * $_WIDTH, c + i * $_WIDTH, 1, &near);",
    "2    for (int i = 0; i + 1 < n; i += 2) $_near(angle + i, s + i * $_WIDTH, c + i * $_WIDTH, 2, &near);",
    "2    if (n % 2) $_near(angle + n - 1, s + (n - 1) * $_WIDTH, c + (n - 1) * $_WIDTH, 1, &near);",
    "    int all = -1;",
    "    for (int l = 0; l < $_WIDTH; l++) all &= near[l];",
    "    for (int i = 0; i < n && __builtin_expect(!all, 0); i++)",
    "        for (int l = 0; l < $_WIDTH; l++)",
    "            if (!(fabsf(angle[i][l]) <= 1e5f)) {",
    "                s[i * $_WIDTH + l] = sinf(angle[i][l]);",
    "                c[i * $_WIDTH + l] = cosf(angle[i][l]);",
    "            }",
    "}",
    "",
};

static const char *const by_libm32[] = {
    "#else", "typedef float $;",
    "",      "static inline void $_sincos(const $ *angle, float *s, float *c, int n)",
    "{",     "    for (int i = 0; i < n; i++) s[i] = sinf(angle[i]), c[i] = cosf(angle[i]);",
    "}",     "#endif",
};

static const char *const by_libm[] = {
    "#else", "typedef double $;",
    "",      "static inline void $_sincos(const $ *angle, double *s, double *c, int n)",
    "{",     "    for (int i = 0; i < n; i++) s[i] = sin(angle[i]), c[i] = cos(angle[i]);",
    "}",     "#endif",
};

/* Lines that begin with 1 are for the angles of one state, those with 2 for states in lanes: two vectors in turns pay there. */
static void print_lines(FILE *f, const char *const *line, size_t count, const char *prefix, const char *type)
{
    const char own = strcmp(type, "lane") ? '2' : '1', other = own == '1' ? '2' : '1';
    for (size_t i = 0; i < count; i++) {
        if (*line[i] == other) continue;
        for (const char *at = line[i] + (*line[i] == own); *at; at++) {
            if (*at == '@')
                fputs(prefix, f);
            else if (*at == '$')
                fprintf(f, "%s_%s", prefix, type);
            else
                fputc(*at, f);
        }
        fputc('\n', f);
    }
}

#define PRINT(lines, type) print_lines(f, lines, sizeof lines / sizeof *lines, prefix, type)
#define PRINT_REAL(lines, type) (single ? PRINT(lines##32, type) : PRINT(lines, type))

static const char *const wide[] = {
    "/* 1: vectors in functions of one state, where the machine has them. 0: one number at a time. */",
    "#if !defined(@_VECTORS) && defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__))",
    "#define @_VECTORS 1",
    "#endif",
    "#if @_VECTORS",
};

/* of how many numbers a register of the machine is */
static const char *const widths[] = {
    "#if defined(__AVX512F__)",
    "#define @_WIDTH 8",
    "#elif defined(__AVX__)",
    "#define @_WIDTH 4",
    "#else",
    "#define @_WIDTH 2",
    "#endif",
    "typedef double @_number;",
};

static const char *const widths32[] = {
    "#if defined(__AVX__)", "#define @_WIDTH 8", "#else", "#define @_WIDTH 4", "#endif", "typedef float @_number;",
};

/* Eight numbers of one state side by side: u and v[] of whole vectors or of parts, as the machine has them. */
static const char *const parts[] = {
    "typedef @_number @_part __attribute__((vector_size(@_WIDTH * sizeof(@_number))));",
    "typedef union {",
    "    @_number d[8];",
    "    @_part p[8 / @_WIDTH];",
    "} @_row;",
    "#define @_U(k, h) u##k##_##h",
    "#define @_V(k, h) v[k].p[h]",
    "#define @_K(k, h) row##k.p[h]",
    "#define @_S(x, h) (x)",
    "#define @_LET_PART(h, k, A, a, op, B, b) const @_part u##k##_##h = @_##A(a, h) op @_##B(b, h)",
    "#define @_PUT_PART(h, k, A, a, op, B, b) v[k].p[h] = @_##A(a, h) op @_##B(b, h)",
    "#if @_WIDTH == 8",
    "#define @_PARTS(do, ...) do(0, __VA_ARGS__)",
    "#elif @_WIDTH == 4",
    "#define @_PARTS(do, ...) do(0, __VA_ARGS__); do(1, __VA_ARGS__)",
    "#else",
    "#define @_PARTS(do, ...) do(0, __VA_ARGS__); do(1, __VA_ARGS__); do(2, __VA_ARGS__); do(3, __VA_ARGS__)",
    "#endif",
    "#define @_LET(...) @_PARTS(@_LET_PART, __VA_ARGS__)",
    "#define @_PUT(...) @_PARTS(@_PUT_PART, __VA_ARGS__)",
    "/* Vectors of eight are shuffled where they are added and multiplied: lanes that many take are loads. */",
    "#if @_WIDTH == 8",
    "#define @_IN_MEMORY(k) __asm__(\"\" : \"+m\"(v[k]))",
    "#else",
    "#define @_IN_MEMORY(k) (void)0",
    "#endif",
    "/* gcc makes vectors of single statements too: more shuffles than they save, and contracted sums whatever it is told. */",
    "#if defined(__clang__)",
    "#define @_SINGLY",
    "#else",
    "#define @_SINGLY __attribute__((optimize(\"no-tree-slp-vectorize\")))",
    "#endif",
    "#endif",
    "",
};

void arne__print_side_by_side(FILE *f, const char *prefix, bool single)
{
    PRINT(wide, "");
    if (single)
        PRINT(widths32, "");
    else
        PRINT(widths, "");
    PRINT(parts, "");
}

void arne__print_lanes(FILE *f, const char *prefix, int lanes, bool turns, bool single)
{
    char type[16] = "lane";
    if (lanes) {
        snprintf(type, sizeof type, "x%d", lanes);
        fprintf(f, "enum { %s_%s_WIDTH = %d };\n", prefix, type, lanes);
        PRINT_REAL(types, type);
        if (turns && !single) PRINT(kept, type);
        if (turns) PRINT_REAL(sincos_text, type);
    } else if (turns) {
        PRINT_REAL(narrow, type);
        PRINT(begin, type);
        PRINT_REAL(types, type);
        if (!single) PRINT(kept, type);
        PRINT_REAL(sincos_text, type);
        PRINT_REAL(by_libm, type);
    }
}
