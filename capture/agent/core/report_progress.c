/* capture/agent/core/report_progress.c - status of a recorded process for the recorder, and orders from it: the
 * process's record in the control file, and the orders there. Both are kept in this process's memory; the writer thread
 * exchanges them with the file. See report_progress.h. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "capture/agent/core/report_progress.h"

/* Minimum interval between updates of counters alone: a thousand processes may share the file. */
enum { TELL_NS = 200000000 };

void tt_recorder_note(const char *fmt, ...)
{
    tt_recorder *r = tt_recorder_get();
    char text[TT_CONTROL_NOTE];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    pthread_mutex_lock(&r->tell.lock);
    bool known = r->tell.n_notes == TT_CONTROL_NOTES;
    for (uint32_t i = 0; i < r->tell.n_notes; i++) known |= !strcmp(r->tell.notes[i], text);
    if (!known) memcpy(r->tell.notes[r->tell.n_notes++], text, strlen(text) + 1);
    pthread_mutex_unlock(&r->tell.lock);
}

static void tell_notes(tt_recorder *r)
{
    for (;;) {
        tt_control_record n = {.kind = TT_CONTROL_SAYS, .id = r->tell.told.id};
        off_t at = 0;
        pthread_mutex_lock(&r->tell.lock);
        bool more = r->tell.notes_told < r->tell.n_notes;
        if (more) memcpy(n.note, r->tell.notes[r->tell.notes_told], sizeof n.note);
        pthread_mutex_unlock(&r->tell.lock);
        if (!more || !tt_control_write(&r->tell.control, &n, &at)) return;
        r->tell.notes_told++;
    }
}

static tt_control_process state_of(const tt_recorder *r)
{
    uint32_t gate = atomic_load(&r->gate);
    tt_control_process p = {.pid = r->pid,
                            .attached = r->tell.attached,
                            .ended = r->tell.ended,
                            .recording = (gate & TT_GATE_RECORDING) != 0,
                            .stopped = r->spool.stopped,
                            .error = (uint32_t)r->spool.error,
                            .events = r->spool.records,
                            .bytes = r->spool.bytes,
                            .steps = atomic_load(&r->steps),
                            .began = atomic_load(&r->began)};
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) p.drops[i] = atomic_load(&r->drops[i]);
    return p;
}

static bool same_state(const tt_control_process *a, const tt_control_process *b)
{
    return a->attached == b->attached && a->ended == b->ended && a->recording == b->recording &&
           a->stopped == b->stopped && a->began == b->began;
}

static void exchange(void *arg)
{
    tt_recorder *r = arg;
    tt_control_record now = {.kind = TT_CONTROL_PROCESS, .id = r->tell.told.id, .process = state_of(r)};
    int64_t ns = tt_now(r);
    if (!tt_own_keeps(&r->tell.control.file, r->tell.path, O_RDWR, NULL)) return;
    bool changed = memcmp(&now.process, &r->tell.told.process, sizeof now.process) != 0;
    if (changed && (ns - r->tell.told_ns >= TELL_NS || !same_state(&now.process, &r->tell.told.process))) {
        if (tt_control_write(&r->tell.control, &now, &r->tell.told_at)) r->tell.told = now;
        r->tell.told_ns = ns;
    }
    tell_notes(r);
    (void)tt_control_orders(&r->tell.control, r->tell.orders);
}

void tt_agent_report(tt_recorder *r)
{
    atomic_store(&r->status_records, r->spool.records);
    atomic_store(&r->status_bytes, r->spool.bytes);
    if (r->tell.control.file.fd >= 0) tt_files_run(exchange, r);
}

void tt_agent_report_new(tt_recorder *r)
{
    r->tell.told = (tt_control_record){.id = (uint64_t)r->started << 22 ^ r->pid};
    r->tell.told_at = r->tell.told_ns = 0;
    r->tell.notes_told = r->tell.n_notes = 0;
    r->tell.attached = r->tell.ended = false;
    memset(r->tell.orders, 0, sizeof r->tell.orders);
    (void)tt_control_orders(&r->tell.control, r->tell.orders);
    memcpy(r->tell.seen, r->tell.orders, sizeof r->tell.seen);
}
