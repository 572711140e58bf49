/* SPDX-License-Identifier: MIT
 *
 * par_read.c - robots of SYMORO+ and OpenSYMORO (.par).
 *
 * There is one entry per frame: modified-DH geometry (Ant Sigma gamma B Alpha d Theta R), inertia about the frame origin (XX ...
 * ZZ), first moments (MX MY MZ), mass M, rotor inertia IA, friction FV FS. G is the acceleration of gravity: the base accelerates
 * with -G. Entries are expressions. The symbol in Theta of a revolute and in R of a prismatic joint is the joint's variable. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/expr.h"
#include "describe/body.h"
#include "file/formats.h"
#include "file/par_text.h"

typedef struct {
    const char *file;
    const arne_read_options *options;
    arne_error *error;
    par_text text;
    const par_list *lists; /* of text */
    size_t n;              /* frames */
    arne_description *d;
} reader;

/* Beyond this no quantity is meant, and products could overflow. */
static const double LARGEST = 1e30;

#define BAD(r, line, ...) arne_fail((r)->error, ARNE_BAD_VALUE, (r)->file, line, __VA_ARGS__)
static arne_status no_memory(const reader *r) { return arne_fail(r->error, ARNE_NO_MEMORY, r->file, 0, "out of memory"); }

/* ---- entries to numbers ---- */

/* Names in an entry: values from the options; and, where there is one, the joint variable. */
typedef struct {
    const reader *reader;
    bool exact;               /* every name must have a value */
    bool has_variable, bound; /* may there be a variable, was it met */
    char variable[64];        /* empty: the first name without a value */
    double value;             /* of the variable */
    char missing[64];
    bool short_of_memory;
} names;

/* Any number between 0.4 and 0.9 that has nothing to do with others: of a name, and of a set. */
static double arbitrary(const char *name, int set)
{
    uint64_t h = 14695981039346656037u + (uint64_t)set;
    for (const char *c = name; *c; c++) h = (h ^ (unsigned char)*c) * 1099511628211u;
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    return 0.4 + 0.5 * (double)(h >> 11) / 9007199254740992.0;
}

static bool look_up(void *context, const char *name, double *value)
{
    names *s = context;
    const arne_read_options *o = s->reader->options;
    for (size_t i = 0; o && i < o->nsymbol; i++) {
        if (strcmp(o->symbols[i].name, name) != 0) continue;
        *value = o->symbols[i].value;
        return true;
    }
    if (s->has_variable && (s->variable[0] == '\0' || strcmp(s->variable, name) == 0)) {
        snprintf(s->variable, sizeof s->variable, "%s", name);
        s->bound = true;
        *value = s->value;
        return true;
    }
    if (o && o->arbitrary && !s->exact) {
        s->short_of_memory = arne_description_open(s->reader->d, name);
        *value = arbitrary(name, o->arbitrary);
        return !s->short_of_memory;
    }
    if (!s->missing[0]) snprintf(s->missing, sizeof s->missing, "%s", name);
    return false;
}

/* Has it one value, or an entry for every frame? Must it be there? */
static bool is_one(int key) { return key < KEY_Ant; }
static bool per_frame(int key) { return key >= KEY_Ant && key < KEY_W0; }
static bool needed(int k)
{
    return k == KEY_NL || k == KEY_Ant || k == KEY_Sigma || k == KEY_Alpha || k == KEY_d || k == KEY_Theta || k == KEY_R;
}

/* "Theta of joint j2" in messages. */
static const char *entry_words(const reader *r, par_keyword key, size_t i, char words[80])
{
    if (is_one((int)key) || r->lists[key].count == 1)
        snprintf(words, 80, "%s", arne__par_keywords[key]);
    else if (per_frame((int)key))
        snprintf(words, 80, "%s of joint j%zu", arne__par_keywords[key], i + 1);
    else
        snprintf(words, 80, "entry %zu of %s", i + 1, arne__par_keywords[key]);
    return words;
}

static arne_status evaluate(const reader *r, par_keyword key, size_t i, names *s, double *value)
{
    const par_entry *e = &r->lists[key].entries[i];
    char why[120], words[80];
    s->missing[0] = '\0';
    s->reader = r;
    const expr_scope scope = {.unknown = look_up, .context = s};
    entry_words(r, key, i, words);
    if (*e->text == '\0') return arne_fail(r->error, ARNE_BAD_SYNTAX, r->file, e->line, "%s is empty", words);
    if (arne__expr_eval_in(&scope, e->text, value, why, sizeof why) == ARNE_OK) {
        if (fabs(*value) <= LARGEST) return ARNE_OK;
        return BAD(r, e->line, "%s is too large: %g", words, *value);
    }
    if (s->short_of_memory) return no_memory(r);
    if (s->missing[0])
        return BAD(r, e->line, "%s: symbol %s has no value: give it one with --set %s=VALUE%s", words, s->missing, s->missing,
                   r->options && r->options->arbitrary ? "" : " (equations, base and count need none)");
    return BAD(r, e->line, "%s: '%.60s': %s", words, e->text, why);
}

/* A list that is not in the file is zero. */
static arne_status value_of(const reader *r, par_keyword key, size_t i, bool exact, double *value)
{
    *value = 0;
    if (!r->lists[key].line) return ARNE_OK;
    names s = {.exact = exact};
    return evaluate(r, key, i, &s, value);
}
static arne_status number(const reader *r, par_keyword key, size_t i, double *value) { return value_of(r, key, i, false, value); }

static arne_status whole(const reader *r, par_keyword key, size_t i, int least, int most, int *value)
{
    double x;
    char words[80];
    arne_status status = value_of(r, key, i, true, &x);
    if (status != ARNE_OK) return status;
    if (x != floor(x) || x < least || x > most)
        return BAD(r, r->lists[key].entries[i].line, "%s is %g: a whole number from %d to %d is expected",
                   entry_words(r, key, i, words), x, least, most);
    *value = (int)x;
    return ARNE_OK;
}

static bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/* The variable of joint j by the names it usually has: t3, th3, theta3, q3, r3. Left empty where the text has none of them. */
static void usual_variable(const char *text, size_t j, char variable[64])
{
    static const char *const letters[] = {"t", "th", "theta", "q", "r"};
    char usual[64];
    for (const char *end; *text; text = end) {
        for (end = text; is_word(*end);) end++;
        for (int k = 0; k < 5; k++) {
            int length = snprintf(usual, sizeof usual, "%s%zu", letters[k], j);
            if (length != end - text || strncasecmp(text, usual, (size_t)length) != 0) continue;
            snprintf(variable, 64, "%.*s", length, text);
            return;
        }
        if (end == text) end++;
    }
}

/* Theta or R of a joint that moves: one free symbol, the joint variable, plus an offset. */
static arne_status offset(const reader *r, par_keyword key, size_t i, double *value)
{
    names s = {.exact = true, .has_variable = true};
    char words[80];
    double one;
    usual_variable(r->lists[key].entries[i].text, i + 1, s.variable);
    arne_status status = evaluate(r, key, i, &s, value);
    if (status != ARNE_OK || !s.bound) return status;
    s.value = 1;
    status = evaluate(r, key, i, &s, &one);
    if (status == ARNE_OK && fabs(one - *value - 1) > 1e-9 * fmax(1, fabs(*value)))
        status = BAD(r, r->lists[key].entries[i].line, "%s is %s: it must be the joint variable (%s) plus a constant",
                     entry_words(r, key, i, words), r->lists[key].entries[i].text, s.variable);
    return status;
}

/* Is some entry of a list that arne does not use another number than `expected`? Symbols without a value are run-time inputs. */
static bool differs(const reader *r, par_keyword key, const double *expected)
{
    for (size_t i = 0; i < r->lists[key].count; i++) {
        double value;
        names s = {.reader = r, .exact = true};
        const expr_scope scope = {.unknown = look_up, .context = &s};
        if (arne__expr_eval_in(&scope, r->lists[key].entries[i].text, &value, NULL, 0) != ARNE_OK) continue;
        if (value != (expected ? expected[i] : 0)) return true;
    }
    return false;
}

/* ---- numbers to a description ---- */

static arne_status check_sizes(reader *r)
{
    enum { MOST = 10000 };
    int nl, nj, nf, type, moving[2];
    arne_status status = ARNE_OK;
    for (int k = 0; k < KEY_COUNT; k++) {
        const par_list *l = &r->lists[k];
        if (needed(k) && !l->line) return BAD(r, 0, "%s is missing: is this a SYMORO .par file?", arne__par_keywords[k]);
        if (is_one(k) && l->line && l->count != 1) return BAD(r, l->line, "%s must be one value", arne__par_keywords[k]);
    }
    status = whole(r, KEY_NL, 0, 1, MOST, &nl);
    nj = nf = nl;
    if (!status && r->lists[KEY_NJ].line) status = whole(r, KEY_NJ, 0, 1, MOST, &nj);
    if (!status && r->lists[KEY_NF].line) status = whole(r, KEY_NF, 0, 1, 2 * MOST, &nf);
    if (!status) status = whole(r, KEY_Type, 0, 0, 2, &type);
    if (status) return status;
    if (type == 2 || nf > nl || nj > nl)
        return arne_fail(r->error, ARNE_UNSUPPORTED, r->file,
                         r->lists[type == 2 ? KEY_Type
                                  : nf > nl ? KEY_NF
                                            : KEY_NJ]
                             .line,
                         "the robot has closed loops (NL = %d, NJ = %d, NF = %d, Type = %d): arne computes chains and trees only",
                         nl, nj, nf, type);
    if (nj != nl || nf != nl)
        return BAD(r, r->lists[KEY_NL].line, "NL = %d, NJ = %d and NF = %d must be equal for a chain or a tree", nl, nj, nf);
    for (int k = 0; k < 2; k++) {
        par_keyword key = k ? KEY_is_floating : KEY_is_mobile;
        const par_entry *e = r->lists[key].entries;
        if (!e || strcasecmp(e->text, "false") == 0) continue;
        moving[k] = strcasecmp(e->text, "true") == 0;
        if (!moving[k] && (status = whole(r, key, 0, 0, 1, &moving[k]))) return status;
        if (moving[k])
            return arne_fail(r->error, ARNE_UNSUPPORTED, r->file, e->line, "%s: arne computes robots on a fixed base only",
                             arne__par_keywords[key]);
    }
    r->n = (size_t)nl;
    for (int k = 0; k < KEY_COUNT; k++) {
        const size_t expected = is_one(k) ? 1 : per_frame(k) ? r->n : k == KEY_Z ? 16 : 3;
        const par_list *l = &r->lists[k];
        if (l->line && l->count != expected)
            return BAD(r, l->line, "%s needs %zu entries%s, but has %zu", arne__par_keywords[k], expected,
                       per_frame(k) ? " (NL, NJ, NF)" : "", l->count);
    }
    return ARNE_OK;
}

static arne_status not_negative(const reader *r, par_keyword key, size_t i, double *value)
{
    char words[80];
    arne_status status = number(r, key, i, value);
    if (status || *value >= 0) return status;
    return BAD(r, r->lists[key].entries[i].line, "%s must not be negative, but is %g", entry_words(r, key, i, words), *value);
}

static arne_status read_joint(reader *r, size_t i)
{
    static const arne_joint_type types[] = {ARNE_REVOLUTE, ARNE_PRISMATIC, ARNE_FIXED};
    static const par_keyword geometry[6] = {KEY_gamma, KEY_B, KEY_Alpha, KEY_d, KEY_Theta, KEY_R};
    int ant, sigma;
    double dh[6];
    arne_status status = whole(r, KEY_Ant, i, 0, (int)i, &ant);
    if (!status) status = whole(r, KEY_Sigma, i, 0, 2, &sigma);
    for (int k = 0; k < 6 && !status; k++) {
        bool variable = (geometry[k] == KEY_Theta && sigma == 0) || (geometry[k] == KEY_R && sigma == 1);
        status = variable ? offset(r, geometry[k], i, &dh[k]) : number(r, geometry[k], i, &dh[k]);
    }
    if (status) return status;
    char name[32], parent[32] = "base";
    snprintf(name, sizeof name, "j%zu", i + 1);
    if (ant > 0) snprintf(parent, sizeof parent, "j%d", ant);
    arne_joint_description *j =
        arne_description_joint(r->d, name, r->lists[KEY_Sigma].entries[i].line, types[sigma], parent, name);
    if (!j) return no_memory(r);
    memcpy(j->dh, dh, sizeof j->dh);
    j->before = arne_pose_mdh(dh);
    for (int k = 0; k < 6; k++) { /* dimensions that are symbols keep their names; the joint's variable is none */
        const bool variable = (geometry[k] == KEY_Theta && sigma == 0) || (geometry[k] == KEY_R && sigma == 1);
        if (r->lists[geometry[k]].line && !variable)
            arne__expr_one_name(r->lists[geometry[k]].entries[i].text, j->dh_names[k], sizeof j->dh_names[k]);
    }
    if (sigma == 2) return ARNE_OK;
    status = not_negative(r, KEY_IA, i, &j->motor.inertia);
    if (!status) status = not_negative(r, KEY_FV, i, &j->friction.viscous);
    if (!status) status = not_negative(r, KEY_FS, i, &j->friction.coulomb);
    return status;
}

static arne_status read_link(reader *r, size_t i)
{
    origin_inertia o;
    arne_status status = number(r, KEY_M, i, &o.m);
    for (int k = 0; k < 3 && !status; k++) status = number(r, (par_keyword)(KEY_MX + k), i, &o.h[k]);
    for (int k = 0; k < 6 && !status; k++) status = number(r, (par_keyword)(KEY_XX + k), i, &o.I[k]);
    if (status) return status;
    char name[32];
    snprintf(name, sizeof name, "j%zu", i + 1);
    int line = r->lists[KEY_M].line ? r->lists[KEY_M].entries[i].line : 0;
    arne_link_description *l = arne_description_link(r->d, name, line);
    if (!l) return no_memory(r);
    if (!arne__body_from_origin(&o, &l->body))
        return BAD(r, line,
                   "link %s: M is 0 but MX, MY or MZ is not (a file of base parameters?): arne needs standard parameters", name);
    for (int k = 0; k < 3; k++)
        if (!(fabs(l->body.com[k]) <= LARGEST))
            return BAD(r, line, "link %s: M = %g is too small for its MX, MY or MZ", name, o.m);
    return ARNE_OK;
}

static void warn_unused(reader *r)
{
    static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const par_list *lists = r->lists;
    for (int k = KEY_FX; k <= KEY_CZ; k++) {
        if (!differs(r, (par_keyword)k, NULL)) continue;
        arne_description_warn(r->d, lists[k].line, "%s is not 0: forces on the environment are ignored, use --wrench",
                              arne__par_keywords[k]);
        break;
    }
    if (differs(r, KEY_eta, NULL))
        arne_description_warn(r->d, lists[KEY_eta].line, "eta is not 0: flexible joints (eta, k) are taken as rigid");
    for (int k = KEY_W0; k <= KEY_VP0; k++) {
        if (!differs(r, (par_keyword)k, NULL)) continue;
        arne_description_warn(r->d, lists[k].line, "%s is not 0: the motion of the base is ignored", arne__par_keywords[k]);
        break;
    }
    if (differs(r, KEY_Z, identity))
        arne_description_warn(r->d, lists[KEY_Z].line, "Z is not the identity: ignored, poses are given in frame 0");
    if (!lists[KEY_M].line) arne_description_warn(r->d, 0, "M is missing: the links weigh nothing");
}

static arne_status set_name(reader *r)
{
    const char *word = r->text.name;
    if (!word[0] && r->lists[KEY_Name].line) word = r->lists[KEY_Name].entries[0].text;
    if (!word[0]) return ARNE_OK;
    char *name = strdup(word);
    if (!name) return no_memory(r);
    free(r->d->name);
    r->d->name = name;
    return ARNE_OK;
}

static arne_status describe(reader *r)
{
    arne_status status = arne__par_parse(&r->text, r->d, r->error);
    if (!status) status = check_sizes(r);
    if (!status) status = set_name(r);
    if (status) return status;
    if (!arne_description_link(r->d, "base", 0)) return no_memory(r);
    for (size_t i = 0; i < r->n && !status; i++) {
        status = read_joint(r, i);
        if (!status) status = read_link(r, i);
    }
    for (size_t i = 0; i < 3 && !status && r->lists[KEY_G].line; i++) status = number(r, KEY_G, i, &r->d->gravity[i]);
    if (status) return status;
    warn_unused(r);
    r->d->mdh = true;
    return ARNE_OK;
}

arne_status arne__par_read(const char *path, const arne_read_options *options, arne_description **out, arne_error *error)
{
    *out = NULL;
    reader r = {.file = path, .options = options, .error = error};
    r.lists = r.text.lists;
    size_t size;
    char stem[128];
    arne_status status = arne__file_text(path, &r.text.text, &size, error);
    if (status) return status;
    arne__file_stem(path, stem, sizeof stem);
    r.d = arne_description_new(stem);
    if (r.d) r.d->file = strdup(path);
    if (!r.d || !r.d->file)
        status = arne_fail(error, ARNE_NO_MEMORY, path, 0, "out of memory");
    else if (strlen(r.text.text) != size)
        status = arne_fail(error, ARNE_BAD_SYNTAX, path, 0, "not a text file: it has a zero byte");
    else
        status = describe(&r);
    arne__par_text_free(&r.text);
    if (status)
        arne_description_free(r.d);
    else
        *out = r.d;
    return status;
}
