/* SPDX-License-Identifier: MIT
 *
 * par_test.c - tests of src/file/par_read.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "file/formats.h"

/* A few roundings of numbers near one. */
static const double TOLERANCE = 1e-14;
static const double PI = 3.14159265358979323846;

/* The frames of a Staubli RX-90, with made-up masses: two lengths are symbols, lists span lines, keywords in any case. */
static const char rx90[] = "(* Robotname = 'RX 90' *)\n"
                           "NL = 6\nNJ = 6\nNF = 6 (* frames *)\nType = 0 (* simple *)\nis_mobile = 0\n"
                           "(* Geometric\n parameters *)\n"
                           "Ant = {0,1,2,3,4,5}\n"
                           "SIGMA = {0,0,0,0,0,0}\n"
                           "b = {0,0,0,0,0,0}\n"
                           "d = {0,0,D3,0,0,0}\n"
                           "R = {0,0,0,RL4,0,0}\n"
                           "gamma = {0,0,0,0,0,0}\n"
                           "alpha = {0,pi/2,0,\n   -Pi/2,Pi/2,\n -pi/2}\n"
                           "mu = {1,1,1,1,1,1}\n"
                           "theta = {th1,th2-Pi/2,0.25+th3,th4,th5,th6}\n"
                           "XX = {0,0,0,0,0,0.5}\nXY = {0,0,0,0,0,0}\nXZ = {0,0,0,0,0,0}\n"
                           "YY = {0,0,0,0,0,0.75}\nYZ = {0,0,0,0,0,-0.25}\nZZ = {1,0,0,0,0,1}\n"
                           "MX = {0,0,0,0,0,0}\nMY = {0,0,0,0,0,1}\nMZ = {0,0,0,0,0,0.5}\nM = {0,0,0,0,0,2}\n"
                           "IA = {0.1,0.2,0.3,0.4,0.5,0.6}\nFV = {1,2,3,4,5,6}\nFS = {0,0,0,0,0,7}\n"
                           "FX = {0,0,0,0,0,FX6}\nCZ = {0,0,0,0,0,CZ6}\n"
                           "QP = {QP1,QP2,QP3,QP4,QP5,QP6}\n"
                           "W0 = {0,0,0}\nVP0 = {0,0,0}\nG = {0,0,-g}\n"
                           "Z = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}\n";

static const arne_symbol lengths[] = {{"D3", 0.45}, {"RL4", 0.38}, {"g", 9.8}};
static const arne_read_options with_lengths = {sizeof with_lengths, lengths, 3, 0};

static char path[64];

static arne_status read_text(const char *text, const arne_read_options *options, arne_description **out, arne_error *error)
{
    snprintf(path, sizeof path, "/tmp/arne_par_test_%ld.par", (long)getpid());
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_not_equal(fputs(text, f), EOF);
    assert_int_equal(fclose(f), 0);
    arne_status status = arne__par_read(path, options, out, error);
    unlink(path);
    return status;
}

/* The RX-90 with one piece of its text replaced. */
static char *changed(const char *old, const char *new)
{
    const char *at = strstr(rx90, old);
    assert_non_null(at);
    size_t size = sizeof rx90 + strlen(new);
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%.*s%s%s", (int)(at - rx90), rx90, new, at + strlen(old));
    return text;
}

/* The line of the replaced piece. */
enum { HERE = -1 };

static int line_of(const char *old)
{
    int line = 1;
    for (const char *c = rx90; c < strstr(rx90, old); c++) line += *c == '\n';
    return line;
}

/* Reading fails with this status, at this line, with these words. */
static void refuses(const char *old, const char *new, arne_status expected, int line, const char *words)
{
    char *text = changed(old, new);
    arne_description *d;
    arne_error error;
    arne_status status = read_text(text, &with_lengths, &d, &error);
    free(text);
    if (line == HERE) line = line_of(old);
    if (status != expected || error.line != line || !strstr(error.message, words))
        fail_msg("%s -> %s: status %d, line %d, %s", old, new, (int)status, error.line, error.message);
    assert_null(d);
    assert_string_equal(error.file, path);
}

/* Reading succeeds with one warning that has these words. */
static void warns(const char *old, const char *new, const char *words)
{
    char *text = changed(old, new);
    arne_description *d;
    arne_error error;
    arne_status status = read_text(text, &with_lengths, &d, &error);
    free(text);
    if (status != ARNE_OK) fail_msg("%s", error.message);
    assert_int_equal(d->nwarning, 1);
    if (!strstr(d->warnings[0], words)) fail_msg("%s", d->warnings[0]);
    arne_description_free(d);
}

static void same(double a, double b) { assert_true(fabs(a - b) <= TOLERANCE * fmax(1, fabs(b))); }

static void rx90_is_read(void **state)
{
    (void)state;
    arne_description *d;
    arne_error error;
    assert_int_equal(read_text(rx90, &with_lengths, &d, &error), ARNE_OK);
    assert_string_equal(d->name, "RX 90");
    assert_true(d->mdh);
    assert_int_equal(d->nwarning, 0);
    assert_int_equal(d->nlink, 7);
    assert_int_equal(d->njoint, 6);
    assert_string_equal(d->links[0].name, "base");
    same(d->gravity[2], -9.8);

    static const double dh[6][6] = {{0, 0, 0, 0, 0, 0},     {0, 0, 1, 0, -1, 0}, {0, 0, 0, 0.45, 0.25, 0},
                                    {0, 0, -1, 0, 0, 0.38}, {0, 0, 1, 0, 0, 0},  {0, 0, -1, 0, 0, 0}};
    for (int i = 0; i < 6; i++) {
        const arne_joint_description *j = &d->joints[i];
        char name[16], parent[16] = "base";
        snprintf(name, sizeof name, "j%d", i + 1);
        if (i) snprintf(parent, sizeof parent, "j%d", i);
        assert_string_equal(j->name, name);
        assert_string_equal(j->child, name);
        assert_string_equal(j->parent, parent);
        assert_int_equal(j->type, ARNE_REVOLUTE);
        for (int k = 0; k < 6; k++) {
            bool quarters = k == 2 || (k == 4 && i == 1);
            same(j->dh[k], quarters ? dh[i][k] * PI / 2 : dh[i][k]);
        }
        arne_pose expected = arne_pose_mdh(j->dh);
        assert_memory_equal(&j->before, &expected, sizeof expected);
        same(j->motor.inertia, 0.1 * (i + 1));
        same(j->motor.gear, 1);
        same(j->friction.viscous, i + 1);
    }
    same(d->joints[5].friction.coulomb, 7);

    /* M = 2, com = (0, 0.5, 0.25); J - M (c.c 1 - c c') */
    const arne_body *b = &d->links[6].body;
    static const double com[3] = {0, 0.5, 0.25}, inertia[6] = {0.5 - 0.625, 0, 0, 0.75 - 0.125, -0.25 + 0.25, 1 - 0.5};
    same(b->mass, 2);
    for (int k = 0; k < 3; k++) same(b->com[k], com[k]);
    for (int k = 0; k < 6; k++) same(b->inertia[k], inertia[k]);
    same(d->links[1].body.inertia[5], 1);
    arne_description_free(d);
}

static void trees_prismatic_and_fixed_joints_are_read(void **state)
{
    (void)state;
    arne_description *d;
    arne_error error;
    arne_status status =
        read_text("nl = 4\nType = 1\nant = {0,1,1,3}\nsigma={1,0,2,1}\nalpha={0,pi,0,0}\nd={0,0,.5,0}\n"
                  "theta={0,3-2+q2,pi/4,1}\nr={r1,2,RL4,travel-0.125}\ngamma={0,0,pi/2,D3}\nB={0,1,2,3}\nM={1,1,1,1}\n",
                  &with_lengths, &d, &error);
    assert_int_equal(status, ARNE_OK);
    assert_int_equal(d->nwarning, 0);
    static const arne_joint_type types[] = {ARNE_PRISMATIC, ARNE_REVOLUTE, ARNE_FIXED, ARNE_PRISMATIC};
    static const char *const parents[] = {"base", "j1", "j1", "j3"};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(d->joints[i].type, types[i]);
        assert_string_equal(d->joints[i].parent, parents[i]);
    }
    same(d->joints[1].dh[4], 1);
    same(d->joints[2].dh[0], PI / 2);
    same(d->joints[2].dh[5], 0.38);
    assert_string_equal(d->joints[2].dh_names[5], "RL4"); /* a dimension; the position of a joint is none */
    assert_string_equal(d->joints[0].dh_names[5], "");
    assert_string_equal(d->joints[3].dh_names[0], "D3");
    same(d->joints[3].dh[5], -0.125);
    same(d->gravity[2], -9.81);
    arne_description_free(d);
}

static void files_of_other_systems_are_read(void **state)
{
    (void)state;
    arne_description *d;
    arne_error error;
    assert_int_equal(
        read_text("\xEF\xBB\xBFNL = 1\r\nant={0}\r\nsigma={0}\r\nalpha={0}\r\nd={0}\r\ntheta={t1}\r\nr={0.5};\r\nM={1}", NULL, &d,
                  &error),
        ARNE_OK);
    same(d->joints[0].dh[5], 0.5);
    arne_description_free(d);
}

static void the_name_may_come_from_the_file(void **state)
{
    (void)state;
    arne_description *d;
    arne_error error;
    char *text = changed("(* Robotname = 'RX 90' *)", "");
    assert_int_equal(read_text(text, &with_lengths, &d, &error), ARNE_OK);
    assert_non_null(strstr(d->name, "arne_par_test_"));
    assert_null(strstr(d->name, ".par"));
    arne_description_free(d);
    free(text);
    text = changed("(* Robotname = 'RX 90' *)", "(* Robotname = 'R' *)"); /* one letter is a name */
    assert_int_equal(read_text(text, &with_lengths, &d, &error), ARNE_OK);
    assert_string_equal(d->name, "R");
    arne_description_free(d);
    free(text);
}

static void symbols_need_values(void **state)
{
    (void)state;
    refuses("{0,0,D3,0,0,0}", "{0,0,D4,0,0,0}", ARNE_BAD_VALUE, HERE, "symbol D4 has no value: give it one with --set D4=VALUE");
    refuses("XX = {0,", "XX = {XX1,", ARNE_BAD_VALUE, HERE, "symbol XX1 has no value");
    refuses("0.25+th3", "off+th3", ARNE_BAD_VALUE, HERE, "symbol off has no value");
    refuses("G = {0,0,-g}", "G = {0,0,G3}", ARNE_BAD_VALUE, HERE, "symbol G3 has no value");
}

static void joint_variables_have_factor_one(void **state)
{
    (void)state;
    refuses("th4", "2*th4", ARNE_BAD_VALUE, HERE, "Theta of joint j4");
    refuses("th4", "-th4", ARNE_BAD_VALUE, HERE, "must be the joint variable (th4) plus a constant");
}

static void blanks_inside_an_entry_do_not_matter(void **state)
{
    (void)state;
    arne_description *d;
    arne_error error;
    char *text = changed("theta = {th1,th2-Pi/2,0.25+th3,", "theta = { th1 ,th2 - Pi / 2,\n 0.5 -\n\t0.25 + th3 ,");
    if (read_text(text, &with_lengths, &d, &error)) fail_msg("%s", error.message);
    free(text);
    same(d->joints[0].dh[4], 0);
    same(d->joints[1].dh[4], -PI / 2);
    same(d->joints[2].dh[4], 0.25);
    arne_description_free(d);
}

/* an entry stands where its first character stands */
static void a_bad_entry_is_found_in_its_line(void **state)
{
    (void)state;
    const int line = line_of("MX = {");
    refuses("MX = {0,0,0,", "MX = {0,\n0,bad,", ARNE_BAD_VALUE, line + 1, "MX of joint j3");
    refuses("MX = {0,0,0,", "MX = {0,\n0,\n \n bad,", ARNE_BAD_VALUE, line + 3, "MX of joint j3");
    refuses("MX = {0,0,0,", "MX = {0,\n 1 +\n2 + bad,\n0,", ARNE_BAD_VALUE, line + 1, "MX of joint j2");
    refuses("MX = {0,0,0,", "MX = {\nbad,0,0,", ARNE_BAD_VALUE, line + 1, "MX of joint j1");
}

static void broken_text_is_refused(void **state)
{
    (void)state;
    refuses("5}\nSIGMA", "5\nSIGMA", ARNE_BAD_SYNTAX, 9, "has no end: add }");
    refuses("W0 = {0,0,0}", "W0 = {0,0,0}}", ARNE_BAD_SYNTAX, HERE, "is expected, not '}");
    refuses("Ant = {0,", "Ant = {{0,", ARNE_BAD_SYNTAX, HERE, "has no end");
    refuses("(* simple *)", "(* simple", ARNE_BAD_SYNTAX, HERE, "comment");
    refuses("0,0,1,0,0,0,0,1}\n", "0,0,1,0,0,0,0,1} (* end", ARNE_BAD_SYNTAX, HERE, "comment");
    refuses("Ant = {", "Ant {", ARNE_BAD_SYNTAX, HERE, "= is expected");
    refuses("NJ = 6", "NL = 6", ARNE_BAD_SYNTAX, HERE, "a second time");
    refuses("NL = 6", "NL = 6 5", ARNE_BAD_VALUE, HERE, "NL");
    refuses("MX = {0,", "MX = {,", ARNE_BAD_SYNTAX, HERE, "MX of joint j1 is empty");
    refuses("MX = {0,", "MX = {1/0,", ARNE_BAD_VALUE, HERE, "MX of joint j1");
    refuses("MX = {0,", "MX = {1e300,", ARNE_BAD_VALUE, HERE, "too large");
    refuses("MX = {0,", "MX = {(1,", ARNE_BAD_VALUE, HERE, "MX");
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    refuses("d = {0,0,D3,0,0,0}", "", ARNE_BAD_VALUE, 0, "d is missing");
    refuses("NL = 6\n", "\n", ARNE_BAD_VALUE, 0, "NL is missing");
    refuses("NL = 6\n", "NL = 0\n", ARNE_BAD_VALUE, HERE, "NL is 0");
    refuses("NL = 6\n", "NL = six\n", ARNE_BAD_VALUE, HERE, "six");
    refuses("M = {0,0,", "M = {0,", ARNE_BAD_VALUE, HERE, "M needs 6 entries (NL, NJ, NF), but has 5");
    refuses("W0 = {0,0,0}", "W0 = {0,0}", ARNE_BAD_VALUE, HERE, "W0 needs 3 entries, but has 2");
    refuses("SIGMA = {0,0,", "SIGMA = {0,7,", ARNE_BAD_VALUE, HERE, "Sigma of joint j2 is 7");
    refuses("Ant = {0,1,2", "Ant = {0,1,3", ARNE_BAD_VALUE, HERE, "Ant of joint j3 is 3: a whole number from 0 to 2");
    refuses("Ant = {0,1,2", "Ant = {0,1,9", ARNE_BAD_VALUE, HERE, "Ant of joint j3 is 9");
    refuses("Ant = {0,1,2", "Ant = {0,1,1.5", ARNE_BAD_VALUE, HERE, "Ant of joint j3 is 1.5");
    refuses("M = {0,0,0,0,0,2}", "M = {0,0,0,0,0,0}", ARNE_BAD_VALUE, HERE, "link j6: M is 0 but");
    refuses("M = {0,0,0,0,0,2}", "M = {0,0,0,0,0,1e-99}", ARNE_BAD_VALUE, HERE, "too small");
    refuses("FV = {1", "FV = {-1", ARNE_BAD_VALUE, HERE, "FV of joint j1 must not be negative");
}

static void what_arne_cannot_compute_is_refused(void **state)
{
    (void)state;
    refuses("Type = 0", "Type = 2", ARNE_UNSUPPORTED, HERE, "closed loops");
    refuses("NF = 6", "NF = 8", ARNE_UNSUPPORTED, HERE, "closed loops");
    refuses("NJ = 6", "NJ = 7", ARNE_UNSUPPORTED, HERE, "closed loops");
    refuses("NJ = 6", "NJ = 5", ARNE_BAD_VALUE, 2, "must be equal");
    refuses("is_mobile = 0", "is_mobile = 1", ARNE_UNSUPPORTED, HERE, "fixed base");
    refuses("is_mobile = 0", "is_floating = True", ARNE_UNSUPPORTED, HERE, "fixed base");
}

static void what_is_ignored_is_said(void **state)
{
    (void)state;
    warns("is_mobile = 0", "is_floating = False\ncolour = {red, green}", "colour is no keyword");
    warns("FX = {0,", "FX = {3,", "use --wrench");
    warns("VP0 = {0,", "VP0 = {3,", "motion of the base is ignored");
    warns("\nZ = {1", "\nZ = {0", "Z is not the identity");
    warns("W0 = {0,0,0}", "W0 = {0,0,0}\neta={0,1,0,0,0,0}\nk={0,K2,0,0,0,0}", "flexible joints");
}

static void missing_files_are_refused(void **state)
{
    (void)state;
    arne_description *d;
    arne_error error;
    assert_int_equal(arne__par_read("/tmp/no/such.par", NULL, &d, &error), ARNE_NO_FILE);
    assert_null(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rx90_is_read),
        cmocka_unit_test(trees_prismatic_and_fixed_joints_are_read),
        cmocka_unit_test(files_of_other_systems_are_read),
        cmocka_unit_test(the_name_may_come_from_the_file),
        cmocka_unit_test(symbols_need_values),
        cmocka_unit_test(joint_variables_have_factor_one),
        cmocka_unit_test(blanks_inside_an_entry_do_not_matter),
        cmocka_unit_test(a_bad_entry_is_found_in_its_line),
        cmocka_unit_test(broken_text_is_refused),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(what_arne_cannot_compute_is_refused),
        cmocka_unit_test(what_is_ignored_is_said),
        cmocka_unit_test(missing_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
