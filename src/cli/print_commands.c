/* SPDX-License-Identifier: MIT
 *
 * print_commands.c - all commands with their options as JSON, for programs that make doors of them. */
#include "cli/out.h"

static void one_command(const command *c, out *o)
{
    const option *x;
    json_open(o, NULL, '{');
    json_members(o, TEXT("name", c->name), TEXT("synopsis", c->synopsis), TEXT("brief", c->brief), TEXT("word", c->word),
                 NUMBER("min_words", c->min_words), NUMBER("max_words", c->max_words));
    json_open(o, "options", '[');
    for (int k = 0; (x = command_option(c, k)); k++)
        json_object(o, NULL, TEXT("name", x->name), TEXT("value", x->value), TRUTH("repeat", x->repeat), TEXT("help", x->help));
    json_close(o, ']');
    json_close(o, '}');
}

int print_commands(void)
{
    out o = {0};
    json_open(&o, NULL, '[');
    for (const command *const *c = all_commands(); *c; c++) one_command(*c, &o);
    json_close(&o, ']');
    out_text(&o, "\n");
    return out_finish(&o, false);
}
