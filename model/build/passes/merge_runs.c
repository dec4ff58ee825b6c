/* Merging the sorted runs of a track's blocks: see merge_runs.h. */
#include "model/build/passes/merge_runs.h"

#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/sort.h"

static bool before(const tt_rec *a, const tt_rec *b)
{
    if (a->ts != b->ts) return a->ts < b->ts;
    if (a->dur != b->dur) return a->dur > b->dur;
    return a->text_cat < b->text_cat;
}

void tt_runs_find(tt_run_list *parts, const tt_rec_block *const *blocks, uint32_t from, uint32_t to, const int64_t *cut,
                  uint32_t n_cuts)
{
    for (uint32_t b = from; b < to; b++) {
        tt_merge_run *run = NULL;
        int64_t end = INT64_MIN; /* end of the run's part: the next slice can lie beyond it */
        for (uint32_t i = 0; i < blocks[b]->n; i++) {
            const tt_rec *r = &blocks[b]->at[i];
            if (!run || r->ts >= end || before(r, r - 1)) {
                uint32_t lo = 0, hi = n_cuts;
                TT_BISECT(lo, hi, k, cut[k] <= r->ts);
                run = tt_vec_push(&parts[lo]);
                *run = (tt_merge_run){r, b, 0, TT_NONE};
                end = lo < n_cuts ? cut[lo] : INT64_MAX;
            }
            run->n++;
        }
    }
}

/* ---- chains ---- */

/* A chain under construction is a row of links, in slice order; the last run of a link is followed by the first of
 * the next. A link is a run as found, or a slice with all slices it encloses. */
struct link {
    uint32_t first, last; /* first and last run; equal: the link can be cut */
};

struct chain {
    tt_merge *m;
    TT_VEC(struct link) links;
};

static tt_merge_run *run_of(const tt_merge *m, uint32_t run) { return &m->runs.at[run]; }

static const tt_rec *tail_of(const tt_merge *m, uint32_t run) { return run_of(m, run)->head + run_of(m, run)->n - 1; }

static void append(struct chain *c, uint32_t first, uint32_t last)
{
    if (c->links.n) run_of(c->m, c->links.at[c->links.n - 1].last)->next = first;
    *tt_vec_push(&c->links) = (struct link){first, last};
}

/* Cut a run after its first n slices; the rest becomes the next run. */
static uint32_t cut_run(tt_merge *m, uint32_t run, uint32_t n)
{
    uint32_t rest = (uint32_t)m->runs.n;
    tt_merge_run *added = tt_vec_push(&m->runs), *r = run_of(m, run);
    *added = (tt_merge_run){r->head + n, r->block, r->n - n, r->next};
    r->n = n;
    r->next = rest;
    return rest;
}

/* The first run behind p in a link whose head is not behind p; TT_NONE: p lies inside enclosed slices. */
static uint32_t split_link(tt_merge *m, struct link l, const tt_rec *p)
{
    const tt_merge_run *r = run_of(m, l.last);
    if (!before(p, tail_of(m, l.last))) return r->next;
    if (l.first != l.last) return TT_NONE;
    uint32_t lo = 1, hi = r->n;
    TT_BISECT(lo, hi, i, !before(p, r->head + i));
    return cut_run(m, l.last, lo);
}

/* Insert a run's first slice in front of the chain's last slices, which it encloses, and its others behind them.
 * False: no such layout. */
static bool enclose(struct chain *c, uint32_t run)
{
    tt_merge *m = c->m;
    const tt_rec *p = run_of(m, run)->head;
    uint32_t last = c->links.at[c->links.n - 1].last;
    if (run_of(m, run)->n > 1 && before(p + 1, tail_of(m, last))) return false;
    size_t k = c->links.n; /* number of links not behind p */
    while (k && before(p, run_of(m, c->links.at[k - 1].first)->head)) k--;
    uint32_t inner = k ? split_link(m, c->links.at[k - 1], p) : c->links.at[0].first;
    if (inner == TT_NONE) return false;
    if (k == c->links.n) last = inner; /* the enclosed slices are all in the last link */
    uint32_t rest = run_of(m, run)->n > 1 ? cut_run(m, run, 1) : TT_NONE;
    run_of(m, run)->next = inner;
    c->links.n = k;
    append(c, run, last);
    if (rest != TT_NONE) append(c, rest, rest);
    return true;
}

static void end_chain(struct chain *c)
{
    uint32_t first = c->links.at[0].first;
    *tt_vec_push(&c->m->chains) = (tt_merge_chain){run_of(c->m, first)->head, first};
    c->links.n = 0;
}

static void make_chains(tt_merge *m)
{
    struct chain c = {.m = m};
    uint32_t n = (uint32_t)m->runs.n;
    for (uint32_t i = 0; i < n; i++) {
        if (c.links.n && before(run_of(m, i)->head, tail_of(m, c.links.at[c.links.n - 1].last))) {
            if (enclose(&c, i)) continue;
            end_chain(&c);
        }
        append(&c, i, i);
    }
    if (n) end_chain(&c);
    tt_vec_free(&c.links);
}

static int chain_order(const void *a, const void *b)
{
    const tt_merge_chain *x = a, *y = b;
    return before(x->head, y->head) ? -1 : before(y->head, x->head);
}

void tt_merge_begin(tt_merge *m, const tt_rec_block *const *blocks, tt_run_list runs)
{
    *m = (tt_merge){.blocks = blocks, .runs = runs};
    make_chains(m);
    tt_sort_runs(m->chains.at, m->chains.n, sizeof *m->chains.at, chain_order);
}

void tt_merge_free(tt_merge *m)
{
    tt_vec_free(&m->runs);
    tt_vec_free(&m->chains);
    tt_vec_free(&m->heap);
}

/* ---- active chains ---- */

static const tt_rec *head(const tt_merge *m, size_t i) { return run_of(m, m->heap.at[i].run)->head; }

static bool heap_before(const tt_merge *m, size_t a, size_t b)
{
    if (m->heap.at[a].ts != m->heap.at[b].ts) return m->heap.at[a].ts < m->heap.at[b].ts;
    return before(head(m, a), head(m, b));
}

static void swap(tt_merge *m, size_t a, size_t b)
{
    tt_merge_head h = m->heap.at[a];
    m->heap.at[a] = m->heap.at[b];
    m->heap.at[b] = h;
}

static void sift_down(tt_merge *m)
{
    for (size_t i = 0, k; (k = 2 * i + 1) < m->heap.n; i = k) {
        if (k + 1 < m->heap.n && heap_before(m, k + 1, k)) k++;
        if (!heap_before(m, k, i)) return;
        swap(m, i, k);
    }
}

static void begin_chain(tt_merge *m)
{
    const tt_merge_chain *c = &m->chains.at[m->begun++];
    *tt_vec_push(&m->heap) = (tt_merge_head){c->head->ts, c->run};
    for (size_t i = m->heap.n - 1; i && heap_before(m, i, (i - 1) / 2); i = (i - 1) / 2) swap(m, i, (i - 1) / 2);
}

/* The first slice of the next chain, which limits the stretch of the earliest one. NULL = no other chain. */
static const tt_rec *limit(const tt_merge *m)
{
    const tt_rec *l = m->begun < m->chains.n ? m->chains.at[m->begun].head : NULL;
    for (size_t k = 1; k < 3 && k < m->heap.n; k++) {
        if (!l || before(head(m, k), l)) l = head(m, k);
    }
    return l;
}

/* Advance the earliest chain by n slices of its run. */
static void advance(tt_merge *m, uint32_t n)
{
    uint32_t run = m->heap.at[0].run;
    tt_merge_run *r = run_of(m, run);
    r->n -= n;
    r->head += n;
    if (!r->n) run = r->next;
    if (run == TT_NONE) {
        m->heap.at[0] = m->heap.at[--m->heap.n];
    } else {
        m->heap.at[0] = (tt_merge_head){run_of(m, run)->head->ts, run};
    }
    sift_down(m);
}

bool tt_merge_next(tt_merge *m, tt_stretch *out)
{
    while (m->begun < m->chains.n && (!m->heap.n || before(m->chains.at[m->begun].head, head(m, 0)))) begin_chain(m);
    if (!m->heap.n) return false;
    const tt_merge_run *r = run_of(m, m->heap.at[0].run);
    const tt_rec *l = limit(m);
    uint32_t n = l ? 1 : r->n;
    while (n < r->n && before(r->head + n, l)) n++;
    *out = (tt_stretch){r->block, (uint32_t)(r->head - m->blocks[r->block]->at), n};
    advance(m, n);
    return true;
}
