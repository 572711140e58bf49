// SPDX-License-Identifier: MIT
//
// cpp_test.cpp - arne.hpp beside the C interface, bit for bit; sizes, failures, lifetimes, memory. Compiled by cpp_test.
#include <arne/arne.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>

static long allocations;
void *operator new(std::size_t n)
{
    allocations++;
    void *p = std::malloc(n ? n : 1);
    if (!p) std::abort();
    return p;
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, std::size_t) noexcept { std::free(p); }

static int failures;
#define CHECK(x) ((x) ? (void)0 : (std::printf("%s:%d: %s\n", __FILE__, __LINE__, #x), (void)failures++))

template <class F> static std::string refused(F f)
{
    try {
        f();
    } catch (const arne::error &e) {
        return e.what();
    }
    return "nothing was thrown";
}
static bool near(double a, double b) { return std::fabs(a - b) <= 1e-12 * (1 + std::fabs(b)); }

struct state {
    std::vector<double> q, qd, qdd, tau, qa;
};

static state some(const arne::model &m, double phase)
{
    const auto wave = [&](double by) {
        std::vector<double> x(static_cast<std::size_t>(m.nv()));
        for (std::size_t i = 0; i < x.size(); i++) x[i] = std::sin(phase + by + 1.7 * static_cast<double>(i));
        return x;
    };
    return {m.integrate(m.neutral(), wave(0)), wave(1), wave(2), wave(3), wave(4)};
}

enum : unsigned { Q = ARNE_Q, QD = ARNE_QD, QDD = ARNE_QDD, TAU = ARNE_TAU, QA = ARNE_QA };
// LAST: qa stands after qdd, as in texts.def
template <unsigned INPUTS, bool LAST, class X, class F> auto call(X &x, F f)
{
    if constexpr (INPUTS == Q) return f(x.q);
    if constexpr (INPUTS == QD) return f(x.qd);
    if constexpr (INPUTS == (Q | QD)) return f(x.q, x.qd);
    if constexpr (INPUTS == (Q | QD | QDD)) return f(x.q, x.qd, x.qdd);
    if constexpr (INPUTS == (Q | QD | TAU)) return f(x.q, x.qd, x.tau);
    if constexpr (INPUTS == (Q | QD | QA | QDD) && !LAST) return f(x.q, x.qd, x.qa, x.qdd);
    if constexpr (INPUTS == (Q | QD | QA | QDD) && LAST) return f(x.q, x.qd, x.qdd, x.qa);
}

// Every row of the table is a method, of one state and of many.
static void rows(const char *robot)
{
    const arne::model m = arne::load(robot);
    arne::data d(m);
    arne::batch many(m, 2);
    const state a = some(m, 0.3), b = some(m, 1.1);
    state both = a;
    for (auto part : {&state::q, &state::qd, &state::qdd, &state::tau, &state::qa})
        (both.*part).insert((both.*part).end(), (b.*part).begin(), (b.*part).end());
    auto o = arne::options<arne_quantity_options>();
    o.link = m.tip();
    o.frame = ARNE_ALIGNED;
    int count = 0;
    const auto row = [&](const char *name, const arne::result &one, const arne::result &two) {
        const int number = arne_quantity_find(name);
        const std::size_t size = static_cast<std::size_t>(arne_quantity_size(number, m));
        count++;
        o.factor = std::strcmp(name, "star") ? ARNE_CHRISTOFFEL_FACTOR : ARNE_STAR0001; // as in the shell
        for (std::size_t k = 0; k < 2; k++) {
            const state &s = k ? b : a;
            const arne_state x = {s.q.data(), s.qd.data(), s.qdd.data(), s.tau.data(), s.qa.data()};
            std::vector<double> y(size);
            arne::check(arne_compute(d, number, &o, &x, y.data()), name);
            if (two.size() != 2 * size || std::memcmp(two.data() + k * size, y.data(), size * sizeof(double)) ||
                (!k && (one.size() != size || std::memcmp(one.data(), y.data(), size * sizeof(double)))))
                std::printf("%s of %s differs\n", name, robot), failures++;
        }
    };
#define LAST(arguments) (std::string_view(#arguments).find("qa") > std::string_view(#arguments).find("qdd"))
#define TEXT(name, text, arguments, inputs, ...)                                                                                 \
    row(#name, call<(inputs), LAST(arguments)>(a, [&](auto &...x) { return d.name(x...); }),                                     \
        call<(inputs), LAST(arguments)>(both, [&](auto &...x) { return many.name(x...); }));
#include "arne/texts.def"
    CHECK(count == arne_quantities());
}

static void numbers()
{
    const arne::model m = arne::load("planar2r"); // doc/conventions.md has these by hand
    arne::data d(m);
    const auto tau = d.id({0, 0}, {0, 0}, {0, 0});
    CHECK(near(tau[0], 58.86) && near(tau[1], 14.715));
    const std::array<double, 2> q = {0, 0};
    const double still[2] = {};
    const auto M = d.mass(q);
    CHECK(M.rows() == 2 && M.columns() == 2 && near(M(0, 0), 8) && near(M(0, 1), 2.5) && near(M(1, 1), 1));
    const auto D = d.did(q, still, still);
    CHECK(D["dqdd"].rows() == 2 && near(D["dqdd"](0, 1), 2.5) && D["no"].size() == 0 && D.part("dq", 1).size() == 0);

    // an arm along x: a load of 2 kg at its tip weighs on the joints by its way from them
    const auto x = d.pose(q)["position"];
    const auto load = d.settings().clone().payload("j2", 2, {0, 0, 0});
    CHECK(near(arne::data(load).gravity(q)[0], 58.86 + 2 * 9.81 * x[0]));
    CHECK(near(d.gravity(q)[0], 58.86)); // a clone is another
    d.settings().wrench("j2", {0, 20, 0});
    CHECK(near(d.id(q, still, still)[0], 58.86 - 20 * x[0]));
    d.settings().no_wrenches().gravity(0, 0, 0);
    CHECK(near(d.id(q, still, still)[0], 0));
    CHECK(near(m.difference(q, m.integrate(q, {0.1, 0.2}))[1], 0.2));
}

static void refusals()
{
    const arne::model m = arne::load("planar2r");
    arne::data d(m);
    arne::batch many(m);
    std::vector<double> two(2), three(3), four(4);
    CHECK(refused([&] { d.id(two, three, two); }) == "id: qd has 3 numbers, not 2");
    CHECK(refused([&] { d.id(two, two, two, three); }) == "id: the result has 2 numbers side by side, not 3");
    CHECK(refused([&] { d.pose(two, "elbow"); }) == "planar2r has no link elbow");
    CHECK(refused([&] { d.pose(two, 99); }) == "planar2r has no link 99");
    CHECK(refused([&] { d.pose(two, -1); }) == "planar2r has no link -1");
    CHECK(many.gravity(std::vector<double>()).states() == 0);
    CHECK(refused([&] { many.gravity(three); }) == "gravity: q has 3 numbers, not a multiple of 2");
    CHECK(refused([&] { many.bias(four, two); }) == "bias: qd has 2 numbers, not 4");
    CHECK(refused([&] { d.settings().gravity(NAN, 0, 0); }).find("gravity: ") == 0);
    CHECK(refused([&] { m.integrate(two, three); }) == "integrate takes 2 and 2 numbers side by side, not 2 and 3");
    CHECK(refused([] { arne::load("planar4r"); }).find("planar4r") != std::string::npos);
    arne_error e = {};
    CHECK(d.id(two, three, two, &e).size() == 0 && e.status == ARNE_BAD_ARGUMENT &&
          arne::words(e) == "id: qd has 3 numbers, not 2");
    CHECK(!arne::load("planar4r", ARNE_BASE_FILE, ARNE_MIMIC_FOLLOW, &e) && e.status == ARNE_NO_FILE);
    CHECK(d.id(two, two, two, four, &e) == ARNE_BAD_ARGUMENT);
    d.settings().payload("elbow", 1, {}, {}, &e);
    CHECK(arne::words(e) == "planar2r has no link elbow");
    // a joint that moves no mass is named
    const arne::owned<arne_description> light(arne_description_new("light"));
    arne_description_link(light, "floor", 0);
    arne_description_link(light, "feather", 0);
    arne_description_joint(light, "hinge", 0, ARNE_REVOLUTE, "floor", "feather");
    arne::data f{arne::model(light)};
    CHECK(refused([&] { f.fd({0}, {0}, {1}); }) == "fd: the inertia matrix is singular, joint hinge");
}

static void lifetimes()
{
    std::vector<double> q(6, 0.1), tau(6), J(36);
    arne::data d = [] { return arne::data(arne::load("ur5e")); }(); // keeps its robot
    const long before = allocations;
    d.id(q, q, q, tau);
    d.jacobian(q, J, 6, ARNE_LOCAL);
    CHECK(allocations == before);
    CHECK(near(tau[3], d.id(q, q, q)[3]) && near(J[1], d.jacobian(q, "wrist_3", ARNE_LOCAL)[1]) && near(J[35], 1));
    arne::data moved = std::move(d);
    CHECK(near(tau[0], moved.id(q, q, q)[0]));
}

// objects of C: a plan between two points, judged at its ends; a scenario; floats
static void handles()
{
    const arne::model m = arne::load("kuka-lwr");
    arne::data d(m);
    d.prepare(ARNE_LIMITS);
    std::vector<double> points(14), q(7), qd(7), qdd(7);
    for (std::size_t i = 7; i < 14; i++) points[i] = 0.3;
    const auto curve = arne::make(arne_curve_new, points.data(), 2, 7);
    const auto o = arne::options<arne_plan_options>();
    const auto plan = arne::make(arne_plan_find, curve, d, &o);
    arne::check(arne_plan_at(plan, arne_plan_duration(plan), q.data(), qd.data(), qdd.data(), nullptr));
    CHECK(std::fabs(q[6] - 0.3) < 1e-9 && std::fabs(qd[6]) < 1e-9);
    CHECK(refused([&] { arne::make(arne_curve_new, points.data(), 1, 7); }) != "nothing was thrown");
    arne_error e = {};
    CHECK(!arne::make_told(&e, arne_curve_new, points.data(), 1, 7) && e.status == ARNE_BAD_VALUE);

    int seen = 0;
    double last = 0;
    CHECK(arne::simulate("drop", [&](const arne_row &r) { seen++, last = r.t; }) == ARNE_RUN_FINISHED);
    CHECK(seen > 10 && last > 0);
    struct enough {
    };
    bool thrown = false;
    try {
        arne::simulate("drop", [](const arne_row &) { throw enough(); });
    } catch (const enough &) {
        thrown = true;
    }
    CHECK(thrown);

    arne::batch32 floats(m, 2);
    const std::vector<float> z(21, 0.25f);
    const auto g = floats.gravity(z);
    const auto exact = d.gravity(std::vector<double>(7, 0.25));
    CHECK(g.states() == 3 && g.size() == 21);
    for (std::size_t i = 0; i < 21; i++) CHECK(std::fabs(static_cast<double>(g[i]) - exact[i % 7]) < 1e-4);
}

int main()
{
    for (const char *robot : {"planar2r", "scara", "quadruped"}) rows(robot);
    numbers();
    refusals();
    lifetimes();
    handles();
    if (!failures) std::puts("ok");
    return failures != 0;
}
