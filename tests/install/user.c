/* SPDX-License-Identifier: MIT
 *
 * A user's program: loads a robot and asks for the torques that hold it at rest. */
#include <arne/arne.h>
#include <arne/file.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    arne_model *m;
    arne_data *d;
    arne_error e;
    if (argc != 2 || arne_load(argv[1], &m, &e) || arne_data_new(m, &d, &e)) {
        fprintf(stderr, "%s:%d: %s\n", argc == 2 ? e.file : "usage", argc == 2 ? e.line : 0,
                argc == 2 ? e.message : "user ROBOT");
        return 1;
    }
    double q[2] = {0}, zero[2] = {0}, tau[2];
    arne_id(d, q, zero, zero, tau);
    printf("%s at rest: %g %g\n", arne_model_name(m), tau[0], tau[1]);
    arne_data_free(d);
    arne_model_free(m);
    return 0;
}
