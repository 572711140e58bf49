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

/* The keywords: with one value (NL ... Name), an entry for every frame (Ant ... GAM), three (W0 ... G), sixteen (Z). */
#define PAR_KEYWORDS(X)                                                                                                          \
    X(NL), X(NJ), X(NF), X(Type), X(is_mobile), X(is_floating), X(Name), X(Ant), X(Sigma), X(gamma), X(B), X(Alpha), X(d),       \
        X(Theta), X(R), X(Mu), X(XX), X(XY), X(XZ), X(YY), X(YZ), X(ZZ), X(MX), X(MY), X(MZ), X(M), X(IA), X(FV), X(FS), X(FX),  \
        X(FY), X(FZ), X(CX), X(CY), X(CZ), X(eta), X(k), X(QP), X(QDP), X(GAM), X(W0), X(WP0), X(V0), X(VP0), X(G), X(Z)
#define PAR_ENUM(name) KEY_##name
typedef enum { PAR_KEYWORDS(PAR_ENUM), KEY_COUNT } par_keyword;
#undef PAR_ENUM
extern const char *const arne__par_keywords[KEY_COUNT];

typedef struct {
    char *text;     /* the file; arne__par_parse writes into it, entries point into it */
    char name[128]; /* the robot's, empty where the file has none */
    par_list lists[KEY_COUNT];
} par_text;

/* Fills name and lists; warns in d about unknown keywords. arne__par_text_free also after a failure. */
arne_status arne__par_parse(par_text *p, arne_description *d, arne_error *error);
void arne__par_text_free(par_text *p);

#endif
