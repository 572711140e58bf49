/* SPDX-License-Identifier: MIT
 *
 * A robot with a free base, a hinge, a ball joint and a slide, thrown: MuJoCo goes the same way. Where MuJoCo is not here the
 * test is skipped. */
#include "simulate/free.h"

#ifdef ARNE_HAS_MUJOCO
#include <mujoco/mujoco.h>

#include "support/tempfile.h"

static const char MODEL[] =
    "<mujoco><option gravity='0.3 0 -9.81' integrator='RK4' timestep='0.0005'/><worldbody>"
    "<body name='hull' pos='0 0 1'><freejoint name='root'/>"
    "<inertial pos='0.05 -0.02 0.1' mass='6' fullinertia='0.3 0.4 0.35 0.01 -0.02 0.03'/>"
    "<body name='arm' pos='0.2 0.1 0' euler='10 20 30'><joint name='hinge' axis='0.3 1 0.2' damping='0.4' armature='0.05'/>"
    "<inertial pos='0.2 0 0.1' mass='1.5' diaginertia='0.02 0.03 0.025'/>"
    "<body name='lead' pos='0.4 0 0.1'><joint name='ball' type='ball'/>"
    "<inertial pos='0 0.1 -0.3' mass='0.8' diaginertia='0.03 0.02 0.01'/></body></body>"
    "<body name='tray' pos='-0.2 0 0.1' euler='0 40 0'><joint name='rail' type='slide' axis='1 0 0' damping='2'/>"
    "<inertial pos='0 0 0.05' mass='1' diaginertia='0.01 0.01 0.02'/></body></body></worldbody></mujoco>";

/* MuJoCo's numbers as ours: quaternions w first; the velocity of a free body's origin in the world, its turning in its own axes.
 */
static void into_mujoco(const arne_model *m, const mjModel *its, const double *q, const double *qd, mjData *d)
{
    for (int j = 0; j < arne_model_joints(m); j++) {
        const int id = mj_name2id(its, mjOBJ_JOINT, arne_joint_name(m, j)), turn = arne_joint_turn(m, j);
        assert_true(id >= 0);
        double *p = d->qpos + its->jnt_qposadr[id], *v = d->qvel + its->jnt_dofadr[id];
        const double *from = q + arne_joint_q(m, j), *rate = qd + arne_joint_v(m, j);
        if (turn < 0) {
            *p = *from;
            *v = *rate;
            continue;
        }
        const double quaternion[4] = {q[turn + 3], q[turn], q[turn + 1], q[turn + 2]};
        if (arne_joint_kind(m, j) == ARNE_FREE) {
            memcpy(p, from, 3 * sizeof *p);
            mju_rotVecQuat(v, rate, quaternion);
            p += 3, v += 3, rate += 3;
        }
        memcpy(p, quaternion, sizeof quaternion);
        memcpy(v, rate, 3 * sizeof *v);
    }
}

static double apart(const mjModel *its, const mjData *x, const mjData *y)
{
    double off = 0;
    for (int i = 0; i < its->nv; i++) off = fmax(off, fabs(x->qvel[i] - y->qvel[i]));
    for (int j = 0; j < its->njnt; j++) {
        const double *a = x->qpos + its->jnt_qposadr[j], *b = y->qpos + its->jnt_qposadr[j];
        const int places = its->jnt_type[j] == mjJNT_FREE ? 3 : its->jnt_type[j] == mjJNT_BALL ? 0 : 1;
        for (int i = 0; i < places; i++) off = fmax(off, fabs(a[i] - b[i]));
        if (places == 1) continue;
        double dot = 0; /* e and -e are one turn */
        for (int i = 0; i < 4; i++) dot += a[places + i] * b[places + i];
        for (int i = 0; i < 4; i++) off = fmax(off, fabs(a[places + i] - (dot < 0 ? -1 : 1) * b[places + i]));
    }
    return off;
}

static void mujoco_goes_the_same_way(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *path = temp_write(&f, "thrown.xml", MODEL);
    arne_model *m;
    arne_error error;
    char words[500];
    if (arne_load(path, &m, &error)) fail_msg("%s", error.message);
    mjModel *its = mj_loadXML(path, NULL, words, sizeof words);
    if (!its) fail_msg("%s", words);
    mjData *d = mj_makeData(its), *end = mj_makeData(its);
    arne_data *x = test_data(m);
    const double q[13] = {1, 2, 3, 0.1, -0.2, 0.3, 0.9273618495495703, 0.4, 0.5, -0.1, 0.2, 0.8366600265340756, 0.03};
    const double qd[11] = {0.5, -1, 2, 1, -2, 1.5, 0.7, -1, 2, 0.5, 0.2};
    assert_true(arne_model_nq(m) == 13 && arne_model_nv(m) == 11);
    arne_plant *p =
        plant_of(arne_data_settings(x), OPTIONS(.method = ARNE_ARKODE, .rtol = 1e-12, .atol = 1e-13, .friction = true));
    assert_int_equal(arne_plant_place(p, 0, q, qd, NULL, NULL), ARNE_OK);
    advance(p, 0.5, ZERO);
    into_mujoco(m, its, arne_plant_q(p), arne_plant_qd(p), end);
    double off[2];
    for (int half = 0; half < 2; half++) {
        mj_resetData(its, d);
        its->opt.timestep = half ? 0.0005 : 0.001;
        into_mujoco(m, its, q, qd, d);
        for (int k = 0; k < (half ? 1000 : 500); k++) mj_step(its, d);
        off[half] = apart(its, d, end);
    }
    /* its Runge-Kutta steps turn quaternions by mean velocities, which is of lower order: it comes nearer as its steps shrink */
    print_message("MuJoCo is %.1e and, with half the step, %.1e away after 0.5 s: order %.2f\n", off[0], off[1],
                  log2(off[0] / off[1]));
    assert_true(off[1] < 2e-7);
    assert_true(log2(off[0] / off[1]) > 1.8);
    arne_plant_free(p);
    mj_deleteData(end);
    mj_deleteData(d);
    mj_deleteModel(its);
    arne_data_free(x);
    arne_model_free(m);
    temp_close(&f);
}
#else
static void mujoco_goes_the_same_way(void **state)
{
    (void)state;
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mujoco_goes_the_same_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
