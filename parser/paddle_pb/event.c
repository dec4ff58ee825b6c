/* parser/paddle_pb/event.c - writes an event of Paddle's protobuf dump in the form of Paddle's own JSON traces, so that
 * both mean the same to every reader.
 *
 * Times are those of the dump, in microseconds with three decimals. Arguments have no start_time, which the JSON traces
 * need only because they round. Members that only the dump has keep their names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/input/event_text.h"
#include "parser/paddle_pb/node.h"

struct event {
    tt_text text;
    tt_json args; /* writes into text */
    const char *cat;
    tt_pb_field name;
    uint64_t type, start, end, pid, tid;
    uint64_t grid[3], block[3], shared;
    bool typed, kernel;
};

/* Write a stack with Paddle's quotes, as tables compare stacks. */
static void put_stack(tt_json *j, const tt_pb_field *f)
{
    char *text = tt_strndup(f->bytes, f->len);
    for (size_t i = 0; i < f->len; i++) text[i] = text[i] == '"' ? '\'' : text[i];
    tt_json_string(j, text, f->len);
    free(text);
}

static void put_value(tt_json *j, const char *name, const tt_pb_field *f, tt_pb_format format)
{
    char text[24];
    tt_json_key(j, name);
    switch (format) {
    case TT_PB_SHAPES: tt_pb_shapes(f, j); break;
    case TT_PB_TYPES: tt_pb_types(f, j); break;
    case TT_PB_FLOAT: tt_json_exact(j, tt_pb_float(f)); break;
    case TT_PB_PERCENT: tt_json_exact(j, 100 * tt_pb_float(f)); break;
    default:
        if (!strcmp(name, "addr")) { /* other readers' numbers hold fewer digits */
            snprintf(text, sizeof text, "%" PRIu64, f->value);
            tt_json_text(j, text);
        } else if (!strcmp(name, "callstack") && f->bytes) {
            put_stack(j, f);
        } else if (f->bytes) {
            tt_json_string(j, f->bytes, f->len);
        } else {
            tt_json_int(j, (int64_t)f->value);
        }
    }
}

/* Store one of three parts: "grid x", "block z". */
static bool put_part(struct event *e, const char *name, uint64_t v)
{
    size_t n = strlen(name);
    uint64_t *to = !strncmp(name, "grid ", 5) ? e->grid : !strncmp(name, "block ", 6) ? e->block : NULL;
    if (!to || name[n - 1] < 'x' || name[n - 1] > 'z') return false;
    to[name[n - 1] - 'x'] = v;
    e->kernel = true;
    return true;
}

static void visit(void *arg, const char *name, const tt_pb_field *f, tt_pb_format format)
{
    struct event *e = arg;
    const struct {
        const char *key;
        uint64_t *to;
    } own[] = {
        {"start_ns", &e->start}, {"time_ns", &e->start}, {"end_ns", &e->end}, {"pid", &e->pid}, {"tid", &e->tid}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (!strcmp(name, own[i].key)) *own[i].to = f->value;
    }
    if (!strcmp(name, "name")) e->name = *f;
    if (!strcmp(name, "cat")) {
        e->typed = true;
        e->type = f->value;
        e->cat = format == TT_PB_TYPE ? tt_paddle_type(f->value) : tt_paddle_memory_type(f->value);
    }
    if (strncmp(name, "args.", 5) != 0 || put_part(e, name + 5, f->value)) return;
    if (strstr(name, " shared memory")) e->shared += f->value; /* sum of dynamic and static */
    if (!strcmp(name + 5, "device")) e->pid = f->value;
    if (!strcmp(name + 5, "stream")) e->tid = f->value;
    put_value(&e->args, name + 5, f, format);
}

static void put_triple(tt_json *j, const char *name, const uint64_t v[3])
{
    tt_json_key(j, name);
    tt_json_open(j, '[', true);
    for (int i = 0; i < 3; i++) tt_json_int(j, (int64_t)v[i]);
    tt_json_close(j, ']');
}

static void put_event(struct event *e, tt_pb_what what, tt_text *out)
{
    tt_json j, *args = &e->args;
    bool memory = what == TT_PB_MEMORY;
    const char *cat = e->cat ? e->cat : what == TT_PB_RUNTIME ? "CudaRuntime" : what == TT_PB_HOST ? "UserDefined" : "";
    if (e->typed && !e->cat) { /* type newer than the known ones */
        tt_json_key_int(args, "type", (int64_t)e->type);
        cat = "";
    }
    if (e->kernel) {
        put_triple(args, "grid", e->grid);
        put_triple(args, "block", e->block);
        tt_json_key_int(args, "shared memory", (int64_t)e->shared);
    }
    if (!memory && e->end < e->start) tt_json_key_int(args, "end_ns", (int64_t)e->end); /* not a negative dur */
    tt_json_close(args, '}');
    tt_json_init_text(&j, out);
    tt_json_open(&j, '{', true);
    tt_json_key_text(&j, "ph", memory ? "i" : "X");
    if (memory) tt_json_key_text(&j, "s", "t");
    if (*cat) tt_json_key_text(&j, "cat", cat);
    tt_json_key(&j, "name");
    if (memory) {
        tt_json_text(&j, "[memory]");
    } else {
        tt_json_string(&j, e->name.bytes ? e->name.bytes : "", e->name.len);
    }
    tt_json_key_uint(&j, "pid", e->pid);
    tt_json_key_uint(&j, "tid", e->tid);
    tt_json_key_us(&j, "ts", (int64_t)e->start);
    if (!memory) tt_json_key_us(&j, "dur", e->end < e->start ? 0 : (int64_t)(e->end - e->start));
    tt_json_key(&j, "args");
    tt_json_raw(&j, e->text.at, e->text.n);
    tt_json_close(&j, '}');
}

bool tt_event_of_dump(const char *text, size_t len, tt_text *out)
{
    struct event e = {0};
    bool whole = false;
    tt_json_init_text(&e.args, &e.text);
    tt_json_open(&e.args, '{', true);
    tt_pb_what what = tt_pb_visit_node(text, len, &whole, visit, &e);
    whole = whole && what != TT_PB_WHATS_;
    if (whole) put_event(&e, what, out);
    tt_vec_free(&e.text);
    return whole;
}
