/* SPDX-License-Identifier: MIT
 *
 * data.h - the inside of settings and data: a robot block with its payloads, and the memory of a thread that computes with it. */
#ifndef DYNAMICS_DATA_H
#define DYNAMICS_DATA_H

#include "algo/texts.h"
#include "arne/dynamics.h"
#include "base/layout.h"
#include "model/model.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* states whose inertias are looked at together, and of floats that are derived in doubles; numbers of the largest result that
 * there is memory for in lanes, and of the largest derivatives of forward dynamics; freedoms up to which there is memory for
 * tensors in floats, or numbers of which stand apart */
enum { DATA_DOUBTS = 64, DATA_WIDENED = 8, DATA_LANES = 1 << 18, DATA_DFD = 30000, DATA_TENSORS = 48 };

struct arne_settings {
    const arne_model *model;
    bool link_side;     /* for good */
    unsigned version;   /* counts changes */
    arne_body *payload; /* of every named link, mass 0: none */
    robot *robot;
};

struct arne_data {
    const arne_model *model;
    arne_settings *own; /* NULL: it shares some */
    const arne_settings *settings;
    int lanes;   /* doubles in a vector of this machine: 8 (of which there are 32), 4, 2 */
    void *block; /* that it lies in; NULL: the caller's */
    int joint;   /* of a singular inertia matrix, -1: none */
    work work;
    struct data_more *more; /* prepare.c; NULL: nothing is prepared */
};

/* What arne_data_prepare adds, each NULL until it is asked for. */
typedef struct data_more {
    void *derivatives;     /* of jets and series */
    void *lanes, *lanes32; /* of batches, and the robot in floats */
    void *robot32;
    unsigned version32;        /* of the settings that robot32 is made of */
    arne_status status;        /* of its part of a batch */
    int lane_room, state_room; /* numbers of a result that fit into lanes, into state */
    void *doubts;              /* DATA_DOUBTS x nv: articulated inertias of states */
    double *state;             /* of a state in floats: nq + 4 nv, then state_room for its result */
    double *widened;           /* the same of DATA_WIDENED states, with derivatives of forward dynamics */
    struct forms_memory *forms;
    struct hand_work *hands;    /* control/hand_work.h */
    struct limits_work *limits; /* plan/limits_work.h */
} data_more;

/* doubles in a vector register of this machine: 8, 4 or 2 */
int arne__machine_lanes(void);
#define WIDEST(name, eight, four, two)                                                                                           \
    (arne__machine_lanes() == 8 ? name##eight : arne__machine_lanes() == 4 ? name##four : name##two)

static inline const robot *arne__data_robot(const arne_data *d) { return d->settings->robot; }
static inline const work *arne__data_work(const arne_data *d) { return &d->work; }

const void *arne__data_doubles(const arne_data *d); /* arne__data_robot without its type, for the symbolic kind */

/* settings.c */
size_t arne__settings_bytes(const arne_model *m);
arne_settings *arne__settings_init(const arne_model *m, void *memory);

/* A double text in the form that suits the machine; of texts that take eight freedoms at once (algo/screws.h) there is one more.
 */
#define TEXT_OF(d, name) ((d)->lanes == 8 ? arne__text_##name##_wide : arne__text_##name)
#define SCREWS_TEXT_OF(d, name) ((d)->lanes == 4 ? arne__text_##name##_half : TEXT_OF(d, name))
/* declares the other forms of a text, texts.h has this one: of those that are no row of texts.def */
#define TEXT_WIDE(name) extern __typeof__(EXPORT(name)) arne__text_##name##_wide, arne__text_##name##_half
#define TEXT(name, text, ...) TEXT_WIDE(text);
#include "algo/texts.def"
/* fd.c: forward dynamics of one state; `joint` takes the singular one */
arne_status arne__fd(arne_data *d, const double *q, const double *qd, const double *tau, double *qdd);
/* refuses accelerations that are not finite */
arne_status arne__fd_finish(arne_data *d, double *qdd);
/* Articulated inertias H, or pivots, far apart, or x (NULL: not looked at) not finite: the factorization, which knows where each
 * pivot came from, must judge. far: the least beside the most. */
#define ARNE_FAR_APART 1e-9
bool arne__fd_doubtful(const double *H, const double *x, int n, double far);

/* derive.c: derivatives of forward dynamics of one state, judged as arne__fd does */
arne_status arne__dfd(arne_data *d, const double *q, const double *qd, const double *tau, double *dq, double *dqd, double *dtau);

#pragma GCC visibility pop
#endif
