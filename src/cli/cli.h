/* SPDX-License-Identifier: MIT
 *
 * cli.h - what the commands of the program share: messages, options, robots.
 *
 * A command returns its exit status: 0 success, 1 bad input or failure, 2 wrong usage, 3 a motion that is not feasible where
 * --check asks for it, 128 and more: a signal. Whoever finds a fault says it in one line with complain() or misuse() and passes
 * the status up; nobody else prints about it. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <signal.h>
#include <stdio.h>

#include "arne/arne.h"
#include "arne/equations.h"
#include "arne/file.h"
#include "arne/log.h"
#include "base/nearest.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_MISUSED = 2, CLI_INFEASIBLE = 3 };

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* One line on standard error, "arne: ..." or "arne: FILE:LINE: ..." (NULL, 0: none); what is not text becomes '?'. */
int say_failure(int status, const char *file, int line, const char *format, ...) CLI_PRINTF(4, 5); /* returns status */
#define complain(...) say_failure(CLI_FAILED, NULL, 0, __VA_ARGS__)
#define complain_at(file, line, ...) say_failure(CLI_FAILED, file, line, __VA_ARGS__)
#define misuse(...) say_failure(CLI_MISUSED, NULL, 0, __VA_ARGS__)
int no_memory(void); /* returns CLI_FAILED */
void say_note(const char *kind, const char *format, ...) CLI_PRINTF(2, 3);
#define warn(...) say_note("warning: ", __VA_ARGS__)
#define note(...) say_note("note: ", __VA_ARGS__)
#define tell(a, ...) (option_given(a, "verbose") ? note(__VA_ARGS__) : (void)0)
bool colourful(FILE *to); /* a terminal that shows colours, and NO_COLOR is not set */

/* signals.c */
void catch_signals(void); /* they end the program, and what it was writing goes */
void end_late(void); /* half a second after the signal, so that another process has the time to take away what it was writing */
/* From now on the first signal is only noted here, and the command ends by itself; the second one ends the program. */
const volatile sig_atomic_t *end_gently(void);

/* One option of a command. A table of them ends with name == NULL. */
typedef struct {
    const char *name;  /* without the dashes */
    const char *value; /* what it takes, as the help calls it; NULL: a switch */
    bool repeat;       /* may be given more than once */
    const char *help;
} option;

typedef struct {
    const char *name, *value; /* value "" for a switch */
    int word;                 /* its place where the value is one of several words */
} given_option;

/* The words of a command line, sorted; all strings are those of argv. */
typedef struct {
    const char *program; /* as it was called, for examples in the help */
    given_option *options;
    int noption;
    const char **words; /* what is not an option */
    int nword;
} arguments;

typedef struct {
    const char *name;
    const char *synopsis;      /* what follows the name */
    const char *brief;         /* one line */
    void (*details)(FILE *to); /* writes a first paragraph of the help, may be NULL */
    const char *text;          /* more paragraphs, may be NULL */
    const option *options;
    const option *more_options; /* robot_options, or NULL */
    int min_words, max_words;
    const char *word;    /* what a word is, for messages */
    const char *example; /* '@' stands for the program */
    int (*run)(const arguments *a);
} command;
#define ONE_ROBOT .more_options = robot_options, .min_words = 1, .max_words = 1, .word = "ROBOT"

extern const command command_info, command_eval, command_convert, command_robots, command_bench, command_count, command_equations,
    command_formulations, command_codegen, command_base, command_feasible, command_plan, command_elastic, command_report,
    command_simulate, command_sweep, command_excite, command_observe, command_variants, command_reach, command_identify,
    command_help;
const command *const *all_commands(void);                      /* ends with NULL */
const command *find_command(const char *name, char hint[192]); /* NULL: none, and which is nearest */
/* alias.c: what others call it */
const char *alias_quantity(const char *name);                  /* ours of --want, NULL: none */
bool alias_command(const char *name, char *text, size_t size); /* the command line that does it */
extern const option common_options[];                          /* those of every command: --quiet, --verbose */
const option *command_option(const command *c, int k);         /* its k-th one, the common ones last; NULL: no more */
bool is_choice(const char *value);                             /* what an option takes is one of several words: text|json */
int print_help(const command *c, const char *program);
void print_manual(void);             /* manual page, roff */
void print_completion(bool for_zsh); /* else for bash */
int print_commands(void);            /* JSON of all commands and their options */

/* options.c */
int arguments_parse(const command *c, int argc, char **argv, arguments *out); /* argv[0]: the first word after the command */
void arguments_free(arguments *a);
bool option_given(const arguments *a, const char *name);
const char *option_value(const arguments *a, const char *name); /* NULL: not given; the last one if repeated */
/* Which of the words of its table, keep|resolve, was given: 0, 1, ... */
int option_word(const arguments *a, const char *name, int absent);
/* The choice's place in the NULL-ended list (`absent` when the option is not given), or -1 after a message. */
int option_choice(const arguments *a, const char *name, const char *const *choices, int absent);
int option_json(const arguments *a); /* --format text|json: 1 json, 0 text or not given */
/* A number above `low` (from it on where `from`) and up to `high`; *x stays where it is not given. what: what it takes, for the
 * message. */
int option_number(const arguments *a, const char *name, double low, bool from, double high, const char *what, double *x);
/* Numbers with commas between them, the whole of text up to `length`; how many, or -1 when it is anything else. */
int parse_numbers(const char *text, size_t length, double *out, int max);

/* robot.c: a robot with the options that every command with ROBOT understands */
extern const option robot_options[], file_options[]; /* the second: those about reading only */

typedef struct {
    int link;
    arne_body body;
} payload;

typedef struct {
    const arguments *arguments; /* it was opened with */
    char *path;
    arne_description *description;
    arne_model *model;
    bool rigid;
    int npayload;
    payload *payloads;
    arne_about_payload *loads; /* the same, to be told */
} robot;
int robot_open(const arguments *a, const char *name, robot *out);
/* The same where symbols need no number: they get arbitrary ones, of this set (arne_read_options). */
int robot_open_symbolic(const arguments *a, const char *name, int set, robot *out);
/* The same where --payload is another thing; where joints may have several freedoms; and where nothing needs to move. */
int robot_open_unloaded(const arguments *a, const char *name, robot *out);
int robot_open_moving(const arguments *a, const char *name, robot *out);
int robot_open_any(const arguments *a, const char *name, robot *out);
/* The same on this base, and with joints that mimic so, where --base and --mimic do not say another thing. */
typedef struct {
    arne_base_choice base;
    arne_mimic_choice mimic;
} robot_way;
int robot_open_on(const arguments *a, const char *name, robot_way way, robot *out);
void robot_close(robot *r);
/* Opens a robot and its data, works on them, closes both; the second where joints may have several freedoms. */
typedef int robot_work(const robot *r, arne_data *d, void *context);
int with_robot(const arguments *a, const char *name, robot_work *work, void *context);
int with_any_robot(const arguments *a, const char *name, robot_work *work, void *context);
arne_data *robot_data(const robot *r);                       /* with switches and payloads set; NULL after a message */
int robot_link(const robot *r, const char *name, int *link); /* finds a link, or says which is nearest */
/* --from q1,... (--degrees): positions of the joints; the middle of their ranges where it is not given */
int take_start(const arguments *a, const robot *r, double *q);
int robot_joint_line(const robot *r, int joint); /* of the file, 0: none */
/* Names of d and r of every joint where the file has them (dimensions.c), 2 a joint, from malloc; NULL after a message. */
arne_dimension *robot_dimensions(const robot *r);
/* An expression of d3, r4, ... with these names in their place. */
void dimension_text(const arne_dimension *all, int n, const char *expression, char *text, size_t size);
/* Says before base parameters are searched that it will take a while, where it will. */
void tell_base_time(const robot *r, const char *way_out);
void warn_of(const arguments *a, const arne_description *d, size_t from);
int say_error(const arne_error *e);                   /* an error of the library; returns CLI_FAILED */
int checked(arne_status status, const arne_error *e); /* CLI_OK, or CLI_FAILED after saying the error */

#endif
