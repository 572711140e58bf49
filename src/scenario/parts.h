/* SPDX-License-Identifier: MIT
 *
 * parts.h - a scenario while it is read, and what it owns afterwards. Each part of the file has one reader. */
#ifndef SCENARIO_PARTS_H
#define SCENARIO_PARTS_H

#include "arne/positions.h"
#include "arne/scenario.h"
#include "base/arena.h"
#include "base/fail.h"
#include "file/yaml.h"

enum { MOST_PAYLOADS = 16 };

typedef struct {
    int link;
    arne_body body;
} carried;

struct scenario_parts {
    arena *memory;
    arne_description *description;
    arne_model *model;
    arne_plant *plant;
    arne_trajectory *motion;
    arne_controller *controller, *brake;
    arne_observer *observer;
    arne_detector *detector;
    double *thresholds;
    arne_sensors sensors;
    double *q, *qd; /* start: nq, nv */
};

typedef struct {
    yaml_reader yaml;
    const arne_scenario_options *options;
    arne_scenario *s;
    struct scenario_parts *p;
    int n;      /* velocities, as all vectors of nv below; 0 or what nobody reads at joints of several freedoms */
    int driven; /* those of joints of one freedom: numbers of a vector in the file */

    /* the top of the file */
    const char *title, *robot;
    double duration;
    const yaml_node_t *robot_options, *start, *motion, *controller, *limits, *sensors, *disturbances, *observer, *integrator,
        *output, *vary;

    /* the robot as it is, and as the controller knows it */
    double gravity[3];
    bool rigid, elastic;
    double *stiffness; /* nv; NULL: that of the file */
    int npayload, nknown;
    carried payload[MOST_PAYLOADS], known[MOST_PAYLOADS];
    bool placed;           /* the file says where the robot starts */
    double *mass, rub;     /* a joint: factors of what the links weigh, NULL: none; a factor of all friction, 0: 1 */
    double *wrong;         /* a joint: factors of the inertial parameters the controller knows; NULL: none */
    const double *springs; /* nv: factors of the stiffness it knows; NULL: none */

    bool friction, stops, torque;
    double restitution;
} scenario_reader;

/* robot.c */
arne_status arne__scenario_robot(scenario_reader *x); /* the model, with the options of the robot */
/* what a link carries, from the keys link and body of a mapping */
arne_status arne__scenario_body(scenario_reader *x, const yaml_node_t *node, const yaml_node_t *link, const yaml_node_t *body,
                                int *at, arne_body *load);
arne_status arne__scenario_payloads(scenario_reader *x, const yaml_node_t *list, carried *to, int *count);
/* Gravity, rotors and payloads of the real robot, or of the one that the controller knows; NULL: no memory. */
arne_settings *arne__scenario_settings(scenario_reader *x, bool real);
/* start.c: where the robot stands; a motion may then say it better */
arne_status arne__scenario_start(scenario_reader *x);
/* motion.c */
arne_status arne__scenario_motion(scenario_reader *x);
/* control.c */
arne_status arne__scenario_control(scenario_reader *x);
arne_status arne__scenario_observer(scenario_reader *x);
/* plant.c */
arne_status arne__scenario_limits(scenario_reader *x);
arne_status arne__scenario_plant(scenario_reader *x);
arne_status arne__scenario_sensors(scenario_reader *x);
arne_status arne__scenario_output(scenario_reader *x);
/* happen.c */
arne_status arne__scenario_disturbances(scenario_reader *x);

/* words.c: values that need the robot, and messages */
/* a library's error, at a line */
arne_status arne__scenario_blame(scenario_reader *x, const yaml_node_t *node, const arne_error *e);
arne_status arne__scenario_count(yaml_reader *r, const yaml_node_t *value, void *into); /* int >= 0 */
/* the place of a word in a NULL-ended list */
arne_status arne__scenario_choice(scenario_reader *x, const yaml_node_t *node, const char *const *words, int *out);
arne_status arne__scenario_link(scenario_reader *x, const yaml_node_t *node, int *link);
arne_status arne__scenario_joint(scenario_reader *x, const yaml_node_t *node, int *joint); /* -1: the word `all` */
/* a number for each joint of one freedom: a list, or one for all; *out of nv from the memory of the scenario */
arne_status arne__scenario_vector(scenario_reader *x, const yaml_node_t *node, double **out);
arne_status arne__scenario_positive(scenario_reader *x, const yaml_node_t *node, double **out);
/* the same of `count` things that are called `what` */
arne_status arne__scenario_each_positive(scenario_reader *x, const yaml_node_t *node, int count, const char *what, double **out);
/* numbers of the joints of one freedom, in place, become those of all velocities: `other` at joints of several */
void arne__scenario_spread(const scenario_reader *x, double other, double *v);
/* rows of `width` numbers; *out from the memory of the scenario */
arne_status arne__scenario_rows(scenario_reader *x, const yaml_node_t *node, int width, int *rows, double **out);
/* rows of numbers of the joints of one freedom, as arne__scenario_vector has them; *out: rows x nv */
arne_status arne__scenario_vectors(scenario_reader *x, const yaml_node_t *node, int *rows, double **out);
/* numbers; as many as there are */
arne_status arne__scenario_numbers(scenario_reader *x, const yaml_node_t *node, int *count, double **out);
/* path beside the scenario file; from the memory of the scenario, NULL: none left */
char *arne__scenario_path(scenario_reader *x, const char *name);

/* Rows of a table: the field of the struct `text` that is called as in the file, and who reads it. */
/* clang-format off */
#define FIELD(name, read) {#name, arne__##read, offsetof(text, name)}
/* clang-format on */
#define NODE(name) FIELD(name, yaml_node)
#define POSITIVE(name) FIELD(name, yaml_positive)
#define NOT_NEGATIVE(name) FIELD(name, yaml_not_negative)
#define TRUTH(name) FIELD(name, yaml_truth)
#define COUNT(name) FIELD(name, scenario_count)
#define SCENARIO_COUNT(table) (sizeof(table) / sizeof *(table))
#define SCENARIO_MAP(x, node, table, into) arne__yaml_mapping(&(x)->yaml, node, table, SCENARIO_COUNT(table), into)

#endif
