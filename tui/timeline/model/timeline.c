/* tui/timeline/model/timeline.c - the tracks of a session as nodes and lines, and the window in time.
 *
 * The order: workers as the session has them; in a worker the devices, then the host processes - that which launches
 * most of the devices' work first, in each the thread that the steps are on, then that which launches most (often that
 * of the backward pass, which nobody reads a program from) - and the profiler's own rows. Where that says nothing, what
 * the file's sort indices say, else the numbers in the names. Of a host that launches work the other threads are folded
 * into one row, and so are processes that launch none. */
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/rows/curve_rows.h"
#include "tui/timeline/rows/evidence.h"
#include "tui/timeline/rows/path_overlay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/group_by.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/analysis/names/name_sums.h"
#include "tui/widgets/ruler.h"
#include "tui/widgets/short_names.h"

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
    tt_timeline_node *n = tt_vec_push(&t->nodes);
    *n = (tt_timeline_node){.kind = kind, .trace = trace, .index = index, .parent = parent};
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
    uint32_t *home;         /* by track: the process that it is shown in */
    uint32_t *launches;     /* by track: launches of device work */
    uint32_t stepping;      /* the track of the first step, TT_NONE */
    uint32_t *first[KINDS]; /* by process, and one more */
    uint32_t *item[KINDS];
} members;

/* The process of each track; of one that strayed that of the thread with its id, else the one that launches most. */
static void find_homes(const tt_trace *s, const uint32_t *launches, uint32_t *home)
{
    uint32_t most = TT_NONE;
    for (uint32_t i = 0; i < s->n_tracks; i++) {
        home[i] = s->tracks[i].process;
        if (s->processes[home[i]].device >= 0 || !tt_track_is_host(s, i)) continue;
        if (most == TT_NONE || launches[i] > launches[most]) most = i;
    }
    for (uint32_t i = 0; i < s->n_tracks; i++) {
        if (s->processes[home[i]].device < 0 || !tt_track_is_host(s, i)) continue;
        uint32_t to = most;
        for (uint32_t o = 0; o < s->n_tracks; o++) {
            const tt_track *k = &s->tracks[o];
            if (k->tid == s->tracks[i].tid && k->n > 0 && s->processes[k->process].device < 0) to = o;
        }
        if (to != TT_NONE) home[i] = s->tracks[to].process;
    }
}

static uint32_t launches_before(const tt_trace *s, tt_row row)
{
    uint32_t a = 0, b = s->n_links;
    TT_BISECT(a, b, i, s->launch_row[i] < row);
    return a;
}

static uint32_t process_of(const members *m, int kind, uint32_t i)
{
    switch (kind) {
    case TRACKS: return m->home[i];
    case SERIES: return m->s->series[i].process;
    default: return m->home[m->s->instants[i].track];
    }
}

static members members_of(const tt_trace *s)
{
    members m = {.s = s};
    const uint32_t n[KINDS] = {s->n_tracks, s->n_series, s->n_instants};
    m.home = tt_calloc(s->n_tracks + (size_t)1, sizeof *m.home);
    m.launches = tt_calloc(s->n_tracks + (size_t)1, sizeof *m.launches);
    for (uint32_t i = 0; i < s->n_tracks; i++) {
        const tt_track *k = &s->tracks[i];
        m.launches[i] = launches_before(s, k->first + k->n) - launches_before(s, k->first);
    }
    find_homes(s, m.launches, m.home);
    m.stepping = TT_NONE;
    for (uint32_t i = 0; i < s->n_steps && m.stepping == TT_NONE; i++) {
        if (s->steps[i].row != TT_NONE) m.stepping = tt_row_track(s, s->steps[i].row);
    }
    for (int k = 0; k < KINDS; k++) {
        uint32_t *first = m.first[k] = tt_calloc(s->n_processes + (size_t)2, sizeof *first);
        m.item[k] = tt_malloc((n[k] + (size_t)1) * sizeof *m.item[k]);
        for (uint32_t i = 0; i < n[k]; i++) {
            first[process_of(&m, k, i) + 2]++;
        }
        for (uint32_t p = 2; p <= s->n_processes; p++) {
            first[p] += first[p - 1];
        }
        for (uint32_t i = 0; i < n[k]; i++) { /* first[p + 1] runs from the beginning of the list of p to its end */
            m.item[k][first[process_of(&m, k, i) + 1]++] = i;
        }
    }
    return m;
}

static void members_free(members *m)
{
    free(m->home);
    free(m->launches);
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
    uint32_t busy = 0, other = 0; /* threads that launch work, and that launch none */
    bool device = s->processes[process].device >= 0;
    EACH_MEMBER(m, TRACKS, process, i)
    {
        const tt_track *track = &s->tracks[*i];
        if (track->n == 0) {
            continue;
        }
        int64_t tid = number_of(tt_str(&s->strings, track->tid));
        bool launches = m->launches[*i] > 0, thread = track->kind == TT_TRACK_THREAD;
        int64_t rank = thread && tid == pid ? 0 : 1 + (int64_t)track->kind; /* the main thread first */
        rank = launches ? -1 - (int64_t)m->launches[*i] : rank;
        rank = launches && *i == m->stepping ? INT32_MIN : rank;
        rank = !device && track->kind == TT_TRACK_STREAM ? INT64_MIN : rank;
        busy += launches;
        other += !launches && thread;
        *tt_vec_push(&found) = (order){rank, track->has_sort_index ? track->sort_index : tid, tid, *i};
    }
    if (found.n > 0) {
        qsort(found.at, found.n, sizeof *found.at, by_order);
    }
    uint32_t group = TT_NONE;
    for (size_t i = 0; i < found.n; i++) {
        uint32_t index = found.at[i].index;
        bool idle = busy > 0 && !device && s->tracks[index].kind == TT_TRACK_THREAD && m->launches[index] == 0;
        if (idle && other > 1 && group == TT_NONE) {
            group = add_node(t, TT_TIMELINE_GROUP, trace, process, parent);
            t->nodes.at[group].collapsed = true;
        }
        uint32_t n = add_node(t, TT_TIMELINE_TRACK, trace, index, idle && other > 1 ? group : parent);
        t->nodes.at[n].device = s->tracks[index].kind == TT_TRACK_STREAM;
        t->nodes.at[n].collapsed = idle && other == 1;
        t->track_node[trace][index] = n;
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
        tt_timeline_node *n = &t->nodes.at[id];
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
    tt_timeline_node *n = &t->nodes.at[id];
    n->instants = tt_malloc(count * sizeof *n->instants);
    EACH_MEMBER(m, INSTANTS, process, i) { n->instants[n->n_instants++] = *i; }
}

/* Below the streams of a device: why it waits, and its curves. Of several processes of a device the first has them. */
static void add_derived(tt_timeline *t, uint32_t trace, const members *m, uint32_t process, uint32_t parent,
                        tt_groups *devices)
{
    const tt_trace *s = m->s;
    uint32_t streams = 0;
    EACH_MEMBER(m, TRACKS, process, i) streams += s->tracks[*i].kind == TT_TRACK_STREAM && s->tracks[*i].n > 0;
    if (streams == 0) return;
    size_t known = devices->key.n;
    if (tt_groups_put(devices, (tt_group_key){.a = (uint64_t)s->processes[process].device}) < known) return;
    uint32_t first = add_node(t, TT_TIMELINE_IDLE, trace, process, parent);
    add_node(t, TT_TIMELINE_BUSY, trace, process, parent);
    if (s->n_memory > 0) add_node(t, TT_TIMELINE_MEMORY, trace, process, parent);
    uint32_t curves = add_node(t, TT_TIMELINE_CURVES, trace, process, parent);
    add_node(t, TT_TIMELINE_SM, trace, process, curves);
    for (uint32_t i = 0; i < streams; i++) add_node(t, TT_TIMELINE_QUEUE, trace, i, curves);
    for (uint32_t i = 0; i < TT_RATE_ROWS; i++) add_node(t, TT_TIMELINE_RATE, trace, i, curves);
    for (uint32_t i = first; i < t->nodes.n; i++) t->nodes.at[i].device = true;
    t->nodes.at[curves].collapsed = true;
}

static void add_processes(tt_timeline *t, uint32_t trace, uint32_t parent)
{
    enum { DEVICES = INT32_MIN, HOSTS = 1, PROFILER = 2 }; /* in between: those that launch work */
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
        int64_t launches = 0;
        EACH_MEMBER(&m, TRACKS, p, i) launches += m.launches[*i];
        int64_t rank = x->device >= 0 ? DEVICES : meta ? PROFILER : launches > 0 ? -launches : HOSTS;
        *tt_vec_push(&found) = (order){rank, x->has_sort_index ? x->sort_index : number, number, p};
    }
    if (found.n > 0) {
        qsort(found.at, found.n, sizeof *found.at, by_order);
    }
    uint32_t devices = 0, profiler = TT_NONE, from = (uint32_t)t->nodes.n;
    tt_groups with_rows; /* devices that have their derived rows */
    tt_groups_init(&with_rows);
    for (size_t i = 0; i < found.n; i++) {
        uint32_t p = found.at[i].index;
        int64_t rank = found.at[i].rank;
        if (rank == PROFILER && profiler == TT_NONE && i > 0) {
            profiler = add_node(t, TT_TIMELINE_GROUP, trace, p, parent);
            t->nodes.at[profiler].meta = t->nodes.at[profiler].collapsed = true;
        }
        uint32_t n = add_node(t, TT_TIMELINE_PROCESS, trace, p, profiler != TT_NONE ? profiler : parent);
        bool device = s->processes[p].device >= 0;
        t->nodes.at[n].device = device;
        devices += device;
        t->nodes.at[n].meta = rank == PROFILER;
        t->nodes.at[n].collapsed =
            (device && devices > 2) || (rank == HOSTS && s->n_links > 0) || (rank == PROFILER && i == 0);
        add_tracks(t, trace, &m, p, n);
        if (device) add_derived(t, trace, &m, p, n, &with_rows);
        add_counters(t, trace, &m, p, n);
        add_instants(t, trace, &m, p, n);
    }
    uint32_t hosts = 0, host = 0;
    for (uint32_t i = from; i < t->nodes.n; i++) {
        const tt_timeline_node *n = &t->nodes.at[i];
        if (n->kind != TT_TIMELINE_PROCESS || n->device || n->meta) continue;
        hosts++;
        host = i;
    }
    if (hosts == 1) t->nodes.at[host].only_host = true;
    tt_groups_free(&with_rows);
    tt_vec_free(&found);
    members_free(&m);
}

/* Tracks of a subtree for its busy row: those of devices where it has any, else those of hosts. */
static tt_lod_union *group_of(const tt_timeline *t, tt_lod **lods, uint32_t from, uint32_t to)
{
    TT_VEC(tt_lod_member) m = {0};
    for (int device = 1; device >= 0 && m.n == 0; device--) {
        for (uint32_t i = from; i < to; i++) {
            const tt_timeline_node *n = &t->nodes.at[i];
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

void tt_timeline_index_open(const tt_timeline *t, tt_timeline_view view, tt_lod_filter *filters, tt_timeline_index *x)
{
    x->lods = tt_calloc(t->session->n_traces + (size_t)1, sizeof *x->lods);
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        x->lods[i] = tt_lod_new_filtered(t->session->traces[i], filters ? &filters[i] : NULL,
                                         view == TT_VIEW_BANDS ? t->bands[i] : NULL);
        tt_lod_classify(x->lods[i], &tt_lane_classes);
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
    bool banded = x->lods[0] && tt_lod_bands(x->lods[0]);
    for (uint32_t i = 0; i < t->session->n_traces && banded && !atomic_load(stop); i++) {
        tt_bands_build(t->bands[i], 0, stop); /* first of all: then the lines are known */
    }
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
    t->axis_end = t->fit1 = s->end_ns;
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
        add_node(t, TT_TIMELINE_PATH, i, i, worker);
        add_processes(t, i, worker);
    }
    t->derived = tt_calloc(s->n_traces + (size_t)1, sizeof *t->derived);
    t->overlays = tt_calloc(s->n_traces + (size_t)1, sizeof *t->overlays);
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        t->nodes.at[i].folded_first = t->nodes.at[i].collapsed;
    }
    t->bands = tt_calloc(s->n_traces + (size_t)1, sizeof *t->bands);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        t->bands[i] = tt_bands_new(s->traces[i], tt_python_is_user);
    }
    tt_timeline_index_open(t, t->view, NULL, &t->full[t->view]);
    tt_timeline_index_use(t, &t->full[t->view]);
    t->sel.row = TT_NONE;
    t->evidence_trace = TT_NONE;
    t->wait_from = UINT32_MAX;
    t->mark_a = t->mark_b = t->placed = TT_UNKNOWN;
    t->cols = 80;
    t->rows = 20;
    tt_timeline_layout(t);
    tt_timeline_window(t, t->axis_start, t->axis_end);
    t->at = t->t0 + (t->t1 - t->t0) / 2;
    tt_timeline_start_line(t);
    return t;
}

void tt_timeline_free(tt_timeline *t)
{
    if (!t) {
        return;
    }
    tt_timeline_match(t, NULL, false);
    tt_evidence_free(t->evidence);
    tt_timeline_filter_free(t->filter);
    for (int v = 0; v < TT_VIEW_COUNT_; v++) {
        if (t->full[v].lods) tt_timeline_index_close(t, &t->full[v]);
    }
    for (size_t i = 0; i < t->nodes.n; i++) {
        free(t->nodes.at[i].instants);
        free(t->nodes.at[i].peaks);
    }
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        free(t->track_node[i]);
        tt_path_overlay_free(t->overlays[i]);
        tt_bands_free(t->bands[i]);
    }
    free(t->bands);
    free(t->overlays);
    free(t->derived);
    tt_vec_free(&t->ranges);
    tt_vec_free(&t->folds);
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

void tt_timeline_prepare(tt_timeline *t, tt_timeline_view view, const atomic_bool *stop)
{
    tt_timeline_index_build(t, &t->full[view], stop);
    for (uint32_t i = 0; i < t->session->n_traces && !atomic_load(stop); i++) tt_name_sums_get(t->session, i);
    atomic_store(&t->summed, !atomic_load(stop));
}

bool tt_timeline_sums_ready(const tt_timeline *t, uint32_t trace)
{
    enum { SMALL = 1 << 17 }; /* slices */
    return atomic_load(&((tt_timeline *)t)->summed) || t->session->traces[trace]->n < SMALL;
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
    int64_t start = t->axis_start, end = t->axis_end > start ? t->axis_end : start + 1;
    int64_t most = end - start + (end - start) / 20, least = t->cols > 8 ? t->cols : 8;
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
    t0 = t0 < start - slack ? start - slack : t0;
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

static bool shows(const tt_timeline *t, int64_t a, int64_t b)
{
    tt_timeline all = *t; /* the window that this would become */
    tt_timeline_window(&all, a, b);
    return t->t0 == all.t0 && t->t1 == all.t1;
}

bool tt_timeline_is_whole(const tt_timeline *t)
{
    return shows(t, t->fit0, t->fit1) || shows(t, t->axis_start, t->axis_end);
}

void tt_timeline_whole(tt_timeline *t)
{
    bool fitted = shows(t, t->fit0, t->fit1);
    tt_timeline_window(t, fitted ? t->axis_start : t->fit0, fitted ? t->axis_end : t->fit1);
}

/* The time of the steps in scope, common axis; false: no steps were asked for, or there are none. */
static bool steps_time(const tt_session *s, const tt_scope *scope, int64_t *a, int64_t *b)
{
    int64_t t0 = INT64_MAX, t1 = INT64_MIN;
    for (uint32_t i = 0; i < s->n_traces && scope->has_steps; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        tt_windows w = tt_scope_time(s, scope, i);
        int64_t off = s->offset_ns[i];
        if (w.n && w.at[0].t0 + off < t0) t0 = w.at[0].t0 + off;
        if (w.n && w.at[w.n - 1].t1 + off > t1) t1 = w.at[w.n - 1].t1 + off;
        tt_windows_free(&w);
    }
    if (t0 >= t1) return false;
    *a = t0 > *a ? t0 : *a;
    *b = t1 < *b ? t1 : *b;
    return *a < *b;
}

void tt_timeline_fit_axis(tt_timeline *t, const tt_scope *scope)
{
    enum { BESIDE = 50 };
    int64_t a = t->axis_start, b = t->axis_end;
    t->fit0 = a;
    t->fit1 = b;
    if (steps_time(t->session, scope, &a, &b)) {
        t->fit0 = a;
        t->fit1 = b;
    } else {
        tt_dense_part(t->session, scope, a, b, &t->fit0, &t->fit1);
    }
    t->beyond = tt_slices_beyond(t->session, t->fit0, t->fit1);
    /* what lies right beside it is not left out */
    int64_t little = (t->fit1 - t->fit0) / BESIDE;
    if (t->beyond.before > 0 && t->fit0 - t->axis_start <= little) t->fit0 = t->axis_start, t->beyond.before = 0;
    if (t->beyond.after > 0 && t->axis_end - t->fit1 <= little) t->fit1 = t->axis_end, t->beyond.after = 0;
    tt_timeline_window(t, t->fit0, t->fit1);
}

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
    /* Where the label is no more than the kind of device, the name says which part of it this is. */
    if (!strcmp(tt_str(&s->strings, p->labels), s->rules->device)) model = name;
    char shown[TT_TEXT_CAP];
    tt_short_device(model, shown, sizeof shown);
    snprintf(out, cap, "%s %d%s%s", s->rules->device, (int)p->device, *shown ? " " : "", shown);
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
        const tt_track *before = k > s->tracks ? k - 1 : k;
        bool more = before < k && before->kind == TT_TRACK_STREAM && before->process == k->process &&
                    before->stream == k->stream; /* what overlaps the work of the stream */
        tt_kind kind = k->n > 0 ? tt_row_kind(s, k->first) : TT_KIND_OTHER;
        snprintf(out, cap, more ? kind == TT_KIND_SYNC ? "stream %lld waits" : "stream %lld, more" : "stream %lld",
                 (long long)k->stream);
    } else if (strcmp(name, tid) == 0) {
        snprintf(out, cap, number_of(tid) == INT64_MAX ? "%s" : "thread %s", tid);
    } else if (strstr(name, tid) || !*tid || (k->kind == TT_TRACK_THREAD && s->processes[k->process].device >= 0)) {
        /* a row beside the streams of a device is no thread: its number says nothing */
        snprintf(out, cap, "%s", name);
    } else {
        snprintf(out, cap, "%s %s", name, tid);
    }
}

void tt_timeline_label(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    const tt_trace *s = t->session->traces[n->trace];
    switch (n->kind) {
    case TT_TIMELINE_WORKER: snprintf(out, cap, t->session->n_spans > 1 ? "%s %s" : "%s", s->worker, s->span); break;
    case TT_TIMELINE_GROUP: {
        uint32_t inside = n->end - (uint32_t)(n - t->nodes.at) - 1;
        snprintf(out, cap, n->meta ? "profiler" : "%u other threads", inside);
        break;
    }
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
    case TT_TIMELINE_IDLE: snprintf(out, cap, "idle, and why"); break;
    case TT_TIMELINE_CURVES: snprintf(out, cap, "SM, queues, copies"); break;
    case TT_TIMELINE_BUSY:
    case TT_TIMELINE_MEMORY:
    case TT_TIMELINE_SM:
    case TT_TIMELINE_QUEUE:
    case TT_TIMELINE_RATE: tt_curve_row_label(t, n, out, cap); break;
    case TT_TIMELINE_PATH: snprintf(out, cap, "critical path"); break;
    }
}
