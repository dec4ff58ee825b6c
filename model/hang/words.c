/* model/hang/words.c - the verdict in words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/base/sort_by.h"
#include "model/hang/hang.h"
#include "model/text/frame_name.h"

/* ---- ranks ---- */

const char *tt_hang_ranks_text(const int64_t *ranks, size_t n, tt_arena *a)
{
    tt_text out = {0};
    char part[64];
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && ranks[k] == ranks[k - 1] + 1;) k++;
        if (k - i < 3) k = i + 1;
        int len = k - i >= 3
                      ? snprintf(part, sizeof part, "%s%" PRId64 "-%" PRId64, i ? "," : "", ranks[i], ranks[k - 1])
                      : snprintf(part, sizeof part, "%s%" PRId64, i ? "," : "", ranks[i]);
        tt_text_put(&out, part, (size_t)len);
    }
    const char *text = out.n ? tt_arena_strndup(a, out.at, out.n) : NULL;
    tt_vec_free(&out);
    return text;
}

const char *tt_hang_indices_text(const tt_hang *h, const uint32_t *ranks, size_t n, tt_arena *a)
{
    int64_t *numbers = tt_calloc(n + 1, sizeof *numbers);
    for (size_t i = 0; i < n; i++) numbers[i] = h->ranks[ranks[i]].rank;
    TT_SORT_UP(numbers, n);
    const char *text = tt_hang_ranks_text(numbers, n, a);
    free(numbers);
    return text;
}

const char *tt_hang_members_text(const tt_hang *h, uint32_t group, tt_arena *a)
{
    const tt_hang_group *g = &h->groups[group];
    TT_VEC(int64_t) ranks = {0};
    for (uint32_t i = g->first; i < g->first + g->size; i++)
        *tt_vec_push(&ranks) = h->ranks[h->members[h->by_rank[i]].rank].rank;
    const char *text = tt_hang_ranks_text(ranks.at, ranks.n, a);
    tt_vec_free(&ranks);
    return text;
}

/* ---- places ---- */

static const tt_frame *frame_of(const tt_hang *h, tt_hang_entry e)
{
    const tt_flight_entry *x = tt_hang_entry_of(h, e);
    const tt_stacks *s = x ? &tt_hang_flight(h, e.trace)->stacks : NULL;
    if (!s || !s->n || !tt_stack_depth(s, x->stack)) return NULL;
    for (uint32_t i = s->first[x->stack]; i < s->first[x->stack + 1]; i++) {
        const tt_frame *f = &s->frames[s->frame[i]];
        if (!tt_frame_in_torch(tt_str(&h->session->traces[e.trace]->strings, f->file))) return f;
    }
    return &s->frames[s->frame[s->first[x->stack]]];
}

const char *tt_hang_frame(const tt_hang *h, tt_hang_entry e, tt_arena *a)
{
    char text[1024];
    const tt_frame *f = frame_of(h, e);
    if (!f) return NULL;
    int n = tt_frame_text(f, &h->session->traces[e.trace]->strings, text, sizeof text);
    return tt_arena_strndup(a, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

/* The place without the folders of its file. */
static const char *short_frame(const tt_hang *h, tt_hang_entry e, tt_arena *a)
{
    const tt_frame *f = frame_of(h, e);
    if (!f) return NULL;
    const tt_strings *s = &h->session->traces[e.trace]->strings;
    const char *file = tt_str(s, f->file), *slash = strrchr(file, '/');
    return tt_arena_printf(a, "%s(%" PRId64 "): %s", slash ? slash + 1 : file, f->line, tt_str(s, f->function));
}

/* ---- faults ---- */

static const char *trace_text(const tt_hang *h, tt_hang_entry e, tt_sid id)
{
    return tt_str(&h->session->traces[e.trace]->strings, id);
}

/* Types and sizes of an entry: "BFloat16 [[2048, 5120]]"; "" where they are not recorded. */
static const char *signature(const tt_hang *h, tt_hang_entry e, tt_arena *a)
{
    const tt_flight_call *c = tt_hang_call_of(h, e);
    if (!c) return "";
    const char *types = trace_text(h, e, c->in_dtypes), *sizes = trace_text(h, e, c->in_sizes);
    return tt_arena_printf(a, "%s%s%s", types, *types && *sizes ? " " : "", sizes);
}

/* "all_to_all seq 45265 of EXPERT_MODEL_PARALLEL_GROUP (group 72, 8 ranks, BFloat16 [[2048, 5120]])". */
static const char *call_text(const tt_hang *h, const tt_hang_fault *f, bool sizes, tt_arena *a)
{
    const char *call = f->op ? f->op : "a call", *sign = sizes ? signature(h, f->entry, a) : "";
    if (f->seq != TT_UNKNOWN) call = tt_arena_printf(a, "%s seq %" PRId64, call, f->seq);
    if (!f->op) call = tt_arena_printf(a, "%s (the ring has lost its name)", call);
    if (f->group == TT_NONE) return call;
    const tt_hang_group *g = &h->groups[f->group];
    return tt_arena_printf(a, "%s of %s (group %s, %u ranks%s%s)", call, *g->desc ? g->desc : "a group", g->name,
                           g->size, *sign ? ", " : "", sign);
}

static const char *clock_text(int64_t ns, tt_arena *a)
{
    time_t s = (time_t)(ns / 1000000000);
    struct tm tm;
    if (!gmtime_r(&s, &tm)) return "?";
    return tt_arena_printf(a, "%02d:%02d:%02d.%06d", tm.tm_hour, tm.tm_min, tm.tm_sec, (int)(ns % 1000000000 / 1000));
}

/* The innermost frames of the stack that a recording has of its first thread: "a.py(1): f < b.py(2): g"; NULL. */
static const char *stack_text(const tt_hang *h, uint32_t trace, tt_arena *a)
{
    enum { FRAMES = 4 };
    const tt_flight *x = tt_hang_flight(h, trace);
    const tt_strings *s = &h->session->traces[trace]->strings;
    const char *text = NULL;
    if (!x->stack || !x->stacks.n) return NULL;
    uint32_t from = x->stacks.first[x->stack], end = x->stacks.first[x->stack + 1];
    for (uint32_t i = from; i < end && i < from + FRAMES; i++) {
        const tt_frame *f = &x->stacks.frames[x->stacks.frame[i]];
        const char *file = tt_str(s, f->file), *slash = strrchr(file, '/');
        text = tt_arena_printf(a, "%s%s%s(%" PRId64 "): %s", text ? text : "", text ? " < " : "",
                               slash ? slash + 1 : file, f->line, tt_str(s, f->function));
    }
    return end > from + FRAMES ? tt_arena_printf(a, "%s < ...", text) : text;
}

/* What the recording of the first culprit tells beside its calls: " Its last kernel: gemm; it is in a.py(1): f." */
static const char *own_text(const tt_hang *h, const tt_hang_fault *f, tt_arena *a)
{
    uint32_t trace = f->ranks.n ? h->ranks[tt_hang_list_at(h, f->ranks)[0]].trace : TT_NONE;
    const tt_flight *x = tt_hang_flight(h, trace);
    if (!x || tt_flight_alone(x)) return "";
    const char *kernel = tt_str(&h->session->traces[trace]->strings, x->last_kernel);
    const char *stack = stack_text(h, trace, a), *whose = "Its";
    if (!*kernel && !stack) return "";
    if (f->ranks.n > 1)
        whose = tt_arena_printf(a, "Rank %" PRId64 "'s", h->ranks[tt_hang_list_at(h, f->ranks)[0]].rank);
    if (*kernel) kernel = tt_arena_printf(a, " %s last kernel: %.200s.", whose, kernel);
    if (stack) stack = tt_arena_printf(a, " %s Python stack: %s.", whose, stack);
    return tt_arena_printf(a, "%s%s", kernel, stack ? stack : "");
}

/* ", since 22:47:17.547926; 14 ranks wait" */
static const char *tail(const tt_hang *h, const tt_hang_fault *f, tt_arena *a)
{
    /* the stacks of a recording are of its end, not of its calls */
    const char *place = tt_hang_of_recordings(h) ? NULL : short_frame(h, f->place, a);
    const char *since = f->since == TT_UNKNOWN ? "" : tt_arena_printf(a, ", since %s", clock_text(f->since, a));
    const char *waiting =
        !f->waiting ? "" : tt_arena_printf(a, "; %u rank%s", f->waiting, f->waiting == 1 ? " waits" : "s wait");
    return tt_arena_printf(a, "%s%s.%s%s%s", since, waiting, place ? " " : "", place ? place : "", own_text(h, f, a));
}

/* Number of ranks whose call is like the expected one. */
static uint32_t expected_count(const tt_hang *h, const tt_hang_fault *f)
{
    const tt_hang_mismatch *x = &h->mismatches[f->mismatch];
    const tt_hang_call *c = &h->calls[x->call];
    uint32_t n = 0, before = TT_NONE;
    for (uint32_t i = c->first; i < c->first + c->n; i++) {
        n += h->call_entries[i].trace != before;
        before = h->call_entries[i].trace;
    }
    return n - f->ranks.n;
}

static const char *mismatch_text(const tt_hang *h, const tt_hang_fault *f, const char *who, tt_arena *a)
{
    const tt_hang_mismatch *x = &h->mismatches[f->mismatch];
    const tt_flight_call *own = tt_hang_call_of(h, x->own), *other = tt_hang_call_of(h, x->expected);
    uint32_t n = expected_count(h, f);
    const tt_hang_group *g = &h->groups[f->group];
    const char *mine = signature(h, x->own, a), *theirs = signature(h, x->expected, a);
    if (!strcmp(mine, theirs)) { /* they differ in what they give */
        mine = tt_arena_printf(a, "%s -> %s", mine, trace_text(h, x->own, own->out_sizes));
        theirs = tt_arena_printf(a, "%s -> %s", theirs, trace_text(h, x->expected, other->out_sizes));
    }
    return tt_arena_printf(
        a, "%s called %s with %s where %u rank%s called %s with %s in %s (group %s, %u ranks), seq %" PRId64 "%s%s",
        who, trace_text(h, x->own, own->op), mine, n, n == 1 ? "" : "s", trace_text(h, x->expected, other->op), theirs,
        g->desc, g->name, g->size, f->seq, x->swapped ? "; their next calls are the other way round" : "",
        tail(h, f, a));
}

/* "Rank 5", "Ranks 9,14" */
static const char *who_text(const tt_hang *h, const tt_hang_fault *f, tt_arena *a)
{
    return tt_arena_printf(a, "Rank%s %s", f->ranks.n > 1 ? "s" : "", tt_hang_list_text(h, f->ranks, a));
}

const char *tt_hang_fault_text(const tt_hang *h, const tt_hang_fault *f, tt_arena *a)
{
    const char *text = "", *who = f->ranks.n ? who_text(h, f, a) : "";
    bool one = f->ranks.n == 1;
    switch (f->kind) {
    case TT_HANG_HOST:
        text = tt_arena_printf(a, "%s stopped on the host: never called %s%s", who, call_text(h, f, true, a),
                               tail(h, f, a));
        break;
    case TT_HANG_DEVICE:
        text = tt_arena_printf(a, "%s %s stuck on the device: %s not finished %s%s", who, one ? "is" : "are",
                               one ? "has" : "have", call_text(h, f, true, a), tail(h, f, a));
        break;
    case TT_HANG_NO_DUMP:
        text = tt_arena_printf(a, "%s left no dump and %s awaited in %s%s", who, one ? "is" : "are",
                               call_text(h, f, true, a), tail(h, f, a));
        break;
    case TT_HANG_MISMATCH: text = mismatch_text(h, f, who, a); break;
    case TT_HANG_DEADLOCK:
        text = tt_arena_printf(a, "%s wait for each other: %s closed the circle%s", who, call_text(h, f, false, a),
                               tail(h, f, a));
        break;
    case TT_HANG_COLLECTIVE:
        text = tt_arena_printf(
            a,
            "All %u ranks called %s and none finished: a device or the network; the dumps do not say "
            "which%s",
            f->group == TT_NONE || f->p2p ? 2u : h->groups[f->group].size, call_text(h, f, true, a), tail(h, f, a));
        break;
    case TT_HANG_LATE:
        text = tt_arena_printf(a, "%s %s the last in %s as usual: slow, perhaps not stuck%s", who, one ? "is" : "are",
                               call_text(h, f, true, a), tail(h, f, a));
        break;
    case TT_HANG_KINDS_: break;
    }
    return f->certainty == TT_HANG_POSSIBLE ? tt_arena_printf(a, "Possibly: %s", text) : text;
}

/* Where a process is looked at: "on the host of rank 5 run py-spy dump --pid PID", with the host and the process where
 * they are recorded. */
static const char *where_text(const tt_hang *h, const tt_hang_fault *f, tt_arena *a)
{
    uint32_t trace = f->ranks.n ? h->ranks[tt_hang_list_at(h, f->ranks)[0]].trace : TT_NONE;
    int64_t rank = f->ranks.n ? h->ranks[tt_hang_list_at(h, f->ranks)[0]].rank : 0;
    const tt_trace *s =
        trace == TT_NONE || tt_trace_is_dump(h->session->traces[trace]) ? NULL : h->session->traces[trace];
    const char *pid = s ? tt_trace_meta(s, "pid") : NULL, *host = s ? tt_trace_meta(s, "host") : NULL;
    if (!pid) pid = "PID";
    if (!host) host = tt_arena_printf(a, "the host of rank %" PRId64, rank);
    return tt_arena_printf(a, "on %s run py-spy dump --pid %s, and gdb -p %s -batch -ex 'thread apply all bt'", host,
                           pid, pid);
}

const char *tt_hang_advice(const tt_hang *h, const tt_hang_fault *f, tt_arena *a)
{
    int64_t first = f->ranks.n ? h->ranks[tt_hang_list_at(h, f->ranks)[0]].rank : 0;
    switch (f->kind) {
    case TT_HANG_HOST:
    case TT_HANG_LATE:
        return tt_arena_printf(a, "Why it stopped is not in the %s: %s for native code",
                               tt_hang_of_recordings(h) ? "recordings" : "dumps", where_text(h, f, a));
    case TT_HANG_DEVICE:
        return tt_arena_printf(
            a,
            "Look at the GPU and the network of rank %" PRId64
            ": nvidia-smi -q, dmesg | grep -i xid, and cuda-gdb or py-spy dump --pid PID on its host",
            first);
    case TT_HANG_NO_DUMP:
        return tt_arena_printf(a,
                               "Look for a crash in the log of rank %" PRId64
                               ", for the out-of-memory killer (dmesg) on its host, or for its file",
                               first);
    case TT_HANG_MISMATCH: return "Make all ranks call the same, with the same sizes and types: compare the two places";
    case TT_HANG_DEADLOCK:
        return "Make all ranks call the groups in one order, or put the calls of one of them on another thread or "
               "stream";
    case TT_HANG_COLLECTIVE:
        return "Record which rank has started: TORCH_NCCL_ENABLE_TIMING=1; look at the GPUs and the network of the "
               "group";
    case TT_HANG_KINDS_: break;
    }
    return NULL;
}

/* "in the dumps of 14 of 16 ranks"; "" where all ranks left one. */
static const char *seen_text(const tt_hang *h, uint32_t dumps, tt_arena *a)
{
    if (dumps == h->n_ranks) return "";
    return tt_arena_printf(a, " in the dumps of %u of %u ranks", dumps, h->n_ranks);
}

static const char *no_fault(const tt_hang *h, tt_arena *a)
{
    TT_VEC(int64_t) stale = {0};
    uint32_t waiting = 0, dumps = 0;
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        waiting += h->ranks[r].open > 0;
        dumps += h->ranks[r].trace != TT_NONE;
        if (h->ranks[r].state == TT_HANG_STALE) *tt_vec_push(&stale) = h->ranks[r].rank;
    }
    const char *older = tt_hang_ranks_text(stale.at, stale.n, a), *seen = seen_text(h, dumps, a);
    bool one = stale.n == 1;
    tt_vec_free(&stale);
    if (!dumps) return "Cannot tell: no dump says its rank; put the ranks into the names of the files.";
    if (older)
        return tt_arena_printf(a, "The dumps are not of one moment (rank%s %s %s older): no verdict.", one ? "" : "s",
                               older, one ? "is" : "are");
    if (waiting)
        return tt_arena_printf(a, "No hang seen%s: %u rank%s open calls, and nobody is missing in them.", seen, waiting,
                               waiting == 1 ? " has" : "s have");
    if (*seen) return tt_arena_printf(a, "No hang seen%s: their calls have finished.", seen);
    return "No hang seen: every call was called by all members and finished.";
}

const char *tt_hang_verdict(const tt_hang *h, tt_arena *a)
{
    const char *running = h->running ? "Written while the job ran, within 2 s of its last call. " : "";
    if (!h->n_faults) return tt_arena_printf(a, "%s%s", running, no_fault(h, a));
    const char *text = tt_hang_fault_text(h, &h->faults[0], a);
    if (h->n_faults == 1) return tt_arena_printf(a, "%s%s", running, text);
    size_t n = strlen(text);
    return tt_arena_printf(a, "%s%s%s And %u more.", running, text, n && text[n - 1] == '.' ? "" : ".",
                           h->n_faults - 1);
}
