/* tui/timeline/timeline.c - the tracks of a session as nodes and lines, and the window in time.
 *
 * The order: workers as the session has them; in a worker the host processes, the devices, then the profiler's own
 * rows; in each what the file's sort indices say, else the numbers in the names. */
#include "tui/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/widgets/ruler.h"

/* ---- building the nodes ---- */

static int64_t number_of(const char *s)
{
    char *end;
    long long v = strtoll(s, &end, 10);
    return end != s && *end == '\0' ? v : INT64_MAX;
}

typedef struct order {
    int64_t rank, sort, number;
    uint32_t index;
} order;

static int by_order(const void *a, const void *b)
{
    const order *x = a, *y = b;
    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    if (x->sort != y->sort) {
        return x->sort < y->sort ? -1 : 1;
    }
    if (x->number != y->number) {
        return x->number < y->number ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static uint32_t add_node(tt_timeline *t, tt_timeline_row_kind kind, uint32_t trace, uint32_t index, uint32_t parent)
{
    tt_timeline_row *n = tt_vec_push(&t->nodes);
    *n = (tt_timeline_row){.kind = kind, .trace = trace, .index = index, .parent = parent};
    n->level = parent == TT_NONE ? 0 : (uint8_t)(t->nodes.at[parent].level + 1);
    n->end = (uint32_t)t->nodes.n;
    for (uint32_t p = parent; p != TT_NONE; p = t->nodes.at[p].parent) {
        t->nodes.at[p].end = (uint32_t)t->nodes.n;
    }
    return (uint32_t)t->nodes.n - 1;
}

/* What belongs to each process of a trace: tracks, series of counters, instants; each list in the order of the
 * trace. */
enum { TRACKS, SERIES, INSTANTS, KINDS };

typedef struct members {
    const tt_trace *s;
    uint32_t *first[KINDS]; /* by process, and one more */
    uint32_t *item[KINDS];
} members;

static uint32_t process_of(const tt_trace *s, int kind, uint32_t i)
{
    switch (kind) {
    case TRACKS: return s->tracks[i].process;
    case SERIES: return s->series[i].process;
    default: return s->tracks[s->instants[i].track].process;
    }
}

static members members_of(const tt_trace *s)
{
    members m = {.s = s};
    const uint32_t n[KINDS] = {s->n_tracks, s->n_series, s->n_instants};
    for (int k = 0; k < KINDS; k++) {
        uint32_t *first = m.first[k] = tt_calloc(s->n_processes + (size_t)2, sizeof *first);
        m.item[k] = tt_malloc((n[k] + (size_t)1) * sizeof *m.item[k]);
        for (uint32_t i = 0; i < n[k]; i++) {
            first[process_of(s, k, i) + 2]++;
        }
        for (uint32_t p = 2; p <= s->n_processes; p++) {
            first[p] += first[p - 1];
        }
        for (uint32_t i = 0; i < n[k]; i++) { /* first[p + 1] runs from the beginning of the list of p to its end */
            m.item[k][first[process_of(s, k, i) + 1]++] = i;
        }
    }
    return m;
}

static void members_free(members *m)
{
    for (int k = 0; k < KINDS; k++) {
        free(m->first[k]);
        free(m->item[k]);
    }
}

#define EACH_MEMBER(m, kind, process, i)                                                                               \
    for (const uint32_t *i = (m)->item[kind] + (m)->first[kind][process],                                              \
                        *end_ = (m)->item[kind] + (m)->first[kind][(process) + 1];                                     \
         i < end_; i++)

/* Whether a process has anything to show, and whether that is nothing but the profiler's own rows, or instants. */
static bool is_used(const members *m, uint32_t process, bool *meta)
{
    bool used = m->first[INSTANTS][process] < m->first[INSTANTS][process + 1];
    *meta = true;
    EACH_MEMBER(m, TRACKS, process, i)
    {
        used |= m->s->tracks[*i].n > 0;
        *meta &= m->s->tracks[*i].n == 0 || m->s->tracks[*i].kind == TT_TRACK_META;
    }
    EACH_MEMBER(m, SERIES, process, i)
    {
        used |= m->s->series[*i].n > 0;
        *meta &= m->s->series[*i].n == 0;
    }
    return used;
}

static void add_tracks(tt_timeline *t, uint32_t trace, const members *m, uint32_t process, uint32_t parent)
{
    const tt_trace *s = m->s;
    TT_VEC(order) found = {0};
    int64_t pid = number_of(tt_str(&s->strings, s->processes[process].pid));
    EACH_MEMBER(m, TRACKS, process, i)
    {
        const tt_track *track = &s->tracks[*i];
        if (track->n == 0) {
            continue;
        }
        int64_t tid = number_of(tt_str(&s->strings, track->tid));
        int64_t rank =
            track->kind == TT_TRACK_THREAD && tid == pid ? 0 : 1 + (int64_t)track->kind; /* the main thread first */
        *tt_vec_push(&found) = (order){rank, track->has_sort_index ? track->sort_index : tid, tid, *i};
    }
    if (found.n > 0) {
        qsort(found.at, found.n, sizeof *found.at, by_order);
    }
    for (size_t i = 0; i < found.n; i++) {
        uint32_t n = add_node(t, TT_TIMELINE_TRACK, trace, found.at[i].index, parent);
        t->nodes.at[n].device = s->tracks[found.at[i].index].kind == TT_TRACK_STREAM;
        t->track_node[trace][found.at[i].index] = n;
    }
    tt_vec_free(&found);
}

static void add_counters(tt_timeline *t, uint32_t trace, const members *m, uint32_t process, uint32_t parent)
{
    const tt_trace *s = m->s;
    EACH_MEMBER(m, SERIES, process, i)
    {
        const tt_series *c = &s->series[*i];
        if (c->n == 0) {
            continue;
        }
        uint32_t id = add_node(t, TT_TIMELINE_COUNTER, trace, *i, parent);
        tt_timeline_row *n = &t->nodes.at[id];
        n->high = s->samples[c->first].value;
        n->peaks = tt_calloc(c->n / TT_PEAK + 1, sizeof *n->peaks);
        for (uint32_t k = c->first; k < c->first + c->n; k++) {
            double v = s->samples[k].value;
            n->low = v < n->low ? v : n->low; /* 0 belongs to the range */
            n->high = v > n->high ? v : n->high;
            double *peak = &n->peaks[(k - c->first) / TT_PEAK];
            *peak = (k - c->first) % TT_PEAK == 0 || v > *peak ? v : *peak;
        }
    }
}

/* One row with the instants of the process's tracks. */
static void add_instants(tt_timeline *t, uint32_t trace, const members *m, uint32_t process, uint32_t parent)
{
    uint32_t count = m->first[INSTANTS][process + 1] - m->first[INSTANTS][process];
    if (count == 0) {
        return;
    }
    uint32_t id = add_node(t, TT_TIMELINE_INSTANTS, trace, process, parent);
    tt_timeline_row *n = &t->nodes.at[id];
    n->instants = tt_malloc(count * sizeof *n->instants);
    EACH_MEMBER(m, INSTANTS, process, i) { n->instants[n->n_instants++] = *i; }
}

static void add_processes(tt_timeline *t, uint32_t trace, uint32_t parent)
{
    const tt_trace *s = t->session->traces[trace];
    TT_VEC(order) found = {0};
    members m = members_of(s);
    for (uint32_t p = 0; p < s->n_processes; p++) {
        const tt_process *x = &s->processes[p];
        bool meta;
        if (!is_used(&m, p, &meta)) {
            continue;
        }
        int64_t number = number_of(tt_str(&s->strings, x->pid));
        int64_t rank = x->device >= 0 ? 1 : meta ? 2 : 0;
        *tt_vec_push(&found) = (order){rank, x->has_sort_index ? x->sort_index : number, number, p};
    }
    if (found.n > 0) {
        qsort(found.at, found.n, sizeof *found.at, by_order);
    }
    uint32_t devices = 0;
    for (size_t i = 0; i < found.n; i++) {
        uint32_t p = found.at[i].index, n = add_node(t, TT_TIMELINE_PROCESS, trace, p, parent);
        bool device = s->processes[p].device >= 0;
        t->nodes.at[n].device = device;
        devices += device;
        t->nodes.at[n].meta = found.at[i].rank == 2;
        t->nodes.at[n].collapsed = found.at[i].rank == 2 || (device && devices > 2);
        add_tracks(t, trace, &m, p, n);
        add_counters(t, trace, &m, p, n);
        add_instants(t, trace, &m, p, n);
    }
    tt_vec_free(&found);
    members_free(&m);
}

/* Tracks of a subtree for its busy row: those of devices where it has any, else those of hosts. */
static tt_lod_union *group_of(const tt_timeline *t, tt_lod **lods, uint32_t from, uint32_t to)
{
    TT_VEC(tt_lod_member) m = {0};
    for (int device = 1; device >= 0 && m.n == 0; device--) {
        for (uint32_t i = from; i < to; i++) {
            const tt_timeline_row *n = &t->nodes.at[i];
            if (n->kind == TT_TIMELINE_TRACK && n->device == device) {
                const tt_trace *s = t->session->traces[n->trace];
                *tt_vec_push(&m) = (tt_lod_member){lods[n->trace], s, n->index, t->session->offset_ns[n->trace]};
            }
        }
    }
    tt_lod_union *g = tt_lod_union_new(m.at, (uint32_t)m.n);
    tt_vec_free(&m);
    return g;
}

void tt_timeline_index_open(const tt_timeline *t, tt_timeline_index *x)
{
    x->lods = tt_calloc(t->session->n_traces + (size_t)1, sizeof *x->lods);
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        x->lods[i] = tt_lod_new_filtered(t->session->traces[i], x->filters ? &x->filters[i] : NULL);
    }
    x->groups = tt_calloc(t->nodes.n + 1, sizeof *x->groups);
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        if (t->nodes.at[i].kind <= TT_TIMELINE_PROCESS) {
            x->groups[i] = group_of(t, x->lods, i, t->nodes.at[i].end);
        }
    }
    x->overview = group_of(t, x->lods, 0, (uint32_t)t->nodes.n);
}

void tt_timeline_index_build(const tt_timeline *t, tt_timeline_index *x, const atomic_bool *stop)
{
    for (uint32_t i = 0; i < t->session->n_traces && !atomic_load(stop); i++) {
        tt_lod_build(x->lods[i], 0, stop);
    }
    if (!atomic_load(stop)) {
        tt_lod_union_build(x->overview, stop);
    }
    for (size_t i = 0; i < t->nodes.n && !atomic_load(stop); i++) {
        if (x->groups[i]) {
            tt_lod_union_build(x->groups[i], stop);
        }
    }
}

void tt_timeline_index_close(const tt_timeline *t, tt_timeline_index *x)
{
    for (size_t i = 0; i < t->nodes.n; i++) {
        tt_lod_union_free(x->groups[i]);
    }
    tt_lod_union_free(x->overview);
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        tt_lod_free(x->lods[i]);
    }
    free(x->groups);
    free(x->lods);
}

void tt_timeline_index_use(tt_timeline *t, const tt_timeline_index *x)
{
    t->lods = x->lods;
    t->overview = x->overview;
    for (size_t i = 0; i < t->nodes.n; i++) {
        t->nodes.at[i].group = x->groups[i];
    }
    t->serial++;
}

tt_timeline *tt_timeline_new(tt_session *s)
{
    tt_timeline *t = tt_calloc(1, sizeof *t);
    t->session = s;
    t->track_node = tt_calloc(s->n_traces + (size_t)1, sizeof *t->track_node);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        t->track_node[i] = tt_malloc((s->traces[i]->n_tracks + (size_t)1) * sizeof **t->track_node);
        for (uint32_t k = 0; k < s->traces[i]->n_tracks; k++) {
            t->track_node[i][k] = TT_NONE;
        }
        uint32_t worker = s->n_traces > 1 ? add_node(t, TT_TIMELINE_WORKER, i, i, TT_NONE) : TT_NONE;
        if (worker != TT_NONE) {
            t->nodes.at[worker].collapsed = i > 0;
        }
        add_processes(t, i, worker);
    }
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        t->nodes.at[i].folded_first = t->nodes.at[i].collapsed;
    }
    tt_timeline_index_open(t, &t->full);
    tt_timeline_index_use(t, &t->full);
    t->sel.row = TT_NONE;
    t->wait_from = UINT32_MAX;
    t->mark_a = t->mark_b = t->placed = TT_UNKNOWN;
    t->cols = 80;
    t->rows = 20;
    tt_timeline_layout(t);
    tt_timeline_whole(t);
    t->at = t->t0 + (t->t1 - t->t0) / 2;
    while (t->line + 1 < t->lines.n && t->lines.at[t->line].depth == TT_NONE) {
        t->line++;
    }
    return t;
}

void tt_timeline_free(tt_timeline *t)
{
    if (!t) {
        return;
    }
    tt_timeline_match(t, NULL, false);
    tt_timeline_filter_free(t->filter);
    tt_timeline_index_close(t, &t->full);
    for (size_t i = 0; i < t->nodes.n; i++) {
        free(t->nodes.at[i].instants);
        free(t->nodes.at[i].peaks);
    }
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        free(t->track_node[i]);
    }
    free(t->track_node);
    tt_vec_free(&t->nodes);
    tt_vec_free(&t->lines);
    tt_vec_free(&t->bookmarks);
    free(t);
}

bool tt_timeline_indexed(const tt_timeline *t, uint32_t trace, uint32_t track)
{
    return t->session->traces[trace]->tracks[track].n < t->wait_from || !atomic_load(&((tt_timeline *)t)->preparing) ||
           tt_lod_ready(t->lods[trace], track);
}

void tt_timeline_prepare(tt_timeline *t, const atomic_bool *stop)
{
    atomic_store(&t->preparing, true);
    tt_timeline_index_build(t, &t->full, stop);
    atomic_store(&t->preparing, false);
}

/* ---- time ---- */

static tt_ruler axis_of(const tt_timeline *t) { return (tt_ruler){.t0 = t->t0, .t1 = t->t1, .w = t->cols}; }

int64_t tt_timeline_edge(const tt_timeline *t, int col)
{
    tt_ruler axis = axis_of(t);
    return tt_ruler_edge(&axis, col);
}

int tt_timeline_col(const tt_timeline *t, int64_t at)
{
    tt_ruler axis = axis_of(t);
    return tt_ruler_col(&axis, at);
}

void tt_timeline_window(tt_timeline *t, int64_t t0, int64_t t1)
{
    int64_t end = t->session->end_ns > 0 ? t->session->end_ns : 1;
    int64_t most = end + end / 20, least = t->cols > 8 ? t->cols : 8;
    int64_t span = t1 - t0;
    if (span > most) {
        t0 -= (most - span) / 2;
        span = most;
    }
    if (span < least) {
        t0 -= (least - span) / 2;
        span = least;
    }
    int64_t slack = span / 20; /* a little beyond both ends */
    t0 = t0 > end + slack - span ? end + slack - span : t0;
    t0 = t0 < -slack ? -slack : t0;
    t->t0 = t0;
    t->t1 = t0 + span;
}

static int64_t scaled(int64_t v, int num, int den) { return (int64_t)((__int128)v * num / den); }

void tt_timeline_zoom(tt_timeline *t, int num, int den)
{
    int64_t focus = t->at, a, b;
    if (tt_timeline_has_sel(t)) {
        a = tt_timeline_start(t, t->sel);
        b = tt_timeline_end(t, t->sel);
        if ((focus < a || focus >= b) && a < t->t1 && b >= t->t0) { /* the middle of what is seen of it */
            a = a > t->t0 ? a : t->t0;
            b = b < t->t1 ? b : t->t1;
            focus = a + (b - a) / 2;
        }
    }
    if (focus < t->t0 || focus > t->t1) {
        focus = t->t0 + (t->t1 - t->t0) / 2;
    }
    t->at = focus;
    tt_timeline_window(t, focus - scaled(focus - t->t0, num, den), focus + scaled(t->t1 - focus, num, den));
}

void tt_timeline_pan(tt_timeline *t, int quarters)
{
    int64_t by = scaled(t->t1 - t->t0, quarters, 4), was = t->t0;
    tt_timeline_window(t, t->t0 + by, t->t1 + by);
    t->at += t->t0 - was; /* the cursor stays where it is on the screen */
}

bool tt_timeline_navigate(tt_timeline *t, tt_action a)
{
    int num, den, quarters = tt_action_pans(a);
    bool zooms = tt_action_zooms(a, &num, &den);
    if (zooms) tt_timeline_zoom(t, num, den);
    if (quarters) tt_timeline_pan(t, quarters);
    return zooms || quarters;
}

void tt_timeline_whole(tt_timeline *t) { tt_timeline_window(t, 0, t->session->end_ns); }

/* ---- labels ---- */

static void process_label(const tt_trace *s, const tt_process *p, char *out, size_t cap)
{
    const char *name = tt_str(&s->strings, p->name), *pid = tt_str(&s->strings, p->pid);
    if (p->device < 0) {
        bool bare = !*name && number_of(pid) != INT64_MAX;
        snprintf(out, cap, "%s%s%s", bare ? "process" : name, (*name || bare) && *pid ? " " : "",
                 *pid    ? pid
                 : *name ? ""
                         : "no process");
        return;
    }
    const char *model = "";
    for (uint32_t i = 0; i < s->n_devices; i++) {
        model = s->devices[i].id == p->device ? tt_str(&s->strings, s->devices[i].name) : model;
    }
    model = strncmp(model, "NVIDIA ", 7) == 0 ? model + 7 : model;
    /* Where the label is no more than the kind of device, the name says which part of it this is. */
    if (!strcmp(tt_str(&s->strings, p->labels), s->rules->device)) model = name;
    snprintf(out, cap, "%s %d%s%s", s->rules->device, (int)p->device, *model ? " " : "", model);
}

static void track_label(const tt_trace *s, const tt_track *k, char *out, size_t cap)
{
    const char *name = tt_str(&s->strings, k->name), *tid = tt_str(&s->strings, k->tid);
    const char *open = strncmp(name, "thread ", 7) == 0 ? strstr(name, " (") : NULL;
    size_t n = strlen(name);
    if (open && open[2] != ')' && name[n - 1] == ')') { /* "thread 2014 (python)": what it is first */
        snprintf(out, cap, "%.*s %.*s", (int)(n - 3 - (size_t)(open - name)), open + 2, (int)(open - name - 7),
                 name + 7);
    } else if (k->kind == TT_TRACK_STREAM && k->stream >= 0) {
        snprintf(out, cap, "stream %lld", (long long)k->stream);
    } else if (strcmp(name, tid) == 0) {
        snprintf(out, cap, number_of(tid) == INT64_MAX ? "%s" : "thread %s", tid);
    } else if (strstr(name, tid) || !*tid || (k->kind == TT_TRACK_THREAD && s->processes[k->process].device >= 0)) {
        /* a row beside the streams of a device is no thread: its number says nothing */
        snprintf(out, cap, "%s", name);
    } else {
        snprintf(out, cap, "%s %s", name, tid);
    }
}

void tt_timeline_label(const tt_timeline *t, const tt_timeline_row *n, char *out, size_t cap)
{
    const tt_trace *s = t->session->traces[n->trace];
    switch (n->kind) {
    case TT_TIMELINE_WORKER: snprintf(out, cap, t->session->n_spans > 1 ? "%s %s" : "%s", s->worker, s->span); break;
    case TT_TIMELINE_PROCESS: process_label(s, &s->processes[n->index], out, cap); break;
    case TT_TIMELINE_TRACK: track_label(s, &s->tracks[n->index], out, cap); break;
    case TT_TIMELINE_COUNTER: {
        const char *name = tt_str(&s->strings, s->series[n->index].name),
                   *key = tt_str(&s->strings, s->series[n->index].key),
                   *id = tt_str(&s->strings, s->series[n->index].id);
        bool whose = *id && strcmp(id, key) != 0; /* some writers give both the same number */
        snprintf(out, cap, "%s%s%s%s%s", name, strcmp(name, key) && *key ? " " : "", strcmp(name, key) ? key : "",
                 whose ? " id " : "", whose ? id : "");
        break;
    }
    case TT_TIMELINE_INSTANTS: snprintf(out, cap, "instants"); break;
    }
}
