/* SPDX-License-Identifier: MIT
 *
 * out.c - what goes to standard output and into files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"

int out_write(out *o, bool now)
{
    if (o->failed) return no_memory();
    errno = 0;
    const size_t written = o->length ? fwrite(o->s, 1, o->length, stdout) : 0;
    const bool whole = written == o->length && (!now || !fflush(stdout));
    const int reason = errno;
    arne__text_clear(o);
    if (whole) return CLI_OK;
    /* Nobody reads any more: that is their right. */
    return reason == EPIPE ? CLI_FAILED : complain("cannot write the output: %s", strerror(reason));
}

int out_finish(out *o, bool now)
{
    const int status = out_write(o, now);
    out_free(o);
    return status;
}

bool is_json_name(const char *path)
{
    const size_t n = strlen(path);
    return n > 5 && path[n - 6] != '/' && !strcmp(path + n - 5, ".json");
}

void about_robot(const robot *r, arne_about *a)
{
    a->robot = r->arguments->words[0];
    a->of = r->model;
    a->period = a->wall = NAN;
    a->npayload = r->npayload;
    a->payloads = r->loads;
}

int finish_told(arne_csv_writer *w, const robot *r, arne_about a)
{
    arne_error error = {0};
    about_robot(r, &a);
    return checked(arne_csv_finish_told(w, &a, ARNE_OK, &error), &error);
}
