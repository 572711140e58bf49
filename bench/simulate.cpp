/* SPDX-License-Identifier: MIT
 *
 * simulate.cpp - the same arm under the same torques in arne and in MuJoCo: do they go the same way?
 *
 * Torques are held for 10 ms each, without friction, rotors, contacts and limits. The exact end is that of arne's adaptive
 * integrator of eighth order at rtol 1e-13. Two simulators of one robot differ from it by the error of their integration alone:
 * a Runge-Kutta step falls by 16 when it is halved, MuJoCo's default, semi-implicit Euler, by 2; and as both Runge-Kutta steps
 * are the same formula they differ from one another by rounding only. */
#include "peers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include <mujoco/mujoco.h>

#include "arne/simulate.h"

static const double HOLD = 0.01, DURATION = 1;
static const double STEPS[] = {0.005, 0.0025, 0.00125, 0.000625};

using State = std::vector<double>; /* q, then qd */

/* Fit for the inertia that each joint moves at the start. */
static void torque(const State &inertia, int k, double *tau)
{
    for (size_t i = 0; i < inertia.size(); i++) tau[i] = 4 * inertia[i] * std::sin(0.05 * k + static_cast<double>(i));
}

static State start(size_t dof)
{
    State x(2 * dof, 0.0);
    for (size_t i = 0; i < dof; i++) x[i] = 0.3 + 0.2 * static_cast<double>(i);
    return x;
}

static State inertia_of(const arne_model *m)
{
    const size_t n = static_cast<size_t>(arne_model_dof(m));
    arne_data *own = nullptr;
    if (arne_data_new(m, &own, nullptr)) throw std::runtime_error("no memory");
    std::unique_ptr<arne_data, void (*)(arne_data *)> d(own, arne_data_free);
    arne_set_rigid(arne_data_settings(own), true);
    State x = start(n), M(n * n), diagonal(n);
    arne_mass(d.get(), x.data(), M.data());
    for (size_t i = 0; i < n; i++) diagonal[i] = M[i * n + i];
    return diagonal;
}

static State run_arne(const arne_model *m, const State &inertia, arne_plant_options o)
{
    const size_t n = static_cast<size_t>(arne_model_dof(m));
    arne_settings *own = nullptr;
    arne_plant *made = nullptr;
    arne_error error;
    if (arne_settings_new(m, &own, &error)) throw std::runtime_error(error.message);
    std::unique_ptr<arne_settings, void (*)(arne_settings *)> s(own, arne_settings_free);
    arne_set_rigid(own, true);
    o.size = sizeof o;
    if (arne_plant_new(own, &o, &made, &error)) throw std::runtime_error(error.message);
    std::unique_ptr<arne_plant, void (*)(arne_plant *)> p(made, arne_plant_free);
    State x = start(n), tau(n);
    arne_plant_place(p.get(), 0, x.data(), x.data() + n, nullptr, nullptr);
    for (int k = 0; k < std::lround(DURATION / HOLD); k++) {
        torque(inertia, k, tau.data());
        if (arne_plant_advance(p.get(), HOLD * (k + 1), tau.data(), &error)) throw std::runtime_error(error.message);
    }
    std::copy_n(arne_plant_q(p.get()), n, x.begin());
    std::copy_n(arne_plant_qd(p.get()), n, x.begin() + static_cast<std::ptrdiff_t>(n));
    return x;
}

static State run_mujoco(mjModel *m, const State &inertia, mjtIntegrator method, double step)
{
    const size_t n = static_cast<size_t>(m->nv);
    std::unique_ptr<mjData, void (*)(mjData *)> d(mj_makeData(m), mj_deleteData);
    if (!d) throw std::runtime_error("MuJoCo: no memory");
    m->opt.timestep = step;
    m->opt.integrator = method;
    State x = start(n);
    std::copy_n(x.begin(), n, d->qpos);
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(n), n, d->qvel);
    for (int k = 0; k < std::lround(DURATION / HOLD); k++) {
        torque(inertia, k, d->qfrc_applied);
        for (int i = 0; i < std::lround(HOLD / step); i++) mj_step(m, d.get());
    }
    std::copy_n(d->qpos, n, x.begin());
    std::copy_n(d->qvel, n, x.begin() + static_cast<std::ptrdiff_t>(n));
    return x;
}

static double apart(const State &a, const State &b)
{
    double most = 0;
    for (size_t i = 0; i < a.size(); i++) most = std::max(most, std::fabs(a[i] - b[i]));
    return most;
}

void simulate_side_by_side(const std::string &file)
{
    const Robot robot = robot_read(file);
    std::string refusal;
    std::unique_ptr<mjModel, void (*)(mjModel *)> m(mujoco_model(robot, refusal), mj_deleteModel);
    if (!m) {
        std::printf("%s: MuJoCo does not take this robot: %s\n", robot.name.c_str(), refusal.c_str());
        return;
    }
    arne_plant_options o = {};
    o.method = ARNE_ARKODE;
    o.rtol = 1e-13;
    o.atol = 1e-14;
    const State inertia = inertia_of(robot.model.get()), exact = run_arne(robot.model.get(), inertia, o);
    std::printf("%s: largest error of the state after %g s under torques held for %g ms\n", robot.name.c_str(), DURATION,
                1000 * HOLD);
    std::printf("  %8s  %12s  %12s  %12s  %24s\n", "step ms", "arne rk4", "MuJoCo RK4", "MuJoCo Euler", "arne rk4 - MuJoCo RK4");
    double before[3] = {0, 0, 0};
    for (const double step : STEPS) {
        o = {};
        o.method = ARNE_RK4;
        o.step = step;
        const State ours = run_arne(robot.model.get(), inertia, o), theirs = run_mujoco(m.get(), inertia, mjINT_RK4, step),
                    euler = run_mujoco(m.get(), inertia, mjINT_EULER, step);
        const double now[3] = {apart(ours, exact), apart(theirs, exact), apart(euler, exact)};
        std::printf("  %8g  %12.2e  %12.2e  %12.2e  %24.2e\n", 1000 * step, now[0], now[1], now[2], apart(ours, theirs));
        if (before[0] > 0)
            std::printf("  %8s  %12.2f  %12.2f  %12.2f\n", "order", std::log2(before[0] / now[0]), std::log2(before[1] / now[1]),
                        std::log2(before[2] / now[2]));
        std::copy_n(now, 3, before);
    }
}
