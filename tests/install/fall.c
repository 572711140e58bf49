/* SPDX-License-Identifier: MIT
 *
 * A user's program: lets a robot fall for a tenth of a second. */
#include <arne/file.h>
#include <arne/scenario.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    arne_model *m;
    arne_error e;
    if (argc != 2 || arne_load(argv[1], &m, &e)) return 1;
    arne_settings *s;
    arne_plant *p;
    const arne_plant_options o = {.size = sizeof o, .method = ARNE_CVODE};
    const double zero[2] = {0};
    if (arne_settings_new(m, &s, &e) || arne_plant_new(s, &o, &p, &e) || arne_plant_advance(p, 0.1, zero, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    printf("%s after %g s: %g %g\n", arne_model_name(m), arne_plant_time(p), arne_plant_q(p)[0], arne_plant_q(p)[1]);
    arne_plant_free(p);
    arne_settings_free(s);
    arne_model_free(m);
    return 0;
}
