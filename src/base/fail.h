/* SPDX-License-Identifier: MIT
 *
 * fail.h - failures that belong to no file, in few words: each fills *error (which may be NULL) and is its status. */
#ifndef BASE_FAIL_H
#define BASE_FAIL_H

#include "arne/status.h"

#define BAD_ARGUMENT(error, ...) arne_fail(error, ARNE_BAD_ARGUMENT, NULL, 0, __VA_ARGS__)
#define BAD_VALUE(error, ...) arne_fail(error, ARNE_BAD_VALUE, NULL, 0, __VA_ARGS__)
#define UNSUPPORTED(error, ...) arne_fail(error, ARNE_UNSUPPORTED, NULL, 0, __VA_ARGS__)
#define NO_MEMORY(error) arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "%s", arne_status_words(ARNE_NO_MEMORY))

#endif
