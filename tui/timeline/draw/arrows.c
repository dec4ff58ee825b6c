/* tui/timeline/draw/arrows.c - arrows from the selected slice to the other ends of its links, from cause to effect.
 *
 * Lines run through gaps and over the plain colour of slices. They leave out cells with a boundary, a shade or a
 * letter, so that nothing is lost. A line turns in the row that has most room for it. */
#include <stdlib.h>

#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/rows/frame.h"

enum { ARROWS = 4 }; /* arrows of one selection; more linked slices are only underlined */

typedef struct arrow {
    tt_canvas *c;
    const tt_timeline_frame *f;
    int y; /* row of the canvas of the first line */
} arrow;

static tt_cellc *cell_at(const arrow *a, int row, int col)
{
    int y = a->y + row, x = a->f->x + col;
    bool inside = y >= 0 && y < a->c->h && x >= 0 && x < a->c->w;
    return inside ? &a->c->cells[(size_t)y * (size_t)a->c->stride + (size_t)x] : NULL;
}

/* The cell may be drawn over. */
static bool is_plain(const arrow *a, const tt_cellc *cell)
{
    if (!(cell->style & TT_STYLE_FILL)) { /* a gap: blank, the cursor, or the grid */
        return cell->ch == ' ' || cell->ch == tt_glyph_of(a->c, TT_G_DASH_V) ||
               (cell->ch == tt_glyph_of(a->c, TT_G_VLINE) && cell->style == TT_ROLE_LABEL_ON);
    }
    return cell->ch == ' ';
}

static void put_glyph(const arrow *a, int row, int col, tt_glyph g)
{
    tt_cellc *cell = cell_at(a, row, col);
    static const tt_glyph branches[][2] = {{TT_G_CORNER_TR, TT_G_TEE_DOWN},
                                           {TT_G_CORNER_TL, TT_G_TEE_DOWN},
                                           {TT_G_CORNER_BR, TT_G_TEE_UP},
                                           {TT_G_CORNER_BL, TT_G_TEE_UP}};
    for (int i = 0; i < 4 && cell && g == TT_G_HLINE && cell->style == TT_ROLE_LINK; i++) {
        if (cell->ch != tt_glyph_of(a->c, branches[i][0])) continue;
        cell->ch = tt_glyph_of(a->c, branches[i][1]); /* the line of one arrow leaves the corner of another */
        return;
    }
    if (!cell || !is_plain(a, cell)) {
        return;
    }
    tt_style st = TT_ROLE_LINK;
    if (cell->style & TT_STYLE_FILL) {
        st = tt_style_fill(TT_PAINT_CONTRAST, tt_style_bg(cell->style)) | TT_BOLD;
    }
    tt_put_char(a->c, a->y + row, a->f->x + col, st, tt_glyph_of(a->c, g));
}

/* The row between both ends with most free cells from one column to the other. */
static int turning_row(const arrow *a, int from, int to, int left, int right)
{
    int best = from + 1, most = -1;
    for (int row = from + 1; row < to; row++) {
        int room = 0;
        for (int col = left; col <= right; col++) {
            const tt_cellc *cell = cell_at(a, row, col);
            room += cell && !(cell->style & TT_STYLE_FILL) && is_plain(a, cell) ? 2 : cell && is_plain(a, cell);
        }
        if (room > most) {
            most = room;
            best = row;
        }
    }
    return best;
}

/* Put the head of an arrow on the first cell of its line next to the end, rows [tip .. back]. */
static void put_head(const arrow *a, int tip, int back, int col, tt_glyph g)
{
    int step = back < tip ? -1 : 1;
    for (int row = tip; row != back + step && (row - tip) * step <= (back - tip) * step; row += step) {
        tt_cellc *cell = cell_at(a, row, col);
        bool line = cell && cell->ch == tt_glyph_of(a->c, TT_G_VLINE) && (cell->style & ~TT_BOLD) != TT_ROLE_LABEL_ON;
        if (line) {
            tt_put_char(a->c, a->y + row, a->f->x + col, cell->style, tt_glyph_of(a->c, g));
            return;
        }
    }
}

/* Connect (from, x0) above with (to, x1) below. down: the head is at the lower end. */
static void draw_line(const arrow *a, int from, int x0, int to, int x1, bool down)
{
    if (to - from < 2) {
        return; /* no row between them */
    }
    int turn = turning_row(a, from, to, x0 < x1 ? x0 : x1, x0 < x1 ? x1 : x0);
    for (int row = from + 1; row < turn; row++) {
        put_glyph(a, row, x0, TT_G_VLINE);
    }
    for (int row = to - 1; row > turn; row--) {
        put_glyph(a, row, x1, TT_G_VLINE);
    }
    for (int col = (x0 < x1 ? x0 : x1) + 1; col < (x0 < x1 ? x1 : x0); col++) {
        put_glyph(a, turn, col, TT_G_HLINE);
    }
    if (x0 == x1) {
        put_glyph(a, turn, x0, TT_G_VLINE);
    } else {
        put_glyph(a, turn, x0, x0 < x1 ? TT_G_CORNER_BL : TT_G_CORNER_BR);
        put_glyph(a, turn, x1, x0 < x1 ? TT_G_CORNER_TR : TT_G_CORNER_TL);
    }
    if (down) {
        put_head(a, to - 1, turn + (x0 != x1), x1, TT_G_ARROW_DOWN);
    } else {
        put_head(a, from + 1, turn - (x0 != x1), x0, TT_G_ARROW_UP);
    }
}

/* The column where the visible part of a slice begins; -1 = it is not on the screen. */
static int column_of(const tt_timeline *t, tt_slice_ref r)
{
    int64_t a = tt_timeline_start(t, r), b = tt_timeline_end(t, r);
    if (a >= t->t1 || (a < t->t0 && b <= t->t0)) {
        return -1;
    }
    return tt_timeline_col(t, a > t->t0 ? a : t->t0);
}

void tt_timeline_draw_arrows(tt_canvas *c, int y, const tt_timeline_frame *f)
{
    tt_timeline *t = (tt_timeline *)f->t;
    arrow a = {c, f, y};
    uint32_t own = f->links.n > 0 ? tt_timeline_line_around(t, t->sel) : TT_NONE;
    int row = own == TT_NONE ? -1 : tt_timeline_row_of(t, own), col = own == TT_NONE ? -1 : column_of(t, t->sel);
    for (uint32_t i = 0; i < f->links.n && i < ARROWS; i++) {
        uint32_t line = tt_timeline_line_around(t, f->links.at[i]);
        if (line == TT_NONE) {
            continue;
        }
        int other = tt_timeline_row_of(t, line), x = column_of(t, f->links.at[i]);
        if (other < 0 || other >= t->rows) { /* the row is above or below the screen */
            const tt_cellc *mark = cell_at(&a, other < 0 ? 0 : t->rows - 1, -2);
            if (mark && mark->ch == ' ') {
                tt_put_char(c, y + (other < 0 ? 0 : t->rows - 1), f->x - 2, TT_ROLE_LINK,
                            tt_glyph_of(c, other < 0 ? TT_G_ARROW_UP : TT_G_ARROW_DOWN));
            }
            continue;
        }
        if (!f->arrows || x < 0 || col < 0 || row < 0 || row >= t->rows) {
            continue;
        }
        bool effect = tt_timeline_start(t, f->links.at[i]) >= tt_timeline_start(t, t->sel);
        if (row < other) {
            draw_line(&a, row, col, other, x, effect);
        } else {
            draw_line(&a, other, x, row, col, !effect);
        }
    }
}
