/* SPDX-License-Identifier: MIT
 *
 * generated_peer.cpp - the code that arne writes for this arm alone: generated, compiled and loaded before the race.
 *
 * It is made as a user makes it, by the program arne that lies beside this one and by a compiler. */
#include "peers.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include <dlfcn.h>
#include <unistd.h>

namespace
{
using Function1 = void(const double *, double *);
using Function3 = void(const double *, const double *, const double *, double *);

enum { LANES = 8 }; /* of the vector functions */

struct Generated {
    const States &s;
    std::string folder;
    void *library = nullptr;
    std::vector<double> out, q, qd, qdd, tau; /* the last four: states in groups of LANES, joint by joint */

    explicit Generated(const States &states) : s(states), out(3 * s.dof * s.dof * LANES)
    {
        for (auto [from, to] : {std::pair{&s.q, &q}, {&s.qd, &qd}, {&s.qdd, &qdd}, {&s.tau, &tau}}) {
            to->resize(from->size());
            for (size_t k = 0; k < s.count; k++)
                for (size_t i = 0; i < s.dof; i++) (*to)[(k / LANES * s.dof + i) * LANES + k % LANES] = (*from)[k * s.dof + i];
        }
        char name[] = "/tmp/arne_bench_XXXXXX";
        if (!mkdtemp(name)) throw std::runtime_error("cannot make a folder in /tmp");
        folder = name;
    }

    ~Generated()
    {
        if (library) dlclose(library);
        for (const char *file : {"/gen.c", "/gen.h", "/gen.so"}) std::remove((folder + file).c_str());
        rmdir(folder.c_str());
    }

    template <class F> F *function(const char *name) const
    {
        void *f = dlsym(library, name);
        if (!f) throw std::runtime_error(std::string("generated code has no ") + name);
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
} // namespace

/* One state a call; `third` holds qdd or tau. */
static Contender one(const std::shared_ptr<Generated> &p, const char *quantity, const char *name, size_t entries,
                     const std::vector<double> &third)
{
    const auto f = p->function<Function3>(name);
    const double *z = third.data();
    const size_t n = p->s.dof;
    return contender(
        "gen. C", quantity, name, entries, p->s.count,
        [=](size_t k) { f(p->s.q.data() + k * n, p->s.qd.data() + k * n, z + k * n, p->out.data()); },
        [p] { return p->out.data(); });
}

/* A contender of LANES states a call, timed a state; its answer to one state is put together again. */
template <class Call>
static Contender many(const std::shared_ptr<Generated> &p, const char *quantity, const char *name, size_t entries, Call call)
{
    const auto answer = std::make_shared<std::vector<double>>(entries);
    const size_t groups = p->s.count / LANES;
    return {"gen. C",
            std::string(quantity) + " x" + std::to_string(LANES),
            quantity,
            name,
            entries,
            [=](size_t rounds) {
                for (size_t i = 0, k = 0; i < rounds; i += LANES, k = k + 1 == groups ? 0 : k + 1) call(k);
            },
            [=](size_t k) {
                call(k / LANES);
                for (size_t i = 0; i < entries; i++) (*answer)[i] = p->out[i * LANES + k % LANES];
                return static_cast<const double *>(answer->data());
            }};
}

std::vector<Contender> generated_contenders(const std::string &file, const std::string &compiler, const States &states)
{
    const auto p = std::make_shared<Generated>(states);
    const std::string at = quoted(p->folder + "/gen");
    shell(quoted(beside_this_program("arne")) + " codegen " + quoted(file) + " --what id,bias,gravity,mass,fd,did,dfd --lanes " +
          std::to_string(LANES) + " --rigid --quiet --name gen --out " + quoted(p->folder));
    shell(compiler + " -shared -fPIC -o " + at + ".so " + at + ".c -lm");
    p->library = dlopen((p->folder + "/gen.so").c_str(), RTLD_NOW);
    if (!p->library) throw std::runtime_error(dlerror());

    const size_t n = states.dof, group = n * LANES;
    const auto mass = p->function<Function1>("gen_mass"), mass_lanes = p->function<Function1>("gen_mass_x8");
    const auto id_lanes = p->function<Function3>("gen_id_x8"), fd_lanes = p->function<Function3>("gen_fd_x8");
    /* the derivative of id by qdd is the inertia matrix: that part is compared with KDL */
    Contender did = one(p, "mass", "gen_did", n * n, states.qdd);
    did.function = "did";
    const auto all = did.answer;
    did.answer = [=](size_t k) { return all(k) + 2 * n * n; };
    return {one(p, "id", "gen_id", n, states.qdd),
            contender(
                "gen. C", "mass", "gen_mass", n * n, states.count, [=](size_t k) { mass(p->s.q.data() + k * n, p->out.data()); },
                [p] { return p->out.data(); }),
            one(p, "fd", "gen_fd", n, states.tau),
            did,
            one(p, "dfd", "gen_dfd", 3 * n * n, states.tau),
            many(p, "id", "gen_id_x8", n,
                 [=](size_t k) {
                     const size_t i = k * group;
                     id_lanes(p->q.data() + i, p->qd.data() + i, p->qdd.data() + i, p->out.data());
                 }),
            many(p, "mass", "gen_mass_x8", n * n, [=](size_t k) { mass_lanes(p->q.data() + k * group, p->out.data()); }),
            many(p, "fd", "gen_fd_x8", n, [=](size_t k) {
                const size_t i = k * group;
                fd_lanes(p->q.data() + i, p->qd.data() + i, p->tau.data() + i, p->out.data());
            })};
}
