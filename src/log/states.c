/* SPDX-License-Identifier: MIT
 *
 * states.c - sorts the columns of a table: t, groups of one number a joint, wrenches on links.
 * Every column has a place ("slot") in one array of values, so a row is read by one loop. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/positions.h"
#include "base/nearest.h"
#include "log/states.h"

#define COLUMN_NAME(id, name) name,
static const char *const group_names[] = {ARNE_COLUMN_LIST(COLUMN_NAME)};
#undef COLUMN_NAME
static const char *const wrench_names[] = {"fx", "fy", "fz", "mx", "my", "mz"};

static int dof(const arne_states *s) { return arne_model_nv(s->model); }
static bool of_positions(int group) { return group == ARNE_COLUMN_Q || group == ARNE_COLUMN_QNEXT; }
static int width(const arne_states *s, int group) { return of_positions(group) ? arne_model_nq(s->model) : dof(s); }
static int group_slot(const arne_states *s, int group, int number)
{
    int slot = 1;
    for (int g = 0; g < group; g++) slot += width(s, g);
    return slot + number;
}
static int wrench_slot(const arne_states *s, int link, int k) { return group_slot(s, ARNE_COLUMN_COUNT, 6 * link + k); }

/* The group of a slot and which of its numbers; false: it is none of them. */
static bool slot_group(const arne_states *s, int slot, int *group, int *number)
{
    *number = slot - 1;
    for (*group = 0; *group < ARNE_COLUMN_COUNT && *number >= width(s, *group); ++*group) *number -= width(s, *group);
    return slot > 0 && *group < ARNE_COLUMN_COUNT;
}

static arne_status no_memory(arne_error *error) { return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory"); }

/* The name of a slot's column; `by_name`: q.JOINT instead of q1. */
static void slot_name(const arne_states *s, int slot, bool by_name, char *text, size_t size)
{
    const int wrench = slot - wrench_slot(s, 0, 0);
    int group, k;
    (void)slot_group(s, slot, &group, &k);
    if (slot == 0)
        snprintf(text, size, "t");
    else if (wrench >= 0)
        snprintf(text, size, "w.%s.%s", arne_link_name(s->model, wrench / 6), wrench_names[wrench % 6]);
    else if (by_name)
        snprintf(text, size, "%s.%s", group_names[group],
                 of_positions(group) ? arne_position_name(s->model, k) : arne_velocity_name(s->model, k));
    else
        snprintf(text, size, "%s%d", group_names[group], k + 1);
}

static int find_group(const char *name, size_t length)
{
    for (int g = 0; g < ARNE_COLUMN_COUNT; g++)
        if (strlen(group_names[g]) == length && !memcmp(group_names[g], name, length)) return g;
    return -1;
}

/* w.LINK.fx: the link's name may hold points, the component does not. */
static int find_wrench(const arne_states *s, const char *name)
{
    const char *last = strrchr(name + 2, '.');
    if (!last) return -1;
    char *link_name = strndup(name + 2, (size_t)(last - name - 2));
    const int link = link_name ? arne_link_find(s->model, link_name) : -1;
    free(link_name);
    for (int k = 0; k < 6 && link >= 0; k++)
        if (!strcmp(last + 1, wrench_names[k])) return wrench_slot(s, link, k);
    return -1;
}

/* The slot of a column's name, -1: no such column. */
static int find_slot(const arne_states *s, const char *name)
{
    if (!strcmp(name, "t")) return 0;
    if (!strncmp(name, "w.", 2)) return find_wrench(s, name);
    const size_t letters = strcspn(name, ".0123456789");
    const int group = find_group(name, letters);
    const int number = group < 0 ? -1 : arne__column_number(s->model, of_positions(group), name + letters);
    return number < 0 ? -1 : group_slot(s, group, number);
}

static arne_status unknown_column(const arne_states *s, const char *name, arne_error *error)
{
    nearest near = {.word = name};
    const int joints = arne_model_joints(s->model);
    char text[128], hint[192];
    for (int slot = 0; slot < s->nvalue; slot++)
        for (int by_name = 0; by_name < 2; by_name++) {
            slot_name(s, slot, by_name, text, sizeof text);
            arne__nearest_offer(&near, text);
        }
    arne__nearest_hint(&near, hint, sizeof hint);
    return arne_fail(error, ARNE_BAD_SYNTAX, s->file.name, s->file.line,
                     "unknown column \"%.60s\"%s (the robot has %d moving joint%s)", name, hint, joints, joints == 1 ? "" : "s");
}

/* May a number of a group be left out, because there is no such thing: the motor of a joint of several freedoms? */
static bool is_no_motor(const arne_states *s, int slot)
{
    int group, k;
    return slot_group(s, slot, &group, &k) && (group == ARNE_COLUMN_THETA || group == ARNE_COLUMN_THETAD) &&
           arne_velocity_position(s->model, k) < 0;
}

/* Of the `length` slots from `first` on, all or none must be given. */
static arne_status check_complete(const arne_states *s, int first, int length, arne_error *error)
{
    int missing = -1, found = 0;
    for (int slot = first; slot < first + length; slot++) {
        found += s->given[slot];
        if (!s->given[slot] && missing < 0 && !is_no_motor(s, slot)) missing = slot;
    }
    if (!found || missing < 0) return ARNE_OK;
    char number[128], name[128];
    slot_name(s, missing, false, number, sizeof number);
    slot_name(s, missing, true, name, sizeof name);
    const bool same = !strcmp(number, name);
    return arne_fail(error, ARNE_BAD_SYNTAX, s->file.name, s->file.line, "column %s%s%s%s is missing", number,
                     same ? "" : " (or ", same ? "" : name, same ? "" : ")");
}

/* Adds the family of a column to those that are passed over, each once. */
static void pass_over(arne_states *s, const char *name, size_t letters)
{
    char *list = s->passed;
    const size_t length = strlen(list);
    for (const char *at = list; *at; at += strspn(at, ", ")) {
        const size_t n = strcspn(at, ",");
        if (n == letters && !memcmp(at, name, n)) return;
        at += n;
    }
    const char *comma = length ? ", " : "";
    if (length + letters + 8 < sizeof s->passed)
        snprintf(list + length, sizeof s->passed - length, "%s%.*s", comma, (int)letters, name);
    else if (strcmp(list + length - 3, "..."))
        snprintf(list + length, sizeof s->passed - length, "%s...", comma);
}

static arne_status sort_columns(arne_states *s, bool others, bool part, arne_error *error)
{
    s->slots = calloc((size_t)s->file.columns, sizeof *s->slots);
    s->row = calloc((size_t)s->file.columns, sizeof *s->row);
    if (!s->slots || !s->row) return no_memory(error);
    for (int i = 0; i < s->file.columns; i++) {
        const char *name = s->file.names[i];
        const int slot = s->slots[i] = find_slot(s, name);
        s->file.skip[i] = slot < 0;
        if (slot < 0 && others) continue;
        const size_t written = slot < 0 ? arne__column_written(s->model, name) : 0;
        if (slot < 0 && !written) return unknown_column(s, name, error);
        if (slot < 0) {
            pass_over(s, name, written);
            continue;
        }
        if (s->given[slot])
            return arne_fail(error, ARNE_BAD_SYNTAX, s->file.name, s->file.line, "column %s is there twice", name);
        s->given[slot] = true;
    }
    arne_status status = ARNE_OK;
    for (int g = 0; g < ARNE_COLUMN_COUNT && !status && !part; g++)
        status = check_complete(s, group_slot(s, g, 0), width(s, g), error);
    for (int slot = wrench_slot(s, 0, 0); slot < s->nvalue && !status; slot += 6) status = check_complete(s, slot, 6, error);
    return status;
}

/* ---- the groups of a table ---- */

/* Of an .npy file: those that are named, one after the other. */
static arne_status array_groups(const arne_states *s, const char *path, const char *columns, int have, table_group *list,
                                int *count, arne_error *error)
{
    static const arne_column usual[] = {ARNE_COLUMN_Q, ARNE_COLUMN_QD, ARNE_COLUMN_QDD, ARNE_COLUMN_TAU};
    int all = 0;
    if (!columns)
        for (*count = 0; *count < 4 && all < have; ++*count) {
            list[*count] = (table_group){group_names[usual[*count]], width(s, (int)usual[*count])};
            all += list[*count].width;
        }
    while (columns) {
        const size_t n = strcspn(columns, ",");
        const bool time = n == 1 && *columns == 't';
        const int g = time ? 0 : find_group(columns, n);
        if (g < 0 || *count == TABLE_GROUPS)
            return arne_fail(error, ARNE_BAD_VALUE, NULL, 0,
                             "--columns: \"%.*s\" is no group of columns: t, q, qd, qdd, tau, qa, ...", (int)n, columns);
        list[*count] = (table_group){time ? "t" : group_names[g], time ? 1 : width(s, g)};
        all += list[(*count)++].width;
        columns = columns[n] ? columns + n + 1 : NULL;
    }
    if (all == have) return ARNE_OK;
    return arne_fail(
        error, ARNE_BAD_VALUE, path, 0,
        "has %d columns; a robot of %d positions and %d velocities needs %d for %s: say which they are, --columns q,qd,tau", have,
        arne_model_nq(s->model), dof(s), all, *count > 1 ? "these groups" : "q");
}

/* Of an .h5 file: those that are there. */
static void dataset_groups(const arne_states *s, const char *path, table_group *list, int *count)
{
    if (arne_table_has(path, "t")) list[(*count)++] = (table_group){"t", 1};
    for (int g = 0; g < ARNE_COLUMN_COUNT; g++)
        if (arne_table_has(path, group_names[g])) list[(*count)++] = (table_group){group_names[g], width(s, g)};
}

static arne_status open_table(arne_states *s, const char *path, const char *columns, arne_error *error)
{
    table_group list[TABLE_GROUPS];
    arne_table *array = NULL;
    int count = 0;
    const bool numpy = path[strlen(path) - 1] == 'y';
    arne_status status = numpy ? arne_table_open(path, NULL, &array, error) : ARNE_OK;
    if (!status && numpy) status = array_groups(s, path, columns, arne_table_columns(array), list, &count, error);
    if (!status && !numpy && columns)
        status = arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "--columns: %s names its datasets itself", path);
    if (!status && !numpy) dataset_groups(s, path, list, &count);
    if (!status && !numpy && !count) status = arne_table_open(path, "q", &array, error); /* it tells why */
    if (!status) return arne__csv_tables(&s->file, path, array, list, count, error);
    arne_table_close(array);
    return status;
}

static arne_status open_states(arne_states *s, const char *path, const char *columns, const arne_model *m, bool others, bool part,
                               arne_error *error)
{
    *s = (arne_states){.model = m, .has_file = path};
    s->nvalue = wrench_slot(s, arne_model_links(m), 0);
    s->values = calloc((size_t)s->nvalue, sizeof *s->values);
    s->given = calloc((size_t)s->nvalue, sizeof *s->given);
    if (!s->values || !s->given) return no_memory(error);
    for (int g = 0; g < ARNE_COLUMN_COUNT; g++) /* quaternions at rest */
        if (of_positions(g)) arne_neutral(m, &s->values[group_slot(s, g, 0)]);
    if (!path) return ARNE_OK;
    const bool table = arne_table_is(path);
    if (columns && !table)
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "--columns is for .npy files; a CSV file has a header");
    const arne_status status = table ? open_table(s, path, columns, error) : arne_csv_open(&s->file, path, error);
    return status ? status : sort_columns(s, others, part, error);
}

arne_status arne_states_open(arne_states *s, const char *path, const arne_model *m, bool others, arne_error *error)
{
    return open_states(s, path, NULL, m, others, false, error);
}

arne_status arne_states_open_part(arne_states *s, const char *path, const arne_model *m, arne_error *error)
{
    return open_states(s, path, NULL, m, true, true, error);
}

arne_status arne_states_open_table(arne_states *s, const char *path, const char *columns, const arne_model *m, bool others,
                                   arne_error *error)
{
    return open_states(s, path, columns, m, others, false, error);
}

/* Of a number in degrees. */
static double unit(const arne_states *s, int slot)
{
    int group, k;
    if (!slot_group(s, slot, &group, &k) || group == ARNE_COLUMN_TAU) return 1;
    const arne_model *m = s->model;
    int joint = 0;
    while (joint + 1 < arne_model_joints(m) && (of_positions(group) ? arne_joint_q : arne_joint_v)(m, joint + 1) <= k) joint++;
    const arne_joint_type kind = arne_joint_kind(m, joint);
    const bool turns = kind == ARNE_REVOLUTE || (kind == ARNE_SPHERICAL && !of_positions(group)) ||
                       (kind == ARNE_FREE && !of_positions(group) && k - arne_joint_v(m, joint) >= 3);
    return turns ? acos(-1) / 180 : 1;
}

/* Quaternions of a row: further off from unit length than a thousandth is another thing than rounding. */
static arne_status normalize(const arne_states *s, arne_error *error)
{
    for (int g = 0; g < ARNE_COLUMN_COUNT; g++) {
        int joint;
        double *q = &s->values[group_slot(s, g, 0)];
        if (!of_positions(g) || !arne_normalize(s->model, 1e-3, q, &joint)) continue;
        const double *e = q + arne_joint_turn(s->model, joint);
        if (!(s->file.holes && isnan(e[0] + e[1] + e[2] + e[3]))) /* a hole: whoever ticks with it holds */
            return arne_fail(error, ARNE_BAD_VALUE, s->file.name, s->file.line,
                             "joint %s: the quaternion qx qy qz qw of its position is not of unit length",
                             arne_joint_name(s->model, joint));
    }
    return ARNE_OK;
}

arne_status arne__states_row(arne_states *s, bool *more, arne_error *error)
{
    const arne_status status = arne_csv_next(&s->file, s->row, more, error);
    if (status || !*more) return status;
    const int columns = s->file.columns;
    for (int i = 0; i < columns; i++)
        if (s->slots[i] >= 0) s->values[s->slots[i]] = s->degrees ? unit(s, s->slots[i]) * s->row[i] : s->row[i];
    return arne_model_nq(s->model) == dof(s) ? ARNE_OK : normalize(s, error); /* no quaternions */
}

arne_status arne_states_next(arne_states *s, bool *more, arne_error *error)
{
    if (s->has_file) return (s->differences ? arne__differences_next : arne__states_row)(s, more, error);
    *more = !s->done;
    s->done = true;
    return ARNE_OK;
}

long arne_states_blocks(arne_states *s, long rows) { return s->has_file ? arne__csv_blocks(&s->file, rows) : 1; }

arne_status arne_states_count(arne_states *s, long block, long *rows, arne_error *error)
{
    *rows = 1;
    return s->has_file ? arne__csv_count(&s->file, block, rows, error) : ARNE_OK;
}

arne_status arne_states_seek(arne_states *s, long block, long first, arne_error *error)
{
    return s->has_file ? arne__csv_seek(&s->file, block, first, error) : ARNE_OK;
}

int arne_joint_far(const arne_model *m, const double *q)
{
    const double turn = 2 * acos(-1);
    for (int i = 0; i < arne_model_joints(m); i++) {
        const arne_limits *l = arne_joint_limits(m, i);
        const double x = q[arne_joint_q(m, i)];
        if (arne_joint_kind(m, i) == ARNE_REVOLUTE && (x < l->lower - turn || x > l->upper + turn)) return i;
    }
    return -1;
}

void arne_states_close(arne_states *s)
{
    arne_csv_close(&s->file);
    arne__differences_free(s->differences);
    free(s->slots);
    free(s->row);
    free(s->values);
    free(s->given);
    *s = (arne_states){0};
}

const double *arne_states_of(const arne_states *s, arne_column group) { return &s->values[group_slot(s, (int)group, 0)]; }

bool arne_states_given(const arne_states *s, arne_column group, int number)
{
    return s->given[group_slot(s, (int)group, number)];
}

bool arne_states_has(const arne_states *s, arne_column group)
{
    const int first = group_slot(s, (int)group, 0), end = first + width(s, (int)group);
    for (int slot = first; slot < end; slot++)
        if (s->given[slot]) return true;
    return false;
}

const double *arne_states_time(const arne_states *s) { return s->given[0] ? s->values : NULL; }

const double *arne_states_wrench(const arne_states *s, int link)
{
    const int slot = wrench_slot(s, link, 0);
    return s->given[slot] ? &s->values[slot] : NULL;
}
