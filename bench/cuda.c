/* SPDX-License-Identifier: MIT
 *
 * cuda.c - what a GPU computes a second, by arne_cuda: inverse and forward dynamics and their derivatives, small batches,
 * rollouts of robots with loads of their own beside one core with generated lanes, and whether the bits are those of the
 * processor. For machines with an NVIDIA GPU and the run-time compiler of CUDA; cc and c++ compile what runs on the processor.
 * doc/gpu.md
 *
 *     cuda_bench [ROBOT [cuda.json]]       default: kuka-lwr; the rows of the bench page (bench/README.md) go to the file */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arne/codegen.h"
#include "arne/cuda.h"
#include "arne/file.h"

enum { STATES = 1 << 21, COMPARED = 1 << 12, REPEATS = 9, ROLLED = 1 << 20, STEPS = 1000, LANES = 8 };

static const char *const names[] = {"id", "fd", "did", "dfd"};
enum { NAMES = sizeof names / sizeof *names };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void ok(arne_cuda *c, arne_status status, const char *doing)
{
    if (!status) return;
    fprintf(stderr, "cuda_bench: %s: %s: %s\n", doing, arne_status_words(status), c ? arne_cuda_message(c) : "");
    exit(1);
}

/* numbers in -3 ... 3, the same everywhere */
static double drawn(size_t i)
{
    unsigned h = (unsigned)i * 2654435761u;
    h ^= h >> 15, h *= 2246822519u, h ^= h >> 13;
    return (h & 0xffffff) * (6.0 / 16777216) - 3;
}

static void *filled(arne_cuda *c, size_t count, size_t from, bool single)
{
    double *x = malloc(count * sizeof *x);
    float *y = malloc(count * sizeof *y);
    void *device;
    for (size_t i = 0; i < count; i++) x[i] = drawn(from + i), y[i] = (float)x[i];
    ok(c, arne_cuda_alloc(c, count * (single ? 4 : 8), &device), "states");
    ok(c, arne_cuda_put(c, device, single ? (void *)y : x, count * (single ? 4 : 8)), "states");
    free(x), free(y);
    return device;
}

/* ---- the same code on the processor ---- */

/* compiles a text and loads it; NULL: it cannot be */
static void *compiled(const char *compiler, const char *text)
{
    char path[] = "/tmp/arne_bench_XXXXXX", command[200];
    const int file = mkstemp(path);
    if (file < 0) return NULL;
    close(file);
    snprintf(command, sizeof command, "%s -shared -fPIC -ffp-contract=off - -o %s", compiler, path);
    FILE *f = popen(command, "w");
    if (!f) return NULL;
    fputs(text, f);
    void *library = pclose(f) ? NULL : dlopen(path, RTLD_NOW);
    remove(path);
    return library;
}

typedef void batch_fn(long n, const void *q, const void *qd, const void *x, void *out);

static char *joined(const char *a, const char *b)
{
    char *s = malloc(strlen(a) + strlen(b) + 1);
    strcpy(s, a);
    return strcat(s, b);
}

static long different(arne_cuda *c, const arne_data *d, bool single, const char *name, int nout, const void *q, const void *qd,
                      const void *x)
{
    static void *library[2];
    const int n = arne_model_nv(arne_data_model(d)), bytes = single ? 4 : 8;
    const size_t in = (size_t)(n * COMPARED * bytes), out = (size_t)(nout * COMPARED * bytes);
    if (!library[single]) {
        const arne_codegen_options o = {.size = sizeof o, .name = "g", .what = "id,fd,did,dfd", .cuda = true};
        arne_code *code;
        ok(NULL, arne_codegen(d, &o, &code, NULL), "code");
        char doors[2000] = "", *text;
        for (int k = 0; k < NAMES; k++) {
            char line[300];
            const char *T = single ? "float" : "double";
            snprintf(line, sizeof line,
                     "extern \"C\" void run_%s(long n, const void *q, const void *v, const void *x, void *y) { g_%s_batch(n, "
                     "(const %s "
                     "*)q, (const %s *)v, (const %s *)x, (%s *)y); }\n",
                     names[k], names[k], T, T, T, T);
            strcat(doors, line);
        }
        text = joined(code->header, doors);
        library[single] = compiled("c++ -x c++ -std=c++17 -O1", text);
        free(text);
        arne_code_free(code);
    }
    if (!library[single]) return -1;
    char door[32], *host[4] = {malloc(in), malloc(in), malloc(in), malloc(out)}, *device = malloc(out);
    void *result;
    snprintf(door, sizeof door, "run_%s", name);
    void *found = dlsym(library[single], door);
    batch_fn *run;
    memcpy(&run, &found, sizeof found);
    ok(c, arne_cuda_alloc(c, out, &result), "results");
    const arne_cuda_state s = {q, qd, x, x, NULL, NULL};
    ok(c, arne_cuda_run(c, name, NULL, COMPARED, &s, result), name);
    ok(c, arne_cuda_get(c, device, result, out), name);
    ok(c, arne_cuda_get(c, host[0], q, in), "q");
    ok(c, arne_cuda_get(c, host[1], qd, in), "qd");
    ok(c, arne_cuda_get(c, host[2], x, in), "x");
    run(COMPARED, host[0], host[1], host[2], host[3]);
    long count = 0;
    for (int i = 0; i < nout * COMPARED; i++) count += memcmp(host[3] + i * bytes, device + i * bytes, (size_t)bytes) != 0;
    arne_cuda_release(c, result);
    for (int i = 0; i < 4; i++) free(host[i]);
    free(device);
    return count;
}

/* ---- throughput ---- */

static arne_cuda *opened(const arne_data *d, arne_cuda_options o)
{
    arne_error error = {0};
    arne_cuda *c;
    const double began = now();
    o.size = sizeof o;
    if (arne_cuda_new(d, &o, &c, &error)) {
        fprintf(stderr, "cuda_bench: %s\n", error.message);
        exit(1);
    }
    printf("opened on %s in %.1f s (%s%s%s%s)\n", arne_cuda_device_name(c), now() - began, o.single ? "f32" : "f64",
           o.fma ? ", FMA" : "", o.turns ? ", sines of the device" : "", o.live ? ", live parameters" : "");
    return c;
}

static void throughput(const arne_data *d, const char *robot, bool single, bool fma, bool turns, FILE *json)
{
    arne_cuda *c = opened(d, (arne_cuda_options){.what = "id,fd,did,dfd", .single = single, .fma = fma, .turns = turns});
    const size_t n = (size_t)arne_model_nv(arne_data_model(d));
    void *q = filled(c, n * STATES, 0, single), *qd = filled(c, n * STATES, n * STATES, single);
    void *x = filled(c, n * STATES, 2 * n * STATES, single), *out;
    ok(c, arne_cuda_alloc(c, 3 * n * n * STATES * (single ? 4 : 8), &out), "results");
    const arne_cuda_state s = {q, qd, x, x, NULL, NULL};
    for (int k = 0; k < NAMES; k++) {
        const int nout = arne_quantity_size(arne_quantity_find(names[k]), arne_data_model(d)), turn = k < 2 ? 20 : 4;
        double t[REPEATS];
        ok(c, arne_cuda_run(c, names[k], NULL, STATES, &s, out), names[k]);
        ok(c, arne_cuda_wait(c, NULL), names[k]);
        for (int i = 0; i < REPEATS; i++) {
            const double began = now();
            for (int j = 0; j < turn; j++) ok(c, arne_cuda_run(c, names[k], NULL, STATES, &s, out), names[k]);
            ok(c, arne_cuda_wait(c, NULL), names[k]);
            t[i] = (now() - began) / turn;
        }
        qsort(t, REPEATS, sizeof *t, ascending);
        const double rate = STATES / t[REPEATS / 2];
        printf("  %-4s %8.3f thousand million states a second, %6.0f GB/s", names[k], rate * 1e-9,
               rate * (3.0 * (double)n + nout) * (single ? 4e-9 : 8e-9));
        if (!fma && !turns) {
            const long count = different(c, d, single, names[k], nout, q, qd, x);
            if (count < 0)
                printf(", bits not compared: no c++");
            else
                printf(", %ld of %d entries differ from the processor", count, nout * COMPARED);
        }
        puts("");
        if (json)
            fprintf(json, "%s{\"robot\": \"%s\", \"quantity\": \"%s\", \"variant\": \"CUDA %s\", \"states_per_second\": %.4g}",
                    ftell(json) > 1 ? ",\n" : "\n", robot, names[k], single ? fma ? "f32 FMA" : "f32" : "f64", rate);
    }
    void *all[] = {q, qd, x, out};
    for (int i = 0; i < 4; i++) arne_cuda_release(c, all[i]);
    if (single && fma && !turns) {
        for (int count = 128; count <= 1024; count *= 8) {
            arne_cuda_mapped *m;
            double t[1001];
            ok(c, arne_cuda_mapped_new(c, "did", (size_t)count, &m), "mapped");
            for (int i = 0; i < count * (int)n; i++)
                ((float *)m->q)[i] = ((float *)m->qd)[i] = ((float *)m->qdd)[i] = (float)drawn((size_t)i);
            for (int i = 0; i < 1001; i++) {
                const double began = now();
                ok(c, arne_cuda_mapped_run(c, m), "mapped");
                t[i] = now() - began;
            }
            qsort(t, 1001, sizeof *t, ascending);
            printf("  %d states of did with transfers: %.1f us (median of 1001, 99 %% %.1f us)\n", count, t[500] * 1e6,
                   t[990] * 1e6);
            arne_cuda_mapped_free(c, m);
        }
    }
    arne_cuda_free(c);
}

/* ---- rollouts ---- */

/* The same law and rule on lanes of generated code; the robot's numbers are burnt in, which a processor likes better. */
static const char lanes_text[] =
    "\nvoid roll(int steps, double h, const double *kp, const double *kd, const double *ref, double *q, double *v)\n{\n"
    "    enum { N = g_dof, L = 8 };\n    static const double at[4] = {0.5, 0.5, 1, 0}, w[4] = {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / "
    "6};\n"
    "    double Q[N * L], V[N * L], tau[N * L], a[N * L], su[N * L], sv[N * L];\n"
    "    for (int s = 0; s < steps; s++) {\n"
    "        for (int i = 0; i < N * L; i++) {\n"
    "            tau[i] = kp[i / L] * (ref[i] - q[i]) - kd[i / L] * v[i];\n            Q[i] = q[i], V[i] = v[i], su[i] = sv[i] = "
    "0;\n"
    "        }\n        for (int g = 0; g < 4; g++) {\n            g_fd_x8(Q, V, tau, a);\n"
    "            for (int i = 0; i < N * L; i++) {\n                su[i] += w[g] * V[i], sv[i] += w[g] * a[i];\n"
    "                Q[i] = q[i] + h * at[g] * V[i], V[i] = v[i] + h * at[g] * a[i];\n            }\n        }\n"
    "        for (int i = 0; i < N * L; i++) q[i] += h * su[i], v[i] += h * sv[i];\n    }\n}\n";
typedef void roll_fn(int steps, double h, const double *kp, const double *kd, const double *ref, double *q, double *v);

/* seconds of one core for a robot and a step, and where it ends; 0: no compiler */
static double one_core(const arne_data *d, const double *kp, const double *kd, double reference, double *end)
{
    const arne_codegen_options o = {.size = sizeof o, .name = "g", .what = "fd", .lanes = LANES};
    const int n = arne_model_nv(arne_data_model(d));
    arne_code *code;
    ok(NULL, arne_codegen(d, &o, &code, NULL), "code");
    const char *source = strstr(code->source, "#include <math.h>");
    char *start = joined(code->header, source), *text = joined(start, lanes_text);
    void *library = compiled("cc -x c -std=c11 -O3 -march=native -mtune=generic", text);
    free(start), free(text);
    arne_code_free(code);
    void *found = library ? dlsym(library, "roll") : NULL;
    roll_fn *roll;
    memcpy(&roll, &found, sizeof found);
    if (!found) return 0;
    double best = 1e9, *q = malloc((size_t)(n * LANES) * sizeof *q), *v = malloc((size_t)(n * LANES) * sizeof *v);
    double *ref = malloc((size_t)(n * LANES) * sizeof *ref);
    for (int k = 0; k < 41; k++) {
        for (int i = 0; i < n * LANES; i++) q[i] = v[i] = 0, ref[i] = reference;
        const double began = now();
        roll(STEPS, 1e-3, kp, kd, ref, q, v);
        const double t = (now() - began) / (LANES * (double)STEPS);
        if (t < best) best = t;
    }
    for (int i = 0; i < n; i++) end[i] = q[i * LANES];
    free(q), free(v), free(ref);
    return best;
}

static void rollouts(const arne_data *data, arne_model *m)
{
    arne_cuda *c = opened(data, (arne_cuda_options){.what = "fd,dfd", .live = true});
    const int n = arne_model_nv(m), np = arne_cuda_parameters(c), link = arne_model_tip(m);
    double kp[64], kd[64], end[64] = {0}, *rows = malloc(2 * (size_t)np * sizeof *rows),
                           *weight = malloc(2 * ROLLED * sizeof *weight);
    double *ref = malloc((size_t)n * ROLLED * sizeof *ref);
    arne_data *d;
    ok(NULL, arne_data_new(m, &d, NULL), "data");
    arne_settings *s = arne_data_settings(d);
    arne_set_rigid(s, true);
    const arne_body load = {.mass = 1, .com = {0.05, 0, 0.1}, .inertia = {0.01, 0, 0, 0.01, 0, 0.005}};
    ok(c, arne_cuda_parameter_values(c, s, rows), "parameters");
    ok(c, arne_set_payload(s, link, &load), "payload");
    ok(c, arne_cuda_parameter_values(c, s, rows + np), "parameters");
    for (size_t k = 0; k < ROLLED; k++)
        weight[ROLLED + k] = 3.0 * (double)k / ROLLED, weight[k] = 1 - weight[ROLLED + k]; /* 0 ... 3 kg */
    double *M = malloc((size_t)(n * n) * sizeof *M);
    memset(end, 0, sizeof end);
    arne_mass(d, end, M);
    for (int i = 0; i < n; i++) kp[i] = 100 * M[i * n + i], kd[i] = 20 * M[i * n + i]; /* back in a tenth of a second */
    free(M);
    for (size_t i = 0; i < (size_t)n * ROLLED; i++) ref[i] = 0.1;
    const struct {
        const void *from;
        size_t count;
    } in[] = {{weight, 2 * ROLLED}, {ref, (size_t)n * ROLLED}, {kp, (size_t)n}, {kd, (size_t)n}};
    void *at[4], *parameters, *zero, *q;
    for (int i = 0; i < 4; i++) {
        ok(c, arne_cuda_alloc(c, in[i].count * 8, &at[i]), "memory");
        ok(c, arne_cuda_put(c, at[i], in[i].from, in[i].count * 8), "memory");
    }
    memset(ref, 0, (size_t)n * ROLLED * sizeof *ref);
    ok(c, arne_cuda_alloc(c, (size_t)np * ROLLED * 8, &parameters), "memory");
    ok(c, arne_cuda_alloc(c, (size_t)n * ROLLED * 8, &zero), "memory");
    ok(c, arne_cuda_alloc(c, (size_t)n * ROLLED * 8, &q), "memory");
    ok(c, arne_cuda_put(c, zero, ref, (size_t)n * ROLLED * 8), "memory");
    ok(c, arne_cuda_mix(c, NULL, ROLLED, 2, rows, at[0], parameters), "loads");
    arne_cuda_rollout_arrays x = {.size = sizeof x,
                                  .step = 1e-3,
                                  .steps = 10,
                                  .q = zero,
                                  .qd = zero,
                                  .parameters = parameters,
                                  .reference = at[1],
                                  .kp = at[2],
                                  .kd = at[3],
                                  .positions = q};
    ok(c, arne_cuda_rollout(c, NULL, ROLLED, &x), "rollout");
    ok(c, arne_cuda_wait(c, NULL), "rollout");
    x.steps = STEPS;
    const double began = now();
    ok(c, arne_cuda_rollout(c, NULL, ROLLED, &x), "rollout");
    ok(c, arne_cuda_wait(c, NULL), "rollout");
    const double t = now() - began, core = one_core(data, kp, kd, 0.1, end) * ROLLED * STEPS;
    ok(c, arne_cuda_get(c, ref, q, (size_t)n * ROLLED * 8), "positions");
    double off = 0;
    for (int i = 0; i < n; i++) off += fabs(ref[(size_t)i * ROLLED] - end[i]); /* what is no number stays none */
    printf(
        "  %d robots with loads of 0 to 3 kg, %d steps (RK4, PD law): %.3f s, %.2f thousand million forward dynamics a second\n",
        ROLLED, STEPS, t, 4e-9 * ROLLED * STEPS / t);
    printf("  one core with generated lanes, without loads of their own: %.1f s, %.0f times as long; the first robot ends %.1e "
           "rad apart\n",
           core, core / t, off);
    enum { FEW = 1 << 14, SHORT = 50 };
    void *A, *B;
    ok(c, arne_cuda_alloc(c, (size_t)(4 * n * n * SHORT) * FEW * 8, &A), "A");
    ok(c, arne_cuda_alloc(c, (size_t)(2 * n * n * SHORT) * FEW * 8, &B), "B");
    x.steps = SHORT, x.A = A, x.B = B;
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        const double from = now();
        ok(c, arne_cuda_rollout(c, NULL, FEW, &x), "Jacobians");
        ok(c, arne_cuda_wait(c, NULL), "Jacobians");
        best = fmin(best, now() - from);
    }
    printf("  A and B of %d robots, %d steps: %.1f ms, %.1f million steps with Jacobians a second\n", FEW, SHORT, best * 1e3,
           1e-6 * FEW * SHORT / best);
    arne_data_free(d);
    arne_cuda_free(c);
    free(rows), free(weight), free(ref);
}

int main(int count, char **words)
{
    const char *robot = count > 1 ? words[1] : "kuka-lwr";
    char *path;
    arne_model *m;
    arne_data *d;
    arne_error error = {0};
    FILE *json = count > 2 ? fopen(words[2], "w") : NULL;
    if (count > 2 && !json) return perror(words[2]), 1;
    if (arne_robot_find(robot, &path, &error) || arne_load(path, &m, &error) || arne_data_new(m, &d, &error)) {
        fprintf(stderr, "cuda_bench: %s\n", error.message);
        return 1;
    }
    free(path);
    arne_set_rigid(arne_data_settings(d), true);
    printf("%s, rigid, %d states in device memory, median of %d\n", arne_model_name(m), STATES, REPEATS);
    if (json) fputc('[', json);
    throughput(d, arne_model_name(m), false, false, false, json);
    throughput(d, arne_model_name(m), false, true, false, NULL);
    throughput(d, arne_model_name(m), true, false, false, json);
    throughput(d, arne_model_name(m), true, true, false, json);
    throughput(d, arne_model_name(m), true, true, true, NULL);
    rollouts(d, m);
    if (json) fputs("\n]\n", json), fclose(json);
    arne_data_free(d);
    arne_model_free(m);
    return 0;
}
