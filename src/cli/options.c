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

const option *command_option(const command *c, int k)
{
    const option *tables[] = {c->options, c->more_options, common_options};
    for (int i = 0; i < 3; i++)
        for (const option *o = tables[i]; o && o->name; o++)
            if (k-- == 0) return o;
    return NULL;
}

bool is_choice(const char *value)
{
    return value && strchr(value, '|') && value[strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-|")] == 0;
}

static int unknown(const command *c, const char *name, size_t length)
{
    char word[64], hint[192];
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    nearest near = {.word = word};
    const option *o;
    for (int k = 0; (o = command_option(c, k)); k++) {
        char full[64];
        snprintf(full, sizeof full, "--%s", o->name);
        arne__nearest_offer(&near, full);
    }
    arne__nearest_hint(&near, hint, sizeof hint);
    return misuse("%s has no option %s%s (see: arne help %s)", c->name, word, hint, c->name);
}

/* Finds the value among the words of the table. */
static int take_word(const option *o, given_option *g)
{
    char list[256] = "";
    size_t used = 0;
    const char *at = o->value;
    for (int k = 0;; k++) {
        const size_t n = strcspn(at, "|");
        if (strlen(g->value) == n && !memcmp(g->value, at, n)) {
            g->word = k;
            return CLI_OK;
        }
        if (used < sizeof list) used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s", k ? ", " : "", (int)n, at);
        if (!at[n]) return misuse("--%s %s: it is one of %s", o->name, g->value, list);
        at += n + 1;
    }
}

/* argv[*i] starts with a dash: stores the option and its value. */
static int take_option(const command *c, int argc, char **argv, int *i, arguments *out)
{
    const char *text = argv[*i];
    const size_t length = strcspn(text, "=");
    const option *o;
    for (int k = 0; (o = command_option(c, k)); k++)
        if (!strncmp(text, "--", 2) && strlen(o->name) + 2 == length && !memcmp(text + 2, o->name, length - 2)) break;
    if (!o) return unknown(c, text, length);
    if (!o->repeat && option_given(out, o->name)) return misuse("--%s is given twice", o->name);

    given_option *g = &out->options[out->noption];
    *g = (given_option){o->name, "", 0};
    if (text[length] == '=') {
        if (!o->value) return misuse("--%s takes no value", o->name);
        g->value = text + length + 1;
    } else if (o->value && *i + 1 < argc && strncmp(argv[*i + 1], "--", 2)) {
        g->value = argv[++*i];
    }
    if (o->value && !g->value[0]) return misuse("--%s needs a value: --%s %s", o->name, o->name, o->value);
    out->noption++;
    return is_choice(o->value) ? take_word(o, g) : CLI_OK;
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

int option_word(const arguments *a, const char *name, int absent)
{
    for (int i = a->noption; i-- > 0;)
        if (!strcmp(a->options[i].name, name)) return a->options[i].word;
    return absent;
}

int option_json(const arguments *a) { return option_word(a, "format", 0); }

int option_number(const arguments *a, const char *name, double low, bool from, double high, const char *what, double *x)
{
    const char *text = option_value(a, name);
    double given;
    if (!text) return CLI_OK;
    if (parse_numbers(text, strlen(text), &given, 1) != 1 || !(from ? given >= low : given > low) || !(given <= high))
        return misuse("--%s %s: it takes %s", name, text, what);
    *x = given;
    return CLI_OK;
}

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
