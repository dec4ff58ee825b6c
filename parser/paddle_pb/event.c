/* parser/paddle_pb/event.c - an event of Paddle's protobuf dump as Paddle's own JSON traces have it, so that both mean
 * the same to every reader.
 *
 * Times are those of the dump, in microseconds with three decimals; there is no start_time in the arguments, which
 * the JSON traces need only because they round. What the dump says beyond the JSON keeps its name there. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/input/event_text.h"
#include "parser/paddle_pb/node.h"

struct event {
    tt_pb_text args, text; /* text: scratch */
    const char *cat;
    tt_pb_field name;
    uint64_t type, start, end, pid, tid;
    uint64_t grid[3], block[3], shared;
    bool typed, kernel;
};

static void put(tt_pb_text *t, const char *text) { tt_pb_put(t, text, strlen(text)); }

static void key(struct event *e, const char *name)
{
    put(&e->args, e->args.n ? ", " : "");
    tt_pb_put_string(&e->args, name, strlen(name));
    put(&e->args, ": ");
}

static void put_int(tt_pb_text *t, int64_t v)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, v);
    put(t, text);
}

static void put_float(tt_pb_text *t, double v)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", v);
    if (strtod(text, NULL) != v) snprintf(text, sizeof text, "%.17g", v);
    put(t, v - v == 0 ? text : "null"); /* not for NaN and infinities */
}

/* Paddle writes its quotes like this, and tables compare stacks. */
static void put_stack(struct event *e, const tt_pb_field *f)
{
    e->text.n = 0;
    tt_pb_put(&e->text, f->bytes, f->len);
    for (size_t i = 0; i < e->text.n; i++) e->text.at[i] = e->text.at[i] == '"' ? '\'' : e->text.at[i];
    tt_pb_put_string(&e->args, e->text.at ? e->text.at : "", e->text.n);
}

static void put_value(struct event *e, const char *name, const tt_pb_field *f, tt_pb_format format)
{
    char text[24];
    switch (format) {
    case TT_PB_SHAPES:
    case TT_PB_TYPES:
        e->text.n = 0;
        (format == TT_PB_SHAPES ? tt_pb_shapes : tt_pb_types)(f, &e->text);
        tt_pb_put(&e->args, e->text.at, e->text.n);
        break;
    case TT_PB_FLOAT: put_float(&e->args, tt_pb_float(f)); break;
    case TT_PB_PERCENT: put_float(&e->args, 100 * tt_pb_float(f)); break;
    default:
        if (!strcmp(name, "addr")) { /* more digits than other readers' numbers have */
            snprintf(text, sizeof text, "\"%" PRIu64 "\"", f->value);
            put(&e->args, text);
        } else if (!strcmp(name, "callstack") && f->bytes) {
            put_stack(e, f);
        } else if (f->bytes) {
            tt_pb_put_string(&e->args, f->bytes, f->len);
        } else {
            put_int(&e->args, (int64_t)f->value);
        }
    }
}

/* "grid x", "block z": one of three. */
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
    if (strstr(name, " shared memory")) e->shared += f->value; /* dynamic and static */
    if (!strcmp(name + 5, "device")) e->pid = f->value;
    if (!strcmp(name + 5, "stream")) e->tid = f->value;
    key(e, name + 5);
    put_value(e, name + 5, f, format);
}

static void put_triple(struct event *e, const char *name, const uint64_t v[3])
{
    key(e, name);
    for (int i = 0; i < 3; i++) {
        put(&e->args, i ? ", " : "[");
        put_int(&e->args, (int64_t)v[i]);
    }
    put(&e->args, "]");
}

static void put_us(tt_repair_text *out, const char *name, uint64_t ns)
{
    char text[64];
    int n = snprintf(text, sizeof text, ", \"%s\": %" PRIu64 ".%03u", name, ns / 1000, (unsigned)(ns % 1000));
    tt_vec_reserve(out, out->n + (size_t)n);
    memcpy(out->at + out->n, text, (size_t)n);
    out->n += (size_t)n;
}

static void put_out(tt_repair_text *out, const char *text, size_t n)
{
    tt_vec_reserve(out, out->n + n);
    if (n) memcpy(out->at + out->n, text, n);
    out->n += n;
}

static void put_event(struct event *e, tt_pb_what what, tt_repair_text *out)
{
    char ids[80];
    bool memory = what == TT_PB_MEMORY;
    const char *cat = e->cat ? e->cat : what == TT_PB_RUNTIME ? "CudaRuntime" : what == TT_PB_HOST ? "UserDefined" : "";
    if (e->typed && !e->cat) { /* newer than what is known here */
        key(e, "type");
        put_int(&e->args, (int64_t)e->type);
        cat = "";
    }
    if (e->kernel) {
        put_triple(e, "grid", e->grid);
        put_triple(e, "block", e->block);
        key(e, "shared memory");
        put_int(&e->args, (int64_t)e->shared);
    }
    if (!memory && e->end < e->start) { /* no duration says this */
        key(e, "end_ns");
        put_int(&e->args, (int64_t)e->end);
    }
    e->text.n = 0;
    put(&e->text, memory ? "{\"ph\": \"i\", \"s\": \"t\"" : "{\"ph\": \"X\"");
    if (*cat) {
        put(&e->text, ", \"cat\": ");
        tt_pb_put_string(&e->text, cat, strlen(cat));
    }
    put(&e->text, ", \"name\": ");
    if (memory) {
        put(&e->text, "\"[memory]\"");
    } else {
        tt_pb_put_string(&e->text, e->name.bytes ? e->name.bytes : "", e->name.len);
    }
    snprintf(ids, sizeof ids, ", \"pid\": %" PRIu64 ", \"tid\": %" PRIu64, e->pid, e->tid);
    put(&e->text, ids);
    put_out(out, e->text.at, e->text.n);
    put_us(out, "ts", e->start);
    if (!memory) put_us(out, "dur", e->end < e->start ? 0 : e->end - e->start);
    put_out(out, ", \"args\": {", 11);
    put_out(out, e->args.at, e->args.n);
    put_out(out, "}}", 2);
}

bool tt_event_of_dump(const char *text, size_t len, tt_repair_text *out)
{
    struct event e = {0};
    bool whole = false;
    tt_pb_what what = tt_pb_visit_node(text, len, &whole, visit, &e);
    whole = whole && what != TT_PB_WHATS_;
    if (whole) put_event(&e, what, out);
    tt_vec_free(&e.args);
    tt_vec_free(&e.text);
    return whole;
}
