/* SPDX-License-Identifier: MIT
 *
 * equations_test.c - closed-form equations against example 9.1 of [003]: the first three links of the RX-90.
 *
 * The book's formulas are read into polynomials and compared with what arne writes, term list against term list, and with the
 * numbers of a three-joint robot with random bodies. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/equations.h"
#include "arne/file.h"
#include "graph/closed_form.h"
#include "graph/polynomial.h"
#include "support/data.h"
#include "support/random_robot.h"

/* [003 example 9.1 iii, iv] as printed (right as printed: ERRATA part two 1), with IA for Ia and d3 for D3 */
static const char *const book[][2] = {
    {"A11", "IA1 + ZZ1 + SS2 XX2 + 2 CS2 XY2 + CC2 YY2 + SS23 XX3 + 2 CS23 XY3 + CC23 YY3 + 2 C2 C23 d3 MX3 - 2 C2 S23 d3 MY3"
            " + CC2 d3^2 M3"},
    {"A12", "S2 XZ2 + C2 YZ2 + S23 XZ3 + C23 YZ3 - S2 d3 MZ3"},
    {"A13", "S23 XZ3 + C23 YZ3"},
    {"A22", "IA2 + ZZ2 + ZZ3 + 2 C3 d3 MX3 - 2 S3 d3 MY3 + d3^2 M3"},
    {"A23", "ZZ3 + C3 d3 MX3 - S3 d3 MY3"},
    {"A33", "IA3 + ZZ3"},
    {"U", "-G3 (MZ1 + S2 MX2 + C2 MY2 + S23 MX3 + C23 MY3 + d3 S2 M3)"},
    {"Q1", "0"},
    {"Q2", "-G3 (C2 MX2 - S2 MY2 + C23 MX3 - S23 MY3 + d3 C2 M3)"},
    {"Q3", "-G3 (C23 MX3 - S23 MY3)"},
};
enum { FORMULAS = sizeof book / sizeof *book };

/* the atoms */
static const char *const names[] = {"XX1", "XY1", "XZ1", "YY1", "YZ1", "ZZ1", "MX1", "MY1", "MZ1", "M1", "IA1",
                                    "XX2", "XY2", "XZ2", "YY2", "YZ2", "ZZ2", "MX2", "MY2", "MZ2", "M2", "IA2",
                                    "XX3", "XY3", "XZ3", "YY3", "YZ3", "ZZ3", "MX3", "MY3", "MZ3", "M3", "IA3",
                                    "d3",  "G3",  "qd1", "qd2", "qd3", "C2",  "S2",  "C23", "S23", NULL};

static int find_atom(const char *name)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name)) return i;
    return -1;
}

/* ---- reading formulas ---- */

typedef struct {
    poly_ring *ring;
    const char *at;
} reader;

static poly read_sum(reader *r);

static poly times(poly a, poly b)
{
    poly p = arne__poly_zero(a.ring);
    arne__poly_mul(&p, 1, &a, &b);
    arne__poly_free(&a), arne__poly_free(&b);
    return p;
}

static poly atom(poly_ring *ring, char letter, const char *number)
{
    char name[16];
    snprintf(name, sizeof name, "%c%s", letter, number);
    const int k = find_atom(name);
    if (k < 0) fail_msg("no atom %s", name);
    return arne__poly_of(ring, k);
}

/* S3 = S23 C2 - C23 S2, C3 = C23 C2 + S23 S2; SSj, CCj and CSj are products */
static poly name_of(poly_ring *ring, const char *name)
{
    const bool sine = name[0] == 'S', turn = sine || name[0] == 'C', pair = turn && (name[1] == 'S' || name[1] == 'C');
    if (pair) {
        char one[16];
        snprintf(one, sizeof one, "%c%s", name[1], name + 2);
        poly a = name_of(ring, one);
        one[0] = name[0];
        return times(a, name_of(ring, one));
    }
    if (turn && !strcmp(name + 1, "3")) {
        poly p = times(atom(ring, sine ? 'S' : 'C', "23"), atom(ring, 'C', "2"));
        poly other = times(atom(ring, sine ? 'C' : 'S', "23"), atom(ring, 'S', "2"));
        arne__poly_add(&p, sine ? -1 : 1, &other);
        arne__poly_free(&other);
        return p;
    }
    const int k = find_atom(name);
    if (k < 0) fail_msg("no atom %s", name);
    return arne__poly_of(ring, k);
}

static void blanks(reader *r)
{
    while (isspace((unsigned char)*r->at)) r->at++;
}

static poly read_factor(reader *r)
{
    if (*r->at == '(') {
        r->at++;
        poly p = read_sum(r);
        assert_int_equal(*r->at, ')');
        r->at++;
        return p;
    }
    if (isdigit((unsigned char)*r->at)) {
        char *end;
        const double c = strtod(r->at, &end);
        r->at = end;
        return arne__poly_constant(r->ring, c);
    }
    char name[16];
    size_t n = 0;
    while (isalnum((unsigned char)*r->at) && n + 1 < sizeof name) name[n++] = *r->at++;
    name[n] = '\0';
    poly p = name_of(r->ring, name);
    if (*r->at != '^') return p;
    assert_int_equal(r->at[1], '2');
    r->at += 2;
    return times(p, name_of(r->ring, name));
}

static poly read_sum(reader *r)
{
    poly sum = arne__poly_zero(r->ring);
    double sign = 1;
    blanks(r);
    for (bool more = true; more;) {
        if (*r->at == '+' || *r->at == '-') sign = *r->at++ == '-' ? -1 : 1;
        blanks(r);
        poly product = read_factor(r);
        for (blanks(r); *r->at && !strchr("+-)", *r->at); blanks(r)) product = times(product, read_factor(r));
        arne__poly_add(&sum, sign, &product);
        arne__poly_free(&product);
        more = *r->at == '+' || *r->at == '-';
    }
    return sum;
}

static poly read_formula(poly_ring *ring, const char *formula)
{
    reader r = {ring, formula};
    poly p = read_sum(&r);
    assert_int_equal(*r.at, '\0');
    return p;
}

/* the right side of "label = ..." in a text, with its further lines, to be freed */
static char *right_side(const char *text, const char *label)
{
    char start[24];
    snprintf(start, sizeof start, "\n%s = ", label);
    const char *from = strstr(text, start);
    if (!from) fail_msg("no line %s", label);
    from += strlen(start);
    size_t n = 0;
    while (from[n] && !(from[n] == '\n' && from[n + 1] != ' ')) n++;
    char *copy = malloc(n + 1);
    assert_non_null(copy);
    memcpy(copy, from, n);
    copy[n] = '\0';
    return copy;
}

/* ---- the robot ---- */

static const char *const inertia[] = {"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M", "IA"};

static poly_ring make_ring(void)
{
    poly_ring r = {.most = 1000};
    for (int i = 0; names[i]; i++) {
        const bool pair = names[i][0] == 'C';
        if (pair)
            arne__poly_ring_pair(&r, (sym_key){0}, (sym_key){0}), i++;
        else
            arne__poly_ring_add(&r, (sym_key){0});
    }
    return r;
}

static arne_description *rx90(void)
{
    arne_description *d;
    arne_error error;
    if (arne_read(ARNE_ROBOTS "/rx90.yaml", NULL, &d, &error)) fail_msg("%s", error.message);
    return d;
}

static char *write_rx90(const char *what, const arne_equation_options *o)
{
    arne_description *d = rx90();
    arne_model *m;
    arne_error error;
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_data *data = test_data(m);
    char *text;
    if (arne_equations(data, what, o, &text, &error)) fail_msg("%s", error.message);
    arne_data_free(data);
    arne_model_free(m);
    arne_description_free(d);
    return text;
}

static void example_9_1_term_by_term(void **state)
{
    (void)state;
    poly_ring ring = make_ring();
    char *text = write_rx90("mass,gravity,energy",
                            &(arne_equation_options){.size = sizeof(arne_equation_options), .general = true, .links = 3});
    for (int i = 0; i < FORMULAS; i++) {
        char *ours = right_side(text, book[i][0]);
        poly a = read_formula(&ring, book[i][1]), b = read_formula(&ring, ours);
        if (!arne__poly_equal(&a, &b, 0)) fail_msg("%s: the book has %s, arne %s", book[i][0], book[i][1], ours);
        arne__poly_free(&a), arne__poly_free(&b);
        free(ours);
    }
    assert_int_equal(ring.state, POLY_FINE);
    free(text);
    arne__poly_ring_free(&ring);
}

/* E = qd'A qd / 2 */
static void kinetic_energy_is_that_of_the_book(void **state)
{
    (void)state;
    poly_ring ring = make_ring();
    char *text =
             write_rx90("energy", &(arne_equation_options){.size = sizeof(arne_equation_options), .general = true, .links = 3}),
         *ours = right_side(text, "E");
    poly e = read_formula(&ring, ours), sum = arne__poly_zero(&ring);
    static const char *const speed[] = {"0.5 qd1^2", "qd1 qd2", "qd1 qd3", "0.5 qd2^2", "qd2 qd3", "0.5 qd3^2"};
    for (int i = 0; i < 6; i++) {
        poly product = times(read_formula(&ring, book[i][1]), read_formula(&ring, speed[i]));
        arne__poly_add(&sum, 1, &product);
        arne__poly_free(&product);
    }
    assert_true(arne__poly_equal(&e, &sum, 0));
    arne__poly_free(&e), arne__poly_free(&sum);
    free(ours);
    free(text);
    arne__poly_ring_free(&ring);
}

static void set(double *v, const char *name, double value)
{
    const int k = find_atom(name);
    assert_true(k >= 0);
    v[k] = value;
}

/* J = I - M c^ c^, about the origin [003 eq. 9.3] */
static void set_body(double *v, int j, const arne_body *b, double rotor)
{
    const double m = b->mass, x = b->com[0], y = b->com[1], z = b->com[2], *I = b->inertia;
    const double value[] = {I[0] + m * (y * y + z * z),
                            I[1] - m * x * y,
                            I[2] - m * x * z,
                            I[3] + m * (x * x + z * z),
                            I[4] - m * y * z,
                            I[5] + m * (x * x + y * y),
                            m * x,
                            m * y,
                            m * z,
                            m,
                            rotor};
    for (size_t k = 0; k < sizeof inertia / sizeof *inertia; k++) {
        char name[16];
        snprintf(name, sizeof name, "%s%d", inertia[k], j);
        set(v, name, value[k]);
    }
}

static void example_9_1_number_by_number(void **state)
{
    (void)state;
    poly_ring ring = make_ring();
    double *v = calloc((size_t)ring.count, sizeof *v);
    random_stream r = {91};
    arne_description *d = rx90();
    const size_t links = d->nlink, joints = d->njoint;
    for (int round = 0; round < 20; round++) {
        for (int j = 1; j <= 3; j++) {
            d->links[j].body = random_body(&r);
            const arne_motor *motor = &d->joints[j - 1].motor;
            set_body(v, j, &d->links[j].body, motor->inertia * motor->gear * motor->gear);
        }
        d->nlink = 4, d->njoint = 3;
        arne_model *m;
        arne_error error;
        if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
        d->nlink = links, d->njoint = joints;
        arne_data *data = test_data(m);
        double q[3], qd[3] = {0}, A[9], Q[3], T, U;
        random_vector(&r, 3, 3, q);
        arne_mass(data, q, A);
        arne_gravity(data, q, Q);
        arne_energy(data, q, qd, &T, &U);
        const double want[FORMULAS] = {A[0], A[1], A[2], A[4], A[5], A[8], U, Q[0], Q[1], Q[2]};
        set(v, "d3", 0.45), set(v, "G3", -9.81);
        set(v, "C2", cos(q[1])), set(v, "S2", sin(q[1]));
        set(v, "C23", cos(q[1] + q[2])), set(v, "S23", sin(q[1] + q[2]));
        for (int i = 0; i < FORMULAS; i++) {
            poly p = read_formula(&ring, book[i][1]);
            const double got = arne__poly_value(&p, v);
            if (!(fabs(got - want[i]) <= 1e-12 * fmax(1, fabs(want[i]))))
                fail_msg("%s: %.17g and %.17g", book[i][0], got, want[i]);
            arne__poly_free(&p);
        }
        arne_data_free(data);
        arne_model_free(m);
    }
    arne_description_free(d);
    free(v);
    arne__poly_ring_free(&ring);
}

static void too_much_is_refused(void **state)
{
    (void)state;
    arne_description *d = long_chain(12);
    arne_model *m;
    arne_error error;
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_data *data = test_data(m);
    char *text = NULL;
    arne_equation_options o = {.size = sizeof o, .general = true, .form = ARNE_FORM_EXPANDED};
    assert_int_equal(arne_equations(data, "mass", &o, &text, &error), ARNE_UNSUPPORTED);
    assert_null(text);
    assert_string_equal(error.message, "multiplied out the equations of long-chain have more than 20000 terms: ask for the form "
                                       "listing, or for fewer links");
    assert_int_equal(arne_equations(data, "mass,nothing", NULL, &text, &error), ARNE_BAD_VALUE);
    assert_string_equal(error.message, "there are no equations called \"nothing\"");
    assert_int_equal(arne_equations(data, "a_name_of_sixty-one_letters_is_printed_up_to_the_sixtieth_one_", NULL, &text, &error),
                     ARNE_BAD_VALUE);
    assert_string_equal(error.message,
                        "there are no equations called \"a_name_of_sixty-one_letters_is_printed_up_to_the_sixtieth_on\"");
    assert_int_equal(
        arne_equations(data, "mass", &(arne_equation_options){.size = sizeof(arne_equation_options), .links = 13}, &text, &error),
        ARNE_BAD_VALUE);
    assert_string_equal(error.message, "long-chain has 12 joints: the first 13 cannot be written");
    assert_int_equal(
        arne_equations(data, "mass", &(arne_equation_options){.size = sizeof(arne_equation_options), .links = -1}, &text, NULL),
        ARNE_BAD_VALUE);
    assert_int_equal(arne_equations(NULL, "mass", NULL, &text, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_equations(data, NULL, NULL, &text, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_equations(data, "mass", NULL, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_equations(data, "mass", &(arne_equation_options){0}, &text, &error), ARNE_BAD_ARGUMENT);
    assert_string_equal(error.message, "equations need data, a list of names and a place");
    o.form = ARNE_FORM_AUTO;
    assert_int_equal(arne_equations(data, "mass,id", &o, &text, &error), ARNE_OK);
    assert_non_null(strstr(text, "\nA12_12 = "));
    assert_non_null(strstr(text, "more than 300 terms"));
    free(text);
    arne_data_free(data);
    arne_model_free(m);
    arne_description_free(d);
}

static int count_of(const char *text, const char *words)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++) n++;
    return n;
}

/* which numbers joints of several freedoms have behind one of one freedom; quantities asked for twice are written once */
static void wide_joints_have_their_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        arne_joint_type type;
    } joints[] = {{"slide", ARNE_PRISMATIC}, {"ball", ARNE_SPHERICAL}, {"boat", ARNE_FREE}};
    random_stream r = {.state = 3};
    arne_description *d = arne_description_new("wide");
    arne_description_link(d, "0", 0);
    for (int i = 0; i < 3; i++) {
        char name[2][2] = {{(char)('0' + i)}, {(char)('1' + i)}};
        arne_description_link(d, name[1], 0)->body = random_body(&r);
        arne_description_joint(d, joints[i].name, 0, joints[i].type, name[0], name[1]);
    }
    arne_model *m;
    char *text;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    arne_data *data = test_data(m);
    arne_equation_options o = {.size = sizeof o, .form = ARNE_FORM_LISTING, .links = 3};
    for (; o.links > 0; o.links--) {
        static const char *const ball = "# Joint ball: quaternion q2 q3 q4 q5 of unit length;\n"
                                        "#   angular velocity qd2 qd3 qd4, in link axes.\n",
                                 *const boat = "# Joint boat: place q6 q7 q8, quaternion q9 q10 q11 q12 of unit length;\n"
                                               "#   velocity qd5 qd6 qd7, angular velocity qd8 qd9 qd10, in link axes.\n";
        assert_int_equal(arne_equations(data, "gravity,mass,gravity", &o, &text, NULL), ARNE_OK);
        const int rows[] = {1, 4, 10};
        char head[80], last[2][20];
        snprintf(head, sizeof head, o.links < 3 ? "# wide, joints 1 to %d and the links they carry\n" : "# wide\n", o.links);
        assert_true(!strncmp(text, head, strlen(head)));
        assert_int_equal(count_of(text, ball), o.links > 1);
        assert_int_equal(count_of(text, boat), o.links > 2);
        assert_int_equal(count_of(text, "# Joint "), o.links - 1);
        assert_int_equal(count_of(text, "\nQ"), rows[o.links - 1]);
        assert_int_equal(count_of(text, "\nA"), rows[o.links - 1] * (rows[o.links - 1] + 1) / 2);
        for (int k = 0; k < 2; k++) snprintf(last[k], sizeof last[k], "\nQ%d = ", rows[o.links - 1] + k);
        assert_true(strstr(text, last[0]) && !strstr(text, last[1]));
        free(text);
    }
    arne_data_free(data);
    arne_model_free(m);
    arne_description_free(d);
}

static void name_input(const void *context, sym_key key, bool latex, graph_name *name)
{
    (void)context, (void)latex;
    *name = (graph_name){"", "q", ""};
    snprintf(name->index, sizeof name->index, "%d", key.index);
}

/* a product that is a result and a factor of another one, whichever comes first: it is computed once */
static void a_result_that_others_need_is_computed_once(void **state)
{
    (void)state;
    for (int place = 0; place < 2; place++) {
        sym_graph *g = arne__sym_graph_new();
        text_buffer t = {0};
        sym q[3];
        for (int i = 0; i < 3; i++) q[i] = arne__sym_input(g, (sym_key){0, 0, i + 1});
        const sym both = sym_mul(q[0], q[1]), all = sym_mul(both, q[2]);
        const sym out[2] = {place ? all : both, place ? both : all};
        int next[2] = {0};
        assert_true(
            arne__print_listing(&t, g, out, 2, (const char *const[]){"a", "b"}, &(graph_style){.name = name_input}, next));
        const char *first = strstr(t.s, "q1 q2");
        assert_non_null(first);
        assert_null(strstr(first + 1, "q1 q2"));
        assert_int_equal(next[1], 1);
        arne__text_free(&t);
        arne__sym_graph_free(g);
    }
}

/* the same call gives the same text, byte for byte; LaTeX opens and closes what it should; other lines fit on a page */
static void texts_are_well_formed(void **state)
{
    (void)state;
    for (int form = ARNE_FORM_AUTO; form <= ARNE_FORM_LISTING; form++)
        for (int latex = 0; latex < 2; latex++) {
            const arne_equation_options o = {
                .size = sizeof o, .general = true, .latex = latex, .form = (arne_equation_form)form, .links = 3};
            char *a = write_rx90("mass,gravity,coriolis,id,energy", &o), *b = write_rx90("mass,gravity,coriolis,id,energy", &o);
            assert_string_equal(a, b);
            int depth = 0;
            for (const char *c = a; *c; c++) {
                depth += (*c == '(') + (*c == '{') - (*c == ')') - (*c == '}');
                assert_true(depth >= 0);
            }
            assert_int_equal(depth, 0);
            for (const char *line = a; *line && !latex; line += strcspn(line, "\n"), line += *line == '\n')
                assert_in_range(strcspn(line, "\n"), 0, 100);
            assert_true(!latex == !strstr(a, "\\begin{align*}"));
            assert_null(strstr(a, "\\\\\n\\end"));
            free(a);
            free(b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_9_1_term_by_term),       cmocka_unit_test(kinetic_energy_is_that_of_the_book),
        cmocka_unit_test(example_9_1_number_by_number),   cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(wide_joints_have_their_numbers), cmocka_unit_test(a_result_that_others_need_is_computed_once),
        cmocka_unit_test(texts_are_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
