/* tui/output/picture/picture_png.c - see picture_png.h. The only file that uses cairo, which some builds lack. */
#include "tui/output/picture/picture_png.h"

#include "tui/output/picture/picture.h"

#ifdef TT_HAVE_CAIRO
#include <cairo.h>
#include <dlfcn.h>
#include <string.h>

enum { SCALE = 2 };

/* Cairo and its twenty dependencies are loaded for the first picture only: opening a trace does not wait for them,
 * and servers need not install them. They stay loaded, since cairo caches fonts for the next picture. */
#define FUNCTIONS(X)                                                                                                   \
    X(create)                                                                                                          \
    X(destroy)                                                                                                         \
    X(fill)                                                                                                            \
    X(image_surface_create)                                                                                            \
    X(move_to)                                                                                                         \
    X(paint)                                                                                                           \
    X(rectangle)                                                                                                       \
    X(scale)                                                                                                           \
    X(select_font_face)                                                                                                \
    X(set_antialias)                                                                                                   \
    X(set_font_size)                                                                                                   \
    X(set_source_rgba)                                                                                                 \
    X(show_text)                                                                                                       \
    X(status)                                                                                                          \
    X(status_to_string)                                                                                                \
    X(surface_destroy)                                                                                                 \
    X(surface_write_to_png_stream)

#define MEMBER(name) __typeof__(cairo_##name) *name;
struct cairo {
    cairo_t *on;
    FUNCTIONS(MEMBER)
};
#undef MEMBER

static bool load(struct cairo *c)
{
    void *lib = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    bool good = lib;
    c->on = NULL;
#define FIND(name)                                                                                                     \
    void *name = good ? dlsym(lib, "cairo_" #name) : NULL;                                                             \
    memcpy(&c->name, &name, sizeof name);                                                                              \
    good = good && name;
    FUNCTIONS(FIND)
#undef FIND
    return good;
}

bool tt_picture_has_png(const char **remedy)
{
    struct cairo c;
    bool good = load(&c);
    *remedy = good ? "" : "write .svg, or install libcairo2";
    return good;
}

static void color(const struct cairo *c, uint32_t rgb, int percent)
{
    c->set_source_rgba(c->on, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0,
                       percent / 100.0);
}

/* Bytes of a character with its combining characters. */
static size_t length(const char *s, size_t most)
{
    size_t n = 1;
    while (n < most && ((s[n] & 0xc0) == 0x80 || (unsigned char)s[n] == 0xcc || (unsigned char)s[n] == 0xcd)) n++;
    return n;
}

/* Show each character at its cell, because the widths of a font do not add up to the grid. */
static void show(const struct cairo *c, const char *text, const tt_glyphs *g)
{
    int cell = 0, cells = 0;
    for (size_t i = 0, n; i < g->n; i += n, cells++) n = length(text + i, g->n - i);
    bool wide = cells && g->cells > cells; /* spread characters of two cells evenly */
    for (size_t i = 0, n; i < g->n; i += n, cell++) {
        char one[16] = "";
        n = length(text + i, g->n - i);
        memcpy(one, text + i, n < sizeof one ? n : sizeof one - 1);
        double at = wide ? (double)cell * g->cells / cells : cell;
        if (*one == ' ') continue;
        c->move_to(c->on, g->x + at * TT_CELL_W, g->y + TT_PICTURE_BASE);
        c->show_text(c->on, one);
    }
    if (!g->underline) return;
    c->rectangle(c->on, g->x, g->y + TT_PICTURE_BASE + 1, g->cells * TT_CELL_W, 1);
    c->fill(c->on);
}

static cairo_status_t write_png(void *file, const unsigned char *p, unsigned n)
{
    return fwrite(p, 1, n, file) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static void draw(const struct cairo *c, const tt_picture *p)
{
    c->scale(c->on, SCALE, SCALE);
    color(c, p->back, 100);
    c->paint(c->on);
    c->set_antialias(c->on, CAIRO_ANTIALIAS_NONE);
    for (size_t i = 0; i < p->shapes.n; i++) {
        const tt_shape *s = &p->shapes.at[i];
        color(c, s->rgb, s->opacity);
        c->rectangle(c->on, s->x, s->y, s->w, s->h);
        c->fill(c->on);
    }
    c->set_antialias(c->on, CAIRO_ANTIALIAS_DEFAULT);
    c->set_font_size(c->on, TT_PICTURE_FONT);
    for (size_t i = 0; i < p->glyphs.n; i++) {
        const tt_glyphs *g = &p->glyphs.at[i];
        c->select_font_face(c->on, "DejaVu Sans Mono", CAIRO_FONT_SLANT_NORMAL,
                            g->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
        color(c, g->rgb, g->dim ? 60 : 100);
        show(c, p->text.at + g->from, g);
    }
}

tt_status tt_picture_png(FILE *f, const tt_picture *p, tt_err *err)
{
    struct cairo c;
    if (!load(&c))
        return tt_fail(err, TT_ERR_USAGE, -1, "no PNG: libcairo.so.2 is not there: write .svg, or install libcairo2");
    cairo_surface_t *surface = c.image_surface_create(CAIRO_FORMAT_RGB24, p->w * SCALE, p->h * SCALE);
    c.on = c.create(surface);
    draw(&c, p);
    cairo_status_t st = c.status(c.on);
    if (st == CAIRO_STATUS_SUCCESS) st = c.surface_write_to_png_stream(surface, write_png, f);
    const char *why = c.status_to_string(st);
    c.destroy(c.on);
    c.surface_destroy(surface);
    tt_status status = TT_OK;
    if (st != CAIRO_STATUS_SUCCESS) status = tt_fail(err, TT_ERR_INPUT, -1, "the picture cannot be written: %s", why);
    return status;
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
