/* SPDX-License-Identifier: MIT
 *
 * settings.h - what may change about a robot at run time: gravity, payloads, external wrenches, switches for friction and rotors,
 * inertial parameters. Set by one thread; const from then on, and shared by as many threads as compute with them. */
#ifndef ARNE_SETTINGS_H
#define ARNE_SETTINGS_H

#include "arne/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct arne_settings arne_settings;

/* As the robot file says: its gravity, friction and rotors on, no payload, no wrench. */
arne_status arne_settings_new(const arne_model *m, arne_settings **out, arne_error *error);
void arne_settings_free(arne_settings *s);
arne_status arne_settings_copy(arne_settings *to, const arne_settings *from); /* both of one model */
const arne_model *arne_settings_model(const arne_settings *s);

/* Each holds until it is set again. ARNE_BAD_ARGUMENT: a null pointer, a number that is not finite, no such link. */
arne_status arne_set_gravity(arne_settings *s, const double g[3]); /* acceleration in base axes */
arne_status arne_set_rigid(arne_settings *s, bool rigid);          /* true: no friction, no rotor inertia */
arne_status arne_set_friction(arne_settings *s, bool friction);
arne_status arne_set_rotors(arne_settings *s, bool rotors);
arne_status arne_set_link_side(arne_settings *s); /* for good: without rotors and motor friction, as behind elastic joints */
arne_status arne_set_payload(arne_settings *s, int link,
                             const arne_body *load); /* carried by the link, in its axes; NULL: none */

/* Inertial parameters from now on, 11 a link as in regressor.h, e.g. identified or base parameters; payloads are part of them,
 * and a payload set later brings the link's own parameters back. Coupled rotors keep their inertia. */
arne_status arne_set_parameters(arne_settings *s, const double *K);

typedef enum { ARNE_LOCAL, ARNE_WORLD, ARNE_ALIGNED } arne_frame;

/* A wrench acting ON a link. LOCAL: link axes; ALIGNED: world axes; both at `point` (link axes, from the link origin).
 * WORLD: world axes, moment about the world origin, `point` not used. */
typedef struct {
    int link;
    arne_frame frame;
    double force[3], moment[3];
    double point[3];
} arne_wrench;

/* The wrenches that act from now on; they are copied. count 0: none. At most arne_most_wrenches: two a link, and sixteen. */
arne_status arne_set_wrenches(arne_settings *s, const arne_wrench *w, int count);
int arne_most_wrenches(const arne_model *m);

/* what is set */
const double *arne_settings_gravity(const arne_settings *s);
bool arne_settings_friction(const arne_settings *s);
bool arne_settings_rotors(const arne_settings *s);
const arne_wrench *arne_settings_wrenches(const arne_settings *s, int *count);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
