/* tui/widgets/canvas.c - drawing on a grid of cells: text with clipping and column widths, bars, rules, boxes.
 *
 * Every character passes put_cp(), the only place that writes a cell, so clipping, wide characters and the
 * replacement of control characters are decided once. */
#include "tui/widgets/canvas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

static const struct {
    uint32_t unicode;
    char ascii;
} glyphs[TT_GLYPH_COUNT_] = {
#define X(id, unicode, ascii) {unicode, ascii},
#include "tui/widgets/glyphs.def"
#undef X
};

void tt_canvas_resize(tt_canvas *c, int h, int w)
{
    if (h < 1) h = 1;
    if (w < 1) w = 1;
    c->cells = tt_realloc(c->cells, (size_t)h * (size_t)w, sizeof *c->cells);
    c->owner = true;
    c->h = h;
    c->w = c->stride = w;
    tt_canvas_clear(c);
}

void tt_canvas_free(tt_canvas *c)
{
    if (c->owner) free(c->cells);
    memset(c, 0, sizeof *c);
}

void tt_canvas_clear(tt_canvas *c)
{
    tt_fill(c, 0, 0, c->h, c->w, TT_ROLE_TEXT, ' ');
    c->cur_y = c->cur_x = -1;
}

tt_canvas tt_canvas_window(const tt_canvas *c, int y, int x, int h, int w)
{
    tt_canvas win = *c;
    if (y < 0) h += y, y = 0;
    if (x < 0) w += x, x = 0;
    if (y + h > c->h) h = c->h - y;
    if (x + w > c->w) w = c->w - x;
    win.owner = false;
    win.h = h > 0 ? h : 0;
    win.w = w > 0 ? w : 0;
    if (win.h && win.w) win.cells = c->cells + (size_t)y * (size_t)c->stride + x;
    return win;
}

uint32_t tt_glyph_of(const tt_canvas *c, tt_glyph g)
{
    return c->ascii ? (uint32_t)glyphs[g].ascii : glyphs[g].unicode;
}

uint32_t tt_eighth(const tt_canvas *c, int n)
{
    if (n <= 0) return ' ';
    if (n > 8) n = 8;
    if (c->ascii || c->cheap) return n >= 4 ? tt_glyph_of(c, TT_G_BLOCK) : ' ';
    return n == 8 ? 0x2588 : 0x2590 - (uint32_t)n; /* U+258F is one eighth, U+2589 is seven */
}

uint32_t tt_height(const tt_canvas *c, int n)
{
    if (n <= 0) return ' ';
    if (n > 8) n = 8;
    return c->ascii ? (uint32_t) " .:-=+*#@"[n] : 0x2580 + (uint32_t)n;
}

static tt_cellc *cell_at(tt_canvas *c, int y, int x)
{
    return y < 0 || x < 0 || y >= c->h || x >= c->w ? NULL : &c->cells[(size_t)y * (size_t)c->stride + (size_t)x];
}

/* The character to draw for a code point, and its width. */
static uint32_t shown(const tt_canvas *c, uint32_t cp, int *width)
{
    *width = 1;
    if (cp == '\t' || cp == '\n' || cp == '\r') return ' ';
    if (cp >= 0x20 && cp < 0x7f) return cp;
    if (tt_visible(cp) != cp) return c->ascii ? '?' : tt_visible(cp);
    *width = tt_char_width(cp);
    if (!c->ascii) return cp;
    if (*width) *width = 1;
    return cp == 0xb5 ? 'u' : '?'; /* the micro sign */
}

/* Write a character of the given width; halves of wide characters that get cut become blanks. */
static void put_cp(tt_canvas *c, int y, int x, tt_style st, uint32_t ch, int width)
{
    tt_cellc *cell = cell_at(c, y, x);
    if (!cell) return;
    if (cell->ch == 0 && x > 0) cell[-1].ch = ' ', cell[-1].mark = 0;
    tt_cellc *right = cell_at(c, y, x + width);
    if (right && right->ch == 0) right->ch = ' ';
    *cell = (tt_cellc){ch, st, 0};
    if (width == 2) {
        tt_cellc *half = cell_at(c, y, x + 1);
        if (half) {
            *half = (tt_cellc){0, st, 0};
        } else {
            cell->ch = ' ';
        }
    }
}

void tt_put_char(tt_canvas *c, int y, int x, tt_style st, uint32_t ch)
{
    int width;
    ch = shown(c, ch, &width);
    if (width > 0) put_cp(c, y, x, st, ch, width);
}

void tt_fill(tt_canvas *c, int y, int x, int h, int w, tt_style st, uint32_t ch)
{
    tt_canvas win = tt_canvas_window(c, y, x, h, w);
    for (int j = 0; j < win.h; j++) {
        tt_cellc *row = win.cells + (size_t)j * (size_t)win.stride;
        for (int i = 0; i < win.w; i++) row[i] = (tt_cellc){ch, st, 0};
    }
}

int tt_put(tt_canvas *c, int y, int x, tt_style st, const char *utf8, int maxw)
{
    size_t n = strlen(utf8), used;
    int at = 0;
    if (maxw < 0 || maxw > c->w - x) maxw = c->w - x;
    for (; n; utf8 += used, n -= used) {
        int width;
        uint32_t raw = tt_utf8_next(utf8, n, &used);
        uint32_t ch = shown(c, raw, &width);
        if (width == 0) { /* a combining character is drawn over the one before; a second one is left out */
            tt_cellc *base = at > 0 ? cell_at(c, y, x + at - 1) : NULL;
            if (base && base->ch == 0) base = cell_at(c, y, x + at - 2);
            if (base && !base->mark && ch <= UINT16_MAX && !c->ascii) base->mark = (uint16_t)ch;
            continue;
        }
        if (at + width > maxw) break;
        put_cp(c, y, x + at, st, ch, width);
        at += width;
    }
    return at;
}

int tt_putf(tt_canvas *c, int y, int x, tt_style st, int maxw, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return tt_put(c, y, x, st, text, maxw);
}

void tt_put_right(tt_canvas *c, int y, int x, int w, tt_style st, const char *utf8)
{
    int width = tt_text_width(utf8, strlen(utf8));
    if (width <= w) {
        tt_put(c, y, x + w - width, st, utf8, width);
    } else {
        tt_put_cut(c, y, x, st, utf8, w, TT_CUT_START);
    }
}

int tt_put_cut(tt_canvas *c, int y, int x, tt_style st, const char *utf8, int w, tt_cut cut)
{
    char text[2048];
    if (w > c->w - x) w = c->w - x;
    if (w <= 0) return 0;
    tt_text_cut(text, sizeof text, utf8, w, cut, c->ascii);
    return tt_put(c, y, x, st, text, w);
}

/* Bytes of text for a line of w columns: all of it, or up to the best place to break. */
static size_t wrap_bytes(const char *s, size_t n, int w)
{
    size_t at = 0, good = 0, used;
    for (int col = 0; at < n; at += used) {
        uint32_t cp = tt_utf8_next(s + at, n - at, &used);
        if (cp == '\n') return at + used;
        int width = tt_char_width(cp == TT_BAD_BYTE ? 0xfffd : cp);
        if (col + width > w) return good > at / 3 ? good : at ? at : used;
        col += width;
        if (strchr(" ,;/:", (int)(cp < 128 ? cp : 'x'))) good = at + used;
    }
    return n;
}

int tt_put_wrapped(tt_canvas *c, int y, int x, int h, int w, tt_style st, const char *utf8)
{
    size_t left = strlen(utf8);
    int line = 0;
    if (w <= 0) return 0;
    for (; left && line < h; line++) {
        size_t n = wrap_bytes(utf8, left, w);
        if (line == h - 1 && n < left) {
            tt_put_cut(c, y + line, x, st, utf8, w, TT_CUT_END);
            return h;
        }
        tt_canvas win = tt_canvas_window(c, y + line, x, 1, w);
        char text[2048];
        snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), utf8);
        size_t end = strlen(text);
        if (end && text[end - 1] == '\n') text[end - 1] = 0;
        tt_put(&win, 0, 0, st, text, -1);
        utf8 += n;
        left -= n;
        if (*utf8 == ' ' && left) utf8++, left--;
    }
    return line;
}

void tt_restyle(tt_canvas *c, int y, int x, int h, int w, tt_style st)
{
    tt_canvas win = tt_canvas_window(c, y, x, h, w);
    for (int j = 0; j < win.h; j++) {
        for (int i = 0; i < win.w; i++) win.cells[(size_t)j * (size_t)win.stride + (size_t)i].style = st;
    }
}

void tt_hbar(tt_canvas *c, int y, int x, int w, double frac, tt_style st)
{
    if (!(frac > 0) || w <= 0) return;
    if (frac > 1) frac = 1;
    int eighths = (int)(frac * w * 8 + 0.5);
    if (eighths < 1) eighths = 1;
    for (int i = 0; i < w && eighths > 0; i++, eighths -= 8) {
        uint32_t ch = tt_eighth(c, eighths);
        if (i == 0 && ch == ' ') ch = tt_glyph_of(c, TT_G_BLOCK);
        if (ch != ' ') put_cp(c, y, x + i, st, ch, 1);
    }
}

void tt_fill_paint(tt_canvas *c, int y, int x, int w, tt_paint p)
{
    uint32_t ch = c->mono || c->few ? (uint32_t)(unsigned char)tt_paint_pattern(p) : ' ';
    tt_fill(c, y, x, 1, w, tt_style_fill(TT_PAINT_CONTRAST, p), ch);
}

void tt_rule(tt_canvas *c, int y, const char *title, const char *right)
{
    tt_fill(c, y, 0, 1, c->w, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_HLINE));
    int right_w = right && *right ? tt_text_width(right, strlen(right)) : 0;
    int room = c->w - 4;
    if (title && *title && room > 0) {
        int w = tt_put_cut(c, y, 3, TT_ROLE_TITLE, title, room - 1, TT_CUT_END);
        tt_put_char(c, y, 2, TT_ROLE_FRAME, ' ');
        tt_put_char(c, y, 3 + w, TT_ROLE_FRAME, ' ');
        room -= w + 3;
    }
    if (right_w > room - 2) right_w = room >= 10 ? room - 2 : 0;
    if (!right_w) return;
    tt_put_char(c, y, c->w - right_w - 3, TT_ROLE_FRAME, ' ');
    tt_put_cut(c, y, c->w - right_w - 2, TT_ROLE_DIM, right, right_w, TT_CUT_END);
    tt_put_char(c, y, c->w - 2, TT_ROLE_FRAME, ' ');
}

tt_canvas tt_box(tt_canvas *c, int y, int x, int h, int w, const char *title)
{
    tt_canvas win = tt_canvas_window(c, y, x, h, w);
    tt_fill(&win, 0, 0, win.h, win.w, TT_ROLE_POPUP, ' ');
    int b = win.h - 1, r = win.w - 1;
    tt_fill(&win, 0, 0, 1, win.w, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_HLINE));
    tt_fill(&win, b, 0, 1, win.w, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_HLINE));
    tt_fill(&win, 0, 0, win.h, 1, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
    tt_fill(&win, 0, r, win.h, 1, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
    tt_put_char(&win, 0, 0, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_CORNER_TL));
    tt_put_char(&win, 0, r, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_CORNER_TR));
    tt_put_char(&win, b, 0, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_CORNER_BL));
    tt_put_char(&win, b, r, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_CORNER_BR));
    if (title && win.w > 8) {
        int n = tt_put_cut(&win, 0, 3, TT_ROLE_TITLE, title, win.w - 6, TT_CUT_END);
        tt_put_char(&win, 0, 2, TT_ROLE_FRAME, ' ');
        tt_put_char(&win, 0, 3 + n, TT_ROLE_FRAME, ' ');
    }
    return tt_canvas_window(&win, 1, 1, win.h - 2, win.w - 2);
}
