/* SPDX-License-Identifier: MIT
 *
 * says.h - sentences of errors and warnings, whole. */
#ifndef FILE_SAYS_H
#define FILE_SAYS_H

#include <stdbool.h>
#include <string.h>

/* Is this the sentence? Dots at its begin or its end stand for any words: the name of a temporary file, the words of a library.
 */
static inline bool says(const char *message, const char *sentence)
{
    const bool begun = !strncmp(sentence, "...", 3);
    const char *words = sentence + (begun ? 3 : 0);
    size_t n = strlen(words), length = strlen(message);
    const bool open = n >= 3 && !strcmp(words + n - 3, "...");
    if (open) n -= 3;
    for (const char *at = message; at + n <= message + length; at++) {
        if (!strncmp(at, words, n) && (open || at + n == message + length)) return true;
        if (!begun) return false;
    }
    return false;
}

#endif
