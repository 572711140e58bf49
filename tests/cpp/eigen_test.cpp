// SPDX-License-Identifier: MIT
//
// eigen_test.cpp - Eigen vectors and matrices in and out of arne.hpp. Compiled by cpp_test where Eigen is here.
#define ARNE_EIGEN 1
#include <arne/arne.hpp>
#include <cstdio>

#define CHECK(x)                                                                                                                 \
    if (!(x)) return std::printf("%s:%d: %s\n", __FILE__, __LINE__, #x), 1

template <class F> static std::string refused(F f)
{
    try {
        f();
    } catch (const arne::error &e) {
        return e.what();
    }
    return "";
}

int main()
{
    const arne::model m = arne::load("ur5e");
    arne::data d(m);
    const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(6, 0.1, 1.2), qd = 2 * q, qdd = 3 * q;
    // tau = M qdd + bias, J qd is the velocity of the link
    const auto M = d.mass(q);
    const auto J = d.jacobian(q);
    const Eigen::VectorXd tau = arne::eigen(d.id(q, qd, qdd)), h = arne::eigen(d.bias(q, qd)), v = arne::eigen(d.velocity(q, qd));
    CHECK((arne::eigen(M) * qdd + h - tau).norm() < 1e-10 && arne::eigen(M).data() == M.data());
    CHECK((arne::eigen(J) * qd - v).norm() < 1e-12);
    const auto D = d.did(q, qd, qdd);
    CHECK((arne::eigen(D["dqdd"]) - arne::eigen(M)).norm() < 1e-12);
    Eigen::Matrix<double, 6, 6, Eigen::RowMajor> into;
    d.mass(q, into);
    CHECK((into - into.transpose()).norm() < 1e-12 && (into - arne::eigen(M)).norm() == 0);
    // many states: columns of a matrix
    Eigen::MatrixXd Q(6, 5);
    for (int i = 0; i < 5; i++) Q.col(i) = (i + 1) * q;
    arne::batch many(m);
    const auto g = many.gravity(Q);
    CHECK(g.states() == 5 && (arne::eigen(g.part(0, 2)) - arne::eigen(d.gravity(Q.col(2)))).norm() == 0);
    // numbers that do not lie side by side, and states that are rows of a matrix that stores columns
    const Eigen::MatrixXd rows = Q.transpose();
    CHECK(refused([&] { d.gravity(rows.row(2)); }) == "gravity: q: the numbers do not lie side by side");
    CHECK(refused([&] { many.gravity(rows); }) == "gravity: q has 5 numbers side by side, not 6: one state after the other");
    CHECK(refused([&] { many.gravity(Q.topRows(3)); }) == "gravity: q: the numbers do not lie side by side");
    std::puts("ok");
}
