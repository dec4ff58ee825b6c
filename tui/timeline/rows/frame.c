/* tui/timeline/rows/frame.c - see frame.h. */
#include "tui/timeline/rows/frame.h"

#include <math.h>
#include <stdlib.h>

#include "tui/timeline/model/axis.h"

void tt_timeline_frame_free(tt_timeline_frame *f)
{
    for (uint32_t i = 0; i < f->n_paints; i++) {
        free(f->paints[i]);
    }
    free(f->paints);
    free(f->edge);
    for (unsigned i = 0; i < TT_ROWS_KEPT; i++) {
        free(f->kept[i].cells);
        free(f->kept[i].path);
    }
    free(f->lanes);
    free(f->busy);
    free(f->strip.busy);
    free(f->strip.ticks);
    free(f->under);
    *f = (tt_timeline_frame){0};
}

void tt_timeline_frame_reserve(tt_timeline_frame *f, int w)
{
    if (w <= f->cap) {
        return;
    }
    size_t n = (size_t)w;
    f->edge = tt_realloc(f->edge, n + 1, sizeof *f->edge);
    f->busy = tt_realloc(f->busy, n, sizeof *f->busy);
    f->strip.busy = tt_realloc(f->strip.busy, n, sizeof *f->strip.busy);
    f->under = tt_realloc(f->under, n, sizeof *f->under);
    f->strip.ticks = tt_realloc(f->strip.ticks, n, sizeof *f->strip.ticks);
    f->cap = w;
}

int tt_timeline_eighths(int64_t part, int64_t whole)
{
    if (part <= 0 || whole <= 0) {
        return 0;
    }
    int n = (int)(((__int128)part * 8 + whole / 2) / whole);
    return n < 1 ? 1 : n > 8 ? 8 : n;
}

bool tt_timeline_marks_span(const tt_timeline_frame *f, int64_t a, int64_t b, int col)
{
    enum { NARROW = 4 };
    int64_t from = f->edge[col], to = f->edge[col + 1] > from ? f->edge[col + 1] : from + 1;
    if (a >= to || b <= from) return false;
    return a >= from || b <= to || tt_timeline_col(f->t, b - 1) - tt_timeline_col(f->t, a) < NARROW - 1;
}

void tt_timeline_put_gap(tt_canvas *c, int y, const tt_timeline_frame *f, int col)
{
    unsigned under = f->under[col];
    tt_paint bg = under & TT_UNDER_MARK ? TT_PAINT_MARK : TT_PAINT_NONE;
    uint32_t ch = ' ';
    tt_style st = bg ? tt_style_fill(TT_PAINT_DIM, bg) : (tt_style)TT_ROLE_GRID;
    if (under & TT_UNDER_CURSOR && !(f->dashed && y % 2)) {
        ch = tt_glyph_of(c, TT_G_VLINE);
        st = bg ? st : (tt_style)TT_ROLE_LABEL_ON;
    } else if (under & TT_UNDER_GRID) {
        ch = tt_glyph_of(c, TT_G_DASH_V);
    } else if (bg && c->mono) {
        ch = tt_glyph_of(c, TT_G_DOT);
    }
    if (ch != ' ' || bg) {
        tt_put_char(c, y, f->x + col, st, ch);
    }
}

void tt_timeline_put_part(tt_canvas *c, int y, const tt_timeline_frame *f, int col, double part)
{
    if (part > 0)
        tt_put_char(c, y, f->x + col, TT_ROLE_PLOT, tt_height(c, part >= 1 ? 8 : (int)fmax(1, part * 8 + 0.5)));
    else
        tt_timeline_put_gap(c, y, f, col);
}
