/* capture/agent/core/report_progress.c - status of a recorded process for the recorder, and orders from it: the
 * process's record in the control file, and the orders there. Both are kept in this process's memory; the writer thread
 * exchanges them with the file. See report_progress.h. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "capture/agent/core/report_progress.h"

/* A thousand processes may share the file, over a network: an exchange with it is due at a new state or note, else
 * after a quarter of the time since the last order, at most MOST_NS. So orders that follow each other are quick, and
 * a process without orders reads once in that time. */
enum { QUARTER = 4, MOST_NS = 900000000 };

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
        if (!more || !tt_control_put(&r->tell.control, &n, &at)) return;
        r->tell.notes_told++;
    }
}

static uint64_t bytes_of(const tt_recorder *r) { return r->ring.keep_ns ? tt_ring_bytes(&r->ring) : r->spool.bytes; }

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
                            .bytes = bytes_of(r),
                            .steps = atomic_load(&r->steps),
                            .began = atomic_load(&r->began),
                            .ring = r->ring.keep_ns != 0};
    if (p.ring) p.kept_s = (uint32_t)((tt_now(r) - tt_ring_since(&r->ring)) / 1000000000);
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) p.drops[i] = atomic_load(&r->drops[i]);
    return p;
}

static bool same_state(const tt_control_process *a, const tt_control_process *b)
{
    return a->attached == b->attached && a->ended == b->ended && a->recording == b->recording &&
           a->stopped == b->stopped && a->began == b->began;
}

/* Exchange with the file at once. Its head is read once: with it the orders come, and the file is known to be ours. */
static void exchange(void *arg)
{
    tt_recorder *r = arg;
    tt_agent_reporting *t = &r->tell;
    tt_control_record now = {.kind = TT_CONTROL_PROCESS, .id = t->told.id, .process = state_of(r)};
    uint32_t orders[TT_ORDER_COUNT_];
    t->tried = now.process;
    if (!tt_control_orders(&t->control, orders) &&
        (!tt_own_keeps(&t->control.file, t->path, O_RDWR, NULL) || !tt_control_orders(&t->control, orders)))
        return;
    if (memcmp(orders, t->orders, sizeof orders) != 0) t->ordered_ns = t->told_ns;
    memcpy(t->orders, orders, sizeof orders);
    if (memcmp(&now.process, &t->told.process, sizeof now.process) != 0 &&
        tt_control_put(&t->control, &now, &t->told_at))
        t->told = now;
    tell_notes(r);
}

/* There is a note that was not yet in an exchange. */
static bool new_notes(tt_agent_reporting *t)
{
    pthread_mutex_lock(&t->lock);
    bool more = t->notes_tried < t->n_notes;
    t->notes_tried = t->n_notes;
    pthread_mutex_unlock(&t->lock);
    return more;
}

static bool due(tt_recorder *r, int64_t ns)
{
    tt_agent_reporting *t = &r->tell;
    tt_control_process now = state_of(r);
    int64_t wait = (ns - t->ordered_ns) / QUARTER;
    bool news = new_notes(t) || !same_state(&now, &t->tried);
    return news || ns - t->told_ns >= (wait < MOST_NS ? wait : MOST_NS);
}

void tt_agent_report(tt_recorder *r)
{
    int64_t ns = tt_now(r);
    atomic_store(&r->status_records, r->spool.records);
    atomic_store(&r->status_bytes, bytes_of(r));
    if (r->tell.control.file.fd < 0 || !due(r, ns)) return;
    r->tell.told_ns = ns;
    tt_files_run(exchange, r);
}

typedef struct telling {
    tt_recorder *r;
    tt_control_record record;
} telling;

static void tell_dump(void *arg)
{
    telling *t = arg;
    tt_agent_reporting *tell = &t->r->tell;
    off_t at = 0;
    if (tt_own_keeps(&tell->control.file, tell->path, O_RDWR, NULL)) tt_control_write(&tell->control, &t->record, &at);
}

void tt_agent_report_dump(tt_recorder *r, const tt_control_dump *d)
{
    telling t = {r, {.kind = TT_CONTROL_DUMP, .id = r->tell.told.id, .dump = *d}};
    if (r->tell.control.file.fd >= 0) tt_files_run(tell_dump, &t);
}

void tt_agent_report_new(tt_recorder *r)
{
    r->tell.told = (tt_control_record){.id = (uint64_t)r->started << 22 ^ r->pid};
    r->tell.told_at = r->tell.told_ns = 0;
    r->tell.ordered_ns = r->started;
    r->tell.tried = (tt_control_process){0};
    r->tell.notes_told = r->tell.notes_tried = r->tell.n_notes = 0;
    r->tell.attached = r->tell.ended = false;
    memset(r->tell.orders, 0, sizeof r->tell.orders);
    (void)tt_control_orders(&r->tell.control, r->tell.orders);
    memcpy(r->tell.seen, r->tell.orders, sizeof r->tell.seen);
}
