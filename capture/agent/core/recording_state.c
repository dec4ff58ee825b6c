/* capture/agent/core/recording_state.c - when events are recorded: schedules of steps, times, orders, a capture range.
 *
 * Recording is on while no TT_BLOCK_* bit is set. A change is made under a lock and noted with its time, so that the
 * reader of the spool knows which events a window holds; the fast path reads one word only. */
#include "capture/agent/core/recording_state.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "capture/agent/core/threads.h"

_Static_assert((int)TT_STEP_RECORD_LAST == (int)TT_SPOOL_STEP_LAST, "STEP records have the states of a schedule");

static void add_marker(tt_recorder *r, const char *glob)
{
    if (r->n_markers == sizeof r->markers / sizeof r->markers[0]) return;
    snprintf(r->markers[r->n_markers++], sizeof r->markers[0], "%s", glob);
}

void tt_recording_state_init(tt_recorder *r)
{
    const tt_capture_settings *s = &r->set;
    r->n_markers = 0;
    if (!strcmp(s->marker, "auto")) {
        static const char *const known[] = {"ProfilerStep#*", "ProfileStep#*", "iteration*",  "Iteration*",
                                            "step *",         "step_*",        "train_step*", "run_training_batch"};
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) add_marker(r, known[i]);
    } else if (strcmp(s->marker, "api") != 0) {
        add_marker(r, s->marker);
    }
    atomic_store(&r->step, -1);
    atomic_store(&r->step_owner, 0);
    atomic_store(&r->step_start, r->started);
    atomic_store(&r->recording_since, 0);
    r->state = tt_schedule_at(&s->schedule, 0);
    r->blocks = 0;
    r->n_transitions = 0;
    if (s->start_paused) r->blocks |= TT_BLOCK_PAUSED;
    if (s->delay_ns || s->clock == TT_CLOCK_CUDA) r->blocks |= TT_BLOCK_DELAY;
    atomic_store(&r->began, 0);
    atomic_store(&r->want_cupti, false);
    atomic_store(&r->wanted_cupti, false);
    if (s->capture_range[0]) r->blocks |= TT_BLOCK_RANGE;
    if (r->state < TT_STEP_RECORD) r->blocks |= TT_BLOCK_STEPS;
}

/* Before the first context CUPTI has nothing to report: leave the kinds enabled, so that the first activities are not
 * missed. */
static bool waits_for_context(const tt_recorder *r)
{
    return r->set.clock == TT_CLOCK_CUDA && !r->set.delay_ns && !atomic_load(&r->began);
}

/* Publish the state to the fast path and record the time of the change. Caller holds gate_lock. */
static void settle(tt_recorder *r, int64_t ts)
{
    uint32_t gate = atomic_load(&r->gate);
    bool was = gate & TT_GATE_RECORDING, now = !r->blocks;
    uint32_t against = r->blocks & ~(uint32_t)TT_BLOCK_STEPS;
    if (waits_for_context(r)) against &= ~(uint32_t)TT_BLOCK_DELAY;
    bool cupti = !against && r->state >= TT_STEP_READY;
    bool changed = cupti != atomic_load(&r->want_cupti);
    atomic_store(&r->want_cupti, cupti);
    if (cupti) atomic_store(&r->wanted_cupti, true);
    if (was != now && (gate & TT_GATE_ATTACHED)) {
        if (now) atomic_store(&r->recording_since, ts);
        atomic_store(&r->gate, now ? gate | TT_GATE_RECORDING : gate & ~(uint32_t)TT_GATE_RECORDING);
        if (r->n_transitions < sizeof r->transitions / sizeof *r->transitions) {
            r->transitions[r->n_transitions++] = (tt_transition){ts, now};
        } else { /* full: replace the last */
            r->transitions[r->n_transitions - 1] = (tt_transition){ts, now};
        }
        changed = true;
    }
    if (changed) tt_recorder_wake(r);
}

void tt_recording_state_block(tt_recorder *r, uint32_t bit, bool on, int64_t ts)
{
    pthread_mutex_lock(&r->gate_lock);
    r->blocks = on ? r->blocks | bit : r->blocks & ~bit;
    settle(r, ts);
    pthread_mutex_unlock(&r->gate_lock);
}

void tt_recording_state_begin(tt_recorder *r, int64_t ts)
{
    int64_t not_yet = 0;
    if (!atomic_compare_exchange_strong(&r->began, &not_yet, ts)) return;
    if (!r->set.delay_ns) tt_recording_state_block(r, TT_BLOCK_DELAY, false, ts);
}

bool tt_recording_state_is_marker(const tt_recorder *r, const char *name, size_t len)
{
    for (uint32_t i = 0; i < r->n_markers; i++) {
        const char *glob = r->markers[i];
        size_t fixed = strcspn(glob, "*?[\\");
        if (len < fixed || memcmp(name, glob, fixed) != 0) continue;
        if (!glob[fixed]) {
            if (len == fixed) return true;
            continue;
        }
        if (glob[fixed] == '*' && !glob[fixed + 1]) return true;
        char text[256];
        if (len >= sizeof text) continue;
        memcpy(text, name, len);
        text[len] = 0;
        if (!fnmatch(glob, text, 0)) return true;
    }
    return false;
}

/* Only the first thread with step markers counts steps: markers of other threads belong to loops of their own. */
static bool owns_steps(tt_recorder *r, const tt_thread *t)
{
    uint32_t nobody = 0;
    return atomic_load(&r->step_owner) == t->tid || atomic_compare_exchange_strong(&r->step_owner, &nobody, t->tid);
}

static void enter_state(tt_recorder *r, tt_schedule_state state, int64_t ts)
{
    pthread_mutex_lock(&r->gate_lock);
    r->state = state;
    r->blocks = state < TT_STEP_RECORD ? r->blocks | TT_BLOCK_STEPS : r->blocks & ~(uint32_t)TT_BLOCK_STEPS;
    settle(r, ts);
    pthread_mutex_unlock(&r->gate_lock);
}

void tt_recording_state_step(tt_recorder *r, tt_thread *t, int64_t ts)
{
    if (!owns_steps(r, t)) return;
    int64_t step = atomic_fetch_add(&r->step, 1) + 1;
    tt_schedule_state state = tt_schedule_at(&r->set.schedule, step);
    atomic_fetch_add(&r->steps, 1);
    atomic_store(&r->step_start, ts);
    /* a window that ends here and a window that begins here share this instant */
    enter_state(r, state, ts);
    if (atomic_load(&r->gate) & TT_GATE_RECORDING) tt_emit(r, t, TT_OP_STEP, 0, state, (uint64_t)step, 0, ts);
}

/* Write a range for a step that has none of its own, from the start of its recording. The times are taken on this
 * thread: the writer may read them long after the next window began. */
static void emit_step_range(tt_recorder *r, tt_thread *t, int64_t step, int64_t ts)
{
    char name[48];
    int64_t start = atomic_load(&r->step_start), since = atomic_load(&r->recording_since);
    if (since > start) start = since;
    if (start >= ts) return;
    int n = snprintf(name, sizeof name, "ProfilerStep#%lld", (long long)step);
    tt_emit(r, t, TT_OP_STEP_END, 0, tt_intern_put(&r->names, &t->cache, name, (size_t)n), (uint64_t)start, 0, ts);
}

void tt_recording_state_step_end(tt_recorder *r, tt_thread *t, int64_t ts, bool make_range)
{
    if (!owns_steps(r, t)) return;
    int64_t step = atomic_load(&r->step);
    if (make_range && (atomic_load(&r->gate) & TT_GATE_RECORDING)) emit_step_range(r, t, step, ts);
    if (tt_schedule_at(&r->set.schedule, step + 1) < TT_STEP_RECORD) {
        enter_state(r, tt_schedule_at(&r->set.schedule, step + 1), ts);
    }
}

void tt_recording_state_next(tt_recorder *r, tt_thread *t, int64_t ts)
{
    int64_t none = -1;
    atomic_compare_exchange_strong(&r->step, &none, 0); /* the step that began with the process ends here */
    tt_recording_state_step_end(r, t, ts, true);
    tt_recording_state_step(r, t, ts);
}

enum { STEPS_MOST = 64 }; /* limit of step orders followed in one poll */

/* Number of orders of a kind since the last poll. */
static uint32_t news(tt_recorder *r, tt_order k)
{
    uint32_t n = r->tell.orders[k] - r->tell.seen[k];
    r->tell.seen[k] = r->tell.orders[k];
    return n;
}

bool tt_recording_state_poll(tt_recorder *r)
{
    int64_t now = tt_now(r), began = atomic_load(&r->began), age = now - began;
    const tt_capture_settings *s = &r->set;
    if (began && s->delay_ns && age >= s->delay_ns) tt_recording_state_block(r, TT_BLOCK_DELAY, false, now);
    if (began && s->duration_ns && age >= s->delay_ns + s->duration_ns)
        tt_recording_state_block(r, TT_BLOCK_OVER, true, now);
    if (news(r, TT_ORDER_START)) tt_recording_state_block(r, TT_BLOCK_PAUSED, false, now);
    if (news(r, TT_ORDER_STOP)) tt_recording_state_block(r, TT_BLOCK_PAUSED, true, now);
    tt_thread *t = r->tell.orders[TT_ORDER_STEP] != r->tell.seen[TT_ORDER_STEP] ? tt_thread_self(r) : NULL;
    uint32_t steps = news(r, TT_ORDER_STEP);
    for (uint32_t i = 0; t && i < steps && i < STEPS_MOST; i++) tt_recording_state_next(r, t, now);
    return news(r, TT_ORDER_FLUSH) > 0;
}
