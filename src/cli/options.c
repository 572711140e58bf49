/* SPDX-License-Identifier: MIT
 *
 * options.c - sorts the words of a command line by the command's table of options: --name value, --name=value, --switch.
 * "--" ends the options; a single "-" is a word. Every command understands the common options too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

const option common_options[] = {
    {"quiet", NULL, false, "no warnings, notes or progress"},
    {"verbose", NULL, false, "says on standard error what is read and how long it takes"},
    {0},
};

static const option *find(const option *table, const char *name, size_t length)
{
    for (; table && table->name; table++)
        if (strlen(table->name) == length && !memcmp(table->name, name, length)) return table;
    return NULL;
}

static int unknown(const command *c, const char *name, size_t length)
{
    char word[64], hint[192];
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    nearest near = {.word = word};
    const option *tables[] = {c->options, c->more_options, common_options};
    for (int k = 0; k < 3; k++)
        for (const option *o = tables[k]; o && o->name; o++) {
            char full[64];
            snprintf(full, sizeof full, "--%s", o->name);
            arne__nearest_offer(&near, full);
        }
    arne__nearest_hint(&near, hint, sizeof hint);
    return misuse("%s has no option %s%s (see: arne help %s)", c->name, word, hint, c->name);
}

/* argv[*i] starts with a dash: stores the option and its value. */
static int take_option(const command *c, int argc, char **argv, int *i, arguments *out)
{
    const char *text = argv[*i];
    size_t length = strcspn(text, "=");
    const option *o = NULL;
    if (length > 2 && text[1] == '-') {
        o = find(c->options, text + 2, length - 2);
        if (!o) o = find(c->more_options, text + 2, length - 2);
        if (!o) o = find(common_options, text + 2, length - 2);
    }
    if (!o) return unknown(c, text, length);
    if (!o->repeat && option_given(out, o->name)) return misuse("--%s is given twice", o->name);

    given_option *g = &out->options[out->noption];
    *g = (given_option){o->name, ""};
    if (text[length] == '=') {
        if (!o->value) return misuse("--%s takes no value", o->name);
        g->value = text + length + 1;
    } else if (o->value) {
        if (*i + 1 >= argc || !strncmp(argv[*i + 1], "--", 2))
            return misuse("--%s needs a value: --%s %s", o->name, o->name, o->value);
        g->value = argv[++*i];
    }
    if (o->value && !g->value[0]) return misuse("--%s needs a value: --%s %s", o->name, o->name, o->value);
    out->noption++;
    return CLI_OK;
}

int arguments_parse(const command *c, int argc, char **argv, arguments *out)
{
    size_t room = (size_t)(argc > 0 ? argc : 1);
    out->options = calloc(room, sizeof *out->options);
    out->words = calloc(room, sizeof *out->words);
    if (!out->options || !out->words) return no_memory();

    bool only_words = false;
    for (int i = 0; i < argc; i++) {
        if (!only_words && !strcmp(argv[i], "--")) {
            only_words = true;
        } else if (!only_words && argv[i][0] == '-' && argv[i][1]) {
            int status = take_option(c, argc, argv, &i, out);
            if (status) return status;
        } else {
            out->words[out->nword++] = argv[i];
        }
    }
    if (option_given(out, "quiet") && option_given(out, "verbose")) return misuse("--quiet and --verbose do not go together");
    if (out->nword < c->min_words) return misuse("%s needs a %s: arne %s %s", c->name, c->word, c->name, c->synopsis);
    if (c->max_words >= 0 && out->nword > c->max_words)
        return misuse("%s does not know what to do with \"%s\": arne %s %s", c->name, out->words[c->max_words], c->name,
                      c->synopsis);
    return CLI_OK;
}

void arguments_free(arguments *a)
{
    free(a->options);
    free(a->words);
}

const char *option_value(const arguments *a, const char *name)
{
    for (int i = a->noption; i-- > 0;)
        if (!strcmp(a->options[i].name, name)) return a->options[i].value;
    return NULL;
}

bool option_given(const arguments *a, const char *name) { return option_value(a, name) != NULL; }

int option_choice(const arguments *a, const char *name, const char *const *choices, int absent)
{
    const char *value = option_value(a, name);
    if (!value) return absent;
    char list[256] = "";
    size_t n = 0;
    for (int i = 0; choices[i]; i++) {
        if (!strcmp(value, choices[i])) return i;
        if (n < sizeof list) n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", choices[i]);
    }
    misuse("--%s %s: it is one of %s", name, value, list);
    return -1;
}

int option_json(const arguments *a)
{
    static const char *const formats[] = {"text", "json", NULL};
    return option_choice(a, "format", formats, 0);
}

int parse_numbers(const char *text, size_t length, double *out, int max)
{
    const char *end = text + length;
    for (int n = 0; n < max; n++) {
        const char *stop = memchr(text, ',', (size_t)(end - text));
        if (!stop) stop = end;
        const char *last = stop;
        while (text < last && *text == ' ') text++;
        while (text < last && last[-1] == ' ') last--;

        size_t field = (size_t)(last - text);
        char copy[64], *rest;
        if (field == 0 || field >= sizeof copy) return -1;
        memcpy(copy, text, field);
        copy[field] = 0;
        /* strtod also knows hexadecimal numbers, inf and nan: not here */
        if (strspn(copy, "0123456789+-.eE") != field) return -1;
        out[n] = strtod(copy, &rest);
        if (*rest || !isfinite(out[n])) return -1;
        if (stop == end) return n + 1;
        text = stop + 1;
    }
    return -1;
}
