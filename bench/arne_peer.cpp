/* SPDX-License-Identifier: MIT
 *
 * arne_peer.cpp - arne's side of the race: one state a call, many states a call, derivatives, and long chains.
 *
 * Friction and rotor inertia are switched off: the peers have none. */
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <stdexcept>

#include "arne/arne.h"
#include "peers.h"

namespace
{
template <auto release> struct Release {
    template <class T> void operator()(T *p) const { release(p); }
};
using Description = std::unique_ptr<arne_description, Release<arne_description_free>>;
using Model = std::unique_ptr<arne_model, Release<arne_model_free>>;
using Data = std::unique_ptr<arne_data, Release<arne_data_free>>;

Data data_of(const arne_model *model)
{
    arne_data *d = nullptr;
    arne_error error;
    if (arne_data_new(model, &d, &error) || arne_data_prepare(d, ARNE_BATCHES | ARNE_DERIVATIVES, &error))
        throw std::runtime_error(error.message);
    return Data(d);
}

struct Arne {
    const States &s;
    Data data;
    arne_data *d;
    std::vector<double> out;

    Arne(const arne_model *model, const States &states) : s(states), data(data_of(model)), d(data.get()), out(s.dof)
    {
        arne_set_rigid(arne_data_settings(d), true);
    }

    const double *q(size_t k) const { return s.q.data() + k * s.dof; }
    const double *qd(size_t k) const { return s.qd.data() + k * s.dof; }
    const double *qdd(size_t k) const { return s.qdd.data() + k * s.dof; }
    const double *tau(size_t k) const { return s.tau.data() + k * s.dof; }

    void id(size_t k) { arne_id(d, q(k), qd(k), qdd(k), out.data()); }
    void fd(size_t k) { arne_fd(d, q(k), qd(k), tau(k), out.data()); }
};

struct ArneArm : Arne {
    std::vector<double> M, dq, dqd, dfd, many; /* many: answers to all states */

    ArneArm(const arne_model *model, const States &states)
        : Arne(model, states), M(s.dof * s.dof), dq(M), dqd(M), dfd(3 * M.size()), many(s.count * M.size())
    {
    }

    void derivatives(size_t k) { arne_id_derivatives(d, q(k), qd(k), qdd(k), dq.data(), dqd.data(), M.data()); }
    void fd_derivatives(size_t k)
    {
        double *D = dfd.data();
        arne_fd_derivatives(d, q(k), qd(k), tau(k), D, D + M.size(), D + 2 * M.size());
    }
};

struct ArneChain {
    States s;
    Model model;
    Arne arne;

    ArneChain(States &&states, Model &&chain) : s(std::move(states)), model(std::move(chain)), arne(model.get(), s) {}
};
} // namespace

/* `call(count)` computes the first count states into p->many. */
template <class Call>
static Contender batch_contender(const std::shared_ptr<ArneArm> &p, const char *quantity, const char *calls, size_t entries,
                                 Call call)
{
    const std::string function = std::string("batch ") + quantity + " x" + std::to_string(arne_batch_lanes());
    return {"arne",
            function,
            quantity,
            calls,
            entries,
            [=](size_t rounds) {
                for (size_t done = 0; done < rounds; done += p->s.count) call(std::min(p->s.count, rounds - done));
            },
            [=](size_t k) {
                call(p->s.count);
                return static_cast<const double *>(p->many.data() + k * entries);
            }};
}

std::vector<Contender> arne_contenders(const arne_model *model, const States &states)
{
    const auto p = std::make_shared<ArneArm>(model, states);
    const size_t n = states.dof, count = states.count;
    const auto vector = [p] { return p->out.data(); };
    const auto matrix = [p] { return p->M.data(); };
    std::vector<Contender> list = {
        contender(
            "arne", "id", "arne_id", n, count, [p](size_t k) { p->id(k); }, vector),
        contender(
            "arne", "bias", "arne_bias", n, count, [p](size_t k) { arne_bias(p->d, p->q(k), p->qd(k), p->out.data()); }, vector),
        contender(
            "arne", "gravity", "arne_gravity", n, count, [p](size_t k) { arne_gravity(p->d, p->q(k), p->out.data()); }, vector),
        contender(
            "arne", "mass", "arne_mass", n * n, count, [p](size_t k) { arne_mass(p->d, p->q(k), p->M.data()); }, matrix),
        contender(
            "arne", "fd", "arne_fd", n, count, [p](size_t k) { p->fd(k); }, vector),
        named("fd crba", contender(
                             "arne", "fd", "arne_fd_crba", n, count,
                             [p](size_t k) { arne_fd_crba(p->d, p->q(k), p->qd(k), p->tau(k), p->out.data()); }, vector)),
        /* the derivative by qdd is the inertia matrix: that part is compared */
        named("did", contender(
                         "arne", "mass", "arne_id_derivatives (dq, dqd, dqdd)", n * n, count,
                         [p](size_t k) { p->derivatives(k); }, matrix)),
        contender(
            "arne", "dfd", "arne_fd_derivatives (dq, dqd, dtau)", 3 * n * n, count, [p](size_t k) { p->fd_derivatives(k); },
            [p] { return p->dfd.data(); }),
    };
    list.push_back(batch_contender(p, "id", "arne_batch_id", n, [p](size_t c) {
        arne_batch_id(p->d, c, p->s.q.data(), p->s.qd.data(), p->s.qdd.data(), p->many.data());
    }));
    list.push_back(batch_contender(p, "mass", "arne_batch_mass", n * n,
                                   [p](size_t c) { arne_batch_mass(p->d, c, p->s.q.data(), p->many.data()); }));
    list.push_back(batch_contender(p, "fd", "arne_batch_fd", n, [p](size_t c) {
        arne_batch_fd(p->d, c, p->s.q.data(), p->s.qd.data(), p->s.tau.data(), p->many.data());
    }));
    return list;
}

/* Links of 0.1 to 0.3 m, axes at random; the inertia is that of a spread along three axes, so the body can exist. */
static Model random_chain(size_t n)
{
    const Description d(arne_description_new("chain"));
    if (!d || !arne_description_link(d.get(), "l0", 0)) throw std::runtime_error("arne: no memory");
    std::mt19937 random(static_cast<unsigned>(n));
    std::uniform_real_distribution<double> unit(-1, 1);
    for (size_t i = 1; i <= n; i++) {
        const std::string parent = "l" + std::to_string(i - 1), name = "l" + std::to_string(i), joint = "j" + std::to_string(i);
        arne_link_description *link = arne_description_link(d.get(), name.c_str(), 0);
        arne_joint_description *j =
            arne_description_joint(d.get(), joint.c_str(), 0, ARNE_REVOLUTE, parent.c_str(), name.c_str());
        if (!link || !j) throw std::runtime_error("arne: no memory");
        const double xyz[3] = {0.1 * unit(random), 0.1 * unit(random), 0.2 + 0.1 * unit(random)};
        const double rpy[3] = {3 * unit(random), 3 * unit(random), 3 * unit(random)};
        j->before = arne_pose_rpy(xyz, rpy);
        link->body.mass = 1 + 0.5 * unit(random);
        for (double &c : link->body.com) c = 0.1 * unit(random);
        const double x2 = 0.010 + 0.005 * unit(random), y2 = 0.010 + 0.005 * unit(random), z2 = 0.010 + 0.005 * unit(random);
        link->body.inertia[0] = y2 + z2;
        link->body.inertia[3] = x2 + z2;
        link->body.inertia[5] = x2 + y2;
    }
    arne_model *model = nullptr;
    arne_error error;
    if (arne_model_build(d.get(), nullptr, &model, &error) != ARNE_OK)
        throw std::runtime_error("chain of " + std::to_string(n) + " joints: " + error.message);
    return Model(model);
}

std::vector<Contender> arne_chain_contenders(size_t n)
{
    /* few states for long chains: their inputs must stay in the cache as those of short chains do */
    const size_t count = std::max<size_t>(8, std::min<size_t>(256, 8192 / n));
    const auto p = std::make_shared<ArneChain>(states_random(count, n, 1), random_chain(n));
    for (size_t k = 0; k < count; k++) {
        p->arne.id(k);
        std::copy(p->arne.out.begin(), p->arne.out.end(), p->s.tau.data() + k * n);
    }
    const auto vector = [p] { return p->arne.out.data(); };
    return {
        contender(
            "arne", "id", "arne_id", n, count, [p](size_t k) { p->arne.id(k); }, vector),
        contender(
            "arne", "fd", "arne_fd", n, count, [p](size_t k) { p->arne.fd(k); }, vector),
    };
}
