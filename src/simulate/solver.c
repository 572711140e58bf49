/* SPDX-License-Identifier: MIT
 *
 * solver.c - plants through SUNDIALS: ERKStep of ARKODE and CVODE, with the guards as root functions. */
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>

#include "simulate/plant.h"
#include "simulate/sundials.h"

/* Steps between two ticks: beyond, the tolerances ask for the impossible. */
enum { MOST_STEPS = 200000 };
/* Below this an eighth-order formula pays; not where modes end, as roots are found on an interpolant of fifth order. */
static const double TIGHT = 1e-7;

static bool has_modes(const arne_plant *p)
{
    bool any = false;
    for (int k = 0; k < p->rubs; k++) any = any || law_dry(&p->laws[k]);
    for (int i = 0; i < p->axes; i++) any = any || isfinite(p->lower[i]) || isfinite(p->upper[i]);
    return any;
}

struct solver {
    arne_plant *plant;
    SUNContext context;
    N_Vector y;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    void *memory;
    bool cvode, begun;
    long counted; /* steps since the last restart that were added to those of the plant */
    double hint;  /* first step after a restart; 0: not told */
};

/* SUNDIALS does not look at all that malloc gives it, when it is set up and at its first step: is there enough for it? */
static bool room(const arne_plant *p)
{
    const size_t n = plant_size(p);
    void *volatile all = malloc(65536 + (64 + 4 * n) * n * sizeof *p->x); /* volatile: else compilers leave it out */
    const bool enough = all != NULL;
    free(all);
    return enough;
}

static int rate(realtype t, N_Vector y, N_Vector dy, void *user)
{
    (void)t;
    /* where it is not finite a smaller step may help: positive, recoverable */
    return arne__plant_derivative(user, N_VGetArrayPointer(y), N_VGetArrayPointer(dy)) ? 1 : 0;
}

static int roots(realtype t, N_Vector y, realtype *g, void *user)
{
    (void)t;
    return arne__plant_guards(user, N_VGetArrayPointer(y), g) ? -1 : 0;
}

static void quiet(int code, const char *module, const char *function, char *message, void *data)
{
    (void)code, (void)module, (void)function, (void)message, (void)data;
}

static bool set_up_erk(solver *s, arne_plant *p, int *down)
{
    void *m = s->memory = ERKStepCreate(rate, p->t, s->y, s->context);
    const int nroot = 2 * p->rubs;
    return m && !ERKStepSetErrHandlerFn(m, quiet, NULL) && !ERKStepSetUserData(m, p) &&
           !ERKStepSStolerances(m, p->o.rtol, p->o.atol) && !arne__table_set(m, p->o.rtol < TIGHT && !has_modes(p)) &&
           !ERKStepSetMaxNumSteps(m, MOST_STEPS) && !ERKStepSetMaxStep(m, p->o.step) && !ERKStepRootInit(m, nroot, roots) &&
           !ERKStepSetRootDirection(m, down) && !ERKStepSetNoInactiveRootWarn(m);
}

static bool set_up_cvode(solver *s, arne_plant *p, int *down)
{
    void *m = s->memory = CVodeCreate(CV_BDF, s->context);
    s->matrix = arne__square_new((int)plant_size(p), s->context);
    s->linear = s->matrix ? SUNLinSol_Dense(s->y, s->matrix, s->context) : NULL;
    /* springs without damping: only the orders up to 2 are stable on the imaginary axis, the others add energy */
    return m && s->linear && !CVodeSetErrHandlerFn(m, quiet, NULL) && !CVodeInit(m, rate, p->t, s->y) &&
           !CVodeSetUserData(m, p) && !CVodeSStolerances(m, p->o.rtol, p->o.atol) &&
           !CVodeSetLinearSolver(m, s->linear, s->matrix) && !CVodeSetMaxNumSteps(m, MOST_STEPS) &&
           !CVodeSetMaxStep(m, p->o.step) && !CVodeSetMaxOrd(m, p->flex ? 2 : 5) && !CVodeRootInit(m, 2 * p->rubs, roots) &&
           !CVodeSetRootDirection(m, down) && !CVodeSetNoInactiveRootWarn(m);
}

solver *arne__solver_new(arne_plant *p)
{
    solver *s = calloc(1, sizeof *s);
    int *down = calloc(2 * (size_t)p->rubs + 1, sizeof *down);
    bool ok = s && down && room(p) && !SUNContext_Create(NULL, &s->context);
    if (ok) {
        for (int i = 0; i < 2 * p->rubs; i++) down[i] = -1;
        s->plant = p;
        s->cvode = p->o.method == ARNE_CVODE;
        s->y = arne__vectors_new((int)plant_size(p), s->context);
        ok = s->y;
    }
    if (ok) {
        memcpy(N_VGetArrayPointer(s->y), p->x, plant_size(p) * sizeof *p->x);
        ok = s->cvode ? set_up_cvode(s, p, down) : set_up_erk(s, p, down);
    }
    free(down);
    if (ok) return s;
    arne__solver_free(s);
    return NULL;
}

void arne__solver_free(solver *s)
{
    if (!s) return;
    if (s->memory && s->cvode) CVodeFree(&s->memory);
    if (s->memory && !s->cvode) ERKStepFree(&s->memory);
    if (s->linear) SUNLinSolFree(s->linear);
    arne__square_free(s->matrix);
    arne__vectors_free(s->y);
    if (s->context) SUNContext_Free(&s->context);
    free(s);
}

/* From the plant's state, with the first step that the last one suggests. */
static int restart(solver *s, double t)
{
    arne_plant *p = s->plant;
    const double hint = s->hint > 0 ? fmin(s->hint, t - p->t) : 0;
    memcpy(N_VGetArrayPointer(s->y), p->x, plant_size(p) * sizeof *p->x);
    s->counted = 0;
    p->fresh = false;
    if (s->cvode) return CVodeReInit(s->memory, p->t, s->y) || CVodeSetInitStep(s->memory, hint);
    return ERKStepReInit(s->memory, rate, p->t, s->y) || ERKStepSetInitStep(s->memory, hint);
}

static const char *words(int status, bool singular)
{
    switch (status) {
    case CV_TOO_MUCH_WORK: return "the integrator needs more than 200000 steps; tolerances too tight, or the run is unstable";
    case CV_TOO_MUCH_ACC: return "the tolerances ask for more digits than numbers have";
    case CV_ERR_FAILURE: return "the integrator's step became too small; another method or looser tolerances may help";
    case CV_CONV_FAILURE: return "the integrator's equations find no solution; another method or a smaller step may help";
    case CV_TOO_CLOSE: return "the integrator cannot tell the next time from this one";
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_RTFUNC_FAIL: return singular ? "the inertia matrix became singular" : "a number grew beyond all bounds";
    default: return "the integrator failed";
    }
}

int arne__solver_run(solver *s, double t, int *fired, const char **why)
{
    arne_plant *p = s->plant;
    *why = "the integrator cannot start";
    if (!s->begun && !room(p)) return 3;
    s->begun = true;
    if (p->fresh && restart(s, t)) return 2;
    const int set = s->cvode ? CVodeSetStopTime(s->memory, t) : ERKStepSetStopTime(s->memory, t);
    if (set) return 2;
    double reached = p->t;
    const int status =
        s->cvode ? CVode(s->memory, t, s->y, &reached, CV_NORMAL) : ERKStepEvolve(s->memory, t, s->y, &reached, ARK_NORMAL);
    if (status >= 0) {
        arne__plant_take(p, N_VGetArrayPointer(s->y));
        p->t = status == CV_ROOT_RETURN ? reached : t;
    }
    long now = 0;
    (void)(s->cvode ? CVodeGetNumSteps(s->memory, &now) : ERKStepGetNumSteps(s->memory, &now));
    p->steps += now - s->counted;
    s->counted = now;
    if (!s->cvode) ERKStepGetCurrentStep(s->memory, &s->hint);
    *why = words(status, p->singular >= 0);
    if (status < 0) return status == CV_MEM_FAIL ? 3 : 2;
    if (status != CV_ROOT_RETURN) return 0;
    const int got = s->cvode ? CVodeGetRootInfo(s->memory, fired) : ERKStepGetRootInfo(s->memory, fired);
    return got ? 2 : 1;
}
