// SPDX-License-Identifier: MIT
//
// view.hpp - numbers that lie somewhere else: what arne.hpp reads and writes without copying. C++17.
//
// in and out are made from a std::vector, std::array, std::span, a C array, (pointer, count), an Eigen vector or matrix; `in`
// also from {1.0, 2.0}. Numbers must lie side by side: a row of an Eigen matrix that stores columns does not, and is refused when
// used.
#ifndef ARNE_VIEW_HPP
#define ARNE_VIEW_HPP

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>

// Eigen maps of results (arne::eigen) where Eigen is in the include path; define ARNE_EIGEN 0 to do without, 1 to insist.
#ifndef ARNE_EIGEN
#if __has_include(<Eigen/Core>)
#define ARNE_EIGEN 1
#else
#define ARNE_EIGEN 0
#endif
#endif
#if ARNE_EIGEN
#include <Eigen/Core>
#endif

namespace arne
{

namespace detail
{
template <class C, class = void> struct strided : std::false_type {
};
template <class C> struct strided<C, std::void_t<decltype(std::declval<const C &>().innerStride())>> : std::true_type {
};

template <class C, class T, class = void> struct holds : std::false_type {
};
template <class C, class T>
struct holds<C, T, std::void_t<decltype(std::data(std::declval<C &>())), decltype(std::size(std::declval<C &>()))>>
    : std::is_convertible<decltype(std::data(std::declval<C &>())), T *> {
};
} // namespace detail

// Numbers side by side. width: how many make one state where the container says so, else 0.
template <class T> class view
{
  public:
    view() = default;
    view(T *data, std::size_t size) : data_(data), size_(size) {}
    template <class C, std::enable_if_t<detail::holds<std::remove_reference_t<C>, T>::value &&
                                            !std::is_base_of_v<view, std::remove_cv_t<std::remove_reference_t<C>>>,
                                        int> = 0>
    view(C &&c) : view(take(c))
    {
    }
    T *data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t width() const { return width_; }
    bool apart() const { return apart_; } // they do not lie side by side
    T *begin() const { return data_; }
    T *end() const { return data_ + size_; }
    T &operator[](std::size_t i) const { return data_[i]; }

  protected:
    template <class C> static view take(C &c)
    {
        view v(std::data(c), static_cast<std::size_t>(std::size(c)));
        if constexpr (detail::strided<C>::value) {
            const bool many = c.outerSize() > 1;
            v.apart_ = (v.size_ > 1 && c.innerStride() != 1) || (many && c.outerStride() != c.innerSize());
            v.width_ = many ? static_cast<std::size_t>(c.innerSize()) : 0;
        }
        return v;
    }
    T *data_ = nullptr;
    std::size_t size_ = 0, width_ = 0;
    bool apart_ = false;
};

template <class T> class reading : public view<const T>
{
  public:
    using view<const T>::view;
    reading(std::initializer_list<T> list) // lives as long as the call it is written in
    {
        this->data_ = std::data(list);
        this->size_ = list.size();
    }
};

using in = reading<double>;
using out = view<double>;

// A matrix that lies somewhere else, row after row; a vector has one column.
template <class T> class block
{
  public:
    block() = default;
    block(T *data, int rows, int columns) : data_(data), rows_(rows), columns_(columns) {}
    int rows() const { return rows_; }
    int columns() const { return columns_; }
    T *data() const { return data_; }
    std::size_t size() const { return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_); }
    T *begin() const { return data_; }
    T *end() const { return data_ + size(); }
    T &operator()(int i, int j = 0) const
    {
        return data_[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(j)];
    }
    T &operator[](std::size_t i) const { return data_[i]; }

  private:
    T *data_ = nullptr;
    int rows_ = 0, columns_ = 0;
};

#if ARNE_EIGEN
// The same numbers as an Eigen matrix that stores rows; nothing is copied.
template <class T> auto eigen(const block<T> &b)
{
    using matrix = Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<std::conditional_t<std::is_const_v<T>, const matrix, matrix>>(b.data(), b.rows(), b.columns());
}
#endif

} // namespace arne
#endif
