/* capture/agent/nccl/calls.c - what NCCL's events do to the table of calls: see calls.h. The writer's side is in
 * write_calls.c.
 *
 * A handle is a number, not an address: the id of a call and the kind of its event. The place of a call in the table is
 * its id modulo the size, so a handle of the past finds another id there. NCCL passes such handles: a graph that is
 * launched again names the call that was captured as the parent of each. */
#include "capture/agent/nccl/calls.h"

#include <string.h>

#include "capture/agent/core/threads.h"
#include "capture/agent/nccl/table.h"

static __thread uint64_t own_group __attribute__((tls_model("initial-exec"))); /* group of this thread's calls */

void tt_nccl_forget(void)
{
    tt_nccl_table_forget();
    own_group = 0;
}

static uint32_t name_id(tt_recorder *r, const char *text)
{
    tt_thread *t = tt_thread_self(r);
    return text && *text ? tt_intern_put(&r->names, t ? &t->cache : NULL, text, strlen(text)) : 0;
}

static void raise_to(_Atomic uint64_t *at, uint64_t v)
{
    uint64_t old = atomic_load_explicit(at, memory_order_relaxed);
    while (old < v && !atomic_compare_exchange_weak(at, &old, v)) {}
}

/* ---- communicators ---- */

tt_nccl_comm *tt_nccl_comm_begin(tt_recorder *r, uint32_t version)
{
    tt_nccl_table *t = tt_nccl_table_made();
    for (uint32_t i = 0; t && i < TT_NCCL_COMMS; i++) {
        tt_nccl_comm *c = &t->comms[i];
        uint32_t free = TT_COMM_FREE;
        if (!atomic_compare_exchange_strong(&c->state, &free, TT_COMM_BEGINS)) continue;
        memset(&c->since_begin, 0, sizeof c->since_begin);
        c->number = atomic_fetch_add(&t->comm_number, 1) + 1;
        c->version = version;
        c->began = tt_now(r);
        uint32_t used = atomic_load(&t->comms_used);
        while (used < i + 1 && !atomic_compare_exchange_weak(&t->comms_used, &used, i + 1)) {}
        atomic_store_explicit(&c->state, TT_COMM_LIVES, memory_order_release);
        return c;
    }
    tt_drop(r, TT_SPOOL_DROP_CALLS, 1);
    return NULL;
}

void tt_nccl_comm_describe(tt_recorder *r, tt_nccl_comm *c, uint64_t hash, const char *name, int nodes, int size,
                           int rank)
{
    uint32_t undescribed = 0;
    if (atomic_load_explicit(&c->since_begin.described, memory_order_relaxed)) return;
    if (!atomic_compare_exchange_strong(&c->since_begin.described, &undescribed, 1)) return;
    c->since_begin.hash = hash;
    c->since_begin.name = name_id(r, name);
    c->since_begin.nodes = nodes;
    c->since_begin.size = size;
    c->since_begin.rank = rank;
    atomic_store_explicit(&c->since_begin.described, 2, memory_order_release);
}

void tt_nccl_comm_end(tt_recorder *r, tt_nccl_comm *c)
{
    if (!tt_nccl_the_table()) return;
    atomic_store(&c->since_begin.ended, tt_now(r));
    atomic_store_explicit(&c->state, TT_COMM_ENDED, memory_order_release);
}

/* ---- calls ---- */

/* Handles: the number of a call or group, and what the event is. */
enum { EVENT_CALL = 1, EVENT_TASK, EVENT_PART, EVENT_GROUP, EVENT_CAPTURED, EVENT_BITS = 3 };

static void *handle(uint64_t id, unsigned event) { return (void *)(uintptr_t)(id << EVENT_BITS | event); }
static unsigned event_of(const void *h) { return (unsigned)((uintptr_t)h & ((1u << EVENT_BITS) - 1)); }
static uint64_t id_of(const void *h) { return (uintptr_t)h >> EVENT_BITS; }

static tt_nccl_call *call_at(uint64_t id)
{
    tt_nccl_table *t = tt_nccl_the_table();
    size_t at = id % TT_NCCL_CALLS;
    return t && id && atomic_load_explicit(&t->ids[at], memory_order_acquire) == id ? &t->calls[at] : NULL;
}

static void changed(tt_nccl_call *k) { atomic_store_explicit(&k->changed, true, memory_order_release); }

/* A free place, marked as being filled; *id: the id of the call in it. */
static tt_nccl_call *place(tt_recorder *r, uint64_t *id)
{
    enum { TRIES = 256 };
    tt_nccl_table *t = tt_nccl_the_table();
    for (int i = 0; t && i < TRIES; i++) {
        uint64_t free = 0;
        *id = atomic_fetch_add(&t->call_number, 1) + 1;
        if (!atomic_compare_exchange_strong(&t->ids[*id % TT_NCCL_CALLS], &free, TT_NCCL_FILLING)) continue;
        if (*id % (TT_NCCL_CALLS / 4) == 0) tt_recorder_wake(r); /* calls may come fast: write before the next pass */
        return &t->calls[*id % TT_NCCL_CALLS];
    }
    tt_drop(r, TT_SPOOL_DROP_CALLS, 1);
    return NULL;
}

static void describe(tt_recorder *r, tt_nccl_call *k, const tt_nccl_task *t)
{
    atomic_store_explicit(&k->algorithm, name_id(r, t->algorithm), memory_order_relaxed);
    atomic_store_explicit(&k->protocol, name_id(r, t->protocol), memory_order_relaxed);
    atomic_store_explicit(&k->nccl_seq, t->seq, memory_order_relaxed);
    atomic_store_explicit(&k->channels, t->channels, memory_order_relaxed);
}

/* A new call, with a task or not yet; returns its id, 0 = no place. Its number counts even then. */
static uint64_t add(tt_recorder *r, tt_nccl_comm *c, tt_nccl_kind kind, const tt_nccl_task *t, uint64_t group,
                    bool task)
{
    uint64_t seq = atomic_fetch_add(&c->since_begin.called[kind], 1) + 1, id;
    tt_nccl_call *k = place(r, &id);
    if (!k) return 0;
    k->comm = c;
    k->comm_number = c->number;
    k->kind = kind;
    k->seq = seq;
    k->enqueued = tt_now(r);
    k->count = t->count;
    k->other = t->other;
    k->tid = tt_thread_self(r) ? tt_thread_self(r)->tid : 0;
    k->func = name_id(r, t->func);
    k->type = name_id(r, t->type);
    k->group = group;
    k->kept = (atomic_load(&r->gate) & TT_GATE_RECORDING) != 0;
    k->written = k->was_old = false;
    atomic_store_explicit(&k->tasks, task, memory_order_relaxed);
    atomic_store_explicit(&k->enqueuing, task, memory_order_relaxed);
    atomic_store_explicit(&k->parts, 0, memory_order_relaxed);
    atomic_store_explicit(&k->started, 0, memory_order_relaxed);
    atomic_store_explicit(&k->finished, 0, memory_order_relaxed);
    describe(r, k, t);
    changed(k);
    atomic_store_explicit(&tt_nccl_the_table()->ids[id % TT_NCCL_CALLS], id, memory_order_release);
    return id;
}

/* ---- events ---- */

static void end_group(uint64_t id)
{
    tt_nccl_table *t = tt_nccl_the_table();
    if (t && id) atomic_compare_exchange_strong(&t->groups[id % TT_NCCL_GROUPS], &(uint64_t){id}, 0);
}

void *tt_nccl_group(void)
{
    tt_nccl_table *t = tt_nccl_the_table();
    end_group(own_group); /* a thread has one group at a time: after an error NCCL does not tell the end */
    own_group = 0;
    for (int i = 0; t && i < 8; i++) {
        uint64_t id = atomic_fetch_add(&t->group_number, 1) + 1, free = 0;
        if (!atomic_compare_exchange_strong(&t->groups[id % TT_NCCL_GROUPS], &free, id)) continue;
        own_group = id;
        return handle(id, EVENT_GROUP);
    }
    return NULL;
}

void *tt_nccl_api(tt_recorder *r, tt_nccl_comm *c, const tt_nccl_task *t, const void *group, bool captured)
{
    if (captured) return handle(0, EVENT_CAPTURED);
    uint64_t in = event_of(group) == EVENT_GROUP ? id_of(group) : 0;
    uint64_t id = add(r, c, TT_NCCL_COLLECTIVES, t, in, false);
    return id ? handle(id, EVENT_CALL) : NULL;
}

void *tt_nccl_coll(tt_recorder *r, tt_nccl_comm *c, const tt_nccl_task *t, const void *call)
{
    bool told = c->version >= TT_NCCL_TELLS_CALLS, captured = event_of(call) == EVENT_CAPTURED;
    if (!told || captured) {
        uint64_t id = add(r, c, captured ? TT_NCCL_CAPTURED : TT_NCCL_COLLECTIVES, t, 0, true);
        return id ? handle(id, EVENT_TASK) : NULL;
    }
    tt_nccl_call *k = call_at(id_of(call));
    if (!k) return NULL;
    describe(r, k, t);
    atomic_store_explicit(&k->enqueuing, 1, memory_order_relaxed);
    atomic_store_explicit(&k->tasks, 1, memory_order_relaxed);
    changed(k);
    return handle(id_of(call), EVENT_TASK);
}

void *tt_nccl_p2p(tt_recorder *r, tt_nccl_comm *c, const tt_nccl_task *t)
{
    uint64_t id = add(r, c, TT_NCCL_PAIRS, t, 0, true);
    return id ? handle(id, EVENT_TASK) : NULL;
}

void *tt_nccl_part(const tt_recorder *r, const void *call)
{
    tt_nccl_call *k = call_at(id_of(call));
    int64_t never = 0;
    if (!k) return NULL;
    atomic_fetch_add(&k->parts, TT_PART_BEGUN);
    if (atomic_compare_exchange_strong(&k->started, &never, tt_now(r))) {
        raise_to(&k->comm->since_begin.started[k->kind], k->seq);
    }
    changed(k);
    return handle(id_of(call), EVENT_PART);
}

/* Whether all parts of a call have ended, as far as is told. */
static bool all_parts(const tt_nccl_call *k, uint64_t parts)
{
    uint32_t told = atomic_load_explicit(&k->channels, memory_order_relaxed);
    uint32_t ended = TT_PARTS_ENDED(parts);
    return told ? ended >= told : ended && ended == TT_PARTS_BEGUN(parts);
}

static void end_part(const tt_recorder *r, tt_nccl_call *k)
{
    uint64_t parts = atomic_fetch_add(&k->parts, TT_PART_ENDED) + TT_PART_ENDED;
    if (!all_parts(k, parts)) return;
    atomic_store(&k->finished, tt_now(r));
    raise_to(&k->comm->since_begin.finished[k->kind], k->seq);
    changed(k);
}

void tt_nccl_stop(const tt_recorder *r, const void *event)
{
    uint64_t id = id_of(event);
    tt_nccl_call *k = event_of(event) == EVENT_TASK || event_of(event) == EVENT_PART ? call_at(id) : NULL;
    if (event_of(event) == EVENT_GROUP) end_group(id);
    if (!k) return;
    if (event_of(event) == EVENT_TASK) {
        atomic_store(&k->enqueuing, 0);
        changed(k);
    } else {
        end_part(r, k);
    }
}
