/* SPDX-License-Identifier: MIT
 *
 * cmd_robots.c - the robots that come with arne. */
#include <math.h>

#include "cli/out.h"

typedef struct {
    int dof; /* -1: the file does not load */
    arne_description *description;
} summary;

/* A robot that does not load is still listed: one bad file must not hide the others. */
static summary look_at(const char *path, bool quiet)
{
    summary s = {.dof = -1};
    arne_error error = {0};
    arne_model *m = NULL;
    if (arne_read(path, NULL, &s.description, &error) || arne_model_build(s.description, NULL, &m, &error)) {
        if (!quiet) warn("%s: %s", path, error.message);
    } else {
        s.dof = arne_model_dof(m);
    }
    arne_model_free(m);
    return s;
}

static int run(const arguments *a)
{
    const bool json = option_json(a);
    arne_robot_place *list;
    size_t count;
    arne_error error = {0};
    if (arne_robots(&list, &count, &error)) return say_error(&error);

    out o = {0};
    table t = {.columns = 3, .align = "lrl"};
    if (json)
        json_open(&o, NULL, '[');
    else
        table_cells(&t, "name", "dof", "source");
    for (size_t i = 0; i < count; i++) {
        summary s = look_at(list[i].path, option_given(a, "quiet"));
        const char *source = s.description ? s.description->source : NULL;
        const double dof = s.dof < 0 ? (double)NAN : s.dof;
        if (json && i) out_text(&o, ",\n"); /* one a line, for shells */
        if (json) {
            json_object(&o, NULL, TEXT("name", list[i].name), NUMBER("dof", dof), TEXT("source", source));
        } else {
            table_cell(&t, list[i].name);
            table_number(&t, dof);
            table_cell(&t, source ? source : "-");
        }
        arne_description_free(s.description);
    }
    if (json)
        out_text(&o, "]\n");
    else
        table_print(&t, "", &o);
    const int status = out_finish(&o, true);
    arne_robots_free(list, count);
    return status;
}

static const option options[] = {{"format", "text|json", false, "a table, or a JSON list of {\"name\",\"dof\",\"source\"}"}, {0}};

const command command_robots = {
    .name = "robots",
    .synopsis = "[--format text|json]",
    .brief = "Lists the robots that come with arne",
    .text = "They are the robot files in the folders $ARNE_ROBOTS, ../robots and ../share/arne/robots beside the program;\n"
            "a robot is called by its file's name without the ending, and the first folder that has the name wins.\n",
    .options = options,
    .max_words = 0,
    .word = "word",
    .example = "  @ robots\n",
    .run = run,
};
