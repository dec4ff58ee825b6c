/* model/build/finish/split.c - splits the rows of one trace into several: see split.h. Every list is walked once, in
 * order, so the parts keep the order of the whole. */
#include "model/build/finish/split.h"

#include <stdlib.h>
#include <string.h>

#include "model/build/finish/split_internal.h"
#include "model/build/processes.h"

/* ---- the part of every row ---- */

static void part_of_stream(tt_split *x, uint32_t t, const uint32_t *world)
{
    const tt_trace *s = x->s;
    const tt_track *track = &s->tracks[t];
    uint32_t own = x->of_process[track->process], last = own != TT_NONE ? own : 0;
    bool first = true;
    for (tt_row r = track->first; r < track->first + track->n; r++) {
        uint32_t part = last;
        if (x->by_entry && own != TT_NONE) {
            part = own;
        } else if (tt_row_dev(s, r)) {
            uint32_t p = world[s->detail[r]];
            if (p < s->n_processes && x->of_process[p] != TT_NONE) part = x->of_process[p];
        }
        x->of_row[r] = last = part;
        if (first) x->of_track[t] = part;
        first = false;
    }
    if (first) x->of_track[t] = last;
}

static void place_rows(tt_split *x)
{
    const tt_trace *s = x->s;
    uint32_t *world = tt_processes_of_devices(s);
    x->of_track = tt_calloc(s->n_tracks + 1u, sizeof *x->of_track);
    x->of_row = tt_malloc(s->n * sizeof *x->of_row);
    x->now = tt_malloc(s->n * sizeof *x->now);
    x->order = tt_malloc(s->n * sizeof *x->order);
    x->first = tt_calloc(x->n + 2u, sizeof *x->first);
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        const tt_track *track = &s->tracks[t];
        if (track->kind == TT_TRACK_STREAM) {
            part_of_stream(x, t, world);
            continue;
        }
        uint32_t part = x->of_process[track->process];
        x->of_track[t] = part != TT_NONE ? part : 0;
        for (tt_row r = track->first; r < track->first + track->n; r++) x->of_row[r] = x->of_track[t];
    }
    for (tt_row r = 0; r < s->n; r++) x->first[x->of_row[r] + 2]++;
    for (uint32_t p = 2; p <= x->n + 1; p++) x->first[p] += x->first[p - 1];
    for (tt_row r = 0; r < s->n; r++) {
        uint32_t p = x->of_row[r];
        x->order[x->first[p + 1]++] = r;
    }
    for (uint32_t p = 0; p < x->n; p++)
        for (tt_row i = x->first[p]; i < x->first[p + 1]; i++) x->now[x->order[i]] = i - x->first[p];
    free(world);
}

/* ---- the text, shared ---- */

typedef struct shared_text {
    tt_text_source *source;
    _Atomic uint32_t refs;
} shared_text;

typedef struct share {
    tt_text_source as;
    shared_text *of;
} share;

static int64_t share_read(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    tt_text_source *source = ((share *)(void *)self)->of->source;
    return source->read(source, offset, out, cap);
}

static const char *share_whole_name(const tt_text_source *self, uint64_t offset)
{
    const tt_text_source *source = ((const share *)(const void *)self)->of->source;
    return source->whole_name(source, offset);
}

static void share_close(tt_text_source *self)
{
    shared_text *of = ((share *)(void *)self)->of;
    free(self);
    if (--of->refs) return;
    of->source->close(of->source);
    free(of);
}

static void share_text(tt_split *x)
{
    if (!x->s->text) return;
    shared_text *of = tt_malloc(sizeof *of);
    of->source = x->s->text;
    of->refs = x->n;
    x->s->text = NULL;
    for (uint32_t p = 0; p < x->n; p++) {
        share *one = tt_malloc(sizeof *one);
        *one = (share){{.read = share_read,
                        .close = share_close,
                        .single = of->source->single,
                        .whole_name = of->source->whole_name ? share_whole_name : NULL},
                       of};
        x->part[p]->text = &one->as;
    }
}

/* ---- all together ---- */

tt_trace **tt_trace_split(tt_trace *s, const tt_split_entry *entries, uint32_t n_entries, uint32_t *n)
{
    tt_split x = {.s = s};
    tt_split_plan(&x, entries, n_entries);
    *n = x.n < 2 ? 1 : x.n;
    x.part = tt_malloc(*n * sizeof(tt_trace *));
    if (x.n < 2) {
        x.part[0] = s;
    } else {
        for (uint32_t p = 0; p < x.n; p++) x.part[p] = tt_calloc(1, sizeof(tt_trace));
        place_rows(&x);
        tt_split_deal(&x);
        tt_split_fill(&x);
        share_text(&x);
        x.part[0]->problems = s->problems;
        x.part[0]->imported = s->imported; /* they name no worker */
        x.part[0]->n_imported = s->n_imported;
        s->imported = NULL;
        s->n_imported = 0;
        tt_trace_free(s);
    }
    tt_split_forget_names(&x);
    free(x.of_process);
    free(x.of_track);
    free(x.of_row);
    free(x.now);
    free(x.order);
    free(x.first);
    return x.part;
}
