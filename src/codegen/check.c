/* SPDX-License-Identifier: MIT
 *
 * check.c - a program that comes with the code and compares it with answers of the library. */
#include <stdlib.h>
#include <string.h>

#include "arne/arne.h"
#include "base/random.h"
#include "codegen/code.h"
#include "kind/kinds.h"

enum { TEST_STATES = 5 };

/* what answers of the general texts need */
typedef struct {
    arne_jets *jets;
    arne_regressor_work *regressor;
} test_tools;

/* the links alone: rotors and friction off for a moment; the derivatives of x after the fifth row are zero */
static void answer_elastic(const test_tools *tools, arne_data *d, const double *x, double *y)
{
    const bool friction = arne__data_robot(d)->friction, rotors = arne__data_robot(d)->rotors;
    arne_set_rigid(d, true);
    arne_id_taylor(tools->jets, d, x, y);
    arne_set_friction(d, friction);
    arne_set_rotors(d, rotors);
}

static bool answer(const test_tools *tools, arne_data *d, const char *what, int of_link, const double *x, double *y)
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
    if (!strcmp(what, "elastic")) answer_elastic(tools, d, x, y);
    if (!strcmp(what, "jacobian")) arne_link_jacobian(d, q, of_link, ARNE_ALIGNED, y);
    if (!strcmp(what, "pose")) {
        arne_pose p;
        arne_link_pose(d, q, of_link, &p);
        memcpy(y, p.p, sizeof p.p);
        memcpy(y + 3, p.R, sizeof p.R);
    }
    return true;
}

static void print_array(FILE *f, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        fputs(i ? i % 6 ? ", " : ",\n     " : "", f);
        arne__print_number(f, x[i]);
    }
}

static void print_checks(FILE *f, const test_tools *tools, const code *c, double *x, double *y)
{
    const arne_codegen_options *o = c->o;
    const item *list = c->list;
    const int n = arne_model_dof(arne_data_model(c->d)), count = c->count;
    random_source random = {.state = 7};
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
        for (int i = 0; i < 5 * n; i++) x[i] = 3 * arne__random_signed(&random);
        fputs("    {\n        static const double x[] = {", f);
        print_array(f, x, 5 * n);
        fputs("};\n", f);
        for (int i = 0; i < count; i++) {
            const function *fn = list[i].fn;
            if (!answer(tools, c->d, fn->name, o->link, x, y)) continue;
            fprintf(f, "        static const double %s[] = {", fn->name);
            print_array(f, y, list[i].s.nout);
            fprintf(f, "};\n        double is_%s[%d];\n        %s_%s(", fn->name, list[i].s.nout, o->name, fn->name);
            if (o->live) fprintf(f, "%s_parameters, ", o->name);
            fputs("x, ", f);
            if (fn->inputs > 1) fprintf(f, "x + %d, ", n);
            if (fn->inputs == 4) fprintf(f, "x + %d, ", 3 * n);
            if (fn->inputs > 2) fprintf(f, "x + %d, ", 2 * n);
            if (fn->inputs == 5) fprintf(f, "x + %d, x + %d, ", 3 * n, 4 * n);
            fprintf(f, "is_%s);\n        bad += check(\"%s\", is_%s, %s, %d);\n", fn->name, fn->name, fn->name, fn->name,
                    list[i].s.nout);
        }
        fputs("    }\n", f);
    }
    fprintf(f, "    printf(\"%%d of %d answers differ\\n\", bad);\n    return bad != 0;\n}\n", TEST_STATES * count);
}

bool arne__print_test(FILE *f, const code *c)
{
    const arne_model *m = arne_data_model(c->d);
    const int n = arne_model_dof(m);
    double *x = calloc((size_t)(7 * n + 6 * n + 11 * n * n + 12), sizeof *x), *y = x + 7 * n;
    const test_tools tools = {arne_jets_new(m), arne_regressor_new(m)};
    const bool ok = x && tools.jets && tools.regressor;
    if (ok) print_checks(f, &tools, c, x, y);
    free(x);
    arne_jets_free(tools.jets);
    arne_regressor_free(tools.regressor);
    return ok;
}
