/* parser/chrome/ascend_dialect.c - Ascend's spelling of Chrome traces. See ascend_dialect.h. */
#include "parser/chrome/ascend_dialect.h"

#include <stdlib.h>
#include <string.h>

#include "parser/chrome/document_inline.h"

#define HEAD ((size_t)64 << 10)
#define SPAN(s) (s).p, (s).len

static bool is(const char *p, size_t len, const char *text) { return strlen(text) == len && !memcmp(p, text, len); }

static bool starts(const char *p, size_t len, const char *text)
{
    return len >= strlen(text) && !memcmp(p, text, strlen(text));
}

/* ---- recognising the format ---- */

/* A start as torch_npu writes them: "1736408883704643.212". */
static bool text_time(const char *p, const char *e)
{
    if (!p || p >= e || *p != '"') return false;
    const char *from = ++p;
    for (; p < e && tt_is_digit(*p);) p++;
    if (p - from < 13 || e - p < 5 || *p != '.') return false;
    for (int i = 1; i <= 3; i++)
        if (!tt_is_digit(p[i])) return false;
    return p[4] == '"';
}

/* Members that only torch.profiler writes: its trace, with times that a tool has turned into texts, is not Ascend's. */
static bool of_kineto(const char *p, const char *e)
{
    return tt_json_seek(p, e, "\"schemaVersion\"") || tt_json_seek(p, e, "\"External id\"") ||
           tt_json_seek(p, e, "\"Ev Idx\"") || tt_json_seek(p, e, "\"correlation\"");
}

/* Shapes as a text, which only torch_npu writes, for exports whose times have become numbers. */
static bool text_shapes(const char *p, const char *e)
{
    const char *shapes = tt_json_seek(p, e, "\"Input Dims\"");
    return shapes && shapes < e && *shapes == '"' && tt_json_seek(p, e, "\"Fwd thread id\"");
}

static bool names_process(const char *p, const char *e)
{
    while ((p = tt_json_seek(p, e, "\"name\"")) != NULL) {
        if (starts(p, (size_t)(e - p), "\"Ascend Hardware\"") || starts(p, (size_t)(e - p), "\"CANN\"")) return true;
    }
    return false;
}

/* The full name of a MindSpore operator: "Default/network/Add-op3". */
static bool full_name(const char *p, const char *e)
{
    const char *v = tt_json_seek(p, e, "\"fullname\"");
    return v && (starts(v, (size_t)(e - v), "\"Default/") || starts(v, (size_t)(e - v), "\"Gradients/"));
}

bool tt_ascend_sniff(const char *text, size_t len, tt_dialect *d)
{
    const char *e = text + (len < HEAD ? len : HEAD);
    d->numbered = false;
    d->ascend = names_process(text, e) || text_shapes(text, e) ||
                (text_time(tt_json_seek(text, e, "\"ts\""), e) && !of_kineto(text, e));
    if (!d->ascend) d->ascend = d->numbered = full_name(text, e);
    return d->ascend;
}

void tt_ascend_folder(const tt_chrome_folder *folder, const char *text, size_t len, tt_dialect *d)
{
    const tt_rules *r = folder->rules;
    bool mindspore = r == &tt_rules_mindspore || r == &tt_rules_mindspore_gpu;
    if (tt_ascend_sniff(text, len, d) || (!mindspore && r != &tt_rules_ascend && r != &tt_rules_msprof)) return;
    d->ascend = true;
    d->numbered = mindspore;
}

/* ---- kinds ---- */

/* Names of hardware tasks that compute nothing, for tasks whose type does not say so. */
static bool no_kernel(const char *p, size_t len)
{
    static const char *const names[] = {"EVENT_",        "NOTIFY_", "Notify", "Write Value",  "PLACE_HOLDER",
                                        "PROFILING_",    "SDMA",    "RDMA",   "REDUCE_ASYNC", "PCIE_DMA",
                                        "Reduce_Inline", "Memcpy",  "CMO_",   "MODEL_",       "STREAM_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (starts(p, len, names[i])) return true;
    return false;
}

/* Kind of a hardware task. Older exporters write type "Other" for every kernel; the oldest write none. */
static tt_kind task_kind(const char *type, size_t n_type, const char *name, size_t len)
{
    static const char *const cores[] = {"AI_CORE", "AI_VECTOR_CORE", "AI_CPU", "DSA_SQE"};
    if (is(name, len, "MEMCPY_ASYNC") || is(type, n_type, "MEMCPY_ASYNC")) return TT_KIND_MEMCPY;
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (is(type, n_type, cores[i])) return TT_KIND_KERNEL;
    if (starts(type, n_type, "MIX_")) return TT_KIND_KERNEL;
    bool said = n_type && !is(type, n_type, "Other") && !is(type, n_type, "N/A");
    return said || no_kernel(name, len) ? TT_KIND_TASK : TT_KIND_KERNEL;
}

/* Fixed pids of MindInsight. A smaller pid is a device; its threads are streams, except rows derived from others:
 * steps, scopes, and operators as seen by the host. */
enum {
    PID_AI_CPU = 9000,
    PID_COMMUNICATION = 10000,
    PID_GPU = 13000,
    TID_DERIVED = 100000,
};

static tt_kind numbered_kind(const tt_chrome_event *e)
{
    int64_t pid, tid;
    if (!e->pid.type || !tt_parse_int(e->pid.p, e->pid.p + e->pid.len, &pid)) return TT_KIND_OTHER;
    if (!e->tid.type || !tt_parse_int(e->tid.p, e->tid.p + e->tid.len, &tid)) tid = 0;
    if (pid == PID_COMMUNICATION) return TT_KIND_COLLECTIVE;
    if (pid == PID_AI_CPU || pid == PID_GPU) return TT_KIND_KERNEL;
    return pid < PID_AI_CPU && tid < TID_DERIVED ? TT_KIND_KERNEL : TT_KIND_OTHER;
}

static const char *numbered_core(const tt_chrome_event *e)
{
    if (is(SPAN(e->pid), "9000")) return "AICPU";
    return is(SPAN(e->pid), "13000") ? "GPU" : "AICORE";
}

/* Level of a runtime call by the first word of its name, for calls without a level. */
static const char *level_of_name(const char *p, size_t len)
{
    static const struct {
        const char *word, *level;
    } table[] = {{"AscendCL@", "acl"}, {"Node@", "node"},       {"Hccl@", "hccl"},
                 {"Model@", "model"},  {"Runtime@", "runtime"}, {"GE@", "model"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (starts(p, len, table[i].word)) return table[i].level;
    return "runtime";
}

static uint8_t category(tt_chrome_parser *w, const char *name, size_t len, tt_kind kind)
{
    return tt_build_category(w->b, tt_build_name(w->b, name, len), kind);
}

uint8_t tt_ascend_category(tt_chrome_parser *w, const tt_chrome_event *e, tt_kind *kind)
{
    const tt_span *type = &e->arg[TT_ARG_TASK_TYPE], *level = &e->arg[TT_ARG_LEVEL];
    if (w->dialect.numbered) {
        const char *core = numbered_core(e);
        *kind = numbered_kind(e);
        return *kind == TT_KIND_KERNEL       ? category(w, core, strlen(core), *kind)
               : *kind == TT_KIND_COLLECTIVE ? category(w, "collective", 10, *kind)
                                             : category(w, "", 0, *kind);
    }
    if (tt_args_has(e, TT_ARG_TASK_TYPE)) {
        *kind = task_kind(SPAN(*type), e->name.p ? e->name.p : "", e->name.len);
        return category(w, SPAN(*type), *kind);
    }
    if (tt_args_has(e, TT_ARG_SUBTASK) || tt_args_has(e, TT_ARG_NOTIFY)) {
        *kind = TT_KIND_TASK;
        tt_span none = {"", 0, '"'};
        return category(w, SPAN(tt_args_has(e, TT_ARG_SUBTASK) ? e->arg[TT_ARG_SUBTASK] : none), *kind);
    }
    if (tt_args_has(e, TT_ARG_LEVEL) && tt_args_has(e, TT_ARG_CONNECTION)) {
        *kind = TT_KIND_RUNTIME;
        return category(w, SPAN(*level), *kind);
    }
    if (tt_args_has(e, TT_ARG_MODE)) {
        const char *by_name = level_of_name(e->name.p ? e->name.p : "", e->name.len);
        *kind = TT_KIND_RUNTIME;
        return tt_args_has(e, TT_ARG_LEVEL) ? category(w, SPAN(*level), *kind)
                                            : category(w, by_name, strlen(by_name), *kind);
    }
    *kind = TT_KIND_OTHER;
    return category(w, "", 0, *kind);
}

/* ---- name, ids and device members of a slice ---- */

/* Shorten a name to the part behind '@': "Node@launch" becomes launch. */
static void after_at(const char **p, size_t *len)
{
    const char *at = *len ? memchr(*p, '@', *len) : NULL;
    if (!at || at + 1 == *p + *len) return;
    *len -= (size_t)(at + 1 - *p);
    *p = at + 1;
}

static uint32_t table_name(tt_chrome_parser *w, const tt_chrome_event *e, tt_kind kind)
{
    const char *p = e->name.p ? e->name.p : "";
    size_t len = e->name.len;
    const tt_span *id = &e->arg[TT_ARG_API_ID], *full = &e->arg[TT_ARG_FULLNAME];
    if (tt_kind_is_launch(kind)) {
        bool given = tt_args_has(e, TT_ARG_API_ID) && id->len && !is(SPAN(*id), "0");
        if (given)
            p = id->p, len = id->len;
        else
            after_at(&p, &len);
    } else if (tt_args_has(e, TT_ARG_FULLNAME) && full->len) {
        p = full->p, len = full->len;
    }
    return tt_build_name(w->b, p, len);
}

static int64_t stream_of(const tt_chrome_parser *w, const tt_chrome_event *e, tt_kind kind)
{
    int64_t stream;
    if (tt_args_int(e, TT_ARG_TASK_STREAM, &stream)) return stream;
    bool thread = w->dialect.numbered || kind == TT_KIND_KERNEL || kind == TT_KIND_MEMCPY;
    if (thread && e->tid.type && tt_parse_int(e->tid.p, e->tid.p + e->tid.len, &stream)) return stream;
    return TT_UNKNOWN;
}

static uint32_t text_of(tt_chrome_parser *w, const char *p, size_t len)
{
    bool none = !len || is(p, len, "N/A");
    return none ? 0 : tt_build_text(w->b, p, len);
}

static uint32_t text_arg(tt_chrome_parser *w, const tt_chrome_event *e, int arg)
{
    return tt_args_has(e, arg) ? text_of(w, SPAN(e->arg[arg])) : 0;
}

/* Launch shape of a task: from its arguments, overridden by what another file of the folder knows. */
static uint32_t launch_shape(tt_chrome_parser *w, const tt_chrome_event *e, const tt_slice_in *s)
{
    const double u = __builtin_nan("");
    tt_chrome_task t = {0};
    tt_launch_shape shape = {.grid = text_arg(w, e, TT_ARG_GRID_DIM),
                             .block = text_arg(w, e, TT_ARG_BLOCK_DIM),
                             .registers = TT_UNKNOWN,
                             .shared_bytes = TT_UNKNOWN,
                             .blocks_per_sm = u,
                             .warps_per_sm = u,
                             .occupancy_pct = u};
    const char *core = numbered_core(e), *name = tt_str(&w->b->names, s->name);
    shape.core = w->dialect.numbered ? text_of(w, core, strlen(core)) : text_arg(w, e, TT_ARG_TASK_TYPE);
    shape.type = text_arg(w, e, TT_ARG_OP_TYPE);
    if (w->folder && w->folder->task && w->folder->task(w->folder->arg, s->ts, name, w->b->names.len.at[s->name], &t)) {
        if (t.core.len) shape.core = text_of(w, t.core.at, t.core.len);
        if (t.type.len) shape.type = text_of(w, t.type.at, t.type.len);
        if (t.block_dim.len) shape.block = text_of(w, t.block_dim.at, t.block_dim.len);
    }
    return shape.grid || shape.block || shape.core || shape.type ? tt_build_shape(w->b, &shape) : 0;
}

/* Learn the device's number: MindInsight uses it as pid of the AI core. */
static void learn_device(tt_chrome_parser *w, const tt_chrome_event *e)
{
    int64_t pid;
    if (w->npu < 0 && tt_parse_int(e->pid.p, e->pid.p + e->pid.len, &pid) && pid >= 0 && pid < PID_AI_CPU) w->npu = pid;
}

void tt_ascend_slice(tt_chrome_parser *w, const tt_chrome_event *e, tt_kind kind, tt_slice_in *s, tt_device_in *device)
{
    int64_t id;
    if (tt_args_int(e, TT_ARG_CONNECTION, &id) && id > 0 && !tt_kind_is_python(kind) && !tt_kind_is_indexed(kind))
        s->correlation = tt_build_id(w->b, (uint64_t)id);
    if (tt_kind_is_launch(kind) || tt_args_has(e, TT_ARG_FULLNAME)) s->name = table_name(w, e, kind);
    if (!tt_kind_is_device(kind)) return;
    if (w->dialect.numbered && e->pid.type) learn_device(w, e);
    *device = TT_NO_DEVICE;
    device->stream = stream_of(w, e, kind);
    if (kind == TT_KIND_KERNEL) device->shape = launch_shape(w, e, s);
}

/* ---- operators ---- */

/* The next part of a JSON text with ";\r\n" between its parts; false behind the last. */
static bool next_part(const char **p, const char *e, tt_span *part)
{
    if (!*p) return false;
    const char *from = *p, *end = from;
    while (end < e && *end != ';') end++;
    *part = (tt_span){from, (uint32_t)(end - from), '"'};
    *p = end < e ? end + 1 : NULL;
    for (int i = 0; *p && i < 2; i++)
        if (e - *p >= 2 && (*p)[0] == '\\' && ((*p)[1] == 'r' || (*p)[1] == 'n')) *p += 2;
    return true;
}

/* Output forms: SHAPES turns "32,3;\r\n;\r\n" into [[32,3],[],[]], STRINGS makes a list of strings, FRAMES joins by
 * ";". */
enum form { SHAPES, STRINGS, FRAMES };

static uint32_t put_parts(tt_chrome_parser *w, const tt_chrome_event *e, int arg, enum form form)
{
    if (!tt_args_has(e, arg)) return 0;
    tt_span s = e->arg[arg], part;
    if (s.type != '"') return form == FRAMES ? tt_build_name(w->b, s.p, s.len) : tt_build_text(w->b, s.p, s.len);
    char small[512], *out = small;
    size_t n = 0, most = (size_t)s.len * 4 + 8; /* a part at most doubles in size */
    if (most > sizeof small) out = tt_malloc(most);
    if (form != FRAMES) out[n++] = '[';
    for (const char *p = s.p; next_part(&p, s.p + s.len, &part);) {
        if (form == FRAMES && !part.len) continue;
        if (n > (form != FRAMES)) out[n++] = form == FRAMES ? ';' : ',';
        if (form != FRAMES) out[n++] = form == SHAPES ? '[' : '"';
        memcpy(out + n, part.p, part.len);
        n += part.len;
        if (form != FRAMES) out[n++] = form == SHAPES ? ']' : '"';
    }
    if (form != FRAMES) out[n++] = ']';
    uint32_t id = form == FRAMES ? tt_build_name(w->b, out, n) : tt_build_text(w->b, out, n);
    if (out != small) free(out);
    return id;
}

uint32_t tt_ascend_op(tt_chrome_parser *w, const tt_chrome_event *e)
{
    tt_op_args a = {.shapes = put_parts(w, e, TT_ARG_SHAPES, SHAPES),
                    .types = put_parts(w, e, TT_ARG_TYPES, STRINGS),
                    .stack = put_parts(w, e, TT_ARG_STACK, FRAMES)};
    return tt_build_op_args(w->b, &a);
}

/* ---- flows ---- */

bool tt_ascend_launch_flow(const char *cat, size_t len) { return starts(cat, len, "HostToDevice"); }
bool tt_ascend_work_flow(const char *cat, size_t len) { return is(cat, len, "async_npu"); }

/* ---- roles of processes and threads ---- */

typedef enum role { NONE, HARDWARE, COMMUNICATION, CANN, OVERLAP, PLANE, STEPS } role;

typedef struct roles { /* roles by pid, or by pid NUL tid */
    tt_strings keys;
    struct said {
        role role;
        uint64_t offset; /* offset of the label: the last label counts */
    } * of;
    size_t n, cap;
} roles;

static role role_of_process(const char *name)
{
    if (!strcmp(name, "Ascend Hardware")) return HARDWARE;
    if (!strcmp(name, "HCCL") || !strcmp(name, "Communication")) return COMMUNICATION;
    if (!strcmp(name, "Overlap Analysis")) return OVERLAP;
    return strcmp(name, "CANN") != 0 ? NONE : CANN;
}

static role role_of_thread(const char *name)
{
    if (!strncmp(name, "Plane", 5)) return PLANE;
    return strncmp(name, "Step Trace", 10) != 0 ? NONE : STEPS;
}

/* Key of a track's process, or of the track itself where thread is set; freed by the caller. */
static char *key_of(const tt_builder *b, const tt_build_track *t, bool thread, size_t *len)
{
    size_t p = b->names.len.at[t->pid], n = thread ? b->names.len.at[t->tid] + 1 : 0;
    char *key = tt_malloc(p + n + 1);
    memcpy(key, tt_str(&b->names, t->pid), p);
    if (thread) {
        key[p] = 0;
        memcpy(key + p + 1, tt_str(&b->names, t->tid), n - 1);
    }
    *len = p + n;
    return key;
}

static void put_role(roles *r, const tt_builder *b, const tt_label_rec *l)
{
    bool thread = l->what == TT_LABEL_THREAD_NAME;
    const char *name = tt_str(&b->names, l->text);
    size_t len;
    char *key = key_of(b, &b->tracks.at[l->track], thread, &len);
    uint32_t id = tt_strings_put(&r->keys, key, len);
    free(key);
    while (id >= r->cap) {
        size_t cap = r->cap ? r->cap * 2 : 64;
        r->of = tt_realloc(r->of, cap, sizeof *r->of);
        memset(r->of + r->cap, 0, (cap - r->cap) * sizeof *r->of);
        r->cap = cap;
    }
    if (r->of[id].offset > l->offset + 1) return;
    r->of[id] = (struct said){thread ? role_of_thread(name) : role_of_process(name), l->offset + 1};
}

static role role_at(const roles *r, const tt_builder *b, const tt_build_track *t, bool thread)
{
    size_t len;
    char *key = key_of(b, t, thread, &len);
    uint32_t id = tt_strings_find(&r->keys, key, len);
    free(key);
    return id < r->cap ? r->of[id].role : NONE;
}

static tt_kind settled_kind(role process, role thread, const char *name, size_t len)
{
    switch (process) {
    case HARDWARE: return thread == STEPS ? TT_KIND_OTHER : task_kind("", 0, name, len);
    case COMMUNICATION: return thread == PLANE ? TT_KIND_TASK : TT_KIND_COLLECTIVE;
    case CANN: return TT_KIND_RUNTIME;
    default: return TT_KIND_OTHER;
    }
}

static void settle_slice(tt_builder *b, uint32_t track, tt_rec *r, role process, role thread)
{
    const char *name = tt_str(&b->names, r->name);
    size_t len = b->names.len.at[r->name];
    tt_kind kind = settled_kind(process, thread, name, len);
    if (kind == TT_KIND_OTHER && process != OVERLAP) return;
    const char *category = kind == TT_KIND_RUNTIME      ? level_of_name(name, len)
                           : kind == TT_KIND_COLLECTIVE ? "collective"
                           : kind == TT_KIND_OTHER      ? "overlap"
                           : kind == TT_KIND_KERNEL     ? "kernel"
                                                        : "task";
    uint8_t cat = tt_build_category(b, tt_build_name(b, category, strlen(category)), kind);
    tt_device_in d = TT_NO_DEVICE;
    const char *tid = tt_str(&b->names, b->tracks.at[track].tid);
    int64_t stream;
    if (process == HARDWARE && tt_parse_int_slow(tid, tid + strlen(tid), &stream)) d.stream = stream;
    tt_build_recast(b, track, r, cat, &d);
    if (kind != TT_KIND_RUNTIME) return;
    after_at(&name, &len);
    char *copy = tt_malloc(len + 1);
    memcpy(copy, name, len);
    r->name = tt_build_name(b, copy, len);
    free(copy);
}

static void settle_track(tt_builder *b, uint32_t track, role process, role thread)
{
    for (tt_rec_block *k = b->tracks.at[track].first; k; k = k->next) {
        for (uint32_t i = 0; i < k->n; i++) {
            const tt_category *c = &b->cats[tt_rec_cat(&k->at[i])];
            if (c->kind == TT_KIND_OTHER && !c->name) settle_slice(b, track, &k->at[i], process, thread);
        }
    }
}

void tt_ascend_settle(tt_builder *const *builders, unsigned n)
{
    roles r = {0};
    tt_strings_init(&r.keys);
    for (unsigned i = 0; i < n; i++) {
        for (size_t k = 0; k < builders[i]->labels.n; k++) {
            const tt_label_rec *l = &builders[i]->labels.at[k];
            if (l->what == TT_LABEL_PROCESS_NAME || l->what == TT_LABEL_THREAD_NAME) put_role(&r, builders[i], l);
        }
    }
    for (unsigned i = 0; i < n; i++) {
        tt_builder *b = builders[i];
        for (uint32_t t = 0; t < b->tracks.n; t++) {
            role process = role_at(&r, b, &b->tracks.at[t], false);
            if (process != NONE) settle_track(b, t, process, role_at(&r, b, &b->tracks.at[t], true));
        }
    }
    tt_strings_free(&r.keys);
    free(r.of);
}
