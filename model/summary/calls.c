/* model/summary/calls.c - see calls.h. Times are stored as differences to the previous one of their kind, which pack
 * well. */
#include "model/summary/calls.h"

#include <stdlib.h>
#include <string.h>

#define META_MOST 16384 /* most bytes of a fact: longer ones are lists that the collectives repeat */

void tt_tts_calls_free(tt_tts_calls *c)
{
    tt_vec_free(&c->at);
    tt_vec_free(&c->ranges);
}

/* ---- texts: each once, by number ---- */

typedef struct writer {
    const tt_trace *s;
    tt_strings texts;
    tt_text *out;
} writer;

static void put_text(writer *w, const char *text)
{
    tt_wire_put_u(w->out, tt_strings_put(&w->texts, text, strlen(text)));
}
static void put_sid(writer *w, tt_sid id) { put_text(w, tt_str(&w->s->strings, id)); }

typedef struct reader {
    tt_wire *in;
    tt_trace *s;
    TT_VEC(tt_sid) texts; /* by number in the block */
} reader;

static tt_sid get_sid(reader *r) { return tt_wire_sid(r->in, r->texts.at, r->texts.n); }
static const char *get_text(reader *r) { return tt_str(&r->s->strings, get_sid(r)); }

/* ---- facts ---- */

static void put_problems(writer *w)
{
    const tt_problems *p = &w->s->problems;
    uint64_t n = 0;
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) n += p->of[k].count > 0;
    tt_wire_put_u(w->out, n);
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        if (!p->of[k].count) continue;
        put_text(w, tt_problem_key[k]);
        tt_wire_put_u(w->out, p->of[k].count);
        tt_wire_put_i(w->out, p->of[k].offset);
        put_text(w, p->of[k].example);
    }
}

static void get_problems(reader *r)
{
    uint64_t n = tt_wire_count(r->in, 4);
    for (uint64_t i = 0; i < n; i++) {
        const char *key = get_text(r);
        uint64_t count = tt_wire_u(r->in);
        int64_t offset = tt_wire_i(r->in);
        const char *example = get_text(r);
        for (int k = 0; k < TT_PROBLEM_COUNT_; k++)
            if (!strcmp(key, tt_problem_key[k]))
                tt_problem_add_n(&r->s->problems, (tt_problem_kind)k, count, offset, example);
    }
}

enum { N_PROPS = 9 };
static int64_t *props_of(tt_device_props *d, int i)
{
    int64_t *const at[N_PROPS] = {
        &d->memory_bytes,          &d->major,     &d->minor,       &d->sms,          &d->max_threads_per_sm,
        &d->max_threads_per_block, &d->warp_size, &d->regs_per_sm, &d->shared_per_sm};
    return at[i];
}

static void put_facts(writer *w)
{
    const tt_trace *s = w->s;
    uint64_t n = 0;
    put_text(w, tt_rules_id(s->rules));
    tt_wire_put_u(w->out, s->absolute);
    tt_wire_put_i(w->out, s->origin_ns);
    tt_wire_put_i(w->out, s->resolution_ns);
    tt_wire_put_i(w->out, s->world_size);
    put_problems(w);
    for (uint32_t i = 0; i < s->n_meta; i++) n += s->strings.len.at[s->meta[i].value] <= META_MOST;
    tt_wire_put_u(w->out, n);
    for (uint32_t i = 0; i < s->n_meta; i++) {
        if (s->strings.len.at[s->meta[i].value] > META_MOST) continue;
        put_sid(w, s->meta[i].key);
        put_sid(w, s->meta[i].value);
    }
    tt_wire_put_u(w->out, s->n_devices);
    for (uint32_t i = 0; i < s->n_devices; i++) {
        tt_device_props d = s->devices[i];
        tt_wire_put_i(w->out, d.id);
        put_sid(w, d.name);
        for (int k = 0; k < N_PROPS; k++) tt_wire_put_i(w->out, *props_of(&d, k));
    }
}

static void get_facts(reader *r)
{
    tt_trace *s = r->s;
    s->rules = tt_rules_by_id(get_text(r));
    s->absolute = tt_wire_u(r->in) != 0;
    s->origin_ns = tt_wire_i(r->in);
    s->resolution_ns = tt_wire_i(r->in);
    s->world_size = tt_wire_i(r->in);
    get_problems(r);
    s->n_meta = (uint32_t)tt_wire_count(r->in, 2);
    s->meta = tt_calloc(s->n_meta + 1u, sizeof *s->meta);
    for (uint32_t i = 0; i < s->n_meta; i++) {
        s->meta[i].key = get_sid(r);
        s->meta[i].value = get_sid(r);
    }
    s->n_devices = (uint32_t)tt_wire_count(r->in, 2 + N_PROPS);
    s->devices = tt_calloc(s->n_devices + 1u, sizeof *s->devices);
    for (uint32_t i = 0; i < s->n_devices; i++) {
        tt_device_props *d = &s->devices[i];
        d->id = tt_wire_i(r->in);
        d->name = get_sid(r);
        for (int k = 0; k < N_PROPS; k++) *props_of(d, k) = tt_wire_i(r->in);
    }
}

/* ---- steps ---- */

static void put_steps(writer *w)
{
    const tt_trace *s = w->s;
    int64_t last = 0;
    tt_wire_put_u(w->out, s->n_steps);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        tt_wire_put_i(w->out, p->number);
        tt_wire_put_u(w->out, (uint64_t)p->kept | (uint64_t)(p->row != TT_NONE) << 1);
        tt_wire_put_i(w->out, p->start - last);
        tt_wire_put_i(w->out, p->end - p->start);
        tt_wire_put_i(w->out, p->host_start - p->start);
        tt_wire_put_i(w->out, p->host_end - p->host_start);
        tt_wire_put_u(w->out, p->device_work);
        put_text(w, p->row == TT_NONE ? "" : tt_row_name(s, p->row));
        last = p->start;
    }
    tt_wire_put_u(w->out, s->n_step_spans);
    for (uint32_t i = 0, at = 0; i < s->n_step_spans; i++) {
        const tt_step_span *p = &s->step_spans[i];
        tt_wire_put_i(w->out, p->t0 - (i ? s->step_spans[i - 1].t1 : 0));
        tt_wire_put_i(w->out, p->t1 - p->t0);
        tt_wire_put_i(w->out, (int64_t)p->step - (int64_t)at);
        at = p->step;
    }
}

/* Read the steps. tt_step.row is temporarily an index into *names, TT_NONE without a row. */
static void get_steps(reader *r)
{
    tt_trace *s = r->s;
    int64_t last = 0;
    s->n_steps = (uint32_t)tt_wire_count(r->in, 8);
    s->steps = tt_calloc(s->n_steps + 1u, sizeof *s->steps);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        tt_step *p = &s->steps[i];
        p->number = tt_wire_i(r->in);
        uint64_t flags = tt_wire_u(r->in);
        p->kept = flags & 1;
        p->start = last + tt_wire_i(r->in);
        p->end = p->start + tt_wire_i(r->in);
        p->host_start = p->start + tt_wire_i(r->in);
        p->host_end = p->host_start + tt_wire_i(r->in);
        p->device_work = (uint32_t)tt_wire_u(r->in);
        tt_sid name = get_sid(r);
        p->row = flags & 2 ? name : TT_NONE;
        last = p->start;
    }
    s->n_step_spans = (uint32_t)tt_wire_count(r->in, 3);
    s->step_spans = tt_calloc(s->n_step_spans + 1u, sizeof *s->step_spans);
    int64_t t = 0, at = 0;
    for (uint32_t i = 0; i < s->n_step_spans; i++) {
        tt_step_span *p = &s->step_spans[i];
        p->t0 = t + tt_wire_i(r->in);
        t = p->t1 = p->t0 + tt_wire_i(r->in);
        at += tt_wire_i(r->in);
        p->step = (uint32_t)at;
        r->in->bad |= at < 0 || at >= s->n_steps || p->t1 < p->t0 || (i && p->t0 < p[-1].t1);
    }
    if (!s->n_steps) r->in->bad = true; /* a trace has at least one step */
}

/* ---- metadata of collectives ---- */

/* Write the metadata used by calls, in call order: in the trace its order depends on the reading threads. Returns
 * the new number by index in the trace; the caller frees. */
static uint32_t *put_colls(writer *w, const tt_tts_calls *l)
{
    static const tt_collective_args nothing = {
        .in_nelems = TT_UNKNOWN, .out_nelems = TT_UNKNOWN, .group_size = TT_UNKNOWN, .seq = TT_UNKNOWN};
    const tt_trace *s = w->s;
    uint32_t *number = tt_calloc(s->n_colls + 1u, sizeof *number);
    TT_VEC(uint32_t) used = {0};
    int64_t seq = 0;
    *tt_vec_push(&used) = 0;
    for (size_t i = 0; i < l->at.n; i++) {
        uint32_t coll = l->at.at[i].coll;
        if (!coll || number[coll]) continue;
        number[coll] = (uint32_t)used.n;
        *tt_vec_push(&used) = coll;
    }
    tt_wire_put_u(w->out, used.n);
    for (size_t i = 0; i < used.n; i++) {
        const tt_collective_args *c = i ? &s->colls[used.at[i]] : &nothing;
        put_sid(w, c->name);
        put_sid(w, c->dtype);
        put_sid(w, c->group);
        put_sid(w, c->group_desc);
        put_sid(w, c->ranks);
        tt_wire_put_i(w->out, c->in_nelems);
        tt_wire_put_i(w->out, c->out_nelems);
        tt_wire_put_i(w->out, c->group_size);
        tt_wire_put_i(w->out, (int64_t)((uint64_t)c->seq - (uint64_t)seq));
        seq = c->seq;
    }
    tt_vec_free(&used);
    return number;
}

static void get_colls(reader *r)
{
    tt_trace *s = r->s;
    int64_t seq = 0;
    s->n_colls = (uint32_t)tt_wire_count(r->in, 9);
    s->colls = tt_calloc(s->n_colls + 1u, sizeof *s->colls);
    for (uint32_t i = 0; i < s->n_colls; i++) {
        tt_collective_args *c = &s->colls[i];
        c->name = get_sid(r);
        c->dtype = get_sid(r);
        c->group = get_sid(r);
        c->group_desc = get_sid(r);
        c->ranks = get_sid(r);
        c->in_nelems = tt_wire_i(r->in);
        c->out_nelems = tt_wire_i(r->in);
        c->group_size = tt_wire_i(r->in);
        c->seq = seq = (int64_t)((uint64_t)seq + (uint64_t)tt_wire_i(r->in));
    }
    if (!s->n_colls) s->n_colls = 1; /* entry 0 always exists */
}

/* ---- collectives ---- */

/* Write a possibly unknown number, as a difference. */
static void put_known(writer *w, int64_t v, int64_t from)
{
    tt_wire_put_i(w->out, v == TT_UNKNOWN ? TT_UNKNOWN : (int64_t)((uint64_t)v - (uint64_t)from));
}
static int64_t get_known(reader *r, int64_t from)
{
    int64_t v = tt_wire_i(r->in);
    return v == TT_UNKNOWN ? v : (int64_t)((uint64_t)v + (uint64_t)from);
}

static void put_call(writer *w, const tt_tts_calls *l, const tt_tts_call *c, const tt_tts_call *last,
                     const uint32_t *coll)
{
    put_text(w, c->name);
    put_text(w, c->group);
    put_text(w, c->ranks);
    tt_wire_put_i(w->out, c->start - last->start);
    put_known(w, c->bytes, 0);
    put_known(w, c->seq, last->seq == TT_UNKNOWN ? 0 : last->seq);
    put_known(w, c->ns, 0);
    put_known(w, c->total, c->ns == TT_UNKNOWN ? 0 : c->ns);
    put_known(w, c->end, c->start);
    put_known(w, c->kernel, c->start);
    tt_wire_put_i(w->out, (int64_t)coll[c->coll] - (int64_t)coll[last->coll]);
    tt_wire_put_u(w->out, c->n);
    for (uint32_t i = c->first; i < c->first + c->n; i++) {
        const tt_tts_range *x = &l->ranges.at[i];
        tt_wire_put_u(w->out, x->device);
        tt_wire_put_i(w->out, x->t0 - c->start);
        tt_wire_put_i(w->out, x->t1 - x->t0);
    }
}

static void get_call(reader *r, tt_tts_calls *l, tt_tts_call *c, const tt_tts_call *last)
{
    *c = (tt_tts_call){.row = TT_NONE};
    c->name = get_text(r);
    c->group = get_text(r);
    c->ranks = get_text(r);
    c->start = last->start + tt_wire_i(r->in);
    c->bytes = get_known(r, 0);
    c->seq = get_known(r, last->seq == TT_UNKNOWN ? 0 : last->seq);
    c->ns = get_known(r, 0);
    c->total = get_known(r, c->ns == TT_UNKNOWN ? 0 : c->ns);
    c->end = get_known(r, c->start);
    c->kernel = get_known(r, c->start);
    int64_t coll = (int64_t)last->coll + tt_wire_i(r->in);
    r->in->bad |= coll < 0 || coll >= r->s->n_colls || c->start < last->start;
    c->coll = r->in->bad ? 0 : (uint32_t)coll;
    c->first = (uint32_t)l->ranges.n;
    c->n = (uint32_t)tt_wire_count(r->in, 3);
    for (uint32_t i = 0; i < c->n; i++) {
        tt_tts_range *x = tt_vec_push(&l->ranges);
        x->device = tt_wire_u(r->in) != 0;
        x->t0 = c->start + tt_wire_i(r->in);
        x->t1 = x->t0 + tt_wire_i(r->in);
    }
}

static const tt_tts_call before_all = {.start = INT64_MIN / 4, .seq = 0};

void tt_tts_put_calls(const tt_trace *s, const tt_tts_calls *c, tt_text *out)
{
    tt_text body = {0};
    writer w = {.s = s, .out = &body};
    tt_strings_init(&w.texts);
    put_facts(&w);
    put_steps(&w);
    uint32_t *coll = put_colls(&w, c);
    tt_wire_put_u(&body, c->at.n);
    const tt_tts_call *last = &before_all;
    for (size_t i = 0; i < c->at.n; last = &c->at.at[i++]) put_call(&w, c, &c->at.at[i], last, coll);
    free(coll);
    tt_wire_put_u(out, w.texts.text.n); /* texts precede the data that refers to them */
    for (size_t i = 0; i < w.texts.text.n; i++) tt_wire_put_text(out, w.texts.text.at[i]);
    tt_text_put(out, body.at, body.n);
    tt_strings_free(&w.texts);
    tt_vec_free(&body);
}

bool tt_tts_get_calls(tt_wire *in, tt_trace *s, tt_tts_calls *c)
{
    reader r = {.in = in, .s = s};
    uint64_t texts = tt_wire_count(in, 1);
    for (uint64_t i = 0; i < texts; i++) {
        uint64_t n = tt_wire_count(in, 1);
        size_t whole = n ? strnlen((const char *)in->p, (size_t)n) : 0; /* a string ends at a NUL */
        *tt_vec_push(&r.texts) = tt_strings_put(&s->strings, (const char *)in->p, whole);
        in->p += n;
    }
    get_facts(&r);
    get_steps(&r);
    get_colls(&r);
    uint64_t n = tt_wire_count(in, 12);
    tt_vec_reserve(&c->at, n + 1);
    const tt_tts_call *last = &before_all;
    for (uint64_t i = 0; i < n && !in->bad; last = &c->at.at[i++]) get_call(&r, c, tt_vec_push(&c->at), last);
    tt_vec_free(&r.texts);
    return !in->bad && in->p == in->end;
}
