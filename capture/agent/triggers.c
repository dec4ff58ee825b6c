/* capture/agent/triggers.c - looks for triggers, and does what one asks for. See triggers.h. */
#include "capture/agent/triggers.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "capture/agent/core/report_progress.h"
#include "capture/agent/core/write_records.h"
#include "capture/agent/cupti/cupti.h"
#include "capture/agent/dump.h"
#include "capture/agent/record_stacks.h"

/* CUPTI's answer comes through its own threads: the passes in this time write it. */
enum { ANSWER_MS = 200 };

void tt_triggers_deadly(tt_recorder *r, int sig) { atomic_store(&r->triggers.deadly, sig); }

void tt_triggers_ask(tt_recorder *r) { atomic_fetch_add(&r->triggers.asked, 1); }

void tt_triggers_begin(tt_recorder *r)
{
    tt_triggers *t = &r->triggers;
    atomic_store(&t->deadly, 0);
    t->heard = atomic_load(&t->asked);
    t->slow = (tt_slow_steps){0};
    t->stall = (tt_stall){0};
    t->step_start = 0;
    t->step_late = false;
    t->why[0] = 0;
    t->n = 0;
    tt_dump_begin(r);
}

/* ---- what a trigger asks for ---- */

/* Thread whose C frames tell most: the last caller of CUDA, else the owner of the steps, else the first thread. */
static uint32_t thread_to_show(const tt_recorder *r)
{
    uint32_t caller = tt_cupti_caller(), owner = atomic_load(&r->step_owner);
    return caller ? caller : owner ? owner : r->pid;
}

/* Write the stacks, which change soon, and ask CUPTI for what it has. */
static void ask_for_rest(tt_recorder *r, bool stacks)
{
    tt_cupti_flush(r);
    if (stacks) tt_stacks_record(r, thread_to_show(r));
}

/* The process makes no dump any more for such a reason. own: nobody asked for it. */
static bool is_over(tt_recorder *r, bool own)
{
    uint32_t most = own ? TT_TRIGGERS_MOST - TT_TRIGGERS_KEPT : TT_TRIGGERS_MOST;
    if (r->triggers.n < most) return false;
    if (own)
        tt_recorder_note("process %u: slow steps and stalls make no dump any more: there are %u", r->pid, most);
    else
        tt_recorder_note("process %u: nothing makes a dump any more: there are %u", r->pid, most);
    return true;
}

typedef enum cause { ASKED, STALLED, SLOW_STEP } cause; /* ASKED: by somebody, by a signal, by the end */

/* Add a reason to the dump that is due. */
static void trigger(tt_recorder *r, cause by, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void trigger(tt_recorder *r, cause by, const char *fmt, ...)
{
    tt_triggers *t = &r->triggers;
    char why[128];
    size_t n = strlen(t->why);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    if (n) { /* a dump is due: one more reason */
        snprintf(t->why + n, sizeof t->why - n, "; %s", why);
        return;
    }
    if (is_over(r, by != ASKED)) {
        if (by == ASKED) tt_dump_refuse(r, why, TT_TRIGGERS_MOST);
        return;
    }
    snprintf(t->why, sizeof t->why, "%s", why);
    t->since = tt_now(r);
    t->n++;
    ask_for_rest(r, by != SLOW_STEP || !t->step_late);
    t->spent = tt_now(r) - t->since;
}

static void finish_dump(tt_recorder *r)
{
    tt_triggers *t = &r->triggers;
    int64_t begin = tt_now(r);
    tt_cupti_hold(r); /* work that has not ended stays open in the dump */
    tt_dump_make(r, t->why, t->since, t->spent + tt_now(r) - begin);
    t->why[0] = 0;
}

/* ---- steps ---- */

static void step_ended(tt_recorder *r, int64_t end)
{
    tt_triggers *t = &r->triggers;
    int64_t took = end - t->step_start, median;
    t->step_start = 0;
    if (tt_slow_step(&t->slow, took, r->set.slow_step_pct, &median))
        trigger(r, SLOW_STEP, "step %llu took %.1f x the median: %.1f ms, not %.1f", (unsigned long long)t->step,
                (double)took / (double)median, (double)took / 1e6, (double)median / 1e6);
    t->step_late = false;
}

void tt_triggers_step(tt_recorder *r, uint32_t tid, int64_t start, uint64_t number)
{
    tt_triggers *t = &r->triggers;
    if (t->step_start) step_ended(r, start); /* its range did not end, or it has none */
    t->step_start = start;
    t->step_tid = tid;
    t->step = number;
}

void tt_triggers_range(tt_recorder *r, uint32_t tid, int64_t start, int64_t end)
{
    tt_triggers *t = &r->triggers;
    if (t->step_start == start && t->step_tid == tid && start) step_ended(r, end);
}

/* ---- looking ---- */

static const char *signal_name(int sig)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGABRT, "SIGABRT"}, {SIGTERM, "SIGTERM"}, {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == sig) return names[i].name;
    return NULL;
}

static void look_for_orders(tt_recorder *r)
{
    tt_triggers *t = &r->triggers;
    uint32_t asked = atomic_load(&t->asked);
    if (asked != t->heard) {
        t->heard = asked;
        const char *name = signal_name((int)r->set.dump_signal);
        if (name) trigger(r, ASKED, "%s", name);
        if (!name) trigger(r, ASKED, "signal %u", r->set.dump_signal);
    }
    if (r->tell.orders[TT_ORDER_DUMP] == r->tell.seen[TT_ORDER_DUMP]) return;
    r->tell.seen[TT_ORDER_DUMP] = r->tell.orders[TT_ORDER_DUMP];
    trigger(r, ASKED, "ctl dump");
}

/* The dump of a slow step is made when it ends, so that it has the whole step. What held it up is in the stacks now. */
static void look_at_step(tt_recorder *r, int64_t now)
{
    tt_triggers *t = &r->triggers;
    if (!t->step_start || t->step_late) return;
    t->step_late = tt_slow_step_late(&t->slow, now - t->step_start, r->set.slow_step_pct);
    if (t->step_late) tt_stacks_record(r, thread_to_show(r));
}

static void look_for_stall(tt_recorder *r, int64_t now)
{
    if (!r->set.stall_ns) return;
    tt_triggers *t = &r->triggers;
    tt_stall_facts f = {.now = now, .steps = atomic_load(&r->steps), .step_ns = tt_slow_step_median(&t->slow)};
    tt_cupti_progress(&f.due, &f.done);
    tt_stall_kind kind = tt_stall_look(&t->stall, &f, r->set.stall_ns);
    double s = (double)(kind == TT_STALL_DEVICE ? t->stall.device_ns : t->stall.step_ns) / 1e9;
    if (kind == TT_STALL_DEVICE || (kind == TT_STALL_STEP && f.due)) {
        trigger(r, STALLED, "no progress for %.0f s: %llu launch%s due", s, (unsigned long long)f.due,
                f.due == 1 ? "" : "es");
    } else if (kind == TT_STALL_STEP) {
        trigger(r, STALLED, "no progress for %.0f s: no step after step %llu", s, (unsigned long long)f.steps - 1);
    }
}

void tt_triggers_poll(tt_recorder *r)
{
    tt_triggers *t = &r->triggers;
    int64_t now = tt_now(r);
    look_for_orders(r);
    look_for_stall(r, now);
    if (r->set.slow_step_pct) look_at_step(r, now);
    if (t->why[0] && now - t->since >= ANSWER_MS * INT64_C(1000000)) finish_dump(r);
    tt_dump_poll(r);
}

/* ---- the end ---- */

void tt_triggers_end(tt_recorder *r)
{
    int sig = atomic_load(&r->triggers.deadly);
    const char *name = sig == SIGABRT || sig == SIGTERM ? signal_name(sig) : NULL;
    look_for_orders(r);
    if (!r->set.keep_ns && !r->set.dump_at_exit) return; /* the end of the program alone freezes nothing */
    if (name) trigger(r, ASKED, "%s", name);
    if (!name && r->set.dump_at_exit) trigger(r, ASKED, "exit");
}

void tt_triggers_last(tt_recorder *r)
{
    if (r->triggers.why[0]) finish_dump(r);
}
