/* model/trace/ancestors.c - jump pointers over the parents of slices.
 *
 * The jumps of a row follow a skew-binary counter: from any row, any ancestor is O(log depth) jumps and parents away
 * (Myers, "An applicative random-access stack"). A jump is taken when none of the rows that it skips can be the
 * answer. */
#include "model/trace/ancestors.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "model/base/mem.h"

typedef struct hop { /* rows that a jump from a row skips: the row itself and the rows up to its target */
    tt_row to;       /* where the jump lands; TT_NONE: beyond the outermost row */
    uint32_t kinds;  /* kinds of the skipped rows */
    int64_t end;     /* latest end of the skipped rows */
} hop;

struct tt_ancestors {
    hop *hops;     /* jump of each row */
    tt_row *other; /* per row the last row before it on its track of the other layer; TT_NONE */
};

enum {
    SHORT = 32,          /* first steps of a walk, which are not counted */
    STEPS_PER_SLICE = 4, /* counted steps per slice that are worth an index */
};

/* ---- building ---- */

static void put_hop(const tt_trace *s, hop *hops, const uint32_t *level, tt_row r)
{
    tt_row p = s->parent[r];
    hop h = {p, 1u << tt_row_kind(s, r), tt_row_end(s, r)};
    if (p != TT_NONE && hops[p].to != TT_NONE) {
        hop a = hops[p], b = hops[a.to];
        uint32_t end = b.to == TT_NONE ? 0 : level[b.to];
        if (level[p] - level[a.to] == level[a.to] - end) {
            h.to = b.to;
            h.kinds |= a.kinds | b.kinds;
            h.end = a.end > h.end ? a.end : h.end;
            h.end = b.end > h.end ? b.end : h.end;
        }
    }
    hops[r] = h;
}

static void free_index(struct tt_ancestors *a)
{
    if (!a) return;
    free(a->hops);
    free(a->other);
    free(a);
}

void tt_ancestors_build(const tt_trace *s)
{
    struct tt_ancestors *a = tt_malloc(sizeof *a), *none = NULL;
    uint32_t *level =
        tt_malloc((s->n + (size_t)1) * sizeof *level); /* depth of each row; 1 for rows without a parent */
    a->hops = tt_malloc((s->n + (size_t)1) * sizeof *a->hops);
    a->other = tt_malloc((s->n + (size_t)1) * sizeof *a->other);
    for (uint32_t k = 0; k < s->n_tracks; k++) {
        tt_row last[2] = {TT_NONE, TT_NONE}, first = s->tracks[k].first;
        for (tt_row r = first; r < first + s->tracks[k].n; r++) {
            bool python = tt_kind_is_python(tt_row_kind(s, r));
            level[r] = s->parent[r] == TT_NONE ? 1 : level[s->parent[r]] + 1;
            put_hop(s, a->hops, level, r);
            a->other[r] = last[!python];
            last[python] = r;
        }
    }
    free(level);
    tt_trace *to = (tt_trace *)(uintptr_t)s;
    if (!atomic_compare_exchange_strong(&to->ancestors, &none, a)) free_index(a);
}

void tt_ancestors_free(tt_trace *s) { free_index(atomic_exchange(&s->ancestors, NULL)); }

/* ---- walking ---- */

static void count(const tt_trace *s, uint64_t steps)
{
    tt_trace *to = (tt_trace *)(uintptr_t)s;
    if (steps <= SHORT) return;
    uint64_t before = atomic_fetch_add_explicit(&to->steps_walked, steps, memory_order_relaxed);
    if ((before + steps) / STEPS_PER_SLICE > s->n) tt_ancestors_build(s);
}

static bool is_it(const tt_trace *s, tt_row r, int64_t t, uint32_t kinds)
{
    return tt_row_end(s, r) > t && (kinds >> tt_row_kind(s, r) & 1);
}

tt_row tt_first_around(const tt_trace *s, tt_row r, int64_t t, uint32_t kinds)
{
    const struct tt_ancestors *a = atomic_load_explicit(&s->ancestors, memory_order_acquire);
    uint64_t steps = 0;
    if (!a) {
        for (; r != TT_NONE && !is_it(s, r, t, kinds); r = s->parent[r]) steps++;
        count(s, steps);
        return r;
    }
    while (r != TT_NONE && !is_it(s, r, t, kinds)) {
        const hop *h = &a->hops[r];
        r = h->end <= t || !(h->kinds & kinds) ? h->to : s->parent[r];
    }
    return r;
}

tt_row tt_last_of_layer(const tt_trace *s, const tt_track *track, tt_row r, bool python)
{
    const struct tt_ancestors *a = atomic_load_explicit(&s->ancestors, memory_order_acquire);
    uint64_t steps = 0;
    if (tt_kind_is_python(tt_row_kind(s, r)) == python) return r;
    if (a) return a->other[r];
    for (; tt_kind_is_python(tt_row_kind(s, r)) != python; r--, steps++) {
        if (r == track->first) {
            r = TT_NONE;
            break;
        }
    }
    count(s, steps);
    return r;
}
