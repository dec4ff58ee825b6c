/* parser/paddle_pb/text.c - values of Paddle's protobuf dump as text (node.h), and visits to the members of an
 * event. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/paddle_pb/event_text_pb.h"
#include "parser/paddle_pb/node.h"

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

/* Write the sizes of one tensor; writers may pack them. */
static void put_sizes(tt_json *j, const tt_pb_field *shape)
{
    tt_pb m = tt_pb_inside(shape);
    tt_pb_field f;
    tt_json_open(j, '[', true);
    while (tt_pb_next(&m, &f)) {
        if (f.number != 1) continue;
        const char *p = f.bytes, *e = f.bytes ? f.bytes + f.len : NULL;
        uint64_t v = f.value;
        if (!p) tt_json_int(j, (int64_t)v);
        for (size_t n; p && p < e && (n = tt_pb_varint(p, e, &v)); p += n) tt_json_int(j, (int64_t)v);
    }
    tt_json_close(j, ']');
}

static void put_type(tt_json *j, const tt_pb_field *type) { tt_json_string(j, type->bytes, type->len); }

/* Write a map whose keys and values are two repeated fields of equal length, walking both at once. */
static void put_map(const tt_pb_field *map, tt_json *j, void (*put_item)(tt_json *j, const tt_pb_field *f))
{
    tt_pb keys = tt_pb_inside(map), values = keys;
    tt_pb_field k, v, f;
    tt_json_open(j, '{', true);
    while (tt_pb_next(&keys, &k)) {
        if (k.number != 1 || !k.bytes) continue;
        bool found = false;
        while (!found && tt_pb_next(&values, &v)) found = v.number == 2 && v.bytes;
        tt_json_key_bytes(j, k.bytes, k.len);
        tt_json_open(j, '[', true);
        tt_pb m = found ? tt_pb_inside(&v) : (tt_pb){0};
        while (found && tt_pb_next(&m, &f)) {
            if (f.number == 1 && f.bytes) put_item(j, &f);
        }
        tt_json_close(j, ']');
    }
    tt_json_close(j, '}');
}

void tt_pb_shapes(const tt_pb_field *f, tt_json *out) { put_map(f, out, put_sizes); }
void tt_pb_types(const tt_pb_field *f, tt_json *out) { put_map(f, out, put_type); }

/* ---- members of one event ---- */

struct key {
    uint8_t number;
    tt_pb_format format;
    const char *key;
};

#define END                                                                                                            \
    {                                                                                                                  \
        0, TT_PB_NUMBER, NULL                                                                                          \
    }
static const struct key host_keys[] = {{1, TT_PB_TEXT, "name"},
                                       {2, TT_PB_TYPE, "cat"},
                                       {3, TT_PB_NUMBER, "start_ns"},
                                       {4, TT_PB_NUMBER, "end_ns"},
                                       {5, TT_PB_NUMBER, "pid"},
                                       {6, TT_PB_NUMBER, "tid"},
                                       END};
static const struct key supplement_keys[] = {
    {2, TT_PB_TEXT, "args.op_type"},   {5, TT_PB_SHAPES, "args.input_shapes"}, {6, TT_PB_TYPES, "args.input_dtypes"},
    {7, TT_PB_TEXT, "args.callstack"}, {8, TT_PB_NUMBER, "args.op_id"},        END};
static const struct key runtime_keys[] = {{1, TT_PB_TEXT, "name"},
                                          {2, TT_PB_NUMBER, "start_ns"},
                                          {3, TT_PB_NUMBER, "end_ns"},
                                          {4, TT_PB_NUMBER, "pid"},
                                          {5, TT_PB_NUMBER, "tid"},
                                          {6, TT_PB_NUMBER, "args.correlation id"},
                                          {7, TT_PB_NUMBER, "args.callback id"},
                                          END};
static const struct key device_keys[] = {{1, TT_PB_TEXT, "name"},
                                         {2, TT_PB_TYPE, "cat"},
                                         {3, TT_PB_NUMBER, "start_ns"},
                                         {4, TT_PB_NUMBER, "end_ns"},
                                         {5, TT_PB_NUMBER, "args.device"},
                                         {6, TT_PB_NUMBER, "args.context"},
                                         {7, TT_PB_NUMBER, "args.stream"},
                                         {8, TT_PB_NUMBER, "args.correlation id"},
                                         END};
static const struct key kernel_keys[] = {{4, TT_PB_NUMBER, "args.grid x"},
                                         {5, TT_PB_NUMBER, "args.grid y"},
                                         {6, TT_PB_NUMBER, "args.grid z"},
                                         {1, TT_PB_NUMBER, "args.block x"},
                                         {2, TT_PB_NUMBER, "args.block y"},
                                         {3, TT_PB_NUMBER, "args.block z"},
                                         {7, TT_PB_NUMBER, "args.dynamic shared memory"},
                                         {8, TT_PB_NUMBER, "args.static shared memory"},
                                         {9, TT_PB_NUMBER, "args.registers per thread"},
                                         {10, TT_PB_NUMBER, "args.local memory per thread"},
                                         {11, TT_PB_NUMBER, "args.local memory total"},
                                         {12, TT_PB_NUMBER, "args.queued"},
                                         {13, TT_PB_NUMBER, "args.submitted"},
                                         {14, TT_PB_NUMBER, "args.completed"},
                                         {15, TT_PB_FLOAT, "args.blocks per SM"},
                                         END};
static const struct key memcpy_keys[] = {{1, TT_PB_NUMBER, "args.bytes"},
                                         {2, TT_PB_TEXT, "args.copy kind"},
                                         {3, TT_PB_TEXT, "args.source"},
                                         {4, TT_PB_TEXT, "args.destination"},
                                         END};
static const struct key memset_keys[] = {{1, TT_PB_NUMBER, "args.bytes"},
                                         {2, TT_PB_TEXT, "args.memory kind"},
                                         {3, TT_PB_NUMBER, "args.value"},
                                         END};
static const struct key memory_keys[] = {{2, TT_PB_MEMORY_TYPE, "cat"},
                                         {1, TT_PB_NUMBER, "time_ns"},
                                         {4, TT_PB_NUMBER, "pid"},
                                         {5, TT_PB_NUMBER, "tid"},
                                         {7, TT_PB_TEXT, "args.place"},
                                         {3, TT_PB_NUMBER, "args.addr"},
                                         {6, TT_PB_SIGNED, "args.increase_bytes"},
                                         {8, TT_PB_NUMBER, "args.current_allocated"},
                                         {9, TT_PB_NUMBER, "args.current_reserved"},
                                         {10, TT_PB_NUMBER, "args.peak_allocated"},
                                         {11, TT_PB_NUMBER, "args.peak_reserved"},
                                         END};

static const char *value_text(tt_arena *a, const tt_pb_field *f, tt_pb_format format)
{
    const char *name = NULL;
    if (format == TT_PB_TYPE) name = tt_paddle_type(f->value);
    if (format == TT_PB_MEMORY_TYPE) name = tt_paddle_memory_type(f->value);
    if (name) return name;
    if (format == TT_PB_SHAPES || format == TT_PB_TYPES) {
        tt_text t = {0};
        tt_json j;
        tt_json_init_text(&j, &t);
        (format == TT_PB_SHAPES ? tt_pb_shapes : tt_pb_types)(f, &j);
        const char *text = tt_arena_strndup(a, t.at, t.n);
        tt_vec_free(&t);
        return text;
    }
    if (f->bytes) return tt_arena_strndup(a, f->bytes, f->len);
    if (format == TT_PB_FLOAT) return tt_arena_printf(a, "%g", tt_pb_float(f));
    if (format == TT_PB_PERCENT) return tt_arena_printf(a, "%g", 100 * tt_pb_float(f));
    if (format == TT_PB_SIGNED) return tt_arena_printf(a, "%" PRId64, (int64_t)f->value);
    return tt_arena_printf(a, "%" PRIu64, f->value);
}

struct visit {
    tt_pb_visit *visit;
    void *arg;
};

static void each(const struct visit *to, const tt_pb_field *message, const struct key *keys)
{
    tt_pb_fields all;
    if (!message->bytes) return;
    (void)tt_pb_collect(tt_pb_inside(message), &all);
    for (; keys->key; keys++) {
        if (all.have >> keys->number & 1) to->visit(to->arg, keys->key, &all.at[keys->number], keys->format);
    }
}

/* Visit fields 16 and 17, which tt_pb_collect() does not keep. */
static void each_kernel_rest(const struct visit *to, const tt_pb_field *kernel)
{
    tt_pb m = tt_pb_inside(kernel);
    tt_pb_field f;
    while (tt_pb_next(&m, &f)) {
        if (f.number == 16) to->visit(to->arg, "args.warps per SM", &f, TT_PB_FLOAT);
        if (f.number == 17) to->visit(to->arg, "args.theoretical achieved occupancy %", &f, TT_PB_PERCENT);
    }
}

static void each_of_device(const struct visit *to, const tt_pb_field *event)
{
    tt_pb_fields all;
    if (!event->bytes) return;
    (void)tt_pb_collect(tt_pb_inside(event), &all);
    each(to, event, device_keys);
    each(to, &all.at[9], kernel_keys);
    each_kernel_rest(to, &all.at[9]);
    each(to, &all.at[10], memcpy_keys);
    each(to, &all.at[11], memset_keys);
}

tt_pb_what tt_pb_visit_node(const char *text, size_t len, bool *whole, tt_pb_visit *visit, void *arg)
{
    const struct visit to = {visit, arg};
    tt_pb_fields node, supplement;
    uint64_t tag, claimed;
    size_t n = tt_pb_varint(text, text + len, &tag), m = n ? tt_pb_varint(text + n, text + len, &claimed) : 0;
    if (!m || (tag & 7) != TT_PB_BYTES) return TT_PB_WHATS_;
    size_t left = len - n - m;
    *whole = claimed <= left;
    (void)tt_pb_collect(tt_pb_of(text + n + m, claimed < left ? (size_t)claimed : left), &node);
    switch (tag >> 3) {
    case TT_THREAD_NODE: /* = TT_RUNTIME_DEVICE: a host node begins with its number, a device node with its event */
        if (node.at[1].bytes) {
            each_of_device(&to, &node.at[1]);
            return TT_PB_DEVICE;
        }
        (void)tt_pb_collect(tt_pb_inside(&node.at[TT_PB_NODE_SUPPLEMENT]), &supplement);
        each(&to, &node.at[TT_PB_NODE_EVENT], host_keys);
        each(&to, &supplement.at[1], supplement_keys);
        return TT_PB_HOST;
    case TT_PB_NODE_RUNTIME: each(&to, &node.at[1], runtime_keys); return TT_PB_RUNTIME;
    case TT_PB_NODE_MEMORY: each(&to, &node.at[1], memory_keys); return TT_PB_MEMORY;
    default: return TT_PB_WHATS_;
    }
}

struct members {
    tt_field_list *list;
    tt_arena *arena;
};

static void put_member(void *arg, const char *key, const tt_pb_field *f, tt_pb_format format)
{
    struct members *m = arg;
    *tt_vec_push(m->list) = (tt_field){.key = key, .value = value_text(m->arena, f, format)};
}

bool tt_pb_members(const char *text, size_t len, tt_field_list *out, tt_arena *a)
{
    struct members m = {out, a};
    bool whole;
    return tt_pb_visit_node(text, len, &whole, put_member, &m) != TT_PB_WHATS_;
}
