/* model/summary/stub.c - see stub.h. */
#include "model/summary/stub.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/summary/flight_block.h"
#include "model/summary/rows.h"
#include "model/trace/flight.h"

typedef struct kept_rows {
    char *key;
    tt_imported *rows; /* NULL: none, or damaged */
    const char *note;
    char *owned_note;
} kept_rows;

struct tt_summary {
    tt_attached as; /* first member: lets the trace free it */
    const tt_tts_source *source;
    tt_tts_calls calls;
    int64_t origin;
    pthread_mutex_t lock; /* guards the kept rows */
    TT_VEC(kept_rows *) kept;
};

const tt_tts_source *tt_summary_source(const tt_summary *x) { return x->source; }
const tt_tts_calls *tt_summary_calls(const tt_summary *x) { return &x->calls; }

static void summary_free(tt_attached *as)
{
    tt_summary *x = (tt_summary *)(void *)as;
    for (size_t i = 0; i < x->kept.n; i++) {
        tt_imported_free(x->kept.at[i]->rows);
        free(x->kept.at[i]->owned_note);
        free(x->kept.at[i]->key);
        free(x->kept.at[i]);
    }
    tt_vec_free(&x->kept);
    tt_tts_calls_free(&x->calls);
    pthread_mutex_destroy(&x->lock);
    tt_tts_free(x->source->file);
    free(x);
}

/* ---- rows ---- */

static kept_rows *read_rows(const tt_summary *x, const char *key)
{
    char id[128];
    tt_err err;
    tt_text bytes = {0};
    kept_rows *k = tt_calloc(1, sizeof *k);
    k->key = tt_strdup(key);
    snprintf(id, sizeof id, "table %s", key);
    const tt_tts_block *b = tt_tts_block_find(x->source, id);
    if (b && tt_tts_block_read(x->source, b, &bytes, &err) == TT_OK) {
        tt_wire in = {(const unsigned char *)bytes.at, (const unsigned char *)bytes.at + bytes.n, false};
        k->rows = tt_tts_get_rows(&in, x->origin, &k->note);
        if (!k->rows) k->note = k->owned_note = tt_strdup("What the summary has of it is damaged");
    } else if (b) {
        k->note = k->owned_note = tt_strdup(err.message);
    }
    tt_vec_free(&bytes);
    return k;
}

const tt_imported *tt_summary_rows(const tt_summary *cx, const char *key, const char **note)
{
    tt_summary *x = (tt_summary *)(uintptr_t)cx; /* the cache of rows is not part of the value */
    kept_rows *k = NULL;
    pthread_mutex_lock(&x->lock);
    for (size_t i = 0; i < x->kept.n && !k; i++)
        if (!strcmp(x->kept.at[i]->key, key)) k = x->kept.at[i];
    if (!k) *tt_vec_push(&x->kept) = k = read_rows(x, key);
    pthread_mutex_unlock(&x->lock);
    *note = k->note;
    return k->rows;
}

/* ---- slices ---- */

void tt_trace_columns_alloc(tt_trace *s);

enum { TRACK_STEPS, TRACK_CALLS, N_TRACKS, LANES = 16 };

typedef struct slice {
    int64_t t0, t1;
    tt_sid name;
    uint32_t of; /* index of the step or call */
} slice;

/* Add the slices of a track from row `at` on; overlapping ones get further display rows. */
static void put_track(tt_trace *s, int track, slice *list, uint32_t n, uint32_t at)
{
    int64_t busy[LANES];
    tt_track *t = &s->tracks[track];
    t->first = at;
    t->n = n;
    t->lanes = 1;
    t->has_layer[0] = n > 0;
    for (int i = 0; i < LANES; i++) busy[i] = INT64_MIN;
    TT_SORT_BY(list, n, TT_ASC(slice, t0), TT_DESC(slice, t1), TT_ASC(slice, of));
    for (uint32_t i = 0; i < n; i++) {
        uint16_t lane = 0;
        tt_row r = at + i;
        while (lane + 1 < LANES && busy[lane] > list[i].t0) lane++;
        busy[lane] = list[i].t1;
        s->start[r] = list[i].t0;
        s->dur[r] = list[i].t1 - list[i].t0;
        s->name[r] = list[i].name;
        s->cat[r] = (uint8_t)track;
        s->parent[r] = TT_NONE;
        s->depth[r] = lane;
        if (lane + 1u > t->depths) t->depths = lane + 1u;
    }
}

static void put_steps(tt_trace *s, slice *list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (p->row == TT_NONE) continue;
        int64_t t1 = p->host_end > p->host_start ? p->host_end : p->host_start;
        list[n++] = (slice){p->host_start, t1, p->row, i};
    }
    put_track(s, TRACK_STEPS, list, n, 0);
    for (uint32_t i = 0; i < n; i++) s->steps[list[i].of].row = i;
}

static void put_calls(tt_trace *s, tt_tts_calls *c, slice *list, uint32_t at)
{
    for (uint32_t i = 0; i < c->at.n; i++) {
        const tt_tts_call *x = &c->at.at[i];
        int64_t t0 = x->kernel != TT_UNKNOWN && x->kernel > x->start ? x->kernel : x->start;
        list[i] = (slice){t0, x->end > t0 ? x->end : t0, tt_strings_put(&s->strings, x->name, strlen(x->name)), i};
    }
    put_track(s, TRACK_CALLS, list, (uint32_t)c->at.n, at);
    for (uint32_t i = 0; i < c->at.n; i++) c->at.at[list[i].of].row = at + i;
}

static tt_sid text(tt_trace *s, const char *t) { return tt_strings_put(&s->strings, t, strlen(t)); }

static void put_slices(tt_trace *s, tt_tts_calls *c)
{
    static const struct {
        const char *name, *category;
        tt_kind kind;
    } tracks[N_TRACKS] = {{"Steps", "user_annotation", TT_KIND_STEP},
                          {"Collectives", "communication", TT_KIND_COMMUNICATION}};
    uint32_t steps = 0;
    for (uint32_t i = 0; i < s->n_steps; i++) steps += s->steps[i].row != TT_NONE;
    slice *list = tt_malloc((steps + c->at.n + 1) * sizeof *list);
    s->n = steps + (uint32_t)c->at.n;
    tt_trace_columns_alloc(s);
    s->processes = tt_calloc(1, sizeof *s->processes);
    s->n_processes = 1;
    s->processes[0] = (tt_process){.pid = text(s, s->worker), .device = -1};
    s->tracks = tt_calloc(N_TRACKS, sizeof *s->tracks);
    s->n_tracks = N_TRACKS;
    s->n_cats = N_TRACKS;
    for (int i = 0; i < N_TRACKS; i++) {
        s->tracks[i] = (tt_track){.pid = s->processes[0].pid,
                                  .tid = text(s, tracks[i].name),
                                  .name = text(s, tracks[i].name),
                                  .kind = TT_TRACK_THREAD,
                                  .device = -1,
                                  .stream = -1};
        s->cats[i] = (tt_category){text(s, tracks[i].category), tracks[i].kind};
        s->kind_of[i] = (uint8_t)tracks[i].kind;
    }
    put_steps(s, list);
    put_calls(s, c, list, steps);
    free(list);
}

/* ---- the trace ---- */

static void put_imported(tt_trace *s, const tt_tts_source *source)
{
    for (uint32_t i = 0; i < source->n_blocks; i++) {
        tt_text bytes = {0};
        tt_err err = {.offset = (int64_t)(source->body + source->blocks[i].at)};
        if (strncmp(source->blocks[i].id, "imported ", 9) != 0) continue;
        tt_status st = tt_tts_block_read(source, &source->blocks[i], &bytes, &err);
        tt_wire in = {(const unsigned char *)bytes.at, (const unsigned char *)bytes.at + bytes.n, false};
        tt_imported *t = st == TT_OK ? tt_tts_get_imported(&in) : NULL;
        if (t)
            tt_trace_import(s, t);
        else
            tt_tts_report_damage(&s->problems, source->blocks[i].id, &err);
        tt_vec_free(&bytes);
    }
}

static void put_flight(tt_trace *s, const tt_tts_source *source)
{
    tt_text bytes = {0};
    tt_err err = {.offset = (int64_t)source->body};
    const tt_tts_block *b = tt_tts_block_find(source, TT_TTS_FLIGHT);
    if (!b) return;
    if (tt_tts_block_read(source, b, &bytes, &err) == TT_OK) {
        tt_wire in = {(const unsigned char *)bytes.at, (const unsigned char *)bytes.at + bytes.n, false};
        s->flight = tt_tts_get_flight(&in, s);
    }
    if (s->flight && !tt_flight_alone(s->flight)) {
        s->calls = s->flight;
        s->flight = NULL;
        tt_vec_free(&bytes);
        return;
    }
    if (!s->flight) tt_tts_report_damage(&s->problems, TT_TTS_FLIGHT, &err);
    tt_vec_free(&bytes);
}

static tt_status read_calls(const tt_tts_source *source, tt_trace *s, tt_tts_calls *c, tt_err *err)
{
    tt_text bytes = {0};
    const tt_tts_block *b = tt_tts_block_find(source, TT_TTS_CALLS);
    tt_status st = b ? tt_tts_block_read(source, b, &bytes, err) : TT_ERR_INPUT;
    tt_wire in = {(const unsigned char *)bytes.at, (const unsigned char *)bytes.at + bytes.n, false};
    if (!b || (st == TT_OK && !tt_tts_get_calls(&in, s, c)))
        st = tt_fail(err, TT_ERR_INPUT, (int64_t)source->body,
                     "%s: what it has of %s is damaged; summarise that recording again", source->file->path,
                     source->path);
    tt_vec_free(&bytes);
    return st;
}

tt_status tt_summary_trace(const tt_tts_source *source, const tt_format_info *format, const char *worker,
                           const char *span, tt_trace **out, tt_err *err)
{
    tt_trace *s = tt_calloc(1, sizeof *s);
    tt_summary *x = tt_calloc(1, sizeof *x);
    x->as.free = summary_free;
    x->source = source;
    tt_tts_ref(source->file);
    pthread_mutex_init(&x->lock, NULL);
    s->summary = &x->as;
    s->path = tt_strdup(source->path);
    s->worker = tt_strdup(worker);
    s->span = tt_strdup(span);
    s->format = format;
    s->rules = &tt_rules_chrome;
    s->rank = source->rank;
    s->end = source->end;
    s->n_events = source->events;
    tt_strings_init(&s->strings);
    *out = NULL;
    tt_status st = read_calls(source, s, &x->calls, err);
    if (st != TT_OK) {
        tt_trace_free(s);
        return st;
    }
    s->n_op_args = s->n_shapes = 1; /* entry 0 means nothing */
    s->op_args = tt_calloc(1, sizeof *s->op_args);
    s->shapes = tt_calloc(1, sizeof *s->shapes);
    put_slices(s, &x->calls);
    s->slices_summarised = source->slices > s->n ? source->slices - s->n : 0;
    x->origin = s->origin_ns;
    put_imported(s, source);
    put_flight(s, source);
    *out = s;
    return TT_OK;
}

tt_status tt_summary_in_place_of(const tt_trace *s, const tt_tts_source *source, tt_trace **out, tt_err *err)
{
    return tt_summary_trace(source, s->format, s->worker, s->span, out, err);
}
