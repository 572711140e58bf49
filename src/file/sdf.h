/* SPDX-License-Identifier: MIT
 *
 * sdf.h - the frames of an SDF model: links, joints, frames and nested models, whose poses are told in each other.
 *
 * Poses are those of the file, before anything moves. Versions before 1.7 have the same defaults (a link in its model, a joint in
 * its child) and call `relative_to` `frame`. */
#ifndef FILE_SDF_H
#define FILE_SDF_H

#include "file/xml.h"

/* in the order of preference where a name is given twice, as old files may */
typedef enum { SDF_LINK, SDF_MODEL, SDF_FRAME, SDF_JOINT } sdf_kind;

typedef struct {
    char *name; /* in full: "gripper::finger", "gripper::__model__" */
    sdf_kind kind;
    const xmlNode *node;
    size_t model;    /* frame of the model it stands in; of a model: itself */
    size_t outer;    /* of a model: the one around it; itself at the top */
    size_t relative; /* frame of `pose`, itself at the top */
    size_t attached; /* frame it moves with: of a joint its child, of a model its canonical link; itself: a link */
    arne_pose pose;  /* in `relative` */
    arne_pose at;    /* in the top model */
    int state;       /* while `at` is computed */
    bool hangs;      /* a link: some joint has it as its child */
} sdf_frame;

typedef struct {
    xml_reader *r;
    double version;
    sdf_frame *list; /* the top model first, a model before what stands in it, else in file order */
    size_t count;
    size_t *by_name;
    arne_pose placed; /* the top model in the world */
    bool lost;        /* unless it is told in a frame of the world */
} sdf_frames;

/* Collects and resolves all frames of a model; arne__sdf_free also after a failure. */
arne_status arne__sdf_collect(sdf_frames *s, const xmlNode *model);
void arne__sdf_free(sdf_frames *s);

/* The frame called so inside the model that `from` stands in; fails at `node` where there is none. */
arne_status arne__sdf_find(const sdf_frames *s, size_t from, const char *name, const xmlNode *node, size_t *frame);

/* The link a frame moves with. */
arne_status arne__sdf_link(const sdf_frames *s, size_t frame, size_t *link);

/* <pose> of an element: its numbers, and the frame they are told in, `frame` where it says nothing. `from`: whose names it uses.
 */
arne_status arne__sdf_pose(const sdf_frames *s, const xmlNode *element, size_t from, size_t *frame, arne_pose *pose);

#endif
