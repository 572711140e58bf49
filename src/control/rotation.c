/* SPDX-License-Identifier: MIT
 *
 * rotation.c - rotation vectors by way of the unit quaternion, which has no bad angle: cos(a/2), axis sin(a/2). */
#include "control/rotation.h"

#include <math.h>

void arne__rotation_exp(const double v[3], double R[9])
{
    const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double k = angle > 0 ? sin(angle / 2) / angle : 0.5;
    const double w = cos(angle / 2), x = k * v[0], y = k * v[1], z = k * v[2];
    R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - w * z), R[2] = 2 * (x * z + w * y);
    R[3] = 2 * (x * y + w * z), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - w * x);
    R[6] = 2 * (x * z - w * y), R[7] = 2 * (y * z + w * x), R[8] = 1 - 2 * (x * x + y * y);
}

void arne__rotation_log(const double R[9], double v[3])
{
    /* four times the squares of w, x, y, z; the largest is divided by */
    const double trace = R[0] + R[4] + R[8];
    const double four[4] = {1 + trace, 1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace, 1 + 2 * R[8] - trace};
    int most = 0;
    for (int k = 1; k < 4; k++)
        if (four[k] > four[most]) most = k;
    const double r = sqrt(four[most]), s = 1 / r; /* r: twice that component */
    const double wx = R[7] - R[5], wy = R[2] - R[6], wz = R[3] - R[1];
    const double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
    double w, x, y, z;
    if (most == 0)
        w = r, x = wx * s, y = wy * s, z = wz * s;
    else if (most == 1)
        w = wx * s, x = r, y = xy * s, z = xz * s;
    else if (most == 2)
        w = wy * s, x = xy * s, y = r, z = yz * s;
    else
        w = wz * s, x = xz * s, y = yz * s, z = r;
    /* w, x, y, z are twice the quaternion; of q and -q the one with w >= 0 is the smaller angle */
    const double length = sqrt(x * x + y * y + z * z), angle = 2 * atan2(length, fabs(w));
    const double k = length > 0 ? copysign(angle / length, w) : 0;
    v[0] = k * x, v[1] = k * y, v[2] = k * z;
}
