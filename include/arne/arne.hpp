// SPDX-License-Identifier: MIT
//
// arne.hpp - arne in C++17, header only, over the C interface (doc/cpp.md).
//
//     arne::model m = arne::load("ur5e");              // const, shared between threads
//     arne::data d(m);                                 // one a thread
//     arne::result tau = d.id(q, qd, qdd);             // any container of doubles; sizes are checked
//     d.id(q, qd, qdd, torques);                       // into your own numbers: nothing allocates
//
// Every row of texts.def is a method of data, and of batch for many states at once: inputs in the order of its C function, where
// the result goes (left out: it is returned), the link, axes or factorization it asks for, an arne_error * (left out: it throws,
// see owned.hpp). What is linked: arne for all but load (arne_file), simulate (arne_simulate) and what is made of their headers.
#ifndef ARNE_HPP
#define ARNE_HPP

#include <exception>
#include <system_error>
#include <thread>

#include "arne/quantities.hpp"

namespace arne
{
#ifdef ARNE_NO_EXCEPTIONS
inline namespace quiet
{
#endif

namespace detail
{
// What is wrong with an input, n numbers of which are a state.
template <class T>
std::string misfit(const arne_quantity *quantity, const char *name, const reading<T> &x, std::size_t n, const std::string &wanted)
{
    const std::string text = std::string(quantity->name) + ": " + name;
    if (x.apart()) return text + ": the numbers do not lie side by side";
    if (x.width() && x.width() != n)
        return text + " has " + std::to_string(x.width()) + " numbers side by side, not " + std::to_string(n) +
               ": one state after the other";
    return text + " has " + std::to_string(x.size()) + " numbers, not " + wanted;
}

// Do the inputs of a quantity fit the robot? *states: how many there are, the same of each; most: 1 where only one will do.
template <class T>
bool fits(const model &m, int row, const request<T> &x, std::size_t most, std::size_t *states, arne_error *told)
{
    static const char *const names[] = {"q", "qd", "qdd", "tau", "qa"};
    const arne_quantity *quantity = arne_quantity_at(row);
    if (!m || !quantity)
        return fail(ARNE_BAD_ARGUMENT, m ? "this library of arne has no such quantity" : "no robot", told), false;
    const reading<T> *inputs[] = {&x.q, &x.qd, &x.qdd, &x.tau, &x.qa};
    bool first = true;
    for (unsigned i = 0; i < 5; i++) {
        if (!(quantity->inputs & 1u << i)) continue;
        const reading<T> &in = *inputs[i];
        const std::size_t n = static_cast<std::size_t>(i ? m.nv() : m.nq());
        if (first) *states = most ? most : n ? in.size() / n : 0;
        if (in.apart() || in.size() != n * *states || (in.width() && in.width() != n))
            return fail(ARNE_BAD_ARGUMENT,
                        misfit(quantity, names[i], in, n,
                               (first && !most ? "a multiple of " : "") + std::to_string(first && !most ? n : n * *states)),
                        told),
                   false;
        first = false;
    }
    return true;
}

template <class T> bool chosen(const model &m, int row, const request<T> &x, arne_quantity_options *o, arne_error *told)
{
    *o = options<arne_quantity_options>();
    const arne_quantity *quantity = arne_quantity_at(row);
    if (!quantity->options) return true;
    o->frame = x.axes;
    const bool star = !std::strcmp(quantity->name, "star");
    o->factor = x.factor != usual_factor ? x.factor : star ? ARNE_STAR0001 : ARNE_CHRISTOFFEL_FACTOR;
    if (quantity->options & ARNE_OF_LINK) o->link = x.link.in(m, told);
    return o->link >= 0;
}

inline arne_status answered(arne_status status, int row, const arne_data *d, arne_error *told)
{
    if (!status) return status;
    const int joint = arne_data_joint(d);
    return fail(status,
                std::string(arne_quantity_at(row)->name) + ": " + arne_status_words(status) +
                    (joint < 0 ? "" : std::string(", joint ") + arne_joint_name(arne_data_model(d), joint)),
                told);
}
} // namespace detail

// ---- one state: the memory of one thread. Nothing allocates in the methods that are told where the result goes.

class data : public quantities<data, double>
{
  public:
    explicit data(const model &m, arne_error *told = nullptr) : data(arne::settings(m, told), told) {}
    explicit data(const arne::settings &s, arne_error *told = nullptr) : settings_(s)
    {
        if (s) data_ = make_told(told, arne_data_share, static_cast<const arne_settings *>(s));
        for (int row = 0; s && row < arne_quantities(); row++)
            sizes_.push_back(static_cast<std::size_t>(arne_quantity_size(row, s.model())));
    }
    operator arne_data *() const { return data_; }
    const arne::model &model() const { return settings_.model(); }
    arne::settings &settings() { return settings_; } // shared with whom they were given by
    arne_status prepare(unsigned what, arne_error *told = nullptr)
    {
        arne_error e = {};
        e.status = arne_data_prepare(*this, what, &e);
        return e.status ? fail(e, told) : ARNE_OK;
    }

    // any quantity by its number (arne_quantity_find)
    arne_status put(int row, const request<double> &x, view<double> to, arne_error *told)
    {
        std::size_t states = 1;
        arne_quantity_options o;
        if (!detail::fits(model(), row, x, 1, &states, told) || !detail::chosen(model(), row, x, &o, told))
            return ARNE_BAD_ARGUMENT;
        const std::size_t size = sizes_[static_cast<std::size_t>(row)];
        if (to.size() != size || to.apart())
            return fail(ARNE_BAD_ARGUMENT,
                        std::string(arne_quantity_at(row)->name) + ": the result has " + std::to_string(size) +
                            " numbers side by side, not " + std::to_string(to.size()),
                        told);
        const arne_state s = {x.q.data(), x.qd.data(), x.qdd.data(), x.tau.data(), x.qa.data()};
        const arne_status status = arne_compute(*this, row, &o, &s, to.data());
        return status ? detail::answered(status, row, *this, told) : status;
    }
    result give(int row, const request<double> &x, arne_error *told)
    {
        result y(model(), row);
        return put(row, x, y, told) ? result() : y;
    }

  private:
    arne::settings settings_;
    owned<arne_data> data_;
    std::vector<std::size_t> sizes_; // of the results, by row
};

// ---- many states, one after the other in every vector: on SIMD lanes, on several threads

template <class T> class basic_batch : public quantities<basic_batch<T>, T>
{
  public:
    explicit basic_batch(const model &m, unsigned threads = 1, arne_error *told = nullptr)
        : basic_batch(arne::settings(m, told), threads, told)
    {
    }
    explicit basic_batch(const arne::settings &s, unsigned threads = 1, arne_error *told = nullptr) : settings_(s)
    {
        for (unsigned i = 0; s && i < (threads ? threads : 1); i++) {
            workers_.emplace_back(s, told);
            if (!workers_.back() || workers_.back().prepare(ARNE_BATCHES, told)) return;
        }
    }
    const arne::model &model() const { return settings_.model(); }
    arne::settings &settings() { return settings_; }

    // Where a state is singular or not finite its result is zero, the others are right, and the failure is told.
    arne_status put(int row, const request<T> &x, view<T> to, arne_error *told)
    {
        std::size_t states = 0;
        arne_quantity_options o;
        if (!detail::fits(model(), row, x, 0, &states, told) || !detail::chosen(model(), row, x, &o, told))
            return ARNE_BAD_ARGUMENT;
        const std::size_t size = static_cast<std::size_t>(arne_quantity_size(row, model()));
        if (to.size() != size * states || to.apart())
            return fail(ARNE_BAD_ARGUMENT,
                        std::string(arne_quantity_at(row)->name) + ": the results of " + std::to_string(states) +
                            " states have " + std::to_string(size * states) + " numbers side by side, not " +
                            std::to_string(to.size()),
                        told);
        if (!states) return ARNE_OK;
        const std::size_t n = workers_.size(), nq = static_cast<std::size_t>(model().nq()),
                          nv = static_cast<std::size_t>(model().nv());
        std::vector<arne_status> status(n, ARNE_OK);
        const auto share = [&](std::size_t k) {
            const std::size_t from = states * k / n, count = states * (k + 1) / n - from;
            const auto at = [&](const reading<T> &v, std::size_t width) { return v.data() ? v.data() + from * width : nullptr; };
            const std::conditional_t<std::is_same_v<T, double>, arne_state, arne_state32> s = {
                at(x.q, nq), at(x.qd, nv), at(x.qdd, nv), at(x.tau, nv), at(x.qa, nv)};
            if constexpr (std::is_same_v<T, double>)
                status[k] = arne_batch(workers_[k], row, &o, count, &s, to.data() + from * size);
            else
                status[k] = arne_batch32(workers_[k], row, &o, count, &s, to.data() + from * size);
        };
        std::vector<std::thread> others;
        for (std::size_t k = 1; k < n; k++) {
#ifndef ARNE_NO_EXCEPTIONS
            try {
                others.emplace_back(share, k);
            } catch (const std::system_error &) { // no more threads are to be had
                share(k);
            }
#else
            others.emplace_back(share, k);
#endif
        }
        share(0);
        for (std::thread &t : others) t.join();
        for (std::size_t k = 0; k < n; k++)
            if (status[k]) return detail::answered(status[k], row, workers_[k], told);
        return ARNE_OK;
    }
    basic_result<T> give(int row, const request<T> &x, arne_error *told)
    {
        std::size_t states = 0;
        if (!detail::fits(model(), row, x, 0, &states, told)) return {};
        basic_result<T> y(model(), row, states);
        return put(row, x, y, told) ? basic_result<T>() : y;
    }

  private:
    arne::settings settings_;
    std::vector<data> workers_;
};
using batch = basic_batch<double>;
using batch32 = basic_batch<float>; // rounded inside too: relative error about 1e-6

// ---- a scenario file, or a shipped scenario by its name: `row` is called with every arne_row; library arne_simulate

template <class F> arne_run_end simulate(const std::string &scenario, F row, arne_error *told = nullptr)
{
    char *path = nullptr;
    arne_error e = {};
    if ((e.status = arne_scenario_find(scenario.c_str(), &path, &e))) return fail(e, told), ARNE_RUN_FAILED;
    const std::unique_ptr<char, void (*)(void *)> file(path, std::free);
    const auto s = make_told(told, arne_scenario_read, path, nullptr);
    if (!s) return ARNE_RUN_FAILED;
    struct listener {
        F *row;
        std::exception_ptr thrown;
    } l = {&row, nullptr};
    s->loop.context = &l;
    s->loop.row = [](void *context, const arne_row *r) {
        auto *to = static_cast<listener *>(context);
#ifndef ARNE_NO_EXCEPTIONS
        try {
            (*to->row)(*r);
        } catch (...) { // may not pass through C
            to->thrown = std::current_exception();
            return 1;
        }
#else
        (*to->row)(*r);
#endif
        return 0;
    };
    filled<arne_result> r;
    e.status = arne_scenario_learn(s, &e);
    if (!e.status) e.status = arne_loop_run(&s->loop, r, &e);
#ifndef ARNE_NO_EXCEPTIONS
    if (l.thrown) std::rethrow_exception(l.thrown);
#endif
    if (e.status) return fail(e, told), ARNE_RUN_FAILED;
    return r->end;
}

#ifdef ARNE_NO_EXCEPTIONS
}
#endif
} // namespace arne
#endif
