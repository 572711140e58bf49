/* SPDX-License-Identifier: MIT
 *
 * charts.c - which charts a run has, and those that lay several runs over each other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/positions.h"
#include "report/chart.h"

enum { MOST_JOINTS = 4 * COLOURS };

/* How runs are compared: by the largest of the joints, by each joint. */
enum { LARGEST = 1, EACH = 2 };

/* A chart of one quantity of all joints. */
typedef struct {
    const char *title, *unit, *slide_unit; /* slide_unit NULL: the same */
    chart_how how;
    int compared;
    const char *group, *other; /* columns; other: the reference (PLAIN) or what is taken off */
    const char *parts[3];      /* NORM: r1.fx ... */
} definition;

static const definition definitions[] = {
    {"Positions", "rad", "m", PLAIN, EACH, "q", "qr", {0}},
    {"Tracking error: reference minus position", "rad", "m", DIFFERENCE, LARGEST | EACH, "qr", "q", {0}},
    {"Speeds", "rad/s", "m/s", PLAIN, LARGEST | EACH, "qd", "qdr", {0}},
    {"Accelerations", "rad/s²", "m/s²", PLAIN, LARGEST, "qdd", NULL, {0}},
    {"Torques", "Nm", "N", PLAIN, EACH, "tau", NULL, {0}},
    {"Torques against their limits", "% of the limit", NULL, SHARE, LARGEST, "tau", NULL, {0}},
    {"Motor torques", "Nm", NULL, PLAIN, 0, "motor", NULL, {0}},
    {"Residuals of the observer", "Nm", "N", PLAIN, LARGEST | EACH, "r", NULL, {0}},
    {"Deflections of the springs: motor minus link", "rad", "m", DIFFERENCE, LARGEST, "theta", "q", {0}},
    {"Speeds of the motors behind their gears", "rad/s", "m/s", PLAIN, 0, "thetad", NULL, {0}},
    {"Torques of the springs", "Nm", "N", PLAIN, 0, "tau_e", NULL, {0}},
    {"Torques without springs, for comparison", "Nm", "N", PLAIN, 0, "rigid", NULL, {0}},
    {"Torques: elastic minus rigid", "Nm", "N", DIFFERENCE, 0, "tau", "rigid", {0}},
    {"Loads of the joints: force", "N", NULL, NORM, LARGEST, "r", NULL, {"fx", "fy", "fz"}},
    {"Loads of the joints: moment", "Nm", NULL, NORM, LARGEST, "r", NULL, {"mx", "my", "mz"}},
};
enum { DEFINITIONS = sizeof definitions / sizeof *definitions };

/* ---- joints ---- */

/* A joint of several freedoms that nobody drives: its torques are not worth a picture. */
static bool is_idle(const arne_report_run *r, int joint, const double *tau)
{
    if (!r->robot || arne_velocity_position(r->robot, joint) >= 0) return false;
    for (size_t k = 0; k < r->rows; k++)
        if (tau[k] != 0) return false;
    return true;
}

/* The curve of a joint; *other: its reference. False: the file has none. */
static bool take(const arne_report_run *r, const definition *d, int joint, chart_series *s, const double **other)
{
    *s = (chart_series){.run = r, .how = d->how, .limit = r->effort[joint]};
    *other = NULL;
    for (int k = 0; k < 3; k++)
        if (d->parts[k] && !(s->x[k] = arne__report_column(r, d->group, joint, d->parts[k]))) return false;
    if (!d->parts[0] && !(s->x[0] = arne__report_column(r, d->group, joint, NULL))) return false;
    if (!strcmp(d->group, "tau") && is_idle(r, joint, s->x[0])) return false;
    if (d->how == SHARE && !(s->limit > 0)) return false;
    if (d->how == DIFFERENCE && !strcmp(d->other, "q")) *other = arne__report_column(r, "real_q", joint, NULL);
    if (!*other && d->other) *other = arne__report_column(r, d->other, joint, NULL);
    if (d->how == DIFFERENCE) s->x[1] = *other;
    return d->how != DIFFERENCE || *other;
}

static void take_threshold(const arne_report_run *r, int joint, int colour, chart *c)
{
    if (!(r->threshold[joint] > 0)) return;
    c->note = "dashed: thresholds";
    if (c->nthreshold && c->threshold[0] == r->threshold[joint]) {
        c->threshold_colour[0] = -1;
        return;
    }
    c->threshold[c->nthreshold] = r->threshold[joint];
    c->threshold_colour[c->nthreshold++] = colour;
}

static bool add_joint(const arne_report_run *r, const definition *d, int joint, chart *c)
{
    chart_series s;
    const double *other;
    if (!take(r, d, joint, &s, &other)) return false;
    s.colour = c->nname;
    c->names[c->nname++] = r->joints[joint];
    c->list[c->count++] = s;
    if (d->how == SHARE) c->note = "grey: the limits";
    if (d->how == PLAIN && !strcmp(d->group, "r")) take_threshold(r, joint, s.colour, c);
    if (d->how != PLAIN || !other) return true;
    s.x[0] = other;
    s.dashed = true;
    c->list[c->count++] = s;
    c->note = "dashed: reference";
    return true;
}

static const char *unit_of(const definition *d, bool turns) { return turns || !d->slide_unit ? d->unit : d->slide_unit; }

static bool fits(const arne_report_run *r, const definition *d, int joint, bool turns)
{
    return d->slide_unit ? arne__report_turns(r, joint) == turns : turns;
}

/* All joints of one unit, a few in each picture. */
static arne_status draw_joints(const arne_report_run *r, const definition *d, bool turns, text_buffer *o, arne_error *error)
{
    arne_status status = ARNE_OK;
    int shown = 0;
    for (int i = 0; i < r->dof && shown < MOST_JOINTS && !status;) {
        chart c = {.title = d->title, .unit = unit_of(d, turns), .events = r};
        for (; i < r->dof && c.nname < COLOURS; i++)
            if (fits(r, d, i, turns)) add_joint(r, d, i, &c);
        shown += c.nname;
        if (c.count) status = arne__chart_draw(&c, o, error);
    }
    return status;
}

/* ---- what is not of a joint ---- */

static arne_status draw_named(const arne_report_run *r, const char *title, const char *unit, const char *const *columns,
                              const char *const *words, int count, text_buffer *o, arne_error *error)
{
    chart c = {.title = title, .unit = unit, .events = r};
    for (int k = 0; k < count; k++) {
        const double *x = arne__report_named(r, columns[k]);
        if (!x) continue;
        c.list[c.count++] = (chart_series){.run = r, .x = {x}, .colour = c.nname};
        c.names[c.nname++] = words[k];
    }
    return c.count ? arne__chart_draw(&c, o, error) : ARNE_OK;
}

/* Place and turn of the joints of several freedoms; their velocities are among the speeds. */
static arne_status draw_several(const arne_report_run *r, text_buffer *o, arne_error *error)
{
    static const char *const words[] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
    arne_status status = ARNE_OK;
    for (int j = 0; r->robot && j < arne_model_joints(r->robot) && !status; j++) {
        const char *joint = arne_joint_name(r->robot, j), *columns[7];
        char names[7][256], title[256];
        if (arne_joint_turn(r->robot, j) < 0) continue;
        for (int k = 0; k < 7; k++) {
            snprintf(names[k], sizeof names[k], "q.%.200s.%s", joint, words[k]);
            columns[k] = names[k];
        }
        snprintf(title, sizeof title, "Place of %.200s", joint);
        status = draw_named(r, title, "m", columns, words, 3, o, error);
        snprintf(title, sizeof title, "Turn of %.200s: its quaternion", joint);
        if (!status) status = draw_named(r, title, "1", columns + 3, words + 3, 4, o, error);
    }
    return status;
}

static void say_undrawn(const arne_report_run *r, text_buffer *o)
{
    bool any = false;
    for (int k = 0; k < r->table.columns; k++) {
        const char *name = r->table.names[k];
        /* the true state behind noisy sensors is drawn where it matters, in the errors */
        if (r->drawn[k] || !strcmp(name, "t") || !strcmp(name, "contact") || !strncmp(name, "real_", 5)) continue;
        html_in(o, any ? ", " : "<p class=\"small\">Columns that are not drawn: ", name, "");
        any = true;
    }
    if (any) put(o, ".</p>\n");
}

arne_status arne__report_charts(const arne_report_run *r, text_buffer *o, arne_error *error)
{
    static const char *const energy[] = {"kinetic", "potential"}, *const hand[] = {"hand.x", "hand.y", "hand.z"},
                             *const linear[] = {"linear.x", "linear.y", "linear.z"},
                             *const angular[] = {"angular.x", "angular.y", "angular.z"}, *const xyz[] = {"x", "y", "z"};
    arne_status status = ARNE_OK;
    put(o, "<div class=\"charts\">\n");
    for (int k = 0; k < 2 * DEFINITIONS && !status; k++) status = draw_joints(r, &definitions[k / 2], k % 2 == 0, o, error);
    if (!status) status = draw_several(r, o, error);
    if (!status) status = draw_named(r, "Energies", "J", energy, energy, 2, o, error);
    if (!status) status = draw_named(r, "Linear momentum of the robot", "Ns", linear, xyz, 3, o, error);
    if (!status) status = draw_named(r, "Angular momentum about its centre of mass", "Nms", angular, xyz, 3, o, error);
    char title[160] = "Position of the hand";
    if (r->about.link) snprintf(title, sizeof title, "Position of link %.120s", r->about.link);
    if (!status) status = draw_named(r, title, "m", hand, xyz, 3, o, error);
    put(o, "</div>\n");
    if (r->dof > MOST_JOINTS) add(o, "<p class=\"small\">The first %d of %d joints are drawn.</p>\n", (int)MOST_JOINTS, r->dof);
    say_undrawn(r, o);
    return status;
}

/* ---- several runs over each other, one colour for each ---- */

/* The first run lies below and is the widest, so that curves that coincide are all seen. */
static void add_run(const arne_report_set *set, int i, chart_series s, chart *c)
{
    s.colour = c->nname;
    s.width = 1.4 + 1.1 * (set->count < COLOURS ? set->count - 1 - i : COLOURS - 1 - c->nname);
    c->list[c->count++] = s;
    c->names[c->nname++] = set->labels[i];
}

/* At every row the largest of the joints; NULL: the run has no such joints. */
static double *largest(const arne_report_run *r, const definition *d, bool turns, arne_status *status, arne_error *error)
{
    chart_series s;
    const double *other;
    double *x = NULL;
    for (int i = 0; i < r->dof; i++) {
        if (!fits(r, d, i, turns) || !take(r, d, i, &s, &other)) continue;
        if (!x && !(x = calloc(r->rows, sizeof *x))) {
            *status = report_no_memory(error);
            return NULL;
        }
        for (size_t k = 0; k < r->rows; k++) x[k] = fmax(x[k], fabs(arne__chart_value(&s, k)));
    }
    return x;
}

static arne_status draw_largest(const arne_report_set *set, const definition *d, bool turns, text_buffer *o, arne_error *error)
{
    char title[160];
    double *made[COLOURS] = {0};
    arne_status status = ARNE_OK;
    snprintf(title, sizeof title, "%s, the largest of the joints", d->title);
    chart c = {.title = title, .unit = unit_of(d, turns), .positive = true};
    for (int i = 0; i < set->count && c.nname < COLOURS && !status; i++) {
        double *x = made[c.nname] = largest(set->runs[i], d, turns, &status, error);
        if (!x) continue;
        add_run(set, i, (chart_series){.run = set->runs[i], .x = {x}}, &c);
    }
    if (!status && c.nname > 1) status = arne__chart_draw(&c, o, error);
    for (int k = 0; k < COLOURS; k++) free(made[k]);
    return status;
}

static arne_status draw_joint(const arne_report_set *set, const definition *d, int joint, text_buffer *o, arne_error *error)
{
    const arne_report_run *first = set->runs[0];
    char title[256];
    snprintf(title, sizeof title, "%s: %.120s", d->title, first->joints[joint]);
    chart c = {.title = title, .unit = unit_of(d, arne__report_turns(first, joint))};
    for (int i = 0; i < set->count && c.nname < COLOURS; i++) {
        chart_series s;
        const double *other;
        if (joint >= set->runs[i]->dof || !take(set->runs[i], d, joint, &s, &other)) continue;
        add_run(set, i, s, &c);
    }
    return c.nname > 1 ? arne__chart_draw(&c, o, error) : ARNE_OK;
}

arne_status arne__report_overlay(const arne_report_set *set, text_buffer *o, arne_error *error)
{
    const int dof = set->runs[0]->dof;
    arne_status status = ARNE_OK;
    put(o, "<div class=\"charts\">\n");
    for (int k = 0; k < 2 * DEFINITIONS && !status; k++)
        if (definitions[k / 2].compared & LARGEST) status = draw_largest(set, &definitions[k / 2], k % 2 == 0, o, error);
    add(o, "</div>\n<details%s><summary>Joint by joint</summary>\n<div class=\"charts\">\n", dof < 3 ? " open" : "");
    for (int k = 0; k < DEFINITIONS; k++)
        for (int i = 0; i < dof && i < COLOURS && !status && definitions[k].compared & EACH; i++)
            status = draw_joint(set, &definitions[k], i, o, error);
    put(o, "</div></details>\n");
    if (set->count > COLOURS) add(o, "<p class=\"small\">The first %d runs are laid over each other.</p>\n", (int)COLOURS);
    return status;
}
