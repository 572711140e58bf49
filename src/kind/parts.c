/* SPDX-License-Identifier: MIT
 *
 * parts.c - the shapes of the results of texts.def. */
#include "algo/axes.h"
#include "algo/rows.h"
#include "arne/regressor.h"
#include "kind/kinds.h"

static const arne_part parts[TEXT_ROWS][ARNE_MOST_PARTS] = {
#define TEXT(name, text, arguments, inputs, letter, flags, about, ...) {__VA_ARGS__},
#include "algo/texts.def"
};

int arne__axis_size(arne_axis axis, int n, int nv)
{
    const int sizes[] = {[ONE] = 1,
                         [JOINTS] = nv,
                         [LINKS] = n,
                         [XYZ] = 3,
                         [TWIST] = 6,
                         [WRENCH] = 6,
                         [PARAMETERS] = ARNE_LINK_PARAMETERS * n,
                         [PAIRS] = nv * nv,
                         [LOAD] = ARNE_LOAD_PARAMETERS};
    return (unsigned)axis <= LOAD ? sizes[axis] : 1;
}

bool arne__row_part(int row, int part, int n, int nv, row_shape *shape)
{
    const arne_part *p = &parts[row][part];
    if (part == ARNE_MOST_PARTS || (part > 0 && !p->name)) return false;
    *shape =
        (row_shape){arne__axis_size(p->rows, n, nv), arne__axis_size(p->columns, n, nv), p->rows == JOINTS, p->columns == JOINTS};
    return true;
}
