/* parser/recording/flight.c - the calls of a recording in the form of a flight recorder's dump, for model/hang. See
 * calls.h.
 *
 * A group is a communicator, by NCCL's id of it; collectives of graphs are a group of their own, as their numbers are.
 * Which ranks its members are, only the recordings of all ranks together tell: model/hang/recordings.c. A call is open
 * for the verdict when it has been open for long: a healthy program that is killed has calls open, too. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/trace/flight.h"
#include "parser/recording/calls.h"

/* LONG_NS, LONG_TIMES: a call has been open for long after this time, and after so many times the longest finished
 * call of its communicator. KEPT: calls of a communicator that are kept, as in PyTorch's own recorder. */
#define LONG_NS INT64_C(1000000000)
enum { LONG_TIMES = 3, KEPT = 256, KINDS = 3 };

typedef struct group { /* the calls of one kind in a communicator */
    uint32_t comm, kind;
    const tt_spool_comm *as;                  /* NULL: its record was lost */
    int64_t longest;                          /* ns of its finished calls */
    uint32_t n;                               /* its calls */
    uint64_t called, started, finished, open; /* numbers of its last calls; open: of the oldest open one, 0 = none */
    bool pairs;
} group;

typedef struct making {
    spool *s;
    tt_flight *out;
    TT_VEC(group) groups;
    tt_strings call_keys;
    TT_VEC(tt_flight_call) calls;
    TT_VEC(tt_flight_entry) entries;
    TT_VEC(uint32_t) tids; /* threads of the entries */
} making;

static uint32_t kind_of(const tt_spool_call *c)
{
    return c->flags & TT_SPOOL_CALL_PAIR ? 1 : c->flags & TT_SPOOL_CALL_CAPTURED ? 2 : 0;
}

/* Collectives and pairs of a communicator are one group. */
static group *group_of(making *m, uint32_t comm, uint32_t kind)
{
    kind = kind == 2 ? 2 : 0;
    for (size_t i = m->groups.n; i-- > 0;)
        if (m->groups.at[i].comm == comm && m->groups.at[i].kind == kind) return &m->groups.at[i];
    *tt_vec_push(&m->groups) = (group){.comm = comm, .kind = kind, .as = tt_spool_comm_of(&m->s->f, comm)};
    return &m->groups.at[m->groups.n - 1];
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void find_groups(making *m)
{
    const tt_spool_facts *f = &m->s->f;
    for (size_t i = 0; i < f->comms.n; i++) {
        for (uint32_t kind = 0; kind < KINDS; kind += 2) {
            const tt_spool_counts *n = &f->comms.at[i].of[kind];
            if (kind && !n->called) continue;
            group *g = group_of(m, f->comms.at[i].h.a, kind);
            g->called = n->called;
            g->started = n->started;
            g->finished = n->finished;
        }
    }
    for (size_t i = 0; i < f->calls.n; i++) {
        const tt_spool_call *c = &f->calls.at[i].call;
        group *g = group_of(m, c->comm, kind_of(c));
        g->n++;
        g->pairs |= kind_of(c) == 1;
        if (c->finished - c->enqueued > g->longest) g->longest = c->finished - c->enqueued;
        if (kind_of(c) == 1) continue;
        g->called = larger(g->called, c->seq);
        if (c->started) g->started = larger(g->started, c->seq);
        if (c->finished) g->finished = larger(g->finished, c->seq);
    }
}

/* Whether the call has been open for long when the recording ends. */
static bool is_stuck(const making *m, const group *g, const tt_spool_call *c)
{
    int64_t age = m->s->f.end - c->enqueued;
    return c->flags & TT_SPOOL_CALL_OPEN && age >= LONG_NS && age / LONG_TIMES >= g->longest;
}

/* ---- texts ---- */

static tt_sid put(making *m, const char *text) { return tt_strings_put(&m->s->h.strings, text, strlen(text)); }

static tt_sid id_of(making *m, const group *g)
{
    char text[48];
    if (!g->as || !g->as->hash) return 0;
    snprintf(text, sizeof text, "%016" PRIx64 "%s", g->as->hash, g->kind ? " (graphs)" : "");
    return put(m, text);
}

static tt_sid description_of(making *m, const group *g)
{
    char text[200];
    const char *name = g->as ? tt_spool_string(&m->s->f, g->as->name) : "";
    snprintf(text, sizeof text, "%.160s%s", *name ? name : "NCCL communicator", g->kind ? " (graphs)" : "");
    return put(m, text);
}

/* NCCL's names of types without the prefix. */
static tt_sid type_of(making *m, uint32_t id)
{
    const char *text = tt_spool_string(&m->s->f, id);
    return put(m, strncmp(text, "nccl", 4) ? text : text + 4);
}

/* ---- entries ---- */

static uint32_t call_number(making *m, const group *g, const tt_spool_call *c)
{
    const char *func = tt_spool_string(&m->s->f, c->h.a);
    bool pair = kind_of(c) == 1;
    char sizes[32], low[8] = "";
    snprintf(sizes, sizeof sizes, "[[%" PRIu64 "]]", c->count);
    if (pair) snprintf(low, sizeof low, "%s", !strcmp(func, "Recv") ? "recv" : "send");
    tt_flight_call x = {.group_name = id_of(m, g),
                        .group_desc = description_of(m, g),
                        .op = put(m, pair ? low : func),
                        .backend = put(m, "nccl"),
                        .in_sizes = put(m, sizes),
                        .in_dtypes = type_of(m, c->dtype),
                        .group = (uint32_t)(g - m->groups.at),
                        .self = pair && g->as ? g->as->rank : -1,
                        .peer = pair ? c->other : -1,
                        .p2p = pair,
                        .direction = !pair         ? TT_FLIGHT_NEITHER
                                     : *low == 'r' ? TT_FLIGHT_RECV
                                                   : TT_FLIGHT_SEND,
                        .timeout = TT_UNKNOWN,
                        .pg_id = TT_UNKNOWN};
    if (g->as && g->as->hash) x.pg_id = (int64_t)(g->as->hash >> 1 ^ (g->kind ? UINT64_C(1) << 62 : 0));
    tt_sid id = tt_strings_put(&m->call_keys, (const char *)&x, sizeof x);
    if (id > m->calls.n) *tt_vec_push(&m->calls) = x;
    return id - 1;
}

static int64_t known(int64_t t) { return t ? t : TT_UNKNOWN; }

static void add_entry(making *m, group *g, const tt_spool_call *c, bool stuck)
{
    bool pair = kind_of(c) == 1;
    *tt_vec_push(&m->tids) = c->tid;
    *tt_vec_push(&m->entries) =
        (tt_flight_entry){.record_id = (int64_t)c->id - 1,
                          .op_id = TT_UNKNOWN,
                          .seq = pair ? TT_UNKNOWN : (int64_t)c->seq,
                          .p2p_seq = pair ? (int64_t)c->seq : TT_UNKNOWN,
                          .created = c->enqueued,
                          .started = known(c->started),
                          .completed = known(c->finished),
                          .duration = c->started && c->finished ? c->finished - c->started : TT_UNKNOWN,
                          .call = call_number(m, g, c),
                          .state = !(c->flags & TT_SPOOL_CALL_OPEN) ? TT_FLIGHT_COMPLETED
                                   : c->started                     ? TT_FLIGHT_STARTED
                                                                    : TT_FLIGHT_SCHEDULED,
                          .open = stuck};
    m->out->stuck |= stuck;
    bool open = c->flags & TT_SPOOL_CALL_OPEN;
    if (open && !pair && (!g->open || c->seq < g->open)) g->open = c->seq;
}

typedef struct by_id {
    uint64_t id;
    size_t at;
} by_id;

static void make_entries(making *m)
{
    const tt_spool_facts *f = &m->s->f;
    by_id *order = tt_calloc(f->calls.n + 1, sizeof *order);
    for (size_t i = 0; i < f->calls.n; i++) order[i] = (by_id){f->calls.at[i].call.id, i};
    TT_SORT_BY(order, f->calls.n, TT_ASC(by_id, id));
    for (size_t i = 0; i < f->calls.n; i++) {
        const tt_spool_call *c = &f->calls.at[order[i].at].call;
        group *g = group_of(m, c->comm, kind_of(c));
        bool stuck = is_stuck(m, g, c);
        if (g->n-- <= KEPT || stuck) add_entry(m, g, c, stuck);
    }
    free(order);
    m->out->n_all = (uint32_t)f->calls.n;
}

/* ---- groups ---- */

static void make_groups(making *m)
{
    tt_flight *o = m->out;
    o->groups = tt_calloc(m->groups.n + 1, sizeof *o->groups);
    o->status = tt_calloc(m->groups.n + 1, sizeof *o->status);
    for (size_t i = 0; i < m->groups.n; i++) {
        const group *g = &m->groups.at[i];
        o->groups[o->n_groups++] = (tt_flight_group){.name = id_of(m, g),
                                                     .desc = description_of(m, g),
                                                     .place = g->as ? g->as->rank : -1,
                                                     .places = g->as && g->as->size > 0 ? g->as->size : 0};
        if (!g->as || !g->as->hash) continue;
        o->status[o->n_status++] =
            (tt_flight_status){.id = (int64_t)(g->as->hash >> 1 ^ (g->kind ? UINT64_C(1) << 62 : 0)),
                               .enqueued = (int64_t)g->called,
                               .started = (int64_t)g->started,
                               .completed = (int64_t)(g->open ? g->open - 1 : g->called)};
    }
}

/* ---- stacks ---- */

/* Frames "file(line): function" into the list; the text is one frame a line. */
static void read_frames(making *m, const char *text, size_t n, tt_text *list, tt_frame **frames, uint32_t *n_frames)
{
    const char *end = text + n;
    for (const char *p = text, *e; p < end; p = e + 1) {
        e = memchr(p, '\n', (size_t)(end - p));
        if (!e) e = end;
        const char *open = memrchr(p, '(', (size_t)(e - p)), *close = NULL;
        for (const char *o = p; o < e && !close; o++) {
            if (*o == '(' && o + 1 < e && o[1] >= '0' && o[1] <= '9' &&
                (close = memchr(o, ')', (size_t)(e - o))) != NULL)
                open = o;
        }
        if (!open || !close || close + 2 > e) open = close = NULL;
        tt_frame f = {.file = tt_strings_put(&m->s->h.strings, p, (size_t)((open ? open : e) - p))};
        if (open) {
            const char *name = close + 1 + (close[1] == ':') + (close + 2 < e && close[2] == ' ');
            f.line = strtoll(open + 1, NULL, 10);
            f.function = tt_strings_put(&m->s->h.strings, name, (size_t)(e - name));
        }
        *frames = tt_realloc(*frames, *n_frames + (size_t)1, sizeof **frames);
        tt_text_put(list, (const char *)n_frames, sizeof *n_frames);
        (*frames)[(*n_frames)++] = f;
    }
}

/* The stack of each thread belongs to its last call and to those that are open; that of the first thread, which has
 * the process's number, is the recording's own. */
static void make_stacks(making *m)
{
    tt_strings lists;
    tt_frame *frames = NULL;
    uint32_t n_frames = 0;
    const tt_strings *text = &m->s->f.text;
    if (!m->s->last.stacks.n) return;
    tt_strings_init(&lists);
    for (size_t i = 0; i < m->s->last.stacks.n; i++) {
        const thread_stack *k = &m->s->last.stacks.at[i];
        tt_text list = {0};
        read_frames(m, tt_str(text, k->text), text->len.at[k->text], &list, &frames, &n_frames);
        uint32_t stack = list.n ? tt_strings_put(&lists, list.at, list.n) : 0;
        bool last = true;
        for (size_t e = m->entries.n; e-- > 0;) {
            if (m->tids.at[e] != k->tid) continue;
            if (last || m->entries.at[e].open) m->entries.at[e].stack = stack;
            last = false;
        }
        if (!m->out->stack || k->tid == strtoul(m->s->f.pid, NULL, 10)) m->out->stack = stack;
        tt_vec_free(&list);
    }
    tt_flight_entry *newest = m->entries.n ? &m->entries.at[m->entries.n - 1] : NULL;
    if (newest && !newest->stack) newest->stack = m->out->stack;
    tt_stacks_fill(&m->out->stacks, frames, n_frames, &lists);
    tt_strings_free(&lists);
}

/* ---- the whole ---- */

tt_flight *tt_spool_flight(spool *s)
{
    making m = {.s = s};
    if (!s->f.comms.n) return NULL;
    m.out = tt_calloc(1, sizeof *m.out);
    tt_strings_init(&m.call_keys);
    find_groups(&m);
    make_entries(&m);
    make_groups(&m);
    make_stacks(&m);
    tt_flight *o = m.out;
    o->recorder = TT_FLIGHT_TRACETTY;
    o->version = put(&m, s->version);
    o->last = s->f.end;
    o->changed = TT_UNKNOWN;
    o->stuck |= s->last.frozen;
    if (s->last.has_kernel) o->last_kernel = put(&m, tt_spool_kernel_name(&s->f, s->last.kernel.h.a));
    o->entries = m.entries.at;
    o->n_entries = (uint32_t)m.entries.n;
    o->calls = m.calls.at;
    o->n_calls = (uint32_t)m.calls.n;
    tt_vec_free(&m.groups);
    tt_vec_free(&m.tids);
    tt_strings_free(&m.call_keys);
    return o;
}
