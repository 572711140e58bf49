/* SPDX-License-Identifier: MIT
 *
 * vectors.c - vectors of SUNDIALS from a store, and a matrix with its clone: N_VClone, SUNMatClone and their callers do not
 * expect that memory can be short, and ask as late as in the first steps. */
#include <stdlib.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "simulate/sundials.h"

enum { STORE = 64 }; /* CVODE of order 5 asks for 24, ERKStep with 13 stages for 29 */

typedef struct store store;
typedef struct {
    struct _generic_N_Vector vector; /* first: a vector of SUNDIALS is one of these */
    struct _N_VectorContent_Serial content;
    store *home;
    bool used;
} stored;

struct store {
    stored all[STORE];
    struct _generic_N_Vector_Ops ops;
    double data[];
};

static N_Vector take(N_Vector like)
{
    store *s = ((stored *)like)->home;
    for (int i = 0; i < STORE; i++)
        if (!s->all[i].used) {
            s->all[i].used = true;
            s->all[i].content.data = s->data + i * s->all[i].content.length; /* an empty clone may have been given another */
            return &s->all[i].vector;
        }
    return NULL;
}

static void give_back(N_Vector v) { ((stored *)v)->used = false; }

N_Vector arne__vectors_new(int length, SUNContext context)
{
    const size_t n = (size_t)length;
    N_Vector model = N_VNewEmpty_Serial(length, context);
    store *s = model ? calloc(1, sizeof *s + STORE * n * sizeof *s->data) : NULL;
    if (s) {
        s->ops = *model->ops;
        s->ops.nvclone = s->ops.nvcloneempty = take;
        s->ops.nvdestroy = give_back;
        for (size_t i = 0; i < STORE; i++) {
            stored *one = &s->all[i];
            one->content.length = length;
            one->vector.content = &one->content;
            one->vector.ops = &s->ops;
            one->vector.sunctx = context;
            one->home = s;
        }
    }
    if (model) N_VDestroy(model);
    return s ? take(&s->all[0].vector) : NULL;
}

void arne__vectors_free(N_Vector first)
{
    if (first) free(((stored *)first)->home);
}

typedef struct {
    struct _generic_SUNMatrix matrix; /* first, as above; what it is made of belongs to `own` */
    SUNMatrix own, spare;             /* spare NULL: it has been asked for, and belongs to who has it */
} square;

static SUNMatrix take_spare(SUNMatrix like)
{
    square *s = (square *)like;
    const SUNMatrix given = s->spare;
    s->spare = NULL;
    return given;
}

SUNMatrix arne__square_new(int size, SUNContext context)
{
    square *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->own = SUNDenseMatrix(size, size, context);
    s->spare = SUNDenseMatrix(size, size, context);
    if (!s->own || !s->spare) {
        arne__square_free(&s->matrix);
        return NULL;
    }
    s->own->ops->clone = take_spare;
    s->matrix = *s->own;
    return &s->matrix;
}

void arne__square_free(SUNMatrix matrix)
{
    square *s = (square *)matrix;
    if (s && s->own) SUNMatDestroy(s->own);
    if (s && s->spare) SUNMatDestroy(s->spare);
    free(s);
}
