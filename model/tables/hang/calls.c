/* model/tables/hang/calls.c - tables hang_collectives and hang_entries: the open collectives over their members, and
 * all recorded calls. */
#include <stdlib.h>

#include "model/base/sort_by.h"
#include "model/tables/hang/hang_cells.h"
#include "model/tables/hang/tables.h"

/* ---- hang_collectives ---- */

static const tt_column collective_columns[] = {
    [TT_HANG_COLLECTIVES_GROUP] = COL("group", "Group", STRING, 1, "name of the process group"),
    [TT_HANG_COLLECTIVES_GROUP_DESC] = COL("group_desc", "Description", STRING, 0, "description of the process group"),
    [TT_HANG_COLLECTIVES_SIZE] = COL("size", "Size", COUNT, 0, "ranks of the group"),
    [TT_HANG_COLLECTIVES_SEQ] = COL_ID("seq", "Seq", 0, "number of the call in the group"),
    [TT_HANG_COLLECTIVES_OP] = COL("op", "Operation", STRING, 0, "what was called"),
    [TT_HANG_COLLECTIVES_CALLED] = COL("called", "Called", COUNT, 0, "ranks that called it"),
    [TT_HANG_COLLECTIVES_NOT_CALLED] =
        COL("not_called", "Not called", STRING, 0, "ranks that left a dump and have not called it"),
    [TT_HANG_COLLECTIVES_NO_DUMP] = COL("no_dump", "No dump", STRING, 1, "ranks that left no dump"),
    [TT_HANG_COLLECTIVES_COMPLETED] = COL("completed", "Finished", STRING, 1, "ranks that have finished it"),
    [TT_HANG_COLLECTIVES_IN_SIZES] = COL("in_sizes", "Input sizes", STRING, 2, "sizes of the inputs"),
    [TT_HANG_COLLECTIVES_OUT_SIZES] = COL("out_sizes", "Output sizes", STRING, 4, "sizes of the outputs"),
    [TT_HANG_COLLECTIVES_DTYPE] = COL("dtype", "Type", STRING, 3, "types of the inputs"),
    [TT_HANG_COLLECTIVES_FIRST_AT] = COL("first_at_ns", "First call", TIME, 2, "when the first rank called it"),
    [TT_HANG_COLLECTIVES_LAST_AT] = COL("last_at_ns", "Last call", TIME, 3, "when the last rank called it"),
    [TT_HANG_COLLECTIVES_TIMEOUT] =
        COL("timeout_ns", "Timeout", DURATION, 4, "time after which the watchdog ends the job"),
    [TT_HANG_COLLECTIVES_FRAME] = COL("frame", "Frame", STRING, 2, "where in the program it is called"),
};

typedef struct placed_call { /* an open call and the times of its first and last rank */
    uint32_t call;
    bool untimed;
    int64_t first, last;
} placed_call;

static void put_members(const tt_hang *h, const tt_hang_call *c, uint32_t row, tt_table *t)
{
    const tt_hang_group *g = &h->groups[c->group];
    TT_VEC(int64_t) not_called = {0}, no_dump = {0}, completed = {0};
    int64_t called = 0;
    for (uint32_t i = g->first; i < g->first + g->size; i++) {
        const tt_hang_member *m = &h->members[h->by_rank[i]];
        const tt_hang_rank *r = &h->ranks[m->rank];
        if (r->trace == TT_NONE)
            *tt_vec_push(&no_dump) = r->rank;
        else if (m->enqueued >= c->seq)
            called++;
        else if (m->enqueued != TT_UNKNOWN)
            *tt_vec_push(&not_called) = r->rank;
        if (m->completed >= c->seq) *tt_vec_push(&completed) = r->rank;
    }
    tt_set_i(t, row, TT_HANG_COLLECTIVES_CALLED, called);
    tt_set_ref(t, row, TT_HANG_COLLECTIVES_NOT_CALLED, tt_hang_ranks_text(not_called.at, not_called.n, &t->arena));
    tt_set_ref(t, row, TT_HANG_COLLECTIVES_NO_DUMP, tt_hang_ranks_text(no_dump.at, no_dump.n, &t->arena));
    tt_set_ref(t, row, TT_HANG_COLLECTIVES_COMPLETED, tt_hang_ranks_text(completed.at, completed.n, &t->arena));
    tt_vec_free(&not_called);
    tt_vec_free(&no_dump);
    tt_vec_free(&completed);
}

/* The first open entry of a call. */
static tt_hang_entry open_entry(const tt_hang *h, const tt_hang_call *c)
{
    for (uint32_t i = c->first; i < c->first + c->n; i++)
        if (tt_hang_entry_of(h, h->call_entries[i])->open) return h->call_entries[i];
    return h->call_entries[c->first];
}

static void put_collective(const tt_hang *h, const placed_call *p, tt_table *t)
{
    const tt_hang_call *c = &h->calls[p->call];
    uint32_t row = tt_table_add(t);
    tt_hang_entry e = open_entry(h, c);
    const tt_flight_call *x = tt_hang_call_of(h, e);
    tt_hang_set_group(h, t, row, TT_HANG_COLLECTIVES_GROUP, c->group);
    tt_set_i(t, row, TT_HANG_COLLECTIVES_SIZE, h->groups[c->group].size);
    tt_set_i(t, row, TT_HANG_COLLECTIVES_SEQ, c->seq);
    put_members(h, c, row, t);
    tt_hang_set_text(h, t, row, TT_HANG_COLLECTIVES_OP, e, x->op);
    tt_hang_set_text(h, t, row, TT_HANG_COLLECTIVES_IN_SIZES, e, x->in_sizes);
    tt_hang_set_text(h, t, row, TT_HANG_COLLECTIVES_OUT_SIZES, e, x->out_sizes);
    tt_hang_set_text(h, t, row, TT_HANG_COLLECTIVES_DTYPE, e, x->in_dtypes);
    tt_hang_set_time(h, t, row, TT_HANG_COLLECTIVES_FIRST_AT, p->first);
    tt_hang_set_time(h, t, row, TT_HANG_COLLECTIVES_LAST_AT, p->last);
    tt_set_i(t, row, TT_HANG_COLLECTIVES_TIMEOUT, x->timeout);
    tt_set_ref(t, row, TT_HANG_COLLECTIVES_FRAME, tt_hang_frame(h, e, &t->arena));
    tt_hang_set_drilldown(h, t, row, e);
}

static void compute_collectives(const tt_query *q, tt_table *out)
{
    const tt_hang *h = tt_hang_get(q->session);
    TT_VEC(placed_call) open = {0};
    for (uint32_t i = 0; h && i < h->n_calls; i++) {
        placed_call p = {.call = i};
        if (!h->calls[i].open) continue;
        tt_hang_call_times(h, &h->calls[i], &p.first, &p.last);
        p.untimed = p.first == TT_UNKNOWN;
        *tt_vec_push(&open) = p;
    }
    TT_SORT_BY(open.at, open.n, TT_ASC(placed_call, untimed), TT_ASC(placed_call, first), TT_ASC(placed_call, call));
    for (size_t i = 0; i < open.n; i++) put_collective(h, &open.at[i], out);
    if (h && !open.n) out->note = "no collective is open";
    tt_vec_free(&open);
}

const tt_table_desc tt_table_hang_collectives = {
    .id = "hang_collectives",
    .title = "Open collectives",
    .meaning = "collectives that some rank called and has not finished: who called them, who did not",
    .cols = collective_columns,
    .n_cols = COUNT_OF(collective_columns),
    .flags = TT_TABLE_ALL_TRACES,
    .note = TT_HANG_NOTE,
    .compute = compute_collectives,
};

/* ---- hang_entries ---- */

static const tt_column entry_columns[] = {
    [TT_HANG_ENTRIES_RANK] = COL_ID("rank", "Rank", 0, "rank that called; unknown: the dump does not tell"),
    [TT_HANG_ENTRIES_RECORD_ID] = COL_ID("record_id", "Record", 3, "number of the call on its rank"),
    [TT_HANG_ENTRIES_GROUP] = COL("group", "Group", STRING, 1, "name of the process group"),
    [TT_HANG_ENTRIES_GROUP_DESC] = COL("group_desc", "Description", STRING, 1, "description of the process group"),
    [TT_HANG_ENTRIES_SEQ] = COL_ID("seq", "Seq", 0, "number of the call in the group, among its kind"),
    [TT_HANG_ENTRIES_P2P] = COL("p2p", "P2P", BOOL, 3, "a send or receive"),
    [TT_HANG_ENTRIES_OP_ID] = COL_ID("op_id", "Op id", 5, "number of the operation in the group, batches included"),
    [TT_HANG_ENTRIES_OP] = COL("op", "Operation", STRING, 0, "what was called"),
    [TT_HANG_ENTRIES_PEER] = COL_ID("peer", "Peer", 2, "rank that is sent to, or received from"),
    [TT_HANG_ENTRIES_STATE] = COL("state", "State", STRING, 0, "as recorded: scheduled, started, completed"),
    [TT_HANG_ENTRIES_OPEN] = COL("open", "Open", BOOL, 0, "called and not known to be finished"),
    [TT_HANG_ENTRIES_RETIRED] = COL("retired", "Retired", BOOL, 5, "the watchdog is done with it"),
    [TT_HANG_ENTRIES_CREATED_AT] = COL("created_at_ns", "Called", TIME, 0, "when it was called"),
    [TT_HANG_ENTRIES_STARTED_AT] =
        COL("started_at_ns", "Started", TIME, 2, "when the host saw that the device had started it: up to 100 ms late"),
    [TT_HANG_ENTRIES_COMPLETED_AT] =
        COL("completed_at_ns", "Finished", TIME, 1, "when the host saw that it had finished: up to 100 ms late"),
    [TT_HANG_ENTRIES_DURATION] = COL("duration_ns", "Duration", DURATION, 2, "time on the device, where recorded"),
    [TT_HANG_ENTRIES_IN_SIZES] = COL("in_sizes", "Input sizes", STRING, 2, "sizes of the inputs"),
    [TT_HANG_ENTRIES_OUT_SIZES] = COL("out_sizes", "Output sizes", STRING, 4, "sizes of the outputs"),
    [TT_HANG_ENTRIES_IN_DTYPES] = COL("in_dtypes", "Types", STRING, 3, "types of the inputs"),
    [TT_HANG_ENTRIES_OUT_DTYPES] = COL("out_dtypes", "Output types", STRING, 5, "types of the outputs"),
    [TT_HANG_ENTRIES_TIMEOUT] = COL("timeout_ns", "Timeout", DURATION, 5, "time after which the watchdog ends the job"),
    [TT_HANG_ENTRIES_FRAME] = COL("frame", "Frame", STRING, 2, "innermost frame of the program itself"),
    [TT_HANG_ENTRIES_STACK] = COL("stack", "Stack", STRING, 6, "all frames, the innermost first"),
};

static void put_call(const tt_hang *h, tt_hang_entry at, uint32_t row, tt_table *t)
{
    const tt_flight_call *c = tt_hang_call_of(h, at);
    uint32_t g = h->dumps[at.trace].call_group[tt_hang_entry_of(h, at)->call];
    if (g != TT_NONE) {
        tt_hang_set_group(h, t, row, TT_HANG_ENTRIES_GROUP, g);
        if (c->peer >= 0 && (uint32_t)c->peer < h->groups[g].size)
            tt_set_i(t, row, TT_HANG_ENTRIES_PEER,
                     h->ranks[h->members[h->groups[g].first + (uint32_t)c->peer].rank].rank);
    } else {
        tt_hang_set_text(h, t, row, TT_HANG_ENTRIES_GROUP, at, c->group_name);
        tt_hang_set_text(h, t, row, TT_HANG_ENTRIES_GROUP_DESC, at, c->group_desc);
    }
    tt_set_i(t, row, TT_HANG_ENTRIES_P2P, c->p2p);
    tt_hang_set_text(h, t, row, TT_HANG_ENTRIES_OP, at, c->op);
    tt_hang_set_text(h, t, row, TT_HANG_ENTRIES_IN_SIZES, at, c->in_sizes);
    tt_hang_set_text(h, t, row, TT_HANG_ENTRIES_OUT_SIZES, at, c->out_sizes);
    tt_hang_set_text(h, t, row, TT_HANG_ENTRIES_IN_DTYPES, at, c->in_dtypes);
    tt_hang_set_text(h, t, row, TT_HANG_ENTRIES_OUT_DTYPES, at, c->out_dtypes);
    tt_set_i(t, row, TT_HANG_ENTRIES_TIMEOUT, c->timeout);
}

static void put_entry(const tt_hang *h, tt_hang_entry at, tt_table *t)
{
    const tt_trace *s = h->session->traces[at.trace];
    const tt_flight_entry *e = tt_hang_entry_of(h, at);
    uint32_t row = tt_table_add(t);
    if (s->rank >= 0) tt_set_i(t, row, TT_HANG_ENTRIES_RANK, s->rank);
    put_call(h, at, row, t);
    tt_set_i(t, row, TT_HANG_ENTRIES_RECORD_ID, e->record_id);
    tt_set_i(t, row, TT_HANG_ENTRIES_SEQ, tt_flight_seq(s->flight, e));
    tt_set_i(t, row, TT_HANG_ENTRIES_OP_ID, e->op_id);
    tt_set_ref(t, row, TT_HANG_ENTRIES_STATE, tt_flight_state_name[e->state]);
    tt_set_i(t, row, TT_HANG_ENTRIES_OPEN, e->open);
    tt_set_i(t, row, TT_HANG_ENTRIES_RETIRED, e->retired);
    tt_hang_set_time(h, t, row, TT_HANG_ENTRIES_CREATED_AT, e->created);
    tt_hang_set_time(h, t, row, TT_HANG_ENTRIES_STARTED_AT, e->started);
    tt_hang_set_time(h, t, row, TT_HANG_ENTRIES_COMPLETED_AT, e->completed);
    tt_set_i(t, row, TT_HANG_ENTRIES_DURATION, e->duration);
    if (!e->stack || !s->flight->stacks.n) return;
    tt_set_ref(t, row, TT_HANG_ENTRIES_FRAME, tt_hang_frame(h, at, &t->arena));
    tt_set_ref(
        t, row, TT_HANG_ENTRIES_STACK,
        tt_stack_text(&s->flight->stacks, &s->strings, e->stack, tt_stack_text_most(&s->flight->stacks), &t->arena));
}

static void put_dump(const tt_hang *h, uint32_t trace, tt_table *t)
{
    const tt_flight *f = tt_hang_flight(h, trace);
    for (uint32_t i = 0; f && i < f->n_entries; i++)
        if (!f->entries[i].brief) put_entry(h, (tt_hang_entry){trace, i}, t);
}

static void compute_entries(const tt_query *q, tt_table *out)
{
    const tt_hang *h = tt_hang_get(q->session);
    for (uint32_t r = 0; h && r < h->n_ranks; r++) put_dump(h, h->ranks[r].trace, out);
    for (uint32_t t = 0; h && t < h->session->n_traces; t++) /* dumps of unknown ranks last */
        if (h->dumps[t].rank == TT_NONE) put_dump(h, t, out);
}

const tt_table_desc tt_table_hang_entries = {
    .id = "hang_entries",
    .title = "Recorded calls",
    .meaning = "every collective, send and receive that the dumps hold",
    .cols = entry_columns,
    .n_cols = COUNT_OF(entry_columns),
    .flags = TT_TABLE_ALL_TRACES,
    .note = TT_HANG_NOTE,
    .compute = compute_entries,
};
