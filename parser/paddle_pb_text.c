/* Values of Paddle's protobuf dump as text: see paddle_pb.h; and the members of one event, for a person to look at. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/eventtext_pb.h"
#include "parser/paddle_pb.h"

bool tt_pb_collect(tt_pb m, tt_pb_fields *out)
{
    tt_pb_field f;
    memset(out, 0, sizeof *out);
    while (tt_pb_next(&m, &f)) {
        if (f.number >= TT_PB_FIELDS) continue;
        out->at[f.number] = f;
        out->have |= 1u << f.number;
    }
    return !m.bad;
}

const char *tt_paddle_type(uint64_t type)
{
    static const char *const names[] = {"Operator",
                                        "Dataloader",
                                        "ProfileStep",
                                        "CudaRuntime",
                                        "Kernel",
                                        "Memcpy",
                                        "Memset",
                                        "UserDefined",
                                        "OperatorInner",
                                        "Forward",
                                        "Backward",
                                        "Optimization",
                                        "Communication",
                                        "PythonOp",
                                        "PythonUserDefined",
                                        "DygraphKernelLaunch",
                                        "StaticKernelLaunch"};
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

const char *tt_paddle_memory_type(uint64_t type)
{
    static const char *const names[] = {"Allocate", "Free", "ReservedAllocate", "ReservedFree"};
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

void tt_pb_put(tt_pb_text *t, const char *bytes, size_t len)
{
    tt_vec_reserve(t, t->n + len + 1);
    if (len) memcpy(t->at + t->n, bytes, len);
    t->n += len;
    t->at[t->n] = 0;
}

static void put(tt_pb_text *t, const char *text) { tt_pb_put(t, text, strlen(text)); }

static void put_int(tt_pb_text *t, uint64_t v)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, (int64_t)v);
    put(t, text);
}

/* A name inside JSON quotes. */
static void put_key(tt_pb_text *t, const tt_pb_field *key, bool first)
{
    put(t, first ? "\"" : ", \"");
    for (size_t i = 0; i < key->len; i++) {
        char c = key->bytes[i];
        if (c == '"' || c == '\\') put(t, "\\");
        if ((unsigned char)c >= 0x20) tt_pb_put(t, &c, 1);
    }
    put(t, "\": [");
}

/* The sizes of one tensor; a writer may pack them. */
static void put_sizes(tt_pb_text *t, const tt_pb_field *shape)
{
    tt_pb m = tt_pb_inside(shape);
    tt_pb_field f;
    bool first = true;
    put(t, "[");
    while (tt_pb_next(&m, &f)) {
        if (f.number != 1) continue;
        const char *p = f.bytes, *e = f.bytes ? f.bytes + f.len : NULL;
        uint64_t v = f.value;
        size_t n = 0;
        for (; !p || (p < e && (n = tt_pb_varint(p, e, &v))); p += n) {
            if (!first) put(t, ", ");
            put_int(t, v);
            first = false;
            if (!p) break;
        }
    }
    put(t, "]");
}

/* Keys and values are two repeated fields of equal length: walk both at once. */
static void put_map(const tt_pb_field *map, tt_pb_text *out, void (*value)(tt_pb_text *t, const tt_pb_field *v))
{
    tt_pb keys = tt_pb_inside(map), values = keys;
    tt_pb_field k, v;
    bool first = true;
    put(out, "{");
    while (tt_pb_next(&keys, &k)) {
        if (k.number != 1 || !k.bytes) continue;
        bool found = false;
        while (!found && tt_pb_next(&values, &v)) found = v.number == 2 && v.bytes;
        put_key(out, &k, first);
        first = false;
        if (found) value(out, &v);
        put(out, "]");
    }
    put(out, "}");
}

static void shapes_value(tt_pb_text *t, const tt_pb_field *v)
{
    tt_pb m = tt_pb_inside(v);
    tt_pb_field f;
    bool first = true;
    while (tt_pb_next(&m, &f)) {
        if (f.number != 1 || !f.bytes) continue;
        if (!first) put(t, ", ");
        put_sizes(t, &f);
        first = false;
    }
}

static void types_value(tt_pb_text *t, const tt_pb_field *v)
{
    tt_pb m = tt_pb_inside(v);
    tt_pb_field f;
    bool first = true;
    while (tt_pb_next(&m, &f)) {
        if (f.number != 1 || !f.bytes) continue;
        put(t, first ? "\"" : ", \"");
        tt_pb_put(t, f.bytes, f.len);
        put(t, "\"");
        first = false;
    }
}

void tt_pb_shapes(const tt_pb_field *f, tt_pb_text *out) { put_map(f, out, shapes_value); }
void tt_pb_types(const tt_pb_field *f, tt_pb_text *out) { put_map(f, out, types_value); }

/* ---- one event for a person ---- */

enum format { NUMBER, SIGNED, TEXT, FLOAT, PERCENT, TYPE, MEMORY_TYPE, SHAPES, TYPES };

struct key {
    uint8_t number;
    enum format format;
    const char *key;
};

#define END                                                                                                            \
    {                                                                                                                  \
        0, NUMBER, NULL                                                                                                \
    }
static const struct key host_keys[] = {{1, TEXT, "name"},
                                       {2, TYPE, "cat"},
                                       {3, NUMBER, "start_ns"},
                                       {4, NUMBER, "end_ns"},
                                       {5, NUMBER, "pid"},
                                       {6, NUMBER, "tid"},
                                       END};
static const struct key supplement_keys[] = {{2, TEXT, "args.op_type"},       {5, SHAPES, "args.input_shapes"},
                                             {6, TYPES, "args.input_dtypes"}, {7, TEXT, "args.callstack"},
                                             {8, NUMBER, "args.op_id"},       END};
static const struct key runtime_keys[] = {{1, TEXT, "name"},
                                          {2, NUMBER, "start_ns"},
                                          {3, NUMBER, "end_ns"},
                                          {4, NUMBER, "pid"},
                                          {5, NUMBER, "tid"},
                                          {6, NUMBER, "args.correlation id"},
                                          {7, NUMBER, "args.callback id"},
                                          END};
static const struct key device_keys[] = {{1, TEXT, "name"},
                                         {2, TYPE, "cat"},
                                         {3, NUMBER, "start_ns"},
                                         {4, NUMBER, "end_ns"},
                                         {5, NUMBER, "args.device"},
                                         {6, NUMBER, "args.context"},
                                         {7, NUMBER, "args.stream"},
                                         {8, NUMBER, "args.correlation id"},
                                         END};
static const struct key kernel_keys[] = {{4, NUMBER, "args.grid x"},
                                         {5, NUMBER, "args.grid y"},
                                         {6, NUMBER, "args.grid z"},
                                         {1, NUMBER, "args.block x"},
                                         {2, NUMBER, "args.block y"},
                                         {3, NUMBER, "args.block z"},
                                         {7, NUMBER, "args.dynamic shared memory"},
                                         {8, NUMBER, "args.static shared memory"},
                                         {9, NUMBER, "args.registers per thread"},
                                         {10, NUMBER, "args.local memory per thread"},
                                         {11, NUMBER, "args.local memory total"},
                                         {12, NUMBER, "args.queued"},
                                         {13, NUMBER, "args.submitted"},
                                         {14, NUMBER, "args.completed"},
                                         {15, FLOAT, "args.blocks per SM"},
                                         END};
static const struct key memcpy_keys[] = {{1, NUMBER, "args.bytes"},
                                         {2, TEXT, "args.copy kind"},
                                         {3, TEXT, "args.source"},
                                         {4, TEXT, "args.destination"},
                                         END};
static const struct key memset_keys[] = {{1, NUMBER, "args.bytes"},
                                         {2, TEXT, "args.memory kind"},
                                         {3, NUMBER, "args.value"},
                                         END};
static const struct key memory_keys[] = {{2, MEMORY_TYPE, "cat"},
                                         {1, NUMBER, "time_ns"},
                                         {4, NUMBER, "pid"},
                                         {5, NUMBER, "tid"},
                                         {7, TEXT, "args.place"},
                                         {3, NUMBER, "args.addr"},
                                         {6, SIGNED, "args.increase_bytes"},
                                         {8, NUMBER, "args.current_allocated"},
                                         {9, NUMBER, "args.current_reserved"},
                                         {10, NUMBER, "args.peak_allocated"},
                                         {11, NUMBER, "args.peak_reserved"},
                                         END};

static const char *value_text(tt_arena *a, const tt_pb_field *f, enum format format)
{
    const char *name = NULL;
    if (format == TYPE) name = tt_paddle_type(f->value);
    if (format == MEMORY_TYPE) name = tt_paddle_memory_type(f->value);
    if (name) return name;
    if (format == SHAPES || format == TYPES) {
        tt_pb_text t = {0};
        (format == SHAPES ? tt_pb_shapes : tt_pb_types)(f, &t);
        const char *text = tt_arena_strndup(a, t.at, t.n);
        tt_vec_free(&t);
        return text;
    }
    if (f->bytes) return tt_arena_strndup(a, f->bytes, f->len);
    if (format == FLOAT) return tt_arena_printf(a, "%g", tt_pb_float(f));
    if (format == PERCENT) return tt_arena_printf(a, "%g", 100 * tt_pb_float(f));
    if (format == SIGNED) return tt_arena_printf(a, "%" PRId64, (int64_t)f->value);
    return tt_arena_printf(a, "%" PRIu64, f->value);
}

static void list(const tt_pb_field *message, const struct key *keys, tt_pb_member_list *out, tt_arena *a)
{
    tt_pb_fields all;
    if (!message->bytes) return;
    (void)tt_pb_collect(tt_pb_inside(message), &all);
    for (; keys->key; keys++) {
        if (!(all.have >> keys->number & 1)) continue;
        *tt_vec_push(out) = (tt_field){keys->key, value_text(a, &all.at[keys->number], keys->format)};
    }
}

/* Numbers 16 and 17 lie outside what tt_pb_collect() keeps. */
static void list_kernel_rest(const tt_pb_field *kernel, tt_pb_member_list *out, tt_arena *a)
{
    tt_pb m = tt_pb_inside(kernel);
    tt_pb_field f;
    while (tt_pb_next(&m, &f)) {
        if (f.number == 16) *tt_vec_push(out) = (tt_field){"args.warps per SM", value_text(a, &f, FLOAT)};
        if (f.number == 17) {
            *tt_vec_push(out) = (tt_field){"args.theoretical achieved occupancy %", value_text(a, &f, PERCENT)};
        }
    }
}

static void list_device(const tt_pb_field *event, tt_pb_member_list *out, tt_arena *a)
{
    tt_pb_fields all;
    if (!event->bytes) return;
    (void)tt_pb_collect(tt_pb_inside(event), &all);
    list(event, device_keys, out, a);
    list(&all.at[9], kernel_keys, out, a);
    list_kernel_rest(&all.at[9], out, a);
    list(&all.at[10], memcpy_keys, out, a);
    list(&all.at[11], memset_keys, out, a);
}

bool tt_pb_members(const char *text, size_t len, tt_pb_member_list *out, tt_arena *a)
{
    tt_pb_fields node;
    uint64_t tag, claimed;
    size_t n = tt_pb_varint(text, text + len, &tag), m = n ? tt_pb_varint(text + n, text + len, &claimed) : 0;
    if (!m || (tag & 7) != TT_PB_BYTES) return false;
    size_t left = len - n - m;
    (void)tt_pb_collect(tt_pb_of(text + n + m, claimed < left ? (size_t)claimed : left), &node);
    switch (tag >> 3) {
    case TT_THREAD_NODE: /* = TT_RUNTIME_DEVICE: a host node begins with its number, a device node with its event */
        if (node.at[1].bytes) {
            list_device(&node.at[1], out, a);
        } else {
            tt_pb_fields supplement;
            (void)tt_pb_collect(tt_pb_inside(&node.at[TT_NODE_SUPPLEMENT]), &supplement);
            list(&node.at[TT_NODE_EVENT], host_keys, out, a);
            list(&supplement.at[1], supplement_keys, out, a);
        }
        return true;
    case TT_NODE_RUNTIME: list(&node.at[1], runtime_keys, out, a); return true;
    case TT_NODE_MEMORY: list(&node.at[1], memory_keys, out, a); return true;
    default: return false;
    }
}
