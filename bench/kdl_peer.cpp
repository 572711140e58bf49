/* SPDX-License-Identifier: MIT
 *
 * kdl_peer.cpp - Orocos KDL: recursive Newton-Euler, composite bodies, and forward dynamics from the two.
 *
 * A KDL segment is  root --joint--> --f_tip--> tip, its inertia stands in the tip frame. Each tip is put on the next joint, so
 * that every joint sits at the root of its segment; a fixed first segment is saved by turning gravity into the frame of the first
 * joint. RotAxis and TransAxis are some 7 % faster than RotZ and TransZ in KDL 1.5.1. */
#include "peers.h"

#include <algorithm>
#include <memory>

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>

static KDL::Chain chain_from(const Arm &arm)
{
    KDL::Chain chain;
    for (size_t i = 0; i < arm.links.size(); i++) {
        const ArmLink &link = arm.links[i];
        const KDL::Frame tip = i + 1 < arm.links.size() ? arm.links[i + 1].at : KDL::Frame::Identity();
        const KDL::Joint joint(KDL::Vector::Zero(), KDL::Vector(0, 0, 1),
                               link.prismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis);
        chain.addSegment(KDL::Segment(joint, tip, tip.Inverse() * link.inertia));
    }
    return chain;
}

static std::vector<KDL::JntArray> arrays(const States &s, const std::vector<double> &values)
{
    std::vector<KDL::JntArray> out(s.count, KDL::JntArray(static_cast<unsigned>(s.dof)));
    for (size_t k = 0; k < s.count; k++) std::copy_n(values.data() + k * s.dof, s.dof, out[k].data.data());
    return out;
}

namespace
{
struct Kdl {
    KDL::Chain chain;
    KDL::Vector gravity;
    KDL::ChainIdSolver_RNE id;
    KDL::ChainDynParam param;
    KDL::ChainFdSolver_RNE fd;
    KDL::Wrenches wrenches;
    std::vector<KDL::JntArray> q, qd, qdd, tau;
    KDL::JntArray rest, out;
    KDL::JntSpaceInertiaMatrix M;
    std::vector<double> D, here, ahead;

    Kdl(const Arm &arm, const States &s)
        : chain(chain_from(arm)), gravity(arm.links[0].at.M.Inverse(arm.gravity)), id(chain, gravity), param(chain, gravity),
          fd(chain, gravity), wrenches(chain.getNrOfSegments(), KDL::Wrench::Zero()), q(arrays(s, s.q)), qd(arrays(s, s.qd)),
          qdd(arrays(s, s.qdd)), tau(arrays(s, s.tau)), rest(static_cast<unsigned>(s.dof)), out(static_cast<unsigned>(s.dof)),
          M(static_cast<int>(s.dof)), D(3 * s.dof * s.dof), here(s.dof), ahead(s.dof)
    {
    }

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
                id.CartToJnt(q[k], qd[k], qdd[k], wrenches, out);
                std::copy_n(out.data.data(), n, y);
            },
            x.data(), 2 * n, n, here.data(), ahead.data(), D.data());
        param.JntToMass(q[k], M);
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
} // namespace

void kdl_fill_torques(const Arm &arm, States &states)
{
    Kdl kdl(arm, states);
    for (size_t k = 0; k < states.count; k++) {
        kdl.id.CartToJnt(kdl.q[k], kdl.qd[k], kdl.qdd[k], kdl.wrenches, kdl.out);
        std::copy_n(kdl.out.data.data(), states.dof, states.tau.data() + k * states.dof);
    }
}

std::vector<Contender> kdl_contenders(const Arm &arm, const States &states)
{
    const auto p = std::make_shared<Kdl>(arm, states);
    const size_t n = states.dof, count = states.count;
    const auto vector = [p] { return p->out.data.data(); };
    const auto matrix = [p] { return p->M.data.data(); };
    return {
        contender(
            "KDL", "id", "ChainIdSolver_RNE::CartToJnt", n, count,
            [p](size_t k) { p->id.CartToJnt(p->q[k], p->qd[k], p->qdd[k], p->wrenches, p->out); }, vector),
        contender(
            "KDL", "bias", "ChainIdSolver_RNE::CartToJnt, qdd = 0", n, count,
            [p](size_t k) { p->id.CartToJnt(p->q[k], p->qd[k], p->rest, p->wrenches, p->out); }, vector),
        contender(
            "KDL", "gravity", "ChainDynParam::JntToGravity", n, count, [p](size_t k) { p->param.JntToGravity(p->q[k], p->out); },
            vector),
        contender(
            "KDL", "mass", "ChainDynParam::JntToMass", n * n, count, [p](size_t k) { p->param.JntToMass(p->q[k], p->M); },
            matrix),
        contender(
            "KDL", "fd", "ChainFdSolver_RNE::CartToJnt", n, count,
            [p](size_t k) { p->fd.CartToJnt(p->q[k], p->qd[k], p->tau[k], p->wrenches, p->out); }, vector),
        named("did", contender(
                         "KDL", "mass", "differences of ChainIdSolver_RNE (dq, dqd), JntToMass", n * n, count,
                         [p](size_t k) { p->did(k); }, matrix)),
        named("dfd", contender(
                         "KDL", "fd", "differences of ChainFdSolver_RNE (dq, dqd, dtau)", n, count, [p](size_t k) { p->dfd(k); },
                         [p] { return p->here.data(); })),
    };
}
