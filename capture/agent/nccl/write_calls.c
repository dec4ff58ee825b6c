/* capture/agent/nccl/write_calls.c - the writer's side of the table of calls: writes what has changed, and frees the
 * places of calls that have ended. See calls.h, table.h. */
#include "capture/agent/core/write_records.h"
#include "capture/agent/nccl/calls.h"
#include "capture/agent/nccl/table.h"

/* COUNTERS_NS: interval between records of a communicator whose counters change; a killed process leaves its newest
 * calls beside them. OLD_NS: age from which on an open call outside of the recorded windows is written. PATIENCE_NS:
 * time for which a call without any sign of its parts keeps its place, as these may still come. */
enum { COUNTERS_NS = 1000000000, OLD_NS = 1000000000 };
#define PATIENCE_NS INT64_C(10000000000)

/* ---- communicators ---- */

static uint64_t counts_of(const tt_nccl_comm *c)
{
    uint64_t sum = atomic_load_explicit(&c->since_begin.described, memory_order_acquire);
    for (int k = 0; k < TT_NCCL_KINDS_; k++)
        sum += atomic_load(&c->since_begin.called[k]) + atomic_load(&c->since_begin.started[k]) +
               atomic_load(&c->since_begin.finished[k]);
    return sum;
}

static void write_comm(tt_recorder *r, tt_nccl_comm *c, int64_t now)
{
    bool described = atomic_load_explicit(&c->since_begin.described, memory_order_acquire) == 2;
    c->since_begin.written_counts = counts_of(c); /* before they are read: what changes meanwhile is written again */
    if (described) tt_write_name(r, c->since_begin.name);
    tt_spool_comm *s = tt_spool_add(&r->spool, TT_SPOOL_COMM, sizeof *s, c->number);
    if (!s) return;
    c->since_begin.written = now;
    s->began = c->began;
    s->ended = atomic_load(&c->since_begin.ended);
    s->version = c->version;
    s->rank = -1;
    for (int k = 0; k < TT_NCCL_KINDS_; k++) {
        s->of[k].called = atomic_load(&c->since_begin.called[k]);
        s->of[k].started = atomic_load(&c->since_begin.started[k]);
        s->of[k].finished = atomic_load(&c->since_begin.finished[k]);
    }
    c->since_begin.written_whole = described;
    if (!described) return;
    s->hash = c->since_begin.hash;
    s->name = c->since_begin.name;
    s->nodes = c->since_begin.nodes;
    s->size = c->since_begin.size;
    s->rank = c->since_begin.rank;
}

/* Numbers up to which calls have ended: what was the last end at the pass before the previous one. Parts of an earlier
 * call may be told a little after those of a later one. */
static void settle(tt_nccl_comm *c)
{
    for (int k = 0; k < TT_NCCL_KINDS_; k++) {
        c->since_begin.settled[k] = c->since_begin.seen[k];
        c->since_begin.seen[k] = atomic_load(&c->since_begin.finished[k]);
    }
}

static void write_comms(tt_recorder *r, tt_nccl_table *t, int64_t now, bool last)
{
    for (uint32_t i = 0; i < atomic_load(&t->comms_used); i++) {
        tt_nccl_comm *c = &t->comms[i];
        uint32_t state = atomic_load_explicit(&c->state, memory_order_acquire);
        if (state < TT_COMM_LIVES) continue;
        settle(c);
        bool news = !c->since_begin.written || counts_of(c) != c->since_begin.written_counts;
        bool due = last || !c->since_begin.written_whole || now - c->since_begin.written >= COUNTERS_NS;
        if ((news && due) || state == TT_COMM_ENDED) write_comm(r, c, now);
    }
}

/* ---- calls ---- */

/* What is known of the end of a call. */
typedef enum ending { OPEN, UNSEEN, FINISHED } ending;

static bool group_is_open(const tt_nccl_table *t, uint64_t group)
{
    return group && atomic_load(&t->groups[group % TT_NCCL_GROUPS]) == group;
}

static ending ending_of(const tt_nccl_table *t, const tt_nccl_call *k)
{
    uint64_t parts = atomic_load(&k->parts);
    uint32_t channels = atomic_load(&k->channels);
    bool between = TT_PARTS_BEGUN(parts) > TT_PARTS_ENDED(parts);
    bool task = atomic_load(&k->tasks) != 0;
    if (atomic_load(&k->finished) && !between && (!channels || TT_PARTS_ENDED(parts) >= channels)) return FINISHED;
    if (k->comm_number == k->comm->number && k->seq < k->comm->since_begin.settled[k->kind]) return UNSEEN;
    if (between || atomic_load(&k->enqueuing) || group_is_open(t, k->group)) return OPEN;
    if (!task || k->comm->version < TT_NCCL_TELLS_PARTS) return UNSEEN;
    /* a send to itself and an empty one have no parts */
    bool moves = k->kind != TT_NCCL_PAIRS || (k->count && k->other != k->comm->since_begin.rank);
    return channels || moves ? OPEN : UNSEEN;
}

static void write_call(tt_recorder *r, tt_nccl_call *k, uint64_t id, ending e)
{
    static const uint16_t flag[] = {
        [TT_NCCL_COLLECTIVES] = 0, [TT_NCCL_PAIRS] = TT_SPOOL_CALL_PAIR, [TT_NCCL_CAPTURED] = TT_SPOOL_CALL_CAPTURED};
    uint32_t algorithm = atomic_load(&k->algorithm), protocol = atomic_load(&k->protocol);
    tt_write_name(r, k->type);
    tt_write_name(r, algorithm);
    tt_write_name(r, protocol);
    tt_spool_call *s = tt_spool_add(&r->spool, TT_SPOOL_COLL, sizeof *s, k->func);
    if (!s) return;
    k->written = true;
    s->id = id;
    s->seq = k->seq;
    s->nccl_seq = atomic_load(&k->nccl_seq);
    s->count = k->count;
    s->enqueued = k->enqueued;
    s->started = atomic_load(&k->started);
    s->finished = e == FINISHED ? atomic_load(&k->finished) : 0;
    s->comm = k->comm_number;
    s->tid = k->tid;
    s->dtype = k->type;
    s->algorithm = algorithm;
    s->protocol = protocol;
    s->other = k->other;
    s->channels = (uint16_t)atomic_load(&k->channels);
    s->flags =
        (uint16_t)(flag[k->kind] | (e == OPEN ? TT_SPOOL_CALL_OPEN : 0) | (e == UNSEEN ? TT_SPOOL_CALL_UNSEEN : 0));
}

/* Whether the place of a call is free for another. full: places are short. */
static bool is_over(const tt_nccl_call *k, ending e, int64_t now, bool full)
{
    bool gone = k->comm_number != k->comm->number || k->seq < k->comm->since_begin.settled[k->kind];
    if (e == FINISHED) return atomic_load(&k->channels) || gone || now - atomic_load(&k->finished) > OLD_NS;
    return e == UNSEEN && (gone || full || now - k->enqueued > PATIENCE_NS);
}

static void visit(tt_recorder *r, tt_nccl_table *t, uint32_t at, int64_t now, bool last)
{
    tt_nccl_call *k = &t->calls[at];
    bool news = atomic_exchange_explicit(&k->changed, false, memory_order_acq_rel);
    ending e = ending_of(t, k);
    bool old = e == OPEN && now - k->enqueued > OLD_NS;
    bool over = is_over(k, e, now, t->busy > TT_NCCL_CALLS / 2);
    news = news || over || last || (old && !k->was_old);
    k->was_old = old;
    if (news && (k->kept || k->written || old)) write_call(r, k, atomic_load(&t->ids[at]), e);
    if (over) atomic_store_explicit(&t->ids[at], 0, memory_order_release);
}

static void free_ended_comms(tt_nccl_table *t)
{
    for (uint32_t i = 0; i < atomic_load(&t->comms_used); i++) {
        tt_nccl_comm *c = &t->comms[i];
        uint32_t ended = TT_COMM_ENDED;
        if (atomic_load(&c->state) == TT_COMM_ENDED && c->since_begin.written >= atomic_load(&c->since_begin.ended)) {
            c->number = 0; /* its calls that are left see that it is gone */
            atomic_compare_exchange_strong(&c->state, &ended, TT_COMM_FREE);
        }
    }
}

void tt_nccl_write(tt_recorder *r, int64_t now, bool last)
{
    tt_nccl_table *t = tt_nccl_the_table();
    uint32_t busy = 0;
    if (!t) return;
    write_comms(r, t, now, last);
    for (uint32_t i = 0; i < TT_NCCL_CALLS; i++) {
        uint64_t id = atomic_load_explicit(&t->ids[i], memory_order_acquire);
        if (!id || id == TT_NCCL_FILLING) continue;
        visit(r, t, i, now, last);
        busy++;
    }
    t->busy = busy;
    free_ended_comms(t);
}

void tt_nccl_repeat(void)
{
    tt_nccl_table *t = tt_nccl_the_table();
    for (uint32_t i = 0; t && i < TT_NCCL_COMMS; i++) t->comms[i].since_begin.written = 0;
    for (uint32_t i = 0; t && i < TT_NCCL_COMMS; i++) t->comms[i].since_begin.written_whole = false;
    for (uint32_t i = 0; t && i < TT_NCCL_CALLS; i++) atomic_store(&t->calls[i].changed, true);
}
