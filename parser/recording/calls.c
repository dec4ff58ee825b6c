/* parser/recording/calls.c - the communicators and collectives of NCCL as slices. See calls.h.
 *
 * A slice is what the device did, from the first part of the call that began to the last that ended; a call without
 * known times on the device is shown as the host enqueued it. An open call lasts until the end of the recording. */
#include "parser/recording/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"

void tt_spool_on_comm(spool *s, const tt_spool_comm *c)
{
    for (size_t i = s->f.comms.n; i-- > 0;) {
        if (s->f.comms.at[i].h.a != c->h.a) continue;
        s->f.comms.at[i] = *c;
        return;
    }
    *tt_vec_push(&s->f.comms) = *c;
}

void tt_spool_on_call(spool *s, const tt_spool_call *c)
{
    *tt_vec_push(&s->f.calls) = (tt_spool_call_slice){.call = *c, .order = (uint32_t)s->f.calls.n};
}

void tt_spool_on_stack(spool *s, const tt_spool_stack *k)
{
    if (k->len > k->h.size - sizeof *k || k->h.a != TT_SPOOL_STACK_PYTHON) return;
    *tt_vec_push(&s->last.stacks) = (thread_stack){k->tid, tt_strings_put(&s->f.text, k->text, k->len)};
}

void tt_spool_note_kernel(spool *s, const tt_spool_kernel *k)
{
    bool later = k->start ? k->start >= s->last.kernel_at : k->correlation >= s->last.kernel.correlation;
    if (s->last.has_kernel && !later) return;
    s->last.has_kernel = true;
    memcpy(&s->last.kernel, k, offsetof(tt_spool_kernel, submitted)); /* records may end there */
    if (k->start) s->last.kernel_at = k->start;
}

/* Keep the last record of each call. */
static void unite(tt_spool_facts *f)
{
    size_t kept = 0;
    TT_SORT_BY(f->calls.at, f->calls.n, TT_ASC(tt_spool_call_slice, call.id), TT_ASC(tt_spool_call_slice, order));
    for (size_t i = 0; i < f->calls.n; i++) {
        if (i + 1 < f->calls.n && f->calls.at[i + 1].call.id == f->calls.at[i].call.id) continue;
        f->calls.at[kept++] = f->calls.at[i];
    }
    f->calls.n = kept;
}

static void set_times(tt_spool_call_slice *x, int64_t end)
{
    const tt_spool_call *c = &x->call;
    x->start = c->started ? c->started : c->enqueued;
    x->end = c->flags & TT_SPOOL_CALL_OPEN ? end : c->finished ? c->finished : x->start;
    if (x->end < x->start) x->end = x->start;
}

/* Kernels of several calls may run at once: begin a slice that would cross an earlier one of its row at its end. */
static void nest(tt_spool_facts *f)
{
    TT_VEC(int64_t) ends = {0};
    for (size_t i = 0; i < f->calls.n; i++) {
        tt_spool_call_slice *x = &f->calls.at[i];
        if (!i || f->calls.at[i - 1].row != x->row) ends.n = 0;
        while (ends.n && ends.at[ends.n - 1] < x->end) {
            if (ends.at[ends.n - 1] > x->start) x->start = ends.at[ends.n - 1];
            ends.n--;
        }
        *tt_vec_push(&ends) = x->end;
    }
    tt_vec_free(&ends);
}

static void add_slice(spool *s, size_t i)
{
    const tt_spool_call_slice *x = &s->f.calls.at[i];
    const char *name = tt_spool_string(&s->f, x->call.h.a);
    uint32_t sid = tt_build_name(&s->b, name, strlen(name)),
             cat = tt_build_name(&s->b, TT_SPOOL_CALL_CATEGORY, sizeof TT_SPOOL_CALL_CATEGORY - 1);
    uint64_t place = TT_SPOOL_CALL + i;
    char row[24];
    int64_t dur;
    int n = snprintf(row, sizeof row, "%" PRId64, x->row);
    if (!tt_build_span(&s->b, place, name, strlen(name), x->start, x->end, &dur)) return;
    tt_build_slice(&s->b, &(tt_slice_in){.offset = place,
                                         .ts = x->start,
                                         .dur = dur,
                                         .track = tt_build_track_of(&s->b, s->f.pid, strlen(s->f.pid), row, (size_t)n),
                                         .cat = tt_build_category(&s->b, cat, TT_KIND_OTHER),
                                         .name = sid});
}

void tt_spool_call_slices(spool *s)
{
    unite(&s->f);
    if (s->f.calls.n && s->f.end == INT64_MAX) s->f.end = 0; /* there are no other events */
    for (size_t i = 0; i < s->f.calls.n; i++) {
        tt_spool_call_slice *x = &s->f.calls.at[i];
        if (x->call.enqueued > s->f.end) s->f.end = x->call.enqueued;
        if (x->call.finished > s->f.end) s->f.end = x->call.finished;
        if (s->last.until > s->f.end && x->call.flags & TT_SPOOL_CALL_OPEN) s->f.end = s->last.until;
    }
    for (size_t i = 0; i < s->f.calls.n; i++) {
        tt_spool_call_slice *x = &s->f.calls.at[i];
        x->row = TT_SPOOL_CALL_ROW + 2 * (int64_t)x->call.comm + (x->call.flags & TT_SPOOL_CALL_PAIR ? 1 : 0);
        set_times(x, s->f.end);
    }
    TT_SORT_BY(s->f.calls.at, s->f.calls.n, TT_ASC(tt_spool_call_slice, row), TT_ASC(tt_spool_call_slice, start),
               TT_DESC(tt_spool_call_slice, end), TT_ASC(tt_spool_call_slice, call.id));
    nest(&s->f);
    for (size_t i = 0; i < s->f.calls.n; i++) add_slice(s, i);
}

bool tt_spool_call_row_name(const spool *s, int64_t tid, char *out, size_t cap)
{
    if (tid < TT_SPOOL_CALL_ROW) return false;
    int64_t number = (tid - TT_SPOOL_CALL_ROW) / 2;
    const tt_spool_comm *c = tt_spool_comm_of(&s->f, (uint32_t)number);
    const char *name = c ? tt_spool_string(&s->f, c->name) : "", *pairs = tid % 2 ? " send and receive" : "";
    char group[160], size[40] = "";
    snprintf(group, sizeof group, "%s", name);
    if (!*name && c && c->hash) snprintf(group, sizeof group, "%" PRIx64, c->hash);
    if (!*group) snprintf(group, sizeof group, "communicator %" PRId64, number);
    if (c && c->size > 0) snprintf(size, sizeof size, " (%" PRId32 " ranks)", c->size);
    snprintf(out, cap, "NCCL %s%s%s", group, size, pairs);
    return true;
}
