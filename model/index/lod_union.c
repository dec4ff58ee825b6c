/* model/index/lod_union.c - the union of the outermost slices of several tracks, by merging them in time order.
 *
 * Checkpoints along the merge hold the busy time before them; a query restarts at the last checkpoint before an
 * edge. The merge (struct merge) is a heap with one cursor per track. */
#include "model/index/lod_union.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/index/lod_index.h"

enum { PLACE_EVERY = 64 };

typedef struct checkpoint {
    int64_t at;    /* start of a slice; all earlier slices lie before the checkpoint */
    int64_t busy;  /* union of these slices up to `at`, ns */
    int64_t reach; /* latest end of these slices */
} checkpoint;

struct tt_lod_union {
    tt_lod_member *members;
    uint32_t n;
    pthread_mutex_t lock;
    atomic_bool built;
    TT_VEC(checkpoint) checkpoints;
};

typedef struct cursor {
    int64_t start; /* start of the next slice, common time */
    uint32_t member, i;
} cursor;

typedef struct merge {
    const tt_lod_union *g;
    const tt_lod_lane **lanes; /* outermost slices by member */
    cursor *heap;
    uint32_t n;
    int64_t at, busy, reach; /* busy covers [.., at) */
} merge;

tt_lod_union *tt_lod_union_new(const tt_lod_member *members, uint32_t n)
{
    tt_lod_union *g = tt_calloc(1, sizeof *g);
    g->members = tt_calloc(n + (size_t)1, sizeof *g->members);
    if (n > 0) {
        memcpy(g->members, members, n * sizeof *members);
    }
    g->n = n;
    pthread_mutex_init(&g->lock, NULL);
    return g;
}

void tt_lod_union_free(tt_lod_union *g)
{
    if (!g) {
        return;
    }
    pthread_mutex_destroy(&g->lock);
    tt_vec_free(&g->checkpoints);
    free(g->members);
    free(g);
}

static void merge_init(merge *m, const tt_lod_union *g)
{
    *m = (merge){.g = g};
    m->lanes = tt_calloc(g->n + (size_t)1, sizeof *m->lanes);
    m->heap = tt_calloc(g->n + (size_t)1, sizeof *m->heap);
    for (uint32_t i = 0; i < g->n; i++) {
        const tt_lod_track *t = tt_lod_track_get(g->members[i].lod, g->members[i].track);
        m->lanes[i] = &t->lanes[t->n_lanes];
    }
}

static void merge_free(merge *m)
{
    free(m->lanes);
    free(m->heap);
}

static void sift_down(merge *m, uint32_t i)
{
    cursor c = m->heap[i];
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= m->n) {
            break;
        }
        child += child + 1 < m->n && m->heap[child + 1].start < m->heap[child].start;
        if (m->heap[child].start >= c.start) {
            break;
        }
        m->heap[i] = m->heap[child];
        i = child;
    }
    m->heap[i] = c;
}

/* Continue from a checkpoint; NULL = from the beginning. */
static void merge_from(merge *m, const checkpoint *p)
{
    m->n = 0;
    for (uint32_t k = 0; k < m->g->n; k++) {
        const tt_lod_member *b = &m->g->members[k];
        uint32_t i = p ? tt_lod_lane_lower_bound(b->trace, m->lanes[k], p->at - b->offset_ns) : 0;
        if (i < m->lanes[k]->n) {
            int64_t start = b->trace->start[tt_lod_lane_row(m->lanes[k], i)] + b->offset_ns;
            m->heap[m->n++] = (cursor){start, k, i};
        }
    }
    for (uint32_t i = m->n / 2; i-- > 0;) {
        sift_down(m, i);
    }
    m->at = p ? p->at : INT64_MIN / 4; /* before all slices */
    m->busy = p ? p->busy : 0;
    m->reach = p ? p->reach : m->at;
}

/* Account for the time up to t. */
static void advance(merge *m, int64_t t)
{
    if (t <= m->at) {
        return;
    }
    int64_t end = m->reach < t ? m->reach : t;
    m->busy += end > m->at ? end - m->at : 0;
    m->at = t;
}

/* Account for the time up to the next slice's start, then add the slice. */
static void merge_next_slice(merge *m)
{
    cursor *c = &m->heap[0];
    const tt_lod_member *b = &m->g->members[c->member];
    const tt_lod_lane *n = m->lanes[c->member];
    advance(m, c->start);
    int64_t end = c->start + b->trace->dur[tt_lod_lane_row(n, c->i)];
    m->reach = end > m->reach ? end : m->reach;
    if (++c->i < n->n) {
        c->start = b->trace->start[tt_lod_lane_row(n, c->i)] + b->offset_ns;
    } else {
        m->heap[0] = m->heap[--m->n];
    }
    if (m->n > 0) {
        sift_down(m, 0);
    }
}

void tt_lod_union_build(tt_lod_union *g, const atomic_bool *stop)
{
    if (atomic_load(&g->built)) {
        return;
    }
    pthread_mutex_lock(&g->lock);
    if (!atomic_load(&g->built)) {
        merge m;
        merge_init(&m, g);
        merge_from(&m, NULL);
        g->checkpoints.n = 0;
        bool stopped = false;
        for (uint32_t n = 0; m.n > 0 && !stopped; n++) {
            if (n >= PLACE_EVERY && m.heap[0].start > m.at) {
                n = 0;
                advance(&m, m.heap[0].start);
                *tt_vec_push(&g->checkpoints) = (checkpoint){m.at, m.busy, m.reach};
                stopped = stop && atomic_load(stop);
            }
            merge_next_slice(&m);
        }
        merge_free(&m);
        atomic_store(&g->built, !stopped);
    }
    pthread_mutex_unlock(&g->lock);
}

bool tt_lod_union_ready(const tt_lod_union *g) { return atomic_load(&((tt_lod_union *)g)->built); }

/* Number of checkpoints at or before t. */
static size_t places_before(const tt_lod_union *g, int64_t t)
{
    size_t a = 0, b = g->checkpoints.n;
    TT_BISECT(a, b, i, g->checkpoints.at[i].at <= t);
    return a;
}

/* Union of the time before t; continues the merge unless a checkpoint is so far ahead that restarting there, with a
 * search in every track, is cheaper. */
static int64_t busy_before(merge *m, int64_t t)
{
    size_t p = places_before(m->g, t), now = p ? places_before(m->g, m->at) : 0;
    if (p > now && (p - now) * PLACE_EVERY >= m->g->n) {
        merge_from(m, &m->g->checkpoints.at[p - 1]);
    }
    while (m->n > 0 && m->heap[0].start < t) {
        merge_next_slice(m);
    }
    advance(m, t);
    return m->busy;
}

void tt_lod_union_query(tt_lod_union *g, int64_t t0, int64_t t1, uint32_t cols, int64_t *busy_ns)
{
    tt_lod_union_build(g, NULL);
    memset(busy_ns, 0, cols * sizeof *busy_ns);
    if (t1 <= t0 || g->n == 0) {
        return;
    }
    merge m;
    merge_init(&m, g);
    merge_from(&m, NULL);
    int64_t a = t0, before = busy_before(&m, t0);
    for (uint32_t c = 0; c < cols; c++) {
        int64_t next = tt_lod_edge(t0, t1, c + 1, cols);
        if (next == a) { /* narrower than a nanosecond: show the whole one */
            while (m.n > 0 && m.heap[0].start <= a) {
                merge_next_slice(&m);
            }
            busy_ns[c] = m.reach > a;
            continue;
        }
        int64_t upto = busy_before(&m, next);
        busy_ns[c] = upto - before;
        before = upto;
        a = next;
    }
    merge_free(&m);
}
