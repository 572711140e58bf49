// SPDX-License-Identifier: MIT
//
// quantities.hpp - results in C++, and a method for everything that can be computed. Part of arne.hpp.
#ifndef ARNE_QUANTITIES_HPP
#define ARNE_QUANTITIES_HPP

#include <cstring>

#include "arne/robot.hpp"

namespace arne
{
#ifdef ARNE_NO_EXCEPTIONS
inline namespace quiet
{
#endif

// What is computed: the parts of a quantity, state after state

template <class T> class basic_result
{
  public:
    basic_result() = default;
    // Room for a quantity of so many states.
    basic_result(const model &m, int quantity, std::size_t states = 1)
        : quantity_(arne_quantity_at(quantity)), states_(states),
          stride_(static_cast<std::size_t>(arne_quantity_size(quantity, m)))
    {
        parts_ = quantity_ ? quantity_->nparts : 0;
        for (int i = 0; i < parts_; i++)
            shape_[static_cast<std::size_t>(i)] = {arne_axis_size(quantity_->parts[i].rows, m),
                                                   arne_axis_size(quantity_->parts[i].columns, m)};
        numbers_.resize(stride_ * states_);
    }
    std::size_t size() const { return numbers_.size(); }
    std::size_t states() const { return states_; }
    T *data() { return numbers_.data(); }
    const T *data() const { return numbers_.data(); }
    auto begin() const { return numbers_.begin(); }
    auto end() const { return numbers_.end(); }
    template <class I, std::enable_if_t<std::is_integral_v<I>, int> = 0> const T &operator[](I i) const
    {
        return numbers_[static_cast<std::size_t>(i)];
    }
    const T &operator()(int i, int j = 0) const { return part(0)(i, j); } // of the first part, first state
    int rows() const { return shape_[0][0]; }
    int columns() const { return shape_[0][1]; }
    // A part by its number or its name, of one state: did has "dq", "dqd", "dqdd". Empty: there is none. It lies in the result;
    // of a result that nobody keeps it is a copy.
    block<const T> part(int i, std::size_t state = 0) const &
    {
        if (i < 0 || i >= parts_ || state >= states_) return {};
        std::size_t at = stride_ * state;
        for (int k = 0; k < i; k++) at += block<const T>(nullptr, shape(k)[0], shape(k)[1]).size();
        return {data() + at, shape(i)[0], shape(i)[1]};
    }
    block<const T> part(const char *name, std::size_t state = 0) const &
    {
        for (int i = 0; quantity_ && i < parts_; i++)
            if (quantity_->parts[i].name && !std::strcmp(name, quantity_->parts[i].name)) return part(i, state);
        return {};
    }
    template <std::size_t N> block<const T> operator[](const char (&name)[N]) const & { return part(name); }
    template <class N> basic_result part(N which, std::size_t state = 0) && { return basic_result(part(which, state)); }
    template <std::size_t N> basic_result operator[](const char (&name)[N]) && { return basic_result(part(name)); }

  private:
    explicit basic_result(const block<const T> &b) : parts_(1), states_(1), stride_(b.size()), numbers_(b.begin(), b.end())
    {
        shape_[0] = {b.rows(), b.columns()};
    }
    const std::array<int, 2> &shape(int i) const { return shape_[static_cast<std::size_t>(i)]; }
    const arne_quantity *quantity_ = nullptr;
    int parts_ = 0;
    std::size_t states_ = 0, stride_ = 0;
    std::array<std::array<int, 2>, ARNE_MOST_PARTS> shape_ = {};
    std::vector<T> numbers_;
};
using result = basic_result<double>;

#if ARNE_EIGEN
template <class T> auto eigen(const basic_result<T> &r) { return eigen(r.part(0)); }
template <class T> auto eigen(basic_result<T> &&r)
{
    return Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>(eigen(r.part(0)));
}
#endif

// As in the shell: star0001 of star, Christoffel's of others.
constexpr arne_factor_choice usual_factor = static_cast<arne_factor_choice>(3);

// What a quantity reads.
template <class T> struct request {
    reading<T> q, qd, qdd, tau, qa;
    link_of link;
    arne_frame axes = ARNE_ALIGNED;
    arne_factor_choice factor = usual_factor;
};

// A method for every row of texts.def, made of the arguments that it names there.
// a word of texts.def: ARNE_HPP_IN_ an input, BY_ an option, SET_ into the request
#define ARNE_HPP_IN_r
#define ARNE_HPP_BY_r
#define ARNE_HPP_SET_r
#define ARNE_HPP_IN_k
#define ARNE_HPP_BY_k
#define ARNE_HPP_SET_k
#define ARNE_HPP_IN_y
#define ARNE_HPP_BY_y
#define ARNE_HPP_SET_y
#define ARNE_HPP_IN_none
#define ARNE_HPP_BY_none
#define ARNE_HPP_SET_none
#define ARNE_HPP_IN_q reading<T> q,
#define ARNE_HPP_BY_q
#define ARNE_HPP_SET_q x_.q = q;
#define ARNE_HPP_IN_qd reading<T> qd,
#define ARNE_HPP_BY_qd
#define ARNE_HPP_SET_qd x_.qd = qd;
#define ARNE_HPP_IN_qdd reading<T> qdd,
#define ARNE_HPP_BY_qdd
#define ARNE_HPP_SET_qdd x_.qdd = qdd;
#define ARNE_HPP_IN_tau reading<T> tau,
#define ARNE_HPP_BY_tau
#define ARNE_HPP_SET_tau x_.tau = tau;
#define ARNE_HPP_IN_qa reading<T> qa,
#define ARNE_HPP_BY_qa
#define ARNE_HPP_SET_qa x_.qa = qa;
#define ARNE_HPP_IN_link
#define ARNE_HPP_BY_link link_of link = {},
#define ARNE_HPP_SET_link x_.link = link;
#define ARNE_HPP_IN_axes
#define ARNE_HPP_BY_axes arne_frame axes = ARNE_ALIGNED,
#define ARNE_HPP_SET_axes x_.axes = axes;
#define ARNE_HPP_IN_factor
#define ARNE_HPP_BY_factor arne_factor_choice factor = usual_factor,
#define ARNE_HPP_SET_factor x_.factor = factor;
#define ARNE_HPP_IN_blank
#define ARNE_HPP_BY_blank
#define ARNE_HPP_SET_blank
#define ARNE_HPP_TEN(P, a, b, c, d, e, f, g, h, i, j, ...) P##a P##b P##c P##d P##e P##f P##g P##h P##i P##j
#define ARNE_HPP_EACH(P, ...) ARNE_HPP_TEN(P, __VA_ARGS__, none, none, none, none, none, none, none, none)
#define ARNE_HPP_OPEN(...) __VA_ARGS__

template <class D, class T> class quantities
{
  public:
#define TEXT(name, text, arguments, inputs, letter, flags, about, ...)                                                           \
    basic_result<T> name(ARNE_HPP_EACH(ARNE_HPP_IN_, ARNE_HPP_OPEN arguments)                                                    \
                             ARNE_HPP_EACH(ARNE_HPP_BY_, ARNE_HPP_OPEN arguments) arne_error *told = nullptr)                    \
    {                                                                                                                            \
        static const int row_ = arne_quantity_find(#name);                                                                       \
        request<T> x_;                                                                                                           \
        ARNE_HPP_EACH(ARNE_HPP_SET_, ARNE_HPP_OPEN arguments)                                                                    \
        return static_cast<D *>(this)->give(row_, x_, told);                                                                     \
    }                                                                                                                            \
    arne_status name(ARNE_HPP_EACH(ARNE_HPP_IN_, ARNE_HPP_OPEN arguments) view<T> to,                                            \
                     ARNE_HPP_EACH(ARNE_HPP_BY_, ARNE_HPP_OPEN arguments) arne_error *told = nullptr)                            \
    {                                                                                                                            \
        static const int row_ = arne_quantity_find(#name);                                                                       \
        request<T> x_;                                                                                                           \
        ARNE_HPP_EACH(ARNE_HPP_SET_, ARNE_HPP_OPEN arguments)                                                                    \
        return static_cast<D *>(this)->put(row_, x_, to, told);                                                                  \
    }
#include "arne/texts.def"
};
#undef ARNE_HPP_IN_r
#undef ARNE_HPP_IN_k
#undef ARNE_HPP_IN_y
#undef ARNE_HPP_IN_none
#undef ARNE_HPP_IN_q
#undef ARNE_HPP_IN_qd
#undef ARNE_HPP_IN_qdd
#undef ARNE_HPP_IN_tau
#undef ARNE_HPP_IN_qa
#undef ARNE_HPP_IN_link
#undef ARNE_HPP_IN_axes
#undef ARNE_HPP_IN_factor
#undef ARNE_HPP_IN_blank
#undef ARNE_HPP_BY_r
#undef ARNE_HPP_BY_k
#undef ARNE_HPP_BY_y
#undef ARNE_HPP_BY_none
#undef ARNE_HPP_BY_q
#undef ARNE_HPP_BY_qd
#undef ARNE_HPP_BY_qdd
#undef ARNE_HPP_BY_tau
#undef ARNE_HPP_BY_qa
#undef ARNE_HPP_BY_link
#undef ARNE_HPP_BY_axes
#undef ARNE_HPP_BY_factor
#undef ARNE_HPP_BY_blank
#undef ARNE_HPP_SET_r
#undef ARNE_HPP_SET_k
#undef ARNE_HPP_SET_y
#undef ARNE_HPP_SET_none
#undef ARNE_HPP_SET_q
#undef ARNE_HPP_SET_qd
#undef ARNE_HPP_SET_qdd
#undef ARNE_HPP_SET_tau
#undef ARNE_HPP_SET_qa
#undef ARNE_HPP_SET_link
#undef ARNE_HPP_SET_axes
#undef ARNE_HPP_SET_factor
#undef ARNE_HPP_SET_blank
#undef ARNE_HPP_TEN
#undef ARNE_HPP_EACH
#undef ARNE_HPP_OPEN

#ifdef ARNE_NO_EXCEPTIONS
}
#endif
} // namespace arne
#endif
