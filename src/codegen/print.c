/* SPDX-License-Identifier: MIT
 *
 * print.c - one statement per live operation, in the order of the text; what depends on no input is a number.
 *
 * A function of many states has a vector for every value that depends on the state and a double for what is made of parameters
 * alone. Its operations are those of the function of one state, in the same order, so its bits are the same lane by lane.
 *
 * Compilers need time that grows faster than the length of a function: a long one is written as pieces, and what a piece leaves
 * to later ones lies in an array w. */
#include "codegen/printer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

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
bool arne__is_turn(const sym_node *x) { return x->op == SYM_SINE || x->op == SYM_COSINE; }
bool arne__works(const printer *p, int i)
{
    const sym_node *x = arne__sym_graph_node(p->g, i);
    return p->live[i] && x->op > SYM_INPUT && !x->fixed;
}

bool arne__has_statement(const printer *p, int i)
{
    return arne__works(p, i) && p->by[i] < 0 && !p->spare[i] && !arne__is_turn(arne__sym_graph_node(p->g, i));
}

/* the node's name or number, as it is held */
void arne__print_node(FILE *f, const printer *p, int i)
{
    const sym_node *x = arne__sym_graph_node(p->g, i);
    const print_names *names = p->names;
    if (x->fixed) {
        arne__print_number(f, p->value[i], p->names->single);
    } else if (is_live(x)) {
        fprintf(f, "parameters[%d]", x->key.index);
    } else if (x->op == SYM_INPUT || arne__is_turn(x)) {
        const char *name = x->op == SYM_INPUT ? names->group[x->key.row - KEY_Q] : x->op == SYM_SINE ? "sn" : "cs";
        fprintf(f, names->lanes ? "%s_%d" : "%s[%d]", name, x->op == SYM_INPUT ? x->key.index : p->angle[i]);
    } else if (p->by[i] >= 0) {
        arne__print_lane(f, p, i);
    } else if (p->piece[i] != p->now) {
        fprintf(f, names->lanes && p->uniform[i] ? "w[%d][0]" : "w[%d]", p->slot[i]);
    } else {
        fprintf(f, "t%d", i);
    }
}

/* lane: one entry of a vector */
static void print_entry(FILE *f, const printer *p, int i, bool lane)
{
    arne__print_node(f, p, i);
    if (lane && p->names->lanes && !p->uniform[i]) fputs("[l]", f);
}

void arne__print_operand(FILE *f, const printer *p, int ref, bool lane)
{
    if (fixed(p, ref)) {
        const double x = number(p, ref);
        if (x < 0) fputc('(', f);
        arne__print_number(f, x, p->names->single);
        if (x < 0) fputc(')', f);
        return;
    }
    const bool minus = arne__is_minus(p, ref);
    if (minus) fputs("(-", f);
    print_entry(f, p, ref >> 1, lane);
    if (minus) fputc(')', f);
}

static bool is_below(const printer *p, int ref) { return fixed(p, ref) ? number(p, ref) < 0 : arne__is_minus(p, ref); }

/* of two operands that both count as negative one is a number */
static void print_sum(FILE *f, const printer *p, int a, int b)
{
    if (is_below(p, a) && (!is_below(p, b) || fixed(p, b))) {
        print_sum(f, p, b, a);
        return;
    }
    arne__print_operand(f, p, a, false);
    fputs(is_below(p, b) ? " - " : " + ", f);
    if (fixed(p, b))
        arne__print_number(f, fabs(number(p, b)), p->names->single);
    else
        arne__print_node(f, p, b >> 1);
}

/* of a product or quotient; other: the number that it is has the other sign */
static void print_factor(FILE *f, const printer *p, int ref, bool other)
{
    if (fixed(p, ref))
        arne__print_operand(f, p, ref ^ other, false);
    else
        arne__print_node(f, p, ref >> 1);
}

static void print_infix(FILE *f, const printer *p, int i, const char *sign)
{
    const sym_node *x = arne__sym_graph_node(p->g, i);
    bool other = p->minus[i];
    if (!fixed(p, x->a)) other = other != arne__is_minus(p, x->a);
    if (!fixed(p, x->b)) other = other != arne__is_minus(p, x->b);
    print_factor(f, p, x->a, other);
    fputs(sign, f);
    print_factor(f, p, x->b, other);
}

static void print_call(FILE *f, const printer *p, const sym_node *x, const char *function)
{
    fprintf(f, "%s%s(", function, p->names->single ? "f" : "");
    arne__print_operand(f, p, x->a, true);
    if (x->b >= 0) {
        fputs(", ", f);
        arne__print_operand(f, p, x->b, true);
    }
    fputc(')', f);
}

/* operators are those of vectors too; functions are called lane by lane */
bool arne__is_operator(const sym_node *x) { return x->op == SYM_ADD || x->op == SYM_MUL || x->op == SYM_DIVIDE; }

static void print_operation(FILE *f, const printer *p, int i)
{
    const sym_node *x = arne__sym_graph_node(p->g, i);
    switch (x->op) {
    case SYM_ADD: print_sum(f, p, x->a ^ p->minus[i], x->b ^ p->minus[i]); break;
    case SYM_MUL: print_infix(f, p, i, " * "); break;
    case SYM_DIVIDE: print_infix(f, p, i, " / "); break;
    case SYM_ROOT: print_call(f, p, x, "sqrt"); break;
    case SYM_ABSOLUTE: print_call(f, p, x, "fabs"); break;
    case SYM_LEAST: print_call(f, p, x, "fmin"); break;
    case SYM_MOST: print_call(f, p, x, "fmax"); break;
    case SYM_EXPO: print_call(f, p, x, "exp"); break;
    case SYM_POWER: print_call(f, p, x, "pow"); break;
    default: /* SYM_SIGN */
        fprintf(f, "(%s)((", real(p));
        arne__print_operand(f, p, x->a, true);
        fputs(" > 0) - (", f);
        arne__print_operand(f, p, x->a, true);
        fputs(" < 0))", f);
        break;
    }
}

/* is the input or turn read by a statement of this piece? The function itself reads angles, or everything. */
static bool is_read(const printer *p, int i)
{
    if (!p->live[i]) return false;
    if (p->pieces == 1) return true;
    for (int k = i + 1; k < p->size; k++) {
        const sym_node *x = arne__sym_graph_node(p->g, k);
        if (!arne__works(p, k) || (x->a >> 1 != i && (x->b < 0 || x->b >> 1 != i))) continue;
        if (arne__is_turn(x) ? p->now == 0 : p->piece[k] == p->now) return true;
    }
    return p->now == 0 && p->last[i] == p->size;
}

static void print_load(FILE *f, const printer *p, int i, const char *array, int k)
{
    fprintf(f, "    %s_x%d ", p->names->prefix, p->names->lanes);
    arne__print_node(f, p, i);
    fprintf(f, ";\n    memcpy(&");
    arne__print_node(f, p, i);
    fprintf(f, ", %s + %d, %d);\n", array, k * p->names->lanes, bytes(p));
}

/* inputs that are not read, and for vectors those that are */
static void print_inputs(FILE *f, const printer *p)
{
    const print_names *names = p->names;
    bool used[PRINT_GROUPS] = {false}, parameters = false;
    for (int i = 0; i < p->size; i++) {
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
    for (int i = 0; i < p->size; i++) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        if (arne__works(p, i) && arne__is_turn(x) && is_read(p, i))
            print_load(f, p, i, x->op == SYM_SINE ? "sn" : "cs", p->angle[i]);
    }
}

/* the first sine or cosine of every angle, in the order of the angles */
static int next_turn(const printer *p, int from, int angle)
{
    for (int i = from; i < p->size; i++)
        if (arne__works(p, i) && arne__is_turn(arne__sym_graph_node(p->g, i)) && p->angle[i] == angle) return i;
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
            arne__print_operand(f, p, arne__sym_graph_node(p->g, i = next_turn(p, i + 1, k))->a, false);
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
        arne__print_operand(f, p, arne__sym_graph_node(p->g, i = next_turn(p, i + 1, k))->a, false);
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
    } else if (arne__is_operator(x)) {
        fprintf(f, "    const %s_x%d t%d = ", names->prefix, names->lanes, i);
    } else {
        fprintf(f, "    %s_x%d t%d;\n    for (int l = 0; l < %d; l++) t%d[l] = ", names->prefix, names->lanes, i, names->lanes,
                i);
    }
    print_operation(f, p, i);
    fputs(";\n", f);
    if (p->slot[i] < 0) return;
    fprintf(f, "    w[%d]%s = t%d;\n", p->slot[i], names->lanes && !vector ? "[0]" : "", i);
}

void arne__print_value(FILE *f, const printer *p, sym y)
{
    if (!y.g || fixed(p, y.ref)) {
        arne__print_number(f, y.g ? number(p, y.ref) : y.c, p->names->single);
    } else {
        if (arne__is_minus(p, y.ref)) fputc('-', f);
        arne__print_node(f, p, y.ref >> 1);
    }
}

static void print_output(FILE *f, const printer *p, int i, sym y)
{
    const print_names *names = p->names;
    const int lanes = names->lanes;
    if (!lanes) {
        fprintf(f, "    %s[%d] = ", names->output, i);
        arne__print_value(f, p, y);
        fputs(";\n", f);
    } else if (!y.g || p->uniform[y.ref >> 1]) {
        fprintf(f, "    for (int l = 0; l < %d; l++) %s[%d + l] = ", lanes, names->output, i * lanes);
        arne__print_value(f, p, y);
        fputs(";\n", f);
    } else {
        fprintf(f, "    const %s_x%d y%d = ", names->prefix, lanes, i);
        arne__print_value(f, p, y);
        fprintf(f, ";\n    memcpy(%s + %d, &y%d, %d);\n", names->output, i * lanes, i, bytes(p));
    }
}

enum { RUN = 8 }; /* zeros from which on a loop writes them */

static int zeros(const sym *out, int n)
{
    int k = 0;
    while (k < n && !out[k].g && out[k].c == 0) k++;
    return k;
}

/* outputs from `from` on, at most `most` of those that are not written by loops; the first that is left */
static int print_outputs(FILE *f, const printer *p, const sym *out, int from, int nout, int most)
{
    const int by = p->names->lanes ? p->names->lanes : 1;
    int i = from;
    while (i < nout && most > 0) {
        const int run = zeros(out + i, nout - i);
        if (run >= RUN)
            fprintf(f, "    for (int k = %d; k < %d; k++) %s[k] = 0;\n", i * by, (i + run) * by, p->names->output);
        else
            print_output(f, p, i, out[i]), most--;
        i += run >= RUN ? run : 1;
    }
    return i;
}

/* ---- pieces ---- */

/* last: it writes outputs */
static void print_piece_call(FILE *f, const printer *p, int piece, bool declare, bool last)
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
    fputs("w", f);
    if (p->rows) fprintf(f, declare ? ", %s_row *restrict v" : ", v", names->prefix);
    if (last) fprintf(f, ", %s%s%s", declare ? real(p) : "", declare ? " *" : "", names->output);
    fputs(declare ? ")\n{\n" : ");\n", f);
}

/* those of the piece, in the order of the text */
static void print_statements(FILE *f, printer *p)
{
    int vector = 0;
    for (int i = 0; i < p->size; i++) {
        vector = arne__print_vectors(f, p, vector, i);
        if (!arne__has_statement(p, i) || p->piece[i] != p->now || p->early[i]) continue;
        print_statement(f, p, i);
        arne__print_stores(f, p, i);
    }
    arne__print_vectors(f, p, vector, p->size);
}

static void begin_piece(FILE *f, const printer *p, bool last)
{
    fprintf(f, p->rows ? "%s_APART %s_SINGLY " : "%s_APART ", p->names->prefix, p->names->prefix);
    print_piece_call(f, p, p->now, true, last);
    print_inputs(f, p);
    if (p->angles) fputs("    (void)sn;\n    (void)cs;\n", f);
    fputs(p->rows ? "    (void)w;\n    (void)v;\n" : "    (void)w;\n", f);
}

/* Results of a function in pieces are written at the end, by pieces of their own if there are many; returns how many of these. */
static int print_pieces(FILE *f, printer *p, const sym *out, int nout)
{
    int written = 0, endings = 0;
    for (p->now = 1; p->now < p->pieces; p->now++) {
        begin_piece(f, p, false);
        if (p->names->lanes) print_turn_loads(f, p);
        print_statements(f, p);
        fputs("}\n\n", f);
    }
    while (p->pieces > 1 && !p->names->lanes && nout > PIECE && written < nout) {
        begin_piece(f, p, true);
        written = print_outputs(f, p, out, written, nout, PIECE);
        fputs("}\n\n", f);
        endings++;
        p->now++;
    }
    p->now = 0;
    return endings;
}

static void print_whole(FILE *f, printer *p, const sym *out, int nout, int endings)
{
    const print_names *names = p->names;
    if (p->rows) fprintf(f, "%s_SINGLY ", names->prefix);
    fprintf(f, "%s\n{\n", names->prototype);
    print_inputs(f, p);
    if (p->slots && names->lanes) fprintf(f, "    %s_x%d w[%d];\n", names->prefix, names->lanes, p->slots);
    if (p->pieces > 1 && !names->lanes) fprintf(f, "    %s w[%d];\n", real(p), p->slots + !p->slots);
    if (p->rows) fprintf(f, "    %s_row v[%d];\n", names->prefix, p->rows);
    for (int i = 0; i < p->size; i++)
        if (p->early[i] && arne__has_statement(p, i)) print_statement(f, p, i);
    if (p->angles) (names->lanes ? print_turns_lanes : print_turns)(f, p);
    if (p->pieces == 1) print_statements(f, p);
    for (int k = 1; k < p->pieces + endings; k++) print_piece_call(f, p, k, false, k >= p->pieces);
    if (!endings) print_outputs(f, p, out, 0, nout, nout);
    if (!nout) fprintf(f, "    (void)%s;\n", names->output);
    fputs("}\n", f);
}

void arne__printer_close(printer *p)
{
    free(p->live);
    free(p->uniform);
    free(p->value);
    free(p->angle);
    free(p->last);
    free(p->early);
    free(p->piece);
    free(p->slot);
    free(p->minus);
    free(p->spare);
    arne__printer_vectors_free(p);
}

bool arne__printer_open(printer *p, const sym_graph *g, const sym *out, int nout, const print_names *names, bool side_by_side)
{
    const size_t size = (size_t)arne__sym_graph_size(g) + 1;
    *p = (printer){.g = g, .names = names, .side_by_side = side_by_side, .size = (int)size - 1};
    p->live = calloc(size, sizeof *p->live);
    p->uniform = calloc(size, sizeof *p->uniform);
    p->value = calloc(size, sizeof *p->value);
    p->angle = calloc(size, sizeof *p->angle);
    p->last = calloc(size, sizeof *p->last);
    p->early = calloc(size, sizeof *p->early);
    p->piece = calloc(size, sizeof *p->piece);
    p->slot = calloc(size, sizeof *p->slot);
    p->minus = calloc(size, sizeof *p->minus);
    p->spare = calloc(size, sizeof *p->spare);
    return p->live && p->uniform && p->value && p->angle && p->last && p->early && p->piece && p->slot && p->minus && p->spare &&
           arne__printer_prepare(p, out, nout) && arne__printer_vectors_choose(p, out, nout) &&
           arne__printer_signs(p, out, nout) && arne__printer_cut(p);
}

long arne__print_length(const sym_graph *g, const sym *out, int nout)
{
    static const print_names names = {0};
    enum { VECTOR = 3 }; /* statements that a vector takes the time of; a lane that is stored takes one */
    printer p;
    const bool ok = arne__printer_open(&p, g, out, nout, &names, true);
    long length = p.stores;
    for (int i = 0; ok && i < p.size; i++) length += arne__has_statement(&p, i);
    for (int v = 0; ok && v < p.vectors; v++) length += p.computed[v] ? VECTOR : 0;
    arne__printer_close(&p);
    return ok ? length : -1;
}

/* Two texts where numbers stand side by side: vectors for machines that have them; a long function is compiled sooner so on any.
 */
long arne__print_function(FILE *f, const sym_graph *g, const sym *out, int nout, const print_names *names)
{
    printer p, plain;
    const bool vectors = !names->lanes && arne__sym_vectors(g) > 0;
    bool ok = arne__printer_open(&plain, g, out, nout, names, false);
    long most = ok ? arne__values_alive(&plain) : -1;
    if (ok && vectors) {
        ok = arne__printer_open(&p, g, out, nout, names, true);
        if (ok && p.rows) {
            fprintf(f, "#if %s_VECTORS\n", names->prefix);
            print_whole(f, &p, out, nout, print_pieces(f, &p, out, nout));
            fputs("#else\n", f);
            most = arne__values_alive(&p);
        }
    }
    if (ok) { print_whole(f, &plain, out, nout, print_pieces(f, &plain, out, nout)); }
    if (ok && vectors && p.rows) fputs("#endif\n", f);
    if (vectors) arne__printer_close(&p);
    arne__printer_close(&plain);
    return ok ? most : -1;
}
