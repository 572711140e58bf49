/* SPDX-License-Identifier: MIT
 *
 * mujoco_peer.cpp - MuJoCo's smooth dynamics without its simulator: the stages of mj_inverse and mj_forward that a robot without
 * contacts, limits, damping and actuators needs, and no other.
 *
 * The robot is handed over as MJCF in memory: one body and one hinge or slide about z per joint, armature and damping 0. */
#include "peers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <mujoco/mujoco.h>

static std::string numbers(std::initializer_list<double> values)
{
    std::string text;
    char word[32];
    for (double v : values) {
        std::snprintf(word, sizeof word, "%s%.17g", text.empty() ? "" : " ", v);
        text += word;
    }
    return text;
}

/* Diagonalized here: MuJoCo's `fullinertia` stops its own rotations at 1e-8 or so, above the agreement asked for. */
static std::string inertial(KDL::RigidBodyInertia body)
{
    const KDL::Vector c = body.getCOG();
    const KDL::RotationalInertia about_com = body.RefPoint(c).getRotationalInertia();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(Eigen::Map<const Eigen::Matrix3d>(about_com.data));
    Eigen::Matrix3d axes = principal.eigenvectors();
    if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
    const Eigen::Quaterniond r(axes);
    const Eigen::Vector3d I = principal.eigenvalues();
    return "<inertial pos=\"" + numbers({c(0), c(1), c(2)}) + "\" quat=\"" + numbers({r.w(), r.x(), r.y(), r.z()}) +
           "\" mass=\"" + numbers({body.getMass()}) + "\" diaginertia=\"" + numbers({I(0), I(1), I(2)}) + "\"/>";
}

static std::string mjcf_from(const Robot &robot)
{
    const KDL::Vector &g = robot.gravity;
    std::string xml = "<mujoco><compiler angle=\"radian\"/><option gravity=\"" + numbers({g(0), g(1), g(2)}) +
                      "\"><flag contact=\"disable\" constraint=\"disable\"/></option><worldbody>";
    std::vector<int> open; /* bodies whose end is not written yet, the last one innermost */
    for (size_t i = 0; i < robot.dof(); i++) {
        const Body &body = robot.bodies[i];
        for (; !open.empty() && open.back() != body.parent; open.pop_back()) xml += "</body>";
        open.push_back(static_cast<int>(i));
        double x, y, z, w;
        body.at.M.GetQuaternion(x, y, z, w);
        const KDL::Vector &p = body.at.p;
        xml += "<body pos=\"" + numbers({p(0), p(1), p(2)}) + "\" quat=\"" + numbers({w, x, y, z}) + "\">" +
               inertial(body.inertia) + "<joint type=\"" + (body.prismatic ? "slide" : "hinge") +
               "\" axis=\"0 0 1\" armature=\"0\" damping=\"0\"/>";
    }
    for (size_t i = 0; i < open.size(); i++) xml += "</body>";
    return xml + "</worldbody></mujoco>";
}

/* MuJoCo's own handler waits for a key. */
static void stop(const char *message)
{
    std::fprintf(stderr, "arne_peers: MuJoCo: %s\n", message);
    std::exit(1);
}

mjModel *mujoco_model(const Robot &robot, std::string &refusal)
{
    mju_user_error = stop;
    static const char file[] = "robot.xml";
    const std::string xml = mjcf_from(robot);
    const auto vfs = std::make_unique<mjVFS>();
    mj_defaultVFS(vfs.get());
    if (mj_makeEmptyFileVFS(vfs.get(), file, static_cast<int>(xml.size())) != 0) throw std::runtime_error("MuJoCo: no memory");
    std::copy(xml.begin(), xml.end(), static_cast<char *>(vfs->filedata[mj_findFileVFS(vfs.get(), file)]));
    char error[512] = "";
    mjModel *m = mj_loadXML(file, vfs.get(), error, sizeof error);
    mj_deleteVFS(vfs.get());
    if (!m) {
        refusal = error;
        std::replace(refusal.begin(), refusal.end(), '\n', ' ');
    }
    return m;
}

namespace
{
struct Mujoco {
    const States &s;
    mjModel *m;
    mjData *d;
    std::vector<double> out, full, D, ahead;

    Mujoco(const States &states, mjModel *model)
        : s(states), m(model), d(mj_makeData(model)), out(states.dof),
          full(states.dof <= MOST_MATRIX ? states.dof * states.dof : 0),
          D(states.dof <= MOST_DIFFERENCES ? 3 * states.dof * states.dof : 0), ahead(states.dof)
    {
        if (!d) throw std::runtime_error("MuJoCo: no memory");
    }
    Mujoco(const Mujoco &) = delete;
    Mujoco &operator=(const Mujoco &) = delete;
    ~Mujoco()
    {
        mj_deleteData(d);
        mj_deleteModel(m);
    }

    void put(const std::vector<double> &from, size_t k, double *to) const { std::copy_n(from.data() + k * s.dof, s.dof, to); }

    void position(size_t k)
    {
        put(s.q, k, d->qpos);
        mj_kinematics(m, d);
        mj_comPos(m, d);
    }
    void velocity(size_t k)
    {
        put(s.qd, k, d->qvel);
        mj_comVel(m, d);
    }

    void id(size_t k)
    {
        position(k);
        velocity(k);
        put(s.qdd, k, d->qacc);
        mj_rne(m, d, 1, out.data());
    }
    void bias(size_t k)
    {
        position(k);
        velocity(k);
        mj_rne(m, d, 0, out.data());
    }
    void mass(size_t k)
    {
        position(k);
        mj_crb(m, d);
    }
    void fd(size_t k)
    {
        bias(k);
        mj_crb(m, d);
        mj_factorM(m, d);
        for (size_t i = 0; i < s.dof; i++) out[i] = s.tau[k * s.dof + i] - out[i];
        mj_solveM(m, d, out.data(), out.data(), 1);
    }

    /* by differences: MuJoCo 2.2 has derivatives of a step of its simulator only */
    void did(size_t k)
    {
        std::vector<double *> x;
        put(s.q, k, d->qpos);
        put(s.qd, k, d->qvel);
        put(s.qdd, k, d->qacc);
        for (double *a : {d->qpos, d->qvel})
            for (size_t i = 0; i < s.dof; i++) x.push_back(a + i);
        differences(
            [&](double *y) {
                mj_kinematics(m, d);
                mj_comPos(m, d);
                mj_comVel(m, d);
                mj_rne(m, d, 1, y);
            },
            x.data(), 2 * s.dof, s.dof, out.data(), ahead.data(), D.data());
        mass(k);
    }
    void dfd(size_t k)
    {
        std::vector<double> tau(s.tau.data() + k * s.dof, s.tau.data() + (k + 1) * s.dof);
        std::vector<double *> x;
        put(s.q, k, d->qpos);
        put(s.qd, k, d->qvel);
        for (double *a : {d->qpos, d->qvel, tau.data()})
            for (size_t i = 0; i < s.dof; i++) x.push_back(a + i);
        differences(
            [&](double *y) {
                mj_kinematics(m, d);
                mj_comPos(m, d);
                mj_comVel(m, d);
                mj_rne(m, d, 0, y);
                mj_crb(m, d);
                mj_factorM(m, d);
                for (size_t i = 0; i < s.dof; i++) y[i] = tau[i] - y[i];
                mj_solveM(m, d, y, y, 1);
            },
            x.data(), 3 * s.dof, s.dof, out.data(), ahead.data(), D.data());
    }
};
} // namespace

Contenders mujoco_contenders(const Robot &robot, const States &states, std::string &refusal)
{
    mjModel *m = mujoco_model(robot, refusal);
    if (!m) return {};
    const auto p = std::make_shared<Mujoco>(states, m);
    const size_t n = states.dof, count = states.count;
    const auto out = [p] { return p->out.data(); };
    Contenders list = {
        contender(
            "MuJoCo", "id", "mj_kinematics, mj_comPos, mj_comVel, mj_rne", n, count, [p](size_t k) { p->id(k); }, out),
        contender(
            "MuJoCo", "bias", "mj_kinematics, mj_comPos, mj_comVel, mj_rne without qacc", n, count, [p](size_t k) { p->bias(k); },
            out),
    };
    if (n > MOST_MATRIX) return list;
    list.push_back(contender(
        "MuJoCo", "mass", "mj_kinematics, mj_comPos, mj_crb", n * n, count, [p](size_t k) { p->mass(k); },
        [p] {
            mj_fullM(p->m, p->full.data(), p->d->qM);
            return p->full.data();
        }));
    list.push_back(contender(
        "MuJoCo", "fd", "mj_kinematics, mj_comPos, mj_comVel, mj_rne, mj_crb, mj_factorM, mj_solveM", n, count,
        [p](size_t k) { p->fd(k); }, out));
    if (n > MOST_DIFFERENCES) return list;
    list.push_back(contender(
        "MuJoCo", "did", "differences of mj_rne and its stages (dq, dqd), mj_crb", 3 * n * n, count, [p](size_t k) { p->did(k); },
        [p, n] {
            mj_fullM(p->m, p->D.data() + 2 * n * n, p->d->qM);
            return p->D.data();
        },
        AGREE_DIFFERENCES));
    list.push_back(contender(
        "MuJoCo", "dfd", "differences of the stages of fd (dq, dqd, dtau)", 3 * n * n, count, [p](size_t k) { p->dfd(k); },
        [p] { return p->D.data(); }, AGREE_DIFFERENCES));
    return list;
}
