/* model/tables/analysis/device/device_work.c - device work is collected by stream, sorted, and united by class. */
#include "model/tables/analysis/device/device_work.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/base/group_by.h"
#include "model/base/run/parallel.h"
#include "model/base/sort.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/trace/analysis_cache.h"

const char *const tt_work_class_name[TT_WORK_CLASS_COUNT_] = {"computation", "communication", "copy"};

typedef struct stream_key {
    int64_t device, number; /* number: TT_UNKNOWN = the tid identifies the stream */
    tt_sid tid;             /* 0 when the number identifies the stream */
    uint32_t group;         /* in order of first appearance */
} stream_key;

typedef struct work_build {
    const tt_trace *s;
    const tt_name_classes *names;
    TT_VEC(tt_work) items;
    TT_VEC(stream_key) keys;
    tt_groups groups;
    uint32_t last; /* key of the last stream */
    int32_t only;  /* result of only_device() */
    tt_device_work *out;
} work_build;

static tt_work_class class_of(const work_build *b, tt_row r)
{
    bool communicates = (tt_name_class(b->names, b->s, r) & TT_NAME_COMM_KERNEL) != 0;
    switch (tt_row_kind(b->s, r)) {
    case TT_KIND_COLLECTIVE: return TT_WORK_COMMUNICATION;
    case TT_KIND_MEMCPY:
    case TT_KIND_MEMSET: return TT_WORK_COPY;
    default: return communicates ? TT_WORK_COMMUNICATION : TT_WORK_COMPUTATION;
    }
}

/* The only device that work of the trace names; -1: none, or several. */
static int32_t only_device(const tt_trace *s)
{
    int32_t only = -1;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        int32_t device = s->dev[i].device;
        if (device < 0 || device == only) continue;
        if (only >= 0) return -1;
        only = device;
    }
    return only;
}

/* Stream of a piece of work, in order of first appearance. Work without a device belongs to the device that other
 * work of its track names, else to the only device. */
static uint32_t stream_of(work_build *b, const tt_activity *d)
{
    bool says_all = d->device >= 0 && d->stream != TT_UNKNOWN;
    const tt_track *tr = says_all ? NULL : &b->s->tracks[tt_row_track(b->s, d->row)];
    int32_t device = d->device >= 0 ? d->device : tr->device >= 0 ? tr->device : b->only;
    tt_sid tid = d->stream == TT_UNKNOWN ? tr->tid : 0;
    if (b->keys.n && b->keys.at[b->last].device == device && b->keys.at[b->last].number == d->stream &&
        b->keys.at[b->last].tid == tid)
        return b->last; /* work of a stream is contiguous in the trace */
    uint32_t at = tt_groups_put(&b->groups, (tt_group_key){(uint64_t)device, (uint64_t)d->stream, tid});
    if (at == b->keys.n) *tt_vec_push(&b->keys) = (stream_key){device, d->stream, tid, at};
    return b->last = at;
}

static int by_stream(const void *a, const void *b, void *arg)
{
    const tt_trace *s = arg;
    const stream_key *x = a, *y = b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return strcmp(tt_str(&s->strings, x->tid), tt_str(&s->strings, y->tid)); /* independent of the order in the file */
}

static int by_place(const void *a, const void *b)
{
    const tt_work *x = a, *y = b;
    if (x->stream != y->stream) return x->stream < y->stream ? -1 : 1;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static void collect(work_build *b)
{
    const tt_trace *s = b->s;
    tt_vec_reserve(&b->items, s->n_dev);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        b->out->of_activity[i] = TT_NONE;
        if (!tt_kind_is_work(tt_row_kind(s, d->row))) continue;
        *tt_vec_push(&b->items) = (tt_work){.start = s->start[d->row],
                                            .end = tt_row_end(s, d->row),
                                            .row = d->row,
                                            .launch = d->launch,
                                            .stream = stream_of(b, d),
                                            .of_class = class_of(b, d->row) & 0xffu};
    }
}

/* Sort streams and devices, still without their work; each item gets the index of its stream. */
static void make_streams(work_build *b)
{
    tt_device_work *w = b->out;
    uint32_t *place = tt_calloc(b->keys.n + 1, sizeof *place);
    if (b->keys.n) qsort_r(b->keys.at, b->keys.n, sizeof *b->keys.at, by_stream, (void *)(uintptr_t)b->s);
    w->streams = tt_calloc(b->keys.n + 1, sizeof *w->streams);
    w->devices = tt_calloc(b->keys.n + 1, sizeof *w->devices);
    for (size_t i = 0; i < b->keys.n; i++) {
        const stream_key *k = &b->keys.at[i];
        if (!i || k->device != k[-1].device)
            w->devices[w->n_devices++] = (tt_work_device){
                .id = k->device,
                .name = tt_arena_printf(&w->arena, "%s%" PRId64, b->s->rules->device, k->device < 0 ? 0 : k->device),
                .first_stream = (uint32_t)i};
        w->devices[w->n_devices - 1].n_streams++;
        w->streams[i] =
            (tt_work_stream){.device = w->n_devices - 1,
                             .name = k->number == TT_UNKNOWN ? tt_str(&b->s->strings, k->tid)
                                                             : tt_arena_printf(&w->arena, "%" PRId64, k->number)};
        place[k->group] = (uint32_t)i;
    }
    w->n_streams = (uint32_t)b->keys.n;
    for (size_t i = 0; i < b->items.n; i++) b->items.at[i].stream = place[b->items.at[i].stream];
    free(place);
}

static void put_in_order(work_build *b)
{
    tt_device_work *w = b->out;
    tt_sort_runs(b->items.at, b->items.n, sizeof *b->items.at, by_place);
    w->n = (uint32_t)b->items.n;
    w->at = b->items.at; /* the items are handed over */
    b->items.at = NULL;
    for (uint32_t i = 0; i < w->n; i++) {
        w->of_activity[b->s->detail[w->at[i].row]] = i;
        tt_work_stream *st = &w->streams[w->at[i].stream];
        tt_work_device *dev = &w->devices[st->device];
        if (!st->n++) st->first = i;
        if (!dev->n++) {
            dev->first = i;
            dev->start = INT64_MAX;
            dev->end = INT64_MIN;
        }
        if (w->at[i].start < dev->start) dev->start = w->at[i].start;
        if (w->at[i].end > dev->end) dev->end = w->at[i].end;
    }
}

/* Whether x starts earlier; of equal starts the lower row, whatever the order of events in the file. */
static bool starts_before(const tt_work *x, const tt_work *than)
{
    return x->start != than->start ? x->start < than->start : x->row < than->row;
}

/* Mark the first work to start of each call. */
static void find_firsts(const tt_trace *s, tt_device_work *w)
{
    tt_work *first = NULL;
    for (uint32_t i = 0; i < s->n_links; i++) { /* work of a call is contiguous */
        uint32_t at = w->of_activity[s->launched_activity[i]];
        if (at == TT_NONE) continue;
        if (first && first->launch == s->launch_row[i] && !starts_before(&w->at[at], first)) continue;
        if (first && first->launch == s->launch_row[i]) first->first = 0;
        first = &w->at[at];
        first->first = 1;
    }
}

/* One task per device and class; the last task of a device unites all of its work. */
static void unite(void *arg, size_t task)
{
    const tt_device_work *w = arg;
    tt_work_device *dev = &w->devices[task / (TT_WORK_CLASS_COUNT_ + 1)];
    uint32_t of_class = task % (TT_WORK_CLASS_COUNT_ + 1);
    TT_VEC(tt_ivs) sets = {0};
    for (uint32_t i = dev->first_stream; i < dev->first_stream + dev->n_streams; i++) {
        tt_ivs set = {0};
        for (const tt_work *x = w->at + w->streams[i].first, *end = x + w->streams[i].n; x < end; x++)
            if (x->end > x->start && (of_class == TT_WORK_CLASS_COUNT_ || x->of_class == of_class))
                tt_ivs_extend(&set, x->start, x->end);
        if (set.n) *tt_vec_push(&sets) = set;
    }
    *(of_class == TT_WORK_CLASS_COUNT_ ? &dev->busy : &dev->of[of_class]) = tt_ivs_unite(sets.at, sets.n);
    tt_vec_free(&sets);
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_device_work *w = tt_calloc(1, sizeof *w);
    work_build b = {.s = s, .names = tt_name_classes_get(session, trace), .only = only_device(s), .out = w};
    w->of_activity = tt_calloc(s->n_dev + (size_t)1, sizeof *w->of_activity);
    tt_groups_init(&b.groups);
    collect(&b);
    make_streams(&b);
    put_in_order(&b);
    find_firsts(s, w);
    tt_parallel(tt_threads(), (size_t)w->n_devices * (TT_WORK_CLASS_COUNT_ + 1), unite, w);
    tt_groups_free(&b.groups);
    tt_vec_free(&b.keys);
    return w;
}

static void release(void *value)
{
    tt_device_work *w = value;
    for (uint32_t i = 0; i < w->n_devices; i++) {
        tt_vec_free(&w->devices[i].busy);
        for (int k = 0; k < TT_WORK_CLASS_COUNT_; k++) tt_vec_free(&w->devices[i].of[k]);
    }
    free(w->at);
    free(w->streams);
    free(w->devices);
    free(w->of_activity);
    tt_arena_free(&w->arena);
    free(w);
}

const tt_device_work *tt_device_work_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"device work", build, release};
    return tt_analysis_get(s, trace, &kind);
}
