/* SPDX-License-Identifier: MIT
 *
 * rows_test.c - planar, cylindrical and universal joints: where their links stand, by the definition of each. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arne/arne.h"
#include "describe/pose.h"
#include "describe/rows.h"
#include "support/random_robot.h"

/* R = c 1 + s [u] + (1-c) u u' */
static arne_pose turn(const double axis[3], double angle)
{
    const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), c = cos(angle), s = sin(angle);
    const double u[3] = {axis[0] / n, axis[1] / n, axis[2] / n};
    const double across[9] = {c, -s * u[2], s * u[1], s * u[2], c, -s * u[0], -s * u[1], s * u[0], c};
    arne_pose p = arne__pose_identity();
    for (int i = 0; i < 9; i++) p.R[i] = across[i] + (1 - c) * u[i / 3] * u[i % 3];
    return p;
}

static arne_pose slide(const double axis[3], double by)
{
    const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    arne_pose p = arne__pose_identity();
    for (int i = 0; i < 3; i++) p.p[i] = by * axis[i] / n;
    return p;
}

/* z to n the shortest way: about z x n */
static arne_pose upright(const double n[3])
{
    const double across[3] = {-n[1], n[0], 0}, flat = hypot(n[0], n[1]);
    if (flat == 0) return n[2] > 0 ? arne__pose_identity() : turn((const double[3]){1, 0, 0}, acos(-1));
    return turn(across, atan2(flat, n[2]));
}

static arne_pose moved(const joint_row *row, const double axis[3], const double second[3], const double q[3])
{
    if (row == &arne__planar) { /* to the plane's own axes, along, round, and back */
        const arne_pose up = upright(axis), down = arne__pose_inverse(&up),
                        by = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {q[0], q[1], 0}};
        const arne_pose there = arne__pose_mul(&up, &by), level = arne__pose_mul(&there, &down), round = turn(axis, q[2]);
        return arne__pose_mul(&level, &round);
    }
    const arne_pose a = turn(axis, q[0]), b = row == &arne__universal ? turn(second, q[1]) : slide(axis, q[1]);
    return arne__pose_mul(&a, &b);
}

static void check(const joint_row *row, random_stream *r, const double axis[3])
{
    static const char *const planar[] = {"some joint.x", "some joint.y", "some joint.angle"},
                             *const cylindrical[] = {"some joint.angle", "some joint.slide"},
                             *const universal[] = {"some joint.first", "some joint.second"};
    const char *const *names = row == &arne__planar ? planar : row == &arne__universal ? universal : cylindrical;
    arne_description *d = arne_description_new("row");
    arne_error e;
    double second[3], q[3];
    size_t first;
    arne_description_link(d, "world", 1);
    arne_description_link(d, "base", 1);
    arne_description_joint(d, "foot", 2, ARNE_FIXED, "world", "base");
    d->mdh = true; /* as if its joints were told by such numbers */
    arne_description_link(d, "tool", 2)->body = random_body(r);
    arne_joint_description *j = arne_description_joint(d, "some joint", 3, ARNE_REVOLUTE, "base", "tool");
    const arne_pose before = j->before = random_pose(r, 1), after = j->after = random_pose(r, 1);
    memcpy(j->axis, axis, sizeof j->axis);
    random_vector(r, 3, 1, second);
    random_vector(r, 3, 2, q);
    assert_int_equal(arne__describe_row(d, row, second, &first, &e), ARNE_OK);
    assert_int_equal(first, 1);
    assert_int_equal(d->njoint, 1 + row->count);
    assert_int_equal(d->nlink, 2 + row->count);
    assert_false(d->mdh);
    for (int k = 0; k < row->count; k++) {
        const bool last = k == row->count - 1;
        assert_string_equal(d->joints[1 + k].name, names[k]);
        assert_string_equal(d->joints[1 + k].parent, k ? names[k - 1] : "base");
        assert_string_equal(d->joints[1 + k].child, last ? "tool" : names[k]);
        assert_int_equal(d->joints[1 + k].line, 3);
        if (last) continue;
        assert_string_equal(d->links[3 + k].name, names[k]);
        assert_int_equal(d->links[3 + k].line, 3);
    }

    arne_model *m;
    arne_data *data;
    if (arne_model_build(d, NULL, &m, &e)) fail_msg("%s", e.message);
    assert_int_equal(arne_model_nv(m), row->count);
    assert_int_equal(arne_data_new(m, &data, &e), ARNE_OK);
    arne_pose is;
    assert_int_equal(arne_link_pose(data, q, arne_link_find(m, "tool"), &is), ARNE_OK);
    const arne_pose motion = moved(row, axis, second, q), half = arne__pose_mul(&before, &motion),
                    should = arne__pose_mul(&half, &after);
    for (int k = 0; k < 9; k++) assert_true(fabs(is.R[k] - should.R[k]) < 1e-13);
    for (int k = 0; k < 3; k++) assert_true(fabs(is.p[k] - should.p[k]) < 1e-13);
    arne_data_free(data);
    arne_model_free(m);
    arne_description_free(d);
}

static void links_stand_where_the_definition_puts_them(void **state)
{
    (void)state;
    const joint_row *const rows[] = {&arne__planar, &arne__cylindrical, &arne__universal};
    static const double special[][3] = {{0, 0, 1},  {0, 0, -1}, {1, 0, 0},     {0, 1, 0},         {-1, 0, 0},
                                        {0, -3, 0}, {0, 0, 7},  {1e-9, 0, -1}, {1e-3, -2e-3, -1}, {1e-5, 1e-5, 1}};
    random_stream r = {1};
    for (int k = 0; k < 3; k++) {
        assert_ptr_equal(arne__row_called(rows[k]->name), rows[k]);
        for (size_t i = 0; i < sizeof special / sizeof *special; i++) check(rows[k], &r, special[i]);
        for (int i = 0; i < 30; i++) {
            double axis[3];
            random_vector(&r, 3, 1, axis);
            check(rows[k], &r, axis);
        }
    }
    assert_null(arne__row_called("spherical"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(links_stand_where_the_definition_puts_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
