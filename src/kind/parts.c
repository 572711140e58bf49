/* SPDX-License-Identifier: MIT
 *
 * parts.c - the shapes of the results of texts.def. */
#include "algo/rows.h"
#include "arne/quantity.h"
#include "arne/regressor.h"
#include "kind/kinds.h"

#define ONE ARNE_AXIS_ONE
#define JOINTS ARNE_AXIS_JOINTS
#define LINKS ARNE_AXIS_LINKS
#define XYZ ARNE_AXIS_XYZ
#define TWIST ARNE_AXIS_TWIST
#define WRENCH ARNE_AXIS_WRENCH
#define PARAMETERS ARNE_AXIS_PARAMETERS

static const arne_part parts[TEXT_ROWS][ARNE_MOST_PARTS] = {
#define TEXT(name, text, arguments, inputs, letter, flags, about, ...) {__VA_ARGS__},
#include "algo/texts.def"
};

static int size_of(arne_axis axis, int n, int nv)
{
    const int sizes[] = {
        [ONE] = 1, [JOINTS] = nv, [LINKS] = n, [XYZ] = 3, [TWIST] = 6, [WRENCH] = 6, [PARAMETERS] = ARNE_LINK_PARAMETERS * n};
    return sizes[axis];
}

bool arne__row_part(int row, int part, int n, int nv, row_shape *shape)
{
    const arne_part *p = &parts[row][part];
    if (part == ARNE_MOST_PARTS || (part > 0 && !p->name)) return false;
    *shape = (row_shape){size_of(p->rows, n, nv), size_of(p->columns, n, nv), p->rows == JOINTS, p->columns == JOINTS};
    return true;
}
