/* SPDX-License-Identifier: MIT
 *
 * check.c - a program that comes with the code and compares it with answers of the library. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/arne.h"
#include "arne/positions.h"
#include "base/random.h"
#include "codegen/code.h"

enum { TEST_STATES = 5 };

/* the links alone: rotors and friction off; the derivatives of x after the fifth row are zero */
static bool answer_elastic(arne_data *d, const double *x, double *y)
{
    arne_settings *s = arne_data_settings(d);
    const bool friction = arne_settings_friction(s), rotors = arne_settings_rotors(s);
    arne_set_rigid(s, true);
    const arne_status status = arne_id_taylor(d, x, y);
    arne_set_friction(s, friction);
    arne_set_rotors(s, rotors);
    return !status;
}

/* by the general text; false: there is no answer. x: q, qd, qdd or tau, qa */
static bool answer(arne_data *d, const char *what, int of_link, const double *x, double *y)
{
    const int n = arne_model_nv(arne_data_model(d)), quantity = arne_quantity_find(what);
    const double *qd = x + arne_model_nq(arne_data_model(d));
    const arne_state state = {x, qd, qd + n, qd + n, qd + 2 * n};
    const arne_quantity_options o = {sizeof o, of_link, ARNE_ALIGNED, ARNE_CHRISTOFFEL_FACTOR};
    return quantity < 0 ? answer_elastic(d, x, y) : !arne_compute(d, quantity, &o, &state, y);
}

static void print_array(FILE *f, const double *x, int n, bool single)
{
    for (int i = 0; i < n; i++) {
        fputs(i ? i % 6 ? ", " : ",\n     " : "", f);
        arne__print_number(f, x[i], single);
    }
}

/* what rounding may cost, beside the largest number; accelerations: times the condition of the inertia matrix */
static double tolerance(const function *fn, bool single) { return !single ? 1e-12 : fn->inputs & ARNE_TAU ? 1e-3 : 1e-5; }

static void print_checks(FILE *f, arne_data *d, const code *c, double *x, double *y)
{
    const arne_codegen_options *o = &c->o;
    const item *list = c->list;
    const arne_model *m = arne_data_model(c->d);
    const int nq = arne_model_nq(m), n = arne_model_nv(m), inputs = nq + 4 * n, count = c->count;
    const char *real = o->single ? "float" : "double", *f_ = o->single ? "f" : "";
    random_source random = {.state = 7};
    fprintf(f,
            "/* %s_test.%s - the code against answers of arne's general text. */\n#include \"%s.%s\"\n\n#include "
            "<math.h>\n#include <stdio.h>\n\n",
            o->name, o->cuda ? "cu" : "c", o->name, o->cuda ? "cuh" : "h");
    fprintf(f,
            "static int check(const char *name, const %s *is, const %s *should, int n, %s most)\n{\n    %s size = 1, error = 0;\n"
            "    for (int i = 0; i < n; i++) {\n        size = fmax%s(size, fabs%s(should[i]));\n        error = fmax%s(error, "
            "fabs%s(is[i] - "
            "should[i]));\n    }\n    if (error <= most * size) return 0;\n    printf(\"%%s is off by %%g\\n\", name, "
            "(double)error);\n    "
            "return 1;\n}\n\nint main(void)\n{\n    int bad = 0;\n",
            real, real, real, real, f_, f_, f_, f_);
    for (int k = 0; k < TEST_STATES; k++) {
        for (int i = 0; i < inputs; i++) x[i] = 3 * arne__random_signed(&random);
        arne_normalize(m, NAN, x, NULL);
        for (int i = 0; i < inputs && o->single; i++) x[i] = (double)(float)x[i];
        fprintf(f, "    {\n        static const %s x[] = {", real);
        print_array(f, x, inputs, o->single);
        fputs("};\n", f);
        for (int i = 0; i < count; i++) {
            const function *fn = &list[i].fn;
            if (!answer(d, fn->name, o->link, x, y)) continue;
            fprintf(f, "        static const %s %s[] = {", real, fn->name);
            print_array(f, y, list[i].s.nout, o->single);
            fprintf(f, "};\n        %s is_%s[%d];\n        %s_%s(", real, fn->name, list[i].s.nout, o->name, fn->name);
            if (o->live) fprintf(f, "%s_parameters, ", o->name);
            for (int j = 0; j < CODE_INPUTS; j++)
                if (fn->inputs & 1u << arne__code_inputs[j].bit)
                    fprintf(f, arne__code_inputs[j].at ? "x + %d, " : "x, ", nq + (arne__code_inputs[j].at - 1) * n);
            fprintf(f, "is_%s);\n        bad += check(\"%s\", is_%s, %s, %d, ", fn->name, fn->name, fn->name, fn->name,
                    list[i].s.nout);
            arne__print_number(f, tolerance(fn, o->single), o->single);
            fputs(");\n", f);
        }
        fputs("    }\n", f);
    }
    fprintf(f, "    printf(\"%%d of %d answers differ\\n\", bad);\n    return bad != 0;\n}\n", TEST_STATES * count);
}

bool arne__print_test(FILE *f, const code *c)
{
    const arne_model *m = arne_data_model(c->d);
    const int n = arne_model_nv(m), inputs = arne_model_nq(m) + 6 * n;
    int most = 5 * n; /* of elastic joints: more than is asked for */
    for (int i = 0; i < c->count; i++) most = c->list[i].s.nout > most ? c->list[i].s.nout : most;
    double *x = calloc((size_t)(inputs + most + 1), sizeof *x), *y = x + inputs;
    arne_data *d = NULL;
    const bool ok = x && !arne_data_new(m, &d, NULL) && !arne_data_prepare(d, ARNE_DERIVATIVES, NULL) &&
                    !arne_settings_copy(arne_data_settings(d), arne_data_settings_used(c->d));
    if (ok) print_checks(f, d, c, x, y);
    arne_data_free(d);
    free(x);
    return ok;
}
