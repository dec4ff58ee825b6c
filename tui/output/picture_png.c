/* tui/output/picture_png.c - see picture_png.h. The only place that knows cairo, which not every build has. */
#include "tui/output/picture_png.h"

#include "tui/output/picture.h"

#ifdef TT_HAVE_CAIRO
#include <cairo.h>
#include <string.h>

enum { SCALE = 2 };

bool tt_picture_has_png(const char **remedy)
{
    *remedy = "";
    return true;
}

static void paint(cairo_t *on, uint32_t rgb, int percent)
{
    cairo_set_source_rgba(on, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0,
                          percent / 100.0);
}

/* Bytes of a character with what combines with it. */
static size_t length(const char *s, size_t most)
{
    size_t n = 1;
    while (n < most && ((s[n] & 0xc0) == 0x80 || (unsigned char)s[n] == 0xcc || (unsigned char)s[n] == 0xcd)) n++;
    return n;
}

/* Character by character, each at its cell: the font's widths do not add up to the grid's. */
static void show(cairo_t *on, const char *text, const tt_glyphs *g)
{
    int cell = 0, cells = 0;
    for (size_t i = 0, n; i < g->n; i += n, cells++) n = length(text + i, g->n - i);
    bool wide = cells && g->cells > cells; /* characters of two cells: as evenly as it goes */
    for (size_t i = 0, n; i < g->n; i += n, cell++) {
        char one[16] = "";
        n = length(text + i, g->n - i);
        memcpy(one, text + i, n < sizeof one ? n : sizeof one - 1);
        double at = wide ? (double)cell * g->cells / cells : cell;
        if (*one == ' ') continue;
        cairo_move_to(on, g->x + at * TT_CELL_W, g->y + TT_PICTURE_BASE);
        cairo_show_text(on, one);
    }
    if (!g->underline) return;
    cairo_rectangle(on, g->x, g->y + TT_PICTURE_BASE + 1, g->cells * TT_CELL_W, 1);
    cairo_fill(on);
}

static cairo_status_t put(void *file, const unsigned char *p, unsigned n)
{
    return fwrite(p, 1, n, file) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

tt_status tt_picture_png(FILE *f, const tt_picture *p, tt_err *err)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, p->w * SCALE, p->h * SCALE);
    cairo_t *on = cairo_create(surface);
    cairo_scale(on, SCALE, SCALE);
    paint(on, p->back, 100);
    cairo_paint(on);
    cairo_set_antialias(on, CAIRO_ANTIALIAS_NONE);
    for (size_t i = 0; i < p->shapes.n; i++) {
        const tt_shape *s = &p->shapes.at[i];
        paint(on, s->rgb, s->opacity);
        cairo_rectangle(on, s->x, s->y, s->w, s->h);
        cairo_fill(on);
    }
    cairo_set_antialias(on, CAIRO_ANTIALIAS_DEFAULT);
    cairo_set_font_size(on, TT_PICTURE_FONT);
    for (size_t i = 0; i < p->glyphs.n; i++) {
        const tt_glyphs *g = &p->glyphs.at[i];
        cairo_select_font_face(on, "DejaVu Sans Mono", CAIRO_FONT_SLANT_NORMAL,
                               g->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
        paint(on, g->rgb, g->dim ? 60 : 100);
        show(on, p->text.at + g->from, g);
    }
    cairo_status_t st = cairo_status(on);
    if (st == CAIRO_STATUS_SUCCESS) st = cairo_surface_write_to_png_stream(surface, put, f);
    cairo_destroy(on);
    cairo_surface_destroy(surface);
    if (st == CAIRO_STATUS_SUCCESS) return TT_OK;
    return tt_fail(err, TT_ERR_INPUT, -1, "the picture cannot be written: %s", cairo_status_to_string(st));
}

#else

bool tt_picture_has_png(const char **remedy)
{
    *remedy = "write .svg, or install libcairo2-dev and build again";
    return false;
}

tt_status tt_picture_png(FILE *f, const tt_picture *p, tt_err *err)
{
    const char *remedy;
    (void)f;
    (void)p;
    tt_picture_has_png(&remedy);
    return tt_fail(err, TT_ERR_USAGE, -1, "this build writes no PNG: %s", remedy);
}
#endif
