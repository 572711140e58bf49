/* SPDX-License-Identifier: MIT
 *
 * print.c - one statement per live operation, in the order of the text; what depends on no input is a number.
 *
 * A function of many states has a vector for every value that depends on the state and a double for what is made of parameters
 * alone. Its operations are those of the function of one state, in the same order, so its bits are the same lane by lane.
 *
 * Compilers need time that grows faster than the length of a function: a long one is written as pieces, and what a piece leaves
 * to later ones lies in an array w. */
#include "codegen/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { PIECE = 1500, WHOLE = 12000 }; /* statements of a piece, and of the longest function in one piece */

typedef struct {
    const sym_graph *g;
    const print_names *names;
    bool *live;
    bool *uniform; /* the same in all lanes: made of numbers and parameters */
    double *value; /* of nodes that depend on no input */
    int *angle;    /* of sines and cosines: its number */
    int *last;     /* the last node that reads this one */
    bool *early;   /* an angle needs it: stands before the sines and cosines */
    int angles;
    int *piece; /* in which a statement stands; 0: the function itself */
    int *slot;  /* in w, -1: nobody else needs it */
    int pieces, slots;
    int now; /* the piece that is being printed */
} printer;

void arne__print_number(FILE *f, double x, bool single)
{
    char text[NUMBER_TEXT];
    if (single)
        arne__digits_text((double)(float)x, 9, text); /* nine digits name every float */
    else
        arne__number_text(x, text);
    for (const char *c = text; *c; c++) fputc(*c == ',' ? '.' : *c, f);
    if (!strpbrk(text, ".,en")) fputs(".0", f);
    if (single) fputc('f', f);
}

static const char *real(const printer *p) { return p->names->single ? "float" : "double"; }
static int bytes(const printer *p) { return p->names->lanes * (p->names->single ? 4 : 8); } /* of a vector */

static const sym_node *node(const printer *p, int ref) { return arne__sym_graph_node(p->g, ref >> 1); }
static bool fixed(const printer *p, int ref) { return node(p, ref)->fixed; }
static double number(const printer *p, int ref) { return ref & 1 ? -p->value[ref >> 1] : p->value[ref >> 1]; }
static bool is_live(const sym_node *x) { return x->op == SYM_INPUT && x->key.row == KEY_LIVE; }
static bool is_turn(const sym_node *x) { return x->op == SYM_SINE || x->op == SYM_COSINE; }
static bool works(const printer *p, int i)
{
    const sym_node *x = arne__sym_graph_node(p->g, i);
    return p->live[i] && x->op > SYM_INPUT && !x->fixed;
}

static bool has_statement(const printer *p, int i) { return works(p, i) && !is_turn(arne__sym_graph_node(p->g, i)); }

/* the node's name or number, without the sign of the reference */
static void print_node(FILE *f, const printer *p, int i)
{
    const sym_node *x = arne__sym_graph_node(p->g, i);
    const print_names *names = p->names;
    if (x->fixed) {
        arne__print_number(f, p->value[i], p->names->single);
    } else if (is_live(x)) {
        fprintf(f, "parameters[%d]", x->key.index);
    } else if (x->op == SYM_INPUT || is_turn(x)) {
        const char *name = x->op == SYM_INPUT ? names->group[x->key.row - KEY_Q] : x->op == SYM_SINE ? "sn" : "cs";
        fprintf(f, names->lanes ? "%s_%d" : "%s[%d]", name, x->op == SYM_INPUT ? x->key.index : p->angle[i]);
    } else if (p->piece[i] != p->now) {
        fprintf(f, names->lanes && p->uniform[i] ? "w[%d][0]" : "w[%d]", p->slot[i]);
    } else {
        fprintf(f, "t%d", i);
    }
}

/* lane: one entry of a vector */
static void print_entry(FILE *f, const printer *p, int i, bool lane)
{
    print_node(f, p, i);
    if (lane && p->names->lanes && !p->uniform[i]) fputs("[l]", f);
}

static void print_operand(FILE *f, const printer *p, int ref, bool lane)
{
    if (fixed(p, ref)) {
        const double x = number(p, ref);
        if (x < 0) fputc('(', f);
        arne__print_number(f, x, p->names->single);
        if (x < 0) fputc(')', f);
        return;
    }
    if (ref & 1) fputs("(-", f);
    print_entry(f, p, ref >> 1, lane);
    if (ref & 1) fputc(')', f);
}

static void print_sum(FILE *f, const printer *p, int a, int b)
{
    print_operand(f, p, a, false);
    if (fixed(p, b)) {
        const double x = number(p, b);
        fputs(x < 0 ? " - " : " + ", f);
        arne__print_number(f, fabs(x), p->names->single);
        return;
    }
    fputs(b & 1 ? " - " : " + ", f);
    print_node(f, p, b >> 1);
}

static void print_infix(FILE *f, const printer *p, const sym_node *x, const char *sign)
{
    print_operand(f, p, x->a, false);
    fputs(sign, f);
    print_operand(f, p, x->b, false);
}

static void print_call(FILE *f, const printer *p, const sym_node *x, const char *function)
{
    fprintf(f, "%s%s(", function, p->names->single ? "f" : "");
    print_operand(f, p, x->a, true);
    if (x->b >= 0) {
        fputs(", ", f);
        print_operand(f, p, x->b, true);
    }
    fputc(')', f);
}

/* operators are those of vectors too; functions are called lane by lane */
static bool is_operator(const sym_node *x) { return x->op == SYM_ADD || x->op == SYM_MUL || x->op == SYM_DIVIDE; }

static void print_operation(FILE *f, const printer *p, const sym_node *x)
{
    switch (x->op) {
    case SYM_ADD: print_sum(f, p, x->a, x->b); break;
    case SYM_MUL: print_infix(f, p, x, " * "); break;
    case SYM_DIVIDE: print_infix(f, p, x, " / "); break;
    case SYM_ROOT: print_call(f, p, x, "sqrt"); break;
    case SYM_ABSOLUTE: print_call(f, p, x, "fabs"); break;
    case SYM_LEAST: print_call(f, p, x, "fmin"); break;
    case SYM_MOST: print_call(f, p, x, "fmax"); break;
    case SYM_EXPO: print_call(f, p, x, "exp"); break;
    case SYM_POWER: print_call(f, p, x, "pow"); break;
    default: /* SYM_SIGN */
        fprintf(f, "(%s)((", real(p));
        print_operand(f, p, x->a, true);
        fputs(" > 0) - (", f);
        print_operand(f, p, x->a, true);
        fputs(" < 0))", f);
        break;
    }
}

static bool find_values(printer *p)
{
    const int size = arne__sym_graph_size(p->g);
    sym *all = malloc(((size_t)size + 1) * sizeof *all);
    double *values = malloc(((size_t)size + 1) * sizeof *values), none = 0;
    int count = 0;
    for (int i = 0; all && i < size; i++)
        if (arne__sym_graph_node(p->g, i)->fixed) all[count++] = (sym){(sym_graph *)p->g, 2 * i, 0};
    const bool ok = all && values && arne__graph_evaluate(p->g, &none, all, count, values);
    for (int k = 0; ok && k < count; k++) p->value[all[k].ref >> 1] = values[k];
    free(all);
    free(values);
    return ok;
}

static void number_angle(printer *p, int i)
{
    const sym_node *x = arne__sym_graph_node(p->g, i);
    for (int k = 0; k < i; k++) {
        const sym_node *y = arne__sym_graph_node(p->g, k);
        if (!works(p, k) || !is_turn(y) || y->a != x->a) continue;
        p->angle[i] = p->angle[k];
        return;
    }
    p->angle[i] = p->angles++;
}

/* values of what is fixed, numbers of the angles, readers of every node */
static bool prepare(printer *p, const sym *out, int nout)
{
    const int size = arne__sym_graph_size(p->g);
    if (!find_values(p)) return false;
    arne__graph_live(p->g, out, nout, p->live);
    for (int i = 0; i < size; i++) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        p->last[i] = -1;
        p->uniform[i] = x->fixed || is_live(x);
        if (!works(p, i)) continue;
        p->uniform[i] = p->uniform[x->a >> 1] && (x->b < 0 || p->uniform[x->b >> 1]);
        if (is_turn(x)) number_angle(p, i);
        p->last[x->a >> 1] = i;
        if (x->b >= 0) p->last[x->b >> 1] = i;
    }
    for (int i = 0; i < nout; i++)
        if (out[i].g) p->last[out[i].ref >> 1] = size;
    for (int i = size - 1; i >= 0; i--) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        if (!works(p, i) || (!is_turn(x) && !p->early[i])) continue;
        p->early[x->a >> 1] = true;
        if (x->b >= 0) p->early[x->b >> 1] = true;
    }
    return true;
}

/* is the input or turn read by a statement of this piece? The function itself reads angles, or everything. */
static bool is_read(const printer *p, int i)
{
    if (!p->live[i]) return false;
    if (p->pieces == 1) return true;
    for (int k = i + 1; k < arne__sym_graph_size(p->g); k++) {
        const sym_node *x = arne__sym_graph_node(p->g, k);
        if (!works(p, k) || (x->a >> 1 != i && (x->b < 0 || x->b >> 1 != i))) continue;
        if (is_turn(x) ? p->now == 0 : p->piece[k] == p->now) return true;
    }
    return p->now == 0 && p->last[i] == arne__sym_graph_size(p->g);
}

static void print_load(FILE *f, const printer *p, int i, const char *array, int k)
{
    fprintf(f, "    %s_x%d ", p->names->prefix, p->names->lanes);
    print_node(f, p, i);
    fprintf(f, ";\n    memcpy(&");
    print_node(f, p, i);
    fprintf(f, ", %s + %d, %d);\n", array, k * p->names->lanes, bytes(p));
}

/* inputs that are not read, and for vectors those that are */
static void print_inputs(FILE *f, const printer *p)
{
    const print_names *names = p->names;
    bool used[PRINT_GROUPS] = {false}, parameters = false;
    for (int i = 0; i < arne__sym_graph_size(p->g); i++) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        if (x->op != SYM_INPUT || !p->live[i]) continue;
        if (is_live(x)) {
            parameters = true;
            continue;
        }
        const int group = x->key.row - KEY_Q;
        used[group] = true;
        if (names->lanes && is_read(p, i)) print_load(f, p, i, names->group[group], x->key.index);
    }
    if (names->live && (!parameters || p->now)) fputs("    (void)parameters;\n", f);
    for (int k = 0; k < PRINT_GROUPS; k++)
        if (names->group[k] && (!used[k] || p->now)) fprintf(f, "    (void)%s;\n", names->group[k]);
}

/* sines and cosines as vectors */
static void print_turn_loads(FILE *f, const printer *p)
{
    for (int i = 0; i < arne__sym_graph_size(p->g); i++) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        if (works(p, i) && is_turn(x) && is_read(p, i)) print_load(f, p, i, x->op == SYM_SINE ? "sn" : "cs", p->angle[i]);
    }
}

/* the first sine or cosine of every angle, in the order of the angles */
static int next_turn(const printer *p, int from, int angle)
{
    for (int i = from; i < arne__sym_graph_size(p->g); i++)
        if (works(p, i) && is_turn(arne__sym_graph_node(p->g, i)) && p->angle[i] == angle) return i;
    return -1;
}

/* the angles of all joints, their sines and cosines in one go */
static void print_turns(FILE *f, const printer *p)
{
    const int padded = (p->angles + 3) / 4 * 4;
    const char *prefix = p->names->prefix;
    fprintf(f, "    const %s_lane angle[] = {", prefix);
    for (int k = 0, i = -1; k < padded; k++) {
        if (k % 4 == 0) fprintf(f, "%s%s_FOUR(", k ? ", " : "", prefix);
        if (k < p->angles)
            print_operand(f, p, arne__sym_graph_node(p->g, i = next_turn(p, i + 1, k))->a, false);
        else
            fputs(p->names->single ? "0.0f" : "0.0", f);
        fputs(k % 4 == 3 ? ")" : ", ", f);
    }
    fprintf(f, "};\n    %s sn[%d], cs[%d];\n    %s_lane_sincos(angle, sn, cs, %d / %s_lane_WIDTH);\n", real(p), padded, padded,
            prefix, padded, prefix);
}

static void print_turns_lanes(FILE *f, const printer *p)
{
    const int lanes = p->names->lanes, n = p->angles;
    const char *prefix = p->names->prefix;
    fprintf(f, "    %s_x%d angle[%d];\n", prefix, lanes, n);
    for (int k = 0, i = -1; k < n; k++) {
        fprintf(f, "    angle[%d] = ", k);
        print_operand(f, p, arne__sym_graph_node(p->g, i = next_turn(p, i + 1, k))->a, false);
        fputs(";\n", f);
    }
    fprintf(f, "    %s sn[%d], cs[%d];\n    %s_x%d_sincos(angle, sn, cs, %d);\n", real(p), n * lanes, n * lanes, prefix, lanes,
            n);
    print_turn_loads(f, p);
}

static void print_statement(FILE *f, const printer *p, int i)
{
    const sym_node *x = arne__sym_graph_node(p->g, i);
    const print_names *names = p->names;
    const bool vector = names->lanes && !p->uniform[i];
    if (!vector) {
        fprintf(f, "    const %s t%d = ", real(p), i);
    } else if (is_operator(x)) {
        fprintf(f, "    const %s_x%d t%d = ", names->prefix, names->lanes, i);
    } else {
        fprintf(f, "    %s_x%d t%d;\n    for (int l = 0; l < %d; l++) t%d[l] = ", names->prefix, names->lanes, i, names->lanes,
                i);
    }
    print_operation(f, p, x);
    fputs(";\n", f);
    if (p->slot[i] < 0) return;
    fprintf(f, "    w[%d]%s = t%d;\n", p->slot[i], names->lanes && !vector ? "[0]" : "", i);
}

static void print_value(FILE *f, const printer *p, sym y)
{
    if (!y.g || fixed(p, y.ref)) {
        arne__print_number(f, y.g ? number(p, y.ref) : y.c, p->names->single);
    } else {
        if (y.ref & 1) fputc('-', f);
        print_node(f, p, y.ref >> 1);
    }
}

static void print_output(FILE *f, const printer *p, int i, sym y)
{
    const print_names *names = p->names;
    const int lanes = names->lanes;
    if (!lanes) {
        fprintf(f, "    %s[%d] = ", names->output, i);
        print_value(f, p, y);
        fputs(";\n", f);
    } else if (!y.g || p->uniform[y.ref >> 1]) {
        fprintf(f, "    for (int l = 0; l < %d; l++) %s[%d + l] = ", lanes, names->output, i * lanes);
        print_value(f, p, y);
        fputs(";\n", f);
    } else {
        fprintf(f, "    const %s_x%d y%d = ", names->prefix, lanes, i);
        print_value(f, p, y);
        fprintf(f, ";\n    memcpy(%s + %d, &y%d, %d);\n", names->output, i * lanes, i, bytes(p));
    }
}

/* the most values that are computed and still needed: statements whose last reader is to come, angles, sines and cosines */
static long values_alive(const printer *p)
{
    long alive = 3 * (long)p->angles, most = alive;
    for (int i = 0; i < arne__sym_graph_size(p->g); i++) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        if (!has_statement(p, i)) continue;
        if (++alive > most) most = alive;
        if (p->last[x->a >> 1] == i && has_statement(p, x->a >> 1)) alive--;
        if (x->b >= 0 && x->b >> 1 != x->a >> 1 && p->last[x->b >> 1] == i && has_statement(p, x->b >> 1)) alive--;
    }
    return most;
}

/* ---- pieces ---- */

/* the last piece that reads node i; outputs are read at the end, angles now and perhaps later */
static int last_piece(const printer *p, int i)
{
    return p->last[i] == arne__sym_graph_size(p->g) || p->early[i] ? p->pieces : p->piece[p->last[i]];
}

/* places in w for what a piece leaves to others; a place is free again after the last piece that reads it */
static bool place_values(printer *p)
{
    const int size = arne__sym_graph_size(p->g);
    int *until = calloc((size_t)size + 1, sizeof *until); /* of a place: the piece that reads it last */
    for (int i = 0; until && i < size; i++) {
        p->slot[i] = -1;
        if (p->pieces == 1 || !has_statement(p, i) || last_piece(p, i) == p->piece[i]) continue;
        int k = 0;
        while (k < p->slots && until[k] >= p->piece[i]) k++;
        if (k == p->slots) p->slots++;
        p->slot[i] = k;
        until[k] = last_piece(p, i);
    }
    free(until);
    return until != NULL;
}

static bool cut(printer *p)
{
    int statements = 0, seen = 0;
    for (int i = 0; i < arne__sym_graph_size(p->g); i++) statements += has_statement(p, i);
    p->pieces = statements > WHOLE ? 1 + (statements + PIECE - 1) / PIECE : 1;
    for (int i = 0; i < arne__sym_graph_size(p->g); i++)
        if (p->pieces > 1 && has_statement(p, i) && !p->early[i]) p->piece[i] = 1 + seen++ / PIECE;
    return place_values(p);
}

static void print_piece_call(FILE *f, const printer *p, int piece, bool declare)
{
    const print_names *names = p->names;
    const char *number = !declare ? "" : names->single ? "const float *" : "const double *";
    fprintf(f, "%s%s_%s_%d(", declare ? "static void " : "    ", names->prefix, names->function, piece);
    if (names->live) fprintf(f, "%sparameters, ", number);
    for (int k = 0; k < PRINT_GROUPS; k++)
        if (names->group[k]) fprintf(f, "%s%s, ", number, names->group[k]);
    if (p->angles) fprintf(f, "%ssn, %scs, ", number, number);
    if (declare && names->lanes)
        fprintf(f, "%s_x%d *restrict ", names->prefix, names->lanes);
    else if (declare)
        fprintf(f, "%s *restrict ", real(p));
    fputs(declare ? "w)\n{\n" : "w);\n", f);
}

static void print_pieces(FILE *f, printer *p)
{
    for (p->now = 1; p->now < p->pieces; p->now++) {
        fprintf(f, "%s_APART ", p->names->prefix);
        print_piece_call(f, p, p->now, true);
        print_inputs(f, p);
        if (p->angles) fputs("    (void)sn;\n    (void)cs;\n", f);
        if (p->names->lanes) print_turn_loads(f, p);
        for (int i = 0; i < arne__sym_graph_size(p->g); i++)
            if (has_statement(p, i) && p->piece[i] == p->now) print_statement(f, p, i);
        fputs("}\n\n", f);
    }
    p->now = 0;
}

static void print_whole(FILE *f, const printer *p, const sym *out, int nout)
{
    const print_names *names = p->names;
    fprintf(f, "%s\n{\n", names->prototype);
    print_inputs(f, p);
    if (p->slots && names->lanes) fprintf(f, "    %s_x%d w[%d];\n", names->prefix, names->lanes, p->slots);
    if (p->slots && !names->lanes) fprintf(f, "    %s w[%d];\n", real(p), p->slots);
    for (int i = 0; i < arne__sym_graph_size(p->g); i++)
        if (p->early[i] && has_statement(p, i)) print_statement(f, p, i);
    if (p->angles) (names->lanes ? print_turns_lanes : print_turns)(f, p);
    for (int i = 0; i < arne__sym_graph_size(p->g); i++)
        if (!p->early[i] && has_statement(p, i) && p->piece[i] == 0) print_statement(f, p, i);
    for (int k = 1; k < p->pieces; k++) print_piece_call(f, p, k, false);
    for (int i = 0; i < nout; i++) print_output(f, p, i, out[i]);
    if (!nout) fprintf(f, "    (void)%s;\n", names->output);
    fputs("}\n", f);
}

long arne__print_function(FILE *f, const sym_graph *g, const sym *out, int nout, const print_names *names)
{
    const size_t size = (size_t)arne__sym_graph_size(g) + 1;
    printer p = {.g = g, .names = names};
    p.live = calloc(size, sizeof *p.live);
    p.uniform = calloc(size, sizeof *p.uniform);
    p.value = calloc(size, sizeof *p.value);
    p.angle = calloc(size, sizeof *p.angle);
    p.last = calloc(size, sizeof *p.last);
    p.early = calloc(size, sizeof *p.early);
    p.piece = calloc(size, sizeof *p.piece);
    p.slot = calloc(size, sizeof *p.slot);
    const bool ok =
        p.live && p.uniform && p.value && p.angle && p.last && p.early && p.piece && p.slot && prepare(&p, out, nout) && cut(&p);
    if (ok) {
        print_pieces(f, &p);
        print_whole(f, &p, out, nout);
    }
    const long most = ok ? values_alive(&p) : -1;
    free(p.live);
    free(p.uniform);
    free(p.value);
    free(p.angle);
    free(p.last);
    free(p.early);
    free(p.piece);
    free(p.slot);
    return most;
}
