/* model/tables/path/replay_run.c - a replay is one pass over the list of spans (replay_list.h) that computes how
 * much earlier each span begins and ends. The list is made once for all changes. */
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/run/parallel.h"
#include "model/tables/path/replay_list.h"

/* Replays run side by side, one lane each; a set of lanes is a bit mask. */
enum { LANES = 32 };

/* ---- slices that a change shortens ---- */

/* Bits of the changes, among n, that shorten parts with a name, category or work; several changes may share a bit. */
typedef struct shortened {
    uint32_t *work, *host;
    uint32_t category[TT_PATH_COUNT_];
    uint32_t *one_work; /* per work; NULL: no change names work */
    bool any_host;      /* a change shortens something that a host thread does ... */
    bool by_slice;      /* ... by its name, or inside a call */
    bool any_call;
} shortened;

static void add_names(const tt_replay_change *c, const uint8_t *classes, size_t names, uint32_t lane, uint32_t *to)
{
    for (size_t i = 1; classes && i < names; i++)
        if (c->factor[classes[i]] < TT_REPLAY_WHOLE) to[i] |= lane;
}

static shortened shortened_by(const tt_path_inputs *in, const tt_replay_change *const *changes, size_t n)
{
    size_t names = in->s->strings.text.n;
    shortened x = {.work = tt_calloc(names + 1, sizeof *x.work), .host = tt_calloc(names + 1, sizeof *x.host)};
    for (size_t k = 0; k < n; k++) {
        const tt_replay_change *c = changes[k];
        uint32_t lane = 1u << k % LANES;
        for (int i = 0; i < TT_PATH_COUNT_; i++)
            if (c->category[i] < TT_REPLAY_WHOLE) {
                x.category[i] |= lane;
                x.any_host = x.any_host || !tt_replay_is_work((unsigned)i);
            }
        add_names(c, c->work_class, names, lane, x.work);
        add_names(c, c->host_class, names, lane, x.host);
        x.any_call = x.any_call || c->call != TT_NONE;
        x.by_slice = x.by_slice || c->host_class || x.any_call;
        x.any_host = x.any_host || x.by_slice;
        if (c->n_works && !x.one_work) x.one_work = tt_calloc(in->work->n, sizeof *x.one_work);
        for (size_t i = 0; i < c->n_works; i++) x.one_work[c->works[i].work] |= lane;
    }
    return x;
}

static void free_shortened(shortened *x)
{
    free(x->work);
    free(x->host);
    free(x->one_work);
}

/* Whether the slice, or a slice around it, takes no time. */
static bool is_in_call(const tt_trace *s, tt_row r, tt_row call)
{
    if (call == TT_NONE || r == TT_NONE) return false;
    return r == call || (s->start[r] >= s->start[call] && tt_row_end(s, r) <= tt_row_end(s, call) &&
                         tt_row_track(s, r) == tt_row_track(s, call));
}

static uint32_t factor_of_work(const tt_replay_change *c, uint32_t work)
{
    size_t lo = 0, hi = c->n_works;
    TT_BISECT(lo, hi, i, c->works[i].work < work);
    return lo < c->n_works && c->works[lo].work == work ? c->works[lo].factor : TT_REPLAY_WHOLE;
}

/* ---- running it ---- */

typedef struct run {
    const tt_replay_list *list;
    const tt_replay_change *const *change; /* change of each lane */
    unsigned lanes;
    shortened shortened;
    const int64_t *unseen; /* unknown length of the next span that has one */
    /* per slot and lane how much earlier the span begins, then per lane how much earlier it ends */
    int64_t *earlier;
    int64_t removed[LANES];
} run;

#define EACH_LANE(k, x) for (unsigned k = 0; k < (x)->lanes; k++)
#define EACH_LANE_OF(k, mask)                                                                                          \
    for (unsigned k = 0, m_ = (mask); m_; k++, m_ >>= 1)                                                               \
        if (m_ & 1)

static int64_t scaled(int64_t len, uint32_t factor)
{
    if (factor >= TT_REPLAY_WHOLE) return len;
    if (!factor) return 0;
    return len / TT_REPLAY_WHOLE * factor + len % TT_REPLAY_WHOLE * factor / TT_REPLAY_WHOLE;
}

typedef struct part { /* a piece of device work or of a host thread */
    unsigned category;
    tt_sid name; /* name; 0 = none */
    uint32_t of; /* work, or row of the slice; TT_NONE = a pause */
} part;

static part part_of_edge(const run *x, const tt_host_edge *e, unsigned category)
{
    return (part){category, e->row == TT_NONE ? 0 : x->list->in->s->name[e->row], e->row};
}

/* The work, or the first piece of the span. */
static part first_part(const run *x, const tt_replay_span *p)
{
    const tt_path_inputs *in = x->list->in;
    if (tt_replay_is_work(p->category)) return (part){p->category, in->s->name[in->work->at[p->of].row], p->of};
    return part_of_edge(x, &in->host.threads[p->thread].at.at[p->of], p->category);
}

/* Length that a lane takes away from a length of a part. */
static int64_t taken(const run *x, unsigned lane, const part *p, int64_t len)
{
    const tt_replay_change *c = x->change[lane];
    bool work = tt_replay_is_work(p->category);
    const uint8_t *classes = work ? c->work_class : c->host_class;
    if (!work && is_in_call(x->list->in->s, p->of, c->call)) return len;
    int64_t left = scaled(len, c->factor[p->name && classes ? classes[p->name] : 0]);
    left = scaled(left, c->category[p->category]);
    if (c->n_works && work) left = scaled(left, factor_of_work(c, p->of));
    return len - left;
}

static uint32_t lanes_of(const run *x, const part *p)
{
    bool work = tt_replay_is_work(p->category);
    uint32_t lanes = x->shortened.category[p->category] | (work ? x->shortened.work : x->shortened.host)[p->name];
    if (x->shortened.one_work && work) lanes |= x->shortened.one_work[p->of];
    for (unsigned k = 0; x->shortened.any_call && !work && k < x->lanes; k++)
        if (is_in_call(x->list->in->s, p->of, x->change[k]->call)) lanes |= 1u << k;
    return lanes;
}

/* Result of the span, per lane. */
static int64_t *result_of(const run *x, const tt_replay_span *p) { return x->earlier + (size_t)p->slot * 2 * x->lanes; }

/* Take away from a length of a category. */
static void take_category(run *x, unsigned category, int64_t len, int64_t gained[LANES])
{
    EACH_LANE_OF(k, x->shortened.category[category])
    {
        int64_t less = len - scaled(len, x->change[k]->category[category]);
        x->removed[k] += less;
        gained[k] += less;
    }
}

static void take_part(run *x, const part *p, int64_t len, int64_t gained[LANES])
{
    EACH_LANE_OF(k, lanes_of(x, p))
    {
        int64_t less = taken(x, k, p, len);
        x->removed[k] += less;
        gained[k] += less;
    }
}

/* Shorten the pieces of a thread in the span. The thread cannot be shortened without a pause at the end of the
 * window. */
static void take_edges(run *x, const tt_replay_span *p, int64_t gained[LANES])
{
    const tt_host_thread *h = &x->list->in->host.threads[p->thread];
    const tt_host_edge *e = h->at.at + p->of, *edges_end = h->at.at + p->edges_end;
    int64_t t = p->t, span_end = p->t + p->len, end;
    for (; e < edges_end && t < span_end; e++, t = end) {
        end = e + 1 < h->at.at + h->at.n && e[1].t < span_end ? e[1].t : span_end;
        bool ends = e + 1 < h->at.at + h->at.n && e[1].t == end;
        if (!ends && e->row == TT_NONE) continue;
        if (x->shortened.by_slice) {
            part own = part_of_edge(x, e, e->cause);
            take_part(x, &own, end - t, gained);
        } else {
            take_category(x, e->cause, end - t, gained);
        }
    }
}

/* Limit each lane's gain to what the instant gained that lies `before` ns before the latest one. */
static void take_instant(run *x, const tt_replay_need *n, int64_t before, int64_t earlier[LANES])
{
    if (n->of == TT_NONE) {
        EACH_LANE(k, x) earlier[k] = before < earlier[k] ? before : earlier[k];
        return;
    }
    const tt_replay_span *p = &x->list->spans.at[n->of];
    const int64_t *gained = result_of(x, p);
    int64_t sum[LANES], within = n->t - p->t;
    if (within >= p->len) {
        gained += x->lanes; /* results at the end of that span */
    } else if (within && !p->waits) {
        part first = first_part(x, p);
        uint32_t lanes = first.of == TT_NONE ? 0 : lanes_of(x, &first); /* a pause has no nearer instant */
        memcpy(sum, gained, x->lanes * sizeof *sum);
        EACH_LANE_OF(k, lanes) sum[k] += taken(x, k, &first, within);
        gained = sum;
    }
    EACH_LANE(k, x)
    {
        int64_t at = gained[k] + before;
        earlier[k] = at < earlier[k] ? at : earlier[k];
    }
}

/* Shorten the time from the last thing that the span may have waited for to its start. */
static void shorten_delay(run *x, const tt_replay_span *p, const tt_replay_need *first, int64_t earlier[LANES])
{
    int64_t len = p->t - p->since, launch = tt_replay_on_its_way(p), unseen = p->unseen ? *x->unseen++ : 0;
    if (p->after_wait) {
        part wait = first_part(x, &x->list->spans.at[first->of]);
        take_part(x, &wait, len, earlier);
    } else if (!tt_replay_is_work(p->category)) {
        take_category(x, TT_WAIT_BETWEEN, len, earlier);
    } else if (!p->linked) {
        take_category(x, TT_WAIT_UNKNOWN, len, earlier);
    } else {
        take_category(x, TT_WAIT_LAUNCH, launch, earlier);
        take_category(x, TT_WAIT_QUEUE, len - launch - unseen, earlier);
        if (unseen) take_category(x, TT_WAIT_UNKNOWN, unseen, earlier);
    }
}

static void run_span(run *x, const tt_replay_span *p, const tt_replay_need *needs, const tt_replay_need *needs_end)
{
    int64_t earlier[LANES];
    EACH_LANE(k, x) earlier[k] = INT64_MAX;
    for (const tt_replay_need *n = needs; n < needs_end; n++) take_instant(x, n, p->since - n->t, earlier);
    if (p->since < p->t) shorten_delay(x, p, needs, earlier);
    memcpy(result_of(x, p), earlier, x->lanes * sizeof *earlier);
    if (tt_replay_is_work(p->category)) {
        part work = first_part(x, p);
        take_part(x, &work, p->len, earlier);
    } else if (x->shortened.any_host && !p->waits && !p->ends_run) {
        take_edges(x, p, earlier);
    }
    memcpy(result_of(x, p) + x->lanes, earlier, x->lanes * sizeof *earlier);
}

typedef struct job {
    const tt_replay_list *list;
    const tt_replay_change *const *changes;
    tt_replay_result *out;
    size_t n_changes, n_tasks;
} job;

static void run_lanes(void *arg, size_t task)
{
    const job *j = arg;
    const tt_replay_list *list = j->list;
    size_t first = j->n_changes * task / j->n_tasks, end = j->n_changes * (task + 1) / j->n_tasks;
    run x = {.list = list, .change = j->changes + first, .lanes = (unsigned)(end - first)};
    x.shortened = shortened_by(list->in, x.change, x.lanes);
    x.earlier = tt_malloc((size_t)list->n_slots * 2 * x.lanes * sizeof *x.earlier);
    x.unseen = list->unseen.at;
    int64_t saved[LANES] = {0};
    const tt_replay_need *needs = list->needs.at;
    for (const tt_replay_span *p = list->spans.at; p < list->spans.at + list->spans.n; p++) {
        const tt_replay_need *needs_end = list->needs.at + p->needs_end;
        run_span(&x, p, needs, needs_end);
        needs = needs_end;
        for (unsigned k = 0; p->ends_run && k < x.lanes; k++) saved[k] += result_of(&x, p)[k];
    }
    EACH_LANE(k, &x) j->out[first + k] = (tt_replay_result){saved[k], x.removed[k]};
    free(x.earlier);
    free_shortened(&x.shortened);
}

void tt_replay_run(const tt_replay_list *list, const tt_replay_change *const *changes, size_t n, tt_replay_result *out)
{
    job j = {.list = list, .changes = changes, .out = out, .n_changes = n};
    unsigned threads = tt_threads();
    if (!n) return;
    memset(out, 0, n * sizeof *out);
    if (!list->spans.n) return;
    j.n_tasks = n < threads ? n : threads;
    if (j.n_tasks < (n + LANES - 1) / LANES) j.n_tasks = (n + LANES - 1) / LANES;
    tt_parallel(threads, j.n_tasks, run_lanes, &j);
}

tt_replay_change tt_replay_change_none(void)
{
    tt_replay_change c = {.call = TT_NONE};
    for (int i = 0; i < TT_REPLAY_CLASSES; i++) c.factor[i] = TT_REPLAY_WHOLE;
    for (int i = 0; i < TT_PATH_COUNT_; i++) c.category[i] = TT_REPLAY_WHOLE;
    return c;
}
