/* tui/timeline/navigate/ranges.c - see ranges.h. */
#include "tui/timeline/navigate/ranges.h"

#include <stdlib.h>

#include "model/base/bisect.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/rows/derived.h"

static int by_time(const void *a, const void *b)
{
    const tt_hit_range *x = a, *y = b;
    if (x->t0 != y->t0) return x->t0 < y->t0 ? -1 : 1;
    if (x->trace != y->trace) return x->trace < y->trace ? -1 : 1;
    return x->device < y->device ? -1 : x->device > y->device;
}

size_t tt_ranges_set(tt_timeline *t, const tt_hit_range *at, size_t n, size_t show)
{
    size_t place = 0;
    if (n) tt_timeline_match(t, NULL, false);
    t->search.ranges.n = 0;
    t->search.serial++;
    for (size_t i = 0; i < n; i++) {
        *tt_vec_push(&t->search.ranges) = at[i];
        place += by_time(&at[i], &at[show]) < 0;
    }
    if (n) qsort(t->search.ranges.at, n, sizeof *t->search.ranges.at, by_time);
    return place;
}

static int64_t middle_of(const tt_hit_range *r) { return r->t0 + (r->t1 - r->t0) / 2; }

bool tt_ranges_next(const tt_timeline *t, int dir, size_t *i, bool *wrapped)
{
    const tt_hit_range *r = t->search.ranges.at;
    size_t n = t->search.ranges.n, lo = 0, hi = n;
    if (n == 0) return false;
    if (t->search.range_at < n && t->at == t->placed && t->at == middle_of(&r[t->search.range_at])) {
        lo = dir < 0 ? t->search.range_at : t->search.range_at + 1; /* start at the shown range */
    } else {
        TT_BISECT(lo, hi, k, r[k].t0 <= t->at);
    }
    *wrapped = dir < 0 ? lo == 0 : lo == n;
    *i = dir < 0 ? (lo + n - 1) % n : lo % n;
    return true;
}

void tt_ranges_window_to(tt_timeline *t, int64_t a, int64_t b)
{
    int64_t len = b - a, span = t->t1 - t->t0, mid = a + len / 2;
    if (len < 3 * (span / t->cols) || len > span) span = 6 * len > t->cols ? 6 * len : t->cols;
    if (span != t->t1 - t->t0 || a < t->t0 || b > t->t1) tt_timeline_window(t, mid - span / 2, mid + span - span / 2);
}

void tt_ranges_to_idle_row(tt_timeline *t, uint32_t trace, uint32_t device, int64_t at)
{
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        const tt_timeline_node *n = &t->nodes.at[i];
        if (n->kind != TT_TIMELINE_IDLE || n->trace != trace || tt_derived_device(t, n) != device) continue;
        t->line = tt_view_reveal_node(t, i);
        break;
    }
    t->sel.row = TT_NONE;
    t->at = t->placed = at;
    tt_timeline_scroll(t);
}

void tt_ranges_show(tt_timeline *t, size_t at)
{
    const tt_hit_range *r = &t->search.ranges.at[at];
    tt_ranges_window_to(t, r->t0, r->t1);
    t->search.range_at = at;
    tt_ranges_to_idle_row(t, r->trace, r->device, middle_of(r));
}
