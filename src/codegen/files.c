/* SPDX-License-Identifier: MIT
 *
 * files.c - the files of a robot's own code: the header with a receipt, and the source. */
#include <ctype.h>
#include <string.h>

#include "arne/arne.h"
#include "codegen/code.h"

enum { LINE = 118 };

/* a name of the robot file inside a comment: whatever it holds, it stays there */
static int print_comment(FILE *f, const char *text)
{
    int length = 0;
    for (; *text; text++, length++) fputc(isprint((unsigned char)*text) && !strchr("*/\\?", *text) ? *text : '_', f);
    return length;
}

/* words of a list, on as many lines as they need */
static int print_word(FILE *f, int column, const char *word, const char *end)
{
    const int length = (int)(strlen(word) + strlen(end));
    if (column + 1 + length > LINE) {
        fputs("\n *    ", f);
        column = 6;
    }
    fputc(' ', f);
    print_comment(f, word);
    fputs(end, f);
    return column + 1 + length;
}

static void print_source_line(FILE *f, const char *source)
{
    char word[64];
    int column = fprintf(f, " * Robot:");
    for (size_t length; *source; source += length + (source[length] == ' ')) {
        length = strcspn(source, " ");
        if (length >= sizeof word) length = sizeof word - 1;
        snprintf(word, sizeof word, "%.*s", (int)length, source);
        column = print_word(f, column, word, "");
    }
    fputs(".\n", f);
}

const code_input arne__code_inputs[CODE_INPUTS] = {{"q", 0, 0},   {"qd", 1, 1},   {"qa", 4, 3},   {"qdd", 2, 2},
                                                   {"tau", 3, 2}, {"qddd", 5, 3}, {"qdddd", 6, 4}};

const char *arne__code_input(int bit)
{
    int k = 0;
    while (arne__code_inputs[k].bit != bit) k++;
    return arne__code_inputs[k].name;
}

static const char *real(const code *c) { return c->o.single ? "float" : "double"; }
static int bodies(const code *c) { return arne_model_bodies(arne_data_model(c->d)); }
static bool is_wide(const arne_model *m) { return arne_model_nq(m) != arne_model_nv(m); }

static void print_prototype(FILE *f, const code *c, const function *fn, int lanes)
{
    fprintf(f, c->o.casadi ? "static void %s_%s_lines" : "void %s_%s", c->o.name, fn->name);
    if (lanes) fprintf(f, "_x%d", lanes);
    fputc('(', f);
    if (c->o.live) fprintf(f, "const %s *parameters, ", real(c));
    for (int k = 0; k < CODE_INPUTS; k++)
        if (fn->inputs & 1u << arne__code_inputs[k].bit) fprintf(f, "const %s *%s, ", real(c), arne__code_inputs[k].name);
    fprintf(f, "%s *%s)", real(c), fn->output);
}

static void print_robot(FILE *f, const code *c)
{
    const arne_model *m = arne_data_model(c->d);
    const int n = arne_model_joints(m), nq = arne_model_nq(m), nv = arne_model_nv(m);
    int column;
    fprintf(f, "/* %s.%s - dynamics of the robot \"", c->o.name, c->o.cuda ? "cuh" : "h");
    print_comment(f, arne_model_name(m));
    fprintf(f, "\", %d joint%s, written by arne %s. Do not edit.\n *\n", n, n == 1 ? "" : "s", ARNE_VERSION);
    if (c->o.source) print_source_line(f, c->o.source);
    column = fprintf(f, is_wide(m) ? " * q, %d numbers:" : " * Joints in order:", nq);
    for (int i = 0; i < nq; i++) column = print_word(f, column, arne_position_name(m, i), i + 1 < nq ? "," : ".\n");
    if (!is_wide(m)) return;
    column = fprintf(f, " * qd, qdd, tau, %d numbers:", nv);
    for (int i = 0; i < nv; i++) column = print_word(f, column, arne_velocity_name(m, i), i + 1 < nv ? "," : ".\n");
    fputs(" * x y z: place of the link's origin in the frame before its joint; qx qy qz qw: quaternion of its turn, of unit "
          "length, which is\n"
          " * left to the caller; v and w: velocity of the origin and angular velocity, in link axes, as are force and moment.\n"
          " * Derivatives by q are along these velocities.\n",
          f);
}

static void print_parameters(FILE *f, const code *c)
{
    const int all = ARNE_LINK_PARAMETERS * bodies(c), count = c->parameters ? c->nparameter : all;
    int column =
        fprintf(f, " * %d %s inertial parameters, %s rotor inertia and friction%s", count, count < all ? "base" : "standard",
                arne_settings_rotors(arne_data_settings_used(c->d)) ? "with" : "without", c->parameters ? ":" : ".");
    for (int k = 0; k < c->nparameter; k++) {
        char name[16];
        arne_parameter_name(bodies(c), c->parameters[k], name);
        column = print_word(f, column, name, k + 1 < count ? "" : ".");
    }
    fputc('\n', f);
}

static void print_use(FILE *f, const code *c)
{
    const char *name = c->o.name;
    const function *fn = &c->list[0].fn;
    const arne_model *m = arne_data_model(c->d);
    fputs(" * SI units, radians. ", f);
    if (is_wide(m))
        fprintf(f, "Vectors have %d entries, q has %d, ", arne_model_nv(m), arne_model_nq(m));
    else
        fprintf(f, "Vectors have %d entries, ", arne_model_nv(m));
    fprintf(f,
            "matrices are %s major. The code %sallocates nothing, has no\n * state and cannot fail; input and output may "
            "not overlap.\n",
            c->o.casadi ? "column" : "row", c->o.cuda ? "" : "needs libm, ");
    if (c->o.single)
        fputs(" * Single precision: float throughout, constants rounded from double. Torques are within 1e-5 of the largest.\n",
              f);
    for (int i = 0; i < c->count; i++) {
        const int row = arne_quantity_find(c->list[i].fn.name);
        if (row >= 0 && arne_quantity_at(row)->options & ARNE_OF_LINK) {
            fputs(" * Link of pose, velocity, jacobian and the like: ", f);
            print_comment(f, arne_link_name(m, c->o.link));
            fputs(".\n", f);
            break;
        }
    }
    if (c->o.live)
        fprintf(f,
                " * `parameters` are the inertial parameters above, in this order; %s_parameters are those of the robot file. "
                "Change a\n * copy for a payload or an identified model. fd and dfd need an inertia matrix that is positive "
                "definite.\n",
                name);
    if (c->o.casadi) {
        fprintf(
            f,
            " * Functions are those that CasADi loads (and acados with it), matrices there column by column without structural "
            "zeros:\n *\n *     cc -O3 -march=native -shared -fPIC %s.c -o %s.so -lm\n"
            " *     f = casadi.external(\"%s_%s\", \"./%s.so\")\n",
            name, name, name, fn->name, name);
        return;
    }
    fprintf(f, " *\n *     %s %s[%d];\n *     %s_%s(%s%s", real(c), fn->output, c->list[0].s.nout, name, fn->name,
            c->o.live ? name : "", c->o.live ? "_parameters, " : "");
    for (int k = 0; k < CODE_INPUTS; k++)
        if (fn->inputs & 1u << arne__code_inputs[k].bit) fprintf(f, "%s, ", arne__code_inputs[k].name);
    fprintf(f, "%s);\n *\n", fn->output);
    if (c->o.cuda) {
        fprintf(
            f,
            " * Templates for double and float: in a kernel of yours, %s_%s above; over arrays with entry i of state k at i n + "
            "k,\n"
            " * a kernel that takes them in the same order:\n *\n *     %s_%s_batch<<<(n + 127) / 128, 128>>>(n, ...);\n *\n"
            " * Functions of several parts, NAME_parts of them: dim3((n + 127) / 128, %s_%s_parts) blocks compute all parts at "
            "once.\n * Compile with nvcc, or as C++17 by any compiler with -ffp-contract=off. The bits are those of the C code, "
            "unless\n * ARNE_FMA or ARNE_TURNS is set, see below; exp and pow (friction that falls with speed) are the "
            "device's.\n",
            name, fn->name, name, fn->name, name, fn->name);
        return;
    }
    fprintf(f,
            " * Compile with -O3 -march=native -ffp-contract=off: without contraction the bits are the same on every machine "
            "(gcc 12\n * contracts some pairs of sums all the same, unless -fno-tree-slp-vectorize is there too), with it some "
            "functions are up to a\n * tenth faster. gcc 12 on AMD: add -mtune=generic.\n");
    if (c->o.lanes)
        fprintf(f,
                " * Functions in _x%d take %d states a call, entry i of state l at i * %d + l of every array; their bits are "
                "those of the\n * functions of one state where contraction is off. They need gcc or clang.\n",
                c->o.lanes, c->o.lanes, c->o.lanes);
}

static void print_table(FILE *f, const code *c)
{
    const int bytes = c->o.single ? 4 : 8;
    fprintf(f,
            " *\n * Work and memory. depth: longest chain of operations. stack: the most values that are computed and still "
            "needed at one\n * time, %d bytes each; what a compiler keeps in registers it need not store.\n",
            bytes);
    fprintf(f, " *\n * %-16s %6s %6s %4s %6s %6s %6s  stack\n", "function", "mul", "add", "div", "sincos", "other", "depth");
    for (int i = 0; i < c->count; i++) {
        const graph_count *k = &c->list[i].cost;
        fprintf(f, " * %-16s %6ld %6ld %4ld %6ld %6ld %6ld  %ld values, %ld bytes\n", c->list[i].fn.name, k->mul, k->add, k->div,
                k->trig, k->other, k->depth, c->list[i].alive, bytes * c->list[i].alive);
    }
    fputs(" */\n", f);
}

void arne__print_receipt(FILE *f, const code *c)
{
    print_robot(f, c);
    print_parameters(f, c);
    print_use(f, c);
    print_table(f, c);
}

void arne__print_live(FILE *f, const code *c)
{
    fprintf(f, "%s %s %s_parameters[%d] = {\n", c->o.cuda ? "static const" : "const", real(c), c->o.name, c->nparameter);
    for (int k = 0; k < c->nparameter; k++) {
        char own[16];
        arne_parameter_name(bodies(c), c->parameters[k], own);
        fputs("    ", f);
        arne__print_number(f, c->values[k], c->o.single);
        fprintf(f, ", /* %s */\n", own);
    }
    fputs("};\n\n", f);
}

void arne__print_header(FILE *f, const code *c)
{
    const arne_model *m = arne_data_model(c->d);
    const char *name = c->o.name;
    arne__print_receipt(f, c);
    fprintf(f, "#ifndef %s_ARNE_H\n#define %s_ARNE_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", name, name);
    fprintf(f, "enum { %s_dof = %d, %s_nq = %d };\n", name, arne_model_nv(m), name, arne_model_nq(m));
    if (c->o.live) fprintf(f, "extern const %s %s_parameters[%d];\n", real(c), name, c->nparameter);
    fputc('\n', f);
    if (c->o.casadi) arne__casadi_prototypes(f, c);
    for (int i = 0; i < c->count && !c->o.casadi; i++) {
        print_prototype(f, c, &c->list[i].fn, 0);
        fprintf(f, "; /* %s */\n", c->list[i].fn.about);
    }
    for (int i = 0; i < c->count && c->o.lanes; i++) {
        if (i == 0) fputc('\n', f);
        print_prototype(f, c, &c->list[i].fn, c->o.lanes);
        fputs(";\n", f);
    }
    fputs("\n#ifdef __cplusplus\n}\n#endif\n#endif\n", f);
}

static bool write_function(FILE *f, const code *c, item *it, int lanes)
{
    const function *fn = &it->fn;
    char name[32], prototype[512] = "";
    FILE *line = fmemopen(prototype, sizeof prototype, "w");
    if (!line) return false;
    print_prototype(line, c, fn, lanes);
    if (fclose(line)) return false;
    snprintf(name, sizeof name, lanes ? "%s_x%d" : "%s", fn->name, lanes);
    print_names names = {.prefix = c->o.name,
                         .function = name,
                         .prototype = prototype,
                         .live = c->o.live,
                         .lanes = lanes,
                         .single = c->o.single,
                         .output = fn->output};
    for (int k = 0; k < CODE_INPUTS; k++)
        if (fn->inputs & 1u << arne__code_inputs[k].bit) names.group[arne__code_inputs[k].bit] = arne__code_inputs[k].name;
    fputc('\n', f);
    const long alive = arne__print_function(f, it->s.g, it->s.out, it->s.nout, &names);
    if (!lanes) it->alive = alive;
    return alive >= 0;
}

bool arne__print_source(FILE *f, const code *c)
{
    const char *name = c->o.name;
    bool turns = false;
    for (int i = 0; i < c->count; i++) turns = turns || c->list[i].cost.trig > 0;
    fprintf(f, "/* %s.c - see %s.h. Do not edit. */\n#include \"%s.h\"\n\n#include <math.h>\n#include <string.h>\n\n", name, name,
            name);
    fputs("#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n#endif\n\n", f);
    if (c->o.live) arne__print_live(f, c);
    fprintf(f, "#if defined(__GNUC__)\n#define %s_APART __attribute__((noinline))\n#else\n#define %s_APART\n#endif\n\n", name,
            name);
    arne__print_lanes(f, name, 0, turns, c->o.single);
    bool vectors = false;
    for (int i = 0; i < c->count; i++) vectors = vectors || arne__sym_vectors(c->list[i].s.g) > 0;
    if (vectors) arne__print_side_by_side(f, name, c->o.single);
    for (int i = 0; i < c->count; i++)
        if (!write_function(f, c, &c->list[i], 0)) return false;
    if (c->o.casadi) arne__casadi_print(f, c);
    if (!c->o.lanes) return true;
    fputs("\n#if defined(__GNUC__)\n", f);
    arne__print_lanes(f, name, c->o.lanes, turns, c->o.single);
    for (int i = 0; i < c->count; i++)
        if (!write_function(f, c, &c->list[i], c->o.lanes)) return false;
    fputs("#endif\n", f);
    return true;
}
