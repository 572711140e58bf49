/* SPDX-License-Identifier: MIT
 *
 * dimensions.c - the names that a robot file in modified Denavit-Hartenberg form has for its lengths: D3 for d3, RL4 for r4. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/equations.h"
#include "cli/cli.h"

arne_dimension *robot_dimensions(const robot *r)
{
    enum { D = 3, R = 5 };
    const int n = arne_model_bodies(r->model);
    const arne_description *d = r->description;
    arne_dimension *all = calloc(2 * (size_t)n, sizeof *all);
    for (int i = 0; all && i < n; i++) {
        all[2 * i].name = all[2 * i + 1].name = "";
        for (size_t k = 0; k < d->njoint && d->mdh; k++) {
            const arne_joint_description *j = &d->joints[k];
            if (strcmp(j->name, arne_joint_name(r->model, arne_body_joint(r->model, i)))) continue;
            all[2 * i] = (arne_dimension){j->dh_names[D], j->dh[D]};
            all[2 * i + 1] = (arne_dimension){j->dh_names[R], j->dh[R]};
        }
    }
    if (!all) no_memory();
    return all;
}

static bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

void dimension_text(const arne_dimension *all, int n, const char *expression, char *text, size_t size)
{
    size_t length = 0;
    for (const char *at = expression, *end; *at && length + 1 < size; at = end) {
        int joint = 0;
        for (end = at + 1; is_word(*at) && is_word(*end);) end++;
        const bool dimension = (*at == 'd' || *at == 'r') && (size_t)(end - at) == 1 + strspn(at + 1, "0123456789");
        if (dimension) joint = atoi(at + 1);
        const char *name = joint > 0 && joint <= n ? all[2 * (joint - 1) + (*at == 'r')].name : "";
        if (*name && *name != '-')
            snprintf(text + length, size - length, "%s", name);
        else
            snprintf(text + length, size - length, "%.*s", (int)(end - at), at);
        length += strlen(text + length);
    }
    text[length] = '\0';
}
