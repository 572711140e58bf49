/* SPDX-License-Identifier: MIT
 *
 * signals.c - an end from outside leaves no file half-written; who has something to keep is asked to end by himself. */
#include <poll.h>
#include <signal.h>

#include "base/whole.h"
#include "cli/cli.h"

static volatile sig_atomic_t gently, late, caught;

static void end(int number)
{
    if (gently && !caught) {
        caught = number;
        return;
    }
    arne__whole_abandon();
    if (late) poll(NULL, 0, 500);
    signal(number, SIG_DFL);
    raise(number); /* comes when the handler is left */
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction now, then = {.sa_handler = handler, .sa_flags = (int)SA_RESTART};
    sigemptyset(&then.sa_mask);
    /* what is ignored from the start stays so: nohup, jobs in the background */
    if (!sigaction(number, NULL, &now) && now.sa_handler != SIG_IGN) sigaction(number, &then, NULL);
}

void catch_signals(void)
{
    static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) handle(ends[k], end);
    handle(SIGXFSZ, SIG_IGN); /* a file too large is said by the one who writes it */
}

void end_late(void) { late = 1; }

const volatile sig_atomic_t *end_gently(void)
{
    gently = 1;
    return &caught;
}
