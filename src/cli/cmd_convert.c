/* SPDX-License-Identifier: MIT
 *
 * cmd_convert.c - from one robot file format to another. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static int convert(const arguments *a, arne_format format, const char *path)
{
    robot r;
    int status = robot_open_any(a, a->words[0], &r);
    if (status) return status;
    arne_error error = {0};
    size_t said = r.description->nwarning;
    if (arne_write(r.description, format, path, &error)) status = say_error(&error);
    if (!status) warn_of(a, r.description, said);
    robot_close(&r);
    return status;
}

static int run(const arguments *a)
{
    static const arne_format formats[] = {ARNE_URDF, ARNE_YAML, ARNE_PAR};
    if (!option_given(a, "to")) return misuse("convert needs the format to write: --to urdf|yaml|par");
    const char *path = option_value(a, "out");
    if (!path) path = "-";
    if (strcmp(path, "-") && !option_given(a, "force") && !access(path, F_OK))
        return complain_at(path, 0, "the file exists already; --force overwrites it");
    return convert(a, formats[option_word(a, "to", 0)], path);
}

static const option options[] = {
    {"to", "urdf|yaml|par", false, "the format to write"},
    {"out", "FILE", false, "where to write it; default: standard output"},
    {"force", NULL, false, "overwrites FILE if it exists"},
    {0},
};

const command command_convert = {
    .name = "convert",
    .synopsis = "ROBOT --to urdf|yaml|par [--out FILE]",
    .brief = "Writes a robot file in another format",
    .text = "What the new format cannot say is left out, with a warning. A .par file needs modified\n"
            "Denavit-Hartenberg frames: they are computed.\n",
    .options = options,
    .more_options = file_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ convert planar2r --to urdf\n",
    .run = run,
};
