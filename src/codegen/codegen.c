/* SPDX-License-Identifier: MIT
 *
 * codegen.c - the files of a robot's own code: header with a receipt, source, test program. */
#include "arne/codegen.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/arne.h"
#include "codegen/print.h"
#include "kind/symbolic.h"

/* A function that can be written. `inputs`: how many of q, qd and the third it takes. */
typedef struct {
    const char *name, *third, *output, *about;
    int inputs;
    const char *texts[3]; /* by which text: the cheapest; the last with base parameters only */
    bool grouped;         /* the same from base parameters */
} function;

static const function functions[] = {
    {"id", "qdd", "tau", "torques of a motion: inverse dynamics", 3, {"id", NULL, "id-lean"}, true},
    {"fd", "tau", "qdd", "accelerations from torques: forward dynamics", 3, {"fd", "aba", "fd-lean"}, true},
    {"mass", NULL, "M", "inertia matrix, n x n", 1, {"mass", NULL, NULL}, true},
    {"bias", NULL, "h", "torques at qdd = 0", 2, {"bias", NULL, "bias-lean"}, true},
    {"gravity", NULL, "g", "torques of gravity", 1, {"gravity", NULL, NULL}, true},
    {"coriolis_vector", NULL, "c", "Coriolis and centrifugal torques", 2, {"coriolis_vector", NULL, NULL}, true},
    {"momentum", NULL, "p", "M(q) qd", 2, {"momentum", NULL, NULL}, true},
    {"ctqd", NULL, "y", "C' qd = dT/dq", 2, {"ctqd", NULL, NULL}, true},
    {"coriolis", NULL, "C", "Coriolis matrix by Christoffel symbols, n x n", 2, {"coriolis", NULL, NULL}, true},
    {"star", "qdd", "tau", "NE* = M qdd + C qa + g, C by Christoffel symbols", 4, {"star", NULL, NULL}, true},
    {"regressor", "qdd", "Y", "regressor of the standard parameters, n x 11 n", 3, {"regressor", NULL, NULL}, false},
    {"did", "qdd", "D", "derivatives of id by q, qd, qdd: 3 x n x n", 3, {"did", NULL, NULL}, true},
    {"dfd", "tau", "D", "derivatives of fd by q, qd, tau: 3 x n x n", 3, {"dfd", NULL, NULL}, true},
    {"energy", NULL, "E", "kinetic and potential energy, 2", 2, {"energy", NULL, NULL}, false},
    {"pose", NULL, "x", "of the link: position 3, rotation 3 x 3", 1, {"pose", NULL, NULL}, false},
    {"jacobian",
     NULL,
     "J",
     "of the link, 6 x n: velocity of its origin, angular velocity, world axes",
     1,
     {"jacobian", NULL, NULL},
     false},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

const char *arne_codegen_name(int i) { return i >= 0 && i < FUNCTIONS ? functions[i].name : NULL; }
const char *arne_codegen_about(int i) { return i >= 0 && i < FUNCTIONS ? functions[i].about : NULL; }

static bool is_name(const char *s)
{
    if (!s || !(isalpha((unsigned char)*s) || *s == '_') || strlen(s) > 60) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

/* a name of the robot file inside a comment: whatever it holds, it stays there */
static void print_comment(FILE *f, const char *text)
{
    for (; *text; text++) fputc(isprint((unsigned char)*text) && !strchr("*/\\?", *text) ? *text : '_', f);
}

static void print_prototype(FILE *f, const char *name, const function *fn)
{
    static const char *const input[] = {"q", "qd"};
    fprintf(f, "void %s_%s(", name, fn->name);
    for (int k = 0; k < fn->inputs && k < 2; k++) fprintf(f, "const double *%s, ", input[k]);
    if (fn->inputs > 3) fputs("const double *qa, ", f);
    if (fn->inputs > 2) fprintf(f, "const double *%s, ", fn->third);
    fprintf(f, "double *%s)", fn->output);
}

typedef struct {
    const function *fn;
    symbolic s;
    graph_count cost;
    long alive;
} item;

static bool make(item *it, const arne_data *d, int link, bool reduced, const int *lean)
{
    for (int k = 0; k < 2 + reduced; k++) {
        if (!it->fn->texts[k]) continue;
        symbolic s;
        graph_count c;
        if (!symbolic_run(d, it->fn->texts[k], &(symbolic_options){.friction = true, .link = link, .lean = lean}, &s))
            return false;
        if (!graph_cost(s.g, s.out, s.nout, &c)) {
            symbolic_free(&s);
            return false;
        }
        if (!it->s.g || c.mul + c.add < it->cost.mul + it->cost.add) {
            symbolic_free(&it->s);
            it->s = s;
            it->cost = c;
        } else {
            symbolic_free(&s);
        }
    }
    return true;
}

static void print_receipt(FILE *f, const arne_data *d, const arne_codegen_options *o, const item *list, int count)
{
    const arne_model *m = arne_data_model(d);
    const int n = arne_model_dof(m);
    fprintf(f, "/* %s.h - dynamics of the robot \"", o->name);
    print_comment(f, arne_model_name(m));
    fprintf(f, "\", %d joints, written by arne %s. Do not edit.\n *\n", n, ARNE_VERSION);
    fprintf(f, " * Joints in order:");
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : " ", f);
        print_comment(f, arne_joint_name(m, i));
    }
    fprintf(f,
            ".\n * SI units, radians. Vectors have %d entries, matrices are row major. The code needs libm, allocates nothing, "
            "has no\n"
            " * state and cannot fail; input and output may not overlap. %s inertial parameters, %s.\n",
            n, o->reduced ? "Base" : "Standard",
            data_rotors(d) ? "with rotor inertia and friction" : "without rotor inertia and friction");
    for (int i = 0; i < count; i++)
        if (!strcmp(list[i].fn->name, "pose") || !strcmp(list[i].fn->name, "jacobian")) {
            fputs(" * Link of pose and jacobian: ", f);
            print_comment(f, arne_link_name(m, o->link));
            fputs(".\n", f);
            break;
        }
    fprintf(f, " *\n * %-16s %6s %6s %4s %6s %6s %6s   alive at once\n", "function", "mul", "add", "div", "sincos", "other",
            "depth");
    for (int i = 0; i < count; i++)
        fprintf(f, " * %-16s %6ld %6ld %4ld %6ld %6ld %6ld   %ld values, %ld bytes\n", list[i].fn->name, list[i].cost.mul,
                list[i].cost.add, list[i].cost.div, list[i].cost.trig, list[i].cost.other, list[i].cost.depth, list[i].alive,
                8 * list[i].alive);
    fputs(" */\n", f);
}

static void print_header(FILE *f, const arne_data *d, const arne_codegen_options *o, const item *list, int count)
{
    print_receipt(f, d, o, list, count);
    fprintf(f, "#ifndef %s_ARNE_H\n#define %s_ARNE_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", o->name, o->name);
    fprintf(f, "enum { %s_dof = %d };\n\n", o->name, arne_model_dof(arne_data_model(d)));
    for (int i = 0; i < count; i++) {
        print_prototype(f, o->name, list[i].fn);
        fprintf(f, "; /* %s */\n", list[i].fn->about);
    }
    fputs("\n#ifdef __cplusplus\n}\n#endif\n#endif\n", f);
}

static bool print_source(FILE *f, const arne_data *d, const arne_codegen_options *o, item *list, int count)
{
    bool turns = false;
    for (int i = 0; i < count; i++) turns = turns || list[i].cost.trig > 0;
    fprintf(f, "/* %s.c - see %s.h. Do not edit. */\n#include \"%s.h\"\n\n#include <math.h>\n#include <string.h>\n\n", o->name,
            o->name, o->name);
    fputs("#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n#endif\n\n", f);
    if (turns) print_sincos(f, o->name);
    for (int i = 0; i < count; i++) {
        const function *fn = list[i].fn;
        const print_names names = {
            o->name,
            {"q", fn->inputs > 1 ? "qd" : NULL, fn->inputs > 2 ? fn->third : NULL, fn->inputs > 3 ? "qa" : NULL},
            arne_model_dof(arne_data_model(d)),
            fn->output};
        fputc('\n', f);
        print_prototype(f, o->name, fn);
        fputs("\n{\n", f);
        list[i].alive = print_body(f, list[i].s.g, list[i].s.out, list[i].s.nout, &names);
        fputs("}\n", f);
        if (list[i].alive < 0) return false;
    }
    return true;
}

enum { TEST_STATES = 5 };

/* a number for a test: the same on every machine */
static double draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

/* what answers of the general texts need */
typedef struct {
    arne_jets *jets;
    arne_regressor_work *regressor;
} test_tools;

static bool answer(const test_tools *tools, arne_data *d, const char *what, int link, const double *x, double *y)
{
    const int n = arne_model_dof(arne_data_model(d));
    const double *q = x, *qd = x + n, *z = x + 2 * n, *qa = x + 3 * n;
    const int nn = n * n;
    if (!strcmp(what, "id")) arne_id(d, q, qd, z, y);
    if (!strcmp(what, "fd")) return arne_fd(d, q, qd, z, y) < 0;
    if (!strcmp(what, "mass")) arne_mass(d, q, y);
    if (!strcmp(what, "bias")) arne_bias(d, q, qd, y);
    if (!strcmp(what, "gravity")) arne_gravity(d, q, y);
    if (!strcmp(what, "coriolis_vector")) arne_coriolis_vector(d, q, qd, y);
    if (!strcmp(what, "momentum")) arne_momentum(d, q, qd, y);
    if (!strcmp(what, "ctqd")) arne_ctqd(d, q, qd, y);
    if (!strcmp(what, "coriolis")) arne_coriolis(d, ARNE_CHRISTOFFEL_FACTOR, q, qd, y);
    if (!strcmp(what, "star")) arne_star(d, ARNE_CHRISTOFFEL_FACTOR, q, qd, qa, z, y);
    if (!strcmp(what, "regressor")) arne_regressor(tools->regressor, d, q, qd, z, y);
    if (!strcmp(what, "did")) arne_id_derivatives(tools->jets, d, q, qd, z, y, y + nn, y + 2 * nn);
    if (!strcmp(what, "dfd")) return arne_fd_derivatives(tools->jets, d, q, qd, z, y, y + nn, y + 2 * nn) < 0;
    if (!strcmp(what, "energy")) arne_energy(d, q, qd, y, y + 1);
    if (!strcmp(what, "jacobian")) arne_link_jacobian(d, q, link, ARNE_ALIGNED, y);
    if (!strcmp(what, "pose")) {
        arne_pose p;
        arne_link_pose(d, q, link, &p);
        memcpy(y, p.p, sizeof p.p);
        memcpy(y + 3, p.R, sizeof p.R);
    }
    return true;
}

static void print_array(FILE *f, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        fputs(i ? i % 6 ? ", " : ",\n     " : "", f);
        print_number(f, x[i]);
    }
}

static void print_checks(FILE *f, const test_tools *tools, arne_data *d, const arne_codegen_options *o, const item *list,
                         int count, double *x, double *y)
{
    const int n = arne_model_dof(arne_data_model(d));
    unsigned seed = 7;
    fprintf(f,
            "/* %s_test.c - the code against answers of arne's general text. */\n#include \"%s.h\"\n\n#include "
            "<math.h>\n#include <stdio.h>\n\n",
            o->name, o->name);
    fprintf(
        f,
        "static int check(const char *name, const double *is, const double *should, int n)\n{\n    double size = 0, error = 0;\n"
        "    for (int i = 0; i < n; i++) size = fmax(size, fabs(should[i])), error = fmax(error, fabs(is[i] - should[i]));\n"
        "    if (error <= 1e-12 * fmax(size, 1)) return 0;\n    printf(\"%%s is off by %%g\\n\", name, error);\n    return "
        "1;\n}\n\n"
        "int main(void)\n{\n    int bad = 0;\n");
    for (int k = 0; k < TEST_STATES; k++) {
        for (int i = 0; i < 4 * n; i++) x[i] = 3 * draw(&seed);
        fputs("    {\n        static const double x[] = {", f);
        print_array(f, x, 4 * n);
        fputs("};\n", f);
        for (int i = 0; i < count; i++) {
            const function *fn = list[i].fn;
            if (!answer(tools, d, fn->name, o->link, x, y)) continue;
            fprintf(f, "        static const double %s[] = {", fn->name);
            print_array(f, y, list[i].s.nout);
            fprintf(f, "};\n        double is_%s[%d];\n        %s_%s(x, ", fn->name, list[i].s.nout, o->name, fn->name);
            if (fn->inputs > 1) fprintf(f, "x + %d, ", n);
            if (fn->inputs > 3) fprintf(f, "x + %d, ", 3 * n);
            if (fn->inputs > 2) fprintf(f, "x + %d, ", 2 * n);
            fprintf(f, "is_%s);\n        bad += check(\"%s\", is_%s, %s, %d);\n", fn->name, fn->name, fn->name, fn->name,
                    list[i].s.nout);
        }
        fputs("    }\n", f);
    }
    fprintf(f, "    printf(\"%%d of %d answers differ\\n\", bad);\n    return bad != 0;\n}\n", TEST_STATES * count);
}

static bool print_test(FILE *f, arne_data *d, const arne_codegen_options *o, const item *list, int count)
{
    const int n = arne_model_dof(arne_data_model(d));
    double *x = malloc((size_t)(4 * n + 6 * n + 11 * n * n + 12) * sizeof *x), *y = x + 4 * n;
    const test_tools tools = {arne_jets_new(arne_data_model(d)), arne_regressor_new(arne_data_model(d))};
    const bool ok = x && tools.jets && tools.regressor;
    if (ok) print_checks(f, &tools, d, o, list, count, x, y);
    free(x);
    arne_jets_free(tools.jets);
    arne_regressor_free(tools.regressor);
    return ok;
}

/* Forward dynamics needs an inertia matrix that can be inverted. */
static arne_status check_fd(arne_data *d, arne_error *error)
{
    const arne_model *m = arne_data_model(d);
    const size_t n = (size_t)arne_model_dof(m);
    double *x = malloc(4 * n * sizeof *x);
    if (!x) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    unsigned seed = 3;
    for (size_t i = 0; i < 3 * n; i++) x[i] = draw(&seed);
    const int singular = arne_fd(d, x, x + n, x + 2 * n, x + 3 * n);
    free(x);
    if (singular < 0) return ARNE_OK;
    return arne_fail(error, ARNE_BAD_VALUE, NULL, 0,
                     "no code for fd: the inertia matrix is singular at joint '%s'; give the link mass and inertia",
                     arne_joint_name(m, singular));
}

static arne_status choose(const char *what, item *list, int *count, arne_error *error)
{
    *count = 0;
    for (const char *at = what;;) {
        const size_t length = strcspn(at, ",");
        int i = 0;
        while (i < FUNCTIONS && (strlen(functions[i].name) != length || strncmp(functions[i].name, at, length))) i++;
        if (i == FUNCTIONS)
            return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "no code can be written for \"%.*s\"",
                             (int)(length < 60 ? length : 60), at);
        for (int k = 0; k < *count; k++)
            if (list[k].fn == &functions[i])
                return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "%s is there twice", functions[i].name);
        list[(*count)++] = (item){.fn = &functions[i]};
        if (!at[length]) return ARNE_OK;
        at += length + 1;
    }
}

/* one text in memory: 0 source, 1 header, 2 test */
static bool write_text(int which, arne_data *d, const arne_codegen_options *o, item *list, int count, char **text)
{
    size_t size;
    FILE *f = open_memstream(text, &size);
    if (!f) return false;
    bool ok = true;
    if (which == 0) ok = print_source(f, d, o, list, count);
    if (which == 1) print_header(f, d, o, list, count);
    if (which == 2) ok = print_test(f, d, o, list, count);
    ok = !ferror(f) && ok;
    return fclose(f) == 0 && ok;
}

arne_status arne_codegen(arne_data *d, const arne_codegen_options *o, char **source, char **header, char **test,
                         arne_error *error)
{
    item list[FUNCTIONS] = {0};
    int count = 0;
    char *text[3] = {NULL};
    if (!is_name(o->name))
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "the name must be a C identifier: letters, digits, _, no digit first");
    arne_status status = choose(o->what, list, &count, error);
    for (int i = 0; i < count && !status; i++) {
        if (!strcmp(list[i].fn->name, "fd")) status = check_fd(d, error);
        if (!status && !make(&list[i], o->reduced && list[i].fn->grouped ? o->reduced : d, o->link, o->reduced != NULL, o->lean))
            status = arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    }
    for (int which = 0; which < 3 && !status; which++)
        if (!write_text(which, d, o, list, count, &text[which]))
            status = arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    for (int i = 0; i < count; i++) symbolic_free(&list[i].s);
    if (status)
        for (int which = 0; which < 3; which++) free(text[which]);
    else
        *source = text[0], *header = text[1], *test = text[2];
    return status;
}
