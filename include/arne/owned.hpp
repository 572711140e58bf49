// SPDX-License-Identifier: MIT
//
// owned.hpp - failures, and objects of the C interface that free themselves. C++17, header only.
//
// Whatever can fail throws arne::error. Where its last argument is an arne_error * it fills that instead, and gives what is
// empty. With ARNE_NO_EXCEPTIONS defined, or a compiler told -fno-exceptions, nothing throws.
//
//     auto curve = arne::make(arne_curve_new, points, 3, 6);            // any constructor of the C interface
//     auto o = arne::options<arne_plan_options>();                      // all zero, its size set
//     auto plan = arne::make(arne_plan_find, curve, data, &o);          // freed in their time; taken by C functions as they are
//     arne::check(arne_plan_at(plan, 0.5, q, qd, qdd, nullptr));    // a status that throws
#ifndef ARNE_OWNED_HPP
#define ARNE_OWNED_HPP

#include <memory>
#include <string>
#include <tuple>

#include "arne/arne.h"

#if !defined(ARNE_NO_EXCEPTIONS) && !defined(__cpp_exceptions)
#define ARNE_NO_EXCEPTIONS
#endif
#ifndef ARNE_NO_EXCEPTIONS
#include <stdexcept>
#endif

namespace arne
{
#ifdef ARNE_NO_EXCEPTIONS
inline namespace quiet
{
#endif

// "FILE:LINE: what is wrong"
inline std::string words(const arne_error &e)
{
    std::string text = e.file;
    if (e.line > 0) text += ":" + std::to_string(e.line);
    return (text.empty() ? text : text + ": ") + (e.message[0] ? e.message : arne_status_words(e.status));
}

#ifndef ARNE_NO_EXCEPTIONS
class error : public std::runtime_error
{
  public:
    explicit error(const arne_error &e) : std::runtime_error(words(e)), what_(e) {}
    arne_status status() const { return what_.status; }
    std::string file() const { return what_.file; }
    int line() const { return what_.line; } // 0: no line is to blame

  private:
    arne_error what_;
};
#endif

// Tells a failure: to `told`, or by throwing. Gives its status back.
inline arne_status fail(const arne_error &e, arne_error *told = nullptr)
{
    if (told) {
        *told = e;
        return e.status;
    }
#ifndef ARNE_NO_EXCEPTIONS
    throw error(e);
#else
    return e.status;
#endif
}

inline arne_status fail(arne_status status, const std::string &message, arne_error *told = nullptr)
{
    arne_error e = {};
    arne_fail(&e, status, nullptr, 0, "%s", message.c_str());
    return fail(e, told);
}

// A status of the C interface; what: of what it was.
inline arne_status check(arne_status status, const char *what = nullptr, arne_error *told = nullptr)
{
    if (status == ARNE_OK) return status;
    return fail(status, (what ? std::string(what) + ": " : std::string()) + arne_status_words(status), told);
}

// An option struct, all zero, that knows its size.
template <class O> O options()
{
    O o = {};
    o.size = sizeof o;
    return o;
}

namespace detail
{
template <class T> struct freeing;
template <class T> struct clearing;
} // namespace detail
#ifdef ARNE_NO_EXCEPTIONS
}
#endif
} // namespace arne

// all public headers, and what they free
#define ARNE_OWNED(type, function)                                                                                               \
    template <> struct arne::detail::freeing<type> {                                                                             \
        void operator()(type *p) const { function(p); }                                                                          \
    };
#define ARNE_CLEARED(type, function)                                                                                             \
    template <> struct arne::detail::clearing<type> {                                                                            \
        void operator()(type *p) const { function(p); }                                                                          \
    };
#include "arne/owned.def"
#undef ARNE_OWNED
#undef ARNE_CLEARED

namespace arne
{
#ifdef ARNE_NO_EXCEPTIONS
inline namespace quiet
{
#endif

// A pointer of the C interface that frees what it points to; functions of C take it as it is.
template <class T> class owned : public std::unique_ptr<T, detail::freeing<T>>
{
  public:
    using std::unique_ptr<T, detail::freeing<T>>::unique_ptr;
    operator T *() const { return this->get(); }
};

// A struct that a C function fills and another empties: arne::filled<arne_log> log; arne_log_read(path, m, log, &e);
template <class T> class filled
{
  public:
    filled() = default;
    filled(const filled &) = delete;
    filled &operator=(const filled &) = delete;
    ~filled() { detail::clearing<T>()(&value_); }
    operator T *() { return &value_; }
    T *operator->() { return &value_; }
    T &operator*() { return value_; }

  private:
    T value_ = {};
};

// Calls a constructor of the C interface, whose last arguments are the pointer it makes and the error; they are not given.
template <class... P, class... A> auto make_told(arne_error *told, arne_status (*constructor)(P...), A &&...arguments)
{
    static_assert(sizeof...(P) == sizeof...(A) + 2, "all arguments but the last two, the pointer that is made and the error");
    using made = std::remove_pointer_t<std::remove_pointer_t<std::tuple_element_t<sizeof...(P) - 2, std::tuple<P...>>>>;
    made *p = nullptr;
    arne_error e = {};
    e.status = constructor(std::forward<A>(arguments)..., &p, &e);
    if (e.status) {
        fail(e, told);
        return owned<made>();
    }
    return owned<made>(p);
}

template <class... P, class... A> auto make(arne_status (*constructor)(P...), A &&...arguments)
{
    return make_told(nullptr, constructor, std::forward<A>(arguments)...);
}

#ifdef ARNE_NO_EXCEPTIONS
}
#endif
} // namespace arne
#endif
