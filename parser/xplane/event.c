/* parser/xplane/event.c - parses and classifies an XEvent. See event.h. */
#include "parser/xplane/event.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/demangle.h"

/* ---- fields of an event ---- */

static tt_xp_text text_of(const tt_xp_value *v) { return (tt_xp_text){v->text, v->text ? v->len : 0}; }

static void take_stat(const tt_xp_space *x, const tt_xp_plane *p, const tt_pb_field *f, tt_xp_event *e)
{
    tt_xp_value v = tt_xp_value_of(x, p, f);
    switch (tt_xp_role_of(p, v.metadata)) {
    case TT_XP_CORRELATION: e->correlation = v.type == TT_XSTAT_UINT || v.type == TT_XSTAT_INT ? v.value : 0; break;
    case TT_XP_KERNEL_DETAILS: e->kernel_details = text_of(&v); break;
    case TT_XP_MEMCPY_DETAILS: e->memcpy_details = text_of(&v); break;
    case TT_XP_MEMSET_DETAILS: e->memset_details = text_of(&v); break;
    case TT_XP_HLO_OP: e->op = text_of(&v); break;
    case TT_XP_HLO_MODULE: e->module = text_of(&v); break;
    case TT_XP_STEP_NUM: e->step = tt_xp_number(&v); break;
    case TT_XP_ALLOCATOR: e->allocator = text_of(&v); break;
    case TT_XP_BYTES_ALLOCATED: e->allocated = tt_xp_number(&v); break;
    case TT_XP_FLOPS: e->flops = tt_xp_number(&v); break;
    case TT_XP_BYTES_ACCESSED: e->accessed = tt_xp_number(&v); break;
    case TT_XP_ALLOCATION_BYTES: e->bytes = tt_xp_number(&v); break;
    case TT_XP_REQUESTED_BYTES:
        if (e->bytes == TT_UNKNOWN) e->bytes = tt_xp_number(&v);
        break;
    case TT_XP_ADDRESS: e->address = (int64_t)v.value; break;
    case TT_XP_INDEX_ON_HOST: e->index = tt_xp_number(&v); break;
    default: break;
    }
}

/* Fill a text that the event lacks from a stat of its kind. */
static void take_from_kind(const tt_xp_space *x, tt_sid text, tt_xp_text *to)
{
    if (!to->n && text) *to = (tt_xp_text){tt_str(&x->text, text), strlen(tt_str(&x->text, text))};
}

void tt_xp_event_read(const tt_xp_space *x, const tt_xp_plane *p, const char *bytes, size_t len, tt_xp_event *e)
{
    tt_pb m = tt_pb_of(bytes, len);
    tt_pb_field f;
    *e = (tt_xp_event){.step = TT_UNKNOWN,
                       .allocated = TT_UNKNOWN,
                       .flops = TT_UNKNOWN,
                       .accessed = TT_UNKNOWN,
                       .bytes = TT_UNKNOWN,
                       .address = TT_UNKNOWN,
                       .index = TT_UNKNOWN};
    while (tt_pb_next(&m, &f)) {
        switch (f.number) {
        case TT_XEVENT_METADATA: e->metadata = (int64_t)f.value; break;
        case TT_XEVENT_OFFSET:
            e->offset_ps = (int64_t)f.value;
            e->aggregated = false;
            break;
        case TT_XEVENT_DURATION: e->duration_ps = (int64_t)f.value; break;
        case TT_XEVENT_STAT:
            if (f.bytes) take_stat(x, p, &f, e);
            break;
        case TT_XEVENT_OCCURRENCES: e->aggregated = true; break;
        default: break;
        }
    }
    e->damaged = m.bad;
    uint32_t kind = tt_xp_find(&p->kind_ids, e->metadata);
    e->kind = kind == TT_XP_NONE ? NULL : &p->kinds.at[kind];
    if (!e->kind) return;
    if (e->flops == TT_UNKNOWN) e->flops = e->kind->flops;
    if (e->accessed == TT_UNKNOWN) e->accessed = e->kind->bytes;
    take_from_kind(x, e->kind->op, &e->op);
    take_from_kind(x, e->kind->module, &e->module);
}

/* Picoseconds to nanoseconds, rounded to nearest. */
static int64_t ns_of(int64_t ps)
{
    int64_t ns = ps / 1000, rest = ps % 1000;
    return rest >= 500 ? ns + 1 : rest < -500 ? ns - 1 : ns;
}

bool tt_xp_event_span(const tt_xp_line *l, const tt_xp_event *e, int64_t *start, int64_t *end)
{
    int64_t last;
    if (__builtin_add_overflow(e->offset_ps, e->duration_ps, &last)) return false;
    return !__builtin_add_overflow(l->timestamp_ns, ns_of(e->offset_ps), start) &&
           !__builtin_add_overflow(l->timestamp_ns, ns_of(last), end);
}

/* ---- class of an event ---- */

static bool starts(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

static const char *kind_name(const tt_xp_space *x, const tt_xp_event *e)
{
    return e->kind ? tt_str(&x->text, e->kind->name) : "";
}

/* Whether a name is a driver call: cuLaunchKernel, but not "custom-call". */
static bool driver_call(const char *name) { return starts(name, "cu") && name[2] >= 'A' && name[2] <= 'Z'; }

static tt_xp_class host_class(const tt_xp_space *x, const tt_xp_event *e)
{
    const char *name = kind_name(x, e);
    if (*name == '$') return TT_XP_C_PYTHON;
    if (!strcmp(name, "MemoryAllocation") || !strcmp(name, "MemoryDeallocation")) return TT_XP_C_MEMORY;
    if (e->step != TT_UNKNOWN && !x->steps) return TT_XP_C_STEP;
    if (!e->correlation) return TT_XP_C_HOST;
    if (starts(name, "cuda") || starts(name, "hip") || starts(name, "hsa_")) return TT_XP_C_RUNTIME;
    return driver_call(name) ? TT_XP_C_DRIVER : TT_XP_C_HOST;
}

/* Whether the event lacks the names that tell its class, as in a plane that was cut off. */
static bool nameless(const tt_xp_line *l, const tt_xp_event *e)
{
    bool told = e->kernel_details.at || e->memcpy_details.at || e->memset_details.at;
    return !e->kind || !e->kind->name || (l->track == TT_XP_STREAM && !told);
}

tt_xp_class tt_xp_event_class(const tt_xp_space *x, const tt_xp_line *l, const tt_xp_event *e)
{
    if (l->track == TT_XP_THREAD) return e->aggregated ? TT_XP_C_HOST : host_class(x, e);
    if (e->aggregated || (!x->planes.at[l->plane].whole && nameless(l, e))) return TT_XP_C_DERIVED;
    switch (l->track) {
    case TT_XP_STEPS: return TT_XP_C_STEP;
    case TT_XP_OPS: return TT_XP_C_KERNEL;
    case TT_XP_STREAM:
        return e->memcpy_details.at ? TT_XP_C_MEMCPY : e->memset_details.at ? TT_XP_C_MEMSET : TT_XP_C_KERNEL;
    default: return TT_XP_C_DERIVED;
    }
}

static const struct {
    const char *category;
    tt_kind kind;
} classes[TT_XP_CLASSES_] = {
    [TT_XP_C_HOST] = {"xla_host", TT_KIND_OTHER},          [TT_XP_C_PYTHON] = {"python_function", TT_KIND_PYTHON},
    [TT_XP_C_RUNTIME] = {"cuda_runtime", TT_KIND_RUNTIME}, [TT_XP_C_DRIVER] = {"cuda_driver", TT_KIND_DRIVER},
    [TT_XP_C_STEP] = {"iteration time", TT_KIND_STEP},     [TT_XP_C_MEMORY] = {"memory", TT_KIND_OTHER},
    [TT_XP_C_KERNEL] = {"kernel", TT_KIND_KERNEL},         [TT_XP_C_MEMCPY] = {"gpu_memcpy", TT_KIND_MEMCPY},
    [TT_XP_C_MEMSET] = {"gpu_memset", TT_KIND_MEMSET},     [TT_XP_C_DERIVED] = {"xla_derived", TT_KIND_DERIVED},
};

const char *tt_xp_class_category(tt_xp_class c) { return classes[c].category; }
tt_kind tt_xp_class_kind(tt_xp_class c) { return classes[c].kind; }

/* ---- numbers in texts ---- */

/* The number at *p, which moves behind it; TT_UNKNOWN when there is none, or it exceeds any size. */
static int64_t number_at(tt_xp_text t, const char **p)
{
    const char *end = t.at + t.n;
    int64_t v = 0;
    if (!*p || *p >= end || **p < '0' || **p > '9') return TT_UNKNOWN;
    for (; *p < end && **p >= '0' && **p <= '9'; ++*p) {
        if (v > INT64_MAX / 100) return TT_UNKNOWN;
        v = 10 * v + (**p - '0');
    }
    return v;
}

/* ---- memory ---- */

static bool has(tt_xp_text t, const char *part) { return t.n && memmem(t.at, t.n, part, strlen(part)) != NULL; }

/* Device of a memory event, by its allocator: "GPU_0_bfc", "xla_gpu_host_bfc"; TPUs have a number. */
void tt_xp_event_place(const tt_xp_event *e, int16_t *type, int16_t *id)
{
    *type = 0;
    *id = -1;
    if (has(e->allocator, "gpu_host") || has(e->allocator, "_host_")) {
        *type = TT_DEVICE_PINNED;
    } else if (e->allocator.n > 4 && !strncmp(e->allocator.at, "GPU_", 4)) {
        const char *digits = e->allocator.at + 4;
        int64_t n = number_at(e->allocator, &digits);
        *type = 1;
        *id = n >= 0 && n < INT16_MAX ? (int16_t)n : -1;
    } else if (e->index >= 0 && e->index < INT16_MAX) {
        *type = 1;
        *id = (int16_t)e->index;
    }
}

bool tt_xp_event_releases(const tt_xp_space *x, const tt_xp_event *e)
{
    return !strcmp(kind_name(x, e), "MemoryDeallocation");
}

/* ---- names ---- */

static void append_text(tt_text *t, const char *text) { tt_text_put(t, text, strlen(text)); }

/* Kind of copy by name: "MemcpyH2D", "CopyHostToDevice", "MEMORY_COPY_HOST_TO_DEVICE". NULL: another copy. */
static const char *copy_name(const char *name)
{
    static const struct {
        const char *part, *name;
    } ways[] = {
        {"H2D", "Memcpy HtoD (Host -> Device)"},
        {"HtoD", "Memcpy HtoD (Host -> Device)"},
        {"HostToDevice", "Memcpy HtoD (Host -> Device)"},
        {"HOST_TO_DEVICE", "Memcpy HtoD (Host -> Device)"},
        {"D2H", "Memcpy DtoH (Device -> Host)"},
        {"DtoH", "Memcpy DtoH (Device -> Host)"},
        {"DeviceToHost", "Memcpy DtoH (Device -> Host)"},
        {"DEVICE_TO_HOST", "Memcpy DtoH (Device -> Host)"},
        {"D2D", "Memcpy DtoD (Device -> Device)"},
        {"DtoD", "Memcpy DtoD (Device -> Device)"},
        {"DeviceToDevice", "Memcpy DtoD (Device -> Device)"},
        {"DEVICE_TO_DEVICE", "Memcpy DtoD (Device -> Device)"},
        {"P2P", "Memcpy PtoP (Device -> Device)"},
        {"H2H", "Memcpy HtoH (Host -> Host)"},
        {"HtoH", "Memcpy HtoH (Host -> Host)"},
        {"HostToHost", "Memcpy HtoH (Host -> Host)"},
        {"HOST_TO_HOST", "Memcpy HtoH (Host -> Host)"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strstr(name, ways[i].part)) return ways[i].name;
    }
    return NULL;
}

/* Python frames in PyTorch's spelling: "$trainer.py:12 fit" becomes "trainer.py(12): fit", "$builtins len" "<built-in
 * len>". */
static void frame_name(const char *name, tt_text *out)
{
    const char *blank = strchr(name, ' '), *colon = blank ? memrchr(name, ':', (size_t)(blank - name)) : NULL;
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    if (starts(name, "$builtins ")) {
        append_text(out, "<built-in ");
        append_text(out, name + 10);
        append_text(out, ">");
    } else if (digits && colon + 1 + digits == blank) {
        tt_text_put(out, name + 1, (size_t)(colon - name - 1));
        append_text(out, "(");
        tt_text_put(out, colon + 1, digits);
        append_text(out, "): ");
        append_text(out, blank + 1);
    } else {
        append_text(out, name + 1);
    }
}

void tt_xp_event_name(const tt_xp_space *x, const tt_xp_event *e, tt_xp_class c, tt_text *out)
{
    char number[48];
    const char *name = kind_name(x, e), *copy = c == TT_XP_C_MEMCPY ? copy_name(name) : NULL;
    size_t n = strlen(name);
    out->n = 0;
    if (!e->kind || !n) {
        snprintf(number, sizeof number, "event %" PRId64, e->metadata);
        append_text(out, number);
    } else if (c == TT_XP_C_PYTHON) {
        frame_name(name, out);
    } else if (copy || c == TT_XP_C_MEMSET) {
        append_text(out, copy ? copy : "Memset (Device)");
    } else if (c == TT_XP_C_KERNEL) {
        tt_text_put(out, name, tt_kernel_name_length(name, n));
    } else {
        append_text(out, name);
    }
    if (c == TT_XP_C_STEP && e->step != TT_UNKNOWN) {
        snprintf(number, sizeof number, " %" PRId64, e->step);
        append_text(out, number);
    }
}

/* ---- details ---- */

/* The value behind "KEY:" at the start of a word; NULL = none. */
static const char *value_in(tt_xp_text t, const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 0; i + n < t.n; i++) {
        bool begins = i == 0 || t.at[i - 1] == ' ' || t.at[i - 1] == '\n';
        if (begins && !memcmp(t.at + i, key, n) && t.at[i + n] == ':') return t.at + i + n + 1;
    }
    return NULL;
}

static int64_t number_in(tt_xp_text t, const char *key)
{
    const char *p = value_in(t, key);
    return number_at(t, &p);
}

static void triple_in(tt_xp_text t, const char *key, int64_t v[3])
{
    const char *p = value_in(t, key), *end = t.at + t.n;
    for (int i = 0; i < 3; i++) {
        v[i] = number_at(t, &p);
        if (v[i] == TT_UNKNOWN) {
            v[0] = TT_UNKNOWN;
            return;
        }
        if (i < 2 && p < end && *p == ',') p++;
    }
}

int64_t tt_xp_size_of(tt_xp_text details) { return details.at ? number_in(details, "size") : TT_UNKNOWN; }

tt_xp_launch tt_xp_launch_of(tt_xp_text t)
{
    tt_xp_launch l = {.registers = TT_UNKNOWN, .shared_bytes = TT_UNKNOWN, .occupancy_pct = (double)NAN};
    static const char *const shared[] = {"shm", "static_shared", "dynamic_shared", "group_mem"};
    l.grid[0] = l.block[0] = TT_UNKNOWN;
    if (!t.at) return l;
    triple_in(t, "grid", l.grid);
    triple_in(t, "block", l.block);
    l.registers = number_in(t, "regs");
    if (l.registers > 1024) l.registers = TT_UNKNOWN; /* garbage from older ROCm */
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        int64_t v = number_in(t, shared[i]);
        if (v != TT_UNKNOWN) l.shared_bytes = (l.shared_bytes == TT_UNKNOWN ? 0 : l.shared_bytes) + v;
    }
    const char *p = value_in(t, "occ_pct");
    char digits[16] = "";
    for (size_t i = 0; p && p + i < t.at + t.n && i + 1 < sizeof digits && p[i] != ' '; i++) digits[i] = p[i];
    double pct = strtod(digits, NULL);
    if (pct > 0 && pct <= 100) l.occupancy_pct = pct; /* 0: unknown to ROCm's tool */
    return l;
}
