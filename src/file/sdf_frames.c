/* SPDX-License-Identifier: MIT
 *
 * sdf_frames.c - where everything of an SDF model stands: names first, then poses, then one in terms of the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "describe/pose.h"
#include "file/sdf.h"

enum { DEEPEST = 32, LONGEST_NAME = 256 };
static const char MODEL[] = "__model__";

/* ---- names ---- */

/* How many letters stand before "__model__" in the name of a model: its names begin with them. */
static int prefix(const sdf_frame *model) { return (int)(strlen(model->name) - strlen(MODEL)); }

static sdf_frame *add_frame(sdf_frames *s, sdf_kind kind, const xmlNode *node, size_t model, const char *name, const char *end)
{
    if ((s->count & (s->count - 1)) == 0) {
        sdf_frame *more = realloc(s->list, (s->count ? 2 * s->count : 1) * sizeof *more);
        if (!more) return NULL;
        s->list = more;
    }
    const sdf_frame *m = s->count ? &s->list[model] : NULL;
    const int before = m ? prefix(m) : 0;
    const size_t room = (size_t)before + strlen(name) + strlen(end) + 1;
    sdf_frame *f = &s->list[s->count];
    *f = (sdf_frame){malloc(room),          kind, node, model, model, s->count, s->count, arne__pose_identity(),
                     arne__pose_identity(), 0,    false};
    if (!f->name) return NULL;
    snprintf(f->name, room, "%.*s%s%s", before, m ? m->name : "", name, end);
    if (kind == SDF_MODEL) f->model = s->count;
    s->count++;
    return f;
}

static arne_status collect(sdf_frames *s, const xmlNode *model, size_t outer, int depth)
{
    static const struct {
        const char *element;
        sdf_kind kind;
    } kinds[] = {{"link", SDF_LINK}, {"joint", SDF_JOINT}, {"frame", SDF_FRAME}};
    xml_reader *r = s->r;
    char name[LONGEST_NAME];
    const bool top = s->count == 0;
    const size_t own = s->count;
    snprintf(r->where, sizeof r->where, "a model");
    arne_status status = arne__xml_name(r, model, "name", name, sizeof name);
    if (status) return status;
    if (depth > DEEPEST) return XML_FAIL(r, model, "model '%.100s': models are nested too deeply", name);
    if (!add_frame(s, SDF_MODEL, model, outer, top ? MODEL : name, top ? "" : "::__model__")) return arne__xml_no_memory(r);
    for (const xmlNode *node = model->children; node && !status; node = node->next) {
        if (arne__xml_is(node, "model")) status = collect(s, node, own, depth + 1);
        if (arne__xml_is(node, "include"))
            status = arne_fail(r->error, ARNE_UNSUPPORTED, r->file, arne__xml_line(node),
                               "<include>: models of other files are not read; put them in place (gz sdf -p FILE does it)");
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !status; k++) {
            if (!arne__xml_is(node, kinds[k].element)) continue;
            snprintf(r->where, sizeof r->where, "a %s", kinds[k].element);
            if ((status = arne__xml_name(r, node, "name", name, sizeof name))) break;
            if (!add_frame(s, kinds[k].kind, node, own, name, "")) status = arne__xml_no_memory(r);
        }
    }
    return status;
}

/* qsort has no context: pointers into the list, turned into places afterwards */
static int by_name(const void *a, const void *b)
{
    const sdf_frame *const *x = a, *const *y = b;
    const int c = strcmp((*x)->name, (*y)->name);
    return c ? c : (*x)->kind != (*y)->kind ? (int)(*x)->kind - (int)(*y)->kind : (*x > *y) - (*x < *y);
}

static arne_status sort_names(sdf_frames *s)
{
    const sdf_frame **list = malloc(s->count * sizeof *list);
    s->by_name = malloc(s->count * sizeof *s->by_name);
    if (!list || !s->by_name) {
        free(list);
        return arne__xml_no_memory(s->r);
    }
    for (size_t i = 0; i < s->count; i++) list[i] = &s->list[i];
    qsort(list, s->count, sizeof *list, by_name);
    for (size_t i = 0; i < s->count; i++) s->by_name[i] = (size_t)(list[i] - s->list);
    free(list);
    return ARNE_OK;
}

/* The first of this name, or count. */
static size_t look_up(const sdf_frames *s, const char *name)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (strcmp(s->list[s->by_name[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->count && !strcmp(s->list[s->by_name[low]].name, name) ? s->by_name[low] : s->count;
}

arne_status arne__sdf_find(const sdf_frames *s, size_t from, const char *name, const xmlNode *node, size_t *frame)
{
    const sdf_frame *model = &s->list[s->list[from].model];
    const size_t room = strlen(model->name) + strlen(name) + sizeof "::__model__";
    char *full = malloc(room);
    if (!full) return arne__xml_no_memory(s->r);
    snprintf(full, room, "%.*s%s", prefix(model), model->name, name);
    *frame = look_up(s, full);
    if (*frame == s->count) { /* a nested model */
        strcat(full, "::__model__");
        *frame = look_up(s, full);
    }
    free(full);
    if (*frame < s->count) return ARNE_OK;
    return XML_FAIL(s->r, node, "%s: there is no link, joint, frame or model called '%.100s'", s->r->where, name);
}

/* ---- poses ---- */

static arne_pose by_quaternion(const double xyz[3], const double q[4])
{
    const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double x = q[0] / n, y = q[1] / n, z = q[2] / n, w = q[3] / n;
    return (arne_pose){.R = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
                             1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
                             1 - 2 * (x * x + y * y)},
                       .p = {xyz[0], xyz[1], xyz[2]}};
}

arne_status arne__sdf_pose(const sdf_frames *s, const xmlNode *element, size_t from, size_t *frame, arne_pose *pose)
{
    const xmlNode *node;
    const xml_reader *r = s->r;
    char name[LONGEST_NAME] = "", word[32] = "";
    double v[7] = {0};
    bool found;
    size_t count;
    *pose = arne__pose_identity();
    arne_status status = arne__xml_only_child(r, element, "pose", &node);
    if (status || !node) return status;
    if ((status = arne__xml_attribute(r, node, s->version < 1.65 ? "frame" : "relative_to", &found, name, sizeof name)))
        return status;
    if (found && *name && element == s->list[0].node) { /* frames of the world are not read */
        if (strcmp(name, "world")) *frame = s->count;
        found = false;
    }
    if (found && *name && (status = arne__sdf_find(s, from, name, node, frame))) return status;
    if ((status = arne__xml_attribute(r, node, "rotation_format", &found, word, sizeof word))) return status;
    const bool quaternion = found && !strcmp(word, "quat_xyzw");
    if (found && !quaternion && strcmp(word, "euler_rpy"))
        return XML_FAIL(r, node, "%s: rotation_format '%s' is unknown; euler_rpy or quat_xyzw is expected", r->where, word);
    if ((status = arne__xml_attribute(r, node, "degrees", &found, word, sizeof word))) return status;
    const double unit = found && (!strcmp(word, "true") || !strcmp(word, "1")) ? acos(-1) / 180 : 1;
    if ((status = arne__xml_content_numbers(r, node, 0, quaternion ? 7 : 6, false, &count, v)) || !count) return status;
    if (count != (quaternion ? 7 : 6)) return XML_FAIL(r, node, "%s: <pose> needs %d numbers", r->where, quaternion ? 7 : 6);
    if (quaternion && v[3] == 0 && v[4] == 0 && v[5] == 0 && v[6] == 0)
        return XML_FAIL(r, node, "%s: the quaternion of <pose> is zero", r->where);
    for (int k = 3; k < 6 && !quaternion; k++) v[k] *= unit;
    *pose = quaternion ? by_quaternion(v, v + 3) : arne_pose_rpy(v, v + 3);
    return ARNE_OK;
}

/* A name in an attribute or, `content`, in the text of a child element; *frame stays where it is absent or empty. */
static arne_status named_frame(const sdf_frames *s, size_t from, const xmlNode *node, const char *attribute, size_t *frame)
{
    char name[LONGEST_NAME];
    bool found;
    arne_status status = arne__xml_attribute(s->r, node, attribute, &found, name, sizeof name);
    return status || !found || !*name ? status : arne__sdf_find(s, from, name, node, frame);
}

static arne_status read_joint_child(const sdf_frames *s, size_t i, size_t *child)
{
    const xmlNode *node;
    char name[LONGEST_NAME];
    arne_status status = arne__xml_only_child(s->r, s->list[i].node, "child", &node);
    if (!status && !node) return XML_FAIL(s->r, s->list[i].node, "%s: has no <child>", s->r->where);
    if (!status) status = arne__xml_content(s->r, node, name, sizeof name);
    return status ? status : arne__sdf_find(s, i, name, node, child);
}

/* how messages about it begin */
static void speak_of(const sdf_frames *s, size_t i)
{
    static const char *const words[] = {[SDF_LINK] = "link", [SDF_MODEL] = "model", [SDF_FRAME] = "frame", [SDF_JOINT] = "joint"};
    const sdf_frame *f = &s->list[i];
    const int length = f->kind == SDF_MODEL ? prefix(f) - 2 : 120; /* without ::__model__ */
    snprintf(s->r->where, sizeof s->r->where, "%s '%.*s'", words[f->kind], i ? length : 120, i ? f->name : s->r->d->name);
}

/* What a frame moves with, and where it stands in which frame. */
static arne_status read_frame(const sdf_frames *s, size_t i)
{
    sdf_frame *f = &s->list[i];
    arne_status status = ARNE_OK;
    speak_of(s, i);
    f->relative = f->model;
    switch (f->kind) {
    case SDF_LINK: break;
    case SDF_FRAME:
        f->attached = f->model;
        status = named_frame(s, i, f->node, "attached_to", &f->attached);
        f->relative = f->attached;
        break;
    case SDF_JOINT:
        status = read_joint_child(s, i, &f->attached);
        f->relative = f->attached;
        break;
    case SDF_MODEL: /* with its canonical link: the first one, its own before those of nested models */
        for (size_t k = i + 1; k < s->count && !strncmp(s->list[k].name, f->name, (size_t)prefix(f)); k++)
            if (s->list[k].kind == SDF_LINK && (f->attached == i || (s->list[k].model == i && s->list[f->attached].model != i)))
                f->attached = k;
        status = named_frame(s, i, f->node, "canonical_link", &f->attached);
        if (i == 0) return status; /* in the world: s->placed */
        f->relative = f->outer;
        if (!status) status = arne__sdf_pose(s, f->node, f->outer, &f->relative, &f->pose);
        return status;
    }
    return status ? status : arne__sdf_pose(s, f->node, i, &f->relative, &f->pose);
}

static arne_status ring(const sdf_frames *s, size_t i, const char *what)
{
    return XML_FAIL(s->r, s->list[i].node, "'%.120s': %s in a ring", s->list[i].name, what);
}

/* `pose` is that of the placement frame: what the model's own is then. */
static arne_status place(const sdf_frames *s, size_t model, arne_pose *pose)
{
    size_t at = model, steps = 0;
    speak_of(s, model);
    arne_status status = named_frame(s, model, s->list[model].node, "placement_frame", &at);
    arne_pose inside = arne__pose_identity();
    for (; !status && at != model; at = s->list[at].relative) {
        inside = arne__pose_mul(&s->list[at].pose, &inside);
        if (at == 0 || ++steps > s->count) return ring(s, model, "its placement_frame is told");
    }
    const arne_pose back = arne__pose_inverse(&inside);
    *pose = arne__pose_mul(pose, &back);
    return status;
}

/* Up the row of frames until one is known, and down again. */
static arne_status resolve(sdf_frames *s, size_t i, size_t *stack)
{
    size_t depth = 0;
    while (!s->list[i].state) {
        s->list[i].state = 1;
        stack[depth++] = i;
        i = s->list[i].relative;
    }
    if (s->list[i].state == 1) return ring(s, i, "its pose is told");
    while (depth) {
        sdf_frame *f = &s->list[stack[--depth]];
        f->at = arne__pose_mul(&s->list[f->relative].at, &f->pose);
        f->state = 2;
    }
    return ARNE_OK;
}

arne_status arne__sdf_link(const sdf_frames *s, size_t frame, size_t *link)
{
    size_t steps = 0;
    for (*link = frame; s->list[*link].kind != SDF_LINK; *link = s->list[*link].attached)
        if (s->list[*link].attached == *link || ++steps > s->count) return ring(s, frame, "no link carries it; it is attached");
    return ARNE_OK;
}

arne_status arne__sdf_collect(sdf_frames *s, const xmlNode *model)
{
    size_t world = 0;
    arne_status status = collect(s, model, 0, 0);
    if (!status) status = sort_names(s);
    for (size_t i = 0; i < s->count && !status; i++) status = read_frame(s, i);
    for (size_t i = s->count; i-- > 1 && !status;) /* inner models first */
        if (s->list[i].kind == SDF_MODEL) status = place(s, i, &s->list[i].pose);
    if (!status) speak_of(s, 0);
    if (!status) status = arne__sdf_pose(s, model, 0, &world, &s->placed);
    if (!status) status = place(s, 0, &s->placed);
    s->lost = world == s->count;
    size_t *stack = status ? NULL : malloc((s->count + 1) * sizeof *stack);
    if (!status && !stack) status = arne__xml_no_memory(s->r);
    if (!status) s->list[0].state = 2;
    for (size_t i = 0; i < s->count && !status; i++) status = resolve(s, i, stack);
    free(stack);
    return status;
}

void arne__sdf_free(sdf_frames *s)
{
    for (size_t i = 0; i < s->count; i++) free(s->list[i].name);
    free(s->list);
    free(s->by_name);
}
