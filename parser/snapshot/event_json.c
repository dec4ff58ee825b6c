/* parser/snapshot/event_json.c - JSON of a snapshot's events: as the file has no text, an event is written in the form
 * of the file's dictionary. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/json/write.h"
#include "parser/snapshot/internal.h"

typedef struct made_text {
    tt_text_source source; /* first: a pointer to it is one to the source */
    const tt_trace *trace; /* trace whose text this is */
} made_text;

static void put_address(tt_json *j, const char *key, uint64_t address)
{
    char text[24];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)address);
    tt_json_key_text(j, key, text);
}

static void put_stack(tt_json *j, const tt_trace *t, uint32_t stack, size_t most)
{
    tt_arena a = {0};
    const char *text = tt_stack_text(&t->snapshot->stacks, &t->strings, stack, most, &a);
    if (text) tt_json_key_text(j, "Call stack", text);
    tt_arena_free(&a);
}

static void put_event(const tt_trace *t, uint32_t i, tt_json *j, size_t stack)
{
    const tt_snapshot_event *e = &t->snapshot->events[i];
    char tid[16];
    snprintf(tid, sizeof tid, "GPU%u", e->device);
    tt_json_key_text(j, "ph", "i");
    tt_json_key_text(j, "cat", "memory");
    tt_json_key_text(j, "s", "t");
    tt_json_key_text(j, "name", tt_snapshot_action_name[e->action]);
    tt_json_key_text(j, "pid", "memory");
    tt_json_key_text(j, "tid", tid);
    tt_json_key_us(j, "ts", e->ts + t->origin_ns);
    tt_json_key(j, "args");
    tt_json_open(j, '{', true);
    if (e->action != TT_SNAPSHOT_OOM) {
        put_address(j, "addr", e->addr);
    } else if (e->addr != TT_SNAPSHOT_NOT_SAID) {
        tt_json_key_int(j, "device_free", (int64_t)e->addr);
    }
    tt_json_key_int(j, "size", e->size);
    if (e->stream < t->snapshot->n_streams) tt_json_key_int(j, "stream", t->snapshot->streams[e->stream]);
    put_stack(j, t, e->stack, stack);
    tt_json_close(j, '}');
}

static void put_range(const tt_trace *t, uint32_t i, tt_json *j)
{
    const tt_snapshot_range *r = &t->snapshot->ranges[i];
    char tid[32];
    snprintf(tid, sizeof tid, "annotations GPU%u", r->device);
    tt_json_key_text(j, "ph", "X");
    tt_json_key_text(j, "cat", "user_annotation");
    tt_json_key_text(j, "name", tt_str(&t->strings, r->name));
    tt_json_key_text(j, "pid", "memory");
    tt_json_key_text(j, "tid", tid);
    tt_json_key_us(j, "ts", r->start + t->origin_ns);
    tt_json_key_us(j, "dur", r->end - r->start);
}

static void put_text(const tt_trace *t, uint64_t i, tt_text *text, size_t stack)
{
    tt_json j;
    text->n = 0;
    tt_json_init_text(&j, text);
    tt_json_open(&j, '{', true);
    if (i < t->snapshot->n_events) {
        put_event(t, (uint32_t)i, &j, stack);
    } else {
        put_range(t, (uint32_t)(i - t->snapshot->n_events), &j);
    }
    tt_json_close(&j, '}');
}

static int64_t read_text(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    const tt_trace *t = ((const made_text *)(const void *)self)->trace;
    uint64_t i = offset / TT_SNAPSHOT_TEXT_BYTES, from = offset % TT_SNAPSHOT_TEXT_BYTES - 1;
    if (from >= TT_SNAPSHOT_TEXT_BYTES || i >= (uint64_t)t->snapshot->n_events + t->snapshot->n_ranges) return 0;
    tt_text text = {0};
    size_t stack = TT_SNAPSHOT_TEXT_BYTES - 512; /* room for the other members */
    do {
        put_text(t, i, &text, stack);
        stack /= 2;
    } while (text.n >= TT_SNAPSHOT_TEXT_BYTES && stack > 64);
    size_t n = from >= text.n ? 0 : text.n - (size_t)from < cap ? text.n - (size_t)from : cap;
    if (n) memcpy(out, text.at + from, n);
    tt_vec_free(&text);
    return (int64_t)n;
}

static void close_text(tt_text_source *self) { free(self); }

tt_text_source *tt_sn_text(const tt_trace *trace)
{
    made_text *x = tt_calloc(1, sizeof *x);
    *x = (made_text){.source = {.read = read_text, .close = close_text, .single = true}, .trace = trace};
    return &x->source;
}
