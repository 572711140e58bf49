/* SPDX-License-Identifier: MIT
 *
 * status.h - how arne says that something went wrong.
 *
 * What can fail returns an arne_status, ARNE_OK (0) on success; constructors give what they make in their last pointer but the
 * error. Where there is more to say than a status can, an arne_error is filled; it may be NULL. Option structs begin with their
 * size ({.size = sizeof o, ...}), so that they can grow: what an older caller does not know is zero. */
#ifndef ARNE_STATUS_H
#define ARNE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* one list: code, words */
#define ARNE_STATUS_LIST(X)                                                                                                      \
    X(ARNE_OK, "success")                                                                                                        \
    X(ARNE_NO_MEMORY, "out of memory")                                                                                           \
    X(ARNE_NO_FILE, "cannot open the file")                                                                                      \
    X(ARNE_BAD_SYNTAX, "the file is not well formed")                                                                            \
    X(ARNE_BAD_VALUE, "a value is missing, impossible or not a number")                                                          \
    X(ARNE_BAD_TREE, "the joints do not form a tree")                                                                            \
    X(ARNE_UNSUPPORTED, "the robot needs something arne does not have")                                                          \
    X(ARNE_CANNOT_WRITE, "cannot write the file")                                                                                \
    X(ARNE_BAD_ARGUMENT, "an argument is missing, out of range or of another model")                                             \
    X(ARNE_NOT_PREPARED, "the data is not prepared for this (see arne_data_prepare)")                                            \
    X(ARNE_SINGULAR, "the inertia matrix is singular")                                                                           \
    X(ARNE_NOT_FINITE, "the answer is not finite")                                                                               \
    X(ARNE_DEVICE, "the GPU refused something")

#define ARNE_STATUS_ENUM(code, words) code,
typedef enum { ARNE_STATUS_LIST(ARNE_STATUS_ENUM) ARNE_STATUS_COUNT } arne_status;
#undef ARNE_STATUS_ENUM

/* What went wrong and where. `line` is 0 when no line is to blame. */
typedef struct {
    arne_status status;
    int line;
    char file[256];
    char message[512];
} arne_error;

/* The words of a status, e.g. "out of memory". */
const char *arne_status_words(arne_status status);

/* Fills *error (which may be NULL) printf-like and returns status, so that a reader can `return arne_fail(...)`. */
arne_status arne_fail(arne_error *error, arne_status status, const char *file, int line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
