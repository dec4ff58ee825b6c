/* capture/agent/record_stacks.c - call stacks of this process as records of the spool. See record_stacks.h. */
#include "capture/agent/record_stacks.h"

#include <stdio.h>

#include "capture/agent/core/report_progress.h"
#include "capture/agent/core/write_records.h"
#include "capture/spool/memory.h"
#include "capture/stacks/stacks.h"

enum { STACKS_NS = 20000000 };

typedef struct job {
    tt_recorder *r;
    tt_live_stacks *s;
    uint32_t tid;
} job;

static void put(void *arg, const tt_live_stack *s)
{
    const job *j = arg;
    tt_spool_stack *out = tt_spool_add(&j->r->spool, TT_SPOOL_STACK, sizeof *out + s->len, s->kind);
    if (!out) return;
    out->ts = tt_now(j->r);
    out->tid = s->tid;
    out->len = (uint32_t)s->len;
    memcpy(out->text, s->text, s->len);
}

static void say(tt_recorder *r, tt_live_result result, const char *why)
{
    char json[300];
    snprintf(json, sizeof json, "\"%s\"", why);
    tt_write_meta(r, "python_stacks", json);
    if (result == TT_LIVE_REFUSED) tt_recorder_note("%s", why);
    if (result == TT_LIVE_UNKNOWN) tt_recorder_note("process %u: %s", r->pid, why);
}

/* Opens files of /proc: runs on the files thread. */
static void read_stacks(void *arg)
{
    job *j = arg;
    char why[TT_CONTROL_NOTE];
    tt_live_result result = tt_live_stacks_python(j->s, j->r->pid, put, j, why, sizeof why);
    if (*why) say(j->r, result, why);
    if (j->tid) tt_live_stacks_native(j->s, j->r->pid, j->tid, put, j);
}

void tt_stacks_record(tt_recorder *r, uint32_t tid)
{
    tt_live_stacks *s = tt_memory_take(sizeof *s);
    if (!s) return;
    s->limit_ns = STACKS_NS;
    tt_files_run(read_stacks, &(job){r, s, tid});
    tt_memory_give(s, sizeof *s);
}
