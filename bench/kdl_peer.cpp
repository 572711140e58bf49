/* SPDX-License-Identifier: MIT
 *
 * kdl_peer.cpp - Orocos KDL: recursive Newton-Euler, composite bodies, and forward dynamics from the two. Its chain solvers know
 * serial arms only; for trees it has inverse dynamics.
 *
 * A KDL segment is  root --joint--> --f_tip--> tip, its inertia stands in the tip frame. In a chain each tip is put on the next
 * joint, so that every joint sits at the root of its segment; a fixed first segment is saved by turning gravity into the frame of
 * the first joint. RotAxis and TransAxis are some 7 % faster than RotZ and TransZ in KDL 1.5.1. In a tree several joints may sit
 * on one tip: there the tip is the joint's own frame, and the joint stands at a place in its parent's. */
#include "peers.h"

#include <algorithm>
#include <stdexcept>

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>

static KDL::Chain chain_from(const Robot &robot)
{
    KDL::Chain chain;
    for (size_t i = 0; i < robot.dof(); i++) {
        const Body &body = robot.bodies[i];
        const KDL::Frame tip = i + 1 < robot.dof() ? robot.bodies[i + 1].at : KDL::Frame::Identity();
        const KDL::Joint joint(KDL::Vector::Zero(), KDL::Vector(0, 0, 1),
                               body.prismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis);
        chain.addSegment(KDL::Segment(joint, tip, tip.Inverse() * body.inertia));
    }
    return chain;
}

static KDL::Tree tree_from(const Robot &robot)
{
    KDL::Tree tree("base");
    for (size_t i = 0; i < robot.dof(); i++) {
        const Body &body = robot.bodies[i];
        const std::string name = std::to_string(i), parent = body.parent < 0 ? "base" : std::to_string(body.parent);
        const KDL::Joint joint(name, body.at.p, body.at.M.UnitZ(), body.prismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis);
        if (!tree.addSegment(KDL::Segment(name, joint, body.at, body.inertia), parent)) throw std::runtime_error("KDL: no tree");
    }
    return tree;
}

static std::vector<KDL::JntArray> arrays(const States &s, const std::vector<double> &values)
{
    std::vector<KDL::JntArray> out(s.count, KDL::JntArray(static_cast<unsigned>(s.dof)));
    for (size_t k = 0; k < s.count; k++) std::copy_n(values.data() + k * s.dof, s.dof, out[k].data.data());
    return out;
}

namespace
{
/* the states as KDL takes them */
struct Inputs {
    std::vector<KDL::JntArray> q, qd, qdd, tau;
    KDL::JntArray rest, out;

    explicit Inputs(const States &s)
        : q(arrays(s, s.q)), qd(arrays(s, s.qd)), qdd(arrays(s, s.qdd)), tau(arrays(s, s.tau)),
          rest(static_cast<unsigned>(s.dof)), out(static_cast<unsigned>(s.dof))
    {
    }
};

struct Chain : Inputs {
    KDL::Chain chain;
    KDL::Vector gravity;
    KDL::ChainIdSolver_RNE solver;
    KDL::ChainDynParam param;
    KDL::ChainFdSolver_RNE fd;
    KDL::Wrenches wrenches;
    KDL::JntSpaceInertiaMatrix M;
    std::vector<double> D, here, ahead;

    Chain(const Robot &robot, const States &s)
        : Inputs(s), chain(chain_from(robot)), gravity(robot.bodies[0].at.M.Inverse(robot.gravity)), solver(chain, gravity),
          param(chain, gravity), fd(chain, gravity), wrenches(chain.getNrOfSegments(), KDL::Wrench::Zero()),
          M(s.dof <= MOST_MATRIX ? static_cast<int>(s.dof) : 0), D(s.dof <= MOST_DIFFERENCES ? 3 * s.dof * s.dof : 0),
          here(s.dof), ahead(s.dof)
    {
    }

    void id(size_t k, const KDL::JntArray &at) { solver.CartToJnt(q[k], qd[k], at, wrenches, out); }

    /* KDL has no derivatives: those of id by q and qd by differences, that by qdd is the inertia matrix; those of fd all by
     * differences */
    void did(size_t k)
    {
        const size_t n = here.size();
        std::vector<double *> x;
        for (size_t i = 0; i < n; i++) x.push_back(&q[k].data[static_cast<long>(i)]);
        for (size_t i = 0; i < n; i++) x.push_back(&qd[k].data[static_cast<long>(i)]);
        differences(
            [&](double *y) {
                id(k, qdd[k]);
                std::copy_n(out.data.data(), n, y);
            },
            x.data(), 2 * n, n, here.data(), ahead.data(), D.data());
        param.JntToMass(q[k], M);
        std::copy_n(M.data.data(), n * n, D.data() + 2 * n * n);
    }
    void dfd(size_t k)
    {
        const size_t n = here.size();
        std::vector<double *> x;
        for (KDL::JntArray *a : {&q[k], &qd[k], &tau[k]})
            for (size_t i = 0; i < n; i++) x.push_back(&a->data[static_cast<long>(i)]);
        differences(
            [&](double *y) {
                fd.CartToJnt(q[k], qd[k], tau[k], wrenches, out);
                std::copy_n(out.data.data(), n, y);
            },
            x.data(), 3 * n, n, here.data(), ahead.data(), D.data());
    }
};

struct Tree : Inputs {
    KDL::Tree tree;
    KDL::TreeIdSolver_RNE solver;
    KDL::WrenchMap wrenches;

    Tree(const Robot &robot, const States &s) : Inputs(s), tree(tree_from(robot)), solver(tree, robot.gravity) {}

    void id(size_t k, const KDL::JntArray &at) { solver.CartToJnt(q[k], qd[k], at, wrenches, out); }
};
} // namespace

/* what chains and trees have */
template <class Solver>
static Contenders torques(const std::shared_ptr<Solver> &p, const States &s, const char *id, const char *bias)
{
    const auto out = [p] { return p->out.data.data(); };
    return {contender(
                "KDL", "id", id, s.dof, s.count, [p](size_t k) { p->id(k, p->qdd[k]); }, out),
            contender(
                "KDL", "bias", bias, s.dof, s.count, [p](size_t k) { p->id(k, p->rest); }, out)};
}

template <class Solver> static void fill(Solver &&kdl, States &s)
{
    for (size_t k = 0; k < s.count; k++) {
        kdl.id(k, kdl.qdd[k]);
        std::copy_n(kdl.out.data.data(), s.dof, s.tau.data() + k * s.dof);
    }
}

void kdl_fill_torques(const Robot &robot, States &states)
{
    if (robot.serial())
        fill(Chain(robot, states), states);
    else
        fill(Tree(robot, states), states);
}

Contenders kdl_contenders(const Robot &robot, const States &states)
{
    const size_t n = states.dof, count = states.count;
    if (!robot.serial())
        return torques(std::make_shared<Tree>(robot, states), states, "TreeIdSolver_RNE::CartToJnt",
                       "TreeIdSolver_RNE::CartToJnt, qdd = 0");
    const auto p = std::make_shared<Chain>(robot, states);
    Contenders list = torques(p, states, "ChainIdSolver_RNE::CartToJnt", "ChainIdSolver_RNE::CartToJnt, qdd = 0");
    const auto out = [p] { return p->out.data.data(); };
    list.push_back(contender(
        "KDL", "gravity", "ChainDynParam::JntToGravity", n, count, [p](size_t k) { p->param.JntToGravity(p->q[k], p->out); },
        out));
    if (n > MOST_MATRIX) return list;
    list.push_back(contender(
        "KDL", "mass", "ChainDynParam::JntToMass", n * n, count, [p](size_t k) { p->param.JntToMass(p->q[k], p->M); },
        [p] { return p->M.data.data(); }));
    list.push_back(contender(
        "KDL", "fd", "ChainFdSolver_RNE::CartToJnt", n, count,
        [p](size_t k) { p->fd.CartToJnt(p->q[k], p->qd[k], p->tau[k], p->wrenches, p->out); }, out));
    if (n > MOST_DIFFERENCES) return list;
    const auto D = [p] { return p->D.data(); };
    list.push_back(contender(
        "KDL", "did", "differences of ChainIdSolver_RNE (dq, dqd), JntToMass", 3 * n * n, count, [p](size_t k) { p->did(k); }, D,
        AGREE_DIFFERENCES));
    list.push_back(contender(
        "KDL", "dfd", "differences of ChainFdSolver_RNE (dq, dqd, dtau)", 3 * n * n, count, [p](size_t k) { p->dfd(k); }, D,
        AGREE_DIFFERENCES));
    return list;
}
