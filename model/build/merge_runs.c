/* Merging the sorted runs of a track's blocks: see merge_runs.h. */
#include "model/build/merge_runs.h"

#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/sort.h"

static bool before(const tt_rec *a, const tt_rec *b)
{
    if (a->ts != b->ts) return a->ts < b->ts;
    if (a->dur != b->dur) return a->dur > b->dur;
    return a->text_cat < b->text_cat;
}

static int run_order(const void *a, const void *b)
{
    const tt_merge_run *x = a, *y = b;
    return before(x->head, y->head) ? -1 : before(y->head, x->head);
}

void tt_runs_find(tt_run_list *parts, const tt_rec_block *const *blocks, uint32_t from, uint32_t to, const int64_t *cut,
                  uint32_t n_cuts)
{
    const tt_rec *last = NULL;
    tt_merge_run *run = NULL;
    int64_t end = INT64_MIN; /* of the part that the run is in: the next slice may be beyond it */
    for (uint32_t b = from; b < to; b++) {
        for (uint32_t i = 0; i < blocks[b]->n; i++) {
            const tt_rec *r = &blocks[b]->at[i];
            if (!run || r->ts >= end || before(r, last)) {
                uint32_t lo = 0, hi = n_cuts;
                TT_BISECT(lo, hi, k, cut[k] <= r->ts);
                run = tt_vec_push(&parts[lo]);
                *run = (tt_merge_run){r, b, i, 0};
                end = lo < n_cuts ? cut[lo] : INT64_MAX;
            }
            run->left++;
            last = r;
        }
    }
}

void tt_merge_begin(tt_merge *m, const tt_rec_block *const *blocks, tt_run_list runs)
{
    *m = (tt_merge){.blocks = blocks, .runs = runs};
    tt_sort_runs(m->runs.at, m->runs.n, sizeof *m->runs.at, run_order);
}

void tt_merge_free(tt_merge *m)
{
    tt_vec_free(&m->runs);
    tt_vec_free(&m->heap);
}

/* ---- the runs that take part ---- */

static const tt_rec *head(const tt_merge *m, size_t i) { return m->runs.at[m->heap.at[i].run].head; }

static bool heap_before(const tt_merge *m, size_t a, size_t b)
{
    if (m->heap.at[a].ts != m->heap.at[b].ts) return m->heap.at[a].ts < m->heap.at[b].ts;
    return before(head(m, a), head(m, b));
}

static void swap(tt_merge *m, size_t a, size_t b)
{
    struct tt_merge_head h = m->heap.at[a];
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

static void begin_run(tt_merge *m)
{
    uint32_t run = (uint32_t)m->begun++;
    *tt_vec_push(&m->heap) = (struct tt_merge_head){m->runs.at[run].head->ts, run};
    for (size_t i = m->heap.n - 1; i && heap_before(m, i, (i - 1) / 2); i = (i - 1) / 2) swap(m, i, (i - 1) / 2);
}

/* The first slice of any other run: the stretch of the earliest run ends in front of it. NULL when there is no
 * other. */
static const tt_rec *limit(const tt_merge *m)
{
    const tt_rec *l = m->begun < m->runs.n ? m->runs.at[m->begun].head : NULL;
    for (size_t k = 1; k < 3 && k < m->heap.n; k++) {
        if (!l || before(head(m, k), l)) l = head(m, k);
    }
    return l;
}

/* Move the earliest run on by n slices, all in its block. */
static void advance(tt_merge *m, uint32_t n)
{
    tt_merge_run *r = &m->runs.at[m->heap.at[0].run];
    r->left -= n;
    r->at += n;
    if (!r->left) {
        m->heap.at[0] = m->heap.at[--m->heap.n];
    } else {
        while (r->at == m->blocks[r->block]->n) r->block++, r->at = 0;
        r->head = &m->blocks[r->block]->at[r->at];
        m->heap.at[0].ts = r->head->ts;
    }
    sift_down(m);
}

bool tt_merge_next(tt_merge *m, tt_stretch *out)
{
    while (m->begun < m->runs.n && (!m->heap.n || before(m->runs.at[m->begun].head, head(m, 0)))) begin_run(m);
    if (!m->heap.n) return false;
    const tt_merge_run *r = &m->runs.at[m->heap.at[0].run];
    const tt_rec_block *b = m->blocks[r->block];
    uint64_t most = r->left < b->n - r->at ? r->left : b->n - r->at;
    const tt_rec *l = limit(m);
    uint32_t n = 1;
    if (l) {
        while (n < most && before(r->head + n, l)) n++;
    } else {
        n = (uint32_t)most;
    }
    *out = (tt_stretch){r->block, r->at, n};
    advance(m, n);
    return true;
}
