/* capture/agent/writer.c - the writer thread: consumes the threads' chunks, pairs pushes with pops, translates CUPTI's
 * records, samples utilisation, and writes the spool every 50 ms.
 *
 * Order of a pass: note how far the chunks and CUPTI's buffers are filled, write changes of the gate and new names,
 * then the events up to the noted places: so a record never names a string or belongs to a window that the file does
 * not know yet. */
#include "capture/agent/writer.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capture/agent/core/recording_state.h"
#include "capture/agent/core/report_progress.h"
#include "capture/agent/core/threads.h"
#include "capture/agent/core/write_records.h"
#include "capture/agent/cupti/cupti.h"
#include "capture/agent/cupti/sampler.h"
#include "capture/agent/dump.h"
#include "capture/agent/nccl/calls.h"
#include "capture/agent/triggers.h"
#include "capture/spool/memory.h"

/* LAST_RECORDS_MS is below the time for which attach.c delays the end of the program. */
enum { PASS_MS = 50, LAST_RECORDS_MS = 3000, OPEN_AFTER_NS = 1000000000 };

/* Counter read by table throughput: its value at the end of a step counts the samples of that step. */
static const char samples_in_step[] = "samples in step";

/* ---- ranges ---- */

static void write_range(tt_recorder *r, const tt_thread *t, const tt_open_range *o, int64_t end, unsigned flags)
{
    if (end && !(flags & TT_SPOOL_FORCED)) tt_triggers_range(r, t->tid, o->start, end);
    tt_write_name(r, (uint32_t)(o->value >> 32));
    tt_spool_range *s =
        tt_spool_add(&r->spool, flags & TT_SPOOL_WAS_OPEN && !end ? TT_SPOOL_OPEN : TT_SPOOL_RANGE, sizeof *s, o->name);
    if (!s) return;
    s->start = o->start;
    s->end = end;
    s->tid = t->tid;
    s->cat = o->cat;
    s->flags = (uint16_t)flags;
    s->seq = (uint32_t)o->value;
    s->shapes = (uint32_t)(o->value >> 32);
    s->external = o->external;
}

static void close_down_to(tt_recorder *r, tt_thread *t, unsigned depth, int64_t ts)
{
    while (t->n_open && t->open[t->n_open - 1].depth >= depth) {
        const tt_open_range *o = &t->open[--t->n_open];
        write_range(r, t, o, ts, TT_SPOOL_FORCED | (o->told ? TT_SPOOL_WAS_OPEN : 0));
    }
}

static void on_push(tt_recorder *r, tt_thread *t, const tt_recorder_event *e)
{
    close_down_to(r, t, e->depth, e->ts);
    if (t->n_open == t->cap_open) {
        size_t cap = t->cap_open ? t->cap_open * 2 : 16;
        tt_open_range *more = realloc(t->open, cap * sizeof *more);
        if (!more) {
            tt_drop(r, TT_SPOOL_DROP_RANGES, 1);
            return;
        }
        t->open = more;
        t->cap_open = cap;
    }
    t->open[t->n_open++] =
        (tt_open_range){.start = e->ts, .value = e->value, .name = e->name, .depth = e->depth, .cat = e->cat};
}

static void on_pop(tt_recorder *r, tt_thread *t, const tt_recorder_event *e)
{
    close_down_to(r, t, e->depth + 1u, e->ts);
    if (!t->n_open || t->open[t->n_open - 1].depth != e->depth) return;
    const tt_open_range *o = &t->open[--t->n_open];
    write_range(r, t, o, e->ts, o->told ? TT_SPOOL_WAS_OPEN : 0);
}

/* A range of one domain that ended inside a range of another is written as a start/end pair, as it does not nest. */
static void on_pop_crossed(tt_recorder *r, tt_thread *t, const tt_recorder_event *e)
{
    size_t at = 0;
    while (at < t->n_open && t->open[at].depth < e->depth) at++;
    if (at < t->n_open && t->open[at].depth == e->depth && e->cat) {
        const tt_open_range *o = &t->open[at];
        write_range(r, t, o, e->ts, TT_SPOOL_ASYNC | (o->told ? TT_SPOOL_WAS_OPEN : 0));
        memmove(&t->open[at], &t->open[at + 1], (--t->n_open - at) * sizeof *t->open);
    }
    for (; at < t->n_open; at++) t->open[at].depth--;
}

/* Announce long ranges, so that they are not lost when the process is killed. */
static void announce_open(tt_recorder *r, tt_thread *t, int64_t now)
{
    for (size_t i = 0; i < t->n_open; i++) {
        tt_open_range *o = &t->open[i];
        if (o->told || now - o->start < OPEN_AFTER_NS) continue;
        o->told = true;
        write_range(r, t, o, 0, TT_SPOOL_WAS_OPEN);
    }
}

static void write_pair(tt_recorder *r, const tt_range_pair *p, int64_t end, unsigned flags)
{
    tt_thread who = {.tid = p->tid};
    write_range(r, &who, &(tt_open_range){.start = p->start, .name = p->name, .cat = p->cat}, end,
                TT_SPOOL_ASYNC | flags);
}

static void close_pair(tt_recorder *r, const tt_range_pair *p, int64_t end, unsigned flags)
{
    write_pair(r, p, end, flags | (p->told ? TT_SPOOL_WAS_OPEN : 0));
}

static void on_start(tt_recorder *r, const tt_thread *t, const tt_recorder_event *e)
{
    tt_range_pair p = {e->value, e->ts, e->name, t->tid, e->cat, false};
    for (uint32_t i = 0; i < r->n_ends; i++) {
        if (r->ends[i].id != p.id) continue;
        write_pair(r, &p, r->ends[i].ts, 0);
        r->ends[i] = r->ends[--r->n_ends];
        return;
    }
    if (r->n_pairs == TT_PAIRS) {
        tt_drop(r, TT_SPOOL_DROP_DEPTH, 1);
        return;
    }
    r->pairs[r->n_pairs++] = p;
}

static void on_end(tt_recorder *r, const tt_recorder_event *e)
{
    for (uint32_t i = r->n_pairs; i-- > 0;) {
        const tt_range_pair p = r->pairs[i];
        if (p.id != e->value) continue;
        r->pairs[i] = r->pairs[--r->n_pairs];
        close_pair(r, &p, e->ts, 0);
        return;
    }
    if (r->n_ends < TT_PAIRS) r->ends[r->n_ends++] = (tt_range_pair_end){.id = e->value, .ts = e->ts};
}

/* Drop ends without a start after one more pass: a start comes before its end, so the next pass must have read it. */
static void forget_ends(tt_recorder *r)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->n_ends; i++) {
        tt_range_pair_end e = r->ends[i];
        if (e.old) continue;
        e.old = true;
        r->ends[kept++] = e;
    }
    r->n_ends = kept;
}

static void on_step_end(tt_recorder *r, const tt_thread *t, const tt_recorder_event *e)
{
    write_range(r, t, &(tt_open_range){.start = (int64_t)e->value, .name = e->name}, e->ts, 0);
}

static void on_step(tt_recorder *r, const tt_thread *t, const tt_recorder_event *e)
{
    tt_triggers_step(r, t->tid, e->ts, e->value);
    tt_spool_step *s = tt_spool_add(&r->spool, TT_SPOOL_STEP, sizeof *s, e->name);
    if (!s) return;
    s->ts = e->ts;
    s->number = e->value;
    s->samples = r->samples_at == e->ts ? r->samples : -1;
    s->tid = t->tid;
}

static void on_mark(tt_recorder *r, const tt_thread *t, const tt_recorder_event *e)
{
    tt_spool_mark *m = tt_spool_add(&r->spool, TT_SPOOL_MARK, sizeof *m, e->name);
    if (!m) return;
    m->ts = e->ts;
    m->tid = t->tid;
    m->cat = e->cat;
}

static void write_thread(tt_recorder *r, uint32_t tid, uint32_t name)
{
    tt_spool_thread *s = tt_spool_add(&r->spool, TT_SPOOL_THREAD, sizeof *s, name);
    if (s) s->tid = tid;
}

static void on_event(tt_recorder *r, tt_thread *t, const tt_recorder_event *e)
{
    double v;
    switch ((tt_op)e->op) {
    case TT_OP_PUSH: on_push(r, t, e); break;
    case TT_OP_POP: on_pop(r, t, e); break;
    case TT_OP_POP_CROSSED: on_pop_crossed(r, t, e); break;
    case TT_OP_START: on_start(r, t, e); break;
    case TT_OP_END: on_end(r, e); break;
    case TT_OP_MARK: on_mark(r, t, e); break;
    case TT_OP_COUNTER:
        memcpy(&v, &e->value, sizeof v);
        tt_write_counter(r, e->ts, e->name, e->name, -1, v);
        break;
    case TT_OP_STEP: on_step(r, t, e); break;
    case TT_OP_STEP_END: on_step_end(r, t, e); break;
    case TT_OP_SAMPLES: {
        uint32_t id = tt_intern_put(&r->names, NULL, samples_in_step, sizeof samples_in_step - 1);
        tt_write_counter(r, e->ts, id, id, -1, (double)e->value);
        r->samples = (int64_t)e->value;
        r->samples_at = e->ts;
        break;
    }
    case TT_OP_NAME_THREAD: write_thread(r, (uint32_t)e->value, e->name); break;
    case TT_OP_EXTERNAL:
        if (t->n_open && t->open[t->n_open - 1].depth == e->depth) t->open[t->n_open - 1].external = e->value;
        break;
    }
}

/* ---- threads ---- */

/* Write the system's name of a thread without a name from the program. */
static void name_thread(tt_recorder *r, tt_thread *t)
{
    size_t n = strnlen(t->comm, sizeof t->comm);
    t->named = true;
    if (!n) return;
    uint32_t id = tt_intern_put(&r->names, NULL, t->comm, n);
    write_thread(r, t->tid, id);
}

static void snapshot(tt_thread *t)
{
    tt_chunk *c = atomic_load_explicit(&t->head, memory_order_acquire);
    t->snap_chunk = c;
    t->snap = 0;
    while (c) {
        t->snap_chunk = c;
        t->snap = atomic_load_explicit(&c->n, memory_order_acquire);
        if (t->snap < TT_CHUNK) break;
        c = atomic_load_explicit(&c->next, memory_order_acquire);
    }
}

static void drain(tt_recorder *r, tt_thread *t)
{
    if (!t->snap_chunk) return; /* the thread had no chunk at the snapshot */
    for (tt_chunk *c = atomic_load_explicit(&t->head, memory_order_acquire); c;) {
        bool last = c == t->snap_chunk;
        uint32_t n = last ? t->snap : TT_CHUNK;
        for (; t->at < n; t->at++) on_event(r, t, &c->at[t->at]);
        tt_chunk *next = n == TT_CHUNK ? atomic_load_explicit(&c->next, memory_order_acquire) : NULL;
        if (!next) break; /* last chunk: the thread may still append here */
        atomic_store_explicit(&t->head, next, memory_order_release);
        t->at = 0;
        tt_chunk_give(r, c);
        tt_ring_poll(&r->ring);
        if (last) break;
        c = next;
    }
}

static void drain_threads(tt_recorder *r, int64_t now)
{
    pthread_mutex_lock(&r->threads_lock);
    tt_thread *first = r->threads;
    pthread_mutex_unlock(&r->threads_lock);
    /* the list needs no lock: only the writer removes threads, and new ones are added at the front */
    for (tt_thread *t = first; t; t = t->next) {
        if (!t->named) name_thread(r, t);
        drain(r, t);
        announce_open(r, t, now);
    }
}

static bool is_empty(const tt_thread *t)
{
    const tt_chunk *c = atomic_load_explicit(&t->head, memory_order_acquire);
    return !c || (t->at == atomic_load_explicit(&c->n, memory_order_acquire) &&
                  !atomic_load_explicit(&c->next, memory_order_acquire));
}

static void bury_threads(tt_recorder *r, int64_t now)
{
    pthread_mutex_lock(&r->threads_lock);
    for (tt_thread **p = &r->threads; *p;) {
        tt_thread *t = *p;
        if (!atomic_load_explicit(&t->gone, memory_order_acquire) || !is_empty(t)) {
            p = &t->next;
            continue;
        }
        *p = t->next;
        close_down_to(r, t, 0, now);
        tt_chunk *c = atomic_load(&t->head);
        if (c) tt_chunk_give(r, c);
        if (t->spare) tt_chunk_give(r, t->spare);
        free(t->open);
        tt_memory_give(t, sizeof *t);
    }
    pthread_mutex_unlock(&r->threads_lock);
}

/* ---- a pass ---- */

static void write_transitions(tt_recorder *r)
{
    pthread_mutex_lock(&r->gate_lock);
    for (uint32_t i = 0; i < r->n_transitions; i++) {
        tt_spool_state *s = tt_spool_add(&r->spool, TT_SPOOL_STATE, sizeof *s, r->transitions[i].on);
        if (s) s->ts = r->transitions[i].ts;
    }
    r->n_transitions = 0;
    pthread_mutex_unlock(&r->gate_lock);
}

static void write_clock(tt_recorder *r)
{
    struct timespec m, w;
    tt_spool_clock *c = tt_spool_add(&r->spool, TT_SPOOL_CLOCK, sizeof *c, 0);
    if (!c) return;
    clock_gettime(CLOCK_MONOTONIC, &m);
    clock_gettime(CLOCK_REALTIME, &w);
    c->mono = (int64_t)m.tv_sec * 1000000000 + m.tv_nsec;
    c->real = (int64_t)w.tv_sec * 1000000000 + w.tv_nsec;
    c->spool = c->mono + r->clock_offset;
}

static void write_drops(tt_recorder *r)
{
    pthread_mutex_lock(&r->names.lock);
    uint64_t refused = r->names.refused;
    pthread_mutex_unlock(&r->names.lock);
    atomic_store(&r->drops[TT_SPOOL_DROP_STRINGS], refused);
    atomic_store(&r->drops[TT_SPOOL_DROP_SPOOL], r->spool.lost);
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) {
        uint64_t n = atomic_load(&r->drops[i]);
        if (n == r->drops_written[i]) continue;
        tt_spool_drops *d = tt_spool_add(&r->spool, TT_SPOOL_DROPS, sizeof *d, (uint32_t)i);
        if (!d) continue;
        d->count = n;
        r->drops_written[i] = n;
    }
}

/* ---- segments of a ring ---- */

static int64_t ring_clock(void *recorder) { return tt_now(recorder); }

/* The next segment repeats the ranges that are open; the one before tells of the young ones, in case it is the last
 * that somebody keeps. */
static void write_open(tt_recorder *r, bool all)
{
    pthread_mutex_lock(&r->threads_lock);
    tt_thread *first = r->threads;
    pthread_mutex_unlock(&r->threads_lock);
    for (tt_thread *t = first; t; t = t->next) {
        for (size_t i = 0; i < t->n_open; i++) {
            if (all || !t->open[i].told) write_range(r, t, &t->open[i], 0, TT_SPOOL_WAS_OPEN);
            t->open[i].told = true;
        }
    }
    for (uint32_t i = 0; i < r->n_pairs; i++) {
        if (all || !r->pairs[i].told) write_pair(r, &r->pairs[i], 0, TT_SPOOL_WAS_OPEN);
        r->pairs[i].told = true;
    }
}

static void end_segment(void *recorder) { write_open(recorder, false); }

static void begin_segment(void *recorder)
{
    write_clock(recorder);
    write_open(recorder, true);
    tt_cupti_open_again(recorder);
    tt_nccl_repeat();
}

tt_ring_hooks tt_writer_ring_hooks(tt_recorder *r)
{
    return (tt_ring_hooks){.clock = ring_clock, .tail = end_segment, .head = begin_segment, .arg = r};
}

/* Give up names that no segment has any more. Rounds of some seconds: a thread that has an id writes it by then. */
static void evict_names(tt_recorder *r, int64_t now)
{
    enum { EVICT_NS = 1000000000, ROUNDS = 3 };
    if (!r->ring.keep_ns || now - r->evicted < EVICT_NS) return;
    tt_intern_evict(&r->names, tt_ring_oldest(&r->ring), r->ring.serial, ROUNDS);
    r->evicted = now;
}

static void check_disk(tt_recorder *r)
{
    bool over = r->spool.stopped != TT_STOPPED_NOT && !(r->blocks & TT_BLOCK_LIMIT);
    if (over) tt_recording_state_block(r, TT_BLOCK_LIMIT, true, tt_now(r));
}

static void pass(tt_recorder *r)
{
    tt_cupti_take();
    pthread_mutex_lock(&r->threads_lock);
    for (tt_thread *t = r->threads; t; t = t->next) snapshot(t);
    pthread_mutex_unlock(&r->threads_lock);
    int64_t now = tt_now(r);
    write_transitions(r);
    tt_write_queued_meta(r);
    drain_threads(r, now);
    forget_ends(r);
    bury_threads(r, now);
    tt_cupti_translate(r);
    tt_nccl_write(r, now, false);
    tt_sampler_poll(r, now);
    write_drops(r);
    tt_spool_flush(&r->spool);
    tt_ring_poll(&r->ring);
    evict_names(r, now);
    check_disk(r);
    tt_agent_report(r);
}

static void close_all(tt_recorder *r)
{
    int64_t now = tt_now(r);
    pthread_mutex_lock(&r->threads_lock);
    for (tt_thread *t = r->threads; t; t = t->next) close_down_to(r, t, 0, now);
    pthread_mutex_unlock(&r->threads_lock);
    for (uint32_t i = 0; i < r->n_pairs; i++) close_pair(r, &r->pairs[i], now, TT_SPOOL_FORCED);
    r->n_pairs = r->n_ends = 0;
}

/* Write the start of delays, or that it never came. */
static void write_clock_start(tt_recorder *r)
{
    char text[32];
    if (r->set.clock != TT_CLOCK_CUDA) return;
    snprintf(text, sizeof text, "%lld", (long long)atomic_load(&r->began));
    if (atomic_load(&r->began)) {
        tt_write_meta(r, "clock_began", text);
        return;
    }
    tt_write_meta(r, "clock", "\"no CUDA context came, which --clock cuda waits for: nothing was recorded\"");
    tt_recorder_note("process %u: nothing was recorded: no CUDA context came, which --clock cuda waits for", r->pid);
}

/* Write CUPTI's last records as they come: CUPTI may never return from delivering them. */
static void take_last_records(tt_recorder *r)
{
    const struct timespec ms = {0, 1000000};
    int64_t begin = tt_now(r), passed = begin;
    while (!tt_cupti_stopped() && tt_now(r) - begin < LAST_RECORDS_MS * INT64_C(1000000)) {
        nanosleep(&ms, NULL);
        if (tt_now(r) - passed < PASS_MS * 1000000) continue;
        pass(r);
        passed = tt_now(r);
    }
    pass(r);
    tt_cupti_end(r);
}

static void finish(tt_recorder *r)
{
    tt_triggers_end(r);
    tt_cupti_stop(r); /* before waiting, so that the kinds are no longer switched */
    tt_recording_state_block(r, TT_BLOCK_OVER, true, tt_now(r));
    take_last_records(r);
    close_all(r);
    tt_nccl_write(r, tt_now(r), true);
    tt_triggers_last(r);
    tt_spool_last_words(&r->spool);
    write_clock(r);
    write_clock_start(r);
    write_drops(r);
    tt_spool_end *e = tt_spool_add(&r->spool, TT_SPOOL_END, sizeof *e, 0);
    if (e) e->ts = tt_now(r);
    tt_spool_close(&r->spool);
    tt_ring_finish(&r->ring);
    tt_dump_poll(r);
    r->tell.ended = true;
    tt_agent_report(r);
    tt_sampler_stop();
}

/* Sleep until the next pass, or until woken. */
static void wait_a_little(tt_recorder *r)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += PASS_MS * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    pthread_mutex_lock(&r->wake_lock);
    while (!r->woken && !atomic_load(&r->quit) && pthread_cond_timedwait(&r->wake, &r->wake_lock, &t) != ETIMEDOUT) {}
    r->woken = false;
    pthread_mutex_unlock(&r->wake_lock);
}

static void *run(void *arg)
{
    tt_recorder *r = arg;
    prctl(PR_SET_NAME, "tracetty");
    setpriority(PRIO_PROCESS, 0, 5); /* on Linux this affects only the calling thread */
    int64_t clock_at = 0;
    while (!atomic_load(&r->quit)) {
        int64_t now = tt_now(r);
        if (tt_recording_state_poll(r)) tt_cupti_flush(r);
        tt_cupti_follow(r);
        if (now - clock_at >= 1000000000) {
            write_clock(r);
            clock_at = now;
        }
        pass(r);
        tt_triggers_poll(r);
        wait_a_little(r);
    }
    finish(r);
    atomic_store(&r->finished, true);
    return NULL;
}

int tt_writer_start(tt_recorder *r)
{
    sigset_t all, old;
    pthread_condattr_t attr;
    pthread_mutex_init(&r->wake_lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&r->wake, &attr);
    pthread_condattr_destroy(&attr);
    atomic_store(&r->quit, 0);
    atomic_store(&r->finished, false);
    tt_triggers_begin(r);
    tt_sampler_start(r); /* open files before the program goes on: it changes which descriptors are free */
    sigfillset(&all);    /* block all signals: they are for the program's threads */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int e = pthread_create(&r->writer, NULL, run, r);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    r->has_writer = !e;
    return e;
}
