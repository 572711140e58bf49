/* SPDX-License-Identifier: MIT
 *
 * published.c - printed, recounted and ours: operations and parallel steps of a general n-link revolute arm.
 *
 * The arm of [004 section 8]: every rotation matrix is given, nine free numbers; every length and every inertia is arbitrary, or,
 * for Table 8.5, K is diagonal. */
#include "arne/compare.h"

#include <stdio.h>
#include <stdlib.h>

#define SIXTHS(c3, c2, c1, c0)                                                                                                   \
    {                                                                                                                            \
        c3, c2, c1, c0                                                                                                           \
    }
#define WHOLE(c3, c2, c1, c0) SIXTHS(6 * (c3), 6 * (c2), 6 * (c1), 6 * (c0))

static const arne_published_count counts[] = {
    {"Lagrange", "lagrange", false, false, "Tables 8.1, 8.2", SIXTHS(81, 495, 30, 0), SIXTHS(80, 348, -128, 0),
     SIXTHS(80, 543, 79, 0), SIXTHS(64, 447, -13, 0)},
    {"recursive Lagrange", "recursive-lagrange", false, false, "Tables 8.1, 8.3", WHOLE(0, 0, 226, 0), WHOLE(0, 0, 144, 0),
     WHOLE(0, 0, 235, -69), WHOLE(0, 0, 189, -75)},
    {"Newton-Euler", "newton-euler", false, false, "Tables 8.1, 8.4", WHOLE(0, 0, 108, -12), WHOLE(0, 0, 100, -9),
     WHOLE(0, 0, 112, -38), WHOLE(0, 0, 98, -40)},
    {"modified Newton-Euler, K diagonal", "turney", true, false, "Tables 8.1, 8.5", WHOLE(0, 0, 90, -27), WHOLE(0, 0, 88, -24),
     WHOLE(0, 0, 94, -38), WHOLE(0, 0, 83, -40)},
    {"modified Newton-Euler, K full", "turney", false, false, NULL, {0}, {0}, WHOLE(0, 0, 115, -38), WHOLE(0, 0, 101, -40)},
    {"inertia matrix by strobing", "strobe-mass", false, false, "section 8", WHOLE(0, 36, 36, 0), WHOLE(0, 26, 26, 0),
     WHOLE(0, 37, -5, 0), SIXTHS(0, 183, -51, 0)},
    {"arrays C by strobing", "strobe-coriolis", false, true, "section 8", WHOLE(54, 27, 9, 0), WHOLE(54, 27, 9, 0),
     SIXTHS(201, 123, -78, 0), SIXTHS(171, 81, -84, 0)},
    {0},
};

static const arne_published_depth depths = {WHOLE(0, 0, 27, 42), WHOLE(0, 0, 27, 41), WHOLE(0, 0, 8, 4)};

const arne_published_count *arne_published_counts(void) { return counts; }
const arne_published_depth *arne_published_depths(void) { return &depths; }

long arne_sixths_at(const arne_sixths *p, int n)
{
    const long k = n;
    return (((p->c3 * k + p->c2) * k + p->c1) * k + p->c0) / 6;
}

const char *arne_sixths_text(const arne_sixths *p, char *buffer, size_t size)
{
    const int c[4] = {p->c3, p->c2, p->c1, p->c0};
    static const char *const power[4] = {"n^3", "n^2", "n", ""};
    size_t used = 0;
    buffer[0] = 0;
    for (int k = 0; k < 4 && used < size; k++) {
        if (!c[k]) continue;
        const int top = abs(c[k]), common = top % 6 == 0 ? 6 : top % 3 == 0 ? 3 : top % 2 == 0 ? 2 : 1;
        const char *sign = c[k] < 0 ? (used ? " - " : "-") : used ? " + " : "";
        char below[8] = "";
        if (common < 6) snprintf(below, sizeof below, "/%d", 6 / common);
        used += (size_t)snprintf(buffer + used, size - used, "%s%d%s%s%s", sign, top / common, below, k < 3 ? " " : "", power[k]);
    }
    return buffer;
}

/* ---- the arm ---- */

/* Modified-DH frames are kept as they are given, so a diagonal tensor stays diagonal; the numbers are binary fractions, so that
 * its zeros come out exactly, and no mass times distance is 1, which would fold. */
static bool add_link(arne_description *d, int i, bool diagonal)
{
    char name[16], parent[16];
    snprintf(name, sizeof name, "link%d", i + 1);
    snprintf(parent, sizeof parent, "link%d", i);
    arne_link_description *l = arne_description_link(d, name, 0);
    if (!l) return false;
    const double xy = diagonal ? 0 : 0.03125, xz = diagonal ? 0 : -0.0625, yz = diagonal ? 0 : 0.015625;
    l->body = (arne_body){2 + i, {0.375, 0.625, 0.4375}, {0.5, xy, xz, 0.75, yz, 0.625}};
    arne_joint_description *j = arne_description_joint(d, name, 0, ARNE_REVOLUTE, i ? parent : "base", name);
    if (!j) return false;
    if (i) j->dh[2] = 0.5 + 0.0625 * i, j->dh[3] = 0.25, j->dh[5] = 0.375; /* skew axes, offset along and across them */
    j->before = arne_pose_mdh(j->dh);
    return true;
}

static arne_status general_arm(int n, bool diagonal, arne_model **model, arne_error *error)
{
    arne_description *d = arne_description_new("general");
    bool ok = d && arne_description_link(d, "base", 0);
    for (int i = 0; i < n && ok; i++) ok = add_link(d, i, diagonal);
    if (ok) d->mdh = true;
    const arne_status status =
        ok ? arne_model_build(d, NULL, model, error) : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    arne_description_free(d);
    return status;
}

arne_status arne_count_arm(int n, const char *what, bool diagonal, int processors, arne_operations *written,
                           arne_operations *passes, arne_error *error)
{
    arne_count_options o = {.size = sizeof o, .general = !diagonal, .given = true, .as_written = true, .processors = processors};
    arne_model *m = NULL;
    arne_status status = general_arm(n, diagonal, &m, error);
    arne_data *d = NULL;
    if (!status) status = arne_data_new(m, &d, error);
    if (!status) status = arne_count(d, what, &o, written);
    o.as_written = false;
    if (!status) status = arne_count(d, what, &o, passes);
    if (status && status != ARNE_NO_MEMORY && d) arne_fail(error, status, NULL, 0, "nothing to count is called %s", what);
    arne_data_free(d);
    arne_model_free(m);
    return status;
}
