/* SPDX-License-Identifier: MIT
 *
 * status.h - how arne says that something went wrong.
 *
 * Everything that reads, builds or writes returns an arne_status and fills an arne_error. What runs after loading
 * (dynamics.h, batch.h, derive.h) cannot fail, so it returns nothing; the one exception, a singular inertia matrix, is a
 * return value of its function. */
#ifndef ARNE_STATUS_H
#define ARNE_STATUS_H

#ifdef __cplusplus
extern "C" {
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
    X(ARNE_CANNOT_WRITE, "cannot write the file")

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

#ifdef __cplusplus
}
#endif
#endif
