/* Links: device work -> its launch -> the operator that launched it.
 *
 * Device work joins the runtime or driver call with the same correlation id; many pieces of work may share a launch (graphs). Where
 * several calls have the id, the outermost one (the earliest start) is the launch.
 * A launch belongs to the operator around it on its own thread. An External id, where the file's ids can be trusted, is stronger:
 * it holds also for launches on another thread. Files written by PyTorch 1.12 to 2.1 put the correlation id there when there is no
 * link; such an id says nothing, and when most device events look like that, none of the file's is believed.          */
#include <stdlib.h>
#include <string.h>

#include "model/join.h"
#include "model/parallel.h"
#include "model/sort.h"

#define OPERATOR_KINDS ((1u << TT_KIND_CPU_OP) | (1u << TT_KIND_PYTHON_OP) | (1u << TT_KIND_COMMUNICATION))
#define HOST_KINDS (OPERATOR_KINDS | (1u << TT_KIND_ANNOTATION))

/* id -> row, or another number: the distinct ids in ascending order. Ids grow with time, so a search begins where the last one ended and widens. */
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

/* Takes over the list of ids. */
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

/* Where the row of an id is kept; NULL when the id is not in the list. */
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
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (m->id[mid] < id) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    if (lo == m->n) return NULL;
    m->cursor = lo;
    return m->id[lo] == id ? &m->row[lo] : NULL;
}

/* The device table in order of rows. */
struct device_order {
    tt_join *j;
    uint32_t *first; /* of each track in the device table */
};

/* Entry `side` of the builders' device lists laid end to end, with common ids. */
static tt_dev common_device(const tt_join *j, uint32_t side)
{
    uint32_t k = j->n_b - 1;
    while (j->map[k].dev_base > side) k--;
    tt_dev d = j->b[k]->dev.at[side - j->map[k].dev_base];
    d.shape = j->map[k].shape[d.shape];
    d.coll = j->map[k].coll[d.coll];
    d.launch = TT_NONE;
    return d;
}

static void order_track(void *arg, size_t t)
{
    struct device_order *o = arg;
    tt_store *s = o->j->s;
    tt_track *tr = &s->tracks[t];
    bool stream = tr->kind == TT_TRACK_STREAM;
    uint32_t out = o->first[t], end = out + o->j->rows[t].devices;
    for (tt_row r = tr->first; out < end; r++) {
        if (!tt_kind_is_device(tt_row_kind(s, r)) || s->side[r] == TT_NONE) continue;
        tt_dev *d = &s->dev[out];
        *d = common_device(o->j, s->side[r]);
        d->row = r;
        s->side[r] = out++;
        if (stream && tr->device < 0) tr->device = d->device;
        if (stream && tr->stream < 0 && d->stream != TT_UNKNOWN) tr->stream = d->stream;
    }
}

void tt_join_devices(tt_join *j)
{
    tt_store *s = j->s;
    struct device_order o = {j, tt_malloc(s->n_tracks * sizeof *o.first)};
    uint32_t n = 0;
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        o.first[t] = n;
        n += j->rows[t].devices;
    }
    s->n_dev = n;
    s->dev = tt_pages_alloc(n * sizeof *s->dev);
    tt_page_stock_take(&j->stock, s->dev, n * sizeof *s->dev / TT_PAGE * TT_PAGE);
    tt_parallel(j->threads, s->n_tracks, order_track, &o);
    free(o.first);
}

static bool earlier_launch(const tt_store *s, tt_row a, tt_row b)
{
    if (s->start[a] != s->start[b]) return s->start[a] < s->start[b];
    return tt_row_text(s, a) < tt_row_text(s, b);
}

/* All launches, ascending. */
struct launches {
    tt_row *at;
    uint32_t n;
};

static struct launches all_launches(const tt_join *j)
{
    struct launches l = {0};
    for (uint32_t t = 0; t < j->s->n_tracks; t++) l.n += (uint32_t)j->rows[t].launches.n;
    l.at = tt_malloc(l.n * sizeof *l.at);
    for (uint32_t t = 0, to = 0; t < j->s->n_tracks; t++) {
        size_t n = j->rows[t].launches.n;
        if (n) memcpy(l.at + to, j->rows[t].launches.at, n * sizeof *l.at);
        to += (uint32_t)n;
    }
    return l;
}

/* The launch of every correlation id that device work has, as an index into the launches. */
static struct id_rows launches_by_id(const tt_store *s, const struct launches *l)
{
    uint32_t *ids = tt_malloc(s->n_dev * sizeof *ids), n = 0;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        if (s->corr[s->dev[i].row]) ids[n++] = s->corr[s->dev[i].row];
    }
    struct id_rows m = id_rows_new(ids, n);
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t id = s->corr[l->at[i]], *to = id ? id_row(&m, id) : NULL;
        if (to && (*to == TT_NONE || earlier_launch(s, l->at[i], l->at[*to]))) *to = i;
    }
    return m;
}

struct misses { /* device work whose launch is wrong, and the first one of it */
    uint32_t n;
    tt_row first;
};

static void miss(struct misses *m, tt_row r)
{
    if (!m->n++) m->first = r;
}

static void report(tt_store *s, tt_problem_kind kind, const struct misses *m)
{
    if (m->n) tt_problem_add_n(&s->problems, kind, m->n, (int64_t)tt_row_text(s, m->first), tt_row_name(s, m->first));
}

/* of[i]: index of the launch of device entry i, TT_NONE. */
static void link_launches(tt_store *s, const struct launches *l, uint32_t *of)
{
    struct id_rows m = launches_by_id(s, l);
    struct misses lost = {0}, early = {0};
    uint32_t with = 0, same = 0; /* work with an External id, and where that is the correlation id */
    for (uint32_t i = 0; i < s->n_dev; i++) {
        tt_dev *d = &s->dev[i];
        tt_row r = d->row;
        of[i] = s->corr[r] ? *id_row(&m, s->corr[r]) : TT_NONE;
        if (of[i] != TT_NONE) d->launch = l->at[of[i]];
        if (!tt_kind_is_work(tt_row_kind(s, r))) continue;
        with += s->ext[r] != 0;
        same += s->ext[r] != 0 && s->ext[r] == s->corr[r];
        if (d->launch == TT_NONE) {
            miss(&lost, r);
        } else if (s->start[r] < s->start[d->launch]) {
            miss(&early, r);
        }
    }
    s->external = !with ? TT_EXTERNAL_NONE : same * 2 <= with ? TT_EXTERNAL_OPERATORS : TT_EXTERNAL_DOUBTFUL;
    report(s, TT_PROBLEM_UNLINKED_DEVICE_WORK, &lost);
    report(s, TT_PROBLEM_BEFORE_LAUNCH, &early);
    id_rows_free(&m);
}

/* Count the work of every launch, then put each piece into its launch's stretch. */
static void reverse_links(tt_store *s, const struct launches *l, const uint32_t *of)
{
    uint32_t *at = tt_calloc((size_t)l->n + 1, sizeof *at);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        if (of[i] != TT_NONE) at[of[i] + 1]++;
    }
    for (uint32_t i = 0; i < l->n; i++) at[i + 1] += at[i];
    s->n_links = at[l->n];
    s->link_launch = tt_malloc(s->n_links * sizeof *s->link_launch);
    s->link_dev = tt_malloc(s->n_links * sizeof *s->link_dev);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        if (of[i] == TT_NONE) continue;
        uint32_t to = at[of[i]]++;
        s->link_launch[to] = l->at[of[i]];
        s->link_dev[to] = i;
    }
    free(at);
}

/* The operator by containment, preferring one on the way up that has the launch's own External id. */
static tt_row operator_around(const tt_store *s, tt_row launch, uint32_t ext, bool *by_id)
{
    *by_id = false;
    tt_row found = tt_row_ancestor(s, launch, OPERATOR_KINDS);
    if (ext) {
        for (tt_row r = tt_row_ancestor(s, launch, HOST_KINDS); r != TT_NONE; r = tt_row_ancestor(s, r, HOST_KINDS)) {
            if (s->ext[r] != ext) continue;
            *by_id = true;
            return r;
        }
    }
    return found != TT_NONE ? found : tt_row_ancestor(s, launch, HOST_KINDS);
}

struct operators { /* one task a stretch of launches */
    tt_store *s;
    bool trusted;
    struct stretch {
        const tt_row *launches;
        size_t n;
        TT_VEC(tt_row) open; /* launches whose External id is not found around them */
    } * at;
};

#define STRETCH ((size_t)1 << 15)

static void link_stretch(void *arg, size_t i)
{
    struct operators *o = arg;
    struct stretch *p = &o->at[i];
    tt_store *s = o->s;
    for (size_t k = 0; k < p->n; k++) {
        bool by_id;
        tt_row r = p->launches[k];
        uint32_t ext = o->trusted && s->ext[r] != s->corr[r] ? s->ext[r] : 0;
        s->side[r] = operator_around(s, r, ext, &by_id);
        if (ext && !by_id) *tt_vec_push(&p->open) = r;
    }
}

/* What is left: operators of other threads, by their External id. */
static void link_by_id(tt_store *s, const tt_row *open, size_t n)
{
    uint32_t *ids = tt_malloc(n * sizeof *ids);
    for (size_t i = 0; i < n; i++) ids[i] = s->ext[open[i]];
    struct id_rows m = id_rows_new(ids, n);
    for (tt_row r = 0; r < s->n; r++) {
        if (!s->ext[r] || !((HOST_KINDS >> tt_row_kind(s, r)) & 1)) continue;
        tt_row *to = id_row(&m, s->ext[r]);
        if (to && (*to == TT_NONE || earlier_launch(s, r, *to))) *to = r;
    }
    for (size_t i = 0; i < n; i++) {
        tt_row op = *id_row(&m, s->ext[open[i]]);
        if (op != TT_NONE) s->side[open[i]] = op;
    }
    id_rows_free(&m);
}

void tt_join_operators(tt_join *j)
{
    tt_store *s = j->s;
    struct operators o = {.s = s, .trusted = s->external != TT_EXTERNAL_DOUBTFUL};
    TT_VEC(struct stretch) parts = {0};
    TT_VEC(tt_row) open = {0};
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        size_t n = j->rows[t].launches.n;
        for (size_t i = 0; i < n; i += STRETCH) {
            *tt_vec_push(&parts) =
                (struct stretch){.launches = j->rows[t].launches.at + i, .n = n - i < STRETCH ? n - i : STRETCH};
        }
    }
    o.at = parts.at;
    tt_parallel(j->threads, parts.n, link_stretch, &o);
    for (size_t i = 0; i < parts.n; i++) {
        for (size_t k = 0; k < parts.at[i].open.n; k++) *tt_vec_push(&open) = parts.at[i].open.at[k];
        tt_vec_free(&parts.at[i].open);
    }
    if (open.n) link_by_id(s, open.at, open.n);
    tt_vec_free(&open);
    tt_vec_free(&parts);
}

void tt_join_launches(tt_join *j)
{
    tt_store *s = j->s;
    struct launches l = all_launches(j);
    uint32_t *of = tt_malloc(s->n_dev * sizeof *of);
    link_launches(s, &l, of);
    reverse_links(s, &l, of);
    free(of);
    free(l.at);
}
