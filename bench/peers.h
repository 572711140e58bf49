/* SPDX-License-Identifier: MIT
 *
 * peers.h - the benchmark against peers: one arm, one set of states, and the functions that race on them.
 *
 * Every library gets the arm in its best form: one body per moving joint, fixed joints merged, every joint about or along z of
 * its own frame. The arm is converted with KDL's own frames and inertias, not with arne's, so the answers stay independent. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/* libkdl was compiled for the plain machine: Eigen's alignment must be the same here, whatever -march or sanitizer says. This
 * header therefore stands before all others that may include Eigen. */
#define EIGEN_MAX_ALIGN_BYTES 16
#define EIGEN_MALLOC_ALREADY_ALIGNED 1

#include <kdl/frames.hpp>
#include <kdl/rigidbodyinertia.hpp>

#include "arne/model.h"

struct ArmLink {
    bool prismatic;
    KDL::Frame at;                 /* joint frame in the joint frame before (the first: in the base), at q = 0; z is the axis */
    KDL::RigidBodyInertia inertia; /* of the body that this joint moves, in the joint frame */
};

struct Arm {
    std::string name;
    KDL::Vector gravity; /* base axes */
    std::vector<ArmLink> links;
};

/* "FILE:LINE: ", without the line when it is unknown */
std::string place(const std::string &file, int line);

/* Throws std::runtime_error when the joints do not form one serial chain. The description must have passed arne_model_build. */
Arm arm_from(const arne_description &d);

/* Random states, one after the other: q[count][dof]. tau is the torque of (q, qd, qdd). */
struct States {
    size_t count, dof;
    std::vector<double> q, qd, qdd, tau;
};

States states_random(size_t count, size_t dof, unsigned seed);

/* One function of one library. `evaluate` computes `rounds` states, going round the state array, and is what the clock sees;
 * `answer(k)` computes state k and returns the result. */
struct Contender {
    std::string library, function;
    std::string quantity; /* what the answer is: contenders of one quantity must agree */
    std::string calls;    /* the calls that are timed */
    size_t entries;       /* numbers in an answer */
    std::function<void(size_t rounds)> evaluate;
    std::function<const double *(size_t k)> answer;
};

/* A contender whose `call(k)` computes state k; `read()` returns its result. The loop is compiled around the call. */
template <class Call, class Read>
Contender contender(const char *library, const char *quantity, const char *calls, size_t entries, size_t count, Call call,
                    Read read)
{
    return {library,
            quantity,
            quantity,
            calls,
            entries,
            [=](size_t rounds) {
                for (size_t i = 0, k = 0; i < rounds; i++, k = k + 1 == count ? 0 : k + 1) call(k);
            },
            [=](size_t k) {
                call(k);
                return static_cast<const double *>(read());
            }};
}

/* The same under another function's name: the part of its answer that others have as well is compared. */
inline Contender named(const char *function, Contender c)
{
    c.function = function;
    return c;
}

/* Derivatives by forward differences, for libraries that have none: f(x, y) evaluates n numbers at inputs x, `columns` of them;
 * D[i * n + c] is that of number i by input c. x comes back as it was, y holds the numbers at x. */
template <class Evaluate>
void differences(Evaluate f, double *const *x, size_t columns, size_t n, double *y, double *ahead, double *D)
{
    const double h = 1e-8;
    f(y);
    for (size_t c = 0; c < columns; c++) {
        const double kept = *x[c];
        *x[c] += h;
        f(ahead);
        *x[c] = kept;
        for (size_t i = 0; i < n; i++) D[c / n * n * n + i * n + c % n] = (ahead[i] - y[i]) / h;
    }
}

void kdl_fill_torques(const Arm &arm, States &states);

/* The states must outlive the contenders. */
std::vector<Contender> kdl_contenders(const Arm &arm, const States &states);
/* Empty, with the reason in `refusal`, when MuJoCo does not take the arm (it wants mass and inertia in every moving body). */
std::vector<Contender> mujoco_contenders(const Arm &arm, const States &states, std::string &refusal);
std::vector<Contender> arne_contenders(const arne_model *model, const States &states);

/* The arm as a model of MuJoCo, for mj_deleteModel; null with the reason in `refusal`. */
struct mjModel_ *mujoco_model(const Arm &arm, std::string &refusal);
/* Prints how far arne and MuJoCo are apart after a simulated second, at several steps. */
void simulate_side_by_side(const std::string &file);
/* Code written for the robot in `file`, compiled by the command `compiler`. */
std::vector<Contender> generated_contenders(const std::string &file, const std::string &compiler, const States &states);

/* One random serial chain of n revolute joints: id and fd only, everything owned by the contenders. */
std::vector<Contender> arne_chain_contenders(size_t n);

#endif
