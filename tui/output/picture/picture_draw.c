/* tui/output/picture/picture_draw.c - see picture.h: turns cells into rectangles and text, and writes them as SVG. */
#include "tui/output/picture/picture.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/text/text_safety.h"
#include "tui/output/picture/picture_parts.h"
#include "tui/output/picture/picture_png.h"

const char *const tt_picture_names[] =
    {[TT_PICTURE_TEXT] = "text", [TT_PICTURE_SVG] = "svg", [TT_PICTURE_PNG] = "png", [TT_PICTURE_COUNT_] = NULL};
const char *const tt_picture_endings[] =
    {[TT_PICTURE_TEXT] = ".txt", [TT_PICTURE_SVG] = ".svg", [TT_PICTURE_PNG] = ".png", [TT_PICTURE_COUNT_] = NULL};

/* ---- colours ---- */

typedef struct look {
    uint32_t fg, bg;
    bool own_bg; /* else the background of the picture is seen */
    bool bold, dim, underline;
} look;

/* The usual 16 colours of a terminal. */
static const uint32_t base16[16] = {0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd, 0xe5e5e5,
                                    0x666666, 0xf14c4c, 0x23d18b, 0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xffffff};

/* xterm's palette: 16 colours, a cube of six levels, 24 greys. */
static uint32_t of_256(int n)
{
    static const uint32_t levels[6] = {0, 95, 135, 175, 215, 255};
    if (n < 16) return base16[n];
    if (n >= 232) return (uint32_t)(8 + 10 * (n - 232)) * 0x010101;
    n -= 16;
    return levels[n / 36] << 16 | levels[n / 6 % 6] << 8 | levels[n % 6];
}

static uint32_t rgb_of(int32_t c, tt_level level, uint32_t own)
{
    if (c < 0) return own;
    return level == TT_LEVEL_TRUE ? (uint32_t)c & 0xffffff : of_256(c & 255);
}

/* The theme is meant for a light terminal. */
static bool is_light(const tt_theme *t) { return !strcmp(tt_theme_name(t), "light"); }
static uint32_t own_fg(const tt_theme *t) { return is_light(t) ? 0x24292f : 0xd0d0d0; }
static uint32_t own_bg(const tt_theme *t) { return is_light(t) ? 0xffffff : 0x15171c; }

static look look_of(const tt_theme *theme, tt_level level, tt_style style)
{
    tt_ink ink = tt_theme_ink(theme, level, style);
    look l = {.fg = rgb_of(ink.fg, level, own_fg(theme)),
              .bg = rgb_of(ink.bg, level, own_bg(theme)),
              .own_bg = ink.bg >= 0 || ink.reverse,
              .bold = ink.bold,
              .dim = ink.dim,
              .underline = ink.underline};
    if (ink.reverse) {
        uint32_t fg = l.fg;
        l.fg = l.bg;
        l.bg = fg;
    }
    return l;
}

/* ---- characters that are drawn ---- */

typedef struct pen {
    tt_picture *p;
    uint32_t rgb;
    uint8_t opacity;
    int x, y; /* position of the cell */
} pen;

static void rect(const pen *at, int x, int y, int w, int h, int share)
{
    *tt_vec_push(&at->p->shapes) = (tt_shape){.rgb = at->rgb,
                                              .layer = 1,
                                              .opacity = (uint8_t)(at->opacity * share / 100),
                                              .x = (int16_t)(at->x + x),
                                              .y = (int16_t)(at->y + y),
                                              .w = (int16_t)w,
                                              .h = (int16_t)h};
}

/* Draw lines from the middle of the cell to its edges. */
static bool draw_line(const pen *at, uint32_t ch)
{
    enum { UP = 1, RIGHT = 2, DOWN = 4, LEFT = 8 };
    static const struct {
        uint16_t ch;
        uint8_t to;
    } lines[] = {
        {0x2500, LEFT | RIGHT},
        {0x2502, UP | DOWN},
        {0x250c, RIGHT | DOWN},
        {0x2510, LEFT | DOWN},
        {0x2514, UP | RIGHT},
        {0x2518, UP | LEFT},
        {0x251c, UP | RIGHT | DOWN},
        {0x2524, UP | LEFT | DOWN},
        {0x252c, LEFT | RIGHT | DOWN},
        {0x2534, UP | LEFT | RIGHT},
        {0x253c, UP | RIGHT | DOWN | LEFT},
        {0x256d, RIGHT | DOWN},
        {0x256e, LEFT | DOWN},
        {0x256f, UP | LEFT},
        {0x2570, UP | RIGHT},
        {0x2574, LEFT},
        {0x2575, UP},
        {0x2576, RIGHT},
        {0x2577, DOWN},
    };
    size_t i = 0, n = sizeof lines / sizeof *lines;
    const int mx = TT_CELL_W / 2, my = TT_CELL_H / 2;
    while (i < n && lines[i].ch != ch) i++;
    if (i == n) return false;
    uint8_t to = lines[i].to;
    int left = to & LEFT ? 0 : mx, right = to & RIGHT ? TT_CELL_W : mx + 1;
    int up = to & UP ? 0 : my, down = to & DOWN ? TT_CELL_H : my + 1;
    if (to & (LEFT | RIGHT)) rect(at, left, my, right - left, 1, 100);
    if (to & (UP | DOWN)) rect(at, mx, up, 1, down - up, 100);
    return true;
}

static bool draw_dashes(const pen *at, uint32_t ch)
{
    const int mx = TT_CELL_W / 2, my = TT_CELL_H / 2;
    if (ch == 0x254e) {
        rect(at, mx, 0, 1, 6, 100);
        rect(at, mx, 8, 1, 6, 100);
    } else if (ch == 0x2504 || ch == 0x2508 || ch == 0x254c) {
        rect(at, 0, my, 3, 1, 100);
        rect(at, 4, my, 3, 1, 100);
    } else if (ch == 0x2501) {
        rect(at, 0, my - 1, TT_CELL_W, 3, 100);
    } else {
        return false;
    }
    return true;
}

static bool draw_block(const pen *at, uint32_t ch)
{
    const int w = TT_CELL_W, h = TT_CELL_H;
    if (ch == 0x2580) {
        rect(at, 0, 0, w, h / 2, 100);
    } else if (ch >= 0x2581 && ch <= 0x2588) {
        int part = (int)(ch - 0x2580) * h / 8;
        rect(at, 0, h - part, w, part, 100);
    } else if (ch >= 0x2589 && ch <= 0x258f) {
        rect(at, 0, 0, (int)(0x2590 - ch) * w / 8, h, 100);
    } else if (ch == 0x2590) {
        rect(at, w / 2, 0, w / 2, h, 100);
    } else if (ch >= 0x2591 && ch <= 0x2593) {
        rect(at, 0, 0, w, h, (int)(ch - 0x2590) * 25);
    } else if (ch == 0x2594) {
        rect(at, 0, 0, w, h / 8, 100);
    } else if (ch == 0x2595) {
        rect(at, w - w / 8, 0, w / 8, h, 100);
    } else if (ch >= 0x2596 && ch <= 0x259f) { /* quarters: upper left, upper right, lower left, lower right */
        static const uint8_t quarters[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};
        for (int q = 0; q < 4; q++)
            if (quarters[ch - 0x2596] >> q & 1) rect(at, q % 2 * (w / 2), q / 2 * (h / 2), w / 2, h / 2, 100);
    } else {
        return false;
    }
    return true;
}

static bool draw_braille(const pen *at, uint32_t ch)
{
    static const uint8_t row[8] = {0, 1, 2, 0, 1, 2, 3, 3}, column[8] = {0, 0, 0, 1, 1, 1, 0, 1};
    if (ch < 0x2800 || ch > 0x28ff) return false;
    for (int d = 0; d < 8; d++)
        if (ch >> d & 1) rect(at, 1 + 4 * column[d], 1 + 4 * row[d], 2, 2, 100);
    return true;
}

static bool draw(const pen *at, uint32_t ch)
{
    return draw_block(at, ch) || draw_line(at, ch) || draw_dashes(at, ch) || draw_braille(at, ch);
}

/* ---- from cells to parts ---- */

static void put_char(tt_picture *p, uint32_t cp)
{
    char out[4];
    /* surrogates and noncharacters are not allowed in XML */
    if ((cp >= 0xd800 && cp < 0xe000) || (cp & 0xfffe) == 0xfffe || cp > 0x10ffff) cp = 0xfffd;
    size_t n = tt_utf8_put(out, cp);
    for (size_t i = 0; i < n; i++) *tt_vec_push(&p->text) = out[i];
}

static bool same_ink(const tt_glyphs *g, const look *l)
{
    return g->rgb == l->fg && g->bold == l->bold && g->dim == l->dim && g->underline == l->underline;
}

/* Add a row: one rectangle for each run of one background, then drawn characters, then text in runs that end at two
 * blanks. */
static void add_row(tt_picture *p, const tt_canvas *c, int y, const tt_theme *theme, tt_level level)
{
    const tt_cellc *row = c->cells + (size_t)y * (size_t)c->stride;
    tt_shape *back = NULL;
    bool run = false, blank = false;
    for (int x = 0; x < c->w; x++) {
        look l = look_of(theme, level, row[x].style);
        pen at = {p, l.fg, l.dim ? 60 : 100, TT_PICTURE_PAD + x * TT_CELL_W, TT_PICTURE_PAD + y * TT_CELL_H};
        uint32_t ch = row[x].ch;
        if (!l.own_bg) back = NULL;
        if (l.own_bg && back && back->rgb == l.bg && back->layer == 0 && back->y == at.y) {
            back->w = (int16_t)(back->w + TT_CELL_W);
        } else if (l.own_bg) {
            back = tt_vec_push(&p->shapes);
            *back = (tt_shape){l.bg, 0, 100, (int16_t)at.x, (int16_t)at.y, TT_CELL_W, TT_CELL_H};
        }
        size_t shapes = p->shapes.n;
        if (!ch) { /* the right half of a wide character */
            if (run) p->glyphs.at[p->glyphs.n - 1].cells++;
            continue;
        }
        if (draw(&at, ch)) {
            run = false;
            if (p->shapes.n != shapes) back = NULL; /* adding shapes may have moved the list */
            continue;
        }
        tt_glyphs *g = run ? &p->glyphs.at[p->glyphs.n - 1] : NULL;
        bool empty = ch == ' ' && !row[x].mark && !l.underline;
        if (run && (!same_ink(g, &l) || (empty && blank))) run = false;
        blank = empty;
        if (!run && empty) continue;
        if (!run) {
            g = tt_vec_push(&p->glyphs);
            *g = (tt_glyphs){.x = (int16_t)at.x,
                             .y = (int16_t)at.y,
                             .rgb = l.fg,
                             .bold = l.bold,
                             .dim = l.dim,
                             .underline = l.underline,
                             .from = p->text.n};
            run = true;
        }
        put_char(p, ch);
        if (row[x].mark) put_char(p, row[x].mark);
        g->cells++;
        g->n = p->text.n - g->from;
    }
}

static tt_picture picture_make(const tt_canvas *c, const tt_theme *theme, tt_level level)
{
    tt_picture p = {
        .w = c->w * TT_CELL_W + 2 * TT_PICTURE_PAD, .h = c->h * TT_CELL_H + 2 * TT_PICTURE_PAD, .back = own_bg(theme)};
    for (int y = 0; y < c->h; y++) add_row(&p, c, y, theme, level);
    for (size_t i = 0; i < p.glyphs.n; i++) {
        tt_glyphs *g = &p.glyphs.at[i];
        while (!g->underline && g->n && p.text.at[g->from + g->n - 1] == ' ') g->n--, g->cells--;
    }
    TT_SORT_BY(p.shapes.at, p.shapes.n, TT_ASC(tt_shape, layer), TT_ASC(tt_shape, rgb), TT_ASC(tt_shape, opacity),
               TT_ASC(tt_shape, y), TT_ASC(tt_shape, x), TT_ASC(tt_shape, h));
    return p;
}

static void picture_free(tt_picture *p)
{
    tt_vec_free(&p->shapes);
    tt_vec_free(&p->glyphs);
    tt_vec_free(&p->text);
}

/* ---- SVG ---- */

static void put_escaped(FILE *f, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (s[i]) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        default: fputc(s[i], f);
        }
    }
}

static void put_shapes(FILE *f, const tt_picture *p)
{
    for (size_t i = 0; i < p->shapes.n; i++) {
        const tt_shape *s = &p->shapes.at[i], *before = i ? s - 1 : NULL;
        bool same = before && before->layer == s->layer && before->rgb == s->rgb && before->opacity == s->opacity;
        if (!same) {
            fprintf(f, "%s<path fill=\"#%06x\"", before ? "\"/>\n" : "", s->rgb);
            if (s->opacity < 100) fprintf(f, " opacity=\"%.2f\"", s->opacity / 100.0);
            fputs(" d=\"", f);
        }
        fprintf(f, "M%d %dh%dv%dh-%dz", s->x, s->y, s->w, s->h, s->w);
    }
    if (p->shapes.n) fputs("\"/>\n", f);
}

static void put_svg(FILE *f, const tt_picture *p)
{
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"" TT_PICTURE_FONTS "\" font-size=\"%d\">\n",
            p->w, p->h, p->w, p->h, TT_PICTURE_FONT);
    fprintf(f, "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"#%06x\"/>\n<g shape-rendering=\"crispEdges\">\n",
            p->back);
    put_shapes(f, p);
    fputs("</g>\n", f);
    for (size_t i = 0; i < p->glyphs.n; i++) {
        const tt_glyphs *g = &p->glyphs.at[i];
        fprintf(f,
                "<text x=\"%d\" y=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#%06x\"%s%s%s "
                "xml:space=\"preserve\">",
                g->x, g->y + TT_PICTURE_BASE, g->cells * TT_CELL_W, g->rgb, g->bold ? " font-weight=\"bold\"" : "",
                g->dim ? " opacity=\".6\"" : "", g->underline ? " text-decoration=\"underline\"" : "");
        put_escaped(f, p->text.at + g->from, g->n);
        fputs("</text>\n", f);
    }
    fputs("</svg>\n", f);
}

tt_status tt_picture_write(FILE *f, tt_picture_format format, const tt_canvas *c, const tt_theme *theme, tt_level level,
                           tt_err *err)
{
    tt_picture p = picture_make(c, theme, level);
    tt_status st = TT_OK;
    if (format == TT_PICTURE_PNG)
        st = tt_picture_png(f, &p, err);
    else
        put_svg(f, &p);
    picture_free(&p);
    return st;
}
