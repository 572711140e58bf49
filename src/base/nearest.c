/* SPDX-License-Identifier: MIT
 *
 * nearest.c - which of the known names did the user mean? Edit distance with swaps of neighbours, capital letters do not matter.
 */
#include "base/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 }; /* longer names are compared by their first letters */

static int letter(const char *s, int i) { return tolower((unsigned char)s[i]); }

static int smaller(int a, int b) { return a < b ? a : b; }

static int distance(const char *a, const char *b)
{
    int na = smaller((int)strlen(a), LONGEST), nb = smaller((int)strlen(b), LONGEST);
    int rows[3][LONGEST + 1]; /* the last three rows of the table */
    for (int j = 0; j <= nb; j++) rows[0][j] = j;
    for (int i = 1; i <= na; i++) {
        int *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int other = letter(a, i - 1) != letter(b, j - 1);
            row[j] = smaller(up[j - 1] + other, smaller(up[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && letter(a, i - 1) == letter(b, j - 2) && letter(a, i - 2) == letter(b, j - 1))
                row[j] = smaller(row[j], up2[j - 2] + other);
        }
    }
    return rows[na % 3][nb];
}

void arne__nearest_offer(nearest *n, const char *candidate)
{
    /* A name that begins with the word, or holds it, is near however long its rest is. */
    const int d = strlen(n->word) >= 3 && strstr(candidate, n->word) ? 1 : distance(n->word, candidate);
    if (d > 1 + (int)strlen(candidate) / 3 || (n->best[0] && d >= n->distance)) return;
    snprintf(n->best, sizeof n->best, "%s", candidate);
    n->distance = d;
}

const char *arne__nearest_hint(const nearest *n, char *buffer, size_t size)
{
    buffer[0] = '\0';
    if (n->best[0]) snprintf(buffer, size, "; did you mean \"%s\"?", n->best);
    return buffer;
}
