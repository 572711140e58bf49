/* SPDX-License-Identifier: MIT
 *
 * keys.c - what the keys of a robot's graph say. */
#include "arne/regressor.h"
#include "symbolic/symbolic.h"

int arne__key_parameter(sym_key key)
{
    enum { MOMENT = 6, MASS = 9, ROTOR = 10 }; /* XX XY XZ YY YZ ZZ MX MY MZ M IA [003 eq. 9.13] */
    const int first = ARNE_LINK_PARAMETERS * key.link;
    switch (key.row) {
    case ROBOT_LINK_J: return first + key.index;
    case ROBOT_LINK_MS: return first + MOMENT + key.index;
    case ROBOT_LINK_M: return first + MASS;
    case ROBOT_LINK_Ia:
    case ROBOT_MOTORS_rotor: return first + ROTOR;
    default: return -1;
    }
}

char arne__key_offset(const void *doubles, sym_key key)
{
    if (key.row != ROBOT_LINK_p) return 0;
    if (key.index == 0) return arne__robot_integers(doubles, key.link).branch ? 0 : 'd';
    return arne__robot_constant(doubles, ROBOT_LINK_p, key.link, 3 - key.index) == 0 ? 'r' : 0;
}
