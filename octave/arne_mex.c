/* SPDX-License-Identifier: MIT
 *
 * arne_mex.c - arne for Octave and MATLAB: one MEX file behind the functions arne_*.m, by public headers and mex.h alone. Robots
 * stay here, in a list; a script holds their numbers. What fails raises an error in arne's words and leaves nothing behind. */
#include <mex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/arne.h"
#include "arne/file.h"

enum { LONGEST = 4096, INPUTS = 5 };

/* A robot with settings of its own. Those of one file share the model. */
typedef struct {
    arne_model *model;
    int users;
} core;

typedef struct {
    uint64_t number;
    bool whole; /* else it was being made when something failed */
    core *core;
    arne_settings *settings;
    arne_data *data;
} robot;

static robot *robots;
static size_t count;
static uint64_t last;
static bool locked;

#define RAISE(...) mexErrMsgIdAndTxt("arne:error", __VA_ARGS__)

static void complain(const arne_error *e)
{
    char where[300] = "";
    if (e->file[0] && e->line > 0)
        snprintf(where, sizeof where, "%s:%d: ", e->file, e->line);
    else if (e->file[0])
        snprintf(where, sizeof where, "%s: ", e->file);
    RAISE("%s%s", where, e->message[0] ? e->message : arne_status_words(e->status));
}

/* ---- the list ---- */

static void drop(robot *r)
{
    arne_data_free(r->data);
    arne_settings_free(r->settings);
    if (r->core && --r->core->users == 0) {
        arne_model_free(r->core->model);
        free(r->core);
    }
}

static void drop_all(void)
{
    for (size_t i = 0; i < count; i++) drop(&robots[i]);
    free(robots);
    robots = NULL;
    count = 0;
}

/* Drops what was not finished. While there are robots this file stays loaded: `clear all` would lose those of variables. */
static void tidy(void)
{
    for (size_t i = count; i-- > 0;)
        if (!robots[i].whole) {
            drop(&robots[i]);
            robots[i] = robots[--count];
        }
    if (locked == (count > 0)) return;
    locked = count > 0;
    if (locked)
        mexLock();
    else
        mexUnlock();
}

/* Puts a robot into the list, or drops it and raises. */
static robot *keep(robot r)
{
    arne_error e = {0};
    e.status = arne_data_share(r.settings, &r.data, &e);
    if (!e.status) e.status = arne_data_prepare(r.data, ARNE_BATCHES, &e);
    robot *more = e.status ? NULL : realloc(robots, (count + 1) * sizeof *robots);
    if (!more) {
        drop(&r);
        if (!e.status) arne_fail(&e, ARNE_NO_MEMORY, NULL, 0, "out of memory");
        complain(&e);
    }
    robots = more;
    r.number = ++last;
    robots[count] = r;
    return &robots[count++];
}

static robot *find(const mxArray *m)
{
    const mxArray *handle = mxIsStruct(m) ? mxGetField(m, 0, "handle") : NULL;
    if (!handle || !mxIsUint64(handle) || mxGetNumberOfElements(handle) != 1)
        RAISE("the first argument is no robot: m = arne_load ('ur5e')");
    const uint64_t number = *(const uint64_t *)mxGetData(handle);
    for (size_t i = 0; i < count; i++)
        if (robots[i].number == number) return &robots[i];
    RAISE("this robot was freed, or is of another session: m = arne_load (...) again");
    return NULL;
}

/* ---- arguments ---- */

static void word(const mxArray *a, const char *what, char *text, size_t size)
{
    if (!mxIsChar(a) || mxGetString(a, text, size)) RAISE("%s is not a short text", what);
}

/* Which of the words it is; the first is number 0. */
static int choice(const mxArray *a, const char *what, const char *const *words)
{
    char text[64], all[256] = "";
    word(a, what, text, sizeof text);
    for (int i = 0; words[i]; i++) {
        if (!strcmp(words[i], text)) return i;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", words[i]);
    }
    RAISE("%s is one of %s, not %s", what, all, text);
    return 0;
}

static bool is_real(const mxArray *a) { return mxIsDouble(a) && !mxIsComplex(a) && !mxIsSparse(a); }

static void numbers(const mxArray *a, const char *what, size_t n, double *x)
{
    if (!is_real(a) || mxGetNumberOfElements(a) != n) RAISE("%s is %d real numbers", what, (int)n);
    memcpy(x, mxGetPr(a), n * sizeof *x);
}

static bool flag(const mxArray *a, const char *what)
{
    if ((!mxIsLogical(a) && !is_real(a)) || mxGetNumberOfElements(a) != 1) RAISE("%s is true or false", what);
    return mxGetScalar(a) != 0;
}

/* By its name, or its place in m.links. */
static int link_of(const robot *r, const mxArray *a)
{
    const arne_model *m = r->core->model;
    if (mxIsChar(a)) {
        char name[256];
        word(a, "a link", name, sizeof name);
        const int link = arne_link_find(m, name);
        if (link < 0) RAISE("%s has no link %s: see m.links", arne_model_name(m), name);
        return link;
    }
    double number = 0;
    numbers(a, "a link", 1, &number);
    if (!(number >= 1 && number <= arne_model_links(m)) || number != (int)number)
        RAISE("%s has links 1 ... %d, no link %g", arne_model_name(m), arne_model_links(m), number);
    return (int)number - 1;
}

static const mxArray *cell(const mxArray *c, size_t i) { return i < mxGetNumberOfElements(c) ? mxGetCell(c, i) : NULL; }

/* ---- settings: pairs of name and value ---- */

static void payload(const robot *r, arne_settings *s, const mxArray *c)
{
    if (!mxIsCell(c) || !cell(c, 0) || !cell(c, 1)) RAISE("payload is {link, mass, [x y z], [xx xy xz yy yz zz]}");
    arne_body b = {0};
    const int link = link_of(r, cell(c, 0));
    numbers(cell(c, 1), "the mass of a payload", 1, &b.mass);
    if (cell(c, 2)) numbers(cell(c, 2), "the centre of a payload", 3, b.com);
    if (cell(c, 3)) numbers(cell(c, 3), "the inertia of a payload", 6, b.inertia);
    const char *fault = arne_body_fault(&b);
    if (fault) RAISE("this payload cannot exist: %s", fault);
    if (arne_set_payload(s, link, &b)) RAISE("a number of the payload is not finite");
}

static void wrench(const robot *r, arne_settings *s, const mxArray *c)
{
    static const char *const frames[] = {"local", "world", "aligned", NULL};
    if (!mxIsCell(c) || !cell(c, 0) || !cell(c, 1)) RAISE("wrench is {link, [fx fy fz mx my mz], frame, [x y z]}");
    double w[6];
    int n = 0;
    const arne_wrench *now = arne_settings_wrenches(s, &n);
    arne_wrench *all = mxCalloc((size_t)n + 1, sizeof *all);
    if (n) memcpy(all, now, (size_t)n * sizeof *all);
    all[n].link = link_of(r, cell(c, 0));
    numbers(cell(c, 1), "a wrench", 6, w);
    memcpy(all[n].force, w, sizeof all[n].force);
    memcpy(all[n].moment, w + 3, sizeof all[n].moment);
    all[n].frame = cell(c, 2) ? (arne_frame)choice(cell(c, 2), "the frame of a wrench", frames) : ARNE_ALIGNED;
    if (cell(c, 3)) numbers(cell(c, 3), "the point of a wrench", 3, all[n].point);
    if (arne_set_wrenches(s, all, n + 1)) RAISE("a number of the wrench is not finite, or there are too many wrenches");
    mxFree(all);
}

static void set(const robot *r, bool loading, int n, const mxArray **pairs)
{
    for (int i = 0; i + 1 < n; i += 2) {
        char name[32];
        const mxArray *value = pairs[i + 1];
        arne_settings *s = r->settings;
        word(pairs[i], "the name of a setting", name, sizeof name);
        if (!strcmp(name, "base") || !strcmp(name, "mimic")) {
            if (!loading) RAISE("%s is for arne_load: it is another robot", name);
        } else if (!strcmp(name, "gravity")) {
            double g[3];
            numbers(value, "gravity", 3, g);
            if (arne_set_gravity(s, g)) RAISE("gravity is not finite");
        } else if (!strcmp(name, "rigid")) {
            arne_set_rigid(s, flag(value, name));
        } else if (!strcmp(name, "friction")) {
            arne_set_friction(s, flag(value, name));
        } else if (!strcmp(name, "rotors")) {
            arne_set_rotors(s, flag(value, name));
        } else if (!strcmp(name, "payload")) {
            payload(r, s, value);
        } else if (!strcmp(name, "wrench")) {
            wrench(r, s, value);
        } else {
            RAISE("there is no setting %s: base mimic gravity rigid friction rotors payload wrench", name);
        }
    }
    if (n % 2) RAISE("settings are pairs, a name and a value");
}

/* ---- what a script sees of a robot ---- */

static mxArray *names(int n, const arne_model *m, const char *(*name)(const arne_model *, int))
{
    mxArray *list = mxCreateCellMatrix((mwSize)n, 1);
    for (int i = 0; i < n; i++) mxSetCell(list, (mwIndex)i, mxCreateString(name(m, i)));
    return list;
}

static mxArray *show(const robot *r)
{
    static const char *fields[] = {"name", "nq", "nv", "mass", "joints", "links", "handle"};
    const arne_model *m = r->core->model;
    mxArray *s = mxCreateStructMatrix(1, 1, 7, fields), *handle = mxCreateNumericMatrix(1, 1, mxUINT64_CLASS, mxREAL);
    *(uint64_t *)mxGetData(handle) = r->number;
    mxSetField(s, 0, "name", mxCreateString(arne_model_name(m)));
    mxSetField(s, 0, "nq", mxCreateDoubleScalar(arne_model_nq(m)));
    mxSetField(s, 0, "nv", mxCreateDoubleScalar(arne_model_nv(m)));
    mxSetField(s, 0, "mass", mxCreateDoubleScalar(arne_model_mass(m)));
    mxSetField(s, 0, "joints", names(arne_model_joints(m), m, arne_joint_name));
    mxSetField(s, 0, "links", names(arne_model_links(m), m, arne_link_name));
    mxSetField(s, 0, "handle", handle);
    return s;
}

/* load NAME pairs...; shipped robots are in share/arne/robots beside this file */
static mxArray *load(int n, const mxArray **a)
{
    static const char *const bases[] = {"file", "fixed", "free", NULL}, *const mimics[] = {"follow", "independent", NULL};
    char name[LONGEST], *path = NULL;
    word(a[0], "the name of a robot", name, sizeof name);
    arne_read_options o = {.size = sizeof o};
    for (int i = 1; i + 1 < n; i += 2) {
        char option[32];
        word(a[i], "the name of a setting", option, sizeof option);
        if (!strcmp(option, "base")) o.base = (arne_base_choice)choice(a[i + 1], option, bases);
        if (!strcmp(option, "mimic")) o.mimic = (arne_mimic_choice)choice(a[i + 1], option, mimics);
    }

    arne_description *d = NULL;
    arne_error e = {0};
    robot r = {.core = calloc(1, sizeof(core))};
    if (!r.core) RAISE("out of memory");
    r.core->users = 1;
    e.status = arne_robot_find(name, &path, &e);
    if (!e.status) e.status = arne_read(path, &o, &d, &e);
    free(path);
    if (!e.status) e.status = arne_model_build(d, NULL, &r.core->model, &e);
    if (!e.status) e.status = arne_settings_new(r.core->model, &r.settings, &e);
    for (size_t i = 0; !e.status && i < d->nwarning; i++) mexWarnMsgIdAndTxt("arne:warning", "%s", d->warnings[i]);
    arne_description_free(d);
    if (e.status) {
        drop(&r);
        complain(&e);
    }
    robot *kept = keep(r);
    set(kept, true, n - 1, a + 1);
    kept->whole = true;
    return show(kept);
}

/* with ROBOT pairs... : the same robot, with other settings. Those that were set before hold. */
static mxArray *with(int n, const mxArray **a)
{
    const robot *old = find(a[0]);
    robot r = {.core = old->core};
    arne_error e = {0};
    if (arne_settings_new(r.core->model, &r.settings, &e)) complain(&e);
    arne_settings_copy(r.settings, old->settings);
    r.core->users++;
    robot *kept = keep(r);
    set(kept, false, n - 1, a + 1);
    kept->whole = true;
    return show(kept);
}

static void let_go(const mxArray *m)
{
    find(m)->whole = false;
    tidy();
}

/* ---- quantities ---- */

/* n x N, columns are states; [] is zero. *states 0: not known yet. */
static const double *states_of(const mxArray *a, const char *of, const char *name, int n, size_t *states)
{
    if (!is_real(a)) RAISE("%s: %s is no full matrix of real doubles", of, name);
    if (mxIsEmpty(a) && n) return NULL;
    const mwSize *size = mxGetDimensions(a);
    if (mxGetNumberOfDimensions(a) != 2 || size[0] != (mwSize)n || (*states && size[1] != (mwSize)*states)) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, *states ? "%d x %d" : "%d x N", n, (int)*states);
        RAISE("%s: %s is %d x %d, not %s: columns are states", of, name, (int)size[0], (int)size[1], wanted);
    }
    *states = (size_t)size[1];
    return mxGetPr(a);
}

/* tensors: [i][j][k] of every state */
static mxArray *tensor_of(const double *y, size_t stride, size_t states, int n)
{
    const mwSize size[4] = {(mwSize)n, (mwSize)n, (mwSize)n, (mwSize)states};
    mxArray *a = mxCreateNumericArray(4, size, mxDOUBLE_CLASS, mxREAL);
    double *to = mxGetPr(a);
    for (size_t s = 0; s < states; s++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) *to++ = y[s * stride + (size_t)((i * n + j) * n + k)];
    return a;
}

/* One part of the results, rows of which stand one after the other, as columns. */
static mxArray *part_of(const double *y, size_t stride, size_t states, int rows, int columns)
{
    const mwSize size[3] = {(mwSize)rows, columns == 1 ? (mwSize)states : (mwSize)columns, (mwSize)states};
    mxArray *a = mxCreateNumericArray(columns == 1 ? 2 : 3, size, mxDOUBLE_CLASS, mxREAL);
    double *to = mxGetPr(a);
    for (size_t k = 0; k < states; k++)
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++) *to++ = y[k * stride + (size_t)(i * columns + j)];
    return a;
}

/* NAME ORDER ROBOT inputs... pairs...; order: "q qd qdd" */
static mxArray *quantity(const char *name, int n, const mxArray **a)
{
    static const char *const inputs[INPUTS] = {"q", "qd", "qdd", "tau", "qa"};
    static const char *const frames[] = {"local", "world", "aligned", NULL};
    static const char *const factors[] = {"star0001", "star1110", "christoffel", NULL};
    const int row = arne_quantity_find(name);
    if (row < 0 || n < 2) RAISE("there is no quantity %s", name);
    char order[64];
    word(a[0], "the order of the inputs", order, sizeof order);
    const robot *r = find(a[1]);
    const arne_model *m = r->core->model;
    const double *x[INPUTS] = {NULL};
    size_t states = 0;
    int k = 2;
    for (const char *at = order; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        for (int i = 0; i < INPUTS; i++)
            if (strlen(inputs[i]) == length && !memcmp(inputs[i], at, length) && k < n && !mxIsChar(a[k]))
                x[i] = states_of(a[k++], name, inputs[i], i ? arne_model_nv(m) : arne_model_nq(m), &states);
        at += length;
    }
    if (!states) states = 1;
    if (!x[0] && arne_quantity_at(row)->inputs & ARNE_Q) { /* as zeros are for the others */
        double *q = mxCalloc(states * (size_t)arne_model_nq(m) + 1, sizeof *q);
        for (size_t i = 0; i < states; i++) arne_neutral(m, q + i * (size_t)arne_model_nq(m));
        x[0] = q;
    }
    for (int i = 1; i < INPUTS; i++)
        if (!x[i]) x[i] = mxCalloc(states * (size_t)arne_model_nv(m) + 1, sizeof(double));

    const unsigned takes = arne_quantity_at(row)->options;
    arne_quantity_options o = {.size = sizeof o,
                               .link = arne_model_tip(m),
                               .frame = ARNE_ALIGNED,
                               .factor = strcmp(name, "star") ? ARNE_CHRISTOFFEL_FACTOR : ARNE_STAR0001};
    if ((n - k) % 2 || (k < n && !mxIsChar(a[k]))) RAISE("%s takes %s, then pairs of a name and a value", name, order);
    for (; k < n; k += 2) {
        char option[32];
        word(a[k], "the name of an option", option, sizeof option);
        if (!strcmp(option, "link") && takes & ARNE_OF_LINK)
            o.link = link_of(r, a[k + 1]);
        else if (!strcmp(option, "frame") && takes & ARNE_IN_FRAME)
            o.frame = (arne_frame)choice(a[k + 1], option, frames);
        else if (!strcmp(option, "factor") && takes & ARNE_BY_FACTOR)
            o.factor = (arne_factor_choice)choice(a[k + 1], option, factors);
        else
            RAISE("%s has no option %s", name, option);
    }

    const arne_quantity *about = arne_quantity_at(row);
    const size_t stride = (size_t)arne_quantity_size(row, m);
    double *y = mxCalloc(states * stride + 1, sizeof *y);
    const arne_state s = {x[0], x[1], x[2], x[3], x[4]};
    const arne_status status = arne_batch(r->data, row, &o, states, &s, y);
    const int joint = arne_data_joint(r->data);
    if (status)
        RAISE("%s: %s%s%s", name, arne_status_words(status), joint < 0 ? "" : ", joint ",
              joint < 0 ? "" : arne_joint_name(m, joint));
    mxArray *out = about->parts[0].name ? mxCreateStructMatrix(1, 1, 0, NULL) : NULL;
    const double *at = y;
    for (int i = 0; i < about->nparts; i++) {
        const int rows = arne_axis_size(about->parts[i].rows, m), columns = arne_axis_size(about->parts[i].columns, m);
        mxArray *part = about->parts[i].columns == ARNE_AXIS_PAIRS ? tensor_of(at, stride, states, rows)
                                                                   : part_of(at, stride, states, rows, columns);
        at += rows * columns;
        if (!out) return part;
        mxAddField(out, about->parts[i].name);
        mxSetField(out, 0, about->parts[i].name, part);
    }
    return out;
}

/* neutral, integrate, difference: positions, columns are states */
static mxArray *positions(const char *name, int n, const mxArray **a)
{
    const robot *r = find(a[0]);
    const arne_model *m = r->core->model;
    const bool away = !strcmp(name, "integrate");
    size_t states = 0;
    if (!strcmp(name, "neutral")) {
        mxArray *q = mxCreateDoubleMatrix((mwSize)arne_model_nq(m), 1, mxREAL);
        arne_neutral(m, mxGetPr(q));
        return q;
    }
    if (n != 3) RAISE("%s takes a robot and two matrices", name);
    const size_t nq = (size_t)arne_model_nq(m), nv = (size_t)arne_model_nv(m);
    const double *x = states_of(a[1], name, "the first", (int)nq, &states);
    const double *y = states_of(a[2], name, "the second", (int)(away ? nv : nq), &states);
    if (!x || !y) RAISE("%s: a matrix is empty", name);
    mxArray *out = mxCreateDoubleMatrix((mwSize)(away ? nq : nv), states, mxREAL);
    for (size_t k = 0; k < states; k++) {
        const arne_status status = away ? arne_integrate(m, x + k * nq, y + k * nv, mxGetPr(out) + k * nq)
                                        : arne_difference(m, x + k * nq, y + k * nq, mxGetPr(out) + k * nv);
        if (status) RAISE("%s: %s", name, arne_status_words(status));
    }
    return out;
}

static mxArray *shipped(void)
{
    arne_robot_place *list = NULL;
    size_t n = 0;
    arne_error e = {0};
    if (arne_robots(&list, &n, &e)) complain(&e);
    mxArray *out = mxCreateCellMatrix((mwSize)n, 1);
    for (size_t i = 0; i < n; i++) mxSetCell(out, (mwIndex)i, mxCreateString(list[i].name));
    arne_robots_free(list, n);
    return out;
}

void mexFunction(int nout, mxArray *out[], int n, const mxArray *a[])
{
    (void)nout;
    char command[64];
    if (n < 1) RAISE("arne_mex is inside; see: help arne_load");
    word(a[0], "the command", command, sizeof command);
    if (!last) mexAtExit(drop_all);
    tidy();
    if (!strcmp(command, "robots")) {
        out[0] = shipped();
    } else if (n < 2) {
        RAISE("arne_mex is inside; see: help arne_load");
    } else if (!strcmp(command, "load")) {
        out[0] = load(n - 1, a + 1);
        tidy();
    } else if (!strcmp(command, "with")) {
        out[0] = with(n - 1, a + 1);
    } else if (!strcmp(command, "free")) {
        let_go(a[1]);
    } else if (!strcmp(command, "neutral") || !strcmp(command, "integrate") || !strcmp(command, "difference")) {
        out[0] = positions(command, n - 1, a + 1);
    } else {
        out[0] = quantity(command, n - 1, a + 1);
    }
}
