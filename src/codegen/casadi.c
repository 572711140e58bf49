/* SPDX-License-Identifier: MIT
 *
 * casadi.c - functions that CasADi loads as `external`: around the lines of a function its names, sizes and sparsity patterns,
 * and its Jacobian as jac_FUNCTION, block after block. Matrices are columns of what is not zero always. doc/codegen.md */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/positions.h"
#include "base/random.h"
#include "codegen/code.h"

/* Functions with a Jacobian: by which derivatives, and their inputs in that order */
static const struct {
    const char *name, *by, *jacobian;
    int blocks;
} derived[] = {
    {"id", "did", "jac_id", 3}, {"fd", "dfd", "jac_fd", 3}, {"bias", "did", "jac_bias", 2}, {"gravity", "did", "jac_gravity", 1}};

void arne__casadi_add(code *c, int most)
{
    const int asked = c->count;
    for (int i = 0; i < asked; i++)
        for (size_t k = 0; k < sizeof derived / sizeof *derived && c->count < most; k++) {
            function f;
            if (strcmp(derived[k].name, c->list[i].fn.name) || !arne__code_function(derived[k].by, &f)) continue;
            f.name = derived[k].jacobian;
            f.output = "J";
            f.inputs = c->list[i].fn.inputs;
            c->list[c->count++] = (item){.fn = f, .of = i + 1};
        }
}

/* ---- the Jacobian of a function from derivatives of inverse or forward dynamics ---- */

static sym mapped(const sym *map, int ref) { return ref & 1 ? sym_neg(map[ref >> 1]) : map[ref >> 1]; }

/* the same formulas with zero for the inputs that the function does not have */
static bool at_zero(item *it)
{
    const int size = arne__sym_graph_size(it->s.g);
    symbolic to = {arne__sym_graph_new(), calloc((size_t)it->s.nout, sizeof *to.out), it->s.nout};
    sym *map = calloc((size_t)size + 1, sizeof *map);
    bool ok = to.g && to.out && map;
    for (int i = 0; i < size && ok; i++) {
        const sym_node *x = arne__sym_graph_node(it->s.g, i);
        if (x->op == SYM_INPUT && x->key.row >= KEY_Q && !(it->fn.inputs & 1u << (x->key.row - KEY_Q)))
            map[i] = sym_of(0);
        else if (x->op <= SYM_INPUT)
            map[i] = arne__sym_leaf(to.g, x);
        else
            map[i] = arne__sym_operate(x->op, mapped(map, x->a), x->b >= 0 ? mapped(map, x->b) : sym_of(0));
    }
    for (int k = 0; k < it->s.nout && ok; k++) to.out[k] = it->s.out[k].g ? mapped(map, it->s.out[k].ref) : it->s.out[k];
    free(map);
    ok = ok && !arne__sym_graph_failed(to.g);
    if (ok) arne__symbolic_free(&it->s);
    if (ok)
        it->s = to;
    else
        arne__symbolic_free(&to);
    return ok;
}

static sym input(sym_graph *g, int i) { return arne__sym_input(g, (sym_key){KEY_Q, 0, i}); }
static sym twice(sym a, sym b) { return sym_mul(sym_of(2), sym_mul(a, b)); }

/* What changes of the numbers of a quaternion are as angular velocity, in link axes: 2 (w E - x^, -x) for one of unit length,
 * 3 x 4; and of places, the transpose of its rotation, 3 x 3. */
static void velocities(sym_graph *g, int at, sym T[3][4], sym R[3][3])
{
    const sym e[4] = {input(g, at), input(g, at + 1), input(g, at + 2), input(g, at + 3)};
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        T[k][k] = sym_mul(sym_of(2), e[3]);
        T[k][a] = sym_mul(sym_of(2), e[b]);
        T[k][b] = sym_neg(sym_mul(sym_of(2), e[a]));
        T[k][3] = sym_neg(sym_mul(sym_of(2), e[k]));
        /* row k of the transpose: column k of the rotation */
        R[k][k] = sym_sub(sym_of(1), sym_add(twice(e[a], e[a]), twice(e[b], e[b])));
        R[k][a] = sym_add(twice(e[k], e[a]), twice(e[b], e[3]));
        R[k][b] = sym_sub(twice(e[k], e[b]), twice(e[a], e[3]));
    }
}

/* Derivatives by q from those along velocities: J (nv x nv) to J T (nv x nq). Off the unit length they go on unchanged. */
static void by_numbers(const arne_model *m, sym_graph *g, const sym *J, sym *out)
{
    const int nq = arne_model_nq(m), nv = arne_model_nv(m);
    for (int i = 0; i < arne_model_joints(m); i++) {
        const int turn = arne_joint_turn(m, i), iq = arne_joint_q(m, i), iv = arne_joint_v(m, i);
        sym T[3][4], R[3][3];
        if (turn >= 0) velocities(g, turn, T, R);
        for (int r = 0; r < nv; r++) {
            const sym *row = J + r * nv + iv;
            sym *to = out + r * nq + iq;
            if (turn < 0) {
                to[0] = row[0];
                continue;
            }
            const int places = turn - iq;
            for (int k = 0; k < places; k++) {
                to[k] = sym_of(0);
                for (int j = 0; j < 3; j++) to[k] = sym_add(to[k], sym_mul(row[j], R[j][k]));
            }
            for (int k = 0; k < 4; k++) {
                to[places + k] = sym_of(0);
                for (int j = 0; j < 3; j++) to[places + k] = sym_add(to[places + k], sym_mul(row[places + j], T[j][k]));
            }
        }
    }
}

static bool derive(const code *c, item *it)
{
    const arne_model *m = arne_data_model(c->d);
    const int nq = arne_model_nq(m), nv = arne_model_nv(m);
    for (size_t k = 0; k < sizeof derived / sizeof *derived; k++)
        if (!strcmp(derived[k].jacobian, it->fn.name)) it->parts = derived[k].blocks;
    it->s.nout = it->parts * nv * nv;
    if (!at_zero(it)) return false;
    if (nq == nv) return true;
    const size_t rest = (size_t)((it->parts - 1) * nv * nv);
    sym *out = calloc((size_t)(nv * nq) + rest, sizeof *out);
    if (!out) return false;
    by_numbers(m, it->s.g, it->s.out, out);
    memcpy(out + nv * nq, it->s.out + nv * nv, rest * sizeof *out);
    free(it->s.out);
    it->s.out = out;
    it->s.nout = nv * nq + (int)rest;
    return !arne__sym_graph_failed(it->s.g);
}

/* ---- shapes ---- */

static void part_shape(const code *c, const item *it, int part, int *rows, int *columns)
{
    const arne_model *m = arne_data_model(c->d);
    const int row = arne_quantity_find(it->fn.name), nv = arne_model_nv(m);
    if (it->of) {
        *rows = nv;
        *columns = part == 0 ? arne_model_nq(m) : nv;
    } else if (row >= 0) {
        const arne_part *p = &arne_quantity_at(row)->parts[part];
        *rows = arne_axis_size(p->rows, m);
        *columns = arne_axis_size(p->columns, m);
    } else { /* elastic: torques and their two derivatives */
        *rows = it->s.nout / nv;
        *columns = nv;
    }
}

/* Which outputs are zero always: the formulas at random states, at slow and fast ones, because friction has pieces. What is
 * rounding beside the others counts as zero: sums whose terms cancel do not fold. False: out of memory. */
static bool find_zeros(const code *c, const item *it, bool *zero)
{
    enum { STATES = 12 };
    const arne_model *m = arne_data_model(c->d);
    const int size = arne__sym_graph_size(it->s.g), nq = arne_model_nq(m), n = it->s.nout;
    double *input = calloc((size_t)(size + nq) + 1, sizeof *input), *q = input ? input + size : NULL;
    double *y = malloc(((size_t)n + 1) * sizeof *y), *most = calloc((size_t)n + 1, sizeof *most), largest = 0;
    random_source random = {.state = 11};
    bool ok = input && y && most;
    for (int state = 0; state < STATES && ok; state++) {
        const double fast = pow(10, state % 4 - 2);
        for (int i = 0; i < nq; i++) q[i] = 2 * arne__random_signed(&random);
        arne_normalize(m, NAN, q, NULL);
        for (int i = 0; i < size; i++) {
            const sym_node *x = arne__sym_graph_node(it->s.g, i);
            if (x->op == SYM_INPUT) input[x->a] = x->key.row == KEY_Q ? q[x->key.index] : fast * arne__random_signed(&random);
        }
        ok = arne__graph_evaluate(it->s.g, input, it->s.out, n, y);
        for (int k = 0; k < n && ok; k++) {
            if (!(fabs(y[k]) <= most[k])) most[k] = fabs(y[k]);
            if (most[k] > largest) largest = most[k];
        }
    }
    for (int k = 0; k < n && ok; k++) zero[k] = most[k] <= 1e-14 * largest;
    free(input);
    free(y);
    free(most);
    return ok;
}

/* the pattern of every part, and the outputs in its order */
static bool pack(const code *c, item *it)
{
    const int row = arne_quantity_find(it->fn.name);
    if (!it->of) it->parts = row >= 0 ? arne_quantity_at(row)->nparts : 1;
    sym *out = calloc((size_t)it->s.nout + 1, sizeof *out);
    bool *zero = calloc((size_t)it->s.nout + 1, sizeof *zero), ok = out && zero && find_zeros(c, it, zero);
    int kept = 0;
    for (int p = 0, at = 0; p < it->parts && ok; p++) {
        int rows, columns, *pattern;
        part_shape(c, it, p, &rows, &columns);
        pattern = it->pattern[p] = malloc((size_t)(3 + columns + rows * columns) * sizeof *pattern);
        ok = pattern != NULL;
        if (!ok) break;
        const int first = kept;
        pattern[0] = rows, pattern[1] = columns;
        for (int j = 0; j < columns; j++) {
            pattern[2 + j] = kept - first;
            for (int i = 0; i < rows; i++) {
                const int k = at + i * columns + j;
                if (zero[k]) continue;
                pattern[3 + columns + kept - first] = i;
                out[kept++] = it->s.out[k];
            }
        }
        pattern[2 + columns] = kept - first;
        at += rows * columns;
    }
    free(zero);
    if (!ok) {
        free(out);
        return false;
    }
    free(it->s.out);
    it->s.out = out;
    it->s.nout = kept;
    return arne__graph_cost(it->s.g, it->s.out, it->s.nout, &it->cost);
}

bool arne__casadi_shape(code *c)
{
    bool ok = true;
    for (int i = 0; i < c->count && ok; i++) ok = (!c->list[i].of || derive(c, &c->list[i])) && pack(c, &c->list[i]);
    return ok;
}

void arne__casadi_free(code *c)
{
    for (int i = 0; i < c->count; i++)
        for (int p = 0; p < ARNE_MOST_PARTS; p++) free(c->list[i].pattern[p]);
}

/* ---- the text ---- */

/* its name for the linker */
static void print_symbol(FILE *f, const code *c, const item *it)
{
    if (it->of)
        fprintf(f, "jac_%s_%s", c->o.name, c->list[it->of - 1].fn.name);
    else
        fprintf(f, "%s_%s", c->o.name, it->fn.name);
}

static bool takes(const item *it, int k) { return it->fn.inputs & 1u << arne__code_inputs[k].bit; }
static int input_size(const code *c, int k)
{
    const arne_model *m = arne_data_model(c->d);
    return k == 0 ? arne_model_nq(m) : arne_model_nv(m);
}
static int inputs(const item *it)
{
    int count = 0;
    for (int k = 0; k < CODE_INPUTS; k++) count += takes(it, k);
    return count;
}

static const char *part_name(const item *it, int part)
{
    const int row = arne_quantity_find(it->fn.name);
    const char *name = row >= 0 ? arne_quantity_at(row)->parts[part].name : NULL;
    return name ? name : it->fn.output;
}

static void print_names_in(FILE *f, const code *c, const item *it)
{
    int at = 0;
    for (int k = 0; k < CODE_INPUTS; k++)
        if (takes(it, k)) fprintf(f, "    case %d: return \"%s\";\n", at++, arne__code_inputs[k].name);
    if (it->of) fprintf(f, "    case %d: return \"out_%s\";\n", at, part_name(&c->list[it->of - 1], 0));
}

static void print_names_out(FILE *f, const code *c, const item *it)
{
    if (!it->of) {
        for (int p = 0; p < it->parts; p++) fprintf(f, "    case %d: return \"%s\";\n", p, part_name(it, p));
        return;
    }
    for (int k = 0, at = 0; k < CODE_INPUTS; k++)
        if (takes(it, k))
            fprintf(f, "    case %d: return \"jac_%s_%s\";\n", at++, part_name(&c->list[it->of - 1], 0),
                    arne__code_inputs[k].name);
}

static void print_pattern(FILE *f, const int *x, int count)
{
    fputs("{", f);
    for (int i = 0; i < count; i++) fprintf(f, "%s%d", i ? i % 24 ? ", " : ",\n                                     " : "", x[i]);
    fputs("};\n", f);
}

/* dense: 1 in the place of the first index; nothing: of an output of the function that its Jacobian does not need */
static void print_sparsities(FILE *f, const code *c, const item *it)
{
    int at = 0;
    fputs("    switch (i) {\n", f);
    for (int k = 0; k < CODE_INPUTS; k++)
        if (takes(it, k))
            fprintf(f, "    case %d: { static const casadi_int s[] = {%d, 1, 1}; return s; }\n", at++, input_size(c, k));
    if (it->of) fprintf(f, "    case %d: { static const casadi_int s[] = {%d, 1, 0, 0}; return s; }\n", at, input_size(c, 1));
    fputs("    default: return 0;\n    }\n", f);
}

static void print_sparsities_out(FILE *f, const item *it)
{
    fputs("    switch (i) {\n", f);
    for (int p = 0; p < it->parts; p++) {
        const int *x = it->pattern[p], nnz = x[2 + x[1]], dense[3] = {x[0], x[1], 1};
        fprintf(f, "    case %d: {\n        static const casadi_int s[] = ", p);
        if (nnz == x[0] * x[1])
            print_pattern(f, dense, 3);
        else
            print_pattern(f, x, 3 + x[1] + nnz);
        fputs("        return s;\n    }\n", f);
    }
    fputs("    default: return 0;\n    }\n", f);
}

/* one of the functions about a function; `arguments` with their brackets */
static void begin(FILE *f, const code *c, const item *it, const char *type, const char *about, const char *arguments)
{
    fprintf(f, "%s_EXPORT %s", c->o.name, type);
    print_symbol(f, c, it);
    fprintf(f, "%s%s\n{\n", about, arguments);
}

static void print_evaluation(FILE *f, const code *c, const item *it)
{
    int at = 0;
    begin(f, c, it, "int ", "", "(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)");
    fputs("    (void)res;\n    (void)iw;\n    (void)mem;\n", f);
    fprintf(f, "    %s_%s_lines(", c->o.name, it->fn.name);
    for (int k = 0; k < CODE_INPUTS; k++)
        if (takes(it, k)) {
            fprintf(f, "arg[%d] ? arg[%d] : %s_zeros, ", at, at, c->o.name);
            at++;
        }
    fputs("w);\n", f);
    for (int p = 0, from = 0; p < it->parts; p++) {
        const int nnz = it->pattern[p][2 + it->pattern[p][1]];
        if (nnz) fprintf(f, "    if (res[%d]) memcpy(res[%d], w + %d, %d * sizeof *w);\n", p, p, from, nnz);
        from += nnz;
    }
    fputs("    return 0;\n}\n", f);
}

static void print_item(FILE *f, const code *c, const item *it)
{
    fputc('\n', f);
    print_evaluation(f, c, it);
    begin(f, c, it, "casadi_int ", "_n_in", "(void)");
    fprintf(f, "    return %d;\n}\n", inputs(it) + (it->of > 0));
    begin(f, c, it, "casadi_int ", "_n_out", "(void)");
    fprintf(f, "    return %d;\n}\n", it->parts);
    begin(f, c, it, "casadi_real ", "_default_in", "(casadi_int i)");
    fputs("    (void)i;\n    return 0;\n}\n", f);
    begin(f, c, it, "const char *", "_name_in", "(casadi_int i)");
    fputs("    switch (i) {\n", f);
    print_names_in(f, c, it);
    fputs("    default: return 0;\n    }\n}\n", f);
    begin(f, c, it, "const char *", "_name_out", "(casadi_int i)");
    fputs("    switch (i) {\n", f);
    print_names_out(f, c, it);
    fputs("    default: return 0;\n    }\n}\n", f);
    begin(f, c, it, "const casadi_int *", "_sparsity_in", "(casadi_int i)");
    print_sparsities(f, c, it);
    fputs("}\n", f);
    begin(f, c, it, "const casadi_int *", "_sparsity_out", "(casadi_int i)");
    print_sparsities_out(f, it);
    fputs("}\n", f);
    begin(f, c, it, "int ", "_work", "(casadi_int *sz_arg, casadi_int *sz_res, casadi_int *sz_iw, casadi_int *sz_w)");
    fprintf(
        f,
        "    if (sz_arg) *sz_arg = %d;\n    if (sz_res) *sz_res = %d;\n    if (sz_iw) *sz_iw = 0;\n    if (sz_w) *sz_w = %d;\n"
        "    return 0;\n}\n",
        inputs(it) + (it->of > 0), it->parts, it->s.nout);
    begin(f, c, it, "int ", "_checkout", "(void)");
    fputs("    return 0;\n}\n", f);
    begin(f, c, it, "void ", "_release", "(int mem)");
    fputs("    (void)mem;\n}\n", f);
    begin(f, c, it, "void ", "_incref", "(void)");
    fputs("}\n", f);
    begin(f, c, it, "void ", "_decref", "(void)");
    fputs("}\n", f);
}

void arne__casadi_print(FILE *f, const code *c)
{
    const arne_model *m = arne_data_model(c->d);
    fprintf(f,
            "\n/* ---- for CasADi ---- */\n\nstatic const casadi_real %s_zeros[%d]; /* in the place of an input that is not "
            "given */\n",
            c->o.name, arne_model_nq(m) > arne_model_nv(m) ? arne_model_nq(m) : arne_model_nv(m));
    for (int i = 0; i < c->count; i++) print_item(f, c, &c->list[i]);
}

void arne__casadi_prototypes(FILE *f, const code *c)
{
    fputs(
        "#ifndef casadi_real\n#define casadi_real double\n#endif\n#ifndef casadi_int\n#define casadi_int long long int\n#endif\n",
        f);
    fprintf(
        f,
        "#if defined(_WIN32) || defined(__CYGWIN__)\n#define %s_EXPORT __declspec(dllexport)\n#elif defined(__GNUC__)\n#define "
        "%s_EXPORT __attribute__((visibility(\"default\")))\n#else\n#define %s_EXPORT\n#endif\n\n",
        c->o.name, c->o.name, c->o.name);
    fputs("/* Each also with _n_in, _n_out, _name_in, _name_out, _sparsity_in, _sparsity_out, _default_in, _work, _checkout, "
          "_release,\n * _incref, _decref. */\n",
          f);
    for (int i = 0; i < c->count; i++) {
        fprintf(f, "%s_EXPORT int ", c->o.name);
        print_symbol(f, c, &c->list[i]);
        fputs("(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem);\n", f);
    }
}
