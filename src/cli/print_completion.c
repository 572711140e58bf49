/* SPDX-License-Identifier: MIT
 *
 * print_completion.c - what bash and zsh need to complete command lines of arne, made from the tables of the commands. */
#include <string.h>

#include "cli/cli.h"

static void words_of(const char *value)
{
    for (; *value; value++) putchar(*value == '|' ? ' ' : *value);
}

static bool names_file(const char *value) { return strstr(value, "FILE") || strstr(value, "DIR"); }

static bool same(const char *word, const char *name) { return word && !strcmp(word, name); }

static const char ROBOTS[] = "arne robots --format json --quiet 2>/dev/null | sed -n 's/.*{\"name\":\"\\([^\"]*\\)\".*/\\1/p'";

/* ---- bash ---- */

static void bash_value(const command *c, const option *o)
{
    if (!o->value) return;
    printf("    \"%s --%s\")", c->name, o->name);
    if (is_choice(o->value)) {
        fputs(" COMPREPLY=($(compgen -W \"", stdout);
        words_of(o->value);
        fputs("\" -- \"$cur\"));", stdout);
    } else if (same(o->value, "ROBOT")) {
        printf(" COMPREPLY=($(compgen -W \"$(%s)\" -- \"$cur\"));", ROBOTS);
    }
    puts(" return ;;"); /* without words: the shell completes files */
}

static void bash(void)
{
    puts("# bash completion for arne; printed by: arne help --completion bash\n"
         "_arne() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} options= words=\n"
         "    COMPREPLY=()");
    fputs("    local commands=\"", stdout);
    for (const command *const *c = all_commands(); *c; c++) printf("%s%s", (*c)->name, c[1] ? " " : "\"\n");
    puts("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$cur\"))\n"
         "        return\n"
         "    fi\n"
         "    case \"$command $prev\" in");
    const option *o;
    for (const command *const *c = all_commands(); *c; c++)
        for (int k = 0; (o = command_option(*c, k)); k++) bash_value(*c, o);
    puts("    esac\n    case \"$command\" in");
    for (const command *const *c = all_commands(); *c; c++) {
        printf("    %s) options=\"--help", (*c)->name);
        for (int k = 0; (o = command_option(*c, k)); k++) printf(" --%s", o->name);
        fputs("\"", stdout);
        if (same((*c)->word, "ROBOT")) printf("\n        words=$(%s)", ROBOTS);
        if (same((*c)->word, "COMMAND")) fputs(" words=$commands", stdout);
        puts(" ;;");
    }
    puts("    esac\n"
         "    [[ $cur == -* ]] && words=$options\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "}\n"
         "complete -o default -F _arne arne");
}

/* ---- zsh ---- */

/* Text inside single quotes and, in a specification, inside brackets. */
static void zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void zsh_option(const option *o)
{
    printf(" \\\n            '%s--%s[", o->repeat ? "*" : "", o->name);
    zsh_text(o->help);
    putchar(']');
    if (o->value) {
        putchar(':');
        zsh_text(o->value);
        if (is_choice(o->value)) {
            fputs(":(", stdout);
            words_of(o->value);
            putchar(')');
        } else {
            fputs(names_file(o->value) ? ":_files" : same(o->value, "ROBOT") ? ":_arne_robots" : ": ", stdout);
        }
    }
    putchar('\'');
}

static void zsh(void)
{
    puts("#compdef arne\n# zsh completion for arne; printed by: arne help --completion zsh");
    printf(
        "_arne_robots() {\n    local -a robots\n    robots=(${(f)\"$(%s)\"})\n    _alternative 'robots:robot:compadd -a robots' "
        "'files:file:_files'\n}\n",
        ROBOTS);
    puts("_arne_commands() {\n    local -a commands\n    commands=(");
    for (const command *const *c = all_commands(); *c; c++) {
        printf("        '%s:", (*c)->name);
        zsh_text((*c)->brief);
        puts("'");
    }
    puts("    )\n    _describe -t commands command commands\n}\n"
         "_arne() {\n"
         "    if (( CURRENT == 2 )); then\n        _arne_commands\n        return\n    fi\n"
         "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in");
    for (const command *const *c = all_commands(); *c; c++) {
        printf("        %s) _arguments '--help[help on the command]'", (*c)->name);
        const option *o;
        for (int k = 0; (o = command_option(*c, k)); k++) zsh_option(o);
        if (same((*c)->word, "ROBOT"))
            fputs(" \\\n            '*:robot:_arne_robots'", stdout);
        else if (same((*c)->word, "COMMAND"))
            fputs(" \\\n            '1:command:_arne_commands'", stdout);
        else if ((*c)->max_words != 0)
            fputs(" \\\n            '*:file:_files'", stdout);
        puts(" ;;");
    }
    puts("    esac\n}\n_arne \"$@\"");
}

void print_completion(bool for_zsh) { (for_zsh ? zsh : bash)(); }
