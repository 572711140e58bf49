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
        {"a.stl", "solid nothing\nendsolid\n", ARNE_BAD_VALUE, "no triangle"},
        {"a.stl", "vertex 1 2 x vertex 0 0 0 vertex 1 1 1", ARNE_BAD_VALUE, "no triangle"},
        {"a.obj", "v 0 0 0\nv 1 0\nv 0 1 0\n", ARNE_BAD_VALUE, "three numbers"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", ARNE_BAD_VALUE, "vertex 4 of 3"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9\n", ARNE_BAD_VALUE, "vertex -9 of 3"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", ARNE_BAD_VALUE, "vertex 0 of 3"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", ARNE_BAD_VALUE, "2 corners"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1e30 0\nf 1 2 3\n", ARNE_BAD_VALUE, "beyond 1e9"},
        {"a.dae", "<x/>", ARNE_UNSUPPORTED, ".stl and .obj"},
        {"a.stl", "", ARNE_BAD_SYNTAX, "empty"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        temp_folder t = temp_open();
        mesh m;
        arne_error e = {.status = ARNE_OK};
        const arne_status status = arne__mesh_read(temp_write(&t, cases[i].name, cases[i].text), &m, &e);
        temp_close(&t);
        if (status != cases[i].status || !strstr(e.message, cases[i].words)) fail_msg("case %zu: %s", i, e.message);
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
        cmocka_unit_test(stl_binary_and_text),
        cmocka_unit_test(obj_of_every_kind),
        cmocka_unit_test(a_hollow_is_no_matter),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
