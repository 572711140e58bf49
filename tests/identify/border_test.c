/* SPDX-License-Identifier: MIT
 *
 * border_test.c - base parameters, counts, equations, code: nothing where something should be, options of other versions. */
#include <stdio.h>

#include "arne/codegen.h"
#include "arne/count.h"
#include "arne/equations.h"
#include "arne/file.h"
#include "arne/identify.h"
#include "support/grow.h"

enum { BAD = ARNE_BAD_ARGUMENT };

static arne_model *m;
static arne_data *d;

static int set_up(void **state)
{
    (void)state;
    return arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL) || arne_data_new(m, &d, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    arne_data_free(d);
    arne_model_free(m);
    return 0;
}

static arne_status find(void *context, const void *given)
{
    arne_base *b;
    (void)context;
    const arne_status status = arne_base_find(m, given, &b, NULL);
    assert_int_equal(status == ARNE_OK, b != NULL);
    arne_base_free(b);
    return status;
}

static void base_parameters(void **state)
{
    (void)state;
    const arne_base_options o = {.size = sizeof o, .no_rotors = true};
    double K[22] = {0}, Y[44] = {0};
    arne_base *b;
    assert_int_equal(arne_base_find(NULL, &o, &b, NULL), BAD);
    assert_null(b);
    assert_int_equal(arne_base_find(m, &o, NULL, NULL), BAD);
    expect_grows(&o, sizeof o, offsetof(arne_base_options, structure), find, NULL);
    assert_int_equal(arne_base_find(m, NULL, &b, NULL), ARNE_OK);
    for (int k = 0; k < 3; k++) {
        const arne_base *own = k == 0 ? NULL : b;
        const double *from = k == 1 ? NULL : K;
        double *to = k == 2 ? NULL : K;
        assert_int_equal(arne_base_values(own, from, to), BAD);
        assert_int_equal(arne_base_grouped(own, from, to), BAD);
        assert_int_equal(arne_base_columns(own, 2, k == 1 ? NULL : Y, k == 2 ? NULL : Y), BAD);
    }
    assert_int_equal(arne_base_columns(b, -1, Y, Y), BAD);
    arne_base_free(b);
    arne_base_free(NULL);
}

static arne_status count(void *context, const void *given)
{
    arne_operations o;
    (void)context;
    return arne_count(d, "id", given, &o);
}

static void counts(void **state)
{
    (void)state;
    const arne_count_options o = {.size = sizeof o, .general = true};
    arne_operations c;
    expect_grows(&o, sizeof o, offsetof(arne_count_options, processors), count, NULL);
    assert_int_equal(arne_count(NULL, "id", &o, &c), BAD);
    assert_int_equal(arne_count(d, NULL, &o, &c), BAD);
    assert_int_equal(arne_count(d, "id", &o, NULL), BAD);
    assert_int_equal(arne_count(d, "no such thing", &o, &c), ARNE_BAD_VALUE);
}

static arne_status write_equations(void *context, const void *given)
{
    char *text;
    (void)context;
    const arne_status status = arne_equations(d, "gravity", given, &text, NULL);
    assert_int_equal(status == ARNE_OK, text != NULL);
    free(text);
    return status;
}

static void equations(void **state)
{
    (void)state;
    const arne_equation_options o = {.size = sizeof o, .general = true};
    char *text;
    expect_grows(&o, sizeof o, offsetof(arne_equation_options, links), write_equations, NULL);
    assert_int_equal(arne_equations(NULL, "gravity", &o, &text, NULL), BAD);
    assert_null(text);
    assert_int_equal(arne_equations(d, NULL, &o, &text, NULL), BAD);
    assert_int_equal(arne_equations(d, "gravity", &o, NULL, NULL), BAD);
}

static arne_status write_code(void *context, const void *given)
{
    arne_code *written;
    (void)context;
    const arne_status status = arne_codegen(d, given, &written, NULL);
    assert_int_equal(status == ARNE_OK, written != NULL);
    arne_code_free(written);
    return status;
}

static void code(void **state)
{
    (void)state;
    const arne_codegen_options o = {.size = sizeof o, .name = "arm", .what = "id"}, none = {.size = sizeof o, .what = "id"};
    arne_code *written;
    expect_grows(&o, sizeof o, offsetof(arne_codegen_options, lanes), write_code, NULL);
    assert_int_equal(arne_codegen(NULL, &o, &written, NULL), BAD);
    assert_null(written);
    assert_int_equal(arne_codegen(d, NULL, &written, NULL), BAD);
    assert_int_equal(arne_codegen(d, &o, NULL, NULL), BAD);
    assert_int_equal(arne_codegen(d, &none, &written, NULL), ARNE_BAD_VALUE); /* a name that is none */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base_parameters),
        cmocka_unit_test(counts),
        cmocka_unit_test(equations),
        cmocka_unit_test(code),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
