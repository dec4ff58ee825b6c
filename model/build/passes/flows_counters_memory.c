/* Joins events that are not slices: flows, instants, counter samples, memory records; and the offsets of all other
 * events. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort.h"
#include "model/base/sort_by.h"
#include "model/build/passes/finish_internal.h"

#define CMP(a, b) (((a) > (b)) - ((a) < (b)))

static int flow_order(const void *a, const void *b)
{
    const tt_flow *x = a, *y = b;
    if (x->track != y->track) return CMP(x->track, y->track);
    return x->ts != y->ts ? CMP(x->ts, y->ts) : CMP(x->text, y->text);
}

static int instant_order(const void *a, const void *b)
{
    const tt_instant *x = a, *y = b;
    return x->ts != y->ts ? CMP(x->ts, y->ts) : CMP(x->text, y->text);
}

static int memory_order(const void *a, const void *b)
{
    const tt_memory_record *x = a, *y = b;
    return x->ts != y->ts ? CMP(x->ts, y->ts) : CMP(x->text, y->text);
}

static int sample_order(const void *a, const void *b)
{
    const tt_sample_rec *x = a, *y = b;
    if (x->series != y->series) return CMP(x->series, y->series);
    return x->ts != y->ts ? CMP(x->ts, y->ts) : CMP(x->place, y->place);
}

/* Convert times and tracks of builder k to those of the trace. */
static void place_launch_flows(const tt_finish *fin, uint32_t k, tt_launch_flow *f, size_t n)
{
    const uint32_t *track = fin->map[k].track;
    for (size_t i = 0; i < n; i++) {
        uint32_t t = f[i].track == TT_FLOW_NO_TRACK ? TT_FLOW_NO_TRACK : track[f[i].track];
        f[i].ts -= fin->zero;
        f[i].track = t < TT_FLOW_NO_TRACK ? t : TT_FLOW_NO_TRACK;
    }
}

/* Join into the first builder's list: a single reading thread copies nothing. */
static void join_launch_flows(tt_finish *fin)
{
    const size_t item = sizeof *fin->s->launch_flows;
    size_t n = 0, out = 0, first = 0;
    for (uint32_t k = 0; k < fin->n_b; k++) n += fin->b[k]->launch_flows.n;
    tt_launch_flow *all = NULL;
    if (fin->consume) {
        out = first = fin->b[0]->launch_flows.n;
        all = tt_pages_resize(fin->b[0]->launch_flows.at, fin->b[0]->launch_flows.room, n * item);
        fin->b[0]->launch_flows.at = NULL;
        tt_page_vec_free(&fin->b[0]->launch_flows);
    } else {
        all = tt_pages_alloc(n * item);
    }
    for (uint32_t k = 0; k < fin->n_b; k++) {
        size_t more = fin->b[k]->launch_flows.n;
        if (!more) continue;
        memcpy(all + out, fin->b[k]->launch_flows.at, more * item);
        place_launch_flows(fin, k, all + out, more);
        if (fin->consume) tt_page_vec_free(&fin->b[k]->launch_flows);
        out += more;
    }
    if (first) place_launch_flows(fin, 0, all, first);
    fin->s->launch_flows = all;
    fin->s->n_launch_flows = (uint32_t)n;
}

/* Number text or large flow ids by first appearance: ids of interned texts differ between runs. */
static void number_wide_flows(tt_trace *s)
{
    uint32_t most = 0, n = 0;
    for (uint32_t i = 0; i < s->n_flows; i++) {
        uint32_t id = s->flows[i].id;
        if (id & TT_WIDE_ID && (id & ~TT_WIDE_ID) > most) most = id & ~TT_WIDE_ID;
    }
    uint32_t *now = tt_calloc((size_t)most + 1, sizeof *now);
    for (uint32_t i = 0; most && i < s->n_flows; i++) {
        uint32_t *id = &s->flows[i].id;
        if (!(*id & TT_WIDE_ID)) continue;
        uint32_t *to = &now[*id & ~TT_WIDE_ID];
        if (!*to) *to = ++n;
        *id = TT_WIDE_ID | *to;
    }
    free(now);
}

/* Count by track, put each flow into its track's stretch, then sort the stretches. */
static void join_flows(tt_finish *fin)
{
    tt_trace *s = fin->s;
    size_t n = 0;
    for (uint32_t k = 0; k < fin->n_b; k++) n += fin->b[k]->flows.n;
    s->flows = tt_pages_alloc_now(n * sizeof *s->flows);
    s->n_flows = (uint32_t)n;
    uint32_t *at = tt_calloc((size_t)s->n_tracks + 1, sizeof *at);
    for (uint32_t k = 0; k < fin->n_b; k++) {
        for (size_t i = 0; i < fin->b[k]->flows.n; i++) at[fin->map[k].track[fin->b[k]->flows.at[i].track] + 1]++;
    }
    for (uint32_t t = 0; t < s->n_tracks; t++) at[t + 1] += at[t];
    for (uint32_t k = 0; k < fin->n_b; k++) {
        const tt_id_map *m = &fin->map[k];
        for (size_t i = 0; i < fin->b[k]->flows.n; i++) {
            tt_flow f = fin->b[k]->flows.at[i];
            f.track = m->track[f.track];
            f.cat = m->cat[f.cat];
            f.id = tt_finish_wide(m, f.id);
            f.ts -= fin->zero;
            s->flows[at[f.track]++] = f;
        }
        if (fin->consume) tt_vec_free(&fin->b[k]->flows);
    }
    for (uint32_t t = 0, from = 0; t < s->n_tracks; from = at[t++]) {
        tt_sort_runs(s->flows + from, at[t] - from, sizeof *s->flows, flow_order);
    }
    number_wide_flows(s);
    free(at);
}

/* Sort the list of every builder; it is nearly sorted, as a thread reads windows in file order. Returns the number
 * of items. */
static size_t sorted_lists(tt_finish *fin, size_t offset, size_t item, int (*order)(const void *, const void *),
                           tt_sorted *out)
{
    size_t n = 0;
    for (uint32_t k = 0; k < fin->n_b; k++) {
        const TT_VEC(void) *list = (const void *)((const char *)fin->b[k] + offset);
        tt_sort_runs(list->at, list->n, item, order);
        out[k] = (tt_sorted){list->at, list->n};
        n += list->n;
    }
    return n;
}

static void put_instant(void *arg, const void *item, size_t k)
{
    const tt_finish *fin = arg;
    tt_instant *v = &fin->s->instants[fin->s->n_instants++];
    *v = *(const tt_instant *)item;
    v->track = fin->map[k].track[v->track];
    v->name = fin->map[k].name[v->name];
    v->cat = fin->map[k].cat[v->cat];
    v->ts -= fin->zero;
}

static void join_instants(tt_finish *fin)
{
    const size_t item = sizeof(tt_instant);
    tt_sorted *lists = tt_malloc(fin->n_b * sizeof *lists);
    size_t n = sorted_lists(fin, offsetof(tt_builder, instants), item, instant_order, lists);
    fin->s->instants = tt_malloc(n * item);
    tt_merge_sorted(lists, fin->n_b, item, instant_order, put_instant, fin);
    free(lists);
}

static void map_memory(const tt_finish *fin, tt_memory_record *v, size_t k)
{
    v->track = fin->map[k].track[v->track];
    v->ts -= fin->zero;
    if (v->maker) v->maker = tt_maker_bits(fin->map[k].name[v->maker]);
}

/* Memory records moved from the builders' lists into the trace's, which reuses their pages. */
struct memory_move {
    tt_finish *fin;
    tt_memory_record *out;
    size_t n, fed; /* number of records in total, and of those with pages from the stock */
    struct moved {
        size_t n;     /* number of moved records of the list */
        size_t given; /* bytes of the list handed to the stock */
    } * list;         /* by builder */
    tt_page_pool stock;
};

#define STRETCH_BYTES ((size_t)1 << 20) /* bytes moved at once: moving a page is cheap, a call is not */

static void give_moved(struct memory_move *m)
{
    for (uint32_t k = 0; k < m->fin->n_b; k++) {
        struct moved *l = &m->list[k];
        size_t done = tt_pages_within(l->n * sizeof *m->out);
        if (done > l->given) tt_page_pool_give(&m->stock, (char *)m->fin->b[k]->memory.at + l->given, done - l->given);
        l->given = done;
    }
}

/* Get pages for the next records, from the stock first. */
static void feed_memory(struct memory_move *m)
{
    size_t from = tt_pages_around(m->fed * sizeof *m->out), end = from + tt_pages_around(STRETCH_BYTES);
    size_t all = tt_pages_around(m->n * sizeof *m->out);
    if (end > all) end = all;
    give_moved(m);
    tt_page_pool_take(&m->stock, (char *)m->out + from, end - from);
    m->fed = end / sizeof *m->out;
}

static void put_memory(void *arg, const void *item, size_t k)
{
    struct memory_move *m = arg;
    if (m->fin->s->n_memory == m->fed && m->fin->consume) feed_memory(m);
    tt_memory_record *v = &m->out[m->fin->s->n_memory++];
    *v = *(const tt_memory_record *)item;
    map_memory(m->fin, v, k);
    m->list[k].n++;
}

static void merge_memory(tt_finish *fin, const tt_sorted *lists, size_t n)
{
    const size_t item = sizeof(tt_memory_record);
    struct memory_move m = {.fin = fin, .out = tt_pages_alloc(n * item), .n = n};
    m.list = tt_calloc(fin->n_b, sizeof *m.list);
    tt_merge_sorted(lists, fin->n_b, item, memory_order, put_memory, &m);
    fin->s->memory = m.out;
    if (fin->consume) {
        for (uint32_t k = 0; k < fin->n_b; k++) { /* released memory belongs to the stock, or the trace's list */
            if (fin->b[k]->memory.at) {
                tt_pages_free((char *)fin->b[k]->memory.at + m.list[k].given, fin->b[k]->memory.room - m.list[k].given);
                fin->b[k]->memory.at = NULL;
            }
            tt_page_vec_free(&fin->b[k]->memory);
        }
    }
    pthread_mutex_lock(&fin->stocking);
    tt_page_pool_move(&fin->stock, &m.stock);
    pthread_mutex_unlock(&fin->stocking);
    free(m.list);
}

/* Take over the list if only one builder has records. */
static bool take_memory(tt_finish *fin, const tt_sorted *lists, size_t n)
{
    uint32_t k = 0;
    while (k < fin->n_b && lists[k].n != n) k++;
    if (!fin->consume || !n || k == fin->n_b) return false;
    tt_builder *b = fin->b[k];
    fin->s->memory = tt_pages_resize(b->memory.at, b->memory.room, n * sizeof *b->memory.at);
    fin->s->n_memory = (uint32_t)n;
    b->memory.at = NULL;
    tt_page_vec_free(&b->memory);
    for (size_t i = 0; i < n; i++) map_memory(fin, &fin->s->memory[i], k);
    return true;
}

static void join_peaks(tt_finish *fin)
{
    TT_VEC(tt_memory_peak) all = {0};
    for (uint32_t k = 0; k < fin->n_b; k++) {
        for (size_t i = 0; i < fin->b[k]->peaks.n; i++) {
            tt_memory_peak p = fin->b[k]->peaks.at[i];
            size_t to = 0;
            p.allocated_at -= fin->zero;
            while (to < all.n && !tt_memory_peak_merge(&all.at[to], &p)) to++;
            if (to == all.n) *tt_vec_push(&all) = p;
        }
    }
    fin->s->peaks = all.at;
    fin->s->n_peaks = (uint32_t)all.n;
}

static void join_memory(tt_finish *fin)
{
    join_peaks(fin);
    const size_t item = sizeof(tt_memory_record);
    tt_sorted *lists = tt_malloc(fin->n_b * sizeof *lists);
    size_t n = sorted_lists(fin, offsetof(tt_builder, memory), item, memory_order, lists);
    if (!take_memory(fin, lists, n)) merge_memory(fin, lists, n);
    free(lists);
}

static void join_counters(tt_finish *fin)
{
    tt_trace *s = fin->s;
    size_t n = 0, out = 0;
    for (uint32_t k = 0; k < fin->n_b; k++) n += fin->b[k]->samples.n;
    tt_sample_rec *all = tt_malloc(n * sizeof *all);
    for (uint32_t k = 0; k < fin->n_b; k++) {
        for (size_t i = 0; i < fin->b[k]->samples.n; i++) {
            tt_sample_rec v = fin->b[k]->samples.at[i];
            v.series = fin->map[k].series[v.series];
            v.ts -= fin->zero;
            all[out++] = v;
        }
    }
    tt_sort_runs(all, n, sizeof *all, sample_order);
    s->samples = tt_malloc(n * sizeof *s->samples);
    s->n_samples = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        tt_series *v = &s->series[all[i].series];
        if (!v->n++) v->first = (uint32_t)i;
        s->samples[i] = (tt_sample){all[i].ts, all[i].value};
    }
    free(all);
}

static void join_graph_nodes(tt_finish *fin)
{
    TT_VEC(tt_graph_node) all = {0};
    for (uint32_t k = 0; k < fin->n_b; k++) {
        for (size_t i = 0; i < fin->b[k]->graph_nodes.n; i++) {
            tt_graph_node v = fin->b[k]->graph_nodes.at[i];
            v.start -= fin->zero;
            v.track = fin->map[k].track[v.track];
            *tt_vec_push(&all) = v;
        }
    }
    TT_SORT_BY(all.at, all.n, TT_ASC(tt_graph_node, node), TT_ASC(tt_graph_node, start));
    fin->s->graph_nodes = all.at;
    fin->s->n_graph_nodes = (uint32_t)all.n;
}

static void join_others(tt_finish *fin)
{
    join_graph_nodes(fin);
    tt_trace *s = fin->s;
    size_t n = 0, out = 0;
    for (uint32_t k = 0; k < fin->n_b; k++) n += fin->b[k]->others.n;
    s->others = tt_malloc(n * sizeof *s->others);
    s->n_others = (uint32_t)n;
    for (uint32_t k = 0; k < fin->n_b; k++) {
        for (size_t i = 0; i < fin->b[k]->others.n; i++) {
            tt_other *v = &s->others[out++];
            *v = fin->b[k]->others.at[i];
            if (v->track != TT_NONE && !fin->map[k].identity) v->track = fin->map[k].track[v->track];
            if (v->ts != TT_ANY_TIME && v->ts != TT_NO_TIME) v->ts -= fin->zero;
        }
        if (fin->consume) tt_vec_free(&fin->b[k]->others);
    }
    s->pairs = tt_realloc(fin->pairs.at, fin->pairs.n, sizeof *s->pairs);
    s->n_pairs = (uint32_t)fin->pairs.n;
}

/* Each part touches only its own tables, so parts can run in parallel with each other and the rows. */
void tt_finish_side(tt_finish *fin, size_t part)
{
    static void (*const parts[TT_JOIN_SIDES])(tt_finish *) = {join_launch_flows, join_flows,    join_memory,
                                                              join_instants,     join_counters, join_others};
    parts[part](fin);
}

uint64_t tt_finish_side_cost(const tt_finish *fin, size_t part)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < fin->n_b; k++) {
        const tt_builder *b = fin->b[k];
        const size_t cost[TT_JOIN_SIDES] = {b->launch_flows.n / 8, b->flows.n / 2, b->memory.n / 2,
                                            b->instants.n / 2,     b->samples.n,   b->others.n / 8};
        n += cost[part];
    }
    return n;
}
