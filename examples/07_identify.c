/* SPDX-License-Identifier: MIT
 *
 * 07_identify.c - a program that records its robot and learns what it carries: the robot moves with a load of 2 kg on its last
 * link, rows of positions and torques go to the identifier as they come, and mass and centre come back with their deviations.
 * Give it a robot file. */
#include <math.h>
#include <stdio.h>

#include "arne/arne.h"
#include "arne/estimate.h"
#include "arne/file.h"

enum { MOST = 32, ROWS = 3000 };

int main(int argc, char **argv)
{
    arne_model *m;
    arne_error e = {0};
    if (argc < 2 || arne_load(argv[1], &m, &e)) {
        fprintf(stderr, "%s\n", argc < 2 ? "give a robot file" : e.message);
        return 1;
    }
    const int n = arne_model_nv(m), link = arne_model_tip(m);
    const arne_body load = {.mass = 2, .com = {0.02, -0.01, 0.1}, .inertia = {0.004, 0, 0, 0.004, 0, 0.004}};
    const arne_identify_options options = {.size = sizeof options, .cutoff = 8, .payload = link};
    const arne_identify_log log = {.size = sizeof log, .name = "the loop", .has_qd = true};
    arne_data *real;
    arne_identifier *i;
    arne_identified *found;
    if (n > MOST || arne_data_new(m, &real, &e) || arne_identifier_new(m, &options, &i, &e) || arne_identifier_log(i, &log, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    arne_set_payload(arne_data_settings(real), link, &load);

    unsigned noise = 1;
    for (int k = 0; k < ROWS; k++) { /* the loop: 12 s at 250 Hz */
        double q[MOST], qd[MOST], qdd[MOST], tau[MOST];
        const double t = 0.004 * k;
        for (int j = 0; j < n; j++) {
            const double w = 1 + 0.7 * j, v = 2.3 + 0.4 * j;
            q[j] = 0.6 * sin(w * t + j) + 0.3 * cos(v * t);
            qd[j] = 0.6 * w * cos(w * t + j) - 0.3 * v * sin(v * t);
            qdd[j] = -0.6 * w * w * sin(w * t + j) - 0.3 * v * v * cos(v * t);
        }
        arne_id(real, q, qd, qdd, tau);
        for (int j = 0; j < n; j++) {
            noise = 1664525u * noise + 1013904223u;
            tau[j] += noise / 4294967296.0 - 0.5; /* Nm */
        }
        if (arne_identifier_row(i, t, q, qd, NULL, tau, &e)) {
            fprintf(stderr, "%s\n", e.message);
            return 1;
        }
    }
    if (arne_identify(i, &found, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    const arne_identified_payload *p = &found->payload;
    printf("link %s carries %.3f kg +- %.3f, its centre at %.4f %.4f %.4f m +- %.4f %.4f %.4f\n", arne_link_name(m, link),
           p->body.mass, p->deviation[0], p->body.com[0], p->body.com[1], p->body.com[2], p->deviation[1], p->deviation[2],
           p->deviation[3]);
    const bool right = fabs(p->body.mass - load.mass) < 5 * p->deviation[0] && p->deviation[0] < 0.1;
    arne_identified_free(found);
    arne_identifier_free(i);
    arne_data_free(real);
    arne_model_free(m);
    return right ? 0 : 1;
}
