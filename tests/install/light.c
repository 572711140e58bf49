/* SPDX-License-Identifier: MIT
 *
 * A user's smallest program: a pendulum made by hand, and the torque that holds it. */
#include <arne/dynamics.h>
#include <stdio.h>

int main(void)
{
    arne_description *r = arne_description_new("pendulum");
    arne_model *m;
    arne_data *d;
    arne_error e;
    if (!r || !arne_description_link(r, "base", 0)) return 1;
    arne_link_description *arm = arne_description_link(r, "arm", 0);
    arne_joint_description *hinge = arne_description_joint(r, "hinge", 0, ARNE_REVOLUTE, "base", "arm");
    if (!arm || !hinge) return 1;
    arm->body = (arne_body){.mass = 2, .com = {0.5, 0, 0}};
    hinge->axis[1] = -1, hinge->axis[2] = 0;
    if (arne_model_build(r, NULL, &m, &e) || arne_data_new(m, &d, &e)) return 1;

    const double q = 0, still = 0;
    double tau;
    arne_id(d, &q, &still, &still, &tau);
    printf("%g Nm hold it\n", tau);

    arne_data_free(d);
    arne_model_free(m);
    arne_description_free(r);
    return tau > 9.80 && tau < 9.82 ? 0 : 1;
}
