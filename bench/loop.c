/* SPDX-License-Identifier: MIT
 *
 * loop.c - a control loop as a robot has it: at 1 kHz and at 10 kHz a reference, the momentum observer with its detector, and
 * computed torque tick for a simulated arm. How long does a tick compute, how late does it begin, does it fault or call the
 * system?
 *
 *     loop [--seconds S] [--check] [--out FILE.json] [ROBOT]          default: 4 s at each rate, kuka-lwr
 *
 * What is timed lies between measuring and acting. The simulated robot moves after it, outside the clock. Page faults are those
 * of this thread between the two looks at the clock. System calls are counted apart, in a child that computes the same ticks
 * without sleeping under ptrace. --check: short, and status 1 where there is a call. */
#define _GNU_SOURCE /* RUSAGE_THREAD, ptrace, SCHED_FIFO */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arne/control.h"
#include "arne/file.h"
#include "arne/observe.h"
#include "arne/trajectory.h"
#include "base/fail.h"
#include "base/json.h"
#include "base/whole.h"

enum { MOST = 32, ORDER = 4, WARM = 1000, COUNTED = 10000, BINS = 80, PRIORITY = 80 };

/* ---- the robot and what ticks ---- */

typedef struct {
    int n;
    double period, t;
    arne_model *model;
    arne_data *real;
    arne_trajectory *path;
    arne_observer *observer;
    arne_detector *detector;
    arne_controller *controller;
    double q[MOST], qd[MOST], tau[MOST], reference[MOST * (ORDER + 1)];
    arne_detection contact;
    bool failed;
} loop;

/* From one side of the middle of its range to the other and back, every two seconds. */
static arne_status choose_path(loop *x, arne_error *e)
{
    double from[MOST], to[MOST];
    for (int i = 0; i < x->n; i++) {
        const arne_limits *l = arne_joint_limits(x->model, i);
        const double low = fmax(l->lower, -1), high = fmin(l->upper, 1);
        from[i] = x->q[i] = low + 0.3 * (high - low);
        to[i] = low + 0.6 * (high - low);
    }
    return arne_trajectory_rest_to_rest(x->n, 7, 0, 1, from, to, &x->path, e);
}

static arne_status loop_open(loop *x, const char *path, double period, arne_error *e)
{
    double threshold[MOST];
    for (int i = 0; i < MOST; i++) threshold[i] = 5;
    *x = (loop){.period = period};
    const arne_observer_options observe = {.size = sizeof observe, .period = period};
    const arne_control_options control = {.size = sizeof control, .kind = ARNE_CONTROL_COMPUTED_TORQUE, .period = period};
    arne_status status = arne_load(path, &x->model, e);
    if (status) return status;
    x->n = arne_model_nv(x->model);
    if (x->n > MOST || x->n != arne_model_joints(x->model))
        return UNSUPPORTED(e, "the loop wants up to %d joints of one freedom", (int)MOST);
    status = arne_data_new(x->model, &x->real, e);
    if (!status) status = choose_path(x, e);
    if (!status) status = arne_observer_new(arne_data_settings(x->real), &observe, &x->observer, e);
    if (!status) status = arne_detector_new(x->model, threshold, &x->detector, e);
    if (!status) status = arne_controller_new(arne_data_settings(x->real), &control, &x->controller, e);
    return status;
}

static void loop_close(loop *x)
{
    arne_controller_free(x->controller);
    arne_detector_free(x->detector);
    arne_observer_free(x->observer);
    arne_trajectory_free(x->path);
    arne_data_free(x->real);
    arne_model_free(x->model);
}

/* What a program on the robot does between measuring and acting. */
static void tick(loop *x)
{
    const double phase = fmod(x->t, 2);
    arne_trajectory_at(x->path, phase < 1 ? phase : 2 - phase, ORDER, x->reference);
    if (phase >= 1) /* the way back: odd derivatives change their sign */
        for (int k = 1; k <= ORDER; k += 2)
            for (int i = 0; i < x->n; i++) x->reference[k * x->n + i] *= -1;
    const arne_tick in = {.size = sizeof in, .q = x->q, .qd = x->qd, .reference = x->reference};
    x->failed |= arne_observer_tick(x->observer, x->q, x->qd, x->tau) != ARNE_OK;
    arne_detector_tick(x->detector, arne_observer_residual(x->observer), &x->contact);
    x->failed |= arne_control_tick(x->controller, &in, x->tau, NULL) != ARNE_OK;
}

/* What the robot does. */
static void move(loop *x)
{
    double qdd[MOST] = {0};
    x->failed |= arne_fd(x->real, x->q, x->qd, x->tau, qdd) != ARNE_OK;
    for (int i = 0; i < x->n; i++) {
        x->qd[i] += x->period * qdd[i];
        x->q[i] += x->period * x->qd[i];
    }
    x->t += x->period;
}

/* ---- system calls ---- */

/* The child says where the ticks begin and end by a call that they would not make. */
static void child(loop *x)
{
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    syscall(SYS_getppid);
    for (int k = 0; k < COUNTED; k++) tick(x), move(x);
    syscall(SYS_getppid);
    _exit(0);
}

/* Calls of the system in COUNTED ticks; -1: this machine does not let a program count them. */
static long count_calls(loop *x)
{
    const pid_t pid = fork();
    if (pid == 0) child(x);
    int status, marks = 0;
    long calls = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid) return -1;
    if (WIFSTOPPED(status)) ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    while (WIFSTOPPED(status)) {
        struct __ptrace_syscall_info info = {0};
        if (WSTOPSIG(status) == (SIGTRAP | 0x80) && ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) > 0 &&
            info.op == PTRACE_SYSCALL_INFO_ENTRY) {
            const bool mark = info.entry.nr == SYS_getppid;
            marks += mark;
            calls += marks == 1 && !mark;
        }
        if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL)) break;
        if (waitpid(pid, &status, 0) != pid) return -1;
    }
    return marks == 2 ? calls : -1;
}

/* ---- the loop ---- */

/* Four bins from each power of two to the next, the first at 2^-10 us. */
typedef struct {
    long bin[BINS];
    long count;
    double *all; /* us, to be sorted */
} histogram;

static void take(histogram *h, double us)
{
    const int k = us > 0 ? (int)floor(4 * (log2(us) + 10)) : 0;
    h->bin[k < 0 ? 0 : k >= BINS ? BINS - 1 : k]++;
    h->all[h->count++] = us;
}

typedef struct {
    double hz;
    long ticks, missed;
    long minor, major; /* page faults */
    histogram computing, late;
} run;

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1000000000 * (int64_t)t.tv_sec + t.tv_nsec;
}

static void sleep_until(int64_t ns)
{
    const struct timespec t = {ns / 1000000000, ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
}

static void go(loop *x, run *r)
{
    const int64_t period = (int64_t)(1e9 / r->hz);
    for (int k = 0; k < WARM; k++) tick(x), move(x);
    int64_t due = now() + period;
    for (long k = 0; k < r->ticks; k++, due += period) {
        sleep_until(due);
        struct rusage before, after;
        getrusage(RUSAGE_THREAD, &before);
        const int64_t begin = now();
        tick(x);
        const int64_t end = now();
        getrusage(RUSAGE_THREAD, &after);
        r->minor += after.ru_minflt - before.ru_minflt;
        r->major += after.ru_majflt - before.ru_majflt;
        take(&r->computing, 1e-3 * (double)(end - begin));
        take(&r->late, 1e-3 * (double)(begin - due));
        move(x);
        for (; end > due + period; due += period) r->missed++; /* too late for the next one: it is left out */
    }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- what it says ---- */

static const double rates[] = {1000, 10000};
enum { RATES = sizeof rates / sizeof *rates };

typedef struct {
    double seconds;
    bool check;
    const char *out, *robot;
    /* what was found */
    char name[64];
    int joints;
    const char *memory, *rank;
    long calls;
    run runs[RATES];
} bench;

static double part_of(const histogram *h, double share) { return h->all[(long)(share * (double)(h->count - 1))]; }

static void print_text(const run *r)
{
    printf("  %6.0f Hz: %ld ticks compute %.2f us (median), %.2f (99.9 %%), %.1f (longest); begin %.0f us late (median), %.0f "
           "(99.9 %%); %ld left out; page faults: %ld\n",
           r->hz, r->ticks, part_of(&r->computing, 0.5), part_of(&r->computing, 0.999), part_of(&r->computing, 1),
           part_of(&r->late, 0.5), part_of(&r->late, 0.999), r->missed, r->minor + r->major);
    fflush(stdout);
}

static void write_histogram(text_buffer *o, const char *key, const histogram *h)
{
    arne__json_open(o, key, '{');
    json_members(o, NUMBER("median", part_of(h, 0.5)), NUMBER("p999", part_of(h, 0.999)), NUMBER("longest", part_of(h, 1)));
    arne__json_open(o, "bins", '[');
    for (int k = 0; k < BINS; k++)
        if (h->bin[k])
            arne__json_numbers(o, NULL, (double[]){exp2(k / 4.0 - 10), exp2((k + 1) / 4.0 - 10), (double)h->bin[k]}, 3);
    arne__json_close(o, ']');
    arne__json_close(o, '}');
}

static arne_status write_json(const bench *b, arne_error *e)
{
    text_buffer o = {0};
    arne__json_open(&o, NULL, '{');
    json_members(&o, TEXT("robot", b->name), NUMBER("joints", b->joints), TEXT("memory", b->memory), TEXT("scheduled", b->rank),
                 NUMBER("counted_ticks", COUNTED), NUMBER("system_calls", b->calls < 0 ? NAN : (double)b->calls));
    arne__json_open(&o, "rates", '[');
    for (int i = 0; i < RATES; i++) {
        const run *r = &b->runs[i];
        arne__json_open(&o, NULL, '{');
        json_members(&o, NUMBER("hz", r->hz), NUMBER("ticks", r->ticks), NUMBER("left_out", r->missed),
                     NUMBER("minor_faults", r->minor), NUMBER("major_faults", r->major));
        write_histogram(&o, "computing_us", &r->computing);
        write_histogram(&o, "late_us", &r->late);
        arne__json_close(&o, '}');
    }
    arne__json_close(&o, ']');
    arne__json_close(&o, '}');
    const arne_status status = o.failed ? ARNE_NO_MEMORY : arne__whole_write(b->out, o.s, o.length, e);
    arne__text_free(&o);
    return status;
}

/* ---- the command ---- */

static arne_status one_rate(bench *b, int i, const char *path, arne_error *e)
{
    loop x;
    run *r = &b->runs[i];
    r->hz = rates[i];
    r->ticks = (long)(b->seconds * rates[i]);
    r->computing.all = calloc((size_t)r->ticks, sizeof(double));
    r->late.all = calloc((size_t)r->ticks, sizeof(double));
    if (!r->computing.all || !r->late.all) return NO_MEMORY(e);
    arne_status status = loop_open(&x, path, 1 / rates[i], e);
    if (!status && i == 0) {
        b->joints = x.n;
        b->calls = count_calls(&x);
        snprintf(b->name, sizeof b->name, "%s", arne_model_name(x.model));
        printf("a loop on %s, %d joints: observer and computed torque; memory %s, scheduled %s; system calls in %d ticks: ",
               b->name, x.n, b->memory, b->rank, (int)COUNTED);
        printf(b->calls < 0 ? "not counted, ptrace is not allowed here\n" : "%ld\n", b->calls);
        fflush(stdout);
    }
    if (!status) {
        go(&x, r);
        qsort(r->computing.all, (size_t)r->ticks, sizeof(double), by_size);
        qsort(r->late.all, (size_t)r->ticks, sizeof(double), by_size);
        print_text(r);
        if (x.failed) status = arne_fail(e, ARNE_NOT_FINITE, NULL, 0, "a tick had no answer");
    }
    loop_close(&x);
    return status;
}

static bool read_arguments(int argc, char **argv, bench *b)
{
    for (int i = 1; i < argc; i++) {
        char *end = "";
        if (!strcmp(argv[i], "--check"))
            b->check = true, b->seconds = 0.2;
        else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
            b->seconds = strtod(argv[++i], &end);
        else if (!strcmp(argv[i], "--out") && i + 1 < argc)
            b->out = argv[++i];
        else if (argv[i][0] != '-')
            b->robot = argv[i];
        else
            return false;
        if (*end || !(b->seconds >= 0.01 && b->seconds <= 600)) return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    bench b = {.seconds = 4, .robot = "kuka-lwr"};
    if (!read_arguments(argc, argv, &b)) {
        fprintf(stderr, "usage: loop [--seconds 0.01...600] [--check] [--out FILE.json] [ROBOT]\n");
        return 2;
    }
    b.memory = mlockall(MCL_CURRENT | MCL_FUTURE) ? "not locked (not allowed)" : "locked";
    b.rank = sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){PRIORITY}) ? "as any other program (SCHED_FIFO not allowed)"
                                                                                : "SCHED_FIFO";
    char *path = NULL;
    arne_error e = {0};
    arne_status status = arne_robot_find(b.robot, &path, &e);
    for (int i = 0; i < RATES && !status; i++) status = one_rate(&b, i, path, &e);
    if (!status && b.out) status = write_json(&b, &e);
    if (status) fprintf(stderr, "loop: %s\n", e.message);
    for (int i = 0; i < RATES; i++) {
        free(b.runs[i].computing.all);
        free(b.runs[i].late.all);
    }
    free(path);
    return status || (b.check && b.calls > 0);
}
