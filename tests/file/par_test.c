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
#include "file/says.h"

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
    if (status != expected || error.line != line || !says(error.message, words))
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
    if (!says(d->warnings[0], words)) fail_msg("%s", d->warnings[0]);
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
    refuses("{0,0,D3,0,0,0}", "{0,0,D4,0,0,0}", ARNE_BAD_VALUE, HERE,
            "d of joint j3: symbol D4 has no value: give it one with --set D4=VALUE (equations, base and count need none)");
    refuses("XX = {0,", "XX = {XX1,", ARNE_BAD_VALUE, HERE,
            "XX of joint j1: symbol XX1 has no value: give it one with --set XX1=VALUE (equations, base and count need none)");
    refuses("0.25+th3", "off+th3", ARNE_BAD_VALUE, HERE,
            "Theta of joint j3: symbol off has no value: give it one with --set off=VALUE (equations, base and count need none)");
    refuses("G = {0,0,-g}", "G = {0,0,G3}", ARNE_BAD_VALUE, HERE,
            "entry 3 of G: symbol G3 has no value: give it one with --set G3=VALUE (equations, base and count need none)");
}

static void joint_variables_have_factor_one(void **state)
{
    (void)state;
    refuses("th4", "2*th4", ARNE_BAD_VALUE, HERE,
            "Theta of joint j4 is 2*th4: it must be the joint variable (th4) plus a constant");
    refuses("th4", "-th4", ARNE_BAD_VALUE, HERE,
            "Theta of joint j4 is -th4: it must be the joint variable (th4) plus a constant");
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
    refuses("MX = {0,0,0,", "MX = {0,\n0,bad,", ARNE_BAD_VALUE, line + 1,
            "MX of joint j3: symbol bad has no value: give it one with --set bad=VALUE (equations, base and count need none)");
    refuses("MX = {0,0,0,", "MX = {0,\n0,\n \n bad,", ARNE_BAD_VALUE, line + 3,
            "MX of joint j3: symbol bad has no value: give it one with --set bad=VALUE (equations, base and count need none)");
    refuses("MX = {0,0,0,", "MX = {0,\n 1 +\n2 + bad,\n0,", ARNE_BAD_VALUE, line + 1,
            "MX of joint j2: symbol bad has no value: give it one with --set bad=VALUE (equations, base and count need none)");
    refuses("MX = {0,0,0,", "MX = {\nbad,0,0,", ARNE_BAD_VALUE, line + 1,
            "MX of joint j1: symbol bad has no value: give it one with --set bad=VALUE (equations, base and count need none)");
}

static void broken_text_is_refused(void **state)
{
    (void)state;
    refuses("5}\nSIGMA", "5\nSIGMA", ARNE_BAD_SYNTAX, 9, "the list Ant that begins here has no end: add }");
    refuses("W0 = {0,0,0}", "W0 = {0,0,0}}", ARNE_BAD_SYNTAX, HERE, "NAME = value or NAME = {...} is expected, not '}...");
    refuses("Ant = {0,", "Ant = {{0,", ARNE_BAD_SYNTAX, HERE, "the list Ant that begins here has no end: add }");
    refuses("(* simple *)", "(* simple", ARNE_BAD_SYNTAX, HERE, "the comment that begins here has no end: add *)");
    refuses("0,0,1,0,0,0,0,1}\n", "0,0,1,0,0,0,0,1} (* end", ARNE_BAD_SYNTAX, HERE,
            "the comment that begins here has no end: add *)");
    refuses("Ant = {", "Ant {", ARNE_BAD_SYNTAX, HERE, "after Ant, = is expected");
    refuses("NJ = 6", "NL = 6", ARNE_BAD_SYNTAX, HERE, "NL is given a second time (first in line 2)");
    refuses("NL = 6", "NL = 6 5", ARNE_BAD_VALUE, HERE, "NL: '6 5': unexpected '5'");
    refuses("MX = {0,", "MX = {,", ARNE_BAD_SYNTAX, HERE, "MX of joint j1 is empty");
    refuses("MX = {0,", "MX = {1/0,", ARNE_BAD_VALUE, HERE, "MX of joint j1: '1/0': division by zero");
    refuses("MX = {0,", "MX = {-1.1e30,", ARNE_BAD_VALUE, HERE, "MX of joint j1 is too large: -1.1e+30");
    refuses("MX = {0,", "MX = {(1,", ARNE_BAD_VALUE, HERE, "MX needs 6 entries (NL, NJ, NF), but has 1");
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    refuses("d = {0,0,D3,0,0,0}", "", ARNE_BAD_VALUE, 0, "d is missing: is this a SYMORO .par file?");
    refuses("NL = 6\n", "\n", ARNE_BAD_VALUE, 0, "NL is missing: is this a SYMORO .par file?");
    refuses("NL = 6\n", "NL = 0\n", ARNE_BAD_VALUE, HERE, "NL is 0: a whole number from 1 to 10000 is expected");
    refuses("NL = 6\n", "NL = six\n", ARNE_BAD_VALUE, HERE,
            "NL: symbol six has no value: give it one with --set six=VALUE (equations, base and count need none)");
    refuses("M = {0,0,", "M = {0,", ARNE_BAD_VALUE, HERE, "M needs 6 entries (NL, NJ, NF), but has 5");
    refuses("W0 = {0,0,0}", "W0 = {0,0}", ARNE_BAD_VALUE, HERE, "W0 needs 3 entries, but has 2");
    refuses("SIGMA = {0,0,", "SIGMA = {0,7,", ARNE_BAD_VALUE, HERE,
            "Sigma of joint j2 is 7: a whole number from 0 to 2 is expected");
    refuses("Ant = {0,1,2", "Ant = {0,1,3", ARNE_BAD_VALUE, HERE, "Ant of joint j3 is 3: a whole number from 0 to 2 is expected");
    refuses("Ant = {0,1,2", "Ant = {0,1,9", ARNE_BAD_VALUE, HERE, "Ant of joint j3 is 9: a whole number from 0 to 2 is expected");
    refuses("Ant = {0,1,2", "Ant = {0,1,1.5", ARNE_BAD_VALUE, HERE,
            "Ant of joint j3 is 1.5: a whole number from 0 to 2 is expected");
    refuses("M = {0,0,0,0,0,2}", "M = {0,0,0,0,0,0}", ARNE_BAD_VALUE, HERE,
            "link j6: M is 0 but MX, MY or MZ is not (a file of base parameters?): arne needs standard parameters");
    refuses("M = {0,0,0,0,0,2}", "M = {0,0,0,0,0,1e-99}", ARNE_BAD_VALUE, HERE,
            "link j6: M = 1e-99 is too small for its MX, MY or MZ");
    refuses("FV = {1", "FV = {-1", ARNE_BAD_VALUE, HERE, "FV of joint j1 must not be negative, but is -1");
}

static void what_arne_cannot_compute_is_refused(void **state)
{
    (void)state;
    refuses("Type = 0", "Type = 2", ARNE_UNSUPPORTED, HERE,
            "the robot has closed loops (NL = 6, NJ = 6, NF = 6, Type = 2): arne computes chains and trees only");
    refuses("NF = 6", "NF = 8", ARNE_UNSUPPORTED, HERE,
            "the robot has closed loops (NL = 6, NJ = 6, NF = 8, Type = 0): arne computes chains and trees only");
    refuses("NJ = 6", "NJ = 7", ARNE_UNSUPPORTED, HERE,
            "the robot has closed loops (NL = 6, NJ = 7, NF = 6, Type = 0): arne computes chains and trees only");
    refuses("NJ = 6", "NJ = 5", ARNE_BAD_VALUE, 2, "NL = 6, NJ = 5 and NF = 6 must be equal for a chain or a tree");
    refuses("is_mobile = 0", "is_mobile = 1", ARNE_UNSUPPORTED, HERE, "is_mobile: arne computes robots on a fixed base only");
    refuses("is_mobile = 0", "is_floating = True", ARNE_UNSUPPORTED, HERE,
            "is_floating: arne computes robots on a fixed base only");
}

static void what_is_ignored_is_said(void **state)
{
    (void)state;
    warns("is_mobile = 0", "is_floating = False\ncolour = {red, green}",
          "....par:7: colour is no keyword of .par files: ignored");
    warns("FX = {0,", "FX = {3,", "....par:33: FX is not 0: forces on the environment are ignored, use --wrench");
    warns("VP0 = {0,", "VP0 = {3,", "....par:37: VP0 is not 0: the motion of the base is ignored");
    warns("\nZ = {1", "\nZ = {0", "....par:39: Z is not the identity: ignored, poses are given in frame 0");
    warns("W0 = {0,0,0}", "W0 = {0,0,0}\neta={0,1,0,0,0,0}\nk={0,K2,0,0,0,0}",
          "....par:37: eta is not 0: flexible joints (eta, k) are taken as rigid");
}

/* the usual name of a variable goes before other symbols, which then have no value */
static void variables_are_known_by_their_usual_names(void **state)
{
    (void)state;
    static const char *const names[] = {"t3", "TH3", "theta3", "q3", "R3"};
    for (int k = 0; k < 5; k++) {
        char entry[32];
        snprintf(entry, sizeof entry, "off + 2 + %s", names[k]);
        refuses(
            "0.25+th3", entry, ARNE_BAD_VALUE, HERE,
            "Theta of joint j3: symbol off has no value: give it one with --set off=VALUE (equations, base and count need none)");
        const arne_symbol off = {"off", 0.5};
        const arne_symbol all[] = {lengths[0], lengths[1], lengths[2], off};
        const arne_read_options options = {sizeof options, all, 4, 0};
        arne_description *d;
        arne_error error;
        char *text = changed("0.25+th3", entry);
        if (read_text(text, &options, &d, &error)) fail_msg("%s", error.message);
        free(text);
        same(d->joints[2].dh[4], 2.5);
        assert_string_equal(d->joints[2].dh_names[4], "");
        arne_description_free(d);
    }
}

/* any numbers for symbols without values: between 0.4 and 0.9, the same for the same name, others in another set */
static void arbitrary_numbers_stand_for_symbols(void **state)
{
    (void)state;
    double values[2][3];
    for (int set = 1; set <= 2; set++) {
        const arne_read_options options = {sizeof options, lengths, 3, set};
        arne_description *d;
        arne_error error;
        char *text = changed("IA = {0.1,0.2,0.3,", "IA = {JA,JB,JA,");
        if (read_text(text, &options, &d, &error)) fail_msg("%s", error.message);
        free(text);
        assert_int_equal(d->nopen, 2);
        assert_string_equal(d->open[0], "JA");
        assert_string_equal(d->open[1], "JB");
        for (int i = 0; i < 3; i++) {
            const double x = values[set - 1][i] = d->joints[i].motor.inertia;
            assert_true(x >= 0.4 && x < 0.9);
        }
        assert_true(values[set - 1][0] == values[set - 1][2] && values[set - 1][0] != values[set - 1][1]);
        same(d->joints[3].motor.inertia, 0.4);
        same(d->joints[2].dh[3], 0.45); /* what has a value keeps it */
        arne_description_free(d);
    }
    assert_true(values[0][0] != values[1][0] && values[0][1] != values[1][1]);
    char *text = changed("0.25+th3", "off+th3");
    const arne_read_options options = {sizeof options, lengths, 3, 1};
    arne_description *d;
    arne_error error;
    assert_int_equal(read_text(text, &options, &d, &error), ARNE_BAD_VALUE); /* an angle has a value or is none */
    assert_string_equal(error.message, "Theta of joint j3: symbol off has no value: give it one with --set off=VALUE");
    free(text);
}

static void sizes_have_bounds(void **state)
{
    (void)state;
    refuses("NL = 6\n", "NL = 10001\n", ARNE_BAD_VALUE, HERE, "NL is 10001: a whole number from 1 to 10000 is expected");
    refuses("NL = 6\n", "NL = 10000\n", ARNE_BAD_VALUE, HERE,
            "NL = 10000, NJ = 6 and NF = 6 must be equal for a chain or a tree");
    refuses("NJ = 6\n", "NJ = 10001\n", ARNE_BAD_VALUE, HERE, "NJ is 10001: a whole number from 1 to 10000 is expected");
    refuses("NF = 6", "NF = 20001", ARNE_BAD_VALUE, HERE, "NF is 20001: a whole number from 1 to 20000 is expected");
    refuses("NF = 6", "NF = 5", ARNE_BAD_VALUE, 2, "NL = 6, NJ = 6 and NF = 5 must be equal for a chain or a tree");
    refuses("Type = 0", "Type = 3", ARNE_BAD_VALUE, HERE, "Type is 3: a whole number from 0 to 2 is expected");
    refuses("is_mobile = 0", "is_mobile = 2", ARNE_BAD_VALUE, HERE, "is_mobile is 2: a whole number from 0 to 1 is expected");
    refuses("\nZ = {1,", "\nZ = {", ARNE_BAD_VALUE, 39, "Z needs 16 entries, but has 15");
    refuses("NL = 6\n", "NL = {6,6}\n", ARNE_BAD_VALUE, HERE, "NL must be one value");
    refuses("IA = {0.1,", "IA = {-0.5,", ARNE_BAD_VALUE, HERE, "IA of joint j1 must not be negative, but is -0.5");
    refuses("FS = {0,0,", "FS = {0,-2,", ARNE_BAD_VALUE, HERE, "FS of joint j2 must not be negative, but is -2");
    refuses("M = {0,0,0,0,0,2}", "M = {0,0,0,0,0,0.9e-30}", ARNE_BAD_VALUE, HERE,
            "link j6: M = 9e-31 is too small for its MX, MY or MZ");
    arne_description *d;
    arne_error error;
    static const char *const fixed[] = {"is_floating = 0", "is_mobile = False", "is_floating = FALSE\nis_mobile = 0"};
    for (int k = 0; k < 3; k++) {
        char *own = changed("is_mobile = 0", fixed[k]);
        if (read_text(own, &with_lengths, &d, &error)) fail_msg("%s", error.message);
        assert_int_equal(d->nwarning, 0);
        arne_description_free(d);
        free(own);
    }
    char *text = changed("IA = {0.1,", "IA = {1e30,");
    if (read_text(text, &with_lengths, &d, &error)) fail_msg("%s", error.message);
    assert_true(d->joints[0].motor.inertia == 1e30);
    arne_description_free(d);
    free(text);
}

/* each list alone, by its name and its line */
static void every_list_that_is_ignored_is_named(void **state)
{
    (void)state;
    static const char *const forces[] = {"FX", "FY", "FZ", "CX", "CY", "CZ"}, *const motions[] = {"W0", "WP0", "V0", "VP0"};
    for (int k = 0; k < 10; k++) {
        const char *name = k < 6 ? forces[k] : motions[k - 6];
        char list[64], words[128];
        snprintf(list, sizeof list, k < 6 ? "%s = {0,0,0,0,0,2}" : "%s = {0,0,2}", name);
        snprintf(words, sizeof words,
                 k < 6 ? "...:%d: %s is not 0: forces on the environment are ignored, use --wrench"
                       : "...:%d: %s is not 0: the motion of the base is ignored",
                 line_of(k < 6 ? "FX =" : "W0 ="), name);
        char *text = changed(k < 6 ? "FX = {0,0,0,0,0,FX6}\nCZ = {0,0,0,0,0,CZ6}" : "W0 = {0,0,0}\nVP0 = {0,0,0}", "LIST\n");
        char *at = strstr(text, "LIST");
        char *whole = malloc(strlen(text) + sizeof list);
        assert_non_null(whole);
        sprintf(whole, "%.*s%s%s", (int)(at - text), text, list, at + 4);
        arne_description *d;
        arne_error error;
        if (read_text(whole, &with_lengths, &d, &error)) fail_msg("%s", error.message);
        assert_int_equal(d->nwarning, 1);
        if (!says(d->warnings[0], words)) fail_msg("%s is not %s", d->warnings[0], words);
        arne_description_free(d);
        free(whole);
        free(text);
    }
    arne_description *d;
    arne_error error;
    assert_int_equal(read_text("NL=1\nant={0}\nsigma={0}\nalpha={0}\nd={0}\ntheta={t1}\nr={0}", NULL, &d, &error), ARNE_OK);
    assert_int_equal(d->nwarning, 1);
    assert_true(says(d->warnings[0], "...par: M is missing: the links weigh nothing"));
    arne_description_free(d);
}

/* a keyword has up to 40 letters; what is none is passed over, list or not */
static void words_that_are_no_keywords(void **state)
{
    (void)state;
    warns("NJ = 6", "a234567890123456789012345678901234567890 = {1,\n2}\nNJ = 6",
          "...par:3: a234567890123456789012345678901234567890 is no keyword of .par files: ignored");
    refuses("NJ = 6", "a2345678901234567890123456789012345678901 = 2", ARNE_BAD_SYNTAX, HERE,
            "NAME = value or NAME = {...} is expected, not 'a2345678901234567890'");
}

static void a_name_may_be_a_keyword_of_the_file(void **state)
{
    (void)state;
    arne_description *d;
    arne_error error;
    char *text = changed("(* Robotname = 'RX 90' *)", "Name = Arm_7");
    if (read_text(text, &with_lengths, &d, &error)) fail_msg("%s", error.message);
    assert_string_equal(d->name, "Arm_7");
    arne_description_free(d);
    free(text);
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
        cmocka_unit_test(variables_are_known_by_their_usual_names),
        cmocka_unit_test(arbitrary_numbers_stand_for_symbols),
        cmocka_unit_test(sizes_have_bounds),
        cmocka_unit_test(every_list_that_is_ignored_is_named),
        cmocka_unit_test(words_that_are_no_keywords),
        cmocka_unit_test(a_name_may_be_a_keyword_of_the_file),
        cmocka_unit_test(missing_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
