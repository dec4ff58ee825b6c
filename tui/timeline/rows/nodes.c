/* tui/timeline/rows/nodes.c - a timeline of a session: which nodes there are, in which order.
 *
 * Workers come in the order of the session. A worker has its devices first, then the host processes, beginning with
 * the process that launches most of the devices' work, then the profiler's own rows. In a process the thread of the
 * steps is first, then the thread that launches most (often the one of the backward pass, which shows little of the
 * program). Ties are broken by the file's sort indices, then by the numbers in the names. Beside threads that launch
 * work the others are folded into one row, and so are processes that launch none. */
#include "tui/timeline/rows/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/group_by.h"
#include "model/base/sort_by.h"
#include "model/tables/analysis/calls/python_line.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/rows/path_overlay.h"
#include "tui/timeline/rows/sources.h"

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

static void sort_places(order *at, size_t n)
{
    TT_SORT_BY(at, n, TT_ASC(order, rank), TT_ASC(order, sort), TT_ASC(order, number), TT_ASC(order, index));
}

enum { RATE_ROWS = 8 }; /* kinds of copies of a device that have rows */

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

/* Tracks, series of counters and instants of each process of a trace, each list in the order of the trace. */
enum { TRACKS, SERIES, INSTANTS, KINDS };

typedef struct members {
    const tt_trace *s;
    uint32_t *home;         /* by track: the process that shows it */
    uint32_t *launches;     /* by track: launches of device work */
    uint32_t stepping;      /* the track of the first step, TT_NONE */
    uint32_t *first[KINDS]; /* by process, and the end: first index in item[] */
    uint32_t *item[KINDS];
} members;

/* Find the process that shows each track. A host track of a device process goes to the process of the thread with its
 * id, else to the process that launches most. */
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
        for (uint32_t i = 0; i < n[k]; i++) { /* first[p + 1] moves from the beginning of the list of p to its end */
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

/* A process has something to show. *meta: it has nothing but the profiler's own rows and instants. */
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
    uint32_t busy = 0, other = 0; /* threads that launch work, and threads that launch none */
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
    sort_places(found.at, found.n);
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
            n->low = v < n->low ? v : n->low; /* the range includes 0 */
            n->high = v > n->high ? v : n->high;
            double *peak = &n->peaks[(k - c->first) / TT_PEAK];
            *peak = (k - c->first) % TT_PEAK == 0 || v > *peak ? v : *peak;
        }
    }
}

/* One row has the instants of all tracks of a process. */
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

/* Add the idle row and the curves below the streams of a device. Only the first process of a device gets them. */
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
    for (uint32_t i = 0; i < RATE_ROWS; i++) add_node(t, TT_TIMELINE_RATE, trace, i, curves);
    for (uint32_t i = first; i < t->nodes.n; i++) t->nodes.at[i].device = true;
    t->nodes.at[curves].collapsed = true;
}

static void add_processes(tt_timeline *t, uint32_t trace, uint32_t parent)
{
    enum {
        DEVICES = INT32_MIN,
        HOSTS = 1,
        PROFILER = 2
    }; /* values between DEVICES and HOSTS: processes that launch work */
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
    sort_places(found.at, found.n);
    uint32_t devices = 0, profiler = TT_NONE, from = (uint32_t)t->nodes.n;
    tt_groups with_rows; /* devices that have an idle row */
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

tt_timeline *tt_timeline_new(tt_session *s)
{
    tt_timeline *t = tt_calloc(1, sizeof *t);
    t->session = s;
    t->sources = tt_row_sources;
    t->axis.end = t->axis.fit1 = s->end_ns;
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
    t->path.overlays = tt_calloc(s->n_traces + (size_t)1, sizeof *t->path.overlays);
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        t->nodes.at[i].folded_first = t->nodes.at[i].collapsed;
    }
    t->layers.bands = tt_calloc(s->n_traces + (size_t)1, sizeof *t->layers.bands);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        t->layers.bands[i] = tt_bands_new(s->traces[i], tt_python_is_user);
    }
    tt_timeline_index_open(t, t->view, NULL, &t->full[t->view]);
    tt_timeline_index_use(t, &t->full[t->view]);
    t->sel.row = TT_NONE;
    t->search.only_trace = TT_NONE;
    t->wait_from = UINT32_MAX;
    t->mark_a = t->mark_b = t->placed = TT_UNKNOWN;
    t->cols = 80;
    t->rows = 20;
    tt_timeline_layout(t);
    tt_timeline_window(t, t->axis.start, t->axis.end);
    t->at = t->t0 + (t->t1 - t->t0) / 2;
    tt_view_start_line(t);
    return t;
}

void tt_timeline_free(tt_timeline *t)
{
    if (!t) {
        return;
    }
    tt_timeline_match(t, NULL, false);
    if (t->choice.evidence) t->choice.by->free(t->choice.evidence);
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
        tt_path_overlay_free(t->path.overlays[i]);
        tt_bands_free(t->layers.bands[i]);
    }
    free(t->layers.bands);
    free(t->path.overlays);
    free(t->derived);
    tt_vec_free(&t->search.ranges);
    tt_vec_free(&t->folds);
    free(t->track_node);
    tt_vec_free(&t->nodes);
    tt_vec_free(&t->lines);
    tt_vec_free(&t->bookmarks);
    free(t);
}
