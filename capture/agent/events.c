/* capture/agent/events.c - ranges, marks, counters and steps of the program, stored as events of the calling thread
 * (threads.c). See events.h. */
#include "capture/agent/events.h"

#include <string.h>

#include "capture/agent/attach.h"
#include "capture/agent/core/recording_state.h"
#include "capture/agent/core/threads.h"
#include "capture/agent/cupti/cupti.h"

/* ---- names ---- */

/* PyTorch's emit_nvtx writes "aten::add, seq = 12, op_id = 7, sizes = [[2, 3], []], input_op_ids = [...]", different
 * for every call: split it into the name, the sequence number and the shapes. */
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

/* Intern the name as screens show it. */
static uint32_t intern_label(tt_recorder *r, tt_thread *t, const tt_event_label *l, size_t len)
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

void tt_range_push(const tt_event_label *l)
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
        tt_cupti_await(r); /* the step may be the first one of a window */
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
    t->domain[d] = l->domain ? l->domain->id : TT_NAME_NONE;
}

/* Index of the innermost range of the domain in the thread's stack; -1 = none. Beyond the depth limit domains are
 * unknown: then the innermost range. */
static int innermost(const tt_thread *t, uint32_t domain)
{
    if (t->depth > TT_DEPTH_MOST) return (int)t->depth - 1;
    for (uint32_t d = t->depth; d-- > 0;) {
        if (t->domain[d] == domain) return (int)d;
    }
    return -1;
}

/* Remove the range at depth d from under ranges of other domains, which stay open. */
static void pop_crossed(tt_recorder *r, tt_thread *t, uint32_t d, int64_t ts)
{
    bool kept = t->level[d] & TT_LEVEL_KEPT, above = false;
    for (uint32_t i = d + 1; i <= t->depth; i++) above |= (t->level[i] & TT_LEVEL_KEPT) != 0;
    if (kept || above) tt_emit(r, t, TT_OP_POP_CROSSED, kept, 0, 0, d, ts);
    memmove(&t->level[d], &t->level[d + 1], (t->depth - d) * sizeof *t->level);
    memmove(&t->domain[d], &t->domain[d + 1], (t->depth - d) * sizeof *t->domain);
}

int tt_range_pop(const tt_name *domain)
{
    tt_recorder *r = tt_recorder_get();
    tt_thread *t;
    if (!tt_recorder_ready(r) || !(t = tt_thread_self(r))) return -1;
    int at = innermost(t, domain ? domain->id : TT_NAME_NONE);
    if (at < 0) return -1;
    uint32_t d = (uint32_t)at;
    bool crossed = d != --t->depth;
    uint8_t level = d < TT_DEPTH_MOST ? t->level[d] : 0;
    if (!level && !crossed) return (int)d;
    int64_t ts = tt_now(r);
    if (crossed) {
        pop_crossed(r, t, d, ts);
    } else if (level & TT_LEVEL_KEPT) {
        tt_emit(r, t, TT_OP_POP, 0, 0, 0, d, ts);
    }
    if (level & TT_LEVEL_EXTERNAL) tt_cupti_pop_external(); /* CUPTI has one stack per thread */
    if (level & TT_LEVEL_CAPTURE && atomic_fetch_sub(&r->capture_depth, 1) == 1) {
        tt_recording_state_block(r, TT_BLOCK_RANGE, true, ts);
    }
    if (level & TT_LEVEL_MARKER) tt_recording_state_step_end(r, t, ts, false);
    return (int)d;
}

/* Flags in the id of a start/end range: the range is a step; its start was recorded. */
#define PAIR_STEP (UINT64_C(1) << 63)
#define PAIR_KEPT (UINT64_C(1) << 62)

uint64_t tt_range_start(const tt_event_label *l)
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
        tt_cupti_await(r); /* the step may be the first one of a window */
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
    if (id & PAIR_KEPT) tt_emit(r, t, TT_OP_END, 0, 0, id, 0, ts); /* write the end even if recording is off now */
    if (id & PAIR_STEP) tt_recording_state_step_end(r, t, ts, false);
}

void tt_mark(const tt_event_label *l)
{
    tt_recorder *r = tt_recorder_get();
    tt_thread *t;
    if (!tt_recorder_ready(r) || !(t = tt_thread_self(r))) return;
    int64_t ts = tt_now(r);
    if (r->n_markers && tt_recording_state_is_marker(r, l->name, l->len)) { /* a mark ends a step and begins the next */
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
