/* parser/flight/slices.c - the calls of a dump as slices, from the call to its completion, and their text. A call that
 * is open ends at the latest time of the dump; the session moves that to the latest time of all dumps. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/flight/internal.h"
#include "parser/json/write.h"

/* ---- slices ---- */

static uint32_t track_of(tt_fl *s, const char *pid, const tt_flight_call *c)
{
    char tid[300];
    int n = snprintf(tid, sizeof tid, "%.200s (%.60s)%s", tt_str(&s->h.strings, c->group_desc),
                     tt_str(&s->h.strings, c->group_name), c->p2p ? " send and receive" : "");
    return tt_build_track_of(&s->b, pid, strlen(pid), tid, (size_t)n);
}

void tt_fl_slices(tt_fl *s, int64_t rank)
{
    char pid[32] = "rank ?";
    uint32_t *tracks = tt_malloc((s->calls.n + 1) * sizeof *tracks),
             *names = tt_malloc((s->calls.n + 1) * sizeof *names);
    uint32_t category = tt_build_name(&s->b, "flight_recorder", 15);
    if (rank >= 0) snprintf(pid, sizeof pid, "rank %" PRId64, rank);
    for (size_t i = 0; i < s->calls.n; i++) {
        tt_sid op = s->calls.at[i].op;
        tracks[i] = track_of(s, pid, &s->calls.at[i]);
        names[i] = tt_build_name(&s->b, tt_str(&s->h.strings, op), s->h.strings.len.at[op]);
    }
    for (size_t i = 0; i < s->entries.n; i++) {
        const tt_flight_entry *e = &s->entries.at[i];
        int64_t end = e->open || e->completed == TT_UNKNOWN ? e->created : e->completed;
        if (e->created == TT_UNKNOWN) {
            tt_build_count(&s->b);
            continue;
        }
        if (e->open) end = s->out->last;
        const tt_slice_in in = {.offset = TT_FLIGHT_TEXT(i),
                                .ts = e->created,
                                .dur = end > e->created ? end - e->created : 0,
                                .track = tracks[e->call],
                                .name = names[e->call],
                                .cat = tt_build_category(&s->b, category, TT_KIND_OTHER)};
        tt_build_slice(&s->b, &in);
    }
    free(tracks);
    free(names);
}

/* ---- text ---- */

typedef struct made_text {
    tt_text_source source; /* first: a pointer to it is one to the source */
    const tt_trace *trace; /* trace whose text this is */
} made_text;

static void put_time(tt_json *j, const char *key, int64_t t, const tt_trace *trace)
{
    if (t != TT_UNKNOWN) tt_json_key_us(j, key, t - trace->origin_ns);
}

static void put_args(tt_json *j, const tt_trace *t, const tt_flight_entry *e, size_t stack_most)
{
    const tt_flight *f = t->flight;
    const tt_flight_call *c = tt_flight_call_of(f, e);
    tt_arena a = {0};
    tt_json_key_text(j, "group", tt_str(&t->strings, c->group_name));
    tt_json_key_text(j, "group_desc", tt_str(&t->strings, c->group_desc));
    tt_json_key_known(j, "seq", tt_flight_seq(f, e));
    tt_json_key_known(j, "record_id", e->record_id);
    tt_json_key_known(j, "op_id", e->op_id);
    if (c->peer >= 0) tt_json_key_int(j, "peer", c->peer);
    tt_json_key_text(j, "state", tt_flight_state_name[e->state]);
    tt_json_key(j, "open");
    tt_json_bool(j, e->open);
    put_time(j, "started_us", e->started, t);
    put_time(j, "completed_us", e->completed, t);
    tt_json_key_text(j, "times", "when the host saw it, up to 100 ms late");
    if (c->in_sizes) tt_json_key_text(j, "in_sizes", tt_str(&t->strings, c->in_sizes));
    if (c->out_sizes) tt_json_key_text(j, "out_sizes", tt_str(&t->strings, c->out_sizes));
    if (c->in_dtypes) tt_json_key_text(j, "in_dtypes", tt_str(&t->strings, c->in_dtypes));
    if (c->out_dtypes) tt_json_key_text(j, "out_dtypes", tt_str(&t->strings, c->out_dtypes));
    const char *stack = f->stacks.n ? tt_stack_text(&f->stacks, &t->strings, e->stack, stack_most, &a) : NULL;
    if (stack) tt_json_key_text(j, "Call stack", stack);
    tt_arena_free(&a);
}

static void put_entry(const tt_trace *t, uint64_t i, tt_text *text, size_t stack_most)
{
    const tt_flight_entry *e = &t->flight->entries[i];
    const tt_flight_call *c = tt_flight_call_of(t->flight, e);
    int64_t end = e->completed > e->created ? e->completed : e->created;
    tt_json j;
    text->n = 0;
    tt_json_init_text(&j, text);
    tt_json_open(&j, '{', true);
    tt_json_key_text(&j, "ph", "X");
    tt_json_key_text(&j, "cat", "flight_recorder");
    tt_json_key_text(&j, "name", tt_str(&t->strings, c->op));
    tt_json_key_text(&j, "pid", t->worker);
    tt_json_key_text(&j, "tid", tt_str(&t->strings, c->group_desc));
    tt_json_key_us(&j, "ts", e->created);
    tt_json_key_us(&j, "dur", end - e->created);
    tt_json_key(&j, "args");
    tt_json_open(&j, '{', true);
    put_args(&j, t, e, stack_most);
    tt_json_close(&j, '}');
    tt_json_close(&j, '}');
}

static int64_t read_text(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    const tt_trace *t = ((const made_text *)(const void *)self)->trace;
    uint64_t i = offset / TT_FLIGHT_TEXT_BYTES, from = offset % TT_FLIGHT_TEXT_BYTES - 1;
    tt_text text = {0};
    size_t stack = TT_FLIGHT_TEXT_BYTES - 2048; /* room for the other members */
    if (from >= TT_FLIGHT_TEXT_BYTES || i >= t->flight->n_entries) return 0;
    do {
        put_entry(t, i, &text, stack);
        stack /= 2;
    } while (text.n >= TT_FLIGHT_TEXT_BYTES && stack > 64);
    size_t n = from >= text.n ? 0 : text.n - (size_t)from < cap ? text.n - (size_t)from : cap;
    if (n) memcpy(out, text.at + from, n);
    tt_vec_free(&text);
    return (int64_t)n;
}

static void close_text(tt_text_source *self) { free(self); }

tt_text_source *tt_fl_text(const tt_trace *trace)
{
    made_text *x = tt_calloc(1, sizeof *x);
    *x = (made_text){.source = {.read = read_text, .close = close_text, .single = true}, .trace = trace};
    return &x->source;
}
