/* SPDX-License-Identifier: MIT
 *
 * generated_peer.cpp - the code that arne writes for this robot alone: generated, compiled and loaded before the race.
 *
 * It is made as a user makes it, by the program arne that lies beside this one and by a compiler. Text and library are kept, and
 * compiled again when the text or the compiler has changed. */
#include "peers.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <dlfcn.h>
#include <unistd.h>

namespace
{
/* C, and derivatives, are long: for robots of up to so many joints, and in doubles alone. */
enum { MOST_LONG = 7 };

struct Library {
    void *handle;

    explicit Library(const std::string &path) : handle(dlopen(path.c_str(), RTLD_NOW))
    {
        if (!handle) throw std::runtime_error(dlerror());
    }
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;
    ~Library() { dlclose(handle); }

    template <class F> F *function(const std::string &name) const
    {
        void *f = dlsym(handle, name.c_str());
        if (!f) throw std::runtime_error("generated code has no " + name);
        return reinterpret_cast<F *>(f);
    }
};

std::string quoted(const std::string &word)
{
    std::string out = "'";
    for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

void shell(const std::string &command)
{
    if (std::system(command.c_str())) throw std::runtime_error("this failed: " + command);
}

std::string beside_this_program(const char *name)
{
    std::array<char, 4096> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
    const std::string self(path.data(), length > 0 ? static_cast<size_t>(length) : 0);
    return self.substr(0, self.rfind('/') + 1) + name;
}

std::string contents(const std::string &path)
{
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

template <class Real> struct Kind; /* of numbers */
template <> struct Kind<double> {
    static constexpr size_t lanes = 8;
    static constexpr const char *real = "double", *one = "generated", *many = "generated lanes";
};
template <> struct Kind<float> {
    static constexpr size_t lanes = 16;
    static constexpr const char *real = "float", *one = "generated f32", *many = "generated f32 lanes";
};

const struct {
    const char *name;
    char third;            /* what stands behind q and qd: 'a' qdd, 't' tau, 'v' nothing; 'q': q alone */
    size_t vector, matrix; /* entries: vector n + matrix n n */
    bool is_long, divides;
} quantities[] = {{"id", 'a', 1, 0, false, false},   {"bias", 'v', 1, 0, false, false}, {"gravity", 'q', 1, 0, false, false},
                  {"mass", 'q', 0, 1, false, false}, {"fd", 't', 1, 0, false, true},    {"coriolis", 'v', 0, 1, true, false},
                  {"did", 'a', 0, 3, true, false},   {"dfd", 't', 0, 3, true, true}};

/* one state after the other, and states in groups of the lanes, joint by joint */
template <class Real> struct Generated {
    static constexpr size_t LANES = Kind<Real>::lanes;
    const States &s;
    Library library;
    std::vector<Real> one[4], many[4]; /* q, qd, qdd, tau */
    std::vector<Real> out;
    std::vector<double> answer;

    Generated(const std::string &path, const States &states)
        : s(states), library(path), out(3 * s.dof * s.dof * LANES), answer(3 * s.dof * s.dof)
    {
        const std::vector<double> *from[4] = {&s.q, &s.qd, &s.qdd, &s.tau};
        for (size_t v = 0; v < 4; v++) {
            for (double x : *from[v]) one[v].push_back(static_cast<Real>(x));
            many[v].resize(one[v].size());
            for (size_t k = 0; k < s.count; k++)
                for (size_t i = 0; i < s.dof; i++) many[v][(k / LANES * s.dof + i) * LANES + k % LANES] = one[v][k * s.dof + i];
        }
    }

    /* use(call): call(i) is the function with the vectors from number i on */
    template <class Use> void with(const std::string &name, char third, const std::vector<Real> *x, Use use)
    {
        using R = const Real *;
        Real *y = out.data();
        R q = x[0].data(), qd = x[1].data(), z = x[third == 't' ? 3 : 2].data();
        if (third == 'q')
            use([=, f = library.function<void(R, Real *)>(name)](size_t i) { f(q + i, y); });
        else if (third == 'v')
            use([=, f = library.function<void(R, R, Real *)>(name)](size_t i) { f(q + i, qd + i, y); });
        else
            use([=, f = library.function<void(R, R, R, Real *)>(name)](size_t i) { f(q + i, qd + i, z + i, y); });
    }
};
} // namespace

static std::string path_of(const Robot &robot, const std::string &folder, const char *real)
{
    return folder + "/" + robot.name + "_" + real;
}

template <class Real> static std::string functions_of(const Robot &robot)
{
    std::string list;
    for (const auto &q : quantities)
        if (!q.is_long || (robot.dof() <= MOST_LONG && sizeof(Real) == 8))
            list += (list.empty() ? "" : ",") + std::string(q.name);
    return list;
}

template <class Real> static void make(const Robot &robot, const std::string &compiler, const std::string &folder)
{
    const std::string base = path_of(robot, folder, Kind<Real>::real), text = base + "/gen.c", made = base + "/made";
    shell(quoted(beside_this_program("arne")) + " codegen " + quoted(robot.file) +
          " --base fixed --rigid --quiet --name gen --what " + functions_of<Real>(robot) + " --real " + Kind<Real>::real +
          " --lanes " + std::to_string(Kind<Real>::lanes) + " --out " + quoted(base));
    const std::string command = compiler + " -shared -fPIC -o " + quoted(base + "/gen.so") + " " + quoted(text) + " -lm";
    const std::string now = command + "\n" + contents(text);
    if (contents(made) == now && access((base + "/gen.so").c_str(), R_OK) == 0) return;
    std::remove(made.c_str());
    shell(command);
    std::ofstream(made) << now;
}

void generated_make(const Robot &robot, const std::string &compiler, const std::string &folder)
{
    make<double>(robot, compiler, folder);
    make<float>(robot, compiler, folder);
}

template <class Real> static void add(Contenders &list, const Robot &robot, const std::string &folder, const States &s)
{
    using K = Kind<Real>;
    const auto p = std::make_shared<Generated<Real>>(path_of(robot, folder, K::real) + "/gen.so", s);
    const std::string written = functions_of<Real>(robot);
    const size_t n = s.dof, groups = s.count / K::lanes;
    for (const auto &q : quantities) {
        if (("," + written + ",").find("," + std::string(q.name) + ",") == std::string::npos) continue;
        const size_t entries = q.vector * n + q.matrix * n * n;
        const std::string name = std::string("gen_") + q.name, wide = name + "_x" + std::to_string(K::lanes);
        const double limit = sizeof(Real) == 8 ? AGREE : q.divides ? AGREE_FLOAT_FD : AGREE_FLOAT;
        const auto read = [=] {
            std::copy_n(p->out.data(), entries, p->answer.data());
            return p->answer.data();
        };
        p->with(name, q.third, p->one, [&](auto call) {
            list.push_back(contender(
                K::one, q.name, name.c_str(), entries, s.count, [p, call, n](size_t k) { call(k * n); }, read, limit));
        });
        p->with(wide, q.third, p->many, [&](auto call) {
            Contender c;
            c.variant = K::many;
            c.quantity = q.name;
            c.calls = wide;
            c.entries = entries;
            c.block = K::lanes;
            c.limit = limit;
            c.evaluate = [p, call, n, groups](size_t rounds) {
                for (size_t i = 0, k = 0; i < rounds; i += K::lanes, k = k + 1 == groups ? 0 : k + 1) call(k * n * K::lanes);
            };
            c.answer = [p, call, n, entries](size_t k) {
                call(k / K::lanes * n * K::lanes);
                for (size_t i = 0; i < entries; i++) p->answer[i] = static_cast<double>(p->out[i * K::lanes + k % K::lanes]);
                return static_cast<const double *>(p->answer.data());
            };
            list.push_back(c);
        });
    }
}

Contenders generated_contenders(const Robot &robot, const std::string &folder, const States &states)
{
    Contenders list;
    add<double>(list, robot, folder, states);
    add<float>(list, robot, folder, states);
    return list;
}
