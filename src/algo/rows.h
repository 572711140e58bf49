/* SPDX-License-Identifier: MIT
 *
 * rows.h - the rows of texts.def by number. */
#ifndef ALGO_ROWS_H
#define ALGO_ROWS_H

enum {
#define TEXT(name, ...) TEXT_##name,
#include "algo/texts.def"
    TEXT_ROWS
};

#endif
