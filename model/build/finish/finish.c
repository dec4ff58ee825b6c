/* tt_build_finish(): builders in, trace out. The order of work is in finish_internal.h. */
#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"
#include "model/build/finish/finish.h"
#include "model/build/passes/track_parts.h"

/* Classify tracks: stream, thread, or the profiler's own row. */
static void classify_tracks(tt_finish *fin)
{
    tt_trace *s = fin->s;
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        tt_track *tr = &s->tracks[t];
        uint64_t n = 0, device = 0;
        for (uint32_t k = 0; k < fin->n_b; k++) {
            uint32_t l = fin->local_track[(size_t)t * fin->n_b + k];
            if (l == TT_NONE) continue;
            n += fin->b[k]->tracks.at[l].n;
            device += fin->b[k]->tracks.at[l].device_slices;
        }
        tr->n = (uint32_t)n;
        const char *pid = tt_str(&s->strings, tr->pid);
        if (tr->kind == TT_TRACK_ASYNC) continue;
        if (device && device * 2 >= n) {
            tr->kind = TT_TRACK_STREAM;
        } else if (!strcmp(pid, "Spans") || !strcmp(pid, "Traces") || !strcmp(pid, "-1")) {
            tr->kind = TT_TRACK_META;
        }
    }
}

static void name_tracks(tt_trace *s)
{
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        tt_track *tr = &s->tracks[t];
        const char *given = tt_str(&s->strings, tr->name), *tid = tt_str(&s->strings, tr->tid);
        size_t len = strlen(given);
        while (len && given[len - 1] == ' ') len--; /* "stream 7 " */
        if (len) {
            tr->name = tt_strings_put(&s->strings, given, len);
        } else if (tr->kind == TT_TRACK_STREAM || tr->kind == TT_TRACK_THREAD) {
            tt_arena a = {0};
            bool numeric = *tid >= '0' && *tid <= '9';
            const char *what = tr->kind == TT_TRACK_STREAM ? "stream" : "thread";
            const char *name = numeric ? tt_arena_printf(&a, "%s %s", what, tid) : *tid ? tid : what;
            tr->name = tt_strings_put(&s->strings, name, strlen(name));
            tt_arena_free(&a);
        } else {
            tr->name = *tid ? tr->tid : tt_strings_put(&s->strings, "?", 1);
        }
        if (tr->kind == TT_TRACK_STREAM && tr->device >= 0) s->processes[tr->process].device = tr->device;
    }
}

/* Sort position of a track: host processes, then devices, then the profiler's own rows; within these by sort index,
 * then by identity. */
struct position {
    int64_t process_sort, track_sort;
    const char *pid, *tid;
    uint32_t kind, track;
};

/* Compare ids: numbers by value, others by bytes ("stream 16" before "stream 7"). */
static int compare_ids(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    bool digits = *a >= '0' && *a <= '9' && *b >= '0' && *b <= '9';
    if (digits && la != lb) return la < lb ? -1 : 1; /* the shorter number is smaller */
    return strcmp(a, b);
}

static int position_order(const void *a, const void *b)
{
    const struct position *x = a, *y = b;
    if (x->process_sort != y->process_sort) return x->process_sort < y->process_sort ? -1 : 1;
    int c = compare_ids(x->pid, y->pid);
    if (c) return c;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->track_sort != y->track_sort) return x->track_sort < y->track_sort ? -1 : 1;
    c = compare_ids(x->tid, y->tid);
    return c ? c : x->track < y->track ? -1 : x->track > y->track;
}

#define SORT_DEVICE ((int64_t)5000000) /* sort index from which Kineto puts devices and its own rows */
#define SORT_META ((int64_t)0x1000000)

static void order_tracks(tt_finish *fin)
{
    tt_trace *s = fin->s;
    struct position *p = tt_malloc(s->n_tracks * sizeof *p);
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        const tt_track *tr = &s->tracks[t];
        const tt_process *pr = &s->processes[tr->process];
        int64_t group = tr->kind == TT_TRACK_STREAM ? SORT_DEVICE : tr->kind == TT_TRACK_META ? SORT_META : 0;
        p[t] = (struct position){.process_sort = pr->has_sort_index ? pr->sort_index : group,
                                 .track_sort = tr->has_sort_index ? tr->sort_index : 0,
                                 .pid = tt_str(&s->strings, tr->pid),
                                 .tid = tt_str(&s->strings, tr->tid),
                                 .kind = tr->kind,
                                 .track = t};
    }
    qsort(p, s->n_tracks, sizeof *p, position_order);
    tt_track *tracks = tt_malloc(s->n_tracks * sizeof *tracks);
    uint32_t *now = tt_malloc(s->n_tracks * sizeof *now);
    uint32_t *local = tt_malloc((size_t)s->n_tracks * fin->n_b * sizeof *local);
    for (uint32_t i = 0; i < s->n_tracks; i++) {
        tracks[i] = s->tracks[p[i].track];
        now[p[i].track] = i;
        memcpy(local + (size_t)i * fin->n_b, fin->local_track + (size_t)p[i].track * fin->n_b,
               fin->n_b * sizeof *local);
    }
    for (uint32_t k = 0; k < fin->n_b; k++) {
        for (size_t i = 0; i < fin->b[k]->tracks.n; i++) fin->map[k].track[i] = now[fin->map[k].track[i]];
    }
    free(s->tracks);
    free(fin->local_track);
    free(now);
    free(p);
    s->tracks = tracks;
    fin->local_track = local;
}

/* Sort processes by their first tracks, as reading order is random. Each process has a track. */
static void order_processes(tt_trace *s)
{
    uint32_t *now = tt_malloc((s->n_processes + (size_t)1) * sizeof *now), n = 0;
    tt_process *processes = tt_malloc((s->n_processes + (size_t)1) * sizeof *processes);
    for (uint32_t p = 0; p < s->n_processes; p++) now[p] = TT_NONE;
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        uint32_t *to = &now[s->tracks[t].process];
        if (*to == TT_NONE) {
            processes[n] = s->processes[s->tracks[t].process];
            *to = n++;
        }
        s->tracks[t].process = *to;
    }
    for (uint32_t i = 0; i < s->n_series; i++) s->series[i].process = now[s->series[i].process];
    free(s->processes);
    free(now);
    s->processes = processes;
}

static void reverse_tracks(tt_finish *fin)
{
    size_t n = (size_t)fin->s->n_tracks * fin->n_b;
    fin->local_track = tt_malloc(n * sizeof *fin->local_track);
    for (size_t i = 0; i < n; i++) fin->local_track[i] = TT_NONE;
    for (uint32_t k = 0; k < fin->n_b; k++) {
        for (size_t i = 0; i < fin->b[k]->tracks.n; i++) {
            fin->local_track[(size_t)fin->map[k].track[i] * fin->n_b + k] = (uint32_t)i;
        }
    }
}

static void run_steps_or_operators(void *arg, size_t i)
{
    if (i) {
        tt_finish_operators(arg);
    } else {
        tt_finish_steps(arg);
    }
}

/* Join the columns, and in parallel the other events. */
static void join_rows(tt_finish *fin)
{
    tt_trace *s = fin->s;
    uint32_t row = 0;
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        s->tracks[t].first = row;
        row += s->tracks[t].n;
    }
    s->n = row;
    tt_trace_columns_alloc(s);
    fin->rows = tt_calloc(s->n_tracks, sizeof *fin->rows);
    tt_finish_rows(fin);
}

static void count_crossing(tt_trace *s)
{
    uint64_t crossing = 0;
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        const tt_track *k = &s->tracks[t]; /* derived slices of concurrent work cross by nature */
        if (k->n && tt_row_kind(s, k->first) != TT_KIND_DERIVED) crossing += k->crossing;
    }
    tt_problem_add_n(&s->problems, TT_PROBLEM_CROSSING_SLICES, crossing, -1, "");
}

/* Report device work that never ended; the first piece is the example. */
static void count_unfinished(tt_trace *s)
{
    bool any = false;
    for (uint32_t k = 0; k < s->n_cats; k++) any |= s->cats[k].kind == TT_KIND_UNFINISHED;
    for (tt_row r = 0; any && r < s->n; r++) {
        const char *name = tt_row_name(s, r);
        if (tt_row_kind(s, r) == TT_KIND_UNFINISHED)
            tt_problem_add(&s->problems, TT_PROBLEM_UNFINISHED, (int64_t)tt_row_text(s, r), name, strlen(name));
    }
}

static void free_maps(tt_finish *fin)
{
    for (uint32_t k = 0; k < fin->n_b; k++) {
        tt_id_map *m = &fin->map[k];
        void *const all[] = {m->name, m->text, m->cat, m->wide, m->shape, m->op_args, m->coll, m->track, m->series};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    }
    for (uint32_t i = 0; i < fin->s->n_tracks; i++) {
        tt_vec_free(&fin->rows[i].launches);
        tt_vec_free(&fin->rows[i].steps);
    }
    free(fin->steps.role);
    free(fin->rows);
    free(fin->map);
    free(fin->b);
    free(fin->local_track);
}

static tt_trace *trace_from_header(tt_build_header *h)
{
    tt_trace *s = tt_calloc(1, sizeof *s);
    s->path = h->path, s->worker = h->worker, s->span = h->span;
    s->format = h->format, s->rules = h->rules;
    s->rank = h->rank, s->world_size = h->world_size;
    s->strings = h->strings;
    s->meta = h->meta.at, s->n_meta = (uint32_t)h->meta.n;
    s->devices = h->devices.at, s->n_devices = (uint32_t)h->devices.n;
    s->text_bytes = h->text_bytes;
    s->problems = h->problems;
    return s;
}

tt_trace *tt_build_finish(tt_builder *const *builders, uint32_t n, tt_build_header *header, const tt_build_codec *codec,
                          bool consume, unsigned threads)
{
    tt_builder pairs;
    tt_finish fin = {.s = trace_from_header(header),
                     .n_b = n + 1,
                     .consume = consume,
                     .threads = threads,
                     .jitter = header->jitter_ns,
                     .device = header->device < 0 || header->device > INT32_MAX ? -1 : (int32_t)header->device};
    tt_builder_init(&pairs);
    pthread_mutex_init(&fin.stocking, NULL);
    fin.b = tt_malloc(fin.n_b * sizeof *fin.b);
    memcpy(fin.b, builders, n * sizeof *fin.b);
    fin.b[n] = &pairs;
    fin.map = tt_calloc(fin.n_b, sizeof *fin.map);
    for (uint32_t k = 0; k < n; k++) fin.s->n_events += builders[k]->n_events;
    tt_finish_axis(&fin, header);
    tt_finish_ids(&fin, codec);
    fin.map[n].identity = true;
    tt_finish_pairs(&fin, &pairs);
    reverse_tracks(&fin);
    classify_tracks(&fin);
    order_tracks(&fin);
    order_processes(fin.s);
    join_rows(&fin);
    tt_finish_devices(&fin);
    tt_page_pool_free(&fin.stock);
    tt_finish_launches(&fin);
    tt_finish_overruns(&fin);
    count_crossing(fin.s);
    count_unfinished(fin.s);
    tt_finish_captured_calls(&fin);
    tt_parallel(threads, 2, run_steps_or_operators, &fin);
    tt_finish_flow_operators(fin.s);
    name_tracks(fin.s);
    pthread_mutex_destroy(&fin.stocking);
    tt_builder_free(&pairs);
    free_maps(&fin);
    return fin.s;
}

void tt_trace_choose_steps(tt_trace *s, tt_steps_source source)
{
    TT_VEC(tt_row) rows = {0};
    for (uint32_t i = 0; i < s->n_steps; i++)
        if (s->steps_source == TT_STEPS_PROFILER) *tt_vec_push(&rows) = s->steps[i].row;
    free(s->steps);
    free(s->step_spans);
    s->steps = NULL;
    s->n_steps = s->n_step_spans = 0;
    tt_trace_make_steps(s, rows.at, rows.n, source);
    tt_vec_free(&rows);
}
