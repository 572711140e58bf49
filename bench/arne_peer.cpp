/* SPDX-License-Identifier: MIT
 *
 * arne_peer.cpp - arne's side of the race: one state a call; many states a call in lanes of doubles and of floats, and on
 * threads.
 *
 * Friction and rotor inertia are switched off: the peers have none. */
#include <algorithm>
#include <stdexcept>

#include "arne/openmp.h"
#include "peers.h"

namespace
{
struct Release {
    void operator()(arne_data *d) const { arne_data_free(d); }
};
using Data = std::unique_ptr<arne_data, Release>;

void prepare(arne_data *d)
{
    arne_error error;
    if (arne_data_prepare(d, ARNE_BATCHES | ARNE_DERIVATIVES, &error)) throw std::runtime_error(error.message);
}

Data data_of(const arne_model *model)
{
    arne_data *d = nullptr;
    arne_error error;
    if (arne_data_new(model, &d, &error)) throw std::runtime_error(error.message);
    Data data(d);
    arne_set_rigid(arne_data_settings(d), true);
    prepare(d);
    return data;
}

Data shared(arne_data *of)
{
    arne_data *d = nullptr;
    arne_error error;
    if (arne_data_share(arne_data_settings(of), &d, &error)) throw std::runtime_error(error.message);
    Data data(d);
    prepare(d);
    return data;
}

/* As many states as leave their results in the cache, but whole vectors of them. */
size_t states_of_lanes(const States &s, size_t entries)
{
    return std::min(s.count, std::max<size_t>(16, (size_t{1} << 17) / entries / 16 * 16));
}

/* ---- one state a call ---- */

/* Results go where those of the lanes go: as many, one after the other. */
struct One {
    const States &s;
    Data data;
    arne_data *d;
    size_t entries, places;
    std::vector<double> all;
    double *out;

    One(const arne_model *model, const States &states, size_t numbers)
        : s(states), data(data_of(model)), d(data.get()), entries(numbers), places(states_of_lanes(states, numbers)),
          all(places * numbers), out(all.data())
    {
    }
    void turn_to(size_t k) { out = all.data() + k % places * entries; }

    const double *q(size_t k) const { return s.q.data() + k * s.dof; }
    const double *qd(size_t k) const { return s.qd.data() + k * s.dof; }
    const double *qdd(size_t k) const { return s.qdd.data() + k * s.dof; }
    const double *tau(size_t k) const { return s.tau.data() + k * s.dof; }
    double *part(size_t k) { return out + k * s.dof * s.dof; }
};

/* ---- many states a call ---- */

struct Many {
    int row;
    size_t count, all, entries; /* states a call, of so many in all; numbers of a result */
    Data data;
    std::vector<Data> more; /* of further threads */
    std::vector<arne_data *> others;
    arne_quantity_options what{};
    arne_batch_options how{};

    Many(const Robot &robot, const char *quantity, size_t given, size_t states, int threads)
        : row(arne_quantity_find(quantity)), count(states), all(std::max(states, given)),
          entries(static_cast<size_t>(arne_quantity_size(row, robot.model.get()))), data(data_of(robot.model.get()))
    {
        what.size = sizeof what;
        what.factor = ARNE_CHRISTOFFEL_FACTOR;
        for (int i = 1; i < threads; i++) {
            more.push_back(shared(data.get()));
            others.push_back(more.back().get());
        }
        how.size = sizeof how;
        how.threads = threads;
        how.others = others.data();
        if (threads > 1) how.run = arne_openmp;
    }
};

/* the inputs over and over, until there are `count` states */
template <class Real> std::vector<Real> repeated(const std::vector<double> &x, size_t count, size_t dof)
{
    std::vector<Real> out(count * dof);
    for (size_t i = 0; i < out.size(); i++) out[i] = static_cast<Real>(x[i % x.size()]);
    return out;
}

template <class Real> struct Inputs {
    std::vector<Real> q, qd, qdd, tau, out;

    Inputs(const States &s, const Many &m)
        : q(repeated<Real>(s.q, m.all, s.dof)), qd(repeated<Real>(s.qd, m.all, s.dof)), qdd(repeated<Real>(s.qdd, m.all, s.dof)),
          tau(repeated<Real>(s.tau, m.all, s.dof)), out(m.count * m.entries)
    {
    }
};

struct Many64 : Many, Inputs<double> {
    Many64(const Robot &r, const States &s, const char *quantity, size_t states, int threads)
        : Many(r, quantity, s.count, states, threads), Inputs<double>(s, *this)
    {
    }
    void run(size_t from, size_t n)
    {
        const size_t at = from * q.size() / all;
        const arne_state x = {q.data() + at, qd.data() + at, qdd.data() + at, tau.data() + at, nullptr};
        arne_batch_with(data.get(), row, &what, &how, n, &x, out.data());
    }
};

struct Many32 : Many, Inputs<float> {
    Many32(const Robot &r, const States &s, const char *quantity, size_t states, int threads)
        : Many(r, quantity, s.count, states, threads), Inputs<float>(s, *this)
    {
    }
    void run(size_t from, size_t n)
    {
        const size_t at = from * q.size() / all;
        const arne_state32 x = {q.data() + at, qd.data() + at, qdd.data() + at, tau.data() + at, nullptr};
        arne_batch32_with(data.get(), row, &what, &how, n, &x, out.data());
    }
};

const struct {
    const char *name, *call;
    bool matrix, divides; /* by the inertia matrix */
} quantities[] = {{"id", "arne_id", false, false},
                  {"bias", "arne_bias", false, false},
                  {"gravity", "arne_gravity", false, false},
                  {"mass", "arne_mass", true, false},
                  {"fd", "arne_fd", false, true},
                  {"coriolis", "arne_coriolis", true, false},
                  {"did", "arne_id_derivatives", true, false},
                  {"dfd", "arne_fd_derivatives", true, true}};
} // namespace

/* `call(p, k)` computes state k into p.out */
template <class Call>
static void add_one(Contenders &list, const Robot &robot, const States &s, const std::string &quantity, Call call)
{
    for (const auto &q : quantities) {
        if (q.name != quantity || (q.matrix && s.dof > MOST_MATRIX)) continue;
        const size_t entries = static_cast<size_t>(arne_quantity_size(arne_quantity_find(q.name), robot.model.get()));
        const auto p = std::make_shared<One>(robot.model.get(), s, entries);
        const auto compute = [=](size_t k) {
            p->turn_to(k);
            call(*p, k);
        };
        list.push_back(contender("general", q.name, q.call, entries, s.count, compute, [p] { return p->out; }));
    }
}

template <class Batch>
static Contender many(const char *variant, const char *calls, const char *quantity, const std::shared_ptr<Batch> &p, double limit)
{
    Contender c;
    c.variant = variant;
    c.quantity = quantity;
    c.calls = std::string(calls) + " " + quantity;
    c.entries = p->entries;
    c.block = p->count;
    c.limit = limit;
    c.evaluate = [=](size_t rounds) {
        for (size_t done = 0; done < rounds; done += p->count) {
            const size_t from = done % p->all;
            p->run(from, std::min({p->count, p->all - from, rounds - done}));
        }
    };
    const auto answer = std::make_shared<std::vector<double>>(p->entries);
    c.answer = [=](size_t k) {
        if (k % p->count == 0) p->run(k, std::min(p->count, p->all - k));
        std::copy_n(p->out.data() + k % p->count * p->entries, p->entries, answer->data());
        return static_cast<const double *>(answer->data());
    };
    return c;
}

/* As many states as keep two threads busy for much longer than it takes to wake them, with results that stay in the cache. */
static size_t states_of_threads(const States &s, size_t entries)
{
    return std::max(s.count, std::min<size_t>(4096, (size_t{1} << 18) / (entries + 3 * s.dof) / 256 * 256));
}

Contenders arne_contenders(const Robot &robot, const States &s, int threads)
{
    Contenders list;
    const auto add = [&](const char *quantity, auto call) { add_one(list, robot, s, quantity, call); };
    add("id", [](One &p, size_t k) { arne_id(p.d, p.q(k), p.qd(k), p.qdd(k), p.part(0)); });
    add("bias", [](One &p, size_t k) { arne_bias(p.d, p.q(k), p.qd(k), p.part(0)); });
    add("gravity", [](One &p, size_t k) { arne_gravity(p.d, p.q(k), p.part(0)); });
    add("mass", [](One &p, size_t k) { arne_mass(p.d, p.q(k), p.part(0)); });
    add("fd", [](One &p, size_t k) { arne_fd(p.d, p.q(k), p.qd(k), p.tau(k), p.part(0)); });
    add("coriolis", [](One &p, size_t k) { arne_coriolis(p.d, ARNE_CHRISTOFFEL_FACTOR, p.q(k), p.qd(k), p.part(0)); });
    add("did", [](One &p, size_t k) { arne_id_derivatives(p.d, p.q(k), p.qd(k), p.qdd(k), p.part(0), p.part(1), p.part(2)); });
    add("dfd", [](One &p, size_t k) { arne_fd_derivatives(p.d, p.q(k), p.qd(k), p.tau(k), p.part(0), p.part(1), p.part(2)); });

    const std::string of_threads = std::to_string(threads) + " threads";
    for (const auto &q : quantities) {
        if (q.matrix && s.dof > MOST_MATRIX) continue;
        const size_t numbers = static_cast<size_t>(arne_quantity_size(arne_quantity_find(q.name), robot.model.get()));
        const size_t block = states_of_lanes(s, numbers);
        const auto lanes = std::make_shared<Many64>(robot, s, q.name, block, 1);
        list.push_back(many("lanes", "arne_batch", q.name, lanes, AGREE));
        if (!q.divides || s.dof <= MOST_FLOAT_FD)
            list.push_back(many("f32 lanes", "arne_batch32", q.name, std::make_shared<Many32>(robot, s, q.name, block, 1),
                                q.divides ? AGREE_FLOAT_FD : AGREE_FLOAT));
        if (robot.file.empty()) continue; /* threads: on the robots of files */
        for (int used : {1, threads}) {
            const size_t count = states_of_threads(s, numbers);
            list.push_back(many(used == 1 ? "1 thread" : of_threads.c_str(), "arne_batch_with", q.name,
                                std::make_shared<Many64>(robot, s, q.name, count, used), AGREE));
            list.back().wall = true;
        }
    }
    return list;
}
