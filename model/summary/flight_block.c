/* model/summary/flight_block.c - see flight_block.h. */
#include "model/summary/flight_block.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/trace/flight.h"

/* ---- writing ---- */

typedef struct writer {
    const tt_strings *from;
    tt_strings texts; /* texts of the block; 0 = "" */
    tt_text *out;
} writer;

static uint32_t number(writer *w, tt_sid id)
{
    return tt_strings_put(&w->texts, tt_str(w->from, id), w->from->len.at[id]);
}
static void put_sid(writer *w, tt_sid id) { tt_wire_put_u(w->out, number(w, id)); }

static void put_call(writer *w, const tt_flight_call *c)
{
    const tt_sid texts[] = {c->group_name, c->group_desc, c->op,        c->backend,
                            c->in_sizes,   c->out_sizes,  c->in_dtypes, c->out_dtypes};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) put_sid(w, texts[i]);
    tt_wire_put_u(w->out, c->group + 1u); /* 0 = none */
    tt_wire_put_i(w->out, c->self);
    tt_wire_put_i(w->out, c->peer);
    tt_wire_put_u(w->out, c->p2p | c->direction << 1);
    tt_wire_put_i(w->out, c->timeout);
    tt_wire_put_i(w->out, c->pg_id);
}

static void put_groups(writer *w, const tt_flight *f)
{
    bool placed = !tt_flight_alone(f);
    uint32_t n_runs = placed ? 0 : f->n_runs;
    tt_wire_put_u(w->out, n_runs);
    for (uint32_t i = 0; i < n_runs; i++) {
        tt_wire_put_i(w->out, f->runs[i].first);
        tt_wire_put_i(w->out, f->runs[i].step);
        tt_wire_put_i(w->out, f->runs[i].n);
    }
    tt_wire_put_u(w->out, f->n_groups);
    for (uint32_t i = 0; i < f->n_groups; i++) {
        put_sid(w, f->groups[i].name);
        put_sid(w, f->groups[i].desc);
        tt_wire_put_u(w->out, placed ? 0 : f->groups[i].run);
        tt_wire_put_u(w->out, placed ? 0 : f->groups[i].n_runs);
        tt_wire_put_u(w->out, placed ? 0 : f->groups[i].size);
        if (placed) tt_wire_put_i(w->out, f->groups[i].place);
        if (placed) tt_wire_put_i(w->out, f->groups[i].places);
    }
    tt_wire_put_u(w->out, f->n_status);
    for (uint32_t i = 0; i < f->n_status; i++) {
        tt_wire_put_i(w->out, f->status[i].id);
        tt_wire_put_i(w->out, f->status[i].enqueued);
        tt_wire_put_i(w->out, f->status[i].started);
        tt_wire_put_i(w->out, f->status[i].completed);
    }
}

/* Whether each entry is kept whole; the caller frees them. */
static bool *whole_entries(const tt_flight *f)
{
    bool *whole = tt_calloc(f->n_entries + (size_t)1, sizeof *whole);
    tt_groups seen, started;
    tt_groups_init(&seen);
    tt_groups_init(&started);
    for (uint32_t i = f->n_entries; i-- > 0;) {
        const tt_flight_entry *e = &f->entries[i];
        const tt_flight_call *c = tt_flight_call_of(f, e);
        const tt_group_key key = {.a = c->group_name, .b = c->p2p};
        size_t n = seen.key.n, m = started.key.n;
        bool newest = tt_groups_put(&seen, key) == n;
        bool newest_started = e->started != TT_UNKNOWN && tt_groups_put(&started, key) == m;
        whole[i] = e->open || !i || i + 1 == f->n_entries || newest || newest_started;
    }
    tt_groups_free(&seen);
    tt_groups_free(&started);
    return whole;
}

static void put_stacks(writer *w, const tt_flight *f)
{
    const tt_stacks *s = &f->stacks;
    tt_wire_put_u(w->out, s->n_frames);
    for (uint32_t i = 0; i < s->n_frames; i++) {
        put_sid(w, s->frames[i].file);
        put_sid(w, s->frames[i].function);
        tt_wire_put_i(w->out, s->frames[i].line);
    }
    tt_wire_put_u(w->out, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        tt_wire_put_u(w->out, tt_stack_depth(s, i));
        for (uint32_t k = s->first[i]; k < s->first[i + 1]; k++) tt_wire_put_u(w->out, s->frame[k]);
    }
}

/* A value, 0 = unknown. */
static void put_known(writer *w, int64_t v, int64_t from)
{
    tt_wire_put_u(w->out, v != TT_UNKNOWN);
    if (v != TT_UNKNOWN) tt_wire_put_i(w->out, v - from);
}

enum { STATE = 3, RETIRED = 4, OPEN = 8, WHOLE = 16 };

static void put_entries(writer *w, const tt_flight *f)
{
    bool *whole = whole_entries(f);
    int64_t seq = 0, created = 0;
    tt_wire_put_u(w->out, f->n_entries);
    for (uint32_t i = 0; i < f->n_entries; i++) {
        const tt_flight_entry *e = &f->entries[i];
        bool all = whole[i] && !e->brief;
        tt_wire_put_u(w->out, e->state | (e->retired ? RETIRED : 0) | (e->open ? OPEN : 0) | (all ? WHOLE : 0));
        tt_wire_put_u(w->out, e->call);
        tt_wire_put_u(w->out, e->stack);
        put_known(w, e->seq, seq);
        put_known(w, e->p2p_seq, seq);
        put_known(w, e->created, created);
        if (e->seq != TT_UNKNOWN) seq = e->seq;
        if (e->created != TT_UNKNOWN) created = e->created;
        if (!all) continue;
        put_known(w, e->record_id, 0);
        put_known(w, e->op_id, 0);
        put_known(w, e->started, created);
        put_known(w, e->completed, created);
        put_known(w, e->duration, 0);
    }
    free(whole);
}

void tt_tts_put_flight(const tt_trace *s, const tt_flight *f, tt_text *out)
{
    tt_text body = {0};
    writer w = {.from = &s->strings, .out = &body};
    tt_strings_init(&w.texts);
    put_sid(&w, f->version);
    put_sid(&w, f->library);
    tt_wire_put_u(&body, f->recorder);
    tt_wire_put_u(&body, f->n_all);
    put_known(&w, f->last, 0);
    put_known(&w, f->changed, 0);
    put_groups(&w, f);
    put_stacks(&w, f);
    if (!tt_flight_alone(f)) {
        tt_wire_put_u(&body, f->stuck);
        tt_wire_put_u(&body, f->stack);
        put_sid(&w, f->last_kernel);
    }
    tt_wire_put_u(&body, f->n_calls);
    for (uint32_t i = 0; i < f->n_calls; i++) put_call(&w, &f->calls[i]);
    put_entries(&w, f);
    tt_wire_put_u(out, w.texts.text.n - 1);
    for (uint32_t i = 1; i < w.texts.text.n; i++) tt_wire_put_text(out, tt_str(&w.texts, i));
    tt_text_put(out, body.at, body.n);
    tt_strings_free(&w.texts);
    tt_vec_free(&body);
}

/* ---- reading ---- */

typedef struct reader {
    tt_wire *in;
    tt_strings *to;
    tt_flight *f;
    TT_VEC(tt_sid) texts; /* by number in the block */
} reader;

static tt_sid get_sid(reader *r) { return tt_wire_sid(r->in, r->texts.at, r->texts.n); }

static int64_t get_known(reader *r, int64_t from)
{
    int64_t v;
    if (!tt_wire_u(r->in)) return TT_UNKNOWN;
    if (__builtin_add_overflow(from, tt_wire_i(r->in), &v)) r->in->bad = true;
    return v;
}

static void get_texts(reader *r)
{
    tt_arena a = {0};
    uint64_t n = tt_wire_count(r->in, 1);
    *tt_vec_push(&r->texts) = 0;
    for (uint64_t i = 0; i < n; i++) {
        const char *text = tt_wire_text(r->in, &a);
        *tt_vec_push(&r->texts) = tt_strings_put(r->to, text, strlen(text));
    }
    tt_arena_free(&a);
}

static void get_groups(reader *r)
{
    tt_flight *f = r->f;
    f->n_runs = (uint32_t)tt_wire_count(r->in, 3);
    f->runs = tt_calloc(f->n_runs + (size_t)1, sizeof *f->runs);
    int64_t members = 0;
    for (uint32_t i = 0; i < f->n_runs; i++) {
        tt_flight_run *x = &f->runs[i];
        x->first = tt_wire_i(r->in);
        x->step = tt_wire_i(r->in);
        x->n = tt_wire_i(r->in);
        int64_t last;
        bool fits = x->n > 0 && x->n <= INT32_MAX && !__builtin_mul_overflow(x->step, x->n - 1, &last) &&
                    !__builtin_add_overflow(last, x->first, &last) && x->first >= 0 && x->first <= INT32_MAX &&
                    last >= 0 && last <= INT32_MAX;
        members += fits ? x->n : 0;
        if (!fits || members > (1 << 24)) r->in->bad = true;
        if (r->in->bad) *x = (tt_flight_run){0};
    }
    f->n_groups = (uint32_t)tt_wire_count(r->in, 5);
    f->groups = tt_calloc(f->n_groups + (size_t)1, sizeof *f->groups);
    for (uint32_t i = 0; i < f->n_groups; i++) {
        tt_flight_group *g = &f->groups[i];
        g->name = get_sid(r);
        g->desc = get_sid(r);
        g->run = (uint32_t)tt_wire_u(r->in);
        g->n_runs = (uint32_t)tt_wire_u(r->in);
        g->size = (uint32_t)tt_wire_u(r->in);
        g->place = tt_flight_alone(f) ? -1 : (int32_t)tt_wire_i(r->in);
        g->places = tt_flight_alone(f) ? 0 : (int32_t)tt_wire_i(r->in);
        if (g->run > f->n_runs || g->n_runs > f->n_runs - g->run) r->in->bad = true;
        if (r->in->bad) g->run = g->n_runs = g->size = 0;
    }
    f->n_status = (uint32_t)tt_wire_count(r->in, 4);
    f->status = tt_calloc(f->n_status + (size_t)1, sizeof *f->status);
    for (uint32_t i = 0; i < f->n_status; i++) {
        f->status[i].id = tt_wire_i(r->in);
        f->status[i].enqueued = tt_wire_i(r->in);
        f->status[i].started = tt_wire_i(r->in);
        f->status[i].completed = tt_wire_i(r->in);
    }
}

static void get_calls(reader *r)
{
    tt_flight *f = r->f;
    f->n_calls = (uint32_t)tt_wire_count(r->in, 14);
    f->calls = tt_calloc(f->n_calls + (size_t)1, sizeof *f->calls);
    for (uint32_t i = 0; i < f->n_calls; i++) {
        tt_flight_call *c = &f->calls[i];
        tt_sid *const texts[] = {&c->group_name, &c->group_desc, &c->op,        &c->backend,
                                 &c->in_sizes,   &c->out_sizes,  &c->in_dtypes, &c->out_dtypes};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) *texts[k] = get_sid(r);
        c->group = (uint32_t)tt_wire_u(r->in) - 1u;
        c->self = (int32_t)tt_wire_i(r->in);
        c->peer = (int32_t)tt_wire_i(r->in);
        uint64_t bits = tt_wire_u(r->in);
        c->p2p = bits & 1;
        c->direction = (uint32_t)(bits >> 1) & 3;
        c->timeout = tt_wire_i(r->in);
        c->pg_id = tt_wire_i(r->in);
        if ((c->group != TT_NONE && c->group >= f->n_groups) || c->direction > TT_FLIGHT_RECV) r->in->bad = true;
        if (r->in->bad) *c = (tt_flight_call){.group = TT_NONE, .self = -1, .peer = -1};
    }
}

static void get_stacks(reader *r)
{
    tt_stacks *s = &r->f->stacks;
    TT_VEC(uint32_t) frame = {0};
    s->n_frames = (uint32_t)tt_wire_count(r->in, 3);
    s->frames = tt_calloc(s->n_frames + (size_t)1, sizeof *s->frames);
    for (uint32_t i = 0; i < s->n_frames; i++) {
        s->frames[i].file = get_sid(r);
        s->frames[i].function = get_sid(r);
        s->frames[i].line = tt_wire_i(r->in);
    }
    s->n = (uint32_t)tt_wire_count(r->in, 1);
    s->first = tt_calloc(s->n + (size_t)1, sizeof *s->first);
    for (uint32_t i = 0; i < s->n; i++) {
        uint64_t depth = tt_wire_count(r->in, 1);
        for (uint64_t k = 0; k < depth; k++) {
            uint64_t at = tt_wire_u(r->in);
            if (at >= s->n_frames) r->in->bad = true;
            *tt_vec_push(&frame) = r->in->bad ? 0 : (uint32_t)at;
        }
        s->first[i + 1] = (uint32_t)frame.n;
    }
    s->frame = frame.at;
}

static void get_entries(reader *r)
{
    tt_flight *f = r->f;
    int64_t seq = 0, created = 0;
    f->n_entries = (uint32_t)tt_wire_count(r->in, 5);
    f->entries = tt_calloc(f->n_entries + (size_t)1, sizeof *f->entries);
    for (uint32_t i = 0; i < f->n_entries; i++) {
        uint64_t bits = tt_wire_u(r->in), call = tt_wire_u(r->in), stack = tt_wire_u(r->in);
        tt_flight_entry e = {.state = bits & STATE,
                             .retired = (bits & RETIRED) != 0,
                             .open = (bits & OPEN) != 0,
                             .brief = !(bits & WHOLE),
                             .call = (uint32_t)call,
                             .stack = (uint32_t)stack,
                             .record_id = TT_UNKNOWN,
                             .op_id = TT_UNKNOWN,
                             .started = TT_UNKNOWN,
                             .completed = TT_UNKNOWN,
                             .duration = TT_UNKNOWN};
        if (call >= f->n_calls || (stack && stack >= f->stacks.n)) r->in->bad = true;
        e.seq = get_known(r, seq);
        e.p2p_seq = get_known(r, seq);
        e.created = get_known(r, created);
        if (e.seq != TT_UNKNOWN) seq = e.seq;
        if (e.created != TT_UNKNOWN) created = e.created;
        if (!e.brief) {
            e.record_id = get_known(r, 0);
            e.op_id = get_known(r, 0);
            e.started = get_known(r, created);
            e.completed = get_known(r, created);
            e.duration = get_known(r, 0);
        }
        if (r->in->bad) break;
        f->entries[i] = e;
    }
}

tt_flight *tt_tts_get_flight(tt_wire *in, tt_trace *s)
{
    reader r = {.in = in, .to = &s->strings, .f = tt_calloc(1, sizeof *r.f)};
    get_texts(&r);
    r.f->version = get_sid(&r);
    r.f->library = get_sid(&r);
    uint64_t recorder = tt_wire_u(in);
    r.f->recorder = recorder <= TT_FLIGHT_TRACETTY ? (tt_flight_recorder)recorder : TT_FLIGHT_C10D;
    r.f->n_all = (uint32_t)tt_wire_u(in);
    r.f->last = get_known(&r, 0);
    r.f->changed = get_known(&r, 0);
    get_groups(&r);
    get_stacks(&r);
    if (!tt_flight_alone(r.f)) {
        r.f->stuck = tt_wire_u(in) != 0;
        uint64_t stack = tt_wire_u(in);
        if (stack && stack >= r.f->stacks.n) in->bad = true;
        r.f->stack = in->bad ? 0 : (uint32_t)stack;
        r.f->last_kernel = get_sid(&r);
    }
    get_calls(&r);
    get_entries(&r);
    tt_vec_free(&r.texts);
    if (!in->bad) return r.f;
    tt_flight_free(r.f);
    return NULL;
}
