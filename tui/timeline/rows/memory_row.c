/* tui/timeline/rows/memory_row.c - the memory of a device: the largest of each cell against the peak of the trace.
 * Drawing is O(cells log samples). */
#include <stdio.h>

#include "model/index/memory_curve.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/rows/derived.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/sources.h"

/* The memory of the device of a row; NULL = not known yet, or no records. */
static const tt_memory_series *memory_of(const tt_timeline *t, const tt_timeline_node *n)
{
    if (!tt_derived_known(t, n)) return NULL;
    const tt_memory_curves *c = tt_memory_curves_get(t->session, n->trace);
    int64_t id = tt_derived_device_id(t, n);
    for (uint32_t i = 0; i < c->n; i++) {
        const tt_memory_series *s = &c->at[i];
        if (s->type > 0 && s->type != TT_DEVICE_PINNED && s->id == id && s->peak != TT_UNKNOWN) return s;
    }
    return NULL;
}

static void add_lines(tt_timeline *t, uint32_t node)
{
    const tt_timeline_node *n = &t->nodes.at[node];
    if ((!tt_derived_known(t, n) || memory_of(t, n)) && !tt_derived_gives_way(t, node)) tt_lines_add(t, node, TT_NONE);
}

static void side_text(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    char text[TT_TEXT_CAP];
    const tt_memory_series *m = memory_of(t, n);
    int64_t most = m ? tt_memory_series_highest(m, t->t0, t->t1).allocated : TT_UNKNOWN;
    snprintf(out, cap, "%s", most == TT_UNKNOWN ? "" : tt_format_bytes(text, most));
}

static void draw_cells(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_memory_series *m = memory_of(f->t, &f->t->nodes.at[l->node]);
    for (int col = 0; col < f->w; col++) {
        int64_t a = f->edge[col], b = f->edge[col + 1] > a ? f->edge[col + 1] : a + 1;
        int64_t highest = m && m->peak > 0 ? tt_memory_series_highest(m, a, b).allocated : 0; /* TT_UNKNOWN is < 0 */
        tt_timeline_put_part(c, y, f, col, highest > 0 ? (double)highest / (double)m->peak : 0);
    }
}

static void memory_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap)
{
    const tt_memory_series *m = memory_of(t, n);
    char now[TT_TEXT_CAP] = "-", window[TT_TEXT_CAP] = "-", peak[TT_TEXT_CAP], at[TT_TEXT_CAP], when[TT_TEXT_CAP];
    if (!m) {
        snprintf(out, cap, "not known yet");
        return;
    }
    uint32_t i = tt_memory_series_point(m, t->at);
    tt_memory_point most = tt_memory_series_highest(m, t->t0, t->t1);
    if (i != TT_NONE && m->at[i].allocated != TT_UNKNOWN) tt_format_bytes(now, m->at[i].allocated);
    if (most.allocated != TT_UNKNOWN) tt_format_bytes(window, most.allocated);
    snprintf(out, cap, "%s allocated at %s   at most %s on screen   peak %s at %s   5 Memory", now,
             tt_format_time(at, t->at, unit), window, tt_format_bytes(peak, m->peak),
             tt_format_time(when, m->peak_at, unit));
}

/* To the next sample, or to the last one before the cursor. */
static bool move_sample(tt_timeline *t, const tt_timeline_node *n, int dir)
{
    const tt_memory_series *m = memory_of(t, n);
    uint32_t i = m ? tt_memory_series_point(m, dir > 0 ? t->at : t->at - 1) : TT_NONE;
    if (m && dir > 0) i = i == TT_NONE ? 0 : i + 1;
    if (!m || i >= m->n) return false; /* also when i is TT_NONE */
    tt_timeline_place(t, m->at[i].at);
    return true;
}

const tt_row_source tt_source_memory = {
    .lines = add_lines,
    .filter = TT_FILTER_PARENT,
    .needs = 1u << TT_DERIVED_MEMORY,
    .name = "memory",
    .side = side_text,
    .cells = draw_cells,
    .move = move_sample,
    .never_busy = true,
    .text = memory_text,
};
