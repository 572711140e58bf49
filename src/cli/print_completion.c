/* SPDX-License-Identifier: MIT
 *
 * print_completion.c - what bash and zsh need to complete command lines of arne, made from the tables of the commands. */
#include <string.h>

#include "cli/quantity.h"

static bool names_file(const char *value) { return strstr(value, "FILE") || strstr(value, "DIR"); }

static bool same(const char *word, const char *name) { return word && !strcmp(word, name); }

/* The words that an option takes, with blanks between them; false: it takes others. */
static bool words_of(const option *o, bool print)
{
    quantity q;
    if (is_choice(o->value)) {
        for (const char *c = o->value; print && *c; c++) putchar(*c == '|' ? ' ' : *c);
    } else if (same(o->name, "want")) {
        for (int i = 0; print && quantity_at(i, &q); i++) printf("%s%s", i ? " " : "", q.name);
    } else if (same(o->name, "method")) {
        for (int k = 0; print && k < ARNE_FORMULATION_COUNT; k++) printf("%s ", arne_formulation_name((arne_formulation)k));
        if (print) fputs("aba crba wo1", stdout);
    } else {
        return false;
    }
    return true;
}

/* What is asked of the program itself. */
static const char *asked(const char *value)
{
    return same(value, "ROBOT") ? "robots" : same(value, "SCENARIO") ? "scenarios" : same(value, "LINK") ? "links" : NULL;
}

/* ---- bash ---- */

static void bash_value(const command *c, const option *o)
{
    if (!o->value) return;
    printf("    \"%s --%s\")", c->name, o->name);
    if (words_of(o, false)) {
        fputs(same(o->name, "want") ? " _arne_list \"" : " COMPREPLY=($(compgen -W \"", stdout);
        words_of(o, true);
        fputs(same(o->name, "want") ? "\";" : "\" -- \"$cur\"));", stdout);
    } else if (asked(o->value)) {
        printf(" COMPREPLY=($(compgen -W \"$(_arne_names %s)\" -- \"$cur\"));", asked(o->value));
    }
    puts(" return ;;"); /* without words: the shell completes files */
}

static void bash(void)
{
    puts("# bash completion for arne; printed by: arne help --completion bash\n"
         "_arne_names() {\n"
         "    if [ \"$1\" = links ]; then set -- links \"${COMP_WORDS[2]}\"; fi\n"
         "    arne help --words \"$@\" --quiet 2>/dev/null\n"
         "}\n"
         "_arne_list() { # names with commas between them\n"
         "    local last=${cur##*,}\n"
         "    COMPREPLY=($(compgen -P \"${cur%\"$last\"}\" -W \"$1\" -- \"$last\"))\n"
         "}\n"
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
        if (asked((*c)->word)) printf("\n        words=$(_arne_names %s)", asked((*c)->word));
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
        if (words_of(o, false)) {
            fputs(same(o->name, "want") ? ":_values -s , name " : ":(", stdout);
            words_of(o, true);
            fputs(same(o->name, "want") ? "" : ")", stdout);
        } else if (asked(o->value)) {
            printf(":_arne_%s", asked(o->value));
        } else {
            fputs(names_file(o->value) ? ":_files" : ": ", stdout);
        }
    }
    putchar('\'');
}

static void zsh(void)
{
    puts("#compdef arne\n# zsh completion for arne; printed by: arne help --completion zsh");
    puts("_arne_robots() { _arne_names robots }\n"
         "_arne_scenarios() { _arne_names scenarios }\n"
         "_arne_links() { compadd -- ${(f)\"$(arne help --words links $words[2] --quiet 2>/dev/null)\"} }\n"
         "_arne_names() {\n"
         "    local -a names\n"
         "    names=(${(f)\"$(arne help --words $1 --quiet 2>/dev/null)\"})\n"
         "    _alternative 'names:name:compadd -a names' 'files:file:_files'\n"
         "}");
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
        if (asked((*c)->word))
            printf(" \\\n            '*:name:_arne_%s'", asked((*c)->word));
        else if (same((*c)->word, "COMMAND"))
            fputs(" \\\n            '1:command:_arne_commands'", stdout);
        else if ((*c)->max_words != 0)
            fputs(" \\\n            '*:file:_files'", stdout);
        puts(" ;;");
    }
    puts("    esac\n}\n_arne \"$@\"");
}

void print_completion(bool for_zsh) { (for_zsh ? zsh : bash)(); }
