/* SPDX-License-Identifier: MIT
 *
 * yaml_joint.h - one joint of a YAML robot file, and its link. */
#ifndef FILE_YAML_JOINT_H
#define FILE_YAML_JOINT_H

#include "describe/rows.h"
#include "file/yaml.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* How the frames of a file are given. IN_URDF: by a URDF file, to which the joint only adds. */
typedef enum { FRAMES_UNTOLD, FRAMES_DH, FRAMES_MDH, FRAMES_URDF, FRAMES_IN_URDF } yaml_frames;

/* What a file may say of the type of a joint. */
typedef struct {
    arne_joint_type type;
    const joint_row *row; /* NULL: a joint of one kind */
} yaml_joint_type;

arne_status arne__yaml_joint_type(yaml_reader *r, const yaml_node_t *node, yaml_joint_type *out);

/* Reads an entry of `joints:`; name, type, parent and child of j are there already, what the entry does not give stays. */
arne_status arne__yaml_joint(yaml_reader *r, const yaml_node_t *node, yaml_frames frames, arne_joint_description *j,
                             arne_body *body);

/* The same for a joint that is a row: the last of d becomes one, with what the entry says of each of its freedoms. */
arne_status arne__yaml_row(yaml_reader *r, const yaml_node_t *node, yaml_frames frames, const joint_row *row, arne_description *d,
                           arne_body *body);

/* `link:` and `base_link:`; its name is read by others. */
arne_status arne__yaml_body(yaml_reader *r, const yaml_node_t *node, arne_body *body);

#pragma GCC visibility pop
#endif
