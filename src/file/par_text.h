/* SPDX-License-Identifier: MIT
 *
 * par_text.h - a .par file as lists of entries: texts and lines, no numbers yet.
 *
 * The file is a row of assignments, NAME = value or NAME = {entry, entry, ...}, keywords in any letter case, comments in (* *).
 */
#ifndef FILE_PAR_TEXT_H
#define FILE_PAR_TEXT_H

#include "arne/description.h"

typedef struct {
    char *text;
    int line;
} par_entry;

typedef struct {
    int line; /* 0: not in the file */
    size_t count;
    par_entry *entries;
} par_list;

typedef enum { ONE, PER_FRAME, PER_JOINT, THREE, SIXTEEN } par_extent;

/* Keyword, what it holds, must it be there. */
#define PAR_KEYWORDS(X)                                                                                                          \
    X(NL, ONE, true)                                                                                                             \
    X(NJ, ONE, false)                                                                                                            \
    X(NF, ONE, false)                                                                                                            \
    X(Type, ONE, false)                                                                                                          \
    X(is_mobile, ONE, false)                                                                                                     \
    X(is_floating, ONE, false)                                                                                                   \
    X(Name, ONE, false)                                                                                                          \
    X(Ant, PER_FRAME, true)                                                                                                      \
    X(Sigma, PER_FRAME, true)                                                                                                    \
    X(gamma, PER_FRAME, false)                                                                                                   \
    X(B, PER_FRAME, false)                                                                                                       \
    X(Alpha, PER_FRAME, true)                                                                                                    \
    X(d, PER_FRAME, true)                                                                                                        \
    X(Theta, PER_FRAME, true)                                                                                                    \
    X(R, PER_FRAME, true)                                                                                                        \
    X(Mu, PER_FRAME, false)                                                                                                      \
    X(XX, PER_FRAME, false)                                                                                                      \
    X(XY, PER_FRAME, false)                                                                                                      \
    X(XZ, PER_FRAME, false)                                                                                                      \
    X(YY, PER_FRAME, false)                                                                                                      \
    X(YZ, PER_FRAME, false)                                                                                                      \
    X(ZZ, PER_FRAME, false)                                                                                                      \
    X(MX, PER_FRAME, false)                                                                                                      \
    X(MY, PER_FRAME, false)                                                                                                      \
    X(MZ, PER_FRAME, false)                                                                                                      \
    X(M, PER_FRAME, false)                                                                                                       \
    X(IA, PER_FRAME, false)                                                                                                      \
    X(FV, PER_FRAME, false)                                                                                                      \
    X(FS, PER_FRAME, false)                                                                                                      \
    X(FX, PER_FRAME, false)                                                                                                      \
    X(FY, PER_FRAME, false)                                                                                                      \
    X(FZ, PER_FRAME, false)                                                                                                      \
    X(CX, PER_FRAME, false)                                                                                                      \
    X(CY, PER_FRAME, false)                                                                                                      \
    X(CZ, PER_FRAME, false)                                                                                                      \
    X(eta, PER_JOINT, false)                                                                                                     \
    X(k, PER_JOINT, false)                                                                                                       \
    X(QP, PER_JOINT, false)                                                                                                      \
    X(QDP, PER_JOINT, false)                                                                                                     \
    X(GAM, PER_JOINT, false)                                                                                                     \
    X(W0, THREE, false)                                                                                                          \
    X(WP0, THREE, false)                                                                                                         \
    X(V0, THREE, false)                                                                                                          \
    X(VP0, THREE, false)                                                                                                         \
    X(G, THREE, false)                                                                                                           \
    X(Z, SIXTEEN, false)

#define PAR_ENUM(name, extent, needed) KEY_##name,
typedef enum { PAR_KEYWORDS(PAR_ENUM) KEY_COUNT } par_keyword;
#undef PAR_ENUM

typedef struct {
    const char *name;
    par_extent extent;
    bool needed;
} par_keyword_row;
extern const par_keyword_row arne__par_keywords[KEY_COUNT];

typedef struct {
    char *text;     /* the file; arne__par_parse writes into it, entries point into it */
    char name[128]; /* the robot's, empty where the file has none */
    par_list lists[KEY_COUNT];
} par_text;

/* Fills name and lists; warns in d about unknown keywords. arne__par_text_free also after a failure. */
arne_status arne__par_parse(par_text *p, arne_description *d, arne_error *error);
void arne__par_text_free(par_text *p);

#endif
