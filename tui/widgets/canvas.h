/* tui/widgets/canvas.h - a grid of cells that screens are drawn on.
 *
 * Views draw on a canvas and never talk to a terminal; back ends (tui/term/term.h, tui/app/dump/dump.h) show it. A
 * canvas may be a window into another one. Coordinates are (y, x) from 0; everything outside is clipped. Text is
 * UTF-8 from anywhere: what could control a terminal is replaced on its way in (model/text/text_safety.h), so a cell
 * never holds a control character. Cost of every call is O(cells touched). No allocation after tt_canvas_resize(). */
#ifndef TT_TUI_WIDGETS_CANVAS_H
#define TT_TUI_WIDGETS_CANVAS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/text/text_safety.h"
#include "tui/widgets/theme.h"

typedef struct tt_cellc { /* 8 bytes */
    uint32_t ch;          /* character; 0 = the right half of a wide one */
    tt_style style;
    uint16_t mark; /* a combining character on top, 0 = none */
} tt_cellc;

typedef struct tt_canvas {
    int w, h, stride;
    tt_cellc *cells;
    bool owner;       /* the canvas frees the cells */
    bool ascii;       /* draw with ASCII stand-ins */
    bool braille;     /* curves may be lines of braille dots */
    bool mono;        /* no colours: fills need patterns (tt_paint_pattern) */
    bool few;         /* 8 colours: categories share colours, so fills show their patterns too */
    bool cheap;       /* slow link: leave out what costs bytes (eighths, cursor column) */
    int cur_y, cur_x; /* place of the terminal's cursor, -1 = hidden; unused in windows */
} tt_canvas;

typedef enum tt_glyph {
#define X(id, unicode, ascii) TT_G_##id,
#include "tui/widgets/glyphs.def"
#undef X
    TT_GLYPH_COUNT_
} tt_glyph;

/* Zero-initialise, then resize; clears. Free with tt_canvas_free. */
void tt_canvas_resize(tt_canvas *c, int h, int w);
void tt_canvas_free(tt_canvas *c);
void tt_canvas_clear(tt_canvas *c);
/* The window of h x w cells at (y, x), clipped to c; shares the cells, needs no freeing. */
tt_canvas tt_canvas_window(const tt_canvas *c, int y, int x, int h, int w);

/* The character of a glyph: its stand-in where the canvas is ASCII. */
uint32_t tt_glyph_of(const tt_canvas *c, tt_glyph g);
/* n eighths of a cell from the left, 0..8; in ASCII a blank or '#'. */
uint32_t tt_eighth(const tt_canvas *c, int n);
/* n eighths of a cell from below, 0..8; in ASCII " .:-=+*#@". */
uint32_t tt_height(const tt_canvas *c, int n);

void tt_put_char(tt_canvas *c, int y, int x, tt_style st, uint32_t ch);
void tt_fill(tt_canvas *c, int y, int x, int h, int w, tt_style st, uint32_t ch);
/* Put text, at most maxw columns (-1 = to the edge); returns the columns used. A wide character that does not fit
 * whole is left out. Tabs and line ends become blanks. */
int tt_put(tt_canvas *c, int y, int x, tt_style st, const char *utf8, int maxw);
int tt_putf(tt_canvas *c, int y, int x, tt_style st, int maxw, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/* Put text right-aligned in [x, x + w); if too long, its beginning is cut. */
void tt_put_right(tt_canvas *c, int y, int x, int w, tt_style st, const char *utf8);
/* How to shorten a text that does not fit. END: cut the end. MIDDLE: cut the middle. START: cut the beginning.
 * KERNEL: cut template arguments, then the middle; mangled names are demangled. PLACE (Python frames): keep file,
 * line and function, and as many folders as fit. tt_put_cut() returns the columns used. */
typedef enum tt_cut { TT_CUT_END, TT_CUT_MIDDLE, TT_CUT_START, TT_CUT_KERNEL, TT_CUT_PLACE } tt_cut;
int tt_put_cut(tt_canvas *c, int y, int x, tt_style st, const char *utf8, int w, tt_cut cut);
/* Put text over several lines (wrapped at blanks and after , ; / : where possible); returns the lines used, at most
 * h. */
int tt_put_wrapped(tt_canvas *c, int y, int x, int h, int w, tt_style st, const char *utf8);
/* Give cells another style, keeping the characters. */
void tt_restyle(tt_canvas *c, int y, int x, int h, int w, tt_style st);
/* Draw a bar over the fraction frac (0..1) of w cells, in eighths of a cell; a value above 0 gets at least one eighth.
 * Cells behind the bar are not touched. */
void tt_hbar(tt_canvas *c, int y, int x, int w, double frac, tt_style st);
/* Fill cells with a colour of slices: as background, or as a pattern on terminals without colours. */
void tt_fill_paint(tt_canvas *c, int y, int x, int w, tt_paint p);
/* Draw a horizontal line over the full width, with a title at the left and a text at the right (NULL: none). */
void tt_rule(tt_canvas *c, int y, const char *title, const char *right);
/* Draw a box with a frame and clear its inside; returns the window inside the frame. */
tt_canvas tt_box(tt_canvas *c, int y, int x, int h, int w, const char *title);
/* Shorten text to w columns into out (always terminated). ascii: "~" as the ellipsis. Returns the columns. */
int tt_text_cut(char *out, size_t cap, const char *utf8, int w, tt_cut cut, bool ascii);

#endif
