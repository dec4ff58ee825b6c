/* tui/timeline/rows/instant_row.c - the instants of a process: a mark for each, with its name where there is room. */
#include <stdio.h>

#include "model/base/bisect.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/sources.h"

/* First instant of the node at or after common time t, searched from instant `from` on. */
static uint32_t instant_from(const tt_trace *s, const tt_timeline_node *n, uint32_t from, int64_t offset, int64_t t)
{
    uint32_t hi = n->n_instants;
    TT_BISECT(from, hi, i, s->instants[n->instants[i]].ts + offset < t);
    return from;
}

static void draw_cells(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline_node *n = &f->t->nodes.at[l->node];
    const tt_trace *s = f->t->session->traces[n->trace];
    int64_t offset = f->t->session->offset_ns[n->trace];
    uint32_t i = instant_from(s, n, 0, offset, f->edge[0]);
    for (int col = 0; col < f->w; col++) {
        uint32_t lo = instant_from(s, n, i, offset, f->edge[col + 1]);
        if (lo > i) { /* a mark, and the name if there is room before the next mark */
            const tt_instant *at = &s->instants[n->instants[lo - 1]];
            int room = lo < n->n_instants ? tt_timeline_col(f->t, s->instants[n->instants[lo]].ts + offset) - col - 2
                                          : f->w - col - 1;
            tt_put_char(c, y, f->x + col, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_TRI_DOWN));
            if (room >= 4) {
                tt_put_cut(c, y, f->x + col + 1, TT_ROLE_DIM, tt_str(&s->strings, at->name), room, TT_CUT_END);
            }
        }
        i = lo;
    }
}

static void instants_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap)
{
    const tt_trace *s = t->session->traces[n->trace];
    char time[TT_TEXT_CAP], count[TT_TEXT_CAP], place[TT_TEXT_CAP];
    int64_t offset = t->session->offset_ns[n->trace];
    uint32_t i = instant_from(s, n, 0, offset, t->at + 1);
    i -= i > 0;
    const tt_instant *at = &s->instants[n->instants[i]];
    snprintf(out, cap, "%s @ %s   instant %s of %s", tt_str(&s->strings, at->name),
             tt_format_time(time, at->ts + offset, unit), tt_format_count(place, i + 1),
             tt_format_count(count, n->n_instants));
}

static bool move_instant(tt_timeline *t, const tt_timeline_node *n, int dir)
{
    const tt_trace *s = t->session->traces[n->trace];
    int64_t offset = t->session->offset_ns[n->trace];
    uint32_t i = instant_from(s, n, 0, offset, t->at + (dir > 0));
    if (dir < 0 ? i == 0 : i == n->n_instants) return false;
    tt_timeline_to_time(t, s->instants[n->instants[i - (dir < 0)]].ts + offset);
    return true;
}

const tt_row_source tt_source_instants = {.name = "instants",
                                          .cut_middle = true,
                                          .cells = draw_cells,
                                          .move = move_instant,
                                          .text = instants_text};
