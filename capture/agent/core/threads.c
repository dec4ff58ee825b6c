/* capture/agent/core/threads.c - the fast path: events of a thread into chunks of its own. See threads.h.
 *
 * A chunk has one producer, its thread, and one consumer, the writer: publishing an event is one release store. Memory
 * is bounded: an event without a free chunk is counted and dropped. A pop is dropped with its push, and a push is kept
 * only when its pop will have room. */
#include "capture/agent/core/threads.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/spool/memory.h"

static __thread tt_thread *self __attribute__((tls_model("initial-exec")));

/* ---- chunks ---- */

static tt_chunk *chunk_take(tt_recorder *r)
{
    pthread_mutex_lock(&r->chunks_lock);
    tt_chunk *c = r->free_chunks;
    bool more = !c && r->n_chunks < r->most_chunks;
    if (c) r->free_chunks = atomic_load_explicit(&c->next, memory_order_relaxed);
    r->n_chunks += more;
    bool busy = r->n_chunks > 64; /* many chunks are full: wake the writer before its next pass */
    pthread_mutex_unlock(&r->chunks_lock);
    if (more) {
        c = tt_memory_take(sizeof *c);
        if (!c) {
            pthread_mutex_lock(&r->chunks_lock);
            r->n_chunks--;
            pthread_mutex_unlock(&r->chunks_lock);
        }
    }
    if (c) {
        atomic_store_explicit(&c->n, 0, memory_order_relaxed);
        atomic_store_explicit(&c->next, NULL, memory_order_relaxed);
    }
    if (busy) tt_recorder_wake(r);
    return c;
}

void tt_chunk_give(tt_recorder *r, tt_chunk *c)
{
    pthread_mutex_lock(&r->chunks_lock);
    atomic_store_explicit(&c->next, r->free_chunks, memory_order_relaxed);
    r->free_chunks = c;
    pthread_mutex_unlock(&r->chunks_lock);
}

/* ---- threads ---- */

static tt_thread *thread_new(tt_recorder *r)
{
    tt_thread *t = tt_memory_take(sizeof *t);
    if (!t) return NULL;
    t->tid = (uint32_t)syscall(SYS_gettid);
    t->generation = atomic_load(&r->generation);
    prctl(PR_GET_NAME, t->comm);
    pthread_mutex_lock(&r->threads_lock);
    t->next = r->threads;
    r->threads = t;
    pthread_mutex_unlock(&r->threads_lock);
    pthread_setspecific(r->key, t);
    return t;
}

tt_thread *tt_thread_self(tt_recorder *r)
{
    if (!self || self->generation != atomic_load_explicit(&r->generation, memory_order_relaxed)) self = thread_new(r);
    return self;
}

void tt_threads_forget(tt_recorder *r)
{
    r->threads = NULL; /* leave the memory alone: another thread may have been inside it when the process forked */
    r->free_chunks = NULL;
    r->n_chunks = 0;
    self = NULL;
}

/* ---- events ---- */

/* A chunk with room behind the thread's last one; NULL when the memory for events is used up. */
static tt_chunk *next_chunk(tt_recorder *r, tt_thread *t)
{
    tt_chunk *last = t->tail, *fresh = t->spare ? t->spare : chunk_take(r);
    if (!fresh) return NULL;
    t->spare = NULL;
    if (last) {
        atomic_store_explicit(&last->next, fresh, memory_order_release);
    } else {
        atomic_store_explicit(&t->head, fresh, memory_order_release);
    }
    t->tail = fresh;
    return fresh;
}

/* Whether one more event fits, and behind it the ends of all ranges open then. */
static bool room_for(tt_recorder *r, tt_thread *t, tt_op op, uint32_t used)
{
    uint32_t left = (t->tail ? TT_CHUNK - used : 0) + (t->spare ? TT_CHUNK : 0);
    if (left > t->owed + (op == TT_OP_PUSH)) return true;
    if (!t->spare) t->spare = chunk_take(r);
    return t->spare != NULL; /* a chunk has room for more events than ranges can be open */
}
_Static_assert((int)TT_CHUNK > (int)TT_DEPTH_MOST + 1, "one spare chunk takes the ends of all open ranges");

/* A pop always finds room: a range is recorded completely or not at all. */
bool tt_emit(tt_recorder *r, tt_thread *t, tt_op op, unsigned cat, uint32_t name, uint64_t value, unsigned depth,
             int64_t ts)
{
    tt_chunk *c = t->tail;
    uint32_t n = c ? atomic_load_explicit(&c->n, memory_order_relaxed) : 0;
    if (op == TT_OP_POP || (op == TT_OP_POP_CROSSED && cat)) {
        t->owed -= t->owed > 0;
    } else if (!room_for(r, t, op, n)) {
        tt_drop(r, TT_SPOOL_DROP_RANGES, 1);
        return false;
    }
    t->owed += op == TT_OP_PUSH;
    if (!c || n >= TT_CHUNK) {
        c = next_chunk(r, t);
        n = 0;
    }
    if (!c) {
        tt_drop(r, TT_SPOOL_DROP_RANGES, 1);
        return false;
    }
    c->at[n] = (tt_recorder_event){
        .ts = ts, .value = value, .name = name, .depth = (uint16_t)depth, .op = (uint8_t)op, .cat = (uint8_t)cat};
    atomic_store_explicit(&c->n, n + 1, memory_order_release);
    return true;
}
