/* capture/tell.c - what a recorded process says to the recorder, and what it is told: its record in the control file, and the commands
 * there. Everything is kept in this process's memory; the writer thread exchanges it with the file. See control.h.        */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "capture/recorder.h"

/* Numbers alone are not written more often than this: a thousand processes may share the file. */
enum { TELL_NS = 200000000 };

void tt_recorder_note(const char *fmt, ...)
{
    tt_recorder *r = tt_recorder_get();
    char text[TT_CONTROL_NOTE];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    pthread_mutex_lock(&r->notes_lock);
    bool known = r->n_notes == TT_CONTROL_NOTES;
    for (uint32_t i = 0; i < r->n_notes; i++) known |= !strcmp(r->notes[i], text);
    if (!known) memcpy(r->notes[r->n_notes++], text, strlen(text) + 1);
    pthread_mutex_unlock(&r->notes_lock);
}

static void tell_notes(tt_recorder *r)
{
    for (;;) {
        tt_control_record n = {.kind = TT_CONTROL_SAYS, .id = r->told.id};
        off_t at = 0;
        pthread_mutex_lock(&r->notes_lock);
        bool more = r->notes_told < r->n_notes;
        if (more) memcpy(n.note, r->notes[r->notes_told], sizeof n.note);
        pthread_mutex_unlock(&r->notes_lock);
        if (!more || !tt_control_write(&r->control, &n, &at)) return;
        r->notes_told++;
    }
}

static tt_control_process state_of(const tt_recorder *r)
{
    uint32_t gate = atomic_load(&r->gate);
    tt_control_process p = {.pid = r->pid,
                            .attached = r->attached,
                            .ended = r->ended,
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
    tt_control_record now = {.kind = TT_CONTROL_PROCESS, .id = r->told.id, .process = state_of(r)};
    int64_t ns = tt_now(r);
    bool changed = memcmp(&now.process, &r->told.process, sizeof now.process) != 0;
    if (changed && (ns - r->told_ns >= TELL_NS || !same_state(&now.process, &r->told.process))) {
        if (tt_control_write(&r->control, &now, &r->told_at)) r->told = now;
        r->told_ns = ns;
    }
    tell_notes(r);
    (void)tt_control_commands(&r->control, r->commands);
}

void tt_tell(tt_recorder *r)
{
    atomic_store(&r->status_records, r->spool.records);
    atomic_store(&r->status_bytes, r->spool.bytes);
    if (r->control.file.fd >= 0) tt_files_run(exchange, r);
}

void tt_tell_new(tt_recorder *r)
{
    r->told = (tt_control_record){.id = (uint64_t)r->started << 22 ^ r->pid};
    r->told_at = r->told_ns = 0;
    r->notes_told = r->n_notes = 0;
    r->attached = r->ended = false;
    memset(r->commands, 0, sizeof r->commands);
    (void)tt_control_commands(&r->control, r->commands);
    memcpy(r->seen, r->commands, sizeof r->seen);
}
