/* SPDX-License-Identifier: MIT
 *
 * columns.c - the columns that the commands of arne write for people and pictures, and that nobody computes with. A table with
 * them may be handed to any command: they are passed over. */
#include <stdlib.h>
#include <string.h>

#include "arne/quantity.h"
#include "log/states.h"

int arne__column_number(const arne_model *m, bool position, const char *rest)
{
    const int count = position ? arne_model_nq(m) : arne_model_nv(m);
    if (*rest == '.') {
        for (int i = 0; i < count; i++)
            if (!strcmp(rest + 1, position ? arne_position_name(m, i) : arne_velocity_name(m, i))) return i;
        return -1;
    }
    char *end;
    const long number = *rest >= '1' && *rest <= '9' ? strtol(rest, &end, 10) : 0;
    return number >= 1 && number <= count && !*end ? (int)number - 1 : -1;
}

int arne__column_joint(const arne_model *m, const char *rest)
{
    return *rest == '.' ? arne_joint_find(m, rest + 1) : arne__column_number(m, false, rest);
}

/* r2.fx: what a joint passes on */
static bool is_load(const arne_model *m, const char *name)
{
    static const char parts[] = "fx fy fz mx my mz";
    const char *point = strchr(name, '.');
    if (*name != 'r' || !point || strlen(point) != 3 || !strstr(parts, point + 1)) return false;
    char number[16];
    snprintf(number, sizeof number, "%.*s", (int)(point - name - 1), name + 1);
    return *number != '.' && arne__column_joint(m, number) >= 0;
}

/* id.JOINT, energy.kinetic: results of eval */
static bool is_result(const char *name)
{
    static const char *const more[] = {"elastic", "achievable", "base_regressor"};
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "."), name);
    bool found = arne_quantity_find(word) >= 0;
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) found = found || !strcmp(word, more[k]);
    return found && name[strlen(word)] == '.';
}

size_t arne__column_written(const arne_model *m, const char *name)
{
    static const char *const groups[] = {"qr", "qdr", "real_q", "real_qd", "real_tau", "r", "motor", "tau_e", "rigid"};
    static const char *const words[] = {"s",        "contact",  "kinetic",  "potential", "hand.x",    "hand.y",   "hand.z",
                                        "linear.x", "linear.y", "linear.z", "angular.x", "angular.y", "angular.z"};
    const size_t letters = strcspn(name, ".0123456789");
    if (name[letters] == '.' && arne_follower_find(m, name + letters + 1) >= 0) return strlen(name); /* its master tells */
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        if (strlen(groups[k]) == letters && !memcmp(groups[k], name, letters) &&
            arne__column_number(m, !strcmp(groups[k], "real_q"), name + letters) >= 0)
            return letters;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(name, words[k])) return letters;
    return is_load(m, name) || is_result(name) ? letters : 0;
}
