/* SPDX-License-Identifier: MIT
 *
 * mesh_test.c - a brick in every way that files have it: volume, centre and inertia by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "file/mesh.h"
#include "support/tempfile.h"
#include "file/says.h"

/* single precision */
static const double TOLERANCE = 1e-6;

/* a brick of 1 x 2 x 3, one corner in the origin; faces look outwards */
static const float corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 3}, {1, 0, 3}, {1, 2, 3}, {0, 2, 3}};
static const int quad[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static mesh reads(const char *name, const char *bytes, size_t size)
{
    temp_folder t = temp_open();
    mesh m;
    arne_error e = {.status = ARNE_OK};
    const arne_status status = arne__mesh_read(temp_write_bytes(&t, name, bytes, size), &m, &e);
    temp_close(&t);
    if (status) fail_msg("%s", e.message);
    return m;
}

static void is_the_brick(mesh m, mesh_kind kind)
{
    mesh_solid s;
    assert_int_equal(m.count, 12);
    assert_int_equal(arne__mesh_solid(&m, kind, &s), ARNE_OK);
    const double centre[3] = {.5, 1, 1.5}, I[6] = {13. / 12, 0, 0, 10. / 12, 0, 5. / 12};
    assert_true(fabs(s.volume - 6) <= 6 * TOLERANCE);
    for (int i = 0; i < 3; i++) assert_true(fabs(s.centre[i] - centre[i]) <= TOLERANCE);
    for (int i = 0; i < 6; i++) assert_true(fabs(s.inertia[i] - I[i]) <= TOLERANCE);
    arne__mesh_free(&m);
}

static size_t binary(char *out)
{
    const uint32_t count = 12;
    memset(out, 0, 84 + 50 * count);
    memcpy(out + 80, &count, sizeof count);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const int at = k == 0 ? 0 : k + (int)(i % 2); /* a fan of two */
            memcpy(out + 84 + 50 * i + 12 * (k + 1), corner[quad[i / 2][at]], 12);
        }
    return 84 + 50 * count;
}

static void stl_binary_and_text(void **state)
{
    (void)state;
    char bytes[1024], text[8192] = "solid brick\n";
    is_the_brick(reads("brick.stl", bytes, binary(bytes)), MESH_EXACT);
    is_the_brick(reads("BRICK.STL", bytes, binary(bytes)), MESH_LEGACY);
    for (int i = 0; i < 12; i++) {
        char *end = text + strlen(text);
        end += sprintf(end, " facet normal 0 0 0\n  outer loop\n");
        for (int k = 0; k < 3; k++) {
            const float *v = corner[quad[i / 2][k == 0 ? 0 : k + i % 2]];
            end += sprintf(end, "   vertex %g %.3e %g\n", v[0], v[1], v[2]);
        }
        sprintf(end, "  endloop\n endfacet\n");
    }
    is_the_brick(reads("brick.stl", text, strlen(text)), MESH_EXACT);
}

/* faces of four corners, with texture and normal, counted from the end; what is not the first object is left out */
static void obj_of_every_kind(void **state)
{
    (void)state;
    char text[4096] = "# brick\r\nmtllib x.mtl\no brick\ng brick\n", *end = text + strlen(text);
    for (int i = 0; i < 8; i++) end += sprintf(end, "v %g %g %g\nvt 0 0\nvn 0 0 1\n", corner[i][0], corner[i][1], corner[i][2]);
    for (int i = 0; i < 6; i++)
        end += i % 2 ? sprintf(end, "f %d/1/1 %d//1 %d/1 %d\n", quad[i][0] + 1, quad[i][1] + 1, quad[i][2] + 1, quad[i][3] + 1)
                     : sprintf(end, "f %d %d %d %d\n", quad[i][0] - 8, quad[i][1] - 8, quad[i][2] - 8, quad[i][3] - 8);
    sprintf(end, "o other\nf 1 2 3\n");
    is_the_brick(reads("brick.obj", text, strlen(text)), MESH_EXACT);
    is_the_brick(reads("brick.obj", text, strlen(text)), MESH_LEGACY);
}

/* numbers with signs, tabs for blanks, a group that ends the object; and what is not a number or too far away, wherever it is */
static void corners_of_every_kind(void **state)
{
    (void)state;
    const char *const text = "v\t+1\t-2\t3\r\nv 0 0 0\nv 4 5 6\ngroup\ng start\nf\t1 2 3\ng next\nf 1 2 9\n";
    mesh m = reads("m.obj", text, strlen(text));
    static const float should[3][3] = {{1, -2, 3}, {0, 0, 0}, {4, 5, 6}};
    assert_int_equal(m.count, 1);
    assert_memory_equal(m.corner[0], should, sizeof should);
    arne__mesh_free(&m);
    for (int bad = 0; bad < 18; bad++) {
        char words[256], *end = words;
        arne_error e = {.status = ARNE_OK};
        temp_folder t = temp_open();
        for (int k = 0; k < 9; k++)
            end += sprintf(end, "%s %s%s", k % 3 ? "" : "v",
                           k != bad / 2 ? "0.9e9"
                           : bad % 2    ? "-1.1e9"
                                        : "1.1e9",
                           k % 3 == 2 ? "\n" : "");
        sprintf(end, "f 1 2 3\n");
        assert_int_equal(arne__mesh_read(temp_write(&t, "m.obj", words), &m, &e), ARNE_BAD_VALUE);
        assert_string_equal(e.message, "a corner is not finite or beyond 1e9");
        temp_close(&t);
    }
}

/* an inner brick whose faces look into it is a hollow, and would be matter if signs did not count */
static void a_hollow_is_no_matter(void **state)
{
    (void)state;
    char bytes[2048];
    binary(bytes);
    const uint32_t count = 24;
    memcpy(bytes + 80, &count, sizeof count);
    for (uint32_t i = 0; i < 12; i++) { /* half as large, about the same centre, turned round */
        memset(bytes + 84 + 50 * (12 + i), 0, 50);
        for (int k = 0; k < 3; k++) {
            float v[3];
            memcpy(v, bytes + 84 + 50 * i + 12 * (k + 1), sizeof v);
            const float to[3] = {.25f + v[0] / 2, .5f + v[1] / 2, .75f + v[2] / 2};
            memcpy(bytes + 84 + 50 * (12 + i) + 12 * (k == 0 ? 1 : 4 - k), to, sizeof to);
        }
    }
    mesh m = reads("hollow.stl", bytes, 84 + 50 * count);
    mesh_solid s;
    assert_int_equal(arne__mesh_solid(&m, MESH_EXACT, &s), ARNE_OK);
    assert_true(fabs(s.volume - 5.25) <= 6 * TOLERANCE);
    /* (6 * 13/12 - 0.75 * 13/48) / 5.25 */
    assert_true(fabs(s.inertia[0] - (6.5 - 0.75 * 13 / 48) / 5.25) <= TOLERANCE);
    arne__mesh_free(&m);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        arne_status status;
        const char *words;
    } cases[] = {
        {"a.stl", "solid nothing\nendsolid\n", ARNE_BAD_VALUE, "there is no triangle in it"},
        {"a.stl", "vertex 1 2 x vertex 0 0 0 vertex 1 1 1", ARNE_BAD_VALUE, "there is no triangle in it"},
        {"a.obj", "v 0 0 0\nv 1 0\nv 0 1 0\n", ARNE_BAD_VALUE, "a vertex needs three numbers"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", ARNE_BAD_VALUE, "a face has vertex 4 of 3"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9\n", ARNE_BAD_VALUE, "a face has vertex -9 of 3"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", ARNE_BAD_VALUE, "a face has vertex 0 of 3"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 -4 2\n", ARNE_BAD_VALUE, "a face has vertex -4 of 3"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf \n", ARNE_BAD_VALUE, "a face has 0 corners"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", ARNE_BAD_VALUE, "a face has 2 corners"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1e30 0\nf 1 2 3\n", ARNE_BAD_VALUE, "a corner is not finite or beyond 1e9"},
        {"a.dae", "<x/>", ARNE_UNSUPPORTED, "meshes are read from .stl and .obj files"},
        {"a.stl", "", ARNE_BAD_SYNTAX, "the file is empty"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        temp_folder t = temp_open();
        mesh m;
        arne_error e = {.status = ARNE_OK};
        const arne_status status = arne__mesh_read(temp_write(&t, cases[i].name, cases[i].text), &m, &e);
        temp_close(&t);
        if (status != cases[i].status || !says(e.message, cases[i].words)) fail_msg("case %zu: %s", i, e.message);
        assert_null(m.corner);
    }
    mesh m, flat = reads("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", strlen("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    mesh_solid s;
    assert_int_equal(arne__mesh_solid(&flat, MESH_EXACT, &s), ARNE_BAD_VALUE);
    arne__mesh_free(&flat);
    assert_int_equal(arne__mesh_read("/nonexistent/a.stl", &m, NULL), ARNE_NO_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stl_binary_and_text),   cmocka_unit_test(obj_of_every_kind),     cmocka_unit_test(corners_of_every_kind),
        cmocka_unit_test(a_hollow_is_no_matter), cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
