/* capture/agent/events.c - the fast path: range events of a thread into chunks of its own.
 *
 * A chunk has one producer, its thread, and one consumer, the writer: publishing an event is one release store. Memory is bounded: without a
 * free chunk the event is counted and forgotten; a push that was not kept makes its pop be forgotten too, and a push is kept only when there will
 * be room for its pop.                                                                                                  */
#include "capture/agent/recorder.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/agent/cupti.h"
#include "capture/agent/enter.h"
#include "capture/agent/memory.h"

static __thread tt_thread *self __attribute__((tls_model("initial-exec")));
__thread bool tt_inside;

/* ---- accounts ---- */

void tt_drop(tt_recorder *r, int cause, uint64_t n)
{
    atomic_fetch_add_explicit(&r->drops[cause], n, memory_order_relaxed);
}

/* ---- chunks ---- */

static tt_chunk *chunk_take(tt_recorder *r)
{
    pthread_mutex_lock(&r->chunks_lock);
    tt_chunk *c = r->free_chunks;
    bool more = !c && r->n_chunks < r->most_chunks;
    if (c) r->free_chunks = atomic_load_explicit(&c->next, memory_order_relaxed);
    r->n_chunks += more;
    bool busy = r->n_chunks > 64; /* much is happening: do not wait for the next pass */
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
    if (busy) tt_writer_wake(r);
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
    r->threads = NULL; /* their memory is left alone: another thread may have been inside it when the process forked */
    r->free_chunks = NULL;
    r->n_chunks = 0;
    self = NULL;
}

/* ---- events ---- */

/* A chunk with room behind the last one of the thread; NULL when the memory for events is used up. */
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

/* Room for one more event, and behind it for the ends of all ranges that are open then. */
static bool room_for(tt_recorder *r, tt_thread *t, tt_op op, uint32_t used)
{
    uint32_t left = (t->tail ? TT_CHUNK - used : 0) + (t->spare ? TT_CHUNK : 0);
    if (left > t->owed + (op == TT_OP_PUSH)) return true;
    if (!t->spare) t->spare = chunk_take(r);
    return t->spare != NULL; /* there are never more open ranges than a chunk has room for */
}
_Static_assert((int)TT_CHUNK > (int)TT_DEPTH_MOST + 1, "one spare chunk takes the ends of all open ranges");

/* A pop always finds room: a range is recorded whole or not at all. */
bool tt_emit(tt_recorder *r, tt_thread *t, tt_op op, unsigned cat, uint32_t name, uint64_t value, unsigned depth,
             int64_t ts)
{
    tt_chunk *c = t->tail;
    uint32_t n = c ? atomic_load_explicit(&c->n, memory_order_relaxed) : 0;
    if (op == TT_OP_POP) {
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

/* ---- names ---- */

/* PyTorch's emit_nvtx writes "aten::add, seq = 12, op_id = 7, sizes = [[2, 3], []], input_op_ids = [...]", different for every call: the name
 * is what comes first; the sequence number and the shapes are kept apart. */
static size_t split_name(tt_recorder *r, tt_thread *t, const char *name, size_t len, uint64_t *value)
{
    const char *comma = memmem(name, len, ", ", 2);
    *value = 0;
    if (!comma) return len;
    const char *end = name + len, *p = comma + 2;
    size_t left = (size_t)(end - p);
    if (!(left > 6 && !memcmp(p, "seq = ", 6)) && !(left > 8 && !memcmp(p, "op_id = ", 8)) &&
        !(left > 8 && !memcmp(p, "sizes = ", 8))) {
        return len;
    }
    uint64_t seq = 0;
    if (!memcmp(p, "seq = ", 6)) {
        for (p += 6; p < end && *p >= '0' && *p <= '9'; p++) seq = seq * 10 + (uint64_t)(*p - '0');
        seq = (seq + 1) & UINT32_MAX;
    }
    const char *sizes = memmem(comma, (size_t)(end - comma), ", sizes = ", 10);
    uint32_t shapes = 0;
    if (sizes) {
        sizes += 10;
        const char *to = memmem(sizes, (size_t)(end - sizes), ", input_op_ids", 14);
        shapes = tt_intern_put(&r->names, &t->cache, sizes, (size_t)((to ? to : end) - sizes));
        if (shapes == TT_NAME_FULL) shapes = 0;
    }
    *value = seq | (uint64_t)shapes << 32;
    return (size_t)(comma - name);
}

static unsigned category_of(const char *name, size_t len, uint64_t value)
{
    if (value || (len > 6 && !memcmp(name, "aten::", 6)) || (len > 10 && !memcmp(name, "autograd::", 10))) {
        return TT_SPOOL_CAT_OP;
    }
    return TT_SPOOL_CAT_USER;
}

static bool is_capture_range(const tt_recorder *r, const char *name, size_t len)
{
    const char *want = r->set.capture_range;
    return *want && strlen(want) == len && !memcmp(want, name, len);
}

/* The id of a name as it is kept. */
static uint32_t intern_label(tt_recorder *r, tt_thread *t, const tt_label *l, size_t len)
{
    char whole[1024];
    const tt_name *d = l->domain;
    if (!d || !d->len) return tt_intern_put(&r->names, &t->cache, l->name, len);
    size_t n = d->len < sizeof whole / 2 ? d->len : sizeof whole / 2, left = sizeof whole - n - 1;
    if (len > left) len = left;
    memcpy(whole, d->text, n);
    whole[n] = ':';
    memcpy(whole + n + 1, l->name, len);
    return tt_intern_put(&r->names, &t->cache, whole, n + 1 + len);
}

/* ---- what programs call ---- */

bool tt_recorder_ready(tt_recorder *r)
{
    uint32_t gate = atomic_load_explicit(&r->gate, memory_order_relaxed);
    if (gate & TT_GATE_FORKED) return tt_recorder_attach(NULL);
    return gate & TT_GATE_ATTACHED;
}

void tt_range_push(const tt_label *l)
{
    const char *name = l->name;
    size_t len = l->len;
    int cat = l->cat;
    tt_recorder *r = tt_recorder_get();
    tt_thread *t;
    if (!tt_recorder_ready(r) || !(t = tt_thread_self(r))) return;
    uint32_t d = t->depth++;
    if (d >= TT_DEPTH_MOST) {
        tt_drop(r, TT_SPOOL_DROP_DEPTH, 1);
        return;
    }
    uint8_t level = 0;
    int64_t ts = 0;
    if (r->n_markers && tt_recording_state_is_marker(r, name, len)) {
        level |= TT_LEVEL_MARKER;
        tt_recording_state_step(r, t, ts = tt_now(r));
    }
    if (r->set.capture_range[0] && is_capture_range(r, name, len)) {
        level |= TT_LEVEL_CAPTURE;
        ts = tt_now(r);
        if (!atomic_fetch_add(&r->capture_depth, 1)) {
            tt_recording_state_block(r, TT_BLOCK_RANGE, false, ts);
            tt_cupti_await(r);
        }
    }
    if (atomic_load_explicit(&r->gate, memory_order_relaxed) & TT_GATE_RECORDING) {
        uint64_t value;
        size_t n = split_name(r, t, name, len, &value);
        if (cat < 0) cat = (int)category_of(name, n, value);
        uint32_t id = intern_label(r, t, l, n);
        if (tt_emit(r, t, TT_OP_PUSH, (unsigned)cat, id, value, d, ts ? ts : tt_now(r))) level |= TT_LEVEL_KEPT;
        uint64_t external = (uint64_t)t->tid << 32 | (t->pushes + 1);
        if ((level & TT_LEVEL_KEPT) && tt_cupti_push_external(external)) {
            level |= TT_LEVEL_EXTERNAL;
            t->pushes++;
            tt_emit(r, t, TT_OP_EXTERNAL, 0, 0, external, d, 0);
        }
    }
    t->level[d] = level;
}

int tt_range_pop(void)
{
    tt_recorder *r = tt_recorder_get();
    tt_thread *t;
    if (!tt_recorder_ready(r) || !(t = tt_thread_self(r)) || !t->depth) return -1;
    uint32_t d = --t->depth;
    uint8_t level = d < TT_DEPTH_MOST ? t->level[d] : 0;
    if (!level) return (int)d;
    int64_t ts = tt_now(r);
    if (level & TT_LEVEL_KEPT) tt_emit(r, t, TT_OP_POP, 0, 0, 0, d, ts);
    if (level & TT_LEVEL_EXTERNAL) tt_cupti_pop_external();
    if (level & TT_LEVEL_CAPTURE && atomic_fetch_sub(&r->capture_depth, 1) == 1) {
        tt_recording_state_block(r, TT_BLOCK_RANGE, true, ts);
    }
    if (level & TT_LEVEL_MARKER) tt_recording_state_step_end(r, t, ts, false);
    return (int)d;
}

/* In the id of a started range: it is a step; its start was recorded. */
#define PAIR_STEP (UINT64_C(1) << 63)
#define PAIR_KEPT (UINT64_C(1) << 62)

uint64_t tt_range_start(const tt_label *l)
{
    const char *name = l->name;
    size_t len = l->len;
    int cat = l->cat;
    tt_recorder *r = tt_recorder_get();
    tt_thread *t;
    if (!tt_recorder_ready(r) || !(t = tt_thread_self(r))) return 0;
    int64_t ts = 0;
    uint64_t id = atomic_fetch_add_explicit(&r->next_pair, 1, memory_order_relaxed) + 1, value;
    if (r->n_markers && tt_recording_state_is_marker(r, name, len)) {
        tt_recording_state_step(r, t, ts = tt_now(r));
        id |= PAIR_STEP;
    }
    if (!(atomic_load_explicit(&r->gate, memory_order_relaxed) & TT_GATE_RECORDING)) return id;
    id |= PAIR_KEPT;
    size_t n = split_name(r, t, name, len, &value);
    uint32_t text = intern_label(r, t, l, n);
    tt_emit(r, t, TT_OP_START, cat < 0 ? category_of(name, n, value) : (unsigned)cat, text, id, 0, ts ? ts : tt_now(r));
    return id;
}

void tt_range_end(uint64_t id)
{
    tt_recorder *r = tt_recorder_get();
    tt_thread *t;
    if (!id || !tt_recorder_ready(r) || !(t = tt_thread_self(r))) return;
    int64_t ts = tt_now(r);
    if (id & PAIR_KEPT) tt_emit(r, t, TT_OP_END, 0, 0, id, 0, ts); /* whether or not it is recorded now */
    if (id & PAIR_STEP) tt_recording_state_step_end(r, t, ts, false);
}

void tt_mark(const tt_label *l)
{
    tt_recorder *r = tt_recorder_get();
    tt_thread *t;
    if (!tt_recorder_ready(r) || !(t = tt_thread_self(r))) return;
    int64_t ts = tt_now(r);
    if (r->n_markers && tt_recording_state_is_marker(r, l->name, l->len)) { /* a mark both ends a step and begins one */
        if (atomic_load(&r->step) >= 0) tt_recording_state_step_end(r, t, ts, true);
        tt_recording_state_step(r, t, ts);
    }
    if (!(atomic_load_explicit(&r->gate, memory_order_relaxed) & TT_GATE_RECORDING)) return;
    uint32_t id = intern_label(r, t, l, l->len);
    tt_emit(r, t, TT_OP_MARK, l->cat < 0 ? TT_SPOOL_CAT_USER : (unsigned)l->cat, id, 0, 0, ts);
}

void tt_counter(const char *name, size_t len, double value)
{
    tt_recorder *r = tt_recorder_get();
    tt_thread *t;
    if (!tt_recorder_ready(r) || !(t = tt_thread_self(r))) return;
    if (!(atomic_load_explicit(&r->gate, memory_order_relaxed) & TT_GATE_RECORDING)) return;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    tt_emit(r, t, TT_OP_COUNTER, 0, tt_intern_put(&r->names, &t->cache, name, len), bits, 0, tt_now(r));
}

void tt_name_thread(uint32_t tid, const char *name, size_t len)
{
    tt_recorder *r = tt_recorder_get();
    tt_thread *t;
    if (!tt_recorder_ready(r) || !(t = tt_thread_self(r))) return;
    tt_emit(r, t, TT_OP_NAME_THREAD, 0, tt_intern_put(&r->names, &t->cache, name, len), tid ? tid : t->tid, 0,
            tt_now(r));
}

void tt_recorder_step(int64_t samples)
{
    tt_recorder *r = tt_recorder_get();
    tt_thread *t;
    if (!tt_recorder_ready(r) || !(t = tt_thread_self(r))) return;
    int64_t ts = tt_now(r);
    if (samples >= 0 && (atomic_load(&r->gate) & TT_GATE_RECORDING)) {
        tt_emit(r, t, TT_OP_SAMPLES, 0, 0, (uint64_t)samples, 0, ts);
    }
    tt_recording_state_next(r, t, ts);
}
