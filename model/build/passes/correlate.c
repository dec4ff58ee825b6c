/* Links: device work -> its launch -> the operator that launched it.
 *
 * Device work joins the runtime or driver call with its correlation id; many works can share a launch (graphs). If
 * several calls have the id, the outermost one (the earliest start) is the launch. A launch belongs to the operator
 * around it on its own thread. An External id, if the file's ids can be trusted, takes precedence: it also holds for
 * launches on another thread. Files written by PyTorch 1.12 to 2.1 put the correlation id there when there is no
 * link: when most device events look like that, none of the file's is trusted. Otherwise all are: single equal ids
 * can be chance. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/run/parallel.h"
#include "model/base/sort.h"
#include "model/base/sort_by.h"
#include "model/build/passes/finish_internal.h"
#include "model/build/processes.h"

#define OPERATOR_KINDS ((1u << TT_KIND_CPU_OP) | (1u << TT_KIND_PYTHON_OP) | (1u << TT_KIND_COMMUNICATION))
#define HOST_KINDS (OPERATOR_KINDS | (1u << TT_KIND_ANNOTATION))

/* Map from id to row or another number, with distinct ascending ids. Ids grow with time, so a search starts at the
 * last position and widens. */
struct id_rows {
    uint32_t *id;
    tt_row *row;
    size_t n, cursor;
};

static int id_order(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Makes the map; takes over the list of ids. */
static struct id_rows id_rows_new(uint32_t *id, size_t n)
{
    struct id_rows m = {.id = id};
    tt_sort_runs(id, n, sizeof *id, id_order);
    for (size_t i = 0; i < n; i++) {
        if (!m.n || id[m.n - 1] != id[i]) id[m.n++] = id[i];
    }
    m.row = tt_malloc(m.n * sizeof *m.row);
    memset(m.row, 0xFF, m.n * sizeof *m.row); /* TT_NONE */
    return m;
}

static void id_rows_free(struct id_rows *m)
{
    free(m->id);
    free(m->row);
}

/* Slot of an id's row; NULL when the id is not in the map. */
static tt_row *id_row(struct id_rows *m, uint32_t id)
{
    size_t lo = m->cursor, hi = m->cursor, step = 1;
    while (lo && m->id[lo] > id) {
        hi = lo;
        lo = lo > step ? lo - step : 0;
        step *= 2;
    }
    for (step = 1; hi < m->n && m->id[hi] < id; step *= 2) {
        lo = hi;
        hi = hi + step < m->n ? hi + step : m->n;
    }
    TT_BISECT(lo, hi, i, m->id[i] < id);
    if (lo == m->n) return NULL;
    m->cursor = lo;
    return m->id[lo] == id ? &m->row[lo] : NULL;
}

/* device table sorted by row */
struct device_order {
    tt_finish *fin;
    uint32_t *first; /* by track: its first entry in the device table */
};

tt_activity tt_finish_device(const tt_finish *fin, uint32_t detail)
{
    uint32_t k = fin->n_b - 1;
    while (fin->map[k].dev_base > detail) k--;
    tt_activity d = fin->b[k]->dev.at[detail - fin->map[k].dev_base];
    d.shape = fin->map[k].shape[d.shape];
    d.coll = fin->map[k].coll[d.coll];
    d.wait_record = tt_finish_wide(&fin->map[k], d.wait_record);
    d.launch = d.op = TT_NONE;
    if (d.device < 0) d.device = fin->device;
    return d;
}

static void order_track(void *arg, size_t t)
{
    struct device_order *o = arg;
    tt_trace *s = o->fin->s;
    tt_track *tr = &s->tracks[t];
    bool stream = tr->kind == TT_TRACK_STREAM;
    uint32_t out = o->first[t], end = out + o->fin->rows[t].devices;
    for (tt_row r = tr->first; out < end; r++) {
        if (!tt_kind_is_device(tt_row_kind(s, r)) || s->detail[r] == TT_NONE) continue;
        tt_activity *d = &s->dev[out];
        *d = tt_finish_device(o->fin, s->detail[r]);
        d->row = r;
        s->detail[r] = out++;
        if (stream && tr->device < 0) tr->device = d->device;
        if (stream && tr->stream < 0 && d->stream != TT_UNKNOWN) tr->stream = d->stream;
    }
}

void tt_finish_devices(tt_finish *fin)
{
    tt_trace *s = fin->s;
    struct device_order o = {fin, tt_malloc(s->n_tracks * sizeof *o.first)};
    uint32_t n = 0;
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        o.first[t] = n;
        n += fin->rows[t].devices;
    }
    s->n_dev = n;
    s->dev = tt_pages_alloc(n * sizeof *s->dev);
    tt_page_pool_take(&fin->stock, s->dev, tt_pages_within(n * sizeof *s->dev));
    tt_parallel(fin->threads, s->n_tracks, order_track, &o);
    free(o.first);
}

static bool earlier_launch(const tt_trace *s, tt_row a, tt_row b)
{
    if (s->start[a] != s->start[b]) return s->start[a] < s->start[b];
    return a < b; /* within a track, the outer slice */
}

/* All launches, ascending. */
struct launches {
    tt_row *at;
    uint32_t n;
};

static struct launches all_launches(const tt_finish *fin)
{
    struct launches l = {0};
    for (uint32_t t = 0; t < fin->s->n_tracks; t++) l.n += (uint32_t)fin->rows[t].launches.n;
    l.at = tt_malloc(l.n * sizeof *l.at);
    for (uint32_t t = 0, to = 0; t < fin->s->n_tracks; t++) {
        size_t n = fin->rows[t].launches.n;
        if (n) memcpy(l.at + to, fin->rows[t].launches.at, n * sizeof *l.at);
        to += (uint32_t)n;
    }
    return l;
}

/* Device work and its launches, linked in parallel stretches: first the launch of every id, then the launch of every
 * work, then the work of every launch. */
struct linking {
    tt_trace *s;
    unsigned threads;
    const struct launches *l;
    struct id_rows launch; /* by correlation id of device work: index into the launches */
    bool many;             /* several processes launch work: `of` is valid */
    uint32_t *of;          /* by device entry: index into the launches, TT_NONE */
    uint32_t *work;        /* by launch: start of its work among the links; later its end */
    size_t ranges;         /* number of launch ranges, in reverse_links() */
    struct linked {
        struct misses { /* device work with a wrong launch, and its first entry */
            uint32_t n;
            tt_row first;
        } lost, early;
        /* number of device slices with an External id, and number of those whose External id equals the correlation
         * id */
        uint32_t with, same;
    } * found; /* by stretch of device entries */
};

#define STRETCH ((size_t)1 << 15)

static size_t stretches(size_t n) { return (n + STRETCH - 1) / STRETCH; }

static size_t stretch_end(size_t i, size_t n) { return (i + 1) * STRETCH < n ? (i + 1) * STRETCH : n; }

/* Offer launch i for the slot `to` of its id: the earliest launch wins. */
static void offer_launch(const struct linking *k, tt_row *to, uint32_t i)
{
    uint32_t old = __atomic_load_n(to, __ATOMIC_RELAXED);
    while (old == TT_NONE || earlier_launch(k->s, k->l->at[i], k->l->at[old])) {
        if (__atomic_compare_exchange_n(to, &old, i, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
    }
}

static void launches_by_id(void *arg, size_t stretch)
{
    const struct linking *k = arg;
    struct id_rows m = k->launch; /* a copy, with its own search position */
    for (size_t i = stretch * STRETCH, end = stretch_end(stretch, k->l->n); i < end; i++) {
        uint32_t id = k->s->correlation[k->l->at[i]], *to = id ? id_row(&m, id) : NULL;
        if (to) offer_launch(k, to, (uint32_t)i);
    }
}

static struct id_rows ids_of_work(const tt_trace *s)
{
    uint32_t *ids = tt_malloc(s->n_dev * sizeof *ids), n = 0;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        if (s->correlation[s->dev[i].row]) ids[n++] = s->correlation[s->dev[i].row];
    }
    return id_rows_new(ids, n);
}

static void miss(struct misses *m, tt_row r)
{
    if (!m->n++) m->first = r;
}

static void link_work(void *arg, size_t stretch)
{
    const struct linking *k = arg;
    const tt_trace *s = k->s;
    struct id_rows m = k->launch;
    struct linked found = {0};
    for (size_t i = stretch * STRETCH, end = stretch_end(stretch, s->n_dev); i < end; i++) {
        tt_activity *d = &s->dev[i];
        tt_row r = d->row;
        if (!k->many) k->of[i] = s->correlation[r] ? *id_row(&m, s->correlation[r]) : TT_NONE;
        if (k->of[i] != TT_NONE) d->launch = k->l->at[k->of[i]];
        if (!tt_kind_is_work(tt_row_kind(s, r))) continue;
        found.with += s->external_id[r] != 0;
        found.same += s->external_id[r] != 0 && s->external_id[r] == s->correlation[r];
        if (d->launch == TT_NONE) {
            if (!s->rules->no_launches) miss(&found.lost, r);
        } else if (s->start[r] < s->start[d->launch]) {
            miss(&found.early, r);
        }
    }
    k->found[stretch] = found;
}

static void add_misses(struct misses *to, const struct misses *m)
{
    if (!to->n) to->first = m->first;
    to->n += m->n;
}

static void report(tt_trace *s, tt_problem_kind kind, const struct misses *m)
{
    if (m->n) tt_problem_add_n(&s->problems, kind, m->n, (int64_t)tt_row_text(s, m->first), tt_row_name(s, m->first));
}

static void link_launches(struct linking *k)
{
    tt_trace *s = k->s;
    struct linked all = {0};
    k->many = tt_processes_many(s, k->l->at, k->l->n);
    if (k->many) {
        tt_processes_link(s, k->l->at, k->l->n, k->of);
    } else {
        k->launch = ids_of_work(s);
        tt_parallel(k->threads, stretches(k->l->n), launches_by_id, k);
    }
    k->found = tt_malloc(stretches(s->n_dev) * sizeof *k->found);
    tt_parallel(k->threads, stretches(s->n_dev), link_work, k);
    for (size_t i = 0; i < stretches(s->n_dev); i++) {
        add_misses(&all.lost, &k->found[i].lost);
        add_misses(&all.early, &k->found[i].early);
        all.with += k->found[i].with;
        all.same += k->found[i].same;
    }
    s->external = !all.with                  ? TT_EXTERNAL_NONE
                  : all.same * 2 <= all.with ? TT_EXTERNAL_OPERATORS
                                             : TT_EXTERNAL_DOUBTFUL;
    report(s, TT_PROBLEM_UNLINKED_DEVICE_WORK, &all.lost);
    report(s, TT_PROBLEM_BEFORE_LAUNCH, &all.early);
    free(k->found);
    id_rows_free(&k->launch);
}

/* Range i of the launches: one thread owns it, and scans all work for its own. */
static void range_of(const struct linking *k, size_t i, uint32_t *from, uint32_t *n)
{
    *from = (uint32_t)(k->l->n * (uint64_t)i / k->ranges);
    *n = (uint32_t)(k->l->n * (uint64_t)(i + 1) / k->ranges) - *from;
}

static void count_work(void *arg, size_t range)
{
    const struct linking *k = arg;
    uint32_t from, n;
    range_of(k, range, &from, &n);
    for (uint32_t i = 0; i < k->s->n_dev; i++) {
        if (k->of[i] - from < n) k->work[k->of[i] + 1]++; /* TT_NONE is in no range */
    }
}

static void place_work(void *arg, size_t range)
{
    const struct linking *k = arg;
    tt_trace *s = k->s;
    uint32_t from, n;
    range_of(k, range, &from, &n);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        if (k->of[i] - from >= n) continue;
        uint32_t to = k->work[k->of[i]]++;
        s->launch_row[to] = k->l->at[k->of[i]];
        s->launched_activity[to] = i;
    }
}

/* Count the work of every launch, then put each work into its launch's stretch. */
static void reverse_links(struct linking *k)
{
    tt_trace *s = k->s;
    const uint32_t n = k->l->n;
    k->ranges = s->n_dev < STRETCH || k->threads < 2 ? 1 : k->threads;
    k->work = tt_calloc((size_t)n + 1, sizeof *k->work);
    tt_parallel(k->threads, k->ranges, count_work, k);
    for (uint32_t i = 0; i < n; i++) k->work[i + 1] += k->work[i];
    s->n_links = k->work[n];
    s->launch_row = tt_malloc(s->n_links * sizeof *s->launch_row);
    s->launched_activity = tt_malloc(s->n_links * sizeof *s->launched_activity);
    tt_parallel(k->threads, k->ranges, place_work, k);
    free(k->work);
}

/* Slices around a launch that matter; TT_NONE = none. */
struct around {
    tt_row op, host; /* innermost operator; innermost of HOST_KINDS */
    tt_row by_id;    /* innermost of HOST_KINDS with the launch's External id */
};

static bool is_of(const tt_trace *s, tt_row r, uint32_t kinds) { return (kinds >> tt_row_kind(s, r)) & 1; }

static tt_row operator_of(const tt_trace *s, const struct around *a)
{
    tt_row host = s->rules->annotations_launch_nothing ? TT_NONE : a->host;
    return a->by_id != TT_NONE ? a->by_id : a->op != TT_NONE ? a->op : host;
}

/* Number of slices around a launch examined one by one. Deeper nesting is rare, and handled by one pass over the
 * track. */
enum { NEAR = 64 };

/* Find the operator by containment, preferring a parent with the launch's External id (0 = none). False: nested too
 * deep. */
static bool look_near(const tt_trace *s, tt_row launch, uint32_t external_id, struct around *a)
{
    *a = (struct around){TT_NONE, TT_NONE, TT_NONE};
    tt_row r = s->parent[launch];
    for (int i = 0; i < NEAR && r != TT_NONE; i++, r = s->parent[r]) {
        if (!is_of(s, r, HOST_KINDS)) continue;
        if (a->host == TT_NONE) a->host = r;
        if (a->op == TT_NONE && is_of(s, r, OPERATOR_KINDS)) a->op = r;
        if (external_id && s->external_id[r] == external_id) a->by_id = r;
        if (a->by_id != TT_NONE || (!external_id && a->op != TT_NONE)) return true;
    }
    return r == TT_NONE;
}

struct operators { /* operators of launches, one task per stretch */
    tt_trace *s;
    bool trusted;
    struct stretch {
        const tt_row *launches;
        size_t n;
        uint32_t track;
        TT_VEC(tt_row) open; /* launches whose External id is not found around them */
        TT_VEC(tt_row) deep; /* launches too deep for look_near() */
    } * at;
};

/* The External id of the launching operator, 0 = none. */
static uint32_t id_of_operator(const tt_trace *s, bool trusted, tt_row launch)
{
    return trusted ? s->external_id[launch] : 0;
}

static void link_stretch(void *arg, size_t i)
{
    struct operators *o = arg;
    struct stretch *p = &o->at[i];
    tt_trace *s = o->s;
    for (size_t k = 0; k < p->n; k++) {
        struct around a;
        tt_row r = p->launches[k];
        uint32_t external_id = id_of_operator(s, o->trusted, r);
        if (!look_near(s, r, external_id, &a)) {
            *tt_vec_push(&p->deep) = r;
            continue;
        }
        s->detail[r] = operator_of(s, &a);
        if (external_id && a.by_id == TT_NONE) *tt_vec_push(&p->open) = r;
    }
}

/* Open slice around the current row of a track pass. */
struct open_row {
    tt_row row, op, host; /* the slice; the innermost ones in or around it, as in struct around */
    tt_row *id;           /* slot of its External id; NULL when no launch has it */
    uint32_t before;      /* stack place of the next outer slice with the id */
};

struct deep_pass {
    const tt_trace *s;
    struct id_rows ids; /* ids of the launches; row = stack place of the innermost open slice with the id, TT_NONE */
    TT_VEC(struct open_row) stack; /* open slices around the row, outermost first */
};

/* Pop the slices that do not contain row r. */
static void leave_to(struct deep_pass *d, tt_row r)
{
    for (; d->stack.n && d->stack.at[d->stack.n - 1].row != d->s->parent[r]; d->stack.n--) {
        const struct open_row *o = &d->stack.at[d->stack.n - 1];
        if (o->id) *o->id = o->before;
    }
}

static void enter(struct deep_pass *d, tt_row r)
{
    const tt_trace *s = d->s;
    struct open_row o = {.row = r, .op = TT_NONE, .host = TT_NONE};
    if (d->stack.n) {
        o.op = d->stack.at[d->stack.n - 1].op;
        o.host = d->stack.at[d->stack.n - 1].host;
    }
    if (is_of(s, r, OPERATOR_KINDS)) o.op = r;
    if (is_of(s, r, HOST_KINDS)) {
        o.host = r;
        o.id = s->external_id[r] ? id_row(&d->ids, s->external_id[r]) : NULL;
    }
    if (o.id) {
        o.before = *o.id;
        *o.id = (tt_row)d->stack.n;
    }
    *tt_vec_push(&d->stack) = o;
}

/* Do link_stretch() for n ascending launches of one track at any depth. */
static void link_deep(struct operators *o, const tt_row *launches, size_t n, struct stretch *out)
{
    tt_trace *s = o->s;
    uint32_t *ids = tt_malloc(n * sizeof *ids);
    for (size_t i = 0; i < n; i++) ids[i] = id_of_operator(s, o->trusted, launches[i]);
    struct deep_pass d = {.s = s, .ids = id_rows_new(ids, n)};
    size_t i = 0;
    for (tt_row r = s->tracks[out->track].first; i < n; r++) {
        if (tt_kind_is_python(tt_row_kind(s, r))) continue;
        leave_to(&d, r);
        if (r == launches[i]) {
            const struct open_row *up = &d.stack.at[d.stack.n - 1];
            uint32_t external_id = id_of_operator(s, o->trusted, r);
            tt_row offset = external_id ? *id_row(&d.ids, external_id) : TT_NONE;
            struct around a = {up->op, up->host, offset != TT_NONE ? d.stack.at[offset].row : TT_NONE};
            s->detail[r] = operator_of(s, &a);
            if (external_id && a.by_id == TT_NONE) *tt_vec_push(&out->open) = r;
            i++;
        }
        enter(&d, r);
    }
    tt_vec_free(&d.stack);
    id_rows_free(&d.ids);
}

/* Link the remaining deep launches, track by track. */
static void link_deep_ones(struct operators *o, size_t n)
{
    TT_VEC(tt_row) deep = {0};
    for (size_t i = 0; i < n; i++) {
        struct stretch *p = &o->at[i];
        for (size_t k = 0; k < p->deep.n; k++) *tt_vec_push(&deep) = p->deep.at[k];
        tt_vec_free(&p->deep);
        if (!deep.n || (i + 1 < n && o->at[i + 1].track == p->track)) continue;
        link_deep(o, deep.at, deep.n, p);
        deep.n = 0;
    }
    tt_vec_free(&deep);
}

/* Request for the operator of an External id within a process: by a launch, or device work without one. */
struct asking {
    uint32_t process, external_id;
    tt_row *op; /* receives the answer */
};

/* Tracks by process: process p has places [first[p], first[p + 1]) of the list. The caller frees both. */
static uint32_t *tracks_by_process(const tt_trace *s, uint32_t **first)
{
    uint32_t *at = *first = tt_calloc(s->n_processes + 2u, sizeof *at), *list = tt_malloc(s->n_tracks * sizeof *list);
    for (uint32_t t = 0; t < s->n_tracks; t++) at[s->tracks[t].process + 2]++;
    for (uint32_t p = 2; p <= s->n_processes + 1; p++) at[p] += at[p - 1];
    for (uint32_t t = 0; t < s->n_tracks; t++) list[at[s->tracks[t].process + 1]++] = t;
    return list;
}

/* Answer n requests for operators of one process. */
static void answer(tt_trace *s, const uint32_t *tracks, uint32_t n_tracks, const struct asking *all, size_t n)
{
    uint32_t *ids = tt_malloc(n * sizeof *ids);
    for (size_t i = 0; i < n; i++) ids[i] = all[i].external_id;
    struct id_rows m = id_rows_new(ids, n);
    for (uint32_t t = 0; t < n_tracks; t++) {
        const tt_track *track = &s->tracks[tracks[t]];
        for (tt_row r = track->first; r < track->first + track->n; r++) {
            if (!s->external_id[r] || !is_of(s, r, HOST_KINDS)) continue;
            tt_row *to = id_row(&m, s->external_id[r]);
            if (to && (*to == TT_NONE || earlier_launch(s, r, *to))) *to = r;
        }
    }
    for (size_t i = 0; i < n; i++) {
        tt_row op = *id_row(&m, all[i].external_id);
        if (op != TT_NONE) *all[i].op = op;
    }
    id_rows_free(&m);
}

/* Link the rest: operators on other threads of the process, by External id. */
static void link_by_id(tt_trace *s, struct asking *all, size_t n)
{
    uint32_t *first, *tracks = tracks_by_process(s, &first);
    TT_SORT_BY(all, n, TT_ASC(struct asking, process), TT_ASC(struct asking, external_id));
    for (size_t i = 0, end; i < n; i = end) {
        uint32_t p = all[i].process;
        for (end = i; end < n && all[end].process == p;) end++;
        answer(s, tracks + first[p], first[p + 1] - first[p], all + i, end - i);
    }
    free(tracks);
    free(first);
}

typedef TT_VEC(struct asking) asking_list;

/* Request operators for device work without a recorded launch by its own External id. In files of 2021, with
 * capitalised categories, such work stays unattributed: the TensorBoard plugin was made for these files, and its
 * numbers are established. */
static void ask_for_lonely_work(tt_trace *s, asking_list *list)
{
    uint32_t *world = NULL;
    bool old[256];
    for (uint32_t c = 0; c < s->n_cats; c++) old[c] = isupper((unsigned char)*tt_str(&s->strings, s->cats[c].name));
    for (uint32_t i = 0; i < s->n_dev; i++) {
        tt_activity *d = &s->dev[i];
        if (d->launch != TT_NONE || !s->external_id[d->row] || !tt_kind_is_work(tt_row_kind(s, d->row))) continue;
        if (old[s->cat[d->row]]) continue;
        if (!world) world = tt_processes_of_devices(s);
        if (world[i] < s->n_processes) *tt_vec_push(list) = (struct asking){world[i], s->external_id[d->row], &d->op};
    }
    free(world);
}

void tt_finish_operators(tt_finish *fin)
{
    tt_trace *s = fin->s;
    struct operators o = {.s = s, .trusted = s->external != TT_EXTERNAL_DOUBTFUL};
    TT_VEC(struct stretch) parts = {0};
    asking_list open = {0};
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        size_t n = fin->rows[t].launches.n;
        for (size_t i = 0; i < n; i += STRETCH) {
            *tt_vec_push(&parts) = (struct stretch){
                .launches = fin->rows[t].launches.at + i, .n = n - i < STRETCH ? n - i : STRETCH, .track = t};
        }
    }
    o.at = parts.at;
    tt_parallel(fin->threads, parts.n, link_stretch, &o);
    link_deep_ones(&o, parts.n);
    for (size_t i = 0; i < parts.n; i++) {
        for (size_t k = 0; k < parts.at[i].open.n; k++) {
            tt_row launch = parts.at[i].open.at[k];
            *tt_vec_push(&open) =
                (struct asking){s->tracks[parts.at[i].track].process, s->external_id[launch], &s->detail[launch]};
        }
        tt_vec_free(&parts.at[i].open);
    }
    if (s->external == TT_EXTERNAL_OPERATORS) ask_for_lonely_work(s, &open);
    if (open.n) link_by_id(s, open.at, open.n);
    tt_vec_free(&open);
    tt_vec_free(&parts);
}

void tt_finish_launches(tt_finish *fin)
{
    struct launches l = all_launches(fin);
    struct linking k = {.s = fin->s, .threads = fin->threads, .l = &l, .of = tt_malloc(fin->s->n_dev * sizeof *k.of)};
    link_launches(&k);
    reverse_links(&k);
    free(k.of);
    free(l.at);
}
