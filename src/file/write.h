/* SPDX-License-Identifier: MIT
 *
 * write.h - what the writers of robot files (arne__urdf_write, arne__yaml_write, arne__par_write) share.
 *
 * A writer prints the whole file into a stream in memory that cannot fail but for lack of memory; arne_write looks after
 * the disk. It fails only where the format has no way to tell the robot at all; what is merely lost becomes a warning in `d`. */
#ifndef FILE_WRITE_H
#define FILE_WRITE_H

#include <stdio.h>

#include "base/text.h"
#include "file/formats.h"

/* As arne__number_text, but never "-0". Returns text. */
const char *arne__value_text(double x, char text[NUMBER_TEXT]);

/* The same, but multiples of a quarter turn become "Pi/2", "-Pi", ... */
const char *arne__angle_text(double x, char text[NUMBER_TEXT]);

/* Prints n numbers with `between` between them. */
void arne__put_numbers(FILE *out, size_t n, const double *x, const char *between);

/* Roll, pitch, yaw with Rz(yaw) Ry(pitch) Rx(roll) = R, accurate at every pitch. */
void arne__rotation_to_rpy(const double R[9], double rpy[3]);

bool arne__pose_is_identity(const arne_pose *p);
bool arne__is_massless(const arne_body *b); /* nothing but zeros */

/* Does the joint need a frame more than the file format has: a motion followed by a transform that is not the identity? */
bool arne__joint_needs_helper(const arne_joint_description *j);

/* Does it follow another joint? A fixed one follows nobody. */
bool arne__follows(const arne_joint_description *j);

/* The axis with length one. */
void arne__unit_axis(const arne_joint_description *j, double axis[3]);

/* "NAME" + "END", with as many more '_' as make it a name that no link and no joint of d has. NULL when memory is short. */
char *arne__spare_name(const arne_description *d, const char *name, const char *end);

/* Is it text that XML and YAML can hold: UTF-8 without surrogates, U+FFFE and U+FFFF? A name has no control characters either. */
bool arne__is_text(const char *text);
bool arne__is_name(const char *text);

/* A thing some joints have and a format cannot say. */
typedef struct {
    const char *what;
    bool (*found)(const arne_joint_description *j);
} joint_feature;

/* One warning for each thing of the list that some joint has. */
void arne__warn_left_out(arne_description *d, const char *format, size_t n, const joint_feature *list);

/* Things for these lists. */
bool arne__has_motor(const arne_joint_description *j);
bool arne__has_motor_limits(const arne_joint_description *j);
bool arne__has_stribeck(const arne_joint_description *j);
bool arne__has_uneven_friction(const arne_joint_description *j);
bool arne__has_friction_points(const arne_joint_description *j);
bool arne__has_elastic(const arne_joint_description *j);
bool arne__has_limits(const arne_joint_description *j);
bool arne__has_limit(double x); /* finite, and not 0 */
bool arne__has_rate_limit(const arne_joint_description *j);
bool arne__has_acceleration_limit(const arne_joint_description *j);

#endif
