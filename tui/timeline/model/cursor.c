/* tui/timeline/model/cursor.c - see cursor.h. */
#include "tui/timeline/model/cursor.h"

#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/lines.h"

const tt_timeline_node *tt_timeline_track_here(const tt_timeline *t, uint32_t *depth)
{
    if (t->line >= t->lines.n) {
        return NULL;
    }
    const tt_line *l = &t->lines.at[t->line];
    const tt_timeline_node *n = &t->nodes.at[l->node];
    *depth = l->depth;
    return tt_timeline_is_track(n) ? n : NULL;
}

static tt_row longest_in(tt_timeline *t, const tt_timeline_node *n, uint32_t depth, int64_t a, int64_t b,
                         tt_lod_cell *cell)
{
    int64_t offset = t->session->offset_ns[n->trace];
    *cell = (tt_lod_cell){.longest = TT_NONE};
    if (!tt_timeline_indexed(t, n->trace, n->index)) {
        return TT_NONE;
    }
    if (depth == TT_NONE) {
        tt_lod_query_track(t->lods[n->trace], n->index, a - offset, b - offset, 1, cell);
    } else {
        tt_lod_query(t->lods[n->trace], n->index, depth, a - offset, b - offset, 1, cell);
    }
    return cell->longest;
}

void tt_timeline_pick(tt_timeline *t)
{
    uint32_t depth = 0;
    const tt_timeline_node *n = tt_timeline_track_here(t, &depth);
    t->sel.row = TT_NONE;
    t->picks_later = n && !tt_timeline_indexed(t, n->trace, n->index);
    if (!n || t->picks_later) {
        return;
    }
    int col = tt_timeline_col(t, t->at);
    tt_lod_cell cell;
    tt_row row = TT_NONE;
    if (col >= 0 && col < t->cols) {
        int64_t a = tt_timeline_edge(t, col), b = tt_timeline_edge(t, col + 1);
        row = longest_in(t, n, depth, a, b > a ? b : a + 1, &cell);
    }
    if (row == TT_NONE) { /* no slice in the cell: the nearest slice, if it is on the screen */
        row = tt_lod_nearest(t->lods[n->trace], n->index, depth == TT_NONE ? 0 : depth,
                             t->at - t->session->offset_ns[n->trace]);
        tt_slice_ref r = {n->trace, row};
        if (row == TT_NONE || tt_timeline_start(t, r) >= t->t1 || tt_timeline_end(t, r) < t->t0) {
            return;
        }
    }
    t->sel = (tt_slice_ref){n->trace, row};
}

bool tt_timeline_next_track(tt_timeline *t, int dir)
{
    if (t->lines.n == 0) {
        return false;
    }
    uint32_t own = t->lines.at[t->line].node, i = t->line;
    for (;;) {
        if (dir > 0 ? i + 1 >= t->lines.n : i == 0) {
            return false;
        }
        i += dir > 0 ? 1 : UINT32_MAX;
        const tt_line *l = &t->lines.at[i];
        bool first = i == 0 || t->lines.at[i - 1].node != l->node;
        if (l->node != own && first && tt_timeline_is_track(&t->nodes.at[l->node])) {
            t->line = i;
            tt_timeline_scroll(t);
            tt_timeline_pick(t);
            return true;
        }
    }
}

void tt_timeline_settle(tt_timeline *t)
{
    bool slices = tt_timeline_here(t) && tt_timeline_is_track(tt_timeline_here(t));
    if (!slices && !tt_timeline_next_track(t, 1)) {
        tt_timeline_next_track(t, -1);
    }
    if (!tt_timeline_has_sel(t) || !tt_timeline_passes(t, t->sel) || tt_timeline_line_of(t, t->sel) != t->line) {
        tt_timeline_pick(t);
    }
}

void tt_timeline_busy(tt_timeline *t, int64_t a, int64_t b, int64_t *busy_ns, uint32_t *count)
{
    uint32_t depth = 0;
    const tt_timeline_node *n = tt_timeline_track_here(t, &depth);
    tt_lod_cell cell = {0};
    *busy_ns = 0;
    if (n) {
        longest_in(t, n, depth, a, b, &cell);
        *busy_ns = cell.busy_ns;
    } else if (tt_timeline_here(t) && tt_timeline_here(t)->group) {
        tt_lod_union_query(tt_timeline_here(t)->group, a, b, 1, busy_ns);
    }
    *count = cell.count;
}
