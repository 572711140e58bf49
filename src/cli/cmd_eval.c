/* SPDX-License-Identifier: MIT
 *
 * cmd_eval.c - evaluates the robot's equations, one result for each row of the input. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/elastic.h"
#include "cli/eval_block.h"

typedef eval_job job;

static bool wants(const job *j, const char *name)
{
    for (int i = 0; i < j->count; i++)
        if (!strcmp(j->wanted[i].name, name)) return true;
    return false;
}

/* --want id,mass,... */
static int take_wanted(const arguments *a, job *j)
{
    const char *text = option_value(a, "want");
    if (!text) return misuse("eval needs a list of what to compute: --want id,mass,... (see: arne help eval)");
    for (bool last = false; !last;) {
        char name[64];
        size_t n = strcspn(text, ",");
        last = !text[n];
        const char *next = text + n + 1;
        while (n && *text == ' ') text++, n--;
        while (n && text[n - 1] == ' ') n--;
        if (!n || n >= sizeof name) return misuse("--want %s: it takes names with commas between them", option_value(a, "want"));
        memcpy(name, text, n);
        name[n] = 0;
        const char *ours = alias_quantity(name);
        if (ours && !option_given(a, "quiet")) note("arne calls %s: %s", name, ours);
        if (ours) snprintf(name, sizeof name, "%s", ours);
        if (wants(j, name)) return misuse("--want: %s is there twice", name);
        int status = quantity_find(name, &j->wanted[j->count]);
        if (status) return status;
        j->count++; /* each name once: never more than the list holds */
        text = next;
    }
    return CLI_OK;
}

/* One --method for id or fd, whichever knows it; both if both do. */
static int take_method(const arguments *a, job *j)
{
    static const struct {
        const char *name;
        int method;
    } of_fd[] = {{"aba", FD_ABA}, {"crba", FD_CRBA}, {"wo1", ARNE_NE}, {"mrnea", ARNE_MRNEA}};
    const char *method = option_value(a, "method");
    j->e.id_method = ARNE_NE;
    j->e.fd_method = FD_ABA;
    if (!method) return CLI_OK;
    bool known = false, used = false;
    nearest near = {.word = method};
    for (int k = 0; k < ARNE_FORMULATION_COUNT; k++) arne__nearest_offer(&near, arne_formulation_name((arne_formulation)k));
    for (size_t k = 0; k < sizeof of_fd / sizeof *of_fd; k++) {
        arne__nearest_offer(&near, of_fd[k].name);
        if (strcmp(of_fd[k].name, method)) continue;
        known = true;
        if (wants(j, "fd")) j->e.fd_method = of_fd[k].method, used = true;
    }
    if (arne_formulation_find(method) >= 0) {
        known = true;
        if (wants(j, "id")) j->e.id_method = arne_formulation_find(method), used = true;
    }
    if (used) return CLI_OK;
    if (known)
        return misuse("--method %s is of no use to what is wanted: it is a way to %s (see: arne help eval)", method,
                      arne_formulation_find(method) >= 0 ? "compute id" : "compute fd");
    char hint[192];
    return misuse("--method: there is no \"%s\"%s (see: arne help eval)", method, arne__nearest_hint(&near, hint, sizeof hint));
}

static void take_factor(const arguments *a, job *j)
{
    static const arne_factor_choice values[] = {ARNE_STAR0001, ARNE_STAR1110, ARNE_CHRISTOFFEL_FACTOR};
    j->e.factor = values[option_word(a, "factor", 2)];
    j->e.star = values[option_word(a, "star", 0)];
}

static int take_link(const arguments *a, job *j)
{
    j->e.frame = option_frame(a, "jacobian-frame");
    const char *name = option_value(a, "link");
    j->e.link = arne_model_tip(j->e.robot->model);
    return name ? robot_link(j->e.robot, name, &j->e.link) : CLI_OK;
}

/* --dt and --policy of achievable */
static int take_step(const arguments *a, job *j)
{
    j->e.step = (arne_cycle_options){.size = sizeof j->e.step, .policy = (arne_policy)option_word(a, "policy", 0)};
    if (!wants(j, "achievable")) return CLI_OK;
    if (!option_given(a, "dt")) return misuse("achievable needs the time from qd to qdnext: --dt SECONDS");
    return take_interval(a, &j->e.step.dt);
}

/* formulations of the documents for joints of one freedom each */
static int check_method(const robot *r, int method)
{
    const char *why =
        arne_model_nq(r->model) == arne_model_nv(r->model) ? NULL : arne_formulation_narrow((arne_formulation)method);
    return why ? complain_at(r->path, 0, "--method %s is for robots whose joints have one freedom each: %s",
                             arne_formulation_name((arne_formulation)method), why)
               : CLI_OK;
}

static int make_room(job *j)
{
    const arne_model *m = j->e.robot->model;
    j->e.torques = calloc((size_t)arne_model_dof(m) + 1, sizeof(double));
    j->e.saturated = calloc((size_t)arne_model_dof(m) + 1, sizeof(bool));
    if (!j->e.torques || !j->e.saturated) return no_memory();
    int status = wants(j, "elastic") ? elastic_open(j->e.robot, &j->e.flex) : CLI_OK;
    if (!status && (wants(j, "regressor") || wants(j, "dfd_parameters") || wants(j, "base_regressor")))
        status = linear_open(&j->e, wants(j, "base_regressor"));
    if (status) return status;
    j->e.data = robot_data(j->e.robot);
    if (!j->e.data) return CLI_FAILED;
    const unsigned needs = (wants(j, "did") || wants(j, "dfd") ? ARNE_DERIVATIVES : 0) |
                           (wants(j, "achievable") ? ARNE_LIMITS : 0) |
                           (j->e.id_method != ARNE_NE || j->e.fd_method >= 0 ? ARNE_FORMS : 0);
    arne_error error = {0};
    status = check_method(j->e.robot, j->e.id_method);
    if (!status && j->e.fd_method >= 0) status = check_method(j->e.robot, j->e.fd_method);
    return status ? status : checked(arne_data_prepare(j->e.data, needs, &error), &error);
}

static int run_job(const arguments *a, const robot *r, job *j)
{
    j->e.robot = r;
    j->e.input = &j->in;
    int status = take_link(a, j);
    unsigned needs = 0;
    for (int i = 0; i < j->count; i++) needs |= j->wanted[i].inputs;
    if (!status) status = input_open(a, r, needs, &j->in);
    if (!status) status = make_room(j);
    if (!status) status = eval_rows(a, j);
    free(j->e.torques);
    free(j->e.saturated);
    arne_flex_free(j->e.flex);
    linear_close(&j->e);
    arne_data_free(j->e.data);
    input_close(&j->in);
    return status;
}

/* --out and --threads */
static int take_out(const arguments *a, job *j)
{
    double threads = 1;
    j->path = option_value(a, "out");
    const char *dot = j->path ? strrchr(j->path, '.') : NULL;
    if (j->path && dot && !strcmp(dot, ".csv")) j->format = FORMAT_CSV;
    if (j->path && !arne_table_is(j->path) && j->format == FORMAT_TEXT && !option_given(a, "format"))
        return misuse("--out %s: its name should end in .npy, .h5 or .csv, or say which --format it has", j->path);
    const int status = option_number(a, "threads", 1, true, MOST_THREADS, "a number of threads", &threads);
    j->threads = (int)threads;
    return !status && threads != rint(threads) ? misuse("--threads takes a whole number") : status;
}

static int evaluate(const arguments *a, ranks *of)
{
    job j = {.format = (format)option_word(a, "format", FORMAT_TEXT), .fast = option_given(a, "fast"), .ranks = of};
    take_factor(a, &j);
    linear_options(a, &j.e);
    int status = take_wanted(a, &j);
    if (!status) status = take_method(a, &j);
    if (!status) status = take_step(a, &j);
    if (!status) status = take_out(a, &j);
    robot r;
    if (!status) status = robot_open_any(a, a->words[0], &r);
    if (status) return status;
    const char *missing = r.rigid ? NULL : r.description->unmodelled;
    bool forward = false;
    for (int i = 0; i < j.count; i++) forward = forward || j.wanted[i].inputs & ARNE_TAU;
    if (missing && forward) {
        status = complain("%s, so accelerations would be wrong; --rigid gives those of the bodies alone", missing);
        robot_close(&r);
        return status;
    }
    status = run_job(a, &r, &j);
    robot_close(&r);
    return status;
}

static bool is_stream(const char *path)
{
    struct stat about;
    return !strcmp(path, "-") || (!stat(path, &about) && (S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode)));
}

static int run(const arguments *a)
{
    ranks r;
    const char *in = option_value(a, "in");
    int status = ranks_begin(&r);
    if (status) return status;
    status = r.count > 1 && in && is_stream(in) ? misuse("--in %s: several ranks share the rows of a file, not of a pipe", in)
                                                : evaluate(a, &r);
    return ranks_end(&r, status);
}

static void print_quantities(FILE *to)
{
    fputs("LIST:\n", to);
    quantity q;
    for (int i = 0; quantity_at(i, &q); i++) fprintf(to, "  %-17s%s\n", q.name, q.help);
    fputs("\n--method NAME, ways to compute id:\n", to);
    for (int k = 0; k < ARNE_FORMULATION_COUNT; k++)
        fprintf(to, "  %-20s%s\n", arne_formulation_name((arne_formulation)k), arne_formulation_about((arne_formulation)k));
    fputs("ways to compute fd:\n"
          "  aba                 articulated bodies (default) [003 9.7.2]\n"
          "  crba                inertia matrix by composite bodies [003 9.7.1]\n"
          "  wo1                 inertia matrix column by column: Walker and Orin's first method [003 eq. 9.97]\n"
          "  mrnea               inertia matrix and bias in one pass [001]\n",
          to);
}

static const option options[] = {
    {"want", "LIST", false, "what to compute, names with commas between them: see above"},
    {"in", "FILE", false,
     "states: CSV with a header, - is standard input; .npy, one float64 array; .h5, datasets /q, /qd, ...; default: a row of "
     "zeros"},
    {"columns", "LIST", false, "what the columns of an .npy file are, e.g. q,qd,tau; default: q, qd, qdd, tau as far as they go"},
    {"out", "FILE", false,
     "results into a file: .npy, the numbers of LIST side by side; .h5, a dataset each; .csv. It appears whole or not at all"},
    {"threads", "N", false, "so many at once, 1 unless told; the numbers are the same, bit for bit"},
    {"fast", NULL, false,
     "by C code of this robot alone, compiled once by $CC or cc and kept in $XDG_CACHE_HOME/arne or ~/.cache/arne"},
    {"state", "NAME", false, "instead: a state that the robot file has by a name, as the keyframes of MJCF"},
    INPUT_DEGREES_OPTION,
    {"differentiate", NULL, false,
     "qd and qdd that FILE lacks are made from t and q by centred differences, without delay; noise is not smoothed"},
    {"format", "text|json|csv", false, "tables; JSON, one object a row; CSV, one line a row"},
    {"method", "NAME", false, "another way to compute id or fd: see above"},
    {"dt", "SECONDS", false, "achievable: time of the interpolation cycle"},
    {"policy", "keep|resolve", false,
     "achievable: joints that do not saturate keep their accelerations (default), or their torques [001 eq. 44]"},
    {"factor", "star0001|star1110|christoffel", false, "which Coriolis matrix; default: christoffel"},
    {"star", "0001|1110", false, "which NE*; default: 0001"},
    {"order", "symoro|khalil|pinocchio", false,
     "parameters of a link in the columns of regressor and dfd_parameters; default: symoro"},
    {"friction-columns", NULL, false, "regressor, dfd_parameters: also FV and FS of every joint, after the others"},
    {"wrench", "LINK=fx,fy,fz,mx,my,mz[@x,y,z]", true, "acts ON the link at its origin, or at a point in link axes (repeatable)"},
    {"wrench-frame", "local|world|aligned", false, "axes of the wrenches; default: aligned, world axes at the link's origin"},
    {"link", "LINK", false, "link of pose, velocity and jacobian; default: the deepest beyond the last moving joint, or --tool"},
    {"jacobian-frame", "local|world|aligned", false, "axes of jacobian and velocity; default: aligned"},
    {0},
};

const command command_eval = {
    .name = "eval",
    .synopsis = "ROBOT --want LIST [--in FILE]",
    .brief = "Evaluates the robot's equations, one result for each row of the input",
    .details = print_quantities,
    .text = "Columns of FILE: t; q1 ... qn, qd1 ..., qdd1 ..., qddd1 ..., qdddd1 ..., tau1 ..., qa1 ..., qnext1 ...,\n"
            "qdnext1 ... in the order of `arne info`, or the same with joint names (q.JOINT); w.LINK.fx ... w.LINK.mz for a\n"
            "wrench on a link. A group that is absent is zero; of a log (t, qd or tau) this is said. What other commands of\n"
            "arne write besides (qr1 ..., hand.x, contact, ...) is passed over; a name that nobody knows is an error.\n"
            "\n"
            "A free joint (--base free adds one called base) has seven positions, q.JOINT.x .y .z and the quaternion\n"
            "q.JOINT.qx .qy .qz .qw, and six velocities, qd.JOINT.vx .vy .vz .wx .wy .wz of the link's origin in the\n"
            "axes of the link; its torques are the force and moment on the link in these axes.\n"
            "\n"
            "With --fast id, mass, bias, gravity and momentum stay as they are (a zero may change its sign), others may\n"
            "change in their last digits. What the code does not have, or everything where there is no compiler, is computed\n"
            "as ever, which is said.\n"
            "mpirun -n K arne eval ... shares the rows among K processes and writes the same bytes.\n",
    .options = options,
    ONE_ROBOT,
    .example = "  printf 'q1,q2\\n0,0\\n0.5,-0.2\\n' | @ eval planar2r --want id,mass --in -\n"
               "  @ eval puma560 --want gravity,pose --format json\n",
    .run = run,
};
