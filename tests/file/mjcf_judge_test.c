/* SPDX-License-Identifier: MIT
 *
 * mjcf_judge_test.c - MJCF files read by arne and by MuJoCo: the same inertia matrix, the same forces at random states.
 *
 * With a file as its argument the program compares that one and prints how far the two are apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "arne/arne.h"
#include "arne/file.h"
#include "support/tempfile.h"

#ifdef ARNE_HAS_MUJOCO
#include <mujoco/mujoco.h>

#include "base/random.h"

/* MuJoCo's numbers of a position from ours, and the matrix T of qvel = T qd: a free body's velocity is told in world axes there
 */
static void to_mujoco(const mjModel *m, const arne_model *a, const double *q, double *qpos, double *T, const double *qd,
                      double *bend)
{
    const int nv = m->nv;
    for (int i = 0; i < nv * nv; i++) T[i] = i % (nv + 1) == 0;
    for (int i = 0; i < nv; i++) bend[i] = 0;
    for (int j = 0; j < m->njnt; j++) {
        const double *from = q + arne_joint_q(a, j);
        double *to = qpos + m->jnt_qposadr[j];
        const int v = m->jnt_dofadr[j];
        if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE) {
            to[0] = from[0];
            continue;
        }
        const int places = m->jnt_type[j] == mjJNT_FREE ? 3 : 0;
        for (int k = 0; k < places; k++) to[k] = from[k];
        const double w[4] = {from[places + 3], from[places], from[places + 1], from[places + 2]};
        for (int k = 0; k < 4; k++) to[places + k] = w[k];
        if (!places) continue;
        double R[9];
        mju_quat2Mat(R, w);
        const double *u = qd + v, *x = u + 3,
                     turned[3] = {x[1] * u[2] - x[2] * u[1], x[2] * u[0] - x[0] * u[2], x[0] * u[1] - x[1] * u[0]};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                T[(v + r) * nv + v + c] = R[3 * r + c];
                bend[v + r] += R[3 * r + c] * turned[c]; /* d/dt (R v) = R (v' + w x v) */
            }
    }
}

static void random_state(const mjModel *m, random_source *r, const arne_model *a, double *q, double *qd)
{
    for (int i = 0; i < m->nq; i++) q[i] = arne__random_normal(r);
    for (int i = 0; i < m->nv; i++) qd[i] = arne__random_normal(r);
    int joint;
    assert_int_equal(arne_normalize(a, NAN, q, &joint), ARNE_OK);
}

static double apart(const double *a, const double *b, int n)
{
    double most = 0, scale = 1e-3;
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(b[i]));
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]) / scale);
    return most;
}

/* Both at one state. */
static double at_a_state(const mjModel *m, mjData *d, arne_data *a, const arne_model *model, const double *q, const double *qd)
{
    const int nv = m->nv, nn = nv * nv;
    double *space = calloc((size_t)(4 * nn + 5 * nv + m->nq), sizeof *space);
    double *T = space, *M = T + nn, *TM = M + nn, *ours = TM + nn, *bend = ours + nn, *h = bend + nv, *Th = h + nv,
           *force = Th + nv;
    to_mujoco(m, model, q, d->qpos, T, qd, bend);
    mju_mulMatVec(d->qvel, T, qd, nv, nv);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, h);
    mj_fullM(m, M, d->qM);
    double *extra = force + nv;
    mju_mulMatVec(extra, M, bend, nv, nv);
    mju_addTo(h, extra, nv);
    mju_mulMatTMat(TM, T, M, nv, nv, nv);
    mju_mulMatMat(M, TM, T, nv, nv, nv); /* T'M T */
    mju_mulMatTVec(Th, T, h, nv, nv);
    assert_int_equal(arne_mass(a, q, ours), ARNE_OK);
    assert_int_equal(arne_bias(a, q, qd, force), ARNE_OK);
    const double worst = fmax(apart(ours, M, nn), apart(force, Th, nv));
    free(space);
    return worst;
}

/* How far they are apart, by the largest entry. */
static double judged(const char *path)
{
    char why[1000] = "";
    arne_error e = {.status = ARNE_OK};
    arne_read_options o = {.size = sizeof o};
    arne_description *description;
    arne_model *model;
    arne_settings *settings;
    arne_data *data;
    mjModel *m = mj_loadXML(path, NULL, why, sizeof why);
    if (!m) fail_msg("MuJoCo: %s", why);
    if (arne_read(path, &o, &description, &e)) fail_msg("%s:%d: %s", e.file, e.line, e.message);
    for (size_t i = 0; i < description->njoint; i++) { /* there they are only pulled together */
        free(description->joints[i].master);
        description->joints[i].master = NULL;
    }
    if (arne_model_build(description, NULL, &model, &e)) fail_msg("%s:%d: %s", e.file, e.line, e.message);
    assert_int_equal(arne_settings_new(model, &settings, &e), ARNE_OK);
    assert_int_equal(arne_set_rigid(settings, true), ARNE_OK);
    assert_int_equal(arne_data_share(settings, &data, &e), ARNE_OK);
    assert_int_equal(arne_model_nq(model), m->nq);
    assert_int_equal(arne_model_nv(model), m->nv);
    for (int i = 0; i < m->nv; i++) m->dof_armature[i] = 0, m->dof_simplenum[i] = 0; /* or it takes inertia as it was */
    mjData *d = mj_makeData(m);
    random_source random = {.state = 7};
    double worst = 0, *q = calloc((size_t)(m->nq + m->nv), sizeof *q);
    for (int round = 0; round < 3; round++) {
        random_state(m, &random, model, q, q + m->nq);
        worst = fmax(worst, at_a_state(m, d, data, model, q, q + m->nq));
    }
    free(q);
    mj_deleteData(d);
    mj_deleteModel(m);
    arne_data_free(data);
    arne_settings_free(settings);
    arne_model_free(model);
    arne_description_free(description);
    return worst;
}
#else
static double judged(const char *path)
{
    (void)path;
    print_message("not tested: MJCF files against MuJoCo: libmujoco-dev is not here\n");
    return 0;
}
#endif

/* roundings of two computations, MuJoCo's through quaternions and principal axes */
static const double TOLERANCE = 1e-9;
/* where it looks for principal axes: it stops when they turn by less than 1e-6 */
static const double PRINCIPAL = 1e-7;

static void agrees_within(const char *model, double tolerance)
{
    temp_folder t = temp_open();
    const double worst = judged(temp_write(&t, "robot.xml", model));
    temp_close(&t);
    if (!(worst <= tolerance)) fail_msg("%g apart", worst);
}
static void agrees(const char *model) { agrees_within(model, TOLERANCE); }

#define INERTIAL "<inertial pos='.1 -.2 .3' quat='.8 .1 -.5 .3' mass='2' diaginertia='.3 .2 .15'/>"

static void orientations_of_every_kind(void **state)
{
    (void)state;
    agrees("<mujoco><worldbody><body name='a' pos='1 2 3' quat='2 1 -1 .5'>" INERTIAL "<joint axis='1 2 3'/>"
           "<body pos='.1 .2 -.3' axisangle='1 2 2 40'>" INERTIAL "<joint axis='0 1 0'/>"
           "<body pos='0 0 .5' xyaxes='0 1 .2 -1 .3 0'>" INERTIAL "<joint axis='0 1 1'/>"
           "<body pos='.4 0 0' zaxis='1 2 -1'>" INERTIAL "<joint axis='1 0 0' type='slide'/>"
           "<body euler='10 20 -130'><joint/><inertial pos='0 .1 0' euler='20 30 40' mass='3' diaginertia='1 2 2.5'/>"
           "</body></body></body></body></body></worldbody></mujoco>");
}

static void angles_in_radians_and_other_sequences(void **state)
{
    (void)state;
#define TURNED "<worldbody><body euler='.3 -.7 1.9'>" INERTIAL "<joint axis='1 0 0'/></body></worldbody></mujoco>"
    agrees("<mujoco><compiler angle='radian' eulerseq='zyx'/>" TURNED);
    agrees("<mujoco><compiler angle='radian' eulerseq='XYZ'/>" TURNED);
    agrees("<mujoco><compiler angle='radian' eulerseq='xZy'/>" TURNED);
    agrees("<mujoco><compiler angle='degree' eulerseq='zXz'/>" TURNED);
}

/* each turns and slides what the ones before it have moved, about its own anchor, and zero is where ref says */
static void several_joints_in_a_body_with_anchors_and_refs(void **state)
{
    (void)state;
    agrees("<mujoco><worldbody><body pos='1 0 0' euler='0 30 0'>" INERTIAL
           "<joint name='x' axis='1 1 0' pos='.1 .2 .3' ref='25'/><joint type='slide' axis='0 1 2' ref='.7'/>"
           "<joint axis='0 0 1' pos='-.3 0 .2'/><body pos='0 .3 0'>" INERTIAL
           "<joint type='slide' axis='1 0 0' pos='5 6 7' ref='-2'/><joint axis='0 1 0' pos='0 0 .4' ref='-60'/>"
           "</body></body></worldbody></mujoco>");
}

static void free_bodies_and_balls(void **state)
{
    (void)state;
    agrees(
        "<mujoco><option gravity='1 2 -9'/><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='1 2 3' euler='40 0 0'><freejoint/>" INERTIAL "<body pos='.1 0 .2' euler='0 50 0'>"
        "<joint type='ball' pos='.2 -.1 .3'/>" INERTIAL "<body pos='0 0 .3'><joint axis='1 0 0'/>" INERTIAL
        "</body></body></body>"
        "<body name='other' pos='0 0 1'><joint type='free'/>" INERTIAL "</body>"
        "<body><joint type='slide' axis='1 0 0'/><joint type='ball' pos='0 .1 0'/><geom size='.4'/></body></worldbody></mujoco>");
}

static void inertia_of_primitive_solids(void **state)
{
    (void)state;
    agrees("<mujoco><worldbody>"
           "<body><joint axis='1 0 0'/><geom type='box' size='.5 .3 .2' pos='1 .2 .1' euler='10 20 30'/>"
           "<body pos='1 0 0'><joint/><geom type='sphere' size='.4' density='700' pos='.1 .1 0'/>"
           "<body pos='1 0 0'><joint axis='0 1 0'/><geom type='capsule' size='.2 .6' mass='3' zaxis='1 1 1'/>"
           "<body pos='1 0 0'><joint axis='1 1 0'/><geom type='cylinder' size='.3 .5' quat='1 1 0 0'/>"
           "<body pos='1 0 0'><joint axis='1 0 1'/><geom type='ellipsoid' size='.5 .4 .3' pos='0 1 0'/>"
           "<body pos='0 1 0'><joint/><geom type='capsule' size='.3' fromto='0 0 0 .5 1 .2'/></body>"
           "<body pos='0 1 0'><joint/><geom type='box' size='.3' fromto='0 0 0 .5 1 .2' mass='4'/></body>"
           "<body pos='0 1 0'><joint/><geom type='ellipsoid' size='.3' fromto='1 0 0 .5 1 .2'/></body>"
           "<body pos='0 1 0'><joint/><geom type='cylinder' size='.3' fromto='0 0 -1 0 0 1'/></body>"
           "</body></body></body></body></body></worldbody></mujoco>");
}

static void inertia_of_several_solids(void **state)
{
    (void)state;
    agrees_within(
        "<mujoco><compiler inertiagrouprange='1 2'/><worldbody><body><joint axis='1 2 3'/>"
        "<geom type='box' size='.5 .3 .2' group='1'/><geom size='.4' pos='1 0 .3' group='2'/><geom size='9' group='0'/>"
        "<geom type='capsule' size='.2 .7' pos='0 1 .3' euler='40 10 0' mass='50' group='1'/></body></worldbody></mujoco>",
        PRINCIPAL);
    agrees("<mujoco><compiler inertiafromgeom='true'/><worldbody><body><joint axis='1 2 3'/>" INERTIAL
           "<geom type='box' size='.5 .3 .2' pos='1 0 0'/></body></worldbody></mujoco>");
    agrees(
        "<mujoco><compiler discardvisual='true'/><worldbody><body><joint axis='1 2 3'/>"
        "<geom type='box' size='.5 .3 .2' pos='1 0 0'/><geom size='1' contype='0' conaffinity='0'/></body></worldbody></mujoco>");
}

static void bounds_and_totals(void **state)
{
    (void)state;
#define TWO                                                                                                                      \
    "<worldbody><body><joint axis='1 2 3'/><inertial pos='.1 0 0' quat='1 2 3 4' mass='.5' diaginertia='.4 .3 .01'/>"            \
    "<body pos='1 0 0'><joint axis='0 1 0'/><inertial pos='0 0 .4' quat='1 -1 .5 0' mass='.01' diaginertia='.4 .1 .1'/>"         \
    "</body></body></worldbody></mujoco>"
    agrees("<mujoco><compiler balanceinertia='true'/>" TWO);
    agrees("<mujoco><compiler boundmass='.2' boundinertia='.15' balanceinertia='true'/>" TWO);
    agrees("<mujoco><compiler settotalmass='7' boundinertia='.35'/>" TWO);
}

static void classes_of_defaults(void **state)
{
    (void)state;
    agrees("<mujoco><default><geom density='500' size='.3 .2 .4' euler='30 0 0'/><joint axis='0 1 0' pos='.1 0 0'/>"
           "<default class='boxes'><geom type='box'/><joint axis='1 0 1'/>"
           "<default class='slides'><joint type='slide' ref='.5'/></default></default>"
           "<default class='light'><geom density='100'/></default></default><worldbody>"
           "<body childclass='boxes' pos='1 0 0'><joint/><geom/><body pos='0 1 0'><joint class='slides'/><geom class='light'/>"
           "<body pos='0 1 0' childclass='slides'><joint/><geom pos='.4 0 0'/></body></body></body>"
           "<body><joint/><geom quat='1 1 0 0'/></body></worldbody></mujoco>");
}

/* ---- meshes ---- */

static const float corners[5][3] = {{0, 0, 0}, {1, .1f, 0}, {.2f, .9f, .1f}, {.1f, .3f, 1.2f}, {.4f, .3f, .2f}};
/* a pyramid with a dent: the last corner lies within, where the base was */
static const int faces[6][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};

static size_t stl(char *out)
{
    const uint32_t count = 6;
    memset(out, 0, 84 + 50 * count);
    memcpy(out + 80, &count, sizeof count);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) memcpy(out + 84 + 50 * i + 12 * (k + 1), corners[faces[i][k]], 12);
    return 84 + 50 * count;
}

static void obj(char *out)
{
    for (int i = 0; i < 5; i++) out += sprintf(out, "v %.9g %.9g %.9g\n", corners[i][0], corners[i][1], corners[i][2]);
    for (int i = 0; i < 6; i++) out += sprintf(out, "f %d %d %d\n", faces[i][0] + 1, faces[i][1] + 1, faces[i][2] + 1);
}

/* compiler: attributes; mesh: attributes of the mesh; geom: of the geom */
static void mesh_agrees(const char *compiler, const char *mesh, const char *geom, double tolerance)
{
    char bytes[1024], words[1024], model[1024];
    temp_folder t = temp_open();
    temp_write_bytes(&t, "dent.stl", bytes, stl(bytes));
    obj(words);
    temp_write(&t, "dent.obj", words);
    snprintf(model, sizeof model,
             "<mujoco><compiler %s/><asset><mesh name='m' %s/></asset><worldbody><body><joint axis='1 2 3'/>"
             "<geom %s mesh='m' pos='.3 .2 .1' euler='20 40 60'/></body></worldbody></mujoco>",
             compiler, mesh, geom);
    const double worst = judged(temp_write(&t, "robot.xml", model));
    temp_close(&t);
    if (!(worst <= tolerance)) fail_msg("%s, %s, %s: %g apart", compiler, mesh, geom, worst);
}

static void inertia_of_meshes(void **state)
{
    (void)state;
    static const char *const compilers[] = {"exactmeshinertia='true'", "exactmeshinertia='false'"};
    for (int i = 0; i < 2; i++) {
        mesh_agrees(compilers[i], "file='dent.stl'", "type='mesh'", PRINCIPAL);
        mesh_agrees(compilers[i], "file='dent.obj'", "type='mesh' mass='3'", PRINCIPAL);
        mesh_agrees(compilers[i], "file='dent.stl' scale='2 .5 -1.5'", "type='mesh'", PRINCIPAL);
        mesh_agrees(compilers[i], "file='dent.obj' refpos='.1 .2 -.4' refquat='.5 .4 -.3 .1' scale='1 2 3'",
                    "type='mesh' density='20'", PRINCIPAL);
        mesh_agrees(compilers[i], "vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 2 3'", "type='mesh'", PRINCIPAL);
        mesh_agrees(compilers[i], "file='dent.stl' scale='2 1 1'", "type='box'", PRINCIPAL);
        mesh_agrees(compilers[i], "file='dent.stl' scale='2 1 1'", "type='cylinder' fitscale='1.5'", PRINCIPAL);
        mesh_agrees(compilers[i], "file='dent.stl' scale='2 1 1'", "type='capsule'", PRINCIPAL);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2) return printf("%.2e\n", judged(argv[1])) < 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orientations_of_every_kind),
        cmocka_unit_test(angles_in_radians_and_other_sequences),
        cmocka_unit_test(several_joints_in_a_body_with_anchors_and_refs),
        cmocka_unit_test(free_bodies_and_balls),
        cmocka_unit_test(inertia_of_primitive_solids),
        cmocka_unit_test(inertia_of_several_solids),
        cmocka_unit_test(bounds_and_totals),
        cmocka_unit_test(classes_of_defaults),
        cmocka_unit_test(inertia_of_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
