/* SPDX-License-Identifier: MIT
 *
 * read.c - finds the reader of a robot file by the file's ending, or by its first character. */
#include "arne/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/options.h"
#include "file/formats.h"

enum { MEGABYTE = 1 << 20, LARGEST_MB = 64 };

typedef arne_status read_function(const char *, const arne_read_options *, arne_description **, arne_error *);

/* Reads until the end or one byte beyond the limit; *size tells which. */
static arne_status slurp(FILE *f, const char *path, char **text, size_t *size, arne_error *error)
{
    const size_t limit = (size_t)LARGEST_MB * MEGABYTE;
    size_t room = 1 << 16;
    *size = 0;
    *text = NULL;
    for (;;) {
        char *bigger = realloc(*text, room + 1);
        if (!bigger) return arne_fail(error, ARNE_NO_MEMORY, path, 0, "out of memory");
        *text = bigger;
        *size += fread(*text + *size, 1, room - *size, f);
        if (*size > limit) return arne_fail(error, ARNE_BAD_SYNTAX, path, 0, "the file is larger than %d MB", LARGEST_MB);
        if (*size < room) break;
        room *= 2;
    }
    if (ferror(f)) return arne_fail(error, ARNE_NO_FILE, path, 0, "cannot read the file: %s", strerror(errno));
    if (*size == 0) return arne_fail(error, ARNE_BAD_SYNTAX, path, 0, "the file is empty");
    (*text)[*size] = '\0';
    return ARNE_OK;
}

arne_status arne__file_text(const char *path, char **text, size_t *size, arne_error *error)
{
    struct stat about;
    *text = NULL;
    FILE *f = fopen(path, "rb");
    if (!f) return arne_fail(error, ARNE_NO_FILE, path, 0, "cannot open the file: %s", strerror(errno));
    arne_status status = fstat(fileno(f), &about) == 0 && S_ISDIR(about.st_mode)
                             ? arne_fail(error, ARNE_NO_FILE, path, 0, "is a directory, not a robot file")
                             : slurp(f, path, text, size, error);
    fclose(f);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void arne__file_stem(const char *path, char *stem, size_t size)
{
    const char *name = base_name(path), *dot = strrchr(name, '.');
    int length = (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name));
    snprintf(stem, size, "%.*s", length, name);
}

static read_function *reader_of(const char *path)
{
    static const struct {
        const char *ending;
        read_function *read;
    } table[] = {{".urdf", arne__xml_read},  {".xml", arne__xml_read},  {".sdf", arne__xml_read},
                 {".yaml", arne__yaml_read}, {".yml", arne__yaml_read}, {".par", arne__par_read}};
    const char *dot = strrchr(base_name(path), '.');
    for (size_t i = 0; dot && i < sizeof table / sizeof *table; i++)
        if (strcasecmp(dot, table[i].ending) == 0) return table[i].read;
    return NULL;
}

static arne_status read_any(const char *path, const arne_read_options *o, arne_description **out, arne_error *error)
{
    read_function *read = reader_of(path);
    if (read) return read(path, o, out, error);

    char *text;
    size_t size;
    arne_status status = arne__file_text(path, &text, &size, error);
    if (status) return status;
    bool xml = text[strspn(text, " \t\r\n\xEF\xBB\xBF")] == '<';
    free(text);
    if (xml) return arne__xml_read(path, o, out, error);
    return arne_fail(error, ARNE_UNSUPPORTED, path, 0, "unknown kind of file; its name should end in .urdf, .sdf, .yaml or .par");
}

arne_status arne_read(const char *path, const arne_read_options *options, arne_description **out, arne_error *error)
{
    arne_read_options o;
    if (out) *out = NULL;
    if (!path || !out || options_take(&o, sizeof o, options))
        return arne_fail(error, ARNE_BAD_ARGUMENT, path, 0, "a path, a place, and options with their size are needed");
    arne_status status = read_any(path, &o, out, error);
    if (!status) status = arne_description_base(*out, o.base, error);
    if (!status) status = arne_description_mimic(*out, o.mimic, error);
    if (status) {
        arne_description_free(*out);
        *out = NULL;
    }
    return status;
}

arne_status arne_load(const char *path, arne_model **out, arne_error *error)
{
    arne_description *d = NULL;
    if (!out) return arne_fail(error, ARNE_BAD_ARGUMENT, path, 0, "there is no place for the model");
    *out = NULL;
    arne_status status = arne_read(path, NULL, &d, error);
    if (!status) status = arne_model_build(d, NULL, out, error);
    arne_description_free(d);
    return status;
}
