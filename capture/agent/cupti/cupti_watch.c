/* capture/agent/cupti/cupti_watch.c - detects that CUPTI's records no longer arrive. See cupti_watch.h. */
#include "capture/agent/cupti/cupti_watch.h"

#include <stdio.h>

#include "capture/agent/core/report_progress.h"
#include "capture/agent/core/write_records.h"
#include "capture/cuda/cuda_info.h"

/* Overdue calls allowed: a buffer shared by all threads stays out while its work goes on. Steps, with ns, that may
 * pass without any record. */
enum { CALLS_OVERDUE = 5, STEPS_WITHOUT = 3 };
static const int64_t ns_without = 2000000000, ns_sure = 5000000000; /* sure: records that are only late have come */

void tt_cupti_watch_call(tt_cupti_watch *w)
{
    if (tt_cuda_driver_version()) atomic_fetch_add(&w->calls, 1);
}

void tt_cupti_watch_flushed(tt_cupti_watch *w, bool good)
{
    if (good) atomic_store(&w->due, atomic_load(&w->calls));
}

/* More than `most` records of our own calls are overdue. */
static bool overdue(const tt_cupti_watch *w, const tt_cupti_records *c, uint64_t most)
{
    return c->own_calls && atomic_load(&w->due) > c->own_calls + most;
}

static bool steps_without(const tt_cupti_watch *w, const tt_recorder *r, int64_t now)
{
    return w->seen && atomic_load(&r->steps) >= w->steps + STEPS_WITHOUT && now - w->at >= ns_without;
}

static void write_since(tt_recorder *r, int64_t since)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)since);
    tt_write_meta(r, TT_SPOOL_TAKEN, text);
}

/* Say who may have taken CUPTI, and how to leave it to that one. PyTorch's profiler is part of libtorch_cpu, or is
 * libkineto. */
static void say_lost(const tt_recorder *r, const char *since)
{
    char path[700];
    bool torch =
        tt_loaded_library("libtorch_cpu", path, sizeof path) || tt_loaded_library("libkineto", path, sizeof path);
    tt_recorder_note("process %u: CUPTI gave no records%s: %s may have taken it; --yield-cupti leaves it to that one, "
                     "--via kineto asks it",
                     r->pid, since,
                     torch ? "PyTorch's profiler, or another one in the program," : "a profiler in the program");
}

static void say_lost_since(const tt_cupti_watch *w, const tt_recorder *r)
{
    char since[48];
    snprintf(since, sizeof since, " from %.1f s on", (double)(w->at - r->started) / 1e9);
    say_lost(r, since);
}

void tt_cupti_watch_look(tt_cupti_watch *w, tt_recorder *r, const tt_cupti_records *c, bool any, int64_t now)
{
    bool wanted = atomic_load(&r->want_cupti);
    if (any || !w->at || (!wanted && !c->own_calls && !w->lost)) { /* no records is expected while tracing is off */
        w->at = now;
        w->seen = c->seen;
        w->steps = atomic_load(&r->steps);
    }
    bool lost = overdue(w, c, CALLS_OVERDUE) || (wanted && !c->own_calls && steps_without(w, r, now));
    if (lost != w->lost && (any || !w->lost)) { /* lost records stay lost until a record arrives */
        w->lost = lost;
        write_since(r, lost ? w->at : 0);
    }
    if (!w->lost || w->said || now - w->at < ns_sure) return;
    w->said = true; /* now: the program may be killed */
    say_lost_since(w, r);
}

/* CUPTI never gave a record, though kinds were enabled in a context. */
static bool never(const tt_recorder *r, const tt_cupti_records *c)
{
    return !c->seen && !c->own_calls && atomic_load(&r->wanted_cupti) && (r->set.traces >> TT_TRACE_RUNTIME & 1);
}

void tt_cupti_watch_end(tt_cupti_watch *w, tt_recorder *r, const tt_cupti_records *c, bool whole)
{
    if (whole && never(r, c)) {
        say_lost(r, ", though there was a CUDA context");
        tt_write_meta(r, "gpu", "\"CUPTI gave no records: a profiler in the program may have taken it\"");
        write_since(r, r->started);
        return;
    }
    if (whole && overdue(w, c, 0) && !w->lost) {
        w->lost = true;
        write_since(r, w->at);
    }
    if (w->lost) say_lost_since(w, r);
}
